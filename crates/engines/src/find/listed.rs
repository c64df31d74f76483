//! Depth-first search for one tour on any board, from lists of the moves of each square.
//!
//! The search of [`super::search`] computes moves on the padded board, so it needs a knight on a
//! full rectangle. This one takes the same rules and tries the same squares in the same order. It
//! sorts the free squares around a square once, when it arrives there. When it returns, the order
//! still holds, because all squares visited later are free again.

use super::search::{Candidate, limit_reached};
use super::{FindEffort, FindLimits, FindOutcome, NoTour};
use crate::board::{Board, MoveOrder, Square};
use std::cmp::Reverse;

/// The state of a search.
pub(super) struct ListedSearch {
    board: Board,
    closed: bool,
    /// The squares that a move leads to from each square, in the move order.
    targets: Vec<Vec<Square>>,
    is_taken: Vec<bool>,
    /// The number of free squares around each square.
    options: Vec<u16>,
    /// The squares visited, in order.
    pub path: Vec<Square>,
    /// The free squares not yet tried after each square of the path, the next one last.
    untried: Vec<Vec<Square>>,
    pub effort: FindEffort,
}

impl ListedSearch {
    pub fn new(board: &Board, order: MoveOrder, closed: bool) -> Self {
        let targets: Vec<Vec<Square>> =
            board.all_squares().map(|square| order.targets(board, square).collect()).collect();
        Self {
            board: board.clone(),
            closed,
            is_taken: vec![false; targets.len()],
            options: targets.iter().map(|to| to.len() as u16).collect(),
            targets,
            path: Vec::new(),
            untried: Vec::new(),
            effort: FindEffort::default(),
        }
    }

    /// Searches from a square until a tour is found, or else returns why there is none: no move is
    /// left to try, or a limit is reached.
    pub fn run(
        &mut self,
        from: Square,
        rule: impl Fn(Candidate, &dyn Fn(usize) -> u16) -> u64,
        limits: &FindLimits,
        stop: &dyn Fn(&FindEffort) -> bool,
    ) -> Result<(), FindOutcome> {
        self.arrive(from, &rule);
        let mut is_fresh = true;
        loop {
            if self.path.len() == self.targets.len() && self.ends_well() {
                return Ok(());
            }
            let next = self.untried.last_mut().and_then(Vec::pop);
            if let Some(next) = next {
                if let Some(limit) = limit_reached(&self.effort, limits, stop) {
                    return Err(FindOutcome::GaveUp(limit));
                }
                self.effort.moves_tried += 1;
                self.arrive(next, &rule);
            } else {
                self.effort.dead_ends += u64::from(is_fresh);
                if self.path.len() == 1 {
                    return Err(FindOutcome::None(NoTour::Exhausted));
                }
                self.take_back();
            }
            is_fresh = next.is_some();
        }
    }

    fn arrive(&mut self, square: Square, rule: &impl Fn(Candidate, &dyn Fn(usize) -> u16) -> u64) {
        self.path.push(square);
        self.is_taken[square.index()] = true;
        let around = self.targets[square.index()].iter();
        around.for_each(|to| self.options[to.index()] -= 1);
        let targets = self.targets[square.index()].iter().rev();
        let mut free: Vec<Square> =
            targets.copied().filter(|to| !self.is_taken[to.index()]).collect();
        let fewest = |cell| self.fewest_options_from(cell);
        free.sort_by_cached_key(|&to| Reverse(rule(self.candidate(to), &fewest)));
        self.effort.moves_generated += free.len() as u64;
        self.untried.push(free);
    }

    fn candidate(&self, square: Square) -> Candidate {
        let (row, col) = if self.board.is_graph() {
            (0, 0)
        } else {
            (self.board.row(square) as i32, self.board.col(square) as i32)
        };
        let cell = square.index();
        Candidate { cell, row, col, options: self.options[cell] }
    }

    /// The fewest options among the free neighbours of a square, 0 if there are none.
    fn fewest_options_from(&self, cell: usize) -> u16 {
        let targets = self.targets[cell].iter().map(|to| to.index());
        let free = targets.filter(|&to| !self.is_taken[to] && to != cell);
        free.map(|to| self.options[to] - 1).min().unwrap_or(0)
    }

    fn take_back(&mut self) {
        self.effort.backtracks += 1;
        self.untried.pop();
        if let Some(square) = self.path.pop() {
            let around = self.targets[square.index()].iter();
            around.for_each(|to| self.options[to.index()] += 1);
            self.is_taken[square.index()] = false;
        }
    }

    /// True if a path through all squares is a tour of the kind that is wanted.
    fn ends_well(&self) -> bool {
        let ends = (self.path[0], self.path[self.path.len() - 1]);
        !self.closed || self.path.len() > 2 && self.board.are_neighbours(ends.0, ends.1)
    }
}
