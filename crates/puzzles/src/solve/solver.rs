//! Solving a puzzle: a systematic search and a random one in turns, then on all threads.
//!
//! The systematic search proves, and the random search finds: on boards with several solutions
//! it often needs a thousandth of the nodes, and on boards with one it is wasted. So both take
//! turns until two solutions are known, and the random search has half of the nodes of the
//! systematic one. This takes at most three times as long as the better of the two, and a proof at
//! most one and a half times as long. A search that is still running after [`EASY`] nodes is
//! divided among threads in rounds of equal budgets, so that the answer does not depend on how fast
//! the threads are.

use super::candidates::{ALL_RULES, Candidates, Conflict};
use super::moves::BoardMoves;
use super::puzzle::Puzzle;
use super::reason::{Reason, explain};
use super::search::{PuzzleSearch, SearchPause};
use crate::board::{MoveOrder, Square};
use fastrand::Rng;
use rayon::prelude::*;
use std::ops::ControlFlow;

/// The number of nodes of the first turn. Each turn is longer than the last by a tenth.
const FIRST_TURN: u64 = 300;
/// The number of nodes after which a search is divided among threads.
const EASY: u64 = 20_000;
/// The number of nodes per round and thread.
const ROUND: u64 = 2_000;
/// The nodes of the systematic search per node of the random one. With 4, proofs take four fifths
/// of the time, and boards with several solutions take twice as long.
const CHANCE: u64 = 2;
/// The number of solutions until which the random search takes part.
const SOUGHT: u64 = 2;

/// The limits of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// The number of solutions after which the search ends.
    pub solutions: u64,
    /// The number of nodes after which the search ends.
    pub nodes: u64,
    /// The number of threads of rayon's current pool that take part on hard boards.
    pub threads: usize,
}

impl Default for Extent {
    /// All solutions, on one thread.
    fn default() -> Self {
        Self { solutions: u64::MAX, nodes: u64::MAX, threads: 1 }
    }
}

/// The result of a search for solutions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solutions {
    /// The number of solutions found.
    pub count: u64,
    /// True if there are no others.
    pub is_complete: bool,
    /// The reason why there is none, if the search is complete and found none.
    pub reason: Option<Reason>,
    /// The number of nodes searched.
    pub nodes: u64,
}

impl Solutions {
    fn none(reason: Reason, nodes: u64) -> Self {
        Self { count: 0, is_complete: true, reason: Some(reason), nodes }
    }

    /// The solutions that a search found before it paused.
    fn searched(count: u64, pause: SearchPause, nodes: u64) -> Self {
        let is_complete = pause == SearchPause::Done;
        let reason = (is_complete && count == 0).then_some(Reason::Searched);
        Self { count, is_complete, reason, nodes }
    }

    /// The solutions where the clues alone end in a conflict.
    fn of(puzzle: &Puzzle, conflict: Conflict) -> Self {
        match conflict {
            Conflict::Stopped | Conflict::Memory => Self::searched(0, SearchPause::Stopped, 1),
            _ => Self::none(explain(puzzle, conflict), 1),
        }
    }
}

/// The answer to the question whether a puzzle has exactly one solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// There is no solution.
    None(Reason),
    /// There is exactly one: its squares in the order of their steps.
    Unique(Vec<Square>),
    /// There are several; these are two of them.
    Several([Vec<Square>; 2]),
    /// The search ended at a limit or was stopped. The solution found so far, if any.
    Undecided(Option<Vec<Square>>),
}

/// Searches for the solutions of a puzzle.
///
/// `each` receives the squares of every solution in the order of their steps, and may break off.
/// `stop` is called often, by all threads, and ends the search when it returns true. A lack of
/// memory ends it in the same way.
///
/// ```
/// # use kt_enum_puzzles as kt_enum;
/// use kt_enum::board::Board;
/// use kt_enum::solve::{Extent, Puzzle, solve};
/// use std::ops::ControlFlow;
///
/// let puzzle = Puzzle::new(Board::new(5, 5)?, false, [])?;
/// let found = solve(&puzzle, Extent::default(), &|| false, &mut |_| ControlFlow::Continue(()));
/// assert_eq!((found.count, found.is_complete), (1_728, true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve(
    puzzle: &Puzzle,
    extent: Extent,
    stop: &(dyn Fn() -> bool + Sync),
    each: &mut dyn FnMut(&[Square]) -> ControlFlow<()>,
) -> Solutions {
    if let Some(reason) = puzzle.question().impossible() {
        return Solutions::none(reason.into(), 0);
    }
    let moves = puzzle.moves();
    at_width!(moves, |N| match Candidates::<N>::given(&moves, &puzzle.fixed(), ALL_RULES, stop) {
        Ok(root) => search_from(root, extent, stop, each),
        Err(conflict) => Solutions::of(puzzle, conflict),
    })
}

