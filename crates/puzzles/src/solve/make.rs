//! Making a puzzle with exactly one solution from a tour.
//!
//! All steps of the tour are clues at first. They are taken away one by one, in random order, as
//! long as no other tour fits the rest. To prove that afresh each time would be wasteful: before a
//! clue is taken away the puzzle has one solution, so any other one differs from the tour at that
//! clue. The search for it begins with that knowledge, which rules out most cases at once.
//!
//! A clue that was needed once is needed with fewer clues as well, so one pass is enough for a
//! puzzle that loses its uniqueness with any clue. It may still have more clues than the fewest
//! possible. Clues that a symmetry of the board maps onto each other are taken away together. The
//! cost is one search per clue, and the last ones are the hardest. On boards of more than 100
//! squares some would take hours, so a clue stays if its search is long. Only where a number of
//! clues is wished and not reached, those are searched to the end.
//!
//! Where a grade is wanted, a clue is taken away only if the techniques up to that grade lead back
//! to it. They never use less of what is known when more is known, so here too one pass is enough,
//! and no clue of the result can go without a harder technique. What follows by techniques is the
//! only solution, so nothing has to be searched.

use super::hint::reaches;
use super::moves::BoardMoves;
use super::puzzle::{Clue, Puzzle, PuzzleError};
use super::solver::{Extent, Start, search};
use super::technique::Grade;
use crate::board::{Board, Square, Symmetry};
use crate::tour::Tour;
use fastrand::Rng;
use std::iter;
use std::ops::ControlFlow;

/// The first and the last step among the clues.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GivenEnds {
    /// They are clues if they happen to remain.
    #[default]
    Any,
    /// Both are clues.
    Shown,
    /// Neither is a clue.
    Hidden,
}

/// The kind of puzzle to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Recipe {
    /// The number of clues at which to stop; `None` for as few as this order of removal allows.
    pub clues: Option<usize>,
    /// A symmetry that maps the squares of the clues onto themselves.
    pub symmetry: Option<Symmetry>,
    /// The first and the last step.
    pub ends: GivenEnds,
    /// The grade; `None` for any.
    pub grade: Option<Grade>,
    /// The seed of the order in which clues are taken away. The same seed makes the same puzzle.
    pub seed: u64,
}

/// A puzzle cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MakeError {
    /// The board is too large.
    #[error(transparent)]
    Puzzle(#[from] PuzzleError),
    /// The tour cannot be closed.
    #[error("no move leads from the last square of the tour back to the first")]
    NotClosed,
    /// Other tours fit even if all steps are given that may be.
    #[error("without its ends the tour is not the only one")]
    Ambiguous,
    /// The puzzle is easier than wanted.
    #[error("no {} puzzle comes of the tours that were tried", .0.name())]
    TooEasy(Grade),
    /// The number of clues is too large.
    #[error("a puzzle of this kind has {most} clues at most")]
    TooMany {
        /// The number of clues that may be given, less than all.
        most: usize,
    },
    /// The number of clues is too small.
    #[error("{least} clues are needed when clues are taken away in this order")]
    TooFew {
        /// The number of clues that could not be taken away.
        least: usize,
    },
    /// `stop` returned true.
    #[error("the time is up")]
    Stopped,
}

