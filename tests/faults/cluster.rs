//! The scripts for clusters, with a real Slurm and a real GNU parallel on the loopback address.
//!
//! `tests/install` installs both, `scripts/cluster-test` does that and runs these tests. Where
//! root or the packages are missing they say on standard error that they are skipped.

use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::Command;

/// What is missing for a test, if anything is.
fn missing(programs: &[&str]) -> Option<String> {
    let is_there = |program: &&str| {
        let found = Command::new("sh")
            .args(["-c", &format!("command -v {program}")])
            .output();
        found.is_ok_and(|found| found.status.success())
    };
    let is_root = Command::new("id")
        .arg("-u")
        .output()
        .is_ok_and(|id| id.stdout == b"0\n");
    match programs.iter().find(|program| !is_there(program)) {
        Some(program) => Some(format!("{program} is not installed: see tests/install")),
        None if !is_root => Some("it needs root".to_owned()),
        None => None,
    }
}

/// Runs a script of `tests/cluster` and gives the JSON objects that it prints.
fn counts(script: &str, programs: &[&str]) -> Option<Vec<Value>> {
    if let Some(why) = missing(programs) {
        // Not by a macro, whose output a passing test keeps to itself.
        writeln!(std::io::stderr(), "skipped: tests/cluster/{script}: {why}").unwrap();
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(root.join("tests/cluster").join(script))
        .arg(folder.path())
        .env("KT_ENUM", assert_cmd::cargo::cargo_bin("kt-enum"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{script}: {said}");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    Some(
        printed
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect(),
    )
}

/// Open 6x6 and 6x7, then closed 7x10 by the frontier.
fn assert_right(counts: Option<Vec<Value>>) {
    let Some(counts) = counts else { return };
    let directed: Vec<_> = counts
        .iter()
        .map(|count| count["directed"].as_str().unwrap())
        .collect();
    assert_eq!(directed, ["6637920", "779938932", "2500126559877708"]);
    let frontier = &counts[2];
    assert_eq!(frontier["undirected"], "1250063279938854");
    assert_eq!(frontier["fingerprint"], by_one_process()["fingerprint"]);
}

/// The answer of one process for closed 7x10, by the frontier.
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

#[test]
fn slurm_counts_right_while_a_task_is_stopped_and_a_node_is_killed() {
    assert_right(counts(
        "slurm",
        &["slurmctld", "slurmd", "sbatch", "munged"],
    ));
}

#[test]
fn gnu_parallel_counts_right_when_jobs_fail_and_are_run_again() {
    assert_right(counts("parallel", &["parallel"]));
}
