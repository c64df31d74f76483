//! `puzzle`: boards with some steps given that have exactly one solution.

use crate::board::{Board, Square};
use crate::cli::args::PuzzleArgs;
use crate::cli::board::{LONGEST_FILE, links, read, required_board};
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{Document, Output, note};
use crate::cli::signals::Listener;
use crate::job::{MadePuzzle, NotMade, PuzzleMaker};
use crate::numbers::Random;
use crate::quantity::counted;
use crate::solve::Recipe;
use crate::words::duration;
use std::path::Path;
use std::time::Instant;

pub fn run(args: &PuzzleArgs) -> Result<(), Failure> {
    let question = args.kind.question(required_board(&args.board)?, None, None);
    Failure::usage_if(question.board.squares() < 2, || "a puzzle takes two squares or more")?;
    let links = links(&args.links, &question.board)?;
    let pattern = args.pattern.as_deref().map(|path| pattern(path, &question.board)).transpose()?;
    let recipe = Recipe {
        clues: args.clues.map(|clues| clues as usize),
        symmetry: args.symmetric,
        ends: args.ends,
        grade: None,
        seed: args.draw.seed.unwrap_or_else(Random::fresh_seed),
    };
    let (signals, began) = (Listener::start()?, Instant::now());
    let mut out = Output::standard()?;
    let puzzles = PuzzleMaker::new(question, recipe, args.count, &signals.control);
    let puzzles = match puzzles.and_then(|puzzles| puzzles.of_links(links)) {
        Err(error) => return refused(error),
        Ok(puzzles) => {
            puzzles.of_grades(args.difficulty.clone().unwrap_or_default()).of_pattern(pattern)
        }
    };
    signals.stop_after(args.time.max_time)?;
    let cut_short = |made: u64, why: &str| {
        let (after, made) = (duration(began.elapsed()), counted(made, "puzzle"));
        signals.stopped(Exit::Failed, format!("stopped after {after} with {made} made{why}"))
    };
    for (made, puzzle) in (0..).zip(puzzles) {
        let puzzle = match puzzle {
            Err(NotMade::Stopped) => return Err(cut_short(made, "")),
            Err(error @ NotMade::NoPattern(_)) if signals.control.is_stopped() => {
                return Err(cut_short(made, &format!(": {error}")));
            }
            Err(error) => return refused(error),
            Ok(puzzle) => puzzle,
        };
        if let (0, None, seed) = (made, args.draw.seed, recipe.seed) {
            note(&format!("made with --seed {seed}, which makes the same puzzles again"));
        }
        out.write(if args.json { json(&puzzle) } else { text(&puzzle) }.as_bytes())?;
        // All that were wanted are there when the time is up, the last with more numbers.
        let is_in_time = args.time.max_time.is_none_or(|most| began.elapsed() < most);
        if !puzzle.is_finished && (is_in_time || made + 1 < args.count) {
            out.end()?;
            return Err(cut_short(made + 1, ""));
        }
        if out.is_closed() {
            break;
        }
    }
    out.end()
}

/// The squares that a drawing marks.
fn pattern(path: &Path, board: &Board) -> Result<Vec<Square>, Failure> {
    let (name, bytes) = read(path, "a pattern", LONGEST_FILE)?;
    let squares = PuzzleMaker::marked(&String::from_utf8_lossy(&bytes), board);
    squares.map_err(|why| Failure::usage(format!("{name} {why}")))
}

/// The end for puzzles that are not made. A board without tours is an answer, as for `random`.
fn refused(error: NotMade) -> Result<(), Failure> {
    let NotMade::NoTours(none) = error else { return Err(error.into()) };
    note(&none);
    Ok(())
}

/// A puzzle with its solution and how hard it is.
fn text(made: &MadePuzzle) -> String {
    let MadePuzzle { puzzle, solution, .. } = made;
    let clues = counted(puzzle.clues().len(), "number");
    let (grid, solution) = (puzzle.grid(), puzzle.solved(solution.squares(), &[]));
    let board = puzzle.board_line();
    format!("{board}# {clues} given; {}\n{grid}\n# its solution\n{solution}\n", made.hardness())
}

fn json(MadePuzzle { puzzle, solution, difficulty, is_finished }: &MadePuzzle) -> String {
    let name = |square: &_| puzzle.board().name(*square);
    let clues = puzzle.clues().iter().map(|clue| (clue.step, name(&clue.square)));
    let links: Vec<String> = puzzle.link_names().collect();
    Document::default()
        .field("board", puzzle.board().description())
        .field("closed", puzzle.is_closed())
        .field("clues", clues.collect::<Vec<_>>())
        .optional("links", Some(links).filter(|links| !links.is_empty()))
        .field("solution", solution.squares().iter().map(name).collect::<Vec<_>>())
        .field("difficulty", difficulty)
        // False if the time was up before the numbers that are not needed were taken away.
        .field("finished", is_finished)
        .line()
}
