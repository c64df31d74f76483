//! Paths and cycles as one byte a square: the moves by which they leave it.
//!
//! Bit i of a square's byte is set when [`KNIGHT_MOVES`]`[i]` leads to a neighbour on its path, so
//! the byte has two bits inside a path, one at an end. Pieces of a board are joined by exchange: of
//! two links that run beside each other on either side of a border, both are taken out and their
//! ends joined across it, which makes one path or cycle of two. Invariant: links are mutual.

use crate::board::{Board, KNIGHT_MOVES, Square};
use std::ops::Range;

/// The links of the squares of a board.
#[derive(Debug, Clone)]
pub(super) struct Links {
    board: Board,
    masks: Vec<u8>,
}

/// The index of the move that goes back.
const fn opposite(step: usize) -> usize {
    // The four moves after the first four are their opposites, in the same order.
    (step + 4) % KNIGHT_MOVES.len()
}

impl Links {
    pub fn none(board: Board) -> Self {
        let masks = vec![0; board.squares()];
        Self { board, masks }
    }

    /// The links of a path of moves from `start`; those of the cycle, when its ends are to be joined.
    pub fn of_path(board: Board, start: Square, steps: &[u8], closed: bool) -> Self {
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

    /// The same with rows and columns exchanged.
    pub fn turned(&self) -> Self {
        let board = Board::new(self.board.cols(), self.board.rows()).unwrap_or(self.board);
        let mut turned = Self::none(board);
        for square in self.board.all_squares() {
            let (row, col) = (self.board.col(square), self.board.row(square));
            if let Some(image) = board.at(row.into(), col.into()) {
                turned.masks[image.index()] = turned_mask(self.masks[square.index()]);
            }
        }
        turned
    }

    /// Links or unlinks a square and the square that a move leads to.
    pub fn flip(&mut self, square: Square, step: usize) {
        if let Some(target) = self.target(square, step) {
            self.masks[square.index()] ^= 1 << step;
            self.masks[target.index()] ^= 1 << opposite(step);
        }
    }

    /// Copies the links of a smaller board into this one, its a1 on the square in this row and column.
    pub fn place(&mut self, part: &Links, row: usize, col: usize) {
        let (cols, part_cols) = (self.board.cols() as usize, part.board.cols() as usize);
        for (above, line) in part.masks.chunks_exact(part_cols).enumerate() {
            let first = (row + above) * cols + col;
            self.masks[first..first + part_cols].copy_from_slice(line);
        }
    }

    /// Copies whole rows onto as many rows from `row` on.
    pub fn copy_rows(&mut self, rows: Range<usize>, row: usize) {
        let cols = self.board.cols() as usize;
        let from = rows.start * cols..rows.end * cols;
        self.masks.copy_within(from, row * cols);
    }

    /// Joins what lies left and right of a column border, within some rows. Whether it could.
    pub fn join_columns(&mut self, border: usize, rows: Range<usize>) -> bool {
        let area = |row: usize, col: usize| rows.contains(&row).then_some(col >= border);
        let near = rows.clone().flat_map(|row| [(row, border - 1), (row, border - 2)]);
        self.join(near, area)
    }

    /// Joins what lies below and above a row border. Whether it could.
    pub fn join_rows(&mut self, border: usize) -> bool {
        let near =
            (0..self.board.cols() as usize).flat_map(|col| [(border - 1, col), (border - 2, col)]);
        self.join(near, |row, _| Some(row >= border))
    }

    /// Exchanges the first pair of links that runs beside a border. `beyond` says of a square whether
    /// it lies past the border, and nothing of squares that are to be left alone.
    fn join(
        &mut self,
        near: impl Iterator<Item = (usize, usize)>,
        beyond: impl Fn(usize, usize) -> Option<bool>,
    ) -> bool {
        let side = |links: &Self, square: Square| {
            let (row, col) = (links.board.row(square), links.board.col(square));
            beyond(row as usize, col as usize)
        };
        let near = near.filter_map(|(row, col)| self.board.at(row as i64, col as i64));
        let exchange = near.flat_map(|here| self.exchanges(here)).find(|exchange| {
            let [near, near_too, far, far_too] = exchange.squares.map(|square| side(self, square));
            [near, near_too] == [Some(false); 2] && [far, far_too] == [Some(true); 2]
        });
        if let Some(Exchange { squares, steps }) = exchange {
            let [here, beside, there, _] = squares;
            let [link, across, across_too, far_link] = steps;
            self.flip(here, link);
            self.flip(there, far_link);
            self.flip(here, across);
            self.flip(beside, across_too);
            return true;
        }
        false
    }

    /// The exchanges of a link of a square with a link of a square it could be linked to.
    fn exchanges(&self, here: Square) -> Vec<Exchange> {
        let all = 0..KNIGHT_MOVES.len();
        let mut exchanges = Vec::new();
        for link in all.clone().filter(|&step| self.is_linked(here, step)) {
            for across in all.clone().filter(|&step| !self.is_linked(here, step)) {
                let (Some(beside), Some(there)) =
                    (self.target(here, link), self.target(here, across))
                else {
                    continue;
                };
                for far_link in all.clone().filter(|&step| self.is_linked(there, step)) {
                    let there_too = self.target(there, far_link);
                    let across_too =
                        all.clone().find(|&step| self.target(beside, step) == there_too);
                    if let (Some(there_too), Some(across_too)) = (there_too, across_too) {
                        exchanges.push(Exchange {
                            squares: [here, beside, there, there_too],
                            steps: [link, across, across_too, far_link],
                        });
                    }
                }
            }
        }
        exchanges
    }

    fn is_linked(&self, square: Square, step: usize) -> bool {
        self.masks[square.index()] >> step & 1 == 1
    }

    fn target(&self, square: Square, step: usize) -> Option<Square> {
        let (up, right) = KNIGHT_MOVES[step];
        let (row, col) = (self.board.row(square), self.board.col(square));
        self.board.at(i64::from(row) + i64::from(up), i64::from(col) + i64::from(right))
    }

    /// The moves from `start` along its path to the end, or once round its cycle but for the last move.
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

/// Links that can be exchanged: here-beside and there-there too for here-there and beside-there too.
#[derive(Debug, Clone, Copy)]
struct Exchange {
    squares: [Square; 4],
    /// The moves here to beside, here to there, beside to there too, and there to there too.
    steps: [usize; 4],
}

/// The move with rows and columns exchanged.
pub(super) fn turned(step: u8) -> u8 {
    let (up, right) = KNIGHT_MOVES[usize::from(step) % KNIGHT_MOVES.len()];
    let turned = |&other: &(i32, i32)| other == (right, up);
    KNIGHT_MOVES.iter().position(turned).unwrap_or(0) as u8
}

fn turned_mask(mask: u8) -> u8 {
    let steps = (0..KNIGHT_MOVES.len() as u8).filter(|step| mask >> step & 1 == 1);
    steps.fold(0, |turned_mask, step| turned_mask | 1 << turned(step))
}
