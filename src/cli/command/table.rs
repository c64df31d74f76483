//! `table`: the counts of boards of all lengths, as the OEIS lists them.

use crate::board::Board;
use crate::cli::args::{Format, TableArgs};
use crate::cli::config;
use crate::cli::counting::{PlannedJob, unprinted};
use crate::cli::exit::Failure;
use crate::cli::output::{self, Document, note};
use crate::cli::signals::Listener;
use crate::job::{Job, JobKind, LONGEST_SHORT_SIDE, Name, Outcome};
use crate::question::Question;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::time::Instant;

pub fn run(args: &TableArgs) -> Result<(), Failure> {
    let (&rows, last) = (args.rows.start(), args.rows.end());
    match (args.cols, args.up_to) {
        (Some(cols), _) => one_by_one(args, cols),
        (None, Some(up_to)) if rows == *last => at_once(args, rows, up_to),
        (None, up_to) => Err(Failure::usage(match rows == *last && up_to.is_none() {
            true => {
                "--up-to N says how many columns the last board has, or --cols C how many all have"
            }
            false => "a range of --rows needs --cols C, the columns of all boards, and no --up-to",
        })),
    }
}

/// Counts boards of one width, one after the other, and prints each at once.
fn one_by_one(args: &TableArgs, cols: u32) -> Result<(), Failure> {
    let (first, last) = (*args.rows.start(), *args.rows.end());
    Failure::usage_if(cols.min(last) > LONGEST_SHORT_SIDE, || {
        format!("the short side of a board in a table has up to {LONGEST_SHORT_SIDE} squares")
    })?;
    let mut all = Job::new(args.kind.question(Board::new(last, cols)?, None, None));
    all.limits = args.machine.limits(args.run.time.max_time);
    all.keeping = config::keeping(&args.run, || None)?;
    let is_kept = !args.run.no_checkpoint;
    let place_of = |question: &Question| {
        is_kept.then(|| config::usual_place(JobKind::Count, question)).flatten()
    };
    let jobs = all.of_lengths(first..=last, place_of)?.into_iter();
    let mut plans = jobs.map(|job| {
        let board = job.question.board.clone();
        PlannedJob::new(job, args.run.progress.style).map_err(|failure| failure.about(&board))
    });
    let (signals, format, began) = (Listener::start()?, args.format, Instant::now());
    let tours = &all.question.words()[0];
    match format {
        Format::Csv => output::print(b"rows,undirected\n")?,
        Format::Text => note(&format!("rows, and the undirected {tours} tours of {cols} columns")),
        Format::Json | Format::Quiet => {}
    }
    let (mut outcomes, mut terms): (Vec<Outcome>, Vec<Value>) = Default::default();
    // A count leaves states to the next two.
    let mut following: VecDeque<Result<PlannedJob, Failure>> = plans.by_ref().take(1).collect();
    while let Some(planned) = following.pop_front() {
        let mut planned = planned?;
        following.extend(plans.by_ref().take(2 - following.len()));
        let next = following.iter().map_while(|next| Some(&next.as_ref().ok()?.plan));
        planned.plan.take_turn(began.elapsed(), &next.collect::<Vec<_>>());
        let outcome = planned.count(&signals)?;
        let (rows, undirected) = (first + outcomes.len() as u32, outcome.units.undirected());
        let line = match format {
            Format::Json => String::new(),
            Format::Csv => format!("{rows},{undirected}\n"),
            Format::Text | Format::Quiet => format!("{rows} {undirected}\n"),
        };
        output::print(line.as_bytes()).map_err(|failure| unprinted(&outcome, failure))?;
        terms.push(json!({"rows": rows, "undirected": undirected.to_string()}));
        outcomes.push(outcome);
    }
    if format == Format::Json {
        let document = Document::default().field("cols", cols).field("rows", [first, last]);
        let document = document.field("tours", tours).field("counts", "undirected");
        output::print(document.field("terms", terms).line().as_bytes())?;
    }
    Ok(outcomes.iter().try_for_each(Outcome::clear_checkpoint)?)
}

/// Counts the boards of all lengths on the way.
fn at_once(args: &TableArgs, rows: u32, up_to: u32) -> Result<(), Failure> {
    let board = Board::new(rows, up_to)?;
    let question = args.kind.question(board, None, None);
    // A partial table has a count for each square, the other for each column of `rows` squares.
    let (engine, kind, counted, squares) = match args.partial {
        true => (Name::PartialTable, JobKind::PartialTable, "squares", 1),
        false => (Name::Table, JobKind::Table, "cols", rows as usize),
    };
    let mut job = Job::new(question.clone());
    job.wishes.engine = Some(engine);
    job.limits = args.machine.limits(args.run.time.max_time);
    job.keeping = config::keeping(&args.run, || config::usual_place(kind, &question))?;
    check(rows, up_to, args.partial)?;
    let planned = PlannedJob::new(job, args.run.progress.style)?;
    let outcome = planned.count(&Listener::start()?)?;
    let terms = (1..).zip(&outcome.units.counts);
    let terms = terms.map(|(number, (_, directed))| match number * squares {
        // A tour of one square is its own reverse.
        1 => (number, directed.to_string()),
        _ => (number, (directed / 2).to_string()),
    });
    let printed = match args.format {
        Format::Json => {
            let terms = terms.map(|(number, count)| json!({counted: number, "undirected": count}));
            Document::default()
                .field("rows", rows)
                .field("up_to", up_to)
                .field("tours", &question.words()[0])
                .field("partial", args.partial)
                .field("counts", "undirected")
                .field("terms", terms.collect::<Vec<_>>())
                .line()
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

/// Refuses tables of too many rows. The sweep goes along the columns, and a board of fewer columns
/// than rows is counted sooner along its rows.
fn check(rows: u32, up_to: u32, partial: bool) -> Result<(), Failure> {
    /// The number of rows up to which a sweep takes seconds.
    const QUICK: u32 = 7;
    let one = format!("kt-enum --size {rows}x{}", up_to.min(LONGEST_SHORT_SIDE));
    let estimate = one.replace("kt-enum", "kt-enum estimate");
    Err(Failure::usage(match rows {
        0..=QUICK => return Ok(()),
        _ if rows > LONGEST_SHORT_SIDE => format!(
            "a table has up to {LONGEST_SHORT_SIDE} rows; {estimate} says what a single board of \
             {rows} rows takes"
        ),
        _ if up_to < rows && !partial => format!(
            "a table of {rows} rows and fewer columns takes long: count one board after another, \
             as {one}"
        ),
        _ => return Ok(()),
    }))
}
