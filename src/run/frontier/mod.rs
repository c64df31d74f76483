//! A count by the frontier on many threads: its states are kept in partitions, and a step goes in rounds.
//!
//! In a round every thread expands states into batches of its own, one for each partition of the next frontier; then
//! the partitions are given out, and whoever has one adds all threads' batches to its table. So no two
//! threads write to the same place, what is in flight is a fraction of the states, and what a round has
//! expanded is given back at once.
//!
//! Between two rounds the position is whole ([`position`]): then it can be saved, which moves all states to
//! disk ([`scratch`]) and writes a checkpoint that says where they are. States go to disk too when they
//! do not fit the bound on memory. Counts are in 64 bits, in 128, or in as many as it takes: before a
//! step, all ways to all states together times the most ways on from one are known to fit. Ends, of which there are
//! at most twice as many as ways, are counted in up to 128.

mod keep;
mod layer;
mod plan;
mod position;
mod scratch;
mod step;

pub use scratch::ScratchError;

use super::checkpoint::{CheckpointError, Store};
use super::history::History;
use super::{Control, Observer, RunError, Silent, Snapshot, pool};
use crate::board::Board;
use crate::frontier::{self, Budget, ByEnd, Expected, TooWide};
use crate::question::Question;
use crate::work::{Identity, Split};
use num_bigint::BigUint;
use plan::Plan;
use position::Position;
use rayon::ThreadPool;
use scratch::Scratch;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How to count.
#[derive(Debug)]
pub struct Settings {
    /// Worker threads; all cores when `None`.
    pub threads: Option<usize>,
    /// The most bytes of memory that all states together may take; no bound when `None`.
    pub memory: Option<u64>,
    /// The most bytes of disk that they may take, beside the checkpoint; no bound when `None`. Without a
    /// checkpoint nothing goes to disk.
    pub disk: Option<u64>,
    /// Where the state of the run lives; nowhere when `None`.
    pub checkpoint: Option<Store>,
    /// The most that a crash may cost.
    pub interval: Duration,
    /// When to save and stop.
    pub max_time: Option<Duration>,
    /// Which way.
    pub method: Method,
    /// How others reach the run.
    pub control: Arc<Control>,
}

impl Default for Settings {
    /// All cores, no bounds, no checkpoint, no end.
    fn default() -> Self {
        Self {
            threads: None,
            memory: None,
            disk: None,
            checkpoint: None,
            interval: Duration::from_secs(30),
            max_time: None,
            method: Method::default(),
            control: Arc::default(),
        }
    }
}

/// The ways to count a board. All give the same number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// Two halves with a balanced cut where the board is long enough, else one sweep.
    #[default]
    Fastest,
    /// One sweep over the whole board.
    Sweep {
        /// Whether a state and its mirror image are one at the end of a row.
        merge_mirrors: bool,
    },
    /// Two halves, the first of so many squares; where that cannot be, one sweep.
    Cut(usize),
}

/// What came of it.
#[derive(Debug, Clone)]
pub struct Counted {
    /// Undirected tours; directed ones when an end is fixed, which gives them a direction.
    pub tours: BigUint,
    /// The states that each step took on: through a square, or in the end those of both halves.
    pub states: Vec<u64>,
    /// How many of all these this process took.
    pub states_here: u64,
    /// Steps that a checkpoint had already.
    pub steps_resumed: usize,
    /// The most bytes of memory that all states took at once.
    pub bytes: u64,
    /// Worker threads.
    pub threads: usize,
    /// How long this process took.
    pub elapsed: Duration,
}

