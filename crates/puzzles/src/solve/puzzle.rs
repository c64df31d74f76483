//! Part-filled boards.

use super::link::Link;
use super::moves::{BoardMoves, has_links};
use crate::board::{Board, Square};
use crate::question::Question;
use crate::tour::{PartFilled, Tour, TourFormat};

/// A number that is given on a square, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Clue {
    /// The step at which a tour visits the square, from 1.
    pub step: usize,
    /// The square.
    pub square: Square,
}

impl Clue {
    /// The number with its square, such as `5 on c3`.
    pub(super) fn words(&self, board: &Board) -> String {
        format!("{} on {}", self.step, board.name(self.square))
    }
}

/// A board with some steps given.
///
/// A solution is a tour of the board that visits the squares of the clues at their steps. A
/// solution of a closed puzzle numbers a closed tour, so the number 1 comes again after the last
/// one. Clues fix where the numbers begin, and at least two are needed to fix the direction. Where
/// a closed puzzle has no clue at all, the number 1 stands on the first square of the board;
/// otherwise each tour would be a solution once per square. So without clues the number of
/// solutions is the number of directed tours, open or closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Puzzle {
    board: Board,
    is_closed: bool,
    /// The clues by step.
    clues: Vec<Clue>,
    /// The pairs of squares that have to follow each other, each the lower square first.
    links: Vec<[Square; 2]>,
    /// The symmetry that maps solutions onto themselves, if one has to.
    kept: Option<Link>,
}

/// Clues do not make a puzzle.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PuzzleError {
    /// The board has more squares than the solver can hold.
    #[error("the solver of puzzles takes at most {most} squares, and {0} has more", most = Puzzle::LARGEST_BOARD)]
    TooLarge(Board),
    /// The board has no such square.
    #[error("a clue lies off the {0} board")]
    OffBoard(Board),
    /// The board has no such step: the step, the name of its square, and the last step.
    #[error("{0} on {1} is not a step: the steps go from 1 to {2}")]
    Step(usize, String, usize),
    /// A step is given on two squares.
    #[error("{0} is given twice: on {1} and on {2}")]
    StepTwice(usize, String, String),
    /// A link joins two squares that no move joins.
    #[error("no move joins {0} and {1}, so no tour has this link")]
    Link(String, String),
    /// Two steps are given on one square.
    #[error("{0} has two numbers: {1} and {2}")]
    SquareTwice(String, usize, usize),
}

impl Puzzle {
    /// The largest number of squares of a puzzle's board.
    pub const LARGEST_BOARD: usize = 4_096;

    /// Creates a puzzle from its clues, in any order.
    ///
    /// # Errors
    /// [`PuzzleError`] for a board that is too large, and for clues that are not on the board or
    /// contradict each other at once.
    pub fn new(
        board: Board,
        is_closed: bool,
        clues: impl IntoIterator<Item = Clue>,
    ) -> Result<Self, PuzzleError> {
        let last = board.squares();
        if last > Self::LARGEST_BOARD {
            return Err(PuzzleError::TooLarge(board));
        }
        let mut clues: Vec<Clue> = clues.into_iter().collect();
        clues.sort_unstable();
        for &Clue { step, square } in &clues {
            if square.index() >= last {
                return Err(PuzzleError::OffBoard(board));
            }
            if !(1..=last).contains(&step) {
                return Err(PuzzleError::Step(step, board.name(square), last));
            }
        }
        if let Some([one, other]) = twice(&clues, |clue| clue.step) {
            let [one_name, other_name] = [one, other].map(|clue| board.name(clue.square));
            return Err(PuzzleError::StepTwice(one.step, one_name, other_name));
        }
        let mut by_square = clues.clone();
        by_square.sort_by_key(|clue| clue.square);
        if let Some([one, other]) = twice(&by_square, |clue| clue.square.index()) {
            return Err(PuzzleError::SquareTwice(board.name(one.square), one.step, other.step));
        }
        Ok(Self { board, is_closed, clues, links: Vec::new(), kept: None })
    }

    /// The puzzle whose solutions also have moves between these pairs of squares.
    ///
    /// # Errors
    /// [`PuzzleError::Link`] for squares that no move joins.
    pub fn linked(mut self, mut links: Vec<[Square; 2]>) -> Result<Self, PuzzleError> {
        links.iter_mut().for_each(|link| link.sort_unstable());
        links.sort_unstable();
        links.dedup();
        for [one, other] in &links {
            if !self.board.are_neighbours(*one, *other) {
                return Err(PuzzleError::Link(self.board.name(*one), self.board.name(*other)));
            }
        }
        self.links = links;
        Ok(self)
    }

    /// The pairs of squares that have to follow each other.
    pub fn links(&self) -> &[[Square; 2]] {
        &self.links
    }

