//! The squares in the order in which they are processed, and where tours may end.

use crate::board::{Board, Square, orbits};
use crate::question::{Question, Tours};

/// A board laid out along its long side: square `place` lies in row `place / width`, in column
/// `place % width`.
#[derive(Debug, Clone)]
pub(super) struct Strip {
    pub width: usize,
    /// How many squares there are; `None` for a strip without end.
    pub squares: Option<usize>,
    pub ends: Ends,
    /// By place, the number of its orbit among [`orbits_of_ends`]; the same when the board is turned by half.
    orbits: Vec<u8>,
}

/// Where tours may end.
#[derive(Debug, Clone)]
pub(super) enum Ends {
    /// Nowhere: closed tours.
    Closed,
    /// At the fixed places and, while there are fewer than two, anywhere the colours allow.
    Open { fixed: Vec<usize>, colours: Colours },
}

/// What the colours say about ends: a path alternates between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Colours {
    /// The number of squares is not known.
    Any,
    /// Odd: both ends are of the colour of the first square.
    First,
    /// Even: one end of each colour.
    OneOfEach,
}

impl Strip {
    /// The strip of a question.
    pub fn of(question: &Question) -> Self {
        let board = question.board;
        let squares = board.squares();
        let ends = match question.tours {
            Tours::Closed => Ends::Closed,
            Tours::Open { from, to } => Ends::Open {
                fixed: from
                    .into_iter()
                    .chain(to)
                    .map(|end| place(board, end))
                    .collect(),
                colours: match squares.is_multiple_of(2) {
                    true => Colours::OneOfEach,
                    false => Colours::First,
                },
            },
        };
        Self {
            width: board.rows().min(board.cols()) as usize,
            squares: Some(squares),
            ends,
            orbits: orbits_by_place(board),
        }
    }

    /// A strip without end as wide as the question's board has rows, on which boards of so many squares
    /// and its multiples are looked for.
    pub fn endless(question: &Question, step: usize) -> Self {
        let colours = match step.is_multiple_of(2) {
            true => Colours::OneOfEach,
            false => Colours::Any,
        };
        let ends = match question.is_closed() {
            true => Ends::Closed,
            false => Ends::Open {
                fixed: Vec::new(),
                colours,
            },
        };
        Self {
            width: question.board.rows() as usize,
            squares: None,
            ends,
            orbits: Vec::new(),
        }
    }

    /// The same board turned by half, so that the last square comes first.
    pub fn turned(&self) -> Self {
        let mut turned = self.clone();
        if let (Ends::Open { fixed, .. }, Some(squares)) = (&mut turned.ends, self.squares) {
            fixed
                .iter_mut()
                .for_each(|place| *place = squares - 1 - *place);
        }
        turned
    }

    /// The orbit of a place where tours may end; 0 where there are none.
    pub fn orbit(&self, place: usize) -> u8 {
        self.orbits.get(place).copied().unwrap_or(0)
    }

    /// The later neighbours of a place, ascending.
    pub fn later(&self, place: usize) -> impl Iterator<Item = usize> {
        let width = self.width as isize;
        let column = (place % self.width) as isize;
        let last = self.squares.unwrap_or(usize::MAX);
        [(1, -2), (1, 2), (2, -1), (2, 1)]
            .into_iter()
            .filter(move |(_, right)| (0..width).contains(&(column + right)))
            .map(move |(down, right)| (place as isize + down * width + right) as usize)
            .filter(move |&later| later < last)
    }

    pub fn are_neighbours(&self, one: usize, other: usize) -> bool {
        self.later(one).any(|later| later == other) || self.later(other).any(|later| later == one)
    }

    /// Whether a place has the colour of the first square.
    pub fn has_first_colour(&self, place: usize) -> bool {
        (place / self.width + place % self.width).is_multiple_of(2)
    }

    /// The colour of a place as a number: 1 for that of the first square, else -1.
    pub fn colour(&self, place: usize) -> i32 {
        if self.has_first_colour(place) { 1 } else { -1 }
    }
}

/// The orbits of squares where tours may end: of all squares, but on an odd board of those of a1's colour.
pub(crate) fn orbits_of_ends(board: Board) -> Vec<Vec<Square>> {
    let is_even = board.squares().is_multiple_of(2);
    let mut orbits = orbits(board);
    orbits.retain(|orbit| is_even || board.has_colour_of_a1(orbit[0]));
    orbits
}

fn orbits_by_place(board: Board) -> Vec<u8> {
    let mut by_place = vec![0; board.squares()];
    for (number, orbit) in orbits_of_ends(board).into_iter().enumerate() {
        for square in orbit {
            by_place[place(board, square)] = u8::try_from(number).unwrap_or(u8::MAX);
        }
    }
    by_place
}

/// Where a square of the board lies on its strip.
fn place(board: Board, square: Square) -> usize {
    let (row, col) = (board.row(square) as usize, board.col(square) as usize);
    match board.rows() <= board.cols() {
        true => col * board.rows() as usize + row,
        false => row * board.cols() as usize + col,
    }
}
