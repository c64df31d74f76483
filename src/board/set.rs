//! Sets of squares as bitboards: `u64` up to 64 squares, `u128` up to 128, behind one trait.
//!
//! The operators are set algebra: `&` intersection, `|` union, `^` symmetric difference, `!`
//! complement (over the whole word, so mask it). Every method is a few instructions.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitXor, Not};

/// A set of squares in one machine word or two.
pub trait SquareSet:
    Copy
    + Debug
    + Default
    + Eq
    + Hash
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
{
    /// The number of squares the set has room for.
    const CAPACITY: usize;
    /// The set with no square.
    const EMPTY: Self;

    /// The set of one square, by its index below [`SquareSet::CAPACITY`].
    fn single(index: usize) -> Self;
    /// Whether no square is in the set.
    fn is_empty(self) -> bool;
    /// Whether at most one square is in the set.
    fn at_most_one(self) -> bool;
    /// The index of the lowest square; [`SquareSet::CAPACITY`] when the set is empty.
    fn lowest(self) -> usize;
    /// The set without its lowest square.
    fn without_lowest(self) -> Self;
    /// The number of squares in the set.
    fn len(self) -> u32;
    /// A well-mixed 64-bit digest of the set, for tables of positions.
    fn mixed(self) -> u64;

    /// The set of the squares with these indices.
    fn from_indices(indices: impl IntoIterator<Item = usize>) -> Self {
        indices.into_iter().fold(Self::EMPTY, |set, index| set | Self::single(index))
    }

    /// The indices of the squares, ascending.
    fn indices(self) -> Indices<Self> {
        Indices(self)
    }
}

/// The indices of a set's squares, ascending.
#[derive(Debug, Clone, Copy)]
pub struct Indices<S>(S);

impl<S: SquareSet> Indices<S> {
    /// The squares still to come.
    #[inline(always)]
    pub fn rest(&self) -> S {
        self.0
    }
}

impl<S: SquareSet> Iterator for Indices<S> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0.is_empty() {
            return None;
        }
        let lowest = self.0.lowest();
        self.0 = self.0.without_lowest();
        Some(lowest)
    }
}

macro_rules! square_set {
    ($word:ty, |$set:ident| $mixed:expr) => {
        impl SquareSet for $word {
            const CAPACITY: usize = <$word>::BITS as usize;
            const EMPTY: Self = 0;

            #[inline(always)]
            fn single(index: usize) -> Self {
                1 << index
            }
            #[inline(always)]
            fn is_empty(self) -> bool {
                self == 0
            }
            #[inline(always)]
            fn at_most_one(self) -> bool {
                self & self.wrapping_sub(1) == 0
            }
            #[inline(always)]
            fn lowest(self) -> usize {
                self.trailing_zeros() as usize
            }
            #[inline(always)]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }
            #[inline(always)]
            fn len(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn mixed(self) -> u64 {
                let $set = self;
                $mixed
            }
        }
    };
}

/// 2^64 divided by the golden ratio, odd: multiplying by it moves every bit's effect upwards.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

square_set!(u64, |set| {
    let mixed = set.wrapping_mul(GOLDEN);
    mixed ^ (mixed >> 29)
});
square_set!(u128, |set| {
    let folded = (set as u64) ^ ((set >> 64) as u64).wrapping_mul(GOLDEN).rotate_left(31);
    folded.mixed()
});

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn behaves_as_a_set_of_indices<S: SquareSet>(one: &BTreeSet<usize>, other: &BTreeSet<usize>) {
        let set = |indices: &BTreeSet<usize>| S::from_indices(indices.iter().copied());
        let (a, b) = (set(one), set(other));
        assert!(a.indices().eq(one.iter().copied()));
        assert_eq!(a.len() as usize, one.len());
        assert_eq!(a.is_empty(), one.is_empty());
        assert_eq!(a.at_most_one(), one.len() <= 1);
        assert_eq!(a.lowest(), one.first().copied().unwrap_or(S::CAPACITY));
        assert!(a.without_lowest().indices().eq(one.iter().copied().skip(1)));
        assert!((a & b).indices().eq(one.intersection(other).copied()));
        assert!((a | b).indices().eq(one.union(other).copied()));
        assert!((a ^ b).indices().eq(one.symmetric_difference(other).copied()));
        assert!((a & !b).indices().eq(one.difference(other).copied()));
    }

    proptest! {
        #[test]
        fn both_widths_behave_as_sets_of_indices(
            one in proptest::collection::btree_set(0..64usize, 0..20),
            other in proptest::collection::btree_set(0..64usize, 0..20),
            wide in proptest::collection::btree_set(0..128usize, 0..40),
        ) {
            behaves_as_a_set_of_indices::<u64>(&one, &other);
            behaves_as_a_set_of_indices::<u128>(&one, &other);
            behaves_as_a_set_of_indices::<u128>(&wide, &other);
        }
    }
}
