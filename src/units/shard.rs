//! Assigning units to shards, so that many machines can share a count.
//!
//! Shard `I/N` consists of the units whose number leaves the remainder `I` when divided by `N`. So
//! for every `N` the shards 0/N to (N-1)/N are disjoint and together they are all units.
//! Neighbouring units cost about the same in a search tree, and this rule gives them to different
//! machines.

use crate::work::Work;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// Shard `index` of `of`, 0-based.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "(u32, u32)", into = "(u32, u32)")]
pub struct Shard {
    index: u32,
    of: u32,
}

/// The reason why a text or a pair of numbers is not a shard.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no shard: write I/N with I from 0 to N-1, such as 0/8")]
pub struct ShardError(String);

impl Default for Shard {
    fn default() -> Self {
        Self::WHOLE
    }
}

impl Shard {
    /// All units.
    pub const WHOLE: Self = Self { index: 0, of: 1 };

    /// Shard `index` of `of`.
    ///
    /// # Errors
    /// [`ShardError`] unless `index` is below `of`.
    pub fn new(index: u32, of: u32) -> Result<Self, ShardError> {
        match index < of {
            true => Ok(Self { index, of }),
            false => Err(ShardError(format!("{index}/{of}"))),
        }
    }

    /// The number of the shard, from 0.
    pub fn index(self) -> u32 {
        self.index
    }

    /// The number of shards.
    pub fn of(self) -> u32 {
        self.of
    }

    /// The number of units in this shard, out of `units`.
    pub fn len(self, units: usize) -> usize {
        units.saturating_sub(self.index as usize).div_ceil(self.of as usize)
    }

    /// The units of this shard of a work.
    pub fn units_of(self, work: &dyn Work) -> ShardUnits {
        self.by_remainder(work.units())
    }

    /// The units of this shard, out of `units`.
    pub(super) fn by_remainder(self, units: usize) -> ShardUnits {
        let (first, step) = (self.index as usize, self.of as usize);
        ShardUnits((first..units).step_by(step).collect())
    }
}

/// The numbers of the units of a shard, in ascending order. The *place* of a unit is its index in
/// this list, from 0: files and ledgers hold one value for each place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShardUnits(Arc<[usize]>);

impl ShardUnits {
    /// The number of units.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if the shard has no units.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of the unit at a place.
    ///
    /// # Panics
    /// If the place is not below [`ShardUnits::len`].
    pub fn unit(&self, place: usize) -> usize {
        self.0[place]
    }

    /// The place of a unit; `None` if the unit is in another shard.
    pub fn place(&self, unit: usize) -> Option<usize> {
        self.0.binary_search(&unit).ok()
    }

    /// The numbers of all units, in ascending order.
    pub fn numbers(&self) -> &[usize] {
        &self.0
    }
}

impl TryFrom<(u32, u32)> for Shard {
    type Error = ShardError;

    fn try_from((index, of): (u32, u32)) -> Result<Self, ShardError> {
        Self::new(index, of)
    }
}

impl From<Shard> for (u32, u32) {
    fn from(shard: Shard) -> Self {
        (shard.index, shard.of)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.index, self.of)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let wrong = || ShardError(text.to_owned());
        let (index, of) = text.split_once('/').ok_or_else(wrong)?;
        let (index, of) = (index.parse().map_err(|_| wrong())?, of.parse().map_err(|_| wrong())?);
        Self::new(index, of).map_err(|_| wrong())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn shards_are_disjoint_and_their_union_is_the_whole(units in 0..3_000usize, of in 1..1_200u32) {
            let mut owners = vec![0; units];
            for index in 0..of {
                let shard = Shard::new(index, of).expect("below");
                let units = shard.by_remainder(units);
                prop_assert_eq!(units.len(), shard.len(owners.len()));
                for (place, &unit) in units.numbers().iter().enumerate() {
                    prop_assert_eq!(units.place(unit), Some(place));
                    prop_assert_eq!(units.unit(place), unit);
                    owners[unit] += 1;
                }
            }
            prop_assert!(owners.into_iter().all(|owners| owners == 1));
        }
    }

    #[test]
    fn shards_are_read_as_they_are_written() {
        assert_eq!("3/8".parse(), Shard::new(3, 8));
        assert_eq!(Shard::new(3, 8).map(|shard| shard.to_string()), Ok("3/8".to_owned()));
        for wrong in ["", "1", "8/8", "0/0", "-1/2", "1/2/3", "a/b", "1 /2"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong} was taken");
        }
    }
}
