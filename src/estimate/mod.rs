//! How big a search is and how long it will take, before it runs.
//!
//! Nodes and tours are guessed by random probes ([`Worker::probe`]), spread over the units where they
//! vary most, which a first round of probes finds out. Time is nodes by the rate
//! measured on a random sample of small pieces.
//!
//! How far it is off where the truth is known stands in `docs/estimate.md`.

mod outlook;
mod samples;

use crate::cursor::Piece;
use crate::frontier::Frontier;
use crate::work::{Pause, Work, Worker};
use fastrand::Rng;
pub(crate) use outlook::{Outlook, SoFar};
pub use samples::{Forecast, Stop};
use std::ops::Add;
use std::time::{Duration, Instant};

/// What a count by the frontier will take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Expected {
    /// States and bytes.
    pub forecast: Forecast,
    /// Seconds of one thread before the units.
    pub before: f64,
    /// Seconds of one thread within the units, joining among them.
    pub within: f64,
}

/// A state takes this many times what it does in the quickest rounds of a sample: before the units, with packing and unpacking,
/// and within them, with joining; the boards that were measured are in `docs/estimate.md`.
const OF_THE_QUICKEST: [f64; 2] = [1.8, 2.8];

/// The least states that a sample is meant to take on in a round.
const LEAST_EFFORT: u64 = 150_000;

/// The most: a sample of them takes two gigabytes.
const MOST_EFFORT: u64 = 20_000_000;

/// The next sample takes on so many times as many states.
const MORE: u64 = 5;

/// Of a sample in which less of the states of a slice is there, not even the size is to be trusted: of 10x10 it said ten thousand times too much, of
/// 8x9 seven times.
const THIN: f64 = 1e-3;

/// From so many columns on every sample of minutes is a thin one, so that it gets a quarter of the time, else the half.
const WIDE: u32 = 9;

/// What a count by the frontier will take, from a sample; where that is a thin one, from those of boards that are two and four columns narrower. A
/// shard takes no more than the whole does. `None` when told to stop.
pub fn of_frontier(
    frontier: &Frontier,
    within: Duration,
    seed: u64,
    stop: Stop,
) -> Option<Expected> {
    let first = within / if frontier.columns() >= WIDE { 4 } else { 2 };
    let sampled = |of: &Frontier, within: Duration| sampled(of, within, seed, stop);
    let sample = sampled(frontier, first)?;
    let narrower = || Some([frontier.narrower(2)?, frontier.narrower(4)?]);
    let narrower = (sample.fill < THIN).then(narrower).flatten();
    let rest = within - first;
    let Some([narrower, narrowest]) = narrower else {
        return Some(expected(sample));
    };
    let [narrower, narrowest] = [sampled(&narrower, rest * 3 / 4)?, sampled(&narrowest, rest / 4)?];
    let whole = sample.continued(narrower, narrowest);
    Some(expected(if frontier.is_restricted() { sample.at_most(whole) } else { whole }))
}

fn expected(forecast: Forecast) -> Expected {
    let seconds = |states: f64, times: f64| states * forecast.seconds_a_state * times;
    Expected {
        forecast,
        before: seconds(forecast.before, OF_THE_QUICKEST[0]),
        within: seconds(forecast.within, OF_THE_QUICKEST[1]),
    }
}

/// Random samples of slices ([`Frontier::forecast`]) that are made larger as long as the time lasts, and then averaged over several. A board that is
/// gone through as a whole takes no more.
fn sampled(frontier: &Frontier, within: Duration, seed: u64, stop: Stop) -> Option<Forecast> {
    let began = Instant::now();
    let clock = || began.elapsed().as_secs_f64();
    let mut effort = LEAST_EFFORT;
    let mut samples: Vec<Forecast> = Vec::new();
    loop {
        let start = clock();
        let seed = seed.wrapping_add(samples.len() as u64);
        let sample = frontier.forecast(effort, seed, &clock, stop)?;
        samples.push(sample);
        let (took, left) = (clock() - start, within.as_secs_f64() - clock());
        if sample.is_whole || left < took {
            break;
        }
        // Five times the effort takes two to five times as long.
        if effort < MOST_EFFORT && left > 3.0 * took {
            effort = (effort * MORE).min(MOST_EFFORT);
            samples.clear();
        }
    }
    Some(Forecast::mean(&samples))
}

