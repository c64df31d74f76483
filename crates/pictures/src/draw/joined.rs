//! The places of squares in a drawing, and moves across joined edges: the place where a move leaves
//! the board, and where it enters it.
//!
//! Such a move is drawn as two lines, each from the middle of a square to an edge. All places are
//! in squares, to the right and down from the top left corner.
//!
//! Hexagons have their corners above and below and are a unit wide, so that rows are half the root
//! of 3 apart.

use crate::board::{Board, Square, Wrap, column_name};

/// A place of a drawing: to the right and down, in squares.
pub(super) type Point = (f64, f64);

/// The middle of a square.
pub(super) fn middle(board: &Board, square: Square) -> Point {
    middle_of(board, (board.row(square), board.col(square)))
}

/// The number of a square's place in the rectangle of its board.
pub(super) fn place(board: &Board, square: Square) -> usize {
    board.row(square) as usize * board.cols() as usize + board.col(square) as usize
}

/// The distance of two rows of hexagons, and of a row's middle to its corners above.
const ROW: f64 = 0.866;
const CORNER: f64 = 0.5774;

/// The place of a hexagon from the left, in half hexagons, where the top row begins at 0.
fn halves(board: &Board, (row, col): (u32, u32)) -> u32 {
    2 * col + board.rows() - 1 - row
}

/// The leftmost of these places on a hexagonal board.
fn least(board: &Board) -> u32 {
    let places = board.all_squares().filter(|_| board.is_hexagonal());
    places.map(|at| halves(board, (board.row(at), board.col(at)))).min().unwrap_or(0)
}

/// The middle of a place of the board.
fn middle_of(board: &Board, (row, col): (u32, u32)) -> Point {
    let down = f64::from(board.rows() - 1 - row);
    match board.is_hexagonal() {
        true => {
            let right = f64::from(halves(board, (row, col))) - f64::from(least(board)) + 1.0;
            (right / 2.0, rounded(down * ROW + CORNER))
        }
        false => (f64::from(col) + 0.5, down + 0.5),
    }
}

fn rounded(length: f64) -> f64 {
    (length * 1_000.0).round() / 1_000.0
}

/// The width and the height of a drawing without names.
pub(super) fn extent(board: &Board) -> Point {
    if !board.is_hexagonal() {
        return (board.cols().into(), board.rows().into());
    }
    let middles = board.all_squares().map(|square| middle(board, square).0);
    let below = f64::from(board.rows() - 1) * ROW + 2.0 * CORNER;
    (middles.fold(0.0, f64::max) + 0.5, rounded(below))
}

/// The path around a square.
pub(super) fn outline(board: &Board, square: Square) -> String {
    outline_at(board, (board.row(square), board.col(square)))
}

/// The path around the square at a row and a column.
pub(super) fn outline_at(board: &Board, (row, col): (u32, u32)) -> String {
    if !board.is_hexagonal() {
        return format!("M{col} {}h1v1h-1z", board.rows() - 1 - row);
    }
    let (x, y) = middle_of(board, (row, col));
    let (y, half) = (rounded(y - CORNER), CORNER / 2.0);
    format!("M{x} {y}l.5 {half:.3}v{CORNER:.3}l-.5 {half:.3}l-.5 -{half:.3}v-{CORNER:.3}z")
}

/// The places of the names of rows and of columns. Those of a hexagonal board stand beside the
/// first hexagon of a row, and below the last one of a column, which leans to the right.
pub(super) fn names(board: &Board) -> Vec<(Point, String)> {
    let (rows, cols, height) = (0..board.rows(), 0..board.cols(), extent(board).1);
    let row_name = |row: u32| (row + 1).to_string();
    if !board.is_hexagonal() {
        let below = cols.map(|col| ((f64::from(col) + 0.5, height + 0.35), column_name(col)));
        let beside = rows.map(|row| ((-0.35, middle_of(board, (row, 0)).1), row_name(row)));
        return below.chain(beside).collect();
    }
    let is_square = |row: u32, col: u32| board.at(row.into(), col.into()).is_some();
    let below = cols.clone().filter_map(|col| {
        let row = rows.clone().find(|&row| is_square(row, col))?;
        let (x, y) = middle_of(board, (row, col));
        Some(((x + 0.4, rounded(y + 0.8)), column_name(col)))
    });
    let beside = rows.clone().filter_map(|row| {
        let col = cols.clone().find(|&col| is_square(row, col))?;
        let (x, y) = middle_of(board, (row, col));
        Some(((x - 0.8, y), row_name(row)))
    });
    below.chain(beside).collect()
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
