//! What a count will take, before it is begun.

use super::Frontier;

/// What a count will take, as a guess.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Forecast {
    /// States taken on in all.
    pub states: f64,
    /// Bytes of memory or disk.
    pub bytes: f64,
    /// Seconds of one thread.
    pub seconds: f64,
}

impl Frontier {
    /// What the count will take.
    pub fn forecast(&self) -> Forecast {
        Forecast {
            states: 1.0,
            bytes: 1.0,
            seconds: 1.0,
        }
    }
}
