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

use super::{CheckpointPlace, Job, JobError, LEAST_OF_SEARCH, Plan, rates};
use crate::board::{KNIGHT_MOVES, Piece, Wrap};
use crate::engine::Engine;
use crate::estimate::{self, Expected, ForecastEffort, Multiple, NoRoom};
use crate::frontier::{Frontier, MemoryShares};
use crate::machine;
use crate::quantity::{about, bytes, counted};
use crate::question::Question;
use crate::rates::LEAST;
use crate::run::checkpoint::{Header, Store};
use crate::run::{self, Control, Event, Observer, Price};
use crate::units::Shard;
use crate::walk::{MemoSize, Walk};
use crate::work::{Name, Split, Work as _};
use std::fmt;
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
const MOST_PROBES: u64 = 40_000;

/// The share of the nodes that a search with a transposition table visits. It saves more on larger
/// boards, most of which nobody searches to the end.
const VISITED_WITH_TABLE: f64 = 0.4;

/// The time of a node where there is no table to look into, as a share of one with a table.
const TIME_WITHOUT_TABLE: f64 = 0.5;

/// The least number of probes for a search.
const FEW_PROBES: u64 = 8;

/// True for boards that take the frontier a second or two. No board that was tried within these
/// numbers of squares and moves took longer; with other pieces 7x7 took minutes.
pub(super) fn is_surely_short(question: &Question) -> bool {
    let board = &question.board;
    // A frontier is twice as long where edges are joined, and a graph may have one of any length.
    let is_flat = board.layout().is_some_and(|layout| layout.wrap == Wrap::None);
    let moves: usize = board.all_squares().map(|square| board.moves(square).count()).sum();
    if !is_flat && moves > 160 || board.most_moves() > KNIGHT_MOVES.len() {
        return board.squares() <= 20;
    }
    let is_usual =
        |piece: &Piece| *piece == Piece::knight() || piece.leaps().all(|(_, far)| far < 2);
    if !board.layout().is_none_or(|layout| is_usual(&layout.piece)) {
        return board.squares() <= 36;
    }
    if board.is_plain() && board.rows().min(board.cols()) <= 2 {
        return true;
    }
    let is_narrow = board.is_plain() && board.rows().min(board.cols()) <= 7;
    board.squares() <= 49 || (question.is_closed() && is_narrow && board.squares() <= 70)
}

/// True for counts of a second or two of which no more is known.
pub(super) fn needs_no_forecast(frontier: &Frontier) -> bool {
    frontier.known_sizes().is_none() && is_surely_short(&frontier.identity().question)
}

impl Plan {
    /// The forecast of the count by a frontier, from samples within some time. The samples may take
    /// as many bytes as the states of the count, because they come before.
    pub(super) fn sampled(
        &self,
        frontier: &Frontier,
        within: Duration,
        control: &Control,
    ) -> Option<Expected> {
        let memory = self.memory_for_states.unwrap_or(u64::MAX);
        let stop = || control.is_stopped();
        let effort = ForecastEffort { within, memory, seed: 0, stop: &stop };
        rates::expected(frontier, effort, self.job.limits.threads())
    }

    /// The nodes that a search of all units is expected to visit, by random probes within some
    /// time, and the seconds of one thread for them. Without a table, the nodes are given as the
    /// number with a table that takes as long.
    pub(super) fn probed(
        &self,
        walk: &Walk,
        within: Duration,
        control: &Control,
    ) -> Option<[f64; 2]> {
        let end = Instant::now() + within;
        let stop = || control.is_stopped() || Instant::now() >= end;
        let probed = estimate::impression(walk, MOST_PROBES, 0, &stop);
        let probed = probed.filter(|probed| probed.probes >= FEW_PROBES)?;
        let visited = if walk.has_table() { VISITED_WITH_TABLE } else { TIME_WITHOUT_TABLE };
        let nodes = probed.nodes.mean * visited;
        Some([nodes, nodes * rates::of_machine().node])
    }