impl Counted {
    /// The most states of a step.
    pub fn peak_states(&self) -> u64 {
        self.states.iter().copied().max().unwrap_or(0)
    }
}

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum FrontierError {
    /// The board is too wide.
    #[error(transparent)]
    TooWide(#[from] TooWide),
    /// The ways to a state do not fit.
    #[error("the count passes 2^128 and would not be exact: count a smaller part (--from, --to)")]
    Overflow,
    /// The bounds on memory and disk are too small.
    #[error(
        "the states of {board} do not fit {memory} bytes of memory{}: give at least {needed} with \
         --memory{}, or {instead}",
        disk.map_or(String::new(), |disk| format!(" and {disk} of disk")),
        disk.map_or(", or keep a checkpoint, beside which they can go to disk", |_| " or --disk"),
    )]
    Memory {
        /// The board.
        board: Board,
        /// The bound on memory.
        memory: u64,
        /// The bound on disk, if anything may go there.
        disk: Option<u64>,
        /// A guess at what would do: from boards measured, or twice what was not enough.
        needed: u64,
        /// What else can be done.
        instead: &'static str,
    },
    /// The states cannot be kept on disk, or had back.
    #[error(transparent)]
    Scratch(#[from] ScratchError),
    /// It was stopped, its checkpoint cannot be used, or its threads cannot be started.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl From<CheckpointError> for FrontierError {
    fn from(error: CheckpointError) -> Self {
        RunError::from(error).into()
    }
}

/// The number of tours that answer the question: undirected, but directed when an end is fixed.
///
/// # Errors
/// [`FrontierError`] when the board is too wide or the memory too small, or when told to stop. A
/// checkpoint is valid after every one of them.
pub fn count(
    question: &Question,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Result<Counted, FrontierError> {
    counted(question, Kind::Tours, settings, observer).map(|(counted, _)| counted)
}

/// The number of open tours of a board, and how many directed ones start in each of its orbits of squares where they
/// may, in one count by halves; whatever [`Settings::method`] says, for tours met by a single sweep do not tell
/// their ends. No numbers of orbits on a board too short for halves, which has no tours with a move.
///
/// # Errors
/// [`FrontierError`] as for [`count`].
pub(super) fn count_by_orbit(
    board: Board,
    orbits: usize,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Result<(Counted, Vec<BigUint>), FrontierError> {
    counted(
        &Question::open(board),
        Kind::Ends(orbits),
        settings,
        observer,
    )
}

/// What a count carries along with each state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Tours,
    /// Their ends as well, by so many orbits.
    Ends(usize),
}

impl Kind {
    /// The name under which a checkpoint is kept.
    fn name(self) -> &'static str {
        match self {
            Self::Tours => frontier::ENGINE,
            Self::Ends(_) => ENGINE_WITH_STARTS,
        }
    }

    /// How many times the bytes of a plain count it takes: 3.9 on 7x7, 8 on 6x7.
    fn times(self) -> f64 {
        match self {
            Self::Tours => 1.0,
            Self::Ends(..=frontier::FEW_ORBITS) => 4.0,
            Self::Ends(_) => 8.0,
        }
    }

    /// What a round takes at least on its way: half of this is kept to, a quarter would be passed.
    fn least_memory(self) -> u64 {
        match self {
            Self::Tours => 16 << 20,
            Self::Ends(..=frontier::FEW_ORBITS) => 48 << 20,
            Self::Ends(_) => 96 << 20,
        }
    }
}

/// The name of the engine when it counts tours by start.
const ENGINE_WITH_STARTS: &str = "frontier --starts";

/// What came of it, and the ends by orbit.
fn counted(
    question: &Question,
    kind: Kind,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Result<(Counted, Vec<BigUint>), FrontierError> {
    frontier::check(question.board)?;
    let mut run = Run::new(question, kind.name(), kind, settings, observer)?;
    run.check_room()?;
    let squares = question.board.squares();
    let method = match kind {
        Kind::Tours => settings.method,
        Kind::Ends(_) => Method::Fastest,
    };
    let mut at = run.resume(Plan::new(question, method))?;
    match run.go(&mut at) {
        Err(Halt::TooManyWays) => {
            run.plan = Plan::of_sweep(question, frontier::sweep(question, true));
            (run.steps_resumed, run.states_before) = (0, 0);
            at = run.start();
            run.go(&mut at)
        }
        gone => gone,
    }
    .map_err(|halt| run.error(halt))?;
    let met = at.tours.0.remove(&squares).unwrap_or_default();
    let mut across = at.across.into_iter();
    let tours = match squares {
        1 => tours_of_one_square(question),
        _ => met + across.next().unwrap_or_default(),
    };
    let counted = Counted {
        tours,
        bytes: run.means.budget.peak().max(at.effort.peak_bytes),
        states_here: at.effort.states() - run.states_before,
        states: at.effort.of_steps,
        steps_resumed: run.steps_resumed,
        threads: run.threads(),
        elapsed: run.began.elapsed(),
    };
    Ok((counted, across.collect()))
}

/// Which boards a table has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lengths {
    /// Those of 1, 2, 3 ... whole columns.
    WholeColumns,
    /// Those of the first 1, 2, 3 ... squares, column by column.
    EverySquare,
}

