//! Forecasts of a count by the frontier, from random samples of its slices.
//!
//! The number of states is known only at the end of a count. Following random slices from round to
//! round and scaling up fails: states of different slices lead to the same state, so the forecast
//! was 2.5 times too high after one round and 8 times after three.
//!
//! The first rounds are small and are computed as they are. When a round becomes too large, random
//! *groups* of its slices are followed to the end: all slices that agree on the squares that the
//! next round leaves alone, too. No state comes from two slices, so their output is known exactly;
//! and the slices of the next round that a group leads to are complete, because no other group
//! leads to them. So a chain of groups can be followed from round to round.
//!
//! If a group is too large, random slices of it are taken, and the sample is *thin*: a slice of the
//! next round has only some of its states, and fewer of them meet in one state than in the complete
//! slice. If `m` states lead to one on average and a share `f` of them is present, a share
//! `1 - (1 - f)^m` of their successors is found. `m` is measured in complete rounds, on slices from
//! which a part is left out.
//!
//! Following single random states, each weighted by one over the number of states that lead to it,
//! fails as well. Of the states that could lead to a state by their degrees and matching, only a
//! quarter to a half are ever reached. To tell which ones, all earlier stages must be examined:
//! going back 8 of 20 stages excluded hardly any. So the weights are too small, and the forecast
//! falls by a factor at every stage.
//!
//! `results/estimate.tsv` compares forecasts with the truth.

use super::sweep::Sweep;
use super::{Frontier, UNIT_FACTOR};
use crate::rounds::{Partitioned, RoundWorker, Rounds, SharedStop, by_slice};
use crate::states::pattern::Pattern;
use fastrand::Rng;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::Add;
use std::thread::Builder;

/// The forecast of a count: states, bytes and time, with the quality of the sample.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Forecast {
    /// The number of states computed before the units.
    pub before: f64,
    /// The number of these in rounds of a single slice, which one thread computes alone.
    pub alone: f64,
    /// The number of states computed within the units.
    pub within: f64,
    /// The number of states that the units join as the sweeps leave them, where no edge is chosen
    /// before the join.
    pub joined: f64,
    /// The largest number of bytes that the layers before the units take at once, in memory or on
    /// disk.
    pub bytes: f64,
    /// The bytes of memory that the largest unit takes while it is processed.
    pub unit_bytes: f64,
    /// The seconds per state of one thread in the quickest rounds of the sample, by the given
    /// clock.
    pub seconds_a_state: f64,
    /// The fill of the sample where it was thinnest: the share of the states of its slices that was
    /// present.
    pub fill: f64,
    /// True if the sample is complete.
    pub is_whole: bool,
    /// The seconds of one thread at the usual rates before the units and within them, if they were
    /// measured.
    pub usual_seconds: Option<[f64; 2]>,
    /// The bounds of a forecast that is continued from narrower boards.
    pub continued: Option<[f64; 2]>,
}

/// The effort and the memory of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SampleSize {
    /// The number of states to process in each round of each half.
    pub effort: u64,
    /// The most bytes of memory that the sample may take, beside tables of a few megabytes. A round
    /// is cut short when its states come to that, and the sample is the thinner for it.
    pub memory: u64,
}

impl SampleSize {
    /// The packed states of a layer may take this share of the memory: there are two layers in each
    /// of two sweeps, and what the workers unpack.
    const LAYERS: u64 = 8;
    /// Unpacked, with its output, a slice takes this many times its packed bytes; two sweeps are
    /// sampled at once.
    const UNPACKED: u64 = 30 * 2 * 2;

    fn layer(self) -> u64 {
        self.memory / Self::LAYERS
    }

    /// The packed bytes of a slice that may be unpacked at once.
    fn at_once(self) -> u64 {
        self.memory / Self::UNPACKED
    }
}

impl Forecast {
    /// The number of states computed in total.
    pub fn states(&self) -> f64 {
        self.before + self.within
    }

    /// The bounds, as factors of the forecast. A forecast from a thin sample is rather too high,
    /// because it misses states that meet; on the boards of `results/estimate.tsv` the truth was
    /// never below the root of the fill. It is too low if the few groups of the sample happen to be
    /// small: by 3.4 with a fill of 1.5 %, where the fourth root is 2.9.
    pub fn bounds(&self) -> [f64; 2] {
        match (self.continued, self.is_whole) {
            (Some(bars), _) => bars,
            (None, true) => [0.8, 1.25],
            (None, false) => [self.fill.sqrt() / 1.6, 1.6 / self.fill.sqrt().sqrt()],
        }
    }

