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
//! a change of what is left once the first pair is known ([`below`]): so a [`Map`] is a list of parts, one for
//! each choice of the first digits, and each part is a number and a table.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// The most ends: ten rows, a square more and the apex.
pub(super) const MOST_ENDS: usize = 22;

/// Up to this many ends a change is one table.
const ENDS_TABLED: usize = 12;

/// Matchings of [`ENDS_TABLED`] ends: a part of a map for each so many ranks.
const RANKS_OF_PART: u32 = 10_395;

/// A mirror image is tabled up to this many ends, and a move to the front too.
const ENDS_TABLED_WHOLE: usize = 14;

/// The rank of what is no matching: two ends of one path were joined, a cycle too early.
pub(super) const DEAD: u32 = u32::MAX;

/// `(ends - 1)!!`: how many matchings of so many ends there are.
pub(super) const fn matchings(ends: usize) -> u32 {
    let (mut product, mut factor) = (1_u64, 1);
    while factor < ends as u64 {
        product *= factor;
        factor += 2;
    }
    // Of 22 ends there are 1.4e10: their ranks want 64 bits.
    if product > u32::MAX as u64 {
        u32::MAX
    } else {
        product as u32
    }
}

/// The mate of each end.
pub(super) type Mates = [u8; MOST_ENDS];

/// The mates of all ends of a matching.
pub(super) fn unrank(mut rank: u32, ends: usize) -> Mates {
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
pub(super) fn rank(mates: &Mates, ends: usize) -> u32 {
    let mut free = ((1_u64 << ends) - 1) as u32;
    let (mut rank, mut left) = (0, ends as u32);
    while free != 0 {
        let mate = 1_u32 << mates[free.trailing_zeros() as usize];
        free &= free - 1;
        rank = rank * (left - 1) + (free & (mate - 1)).count_ones();
        free &= !mate;
        left -= 2;
    }
    rank
}

/// What becomes of a matching. Ends are counted in the order of their slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Change {
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
                true => ends as u8 - middle - left - left + end,
                false => ends as u8 - 1 - end,
            },
        }
    }

    /// The mates afterwards; `None` when two mates are joined.
    fn of_mates(self, mates: &Mates, ends: usize) -> Option<Mates> {
        let mut after = [0; MOST_ENDS];
        let mut join = |one: u8, other: u8| {
            after[usize::from(one)] = other;
            after[usize::from(other)] = one;
        };
        let gone = match self {
            Contract(one, other) if mates[usize::from(one)] == other => return None,
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
        Some(after)
    }

    fn of_rank(self, matching: u32, ends: usize) -> u32 {
        self.of_mates(&unrank(matching, ends), ends)
            .map_or(DEAD, |mates| rank(&mates, self.ends_after(ends)))
    }
}

/// What a change does to the matchings that have a given first digit.
enum Below {
    /// None is left.
    Dead,
    /// The rank of the rest stays, and this is added to it.
    Kept(u32),
    /// The rest is changed, and this is added to its rank.
    Changed(u32, Change),
    /// It does not depend on the rest as a whole.
    Mixed,
}

/// What a change of `ends` ends does when end 0 is joined to `mate`: where end 0 and its mate are not concerned, the
/// same change to the rest. If end 0 or its mate is contracted, the other of the two takes the place of
/// the end that it was contracted with, which moves that end.
fn below(change: Change, ends: usize, mate: u8) -> Below {
    let in_rest = |end: u8| end - 1 - u8::from(end > mate);
    let mate_after = change.place(mate, ends);
    let in_rest_after = |end: u8| end - 1 - u8::from(end > mate_after);
    let digit = |size: usize| u32::from(mate_after - 1) * matchings(size);
    match change {
        Insert(0, other) => {
            let first = u32::from(other - 1) * matchings(ends);
            Below::Kept(first + u32::from(mate - 1) * matchings(ends - 2))
        }
        Insert(one, other) => Below::Changed(
            digit(ends),
            Insert(in_rest_after(one), in_rest_after(other)),
        ),
        Move(0, 0) => Below::Kept(u32::from(mate - 1) * matchings(ends - 2)),
        Move(0, to) => Below::Changed(0, Insert(to.min(mate_after), to.max(mate_after))),
        Move(from, 0) if from == mate => Below::Kept(0),
        Move(_, 0) | Mirror { .. } => Below::Mixed,
        Move(from, to) if from == mate => Below::Kept(u32::from(to - 1) * matchings(ends - 2)),
        Move(from, to) => Below::Changed(digit(ends - 2), Move(in_rest(from), in_rest_after(to))),
        Contract(0, other) if other == mate => Below::Dead,
        Contract(0, other) => Below::Changed(0, Move(in_rest(other), mate_after)),
        Contract(one, other) if one == mate => Below::Changed(0, Move(in_rest(other), 0)),
        Contract(one, other) if other == mate => Below::Changed(0, Move(in_rest(one), 0)),
        Contract(one, other) => {
            Below::Changed(digit(ends - 4), Contract(in_rest(one), in_rest(other)))
        }
    }
}

