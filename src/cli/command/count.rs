//! `count`: how many tours.

use crate::board::Board;
use crate::cli::answer::{Answer, CSV_HEADING, of_selected};
use crate::cli::args::{CountArgs, Format, JobArgs, WholeArgs};
use crate::cli::board::{WHICH_BOARD, boards};
use crate::cli::config;
use crate::cli::counting::{PlannedJob, classes, unprinted};
use crate::cli::exit::{Exit, Failure};
use crate::cli::machine;
use crate::cli::output::{self, Output};
use crate::cli::place::OutputPlace;
use crate::cli::selected::{self, SelectedSearch};
use crate::cli::signals::Listener;
use crate::job::{ByStart, CheckpointPlace, Job, Selected};
use crate::quantity::counted_of;
use crate::run::checkpoint::Store;
use crate::run::{Effort, Outcome};
use crate::tally::Tally;
use crate::units::Units;
use crate::words::duration;
use std::time::{Duration, Instant};

pub fn run(args: &CountArgs) -> Result<(), Failure> {
    let boards = boards(&args.job.question.board)?;
    match boards.as_slice() {
        [] => Err(Failure::usage(WHICH_BOARD)),
        [board] => {
            let mut question = config::question_on(board, &args.job.question)?;
            if let Some(selected) = selected::of(&args.select, &question, None)? {
                match selected.question() {
                    Some(same) => question = same,
                    None => return by_solver(&selected, args),
                }
            }
            one(config::whole(question, args)?, args)
        }
        _ => each(boards, args),
    }
}

/// The count of one board, or a count of its open tours for each orbit of starts.
fn one(job: Job, args: &CountArgs) -> Result<(), Failure> {
    let (format, style) = (args.job.format.format(), args.job.run.progress.style);
    Failure::usage_if(args.starts && format == Format::Csv, || "--starts has no CSV: take --json")?;
    if let Some(printed) = nothing_to_count(&job, args, |answer| answer.print()) {
        return printed;
    }
    let kept = place_of_units(&job, args)?;
    let signals = Listener::start()?;
    let mut outcomes: Vec<Outcome> = Vec::new();
    let jobs = if args.starts { job.by_start() } else { vec![job.clone()] };
    for mut one in jobs {
        let before = outcomes.iter().map(|outcome| outcome.effort.elapsed).sum();
        one.spent_by_others = args.starts.then_some(before);
        outcomes.push(PlannedJob::new(one, style)?.count(&signals)?);
    }
    let by_start = args.starts.then(|| ByStart::of(&job.question, &outcomes));
    let (last, mut effort) = (&outcomes[outcomes.len() - 1], Effort::of(&outcomes));
    let units = by_start.as_ref().map_or(&last.units, |by_start| &by_start.units);
    let is_resumable = job.keeping.place.is_some();
    let (classes, stopped) = match with_classes(&job, units, &mut effort, args, &signals) {
        Ok(classes) => (classes, None),
        Err(stopped) if is_resumable => return Err(stopped),
        Err(stopped) => (None, Some(stopped)),
    };
    let written = kept.map_or(Ok(()), |place| {
        let provenance = machine::provenance();
        let text = units.encode(Some(&last.history), Some(&provenance));
        place.keep_units(text.map_err(Into::into))
    });
    let starts = by_start.as_ref().map(|by_start| &by_start.starts);
    let answer = Answer { classes, starts, ..Answer::new(units, effort, format) };
    answer.print().map_err(|failure| unprinted(last, failure))?;
    // The checkpoint stays until the units are where they belong.
    written.map_err(|failure| {
        let again = "; the checkpoint is kept: type the command again with another --keep-units, and \
                     nothing is counted twice";
        if is_resumable { failure.advising(again) } else { failure }
    })?;
    outcomes.iter().try_for_each(|outcome| outcome.clear_checkpoint())?;
    stopped.map_or(Ok(()), Err)
}

/// The count of selected tours.
fn by_solver(selected: &Selected, args: &CountArgs) -> Result<(), Failure> {
    let JobArgs { search, run, format, .. } = &args.job;
    selected::check_options(&[
        ("--engine", search.engine.is_some()),
        ("--split-depth", search.split_depth.is_some()),
        ("--cut", search.cut.is_some()),
        ("--memo", search.memo.is_some()),
        ("--memory", search.machine.own.memory.is_some()),
        ("--checkpoint", run.checkpoint.is_some()),
        ("--fresh", run.fresh),
        ("--disk", search.machine.disk.is_some()),
        ("--classes", args.whole.classes),
        ("--starts", args.starts),
        ("--keep-units", args.whole.keep_units.is_some()),
        ("--format csv", format.format() == Format::Csv),
    ])?;
    let (began, threads) = (Instant::now(), search.machine.own.threads.number());
    let searching = SelectedSearch::start("count", selected, &run.time, run.progress)?;
    let found = searching.count(u64::MAX, threads)?;
    drop(searching);
    let answer = of_selected(selected, &found, threads, began.elapsed(), format.format());
    output::print(answer.as_bytes())
}

