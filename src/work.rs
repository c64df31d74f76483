//! The seam between engines and long runs: work that advances in pieces and can be saved between them.
//!
//! A run never asks which engine it drives. It sees *units*, which are fixed by the question and the
//! split and are what a fingerprint, a shard or an audit speaks of, and *pieces*, which are what is
//! still to be done of a unit: plain values that can be advanced, written to disk and taken up again by
//! another process. What only an engine that searches a tree can do, to divide a piece among idle threads
//! and to guess how much is left, is in a trait of its own, [`SearchTree`]; the units of an engine without
//! one are atomic: a piece is the whole of its unit until that is done.
//!
//! The law every engine keeps: a unit's count is the sum of what [`Work::advance`] gains on the
//! pieces that come from [`Work::begin`], however often they are paused, saved or split on the way.
//! An engine that first has to build what its units need says how in [`Work::sweeps`]; what it then counts is
//! still a sum over units.

use crate::question::Question;
use crate::rounds::{Lost, Rounds};
use crate::tally::Tally;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::fmt;

/// An engine set to one question, ready to be advanced by many workers at once.
pub trait Work: Sync {
    /// What is still to be done of a unit.
    type Piece: Clone + Send + Sync + Serialize + DeserializeOwned;
    /// What one thread needs to work: its board, its table of positions.
    type Worker: Send;

    /// What is asked, by which engine, cut how: what a saved run must agree with to go on.
    fn identity(&self) -> Identity;

    /// The number of units.
    fn units(&self) -> usize;

    /// A unit as people read it, the same in every run of the question with this split.
    fn label(&self, unit: usize) -> String;

    /// A fresh worker.
    fn worker(&self) -> Self::Worker;

    /// A guess at the unit's cost, in whatever measure the units are compared by. In a search tree the
    /// mean number of nodes of a few probes, rough for one unit and good for the sum over hundreds;
    /// otherwise all units are taken to cost the same.
    fn cost(&self, worker: &mut Self::Worker, unit: usize) -> f64 {
        const PROBES: u64 = 2;
        let Some(tree) = self.tree() else { return 1.0 };
        let probes = (0..PROBES).map(|seed| tree.probe(worker, unit, seed).nodes);
        probes.sum::<f64>() / PROBES as f64
    }

    /// Bytes of memory that a unit takes while it is worked on, beside what its worker keeps.
    fn memory(&self, _unit: usize) -> u64 {
        0
    }

    /// Leaves out of what precedes the units whatever these do not need: the others cannot be counted any more.
    fn narrow(&mut self, _units: &[usize]) {}

    /// The whole of a unit, as one piece.
    fn begin(&self, unit: usize) -> Self::Piece;

    /// Whether a piece read from outside is one that this work could have made of `unit`.
    fn accepts(&self, unit: usize, piece: &Self::Piece) -> bool;

    /// Works on a piece of a unit until it is done or `pause` says so; `pause` is asked every few
    /// milliseconds.
    ///
    /// # Errors
    /// [`Lost`] when what the sweeps have left cannot be had back.
    fn advance(
        &self,
        worker: &mut Self::Worker,
        unit: usize,
        piece: &Self::Piece,
        pause: &dyn Fn() -> Pause,
    ) -> Result<Advance<Self::Piece>, Lost>;

    /// A unit's count by a simpler engine than this one; `None` when `stop` said so.
    fn recount(&self, unit: usize, stop: &dyn Fn() -> bool) -> Option<Recount>;

    /// The tree that this engine searches; `None` when its units are atomic.
    fn tree(&self) -> Option<Tree<'_, Self>> {
        None
    }

    /// What has to be built before the units can be worked on; `None` when there is nothing.
    fn sweeps(&self) -> Option<Sweeps<'_, Self>> {
        None
    }
}

/// What only an engine that searches a tree can do with its pieces and units.
pub trait SearchTree {
    /// The piece of [`Work`].
    type Piece;
    /// The worker of [`Work`].
    type Worker;

    /// The same work in several pieces, where it can be divided; otherwise the piece alone.
    fn split(&self, worker: &mut Self::Worker, piece: Self::Piece) -> Vec<Self::Piece>;

    /// A random probe of a unit; the same for the same seed.
    fn probe(&self, worker: &mut Self::Worker, unit: usize, seed: u64) -> Probe;
}

/// The search tree of a work.
pub type Tree<'a, W> = &'a dyn SearchTree<Piece = <W as Work>::Piece, Worker = <W as Work>::Worker>;

/// What precedes the units of a work.
pub type Sweeps<'a, W> = &'a dyn Rounds<Worker = <W as Work>::Worker>;

/// The pieces of a work.
pub type Piece<W> = <W as Work>::Piece;

/// Whether a worker is to come back before its piece is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pause {
    /// There is no need to.
    No,
    /// A look-up is due, or another thread wants a part of the piece: an engine that can pause anywhere
    /// does, one with atomic units works on.
    Soon,
    /// The run stops: every engine returns within a fraction of a second. One with atomic units gives up
    /// what it has done of this one, with nothing found and the same piece as what is left.
    Now,
}

