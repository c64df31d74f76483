//! A grid on its board: which square has which number.

use super::entries::{Entry, MINUS_ONE};
use super::paragraph::EntryRow;
use super::paragraphs::KnownBoard;
use super::wrong::{Wrong, off_board};
use crate::board::{Board, Layout, Square};

/// A grid of numbers and signs with the meaning of its signs.
pub(super) struct Grid<'a> {
    /// The rows, the top row first.
    pub rows: &'a [EntryRow],
    /// The signs of holes.
    pub holes: Vec<char>,
    /// The signs of squares to fill.
    pub fills: Vec<char>,
    /// The number of the first step.
    pub first: u64,
    /// True if 0 is a sign.
    pub is_zero_sign: bool,
}

/// An error at a row of a grid, from 0 at the top, and a column, from 0.
pub(super) type Misplaced = (usize, usize, Wrong);

impl Grid<'_> {
    /// The sign or the number at a place of a grid.
    fn cell(&self, cell: &Entry) -> Result<u64, char> {
        match cell {
            Entry::Number(0) if self.is_zero_sign => Err('0'),
            Entry::Number(number) => Ok(*number),
            Entry::Sign(sign) => Err(*sign),
            // The paragraph holds no other cells.
            Entry::Square(..) | Entry::Word(_) => Err('?'),
        }
    }

    /// The board of the grid: the one that is known, or one with the holes of the grid.
    pub fn board(&self, known: Option<&Board>, expected: &KnownBoard) -> Result<Board, Wrong> {
        let (rows, cols) = (self.rows.len(), self.rows.first().map_or(0, |row| row.cells.len()));
        let not = |wanted: String| Wrong::Grid { rows, cols, wanted };
        let side = |side| u32::try_from(side).unwrap_or(u32::MAX);
        let mut layout = Layout::new(side(rows), side(cols));
        let full = layout.board().map_err(|_| not("a board".to_owned()))?;
        if let Some(wanted) = known {
            let fits = (full.rows(), full.cols()) == (wanted.rows(), wanted.cols());
            return fits.then(|| wanted.clone()).ok_or_else(|| not(wanted.to_string()));
        }
        for (row, up) in self.rows.iter().rev().zip(0..) {
            let is_hole = |cell| self.cell(cell).is_err_and(|sign| self.holes.contains(&sign));
            let holes = row.cells.iter().zip(0..).filter(|(cell, _)| is_hole(cell));
            layout.without.extend(holes.map(|(_, col)| (up, col)));
        }
        Ok(expected.board_of(layout)?)
    }

    /// The square of each step, the first step first.
    pub fn squares(&self, board: &Board) -> Result<Vec<Option<Square>>, Misplaced> {
        let last = board.squares() as u64 - 1 + self.first;
        let mut squares: Vec<Option<Square>> = vec![None; board.squares()];
        let places =
            self.rows.iter().enumerate().rev().zip(0..).flat_map(|((from_top, row), up)| {
                let cells = row.cells.iter().zip(0_u32..);
                cells.map(move |(cell, col)| (from_top, up, col, cell))
            });
        for (from_top, row, col, cell) in places {
            let wrong = |wrong| Err((from_top, col as usize, wrong));
            let square = board.at(row.into(), col.into());
            let (square, number) = match (square, self.cell(cell)) {
                (Some(square), Ok(number)) => (square, number),
                (Some(_), Err(sign)) if self.fills.contains(&sign) => continue,
                (Some(square), Err(sign)) if self.holes.contains(&sign) => {
                    let square = board.name(square);
                    let is_whole = self.fills.is_empty();
                    let why = if is_whole { Wrong::NoNumber } else { Wrong::Hole };
                    return wrong(why(square));
                }
                (None, Err(_)) => continue,
                (None, Ok(_)) => return wrong(off_board(row, col, board)),
                (Some(_), Err(sign)) => {
                    let word = text(sign).replace('`', "");
                    return wrong(Wrong::Number { word, column: col as usize + 1 });
                }
            };
            let place =
                number.checked_sub(self.first).and_then(|step| squares.get_mut(step as usize));
            match place {
                None => {
                    let (square, board, first) = (board.name(square), board.clone(), self.first);
                    return wrong(Wrong::OutOfRange { number, square, board, first, last });
                }
                Some(Some(other)) => {
                    let (square, other) = (board.name(square), board.name(*other));
                    return wrong(Wrong::Twice { number, square, other });
                }
                Some(place) => *place = Some(square),
            }
        }
        Ok(squares)
    }

    /// The meaning of the signs that stand in the grid, in words.
    pub fn meaning(&self) -> Vec<String> {
        let cells = || self.rows.iter().flat_map(|row| &row.cells);
        let is_there = |sign: &&char| cells().any(|cell| self.cell(cell) == Err(**sign));
        let of = |signs: &[char], is: &str| {
            let signs = signs.iter().filter(is_there).map(|&sign| text(sign));
            let signs: Vec<String> = signs.collect();
            (!signs.is_empty()).then(|| format!("with {} {is}", signs.join(" and ")))
        };
        let (holes, fills) = (of(&self.holes, "as a hole"), of(&self.fills, "as a square to fill"));
        holes.into_iter().chain(fills).collect()
    }
}

/// The form in which a text was read, in words; empty if there is nothing to add.
pub(super) fn form(of: &str, notes: &[&str], meaning: Vec<String>) -> Option<String> {
    let notes: Vec<String> = notes.iter().map(ToString::to_string).chain(meaning).collect();
    (!notes.is_empty()).then(|| format!("{of} {}", notes.join(", ")))
}

/// A sign as it is written, in quotation marks.
pub(super) fn text(sign: char) -> String {
    match sign {
        ' ' => "an empty place".to_owned(),
        MINUS_ONE => "`-1`".to_owned(),
        sign => format!("`{sign}`"),
    }
}
