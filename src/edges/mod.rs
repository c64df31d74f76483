//! The edges engine: counts closed tours by choosing edges anywhere on the board.
//!
//! A walk extends one path from one end, so it sees many dead ends only at the end of a long path.
//! This engine chooses and removes edges wherever that forces most ([`graph`]). A square with two
//! usable edges needs both, a square with two chosen edges loses the others, and no edge may close
//! a fragment that is not the whole tour. If nothing is forced, the search branches at a square
//! with the fewest choices. So most dead ends are detected where they arise.
//!
//! The first decisions are made at an orbit of squares, one per orbit of decisions ([`openings`]),
//! and [`search`] continues from there. It visits every cycle, up to symmetry. The sources are
//! Rubin (1974), Kocay (1992), Chalaturnyk (2008) and Knuth (The Art of Computer Programming,
//! pre-fascicle 8A, 2025).
//!
//! A unit is a node at the split depth, or a tour above it. Depth 0 is the whole search, depth 1
//! the openings, and each level below is one branching. The order of branches is part of the
//! checkpoint format, because a cursor names the branches taken and not the edges that they forced.

mod graph;
mod openings;
mod search;
#[cfg(test)]
mod tests;

use crate::board::{Board, Square, SquareSet, Symmetry};
use crate::cursor::Piece;
use crate::question::Question;
use crate::rounds::StatesUnavailable;
use crate::tally::Tally;
use crate::walk;
use crate::work::{Advance, Identity, Name, Pause, Probe, Recount, Split, Work, Worker};
use openings::Openings;
use search::{Reader, Search};
use std::sync::Arc;

/// The largest number of squares of a board for this engine.
pub const LARGEST_BOARD: usize = 128;

/// The largest number of units of a run.
const MOST_UNITS: usize = 1_000_000;

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
    /// The depth is not less than the number of squares.
    #[error("split depth {depth} is deeper than a tour of this board is long: at most {most}")]
    TooDeep {
        /// The depth asked for.
        depth: u32,
        /// The largest depth.
        most: u32,
    },
    /// The depth makes more units than a run may have.
    #[error(
        "split depth {depth} makes more than {MOST_UNITS} units of work: {fits} is the deepest here"
    )]
    TooMany {
        /// The depth asked for.
        depth: u32,
        /// The largest depth that fits.
        fits: u32,
    },
}

/// True if the engine can answer a question.
pub fn fits(question: &Question) -> bool {
    question.is_closed() && question.board.squares() <= LARGEST_BOARD
}

/// The search for cycles of one board, cut into units.
#[derive(Debug)]
pub struct Edges {
    question: Question,
    openings: Arc<Openings>,
    depth: u32,
    prefixes: Vec<Vec<u16>>,
    /// A search that looks up paths.
    reader: Box<dyn Reader>,
    names: Vec<String>,
}

/// The search of one thread.
struct EdgesWorker<'a, S, const N: usize> {
    prefixes: &'a [Vec<u16>],
    search: Search<S, N>,
}

impl Edges {
    /// Prepares the search for a question. If `split_depth` is `None`, it depends on the board
    /// alone.
    ///
    /// # Errors
    /// [`EdgesError`] if the engine cannot answer the question or the depth does not fit.
    pub fn new(question: Question, split_depth: Option<u32>) -> Result<Self, EdgesError> {
        Self::under(question, split_depth, Symmetry::of(question.board))
    }

    /// The search under some symmetries of the board, which have to be a group.
    fn under(
        question: Question,
        split_depth: Option<u32>,
        group: &[Symmetry],
    ) -> Result<Self, EdgesError> {
        let board = question.board;
        if !question.is_closed() {
            return Err(EdgesError::Open);
        }
        let openings = Arc::new(match board.squares() {
            0..=64 => Openings::of::<u64, 64>(board, group),
            65..=LARGEST_BOARD => Openings::of::<u128, 128>(board, group),
            _ => return Err(EdgesError::TooLarge(board)),
        });
        let reader: Box<dyn Reader> = match board.squares() {
            0..=64 => Box::new(Search::<u64, 64>::new(board, Arc::clone(&openings))),
            _ => Box::new(Search::<u128, 128>::new(board, Arc::clone(&openings))),
        };
        let (depth, prefixes) = match split_depth {
            Some(depth) => (depth, prefixes_at(reader.as_ref(), board, depth)?),
            None => prefixes_by_board(reader.as_ref()),
        };
        Ok(Self {
            question,
            openings,
            depth,
            prefixes,
            reader,
            names: board.all_squares().map(|square| board.name(square)).collect(),
        })
    }

