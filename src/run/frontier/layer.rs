//! The states of one frontier, packed, in partitions: each partition in blocks that are in memory or on disk.
//!
//! A partition has one block, unless its table had to be emptied before it was full: then a state may be
//! in several, and its ways are the sum.

use super::scratch::{Extent, RunFile, ScratchError};
use crate::frontier::{Budget, Count, Entry, Malformed, Total, pack, sort, unpack};
use num_bigint::BigUint;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::Arc;

/// The states of a frontier.
#[derive(Debug, Clone, Default)]
pub(super) struct Layer {
    pub partitions: Vec<Vec<Block>>,
    /// The ways to all states together.
    pub ways: BigUint,
}

/// Some states of a partition.
#[derive(Debug, Clone)]
pub(super) struct Block {
    pub states: u64,
    pub place: Place,
}

/// Where the bytes of a block are.
#[derive(Debug, Clone)]
pub(super) enum Place {
    Memory(Arc<Held>),
    Disk(Extent),
}

/// Bytes in memory, which the budget has back when nobody holds them any more.
#[derive(Debug)]
pub(super) struct Held {
    pub bytes: Vec<u8>,
    budget: Arc<Budget>,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.budget.give_back(self.bytes.capacity() as u64);
    }
}

/// A block as a checkpoint knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SavedBlock {
    states: u64,
    run: u64,
    offset: u64,
    bytes: u64,
    checksum: u64,
}

/// A layer as a checkpoint knows it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SavedLayer {
    partitions: Vec<Vec<SavedBlock>>,
    /// In decimal digits.
    ways: String,
}

impl Layer {
    /// No states yet.
    pub fn empty(partitions: usize) -> Self {
        Self {
            partitions: vec![Vec::new(); partitions],
            ways: BigUint::default(),
        }
    }

    /// A single state, to which there is one way.
    pub fn of_one<C: Count>(key: u64, budget: &Arc<Budget>) -> Self {
        let (block, ways) = Block::of([(key, C::one())].into_iter(), budget);
        Self {
            partitions: vec![vec![block]],
            ways,
        }
    }

    /// How many states there are; those in several blocks are counted in each.
    pub fn states(&self) -> u64 {
        let blocks = self.partitions.iter().flatten();
        blocks.map(|block| block.states).sum()
    }

    /// Puts a block into a partition.
    pub fn add(&mut self, partition: usize, (block, ways): (Block, BigUint)) {
        if block.states > 0 {
            self.partitions[partition].push(block);
            self.ways += ways;
        }
    }

    /// The blocks in memory from a partition on.
    pub fn in_memory(&mut self, from: usize) -> impl Iterator<Item = &mut Block> {
        let blocks = self.partitions[from..].iter_mut().flatten();
        blocks.filter(|block| matches!(block.place, Place::Memory(_)))
    }

    /// As a checkpoint knows it, from a partition on, when all of that is on disk.
    pub fn saved(&self, from: usize) -> SavedLayer {
        let saved = |block: &Block| match &block.place {
            Place::Memory(_) => None,
            Place::Disk(extent) => Some(SavedBlock {
                states: block.states,
                run: extent.file.number(),
                offset: extent.offset,
                bytes: extent.bytes,
                checksum: extent.checksum,
            }),
        };
        let partitions = self.partitions.iter().enumerate();
        let partitions = partitions.map(|(index, blocks)| match index < from {
            true => Vec::new(),
            false => blocks.iter().filter_map(saved).collect(),
        });
        SavedLayer {
            partitions: partitions.collect(),
            ways: self.ways.to_string(),
        }
    }

    /// From what a checkpoint knows of it; `None` when that is nonsense.
    pub fn restored(
        saved: &SavedLayer,
        open: &mut impl FnMut(u64) -> Result<Arc<RunFile>, ScratchError>,
    ) -> Result<Option<Self>, ScratchError> {
        let Ok(ways) = saved.ways.parse() else {
            return Ok(None);
        };
        let mut block = |saved: &SavedBlock| {
            let file = open(saved.run)?;
            Ok::<_, ScratchError>(Block {
                states: saved.states,
                place: Place::Disk(Extent {
                    file,
                    offset: saved.offset,
                    bytes: saved.bytes,
                    checksum: saved.checksum,
                }),
            })
        };
        let partitions = saved.partitions.iter();
        let partitions = partitions.map(|blocks| blocks.iter().map(&mut block).collect());
        let partitions = partitions.collect::<Result<Vec<Vec<Block>>, _>>()?;
        Ok(Some(Self { partitions, ways }))
    }
}

impl Block {
    /// A block of some states, and the ways to all of them.
    pub fn of<C: Count>(
        states: impl Iterator<Item = Entry<C>>,
        budget: &Arc<Budget>,
    ) -> (Self, BigUint) {
        let mut states: Vec<Entry<C>> = states.collect();
        sort(&mut states);
        let mut ways = Total::default();
        states.iter().for_each(|(_, count)| count.add_to(&mut ways));
        let mut bytes = pack(&states);
        bytes.shrink_to_fit();
        budget.charge(bytes.capacity() as u64);
        let held = Held {
            bytes,
            budget: Arc::clone(budget),
        };
        let block = Self {
            states: states.len() as u64,
            place: Place::Memory(Arc::new(held)),
        };
        (block, ways.value())
    }

    /// The bytes of a block that is in memory.
    pub fn bytes_in_memory(&self) -> &[u8] {
        match &self.place {
            Place::Memory(held) => &held.bytes,
            Place::Disk(_) => &[],
        }
    }

    fn bytes(&self) -> Result<Cow<'_, [u8]>, ScratchError> {
        match &self.place {
            Place::Memory(held) => Ok(Cow::Borrowed(&held.bytes)),
            Place::Disk(extent) => Ok(Cow::Owned(extent.read()?)),
        }
    }
}

/// The states of a partition, each once.
pub(super) fn states_of<C: Count>(partition: &[Block]) -> Result<Vec<Entry<C>>, ScratchError> {
    let mut states = Vec::with_capacity(partition.iter().map(|block| block.states as usize).sum());
    for block in partition {
        let unpacked = unpack(&block.bytes()?, &mut states);
        match (unpacked, &block.place) {
            (Err(Malformed), Place::Disk(extent)) => return Err(extent.damaged()),
            (unpacked, _) => debug_assert_eq!(unpacked, Ok(())),
        }
    }
    if partition.len() > 1 {
        merge_equal(&mut states);
    }
    Ok(states)
}

/// Makes equal states one.
fn merge_equal<C: Count>(states: &mut Vec<Entry<C>>) {
    sort(states);
    states.dedup_by(|later, kept| {
        later.0 == kept.0 && {
            // All ways to all states together fit the width.
            let fits = kept.1.add(&later.1);
            debug_assert!(fits);
            true
        }
    });
}
