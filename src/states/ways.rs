//! Exact numbers of ways, in as few bits as they need.
//!
//! A slice is tried with 32 bits a number, which do for nearly all of them; if a sum does not fit, or the rank of a matching, the slice is taken
//! again with 64, then 128, then as many as it takes. So no number is ever wrapped, and no bound has to be guessed.

use super::matching::Rank;
use num_bigint::BigUint;

/// A number of ways that is kept beside a state.
pub(crate) trait Ways:
    Clone + Default + Into<BigUint> + std::fmt::Debug + Send + Sync + 'static
{
    /// The rank of the matching of its state: what holds few ways is for few ends, too.
    type Rank: Rank;

    /// Where many of them are added up.
    type Sum: Clone + Default + Send + std::fmt::Debug;

    /// What holds the ways of a whole block, and is multiplied in a join.
    type Factor: Factor + From<Self>;

    /// Adds to a sum. What does not fit must not get lost until [`Ways::narrow`] sees it.
    fn add(&self, sum: &mut Self::Sum);

    /// The sum as a number of ways, if it fits.
    fn narrow(sum: &Self::Sum) -> Option<Self>;

    /// Writes seven bits at a time, the lowest first.
    fn write(&self, bytes: &mut Vec<u8>);

    /// Reads what [`Ways::write`] wrote; `None` if it does not fit, or is cut short.
    fn read(bytes: &[u8], at: &mut usize) -> Option<Self>;
}

/// Writes a number seven bits at a time, the lowest first; all bytes but the last have the highest bit set.
pub(crate) fn write_number(mut number: u128, bytes: &mut Vec<u8>) {
    while number >= 1 << 7 {
        bytes.push(number as u8 | 1 << 7);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads what [`write_number`] wrote, if it has at most so many bits.
#[inline]
pub(crate) fn read_number<const BITS: u32>(bytes: &[u8], at: &mut usize) -> Option<u128> {
    let first = *bytes.get(*at)?;
    *at += 1;
    if first < 1 << 7 {
        return Some(first.into());
    }
    let (mut number, mut shift) = (u128::from(first & 127), 7);
    loop {
        let byte = *bytes.get(*at)?;
        *at += 1;
        let part = u128::from(byte & 127);
        if shift >= 128 || part << shift >> shift != part {
            return None;
        }
        number |= part << shift;
        if byte < 1 << 7 {
            return (BITS >= 128 || number >> BITS == 0).then_some(number);
        }
        shift += 7;
    }
}

#[inline]
fn read_short(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let first = *bytes.get(*at)?;
    *at += 1;
    let (mut number, mut shift, mut byte) = (u64::from(first & 127), 7, first);
    while byte >= 1 << 7 {
        byte = *bytes.get(*at)?;
        *at += 1;
        if shift > 56 {
            return None;
        }
        number |= u64::from(byte & 127) << shift;
        shift += 7;
    }
    Some(number)
}

macro_rules! ways_of_width {
    ($ways:ty, $rank:ty, $sum:ty, $read:expr) => {
        impl Ways for $ways {
            type Rank = $rank;
            type Sum = $sum;
            type Factor = $sum;

            #[inline]
            fn add(&self, sum: &mut $sum) {
                *sum += <$sum>::from(*self);
            }

            #[inline]
            fn narrow(sum: &$sum) -> Option<Self> {
                <$ways>::try_from(*sum).ok()
            }

            fn write(&self, bytes: &mut Vec<u8>) {
                write_number((*self).into(), bytes);
            }

            #[inline]
            fn read(bytes: &[u8], at: &mut usize) -> Option<Self> {
                $read(bytes, at).and_then(|number| <$ways>::try_from(number).ok())
            }
        }
    };
}

// Fewer than 2^32 numbers are ever added up in a sum, and than 2^32 states are in a block of a slice: they would not fit the
// memory.
ways_of_width!(u32, u32, u64, read_short);
ways_of_width!(u64, u64, u128, read_number::<64>);

impl Ways for u128 {
    type Rank = u64;
    type Sum = u128;
    type Factor = BigUint;

    fn add(&self, sum: &mut u128) {
        // The largest number stands for all that do not fit.
        *sum = sum.saturating_add(*self);
    }

    fn narrow(sum: &u128) -> Option<Self> {
        (*sum < u128::MAX).then_some(*sum)
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        write_number(*self, bytes);
    }

    fn read(bytes: &[u8], at: &mut usize) -> Option<Self> {
        read_number::<128>(bytes, at)
    }
}

impl Ways for BigUint {
    type Rank = u64;
    type Sum = BigUint;
    type Factor = BigUint;

    fn add(&self, sum: &mut BigUint) {
        *sum += self;
    }

    fn narrow(sum: &BigUint) -> Option<Self> {
        Some(sum.clone())
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        let digits = self.to_radix_le(1 << 7);
        let last = digits.len() - 1;
        bytes.extend(
            digits.iter().enumerate().map(|(place, digit)| digit | u8::from(place < last) << 7),
        );
    }

    fn read(bytes: &[u8], at: &mut usize) -> Option<Self> {
        let mut digits = Vec::new();
        loop {
            let byte = *bytes.get(*at)?;
            *at += 1;
            digits.push(byte & 127);
            if byte < 1 << 7 {
                return Self::from_radix_le(&digits, 1 << 7);
            }
        }
    }
}

/// A number of ways in a join.
pub(crate) trait Factor: Clone + Default + Send + std::fmt::Debug {
    /// Adds another where the mask has all bits set, nothing where it has none.
    fn add_masked(&mut self, other: &Self, mask: u64);
    /// Whether it is 0.
    fn is_zero(&self) -> bool;
    /// Adds the product with another to a sum.
    fn multiply_into(&self, other: &Self, sum: &mut Product);
}

/// A sum of products, of any size.
#[derive(Debug, Clone, Default)]
pub(crate) struct Product {
    small: u128,
    large: BigUint,
}

impl Product {
    #[inline]
    fn add(&mut self, product: u128) {
        match self.small.checked_add(product) {
            Some(sum) => self.small = sum,
            None => self.large += std::mem::replace(&mut self.small, product),
        }
    }

    /// Adds another sum.
    pub fn take(&mut self, other: Self) {
        self.add(other.small);
        self.large += other.large;
    }

    /// All of it.
    pub fn total(self) -> BigUint {
        self.large + self.small
    }
}

impl Factor for u64 {
    #[inline]
    fn add_masked(&mut self, other: &Self, mask: u64) {
        *self += other & mask;
    }

    #[inline]
    fn is_zero(&self) -> bool {
        *self == 0
    }

    #[inline]
    fn multiply_into(&self, other: &Self, sum: &mut Product) {
        sum.add(u128::from(*self) * u128::from(*other));
    }
}

impl Factor for u128 {
    #[inline]
    fn add_masked(&mut self, other: &Self, mask: u64) {
        *self += other & (u128::from(mask) << 64 | u128::from(mask));
    }

    #[inline]
    fn is_zero(&self) -> bool {
        *self == 0
    }

    #[inline]
    fn multiply_into(&self, other: &Self, sum: &mut Product) {
        match self.checked_mul(*other) {
            Some(product) => sum.add(product),
            None => sum.large += BigUint::from(*self) * *other,
        }
    }
}

impl Factor for BigUint {
    fn add_masked(&mut self, other: &Self, mask: u64) {
        if mask != 0 {
            *self += other;
        }
    }

    fn is_zero(&self) -> bool {
        self.bits() == 0
    }

    fn multiply_into(&self, other: &Self, sum: &mut Product) {
        sum.large += self * other;
    }
}
