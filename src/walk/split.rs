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
//! separately without symmetry. [`Prefixes::at`] checks that. The count takes one step per prefix,
//! about 100 ns each.

use super::reduction::Reduction;
use crate::board::{Square, Symmetry};

/// The prefixes of one depth, in ascending order.
#[derive(Debug)]
pub(super) struct Prefixes {
    depth: u32,
    path_len: usize,
    /// All paths one after the other, `path_len` squares each.
    squares: Vec<u16>,
    weights: Vec<u8>,
}

/// The largest number of units of a run. More units take memory and checkpoint space without
/// benefit.
pub(super) const MOST_UNITS: usize = 1_000_000;

/// The number of units at which the default depth is deep enough.
///
/// That many units are shared evenly among threads and show progress, and a checkpoint of them has
/// a few kilobytes. The default does not depend on the number of threads, so neither does the
/// fingerprint.
const ENOUGH_UNITS: usize = 500;

/// A split depth does not fit a board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SplitError {
    /// The depth exceeds the number of moves of a tour.
    #[error(
        "split depth {depth} is deeper than a tour of this board is long: at most {most} moves"
    )]
    TooDeep {
        /// The depth asked for.
        depth: u32,
        /// The number of moves of a tour.
        most: usize,
    },
    /// The depth makes more units than a run may have.
    #[error(
        "split depth {depth} makes more than {MOST_UNITS} units of work: {fits} is the deepest here"
    )]
    TooMany {
        /// The depth asked for.
        depth: u32,
        /// The largest depth that fits.
        fits: u32,
    },
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

impl Prefixes {
    /// The prefixes of `depth` moves.
    pub fn at(reduction: &Reduction, depth: u32) -> Result<Self, SplitError> {
        let most = reduction.board.squares() - 1;
        if depth as usize > most {
            return Err(SplitError::TooDeep { depth, most });
        }
        let Some(prefixes) = Self::enumerate(reduction, depth) else {
            // Small depths first, because they have few prefixes: from the deep end, 8x8 with 30
            // moves took nine seconds to refuse.
            let fitting = (0..depth).take_while(|&less| Self::enumerate(reduction, less).is_some());
            let fits = fitting.last().unwrap_or(0);
            return Err(SplitError::TooMany { depth, fits });
        };
        prefixes.check_weights(reduction)?;
        Ok(prefixes)
    }

    /// The prefixes of the first depth that has enough of them.
    pub fn by_board(reduction: &Reduction) -> Result<Self, SplitError> {
        const DEEPEST: u32 = 12;
        let deepest = DEEPEST.min(reduction.board.squares() as u32 - 1);
        let is_enough = |&depth: &u32| {
            Self::enumerate(reduction, depth).is_none_or(|prefixes| prefixes.len() >= ENOUGH_UNITS)
        };
        Self::at(reduction, (0..deepest).find(is_enough).unwrap_or(deepest))
    }

    /// The number of units.
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// The number of moves of every prefix.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// The squares of the prefix of a unit that are walked.
    pub fn path(&self, unit: usize) -> &[u16] {
        &self.squares[unit * self.path_len..][..self.path_len]
    }

    /// The weight of a unit: the number of prefixes it stands for.
    pub fn weight(&self, unit: usize) -> u32 {
        u32::from(self.weights[unit])
    }

    fn enumerate(reduction: &Reduction, depth: u32) -> Option<Self> {
        let path_len = depth as usize + 1 - usize::from(reduction.removed.is_some());
        let mut enumeration = Enumeration {
            reduction,
            visited: vec![false; reduction.board.squares()],
            path: Vec::new(),
            prefixes: Self { depth, path_len, squares: Vec::new(), weights: Vec::new() },
        };
        let complete = enumeration.extend(&reduction.starts, &reduction.group);
        complete.then_some(enumeration.prefixes)
    }

    fn check_weights(&self, reduction: &Reduction) -> Result<(), SplitError> {
        let weights = self.weights.iter().map(|&weight| u64::from(weight)).sum();
        let mut visited = vec![false; reduction.board.squares()];
        let prefixes = count_paths(reduction, &mut visited, &reduction.starts, self.path_len);
        match weights == prefixes {
            true => Ok(()),
            false => Err(SplitError::Weights { weights, prefixes }),
        }
    }
}

struct Enumeration<'a> {
    reduction: &'a Reduction,
    visited: Vec<bool>,
    path: Vec<u16>,
    prefixes: Prefixes,
}

impl Enumeration<'_> {
    /// Adds all prefixes below the path. `fixing` are the symmetries that map the path onto itself.
    ///
    /// Returns false if there are more than [`MOST_UNITS`].
    fn extend(&mut self, next: &[Square], fixing: &[Symmetry]) -> bool {
        if self.path.len() == self.prefixes.path_len {
            self.prefixes.squares.extend_from_slice(&self.path);
            let weight = self.reduction.group.len() / fixing.len();
            self.prefixes.weights.push(weight as u8);
            return self.prefixes.len() <= MOST_UNITS;
        }
        let board = self.reduction.board;
        let mut next: Vec<Square> = next.to_vec();
        next.sort_unstable();
        next.into_iter().all(|square| {
            let image = |symmetry: &Symmetry| symmetry.apply(board, square);
            if self.visited[square.index()] || fixing.iter().any(|s| image(s) < square) {
                return true;
            }
            let still: Vec<Symmetry> =
                fixing.iter().copied().filter(|s| image(s) == square).collect();
            let onward: Vec<Square> = self.reduction.moves(square).collect();
            self.visited[square.index()] = true;
            self.path.push(square.index() as u16);
            let within_limit = self.extend(&onward, &still);
            self.path.pop();
            self.visited[square.index()] = false;
            within_limit
        })
    }
}

/// Counts the self-avoiding paths of `squares` more squares whose first square is in `next`.
fn count_paths(
    reduction: &Reduction,
    visited: &mut [bool],
    next: &[Square],
    squares: usize,
) -> u64 {
    if squares == 0 {
        return 1;
    }
    let mut paths = 0;
    for square in next {
        if !visited[square.index()] {
            visited[square.index()] = true;
            let onward: Vec<Square> = reduction.moves(*square).collect();
            paths += count_paths(reduction, visited, &onward, squares - 1);
            visited[square.index()] = false;
        }
    }
    paths
}
