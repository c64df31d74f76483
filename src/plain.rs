//! Plain backtracking: the slowest counter and the easiest to check by eye.
//!
//! It tries every move from every square and nothing else: no pruning, no symmetry, no table. The
//! faster engines are tested against it. Invariant: `free` marks exactly the squares that are not
//! on the path. Cost: every self-avoiding knight path from the starts, so boards up to 5x5 or 3x9.

use crate::board::{PaddedBoard, Square};
use crate::question::Question;
use crate::tally::Tally;

/// The number of directed tours that answer the question: sequences of squares for open tours,
/// twice the number of cycles for closed ones.
///
/// ```
/// use kt_enum::{board::Board, plain, question::Question};
/// let board = Board::new(3, 4)?;
/// assert_eq!(plain::count(&Question::open(board)).0, 16);
/// # Ok::<(), kt_enum::board::BoardError>(())
/// ```
pub fn count(question: &Question) -> Tally {
    let mut count = 0;
    visit(question, &mut |_| count += 1);
    Tally(count)
}

/// Calls `found` with every directed tour, as its squares in order; closed tours from a1.
pub fn visit(question: &Question, found: &mut dyn FnMut(&[Square])) {
    let padded = PaddedBoard::new(question.board);
    let mut search = Search {
        free: padded.cells_filled(true, false),
        padded,
        question,
        path: Vec::new(),
        found,
    };
    for start in question.board.all_squares() {
        let is_start = match question.is_closed() {
            true => start.index() == 0,
            false => question.from().is_none_or(|from| from == start),
        };
        if is_start {
            search.extend(search.padded.cell(start));
        }
    }
}

struct Search<'a> {
    padded: PaddedBoard,
    free: Vec<bool>,
    question: &'a Question,
    path: Vec<Square>,
    found: &'a mut dyn FnMut(&[Square]),
}

impl Search<'_> {
    fn extend(&mut self, cell: usize) {
        self.free[cell] = false;
        self.path.push(self.padded.square(cell));
        if self.path.len() == self.question.board.squares() {
            if self.ends_well() {
                (self.found)(&self.path);
            }
        } else {
            for target in self.padded.targets(cell) {
                if self.free[target] {
                    self.extend(target);
                }
            }
        }
        self.path.pop();
        self.free[cell] = true;
    }

    fn ends_well(&self) -> bool {
        let (first, last) = (self.path[0], self.path[self.path.len() - 1]);
        match self.question.is_closed() {
            true => self.question.board.are_knight_neighbours(first, last),
            false => self.question.to().is_none_or(|to| to == last),
        }
    }
}
