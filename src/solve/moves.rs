//! The moves of a board in one array, and the numbers of the squares that they join.

use crate::board::Board;

/// The moves of a board, and whether its tours are closed.
#[derive(Debug)]
pub(super) struct BoardMoves {
    pub squares: usize,
    pub closed: bool,
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
    pub fn new(board: &Board, closed: bool) -> Self {
        let targets: Vec<Vec<usize>> = board
            .all_squares()
            .map(|square| board.moves(square).map(|to| to.index()).collect())
            .collect();
        let mut moves = Self { squares: targets.len(), closed, starts: vec![0], list: Vec::new() };
        for (square, own) in targets.iter().enumerate() {
            let back = |to: usize| targets[to].iter().position(|&from| from == square).unwrap_or(0);
            moves.list.extend(own.iter().map(|&to| Move { to: to as u32, back: back(to) as u32 }));
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
