//! The moves of a board in one array.

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
    list: Vec<Square>,
}

impl BoardMoves {
    /// The moves from each square, by the index of the square.
    pub fn new(targets: &[Vec<Square>], closed: bool, link: Option<Link>) -> Self {
        let (squares, starts, list) = (targets.len(), vec![0], Vec::new());
        let mut moves = Self { squares, closed, link, starts, list };
        for own in targets {
            moves.list.extend(own);
            moves.starts.push(moves.list.len());
        }
        moves
    }

    /// The moves from a square.
    #[inline(always)]
    pub fn of(&self, square: usize) -> &[Square] {
        &self.list[self.starts[square]..self.starts[square + 1]]
    }
}
