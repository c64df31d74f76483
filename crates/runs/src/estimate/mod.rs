//! Estimates of the size of a count and its time, before it runs.
//!
//! A search tree is too large to be measured, and its units differ too much for a few of them to
//! stand for all. So nodes and tours are estimated by random probes ([`Worker::probe`], Knuth 1975)
//! with stratified sampling: a pilot round of probes finds the units that vary most, and the second
//! round concentrates on them (Neyman allocation). The time is the number of nodes divided by a
//! rate, which is measured on a random sample of small pieces.
//!
//! `results/estimate.tsv` compares estimates with the truth where it is known.

mod gauge;
mod progress;
#[cfg(test)]
mod simulation;

use crate::cursor::UnitPiece;
use crate::frontier::Frontier;
pub use crate::frontier::forecast::{Forecast, SampleSize};
use crate::quantity::bytes;
use crate::rates::Rates;
pub use crate::rounds::SharedStop;
use crate::rounds::room_for_layers;
use crate::work::{Pause, Probe, Work, Worker};
use fastrand::Rng;
pub use gauge::Shown;
pub(crate) use progress::{ProgressEstimate, SoFar};
use std::ops::Add;
use std::time::{Duration, Instant};

/// The forecast of a count by the frontier, with times.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Expected {
    /// The forecast of states and bytes.
    pub forecast: Forecast,
    /// The seconds of one thread before the units.
    pub before: f64,
    /// The seconds of one thread within the units, including the joins.
    pub within: f64,
}

/// The time per state of a count in groups, as a multiple: at least, expected and at most.
const TIME_IN_GROUPS: [f64; 3] = [1.0, 1.4, 2.0];

/// The factor by which the states that groups repeat may be more or less than expected.
const REPEATED_MORE: f64 = 3.5;

/// The states that groups repeat, as a multiple of all states, if the layers would fit once they
/// were halved this many times. The counts from which this rule was drawn are in
/// `results/bounded-counts.tsv`.
fn repeated(halvings: f64) -> f64 {
    if halvings > 0.0 { 0.9 + 0.3 * halvings.powi(3) } else { 0.0 }
}

/// The most that units take, because of their joins, as a multiple of what is expected: 4.5 times
/// it on the 5x5 torus.
const UNITS_LONGER: f64 = 5.0;

/// The states per round of the first, quickest sample.
const LEAST_EFFORT: u64 = 6_000;

/// The states per round of the largest sample: it takes two gigabytes.
const MOST_EFFORT: u64 = 20_000_000;

/// Bytes of memory that a sample takes per state of its effort.
const BYTES_PER_STATE: u64 = 100;

/// The least memory for a sample of any use.
const LEAST_FOR_SAMPLES: u64 = 16 << 20;

/// Each sample processes this many times as many states as the one before.
const MORE: u64 = 5;

/// The share of a slice's states below which a sample is not used: a thinner sample was ten
/// thousand times too high for 10x10 and seven times for 8x9.
const THIN: f64 = 1e-3;

/// The number of columns from which every sample of minutes is thin. Such a board gets a quarter of
/// the time, other boards get half of it.
const WIDE: u32 = 9;

/// The time and memory that a forecast may take, and the seed of its samples.
#[derive(Clone, Copy)]
pub struct ForecastEffort<'a> {
    /// The time after which it ends with what it has.
    pub within: Duration,
    /// The most bytes of memory, beside tables of a few megabytes; 16 MiB are taken anyhow.
    pub memory: u64,
    /// The seed that selects the slices.
    pub seed: u64,
    /// Returns true if the forecast has to stop at once.
    pub stop: SharedStop<'a>,
}

