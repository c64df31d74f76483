//! A frontier count on many threads: its states are kept in partitions, and a stage goes in rounds.
//!
//! In a round every thread expands states into batches of its own, one for each partition of the next frontier; then
//! the partitions are given out, and whoever has one adds all threads' batches to its table. So no two
//! threads write to the same place, and what is in flight is a fraction of the states. Counts begin in 64
//! bits; a stage whose sums do not fit is done again in 128, and then in as many as it takes.

use super::{Control, pool};
use crate::board::Board;
use crate::frontier::{
    self, Batches, Budget, By, Count, Entry, Full, Halves, Matchings, Places, Side, Stage, Table,
    TooWide, Tours, bytes,
};
use crate::question::Question;
use num_bigint::BigUint;
use rayon::ThreadPool;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How to count.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Worker threads; all cores when `None`.
    pub threads: Option<usize>,
    /// The most bytes that all states together may take; no bound when `None`.
    pub memory: Option<u64>,
    /// When to stop.
    pub max_time: Option<Duration>,
    /// Which way.
    pub method: Method,
    /// How others reach the run.
    pub control: Arc<Control>,
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
    /// The most states of one frontier.
    pub peak_states: u64,
    /// The most bytes that all states took at once.
    pub bytes: u64,
    /// Worker threads.
    pub threads: usize,
    /// How long it took.
    pub elapsed: Duration,
}

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum FrontierError {
    /// The board is too wide.
    #[error(transparent)]
    TooWide(#[from] TooWide),
    /// The bound on memory is too small.
    #[error(
        "the states of {board} do not fit {bound} bytes: give at least {needed} with --memory, \
         or count with --engine walk, which needs little"
    )]
    Memory {
        /// The board.
        board: Board,
        /// The bound.
        bound: u64,
        /// A guess at what would do: from boards measured, or twice what was not enough.
        needed: u64,
    },
    /// It was told to stop. Nothing is saved.
    #[error("stopped; a count by the frontier keeps no checkpoint")]
    Stopped,
    /// The threads could not be started.
    #[error("cannot start the worker threads: {0}; try fewer with --threads")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// The number of tours that answer the question: undirected, but directed when an end is fixed.
///
/// # Errors
/// [`FrontierError`] when the board is too wide or the memory too small, or when told to stop.
pub fn count(question: &Question, settings: &Settings) -> Result<Counted, FrontierError> {
    frontier::check(question.board)?;
    let began = Instant::now();
    let mut run = Run::new(settings)?;
    let tours = run.count(question, settings.method);
    let tours = tours.map_err(|halt| run.error(question, halt))?;
    Ok(Counted {
        tours,
        peak_states: run.peak_states,
        bytes: run.budget.peak(),
        threads: run.threads(),
        elapsed: began.elapsed(),
    })
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
) -> Result<Vec<BigUint>, FrontierError> {
    let board = question.board;
    let rows = board.rows() as usize;
    let step = match lengths {
        Lengths::WholeColumns => rows,
        Lengths::EverySquare => 1,
    };
    let stages = frontier::endless_sweep(question, step)?;
    let mut run = Run::new(settings)?;
    let tours = run.sweep(&stages);
    let tours = tours.map_err(|halt| run.error(question, halt))?;
    let of = |squares| match squares {
        1 => tours_of_one_square(question),
        _ => tours.get(&squares).cloned().unwrap_or_default(),
    };
    Ok((step..=board.squares()).step_by(step).map(of).collect())
}

/// A single square is an open tour, and has no edges to be counted by.
fn tours_of_one_square(question: &Question) -> BigUint {
    BigUint::from(u32::from(!question.is_closed()))
}

/// The states of a frontier, in partitions.
type Parts<C> = Vec<Vec<Entry<C>>>;

/// The same, whatever the width of the counts.
#[derive(Debug, Clone)]
enum Layer {
    Narrow(Parts<u64>),
    Wide(Parts<u128>),
    Big(Parts<BigUint>),
}

/// Why a stage was not finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Halt {
    Stopped,
    Memory,
}

/// The states of a first square before which nothing is.
const START: u64 = 0;

