//! The rules of the heuristics: which free square the knight tries first.
//!
//! A rule gives each candidate a value. The least value goes first, and the move order decides
//! between equal values. The *options* of a square are its free neighbours once the knight stands
//! on it.

use super::search::{Candidate, Search};

/// Most options first: heuristic h1a of Paris, given there as an example of one that fails.
pub(super) fn most_options(_: &Search, candidate: Candidate) -> u64 {
    u64::from(8 - candidate.options)
}

/// Fewest options first: Warnsdorff's rule of 1823, h1b of Paris.
pub(super) fn fewest_options(_: &Search, candidate: Candidate) -> u64 {
    u64::from(candidate.options)
}

/// Fewest options first, then farthest from the centre of the board: Roth's tie-break.
pub(super) fn far_from_centre(search: &Search, candidate: Candidate) -> u64 {
    // Distances are in half squares, so that the centre of every board has whole coordinates.
    let off_centre = |at: i32, side: u32| (2 * i64::from(at) - i64::from(side) + 1).pow(2);
    let distance = off_centre(candidate.row, search.board.rows())
        + off_centre(candidate.col, search.board.cols());
    u64::from(candidate.options) << 40 | ((1 << 40) - 1 - distance as u64)
}

/// A measure of the distance between a square and the nearest corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Distance {
    /// The length of the straight line.
    Euclidean,
    /// The sum of the differences of rows and of columns.
    Manhattan,
    /// The larger of both differences: the number of a king's moves.
    Chebyshev,
}

/// Fewest options first, then nearest to a corner: h2 of Paris.
pub(super) fn near_corner(distance: Distance, search: &Search, candidate: Candidate) -> u64 {
    let to_edge = |at: i32, side: u32| u64::from(at as u32).min(u64::from(side - 1 - at as u32));
    let rows = to_edge(candidate.row, search.board.rows());
    let cols = to_edge(candidate.col, search.board.cols());
    let distance = match distance {
        Distance::Euclidean => rows * rows + cols * cols,
        Distance::Manhattan => rows + cols,
        Distance::Chebyshev => rows.max(cols),
    };
    u64::from(candidate.options) << 40 | distance
}

/// Fewest options first, then fewest options of the best square after it.
///
/// This is Pohl's look-ahead (1967), one level deep.
pub(super) fn look_ahead(search: &Search, candidate: Candidate) -> u64 {
    let next = search.fewest_options_from(candidate.cell);
    u64::from(candidate.options) << 4 | u64::from(next)
}
