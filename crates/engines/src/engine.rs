//! The choice of the engine for a question, and a type that can be any engine.
//!
//! The choice is made here and nowhere else. It depends on the question, on the options that the
//! user gave, and on the run that a checkpoint holds. It never depends on the memory of the
//! machine: if a limit is too small, the run refuses and names a limit that would do, because the
//! other engines could take a million years.

pub use crate::frontier::FrontierError;
use crate::frontier::{self, Frontier};
use crate::question::Question;
use crate::rates::Rates;
use crate::subsets::Subsets;
pub use crate::subsets::SubsetsError;
pub use crate::walk::WalkError;
use crate::walk::{self, MemoSize, Walk};
pub use crate::work::Name;
use crate::work::{Identity, Pause, Split, Work};
use std::cell::Cell;
use std::ops::{Deref, DerefMut};

/// The options that the user gave.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wishes {
    /// The engine; `None` for the fastest.
    pub engine: Option<Name>,
    /// The split; `None` for the default of the engine.
    pub split: Option<Split>,
    /// The transposition table of each thread, which only searches have; `None` for the usual size.
    pub memo: Option<MemoSize>,
}

impl Wishes {
    /// True if an option was given that only some engines have: a split depth, a cut, or a
    /// transposition table.
    fn has_options(&self) -> bool {
        self.memo.is_some() || matches!(self.split, Some(Split::Depth(_) | Split::Cut { .. }))
    }
}

/// The engine chosen for a question, and its split.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The engine.
    pub engine: Name,
    /// The split; `None` for the default of the engine.
    pub split: Option<Split>,
}

/// Chooses the engine for a question. `saved` is the run that a checkpoint holds.
pub fn choose(question: &Question, wishes: &Wishes, saved: Option<&Identity>) -> Choice {
    let engine = match (&wishes.engine, wishes.split) {
        (Some(name), _) => name.clone(),
        (None, Some(Split::Cut { .. })) => Name::Frontier,
        (None, _) if wishes.has_options() => Name::Walk,
        (None, _) => fastest(question),
    };
    // A table counts boards of all lengths; its question is only that of the longest.
    let is_table = |saved: &&Identity| matches!(saved.split, Split::Lengths { .. });
    let is_same = |saved: &&Identity| saved.question == *question && saved.engine == engine;
    let saved = saved.filter(is_same).filter(|saved| !is_table(saved));
    Choice { engine, split: wishes.split.or(saved.map(|saved| saved.split)) }
}

/// The fastest engine for a question.
///
/// Full knight's boards of up to 49 squares were measured one by one; `results/engines.tsv` has the
/// times. On other boards a search that ends at once is taken, and otherwise the engine with the
/// shortest forecast. The choice is the same every time and takes less than a second.
pub fn fastest(question: &Question) -> Name {
    if question.board.is_plain() {
        let is_faster = frontier::is_faster(question);
        return if is_faster { Name::Frontier } else { Name::Walk };
    }
    if question.is_impossible() || is_soon_walked(question) {
        return Name::Walk;
    }
    let by_subsets = Subsets::new(question.clone()).map_or(f64::INFINITY, |work| work.seconds());
    if by_subsets < SURELY_SHORT {
        return Name::Subsets;
    }
    let by_frontier = frontier::expected_seconds(question).unwrap_or(f64::INFINITY);
    let (other, seconds) = if by_subsets < by_frontier {
        (Name::Subsets, by_subsets)
    } else {
        (Name::Frontier, by_frontier)
    };
    // A dense graph has a search tree larger than anything else.
    let may_be_walked = if question.board.most_moves() <= MOST_MOVES_PROBED {
        seconds > SURELY_SHORT
    } else {
        seconds.is_infinite()
    };
    if may_be_walked && expected_seconds(question) <= seconds { Name::Walk } else { other }
}

/// The seconds up to which the forecast of an engine is good enough to choose it.
const SURELY_SHORT: f64 = 0.2;

/// With more moves from a square, probes would take long.
const MOST_MOVES_PROBED: usize = 5;

/// True if the walk ends within some milliseconds.
fn is_soon_walked(question: &Question) -> bool {
    const MOST_NODES: u64 = 200_000;
    const MOST_LOOKS: u32 = 50;
    let Some(engine) = plain_walk(question) else { return false };
    let (mut worker, looks) = (engine.worker(), Cell::new(0));
    let mut nodes = 0;
    let pause = || {
        looks.set(looks.get() + 1);
        if looks.get() > MOST_LOOKS { Pause::Now } else { Pause::No }
    };
    (0..engine.units()).all(|unit| {
        let advance = worker.advance(unit, &engine.begin(unit), &pause);
        nodes += advance.as_ref().map_or(MOST_NODES, |advance| advance.nodes);
        nodes <= MOST_NODES && advance.is_ok_and(|advance| advance.rest.is_none())
    })
}

