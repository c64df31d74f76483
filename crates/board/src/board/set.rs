//! Sets of squares as bitboards, behind one trait: `u64` for up to 64 squares, `u128` for up to
//! 128.
//!
//! The operators are set algebra: `&` is intersection, `|` union, `^` symmetric difference. `!` is
//! the complement in the whole word, so it has to be masked. Every method takes a few instructions.
//!
//! ```
//! use kt_enum_board::board::SquareSet;
//! let set = u64::from_indices([3, 5, 8]) & !u64::single(5);
//! assert_eq!(set.indices().collect::<Vec<_>>(), [3, 8]);
//! ```

use super::Square;
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitXor, Not};

/// A set of squares, one bit per square, in one or two machine words.
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
    /// The largest number of squares that a board may have; indices are below it.
    const CAPACITY: usize;
    /// The empty set.
    const EMPTY: Self;

    /// The set of one square, given by its index below [`SquareSet::CAPACITY`].
    fn single(index: usize) -> Self;
    /// The index of the lowest square, or [`SquareSet::CAPACITY`] if the set is empty.
    fn lowest(self) -> usize;
    /// The set without its lowest square. The empty set stays empty.
    fn without_lowest(self) -> Self;
    /// The number of squares in the set.
    fn len(self) -> u32;
    /// A 64-bit hash of the set, for transposition tables.
    fn mixed(self) -> u64;

    /// True if the set is empty.
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// True if the set has at most one square.
    #[inline(always)]
    fn at_most_one(self) -> bool {
        self.without_lowest().is_empty()
    }

    /// The set of the squares with these indices.
    fn from_indices(indices: impl IntoIterator<Item = usize>) -> Self {
        indices.into_iter().fold(Self::EMPTY, |set, index| set | Self::single(index))
    }

    /// The set of some squares.
    fn of(squares: impl IntoIterator<Item = Square>) -> Self {
        Self::from_indices(squares.into_iter().map(Square::index))
    }

    /// An iterator over the indices of the squares, ascending.
    fn indices(self) -> Indices<Self> {
        Indices(self)
    }
}

/// The iterator that [`SquareSet::indices`] returns.
#[derive(Debug, Clone, Copy)]
pub struct Indices<S>(S);

impl<S: SquareSet> Indices<S> {
    /// The set of the squares that the iterator has not yet returned.
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

/// A number from 0 to 7 for each square, as three bit planes.
#[derive(Debug, Clone, Copy)]
pub struct Planes<S> {
    /// The squares whose number is odd.
    pub ones: S,
    /// The squares whose number has the bit for 2.
    pub twos: S,
    /// The squares whose number has the bit for 4.
    pub fours: S,
}

impl<S: SquareSet> Planes<S> {
    /// The planes of the numbers of some squares; the others have 0.
    pub fn of(squares: S, number: impl Fn(usize) -> u32) -> Self {
        let plane =
            |bit| S::from_indices(squares.indices().filter(|&square| number(square) & bit != 0));
        Self { ones: plane(1), twos: plane(2), fours: plane(4) }
    }

    /// Subtracts 1 for every square of `of`. The second value is the set of squares that were at 0.
    #[inline(always)]
    pub fn less_one(self, of: S) -> (Self, S) {
        let borrow_twos = of & !self.ones;
        let borrow_fours = borrow_twos & !self.twos;
        let lost = borrow_fours & !self.fours;
        let less = Self {
            ones: self.ones ^ of,
            twos: self.twos ^ borrow_twos,
            fours: self.fours ^ borrow_fours,
        };
        (less, lost)
    }

    /// The sum of the numbers of some squares.
    pub fn sum(self, of: S) -> u32 {
        let Self { ones, twos, fours } = self;
        (ones & of).len() + 2 * (twos & of).len() + 4 * (fours & of).len()
    }

    /// Those of some squares that have 0.
    #[inline(always)]
    pub fn zeros(self, of: S) -> S {
        of & !(self.ones | self.twos | self.fours)
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

/// 2^64 divided by the golden ratio, an odd number. Multiplication by it (Fibonacci hashing) lets
/// each bit influence all higher ones.
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
