//! Sums over all rounds of a run: the states that they process, and the cycles that are completed
//! on the way.
//!
//! A slice, or a batch of slices, may have to be processed again, because its output found no room
//! on disk. Its contribution is then taken out again, so that it does not count twice.

use crate::rounds::Partitioned;
use crate::tally::Tally;
use std::collections::{BTreeMap, HashMap};

/// The contribution of a slice or a batch: the states processed, and the completed cycles by the
/// number of squares that they cover.
#[derive(Debug, Default)]
pub(super) struct Added {
    pub states_processed: u64,
    pub met: Vec<(u32, Tally)>,
}

impl Added {
    /// Takes the totals of a slice out of its last portion.
    pub fn take_from(&mut self, last: &mut Partitioned) {
        self.states_processed += last.states_processed;
        self.met.append(&mut last.met);
    }
}

/// The totals of all rounds.
#[derive(Debug, Default)]
pub(super) struct Totals {
    /// The completed cycles by the number of squares that they cover.
    pub met: BTreeMap<u32, Tally>,
    pub states_processed: u64,
    /// The most states that a round has left.
    pub most_states: u64,
    /// The states processed by this process that the keeper has not recorded yet.
    pub states_processed_here: u64,
    /// The contributions of this process in this round, each with its slices, by the first of them,
    /// which the output is listed under.
    added: HashMap<u64, (Vec<u64>, Added)>,
}

impl Totals {
    /// Takes over what an earlier process has saved.
    pub fn restore(&mut self, states_processed: u64, most_states: u64, met: Vec<(u32, Vec<u8>)>) {
        let tally = |(squares, bytes): (u32, Vec<u8>)| (squares, Tally::from_bytes_le(&bytes));
        self.met = met.into_iter().map(tally).collect();
        (self.states_processed, self.most_states) = (states_processed, most_states);
    }

    /// The completed cycles as an index holds them.
    pub fn saved(&self) -> Vec<(u32, Vec<u8>)> {
        let bytes = |(squares, number): (&u32, &Tally)| (*squares, number.to_bytes_le());
        self.met.iter().map(bytes).collect()
    }

    /// Begins a round.
    pub fn begin_round(&mut self) {
        self.added.clear();
    }

    /// The states that this process has processed in this round.
    pub fn states_in_round(&self) -> u64 {
        self.added.values().map(|(_, added)| added.states_processed).sum()
    }

    /// Adds the contribution of a batch of slices, or of a single one.
    pub fn add(&mut self, slices: Vec<u64>, added: Added) {
        self.states_processed += added.states_processed;
        self.states_processed_here += added.states_processed;
        for (squares, number) in &added.met {
            *self.met.entry(*squares).or_default() += number;
        }
        self.added.insert(slices[0], (slices, added));
    }

    /// Takes out what was added for a slice. Returns the slices that are to be processed again: it
    /// alone, or its whole batch.
    pub fn take_out(&mut self, slice: u64) -> Vec<u64> {
        let has_slice = |(_, (slices, _)): &(&u64, &(Vec<u64>, _))| slices.contains(&slice);
        let first = self.added.iter().find(has_slice).map_or(slice, |(&first, _)| first);
        let Some((slices, added)) = self.added.remove(&first) else { return vec![slice] };
        self.states_processed -= added.states_processed;
        for (squares, number) in added.met {
            let sum = self.met.entry(squares).or_default();
            *sum = sum.saturating_sub(&number);
        }
        slices
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(states_processed: u64, met: &[(u32, u64)]) -> Added {
        let met = met.iter().map(|&(squares, number)| (squares, Tally::from(number))).collect();
        Added { states_processed, met }
    }

    #[test]
    fn a_batch_that_is_taken_out_leaves_the_totals_of_the_others() {
        let mut totals = Totals::default();
        totals.add(vec![1], added(10, &[(24, 3)]));
        totals.add(vec![2, 5], added(100, &[(24, 4), (26, 1)]));
        assert_eq!(totals.states_in_round(), 110);
        assert_eq!(totals.take_out(5), [2, 5]);
        assert_eq!(totals.take_out(2), [2]);
        assert_eq!(totals.take_out(1), [1]);
        totals.add(vec![1], added(10, &[(24, 3)]));
        let met: Vec<_> = totals.met.iter().map(|(of, number)| (*of, number.to_string())).collect();
        assert_eq!(met, [(24, "3".to_owned()), (26, "0".to_owned())]);
        assert_eq!((totals.states_processed, totals.states_in_round()), (10, 10));
    }

    #[test]
    fn totals_that_are_saved_are_restored() {
        let mut totals = Totals::default();
        totals.add(vec![1], added(10, &[(24, 1 << 40)]));
        let mut restored = Totals::default();
        restored.restore(totals.states_processed, 7, totals.saved());
        assert_eq!(restored.met, totals.met);
        assert_eq!((restored.states_processed, restored.states_in_round()), (10, 0));
    }
}
