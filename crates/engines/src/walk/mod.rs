//! The walk engine: a depth-first search along the path of the knight.
//!
//! Plain backtracking takes minutes for the tours of 6x6 from one corner, mostly in dead ends. The
//! walk counts the tours from all starts in less than a second:
//!
//! - A question is first reduced to directed Hamiltonian paths ([`reduction`]). Symmetry leaves one
//!   start per orbit of squares, reversal leaves one direction, and a closed tour becomes a path
//!   between two neighbours of a fixed square.
//! - [`split`] cuts the search tree at a chosen depth into prefixes, one per orbit. Each is a unit,
//!   weighted by the size of its orbit.
//! - [`crate::search`] walks the tree below a prefix, with a transposition table. The tree is that
//!   of a [`field`], which is made of bitboards of one or two words ([`bits`]) or has one cell per
//!   square ([`cells`]). Dead ends and forced moves are detected locally.
//!
//! In addition, [`in_order`] lists tours one by one, and [`first_met`] finds the first tour of each
//! class.
//!
//! The invariant: the tree is walked in ascending order of squares, and pruning only ever drops
//! subtrees without a tour. So a *cursor*, the path to the next node, says exactly what has been
//! searched, whatever the version, the width of the bitboards or the transposition table.

mod bits;
mod cells;
mod field;
mod first_met;
mod in_order;
mod reduction;
mod split;
#[cfg(test)]
pub mod tests;

pub use crate::search::{MemoSize, TooManyUnits};
pub use in_order::{
    FirstTour, Listing, Next, NotListed, TourCursor, WalkEffort, first_tour, next_tour, visit,
};
pub use split::SplitError;

use crate::board::{Board, PaddedBoard, Square};
use crate::cursor::UnitPiece;
use crate::plain;
use crate::question::Question;
use crate::search::{Prefixes, Search, TreeWorker};
use crate::tally::Tally;
use crate::work::{Identity, Name, NotRecounted, Pause, Recount, Split, Stop, Work, Worker};
use bits::BitField;
use cells::{CellField, MoveLists};
use field::{Field, Representation};
use reduction::Reduction;

/// The options of a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// The number of moves of the prefixes that are the units. If `None`, it depends on the board
    /// alone.
    pub split_depth: Option<u32>,
    /// The size of the transposition table of each worker.
    pub memo: MemoSize,
}

/// The largest number of squares of a board that can be walked.
///
/// Counts of larger boards are out of reach, except for boards without tours.
pub const LARGEST_BOARD: usize = 1_024;

/// The largest number of free squares that plain backtracking completes within seconds for most
/// units; with more it takes minutes.
const MOST_FREE_FOR_PLAIN: usize = 30;

/// A question cannot be walked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WalkError {
    /// The board has more than [`LARGEST_BOARD`] squares.
    #[error(
        "{0} has {squares} squares, too many to visit its tours one by one: \
         the most is {LARGEST_BOARD} (such as 32x32)",
        squares = .0.squares()
    )]
    TooLarge(Board),
    /// The transposition table of each worker, with this many bytes, cannot be allocated.
    #[error("there is no memory for a transposition table of {0} bytes on each thread")]
    Memory(u64),
    /// The split depth does not fit the board.
    #[error(transparent)]
    Split(#[from] SplitError),
}

impl WalkError {
    fn unless_it_fits(board: &Board) -> Result<(), Self> {
        if board.squares() > LARGEST_BOARD { Err(Self::TooLarge(board.clone())) } else { Ok(()) }
    }
}

/// The walk for one question, cut into units.
#[derive(Debug)]
pub struct Walk {
    question: Question,
    reduction: Reduction,
    depth: u32,
    prefixes: Prefixes,
    memo: MemoSize,
}

impl Walk {
    /// Prepares the walk for a question.
    ///
    /// # Errors
    /// [`WalkError`] if the board is too large, the transposition table cannot be allocated, or the
    /// split depth does not fit the board.
    pub fn new(question: Question, options: &Options) -> Result<Self, WalkError> {
        WalkError::unless_it_fits(&question.board)?;
        if !options.memo.can_allocate() {
            return Err(WalkError::Memory(options.memo.bytes()));
        }
        let reduction = Reduction::of(&question);
        let depth = options.split_depth.unwrap_or_else(|| split::depth_by_board(&reduction));
        let prefixes = split::prefixes_at(&reduction, depth)?;
        let memo = options.memo.on(question.board.squares());
        Ok(Self { question, reduction, depth, prefixes, memo })
    }