/// Passes the solutions of a puzzle to `each` in the order in which plain backtracking with a move
/// order meets them. If the clues fit closed tours in both directions, each comes once, in the
/// direction that is met first.
///
/// This takes one thread. Where clues are many and solutions are few, [`solve`] is faster, because
/// it may decide anywhere on the board.
pub fn solve_in_order(
    puzzle: &Puzzle,
    order: &MoveOrder,
    stop: &dyn Fn() -> bool,
    each: &mut dyn FnMut(&[Square]) -> ControlFlow<()>,
) -> Solutions {
    if let Some(reason) = puzzle.question().impossible() {
        return Solutions::none(reason.into(), 0);
    }
    let moves = puzzle.moves_in(|square| order.targets(puzzle.board(), square).collect());
    at_width!(moves, |N| match Candidates::<N>::given(&moves, &puzzle.fixed(), ALL_RULES, stop) {
        Ok(root) => {
            let mut search = PuzzleSearch::new(root, None);
            (search.is_in_order, search.is_walking) = (true, true);
            let mut count = 0;
            let pause = search.advance(u64::MAX, stop, &mut |squares| {
                if is_second(puzzle, &moves, squares) {
                    return ControlFlow::Continue(());
                }
                count += 1;
                each(squares)
            });
            Solutions::searched(count, pause, search.nodes)
        }
        Err(conflict) => Solutions::of(puzzle, conflict),
    })
}

/// True if a closed tour fits the clues in its other direction too, and is met in that one first.
fn is_second(puzzle: &Puzzle, moves: &BoardMoves, squares: &[Square]) -> bool {
    let n = squares.len();
    if !moves.closed || n < 3 || puzzle.directions() == 1 {
        return false;
    }
    let at = puzzle.clues().first().map_or(0, |clue| clue.step - 1);
    let targets = &moves.targets[squares[at].index()];
    let rank = |step: usize| targets.iter().position(|&to| to == squares[step % n]);
    rank(at + 1) > rank(at + n - 1)
}

/// Decides whether a puzzle has no solution, exactly one, or several.
pub fn verdict(puzzle: &Puzzle, extent: Extent, stop: &(dyn Fn() -> bool + Sync)) -> Verdict {
    let mut found = Vec::new();
    let extent = Extent { solutions: 2, ..extent };
    let solutions = solve(puzzle, extent, stop, &mut |squares| {
        found.push(squares.to_vec());
        ControlFlow::Continue(())
    });
    match (found.pop(), found.pop()) {
        (Some(one), Some(other)) => Verdict::Several([other, one]),
        (one, _) if !solutions.is_complete => Verdict::Undecided(one),
        (Some(one), _) => Verdict::Unique(one),
        (None, _) => Verdict::None(solutions.reason.unwrap_or(Reason::Searched)),
    }
}

/// Evaluates an expression in which a name stands for the number of words of sets that are wide
/// enough for a board. The expression is compiled for each width.
macro_rules! at_width {
    ($moves:expr, |$words:ident| $body:expr) => {
        match $moves.squares {
            ..=64 => at_width!($words = 1, $body),
            ..=128 => at_width!($words = 2, $body),
            ..=192 => at_width!($words = 3, $body),
            ..=256 => at_width!($words = 4, $body),
            ..=640 => at_width!($words = 10, $body),
            ..=1_024 => at_width!($words = 16, $body),
            ..=1_600 => at_width!($words = 25, $body),
            _ => at_width!($words = 64, $body),
        }
    };
    ($words:ident = $width:literal, $body:expr) => {{
        const $words: usize = $width;
        $body
    }};
}
pub(super) use at_width;

/// Searches for the solutions that some candidates leave.
pub(super) fn search_from<const N: usize>(
    root: Candidates<'_, N>,
    extent: Extent,
    stop: &(dyn Fn() -> bool + Sync),
    each: &mut dyn FnMut(&[Square]) -> ControlFlow<()>,
) -> Solutions {
    let squares = root.moves.squares;
    let chance = root.copy().map(|root| PuzzleSearch::new(root, Some(Rng::with_seed(1))));
    let parts = [PuzzleSearch::new(root, None)].into_iter().chain(chance).collect();
    let mut all = Turns { parts, extent, stop, each, count: 0, known: Vec::new(), nodes: 0 };
    let mut budget = FIRST_TURN.max(2 * squares as u64);
    let pause = loop {
        let left = extent.nodes.saturating_sub(all.nodes);
        let threads = if all.nodes < EASY { 1 } else { extent.threads };
        budget = if all.nodes < EASY { budget + budget / 10 } else { ROUND };
        all.share(threads);
        match all.round(budget.min(left), threads) {
            SearchPause::Paused if left > 0 => {}
            pause => break pause,
        }
    };
    Solutions::searched(all.count, pause, all.nodes)
}

/// The result of a turn of a search.
struct SolverTurn {
    pause: SearchPause,
    is_by_chance: bool,
    solutions: Vec<Vec<Square>>,
}

