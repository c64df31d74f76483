//! Paths and cycles as one byte per square: the moves that link a square to its neighbours.
//!
//! Bit i of the byte of a square is set if [`KNIGHT_MOVES`]`[i]` leads to a neighbour on its path.
//! So a byte has two bits inside a path and one bit at an endpoint. The invariant is that links are
//! mutual.
//!
//! Two cycles, or a path and a cycle, on either side of a border become one by an exchange: two
//! links whose ends are a knight's move apart across the border are removed, and their ends are
//! linked across it instead.

use crate::board::{Board, KNIGHT_MOVES, Square};
use std::ops::Range;

/// The links of all squares of a board.
#[derive(Debug, Clone)]
pub(super) struct Links {
    board: Board,
    masks: Vec<u8>,
}

/// The index of the reverse of a move.
const fn opposite(step: usize) -> usize {
    // Moves 4 to 7 are the reverses of moves 0 to 3, in the same order.
    (step + 4) % KNIGHT_MOVES.len()
}

impl Links {
    pub fn none(board: &Board) -> Self {
        let masks = vec![0; board.squares()];
        Self { board: board.clone(), masks }
    }

    /// The links of a path of moves from `start`. If `closed`, its ends are linked as well.
    pub fn of_path(board: &Board, start: Square, steps: &[u8], closed: bool) -> Self {
        let mut links = Self::none(board);
        let mut at = start;
        for &step in steps {
            let step = usize::from(step) % KNIGHT_MOVES.len();
            if let Some(to) = links.target(at, step) {
                links.flip(at, step);
                at = to;
            }
        }
        let home = (0..KNIGHT_MOVES.len()).find(|&step| links.target(at, step) == Some(start));
        if let Some(step) = home.filter(|_| closed) {
            links.flip(at, step);
        }
        links
    }

    /// Links a square and the target of a move, or removes their link.
    pub fn flip(&mut self, square: Square, step: usize) {
        if let Some(target) = self.target(square, step) {
            self.masks[square.index()] ^= 1 << step;
            self.masks[target.index()] ^= 1 << opposite(step);
        }
    }

    /// Copies the links of a smaller board into this one, with its a1 at this row and column.
    pub fn place(&mut self, part: &Links, row: usize, col: usize) {
        let (cols, part_cols) = (self.board.cols() as usize, part.board.cols() as usize);
        for (above, line) in part.masks.chunks_exact(part_cols).enumerate() {
            let first = (row + above) * cols + col;
            self.masks[first..first + part_cols].copy_from_slice(line);
        }
    }

    /// Copies whole rows to the rows from `row` on.
    pub fn copy_rows(&mut self, rows: Range<usize>, row: usize) {
        let cols = self.board.cols() as usize;
        let from = rows.start * cols..rows.end * cols;
        self.masks.copy_within(from, row * cols);
    }

    /// Joins what lies left and right of a column border, within some rows. Returns false if no
    /// exchange is possible.
    pub fn join_columns(&mut self, border: usize, rows: Range<usize>) -> bool {
        let area = |row: usize, col: usize| rows.contains(&row).then_some(col >= border);
        let near = rows.clone().flat_map(|row| [(row, border - 1), (row, border - 2)]);
        self.join(near, area)
    }

    /// Joins what lies below and above a row border. Returns false if no exchange is possible.
    pub fn join_rows(&mut self, border: usize) -> bool {
        let near =
            (0..self.board.cols() as usize).flat_map(|col| [(border - 1, col), (border - 2, col)]);
        self.join(near, |row, _| Some(row >= border))
    }

    /// Carries out the first exchange across a border, if there is one.
    ///
    /// `near` lists the squares before the border. `beyond` returns true for a square past the
    /// border, false for one before it, and `None` for squares that must keep their links.
    fn join(
        &mut self,
        near: impl Iterator<Item = (usize, usize)>,
        beyond: impl Fn(usize, usize) -> Option<bool>,
    ) -> bool {
        let mut near = near.filter_map(|(row, col)| self.board.at(row as i64, col as i64));
        let exchange = near.find_map(|here| self.exchange(here, &beyond));
        for (square, step) in exchange.into_iter().flatten() {
            self.flip(square, step);
        }
        exchange.is_some()
    }

    /// The first exchange of a link of the square `here`, before the border, with a link beyond it:
    /// the two links to remove and the two to make, each as a square and a move from it.
    fn exchange(
        &self,
        here: Square,
        beyond: &impl Fn(usize, usize) -> Option<bool>,
    ) -> Option<[(Square, usize); 4]> {
        let steps = || 0..KNIGHT_MOVES.len();
        let linked = |square| steps().filter(move |&step| self.is_linked(square, step));
        let target = |square, step, is_beyond| {
            let place = |to| (self.board.row(to) as usize, self.board.col(to) as usize);
            let is_there = |to: &Square| beyond(place(*to).0, place(*to).1) == Some(is_beyond);
            self.target(square, step).filter(is_there)
        };
        for link in linked(here) {
            for across in steps().filter(|&step| !self.is_linked(here, step)) {
                let (Some(beside), Some(there)) =
                    (target(here, link, false), target(here, across, true))
                else {
                    continue;
                };
                for far_link in linked(there) {
                    let far = target(there, far_link, true);
                    let across_too = steps().find(|&step| self.target(beside, step) == far);
                    if let Some(across_too) = across_too.filter(|_| far.is_some()) {
                        return Some([
                            (here, link),
                            (there, far_link),
                            (here, across),
                            (beside, across_too),
                        ]);
                    }
                }
            }
        }
        None
    }

    fn is_linked(&self, square: Square, step: usize) -> bool {
        self.masks[square.index()] >> step & 1 == 1
    }

    fn target(&self, square: Square, step: usize) -> Option<Square> {
        let (up, right) = KNIGHT_MOVES[step];
        let (row, col) = (self.board.row(square), self.board.col(square));
        self.board.at(i64::from(row) + i64::from(up), i64::from(col) + i64::from(right))
    }

    /// The moves from `start` along its path to the end, or around its cycle except for the last
    /// move.
    pub fn trace(&self, start: Square) -> Vec<u8> {
        let cols = self.board.cols() as isize;
        let jumps = KNIGHT_MOVES.map(|(up, right)| up as isize * cols + right as isize);
        let mut steps = Vec::with_capacity(self.board.squares());
        let (mut at, mut back) = (start.index(), 0);
        for _ in 1..self.board.squares() {
            let onward = self.masks[at] & !back;
            if onward == 0 {
                break;
            }
            let step = onward.trailing_zeros() as usize % KNIGHT_MOVES.len();
            steps.push(step as u8);
            at = at.wrapping_add_signed(jumps[step]);
            back = 1 << opposite(step);
        }
        steps
    }
}

/// The index of a move with rows and columns exchanged.
pub(super) fn turned(step: u8) -> u8 {
    let (up, right) = KNIGHT_MOVES[usize::from(step) % KNIGHT_MOVES.len()];
    let turned = |&other: &(i32, i32)| other == (right, up);
    KNIGHT_MOVES.iter().position(turned).unwrap_or(0) as u8
}
