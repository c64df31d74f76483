//! The first decisions of the search, one for each symmetry class.
//!
//! The first squares to be decided are an orbit of the board's symmetries, and to decide a square is to
//! give it both its edges. Every cycle gives these squares some pairs of edges, an *opening*, and a
//! symmetry maps the cycles of one opening onto those of its image, one to one. So the openings that
//! are the least of their images, each counted as often as it has different images, stand for all.
//! An opening that forces a dead end has no cycle, nor has any image of it.
//!
//! Cost: one step of the search for each opening, with those that cannot be the least cut off early.

use super::graph::{Graph, Outcome};
use crate::board::{Board, Square, SquareSet, Symmetry, orbit};
use std::cmp::{Ordering, Reverse};

/// The openings of a board, ascending.
#[derive(Debug, Clone, Default)]
pub(super) struct Openings {
    /// The squares that are decided first.
    pub squares: Vec<usize>,
    /// For each opening, the neighbours that each of the squares is given.
    pub pairs: Vec<Vec<[u16; 2]>>,
    /// The number of openings that each stands for, itself included.
    pub weights: Vec<u64>,
}

impl Openings {
    /// The openings under a group of symmetries of the board.
    pub fn of<S: SquareSet, const N: usize>(board: Board, group: &[Symmetry]) -> Self {
        let (root, outcome) = Graph::<S, N>::new(board);
        let mut openings = Self::default();
        if outcome != Outcome::Open {
            return openings;
        }
        openings.squares = first_squares(board, group, &root);
        let images = Image::all(board, group, &openings.squares);
        let mut enumeration = Enumeration { images, openings };
        enumeration.extend(&root, &mut Vec::new());
        enumeration.openings
    }
}

/// The orbit of squares without edges that has fewest choices at each square, and of those the
/// largest: it tells most symmetric images apart.
fn first_squares<S: SquareSet, const N: usize>(
    board: Board,
    group: &[Symmetry],
    root: &Graph<S, N>,
) -> Vec<usize> {
    let rank = |&square: &usize| {
        let images = orbit(board, group, Square::from_index(square)).len();
        (root.choices(square).len(), Reverse(images))
    };
    let first = root.bare().indices().min_by_key(rank).map(Square::from_index);
    let squares = first.map_or(Vec::new(), |first| orbit(board, group, first));
    squares.into_iter().map(Square::index).collect()
}

/// What a symmetry makes of an opening.
struct Image {
    /// By square of the board, where it goes.
    goes: Vec<u16>,
    /// By place among the first squares, the place that comes to lie there.
    from: Vec<usize>,
}

impl Image {
    fn all(board: Board, group: &[Symmetry], squares: &[usize]) -> Vec<Self> {
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

    /// The pair that the image of an opening has at a place, if it is decided.
    fn pair(&self, opening: &[[u16; 2]], place: usize) -> Option<[u16; 2]> {
        let mut pair = opening.get(self.from[place])?.map(|square| self.goes[usize::from(square)]);
        pair.sort_unstable();
        Some(pair)
    }
}

struct Enumeration {
    images: Vec<Image>,
    openings: Openings,
}

impl Enumeration {
    fn extend<S: SquareSet, const N: usize>(
        &mut self,
        at: &Graph<S, N>,
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
                != Outcome::Dead
            {
                opening.push(pair);
                self.extend(&next, opening);
                opening.pop();
            }
        }
    }

    /// How many images of an opening are the opening itself; `None` when one is less.
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
