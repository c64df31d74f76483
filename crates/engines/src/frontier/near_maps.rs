//! The maps of matchings that one thread has used.
//!
//! All threads share the maps, in a table behind a lock, and a stage asks for two of them per
//! transition. So each thread keeps the maps that it has used in its own table, in which the place
//! of a map follows from its change. Every thread makes such a table in every round. A table with
//! 32 times 32 places for each kind of change and each number of endpoints took half a megabyte,
//! and making and dropping it took a third of the time of 5x5. Here the changes of few endpoints
//! come first, and the table is only as long as the changes that have occurred require: some tens
//! of kilobytes on 8x8.

use crate::states::matching::{Change, MOST_ENDS, Map, Maps};
use std::sync::Arc;

/// The maps that one thread has used.
#[derive(Debug)]
pub(super) struct NearMaps {
    /// The maps that all threads share.
    pub shared: Arc<Maps>,
    near: Vec<Option<Arc<Map>>>,
}

/// The place of a map in [`NearMaps`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MapPlace(u16);

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

impl NearMaps {
    pub fn new(shared: Arc<Maps>) -> Self {
        Self { shared, near: Vec::new() }
    }

    /// Returns the place of the map of a change, and gets the map if it is not yet there.
    #[inline]
    pub fn place_of(&mut self, change: Option<Change>, ends: usize) -> MapPlace {
        match change {
            None => MapPlace::NO_MAP,
            Some(Change::Move(from, to)) if from == to => MapPlace::NO_MAP,
            Some(change) => {
                let place = MapPlace::new(change, ends);
                if self.at(place).is_none() {
                    self.get(place, change, ends);
                }
                place
            }
        }
    }

    /// Gets a map from the shared ones.
    #[cold]
    fn get(&mut self, place: MapPlace, change: Change, ends: usize) {
        let place = usize::from(place.0);
        if self.near.len() <= place {
            self.near.resize(before(ends + 2), None);
        }
        self.near[place] = Some(self.shared.get(change, ends));
    }

    /// Returns the map at a place; `None` for no map.
    #[inline]
    pub fn at(&self, place: MapPlace) -> Option<&Map> {
        self.near.get(usize::from(place.0))?.as_deref()
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
