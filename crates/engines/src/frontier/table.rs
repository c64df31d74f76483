//! The counts of boards of all lengths, from a single sweep along a strip.
//!
//! One run per length would repeat most of the work. While one sweep goes along a strip, cycles
//! close now and then. If the vertices on a cycle, the apex aside, are exactly the first ones of
//! the strip, it is a tour of the board that they form. (A closing cycle contains all finished
//! vertices and all frontier vertices of degree 2, so its pattern tells.) A state that cannot be
//! completed on a long board may still complete a short one. So the strip is longer than the
//! longest board requested: every square that an edge from this board can reach has all its
//! neighbours.

use super::halves::rounds;
use super::stage::Step;
use super::sweep::{Course, Sweep};
use super::{FrontierError, LONGEST_SHORT_SIDE};
use crate::board::Board;
use crate::graph::Graph;
use crate::question::Question;
use crate::rounds::Built;
use crate::tally::Tally;

/// A count of all boards with the rows of a question's board and up to as many columns. Each board
/// is a unit.
pub(super) struct Strip {
    /// The number of squares by which each board is larger than the one before.
    step: usize,
    /// The sweep along the strip. It is `None` for strips on which there are no tours.
    pub sweep: Option<Sweep>,
    pub is_mirrored: bool,
}

impl Strip {
    /// Returns the strip of a question with free ends. The boards are the first 1, 2, 3 ... squares
    /// if `every_square` is true, and otherwise whole columns.
    pub fn new(question: &Question, every_square: bool) -> Result<Self, FrontierError> {
        let board = &question.board;
        let longer = Board::new(board.rows(), board.cols() + 4);
        let Some(longer) = longer.ok().filter(|_| board.rows() <= LONGEST_SHORT_SIDE) else {
            return Err(FrontierError::TooWide(board.clone()));
        };
        let graph = Graph::endless(&longer, question.is_closed(), every_square);
        let step = if every_square { 1 } else { graph.width };
        let course = Course {
            graph: &graph,
            rounds: &rounds(&graph, (0..board.squares()).map(Step::Finish)),
            is_chosen: &|_, _| true,
            late: 0,
            boundary: &[],
            cycles_at: Some(step),
        };
        let sweep = Sweep::new(course, None);
        Ok(Self { step, sweep, is_mirrored: graph.mirror.is_some() })
    }

    /// Returns the number of boards.
    pub fn units(&self, question: &Question) -> usize {
        question.board.squares() / self.step
    }

    /// Returns the number of directed tours of a board.
    pub fn tours(&self, question: &Question, unit: usize, built: &Built) -> Tally {
        let squares = (unit + 1) * self.step;
        let of_board = built.met.iter().filter(|(name, _)| *name as usize == squares);
        match squares {
            1 => Tally::from(u32::from(!question.is_closed())),
            _ => of_board.map(|(_, cycles)| cycles.clone()).sum::<Tally>() * 2,
        }
    }
}
