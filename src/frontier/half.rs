//! Half boards: two sweeps that meet at a cut, in the middle of a row if need be.
//!
//! The top half has all edges of the squares before the cut. The bottom half has all edges between squares
//! after it: a sweep from the other end of the board as far as the window of the cut, then every choice of
//! edges, and of tour ends, among the squares of that window. Every tour is one state of each, and the
//! product of their counts is the number of tours that look so from both sides.
//!
//! Both halves begin as the same sweep, for half a turn maps the board onto itself; fixed ends
//! break that. Mirror images are merged in the top half only: the bottom half then counts for both.

use super::join::Side;
use super::step::Stage;
use super::strip::{Ends, Strip};
use crate::question::Question;

/// The stages of both halves.
#[derive(Debug)]
pub(crate) struct Halves {
    /// The stages that both halves begin with.
    pub shared: Vec<Stage>,
    pub top: Vec<Stage>,
    pub bottom: Vec<Stage>,
    pub top_side: Side,
    pub bottom_side: Side,
}

impl Halves {
    /// The halves when the squares before `cut` are the top one; `None` when the board is too short for it.
    pub fn new(question: &Question, cut: usize) -> Option<Self> {
        let strip = Strip::of(question);
        let squares = question.board.squares();
        let window = shared_squares(&strip, cut);
        let swept = squares.checked_sub(cut + window).filter(|_| window > 0)?;
        let is_whole = question.is_whole();
        let shared = if is_whole { swept.min(cut - 1) } else { 0 };
        let close = |strip: &Strip, from: usize, to: usize, merge: bool| -> Vec<Stage> {
            (from..to)
                .map(|place| Stage::close(strip, place, merge))
                .collect()
        };
        let turned = strip.turned();
        let mut bottom = close(&turned, shared, swept, false);
        let optional = |at| {
            let here = squares - 1 - (swept + at);
            let most_missing = (0..cut)
                .filter(|&top| strip.are_neighbours(top, here))
                .take(2)
                .count();
            Stage::leave(&turned, (swept, window), at, most_missing as u32)
        };
        bottom.extend(Stage::merged((0..window).map(optional)));
        if bottom.is_empty() {
            // The last stage puts the states where the other half's are, so there has to be one.
            bottom.push(optional(0));
        }
        let ends = if matches!(strip.ends, Ends::Closed) {
            0
        } else {
            2
        };
        let side = |is_bottom| Side {
            window,
            is_bottom,
            ends,
        };
        Some(Self {
            shared: close(&strip, 0, shared, false),
            top: close(&strip, shared, cut, is_whole),
            bottom,
            top_side: side(false),
            bottom_side: side(true),
        })
    }
}

/// How many squares from the cut on the squares before it reach.
fn shared_squares(strip: &Strip, cut: usize) -> usize {
    let before = cut.saturating_sub(2 * strip.width + 1)..cut;
    let reached = before.flat_map(|place| strip.later(place).max());
    reached
        .max()
        .map_or(0, |last| (last + 1).saturating_sub(cut))
}

/// The cut that balances the halves, or nearly: the bottom one has as many states as a top one of about a row
/// more. On 7x8, closed, the top half then has 4.5 M states and the bottom one 3.1 M.
pub(crate) fn balanced_cut(question: &Question) -> usize {
    let board = question.board;
    let width = board.rows().min(board.cols()) as usize;
    (board.squares() - width) / 2 + 1
}
