//! The engine that answers a question: chosen in one place, driven through one type.

use super::args::EngineArgument;
use super::exit::{Exit, Failure};
use kt_enum::edges::{self, Edges};
use kt_enum::frontier;
use kt_enum::question::Question;
use kt_enum::walk::{self, MemoSize, Walk};
use kt_enum::work::{Advance, Identity, Pause, Piece, Probe, Recount, SearchTree, Tree, Work};

/// Any engine of the program.
pub enum Engine {
    Walk(Walk),
    Edges(Edges),
}

/// A worker of any engine.
pub enum Worker {
    Walk(Box<walk::Worker>),
    Edges(edges::Worker),
}

/// Does the same with whichever engine.
macro_rules! each_engine {
    ($engine:expr, $work:ident => $body:expr) => {
        match $engine {
            Engine::Walk($work) => $body,
            Engine::Edges($work) => $body,
        }
    };
    ($engine:expr, $with:expr, ($work:ident, $worker:ident) => $body:expr) => {
        match ($engine, $with) {
            (Engine::Walk($work), Worker::Walk($worker)) => $body,
            (Engine::Edges($work), Worker::Edges($worker)) => $body,
            _ => unreachable!("a worker is only used with the engine that made it"),
        }
    };
}

/// The name of the engine for a question: the one that was asked for, or the fastest that fits.
pub fn name(asked: EngineArgument, question: &Question) -> &'static str {
    match asked {
        EngineArgument::Walk => walk::ENGINE,
        EngineArgument::Edges => edges::ENGINE,
        EngineArgument::Frontier => frontier::ENGINE,
        EngineArgument::Auto if edges::fits(question) => edges::ENGINE,
        EngineArgument::Auto => walk::ENGINE,
    }
}

/// Whether the engine of this name visits tours, in units; the others count states in steps.
pub fn lists_tours(name: &str) -> bool {
    [walk::ENGINE, edges::ENGINE].contains(&name)
}

impl Engine {
    /// The engine of this name, set to a question. Edges keeps no table, whatever `memo` says.
    pub fn new(
        name: &str,
        question: Question,
        split_depth: Option<u32>,
        memo: MemoSize,
    ) -> Result<Self, Failure> {
        match name {
            walk::ENGINE => {
                let options = walk::Options { split_depth, memo };
                Ok(Self::Walk(Walk::new(question, &options)?))
            }
            edges::ENGINE => Ok(Self::Edges(Edges::new(question, split_depth)?)),
            frontier::ENGINE => Err(Failure::saying(
                Exit::Usage,
                "the engine `frontier` has no units to estimate, give to shards or audit: leave out --engine",
            )),
            _ => Err(Failure::saying(
                Exit::Mismatch,
                format!("it was counted by an engine `{name}` that is not in this program"),
            )),
        }
    }
}

impl Work for Engine {
    /// Of whichever engine: both say where they stand in the same words.
    type Piece = Piece<Walk>;
    type Worker = Worker;

    fn identity(&self) -> Identity {
        each_engine!(self, work => work.identity())
    }

    fn units(&self) -> usize {
        each_engine!(self, work => work.units())
    }

    fn label(&self, unit: usize) -> String {
        each_engine!(self, work => work.label(unit))
    }

    fn worker(&self) -> Worker {
        match self {
            Self::Walk(work) => Worker::Walk(Box::new(work.worker())),
            Self::Edges(work) => Worker::Edges(work.worker()),
        }
    }

    fn begin(&self, unit: usize) -> Self::Piece {
        each_engine!(self, work => work.begin(unit))
    }

    fn accepts(&self, unit: usize, piece: &Self::Piece) -> bool {
        each_engine!(self, work => work.accepts(unit, piece))
    }

    fn advance(
        &self,
        worker: &mut Worker,
        unit: usize,
        piece: &Self::Piece,
        pause: &dyn Fn() -> Pause,
    ) -> Advance<Self::Piece> {
        each_engine!(self, worker, (work, worker) => work.advance(worker, unit, piece, pause))
    }

    fn recount(&self, unit: usize, stop: &dyn Fn() -> bool) -> Option<Recount> {
        each_engine!(self, work => work.recount(unit, stop))
    }

    fn tree(&self) -> Option<Tree<'_, Self>> {
        Some(self)
    }
}

impl SearchTree for Engine {
    type Piece = Piece<Self>;
    type Worker = Worker;

    fn split(&self, worker: &mut Worker, piece: Self::Piece) -> Vec<Self::Piece> {
        each_engine!(self, worker, (work, worker) => work.split(worker, piece))
    }

    fn share(&self, worker: &mut Worker, piece: &Self::Piece) -> f64 {
        each_engine!(self, worker, (work, worker) => work.share(worker, piece))
    }

    fn probe(&self, worker: &mut Worker, unit: usize, seed: u64) -> Probe {
        each_engine!(self, worker, (work, worker) => work.probe(worker, unit, seed))
    }
}