    /// True if the bounds are informative: the upper bound is at most [`WIDEST`] times the lower.
    pub fn is_known(&self) -> bool {
        let [least, most] = self.bounds();
        most <= WIDEST * least
    }

    /// Continues the forecasts of the boards with two and with four columns less: each two columns
    /// more multiply the states by about the same factor. Closed tours of ten rows have 79 k states
    /// on 5 columns, 63 M on 7 and 20 to 106 G on 9, depending on the cut; 4.6 M on 6 and 3.6 G on
    /// 8. So the bounds are a factor of four, times the square of those of the narrower board. The
    /// seconds per state are those of this board. Units grow as the whole does: narrow boards may
    /// have next to nothing within theirs, or it is not known.
    pub fn continued(self, narrower: Self, narrowest: Self) -> Self {
        let [least, most] = narrower.bounds();
        let are_joins_known = narrower.joined > 0.0 && narrowest.joined > 0.0;
        let work = |of: &Self| of.states() + if are_joins_known { of.joined } else { 0.0 };
        let growth = work(&narrower) / work(&narrowest).max(1.0);
        let before = narrower.before.powi(2) / narrowest.before.max(1.0);
        let within = narrower.within * growth;
        let more_states = (before + within) / narrower.states().max(1.0);
        let bytes = BYTES_MORE * narrower.bytes * more_states;
        Self {
            before,
            within,
            joined: narrower.joined * growth,
            bytes,
            unit_bytes: bytes * self.largest_share().min(narrower.largest_share()),
            usual_seconds: None,
            continued: Some([least.powi(2) / 4.0, most.powi(2) * 4.0]),
            ..self
        }
    }

    /// The forecast of a shard of which only the upper bound is known, that of the whole: it may
    /// take next to nothing.
    pub fn at_most(self, whole: Self) -> Self {
        let [_, most] = whole.bounds();
        Self { continued: Some([0.0, most]), ..self.combined(whole, f64::min) }
    }

    /// The forecast of a shard with this expected share of the work, by the known sizes of the
    /// whole. It computes no more states before its units than the whole, and on average at least
    /// its share: about a power of it, by `results/shard-states.tsv`.
    pub fn of_shard(self, share: f64) -> Self {
        const POWER_BEFORE: f64 = 0.75;
        let of_before = share.powf(POWER_BEFORE);
        let seconds = |[before, within]: [f64; 2]| [before * of_before, within * share];
        Self {
            before: self.before * of_before,
            within: self.within * share,
            usual_seconds: self.usual_seconds.map(seconds),
            is_whole: false,
            continued: Some([share.max(2.0 / WIDEST), 1.25]),
            ..self
        }
    }

    /// The sizes of two forecasts, combined one by one.
    fn combined(self, other: Self, combine: impl Fn(f64, f64) -> f64) -> Self {
        Self {
            before: combine(self.before, other.before),
            alone: combine(self.alone, other.alone),
            within: combine(self.within, other.within),
            joined: combine(self.joined, other.joined),
            bytes: combine(self.bytes, other.bytes),
            unit_bytes: combine(self.unit_bytes, other.unit_bytes),
            ..self
        }
    }

    /// The memory of the largest unit, as a share of the layers before the units.
    fn largest_share(&self) -> f64 {
        self.unit_bytes / self.bytes.max(1.0)
    }

    /// The forecast of both halves together, with the less certain fill, and the quicker time,
    /// because the slower half is small or builds tables on the way.
    pub(super) fn plus(self, other: Self) -> Self {
        let seconds = |(one, other): ([f64; 2], [f64; 2])| [one[0] + other[0], one[1] + other[1]];
        Self {
            usual_seconds: self.usual_seconds.zip(other.usual_seconds).map(seconds),
            seconds_a_state: quicker(self.seconds_a_state, other.seconds_a_state),
            fill: self.fill.min(other.fill),
            is_whole: self.is_whole && other.is_whole,
            ..self.combined(other, f64::add)
        }
    }

