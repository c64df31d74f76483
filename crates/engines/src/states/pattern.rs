//! Patterns: the degrees of all frontier vertices, two bits per slot, each 0, 1 or 2 chosen edges
//! so far.
//!
//! ```text
//! slot       31 30 ...  4  3  2  1  0
//! degree      .  . ...  1  0  2  1  1      endpoints 0, 1 and 2 are in slots 0, 1 and 4
//! ```
//!
//! A vertex has a slot from the stage at which an edge can first reach it until it is finished. The
//! endpoints of paths are the vertices of degree 1; they are numbered in the order of their slots.
//! Two vertices that are mirror images of each other have the slots `j` and `31 - j`. Vertices that
//! are their own mirror images, and the apex, have one of the four slots in the middle, which
//! mirroring leaves in place.

use super::matching::Change;
use std::hash::{BuildHasherDefault, Hasher};

/// The number of slots in a pattern.
pub(crate) const SLOTS: usize = 32;

/// The slots that mirroring leaves in place.
pub(crate) const MIDDLE: std::ops::Range<usize> = 14..18;

/// The degrees in all slots. A slot without a vertex has degree 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct Pattern(pub u64);

/// A quick hash function of a pattern. Nobody chooses patterns that collide.
#[derive(Debug, Clone, Default)]
pub(crate) struct PatternHasher(u64);

/// The hash function of a table of patterns.
pub(crate) type ByPattern = BuildHasherDefault<PatternHasher>;

impl Hasher for PatternHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        // The golden ratio; the upper half depends on all bits.
        let product = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = product ^ product >> 32;
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

/// The lower bit of every slot.
const LOW: u64 = 0x5555_5555_5555_5555;

/// Returns both bits of all slots before one.
const fn below(slot: usize) -> u64 {
    (1 << (2 * slot)) - 1
}

/// Both bits of the slots in the middle.
const MIDDLE_BITS: u64 = below(MIDDLE.end) & !below(MIDDLE.start);

/// Returns both bits of some slots.
pub(crate) fn bits_of(slots: impl IntoIterator<Item = usize>) -> u64 {
    slots.into_iter().fold(0, |bits, slot| bits | 3 << (2 * slot))
}

/// The pattern with an edge that joins the only two endpoints, and so closes a cycle.
pub(crate) struct Closed(pub Pattern);

impl Pattern {
    /// Reads the pattern at the beginning of a packed block; `None` if the bytes end before it.
    pub fn packed_at(bytes: &[u8], at: usize) -> Option<Self> {
        let pattern = bytes.get(at..at + 8)?.try_into().ok()?;
        Some(Self(u64::from_le_bytes(pattern)))
    }

    /// Returns the pattern with degree 2 in some slots and 0 in the others.
    pub fn full_in(slots: impl IntoIterator<Item = usize>) -> Self {
        Self(slots.into_iter().map(|slot| 2 << (2 * slot)).sum())
    }

    /// Returns the degree in a slot.
    #[inline]
    pub fn degree(self, slot: usize) -> u64 {
        self.0 >> (2 * slot) & 3
    }

    /// Returns the lower bits of the slots that hold endpoints.
    #[inline]
    fn end_bits(self) -> u64 {
        self.0 & LOW
    }

    /// Returns the number of endpoints.
    #[inline]
    pub fn ends(self) -> usize {
        self.end_bits().count_ones() as usize
    }

    /// Returns the lower bits of the slots with degree 2.
    #[inline]
    pub fn full(self) -> u64 {
        self.0 >> 1 & LOW
    }

    /// Returns the number of endpoints before a slot.
    #[inline]
    fn ends_below(self, slot: usize) -> u8 {
        (self.end_bits() & below(slot)).count_ones() as u8
    }

    /// Returns the sum of the degrees in the slots of a mask, which has both bits of each slot.
    #[inline]
    pub fn degrees_in(self, mask: u64) -> i32 {
        // Fields of 2 bits are added up in fields of 4 bits, then of 8 bits, then all at once.
        let these = self.0 & mask;
        let these = (these & 0x3333_3333_3333_3333) + (these >> 2 & 0x3333_3333_3333_3333);
        let these = (these + (these >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
        (these.wrapping_mul(0x0101_0101_0101_0101) >> 56) as i32
    }

    /// Adds an edge between two slots, neither of which has two edges yet, and returns the change
    /// of the matching too. If both are endpoints, whether they are the two ends of one path
    /// depends on the matching: the map of [`Change::Contract`] tells.
    #[inline]
    pub fn link(self, one: usize, other: usize) -> Result<(Self, Change), Closed> {
        let linked = Self(self.0 + (1 << (2 * one) | 1 << (2 * other)));
        let (low, high) = (one.min(other), one.max(other));
        let (of_low, of_high) = (self.degree(low), self.degree(high));
        let (first, second) = (self.ends_below(low), self.ends_below(high));
        let change = match (of_low, of_high) {
            (0, 0) => Change::Insert(first, second + 1),
            (0, _) => Change::Move(second, first),
            (_, 0) => Change::Move(first, second - 1),
            _ if self.ends() == 2 => return Err(Closed(linked)),
            _ => Change::Contract(first, second),
        };
        Ok((linked, change))
    }

    /// Returns the pattern with degree 0 in a slot.
    #[inline]
    pub fn without(self, slot: usize) -> Self {
        Self(self.0 & !(3 << (2 * slot)))
    }

    /// Returns, for each slot of a mask, 2 minus its degree, and degree 0 in all other slots. Where
    /// two classes of edges meet, this is the pattern that one requires of the other.
    #[inline]
    pub fn missing_in(self, mask: u64) -> Self {
        // Degrees 0 and 2 change places, 1 stays.
        Self((self.0 ^ !(self.0 & LOW) << 1 & !LOW) & mask)
    }

    /// Returns the mirror image of the pattern.
    #[inline]
    pub fn mirrored(self) -> Self {
        let reversed = self.0.reverse_bits();
        let reversed = (reversed & LOW) << 1 | reversed >> 1 & LOW;
        Self(reversed & !MIDDLE_BITS | self.0 & MIDDLE_BITS)
    }

    /// Returns the change of the matching that goes with mirroring the pattern.
    #[inline]
    pub fn mirror(self) -> Change {
        let left = self.ends_below(MIDDLE.start);
        Change::Mirror { left, middle: self.ends_below(MIDDLE.end) - left }
    }
}
