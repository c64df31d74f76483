//! Numbers of ways with their ends: beside all ways, how many ends of tours these have in each orbit of squares.
//!
//! An end that is set in an orbit adds the ways there to that orbit's number, and numbers of alike states
//! add up, as ways do. So one count gives the tours by start square: a tour starts at one of its ends,
//! one for each direction. Numbers are the same for all squares of an orbit, so mirror images may be merged and
//! halves turned. A number of ends is at most twice the ways. While a table is filled each state takes room
//! for all orbits; packed, numbers that are 0 take nothing, which are all of a state without ends.

use super::count::{Count, FixedCount, Total};
use super::join::Joined;
use num_bigint::BigUint;

/// The most orbits of squares where tours may end: 10 on 8x8, 12 on 6x7, 16 on 7x8.
pub(crate) const MOST_ORBITS: usize = 16;

/// For boards with so few, 5x5, 6x6 and 7x7 among them, states half as large do; 7x7 takes them half the time.
pub(crate) const FEW_ORBITS: usize = 6;

/// `N` numbers: of ways, and of the ends that tours have in them by orbit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ByEnd<C, const N: usize>([C; N]);

impl<C: FixedCount, const N: usize> Count for ByEnd<C, N> {
    fn one() -> Self {
        let mut numbers = [C::ZERO; N];
        numbers[0] = C::one();
        Self(numbers)
    }

    #[inline(always)]
    fn add(&mut self, other: &Self) -> bool {
        let both = self.0.iter_mut().zip(&other.0);
        both.fold(true, |fits, (one, other)| one.add(other) && fits)
    }

    #[inline(always)]
    fn with_ends(&self, orbits: &[u8]) -> Self {
        let mut with_ends = *self;
        for &orbit in orbits {
            let fits = with_ends.0[1 + usize::from(orbit)].add(&self.0[0]);
            // Twice the ways are known to fit.
            debug_assert!(fits);
        }
        with_ends
    }

    fn to_big(&self) -> BigUint {
        self.0[0].to_big()
    }

    fn add_to(&self, total: &mut Total) {
        self.0[0].add_to(total);
    }

    /// First which numbers are not 0, a bit for each, then those.
    fn pack(&self, bytes: &mut Vec<u8>) {
        let present = (0..N).filter(|&number| self.0[number] != C::ZERO);
        let which: u64 = present.clone().map(|number| 1 << number).sum();
        which.pack(bytes);
        present.for_each(|number| self.0[number].pack(bytes));
    }

    fn unpack(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (mut which, mut rest) = u64::unpack(bytes).filter(|(which, _)| which >> N == 0)?;
        let mut numbers = [C::ZERO; N];
        while which != 0 {
            let number = which.trailing_zeros() as usize;
            (numbers[number], rest) = C::unpack(rest)?;
            which &= which - 1;
        }
        Some((Self(numbers), rest))
    }
}

impl<C: FixedCount, const N: usize> Joined<N> for ByEnd<C, N> {
    #[inline(always)]
    fn numbers(&self) -> [u128; N] {
        self.0.map(Into::into)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_come_back_from_their_bytes_in_any_width_that_holds_them(
            numbers in proptest::array::uniform17((any::<u128>(), 0..=128_u32)),
        ) {
            let wide = ByEnd(numbers.map(|(number, shift)| number.checked_shr(shift).unwrap_or(0)));
            let mut bytes = Vec::new();
            wide.pack(&mut bytes);
            prop_assert_eq!(ByEnd::<u128, 17>::unpack(&bytes), Some((wide, &[][..])));
            let fits = wide.0.iter().all(|&number| u64::try_from(number).is_ok());
            let narrow = ByEnd::<u64, 17>::unpack(&bytes);
            prop_assert_eq!(narrow.map(|(narrow, _)| narrow.numbers()), fits.then_some(wide.0));
        }
    }

    #[test]
    fn an_end_counts_as_often_as_there_are_ways() {
        let mut ways = ByEnd::<u64, 7>::one();
        assert!(ways.add(&ByEnd::one()));
        let with_ends = ways.with_ends(&[3, 3, 0]);
        assert!(ways.add(&with_ends));
        let mut expected = [0; 7];
        (expected[0], expected[1], expected[4]) = (4, 2, 4);
        assert_eq!(ways.numbers(), expected);
    }
}
