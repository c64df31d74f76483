//! The progress of a run: what is known of the work that is done and of the rest.
//!
//! The position of a search in its tree does not tell its progress: on 6x8 an eighth of the work
//! lay before the first thousandth of the tree. Work is proportional to the tours found, within a
//! factor of two on the boards that were measured, with and without transposition table. So
//! progress is measured in tours: those found, and those of the unfinished units, which random
//! probes estimate (Knuth 1975). The finished part is known exactly, so the estimate improves
//! during the run. But tours are rare in probes. So what is shown is a second measure, with which
//! the tours have to agree: the finished units, weighted by the nodes that the same probes expect
//! in them. Atomic units are measured by their size instead, and what comes before them by a
//! forecast.
//!
//! Neighbouring units form groups; if there are few units, each is a group. Probes go round the
//! groups, each to a random unfinished unit, so that the mean of a group stands for its unfinished
//! units.

use super::gauge::{Known, Measure, RunCourse, Shown};
use super::{Expected, Interval, ProbeSums};
use crate::rounds::Building;
use crate::tally::Tally;
use crate::units::ShardUnits;
use crate::work::{Work, Worker};
use fastrand::Rng;
use std::borrow::Cow;
use std::time::{Duration, Instant};

/// The time before the first probe: a short run should not pay for it.
const GUESS_AFTER: Duration = Duration::from_secs(1);

/// The largest part of the time of one thread that goes into probes.
const PART_FOR_GUESSING: u32 = 32;

/// The number of atomic units that must be finished before they tell the progress, and their share
/// of the work.
pub(super) const ENOUGH_UNITS: f64 = 4.0;
pub(super) const ENOUGH_WORK: f64 = 0.03;

/// The share of the work of a group of units that lies in the rounds before them, for 10x10 closed.
const OF_ROUNDS: f64 = 0.7;

/// The number of units of a search that must be finished before they tell the progress.
const ENOUGH_SEARCHED: f64 = 16.0;

/// The part of the tours found in units in progress that counts as done. With all of them the time
/// left is too short, with none too long.
const CREDIT: f64 = 0.75;

/// The largest number of groups.
const MOST_GROUPS: usize = 4_096;

/// The number of probes of each group before there is an estimate; fewer miss the rare large
/// values.
const LEAST_PROBES: u64 = 16;

/// The number of probes that must have found a tour before there is an estimate of all tours.
const LEAST_HITS: u64 = 64;

/// The largest error of a rough estimate, relative to the value: from one half to one and a half.
const WIDEST: f64 = 0.5;

/// The relative error of an estimate that needs no other, and no more probes.
const SHARP: f64 = 0.05;

/// The time of an atomic unit grows with this power of its size: 8x9 closed has 1.25 in states and
/// 1.5 in time.
const POWER_OF_SIZE: f64 = 1.4;

impl Interval {
    /// True if its bounds are at most this share of the mean away from it.
    fn is_within(self, share: f64) -> bool {
        self.mean > 0.0 && Self::BARS * self.error <= share * self.mean
    }
}

