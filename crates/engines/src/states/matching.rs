//! Perfect matchings of the endpoints of paths, numbered by rank, and the effect of an edge on a
//! matching.
//!
//! An endpoint is an end of a path of chosen edges, and its mate is the other end of the same path.
//! A matching of `ends` endpoints is a rank below `(ends - 1)!!`. The first digit of the rank is
//! the mate of endpoint 0, counted from endpoint 1. The other digits are the rank of the matching
//! that is left without these two endpoints. So the matchings of six endpoints have the ranks 0 to
//! 14. Rank 7 = 2 * 3 + 1 joins endpoint 0 to endpoint 3; of the endpoints 1, 2, 4 and 5 that are
//! left, digit 1 joins the first to the third, that is 1 to 4, and then 2 to 5.
//!
//! An edge changes the matching by one [`Change`]: it inserts a pair of endpoints, moves an
//! endpoint to another place, or contracts two endpoints. Computing the new rank by unranking into
//! mates and ranking again costs 60 to 100 ns. A table look-up costs one or two. For up to
//! [`ENDS_TABLED`] endpoints, a change is therefore one table of at most 10,395 ranks, small enough
//! for the cache next to a core. For more endpoints a table would not fit, but once the first digit
//! is known, a change of the whole is one or two changes of the rest ([`below`]). Such a [`Map`]
//! branches on the first digit to maps of two endpoints fewer, until a table fits. Flattened lists
//! of tables, by all leading digits at once, took 3 % less time on 8x8 open and a hundred lines
//! more.

use std::ops::AddAssign;
use std::sync::Arc;

/// The largest number of endpoints: one for each slot of a pattern.
pub(crate) const MOST_ENDS: usize = 32;

/// Up to this number of endpoints, before and after, a change is one table.
const ENDS_TABLED: usize = 12;

/// The rank that stands for no matching: an edge joined the two ends of one path, so that a cycle
/// closed too early.
pub(crate) const DEAD: u64 = u64::MAX;

/// [`DEAD`] as it stands in a table. It is larger than all ranks in tables, too.
pub(crate) const DEAD_TABLED: u16 = u16::MAX;

/// Returns the number of matchings of a number of endpoints, `(ends - 1)!!`. For 32 endpoints that
/// is 1.9e17.
pub(crate) const fn matchings(ends: usize) -> u64 {
    MATCHINGS[ends / 2]
}

/// The numbers of matchings, by half the number of endpoints.
const MATCHINGS: [u64; MOST_ENDS / 2 + 1] = {
    let mut all = [1; MOST_ENDS / 2 + 1];
    let mut half = 2;
    while half < all.len() {
        all[half] = all[half - 1] * (2 * half as u64 - 1);
        half += 1;
    }
    all
};

/// An integer type for ranks. The ranks of matchings of up to 20 endpoints fit 32 bits.
pub(crate) trait Rank:
    Copy + Default + Ord + Into<u64> + std::fmt::Debug + Send + Sync + 'static
{
    /// The largest number of endpoints whose ranks all fit.
    const MOST_ENDS: usize;

    /// Converts a rank that fits, or [`DEAD`].
    fn of(rank: u64) -> Self;
}

impl Rank for u32 {
    const MOST_ENDS: usize = 20;

    #[inline]
    fn of(rank: u64) -> Self {
        // `DEAD` has all bits set, so that the narrower value has all bits set too.
        rank as Self
    }
}

impl Rank for u64 {
    const MOST_ENDS: usize = MOST_ENDS;

    #[inline]
    fn of(rank: u64) -> Self {
        rank
    }
}

/// The mate of each endpoint.
pub(crate) type Mates = [u8; MOST_ENDS];

/// Returns the mates of all endpoints of the matching with a rank.
pub(crate) fn unrank(mut rank: u64, ends: usize) -> Mates {
    let mut mates = [0; MOST_ENDS];
    let mut free: [u8; MOST_ENDS] = std::array::from_fn(|end| end as u8);
    let mut left = ends;
    while left > 0 {
        let rest = matchings(left - 2);
        let mate = (rank / rest) as usize + 1;
        rank %= rest;
        mates[usize::from(free[0])] = free[mate];
        mates[usize::from(free[mate])] = free[0];
        free.copy_within(mate + 1..left, mate);
        free.copy_within(1..left, 0);
        left -= 2;
    }
    mates
}

