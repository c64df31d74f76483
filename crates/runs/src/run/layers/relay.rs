//! A layer that one count leaves to the next.
//!
//! Boards of one width begin alike: their sweeps go through the same rounds until a sweep comes
//! near the middle of its board. A count for each board would repeat all of them. So a count leaves
//! the layer after these rounds in memory, and the next one begins with it. If the layer does not
//! fit the memory, or the count needs its room, the next count begins at the start.

use super::stored::{Stored, Usage};
use std::sync::{Arc, Mutex, PoisonError};

/// A place for the layer between two counts, which goes through both.
#[derive(Debug, Default)]
pub struct Relay(Mutex<Passed>);

#[derive(Debug, Default)]
struct Passed {
    /// The number of rounds after which the present count leaves its layer; 0 for none.
    rounds: usize,
    /// The layer that was left, and the number of its rounds.
    left: Option<(usize, Arc<Stored>)>,
}

impl Relay {
    /// Makes the next count leave the layer after some rounds of its first sweep, which have to be
    /// the first rounds of the count after it too. With 0 it leaves none.
    pub fn leave_after(&self, rounds: usize) {
        self.passed(|passed| passed.rounds = rounds);
    }

    /// Keeps a layer if it is to be left, and is in memory.
    pub(super) fn keep(&self, rounds: usize, layer: Option<&Arc<Stored>>) {
        self.passed(|passed| {
            if let Some(layer) = layer.filter(|layer| layer.is_in_memory())
                && rounds == passed.rounds
                && rounds > 0
            {
                passed.left = Some((rounds, Arc::clone(layer)));
            }
        });
    }

    /// Drops the layer, because the count that would leave it lacks room itself.
    pub(super) fn drop_layer(&self) {
        self.passed(|passed| passed.left = None);
    }

    /// Takes what the count before has left, with the number of rounds that led to it.
    pub(super) fn take(&self, usage: &Arc<Usage>) -> Option<(usize, Stored)> {
        let (rounds, layer) = self.passed(|passed| passed.left.take())?;
        Some((rounds, Arc::into_inner(layer)?.moved_to(usage)))
    }

    fn passed<T>(&self, use_it: impl FnOnce(&mut Passed) -> T) -> T {
        use_it(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
