//! One tour by all means: by the methods of [`Find`], and where they give up, as the first of all
//! tours, if these are counted soon.

use super::number::first_tour;
use crate::board::Square;
use crate::find::{Find, FindEffort, FindOutcome, GaveUp, Route, Strategy};
use crate::question::Question;
use crate::run::Control;
use std::sync::Arc;
use std::time::{Duration, Instant};

impl Find {
    /// True if [`Find::look_on`] takes a tour with any start: an open tour, if no start is chosen.
    pub fn is_free(&self, chosen: Option<Square>) -> bool {
        !self.closed && chosen.is_none()
    }

    /// The question whose tours [`Find::look_on`] looks for.
    pub fn looked_for(&self, chosen: Option<Square>) -> Question {
        if self.is_free(chosen) { Question::open(self.board.clone()) } else { self.question() }
    }

    /// Looks for the tour as [`Find::watched`] does, and looks on where there is none. Unless a
    /// start was chosen, it takes a tour from the first square if there is one, and then one with
    /// any start. Where [`Strategy::Auto`] cannot decide, it takes the first of all tours by
    /// number. `chosen` is the start that was asked for, if one was: the search itself always has
    /// one.
    ///
    /// `max_time` and the control are for that count, which does not call `stop`.
    pub fn look_on(
        &self,
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
            let route = first.map(|tour| self.route(tour.squares().to_vec(), question.from()));
            route.map_or_else(FindOutcome::None, FindOutcome::Found)
        };
        let (mut outcome, mut effort) = self.watched(stop);
        let is_free = self.is_free(chosen);
        // The vertices of a graph have no first one to begin at.
        let is_from_any = is_free && self.board.is_graph() && self.strategy == Strategy::Auto;
        if !is_from_any {
            outcome = or_first(outcome, self.question());
        }
        let is_undecided = is_from_any && matches!(outcome, FindOutcome::GaveUp(_));
        if is_undecided || is_free && matches!(outcome, FindOutcome::None(_)) {
            (outcome, effort) = self.anywhere(effort, stop);
            outcome = or_first(outcome, Question::open(self.board.clone()));
        }
        (outcome, effort)
    }

    /// The route along the squares of a tour, from the start that was asked for. A tour with a
    /// number has no direction, and a closed one no start.
    fn route(&self, mut squares: Vec<Square>, from: Option<Square>) -> Route {
        let start = squares.iter().position(|&square| square == self.from).unwrap_or(0);
        if self.closed {
            squares.rotate_left(start);
        } else if from.is_some() && start > 0 {
            squares.reverse();
        }
        Route::of(&self.board, &squares)
    }
}
