//! Assigning units to shards, so that many machines can share a count.
//!
//! For every `N` the shards 0/N to (N-1)/N are disjoint and together they are all units. There are
//! two rules:
//!
//! - *By remainder*, shard `I/N` consists of the units whose number leaves the remainder `I` when
//!   divided by `N`. Neighbouring units cost about the same in a search tree, and this rule gives
//!   them to different machines.
//! - *By group*, shard `I/N` is the `I`-th of `N` blocks in the order of the [groups] of units that
//!   need about the same states. A shard computes the states that its own units need, so neighbours
//!   in the same shard save work: the closed tours of 8x8 in 54 shards take 2.3 times the states of
//!   one process by group, and 3.9 times by remainder.
//!
//! [groups]: super::groups

use super::groups::GroupOrder;
use crate::engine::Engine;
use crate::work::{Identity, Name, Work};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// Shard `index` of `of`, 0-based, by one of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "(u64, u64)", into = "(u64, u64)")]
pub struct Shard {
    index: u32,
    of: u32,
    by: Assignment,
}

/// The rule that assigns units to shards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Assignment {
    /// Every N-th unit.
    #[default]
    Remainder,
    /// Units that need about the same states.
    Group,
}

impl Assignment {
    /// The rule by which the shards of a run are counted unless another is requested: by group if
    /// its units share states and a shard has more than one of them.
    pub fn of_run(identity: &Identity, of: u32) -> Self {
        let is_shared =
            identity.engine == Name::Frontier && (2..identity.units).contains(&of.into());
        if is_shared { Self::Group } else { Self::Remainder }
    }

    /// The text in files and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Remainder => "remainder",
            Self::Group => "group",
        }
    }
}

/// The rule in words.
impl fmt::Display for Assignment {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "by {}", self.as_str())
    }
}

/// The reason why a text or a pair of numbers is not a shard.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a shard: write I/N with I from 0 to N-1, such as 0/8")]
pub struct ShardError(String);

impl Default for Shard {
    fn default() -> Self {
        Self::WHOLE
    }
}

impl Shard {
    /// All units.
    pub const WHOLE: Self = Self { index: 0, of: 1, by: Assignment::Remainder };

    /// Shard `index` of `of`, by remainder.
    ///
    /// # Errors
    /// [`ShardError`] unless `index` is below `of`.
    pub fn new(index: u32, of: u32) -> Result<Self, ShardError> {
        let shard = Self { index, of, by: Assignment::Remainder };
        (index < of).then_some(shard).ok_or_else(|| ShardError(format!("{index}/{of}")))
    }

    /// The shard of the same number by a rule. Both rules give all units to a single shard, which
    /// is always by remainder.
    pub fn by(self, by: Assignment) -> Self {
        let by = if self.of == 1 { Assignment::Remainder } else { by };
        Self { by, ..self }
    }

    /// Another shard of the same run.
    #[doc(hidden)]
    pub fn with_index(self, index: u32) -> Self {
        Self { index, ..self }
    }

    /// The number of the shard, from 0.
    pub fn index(self) -> u32 {
        self.index
    }

    /// The number of shards.
    pub fn of(self) -> u32 {
        self.of
    }

    /// The rule that assigns units to the shard.
    pub fn assignment(self) -> Assignment {
        self.by
    }

    /// The rule of the shard if it is not the one that is taken for a run by itself.
    pub fn unusual(self, identity: &Identity) -> Option<Assignment> {
        (self.by != Assignment::of_run(identity, self.of)).then_some(self.by)
    }

    /// The units of this shard of a work.
    pub fn units_of(self, work: &dyn Work) -> ShardUnits {
        match self.by {
            Assignment::Remainder => self.by_remainder(work.units()),
            Assignment::Group => self.by_group(&GroupOrder::new(work)),
        }
    }

    /// The number of units of this shard of a run; `None` if this library has no engine with the
    /// same units. Shards by remainder are not listed: a file may claim any number of units.
    pub fn len_of_run(self, identity: &Identity) -> Option<usize> {
        match self.by {
            Assignment::Remainder => {
                let units = identity.units.saturating_sub(self.index.into());
                usize::try_from(units.div_ceil(self.of.into())).ok()
            }
            Assignment::Group => Some(self.units_of(&*Engine::of(identity).ok()?).len()),
        }
    }

    /// The units of this shard, out of `units`, by remainder.
    pub(super) fn by_remainder(self, units: usize) -> ShardUnits {
        let (first, step) = (self.index as usize, self.of as usize);
        ShardUnits((first..units).step_by(step).collect())
    }

