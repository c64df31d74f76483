//! The next step that follows in a puzzle and why, and how hard the puzzle is for a person.
//!
//! A person fills in one number at a time, so a hint is a number that follows without any other new
//! one. The solver's rules are switched on in the order in which people use them: first only what
//! the clues say about steps and squares, then the moves that a tour has to use, and then guesses.
//! A guess of depth 1 assumes another number and meets a contradiction by the rules alone; each
//! further level assumes one more in between. The first rule that gives a number makes the hint.
//!
//! What followed from the numbers before is kept from hint to hint, so most hints cost as much as
//! one decision of the search. Guesses cost most. Each assumption is tried once for a depth; what a
//! lower depth refuted stays refuted, and neither the numbers of a solution nor those that follow
//! from an assumption that stands have to be tried.

use super::candidates::{ALL_RULES, Candidates, Conflict, Rules};
use super::puzzle::{Clue, Puzzle};
use super::search::PuzzleSearch;
use super::solver::{Start, at_width};
use crate::board::{Board, Square};
use crate::quantity::counted;
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::ControlFlow;

/// The greatest depth of a guess.
const DEEPEST: u32 = 10;

/// The number of nodes in which a solution is looked for.
const SOON: u64 = 10_000;

/// The rules of the hints that need no guess, and those of guesses.
const STAGES: [Rules; 3] =
    [Rules { edges: false, singles: false }, Rules { edges: true, singles: false }, ALL_RULES];

/// The reason for a hint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// The step has no other square: the last step given before it and the first one after it.
    OneSquare(Option<Clue>, Option<Clue>),
    /// The square has no other step.
    OneStep,
    /// Squares with two moves left need both.
    Moves,
    /// Everything else leads to a contradiction, after at most this many assumptions.
    Guess(u32),
}

/// A number that follows from the clues of a puzzle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hint {
    /// The number and its square.
    pub clue: Clue,
    /// The reason.
    pub why: Why,
}

impl Hint {
    /// The hint in words, such as `5 goes on c3: no other square fits between 4 on b1 and
    /// 7 on d8`.
    pub fn words(&self, board: &Board) -> String {
        let name = |clue: Clue| format!("{} on {}", clue.step, board.name(clue.square));
        let (step, square) = (self.clue.step, board.name(self.clue.square));
        let why = match self.why {
            Why::OneSquare(before, after) => {
                let before = before.map_or("the beginning".to_owned(), name);
                let after = after.map_or("the end".to_owned(), name);
                format!("no other square fits between {before} and {after}")
            }
            Why::OneStep => format!("no other number fits {square}"),
            Why::Moves => "squares with only two moves left need both".to_owned(),
            Why::Guess(1) => "everything else leads to a contradiction".to_owned(),
            Why::Guess(depth) => {
                format!("everything else leads to a contradiction after {depth} assumptions")
            }
        };
        format!("{step} goes on {square}: {why}")
    }
}

/// The numbers of hints that it takes to solve a puzzle. A harder puzzle compares greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize)]
pub struct Difficulty {
    /// The greatest depth of a guess.
    pub depth: u32,
    /// The number of guesses.
    pub guesses: usize,
    /// The number of steps that follow from the moves that squares need.
    pub moves: usize,
    /// The number of squares with one step left.
    pub one_step: usize,
    /// The number of steps with one square left.
    pub one_square: usize,
}

/// The difficulty in words.
impl fmt::Display for Difficulty {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { depth, guesses, moves, one_step, one_square } = self;
        let level = self.level();
        let why = match level {
            "easy" => "every step follows by itself".to_owned(),
            "medium" => "some steps follow from the moves that squares need".to_owned(),
            _ => format!("{}, up to {depth} deep", counted(guesses, "assumption")),
        };
        write!(out, "{level}: {why} ({one_square} by square, {one_step} by step, {moves} by moves)")
    }
}

impl Difficulty {
    /// The difficulty in a word: `easy`, `medium` or `hard`.
    pub fn level(&self) -> &'static str {
        match (self.guesses, self.moves) {
            (0, 0) => "easy",
            (0, _) => "medium",
            _ => "hard",
        }
    }

    /// The difficulty of a puzzle that these hints solve.
    pub fn of(hints: &[Hint]) -> Self {
        let mut sum = Self::default();
        for hint in hints {
            match hint.why {
                Why::OneSquare(..) => sum.one_square += 1,
                Why::OneStep => sum.one_step += 1,
                Why::Moves => sum.moves += 1,
                Why::Guess(depth) => {
                    sum.guesses += 1;
                    sum.depth = sum.depth.max(depth);
                }
            }
        }
        sum
    }
}

/// Returns the next number that follows. `None` if the clues contradict each other or are complete,
/// if nothing follows from them within the deepest guess, or if `stop` returned true.
pub fn hint(puzzle: &Puzzle, stop: &dyn Fn() -> bool) -> Option<Hint> {
    first_hints(puzzle, 1, stop).pop()
}

