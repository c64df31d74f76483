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

impl BoardMoves {
    /// True if a square and its image may have a step and its image, as far as these two tell.
    pub fn fits(&self, link: &Link, square: usize, step: usize) -> bool {
        let (image, to) = (link.images[square], link.steps.of(step, self.squares));
        let apart = step.abs_diff(to);
        let is_next = apart == 1 || self.closed && apart == self.squares - 1;
        let is_joined = || self.targets[square].contains(&image);
        (square == image.index()) == (step == to) && (!is_next || is_joined())
    }
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
