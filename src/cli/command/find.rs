//! `find`: one tour on a board of any size.

use crate::cli::args::{FindArgs, FindFormatArgument, LimitArgs, ProgressStyle, form};
use crate::cli::board::{check_order, described, required_board, rows_and_cols};
use crate::cli::config;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{Output, fields_of, more, note};
use crate::cli::place::Place;
use crate::cli::quantity::{counted, duration};
use crate::cli::signals::Listener;
use crate::cli::watch::{Search, Watch};
use kt_enum::board::{Board, Square};
use kt_enum::find::{Effort, Find, Limits, Outcome, Route, Strategy};
use kt_enum::tally::grouped;
use kt_enum::tour::{TourFormat, stream};
use serde_json::Value;
use std::fmt::Display;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Moves that a heuristic may take back unless it is told otherwise: less than a second.
const MOST_BACKTRACKS: u64 = 1_000_000;

/// The limits that were typed, or those that a strategy has.
pub fn limits(args: &LimitArgs, strategy: Strategy) -> Limits {
    let is_limited = args.max_moves.is_some() || args.max_time.is_some();
    let by_default = (!strategy.is_exhaustive() && !is_limited).then_some(MOST_BACKTRACKS);
    Limits { moves: args.max_moves, backtracks: args.max_backtracks.or(by_default) }
}

/// A search that has ended.
pub struct Searched {
    pub find: Find,
    pub outcome: Outcome,
    pub effort: Effort,
    pub elapsed: Duration,
}

impl Searched {
    /// Searches until it is told to stop, and looks at the clock.
    pub fn run(find: Find, max_time: Option<Duration>, stop: &dyn Fn(&Effort) -> bool) -> Self {
        let began = Instant::now();
        let is_over =
            |effort: &Effort| stop(effort) || max_time.is_some_and(|most| began.elapsed() >= most);
        let (outcome, effort) = find.watched(&is_over);
        let elapsed = began.elapsed();
        Self { find, outcome, effort, elapsed }
    }
}

/// The progress of a search.
struct Tried {
    strategy: Strategy,
    effort: Mutex<Effort>,
}

impl Tried {
    fn is_at(&self, effort: &Effort) {
        *self.effort.lock().unwrap_or_else(PoisonError::into_inner) = *effort;
    }

    fn said(&self) -> Vec<String> {
        let effort = *self.effort.lock().unwrap_or_else(PoisonError::into_inner);
        match self.strategy {
            // A construction tries next to nothing.
            Strategy::Auto => vec!["building a tour".to_owned()],
            _ => vec![
                format!("{} tried", counted(effort.moves_tried, "move")),
                counted(effort.dead_ends, "dead end"),
            ],
        }
    }
}

impl Search for Tried {
    fn how_far(&self) -> (Option<f64>, Vec<String>) {
        (None, self.said())
    }

    fn stopped(&self, after: Duration, signals: &Listener) -> Failure {
        let said = self.said().join(", ");
        let advice = match self.strategy {
            Strategy::Auto => "run the same command to start over",
            _ => {
                "a search for one tour cannot be resumed; --strategy auto finds most tours at once"
            }
        };
        let message = format!("stopped after {}, {said}; {advice}", duration(after));
        signals.stopped(Exit::Failed, message)
    }
}

pub fn run(args: &FindArgs) -> Result<(), Failure> {
    let board = required_board(&args.board)?;
    check_order(&board, args.order)?;
    let from = args.from.as_deref().map(|from| board.parse_square(from)).transpose()?;
    let find = Find {
        board: board.clone(),
        from: from.unwrap_or(Square::from_index(0)),
        closed: args.kind.is_closed(),
        strategy: args.strategy,
        order: args.order,
        limits: limits(&args.limits, args.strategy),
    };
    let json = args.json.then_some(FindFormatArgument::Json);
    let format = form(json.or(args.format), &args.output).unwrap_or(FindFormatArgument::Grid);
    Failure::usage_if(
        format == FindFormatArgument::Boards && !board.is_plain(),
        || "--format boards is for whole rectangles with a knight: use --format grid",
    )?;
    let place = Place::of_tours(args.output.as_deref(), args.overwrite)?;
    let mut out = Output::to(place)?;
    let signals = Listener::start()?;
    let control = Arc::clone(signals.control());
    let tried = Arc::new(Tried { strategy: args.strategy, effort: Mutex::default() });
    let style = config::progress_beside(args.progress, false);
    let question = args.kind.question(board, Some(find.from), None);
    let watched =
        |style| Watch::start("find", &question, Arc::clone(&tried) as _, signals.clone(), style);
    let watch = watched(style)?;
    let is_stopped = |effort: &Effort| {
        tried.is_at(effort);
        control.is_stopped()
    };
    let searched = Searched::run(find, args.limits.max_time, &is_stopped);
    if control.is_stopped() && matches!(searched.outcome, Outcome::GaveUp(_)) {
        return Err(watch.stopped());
    }
    // The bar is gone before anything is printed. A reader may still keep the tour waiting.
    drop(watch);
    let _watch = (!out.is_to_file()).then(|| watched(ProgressStyle::None)).transpose()?;
    let cost = if args.quiet { String::new() } else { searched.counts() };
    match &searched.outcome {
        Outcome::Found(route) => searched.write(route, format, &cost, &mut out)?,
        Outcome::None(reason) => {
            out.write(searched.none(reason, format, &cost).as_bytes())?;
            note(&format!("there is no {}: {reason}", searched.wanted()));
        }
        Outcome::GaveUp(limit) => {
            if format == FindFormatArgument::Json {
                let none = searched.none(format!("gave up: {limit}"), format, &cost);
                out.write(none.as_bytes())?;
                out.end()?;
            }
            return Err(Failure::failed(searched.gave_up(limit)));
        }
    }
    out.end()
}

