//! The floors of the house: imports run down only, and engines know neither clock nor terminal.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fs;
use std::path::{Path, PathBuf};

/// The rooms from the ground up; those on one floor do not know each other.
const FLOORS: &[&[&str]] = &[
    &["board"],
    &["question", "tally", "tour"],
    &["rounds"],
    &["work", "plain", "cursor"],
    &["walk", "frontier", "classes"],
    &["edges", "find", "draw"],
    &["engine"],
    &["run"],
];

/// What engines and everything below them must not use.
const NOT_IN_ENGINES: &[&str] = &[
    "clap",
    "indicatif",
    "anyhow",
    "println!",
    "print!",
    "std::time",
    "Instant",
    "signal_hook",
    "std::fs",
    "std::io",
    "std::env",
    "bincode",
    "rayon",
    "crossbeam",
];

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files.extend(rust_files(&path)),
            false => files.push(path),
        }
    }
    files
}

/// Each file of the library with its room and its code, without comments and tests.
fn library() -> Vec<(PathBuf, String, String)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let room = |path: &Path| {
        let first = path
            .strip_prefix(&src)
            .unwrap()
            .components()
            .next()
            .unwrap();
        first
            .as_os_str()
            .to_string_lossy()
            .trim_end_matches(".rs")
            .to_owned()
    };
    let files = rust_files(&src).into_iter().filter(|path| {
        !["main", "lib", "cli"].contains(&room(path).as_str()) && !path.ends_with("tests.rs")
    });
    let code = |path: &Path| {
        let text = fs::read_to_string(path).unwrap();
        let lines = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        lines.collect::<Vec<_>>().join("\n")
    };
    files
        .map(|path| (path.clone(), room(&path), code(&path)))
        .collect()
}

fn floor(room: &str) -> usize {
    let found = FLOORS.iter().position(|rooms| rooms.contains(&room));
    found.unwrap_or_else(|| panic!("{room} is on no floor: add it to the plan"))
}

#[test]
fn imports_run_down_the_floors_only() {
    let files = library();
    assert!(files.len() > 20);
    for (path, room, code) in files {
        for import in code.split("crate::").skip(1) {
            let other: String = import
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect();
            if other != room {
                assert!(
                    floor(&other) < floor(&room),
                    "{} imports {other} from above or beside",
                    path.display()
                );
            }
        }
    }
}

#[test]
fn engines_have_no_clock_terminal_signal_or_file() {
    for (path, room, code) in library() {
        if floor(&room) < floor("run") {
            for word in NOT_IN_ENGINES {
                assert!(!code.contains(word), "{} uses {word}", path.display());
            }
        }
    }
}

#[test]
fn one_file_knows_bincode_and_one_knows_indicatif() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (word, home) in [
        ("bincode::", "run/checkpoint/codec.rs"),
        ("indicatif::", "cli/progress.rs"),
    ] {
        let knows = rust_files(&src)
            .into_iter()
            .filter(|path| fs::read_to_string(path).unwrap().contains(word));
        assert_eq!(knows.collect::<Vec<_>>(), [src.join(home)]);
    }
}
