//! Which engine answers a question, and why; and one type that is any of them.
//!
//! The choice is made here and nowhere else, from the question, from what was asked for and from what a checkpoint holds.
//! It never depends on how much memory there is: a bound that is too small is refused by the run, with one that would do,
//! rather than answered by an engine that takes a million years.

use crate::cursor::Piece;
use crate::edges::{self, Edges, EdgesError};
use crate::frontier::{self, Frontier, FrontierError};
use crate::question::Question;
use crate::rounds::{Built, Dealt, Lost, Rounds};
use crate::walk::{self, MemoSize, Walk, WalkError};
use crate::work::{
    Advance, Identity, Pause, Probe, Recount, SearchTree, Split, Sweeps, Tree, Work,
};

/// What was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Wishes {
    /// The engine; the fastest when `None`.
    pub engine: Option<Name>,
    /// How to cut the work into units; as the engine likes when `None`.
    pub split: Option<Split>,
    /// Whether something was said of the memo, which only the walk has.
    pub memo: bool,
}

/// An engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Name {
    /// Extends paths, square by square.
    Walk,
    /// Chooses edges of closed tours anywhere on the board.
    Edges,
    /// Counts without listing.
    Frontier,
}

impl Name {
    /// As on the command line and in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Walk => walk::ENGINE,
            Self::Edges => edges::ENGINE,
            Self::Frontier => frontier::ENGINE,
        }
    }
}

/// Why an engine was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// It was asked for.
    Asked,
    /// What was asked for is its alone: a split depth, a memo, a cut.
    Options,
    /// A checkpoint was begun with it.
    Begun,
    /// It is the fastest for the board.
    Fastest,
}

/// An engine for a question, and how it cuts the work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Its name in files.
    pub engine: String,
    /// As the engine likes when `None`.
    pub split: Option<Split>,
    /// Why this one.
    pub why: Why,
}

/// Chooses the engine for a question. `saved` is the run that a checkpoint holds.
pub fn choose(question: &Question, wishes: Wishes, saved: Option<&Identity>) -> Choice {
    let (engine, why) = match (wishes.engine, wishes.split) {
        (Some(name), _) => (name, Why::Asked),
        (None, Some(Split::Cut { .. })) => (Name::Frontier, Why::Options),
        (None, Some(Split::Depth(_))) => (lister(question), Why::Options),
        (None, None) if wishes.memo => (lister(question), Why::Options),
        (None, None | Some(Split::Lengths { .. })) => (fastest(question), Why::Fastest),
    };
    // A table of boards of all lengths is of the longest in name alone.
    let is_table = |saved: &&Identity| matches!(saved.split, Split::Lengths { .. });
    let saved = saved.filter(|saved| saved.question == *question && !is_table(saved));
    match saved.filter(|saved| why == Why::Fastest || saved.engine == engine.as_str()) {
        Some(saved) => Choice {
            engine: saved.engine.clone(),
            split: wishes.split.or(Some(saved.split)),
            why: if why == Why::Fastest { Why::Begun } else { why },
        },
        None => Choice { engine: engine.as_str().to_owned(), split: wishes.split, why },
    }
}

/// The engine that visits the tours of a question.
pub fn lister(question: &Question) -> Name {
    match edges::fits(question) {
        true => Name::Edges,
        false => Name::Walk,
    }
}

/// The fastest engine for a question. Boards up to 49 squares were measured one by one: `results/engines.tsv`.
pub fn fastest(question: &Question) -> Name {
    match frontier::pays(question) {
        true => Name::Frontier,
        false => lister(question),
    }
}