/// The undirected tours of the question's board and of all shorter ones with as many rows, in the
/// order of their lengths, from one sweep along the columns.
///
/// # Errors
/// [`FrontierError`] as for [`count`].
pub fn table(
    question: &Question,
    lengths: Lengths,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Result<Vec<BigUint>, FrontierError> {
    let board = question.board;
    let rows = board.rows() as usize;
    let (step, name) = match lengths {
        Lengths::WholeColumns => (rows, "table"),
        Lengths::EverySquare => (1, "table --partial"),
    };
    let stages = frontier::endless_sweep(question, step)?;
    let mut run = Run::new(question, name, Kind::Tours, settings, observer)?;
    let mut at = run.resume(Plan::of_sweep(question, stages))?;
    run.go(&mut at).map_err(|halt| run.error(halt))?;
    let of = |squares| match squares {
        1 => tours_of_one_square(question),
        _ => at.tours.0.get(&squares).cloned().unwrap_or_default(),
    };
    Ok((step..=board.squares()).step_by(step).map(of).collect())
}

/// A single square is an open tour, and has no edges to be counted by.
fn tours_of_one_square(question: &Question) -> BigUint {
    BigUint::from(u32::from(!question.is_closed()))
}

/// Why a count was not finished.
#[derive(Debug)]
enum Halt {
    Stopped {
        at: Box<Snapshot>,
        saved: Option<PathBuf>,
    },
    Memory,
    Overflow,
    Scratch(ScratchError),
    Checkpoint(CheckpointError),
    /// The ways of a half do not fit 128 bits.
    TooManyWays,
}

impl From<ScratchError> for Halt {
    fn from(error: ScratchError) -> Self {
        Self::Scratch(error)
    }
}

/// What a count will take, as a guess: within a factor of 2 on the boards that were measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Forecast {
    /// States taken on in all steps together.
    pub states: f64,
    /// Bytes of memory that will do when nothing goes to disk.
    pub bytes: f64,
}

/// What a count will take; `None` for a board that it cannot take on, or of a width that was not measured.
pub fn forecast(question: &Question) -> Option<Forecast> {
    frontier::check(question.board).ok()?;
    let plan = Plan::new(question, Method::Fastest);
    Some(Forecast {
        states: plan.expected.iter().sum(),
        bytes: Expected::new(question)?.bytes(),
    })
}

/// States a second on so many threads, measured for about so long at the beginning of a count; later ones, in
/// tables that no cache holds, take up to twice the time. `None` when told to stop.
///
/// # Errors
/// [`FrontierError`] as for [`count`].
pub fn rate(
    question: &Question,
    threads: usize,
    how_long: Duration,
    control: &Arc<Control>,
) -> Result<Option<f64>, FrontierError> {
    let settings = Settings {
        threads: Some(threads),
        max_time: Some(how_long),
        control: Arc::clone(control),
        ..Settings::default()
    };
    let (states, elapsed) = match count(question, &settings, &mut Silent) {
        Err(FrontierError::Run(RunError::Stopped { at, .. })) => (at.nodes, at.elapsed),
        Ok(counted) => (counted.states_here, counted.elapsed),
        Err(error) => return Err(error),
    };
    let rate = states as f64 / elapsed.as_secs_f64();
    Ok((!control.is_stopped()).then_some(rate))
}

/// With the least memory, and this share of what all states take, a count goes on if there is room on disk.
const LEAST_SHARE: u64 = 256;

