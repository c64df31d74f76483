//! Tours up to the symmetries of the board, by Burnside's lemma: the number of classes is the
//! mean, over the board's symmetries, of the number of undirected tours each one maps onto itself.
//!
//! The identity keeps every tour, so only the tours that a proper symmetry `g` keeps are searched
//! for here. They are fixed by a part that visits every `g`-orbit of squares once:
//!
//! - An open tour that is kept is reversed (only the identity keeps every square in place), so `g` is
//!   an involution and keeps the middle: an edge from `x` to `g(x)`, or one square. Each such tour
//!   has two halves, each a path from the middle outwards.
//! - A closed tour is turned or reflected. Turned by `1/m` of its length, `m` the order of `g`: the
//!   part from a1 to a neighbour of `g(a1)` or of its inverse image, one for each direction.
//!   Reflected: the path between two edges, each from a square to its image; four such readings. A
//!   reflection through two squares would need a board with a side of 2, which has no closed tour.
//!
//! Cost: about the square root of a full count, with a simple search.

use crate::board::{Board, Square, SquareSet, Symmetry};
use crate::question::Question;
use crate::tally::Tally;

/// Squares of the largest board whose classes are counted.
pub const LARGEST_BOARD: usize = 128;

/// Why classes were not counted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClassesError {
    /// A fixed end breaks the symmetry.
    #[error("classes are counted on whole boards: leave out --from and --to, or --classes")]
    FixedEnds,
    /// The board is past [`LARGEST_BOARD`].
    #[error(
        "classes are counted on boards of up to {LARGEST_BOARD} squares, {0} has more: leave out --classes"
    )]
    TooLarge(Board),
    /// The sum over the symmetries is no multiple of their number.
    #[error(
        "{sum} tours kept in all are no multiple of {symmetries} symmetries: this is a defect of the program, please report it"
    )]
    Remainder {
        /// Tours kept, summed over the symmetries.
        sum: Tally,
        /// The number of symmetries.
        symmetries: u64,
    },
}

/// Whether classes can be counted for this question.
///
/// # Errors
/// [`ClassesError`] when they can not.
pub fn check(question: &Question) -> Result<(), ClassesError> {
    if !question.is_whole() {
        return Err(ClassesError::FixedEnds);
    }
    if question.board.squares() > LARGEST_BOARD {
        return Err(ClassesError::TooLarge(question.board));
    }
    Ok(())
}

/// The number of classes among `undirected` tours that answer the question; `None` when `stop`
/// said so before the end.
///
/// # Errors
/// [`ClassesError`] when the question has none, or when the numbers do not divide.
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
        match kept(question, symmetry, stop) {
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

/// The number of undirected tours that a proper symmetry maps onto itself.
fn kept(question: &Question, symmetry: Symmetry, stop: &dyn Fn() -> bool) -> Option<u64> {
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

/// Paths that visit every orbit of squares under one symmetry exactly once.
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

    /// The number of paths from `starts` that end in `ends`; `None` when told to stop.
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

    /// The moves that can lead on: an orbit that only one more square leads to is next or last.
    fn choices(&self, head: usize, free: u128, ends: u128) -> u128 {
        let near = self.neighbours[head] & free;
        if free & ends == 0 {
            return 0;
        }
        let (mut singles, mut far, mut next) = (0, 0, 0);
        for square in free.indices().filter(|&square| self.orbits[square].lowest() == square) {
            let orbit = self.orbits[square];
            let ways = self.neighbours[square] & free & !orbit;
            if ways == 0 && free != orbit {
                return 0;
            }
            if ways.at_most_one() {
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
