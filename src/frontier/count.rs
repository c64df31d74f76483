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

    fn to_big(&self) -> BigUint;
}

macro_rules! fixed_count {
    ($word:ty) => {
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
