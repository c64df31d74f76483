//! The fault harness: after a failure from outside, a count ends with the exact result or is
//! refused with a clear message.
//!
//! `tests/golden/faults.tsv` lists every fault with the tests that show the response. After each
//! fault there is the exact count or the promised exit code and no panic, and a refused file is
//! kept byte for byte. Tests that need a separate file system mount a small one, as root.
#![allow(clippy::unwrap_used, missing_docs)]

mod bounds;
mod checkpoints;
mod cluster;
#[path = "../common/mod.rs"]
mod common;
mod disk;
mod environment;
mod frontier;
mod fuzz;
mod hostile;
mod injected;
mod kills;
mod parts;
mod prepared;
mod resume;
mod shards;
mod sizes;
mod strangers;
mod synced;

use common::{Machine, text};
use kt_enum::units::Units;
use kt_enum_runs::units::merge::MergeError;
use std::fs;
use std::path::{Path, PathBuf};

/// A job of a second or two on one thread that is saved as often as possible. Its units are small,
/// so that every save contains more than the one before.
const JOB: &str =
    "--rows 5 --cols 8 --memo off --threads 1 --split-depth 4 --checkpoint-interval 0";
const DIRECTED: &str = "36122108";

/// Runs a command, checks its exit code, and checks that its message contains all of these words.
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

/// Runs a command to its end, and checks that it resumed from a checkpoint and that the count is
/// right.
fn resumes(machine: &Machine, arguments: &str) {
    let output = machine.kt(&format!("{arguments} --json")).output().unwrap();
    let said = text(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("resumed from"), "{said}");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["directed"], DIRECTED);
}

/// Returns the files in a folder, sorted by name, with their bytes.
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

/// A file of units without its history, which says when it was counted, and its checksum.
fn lasting(bytes: &[u8]) -> Vec<u8> {
    let is_lasting = |line: &&str| !["# history", "# sha256"].iter().any(|it| line.starts_with(it));
    let lines = common::text(bytes);
    lines.lines().filter(is_lasting).flat_map(|line| [line, "\n"].concat().into_bytes()).collect()
}

/// The units of the whole run that the files of some parts make.
fn merge(parts: &[PathBuf]) -> Result<Units, MergeError> {
    Units::merge(parts.iter().map(|path| Ok((path.clone(), Units::read(path)?))))
}
