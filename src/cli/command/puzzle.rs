//! `puzzle`: boards with some steps given that have exactly one solution.

use crate::board::Symmetry;
use crate::cli::answer::no_tours;
use crate::cli::args::PuzzleArgs;
use crate::cli::board::required_board;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{Output, document, note};
use crate::cli::place::OutputPlace;
use crate::cli::signals::Listener;
use crate::job::drawn;
use crate::solve::{Difficulty, MakeError, Puzzle, Recipe, any_tour, difficulty, make};
use crate::tally::counted;
use crate::tour::Tour;
use crate::words::duration;
use serde::Serialize;
use std::time::Instant;

pub fn run(args: &PuzzleArgs) -> Result<(), Failure> {
    let board = required_board(&args.board)?;
    let has_half_turn = Symmetry::of(&board).contains(&Symmetry::HalfTurn);
    Failure::usage_if(args.symmetric && !has_half_turn, || {
        format!("a half turn does not keep the moves of {board}: leave out --symmetric")
    })?;
    let question = args.kind.question(board, None, None);
    Failure::usage_if(question.is_impossible(), || no_tours(&question))?;
    let seed = args.seed.unwrap_or_else(|| fastrand::u64(1..1_000_000_000_000));
    if args.seed.is_none() {
        note(&format!("made with --seed {seed}, which makes the same puzzles again"));
    }
    let signals = Listener::start()?;
    let began = Instant::now();
    let is_over = || args.max_time.is_some_and(|most| began.elapsed() >= most);
    let stop = || signals.control().is_stopped() || is_over();
    let mut out = Output::to(OutputPlace::standard_output())?;
    // Where tours are soon counted, all of them are equally likely.
    let drawn = drawn(&question, seed, args.count, signals.control())?;
    let empty = Puzzle::new(question.board.clone(), question.is_closed(), []);
    let empty = empty.map_err(Failure::usage)?;
    for place in 0..args.count {
        let seed = seed.wrapping_add(place);
        let tour = match &drawn {
            Some(tours) => tours.get(place as usize).cloned(),
            None => any_tour(&empty, seed, &stop)
                .and_then(|squares| Tour::new(&question.board, squares).ok()),
        };
        if tour.is_none() && !stop() {
            note(&no_tours(&question));
            break;
        }
        let symmetry = args.symmetric.then_some(Symmetry::HalfTurn);
        let clues = args.clues.map(|clues| clues as usize);
        let recipe = Recipe { clues, symmetry, ends: args.ends, seed };
        let made = tour.map(|tour| {
            let puzzle = make(&tour, question.is_closed(), recipe, &stop)?;
            Ok(text(args, &puzzle, &tour, difficulty(&puzzle, &stop)))
        });
        match made {
            Some(Ok(text)) => out.write(text.as_bytes())?,
            None | Some(Err(MakeError::Stopped)) => {
                let after = duration(began.elapsed());
                let done = counted(place, "puzzle");
                let message = format!("stopped after {after} with {done} made");
                return Err(signals.stopped(Exit::Failed, message));
            }
            Some(Err(error @ MakeError::TooFew { .. })) => {
                return Err(Failure::failed(format!(
                    "{error}: give more --clues, or another --seed"
                )));
            }
            Some(Err(error)) => return Err(Failure::failed(error)),
        }
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
