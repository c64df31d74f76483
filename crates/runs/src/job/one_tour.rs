//! One tour by all means: by the methods of [`Find`], and where they give up, as the first of all
//! tours, if these are counted soon.

use super::number::first_tour;
use crate::board::{Board, Square};
use crate::find::{Find, FindEffort, FindOutcome, GaveUp, Strategy, led_to};
use crate::question::Question;
use crate::run::Control;
use crate::solve::{Clue, Puzzle, PuzzleError, any_tour};
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

/// Looks for an open tour with some ends by a walk from another tour, on a board that is too large
/// for a search. `None` if none is met; the board may be a smaller one.
pub(super) fn walk_between(
    board: &Board,
    ends: [Option<Square>; 2],
    seed: u64,
    stop: &dyn Fn() -> bool,
) -> Option<Vec<Square>> {
    const LEAST_SQUARES: usize = 257;
    let [start, end] = ends;
    let from = start.or(end).filter(|_| board.squares() >= LEAST_SQUARES)?;
    let find = Find::open(board, from);
    let FindOutcome::Found(route) = find.watched(&|_| stop()).0 else { return None };
    let mut led = led_to(board, route.squares().collect(), start.and(end), seed, stop)?;
    if start.is_none() {
        led.reverse();
    }
    Some(led)
}

/// The reason why no tour was found although there may be one.
#[derive(Debug, thiserror::Error)]
pub enum NotFound {
    /// The board is too large for a search between two squares.
    #[error(transparent)]
    Puzzle(#[from] PuzzleError),
    /// A limit of the search came first.
    #[error("none of the {0} found by {1}: {2}")]
    GaveUp(Question, Strategy, GaveUp),
    /// The search between two squares was stopped.
    #[error("no tour was found in time")]
    Stopped,
}

/// Looks for a tour as [`look_on`] does, with the ends that were asked for: from the first to the
/// second, as the solution of the puzzle of its ends, or backwards from the second alone.
///
/// # Errors
/// [`NotFound`] where it is not known that there is none.
pub fn look_between(
    find: &Find,
    [start, end]: [Option<Square>; 2],
    control: &Arc<Control>,
) -> Result<Option<Vec<Square>>, NotFound> {
    let (board, stop) = (&find.board, || control.is_stopped());
    if let Some((start, end)) = start.zip(end) {
        if start == end && board.squares() > 1 {
            return Ok(None);
        }
        if let Some(met) = walk_between(board, [Some(start), Some(end)], 0, &stop) {
            return Ok(Some(met));
        }
        let clue = |(step, square)| Clue { step, square };
        let clues = [(1, start), (board.squares(), end)].into_iter().filter(|_| start != end);
        let found = any_tour(&Puzzle::new(board.clone(), false, clues.map(clue))?, 0, &stop);
        return if found.is_none() && stop() { Err(NotFound::Stopped) } else { Ok(found) };
    }
    let chosen = start.or(end);
    let find = Find { from: chosen.unwrap_or(find.from), ..find.clone() };
    match look_on(&find, chosen, None, control, &|_| stop()).0 {
        FindOutcome::Found(route) => {
            let mut squares: Vec<Square> = route.squares().collect();
            if end.is_some() {
                squares.reverse();
            }
            Ok(Some(squares))
        }
        FindOutcome::None(_) => Ok(None),
        FindOutcome::GaveUp(limit) => {
            Err(NotFound::GaveUp(find.looked_for(chosen), find.strategy, limit))
        }
    }
}