/// Forecasts a count by the frontier from samples of its slices. If the sample is thin, or none is
/// finished in time, the forecast is continued from those of the boards that are two and four
/// columns narrower. A shard takes no more than the whole. Returns `None` if time or memory do not
/// suffice for any forecast, and if `stop` asked for it.
pub fn of_frontier(frontier: &Frontier, effort: ForecastEffort) -> Option<Forecast> {
    let began = Instant::now();
    let memory = effort.memory.max(LEAST_FOR_SAMPLES);
    // The share of the time and all of the memory, for one of several samples.
    let part = |within| ForecastEffort { within, memory, ..effort };
    let left = || effort.within.saturating_sub(began.elapsed());
    let first = effort.within / if frontier.columns() >= WIDE { 4 } else { 2 };
    let sample = sampled(frontier, part(first));
    if sample.is_some_and(|sample| sample.fill >= THIN) {
        return sample;
    }
    if (effort.stop)() {
        return None;
    }
    let [Some(narrower), Some(narrowest)] = [2, 4].map(|columns| frontier.narrower(columns)) else {
        return sample;
    };
    let narrower = sampled(&narrower, part(left() * 3 / 4))?;
    let narrowest = sampled(&narrowest, part(left()))?;
    let whole = sample.unwrap_or(narrower).continued(narrower, narrowest);
    Some(match frontier.is_restricted() {
        true => sample.unwrap_or(whole).at_most(whole),
        false => whole,
    })
}

/// Returns the work of a run before its units as a number of states that take the usual time, of
/// the states and their seconds: where a state is known to take longer, it is more of them.
pub(crate) fn at_usual_rates(
    frontier: Option<&Frontier>,
    (states, seconds): (f64, f64),
) -> (f64, f64) {
    let known = frontier.and_then(Frontier::known_sizes);
    let longer = known.filter(|known| known.before > 0.0).map_or(1.0, |known| {
        Expected::new(known, Rates::USUAL, 1).before / (known.before * Rates::USUAL.before)
    });
    (states * longer, seconds)
}

/// Returns the sizes of a count if they are known, and else samples slices at random
/// ([`Frontier::forecast`]), with larger and larger samples while time
/// remains, and then averages over several. A board that is processed as a whole needs only one. A
/// sample that is not finished in time is left out; returns `None` if that is the first.
fn sampled(frontier: &Frontier, effort: ForecastEffort) -> Option<Forecast> {
    if let Some(known) = frontier.known_sizes() {
        return Some(known);
    }
    let ForecastEffort { within, memory, seed, stop } = effort;
    let began = Instant::now();
    let clock = || began.elapsed().as_secs_f64();
    let is_over = || stop() || began.elapsed() >= within;
    let most_effort = MOST_EFFORT.min(memory / BYTES_PER_STATE).max(LEAST_EFFORT);
    let mut effort = LEAST_EFFORT;
    let mut samples: Vec<Forecast> = Vec::new();
    let mut is_larger = true;
    loop {
        let start = clock();
        let seed = seed.wrapping_add(if is_larger { 0 } else { samples.len() as u64 });
        let size = SampleSize { effort, memory };
        let Some(sample) = frontier.forecast(size, seed, &clock, &is_over) else {
            break;
        };
        if is_larger {
            samples.clear();
        }
        samples.push(sample);
        let (took, left) = (clock() - start, within.as_secs_f64() - clock());
        if sample.is_whole || left < took {
            break;
        }
        // Five times the effort takes two to five times as long.
        is_larger = effort < most_effort && left > 3.0 * took;
        if is_larger {
            effort = (effort * MORE).min(most_effort);
        }
    }
    (!samples.is_empty() && !stop()).then(|| Forecast::mean(&samples))
}

/// The work of a count under limits, as a multiple of the work with ample room.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Multiple {
    /// The states, some of which are computed for several groups.
    pub states: f64,
    /// The time, in which each group also reads the layers of the groups around it.
    pub time: f64,
}

/// True if the bounds of a count tell something of its time. They are wider in groups, whose states
/// the forecast does not know.
pub(crate) fn are_telling([least, most]: [f64; 2]) -> bool {
    most <= 1e5 * least
}

/// The bytes that the layers of a count may take, given the memory and the disk for its states. A
/// unit that is larger than what is left for units is counted by itself.
pub fn room(memory: u64, disk: u64) -> u64 {
    // The other half of the memory is for units.
    room_for_layers(memory / 2, disk)
}

/// The error for room that is too small even for the lower bound of a forecast.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("its states are expected to take {} (from {} to {}), more than the {} that they may take",
    bytes(*.states), bytes(.states * .bounds[0]), bytes(.states * .bounds[1]), bytes(*.room as f64))]
