//! What a run tells while it goes on, and what `status` tells of it.

use crate::common::{Machine, signal, text};
use serde_json::Value;
use std::process::Command;
use std::time::Duration;

const JOB: &str = "--rows 5 --cols 10 --memo off";

fn status(machine: &Machine, arguments: &str) -> Value {
    let output = machine
        .kt(&format!("status {arguments} --json"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn status_reads_a_live_run_and_a_stopped_one() {
    let machine = Machine::new();
    let mut child = machine.start(&format!("{JOB} --checkpoint-interval 0.5"));
    machine.wait_for("open-5x10.kt");
    let live = status(&machine, "--rows 5 --cols 10");
    assert_eq!(live["live"], true);
    let holder = live["holder"].as_str().unwrap();
    assert!(
        holder.starts_with(&format!("pid {} on ", child.id())),
        "{holder}"
    );
    assert_eq!(
        (&live["rows"], &live["cols"], &live["tours"]),
        (&5.into(), &10.into(), &"open".into())
    );
    let percent = live["percent"].as_f64().unwrap();
    assert!(percent > 0.0 && percent < 100.0, "{percent}");
    assert!(live["left_s"].as_f64().unwrap() > 0.0);
    assert!(
        child.try_wait().unwrap().is_none(),
        "status does not disturb the run"
    );

    signal(&child, "TERM");
    assert_eq!(child.wait().unwrap().code(), Some(75));
    let stopped = status(&machine, "");
    assert_eq!(stopped["live"], false);
    assert!(stopped["percent"].as_f64().unwrap() >= percent);
    let said = text(&machine.kt("status").output().unwrap().stdout);
    for words in [
        "open tours of 5x10",
        "% of the work",
        "units done",
        "not running",
        "left",
    ] {
        assert!(said.contains(words), "{said}");
    }
    assert_eq!(
        machine.files(),
        ["open-5x10.kt", "open-5x10.kt.previous"],
        "status changes nothing"
    );
}

#[test]
fn a_redirected_log_gets_full_lines_and_an_answer_to_usr1() {
    let machine = Machine::new();
    let child = machine.start(JOB);
    std::thread::sleep(Duration::from_millis(1_500));
    signal(&child, "USR1");
    std::thread::sleep(Duration::from_millis(1_000));
    signal(&child, "TERM");
    let said = text(&child.wait_with_output().unwrap().stderr);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 4, "{said}");
    let announced = "kt-enum: walk: 5x10 open, about ";
    assert!(
        lines[0].starts_with(announced) && lines[0].contains(" threads"),
        "{said}"
    );
    for line in &lines[1..3] {
        assert!(line.starts_with("kt-enum: open tours of 5x10: "), "{said}");
        assert!(line.contains(" % ") || line.contains(" %,"), "{said}");
    }
    assert!(!said.contains('\r') && !said.contains('\u{1b}'), "{said}");
}

#[test]
fn progress_comes_as_json_lines_on_request() {
    let machine = Machine::new();
    let output = machine
        .kt(&format!("{JOB} --progress json --max-time 2.5"))
        .output()
        .unwrap();
    let said = text(&output.stderr);
    let mut shares = Vec::new();
    for line in said.lines().filter(|line| line.starts_with('{')) {
        let value: Value = serde_json::from_str(line).unwrap();
        if value["event"] == "progress" {
            shares.push(value["percent"].as_f64().unwrap());
        }
    }
    assert!(shares.len() >= 2, "{said}");
    assert!(shares.is_sorted(), "{said}");
}

/// Some seconds before its units.
const JOB_IN_ROUNDS: &str = "--size 8 --tours closed --engine frontier --threads 1";

#[test]
fn a_run_before_its_units_says_in_which_round_it_is() {
    let machine = Machine::new();
    let child = machine.start(&format!("{JOB_IN_ROUNDS} --checkpoint-interval 0.2"));
    machine.wait_for("closed-8x8.kt");
    let live = status(&machine, "--size 8 --tours closed");
    assert_eq!(live["live"], true);
    assert_eq!(
        (&live["engine"], &live["done"]),
        (&"frontier".into(), &0.into())
    );
    assert_eq!(live["cut"].as_str().unwrap().split(':').count(), 3);
    let building = |key: &str| live["building"][key].as_u64().unwrap();
    assert!(building("round") < building("rounds"));
    assert!(building("slices") <= building("slices_of"));
    assert!(building("states") > 0 && building("bytes") > 0 && building("most_states") > 0);
    signal(&child, "USR1");
    std::thread::sleep(Duration::from_millis(500));
    signal(&child, "TERM");
    let ended = child.wait_with_output().unwrap();
    let said = text(&ended.stderr);
    assert_eq!(ended.status.code(), Some(75), "{said}");
    let in_rounds =
        |line: &&str| line.contains("before its units: round ") && line.contains(" states in ");
    assert!(said.lines().filter(in_rounds).count() >= 2, "{said}");
    let said = text(&machine.kt("status").output().unwrap().stdout);
    for words in [
        "closed tours of 8x8",
        "--engine frontier --cut ",
        "before its units: round ",
    ] {
        assert!(said.contains(words), "{said}");
    }
    let again = machine
        .kt(&format!("{JOB_IN_ROUNDS} --max-time 0.1"))
        .output()
        .unwrap();
    let said = text(&again.stderr);
    assert_eq!(again.status.code(), Some(75), "{said}");
    assert!(
        said.contains("resumed from") && said.contains(": before its units: round "),
        "{said}"
    );
}

#[test]
fn progress_as_json_lines_has_the_rounds_before_the_units() {
    let machine = Machine::new();
    let output = machine
        .kt(&format!("{JOB_IN_ROUNDS} --progress json --max-time 2.5"))
        .output()
        .unwrap();
    let said = text(&output.stderr);
    let lines = said.lines().filter(|line| line.starts_with('{'));
    let values: Vec<Value> = lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let building: Vec<(u64, u64)> = values
        .iter()
        .filter(|value| value["event"] == "progress" && !value["building"].is_null())
        .map(|value| {
            let of = |key: &str| value["building"][key].as_u64().unwrap();
            (of("round"), of("slices"))
        })
        .collect();
    assert!(!building.is_empty(), "{said}");
    assert!(building.is_sorted(), "{said}");
}

#[test]
fn progress_none_says_nothing() {
    let machine = Machine::new();
    let output = machine
        .kt("--rows 5 --cols 8 --memo off --progress none")
        .output()
        .unwrap();
    assert_eq!(text(&output.stderr), "");
}

/// `script`, of util-linux, is a terminal; where it is missing the test says so.
#[test]
fn on_a_terminal_there_is_a_bar() {
    let program = assert_cmd::cargo::cargo_bin("kt-enum");
    let line = format!("{} --size 6 --no-checkpoint", program.display());
    match Command::new("script")
        .args(["-qec", &line, "/dev/null"])
        .env("TERM", "xterm")
        .output()
    {
        Ok(output) => {
            let said = text(&output.stdout);
            for words in [
                "[====",
                "100.0 %",
                "1,166 of 1,166 units",
                "6,637,920 directed open tours",
            ] {
                assert!(said.contains(words), "{said}");
            }
        }
        Err(error) => eprintln!("not tested, no terminal to be had from `script`: {error}"),
    }
}

#[test]
fn completions_and_the_man_page_come_from_the_flags() {
    let machine = Machine::new();
    for shell in ["bash", "zsh", "fish"] {
        let said = text(
            &machine
                .kt(&format!("completions {shell}"))
                .output()
                .unwrap()
                .stdout,
        );
        assert!(
            said.contains("split-depth") && said.contains("max-time"),
            "{shell}"
        );
    }
    let page = text(&machine.kt("man").output().unwrap().stdout);
    for words in [
        ".TH kt-enum",
        "split\\-depth",
        "EXIT STATUS",
        "SIGNALS",
        "status",
    ] {
        assert!(page.contains(words), "{words}");
    }
}
