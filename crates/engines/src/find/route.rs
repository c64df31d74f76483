//! A tour as a start and one byte per move, for boards of any size.
//!
//! Only full knight's boards can be that large. On others a tour is a list of squares.

use crate::board::{Board, KNIGHT_MOVES, Square};

/// A tour that was found: its start and, for each move, the index in [`KNIGHT_MOVES`], or else the
/// square that it leads to.
///
/// The squares of a 10,000 x 10,000 board would take four times as much memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    board: Board,
    start: Square,
    steps: Vec<u8>,
    /// The squares after the start, if the board is not a full knight's board.
    listed: Vec<Square>,
}

impl Route {
    pub(super) fn new(board: &Board, start: Square, steps: Vec<u8>) -> Self {
        debug_assert_eq!(steps.len() + 1, board.squares());
        Self { board: board.clone(), start, steps, listed: Vec::new() }
    }

    /// The route that visits these squares in order. There has to be at least one.
    pub fn of(board: &Board, squares: &[Square]) -> Self {
        if !board.is_plain() {
            let (start, listed) = (squares[0], squares[1..].to_vec());
            return Self { board: board.clone(), start, steps: Vec::new(), listed };
        }
        let step = |pair: &[Square]| board.move_index(pair[0], pair[1]) as u8;
        let steps = squares.windows(2).map(step).collect();
        Self::new(board, squares[0], steps)
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.board.clone()
    }

    /// The squares in the order of the visit.
    pub fn squares(&self) -> impl Iterator<Item = Square> {
        let cols = i64::from(self.board.cols());
        let jumps = KNIGHT_MOVES.map(|(up, right)| i64::from(up) * cols + i64::from(right));
        let start = self.start.index() as i64;
        let rest = self.steps.iter().scan(start, move |at, &step| {
            *at += jumps[usize::from(step) % jumps.len()];
            Some(Square::from_index(*at as usize))
        });
        std::iter::once(self.start).chain(rest).chain(self.listed.iter().copied())
    }

    /// True if a move joins the ends.
    pub fn is_reentrant(&self) -> bool {
        let last = self.squares().last();
        let last = last.filter(|_| self.board.squares() > 2);
        last.is_some_and(|last| self.board.are_neighbours(self.start, last))
    }

    /// The step, from 1, at which each square is visited, by the index of the square.
    ///
    /// Takes four bytes per square.
    pub fn numbers(&self) -> Vec<u32> {
        let mut numbers = vec![0; self.board.squares()];
        for (square, number) in self.squares().zip(1..) {
            numbers[square.index()] = number;
        }
        numbers
    }
}
