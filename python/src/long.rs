//! Long calls: without the interpreter's lock, obeying Ctrl-C, with their progress told.
//!
//! The work is done on a scoped thread, which ends before the call returns. The calling thread waits
//! for it, asks Python for signals, and calls the observer of the progress, so that whoever watches
//! is called from the thread that called. An exception of either stops the work, which saves its
//! state, and is raised then.

use kt_enum::job::{Control, Event, Interest, Observer, Snapshot};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};
use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// The time between two looks for signals.
const LOOK: Duration = Duration::from_millis(50);

/// The stack of the thread that does the work, twice that of a program.
pub const STACK_BYTES: usize = 16 << 20;

/// The function that is told the progress of a call: one of ours that shows it, or the caller's.
pub type Progress = Py<PyAny>;

/// The dictionary about an event that tells the progress.
fn told<'py>(py: Python<'py>, event: &Event) -> PyResult<Option<Bound<'py, PyDict>>> {
    match event {
        Event::Progress(at) => of_run(py, at).map(Some),
        Event::Back(at) => [("percent", at.share() * 100.0)].into_py_dict(py).map(Some),
        _ => Ok(None),
    }
}

/// The progress of a run, with the names that it has in JSON.
fn of_run<'py>(py: Python<'py>, at: &Snapshot) -> PyResult<Bound<'py, PyDict>> {
    let (told, status) = (PyDict::new(py), &at.status);
    told.set_item("percent", status.share.map(|share| share * 100.0))?;
    told.set_item("done", at.done)?;
    told.set_item("units", at.units)?;
    told.set_item("found", crate::board::to_int(py, &status.found)?)?;
    told.set_item("nodes", at.nodes)?;
    told.set_item("tours_per_s", at.rate)?;
    told.set_item("elapsed_s", at.elapsed.as_secs_f64())?;
    told.set_item("left_s", status.left.map(|left| left.as_secs_f64()))?;
    Ok(told)
}

/// An observer that passes events on to the calling thread.
struct Passing {
    sender: Sender<Event>,
    is_watched: bool,
}

impl Observer for Passing {
    fn notice(&mut self, event: &Event) {
        if self.is_watched {
            // The calling thread listens until this one ends.
            let _ = self.sender.send(event.clone());
        }
    }

    fn interest(&self) -> Interest {
        if self.is_watched { Interest::Numbers } else { Interest::None }
    }
}

/// Does some work that takes its time and can be stopped.
pub fn long<T: Send>(
    py: Python<'_>,
    control: &Control,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    watched(py, control, None, |_| work())
}

/// Does some work that takes its time, can be stopped, and tells its progress.
pub fn watched<T: Send>(
    py: Python<'_>,
    control: &Control,
    progress: Option<&Progress>,
    work: impl FnOnce(&mut dyn Observer) -> T + Send,
) -> PyResult<T> {
    let (sender, events) = channel();
    let mut passing = Passing { sender, is_watched: progress.is_some() };
    let mut went = Ok(());
    let mut look = |event: Option<&Event>| {
        if went.is_err() {
            return;
        }
        went = Python::attach(|py| {
            py.check_signals()?;
            let Some((progress, event)) = progress.zip(event) else { return Ok(()) };
            let Some(told) = told(py, event)? else { return Ok(()) };
            progress.call1(py, (told,)).map(drop)
        });
        if went.is_err() {
            control.stop();
        }
    };
    let result = py.detach(move || {
        thread::scope(move |scope| {
            let builder = thread::Builder::new().name("kt-enum".to_owned());
            let builder = builder.stack_size(STACK_BYTES);
            let working = builder.spawn_scoped(scope, move || work(&mut passing))?;
            loop {
                match events.recv_timeout(LOOK) {
                    Ok(event) => look(Some(&event)),
                    Err(RecvTimeoutError::Timeout) => look(None),
                    Err(RecvTimeoutError::Disconnected) => break,
                }
            }
            PyResult::Ok(working.join().unwrap_or_else(|panic| resume_unwind(panic)))
        })
    })?;
    if let Some(progress) = progress {
        // The end of the progress.
        progress.call1(py, (py.None(),))?;
    }
    went.map(|()| result)
}