    /// The links as they are typed: `b2-b3`.
    pub fn link_names(&self) -> impl Iterator<Item = String> {
        let name = |square| self.board.name(square);
        self.links.iter().map(move |&[one, other]| format!("{}-{}", name(one), name(other)))
    }

    /// The line before the puzzle in a text that says what it is.
    pub fn board_line(&self) -> String {
        let links: Vec<String> = self.link_names().collect();
        TourFormat::board_line(&self.board, &links, self.is_closed)
    }

    /// Creates the puzzle that was read.
    ///
    /// # Errors
    /// The line and what is wrong there.
    pub fn of_text(read: PartFilled) -> Result<Self, String> {
        let clues = read.steps.into_iter().map(|(step, square)| Clue { step, square });
        let puzzle = Self::new(read.board, read.is_closed == Some(true), clues);
        let puzzle = puzzle.and_then(|puzzle| puzzle.linked(read.links));
        puzzle.map_err(|why| format!("line {}: {why}", read.line))
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// True if the solutions are closed tours.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// The clues in the order of their steps.
    pub fn clues(&self) -> &[Clue] {
        &self.clues
    }

    /// True if a tour is one of the solutions.
    pub fn is_solved_by(&self, tour: &Tour) -> bool {
        let is_of_kind = self.board == tour.board() && (!self.is_closed || tour.is_reentrant());
        is_of_kind
            && self.clues.iter().all(|clue| tour.squares()[clue.step - 1] == clue.square)
            && has_links(&self.links, tour.squares(), self.is_closed)
    }

    /// True if it is a solution of another puzzle with all steps given, as it stands beside it in a
    /// file. If the puzzle is meant `otherwise` than there, the tour may be open, and without its
    /// links.
    pub fn is_solution_of(&self, other: &Self, otherwise: bool) -> bool {
        let steps = self.board.squares();
        let is_whole = self.clues.len() == steps && other.clues.len() < steps;
        let written = Self { is_closed: false, links: Vec::new(), ..other.clone() };
        let other = if otherwise { &written } else { other };
        let squares = || self.clues.iter().map(|clue| clue.square).collect();
        is_whole && Tour::new(&self.board, squares()).is_ok_and(|tour| other.is_solved_by(&tour))
    }

    /// The puzzle with other clues.
    pub(super) fn with(&self, mut clues: Vec<Clue>) -> Self {
        clues.sort_unstable();
        Self { clues, ..self.clone() }
    }

    /// The puzzle of the solutions that a symmetry keeps in a way.
    pub(super) fn keeping(&self, kept: Link) -> Self {
        Self { kept: Some(kept), ..self.clone() }
    }

    /// The number of directions in which a tour that fits the clues fits them.
    ///
    /// It is 2 if the reverse of every solution is a solution, so if no clue gives a direction: if
    /// there is at most one clue in a closed tour, or two that are half a tour apart, and if an
    /// open tour has none but its middle. A tour of one square is its own reverse.
    pub fn directions(&self) -> u32 {
        let n = self.board.squares();
        let mut sums = self.clues.iter().map(|clue| match self.is_closed {
            true => 2 * clue.step % n,
            false => 2 * clue.step,
        });
        let sum = if self.is_closed { sums.next() } else { Some(n + 1) };
        if n > 1 && sums.all(|other| Some(other) == sum) { 2 } else { 1 }
    }

    /// The clues, or the one that fixes where the numbers of a closed tour begin.
    pub(super) fn fixed(&self) -> Vec<Clue> {
        let first = Clue { step: 1, square: Square::from_index(0) };
        match self.clues.is_empty() && self.is_closed {
            true => vec![first],
            false => self.clues.clone(),
        }
    }

    pub(super) fn moves(&self) -> BoardMoves {
        self.moves_in(|square| self.board.moves(square).collect())
    }

    /// The moves, given those from each square in some order.
    pub(super) fn moves_in(&self, from: impl Fn(Square) -> Vec<Square>) -> BoardMoves {
        BoardMoves {
            squares: self.board.squares(),
            closed: self.is_closed,
            required: self.links.clone(),
            link: self.kept.clone(),
            targets: self.board.all_squares().map(from).collect(),
        }
    }

    /// The question that the puzzle would be without the clues between the ends.
    pub fn question(&self) -> Question {
        let end = |step| self.clues.iter().find(|clue| clue.step == step).map(|clue| clue.square);
        let ends = [end(1), end(self.board.squares())];
        Question::of_kind(self.board.clone(), self.is_closed, ends)
    }
}

/// The first two neighbours in a list with the same key.
fn twice(clues: &[Clue], key: impl Fn(&Clue) -> usize) -> Option<[Clue; 2]> {
    let pairs = clues.windows(2).map(|pair| [pair[0], pair[1]]);
    pairs.into_iter().find(|[one, other]| key(one) == key(other))
}
