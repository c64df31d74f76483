//! The access that a forecast needs: smaller boards, and groups of slices that can be sampled.
//!
//! A forecast processes random slices and extrapolates. It advances them as a count does, but it
//! must know which slices of a round lead to the same slices of the next round. These *groups*
//! agree on the squares that both rounds leave alone, so no two groups lead to the same state.

use super::forecast::Forecast;
use super::{Frontier, known};
use crate::board::Board;
use crate::question::Question;
use crate::states::pattern::Pattern;

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

    /// True if left-out edges are chosen after a sweep.
    pub(crate) fn has_left_out(&self, sweep: usize) -> bool {
        self.all_sweeps().get(sweep).is_some_and(|sweep| !sweep.left_out.stages.is_empty())
    }

    /// Returns the number of rounds of a sweep; 0 if there is no such sweep.
    pub(crate) fn rounds_of(&self, sweep: usize) -> usize {
        self.all_sweeps().get(sweep).map_or(0, |sweep| sweep.rounds.len())
    }

    /// Returns both bits of the slots that slice a round and that the next round leaves alone too.
    pub(crate) fn left_alone(&self, (sweep, number): (usize, usize)) -> u64 {
        let sweep = self.all_sweeps().get(sweep);
        sweep.map_or(0, |sweep| sweep.round(number).key & sweep.key_after(number))
    }

    /// Returns the group of a slice of a round.
    pub fn group(&self, at: (usize, usize), slice: u64) -> u64 {
        self.partitioning(self.left_alone(at)).slice_of(Pattern(slice)).0
    }
}
