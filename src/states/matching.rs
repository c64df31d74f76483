//! Perfect matchings of the ends of paths by their rank, and what an edge does to one.
//!
//! A matching of `ends` ends is a number below `(ends - 1)!!`: its first digit is the mate of end 0, counted from end 1; the
//! other digits are the rank of the matching that is left without these two. So the matchings of six ends are the numbers
//! 0 to 14, and rank 7 = 2 * 3 + 1 joins end 0 to end 3 and, of the ends 1, 2, 4, 5 that are left, the first to the third:
//! 1 to 4, then 2 to 5.
//!
//! An edge changes the matching by one of three [`Change`]s: it inserts a pair, moves an end to another place or
//! contracts two ends. The naive way, taking the rank apart into mates and putting it together again, costs 60 to 100 ns; a
//! look-up costs one or two. For up to [`ENDS_TABLED`] ends a change is one table of at most 10,395 numbers, small enough for the
//! cache next to a core. For more ends the first digits are taken off until a table fits, for a change of the whole is
//! one or two changes of what is left once the first pair is known ([`below`]): so such a [`Map`] is a choice by the first digit
//! between maps of fewer ends. Lists of tables by the first digits took 3 % less time on 8x8 open, and a hundred lines.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

/// The most ends: all slots of a pattern.
pub(crate) const MOST_ENDS: usize = 32;

/// Up to this many ends a change is one table.
const ENDS_TABLED: usize = 12;

/// The rank of what is no matching: two ends of one path were joined, a cycle too early.
pub(crate) const DEAD: u64 = u64::MAX;

/// The same in a table.
const DEAD_TABLED: u32 = u32::MAX;

/// `(ends - 1)!!`: how many matchings of so many ends there are. Of 32 ends, 1.9e17.
pub(crate) const fn matchings(ends: usize) -> u64 {
    let (mut product, mut factor) = (1_u64, 1);
    while factor < ends as u64 {
        product *= factor;
        factor += 2;
    }
    product
}

/// A rank in as many bits as it needs: those of up to 20 ends fit 32.
pub(crate) trait Rank:
    Copy + Default + Ord + Into<u64> + std::fmt::Debug + Send + Sync + 'static
{
    /// What is no matching.
    const DEAD: Self;
    /// The most ends whose matchings fit.
    const MOST_ENDS: usize;

    /// The rank, or death, of a matching that fits.
    fn of(rank: u64) -> Self;

    /// The same, from a table.
    fn of_tabled(rank: u32) -> Self;
}

impl Rank for u32 {
    const DEAD: Self = u32::MAX;
    const MOST_ENDS: usize = 20;

    #[inline]
    fn of(rank: u64) -> Self {
        // All bits of death are set, in as many as there are.
        rank as Self
    }

    #[inline]
    fn of_tabled(rank: u32) -> Self {
        rank
    }
}

impl Rank for u64 {
    const DEAD: Self = DEAD;
    const MOST_ENDS: usize = MOST_ENDS;

    #[inline]
    fn of(rank: u64) -> Self {
        rank
    }

    #[inline]
    fn of_tabled(rank: u32) -> Self {
        match rank {
            DEAD_TABLED => DEAD,
            rank => rank.into(),
        }
    }
}

/// The mate of each end.
pub(crate) type Mates = [u8; MOST_ENDS];

/// The mates of all ends of a matching.
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

/// The rank of a matching.
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

/// What becomes of a matching. Ends are counted in the order of their slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Change {
    /// Two new ends, joined to each other, come to stand at these places, the lower first.
    Insert(u8, u8),
    /// The end at the first place comes to stand at the second.
    Move(u8, u8),
    /// The ends at these places, the lower first, are joined: their mates become mates of each other.
    Contract(u8, u8),
    /// The mirror image: the order of the ends is reversed, but for those in the middle, so many after the first so
    /// many, which keep theirs.
    Mirror { left: u8, middle: u8 },
}

use Change::{Contract, Insert, Mirror, Move};

impl Change {
    /// The number of ends after it.
    pub fn ends_after(self, ends: usize) -> usize {
        match self {
            Insert(..) => ends + 2,
            Move(..) | Mirror { .. } => ends,
            Contract(..) => ends - 2,
        }
    }

    /// Where an end that stays comes to stand.
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
            Mirror { left, middle } => match end >= left && end < left + middle {
                true => ends as u8 + end - middle - 2 * left,
                false => ends as u8 - 1 - end,
            },
        }
    }

    /// The mates afterwards of all ends that have one still: where two mates are contracted, those of the others.
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

    /// The rank afterwards, or [`DEAD`], without a table: 60 to 100 ns.
    pub fn of_rank(self, matching: u64, ends: usize) -> u64 {
        let mates = unrank(matching, ends);
        match self {
            Contract(one, other) if mates[usize::from(one)] == other => DEAD,
            _ => rank(&self.of_mates(&mates, ends), self.ends_after(ends)),
        }
    }
}

/// What a change does to the matchings that have a given first digit.
enum Below {
    /// None is left.
    Dead,
    /// The rank of the rest stays, and this is added to it.
    Kept(u64),
    /// The rest is changed, and this is added to its rank.
    Changed(u64, Change),
    /// The rest is changed, and then the first pair comes back in.
    Twice(Change, Change),
}

