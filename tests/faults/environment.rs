//! A clock that is set back, files that may not grow, and too little memory.

use crate::common::{Machine, text};
use crate::{DIRECTED, JOB, refused, resumes};
use kt_enum_runs::run::checkpoint::peek;
use std::fs;
use std::process::{Command, Output};
use std::thread::sleep;
use std::time::{Duration, SystemTime};

/// Runs the program at another time of the system clock.
fn in_another_time(machine: &Machine, time: &str, arguments: &str) -> Output {
    Command::new("faketime")
        .arg(time)
        .arg(assert_cmd::cargo::cargo_bin("kt-enum"))
        .args(arguments.split_whitespace())
        .env("XDG_STATE_HOME", machine.folder.path())
        .output()
        .unwrap()
}

#[test]
#[ignore = "needs faketime"]
fn a_clock_set_back_between_two_runs_changes_nothing() {
    let machine = Machine::new();
    let stopping = format!("{JOB} --max-time 0");
    let output = in_another_time(&machine, "2099-01-01 00:00:00", &stopping);
    assert_eq!(output.status.code(), Some(75), "{}", text(&output.stderr));
    let path = machine.state_folder().join("open-5x8.kt");
    let header = peek(&path).unwrap().unwrap();
    assert!(header.saved > SystemTime::now(), "its clock was not ahead");
    for format in ["", "--json"] {
        let said = machine.kt(&format!("status {format}")).output().unwrap();
        assert!(said.status.success(), "{}", text(&said.stderr));
    }
    // The clock is set back by a century.
    let output = in_another_time(&machine, "1999-01-01 00:00:00", &stopping);
    let said = text(&output.stderr);
    assert!(said.contains("resumed from"), "{said}");
    assert_eq!(output.status.code(), Some(75), "{said}");
    let later = peek(&path).unwrap().unwrap();
    assert!(later.saved < header.saved && later.status.found >= header.status.found);
    resumes(&machine, JOB);
}

#[test]
#[ignore = "needs faketime"]
fn a_clock_before_1970_costs_no_answer() {
    let machine = Machine::new();
    let units = machine.folder.path().join("units");
    let early = |arguments: &str| in_another_time(&machine, "1969-06-01 00:00:00", arguments);
    let output = early(&format!("--size 5 --quiet --keep-units {}", units.display()));
    assert_eq!(text(&output.stdout), "1728\n", "{}", text(&output.stderr));
    assert!(fs::read_to_string(units).unwrap().contains("\"date\":\"?\""));
    let stopping = format!("{JOB} --max-time 0");
    let output = early(&stopping);
    assert_eq!(output.status.code(), Some(75), "{}", text(&output.stderr));
    for command in ["status", "status --json"] {
        let output = early(command);
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    resumes(&machine, JOB);
}

/// Runs the program with a limit on the size of files, in bytes.
fn with_short_files(machine: &Machine, bytes: u64, arguments: &str) -> Output {
    let program = assert_cmd::cargo::cargo_bin("kt-enum");
    let script = format!("ulimit -f {} && exec {} {arguments}", bytes / 512, program.display());
    let mut command = Command::new("sh");
    command.args(["-c", &script]).env("XDG_STATE_HOME", machine.folder.path());
    command.output().unwrap()
}

#[test]
fn a_limit_on_the_size_of_files_is_as_a_full_disk() {
    let machine = Machine::new();
    let list = machine.folder.path().join("tours");
    let job = format!("list --size 5 -o {}", list.display());
    let output = with_short_files(&machine, 1 << 16, &job);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("File too large") && said.contains("--resume"), "{said}");
    machine.kt(&format!("{job} --resume")).assert().success();
    assert!(fs::read(&list).unwrap() == machine.kt("list --size 5").output().unwrap().stdout);

    // A run that cannot be saved says so, and ends with the right count.
    let job = "--rows 5 --cols 8 --memo off --threads 1 --checkpoint-interval 0 --quiet";
    let output = with_short_files(&machine, 512, job);
    let said = text(&output.stderr);
    assert_eq!(text(&output.stdout), format!("{DIRECTED}\n"), "{said}");
    assert!(said.contains("File too large"), "{said}");
}

/// Runs a count and returns its exit code, its output on both streams, and the most bytes of memory
/// that it held.
pub fn measured(machine: &Machine, arguments: &str) -> (Option<i32>, String, String, u64) {
    let mut child = machine.start(arguments);
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        // The system keeps the maximum itself, so that only what comes just before the end can be
        // missed.
        let lines = fs::read_to_string(&status).unwrap_or_default();
        let held = lines.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kibibytes = held.and_then(|held| held.split_whitespace().next()?.parse().ok());
        most = most.max(kibibytes.unwrap_or(0_u64) << 10);
        sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr), most)
}

