//! The count that numbers tours: the common part of `random`, `nth` and `rank`.

use super::announce::one_tour;
use super::args::NumberArgs;
use super::config::{self, usual_place};
use super::counting;
use super::exit::{Exit, Failure};
use super::output::note;
use super::progress::Progress;
use super::retype::quoted_path;
use super::signals::Listener;
use crate::engine::EngineError;
use crate::job::{CheckpointPlace, Job, JobError, JobKind, Numbered, file_of_index};
use crate::numbers::NumbersError;
use crate::quantity::bytes;
use crate::question::Question;
use crate::rounds::StatesUnavailable;
use crate::run::checkpoint::{CheckpointError, CodecError, Store, disk_used, peek};
use crate::run::{Portion, RunError};
use crate::tally::Tally;
use crate::tour::Tour;
use crate::words::duration;
use std::path::Path;
use std::time::{Duration, Instant};

/// The duration from which a count deserves an index.
const LONG: Duration = Duration::from_secs(5);

/// The numbers of a question, with the observer of the work.
pub struct Numbering<'a> {
    numbered: Numbered<'a>,
    /// The progress that the user sees.
    pub progress: Progress,
    question: Question,
    signals: &'a Listener,
    /// The place of the next tours among all.
    pub portion: Portion,
    /// True if the count is left for a later call.
    is_kept: bool,
}

/// Counts a question and does something with the numbers of its tours. Without an index, everything
/// is discarded at the end, unless a later call can resume from it where this one had to stop.
pub fn with_numbers(
    args: &NumberArgs,
    question: Question,
    then: impl FnOnce(&mut Numbering) -> Result<(), Failure>,
) -> Result<(), Failure> {
    Failure::usage_if(question.is_impossible(), || question.none())?;
    let began = Instant::now();
    let mut progress = Progress::new(args.progress.style, &question);
    progress.elsewhere = "name a folder for it with --index DIR";
    if let Some(folder) = &args.index {
        config::check_folder(folder, "--index")?;
        check_index(folder, &file_of_index(folder), args.fresh)?;
    }
    let plan = job(args, &question).plan(&mut progress);
    let plan = plan.map_err(|error| refused(&question, error))?;
    let signals = Listener::start()?;
    // The time is for the set-up, the count and the way back from the units.
    signals.stop_after(args.time.max_time.map(|most| most.saturating_sub(began.elapsed())))?;
    let numbered = plan.number(&signals.control, &mut progress).map_err(|error| {
        progress.end(false);
        unfinished(args.index.as_deref(), &signals, error)
    })?;
    let took = numbered.outcome.effort.elapsed;
    advice(args.index.as_deref(), took).iter().for_each(|said| progress.tell(said));
    let is_kept = args.index.is_some();
    let portion = Portion::default();
    let mut numbering =
        Numbering { numbered, progress, question, signals: &signals, portion, is_kept };
    let done = then(&mut numbering);
    numbering.progress.end(done.is_ok());
    if let Some(folder) = &args.index
        && let Some(states) = numbering.numbered.unsaved()
    {
        note(&format!(
            "the index {} is incomplete, and the next call counts again: its states need {} of \
             --disk and of free space",
            folder.display(),
            bytes(states as f64)
        ));
    }
    if !numbering.is_kept {
        numbering.numbered.outcome.clear_checkpoint()?;
    }
    done
}

/// Refuses an index whose file is none of this program, and mentions one without its states.
fn check_index(folder: &Path, file: &Path, fresh: bool) -> Result<(), Failure> {
    let index = folder.display();
    let is_magic =
        |error| matches!(error, CheckpointError::Damaged { source: CodecError::Magic(_), .. });
    if peek(file).is_err_and(is_magic) {
        let (file, advice) = (file.display(), "name another folder with --index");
        let message = format!("{file} is not an index of kt-enum, and is left as it is: {advice}");
        return Err(Failure::damaged(message));
    }
    if !fresh && file.exists() && !Store::folder_of_states(file).exists() {
        note(&format!("the index {index} has lost its states: they are built again"));
    }
    Ok(())
}

/// The hint after a long count whose tables are discarded.
fn advice(index: Option<&Path>, took: Duration) -> Option<String> {
    let took = (index.is_none() && took >= LONG).then(|| duration(took))?;
    Some(format!(
        "the count took {took}: --index DIR keeps its tables in a folder, so that later calls need not count again"
    ))
}