/// Below this many states a stage is done on the calling thread.
const FEWEST_FOR_THREADS: usize = 4_096;
/// States that a thread takes at once.
const CHUNK: usize = 1 << 12;
/// States that all threads expand in a round: so many that a table is filled while it is in cache, and
/// few beside the memory there is.
const MOST_OF_ROUND: usize = 1 << 21;
/// What a state of a round may take on its way, with all that becomes of it, and what share of the
/// bound a round may take.
const BYTES_IN_FLIGHT: u64 = 64;
const SHARE_IN_FLIGHT: u64 = 8;
/// So many states of the next frontier go to one partition, if there are twice as many as now.
const STATES_OF_PARTITION: usize = 1 << 14;
const MOST_PARTITIONS: usize = 1 << 12;

struct Run {
    pool: ThreadPool,
    control: Arc<Control>,
    end: Option<Instant>,
    budget: Budget,
    peak_states: u64,
    stages: usize,
}

impl Run {
    fn new(settings: &Settings) -> Result<Self, FrontierError> {
        Ok(Self {
            pool: pool::start(settings.threads)?,
            control: Arc::clone(&settings.control),
            end: settings.max_time.map(|time| Instant::now() + time),
            budget: Budget::new(settings.memory.unwrap_or(u64::MAX / 2)),
            peak_states: 0,
            stages: 0,
        })
    }

    fn error(&self, question: &Question, halt: Halt) -> FrontierError {
        let bound = self.budget.bound();
        match halt {
            Halt::Stopped => FrontierError::Stopped,
            Halt::Memory => FrontierError::Memory {
                board: question.board,
                bound,
                needed: frontier::bytes_at_least(question).max(2 * bound),
            },
        }
    }

