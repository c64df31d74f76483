//! The choice of the engine for a question, and a type that can be any engine.
//!
//! The choice is made here and nowhere else. It depends on the question, on the options that the
//! user gave, and on the run that a checkpoint holds. It never depends on the memory of the
//! machine: if a limit is too small, the run refuses and names a limit that would do, because the
//! other engines could take a million years.

use crate::edges::{self, Edges, EdgesError};
use crate::frontier::{self, Frontier, FrontierError};
use crate::question::Question;
use crate::walk::{self, MemoSize, Walk, WalkError};
pub use crate::work::Name;
use crate::work::{Identity, Split, Work};
use std::ops::{Deref, DerefMut};

/// The options that the user gave.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wishes {
    /// The engine; `None` for the fastest.
    pub engine: Option<Name>,
    /// The split; `None` for the default of the engine.
    pub split: Option<Split>,
    /// True if an option of the transposition table was given, which only the walk has.
    pub memo: bool,
}

/// The reason why an engine was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// The user named it.
    Asked,
    /// Only this engine has one of the options: a split depth, a transposition table, or a cut.
    Options,
    /// A checkpoint was started with it.
    Begun,
    /// It is the fastest for the board.
    Fastest,
}

/// The engine chosen for a question, and its split.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The engine.
    pub engine: Name,
    /// The split; `None` for the default of the engine.
    pub split: Option<Split>,
    /// The reason.
    pub why: Why,
}

/// Chooses the engine for a question. `saved` is the run that a checkpoint holds.
pub fn choose(question: &Question, wishes: &Wishes, saved: Option<&Identity>) -> Choice {
    let (engine, why) = match (wishes.engine.clone(), wishes.split) {
        (Some(name), _) => (name, Why::Asked),
        (None, Some(Split::Cut { .. })) => (Name::Frontier, Why::Options),
        (None, Some(Split::Depth(_))) => (lister(question), Why::Options),
        (None, None) if wishes.memo => (lister(question), Why::Options),
        (None, None | Some(Split::Lengths { .. })) => (fastest(question), Why::Fastest),
    };
    // A table counts boards of all lengths; its question is only that of the longest.
    let is_table = |saved: &&Identity| matches!(saved.split, Split::Lengths { .. });
    let saved = saved.filter(|saved| saved.question == *question && !is_table(saved));
    match saved.filter(|saved| why == Why::Fastest || saved.engine == engine) {
        Some(saved) => Choice {
            engine: saved.engine.clone(),
            split: wishes.split.or(Some(saved.split)),
            why: if why == Why::Fastest { Why::Begun } else { why },
        },
        None => Choice { engine, split: wishes.split, why },
    }
}

/// The engine that visits the tours of a question.
pub fn lister(question: &Question) -> Name {
    if edges::fits(question) { Name::Edges } else { Name::Walk }
}

/// The fastest engine for a question.
///
/// Full knight's boards of up to 49 squares were measured one by one; `results/engines.tsv` has the
/// times. On other boards, a rough estimate of the states of the frontier is compared with random
/// probes of the search tree. The choice is the same every time and takes less than a second.
pub fn fastest(question: &Question) -> Name {
    let lister = lister(question);
    let is_faster = match question.board.is_plain() {
        true => frontier::is_faster(question),
        false => frontier::rough_states(question).is_some_and(|states| {
            let is_sparse = question.board.most_moves() <= MOST_MOVES_PROBED;
            !is_sparse || states < STATES_PER_NODE * probed_nodes(&lister, question)
        }),
    };
    if is_faster { Name::Frontier } else { lister }
}

/// The estimate of states is mostly too large, by one to four powers of ten.
const STATES_PER_NODE: f64 = 100.0;

/// With more moves from a square, the search tree is larger than any frontier that fits, and probes
/// would take long.
const MOST_MOVES_PROBED: usize = 5;

/// Estimates the nodes of a search tree by random probes (Knuth's estimator).
fn probed_nodes(name: &Name, question: &Question) -> f64 {
    const PROBES: usize = 200;
    let Ok(engine) = Engine::new(name, question.clone(), None, MemoSize::Off) else {
        return f64::INFINITY;
    };
    let (units, mut worker) = (engine.units(), engine.prober());
    let mut probe = |number: usize| worker.probe(number * units / PROBES, number as u64);
    let probes = (0..PROBES.min(PROBES * units)).filter_map(&mut probe);
    probes.map(|probe| probe.nodes).sum::<f64>() / PROBES as f64 * units as f64
}

/// The reason why no engine can answer.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The walk cannot answer the question.
    #[error(transparent)]
    Walk(#[from] WalkError),
    /// The edges engine cannot answer the question.
    #[error(transparent)]
    Edges(#[from] EdgesError),
    /// The frontier cannot answer the question.
    #[error(transparent)]
    Frontier(#[from] FrontierError),
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

/// Any of the engines, set to a question.
pub enum Engine {
    /// The walk.
    Walk(Walk),
    /// Edges.
    Edges(Edges),
    /// The frontier.
    Frontier(Box<Frontier>),
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
        if let Some(split) = split.filter(is_foreign) {
            return Err(EngineError::Split { engine: name.clone(), split });
        }
        let frontier =
            |split| Ok(Self::Frontier(Box::new(Frontier::new(question.clone(), split)?)));
        let table = |every_square| frontier(Some(Split::Lengths { every_square }));
        match name {
            Name::Walk => {
                Ok(Self::Walk(Walk::new(question, &walk::Options { split_depth, memo })?))
            }
            Name::Edges => Ok(Self::Edges(Edges::new(question, split_depth)?)),
            Name::Frontier => frontier(split),
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
        let work = Self::new(
            &identity.engine,
            identity.question.clone(),
            Some(identity.split),
            MemoSize::Off,
        )?;
        match work.identity() == *identity {
            true => Ok(work),
            false => Err(EngineError::Units { theirs: identity.units, ours: work.units() as u64 }),
        }
    }
}

/// Every engine can be used as a [`Work`].
impl Deref for Engine {
    type Target = dyn Work;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Walk(work) => work,
            Self::Edges(work) => work,
            Self::Frontier(work) => work.as_ref(),
        }
    }
}

impl DerefMut for Engine {
    fn deref_mut(&mut self) -> &mut Self::Target {
        match self {
            Self::Walk(work) => work,
            Self::Edges(work) => work,
            Self::Frontier(work) => work.as_mut(),
        }
    }
}
