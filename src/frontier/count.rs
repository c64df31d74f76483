//! Exact numbers of ways, in as many bits as they need.

use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::fmt::Debug;

/// A number of ways, which says so when a sum does not fit.
pub(crate) trait Count: Clone + Debug + Send + Sync + 'static {
    /// One way.
    fn one() -> Self;

    /// Adds to this number; false when the sum does not fit.
    #[must_use]
    fn add(&mut self, other: &Self) -> bool;

    /// As many ways, with ends of tours in these orbits. Most numbers do not tell.
    #[inline(always)]
    fn with_ends(&self, _orbits: &[u8]) -> Self {
        self.clone()
    }

    fn to_big(&self) -> BigUint;

    fn add_to(&self, total: &mut Total);

    /// Adds it to some bytes, the lowest seven bits first, each byte but the last with its high bit set.
    fn pack(&self, bytes: &mut Vec<u8>);

    /// The number that some bytes begin with, and the rest of them; `None` when there is none that fits.
    fn unpack(bytes: &[u8]) -> Option<(Self, &[u8])>;
}

/// A number of fixed width.
pub(crate) trait FixedCount: Count + Copy + Eq + Into<u128> {
    const ZERO: Self;
}

const MORE: u8 = 1 << 7;

macro_rules! fixed_count {
    ($word:ty) => {
        impl FixedCount for $word {
            const ZERO: Self = 0;
        }

        impl Count for $word {
            fn one() -> Self {
                1
            }

            #[inline(always)]
            fn add(&mut self, other: &Self) -> bool {
                let (sum, wraps) = self.overflowing_add(*other);
                *self = sum;
                !wraps
            }

            fn to_big(&self) -> BigUint {
                BigUint::from(*self)
            }

            fn add_to(&self, total: &mut Total) {
                total.add((*self).into());
            }

            #[inline]
            fn pack(&self, bytes: &mut Vec<u8>) {
                let mut rest = *self;
                while rest >= MORE.into() {
                    bytes.push(rest as u8 | MORE);
                    rest >>= 7;
                }
                bytes.push(rest as u8);
            }

            #[inline]
            fn unpack(bytes: &[u8]) -> Option<(Self, &[u8])> {
                let mut number: $word = 0;
                for (index, &byte) in bytes.iter().enumerate() {
                    let (digit, shift) = (<$word>::from(byte & !MORE), 7 * index as u32);
                    let shifted = digit.checked_shl(shift)?;
                    number |= (shifted >> shift == digit).then_some(shifted)?;
                    if byte < MORE {
                        return Some((number, &bytes[index + 1..]));
                    }
                }
                None
            }
        }
    };
}

fixed_count!(u64);
fixed_count!(u128);

impl Count for BigUint {
    fn one() -> Self {
        Self::from(1_u32)
    }

    fn add(&mut self, other: &Self) -> bool {
        *self += other;
        true
    }

    fn to_big(&self) -> BigUint {
        self.clone()
    }

    fn add_to(&self, total: &mut Total) {
        total.high += self;
    }

    fn pack(&self, bytes: &mut Vec<u8>) {
        let first = bytes.len();
        bytes.extend(self.to_radix_le(MORE.into()));
        let last = bytes.len() - 1;
        bytes[first..last].iter_mut().for_each(|byte| *byte |= MORE);
    }

    fn unpack(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let last = bytes.iter().position(|&byte| byte < MORE)?;
        let digits: Vec<u8> = bytes[..=last].iter().map(|byte| byte & !MORE).collect();
        Some((
            Self::from_radix_le(&digits, MORE.into())?,
            &bytes[last + 1..],
        ))
    }
}

/// A sum of numbers, in 128 bits while it fits.
#[derive(Debug, Clone, Default)]
pub(crate) struct Total {
    low: u128,
    high: BigUint,
}

impl Total {
    pub fn add(&mut self, number: u128) {
        match self.low.checked_add(number) {
            Some(sum) => self.low = sum,
            None => self.high += number,
        }
    }

    pub fn add_product(&mut self, one: u128, other: u128) {
        match one.checked_mul(other) {
            Some(product) => self.add(product),
            None => self.high += BigUint::from(one) * BigUint::from(other),
        }
    }

    pub fn value(&self) -> BigUint {
        &self.high + BigUint::from(self.low)
    }
}

/// Tours by the number of squares that they visit.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tours(pub BTreeMap<usize, BigUint>);

impl Tours {
    pub fn add(&mut self, squares: usize, count: &impl Count) {
        *self.0.entry(squares).or_default() += count.to_big();
    }

    pub fn merge(&mut self, other: Self) {
        for (squares, count) in other.0 {
            *self.0.entry(squares).or_default() += count;
        }
    }
}
