//! Boards of numbers as text: puzzles with dots on the squares to fill, and their solutions.

use super::puzzle::{Clue, Puzzle};
use crate::board::{Board, Square};
use crate::tour::TextRows;
use std::ops::Range;

/// A board of numbers, the top row first, with `.` on squares without one and `#` on holes. Squares
/// in `marked` have a `*` behind their number. The squares of a graph are a line of `1=a 5=c`.
pub fn grid(board: &Board, clues: &[Clue], marked: &[Square]) -> String {
    if board.is_graph() {
        let word = |clue: &Clue| format!("{}={}", clue.step, board.name(clue.square));
        return clues.iter().map(word).collect::<Vec<_>>().join(" ") + "\n";
    }
    let mut steps = vec![None; board.squares()];
    clues.iter().for_each(|clue| steps[clue.square.index()] = Some(clue.step));
    let cell = |square: Option<Square>| {
        let Some(square) = square else { return "#".to_owned() };
        let mark = if marked.contains(&square) { "*" } else { "" };
        steps[square.index()].map_or(".".to_owned(), |step| format!("{step}{mark}"))
    };
    let width = board.squares().to_string().len() + usize::from(!marked.is_empty());
    let TextRows { width, rows } = TextRows::new(board, width);
    let row = |(indent, row, cols): (usize, u32, Range<u32>)| {
        let cells = cols.map(|col| cell(board.at(row.into(), col.into())));
        let cells: Vec<String> = cells.map(|cell| format!("{cell:>width$}")).collect();
        " ".repeat(indent) + &cells.join(" ") + "\n"
    };
    rows.into_iter().map(row).collect()
}

impl Puzzle {
    /// The puzzle as [`grid`] writes it.
    pub fn grid(&self) -> String {
        grid(self.board(), self.clues(), &[])
    }

    /// A solution, given by its squares in the order of their steps, as [`grid`] writes it.
    pub fn solved(&self, squares: &[Square], marked: &[Square]) -> String {
        let clues: Vec<Clue> =
            (1..).zip(squares).map(|(step, &square)| Clue { step, square }).collect();
        grid(self.board(), &clues, marked)
    }
}
