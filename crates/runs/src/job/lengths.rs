//! The counts of boards of one width, one after the other.

use super::{CheckpointPlace, Job, JobKind, Plan};
use crate::board::{Board, BoardError};
use crate::engine::{Engine, Wishes};
use crate::frontier::{self, Frontier};
use crate::question::Question;
use crate::rounds::{InCommon, Rounds};
use crate::run::Handover;
use std::sync::Arc;
use std::time::Duration;

impl Job {
    /// The counts of boards with as many columns as that of the job and the given numbers of rows,
    /// to be made one after the other, because each begins with states of those before. Each has
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
            let question = Question::of_kind(board, self.question.is_closed(), [None, None]);
            let mut all = Self { relay: Some(Arc::clone(&relay)), ..self.clone() };
            all.keeping.place = all.keeping.place.or_else(|| place_of(&question));
            let mut job = all.one_of_several(question, JobKind::OfTable);
            // The board after it needs the second sweep of this cut anyway.
            let is_free = job.wishes == Wishes::default() && matches!(job.saved(), Ok(None));
            if is_free && last > Some(rows) {
                job.wishes.split = frontier::cut_between(&job.question);
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
        let following: Vec<_> = following.iter().map(|next| next.frontier()).collect();
        let wanted = self.frontier().map_or_else(Vec::new, |own| handovers(own, &following));
        let left = relay.begin_turn(wanted);
        if let Engine::Frontier(own) = &mut self.engine {
            let rounds = own.rounds();
            let is_whole = |&(sweep, done): &(usize, usize)| rounds.get(sweep) == Some(&done);
            own.begin_with(left.into_iter().filter(is_whole).map(|(sweep, _)| sweep).collect());
        }
    }

    pub(super) fn frontier(&self) -> Option<&Frontier> {
        match &self.engine {
            Engine::Frontier(frontier) => Some(frontier),
            Engine::Walk(_) | Engine::Subsets(_) => None,
        }
    }
}

/// Returns the layers that a count leaves to the next, and to the one after it what the next does
/// not pass through because it begins with a later layer, or has none.
fn handovers(own: &Frontier, following: &[Option<&Frontier>]) -> Vec<Handover> {
    let left = |ahead, to: Option<&Frontier>| {
        let common = to.map_or_else(Vec::new, |to| own.rounds_in_common(to));
        let all = common.into_iter().enumerate().filter(|(_, common)| common.rounds > 0);
        all.map(|(to, common)| Handover { common, ahead, to }).collect::<Vec<_>>()
    };
    let [next, after] = [0, 1].map(|ahead| following.get(ahead).copied().flatten());
    let mut wanted = left(1, next);
    let of_next = next.zip(after).map(|(next, after)| next.rounds_in_common(after));
    let passes = |to: usize| {
        let Some(&InCommon { sweep, rounds, .. }) = of_next.as_ref().and_then(|of| of.get(to))
        else {
            return false;
        };
        let begins = wanted.iter().find(|handover| handover.to == sweep);
        rounds >= begins.map_or(0, |handover| handover.common.rounds)
    };
    let later: Vec<_> = left(2, after).into_iter().filter(|later| !passes(later.to)).collect();
    wanted.extend(later);
    wanted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_leaves_what_the_next_two_begin_with_if_nobody_between_passes_through_it() {
        let frontier = |rows| {
            let question = Question::closed(Board::new(rows, 8).expect("in range"));
            let cut = frontier::cut_between(&question);
            Frontier::new(question, cut).expect("can be cut")
        };
        let of: Vec<Frontier> = (8..=11).map(frontier).collect();
        let left = |own: usize| {
            let following: Vec<_> = of[own + 1..].iter().map(Some).collect();
            let left = handovers(&of[own], &following).into_iter();
            left.map(|of| ((of.common.sweep, of.common.rounds), of.ahead, of.to))
                .collect::<Vec<_>>()
        };
        let [eight, nine] = [0, 1].map(|own: usize| of[own].rounds());
        assert_eq!(left(0), [((0, eight[0]), 1, 0), ((0, eight[0] - 1), 1, 1)]);
        // 10x8 begins with its result, so it does not pass through what 11x8 begins with.
        assert_eq!(left(1), [((1, nine[1]), 1, 0), ((1, nine[1] - 1), 2, 1)]);
        // Between two boards, one that is walked passes nothing on.
        let left = handovers(&of[0], &[None, Some(&of[2])]);
        assert!(matches!(left[..], [Handover { ahead: 2, to: 0, .. }]), "{left:?}");
    }
}