    /// The share of all units that the shard has.
    pub(super) fn share_of_units(&self) -> f64 {
        let of_shard = self.shard.units_of(&*self.engine).len();
        of_shard as f64 / self.engine.units().max(1) as f64
    }
}

/// The time for one forecast: at most a quarter of the time that the run may take.
pub(super) fn forecast_time(time: Duration, max_time: Option<Duration>) -> Duration {
    max_time.map_or(time, |most| time.min(most / 4))
}

/// The bounds of some seconds, which are factors of them, unless they say no more than "about".
pub(super) fn far_apart(seconds: f64, bounds: [f64; 2]) -> Option<[f64; 2]> {
    let [least, most] = bounds;
    (most > 2.0 * least).then(|| bounds.map(|bound| bound * seconds))
}

/// A count that is about to begin.
pub(super) struct Beginning<'a> {
    pub plan: &'a Plan,
    /// The header of the checkpoint that has part of it.
    pub begun: Option<Header>,
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
        let (mut expected, mut later, mut told) = (None, None, None);
        let plan = self.plan;
        // Counts by start are too many to announce each.
        let is_by_start = plan.job.spent_by_others.is_some() && plan.job.relay.is_none();
        let is_there = |begun: &Header| begun.status.building.is_none() && self.has_states();
        let is_prepared = self.is_for_others && self.begun.as_ref().is_some_and(is_there);
        let is_to_be_forecast = !is_by_start
            && !is_prepared
            && plan.prepared.is_none()
            && !matches!(plan.identity().split, Split::Lengths { .. });
        match &plan.engine {
            _ if !is_to_be_forecast => {}
            Engine::Frontier(frontier) => expected = self.forecast(frontier, observer)?,
            Engine::Subsets(work) => {
                let seconds = work.seconds() / self.threads() as f64 * self.open();
                if seconds >= UNANNOUNCED.as_secs_f64() {
                    self.tell_time(Some(seconds), None, None, observer);
                }
                told = Some(seconds);
            }
            Engine::Walk(walk) => {
                later = observer.is_interested().then_some((self, walk));
            }
        }
        Ok(Announced { observer, expected, later, seconds: told, nodes: None })
    }

    fn threads(&self) -> usize {
        self.plan.job.limits.threads()
    }

    /// The time that a search lasts before it is announced: half of its limit, but at least half a
    /// second and at most one. So it is announced before a limit of a second or two ends it.
    fn quiet(&self) -> Duration {
        let half = self.plan.job.limits.max_time.unwrap_or(Duration::MAX) / 2;
        half.clamp(UNANNOUNCED / 2, UNANNOUNCED)
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

    /// Compares a forecast with the room, which suffices if it is unknown: true if that is sure.
    fn fits(&self, expected: &Expected) -> Result<bool, NoRoom> {
        let fits = self.room().map_or(Ok(true), |room| expected.fits(room));
        let free = || self.plan.disk_of_states().unwrap_or(u64::MAX);
        fits.map_err(|lack| NoRoom { free: free(), ..lack })
    }

    /// The seconds of all threads together that are left by the progress that was saved last, as
    /// `status` says them.
    fn left_by_progress(&self) -> Option<f64> {
        let (header, place) = (self.begun.as_ref()?, self.plan.place()?);
        let slower = f64::from(header.history.sessions.last()?.threads) / self.threads() as f64;
        header.left(header.lost(&place.path)).map(|left| left.as_secs_f64() * slower)
    }

    /// The seconds of all threads together for what is left of the count.
    fn seconds(&self, expected: &Expected) -> f64 {
        self.left_by_progress().unwrap_or_else(|| self.seconds_by_rates(expected))
    }

    /// The same by the forecast alone.
    fn seconds_by_rates(&self, expected: &Expected) -> f64 {
        let Expected { before, within, .. } = *expected;
        let of_one_thread = match &self.begun {
            None => before + within,
            Some(header) if header.done == header.units() as u64 => 0.0,
            Some(Header { status, .. }) if status.building.is_some() => {
                (before + within) * self.open()
            }
            Some(header) => {
                let open = 1.0 - header.done as f64 / header.units().max(1) as f64;
                if self.has_states() { within * open } else { before + within * open }
            }
        };
        of_one_thread / self.threads() as f64
    }

    /// The share of the work that is left, by the progress that was saved last.
    fn open(&self) -> f64 {
        let header = self.begun.as_ref().zip(self.plan.place());
        1.0 - header.and_then(|(it, place)| it.share(it.lost(&place.path))).unwrap_or(0.0)
    }

    /// True if the states before the units are saved.
    fn has_states(&self) -> bool {
        let folder = |place: &CheckpointPlace| Store::folder_of_states(&place.path);
        self.plan.place().is_some_and(|place| run::has_states(&folder(place)))
    }

    fn is_long(&self, expected: &Expected) -> bool {
        self.seconds(expected) > LONG.as_secs_f64()
    }

    /// True if the user should know that the states may not fit.
    fn may_lack_room(&self, expected: &Expected) -> bool {
        // Groups of units take longer, which matters little for a count of seconds.
        let matters = || self.is_for_others || self.is_long(expected);
        self.fits(expected).map_or(true, |is_sure| !is_sure && matters())
    }

    /// True if a count needs no better forecast, as where its sizes are known. A resumed count
    /// waits for one only if it does not fit its limits, and a sample of a shard rarely tells more
    /// than that the shard takes no more than the whole.
    fn is_enough(&self, expected: Option<&Expected>) -> bool {
        let Some(expected) = expected else { return self.begun.is_some() };
        if expected.forecast.usual_seconds.is_some() {
            return true;
        }
        let is_known = expected.forecast.is_known();
        if !self.is_whole() {
            return is_known;
        }
        if self.begun.is_some() {
            return self.fits(expected).is_ok();
        }
        is_known && !self.is_long(expected) && !self.may_lack_room(expected)
    }

    fn is_whole(&self) -> bool {
        self.plan.shard == Shard::WHOLE
    }

    /// Forecasts a count by the frontier within a few seconds and tells what it takes, unless
    /// nobody is interested and nothing can be refused.
    fn forecast(
        &self,
        frontier: &Frontier,
        observer: &mut dyn Observer,
    ) -> Result<Option<Expected>, JobError> {
        let began = Instant::now();
        let is_for_nobody = !observer.is_interested() && !self.is_for_others;
        let is_brief = self.plan.job.limits.max_time.is_some_and(|most| most < TOO_BRIEF);
        if is_for_nobody || is_brief || needs_no_forecast(frontier) {
            return Ok(None);
        }
        let expected = self.sampled(frontier, observer);
        if self.control.is_stopped() {
            let (after, is_kept) = (began.elapsed(), self.plan.place().is_some());
            return Err(JobError::Forecasting { after, is_begun: self.begun.is_some(), is_kept });
        }
        let Some(known) = expected.filter(|expected| expected.forecast.is_known()) else {
            let (of, is_whole) = (self.plan.upcoming(), self.is_whole());
            match self.left_by_progress() {
                None => observer.notice(&Event::Unforeseen { of, is_whole }),
                left => self.tell_time(left, None, None, observer),
            }
            return Ok(None);
        };
        if self.is_for_others {
            self.fits(&known)?;
        }
        self.tell(&known, observer);
        let [mut guess, ..] = self.in_groups(&known);
        // What is shown begins near what was told.
        let by_rates = guess.time * self.seconds_by_rates(&known);
        let left = self.left_by_progress().filter(|_| by_rates > 0.0);
        guess.time *= left.map_or(1.0, |left| left / by_rates);
        Ok(estimate::are_telling(self.bounds(&known)).then(|| known.times(guess)))
    }

    /// Takes more and more time for a forecast until it is enough.
    fn sampled(&self, frontier: &Frontier, observer: &mut dyn Observer) -> Option<Expected> {
        let mut expected = None;
        // A resumed count shows more by its own progress than the quickest forecast does.
        let times = [QUICK, ROUGH, FAIR].into_iter().skip(usize::from(self.begun.is_some()));
        for most in times {
            let time = forecast_time(most, self.plan.job.limits.max_time);
            if most == FAIR {
                observer.notice(&Event::Forecasting(self.plan.upcoming(), time));
            }
            expected = self.plan.sampled(frontier, time, self.control).or(expected);
            if self.is_enough(expected.as_ref()) || self.control.is_stopped() {
                break;
            }
        }
        expected
    }

    /// The multiples of the work that groups take, as expected, at least and at most; 1 where the
    /// layers fit.
    fn in_groups(&self, expected: &Expected) -> [Multiple; 3] {
        let room = self.room().filter(|_| !self.is_for_others);
        let multiples = room.and_then(|room| expected.in_groups(room));
        multiples.unwrap_or([Multiple { states: 1.0, time: 1.0 }; 3])
    }

    /// The least and the most that a count takes, as multiples of what is expected.
    fn bounds(&self, expected: &Expected) -> [f64; 2] {
        let [guess, low, high] = self.in_groups(expected).map(|of| of.time);
        let [least, most] = expected.time_bounds();
        [least * low / guess, most * high / guess]
    }

    /// Tells the time and the bytes of a count, and that its states may not fit.
    fn tell(&self, expected: &Expected, observer: &mut dyn Observer) {
        let Expected { forecast, .. } = expected;
        if self.seconds(expected) >= UNANNOUNCED.as_secs_f64() {
            let of_units = self.threads() as f64 * forecast.unit_bytes;
            let bytes = Some(forecast.bytes + of_units);
            let (seconds, bounds) = match self.left_by_progress() {
                None => {
                    let [guess, ..] = self.in_groups(expected).map(|of| of.time);
                    let bounds = self.bounds(expected);
                    let seconds = guess * self.seconds(expected);
                    (estimate::are_telling(bounds).then_some(seconds), Some(bounds))
                }
                left => (left, None),
            };
            self.tell_time(seconds, bounds, bytes, observer);
        }
        if let Some(room) = self.room().filter(|_| self.may_lack_room(expected)) {
            let [_, most] = forecast.bounds();
            let (bytes, is_for_others) = (expected.bytes_at_once() * most, self.is_for_others);
            observer.notice(&Event::MayLackRoom { bytes, room: room as f64, is_for_others });
        }
    }

    /// Tells the seconds, with bounds as factors of them.
    fn tell_time(
        &self,
        seconds: Option<f64>,
        bounds: Option<[f64; 2]>,
        bytes: Option<f64>,
        observer: &mut dyn Observer,
    ) {
        let between = bounds.and_then(|bounds| far_apart(seconds?, bounds));
        let price = Price { seconds, between, is_rest: self.begun.is_some(), bytes };
        observer.notice(&Event::Forecast(self.plan.upcoming(), price));
    }

    /// Tells the seconds that are expected to be left of this shard of a search; a second of
    /// probing may not show them. Returns them, with the nodes of a whole search.
    fn tell_of_search(&self, walk: &Walk, observer: &mut dyn Observer) -> [Option<f64>; 2] {
        let left = self.left_by_progress();
        let time = forecast_time(UNANNOUNCED, self.plan.job.limits.max_time);
        let probed = || self.plan.probed(walk, time, self.control);
        let whole = if left.is_some() { None } else { probed() };
        let (share, threads) = (self.plan.share_of_units(), self.threads() as f64);
        let by_rates = whole.map(|[_, seconds]| seconds / threads * share * self.open());
        let seconds = left.or(by_rates);
        // Otherwise the machine is slow and the count is nearly done.
        if seconds.is_none_or(|seconds| seconds >= UNANNOUNCED.as_secs_f64()) {
            self.tell_time(seconds, None, None, observer);
        }
        let is_usual =
            self.is_whole() && self.begun.is_none() && self.plan.job.wishes.memo.is_none();
        [seconds, whole.filter(|_| is_usual).map(|[nodes, _]| nodes)]
    }
}