    /// The mean of several forecasts.
    pub fn mean(samples: &[Self]) -> Self {
        let times = samples.len().max(1) as f64;
        let sum = samples.iter().copied().reduce(Self::plus).unwrap_or_default();
        sum.combined(sum, |sum, _| sum / times)
    }
}

/// The smaller of two times, of those that are known.
fn quicker(one: f64, other: f64) -> f64 {
    match [one, other] {
        [seconds, 0.0] | [0.0, seconds] => seconds,
        [one, other] => one.min(other),
    }
}

/// The largest factor between the bounds of a forecast that is worth stating.
const WIDEST: f64 = 1e4;

/// The factor of the bytes per state for two columns more, within a factor of two.
const BYTES_MORE: f64 = 1.5;

/// A clock: seconds since a fixed moment.
pub type Clock<'a> = &'a (dyn Fn() -> f64 + Sync);

/// The factor by which a group may exceed the effort before it is thinned.
const MORE_IN_A_GROUP: u64 = 32;

/// The part of a slice that remains when it is thinned on purpose, to measure how many states meet.
const THINNED: f64 = 0.25;

/// The sampling of one half.
struct SweepSample<'a> {
    frontier: &'a Frontier,
    /// The sweep of the half, and its number.
    sweep: &'a Sweep,
    sweep_number: usize,
    size: SampleSize,
    clock: Clock<'a>,
    stop: SharedStop<'a>,
    worker: Box<dyn RoundWorker + 'a>,
    random: Rng,
    /// The sampled output of the last round.
    layer: Vec<Partitioned>,
    /// The factor from the sampled groups to the whole, and the share of their states that is
    /// present.
    scale: f64,
    fill: f64,
    /// The slots by which the slices were grouped.
    agree: u64,
    /// The average number of states that lead to one, in the last complete rounds.
    meeting: f64,
    forecast: Forecast,
}

impl Frontier {
    /// Forecasts the count from a sample of its slices of the given size; the seed selects the
    /// slices. Both halves are sampled at the same time. A sample of E states takes up to 100 E
    /// bytes of memory, and never more than its limit. Returns `None` if `stop` asked for it, and
    /// if a single slice does not fit the memory.
    pub fn forecast(
        &self,
        size: SampleSize,
        seed: u64,
        clock: Clock,
        stop: SharedStop,
    ) -> Option<Forecast> {
        let sample = |(sweep_number, sweep)| SweepSample {
            frontier: self,
            sweep,
            sweep_number,
            size,
            clock,
            stop,
            worker: self.small_round_worker(size.at_once(), size.layer() / 4),
            random: Rng::with_seed(seed),
            layer: vec![self.start()],
            scale: 1.0,
            fill: 1.0,
            agree: 0,
            meeting: 2.0,
            forecast: Forecast { fill: 1.0, is_whole: true, ..Forecast::default() },
        };
        let forecasts = std::thread::scope(|scope| {
            let sweeps = self.all_sweeps().iter().enumerate();
            // Without room for a thread there is no forecast.
            let start = |sweep| Builder::new().spawn_scoped(scope, move || sample(sweep).go()).ok();
            let threads: Vec<_> = sweeps.map(start).collect();
            threads.into_iter().map(|thread| thread?.join().ok()?).collect::<Vec<_>>()
        });
        let all = forecasts.into_iter().collect::<Option<Vec<Forecast>>>()?;
        all.into_iter().reduce(Forecast::plus)
    }
}

