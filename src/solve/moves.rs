//! The moves of a board in one array, and the numbers of the squares that they join.

use super::link::Link;
use crate::board::Square;

/// The moves of a board, whether its tours are closed, and the symmetry that has to keep them.
#[derive(Debug)]
pub(super) struct BoardMoves {
    pub squares: usize,
    pub closed: bool,
    pub link: Option<Link>,
    /// The place of each square's first move in `list`, and the end of the list.
    starts: Vec<usize>,
    list: Vec<Move>,
}

/// A move from a square.
#[derive(Debug, Clone, Copy)]
pub(super) struct Move {
    pub to: u32,
    /// The place of the way back among the moves of `to`.
    pub back: u32,
}

impl BoardMoves {
    /// The moves from each square, by the index of the square.
    pub fn new(targets: &[Vec<Square>], closed: bool, link: Option<Link>) -> Self {
        let (squares, starts, list) = (targets.len(), vec![0], Vec::new());
        let mut moves = Self { squares, closed, link, starts, list };
        for (square, own) in targets.iter().enumerate() {
            let is_back = |from: &Square| from.index() == square;
            let back = |to: usize| targets[to].iter().position(is_back).unwrap_or(0) as u32;
            let all = own.iter().map(|to| Move { to: to.index() as u32, back: back(to.index()) });
            moves.list.extend(all);
            moves.starts.push(moves.list.len());
        }
        moves
    }

    /// The moves from a square.
    #[inline(always)]
    pub fn of(&self, square: usize) -> &[Move] {
        &self.list[self.starts[square]..self.starts[square + 1]]
    }

    /// The largest number of moves from a square.
    pub fn most(&self) -> usize {
        (0..self.squares).map(|square| self.of(square).len()).max().unwrap_or(0)
    }
}
