//! Saved bytes are on disk before anything relies on them, so that a power failure costs no more
//! than a kill does.
//!
//! No test can switch the power off. The shim writes down the order of the writes, syncs and
//! renames of a count, and the test reads it: bytes that are written and not synced may be lost.

use crate::common::{Machine, text};
use crate::injected::shim;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A call of a run, with the path of its file; of a rename the new one.
struct Call {
    name: String,
    path: String,
}

impl Call {
    /// The name of the file without the folders.
    fn file(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    /// The name of the file under which a new version is written; `None` if it is not a new
    /// version.
    fn target(&self) -> Option<&str> {
        self.file().split_once(".new-").map(|(target, _)| target)
    }
}

/// Runs a command, whose checkpoint is in the state folder, and returns its calls in order; `None`
/// where there is no shim.
fn calls(arguments: &str) -> Option<Vec<Call>> {
    let (shim, machine) = (shim()?, Machine::new());
    let trace = tempfile::NamedTempFile::new().unwrap();
    let output = Command::new(assert_cmd::cargo::cargo_bin("kt-enum"))
        .args(arguments.split_whitespace())
        .env("XDG_STATE_HOME", machine.folder.path())
        .env("LD_PRELOAD", shim)
        .env("FAULT_FOLDER", machine.folder.path())
        .env("FAULT_TRACE", trace.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let call = |line: &str| {
        let (name, path) = line.split_once(' ').unwrap();
        Call { name: name.to_owned(), path: path.to_owned() }
    };
    Some(fs::read_to_string(trace.path()).unwrap().lines().map(call).collect())
}

/// Checks that a file was replaced several times, each time by a new version that was synced
/// before, and that its folder was synced before the next version was begun. Returns the number of
/// times.
fn check_replacements(calls: &[Call], file: &str) -> usize {
    let (mut is_synced, mut replacements) = (false, 0);
    // The folder of the file, from the moment it was replaced until the folder is synced.
    let mut folder: Option<&Path> = None;
    for call in calls {
        match call.name.as_str() {
            "write" if call.target() == Some(file) => {
                assert_eq!(folder, None, "{file} was replaced, and its folder not synced");
                is_synced = false;
            }
            "sync" if call.target() == Some(file) => is_synced = true,
            "sync" if Some(Path::new(&call.path)) == folder => folder = None,
            "rename" if call.file() == file => {
                assert!(is_synced, "{file} was replaced by a version that was not synced");
                (folder, replacements) = (Path::new(&call.path).parent(), replacements + 1);
            }
            _ => {}
        }
    }
    replacements
}

#[test]
fn a_checkpoint_is_synced_before_it_replaces_the_one_before() {
    let job = "--size 6 --engine walk --memo off --threads 1 --checkpoint-interval 0";
    let Some(calls) = calls(job) else { return };
    let replacements = check_replacements(&calls, "open-6x6.kt");
    assert!(replacements > 1, "{replacements} checkpoints");
}

#[test]
fn layers_are_synced_before_an_index_lists_them() {
    let job = "--size 5x10 --threads 1 --memory 256M --disk 1G --checkpoint-interval 0";
    let Some(calls) = calls(job) else { return };
    // With so much memory a layer is written when it is saved, and at no other time.
    let is_layer = |call: &Call| call.file().starts_with(|first: char| first.is_ascii_digit());
    let (mut unsynced, mut synced) = (BTreeSet::new(), BTreeSet::new());
    for call in &calls {
        match call.name.as_str() {
            "write" if is_layer(call) => drop(unsynced.insert(call.file())),
            "sync" if unsynced.remove(call.file()) => drop(synced.insert(call.file())),
            "write" if call.target() == Some("index") => {
                assert!(unsynced.is_empty(), "{unsynced:?} are listed and not synced");
            }
            _ => {}
        }
    }
    assert!(synced.len() > 1, "the layers {synced:?}");
    let replacements = check_replacements(&calls, "index");
    assert!(replacements > 1, "{replacements} indexes");
}
