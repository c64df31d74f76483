//! Tells where no tour exists, and why.
//!
//! For closed tours this is Schwenk's theorem (Which rectangular chessboards have a knight's tour?,
//! 1991). For open tours it is the theorem of Cull and De Curtins (Knight's tour revisited, 1978)
//! and the colour of the start. On boards of 3 and 4 rows a start may be impossible for other
//! reasons, which [`super::strips`] finds out.

use crate::board::{Board, Square};
use crate::question::{Impossible, Question};

/// A reason why no tour exists.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoTour {
    /// A closed tour alternates between two colours, and the number of squares is odd.
    #[error(
        "a closed tour visits as many light squares as dark ones, and their number is odd here"
    )]
    OddCycle,
    /// The board has a side of 1, 2 or 4: the first of Schwenk's exceptions.
    #[error("a board with a side of 1, 2 or 4 has no closed tour")]
    NarrowCycle,
    /// The board is 3x4, 3x6 or 3x8: the second of Schwenk's exceptions.
    #[error("3x4, 3x6 and 3x8 have no closed tour")]
    ShortCycle,
    /// A side is 1 or 2.
    #[error("on a board with a side of 1 or 2 a knight cannot go everywhere")]
    TooNarrow,
    /// The board is one of the four small exceptions.
    #[error("3x3, 3x5, 3x6 and 4x4 have no tour")]
    TooSmall,
    /// The number of squares is odd, and the start does not have the colour with more squares.
    #[error("on a board with an odd number of squares a tour starts and ends on the colour of a1")]
    Colour,
    /// The start is in an inner line of a board with a side of 4.
    ///
    /// Squares in the outer lines have neighbours only in the inner ones. So a tour that starts in
    /// an inner line alternates between both, and all its outer squares have one colour: it misses
    /// the others.
    #[error(
        "with 4 rows a tour starts and ends in the first or last row, with 4 columns in the first or \
         last column"
    )]
    InnerLine,
    /// The moves of a board that is not a full knight's board rule it out.
    #[error(transparent)]
    Impossible(Impossible),
    /// A search tried every path.
    #[error("every way was followed, and none is a tour")]
    Exhausted,
}

/// Returns the reason why a question has no tour, if it is known without a search. On a full
/// knight's board, theorems give it; there a tour starts on the first square if there is one at
/// all.
pub(super) fn no_tour(question: &Question) -> Option<NoTour> {
    let board = &question.board;
    if !board.is_plain() {
        return question.impossible().map(NoTour::Impossible);
    }
    let (short, long) = (board.rows().min(board.cols()), board.rows().max(board.cols()));
    if question.is_closed() {
        return match (short, long) {
            (1 | 2 | 4, _) => Some(NoTour::NarrowCycle),
            _ if board.squares() % 2 == 1 => Some(NoTour::OddCycle),
            (3, 4 | 6 | 8) => Some(NoTour::ShortCycle),
            _ => None,
        };
    }
    let from = question.from().unwrap_or(Square::from_index(0));
    match (short, long) {
        (1, 1) => None,
        (1 | 2, _) => Some(NoTour::TooNarrow),
        (3, 3 | 5 | 6) | (4, 4) => Some(NoTour::TooSmall),
        _ if board.squares() % 2 == 1 && board.colour(from) != 1 => Some(NoTour::Colour),
        _ if is_in_inner_line(board, from) => Some(NoTour::InnerLine),
        _ => None,
    }
}

/// True if the square is in the second or third line across a side of 4.
fn is_in_inner_line(board: &Board, square: Square) -> bool {
    let is_inner = |side: u32, line: u32| side == 4 && (line == 1 || line == 2);
    is_inner(board.rows(), board.row(square)) || is_inner(board.cols(), board.col(square))
}
