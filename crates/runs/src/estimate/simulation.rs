//! Simulated runs of seconds to hours, and what they show of their progress.

use super::gauge::{Known, Measure, RunCourse, Shown};
use super::progress::{ENOUGH_UNITS, ENOUGH_WORK, ProgressEstimate, SoFar};
use super::{Expected, Forecast};
use crate::board::{Board, Square};
use crate::question::Question;
use crate::tally::Tally;
use crate::units::Shard;
use crate::walk::{Options, Walk};
use crate::work::{Pause, Work};
use std::time::Duration;

/// The figures that a run showed at one moment.
struct Moment {
    now: f64,
    shown: Shown,
}

/// The moments of a run, and the seconds that it took.
struct SimulatedRun {
    name: String,
    moments: Vec<Moment>,
    end: f64,
}

impl SimulatedRun {
    /// Asserts that there is a share and a time left at every moment, and that the share never
    /// falls and is not 1 before the end. Returns the largest factor by which the time left was
    /// wrong when a tenth and when a half of the run had passed.
    fn check(&self) -> f64 {
        let is_shown = |at: &Moment| at.shown.share.is_some() && at.shown.left.is_some();
        assert!(self.moments.iter().all(is_shown), "{}: nothing is shown", self.name);
        let shares: Vec<f64> = self.moments.iter().filter_map(|at| at.shown.share).collect();
        assert!(shares.is_sorted(), "{}: {shares:?}", self.name);
        assert!(shares.iter().all(|share| *share < 1.0), "{}: {shares:?}", self.name);
        let at = |part: f64| self.moments.iter().find(|at| at.now >= part * self.end);
        let wrong = [0.1, 0.5].into_iter().filter_map(at).map(|at| {
            // A second, or a fiftieth of the run, is not an error.
            let slack = (0.02 * self.end).max(1.0);
            let (truth, left) = (self.end - at.now, at.shown.left.unwrap_or(0.0));
            if (truth - left).abs() <= slack { 1.0 } else { (truth / left).max(left / truth) }
        });
        wrong.fold(1.0, f64::max)
    }
}

/// The ratios of forecasts to truths of `results/estimate.tsv`, for states; those for times vary
/// as much.
const FORECASTS: [f64; 8] = [0.70, 0.94, 0.66, 1.31, 0.76, 0.73, 1.37, 1.0];
const SPEEDS: [f64; 5] = [1.0, 0.8, 1.3, 0.7, 1.1];

/// The recorded runs by the frontier, with forecasts as they are.
fn by_frontier() -> Vec<SimulatedRun> {
    let recorded = include_str!("../../../../tests/golden/progress.tsv");
    let lines = recorded.lines().filter(|line| !line.starts_with('#'));
    lines.enumerate().map(|(place, line)| frontier_run(place, line)).collect()
}

fn frontier_run(place: usize, line: &str) -> SimulatedRun {
    let fields: Vec<&str> = line.split('\t').collect();
    let number = |text: &str| text.parse::<f64>().expect("a number");
    let seconds = |text: &str| number(text) / 1e3;
    let samples = fields[3].split(' ').map(|sample| {
        let parts: Vec<&str> = sample.split(':').collect();
        (seconds(parts[0]), number(parts[1]), number(parts[2]) / 1e4)
    });
    let samples: Vec<(f64, f64, f64)> = samples.collect();
    let (before, end) = (seconds(fields[2]), samples.last().expect("some").0);
    let states = 1e9;
    let (states_times, speed) = (FORECASTS[place % 8], SPEEDS[place % 5]);
    let expected = Expected {
        forecast: Forecast { before: states * states_times, is_whole: true, ..Forecast::default() },
        before: before * states_times * speed,
        within: (end - before) * FORECASTS[(place + 3) % 8] * speed,
    };
    let mut course = RunCourse::expecting(Some(expected));
    let mut moments = Vec::new();
    for step in 0..200 {
        let now = before * f64::from(step) / 200.0;
        let computed = (states * now / before) as u64;
        let shown = course.before_units(now, computed, computed);
        moments.push(Moment { now, shown });
    }
    course.begin_units(before, 1.0);
    for &(now, units, done) in samples.iter().filter(|sample| sample.0 < end) {
        let measure = Measure { done, rest: 1.0 - done };
        let is_enough = units >= ENOUGH_UNITS && done >= ENOUGH_WORK * measure.rest;
        let known = if is_enough { Known::Well(measure) } else { Known::Nothing };
        moments.push(Moment { now, shown: course.of_units(now, 1.0 - done, known) });
    }
    SimulatedRun { name: fields[0].to_owned(), moments, end }
}

/// The nodes and tours of every unit.
fn units_of(work: &dyn Work) -> Vec<(u64, Tally)> {
    let mut worker = work.worker();
    let mut of_unit = |unit| {
        let advance = worker.advance(unit, &work.begin(unit), &|| Pause::No).expect("a tree");
        (advance.nodes, advance.found)
    };
    (0..work.units()).map(&mut of_unit).collect()
}

