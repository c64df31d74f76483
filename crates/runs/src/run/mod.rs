//! Long runs of any engine: units given to a pool of threads, and state saved on disk.
//!
//! Data flows down once and up once. [`count`] gives units to the pool ([`pool`]). Finished and
//! paused pieces come back through a channel to the keeper ([`keeper`]) on the calling thread,
//! which informs the [`Observer`], writes the [`checkpoint`], and adds the units up at the end. The
//! same threads compute, in rounds, what an engine needs before its units ([`layers`]).
//!
//! Work in progress is not lost. Every piece is paused at least ten times per second and reports
//! what it has found and where it stands. So a crash costs the work since the last save, and a stop
//! costs nothing, whether there are a million units or one. When a thread has nothing left to do,
//! the others pause within milliseconds and divide their pieces. Only atomic units, whose engine
//! searches no tree, have to be restarted.

pub mod checkpoint;
mod keeper;
mod layers;
mod ledger;
mod observer;
mod pool;
mod queue;
mod schedule;

pub use crate::rounds::Building;
pub use checkpoint::Status;
pub use layers::{Handover, LayersError, Relay, has_states, is_of_another, is_prepared};
pub use observer::{
    Back, Event, Observer, Portion, Price, RecountProgress, SearchProgress, Silent, Snapshot,
    Upcoming,
};

use crate::estimate::Expected;
use crate::rates::Measured;
use crate::rounds::StatesUnavailable;
use crate::units::{Shard, Units, history::History};
use crate::work::{Identity, Work};
use checkpoint::{CheckpointError, Store};
use keeper::Keeper;
pub use keeper::begun;
use layers::Storage;
pub use pool::threads;
pub(crate) use pool::{PoolContext, WorkerHandle, each};
use std::collections::TryReserveError;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// The settings of a run. By default it counts all units on all cores without limits, and saves
/// nothing.
#[derive(Debug, Default)]
pub struct Settings {
    /// The shard that this process counts.
    pub shard: Shard,
    /// The threads, memory, disk and time that it may take.
    pub limits: Limits,
    /// The place and the times at which its state is saved.
    pub saving: Saving,
    /// True if all layers are kept, for the traceback to single tours.
    pub keep_layers: bool,
    /// A folder in which another process has prepared the layers. They are read there, and nothing
    /// is written.
    pub prepared: Option<PathBuf>,
    /// The forecast of the whole count by the frontier, if one was made: it tells the progress
    /// until the run can tell by itself.
    pub expected: Option<Expected>,
    /// The layer that a count of another board has left, and the place for one of this count.
    pub relay: Option<Arc<Relay>>,
    /// The means to stop the run or to ask for its progress from another thread.
    pub control: Arc<Control>,
}

/// The resources that a run may take.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// Worker threads; all cores when `None`.
    pub threads: Option<usize>,
    /// The most bytes of memory that what precedes the units and what is worked on take; no bound
    /// when `None`.
    pub memory: Option<u64>,
    /// The most bytes of disk that what precedes the units takes, beside the checkpoint; no bound
    /// when `None`. Without a checkpoint nothing goes to disk.
    pub disk: Option<u64>,
    /// The time after which the run saves its state and stops.
    pub max_time: Option<Duration>,
}

/// The place and the times at which the state of a run is saved.
#[derive(Debug)]
pub struct Saving {
    /// The checkpoint of the run; `None` to keep no state.
    pub checkpoint: Option<Store>,
    /// The most finished work that a crash may cost. Less than 20 milliseconds cannot be
    /// guaranteed.
    pub interval: Duration,
    /// True if a finished run is saved however short it was, because it is one of several that
    /// belong together.
    pub keep_finished: bool,
}

impl Default for Saving {
    /// No checkpoint; with one, a save every 30 seconds.
    fn default() -> Self {
        Self { checkpoint: None, interval: Duration::from_secs(30), keep_finished: false }
    }
}

impl From<Store> for Saving {
    fn from(store: Store) -> Self {
        Self { checkpoint: Some(store), ..Self::default() }
    }
}