/// Estimates the seconds that one thread takes for the walk, by random probes (Knuth's estimator).
fn expected_seconds(question: &Question) -> f64 {
    const PROBES: usize = 200;
    /// Few probes mostly miss the largest subtrees; a transposition table makes up for some.
    const MISSED: f64 = 6.0;
    let Some(engine) = plain_walk(question) else { return f64::INFINITY };
    let (units, mut worker) = (engine.units(), engine.prober());
    let mut probe = |number: usize| worker.probe(number * units / PROBES, number as u64);
    let probes = (0..PROBES.min(PROBES * units)).filter_map(&mut probe);
    let nodes = probes.map(|probe| probe.nodes).sum::<f64>() / PROBES as f64 * units as f64;
    nodes * Rates::USUAL.node * MISSED
}

/// The walk without a transposition table, if it can answer a question.
fn plain_walk(question: &Question) -> Option<Walk> {
    let options = walk::Options { split_depth: None, memo: MemoSize::Off };
    Walk::new(question.clone(), &options).ok()
}

/// The reason why no engine can answer.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The walk cannot answer the question.
    #[error(transparent)]
    Walk(#[from] WalkError),
    /// The frontier cannot answer the question.
    #[error(transparent)]
    Frontier(#[from] FrontierError),
    /// The subsets engine cannot answer the question.
    #[error(transparent)]
    Subsets(#[from] SubsetsError),
    /// A file names an engine that is not in this library.
    #[error("it was counted by an engine `{0}` that is not in this program")]
    Unknown(String),
    /// The units of a file are not those that this library makes.
    #[error("the file has {theirs} units where this program has {ours}")]
    Units {
        /// The number of units in the file.
        theirs: u64,
        /// The number of units here.
        ours: u64,
    },
    /// The engine has no such split.
    #[error("the engine `{engine}` cannot split its work like this: {split}")]
    Split {
        /// The engine.
        engine: Name,
        /// The split that was requested.
        split: Split,
    },
}

impl EngineError {
    /// True if the engine does not take the board, with whatever options.
    pub fn is_of_board(&self) -> bool {
        use FrontierError::{TooDense, TooLarge, TooManyAtOnce, TooWide};
        match self {
            Self::Walk(error) => matches!(error, WalkError::TooLarge(_)),
            Self::Frontier(error) => {
                matches!(error, TooDense(_) | TooLarge(_) | TooManyAtOnce(_) | TooWide(_))
            }
            Self::Subsets(_) => true,
            Self::Unknown(_) | Self::Units { .. } | Self::Split { .. } => false,
        }
    }
}

/// Any of the engines, set to a question.
pub enum Engine {
    /// The walk.
    Walk(Walk),
    /// The frontier.
    Frontier(Box<Frontier>),
    /// Subsets.
    Subsets(Subsets),
}

impl Engine {
    /// Sets the engine of this name to a question. Only the walk uses the transposition table.
    ///
    /// # Errors
    /// [`EngineError`] if the engine cannot answer the question in this way.
    pub fn new(
        name: &Name,
        question: Question,
        split: Option<Split>,
        memo: MemoSize,
    ) -> Result<Self, EngineError> {
        let split_depth = match split {
            Some(Split::Depth(depth)) => Some(depth),
            _ => None,
        };
        let is_foreign =
            |split: &Split| matches!(split, Split::Cut { .. }) != (*name == Name::Frontier);
        let is_whole = |split: &Split| *name == Name::Subsets && *split != Split::Depth(0);
        if let Some(split) = split.filter(|split| is_foreign(split) || is_whole(split)) {
            return Err(EngineError::Split { engine: name.clone(), split });
        }
        let frontier =
            |split| Ok(Self::Frontier(Box::new(Frontier::new(question.clone(), split)?)));
        let table = |every_square| frontier(Some(Split::Lengths { every_square }));
        match name {
            Name::Walk => {
                Ok(Self::Walk(Walk::new(question, &walk::Options { split_depth, memo })?))
            }
            Name::Frontier => frontier(split),
            Name::Subsets => Ok(Self::Subsets(Subsets::new(question)?)),
            Name::Table => table(false),
            Name::PartialTable => table(true),
            Name::Other(name) => Err(EngineError::Unknown(name.clone())),
        }
    }

    /// Sets up the work that a units file or a checkpoint is about.
    ///
    /// # Errors
    /// [`EngineError`] if this library has no engine with the same units.
    pub fn of(identity: &Identity) -> Result<Self, EngineError> {
        let Identity { question, engine, split, units } = identity;
        let work = Self::new(engine, question.clone(), Some(*split), MemoSize::Off)?;
        if work.identity() != *identity {
            return Err(EngineError::Units { theirs: *units, ours: work.units() as u64 });
        }
        Ok(work)
    }
}

/// Every engine can be used as a [`Work`].
impl Deref for Engine {
    type Target = dyn Work;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Walk(work) => work,
            Self::Frontier(work) => work.as_ref(),
            Self::Subsets(work) => work,
        }
    }
}

impl DerefMut for Engine {
    fn deref_mut(&mut self) -> &mut Self::Target {
        match self {
            Self::Walk(work) => work,
            Self::Frontier(work) => work.as_mut(),
            Self::Subsets(work) => work,
        }
    }
}
