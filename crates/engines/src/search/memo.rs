//! The transposition table: positions met before, with the number of tours below them.
//!
//! Different paths lead to the same position, and below it is the same number of tours. A table of
//! all positions would grow with the search. This one has a fixed size and is direct-mapped: a
//! position has one slot, and the latest position takes it. So the table may forget but is never
//! wrong, because the whole position is compared: its key (the free squares), the head, and the
//! root (the start, which decides where a tour may end).
//!
//! The table saves time only while it stays in cache. One thread counts 5x8 in 0.68 s with 256 KiB,
//! 0.56 s with 1 MiB, 0.52 s with 4 MiB, and 1.39 s with 64 MiB, which visits the fewest nodes.

/// The size of the transposition table of each worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum MemoSize {
    /// The default size: [`MemoSize::DEFAULT_BYTES`], and less for boards of few positions.
    #[default]
    Cache,
    /// At most this many bytes.
    Bytes(u64),
    /// No table: the search visits every tour, up to symmetry.
    Off,
}

impl MemoSize {
    /// The default size, 1 MiB, which fits into the cache of a core.
    pub const DEFAULT_BYTES: u64 = 1 << 20;

    /// The size for a board of `squares` squares. To clear 1 MiB takes longer than to count a board
    /// of few squares: 5x5 takes 5.3 ms with 1 MiB and 4.0 ms with 128 KiB.
    pub(crate) fn on(self, squares: usize) -> Self {
        const FEW_SQUARES: usize = 30;
        const FOR_FEW_SQUARES: u64 = 128 << 10;
        match self {
            Self::Cache if squares <= FEW_SQUARES => Self::Bytes(FOR_FEW_SQUARES),
            size => size,
        }
    }

    /// True if the system can allocate the table of one worker.
    pub(crate) fn can_allocate(self) -> bool {
        let bytes = usize::try_from(self.bytes());
        bytes.is_ok_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok())
    }

    /// The largest number of bytes of one worker's table.
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
    /// The count in 48 bits, the root in 8 (from 1, because 0 marks an empty slot), the head in 8.
    packed: u64,
}

/// The largest count that fits beside the root and the head. Larger counts are not stored.
const LARGEST_COUNT: u128 = (1 << 48) - 1;

pub(crate) struct Memo<K> {
    slots: Vec<Slot<K>>,
    shift: u32,
    root: u64,
}

impl<K: Copy + Eq + Default> Memo<K> {
    /// Creates a table of at most this size, or an empty one if it cannot be allocated. The search
    /// works without a table, only more slowly.
    pub fn new(size: MemoSize) -> Self {
        let fitting = size.bytes() / size_of::<Slot<K>>() as u64;
        let wanted =
            if fitting < 2 || size_of::<K>() == 0 { 0 } else { 1_usize << fitting.ilog2() };
        let mut slots = Vec::new();
        if slots.try_reserve_exact(wanted).is_ok() {
            slots.resize(wanted, Slot::default());
        }
        Self { shift: 64 - slots.len().max(2).ilog2(), slots, root: 0 }
    }

    pub fn is_on(&self) -> bool {
        !self.slots.is_empty()
    }

    /// Sets the root of the positions for all following calls.
    pub fn set_root(&mut self, root: usize) {
        self.root = root as u64 + 1;
    }

    /// The index of the slot of a position. `mixed` is a hash of its key.
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
        (self.root << 8 | head) as u16
    }
}