impl Settings {
    /// The default settings on this number of threads.
    pub fn on_threads(threads: usize) -> Self {
        let limits = Limits { threads: Some(threads), ..Limits::default() };
        Self { limits, ..Self::default() }
    }

    /// The time slice: how long a worker computes before it reports, and how often the keeper looks
    /// at the clock. It is at most a quarter of the interval and of `max_time`, but at least 5 ms,
    /// which is long compared with the microseconds that a report takes.
    fn slice(&self) -> Duration {
        let interval = self.saving.interval;
        let shorter = self.limits.max_time.map_or(interval, |most| most.min(interval));
        (shorter / 4).clamp(Duration::from_millis(5), Duration::from_millis(100))
    }

    /// The storage of the layers before the units.
    fn storage(&self) -> Storage {
        let checkpoint = self.saving.checkpoint.as_ref();
        Storage {
            memory: half(self.limits.memory),
            disk: checkpoint.map_or(0, |_| self.limits.disk.unwrap_or(u64::MAX / 2)),
            folder: self.prepared.clone().or_else(|| checkpoint.map(Store::folder)),
            is_shared: self.prepared.is_some(),
            keeps_all: self.keep_layers,
            control: Arc::clone(&self.control),
            serves_all: self.keep_layers || self.prepared.is_some(),
        }
    }
}

/// The means to reach a run while it is in progress: for signal handlers, tests and other threads.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    hurry: AtomicBool,
    ask: AtomicBool,
    /// The time at which a worker first found the run stopped.
    stopped: OnceLock<Instant>,
    /// Set by the run itself to call its workers back after an error.
    halt: AtomicBool,
    /// The control of the work that this run is a part of.
    whole: Option<Arc<Control>>,
}

impl Control {
    /// The control of a run that is a part of other work and ends with it. Its own end, for want of
    /// time, is not the end of the other work.
    #[doc(hidden)]
    pub fn of_part(whole: &Arc<Self>) -> Self {
        Self { whole: Some(Arc::clone(whole)), ..Self::default() }
    }

    /// Tells the run to save its state and stop; it does so within a fraction of a second.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Tells a run that was stopped not to save the states before its units, which may take long.
    pub fn hurry(&self) {
        self.hurry.store(true, Ordering::Relaxed);
    }

    fn is_hurried(&self) -> bool {
        self.hurry.load(Ordering::Relaxed)
    }

    /// True if the run was asked to stop.
    pub fn is_stopped(&self) -> bool {
        let of_whole = || self.whole.as_ref().is_some_and(|whole| whole.is_stopped());
        self.stop.load(Ordering::Relaxed) || of_whole()
    }

    /// Calls all workers back, until the run [continues](Self::go_on) by itself.
    fn halt(&self) {
        self.halt.store(true, Ordering::Relaxed);
    }

    fn go_on(&self) {
        self.halt.store(false, Ordering::Relaxed);
    }

    /// True if workers have to return, for whatever reason.
    pub(crate) fn is_halted(&self) -> bool {
        self.is_stopped() || self.halt.load(Ordering::Relaxed)
    }

    /// True if workers have to return even if what they work on is lost then: only some time after
    /// the run was stopped, unless it is in a hurry.
    fn is_halted_at_once(&self) -> bool {
        const TO_FINISH: Duration = Duration::from_millis(200);
        let is_over = || self.stopped.get_or_init(Instant::now).elapsed() > TO_FINISH;
        self.halt.load(Ordering::Relaxed) || self.is_stopped() && (self.is_hurried() || is_over())
    }

    /// Asks for one [`Event::Asked`].
    pub fn ask(&self) {
        self.ask.store(true, Ordering::Relaxed);
    }

    /// True if somebody asked since the last look.
    pub fn was_asked(&self) -> bool {
        self.ask.swap(false, Ordering::Relaxed)
    }
}