/// The memory and disk that the states of a count may take.
#[derive(Debug, Clone, Copy)]
pub struct StatesRoom {
    /// The bytes for the layers before the units.
    pub bytes: u64,
    /// The part of these that may be in memory.
    pub memory: u64,
    /// The part of these that may be on disk.
    pub disk: u64,
    /// The bound on memory that was given.
    given: Option<u64>,
    /// The least bound with which the frontier counts.
    least: u64,
}

impl StatesRoom {
    /// The room of the limits, or else of those that a count has by default.
    pub(super) fn of(job: &Job) -> Self {
        let threads = job.limits.threads();
        let states = job.limits.memory_for_states(&job.question).unwrap_or(u64::MAX);
        let free = || machine::free_disk(&super::state_folder()?.join("any"));
        let disk = job.limits.disk.or_else(|| Some(free()? / 2)).unwrap_or(u64::MAX);
        Self {
            bytes: estimate::room(states, disk),
            memory: estimate::room(states, 0),
            disk,
            given: job.limits.memory,
            least: MemoryShares::least(&job.question, threads),
        }
    }

    /// The bound on memory that was given, and the larger one below which an engine refuses a
    /// count; `None` if it does not.
    pub(super) fn refused(&self, engine: &Name) -> Option<(u64, u64)> {
        let least = if *engine == Name::Frontier { self.least } else { LEAST_OF_SEARCH };
        Some((self.given.filter(|&given| given < least)?, least))
    }