/// Returns the rank of a matching. It is the inverse of [`unrank`].
pub(crate) fn rank(mates: &Mates, ends: usize) -> u64 {
    let mut free = (1_u64 << ends) - 1;
    let (mut rank, mut left) = (0, ends as u64);
    while free != 0 {
        let mate = 1_u64 << mates[free.trailing_zeros() as usize];
        free &= free - 1;
        rank = rank * (left - 1) + u64::from((free & (mate - 1)).count_ones());
        free &= !mate;
        left -= 2;
    }
    rank
}

/// A change of a matching. Endpoints are numbered in the order of their slots, so a change can
/// renumber endpoints that it does not touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Change {
    /// Two new endpoints, mates of each other, appear at these places. The lower place comes first.
    Insert(u8, u8),
    /// The endpoint at the first place moves to the second.
    Move(u8, u8),
    /// The endpoints at these places, the lower first, are joined and vanish. Their mates become
    /// mates of each other.
    Contract(u8, u8),
    /// The mirror image. The order of the endpoints is reversed, except that the `middle` endpoints
    /// that follow the first `left` keep their order, between the others.
    Mirror { left: u8, middle: u8 },
}

use Change::{Contract, Insert, Mirror, Move};

impl Change {
    /// Returns the number of endpoints after the change.
    pub fn ends_after(self, ends: usize) -> usize {
        match self {
            Insert(..) => ends + 2,
            Move(..) | Mirror { .. } => ends,
            Contract(..) => ends - 2,
        }
    }

    /// Returns the new place of an endpoint that does not vanish.
    fn place(self, end: u8, ends: usize) -> u8 {
        match self {
            Insert(one, other) => {
                let end = end + u8::from(end >= one);
                end + u8::from(end >= other)
            }
            Move(from, to) if end == from => to,
            Move(from, to) => {
                let end = end - u8::from(end > from);
                end + u8::from(end >= to)
            }
            Contract(one, other) => end - u8::from(end > one) - u8::from(end > other),
            Mirror { left, middle } => {
                if end >= left && end < left + middle {
                    ends as u8 + end - middle - 2 * left
                } else {
                    ends as u8 - 1 - end
                }
            }
        }
    }

    /// Returns the mates after the change. If the contracted endpoints are mates of each other, the
    /// result holds the mates of the other endpoints.
    pub fn of_mates(self, mates: &Mates, ends: usize) -> Mates {
        let mut after = [0; MOST_ENDS];
        let mut join = |one: u8, other: u8| {
            after[usize::from(one)] = other;
            after[usize::from(other)] = one;
        };
        let gone = match self {
            Contract(one, other) => [Some(one), Some(other)],
            _ => [None; 2],
        };
        for end in (0..ends as u8).filter(|&end| !gone.contains(&Some(end))) {
            let mut mate = mates[usize::from(end)];
            if let Contract(one, other) = self {
                mate = match mate {
                    _ if mate == one => mates[usize::from(other)],
                    _ if mate == other => mates[usize::from(one)],
                    _ => mate,
                };
            }
            join(self.place(end, ends), self.place(mate, ends));
        }
        if let Insert(one, other) = self {
            join(one, other);
        }
        after
    }

    /// Returns the rank after the change, or [`DEAD`]. It uses no table and takes 60 to 100 ns.
    pub fn of_rank(self, matching: u64, ends: usize) -> u64 {
        let mates = unrank(matching, ends);
        match self {
            Contract(one, other) if mates[usize::from(one)] == other => DEAD,
            _ => rank(&self.of_mates(&mates, ends), self.ends_after(ends)),
        }
    }
    /// Returns all ranks of matchings of `ends` endpoints that the change maps to a rank, in
    /// ascending order.
    pub fn sources(self, after: u64, ends: usize) -> Vec<u64> {
        let ends_after = self.ends_after(ends);
        match self {
            Insert(one, other) => {
                let mates = unrank(after, ends_after);
                let is_pair = mates[usize::from(one)] == other;
                let without = || rank(&Contract(one, other).of_mates(&mates, ends_after), ends);
                is_pair.then(without).into_iter().collect()
            }
            Move(from, to) => vec![Move(to, from).of_rank(after, ends)],
            Mirror { .. } => vec![self.of_rank(after, ends)],
            Contract(one, other) => {
                // Each path that is left may be the one that was formed, with its two ends either
                // way round.
                let mates = Insert(one, other).of_mates(&unrank(after, ends_after), ends_after);
                let mut sources = Vec::new();
                for end in (0..ends as u8).filter(|end| ![one, other].contains(end)) {
                    let mut before = mates;
                    for (of_pair, end) in [(one, end), (other, mates[usize::from(end)])] {
                        before[usize::from(of_pair)] = end;
                        before[usize::from(end)] = of_pair;
                    }
                    sources.push(rank(&before, ends));
                }
                sources.sort_unstable();
                sources
            }
        }
    }
}

