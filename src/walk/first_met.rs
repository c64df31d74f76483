//! One tour of each class: the first that a list meets.
//!
//! A list has an order, so the first tour of a class is the one that comes before all its images: the
//! tour itself tells, nothing is remembered of those before, and any thread can look at any tour.
//! Images that are not in the list, because an end is fixed, do not count.
//!
//! Cost: most of the 15 images of a tour, 7 on a rectangle, differ from it within a few squares.

use crate::board::{Board, MoveOrder, Square, Symmetry};
use crate::question::Question;
use std::cmp::Ordering;

/// The images of the tours of a list under the symmetries of its board.
#[derive(Debug, Clone)]
pub(super) struct Images {
    question: Question,
    /// Where closed tours begin.
    closing: Square,
    order: MoveOrder,
    /// By symmetry and square, where it goes.
    maps: Vec<Vec<Square>>,
}

/// A tour read from one of its squares on, forwards or backwards, and mapped by a symmetry.
struct Image<'a> {
    tour: &'a [Square],
    map: &'a [Square],
    start: usize,
    is_backwards: bool,
}

impl Image<'_> {
    fn at(&self, step: usize) -> Square {
        let squares = self.tour.len();
        let place = match self.is_backwards {
            true => self.start + squares - step,
            false => self.start + step,
        };
        self.map[self.tour[place % squares].index()]
    }
}

impl Images {
    pub(super) fn of(question: Question, closing: Square, order: MoveOrder) -> Self {
        let board = question.board;
        let map = |symmetry: &Symmetry| {
            let squares = board.all_squares();
            squares.map(|s| symmetry.apply(board, s)).collect()
        };
        Self { question, closing, order, maps: Symmetry::of(board).iter().map(map).collect() }
    }

    /// Whether no image of a tour of the list comes before it.
    pub(super) fn is_first(&self, tour: &[Square]) -> bool {
        let last = tour.len() - 1;
        self.maps.iter().all(|map| {
            // Closed tours are read from the square where the list has them begin.
            let starts = match self.question.is_closed() {
                true => {
                    let begins = |square: &Square| map[square.index()] == self.closing;
                    let start = tour.iter().position(begins).unwrap_or(0);
                    [(start, false), (start, true)]
                }
                false => [(0, false), (last, true)],
            };
            starts.into_iter().all(|(start, is_backwards)| {
                let image = Image { tour, map, start, is_backwards };
                let at = |step| image.at(step);
                let (question, board) = (&self.question, self.question.board);
                let is_listed = question.is_whole() || question.has_ends(at(0), at(last));
                !is_listed || compare(&self.order, board, at, tour) != Ordering::Less
            })
        })
    }
}

/// Which of two tours is met first, of which one is known by its square at each step.
pub(super) fn compare(
    order: &MoveOrder,
    board: Board,
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

/// The place of a move among those that are tried.
pub(super) fn rank(order: &MoveOrder, board: Board, from: Square, to: Square) -> Option<usize> {
    order.targets(board, from).position(|target| target == to)
}