    /// The cost of counting units in groups; `None` if a count does not need them, or is refused.
    pub fn price_of_groups(&self, expected: &Expected) -> Option<[Multiple; 3]> {
        expected.in_groups(self.bytes).filter(|_| self.refused(&Name::Frontier).is_none())
    }
}

/// The price of the count that a job would make.
#[derive(Debug, Clone)]
pub struct CountPrice {
    /// The engine.
    pub engine: Name,
    /// The number of threads.
    pub threads: usize,
    /// The seconds of all threads together, as expected, at least and at most; `None` if they are
    /// not known.
    pub seconds: Option<[f64; 3]>,
    /// The bytes of memory, at most; `None` if they are not known.
    pub memory: Option<f64>,
    /// The bytes of disk, at most, beside some kilobytes of a checkpoint.
    pub disk: Option<f64>,
}

impl CountPrice {
    /// The memory of the program and its tables, without states.
    const OF_FRONTIER: f64 = (40 << 20) as f64;
    /// What a thread unpacks, and the multiple of its packed bytes that a unit takes: bounds by the
    /// memory that open 7x9, 7x10, 7x13 and 6x20 took on one thread and on two.
    const OF_THREAD: f64 = (16 << 20) as f64;
    const TIMES_OF_UNIT: f64 = 6.0;

