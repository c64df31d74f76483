//! `puzzle`: boards with some steps given that have exactly one solution.

use crate::board::Symmetry;
use crate::cli::args::PuzzleArgs;
use crate::cli::board::required_board;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{Output, document, note};
use crate::cli::place::OutputPlace;
use crate::cli::signals::Listener;
use crate::job::{MadePuzzle, NotMade, PuzzleMaker};
use crate::numbers::Random;
use crate::quantity::counted;
use crate::solve::{Difficulty, MakeError, Recipe};
use crate::tour::TourFormat;
use crate::words::duration;
use serde::Serialize;
use std::time::Instant;

pub fn run(args: &PuzzleArgs) -> Result<(), Failure> {
    let question = args.kind.question(required_board(&args.board)?, None, None);
    let recipe = Recipe {
        clues: args.clues.map(|clues| clues as usize),
        symmetry: args.symmetric.then_some(Symmetry::HalfTurn),
        ends: args.ends,
        grade: None,
        seed: args.draw.seed.unwrap_or_else(Random::fresh_seed),
    };
    let (signals, began) = (Listener::start()?, Instant::now());
    let mut out = Output::to(OutputPlace::standard_output())?;
    let puzzles = match PuzzleMaker::new(question, recipe, args.count, signals.control()) {
        Err(error) => return refused(error),
        Ok(puzzles) => puzzles.of_grades(args.difficulty.clone().unwrap_or_default()),
    };
    args.time.max_time.map_or(Ok(()), |most| signals.stop_after(most))?;
    for (made, puzzle) in (0..).zip(puzzles) {
        let puzzle = match puzzle {
            Err(NotMade::Stopped) => {
                let (after, made) = (duration(began.elapsed()), counted(made, "puzzle"));
                let how_far = format!("stopped after {after} with {made} made");
                return Err(signals.stopped(Exit::Failed, how_far));
            }
            Err(error) => return refused(error),
            Ok(puzzle) => puzzle,
        };
        if let (0, None, seed) = (made, args.draw.seed, recipe.seed) {
            note(&format!("made with --seed {seed}, which makes the same puzzles again"));
        }
        out.write(if args.json { json(&puzzle) } else { text(&puzzle) }.as_bytes())?;
        if out.is_closed() {
            break;
        }
    }
    out.end()
}

/// The end for puzzles that are not made. A board without tours is an answer, as for `random`.
fn refused(error: NotMade) -> Result<(), Failure> {
    match error {
        NotMade::NoTours(none) => {
            note(&none);
            Ok(())
        }
        NotMade::NoHalfTurn(_) => Err(Failure::usage(format!("{error}: leave out --symmetric"))),
        NotMade::Make(MakeError::Puzzle(error)) => Err(Failure::usage(error)),
        NotMade::Make(MakeError::TooMany { .. }) => {
            Err(Failure::usage(format!("{error}: give fewer --clues")))
        }
        NotMade::Make(MakeError::TooFew { .. }) => {
            Err(Failure::failed(format!("{error}: give more --clues, or another --seed")))
        }
        NotMade::Make(MakeError::TooEasy(_)) => {
            Err(Failure::failed(format!("{error}: ask for an easier one, or another --seed")))
        }
        NotMade::Make(MakeError::Ambiguous) => Err(Failure::failed(format!(
            "{error}: leave out --ends hidden, or give another --seed"
        ))),
        NotMade::Job(error) => Err(error.into()),
        error => Err(Failure::failed(error)),
    }
}

/// A puzzle with its solution and how hard it is.
fn text(made: &MadePuzzle) -> String {
    let MadePuzzle { puzzle, solution, .. } = made;
    let clues = counted(puzzle.clues().len(), "number");
    let (grid, solution) = (puzzle.grid(), puzzle.solved(solution.squares(), &[]));
    let board = TourFormat::board_line(puzzle.board(), puzzle.is_closed());
    format!("{board}# {clues} given; {}\n{grid}\n# its solution\n{solution}\n", made.hardness())
}

fn json(MadePuzzle { puzzle, solution, difficulty }: &MadePuzzle) -> String {
    let name = |square: &_| puzzle.board().name(*square);
    let clues = puzzle.clues().iter().map(|clue| (clue.step, name(&clue.square)));
    document(&Made {
        board: puzzle.board().description(),
        closed: puzzle.is_closed(),
        clues: clues.collect(),
        solution: solution.squares().iter().map(name).collect(),
        difficulty: *difficulty,
    })
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
