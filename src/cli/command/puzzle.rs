//! `puzzle`: boards with some steps given that have exactly one solution.

use crate::board::Symmetry;
use crate::cli::answer::no_tours;
use crate::cli::args::PuzzleArgs;
use crate::cli::board::required_board;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{Output, document, note};
use crate::cli::place::OutputPlace;
use crate::cli::signals::Listener;
use crate::job::{JobError, drawn};
use crate::run::RunError;
use crate::solve::{Difficulty, MakeError, Puzzle, Recipe, any_tour, difficulty, make};
use crate::tally::counted;
use crate::tour::{Tour, TourFormat};
use crate::words::duration;
use serde::Serialize;
use std::collections::VecDeque;
use std::time::Instant;

/// Tours that are drawn at once.
const AT_ONCE: u64 = 1_000;

pub fn run(args: &PuzzleArgs) -> Result<(), Failure> {
    let board = required_board(&args.board)?;
    let has_half_turn = Symmetry::of(&board).contains(&Symmetry::HalfTurn);
    Failure::usage_if(args.symmetric && !has_half_turn, || {
        format!("a half turn does not keep the moves of {board}: leave out --symmetric")
    })?;
    let question = args.kind.question(board, None, None);
    if question.is_impossible() {
        // An answer, as that of `random`.
        note(&no_tours(&question));
        return Ok(());
    }
    let seed = args.seed.unwrap_or_else(|| fastrand::u64(1..1_000_000_000_000));
    if args.seed.is_none() {
        note(&format!("made with --seed {seed}, which makes the same puzzles again"));
    }
    let signals = Listener::start()?;
    let began = Instant::now();
    let is_over = || args.max_time.is_some_and(|most| began.elapsed() >= most);
    let stop = || signals.control().is_stopped() || is_over();
    let mut out = Output::to(OutputPlace::standard_output())?;
    let empty = Puzzle::new(question.board.clone(), question.is_closed(), []);
    let empty = empty.map_err(Failure::usage)?;
    let stopped = |made| {
        let (after, made) = (duration(began.elapsed()), counted(made, "puzzle"));
        signals.stopped(Exit::Failed, format!("stopped after {after} with {made} made"))
    };
    let mut tours: Option<VecDeque<Tour>> = None;
    for place in 0..args.count {
        let seed = seed.wrapping_add(place);
        // Where tours are soon counted, all of them are equally likely.
        if place % AT_ONCE == 0 {
            let count = AT_ONCE.min(args.count - place);
            let left = args.max_time.map(|most| most.saturating_sub(began.elapsed()));
            tours = match drawn(&question, seed, count, left, signals.control()) {
                Err(JobError::Run(RunError::Stopped { .. })) => return Err(stopped(place)),
                drawn => drawn?.map(VecDeque::from),
            };
        }
        let tour = match &mut tours {
            Some(tours) => tours.pop_front(),
            None => any_tour(&empty, seed, &stop)
                .and_then(|squares| Tour::new(&question.board, squares).ok()),
        };
        let Some(tour) = tour else {
            if stop() {
                return Err(stopped(place));
            }
            note(&no_tours(&question));
            break;
        };
        let symmetry = args.symmetric.then_some(Symmetry::HalfTurn);
        let clues = args.clues.map(|clues| clues as usize);
        let recipe = Recipe { clues, symmetry, ends: args.ends, seed };
        let puzzle = match make(&tour, question.is_closed(), recipe, &stop) {
            Err(MakeError::Stopped) => return Err(stopped(place)),
            Err(error @ MakeError::TooFew { .. }) => {
                let advice = "give more --clues, or another --seed";
                return Err(Failure::failed(format!("{error}: {advice}")));
            }
            made => made.map_err(Failure::failed)?,
        };
        let difficulty = difficulty(&puzzle, &stop);
        if difficulty.is_none() && stop() {
            return Err(stopped(place));
        }
        if place == 0 && !args.json {
            out.write(TourFormat::Grid.header(&question.board).as_bytes())?;
        }
        out.write(text(args, &puzzle, &tour, difficulty).as_bytes())?;
        if out.is_closed() {
            break;
        }
    }
    out.end()
}

/// A puzzle with its solution and how hard it is.
fn text(args: &PuzzleArgs, puzzle: &Puzzle, tour: &Tour, difficulty: Option<Difficulty>) -> String {
    let name = |square: &_| puzzle.board().name(*square);
    if args.json {
        let clues = puzzle.clues().iter().map(|clue| (clue.step, name(&clue.square)));
        return document(&Made {
            board: puzzle.board().description(),
            closed: puzzle.is_closed(),
            clues: clues.collect(),
            solution: tour.squares().iter().map(name).collect(),
            difficulty,
        });
    }
    let hard = difficulty.map_or("harder than any hint".to_owned(), |hard| hard.to_string());
    let clues = counted(puzzle.clues().len(), "number");
    let (grid, solution) = (puzzle.grid(), puzzle.solved(tour.squares(), &[]));
    format!("# {clues} given; {hard}\n{grid}\n# its solution\n{solution}\n")
}

/// A puzzle in JSON.
#[derive(Serialize)]
struct Made {
    board: String,
    closed: bool,
    /// The steps that are given, with their squares.
    clues: Vec<(usize, String)>,
    solution: Vec<String>,
    difficulty: Option<Difficulty>,
}
