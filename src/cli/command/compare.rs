//! `compare`: many searches for a tour side by side.

use super::find::{Searched, limits};
use crate::cli::args::{CompareArgs, CompareFormatArgument};
use crate::cli::exit::Failure;
use crate::cli::output::{self, Output};
use crate::cli::quantity::short_duration;
use kt_enum::board::{Board, Square};
use kt_enum::find::{Effort, Find, Outcome};
use std::time::Duration;

pub fn run(args: &CompareArgs) -> Result<(), Failure> {
    let finds = finds(args)?;
    match args.format {
        CompareFormatArgument::Csv => {
            let mut out = Output::to(None)?;
            out.write((COLUMNS.join(",") + "\n").as_bytes())?;
            for find in finds {
                let row = Row::new(find, args).csv();
                out.write((row.join(",") + "\n").as_bytes())?;
                if out.is_closed() {
                    break;
                }
            }
            out.end()
        }
        CompareFormatArgument::Table => {
            let header = HEADER.map(str::to_owned);
            let rows = finds.into_iter().map(|find| Row::new(find, args).table());
            output::print(aligned(std::iter::once(header).chain(rows).collect()).as_bytes())
        }
    }
}

/// What is compared, in the order of the table.
fn finds(args: &CompareArgs) -> Result<Vec<Find>, Failure> {
    let mut finds = Vec::new();
    for &board in args.sizes.iter().flatten() {
        for from in starts(board, &args.from)? {
            for &strategy in &args.strategies {
                finds.extend(args.order.iter().map(|&order| Find {
                    board,
                    from,
                    closed: args.closed,
                    strategy,
                    order,
                    limits: limits(&args.limits, strategy),
                }));
            }
        }
    }
    Ok(finds)
}

fn starts(board: Board, names: &[String]) -> Result<Vec<Square>, Failure> {
    let mut starts = Vec::new();
    for name in names {
        match name.as_str() {
            "all" => starts.extend(board.all_squares()),
            "top-left" => starts.extend(board.at(i64::from(board.rows()) - 1, 0)),
            _ => starts.push(board.parse_square(name)?),
        }
    }
    Ok(starts)
}

/// A line of the comparison.
struct Row {
    find: Find,
    result: &'static str,
    effort: Effort,
    /// The times of the trials, ascending.
    times: Vec<Duration>,
}

const HEADER: [&str; 12] = [
    "board",
    "from",
    "strategy",
    "order",
    "result",
    "dead ends",
    "taken back",
    "generated",
    "tried",
    "median",
    "least",
    "most",
];

const COLUMNS: [&str; 13] = [
    "rows",
    "cols",
    "from",
    "strategy",
    "order",
    "result",
    "dead_ends",
    "backtracks",
    "moves_generated",
    "moves_tried",
    "median_ns",
    "least_ns",
    "most_ns",
];

impl Row {
    fn new(find: Find, args: &CompareArgs) -> Self {
        let run = |_| Searched::run(find, args.limits.max_time);
        let mut trials: Vec<Searched> = (0..args.trials).map(run).collect();
        trials.sort_by_key(|trial| trial.elapsed);
        let last = &trials[trials.len() - 1];
        let result = match last.outcome {
            Outcome::Found(_) => "found",
            Outcome::None(_) => "none",
            Outcome::GaveUp(_) => "gave up",
        };
        Self {
            find,
            result,
            effort: last.effort,
            times: trials.iter().map(|trial| trial.elapsed).collect(),
        }
    }

    /// The median, the least and the most.
    fn times(&self) -> [Duration; 3] {
        let last = self.times.len() - 1;
        [self.times[last / 2], self.times[0], self.times[last]]
    }

    fn counts(&self) -> [String; 4] {
        let Effort {
            moves_generated,
            moves_tried,
            backtracks,
            dead_ends,
        } = self.effort;
        [dead_ends, backtracks, moves_generated, moves_tried].map(|count| count.to_string())
    }

    fn names(&self) -> [String; 4] {
        let Find {
            board,
            from,
            strategy,
            order,
            ..
        } = self.find;
        [
            board.name(from),
            strategy.to_string(),
            order.to_string(),
            self.result.to_owned(),
        ]
    }

    fn table(&self) -> [String; 12] {
        let [from, strategy, order, result] = self.names();
        let [dead_ends, backtracks, generated, tried] = self.counts();
        let [median, least, most] = self.times().map(short_duration);
        let board = self.find.board.to_string();
        [
            board, from, strategy, order, result, dead_ends, backtracks, generated, tried, median,
            least, most,
        ]
    }

    fn csv(&self) -> [String; 13] {
        let Find { board, .. } = self.find;
        let [from, strategy, order, result] = self.names();
        let [dead_ends, backtracks, generated, tried] = self.counts();
        let [median, least, most] = self.times().map(|time| time.as_nanos().to_string());
        let (rows, cols) = (board.rows().to_string(), board.cols().to_string());
        // An order of eight steps has commas in it.
        let order = if order.contains(',') {
            format!("\"{order}\"")
        } else {
            order
        };
        [
            rows, cols, from, strategy, order, result, dead_ends, backtracks, generated, tried,
            median, least, most,
        ]
    }
}

/// Columns as wide as they need to be, names to the left and numbers to the right.
fn aligned(rows: Vec<[String; 12]>) -> String {
    const NAMES: usize = 5;
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..HEADER.len()).map(width).collect();
    let line = |row: &[String; 12]| {
        let cells = row.iter().zip(&widths).enumerate();
        let cells = cells.map(|(column, (cell, &width))| match column < NAMES {
            true => format!("{cell:<width$}"),
            false => format!("{cell:>width$}"),
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}
