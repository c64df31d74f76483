//! Where the tours of a run start: its counts spread over the squares of the board.
//!
//! A unit stands for its prefix and all images of it under the symmetries of the question, and counts
//! the same number of tours for each. So its count, shared equally among the images of a square of
//! the prefix, is exact, and what all squares have adds up to what the units have.
//!
//! With a fixed end the square beside it in the prefix tells the tours by their first move (or last).
//! With both ends free a prefix does not tell where a tour starts: of a tour and its reverse the walk
//! takes the one that begins in the earlier orbit of squares and counts it twice, so that a unit of
//! a1 counts tours that *end* in a corner as well. What the units do tell is each tour's end in the
//! earlier orbit ([`Meaning::EarlierEnd`]). Counts by start proper are a count of their own: [`count`]
//! has them of the frontier, which carries the ends along, and since that is another engine, their
//! sum checks the run.

use super::Observer;
use super::frontier::{self, Counted, FrontierError};
use crate::board::{Board, Square, Symmetry, orbit, stabiliser};
use crate::frontier::MOST_ORBITS;
use crate::question::{Question, Tours};
use crate::tally::Tally;

/// A number of directed tours for each square of the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Starts {
    /// What a square's number counts.
    pub meaning: Meaning,
    /// By square.
    pub tours: Vec<Tally>,
}

/// What a square's number of tours counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// Tours that start there.
    Start,
    /// Tours with that end in the earlier orbit of squares; those with both ends in one orbit, by
    /// their start.
    EarlierEnd,
    /// Tours whose first move goes there.
    FirstMove,
    /// Tours whose last move comes from there.
    LastMove,
}

/// Why counts cannot be spread over a board.
#[derive(Debug, thiserror::Error)]
pub enum StartsError {
    /// A unit is none of the walk.
    #[error("unit `{0}` is no row of squares of its board")]
    Label(String),
    /// A unit's count is not that of an orbit.
    #[error("`{label}` has {count} tours, which {images} symmetric squares cannot share equally")]
    Remainder {
        /// The unit's prefix, or a start.
        label: String,
        /// Its count.
        count: Tally,
        /// Among so many.
        images: usize,
    },
    /// One run has no room for the starts of this board.
    #[error(
        "the starts of {0} cannot be counted all at once, for it is too wide or has too many kinds of squares"
    )]
    Board(Board),
    /// The starts are not all tours.
    #[error(
        "the counts by start add up to {sum}, not to {directed}: this is a defect of the program, please report it"
    )]
    Sum {
        /// Of all starts.
        sum: Tally,
        /// All tours.
        directed: Tally,
    },
    /// The frontier cannot count them.
    #[error(transparent)]
    Frontier(#[from] FrontierError),
}

/// The counts of units of the walk, given as prefix and count, spread over the board. `None` for
/// closed tours, which start nowhere, and where the prefixes have a fixed end and nothing else.
///
/// # Errors
/// [`StartsError`] when the units are none of the walk on this question.
pub fn of_units<'a>(
    question: &Question,
    units: impl IntoIterator<Item = (&'a str, &'a Tally)>,
) -> Result<Option<Starts>, StartsError> {
    let Tours::Open { from, to } = question.tours else {
        return Ok(None);
    };
    let board = question.board;
    let mut group = Symmetry::of(board).to_vec();
    for end in from.into_iter().chain(to) {
        group = stabiliser(board, &group, end);
    }
    let meaning = match (from, to) {
        (None, None) => Meaning::EarlierEnd,
        (Some(_), _) => Meaning::FirstMove,
        (None, Some(_)) => Meaning::LastMove,
    };
    let mut tours = vec![Tally::ZERO; board.squares()];
    for (label, count) in units {
        let telling = match meaning {
            Meaning::EarlierEnd => label.split(' ').next(),
            _ => label.split(' ').nth(1),
        };
        let Some(name) = telling else {
            return Ok(None);
        };
        let square = board.parse_square(name);
        let square = square.map_err(|_| StartsError::Label(label.to_owned()))?;
        let images = orbit(board, &group, square);
        let each = count.div_exact(images.len() as u64);
        let each = each.ok_or_else(|| StartsError::Remainder {
            label: label.to_owned(),
            count: count.clone(),
            images: images.len(),
        })?;
        for image in images {
            tours[image.index()] += &each;
        }
    }
    Ok(Some(Starts { meaning, tours }))
}

/// Whether the starts of a board can be counted in one run.
///
/// # Errors
/// [`StartsError::Board`] when they cannot.
pub fn check(board: Board) -> Result<(), StartsError> {
    orbits(board).map(drop)
}

/// The orbits of squares where a tour may start.
fn orbits(board: Board) -> Result<Vec<Vec<Square>>, StartsError> {
    let orbits = crate::frontier::orbits_of_ends(board);
    let fits = orbits.len() <= MOST_ORBITS && crate::frontier::check(board).is_ok();
    fits.then_some(orbits).ok_or(StartsError::Board(board))
}

/// The directed open tours of a board by start, counted by the frontier in one run by halves, whatever the
/// settings' method.
///
/// # Errors
/// [`StartsError::Board`] for a board that it has no room for, [`StartsError::Frontier`] when the frontier
/// cannot count, [`StartsError::Sum`] when its numbers do not add up.
pub fn count(
    board: Board,
    settings: &frontier::Settings,
    observer: &mut dyn Observer,
) -> Result<(Counted, Starts), StartsError> {
    let orbits = orbits(board)?;
    let (counted, ends) = frontier::count_by_orbit(board, orbits.len(), settings, observer)?;
    let ends = match board.squares() {
        1 => vec![counted.tours.clone()],
        _ => ends,
    };
    let mut tours = vec![Tally::ZERO; board.squares()];
    for (squares, of_orbit) in orbits.iter().zip(ends) {
        let count = Tally::from(of_orbit);
        let each = count.div_exact(squares.len() as u64);
        let each = each.ok_or_else(|| StartsError::Remainder {
            label: board.name(squares[0]),
            count,
            images: squares.len(),
        })?;
        squares
            .iter()
            .for_each(|square| tours[square.index()] = each.clone());
    }
    let starts = Starts {
        meaning: Meaning::Start,
        tours,
    };
    let sum = starts.sum();
    let directed = Tally::from(&counted.tours * Question::open(board).directions());
    match sum == directed {
        true => Ok((counted, starts)),
        false => Err(StartsError::Sum { sum, directed }),
    }
}

impl Starts {
    /// All squares together.
    pub fn sum(&self) -> Tally {
        self.tours.iter().sum()
    }
}
