//! The fault harness: whatever goes wrong from outside, a count ends exactly or is refused clearly.
//!
//! `docs/faults.md` lists every fault with the test that shows what becomes of it. After each of them:
//! the exact count or the promised exit code, no panic, and what is refused is kept byte for byte.
//! Those that need a file system of their own mount a small one, as root.
#![allow(clippy::unwrap_used, missing_docs)]

mod checkpoints;
mod cluster;
#[path = "../common/mod.rs"]
mod common;
mod disk;
mod environment;
mod frontier;
mod fuzz;
mod kills;
mod parts;
mod prepared;
mod resume;
mod shards;

use common::{Machine, text};
use std::fs;
use std::path::Path;

/// A second or two on one thread, saved as often as can be: its units are small, so that every save has
/// more than the one before.
const JOB: &str =
    "--rows 5 --cols 8 --memo off --threads 1 --split-depth 4 --checkpoint-interval 0";
const DIRECTED: &str = "36122108";

/// Runs, and checks the code and that the message has all of these words.
fn refused(machine: &Machine, arguments: &str, code: i32, words: &[&str]) -> String {
    let output = machine.kt(arguments).output().unwrap();
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments}: {message}");
    for word in words {
        assert!(message.contains(word), "{arguments}: `{word}` is not in: {message}");
    }
    assert!(!message.contains("panicked"), "{arguments}: {message}");
    message
}

/// Runs to the end, and checks that it went on from a checkpoint and that the count is right.
fn goes_on(machine: &Machine, arguments: &str) {
    let output = machine.kt(&format!("{arguments} --json")).output().unwrap();
    let said = text(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("resumed from"), "{said}");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["directed"], DIRECTED);
}

/// The files in a folder, sorted by name, with their bytes.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let mut files: Vec<(String, Vec<u8>)> = entries
        .map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, fs::read(entry.path()).unwrap())
        })
        .collect();
    files.sort();
    files
}

fn names(folder: &Path) -> Vec<String> {
    contents(folder).into_iter().map(|(name, _)| name).collect()
}
