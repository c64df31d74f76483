//! The interface for everything that an engine computes before its units: sweeps, which go in
//! rounds, slice by slice.
//!
//! An engine that counts states cannot start with its units. It first has to compute the states
//! that the units share, up to the point where the rest falls into independent parts. Keeping all
//! states in one table would not scale: the table would have to be in memory as a whole, and
//! threads would compete for it. Instead the engine works in *sweeps* of a few *rounds* each. In a
//! round, every *slice* of the layer that the round before has left is processed alone, by any
//! thread, and its output is partitioned into the slices of the next round.
//!
//! The engine computes; the run decides where the bytes of a layer are kept, in memory or on disk,
//! and saves and restores them. Invariant: the slices of a layer can be processed in any order, and
//! the output of each depends on that slice alone.

use crate::tally::Tally;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The sweeps of an engine, each a sequence of rounds.
pub trait Rounds: Sync {
    /// The number of rounds of each sweep.
    fn rounds(&self) -> Vec<usize>;

    /// The only units that the sweeps serve; `None` if they serve all units.
    fn made_for(&self) -> Option<&[usize]> {
        None
    }

    /// The number of levels at which units can be [divided](Rounds::divided) into groups.
    fn levels(&self) -> usize {
        0
    }

    /// Divides units into the groups of a level, from 1 to [`levels`](Rounds::levels). A group of
    /// one level lies within a group of the level before. The units of a group need about the same
    /// states, so sweeps for one group alone have much smaller layers.
    fn divided(&self, units: &[usize], _level: usize) -> Vec<Vec<usize>> {
        vec![units.to_vec()]
    }

    /// A guess of the states that a unit needs, relative to other units, before any are computed.
    fn weight(&self, _unit: usize) -> u64 {
        1
    }

    /// The states that every sweep starts with.
    fn start(&self) -> Partitioned;

    /// A new worker for one thread.
    fn round_worker(&self) -> Box<dyn RoundWorker + '_>;

    /// Packed states as a sweep partitions them after some rounds, without their number.
    fn sliced(&self, _at: (usize, usize), _packed: &[u8]) -> Partitioned {
        Partitioned::default()
    }

    /// The same sweeps, restricted to the states that lead to some units; `None` if they cannot be
    /// restricted.
    fn narrowed(&self, _units: &[usize]) -> Option<Box<dyn Narrowed + '_>> {
        None
    }

    /// Takes over the result of all sweeps, in place of an earlier one.
    fn ready(&self, built: Built);

    /// Drops the result of all sweeps, whose states are damaged: it is computed again.
    fn forget(&self) {}
}

/// Sweeps that are restricted to the states that lead to some units.
pub trait Narrowed: Sync {
    /// A new worker for one thread.
    fn round_worker(&self) -> Box<dyn RoundWorker + '_>;

    /// True if a slice that a round reads may have states that lead to the units.
    fn needs(&self, at: (usize, usize), slice: u64) -> bool;
}

/// One thread of an engine at work on a round.
pub trait RoundWorker {
    /// Processes a slice in a round, which is named by its sweep and its number. Large output goes
    /// to `deal` in portions as soon as they are ready. The last portion is returned, with the
    /// totals over all portions. Returns `None` if `stop` asked for it; the portions are then
    /// worthless.
    fn advance(
        &mut self,
        at: (usize, usize),
        slice: u64,
        packed: &[&[u8]],
        stop: Stop,
        deal: &mut dyn FnMut(Partitioned),
    ) -> Option<Partitioned>;
}

/// The output of one slice in a round, or a portion of it: packed states, partitioned by the slices
/// of the next round.
#[derive(Debug, Clone, Default)]
pub struct Partitioned {
    /// Packed states.
    pub bytes: Vec<u8>,
    /// The slices of the next round in ascending order.
    pub parts: Vec<SliceStart>,
    /// The number of states in `bytes`.
    pub states: u64,
    /// The number of states computed in all stages of the round, including those in `bytes`.
    pub states_processed: u64,
    /// Totals that were completed on the way, by name: for boards of all lengths, the cycles that
    /// closed and the number of squares they cover.
    pub met: Vec<(u32, Tally)>,
}

/// The beginning of the states of a slice in the output of another.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct SliceStart {
    /// The slice.
    pub slice: u64,
    /// The offset of its first byte.
    pub start: u64,
}

impl Partitioned {
    /// The slices of the next round, each with its bytes.
    pub fn slices(&self) -> impl Iterator<Item = (u64, &[u8])> {
        let ends = self.parts.iter().skip(1).map(|part| part.start as usize);
        let parts = self.parts.iter().zip(ends.chain([self.bytes.len()]));
        parts.map(|(part, end)| (part.slice, &self.bytes[part.start as usize..end]))
    }
}

