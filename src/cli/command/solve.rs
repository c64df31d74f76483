//! `solve`: whether boards with some steps given have a solution, and only one.

use crate::board::Square;
use crate::cli::args::SolveArgs;
use crate::cli::board::name_of;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{Document, Output};
use crate::cli::puzzle_file::puzzles;
use crate::cli::signals::Listener;
use crate::quantity::{counted, grouped};
use crate::run;
use crate::solve::{Extent, Grade, Hint, Puzzle, Reason, Verdict, hint, solve, verdict};
use crate::words::duration;
use serde::Serialize;
use std::ops::ControlFlow;
use std::time::Instant;

pub fn run(args: &SolveArgs) -> Result<(), Failure> {
    Failure::usage_if(args.limit == Some(0), || "--limit 0 asks for nothing: give 1 or more")?;
    let mut puzzles =
        puzzles(&args.files, &args.board, &args.signs, &args.kind, Some(&args.links))?;
    let first: Vec<Puzzle> = puzzles.by_ref().take(2).collect::<Result<_, _>>()?;
    Failure::usage_if(first.is_empty(), || {
        let names: Vec<_> = args.files.iter().map(|file| name_of(file)).collect();
        format!("there is no board with steps given in {}", names.join(", "))
    })?;
    let is_one = first.len() == 1;
    let signals = Listener::start()?;
    let threads = run::threads(Some(args.threads.number()))?;
    let mut out = Output::standard()?;
    let began = Instant::now();
    let is_over = || args.time.max_time.is_some_and(|most| began.elapsed() >= most);
    let stop = || signals.control.is_stopped() || is_over();
    let solving = Solving { args, is_one, stop: &stop };
    let (mut decided, mut not_unique) = (0, 0);
    for puzzle in first.into_iter().map(Ok).chain(puzzles) {
        let puzzle = puzzle?;
        // Without a search nothing else looks at the clock.
        let answer = match decided > 0 && stop() {
            true => PuzzleAnswer::open(0),
            false => threads.install(|| solving.answer(&puzzle, &mut out))?,
        };
        if out.is_closed() {
            return Ok(());
        }
        out.write(solving.text(decided + 1, &puzzle, &answer).as_bytes())?;
        if answer.is_open {
            out.end()?;
            let (after, boards) = (duration(began.elapsed()), counted(decided, "board"));
            let what = if answer.count > Some(1) { "not all counted" } else { "not decided" };
            let message =
                format!("{what} after {after}, with {boards} decided before; nothing is saved");
            return Err(match stop() {
                true => signals.stopped(Exit::Stopped, message),
                false => Failure::failed(message + ": the search needs more memory than there is"),
            });
        }
        decided += 1;
        not_unique += u64::from(answer.verdict != "unique");
    }
    out.end()?;
    Failure::mismatch_if(args.unique && not_unique > 0, || {
        format!("{not_unique} of {} without exactly one solution", counted(decided, "board"))
    })
}

/// The answer about a puzzle.
#[derive(Default)]
struct PuzzleAnswer {
    /// `none`, `unique`, `several` or `undecided`.
    verdict: &'static str,
    /// The answer in words.
    said: String,
    /// The reason why there is no solution.
    reason: Option<String>,
    /// The number of solutions, if they were counted or printed.
    count: Option<u64>,
    /// True if there may be more than that number.
    at_least: bool,
    /// The next number.
    hint: Option<Hint>,
    /// The squares of the only solution, or of two, in the order of their steps.
    solutions: Vec<Vec<Square>>,
    /// True if it was stopped before its end.
    is_open: bool,
}

impl PuzzleAnswer {
    fn new(verdict: &'static str, said: impl Into<String>) -> Self {
        Self { verdict, said: said.into(), ..Self::default() }
    }

    fn none(reason: &Reason) -> Self {
        let said = format!("no solution: {reason}");
        Self { reason: Some(reason.to_string()), ..Self::new("none", said) }
    }