/// How sure it is that a count has room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fits {
    /// Even if it takes the most that is expected.
    Surely,
    /// Only if it takes less than that.
    Perhaps,
}

/// The bounds on memory and disk that a count is given are too small for the least that is expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("its states are not expected to fit {memory} bytes of memory and {disk} of disk")]
pub struct NoRoom {
    /// The bound on memory.
    pub memory: u64,
    /// The bound on disk.
    pub disk: u64,
    /// The memory that would do, with that disk.
    pub enough_memory: u64,
    /// The disk that would do, if the memory is enough for the units.
    pub enough_disk: Option<u64>,
}

impl Expected {
    /// Seconds of one thread.
    pub fn seconds(&self) -> f64 {
        self.before + self.within
    }

    /// Whether the count has room, if all is as small or as large as it may be. What is kept has half of the memory, and the disk; what is
    /// worked on has the other half.
    ///
    /// # Errors
    /// [`NoRoom`] with bounds that would do.
    pub fn check_room(&self, memory: u64, disk: u64) -> Result<Fits, NoRoom> {
        let [least, most] = self.forecast.bars();
        let half = memory / 2;
        let of = |times: f64| {
            let kept = (self.forecast.bytes * times) as u64;
            (kept, (self.forecast.unit_bytes * times) as u64)
        };
        let fits =
            |(kept, worked_on): (u64, u64)| kept <= half.saturating_add(disk) && worked_on <= half;
        let (kept, worked_on) = of(most);
        match (fits(of(most)), fits(of(least))) {
            (true, _) => return Ok(Fits::Surely),
            (false, true) => return Ok(Fits::Perhaps),
            (false, false) => {}
        }
        let least = worked_on.max(kept.saturating_sub(disk));
        Err(NoRoom {
            memory,
            disk,
            enough_memory: 2 * least + 2,
            enough_disk: (worked_on <= half).then(|| kept.saturating_sub(half) + 1),
        })
    }
}

/// A guess with its error bars.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Guess {
    /// The most likely value; infinite where it is past 10^308, and then the bars are from 0 on.
    pub mean: f64,
    /// The standard error of the mean.
    pub error: f64,
}

impl Guess {
    /// The error bars in standard errors. Probes are far from normally distributed: a sample that
    /// misses the rare large values is low and looks sure of itself. Of 60 estimates of known
    /// searches 6 were off by more than 2 standard errors in nodes, 5 in tours, none by more than 3.
    pub const BARS: f64 = 3.0;

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
    nodes: Moments,
    tours: Moments,
}

/// How many values there are, their mean, and how far they are from it, as the root of the sum of squares (Welford, 1962, with roots): boards
/// of 21x21 and more have nodes whose squares no number holds.
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

/// Probes a search; the same for the same seed. `None` when told to stop, and for a work without a search
/// tree, where there is nothing to probe.
///
/// A quarter of the probes goes evenly to all units and decides only how the rest is spread: they
/// are not counted themselves, for a unit that looks small by chance would then stay so, and the
/// whole would come out low.
pub fn estimate(work: &dyn Work, probes: u64, seed: u64, stop: Stop) -> Option<Estimate> {
    /// Fewer say nothing of how much a unit varies.
    const LEAST: u64 = 4;
    let mut prober = Prober { work, worker: work.worker(), random: Rng::with_seed(seed), stop };
    let evenly = (probes / 4 / (work.units() as u64).max(1)).max(LEAST);
    let first = prober.samples(|_| evenly)?;
    let deviations: Vec<f64> = first.iter().map(|sample| sample.nodes.deviation()).collect();
    let total = deviations.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    let by_deviation = probes as f64 / 2.0;
    let samples =
        prober.samples(|unit| evenly + (by_deviation * (deviations[unit] / total)) as u64)?;
    let made = first.iter().chain(&samples);
    Some(Estimate {
        nodes: sum(&samples, |sample| &sample.nodes),
        tours: sum(&samples, |sample| &sample.tours),
        probes: made.map(|sample| sample.nodes.count).sum(),
    })
}

