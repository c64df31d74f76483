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
//! earlier orbit ([`Meaning::EarlierEnd`]). Counts by start proper are counts of their own, one with a fixed start
//! for each orbit ([`orbits_of_ends`]), and their sum checks the run.

use crate::board::{Board, Square, Symmetry, orbit, orbits, stabiliser};
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

/// The orbits of squares where a tour may start: of all squares, but on an odd board of those of a1's colour.
pub fn orbits_of_ends(board: Board) -> Vec<Vec<Square>> {
    let is_even = board.squares().is_multiple_of(2);
    let mut orbits = orbits(board);
    orbits.retain(|orbit| is_even || board.has_colour_of_a1(orbit[0]));
    orbits
}

impl Starts {
    /// The directed open tours of a board by start, from a count for the first square of every orbit of
    /// [`orbits_of_ends`]; the other squares of an orbit have as many.
    pub fn of_orbits(board: Board, counts: impl IntoIterator<Item = Tally>) -> Self {
        let mut tours = vec![Tally::ZERO; board.squares()];
        for (orbit, count) in orbits_of_ends(board).iter().zip(counts) {
            for square in orbit {
                tours[square.index()] = count.clone();
            }
        }
        Self { meaning: Meaning::Start, tours }
    }

    /// All squares together.
    pub fn sum(&self) -> Tally {
        self.tours.iter().sum()
    }
}