/// The place of the units, if they are to be kept.
fn place_of_units(job: &Job, args: &CountArgs) -> Result<Option<OutputPlace>, Failure> {
    let (WholeArgs { keep_units, place, .. }, read) = (&args.whole, &args.job.question.board);
    let kept = OutputPlace::of_units(keep_units, place.overwrite, read.files())?;
    if let (Some(kept), Some(CheckpointPlace { path, .. })) = (&kept, &job.keeping.place) {
        let states = Store::folder_of_states(path).canonicalize();
        let is_state =
            states.is_ok_and(|states| kept.file().is_some_and(|kept| kept.starts_with(states)));
        let is_own = is_state || Store::files(path).iter().any(|file| kept.is(file));
        Failure::usage_if(is_own, || {
            format!("--keep-units names a file of the checkpoint {}: name another", path.display())
        })?;
    }
    Ok(kept)
}

/// The number of classes, where they are asked for, of a count that took some time. The checkpoint
/// of the count is kept until they are known, and their time is added to its effort.
///
/// # Errors
/// If they are stopped, by a signal or at the end of the time.
fn with_classes(
    job: &Job,
    units: &Units,
    effort: &mut Effort,
    args: &CountArgs,
    signals: &Listener,
) -> Result<Option<Tally>, Failure> {
    if !args.whole.classes {
        return Ok(None);
    }
    let began = Instant::now();
    let left = job.limits.max_time.map(|most| most.saturating_sub(effort.elapsed));
    let is_over = || left.is_some_and(|left| began.elapsed() >= left);
    let stopped = match &job.keeping.place {
        Some(_) => (Exit::Stopped, "the finished count is saved: run the same command to resume"),
        None => (Exit::Failed, "the finished count is printed, and its classes are unknown"),
    };
    let (question, threads) = (&job.question, Some(job.limits.threads()));
    let style = args.job.run.progress.style;
    let classes = classes(question, units.undirected(), threads, style, signals, &is_over, stopped);
    effort.add_time(began.elapsed());
    classes.map(Some)
}

/// Says the answer of a count that needs no search because the question has no tour for a known
/// reason: no units, and no classes if they were requested. A count by start, or one whose units
/// are kept, always has units.
fn nothing_to_count<T>(job: &Job, args: &CountArgs, say: impl Fn(Answer) -> T) -> Option<T> {
    let has_units = args.starts || args.whole.keep_units.is_some();
    let units = if has_units { None } else { job.without_search() }?;
    let classes = args.whole.classes.then_some(Tally::ZERO);
    let effort = Effort::of_reading(&units, Duration::ZERO);
    Some(say(Answer { classes, ..Answer::new(&units, effort, args.job.format.format()) }))
}

/// The counts of several boards, each on one line as soon as it is known.
fn each(boards: Vec<Board>, args: &CountArgs) -> Result<(), Failure> {
    let for_one = [
        ("--checkpoint", args.job.run.checkpoint.is_some()),
        ("--keep-units", args.whole.keep_units.is_some()),
        ("--starts", args.starts),
        ("--given", args.select.given.is_some()),
        ("--symmetry", args.select.symmetry.is_some()),
    ];
    Failure::usage_if_any(&for_one, |option| {
        format!("{option} is for one board, and these are {}", boards.len())
    })?;
    let of_board =
        |place: usize| move |failure: Failure| failure.about(format!("board {}", place + 1));
    for (place, board) in boards.iter().enumerate() {
        config::question_on(board, &args.job.question).map_err(of_board(place))?;
    }
    let began = Instant::now();
    let signals = Listener::start()?;
    let mut out = Output::standard()?;
    if args.job.format.format() == Format::Csv {
        out.write(CSV_HEADING.as_bytes())?;
    }
    let is_over = || args.job.run.time.max_time.is_some_and(|most| began.elapsed() >= most);
    let of = boards.len();
    // Each board is dropped with its tables once it is counted.
    for (place, board) in boards.into_iter().enumerate() {
        if signals.control.is_stopped() || is_over() {
            let after = duration(began.elapsed());
            let message =
                format!("stopped after {after}, with {} counted", counted_of(place, of, "board"));
            return Err(signals.stopped(Exit::Stopped, message));
        }
        let line = line(&board, args, &signals, began.elapsed()).map_err(of_board(place))?;
        out.write(line.as_bytes())?;
        if out.is_closed() {
            break;
        }
    }
    out.end()
}

/// The count of one of several boards, as a line.
fn line(
    board: &Board,
    args: &CountArgs,
    signals: &Listener,
    before: Duration,
) -> Result<String, Failure> {
    let question = config::question_on(board, &args.job.question)?;
    let mut job = config::whole(question, args)?;
    let format = args.job.format.format();
    if let Some(line) = nothing_to_count(&job, args, |answer| answer.line()) {
        return Ok(line);
    }
    job.limits.max_time = job.limits.max_time.map(|most| most.saturating_sub(before));
    let outcome = PlannedJob::new(job.clone(), args.job.run.progress.style)?.count(signals)?;
    let mut effort = outcome.effort;
    let classes = with_classes(&job, &outcome.units, &mut effort, args, signals)?;
    outcome.clear_checkpoint()?;
    Ok(Answer { classes, ..Answer::new(&outcome.units, effort, format) }.line())
}
