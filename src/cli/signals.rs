//! Signals, turned into words to a run.
//!
//! INT, TERM and USR2 save and stop, and so does HUP unless it was ignored at the start, as under
//! nohup. USR1 asks how far the run is. A second INT ends the process at once; the last checkpoint
//! is valid, for it is only ever replaced as a whole.

use super::exit::{Exit, Failure};
use super::output::note;
use crate::idle::IdleStep;
use crate::run::Control;
use crate::words::duration;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGXFSZ};
use signal_hook::iterator::Signals;
use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The effects of signals, as the man pages and the guide describe them.
pub const SIGNALS: [(&str, &str); 2] = [
    (
        "INT, TERM, USR2, HUP",
        "save and stop; a second one does not wait until the states before the units are saved, a second INT ends at once, and nohup keeps HUP away",
    ),
    ("USR1", "print how far the run is, or, where nothing is counted, the elapsed time"),
];

/// Prints a line with the elapsed time whenever SIGUSR1 arrives, for as long as the process lives.
/// It serves commands that are not runs: the signal would otherwise kill them.
pub fn answer(command: String) -> Result<(), Failure> {
    let began = Instant::now();
    let say = move |_| note(&format!("{command}: at it after {}", duration(began.elapsed())));
    listen(&[SIGUSR1], say)
}

/// Keeps SIGUSR1 from ending the process before it has an answer, as while a board is set up, and
/// SIGXFSZ from ending it at all: a write beyond a limit on files fails, as on a full disk.
pub fn survive_questions_and_limits() {
    for signal in [SIGUSR1, SIGXFSZ] {
        // Without a handler the process is as it would be anyway.
        let _ = signal_hook::flag::register(signal, Arc::default());
    }
}

/// Starts a thread that passes each signal to `hear`.
fn listen(to: &[i32], hear: impl FnMut(i32) + Send + 'static) -> Result<(), Failure> {
    let mut signals = Signals::new(to).map_err(Failure::failed)?;
    spawn("signals", move || signals.forever().for_each(hear)).map(drop)
}

/// Runs this on its own thread.
pub fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, Failure> {
    let thread = std::thread::Builder::new().name(name.to_owned());
    let remedy = "the memory or the processes are at their limit, see `ulimit -v -u`";
    let failed =
        |error| Failure::failed(format!("cannot start a thread for {name}: {error}; {remedy}"));
    thread.spawn(work).map_err(failed)
}

/// Runs this on its own thread after a time, if there is one.
fn after(time: Option<Duration>, act: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
    let Some(time) = time else { return Ok(()) };
    let wait = move || {
        std::thread::sleep(time);
        act();
    };
    spawn("timer", wait).map(drop)
}

/// True if a signal is the one before it once more: `timeout`, for one, sends its signal to the
/// process and then to the group of the process, and nobody asks twice within so short a time.
fn is_echo(before: Option<(i32, Instant)>, signal: i32) -> bool {
    const ECHO: Duration = Duration::from_millis(200);
    before.is_some_and(|(before, at)| before == signal && at.elapsed() < ECHO)
}

/// Listens for signals on a separate thread for as long as the process lives.
#[derive(Debug, Clone, Default)]
pub struct Listener {
    /// The control that the signals act on.
    pub control: Arc<Control>,
    interrupted: Arc<AtomicBool>,
}

impl Listener {
    /// Starts to listen.
    pub fn start() -> Result<Self, Failure> {
        let mut heard = vec![SIGINT, SIGTERM, SIGUSR1, SIGUSR2];
        if !hangup_is_ignored() {
            heard.push(SIGHUP);
        }
        let listener = Self::default();
        let (listening, mut last) = (listener.clone(), None);
        listen(&heard, move |signal| {
            if signal == SIGUSR1 || !is_echo(last, signal) {
                last = Some((signal, Instant::now()));
                listening.hear(signal);
            }
        })?;
        Ok(listener)
    }

    /// Stops the work after a time, if there is one, on a separate thread.
    pub fn stop_after(&self, most: Option<Duration>) -> Result<(), Failure> {
        let control = Arc::clone(&self.control);
        after(most, move || control.stop())
    }

    /// The failure of work that was stopped, with the code of SIGINT if that was among the signals.
    pub fn stopped(&self, otherwise: Exit, message: impl Display) -> Failure {
        let is_interrupted = self.interrupted.load(Ordering::Relaxed);
        Failure::saying(if is_interrupted { Exit::Interrupted } else { otherwise }, message)
    }

    fn hear(&self, signal: i32) {
        if signal == SIGUSR1 {
            return self.control.ask();
        }
        if signal == SIGINT && self.interrupted.swap(true, Ordering::Relaxed) {
            signal_hook::low_level::exit(Exit::Interrupted as i32);
        }
        if self.control.is_stopped() {
            self.control.hurry();
        }
        self.control.stop();
        let interrupted = self.interrupted.load(Ordering::Relaxed);
        let exit = if interrupted { Exit::Interrupted } else { Exit::Stopped };
        // Without this thread it ends later: there is nobody to tell.
        let _ = spawn("steps", move || end_idle_steps(exit));
    }
}

/// Lets no idle step last beyond the time of the command, if it has one.
pub fn limit_idle_steps(most: Option<Duration>) -> Result<(), Failure> {
    after(most, || end_idle_steps(Exit::Stopped))
}

/// Ends the process once it has been in an idle step for a second.
fn end_idle_steps(exit: Exit) {
    const GRACE: Duration = Duration::from_secs(1);
    const LOOK_EVERY: Duration = Duration::from_millis(50);
    loop {
        if let Some(what) = IdleStep::lasting(GRACE) {
            Failure::saying(exit, format!("stopped while {what}")).leave();
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

/// True if SIGHUP was ignored when the program was started. Linux tells; elsewhere the system
/// decides, whose default ends the process with its last checkpoint valid.
fn hangup_is_ignored() -> bool {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else {
        return true;
    };
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (SIGHUP - 1) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_is_an_echo_if_the_same_came_just_before_it() {
        let now = Some((SIGTERM, Instant::now()));
        let long_ago = now.map(|(signal, at)| (signal, at - Duration::from_secs(1)));
        assert!(is_echo(now, SIGTERM));
        assert!(!is_echo(now, SIGINT) && !is_echo(long_ago, SIGTERM) && !is_echo(None, SIGTERM));
    }
}
