//! The padded linear board: one vector with a border two squares wide around the squares.
//!
//! On a plain board every knight's move needs four comparisons to see that it stays on the board.
//! Here a move is the addition of one offset, and a move off the board ends in a border cell.
//!
//! The border at the right of a row is also the border at the left of the next row, so a row takes
//! `cols + 2` cells and the whole board `(rows + 4) * (cols + 2) + 2`. The size is not limited.

use super::{Board, KNIGHT_MOVES, Square};

/// The layout of a board in a padded vector. It holds no cells itself.
#[derive(Debug, Clone)]
pub struct PaddedBoard {
    board: Board,
    stride: usize,
    offsets: [isize; 8],
}

impl PaddedBoard {
    /// Creates the layout for a full knight's board.
    pub fn new(board: &Board) -> Self {
        let mut padded =
            Self { board: board.clone(), stride: board.cols() as usize + 2, offsets: [0; 8] };
        padded.offsets = KNIGHT_MOVES.map(|step| padded.offset(step));
        padded
    }

    /// The number that a step of (rows up, columns right) adds to the index of a cell.
    pub fn offset(&self, (up, right): (i32, i32)) -> isize {
        up as isize * self.stride as isize + right as isize
    }

    /// The number of cells, border included.
    pub fn cells(&self) -> usize {
        (self.board.rows() as usize + 4) * self.stride + 2
    }

    /// The index of the cell of a square.
    pub fn cell(&self, square: Square) -> usize {
        let (row, col) = (self.board.row(square), self.board.col(square));
        (row as usize + 2) * self.stride + col as usize + 2
    }

    /// The square of a cell, which must not be in the border.
    pub fn square(&self, cell: usize) -> Square {
        let (row, col) = ((cell - 2) / self.stride - 2, (cell - 2) % self.stride);
        debug_assert!(col < self.board.cols() as usize);
        Square::from_index(row * self.board.cols() as usize + col)
    }

    /// The eight cells a knight's move away from a square's cell. Those off the board are border
    /// cells.
    #[inline]
    pub fn targets(&self, cell: usize) -> [usize; 8] {
        self.offsets.map(|offset| cell.wrapping_add_signed(offset))
    }

    /// A vector of all cells, filled with `inside` on the squares and `border` around them.
    pub fn cells_filled<T: Clone>(&self, inside: T, border: T) -> Vec<T> {
        let mut cells = vec![border; self.cells()];
        for row in 0..self.board.rows() as usize {
            let first = (row + 2) * self.stride + 2;
            cells[first..first + self.board.cols() as usize].fill(inside.clone());
        }
        cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padded_moves_are_the_knight_moves_of_the_board() {
        for (rows, cols) in [(1, 1), (1, 7), (7, 1), (2, 3), (3, 4), (8, 8), (5, 30)] {
            let board = Board::new(rows, cols).expect("in range");
            let padded = PaddedBoard::new(&board);
            let inside = padded.cells_filled(true, false);
            for square in board.all_squares() {
                let cell = padded.cell(square);
                assert_eq!(padded.square(cell), square);
                let on_board = padded.targets(cell).into_iter().filter(|&target| inside[target]);
                let targets: Vec<Square> = on_board.map(|target| padded.square(target)).collect();
                assert!(targets.into_iter().eq(board.moves(square)));
            }
        }
    }
}
