//! The figures of progress that a run shows: the share that is done, and the time left.
//!
//! From the first seconds on there is a time left, by a forecast, and later by what the run has
//! done. The time left follows its estimates smoothly. The share is that of the time which has
//! passed, but it never falls and is never 1 before the end: one that was too high grows more
//! slowly until it is right.
//!
//! Everything here is a function of numbers: there is no clock, so that runs of hours are
//! simulated in tests.

use super::{Expected, not_over};

/// Two estimates that are further apart than this factor are both used.
const AGREE: f64 = 2.0;

/// The seconds after which the rate of units has settled.
const SETTLE: f64 = 2.0;

/// The time left that is shown is never further from its estimates than by this factor.
const FURTHEST: f64 = 1.5;

/// The largest share that is shown before the end.
const MOST: f64 = 0.999;

/// The time left follows its estimates within this part of the time that has passed, in seconds at
/// least and at most.
const FOLLOWS_WITHIN: f64 = 0.05;
const FOLLOWS_BETWEEN: [f64; 2] = [1.0, 120.0];

/// The share of the work that is done, and the seconds left.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Shown {
    /// The share, once it is known.
    pub share: Option<f64>,
    /// The seconds left, while they are known.
    pub left: Option<f64>,
}

/// The progress of a run: by a forecast before its units, then by what is known of them.
#[derive(Debug)]
pub(crate) struct RunCourse {
    gauge: Gauge,
    pace: Pace,
    /// The forecast in the seconds of all threads together, until the run turns out to be another.
    pub expected: Option<Expected>,
    /// The seconds that a search, or a count in groups, was announced to take in this process.
    pub announced: Option<f64>,
    /// The share of the units that are open.
    pub rest: f64,
    /// The seconds that had passed when the units began.
    began: f64,
    /// True if earlier processes computed none of the states before the units.
    is_from_the_start: bool,
}

impl RunCourse {
    /// The course of a run with a forecast.
    pub fn expecting(expected: Option<Expected>) -> Self {
        Self {
            gauge: Gauge::default(),
            pace: Pace::default(),
            expected,
            announced: None,
            rest: 1.0,
            began: 0.0,
            is_from_the_start: false,
        }
    }

    /// Continues from the share that earlier processes have saved, after these seconds.
    pub fn resume(&mut self, share: Option<f64>, spent: f64) {
        (self.gauge.shown.share, self.gauge.spent_before) = (share, spent);
    }

    /// The figures once `states` states were computed before the units, `here` of them by this
    /// process.
    pub fn before_units(&mut self, now: f64, states: u64, here: u64) -> Shown {
        self.is_from_the_start = states == here;
        let left = |expected: Expected| expected.left([states, here], now, self.rest);
        let left = self.expected.map(left);
        self.gauge.show(now, left)
    }

    /// From now on the units are counted in groups. The forecast does not know their states, so the
    /// time that was announced runs down.
    pub fn divide(&mut self, now: f64) {
        let open = 1.0 - self.gauge.shown.share.unwrap_or(0.0);
        self.announced = self.expected.take().map(|whole| now + open * whole.seconds());
    }

    /// The beginning of the units, of which a share is open.
    pub fn begin_units(&mut self, now: f64, rest: f64) {
        (self.began, self.pace, self.rest) = (now, Pace::default(), rest);
    }

    /// The figures of the units, of whose work this is known, and of which a share is open.
    pub fn of_units(&mut self, now: f64, open: f64, known: Known) -> Shown {
        let took = now - self.began;
        let by_pace = if took < SETTLE { None } else { self.pace.left(took, known) };
        let before = Some(self.began).filter(|_| self.is_from_the_start);
        let by_forecast = || Some(self.expected?.left_of_units(before, took, [self.rest, open]));
        let left = by_pace.or_else(by_forecast);
        self.gauge.show(now, left.or_else(|| Some(not_over(self.announced?, now))))
    }

    /// The figures of a run of which nothing is known but that this share is next to nothing.
    pub fn next_to_nothing(&mut self, share: f64) -> Shown {
        self.gauge.shown.share.get_or_insert(share);
        self.gauge.shown
    }
}

/// The figures shown of a run, from one moment to the next.
#[derive(Debug, Default)]
struct Gauge {
    shown: Shown,
    /// The seconds that had passed at the last moment.
    at: f64,
    /// The seconds of earlier processes.
    spent_before: f64,
}

impl Gauge {
    /// The figures after `now` seconds, given an estimate of the seconds left.
    fn show(&mut self, now: f64, left: Option<f64>) -> Shown {
        let passed = (now - self.at).max(0.0);
        self.at = now;
        let [least, most] = FOLLOWS_BETWEEN;
        let follows = (now * FOLLOWS_WITHIN).clamp(least, most);
        let weight = 1.0 - (-passed / follows).exp();
        let before = self.shown.left;
        self.shown.left = left.filter(|left| left.is_finite()).map(|left| {
            let left = left.max(f64::MIN_POSITIVE);
            let before = before.map_or(left, |before| before - passed);
            let near = before.clamp(left / FURTHEST, left * FURTHEST);
            near * (left / near).powf(weight)
        });
        if let Some(left) = self.shown.left {
            let spent = self.spent_before + now;
            let of_time = spent / (spent + left);
            let share = self.shown.share.map_or(of_time, |share| {
                // The rest of the share falls in proportion to the time left.
                let moved = share + (1.0 - share) * passed / (passed + left);
                moved + (of_time - moved).max(0.0) * weight
            });
            self.shown.share = Some(share.min(MOST));
        }
        self.shown
    }
}