/// Returns the effect of a change on those matchings of `ends` endpoints in which endpoint 0 is
/// joined to `mate`.
///
/// A change that touches neither endpoint 0 nor its mate is the same change of the rest. If it
/// contracts one of the two, the other takes the place of the endpoint with which that one was
/// contracted, which is a move in the rest. If another endpoint becomes the first, or the order is
/// reversed, the rest is changed without the pair, and then the pair is inserted where it belongs.
fn below(change: Change, ends: usize, mate: u8) -> Branch<Change> {
    let in_rest = |end: u8| end - 1 - u8::from(end > mate);
    let mate_after = change.place(mate, ends);
    let in_rest_after = |end: u8| end - 1 - u8::from(end > mate_after);
    let digit = |size: usize| u64::from(mate_after - 1) * matchings(size);
    let pair_after = || {
        let (one, other) = (change.place(0, ends), mate_after);
        Insert(one.min(other), one.max(other))
    };
    match change {
        Insert(0, other) => {
            let first = u64::from(other - 1) * matchings(ends);
            Branch::Kept(first + u64::from(mate - 1) * matchings(ends - 2))
        }
        Insert(one, other) => {
            Branch::Changed(digit(ends), Insert(in_rest_after(one), in_rest_after(other)))
        }
        Move(0, 0) => Branch::Kept(u64::from(mate - 1) * matchings(ends - 2)),
        Move(0, to) => Branch::Changed(0, Insert(to.min(mate_after), to.max(mate_after))),
        Move(from, 0) if from == mate => Branch::Kept(0),
        Move(from, 0) => Branch::Twice(Move(in_rest(from), 0), pair_after()),
        Move(from, to) if from == mate => Branch::Kept(u64::from(to - 1) * matchings(ends - 2)),
        Move(from, to) => Branch::Changed(digit(ends - 2), Move(in_rest(from), in_rest_after(to))),
        Contract(0, other) if other == mate => Branch::Dead,
        Contract(0, other) => Branch::Changed(0, Move(in_rest(other), mate_after)),
        Contract(one, other) if one == mate => Branch::Changed(0, Move(in_rest(other), 0)),
        Contract(one, other) if other == mate => Branch::Changed(0, Move(in_rest(one), 0)),
        Contract(one, other) => {
            Branch::Changed(digit(ends - 4), Contract(in_rest(one), in_rest(other)))
        }
        Mirror { left, middle } => {
            let count = |from: u8, to: u8| {
                [0, mate].iter().filter(|end| (from..to).contains(end)).count() as u8
            };
            let of_rest =
                Mirror { left: left - count(0, left), middle: middle - count(left, left + middle) };
            Branch::Twice(of_rest, pair_after())
        }
    }
}

/// A change as a function from ranks to ranks.
#[derive(Debug)]
pub(crate) enum Map {
    /// The new rank of each rank.
    Table(Box<[u16]>),
    /// The function of the rest for each first digit.
    Branches(FirstDigit, Vec<Branch<Arc<Map>>>),
}

/// Splits ranks into their first digits and their rests.
#[derive(Debug)]
pub(crate) struct FirstDigit {
    /// The number of ranks that share a first digit.
    size: u64,
    /// 2^64 divided by `size` and rounded up, or 0 where that is not exact enough.
    inverse: u64,
}

impl FirstDigit {
    /// Returns the split of matchings of `ends` endpoints, more than two.
    fn new(ends: usize) -> Self {
        let size = matchings(ends - 2);
        // The inverse is too large by less than 1, and so the product with a rank by less than the
        // rank. The result is exact if the size times that is at most 2^64.
        let is_exact = u128::from(size) * u128::from(matchings(ends)) <= 1 << 64;
        Self { size, inverse: if is_exact { u64::MAX / size + 1 } else { 0 } }
    }

    /// Returns the first digit and the rest of a rank. A multiplication takes a fraction of the
    /// time of a division.
    #[inline]
    fn split(&self, rank: u64) -> (usize, u64) {
        let digit = match self.inverse {
            0 => rank / self.size,
            inverse => ((u128::from(rank) * u128::from(inverse)) >> 64) as u64,
        };
        (digit as usize, rank - digit * self.size)
    }
}

