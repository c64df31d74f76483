//! Boards, squares, knight moves, sets of squares and symmetries: the layer under all others.
//!
//! Everything here is a plain value that is cheap to copy. Squares are numbered row by row from a1
//! (row 0, column 0), so the index of a square is `row * cols + col`. Every engine works on these
//! indices, and rows and columns in function arguments count from 0 as well.

mod order;
mod padded;
mod set;
mod square;
mod symmetry;

pub use order::{MoveOrder, MoveOrderError};
pub use padded::PaddedBoard;
pub use set::{Indices, SquareSet};
pub(crate) use square::column_name;
pub use square::{Square, SquareError};
pub use symmetry::{Symmetry, orbit, orbits, stabilizer};

use serde::{Deserialize, Serialize};
use std::fmt;

/// The eight knight moves as (rows up, columns right), counter-clockwise.
///
/// Move `i + 4` is the reverse of move `i`, for `i` below 4.
pub const KNIGHT_MOVES: [(i32, i32); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// A rectangular board of `rows` x `cols` squares, at least 1 x 1 and at most 10,000 on a side.
///
/// Boards are written `ROWSxCOLS` and are serialized as the pair of these numbers.
///
/// ```
/// use kt_enum::board::Board;
/// let board = Board::new(3, 4)?;
/// assert_eq!(board.squares(), 12);
/// assert_eq!(board.to_string(), "3x4");
/// # Ok::<(), kt_enum::board::BoardError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "(u32, u32)", into = "(u32, u32)")]
pub struct Board {
    rows: u32,
    cols: u32,
}

/// A pair of numbers is not a board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// A side is 0 or longer than [`Board::LONGEST_SIDE`].
    #[error(
        "a board of {rows} x {cols} is out of range: rows and columns go from 1 to {longest}",
        longest = Board::LONGEST_SIDE
    )]
    Side {
        /// The number of rows asked for.
        rows: u32,
        /// The number of columns asked for.
        cols: u32,
    },
}

impl Board {
    /// The largest number of rows and of columns.
    pub const LONGEST_SIDE: u32 = 10_000;

    /// Creates a board of `rows` x `cols` squares.
    ///
    /// # Errors
    /// [`BoardError::Side`] if a side is 0 or longer than [`Board::LONGEST_SIDE`].
    pub fn new(rows: u32, cols: u32) -> Result<Self, BoardError> {
        let side = 1..=Self::LONGEST_SIDE;
        if side.contains(&rows) && side.contains(&cols) {
            Ok(Self { rows, cols })
        } else {
            Err(BoardError::Side { rows, cols })
        }
    }

    /// The number of rows.
    pub fn rows(self) -> u32 {
        self.rows
    }

    /// The number of columns.
    pub fn cols(self) -> u32 {
        self.cols
    }

    /// The number of squares.
    pub fn squares(self) -> usize {
        self.rows as usize * self.cols as usize
    }

    /// True if the board has as many rows as columns, and so 8 symmetries instead of 4.
    pub fn is_square(self) -> bool {
        self.rows == self.cols
    }

    /// The square at this row and column (both from 0, from a1), or `None` off the board.
    ///
    /// Negative numbers are allowed, so that a move can be added to a square without a check.
    pub fn at(self, row: i64, col: i64) -> Option<Square> {
        let on_board =
            (0..i64::from(self.rows)).contains(&row) && (0..i64::from(self.cols)).contains(&col);
        on_board.then(|| Square::from_index(row as usize * self.cols as usize + col as usize))
    }

    /// The row of a square, from 0 at the bottom.
    pub fn row(self, square: Square) -> u32 {
        (square.index() / self.cols as usize) as u32
    }

    /// The column of a square, from 0 at the left.
    pub fn col(self, square: Square) -> u32 {
        (square.index() % self.cols as usize) as u32
    }

    /// All squares in ascending order of their indices.
    pub fn all_squares(self) -> impl Iterator<Item = Square> {
        (0..self.squares()).map(Square::from_index)
    }

    /// The squares that a knight on `from` can move to, in the order of [`KNIGHT_MOVES`].
    ///
    /// ```
    /// use kt_enum::board::Board;
    /// let board = Board::new(3, 4)?;
    /// let targets = board.knight_moves(board.parse_square("a1")?);
    /// let names: Vec<String> = targets.map(|square| board.name(square)).collect();
    /// assert_eq!(names, ["c2", "b3"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn knight_moves(self, from: Square) -> impl Iterator<Item = Square> {
        let (row, col) = (i64::from(self.row(from)), i64::from(self.col(from)));
        KNIGHT_MOVES
            .into_iter()
            .filter_map(move |(up, right)| self.at(row + i64::from(up), col + i64::from(right)))
    }

    /// The index in [`KNIGHT_MOVES`] of the move between two squares, 0 if there is no such move.
    pub(crate) fn move_index(self, from: Square, to: Square) -> usize {
        let place = |square| (self.row(square) as i32, self.col(square) as i32);
        let ((row, col), (to_row, to_col)) = (place(from), place(to));
        let step = (to_row - row, to_col - col);
        let found = KNIGHT_MOVES.iter().position(|&known| known == step);
        found.unwrap_or(0)
    }

    /// True if the two squares are a knight's move apart.
    pub fn are_knight_neighbours(self, one: Square, other: Square) -> bool {
        let rows = self.row(one).abs_diff(self.row(other));
        let cols = self.col(one).abs_diff(self.col(other));
        (rows, cols) == (1, 2) || (rows, cols) == (2, 1)
    }

    /// The colour of a square: `true` for the colour of a1. Every knight's move changes the colour.
    ///
    /// On a board with an odd number of squares this is the colour that has one square more.
    pub fn has_colour_of_a1(self, square: Square) -> bool {
        (self.row(square) + self.col(square)).is_multiple_of(2)
    }

    /// The name of a square as in chess: a1 is the bottom-left corner.
    ///
    /// Column z is followed by aa, ab and so on.
    pub fn name(self, square: Square) -> String {
        format!("{}{}", column_name(self.col(square)), self.row(square) + 1)
    }

    /// Reads a square written as in chess (`c2`) or as `row,col` counted from 0 (`1,2`).
    ///
    /// Upper-case letters and surrounding blanks are accepted. [`Board::name`] is the inverse.
    ///
    /// # Errors
    /// [`SquareError`] if the text has neither form or names a square off the board.
    pub fn parse_square(self, text: &str) -> Result<Square, SquareError> {
        square::parse(self, text)
    }
}

impl TryFrom<(u32, u32)> for Board {
    type Error = BoardError;

    fn try_from((rows, cols): (u32, u32)) -> Result<Self, BoardError> {
        Self::new(rows, cols)
    }
}

impl From<Board> for (u32, u32) {
    fn from(board: Board) -> Self {
        (board.rows, board.cols)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}x{}", self.rows, self.cols)
    }
}
