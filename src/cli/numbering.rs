//! The count that numbers tours: the common part of `random`, `nth` and `rank`.

use super::answer::no_tours;
use super::args::{NumberArgs, ProgressStyle, ThreadsArgs};
use super::config::{self, CHECKPOINT_EXTENSION, CheckpointPlace, RunConfig};
use super::counting;
use super::exit::{Exit, Failure};
use super::forecast::{FAIR, ROUGH, guess, is_surely_short, one_tour};
use super::output::note;
use super::progress::Progress;
use super::quantity::{counted, duration, time};
use super::shell::quoted;
use super::signals::Listener;
use crate::draw::number::bytes;
use crate::estimate::Expected;
use crate::frontier::{Frontier, FrontierError};
use crate::numbers::{Numbers, NumbersError};
use crate::question::Question;
use crate::rounds::StatesUnavailable;
use crate::run::checkpoint::{CheckpointError, CodecError, Store, disk_used, peek};
use crate::run::{self, RunError, Saving, Settings, Silent};
use crate::tally::Tally;
use crate::tour::Tour;
use crate::work::Work;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The duration from which a count deserves an index.
const LONG: Duration = Duration::from_secs(5);

/// The numbers of a question, with the observer of the work.
pub struct Numbering<'a> {
    pub numbers: Numbers<'a>,
    /// The progress that the user sees.
    pub progress: Progress,
    question: Question,
    signals: &'a Listener,
}

/// Counts a question and does something with the numbers of its tours. Without an index, everything
/// is discarded at the end.
pub fn with_numbers<R>(
    args: &NumberArgs,
    question: Question,
    then: impl FnOnce(&mut Numbering) -> Result<R, Failure>,
) -> Result<R, Failure> {
    Failure::usage_if(question.is_impossible(), || no_tours(&question))?;
    let began = Instant::now();
    let mut frontier =
        Frontier::new(question.clone(), None).map_err(|error| refused(&question, error))?;
    let config = run_config(args, &question);
    config.fit(&mut frontier)?;
    if let (Some(folder), Some(place)) = (&args.index, &config.checkpoint) {
        config::check_folder(folder, "--index")?;
        check_index(folder, &place.path, args.fresh)?;
    }
    let signals = Listener::start()?;
    // The time is for the set-up, the count and the way back from the units.
    if let Some(most) = config.max_time {
        signals.stop_after(most.saturating_sub(began.elapsed()))?;
    }
    let settings = counting::settings(&config, &frontier, &signals)?;
    let mut settings = Settings { keep_layers: true, ..settings };
    settings.saving.keep_finished = args.index.is_some();
    let (memory, threads) = (settings.limits.memory, config.threads);
    let mut progress = Progress::new(config.progress, &question);
    let expected = time_needed(&frontier, &settings, &signals);
    if let Some(expected) = &expected
        && config::is_watched(config.progress)
    {
        note(&announcement(&question, expected, threads));
    }
    let counted = run::count(&frontier, Settings { expected, ..settings }, &mut progress);
    let outcome = counted.map_err(|error| {
        progress.end(false);
        unfinished(args.index.as_deref(), &signals, error)
    })?;
    if let Some(advice) = advice(args.index.as_deref(), outcome.effort.elapsed) {
        progress.tell(&advice);
    }
    let control = Arc::clone(signals.control());
    let mut numbering = Numbering {
        numbers: Numbers::new(&frontier, &outcome.units, threads, memory, control)?,
        progress,
        question,
        signals: &signals,
    };
    let done = then(&mut numbering);
    numbering.progress.end(done.is_ok());
    if args.index.is_none() && !signals.control().is_stopped() {
        outcome.clear_checkpoint()?;
    }
    done
}

/// The longest count that is made for a single tour, in seconds of one thread.
const LONGEST_FOR_ONE: f64 = 60.0;

/// The first tour of a question by number, if the frontier promises to count them soon and in
/// memory: `None` if it does not, or if the count was stopped, and no tour if there is none.
pub fn first_tour(
    question: &Question,
    max_time: Option<Duration>,
    signals: &Listener,
) -> Option<Option<Tour>> {
    let frontier = Frontier::new(question.clone(), None).ok()?;
    let config = RunConfig {
        threads: ThreadsArgs::default().number(),
        memory: None,
        disk: None,
        checkpoint: None,
        fresh: false,
        interval: Saving::default().interval,
        max_time,
        progress: ProgressStyle::None,
    };
    let settings =
        Settings { keep_layers: true, ..counting::settings(&config, &frontier, signals).ok()? };
    if !is_surely_short(question) {
        let expected = time_needed(&frontier, &settings, signals);
        expected.filter(|expected| expected.seconds() < LONGEST_FOR_ONE)?;
    }
    let (memory, control) = (settings.limits.memory, Arc::clone(signals.control()));
    let outcome = run::count(&frontier, settings, &mut Silent).ok()?;
    let numbers = Numbers::new(&frontier, &outcome.units, config.threads, memory, control).ok()?;
    match *numbers.last() == Tally::ZERO {
        true => Some(None),
        false => Some(numbers.tours(&[1_u32.into()], &mut Silent).ok()?.pop()),
    }
}

