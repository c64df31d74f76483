//! Stopped, killed and resumed: the count is the same.
//!
//! `scripts/kill-test` does the same for minutes.

use crate::common::{Machine, signal, text};
use fastrand::Rng;
use std::process::Stdio;
use std::time::{Duration, Instant};

const JOB: &str = "--rows 6 --cols 7 --memo off";
const JOB_BOARD: &str = "--rows 6 --cols 7";
const DIRECTED: &str = "779938932";

fn pause(milliseconds: u64) {
    std::thread::sleep(Duration::from_millis(milliseconds));
}

#[test]
fn a_count_killed_ten_times_ends_with_the_right_number_and_says_what_it_kept() {
    let machine = Machine::new();
    let job = format!("{JOB} --threads 2 --checkpoint-interval 0.4");
    let mut random = Rng::with_seed(7);
    let mut kept = 0;
    let mut kills = 0;
    while kills < 10 {
        let child = machine.start(&job);
        pause(random.u64(600..1_100));
        signal(&child, "KILL");
        let output = child.wait_with_output().unwrap();
        if output.status.success() {
            break;
        }
        assert_eq!(output.status.code(), None);
        let said = text(&output.stderr);
        assert_eq!(said.contains("are kept"), kills > 0, "{said}");
        let status = machine
            .kt(&format!("status {JOB_BOARD} --json"))
            .output()
            .unwrap();
        let status: serde_json::Value = serde_json::from_slice(&status.stdout).unwrap();
        let found: u64 = status["found"].as_str().unwrap().parse().unwrap();
        assert!(
            found > kept,
            "kill {kills}: nothing was kept since the last"
        );
        assert_eq!(status["live"], false);
        kept = found;
        kills += 1;
    }
    assert_eq!(machine.json(&job)["directed"], DIRECTED);
    assert_eq!(
        machine.files(),
        Vec::<String>::new(),
        "the checkpoint is removed on success"
    );
}

#[test]
fn each_signal_stops_within_a_second_with_its_code_and_the_state_saved() {
    let machine = Machine::new();
    for (name, code) in [
        ("INT", 130),
        ("TERM", 75),
        ("USR2", 75),
        ("HUP", 75),
        ("INT", 130),
    ] {
        let child = machine.start(&format!("{JOB} --split-depth 0"));
        pause(400);
        let asked = Instant::now();
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        let took = asked.elapsed();
        assert_eq!(
            output.status.code(),
            Some(code),
            "{name}: {}",
            text(&output.stderr)
        );
        assert!(text(&output.stderr).contains("type the same command"));
        assert!(took < Duration::from_secs(1), "{name} took {took:?}");
    }
    let json = machine.json(JOB);
    assert_eq!(json["directed"], DIRECTED);
    assert_eq!(
        json["split_depth"], 0,
        "a resumed run keeps the depth it was begun with"
    );
}

#[test]
fn hangup_is_ignored_under_nohup() {
    let machine = Machine::new();
    let mut child = std::process::Command::new("nohup")
        .arg(assert_cmd::cargo::cargo_bin("kt-enum"))
        .args(JOB.split(' '))
        .env("XDG_STATE_HOME", machine.folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    pause(400);
    signal(&child, "HUP");
    pause(600);
    assert!(
        child.try_wait().unwrap().is_none(),
        "it was ended by the hangup"
    );
    signal(&child, "TERM");
    assert_eq!(child.wait().unwrap().code(), Some(75));
}

#[test]
fn a_second_interrupt_leaves_at_once_and_the_checkpoint_is_valid() {
    let machine = Machine::new();
    let child = machine.start(&format!("{JOB} --checkpoint-interval 0.4"));
    machine.wait_for("open-6x7.kt");
    signal(&child, "INT");
    signal(&child, "INT");
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130));
    machine
        .kt(&format!("status {JOB_BOARD}"))
        .assert()
        .success();
}

#[test]
fn max_time_stops_and_the_same_command_goes_on() {
    let machine = Machine::new();
    let job = format!("{JOB} --max-time 3");
    let mut codes = Vec::new();
    loop {
        let output = machine.kt(&format!("{job} -q")).output().unwrap();
        codes.push(output.status.code().unwrap());
        match output.status.code() {
            Some(75) => assert!(codes.len() < 100),
            Some(0) => {
                assert_eq!(text(&output.stdout), format!("{DIRECTED}\n"));
                break;
            }
            other => panic!("{other:?}: {}", text(&output.stderr)),
        }
    }
    assert!(codes.len() > 1);
}

#[test]
fn a_run_resumed_with_other_threads_and_memo_has_the_fingerprint_of_one_that_was_not_stopped() {
    let machine = Machine::new();
    let board = "--rows 5 --cols 8 --split-depth 2";
    let whole = machine.json(&format!("{board} --no-checkpoint"));
    machine
        .kt(&format!("{board} --threads 1 --memo off --max-time 0.2"))
        .assert()
        .code(75);
    machine
        .kt(&format!("{board} --threads 5 --memo 64K --max-time 0.1"))
        .assert()
        .code(75);
    let resumed = machine.json(&format!("{board} --threads 2"));
    assert_eq!(resumed["directed"], "36122108");
    assert_eq!(resumed["fingerprint"], whole["fingerprint"]);
    assert_ne!(
        resumed["nodes"], whole["nodes"],
        "what was done before is not done again"
    );
}