pub struct NoRoom {
    /// The bytes that its states are expected to take before the units.
    pub states: f64,
    /// Factors for the least and the most.
    pub bounds: [f64; 2],
    /// The bytes that they may take.
    pub room: u64,
    /// The bytes that suffice for what is expected. [`u64::MAX`] if no number does.
    pub enough: u64,
    /// The bytes that the disk has for them; [`u64::MAX`] if that is not known.
    pub free: u64,
}

impl Expected {
    /// The times of a forecast at some rates. Threads that wait for another one count as busy.
    pub fn new(forecast: Forecast, rates: Rates, threads: usize) -> Self {
        let slower = rates.before / Rates::USUAL.before;
        let [before, within] = forecast.usual_seconds.map_or_else(
            || {
                // The stages of boards with many moves take longer, and samples show how long.
                let rates = Rates { before: rates.before.max(forecast.seconds_a_state), ..rates };
                let of_units = forecast.within + forecast.joined;
                let waiting = forecast.alone * (threads.max(1) - 1) as f64;
                [(forecast.before + waiting) * rates.before, of_units * rates.within()]
            },
            |known| known.map(|seconds| seconds * slower),
        );
        Self { forecast, before, within }
    }

    /// The bytes that limited layers take while a round has its output beside what it reads. With
    /// ample room they take less: what was read is freed slice by slice. By the same counts.
    pub(crate) fn bytes_at_once(&self) -> f64 {
        1.4 * self.forecast.bytes
    }

    /// Seconds of one thread.
    pub fn seconds(&self) -> f64 {
        self.before + self.within
    }

    /// The bounds of the time, as factors of it. Where the time of the units was not measured, it
    /// may be [`UNITS_LONGER`] times the expected one.
    pub fn time_bounds(&self) -> [f64; 2] {
        let [least, most] = self.forecast.bounds();
        match self.forecast.usual_seconds {
            None if self.within > 0.0 => {
                let longer = (self.before + UNITS_LONGER * self.within) / self.seconds();
                [least, most * longer]
            }
            _ => [least, most],
        }
    }

    /// The same forecast in the seconds of `threads` threads together.
    pub fn of_threads(self, threads: usize) -> Self {
        let threads = threads.max(1) as f64;
        Self { before: self.before / threads, within: self.within / threads, ..self }
    }

    /// The same forecast for a count in groups that takes this multiple of the work.
    pub(crate) fn times(self, multiple: Multiple) -> Self {
        let Self { mut forecast, before, within } = self;
        forecast.before *= multiple.states;
        Self { forecast, before: before * multiple.time, within: within * multiple.time }
    }

    /// The seconds left of a run that has computed `states` states before its units, `here` of them
    /// by this process in `took` seconds; a share `rest` of the units is open. At first this is by
    /// the rates, and more and more by the speed of the run. A run with more states than forecast is
    /// larger: on a logarithmic scale, a third of the way from those states to the upper bound.
    #[doc(hidden)]
    pub fn left(&self, [states, here]: [u64; 2], took: f64, rest: f64) -> f64 {
        /// The states that are still to come where the forecast is used up, as a share.
        const MORE: f64 = 1.05;
        /// The share of the work after which the speed of the run counts alone.
        const TRUSTED: f64 = 0.1;
        // Without states before the units, none of them is a share.
        let before = if self.forecast.before > 0.0 { self.forecast.before } else { f64::INFINITY };
        let share = |states: u64| states as f64 / before.max(1.0);
        let ([_, most], used) = (self.forecast.bounds(), share(states) * MORE);
        let more = if used > 1.0 { used * (most / used).cbrt().max(1.0) } else { 1.0 };
        let whole = (self.before + self.within * rest) * more;
        let by_rates = whole - self.before * share(states);
        let done_here = self.before * share(here);
        let trust = (done_here / (TRUSTED * whole)).min(1.0);
        if trust > 0.0 { by_rates * (took / done_here).powf(trust) } else { by_rates }
    }

    /// The same for a run that is at its units since `took` seconds, of which a share `rest` was
    /// open then. If it computed all states before them, in `before` seconds, its speed is between
    /// that and the forecast.
    /// Units that are open now, a share `open`, take their time, whatever was spent on others; and
    /// the longer they all take, the more of them is left.
    pub(crate) fn left_of_units(
        &self,
        before: Option<f64>,
        took: f64,
        [rest, open]: [f64; 2],
    ) -> f64 {
        let before = before.filter(|_| self.before > 0.0);
        let speed = before.map_or(1.0, |before| (before / self.before).sqrt());
        let expected = self.within * rest * speed;
        let late = 0.5 * (took - expected) * open / rest;
        not_over(expected, took).max(self.within * open * speed).max(late)
    }

