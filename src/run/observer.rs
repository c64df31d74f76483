//! What a run tells to whoever watches it.

use crate::tally::Tally;
use std::path::PathBuf;
use std::time::Duration;

/// Watches a run. Called from the keeper thread only, and never while a lock is held.
pub trait Observer {
    /// Something happened.
    fn notice(&mut self, event: &Event);
}

/// What happens in a run.
#[derive(Debug, Clone)]
pub enum Event {
    /// The run goes on from a checkpoint.
    Resumed(Resumed),
    /// How far the run is; about ten times a second.
    Progress(Snapshot),
    /// How far the run is, because someone asked for it.
    Asked(Snapshot),
    /// The state was saved.
    Saved(PathBuf),
    /// The state could not be saved; the run goes on and tries again.
    SaveFailed(String),
}

/// What a run found in its checkpoint.
#[derive(Debug, Clone)]
pub struct Resumed {
    /// The file.
    pub path: PathBuf,
    /// Units that are done.
    pub units: usize,
    /// Units begun and not done, whose finished part is kept too.
    pub begun: usize,
    /// Units in all.
    pub of: usize,
    /// Directed tours counted so far.
    pub found: Tally,
    /// States kept, of an engine that lists no tours.
    pub states: Option<u64>,
    /// Time spent by all processes so far.
    pub spent: Duration,
}

/// How far a run is.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// Units that are done.
    pub done: usize,
    /// Units in all.
    pub units: usize,
    /// The share of the estimated work that is done, from 0 to 1; `None` in the first second, before
    /// the units are weighed.
    pub share: Option<f64>,
    /// Directed tours counted so far.
    pub found: Tally,
    /// The states of the frontier at hand, of an engine that lists no tours; `found` is nothing then.
    pub states: Option<u64>,
    /// Nodes visited by this process, or states taken from one square to the next.
    pub nodes: u64,
    /// Time since this process began.
    pub elapsed: Duration,
    /// Directed tours a second in this process, those of earlier processes left out; of an engine that lists
    /// none, `nodes` a second.
    pub rate: f64,
    /// Time left, if the rest goes on as this process has until now.
    pub left: Option<Duration>,
}

/// An observer that does nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn notice(&mut self, _event: &Event) {}
}
