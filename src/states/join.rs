//! How many cycles the states of a top and a bottom block make: the sum, over all pairs whose matchings join into a
//! single cycle, of the product of their ways.
//!
//! Pair by pair that is |T| times |B|, hundreds of pairs a state on 8x8. Instead the states of the top are grouped by the mate of end
//! 0. For each mate that pair of ends is contracted in all of the bottom's vector, where what becomes equal is added up, and
//! both go on with two ends fewer. All matchings of e ends against all others cost (e/2)^2 (e-1)!! steps
//! that way, where pairs cost the square of (e-1)!!. With six ends left, the bottom's vector of 15 numbers is
//! multiplied by the matrix of ones and noughts that says which two matchings make one cycle.

use super::matching::{Change, DEAD, Map, Maps, matchings};
use super::ways::{Factor, Product};
use std::sync::{Arc, OnceLock};

/// With so many ends pairs are looked up.
const ENDS_LOOKED_UP: usize = 6;

/// Up to this many ends a vector is contracted with all mates of end 0 at once.
const ENDS_AT_ONCE: usize = 12;

/// Matchings of [`ENDS_LOOKED_UP`] ends, and one place for what is dead.
const PLACES: usize = 16;

/// Tables that all threads share.
#[derive(Debug, Default)]
pub(crate) struct Contractions {
    /// By half the number of ends, what is left of each matching for each mate of end 0; a number past all ranks for none.
    all: [OnceLock<Vec<u16>>; ENDS_AT_ONCE / 2 + 1],
    /// By matching of six ends, all bits set for those with which it makes one cycle.
    single: OnceLock<Vec<[u64; PLACES]>>,
}

impl Contractions {
    /// What is left of matching `rank` when end 0 is contracted with end `digit + 1`, at `rank * (ends - 1) + digit`.
    fn of(&self, ends: usize, maps: &Maps) -> &[u16] {
        self.all[ends / 2].get_or_init(|| {
            let maps: Vec<Arc<Map>> =
                (1..ends as u8).map(|mate| maps.get(Change::Contract(0, mate), ends)).collect();
            let dead = matchings(ends - 2);
            let left = |rank: u64| maps.iter().map(move |map| map.of(rank).min(dead) as u16);
            (0..matchings(ends)).flat_map(left).collect()
        })
    }

    fn single(&self, maps: &Maps) -> &[[u64; PLACES]] {
        self.single.get_or_init(|| {
            let contracted = |ends: usize, one: u64, other: u64| {
                let rest = matchings(ends - 2);
                let left = maps.get(Change::Contract(0, (other / rest) as u8 + 1), ends).of(one);
                (left != DEAD).then_some((left, other % rest))
            };
            // Of four ends, any two matchings that differ make one cycle.
            let is_single =
                |one, other| contracted(6, one, other).is_some_and(|(one, other)| one != other);
            let mask = |one, other| {
                if (other as usize) < PLACES - 1 && is_single(one, other) { u64::MAX } else { 0 }
            };
            (0..PLACES as u64 - 1)
                .map(|one| std::array::from_fn(|other| mask(one, other as u64)))
                .collect()
        })
    }
}

/// States of a block: ranks and ways.
type States<F> = [(u64, F)];

/// What a thread joins with.
#[derive(Debug)]
pub(crate) struct Joiner<'a, F> {
    maps: Arc<Maps>,
    contractions: &'a Contractions,
    /// By half the number of ends.
    levels: Vec<Level<F>>,
}

/// What is in use at one number of ends.
#[derive(Debug, Clone, Default)]
struct Level<F> {
    tops: Vec<(u64, F)>,
    bottoms: Vec<(u64, F)>,
    /// For each mate of end 0, all that is left, by rank.
    dense: Vec<F>,
}

impl<'a, F: Factor> Joiner<'a, F> {
    pub fn new(maps: Arc<Maps>, contractions: &'a Contractions) -> Self {
        let levels = vec![Level::default(); super::matching::MOST_ENDS / 2 + 1];
        Self { maps, contractions, levels }
    }