/// The progress of a run, and the estimate of the rest of its units.
pub struct ProgressEstimate<'a> {
    work: &'a dyn Work,
    /// The worker for probes, from the first probe on: its tables cost as much as a small count.
    worker: Option<Box<dyn Worker + 'a>>,
    units: ShardUnits,
    groups: UnitGroups,
    /// The expected times of atomic units by place in the shard, once they are known.
    pub sizes: Option<Vec<f64>>,
    /// The places of the units of the present group, and the share of their work that is done
    /// before them.
    group: (Vec<usize>, f64),
    /// By each measure of the units of groups, what earlier processes had done of a group when this
    /// one began.
    begun_before: [f64; 2],
    /// The finished part when this process began with the units.
    found_before: f64,
    was_done: Vec<bool>,
    /// The time spent on probes.
    guessed: Duration,
    /// True if no more probes are needed.
    pub(super) is_sharp: bool,
    /// The figures that are shown.
    pub course: RunCourse,
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
    /// The progress of some units of a work, with a forecast of the seconds of all threads
    /// together.
    pub fn new(work: &'a dyn Work, units: ShardUnits, expected: Option<Expected>) -> Self {
        Self {
            work,
            worker: None,
            groups: UnitGroups::new(units.len()),
            was_done: vec![false; units.len()],
            units,
            sizes: None,
            group: (Vec::new(), 0.0),
            begun_before: [0.0; 2],
            found_before: 0.0,
            guessed: Duration::ZERO,
            is_sharp: false,
            course: RunCourse::expecting(expected),
        }
    }

    /// Records the work that is done when a process starts with the units.
    pub fn begin(&mut self, now: Duration, at: SoFar) {
        if !self.work.is_tree() {
            let worker = self.worker.get_or_insert_with(|| self.work.prober());
            let size = |&unit| self.work.cost(worker.as_mut(), unit).powf(POWER_OF_SIZE);
            self.sizes = Some(self.units.numbers().iter().map(size).collect());
        }
        self.begin_pace(now, at);
    }

    /// Records how far the rounds before some units are, in a count that is divided into groups of
    /// units. Of the sizes of later units nothing but a guess is known.
    pub fn in_group(&mut self, now: Duration, at: SoFar, units: &[usize], rounds: &Building) {
        let is_first = self.sizes.is_none();
        if is_first {
            let weight = |&unit| self.work.sweeps().map_or(0, |sweeps| sweeps.weight(unit));
            let size = |unit| f64::from(weight(unit) as u32).exp2();
            self.sizes = Some(self.units.numbers().iter().map(size).collect());
            self.begin_pace(now, at);
        }
        let places = units.iter().filter_map(|&unit| self.units.place(unit));
        // Each round takes about as long as all before it.
        let share = (rounds.rounds_done() - rounds.rounds as f64).exp2();
        self.group = (places.collect(), OF_ROUNDS * share);
        if is_first {
            self.begun_before = self.measures().map(|sizes| self.begun(at, &sizes));
        }
    }

    /// The sizes of the units by two measures: by weight, and 1 for each, but within the present
    /// group in proportion to the weights, with a mean of 1.
    fn measures(&self) -> [Cow<'_, [f64]>; 2] {
        let sizes = self.sizes.as_deref().unwrap_or_default();
        let (mut alike, of_group) = (vec![1.0; sizes.len()], &self.group.0);
        let all: f64 = of_group.iter().map(|&place| sizes[place]).sum();
        for &place in of_group {
            alike[place] = sizes[place] * of_group.len() as f64 / all;
        }
        [sizes.into(), alike.into()]
    }

    /// What is done of the open units of the present group.
    fn begun(&self, at: SoFar, sizes: &[f64]) -> f64 {
        let (places, share) = &self.group;
        let open = places.iter().filter(|&&place| at.counts[place].is_none());
        share * open.map(|&place| sizes[place]).sum::<f64>()
    }

    /// The share of the units that is open.
    fn open(&self, at: SoFar) -> f64 {
        let is_open = |place: &usize| at.counts[*place].is_none();
        let sizes = |place: usize| self.sizes.as_ref().map_or(1.0, |sizes| sizes[place]);
        let all: f64 = (0..at.counts.len()).map(sizes).sum();
        let open: f64 = (0..at.counts.len()).filter(is_open).map(sizes).sum();
        open / all.max(f64::MIN_POSITIVE)
    }

    fn begin_pace(&mut self, now: Duration, at: SoFar) {
        let open = self.open(at);
        self.course.begin_units(now.as_secs_f64(), open);
        self.found_before = at.found.to_f64();
        self.was_done = at.counts.iter().map(Option::is_some).collect();
    }

    /// Improves the estimate by some probes, within a fixed part of the time that has passed.
    pub fn probe(&mut self, elapsed: Duration, at: SoFar) {
        if !self.work.is_tree() || self.is_sharp || elapsed < GUESS_AFTER {
            return;
        }
        let began = Instant::now();
        while self.guessed + began.elapsed() < elapsed / PART_FOR_GUESSING {
            self.probe_once(at);
        }
        self.guessed += began.elapsed();
    }

    pub(super) fn probe_once(&mut self, at: SoFar) {
        let worker = self.worker.get_or_insert_with(|| self.work.prober());
        self.groups.probe(worker.as_mut(), at, |place| self.units.unit(place));
    }

    /// The figures to show of the units, after this process visited `nodes` nodes.
    pub fn of_units(&mut self, now: Duration, nodes: u64, at: SoFar) -> Shown {
        if at.counts.iter().all(Option::is_some) {
            return Shown { share: Some(1.0), left: Some(0.0) };
        }
        let (known, open) = (self.known(at), self.open(at));
        let shown = self.course.of_units(now.as_secs_f64(), open, known);
        let tiny = self.groups.next_to_nothing(nodes, self.units.len());
        tiny.map_or(shown, |share| self.course.next_to_nothing(share))
    }

    /// The work of the units, as far as it is known.
    fn known(&mut self, at: SoFar) -> Known {
        let measure = |cost: &dyn Fn(usize) -> f64| {
            let mut measure = Measure { done: 0.0, rest: 0.0 };
            for place in 0..at.counts.len() {
                if at.counts[place].is_none() {
                    measure.rest += cost(place);
                } else if !self.was_done[place] {
                    measure.done += cost(place);
                }
            }
            measure
        };
        let counted = measure(&|_| 1.0);
        if self.sizes.is_some() {
            let (sizes, is_in_group) = (self.measures(), !self.group.0.is_empty());
            let [sized, alike] = [0, 1].map(|by| {
                let of_units = measure(&|place| sizes[by][place]);
                let begun = self.begun(at, &sizes[by]);
                let done = of_units.done + begun - self.begun_before[by];
                Measure { done: done.max(0.0), rest: of_units.rest - begun }
            });
            let are_enough = counted.done >= ENOUGH_UNITS || is_in_group;
            if !are_enough || sized.done < ENOUGH_WORK * sized.rest {
                return Known::Nothing;
            }
            // The weights of units in groups are a guess, up to four times wrong.
            let roughly = Known::Roughly { shown: sized, check: alike };
            return if is_in_group { roughly } else { Known::Well(sized) };
        }
        let units = (counted.done >= ENOUGH_SEARCHED && self.groups.are_probed())
            .then(|| measure(&|place| self.groups.nodes(place)));
        // There may be no tour at all, or none that a probe has met. Then units in which no node is
        // expected tell nothing: of 3x24 closed, 656 of 684 units are over at once.
        let Some(left) = self.groups.tours_left(at) else {
            let units = units.filter(|units| units.done > 0.0);
            return units.map_or(Known::Nothing, |shown| Known::Roughly { shown, check: counted });
        };
        let whole = Interval { mean: at.found.to_f64() + left.mean, ..left };
        let tours = Measure { done: at.found.to_f64() - self.found_before, rest: left.mean };
        self.is_sharp = whole.is_within(SHARP);
        match units {
            Some(units) if whole.is_within(WIDEST) => {
                // What is done of the units in progress is known by their tours.
                let nodes_per_tour = (units.done + units.rest) / (tours.done + tours.rest);
                let begun = (at.begun * CREDIT * nodes_per_tour).min(units.rest);
                let shown = Measure { done: units.done + begun, rest: units.rest - begun };
                Known::Roughly { shown, check: tours }
            }
            None if self.is_sharp && left.is_within(WIDEST) => Known::Well(tours),
            Some(units) => Known::Roughly { shown: units, check: tours },
            None => Known::Nothing,
        }
    }
}

