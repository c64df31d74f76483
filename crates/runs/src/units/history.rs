//! The history of a run: when each process worked on it, and how its progress was over time.
//!
//! The history is kept with the state of a run and with the units of a finished one, for reports.
//! No count and no fingerprint depends on it.
//!
//! Its size is bounded, however long the run is: at most [`MOST_SAMPLES`] samples and
//! [`MOST_SESSIONS`] sessions, which is some kilobytes. Samples are at least a step apart, except
//! for the newest, which is always the present. When there are too many samples, every second one
//! is dropped and the step doubles. Of too many sessions, the first and the latest are kept.

use crate::tally::Tally;
use serde::{Deserialize, Serialize};
use std::time::{Duration, SystemTime};

/// The most samples that are kept.
pub const MOST_SAMPLES: usize = 200;

/// The most sessions that are kept.
pub const MOST_SESSIONS: usize = 64;

/// The shortest time between two samples, for short runs.
const FIRST_STEP_MS: u64 = 250;

/// The history of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct History {
    /// The processes that worked on it, in order.
    pub sessions: Vec<Session>,
    /// The number of sessions after the first that are no longer listed.
    pub sessions_left_out: u64,
    /// The samples of its progress, in order.
    pub samples: Vec<Sample>,
    step_ms: u64,
    /// The nodes visited, or states computed, by all processes; 0 if they are not known. A
    /// checkpoint has them in its header.
    #[serde(skip)]
    pub nodes: u64,
}

/// The session of one process: its start, and what it found there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// The start, in milliseconds since 1970 (UTC).
    pub began_unix_ms: u64,
    /// The number of worker threads.
    pub threads: u32,
    /// The number of units that were finished.
    pub done: u64,
    /// The progress of the run at the start.
    pub at: Sample,
}

/// The progress of a run at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// The time that all processes had spent on the run, in milliseconds.
    pub spent_ms: u64,
    /// The share of the estimated work that was done, in millionths, once it was known.
    pub share_ppm: Option<u32>,
    /// The number of directed tours counted.
    pub found: Tally,
}

impl Default for History {
    fn default() -> Self {
        Self {
            sessions: Vec::new(),
            sessions_left_out: 0,
            samples: Vec::new(),
            step_ms: FIRST_STEP_MS,
            nodes: 0,
        }
    }
}

impl Session {
    /// A session that starts now.
    pub fn beginning(threads: usize, done: usize, at: Sample) -> Self {
        let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        Self {
            began_unix_ms: milliseconds(since_1970.unwrap_or_default()),
            threads: u32::try_from(threads).unwrap_or(u32::MAX),
            done: done as u64,
            at,
        }
    }
}

