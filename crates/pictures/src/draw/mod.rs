//! Tours drawn: as text ([`text()`]), as an SVG picture ([`svg()`]), as a page to browse and play
//! them ([`Gallery`]). Puzzles: as a picture ([`puzzle`]), as a sheet to print
//! ([`sheet`](mod@sheet)), as a page to solve them in ([`play`]). And runs: plots ([`plot`]) on a
//! page ([`report`]).
//!
//! Only a [`Tour`] is drawn, which is checked, so nothing of the text it was read from is in a
//! drawing; a title is the one thing typed that is, and it is escaped. A drawing has the top row
//! first, as a board is printed, and a square is one unit wide.
//!
//! A tour whose ends a move joins can be meant as a cycle or as a path; [`TourKind`] says which. A
//! cycle is drawn closed. Holes of a board are left blank, and a move across joined edges is drawn
//! as two lines, one from the board and one onto it. A graph has no places: a tour of one is drawn
//! on a circle or on places that are given ([`GraphDrawing`]), and not in any other form.
//!
//! ```
//! # use kt_enum_pictures as kt_enum;
//! use kt_enum::board::Board;
//! use kt_enum::draw::{Gallery, Style, Subject, svg};
//! use kt_enum::tour::Tour;
//!
//! let board = Board::new(3, 4)?;
//! let names = "a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3".split(' ');
//! let squares: Result<_, _> = names.map(|name| board.parse_square(name)).collect();
//! let subject = Subject::new(Tour::new(&board, squares?)?, true)?;
//! assert_eq!(subject.to_string(), "3x4, open, symmetric under a half turn");
//! assert!(svg(&subject, &Style::default()).contains("<polyline"));
//! let mut page = Gallery::new(Style::default());
//! page.add(&subject)?;
//! assert!(page.html().starts_with("<!DOCTYPE html>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Cost: linear in the squares. A page keeps 3 bits a move, so that 10,000 tours of 8x8 are 380 KB.

pub mod averages;
pub mod edges;
mod gallery;
pub mod heat;
mod joined;
pub mod markup;
pub mod play;
pub mod plot;
pub mod puzzle;
pub mod report;
pub mod sheet;
mod svg;
mod text;
mod vertices;

pub use gallery::Gallery;
pub use puzzle::PuzzleDrawing;
pub use svg::{Style, svg};
pub use text::{TextStyle, text};
#[doc(hidden)]
pub use vertices::GraphDrawing;

use crate::board::{Board, Square, Symmetry};
use crate::tour::Tour;
use markup::escaped;
use std::fmt;

/// The way a tour is drawn: as a path or as a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TourKind {
    /// A path whose ends no move joins.
    Open,
    /// A path whose ends a move joins.
    Reentrant,
    /// A cycle.
    Closed,
}

impl TourKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Open, Self::Reentrant, Self::Closed];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Reentrant => "re-entrant",
            Self::Closed => "closed",
        }
    }
}

/// A tour to be drawn.
#[derive(Debug, Clone)]
pub struct Subject {
    board: Board,
    tour: Tour,
    kind: TourKind,
    symmetries: Vec<Symmetry>,
}

/// The reason why a tour is not drawn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotDrawn {
    /// Its board has more than [`Subject::MOST_SQUARES`].
    #[error(
        "a tour of {0} is too large to be drawn: at most {most} squares (such as 1024x1024) are",
        most = Subject::MOST_SQUARES
    )]
    TooLarge(Board),
    /// Its board is a graph.
    #[error("a graph cannot be drawn: its vertices have no places")]
    Graph,
    /// No more tours have room on a page.
    #[error(
        "a page has room for {} tours and {} squares in all: show a part of them, such as the first with head -n",
        Gallery::MOST_TOURS,
        Gallery::MOST_SQUARES
    )]
    Full,
}

impl Subject {
    /// The most squares of a board that is drawn.
    pub const MOST_SQUARES: usize = 1 << 20;

    /// A tour to be drawn: as a cycle if a move joins its ends and `as_cycle` is set, otherwise as
    /// a path.
    ///
    /// # Errors
    /// [`NotDrawn`] when the board has more than [`Self::MOST_SQUARES`] or is a graph.
    pub fn new(tour: Tour, as_cycle: bool) -> Result<Self, NotDrawn> {
        let board = tour.board();
        if board.squares() > Self::MOST_SQUARES {
            return Err(NotDrawn::TooLarge(board));
        }
        if board.is_graph() {
            return Err(NotDrawn::Graph);
        }
        let kind = match (tour.is_reentrant(), as_cycle) {
            (false, _) => TourKind::Open,
            (true, false) => TourKind::Reentrant,
            (true, true) => TourKind::Closed,
        };
        let symmetries = tour.symmetries(kind == TourKind::Closed);
        Ok(Self { board, tour, kind, symmetries })
    }

    /// The way the tour is drawn.
    pub fn kind(&self) -> TourKind {
        self.kind
    }

    fn squares(&self) -> &[Square] {
        self.tour.squares()
    }

    /// The first and the last square, and whether the last one is the end of a path.
    fn ends(&self) -> (Square, Option<Square>) {
        let squares = self.squares();
        let last = squares[squares.len() - 1];
        let has_end = self.kind != TourKind::Closed && squares.len() > 1;
        (squares[0], has_end.then_some(last))
    }
}

/// The board, the kind and the symmetries in words.
impl fmt::Display for Subject {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let symmetry = match under(&self.symmetries) {
            Some(under) => format!("symmetric under {under}"),
            None => "asymmetric".to_owned(),
        };
        write!(out, "{}, {}, {symmetry}", self.board, self.kind.name())
    }
}

/// The symmetries of a tour in words; `None` if there is only the identity.
fn under(symmetries: &[Symmetry]) -> Option<String> {
    use Symmetry::{
        AntiTranspose, Automorphism, FlipCols, FlipRows, HalfTurn, QuarterTurn, Shift, Transpose,
    };
    let has = |symmetry| symmetries.contains(&symmetry);
    let names = [
        // Half a turn is two quarters, and three are one backwards.
        (has(QuarterTurn), "quarter turns"),
        (has(HalfTurn) && !has(QuarterTurn), "a half turn"),
        (has(FlipRows), "reflection top to bottom"),
        (has(FlipCols), "reflection left to right"),
        (has(Transpose), "reflection in the diagonal from a1"),
        (has(AntiTranspose), "reflection in the other diagonal"),
        (
            symmetries.iter().any(|symmetry| matches!(symmetry, Shift(_))),
            "a map across joined edges",
        ),
        (
            symmetries.iter().any(|one| matches!(one, Automorphism(_))),
            "a turn or reflection of its hexagons",
        ),
    ];
    let all: Vec<&str> = names.iter().filter(|(is_kept, _)| *is_kept).map(|name| name.1).collect();
    let (last, others) = all.split_last()?;
    Some(match others {
        [] => (*last).to_owned(),
        others => format!("{} and {last}", others.join(", ")),
    })
}