impl SweepSample<'_> {
    fn go(mut self) -> Option<Forecast> {
        for number in 0..self.sweep.rounds.len() + usize::from(self.has_left_out()) {
            self.round(number)?;
        }
        Some(self.forecast)
    }

    /// True if left-out edges are chosen after the sweep.
    fn has_left_out(&self) -> bool {
        !self.sweep.left_out.stages.is_empty()
    }

    fn advance(&mut self, number: usize, slice: u64, packed: &[&[u8]]) -> Option<Vec<Partitioned>> {
        let (at, stop, mut dealt) = ((self.sweep_number, number), self.stop, Vec::new());
        let (bytes, most) = (Cell::new(0), self.size.layer());
        let mut deal = |portion: Partitioned| {
            bytes.set(bytes.get() + portion.bytes.len() as u64);
            dealt.push(portion);
        };
        let stop = || stop() || bytes.get() > most;
        let last = self.worker.advance(at, slice, packed, &stop, &mut deal)?;
        dealt.push(last);
        Some(dealt)
    }

    fn round(&mut self, number: usize) -> Option<()> {
        let layer = std::mem::take(&mut self.layer);
        let slices = by_slice(&layer);
        let all: f64 = slices.values().map(|pieces| bytes(pieces)).sum();
        if all == 0.0 {
            // The sample has no output.
            return Some(());
        }
        // The slices of a group agree on the squares that this round and the next leave alone. So
        // no two groups lead to the same state.
        let agree = self.sweep.round(number).key & self.sweep.key_after(number);
        let by_group = self.frontier.partitioning(agree);
        let mut groups: BTreeMap<Pattern, Vec<u64>> = BTreeMap::new();
        for &slice in slices.keys() {
            groups.entry(by_group.slice_of(Pattern(slice))).or_default().push(slice);
        }
        let mut groups: Vec<Vec<u64>> = groups.into_values().collect();
        self.random.shuffle(&mut groups);
        let effort = self.size.effort;
        let (mut states_processed, mut next, mut of_groups, mut tried) = (0, Vec::new(), 0.0, 0.0);
        let (mut next_bytes, most_bytes) = (0, self.size.layer());
        let began = (self.clock)();
        for mut group in groups {
            self.random.shuffle(&mut group);
            of_groups += group.iter().map(|slice| bytes(&slices[slice])).sum::<f64>();
            for slice in group {
                let dealt = self.advance(number, slice, &slices[&slice])?;
                tried += bytes(&slices[&slice]);
                states_processed +=
                    dealt.iter().map(|portion| portion.states_processed).sum::<u64>();
                next_bytes += dealt.iter().map(|portion| portion.bytes.len() as u64).sum::<u64>();
                next.extend(dealt);
                if states_processed > MORE_IN_A_GROUP * effort || next_bytes > most_bytes {
                    break;
                }
            }
            if states_processed > effort || next_bytes > most_bytes {
                break;
            }
        }
        let seconds = ((self.clock)() - began) / states_processed.max(1) as f64;
        if states_processed > effort / 2 {
            let quickest = &mut self.forecast.seconds_a_state;
            *quickest = quicker(*quickest, seconds);
        }
        if self.fill == 1.0 && states_processed > effort / 4 {
            self.learn(number, &slices)?;
        }
        let met = if self.fill == 1.0 { 1.0 } else { 1.0 - (1.0 - self.fill).powf(self.meeting) };
        let here = all / of_groups.max(1.0);
        self.forecast.is_whole &= tried >= all;
        let there = met * (tried / of_groups.max(1.0)).min(1.0);
        let times = self.scale * here / there;
        // A group that ignores the squares of the one before is only as complete as that was.
        (self.scale, self.fill) = match self.agree & !agree {
            0 => (self.scale * here, there),
            _ => (here, there / self.scale),
        };
        self.agree = agree;
        self.forecast.fill = self.forecast.fill.min(self.fill);
        let rounds = self.sweep.rounds.len();
        let states = states_processed as f64 * times;
        if number >= rounds {
            self.forecast.within += states;
        } else if !self.frontier.handed_over.contains(&self.sweep_number) {
            self.forecast.before += states;
            self.forecast.alone += if slices.len() == 1 { states } else { 0.0 };
        }
        if number + 1 == rounds {
            self.keep(&next, times, there);
        }
        self.layer = next;
        Some(())
    }

    /// Records the size of the layers before the units.
    fn keep(&mut self, layer: &[Partitioned], times: f64, there: f64) {
        let bytes: usize = layer.iter().map(|dealt| dealt.bytes.len()).sum();
        let mut slices: BTreeMap<u64, f64> = BTreeMap::new();
        for (slice, packed) in layer.iter().flat_map(Partitioned::slices) {
            *slices.entry(slice).or_default() += packed.len() as f64 / there;
        }
        if !self.has_left_out() {
            self.forecast.joined = states(layer) * times;
        }
        self.forecast.bytes = bytes as f64 * times;
        self.forecast.unit_bytes = UNIT_FACTOR as f64 * slices.into_values().fold(0.0, f64::max);
    }

    /// Measures how many states lead to one, by processing slices again with only a part of their
    /// pieces.
    fn learn(&mut self, number: usize, slices: &BTreeMap<u64, Vec<&[u8]>>) -> Option<()> {
        let (mut of_whole, mut of_thin, mut kept, mut all) = (0.0, 0.0, 0.0, 0.0);
        let mut order: Vec<u64> = slices.keys().copied().collect();
        self.random.shuffle(&mut order);
        for slice in order {
            let pieces = &slices[&slice];
            let thin: Vec<&[u8]> =
                pieces.iter().copied().filter(|_| self.random.f64() < THINNED).collect();
            if thin.is_empty() || thin.len() == pieces.len() {
                continue;
            }
            kept += bytes(&thin);
            all += bytes(pieces);
            of_thin += states(&self.advance(number, slice, &thin)?);
            of_whole += states(&self.advance(number, slice, pieces)?);
            if of_whole > self.size.effort as f64 / 2.0 {
                break;
            }
        }
        if kept > 0.0 && of_thin < of_whole {
            let (share, met) = (kept / all, of_thin / of_whole);
            self.meeting = (1.0 - met).ln() / (1.0 - share).ln();
        }
        Some(())
    }
}