impl Searched {
    fn wanted(&self) -> String {
        let Find { board, from, .. } = &self.find;
        let kind = if self.find.closed { "closed" } else { "open" };
        format!("{kind} tour of {board} from {}", board.name(*from))
    }

    fn gave_up(&self, limit: impl Display) -> String {
        let advice = match (self.find.board.is_plain(), self.find.strategy) {
            (true, _) => "--strategy auto finds one wherever there is one",
            (false, Strategy::Auto) => "nothing is known about this board: a tour may exist",
            (false, _) => "--strategy auto tries several methods",
        };
        format!(
            "no {} found by {}: {limit}, with {} tried, {} taken back and {} in {:.3} s; {advice}",
            self.wanted(),
            self.find.strategy,
            counted(self.effort.moves_tried, "move"),
            grouped(self.effort.backtracks),
            counted(self.effort.dead_ends, "dead end"),
            self.elapsed.as_secs_f64(),
        )
    }

    fn write(
        &self,
        route: &Route,
        format: FindFormatArgument,
        cost: &str,
        out: &mut Output,
    ) -> Result<(), Failure> {
        match format {
            FindFormatArgument::Squares => write_tour(route, TourFormat::Squares, 0, out),
            FindFormatArgument::Grid => {
                write_tour(route, TourFormat::Grid, 0, out)?;
                out.write(cost.as_bytes())
            }
            FindFormatArgument::Json => {
                // The tour's object is streamed after the other fields, without its first brace.
                out.write((self.fields() + ",").as_bytes())?;
                write_tour(route, TourFormat::Json, 1, out)
            }
            FindFormatArgument::Boards => {
                let numbers = route.numbers();
                let solved = |index: usize| format!("{:02}", numbers[index]);
                let (before, after) = (self.initial_state(), cells(&self.find.board, solved));
                let seconds = self.elapsed.as_secs_f64();
                let text = format!(
                    "{before}\nFINAL STATE:\n{after}\n{cost}Runtime: {seconds:.9} seconds\n"
                );
                out.write(text.as_bytes())
            }
        }
    }

    fn none(&self, reason: impl Display, format: FindFormatArgument, cost: &str) -> String {
        let board = &self.find.board;
        let (rows, cols) = (board.rows(), board.cols());
        let no_solution = format!("No solution found for {rows} rows and {cols} columns!\n");
        match format {
            FindFormatArgument::Squares => String::new(),
            FindFormatArgument::Grid => no_solution + cost,
            FindFormatArgument::Boards => self.initial_state() + "\n" + &no_solution + cost,
            FindFormatArgument::Json => {
                let answer =
                    more!("tour": Value::Null, "closed": false, "reason": reason.to_string());
                self.fields() + &described(board) + &answer + "}\n"
            }
        }
    }

    /// The cost of the search as a course project prints it; nothing where a construction made no
    /// moves.
    fn counts(&self) -> String {
        if self.effort.moves_generated == 0 && !self.find.strategy.is_exhaustive() {
            return String::new();
        }
        format!(
            "Number of moves generated: {}\nNumber of moves tried: {}\n",
            self.effort.moves_generated, self.effort.moves_tried
        )
    }

    fn initial_state(&self) -> String {
        let start = self.find.from.index();
        let cell = |index: usize| if index == start { "01" } else { "XX" }.to_owned();
        format!("INITIAL STATE:\n{}", cells(&self.find.board, cell))
    }

    fn fields(&self) -> String {
        let Find { board, from, .. } = &self.find;
        fields_of(&rows_and_cols(board))
            + &more! {
                "from": board.name(*from),
                "strategy": self.find.strategy.name(), "order": self.find.order.to_string(),
                "moves_generated": self.effort.moves_generated.to_string(),
                "moves_tried": self.effort.moves_tried.to_string(),
                "backtracks": self.effort.backtracks.to_string(),
                "dead_ends": self.effort.dead_ends.to_string(),
                "elapsed_s": self.elapsed.as_secs_f64(),
            }
    }
}

/// Streams a tour, but for the first `skipped` bytes.
fn write_tour(
    route: &Route,
    format: TourFormat,
    mut skipped: usize,
    out: &mut Output,
) -> Result<(), Failure> {
    let (squares, numbers) = (route.squares(), || route.numbers());
    stream(&route.board(), format, squares, numbers, &mut |portion| {
        out.write(&portion[std::mem::take(&mut skipped)..])
    })
}

/// A board with a cell of two characters for each square, by its index, the top row first.
fn cells(board: &Board, cell: impl Fn(usize) -> String) -> String {
    let cols = board.cols() as usize;
    let rows = (0..board.rows() as usize).rev();
    let line = |row: usize| {
        let cells: Vec<String> = (row * cols..(row + 1) * cols).map(&cell).collect();
        cells.join(" ") + "\n"
    };
    rows.map(line).collect()
}
