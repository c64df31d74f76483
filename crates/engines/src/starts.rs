//! The counts of a run spread over the squares where its tours start.
//!
//! A unit stands for its prefix and all mirror images of the prefix under the symmetries of the
//! question, and each of these begins the same number of tours. So the count of a unit, shared
//! equally among the images of one square of the prefix, is exact. The sum over all squares is the
//! sum over all units.
//!
//! If an end is fixed every prefix begins there, and its second square tells the tours apart: by
//! their first move, or by their last move if only the end is fixed, for then the walk begins at
//! the end.
//!
//! If both ends are free a prefix does not tell where a tour starts. A tour and its reverse are
//! walked once, from the end whose orbit of squares comes first, and counted twice. So a unit that
//! begins on a1 also counts tours that *end* in a corner. A unit does tell each tour's end in the
//! earlier orbit ([`Meaning::EarlierEnd`]). Counts by start need a count with a fixed start for
//! each orbit ([`orbits_of_ends`]). Their sum over all squares checks the count of the whole board.

use crate::board::{Board, Square, Symmetry, orbit, orbits, stabilizer};
use crate::question::{Question, Tours};
use crate::tally::Tally;

/// Directed tours per square of the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Starts {
    /// The relation between a square and the tours counted for it.
    pub meaning: Meaning,
    /// The number of tours of each square, by the index of the square.
    pub tours: Vec<Tally>,
}

/// The relation between a square and the tours counted for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// The tours start on the square.
    Start,
    /// The square is the tour's end in the earlier orbit of squares.
    ///
    /// If both ends are in one orbit it is the tour's start.
    EarlierEnd,
    /// The first move of the tours goes to the square.
    FirstMove,
    /// The last move of the tours comes from the square.
    LastMove,
}

/// Counts of units cannot be spread over a board.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartsError {
    /// The label of a unit is not a prefix of the walk.
    #[error("unit `{0}` is not a row of squares of its board")]
    Label(String),
    /// The count of a unit cannot be shared equally by the squares of an orbit.
    #[error("`{label}` has {count} tours, which {images} symmetric squares cannot share equally")]
    Remainder {
        /// The prefix of the unit, or a start.
        label: String,
        /// The count of the unit.
        count: Tally,
        /// The number of squares in the orbit.
        images: usize,
    },
}

/// Spreads the counts of units of the walk over the board. Units are given as pairs of prefix and
/// count.
///
/// Returns `None` for closed tours, which start nowhere, and for prefixes that contain only a fixed
/// end.
///
/// # Errors
/// [`StartsError`] if the units are not units of the walk for this question.
pub fn of_units<'a>(
    question: &Question,
    units: impl IntoIterator<Item = (&'a str, &'a Tally)>,
) -> Result<Option<Starts>, StartsError> {
    let Tours::Open { from, to } = question.tours else {
        return Ok(None);
    };
    let board = &question.board;
    let whole = Symmetry::of(board).to_vec();
    let ends = from.into_iter().chain(to);
    let group = ends.fold(whole, |group, end| stabilizer(board, &group, end));
    let meaning = match (from, to) {
        (None, None) => Meaning::EarlierEnd,
        (Some(_), _) => Meaning::FirstMove,
        (None, Some(_)) => Meaning::LastMove,
    };
    let telling = usize::from(meaning != Meaning::EarlierEnd);
    let mut tours = vec![Tally::ZERO; board.squares()];
    for (label, count) in units {
        let Some(name) = label.split(' ').nth(telling) else {
            return Ok(None);
        };
        let square = board.parse_square(name).map_err(|_| StartsError::Label(label.to_owned()))?;
        let images = orbit(board, &group, square);
        let each = count.div_exact(images.len() as u64);
        let each = each.ok_or_else(|| StartsError::Remainder {
            label: label.to_owned(),
            count: count.clone(),
            images: images.len(),
        })?;
        images.into_iter().for_each(|image| tours[image.index()] += &each);
    }
    Ok(Some(Starts { meaning, tours }))
}

/// The orbits of squares where a tour may start.
///
/// These are all orbits of the board, unless one colour has one square more than the other: then
/// they are those of this colour.
pub fn orbits_of_ends(board: &Board) -> Vec<Vec<Square>> {
    let surplus = board.surplus();
    let mut orbits = orbits(board);
    orbits.retain(|orbit| surplus.abs() != 1 || board.colour(orbit[0]) == surplus);
    orbits
}

impl Starts {
    /// Makes the directed open tours by start from one count for each orbit of [`orbits_of_ends`],
    /// in the same order.
    ///
    /// Each count is that of the tours from one square of the orbit. The other squares of the orbit
    /// have equally many.
    pub fn of_orbits(board: &Board, counts: impl IntoIterator<Item = Tally>) -> Self {
        let mut tours = vec![Tally::ZERO; board.squares()];
        for (orbit, count) in orbits_of_ends(board).iter().zip(counts) {
            orbit.iter().for_each(|square| tours[square.index()] = count.clone());
        }
        Self { meaning: Meaning::Start, tours }
    }

    /// The sum over all squares.
    pub fn sum(&self) -> Tally {
        self.tours.iter().sum()
    }
}