/// Returns how hard a puzzle is. `None` if hints do not solve it, so if it has several solutions.
pub fn difficulty(puzzle: &Puzzle, stop: &dyn Fn() -> bool) -> Option<Difficulty> {
    let hints = hints(puzzle, stop);
    let is_solved = puzzle.fixed().len() + hints.len() == puzzle.board().squares();
    is_solved.then(|| Difficulty::of(&hints))
}

/// Returns the hints for a puzzle one after the other, each with the numbers of those before it on
/// the board. They end with the last square, or where no further number follows, or when `stop`
/// returns true. What followed before is kept, so a hint may need a guess less than [`hint`] does.
pub fn hints(puzzle: &Puzzle, stop: &dyn Fn() -> bool) -> Vec<Hint> {
    first_hints(&puzzle.with(puzzle.fixed()), usize::MAX, stop)
}

fn first_hints(puzzle: &Puzzle, most: usize, stop: &dyn Fn() -> bool) -> Vec<Hint> {
    let moves = puzzle.moves();
    let start = Start { puzzle, moves: &moves, fixed: puzzle.fixed(), without: None };
    at_width!(moves, first_hints_at(&start, most, stop))
}

fn first_hints_at<const N: usize>(
    start: &Start<'_>,
    most: usize,
    stop: &dyn Fn() -> bool,
) -> Vec<Hint> {
    let (clues, hints) = (start.puzzle.clues().to_vec(), Vec::new());
    let most = most.min(start.moves.squares - clues.len());
    let stages = [const { None }; 3];
    let mut known = KnownNumbers::<N> { start, clues, hints, stages, solution: None };
    while known.hints.len() < most
        && !stop()
        && let Some(hint) = known.hint(stop)
    {
        known.clues.insert(known.clues.partition_point(|other| *other < hint.clue), hint.clue);
        known.hints.push(hint);
    }
    known.hints
}

/// The numbers on the board, and what follows from them by the rules of each stage.
struct KnownNumbers<'a, const N: usize> {
    start: &'a Start<'a>,
    /// The clues and the numbers of hints, by step.
    clues: Vec<Clue>,
    /// The hints, in turn.
    hints: Vec<Hint>,
    /// The candidates of each stage, with the number of hints that have been entered into them.
    stages: [Option<(Candidates<'a, N>, usize)>; 3],
    /// The numbers of a solution, which no guess refutes, once guesses are needed.
    solution: Option<HashSet<Clue>>,
}

impl<'a, const N: usize> KnownNumbers<'a, N> {
    /// The candidates that the rules of a stage leave.
    fn stage(&mut self, stage: usize, stop: &dyn Fn() -> bool) -> Option<&mut Candidates<'a, N>> {
        let place = &mut self.stages[stage];
        if place.is_none() {
            *place = Some((self.start.candidates(STAGES[stage], stop).ok()?, 0));
        }
        let (candidates, entered) = place.as_mut()?;
        for Hint { clue, .. } in &self.hints[*entered..] {
            candidates.assign(clue.square.index(), clue.step - 1).ok()?;
        }
        candidates.propagate(stop).ok()?;
        candidates.forget();
        *entered = self.hints.len();
        Some(candidates)
    }

    fn hint(&mut self, stop: &dyn Fn() -> bool) -> Option<Hint> {
        for edges in [false, true] {
            self.stage(usize::from(edges), stop)?;
            let (candidates, _) = self.stages[usize::from(edges)].as_ref()?;
            if let Some((clue, is_by_step)) = forced(candidates, &self.clues) {
                let why = match is_by_step {
                    _ if edges => Why::Moves,
                    true => around(&self.clues, clue.step),
                    false => Why::OneStep,
                };
                return Some(Hint { clue, why });
            }
        }
        let solution = self.solution.take();
        let mut guesses = Guesses::default();
        let candidates = self.stage(2, stop)?;
        let solution = solution.unwrap_or_else(|| some_solution(candidates, stop));
        let hint = (1..=DEEPEST).find_map(|depth| {
            guesses.stand.retain(|_, stands| !*stands);
            guesses.stand.extend(solution.iter().map(|clue| (*clue, true)));
            let clue = guesses.clue(candidates, depth, stop)?;
            Some(Hint { clue, why: Why::Guess(depth) })
        });
        self.solution = Some(solution);
        hint
    }
}

/// The numbers of a solution; none if none is found soon.
fn some_solution<const N: usize>(
    candidates: &Candidates<'_, N>,
    stop: &dyn Fn() -> bool,
) -> HashSet<Clue> {
    let mut solution = HashSet::new();
    let Some(candidates) = candidates.copy() else { return solution };
    PuzzleSearch::new(candidates, None).advance(SOON, stop, &mut |squares| {
        solution = (1..).zip(squares).map(|(step, &square)| Clue { step, square }).collect();
        ControlFlow::Break(())
    });
    solution
}

