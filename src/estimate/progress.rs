//! The progress of a run: the share that is done, and the time left.
//!
//! The position of a search in its tree does not tell its progress: on 6x8 an eighth of the work
//! lay before the first thousandth of the tree. Work is proportional to the tours found, within a
//! factor of two on the boards that were measured, with and without transposition table. So
//! progress is measured in tours: those found, and those of the unfinished units, which random
//! probes estimate (Knuth 1975). The finished part is known exactly, so the estimate improves as
//! the run goes on. It is not shown until its bounds are within a factor of three. Atomic units are
//! measured by their size instead.
//!
//! Neighbouring units form groups; if there are few units, each is a group. Probes go round the
//! groups, each to a random unfinished unit, so that the mean of a group stands for its unfinished
//! units.

use super::{Interval, Moments};
use crate::tally::Tally;
use crate::units::ShardUnits;
use crate::work::{Work, Worker};
use fastrand::Rng;
use std::time::{Duration, Instant};

/// The time before the first probe: a short run should not pay for it.
const GUESS_AFTER: Duration = Duration::from_secs(1);

/// The largest part of the time of one thread that goes into probes.
const PART_FOR_GUESSING: u32 = 32;

/// The time after which the rate has settled; before it, no time left is shown.
const SETTLE: Duration = Duration::from_secs(2);

/// The number of units that must be finished before they tell the progress of a run that searches
/// no tree.
const ENOUGH_UNITS: usize = 4;

/// The largest number of groups.
const MOST_GROUPS: usize = 4_096;

/// The number of probes of each group before there is an estimate; fewer miss the rare large
/// values.
const LEAST_PROBES: u64 = 16;

/// The largest error that is shown, relative to the value: from one half to one and a half.
const WIDEST: f64 = 0.5;

/// The relative error that is good enough to stop probing.
const SHARP: f64 = 0.05;

impl Interval {
    /// True if its bounds are at most this share of the mean away from it.
    fn is_within(self, share: f64) -> bool {
        self.mean > 0.0 && Self::BARS * self.error <= share * self.mean
    }
}

/// The progress of the units of a run, and the estimate of their total.
pub struct ProgressEstimate<'a> {
    work: &'a dyn Work,
    /// The worker for probes, from the first probe on: its tables cost as much as a small count.
    worker: Option<Box<dyn Worker + 'a>>,
    units: ShardUnits,
    groups: Groups,
    /// The size of each unit, if units are atomic.
    sizes: Option<Vec<f64>>,
    /// The moment when this process started with the units, and the work that was done then.
    began: Instant,
    before: f64,
    /// The time spent on probes.
    guessed: Duration,
    is_sharp: bool,
}

/// The counts of the units of a shard so far.
#[derive(Clone, Copy)]
pub struct SoFar<'a> {
    /// For each place in the shard, the count of the unit if it is done.
    pub counts: &'a [Option<Tally>],
    /// The tours found in all units.
    pub found: &'a Tally,
    /// The tours found in unfinished units.
    pub begun: f64,
}

impl<'a> ProgressEstimate<'a> {
    /// The progress of some units of a work.
    pub fn new(work: &'a dyn Work, units: ShardUnits) -> Self {
        Self {
            work,
            worker: None,
            groups: Groups::new(units.len()),
            units,
            sizes: None,
            began: Instant::now(),
            before: 0.0,
            guessed: Duration::ZERO,
            is_sharp: false,
        }
    }

    /// Records the work that is done when a process starts with the units.
    pub fn begin(&mut self, at: SoFar) {
        self.began = Instant::now();
        if !self.work.is_tree() {
            let worker = self.worker.get_or_insert_with(|| self.work.prober());
            let size = |&unit| self.work.cost(worker.as_mut(), unit);
            self.sizes = Some(self.units.numbers().iter().map(size).collect());
        }
        self.before = self.done(at);
    }

    /// Records the work that is done when a process starts with the units of its first group, in a
    /// count that is divided into groups. Nothing is known of the sizes of later units.
    pub fn begin_group(&mut self, at: SoFar) {
        if self.sizes.is_none() {
            self.began = Instant::now();
            self.sizes = Some(vec![1.0; at.counts.len()]);
            self.before = self.done(at);
        }
    }

    /// The sizes of atomic units by place in the shard, once they are known.
    pub fn sizes(&self) -> Option<&[f64]> {
        self.sizes.as_deref()
    }

    /// The work that is done: in tours, or in sizes for atomic units.
    fn done(&self, at: SoFar) -> f64 {
        let Some(sizes) = &self.sizes else {
            return at.found.to_f64();
        };
        sizes.iter().zip(at.counts).filter(|(_, count)| count.is_some()).map(|(size, _)| size).sum()
    }

    /// Improves the estimate by some probes, within a fixed part of the time that has passed.
    pub fn probe(&mut self, elapsed: Duration, at: SoFar) {
        if !self.work.is_tree() || self.is_sharp || elapsed < GUESS_AFTER {
            return;
        }
        let began = Instant::now();
        while self.guessed + began.elapsed() < elapsed / PART_FOR_GUESSING {
            let worker = self.worker.get_or_insert_with(|| self.work.prober());
            self.groups.probe(worker.as_mut(), at, |place| self.units.unit(place));
        }
        self.guessed += began.elapsed();
    }

