//! The last steps of a search, walked square by square.
//!
//! Propagation costs a thousand times as much as a move. Where few cases are left it is faster to
//! try them all: a walk along the steps that are not known yet, over the squares that propagation
//! has left for each. Boards with many solutions are counted two to ten times as fast by it. The
//! candidates are consistent when the walk begins, so a square that is left for a step is a move
//! away from a known square before and after it; the other moves are checked on the way.

use super::bits::Bits;
use super::candidates::Candidates;
use super::moves::has_links;
use crate::board::Square;
use std::ops::ControlFlow;

/// The largest product of the numbers of squares that are left for the steps. A walk meets far
/// fewer cases, because each square is taken once. Open tours of 6x6 with a step given are counted
/// in half the time that they take without walks, kings' tours of 4x4 in a tenth, closed tours of
/// 6x6 in the same; with a million times less, tours of 6x6 take one and a half times as long.
const MOST_CASES: f64 = 1e14;

/// The moves of a walk that cost as much as a node of the search.
const MOVES_PER_NODE: u64 = 1_000;

/// The number of moves between two calls of `stop`.
const MOVES_BETWEEN_CHECKS: u64 = 1 << 16;

/// A walk along the steps that are not known.
pub(super) struct LastSteps<'c, 'a, const N: usize> {
    candidates: &'c Candidates<'a, N>,
    unknown: Vec<usize>,
    /// The square of each step, if it is among `known`.
    path: Vec<Square>,
    known: Bits<N>,
    used: Bits<N>,
    /// The steps that the walk made known, in turn.
    made: Vec<usize>,
    moves: u64,
    found: u64,
}

impl<'c, 'a, const N: usize> LastSteps<'c, 'a, N> {
    /// The walk that candidates leave; `None` if there may be too many cases, or if there are
    /// several and they are not to be walked.
    pub fn of(candidates: &'c Candidates<'a, N>, is_walking: bool) -> Option<Self> {
        let n = candidates.moves.squares;
        let orbit = candidates.moves.link.as_ref().map_or(1, |link| link.order);
        let most = if is_walking { MOST_CASES.powi(orbit as i32) } else { 1.0 };
        let mut cases = 1.0;
        for step in 0..n {
            cases *= candidates.count(n + step) as f64;
            if cases > most {
                return None;
            }
        }
        let mut walk = Self {
            candidates,
            unknown: (0..n).filter(|&step| candidates.count(n + step) > 1).collect(),
            path: Vec::with_capacity(n),
            known: Bits::below(n),
            used: Bits::EMPTY,
            made: Vec::new(),
            moves: 0,
            found: 0,
        };
        walk.path.extend((0..n).map(|step| Square::from_index(candidates.squares(step).lowest())));
        walk.unknown.iter().for_each(|&step| walk.known.remove(step));
        let known = walk.known.members();
        known.for_each(|step| walk.used.insert(walk.path[step].index()));
        Some(walk)
    }

    /// The nodes of a search that cost as much as this walk and what it found.
    pub fn nodes(&self) -> u64 {
        self.moves / MOVES_PER_NODE + self.found
    }

    /// Walks on from an unknown step, by its place among them, until `found` breaks off or `stop`
    /// returns true.
    pub fn walk(
        &mut self,
        place: usize,
        stop: &dyn Fn() -> bool,
        found: &mut dyn FnMut(&[Square]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(&step) = self.unknown.get(place) else {
            return self.end(found);
        };
        let squares = match self.known.has(step) {
            true => Bits::single(self.path[step].index()),
            false => self.candidates.squares(step) & !self.used,
        };
        let Some(before) = step.checked_sub(1) else {
            return squares.members().try_for_each(|to| self.enter(place, to, stop, found));
        };
        let moves = self.candidates.moves;
        for to in &moves.targets[self.path[before].index()] {
            if squares.has(to.index()) {
                self.enter(place, to.index(), stop, found)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Gives an unknown step a square and walks on.
    fn enter(
        &mut self,
        place: usize,
        square: usize,
        stop: &dyn Fn() -> bool,
        found: &mut dyn FnMut(&[Square]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.moves += 1;
        if self.moves.is_multiple_of(MOVES_BETWEEN_CHECKS) && stop() {
            return ControlFlow::Break(());
        }
        let made = self.made.len();
        if self.put(self.unknown[place], square) {
            self.walk(place + 1, stop, found)?;
        }
        for step in self.made.drain(made..) {
            self.known.remove(step);
            self.used.remove(self.path[step].index());
        }
        ControlFlow::Continue(())
    }

    /// Puts a step and all its images on their squares, as far as they are not there. False if one
    /// of them does not fit.
    fn put(&mut self, first: usize, mut square: usize) -> bool {
        let mut step = first;
        loop {
            if self.known.has(step) {
                if self.path[step].index() != square {
                    return false;
                }
            } else if self.used.has(square) || !self.candidates.squares(step).has(square) {
                return false;
            } else {
                self.path[step] = Square::from_index(square);
                self.known.insert(step);
                self.used.insert(square);
                self.made.push(step);
            }
            let Some(link) = &self.candidates.moves.link else { return true };
            step = link.steps.of(step, self.path.len());
            square = link.images[square].index();
            if step == first {
                return self.path[step].index() == square;
            }
        }
    }

    /// Passes on the solution, if it closes where it has to and has the links.
    fn end(&mut self, found: &mut dyn FnMut(&[Square]) -> ControlFlow<()>) -> ControlFlow<()> {
        let (moves, path) = (self.candidates.moves, &self.path);
        let last = path[path.len() - 1].index();
        let closes = || moves.targets[last].contains(&path[0]);
        let is_linked = has_links(&moves.required, path, moves.closed);
        if is_linked && (!moves.closed || closes()) {
            self.found += 1;
            return found(path);
        }
        ControlFlow::Continue(())
    }
}
