//! The cost of a count, before it begins: how long it takes and how much memory and disk.
//!
//! A count of a second needs no forecast, and a forecast that takes longer than its count is a
//! nuisance. So the effort grows with what is at stake: nothing for boards that are surely short,
//! milliseconds for a first forecast of a count by the frontier, and seconds only if that one says
//! that the count is long, may not fit its limits, or is unknown. A search is forecast by random
//! probes, and only once it has lasted a second: most searches have ended by then.
//!
//! The thresholds of these forecasts are here. Results are passed on as events, whose words are
//! those of the observer.

use super::{JobError, Plan};
use crate::board::{KNIGHT_MOVES, Wrap};
use crate::engine::Engine;
use crate::estimate::{self, Expected, Fits, ForecastEffort, NoRoom, SharedStop};
use crate::question::Question;
use crate::run::{Control, Event, Interest, Observer, Price};
use crate::units::Shard;
use crate::work::Split;
use std::time::{Duration, Instant};

/// The duration up to which a count is not announced.
const UNANNOUNCED: Duration = Duration::from_secs(1);

/// The longest time for the first forecast of a count. A whole count gets the next one if it is
/// longer than [`LONG`], may not fit its limits, or is unknown. A forecast uses one thread, so the
/// others are idle meanwhile.
const QUICK: Duration = Duration::from_millis(60);

/// The longest time for a rough forecast of a count.
pub(super) const ROUGH: Duration = Duration::from_millis(300);

/// The longest time for the forecast of a long count.
pub(super) const FAIR: Duration = Duration::from_secs(3);

/// The time limit of a run up to which no forecast is made.
const TOO_BRIEF: Duration = Duration::from_secs(2);

/// The expected duration from which a count gets the better forecast, which takes a small part of
/// it.
const LONG: Duration = Duration::from_secs(45);

/// The largest number of probes for a search.
const MOST_PROBES: u64 = 4_000;

/// The least number of probes for a search.
const FEW_PROBES: u64 = 8;

/// The nodes per second of one thread that a forecast of a search assumes.
const NODES_PER_S: f64 = 3e7;

/// The longest time of a board that [`is_surely_short`].
const MOST_OF_SHORT: f64 = 2.0;

/// The least memory for a sample of any use.
const LEAST_FOR_SAMPLES: u64 = 16 << 20;

/// True for boards that take the frontier a second or two. No board that was tried within these
/// numbers of squares and moves took longer.
pub(super) fn is_surely_short(question: &Question) -> bool {
    let board = &question.board;
    // A frontier is twice as long where edges are joined, and a graph may have one of any length.
    let is_flat = board.layout().is_some_and(|layout| layout.wrap == Wrap::None);
    let moves: usize = board.all_squares().map(|square| board.moves(square).count()).sum();
    if !is_flat && moves > 160 || board.most_moves() > KNIGHT_MOVES.len() {
        return board.squares() <= 25;
    }
    let is_narrow = board.is_plain() && board.rows().min(board.cols()) <= 7;
    board.squares() <= 49 || (question.is_closed() && is_narrow && board.squares() <= 70)
}

/// The limits of a forecast.
#[derive(Clone, Copy)]
pub(super) struct ForecastLimits {
    pub time: Duration,
    /// The bytes that the states of the count may take: its samples may take as many, because they
    /// come before.
    pub memory: Option<u64>,
}

