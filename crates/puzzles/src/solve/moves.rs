//! The moves of a board in tables.

use super::link::Link;
use crate::board::Square;

/// The moves of a board, whether its tours are closed, and the symmetry that has to keep them.
#[derive(Debug)]
pub(super) struct BoardMoves {
    pub squares: usize,
    pub closed: bool,
    pub link: Option<Link>,
    /// The squares that a move leads to from each square, by the index of the square.
    pub targets: Vec<Vec<Square>>,
}
