//! The next step that follows in a puzzle and why, and how hard the puzzle is for a person.
//!
//! A person fills in one number at a time, so a hint is a number that follows without any other new
//! one. The techniques are tried in the order in which people learn them ([`technique`]); the first
//! that gives a number makes the hint. The easy and the medium ones are rules of the solver that
//! are switched on one after the other: first only what the clues say about steps and squares, then
//! the moves that a tour has to use and the regions that it must not cut off. Then come guesses. A
//! guess of depth 1 assumes another number and meets a contradiction by the rules alone; each
//! further level assumes one more in between.
//!
//! What followed from the numbers before is kept from hint to hint, so most hints cost as much as
//! one decision of the search. Guesses cost most. Each assumption is tried once for a depth; what a
//! lower depth refuted stays refuted, and neither the numbers of a solution nor those that follow
//! from an assumption that stands have to be tried.
//!
//! [`technique`]: super::technique

use super::candidates::{ALL_RULES, Candidates, Conflict, Rules, pair};
use super::chain::{Conclusion, Inference};
use super::moves::BoardMoves;
use super::near::KnownNumbers;
use super::puzzle::{Clue, Puzzle};
use super::search::PuzzleSearch;
use super::solver::at_width;
use super::technique::{Difficulty, Grade, Hint, Why};
use crate::board::Square;
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

/// The greatest depth of a guess.
const DEEPEST: u32 = 10;

/// The number of nodes in which a solution is looked for.
const SOON: u64 = 10_000;

/// The rules of the easy techniques, and those of the medium ones.
const EASY: Rules = Rules { edges: false, singles: false };
const MEDIUM: Rules = Rules { edges: true, singles: false };

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
    let (moves, mut hints) = (puzzle.moves(), Vec::new());
    at_width!(moves, |N| {
        let mut solving = HandSolver::<N>::new(&moves, puzzle.fixed(), Grade::Hard, true, stop);
        let most = most.min(moves.squares - solving.clues.len());
        // Gentle techniques alone do not see that clues contradict each other.
        let is_consistent = solving.easy().is_some();
        while is_consistent
            && hints.len() < most
            && !stop()
            && let Some(hint) = solving.hint()
        {
            solving.put(hint.clue);
            hints.push(hint);
        }
    });
    hints
}

/// True if the techniques up to a grade lead from the clues of a puzzle to some numbers of its
/// solution. False if `stop` returned true.
pub(super) fn reaches(
    puzzle: &Puzzle,
    moves: &BoardMoves,
    wanted: &[Clue],
    grade: Grade,
    stop: &dyn Fn() -> bool,
) -> bool {
    at_width!(moves, |N| {
        let mut solving = HandSolver::<N>::new(moves, puzzle.fixed(), grade, false, stop);
        loop {
            if wanted.iter().all(|&clue| solving.known.has(clue)) {
                break true;
            }
            let Some(hint) = solving.hint().filter(|_| !stop()) else { break false };
            solving.put(hint.clue);
        }
    })
}

