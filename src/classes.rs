//! Counts tours up to the symmetries of the board.
//!
//! Listing all tours and comparing their mirror images is as slow as listing them. By Burnside's
//! lemma the number of classes is the mean, over the symmetries of the board, of the number of
//! undirected tours that each symmetry maps onto itself.
//!
//! The identity maps every tour onto itself, so the count of all tours is its number. This module
//! searches the tours that another symmetry `g` maps onto themselves. A part that visits every
//! orbit of squares under `g` exactly once determines such a tour:
//!
//! - An open tour can only be mapped onto its reverse, because only the identity leaves every
//!   square in place. So `g` is an involution and fixes the middle of the tour, which is an edge
//!   from `x` to `g(x)` or one square. Each tour consists of two such parts, both paths from the
//!   middle outwards.
//! - A closed tour is rotated or reflected along its cycle. Let `m` be the order of `g`. A rotation
//!   moves the tour by `1/m` of its length, and the part is a path from a1 to a neighbour of
//!   `g(a1)` or of the inverse image of a1, one for each direction. In a reflection the part is the
//!   path between two edges that each join a square to its image, and each tour has four such
//!   readings. A reflection that fixes two squares would need a board with a side of 2, which has
//!   no closed tour.
//!
//! A part has half or a quarter of the squares, so the search visits about as many nodes as the
//! square root of a full count. A simple depth-first search is enough.

use crate::board::{Board, Square, SquareSet, Symmetry};
use crate::question::Question;
use crate::tally::Tally;

/// The largest number of squares of a board whose classes can be counted.
pub const LARGEST_BOARD: usize = 128;

/// Classes cannot be counted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClassesError {
    /// A fixed end breaks the symmetry of the question.
    #[error("classes are counted only where no end of the tours is fixed")]
    FixedEnds,
    /// The board has more than [`LARGEST_BOARD`] squares.
    #[error("classes are counted on boards of up to {LARGEST_BOARD} squares, and {0} has more")]
    TooLarge(Board),
    /// The sum over the symmetries is not a multiple of their number, so some count is wrong.
    #[error(
        "{sum} tours kept in all are no multiple of {symmetries} symmetries: this is a defect of the program, please report it"
    )]
    Remainder {
        /// The sum over the symmetries of the tours mapped onto themselves.
        sum: Tally,
        /// The number of symmetries.
        symmetries: u64,
    },
}

/// Checks that the classes of a question can be counted.
///
/// # Errors
/// [`ClassesError`] if an end is fixed or the board is too large.
pub fn check(question: &Question) -> Result<(), ClassesError> {
    if !question.is_whole() {
        return Err(ClassesError::FixedEnds);
    }
    if question.board.squares() > LARGEST_BOARD {
        return Err(ClassesError::TooLarge(question.board));
    }
    Ok(())
}

/// Counts the classes among `undirected`, the number of undirected tours of the question.
///
/// Returns `None` if `stop`, which is called every few milliseconds, returned true.
///
/// ```
/// use kt_enum::{board::Board, classes, question::Question};
/// let question = Question::closed(Board::new(6, 6)?);
/// let classes = classes::count(&question, 9_862_u32.into(), &|| false)?;
/// assert_eq!(classes, Some(1_245_u32.into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ClassesError`] if the question has no classes, or if the sum is not divisible.
pub fn count(
    question: &Question,
    undirected: Tally,
    stop: &dyn Fn() -> bool,
) -> Result<Option<Tally>, ClassesError> {
    check(question)?;
    if question.board.squares() == 1 {
        return Ok(Some(undirected));
    }
    let symmetries = Symmetry::of(question.board);
    let mut sum = undirected;
    for &symmetry in symmetries.iter().filter(|&&s| s != Symmetry::Identity) {
        match kept_by(question, symmetry, stop) {
            Some(kept) => sum += Tally::from(kept),
            None => return Ok(None),
        }
    }
    let symmetries = symmetries.len() as u64;
    match sum.div_exact(symmetries) {
        None => Err(ClassesError::Remainder { sum, symmetries }),
        classes => Ok(classes),
    }
}

