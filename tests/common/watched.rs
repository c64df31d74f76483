//! A run whose events are read as they come, so that faults meet it where they should.

use super::{Machine, signal, text};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ExitStatus};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// However busy the machine is, an event comes before this.
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
    pub fn start(machine: &Machine, arguments: &str) -> Self {
        let mut child = machine.start(&format!("{arguments} --progress json --quiet"));
        let stderr = child.stderr.take().unwrap();
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            let mut lines = BufReader::new(stderr).lines().map_while(Result::ok);
            lines.try_for_each(|line| sender.send(line))
        });
        Self {
            child,
            lines,
            said: Vec::new(),
        }
    }

    /// The next event of this name; there has to be one.
    pub fn wait_for(&mut self, event: &str) -> Value {
        loop {
            let Ok(line) = self.lines.recv_timeout(NEVER) else {
                panic!("no event `{event}` came: {:?}", self.said);
            };
            let value: Option<Value> = serde_json::from_str(&line).ok();
            self.said.push(line);
            match value {
                Some(value) if value["event"] == event => return value,
                _ => {}
            }
        }
    }

    /// Waits for the next event of this name, and holds the process still from there on.
    pub fn hold_at(&mut self, event: &str) {
        self.wait_for(event);
        self.signal("STOP");
        let stat = format!("/proc/{}/stat", self.child.id());
        // A process is stopped some time after the signal is sent, where the system tells.
        while std::fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") T ")) {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    pub fn let_go(&self) {
        self.signal("CONT");
    }

    pub fn signal(&self, name: &str) {
        signal(&self.child, name);
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
        Ended {
            status,
            stdout: text(&stdout),
            stderr,
        }
    }

    /// Ends with success and this count.
    pub fn ends_right(self, directed: &str) {
        let ended = self.end();
        assert!(ended.status.success(), "{}", ended.stderr);
        assert_eq!(ended.stdout, format!("{directed}\n"), "{}", ended.stderr);
    }
}

impl Drop for Watched {
    /// No test leaves a process behind, a stopped one least of all.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
