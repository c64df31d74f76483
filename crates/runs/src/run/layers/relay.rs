//! Layers that a count leaves to those after it.
//!
//! Boards of one width begin alike: their sweeps go through the same rounds until a sweep comes
//! near the middle of its board. A count for each board would repeat all of them, and a board of an
//! odd number of rows joins the results of the sweeps of its neighbours. So a count leaves such
//! layers in memory, and the next ones begin with them. If a layer does not fit the memory, or a
//! count needs its room, the later count begins at the start.

use super::stored::{Stored, Usage};
use std::sync::{Arc, Mutex, PoisonError};

/// A place for the layers between counts, which goes through all of them.
#[derive(Debug, Default)]
pub struct Relay(Mutex<Passed>);

#[derive(Debug, Default)]
struct Passed {
    /// What the present count leaves.
    wanted: Vec<Handover>,
    left: Vec<(Handover, Arc<Stored>)>,
}

/// A layer of one count, with which a later count begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Handover {
    /// The sweep of the present count, and the number of its rounds that lead to the layer.
    pub from: (usize, usize),
    /// The later count: 1 for the next, 2 for the one after it.
    pub ahead: usize,
    /// The sweep of that count.
    pub to: usize,
}

impl Relay {
    /// Begins the turn of the next count, which is to leave some layers. Returns what others have
    /// left to it: sweeps, each with a number of rounds.
    pub fn begin_turn(&self, wanted: Vec<Handover>) -> Vec<(usize, usize)> {
        self.passed(|passed| {
            passed.left.retain(|(handover, _)| handover.ahead > 0);
            passed.left.iter_mut().for_each(|(handover, _)| handover.ahead -= 1);
            passed.wanted = wanted;
            let own = passed.left.iter().filter(|(handover, _)| handover.ahead == 0);
            own.map(|(handover, _)| (handover.to, handover.from.1)).collect()
        })
    }

    /// Keeps the layer after some rounds of a sweep if it is to be left, and is in memory.
    pub(super) fn keep(&self, from: (usize, usize), layer: &Arc<Stored>) {
        self.passed(|Passed { wanted, left }| {
            for &wanted in wanted.iter().filter(|of| of.from == from && layer.is_in_memory()) {
                // A layer that an earlier count has left is of fewer rounds.
                left.retain(|(of, _)| (of.ahead, of.to) != (wanted.ahead, wanted.to));
                left.push((wanted, Arc::clone(layer)));
            }
        });
    }

    /// Drops the layers, because the count that would leave them lacks room itself.
    pub(super) fn drop_layers(&self) {
        self.passed(|passed| passed.left.clear());
    }

    /// Takes what other counts have left to the present one: layers, each with its sweep and the
    /// number of rounds that led to it. What is left to later counts takes its room too.
    pub(super) fn take(&self, usage: &Arc<Usage>) -> Vec<((usize, usize), Stored)> {
        let moved = |(handover, layer): (Handover, Arc<Stored>)| {
            Some((handover, Arc::into_inner(layer)?.moved_to(usage)))
        };
        let left = self.passed(|passed| std::mem::take(&mut passed.left));
        let (own, others): (Vec<_>, Vec<_>) =
            left.into_iter().filter_map(moved).partition(|(handover, _)| handover.ahead == 0);
        let others = others.into_iter().map(|(handover, layer)| (handover, Arc::new(layer)));
        self.passed(|passed| passed.left.extend(others));
        own.into_iter().map(|(of, layer)| ((of.to, of.from.1), layer)).collect()
    }

    fn passed<T>(&self, use_it: impl FnOnce(&mut Passed) -> T) -> T {
        use_it(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
