//! The counts of boards of one width, one after the other.

use super::place::{CheckpointPlace, with_word};
use super::{Job, Plan};
use crate::board::{Board, BoardError};
use crate::engine::Engine;
use crate::question::Question;
use std::sync::Arc;
use std::time::Duration;

impl Job {
    /// The counts of boards with as many columns as that of the job and the given numbers of rows,
    /// to be made one after the other, because each begins with states of the one before. Each has
    /// a checkpoint of its own, which stays until it is removed. `place_of` names it, unless the
    /// job has one, from which the others get their names.
    ///
    /// # Errors
    /// [`BoardError`] if there is no board of one of these sizes.
    #[doc(hidden)]
    pub fn of_lengths(
        &self,
        rows: impl Iterator<Item = u32>,
        place_of: impl Fn(&Question) -> Option<CheckpointPlace>,
    ) -> Result<Vec<Self>, BoardError> {
        let relay = Arc::default();
        let of_rows = |rows: u32| {
            let board = Board::new(rows, self.question.board.cols())?;
            let word = format!("{rows}x{}", board.cols());
            let mut job = self.clone();
            job.question = Question::of_kind(board, self.question.is_closed(), [None, None]);
            job.keeping.is_finished_kept = true;
            job.spent_by_others = Some(Duration::ZERO);
            job.relay = Some(Arc::clone(&relay));
            match &mut job.keeping.place {
                Some(place) => place.path = with_word(&place.path, &word),
                none => *none = place_of(&job.question),
            }
            Ok(job)
        };
        rows.map(of_rows).collect()
    }
}

impl Plan {
    /// Prepares the count of one of several [lengths](Job::of_lengths): the counts before it have
    /// taken `spent`, and `next` is counted after it, with the states that both begin with.
    #[doc(hidden)]
    pub fn take_turn(&mut self, spent: Duration, next: Option<&Self>) {
        self.job.spent_by_others = Some(spent);
        let Some(relay) = &self.job.relay else { return };
        relay.leave_after(match (&self.engine, next.map(|next| &next.engine)) {
            (Engine::Frontier(own), Some(Engine::Frontier(next))) => own.rounds_in_common(next),
            _ => 0,
        });
    }
}
