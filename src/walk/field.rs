//! The interface between the depth-first search and the representations of the board.

use super::reduction::Reduction;
use crate::board::{Indices, SquareSet};
use std::fmt::Debug;

/// The part of the board that is still to be walked, with the counters of tours and nodes.
///
/// A position consists of the head of the path and the free squares. [`Field::step`] leads from one
/// position to the next and [`Field::undo`] back. Representations whose positions are plain values
/// have nothing to undo. The step that makes a dead end or finishes a tour detects it.
pub(super) trait Field: Debug + Send {
    /// A node of the search tree. It is small and passed by value.
    type Position: Copy;
    /// The squares to try next, ascending.
    type Moves: Choices;
    /// The part of a position that decides, with head and start, the number of tours below it.
    type Key: Copy + Eq + Default + Debug + Send;

    /// The largest numbers of free squares at which [`Field::finish`] walks the whole subtree in a
    /// tight loop: with a transposition table, and without.
    const FINISH: [usize; 2];

    fn new(reduction: &Reduction) -> Self;

    /// The position after the first square, or `None` if no tour starts there.
    fn enter(&mut self, start: usize) -> Option<Self::Position>;

    /// The squares to which a tour can go from here, as far as local pruning can tell.
    fn moves(&self, at: &Self::Position) -> Self::Moves;

    /// The position after a move, which has to be undone.
    ///
    /// Returns `None`, with nothing to undo, if the move ends in a dead end or finishes a tour. A
    /// tour is added to the counters.
    fn step(&mut self, at: &Self::Position, to: usize) -> Option<Self::Position>;

    /// The last square of a tour that goes to `to` next, when only one more square is free.
    fn last(&self, at: &Self::Position, to: usize) -> Option<usize>;

    /// Undoes the step to a square.
    fn undo(&mut self, to: usize);

    /// Undoes the entry at the first square.
    fn leave(&mut self, start: usize);

    /// Walks everything below a position and adds the result to the counters.
    fn finish(&mut self, at: Self::Position);

    /// The key of a position for the transposition table, the hash of the key, and the head. `None`
    /// for representations without a key.
    fn key(at: &Self::Position) -> Option<(Self::Key, u64, u64)>;

    fn counters(&mut self) -> &mut Counters;
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

/// The results of a walk.
///
/// A node adds at most 2 tours and an entry of the transposition table at most 2^48, so neither
/// number can overflow within the lifetime of a machine.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counters {
    /// Directed tours, each counted with the weight of its end.
    pub tours: u128,
    /// Nodes of the search tree.
    pub nodes: u64,
}
