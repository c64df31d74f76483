//! A symmetry that has to keep a tour, as the solver uses it: the image of each square, and the map
//! of the steps that goes with it.

use super::bits::Bits;
use crate::board::Square;

/// A map of the steps of a tour, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StepMap {
    /// So many steps later, around the tour.
    Later(usize),
    /// The step that together with this one has this sum, around the tour.
    Reverse(usize),
}

impl StepMap {
    pub fn of(self, step: usize, squares: usize) -> usize {
        match self {
            Self::Later(by) => (step + by) % squares,
            Self::Reverse(sum) => (sum + squares - step) % squares,
        }
    }

    pub fn of_set<const N: usize>(self, steps: &Bits<N>, squares: usize) -> Bits<N> {
        match self {
            Self::Later(by) => steps.turned(by, squares),
            Self::Reverse(sum) => steps.reversed(squares).turned((sum + 1) % squares, squares),
        }
    }
}

/// A symmetry that keeps tours, in tables, and its map of their steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Link {
    /// The image of each square, and the square whose image it is.
    pub images: Vec<Square>,
    pub origins: Vec<Square>,
    pub steps: StepMap,
    pub order: usize,
}

impl Link {
    pub fn new(images: Vec<Square>, steps: StepMap) -> Self {
        let mut origins = images.clone();
        let squares = images.iter().enumerate();
        squares.for_each(|(index, image)| origins[image.index()] = Square::from_index(index));
        let order = order(&images);
        Self { images, origins, steps, order }
    }
}

/// The number of times that a turn or a reflection has to be done to leave every square in place.
pub(super) fn order(images: &[Square]) -> usize {
    let after = |square: Square, times| (0..times).fold(square, |at, _| images[at.index()]);
    let is_in_place = |times: &usize| images.iter().all(|&square| after(square, *times) == square);
    [1, 2].into_iter().find(is_in_place).unwrap_or(4)
}
