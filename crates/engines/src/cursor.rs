//! The state of a depth-first search as a plain value.
//!
//! A search has to be saved at any moment and shared among threads at any moment. Storing its stack
//! would tie the saved state to one version and representation. Instead, every node of the tree is
//! named by the path of choices that leads to it, and a search takes the choices at a node in
//! ascending order. So the path to the next node, the *cursor*, tells which nodes are done: all
//! before it.
//!
//! A [`UnitPiece`] is a cursor of which the first `floor` choices stay fixed. It stands for all
//! nodes below these choices that are at or after the cursor. Splitting a piece raises its floor
//! and makes the later siblings pieces of their own. No work in progress is lost by a split,
//! however shallow it is, and one heavy unit can occupy every thread.

use serde::{Deserialize, Serialize};

/// The part of a unit that remains to be searched.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct UnitPiece {
    path: Vec<u16>,
    floor: u16,
}

impl UnitPiece {
    /// The piece of all nodes below a prefix: a whole unit. An engine without a search tree has an
    /// empty path.
    pub fn whole(prefix: &[u16]) -> Self {
        Self { path: prefix.to_vec(), floor: prefix.len() as u16 }
    }

    /// The remainder of this piece when the next node to visit is at the end of `path`.
    pub(crate) fn moved_to(&self, path: Vec<u16>) -> Self {
        Self { path, floor: self.floor }
    }

    pub(crate) fn path(&self) -> &[u16] {
        &self.path
    }

    /// True if the piece is part of the unit with this prefix.
    pub(crate) fn lies_below(&self, prefix: &[u16]) -> bool {
        let floor = usize::from(self.floor);
        (prefix.len()..=self.path.len()).contains(&floor) && self.path.starts_with(prefix)
    }

    /// Splits the piece at the first level that has later siblings. Together the pieces stand for
    /// the same nodes.
    ///
    /// `choices` are the choices before each step of the path and after its last step.
    pub(crate) fn split(self, choices: &[Vec<u16>]) -> Vec<Self> {
        for (floor, here) in choices.iter().enumerate().skip(self.floor.into()) {
            let cursor = self.path.get(floor).copied();
            let later = here.iter().filter(|&&to| cursor.is_none_or(|cursor| to > cursor));
            let mut pieces: Vec<Self> =
                later.map(|&to| Self::whole(&[&self.path[..floor], &[to]].concat())).collect();
            if !pieces.is_empty() {
                if cursor.is_some() {
                    pieces.push(Self { floor: floor as u16 + 1, ..self });
                }
                return pieces;
            }
        }
        vec![self]
    }
}

/// The part of a piece's path below a node, while the search goes down to the cursor.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor<'a> {
    path: &'a [u16],
    fixed: usize,
}

impl<'a> Cursor<'a> {
    pub fn of(piece: &'a UnitPiece) -> Self {
        Self { path: &piece.path, fixed: usize::from(piece.floor) }
    }

    pub fn is_reached(&self) -> bool {
        self.path.is_empty()
    }

    /// The choices of a node that belong to the piece.
    pub fn still_open(self, choices: impl Iterator<Item = usize>) -> impl Iterator<Item = usize> {
        choices.filter(move |&to| match self.path.first() {
            None => true,
            Some(&next) if self.fixed > 0 => to == usize::from(next),
            Some(&next) => to >= usize::from(next),
        })
    }

    /// The cursor below a choice, or `None` if the choice is not on the path to the cursor.
    pub fn below(self, to: usize) -> Option<Self> {
        let (&next, path) = self.path.split_first()?;
        let fixed = self.fixed.saturating_sub(1);
        (usize::from(next) == to).then_some(Self { path, fixed })
    }
}
