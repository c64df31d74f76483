//! The number of cycles that the states of a top block and a bottom block form: the sum, over all
//! pairs of states whose matchings join into a single cycle, of the products of their counts.
//!
//! Looking at each pair costs |T| times |B| steps, hundreds per state on 8x8. Instead, the states
//! of the top are grouped by the mate of endpoint 0. For each group that pair of endpoints is
//! contracted in every state of the bottom, bottom states that become equal are added up, and both
//! sides are joined recursively with two endpoints fewer. Joining all matchings of e endpoints with
//! all others costs (e/2)^2 (e-1)!! steps in this way, where pairs cost the square of (e-1)!!. With
//! eight endpoints left, the bottom is a vector of 105 counts, and a table lists the 48 matchings
//! that form a single cycle with a matching of the top: 48 additions per state of the top. Several
//! such states with the same mate of endpoint 0 take 90 additions together, for one more
//! contraction, and 8 each.
//!
//! With more than twelve endpoints, a contraction has no table, and to find the way of each state
//! through a tree of maps takes 10 ns and more, as does a place in a large vector that is not in
//! the cache. Where nearly all matchings have a state, one walk through the tree serves all of
//! them, and an addition takes a nanosecond or two.

use super::count::{Factor, Product};
use super::maps::Maps;
use super::matching::{Change, DEAD, Map, matchings};
use std::sync::{Arc, OnceLock};

/// The number of endpoints at which the recursion ends with a table of all partners.
const ENDS_LOOKED_UP: usize = 8;

/// Up to this number of endpoints, a vector is contracted with all mates of endpoint 0 in one pass.
const ENDS_AT_ONCE: usize = 12;

/// Bottom states are added up in a vector with a place for each rank if there are at most this many
/// ranks per state, so that the vector takes about as much memory as the states. Otherwise they are
/// sorted.
const RANKS_PER_STATE: usize = 4;

/// Bottom states are a vector of counts from the start if there are at most this many ranks per
/// state. Contractions go through vectors in a tenth of the time of lists.
const DENSE: usize = 2;

/// The number of matchings of [`ENDS_LOOKED_UP`] endpoints.
const MATCHINGS: usize = matchings(ENDS_LOOKED_UP) as usize;

/// The number of those that are left when two endpoints are contracted.
const CONTRACTED: usize = matchings(ENDS_LOOKED_UP - 2) as usize;

/// The lengths of vectors of a count for each matching of eight and of six endpoints. They are
/// powers of two, so that no look-up needs a bounds check.
const PLACES: usize = MATCHINGS.next_power_of_two();
const PLACES_LEFT: usize = CONTRACTED.next_power_of_two();

/// The number of top states with the same mate of endpoint 0 from which on it is faster to contract
/// the bottom with this mate than to look up all partners of each.
const WORTH_CONTRACTING: usize = 4;

/// The tables for contractions. They are computed when first needed and shared by all threads.
#[derive(Debug, Default)]
pub(crate) struct Contractions {
    /// The contraction tables, by half the number of endpoints; see [`Contractions::of`].
    all: [OnceLock<Vec<u16>>; ENDS_AT_ONCE / 2 + 1],
    partners: OnceLock<Partners>,
}

/// The matchings that form a single cycle with a matching of a few endpoints.
#[derive(Debug)]
struct Partners {
    of_six: Vec<[u8; 8]>,
    of_eight: Vec<[u8; 48]>,
    /// For each mate of endpoint 0 of eight, less one, and each matching of the six endpoints that
    /// are left when these two are contracted, the matchings of eight that this leaves.
    contracted: Vec<[[u8; 6]; CONTRACTED]>,
}

impl Contractions {
    /// Returns the table of contractions of endpoint 0. The rank that is left of matching `rank`
    /// when endpoint 0 is contracted with endpoint `digit + 1` stands at `rank * (ends - 1) +
    /// digit`; it is `(ends - 3)!!`, above all ranks, if the two are mates and so close a cycle.
    fn of(&self, ends: usize, maps: &Maps) -> &[u16] {
        self.all[ends / 2].get_or_init(|| {
            let maps: Vec<&Arc<Map>> =
                (1..ends as u8).map(|mate| maps.get(Change::Contract(0, mate), ends)).collect();
            let dead = matchings(ends - 2);
            let left = |rank: u64| maps.iter().map(move |map| map.of(rank).min(dead) as u16);
            (0..matchings(ends)).flat_map(left).collect()
        })
    }