    /// The price of a count without states, in seconds of one thread.
    pub(super) fn without_states(engine: Name, job: &Job, seconds: Option<[f64; 3]>) -> Self {
        let threads = job.limits.threads();
        let table = match job.memo() {
            Ok(MemoSize::Bytes(bytes)) => bytes,
            Ok(MemoSize::Cache) => MemoSize::DEFAULT_BYTES,
            _ => 0,
        };
        let memory = Some((LEAST_OF_SEARCH + table * threads as u64) as f64);
        let at_least = |seconds: f64| (seconds / threads as f64).max(LEAST);
        let seconds = seconds.map(|seconds| seconds.map(at_least));
        Self { engine, threads, seconds, memory, disk: Some(0.0) }
    }

    /// The price of a count by the frontier with this room for its states.
    pub(super) fn of_states(expected: Option<&Expected>, job: &Job, room: &StatesRoom) -> Self {
        let unknown = Self::without_states(Name::Frontier, job, None);
        let Some(expected) = expected else {
            return Self { memory: None, disk: None, ..unknown };
        };
        let Expected { forecast, .. } = expected;
        let threads = job.limits.threads() as f64;
        let ([_, most], [earliest, latest]) = (forecast.bounds(), expected.time_bounds());
        let bounds = [1.0, earliest, latest];
        let mut seconds = bounds.map(|bound| expected.seconds() * bound / threads);
        if let Some(in_groups) = room.price_of_groups(expected) {
            seconds.iter_mut().zip(in_groups).for_each(|(seconds, of)| *seconds *= of.time);
        }
        let [kept, at_once] = [forecast.bytes, expected.bytes_at_once()]
            .map(|bytes| (bytes * most).min(room.bytes as f64));
        let of_thread = Self::OF_THREAD + Self::TIMES_OF_UNIT * forecast.unit_bytes * most;
        let memory = Self::OF_FRONTIER + at_once + threads * of_thread;
        let bound = job.limits.bound().map_or(f64::INFINITY, |bound| bound as f64);
        // What does not fit the memory goes to disk, and a count that takes longer saves its states.
        let on_disk = match seconds[2] > job.keeping.interval.as_secs_f64() {
            _ if at_once > room.memory as f64 => at_once,
            true => kept,
            false => 0.0,
        };
        Self {
            seconds: estimate::are_telling([seconds[1], seconds[2]])
                .then(|| seconds.map(|seconds| seconds.max(LEAST))),
            memory: Some(memory.min(bound)),
            disk: Some(on_disk.min(room.disk as f64)),
            ..unknown
        }
    }
}

