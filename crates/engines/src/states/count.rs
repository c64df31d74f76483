//! Exact counts of states, in as few bits as they need.
//!
//! Most counts fit 32 bits, but a fixed width would overflow on large boards, and arbitrary
//! precision everywhere would be slow. So a slice is first processed with 32-bit counts. If a sum
//! or the rank of a matching does not fit, the slice is processed again with 64 bits, then 128,
//! then integers of any size. No count ever wraps around, and no bound has to be known in advance.

use super::matching::Rank;
use num_bigint::BigUint;
use std::ops::AddAssign;

/// The count of a state, in an integer type of some width.
pub(crate) trait Count:
    Clone + Default + From<u8> + Into<BigUint> + std::fmt::Debug + Send + Sync + 'static
{
    /// The type for the rank of the state's matching. States with small counts have few endpoints,
    /// so one choice of width serves both.
    type Rank: Rank;

    /// The type that holds the sum of the counts of a whole block, and is multiplied in a join.
    type Factor: Factor + From<Self>;

    /// Adds another count. Returns true if the sum does not fit; what is left then has no meaning.
    fn add(&mut self, other: &Self) -> bool;

    /// Returns the number if it is less than 128, and otherwise 255.
    fn byte(&self) -> u8;

    /// Appends the number as unsigned LEB128: seven bits per byte, the lowest first. All bytes but
    /// the last have the highest bit set.
    fn write(&self, bytes: &mut Vec<u8>);

    /// Reads unsigned LEB128 and moves the position past it; `None` if the count does not fit or
    /// the bytes end within it.
    fn read(bytes: &[u8], at: &mut usize) -> Option<Self>;
}

/// The number of numbers that are packed or unpacked at once if each takes one byte, as most do.
pub(crate) const NUMBERS_AT_ONCE: usize = 8;

/// Appends up to [`NUMBERS_AT_ONCE`] numbers as unsigned LEB128.
#[inline]
pub(crate) fn write_all(numbers: &[impl Count], bytes: &mut Vec<u8>) {
    let mut short = [0; NUMBERS_AT_ONCE];
    short.iter_mut().zip(numbers).for_each(|(byte, number)| *byte = number.byte());
    match u64::from_le_bytes(short) & HIGHEST {
        0 => bytes.extend_from_slice(&short[..numbers.len()]),
        _ => numbers.iter().for_each(|number| number.write(bytes)),
    }
}

/// Reads as many unsigned LEB128 numbers as `to` has places and moves the position past them;
/// `None` if the bytes end or `read`, which reads a longer number, fails.
#[inline]
pub(crate) fn read_all<T>(
    bytes: &[u8],
    at: &mut usize,
    to: &mut [T],
    of_byte: impl Fn(u8) -> T,
    read: impl Fn(&[u8], &mut usize) -> Option<T>,
) -> Option<()> {
    for to in to.chunks_mut(NUMBERS_AT_ONCE) {
        match bytes[*at..].first_chunk() {
            Some(short) if to.len() == short.len() && u64::from_le_bytes(*short) & HIGHEST == 0 => {
                to.iter_mut().zip(short).for_each(|(to, &byte)| *to = of_byte(byte));
                *at += short.len();
            }
            _ => {
                for to in to {
                    *to = read(bytes, at)?;
                }
            }
        }
    }
    Some(())
}

/// Returns the length of `numbers` unsigned LEB128 numbers in bytes; `None` if the bytes end
/// before.
pub(crate) fn length_of(bytes: &[u8], numbers: usize) -> Option<usize> {
    let (mut at, mut left) = (0, numbers);
    // All bytes of a number but its last have the highest bit set. Eight bytes end eight numbers at
    // most.
    while left >= 8
        && let Some(eight) = bytes.get(at..).and_then(<[u8]>::first_chunk)
    {
        let last = !u64::from_le_bytes(*eight) & HIGHEST;
        left -= ((last >> 7).wrapping_mul(HIGHEST >> 7) >> 56) as usize;
        at += 8;
    }
    while left > 0 {
        left -= usize::from(*bytes.get(at)? < 1 << 7);
        at += 1;
    }
    Some(at)
}

