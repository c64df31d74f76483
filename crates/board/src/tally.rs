//! Exact counts of any size.
//!
//! Counts of large boards exceed 128 bits, so a tally is a whole number of arbitrary size.

use crate::quantity::grouped;
use num_bigint::BigUint;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::borrow::Borrow;
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul};
use std::str::FromStr;

/// An exact number of tours, of any size.
///
/// A tally converts from the unsigned integer types, and to them if it fits. `Display` writes its
/// decimal digits, and `FromStr` reads them.
///
/// ```
/// # use kt_enum_board as kt_enum;
/// use kt_enum::tally::Tally;
/// let cycles = Tally::from(u128::MAX) * 10;
/// assert_eq!(cycles.to_string(), "3402823669209384634633746074317682114550");
/// assert_eq!([cycles.clone(), cycles.clone()].iter().sum::<Tally>(), cycles.clone() * 2);
/// assert!(u128::try_from(&cycles).is_err());
/// assert_eq!(u64::try_from(&"9862".parse::<Tally>()?), Ok(9_862));
/// # Ok::<(), kt_enum::tally::ParseTallyError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tally(BigUint);

impl Tally {
    /// The count of no tours.
    pub const ZERO: Self = Self(BigUint::ZERO);

    /// The quotient, or `None` if the division leaves a remainder or divides by zero.
    pub fn div_exact(&self, by: u64) -> Option<Self> {
        let is_exact = by != 0 && &self.0 % by == BigUint::ZERO;
        is_exact.then(|| self / by)
    }

    /// The difference, or zero if the other count is larger.
    pub fn saturating_sub(&self, other: &Self) -> Self {
        if self > other { Self(&self.0 - &other.0) } else { Self::ZERO }
    }

    /// The remainder modulo a power of two.
    #[doc(hidden)]
    pub fn residue(&self, bits: u32) -> Self {
        Self(&self.0 % (BigUint::from(1_u32) << bits))
    }

    /// The count as bytes, the least significant byte first.
    pub fn to_bytes_le(&self) -> Vec<u8> {
        self.0.to_bytes_le()
    }

    /// The count that these bytes are, the least significant byte first.
    ///
    /// ```
    /// # use kt_enum_board as kt_enum;
    /// use kt_enum::tally::Tally;
    /// let count = Tally::from(6_637_920_u32);
    /// assert_eq!(Tally::from_bytes_le(&count.to_bytes_le()), count);
    /// ```
    pub fn from_bytes_le(bytes: &[u8]) -> Self {
        Self(BigUint::from_bytes_le(bytes))
    }

    /// The nearest floating-point number; infinity for a count of more than 308 digits.
    pub fn to_f64(&self) -> f64 {
        self.to_string().parse().unwrap_or(f64::INFINITY)
    }

    /// The count in groups of three digits, for people: `6,637,920`.
    pub fn grouped(&self) -> String {
        grouped(self)
    }
}

/// Serializes a number as text, because many readers of JSON round large numbers.
pub fn as_text<S: Serializer>(number: &impl fmt::Display, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(number)
}

/// Conversions from and to the unsigned integer types. A conversion to an integer fails if the
/// count is too large for it.
macro_rules! integers {
    ($($number:ty),*) => {
        $(impl From<$number> for Tally {
            fn from(count: $number) -> Self {
                Self(count.into())
            }
        }

        impl TryFrom<&Tally> for $number {
            type Error = OutOfRange;

            fn try_from(tally: &Tally) -> Result<Self, OutOfRange> {
                Self::try_from(&tally.0).map_err(|_| OutOfRange)
            }
        }

        impl TryFrom<Tally> for $number {
            type Error = OutOfRange;

            fn try_from(tally: Tally) -> Result<Self, OutOfRange> {
                Self::try_from(&tally)
            }
        })*
    };
}

integers!(u8, u16, u32, u64, u128, usize);

/// A count that is too large for an integer type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the count is too large for this integer type")]
pub struct OutOfRange;

/// A text that is not a whole number in decimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a count is a whole number in decimal digits, and not a million of them")]
pub struct ParseTallyError;

