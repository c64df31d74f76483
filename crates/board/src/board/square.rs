//! A square of a board and its two written forms, `c2` and `1,2`.

use super::Board;
use serde::{Deserialize, Serialize};

/// A square, given by its index `row * cols + col` on its board.
///
/// A square does not know its board: the same index is another square on another board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Square(u32);

/// A text does not name a square of the board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SquareError {
    /// The text has neither of the two forms.
    #[error("`{0}` is not a square: write it as in chess (c2) or as row,col counted from 0 (1,2)")]
    Form(String),
    /// The square lies off the board.
    #[error("square {text} is not on the {board} board: its squares go from a1 to {last}")]
    OffBoard {
        /// The text as it was typed.
        text: String,
        /// The board.
        board: Board,
        /// The name of the board's last square, top right.
        last: String,
    },
    /// The square is left out of the board.
    #[error("square {0} is not on the board: it is left out")]
    Hole(String),
    /// The text does not name a vertex of the graph.
    #[error("`{0}` is not a vertex of the graph")]
    Vertex(String),
}

impl Square {
    /// The square with this index, which is not checked against any board.
    pub fn from_index(index: usize) -> Self {
        debug_assert!(u32::try_from(index).is_ok());
        Self(index as u32)
    }

    /// The index of the square, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Reads a square, as `c2` or `row,col`, without a board: its row and column, both from 0.
    ///
    /// Returns `None` for other texts, and for rows or columns past [`Board::LONGEST_SIDE`].
    /// Readers of tours use it to find out the size of the board.
    pub fn row_and_column(text: &str) -> Option<(u32, u32)> {
        let (row, col) = row_and_column(text)?;
        let side = 0..i64::from(Board::LONGEST_SIDE);
        let on_board = side.contains(&row) && side.contains(&col);
        on_board.then_some((row as u32, col as u32))
    }
}

pub(super) fn parse(board: &Board, text: &str) -> Result<Square, SquareError> {
    let place = row_and_column(text.trim());
    let (row, col) = place.ok_or_else(|| SquareError::Form(text.to_owned()))?;
    if let Some(square) = board.at(row, col) {
        return Ok(square);
    }
    let (rows, cols) = (board.rows(), board.cols());
    if (0..i64::from(rows)).contains(&row) && (0..i64::from(cols)).contains(&col) {
        Err(SquareError::Hole(text.to_owned()))
    } else {
        Err(SquareError::OffBoard {
            text: text.to_owned(),
            board: board.clone(),
            last: square_name(rows - 1, cols - 1),
        })
    }
}

fn row_and_column(text: &str) -> Option<(i64, i64)> {
    if let Some((row, col)) = text.split_once(',') {
        return Some((number(row.trim())?, number(col.trim())?));
    }
    let digits = text.find(|c: char| c.is_ascii_digit())?;
    let (letters, row) = text.split_at(digits);
    Some((number(row)? - 1, column_number(letters)?))
}

/// Reads a number of at most 9 digits, so that no computation with it can overflow.
fn number(text: &str) -> Option<i64> {
    let plain = (1..=9).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

/// The name of the square at a row and a column as in chess: column and row, from a1.
pub fn square_name(row: u32, col: u32) -> String {
    format!("{}{}", column_name(col), row + 1)
}

/// The letters of a column in bijective base 26: column 0 is `a`, 25 is `z`, 26 is `aa`.
pub fn column_name(col: u32) -> String {
    let mut letters = if col < 26 { String::new() } else { column_name(col / 26 - 1) };
    letters.push(char::from(b'a' + (col % 26) as u8));
    letters
}

fn column_number(letters: &str) -> Option<i64> {
    let plain =
        (1..=5).contains(&letters.len()) && letters.bytes().all(|b| b.is_ascii_alphabetic());
    plain.then(|| {
        letters.bytes().fold(0, |number, letter| {
            number * 26 + i64::from(letter.to_ascii_lowercase() - b'a') + 1
        }) - 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_reads_back_from_both_of_its_written_forms() {
        for (rows, cols) in [(1, 1), (6, 6), (3, 30), (30, 3), (2, 800)] {
            let board = Board::new(rows, cols).expect("in range");
            for square in board.all_squares() {
                assert_eq!(board.parse_square(&board.name(square)), Ok(square));
                let indexed = format!("{},{}", board.row(square), board.col(square));
                assert_eq!(board.parse_square(&indexed), Ok(square));
            }
        }
    }

    #[test]
    fn columns_past_z_are_named_aa_ab_and_so_on() {
        let board = Board::new(1, 704).expect("in range");
        let name = |col| board.name(Square::from_index(col));
        assert_eq!(
            [name(0), name(25), name(26), name(27), name(701), name(702)],
            ["a1", "z1", "aa1", "ab1", "zz1", "aaa1"]
        );
    }

    #[test]
    fn texts_that_name_no_square_are_refused() {
        let board = Board::new(6, 6).expect("in range");
        for text in
            ["", "a", "1", "a0", "g1", "a7", "z9", "a1b", "-1,0", "1,6", "1,2,3", "a99999999999"]
        {
            assert!(board.parse_square(text).is_err(), "{text:?} was taken");
        }
    }
}
