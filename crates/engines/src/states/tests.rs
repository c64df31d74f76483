//! Maps of matchings and joins of states, compared with naive implementations.

use super::count::{Factor, Product};
use super::join::{Contractions, Joiner};
use super::maps::Maps;
use super::matching::{Change, DEAD, matchings, rank, unrank};
use fastrand::Rng;
use num_bigint::BigUint;
use proptest::prelude::*;
use std::sync::Arc;

// Matchings

/// A random matching of a number of endpoints.
fn any_rank(random: &mut Rng, ends: usize) -> u64 {
    random.u64(0..matchings(ends))
}

/// A random change that a number of endpoints can undergo.
fn any_change(random: &mut Rng, ends: usize) -> Change {
    let two_of = |random: &mut Rng, ends: usize| {
        let one = random.usize(0..ends - 1);
        (one as u8, random.usize(one + 1..ends) as u8)
    };
    match random.u8(0..4) {
        0 => {
            let (one, other) = two_of(random, ends + 2);
            Change::Insert(one, other)
        }
        1 if ends > 0 => Change::Move(random.usize(0..ends) as u8, random.usize(0..ends) as u8),
        2 if ends > 1 => {
            let (one, other) = two_of(random, ends);
            Change::Contract(one, other)
        }
        _ => {
            let middle = random.usize(0..=ends.min(4));
            let left = random.usize(0..=ends - middle) as u8;
            let middle = middle as u8;
            Change::Mirror { left, middle }
        }
    }
}

/// The rank after a change, computed by rearranging a list of named endpoints.
pub(crate) fn moved_about(change: Change, matching: u64, ends: usize) -> u64 {
    let mates = unrank(matching, ends);
    let mut order: Vec<usize> = (0..ends).collect();
    let mut mate: Vec<usize> = (0..ends).map(|end| usize::from(mates[end])).collect();
    match change {
        Change::Insert(one, other) => {
            order.insert(one.into(), ends);
            order.insert(other.into(), ends + 1);
            mate.extend([ends + 1, ends]);
        }
        Change::Move(from, to) => {
            let end = order.remove(from.into());
            order.insert(to.into(), end);
        }
        Change::Contract(one, other) => {
            let (one, other) = (usize::from(one), usize::from(other));
            if mate[one] == other {
                return DEAD;
            }
            let (first, second) = (mate[one], mate[other]);
            mate[first] = second;
            mate[second] = first;
            order.retain(|&end| end != one && end != other);
        }
        Change::Mirror { left, middle } => {
            let (left, middle) = (usize::from(left), usize::from(middle));
            let kept: Vec<usize> = order.drain(left..left + middle).collect();
            order.reverse();
            let right = order.len() - left;
            order.splice(right..right, kept);
        }
    }
    let mut after = unrank(0, 0);
    for (place, end) in order.iter().enumerate() {
        let of_mate = order.iter().position(|other| *other == mate[*end]);
        after[place] = of_mate.expect("its mate is there") as u8;
    }
    rank(&after, order.len())
}

#[test]
fn the_example_of_a_rank_is_right_and_every_rank_comes_back() {
    let pairs = [(0, 3), (1, 4), (2, 5)];
    let mates = unrank(7, 6);
    for (one, other) in pairs {
        assert_eq!((mates[one], mates[other]), (other as u8, one as u8));
    }
    for ends in (0..=10).step_by(2) {
        for matching in 0..matchings(ends) {
            let mates = unrank(matching, ends);
            assert!((0..ends).all(|end| usize::from(mates[usize::from(mates[end])]) == end
                && usize::from(mates[end]) != end));
            assert_eq!(rank(&mates, ends), matching);
        }
    }
}

