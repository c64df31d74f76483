//! The counts of boards of all lengths, met on the way of one sweep.
//!
//! While a sweep goes along a strip, a cycle closes now and then. If the vertices that are closed and those with both edges
//! are just the first so many squares, it is a tour of the board that they make. A state that can come to nothing on a long
//! board may still close on a short one, so the strip is longer than the longest board that is asked for: by as much
//! as is needed for every square that an edge from this board can reach to have all its neighbours.

use super::half::Half;
use super::halves::rounds;
use super::{FrontierError, LONGEST_SHORT_SIDE};
use crate::board::Board;
use crate::graph::Graph;
use crate::question::Question;
use crate::rounds::Built;
use crate::tally::Tally;
use crate::work::{Name, Split};

/// The tours of all boards with as many rows as a question's and up to as many columns. A unit is a board.
pub(crate) struct Strip {
    /// The boards are those of the first 1, 2, 3 ... squares, or of whole columns.
    every_square: bool,
    step: usize,
    /// None for strips on which there are no tours.
    pub half: Option<Half>,
    pub is_mirrored: bool,
}

impl Strip {
    /// That of a question with free ends, if it is cut so.
    pub fn of(question: &Question, split: Option<Split>) -> Result<Option<Self>, FrontierError> {
        let Some(Split::Lengths { every_square }) = split else {
            return Ok(None);
        };
        let board = question.board;
        let longer = Board::new(board.rows(), board.cols() + 4);
        let Some(longer) = longer.ok().filter(|_| board.rows() <= LONGEST_SHORT_SIDE) else {
            return Err(FrontierError::TooWide(board));
        };
        let graph = Graph::endless(longer, question.is_closed(), every_square);
        let vertices: Vec<usize> = (0..board.squares()).collect();
        let step = if every_square { 1 } else { graph.width };
        let (rounds, kept) = (rounds(&graph, &vertices), vec![None; graph.colours.len()]);
        let half = Half::new(&graph, &rounds, &kept, &[], Some(step));
        Ok(Some(Self { every_square, step, half, is_mirrored: graph.mirror.is_some() }))
    }

    pub fn engine(&self) -> Name {
        if self.every_square { Name::PartialTable } else { Name::Table }
    }

    pub fn split(&self) -> Split {
        Split::Lengths { every_square: self.every_square }
    }

    /// The number of boards.
    pub fn units(&self, question: &Question) -> usize {
        question.board.squares() / self.step
    }

    /// The directed tours of a board.
    pub fn tours(&self, question: &Question, unit: usize, built: &Built) -> Tally {
        let squares = (unit + 1) * self.step;
        let of_board = built.met.iter().filter(|(name, _)| *name as usize == squares);
        match squares {
            1 => Tally::from(u32::from(!question.is_closed())),
            _ => of_board.map(|(_, cycles)| cycles.clone()).sum::<Tally>() * 2,
        }
    }
}