/// Estimates of the tours and nodes in the units of a run.
#[derive(Debug)]
struct UnitGroups {
    /// The probes of each group of neighbouring units.
    groups: Vec<ProbeSums>,
    /// All probes, and the number of those that found a tour.
    all: ProbeSums,
    hits: u64,
    /// The number of units in a group.
    stride: usize,
    next: usize,
    random: Rng,
}

impl UnitGroups {
    /// The groups of a run with this number of units.
    fn new(units: usize) -> Self {
        let stride = units.div_ceil(MOST_GROUPS).max(1);
        Self {
            groups: vec![ProbeSums::default(); units.div_ceil(stride)],
            all: ProbeSums::default(),
            hits: 0,
            stride,
            next: 0,
            random: Rng::with_seed(0),
        }
    }

    /// Probes the next group once, in an unfinished unit if it has one. `unit` gives the unit at a
    /// place.
    fn probe(&mut self, worker: &mut dyn Worker, at: SoFar, unit: impl Fn(usize) -> usize) {
        let first = self.next * self.stride;
        let of_group = (at.counts.len() - first).min(self.stride);
        let shift = self.random.usize(..of_group);
        let place_after = |step: usize| first + (step + shift) % of_group;
        let mut of_group = (0..of_group).map(place_after);
        let place = of_group.find(|&place| at.counts[place].is_none()).unwrap_or(place_after(0));
        if let Some(probe) = worker.probe(unit(place), self.random.u64(..)) {
            self.groups[self.next].add(probe);
            self.all.add(probe);
            self.hits += u64::from(probe.tours > 0.0);
        }
        self.next = (self.next + 1) % self.groups.len();
    }

    /// True if all groups are probed often enough.
    fn are_probed(&self) -> bool {
        self.groups.iter().all(|group| group.nodes.count >= LEAST_PROBES)
    }

    /// The expected nodes of the unit at a place.
    fn nodes(&self, place: usize) -> f64 {
        self.groups[place / self.stride].nodes.mean
    }

