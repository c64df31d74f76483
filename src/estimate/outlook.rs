//! How much of a run is done, and what is left of it.
//!
//! Where a search stands in its tree does not say how far it is: of 6x8 an eighth of the work lay before the
//! first thousandth of the tree. Work goes with the tours that are found, within a factor of two on the
//! boards that were tried, with and without a table, so the measure is tours: those found, and those of the
//! units that are still open, which random probes guess (Knuth, Estimating the efficiency of backtrack
//! programs, 1975). What is done is known, so a guess gets better as the run goes on. There is none before
//! its error bars are within a factor of three. Units that cannot be split are measured by their size instead.
//!
//! Units lie in groups, one each where they are few. Probes go around the groups, each to a random open unit
//! of its group, so that a group's mean stands for all that are open in it.

use super::{Guess, Moments};
use crate::tally::Tally;
use crate::units::Shard;
use crate::work::{Work, Worker};
use fastrand::Rng;
use std::time::{Duration, Instant};

/// Before this, nothing is guessed: a short run should not pay for it.
const GUESS_AFTER: Duration = Duration::from_secs(1);

/// Guessing takes at most this part of the time of one thread.
const PART_FOR_GUESSING: u32 = 32;

/// Without news of the rate for this long there is no guess of the time left.
const SETTLE: Duration = Duration::from_secs(2);

/// Units that have to be done before they say how far a run is that searches no tree.
const ENOUGH_UNITS: usize = 4;

/// The most groups of units.
const MOST_GROUPS: usize = 4_096;

/// Probes of each group before there is a guess: fewer miss the rare large values.
const LEAST_PROBES: u64 = 16;

/// The largest error bar, as a share of what it is the error of: from one half to one and a half.
const WIDEST: f64 = 0.5;

/// An error bar that is good enough to stop probing.
const SHARP: f64 = 0.05;

impl Guess {
    /// The mean, when the error bars are within a factor of three.
    fn known(self) -> Option<f64> {
        (self.mean > 0.0 && Self::BARS * self.error <= WIDEST * self.mean).then_some(self.mean)
    }

    /// Whether more probes would not say more.
    fn is_sharp(self) -> bool {
        self.mean > 0.0 && Self::BARS * self.error <= SHARP * self.mean
    }
}

/// How far the units of a run are, and what they come to.
pub struct Outlook<'a> {
    work: &'a dyn Work,
    worker: Box<dyn Worker + 'a>,
    shard: Shard,
    groups: Groups,
    /// Of units that cannot be split, how large each is.
    sizes: Option<Vec<f64>>,
    /// When this process began with the units, and what was done of them, in the measure of the work.
    began: Instant,
    before: f64,
    /// Time spent on guessing.
    guessed: Duration,
    is_sharp: bool,
}

/// What has come of the units of a shard so far.
#[derive(Clone, Copy)]
pub struct SoFar<'a> {
    /// By place in the shard, the counts of the units that are done.
    pub counts: &'a [Option<Tally>],
    /// Tours found in all.
    pub found: &'a Tally,
    /// Those in units that are not done.
    pub begun: f64,
}

impl SoFar<'_> {
    fn is_open(&self, place: usize) -> bool {
        self.counts[place].is_none()
    }
}

impl<'a> Outlook<'a> {
    /// Of a shard of a work.
    pub fn new(work: &'a dyn Work, shard: Shard) -> Self {
        Self {
            work,
            worker: work.worker(),
            shard,
            groups: Groups::new(shard.len(work.units())),
            sizes: None,
            began: Instant::now(),
            before: 0.0,
            guessed: Duration::ZERO,
            is_sharp: false,
        }
    }

    /// Takes note of what is done when a process begins with the units.
    pub fn begin(&mut self, at: SoFar) {
        self.began = Instant::now();
        if !self.work.is_tree() {
            let size = |place| self.work.cost(self.worker.as_mut(), self.shard.unit(place));
            self.sizes = Some((0..at.counts.len()).map(size).collect());
        }
        self.before = self.done(at);
    }

    /// By place, how large units are that cannot be split, once that is known.
    pub fn sizes(&self) -> Option<&[f64]> {
        self.sizes.as_deref()
    }

    /// What is done, in tours or, where units cannot be split, in their sizes.
    fn done(&self, at: SoFar) -> f64 {
        let Some(sizes) = &self.sizes else {
            return at.found.to_f64();
        };
        let of = sizes.iter().enumerate();
        of.filter(|&(place, _)| !at.is_open(place)).map(|(_, size)| size).sum()
    }

