//! Where there is no tour, and why.
//!
//! Closed tours: Schwenk's theorem (Which rectangular chessboards have a knight's tour?, 1991). Open
//! ones: Cull and De Curtins (Knight's tour revisited, 1978), and the colours of the start. On boards
//! of 3 and 4 rows a start may be bad for other reasons; [`super::strips`] decides there.

use crate::board::{Board, Square};

/// Why there is no tour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoTour {
    /// A cycle alternates colours.
    #[error(
        "a closed tour visits as many light squares as dark ones, and their number is odd here"
    )]
    OddCycle,
    /// The first of Schwenk's exceptions.
    #[error("a board with a side of 1, 2 or 4 has no closed tour")]
    NarrowCycle,
    /// The second of Schwenk's exceptions.
    #[error("3x4, 3x6 and 3x8 have no closed tour")]
    ShortCycle,
    /// A side of 1 or 2.
    #[error("on a board with a side of 1 or 2 a knight cannot go everywhere")]
    TooNarrow,
    /// One of the four small exceptions.
    #[error("3x3, 3x5, 3x6 and 4x4 have no tour")]
    TooSmall,
    /// A path over an odd number of squares begins on the colour with more of them.
    #[error("on a board with an odd number of squares a tour starts and ends on the colour of a1")]
    Colour,
    /// Squares of the outer rows lie next to squares of the inner ones only.
    #[error(
        "on a board with a side of 4 a tour starts and ends in one of the two outer lines of 4"
    )]
    InnerLine,
    /// Every way was followed.
    #[error("every way was followed, and none is a tour")]
    Exhausted,
}

/// Why there is no tour of a board, as far as the theorems tell.
pub(super) fn no_tour(board: Board, from: Square, closed: bool) -> Option<NoTour> {
    let (short, long) = (board.rows().min(board.cols()), board.rows().max(board.cols()));
    if closed {
        return match (short, long) {
            (1 | 2 | 4, _) => Some(NoTour::NarrowCycle),
            _ if board.squares() % 2 == 1 => Some(NoTour::OddCycle),
            (3, 4 | 6 | 8) => Some(NoTour::ShortCycle),
            _ => None,
        };
    }
    match (short, long) {
        (1, 1) => None,
        (1 | 2, _) => Some(NoTour::TooNarrow),
        (3, 3 | 5 | 6) | (4, 4) => Some(NoTour::TooSmall),
        _ if board.squares() % 2 == 1 && !board.has_colour_of_a1(from) => Some(NoTour::Colour),
        _ if is_in_inner_line(board, from) => Some(NoTour::InnerLine),
        _ => None,
    }
}

/// Whether a square is in the second or third line across a side of four.
fn is_in_inner_line(board: Board, square: Square) -> bool {
    let is_inner = |side: u32, line: u32| side == 4 && (line == 1 || line == 2);
    is_inner(board.rows(), board.row(square)) || is_inner(board.cols(), board.col(square))
}