/// A run of a search on two threads that was announced to take `announced` seconds and ends at
/// `end` seconds, in which a thread makes `probes_per_s` probes per second.
fn by_search(
    work: &dyn Work,
    units: &[(u64, Tally)],
    end: f64,
    probes_per_s: f64,
    announced: f64,
) -> SimulatedRun {
    const MOST_PROBES: f64 = 50_000.0;
    const THREADS: usize = 2;
    // The units of each thread, one after the other: each begins where a thread is free.
    let mut free = [0_u64; THREADS];
    let periods: Vec<(u64, u64)> = units
        .iter()
        .map(|(nodes, _)| {
            let next = free.iter_mut().min().expect("some");
            let began = *next;
            *next += nodes + 1;
            (began, *next)
        })
        .collect();
    let last = free.into_iter().max().expect("some") as f64;
    let mut estimate = ProgressEstimate::new(work, Shard::WHOLE.units_of(work), None);
    estimate.course.announced = Some(announced);
    let (mut probes, mut moments) = (0.0, Vec::new());
    for step in 0..200 {
        let now = end * f64::from(step) / 200.0;
        let at = now / end * last;
        let counts: Vec<Option<Tally>> = periods
            .iter()
            .zip(units)
            .map(|((_, ended), (_, tours))| (*ended as f64 <= at).then(|| tours.clone()))
            .collect();
        let begun: f64 = periods
            .iter()
            .zip(units)
            .filter(|((began, ended), _)| (*began as f64) < at && *ended as f64 > at)
            .map(|((began, ended), (_, tours))| {
                tours.to_f64() * (at - *began as f64) / (ended - began) as f64
            })
            .sum();
        let mut found: Tally = counts.iter().flatten().sum();
        found += Tally::from(begun as u128);
        let so_far = SoFar { counts: &counts, found: &found, begun };
        if step == 0 {
            estimate.begin(Duration::ZERO, so_far);
        }
        let due = if now < 1.0 { 0.0 } else { (now / 32.0 * probes_per_s).min(MOST_PROBES) };
        while probes < due && !estimate.is_sharp {
            estimate.probe_once(so_far);
            probes += 1.0;
        }
        let shown = estimate.of_units(Duration::from_secs_f64(now), at as u64, so_far);
        moments.push(Moment { now, shown });
    }
    let identity = work.identity();
    SimulatedRun {
        name: format!("{} {} {end} s", identity.engine, identity.question),
        moments,
        end,
    }
}

fn board(rows: u32, cols: u32) -> Board {
    Board::new(rows, cols).expect("in range")
}

#[test]
fn a_time_left_is_always_shown_within_a_factor_of_two_at_a_tenth_and_a_half_and_no_share_falls() {
    let mut runs = by_frontier();
    let walk = |question| Walk::new(question, &Options::default()).expect("in range");
    let open = |rows, cols| Question::open(board(rows, cols));
    let works: [(&dyn Work, &[f64]); 9] = [
        (&walk(open(6, 6)), &[1.0, 60.0, 20_000.0]),
        (&walk(open(5, 7)), &[5.0, 1_000.0]),
        (&walk(open(4, 9)), &[20.0, 3_000.0]),
        (&walk(open(3, 13)), &[40.0, 36_000.0]),
        (&walk(open(3, 14)), &[300.0, 5_000.0]),
        (&walk(open(5, 8)), &[800.0, 8_000.0, 90_000.0]),
        (&walk(Question::open_between(board(6, 6), Some(Square::from_index(0)), None)), &[200.0]),
        (&walk(Question::open_between(board(5, 7), Some(Square::from_index(2)), None)), &[2_000.0]),
        (&walk(Question::closed(board(6, 7))), &[10_000.0]),
    ];
    for (work, ends) in works {
        let units = units_of(work);
        for end in ends {
            let announced = end * FORECASTS[runs.len() % 8] * SPEEDS[runs.len() % 5];
            runs.push(by_search(work, &units, *end, 100_000.0, announced));
        }
    }
    let checked: Vec<f64> = runs.iter().map(SimulatedRun::check).collect();
    let lines = runs.iter().zip(&checked);
    let lines: String = lines.map(|(run, wrong)| format!("{wrong:.2} {}\n", run.name)).collect();
    let within = checked.iter().filter(|wrong| **wrong <= 2.0).count();
    assert!(
        runs.len() >= 30 && within * 10 >= runs.len() * 9,
        "{within} of {}:\n{lines}",
        runs.len()
    );
}

#[test]
fn a_search_of_countless_years_has_done_next_to_nothing_however_long_it_runs() {
    for size in [16, 20] {
        let work = Walk::new(Question::open(board(size, size)), &Options::default());
        let work = work.expect("in range");
        let mut estimate = ProgressEstimate::new(&work, Shard::WHOLE.units_of(&work), None);
        let counts = vec![None; work.units()];
        for minute in 1..10_u32 {
            let found = Tally::from(minute * 10_000_000);
            let at = SoFar { counts: &counts, found: &found, begun: found.to_f64() };
            (0..500).for_each(|_| estimate.probe_once(at));
            let now = Duration::from_secs(60) * minute;
            let shown = estimate.of_units(now, 1_000_000_000 * u64::from(minute), at);
            assert!(shown.share.is_some_and(|share| share < 1e-3), "{size}: {shown:?}");
            assert_eq!(shown.left, None);
        }
    }
}
