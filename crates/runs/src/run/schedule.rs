//! The schedule of a run: what is due at a given moment. It has no clock of its own.

use super::Settings;
use std::time::{Duration, Instant};

/// The times of a run, and what follows from them.
#[derive(Debug)]
pub(super) struct Schedule {
    interval: Duration,
    max_time: Option<Duration>,
    /// The time for which a worker computes before it reports.
    slice: Duration,
    began: Instant,
    looked: Instant,
    /// The time when the state was last saved, or the run began.
    pub saved: Instant,
    /// The time when the layers of a divided count were last saved, or the run began.
    pub layers_saved: Instant,
    /// The time when the progress was last shown to other processes, or the run began.
    pub shown: Instant,
}

impl Schedule {
    pub fn new(settings: &Settings, now: Instant) -> Self {
        Self {
            interval: settings.saving.interval,
            max_time: settings.limits.max_time,
            slice: settings.slice(),
            began: now,
            looked: now,
            saved: now,
            layers_saved: now,
            shown: now,
        }
    }

    /// The time since the run began.
    pub fn elapsed(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.began)
    }

    /// True if a time slice has passed since the last look at the progress. The next is due a slice
    /// later.
    pub fn takes_look(&mut self, now: Instant) -> bool {
        let is_due = now.saturating_duration_since(self.looked) >= self.slice;
        if is_due {
            self.looked = now;
        }
        is_due
    }

    /// True if the state has to be saved. A worker's current time slice would be lost in a crash,
    /// so that is earlier than the interval after the last save.
    pub fn is_save_due(&self, now: Instant) -> bool {
        let period = self.interval.saturating_sub(2 * self.slice);
        now.saturating_duration_since(self.saved) >= period
    }

    /// True if finished layers have to be saved, which were begun at a given time. To compute the
    /// others again takes no longer than the interval, which a crash may cost. The groups of a
    /// divided count add up.
    pub fn are_layers_due(&self, begun: Instant, is_divided: bool, now: Instant) -> bool {
        let since = if is_divided { self.layers_saved } else { begun };
        now.saturating_duration_since(since) >= self.interval
    }

    /// True if a finished run took so long that its result is saved before it is shown.
    pub fn is_long(&self, now: Instant) -> bool {
        self.elapsed(now) >= self.interval
    }

    /// True if the time of the run is over.
    pub fn is_over(&self, now: Instant) -> bool {
        self.max_time.is_some_and(|most| self.elapsed(now) >= most)
    }
}

/// True if stored states that are damaged are removed and computed again, after they were so often
/// in this process: a disk that damages more cannot be relied on. Those that another process has
/// prepared are left as they are.
pub(super) fn recomputes(settings: &Settings, restarts: u32) -> bool {
    const MOST_RESTARTS: u32 = 3;
    let are_own = settings.saving.checkpoint.is_some() && settings.prepared.is_none();
    are_own && restarts < MOST_RESTARTS
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::LazyLock;

    static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);

    fn schedule(interval: u64, max_time: Option<u64>) -> Schedule {
        let mut settings = Settings::default();
        settings.saving.interval = Duration::from_millis(interval);
        settings.limits.max_time = max_time.map(Duration::from_millis);
        Schedule::new(&settings, *BEGAN)
    }

    fn at(millis: u64) -> Instant {
        *BEGAN + Duration::from_millis(millis)
    }

    #[test]
    fn a_run_looks_saves_and_stops_at_given_moments() {
        let mut schedule = schedule(1000, Some(5000));
        let looks = [99, 100, 150, 199, 200].map(|now| schedule.takes_look(at(now)));
        assert_eq!(looks, [false, true, false, false, true]);
        // Two slices of 100 ms before the interval is over.
        assert_eq!([799, 800].map(|now| schedule.is_save_due(at(now))), [false, true]);
        schedule.saved = at(900);
        assert_eq!([1699, 1700].map(|now| schedule.is_save_due(at(now))), [false, true]);
        assert_eq!([999, 1000].map(|now| schedule.is_long(at(now))), [false, true]);
        assert_eq!([4999, 5000].map(|now| schedule.is_over(at(now))), [false, true]);
        // An earlier moment than the beginning is none.
        assert_eq!(schedule.elapsed(*BEGAN - Duration::from_secs(1)), Duration::ZERO);
    }

    #[test]
    fn layers_are_saved_if_they_took_an_interval_and_those_of_groups_together() {
        let mut schedule = schedule(1000, None);
        let are_due = |schedule: &Schedule, is_divided, moments: [u64; 2]| {
            moments.map(|now| schedule.are_layers_due(at(700), is_divided, at(now)))
        };
        assert_eq!(are_due(&schedule, false, [1699, 1700]), [false, true]);
        assert_eq!(are_due(&schedule, true, [999, 1000]), [false, true]);
        schedule.layers_saved = at(1000);
        assert_eq!(are_due(&schedule, true, [1999, 2000]), [false, true]);
    }

    #[test]
    fn a_slice_is_short_beside_the_interval_and_all_the_time_there_is() {
        let slices = [(30_000, None), (200, None), (0, None), (30_000, Some(120)), (40, Some(120))];
        let slices = slices.map(|(interval, most)| schedule(interval, most).slice.as_millis());
        assert_eq!(slices, [100, 50, 5, 30, 10]);
    }

    #[test]
    fn damaged_states_are_recomputed_three_times_and_those_of_others_never() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = crate::run::Store::hold(&folder.path().join("run.kt")).expect("free");
        let mut settings = Settings::default();
        assert!(!recomputes(&settings, 0));
        settings.saving.checkpoint = Some(store);
        assert_eq!([0, 2, 3].map(|restarts| recomputes(&settings, restarts)), [true, true, false]);
        settings.prepared = Some(folder.path().to_owned());
        assert!(!recomputes(&settings, 0));
    }
}
