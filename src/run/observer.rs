//! What a run tells to whoever watches it.

use super::checkpoint::Header;
use crate::rounds::Building;
use crate::tally::Tally;
use serde::Serialize;
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
    /// The run goes on from a checkpoint, which says this.
    Resumed(PathBuf, Box<Header>),
    /// The checkpoint counts on states that are not kept any more: they are computed again, from this round on.
    Recomputing(Building),
    /// How far the run is; about ten times a second.
    Progress(Snapshot),
    /// How far the way back from the units to single tours is.
    Back(Back),
    /// How far the run is, because someone asked for it.
    Asked(Snapshot),
    /// The state was saved.
    Saved(PathBuf),
    /// The state could not be saved; the run goes on and tries again.
    SaveFailed(String),
    /// The stored states before the units are damaged, as the text says. They are removed and
    /// computed again; units that are done are kept.
    StatesDamaged(String),
}

/// How far a run is.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// Units that are done.
    pub done: usize,
    /// Units in all.
    pub units: usize,
    /// The share of the work that is done, from 0 to 1; `None` before it is known within a factor of three.
    pub share: Option<f64>,
    /// Directed tours counted so far.
    pub found: Tally,
    /// How far the sweeps before the units are, while they are made.
    pub building: Option<Building>,
    /// Nodes visited by this process, or states taken on.
    pub nodes: u64,
    /// Time since this process began.
    pub elapsed: Duration,
    /// Directed tours a second in this process, those of earlier processes left out.
    pub rate: f64,
    /// Time left, if the rest goes on as this process has until now; `None` before that is known so well.
    pub left: Option<Duration>,
}

/// How far the way back from the units to single tours is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Back {
    /// Rounds that are done, the units as one.
    pub step: usize,
    /// Rounds in all.
    pub steps: usize,
    /// Slices of this round, or units, that are done.
    pub slices: usize,
    /// Slices of this round that are passed.
    pub slices_of: usize,
    /// Bytes of those that are done.
    pub bytes: u64,
    /// Bytes of all.
    pub bytes_of: u64,
}

/// An observer that does nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn notice(&mut self, _event: &Event) {}
}
