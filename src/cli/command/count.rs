//! `count`: how many tours.

use crate::board::Board;
use crate::cli::answer::{Answer, CSV_HEADING};
use crate::cli::args::{BoardArgs, CountArgs, Format, WholeArgs};
use crate::cli::board::{Typed, WHICH_BOARD, boards};
use crate::cli::config::{self, CountConfig};
use crate::cli::counting::{self, Counting};
use crate::cli::exit::Failure;
use crate::cli::machine;
use crate::cli::output::Output;
use crate::cli::place::Place;
use crate::cli::signals::Listener;
use crate::engine;
use crate::run::Effort;
use crate::tally::Tally;
use crate::units::{Shard, Units};
use crate::work::{Identity, Split};
use std::time::{Duration, Instant};

pub fn run(args: &CountArgs) -> Result<(), Failure> {
    let boards = boards(&args.job.question.board)?;
    match boards.as_slice() {
        [] => Err(Failure::usage(WHICH_BOARD)),
        [typed] => {
            one(CountConfig::on(&typed.board(), &args.job, &args.whole)?, &args.job.question.board)
        }
        several => each(several, args),
    }
}

/// The count of one board.
fn one(config: CountConfig, board: &BoardArgs) -> Result<(), Failure> {
    if config.whole.starts {
        Failure::usage_if(config.format == Format::Csv, || "--starts has no CSV: take --json")?;
        return by_start(&config);
    }
    if let Some((units, classes)) = nothing_to_count(&config) {
        let effort = Effort::of_reading(&units, Duration::ZERO);
        return Answer::whole(&units, classes, effort, config.format).print();
    }
    let WholeArgs { keep_units, overwrite, .. } = &config.whole;
    let kept = Place::of_units(keep_units.as_deref(), *overwrite, board.files().collect())?;
    if let (Some(kept), Some(checkpoint)) = (&kept, &config.run.checkpoint) {
        Failure::usage_if(
            kept.is(&checkpoint.path),
            || "--keep-units and --checkpoint name the same file: name two",
        )?;
    }
    let counting = Counting::whole(config, Listener::start)?;
    let config = &counting.config;
    let outcome = counting.run()?;
    let classes =
        counting::classes(config, &outcome.units, &counting.signals, outcome.effort.elapsed);
    let (classes, stopped) = match classes {
        Ok(classes) => (classes, None),
        Err(stopped) if config.run.checkpoint.is_some() => return Err(stopped),
        Err(stopped) => (None, Some(stopped)),
    };
    let written = kept.map_or(Ok(()), |place| {
        let provenance = machine::provenance();
        place.keep_units(outcome.units.text(Some(&outcome.history), Some(&provenance)))
    });
    Answer::whole(&outcome.units, classes, outcome.effort, config.format).print()?;
    // The checkpoint stays until the units are where they belong.
    written.map_err(|failure| match &config.run.checkpoint {
        Some(_) => failure.advising(
            "; the checkpoint is kept: type the command again with another --keep-units, and \
             nothing is counted twice",
        ),
        None => failure,
    })?;
    outcome.clear_checkpoint()?;
    stopped.map_or(Ok(()), Err)
}

/// The answer of a count that needs no search because the question has no tour for a known reason:
/// no units, and no classes if they were requested. A whole rectangle with a knight always has
/// units, and so does a count whose units are kept.
fn nothing_to_count(config: &CountConfig) -> Option<(Units, Option<Tally>)> {
    let question = &config.question;
    let has_units = question.board.is_plain() || config.whole.keep_units.is_some();
    if has_units || !question.is_impossible() {
        return None;
    }
    let choice = engine::choose(question, &config.wishes, None);
    let split = choice.split.unwrap_or(Split::Depth(0));
    let (question, engine) = (question.clone(), choice.engine);
    let identity = Identity { question, engine, split, units: 0 };
    let units = Units { identity, shard: Shard::WHOLE, counts: Vec::new() };
    Some((units, config.whole.classes.then_some(Tally::ZERO)))
}

/// The counts of several boards, each on one line as soon as it is known.
fn each(boards: &[Typed], args: &CountArgs) -> Result<(), Failure> {
    let for_one = [
        ("--checkpoint", args.job.run.checkpoint.is_some()),
        ("--keep-units", args.whole.keep_units.is_some()),
        ("--starts", args.whole.starts),
    ];
    for_one.into_iter().try_for_each(|(option, is_typed)| {
        let message = || format!("{option} is for one board, and these are {}", boards.len());
        Failure::usage_if(is_typed, message)
    })?;
    let of_board = |place: usize| {
        move |mut failure: Failure| {
            failure.message = format!("board {}: {}", place + 1, failure.message);
            failure
        }
    };
    for (place, typed) in boards.iter().enumerate() {
        config::question_on(&typed.board(), &args.job.question).map_err(of_board(place))?;
    }
    let began = Instant::now();
    let signals = Listener::start()?;
    let mut out = Output::to(Place::standard_output())?;
    if args.job.format.format() == Format::Csv {
        out.write(CSV_HEADING.as_bytes())?;
    }
    for (place, typed) in boards.iter().enumerate() {
        let line =
            line(&typed.board(), args, &signals, began.elapsed()).map_err(of_board(place))?;
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
    let mut config = CountConfig::on(board, &args.job, &args.whole)?;
    if let Some((units, classes)) = nothing_to_count(&config) {
        let effort = Effort::of_reading(&units, Duration::ZERO);
        return Ok(Answer::brief(&units, classes, effort, config.format).line());
    }
    config.run.max_time = config.run.max_time.map(|most| most.saturating_sub(before));
    let counting = Counting::whole(config, || Ok(signals.clone()))?;
    let outcome = counting.run()?;
    let classes =
        counting::classes(&counting.config, &outcome.units, signals, outcome.effort.elapsed)?;
    outcome.clear_checkpoint()?;
    Ok(Answer::brief(&outcome.units, classes, outcome.effort, counting.config.format).line())
}

/// All open tours by start: a count for each orbit of squares.
fn by_start(config: &CountConfig) -> Result<(), Failure> {
    let counted = counting::by_start(config)?;
    let took = counted.outcomes.iter().map(|outcome| outcome.effort.elapsed).sum();
    let classes = counting::classes(config, &counted.units, &counted.signals, took)?;
    Answer::whole(&counted.units, classes, Effort::of(&counted.outcomes), config.format)
        .with_starts(&config.question.board, &counted.starts)
        .print()?;
    counted.outcomes.iter().try_for_each(|outcome| Ok(outcome.clear_checkpoint()?))
}