#[test]
fn every_map_of_up_to_8_ends_is_what_moving_the_ends_about_comes_to() {
    let maps = Maps::default();
    for ends in (0..=8_usize).step_by(2) {
        let places = 0..ends as u8 + 2;
        let all = places.clone().flat_map(|one| places.clone().map(move |other| (one, other)));
        for (one, other) in all {
            let within = usize::from(one.max(other)) < ends;
            let changes = [
                (one < other).then_some(Change::Insert(one, other)),
                within.then_some(Change::Move(one, other)),
                (one < other && within).then_some(Change::Contract(one, other)),
                (usize::from(one) + usize::from(other) <= ends)
                    .then_some(Change::Mirror { left: one, middle: other }),
            ];
            for change in changes.into_iter().flatten() {
                let map = maps.get(change, ends);
                for matching in 0..matchings(ends) {
                    let expected = moved_about(change, matching, ends);
                    assert_eq!(map.of(matching), expected, "{change:?} of {matching}");
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_map_of_many_ends_is_what_moving_the_ends_about_comes_to(
        ends in proptest::sample::select(vec![10_usize, 12, 14, 16, 18, 20, 22, 26, 30]),
        seed in any::<u64>(),
    ) {
        let mut random = Rng::with_seed(seed);
        let change = any_change(&mut random, ends);
        let maps = Maps::default();
        let map = maps.get(change, ends);
        for _ in 0..2_000 {
            let matching = any_rank(&mut random, ends);
            let expected = moved_about(change, matching, ends);
            prop_assert_eq!(map.of(matching), expected, "{:?} of {} of {} ends", change, matching, ends);
        }
    }
}

#[test]
fn the_counts_of_all_ranks_go_where_each_rank_goes() {
    let mut random = Rng::with_seed(1);
    for ends in [2_usize, 6, 12, 14, 14, 14, 14] {
        let change = any_change(&mut random, ends);
        let maps = Maps::default();
        let map = maps.get(change, ends);
        let counts: Vec<u64> = (0..matchings(ends)).map(|_| random.u64(..1 << 40)).collect();
        let mut expected = vec![7; matchings(change.ends_after(ends)) as usize];
        let mut sums = expected.clone();
        for (rank, count) in (0..).zip(&counts) {
            let to = map.of(rank);
            if to != DEAD {
                expected[to as usize] += count;
            }
        }
        map.add_all(&counts, &mut sums);
        assert!(sums == expected, "{change:?} of {ends} ends");
    }
}

#[test]
fn the_sources_of_a_matching_are_all_that_lead_to_it() {
    for ends in [2_usize, 4, 6, 8] {
        let places = |to: usize| {
            (0..to as u8).flat_map(move |one| (0..to as u8).map(move |other| (one, other)))
        };
        let pairs = |to: usize| places(to).filter(|(one, other)| one < other);
        let inserted = pairs(ends + 2).map(|(one, other)| Change::Insert(one, other));
        let moved = places(ends).map(|(one, other)| Change::Move(one, other));
        let contracted = pairs(ends).map(|(one, other)| Change::Contract(one, other));
        for change in inserted.chain(moved).chain(contracted) {
            for after in 0..matchings(change.ends_after(ends)) {
                let all = (0..matchings(ends)).filter(|&rank| change.of_rank(rank, ends) == after);
                let all: Vec<u64> = all.collect();
                assert_eq!(change.sources(after, ends), all, "{change:?} of {ends} to {after}");
            }
        }
    }
}

// Joins

/// True if two matchings form a single cycle.
fn is_one_cycle(one: u64, other: u64, ends: usize) -> bool {
    let (one, other) = (unrank(one, ends), unrank(other, ends));
    let (mut end, mut passed) = (0, 0);
    loop {
        end = usize::from(other[usize::from(one[end])]);
        passed += 2;
        if end == 0 {
            return passed == ends;
        }
    }
}

/// Random states with ascending ranks.
pub(crate) fn any_states(random: &mut Rng, ends: usize, most: usize) -> Vec<(u64, u32)> {
    let ranks: std::collections::BTreeSet<u64> =
        (0..random.usize(1..=most)).map(|_| any_rank(random, ends)).collect();
    let count = |random: &mut Rng| if random.bool() { random.u32(..) } else { random.u32(1..5) };
    ranks.into_iter().map(|rank| (rank, count(random))).collect()
}

fn joined<F: Factor>(
    [top, bottom]: [&[(u64, u32)]; 2],
    ends: usize,
    times: &BigUint,
    factor: impl Fn(BigUint) -> F,
) -> BigUint {
    let contractions = Contractions::default();
    let mut joiner = Joiner::<F>::new(Arc::default(), &contractions);
    let states = |states: &[(u64, u32)]| -> Vec<(u64, F)> {
        let state = |&(rank, count): &(u64, u32)| (rank, factor(times * count));
        states.iter().map(state).collect()
    };
    let mut sum = Product::default();
    joiner.join(&states(top), &states(bottom), ends, &mut sum);
    // A second join must add the same again: a joiner keeps nothing between joins.
    joiner.join(&states(top), &states(bottom), ends, &mut sum);
    sum.total()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn states_joined_by_contraction_are_those_whose_pairs_make_one_cycle(
        half in 1..=11_usize,
        sizes in proptest::sample::select(vec![[3, 3], [4, 300], [300, 4], [200, 200], [100, 4_000]]),
        seed in any::<u64>(),
    ) {
        let ends = 2 * half;
        let mut random = Rng::with_seed(seed);
        let [top, bottom] = sizes.map(|most| any_states(&mut random, ends, most));
        let mut expected = BigUint::default();
        for (one, count) in &top {
            for (other, others) in &bottom {
                if is_one_cycle(*one, *other, ends) {
                    expected += 2 * u128::from(*count) * u128::from(*others);
                }
            }
        }
        let sides = [&top[..], &bottom[..]];
        let narrow = |count: BigUint| u64::try_from(count).expect("fits");
        let wide = |count: BigUint| u128::try_from(count).expect("fits");
        prop_assert_eq!(joined(sides, ends, &1_u32.into(), narrow), expected.clone());
        for bits in [0, 20, 64, 80] {
            let times = BigUint::from(1_u32) << bits;
            let expected: BigUint = &expected << (2 * bits);
            prop_assert_eq!(joined(sides, ends, &times, wide), expected.clone());
            prop_assert_eq!(joined(sides, ends, &times, |count| count), expected);
        }
    }
}

#[test]
fn all_matchings_at_once_are_joined_as_their_parts_are() {
    let mut random = Rng::with_seed(2);
    for ends in [14, 16] {
        let top = any_states(&mut random, ends, 400);
        assert!(top.len() > ends);
        let count = |rank| (rank, random.u32(1..1 << 20));
        let bottom: Vec<(u64, u32)> = (0..matchings(ends)).map(count).collect();
        let narrow = |count: BigUint| u64::try_from(count).expect("fits");
        let once = BigUint::from(1_u32);
        let joined = |bottom: &[(u64, u32)]| joined([&top, bottom], ends, &once, narrow);
        // A tenth of all is not taken as counts of all.
        let parts = bottom.chunks(bottom.len().div_ceil(10)).map(joined);
        assert_eq!(parts.sum::<BigUint>(), joined(&bottom), "{ends}");
    }
}

#[test]
fn all_matchings_at_once_are_changed_as_each_of_them_is() {
    let (mut random, contractions) = (Rng::with_seed(3), Contractions::default());
    let changes = [(0, 13), (5, 2), (7, 7), (13, 1)].map(|(from, to)| Change::Move(from, to));
    let mut joiner = Joiner::<u64>::new(Arc::default(), &contractions);
    let all: Vec<(u64, u64)> = (0..matchings(14)).map(|rank| (rank, random.u64(1..))).collect();
    for most in [all.len(), 100] {
        let mut changed = all[..most].to_vec();
        joiner.change_all(&changes, 14, &mut changed);
        changed.sort_unstable();
        let after = |rank| changes.iter().fold(rank, |rank, &change| moved_about(change, rank, 14));
        let mut expected: Vec<_> = all[..most].iter().map(|of| (after(of.0), of.1)).collect();
        expected.sort_unstable();
        assert!(changed == expected, "{most}");
    }
}