/// The reason why a run has no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// It was asked to stop, or its time was over.
    #[error("stopped after {} of {} units", .at.done, .at.units)]
    Stopped {
        /// The progress at the stop.
        at: Box<Snapshot>,
        /// The checkpoint that holds its state, if there is one.
        saved: Option<PathBuf>,
        /// The time that it took to compute the states before the units, if these are not saved, so
        /// that they have to be computed again.
        lost: Option<Duration>,
    },
    /// The checkpoint is of another run.
    #[error("{path} holds {theirs}, not {ours}")]
    Conflict {
        /// The checkpoint.
        path: PathBuf,
        /// The run that it holds.
        theirs: Box<RunName>,
        /// The run that was requested.
        ours: Box<RunName>,
    },
    /// The checkpoint cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// It stopped, but its state cannot be saved.
    #[error(transparent)]
    Unsaved(CheckpointError),
    /// The layers before the units cannot be computed or kept.
    #[error(transparent)]
    Layers(#[from] LayersError),
    /// The layers before the units cannot be read back.
    #[error(transparent)]
    StatesUnavailable(#[from] StatesUnavailable),
    /// The worker threads are started, and too little memory is left for their work.
    #[error("the worker threads leave too little memory for their work: {0}")]
    TooLittle(TryReserveError),
    /// There is no memory for the result. The finished units are saved, if there is a checkpoint.
    #[error("there is no memory for the counts of all units: {0}")]
    Memory(#[from] TryReserveError),
    /// The threads could not be started.
    #[error("cannot start the worker threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// The name of a run, which a checkpoint must agree with to be resumed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunName {
    /// The question, the engine and the split.
    pub identity: Identity,
    /// The part of the units that the run counts.
    pub shard: Shard,
}

/// The name in words.
impl fmt::Display for RunName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.shard {
            Shard::WHOLE => write!(out, "{}", self.identity),
            shard => {
                let by = shard.unusual(&self.identity);
                let by = by.map_or(String::new(), |by| format!(" {by}"));
                write!(out, "shard {shard}{by} of the {}", self.identity)
            }
        }
    }
}

/// A finished run.
#[derive(Debug)]
pub struct Outcome {
    /// The units and their counts.
    pub units: Units,
    /// The effort of the count.
    pub effort: Effort,
    /// The history of the run over all its processes.
    #[doc(hidden)]
    pub history: History,
    /// The work of this process, for the rates of the machine.
    #[doc(hidden)]
    pub measured: Measured,
    checkpoint: Option<Store>,
}

impl Outcome {
    /// Removes the checkpoint. Call it once the result has been printed or written.
    ///
    /// # Errors
    /// [`CheckpointError::Store`] if it cannot be removed.
    pub fn clear_checkpoint(&self) -> Result<(), CheckpointError> {
        Ok(self.checkpoint.as_ref().map_or(Ok(()), Store::clear)?)
    }

    /// True if all layers are saved, or there are none, so that nothing has to be counted again.
    pub(crate) fn has_layers(&self, work: &dyn Work) -> bool {
        let is_saved = |store: &Store| is_prepared(&store.folder(), work).unwrap_or(false);
        work.sweeps().is_none() || self.checkpoint.as_ref().is_some_and(is_saved)
    }

    /// Returns the checkpoint, if the same run can be resumed from it.
    #[doc(hidden)]
    pub fn saved(&self) -> Option<&Path> {
        let path = self.checkpoint.as_ref()?.path();
        matches!(checkpoint::peek(path), Ok(Some(_))).then_some(path)
    }
}

/// The effort behind a count.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// The number of units that were counted before, in a checkpoint or a file.
    pub units_resumed: usize,
    /// The number of nodes that this process visited.
    pub nodes: u64,
    /// The number of worker threads.
    pub threads: usize,
    /// The time that this process took.
    pub elapsed: Duration,
    /// The time that all processes of this run took, including this one, if it is known.
    pub spent: Option<Duration>,
    /// The nodes that all of them visited, if they are known.
    pub nodes_total: Option<u64>,
    /// The size of the sweeps before the units, if there were any.
    pub built: Option<Building>,
}

