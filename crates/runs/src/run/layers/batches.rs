//! The batches of slices that go through several rounds at once.
//!
//! A layer can be much larger than the layers around it, for a single unit as for all: on 9x10 a
//! layer of 320 MB leads to one of 1.2 GB, and that one, for some units, to one of 80 KB. No
//! division into groups makes such a layer smaller. If it does not fit, the slices before it are
//! taken through both rounds in batches, and between the rounds only the states of one batch are
//! kept. A state that several batches lead to is processed in the second round once for each of
//! them, so batches are as large as the room allows. Such a state is also kept once for each of
//! them. So the output grows more slowly than a batch: on 8x10, batches of 0.9 MB and of 12 MB left
//! 1.9 MB and 3.7 MB.
//!
//! Invariant: each slice is in one batch. The counts of equal states in the output are added up
//! when it is read, so they do not depend on the batches.

use super::stored::SliceSize;
use std::collections::VecDeque;

/// One slice in this many is in the first batch.
const SAMPLED: usize = 16;

/// The slices of a round that wait to be taken through several rounds.
#[derive(Debug)]
pub(super) struct Batches {
    /// Each slice and its bytes, those with most bytes first.
    waiting: VecDeque<SliceSize>,
    /// The bytes between the rounds for a byte of a slice.
    growth: f64,
    /// The most bytes of a batch, whatever the room: half of one that did not fit.
    most: f64,
    /// True once the first batch, a sample, has been taken or was too large.
    is_sampled: bool,
}

impl Batches {
    /// The slices with their bytes, those with most bytes first, and a guess of the growth.
    pub fn new(waiting: VecDeque<SliceSize>, growth: f64) -> Self {
        Self { waiting, growth, most: f64::INFINITY, is_sampled: false }
    }

    /// Takes the slices that probably lead to no more than `room` bytes between the rounds, but at
    /// least one; `None` if no slice waits. The first batch is a sample of slices of all sizes, so
    /// that the output of all can be predicted from its output.
    pub fn next(&mut self, room: f64) -> Option<Vec<SliceSize>> {
        let most = self.most_within(room);
        if !std::mem::replace(&mut self.is_sampled, true) {
            let (mut sampled, mut rest) = (Vec::new(), Vec::new());
            for (number, &slice) in self.waiting.iter().enumerate() {
                let is_sampled = number % SAMPLED == SAMPLED / 2;
                if is_sampled { &mut sampled } else { &mut rest }.push(slice);
            }
            if !sampled.is_empty() && bytes(&sampled) as f64 <= most {
                self.waiting = rest.into();
                return Some(sampled);
            }
        }
        let mut batch = vec![self.waiting.pop_front()?];
        let mut sum = bytes(&batch);
        while let Some(&slice) = self.waiting.front()
            && (sum + slice.bytes) as f64 <= most
        {
            sum += slice.bytes;
            batch.extend(self.waiting.pop_front());
        }
        Some(batch)
    }

    /// The most bytes of a batch that leads to no more than `room` bytes between the rounds.
    fn most_within(&self, room: f64) -> f64 {
        self.most.min(room / self.growth)
    }

    /// About how many bytes the output of all waiting slices will have, if their batches have so
    /// much room between the rounds. The last batch read `before` bytes and left `output`.
    pub fn output_to_come(&self, room: f64, before: u64, output: u64) -> f64 {
        // The output grows with this power of the bytes of a batch. On 8x10, a batch of 14 times
        // the bytes left twice the output, which is the power 0.26. A larger one is on the safe
        // side.
        const POWER: f64 = 0.3;
        let waiting: u64 = self.waiting.iter().map(|slice| slice.bytes).sum();
        if waiting == 0 {
            return 0.0;
        }
        let batch = self.most_within(room).clamp(1.0, waiting as f64);
        let of_batch = output as f64 * (batch / before.max(1) as f64).powf(POWER);
        (waiting as f64 / batch).ceil() * of_batch
    }

    /// Returns a batch that did not fit. The next is smaller; false if it was a single slice.
    pub fn give_back(&mut self, batch: &[SliceSize]) -> bool {
        self.most = bytes(batch) as f64 / 2.0;
        batch.iter().rev().for_each(|&slice| self.waiting.push_front(slice));
        batch.len() > 1
    }
}

/// The bytes of some slices.
pub(super) fn bytes(slices: &[SliceSize]) -> u64 {
    slices.iter().map(|slice| slice.bytes).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_sizes<T: FromIterator<SliceSize>>(slices: &[(u64, u64)]) -> T {
        slices.iter().map(|&(slice, bytes)| SliceSize { slice, bytes }).collect()
    }

    #[test]
    fn a_batch_leads_to_what_fits_and_a_slice_that_leads_to_more_is_alone() {
        let slices = of_sizes(&[(7, 50), (8, 10), (9, 10), (6, 10)]);
        let mut batches = Batches::new(slices, 4.0);
        assert_eq!(batches.next(100.0), Some(of_sizes(&[(7, 50)])));
        let batch = batches.next(100.0).expect("three slices wait");
        assert_eq!(batch, of_sizes::<Vec<_>>(&[(8, 10), (9, 10)]));
        assert!(batches.give_back(&batch));
        assert_eq!(batches.next(100.0), Some(of_sizes(&[(8, 10)])));
        assert!(!batches.give_back(&of_sizes::<Vec<_>>(&[(8, 10)])));
    }

    #[test]
    fn batches_get_smaller_until_they_fit_even_if_nothing_is_known_of_what_they_lead_to() {
        let slices: VecDeque<_> = of_sizes(&[(7, 8), (8, 8), (9, 8), (6, 8)]);
        for growth in [0.0, f64::NAN, 1e-9] {
            let mut batches = Batches::new(slices.clone(), growth);
            let mut sizes = Vec::new();
            while let Some(batch) = batches.next(0.0).or_else(|| batches.next(1.0)) {
                sizes.push(batch.len());
                if !batches.give_back(&batch) {
                    break;
                }
            }
            assert_eq!(sizes.last(), Some(&1), "{growth}: {sizes:?}");
            assert!(sizes.len() < 4, "{growth}: {sizes:?}");
        }
    }

    #[test]
    fn larger_batches_have_more_output_to_come_but_not_in_proportion() {
        let mut batches = Batches::new(of_sizes(&[(7, 50), (8, 50), (9, 60)]), 1.0);
        assert_eq!(batches.output_to_come(160.0, 160, 30), 30.0);
        let in_one = batches.output_to_come(160.0, 10, 30);
        assert!((60.0..160.0).contains(&in_one), "{in_one}");
        let in_four = batches.output_to_come(40.0, 10, 30);
        assert!((160.0..480.0).contains(&in_four), "{in_four}");
        while batches.next(1.0).is_some() {}
        assert_eq!(batches.output_to_come(160.0, 10, 30), 0.0);
    }

    #[test]
    fn the_first_batch_has_slices_of_all_sizes_if_it_fits() {
        let size = |slice| SliceSize { bytes: 100 - slice, slice };
        let slices: Vec<SliceSize> = (0..40).map(size).collect();
        let batches = || Batches::new(slices.clone().into(), 1.0);
        assert_eq!(batches().next(200.0), Some(of_sizes(&[(8, 92), (24, 76)])));
        assert_eq!(batches().next(150.0), Some(of_sizes(&[(0, 100)])));
        let mut all = batches();
        let mut seen: Vec<SliceSize> = std::iter::from_fn(|| all.next(1000.0)).flatten().collect();
        seen.sort_unstable_by_key(|of| of.slice);
        assert_eq!(seen, slices);
    }
}