/// The price in one sentence.
impl fmt::Display for CountPrice {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (threads, engine) = (counted(self.threads, "thread"), &self.engine);
        let Some(seconds) = self.seconds else {
            return write!(
                out,
                "How long this count takes on {threads}, by {engine}, is not known; \
                 more time or more memory may tell"
            );
        };
        let [expected, least, most] = seconds;
        let up_to = if *engine == Name::Frontier { "up to " } else { "" };
        let least = if least > LEAST { least } else { 0.0 };
        let about = about(expected, "", (most > expected).then_some([least, most]));
        let size = |of: Option<f64>, what: &str| match of {
            None => format!("an unknown amount of {what}"),
            Some(0.0) => format!("no {what}"),
            Some(of) => format!("{up_to}{} of {what}", bytes(of)),
        };
        let (memory, disk) = (size(self.memory, "memory"), size(self.disk, "disk"));
        write!(
            out,
            "This count takes {about} on {threads}, by {engine}, \
             with {memory} and {disk}"
        )
    }
}

/// Passes the events of a run on, and tells what a search takes once it has lasted a second, or
/// half of its time limit.
pub(super) struct Announced<'a> {
    observer: &'a mut dyn Observer,
    /// The forecast of a count by the frontier, if one was made.
    pub expected: Option<Expected>,
    /// The search that is to be announced.
    later: Option<(Beginning<'a>, &'a Walk)>,
    /// The seconds that were announced of a count without such a forecast.
    seconds: Option<f64>,
    /// The nodes that a whole search was expected to have.
    pub nodes: Option<f64>,
}