/// The mean of two estimates on a logarithmic scale, or the one that is known.
fn mean(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    match (one, other) {
        (Some(one), Some(other)) => Some((one * other).sqrt()),
        (one, other) => one.or(other),
    }
}

/// The work of units by some measure, since a process began with them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Measure {
    pub done: f64,
    pub rest: f64,
}

/// The measures of the work of units that are known at one moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Known {
    /// Nothing is known.
    Nothing,
    /// One measure is known well. The time left is between those by its rates in two periods.
    Well(Measure),
    /// Two measures are known roughly. The first is shown if they agree, and else their mean.
    Roughly { shown: Measure, check: Measure },
}

/// The rate at which units are counted.
#[derive(Debug, Default)]
struct Pace {
    /// Two moments: the seconds since the beginning, and what was done by then. The first is when a
    /// quarter to a half of all that is done was done.
    marks: [(f64, f64); 2],
}

impl Pace {
    /// The seconds left after the units took some time.
    fn left(&mut self, took: f64, known: Known) -> Option<f64> {
        match known {
            Known::Nothing => None,
            Known::Roughly { shown, check } => {
                let [shown, check] = [shown, check].map(|of| left(took, of.done, of.rest));
                let agrees = |shown: &f64| {
                    check.is_none_or(|check| (check / AGREE..=check * AGREE).contains(shown))
                };
                shown.filter(agrees).or_else(|| mean(shown, check))
            }
            Known::Well(Measure { done, rest }) => {
                if done > 2.0 * self.marks[1].1 {
                    self.marks = [self.marks[1], (took, done)];
                }
                let (start, before) = self.marks[0];
                mean(left(took, done, rest), left(took - start, done - before, rest))
            }
        }
    }
}

/// The seconds that the rest takes at the rate of what was done in some seconds.
fn left(seconds: f64, done: f64, rest: f64) -> Option<f64> {
    Some(seconds * rest.max(0.0) / done).filter(|left| done > 0.0 && left.is_finite())
}

#[cfg(test)]
mod tests {
    use super::super::Forecast;
    use super::*;

    #[test]
    fn the_time_left_before_the_units_goes_by_the_rates_and_then_by_the_speed_of_the_run() {
        let forecast = Forecast { before: 1e6, is_whole: true, ..Forecast::default() };
        let expected = Expected { forecast, before: 30.0, within: 70.0 };
        let left = |states, took| expected.left([states; 2], took, 1.0).round();
        assert_eq!(left(0, 0.0), 100.0);
        assert_eq!(left(0, 5.0), 100.0);
        // The run is half as fast as the rates say.
        assert_eq!(left(500_000, 30.0), 170.0);
        // The run is twice as fast, and the states of the forecast are used up: there may be up to
        // a quarter more.
        assert_eq!(left(1_000_000, 15.0), 41.0);
        // Twice the states, and what remains of them, make a count of twice the size.
        assert_eq!(left(2_000_000, 60.0), 150.0);
        // An earlier process has computed half of the states and a quarter of the units.
        assert_eq!(expected.left([500_000, 0], 0.0, 0.75).round(), 68.0);
    }

    #[test]
    fn units_that_take_longer_than_expected_are_not_over() {
        let expected = Expected { forecast: Forecast::default(), before: 30.0, within: 70.0 };
        assert_eq!(expected.left_of_units(None, 20.0, [1.0, 0.5]), 50.0);
        assert_eq!(expected.left_of_units(Some(120.0), 20.0, [0.5; 2]), 70.0);
        assert_eq!(expected.left_of_units(Some(120.0), 20.0, [0.5, 0.1]), 50.0);
        assert_eq!(expected.left_of_units(None, 200.0, [1.0, 0.1]), 20.0);
        assert_eq!(expected.left_of_units(None, 470.0, [1.0; 2]), 200.0);
        // Of two units in progress nothing is kept.
        assert_eq!(expected.left_of_units(None, 65.0, [1.0; 2]), 70.0);
    }

    #[test]
    fn the_share_of_a_resumed_run_becomes_that_of_the_time_of_all_processes() {
        // The run takes 100 seconds in all, of which earlier processes took 60.
        let share_after = |share: f64, seconds: i32| {
            let mut course = RunCourse::expecting(None);
            course.resume(Some(share), 60.0);
            let left = |now| Some(f64::from(40 - now));
            let moments = (1..=seconds).map(|now| course.gauge.show(now.into(), left(now)).share);
            moments.last().flatten().unwrap_or(0.0)
        };
        // What was done while the time left was unknown is made up for.
        assert!((share_after(0.2, 20) - 0.8).abs() < 0.01);
        // A share that was too high is kept, and grows.
        assert!(share_after(0.9, 1) > 0.9 && share_after(0.9, 20) < 0.96);
    }

    #[test]
    fn the_share_never_falls_and_is_not_1_before_the_end_whatever_the_time_left() {
        let mut gauge = Gauge::default();
        assert_eq!(gauge.show(10.0, None), Shown::default());
        assert_eq!(gauge.show(10.0, Some(90.0)), Shown { share: Some(0.1), left: Some(90.0) });
        let lefts = [Some(10.0), Some(1e9), None, Some(0.0), Some(0.0)];
        let moments = (2..).map(|moment| f64::from(moment) * 10.0).zip(lefts);
        let shares: Vec<_> = moments.map(|(now, left)| gauge.show(now, left).share).collect();
        assert!(shares.is_sorted() && shares.iter().all(|share| *share < Some(1.0)), "{shares:?}");
    }
}