/// A change as a function of ranks.
#[derive(Debug)]
pub(super) enum Map {
    /// By the first digits, a number and a table to be added for the rest of the rank.
    Parts(Vec<Part>),
    /// Worked out each time.
    WorkedOut(Change, usize),
}

/// What a change does to [`RANKS_OF_PART`] ranks in a row.
#[derive(Debug, Clone)]
pub(super) struct Part {
    base: u32,
    table: Arc<[u32]>,
}

impl Map {
    /// The rank that becomes of a rank, or [`DEAD`].
    #[inline]
    pub fn of(&self, rank: u32) -> u32 {
        match self {
            Self::Parts(parts) => {
                let (part, rest) = match parts.len() {
                    1 => (&parts[0], rank),
                    _ => (
                        &parts[(rank / RANKS_OF_PART) as usize],
                        rank % RANKS_OF_PART,
                    ),
                };
                // Death is the largest number, so that it stays what it is.
                part.table[rest as usize].saturating_add(part.base)
            }
            Self::WorkedOut(change, ends) => change.of_rank(rank, *ends),
        }
    }

    /// The table, where there is only one.
    #[inline]
    pub fn table(&self) -> Option<&[u32]> {
        match self {
            Self::Parts(parts) if parts.len() == 1 && parts[0].base == 0 => Some(&parts[0].table),
            _ => None,
        }
    }
}

/// The maps that were wanted so far, shared by all threads.
#[derive(Debug, Default)]
pub(super) struct Maps {
    made: RwLock<HashMap<(Change, u8), Arc<Map>>>,
    /// The tables that change nothing, and that leave nothing.
    same: OnceLock<Arc<[u32]>>,
    dead: OnceLock<Arc<[u32]>>,
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
        let table = |table: Vec<u32>| Part {
            base: 0,
            table: table.into(),
        };
        if ends <= ENDS_TABLED {
            return Map::Parts(vec![table(self.table(change, ends))]);
        }
        let mut parts = Vec::new();
        for mate in 1..ends as u8 {
            match below(change, ends, mate) {
                Below::Dead => {
                    let dead = self
                        .dead
                        .get_or_init(|| [DEAD; RANKS_OF_PART as usize].into());
                    let table = Arc::clone(dead);
                    parts.resize(parts.len() + parts_of(ends - 2), Part { base: 0, table });
                }
                Below::Kept(base) => {
                    let same = self.same.get_or_init(|| (0..RANKS_OF_PART).collect());
                    parts.extend((0..parts_of(ends - 2) as u32).map(|part| Part {
                        base: base + part * RANKS_OF_PART,
                        table: Arc::clone(same),
                    }));
                }
                Below::Changed(base, of_rest) => match &*self.get(of_rest, ends - 2) {
                    Map::Parts(of_rest) => parts.extend(of_rest.iter().map(|part| Part {
                        base: base + part.base,
                        table: Arc::clone(&part.table),
                    })),
                    Map::WorkedOut(..) => return Map::WorkedOut(change, ends),
                },
                Below::Mixed if ends <= ENDS_TABLED_WHOLE => {
                    let first = u32::from(mate - 1) * matchings(ends - 2);
                    let of_rank = |rest| change.of_rank(first + rest, ends);
                    parts.push(table((0..RANKS_OF_PART).map(of_rank).collect()));
                }
                Below::Mixed => return Map::WorkedOut(change, ends),
            }
        }
        Map::Parts(parts)
    }

    fn table(&self, change: Change, ends: usize) -> Vec<u32> {
        if ends == 0 {
            return vec![change.of_rank(0, 0)];
        }
        let rests = matchings(ends - 2);
        let mut table = Vec::with_capacity(matchings(ends) as usize);
        for mate in 1..ends as u8 {
            match below(change, ends, mate) {
                Below::Dead => table.extend((0..rests).map(|_| DEAD)),
                Below::Kept(base) => table.extend((0..rests).map(|rest| base + rest)),
                Below::Changed(base, of_rest) => {
                    let of_rest = self.get(of_rest, ends - 2);
                    let of_rest = of_rest.table().unwrap_or_default();
                    table.extend(of_rest.iter().map(|rank| rank.saturating_add(base)));
                }
                Below::Mixed => {
                    let first = u32::from(mate - 1) * rests;
                    table.extend((0..rests).map(|rest| change.of_rank(first + rest, ends)));
                }
            }
        }
        table
    }
}

/// The parts of a map of so many ends.
fn parts_of(ends: usize) -> usize {
    (matchings(ends) / RANKS_OF_PART) as usize
}
