//! What is answered: counts that are exact at any size.

use num_bigint::BigUint;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::iter::Sum;
use std::ops::{AddAssign, Div, Mul};
use std::str::FromStr;

/// An exact number of tours, of any size.
///
/// ```
/// use kt_enum::tally::Tally;
/// let cycles = Tally::from(u128::MAX) * 10;
/// assert_eq!(cycles.to_string(), "3402823669209384634633746074317682114550");
/// assert_eq!([cycles.clone(), cycles.clone()].iter().sum::<Tally>(), cycles * 2);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tally(BigUint);

impl Tally {
    /// No tours.
    pub const ZERO: Self = Self(BigUint::ZERO);

    /// The quotient, where the division leaves no remainder.
    pub fn div_exact(&self, by: u64) -> Option<Self> {
        let is_exact = &self.0 % by == BigUint::ZERO;
        is_exact.then(|| self / by)
    }

    /// The difference, or none where the other count is larger.
    pub fn saturating_sub(&self, other: &Self) -> Self {
        match self > other {
            true => Self(&self.0 - &other.0),
            false => Self::ZERO,
        }
    }

    /// The nearest floating-point number, infinite for a count of more than 308 digits.
    pub fn to_f64(&self) -> f64 {
        self.to_string().parse().unwrap_or(f64::INFINITY)
    }

    /// The count in groups of three digits, as people read it: `6,637,920`.
    pub fn grouped(&self) -> String {
        grouped(self)
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

/// Counts are made of whole numbers of every width.
macro_rules! from {
    ($($number:ty),*) => {
        $(impl From<$number> for Tally {
            fn from(count: $number) -> Self {
                Self(count.into())
            }
        })*
    };
}

from!(u32, u64, u128, BigUint);

impl From<Tally> for BigUint {
    fn from(tally: Tally) -> Self {
        tally.0
    }
}

impl AddAssign<&Self> for Tally {
    fn add_assign(&mut self, other: &Self) {
        self.0 += &other.0;
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Self>>(tallies: I) -> Self {
        Self(tallies.map(|tally| tally.0).sum())
    }
}

impl<'a> Sum<&'a Self> for Tally {
    fn sum<I: Iterator<Item = &'a Self>>(tallies: I) -> Self {
        Self(tallies.map(|tally| &tally.0).sum())
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

    /// The whole part of the quotient.
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
    type Err = num_bigint::ParseBigIntError;

    fn from_str(digits: &str) -> Result<Self, Self::Err> {
        digits.parse().map(Self)
    }
}

/// In text a decimal string, for counts pass what readers of JSON take for a number.
impl Serialize for Tally {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match to.is_human_readable() {
            true => to.collect_str(self),
            false => self.0.serialize(to),
        }
    }
}

impl<'de> Deserialize<'de> for Tally {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match from.is_human_readable() {
            true => {
                let digits = String::deserialize(from)?;
                digits.parse().map_err(de::Error::custom)
            }
            false => BigUint::deserialize(from).map(Self),
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
        assert_eq!(sum.saturating_sub(&largest), Tally::from(1_u32));
        assert_eq!(largest.saturating_sub(&sum), Tally::ZERO);
        assert_eq!((sum * (1 << 40)).to_f64(), 2_f64.powi(168));
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