/// The pieces of each slice in several portions.
pub fn by_slice(dealt: &[Partitioned]) -> BTreeMap<u64, Vec<&[u8]>> {
    let mut pieces: BTreeMap<u64, Vec<&[u8]>> = BTreeMap::new();
    for (slice, packed) in dealt.iter().flat_map(Partitioned::slices) {
        pieces.entry(slice).or_default().push(packed);
    }
    pieces
}

/// The result of all sweeps.
pub struct Built {
    /// The only units that it serves; `None` if it serves all units.
    pub made_for: Option<Vec<usize>>,
    /// For each sweep, the layer that its last round has left.
    pub layers: Vec<Arc<dyn Layer>>,
    /// For each sweep and round, the layer that the round read; empty unless the layers are kept
    /// for the traceback.
    pub inputs: Vec<Vec<Arc<dyn Layer>>>,
    /// The completed totals, by name.
    pub met: Vec<(u32, Tally)>,
}

/// The beginning that a sweep of a board has in common with one of another board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct InCommon {
    /// The sweep of the first board.
    pub sweep: usize,
    /// The number of rounds after which both have the same states.
    pub rounds: usize,
    /// True if these states are in the same slices.
    pub has_same_slices: bool,
}

/// The progress of the sweeps before the units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Building {
    /// The number of finished rounds.
    pub round: usize,
    /// The number of rounds of all sweeps.
    pub rounds: usize,
    /// The number of finished slices of this round.
    pub slices: usize,
    /// The number of slices of this round.
    pub slices_of: usize,
    /// The number of states in the larger of the two layers of this round.
    pub states: u64,
    /// The bytes of all layers, in memory and on disk.
    pub bytes: u64,
    /// The largest number of states that a round has left.
    pub most_states: u64,
}

impl Building {
    /// The number of finished rounds, and the share of the round in progress.
    pub fn rounds_done(&self) -> f64 {
        self.round as f64 + self.slices as f64 / self.slices_of.max(1) as f64
    }
}

/// The bytes that layers may take where they may have `memory` bytes of memory and `disk` bytes of
/// disk. What is on disk can be saved. So where the disk is the larger of the two, all layers have
/// to fit there.
pub fn room_for_layers(memory: u64, disk: u64) -> u64 {
    if disk >= memory { disk } else { memory.saturating_add(disk) }
}

/// Takes the portions of a slice over, each in pieces.
pub type Portions<'a> = dyn FnMut(&[&[u8]]) -> Result<(), StatesUnavailable> + 'a;

/// The states that a round has left, in memory or on disk.
pub trait Layer: Send + Sync {
    /// The packed states of a slice, in pieces.
    ///
    /// # Errors
    /// [`StatesUnavailable`] if they cannot be read back.
    fn slice(&self, slice: u64) -> Result<Vec<Cow<'_, [u8]>>, StatesUnavailable>;

    /// Passes the packed states of a slice to `show` in portions, each of which reads at most
    /// `most` bytes from disk, or a single piece. Any portions can be processed one after the
    /// other: equal states in several of them are added up later.
    ///
    /// # Errors
    /// [`StatesUnavailable`] if they cannot be read back, and what `show` returns.
    fn each_portion(
        &self,
        slice: u64,
        most: u64,
        show: &mut Portions<'_>,
    ) -> Result<(), StatesUnavailable>;

    /// The number of bytes of a slice.
    fn bytes_of(&self, slice: u64) -> u64;
}

/// Borrows the bytes of some pieces.
pub fn views<'a>(pieces: &'a [Cow<'_, [u8]>]) -> Vec<&'a [u8]> {
    pieces.iter().map(AsRef::as_ref).collect()
}

/// Returns true to cancel. It is called every few milliseconds.
pub type Stop<'a> = &'a dyn Fn() -> bool;

/// The same for several threads.
pub type SharedStop<'a> = &'a (dyn Fn() -> bool + Sync);

/// The error for states that cannot be read back, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StatesUnavailable {
    /// They are missing, damaged, or not those of the count.
    #[error("{0}")]
    Damaged(String),
    /// The system refuses to read them, which says nothing about them.
    #[error("{0}")]
    Unreadable(String),
    /// What follows from them does not fit the memory of a thread, however they are divided.
    #[error("what follows from single states does not fit the memory of a thread")]
    Memory,
    /// The caller cancelled what needs them.
    #[error("stopped")]
    Stopped,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_have_memory_and_disk_together_unless_all_of_them_fit_the_disk() {
        let rooms = [(20, 10), (20, 19), (20, 20), (20, 30)]
            .map(|(memory, disk)| room_for_layers(memory, disk));
        assert_eq!(rooms, [30, 39, 20, 30]);
        assert_eq!(room_for_layers(u64::MAX, 1), u64::MAX);
    }
}