    /// The work of a count whose layers have this [`room`]: the multiple of the work with ample
    /// room, as it is expected, at least and at most. `None` if its layers surely fit, so that its
    /// units need not be counted in groups.
    pub fn in_groups(&self, room: u64) -> Option<[Multiple; 3]> {
        let [least, most] = self.forecast.bounds();
        let halvings = |times: f64| (self.bytes_at_once() * times / room.max(1) as f64).log2();
        let multiple = |(times, more, time): (f64, f64, f64)| {
            let repeated = repeated(halvings(times)) * more;
            let states = 1.0 + repeated;
            Multiple { states, time: if repeated > 0.0 { states * time } else { 1.0 } }
        };
        let [quick, usual, slow] = TIME_IN_GROUPS;
        let (low, high) = ((least, 1.0 / REPEATED_MORE, quick), (most, REPEATED_MORE, slow));
        (halvings(most) > 0.0).then(|| [(1.0, 1.0, usual), low, high].map(multiple))
    }

    /// Compares what the layers take at once with the bytes that they may take. Returns true if it
    /// fits even at the upper bound, or nothing is known; false if it fits only below that bound.
    ///
    /// # Errors
    /// [`NoRoom`] with the room that suffices for what is expected, which is more than the least.
    pub fn fits(&self, room: u64) -> Result<bool, NoRoom> {
        let (bounds, states) = (self.forecast.bounds(), self.bytes_at_once());
        let [least, most] = bounds.map(|times| states * times);
        let is_sure = !self.forecast.is_known() || most <= room as f64;
        if is_sure || least <= room as f64 {
            return Ok(is_sure);
        }
        // A number past the largest becomes that.
        Err(NoRoom { states, bounds, room, enough: states.ceil() as u64, free: u64::MAX })
    }
}

/// The seconds left of work that was expected to take some time, and has taken `took` of it. What
/// takes longer than expected is not over.
pub(crate) fn not_over(expected: f64, took: f64) -> f64 {
    (expected - took).max(0.1 * took)
}

/// An estimated value with its bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The estimate; infinite past 10^308, and then the lower bound is 0.
    pub mean: f64,
    /// The standard error of the mean.
    pub error: f64,
}

impl Interval {
    /// The bounds, in standard errors. Probes are far from normally distributed: a sample that
    /// misses the rare large values is low and seems certain. Of 60 estimates of known searches, 6
    /// were off by more than 2 standard errors in nodes and 5 in tours, none by more than 3.
    pub const BARS: f64 = 3.0;

    /// The lower bound.
    pub fn low(&self) -> f64 {
        (self.mean - Self::BARS * self.error).max(0.0)
    }

    /// The upper bound.
    pub fn high(&self) -> f64 {
        self.mean + Self::BARS * self.error
    }
}

/// The estimated size of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchSize {
    /// The nodes that a search without a transposition table visits.
    pub nodes: Interval,
    /// The directed tours.
    pub tours: Interval,
    /// The number of probes made.
    pub probes: u64,
}

/// The probes of one unit so far.
#[derive(Debug, Clone, Copy, Default)]
struct ProbeSums {
    nodes: Moments,
    tours: Moments,
}

impl ProbeSums {
    fn add(&mut self, probe: Probe) {
        self.nodes.add(probe.nodes);
        self.tours.add(probe.tours);
    }
}

/// The number of values, their mean, and the root of the sum of their squared distances from it
/// (Welford 1962). Roots are kept because boards of 21x21 and more have numbers of nodes whose
/// squares exceed the largest `f64`.
#[derive(Debug, Clone, Copy, Default)]
struct Moments {
    pub count: u64,
    pub mean: f64,
    distance: f64,
}

impl Moments {
    pub fn add(&mut self, value: f64) {
        self.count += 1;
        if value.is_infinite() || self.mean.is_infinite() {
            (self.mean, self.distance) = (f64::INFINITY, f64::INFINITY);
            return;
        }
        let before = value - self.mean;
        self.mean += before / self.count as f64;
        let after = value - self.mean;
        let further = before.abs().sqrt() * after.abs().sqrt();
        self.distance = self.distance.hypot(further);
    }

