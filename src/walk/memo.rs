//! A table of positions met before and the number of tours below them.
//!
//! Direct-mapped and lossy: a position has one slot, and the newest takes it. What is found in a
//! slot is exact, for the whole position is compared: the free squares, the head and the start (which
//! decides where a tour may end). The table pays while it stays in cache: one thread counts 5x8 in 0.68 s
//! with 256 KiB, 0.56 with 1 MiB, 0.52 with 4 MiB and 1.39 with 64 MiB, which visits the fewest nodes.

use std::fmt;

/// How much memory each worker's table of positions takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MemoSize {
    /// [`MemoSize::DEFAULT_BYTES`].
    #[default]
    Cache,
    /// At most this many bytes.
    Bytes(u64),
    /// No table: every class of tours is visited.
    Off,
}

impl MemoSize {
    /// What fits the cache of a core: 1 MiB.
    pub const DEFAULT_BYTES: u64 = 1 << 20;

    /// Whether the machine would give one worker this much at all.
    pub(super) fn is_to_be_had(self) -> bool {
        let bytes = usize::try_from(self.bytes());
        bytes.is_ok_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok())
    }

    /// The most bytes a worker's table takes.
    pub fn bytes(self) -> u64 {
        match self {
            Self::Cache => Self::DEFAULT_BYTES,
            Self::Bytes(bytes) => bytes,
            Self::Off => 0,
        }
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Slot<K> {
    key: K,
    /// 48 bits of count, 8 of the start (from 1: 0 is an empty slot), 8 of the head.
    packed: u64,
}

/// Counts above this are not kept, so that one fits beside the start and the head.
const LARGEST_COUNT: u128 = (1 << 48) - 1;

pub(super) struct Memo<K> {
    slots: Vec<Slot<K>>,
    shift: u32,
    start: u64,
}

impl<K> fmt::Debug for Memo<K> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Memo of {} positions", self.slots.len())
    }
}

impl<K: Copy + Eq + Default> Memo<K> {
    /// A table of the size, or none where the machine has no room for it: it would only save time.
    pub fn new(size: MemoSize) -> Self {
        let fitting = size.bytes() / size_of::<Slot<K>>() as u64;
        let wanted = match fitting < 2 || size_of::<K>() == 0 {
            true => 0,
            false => 1_usize << fitting.ilog2(),
        };
        let mut slots = Vec::new();
        if slots.try_reserve_exact(wanted).is_ok() {
            slots.resize(wanted, Slot::default());
        }
        Self { shift: 64 - slots.len().max(2).ilog2(), slots, start: 0 }
    }

    pub fn is_on(&self) -> bool {
        !self.slots.is_empty()
    }

    /// Positions from here on belong to tours from this start.
    pub fn set_start(&mut self, start: usize) {
        self.start = start as u64 + 1;
    }

    /// Where a position has its slot; `mixed` is a digest of the key.
    #[inline(always)]
    pub fn place(&self, mixed: u64, head: u64) -> usize {
        const ODD: u64 = 0xd6e8_feb8_6659_fd93;
        ((mixed ^ head).wrapping_mul(ODD) >> self.shift) as usize
    }

    #[inline(always)]
    pub fn get(&self, place: usize, key: K, head: u64) -> Option<u64> {
        let slot = &self.slots[place];
        let same = slot.key == key && slot.packed as u16 == self.tag(head);
        same.then_some(slot.packed >> 16)
    }

    #[inline(always)]
    pub fn put(&mut self, place: usize, key: K, head: u64, count: u128) {
        if count <= LARGEST_COUNT {
            let packed = (count as u64) << 16 | u64::from(self.tag(head));
            self.slots[place] = Slot { key, packed };
        }
    }

    #[inline(always)]
    fn tag(&self, head: u64) -> u16 {
        (self.start << 8 | head) as u16
    }
}
