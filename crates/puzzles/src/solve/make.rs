//! Making a puzzle with exactly one solution from a tour.
//!
//! All steps of the tour are clues at first. They are taken away one by one, in random order, as
//! long as no other tour fits the rest. To prove that afresh each time would be wasteful: before a
//! clue is taken away the puzzle has one solution, so any other one differs from the tour at that
//! clue. The search for it begins with that knowledge, which rules out most cases at once.
//!
//! The clues that stay for such a search are nearly the same for each clue, and it takes long to
//! enter hundreds of them afresh. So the clues to be taken away are halved again and again: all
//! that follows from the other half is entered once for a half, and taken back after it. Each clue
//! is entered as often as the number of clues can be halved, not once for each other clue. 30x30
//! takes seconds instead of minutes.
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

use super::candidates::{ALL_RULES, Candidates, Conflict};
use super::hint::reaches;
use super::moves::BoardMoves;
use super::puzzle::{Clue, Puzzle, PuzzleError};
use super::solver::{Extent, Verdict, at_width, search_from, verdict};
use super::technique::Grade;
use crate::board::{Board, Square, Symmetry};
use crate::quantity::counted;
use crate::tour::Tour;
use fastrand::Rng;
use std::ops::ControlFlow;
use std::{iter, mem};

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