    /// The total work, in the measure of [`ProgressEstimate::done`].
    fn whole(&mut self, at: SoFar) -> Option<f64> {
        if let Some(sizes) = &self.sizes {
            let done = at.counts.iter().flatten().count();
            return (done >= ENOUGH_UNITS).then(|| sizes.iter().sum());
        }
        let guess = self.groups.of_tours(at)?;
        self.is_sharp = guess.is_within(SHARP);
        guess.is_within(WIDEST).then_some(guess.mean)
    }

    /// The share of the work that is done, and the time that the rest takes at the rate of this
    /// process.
    pub fn share_and_left(&mut self, at: SoFar) -> (Option<f64>, Option<Duration>) {
        if at.counts.iter().all(Option::is_some) {
            return (Some(1.0), Some(Duration::ZERO));
        }
        let Some(whole) = self.whole(at) else {
            return (None, None);
        };
        let (done, took) = (self.done(at), self.began.elapsed());
        let seconds = took.as_secs_f64() * (whole - done) / (done - self.before);
        let left = Duration::try_from_secs_f64(seconds).ok();
        (Some(done / whole), left.filter(|_| took >= SETTLE))
    }
}

/// Estimates of the tours in the units of a run.
#[derive(Debug)]
struct Groups {
    /// The probes of each group of neighbouring units.
    groups: Vec<Moments>,
    /// The number of units in a group.
    stride: usize,
    next: usize,
    random: Rng,
}

impl Groups {
    /// The groups of a run with this number of units.
    fn new(units: usize) -> Self {
        let stride = units.div_ceil(MOST_GROUPS).max(1);
        Self {
            groups: vec![Moments::default(); units.div_ceil(stride)],
            stride,
            next: 0,
            random: Rng::with_seed(0),
        }
    }

    /// Probes the next group once, unless all of its units are done. `unit` gives the unit at a
    /// place.
    fn probe(&mut self, worker: &mut dyn Worker, at: SoFar, unit: impl Fn(usize) -> usize) {
        let first = self.next * self.stride;
        let of_group = (at.counts.len() - first).min(self.stride);
        let shift = self.random.usize(..of_group);
        let mut of_group = (0..of_group).map(|place| first + (place + shift) % of_group);
        if let Some(place) = of_group.find(|&place| at.counts[place].is_none())
            && let Some(probe) = worker.probe(unit(place), self.random.u64(..))
        {
            self.groups[self.next].add(probe.tours);
        }
        self.next = (self.next + 1) % self.groups.len();
    }

    /// Estimates the total of a run in tours. Returns `None` until all groups with unfinished units
    /// are probed.
    fn of_tours(&self, at: SoFar) -> Option<Interval> {
        let (mut left, mut error) = (0.0, 0.0_f64);
        for (place, group) in self.groups.iter().enumerate() {
            let first = place * self.stride;
            let of_group = at.counts[first..].iter().take(self.stride);
            let open = of_group.filter(|count| count.is_none()).count() as f64;
            if open > 0.0 {
                (group.count >= LEAST_PROBES).then_some(())?;
                left += open * group.mean;
                error = error.hypot(open * group.error());
            }
        }
        Some(Interval { mean: at.found.to_f64() + (left - at.begun).max(0.0), error })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::question::Question;
    use crate::walk::{MemoSize, Options, Walk};
    use crate::work::Work;

    fn walk(question: Question) -> Walk {
        let options = Options { memo: MemoSize::Off, ..Options::default() };
        Walk::new(question, &options).expect("in range")
    }

    /// Makes the given number of probes and returns the estimates on the way.
    fn guesses(work: &Walk, probes: usize) -> Vec<Interval> {
        let (mut worker, counts) = (work.worker(), vec![None; work.units()]);
        let at = SoFar { counts: &counts, found: &Tally::ZERO, begun: 0.0 };
        let mut groups = Groups::new(counts.len());
        let mut guesses = Vec::new();
        for _ in 0..probes {
            groups.probe(worker.as_mut(), at, |place| place);
            guesses.extend(groups.of_tours(at));
        }
        guesses
    }

    #[test]
    fn no_figure_is_given_before_it_is_within_a_factor_of_three_of_the_truth() {
        let board = |rows, cols| Board::new(rows, cols).expect("in range");
        let boards = [(board(5, 5), 1_728.0), (board(5, 6), 37_568.0), (board(6, 6), 6_637_920.0)];
        for (board, tours) in boards {
            let work = walk(Question::open(board.clone()));
            let guesses = guesses(&work, 40 * work.units());
            let known = guesses.into_iter().filter(|guess| guess.is_within(WIDEST));
            let known: Vec<f64> = known.map(|guess| guess.mean).collect();
            assert!(!known.is_empty(), "{board} has no figure at last");
            for mean in known {
                assert!((tours / 3.0..=tours * 3.0).contains(&mean), "{board}: {mean}");
            }
        }
    }

    #[test]
    fn where_all_is_done_what_was_found_is_the_whole() {
        let (counts, found) = ([const { Some(Tally::ZERO) }; 7], Tally::from(12_u32));
        let whole = Groups::new(7).of_tours(SoFar { counts: &counts, found: &found, begun: 0.0 });
        let certain = Interval { mean: 12.0, error: 0.0 };
        assert_eq!(whole, Some(certain));
        assert!(certain.is_within(SHARP));
    }
}
