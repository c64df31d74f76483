//! Counts by the frontier, whose states lie in a folder beside the checkpoint.

use crate::common::{Machine, text};
use crate::disk::Disk;
use crate::watched::Watched;
use crate::{goes_on, names, refused};
use kt_enum::run::checkpoint::peek;
use std::fs;
use std::path::{Path, PathBuf};

/// Saved after every round.
const JOB: &str = "--rows 5 --cols 8 --engine frontier --threads 1 --checkpoint-interval 0";

/// A job that is stopped with `saves` states saved, and its checkpoint.
fn stopped(machine: &Machine, saves: usize) -> PathBuf {
    let mut run = Watched::start(machine, JOB);
    for _ in 0..saves {
        run.hold_at("saved");
        run.let_go();
    }
    run.signal("TERM");
    let ended = run.end();
    assert_eq!(ended.status.code(), Some(75), "{}", ended.stderr);
    machine.state_folder().join("open-5x8.kt")
}

fn states(checkpoint: &Path) -> PathBuf {
    PathBuf::from(format!("{}.states", checkpoint.display()))
}

/// The largest of a checkpoint's files of states.
fn largest(checkpoint: &Path) -> PathBuf {
    let folder = states(checkpoint);
    let files = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    files
        .max_by_key(|file| file.metadata().unwrap().len())
        .unwrap()
}

#[test]
fn a_count_by_the_frontier_that_is_killed_goes_on_from_its_last_state_and_leaves_nothing() {
    let machine = Machine::new();
    for saves in [1, 4, 7, 2] {
        let mut run = Watched::start(&machine, JOB);
        for _ in 0..saves {
            run.hold_at("saved");
            run.let_go();
        }
        run.hold_at("saved");
        run.signal("KILL");
        run.end();
    }
    goes_on(&machine, JOB);
    assert_eq!(machine.files(), [""; 0]);
}

#[test]
fn a_count_by_the_frontier_saves_and_stops_on_signals_and_after_a_time() {
    let machine = Machine::new();
    for (name, code) in [("TERM", 75), ("INT", 130), ("USR2", 75)] {
        let mut run = Watched::start(&machine, JOB);
        run.hold_at("saved");
        run.signal(name);
        run.let_go();
        assert_eq!(run.end().status.code(), Some(code), "{name}");
    }
    refused(
        &machine,
        &format!("{JOB} --max-time 0"),
        75,
        &["steps done", "saved in", "type the same"],
    );
    goes_on(&machine, JOB);
}

#[test]
fn damaged_or_missing_states_are_refused_by_name_and_kept_byte_for_byte() {
    let machine = Machine::new();
    let checkpoint = stopped(&machine, 15);
    let file = largest(&checkpoint);
    let whole = fs::read(&file).unwrap();
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 16;
    let name = file.file_name().unwrap().to_str().unwrap();
    for damaged in [&flipped[..], &whole[..whole.len() - 1], &[]] {
        fs::write(&file, damaged).unwrap();
        refused(&machine, JOB, 65, &[name, "bytes", "--fresh"]);
        assert_eq!(fs::read(&file).unwrap(), damaged);
    }
    fs::remove_file(&file).unwrap();
    refused(&machine, JOB, 65, &[name, "missing"]);
    fs::write(&file, whole).unwrap();
    goes_on(&machine, JOB);
}

#[test]
fn the_state_before_the_last_one_can_be_gone_on_from_when_that_is_damaged() {
    let machine = Machine::new();
    let checkpoint = stopped(&machine, 15);
    fs::write(&checkpoint, b"KT-ENUM\n").unwrap();
    refused(&machine, JOB, 65, &["open-5x8.kt", ".previous"]);
    let previous = format!("{}.previous", checkpoint.display());
    fs::rename(previous, &checkpoint).unwrap();
    goes_on(&machine, JOB);
}

