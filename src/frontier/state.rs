//! A state of the frontier: what the processed squares look like from the squares to come.
//!
//! The frontier is a window of squares, at most `2 * width + 1` while `width` is the short side. Each has a kind,
//! in two bits: *bare* (no edge yet), *inner* (two edges), *end* of a fragment whose other end is in the
//! window too, or *loose*: the end of a fragment whose other end is a tour's end behind the window.
//! Below the kinds lies the pairing of the ends. It may cross, for the knight's graph is not planar: for
//! each end that comes first of its pair, in order, four bits with the place of the other among all
//! ends; the last pair needs none. Up to 8 pairs take 34 + 28 = 62 bits, so no key is ever [`NO_KEY`].
//! In the order of their keys, states of equal kinds follow each other.

/// The kinds, in two bits a square.
pub(super) const BARE: u64 = 0;
pub(super) const INNER: u64 = 1;
pub(super) const LOOSE: u64 = 2;
pub(super) const END: u64 = 3;

/// The longest short side: the window of 17 squares and 8 pairs fit a key of 64 bits.
pub(super) const MOST_WIDTH: usize = 8;

/// The lower bit of every square.
const LOW: u64 = 0x5555_5555_5555_5555;
/// The pairing has four bits for each of eight pairs but the last.
const PAIRING_BITS: u32 = 4 * (MOST_WIDTH as u32 - 1);
/// Those of a key, two of them for each of 17 kinds.
pub(super) const KEY_BITS: u32 = PAIRING_BITS + 4 * MOST_WIDTH as u32 + 2;

/// A value that is no key.
pub(super) const NO_KEY: u64 = u64::MAX;

/// The kinds of a key.
#[inline(always)]
pub(super) fn kinds_of(key: u64) -> u64 {
    key >> PAIRING_BITS
}

/// The pairs of a key's ends, each by its places among all `count` of them.
#[inline(always)]
pub(super) fn for_each_pair(key: u64, count: usize, mut pair: impl FnMut(usize, usize)) {
    let mut pairing = key;
    let mut free = (1_u32 << count) - 1;
    while free != 0 {
        let one = free.trailing_zeros();
        free &= free - 1;
        let other = match free & free.wrapping_sub(1) {
            0 => free.trailing_zeros(),
            _ => (pairing & 15) as u32,
        };
        pairing >>= 4;
        free &= !(1 << other);
        pair(one as usize, other as usize);
    }
}

/// A key one square further on, when the square that leaves the window is inner.
#[inline(always)]
pub(super) fn without_first(key: u64) -> u64 {
    let pairing = key & ((1 << PAIRING_BITS) - 1);
    kinds_of(key) >> 2 << PAIRING_BITS | pairing
}

/// The ends among the kinds, each by the lower bit of its square; so for the next three.
#[inline(always)]
pub(super) fn ends(kinds: u64) -> u64 {
    kinds & (kinds >> 1) & LOW
}

#[inline(always)]
pub(super) fn loose(kinds: u64) -> u64 {
    (kinds >> 1) & !kinds & LOW
}

#[inline(always)]
pub(super) fn inner(kinds: u64) -> u64 {
    kinds & !(kinds >> 1) & LOW
}

#[inline(always)]
pub(super) fn covered(kinds: u64) -> u64 {
    (kinds | (kinds >> 1)) & LOW
}

/// How many loose ends there are: 0, 1 or 2.
#[inline(always)]
pub(super) fn loose_ends(kinds: u64) -> u32 {
    let loose = loose(kinds);
    u32::from(loose != 0) + u32::from(loose & loose.wrapping_sub(1) != 0)
}

/// The degrees alone: loose squares taken as ends.
#[inline(always)]
pub(super) fn degrees(kinds: u64) -> u64 {
    kinds | (kinds >> 1) & LOW
}

/// The degrees that make up these to two edges at each of `window` squares, in the reverse order.
pub(super) fn complement_reversed(degrees: u64, window: usize) -> u64 {
    let reversed = degrees.reverse_bits() >> (64 - 2 * window);
    let reversed = (reversed & LOW) << 1 | (reversed >> 1) & LOW;
    // Bare is 0 and inner is 1: the lower bit turns over where the upper one is clear.
    reversed ^ (!(reversed >> 1) & LOW & ((1 << (2 * window)) - 1))
}

/// What came of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Linked {
    /// One of the squares has two edges already.
    Not,
    /// The edge is drawn.
    Yes,
    /// It closed a cycle: the last edge or none.
    Cycle,
    /// It made a path between two ends of the tour: the last edge or none.
    Path,
}

/// A state laid open: the kinds, and for each end its mate.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fragments {
    pub kinds: u64,
    mates: [u8; 32],
}

impl Fragments {
    #[inline(always)]
    pub fn unpack(key: u64) -> Self {
        let kinds = kinds_of(key);
        let mut fragments = Self {
            kinds,
            mates: [0; 32],
        };
        let (list, count) = squares_of(ends(kinds));
        for_each_pair(key, count, |one, other| {
            fragments.pair(list[one & 31], list[other & 31]);
        });
        fragments
    }

    #[inline(always)]
    pub fn pack(&self) -> u64 {
        self.kinds << PAIRING_BITS | self.pairing()
    }

    /// The key when the first square, which is inner, has left the window.
    #[inline(always)]
    pub fn pack_without_first(&self) -> u64 {
        self.kinds >> 2 << PAIRING_BITS | self.pairing()
    }