impl Numbering<'_> {
    /// The number of the last tour, which is the number of tours.
    pub fn last(&self) -> &Tally {
        self.numbered.numbers.last()
    }

    /// The tours with some numbers.
    pub fn tours(&mut self, wanted: &[Tally]) -> Result<Vec<Tour>, Failure> {
        let portion = self.next(wanted.len());
        let tours = self.numbered.numbers.some_tours(wanted, portion, &mut self.progress);
        tours.map_err(|error| self.failure(&error))
    }

    /// The numbers of some tours; `None` for a tour that is not of the question.
    pub fn numbers(&mut self, tours: &[Tour]) -> Result<Vec<Option<Tally>>, Failure> {
        let portion = self.next(tours.len());
        let numbers = self.numbered.numbers.some_numbers(tours, portion, &mut self.progress);
        numbers.map_err(|error| self.failure(&error))
    }

    /// The place of the next tours, after which others follow.
    fn next(&mut self, tours: usize) -> Portion {
        let after = self.portion.after(tours);
        std::mem::replace(&mut self.portion, after)
    }

    /// The failure of a traceback, after which a count without an index is kept if it is of use.
    fn failure(&mut self, error: &NumbersError) -> Failure {
        let question = &self.question;
        let (exit, what_next) = match error {
            NumbersError::Beyond { last, .. } if *last == Tally::ZERO => {
                return Failure::usage(question.none());
            }
            NumbersError::Beyond { .. } if !question.is_closed() && question.directions() > 1 => {
                return Failure::usage(format!("{error}; a tour and its reverse share one number"));
            }
            NumbersError::Beyond { .. } => return Failure::usage(error),
            NumbersError::StatesUnavailable(
                StatesUnavailable::Unreadable(_) | StatesUnavailable::Memory,
            ) => (
                Exit::Failed,
                "run the same command again, with more --memory or fewer --threads if memory is short",
            ),
            NumbersError::StatesUnavailable(_) => {
                let anew =
                    if self.is_kept { "build the index again with --fresh" } else { RUN_AGAIN };
                return Failure::damaged(format!("{error}: {anew}"));
            }
            NumbersError::Stopped if self.is_kept || self.numbered.outcome.saved().is_some() => {
                (Exit::Stopped, "run the same command to resume from the count")
            }
            _ => (Exit::Failed, RUN_AGAIN),
        };
        let said = format!("{error}: {what_next}");
        let kept = self.numbered.outcome.saved().filter(|_| !self.is_kept);
        let kept = kept.map(|path| format!("; what is saved of the count is kept{}", left(path)));
        self.is_kept |= kept.is_some();
        self.signals.stopped(exit, said).advising(&kept.unwrap_or_default())
    }
}

/// The advice where no count is kept.
const RUN_AGAIN: &str = "run the same command, with more time if it has a limit, to count again";

/// The disk that a checkpoint takes, and how to free it.
fn left(path: &Path) -> String {
    let (used, path) = (bytes(disk_used(path) as f64), quoted_path(path));
    format!("; it takes {used} of disk, which `kt-enum status --discard {path}` frees")
}

/// The error for a question that cannot be numbered. No other engine can number tours, so the
/// advice is the command that finds one.
fn refused(question: &Question, error: JobError) -> Failure {
    match error {
        JobError::Engine(EngineError::Frontier(error)) => {
            Failure::usage(format!("{error}; {}", one_tour(question)))
        }
        error => Failure::from(error).in_folder_of("--index"),
    }
}

fn job(args: &NumberArgs, question: &Question) -> Job {
    let mut job = Job::numbering(question.clone(), args.index.as_deref());
    job.limits = args.machine.limits(args.time.max_time);
    job.keeping.fresh = args.fresh;
    if args.index.is_none() {
        // In a pipe `nth | rank` both processes count.
        job.keeping.place = usual_place(JobKind::Numbers, question).map(CheckpointPlace::shared);
    }
    job
}

fn unfinished(index: Option<&Path>, signals: &Listener, error: JobError) -> Failure {
    match (index, &error) {
        (Some(folder), JobError::Run(RunError::Conflict { theirs, ours, .. })) => {
            Failure::damaged(format!(
                "the index {} is of {theirs}, not {ours}: name another folder, or --fresh to build it again",
                folder.display()
            ))
        }
        (_, JobError::Run(RunError::Stopped { saved: Some(path), .. })) => {
            let left = left(path);
            counting::unfinished(signals, error).advising(&left)
        }
        _ => counting::unfinished(signals, error).in_folder_of("--index"),
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