    /// Estimates the tours that are left to be found. Returns `None` until all groups are probed
    /// and enough probes have found a tour.
    fn tours_left(&self, at: SoFar) -> Option<Interval> {
        let (mut left, mut error) = (0.0, 0.0_f64);
        for (group, counts) in self.groups.iter().zip(at.counts.chunks(self.stride)) {
            let open = counts.iter().filter(|count| count.is_none()).count() as f64;
            left += open * group.tours.mean;
            error = error.hypot(open * group.tours.error());
        }
        let is_known = self.are_probed() && self.hits >= LEAST_HITS;
        is_known.then_some(Interval { mean: (left - at.begun).max(0.0), error })
    }

    /// The share of the visited nodes in all, if it is next to nothing even if the transposition
    /// table saves nearly all nodes.
    fn next_to_nothing(&self, nodes: u64, units: usize) -> Option<f64> {
        const SAVED: f64 = 1_000.0;
        const NEXT_TO_NOTHING: f64 = 1e-3;
        let share = nodes as f64 / (self.all.nodes.mean * units as f64);
        let is_known = self.all.nodes.count >= LEAST_PROBES;
        (is_known && share * SAVED < NEXT_TO_NOTHING).then_some(share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::frontier::Frontier;
    use crate::question::Question;
    use crate::units::Shard;
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
        let mut groups = UnitGroups::new(counts.len());
        let mut guesses = Vec::new();
        for _ in 0..probes {
            groups.probe(worker.as_mut(), at, |place| place);
            guesses.extend(groups.tours_left(at));
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
    fn units_that_are_over_at_once_tell_nothing_of_the_others() {
        let work = walk(Question::closed(Board::new(3, 20).expect("in range")));
        let mut worker = work.worker();
        let mut is_over = |unit| {
            let mut probes = (0..20).filter_map(|seed| worker.probe(unit, seed));
            probes.all(|probe| probe.nodes == 0.0)
        };
        let counts: Vec<Option<Tally>> =
            (0..work.units()).map(|unit| is_over(unit).then_some(Tally::ZERO)).collect();
        let done = counts.iter().flatten().count();
        assert!(done > 100 && done < counts.len(), "{done} of {}", counts.len());

        let mut estimate = ProgressEstimate::new(&work, Shard::WHOLE.units_of(&work), None);
        estimate.course.announced = Some(100.0);
        let none = vec![None; counts.len()];
        let [before, at] =
            [&none, &counts].map(|counts| SoFar { counts, found: &Tally::ZERO, begun: 0.0 });
        estimate.begin(Duration::ZERO, before);
        (0..20 * counts.len()).for_each(|_| estimate.probe_once(at));
        let shown = estimate.of_units(Duration::from_secs(3), 1_000_000, at);
        assert!(shown.left.is_some_and(|left| left > 90.0), "{shown:?}");
    }

    #[test]
    fn the_time_left_in_groups_is_between_those_by_weight_and_by_number_if_they_differ() {
        let question = Question::closed(Board::new(8, 8).expect("in range"));
        let work = Frontier::new(question, None).expect("a frontier");
        let weight = |unit| work.sweeps().expect("sweeps").weight(unit);
        let all = work.units();
        let mut units: Vec<usize> = (0..all).collect();
        units.sort_by_key(|&unit| weight(unit));
        // The units with the least weights are done, and a part of the others is the next group.
        let (done, next) = units.split_at(all / 3);
        let sum = |units: &[usize]| units.iter().map(|&unit| (weight(unit) as f64).exp2()).sum();
        let ratio = |done: f64, all: f64| (all - done) / done;
        let by_weight = 100.0 * ratio(sum(done), sum(&units));
        let by_number = 100.0 * ratio(done.len() as f64, all as f64);
        assert!(by_weight > 2.0 * by_number, "{by_weight} {by_number}");

        let mut estimate = ProgressEstimate::new(&work, Shard::WHOLE.units_of(&work), None);
        let is_done = |unit| done.contains(&unit).then_some(Tally::ZERO);
        let counts: Vec<_> = (0..all).map(is_done).collect();
        let none = vec![None; all];
        let [before, at] =
            [&none, &counts].map(|counts| SoFar { counts, found: &Tally::ZERO, begun: 0.0 });
        // So many rounds are to come that nothing is done of the present group.
        let (round, slices, slices_of, states, bytes, most_states) = (0, 0, 1, 0, 0, 0);
        let rounds = Building { round, rounds: 40, slices, slices_of, states, bytes, most_states };
        // Groups of 81 units, as on 10x10 closed.
        estimate.in_group(Duration::ZERO, before, &done[..81], &rounds);
        estimate.in_group(Duration::from_secs(100), at, &next[..81], &rounds);
        let left = estimate.of_units(Duration::from_secs(100), 0, at).left.expect("known");
        assert!(1.3 * by_number < left && left < by_weight / 1.3, "{by_number} {left} {by_weight}");
    }
}
