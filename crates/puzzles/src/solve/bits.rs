//! Sets of small numbers in a fixed number of machine words.
//!
//! The solver needs sets of steps and of squares for boards of any size. A board picks the least
//! width that holds it, and the compiler makes code for each width: a set of one word lives in a
//! register, and a set of sixteen takes a few vector instructions. [`crate::board::SquareSet`] ends
//! at 128 squares.

use std::iter;
use std::ops::{BitAnd, BitOr, Not};

/// A set of numbers below `64 * N`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bits<const N: usize>(pub [u64; N]);

impl<const N: usize> Bits<N> {
    pub const EMPTY: Self = Self([0; N]);

    /// The set whose words a function gives by their places. `array::from_fn` does the same, but is
    /// not inlined without link-time optimization, and then hints take four times as long.
    #[inline(always)]
    pub fn of(word: impl Fn(usize) -> u64) -> Self {
        let mut set = Self::EMPTY;
        for (at, own) in set.0.iter_mut().enumerate() {
            *own = word(at);
        }
        set
    }

    #[inline(always)]
    pub fn single(number: usize) -> Self {
        let mut set = Self::EMPTY;
        set.insert(number);
        set
    }

    /// The numbers from 0 up to, but not including, `end`.
    pub fn below(end: usize) -> Self {
        Self::of(|word| match end.saturating_sub(64 * word) {
            0 => 0,
            count @ 1..=63 => (1 << count) - 1,
            _ => u64::MAX,
        })
    }

    #[inline(always)]
    pub fn has(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 == 1
    }

    #[inline(always)]
    pub fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    #[inline(always)]
    pub fn remove(&mut self, number: usize) {
        self.0[number / 64] &= !(1 << (number % 64));
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    #[inline(always)]
    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The number of members, or 3 if there are more. Many processors count to 3 faster than they
    /// count bits.
    #[inline(always)]
    pub fn up_to_three(&self) -> u32 {
        let mut count = 0;
        for word in self.0.into_iter().filter(|&word| N < 3 || word != 0) {
            let two = word & word.wrapping_sub(1);
            let three = two & two.wrapping_sub(1);
            count += u32::from(word != 0) + u32::from(two != 0) + u32::from(three != 0);
        }
        count.min(3)
    }

    /// The members in ascending order.
    #[inline(always)]
    pub fn members(mut self) -> impl Iterator<Item = usize> {
        let mut at = 0;
        iter::from_fn(move || {
            while at < N && self.0[at] == 0 {
                at += 1;
            }
            let word = self.0.get_mut(at)?;
            let bit = word.trailing_zeros() as usize;
            *word &= *word - 1;
            Some(64 * at + bit)
        })
    }

    /// The least member, or 0 if the set is empty.
    #[inline(always)]
    pub fn lowest(&self) -> usize {
        let word = self.0.iter().position(|&word| word != 0).unwrap_or(0);
        64 * word + self.0[word].trailing_zeros() as usize % 64
    }

    /// The set with `by` added to every member. The numbers past the last word are lost.
    #[inline(always)]
    pub fn up(&self, by: usize) -> Self {
        let (words, bits) = (by / 64, by % 64);
        let word = |at: usize| at.checked_sub(words).map_or(0, |from| self.0[from]);
        Self::of(|at| {
            let carried = if at > 0 && bits > 0 { word(at - 1) >> (64 - bits) } else { 0 };
            word(at) << bits | carried
        })
    }

    /// The set with `by` subtracted from every member. The members below `by` are lost.
    #[inline(always)]
    pub fn down(&self, by: usize) -> Self {
        let (words, bits) = (by / 64, by % 64);
        let word = |at: usize| self.0.get(at + words).map_or(0, |&word| word);
        Self::of(|at| {
            let carried = if bits > 0 { word(at + 1) << (64 - bits) } else { 0 };
            word(at) >> bits | carried
        })
    }

    /// The members of a set of numbers below `end` in reverse: 0 becomes `end` - 1.
    pub fn reversed(&self, end: usize) -> Self {
        let reversed = Self::of(|word| self.0[N - 1 - word].reverse_bits());
        reversed.down(64 * N - end)
    }

    /// The set with `by` added to every member, modulo `end`, which is larger than all of them.
    pub fn turned(&self, by: usize, end: usize) -> Self {
        self.up(by) & Self::below(end) | self.down(end - by)
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $operator:tt) => {
        impl<const N: usize> $trait for Bits<N> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self::of(|word| self.0[word] $operator other.0[word])
            }
        }
    };
}

operator!(BitAnd, bitand, &);
operator!(BitOr, bitor, |);

impl<const N: usize> Not for Bits<N> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self::of(|word| !self.0[word])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn shifts_move_every_member_across_words(numbers: Vec<u8>, by in 0..300_usize) {
            let mut set = Bits::<4>::EMPTY;
            numbers.iter().for_each(|&number| set.insert(number.into()));
            let members: Vec<usize> = set.members().collect();
            prop_assert_eq!(members.len(), set.len() as usize);
            let up: Vec<usize> = members.iter().map(|at| at + by).filter(|&at| at < 256).collect();
            prop_assert_eq!(set.up(by).members().collect::<Vec<_>>(), up);
            let down: Vec<usize> = members.iter().filter_map(|at| at.checked_sub(by)).collect();
            prop_assert_eq!(set.down(by).members().collect::<Vec<_>>(), down);
        }
    }

    proptest! {
        #[test]
        fn sets_are_reversed_and_turned_member_by_member(
            numbers: Vec<u8>, end in 1..200_usize, by in 0..200_usize,
        ) {
            let (mut set, by) = (Bits::<4>::EMPTY, by % end);
            numbers.iter().for_each(|&number| set.insert(usize::from(number) % end));
            let mapped = |map: &dyn Fn(usize) -> usize| -> BTreeSet<usize> {
                set.members().map(map).collect()
            };
            let reversed: BTreeSet<usize> = set.reversed(end).members().collect();
            prop_assert_eq!(reversed, mapped(&|at| end - 1 - at));
            let turned: BTreeSet<usize> = set.turned(by, end).members().collect();
            prop_assert_eq!(turned, mapped(&|at| (at + by) % end));
        }
    }

    #[test]
    fn all_numbers_below_an_end_are_members() {
        for end in [0, 1, 63, 64, 65, 127, 128] {
            let set = Bits::<2>::below(end);
            assert_eq!(set.members().collect::<Vec<_>>(), (0..end).collect::<Vec<_>>());
            assert_eq!(set.is_empty(), end == 0);
            assert_eq!(Bits::<1>::below(end.min(64)).up_to_three(), end.min(3) as u32);
        }
    }
}
