//! Long calls: without the interpreter's lock, obeying Ctrl-C, with their progress told.
//!
//! The work is done on a scoped thread, which ends before the call returns. The calling thread waits
//! for it, asks Python for signals, and calls the observer of the progress, so that whoever watches
//! is called from the thread that called. An exception of either stops the work, which saves its
//! state, and is raised then.

use kt_enum::job::{Control, Event, Interest, Observer, Snapshot};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};
use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// The time between two looks for signals.
const LOOK: Duration = Duration::from_millis(50);

/// The stack of the thread that does the work, twice that of a program.
const STACK_BYTES: usize = 16 << 20;

/// What a call tells of its progress: a bar of ours, or a function of the caller.
pub struct Progress {
    tell: Py<PyAny>,
    is_ours: bool,
}

impl Progress {
    /// The progress of a call: `True` for a bar, or a function.
    pub fn new(asked: Option<Bound<'_, PyAny>>) -> PyResult<Option<Self>> {
        let Some(asked) = asked else { return Ok(None) };
        if !asked.is_instance_of::<PyBool>() {
            return Ok(Some(Self { tell: asked.unbind(), is_ours: false }));
        }
        if !asked.is_truthy()? {
            return Ok(None);
        }
        let bar = asked.py().import("kt_enum._progress")?.getattr("Bar")?.call0()?;
        Ok(Some(Self { tell: bar.unbind(), is_ours: true }))
    }

    fn tell(&self, py: Python<'_>, event: &Event) -> PyResult<()> {
        let told = match event {
            Event::Progress(at) => of_run(py, at)?,
            Event::Back(at) => {
                let told = PyDict::new(py);
                told.set_item("percent", at.share() * 100.0)?;
                told
            }
            _ => return Ok(()),
        };
        self.tell.call1(py, (told,)).map(drop)
    }

    fn end(&self, py: Python<'_>) -> PyResult<()> {
        if self.is_ours { self.tell.call_method0(py, "close").map(drop) } else { Ok(()) }
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
            progress.zip(event).map_or(Ok(()), |(progress, event)| progress.tell(py, event))
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
        progress.end(py)?;
    }
    went.map(|()| result)
}