/// The effect of a change on the matchings with a given first digit: a function from the *rest* of
/// a rank, which is the rank without its first digit, to the new rank of the whole. `M` is a change
/// of the rest, or its map.
#[derive(Debug)]
pub(crate) enum Branch<M> {
    /// No matching is left.
    Dead,
    /// The rest stays; the number is added to its rank.
    Kept(u64),
    /// The rest is changed; the number is added to its new rank.
    Changed(u64, M),
    /// The rest is changed, and then the first pair is inserted again.
    Twice(M, M),
}

impl Map {
    /// Computes the map of a change from maps of two endpoints fewer.
    pub fn new(change: Change, ends: usize, of: impl Fn(Change, usize) -> Arc<Self>) -> Self {
        // Without endpoints, only an insertion or the mirror image of nothing is possible.
        if ends == 0 {
            return Self::Table([change.of_rank(0, 0) as u16].into());
        }
        let size = matchings(ends - 2);
        let branch = |mate: u8| match below(change, ends, mate) {
            Branch::Dead => Branch::Dead,
            Branch::Kept(base) => Branch::Kept(base),
            Branch::Changed(base, of_rest) => Branch::Changed(base, of(of_rest, ends - 2)),
            Branch::Twice(first, second) => {
                Branch::Twice(of(first, ends - 2), of(second, ends - 2))
            }
        };
        let branches: Vec<Branch<_>> = (1..ends as u8).map(branch).collect();
        if ends.max(change.ends_after(ends)) > ENDS_TABLED {
            return Self::Branches(FirstDigit::new(ends), branches);
        }
        let of_branch = |branch: &Branch<_>| (0..size).map(|rest| branch.of(rest) as u16).collect();
        let tables: Vec<Vec<u16>> = branches.iter().map(of_branch).collect();
        Self::Table(tables.concat().into())
    }

    /// Returns the new rank of a rank, or [`DEAD`].
    #[inline]
    pub fn of(&self, rank: u64) -> u64 {
        match self {
            Self::Table(table) => match table[rank as usize] {
                DEAD_TABLED => DEAD,
                rank => rank.into(),
            },
            Self::Branches(first, branches) => {
                let (digit, rest) = first.split(rank);
                branches[digit].of(rest)
            }
        }
    }

    /// Adds the counts of all ranks to those of their new ranks, of which `to` has a place for each.
    ///
    /// Ranks that begin alike go through the same branches, so that a state takes an addition to a
    /// place near the one before, where [`of`](Self::of) takes a way through the tree.
    pub fn add_all<C: Default + Clone + for<'a> AddAssign<&'a C>>(
        &self,
        counts: &[C],
        to: &mut [C],
    ) {
        match self {
            Self::Table(table) => {
                for (&rank, count) in table.iter().zip(counts).filter(|of| *of.0 != DEAD_TABLED) {
                    to[usize::from(rank)] += count;
                }
            }
            Self::Branches(first, branches) => {
                for (branch, counts) in branches.iter().zip(counts.chunks(first.size as usize)) {
                    branch.add_all(counts, to);
                }
            }
        }
    }
}

impl Branch<Arc<Map>> {
    /// Adds the counts of all rests to those of their new ranks.
    fn add_all<C: Default + Clone + for<'a> AddAssign<&'a C>>(&self, counts: &[C], to: &mut [C]) {
        match self {
            Self::Dead => {}
            Self::Kept(base) => {
                let to = to[*base as usize..].iter_mut();
                to.zip(counts).for_each(|(to, count)| *to += count);
            }
            Self::Changed(base, map) => map.add_all(counts, &mut to[*base as usize..]),
            Self::Twice(first, second) => {
                let mut between = vec![C::default(); counts.len()];
                first.add_all(counts, &mut between);
                second.add_all(&between, to);
            }
        }
    }

    fn of(&self, rest: u64) -> u64 {
        match self {
            Self::Dead => DEAD,
            Self::Kept(base) => base + rest,
            // `DEAD` is the largest number, so that a saturating addition keeps it.
            Self::Changed(base, map) => map.of(rest).saturating_add(*base),
            // The first map is a move or a mirror image and the second an insertion; none yields
            // `DEAD`.
            Self::Twice(first, second) => second.of(first.of(rest)),
        }
    }
}
