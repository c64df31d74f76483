//! What is asked: the board, open or closed tours, and fixed ends.

use crate::board::{Board, Square};
use serde::{Deserialize, Serialize};
use std::fmt;

/// One counting question. Two runs with equal questions have equal answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "(Board, Tours)", into = "(Board, Tours)")]
pub struct Question {
    /// The board.
    pub board: Board,
    /// Which tours are counted.
    pub tours: Tours,
}

/// Which tours of a board are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Tours {
    /// Hamiltonian paths, re-entrant ones included.
    Open {
        /// Where they start; any square when `None`.
        from: Option<Square>,
        /// Where they end; any square when `None`.
        to: Option<Square>,
    },
    /// Hamiltonian cycles.
    Closed,
}

impl Question {
    /// All open tours of a board.
    pub fn open(board: Board) -> Self {
        Self::open_between(board, None, None)
    }

    /// The open tours of a board with fixed ends (`None`: any square).
    pub fn open_between(board: Board, from: Option<Square>, to: Option<Square>) -> Self {
        Self { board, tours: Tours::Open { from, to } }
    }

    /// All closed tours of a board.
    pub fn closed(board: Board) -> Self {
        Self { board, tours: Tours::Closed }
    }

    /// Whether closed tours are asked for.
    pub fn is_closed(&self) -> bool {
        self.tours == Tours::Closed
    }

    /// The fixed start, if there is one.
    pub fn from(&self) -> Option<Square> {
        match self.tours {
            Tours::Open { from, .. } => from,
            Tours::Closed => None,
        }
    }

    /// The fixed end, if there is one.
    pub fn to(&self) -> Option<Square> {
        match self.tours {
            Tours::Open { to, .. } => to,
            Tours::Closed => None,
        }
    }

    /// Whether the fixed ends are those of a path from one square to another.
    pub(crate) fn has_ends(&self, start: Square, end: Square) -> bool {
        self.from().is_none_or(|from| from == start) && self.to().is_none_or(|to| to == end)
    }

    /// The words that scripts know the question by: `open` or `closed`, then start and end, each a
    /// square's name or `all`.
    pub fn words(&self) -> [String; 3] {
        let tours = if self.is_closed() { "closed" } else { "open" };
        let end = |end: Option<Square>| end.map_or("all".to_owned(), |end| self.board.name(end));
        [tours.to_owned(), end(self.from()), end(self.to())]
    }

    /// Whether both ends are free, so that the board's symmetries map answers onto answers.
    pub fn is_whole(&self) -> bool {
        self.from().is_none() && self.to().is_none()
    }

    /// How many directed sequences one undirected tour stands for: 2, but 1 when a fixed end
    /// gives it a direction, and 1 for the tour of one square, which is its own reverse.
    pub fn directions(&self) -> u32 {
        if self.is_whole() && self.board.squares() > 1 { 2 } else { 1 }
    }
}

/// An end of a question lies off its board.
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