impl Sample {
    /// The progress of a run; `share` is the part of the work that is done, from 0 to 1.
    pub fn new(spent: Duration, share: Option<f64>, found: Tally) -> Self {
        Self {
            spent_ms: milliseconds(spent),
            share_ppm: share.map(|share| (share * 1e6).round() as u32),
            found,
        }
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl History {
    /// Adds the session of a process that starts or resumes the run.
    pub fn begin(&mut self, session: Session) {
        let at = session.at.clone();
        self.sessions.push(session);
        while self.sessions.len() > MOST_SESSIONS {
            self.sessions.remove(1);
            self.sessions_left_out = self.sessions_left_out.saturating_add(1);
        }
        self.note(at);
    }

    /// The time that all processes spent.
    pub fn spent(&self) -> Duration {
        Duration::from_millis(self.samples.last().map_or(0, |newest| newest.spent_ms))
    }

    /// The most worker threads of a process.
    pub fn threads(&self) -> usize {
        self.sessions.iter().map(|session| session.threads as usize).max().unwrap_or(1)
    }

    /// Adds a sample of the present progress.
    pub fn note(&mut self, now: Sample) {
        if let [.., before, newest] = &self.samples[..]
            && newest.spent_ms.saturating_sub(before.spent_ms) < self.step_ms
        {
            self.samples.pop();
        }
        self.samples.push(now);
        while self.samples.len() > MOST_SAMPLES {
            let newest = self.samples.len() - 1;
            let mut places = 0..;
            self.samples
                .retain(|_| matches!(places.next(), Some(at) if at % 2 == 0 || at == newest));
            self.step_ms = self.step_ms.saturating_mul(2);
        }
    }

    /// The rates in directed tours per second, each with the middle of its period in milliseconds.
    /// Periods shorter than a step say little and are left out.
    pub fn rates(&self) -> Vec<(f64, f64)> {
        let mut rates = Vec::new();
        let Some(mut from) = self.samples.first() else {
            return rates;
        };
        for to in &self.samples {
            let passed = to.spent_ms.saturating_sub(from.spent_ms);
            if passed >= self.step_ms.max(1) {
                let found = to.found.saturating_sub(&from.found).to_f64();
                let middle = from.spent_ms as f64 + passed as f64 / 2.0;
                rates.push((middle, found * 1e3 / passed as f64));
                from = to;
            }
        }
        rates
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sample(spent_ms: u64) -> Sample {
        Sample { spent_ms, share_ppm: Some(7), found: Tally::from(u128::from(spent_ms) << 70) }
    }

    proptest! {
        #[test]
        fn a_history_stays_small_and_ends_with_the_newest_sample(
            waits in prop::collection::vec(0..5_000u64, 1..3_000),
        ) {
            let mut history = History::default();
            let mut now = 0;
            for wait in waits {
                now += wait;
                history.note(sample(now));
                prop_assert_eq!(history.samples.last(), Some(&sample(now)));
                prop_assert!(history.samples.len() <= MOST_SAMPLES);
            }
            let times: Vec<u64> = history.samples.iter().map(|sample| sample.spent_ms).collect();
            let (_, older) = times.split_last().expect("one at least");
            prop_assert!(older.windows(2).all(|pair| pair[1] - pair[0] >= FIRST_STEP_MS));
        }
    }

    #[test]
    fn samples_of_a_long_run_are_spread_over_all_of_it() {
        let mut history = History::default();
        for tenth in 0..100_000 {
            history.note(sample(tenth * 100));
        }
        assert!(history.samples.len() > MOST_SAMPLES / 3);
        let gaps = history.samples.windows(2);
        let widest = gaps.map(|pair| pair[1].spent_ms - pair[0].spent_ms).max();
        assert!(widest < Some(10_000_000 / 50), "{widest:?}");
        assert_eq!(history.samples[0], sample(0));
    }

    #[test]
    fn rates_are_those_of_whole_steps() {
        let mut history = History::default();
        for (spent_ms, found) in [(0, 0_u32), (100, 1), (500, 5), (1_000, 105), (1_001, 10_000)] {
            history.note(Sample { spent_ms, share_ppm: None, found: Tally::from(found) });
        }
        assert_eq!(history.rates(), [(250.0, 10.0), (750.0, 200.0)]);
    }

    #[test]
    fn of_many_sessions_the_first_and_the_latest_are_kept() {
        let mut history = History::default();
        for begins in 0..1_000 {
            history.begin(Session::beginning(2, begins as usize, sample(begins)));
        }
        assert_eq!(history.sessions.len(), MOST_SESSIONS);
        assert_eq!(history.sessions_left_out, 1_000 - MOST_SESSIONS as u64);
        assert_eq!(history.sessions[0].done, 0);
        assert_eq!(history.sessions[MOST_SESSIONS - 1].done, 999);
    }

    #[test]
    fn a_history_reads_back_from_text_with_counts_past_64_bits() {
        let mut history = History::default();
        history.begin(Session::beginning(2, 3, sample(5)));
        history.note(sample(1_000));
        let text = serde_json::to_string(&history).expect("encodes");
        assert!(text.contains(&format!("\"{}\"", 1_000u128 << 70)), "{text}");
        assert_eq!(serde_json::from_str::<History>(&text).ok(), Some(history));
    }
}
