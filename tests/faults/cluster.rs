//! The scripts for clusters, tested with Slurm and GNU parallel on the loopback address.
//!
//! `tests/install` installs both; `scripts/cluster-test` does so and then runs these tests.

use crate::common::text;
use serde_json::Value;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

/// Returns this number of unused ports.
fn free_ports(ports: usize) -> Vec<String> {
    let listening: Vec<TcpListener> =
        (0..ports).map(|_| TcpListener::bind(("127.0.0.1", 0)).unwrap()).collect();
    listening.iter().map(|listener| listener.local_addr().unwrap().port().to_string()).collect()
}

/// Runs a script of `tests/cluster` and returns the JSON objects that it prints.
fn counts(script: &str, arguments: &[String]) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(root.join("tests/cluster").join(script))
        .arg(folder.path())
        .args(arguments)
        .env("KT_ENUM", assert_cmd::cargo::cargo_bin("kt-enum"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{script}: {}", text(&output.stderr));
    text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Checks the counts of open 6x6, of a second board, and of closed 7x10 by the frontier.
fn assert_right(counts: &[Value], second: &str) {
    let directed: Vec<_> = counts.iter().map(|count| count["directed"].as_str().unwrap()).collect();
    assert_eq!(directed, ["6637920", second, "2500126559877708"]);
    let frontier = &counts[2];
    assert_eq!(frontier["undirected"], "1250063279938854");
    assert_eq!(frontier["fingerprint"], by_one_process()["fingerprint"]);
}

/// Returns the answer of a single process for closed 7x10 by the frontier.
fn by_one_process() -> Value {
    let question = "--rows 7 --cols 10 --tours closed --engine frontier";
    let output = Command::new(assert_cmd::cargo::cargo_bin("kt-enum"))
        .args(question.split(' '))
        .args(["--no-checkpoint", "--progress", "none", "--json"])
        .output()
        .unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Fills a folder with programs that replace those of Slurm and kt-enum: each prints its name and
/// its arguments, one per line in brackets.
fn stand_ins(folder: &Path) -> String {
    for name in ["sbatch", "squeue", "kt-enum"] {
        let prints = match name {
            "squeue" => "echo \"$KT_TEST_LEFT\"".to_owned(),
            _ => format!(
                "echo {name} >>\"$KT_TEST_LOG\"; printf '[%s]\\n' \"$@\" >>\"$KT_TEST_LOG\"; echo 7"
            ),
        };
        let path = folder.join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{prints}\n")).unwrap();
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .unwrap();
    }
    format!("{}:{}", folder.display(), std::env::var("PATH").unwrap())
}

/// Runs a script with these variables only, and returns the output of the programs that replace the
/// real ones.
fn started_by(script: &str, arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = stand_ins(folder.path());
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(root.join("scripts").join(script))
        .args(arguments)
        .env_clear()
        .envs([("PATH", path.as_str()), ("KT_TEST_LOG", "log")])
        .envs(variables.iter().copied())
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{script}: {}", text(&output.stderr));
    std::fs::read_to_string(folder.path().join("log")).unwrap()
}

#[test]
fn a_slurm_task_stops_before_its_time_limit_however_short_that_is() {
    let task = |left: &str, question: &str| {
        let words: Vec<&str> = question.split(' ').collect();
        let arguments = [&["4", "parts", "kt-enum", "no"][..], &words].concat();
        let variables =
            [("SLURM_ARRAY_TASK_ID", "2"), ("SLURM_JOB_ID", "9"), ("KT_TEST_LEFT", left)];
        started_by("slurm/count.sh", &arguments, &variables)
    };
    for (left, stops) in [
        ("2:00", "96s"),
        ("5:00", "240s"),
        ("25:00", "1200s"),
        ("1:00:00", "3300s"),
        ("2-00:00:00", "172500s"),
    ] {
        let started = task(left, "--size 5 --memo off");
        assert!(
            started.starts_with("kt-enum\n[shard]\n[2/4]\n[--size]\n[5]\n[--memo]\n[off]\n"),
            "{started}"
        );
        assert!(started.contains(&format!("[--max-time]\n[{stops}]\n")), "{left}: {started}");
        assert_eq!(started.matches("[--threads]").count(), 1, "{started}");
    }
    for unlimited in ["UNLIMITED", "INVALID", ""] {
        assert!(!task(unlimited, "--size 5").contains("--max-time"), "{unlimited}");
    }
    let own = task("2:00", "--size 5 --threads 3 --max-time 9s --memory=1G");
    assert!(
        own.contains("[--threads]\n[3]\n[--max-time]\n[9s]\n[--memory=1G]\n[--out]\n[parts]\n"),
        "{own}"
    );
}

#[test]
fn the_jobs_of_a_count_get_the_question_as_arguments() {
    let question = ("KT_QUESTION", "--size 6 --tours closed");
    let variables = [question, ("KT_SHARDS", "3"), ("KT_OUT", "of parts"), ("KT_REQUEUE", "no")];
    let started = started_by("slurm/submit", &["--time=1:00"], &variables);
    let jobs: Vec<&str> = started.split("sbatch\n").skip(1).collect();
    let [prepare, array, merge] = jobs[..] else { panic!("{started}") };
    let words = "[no]\n[--size]\n[6]\n[--tours]\n[closed]\n";
    assert!(prepare.contains("prepare.sh]\n[/") && prepare.ends_with(words), "{prepare}");
    assert!(array.contains("[--array=0-2]\n") && array.contains("[--time=1:00]\n"), "{array}");
    let of_shards = format!("{words}[--by]\n[remainder]\n");
    assert!(array.contains("count.sh]\n[3]\n[/") && array.ends_with(&of_shards), "{array}");
    for job in [prepare, array, merge] {
        assert!(job.contains("/of parts]\n[/") && job.contains("/kt-enum]\n"), "{job}");
    }
}

#[test]
#[ignore = "needs root and slurm"]
fn slurm_counts_right_while_a_task_is_stopped_and_a_node_is_killed() {
    assert_right(&counts("slurm", &free_ports(3)), "779938932");
}

#[test]
#[ignore = "needs parallel"]
fn gnu_parallel_counts_right_when_jobs_fail_and_are_run_again() {
    assert_right(&counts("parallel", &[]), "36122108");
}

#[test]
#[ignore = "needs parallel and root"]
fn gnu_parallel_divides_the_memory_that_the_cgroup_leaves() {
    // Both versions of cgroups, with a limit of a gigabyte, in a mount namespace of its own.
    const LIMITED: &str = r#"set -eu
mount -t tmpfs none /sys/fs/cgroup
mkdir /sys/fs/cgroup/memory
cd /sys/fs/cgroup
for limit in memory.max memory/memory.limit_in_bytes; do echo 1073741824 >$limit; done
for usage in memory.current memory/memory.usage_in_bytes; do echo 3072 >$usage; done
echo 'active_file 1024' >memory.stat
echo 'total_active_file 1024' >memory/memory.stat
printf '#!/bin/sh\necho "$@" >>"$KT_OUT/said"\n' >"$KT_ENUM"
chmod +x "$KT_ENUM"
exec "$0" -j1"#;
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new("unshare")
        .args(["--mount", "bash", "-c", LIMITED])
        .arg(root.join("scripts/parallel/count"))
        .env("KT_ENUM", folder.path().join("fake"))
        .envs([("KT_SHARDS", "2"), ("KT_PREPARE", "no"), ("KT_QUESTION", "--size 5")])
        .env("KT_OUT", folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = std::fs::read_to_string(folder.path().join("said")).unwrap();
    let at_once = std::thread::available_parallelism().unwrap().get() as u64;
    let each = ((1 << 30) - 2048) / 4 * 3 / at_once / (1 << 20);
    // A shard that runs alone divides nothing: it uses the default of the program.
    let memory = if at_once > 1 { format!(" --memory {each}M ") } else { " --quiet ".to_owned() };
    assert!(said.contains(&memory), "{memory}: {said}");
}
