//! Where the halves of a board meet.
//!
//! A state of the top half and one of the bottom half make tours when each shared square gets two edges from
//! both together, and when their fragments close into one cycle. For open tours a hidden end is tied to the other
//! one: two loose ends of the same half count as a pair, and where each half has one, both are paired
//! with one more end that stands for the tour's ends. So open tours are single cycles too.
//!
//! Both halves are grouped by *pattern*: the degrees and the number of loose ends of the top half. Within a
//! pattern a state is no more than the rank of a matching, and every pair is tested ([`super::matching`]). The
//! cost is the sum of the products of the groups' sizes, a look into a table for each pair.

use super::count::{Count, Total};
use super::matching::{
    ENDS_LOOKED_UP, MOST_ENDS, Matchings, Mates, Row, WORDS_OF_ROW, matchings, rank,
};
use super::state::{
    complement_reversed, degrees, ends, for_each_pair, kinds_of, loose, loose_ends, squares_of,
};
use super::table::Entry;
use std::ops::Range;

/// A state's numbers as the join adds and multiplies them: first the ways, then those of ends.
pub(crate) trait Joined<const N: usize>: Count + Copy {
    fn numbers(&self) -> [u128; N];
}

impl Joined<1> for u64 {
    #[inline(always)]
    fn numbers(&self) -> [u128; 1] {
        [(*self).into()]
    }
}

impl Joined<1> for u128 {
    #[inline(always)]
    fn numbers(&self) -> [u128; 1] {
        [*self]
    }
}

/// Which half a state is of, and how its window is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Side {
    /// The squares that the halves share.
    pub window: usize,
    /// Whether this is the bottom half, whose window runs the other way.
    pub is_bottom: bool,
    /// How many ends the tours have: 2 or none.
    pub ends: u32,
}

/// The bit above all kinds from which the loose ends are counted in a pattern.
const LOOSE_SHIFT: u32 = 40;

impl Side {
    /// What has to agree in both halves, as the top half has it.
    #[inline]
    pub(super) fn pattern(self, key: u64) -> u64 {
        let kinds = kinds_of(key);
        let (degrees, loose) = (degrees(kinds), loose_ends(kinds));
        match self.is_bottom {
            false => degrees | u64::from(loose) << LOOSE_SHIFT,
            true => {
                let degrees = complement_reversed(degrees, self.window);
                degrees | u64::from(self.ends.wrapping_sub(loose)) << LOOSE_SHIFT
            }
        }
    }

    /// How the matchings of states with these kinds are to be read.
    fn reading(self, kinds: u64) -> Reading {
        let loose = loose(kinds);
        let hidden = usize::from(loose_ends(kinds) == 1);
        let (squares, count) = squares_of(ends(kinds) | loose);
        let mut reading = Reading {
            places: [0; MOST_ENDS],
            ends: 0,
            mates: [0; MOST_ENDS],
            all: hidden + count,
        };
        // The hidden end, if there is one, is number 0.
        let mut tied = (hidden == 1).then_some(0);
        for (index, &square) in squares[..count].iter().enumerate() {
            let place = match self.is_bottom {
                true => hidden + count - 1 - index,
                false => hidden + index,
            };
            if loose >> (2 * square) & 1 == 0 {
                reading.places[reading.ends] = place as u8;
                reading.ends += 1;
            } else if let Some(other) = tied.replace(place) {
                reading.pair(place, other);
            }
        }
        reading
    }

    /// The number of ends in the matchings of a pattern.
    fn ends_of(pattern: u64) -> usize {
        let ends = (pattern & (pattern >> 1) & 0x5555_5555_5555_5555 & ((1 << LOOSE_SHIFT) - 1))
            .count_ones();
        (ends + (ends & 1)) as usize
    }
}

/// What all states of the same kinds have in common.
struct Reading {
    /// Which end of the matching each end of the window is, and how many there are.
    places: [u8; MOST_ENDS],
    ends: usize,
    /// The mates of the loose ends and the hidden one, and the number of all ends.
    mates: Mates,
    all: usize,
}

impl Reading {
    #[inline(always)]
    fn pair(&mut self, one: usize, other: usize) {
        self.mates[one] = other as u8;
        self.mates[other] = one as u8;
    }

    /// The rank of the matching that a state stands for.
    fn matching(&mut self, key: u64) -> u32 {
        for_each_pair(key, self.ends, |one, other| {
            self.pair(self.places[one].into(), self.places[other].into());
        });
        rank(&self.mates, self.all)
    }
}

