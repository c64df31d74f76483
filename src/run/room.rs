//! A bound on the memory of what is worked on at once.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// So many bytes, taken by threads for as long as they work on something.
#[derive(Debug)]
pub(super) struct Room {
    bytes: u64,
    taken: Mutex<u64>,
    given_back: Condvar,
}

/// What was taken, until it is dropped.
#[derive(Debug)]
pub(super) struct Taken<'a> {
    room: &'a Room,
    bytes: u64,
}

impl Room {
    pub fn new(bytes: u64) -> Self {
        Self {
            bytes,
            taken: Mutex::new(0),
            given_back: Condvar::new(),
        }
    }

    /// Takes so many bytes once they are free, or all others have given theirs back; or at once when `stop` says so.
    pub fn take(&self, bytes: u64, stop: &dyn Fn() -> bool) -> Taken<'_> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        while *taken > 0 && *taken + bytes > self.bytes && !stop() {
            let waited = self
                .given_back
                .wait_timeout(taken, Duration::from_millis(50));
            taken = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        *taken += bytes;
        Taken { room: self, bytes }
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        *self
            .room
            .taken
            .lock()
            .unwrap_or_else(PoisonError::into_inner) -= self.bytes;
        self.room.given_back.notify_all();
    }
}