    /// True if a search keeps what it has counted in a transposition table.
    pub fn has_table(&self) -> bool {
        self.memo.bytes() > 0
    }

    fn walker<'a, F: Field + 'a>(&'a self, memo: MemoSize) -> Box<dyn Worker + 'a> {
        Box::new(TreeWorker::new(&self.prefixes, F::new(&self.reduction), memo))
    }

    /// A worker on the narrowest representation that holds the board.
    fn worker_with(&self, memo: MemoSize) -> Box<dyn Worker + '_> {
        match Representation::of(&self.question.board) {
            Representation::OneWord => self.walker::<BitField<u64>>(memo),
            Representation::TwoWords => self.walker::<BitField<u128>>(memo),
            Representation::Padded => self.walker::<CellField<PaddedBoard>>(memo),
            Representation::Lists => self.walker::<CellField<MoveLists>>(memo),
        }
    }

    /// Counts the paths of a piece without a transposition table. Also returns the rest of the
    /// piece if the search was stopped.
    fn count_untabled<F: Field>(&self, piece: &UnitPiece, stop: Stop) -> (u128, Option<UnitPiece>) {
        let pause = || if stop() { Pause::Now } else { Pause::No };
        let mut search = Search::new(F::new(&self.reduction), MemoSize::Off);
        let (found, _, rest) = search.advance(piece, &pause);
        (found, rest)
    }

    /// The squares of the prefix of a unit, after the one that closes every cycle.
    fn prefix(&self, unit: usize) -> Vec<Square> {
        let path = self.prefixes.path(unit).iter().copied().map(usize::from);
        self.reduction.removed.into_iter().chain(path.map(Square::from_index)).collect()
    }

    fn count_plainly(&self, unit: usize, stop: Stop) -> Option<u128> {
        let (prefix, closes) = (self.prefix(unit), usize::from(self.reduction.removed.is_some()));
        let mut count = 0;
        let complete = plain::visit_below(&self.question.board, &prefix, stop, &mut |tour| {
            let (start, end) = match &tour[closes..] {
                [start, .., end] => (*start, *end),
                [only] if closes == 0 => (*only, *only),
                // Neither one square nor two have a cycle.
                _ => return,
            };
            count += u128::from(self.reduction.end_weight(start, end));
        });
        complete.then_some(count)
    }
}

impl Work for Walk {
    fn identity(&self) -> Identity {
        Identity {
            question: self.question.clone(),
            engine: Name::Walk,
            split: Split::Depth(self.depth),
            units: self.prefixes.len() as u64,
        }
    }

    fn label(&self, unit: usize) -> String {
        let name = |square| self.question.board.name(square);
        self.prefix(unit).into_iter().map(name).collect::<Vec<_>>().join(" ")
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        self.worker_with(self.memo)
    }

    fn prober(&self) -> Box<dyn Worker + '_> {
        self.worker_with(match self.memo {
            MemoSize::Bytes(bytes) => MemoSize::Bytes(bytes.min(MemoSize::DEFAULT_BYTES)),
            memo => memo,
        })
    }

    fn is_tree(&self) -> bool {
        true
    }

    fn divisor(&self, unit: usize) -> u64 {
        self.prefixes.weight(unit).into()
    }

    fn begin(&self, unit: usize) -> UnitPiece {
        UnitPiece::whole(self.prefixes.path(unit))
    }

    fn accepts(&self, unit: usize, piece: &UnitPiece) -> bool {
        piece.lies_below(self.prefixes.path(unit)) && self.reduction.is_path(piece.path())
    }

    /// Recounts a unit by plain backtracking. If too many squares are free for that, recounts it by
    /// the walk without a transposition table, on a representation that small boards do not use.
    fn recount(
        &self,
        unit: usize,
        piece: &UnitPiece,
        _memory: u64,
        stop: Stop,
    ) -> Result<Recount, NotRecounted> {
        let free = self.reduction.length - self.prefixes.path(unit).len();
        let ((count, rest), by) = if free <= MOST_FREE_FOR_PLAIN {
            let count = self.count_plainly(unit, stop).ok_or(NotRecounted::Stopped)?;
            ((count, None), "plain backtracking")
        } else if self.question.board.is_plain() {
            let counted = self.count_untabled::<CellField<PaddedBoard>>(piece, stop);
            (counted, "the walk on the padded board, without a table")
        } else {
            let counted = self.count_untabled::<CellField<MoveLists>>(piece, stop);
            (counted, "the walk on lists of moves, without a table")
        };
        let count = Tally::from(count) * u128::from(self.prefixes.weight(unit));
        Ok(Recount { count, by, rest })
    }
}
