//! A question: the board, open or closed tours, and fixed ends.

use crate::board::{Board, Square};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A counting question. Equal questions have equal answers, whatever engine counts.
///
/// Questions are serialized as the pair of board and tours, and ends off the board are refused.
///
/// ```
/// use kt_enum::{board::Board, question::Question};
/// let board = Board::new(6, 6)?;
/// let question = Question::open_between(board, Some(board.parse_square("a1")?), None);
/// assert_eq!(question.to_string(), "open tours of 6x6 from a1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "(Board, Tours)", into = "(Board, Tours)")]
pub struct Question {
    /// The board.
    pub board: Board,
    /// The tours of the board that are counted.
    pub tours: Tours,
}

/// A set of tours of a board, open or closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Tours {
    /// Hamiltonian paths of the knight's graph, re-entrant ones included.
    Open {
        /// The square on which they start; any square if `None`.
        from: Option<Square>,
        /// The square on which they end; any square if `None`.
        to: Option<Square>,
    },
    /// Hamiltonian cycles of the knight's graph.
    Closed,
}

impl Question {
    /// The question of all open tours of a board.
    pub fn open(board: Board) -> Self {
        Self::open_between(board, None, None)
    }

    /// The question of the open tours with fixed ends. `None` stands for any square.
    ///
    /// # Panics
    /// If an end is not a square of the board.
    pub fn open_between(board: Board, from: Option<Square>, to: Option<Square>) -> Self {
        for end in [from, to].into_iter().flatten() {
            assert!(
                end.index() < board.squares(),
                "an end of the tours is not on the {board} board"
            );
        }
        Self { board, tours: Tours::Open { from, to } }
    }

    /// The question of all closed tours of a board.
    pub fn closed(board: Board) -> Self {
        Self { board, tours: Tours::Closed }
    }

    /// True if the question is about closed tours.
    pub fn is_closed(&self) -> bool {
        self.tours == Tours::Closed
    }

    /// The fixed start, or `None`.
    pub fn from(&self) -> Option<Square> {
        match self.tours {
            Tours::Open { from, .. } => from,
            Tours::Closed => None,
        }
    }

    /// The fixed end, or `None`.
    pub fn to(&self) -> Option<Square> {
        match self.tours {
            Tours::Open { to, .. } => to,
            Tours::Closed => None,
        }
    }

    /// True if a path from `start` to `end` has the fixed ends of the question.
    pub(crate) fn has_ends(&self, start: Square, end: Square) -> bool {
        self.from().is_none_or(|from| from == start) && self.to().is_none_or(|to| to == end)
    }

    /// The three words by which units files and scripts know the question.
    ///
    /// The first is `open` or `closed`. The others are the start and the end, each the name of a
    /// square or `all`.
    pub fn words(&self) -> [String; 3] {
        let tours = if self.is_closed() { "closed" } else { "open" };
        let end = |end: Option<Square>| end.map_or("all".to_owned(), |end| self.board.name(end));
        [tours.to_owned(), end(self.from()), end(self.to())]
    }

    /// True if both ends are free, so that the symmetries of the board map answers onto answers.
    pub fn is_whole(&self) -> bool {
        self.from().is_none() && self.to().is_none()
    }

    /// True if there is no tour because of the colours of the squares, which a tour alternates
    /// between, or because the tour is to end on the square where it starts.
    pub fn is_impossible(&self) -> bool {
        let is_of_a1 = |end: &Square| self.board.has_colour_of_a1(*end);
        let is_even = self.board.squares().is_multiple_of(2);
        match (self.tours, self.from().zip(self.to())) {
            (Tours::Closed, _) => !is_even,
            (_, ends) if is_even => ends.is_some_and(|(from, to)| is_of_a1(&from) == is_of_a1(&to)),
            (_, Some((from, to))) if from == to => self.board.squares() > 1,
            _ => !self.from().iter().chain(&self.to()).all(is_of_a1),
        }
    }

    /// The number of directed tours that one undirected tour stands for.
    ///
    /// It is 2, except that it is 1 if a fixed end gives the tour a direction, and 1 for the tour
    /// of a single square, which is its own reverse.
    pub fn directions(&self) -> u32 {
        if self.is_whole() && self.board.squares() > 1 { 2 } else { 1 }
    }
}

/// An end of the tours of a question lies off its board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an end of the tours lies off the {0} board")]
pub struct EndOffBoard(Board);

impl TryFrom<(Board, Tours)> for Question {
    type Error = EndOffBoard;

    fn try_from((board, tours): (Board, Tours)) -> Result<Self, EndOffBoard> {
        let question = Self { board, tours };
        let mut ends = question.from().into_iter().chain(question.to());
        match ends.all(|end| end.index() < board.squares()) {
            true => Ok(question),
            false => Err(EndOffBoard(board)),
        }
    }
}

impl From<Question> for (Board, Tours) {
    fn from(question: Question) -> Self {
        (question.board, question.tours)
    }
}

impl fmt::Display for Question {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [tours, _, _] = self.words();
        write!(out, "{tours} tours of {}", self.board)?;
        if let Some(from) = self.from() {
            write!(out, " from {}", self.board.name(from))?;
        }
        if let Some(to) = self.to() {
            write!(out, " to {}", self.board.name(to))?;
        }
        Ok(())
    }
}
