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
//! - [`search`] walks the tree below a prefix on a [`field`], which is made of bitboards of one or
//!   two words ([`bits`]) or a padded linear board ([`padded`]). Dead ends and forced moves are
//!   detected locally.
//! - [`memo`] is the transposition table.
//!
//! In addition, [`probe`] estimates the size of the tree below a prefix, [`in_order`] lists tours
//! one by one, and [`first_met`] finds the first tour of each class.
//!
//! The invariant: the tree is walked in ascending order of squares, and pruning only ever drops
//! subtrees without a tour. So a *cursor*, the path to the next node, says exactly what has been
//! searched, whatever the version, the width of the bitboards or the transposition table.

mod bits;
mod field;
mod first_met;
mod in_order;
mod memo;
mod padded;
mod probe;
mod reduction;
mod search;
mod split;
#[cfg(test)]
pub(crate) mod tests;

pub use in_order::{
    Effort, FirstTour, Listing, Next, NotListed, Tours, first_tour, next_tour, visit,
};
pub use memo::MemoSize;
pub use split::SplitError;

use crate::board::{Board, Square};
use crate::cursor::Piece;
use crate::plain;
use crate::question::Question;
use crate::rounds::StatesUnavailable;
use crate::tally::Tally;
use crate::work::{Advance, Identity, Name, Pause, Probe, Recount, Split, Work, Worker};
use bits::BitField;
use field::Field;
use padded::PaddedField;
use reduction::Reduction;
use search::Search;
use split::Prefixes;

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
pub enum WalkError {
    /// The board has more than [`LARGEST_BOARD`] squares.
    #[error(
        "{board} has {squares} squares, too many to count tours on: \
         the most is {LARGEST_BOARD} (such as 32x32)"
    )]
    TooLarge {
        /// The board.
        board: Board,
        /// The number of its squares.
        squares: usize,
    },
    /// The transposition table cannot be allocated.
    #[error("there is no memory for a transposition table of {bytes} bytes on each thread")]
    Memory {
        /// The number of bytes asked for, per worker.
        bytes: u64,
    },
    /// The split depth does not fit the board.
    #[error(transparent)]
    Split(#[from] SplitError),
}

/// The walk for one question, cut into units.
#[derive(Debug)]
pub struct Walk {
    question: Question,
    reduction: Reduction,
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
        let board = question.board;
        let squares = board.squares();
        if squares > LARGEST_BOARD {
            return Err(WalkError::TooLarge { board, squares });
        }
        if !options.memo.can_allocate() {
            let bytes = options.memo.bytes();
            return Err(WalkError::Memory { bytes });
        }
        let reduction = Reduction::of(&question);
        let prefixes = match options.split_depth {
            Some(depth) => Prefixes::at(&reduction, depth)?,
            None => Prefixes::by_board(&reduction)?,
        };
        Ok(Self { question, reduction, prefixes, memo: options.memo.on(squares) })
    }

    /// The question.
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// The split depth: the number of moves of every prefix.
    pub fn split_depth(&self) -> u32 {
        self.prefixes.depth()
    }

    fn walker<'a, F: Field + 'a>(&'a self) -> Box<dyn Worker + 'a> {
        let search = Search::<F>::new(&self.reduction, self.memo);
        Box::new(WalkWorker { prefixes: &self.prefixes, search })
    }

    fn count_plainly(&self, path: &[u16], stop: &dyn Fn() -> bool) -> Option<u128> {
        let walked = path.iter().map(|&index| Square::from_index(usize::from(index)));
        let prefix: Vec<Square> = self.reduction.removed.into_iter().chain(walked).collect();
        let closes = usize::from(self.reduction.removed.is_some());
        let mut count = 0;
        let complete = plain::visit_below(self.question.board, &prefix, stop, &mut |tour| {
            let (start, end) = (tour[closes], tour[tour.len() - 1]);
            count += u128::from(self.reduction.end_weight(start, end));
        });
        complete.then_some(count)
    }

    /// The prefix of a unit as indices of squares, and its weight: the size of the orbit of the
    /// prefix.
    ///
    /// A fixed square on which closed tours begin is not part of the prefix.
    pub fn unit(&self, unit: usize) -> (&[u16], u32) {
        (self.prefixes.path(unit), self.prefixes.weight(unit))
    }
}

