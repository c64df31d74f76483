//! The gentle techniques: a number next to a known one, and a short gap between two known numbers.
//!
//! Both look at free squares alone, so they need only the numbers on the board. A gap is looked at
//! between any two known numbers that are close together, also if numbers between them are known:
//! otherwise a number found inside a gap could hide that the gap has one way.

use super::moves::BoardMoves;
use super::puzzle::Clue;
use super::technique::{Hint, Why};
use crate::board::Square;
use std::collections::VecDeque;

/// The largest distance of the numbers around a gap: four numbers are between them.
const LONGEST_GAP: usize = 5;

/// The numbers that are known.
pub(super) struct KnownNumbers<'a> {
    moves: &'a BoardMoves,
    /// The square of each step.
    squares: Vec<Option<Square>>,
    is_taken: Vec<bool>,
    /// The other numbers of a gap with one way.
    found: VecDeque<Hint>,
    /// The step at which the search for a next number resumes.
    at: usize,
}

impl<'a> KnownNumbers<'a> {
    pub fn new(moves: &'a BoardMoves, clues: &[Clue]) -> Self {
        let n = moves.squares;
        let (squares, is_taken) = (vec![None; n], vec![false; n]);
        let mut known = Self { moves, squares, is_taken, found: VecDeque::new(), at: 0 };
        clues.iter().for_each(|&clue| known.put(clue));
        known
    }

    pub fn put(&mut self, clue: Clue) {
        self.squares[clue.step - 1] = Some(clue.square);
        self.is_taken[clue.square.index()] = true;
    }

    pub fn has(&self, clue: Clue) -> bool {
        self.squares[clue.step - 1] == Some(clue.square)
    }

    /// The step so many steps later, around the end of a closed tour.
    fn later(&self, step: usize, by: usize) -> Option<usize> {
        let (n, later) = (self.moves.squares, step + by);
        if self.moves.closed { Some(later % n) } else { Some(later).filter(|&later| later < n) }
    }

    fn known(&self, step: Option<usize>) -> Option<Clue> {
        let step = step?;
        self.squares[step].map(|square| Clue { step: step + 1, square })
    }

    fn are_neighbours(&self, one: Square, other: Square) -> bool {
        self.moves.targets[one.index()].contains(&other)
    }

    /// A number that follows by a gentle technique.
    pub fn hint(&mut self) -> Option<Hint> {
        while let Some(hint) = self.found.pop_front() {
            if !self.has(hint.clue) {
                return Some(hint);
            }
        }
        let n = self.moves.squares;
        for turn in 0..n {
            let step = (self.at + turn) % n;
            if let Some(hint) = self.next_to(step) {
                self.at = step;
                return Some(hint);
            }
        }
        let gap = (0..n).find_map(|step| (3..=LONGEST_GAP).find_map(|by| self.gap(step, by)))?;
        self.found.extend(gap);
        self.found.pop_front()
    }

    /// An unknown step with one free square next to the numbers before and after it.
    fn next_to(&self, step: usize) -> Option<Hint> {
        if self.squares[step].is_some() {
            return None;
        }
        let n = self.moves.squares;
        let before = match step {
            0 if !self.moves.closed => None,
            _ => self.known(Some((step + n - 1) % n)),
        };
        let after = self.known(self.later(step, 1));
        let fits = |&square: &Square| {
            let is_near = |clue: Clue| self.are_neighbours(clue.square, square);
            !self.is_taken[square.index()] && after.is_none_or(is_near)
        };
        let near = &self.moves.targets[before.or(after)?.square.index()];
        let mut squares = near.iter().copied().filter(fits);
        let square = squares.next().filter(|_| squares.next().is_none())?;
        Some(Hint { clue: Clue { step: step + 1, square }, why: Why::Next(before, after) })
    }

    /// The unknown numbers of a gap with one way.
    fn gap(&self, first: usize, by: usize) -> Option<Vec<Hint>> {
        let (before, after) = (self.known(Some(first))?, self.known(self.later(first, by))?);
        let steps: Vec<usize> = (1..by).filter_map(|by| self.later(first, by)).collect();
        if by >= self.moves.squares || steps.iter().all(|&step| self.squares[step].is_some()) {
            return None;
        }
        let (mut way, mut ways) = (vec![before.square], Vec::new());
        self.walk(&steps, after.square, &mut way, &mut ways);
        let [way] = &ways[..] else { return None };
        let clues = steps.iter().zip(way).map(|(step, &square)| Clue { step: step + 1, square });
        let new = clues.filter(|&clue| !self.has(clue));
        let why = Why::Gap(before, after, way.clone());
        Some(new.map(|clue| Hint { clue, why: why.clone() }).collect())
    }

    /// Collects the ways on through some steps to a square, up to two.
    fn walk(
        &self,
        left: &[usize],
        end: Square,
        way: &mut Vec<Square>,
        ways: &mut Vec<Vec<Square>>,
    ) {
        let at = way[way.len() - 1];
        let Some((&step, left)) = left.split_first() else {
            if self.are_neighbours(at, end) {
                ways.push(way[1..].to_vec());
            }
            return;
        };
        for &to in &self.moves.targets[at.index()] {
            let fits = match self.squares[step] {
                Some(known) => known == to,
                None => !self.is_taken[to.index()] && !way.contains(&to),
            };
            if fits && ways.len() < 2 {
                way.push(to);
                self.walk(left, end, way, ways);
                way.pop();
            }
        }
    }
}