#[test]
fn an_audit_stays_within_its_memory_where_the_states_of_a_unit_in_a_hash_table_do_not() {
    let machine = Machine::new();
    let path = machine.folder.path().join("units");
    // A single unit.
    let keep = "--rows 6 --cols 7 --tours closed --cut 22:0 --no-checkpoint --keep-units";
    machine.kt(&format!("{keep} {}", path.display())).assert().success();
    let audit = format!("audit {} --json", path.display());
    let words = ["--memory 1 ", "too low", "at least --memory "];
    refused(&machine, &format!("{audit} --memory 1"), 2, &words);
    let (code, printed, said, most) = measured(&machine, &format!("{audit} -j 1 --memory 56M"));
    assert_eq!(code, Some(0), "{said}");
    let json: serde_json::Value = serde_json::from_str(&printed).unwrap();
    let by = serde_json::json!({ "states in blocks at another cut": 1 });
    assert_eq!(json["recounted_by"], by);
    assert!(most > 0 && most <= 56 << 20, "{most}");
}

#[test]
fn a_process_stays_within_the_least_memory_that_is_named_when_less_is_refused() {
    let machine = Machine::new();
    for (job, count) in [
        ("--size 7 --engine frontier --threads 2", "165575218320"),
        ("--size 7 --engine frontier --threads 1", "165575218320"),
        ("--rows 7 --cols 8 --tours closed --threads 4", "34524432316"),
        ("--size 6 --engine walk --threads 2", "6637920"),
        ("--size 5 --engine frontier --threads 2", "1728"),
        ("--rows 6 --cols 8 --engine frontier --threads 8", "49929787608"),
        ("--size 8 --piece wazir --engine frontier --threads 2", "6046626568"),
    ] {
        let job = format!("{job} --quiet --no-checkpoint");
        let said = refused(&machine, &format!("{job} --memory 1"), 2, &["--memory 1 ", "too low"]);
        let (_, least) = said.split_once("at least --memory ").unwrap();
        let least = least.split([',', '\n']).next().unwrap();
        let bound: u64 = least.strip_suffix('M').unwrap().parse::<u64>().unwrap() << 20;
        refused(&machine, &format!("{job} --memory {}", bound - 1), 2, &[least]);
        let job = job.replace("--no-checkpoint", "");
        let (code, printed, said, most) = measured(&machine, &format!("{job} --memory {least}"));
        assert_eq!(code, Some(0), "{job}: {said}");
        assert_eq!(printed, format!("{count}\n"), "{job}");
        assert!(most > 0 && most <= bound, "{job}: {most} bytes of {bound}");
    }
}

#[test]
fn a_walk_has_a_table_for_each_thread_and_none_for_its_estimates() {
    let machine = Machine::new();
    let job = "--rows 6 --cols 7 --engine walk --memo 128M --memory 200M --threads 1 --max-time 1s";
    let (code, _, said, most) = measured(&machine, job);
    assert_eq!(code, Some(75), "{said}");
    assert!(most > 128 << 20 && most <= 200 << 20, "{most} bytes");
}

#[test]
fn a_memory_bound_beyond_what_the_system_leaves_is_reported_before_the_count() {
    let machine = Machine::new();
    let job = "--size 5 --memory 100M --no-checkpoint --quiet";
    for (granted, is_short) in [("64", true), ("1000", false)] {
        let output = machine.kt(job).env("SLURM_MEM_PER_NODE", granted).output().unwrap();
        assert_eq!(text(&output.stdout), "1728\n");
        assert_eq!(text(&output.stderr).contains("may be killed"), is_short, "{granted}");
    }
}

#[test]
fn a_memory_bound_without_room_for_any_table_leaves_the_count_exact() {
    let machine = Machine::new();
    let count = "--size 6 --engine walk --no-checkpoint --memory 16M";
    assert_eq!(machine.json(count)["directed"], "6637920");
}

#[test]
fn a_count_stays_within_what_slurm_has_granted() {
    let machine = Machine::new();
    let job = "--rows 7 --cols 8 --tours closed --threads 2 --no-checkpoint --quiet";
    let output = machine.kt(job).env("SLURM_MEM_PER_NODE", "64").output().unwrap();
    // Three quarters of it are less than the count takes, and a warning says so.
    assert!(text(&output.stderr).contains("may be killed"), "{}", text(&output.stderr));
    let output = machine.kt(job).env("SLURM_MEM_PER_NODE", "100").output().unwrap();
    assert!(!text(&output.stderr).contains("may be killed"), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "34524432316\n");
}