    /// Returns the tables of partners.
    fn partners(&self, maps: &Maps) -> &Partners {
        self.partners.get_or_init(|| {
            let left_by = |mate: u8, left: u64| {
                let map = maps.get(Change::Contract(0, mate), ENDS_LOOKED_UP);
                listed((0..MATCHINGS as u64).filter(|&rank| map.of(rank) == left))
            };
            let contracted = |mate| std::array::from_fn(|left| left_by(mate, left as u64));
            Partners {
                of_six: partners(6, maps),
                of_eight: partners(8, maps),
                contracted: (1..ENDS_LOOKED_UP as u8).map(contracted).collect(),
            }
        })
    }
}

/// Returns, for each matching, the `N` matchings with which it forms a single cycle.
fn partners<const N: usize>(ends: usize, maps: &Maps) -> Vec<[u8; N]> {
    let all = 0..matchings(ends);
    let of = |one| all.clone().filter(move |&other| is_single(ends, one, other, maps));
    all.clone().map(|one| listed(of(one))).collect()
}

/// Returns ranks, of which there are `N`, as an array.
fn listed<const N: usize>(ranks: impl Iterator<Item = u64>) -> [u8; N] {
    let ranks: Vec<u8> = ranks.map(|rank| rank as u8).collect();
    match ranks.try_into() {
        Ok(ranks) => ranks,
        Err(ranks) => unreachable!("{N} ranks, not {ranks:?}"),
    }
}

/// True if two matchings form a single cycle.
fn is_single(ends: usize, one: u64, other: u64, maps: &Maps) -> bool {
    let rest = matchings(ends - 2);
    let contraction = || maps.get(Change::Contract(0, (other / rest) as u8 + 1), ends);
    ends == 2
        || match contraction().of(one) {
            DEAD => false,
            left => is_single(ends - 2, left, other % rest, maps),
        }
}

/// The states of a block: ranks and counts.
type States<F> = [(u64, F)];

/// The buffers with which one thread joins blocks.
#[derive(Debug)]
pub(crate) struct Joiner<'a, F> {
    maps: Arc<Maps>,
    contractions: &'a Contractions,
    /// The buffers of each level of the recursion, by half the number of endpoints.
    levels: Vec<Level<F>>,
}

/// The buffers for one number of endpoints.
#[derive(Debug, Clone, Default)]
struct Level<F> {
    tops: Vec<(u64, F)>,
    bottoms: Vec<(u64, F)>,
    /// The bottom states that counts stand for.
    listed: Vec<(u64, F)>,
    /// The counts of all ranks after a change.
    changed: Vec<F>,
    /// The contracted counts: for each mate of endpoint 0, a count for each rank that can be left.
    dense: Vec<F>,
}

impl<'a, F: Factor> Joiner<'a, F> {
    pub fn new(maps: Arc<Maps>, contractions: &'a Contractions) -> Self {
        let levels = vec![Level::default(); super::matching::MOST_ENDS / 2 + 1];
        Self { maps, contractions, levels }
    }

    /// Maps the ranks of states by changes, one after the other, that map no two to one. The states
    /// stay in their order.
    pub fn change(&self, changes: &[Change], ends: usize, states: &mut [(u64, F)]) {
        for &change in changes {
            let map = self.maps.get(change, ends);
            states.iter_mut().for_each(|(rank, _)| *rank = map.of(*rank));
        }
    }

    /// Maps the ranks of states as [`change`](Self::change) does, but leaves them in any order.
    pub fn change_all(&mut self, changes: &[Change], ends: usize, states: &mut Vec<(u64, F)>) {
        if !is_dense(states, ends) || changes.is_empty() {
            return self.change(changes, ends, states);
        }
        let mut level = std::mem::take(&mut self.levels[ends / 2]);
        level.begin_sums(matchings(ends) as usize);
        states.iter().for_each(|(rank, count)| level.dense[*rank as usize] += count);
        for &change in changes {
            level.changed.clear();
            level.changed.resize(level.dense.len(), F::default());
            self.maps.get(change, ends).add_all(&level.dense, &mut level.changed);
            std::mem::swap(&mut level.dense, &mut level.changed);
        }
        list(&level.dense, states);
        self.levels[ends / 2] = level;
    }

