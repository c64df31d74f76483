//! The counts of boards of one width, one after the other.

use super::place::{CheckpointPlace, with_word};
use super::{Job, Plan};
use crate::board::{Board, BoardError};
use crate::engine::{Engine, Name};
use crate::frontier::{self, Frontier};
use crate::question::Question;
use crate::rounds::Rounds;
use crate::run::Handover;
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
        let (relay, rows) = (Arc::default(), rows.collect::<Vec<_>>());
        let last = rows.last().copied();
        let of_rows = |rows: u32| {
            let board = Board::new(rows, self.question.board.cols())?;
            let word = format!("{rows}x{}", board.cols());
            let mut job = self.clone();
            job.question = Question::of_kind(board, self.question.is_closed(), [None, None]);
            // The board after it needs the second sweep of this cut anyway.
            let cut = frontier::cut_between(&job.question).filter(|_| last > Some(rows));
            if job.wishes.engine.is_none()
                && let Some(cut) = cut
            {
                job.wishes.engine = Some(Name::Frontier);
                job.wishes.split = Some(cut);
            }
            job.keeping.is_finished_kept = true;
            job.spent_by_others = Some(Duration::ZERO);
            job.relay = Some(Arc::clone(&relay));
            match &mut job.keeping.place {
                Some(place) => place.path = with_word(&place.path, &word),
                none => *none = place_of(&job.question),
            }
            Ok(job)
        };
        rows.into_iter().map(of_rows).collect()
    }
}

impl Plan {
    /// Prepares the count of one of several [lengths](Job::of_lengths): the counts before it have
    /// taken `spent`. Those after it, in their order, begin with some of its states.
    #[doc(hidden)]
    pub fn take_turn(&mut self, spent: Duration, following: &[&Self]) {
        self.job.spent_by_others = Some(spent);
        let Some(relay) = &self.job.relay else { return };
        let following: Vec<_> = following.iter().map_while(|next| next.frontier()).collect();
        let wanted = self.frontier().map_or_else(Vec::new, |own| handovers(own, &following));
        let left = relay.begin_turn(wanted);
        if let Engine::Frontier(own) = &mut self.engine {
            let rounds = own.rounds();
            let is_whole = |&(sweep, done): &(usize, usize)| rounds.get(sweep) == Some(&done);
            own.begin_with(left.into_iter().filter(is_whole).map(|(sweep, _)| sweep).collect());
        }
    }

    fn frontier(&self) -> Option<&Frontier> {
        match &self.engine {
            Engine::Frontier(frontier) => Some(frontier),
            Engine::Walk(_) | Engine::Subsets(_) => None,
        }
    }
}

/// Returns the layers that a count leaves to the next, and to the one after it what the next does
/// not pass through because it begins with a later layer.
fn handovers(own: &Frontier, following: &[&Frontier]) -> Vec<Handover> {
    let left = |ahead, to: &Frontier| {
        let common = own.rounds_in_common(to).into_iter().enumerate();
        let common = common.filter(|&(_, (_, rounds))| rounds > 0);
        common.map(move |(to, from)| Handover { from, ahead, to }).collect::<Vec<_>>()
    };
    let [next, others @ ..] = following else { return Vec::new() };
    let mut wanted = left(1, next);
    if let Some(after) = others.first() {
        let of_next = next.rounds_in_common(after);
        let passes = |&(sweep, rounds): &(usize, usize)| {
            let begins = wanted.iter().find(|handover| handover.to == sweep);
            rounds >= begins.map_or(0, |handover| handover.from.1)
        };
        let left = left(2, after).into_iter();
        let left: Vec<_> = left.filter(|handover| !passes(&of_next[handover.to])).collect();
        wanted.extend(left);
    }
    wanted
}