/// Counts the undirected tours that a symmetry other than the identity maps onto themselves.
fn kept_by(question: &Question, symmetry: Symmetry, stop: &dyn Fn() -> bool) -> Option<u64> {
    let board = question.board;
    let mut parts = Parts::new(board, symmetry, stop);
    let image = |square: Square| symmetry.apply(board, square);
    let turns_on_itself = |&square: &Square| board.are_knight_neighbours(square, image(square));
    let turns_on_itself: Vec<Square> = board.all_squares().filter(turns_on_itself).collect();
    let fixed = board.all_squares().filter(|&square| image(square) == square);
    let fixed: Vec<Square> = fixed.collect();
    let a1 = Square::from_index(0);
    let is_involution = image(image(a1)) == a1;
    match (question.is_closed(), fixed.as_slice()) {
        (false, []) if is_involution => Some(parts.count(&turns_on_itself, parts.whole)? / 2),
        (false, [centre]) if is_involution => Some(parts.count(&[*centre], parts.whole)? / 2),
        (true, []) if is_involution => {
            let turned = parts.count(&[a1], parts.next_to(image(a1)))?;
            let ends = u128::from_indices(turns_on_itself.iter().map(|s| s.index()));
            let reflected = parts.count(&turns_on_itself, ends)?;
            Some(turned / 2 + reflected / 4)
        }
        (true, []) => {
            let forth = parts.count(&[a1], parts.next_to(image(a1)))?;
            let back = parts.count(&[a1], parts.next_to(image(image(image(a1)))))?;
            Some((forth + back) / 2)
        }
        _ => Some(0),
    }
}

/// A search for paths that visit every orbit of squares under one symmetry exactly once.
struct Parts<'a> {
    neighbours: Vec<u128>,
    orbits: Vec<u128>,
    whole: u128,
    stop: &'a dyn Fn() -> bool,
    nodes: u64,
    found: u64,
}

impl<'a> Parts<'a> {
    fn new(board: Board, symmetry: Symmetry, stop: &'a dyn Fn() -> bool) -> Self {
        let set = |squares: Vec<Square>| u128::from_indices(squares.iter().map(|s| s.index()));
        let orbit = |square| {
            let image = |&square: &Square| Some(symmetry.apply(board, square));
            set(std::iter::successors(Some(square), image).take(4).collect())
        };
        let neighbours = |square| set(board.knight_moves(square).collect());
        Self {
            neighbours: board.all_squares().map(neighbours).collect(),
            orbits: board.all_squares().map(orbit).collect(),
            whole: set(board.all_squares().collect()),
            stop,
            nodes: 0,
            found: 0,
        }
    }

    fn next_to(&self, square: Square) -> u128 {
        self.neighbours[square.index()]
    }

    /// Counts the paths from `starts` that end in `ends`. Returns `None` when cancelled.
    fn count(&mut self, starts: &[Square], ends: u128) -> Option<u64> {
        self.found = 0;
        for start in starts {
            let free = self.whole & !self.orbits[start.index()];
            self.extend(start.index(), free, ends)?;
        }
        Some(self.found)
    }

    fn extend(&mut self, head: usize, free: u128, ends: u128) -> Option<()> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(1 << 16) && (self.stop)() {
            return None;
        }
        if free == 0 {
            self.found += u64::from(ends & u128::single(head) != 0);
            return Some(());
        }
        for to in self.choices(head, free, ends).indices() {
            self.extend(to, free & !self.orbits[to], ends)?;
        }
        Some(())
    }

    /// The moves that can be part of a path.
    ///
    /// An orbit that at most one more square leads to is the next one or the last one.
    fn choices(&self, head: usize, free: u128, ends: u128) -> u128 {
        let near = self.neighbours[head] & free;
        if free & ends == 0 {
            return 0;
        }
        let (mut singles, mut far, mut next) = (0, 0, 0);
        for square in free.indices().filter(|&square| self.orbits[square].lowest() == square) {
            let orbit = self.orbits[square];
            let onward = self.neighbours[square] & free & !orbit;
            if onward == 0 && free != orbit {
                return 0;
            }
            if onward.at_most_one() {
                singles += 1;
                far += u32::from(near & orbit == 0);
                next |= near & orbit;
            }
        }
        match (singles, far) {
            (0, _) | (1, _) => near,
            (2, 0 | 1) => next,
            _ => 0,
        }
    }
}