fn states(dealt: &[Partitioned]) -> f64 {
    dealt.iter().map(|dealt| dealt.states).sum::<u64>() as f64
}

fn bytes(pieces: &[&[u8]]) -> f64 {
    pieces.iter().map(|piece| piece.len()).sum::<usize>() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::question::Question;

    #[test]
    fn units_have_either_states_of_their_own_or_states_that_they_join() {
        for (rows, is_joined_at_once) in [(6, true), (7, false)] {
            let closed = Question::closed(Board::new(rows, 6).expect("in range"));
            let frontier = Frontier::new(closed, None).expect("narrow");
            let size = SampleSize { effort: 1 << 20, memory: 1 << 30 };
            let forecast = frontier.forecast(size, 0, &|| 0.0, &|| false).expect("in time");
            assert!(forecast.is_whole);
            // The start is a slice, and later rounds have many.
            assert!(forecast.alone >= 1.0 && forecast.alone < 0.1 * forecast.before);
            assert_eq!(forecast.within == 0.0, is_joined_at_once);
            assert_eq!(forecast.joined > 0.0, is_joined_at_once);
        }
    }

    #[test]
    fn a_forecast_that_is_continued_from_known_sizes_has_joins() {
        let known = |cols| {
            let closed = Question::closed(Board::new(10, cols).expect("in range"));
            Frontier::new(closed, None).expect("narrow").known_sizes().expect("in the table")
        };
        let wider = Forecast::default().continued(known(8), known(6));
        assert!(wider.within + wider.joined > known(8).joined, "{wider:?}");
    }

    #[test]
    fn units_of_a_continued_forecast_grow_as_the_whole_does() {
        let of = |cols| {
            let board = Board::new(9, cols).expect("in range");
            let open = Question::of_kind(board, false, [None, None]);
            Frontier::new(open, None).expect("narrow")
        };
        let (narrower, size) = (of(7), SampleSize { effort: 1 << 20, memory: 1 << 30 });
        let narrowest = of(5).forecast(size, 0, &|| 0.0, &|| false).expect("in time");
        let narrower = narrower.known_sizes().expect("in the table");
        // Nothing of the narrowest board is known to be joined, and much of the next one.
        assert!(narrowest.joined == 0.0 && narrower.joined > 1e7);
        let wider = Forecast::default().continued(narrower, narrowest);
        assert!(wider.within + wider.joined < 10.0 * wider.before, "{wider:?}");
    }

    #[test]
    fn a_thin_sample_makes_up_for_the_states_that_it_misses() {
        const STATES: f64 = 6_233_275.0;
        let closed = Question::closed(Board::new(7, 8).expect("in range"));
        let frontier = Frontier::new(closed, None).expect("narrow");
        let size = SampleSize { effort: 1_000, memory: 1 << 30 };
        let forecast = |seed| frontier.forecast(size, seed, &|| 0.0, &|| false).expect("in time");
        let forecasts: Vec<Forecast> = (0..8).map(forecast).collect();
        assert!(forecasts.iter().all(|forecast| forecast.fill < 0.1));
        let logarithms = forecasts.iter().map(|forecast| (forecast.states() / STATES).ln());
        let mean = (logarithms.sum::<f64>() / 8.0).exp();
        assert!((0.7..1.5).contains(&mean), "{mean:.2} times the states");
    }
}