/// A search whose parts take turns.
struct Turns<'e, 'a, const N: usize> {
    parts: Vec<PuzzleSearch<'a, N>>,
    extent: Extent,
    stop: &'e (dyn Fn() -> bool + Sync),
    each: &'e mut dyn FnMut(&[Square]) -> ControlFlow<()>,
    /// The number of solutions found so far.
    count: u64,
    /// All solutions while the random search takes part.
    known: Vec<Vec<Square>>,
    nodes: u64,
}

impl<const N: usize> Turns<'_, '_, N> {
    /// Divides parts of the search until there is one per thread.
    fn share(&mut self, threads: usize) {
        for place in 0..self.parts.len() {
            if self.parts.len() < threads && !self.parts[place].is_by_chance() {
                let other = self.parts[place].split();
                self.parts.extend(other);
            }
        }
    }

    /// Gives each part a turn. The parts that are done are removed.
    fn round(&mut self, budget: u64, threads: usize) -> SearchPause {
        let mut parts = std::mem::take(&mut self.parts);
        let before: u64 = parts.iter().map(|part| part.nodes).sum();
        let (most, stop) = (self.extent.solutions - self.count, self.stop);
        // A proof learns more from decisions, and chance should not have to choose among
        // neighbours.
        let is_walking = self.count >= SOUGHT;
        let take = |part: &mut PuzzleSearch<'_, N>| {
            part.is_walking = is_walking;
            turn(part, budget, most, stop)
        };
        let pause = if threads == 1 {
            parts.iter_mut().try_for_each(|part| {
                self.book(take(part))?;
                // A search that is done leaves nothing to the other one.
                if part.is_done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
        } else {
            let turns: Vec<SolverTurn> = parts.par_iter_mut().map(take).collect();
            turns.into_iter().try_for_each(|turn| self.book(turn))
        };
        self.nodes += parts.iter().map(|part| part.nodes).sum::<u64>() - before;
        let is_over = parts.iter().any(|part| part.is_done && part.is_by_chance());
        let needs_chance = self.count < SOUGHT;
        parts.retain(|part| !part.is_done && (needs_chance || !part.is_by_chance()));
        self.parts = parts;
        match pause {
            _ if is_over || self.parts.iter().all(PuzzleSearch::is_by_chance) => SearchPause::Done,
            ControlFlow::Break(()) => SearchPause::Stopped,
            ControlFlow::Continue(()) => SearchPause::Paused,
        }
    }

    /// Passes on the solutions of a turn. Breaks off if no other part needs a turn.
    fn book(&mut self, turn: SolverTurn) -> ControlFlow<()> {
        for solution in turn.solutions {
            // From two solutions on the systematic search finds all others, so chance must not
            // repeat them.
            if turn.is_by_chance && self.count >= SOUGHT || self.known.contains(&solution) {
                continue;
            }
            self.count += 1;
            let answer = (self.each)(&solution);
            if self.count <= SOUGHT {
                self.known.push(solution);
            }
            if self.count >= self.extent.solutions {
                return ControlFlow::Break(());
            }
            answer?;
        }
        match turn.pause {
            SearchPause::Stopped => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

/// Searches up to `budget` more nodes. A random search starts again from the beginning.
fn turn<const N: usize>(
    search: &mut PuzzleSearch<'_, N>,
    budget: u64,
    most: u64,
    stop: &(dyn Fn() -> bool + Sync),
) -> SolverTurn {
    let mut solutions = Vec::new();
    let is_by_chance = search.is_by_chance();
    let most = if is_by_chance { SOUGHT } else { most };
    let budget = if is_by_chance { budget / CHANCE } else { budget };
    if is_by_chance {
        search.restart();
    }
    let pause = search.advance(budget, &stop, &mut |squares| {
        solutions.push(squares.to_vec());
        match solutions.len() as u64 >= most {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    SolverTurn { pause, is_by_chance, solutions }
}

/// Returns some solution of a puzzle, found by random choices. `None` if there is none, or if
/// `stop` returned true.
///
/// Every solution can be the result, but not all are equally likely. The same seed finds the same.
pub fn any_tour(puzzle: &Puzzle, seed: u64, stop: &dyn Fn() -> bool) -> Option<Vec<Square>> {
    if puzzle.question().is_impossible() {
        return None;
    }
    let moves = puzzle.moves();
    let mut budget = FIRST_TURN.max(2 * moves.squares as u64);
    let mut found = None;
    at_width!(moves, |N| {
        let root = Candidates::<N>::given(&moves, &puzzle.fixed(), ALL_RULES, stop).ok()?;
        let mut search = PuzzleSearch::new(root, Some(Rng::with_seed(seed)));
        loop {
            let pause = search.advance(budget, stop, &mut |squares| {
                found = Some(squares.to_vec());
                ControlFlow::Break(())
            });
            if found.is_some() || pause != SearchPause::Paused {
                return found;
            }
            search.restart();
            budget += budget / 10;
        }
    })
}
