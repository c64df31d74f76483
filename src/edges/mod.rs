//! The edges engine: counts closed tours by choosing edges anywhere on the board.
//!
//! A walk extends one path from one end, so it sees many dead ends only at the end of a long path.
//! This engine chooses and removes edges wherever that forces most ([`graph`]). A square with two
//! usable edges needs both, a square with two chosen edges loses the others, and no edge may close
//! a fragment that is not the whole tour. If nothing is forced, the search branches at a square
//! with the fewest choices. So most dead ends are detected where they arise.
//!
//! The first decisions are made at an orbit of squares, one per orbit of decisions ([`openings`]),
//! and the search of the [`tree`] continues from there. It visits every cycle, up to symmetry. The
//! sources are Rubin (1974), Kocay (1992), Chalaturnyk (2008) and Knuth (The Art of Computer
//! Programming, pre-fascicle 8A, 2025).
//!
//! A unit is a node at the split depth, or a tour above it. Depth 0 is the whole search, depth 1
//! the openings, and each level below is one branching. The order of branches is part of the
//! checkpoint format, because a cursor names the branches taken and not the edges that they forced.

mod graph;
mod openings;
#[cfg(test)]
mod tests;
mod tree;

use crate::board::{Board, Square, SquareSet, Symmetry};
use crate::cursor::UnitPiece;
use crate::question::Question;
use crate::search::{MemoSize, Prefixes, TooManyUnits, TreeWorker, at_depth};
use crate::tally::Tally;
use crate::walk;
use crate::work::{Identity, Name, NotRecounted, Recount, Split, Stop, Work, Worker};
use tree::{Decision, EdgeTree};

/// The largest number of squares of a board for this engine.
pub const LARGEST_BOARD: usize = 128;

/// The largest number of moves from a square: three bit planes count those beyond two.
pub const MOST_MOVES: usize = 9;

/// The number of units at which the default depth is deep enough. It does not depend on the number
/// of threads.
const ENOUGH_UNITS: usize = 200;

/// A question cannot be counted by this engine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EdgesError {
    /// The question is about open tours.
    #[error("the engine `edges` counts closed tours only")]
    Open,
    /// The board has more than [`LARGEST_BOARD`] squares.
    #[error("the engine `edges` takes boards of up to {LARGEST_BOARD} squares, and {0} has more")]
    TooLarge(Board),
    /// A square of the board has more than [`MOST_MOVES`] moves.
    #[error(
        "the engine `edges` takes boards of up to {MOST_MOVES} moves from a square: {0} has more"
    )]
    TooManyMoves(Board),
    /// The depth is not less than the number of squares.
    #[error("split depth {depth} is deeper than a tour of this board is long: at most {most}")]
    TooDeep {
        /// The depth requested.
        depth: u32,
        /// The largest depth.
        most: u32,
    },
    /// The depth makes more units than a run may have.
    #[error(transparent)]
    TooMany(#[from] TooManyUnits),
}

/// True if the engine can answer a question.
pub fn fits(question: &Question) -> bool {
    question.is_closed()
        && question.board.squares() <= LARGEST_BOARD
        && question.board.most_moves() <= MOST_MOVES
}

/// The search for cycles of one board, cut into units. The edges of a square are a set `S` of up to
/// `N` squares.
#[derive(Debug)]
struct Edges<S, const N: usize> {
    question: Question,
    depth: u32,
    prefixes: Prefixes,
    tree: EdgeTree<S, N>,
    /// The names of all squares: labels name thousands.
    names: Vec<String>,
}

/// Prepares the search for a question. If `split_depth` is `None`, it depends on the board alone.
///
/// # Errors
/// [`EdgesError`] if the engine cannot answer the question or the depth does not fit.
pub fn prepare(
    question: Question,
    split_depth: Option<u32>,
) -> Result<Box<dyn Work + Send>, EdgesError> {
    let board = question.board.clone();
    if !question.is_closed() {
        return Err(EdgesError::Open);
    }
    if board.most_moves() > MOST_MOVES {
        return Err(EdgesError::TooManyMoves(board));
    }
    let group = Symmetry::of(&board);
    match board.squares() {
        0..=64 => Ok(Box::new(Edges::<u64, 64>::under(question, split_depth, group)?)),
        65..=LARGEST_BOARD => {
            Ok(Box::new(Edges::<u128, 128>::under(question, split_depth, group)?))
        }
        _ => Err(EdgesError::TooLarge(board)),
    }
}

