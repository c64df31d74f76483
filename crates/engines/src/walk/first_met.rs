//! One tour of each class: the first that a list meets.
//!
//! Storing the classes met so far would take memory without limit. But a list has an order, so the
//! first tour of a class is the one that comes before all its mirror images. That can be told from
//! the tour alone, by any thread. Images that are not in the list, because an end is fixed, do not
//! count.
//!
//! A tour has 15 images besides itself on a square board, 7 on a rectangle. Most differ from it
//! within a few squares, so the comparison is cheap.

use crate::board::{Board, MoveOrder, Square, Symmetry};
use crate::question::Question;
use std::cmp::Ordering;

/// The image of each square of a board, by symmetry and by the index of the square.
pub(super) fn maps(board: &Board) -> Vec<Vec<Square>> {
    let map = |symmetry: &Symmetry| {
        let squares = board.all_squares();
        squares.map(|square| symmetry.apply(board, square)).collect()
    };
    Symmetry::of(board).iter().map(map).collect()
}

/// True if no mirror image of a tour comes before it in the list of a question, whose closed tours
/// begin on `closing`.
pub(super) fn is_first(
    question: &Question,
    closing: Square,
    order: &MoveOrder,
    maps: &[Vec<Square>],
    tour: &[Square],
) -> bool {
    let (squares, last) = (tour.len(), tour.len() - 1);
    maps.iter().all(|map| {
        // The image of a closed tour is read from the square on which closed tours of the list
        // begin.
        let starts = if question.is_closed() {
            let begins = |square: &Square| map[square.index()] == closing;
            let start = tour.iter().position(begins).unwrap_or(0);
            [(start, false), (start, true)]
        } else {
            [(0, false), (last, true)]
        };
        starts.into_iter().all(|(start, is_backwards)| {
            // The image read from that square on, forwards or backwards.
            let at = |step: usize| -> Square {
                let place = if is_backwards { start + squares - step } else { start + step };
                map[tour[place % squares].index()]
            };
            let is_listed = question.is_whole() || question.has_ends(at(0), at(last));
            !is_listed || compare(order, &question.board, at, tour) != Ordering::Less
        })
    })
}

/// Compares two tours by the order in which a search meets them. One is given by its square at each
/// step.
pub(super) fn compare(
    order: &MoveOrder,
    board: &Board,
    one: impl Fn(usize) -> Square,
    other: &[Square],
) -> Ordering {
    match (0..other.len()).find(|&step| one(step) != other[step]) {
        None => Ordering::Equal,
        Some(0) => one(0).cmp(&other[0]),
        Some(step) => {
            let rank = |to| rank(order, board, other[step - 1], to);
            rank(one(step)).cmp(&rank(other[step]))
        }
    }
}

/// The rank of a move among the moves from a square, or `None` if it is not one.
pub(super) fn rank(order: &MoveOrder, board: &Board, from: Square, to: Square) -> Option<usize> {
    order.targets(board, from).position(|target| target == to)
}