    /// The units of this shard by group.
    pub(super) fn by_group(self, order: &GroupOrder) -> ShardUnits {
        let mut units = order.block(u64::from(self.index), u64::from(self.of)).to_vec();
        units.sort_unstable();
        ShardUnits(units.into())
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

/// The shard as a checkpoint holds it: `(I, N)` by remainder, and `(I + N, N)` by group.
impl TryFrom<(u64, u64)> for Shard {
    type Error = ShardError;

    fn try_from((index, of): (u64, u64)) -> Result<Self, ShardError> {
        let (place, by) = match index.checked_sub(of) {
            None => (index, Assignment::Remainder),
            Some(place) => (place, Assignment::Group),
        };
        let shard = || Some(Self::new(place.try_into().ok()?, of.try_into().ok()?).ok()?.by(by));
        let shard = shard().filter(|shard| shard.by == by);
        shard.ok_or_else(|| ShardError(format!("{index}/{of}")))
    }
}

impl From<Shard> for (u64, u64) {
    fn from(Shard { index, of, by }: Shard) -> Self {
        let (index, of) = (index.into(), of.into());
        match by {
            Assignment::Remainder => (index, of),
            Assignment::Group => (index + of, of),
        }
    }
}

/// The number of the shard as on the command line, without its rule.
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
    use crate::board::Board;
    use crate::frontier::Frontier;
    use crate::question::Question;
    use crate::work::Split;
    use proptest::prelude::*;

    /// Checks that each unit is in exactly one of the shards.
    fn is_partition(units: usize, of: u32, units_of: impl Fn(Shard) -> ShardUnits) -> bool {
        let mut owners = vec![0; units];
        for index in 0..of {
            let units = units_of(Shard::new(index, of).expect("below"));
            assert!(units.numbers().is_sorted());
            for (place, &unit) in units.numbers().iter().enumerate() {
                assert_eq!((units.place(unit), units.unit(place)), (Some(place), unit));
                owners[unit] += 1;
            }
        }
        owners.into_iter().all(|owners| owners == 1)
    }

    proptest! {
        #[test]
        fn shards_by_remainder_are_disjoint_and_their_union_is_the_whole(
            units in 0..3_000usize,
            of in 1..1_200u32,
        ) {
            prop_assert!(is_partition(units, of, |shard| shard.by_remainder(units)));
            let board = Board::new(5, 5).expect("in range");
            let (question, engine) = (Question::open(board), Name::Walk);
            let split = Split::Depth(0);
            let identity = Identity { question, engine, split, units: units as u64 };
            for index in 0..of {
                let shard = Shard::new(index, of).expect("below");
                prop_assert_eq!(shard.len_of_run(&identity), Some(shard.by_remainder(units).len()));
            }
        }
    }

    #[test]
    fn shards_by_group_are_disjoint_and_their_union_is_the_whole() {
        let board = |rows, cols| Board::new(rows, cols).expect("in range");
        let corner = board(6, 7).parse_square("a1").ok();
        for question in [
            Question::open(board(7, 7)),
            Question::closed(board(6, 8)),
            Question::closed(board(8, 8)),
            Question::open_between(board(6, 7), corner, None),
            Question::open(board(1, 1)),
        ] {
            let work = Frontier::new(question.clone(), None).expect("fits");
            let (units, order) = (work.units(), GroupOrder::new(&work));
            // All numbers of shards of 1,701 units take a minute.
            let all = 1..=units as u32 + 3;
            for of in all.filter(|of| *of < 40 || of.is_multiple_of(97) || *of as usize >= units) {
                assert!(is_partition(units, of, |shard| shard.by_group(&order)), "{question} {of}");
            }
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

    #[test]
    fn pairs_of_numbers_tell_the_rule_of_a_shard_and_other_pairs_are_refused() {
        for by in [Assignment::Remainder, Assignment::Group] {
            for (index, of) in [(0, 2), (3, 8), (u32::MAX - 1, u32::MAX)] {
                let shard = Shard::new(index, of).expect("below").by(by);
                let numbers: (u64, u64) = shard.into();
                assert_eq!(Shard::try_from(numbers), Ok(shard));
            }
        }
        assert_eq!(Shard::WHOLE.by(Assignment::Group), Shard::WHOLE);
        for wrong in [(0, 0), (1, 1), (16, 8), (1 << 33, 1 << 40)] {
            assert!(Shard::try_from(wrong).is_err(), "{wrong:?} was taken");
        }
    }
}
