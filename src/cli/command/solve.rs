//! `solve`: whether boards with some steps given have a solution, and only one.

use crate::board::Square;
use crate::cli::args::SolveArgs;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{Output, document};
use crate::cli::place::OutputPlace;
use crate::cli::puzzle_file;
use crate::cli::signals::Listener;
use crate::run;
use crate::solve::{Extent, Puzzle, Verdict, hint, solve, verdict};
use crate::tally::{counted, counted_of};
use crate::words::duration;
use serde::Serialize;
use std::ops::ControlFlow;
use std::time::Instant;

pub fn run(args: &SolveArgs) -> Result<(), Failure> {
    let puzzles = puzzle_file::read_all(&args.files, &args.board, &args.kind)?;
    let signals = Listener::start()?;
    let threads = run::threads(Some(args.threads.number()))?;
    let mut out = Output::to(OutputPlace::standard_output())?;
    let began = Instant::now();
    let is_over = || args.max_time.is_some_and(|most| began.elapsed() >= most);
    let stop = || signals.control().is_stopped() || is_over();
    let solving = Solving { args, is_one: puzzles.len() == 1, stop: &stop };
    let mut not_unique = 0;
    for (place, puzzle) in puzzles.iter().enumerate() {
        let answer = threads.install(|| solving.answer(puzzle));
        out.write(solving.text(place + 1, puzzle, &answer).as_bytes())?;
        if matches!(answer, PuzzleAnswer::Open { .. }) {
            out.end()?;
            let after = duration(began.elapsed());
            let done = counted_of(place, puzzles.len(), "board");
            let message = format!("not decided after {after}, with {done} decided");
            return Err(signals.stopped(Exit::Stopped, message));
        }
        not_unique += u64::from(!matches!(answer, PuzzleAnswer::One(_)));
        if out.is_closed() {
            break;
        }
    }
    out.end()?;
    Failure::mismatch_if(args.unique && not_unique > 0, || {
        format!("{not_unique} of {} without exactly one solution", counted(puzzles.len(), "board"))
    })
}

/// What was found out about a puzzle.
enum PuzzleAnswer {
    None(String),
    One(Vec<Square>),
    Two([Vec<Square>; 2]),
    /// Solutions that were asked for, or their number.
    Several {
        count: u64,
        are_all: bool,
        solutions: Vec<Vec<Square>>,
    },
    /// The next step, if one follows.
    Hint(Option<String>),
    /// It was stopped before it was decided, with so many solutions found.
    Open {
        found: u64,
    },
}

/// Puzzles on their way to answers.
struct Solving<'a> {
    args: &'a SolveArgs,
    is_one: bool,
    stop: &'a (dyn Fn() -> bool + Sync),
}