    /// Makes the guess at what the run comes to a little better, in a part of the time that has passed.
    pub fn probe(&mut self, elapsed: Duration, at: SoFar) {
        if !self.work.is_tree() || self.is_sharp || elapsed < GUESS_AFTER {
            return;
        }
        let began = Instant::now();
        while self.guessed + began.elapsed() < elapsed / PART_FOR_GUESSING {
            let unit = |place| self.shard.unit(place);
            let (worker, places) = (self.worker.as_mut(), at.counts.len());
            self.groups.probe(worker, |place| at.is_open(place), places, unit);
        }
        self.guessed += began.elapsed();
    }

    /// What all comes to, in the measure of [`Outlook::done`].
    fn whole(&mut self, at: SoFar) -> Option<f64> {
        if let Some(sizes) = &self.sizes {
            let done = at.counts.iter().flatten().count();
            return (done >= ENOUGH_UNITS).then(|| sizes.iter().sum());
        }
        let is_open = |place| at.is_open(place);
        let guess = self.groups.of_tours(at.found.to_f64(), at.begun, is_open, at.counts.len())?;
        self.is_sharp = guess.is_sharp();
        guess.known()
    }

    /// The share of the work that is done, and the time that the rest takes at the rate of this process.
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

/// Guesses at what the units of a run hold.
#[derive(Debug)]
struct Groups {
    /// The probes of some neighbouring units each.
    groups: Vec<Moments>,
    /// Units of a group.
    stride: usize,
    next: usize,
    random: Rng,
}

impl Groups {
    /// Of a run of so many units.
    fn new(units: usize) -> Self {
        let stride = units.div_ceil(MOST_GROUPS).max(1);
        Self {
            groups: vec![Moments::default(); units.div_ceil(stride)],
            stride,
            next: 0,
            random: Rng::with_seed(0),
        }
    }

    /// Probes the next group once, unless all of its units are done. `unit` says which unit is at a place.
    fn probe(
        &mut self,
        worker: &mut dyn Worker,
        is_open: impl Fn(usize) -> bool,
        places: usize,
        unit: impl Fn(usize) -> usize,
    ) {
        let first = self.next * self.stride;
        let of_group = (places - first).min(self.stride);
        let shift = self.random.usize(..of_group);
        let mut of_group = (0..of_group).map(|place| first + (place + shift) % of_group);
        if let Some(place) = of_group.find(|&place| is_open(place))
            && let Some(probe) = worker.probe(unit(place), self.random.u64(..))
        {
            self.groups[self.next].add(probe.tours);
        }
        self.next = (self.next + 1) % self.groups.len();
    }

    /// What a run comes to, in tours, that has found so much, `begun` of it in units that are still open; `None` before all
    /// groups with open units are probed.
    fn of_tours(
        &self,
        found: f64,
        begun: f64,
        is_open: impl Fn(usize) -> bool,
        places: usize,
    ) -> Option<Guess> {
        let (mut left, mut error) = (0.0, 0.0_f64);
        for (place, group) in self.groups.iter().enumerate() {
            let first = place * self.stride;
            let of_group = first..places.min(first + self.stride);
            let open = of_group.filter(|&place| is_open(place)).count() as f64;
            if open > 0.0 {
                (group.count >= LEAST_PROBES).then_some(())?;
                left += open * group.mean;
                error = error.hypot(open * group.error());
            }
        }
        Some(Guess { mean: found + (left - begun).max(0.0), error })
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

    /// Probes so often, and gives the guesses on the way.
    fn guesses(work: &Walk, probes: usize) -> Vec<Guess> {
        let (mut worker, places) = (work.worker(), work.units());
        let mut outlook = Groups::new(places);
        let mut guesses = Vec::new();
        for _ in 0..probes {
            outlook.probe(worker.as_mut(), |_| true, places, |place| place);
            guesses.extend(outlook.of_tours(0.0, 0.0, |_| true, places));
        }
        guesses
    }

    #[test]
    fn no_figure_is_given_before_it_is_within_a_factor_of_three_of_the_truth() {
        let board = |rows, cols| Board::new(rows, cols).expect("in range");
        let boards = [(board(5, 5), 1_728.0), (board(5, 6), 37_568.0), (board(6, 6), 6_637_920.0)];
        for (board, tours) in boards {
            let work = walk(Question::open(board));
            let guesses = guesses(&work, 40 * work.units());
            let known: Vec<f64> = guesses.iter().filter_map(|guess| guess.known()).collect();
            assert!(!known.is_empty(), "{board} has no figure at last");
            for mean in known {
                assert!((tours / 3.0..=tours * 3.0).contains(&mean), "{board}: {mean}");
            }
        }
    }

    #[test]
    fn where_all_is_done_what_was_found_is_the_whole() {
        let whole = Groups::new(7).of_tours(12.0, 0.0, |_| false, 7);
        let certain = Guess { mean: 12.0, error: 0.0 };
        assert_eq!(whole, Some(certain));
        assert!(certain.is_sharp());
    }
}
