//! A grid on its board: which square has which number.

use super::cells::{Entry, EntryRow, MINUS_ONE};
use super::paragraphs::KnownBoard;
use super::table::GivenStep;
use super::wrong::{Misread, Wrong, square_at};
use crate::board::{Board, Layout, Square};

/// A grid of numbers and signs with the meaning of its signs.
pub(super) struct Grid<'a> {
    /// The rows, at least one, the top row first.
    pub rows: &'a [EntryRow],
    /// The signs, each with true for a hole and false for a square to fill. `0` may be one of them.
    pub signs: Vec<(char, bool)>,
    /// The number of the first step.
    pub first: u64,
}

impl Grid<'_> {
    /// The number at a place of a grid, or its sign.
    fn cell(&self, cell: &Entry) -> Result<u64, char> {
        match *cell {
            Entry::Number(0) if self.is_hole('0').is_some() => Err('0'),
            Entry::Number(number) => Ok(number),
            Entry::Sign(sign) => Err(sign),
            // The paragraph holds no other cells.
            _ => Err('?'),
        }
    }

    /// True if a sign is a hole, false if it is a square to fill.
    pub fn is_hole(&self, sign: char) -> Option<bool> {
        self.signs.iter().find(|known| known.0 == sign).map(|known| known.1)
    }

    /// The signs that are holes, or those that are squares to fill.
    pub fn signs(&self, are_holes: bool) -> impl Iterator<Item = char> {
        self.signs.iter().filter(move |sign| sign.1 == are_holes).map(|sign| sign.0)
    }

    /// The board of the grid: the one that is known, or one with the holes of the grid.
    fn board(&self, known: Option<&Board>, expected: &KnownBoard) -> Result<Board, Wrong> {
        let (rows, cols) = (self.rows.len(), self.rows[0].cells.len());
        let not = |wanted: String| Wrong::Grid { rows, cols, wanted };
        let side = |side| u32::try_from(side).unwrap_or(u32::MAX);
        let mut layout = Layout::new(side(rows), side(cols));
        let full = layout.board().map_err(|_| not("a board".to_owned()))?;
        if let Some(wanted) = known {
            let fits = (full.rows(), full.cols()) == (wanted.rows(), wanted.cols());
            return fits.then(|| wanted.clone()).ok_or_else(|| not(wanted.to_string()));
        }
        for (row, up) in self.rows.iter().rev().zip(0..) {
            let is_hole =
                |cell| self.cell(cell).is_err_and(|sign| self.is_hole(sign) == Some(true));
            let holes = row.cells.iter().zip(0..).filter(|(cell, _)| is_hole(cell));
            layout.without.extend(holes.map(|(_, col)| (up, col)));
        }
        Ok(expected.board_of(layout)?)
    }

    /// The board of the grid, and the square of each step, the first step first.
    pub fn on(
        &self,
        known: Option<&Board>,
        expected: &KnownBoard,
    ) -> Result<(Board, Vec<Option<Square>>), Misread> {
        let board = self.board(known, expected);
        let board = board.or_else(|why| Misread::at(self.rows[0].line, why))?;
        let steps = self.rows.iter().rev().zip(0..).flat_map(|(row, up)| {
            let board = &board;
            row.cells.iter().zip(0..).filter_map(move |(cell, col)| {
                let place = Some((self.rows.len() - up as usize, col as usize + 1));
                let step = GivenStep { line: row.line, place, number: 0, at: (up, col) };
                self.step(step, cell, board)
            })
        });
        let squares = squares(&board, self.first, steps)?;
        Ok((board, squares))
    }

    /// The step of a cell, unless it is a square to fill or a hole.
    fn step(
        &self,
        step: GivenStep,
        cell: &Entry,
        board: &Board,
    ) -> Option<Result<GivenStep, Misread>> {
        let sign = match self.cell(cell) {
            Ok(number) => return Some(Ok(GivenStep { number, ..step })),
            Err(sign) => sign,
        };
        let square = board.at(step.at.0.into(), step.at.1.into())?;
        let why = match self.is_hole(sign) {
            Some(false) => return None,
            Some(true) if self.signs(false).next().is_none() => Wrong::NoNumber(board.name(square)),
            Some(true) => Wrong::Hole(board.name(square)),
            None => {
                let word = text(sign).replace('`', "");
                Wrong::Number { word, column: step.at.1 as usize + 1 }
            }
        };
        Some(Err(Misread { line: step.line, place: step.place, why }))
    }

    /// The meaning of the signs that stand in the grid, in words.
    pub fn meaning(&self) -> Vec<String> {
        let cells = || self.rows.iter().flat_map(|row| &row.cells);
        let is_there = |sign: &char| cells().any(|cell| self.cell(cell) == Err(*sign));
        let of = |are_holes, is: &str| {
            let signs: Vec<String> = self.signs(are_holes).filter(is_there).map(text).collect();
            (!signs.is_empty()).then(|| format!("with {} {is}", signs.join(" and ")))
        };
        let (holes, fills) = (of(true, "as a hole"), of(false, "as a square to fill"));
        holes.into_iter().chain(fills).collect()
    }
}

/// The square of each step of a board, the first step first.
pub(super) fn squares(
    board: &Board,
    first: u64,
    steps: impl Iterator<Item = Result<GivenStep, Misread>>,
) -> Result<Vec<Option<Square>>, Misread> {
    let mut squares = vec![None; board.squares()];
    for step in steps {
        let GivenStep { line, place, number, at } = step?;
        let misread = |why| Misread { line, place, why };
        let square = square_at(board, at).map_err(misread)?;
        let name = |square| board.name(square);
        match number.checked_sub(first).and_then(|step| squares.get_mut(step as usize)) {
            Some(Some(other)) => {
                let (square, other) = (name(square), name(*other));
                return Err(misread(Wrong::Twice { number, square, other }));
            }
            Some(place) => *place = Some(square),
            None => {
                let (square, board) = (name(square), board.clone());
                return Err(misread(Wrong::OutOfRange { number, square, board, first }));
            }
        }
    }
    Ok(squares)
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
