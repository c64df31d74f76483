//! Cuts the search tree at a depth into prefixes, one per orbit under the symmetries of the
//! question.
//!
//! A prefix stands for its orbit if it is the least of its mirror images, square by square.
//! Comparing complete prefixes would enumerate all of them first. Instead, the comparison is made
//! on the way down: a symmetry whose image of the path has become greater is dropped, and one whose
//! image is less ends the branch. The symmetries that are left at the end form the stabilizer of
//! the prefix, so its weight is the size of the group divided by their number.
//!
//! The weights of all units have to add up to the number of all prefixes, which is counted
//! separately without symmetry. [`prefixes_at`] checks that. The count takes one step per prefix,
//! a few ns each.

use super::reduction::Reduction;
use crate::board::{Square, Symmetry};
use crate::quantity::counted;
use crate::search::{Prefixes, TooManyUnits, at_depth};

/// The number of units at which the default depth is deep enough.
///
/// This number of units is shared evenly among threads and shows progress, and a checkpoint of them
/// has a few kilobytes. The default does not depend on the number of threads, so neither does the
/// fingerprint.
const ENOUGH_UNITS: usize = 500;

/// A split depth does not fit a board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SplitError {
    /// The depth exceeds the number of moves of a tour.
    #[error(
        "split depth {depth} is deeper than a tour of this board is long: at most {}",
        counted(*.most, "move")
    )]
    TooDeep {
        /// The depth requested.
        depth: u32,
        /// The number of moves of a tour.
        most: usize,
    },
    /// The depth makes more units than a run may have.
    #[error(transparent)]
    TooMany(#[from] TooManyUnits),
    /// The sizes of the orbits do not add up, so the symmetries are wrong.
    #[error(
        "the weights of the units add up to {weights} where there are {prefixes} prefixes: this is a defect of the program, please report it"
    )]
    Weights {
        /// The sum of the weights.
        weights: u64,
        /// The number of prefixes without symmetry.
        prefixes: u64,
    },
}

/// The prefixes of `depth` moves, in ascending order.
pub(super) fn prefixes_at(reduction: &Reduction, depth: u32) -> Result<Prefixes, SplitError> {
    let most = reduction.board.squares() - 1;
    if depth as usize > most {
        return Err(SplitError::TooDeep { depth, most });
    }
    let prefixes = at_depth(depth, |depth| enumerate(reduction, depth))?;
    let weights = (0..prefixes.len()).map(|unit| u64::from(prefixes.weight(unit))).sum();
    let mut visited = vec![false; reduction.board.squares()];
    let squares = path_len(reduction, depth);
    let all = count_paths(&reduction.onward, &mut visited, &reduction.starts, squares);
    if weights == all { Ok(prefixes) } else { Err(SplitError::Weights { weights, prefixes: all }) }
}

/// The first depth that has enough prefixes.
pub(super) fn depth_by_board(reduction: &Reduction) -> u32 {
    const DEEPEST: u32 = 12;
    let deepest = DEEPEST.min(reduction.board.squares() as u32 - 1);
    let is_enough = |&depth: &u32| {
        enumerate(reduction, depth).is_none_or(|prefixes| prefixes.len() >= ENOUGH_UNITS)
    };
    (0..deepest).find(is_enough).unwrap_or(deepest)
}

/// The number of squares of a path of `depth` moves that are walked.
fn path_len(reduction: &Reduction, depth: u32) -> usize {
    depth as usize + 1 - usize::from(reduction.removed.is_some())
}

fn enumerate(reduction: &Reduction, depth: u32) -> Option<Prefixes> {
    let mut enumeration = Enumeration {
        reduction,
        visited: vec![false; reduction.board.squares()],
        path: Vec::new(),
        path_len: path_len(reduction, depth),
        prefixes: Prefixes::default(),
        steps_left: MOST_STEPS,
    };
    let is_within_limit = enumeration.extend(&reduction.starts, &reduction.group);
    is_within_limit.then_some(enumeration.prefixes)
}

/// The most steps of an enumeration. Near the last square a tree has few paths but as many steps as
/// the count itself: a depth of 143 on 12x12 would never end.
const MOST_STEPS: u32 = 20_000_000;

struct Enumeration<'a> {
    reduction: &'a Reduction,
    visited: Vec<bool>,
    path: Vec<u16>,
    path_len: usize,
    prefixes: Prefixes,
    steps_left: u32,
}

impl Enumeration<'_> {
    /// Adds all prefixes below the path, which continues to one of the squares `next`, ascending.
    /// `fixing` are the symmetries that map the path onto itself.
    ///
    /// Returns false if there are too many, or too many steps lead to them.
    fn extend(&mut self, next: &[Square], fixing: &[Symmetry]) -> bool {
        let Some(left) = self.steps_left.checked_sub(1) else { return false };
        self.steps_left = left;
        if self.path.len() == self.path_len {
            let weight = self.reduction.group.len() / fixing.len();
            return self.prefixes.push(&self.path, weight as u32);
        }
        let reduction = self.reduction;
        next.iter().all(|&square| {
            let image = |symmetry: &Symmetry| symmetry.apply(&reduction.board, square);
            if self.visited[square.index()] || fixing.iter().any(|s| image(s) < square) {
                return true;
            }
            let still: Vec<Symmetry> =
                fixing.iter().copied().filter(|s| image(s) == square).collect();
            self.visited[square.index()] = true;
            self.path.push(square.index() as u16);
            let within_limit = self.extend(&reduction.onward[square.index()], &still);
            self.path.pop();
            self.visited[square.index()] = false;
            within_limit
        })
    }
}

/// Counts the self-avoiding paths of `squares` more squares whose first square is in `next`.
fn count_paths(
    onward: &[Vec<Square>],
    visited: &mut [bool],
    next: &[Square],
    squares: usize,
) -> u64 {
    if squares == 0 {
        return 1;
    }
    let mut paths = 0;
    for square in next.iter().map(|square| square.index()) {
        if !visited[square] {
            visited[square] = true;
            paths += count_paths(onward, visited, &onward[square], squares - 1);
            visited[square] = false;
        }
    }
    paths
}