/// Refuses an index whose file is none of this program, and mentions one without its states.
fn check_index(folder: &Path, file: &Path, fresh: bool) -> Result<(), Failure> {
    let index = folder.display();
    let is_magic =
        |error| matches!(error, CheckpointError::Damaged { source: CodecError::Magic(_), .. });
    Failure::usage_if(peek(file).is_err_and(is_magic), || {
        format!(
            "{} is no index of kt-enum, and is left as it is: name another folder with --index",
            file.display()
        )
    })?;
    if !fresh && file.exists() && !Store::folder_beside(file).exists() {
        note(&format!("the index {index} has lost its states: they are built anew"));
    }
    Ok(())
}

/// The cost of numbering tours. All rounds are kept, which is more than the forecast of a count.
fn announcement(question: &Question, expected: &Expected, threads: usize) -> String {
    format!(
        "{question}: counting them before they are numbered takes about {} on {}, and at least {} of \
         memory and disk",
        time(expected.seconds() / threads as f64),
        counted(threads, "thread"),
        bytes(expected.forecast.bytes),
    )
}

/// The hint after a long count whose tables are discarded.
fn advice(index: Option<&Path>, took: Duration) -> Option<String> {
    let took = (index.is_none() && took >= LONG).then(|| duration(took))?;
    Some(format!(
        "the count took {took}: --index DIR keeps its tables in a folder, so that later calls need not count again"
    ))
}

/// A rough forecast of the count, if it is worth showing; a resumed count has none.
fn time_needed(frontier: &Frontier, settings: &Settings, signals: &Listener) -> Option<Expected> {
    let is_begun = run::is_begun(frontier, settings).unwrap_or(true);
    if is_begun || is_surely_short(&frontier.identity().question) {
        return None;
    }
    let guess = |within| guess(frontier, within, settings.limits.memory, signals.control());
    let known = |expected: &Expected| expected.forecast.is_known();
    guess(ROUGH).filter(known).or_else(|| guess(FAIR).filter(known))
}

impl Numbering<'_> {
    /// The numbers, and the observer of the work.
    pub fn ask<R>(
        &mut self,
        question: impl FnOnce(&Numbers, &mut Progress) -> Result<R, NumbersError>,
    ) -> Result<R, Failure> {
        let answer = question(&self.numbers, &mut self.progress);
        answer.map_err(|error| failure(self.signals, &self.question, &error))
    }
}

/// The error for a question that cannot be numbered. No other engine can number tours, so the
/// advice is the command that finds one.
fn refused(question: &Question, error: FrontierError) -> Failure {
    match error {
        FrontierError::TooWide(_) => Failure::usage(format!("{error}; {}", one_tour(question))),
        error => error.into(),
    }
}

/// The checkpoint in the folder of an index.
pub fn file_of_index(folder: &Path) -> PathBuf {
    folder.join(config::INDEX).with_extension(CHECKPOINT_EXTENSION)
}

fn run_config(args: &NumberArgs, question: &Question) -> RunConfig {
    let name = config::NUMBERS.to_owned() + &config::name(question);
    let place = CheckpointPlace::new(args.index.as_deref().map(file_of_index), &name);
    // In a pipe `nth | rank` both processes count.
    let shared = |place| CheckpointPlace { is_shared: args.index.is_none(), ..place };
    RunConfig {
        threads: args.threads.number(),
        memory: args.memory,
        disk: args.disk,
        checkpoint: place.map(shared),
        fresh: args.fresh,
        interval: Saving::default().interval,
        max_time: args.max_time,
        progress: config::progress(args.progress),
    }
}

fn failure(signals: &Listener, question: &Question, error: &NumbersError) -> Failure {
    match error {
        NumbersError::Beyond { last, .. } if *last == Tally::ZERO => {
            Failure::usage(no_tours(question))
        }
        NumbersError::Beyond { .. } if !question.is_closed() && question.directions() > 1 => {
            Failure::usage(format!("{error}; a tour and its reverse share one number"))
        }
        NumbersError::Beyond { .. } => Failure::usage(error),
        NumbersError::StatesUnavailable(StatesUnavailable::Unreadable(_)) => {
            Failure::failed(format!(
                "{error}: run the same command again, with more --memory or fewer --threads if memory is short"
            ))
        }
        NumbersError::StatesUnavailable(_) => {
            Failure::saying(Exit::Damaged, format!("{error}: build the index anew with --fresh"))
        }
        NumbersError::Stopped => signals.stopped(
            Exit::Stopped,
            format!("{error}: run the same command to resume from the count"),
        ),
    }
}

fn unfinished(index: Option<&Path>, signals: &Listener, error: RunError) -> Failure {
    match (index, &error) {
        (Some(folder), RunError::Conflict { theirs, ours, .. }) => Failure::saying(
            Exit::Damaged,
            format!(
                "the index {} is of {theirs}, not {ours}: name another folder, or --fresh to build it anew",
                folder.display()
            ),
        ),
        (_, RunError::Stopped { saved: Some(path), .. }) => {
            let used = bytes(disk_used(path) as f64);
            let discard = format!("kt-enum status --discard {}", quoted(&path.to_string_lossy()));
            counting::unfinished(signals, error)
                .advising(&format!("; it takes {used} of disk, which {discard} frees"))
        }
        _ => counting::unfinished(signals, error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_advised_after_a_long_count_without_one() {
        let advised = |index: Option<&str>, seconds| {
            advice(index.map(Path::new), Duration::from_secs(seconds))
        };
        assert!(advised(None, 12).is_some_and(|said| said.contains("--index DIR")));
        assert_eq!(advised(Some("folder"), 12), None);
        assert_eq!(advised(None, 1), None);
    }
}