    /// The standard deviation of a single value.
    fn deviation(&self) -> f64 {
        self.distance / (self.count as f64 - 1.0).sqrt()
    }

    /// The standard error of the mean.
    pub fn error(&self) -> f64 {
        self.deviation() / (self.count as f64).sqrt()
    }
}

/// Estimates the size of a search; the result is the same for the same seed. Returns `None` if
/// `stop` asked for it, and for a work without a search tree.
///
/// A quarter of the probes is distributed evenly over all units and only decides how the rest is
/// distributed. These probes are not counted, because a unit that looks small by chance would keep
/// its small share, and the total would be too low.
pub fn estimate(work: &dyn Work, probes: u64, seed: u64, stop: SharedStop) -> Option<SearchSize> {
    /// Fewer probes say nothing about the variation of a unit.
    const LEAST: u64 = 4;
    let (mut worker, mut random) = (work.prober(), Rng::with_seed(seed));
    // A sample of every unit, of the size that `times` gives; `None` if `stop` asked for it.
    let mut samples = |times: &dyn Fn(usize) -> u64| -> Option<Vec<ProbeSums>> {
        let mut sample = |unit| {
            let mut sample = ProbeSums::default();
            for _ in 0..times(unit) {
                let seed = (!stop()).then(|| random.u64(..))?;
                let probe = worker.probe(unit, seed)?;
                sample.add(probe);
            }
            Some(sample)
        };
        (0..work.units()).map(&mut sample).collect()
    };
    let evenly = (probes / 4 / (work.units() as u64).max(1)).max(LEAST);
    let first = samples(&|_| evenly)?;
    let deviations: Vec<f64> = first.iter().map(|sample| sample.nodes.deviation()).collect();
    let total = deviations.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    let by_deviation = probes as f64 / 2.0;
    let samples = samples(&|unit| evenly + (by_deviation * (deviations[unit] / total)) as u64)?;
    Some(SearchSize {
        nodes: sum(&samples, |sample| &sample.nodes),
        tours: sum(&samples, |sample| &sample.tours),
        probes: first.iter().chain(&samples).map(|sample| sample.nodes.count).sum(),
    })
}

/// Estimates the size of a search by one probe of each of some random units, as many as time
/// allows but at least two: a first impression where [`estimate`] would take too long. Returns
/// `None` for a work without a search tree.
pub fn impression(work: &dyn Work, probes: u64, seed: u64, stop: SharedStop) -> Option<SearchSize> {
    const LEAST: u64 = 2;
    let (mut worker, mut random) = (work.prober(), Rng::with_seed(seed));
    let mut sample = ProbeSums::default();
    while sample.nodes.count < LEAST || sample.nodes.count < probes && !stop() {
        if work.units() == 0 {
            return None;
        }
        let unit = random.usize(0..work.units());
        let probe = worker.probe(unit, random.u64(..))?;
        sample.add(probe);
    }
    let units = work.units() as f64;
    let of_all =
        |moments: &Moments| Interval { mean: moments.mean * units, error: moments.error() * units };
    Some(SearchSize {
        nodes: of_all(&sample.nodes),
        tours: of_all(&sample.tours),
        probes: sample.nodes.count,
    })
}

/// The sum over all units, each with its own mean and error.
fn sum(samples: &[ProbeSums], moments: impl Fn(&ProbeSums) -> &Moments) -> Interval {
    let moments = || samples.iter().map(&moments);
    Interval {
        // The sum of an empty iterator of floats is -0.
        mean: moments().map(|moments| moments.mean).fold(0.0, f64::add),
        error: moments().map(Moments::error).fold(0.0, f64::hypot),
    }
}