/// Counts the closed tours of a board of up to 128 squares that use none of the moves `absent`, in
/// either direction. Each tour counts twice.
///
/// Returns `None` if `stop` returned true. No move from a corner may be absent. The count uses
/// neither a transposition table nor symmetry, so that it checks the edges engine independently.
pub(crate) fn count_closed_without(
    board: Board,
    absent: &[[Square; 2]],
    stop: &dyn Fn() -> bool,
) -> Option<u128> {
    let reduction = Reduction::without(board, absent);
    let (whole, pause) = (Piece::whole(&[]), until(stop));
    let (found, _, rest) = match board.squares() {
        0..=64 => Search::<BitField<u64>>::new(&reduction, MemoSize::Off).advance(&whole, &pause),
        _ => Search::<BitField<u128>>::new(&reduction, MemoSize::Off).advance(&whole, &pause),
    };
    rest.is_none().then_some(found)
}

/// A pause function that pauses as soon as `stop` returns true.
fn until(stop: &dyn Fn() -> bool) -> impl Fn() -> Pause {
    move || match stop() {
        true => Pause::Now,
        false => Pause::No,
    }
}

/// The search of one thread.
struct WalkWorker<'a, F: Field> {
    prefixes: &'a Prefixes,
    search: Search<F>,
}

impl Work for Walk {
    fn identity(&self) -> Identity {
        Identity {
            question: self.question,
            engine: Name::Walk,
            split: Split::Depth(self.split_depth()),
            units: self.prefixes.len() as u64,
        }
    }

    fn label(&self, unit: usize) -> String {
        let squares = self.reduction.removed.into_iter().map(|s| s.index());
        let path = self.prefixes.path(unit).iter().map(|&s| usize::from(s));
        let name = |index| self.question.board.name(Square::from_index(index));
        squares.chain(path).map(name).collect::<Vec<_>>().join(" ")
    }

    /// A worker on the narrowest representation that holds the board.
    fn worker(&self) -> Box<dyn Worker + '_> {
        match self.question.board.squares() {
            0..=64 => self.walker::<BitField<u64>>(),
            65..=128 => self.walker::<BitField<u128>>(),
            _ => self.walker::<PaddedField>(),
        }
    }

    fn is_tree(&self) -> bool {
        true
    }

    fn begin(&self, unit: usize) -> Piece {
        Piece::whole(self.prefixes.path(unit))
    }

    fn accepts(&self, unit: usize, piece: &Piece) -> bool {
        piece.lies_below(self.prefixes.path(unit)) && self.reduction.is_path(piece.path())
    }

    /// Recounts a unit by plain backtracking. If too many squares are free for that, recounts it by
    /// the walk on the padded board without a transposition table.
    fn recount(&self, unit: usize, stop: &dyn Fn() -> bool) -> Option<Recount> {
        let path = self.prefixes.path(unit);
        let (count, by) = match self.reduction.length - path.len() {
            0..=MOST_FREE_FOR_PLAIN => (self.count_plainly(path, stop)?, "plain backtracking"),
            _ => {
                let mut search = Search::<PaddedField>::new(&self.reduction, MemoSize::Off);
                let (found, _, rest) = search.advance(&Piece::whole(path), &until(stop));
                let found = rest.is_none().then_some(found)?;
                (found, "the walk on the padded board, without a table")
            }
        };
        let count = Tally::from(count) * u128::from(self.prefixes.weight(unit));
        Some(Recount { count, by })
    }
}

impl<F: Field> Worker for WalkWorker<'_, F> {
    fn advance(
        &mut self,
        unit: usize,
        piece: &Piece,
        pause: &dyn Fn() -> Pause,
    ) -> Result<Advance, StatesUnavailable> {
        let (found, nodes, rest) = self.search.advance(piece, pause);
        let found = Tally::from(found) * u128::from(self.prefixes.weight(unit));
        Ok(Advance { found, nodes, rest })
    }

    fn split(&mut self, piece: Piece) -> Vec<Piece> {
        self.search.split(piece)
    }

    fn probe(&mut self, unit: usize, seed: u64) -> Option<Probe> {
        let mut probe = probe::probe(&mut self.search, self.prefixes.path(unit), seed);
        probe.tours *= f64::from(self.prefixes.weight(unit));
        Some(probe)
    }

    #[cfg(test)]
    fn pause_often(&mut self, nodes: u64, free: usize) {
        (self.search.look_every, self.search.finish) = (nodes, free);
    }
}
