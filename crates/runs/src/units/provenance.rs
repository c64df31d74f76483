//! The provenance of a count: the place, the time, and the version of the program.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The origin of a result. Nothing that is counted depends on it, nor does the fingerprint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The version of the program.
    pub version: String,
    /// The git commit that the program was built from, if that is known.
    pub commit: Option<String>,
    /// The name of the host.
    pub host: String,
    /// The model of its processor, if the system tells it.
    pub cpu: Option<String>,
    /// The number of its logical cores.
    pub cores: u32,
    /// The date and time at which the result was complete, in UTC: `2026-11-21T11:09:08Z`.
    pub date: String,
}

/// In words, for a report.
impl fmt::Display for Provenance {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { version, commit, host, cpu, cores, date } = self;
        let commit = commit.as_ref().map_or(String::new(), |commit| format!(" (commit {commit})"));
        let cpu = cpu.as_ref().map_or(String::new(), |cpu| format!("{cpu}, "));
        let plural = if *cores == 1 { "" } else { "s" };
        write!(out, "kt-enum {version}{commit} on {host}, {cpu}{cores} core{plural}, {date}")
    }
}
