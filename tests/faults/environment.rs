//! A clock that is set back, and too little memory.

use crate::common::{Machine, text};
use crate::{JOB, goes_on, refused};
use kt_enum::run::checkpoint::peek;
use std::process::{Command, Output};
use std::time::SystemTime;

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
    assert!(later.saved < header.saved && later.found >= header.found);
    goes_on(&machine, JOB);
}

#[test]
fn a_memory_bound_too_small_for_any_table_leaves_the_count_exact() {
    let machine = Machine::new();
    for memory in ["0", "1", "1K", "64K"] {
        let count = format!("--size 6 --engine walk --no-checkpoint --memory {memory}");
        assert_eq!(machine.json(&count)["directed"], "6637920", "{memory}");
    }
}

#[test]
fn a_table_larger_than_the_memory_bound_is_refused_with_what_would_fit() {
    let machine = Machine::new();
    for (options, words) in [
        ("--memory 1M --memo 2M", ["--memory", "--memo"]),
        ("--memory 1K --memo 1K --threads 2", ["2 threads", "512"]),
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
        refused(&machine, &format!("--size 5 --memo {memo}"), 1, &["--memo"]);
    }
}