/// What a change of `ends` ends does when end 0 is joined to `mate`: where end 0 and its mate are not concerned, the
/// same change to the rest. If end 0 or its mate is contracted, the other of the two takes the place of
/// the end that it was contracted with, which moves that end. If another end comes to stand first, or all are
/// reversed, the pair is put back where it belongs when that is done to the rest.
fn below(change: Change, ends: usize, mate: u8) -> Below {
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
            Below::Kept(first + u64::from(mate - 1) * matchings(ends - 2))
        }
        Insert(one, other) => {
            Below::Changed(digit(ends), Insert(in_rest_after(one), in_rest_after(other)))
        }
        Move(0, 0) => Below::Kept(u64::from(mate - 1) * matchings(ends - 2)),
        Move(0, to) => Below::Changed(0, Insert(to.min(mate_after), to.max(mate_after))),
        Move(from, 0) if from == mate => Below::Kept(0),
        Move(from, 0) => Below::Twice(Move(in_rest(from), 0), pair_after()),
        Move(from, to) if from == mate => Below::Kept(u64::from(to - 1) * matchings(ends - 2)),
        Move(from, to) => Below::Changed(digit(ends - 2), Move(in_rest(from), in_rest_after(to))),
        Contract(0, other) if other == mate => Below::Dead,
        Contract(0, other) => Below::Changed(0, Move(in_rest(other), mate_after)),
        Contract(one, other) if one == mate => Below::Changed(0, Move(in_rest(other), 0)),
        Contract(one, other) if other == mate => Below::Changed(0, Move(in_rest(one), 0)),
        Contract(one, other) => {
            Below::Changed(digit(ends - 4), Contract(in_rest(one), in_rest(other)))
        }
        Mirror { left, middle } => {
            let count = |from: u8, to: u8| {
                [0, mate].iter().filter(|end| (from..to).contains(end)).count() as u8
            };
            let of_rest =
                Mirror { left: left - count(0, left), middle: middle - count(left, left + middle) };
            Below::Twice(of_rest, pair_after())
        }
    }
}

/// A change as a function of ranks.
#[derive(Debug)]
pub(crate) enum Map {
    /// What becomes of each rank.
    Table(Box<[u32]>),
    /// By the first digit, what becomes of so many ranks in a row.
    Branches(u64, Vec<Branch>),
}

/// What becomes of the rest of a rank.
#[derive(Debug)]
pub(crate) enum Branch {
    /// Nothing.
    Dead,
    /// It stays, and this is added.
    Kept(u64),
    /// It is changed, and this is added.
    Changed(u64, Arc<Map>),
    /// It is changed twice.
    Twice(Arc<Map>, Arc<Map>),
}

impl Map {
    /// The rank that becomes of a rank, or [`DEAD`].
    #[inline]
    pub fn of(&self, rank: u64) -> u64 {
        match self {
            Self::Table(table) => Rank::of_tabled(table[rank as usize]),
            Self::Branches(size, branches) => branches[(rank / size) as usize].of(rank % size),
        }
    }

    /// The table, where there is only one.
    #[inline]
    pub fn table(&self) -> Option<&[u32]> {
        match self {
            Self::Table(table) => Some(table),
            Self::Branches(..) => None,
        }
    }
}

impl Branch {
    fn of(&self, rest: u64) -> u64 {
        match self {
            Self::Dead => DEAD,
            Self::Kept(base) => base + rest,
            // Death is the largest number, so that it stays what it is.
            Self::Changed(base, map) => map.of(rest).saturating_add(*base),
            // Neither a move nor a mirror image is ever dead.
            Self::Twice(first, second) => second.of(first.of(rest)),
        }
    }
}

/// The maps that were wanted so far, shared by all threads.
#[derive(Debug, Default)]
pub(crate) struct Maps {
    made: RwLock<HashMap<(Change, u8), Arc<Map>>>,
}

impl Maps {
    /// The map of a change of matchings of so many ends.
    pub fn get(&self, change: Change, ends: usize) -> Arc<Map> {
        let name = (change, ends as u8);
        let made = self.made.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(map) = made.get(&name) {
            return Arc::clone(map);
        }
        drop(made);
        // Two threads may make the same map at once, which does no harm.
        let map = Arc::new(self.make(change, ends));
        let mut made = self.made.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(made.entry(name).or_insert(map))
    }

    fn make(&self, change: Change, ends: usize) -> Map {
        // All bits of death are set, in as many as there are.
        if ends == 0 {
            return Map::Table([change.of_rank(0, 0) as u32].into());
        }
        let size = matchings(ends - 2);
        let branch = |mate: u8| match below(change, ends, mate) {
            Below::Dead => Branch::Dead,
            Below::Kept(base) => Branch::Kept(base),
            Below::Changed(base, of_rest) => Branch::Changed(base, self.get(of_rest, ends - 2)),
            Below::Twice(first, second) => {
                Branch::Twice(self.get(first, ends - 2), self.get(second, ends - 2))
            }
        };
        let branches: Vec<Branch> = (1..ends as u8).map(branch).collect();
        if ends > ENDS_TABLED {
            return Map::Branches(size, branches);
        }
        let of_branch = |branch: &Branch| (0..size).map(|rest| branch.of(rest) as u32).collect();
        let tables: Vec<Vec<u32>> = branches.iter().map(of_branch).collect();
        Map::Table(tables.concat().into())
    }
}