/// A number that is not given and has one square, or else a square with one number. True if it is
/// the former. A number next to a given one comes first.
fn forced<const N: usize>(candidates: &Candidates<'_, N>, given: &[Clue]) -> Option<(Clue, bool)> {
    let n = candidates.moves.squares;
    let single = |place: usize| {
        let clue = clue(place, candidates.set(place).lowest(), n);
        let is_new = candidates.count(place) == 1 && given.binary_search(&clue).is_err();
        is_new.then_some((clue, place >= n))
    };
    (0..2 * n).filter_map(single).min_by_key(|&(clue, is_by_step)| {
        let is_near = given.iter().any(|given| given.step.abs_diff(clue.step) == 1);
        (!is_by_step, !is_near, clue)
    })
}

/// The given steps before and after a step.
fn around(clues: &[Clue], step: usize) -> Why {
    let after = clues.partition_point(|clue| clue.step < step);
    let before = after.checked_sub(1).map(|before| clues[before]);
    Why::OneSquare(before, clues.get(after).copied())
}

/// The assumptions that were tried, for one hint.
#[derive(Default)]
struct Guesses {
    /// True for those that guesses of the present depth do not refute.
    stand: HashMap<Clue, bool>,
}

impl Guesses {
    /// A number for which guesses of a depth leave one place.
    fn clue<const N: usize>(
        &mut self,
        candidates: &mut Candidates<'_, N>,
        depth: u32,
        stop: &dyn Fn() -> bool,
    ) -> Option<Clue> {
        let n = candidates.moves.squares;
        let mut open: Vec<usize> =
            (0..2 * n).filter(|&place| candidates.count(place) > 1).collect();
        open.sort_by_key(|&place| candidates.count(place));
        open.into_iter().take_while(|_| !stop()).find_map(|place| {
            let members = candidates.set(place).members().map(|member| clue(place, member, n));
            // Those that are known to stand come first.
            let (stand, others): (Vec<Clue>, Vec<Clue>) =
                members.partition(|clue| self.stand.get(clue) == Some(&true));
            let stands = |clue: &Clue| self.stands(candidates, *clue, depth, stop);
            let mut left = stand.into_iter().chain(others).filter(stands);
            let only = left.next()?;
            // A stop refutes everything.
            (left.next().is_none() && !stop()).then_some(only)
        })
    }

    /// True if guesses do not refute an assumption.
    fn stands<const N: usize>(
        &mut self,
        candidates: &mut Candidates<'_, N>,
        clue: Clue,
        depth: u32,
        stop: &dyn Fn() -> bool,
    ) -> bool {
        if let Some(&stands) = self.stand.get(&clue) {
            return stands;
        }
        let mut implied = Vec::new();
        let stands = !refutes(candidates, clue, depth, &mut implied, stop);
        self.stand.insert(clue, stands);
        self.stand.extend(implied.into_iter().filter(|_| stands).map(|clue| (clue, true)));
        stands
    }
}

/// The clue that a member of a set of candidates stands for.
fn clue(place: usize, member: usize, n: usize) -> Clue {
    let (square, step) = if place < n { (place, member) } else { (member, place - n) };
    Clue { step: step + 1, square: Square::from_index(square) }
}

/// True if an assumption leads to a contradiction after at most `depth` assumptions, itself
/// included, or if `stop` returns true, so that the rest ends soon. `implied` receives the numbers
/// that follow from it.
fn refutes<const N: usize>(
    candidates: &mut Candidates<'_, N>,
    assumed: Clue,
    depth: u32,
    implied: &mut Vec<Clue>,
    stop: &dyn Fn() -> bool,
) -> bool {
    let (mark, n) = (candidates.mark(), candidates.moves.squares);
    let assigned = candidates.assign(assumed.square.index(), assumed.step - 1);
    let is_refuted = match assigned.and_then(|()| candidates.propagate(stop)) {
        _ if stop() => true,
        // Nothing is known.
        Err(Conflict::Memory) => false,
        Err(_) => true,
        Ok(()) => {
            let known = (0..n).filter(|&square| candidates.count(square) == 1);
            implied.extend(known.map(|square| clue(square, candidates.set(square).lowest(), n)));
            let open = (0..2 * n).filter(|&place| depth > 1 && candidates.count(place) > 1);
            let best = open.min_by_key(|&place| candidates.count(place));
            best.is_some_and(|place| {
                let mut members = candidates.set(place).members();
                members.all(|member| {
                    refutes(candidates, clue(place, member, n), depth - 1, &mut Vec::new(), stop)
                })
            })
        }
    };
    candidates.undo(mark);
    is_refuted
}
