//! A long run of any engine: its units given to a pool of threads, its state kept on disk.
//!
//! Data goes down once and comes up once: [`count`] hands units to the pool ([`pool`]), finished and
//! paused pieces come back through a channel to one keeper on the calling thread ([`keeper`]), which
//! tells the [`Observer`], writes the [`checkpoint`] and in the end sums the units up. What an engine has to build before
//! its units goes the same way, in rounds ([`layers`]).
//!
//! Work in flight is not given up. Every piece is paused ten times a second and reports what it has
//! and where it stands, so a crash costs what was done since the last save and a stop costs
//! nothing, whether the units are a million or a single one. When a thread has nothing left to do, the
//! others pause within milliseconds and split what they have. Only units that are atomic, for their engine
//! searches no tree, are begun anew.

pub mod checkpoint;
mod keeper;
mod layers;
mod observer;
mod pool;
mod queue;

pub use crate::rounds::Building;
pub use layers::{LayersError, is_prepared};
pub use observer::{Back, Event, Observer, Silent, Snapshot};

use crate::rounds::StatesUnavailable;
use crate::units::{Shard, Units, history::History};
use crate::work::{Identity, Work};
use checkpoint::{CheckpointError, Store};
use keeper::Keeper;
use layers::Bounds;
pub(crate) use pool::{PoolContext, WorkerHandle, each};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How to run.
#[derive(Debug)]
pub struct Settings {
    /// Which part of the units this process counts.
    pub shard: Shard,
    /// Worker threads; all cores when `None`.
    pub threads: Option<usize>,
    /// Where the state of the run lives; nowhere when `None`.
    pub checkpoint: Option<Store>,
    /// The most that a crash may cost. Below 20 milliseconds it is no longer kept to.
    pub interval: Duration,
    /// When to save and stop.
    pub max_time: Option<Duration>,
    /// Whether a finished run is saved however short it was, for it is one of several that make a whole.
    pub keep_finished: bool,
    /// Whether all that precedes the units is kept, for the way back to single tours.
    pub keep_layers: bool,
    /// The most bytes of memory that what precedes the units and what is worked on take; no bound when `None`.
    pub memory: Option<u64>,
    /// The most bytes of disk that what precedes the units takes, beside the checkpoint; no bound when `None`.
    /// Without a checkpoint nothing goes to disk.
    pub disk: Option<u64>,
    /// The folder where another process has prepared what precedes the units: it is read there, and nothing is written.
    pub prepared: Option<PathBuf>,
    /// How others reach the run.
    pub control: Arc<Control>,
}

impl Default for Settings {
    /// All cores, no checkpoint, no end.
    fn default() -> Self {
        Self {
            shard: Shard::WHOLE,
            threads: None,
            checkpoint: None,
            interval: Duration::from_secs(30),
            max_time: None,
            keep_finished: false,
            keep_layers: false,
            memory: None,
            disk: None,
            prepared: None,
            control: Arc::default(),
        }
    }
}

impl Settings {
    /// How long a piece is worked on before it reports, and how often the keeper looks up: short
    /// beside the interval, long beside the microseconds that reporting takes.
    fn slice(&self) -> Duration {
        (self.interval / 4).clamp(Duration::from_millis(5), Duration::from_millis(100))
    }

    fn bounds(&self) -> Bounds {
        Bounds {
            memory: half(self.memory),
            disk: self.checkpoint.as_ref().map_or(0, |_| self.disk.unwrap_or(u64::MAX / 2)),
            folder: match &self.prepared {
                None => self.checkpoint.as_ref().map(Store::folder),
                prepared => prepared.clone(),
            },
            is_shared: self.prepared.is_some(),
            keeps_all: self.keep_layers,
        }
    }
}

/// How others reach a run while it goes on: signals, a test, another thread.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    ask: AtomicBool,
    /// Set by the run itself when its workers are to come back, for something went wrong.
    halt: AtomicBool,
}

impl Control {
    /// Tells the run to save its state and stop; it does so within a fraction of a second.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the run was told to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Calls all workers back, until the run [continues](Self::go_on) by itself.
    fn halt(&self) {
        self.halt.store(true, Ordering::Relaxed);
    }

    fn go_on(&self) {
        self.halt.store(false, Ordering::Relaxed);
    }

    /// Whether workers are to come back, for whatever reason.
    pub(crate) fn is_halted(&self) -> bool {
        self.is_stopped() || self.halt.load(Ordering::Relaxed)
    }

    /// Asks for one [`Event::Asked`].
    pub fn ask(&self) {
        self.ask.store(true, Ordering::Relaxed);
    }

    fn was_asked(&self) -> bool {
        self.ask.swap(false, Ordering::Relaxed)
    }
}