/// A state as the join sees it.
#[derive(Debug, Clone, Copy)]
struct Half<C> {
    pattern: u64,
    matching: u32,
    count: C,
}

/// The tours that the states of one partition of both halves make, and their ends.
pub(crate) fn join<const N: usize, C: Joined<N>>(
    tables: &Matchings,
    (top, top_side): (&[Entry<C>], Side),
    (bottom, bottom_side): (&[Entry<C>], Side),
) -> [Total; N] {
    let (top, bottom) = (halves(top, top_side), halves(bottom, bottom_side));
    let mut totals = std::array::from_fn(|_| Total::default());
    let mut groups = Groups {
        narrow: Group::new(tables),
        wide: Group::new(tables),
    };
    let mut rest = bottom.as_slice();
    for top in top.chunk_by(|one, other| one.pattern == other.pattern) {
        let pattern = top[0].pattern;
        rest = &rest[rest.partition_point(|half| half.pattern < pattern)..];
        let (met, _) = rest.split_at(rest.partition_point(|half| half.pattern == pattern));
        if !met.is_empty() && Side::ends_of(pattern) > 0 {
            groups.join(top, met, &mut totals);
        }
    }
    totals
}

/// The states of a partition, which come in the order of their keys, in that of their patterns; those of the
/// bottom half, of which a tree is made, in that of their matchings within a pattern.
fn halves<C: Count + Copy>(states: &[Entry<C>], side: Side) -> Vec<Half<C>> {
    let are_alike = |one: &Entry<C>, other: &Entry<C>| kinds_of(one.0) == kinds_of(other.0);
    let alike = states.chunk_by(are_alike);
    let mut alike: Vec<_> = alike.map(|run| (side.pattern(run[0].0), run)).collect();
    alike.sort_unstable_by_key(|(pattern, _)| *pattern);
    let halves = alike.into_iter().flat_map(|(pattern, run)| {
        let mut reading = side.reading(kinds_of(run[0].0));
        run.iter().map(move |&(key, count)| Half {
            pattern,
            matching: reading.matching(key),
            count,
        })
    });
    let mut halves: Vec<Half<C>> = halves.collect();
    if side.is_bottom {
        for group in halves.chunk_by_mut(|one, other| one.pattern == other.pattern) {
            group.sort_unstable_by_key(|half| half.matching);
        }
    }
    halves
}

/// A word that sums over the bottom states of a pattern fit.
trait Word: Copy {
    const ZERO: Self;
    /// The low bits.
    fn of(number: u128) -> Self;
    fn wide(self) -> u128;
    /// The word or 0, by a mask of all ones or none.
    fn masked(self, mask: i64) -> Self;
    fn plus(self, other: Self) -> Self;
}

macro_rules! word {
    ($word:ty) => {
        impl Word for $word {
            const ZERO: Self = 0;

            fn of(number: u128) -> Self {
                number as Self
            }

            fn wide(self) -> u128 {
                self.into()
            }

            #[inline(always)]
            fn masked(self, mask: i64) -> Self {
                self & mask as Self
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
        }
    };
}

word!(u64);
word!(u128);

/// Most sums fit 64 bits, and then a pair takes half the time.
struct Groups<'a, const N: usize> {
    narrow: Group<'a, u64, N>,
    wide: Group<'a, u128, N>,
}

impl<const N: usize> Groups<'_, N> {
    fn join<C: Joined<N>>(&mut self, top: &[Half<C>], bottom: &[Half<C>], totals: &mut [Total; N]) {
        let numbers = |half: &Half<C>| half.count.numbers();
        let mut all = bottom.iter().map(numbers);
        match all.try_fold([0; N], checked_sum) {
            Some(sums) if sums.iter().all(|&sum| sum <= u64::MAX.into()) => {
                self.narrow.join(top, bottom, totals);
            }
            None if bottom.len() > 1 => {
                for single in bottom.chunks(1) {
                    self.join(top, single, totals);
                }
            }
            _ => self.wide.join(top, bottom, totals),
        }
    }
}

/// The bottom states of a pattern as a tree: their matchings digit by digit, down to ranks that are
/// looked up.
struct Group<'a, W, const N: usize> {
    tables: &'a Matchings,
    /// Level by level, runs of equal digits: the digit and which runs of the next level it spans; of
    /// the last level, which leaves.
    levels: Vec<Vec<(u32, Range<usize>)>>,
    leaves: Vec<(u32, [W; N])>,
}

