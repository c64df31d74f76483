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
    /// True if [`Find::look_on`] takes a tour with any start: an open tour of a graph, whose
    /// vertices have no first one to begin at, if no start is chosen.
    pub fn is_free(&self, chosen: Option<Square>) -> bool {
        let is_open = !self.closed && chosen.is_none() && self.board.is_graph();
        is_open && self.strategy == Strategy::Auto
    }

    /// The question whose tours [`Find::look_on`] looks for.
    pub fn looked_for(&self, chosen: Option<Square>) -> Question {
        if self.is_free(chosen) { Question::open(self.board.clone()) } else { self.question() }
    }

    /// Looks for the tour as [`Find::watched`] does. Where [`Strategy::Auto`] finds none, it looks
    /// on: in a graph for a tour with any start, unless one was chosen, and for the first of all
    /// tours by number. `chosen` is the start that was asked for, if one was: the search itself
    /// always has one.
    ///
    /// `max_time` and the control are for that count, which does not call `stop`.
    pub fn look_on(
        &self,
        chosen: Option<Square>,
        max_time: Option<Duration>,
        control: &Arc<Control>,
        stop: &dyn Fn(&FindEffort) -> bool,
    ) -> (FindOutcome, FindEffort) {
        let (began, is_free) = (Instant::now(), self.is_free(chosen));
        let (mut outcome, mut effort) = self.watched(stop);
        if is_free && matches!(outcome, FindOutcome::None(_) | FindOutcome::GaveUp(_)) {
            let (anywhere, more) = self.anywhere(stop);
            outcome = anywhere;
            effort.add(&more);
        }
        // Another strategy and the construction on a whole rectangle never end undecided.
        if outcome == FindOutcome::GaveUp(GaveUp::Undecided) {
            let left = max_time.map(|most| most.saturating_sub(began.elapsed()));
            let question = self.looked_for(chosen);
            if let Some(first) = first_tour(&question, left, control) {
                let route = first.map(|tour| self.route(tour.squares().to_vec(), is_free));
                outcome = route.map_or_else(FindOutcome::None, FindOutcome::Found);
            }
        }
        (outcome, effort)
    }

    /// The route along the squares of a tour, from the start that was asked for. A tour with a
    /// number has no direction, and a closed one no start.
    fn route(&self, mut squares: Vec<Square>, is_free: bool) -> Route {
        let start = squares.iter().position(|&square| square == self.from).unwrap_or(0);
        if self.closed {
            squares.rotate_left(start);
        } else if !is_free && start > 0 {
            squares.reverse();
        }
        Route::of(&self.board, &squares)
    }
}