/// Why a run has no result.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// It was told to, or its time was up.
    #[error("stopped after {} of {} units", .at.done, .at.units)]
    Stopped {
        /// How far it came.
        at: Box<Snapshot>,
        /// Where its state is, if it is anywhere.
        saved: Option<PathBuf>,
    },
    /// The checkpoint is of another run.
    #[error("{path} holds {theirs}, not {ours}")]
    Conflict {
        /// The checkpoint.
        path: PathBuf,
        /// What it holds.
        theirs: Box<RunName>,
        /// What was asked.
        ours: Box<RunName>,
    },
    /// The checkpoint cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// What precedes the units cannot be made or kept.
    #[error(transparent)]
    Layers(#[from] LayersError),
    /// What precedes the units cannot be had back.
    #[error(transparent)]
    StatesUnavailable(#[from] StatesUnavailable),
    /// The threads could not be started.
    #[error("cannot start the worker threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// The name of a run: what a checkpoint must agree with to be resumed.
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
            shard => write!(out, "shard {shard} of the {}", self.identity),
        }
    }
}

/// A finished run.
#[derive(Debug)]
pub struct Outcome {
    /// The units and their counts.
    pub units: Units,
    /// Units that a checkpoint had already.
    pub units_resumed: usize,
    /// Nodes that this process visited.
    pub nodes: u64,
    /// Worker threads.
    pub threads: usize,
    /// Time that this process took.
    pub elapsed: Duration,
    /// Time that all processes of this run took, this one included.
    pub spent: Duration,
    /// How the run went, in all its processes.
    pub history: History,
    /// What the sweeps before the units have come to, if there were any to be made.
    pub built: Option<Building>,
    checkpoint: Option<Store>,
}

impl Outcome {
    /// Removes the checkpoint, once the result is where it belongs.
    ///
    /// # Errors
    /// [`CheckpointError::Store`] when it cannot be removed.
    pub fn clear_checkpoint(&self) -> Result<(), CheckpointError> {
        Ok(self.checkpoint.as_ref().map_or(Ok(()), Store::clear)?)
    }
}

/// A pool of worker threads; as many as there are cores when `None`.
///
/// # Errors
/// [`RunError::Threads`] when they cannot be started.
pub fn threads(threads: Option<usize>) -> Result<rayon::ThreadPool, RunError> {
    Ok(pool::start(threads)?)
}

/// Whether the checkpoint of the settings has part of `work`, so that a run resumes it.
///
/// # Errors
/// [`RunError::Conflict`] when it has another run, [`RunError::Checkpoint`] when it cannot be read.
pub fn is_begun(work: &dyn Work, settings: &Settings) -> Result<bool, RunError> {
    Ok(keeper::to_resume(work, settings)?.is_some())
}

/// Counts all units of `work`, or what a checkpoint has left of them.
///
/// # Errors
/// [`RunError::Stopped`] when told to stop; the others say what went wrong. The checkpoint is valid
/// after every one of them.
pub fn count(
    work: &dyn Work,
    settings: Settings,
    observer: &mut dyn Observer,
) -> Result<Outcome, RunError> {
    with_context(work, settings, observer, |mut keeper, context| {
        while keeper.build(context, false)? {
            pool::run(context, work, keeper.open(), |report| keeper.hear(report));
            if !keeper.recovers() {
                break;
            }
        }
        keeper.finish()
    })
}

/// Makes what precedes the units, and leaves it beside the checkpoint for others to read: see [`Settings::prepared`].
/// Says what it was; `None` where nothing precedes them.
///
/// # Errors
/// As [`count`].
pub fn prepare(
    work: &dyn Work,
    settings: Settings,
    observer: &mut dyn Observer,
) -> Result<Option<Building>, RunError> {
    with_context(work, settings, observer, |mut keeper, context| {
        match keeper.build(context, true)? {
            true => Ok(keeper.built()),
            false => keeper.finish().map(|outcome| outcome.built),
        }
    })
}

/// What is worked on may take a half of the memory, what is kept the other half.
pub(crate) fn half(memory: Option<u64>) -> u64 {
    memory.unwrap_or(u64::MAX) / 2
}

fn with_context<'a, T>(
    work: &'a dyn Work,
    mut settings: Settings,
    observer: &'a mut dyn Observer,
    then: impl FnOnce(Keeper<'a>, pool::PoolContext) -> Result<T, RunError>,
) -> Result<T, RunError> {
    let threads = pool::start(settings.threads)?;
    settings.threads = Some(threads.current_num_threads());
    let (control, slice) = (Arc::clone(&settings.control), settings.slice());
    let memory = half(settings.memory);
    let keeper = Keeper::new(work, settings, observer)?;
    let context = pool::PoolContext { threads: &threads, control: &control, memory, slice };
    then(keeper, context)
}
