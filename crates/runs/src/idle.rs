//! Steps in which a process may be ended because nothing is lost.
//!
//! In such a step the process waits for an input or for a reader, or is still reading what it is to
//! work on. Whoever has to end the process in time looks at the step, so that no loop over an input
//! has to look at the clock.

use std::fmt::Display;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A step, which ends with the value.
pub struct IdleStep(Option<(String, Instant)>);

/// The innermost step, in words, and its beginning.
static INNERMOST: Mutex<Option<(String, Instant)>> = Mutex::new(None);

fn innermost() -> MutexGuard<'static, Option<(String, Instant)>> {
    INNERMOST.lock().unwrap_or_else(PoisonError::into_inner)
}

impl IdleStep {
    /// Begins a step, named by a phrase such as `reading FILE`.
    pub fn begin(what: impl Display) -> Self {
        Self(innermost().replace((what.to_string(), Instant::now())))
    }

    /// The step of the process, if it has been in it for some time.
    pub fn lasting(time: Duration) -> Option<String> {
        let (what, began) = innermost().clone()?;
        (began.elapsed() >= time).then_some(what)
    }
}

impl Drop for IdleStep {
    fn drop(&mut self) {
        *innermost() = self.0.take();
    }
}
