//! Tours as checked values, and writing them.
//!
//! A value of type [`Tour`] visits every square of its board once, each a move from the last.

mod part_filled;
pub mod stream;
mod text;

pub use part_filled::PartFilled;
pub use stream::stream;
pub use text::{CLOSED, HEADER, LINKS, TextRows, TourFormat, TourWriter};

use crate::board::{Board, Piece, Square, Symmetry};

/// An open tour of a board: a Hamiltonian path of the graph of its moves, in one direction.
///
/// A tour carries its board, so it cannot be drawn, compared or counted on another one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tour {
    board: Board,
    squares: Vec<Square>,
}

/// The ending of a noun after a number.
pub fn plural(number: usize) -> &'static str {
    if number == 1 { "" } else { "s" }
}

/// The first error in a sequence of squares that is not a tour.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TourError {
    /// There are too many or too few squares.
    #[error("{given} square{} where the board has {wanted}", plural(*given))]
    Length {
        /// The number of squares given.
        given: usize,
        /// The number of squares of the board.
        wanted: usize,
    },
    /// A square is past the last one of the board.
    #[error("square {index} of the sequence is not on the {board} board")]
    OffBoard {
        /// The place in the sequence, from 1.
        index: usize,
        /// The board.
        board: Board,
    },
    /// A step is not a move.
    #[error("step {step} from {from} to {to} is not {wanted}")]
    Step {
        /// The number of the step, from 1.
        step: usize,
        /// The name of the square where it starts.
        from: String,
        /// The name of the square where it ends.
        to: String,
        /// The name of a move on the board.
        wanted: &'static str,
    },
    /// A square was visited before.
    #[error("{square}, square {index} of the sequence, was visited before")]
    Repeated {
        /// The place in the sequence, from 1.
        index: usize,
        /// The name of the square.
        square: String,
    },
}

impl Tour {
    /// Checks that these squares, in this order, are a tour.
    ///
    /// ```
    /// # use kt_enum_board as kt_enum;
    /// use kt_enum::board::Board;
    /// use kt_enum::tour::Tour;
    /// let board = Board::new(3, 4)?;
    /// let squares = vec![board.parse_square("a1")?, board.parse_square("b1")?];
    /// let error = Tour::new(&board, squares).expect_err("not a knight's move");
    /// assert_eq!(error.to_string(), "step 1 from a1 to b1 is not a knight's move");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`TourError`] with the first error.
    pub fn new(board: &Board, squares: Vec<Square>) -> Result<Self, TourError> {
        check_steps(board, &squares)?;
        let (given, wanted) = (squares.len(), board.squares());
        if given == wanted {
            Ok(Self { board: board.clone(), squares })
        } else {
            Err(TourError::Length { given, wanted })
        }
    }

    /// The board that the tour visits.
    pub fn board(&self) -> Board {
        self.board.clone()
    }

    /// The squares in the order of the visit.
    pub fn squares(&self) -> &[Square] {
        &self.squares
    }

    /// True if a move joins the ends, so that the tour can be closed. Two squares are not a cycle.
    pub fn is_reentrant(&self) -> bool {
        let (first, last) = (self.squares[0], self.squares[self.squares.len() - 1]);
        self.squares.len() > 2 && self.board.are_neighbours(first, last)
    }

    /// True if both are closed by a move and go through the same moves, wherever each begins and
    /// whichever way it goes.
    ///
    /// ```
    /// # use kt_enum_board as kt_enum;
    /// use kt_enum::{board::Board, tour::Tour};
    /// let board: Board = "3x3 piece=king without=b2".parse()?;
    /// let tour = |names: &str| {
    ///     let squares = names.split(' ').map(|name| board.parse_square(name));
    ///     Ok::<_, Box<dyn std::error::Error>>(Tour::new(&board, squares.collect::<Result<_, _>>()?)?)
    /// };
    /// let one = tour("a1 a2 a3 b3 c3 c2 c1 b1")?;
    /// assert!(one.is_same_cycle(&tour("c3 b3 a3 a2 a1 b1 c1 c2")?));
    /// assert!(!one.is_same_cycle(&tour("a1 b1 a2 a3 b3 c3 c2 c1")?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_same_cycle(&self, other: &Self) -> bool {
        let is_possible = self.is_reentrant() && other.is_reentrant() && self.board == other.board;
        is_possible && self.normal_form(true) == other.normal_form(true)
    }

    /// The squares in an order that depends neither on the direction nor, if `is_closed`, on the
    /// start.
    #[doc(hidden)]
    pub fn normal_form(&self, is_closed: bool) -> Vec<Square> {
        normal_form(self.squares.clone(), is_closed)
    }

    /// The canonical form of the tour as an open tour.
    ///
    /// It is the least of the sequences that the symmetries of the board and reversal make of the
    /// tour. Two open tours are of one class exactly if their canonical forms are equal.
    pub fn open_class(&self) -> Vec<Square> {
        self.least_image(false)
    }

    /// The canonical form of the closed tour that a re-entrant tour makes, whatever its start.
    ///
    /// Two closed tours are of one class exactly if their canonical forms are equal.
    pub fn closed_class(&self) -> Vec<Square> {
        self.least_image(true)
    }

    /// The symmetries of the board that map the tour onto itself or onto its reverse.
    ///
    /// If `is_closed`, the tour is taken as a cycle, so its start does not matter.
    pub fn symmetries(&self, is_closed: bool) -> Vec<Symmetry> {
        let own = self.normal_form(is_closed);
        let keeps = |&symmetry: &Symmetry| self.image(symmetry, is_closed) == own;
        Symmetry::of(&self.board).iter().copied().filter(keeps).collect()
    }

    fn least_image(&self, is_closed: bool) -> Vec<Square> {
        let images = Symmetry::of(&self.board).iter();
        let images = images.map(|&symmetry| self.image(symmetry, is_closed));
        images.min().unwrap_or_default()
    }

    fn image(&self, symmetry: Symmetry, is_closed: bool) -> Vec<Square> {
        let squares = self.squares.iter();
        let image = squares.map(|&s| symmetry.apply(&self.board, s)).collect();
        normal_form(image, is_closed)
    }
}

