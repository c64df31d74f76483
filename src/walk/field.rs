//! What the search needs of a board, in whichever representation it is walked.

use super::reduction::Reduction;
use crate::board::{Indices, SquareSet};
use std::fmt::Debug;

/// The part of the board still to be walked, with the tours found and the nodes visited so far.
///
/// A position is the head of the path and the free squares. [`Field::step`] leads from one to the
/// next and [`Field::undo`] back; representations whose positions are plain values have nothing to
/// undo. Dead ends and finished tours are seen by the step that makes them.
pub(super) trait Field: Debug + Send {
    /// A place in the search tree. Small, passed by value.
    type Position: Copy;
    /// The squares to try next, ascending.
    type Moves: Choices;
    /// What decides the number of tours below a position, for a fixed start.
    type Key: Copy + Eq + Default + Debug + Send;

    /// With this many free squares or fewer, [`Field::finish`] walks all that is below at once:
    /// when there is a table, and when there is none.
    const FINISH: [usize; 2];

    fn new(reduction: &Reduction) -> Self;

    /// The position after stepping on the first square; `None` when no tour starts there.
    fn enter(&mut self, start: usize) -> Option<Self::Position>;

    /// The squares that a tour can go to from here, as far as pruning can tell.
    fn moves(&self, at: &Self::Position) -> Self::Moves;

    /// The position after a move, to be undone; `None`, with nothing to undo, when the move ends
    /// the search there: in a dead end, or in a tour, which is added to the counters.
    fn step(&mut self, at: &Self::Position, to: usize) -> Option<Self::Position>;

    /// The square where a tour ends that goes from here to `to`, when just one square more is free.
    fn last(&self, at: &Self::Position, to: usize) -> Option<usize>;

    /// Takes back a step that led to a position.
    fn undo(&mut self, to: usize);

    /// Takes back the entry at the first square.
    fn leave(&mut self, start: usize);

    /// Walks everything below a position and adds what it finds to the counters.
    fn finish(&mut self, at: Self::Position);

    /// The key of a position in a table, its digest and the head, where the representation has one.
    fn key(at: &Self::Position) -> Option<(Self::Key, u64, u64)>;

    fn counters(&mut self) -> &mut Counters;
}

/// The squares to try next from a position, ascending.
pub(super) trait Choices: Iterator<Item = usize> + Debug + Send {
    /// Whether there is more than one.
    fn are_several(&self) -> bool;

    /// Whether this square is one of them.
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

/// What a walk has found. A node adds at most 2 tours, and a position taken from the table at most
/// 2^48, so neither number can pass its width in the lifetime of a machine.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counters {
    /// Directed tours, each counted with the weight of its end.
    pub tours: u128,
    /// Nodes of the search tree.
    pub nodes: u64,
}
