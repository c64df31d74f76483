//! `table`: the counts of boards of all lengths, as the OEIS lists them.

use crate::board::Board;
use crate::cli::args::{Format, TableArgs};
use crate::cli::config;
use crate::cli::counting::{PlannedJob, unprinted};
use crate::cli::exit::Failure;
use crate::cli::output::{self, document, note};
use crate::cli::signals::Listener;
use crate::job::{Job, JobKind, LONGEST_SHORT_SIDE, Name};
use serde::Serialize;

pub fn run(args: &TableArgs) -> Result<(), Failure> {
    let board = Board::new(args.rows, args.up_to)?;
    let question = args.kind.question(board, None, None);
    // A partial table has a count for each square, the other for each column of `rows` squares.
    let (engine, kind, counted, squares) = match args.partial {
        true => (Name::PartialTable, JobKind::PartialTable, "squares", 1),
        false => (Name::Table, JobKind::Table, "cols", args.rows as usize),
    };
    let mut job = Job::new(question.clone());
    job.wishes.engine = Some(engine);
    job.limits = args.machine.limits(args.run.max_time);
    job.keeping = config::keeping(&args.run, || config::usual_place(kind, &question))?;
    check(args)?;
    let planned = PlannedJob::new(job, args.run.progress.style)?;
    let outcome = planned.count(&Listener::start()?)?;
    let terms = (1..).zip(&outcome.units.counts);
    let terms = terms.map(|(number, (_, directed))| match number * squares {
        // A tour of one square is its own reverse.
        1 => (number, directed.to_string()),
        _ => (number, (directed / 2).to_string()),
    });
    let printed = match args.format() {
        Format::Json => {
            let term = |(number, undirected)| Term {
                cols: (!args.partial).then_some(number),
                squares: args.partial.then_some(number),
                undirected,
            };
            document(&TableDocument {
                rows: args.rows,
                up_to: args.up_to,
                tours: &question.words()[0],
                partial: args.partial,
                counts: "undirected",
                terms: terms.map(term).collect(),
            })
        }
        Format::Csv => {
            let lines = terms.map(|(number, count)| format!("{number},{count}\n"));
            format!("{counted},undirected\n") + &lines.collect::<String>()
        }
        Format::Text | Format::Quiet => {
            note(&format!("{counted}, and the undirected {} tours", question.words()[0]));
            terms.map(|(number, count)| format!("{number} {count}\n")).collect()
        }
    };
    output::print(printed.as_bytes()).map_err(|failure| unprinted(&outcome, failure))?;
    Ok(outcome.clear_checkpoint()?)
}

/// A table in JSON.
#[derive(Serialize)]
struct TableDocument<'a> {
    rows: u32,
    up_to: u32,
    tours: &'a str,
    partial: bool,
    counts: &'static str,
    terms: Vec<Term>,
}

/// A count with the size of its board.
#[derive(Serialize)]
struct Term {
    #[serde(skip_serializing_if = "Option::is_none")]
    cols: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    squares: Option<usize>,
    undirected: String,
}

/// Refuses tables of too many rows. The sweep goes along the columns, and a board of fewer columns
/// than rows is counted sooner along its rows.
fn check(args: &TableArgs) -> Result<(), Failure> {
    /// The number of rows up to which a sweep takes seconds.
    const QUICK: u32 = 7;
    let TableArgs { rows, up_to, partial, .. } = *args;
    let why = match rows {
        0..=QUICK => return Ok(()),
        _ if rows > LONGEST_SHORT_SIDE => {
            format!("a table has up to {LONGEST_SHORT_SIDE} rows: count one board")
        }
        _ if up_to < rows && !partial => {
            format!(
                "a table of {rows} rows and fewer columns takes long: count one board after another"
            )
        }
        _ => return Ok(()),
    };
    let cols = up_to.min(LONGEST_SHORT_SIDE);
    Err(Failure::usage(format!("{why}, as kt-enum --size {rows}x{cols}")))
}