/// A puzzle that is solved number by number.
struct HandSolver<'a, const N: usize> {
    moves: &'a BoardMoves,
    grade: Grade,
    /// True if chains of conclusions are wanted.
    is_explained: bool,
    stop: &'a dyn Fn() -> bool,
    /// The clues and the numbers that were found, by step.
    clues: Vec<Clue>,
    known: KnownNumbers<'a>,
    /// The numbers that were found, in turn.
    found: Vec<Clue>,
    /// What follows by the easy rules and by the medium ones, each with the count of the numbers
    /// that have been entered.
    easy: Option<(Candidates<'a, N>, usize)>,
    medium: Option<(Candidates<'a, N>, usize)>,
    /// The numbers of a solution, which no guess refutes, once guesses are needed.
    solution: Option<HashSet<Clue>>,
}

impl<'a, const N: usize> HandSolver<'a, N> {
    fn new(
        moves: &'a BoardMoves,
        clues: Vec<Clue>,
        grade: Grade,
        is_explained: bool,
        stop: &'a dyn Fn() -> bool,
    ) -> Self {
        Self {
            known: KnownNumbers::new(moves, &clues),
            moves,
            grade,
            is_explained,
            stop,
            clues,
            found: Vec::new(),
            easy: None,
            medium: None,
            solution: None,
        }
    }

    fn put(&mut self, clue: Clue) {
        self.clues.insert(self.clues.partition_point(|other| *other < clue), clue);
        self.known.put(clue);
        self.found.push(clue);
    }

    /// Candidates with the numbers that were found, before anything follows from the new ones.
    fn entered(&self, place: Option<(Candidates<'a, N>, usize)>) -> Option<Candidates<'a, N>> {
        let Some((mut candidates, entered)) = place else {
            return Candidates::given(self.moves, &self.clues, EASY, self.stop).ok();
        };
        candidates.enter(&self.found[entered..], self.stop).ok()?;
        candidates.forget();
        Some(candidates)
    }

    /// A number that follows by an easy technique, if any; `None` for a contradiction.
    fn easy(&mut self) -> Option<Option<Hint>> {
        let place = self.easy.take();
        let mut candidates = self.entered(place)?;
        candidates.propagate(self.stop).ok()?;
        candidates.forget();
        let forced = forced(&candidates, &self.clues).map(|(clue, place)| {
            let is_by_step = place >= self.moves.squares;
            let why = if is_by_step { around(&self.clues, clue.step) } else { Why::OneStep };
            Hint { clue, why }
        });
        self.easy = Some((candidates, self.found.len()));
        Some(forced)
    }

    /// A number that follows by a medium technique, if any; `None` for a contradiction.
    fn medium(&mut self) -> Option<Option<Hint>> {
        let (place, mut applications) = (self.medium.take(), Vec::new());
        let is_new = place.is_none();
        let mut candidates = self.entered(place)?;
        candidates.rules = MEDIUM;
        if is_new {
            candidates.soil_all();
        }
        while candidates.take_single().is_some() {}
        if forced(&candidates, &self.clues).is_none() {
            candidates.conclude(&mut applications, self.stop).ok()?;
        }
        let forced = forced(&candidates, &self.clues).map(|(clue, place)| {
            let mut chain = Vec::new();
            if self.is_explained
                && let Some(mut before) = candidates.copy()
            {
                chain = before.explanation(applications, Conclusion::Single(place));
                // What was ruled out before may be all that is needed.
                if chain.is_empty() {
                    chain.push(Inference::Numbers(clue.square, vec![clue.step]));
                }
            }
            let has_cuts = chain.iter().any(|inference| matches!(inference, Inference::Cuts(..)));
            let why = if has_cuts { Why::Region(chain) } else { Why::Exits(chain) };
            Hint { clue, why }
        });
        candidates.forget();
        self.medium = Some((candidates, self.found.len()));
        Some(forced)
    }

    fn hint(&mut self) -> Option<Hint> {
        let mut hint = self.known.hint();
        if hint.is_none() && self.grade >= Grade::Easy {
            hint = self.easy()?;
        }
        if hint.is_none() && self.grade >= Grade::Medium {
            hint = self.medium()?;
        }
        if hint.is_some() || self.grade < Grade::Hard {
            return hint;
        }
        let (mut candidates, entered) = self.medium.take()?;
        candidates.rules = ALL_RULES;
        let solution = self.solution.get_or_insert_with(|| some_solution(&candidates, self.stop));
        let mut guesses = Guesses { candidates, stand: HashMap::new(), stop: self.stop };
        let hint = (1..=DEEPEST).find_map(|depth| {
            guesses.stand.retain(|_, stands| !*stands);
            guesses.stand.extend(solution.iter().map(|clue| (*clue, true)));
            let (clue, others) = guesses.clue(depth)?;
            let is_told = depth == 1 && self.is_explained;
            let others = others.into_iter().filter(|_| is_told);
            let told = others.map(|other| (other, guesses.refutation(other)));
            Some(Hint { clue, why: Why::Guess(depth, told.collect()) })
        });
        self.medium = Some((guesses.candidates, entered));
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

/// A number that is not given and has one square, or else a square with one number, with the place
/// of this set. A number next to a given one comes first.
fn forced<const N: usize>(candidates: &Candidates<'_, N>, given: &[Clue]) -> Option<(Clue, usize)> {
    let n = candidates.moves.squares;
    let single = |place: usize| {
        let clue = candidates.clues(place).next()?;
        let is_new = candidates.count(place) == 1 && given.binary_search(&clue).is_err();
        is_new.then_some((clue, place))
    };
    (0..2 * n).filter_map(single).min_by_key(|&(clue, place)| {
        let is_near = given.iter().any(|given| given.step.abs_diff(clue.step) == 1);
        (place < n, !is_near, clue)
    })
}

/// The given steps before and after a step.
fn around(clues: &[Clue], step: usize) -> Why {
    let after = clues.partition_point(|clue| clue.step < step);
    let before = after.checked_sub(1).map(|before| clues[before]);
    Why::OneSquare(before, clues.get(after).copied())
}

/// The assumptions that are tried for one hint.
struct Guesses<'g, 'a, const N: usize> {
    candidates: Candidates<'a, N>,
    /// True for those that guesses of the present depth do not refute.
    stand: HashMap<Clue, bool>,
    stop: &'g dyn Fn() -> bool,
}

impl<const N: usize> Guesses<'_, '_, N> {
    /// A number for which guesses of a depth leave one place, and the numbers that they refute.
    fn clue(&mut self, depth: u32) -> Option<(Clue, Vec<Clue>)> {
        let (candidates, stop) = (&self.candidates, self.stop);
        let places = 0..2 * candidates.moves.squares;
        let mut open: Vec<usize> = places.filter(|&place| candidates.count(place) > 1).collect();
        open.sort_by_key(|&place| candidates.count(place));
        open.into_iter().take_while(|_| !stop()).find_map(|place| {
            // Those that are known to stand come first.
            let (stand, others): (Vec<Clue>, Vec<Clue>) =
                self.candidates.clues(place).partition(|clue| self.stand.get(clue) == Some(&true));
            let mut left = stand.into_iter().chain(others).filter(|&clue| self.stands(clue, depth));
            let only = left.next()?;
            // A stop refutes everything.
            let is_only = left.next().is_none() && !stop();
            let refuted = self.candidates.clues(place).filter(|clue| *clue != only);
            is_only.then(|| (only, refuted.collect()))
        })
    }

    /// True if guesses do not refute an assumption.
    fn stands(&mut self, clue: Clue, depth: u32) -> bool {
        if let Some(&stands) = self.stand.get(&clue) {
            return stands;
        }
        let mut implied = Vec::new();
        let stands = !self.refutes(clue, depth, &mut implied);
        self.stand.insert(clue, stands);
        self.stand.extend(implied.into_iter().filter(|_| stands).map(|clue| (clue, true)));
        stands
    }

    /// True if an assumption leads to a contradiction after at most `depth` assumptions, itself
    /// included, or if `stop` returns true, so that the rest ends soon. `implied` receives the
    /// numbers that follow from it.
    fn refutes(&mut self, assumed: Clue, depth: u32, implied: &mut Vec<Clue>) -> bool {
        let (candidates, stop) = (&mut self.candidates, self.stop);
        let (mark, n) = (candidates.mark(), candidates.moves.squares);
        let assigned = candidates.assign(assumed.square.index(), assumed.step - 1);
        let is_refuted = match assigned.and_then(|()| candidates.propagate(stop)) {
            _ if stop() => true,
            // Nothing is known.
            Err(Conflict::Memory) => false,
            Err(_) => true,
            Ok(()) => {
                let known = (0..n).filter(|&square| candidates.count(square) == 1);
                implied.extend(known.flat_map(|square| candidates.clues(square)));
                let open = (0..2 * n).filter(|&place| depth > 1 && candidates.count(place) > 1);
                let best = open.min_by_key(|&place| candidates.count(place));
                best.is_some_and(|place| {
                    let mut members = self.candidates.clues(place);
                    members.all(|clue| self.refutes(clue, depth - 1, &mut Vec::new()))
                })
            }
        };
        self.candidates.undo(mark);
        is_refuted
    }

    /// The chain of conclusions from an assumption to a contradiction.
    fn refutation(&mut self, assumed: Clue) -> Vec<Inference> {
        let (candidates, mut applications) = (&mut self.candidates, Vec::new());
        let mark = candidates.mark();
        let assigned = candidates.assign(assumed.square.index(), assumed.step - 1);
        let concluded = assigned.and_then(|()| candidates.conclude(&mut applications, self.stop));
        let chain = match concluded {
            Err(conflict) if applications.is_empty() => {
                vec![Inference::of(conflict, assumed.square)]
            }
            _ => candidates.explanation(applications, Conclusion::Contradiction),
        };
        candidates.undo(mark);
        chain
    }
}

impl<const N: usize> Candidates<'_, N> {
    /// The clues that the members of a set stand for.
    fn clues(&self, place: usize) -> impl Iterator<Item = Clue> + use<N> {
        let n = self.moves.squares;
        self.set(place).members().map(move |member| {
            let (square, step) = pair(place, member, n);
            Clue { step: step + 1, square: Square::from_index(square) }
        })
    }
}