/// Measures the nodes per second of one thread of `work`, counted in nodes of `untabled`, the same
/// work without a transposition table: what a table saves makes the rate higher. Random pieces that
/// `untabled` finishes quickly are timed with both. Large pieces would gain more from the table, so
/// the rate is rather low.
///
/// On 10x10 most pieces are dead ends of a few nodes, which take longer to begin than to search: all
/// pieces together have a seventieth of the rate of a run. So pieces of few nodes count only if no
/// longer one is found in twice the time. On large boards it takes seconds to reach a small piece;
/// if none is reached in time, the measurement continues for up to six times as long.
///
/// Returns `None` for a work without a search tree, if no piece was found, and if `stop` asked for
/// it.
pub fn rate(
    work: &dyn Work,
    untabled: &dyn Work,
    seed: u64,
    time: Duration,
    stop: SharedStop,
) -> Option<f64> {
    const LONGEST: u32 = 6;
    // About a millisecond of search.
    const FEW_NODES: u64 = 10_000;
    if !untabled.is_tree() {
        return None;
    }
    let mut random = Rng::with_seed(seed);
    let (mut worker, mut plain_worker) = (work.worker(), untabled.worker());
    let began = Instant::now();
    // The nodes and seconds of pieces of few nodes, and of the others.
    let mut of_pieces = [(0, 0.0); 2];
    let most = |[short, long]: [(u64, f64); 2]| match (short.0, long.0) {
        (0, 0) => LONGEST * time,
        (_, 0) => 2 * time,
        _ => time,
    };
    // A unit that is timed as a whole is left out from then on: the table would know all of it.
    let mut open: Vec<usize> = (0..work.units()).collect();
    while !open.is_empty() && began.elapsed() < most(of_pieces) && !stop() {
        let place = random.usize(0..open.len());
        let unit = open[place];
        let small = small_piece(untabled, plain_worker.as_mut(), unit, &mut random, stop);
        let Some((piece, nodes, is_whole)) = small else { continue };
        if nodes > 0 {
            let start = Instant::now();
            let _ = worker.advance(unit, &piece, &|| Pause::No);
            let (of_these, seconds) = &mut of_pieces[usize::from(nodes > FEW_NODES)];
            *seconds += start.elapsed().as_secs_f64();
            *of_these += nodes;
        }
        if is_whole {
            open.swap_remove(place);
        }
    }
    let found = of_pieces.into_iter().rev().find(|(nodes, _)| *nodes > 0);
    found.map(|(nodes, seconds)| nodes as f64 / seconds)
}

/// A random piece of a unit that is finished within a short time, with its nodes, and true if it is
/// the whole unit; `None` if `stop` asked for it.
fn small_piece(
    work: &dyn Work,
    worker: &mut dyn Worker,
    unit: usize,
    random: &mut Rng,
    stop: SharedStop,
) -> Option<(UnitPiece, u64, bool)> {
    const SHORT: Duration = Duration::from_millis(20);
    let (mut piece, mut is_whole) = (work.begin(unit), true);
    loop {
        let end = Instant::now() + SHORT;
        let pause = || if Instant::now() >= end { Pause::Soon } else { Pause::No };
        if stop() {
            return None;
        }
        let advance = worker.advance(unit, &piece, &pause).ok()?;
        if advance.rest.is_none() {
            return Some((piece, advance.nodes, is_whole));
        }
        let parts = worker.split(piece);
        (piece, is_whole) = (random.choice(parts)?, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_wait_for_the_one_that_computes_a_single_slice() {
        let forecast = Forecast { before: 100.0, alone: 80.0, ..Forecast::default() };
        let rates = Rates { before: 1.0, node: 1.0 };
        let seconds = |threads| Expected::new(forecast, rates, threads).of_threads(threads).before;
        assert_eq!([1, 2, 4].map(seconds), [100.0, 90.0, 85.0]);
    }

    #[test]
    fn joins_that_were_not_measured_may_take_longer_than_expected() {
        let forecast =
            Forecast { before: 10.0, within: 10.0, is_whole: true, ..Forecast::default() };
        let bounds = |usual_seconds| {
            let forecast = Forecast { usual_seconds, ..forecast };
            let expected = Expected::new(forecast, Rates::USUAL, 1);
            expected.time_bounds().map(|bound| bound * expected.seconds())
        };
        assert_eq!(bounds(Some([1.0, 1.0])), [1.6, 2.5]);
        let [_, most] = bounds(None);
        let seconds = Rates::USUAL.before * 10.0 + Rates::USUAL.within() * 10.0 * UNITS_LONGER;
        assert!((most / seconds - 1.25).abs() < 1e-9);
    }
}
