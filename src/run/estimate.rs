//! How big a search is and how long it will take, before it runs.
//!
//! Nodes and tours are guessed by random probes ([`Work::probe`]), spread over the units where they
//! vary most: a first part evenly, the rest by the deviation seen there. Time is nodes by the rate
//! measured on a random sample of small pieces.
//!
//! How far it is off where the truth is known stands in `docs/estimate.md`.

use super::Control;
use crate::work::{Piece, Work};
use fastrand::Rng;
use std::time::{Duration, Instant};

/// A guess with its error bars.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Guess {
    /// The most likely value.
    pub mean: f64,
    /// The standard error of the mean.
    pub error: f64,
}

impl Guess {
    /// The error bars in standard errors. Probes are far from normally distributed: a sample that
    /// misses the rare large values is low and looks sure of itself. On 6x7 bars of 3 met the truth
    /// for 8 seeds of 10 with 100,000 probes, bars of 4 for all.
    pub const BARS: f64 = 4.0;

    /// The lower end of the error bar.
    pub fn low(&self) -> f64 {
        (self.mean - Self::BARS * self.error).max(0.0)
    }

    /// The upper end of the error bar.
    pub fn high(&self) -> f64 {
        self.mean + Self::BARS * self.error
    }
}

/// How big a search is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Nodes that a search without a table visits.
    pub nodes: Guess,
    /// Directed tours.
    pub tours: Guess,
    /// Probes made.
    pub probes: u64,
}

/// Probes of one unit so far.
#[derive(Debug, Clone, Copy, Default)]
struct Sample {
    count: u64,
    nodes: Moments,
    tours: Moments,
}

/// Sums of values and of their squares.
#[derive(Debug, Clone, Copy, Default)]
struct Moments {
    sum: f64,
    squares: f64,
}

impl Moments {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.squares += value * value;
    }

    fn mean(&self, count: u64) -> f64 {
        self.sum / count as f64
    }

    /// The variance of a single value.
    fn variance(&self, count: u64) -> f64 {
        let count = count as f64;
        ((self.squares - self.sum * self.sum / count) / (count - 1.0)).max(0.0)
    }
}

/// Probes a search; the same for the same seed. `None` when told to stop.
pub fn estimate<W: Work>(work: &W, probes: u64, seed: u64, control: &Control) -> Option<Estimate> {
    /// Fewer say nothing of how much a unit varies.
    const LEAST: u64 = 4;
    let mut random = Rng::with_seed(seed);
    let mut worker = work.worker();
    let units = work.units() as u64;
    let mut samples = vec![Sample::default(); units as usize];
    let mut probe = |unit: usize, sample: &mut Sample, times: u64| {
        for _ in 0..times {
            let probe = work.probe(&mut worker, unit, random.u64(..));
            sample.count += 1;
            sample.nodes.add(probe.nodes);
            sample.tours.add(probe.tours);
        }
    };
    let evenly = (probes / 4 / units.max(1)).max(LEAST);
    for (unit, sample) in samples.iter_mut().enumerate() {
        if control.is_stopped() {
            return None;
        }
        probe(unit, sample, evenly);
    }
    let rest = probes.saturating_sub(evenly * units) as f64;
    let weight = |sample: &Sample| deviation(&sample.nodes, sample.count);
    let total: f64 = samples.iter().map(weight).sum();
    for (unit, sample) in samples.iter_mut().enumerate() {
        if control.is_stopped() {
            return None;
        }
        let share = if total > 0.0 {
            weight(sample) / total
        } else {
            0.0
        };
        probe(unit, sample, (rest * share) as u64);
    }
    Some(Estimate {
        nodes: sum(&samples, |sample| &sample.nodes),
        tours: sum(&samples, |sample| &sample.tours),
        probes: samples.iter().map(|sample| sample.count).sum(),
    })
}

fn deviation(moments: &Moments, count: u64) -> f64 {
    moments.variance(count).sqrt()
}

/// The sum over all units, each with its own mean and error.
fn sum(samples: &[Sample], moments: impl Fn(&Sample) -> &Moments) -> Guess {
    let mean = samples
        .iter()
        .map(|sample| moments(sample).mean(sample.count))
        .sum();
    let variance = |sample: &Sample| moments(sample).variance(sample.count) / sample.count as f64;
    let error = samples.iter().map(variance).sum::<f64>().sqrt();
    Guess { mean, error }
}

/// The nodes a second that one thread of `work` gets through, in nodes of `untabled`, the same work
/// without a table: what a table saves makes the rate higher. Random pieces that `untabled`
/// finishes at once are timed with both; large pieces would save more, so it is a low guess.
pub fn rate<W: Work>(work: &W, untabled: &W, seed: u64, time: Duration) -> Option<f64> {
    let mut random = Rng::with_seed(seed);
    let (mut worker, mut plain_worker) = (work.worker(), untabled.worker());
    let began = Instant::now();
    let (mut nodes, mut seconds) = (0, 0.0);
    while began.elapsed() < time && work.units() > 0 {
        let unit = random.usize(0..work.units());
        let Some((piece, of_piece)) = small_piece(untabled, &mut plain_worker, unit, &mut random)
        else {
            continue;
        };
        let start = Instant::now();
        work.advance(&mut worker, unit, &piece, &|| false).ok()?;
        seconds += start.elapsed().as_secs_f64();
        nodes += of_piece;
    }
    (nodes > 0).then(|| nodes as f64 / seconds)
}

/// A random piece of a unit that is finished within a short time, and its nodes.
fn small_piece<W: Work>(
    work: &W,
    worker: &mut W::Worker,
    unit: usize,
    random: &mut Rng,
) -> Option<(Piece<W>, u64)> {
    const SHORT: Duration = Duration::from_millis(20);
    let mut piece = work.begin(unit);
    loop {
        let end = Instant::now() + SHORT;
        let advance = work
            .advance(worker, unit, &piece, &|| Instant::now() >= end)
            .ok()?;
        if advance.rest.is_none() {
            return Some((piece, advance.nodes)).filter(|(_, nodes)| *nodes > 0);
        }
        let parts = work.split(worker, piece);
        piece = random.choice(parts)?;
    }
}
