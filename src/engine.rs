//! Which engine answers a question, and why; and one type that is any of them.
//!
//! The choice is made here and nowhere else, from the question, from what was asked for and from what a checkpoint holds.
//! It never depends on how much memory there is: a bound that is too small is refused by the run, with one that would do,
//! rather than answered by an engine that takes a million years.

use crate::edges::{self, Edges, EdgesError};
use crate::frontier::{self, Frontier, FrontierError};
use crate::question::Question;
use crate::walk::{self, MemoSize, Walk, WalkError};
pub use crate::work::Name;
use crate::work::{Identity, Split, Work};
use std::ops::{Deref, DerefMut};

/// What was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wishes {
    /// The engine; the fastest when `None`.
    pub engine: Option<Name>,
    /// How to cut the work into units; as the engine likes when `None`.
    pub split: Option<Split>,
    /// Whether something was said of the memo, which only the walk has.
    pub memo: bool,
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
    /// The engine.
    pub engine: Name,
    /// As the engine likes when `None`.
    pub split: Option<Split>,
    /// Why this one.
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
    // A table of boards of all lengths is of the longest in name alone.
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
    match edges::fits(question) {
        true => Name::Edges,
        false => Name::Walk,
    }
}

/// The fastest engine for a question. Boards up to 49 squares were measured one by one: `results/engines.tsv`.
pub fn fastest(question: &Question) -> Name {
    match frontier::is_faster(question) {
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
    #[error("the engine `{engine}` cannot split its work like this: {split}")]
    Split {
        /// The engine.
        engine: Name,
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

impl Engine {
    /// The engine of this name, set to a question. Only the walk keeps a memo.
    ///
    /// # Errors
    /// [`EngineError`] when the engine cannot answer the question so.
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
        let frontier = |split| Ok(Self::Frontier(Box::new(Frontier::new(question, split)?)));
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

/// The work of whichever engine.
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