impl GivenEnds {
    /// All values with their names.
    pub const NAMED: [(Self, &'static str); 3] =
        [(Self::Any, "any"), (Self::Shown, "shown"), (Self::Hidden, "hidden")];
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
    #[error("no {} puzzle {}comes of the tours that were tried", .grade.name(), with_clues(*.clues))]
    TooEasy {
        /// The wanted grade.
        grade: Grade,
        /// The wanted number of clues.
        clues: Option<usize>,
    },
    /// The number of clues is too large.
    #[error("a puzzle of this kind has {} at most", counted(*.most, "clue"))]
    TooMany {
        /// The number of clues that may be given, less than all.
        most: usize,
    },
    /// Clues that a symmetry keeps go together, and never leave so many.
    #[error("clues that the symmetry keeps are {} or {} here, not {clues}", .near[0], .near[1])]
    NotKept {
        /// The wanted number of clues.
        clues: usize,
        /// The numbers around it that are possible.
        near: [usize; 2],
    },
    /// More clues have to stay.
    #[error("a puzzle of this kind has at least {least} clues")]
    TooFewOfKind {
        /// The least number of clues.
        least: usize,
    },
    /// The number of clues is too small.
    #[error("a tour that was tried needs {least} clues when they are taken away in this order")]
    TooFew {
        /// The number of clues that could not be taken away.
        least: usize,
    },
    /// `stop` returned true. The puzzle so far, which has one solution and perhaps more clues than
    /// it needs, if some were taken away and neither their number nor a grade was wanted.
    #[error("the time is up")]
    Stopped(Option<Box<Puzzle>>),
}

fn with_clues(clues: Option<usize>) -> String {
    clues.map_or(String::new(), |clues| format!("with {clues} clues "))
}

impl MakeError {
    /// True if another tour may do. The numbers of clues that a symmetry leaves may depend on where
    /// the ends of the tour are.
    pub fn is_of_tour(&self, recipe: &Recipe) -> bool {
        match self {
            Self::Ambiguous | Self::TooEasy { .. } | Self::TooFew { .. } => true,
            Self::NotKept { .. } | Self::TooFewOfKind { .. } | Self::TooMany { .. } => {
                recipe.symmetry.is_some() && recipe.ends != GivenEnds::Any
            }
            _ => false,
        }
    }
}

/// Makes a puzzle whose only solution is a tour, closed or open, with some links of it shown.
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
/// let puzzle = make(&tour, false, &[], Recipe::default(), &|| false)?;
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
    links: &[[Square; 2]],
    recipe: Recipe,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Puzzle, MakeError> {
    if is_closed && !tour.is_reentrant() {
        return Err(MakeError::NotClosed);
    }
    let clues = (1..).zip(tour.squares()).map(|(step, &square)| Clue { step, square });
    let puzzle = Puzzle::new(tour.board(), is_closed, clues)?.linked(links.to_vec())?;
    let (moves, all) = (puzzle.moves(), puzzle.clues().to_vec());
    let (grade, nodes, undecided) = (recipe.grade, u64::MAX, Vec::new());
    let mut removal = Removal { puzzle, moves: &moves, least: 1, grade, nodes, undecided, stop };
    if recipe.ends == GivenEnds::Hidden {
        let puzzle = &removal.puzzle;
        let ends = puzzle.clues().iter().filter(|clue| is_end(puzzle, clue));
        let hidden = ends.flat_map(|clue| orbit(puzzle.board(), recipe.symmetry, clue.square));
        let hidden: Vec<Square> = hidden.collect();
        let clues = puzzle.clues().iter().copied();
        let hidden: Vec<Clue> = clues.filter(|clue| hidden.contains(&clue.square)).collect();
        removal.run(vec![hidden]).map_err(|Stopped| MakeError::Stopped(None))?;
        if removal.puzzle.clues().len() == all.len() {
            return Err(MakeError::Ambiguous);
        }
    }
    let mut groups = groups(&removal.puzzle, recipe);
    check_clues(&removal.puzzle, &groups, recipe.clues)?;
    removal.least = recipe.clues.unwrap_or(1).max(1);
    for nodes in [patience(all.len()), u64::MAX] {
        removal.nodes = nodes;
        groups = match removal.run(groups) {
            Ok(undecided) if recipe.clues.is_some() => undecided,
            Ok(_) => break,
            Err(Stopped) => {
                let is_free = recipe.clues.is_none() && grade.is_none();
                let is_wanted = is_free && removal.puzzle.clues().len() < all.len();
                return Err(MakeError::Stopped(is_wanted.then(|| Box::new(removal.puzzle))));
            }
        };
    }
    let puzzle = removal.puzzle;
    let least = puzzle.clues().len();
    if recipe.clues.is_some_and(|clues| clues < least) {
        return Err(MakeError::TooFew { least });
    }
    check_needs(&puzzle, &moves, &all, recipe, stop)?;
    Ok(puzzle)
}

/// Makes a puzzle from a tour with clues on chosen squares, of a grade if one is wanted.
///
/// # Errors
/// [`MakeError`] if these clues do not determine the tour, or not by this grade.
pub fn patterned(
    tour: &Tour,
    is_closed: bool,
    links: &[[Square; 2]],
    squares: &[Square],
    grade: Option<Grade>,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Puzzle, MakeError> {
    let all = (1..).zip(tour.squares()).map(|(step, &square)| Clue { step, square });
    let all: Vec<Clue> = all.collect();
    let clues = all.iter().copied().filter(|clue| squares.contains(&clue.square));
    let puzzle = Puzzle::new(tour.board(), is_closed, clues)?.linked(links.to_vec())?;
    let moves = puzzle.moves();
    let is_unique = match grade.filter(|&grade| grade < Grade::Hard) {
        Some(grade) => reaches(&puzzle, &moves, &all, grade, stop),
        None => {
            let extent = Extent { nodes: patience(all.len()), ..Extent::default() };
            matches!(verdict(&puzzle, extent, stop), Verdict::Unique(_))
        }
    };
    match is_unique {
        true => {
            let recipe = Recipe { grade, ..Recipe::default() };
            check_needs(&puzzle, &moves, &all, recipe, stop).map(|()| puzzle)
        }
        false if stop() => Err(MakeError::Stopped(None)),
        false => Err(MakeError::Ambiguous),
    }
}

/// Refuses a number of clues that no groups leave when they are taken away.
fn check_clues(
    puzzle: &Puzzle,
    groups: &[Vec<Clue>],
    wanted: Option<usize>,
) -> Result<(), MakeError> {
    let Some(wanted) = wanted else { return Ok(()) };
    let all = puzzle.clues().len();
    let mut can_be = vec![false; all + 1];
    can_be[all] = true;
    for group in groups {
        for left in group.len()..=all {
            can_be[left - group.len()] |= can_be[left];
        }
    }
    // A board with every step given is no puzzle.
    can_be[all] = all < puzzle.board().squares();
    let possible = || (1..=all).filter(|&clues| can_be[clues]);
    let below = possible().take_while(|&clues| clues < wanted).last();
    let above = possible().find(|&clues| clues >= wanted);
    Err(match (below, above) {
        (_, Some(clues)) if clues == wanted => return Ok(()),
        (Some(below), Some(above)) => MakeError::NotKept { clues: wanted, near: [below, above] },
        (None, Some(least)) => MakeError::TooFewOfKind { least },
        (below, None) => MakeError::TooMany { most: below.unwrap_or_default() },
    })
}

/// Refuses a puzzle of a lower grade.
fn check_needs(
    puzzle: &Puzzle,
    moves: &BoardMoves,
    all: &[Clue],
    Recipe { grade, clues, .. }: Recipe,
    stop: &dyn Fn() -> bool,
) -> Result<(), MakeError> {
    match grade.and_then(|grade| Some((grade, grade.easier()?))) {
        Some((grade, easier)) if reaches(puzzle, moves, all, easier, stop) => {
            Err(MakeError::TooEasy { grade, clues })
        }
        _ => Ok(()),
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

/// The nodes of a search after which a clue stays: all on small boards. A node costs more on a
/// larger board, and there are more clues.
fn patience(squares: usize) -> u64 {
    const SMALL: usize = 100;
    const MOST: [usize; 2] = [200_000, 50_000_000];
    match squares > SMALL {
        true => (MOST[0] / squares).min(MOST[1] / (squares * squares)) as u64,
        false => u64::MAX,
    }
}

/// `stop` returned true, or there is no memory to go on.
struct Stopped;

/// The removal of clues from a puzzle with one solution, which it keeps.
struct Removal<'a> {
    puzzle: Puzzle,
    moves: &'a BoardMoves,
    /// The least number of clues to leave, not 0.
    least: usize,
    grade: Option<Grade>,
    /// The nodes of a search after which a clue stays.
    nodes: u64,
    /// The groups for which the search was too long.
    undecided: Vec<Vec<Clue>>,
    stop: &'a (dyn Fn() -> bool + Sync),
}

impl Removal<'_> {
    /// Takes groups of clues away, one group after the other, and returns those for which the
    /// search was too long.
    fn run(&mut self, groups: Vec<Vec<Clue>>) -> Result<Vec<Vec<Clue>>, Stopped> {
        if let Some(grade) = self.grade.filter(|&grade| grade < Grade::Hard) {
            groups.iter().try_for_each(|group| self.try_by_techniques(group, grade))?;
            return Ok(Vec::new());
        }
        if groups.is_empty() {
            return Ok(groups);
        }
        let is_fixed = |clue: &&Clue| !groups.iter().flatten().any(|other| other == *clue);
        let fixed: Vec<Clue> = self.puzzle.clues().iter().filter(is_fixed).copied().collect();
        at_width!(self.moves, |N| {
            let others = Candidates::<N>::given(self.moves, &fixed, ALL_RULES, self.stop);
            self.divide(&mut others.map_err(|_| Stopped)?, &groups)?;
        });
        Ok(mem::take(&mut self.undecided))
    }

    /// The puzzle without a group of clues, if so many clues may go.
    fn without(&self, group: &[Clue]) -> Option<Puzzle> {
        let clues = self.puzzle.clues();
        let rest = clues.iter().copied().filter(|clue| !group.contains(clue));
        (clues.len() >= self.least + group.len()).then(|| self.puzzle.with(rest.collect()))
    }

    /// Takes a group away if the techniques up to a grade lead back to it.
    fn try_by_techniques(&mut self, group: &[Clue], grade: Grade) -> Result<(), Stopped> {
        let follows = |rest: &Puzzle| reaches(rest, self.moves, group, grade, self.stop);
        if let Some(rest) = self.without(group).filter(follows) {
            self.puzzle = rest;
        }
        if (self.stop)() { Err(Stopped) } else { Ok(()) }
    }

    /// Takes groups away, given what follows from all other clues.
    fn divide<const N: usize>(
        &mut self,
        others: &mut Candidates<'_, N>,
        groups: &[Vec<Clue>],
    ) -> Result<(), Stopped> {
        if let [group] = groups {
            return self.try_by_search(others, group);
        }
        let (first, second) = groups.split_at(groups.len() / 2);
        for (part, rest) in [(first, second), (second, first)] {
            let mark = others.mark();
            // A group has gone as a whole or not at all.
            let is_left = |group: &&Vec<Clue>| self.puzzle.clues().binary_search(&group[0]).is_ok();
            enter(others, rest.iter().filter(is_left).flatten(), self.stop)?;
            self.divide(others, part)?;
            others.undo(mark);
        }
        Ok(())
    }

    /// Takes a group away if a search shows that no other solution differs there.
    fn try_by_search<const N: usize>(
        &mut self,
        others: &mut Candidates<'_, N>,
        group: &[Clue],
    ) -> Result<(), Stopped> {
        let Some(rest) = self.without(group) else { return Ok(()) };
        for (place, without) in group.iter().enumerate() {
            let mark = others.mark();
            enter(others, &group[..place], self.stop)?;
            let excluded = others.exclude(without.square.index(), without.step - 1);
            let other = match excluded.and_then(|()| others.propagate(self.stop)) {
                Ok(()) => self.other(others.copy().ok_or(Stopped)?)?,
                Err(Conflict::Stopped | Conflict::Memory) => return Err(Stopped),
                Err(_) => Some(false),
            };
            others.undo(mark);
            if other.is_none() {
                self.undecided.push(group.to_vec());
            }
            if other != Some(false) {
                return Ok(());
            }
        }
        self.puzzle = rest;
        Ok(())
    }

    /// True if some candidates have a solution; `None` if the search was given up.
    fn other<const N: usize>(&self, mut root: Candidates<'_, N>) -> Result<Option<bool>, Stopped> {
        root.forget();
        let extent = Extent { solutions: 1, nodes: self.nodes, ..Extent::default() };
        let other = search_from(root, extent, self.stop, &mut |_| ControlFlow::Continue(()));
        match other.count {
            0 if other.is_complete => Ok(Some(false)),
            0 if (self.stop)() => Err(Stopped),
            0 => Ok(None),
            _ => Ok(Some(true)),
        }
    }
}

/// Enters clues of a solution into candidates, and all that follows.
fn enter<'c, const N: usize>(
    candidates: &mut Candidates<'_, N>,
    clues: impl IntoIterator<Item = &'c Clue>,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<(), Stopped> {
    let entered = candidates.enter(clues, stop);
    // The clues fit a tour, so only a stop or a lack of memory can end this.
    entered.and_then(|()| candidates.propagate(stop)).map_err(|_| Stopped)
}
