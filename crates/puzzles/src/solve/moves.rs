//! The moves of a board in tables.

use super::link::Link;
use crate::board::Square;

/// The moves of a board, whether its tours are closed, and the symmetry that has to keep them.
#[derive(Debug)]
pub(super) struct BoardMoves {
    pub squares: usize,
    pub closed: bool,
    pub link: Option<Link>,
    /// The moves that tours have to use.
    pub required: Vec<[Square; 2]>,
    /// The squares that a move leads to from each square, by the index of the square.
    pub targets: Vec<Vec<Square>>,
}

/// True if a tour has moves between these pairs of squares.
pub(super) fn has_links(links: &[[Square; 2]], tour: &[Square], is_closed: bool) -> bool {
    let closing = [tour[tour.len() - 1], tour[0]];
    let closing = closing.chunks(2).filter(|_| is_closed);
    let moves = || tour.windows(2).chain(closing.clone());
    let joins =
        |two: &[Square], [one, other]: &[Square; 2]| two == [*one, *other] || two == [*other, *one];
    links.iter().all(|link| moves().any(|two| joins(two, link)))
}