/// Runs the program with so many kibibytes of addresses.
fn under(kibibytes: u32, machine: &Machine, job: &str) -> Output {
    let program = assert_cmd::cargo::cargo_bin("kt-enum");
    let script = format!("ulimit -v {kibibytes} && exec {} {job}", program.display());
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).env("XDG_STATE_HOME", machine.folder.path());
    shell.output().unwrap()
}

#[test]
fn a_limit_on_addresses_is_seen() {
    let machine = Machine::new();
    let job = "--rows 7 --cols 8 --tours closed --threads 1 --no-checkpoint --quiet";
    for (kibibytes, is_short) in [(190_000, true), (400_000, false)] {
        let output = under(kibibytes, &machine, job);
        let said = text(&output.stderr);
        assert_eq!(said.contains("`ulimit -v` leaves "), is_short, "{kibibytes}: {said}");
        assert_eq!(output.status.code(), Some(i32::from(is_short)), "{kibibytes}: {said}");
        if !is_short {
            assert_eq!(text(&output.stdout), "34524432316\n", "{said}");
        }
    }
}

#[test]
fn a_memory_bound_beyond_the_limit_on_addresses_does_not_abort_a_count() {
    let machine = Machine::new();
    let job = "7x8 --closed --threads 2 --memory 2G --no-checkpoint --quiet --max-time 1";
    for kibibytes in [180_000, 200_000, 220_000, 360_000, 380_000, 400_000] {
        let output = under(kibibytes, &machine, job);
        let said = text(&output.stderr);
        match output.status.code() {
            Some(0) => assert_eq!(text(&output.stdout), "34524432316\n", "{said}"),
            Some(1) => assert!(said.contains("memory"), "{kibibytes}: {said}"),
            Some(75) => assert!(said.contains("stopped after"), "{kibibytes}: {said}"),
            code => panic!("{kibibytes}: {code:?} {said}"),
        }
    }
}

#[test]
fn a_puzzle_of_2500_squares_under_any_limit_on_addresses_ends_with_a_message_about_memory() {
    let machine = Machine::new();
    let path = machine.folder.path().join("empty");
    std::fs::write(&path, ". ".repeat(50).trim_end().to_owned() + "\n").unwrap();
    let row = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, row.repeat(50)).unwrap();
    let job = format!("solve {} --threads 2 --max-time 0.3", path.display());
    for kibibytes in (40_000..=160_000).step_by(4_001).chain([200_000, 400_000]) {
        let output = under(kibibytes, &machine, &job);
        let said = text(&output.stderr);
        let is_short = ["worker threads", "memory"].iter().any(|word| said.contains(word));
        match output.status.code() {
            Some(1) => assert!(is_short, "{kibibytes}: {said}"),
            // The process starts, and it has enough.
            Some(75) => assert!(said.contains("not decided after"), "{kibibytes}: {said}"),
            // The system could not even load the program.
            Some(127) => {}
            code => panic!("{kibibytes}: {code:?} {said}"),
        }
    }
}

#[test]
fn boards_and_lines_that_do_not_fit_a_limit_on_addresses_are_refused() {
    let machine = Machine::new();
    let line = machine.folder.path().join("line");
    std::fs::write(&line, "a1 ".repeat(3_000_000)).unwrap();
    let check = format!("check {}", line.display());
    for job in ["find --size 9000", "compare --sizes 9000 --trials 1", &check] {
        let output = under(110_000, &machine, job);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{job}: {said}");
        assert!(said.contains("of memory, more than the system gives"), "{job}: {said}");
    }
}

#[test]
fn a_table_larger_than_the_memory_bound_is_refused_with_what_would_fit() {
    let machine = Machine::new();
    for (options, words) in [
        ("--memory 1M --memo 2M", ["--memory", "--memo"]),
        ("--memory 18M --memo 2M --threads 2", ["2 threads", "at most 1M fit"]),
    ] {
        let count = format!("--rows 5 --cols 8 {options}");
        refused(&machine, &count, 2, &words);
    }
    assert_eq!(machine.files(), [""; 0]);
}

#[test]
fn a_table_larger_than_the_machine_is_refused() {
    let machine = Machine::new();
    for memo in ["100T", "9223372036854775807"] {
        refused(&machine, &format!("--size 5 --memo {memo}"), 2, &["--memo", "by default"]);
    }
    let count = "--size 5 --memo 100T --memory 300T --threads 2";
    refused(&machine, count, 1, &["give a smaller --memo"]);
}
