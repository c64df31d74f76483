//! `solve`: whether boards with some steps given have a solution, and only one.

use crate::board::Square;
use crate::cli::args::SolveArgs;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{Output, document};
use crate::cli::place::OutputPlace;
use crate::cli::puzzle_file::puzzles;
use crate::cli::signals::Listener;
use crate::run;
use crate::solve::{Extent, Puzzle, Verdict, hint, solve, verdict};
use crate::tally::counted;
use crate::words::duration;
use serde::Serialize;
use std::ops::ControlFlow;
use std::time::Instant;

pub fn run(args: &SolveArgs) -> Result<(), Failure> {
    let mut puzzles = puzzles(&args.files, &args.board, &args.kind)?;
    let first: Vec<Puzzle> = puzzles.by_ref().take(2).collect::<Result<_, _>>()?;
    Failure::usage_if(first.is_empty(), || "there is no board with steps given")?;
    let is_one = first.len() == 1;
    let signals = Listener::start()?;
    let threads = run::threads(Some(args.threads.number()))?;
    let mut out = Output::to(OutputPlace::standard_output())?;
    let began = Instant::now();
    let is_over = || args.max_time.is_some_and(|most| began.elapsed() >= most);
    let stop = || signals.control().is_stopped() || is_over();
    let solving = Solving { args, is_one, stop: &stop };
    let (mut decided, mut not_unique) = (0, 0);
    for puzzle in first.into_iter().map(Ok).chain(puzzles) {
        let puzzle = puzzle?;
        let answer = threads.install(|| solving.answer(&puzzle, &mut out))?;
        if out.is_closed() {
            return Ok(());
        }
        out.write(solving.text(decided + 1, &puzzle, &answer).as_bytes())?;
        if matches!(answer, PuzzleAnswer::Open { .. }) {
            out.end()?;
            let (after, boards) = (duration(began.elapsed()), counted(decided, "board"));
            let message = format!("not decided after {after}, with {boards} decided before");
            return Err(signals.stopped(Exit::Stopped, message));
        }
        decided += 1;
        not_unique += u64::from(!matches!(answer, PuzzleAnswer::One(_)));
    }
    out.end()?;
    Failure::mismatch_if(args.unique && not_unique > 0, || {
        format!("{not_unique} of {} without exactly one solution", counted(decided, "board"))
    })
}

/// What was found out about a puzzle.
enum PuzzleAnswer {
    None(String),
    One(Vec<Square>),
    Two([Vec<Square>; 2]),
    /// The number of solutions found, which may not be all.
    Several {
        count: u64,
        are_all: bool,
    },
    /// The next step, or why there is none.
    Hint(String),
    /// Undecided when it was stopped, with the number of solutions found by then.
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
    fn extent(&self) -> Extent {
        let solutions = self.args.limit.unwrap_or(u64::MAX);
        Extent { solutions, threads: self.args.threads.number(), ..Extent::default() }
    }

    /// The answer, before which the solutions that are wanted are printed.
    fn answer(&self, puzzle: &Puzzle, out: &mut Output) -> Result<PuzzleAnswer, Failure> {
        if self.args.hint {
            return Ok(self.hint(puzzle));
        }
        if self.args.count || self.args.all || self.args.limit.is_some() {
            return self.several(puzzle, out);
        }
        Ok(match verdict(puzzle, self.extent(), self.stop) {
            Verdict::None(reason) => PuzzleAnswer::None(reason.to_string()),
            Verdict::Unique(squares) => PuzzleAnswer::One(squares),
            Verdict::Several(two) => PuzzleAnswer::Two(two),
            Verdict::Undecided(found) => PuzzleAnswer::Open { found: u64::from(found.is_some()) },
        })
    }

    /// The next step. A puzzle without a solution has no hint, and a whole board needs none.
    fn hint(&self, puzzle: &Puzzle) -> PuzzleAnswer {
        if let Some(hint) = hint(puzzle, self.stop) {
            return PuzzleAnswer::Hint(hint.words(puzzle.board()));
        }
        match verdict(puzzle, self.extent(), self.stop) {
            _ if (self.stop)() => PuzzleAnswer::Open { found: 0 },
            Verdict::None(reason) => PuzzleAnswer::None(reason.to_string()),
            _ if puzzle.clues().len() == puzzle.board().squares() => {
                PuzzleAnswer::Hint("every step is given".to_owned())
            }
            _ => PuzzleAnswer::Hint("no step follows from what is given".to_owned()),
        }
    }

