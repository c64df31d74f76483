//! One tour by all means: by the methods of [`Find`], and where they give up, as the first of all
//! tours, if these are counted soon.

use super::number::first_tour;
use crate::board::Square;
use crate::find::{Find, FindEffort, FindOutcome, GaveUp, Strategy};
use crate::question::Question;
use crate::run::Control;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Looks for the tour as [`Find::watched`] does, and looks on where there is none. Unless a
/// start was chosen, it takes a tour from the first square if there is one, and then one with
/// any start. Where [`Strategy::Auto`] cannot decide, it takes the first of all tours by
/// number. `chosen` is the start that was asked for, if one was: the search itself always has
/// one.
///
/// `max_time` and the control are for that count, which does not call `stop`.
pub fn look_on(
    find: &Find,
    chosen: Option<Square>,
    max_time: Option<Duration>,
    control: &Arc<Control>,
    stop: &dyn Fn(&FindEffort) -> bool,
) -> (FindOutcome, FindEffort) {
    let began = Instant::now();
    let or_first = |outcome: FindOutcome, question: Question| {
        // Another strategy and the construction on a whole rectangle never end undecided.
        if outcome != FindOutcome::GaveUp(GaveUp::Undecided) {
            return outcome;
        }
        let left = max_time.map(|most| most.saturating_sub(began.elapsed()));
        let Some(first) = first_tour(&question, left, control) else { return outcome };
        let route = first.map(|tour| find.route(tour.squares().to_vec(), question.from()));
        route.map_or_else(FindOutcome::None, FindOutcome::Found)
    };
    let (mut outcome, mut effort) = find.watched(stop);
    let is_free = find.is_free(chosen);
    // The vertices of a graph have no first one to begin at.
    let is_from_any = is_free && find.board.is_graph() && find.strategy == Strategy::Auto;
    if !is_from_any {
        outcome = or_first(outcome, find.question());
    }
    let is_undecided = is_from_any && matches!(outcome, FindOutcome::GaveUp(_));
    if is_undecided || is_free && matches!(outcome, FindOutcome::None(_)) {
        (outcome, effort) = find.anywhere(effort, stop);
        outcome = or_first(outcome, Question::open(find.board.clone()));
    }
    (outcome, effort)
}