/// Takes samples of a work's units.
struct Prober<'a> {
    work: &'a dyn Work,
    worker: Box<dyn Worker + 'a>,
    random: Rng,
    stop: Stop<'a>,
}

impl Prober<'_> {
    /// A sample of every unit, of the size that `times` says; `None` when told to stop.
    fn samples(&mut self, times: impl Fn(usize) -> u64) -> Option<Vec<Sample>> {
        let sample = |unit| {
            let mut sample = Sample::default();
            for _ in 0..times(unit) {
                if (self.stop)() {
                    return None;
                }
                let probe = self.worker.probe(unit, self.random.u64(..))?;
                sample.nodes.add(probe.nodes);
                sample.tours.add(probe.tours);
            }
            Some(sample)
        };
        (0..self.work.units()).map(sample).collect()
    }
}

/// The sum over all units, each with its own mean and error.
fn sum(samples: &[Sample], moments: impl Fn(&Sample) -> &Moments) -> Guess {
    let moments = || samples.iter().map(&moments);
    Guess {
        // The sum of no numbers would be -0.
        mean: moments().map(|moments| moments.mean).fold(0.0, f64::add),
        error: moments().map(Moments::error).fold(0.0, f64::hypot),
    }
}

/// The nodes a second that one thread of `work` gets through, in nodes of `untabled`, the same work
/// without a table: what a table saves makes the rate higher. Random pieces that `untabled`
/// finishes at once are timed with both; large pieces would save more, so it is a low guess. The way down to one takes seconds on
/// large boards: if the time is over before the first, it is waited for, up to six times as long. `None` for a work without a search
/// tree, where none is found, and when told to stop.
pub fn rate(
    work: &dyn Work,
    untabled: &dyn Work,
    seed: u64,
    time: Duration,
    stop: Stop,
) -> Option<f64> {
    const LONGEST: u32 = 6;
    if !untabled.is_tree() {
        return None;
    }
    let mut random = Rng::with_seed(seed);
    let (mut worker, mut plain_worker) = (work.worker(), untabled.worker());
    let began = Instant::now();
    let (mut nodes, mut seconds) = (0, 0.0);
    let most = |nodes: u64| if nodes == 0 { LONGEST * time } else { time };
    while work.units() > 0 && began.elapsed() < most(nodes) && !stop() {
        let unit = random.usize(0..work.units());
        let Some((piece, of_piece)) =
            small_piece(untabled, plain_worker.as_mut(), unit, &mut random, stop)
        else {
            continue;
        };
        let start = Instant::now();
        let _ = worker.advance(unit, &piece, &|| Pause::No);
        seconds += start.elapsed().as_secs_f64();
        nodes += of_piece;
    }
    (nodes > 0).then(|| nodes as f64 / seconds)
}

/// A random piece of a unit that is finished within a short time, and its nodes; `None` when told to stop.
fn small_piece(
    work: &dyn Work,
    worker: &mut dyn Worker,
    unit: usize,
    random: &mut Rng,
    stop: Stop,
) -> Option<(Piece, u64)> {
    const SHORT: Duration = Duration::from_millis(20);
    let mut piece = work.begin(unit);
    loop {
        let end = Instant::now() + SHORT;
        let pause = || match Instant::now() >= end {
            true => Pause::Soon,
            false => Pause::No,
        };
        if stop() {
            return None;
        }
        let advance = worker.advance(unit, &piece, &pause).ok()?;
        if advance.rest.is_none() {
            return Some((piece, advance.nodes)).filter(|(_, nodes)| *nodes > 0);
        }
        let parts = worker.split(piece);
        piece = random.choice(parts)?;
    }
}