    /// Adds to a sum the products of the counts of all pairs of states that form a single cycle.
    /// The states of the top are sorted by rank. The total of the counts of each side must fit the
    /// factor type.
    pub fn join(&mut self, top: &States<F>, bottom: &States<F>, ends: usize, sum: &mut Product) {
        if top.is_empty() || bottom.is_empty() || ends == 0 {
            return;
        }
        let rest = matchings(ends.saturating_sub(2)) as usize;
        match ends {
            2 => total(top).multiply_into(&total(bottom), sum),
            4 => {
                for (rank, count) in top {
                    let others = bottom.iter().filter(|(other, _)| other != rank);
                    others.for_each(|(_, others)| count.multiply_into(others, sum));
                }
            }
            6 | ENDS_LOOKED_UP => {
                let mut counts: [F; PLACES] = std::array::from_fn(|_| F::default());
                for (rank, count) in bottom {
                    counts[*rank as usize] += count;
                }
                let partners = self.contractions.partners(&self.maps);
                match ends {
                    6 => look_up(top, &counts, |rank| &partners.of_six[rank], sum),
                    _ => join_eight(top, &counts, partners, sum),
                }
            }
            // With few top states, or few mates of endpoint 0, contracting with each mate in turn
            // on lists is faster than one dense pass.
            _ if ends > ENDS_AT_ONCE || top.len() <= ends / 2 || has_few_digits(top, rest) => {
                match is_dense(bottom, ends) && top.len() > ends {
                    true => self.count_all(top, bottom, ends, sum),
                    false => self.contract_each(top, bottom, ends, rest, sum),
                }
            }
            _ => self.contract_all(top, bottom, ends, rest, sum),
        }
    }

    /// Contracts the bottom with all mates of endpoint 0 in one pass into dense vectors, and joins
    /// each group of the top with the vector of its mate.
    fn contract_all(
        &mut self,
        top: &States<F>,
        bottom: &States<F>,
        ends: usize,
        rest: usize,
        sum: &mut Product,
    ) {
        let mut level = std::mem::take(&mut self.levels[ends / 2]);
        // Each vector has at least one more place, which collects the counts of contractions that
        // leave no matching.
        let (mates, size) = (ends - 1, (rest + 1).max(PLACES));
        level.begin_sums(mates * size);
        let left = self.contractions.of(ends, &self.maps);
        for (rank, count) in bottom {
            let left = &left[*rank as usize * mates..][..mates];
            for (dense, &left) in level.dense.chunks_exact_mut(size).zip(left) {
                dense[usize::from(left)] += count;
            }
        }
        for group in top.chunk_by(|one, other| one.0 as usize / rest == other.0 as usize / rest) {
            let digit = group[0].0 as usize / rest;
            level.take_group(group, rest);
            if let (ENDS_LOOKED_UP, Some(counts)) =
                (ends - 2, level.dense[digit * size..].first_chunk())
            {
                join_eight(&level.tops, counts, self.contractions.partners(&self.maps), sum);
                continue;
            }
            list(&level.dense[digit * size..][..rest], &mut level.bottoms);
            self.join(&level.tops, &level.bottoms, ends - 2, sum);
        }
        self.levels[ends / 2] = level;
    }

    /// Contracts the bottom for one group of the top after the other, as lists of states.
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
            let map = self.contraction(group, ends, rest);
            level.take_group(group, rest);
            let contracted = bottom
                .iter()
                .map(|(rank, count)| (map.of(*rank), count))
                .filter(|&(rank, _)| rank != DEAD);
            let is_worth_adding_up = bottom.len() > 64 && level.tops.len() > 4;
            if is_worth_adding_up && rest <= RANKS_PER_STATE * bottom.len() {
                level.begin_sums(rest);
                contracted.for_each(|(rank, count)| level.dense[rank as usize] += count);
                self.join_counts(&level.tops, &level.dense, ends - 2, sum);
                continue;
            }
            level.bottoms.clear();
            level.bottoms.extend(contracted.map(|(rank, count)| (rank, count.clone())));
            if is_worth_adding_up {
                level.add_up_bottoms();
            }
            self.join(&level.tops, &level.bottoms, ends - 2, sum);
        }
        self.levels[ends / 2] = level;
    }

    /// Joins a top with a bottom whose states are nearly all that there can be.
    fn count_all(&mut self, top: &States<F>, bottom: &States<F>, ends: usize, sum: &mut Product) {
        let mut counts = vec![F::default(); matchings(ends) as usize];
        bottom.iter().for_each(|(rank, count)| counts[*rank as usize] += count);
        self.join_counts(top, &counts, ends, sum);
    }

    /// The map that contracts endpoint 0 with its mate in a group of the top.
    fn contraction(&self, group: &States<F>, ends: usize, rest: usize) -> &Map {
        let digit = group[0].0 as usize / rest;
        self.maps.get(Change::Contract(0, digit as u8 + 1), ends)
    }

    /// Joins a top with the counts of a bottom for all ranks, most of them not 0.
    fn join_counts(&mut self, top: &States<F>, counts: &[F], ends: usize, sum: &mut Product) {
        if ends <= ENDS_AT_ONCE {
            let mut listed = std::mem::take(&mut self.levels[ends / 2].listed);
            list(counts, &mut listed);
            self.join(top, &listed, ends, sum);
            self.levels[ends / 2].listed = listed;
            return;
        }
        let mut level = std::mem::take(&mut self.levels[ends / 2]);
        let rest = matchings(ends - 2) as usize;
        for group in top.chunk_by(|one, other| one.0 as usize / rest == other.0 as usize / rest) {
            level.take_group(group, rest);
            level.begin_sums(rest);
            self.contraction(group, ends, rest).add_all(counts, &mut level.dense);
            self.join_counts(&level.tops, &level.dense, ends - 2, sum);
        }
        self.levels[ends / 2] = level;
    }
}

