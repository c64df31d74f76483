//! Estimates of a job: the size of its search by random probes, and the states of the frontier from
//! samples, within a time.

use super::cost::{CountPrice, StatesRoom};
use super::{Job, JobError, Name, rates};
use crate::engine::{self, Engine, EngineError};
use crate::estimate::{self, Expected, ForecastEffort, SearchSize, SharedStop};
use crate::frontier::{Frontier, FrontierError, MemoryShares};
use crate::question::Impossible;
use crate::run::{self, Outcome, Settings, Silent};
use crate::subsets::Subsets;
use crate::walk::MemoSize;
use crate::work::{Split, Work};
use std::time::{Duration, Instant};

/// The time for which the rate is measured.
const MEASURE: Duration = Duration::from_millis(500);

/// The least time within which an estimate ends.
pub const LEAST: Duration = Duration::from_millis(500);

/// The time for samples of the frontier where no time is given.
const USUAL: Duration = Duration::from_secs(20);

/// The time for an estimate where none is given, on a board that is not a full knight's board: a
/// probe of a dense graph takes milliseconds.
const USUAL_OF_ANY: Duration = Duration::from_secs(30);

/// The time for which each engine counts, in case that it ends before the estimate does.
const MOMENT: Duration = Duration::from_millis(250);

/// Probes that show how long a probe takes.
const FIRST_PROBES: u64 = 400;

/// The effort of an estimate.
#[derive(Debug, Clone, Copy)]
pub struct EstimateEffort {
    /// The most random probes.
    pub probes: u64,
    /// The time within which it ends, but at least half a second; `None` for the usual one.
    pub within: Option<Duration>,
    /// The seed of the probes and samples.
    pub seed: u64,
}

/// An estimate: the price of the count that the job would make, and what it rests on.
pub struct Estimate {
    /// The price.
    pub price: CountPrice,
    /// The size of the count, and that of the same count by other engines.
    pub of: Estimated,
    /// The room for the states of a count.
    pub room: StatesRoom,
}

impl Estimate {
    /// The bound on memory that was given, and the larger one below which the count is refused.
    #[doc(hidden)]
    pub fn refused(&self) -> Option<(u64, u64)> {
        let needs_none = matches!(self.of, Estimated::Nothing(_));
        self.room.refused(&self.price.engine).filter(|_| !needs_none)
    }
}

/// The expected size and result of a job.
#[non_exhaustive]
pub enum Estimated {
    /// There is no tour, for a reason that needs no search.
    Nothing(Impossible),
    /// The tours were counted, because that takes no longer than an estimate.
    Counted(Box<Outcome>),
    /// At most these seconds of one thread, by sets of squares.
    BySubsets(f64),
    /// The states of the frontier.
    Frontier(Result<Expected, Unforeseen>),
    /// The nodes of a search, next to what other engines would take.
    Search(Box<SearchEstimate>),
}

/// The estimate of a search.
pub struct SearchEstimate {
    /// Its nodes and tours.
    pub size: SearchSize,
    /// Nodes per second of one thread; unknown where there is nothing to search, or nothing that is
    /// searched soon.
    pub nodes_per_s: Option<f64>,
    /// The engine.
    pub engine: Name,
    /// The depth at which it is split.
    pub split_depth: u32,
    /// The states of the frontier.
    pub frontier: Result<Expected, Unforeseen>,
    /// At most these seconds of one thread, by sets of squares.
    pub by_subsets: Option<f64>,
}

impl SearchEstimate {
    /// The seconds for `nodes` nodes on `threads` threads; unknown without a rate, unless there is
    /// nothing to do.
    pub fn seconds(&self, nodes: f64, threads: usize) -> Option<f64> {
        match self.nodes_per_s {
            Some(rate) => Some(nodes / rate / threads as f64),
            None => (nodes == 0.0).then_some(0.0),
        }
    }
}

/// The reason why there is no forecast of a count without listing.
#[derive(Debug)]
#[non_exhaustive]
pub enum Unforeseen {
    /// It was wished to be divided at a depth, as only a search is.
    Depth,
    /// The frontier cannot count the board.
    Engine(FrontierError),
    /// No sample was finished.
    NoSample,
    /// The bounds by its samples are too far apart.
    FarApart,
}

/// The reason why there is no estimate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EstimateError {
    /// It was cancelled.
    #[error("stopped before the end of the estimate")]
    Stopped,
    /// The time is too short for a probe of each kind.
    #[error("{0:?} is too short for an estimate of this search")]
    TooShort(Duration),
    /// The job cannot be done as it was wished.
    #[error(transparent)]
    Job(#[from] JobError),
}

