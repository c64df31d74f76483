//! Tools of all tests: running the program in a private state folder, and stopping a run of the
//! library.
#![allow(dead_code, clippy::unwrap_used, missing_docs)]

pub mod watched;

use assert_cmd::Command;
use kt_enum::question::Question;
use kt_enum::units::Units;
use kt_enum_engines::frontier::Frontier;
use kt_enum_engines::work::Split;
use kt_enum_runs::run::checkpoint::Store;
use kt_enum_runs::run::{self, Control, Event, Observer, Saving, Settings, Silent};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::{Arc, Once};
use std::time::{Duration, Instant};

/// An observer that stops a run at one of its saves.
pub struct StopAt(usize, Arc<Control>);

impl Observer for StopAt {
    fn notice(&mut self, event: &Event) {
        if let Event::Saved(_) = event {
            match self.0.checked_sub(1) {
                Some(left) => self.0 = left,
                None => self.1.stop(),
            }
        }
    }
}

/// Returns settings that save a run at every tick, and an observer that stops the run at a given
/// save.
pub fn stopping_at(save: usize, checkpoint: &Path, threads: usize) -> (Settings, StopAt) {
    let saving = Saving { interval: Duration::ZERO, ..Store::hold(checkpoint).unwrap().into() };
    let settings = Settings { saving, ..Settings::on_threads(threads) };
    let observer = StopAt(save, Arc::clone(&settings.control));
    (settings, observer)
}

/// Counts by the frontier and returns the units.
pub fn by_frontier(question: &Question, split: Option<Split>) -> Units {
    let work = Frontier::new(question.clone(), split).unwrap();
    let settings = Settings::on_threads(2);
    run::count(&work, settings, &mut Silent).unwrap().units
}

/// A private environment for the program: a state folder that no other test uses.
pub struct Machine {
    pub folder: tempfile::TempDir,
}

/// Gives the programs that a test starts the default response to signals, however the tests
/// themselves were started.
///
/// A signal that is ignored when a process starts stays ignored in its children: `nohup` ignores
/// HUP this way, and a script ignores INT for commands that it starts with `&`. A signal with a
/// handler returns to the default response in a new program, so a handler that does nothing is
/// enough, and the tests themselves still ignore the signal. Systems without `/proc` do not show
/// the ignored signals; there the tests have to be started without `nohup`.
fn reset_ignored_signals() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2};
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
        for number in [SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2] {
            if mask >> (number - 1) & 1 == 1 {
                signal_hook::flag::register(number, Arc::default()).unwrap();
            }
        }
    });
}

impl Machine {
    pub fn new() -> Self {
        reset_ignored_signals();
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// Returns the program with these arguments, which are separated by blanks.
    pub fn kt(&self, arguments: &str) -> Command {
        let mut command = Command::cargo_bin("kt-enum").unwrap();
        command.env("XDG_STATE_HOME", self.folder.path());
        command.args(arguments.split_whitespace());
        command
    }

    /// Runs the program, which has to succeed, and returns the JSON object that it prints.
    pub fn json(&self, arguments: &str) -> Value {
        let output = self.kt(&format!("{arguments} --json")).output().unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments}: {complaint}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Starts the program and returns while it runs.
    pub fn start(&self, arguments: &str) -> Child {
        self.start_with(Stdio::null(), arguments)
    }

    /// Starts the program with this standard input and returns while it runs.
    pub fn start_with(&self, stdin: Stdio, arguments: &str) -> Child {
        std::process::Command::new(assert_cmd::cargo::cargo_bin("kt-enum"))
            .env("XDG_STATE_HOME", self.folder.path())
            .args(arguments.split_whitespace())
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    /// Runs a command with a short `--max-time` again and again until it ends by itself, and
    /// returns the output of the last run.
    pub fn stopped_over_and_over(&self, job: &str) -> Vec<u8> {
        for stops in 0.. {
            // The first run has no time, so that it is stopped. Each further run has more time, so
            // that the slowest machine finishes.
            let most = 0.05 * f64::from(stops);
            let output = self.kt(&format!("{job} --max-time {most}")).output().unwrap();
            let said = text(&output.stderr);
            assert!(stops == 0 || said.contains("resumed from"), "{said}");
            assert!(!said.contains("damaged"), "{said}");
            match output.status.code() {
                Some(75) => assert!(said.contains("run the same command"), "{said}"),
                Some(0) => {
                    assert!(stops > 0, "it was never stopped");
                    return output.stdout;
                }
                code => panic!("{code:?}: {said}"),
            }
        }
        unreachable!("it ends when it has the time")
    }

    pub fn state_folder(&self) -> PathBuf {
        self.folder.path().join("kt-enum")
    }

    /// Returns the names of the files in the state folder, but for that of the rates of the
    /// machine, which every count of a second leaves there.
    pub fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.state_folder()).into_iter().flatten().flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.retain(|name| name != "rates");
        names.sort();
        names
    }

    /// Waits until the state folder contains this file.
    pub fn wait_for(&self, file: &str) {
        let began = Instant::now();
        while !self.state_folder().join(file).exists() {
            assert!(began.elapsed() < Duration::from_secs(60), "{file} never came");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// Sends a signal, given by its name, to a process.
pub fn signal(child: &Child, name: &str) {
    // The `kill` of the shell is used because a minimal system has no other.
    let status = std::process::Command::new("sh")
        .args(["-c", &format!("kill -{name} {}", child.id())])
        .status()
        .unwrap();
    assert!(status.success());
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
