//! Layers that a count leaves to those after it.
//!
//! Boards of one width begin alike: their sweeps go through the same rounds until a sweep comes
//! near the middle of its board. A count for each board would repeat all of them, and a board of an
//! odd number of rows joins the results of the sweeps of its neighbours. So a count leaves such
//! layers in memory, and the next ones begin with them. If a layer does not fit the memory, or a
//! count lacks its room, the later count begins at the start.

use super::stored::{Stored, Usage};
use crate::rounds::InCommon;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// A place for the layers between counts, which goes through all of them.
#[derive(Debug, Default)]
pub struct Relay(Mutex<Passed>);

#[derive(Debug, Default)]
struct Passed {
    /// What the present count leaves.
    wanted: Vec<Handover>,
    left: Vec<(Handover, Arc<Stored>)>,
    /// The time at which the first count began.
    began: Option<Instant>,
}

/// A layer of one count, with which a later count begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Handover {
    /// The rounds of the present count that lead to the layer.
    pub common: InCommon,
    /// The later count: 1 for the next, 2 for the one after it.
    pub ahead: usize,
    /// The sweep of that count.
    pub to: usize,
}

impl Relay {
    /// Begins the turn of the next count, which is to leave some layers. Returns what others have
    /// left to it: sweeps, each with a number of rounds.
    pub fn begin_turn(&self, wanted: Vec<Handover>) -> Vec<(usize, usize)> {
        let mut passed = self.passed();
        passed.began.get_or_insert_with(Instant::now);
        passed.left.retain(|(handover, _)| handover.ahead > 0);
        passed.left.iter_mut().for_each(|(handover, _)| handover.ahead -= 1);
        passed.wanted = wanted;
        let own = passed.left.iter().filter(|(handover, _)| handover.ahead == 0);
        own.map(|(handover, _)| (handover.to, handover.common.rounds)).collect()
    }

    /// The time at which the first count began.
    pub(super) fn began(&self) -> Option<Instant> {
        self.passed().began
    }

    /// Keeps the layer after some rounds of a sweep if it is to be left, and is in memory.
    pub(super) fn keep(&self, from: (usize, usize), layer: &Arc<Stored>) {
        let Passed { wanted, left, .. } = &mut *self.passed();
        let is_from = |of: &&Handover| (of.common.sweep, of.common.rounds) == from;
        for &wanted in wanted.iter().filter(|of| is_from(of) && layer.is_in_memory()) {
            // An earlier count may have left the same.
            left.retain(|(of, _)| (of.ahead, of.to) != (wanted.ahead, wanted.to));
            left.push((wanted, Arc::clone(layer)));
        }
    }

    /// Drops the layers, because a count lacks their room. Returns false if there are none.
    pub(super) fn drop_layers(&self) -> bool {
        !std::mem::take(&mut self.passed().left).is_empty()
    }

    /// Takes what other counts have left to the present one: layers, each with its sweep, the
    /// number of rounds that led to it, and whether it is in the slices of this sweep. What is left
    /// to later counts takes its room too, so only what is small is left.
    pub(super) fn take(&self, usage: &Arc<Usage>) -> Vec<((usize, usize), Stored, bool)> {
        const SMALL: u64 = 8;
        let (mut passed, mut own) = (self.passed(), Vec::new());
        for (handover, layer) in std::mem::take(&mut passed.left) {
            let is_small = layer.len() <= usage.storage.memory / SMALL;
            let (at, is_own) = ((handover.to, handover.common.rounds), handover.ahead == 0);
            let Some(layer) = Arc::into_inner(layer).filter(|_| is_own || is_small) else {
                continue;
            };
            let layer = layer.moved_to(format!("{}-{}", at.0, at.1), usage);
            if is_own {
                own.push((at, layer, handover.common.has_same_slices));
            } else {
                passed.left.push((handover, Arc::new(layer)));
            }
        }
        own
    }

    fn passed(&self) -> MutexGuard<'_, Passed> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::super::stored::Storage;
    use super::*;
    use crate::rounds::{Partitioned, SliceStart};

    #[test]
    fn layers_go_to_the_count_that_they_are_left_to_and_only_small_ones_wait() {
        let usage = Arc::new(Usage::new(Storage { memory: 1 << 20, ..Storage::default() }));
        let layer = |bytes: usize| {
            let mut layer = Stored::new("1-9".to_owned(), &usage);
            let parts = vec![SliceStart { slice: 0, start: 0 }];
            let piece = Partitioned { bytes: vec![7; bytes], parts, ..Partitioned::default() };
            layer.add(0, piece).expect("it has room");
            Arc::new(layer)
        };
        let relay = Relay::default();
        let to = |(sweep, rounds), ahead, to| {
            let common = InCommon { sweep, rounds, has_same_slices: to == 0 };
            Handover { common, ahead, to }
        };
        let wanted = vec![to((1, 9), 1, 0), to((1, 7), 2, 1), to((0, 5), 2, 0)];
        assert_eq!(relay.begin_turn(wanted), []);
        for (from, bytes) in [((0, 3), 10), ((0, 5), 1 << 18), ((1, 7), 10), ((1, 9), 1 << 18)] {
            relay.keep(from, &layer(bytes));
        }
        let taken = || {
            let taken = relay.take(&usage).into_iter();
            taken
                .map(|(at, layer, is)| (at, layer.name.clone(), layer.len(), is))
                .collect::<Vec<_>>()
        };
        assert_eq!(relay.begin_turn(Vec::new()), [(0, 9)]);
        assert_eq!(taken(), [((0, 9), "0-9".to_owned(), 1 << 18, true)]);
        assert_eq!(relay.begin_turn(Vec::new()), [(1, 7)]);
        assert_eq!(taken(), [((1, 7), "1-7".to_owned(), 10, false)]);
        assert_eq!(usage.memory(), 0);
        assert!(!relay.drop_layers());
    }
}
