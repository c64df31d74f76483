//! The representations of the board that the walk can search.

use super::reduction::Reduction;
use crate::board::{Board, Indices, SquareSet};
use crate::search::{SEARCHED_WHOLE, Tree};
use std::fmt::Debug;

/// The largest number of moves from a square that three bit planes can count.
const MOST_MOVES: usize = 8;

/// The representations of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Representation {
    /// Bitboards of one word.
    OneWord,
    /// Bitboards of two words.
    TwoWords,
    /// The padded linear board, for full knight's boards.
    Padded,
    /// Lists of moves, for all others.
    Lists,
}

impl Representation {
    /// The fastest representation that holds a board.
    pub fn of(board: &Board) -> Self {
        match board.squares() {
            0..=64 if board.most_moves() <= MOST_MOVES => Self::OneWord,
            65..=128 if board.most_moves() <= MOST_MOVES => Self::TwoWords,
            _ if board.is_plain() => Self::Padded,
            _ => Self::Lists,
        }
    }
}

/// True if a probe searches everything from a position with this many free squares. `sum` adds up
/// the numbers of free neighbours less one of these squares.
///
/// Squares of a knight's board have sums within these bounds. A search of 24 squares of a king's
/// board would take minutes, and one of ten vertices of a complete graph seconds.
pub(super) fn is_searched_whole(squares: usize, sum: impl FnOnce() -> usize) -> bool {
    squares <= SEARCHED_WHOLE && sum() <= (4 * squares + 10).min(92)
}

/// The part of the board that is still to be walked.
///
/// A node of its tree is a position: the head of the path and the free squares. The first choice is
/// the start, each further one the next square. Representations whose positions are plain values
/// have nothing to undo. The step that makes a dead end or finishes a tour detects it.
pub(super) trait Field:
    Tree<Node: Copy, Choices: Choices, Key: Send> + Debug + Send
{
    fn new(reduction: &Reduction) -> Self;

    /// The last square of a tour that goes to `to` next, when only one more square is free.
    fn last(&self, at: &Self::Node, to: usize) -> Option<usize>;
}

/// The squares to try next from a position, ascending.
pub(super) trait Choices: Iterator<Item = usize> + Debug + Send {
    /// True if there is more than one.
    fn are_several(&self) -> bool;

    /// True if this square is one of them.
    fn have(&self, square: usize) -> bool;
}

impl<S: SquareSet> Choices for Indices<S> {
    #[inline(always)]
    fn are_several(&self) -> bool {
        !self.rest().at_most_one()
    }

    #[inline(always)]
    fn have(&self, square: usize) -> bool {
        !(self.rest() & S::single(square)).is_empty()
    }
}

impl Choices for std::vec::IntoIter<usize> {
    fn are_several(&self) -> bool {
        self.len() > 1
    }

    fn have(&self, square: usize) -> bool {
        self.as_slice().contains(&square)
    }
}