    /// Counts solutions and, unless only their number is wanted, prints each as it is found, for
    /// all of them together may not fit the memory.
    fn several(&self, puzzle: &Puzzle, out: &mut Output) -> Result<PuzzleAnswer, Failure> {
        let mut written = Ok(());
        let found = solve(puzzle, self.extent(), self.stop, &mut |squares| {
            if self.args.count {
                return ControlFlow::Continue(());
            }
            written = out.write(self.solution(puzzle, squares).as_bytes());
            if written.is_err() || out.is_closed() {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        written?;
        let is_enough = self.args.limit.is_some_and(|limit| found.count >= limit);
        Ok(match found.reason {
            Some(reason) => PuzzleAnswer::None(reason.to_string()),
            None if found.is_complete || is_enough => {
                PuzzleAnswer::Several { count: found.count, are_all: found.is_complete }
            }
            None => PuzzleAnswer::Open { found: found.count },
        })
    }

    /// A solution as it is printed among others.
    fn solution(&self, puzzle: &Puzzle, squares: &[Square]) -> String {
        if self.args.json {
            return document(&Solution { solution: names(puzzle, squares) });
        }
        puzzle.solved(squares, &[]) + "\n"
    }

    /// The answer as it is printed: a board and a sentence, or a line with the number of the
    /// puzzle.
    fn text(&self, number: usize, puzzle: &Puzzle, answer: &PuzzleAnswer) -> String {
        if self.args.json {
            return document(&Solved::new(puzzle, answer));
        }
        let said = said(answer);
        if !self.is_one {
            return format!("{number}: {said}\n");
        }
        let boards = match answer {
            PuzzleAnswer::One(squares) => puzzle.solved(squares, &[]) + "\n",
            PuzzleAnswer::Two([one, other]) => {
                let differ = |(one, other): (&Square, &Square)| (one != other).then_some(*one);
                let differing: Vec<Square> = one.iter().zip(other).filter_map(differ).collect();
                [one, other].map(|squares| puzzle.solved(squares, &differing) + "\n").concat()
            }
            _ => String::new(),
        };
        boards + &said + "\n"
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
        PuzzleAnswer::Hint(next) => next.clone(),
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
    /// The number of solutions, if they were counted or printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<String>,
    /// The squares of the only solution, or of two, in the order of their steps.
    solutions: Vec<Vec<String>>,
}

/// One of several solutions in JSON.
#[derive(Serialize)]
struct Solution {
    solution: Vec<String>,
}

fn names(puzzle: &Puzzle, squares: &[Square]) -> Vec<String> {
    squares.iter().map(|&square| puzzle.board().name(square)).collect()
}

impl Solved {
    fn new(puzzle: &Puzzle, answer: &PuzzleAnswer) -> Self {
        let names = |squares: &Vec<Square>| names(puzzle, squares);
        let (verdict, solutions) = match answer {
            PuzzleAnswer::None(_) => ("none", Vec::new()),
            PuzzleAnswer::One(one) => ("unique", vec![names(one)]),
            PuzzleAnswer::Two(two) => ("several", two.iter().map(names).collect()),
            PuzzleAnswer::Several { count: 1, are_all: true } => ("unique", Vec::new()),
            PuzzleAnswer::Several { count: 2.., .. } => ("several", Vec::new()),
            // One solution or none was enough, and there may be others.
            _ => ("undecided", Vec::new()),
        };
        let (count, reason) = match answer {
            PuzzleAnswer::Several { count, .. } => (Some(count.to_string()), None),
            PuzzleAnswer::None(reason) => (None, Some(reason.clone())),
            _ => (None, None),
        };
        let (board, closed) = (puzzle.board().description(), puzzle.is_closed());
        Self { board, closed, verdict, reason, count, solutions }
    }
}
