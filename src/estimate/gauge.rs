//! The figures of progress that a run shows: the share that is done, and the time left.
//!
//! An estimate of the time left may be wrong by any factor, and does not tell by which. So a figure
//! is shown only while two estimates that rest on different things agree. The time left follows the
//! estimates smoothly. The share is that of the time which has passed, but it never falls and is
//! never 1 before the end: one that was too high grows more slowly until it is right.
//!
//! Everything here is a function of numbers: there is no clock, so that runs of hours are
//! simulated in tests.

use super::Expected;

/// Two estimates agree at first if one is at most this many times the other.
const AGREE_AT_FIRST: f64 = 2.0;

/// Two estimates that have agreed still do so up to this factor.
const AGREE: f64 = 2.5;

/// The seconds after which the rate of units has settled.
const SETTLE: f64 = 2.0;

/// The time left that is shown is never further from its estimates than by this factor.
const FURTHEST: f64 = 1.5;

/// The largest share that is shown before the end.
const MOST: f64 = 0.9999;

/// The time left follows its estimates within this part of the time that has passed, in seconds at
/// least and at most.
const FOLLOWS_WITHIN: f64 = 0.05;
const FOLLOWS_BETWEEN: [f64; 2] = [1.0, 120.0];

/// The share of the work that is done, and the seconds left.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Shown {
    /// The share, once it is known.
    pub share: Option<f64>,
    /// The seconds left, while they are known.
    pub left: Option<f64>,
}

/// The progress of a run: by a forecast before its units, then by what is known of them.
#[derive(Debug, Default)]
pub(crate) struct Course {
    gauge: Gauge,
    pace: Pace,
    /// The forecast in the seconds of all threads together, until the run turns out to be another.
    pub expected: Option<Expected>,
    /// The seconds that had passed when the units began.
    began: f64,
}

impl Course {
    /// The course of a run with a forecast.
    pub fn expecting(expected: Option<Expected>) -> Self {
        Self { expected, ..Self::default() }
    }

    /// Continues from the share that earlier processes have saved, after these seconds. The
    /// forecast, which is of a whole run, is dropped.
    pub fn resume(&mut self, share: Option<f64>, spent: f64) {
        *self = Self::default();
        (self.gauge.shown.share, self.gauge.spent_before) = (share, spent);
    }

    /// The figures once `states` states were computed before the units.
    pub fn before_units(&mut self, now: f64, states: u64) -> Shown {
        let left = self.expected.and_then(|expected| expected.left(states, now));
        self.gauge.show(now, left)
    }

    /// The beginning of the units.
    pub fn begin_units(&mut self, now: f64) {
        (self.began, self.pace) = (now, Pace::default());
    }

