//! The maps of the changes of matchings, shared by all threads.
//!
//! A stage asks for two of them per transition, and a join for one per level of its recursion. From
//! a hash table behind a lock, every thread would write to the lock and to the counter of a map for
//! each. Here the place of a map follows from its change, and a map that is there is read without a
//! lock. The table has half a megabyte, so that all threads and rounds of a count share one: to make
//! one for every thread in every round took a third of the time of 5x5.

use super::matching::{Change, MOST_ENDS, Map};
use std::sync::{Arc, OnceLock};

/// The place of a map in [`Maps`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MapPlace(u16);

/// The number of kinds of changes.
const KINDS: usize = 4;
/// The kind of insertions. They keep the order of ranks, and map no two to one.
const INSERT: usize = 0;
/// The kind of moves.
const MOVE: usize = 1;
/// The kind of contractions. They map several ranks to one, and some to none.
const CONTRACT: usize = 2;
/// The kind of mirror images.
const MIRROR: usize = 3;

/// Returns the number of places for changes of fewer than `ends` endpoints.
const fn before(ends: usize) -> usize {
    let half = ends / 2;
    KINDS * 2 * half * (half + 1) * (2 * half + 1) / 3
}

const _: () = assert!(before(MOST_ENDS + 2) < MapPlace::NO_MAP.0 as usize);

impl MapPlace {
    /// The place that stands for no map.
    const NO_MAP: Self = Self(u16::MAX);

    /// Returns the place of the map of a change of matchings of `ends` endpoints. An insertion may
    /// put its two endpoints behind all others, so both numbers in a change are less than
    /// `ends + 2`.
    #[inline]
    fn new(change: Change, ends: usize) -> Self {
        let (kind, one, other) = match change {
            Change::Insert(one, other) => (INSERT, one, other),
            Change::Move(one, other) => (MOVE, one, other),
            Change::Contract(one, other) => (CONTRACT, one, other),
            Change::Mirror { left, middle } => (MIRROR, left, middle),
        };
        debug_assert!(usize::from(one.max(other)) < ends + 2, "{change:?} of {ends}");
        let pair = usize::from(one) * (ends + 2) + usize::from(other);
        Self((before(ends) + pair * KINDS + kind) as u16)
    }

    /// True if the map keeps the order of ranks and maps no two to one.
    pub fn keeps_order(self) -> bool {
        self == Self::NO_MAP || usize::from(self.0) % KINDS == INSERT
    }

    /// True if the map maps no two ranks to one, and none to
    /// [`DEAD`](crate::states::matching::DEAD).
    pub fn is_injective(self) -> bool {
        self == Self::NO_MAP || usize::from(self.0) % KINDS != CONTRACT
    }
}

/// All maps that were needed so far, shared by all threads.
#[derive(Debug)]
pub(crate) struct Maps(Box<[OnceLock<Arc<Map>>]>);

impl Default for Maps {
    fn default() -> Self {
        Self((0..before(MOST_ENDS + 2)).map(|_| OnceLock::new()).collect())
    }
}

impl Maps {
    /// Returns the place of the map of a change, and makes the map if it is not yet there.
    #[inline]
    pub fn place_of(&self, change: Option<Change>, ends: usize) -> MapPlace {
        match change {
            None => MapPlace::NO_MAP,
            Some(Change::Move(from, to)) if from == to => MapPlace::NO_MAP,
            Some(change) => {
                let place = MapPlace::new(change, ends);
                if self.at(place).is_none() {
                    self.make(place, change, ends);
                }
                place
            }
        }
    }

    /// Returns the map at a place; `None` for no map.
    #[inline]
    pub fn at(&self, place: MapPlace) -> Option<&Map> {
        Some(self.0.get(usize::from(place.0))?.get()?)
    }

    /// Returns the map of a change of matchings of a number of endpoints.
    pub fn get(&self, change: Change, ends: usize) -> &Arc<Map> {
        let place = MapPlace::new(change, ends);
        let made = self.0[usize::from(place.0)].get();
        made.unwrap_or_else(|| self.make(place, change, ends))
    }

    /// Makes a map, which may ask for those of two endpoints fewer, unless it is there.
    #[cold]
    fn make(&self, place: MapPlace, change: Change, ends: usize) -> &Arc<Map> {
        self.0[usize::from(place.0)].get_or_init(|| {
            Arc::new(Map::new(change, ends, |change, ends| Arc::clone(self.get(change, ends))))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_change_has_a_place_of_its_own_before_those_of_more_endpoints() {
        let mut places = HashSet::new();
        for ends in (0..=MOST_ENDS).step_by(2) {
            let numbers = 0..ends as u8 + 2;
            let pairs = numbers.clone().flat_map(|one| numbers.clone().map(move |to| (one, to)));
            let changes = pairs.flat_map(|(one, to)| {
                let mirror = Change::Mirror { left: one, middle: to };
                [Change::Insert(one, to), Change::Move(one, to), Change::Contract(one, to), mirror]
            });
            for change in changes {
                let place = MapPlace::new(change, ends);
                assert!(places.insert(place.0), "{change:?} of {ends}");
                assert!((before(ends)..before(ends + 2)).contains(&usize::from(place.0)));
                let [is_insert, is_contract] =
                    [matches!(change, Change::Insert(..)), matches!(change, Change::Contract(..))];
                assert_eq!((place.keeps_order(), place.is_injective()), (is_insert, !is_contract));
            }
        }
    }
}
