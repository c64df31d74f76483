//! A run whose messages are read as they appear, so that a test can act at a defined moment.
//!
//! A test that needs a run in the middle of its work cannot rely on the run being slow. Instead it
//! waits for an event and suspends the process there. The remaining work only has to last longer
//! than the delivery of a signal.

use super::{Machine, signal, text};
use kt_enum_runs::run::checkpoint::{Header, peek};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// The longest time to wait for an event. Even a very slow machine is faster.
const NEVER: Duration = Duration::from_secs(120);

pub struct Watched {
    pub child: Child,
    lines: Receiver<String>,
    said: Vec<String>,
}

pub struct Ended {
    pub status: ExitStatus,
    pub stdout: String,
    pub stderr: String,
}

impl Watched {
    /// Starts a run that prints its events.
    pub fn start(machine: &Machine, arguments: &str) -> Self {
        Self::over(machine.start(&format!("{arguments} --progress json --quiet")))
    }

    /// Watches a running process whose standard error is a pipe.
    pub fn over(mut child: Child) -> Self {
        let stderr = child.stderr.take().unwrap();
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            let mut lines = BufReader::new(stderr).lines().map_while(Result::ok);
            lines.try_for_each(|line| sender.send(line))
        });
        Self { child, lines, said: Vec::new() }
    }

    /// Returns the next line on standard error; panics if there is none.
    pub fn next_line(&mut self) -> String {
        let Ok(line) = self.lines.recv_timeout(NEVER) else {
            panic!("nothing came after {:?}", self.said);
        };
        self.said.push(line.clone());
        line
    }

    /// Sends a signal, and returns true if a line with this text follows within a second.
    pub fn is_answered(&mut self, name: &str, text: &str) -> bool {
        self.signal(name);
        let end = Instant::now() + Duration::from_secs(1);
        loop {
            match self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(line) if line.contains(text) => return true,
                Ok(line) => self.said.push(line),
                Err(RecvTimeoutError::Timeout) => return false,
                Err(RecvTimeoutError::Disconnected) => panic!("it has ended after {:?}", self.said),
            }
        }
    }

    /// Returns the next event; panics if there is none.
    pub fn next_event(&mut self) -> Value {
        loop {
            if let Ok(event) = serde_json::from_str(&self.next_line()) {
                return event;
            }
        }
    }

    /// Returns the next event of this name; panics if there is none.
    pub fn wait_for(&mut self, name: &str) -> Value {
        loop {
            let event = self.next_event();
            if event["event"] == name {
                return event;
            }
        }
    }

    /// Waits for the next event of this name and suspends the process there.
    pub fn hold_at(&mut self, event: &str) {
        self.wait_for(event);
        self.hold();
    }

    /// Waits until the saved checkpoint satisfies the condition and suspends the process there.
    pub fn hold_when(&mut self, checkpoint: &Path, is_far: impl Fn(&Header) -> bool) {
        loop {
            self.hold_at("saved");
            let header = peek(checkpoint).unwrap();
            if header.is_some_and(|header| is_far(&header)) {
                return;
            }
            self.let_go();
        }
    }

    /// Suspends the process at once.
    pub fn hold(&self) {
        self.signal("STOP");
        let stat = format!("/proc/{}/stat", self.child.id());
        // The process stops some time after the signal is sent. `/proc` shows when, on systems that
        // have it.
        while let Ok(stat) = std::fs::read_to_string(&stat)
            && !stat.contains(") T ")
        {
            assert!(!stat.contains(") Z "), "it ended: {:?}", self.said);
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    pub fn let_go(&self) {
        self.signal("CONT");
    }

    pub fn signal(&self, name: &str) {
        signal(&self.child, name);
    }

    /// Resumes a suspended process with a request to save and stop, and returns its end.
    pub fn stop(self) -> Ended {
        self.signal("TERM");
        self.let_go();
        let ended = self.end();
        assert_eq!(ended.status.code(), Some(75), "{}", ended.stderr);
        ended
    }

    pub fn end(mut self) -> Ended {
        let mut stdout = Vec::new();
        let mut pipe = self.child.stdout.take().unwrap();
        pipe.read_to_end(&mut stdout).unwrap();
        let status = self.child.wait().unwrap();
        let mut said = std::mem::take(&mut self.said);
        said.extend(self.lines.iter());
        let stderr = said.join("\n");
        assert!(!stderr.contains("panicked"), "{stderr}");
        Ended { status, stdout: text(&stdout), stderr }
    }

    /// Resumes the process and checks that it succeeds with this count.
    pub fn ends_right(self, directed: &str) {
        let ended = self.end();
        assert!(ended.status.success(), "{}", ended.stderr);
        assert_eq!(ended.stdout, format!("{directed}\n"), "{}", ended.stderr);
    }
}

impl Drop for Watched {
    /// Kills the process, so that no test leaves one behind, not even a suspended one.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
