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
//! earlier orbit ([`Meaning::EarlierEnd`]). Counts by start proper are counts of their own, one for
//! each orbit: [`count`] has them of the frontier, and since that is another engine, their sum checks
//! the run.

use super::Silent;
use super::frontier::{self, FrontierError};
use crate::board::{Board, Square, Symmetry, orbit, stabiliser};
use crate::question::{Question, Tours};
use crate::tally::{Overflow, Tally};

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
    #[error(
        "unit `{label}` has {count} tours, which {images} symmetric squares cannot share equally"
    )]
    Remainder {
        /// The unit's prefix.
        label: String,
        /// Its count.
        count: Tally,
        /// Among so many.
        images: usize,
    },
    /// The count does not fit.
    #[error(transparent)]
    Overflow(#[from] Overflow),
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
    units: impl IntoIterator<Item = (&'a str, Tally)>,
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
        if count.0 % images.len() as u128 != 0 {
            return Err(StartsError::Remainder {
                label: label.to_owned(),
                count,
                images: images.len(),
            });
        }
        let each = Tally(count.0 / images.len() as u128);
        for image in images {
            tours[image.index()] = tours[image.index()].plus(each)?;
        }
    }
    Ok(Some(Starts { meaning, tours }))
}

/// The directed open tours of a board by start, counted by the frontier: one count for each orbit of
/// squares.
///
/// # Errors
/// [`StartsError::Frontier`] when the frontier cannot count them.
pub fn count(board: Board, settings: &frontier::Settings) -> Result<Starts, StartsError> {
    let group = Symmetry::of(board);
    let mut tours = vec![Tally::ZERO; board.squares()];
    // On an odd number of squares a path starts and ends on the colour that has one more.
    let can_start =
        |&square: &Square| board.squares().is_multiple_of(2) || board.has_colour_of_a1(square);
    for square in board.all_squares().filter(can_start) {
        let images = orbit(board, group, square);
        if images[0] == square {
            let question = Question::open_between(board, Some(square), None);
            let counted = frontier::count(&question, settings, &mut Silent)?.tours;
            let counted = Tally(u128::try_from(&counted).map_err(|_| Overflow)?);
            for image in images {
                tours[image.index()] = counted;
            }
        }
    }
    let meaning = Meaning::Start;
    Ok(Starts { meaning, tours })
}

impl Starts {
    /// All squares together.
    ///
    /// # Errors
    /// [`Overflow`] when the sum does not fit 128 bits.
    pub fn sum(&self) -> Result<Tally, Overflow> {
        Tally::sum(self.tours.iter().copied())
    }
}