/// What one random way down a unit's search tree says of all of it: each number is right on
/// average, and far off nearly always. Infinite is what is past the largest number, 10^308.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Probe {
    /// Nodes of the tree.
    pub nodes: f64,
    /// Directed tours, weighted as the unit's count is.
    pub tours: f64,
}

/// So many times a product, which may be past what a number holds; no times is nothing even then.
pub(crate) fn times(product: f64, number: f64) -> f64 {
    if number == 0.0 { 0.0 } else { product * number }
}

/// Which run this is. Two runs with equal identities have the same units in the same order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// What is asked.
    pub question: Question,
    /// The name of the engine, as on the command line.
    pub engine: String,
    /// How it is cut into units.
    pub split: Split,
    /// The number of units.
    pub units: u64,
}

/// How the work is cut into units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Split {
    /// A search tree, at this depth.
    Depth(u32),
    /// Two sweeps that meet, as `30:4:6` on the command line. A unit is what both make together where some squares have
    /// the same degrees.
    Cut {
        /// The squares before the cut, in the order of the sweep; the other sweep takes the rest.
        cut: u32,
        /// How many of these squares are taken in the last round, the one that makes the units.
        steps: u32,
        /// The most squares whose degrees make a unit. They are chosen from those that the last round leaves alone.
        sliced: u32,
    },
    /// One sweep over boards of many lengths, each a unit: those of whole columns, or of every number of squares.
    Lengths {
        /// Whether there is one for every number of squares.
        every_square: bool,
    },
}

impl Identity {
    /// The words on the command line that choose the engine and the split, or the command that has them of its own.
    pub fn typed(&self) -> String {
        match self.split {
            Split::Lengths { every_square: false } => "kt-enum table".to_owned(),
            Split::Lengths { every_square: true } => "kt-enum table --partial".to_owned(),
            split => format!("--engine {} {split}", self.engine),
        }
    }

    /// The same with the question: what a shard of the run is asked with.
    pub fn typed_whole(&self) -> String {
        let (board, [tours, from, to]) = (self.question.board, self.question.words());
        let ends = [("--from", from), ("--to", to)];
        let ends = ends.into_iter().filter(|(_, square)| square != "all");
        let ends: String = ends.map(|(end, square)| format!(" {end} {square}")).collect();
        format!("--size {board} --tours {tours}{ends} {}", self.typed())
    }
}

impl Split {
    /// The depth at which a search tree is cut; 0 for a sweep, which has none.
    pub fn depth(self) -> u32 {
        match self {
            Self::Depth(depth) => depth,
            Self::Cut { .. } | Self::Lengths { .. } => 0,
        }
    }

    /// How a sweep is cut, as `30:4:6`.
    pub fn cut(self) -> Option<String> {
        match self {
            Self::Depth(_) | Self::Lengths { .. } => None,
            Self::Cut { cut, steps, sliced } => Some(format!("{cut}:{steps}:{sliced}")),
        }
    }

    /// Reads how a sweep is cut, as [`Split::cut`] writes it.
    pub fn parse_cut(text: &str) -> Option<Self> {
        let numbers: Result<Vec<u32>, _> = text.split(':').map(str::parse).collect();
        match numbers.ok()?[..] {
            [cut, steps, sliced] => Some(Self::Cut { cut, steps, sliced }),
            _ => None,
        }
    }
}

/// As it is typed on the command line.
impl fmt::Display for Split {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.cut() {
            None => write!(out, "--split-depth {}", self.depth()),
            Some(cut) => write!(out, "--cut {cut}"),
        }
    }
}

/// A unit counted again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recount {
    /// The unit's count.
    pub count: Tally,
    /// What it was counted by, in words: `plain backtracking`.
    pub by: &'static str,
}

/// What came of working on a piece.
#[derive(Debug, Clone)]
pub struct Advance<P> {
    /// Tours found, weighted: directed tours of the whole question.
    pub found: Tally,
    /// Nodes of the search tree visited.
    pub nodes: u64,
    /// What is left, when the piece was paused.
    pub rest: Option<P>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_are_read_as_they_are_written() {
        let (cut, steps, sliced) = (30, 4, 6);
        let split = Split::Cut { cut, steps, sliced };
        assert_eq!(split.to_string(), "--cut 30:4:6");
        assert_eq!(split.cut().as_deref().and_then(Split::parse_cut), Some(split));
        assert_eq!(Split::Depth(4).to_string(), "--split-depth 4");
        assert_eq!(Split::Depth(4).cut(), None);
        for wrong in ["", "30", "30:4", "30:4:6:1", "30:4:x", "30:-4:6"] {
            assert_eq!(Split::parse_cut(wrong), None, "{wrong}");
        }
    }
}
