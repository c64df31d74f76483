//! Moves across joined edges: the place where a move leaves the board, and where it enters it.
//!
//! Such a move is drawn as two lines, each from the middle of a square to an edge. All places are
//! in squares, to the right and down from the top left corner.

use crate::board::{Board, Square, Wrap};

/// A place of a drawing: to the right and down, in squares.
pub(super) type Point = (f64, f64);

/// The middle of a square.
pub(super) fn middle(board: &Board, square: Square) -> Point {
    let down = board.rows() - 1 - board.row(square);
    (f64::from(board.col(square)) + 0.5, f64::from(down) + 0.5)
}

/// The joined edges of a board, if it has any, and the steps of its piece.
pub(super) struct Joined<'a> {
    board: &'a Board,
    wrap: Wrap,
    steps: Vec<(i32, i32)>,
}

impl<'a> Joined<'a> {
    pub fn of(board: &'a Board) -> Self {
        let layout = board.layout().filter(|layout| layout.wrap != Wrap::None);
        let steps = layout.iter().flat_map(|layout| layout.piece.steps()).collect();
        Self { board, wrap: layout.map_or(Wrap::None, |layout| layout.wrap), steps }
    }

    /// The places where a move leaves the board and where it enters it again; `None` if it stays on
    /// it.
    pub fn gap(&self, from: Square, to: Square) -> Option<[Point; 2]> {
        if self.wrap == Wrap::None {
            return None;
        }
        let place = |square| (self.board.row(square), self.board.col(square));
        let (start, target) = (place(from), place(to));
        let sides = (self.board.rows(), self.board.cols());
        let leads = |wrap: Wrap| {
            let mut steps = self.steps.iter().copied();
            steps.find(|&step| wrap.lead(sides, start, step) == Some(target))
        };
        if leads(Wrap::None).is_some() {
            return None;
        }
        let (up, right) = leads(self.wrap)?;
        // The way back, as the target sees it.
        let is_turned = self.wrap.is_turned(sides.1, i64::from(start.1) + i64::from(right));
        let back = (if is_turned { up } else { -up }, -right);
        Some([exit(self.board, from, (up, right)), exit(self.board, to, back)])
    }

    /// All moves that cross an edge, each with its [`gap`](Self::gap).
    pub fn gaps(&self) -> impl Iterator<Item = (Square, Square, [Point; 2])> {
        let moves = self
            .board
            .all_squares()
            .flat_map(|from| self.board.moves(from).map(move |to| (from, to)));
        moves.filter_map(|(from, to)| Some((from, to, self.gap(from, to)?)))
    }
}

/// The place where a step from the middle of a square first meets an edge.
fn exit(board: &Board, from: Square, (up, right): (i32, i32)) -> Point {
    let ((x, y), right, down) = (middle(board, from), f64::from(right), f64::from(-up));
    let share = |at: f64, by: f64, side: u32| match by {
        0.0 => f64::INFINITY,
        ..0.0 => at / -by,
        _ => (f64::from(side) - at) / by,
    };
    let share = share(x, right, board.cols()).min(share(y, down, board.rows()));
    (x + share * right, y + share * down)
}

/// The places of the rectangle that are not squares, as (row, column).
pub(super) fn holes(board: &Board) -> impl Iterator<Item = (u32, u32)> {
    board.layout().into_iter().flat_map(|layout| layout.without)
}