impl ForecastLimits {
    /// The effort for samples.
    pub fn effort(self, seed: u64, stop: SharedStop<'_>) -> ForecastEffort<'_> {
        let memory = self.memory.unwrap_or(u64::MAX).max(LEAST_FOR_SAMPLES);
        ForecastEffort { within: self.time, memory, seed, stop }
    }
}

/// The cost of a whole count from the start.
#[derive(Clone, Copy)]
pub(super) enum Cost {
    /// It takes a second or two.
    Short,
    /// Seconds of one thread.
    Seconds(f64),
    /// A forecast from samples, whose bounds may be too far apart to tell.
    Forecast(Expected),
    Unknown,
}

impl Cost {
    /// The seconds of `threads` threads together, if they are known.
    pub fn seconds(self, threads: usize) -> Option<f64> {
        match self {
            Self::Short => Some(MOST_OF_SHORT),
            Self::Seconds(seconds) => Some(seconds / threads as f64),
            Self::Forecast(expected) => {
                expected.forecast.is_known().then(|| expected.seconds() / threads as f64)
            }
            Self::Unknown => None,
        }
    }

    pub fn forecast(self) -> Option<Expected> {
        match self {
            Self::Forecast(expected) => Some(expected),
            _ => None,
        }
    }
}

/// The cost of a whole count by an engine, as far as a forecast within limits shows it.
pub(super) fn cost(engine: &Engine, limits: ForecastLimits, control: &Control) -> Cost {
    let end = Instant::now() + limits.time;
    match engine {
        Engine::Frontier(_) if is_surely_short(&engine.identity().question) => Cost::Short,
        Engine::Frontier(frontier) => {
            let stop = || control.is_stopped();
            estimate::of_frontier(frontier, limits.effort(0, &stop))
                .map_or(Cost::Unknown, Cost::Forecast)
        }
        Engine::Subsets(subsets) => Cost::Seconds(subsets.seconds()),
        Engine::Walk(_) | Engine::Edges(_) => {
            let stop = || control.is_stopped() || Instant::now() >= end;
            let probed = estimate::impression(&**engine, MOST_PROBES, 0, &stop);
            let probed = probed.filter(|probed| probed.probes >= FEW_PROBES);
            probed.map_or(Cost::Unknown, |probed| Cost::Seconds(probed.nodes.mean / NODES_PER_S))
        }
    }
}

/// A count that is about to begin.
#[derive(Clone, Copy)]
pub(super) struct Beginning<'a> {
    pub plan: &'a Plan,
    /// True if a checkpoint has part of it.
    pub is_begun: bool,
    /// True if its states are made for other processes, so that they have to fit.
    pub is_for_others: bool,
    pub control: &'a Control,
}