impl Tally {
    /// A tally of a number of the engines. The type of the other crate is not part of the public
    /// interface.
    #[doc(hidden)]
    pub fn from_big(count: BigUint) -> Self {
        Self(count)
    }

    /// The number, for the engines.
    #[doc(hidden)]
    pub fn as_big(&self) -> &BigUint {
        &self.0
    }
}

impl Add<u64> for &Tally {
    type Output = Tally;

    fn add(self, more: u64) -> Tally {
        Tally(&self.0 + more)
    }
}

impl<T: Borrow<Self>> AddAssign<T> for Tally {
    fn add_assign(&mut self, other: T) {
        self.0 += &other.borrow().0;
    }
}

impl<T: Borrow<Self>> Sum<T> for Tally {
    fn sum<I: Iterator<Item = T>>(tallies: I) -> Self {
        let mut sum = Self::ZERO;
        tallies.for_each(|tally| sum += tally);
        sum
    }
}

impl Mul<u128> for Tally {
    type Output = Self;

    fn mul(self, times: u128) -> Self {
        Self(self.0 * times)
    }
}

impl Div<u64> for &Tally {
    type Output = Tally;

    /// The quotient without the remainder.
    ///
    /// # Panics
    /// If the divisor is zero, as for integers.
    fn div(self, by: u64) -> Tally {
        Tally(&self.0 / by)
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl FromStr for Tally {
    type Err = ParseTallyError;

    fn from_str(digits: &str) -> Result<Self, ParseTallyError> {
        /// More digits than the counts of the largest boards have. To read a number takes time in
        /// proportion to the square of its digits.
        const MOST: usize = 200_000;
        if digits.len() > MOST {
            return Err(ParseTallyError);
        }
        digits.parse().map(Self).map_err(|_| ParseTallyError)
    }
}

/// Text formats get a decimal string, because many readers of JSON round large numbers.
impl Serialize for Tally {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if to.is_human_readable() { to.collect_str(self) } else { self.0.serialize(to) }
    }
}

impl<'de> Deserialize<'de> for Tally {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        if from.is_human_readable() {
            String::deserialize(from)?.parse().map_err(de::Error::custom)
        } else {
            BigUint::deserialize(from).map(Self)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_products_past_128_bits_are_exact() {
        let largest = Tally::from(u128::MAX);
        let mut sum = largest.clone();
        sum += Tally::from(1_u32);
        assert_eq!(sum.to_string(), "340282366920938463463374607431768211456");
        assert_eq!(sum.div_exact(1 << 32), Some(Tally::from(1_u128 << 96)));
        assert_eq!(largest.div_exact(2), None);
        assert_eq!(largest.div_exact(0), None);
        assert_eq!(sum.saturating_sub(&largest), Tally::from(1_u32));
        assert_eq!(largest.saturating_sub(&sum), Tally::ZERO);
        assert_eq!((sum * (1 << 40)).to_f64(), 2_f64.powi(168));
    }

    #[test]
    fn a_count_converts_to_the_integers_that_hold_it() {
        let largest = Tally::from(u64::MAX);
        assert_eq!(u64::try_from(&largest), Ok(u64::MAX));
        assert_eq!(u64::try_from(&largest + 1), Err(OutOfRange));
        assert_eq!(u128::try_from(&largest + 1), Ok(1 << 64));
        assert_eq!(u32::try_from(largest), Err(OutOfRange));
        assert_eq!(u8::try_from(Tally::ZERO), Ok(0));
        assert_eq!(usize::try_from(Tally::from(9_862_u32)), Ok(9_862));
        for wrong in ["", "-1", "1.5", "ten", "0x10", &"9".repeat(1_000_000)] {
            assert_eq!(wrong.parse::<Tally>(), Err(ParseTallyError), "{wrong}");
        }
    }

    #[test]
    fn digits_are_grouped_in_threes() {
        let grouped = |count: u32| Tally::from(count).grouped();
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(304), "304");
        assert_eq!(grouped(1728), "1,728");
        assert_eq!(grouped(6_637_920), "6,637,920");
    }
}
