//! The rules of the heuristics: which free square the knight tries first.
//!
//! A rule gives each candidate a value. The least value goes first, and the move order decides
//! between equal values. The *options* of a square are its free neighbours once the knight stands
//! on it.

use super::search::Candidate;

/// Most options first: heuristic h1a of Paris, given there as an example of one that fails.
pub(super) fn most_options(candidate: Candidate) -> u64 {
    u64::from(u16::MAX - candidate.options)
}

/// Fewest options first: Warnsdorff's rule of 1823, h1b of Paris.
pub(super) fn fewest_options(candidate: Candidate) -> u64 {
    u64::from(candidate.options)
}

/// Fewest options first, then farthest from the centre of a board with these rows and columns:
/// Roth's tie-break.
pub(super) fn far_from_centre((rows, cols): (u32, u32), candidate: Candidate) -> u64 {
    // Distances are in half squares, so that the centre of every board has whole coordinates.
    let off_centre = |at: i32, side: u32| (2 * i64::from(at) - i64::from(side) + 1).pow(2);
    let distance = off_centre(candidate.row, rows) + off_centre(candidate.col, cols);
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
pub(super) fn near_corner(
    distance: Distance,
    (rows, cols): (u32, u32),
    candidate: Candidate,
) -> u64 {
    let to_edge = |at: i32, side: u32| u64::from(at as u32).min(u64::from(side - 1 - at as u32));
    let (rows, cols) = (to_edge(candidate.row, rows), to_edge(candidate.col, cols));
    let distance = match distance {
        Distance::Euclidean => rows * rows + cols * cols,
        Distance::Manhattan => rows + cols,
        Distance::Chebyshev => rows.max(cols),
    };
    u64::from(candidate.options) << 40 | distance
}

/// Fewest options first, then fewest options of the best square after it, which `fewest_from`
/// gives.
///
/// This is Pohl's look-ahead (1967), one level deep.
pub(super) fn look_ahead(candidate: Candidate, fewest_from: &dyn Fn(usize) -> u16) -> u64 {
    u64::from(candidate.options) << 16 | u64::from(fewest_from(candidate.cell))
}