impl<'a> Beginning<'a> {
    /// Tells the observer what the count takes. If it is a search, it is told once the search has
    /// lasted a second.
    ///
    /// # Errors
    /// If the count is stopped, and if the states are for other processes and the disk is too small
    /// even for the lower bound of the forecast. Any other count can be divided.
    pub fn announce(self, observer: &'a mut dyn Observer) -> Result<Announced<'a>, JobError> {
        let (mut expected, mut later) = (None, None);
        let is_to_be_forecast = self.plan.job.spent_by_others.is_none()
            && self.plan.prepared.is_none()
            && !matches!(self.plan.identity().split, Split::Lengths { .. });
        match &self.plan.engine {
            _ if !is_to_be_forecast => {}
            Engine::Frontier(_) => expected = self.forecast(observer)?,
            Engine::Subsets(work) => {
                let seconds = work.seconds() / self.threads() as f64;
                if seconds >= UNANNOUNCED.as_secs_f64() {
                    self.tell_time(Some(seconds), None, observer);
                }
            }
            Engine::Walk(_) | Engine::Edges(_) => {
                later = (observer.interest() >= Interest::Words).then_some(self);
            }
        }
        Ok(Announced { observer, expected, later })
    }

    fn threads(&self) -> usize {
        self.plan.job.limits.threads()
    }

    /// The bytes that the layers may take, if the limits on memory and disk are known. Layers for
    /// other processes all end on disk.
    fn room(&self) -> Option<u64> {
        let disk = match self.plan.place() {
            Some(_) => self.plan.disk_for_states()?,
            // Nothing is written to disk.
            None => 0,
        };
        let memory = self.plan.memory_for_states?;
        Some(if self.is_for_others { disk } else { estimate::room(memory, disk) })
    }

    /// Compares a forecast with the room, which suffices if it is unknown.
    fn fits(&self, expected: &Expected) -> Result<Fits, NoRoom> {
        self.room().map_or(Ok(Fits::Surely), |room| expected.fits(room))
    }

    /// The seconds of all threads together.
    fn seconds(&self, expected: &Expected) -> f64 {
        expected.seconds() / self.threads() as f64
    }

    fn is_long(&self, expected: &Expected) -> bool {
        self.seconds(expected) > LONG.as_secs_f64()
    }

    /// True if the user should know that the states may not fit.
    fn may_lack_room(&self, expected: &Expected) -> bool {
        match self.fits(expected) {
            Ok(Fits::Surely) => false,
            // Groups of units take longer, which matters little for a count of seconds.
            Ok(Fits::Perhaps) => self.is_for_others || self.is_long(expected),
            Err(_) => true,
        }
    }

    /// True if a count needs no better forecast. A resumed count waits for one only if it does not
    /// fit its limits, and a sample of a shard rarely tells more than that the shard takes no more
    /// than the whole.
    fn is_enough(&self, expected: Option<&Expected>) -> bool {
        let Some(expected) = expected else { return self.is_begun || !self.is_whole() };
        if !self.is_whole() {
            return true;
        }
        if self.is_begun {
            return self.fits(expected).is_ok();
        }
        let is_known = expected.forecast.is_known();
        is_known && !self.is_long(expected) && !self.may_lack_room(expected)
    }

    fn is_whole(&self) -> bool {
        self.plan.shard == Shard::WHOLE
    }

    /// Forecasts a count by the frontier within a few seconds and tells what it takes, unless
    /// nobody is interested and nothing can be refused.
    fn forecast(&self, observer: &mut dyn Observer) -> Result<Option<Expected>, JobError> {
        let began = Instant::now();
        let is_for_nobody = observer.interest() == Interest::None && !self.is_for_others;
        let is_brief = self.plan.job.limits.max_time.is_some_and(|most| most < TOO_BRIEF);
        if is_for_nobody || is_brief || is_surely_short(&self.plan.job.question) {
            return Ok(None);
        }
        let expected = self.sampled(observer);
        if self.control.is_stopped() {
            let (after, is_kept) = (began.elapsed(), self.plan.place().is_some());
            return Err(JobError::Forecasting { after, is_begun: self.is_begun, is_kept });
        }
        let Some(known) = expected.filter(|expected| expected.forecast.is_known()) else {
            let (of, is_whole) = (self.plan.upcoming(), self.is_whole());
            observer.notice(&Event::Unforeseen { of, is_whole });
            return Ok(None);
        };
        if self.is_for_others {
            self.fits(&known)?;
        }
        self.tell(&known, observer);
        Ok(Some(known))
    }

    /// Takes more and more time for a forecast until it is enough.
    fn sampled(&self, observer: &mut dyn Observer) -> Option<Expected> {
        let mut expected = None;
        // A resumed count shows more by its own progress than the quickest forecast does.
        let times = [QUICK, ROUGH, FAIR].into_iter().skip(usize::from(self.is_begun));
        for most in times {
            let time = forecast_time(most, self.plan.job.limits.max_time);
            if most == FAIR {
                observer.notice(&Event::Forecasting(self.plan.upcoming(), time));
            }
            let limits = ForecastLimits { time, memory: self.plan.memory_for_states };
            expected = cost(&self.plan.engine, limits, self.control).forecast().or(expected);
            if self.is_enough(expected.as_ref()) || self.control.is_stopped() {
                break;
            }
        }
        expected
    }

    /// Tells the time and the bytes of a count, and that its states may not fit.
    fn tell(&self, expected: &Expected, observer: &mut dyn Observer) {
        let Expected { forecast, .. } = expected;
        if self.seconds(expected) >= UNANNOUNCED.as_secs_f64() {
            let of_units = self.threads() as f64 * forecast.unit_bytes;
            let bytes = Some(forecast.bytes + of_units);
            self.tell_time(Some(self.seconds(expected)), bytes, observer);
        }
        if let Some(room) = self.room().filter(|_| self.may_lack_room(expected)) {
            let [_, most] = forecast.bounds();
            let (bytes, is_for_others) = (forecast.bytes * most, self.is_for_others);
            observer.notice(&Event::MayLackRoom { bytes, room: room as f64, is_for_others });
        }
    }

    fn tell_time(&self, seconds: Option<f64>, bytes: Option<f64>, observer: &mut dyn Observer) {
        observer.notice(&Event::Forecast(self.plan.upcoming(), Price { seconds, bytes }));
    }

    /// Tells the expected seconds of this shard of a search; a second of probing may not show them.
    fn tell_of_search(&self, observer: &mut dyn Observer) {
        let time = forecast_time(UNANNOUNCED, self.plan.job.limits.max_time);
        let whole = cost(&self.plan.engine, ForecastLimits { time, memory: None }, self.control);
        let of_shard = self.plan.shard.units_of(&*self.plan.engine).len();
        let share = of_shard as f64 / self.plan.engine.units().max(1) as f64;
        let seconds = whole.seconds(self.threads()).map(|seconds| seconds * share);
        // Otherwise the machine is slow and the count is nearly done.
        if seconds.is_none_or(|seconds| seconds >= UNANNOUNCED.as_secs_f64()) {
            self.tell_time(seconds, None, observer);
        }
    }
}

/// The time for one forecast: at most a quarter of the time that the run may take.
pub(super) fn forecast_time(time: Duration, max_time: Option<Duration>) -> Duration {
    max_time.map_or(time, |most| time.min(most / 4))
}

/// Passes the events of a run on, and tells what the run takes once it has lasted a second.
pub(super) struct Announced<'a> {
    observer: &'a mut dyn Observer,
    /// The forecast of a count by the frontier, if one was made.
    pub expected: Option<Expected>,
    /// The search that is to be announced.
    later: Option<Beginning<'a>>,
}