    /// Adds all products of states that make one cycle to a sum. The states of the top are sorted by rank. All ways of
    /// each side together fit the factor.
    pub fn join(&mut self, top: &States<F>, bottom: &States<F>, ends: usize, sum: &mut Product) {
        if top.is_empty() || bottom.is_empty() || ends == 0 {
            return;
        }
        let rest = matchings(ends.saturating_sub(2)) as usize;
        match ends {
            2 => total(top).multiply_into(&total(bottom), sum),
            4 => {
                for (rank, ways) in top {
                    let others = bottom.iter().filter(|(other, _)| other != rank);
                    others.for_each(|(_, others)| ways.multiply_into(others, sum));
                }
            }
            ENDS_LOOKED_UP => self.look_up(top, bottom, sum),
            // Only a few tops, or a few mates of end 0: one mate after the other, on lists.
            _ if ends > ENDS_AT_ONCE || top.len() <= ends / 2 || has_few_digits(top, rest) => {
                self.contract_each(top, bottom, ends, rest, sum)
            }
            _ => self.contract_all(top, bottom, ends, rest, sum),
        }
    }

    fn look_up(&mut self, top: &States<F>, bottom: &States<F>, sum: &mut Product) {
        let single = self.contractions.single(&self.maps);
        let mut cycles: [F; PLACES] = std::array::from_fn(|_| F::default());
        for (rank, ways) in bottom {
            for (cycles, mask) in cycles.iter_mut().zip(&single[*rank as usize]) {
                cycles.add_masked(ways, *mask);
            }
        }
        top.iter().for_each(|(rank, ways)| ways.multiply_into(&cycles[*rank as usize], sum));
    }

    fn contract_all(
        &mut self,
        top: &States<F>,
        bottom: &States<F>,
        ends: usize,
        rest: usize,
        sum: &mut Product,
    ) {
        let mut level = std::mem::take(&mut self.levels[ends / 2]);
        // One place more for each mate takes what is dead.
        let (mates, size) = (ends - 1, rest + 1);
        level.dense.clear();
        level.dense.resize(mates * size, F::default());
        let left = self.contractions.of(ends, &self.maps);
        for (rank, ways) in bottom {
            let left = &left[*rank as usize * mates..][..mates];
            for (dense, &left) in level.dense.chunks_exact_mut(size).zip(left) {
                dense[usize::from(left)].add_masked(ways, u64::MAX);
            }
        }
        for group in top.chunk_by(|one, other| one.0 as usize / rest == other.0 as usize / rest) {
            let digit = group[0].0 as usize / rest;
            level.take_group(group, rest);
            level.bottoms.clear();
            let states = level.dense[digit * size..][..rest]
                .iter()
                .enumerate()
                .filter(|(_, ways)| !ways.is_zero());
            level.bottoms.extend(states.map(|(rank, ways)| (rank as u64, ways.clone())));
            self.join(&level.tops, &level.bottoms, ends - 2, sum);
        }
        self.levels[ends / 2] = level;
    }

    fn contract_each(
        &mut self,
        top: &States<F>,
        bottom: &States<F>,
        ends: usize,
        rest: usize,
        sum: &mut Product,
    ) {
        let mut level = std::mem::take(&mut self.levels[ends / 2]);
        for group in top.chunk_by(|one, other| one.0 as usize / rest == other.0 as usize / rest) {
            let map =
                self.maps.get(Change::Contract(0, (group[0].0 as usize / rest) as u8 + 1), ends);
            level.take_group(group, rest);
            let contracted = bottom
                .iter()
                .map(|(rank, ways)| (map.of(*rank), ways))
                .filter(|&(rank, _)| rank != DEAD);
            level.bottoms.clear();
            level.bottoms.extend(contracted.map(|(rank, ways)| (rank, ways.clone())));
            if level.bottoms.len() > 64 && level.tops.len() > 4 {
                level.add_up_bottoms();
            }
            self.join(&level.tops, &level.bottoms, ends - 2, sum);
        }
        self.levels[ends / 2] = level;
    }
}

/// Whether the states of the top, sorted by rank, have one or two mates of end 0.
fn has_few_digits<F>(top: &States<F>, rest: usize) -> bool {
    let digit = |state: Option<&(u64, F)>| state.map_or(0, |(rank, _)| *rank as usize / rest);
    digit(top.last()) - digit(top.first()) < 2
}

fn total<F: Factor>(states: &States<F>) -> F {
    let mut total = F::default();
    states.iter().for_each(|(_, ways)| total.add_masked(ways, u64::MAX));
    total
}

impl<F: Factor> Level<F> {
    fn take_group(&mut self, group: &States<F>, rest: usize) {
        self.tops.clear();
        self.tops.extend(group.iter().map(|(rank, ways)| (rank % rest as u64, ways.clone())));
    }

    fn add_up_bottoms(&mut self) {
        self.bottoms.sort_unstable_by_key(|state| state.0);
        self.bottoms.dedup_by(|one, kept| {
            let is_same = one.0 == kept.0;
            if is_same {
                kept.1.add_masked(&one.1, u64::MAX);
            }
            is_same
        });
    }
}