/// Why there is no engine.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The walk cannot.
    #[error(transparent)]
    Walk(#[from] WalkError),
    /// Edges cannot.
    #[error(transparent)]
    Edges(#[from] EdgesError),
    /// The frontier cannot.
    #[error(transparent)]
    Frontier(#[from] FrontierError),
    /// There is no engine of this name here.
    #[error("it was counted by an engine `{0}` that is not in this program")]
    Unknown(String),
    /// The units of a file are not those that this program has.
    #[error("the file has {theirs} units where this program has {ours}")]
    Units {
        /// In the file.
        theirs: u64,
        /// Here.
        ours: u64,
    },
    /// The engine does not cut its work like that.
    #[error("{engine} does not cut its work by {split}")]
    Split {
        /// The engine.
        engine: String,
        /// What was asked.
        split: Split,
    },
}

/// Any engine.
pub enum Engine {
    /// The walk.
    Walk(Walk),
    /// Edges.
    Edges(Edges),
    /// The frontier.
    Frontier(Box<Frontier>),
}

/// A worker of any engine.
pub enum Worker {
    /// Of the walk.
    Walk(Box<walk::Worker>),
    /// Of edges.
    Edges(edges::Worker),
    /// Of the frontier.
    Frontier(Box<frontier::Worker>),
}

/// Does the same with whichever engine.
macro_rules! each_engine {
    ($engine:expr, $work:ident => $body:expr) => {
        match $engine {
            Engine::Walk($work) => $body,
            Engine::Edges($work) => $body,
            Engine::Frontier($work) => $body,
        }
    };
    ($engine:expr, $with:expr, ($work:ident, $worker:ident) => $body:expr) => {
        match ($engine, $with) {
            (Engine::Walk($work), Worker::Walk($worker)) => $body,
            (Engine::Edges($work), Worker::Edges($worker)) => $body,
            (Engine::Frontier(work), Worker::Frontier($worker)) => {
                let $work = work.as_ref();
                $body
            }
            _ => unreachable!("a worker is only used with the engine that made it"),
        }
    };
}

/// Does the same with whichever engine that searches a tree.
macro_rules! each_tree {
    ($engine:expr, $worker:expr, $tree:ident, $own:ident => $body:expr, $otherwise:expr) => {
        match ($engine, $worker) {
            (Engine::Walk($tree), Worker::Walk($own)) => $body,
            (Engine::Edges($tree), Worker::Edges($own)) => $body,
            _ => $otherwise,
        }
    };
}

impl Engine {
    /// The engine of this name, set to a question. Only the walk keeps a memo.
    ///
    /// # Errors
    /// [`EngineError`] when the engine cannot answer the question so.
    pub fn new(
        name: &str,
        question: Question,
        split: Option<Split>,
        memo: MemoSize,
    ) -> Result<Self, EngineError> {
        let split_depth = match split {
            Some(Split::Depth(depth)) => Some(depth),
            _ => None,
        };
        let is_foreign =
            |split: &Split| matches!(split, Split::Cut { .. }) != (name == frontier::ENGINE);
        if let Some(split) = split.filter(is_foreign) {
            return Err(EngineError::Split { engine: name.to_owned(), split });
        }
        Ok(match name {
            walk::ENGINE => Self::Walk(Walk::new(question, &walk::Options { split_depth, memo })?),
            edges::ENGINE => Self::Edges(Edges::new(question, split_depth)?),
            frontier::ENGINE => Self::Frontier(Box::new(Frontier::new(question, split)?)),
            frontier::TABLE | frontier::PARTIAL_TABLE => {
                let every_square = name == frontier::PARTIAL_TABLE;
                let lengths = Split::Lengths { every_square };
                Self::Frontier(Box::new(Frontier::new(question, Some(lengths))?))
            }
            _ => return Err(EngineError::Unknown(name.to_owned())),
        })
    }

    /// The work that a file of units or a checkpoint is of.
    ///
    /// # Errors
    /// [`EngineError`] when this program has none that fits.
    pub fn of(identity: &Identity) -> Result<Self, EngineError> {
        let work =
            Self::new(&identity.engine, identity.question, Some(identity.split), MemoSize::Off)?;
        match work.identity() == *identity {
            true => Ok(work),
            false => Err(EngineError::Units { theirs: identity.units, ours: work.units() as u64 }),
        }
    }
}

impl Engine {
    /// The one that has something to build before its units.
    fn sweeping(&self) -> Option<&Frontier> {
        match self {
            Self::Frontier(work) => Some(work),
            Self::Walk(_) | Self::Edges(_) => None,
        }
    }
}

impl Work for Engine {
    /// Of whichever engine: all say where they stand in the same words.
    type Piece = Piece;
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
            Self::Frontier(work) => Worker::Frontier(Box::new(work.worker())),
        }
    }

    fn cost(&self, worker: &mut Worker, unit: usize) -> f64 {
        each_engine!(self, worker, (work, worker) => work.cost(worker, unit))
    }

    fn memory(&self, unit: usize) -> u64 {
        each_engine!(self, work => work.memory(unit))
    }

    fn narrow(&mut self, units: &[usize]) {
        each_engine!(self, work => work.narrow(units))
    }

    fn begin(&self, unit: usize) -> Piece {
        each_engine!(self, work => work.begin(unit))
    }

    fn accepts(&self, unit: usize, piece: &Piece) -> bool {
        each_engine!(self, work => work.accepts(unit, piece))
    }

    fn advance(
        &self,
        worker: &mut Worker,
        unit: usize,
        piece: &Piece,
        pause: &dyn Fn() -> Pause,
    ) -> Result<Advance<Piece>, Lost> {
        each_engine!(self, worker, (work, worker) => Work::advance(work, worker, unit, piece, pause))
    }

    fn recount(&self, unit: usize, stop: &dyn Fn() -> bool) -> Option<Recount> {
        each_engine!(self, work => work.recount(unit, stop))
    }

    fn tree(&self) -> Option<Tree<'_, Self>> {
        match self {
            Self::Walk(_) | Self::Edges(_) => Some(self),
            Self::Frontier(_) => None,
        }
    }

    fn sweeps(&self) -> Option<Sweeps<'_, Self>> {
        match self {
            Self::Walk(_) | Self::Edges(_) => None,
            Self::Frontier(_) => Some(self),
        }
    }
}

impl SearchTree for Engine {
    type Piece = Piece;
    type Worker = Worker;

    fn split(&self, worker: &mut Worker, piece: Piece) -> Vec<Piece> {
        each_tree!(self, worker, tree, own => tree.split(own, piece), vec![piece])
    }

    fn probe(&self, worker: &mut Worker, unit: usize, seed: u64) -> Probe {
        each_tree!(self, worker, tree, own => tree.probe(own, unit, seed), Probe { nodes: 1.0, tours: 0.0 })
    }
}

impl Rounds for Engine {
    type Worker = Worker;

    fn rounds(&self) -> Vec<usize> {
        self.sweeping().map(Rounds::rounds).unwrap_or_default()
    }

    fn made_for(&self) -> Option<&[usize]> {
        self.sweeping()?.made_for()
    }

    fn start(&self) -> Dealt {
        self.sweeping().map(Rounds::start).unwrap_or_default()
    }

    fn advance(
        &self,
        worker: &mut Worker,
        at: (usize, usize),
        slice: u64,
        packed: &[&[u8]],
        stop: &dyn Fn() -> bool,
        deal: &mut dyn FnMut(Dealt),
    ) -> Option<Dealt> {
        let Worker::Frontier(worker) = worker else {
            return None;
        };
        Rounds::advance(self.sweeping()?, worker, at, slice, packed, stop, deal)
    }

    fn ready(&self, built: Built) {
        if let Some(work) = self.sweeping() {
            work.ready(built);
        }
    }

    fn forget(&self) {
        if let Some(work) = self.sweeping() {
            work.forget();
        }
    }
}
