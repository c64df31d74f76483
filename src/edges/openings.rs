//! The first decisions of the edges engine, one of each orbit under the symmetries of the board.
//!
//! To count the cycles of every first decision would count mirror images several times. The engine
//! first decides an orbit of squares: each of them gets both its edges. Every cycle gives these
//! squares some pairs of edges, an *opening*. A symmetry maps the cycles with one opening one to
//! one onto the cycles with its image. So it is enough to count the openings that are least among
//! their images, each weighted by the number of its different images. An opening that forces a dead
//! end has no cycle, and neither have its images.
//!
//! The enumeration costs one step of the search per opening. Partial openings that cannot be least
//! are cut off early.

use super::graph::{Consequence, EdgeGraph};
use crate::board::{Board, Square, SquareSet, Symmetry, orbit, stabilizer};
use std::cmp::{Ordering, Reverse};

/// The largest number of openings, mirror images included, of a board that is not a full knight's
/// board. With more, a single square is decided first.
const MOST_OPENINGS: u64 = 4_096;

/// The openings of a board, ascending.
#[derive(Debug, Clone, Default)]
pub(super) struct Openings {
    /// The squares that are decided first.
    pub squares: Vec<usize>,
    /// The two neighbours that each of the squares is joined to, for each opening.
    pub pairs: Vec<Vec<[u16; 2]>>,
    /// The number of openings that each one stands for, itself included.
    pub weights: Vec<u64>,
}

impl Openings {
    /// The openings under a group of symmetries of the board.
    pub fn of<S: SquareSet, const N: usize>(board: &Board, group: &[Symmetry]) -> Self {
        let (root, outcome) = EdgeGraph::<S, N>::new(board);
        let mut openings = Self::default();
        match outcome {
            Consequence::Open => {}
            Consequence::Dead => return openings,
            // The forced edges are the only tour, without a decision.
            Consequence::Tour => {
                (openings.pairs, openings.weights) = (vec![Vec::new()], vec![1]);
                return openings;
            }
        }
        let first = first_square(board, group, &root);
        let decided = orbit(board, group, first);
        // Many openings would take longer to enumerate than the search after them.
        let pairs = |square: &Square| {
            let choices = u64::from(root.choices(square.index()).len());
            choices * choices.saturating_sub(1) / 2
        };
        let most = decided.iter().map(pairs).fold(1, u64::saturating_mul);
        let group = if board.is_plain() || most <= MOST_OPENINGS {
            group.to_vec()
        } else {
            stabilizer(board, group, first)
        };
        if !root.bare.is_empty() {
            openings.squares = orbit(board, &group, first).iter().map(|s| s.index()).collect();
        }
        let images = OpeningImage::all(board, &group, &openings.squares);
        let mut enumeration = OpeningSearch { images, openings };
        enumeration.extend(&root, &mut Vec::new());
        enumeration.openings
    }
}

/// A square without edges whose orbit has the fewest choices per square.
///
/// Of several orbits the largest is taken, because it distinguishes the most symmetric images.
fn first_square<S: SquareSet, const N: usize>(
    board: &Board,
    group: &[Symmetry],
    root: &EdgeGraph<S, N>,
) -> Square {
    let rank = |&square: &usize| {
        let images = orbit(board, group, Square::from_index(square)).len();
        (root.choices(square).len(), Reverse(images))
    };
    let first = root.bare.indices().min_by_key(rank);
    Square::from_index(first.unwrap_or(0))
}

/// The effect of a symmetry on openings.
struct OpeningImage {
    /// The image of each square of the board, by its index.
    goes: Vec<u16>,
    /// The index of the square that is mapped to each of the first squares, among the first
    /// squares.
    from: Vec<usize>,
}

impl OpeningImage {
    fn all(board: &Board, group: &[Symmetry], squares: &[usize]) -> Vec<Self> {
        let image = |symmetry: &Symmetry| {
            let goes = |square| symmetry.apply(board, square).index() as u16;
            let goes: Vec<u16> = board.all_squares().map(goes).collect();
            let comes = |&to: &usize| {
                let is_source = |&from: &usize| usize::from(goes[from]) == to;
                squares.iter().position(is_source).unwrap_or(0)
            };
            let from = squares.iter().map(comes).collect();
            Self { goes, from }
        };
        group.iter().map(image).collect()
    }

    /// The pair that the image of an opening has for one of the first squares, if it is decided.
    fn pair(&self, opening: &[[u16; 2]], place: usize) -> Option<[u16; 2]> {
        let [one, other] = opening.get(self.from[place])?.map(|to| self.goes[usize::from(to)]);
        Some([one.min(other), one.max(other)])
    }
}

struct OpeningSearch {
    images: Vec<OpeningImage>,
    openings: Openings,
}

impl OpeningSearch {
    fn extend<S: SquareSet, const N: usize>(
        &mut self,
        at: &EdgeGraph<S, N>,
        opening: &mut Vec<[u16; 2]>,
    ) {
        let Some(same) = self.images_that_are_the_same(opening) else {
            return;
        };
        let Some(&square) = self.openings.squares.get(opening.len()) else {
            self.openings.pairs.push(opening.clone());
            let weight = self.images.len() / same;
            self.openings.weights.push(weight as u64);
            return;
        };
        for pair in pairs(at.choices(square)) {
            let mut next = *at;
            if next.keep_only(square, S::from_indices(pair.map(usize::from))) && { next }.settle()
                != Consequence::Dead
            {
                opening.push(pair);
                self.extend(&next, opening);
                opening.pop();
            }
        }
    }

    /// The number of symmetries that map an opening onto itself. `None` if an image is less than
    /// it.
    fn images_that_are_the_same(&self, opening: &[[u16; 2]]) -> Option<usize> {
        let mut same = 0;
        for image in &self.images {
            let pairs = (0..opening.len()).map_while(|place| image.pair(opening, place));
            let mut orders = pairs.zip(opening).map(|(other, pair)| other.cmp(pair));
            let order = orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal);
            if order.is_lt() {
                return None;
            }
            same += usize::from(order.is_eq());
        }
        Some(same)
    }
}

/// All pairs of squares of a set, ascending.
fn pairs<S: SquareSet>(set: S) -> impl Iterator<Item = [u16; 2]> {
    set.indices().flat_map(move |one| {
        let above = set.indices().filter(move |&other| other > one);
        above.map(move |other| [one as u16, other as u16])
    })
}