/// Joins blocks of eight endpoints. The states of the top are sorted by rank.
fn join_eight<F: Factor>(
    top: &States<F>,
    bottom: &[F; PLACES],
    partners: &Partners,
    sum: &mut Product,
) {
    let digit = |rank: u64| rank as usize / CONTRACTED;
    for group in top.chunk_by(|one, other| digit(one.0) == digit(other.0)) {
        if group.len() < WORTH_CONTRACTING {
            look_up(group, bottom, |rank| &partners.of_eight[rank], sum);
            continue;
        }
        let mut left: [F; PLACES_LEFT] = std::array::from_fn(|_| F::default());
        for (left, sources) in left.iter_mut().zip(&partners.contracted[digit(group[0].0)]) {
            *left = added_up(bottom, sources);
        }
        look_up(group, &left, |rank| &partners.of_six[rank % CONTRACTED], sum);
    }
}

/// Adds the products of the counts of all states of the top with those of their partners.
fn look_up<'a, F: Factor, const M: usize, const N: usize>(
    top: &States<F>,
    bottom: &[F; M],
    partners: impl Fn(usize) -> &'a [u8; N],
    sum: &mut Product,
) {
    for (rank, count) in top {
        count.multiply_into(&added_up(bottom, partners(*rank as usize)), sum);
    }
}

/// Returns the sum of the counts at some places.
#[inline]
fn added_up<F: Factor, const M: usize, const N: usize>(counts: &[F; M], places: &[u8; N]) -> F {
    let mut total = F::default();
    for &place in places {
        total += &counts[usize::from(place) % M];
    }
    total
}

/// True if all top states, sorted by rank, have one of at most two mates of endpoint 0 that follow
/// each other.
fn has_few_digits<F>(top: &States<F>, rest: usize) -> bool {
    let digit = |state: Option<&(u64, F)>| state.map_or(0, |(rank, _)| *rank as usize / rest);
    digit(top.last()) - digit(top.first()) < 2
}

/// True if states of many endpoints are nearly all that there can be.
fn is_dense<F>(states: &States<F>, ends: usize) -> bool {
    ends > ENDS_AT_ONCE && matchings(ends) <= (DENSE * states.len()) as u64
}

/// Replaces states by those that have a count, of the counts of all ranks.
fn list<F: Factor>(counts: &[F], states: &mut Vec<(u64, F)>) {
    let all = counts.iter().enumerate().filter(|(_, count)| **count != F::default());
    states.clear();
    states.extend(all.map(|(rank, count)| (rank as u64, count.clone())));
}

/// Returns the sum of the counts of some states.
fn total<F: Factor>(states: &States<F>) -> F {
    let mut total = F::default();
    states.iter().for_each(|(_, count)| total += count);
    total
}

impl<F: Factor> Level<F> {
    /// Stores the top states of a group by the ranks that are left without endpoint 0 and its mate.
    fn take_group(&mut self, group: &States<F>, rest: usize) {
        self.tops.clear();
        self.tops.extend(group.iter().map(|(rank, count)| (rank % rest as u64, count.clone())));
    }

    /// Begins sums of counts with a place for each of some ranks.
    fn begin_sums(&mut self, ranks: usize) {
        self.dense.clear();
        self.dense.resize(ranks, F::default());
    }

    /// Sorts the bottom states by rank and adds up those of equal rank.
    fn add_up_bottoms(&mut self) {
        self.bottoms.sort_unstable_by_key(|state| state.0);
        self.bottoms.dedup_by(|one, kept| {
            let is_same = one.0 == kept.0;
            if is_same {
                kept.1 += &one.1;
            }
            is_same
        });
    }
}
