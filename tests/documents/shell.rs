//! A shell in a temporary folder, with the program on its path and an empty home.

use assert_cmd::cargo::cargo_bin;
use std::path::Path;
use std::process::{Command, Stdio};

/// The number of seconds after which a command is ended.
const LONGEST: &str = "300";

/// The shell; its folder is its home, too.
pub struct Shell {
    folder: tempfile::TempDir,
    /// The exit code of the last command.
    last: i32,
}

/// The output of a command on both streams, and its exit code.
pub struct Ran {
    pub output: String,
    pub code: i32,
}

impl Shell {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), last: 0 }
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Runs a line, in which `$?` is the exit code of the line before.
    pub fn run(&mut self, line: &str) -> Ran {
        let program = cargo_bin("kt-enum");
        let path = std::env::var("PATH").unwrap();
        let script = format!("exec 2>&1; (exit {}); {line}", self.last);
        let mut command = Command::new("timeout");
        command
            .args([LONGEST, "bash", "-o", "pipefail", "-c", &script])
            .current_dir(self.folder())
            .stdin(Stdio::null())
            .env("PATH", format!("{}:{path}", program.parent().unwrap().display()))
            .env("HOME", self.folder())
            .env_remove("XDG_STATE_HOME")
            .env("LC_ALL", "C");
        let output = command.output().unwrap();
        self.last = output.status.code().unwrap_or(-1);
        let home = self.folder().display().to_string();
        let said = String::from_utf8_lossy(&output.stdout).replace(&home, "~");
        let lines = said.split_inclusive('\n');
        Ran { output: lines.filter(|line| !is_of_a_slow_machine(line)).collect(), code: self.last }
    }
}

/// Returns true for a line of the log that only a run of more than two seconds prints.
fn is_of_a_slow_machine(line: &str) -> bool {
    line.starts_with("kt-enum: 2") && line.contains(" UTC, ") && !line.contains("resumed from")
}

/// Returns true if an output is the one that is shown. Within a shown line `...` stands for any
/// text, and a shown line of `...` alone for any number of lines.
pub fn is_shown(shown: &str, output: &str) -> bool {
    lines_match(&shown.lines().collect::<Vec<_>>(), &output.lines().collect::<Vec<_>>())
}

fn lines_match(shown: &[&str], output: &[&str]) -> bool {
    match shown.split_first() {
        None => output.is_empty(),
        Some((&"...", rest)) => {
            (0..=output.len()).any(|skipped| lines_match(rest, &output[skipped..]))
        }
        Some((line, rest)) => output
            .split_first()
            .is_some_and(|(first, others)| line_matches(line, first) && lines_match(rest, others)),
    }
}

fn line_matches(shown: &str, line: &str) -> bool {
    let Some((before, after)) = shown.split_once("...") else {
        return shown == line;
    };
    line.strip_prefix(before).is_some_and(|rest| {
        (0..=rest.len())
            .filter(|&at| rest.is_char_boundary(at))
            .any(|at| line_matches(after, &rest[at..]))
    })
}

#[test]
fn dots_stand_for_anything_and_all_else_for_itself() {
    assert!(is_shown("in ... s, 6\n...\nend\n", "in 0.3 s, 6\nx\ny\nend\n"));
    assert!(is_shown("...\nend\n", "end\n"));
    assert!(is_shown("a...c...\n", "abc\n"));
    assert!(!is_shown("in ... s, 6\n", "in 0.3 s, 7\n"));
    assert!(!is_shown("one\n", "one\ntwo\n"));
    assert!(!is_shown("one\ntwo\n", "one\n"));
    assert!(!is_shown("", "one\n"));
}