impl Observer for Announced<'_> {
    fn interest(&self) -> Interest {
        self.observer.interest()
    }

    fn notice(&mut self, event: &Event) {
        if let Event::Progress(at) = event
            && at.elapsed >= UNANNOUNCED
            && at.done < at.units
            && let Some(search) = self.later.take()
        {
            search.tell_of_search(self.observer);
        }
        self.observer.notice(event);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CheckpointPlace, Job};
    use super::*;
    use crate::board::Board;
    use crate::run::Silent;

    #[test]
    fn layers_for_other_processes_have_the_room_of_the_disk_alone() {
        let question = Question::closed(Board::new(8, 8).expect("a board"));
        let mut job = Job::new(question);
        (job.limits.memory, job.limits.disk) = (Some(1 << 30), Some(1 << 20));
        job.keeping.place = Some(CheckpointPlace::named("prepared.kt".into()));
        let plan = job.plan(&mut Silent).expect("planned");
        let room = |is_for_others| {
            let control = &Control::default();
            let beginning = Beginning { plan: &plan, is_begun: false, is_for_others, control };
            beginning.room().expect("limits")
        };
        assert_eq!(room(true), 1 << 20);
        assert!(room(false) > 1 << 28);
    }

    #[test]
    fn a_forecast_takes_at_most_a_quarter_of_the_time_that_a_run_may_take() {
        let seconds = Duration::from_secs;
        assert_eq!(forecast_time(FAIR, None), FAIR);
        assert_eq!(forecast_time(FAIR, Some(seconds(60))), FAIR);
        assert_eq!(forecast_time(FAIR, Some(seconds(8))), seconds(2));
        assert_eq!(forecast_time(QUICK, Some(seconds(8))), QUICK);
    }
}