/// Makes a puzzle whose only solution is a tour, closed or open.
///
/// ```
/// # use kt_enum_puzzles as kt_enum;
/// use kt_enum::board::Board;
/// use kt_enum::solve::{Extent, Recipe, Verdict, make, verdict};
/// use kt_enum::tour::Tour;
///
/// let board = Board::new(3, 4)?;
/// let squares = "a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3".split(' ');
/// let squares = squares.map(|name| board.parse_square(name)).collect::<Result<Vec<_>, _>>()?;
/// let tour = Tour::new(&board, squares)?;
/// let puzzle = make(&tour, false, Recipe::default(), &|| false)?;
/// assert!(puzzle.clues().len() < 6);
/// let answer = verdict(&puzzle, Extent::default(), &|| false);
/// assert_eq!(answer, Verdict::Unique(tour.squares().to_vec()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`MakeError`] if the tour is not closed as asked, or if no such puzzle was made.
pub fn make(
    tour: &Tour,
    is_closed: bool,
    recipe: Recipe,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Puzzle, MakeError> {
    if is_closed && !tour.is_reentrant() {
        return Err(MakeError::NotClosed);
    }
    let clues = (1..).zip(tour.squares()).map(|(step, &square)| Clue { step, square });
    let mut puzzle = Puzzle::new(tour.board(), is_closed, clues)?;
    let (moves, all) = (puzzle.moves(), puzzle.clues().to_vec());
    if recipe.ends == GivenEnds::Hidden {
        let ends = puzzle.clues().iter().filter(|clue| is_end(&puzzle, clue));
        let hidden = ends.flat_map(|clue| orbit(puzzle.board(), recipe.symmetry, clue.square));
        let hidden: Vec<Square> = hidden.collect();
        let clues = puzzle.clues().iter().copied();
        let hidden: Vec<Clue> = clues.filter(|clue| hidden.contains(&clue.square)).collect();
        puzzle = match without(&puzzle, &moves, &hidden, recipe.grade, u64::MAX, stop)? {
            Removal::Unique(rest) => rest,
            Removal::Ambiguous | Removal::Undecided => return Err(MakeError::Ambiguous),
        };
    }
    let most = puzzle.clues().len().min(tour.squares().len() - 1);
    if recipe.clues.is_some_and(|clues| clues > most) {
        return Err(MakeError::TooMany { most });
    }
    let mut groups = groups(&puzzle, recipe);
    for nodes in [patience(tour.squares().len()), u64::MAX] {
        let mut undecided = Vec::new();
        for group in groups {
            let rest = puzzle.clues().len() - group.len();
            if rest >= recipe.clues.unwrap_or(1) {
                match without(&puzzle, &moves, &group, recipe.grade, nodes, stop)? {
                    Removal::Unique(rest) => puzzle = rest,
                    Removal::Ambiguous => {}
                    Removal::Undecided => undecided.push(group),
                }
            }
        }
        groups = if recipe.clues.is_some() { undecided } else { Vec::new() };
    }
    let least = puzzle.clues().len();
    if recipe.clues.is_some_and(|clues| clues < least) {
        return Err(MakeError::TooFew { least });
    }
    let easier = recipe.grade.and_then(|grade| Some((grade, grade.easier()?)));
    match easier {
        Some((grade, easier)) if reaches(&puzzle, &moves, &all, easier, stop) => {
            Err(MakeError::TooEasy(grade))
        }
        _ => Ok(puzzle),
    }
}

/// True for the first and the last step.
fn is_end(puzzle: &Puzzle, clue: &Clue) -> bool {
    [1, puzzle.board().squares()].contains(&clue.step)
}

/// The clues that may be taken away, in random order, those together that have to be.
fn groups(puzzle: &Puzzle, recipe: Recipe) -> Vec<Vec<Clue>> {
    let is_shown = |clue: &Clue| recipe.ends == GivenEnds::Shown && is_end(puzzle, clue);
    let clue = |square: &Square| {
        let mut clues = puzzle.clues().iter().copied();
        clues.find(|clue| clue.square == *square).filter(|clue| !is_shown(clue))
    };
    let orbits = puzzle.board().all_squares().filter_map(|square| {
        let orbit = orbit(puzzle.board(), recipe.symmetry, square);
        orbit.iter().all(|other| *other >= square).then_some(orbit)
    });
    let mut groups: Vec<Vec<Clue>> =
        orbits.filter_map(|orbit| orbit.iter().map(clue).collect()).collect();
    Rng::with_seed(recipe.seed).shuffle(&mut groups);
    groups
}

/// The squares onto which powers of a symmetry map a square.
fn orbit(board: &Board, symmetry: Option<Symmetry>, square: Square) -> Vec<Square> {
    let image = |at: &Square| symmetry.map(|symmetry| symmetry.apply(board, *at));
    iter::successors(Some(square), |at| image(at).filter(|next| *next != square)).collect()
}

/// The nodes of a search after which a clue stays: all on small boards.
fn patience(squares: usize) -> u64 {
    const SMALL: usize = 100;
    const MOST: usize = 200_000;
    if squares > SMALL { (MOST / squares) as u64 } else { u64::MAX }
}

/// A puzzle with one solution after some of its clues were taken away.
enum Removal {
    /// It has one solution still.
    Unique(Puzzle),
    /// It has several.
    Ambiguous,
    /// The search was given up.
    Undecided,
}

/// Takes clues away from a puzzle with one solution, with a search of so many nodes for each, or as
/// far as the techniques of a grade lead back to them.
fn without(
    puzzle: &Puzzle,
    moves: &BoardMoves,
    group: &[Clue],
    grade: Option<Grade>,
    nodes: u64,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Removal, MakeError> {
    let rest = puzzle.clues().iter().copied().filter(|clue| !group.contains(clue)).collect();
    let rest = puzzle.with(rest);
    if let Some(grade) = grade.filter(|&grade| grade < Grade::Hard) {
        let is_unique = !rest.clues().is_empty() && reaches(&rest, moves, group, grade, stop);
        return match () {
            () if is_unique => Ok(Removal::Unique(rest)),
            () if stop() => Err(MakeError::Stopped),
            () => Ok(Removal::Ambiguous),
        };
    }
    for (place, &without) in group.iter().enumerate() {
        let fixed = [rest.clues(), &group[..place]].concat();
        let start = Start { puzzle: &rest, moves, fixed, without: Some(without) };
        if start.fixed.is_empty() {
            return Ok(Removal::Ambiguous);
        }
        let extent = Extent { solutions: 1, nodes, ..Extent::default() };
        let other = search(&start, extent, stop, &mut |_| ControlFlow::Continue(()));
        match other.count {
            0 if other.is_complete => {}
            0 if stop() => return Err(MakeError::Stopped),
            0 => return Ok(Removal::Undecided),
            _ => return Ok(Removal::Ambiguous),
        }
    }
    Ok(Removal::Unique(rest))
}
