//! Boards with some steps given, as a text says them.

use crate::board::{Board, Square};

/// A board with some steps given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartFilled {
    /// The number of its first line, from 1.
    pub line: usize,
    /// The board.
    pub board: Board,
    /// The given steps, from 1, and their squares, by step.
    pub steps: Vec<(usize, Square)>,
    /// Whether the text says that the tours are closed, if it says so.
    pub is_closed: Option<bool>,
    /// The pairs of squares that have to follow each other.
    pub links: Vec<[Square; 2]>,
    /// The form in which the text was read, unless it is a plain one.
    pub form: Option<String>,
    /// The number of the line of each row, the top row first. A list of steps has no rows.
    pub rows: Vec<usize>,
}
