//! A depth-first search of the candidates that can be paused, resumed, restarted and split.
//!
//! A node decides between two cases: a square has a step, or it has not. The first case is searched
//! first and opens a level of the stack. When it is done, its changes are taken back, and the
//! second case continues the node, with everything that follows from it. So the stack holds only
//! the decisions of first cases, and the second case of the lowest one is all that has to be given
//! away to divide the rest of a search in two.
//!
//! The decision is taken at the step or the square with the fewest candidates for its weight. The
//! weight grows with each contradiction that shows there, so that the search turns to where it is
//! hard (Boussemart and others, Boosting systematic search by weighting constraints, 2004); this
//! halves the nodes of hard proofs. For finding, a systematic search can be unlucky for long, so a
//! search may also choose at random among the best, and start again after a number of nodes.

use super::candidates::{Candidates, Conflict, pair};
use super::last_steps::LastSteps;
use crate::board::Square;
use fastrand::Rng;
use std::ops::ControlFlow;

/// The number of nodes between two calls of `stop`.
const NODES_BETWEEN_CHECKS: u64 = 64;

/// The weight of each square and each step at the beginning. A smaller one makes the search follow
/// the first contradictions too readily.
const FIRST_WEIGHT: u64 = 10;

/// A decision that a square has a step, and the place on the trail before it.
#[derive(Debug, Clone, Copy)]
struct SearchLevel {
    mark: usize,
    square: usize,
    step: usize,
}

/// The reason why a search returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SearchPause {
    /// Every case has been searched.
    Done,
    /// The budget is used up, or the caller has enough solutions for now.
    Paused,
    /// The search was told to stop, or there is no memory to go on.
    Stopped,
}

/// The search of the cases that some candidates leave.
#[derive(Debug)]
pub(super) struct PuzzleSearch<'a, const N: usize> {
    pub candidates: Candidates<'a, N>,
    levels: Vec<SearchLevel>,
    /// The result when the last decision was entered into the candidates.
    decided: Result<(), Conflict>,
    /// True if no case is left.
    pub is_done: bool,
    /// The source of random choices; without it the first choice is made.
    random: Option<Rng>,
    pub nodes: u64,
    /// True if the steps are decided one after the other, by the order of the moves.
    pub is_in_order: bool,
    /// True if the last steps are walked, which is faster where there are many solutions.
    pub is_walking: bool,
    /// The weights of squares, and after them of steps.
    weights: Vec<u64>,
}

impl<'a, const N: usize> PuzzleSearch<'a, N> {
    pub fn new(candidates: Candidates<'a, N>, random: Option<Rng>) -> Self {
        Self {
            weights: vec![FIRST_WEIGHT; 2 * candidates.moves.squares],
            candidates,
            levels: Vec::new(),
            decided: Ok(()),
            is_done: false,
            random,
            nodes: 0,
            is_in_order: false,
            is_walking: false,
        }
    }

    pub fn is_by_chance(&self) -> bool {
        self.random.is_some()
    }

    /// Searches up to `budget` more nodes and calls `found` with the squares of each solution in
    /// the order of their steps. The solutions after one that `found` breaks off at may be lost.
    pub fn advance(
        &mut self,
        budget: u64,
        stop: &dyn Fn() -> bool,
        found: &mut dyn FnMut(&[Square]) -> ControlFlow<()>,
    ) -> SearchPause {
        let end = self.nodes.saturating_add(budget);
        while !self.is_done {
            if self.nodes >= end {
                return SearchPause::Paused;
            }
            if self.nodes.is_multiple_of(NODES_BETWEEN_CHECKS) && stop() {
                return SearchPause::Stopped;
            }
            self.nodes += 1;
            match self.node(stop) {
                Err(Conflict::Stopped | Conflict::Memory) => return SearchPause::Stopped,
                Err(_) => {
                    self.retreat();
                    continue;
                }
                Ok(()) => {}
            }
            let last = LastSteps::of(&self.candidates, self.is_walking);
            let answer = if let Some(mut last) = last {
                let answer = last.walk(0, stop, found);
                self.nodes += last.nodes();
                answer
            } else if let Some((square, step)) = self.choice() {
                self.levels.push(SearchLevel { mark: self.candidates.mark(), square, step });
                self.decided = self.candidates.assign(square, step);
                continue;
            } else {
                ControlFlow::Continue(())
            };
            self.retreat();
            if answer.is_break() {
                return if stop() { SearchPause::Stopped } else { SearchPause::Paused };
            }
        }
        SearchPause::Done
    }

    /// Draws all conclusions from the last decision.
    fn node(&mut self, stop: &dyn Fn() -> bool) -> Result<(), Conflict> {
        let decided = std::mem::replace(&mut self.decided, Ok(()));
        let outcome = decided.and_then(|()| self.candidates.propagate(stop));
        match outcome {
            Err(Conflict::NoStep(square) | Conflict::Edges(square)) => self.weights[square] += 1,
            Err(Conflict::NoSquare(step)) => {
                self.weights[self.candidates.moves.squares + step] += 1
            }
            Err(Conflict::Stopped | Conflict::Memory) | Ok(()) => {}
        }
        outcome
    }

    /// Returns to the last decision and turns to its second case.
    fn retreat(&mut self) {
        match self.levels.pop() {
            Some(level) => self.turn(level),
            None => self.is_done = true,
        }
    }

    fn turn(&mut self, level: SearchLevel) {
        self.candidates.undo(level.mark);
        self.decided = self.candidates.exclude(level.square, level.step);
    }

    /// Returns to the beginning.
    pub fn restart(&mut self) {
        if let Some(first) = self.levels.first() {
            self.candidates.undo(first.mark);
            self.decided = Ok(());
        }
        self.levels.clear();
    }

    /// Gives away the second case of the first decision, if there is memory for another search.
    pub fn split(&mut self) -> Option<Self> {
        if self.levels.is_empty() {
            return None;
        }
        let first = self.levels[0];
        let mut other = Self {
            candidates: self.candidates.copy()?,
            levels: Vec::new(),
            nodes: 0,
            random: self.random.clone(),
            weights: self.weights.clone(),
            ..*self
        };
        other.turn(first);
        self.levels.remove(0);
        Some(other)
    }

    /// A square and a step to decide about; `None` if all are known.
    fn choice(&mut self) -> Option<(usize, usize)> {
        let n = self.candidates.moves.squares;
        if self.is_in_order {
            let step = (0..n).find(|&step| self.candidates.count(n + step) > 1)?;
            return Some((self.candidates.first_square(step), step));
        }
        let place = self.best_place()?;
        let set = self.candidates.set(place);
        let member = match &mut self.random {
            Some(random) => set.members().nth(random.usize(..set.len() as usize))?,
            None => set.lowest(),
        };
        Some(pair(place, member, n))
    }

    /// The square, or past the squares the step, with the fewest candidates for its weight.
    fn best_place(&mut self) -> Option<usize> {
        let (mut best, mut ties) = (None, 1);
        let (mut count, mut weight) = (u64::from(u32::MAX), 1);
        for (place, &own_weight) in self.weights.iter().enumerate() {
            let own = self.candidates.count(place);
            let (new, old) = (own * weight, count * own_weight);
            if own < 2 || new > old {
                continue;
            }
            ties = if new == old { ties + 1 } else { 1 };
            let wins_tie = |random: &mut Rng| random.u32(..ties) == 0;
            if ties == 1 || self.random.as_mut().is_some_and(wins_tie) {
                (best, count, weight) = (Some(place), own, own_weight);
            }
        }
        best
    }
}
