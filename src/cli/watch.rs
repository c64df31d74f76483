//! A search that has no checkpoint, watched on its own thread: `list` and `find`.
//!
//! The thread shows how far the search is, answers SIGUSR1, and ends the process where a cancelled
//! search cannot: when it waits for a reader, or builds a tour in one go.

use super::args::ProgressStyle;
use super::config::progress_beside;
use super::exit::{Exit, Failure};
use super::output::note;
use super::progress::Progress;
use super::signals::{Listener, spawn};
use crate::question::Question;
use crate::run::{Event, Observer, SearchProgress};
use crate::words::duration;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The time between two looks at the search.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// A cancelled search may take this long before the process is ended for it.
const GRACE: Duration = Duration::from_secs(1);

/// The share of a search that is done, where it is known, and what was done so far.
pub type HowFar = (Option<f64>, Vec<String>);

/// The end of a search that is cancelled: the code, and the words before and after what was done.
pub struct Cancelled {
    pub exit: Exit,
    pub before: &'static str,
    pub advice: String,
    /// True if the process may be ended while the search is in progress, because nothing is lost
    /// then.
    pub may_leave: bool,
}

/// A watched search. The thread ends with this value.
pub struct Watch {
    watched: Arc<Watched>,
    /// The thread, which ends when its sender is dropped.
    thread: Option<(Sender<()>, JoinHandle<()>)>,
}

/// The search that a thread watches.
struct Watched {
    name: &'static str,
    how_far: Box<dyn Fn() -> HowFar + Send + Sync>,
    cancelled: Cancelled,
    signals: Listener,
    began: Instant,
}

impl Watch {
    /// Starts to watch. The name is that of the command.
    pub fn start(
        name: &'static str,
        question: &Question,
        style: ProgressStyle,
        signals: &Listener,
        cancelled: Cancelled,
        how_far: impl Fn() -> HowFar + Send + Sync + 'static,
    ) -> Result<Self, Failure> {
        let (how_far, signals, began) = (Box::new(how_far), signals.clone(), Instant::now());
        let watched = Arc::new(Watched { name, how_far, cancelled, signals, began });
        let (end, ended) = mpsc::channel::<()>();
        let watching = Arc::clone(&watched);
        let mut progress = Progress::new(progress_beside(style), question);
        let watch = move || {
            let mut stopped = None;
            while ended.recv_timeout(LOOK_EVERY) == Err(RecvTimeoutError::Timeout) {
                watching.look(&mut progress, &mut stopped);
            }
            progress.end(false);
        };
        Ok(Self { watched, thread: Some((end, spawn("the progress", watch)?)) })
    }

    /// The end for a cancelled search.
    pub fn stopped(&self) -> Failure {
        self.watched.stopped()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.thread.take() {
            drop(end);
            // A bar that cannot be removed does no harm.
            let _ = thread.join();
        }
    }
}

impl Watched {
    /// Shows how far the search is; `stopped` is when it was first seen to be cancelled.
    fn look(&self, progress: &mut Progress, stopped: &mut Option<Instant>) {
        let (share, said) = (self.how_far)();
        let elapsed = self.began.elapsed();
        if self.signals.control.was_asked() {
            note(&format!("{}: {} after {}", self.name, said.join(", "), duration(elapsed)));
        }
        if !self.signals.control.is_stopped() {
            return progress.notice(&Event::Searching(SearchProgress { share, said, elapsed }));
        }
        let stopped = stopped.get_or_insert_with(Instant::now);
        if stopped.elapsed() >= GRACE && self.cancelled.may_leave {
            progress.end(false);
            self.stopped().leave();
        }
    }

    fn stopped(&self) -> Failure {
        let Cancelled { exit, before, advice, .. } = &self.cancelled;
        let (after, said) = (duration(self.began.elapsed()), (self.how_far)().1.join(", "));
        self.signals.stopped(*exit, format!("stopped after {after}{before}{said}; {advice}"))
    }
}