/// The normal form of a path or a cycle.
///
/// A path begins at its lower end. A cycle begins at its lowest square and goes to the lower of
/// that square's two neighbours.
fn normal_form(mut squares: Vec<Square>, is_closed: bool) -> Vec<Square> {
    let last = squares.len() - 1;
    if is_closed {
        let lowest = (0..=last).min_by_key(|&i| squares[i]).unwrap_or(0);
        squares.rotate_left(lowest);
        if last > 1 && squares[1] > squares[last] {
            squares[1..].reverse();
        }
    } else if squares[last] < squares[0] {
        squares.reverse();
    }
    squares
}

/// The name of a move on a board, for messages.
fn a_move(board: &Board) -> &'static str {
    match board.layout() {
        None => "an edge of the graph",
        Some(layout) if layout.piece == Piece::knight() => "a knight's move",
        Some(layout) if layout.is_hexagonal() => "a step to a neighbour",
        Some(_) => "a move of the piece",
    }
}

/// Checks that the step with this number, from 1, is a move.
pub fn check_step(board: &Board, step: usize, [from, to]: [Square; 2]) -> Result<(), TourError> {
    if board.are_neighbours(from, to) {
        return Ok(());
    }
    let (from, to) = (board.name(from), board.name(to));
    Err(TourError::Step { step, from, to, wanted: a_move(board) })
}

/// Checks that squares of the board are a path of moves.
pub fn check_steps(board: &Board, squares: &[Square]) -> Result<(), TourError> {
    if let Some(place) = squares.iter().position(|square| square.index() >= board.squares()) {
        return Err(TourError::OffBoard { index: place + 1, board: board.clone() });
    }
    let mut visited = vec![false; board.squares()];
    for (step, &to) in squares.iter().enumerate() {
        if step > 0 {
            check_step(board, step, [squares[step - 1], to])?;
        }
        if std::mem::replace(&mut visited[to.index()], true) {
            return Err(TourError::Repeated { index: step + 1, square: board.name(to) });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(board: &Board, names: &str) -> Result<Tour, TourError> {
        let square = |name| board.parse_square(name).expect("a square");
        Tour::new(board, names.split(' ').map(square).collect())
    }

    #[test]
    fn the_first_thing_wrong_with_a_sequence_is_named() {
        let board = Board::new(3, 4).expect("in range");
        let tour = "a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3";
        assert!(read(&board, tour).is_ok_and(|tour| !tour.is_reentrant() && tour.board() == board));
        let wrong = |names| read(&board, names).expect_err("wrong").to_string();
        assert_eq!(wrong("a1 c2"), "2 squares where the board has 12");
        assert_eq!(wrong("a1 b2"), "step 1 from a1 to b2 is not a knight's move");
        assert_eq!(wrong("a1 c2 a1"), "a1, square 3 of the sequence, was visited before");
        assert_eq!(
            wrong("a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 a1"),
            "step 11 from b2 to a1 is not a knight's move"
        );
        assert_eq!(
            wrong("a1 c2 a1 b3 d2 b3 c1 a2 c3 d1 b2 d3"),
            "a1, square 3 of the sequence, was visited before"
        );
    }

    #[test]
    fn squares_of_a_larger_board_are_refused() {
        let (board, large) = (Board::new(3, 4).expect("in range"), Board::new(5, 5).expect("too"));
        let squares: Vec<Square> = large.all_squares().skip(12).collect();
        let refused = Tour::new(&board, squares).expect_err("not on the board");
        assert_eq!(refused, TourError::OffBoard { index: 1, board });
        assert_eq!(refused.to_string(), "square 1 of the sequence is not on the 3x4 board");
    }
}
