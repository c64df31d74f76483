//! Jobs and classes under signals, with their progress shown.

use super::args::ProgressStyle;
use super::exit::{Exit, Failure};
use super::progress::Progress;
use super::signals::Listener;
use super::watch::{Cancelled, Watch};
use crate::classes;
use crate::job::{Job, JobError, Plan, of_twin};
use crate::quantity::{about, counted_of};
use crate::question::Question;
use crate::run::{self, Control, Observer, Outcome, RunError};
use crate::tally::Tally;
use crate::words::{before_units, duration};
use std::sync::Arc;
use std::time::Instant;

/// A job that is planned, with the observer of its progress.
pub struct PlannedJob {
    pub plan: Plan,
    progress: Progress,
}

impl PlannedJob {
    /// Plans a job, and says what the user should know before it begins.
    pub fn new(job: Job, style: ProgressStyle) -> Result<Self, Failure> {
        let mut progress = Progress::new(style, &job.question);
        Ok(Self { plan: job.plan(&mut progress)?, progress })
    }

    /// Counts.
    pub fn count(self, signals: &Listener) -> Result<Outcome, Failure> {
        self.watched(signals, |plan, control, progress| plan.count(control, progress))
    }

    /// Does something with the plan, with the progress shown.
    pub fn watched<T>(
        mut self,
        signals: &Listener,
        go: impl FnOnce(&Plan, &Arc<Control>, &mut dyn Observer) -> Result<T, JobError>,
    ) -> Result<T, Failure> {
        let went = go(&self.plan, &signals.control, &mut self.progress);
        self.progress.end(went.is_ok());
        went.map_err(|error| unfinished(signals, error))
    }
}

/// The classes of tours that are counted, with their progress shown.
///
/// # Errors
/// If there are none, and with this exit code and advice if a signal or `is_over` ends the search.
pub fn classes(
    question: &Question,
    undirected: Tally,
    threads: Option<usize>,
    style: ProgressStyle,
    signals: &Listener,
    is_over: &(dyn Fn() -> bool + Sync),
    (exit, advice): (Exit, &str),
) -> Result<Tally, Failure> {
    let threads = run::threads(threads)?;
    let seconds = classes::expected_seconds(question) / threads.current_num_threads() as f64;
    let (all, began) = (about(seconds, "", None), Instant::now());
    let how_far = move || {
        let is_over = began.elapsed().as_secs_f64() > seconds;
        let all = if is_over { String::new() } else { format!(" ({all} in all)") };
        (None, vec![format!("counting classes{all}")])
    };
    // The finished count would be lost with the process.
    let may_leave = false;
    let cancelled = Cancelled { exit, before: " of ", advice: advice.to_owned(), may_leave };
    let watch = Watch::start("count", question, style, signals, cancelled, how_far)?;
    let stop = || signals.control.is_stopped() || is_over();
    let classes = threads.install(|| classes::count(question, undirected, &stop))?;
    classes.ok_or_else(|| watch.stopped())
}

/// The failure to print a count, which its checkpoint may have kept.
pub fn unprinted(outcome: &Outcome, failure: Failure) -> Failure {
    let Some(path) = outcome.saved() else { return failure };
    let path = path.display();
    failure.advising(&format!("; the count is saved in {path}: run the same command to print it"))
}

/// The failure of a job without a result.
pub fn unfinished(signals: &Listener, error: JobError) -> Failure {
    let not_saved = "nothing is saved, for there is no checkpoint".to_owned();
    let (exit, how_far, what_next) = match error {
        JobError::Run(RunError::Stopped { at, saved, lost }) => {
            let after = format!("stopped after {}", duration(at.elapsed));
            let how_far = match &at.status.building {
                None => format!("{after} with {} done", counted_of(at.done, at.units, "unit")),
                Some(building) => format!("{after}, {}", before_units(building, at.done)),
            };
            let saved = saved.map(|path| {
                let is_twin = of_twin(&path).is_some();
                let path = path.display();
                let place = if is_twin { format!(" with --checkpoint {path}") } else { String::new() };
                let lost = lost.map_or(String::new(), |took| {
                    let took = duration(took);
                    match &at.status.building {
                        Some(_) => format!(
                            ", but not all states before its units; what is computed again took {took} at most"
                        ),
                        None => format!(
                            ", but not the states before its units, which are computed again; that took {took}"
                        ),
                    }
                });
                format!("the state is saved in {path}{lost}: run the same command{place} to resume")
            });
            let exit = if saved.is_some() { Exit::Stopped } else { Exit::Failed };
            (exit, how_far, saved.unwrap_or(not_saved))
        }
        JobError::Forecasting { after, is_begun, is_kept } => {
            let exit = if is_kept { Exit::Stopped } else { Exit::Failed };
            let what_next = match (is_kept, is_begun) {
                (false, _) => "",
                (true, false) => ": run the same command to start it",
                (true, true) => {
                    " by this process, and what was counted before is kept: run the same command to resume it"
                }
            };
            let after = duration(after);
            let how_far = format!("stopped after {after}, while forecasting what the count takes");
            (exit, how_far, format!("nothing was counted yet{what_next}"))
        }
        error => return error.into(),
    };
    signals.stopped(exit, format!("{how_far}; {what_next}"))
}
