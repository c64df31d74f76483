//! The description of a board on a rectangle: its sides, the squares left out, the piece, and the
//! edges of the rectangle that are joined.
//!
//! A description has one text, which is part of the identity of a run: checkpoints and files of
//! units carry it, and it reads back as the same description.
//!
//! ```text
//! 8x8 piece=king wrap=torus without=a1,h8
//! ```
//!
//! A single number is read as the side of a square: `8` is `8x8`.

use super::piece::Piece;
use super::{Board, BoardError, square_name};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// The largest number of places of a rectangle that is described by tables.
pub(super) const MOST_PLACES: u64 = 16_384;

/// The edges of the rectangle that are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Wrap {
    /// None: a move ends at the edge.
    #[default]
    None,
    /// The left edge and the right edge.
    Cylinder,
    /// The left edge and the right edge, and the bottom edge and the top edge.
    Torus,
    /// The left edge and the right edge, upside down.
    Moebius,
}

impl Wrap {
    /// All of them, with their names.
    pub const NAMED: [(Self, &'static str); 4] = [
        (Self::None, "none"),
        (Self::Cylinder, "cylinder"),
        (Self::Torus, "torus"),
        (Self::Moebius, "moebius"),
    ];

    /// The name, as it is typed.
    pub fn name(self) -> &'static str {
        Self::NAMED.iter().find(|(wrap, _)| *wrap == self).map_or("", |(_, name)| name)
    }

    /// True if a column beyond the joined edges of a Moebius strip is reached upside down.
    #[doc(hidden)]
    pub fn is_turned(self, cols: u32, col: i64) -> bool {
        self == Self::Moebius && col.div_euclid(cols.into()).rem_euclid(2) == 1
    }

    /// The place that a step leads to on a rectangle, or `None` if it ends beyond an edge.
    #[doc(hidden)]
    pub fn lead(
        self,
        (rows, cols): (u32, u32),
        (row, col): (u32, u32),
        (up, right): (i32, i32),
    ) -> Option<(u32, u32)> {
        let (height, width) = (i64::from(rows), i64::from(cols));
        let mut row = i64::from(row) + i64::from(up);
        let mut col = i64::from(col) + i64::from(right);
        if self != Self::None {
            if self.is_turned(cols, col) {
                row = height - 1 - row;
            }
            col = col.rem_euclid(width);
        }
        if self == Self::Torus {
            row = row.rem_euclid(height);
        }
        let is_inside = (0..height).contains(&row) && (0..width).contains(&col);
        is_inside.then_some((row as u32, col as u32))
    }
}

/// A board as a rectangle with a piece, holes and joined edges.
///
/// ```
/// # use kt_enum_board as kt_enum;
/// use kt_enum::board::Layout;
/// let layout: Layout = "4x4 piece=king without=a1".parse()?;
/// assert_eq!(layout.board()?.squares(), 15);
/// # Ok::<(), kt_enum::board::BoardError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Layout {
    /// The number of rows of the rectangle.
    pub rows: u32,
    /// The number of columns of the rectangle.
    pub cols: u32,
    /// The squares left out, as (row, column), both from 0.
    pub without: BTreeSet<(u32, u32)>,
    /// The piece.
    pub piece: Piece,
    /// The edges that are joined.
    pub wrap: Wrap,
}

impl Layout {
    /// The description of a knight's board without holes.
    pub fn new(rows: u32, cols: u32) -> Self {
        let (without, piece) = (BTreeSet::new(), Piece::knight());
        Self { rows, cols, without, piece, wrap: Wrap::None }
    }

    /// The description of a hexagon of hexagons with this side. Its bottom row begins with a1, and
    /// its letters go along rows that lean to the left.
    pub fn hexagon(side: u32) -> Self {
        let width = side.saturating_mul(2).saturating_sub(1);
        // The board refuses larger ones.
        let most = if u64::from(width).pow(2) > MOST_PLACES { 0 } else { width };
        let places = (0..most).flat_map(|row| (0..most).map(move |col| (row, col)));
        let without = places.filter(|(row, col)| row.abs_diff(*col) >= side).collect();
        Self { piece: Piece::hex(), without, ..Self::new(width, width) }
    }

    /// True if the board is hexagonal: each row stands half a cell to the right of the one above.
    pub fn is_hexagonal(&self) -> bool {
        self.piece == Piece::hex()
    }

    /// True if the description is that of a full knight's board.
    pub fn is_plain(&self) -> bool {
        self.without.is_empty() && self.piece == Piece::knight() && self.wrap == Wrap::None
    }

    /// The board of this description.
    ///
    /// # Errors
    /// [`BoardError`] if the sides are out of range, a hole lies beyond them, no square is left, or
    /// the board has too many squares for a board that is described by tables.
    pub fn board(&self) -> Result<Board, BoardError> {
        Board::of_layout(self)
    }

    /// Leaves out one more square, named as in chess or as `row,col`.
    ///
    /// # Errors
    /// [`BoardError`] if the sides are out of range, or the text names no square within them.
    pub fn leave_out(&mut self, square: &str) -> Result<(), BoardError> {
        let rectangle = Board::new(self.rows, self.cols)?;
        let square = rectangle.parse_square(square)?;
        self.without.insert((rectangle.row(square), rectangle.col(square)));
        Ok(())
    }

    /// The names of the squares left out, ascending by row.
    pub fn holes(&self) -> impl Iterator<Item = String> {
        self.without.iter().map(|&(row, col)| square_name(row, col))
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}x{}", self.rows, self.cols)?;
        if self.piece != Piece::knight() {
            write!(out, " piece={}", self.piece)?;
        }
        if self.wrap != Wrap::None {
            write!(out, " wrap={}", self.wrap.name())?;
        }
        if !self.without.is_empty() {
            write!(out, " without={}", self.holes().collect::<Vec<_>>().join(","))?;
        }
        Ok(())
    }
}

impl FromStr for Layout {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Self, BoardError> {
        let unknown = || BoardError::Text(text.to_owned());
        let mut words = text.split(' ');
        let sides = words.next().unwrap_or_default();
        let sides = sides.split_once('x').unwrap_or((sides, sides));
        let side = |text: &str| text.parse().map_err(|_| unknown());
        let mut layout = Self::new(side(sides.0)?, side(sides.1)?);
        for word in words {
            match word.split_once('=').ok_or_else(unknown)? {
                ("piece", piece) => layout.piece = piece.parse()?,
                ("wrap", name) => {
                    let known = Wrap::NAMED.iter().find(|(_, known)| *known == name);
                    layout.wrap = known.ok_or_else(unknown)?.0;
                }
                ("without", squares) => {
                    squares.split(',').try_for_each(|square| layout.leave_out(square))?;
                }
                _ => return Err(unknown()),
            }
        }
        Ok(layout)
    }
}
