//! Long calls: without the interpreter's lock, obeying Ctrl-C, `cancel`, limits on time and the end
//! of the interpreter, with their progress told.
//!
//! The work is done on threads that end with the call. The calling thread waits for it, asks Python
//! for signals, looks at the clock, and tells the progress, so that whoever watches is called from
//! the thread that called. An exception of either stops the work, which saves its state, and is
//! raised then.
//!
//! The invariant of the end: once the interpreter ends, the system kills a thread that asks for the
//! interpreter's lock, with frames of this library on its stack, which crashes the process. So
//! every call that may wait for the lock holds a [`Call`] until it has returned. Before the
//! interpreter ends, [`end`] stops all of them, waits for them, and lets no other thread begin one.

use crate::prelude::*;
use rayon::ThreadPoolBuilder;
use std::sync::MutexGuard;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, ThreadId};

/// The time between two looks for signals and at the clock.
const LOOK: Duration = Duration::from_millis(50);

/// The stack of a thread that works, twice that of a program.
const STACK_BYTES: usize = 16 << 20;

/// The calls of this process. It is locked only by threads that hold the interpreter's lock, so a
/// fork never copies it while it is locked.
static CALLS: Mutex<Calls> = Mutex::new(Calls { process: 0, ending: None, controls: Vec::new() });

struct Calls {
    /// The process that they are of: a fork has none of its parent's.
    process: u32,
    /// The thread that ends the interpreter, once one does.
    ending: Option<ThreadId>,
    controls: Vec<Arc<Control>>,
}

impl Calls {
    fn now() -> MutexGuard<'static, Self> {
        let mut calls = CALLS.lock().unwrap_or_else(PoisonError::into_inner);
        if calls.process != std::process::id() {
            *calls = Self { process: std::process::id(), ending: None, controls: Vec::new() };
        }
        calls
    }
}

/// A call that may wait for the interpreter's lock.
pub struct Call(Arc<Control>);

impl Call {
    /// Begins a call, unless another thread ends the interpreter: then this one should end quietly.
    pub fn begin() -> PyResult<Self> {
        let (mut calls, control) = (Calls::now(), Arc::new(Control::default()));
        if calls.ending.is_some_and(|thread| thread != thread::current().id()) {
            return Err(PySystemExit::new_err("the interpreter is ending"));
        }
        calls.controls.push(Arc::clone(&control));
        Ok(Self(control))
    }

    /// Handles signals, ends the call if the interpreter ends, and passes an event to what watches
    /// the call, which may end it too.
    pub fn look(&self, py: Python, watch: Option<&Object>, event: Option<String>) -> PyResult<()> {
        if self.0.is_stopped() && Calls::now().ending.is_some() {
            return Err(PySystemExit::new_err("the interpreter is ending"));
        }
        py.check_signals()?;
        watch.map(|watch| watch.call1(py, (event,))).transpose().map(|_| ())
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        Calls::now().controls.retain(|control| !Arc::ptr_eq(control, &self.0));
    }
}

/// Calls a function as a [`Call`] from beginning to end: even an exception that is looked at may
/// wait for the interpreter's lock.
#[pyfunction(signature = (of, /, *args, **options))]
pub fn guarded(of: &Any, args: &Bound<PyTuple>, options: Option<Given>) -> PyResult<Object> {
    let _call = Call::begin()?;
    Ok(of.call(args, options)?.unbind())
}

/// Stops all calls and waits until they have returned, because the interpreter ends.
#[pyfunction]
pub fn end(py: Python<'_>) -> PyResult<()> {
    Calls::now().ending = Some(thread::current().id());
    loop {
        let calls = Calls::now();
        if calls.controls.is_empty() {
            return Ok(());
        }
        calls.controls.iter().for_each(|control| control.stop());
        drop(calls);
        py.detach(|| thread::sleep(Duration::from_millis(5)));
        py.check_signals()?;
    }
}

/// A call that takes its time.
#[derive(Default)]
pub struct Long {
    /// The threads on which the work begins; 0 for one.
    pub threads: usize,
    /// The time after which the work is stopped.
    pub max_time: Option<Duration>,
    /// The function of the package that shows the progress, or passes it on, and cancels the call.
    pub watch: Option<Object>,
    /// The interest in events: 0 for none, 1 for progress, 2 for the warning of a long count too.
    pub interest: usize,
}