    #[inline(always)]
    fn pairing(&self) -> u64 {
        let ends = ends(self.kinds);
        let (mut rest, mut pairing, mut shift) = (ends, 0, 0);
        while rest != 0 {
            let one = rest.trailing_zeros() / 2;
            rest &= rest - 1;
            let mate = 1_u64 << ((2 * u32::from(self.mate(one as u8))) & 63);
            rest &= !mate;
            if rest == 0 {
                break;
            }
            pairing |= u64::from((ends & (mate - 1)).count_ones()) << shift;
            shift += 4;
        }
        pairing
    }

    /// As [`Fragments::pack_without_first`] at the end of a row: the same for a state and its mirror image.
    pub fn pack_mirror_merged(&self, width: usize) -> u64 {
        let mirrored = self.mirrored_without_first(width);
        match mirrored.kinds.cmp(&(self.kinds >> 2)) {
            std::cmp::Ordering::Less => mirrored.pack(),
            std::cmp::Ordering::Greater => self.pack_without_first(),
            std::cmp::Ordering::Equal => self.pack_without_first().min(mirrored.pack()),
        }
    }

    fn mirrored_without_first(&self, width: usize) -> Self {
        let image = |square: usize| square / width * width + (width - 1 - square % width);
        let mut mirrored = Self {
            kinds: 0,
            mates: [0; 32],
        };
        for square in 0..2 * width {
            let kind = self.kind(square + 1);
            mirrored.kinds |= kind << (2 * image(square));
            if kind == END {
                let mate = usize::from(self.mate(square as u8 + 1)) - 1;
                mirrored.mates[image(square)] = image(mate) as u8;
            }
        }
        mirrored
    }

    #[inline(always)]
    pub fn kind(&self, square: usize) -> u64 {
        (self.kinds >> (2 * square)) & 3
    }

    #[inline(always)]
    fn set(&mut self, square: usize, kind: u64) {
        self.kinds = self.kinds & !(3 << (2 * square)) | kind << (2 * square);
    }

    #[inline(always)]
    pub fn mate(&self, square: u8) -> u8 {
        self.mates[usize::from(square & 31)]
    }

    #[inline(always)]
    fn pair(&mut self, one: u8, other: u8) {
        self.mates[usize::from(one & 31)] = other;
        self.mates[usize::from(other & 31)] = one;
    }

    /// Gives `square` the part that the end or loose square `old` had, which becomes inner.
    #[inline(always)]
    fn take_over(&mut self, square: usize, old: usize) {
        let kind = self.kind(old);
        if kind == END {
            self.pair(square as u8, self.mate(old as u8));
        }
        self.set(square, kind);
        self.set(old, INNER);
    }

    /// Draws the edge between two squares. After a cycle or path both are inner.
    #[inline(always)]
    pub fn link(&mut self, one: usize, other: usize) -> Linked {
        match (self.kind(one), self.kind(other)) {
            (INNER, _) | (_, INNER) => return Linked::Not,
            (BARE, BARE) => {
                self.set(one, END);
                self.set(other, END);
                self.pair(one as u8, other as u8);
            }
            (BARE, _) => self.take_over(one, other),
            (_, BARE) => self.take_over(other, one),
            (first, second) => return self.join((one, first), (other, second)),
        }
        Linked::Yes
    }

    #[inline(always)]
    fn join(&mut self, (one, first): (usize, u64), (other, second): (usize, u64)) -> Linked {
        self.set(one, INNER);
        self.set(other, INNER);
        match (first, second) {
            (END, END) if usize::from(self.mate(one as u8)) == other => return Linked::Cycle,
            (END, END) => self.pair(self.mate(one as u8), self.mate(other as u8)),
            (END, _) => self.set(usize::from(self.mate(one as u8)), LOOSE),
            (_, END) => self.set(usize::from(self.mate(other as u8)), LOOSE),
            _ => return Linked::Path,
        }
        Linked::Yes
    }

    /// Makes a square an end of the tour, which counts as one edge.
    #[inline(always)]
    pub fn end_at(&mut self, square: usize) -> Linked {
        let kind = self.kind(square);
        match kind {
            INNER => return Linked::Not,
            BARE => self.set(square, LOOSE),
            _ => self.set(square, INNER),
        }
        match kind {
            END => self.set(usize::from(self.mate(square as u8)), LOOSE),
            LOOSE => return Linked::Path,
            _ => {}
        }
        Linked::Yes
    }
}

/// The squares of a mask of lower bits, in order, and how many there are.
#[inline(always)]
pub(super) fn squares_of(mut mask: u64) -> ([u8; 32], usize) {
    let (mut list, mut count) = ([0; 32], 0);
    while mask != 0 {
        list[count & 31] = (mask.trailing_zeros() / 2) as u8;
        count += 1;
        mask &= mask - 1;
    }
    (list, count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_widest_window_with_any_pairing_comes_back_from_its_key(
            order in Just((0..17_u8).collect::<Vec<_>>()).prop_shuffle(),
            pairs in 0..=8_usize,
            others in proptest::collection::vec(0..3_u64, 17),
        ) {
            let mut state = Fragments { kinds: 0, mates: [0; 32] };
            for (&square, &kind) in order.iter().zip(&others) {
                state.set(usize::from(square), kind);
            }
            for pair in order[..2 * pairs].chunks(2) {
                state.set(usize::from(pair[0]), END);
                state.set(usize::from(pair[1]), END);
                state.pair(pair[0], pair[1]);
            }
            let back = Fragments::unpack(state.pack());
            prop_assert!(state.pack() >> 62 == 0);
            prop_assert_eq!(back.kinds, state.kinds);
            for pair in order[..2 * pairs].chunks(2) {
                prop_assert_eq!(back.mate(pair[0]), pair[1]);
                prop_assert_eq!(back.mate(pair[1]), pair[0]);
            }
        }
    }
}
