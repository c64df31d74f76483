//! The number of bytes that the output of a round will have, predicted from its finished slices.
//!
//! A round whose output will not fit memory and disk should be given up as soon as that is sure.
//! The prediction is the output of the finished slices, scaled up by the bytes that the round
//! reads. The bytes of output for a byte of input differ from slice to slice, so the prediction is
//! corrected after each of them.

use std::collections::HashMap;

/// The share of a round that is processed before its output is predicted.
const LEAST_SHARE: f64 = 1.0 / 32.0;

/// The bytes of a round so far.
#[derive(Debug)]
pub(super) struct Prediction {
    /// The bytes of all slices that the round reads.
    all: u64,
    /// The bytes of the finished ones, and those of their output.
    finished: u64,
    output: u64,
    /// By slice in progress, its bytes and those of its output so far.
    in_progress: HashMap<u64, (u64, u64)>,
}

impl Prediction {
    /// The beginning, or where an earlier process has saved a round.
    pub fn new(all: u64, finished: u64, output: u64) -> Self {
        Self { all, finished, output, in_progress: HashMap::new() }
    }

    /// Adds a portion of the output of a slice of `bytes` bytes.
    pub fn add(&mut self, slice: u64, bytes: u64, output: &[u8]) {
        self.in_progress.entry(slice).or_insert((bytes, 0)).1 += output.len() as u64;
    }

    /// Finishes a slice whose output has `bytes` bytes.
    pub fn finish(&mut self, slice: u64, bytes: u64) {
        self.finished += bytes;
        self.output += self.in_progress.remove(&slice).map_or(0, |(_, output)| output);
    }

    /// The share of the round that is finished, by the bytes that it reads.
    fn share(&self) -> f64 {
        self.finished as f64 / self.all.max(1) as f64
    }

    /// A number that grows with the finished slices, as it is expected to be at the end.
    pub fn at_the_end(&self, so_far: u64) -> f64 {
        so_far as f64 / self.share().max(LEAST_SHARE)
    }

    /// A cautious guess of the bytes of all output, by the slices in progress too: a slice of 10x10
    /// takes minutes. The first slices can have twice as much output as the others.
    pub fn at_least(&self) -> Option<f64> {
        /// The share of a round that is begun before this says anything.
        const LEAST_BEGUN: f64 = LEAST_SHARE / 4.0;
        let begun = self.in_progress.values();
        let (bytes, output) = begun.fold((self.finished, self.output), |(bytes, output), of| {
            (bytes + of.0, output + of.1)
        });
        let share = bytes as f64 / self.all.max(1) as f64;
        let caution = 1.0 + (1.0 - share).powi(2);
        (share >= LEAST_BEGUN).then(|| output as f64 / share / caution)
    }

    /// The bytes of all output; `None` while too little is finished.
    pub fn bytes(&self) -> Option<f64> {
        let share = self.share();
        (self.finished > 0 && share >= LEAST_SHARE).then(|| self.output as f64 / share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_is_predicted_in_proportion_once_a_thirty_second_is_finished() {
        let mut prediction = Prediction::new(3200, 0, 0);
        prediction.add(7, 99, &[0; 150]);
        assert_eq!(prediction.bytes(), None);
        assert!(prediction.at_least().is_some_and(|least| (2500.0..2501.0).contains(&least)));
        prediction.add(7, 99, &[0; 50]);
        prediction.finish(7, 99);
        assert_eq!(prediction.bytes(), None);
        prediction.finish(8, 1);
        assert_eq!(prediction.bytes(), Some(6400.0));
        assert_eq!(Prediction::new(0, 0, 0).bytes(), None);
    }

    #[test]
    fn a_resumed_round_is_predicted_from_what_an_earlier_process_has_finished_too() {
        let mut prediction = Prediction::new(3200, 800, 500);
        assert_eq!((prediction.bytes(), prediction.at_the_end(7)), (Some(2000.0), 28.0));
        prediction.add(1, 800, &[0; 100]);
        prediction.finish(1, 800);
        assert_eq!(prediction.bytes(), Some(1200.0));
    }
}
