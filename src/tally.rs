//! What is answered: exact counts that cannot overflow silently.

use serde::{Deserialize, Serialize};
use std::fmt;

/// An exact number of tours. Sums and products are checked: a count that does not fit 128 bits is
/// an error, never a wrapped number.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Tally(pub u128);

/// A count passed 2^128.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the count passes 2^128 and would not be exact: count a smaller part (--from, --to)")]
pub struct Overflow;

impl Tally {
    /// No tours.
    pub const ZERO: Self = Self(0);

    /// The sum of two counts.
    ///
    /// # Errors
    /// [`Overflow`] when the sum does not fit 128 bits.
    pub fn plus(self, other: Self) -> Result<Self, Overflow> {
        self.0.checked_add(other.0).map(Self).ok_or(Overflow)
    }

    /// This count taken `times` times.
    ///
    /// # Errors
    /// [`Overflow`] when the product does not fit 128 bits.
    pub fn times(self, times: u128) -> Result<Self, Overflow> {
        self.0.checked_mul(times).map(Self).ok_or(Overflow)
    }

    /// The sum of many counts.
    ///
    /// # Errors
    /// [`Overflow`] when the sum does not fit 128 bits.
    pub fn sum(tallies: impl IntoIterator<Item = Self>) -> Result<Self, Overflow> {
        tallies.into_iter().try_fold(Self::ZERO, Self::plus)
    }

    /// The count in groups of three digits, as people read it: `6,637,920`.
    pub fn grouped(self) -> String {
        grouped(self.0)
    }
}

/// A whole number of any size in groups of three digits.
pub fn grouped(number: impl fmt::Display) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

impl fmt::Display for Tally {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_products_past_128_bits_are_errors() {
        let largest = Tally(u128::MAX);
        assert_eq!(largest.plus(Tally(1)), Err(Overflow));
        assert_eq!(largest.times(2), Err(Overflow));
        assert_eq!(Tally::sum([largest, Tally(0), Tally(1)]), Err(Overflow));
        assert_eq!(Tally::sum([Tally(3), Tally(4)]), Ok(Tally(7)));
    }

    #[test]
    fn digits_are_grouped_in_threes() {
        assert_eq!(Tally(0).grouped(), "0");
        assert_eq!(Tally(304).grouped(), "304");
        assert_eq!(Tally(1728).grouped(), "1,728");
        assert_eq!(Tally(6_637_920).grouped(), "6,637,920");
    }
}