impl Solving<'_> {
    fn answer(&self, puzzle: &Puzzle) -> PuzzleAnswer {
        let SolveArgs { count, all, limit, .. } = *self.args;
        let extent = Extent { threads: self.args.threads.number(), ..Extent::default() };
        if self.args.hint {
            let next = hint(puzzle, self.stop).map(|hint| hint.words(puzzle.board()));
            return if (self.stop)() {
                PuzzleAnswer::Open { found: 0 }
            } else {
                PuzzleAnswer::Hint(next)
            };
        }
        if count || all || limit.is_some() {
            return self.several(puzzle, Extent { solutions: limit.unwrap_or(u64::MAX), ..extent });
        }
        match verdict(puzzle, extent, self.stop) {
            Verdict::None(reason) => PuzzleAnswer::None(reason.to_string()),
            Verdict::Unique(squares) => PuzzleAnswer::One(squares),
            Verdict::Several(two) => PuzzleAnswer::Two(two),
            Verdict::Undecided(found) => PuzzleAnswer::Open { found: u64::from(found.is_some()) },
        }
    }

    fn several(&self, puzzle: &Puzzle, extent: Extent) -> PuzzleAnswer {
        let mut solutions = Vec::new();
        let found = solve(puzzle, extent, self.stop, &mut |squares| {
            if !self.args.count {
                solutions.push(squares.to_vec());
            }
            ControlFlow::Continue(())
        });
        let is_enough = found.count >= extent.solutions;
        match found.reason {
            Some(reason) => PuzzleAnswer::None(reason.to_string()),
            None if found.is_complete || is_enough => {
                PuzzleAnswer::Several { count: found.count, are_all: found.is_complete, solutions }
            }
            None => PuzzleAnswer::Open { found: found.count },
        }
    }

    /// The answer as it is printed: a board and a sentence, or a line with the number of the puzzle.
    fn text(&self, number: usize, puzzle: &Puzzle, answer: &PuzzleAnswer) -> String {
        if self.args.json {
            return document(&Solved::new(puzzle, answer));
        }
        let boards: Vec<String> = match answer {
            PuzzleAnswer::One(squares) => vec![puzzle.solved(squares, &[])],
            PuzzleAnswer::Two([one, other]) => {
                let differ = |(one, other): (&Square, &Square)| (one != other).then_some(*one);
                let differing: Vec<Square> = one.iter().zip(other).filter_map(differ).collect();
                [one, other].map(|squares| puzzle.solved(squares, &differing)).to_vec()
            }
            PuzzleAnswer::Several { solutions, .. } => {
                solutions.iter().map(|squares| puzzle.solved(squares, &[])).collect()
            }
            PuzzleAnswer::None(_) | PuzzleAnswer::Hint(_) | PuzzleAnswer::Open { .. } => Vec::new(),
        };
        let said = said(answer);
        match self.is_one || self.args.all {
            true if boards.is_empty() => said + "\n",
            true => boards.join("\n") + "\n" + &said + "\n",
            false => format!("{number}: {said}\n"),
        }
    }
}

fn said(answer: &PuzzleAnswer) -> String {
    match answer {
        PuzzleAnswer::None(reason) => format!("no solution: {reason}"),
        PuzzleAnswer::One(_) => "exactly one solution".to_owned(),
        PuzzleAnswer::Two([one, other]) => {
            let differ = one.iter().zip(other).filter(|(one, other)| one != other).count();
            format!("more than one solution; these two differ on {}", counted(differ, "square"))
        }
        PuzzleAnswer::Several { count, are_all: true, .. } => counted(count, "solution"),
        PuzzleAnswer::Several { count, .. } => format!("at least {}", counted(count, "solution")),
        PuzzleAnswer::Hint(Some(next)) => next.clone(),
        PuzzleAnswer::Hint(None) => "no step follows from what is given".to_owned(),
        PuzzleAnswer::Open { found: 0 } => "not decided".to_owned(),
        PuzzleAnswer::Open { found } => {
            format!("not decided: {} so far", counted(found, "solution"))
        }
    }
}

/// An answer in JSON.
#[derive(Serialize)]
struct Solved {
    board: String,
    closed: bool,
    /// `none`, `unique`, `several` or `undecided`.
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// The number of solutions, if they were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<String>,
    /// The squares of each solution in the order of their steps.
    solutions: Vec<Vec<String>>,
}

impl Solved {
    fn new(puzzle: &Puzzle, answer: &PuzzleAnswer) -> Self {
        let names = |squares: &Vec<Square>| {
            squares.iter().map(|&square| puzzle.board().name(square)).collect::<Vec<_>>()
        };
        let (verdict, solutions) = match answer {
            PuzzleAnswer::None(_) => ("none", Vec::new()),
            PuzzleAnswer::One(one) => ("unique", vec![names(one)]),
            PuzzleAnswer::Two(two) => ("several", two.iter().map(names).collect()),
            PuzzleAnswer::Several { count: 1, are_all: true, solutions } => {
                ("unique", solutions.iter().map(names).collect())
            }
            PuzzleAnswer::Several { solutions, .. } => {
                ("several", solutions.iter().map(names).collect())
            }
            PuzzleAnswer::Hint(_) | PuzzleAnswer::Open { .. } => ("undecided", Vec::new()),
        };
        let count = match answer {
            PuzzleAnswer::Several { count, .. } => Some(count.to_string()),
            _ => None,
        };
        let reason = match answer {
            PuzzleAnswer::None(reason) => Some(reason.clone()),
            _ => None,
        };
        let (board, closed) = (puzzle.board().description(), puzzle.is_closed());
        Self { board, closed, verdict, reason, count, solutions }
    }
}
