//! Dense sums: the counts of one target block, added up in an array with a place for each rank.
//!
//! In the end, only the sums that are in use are wanted, in the order of their ranks. On 9x10 that
//! is one place of thirteen, so the program should not look at every sum. A bit for each place is
//! the obvious mark. But the ranks of a source ascend, so each state sets a bit of the word that
//! the state before has just written, and waits for it: a whole count takes 1.1 times as long. Here
//! the mark is a byte, which is written without being read. In the end, the bytes of 64 places are
//! gathered into one word, and the bits of this word are listed.

use crate::states::count::Count;
use crate::states::matching::Rank;
use std::collections::TryReserveError;
use wide::u8x16;

/// Sums of counts by rank, with buffers that are used again for the next target.
#[derive(Debug, Default)]
pub(super) struct Dense<C: Count> {
    /// A sum for each rank; all zero between two targets.
    sums: Vec<C>,
    /// For each rank [`IN_USE`] or 0; all 0 between two targets.
    marks: Vec<u8>,
}

/// The mark of a sum that is in use. Its highest bit is the one that is gathered.
const IN_USE: u8 = u8::MAX;

/// The number of places whose marks are gathered into one word.
const PLACES: usize = 64;

impl<C: Count> Dense<C> {
    /// Makes room for a number of ranks. An error if there is no memory for them.
    pub fn reserve(&mut self, ranks: usize) -> Result<(), TryReserveError> {
        let places = ranks.next_multiple_of(PLACES);
        let more = places.saturating_sub(self.sums.len());
        if more > 0 {
            self.sums.try_reserve(more)?;
            self.marks.try_reserve(more)?;
            self.sums.resize(places, C::default());
            self.marks.resize(places, 0);
        }
        Ok(())
    }

    /// Adds counts to the sums of ranks below `all`, for which there must be room. All other ranks
    /// stand for states that have died. Returns the number of sums that did not fit.
    #[inline]
    pub fn add<'a>(&mut self, all: usize, states: impl Iterator<Item = (u64, &'a C)>) -> u64 {
        let (sums, marks) = (&mut self.sums[..all], &mut self.marks[..all]);
        let mut too_large = 0;
        for (rank, count) in states {
            let rank = rank as usize;
            if rank < all {
                too_large += u64::from(sums[rank].add(count));
                marks[rank] = IN_USE;
            }
        }
        too_large
    }

    /// Appends the sums in use of ranks below `all`, of which there are at most `most`, in
    /// ascending order of ranks, and clears them.
    pub fn take(&mut self, all: usize, most: usize, ranks: &mut Vec<C::Rank>, counts: &mut Vec<C>) {
        // Appending state by state would take longer: each would wait for the length of the list.
        let start = ranks.len();
        ranks.resize(start + most, C::Rank::default());
        counts.resize(start + most, C::default());
        let (to_ranks, to_counts) = (&mut ranks[start..], &mut counts[start..]);
        let mut states = 0;
        let places = ..all.next_multiple_of(PLACES);
        let sums = self.sums[places].as_chunks_mut::<PLACES>().0;
        let marks = self.marks[places].as_chunks_mut::<PLACES>().0;
        for (number, (sums, marks)) in sums.iter_mut().zip(marks).enumerate() {
            let mut in_use = gathered(marks);
            *marks = [0; PLACES];
            while in_use != 0 {
                let place = in_use.trailing_zeros() as usize % PLACES;
                in_use &= in_use - 1;
                to_ranks[states] = Rank::of((number * PLACES + place) as u64);
                to_counts[states] = std::mem::take(&mut sums[place]);
                states += 1;
            }
        }
        ranks.truncate(start + states);
        counts.truncate(start + states);
    }
}

/// Returns a word with a bit for each place that is marked.
#[inline]
fn gathered(marks: &[u8; PLACES]) -> u64 {
    let sixteen = marks.as_chunks::<16>().0.iter().enumerate();
    sixteen.fold(0, |word, (number, &marks)| {
        word | u64::from(u8x16::from(marks).to_bitmask()) << (16 * number)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;
    use std::collections::BTreeMap;

    #[test]
    fn sums_are_those_of_a_map_in_its_order_and_none_is_left_for_the_next_target() {
        let (mut random, mut dense) = (Rng::with_seed(1), Dense::<u32>::default());
        let (mut ranks, mut counts) = (vec![7], vec![7]);
        for all in [1, 3, 63, 64, 65, 105, 945] {
            let mut expected = BTreeMap::new();
            let state = |_| (random.u64(0..2 * all), random.u32(1..9));
            let states: Vec<(u64, u32)> = (0..200).map(state).collect();
            for &(rank, count) in states.iter().filter(|(rank, _)| *rank < all) {
                *expected.entry(rank as u32).or_insert(0) += count;
            }
            dense.reserve(all as usize).expect("memory");
            let too_large =
                dense.add(all as usize, states.iter().map(|(rank, count)| (*rank, count)));
            let start = ranks.len();
            dense.take(all as usize, states.len().min(all as usize), &mut ranks, &mut counts);
            let taken: Vec<_> = ranks[start..].iter().zip(&counts[start..]).collect();
            assert_eq!(taken, expected.iter().collect::<Vec<_>>(), "{all} ranks");
            assert_eq!(too_large, 0);
        }
        assert_eq!((ranks[0], counts[0]), (7, 7));
    }

    #[test]
    fn each_sum_that_does_not_fit_is_told_and_none_of_them_is_left_for_the_next_target() {
        let mut dense = Dense::<u32>::default();
        dense.reserve(2).expect("memory");
        let states = [(0, u32::MAX), (1, 1), (0, 1), (1, u32::MAX), (9, u32::MAX), (9, u32::MAX)];
        assert_eq!(dense.add(2, states.iter().map(|(rank, count)| (*rank, count))), 2);
        let (mut ranks, mut counts) = (Vec::new(), Vec::new());
        dense.take(2, 2, &mut ranks, &mut counts);
        // Both sums have wrapped around to 0.
        assert_eq!((&ranks, &counts), (&vec![0, 1], &vec![0, 0]));
        dense.take(2, 0, &mut ranks, &mut counts);
        assert_eq!(ranks.len(), 2);
    }
}
