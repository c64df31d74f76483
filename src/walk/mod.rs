//! The exhaustive walk: a depth-first search that visits every class of tours.
//!
//! A question is first reduced to directed Hamiltonian paths ([`reduction`]): symmetry leaves one
//! start an orbit, reversal leaves one direction, and a closed tour becomes a path between two
//! neighbours of a fixed square. [`split`] cuts the search tree at a chosen depth into prefixes, one
//! an orbit, each weighted by the orbit's size. [`search`] walks what is left below a prefix, on a
//! [`field`]: bitboards of one or two words ([`bits`]) or the padded linear board ([`padded`]).
//! [`memo`] remembers the counts of positions met before, and [`probe`] guesses what lies below a prefix.
//! [`in_order`] lists tours, and [`first_met`] knows the first of each class.
//!
//! The invariant through all of it: the tree is walked in ascending order of squares, and pruning
//! only ever drops subtrees without a tour. So a *cursor*, the path to the next node, says exactly
//! what is done and what is not, whatever the version, the width or the table did on the way.

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

pub use in_order::{Effort, FirstTour, Listing, Next, NotListed, Tours, first_tour, visit};
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

/// How to walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Units of work are the prefixes of this many moves; `None` chooses by the board.
    pub split_depth: Option<u32>,
    /// The table of positions that each worker keeps.
    pub memo: MemoSize,
}

/// The most squares of a board that the walk takes on.
///
/// Past this a count is out of anyone's reach, but for boards without tours.
pub const LARGEST_BOARD: usize = 1_024;

/// With this many free squares plain backtracking takes seconds for a unit, with more minutes.
const MOST_FREE_FOR_PLAIN: usize = 30;

/// Why a question cannot be walked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WalkError {
    /// The board is past [`LARGEST_BOARD`].
    #[error(
        "a {board} board has {squares} squares, too many to count tours on: \
         the most is {LARGEST_BOARD} (such as 32x32)"
    )]
    TooLarge {
        /// The board.
        board: Board,
        /// Its number of squares.
        squares: usize,
    },
    /// The machine has no room for the table.
    #[error("no memory for --memo {bytes} on each thread: ask for less, or for the default of 1M")]
    Memory {
        /// Bytes asked for, for each worker.
        bytes: u64,
    },
    /// The split depth does not fit the board.
    #[error(transparent)]
    Split(#[from] SplitError),
}

/// The walk, set to one question and cut into units.
#[derive(Debug)]
pub struct Walk {
    question: Question,
    reduction: Reduction,
    prefixes: Prefixes,
    memo: MemoSize,
}

impl Walk {
    /// Sets the walk to a question.
    ///
    /// # Errors
    /// [`WalkError`] when the board is too large or the split depth does not fit it.
    pub fn new(question: Question, options: &Options) -> Result<Self, WalkError> {
        let board = question.board;
        let squares = board.squares();
        if squares > LARGEST_BOARD {
            return Err(WalkError::TooLarge { board, squares });
        }
        if !options.memo.is_to_be_had() {
            let bytes = options.memo.bytes();
            return Err(WalkError::Memory { bytes });
        }
        let reduction = Reduction::of(&question);
        let prefixes = match options.split_depth {
            Some(depth) => Prefixes::at(&reduction, depth)?,
            None => Prefixes::by_board(&reduction)?,
        };
        Ok(Self { question, reduction, prefixes, memo: options.memo })
    }

    /// The question.
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// The depth at which the tree was cut: the number of moves of every prefix.
    pub fn split_depth(&self) -> u32 {
        self.prefixes.depth()
    }

    fn walker<'a, F: Field + 'a>(&'a self) -> Box<dyn Worker + 'a> {
        let search = Search::<F>::new(&self.reduction, self.memo);
        Box::new(Walker { prefixes: &self.prefixes, search })
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

    /// A unit's prefix and the number of prefixes it stands for, itself included.
    pub fn unit(&self, unit: usize) -> (&[u16], u32) {
        (self.prefixes.path(unit), self.prefixes.weight(unit))
    }
}

/// The closed tours of a board of up to 128 squares that use none of the moves `absent`, in either
/// direction, each counted twice; `None` when `stop` said so. No move from a corner may be absent.
///
/// Without table and symmetry, so that engines that choose edges can be checked by it.
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

/// Pauses at once when told to stop.
fn until(stop: &dyn Fn() -> bool) -> impl Fn() -> Pause {
    move || match stop() {
        true => Pause::Now,
        false => Pause::No,
    }
}

/// A thread's search of a walk.
struct Walker<'a, F: Field> {
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

    fn units(&self) -> usize {
        self.prefixes.len()
    }

    fn label(&self, unit: usize) -> String {
        let squares = self.reduction.removed.into_iter().map(|s| s.index());
        let path = self.prefixes.path(unit).iter().map(|&s| usize::from(s));
        let name = |index| self.question.board.name(Square::from_index(index));
        squares.chain(path).map(name).collect::<Vec<_>>().join(" ")
    }

    /// In the narrowest representation that holds the board.
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

    /// By plain backtracking; where too much is free for that, by the walk on the padded board,
    /// without a table.
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

impl<F: Field> Worker for Walker<'_, F> {
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
