//! The degrees of the squares of the window: two bits for each slot, 0, 1 or 2 edges so far.
//!
//! ```text
//! slot       31 30 ...  4  3  2  1  0
//! degree      .  . ...  1  0  2  1  1      the ends 0, 1 and 2 stand in the slots 0, 1 and 4
//! ```
//!
//! A square has a slot from the moment when an edge can reach it until it is closed. The ends of the paths, the squares
//! of degree 1, are counted in the order of their slots. Two squares that mirror each other have slots that do: `j` and
//! `31 - j`; squares that are their own mirror images, and the apex, have one of the four in the middle, which stay.

use super::matching::Change;

/// The slots of a pattern.
pub(crate) const SLOTS: usize = 32;

/// The slots that a mirror leaves where they are.
pub(crate) const MIDDLE: std::ops::Range<usize> = 14..18;

/// The degrees of all slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct Pattern(pub u64);

/// The lower bit of every slot.
const LOW: u64 = 0x5555_5555_5555_5555;

const fn below(slot: usize) -> u64 {
    (1 << (2 * slot)) - 1
}

/// The slots in the middle, with both bits.
const MIDDLE_BITS: u64 = below(MIDDLE.end) & !below(MIDDLE.start);

/// Both bits of some slots.
pub(crate) fn bits_of(slots: impl IntoIterator<Item = usize>) -> u64 {
    slots.into_iter().map(|slot| 3 << (2 * slot)).sum()
}

/// What an edge between two slots makes of a pattern, and of the matching.
pub(crate) enum Linked {
    /// One of them has two edges already.
    Full,
    /// It joins the only two ends there are.
    Closes(Pattern),
    /// This.
    To(Pattern, Change),
}

impl Pattern {
    /// The pattern with which a packed block begins.
    pub fn packed_at(bytes: &[u8], at: usize) -> Option<Self> {
        let pattern = bytes.get(at..at + 8)?.try_into().ok()?;
        Some(Self(u64::from_le_bytes(pattern)))
    }

    /// Both edges in some slots, none in the others.
    pub fn full_in(slots: impl IntoIterator<Item = usize>) -> Self {
        Self(slots.into_iter().map(|slot| 2 << (2 * slot)).sum())
    }

    /// The degree of a slot.
    #[inline]
    pub fn degree(self, slot: usize) -> u64 {
        self.0 >> (2 * slot) & 3
    }

    /// The lower bits of the slots that are ends.
    #[inline]
    fn end_bits(self) -> u64 {
        self.0 & LOW
    }

    /// The number of ends.
    #[inline]
    pub fn ends(self) -> usize {
        self.end_bits().count_ones() as usize
    }

    /// The lower bits of the slots that have both edges.
    #[inline]
    pub fn full(self) -> u64 {
        self.0 >> 1 & LOW
    }

    #[inline]
    fn ends_below(self, slot: usize) -> u8 {
        (self.end_bits() & below(slot)).count_ones() as u8
    }

    /// The sum of the degrees in the slots of a mask, with both bits each.
    #[inline]
    pub fn degrees_in(self, mask: u64) -> i32 {
        let these = self.0 & mask;
        ((these & LOW).count_ones() + 2 * (these >> 1 & LOW).count_ones()) as i32
    }

    /// With an edge between two slots.
    #[inline]
    pub fn link(self, one: usize, other: usize) -> Linked {
        let (low, high) = (one.min(other), one.max(other));
        let (of_low, of_high) = (self.degree(low), self.degree(high));
        if of_low == 2 || of_high == 2 {
            return Linked::Full;
        }
        let linked = Self(self.0 + (1 << (2 * low)) + (1 << (2 * high)));
        let (first, second) = (self.ends_below(low), self.ends_below(high));
        match (of_low, of_high) {
            (0, 0) => Linked::To(linked, Change::Insert(first, second + 1)),
            (0, _) => Linked::To(linked, Change::Move(second, first)),
            (_, 0) => Linked::To(linked, Change::Move(first, second - 1)),
            _ if self.ends() == 2 => Linked::Closes(linked),
            _ => Linked::To(linked, Change::Contract(first, second)),
        }
    }

    /// Without what a slot holds.
    #[inline]
    pub fn without(self, slot: usize) -> Self {
        Self(self.0 & !(3 << (2 * slot)))
    }

    /// The degrees that are missing to 2 in the slots of a mask, as degrees.
    #[inline]
    pub fn missing_in(self, mask: u64) -> Self {
        // 0 and 2 change places, 1 stays.
        Self((self.0 ^ !(self.0 & LOW) << 1 & !LOW) & mask)
    }

    /// The mirror image.
    #[inline]
    pub fn mirrored(self) -> Self {
        let reversed = self.0.reverse_bits();
        let reversed = (reversed & LOW) << 1 | reversed >> 1 & LOW;
        Self(reversed & !MIDDLE_BITS | self.0 & MIDDLE_BITS)
    }

    /// What mirroring does to the matching.
    #[inline]
    pub fn mirror(self) -> Change {
        let left = self.ends_below(MIDDLE.start);
        Change::Mirror { left, middle: self.ends_below(MIDDLE.end) - left }
    }
}
