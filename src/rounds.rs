//! What precedes the units of an engine that builds its way to them: sweeps that go in rounds, a slice at a time.
//!
//! An engine that counts states cannot begin with its units: first it has to take what all units share so far that
//! the rest falls into independent parts. It does so in *sweeps*, each a few *rounds*. In a round every *slice* of what the round before has
//! left is worked on alone, by any thread, and what comes of it is dealt into the slices of the next round. The engine says
//! what becomes of a slice; where the bytes lie until they are wanted, in memory or on disk, and how they are saved and
//! had back, is for the run to say.

use crate::tally::Tally;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The sweeps of an engine.
pub trait Rounds: Sync {
    /// The number of rounds of each sweep.
    fn rounds(&self) -> Vec<usize>;

    /// The units that they are made for alone; `None` where for all.
    fn made_for(&self) -> Option<&[usize]> {
        None
    }

    /// What every sweep begins with.
    fn start(&self) -> Partitioned;

    /// A new worker for one thread.
    fn round_worker(&self) -> Box<dyn RoundWorker + '_>;

    /// Takes over the result of all sweeps, in place of an earlier one.
    fn ready(&self, built: Built);

    /// Drops the result of all sweeps, whose states are damaged: it is computed again.
    fn forget(&self) {}
}

/// One thread of an engine at work on a round.
pub trait RoundWorker {
    /// Takes a slice through a round, which is named by its sweep and its number. Large output goes
    /// to `deal` in portions as they come. The last portion is returned, with the sums over all of
    /// them; or `None` when `stop` said so, and then the portions are worthless.
    fn advance(
        &mut self,
        at: (usize, usize),
        slice: u64,
        packed: &[&[u8]],
        stop: &dyn Fn() -> bool,
        deal: &mut dyn FnMut(Partitioned),
    ) -> Option<Partitioned>;
}

/// What came of a slice in a round.
#[derive(Debug, Clone, Default)]
pub struct Partitioned {
    /// Packed states.
    pub bytes: Vec<u8>,
    /// By slice of the next round, ascending, where its bytes begin.
    pub parts: Vec<(u64, u64)>,
    /// States in these bytes.
    pub states: u64,
    /// States taken on on the way, these among them.
    pub states_processed: u64,
    /// What was finished on the way: numbers to be added to those of the same name.
    pub met: Vec<(u32, Tally)>,
}

impl Partitioned {
    /// Its slices, each with the range of its bytes.
    pub fn ranges(&self) -> impl Iterator<Item = (u64, std::ops::Range<usize>)> {
        let ends = self.parts.iter().skip(1).map(|part| part.1 as usize);
        let ends = ends.chain([self.bytes.len()]);
        self.parts.iter().zip(ends).map(|(&(slice, start), end)| (slice, start as usize..end))
    }

    /// Its slices, each with its bytes.
    pub fn slices(&self) -> impl Iterator<Item = (u64, &[u8])> {
        self.ranges().map(|(slice, range)| (slice, &self.bytes[range]))
    }
}

/// The pieces of each slice of some portions.
pub(crate) fn by_slice(dealt: &[Partitioned]) -> BTreeMap<u64, Vec<&[u8]>> {
    let mut pieces: BTreeMap<u64, Vec<&[u8]>> = BTreeMap::new();
    for (slice, packed) in dealt.iter().flat_map(Partitioned::slices) {
        pieces.entry(slice).or_default().push(packed);
    }
    pieces
}

/// What the sweeps came to.
pub struct Built {
    /// By sweep, what its last round has left.
    pub layers: Vec<Arc<dyn Layer>>,
    /// By sweep and round, what the round took; nothing unless it was to be kept.
    pub inputs: Vec<Vec<Arc<dyn Layer>>>,
    /// What was finished on the way: names and sums.
    pub met: Vec<(u32, Tally)>,
}

/// How far the sweeps are that precede the units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Building {
    /// Rounds that are done.
    pub round: usize,
    /// Rounds in all.
    pub rounds: usize,
    /// Slices of this round that are done.
    pub slices: usize,
    /// Slices of this round.
    pub slices_of: usize,
    /// States at hand.
    pub states: u64,
    /// Bytes that they take, in memory and on disk.
    pub bytes: u64,
    /// The most states that a round has left.
    pub most_states: u64,
}

/// What a round has left, wherever it lies.
pub trait Layer: Send + Sync {
    /// The packed states of a slice, in pieces.
    ///
    /// # Errors
    /// [`StatesUnavailable`] when they cannot be had back.
    fn slice(&self, slice: u64) -> Result<Vec<Cow<'_, [u8]>>, StatesUnavailable>;

    /// How many bytes that are.
    fn bytes_of(&self, slice: u64) -> u64;
}

/// What a unit is made of cannot be had back.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct StatesUnavailable(pub String);
