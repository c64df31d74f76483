//! The events that a run reports to its observer.

use super::checkpoint::{Header, Status};
use crate::rounds::Building;
use serde::Serialize;
use std::path::PathBuf;
use std::time::Duration;

/// An observer of a run. It is called from the keeper's thread only, and never while a lock is
/// held.
pub trait Observer {
    /// Receives an event.
    fn notice(&mut self, event: &Event);
}

/// An event of a run.
#[derive(Debug, Clone)]
pub enum Event {
    /// The run resumes from a checkpoint with this header.
    Resumed(PathBuf, Box<Header>),
    /// The checkpoint relies on states that no longer exist; they are computed again, starting with
    /// this round.
    Recomputing(Building),
    /// The layers of all units do not fit the limits on memory and disk together. From here on, the
    /// units are counted in groups, one group after the other.
    Divided(Building),
    /// The progress of the run, about ten times per second.
    Progress(Snapshot),
    /// The progress of the traceback from the units to single tours.
    Back(Back),
    /// The progress of the run, because somebody asked for it.
    Asked(Snapshot),
    /// The state was saved.
    Saved(PathBuf),
    /// The state could not be saved. The run continues and tries again.
    SaveFailed(String),
    /// The stored states before the units are damaged, as the text says. They are removed and
    /// computed again; units that are done are kept.
    StatesDamaged(String),
}

/// The progress of a run.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// The number of finished units.
    pub done: usize,
    /// The number of units.
    pub units: usize,
    /// The share of the work that is done, the time left, and the tours found.
    pub status: Status,
    /// The number of nodes visited, or states computed, by this process.
    pub nodes: u64,
    /// The time since this process started.
    pub elapsed: Duration,
    /// Directed tours per second, counted by this process alone.
    pub rate: f64,
}

/// The progress of the traceback from the units to single tours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Back {
    /// The number of finished rounds; the units count as one round.
    pub step: usize,
    /// The number of rounds.
    pub steps: usize,
    /// The number of finished slices of this round, or of finished units.
    pub slices: usize,
    /// The number of slices of this round that the tours pass through.
    pub slices_of: usize,
    /// The bytes of the finished slices.
    pub bytes: u64,
    /// The bytes of all slices.
    pub bytes_of: u64,
}

/// An observer that does nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn notice(&mut self, _event: &Event) {}
}