impl From<EngineError> for EstimateError {
    fn from(error: EngineError) -> Self {
        JobError::from(error).into()
    }
}

impl Job {
    /// Estimates the job.
    ///
    /// # Errors
    /// [`EstimateError`] if it is stopped, has too little time, or cannot be done as it was wished.
    pub fn estimate(
        &self,
        how: &EstimateEffort,
        stop: SharedStop,
    ) -> Result<Estimate, EstimateError> {
        let began = Instant::now();
        let is_any = !self.question.board.is_plain();
        let engine = engine::choose(&self.question, &self.wishes, None).engine;
        let within = how.within.or(is_any.then_some(USUAL_OF_ANY));
        let end = within.map(|within| began + within.max(LEAST));
        let work = Estimator { job: self, how, within, end, stop };
        let nothing = self.without_search().and_then(|_| self.question.impossible());
        let of = match (&self.wishes.engine, nothing) {
            (_, Some(reason)) => Ok(Estimated::Nothing(reason)),
            (Some(Name::Frontier), None) => match work.frontier(None, work.left()) {
                Err(Unforeseen::Engine(error @ FrontierError::Cut { .. })) => {
                    Err(EngineError::from(error).into())
                }
                forecast => work.check().map(|()| Estimated::Frontier(forecast)),
            },
            (Some(Name::Subsets), None) => {
                let subsets = Subsets::new(self.question.clone()).map_err(EngineError::from)?;
                Ok(Estimated::BySubsets(subsets.seconds()))
            }
            _ => work.search(&engine),
        };
        let room = StatesRoom::of(self);
        of.map(|of| Estimate { price: self.price(engine, &of, &room, began), of, room })
    }

    /// The price of the count by an engine, of which an estimate was begun at some time.
    fn price(&self, engine: Name, of: &Estimated, room: &StatesRoom, began: Instant) -> CountPrice {
        let threads = self.limits.threads();
        let of_frontier = |expected: &Result<Expected, _>| {
            CountPrice::of_states(expected.as_ref().ok(), self, room)
        };
        // Of one thread; a count that has ended has taken its time on all of them.
        let seconds = match of {
            Estimated::Frontier(expected) => return of_frontier(expected),
            Estimated::Search(search) if engine == Name::Frontier => {
                return of_frontier(&search.frontier);
            }
            Estimated::Search(search) if engine == Name::Subsets => {
                search.by_subsets.map(|seconds| [seconds; 3])
            }
            Estimated::Search(search) => {
                let nodes = &search.size.nodes;
                let seconds = [nodes.mean, nodes.low(), nodes.high()];
                let [mean, low, high] = seconds.map(|nodes| search.seconds(nodes, 1));
                mean.zip(low).zip(high).map(|((mean, low), high)| [mean, low, high])
            }
            Estimated::BySubsets(seconds) => Some([*seconds; 3]),
            Estimated::Counted(outcome) => {
                Some([outcome.effort.elapsed.as_secs_f64() * threads as f64; 3])
            }
            Estimated::Nothing(_) => Some([began.elapsed().as_secs_f64(); 3]),
        };
        CountPrice::without_states(engine, self, seconds)
    }
}

/// An estimate in progress.
struct Estimator<'a> {
    job: &'a Job,
    how: &'a EstimateEffort,
    within: Option<Duration>,
    end: Option<Instant>,
    stop: SharedStop<'a>,
}