impl<'a, W: Word, const N: usize> Group<'a, W, N> {
    fn new(tables: &'a Matchings) -> Self {
        Self {
            tables,
            levels: Vec::new(),
            leaves: Vec::new(),
        }
    }

    fn join<C: Joined<N>>(&mut self, top: &[Half<C>], bottom: &[Half<C>], totals: &mut [Total; N]) {
        let ends = Side::ends_of(top[0].pattern);
        self.plant(bottom, ends);
        let roots = 0..self.levels.first().map_or(0, Vec::len);
        for half in top {
            let met = self.sum(0, roots.clone(), half.matching, ends);
            let (met, ours) = (met.map(W::wide), half.count.numbers());
            totals[0].add_product(met[0], ours[0]);
            for end in 1..N {
                totals[end].add_product(met[end], ours[0]);
                totals[end].add_product(met[0], ours[end]);
            }
        }
    }

    /// Makes the tree of the bottom states, which come in the order of their matchings.
    fn plant<C: Joined<N>>(&mut self, bottom: &[Half<C>], ends: usize) {
        let depth = ends.saturating_sub(ENDS_LOOKED_UP).div_ceil(2);
        self.levels.iter_mut().for_each(Vec::clear);
        self.levels.resize(depth, Vec::new());
        self.leaves.clear();
        let mut before = None;
        for half in bottom {
            let changed = self.first_change(before, half.matching, ends, depth);
            for level in changed..depth {
                let block = matchings(ends - 2 * level - 2);
                let digit = half.matching % matchings(ends - 2 * level) / block;
                let begin = match self.levels.get(level + 1) {
                    Some(next) => next.len(),
                    None => self.leaves.len(),
                };
                self.levels[level].push((digit, begin..begin));
            }
            self.leaves.push((
                half.matching % matchings(ends - 2 * depth),
                half.count.numbers().map(W::of),
            ));
            for level in 0..depth {
                let end = self
                    .levels
                    .get(level + 1)
                    .map_or(self.leaves.len(), Vec::len);
                if let Some((_, run)) = self.levels[level].last_mut() {
                    run.end = end;
                }
            }
            before = Some(half.matching);
        }
    }

    /// The first level on which a matching has another digit than the one before.
    fn first_change(&self, before: Option<u32>, matching: u32, ends: usize, depth: usize) -> usize {
        let Some(before) = before else { return 0 };
        let differs = |&level: &usize| {
            let block = matchings(ends - 2 * level - 2);
            before / block != matching / block
        };
        (0..depth).find(differs).unwrap_or(depth)
    }

    /// The ways to close a matching into a single cycle with one of the tree's from `level` on.
    fn sum(&self, level: usize, runs: Range<usize>, matching: u32, ends: usize) -> [W; N] {
        if level == self.levels.len() {
            let leaves = if level == 0 {
                &self.leaves
            } else {
                &self.leaves[runs]
            };
            return looked_up(&self.tables.single_cycles(ends)[matching as usize], leaves);
        }
        let runs = self.levels[level][runs].iter();
        let under = |(digit, run): &(u32, Range<usize>)| {
            let rest = self.tables.contracted(matching, ends, *digit as usize);
            rest.map_or([W::ZERO; N], |rest| {
                self.sum(level + 1, run.clone(), rest, ends - 2)
            })
        };
        runs.map(under).fold([W::ZERO; N], sum_of_some)
    }
}

#[inline]
fn looked_up<W: Word, const N: usize>(row: &Row, leaves: &[(u32, [W; N])]) -> [W; N] {
    let met = |&(matching, numbers): &(u32, [W; N])| {
        // A row has more words than are met, so that none needs to be checked for.
        let word = row[matching as usize / 64 % WORDS_OF_ROW];
        // Shifted and not compared, for a branch is mispredicted every other time and takes three times as long.
        let mask = ((word << (!matching % 64)) as i64) >> 63;
        numbers.map(|number| number.masked(mask))
    };
    leaves.iter().map(met).fold([W::ZERO; N], sum_of_some)
}

fn checked_sum<const N: usize>(mut sum: [u128; N], numbers: [u128; N]) -> Option<[u128; N]> {
    for (sum, number) in sum.iter_mut().zip(numbers) {
        *sum = sum.checked_add(number)?;
    }
    Some(sum)
}

/// The sum of some numbers of a group, when that of all is known to fit.
#[inline(always)]
fn sum_of_some<W: Word, const N: usize>(sum: [W; N], numbers: [W; N]) -> [W; N] {
    std::array::from_fn(|number| sum[number].plus(numbers[number]))
}
