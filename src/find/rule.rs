//! Which of the free squares a knight goes to first: the heuristics' rules.
//!
//! A rule gives each candidate a value; the least goes first, and equal values go by the move order.
//! *Options* of a square are its free neighbours once the knight stands on it.

use crate::board::Board;

/// Values the candidates for a move.
pub(super) trait Rule {
    /// Whether the rule asks for options, which cost the search eight more writes a move.
    const COUNTS_OPTIONS: bool = true;

    /// The value of a candidate; the least is tried first.
    fn value(&self, free: &impl Free, candidate: Candidate) -> u64;
}

/// What a rule may ask of the free squares.
pub(super) trait Free {
    /// The fewest options of the free neighbours of a cell.
    fn fewest_options_from(&self, cell: usize) -> u8;
}

/// A free square next to the knight.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub cell: usize,
    pub row: i32,
    pub col: i32,
    pub options: u8,
}

/// The move order alone.
#[derive(Debug)]
pub(super) struct Blind;

impl Rule for Blind {
    const COUNTS_OPTIONS: bool = false;

    fn value(&self, _: &impl Free, _: Candidate) -> u64 {
        0
    }
}

/// Most options first: heuristic h1a of Paris, which he gives as an example of one that fails.
#[derive(Debug)]
pub(super) struct MostOptions;

impl Rule for MostOptions {
    fn value(&self, _: &impl Free, candidate: Candidate) -> u64 {
        u64::from(8 - candidate.options)
    }
}

/// Fewest options first: Warnsdorff's rule of 1823, h1b of Paris.
#[derive(Debug)]
pub(super) struct FewestOptions;

impl Rule for FewestOptions {
    fn value(&self, _: &impl Free, candidate: Candidate) -> u64 {
        u64::from(candidate.options)
    }
}

/// Fewest options, then farthest from the centre of the board: Roth's way to break ties.
#[derive(Debug)]
pub(super) struct FarFromCentre {
    pub board: Board,
}

impl Rule for FarFromCentre {
    fn value(&self, _: &impl Free, candidate: Candidate) -> u64 {
        // In half squares, so that the centre of every board has whole coordinates.
        let off_centre = |at: i32, side: u32| (2 * i64::from(at) - i64::from(side) + 1).pow(2);
        let distance = off_centre(candidate.row, self.board.rows())
            + off_centre(candidate.col, self.board.cols());
        u64::from(candidate.options) << 40 | ((1 << 40) - 1 - distance as u64)
    }
}

/// Fewest options, then nearest to a corner: h2 of Paris.
#[derive(Debug)]
pub(super) struct NearCorner {
    pub board: Board,
    pub distance: Distance,
}

/// How far a square is from a corner, by rows and columns between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Distance {
    /// As the crow flies.
    Euclidean,
    /// Rows and columns added.
    Manhattan,
    /// The larger of rows and columns, the number of a king's moves.
    Chebyshev,
}

impl Rule for NearCorner {
    fn value(&self, _: &impl Free, candidate: Candidate) -> u64 {
        let to_edge =
            |at: i32, side: u32| u64::from(at as u32).min(u64::from(side - 1 - at as u32));
        let rows = to_edge(candidate.row, self.board.rows());
        let cols = to_edge(candidate.col, self.board.cols());
        let distance = match self.distance {
            Distance::Euclidean => rows * rows + cols * cols,
            Distance::Manhattan => rows + cols,
            Distance::Chebyshev => rows.max(cols),
        };
        u64::from(candidate.options) << 40 | distance
    }
}

/// Fewest options, and among equals the one from which the fewest options can be gone to next:
/// Pohl's look ahead (1967), one level deep.
#[derive(Debug)]
pub(super) struct LookAhead;

impl Rule for LookAhead {
    fn value(&self, free: &impl Free, candidate: Candidate) -> u64 {
        u64::from(candidate.options) << 4 | u64::from(free.fewest_options_from(candidate.cell))
    }
}