impl Long {
    /// Does some work that can be stopped by a control and tells an observer its progress.
    pub fn run<T: Send>(
        self,
        py: Python<'_>,
        work: impl FnOnce(&Arc<Control>, &mut dyn Observer) -> PyResult<T> + Send,
    ) -> PyResult<T> {
        let call = Call::begin()?;
        let pool = ThreadPoolBuilder::new().num_threads(self.threads.max(1));
        let pool = pool.stack_size(STACK_BYTES).build();
        let pool = pool.map_err(|error| PyMemoryError::new_err(error.to_string()))?;
        let (began, control) = (Instant::now(), &call.0);
        let is_over = || self.max_time.is_some_and(|most| began.elapsed() >= most);
        let (sender, events) = channel();
        let mut passing = Passing { sender, is_interested: self.interest > 0 };
        let mut went = call.look(py, self.watch.as_ref(), None);
        if is_over() || went.is_err() {
            control.stop();
        }
        let (mut result, mut went) = py.detach(|| {
            let (events, mut result) = (events, None);
            let done = &mut result;
            pool.in_place_scope(|scope| {
                scope.spawn(move |_| *done = Some(work(control, &mut passing)));
                loop {
                    let event = events.recv_timeout(LOOK);
                    if let Err(RecvTimeoutError::Disconnected) = event {
                        break;
                    }
                    let events = event.into_iter().chain(events.try_iter()).collect();
                    if went.is_ok() {
                        went = self.tell(&call, events);
                    }
                    if went.is_err() || is_over() {
                        control.stop();
                    }
                }
            });
            (result, went)
        });
        // The scope has ended, so the work has too, and a panic of it would have gone on.
        let result = result.take().unwrap_or_else(|| Err(undecided("nothing was done")));
        // The end of the interpreter stops the work before this thread looks.
        if result.is_err() && went.is_ok() {
            went = call.look(py, self.watch.as_ref(), None);
        }
        // The end of the progress.
        self.watch.as_ref().map(|watch| watch.call1(py, (false,))).transpose()?;
        went.map_err(|error| with_state(py, error, result.as_ref().err()))?;
        result
    }

    /// Raises the exception of a signal or another end, and tells the events that are worth it.
    fn tell(&self, call: &Call, events: Vec<Event>) -> PyResult<()> {
        Python::attach(|py| {
            for event in events.iter().filter(|_| self.interest == 2) {
                let (of, price) = match event {
                    Event::Forecast(of, price) => (of, Some(price)),
                    Event::Unforeseen { of, is_whole: true } => (of, None),
                    _ => continue,
                };
                let seconds = price.and_then(|price| price.seconds);
                let time = price.and_then(Price::time);
                called(py, "foretell", (of.question.to_string(), seconds, time))?;
            }
            // A slow function is told the newest progress that has come meanwhile.
            let told = |event: &&Event| matches!(event, Event::Progress(_) | Event::Back(_));
            let newest = events.iter().rev().find(told).and_then(Event::document);
            call.look(py, self.watch.as_ref(), newest.map(|event| event.to_string()))
        })
    }
}

/// The exception that ended a call, with the words about what is left of the work: where its state
/// is, for instance. An exception of the caller stays what it is.
fn with_state(py: Python<'_>, error: PyErr, of_work: Option<&PyErr>) -> PyErr {
    match of_work.filter(|left| left.is_instance_of::<Undecided>(py)).map(|left| left.value(py)) {
        Some(said) if error.is_instance_of::<PyKeyboardInterrupt>(py) => {
            PyKeyboardInterrupt::new_err(said.to_string())
        }
        Some(said) if error.is_instance_of::<Cancelled>(py) => {
            Cancelled::new_err(format!("cancelled: {said}"))
        }
        _ => error,
    }
}

/// An observer that passes events about progress on to the calling thread.
struct Passing {
    sender: Sender<Event>,
    is_interested: bool,
}

impl Observer for Passing {
    fn notice(&mut self, event: &Event) {
        // The calling thread listens until this one ends.
        let _ = self.sender.send(event.clone());
    }

    fn is_interested(&self) -> bool {
        self.is_interested
    }
}
