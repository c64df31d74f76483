//! Runs that are killed without warning. `tests/faults/resume.rs` has the signals that stop a run
//! in an orderly way.

use crate::common::Machine;
use crate::common::watched::Watched;
use crate::{DIRECTED, JOB};
use fastrand::Rng;
use kt_enum::tally::Tally;
use kt_enum_runs::run::checkpoint::{Header, peek};
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

fn header(machine: &Machine, file: &str) -> Option<Header> {
    peek(&machine.state_folder().join(file)).unwrap()
}

fn number(value: &Value) -> Tally {
    value.as_str().unwrap().parse().unwrap()
}

#[test]
fn a_count_killed_at_any_moment_has_a_whole_checkpoint_no_older_than_the_last_and_ends_right() {
    let mut random = Rng::with_seed(11);
    let (mut kills, mut kept_at_kills) = (0, 0);
    while kills < 10 {
        let machine = Machine::new();
        let mut kept = Tally::ZERO;
        loop {
            let run = Watched::start(&machine, JOB);
            // The kill may come before the checkpoint is read, or during one of the saves, of which
            // there are ten per second.
            std::thread::sleep(Duration::from_micros(random.u64(0..600_000)));
            if kills >= 10 {
                run.ends_right(DIRECTED);
                break;
            }
            run.signal("KILL");
            let ended = run.end();
            if ended.status.success() {
                assert_eq!(ended.stdout, format!("{DIRECTED}\n"));
                break;
            }
            assert_eq!(ended.status.code(), None, "{}", ended.stderr);
            kills += 1;
            // The progress that was reported before a save is contained in that save.
            let mut told = Tally::ZERO;
            let mut saved = kept.clone();
            for line in ended.stderr.lines() {
                let Ok(event) = serde_json::from_str::<Value>(line) else {
                    // The run was killed while it wrote its last line.
                    assert_eq!(ended.stderr.lines().last(), Some(line));
                    break;
                };
                match event["event"].as_str().unwrap() {
                    "resumed" => assert_eq!(number(&event["found"]), kept),
                    "progress" => told = number(&event["found"]),
                    "saved" => saved = saved.max(told.clone()),
                    other => panic!("{other}: {}", ended.stderr),
                }
            }
            let found =
                header(&machine, "open-5x8.kt").map_or(Tally::ZERO, |header| header.status.found);
            assert!(found >= saved, "{found} of {saved}: {}", ended.stderr);
            kept_at_kills += u32::from(found > Tally::ZERO);
            kept = found;
        }
        let left: Vec<String> = machine.files();
        let is_half_written = |name: &String| name.contains(".new-");
        assert!(left.iter().all(is_half_written), "{left:?}");
    }
    assert!(kept_at_kills > 0);
}

#[test]
fn a_kill_costs_no_work_that_is_older_than_the_interval() {
    let machine = Machine::new();
    // There is one large unit, so that the saved work is that of an unfinished unit.
    let job = "--rows 6 --cols 7 --memo off --threads 1 --split-depth 0 --checkpoint-interval 1";
    for _ in 0..2 {
        let mut run = Watched::start(&machine, job);
        // The run reports its progress after more than a second. By then it must have saved, or it
        // saves next.
        let mut told = number(&run.wait_for("progress")["found"]);
        for _ in 0..2 {
            let mut is_saved = false;
            let found = loop {
                let event = run.next_event();
                match event["event"].as_str().unwrap() {
                    "saved" => is_saved = true,
                    "progress" => break number(&event["found"]),
                    _ => {}
                }
            };
            if !is_saved {
                assert_eq!(run.next_event()["event"], "saved");
            }
            let kept = header(&machine, "open-6x7.kt").unwrap().status.found;
            assert!(kept >= told, "{kept} of {told}");
            told = found;
        }
        run.signal("KILL");
        run.end();
        let kept = header(&machine, "open-6x7.kt").unwrap().status.found;
        assert!(kept > Tally::ZERO);
    }
}

/// Runs on different boards share the state folder, and the files of one run are not used by
/// another.
#[test]
fn what_a_killed_run_left_half_written_is_passed_over() {
    let machine = Machine::new();
    let mut run = Watched::start(&machine, JOB);
    run.wait_for("saved");
    run.signal("KILL");
    run.end();
    let folder = machine.state_folder();
    let bytes = std::fs::read(folder.join("open-5x8.kt")).unwrap();
    for (name, bytes) in [
        ("open-5x8.kt.new-elsewhere-1", &bytes[..bytes.len() / 2]),
        ("open-5x8.kt.new-elsewhere-2", b""),
        ("open-5x8.kt.lock", b"pid 1 on elsewhere\n"),
    ] {
        std::fs::write(Path::new(&folder).join(name), bytes).unwrap();
    }
    machine.kt("status").assert().success();
    crate::resumes(&machine, JOB);
}