/// The highest bit of every byte.
const HIGHEST: u64 = 0x8080_8080_8080_8080;

macro_rules! count_of_width {
    ($count:ty, $rank:ty, $factor:ty) => {
        impl Count for $count {
            type Rank = $rank;
            type Factor = $factor;

            #[inline]
            fn add(&mut self, other: &Self) -> bool {
                let (sum, is_too_large) = self.overflowing_add(*other);
                *self = sum;
                is_too_large
            }

            #[inline]
            fn byte(&self) -> u8 {
                if *self < 1 << 7 { *self as u8 } else { u8::MAX }
            }

            #[inline]
            fn write(&self, bytes: &mut Vec<u8>) {
                let mut number = *self;
                while number >= 1 << 7 {
                    bytes.push(number as u8 | 1 << 7);
                    number >>= 7;
                }
                bytes.push(number as u8);
            }

            #[inline]
            fn read(bytes: &[u8], at: &mut usize) -> Option<Self> {
                let (mut number, mut shift) = (0, 0);
                loop {
                    let byte = *bytes.get(*at)?;
                    *at += 1;
                    let part = Self::from(byte & 127);
                    if shift >= Self::BITS || part << shift >> shift != part {
                        return None;
                    }
                    number |= part << shift;
                    if byte < 1 << 7 {
                        return Some(number);
                    }
                    shift += 7;
                }
            }
        }
    };
}

// A factor holds the sum of 2^32 counts, and a block never has 2^32 states: they would not fit into
// memory.
count_of_width!(u32, u32, u64);
count_of_width!(u64, u64, u128);
count_of_width!(u128, u64, BigUint);

impl Count for BigUint {
    type Rank = u64;
    type Factor = BigUint;

    fn add(&mut self, other: &Self) -> bool {
        *self += other;
        false
    }

    fn byte(&self) -> u8 {
        u8::try_from(self).ok().filter(|&byte| byte < 1 << 7).unwrap_or(u8::MAX)
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        let mut digits = self.to_radix_le(1 << 7);
        let last = digits.pop();
        bytes.extend(digits.into_iter().map(|digit| digit | 1 << 7).chain(last));
    }

    fn read(bytes: &[u8], at: &mut usize) -> Option<Self> {
        let start = *at;
        *at += length_of(bytes.get(start..)?, 1)?;
        let digits: Vec<u8> = bytes[start..*at].iter().map(|byte| byte & 127).collect();
        Self::from_radix_le(&digits, 1 << 7)
    }
}

/// A count in a join.
pub(crate) trait Factor:
    Clone + Default + PartialEq + Send + std::fmt::Debug + for<'a> AddAssign<&'a Self>
{
    /// Adds the product with another factor to a sum.
    fn multiply_into(&self, other: &Self, sum: &mut Product);
}

/// A sum of products, of any size. It adds up in 128 bits and moves the total to `large` when these
/// overflow.
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

    /// Returns the value of the sum.
    pub fn total(self) -> BigUint {
        self.large + self.small
    }
}

impl Factor for u64 {
    #[inline]
    fn multiply_into(&self, other: &Self, sum: &mut Product) {
        sum.add(u128::from(*self) * u128::from(*other));
    }
}

impl Factor for u128 {
    #[inline]
    fn multiply_into(&self, other: &Self, sum: &mut Product) {
        match self.checked_mul(*other) {
            Some(product) => sum.add(product),
            None => sum.large += BigUint::from(*self) * *other,
        }
    }
}

impl Factor for BigUint {
    fn multiply_into(&self, other: &Self, sum: &mut Product) {
        sum.large += self * other;
    }
}
