//! Where a depth-first search stands: what is done of its tree and what is not, as a plain value.
//!
//! Every node of the tree is known by the path of choices that leads to it, and a search takes the
//! choices at a node in ascending order. A [`Piece`] is a cursor, the path to the next node to
//! visit, of which the first `floor` choices stay fixed. It stands for everything at or after the
//! cursor below those. Splitting raises the floor and hands the later siblings out as pieces of their
//! own. So work in flight is never given up, however shallow the split is, and one heavy unit can
//! feed every thread.

use serde::{Deserialize, Serialize};

/// What is still to be done of a unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    path: Vec<u16>,
    floor: u16,
}

impl Piece {
    /// Everything below a prefix: all of a unit. The path of an engine without a search tree is empty.
    pub fn whole(prefix: &[u16]) -> Self {
        Self { path: prefix.to_vec(), floor: prefix.len() as u16 }
    }

    /// What is left of the piece when the next node to visit is at the end of this path.
    pub(crate) fn moved_to(&self, path: Vec<u16>) -> Self {
        let floor = self.floor;
        Self { path, floor }
    }

    pub(crate) fn path(&self) -> &[u16] {
        &self.path
    }

    /// Whether the piece is part of the unit with this prefix.
    pub(crate) fn lies_below(&self, prefix: &[u16]) -> bool {
        let floor = usize::from(self.floor);
        (prefix.len()..=self.path.len()).contains(&floor) && self.path.starts_with(prefix)
    }

    /// The same work in more pieces: the floor rises to the first level with later siblings.
    /// `choices` are those before each step of the path and after its last.
    pub(crate) fn split(self, choices: &[Vec<u16>]) -> Vec<Self> {
        let mut floor = usize::from(self.floor);
        while let Some(here) = choices.get(floor) {
            let cursor = self.path.get(floor).copied();
            let later = here.iter().filter(|&&to| cursor.is_none_or(|cursor| to > cursor));
            let mut pieces: Vec<Self> =
                later.map(|&to| Self::whole(&[&self.path[..floor], &[to]].concat())).collect();
            if cursor.is_none() {
                return if pieces.is_empty() { vec![self] } else { pieces };
            }
            floor += 1;
            if !pieces.is_empty() {
                let path = self.path;
                pieces.push(Self { path, floor: floor as u16 });
                return pieces;
            }
        }
        vec![self]
    }
}

/// The part of a piece's path that lies below a node, while the search goes down to it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor<'a> {
    path: &'a [u16],
    fixed: usize,
}

impl<'a> Cursor<'a> {
    pub fn of(piece: &'a Piece) -> Self {
        Self { path: &piece.path, fixed: usize::from(piece.floor) }
    }

    pub fn is_reached(&self) -> bool {
        self.path.is_empty()
    }

    /// Of a node's choices those that belong to the piece.
    pub fn still_open(self, choices: impl Iterator<Item = usize>) -> impl Iterator<Item = usize> {
        choices.filter(move |&to| match self.path.first() {
            None => true,
            Some(&next) if self.fixed > 0 => to == usize::from(next),
            Some(&next) => to >= usize::from(next),
        })
    }

    /// The cursor below a choice, when the choice lies on the way to it.
    pub fn below(self, to: usize) -> Option<Self> {
        let (&next, path) = self.path.split_first()?;
        let fixed = self.fixed.saturating_sub(1);
        (usize::from(next) == to).then_some(Self { path, fixed })
    }
}
