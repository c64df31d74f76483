//! Forecasts without a sample of the board itself: by known sizes, and by smaller boards.

use super::forecast::Forecast;
use super::{Frontier, known};
use crate::board::Board;
use crate::question::Question;

impl Frontier {
    /// Returns the sizes of the count, if they are known without a sample. A shard computes no more
    /// before its units than the whole.
    pub fn known_sizes(&self) -> Option<Forecast> {
        let whole = known::sizes(&self.question, self.split, &self.handed_over)?;
        let restricted = self.restricted_to.as_ref();
        Some(restricted.map_or(whole, |&(_, share)| whole.of_shard(share)))
    }

    /// Returns the length of the short side of the board.
    pub fn columns(&self) -> u32 {
        let board = &self.question.board;
        board.rows().min(board.cols())
    }

    /// True if only some of the units can be counted.
    pub fn is_restricted(&self) -> bool {
        self.restricted_to.is_some()
    }

    /// Returns the same kind of count, open or closed, on a board whose short side has `columns`
    /// columns less, with all of its units and without fixed ends; `None` if fewer than four
    /// columns are left.
    pub fn narrower(&self, columns: u32) -> Option<Self> {
        let board = &self.question.board;
        let left = self.columns().checked_sub(columns);
        let left = left.filter(|&left| left >= 4 && board.is_plain())?;
        let board = Board::new(left, board.rows().max(board.cols())).ok()?;
        let question = Question::of_kind(board, self.question.is_closed(), [None, None]);
        Self::new(question, None).ok()
    }
}
