//! Long calls: without the interpreter's lock, obeying Ctrl-C and limits on time, with their progress
//! told.
//!
//! The work is done on threads that end with the call. The calling thread waits for it, asks Python
//! for signals, looks at the clock, and tells the progress, so that whoever watches is called from
//! the thread that called. An exception of either stops the work, which saves its state, and is
//! raised then.

use crate::error::undecided;
use kt_enum::job::{Control, Event, Interest, Observer};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use rayon::ThreadPoolBuilder;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// The time between two looks for signals and at the clock.
const LOOK: Duration = Duration::from_millis(50);

/// The stack of a thread that works, twice that of a program.
const STACK_BYTES: usize = 16 << 20;

/// A call that takes its time.
#[derive(Default)]
pub struct Long {
    /// The threads on which the work begins; 0 for one.
    pub threads: usize,
    /// The time after which the work is stopped.
    pub max_time: Option<Duration>,
    /// The function that is told the progress: one of ours that shows it, or the caller's.
    pub progress: Option<Py<PyAny>>,
}

impl Long {
    /// Does some work that can be stopped by a control and tells an observer its progress.
    pub fn run<T: Send>(
        self,
        py: Python<'_>,
        work: impl FnOnce(&Arc<Control>, &mut dyn Observer) -> PyResult<T> + Send,
    ) -> PyResult<T> {
        let pool = ThreadPoolBuilder::new().num_threads(self.threads.max(1));
        let pool = pool.stack_size(STACK_BYTES).build();
        let pool = pool.map_err(|error| PyMemoryError::new_err(error.to_string()))?;
        let (began, control) = (Instant::now(), Arc::new(Control::default()));
        let is_over = || self.max_time.is_some_and(|most| began.elapsed() >= most);
        if is_over() {
            control.stop();
        }
        let (sender, events) = channel();
        let interest = if self.progress.is_some() { Interest::Numbers } else { Interest::None };
        let mut passing = Passing { sender, interest };
        let mut result = None;
        let (done, working) = (&mut result, &control);
        let went = py.detach(|| {
            let (events, mut went) = (events, Ok(()));
            pool.in_place_scope(|scope| {
                scope.spawn(move |_| *done = Some(work(working, &mut passing)));
                loop {
                    match events.recv_timeout(LOOK) {
                        Err(RecvTimeoutError::Disconnected) => break went,
                        event => {
                            // A slow function is told the newest of those that have come meanwhile.
                            let event = events.try_iter().last().or(event.ok());
                            went = went.and_then(|()| self.tell(event));
                        }
                    }
                    if went.is_err() || is_over() {
                        control.stop();
                    }
                }
            })
        });
        if let Some(progress) = &self.progress {
            // The end of the progress.
            progress.call1(py, (py.None(),))?;
        }
        // The scope has ended, so the work has too, and a panic of it would have gone on.
        went.and(result.unwrap_or_else(|| Err(undecided("nothing was done"))))
    }

    /// Raises the exception of a signal, and tells the progress that an event is about.
    fn tell(&self, event: Option<Event>) -> PyResult<()> {
        Python::attach(|py| {
            py.check_signals()?;
            if let Some(progress) = &self.progress
                && let Some(event) = event
            {
                progress.call1(py, (event.document().map(|told| told.to_string()),))?;
            }
            Ok(())
        })
    }
}

/// An observer that passes events about progress on to the calling thread.
struct Passing {
    sender: Sender<Event>,
    interest: Interest,
}

impl Observer for Passing {
    fn notice(&mut self, event: &Event) {
        if matches!(event, Event::Progress(_) | Event::Back(_)) {
            // The calling thread listens until this one ends.
            let _ = self.sender.send(event.clone());
        }
    }

    fn interest(&self) -> Interest {
        self.interest
    }
}