impl Observer for Announced<'_> {
    fn is_interested(&self) -> bool {
        self.observer.is_interested()
    }

    fn expects(&self) -> Option<f64> {
        self.seconds
    }

    fn notice(&mut self, event: &Event) {
        if let Event::Progress(at) = event
            && at.done < at.units
            && let Some((search, walk)) = self.later.take_if(|(it, _)| at.elapsed >= it.quiet())
        {
            [self.seconds, self.nodes] = search.tell_of_search(walk, self.observer);
        }
        self.observer.notice(event);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CheckpointPlace, Job};
    use super::*;
    use crate::board::Board;
    use crate::estimate::SampleSize;
    use crate::run::Silent;
    use std::sync::Arc;

    /// The line of a count in the table of known sizes.
    fn sizes_of(question: &Question) -> String {
        let frontier = Frontier::new(question.clone(), None).expect("a cut");
        let sample = SampleSize { effort: 2_000_000, memory: 2 << 30 };
        let sample = frontier.forecast(sample, 0, &|| 0.0, &|| false).expect("a sample");
        let mut job = Job::new(question.clone());
        job.limits.memory = Some(12 << 30);
        let plan = job.plan(&mut Silent).expect("planned");
        let outcome = plan.count(&Arc::default(), &mut Silent).expect("counted");
        let (before, seconds) = outcome.measured.before;
        let (within, all) = (outcome.effort.nodes as f64 - before, outcome.measured.nodes.1);
        let (rows, cols) = (question.board.rows(), question.board.cols());
        let kind = if question.is_closed() { "closed" } else { "open" };
        let (cut, bytes) = (frontier.identity().split, outcome.effort.built.expect("built").bytes);
        format!(
            "{rows}\t{cols}\t{kind}\t{cut}\t{}\t{}\t{bytes}\t{:.0}\t{:.3}\t{:.3}",
            before,
            within,
            sample.unit_bytes,
            seconds,
            all - seconds
        )
    }

    const KNOWN: &str = include_str!("../../../engines/src/frontier/known.tsv");

    /// Asserts that counts have the sizes of the lines of the table that are chosen by their
    /// states, and prints their lines, with what they took here.
    #[expect(clippy::print_stdout, reason = "the lines make a new table")]
    fn check_known_sizes(is_chosen: impl Fn(f64) -> bool) {
        for line in KNOWN.lines().filter(|line| !line.starts_with('#')) {
            let fields: Vec<&str> = line.split('\t').collect();
            let number = |at: usize| fields[at].parse::<f64>().expect("a number");
            if is_chosen(number(4) + number(5)) {
                let board = Board::new(number(0) as u32, number(1) as u32).expect("a board");
                let question = Question::of_kind(board, fields[2] == "closed", [None, None]);
                let found = sizes_of(&question);
                println!("{found}");
                assert_eq!(found.split('\t').take(7).collect::<Vec<_>>(), fields[..7]);
            }
        }
    }

    #[test]
    fn boards_of_pieces_that_leap_farther_are_forecast_unless_they_are_smaller() {
        for (board, is_short) in [
            ("7x7", true),
            ("7x7 piece=king", true),
            ("7x7 piece=0,1+0,3", false),
            ("6x6 piece=0,1+0,3", true),
            ("5x5 wrap=torus", false),
        ] {
            let question = Question::open(board.parse().expect("a board"));
            assert_eq!(is_surely_short(&question), is_short, "{board}");
        }
    }

    #[test]
    fn the_known_sizes_are_those_of_counts() {
        check_known_sizes(|states| states < 2e7);
    }

    #[test]
    #[ignore = "takes minutes"]
    fn the_known_sizes_of_long_counts_are_those_of_counts_too() {
        check_known_sizes(|states| states >= 2e7);
    }

    #[test]
    fn layers_for_other_processes_have_the_room_of_the_disk_alone() {
        let question = Question::closed(Board::new(8, 8).expect("a board"));
        let mut job = Job::new(question);
        (job.limits.memory, job.limits.disk) = (Some(1 << 30), Some(1 << 20));
        job.keeping.place = Some(CheckpointPlace::named("prepared.kt".into()));
        let plan = job.plan(&mut Silent).expect("planned");
        let room = |is_for_others| {
            let control = &Control::default();
            let beginning = Beginning { plan: &plan, begun: None, is_for_others, control };
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
