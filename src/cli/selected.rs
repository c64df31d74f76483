//! Tours that are selected: by some of their steps (`--given`), or by a symmetry (`--symmetry`).
//!
//! The solver counts, lists and draws them. What `--given` says about the ends of open tours is a
//! question like any other, so that every engine answers it.

use super::args::{ProgressStyle, SYMMETRIES, SelectArgs};
use super::config::progress_beside;
use super::exit::{Exit, Failure};
use super::quantity::counted;
use super::signals::Listener;
use super::watch::{Cancelled, Watch};
use crate::board::{Board, MoveOrder, Square, Symmetry};
use crate::list::{ListError, ListSettings, Listed};
use crate::question::Question;
use crate::run::{self, Control};
use crate::solve::{Clue, Extent, Puzzle, Reason, Solutions, any_tour, solve, solve_in_order};
use crate::tour::TourWriter;
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The largest number of nodes that are searched for the reason why there is no tour.
const FEW_NODES: u64 = 10_000;

/// The largest number of steps that messages name.
const MOST_NAMED: usize = 8;

/// Selected tours of a board.
pub struct Selected {
    pub puzzle: Puzzle,
    pub symmetry: Option<Symmetry>,
    /// The puzzles whose solutions are the tours, or the reason why there is none.
    parts: Result<Vec<Puzzle>, Reason>,
}

impl Selected {
    /// The tours of a question that were selected, if the options are there. Closed tours may have
    /// a start.
    pub fn of(
        args: &SelectArgs,
        question: &Question,
        start: Option<Square>,
    ) -> Result<Option<Self>, Failure> {
        if args.given.is_none() && args.symmetry.is_none() {
            return Ok(None);
        }
        let board = &question.board;
        let mut clues = args.given.as_ref().map_or(Ok(Vec::new()), |text| given(board, text))?;
        for (step, end) in [(1, question.from().or(start)), (board.squares(), question.to())] {
            let clue = end.map(|square| Clue { step, square });
            clues.extend(clue.filter(|clue| !clues.contains(clue)));
        }
        let puzzle = Puzzle::new(board.clone(), question.is_closed(), clues);
        let puzzle = puzzle.map_err(|error| match args.given {
            Some(_) => Failure::usage(format!("--given: {error}")),
            None => Failure::usage(error),
        })?;
        let parts = match args.symmetry {
            Some(symmetry) => puzzle.kept_by(known_symmetry(board, symmetry)?),
            None => Ok(vec![puzzle.clone()]),
        };
        Ok(Some(Self { puzzle, symmetry: args.symmetry, parts }))
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
                    0 => settings.header(board).into_bytes(),
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

    /// Refuses options of a search that the solver does not have.
    pub fn check_options(options: &[(&str, bool)]) -> Result<(), Failure> {
        Failure::usage_if_any(options, |option| {
            format!(
                "{option} does not go together with --given or --symmetry, whose tours the \
                 solver finds: leave it out"
            )
        })
    }
}

/// The steps that were typed, with their squares.
fn given(board: &Board, text: &str) -> Result<Vec<Clue>, Failure> {
    let clue = |part: &str| {
        let wrong = || {
            Failure::usage(format!(
                "--given: `{part}` is not a step and its square: write 12=c4, with commas between \
                 several (1=a1,12=c4)"
            ))
        };
        let (step, name) = part.split_once('=').ok_or_else(wrong)?;
        let step = step.trim().parse().map_err(|_| wrong())?;
        let square = board.parse_square(name.trim());
        let square = square.map_err(|error| Failure::usage(format!("--given: {error}")))?;
        Ok(Clue { step, square })
    };
    text.split(',').map(clue).collect()
}

/// The symmetry of the board that has this name, or is the same map: on a board of one column, the
/// half turn is also a reflection.
fn known_symmetry(board: &Board, symmetry: Symmetry) -> Result<Symmetry, Failure> {
    let known = |named: Symmetry| {
        let is_same = |own: Symmetry| {
            let mut squares = board.all_squares();
            squares.all(|square| own.apply(board, square) == named.apply(board, square))
        };
        let mut own = Symmetry::of(board).iter().copied().skip(1);
        own.find(|&own| own == named || !board.is_plain() && is_same(own))
    };
    known(symmetry).ok_or_else(|| {
        let others = SYMMETRIES.iter().filter(|(_, symmetry)| known(*symmetry).is_some());
        let others: Vec<&str> = others.map(|(name, _)| *name).collect();
        let others = if others.is_empty() { "none".to_owned() } else { others.join(", ") };
        let name = symmetry.name();
        Failure::usage(format!(
            "--symmetry: a {name} does not keep the moves of this {board}, or it moves no square; \
             others: {others}"
        ))
    })
}

/// A search for selected tours that is watched, and stopped at the end of its time.
pub struct SelectedSearch<'a> {
    selected: &'a Selected,
    pub signals: Listener,
    found: Arc<AtomicU64>,
    watch: Watch,
}

impl<'a> SelectedSearch<'a> {
    /// Begins the search of a command.
    pub fn start(
        command: &'static str,
        selected: &'a Selected,
        max_time: Option<Duration>,
        style: ProgressStyle,
    ) -> Result<Self, Failure> {
        let signals = Listener::start()?;
        max_time.map_or(Ok(()), |most| signals.stop_after(most))?;
        let (question, found) = (selected.puzzle.question(), Arc::<AtomicU64>::default());
        let cancelled = Cancelled {
            exit: Exit::Failed,
            before: " with ",
            advice: "nothing is saved, and the same command starts over".to_owned(),
        };
        let (so_far, style) = (Arc::clone(&found), progress_beside(style, false));
        let how_far = move || {
            let found = counted(so_far.load(Ordering::Relaxed), "tour");
            (None, vec![format!("{found} found")])
        };
        let watch = Watch::start(command, &question, style, &signals, cancelled, how_far)?;
        Ok(Self { selected, signals, found, watch })
    }

    /// Counts the tours on some threads, up to a limit.
    pub fn count(&self, limit: u64, threads: usize) -> Result<Solutions, Failure> {
        let extent = Extent { threads, solutions: limit, ..Extent::default() };
        let counted = run::threads(Some(threads))?.install(|| {
            self.selected.solve(extent, self.signals.control(), &mut |_| {
                self.found.fetch_add(1, Ordering::Relaxed);
            })
        });
        match counted.is_complete || counted.count >= limit {
            true => Ok(counted),
            false => Err(self.stopped()),
        }
    }

    /// The failure of a search that was told to stop.
    pub fn stopped(&self) -> Failure {
        self.watch.stopped()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_of_several_parts_ends_at_its_limit_and_not_before() {
        let board: Board = "4x4 piece=king".parse().expect("a board");
        let args = SelectArgs { given: None, symmetry: Some(Symmetry::FlipCols) };
        let selected = Selected::of(&args, &Question::closed(board), None);
        let selected = selected.unwrap_or_else(|failure| panic!("{}", failure.message));
        let selected = selected.expect("a symmetry");
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