    /// The figures of the units, of whose work this is known.
    pub fn of_units(&mut self, now: f64, known: Known) -> Shown {
        let took = now - self.began;
        let by_pace = if took < SETTLE { None } else { self.pace.left(took, known) };
        let by_forecast = || self.expected?.left_of_units(self.began, took);
        self.gauge.show(now, by_pace.or_else(by_forecast))
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
    fn show(&mut self, now: f64, left: Option<Left>) -> Shown {
        let passed = (now - self.at).max(0.0);
        self.at = now;
        let before = self.shown.left;
        let most_apart = if before.is_some() { AGREE } else { AGREE_AT_FIRST };
        let agreed = left.filter(|left| left.apart <= most_apart);
        let [least, most] = FOLLOWS_BETWEEN;
        let follows = (now * FOLLOWS_WITHIN).clamp(least, most);
        let weight = 1.0 - (-passed / follows).exp();
        self.shown.left = agreed.map(|Left { seconds: left, .. }| {
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

/// An estimate of the seconds left, and how far it is from another that rests on something else.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Left {
    seconds: f64,
    /// The larger of the two, as a multiple of the smaller.
    apart: f64,
}

impl Left {
    /// An estimate with another that has to agree. `None` unless both are known.
    fn checked(seconds: Option<f64>, other: Option<f64>) -> Option<Self> {
        /// Less than a second makes no difference.
        const LEAST: f64 = 1.0;
        let (seconds, other) = (seconds?.max(f64::MIN_POSITIVE), other?);
        let apart = seconds.max(other).max(LEAST) / seconds.min(other).max(LEAST);
        Some(Self { seconds, apart }).filter(|_| seconds.is_finite() && other.is_finite())
    }

    /// The mean of two estimates.
    pub fn mean(one: Option<f64>, other: Option<f64>) -> Option<Self> {
        let checked = Self::checked(one, other)?;
        Some(Self { seconds: (checked.seconds * other?.max(f64::MIN_POSITIVE)).sqrt(), ..checked })
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
    /// Nothing is known well enough.
    Nothing,
    /// One measure is known well. Its rates in two periods have to agree.
    Well(Measure),
    /// Two measures are known roughly. They have to agree, and the first is shown.
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
    fn left(&mut self, took: f64, known: Known) -> Option<Left> {
        match known {
            Known::Nothing => None,
            Known::Roughly { shown, check } => {
                let [shown, check] = [shown, check].map(|of| left(took, of.done, of.rest));
                Left::checked(shown, check)
            }
            Known::Well(Measure { done, rest }) => {
                if done > 2.0 * self.marks[1].1 {
                    self.marks = [self.marks[1], (took, done)];
                }
                let (start, before) = self.marks[0];
                Left::mean(left(took, done, rest), left(took - start, done - before, rest))
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
    fn the_time_left_before_the_units_goes_by_the_states_of_the_forecast() {
        let forecast = Forecast { before: 1e6, ..Forecast::default() };
        let expected = Expected { forecast, before: 30.0, within: 70.0 };
        let left = |states| expected.left(states, 15.0).map(|left| left.seconds.round());
        assert_eq!(left(1_000), None);
        assert_eq!(left(500_000), Some(85.0));
        // The run is twice as fast as the sample.
        assert_eq!(left(1_000_000), Some((35.0_f64 * 70.0).sqrt().round()));
        // More states than forecast say that the forecast is wrong, and not by how much.
        assert_eq!(left(1_000_001), None);
    }

    #[test]
    fn the_share_of_a_resumed_run_becomes_that_of_the_time_of_all_processes() {
        // The run takes 100 seconds in all, of which earlier processes took 60.
        let known = |now: i32| Left::mean(Some(f64::from(40 - now)), Some(f64::from(40 - now)));
        let share_after = |share: f64, seconds: i32| {
            let mut course = Course::default();
            course.resume(Some(share), 60.0);
            let moments = (1..=seconds).map(|now| course.gauge.show(now.into(), known(now)).share);
            moments.last().flatten().unwrap_or(0.0)
        };
        // What was done while the time left was unknown is made up for.
        assert!((share_after(0.2, 20) - 0.8).abs() < 0.01);
        // A share that was too high is kept, and grows.
        assert!(share_after(0.9, 1) > 0.9 && share_after(0.9, 20) < 0.96);
    }

    #[test]
    fn a_time_left_is_shown_while_two_estimates_agree_and_the_share_holds_when_they_do_not() {
        let mut gauge = Gauge::default();
        let mut show = |now, one, other| gauge.show(now, Left::mean(Some(one), Some(other)));
        assert_eq!(show(10.0, 90.0, 400.0), Shown::default());
        let shown = show(10.0, 90.0, 90.0);
        assert_eq!(shown, Shown { share: Some(0.1), left: Some(90.0) });
        let held = show(20.0, 10.0, 1e9);
        assert_eq!(held, Shown { share: Some(0.1), left: None });
        // All that is left may take no time, and yet it is not done.
        let shares = [30.0, 40.0, 50.0].map(|now| show(now, 0.0, 0.0).share);
        assert!(shares.is_sorted() && shares.iter().all(|share| *share < Some(1.0)), "{shares:?}");
    }
}