impl Effort {
    /// The effort of runs, one after the other.
    pub fn of(outcomes: &[Outcome]) -> Self {
        let efforts = || outcomes.iter().map(|outcome| outcome.effort);
        Self {
            units_resumed: efforts().map(|effort| effort.units_resumed).sum(),
            nodes: efforts().map(|effort| effort.nodes).sum(),
            threads: efforts().next().map_or(1, |effort| effort.threads),
            elapsed: efforts().map(|effort| effort.elapsed).sum(),
            // A checkpoint may claim more time than there is.
            spent: efforts()
                .try_fold(Duration::ZERO, |all, one| Some(all.saturating_add(one.spent?))),
            nodes_total: efforts().map(|effort| effort.nodes_total).sum(),
            built: efforts().filter_map(|effort| effort.built).max_by_key(|at| at.most_states),
        }
    }

    /// Adds the time of what this process did with the counted units.
    #[doc(hidden)]
    pub fn add_time(&mut self, time: Duration) {
        self.elapsed = self.elapsed.saturating_add(time);
        self.spent = self.spent.map(|spent| spent.saturating_add(time));
    }

    /// The effort of units that were there already, and that took this long to read.
    pub fn of_reading(units: &Units, elapsed: Duration) -> Self {
        let units_resumed = units.counts.len();
        let (spent, nodes_total) = (None, None);
        Self { units_resumed, nodes: 0, threads: 1, elapsed, spent, nodes_total, built: None }
    }

    /// The same with what the runs took that counted the units, if their files say so.
    #[doc(hidden)]
    pub fn with_histories(mut self, histories: Option<Vec<History>>) -> Self {
        if let Some(histories) = histories {
            self.spent = Some(histories.iter().map(History::spent).sum());
            self.nodes_total = Some(histories.iter().map(|history| history.nodes).sum());
            self.threads = histories.iter().map(History::threads).max().unwrap_or(1);
        }
        self
    }
}

/// Counts all units of `work`, or what a checkpoint has left of them.
///
/// # Errors
/// [`RunError::Stopped`] when cancelled; the others say what went wrong. The checkpoint is valid
/// after every one of them.
pub fn count(
    work: &dyn Work,
    settings: Settings,
    observer: &mut dyn Observer,
) -> Result<Outcome, RunError> {
    with_context(work, settings, observer, |mut keeper, context| {
        while keeper.build(context, false)? {
            let memory = keeper.memory_for_units();
            let of_units = pool::PoolContext { memory, ..context };
            pool::run(of_units, work, keeper.open(), |results| keeper.receive(results));
            if !keeper.recovers() && !keeper.has_more_groups() {
                break;
            }
        }
        keeper.finish()
    })
}

/// Computes what precedes the units, and leaves it beside the checkpoint for others to read: see
/// [`Settings::prepared`]. Says what it was; `None` where nothing precedes them.
///
/// # Errors
/// As [`count`].
pub fn prepare(
    work: &dyn Work,
    settings: Settings,
    observer: &mut dyn Observer,
) -> Result<Option<Building>, RunError> {
    with_context(work, settings, observer, |mut keeper, context| {
        if keeper.build(context, true)? {
            return keeper.leave_layers();
        }
        keeper.finish().map(|outcome| outcome.effort.built)
    })
}

/// The half of the memory that work in progress may take; the other half is for what is kept.
pub fn half(memory: Option<u64>) -> u64 {
    memory.unwrap_or(u64::MAX) / 2
}

fn with_context<'a, T>(
    work: &'a dyn Work,
    mut settings: Settings,
    observer: &'a mut dyn Observer,
    then: impl FnOnce(Keeper<'a>, pool::PoolContext) -> Result<T, RunError>,
) -> Result<T, RunError> {
    let threads = threads(settings.limits.threads)?;
    settings.limits.threads = Some(threads.current_num_threads());
    let (control, slice) = (Arc::clone(&settings.control), settings.slice());
    let memory = half(settings.limits.memory);
    let keeper = Keeper::new(work, settings, observer)?;
    let context = pool::PoolContext { threads: &threads, control: &control, memory, slice };
    then(keeper, context)
}