/// What a step works with.
struct Means {
    pool: ThreadPool,
    budget: Arc<Budget>,
}

/// A count that is going on.
struct Run<'a> {
    question: Question,
    /// The name under which its checkpoint is kept.
    name: &'static str,
    kind: Kind,
    plan: Plan,
    settings: &'a Settings,
    observer: &'a mut dyn Observer,
    means: Means,
    scratch: Option<Scratch>,
    began: Instant,
    /// When the observer heard of it last.
    told: Instant,
    saved: Instant,
    /// Whether this process has saved, or resumed.
    is_kept: bool,
    /// Time that earlier processes spent.
    spent_before: Duration,
    steps_resumed: usize,
    states_before: u64,
    history: History,
}

impl<'a> Run<'a> {
    fn new(
        question: &Question,
        name: &'static str,
        kind: Kind,
        settings: &'a Settings,
        observer: &'a mut dyn Observer,
    ) -> Result<Self, FrontierError> {
        let now = Instant::now();
        let scratch =
            |store: &Store| Scratch::new(store.folder(), settings.disk.unwrap_or(u64::MAX / 2));
        Ok(Self {
            question: *question,
            name,
            kind,
            plan: Plan::of_sweep(question, Vec::new()),
            settings,
            observer,
            means: Means {
                pool: pool::start(settings.threads).map_err(RunError::from)?,
                budget: Arc::new(Budget::new(settings.memory.unwrap_or(u64::MAX / 2))),
            },
            scratch: settings.checkpoint.as_ref().map(scratch),
            began: now,
            told: now,
            saved: now,
            is_kept: false,
            spent_before: Duration::ZERO,
            steps_resumed: 0,
            states_before: 0,
            history: History::default(),
        })
    }

    /// Nothing done.
    fn start(&self) -> Position {
        match self.kind {
            Kind::Tours => Position::start::<u64>(&self.means.budget),
            Kind::Ends(_) => Position::start::<ByEnd<u64, 1>>(&self.means.budget),
        }
    }

    fn threads(&self) -> usize {
        self.means.pool.current_num_threads()
    }

    fn error(&self, halt: Halt) -> FrontierError {
        match halt {
            Halt::Stopped { at, saved } => RunError::Stopped { at, saved }.into(),
            Halt::Overflow => FrontierError::Overflow,
            Halt::Memory | Halt::TooManyWays => self.memory_error(2 * self.means.budget.bound()),
            Halt::Scratch(error) => error.into(),
            Halt::Checkpoint(error) => error.into(),
        }
    }

    /// Refuses bounds that will surely not do, before any work is done.
    fn check_room(&self) -> Result<(), FrontierError> {
        let expected = Expected::new(&self.question).map_or(0.0, |expected| expected.bytes());
        let expected = (expected * self.kind.times()) as u64;
        let memory = self.means.budget.bound();
        let disk = self
            .scratch
            .as_ref()
            .map_or(0, |_| self.settings.disk.unwrap_or(u64::MAX / 4));
        let least = expected.min(self.kind.least_memory() + expected / LEAST_SHARE);
        // On disk states take half of what they do in tables.
        let in_all = if disk > 0 { expected / 2 } else { expected };
        if memory < least / 2 || memory.saturating_add(disk) < in_all / 2 {
            let needed = if disk < expected { expected } else { least };
            return Err(self.memory_error(needed));
        }
        Ok(())
    }

    fn memory_error(&self, needed: u64) -> FrontierError {
        FrontierError::Memory {
            board: self.question.board,
            memory: self.means.budget.bound(),
            disk: self.scratch.as_ref().and(self.settings.disk),
            needed,
            instead: match self.kind {
                Kind::Tours => "count with --engine walk, which needs little",
                Kind::Ends(_) => "count one start at a time with --from",
            },
        }
    }

    fn identity(&self) -> Identity {
        Identity {
            question: self.question,
            engine: self.name.to_owned(),
            split: Split::Depth(0),
            units: self.plan.steps.len() as u64,
        }
    }
}
