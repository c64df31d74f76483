//! Plain backtracking: the slowest engine, and the easiest to check by eye.
//!
//! It tries every move from every square, without pruning, symmetry or tables. The faster engines
//! are tested against it. Invariant: `free` marks exactly the squares that are not on the path.
//! Cost: it visits every self-avoiding knight path from the starts, so it is practical up to 5x5 or
//! 3x9. Backtracking along a path cannot tell the units of the frontier apart; `cycles` recounts
//! these. On dense graphs [`sets`] takes over.

pub mod cycles;
pub mod sets;

use crate::board::{Board, Square};
use crate::question::Question;
use crate::rounds::Stop;
use crate::tally::Tally;

/// Returns the number of directed tours that answer the question. An open tour is a sequence of
/// squares and counts once per direction that fits the fixed ends. A closed tour counts twice, once
/// per direction, and not once per start.
///
/// ```
/// use kt_enum_engines::{board::Board, plain, question::Question};
/// let board = Board::new(3, 4)?;
/// assert_eq!(plain::count(&Question::open(board)).to_string(), "16");
/// # Ok::<(), kt_enum_engines::board::BoardError>(())
/// ```
pub fn count(question: &Question) -> Tally {
    let mut count = 0_u64;
    visit(question, &mut |_| count += 1);
    count.into()
}

/// Calls `found` with every directed tour, as its squares in order. Closed tours start at the
/// first square.
pub fn visit(question: &Question, found: &mut dyn FnMut(&[Square])) {
    let board = &question.board;
    for start in board.all_squares().filter(|&start| may_start(question, start)) {
        visit_below(board, &[start], &|| false, &mut |tour| {
            if may_end(question, tour[tour.len() - 1]) {
                found(tour);
            }
        });
    }
}

/// True if a tour may start on a square. Closed tours start on the first one.
fn may_start(question: &Question, start: Square) -> bool {
    if question.is_closed() {
        start.index() == 0 && question.board.squares() > 2
    } else {
        question.from().is_none_or(|from| from == start)
    }
}

/// True if a Hamiltonian path from where a tour may start is a tour if it ends on a square.
fn may_end(question: &Question, end: Square) -> bool {
    if question.is_closed() {
        question.board.are_neighbours(Square::from_index(0), end)
    } else {
        question.to().is_none_or(|to| to == end)
    }
}

/// Calls `found` with every Hamiltonian path of the board that begins with `prefix`, a path of at
/// least one square; an empty prefix has none. Returns false if `stop`, which is called every few
/// milliseconds, ended the search early.
pub fn visit_below(
    board: &Board,
    prefix: &[Square],
    stop: Stop,
    found: &mut dyn FnMut(&[Square]),
) -> bool {
    let Some((&head, before)) = prefix.split_last() else {
        return true;
    };
    let mut free = vec![true; board.squares()];
    for square in before {
        free[square.index()] = false;
    }
    let moves = board.all_squares().map(|square| board.moves(square).collect()).collect();
    let mut search = PlainSearch { moves, free, path: before.to_vec(), nodes: 0, stop, found };
    search.extend(head)
}

/// A depth-first search at its current node.
struct PlainSearch<'a> {
    /// The squares that a move leads to from each square.
    moves: Vec<Vec<Square>>,
    free: Vec<bool>,
    path: Vec<Square>,
    nodes: u64,
    stop: Stop<'a>,
    found: &'a mut dyn FnMut(&[Square]),
}

impl PlainSearch<'_> {
    /// Moves to a square, searches everything below and takes the move back. Returns false if the
    /// search was ended.
    fn extend(&mut self, square: Square) -> bool {
        self.nodes += 1;
        if self.nodes.is_multiple_of(1 << 16) && (self.stop)() {
            return false;
        }
        self.free[square.index()] = false;
        self.path.push(square);
        if self.path.len() == self.free.len() {
            (self.found)(&self.path);
        }
        for place in 0..self.moves[square.index()].len() {
            let target = self.moves[square.index()][place];
            if self.free[target.index()] && !self.extend(target) {
                return false;
            }
        }
        self.path.pop();
        self.free[square.index()] = true;
        true
    }
}
