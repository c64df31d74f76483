//! Tours that are selected: by some of their steps (`--given`), or by a symmetry (`--symmetry`).
//!
//! What `--given` says about the ends of open tours is a
//! question like any other, so that every engine answers it.

use super::args::{ProgressArgs, SelectArgs, TimeArgs};
use super::exit::{Exit, Failure};
use super::signals::Listener;
use super::watch::{Cancelled, Watch};
use crate::board::{Board, Square, Symmetry};
use crate::job::Selected;
use crate::quantity::counted;
use crate::question::{Impossible, Question};
use crate::run;
use crate::solve::{Clue, Extent, Puzzle, PuzzleError, Solutions};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The tours of a question that were selected, if the options are there. Closed tours may have
/// a start.
pub fn of(
    args: &SelectArgs,
    question: &Question,
    start: Option<Square>,
) -> Result<Option<Selected>, Failure> {
    let is_selected = args.given.is_some() || args.symmetry.is_some();
    is_selected.then(|| between(args, question, start)).transpose()
}

/// The tours of a question with these ends that were selected, if only by their ends.
pub fn between(
    args: &SelectArgs,
    question: &Question,
    start: Option<Square>,
) -> Result<Selected, Failure> {
    let board = &question.board;
    let mut clues = args.given.as_ref().map_or(Ok(Vec::new()), |text| given(board, text))?;
    for (step, end) in [(1, question.from().or(start)), (board.squares(), question.to())] {
        let clue = end.map(|square| Clue { step, square });
        clues.extend(clue.filter(|clue| !clues.contains(clue)));
    }
    let puzzle = Puzzle::new(board.clone(), question.is_closed(), clues);
    let puzzle = puzzle.map_err(|error| match (&args.given, error) {
        (_, error @ PuzzleError::TooLarge(_)) => Failure::usage(error)
            .advising(": leave out --given, --symmetry and --to, which take the solver"),
        (Some(_), error) => Failure::usage(format!("--given: {error}")),
        // Nothing but its ends is given.
        (None, PuzzleError::SquareTwice(..)) => Failure::usage(Impossible::SameEnds),
        (None, error) => Failure::usage(error),
    })?;
    let symmetry = args.symmetry.map(|symmetry| known_symmetry(board, symmetry)).transpose()?;
    Ok(Selected::new(puzzle, symmetry))
}

/// Refuses options of a search that the solver does not have.
pub fn check_options(options: &[(&str, bool)]) -> Result<(), Failure> {
    Failure::usage_if_any(options, |option| {
        format!(
            "{option} is not for tours that the solver finds, as with --given, --symmetry or \
             find --to: leave it out"
        )
    })
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
        let others = Symmetry::NAMED.iter().filter(|(symmetry, _)| known(*symmetry).is_some());
        let others: Vec<&str> = others.map(|(_, name)| *name).collect();
        let others = if others.is_empty() { "none".to_owned() } else { others.join(", ") };
        let name = symmetry.name();
        Failure::usage(format!(
            "--symmetry: a {name} does not keep the moves of {board}, or it moves no square; \
             others: {others}"
        ))
    })
}

/// A search for selected tours that is watched, and stopped at the end of its time.
pub struct SelectedSearch<'a> {
    selected: &'a Selected,
    pub signals: Listener,
    found: Arc<AtomicU64>,
    pub watch: Watch,
}

impl<'a> SelectedSearch<'a> {
    /// Begins the search of a command.
    pub fn start(
        command: &'static str,
        selected: &'a Selected,
        time: &TimeArgs,
        progress: ProgressArgs,
    ) -> Result<Self, Failure> {
        let signals = Listener::start()?;
        signals.stop_after(time.max_time)?;
        let (question, found) = (selected.puzzle.question(), Arc::<AtomicU64>::default());
        let cancelled = Cancelled {
            exit: Exit::Failed,
            before: " with ",
            advice: "nothing is saved, and the same command starts over".to_owned(),
            may_leave: true,
        };
        let so_far = Arc::clone(&found);
        let how_far = move || {
            let found = counted(so_far.load(Ordering::Relaxed), "tour");
            (None, vec![format!("{found} found")])
        };
        let watch = Watch::start(command, &question, progress.style, &signals, cancelled, how_far)?;
        Ok(Self { selected, signals, found, watch })
    }

    /// Counts the tours on some threads, up to a limit.
    pub fn count(&self, limit: u64, threads: usize) -> Result<Solutions, Failure> {
        let extent = Extent { threads, solutions: limit, ..Extent::default() };
        let counted = run::threads(Some(threads))?.install(|| {
            self.selected.solve(extent, &self.signals.control, &mut |_| {
                self.found.fetch_add(1, Ordering::Relaxed);
            })
        });
        let is_enough = counted.is_complete || counted.count >= limit;
        if is_enough { Ok(counted) } else { Err(self.watch.stopped()) }
    }
}
