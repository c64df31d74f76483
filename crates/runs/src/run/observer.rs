//! The events that a run reports to its observer.

use super::checkpoint::{Header, Status};
use crate::question::Question;
use crate::rounds::Building;
use crate::work::Name;
use serde::Serialize;
use std::path::PathBuf;
use std::time::Duration;

/// An observer of a run. It is called from the keeper's thread only, and never while a lock is
/// held.
pub trait Observer {
    /// Receives an event.
    fn notice(&mut self, event: &Event);

    /// True if the observer makes use of events: what nobody needs is not computed.
    fn is_interested(&self) -> bool {
        true
    }

    /// The seconds that the run is expected to take in this process, where the observer has learnt
    /// them. They tell the progress until the run can tell by itself.
    fn expects(&self) -> Option<f64> {
        None
    }
}

/// An event of a run.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Event {
    /// The bound on memory is more than the system leaves for the process.
    MoreThanFree {
        /// The bytes that were given.
        given: u64,
        /// The bytes that are free.
        free: u64,
    },
    /// The system leaves less memory than the count may take.
    LittleMemory {
        /// The bytes that it takes at least.
        least: u64,
        /// The bytes that it may take.
        free: u64,
        /// The number of threads.
        threads: usize,
    },
    /// Another process, named by its pid and host, does the same work.
    Twin(String),
    /// No checkpoint is kept, for the reason that the text says.
    Unkept(String),
    /// A count is being forecast, for at most so long.
    Forecasting(Upcoming, Duration),
    /// The expected cost of a count.
    Forecast(Upcoming, Price),
    /// The count that numbers tours is expected to take this time and these resources.
    ForecastOfNumbers(Upcoming, Price),
    /// The time that a count takes is unknown.
    Unforeseen {
        /// The count.
        of: Upcoming,
        /// False if a shard of it is counted.
        is_whole: bool,
    },
    /// The states of a count may take more than there is.
    MayLackRoom {
        /// The bytes that they may take.
        bytes: f64,
        /// The bytes that the limits leave for them.
        room: f64,
        /// True if they are made for other processes, so that they have to fit.
        is_for_others: bool,
    },
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
    /// The progress of a search that counts no units.
    Searching(SearchProgress),
    /// The progress of an audit.
    Recounting(RecountProgress),
    /// Tours are drawn with this seed, which the program chose.
    Seeded(u64),
    /// The progress of the run, because somebody asked for it.
    Asked(Snapshot),
    /// The state was saved.
    Saved(PathBuf),
    /// The states before the units, of so many bytes, are being saved, because the run was stopped.
    SavingStates(u64),
    /// The state could not be saved. The run continues and tries again.
    SaveFailed(String),
    /// The states before the units could not be saved, for the first time.
    StatesUnsaved(String),
    /// The stored states before the units are damaged, as the text says. They are removed and
    /// computed again; units that are done are kept.
    StatesDamaged(String),
}

/// A count that is about to begin.
#[derive(Debug, Clone)]
pub struct Upcoming {
    /// The question.
    pub question: Question,
    /// The engine.
    pub engine: Name,
    /// The number of threads.
    pub threads: usize,
}

/// The expected cost of a count.
#[derive(Debug, Clone, Copy)]
pub struct Price {
    /// The seconds of all threads together; `None` if they are unknown.
    pub seconds: Option<f64>,
    /// The least and the most seconds, where they are far apart.
    pub between: Option<[f64; 2]>,
    /// True if these are the seconds of the rest of a count that was begun.
    pub is_rest: bool,
    /// The bytes of memory and disk, where they are worth telling.
    pub bytes: Option<f64>,
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

/// The progress of a search that counts no units.
#[derive(Debug, Clone)]
pub struct SearchProgress {
    /// The share that is done, from 0 to 1, where it is known.
    pub share: Option<f64>,
    /// The work that is done, in words.
    pub said: Vec<String>,
    /// The time since the search started.
    pub elapsed: Duration,
}

/// The progress of an audit.
#[derive(Debug, Clone)]
pub struct RecountProgress {
    /// The number of units that are recounted.
    pub done: usize,
    /// The number of units of the sample.
    pub units: usize,
    /// The progress within a unit, if it is counted at another cut.
    pub within: Option<Snapshot>,
    /// True if somebody asked for it.
    pub was_asked: bool,
}

impl RecountProgress {
    /// The share of the units that is recounted.
    pub fn share(&self) -> f64 {
        self.done as f64 / self.units.max(1) as f64
    }
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
    /// The number of tours that go this way together.
    pub together: u64,
    /// The numbers of tours that have gone it before them, and of all.
    pub tours: Portion,
}

/// The place of some tours among all that are asked for, which are too many to be traced together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Portion {
    /// The number of tours before them.
    pub before: u64,
    /// The number of all; `None` if that is not known.
    pub of: Option<u64>,
}

impl Portion {
    /// All tours that are asked for.
    pub fn whole(tours: usize) -> Self {
        Self { before: 0, of: Some(tours as u64) }
    }

    /// The place of the tours that follow after so many.
    pub fn after(self, tours: usize) -> Self {
        Self { before: self.before + tours as u64, ..self }
    }
}

impl Back {
    /// The way back of some tours, which begins.
    pub fn of(tours: Portion, together: usize) -> Self {
        Self { tours, together: together as u64, ..Self::default() }
    }

    /// The share of the traceback that is done; `None` if it is not known how many tours follow.
    /// The units take most of it, and the largest of them come first.
    pub fn share(&self) -> Option<f64> {
        const OF_UNITS: f64 = 0.85;
        let of_step = self.bytes as f64 / self.bytes_of.max(1) as f64;
        let of_these = match self.step.checked_sub(1) {
            None => OF_UNITS * of_step,
            Some(step) => {
                let rounds = self.steps.saturating_sub(1).max(1) as f64;
                OF_UNITS + (1.0 - OF_UNITS) * (step as f64 + of_step) / rounds
            }
        };
        let done = self.tours.before as f64 + of_these * self.together as f64;
        Some((done / self.tours.of?.max(1) as f64).min(1.0))
    }
}

/// An observer that does nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn notice(&mut self, _event: &Event) {}

    fn is_interested(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_of_the_way_back_is_that_through_the_units_by_their_bytes() {
        let at = |step, bytes| {
            let tours = Portion { before: 30, of: Some(50) };
            let (slices, slices_of, bytes_of, together) = (1, 9, 100, 10);
            let at = Back { step, steps: 14, slices, slices_of, bytes, bytes_of, together, tours };
            let ahead = Back { tours: Portion { of: None, ..tours }, ..at };
            assert_eq!(ahead.share(), None);
            (at.share().expect("all are known") * 50.0 - 30.0) / 10.0
        };
        assert!((at(0, 50) - 0.425).abs() < 1e-9);
        assert!((at(1, 0) - 0.85).abs() < 1e-9 && (at(13, 100) - 1.0).abs() < 1e-9);
    }
}
