//! The rates of this machine, in a small file of the state folder.
//!
//! The file is a cache. What cannot be read is replaced by the usual rates, and what cannot be
//! written is measured again by the next run.

use super::state_folder;
use crate::durable::{self, trying};
use crate::estimate::{Expected, ForecastEffort, of_frontier};
use crate::frontier::Frontier;
use crate::rates::{Measured, Rates, TITLE};
use std::io;
use std::path::PathBuf;

/// More bytes than a file of rates has.
const LARGEST: u64 = 4096;

fn file() -> Option<PathBuf> {
    Some(state_folder()?.join("rates"))
}

/// The rates of this machine, or the usual ones before it has counted anything.
pub(super) fn of_machine() -> Rates {
    let bytes = file().and_then(|file| durable::read(&file, LARGEST).ok().flatten());
    bytes.map_or(Rates::USUAL, |bytes| Rates::parse(&String::from_utf8_lossy(&bytes)))
}

/// The forecast of a count on `threads` threads, at the rates of this machine.
pub(super) fn expected(
    frontier: &Frontier,
    effort: ForecastEffort,
    threads: usize,
) -> Option<Expected> {
    let forecast = of_frontier(frontier, effort)?;
    Some(Expected::new(forecast, of_machine(), threads))
}

/// Takes a run into account. A file of somebody else is left as it is.
pub(super) fn learn(run: Measured) {
    let Some(file) = file().filter(|_| run.tells()) else { return };
    let mut rates = of_machine();
    rates.learn(run);
    let _ = durable::replace(&file, rates.text().as_bytes(), || {
        let is_free =
            !file.exists() || durable::begins(&file, |head| head.starts_with(TITLE.as_bytes()));
        let foreign = || trying("replace", &file)(io::Error::other("it has no rates"));
        if is_free { Ok(()) } else { Err(foreign()) }
    });
}