    fn is_stopped(&self) -> bool {
        self.control.is_stopped() || self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// How many states all threads expand in a round.
    fn round(&self) -> usize {
        let fitting = self.budget.bound() / (SHARE_IN_FLIGHT * BYTES_IN_FLIGHT);
        usize::try_from(fitting)
            .map_or(MOST_OF_ROUND, |fitting| fitting.clamp(CHUNK, MOST_OF_ROUND))
    }

    fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    fn count(&mut self, question: &Question, method: Method) -> Result<BigUint, Halt> {
        let squares = question.board.squares();
        // What was measured may be undercut a little by smaller rounds, but not by half.
        if self.budget.bound() < frontier::bytes_at_least(question) / 2 {
            return Err(Halt::Memory);
        }
        if squares == 1 {
            return Ok(tours_of_one_square(question));
        }
        let halves = match method {
            Method::Fastest => Halves::new(question, frontier::balanced_cut(question)),
            Method::Cut(cut) => Halves::new(question, cut),
            Method::Sweep { .. } => None,
        };
        if let Some(halves) = halves
            && let Some(total) = self.meet(&halves, squares)?
        {
            return Ok(total);
        }
        let merge = method
            != Method::Sweep {
                merge_mirrors: false,
            };
        let tours = self.sweep(&frontier::sweep(question, merge))?;
        Ok(tours.get(&squares).cloned().unwrap_or_default())
    }

    fn start(&self) -> Result<Layer, Halt> {
        let layer = Layer::Narrow(vec![vec![(START, 1)]]);
        self.budget.take(layer.bytes()).map_err(|_| Halt::Memory)?;
        Ok(layer)
    }

    /// The tours that one sweep meets, by their number of squares.
    fn sweep(&mut self, stages: &[Stage]) -> Result<BTreeMap<usize, BigUint>, Halt> {
        let mut tours = Tours::default();
        let mut layer = self.start()?;
        for stage in stages {
            layer = self.advance(layer, stage, By::Key, None, &mut tours)?;
        }
        Ok(tours.0)
    }

    /// The tours of two halves, which together have so many squares; `None` when their counts do not
    /// fit 128 bits.
    fn meet(&mut self, halves: &Halves, squares: usize) -> Result<Option<BigUint>, Halt> {
        let mut shared = self.start()?;
        let mut tours = Tours::default();
        for stage in &halves.shared {
            shared = self.advance(shared, stage, By::Key, None, &mut tours)?;
        }
        let copy = shared.clone();
        self.budget.take(copy.bytes()).map_err(|_| Halt::Memory)?;
        let bottom = self.half(
            shared,
            &halves.bottom,
            halves.bottom_side,
            None,
            &mut Tours::default(),
        )?;
        let partitions = Some(bottom.partitions());
        // After a late cut the top half may be a whole tour by itself: the bottom half never is.
        let top = self.half(copy, &halves.top, halves.top_side, partitions, &mut tours)?;
        let across = self.join((top, halves.top_side), (bottom, halves.bottom_side));
        Ok(across.map(|across| across + tours.0.remove(&squares).unwrap_or_default()))
    }

    /// The states of a half, each where those of the other half are that it can meet.
    fn half(
        &mut self,
        mut layer: Layer,
        stages: &[Stage],
        side: Side,
        partitions: Option<usize>,
        tours: &mut Tours,
    ) -> Result<Layer, Halt> {
        let Some((last, others)) = stages.split_last() else {
            return Ok(layer);
        };
        for stage in others {
            layer = self.advance(layer, stage, By::Key, None, tours)?;
        }
        self.advance(layer, last, By::Pattern(side), partitions, tours)
    }

    fn join(&self, top: (Layer, Side), bottom: (Layer, Side)) -> Option<BigUint> {
        use Layer::{Narrow, Wide};
        match (top, bottom) {
            ((Narrow(top), one), (Narrow(bottom), other)) => {
                Some(self.join_parts((top, one), (bottom, other)))
            }
            ((Layer::Big(_), _), _) | (_, (Layer::Big(_), _)) => None,
            ((top, one), (bottom, other)) => match (top.widened(), bottom.widened()) {
                (Wide(top), Wide(bottom)) => Some(self.join_parts((top, one), (bottom, other))),
                _ => None,
            },
        }
    }

    fn join_parts<C: Count + Copy + Into<u128>>(
        &self,
        (top, one): (Parts<C>, Side),
        (bottom, other): (Parts<C>, Side),
    ) -> BigUint {
        let tables = Matchings::default();
        let next = AtomicUsize::new(0);
        let sums = self.pool.broadcast(|_| {
            let mut sum = BigUint::default();
            while let Some(part) = take(&next, top.len()) {
                let (total, _) = frontier::join(&tables, (&top[part], one), (&bottom[part], other));
                sum += total.value();
            }
            sum
        });
        sums.into_iter().sum()
    }

    /// The states after a stage, in wider counts when it takes them.
    fn advance(
        &mut self,
        mut layer: Layer,
        stage: &Stage,
        by: By,
        partitions: Option<usize>,
        tours: &mut Tours,
    ) -> Result<Layer, Halt> {
        self.stages += 1;
        let wanted = (2 * layer.states() / STATES_OF_PARTITION).clamp(1, MOST_PARTITIONS);
        let seed = if by == By::Key { self.stages } else { 0 };
        let places = Places::new(partitions.unwrap_or(wanted), seed, by);
        loop {
            let next = match &layer {
                Layer::Narrow(parts) => self
                    .stage(parts, stage, places)
                    .map(|(next, met)| (Layer::Narrow(next), met)),
                Layer::Wide(parts) => self
                    .stage(parts, stage, places)
                    .map(|(next, met)| (Layer::Wide(next), met)),
                Layer::Big(parts) => self
                    .stage(parts, stage, places)
                    .map(|(next, met)| (Layer::Big(next), met)),
            };
            match next {
                Ok((next, met)) => {
                    tours.merge(met);
                    self.budget.give_back(layer.bytes());
                    self.peak_states = self.peak_states.max(next.states() as u64);
                    return Ok(next);
                }
                Err(Stop::Full(Full::Count)) => {
                    self.budget.give_back(layer.bytes());
                    layer = layer.widened();
                    self.budget.take(layer.bytes()).map_err(|_| Halt::Memory)?;
                }
                Err(Stop::Full(Full::Memory)) => return Err(Halt::Memory),
                Err(Stop::Stopped) => return Err(Halt::Stopped),
            }
        }
    }

    fn stage<C: Count>(
        &self,
        parts: &Parts<C>,
        stage: &Stage,
        places: Places,
    ) -> Result<(Parts<C>, Tours), Stop> {
        let states: usize = parts.iter().map(Vec::len).sum();
        let threads = if states < FEWEST_FOR_THREADS {
            1
        } else {
            self.threads()
        };
        let chunks: Vec<&[Entry<C>]> = parts.iter().flat_map(|part| part.chunks(CHUNK)).collect();
        let mut batches: Vec<Mutex<Batches<C>>> = (0..threads)
            .map(|_| Mutex::new(Batches::new(places)))
            .collect();
        let mut tables: Vec<Mutex<Table<C>>> = (0..places.partitions())
            .map(|_| Mutex::new(Table::new(places)))
            .collect();
        let mut rest = chunks.as_slice();
        while !rest.is_empty() {
            if self.is_stopped() {
                return Err(Stop::Stopped);
            }
            let (round, others) = rest.split_at(round_length(rest, self.round()));
            rest = others;
            self.on(threads, |thread, next| {
                let mut batches = lock(&batches[thread]);
                batches.clear();
                while let Some(chunk) = take(next, round.len()) {
                    batches.expand(stage, round[chunk]);
                }
                Ok(())
            })?;
            let filled: Vec<_> = batches.iter_mut().map(inside).collect();
            let in_flight = filled.iter().map(|batches| batches.bytes()).sum();
            self.budget.take(in_flight).map_err(Stop::Full)?;
            let added = self.on(threads, |_, next| {
                while let Some(part) = take(next, tables.len()) {
                    let mut table = lock(&tables[part]);
                    let coming = filled
                        .iter()
                        .map(|batches| batches.of_partition[part].len())
                        .sum();
                    table.expect(coming, &self.budget)?;
                    for batches in &filled {
                        table.absorb(&batches.of_partition[part], &self.budget)?;
                    }
                }
                Ok(())
            });
            self.budget.give_back(in_flight);
            if let Err(full) = added {
                let taken: u64 = tables.iter_mut().map(|table| inside(table).bytes()).sum();
                self.budget.give_back(taken);
                return Err(full);
            }
        }
        let mut tours = Tours::default();
        for batches in &mut batches {
            tours.merge(std::mem::take(&mut inside(batches).tours));
        }
        let next = tables.into_iter().map(|table| {
            let table = table.into_inner().unwrap_or_else(PoisonError::into_inner);
            table.into_states(&self.budget)
        });
        Ok((next.collect(), tours))
    }

    /// Does something on so many threads, each with its number and a common counter of what is given out.
    fn on(
        &self,
        threads: usize,
        work: impl Fn(usize, &AtomicUsize) -> Result<(), Full> + Sync,
    ) -> Result<(), Stop> {
        let next = AtomicUsize::new(0);
        let done = match threads {
            1 => vec![work(0, &next)],
            _ => self.pool.broadcast(|thread| work(thread.index(), &next)),
        };
        done.into_iter()
            .collect::<Result<(), Full>>()
            .map_err(Stop::Full)
    }
}

/// Why a stage ended early.
#[derive(Debug, Clone, Copy)]
enum Stop {
    Full(Full),
    Stopped,
}

/// The next number below `all` that nobody has taken.
fn take(next: &AtomicUsize, all: usize) -> Option<usize> {
    Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&taken| taken < all)
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn inside<T>(mutex: &mut Mutex<T>) -> &mut T {
    mutex.get_mut().unwrap_or_else(PoisonError::into_inner)
}

/// How many of the first chunks hold no more than so many states, but at least one.
fn round_length<C>(chunks: &[&[Entry<C>]], states: usize) -> usize {
    let mut sum = 0;
    let fits = |chunk: &&&[Entry<C>]| {
        sum += chunk.len();
        sum <= states
    };
    chunks.iter().take_while(fits).count().max(1)
}

impl Layer {
    fn states(&self) -> usize {
        fn sum<C>(parts: &Parts<C>) -> usize {
            parts.iter().map(Vec::len).sum()
        }
        match self {
            Self::Narrow(parts) => sum(parts),
            Self::Wide(parts) => sum(parts),
            Self::Big(parts) => sum(parts),
        }
    }

    fn partitions(&self) -> usize {
        match self {
            Self::Narrow(parts) => parts.len(),
            Self::Wide(parts) => parts.len(),
            Self::Big(parts) => parts.len(),
        }
    }

    fn bytes(&self) -> u64 {
        let states = self.states();
        match self {
            Self::Narrow(_) => bytes::<u64>(states),
            Self::Wide(_) => bytes::<u128>(states),
            Self::Big(_) => bytes::<BigUint>(states),
        }
    }

    /// The same in the next width of counts; from 128 bits on in as many as it takes.
    fn widened(self) -> Self {
        fn each<C, D>(parts: Parts<C>, wider: impl Fn(C) -> D + Copy) -> Parts<D> {
            let entry = move |(key, count)| (key, wider(count));
            parts
                .into_iter()
                .map(|part| part.into_iter().map(entry).collect())
                .collect()
        }
        match self {
            Self::Narrow(parts) => Self::Wide(each(parts, u128::from)),
            Self::Wide(parts) => Self::Big(each(parts, BigUint::from)),
            big => big,
        }
    }
}