    fn searcher<S: SquareSet, const N: usize>(&self) -> Box<dyn Worker + '_> {
        let search = Search::<S, N>::new(self.question.board, Arc::clone(&self.openings));
        Box::new(EdgesWorker { prefixes: &self.prefixes, search })
    }
}

fn prefixes_at(reader: &dyn Reader, board: Board, depth: u32) -> Result<Vec<Vec<u16>>, EdgesError> {
    let most = board.squares() as u32 - 1;
    if depth > most {
        return Err(EdgesError::TooDeep { depth, most });
    }
    reader.prefixes(depth, MOST_UNITS).ok_or_else(|| {
        // Small depths first, because they have few nodes.
        let fitting = (0..depth).take_while(|&less| reader.prefixes(less, MOST_UNITS).is_some());
        let fits = fitting.last().unwrap_or(0);
        EdgesError::TooMany { depth, fits }
    })
}

fn prefixes_by_board(reader: &dyn Reader) -> (u32, Vec<Vec<u16>>) {
    let mut chosen = (0, vec![Vec::new()]);
    while chosen.1.len() < ENOUGH_UNITS {
        let depth = chosen.0 + 1;
        match reader.prefixes(depth, MOST_UNITS) {
            Some(prefixes) if prefixes != chosen.1 && !prefixes.is_empty() => {
                chosen = (depth, prefixes);
            }
            _ => break,
        }
    }
    chosen
}

impl Work for Edges {
    fn identity(&self) -> Identity {
        Identity {
            question: self.question,
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
        for decision in self.reader.decisions(&self.prefixes[unit]) {
            let at = self.names[decision.at].as_str();
            let name = |to: &u16| self.names[usize::from(*to)].as_str();
            let (words, mark) = match decision.with.as_slice() {
                [one, other] => (vec![name(one), at, name(other)], "-"),
                [to] => (vec![at, name(to)], "-"),
                _ => {
                    let others = decision.without.iter().map(name);
                    (std::iter::once(at).chain(others).collect(), "/")
                }
            };
            label += if label.is_empty() { "" } else { " " };
            label += &words.join(mark);
        }
        match label.is_empty() {
            true => "all".to_owned(),
            false => label,
        }
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        match self.question.board.squares() {
            0..=64 => self.searcher::<u64, 64>(),
            _ => self.searcher::<u128, 128>(),
        }
    }

    fn is_tree(&self) -> bool {
        true
    }

    fn begin(&self, unit: usize) -> Piece {
        Piece::whole(&self.prefixes[unit])
    }

    fn accepts(&self, unit: usize, piece: &Piece) -> bool {
        piece.lies_below(&self.prefixes[unit]) && self.reader.has_path(piece.path())
    }

    /// Recounts a unit by the walk, on the board without the edges that the decisions of the unit
    /// leave out.
    fn recount(&self, unit: usize, stop: &dyn Fn() -> bool) -> Option<Recount> {
        let board = self.question.board;
        let prefix = &self.prefixes[unit];
        let square = Square::from_index;
        let absent: Vec<[Square; 2]> = self
            .reader
            .decisions(prefix)
            .iter()
            .flat_map(|decision| {
                let without = decision.without.iter();
                without.map(|&to| [square(decision.at), square(usize::from(to))])
            })
            .collect();
        let weight =
            prefix.first().map_or(1, |&opening| self.openings.weights[usize::from(opening)]);
        let count = walk::count_closed_without(board, &absent, stop)?;
        Some(Recount {
            count: Tally::from(count) * u128::from(weight),
            by: "the walk, without a table",
        })
    }
}

impl<S: SquareSet, const N: usize> Worker for EdgesWorker<'_, S, N> {
    fn advance(
        &mut self,
        _unit: usize,
        piece: &Piece,
        pause: &dyn Fn() -> Pause,
    ) -> Result<Advance, StatesUnavailable> {
        let (found, nodes, rest) = self.search.advance(piece, pause);
        let found = found.into();
        Ok(Advance { found, nodes, rest })
    }

    fn split(&mut self, piece: Piece) -> Vec<Piece> {
        let choices = self.search.choices_along(piece.path());
        piece.split(&choices)
    }

    fn probe(&mut self, unit: usize, seed: u64) -> Option<Probe> {
        Some(self.search.probe(&self.prefixes[unit], seed))
    }

    #[cfg(test)]
    fn pause_often(&mut self, nodes: u64, _free: usize) {
        self.search.look_every = nodes;
    }
}
