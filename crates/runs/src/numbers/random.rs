//! Random integers from a seed: exactly uniform, and the same on every machine and in every
//! version.
//!
//! An integer below `N` is drawn by rejection sampling. Trial `t` of seed `s`, both counted from 0
//! over all integers drawn from the seed, hashes the text `kt-enum random s t 0` with SHA-256,
//! followed by `kt-enum random s t 1` and so on if more than 256 bits are needed. The leading bits,
//! as many as `N - 1` has, are a candidate. If it is not below `N`, the next trial follows. So no
//! integer is preferred, and a shell script can repeat every draw.

use crate::tally::Tally;
use num_bigint::BigUint;
use sha2::{Digest, Sha256};

/// The random integers of a seed.
#[derive(Debug, Clone)]
pub struct Random {
    seed: u64,
    trial: u64,
}

/// The number of bits of a hash.
const BITS: u64 = 256;

impl Random {
    /// Returns the integers of a seed, from the first one.
    pub fn new(seed: u64) -> Self {
        Self { seed, trial: 0 }
    }

    /// Returns a seed from the system's entropy. It has 12 digits at most, so that it can be typed;
    /// two of a thousand runs have the same seed once in two million times.
    pub fn fresh_seed() -> u64 {
        fastrand::u64(1..1_000_000_000_000)
    }

    /// Returns the next integer from 1 to `last`, both included; `None` if `last` is 0.
    pub fn number_up_to(&mut self, last: &Tally) -> Option<Tally> {
        let highest = if *last == Tally::ZERO { return None } else { last.as_big() - 1_u32 };
        loop {
            let drawn = self.bits(highest.bits());
            if drawn <= highest {
                return Some(Tally::from_big(drawn + 1_u32));
            }
        }
    }

    /// Returns the number of the next trial, which has at most `bits` bits.
    fn bits(&mut self, bits: u64) -> BigUint {
        let Self { seed, trial } = *self;
        let blocks = bits.div_ceil(BITS).max(1);
        let hash = |block| Sha256::digest(format!("kt-enum random {seed} {trial} {block}"));
        let bytes: Vec<u8> = (0..blocks).flat_map(hash).collect();
        self.trial += 1;
        BigUint::from_bytes_be(&bytes) >> (blocks * BITS - bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_that_a_shell_draws_with_sha256sum() {
        // printf 'kt-enum random 7 0 0' | sha256sum
        let first = Sha256::digest("kt-enum random 7 0 0");
        let last = Tally::from(256_u32);
        let drawn = Random::new(7).number_up_to(&last);
        assert_eq!(drawn, Some(Tally::from(u32::from(first[0]) + 1)));
    }

    #[test]
    fn every_number_up_to_the_last_is_drawn_about_equally_often() {
        let (last, draws) = (5_u32, 5_000);
        let mut random = Random::new(1);
        let mut times = [0_u32; 6];
        for _ in 0..draws {
            let number = random.number_up_to(&last.into()).expect("there are some");
            times[usize::try_from(number).expect("small")] += 1;
        }
        assert_eq!(times[0], 0);
        // The standard deviation is 28.
        assert!(times[1..].iter().all(|&times| times.abs_diff(1_000) < 150), "{times:?}");
        assert_eq!(random.number_up_to(&Tally::ZERO), None);
        assert_eq!(random.number_up_to(&1_u32.into()), Some(1_u32.into()));
    }
}