impl<S: SquareSet, const N: usize> Edges<S, N> {
    /// The search under some symmetries of the board, which have to be a group.
    fn under(
        question: Question,
        split_depth: Option<u32>,
        group: &[Symmetry],
    ) -> Result<Self, EdgesError> {
        let board = &question.board;
        let tree = EdgeTree::new(board, group);
        let prefixes = |depth| tree.search().prefixes(depth);
        let most = board.squares() as u32 - 1;
        let (depth, prefixes) = match split_depth {
            Some(depth) if depth > most => return Err(EdgesError::TooDeep { depth, most }),
            Some(depth) => (depth, at_depth(depth, prefixes)?),
            None => prefixes_by_board(prefixes),
        };
        let names = board.all_squares().map(|square| board.name(square)).collect();
        Ok(Self { question, depth, prefixes, tree, names })
    }
}

fn prefixes_by_board(at_depth: impl Fn(u32) -> Option<Prefixes>) -> (u32, Prefixes) {
    let (mut depth, mut chosen) = (0, at_depth(0).unwrap_or_default());
    while chosen.len() < ENOUGH_UNITS
        && let Some(deeper) = at_depth(depth + 1)
        && deeper.len() > 0
        && deeper != chosen
    {
        (depth, chosen) = (depth + 1, deeper);
    }
    (depth, chosen)
}

impl<S: SquareSet, const N: usize> Work for Edges<S, N> {
    fn identity(&self) -> Identity {
        Identity {
            question: self.question.clone(),
            engine: Name::Edges,
            split: Split::Depth(self.depth),
            units: self.prefixes.len() as u64,
        }
    }

    /// The decisions of a unit.
    ///
    /// `a3-b1-d2` stands for both edges of b1, `e4-f6` for one edge of e4, and `e4/f6` for an edge
    /// that is left out.
    fn label(&self, unit: usize) -> String {
        let mut label = String::new();
        for Decision { at, with, without } in self.tree.decisions(self.prefixes.path(unit)) {
            let (before, after, mark) = match with.len() {
                0 => (&with[..], &without[..], '/'),
                edges => (&with[..edges - 1], &with[edges - 1..], '-'),
            };
            label += if label.is_empty() { "" } else { " " };
            let squares = before.iter().chain([&at]).chain(after);
            for (place, square) in squares.enumerate() {
                if place > 0 {
                    label.push(mark);
                }
                label += &self.names[square.index()];
            }
        }
        if label.is_empty() { "all".to_owned() } else { label }
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(TreeWorker::new(&self.prefixes, self.tree.clone(), MemoSize::Off))
    }

    fn is_tree(&self) -> bool {
        true
    }

    fn divisor(&self, unit: usize) -> u64 {
        2 * self.tree.weight(self.prefixes.path(unit))
    }

    fn begin(&self, unit: usize) -> UnitPiece {
        UnitPiece::whole(self.prefixes.path(unit))
    }

    fn accepts(&self, unit: usize, piece: &UnitPiece) -> bool {
        piece.lies_below(self.prefixes.path(unit)) && self.tree.has_path(piece.path())
    }

    /// Recounts a unit by the walk, on the board without the edges that the decisions of the unit
    /// leave out.
    fn recount(&self, unit: usize, _memory: u64, stop: Stop) -> Result<Recount, NotRecounted> {
        let prefix = self.prefixes.path(unit);
        let decisions = self.tree.decisions(prefix).into_iter();
        let absent: Vec<[Square; 2]> = decisions
            .flat_map(|Decision { at, without, .. }| without.into_iter().map(move |to| [at, to]))
            .collect();
        let count = walk::count_closed_without(&self.question.board, &absent, stop)
            .ok_or(NotRecounted::Stopped)?;
        Ok(Recount {
            count: Tally::from(count) * u128::from(self.tree.weight(prefix)),
            by: "the walk, without a table",
        })
    }
}