impl Estimator<'_> {
    fn check(&self) -> Result<(), EstimateError> {
        if (self.stop)() { Err(EstimateError::Stopped) } else { Ok(()) }
    }

    /// The time until the end, nothing if it is past; the usual time if there is no end.
    fn left(&self) -> Duration {
        self.end.map_or(USUAL, |end| end.saturating_duration_since(Instant::now()))
    }

    /// The size and the rate of a search, unless the engine that a count would take has soon
    /// counted the tours.
    fn search(&self, fastest: &Name) -> Result<Estimated, EstimateError> {
        let Job { question, wishes, .. } = self.job;
        let memo = self.job.memo()?;
        let mut frontier = None;
        if *wishes == Default::default() && !question.board.is_plain() {
            if let Ok(mut work) = Engine::new(fastest, question.clone(), None, memo) {
                if let Some(outcome) = self.counted_at_once(&mut *work) {
                    return Ok(Estimated::Counted(Box::new(outcome)));
                }
                frontier = Some(work);
            }
            self.check()?;
        }
        // What the count would do comes first, however little time there is.
        let first =
            (*fastest == Name::Frontier).then(|| self.frontier(frontier.take(), self.left() / 2));
        let mut wishes = wishes.clone();
        wishes.engine = wishes.engine.or(Some(Name::Walk));
        let choice = engine::choose(question, &wishes, None);
        let new = |memo| Engine::new(&choice.engine, question.clone(), choice.split, memo);
        let work = new(memo);
        if work.as_ref().is_err_and(EngineError::is_of_board)
            && let Some(forecast) = first
        {
            return self.check().map(|()| Estimated::Frontier(forecast));
        }
        let (work, untabled) = (work?, new(MemoSize::Off)?);
        let size = self.size(&*untabled);
        self.check()?;
        let within = self.within.unwrap_or_default().max(LEAST);
        let size = size.ok_or(EstimateError::TooShort(within))?;
        let measure = MEASURE.min(self.left() / 4);
        let is_over = || (self.stop)() || self.end.is_some_and(|end| Instant::now() >= end);
        // Without nodes the measurement would wait in vain for three seconds.
        let rate = || estimate::rate(&*work, &*untabled, self.how.seed, measure, &is_over);
        let nodes_per_s = (size.nodes.mean > 0.0).then(rate).flatten();
        let frontier = first.unwrap_or_else(|| self.frontier(frontier, self.left()));
        self.check()?;
        let by_subsets = || Some(Subsets::new(question.clone()).ok()?.seconds());
        Ok(Estimated::Search(Box::new(SearchEstimate {
            size,
            nodes_per_s,
            engine: choice.engine.clone(),
            split_depth: work.identity().split.depth(),
            frontier,
            by_subsets: if question.board.is_plain() { None } else { by_subsets() },
        })))
    }

    /// The count, if this engine ends within a moment.
    fn counted_at_once(&self, work: &mut dyn Work) -> Option<Outcome> {
        let threads = self.job.limits.threads();
        let shares = MemoryShares::of(self.job.limits.bound()?, &self.job.question, threads);
        shares.limit(work, threads);
        let mut settings = Settings::on_threads(threads);
        settings.limits.memory = Some(shares.states);
        settings.limits.max_time = Some(MOMENT.min(self.left() / 8));
        run::count(work, settings, &mut Silent).ok()
    }

    /// The size of a search by as many probes as were asked for, or by as many as fit half of the
    /// time, if that is bounded. If there is not even time for a few probes of each unit, some
    /// units stand for all.
    fn size(&self, work: &dyn Work) -> Option<SearchSize> {
        let EstimateEffort { probes, seed, .. } = *self.how;
        let Some(end) = self.end else {
            return estimate::estimate(work, probes, seed, self.stop);
        };
        let began = Instant::now();
        // Probes that take longer than the first still leave time for the frontier.
        let [quarter, half, most] = [1, 2, 3].map(|part| began + self.left() * part / 4);
        let is_past = |end: Instant| move || (self.stop)() || Instant::now() >= end;
        let first = probes.min(FIRST_PROBES);
        let Some(first) = estimate::estimate(work, first, seed, &is_past(quarter)) else {
            return estimate::impression(work, probes, seed, &is_past(half));
        };
        let took = began.elapsed().as_secs_f64() / first.probes.max(1) as f64;
        let fitting = end.saturating_duration_since(Instant::now()).as_secs_f64() / 2.0 / took;
        let fitting = probes.min(fitting as u64);
        if fitting <= first.probes {
            return Some(first);
        }
        // The first probes may have been quick ones.
        estimate::estimate(work, fitting, seed, &is_past(most)).or(Some(first))
    }

    /// The forecast of a count without listing, or the reason why there is none. To find a good
    /// order of the squares takes a while, so that a frontier that is there is taken.
    fn frontier(&self, begun: Option<Engine>, time: Duration) -> Result<Expected, Unforeseen> {
        let split = self.job.wishes.split;
        if let Some(Split::Depth(_)) = split {
            return Err(Unforeseen::Depth);
        }
        let frontier = match begun {
            Some(Engine::Frontier(frontier)) => *frontier,
            _ => Frontier::new(self.job.question.clone(), split).map_err(Unforeseen::Engine)?,
        };
        let memory = self.job.limits.memory_for_states(&self.job.question).unwrap_or(u64::MAX);
        let effort = ForecastEffort { within: time, memory, seed: self.how.seed, stop: self.stop };
        let expected = rates::expected(&frontier, effort, self.job.limits.threads());
        let expected = expected.ok_or(Unforeseen::NoSample)?;
        expected.forecast.is_known().then_some(expected).ok_or(Unforeseen::FarApart)
    }
}