    /// The answer of a search that was stopped, with the number of solutions found so far.
    fn open(found: u64) -> Self {
        let (verdict, said) = match found {
            0 => ("undecided", "not decided".to_owned()),
            1 => ("undecided", "not decided: 1 solution so far".to_owned()),
            _ => ("several", format!("more than one solution: {} so far", grouped(found))),
        };
        let (count, at_least) = ((found > 0).then_some(found), found > 0);
        Self { is_open: true, count, at_least, ..Self::new(verdict, said) }
    }
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
            Verdict::None(reason) => PuzzleAnswer::none(&reason),
            Verdict::Unique(squares) => {
                let solutions = vec![squares];
                PuzzleAnswer { solutions, ..PuzzleAnswer::new("unique", "exactly one solution") }
            }
            Verdict::Several(two) => {
                let differ = counted(differing(&two).len(), "square");
                let which = if self.is_one { "these two" } else { "two of them" };
                let said = format!("more than one solution; {which} differ on {differ}");
                PuzzleAnswer { solutions: two.into(), ..PuzzleAnswer::new("several", said) }
            }
            Verdict::Undecided(found) => PuzzleAnswer::open(found.is_some().into()),
        })
    }

    /// The next step. A puzzle without a solution has no hint, and a whole board needs none.
    fn hint(&self, puzzle: &Puzzle) -> PuzzleAnswer {
        // Nodes times squares of a search of milliseconds, which may find that nothing solves it.
        const SHORT_LOOK: usize = 100_000;
        let nodes = (SHORT_LOOK / puzzle.board().squares()) as u64;
        if let Verdict::None(reason) =
            verdict(puzzle, Extent { nodes, ..Extent::default() }, self.stop)
        {
            return PuzzleAnswer::none(&reason);
        }
        if let Some(hint) = hint(puzzle, self.stop) {
            let said = hint.words(puzzle.board());
            return PuzzleAnswer { hint: Some(hint), ..PuzzleAnswer::new("undecided", said) };
        }
        let is_whole = puzzle.clues().len() == puzzle.board().squares();
        match verdict(puzzle, self.extent(), self.stop) {
            _ if (self.stop)() => PuzzleAnswer::open(0),
            Verdict::None(reason) => PuzzleAnswer::none(&reason),
            Verdict::Unique(_) if is_whole => PuzzleAnswer::new("unique", "every step is given"),
            Verdict::Unique(_) => PuzzleAnswer::new("unique", "no hint finds the next step"),
            Verdict::Several(_) => {
                PuzzleAnswer::new("several", "no step was found that follows from what is given")
            }
            Verdict::Undecided(_) => PuzzleAnswer::open(0),
        }
    }

    /// Counts solutions and, unless only their number is wanted, prints each as it is found, for
    /// all of them together may not fit the memory.
    fn several(&self, puzzle: &Puzzle, out: &mut Output) -> Result<PuzzleAnswer, Failure> {
        let mut header = if self.args.json { String::new() } else { header(puzzle) };
        let mut written = Ok(());
        let found = solve(puzzle, self.extent(), self.stop, &mut |squares| {
            if !self.args.count {
                let header = std::mem::take(&mut header);
                written = out.write((header + &self.solution(puzzle, squares)).as_bytes());
            }
            match written.is_err() || out.is_closed() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        written?;
        let is_enough = self.args.limit.is_some_and(|limit| found.count >= limit);
        Ok(match found.reason {
            Some(reason) => PuzzleAnswer { count: Some(0), ..PuzzleAnswer::none(&reason) },
            None if found.is_complete || is_enough => {
                let verdict = match found.count {
                    1 if found.is_complete => "unique",
                    2.. => "several",
                    // One solution or none was enough, and there may be others.
                    _ => "undecided",
                };
                let prefix = if found.is_complete { "" } else { "at least " };
                let said = prefix.to_owned() + &counted(found.count, "solution") + &begin(puzzle);
                let (count, at_least) = (Some(found.count), !found.is_complete);
                PuzzleAnswer { count, at_least, ..PuzzleAnswer::new(verdict, said) }
            }
            None => PuzzleAnswer::open(found.count),
        })
    }

    /// A solution as it is printed among others.
    fn solution(&self, puzzle: &Puzzle, squares: &[Square]) -> String {
        if self.args.json {
            return Document::default()
                .field("board", puzzle.board().description())
                .field("solution", names(puzzle, squares))
                .line();
        }
        puzzle.solved(squares, &[]) + "\n"
    }

    /// The answer as it is printed: a board and a sentence, or a line with the number of the
    /// puzzle.
    fn text(&self, number: usize, puzzle: &Puzzle, answer: &PuzzleAnswer) -> String {
        let PuzzleAnswer { verdict, said, reason, count, at_least, hint, solutions, .. } = answer;
        if self.args.json {
            let hint = hint.as_ref().map(|hint| HintDocument {
                step: hint.clue.step,
                square: puzzle.board().name(hint.clue.square),
                technique: hint.why.technique(),
                grade: hint.why.grade(),
                chain: hint.why.words(puzzle.board()),
                words: said,
            });
            let solutions = solutions.iter().map(|squares| names(puzzle, squares));
            return Document::default()
                .field("board", puzzle.board().description())
                .field("closed", puzzle.is_closed())
                .field("verdict", verdict)
                .optional("reason", reason.as_ref())
                .optional("count", count.map(|count| count.to_string()))
                .optional("at_least", at_least.then_some(true))
                .optional("hint", hint)
                .field("solutions", solutions.collect::<Vec<_>>())
                .line();
        }
        if !self.is_one {
            return format!("{number}: {said}\n");
        }
        let marked = differing(solutions);
        let boards = solutions.iter().map(|squares| puzzle.solved(squares, &marked) + "\n");
        let header = if solutions.is_empty() { String::new() } else { header(puzzle) };
        header + &boards.collect::<String>() + said + "\n"
    }
}

/// Where the numbers begin, if no clue of a closed puzzle says so.
fn begin(puzzle: &Puzzle) -> String {
    let is_free = puzzle.is_closed() && puzzle.clues().is_empty();
    let first = puzzle.board().all_squares().next().filter(|_| is_free);
    first.map_or(String::new(), |first| format!(" with 1 on {}", puzzle.board().name(first)))
}

/// The line before solutions that says what they are.
fn header(puzzle: &Puzzle) -> String {
    if puzzle.board().is_graph() { String::new() } else { puzzle.board_line() }
}

/// The squares on which the numbers of two solutions differ.
fn differing(solutions: &[Vec<Square>]) -> Vec<Square> {
    let [one, other] = solutions else { return Vec::new() };
    let differ = |(one, other): (&Square, &Square)| (one != other).then_some(*one);
    one.iter().zip(other).filter_map(differ).collect()
}

/// A hint in JSON.
#[derive(Serialize)]
struct HintDocument<'a> {
    step: usize,
    square: String,
    technique: &'a str,
    grade: Grade,
    /// The conclusions that lead to the number, or from each other number to a contradiction.
    chain: Vec<String>,
    words: &'a str,
}

fn names(puzzle: &Puzzle, squares: &[Square]) -> Vec<String> {
    squares.iter().map(|&square| puzzle.board().name(square)).collect()
}
