//! The states that all shards of a count need, prepared once in their folder: stopped, damaged, or
//! belonging to another count.

use crate::common::{Machine, text};
use crate::refused;
use std::fs;
use std::path::PathBuf;

/// A question that takes half a second of one core.
const QUESTION: &str = "--rows 7 --cols 8 --tours closed";
const DIRECTED: &str = "69048864632";

/// Returns a folder for shards.
fn parts(machine: &Machine) -> PathBuf {
    machine.folder.path().join("parts")
}

fn prepare(machine: &Machine, question: &str) {
    let out = parts(machine);
    let job = format!("prepare {question} --out {}", out.display());
    machine.kt(&job).assert().success();
}

fn shard(machine: &Machine, shard: &str, question: &str) -> assert_cmd::Command {
    let out = parts(machine);
    machine.kt(&format!("shard {shard} {question} --out {}", out.display()))
}

/// Returns the file with the states of a sweep after its last round.
fn layer(machine: &Machine) -> PathBuf {
    let folder = parts(machine).join("prepared.kt.states");
    let largest = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let layers = largest.filter(|path| !path.ends_with("index"));
    layers.max_by_key(|path| fs::metadata(path).unwrap().len()).unwrap()
}

#[test]
fn shards_read_what_was_prepared_and_have_the_fingerprint_of_one_process() {
    let machine = Machine::new();
    prepare(&machine, QUESTION);
    let before = fs::metadata(layer(&machine)).unwrap().modified().unwrap();
    let mut states = 0;
    for index in 0..3 {
        let output =
            shard(&machine, &format!("{index}/3"), QUESTION).arg("--json").output().unwrap();
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        states += answer["nodes"].as_str().unwrap().parse::<u64>().unwrap();
    }
    let whole = machine.json(&format!("{QUESTION} --no-checkpoint"));
    let merged = machine.json(&format!("merge {}", parts(&machine).display()));
    assert_eq!(merged["directed"], DIRECTED);
    assert_eq!(merged["fingerprint"], whole["fingerprint"]);
    // The shards processed only the states of the units, and left the prepared states unchanged.
    let all: u64 = whole["nodes"].as_str().unwrap().parse().unwrap();
    assert!(states < all, "{states} of {all}");
    let after = fs::metadata(layer(&machine)).unwrap().modified().unwrap();
    assert_eq!(after, before);
}

#[test]
fn a_stopped_preparation_resumes_and_shards_make_their_own_states_until_it_is_done() {
    let machine = Machine::new();
    let out = parts(&machine);
    let job = format!("prepare {QUESTION} --out {} --max-time 0.01", out.display());
    machine.kt(&job).assert().code(75);
    shard(&machine, "0/2", QUESTION).assert().success();
    prepare(&machine, QUESTION);
    // The states are present, so nothing is recomputed.
    prepare(&machine, QUESTION);
    shard(&machine, "1/2", QUESTION).assert().success();
    let merged = machine.json(&format!("merge {}", out.display()));
    assert_eq!(merged["directed"], DIRECTED);
}

#[test]
fn what_a_killed_preparation_has_left_is_not_another_count() {
    let machine = Machine::new();
    let folder = parts(&machine).join("prepared.kt.states");
    let job = format!("prepare {QUESTION} --out {}", parts(&machine).display());
    let stopping = format!("{job} --fresh --max-time 0s --checkpoint-interval 0");
    machine.kt(&stopping).assert().code(75);
    // The states that it had written before it was killed, without an index of them.
    fs::remove_file(folder.join("index")).unwrap();
    fs::remove_file(parts(&machine).join("prepared.kt")).unwrap();
    fs::write(folder.join("0-1"), "states").unwrap();
    prepare(&machine, QUESTION);
    // An index without the checkpoint that names its progress.
    machine.kt(&stopping).assert().code(75);
    fs::remove_file(parts(&machine).join("prepared.kt")).unwrap();
    assert!(folder.join("index").exists());
    prepare(&machine, QUESTION);
    for index in 0..2 {
        shard(&machine, &format!("{index}/2"), QUESTION).assert().success();
    }
    let merged = machine.json(&format!("merge {}", parts(&machine).display()));
    assert_eq!(merged["directed"], DIRECTED);
}

#[test]
fn what_was_prepared_and_is_damaged_is_refused_by_name_and_left_to_be_removed() {
    let machine = Machine::new();
    prepare(&machine, QUESTION);
    let path = layer(&machine);
    let sound = fs::read(&path).unwrap();
    for damaged in [sound[..sound.len() / 2].to_vec(), sound.iter().map(|byte| byte ^ 1).collect()]
    {
        fs::write(&path, &damaged).unwrap();
        let output = shard(&machine, "0/2", QUESTION).output().unwrap();
        assert_eq!(output.status.code(), Some(65));
        let said = text(&output.stderr);
        assert!(said.contains(&path.display().to_string()), "{said}");
        assert_eq!(fs::read(&path).unwrap(), damaged);
    }
    fs::remove_dir_all(path.parent().unwrap()).unwrap();
    for index in 0..2 {
        shard(&machine, &format!("{index}/2"), QUESTION).assert().success();
    }
    let merged = machine.json(&format!("merge {}", parts(&machine).display()));
    assert_eq!(merged["directed"], DIRECTED);
}

#[test]
fn what_was_prepared_for_another_count_is_not_used() {
    let machine = Machine::new();
    prepare(&machine, "--rows 6 --cols 8 --tours closed --engine frontier");
    for index in 0..2 {
        shard(&machine, &format!("{index}/2"), QUESTION).assert().success();
    }
    let merged = machine.json(&format!("merge {}", parts(&machine).display()));
    assert_eq!(merged["directed"], DIRECTED);
}

#[test]
fn what_was_prepared_is_not_replaced_by_what_another_count_needs() {
    let machine = Machine::new();
    prepare(&machine, &format!("{QUESTION} --checkpoint-interval 0"));
    let bytes = || fs::read(layer(&machine)).unwrap();
    let before = bytes();
    let out = parts(&machine);
    assert!(!out.join("prepared.kt").exists(), "nothing remains to be resumed");
    for other in ["--rows 6 --cols 8", &format!("{QUESTION} --cut 21:6")] {
        let job = format!("prepare {other} --out {}", out.display());
        refused(&machine, &job, 2, &["another count", "--out", "--fresh"]);
        assert!(bytes() == before, "{other}");
    }
    prepare(&machine, QUESTION);
    prepare(&machine, "--rows 6 --cols 8 --fresh");
    assert!(bytes() != before);
}

#[test]
fn an_engine_whose_units_need_nothing_has_nothing_to_prepare() {
    let machine = Machine::new();
    let out = parts(&machine);
    let job = format!("prepare --size 5 --out {}", out.display());
    let output = machine.kt(&job).output().unwrap();
    assert!(output.status.success());
    assert!(text(&output.stderr).contains("nothing precedes the units of --engine walk"));
    let classes = format!("prepare {QUESTION} --classes --out {}", out.display());
    machine.kt(&classes).assert().code(2);
}
