//! Tours that are selected: by some of their steps, or by a symmetry. The solver counts, lists and
//! draws them.

use super::one_tour::walk_between;
use crate::board::{MoveOrder, Square, Symmetry};
use crate::list::{ListError, ListSettings, Listed};
use crate::question::Question;
use crate::run::Control;
use crate::solve::{Clue, Extent, Puzzle, Reason, Solutions, any_tour, solve, solve_in_order};
use crate::tour::TourWriter;
use std::io::Write;
use std::ops::ControlFlow;

/// The largest number of nodes that are searched for the reason why there is no tour.
const FEW_NODES: u64 = 10_000;

/// The largest number of steps that messages name.
const MOST_NAMED: usize = 8;

/// Selected tours of a board.
pub struct Selected {
    /// The board with the steps that are given.
    pub puzzle: Puzzle,
    /// The symmetry that keeps the tours, if one was asked for.
    pub symmetry: Option<Symmetry>,
    /// The puzzles whose solutions are the tours, or the reason why there is none.
    parts: Result<Vec<Puzzle>, Reason>,
}

impl Selected {
    /// The solutions of a puzzle, or those that a symmetry of its board keeps.
    pub fn new(puzzle: Puzzle, symmetry: Option<Symmetry>) -> Self {
        let parts = match symmetry {
            Some(symmetry) => puzzle.kept_by(symmetry),
            None => Ok(vec![puzzle.clone()]),
        };
        Self { puzzle, symmetry, parts }
    }

    /// The question that says the same, if one does: about open tours with ends, or about closed
    /// tours, one of whose squares fixes only where the numbers begin.
    pub fn question(&self) -> Option<Question> {
        let last = self.puzzle.board().squares();
        let is_end = |clue: &Clue| [1, last].contains(&clue.step);
        let is_plain = match self.puzzle.is_closed() {
            true => self.puzzle.clues().len() == 1,
            false => self.puzzle.clues().iter().all(is_end),
        };
        (is_plain && self.symmetry.is_none()).then(|| self.puzzle.question())
    }

    /// The tours in words, as `closed tours of 6x6 with 5 on c3, kept by a half turn`.
    pub fn words(&self) -> String {
        let (question, board) = (self.puzzle.question(), self.puzzle.board());
        let is_end =
            |clue: &&Clue| !question.is_closed() && [1, board.squares()].contains(&clue.step);
        let inner = self.puzzle.clues().iter().filter(|clue| !is_end(clue));
        let inner: Vec<String> =
            inner.map(|clue| format!("{} on {}", clue.step, board.name(clue.square))).collect();
        let given = match inner.len() {
            0 => String::new(),
            1..=MOST_NAMED => format!(" with {}", inner.join(", ")),
            count => format!(" with {count} steps given"),
        };
        let comma = if given.is_empty() { "" } else { "," };
        let kept = self.symmetry.map(|symmetry| format!("{comma} kept by a {}", symmetry.name()));
        format!("{question}{given}{}", kept.unwrap_or_default())
    }

    /// The note that there is no such tour. The reason takes a search that has been made before,
    /// so that it is not a long one.
    pub fn none(&self) -> String {
        let extent = Extent { nodes: FEW_NODES, ..Extent::default() };
        let reason = self.solve(extent, &Control::default(), &mut |_| {}).reason;
        let reason = reason.map_or(String::new(), |reason| format!(": {reason}"));
        format!("there are no {}{reason}", self.words())
    }

    /// Searches for tours, up to the limits of an extent, on the threads of the current pool.
    pub fn solve(
        &self,
        extent: Extent,
        control: &Control,
        each: &mut dyn FnMut(&[Square]),
    ) -> Solutions {
        let reason = self.parts.as_ref().err().cloned();
        let mut all = Solutions { count: 0, is_complete: true, reason, nodes: 0 };
        for part in self.parts.iter().flatten() {
            let rest = Extent { solutions: extent.solutions - all.count, ..extent };
            let found = solve(part, rest, &|| control.is_stopped(), &mut |squares| {
                each(squares);
                ControlFlow::Continue(())
            });
            all.reason = match all.nodes {
                0 => found.reason,
                _ => Some(Reason::Searched),
            };
            all.count += found.count;
            all.nodes += found.nodes;
            all.is_complete = found.is_complete;
            if !found.is_complete || all.count >= extent.solutions {
                break;
            }
        }
        all.reason = all.reason.filter(|_| all.is_complete && all.count == 0);
        all
    }

    /// A tour that a random walk from tour to tour meets, if nothing but its ends is given, on a
    /// board that is too large for a search.
    pub fn by_walk(&self, seed: u64, control: &Control) -> Option<Vec<Square>> {
        self.parts.as_ref().ok()?;
        let ends = self.question().filter(|question| !question.is_closed())?;
        walk_between(&ends.board, [ends.from(), ends.to()], seed, &|| control.is_stopped())
    }

    /// Some tour, which another seed may replace by another; `None` if there is none, or if the
    /// search was told to stop.
    pub fn any(&self, seed: u64, control: &Control) -> Option<Vec<Square>> {
        let parts = self.parts.as_deref().unwrap_or_default();
        let start = seed as usize % parts.len().max(1);
        let mut turned = parts[start..].iter().chain(&parts[..start]);
        turned.find_map(|part| any_tour(part, seed, &|| control.is_stopped()))
    }

    /// Passes tours to `each` in the order of a list, each closed tour once if both directions fit.
    pub fn in_order(
        &self,
        order: &MoveOrder,
        control: &Control,
        each: &mut dyn FnMut(&[Square]) -> ControlFlow<()>,
    ) {
        for part in self.parts.iter().flatten() {
            if !solve_in_order(part, order, &|| control.is_stopped(), each).is_complete {
                break;
            }
        }
    }

    /// Writes the tours in the order of a list.
    pub fn list(
        &self,
        order: &MoveOrder,
        settings: &ListSettings,
        out: &mut dyn Write,
    ) -> Result<Listed, ListError> {
        let board = self.puzzle.board();
        let mut writer = TourWriter::new(board.clone(), settings.format);
        let (mut tours, mut failed) = (0, None);
        let is_enough = |tours| settings.limit.is_some_and(|limit| tours >= limit);
        if !is_enough(0) {
            self.in_order(order, &settings.control, &mut |squares| {
                let mut text = match tours {
                    0 => settings.format.header(board, self.puzzle.is_closed()).into_bytes(),
                    _ => writer.separator().to_vec(),
                };
                writer.write(squares, &mut text);
                failed = out.write_all(&text).err();
                tours += 1;
                if failed.is_some() || is_enough(tours) {
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            });
        }
        failed.map_or(Ok(()), Err)?;
        out.flush()?;
        if settings.control.is_stopped() && !is_enough(tours) {
            return Err(ListError::Stopped { tours });
        }
        Ok(Listed { tours, nodes: 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    #[test]
    fn a_search_of_several_parts_ends_at_its_limit_and_not_before() {
        let board: Board = "4x4 piece=king".parse().expect("a board");
        let puzzle = Puzzle::new(board, true, []).expect("a puzzle");
        let selected = Selected::new(puzzle, Some(Symmetry::FlipCols));
        let found = |solutions| {
            let extent = Extent { solutions, ..Extent::default() };
            selected.solve(extent, &Control::default(), &mut |_| {}).count
        };
        assert!(selected.parts.as_ref().is_ok_and(|parts| parts.len() > 2));
        let all = found(u64::MAX);
        for limit in 1..=all + 1 {
            assert_eq!(found(limit), limit.min(all));
        }
    }
}