#[test]
fn a_count_by_the_frontier_and_one_by_the_walk_do_not_take_each_other_s_checkpoint() {
    let machine = Machine::new();
    let checkpoint = stopped(&machine, 5);
    let before = fs::read(&checkpoint).unwrap();
    let walk = "--rows 5 --cols 8 --engine walk";
    refused(
        &machine,
        walk,
        2,
        &["--engine frontier", "--engine walk", "--fresh"],
    );
    assert_eq!(fs::read(&checkpoint).unwrap(), before);
    // Who names no engine goes on with the one that was begun.
    goes_on(&machine, "--rows 5 --cols 8");

    let mut run = Watched::start(&machine, crate::JOB);
    run.hold_at("saved");
    run.signal("TERM");
    run.let_go();
    run.end();
    refused(
        &machine,
        JOB,
        2,
        &["--engine frontier", "--engine walk", "--fresh"],
    );
    machine.kt(&format!("{JOB} --fresh")).assert().success();
    assert_eq!(machine.files(), [""; 0]);
}

#[test]
fn a_count_by_start_is_killed_goes_on_and_does_not_take_the_checkpoint_of_a_plain_one() {
    let machine = Machine::new();
    let checkpoint = stopped(&machine, 5);
    let named = format!("{JOB} --starts --checkpoint {}", checkpoint.display());
    let words = ["--engine frontier --starts", "--fresh"];
    refused(&machine, &named, 2, &words);

    let job = format!("{JOB} --starts");
    let mut run = Watched::start(&machine, &job);
    for _ in 0..8 {
        run.hold_at("saved");
        run.let_go();
    }
    run.hold_at("saved");
    run.signal("KILL");
    run.end();
    // Who names no engine is told of it as well, and status knows both runs.
    let by_start = machine.state_folder().join("starts-open-5x8.kt");
    let plain = format!("--rows 5 --cols 8 --checkpoint {}", by_start.display());
    refused(&machine, &plain, 2, &words);
    let status = text(
        &machine
            .kt("status --rows 5 --cols 8")
            .output()
            .unwrap()
            .stdout,
    );
    assert!(
        status.contains("/open-5x8.kt") && status.contains("/starts-open-5x8.kt"),
        "{status}"
    );
    goes_on(&machine, &job);
    goes_on(&machine, JOB);
}

/// Of 50 MB of states, 5 MB when packed.
const LARGE_JOB: &str =
    "--rows 6 --cols 7 --engine frontier --checkpoint-interval 0.1 --memory 12M";
const DIRECTED_OF_LARGE: &str = "779938932";

fn large_goes_on(machine: &Machine, job: &str) {
    let output = machine.kt(&format!("{job} --quiet")).output().unwrap();
    let said = text(&output.stderr);
    assert!(said.contains("resumed from"), "{said}");
    assert_eq!(
        text(&output.stdout),
        format!("{DIRECTED_OF_LARGE}\n"),
        "{said}"
    );
}

#[test]
fn a_disk_that_fills_under_states_that_need_it_ends_the_count_with_what_was_saved_and_it_goes_on() {
    let Some(disk) = Disk::of_size("a disk that fills under the frontier", "4m") else {
        return;
    };
    let machine = Machine::new();
    let path = disk.folder().join("run.kt");
    let job = format!("{LARGE_JOB} --checkpoint {}", path.display());
    refused(
        &machine,
        &format!("{job} --disk 1G"),
        1,
        &["No space left", "type the same command"],
    );
    assert!(peek(&path).unwrap().unwrap().done > 0);
    disk.resize("256m");
    large_goes_on(&machine, &job);
    assert_eq!(names(&disk.folder()), [""; 0]);
}

#[test]
fn bounds_that_will_not_do_are_refused_before_the_work_and_a_bound_on_disk_is_kept() {
    let machine = Machine::new();
    let count = "--rows 6 --cols 8 --engine frontier";
    let words = ["do not fit", "--memory", "--engine walk"];
    refused(&machine, &format!("{count} --memory 1M"), 1, &words);
    refused(
        &machine,
        &format!("{count} --memory 32M --disk 1M"),
        1,
        &words,
    );
    refused(
        &machine,
        &format!("{count} --memory 32M --no-checkpoint"),
        1,
        &words,
    );
    assert_eq!(machine.files(), [""; 0]);
    let bound = ["3145728 bytes on disk", "--disk", "--memory"];
    refused(&machine, &format!("{LARGE_JOB} --disk 3M"), 1, &bound);
    large_goes_on(&machine, LARGE_JOB);
    assert_eq!(machine.files(), [""; 0]);
}
