//! Perfect matchings by their rank, and which two of them make one cycle.
//!
//! A matching of `ends` ends is a number below `(ends - 1)!!`: the mate of end 0, counted from 1, times the
//! number of matchings of the rest, plus the rank of the rest. Whether two matchings close into a single
//! cycle is looked up for up to 10 ends, 945 matchings, in a table of bits. For more, the mate of end 0 in the one
//! is contracted out of the other, which leaves two ends fewer; those steps are tables too up to 14 ends.

use std::sync::OnceLock;

/// The most ends: 17 squares of the window, and the hidden end.
pub(super) const MOST_ENDS: usize = 18;

/// Up to this many ends, pairs of matchings are looked up.
pub(super) const ENDS_LOOKED_UP: usize = 10;

/// Up to this many ends, contractions are looked up.
const ENDS_CONTRACTED_BY_TABLE: usize = 14;

/// `(ends - 1)!!`: how many matchings of so many ends there are.
pub(super) fn matchings(ends: usize) -> u32 {
    (1..ends as u32).step_by(2).product()
}

/// The mates of all ends.
pub(super) type Mates = [u8; MOST_ENDS];

pub(super) fn rank(mates: &Mates, ends: usize) -> u32 {
    let mut free = (1_u32 << ends) - 1;
    let (mut rank, mut left) = (0, ends as u32);
    while free != 0 {
        let one = free.trailing_zeros() as usize;
        free &= free - 1;
        let mate = 1 << mates[one];
        rank = rank * (left - 1) + (free & (mate - 1)).count_ones();
        free &= !mate;
        left -= 2;
    }
    rank
}

fn unrank(mut rank: u32, ends: usize) -> Mates {
    let mut mates = [0; MOST_ENDS];
    let mut free: Vec<u8> = (0..ends as u8).collect();
    while !free.is_empty() {
        let rest = matchings(free.len() - 2);
        let one = free.remove(0);
        let other = free.remove((rank / rest) as usize);
        rank %= rest;
        mates[usize::from(one)] = other;
        mates[usize::from(other)] = one;
    }
    mates
}

/// A matching without end 0 and `mate`, which the other matching joins: what hung on them hangs together.
/// `None` when they hang on each other.
fn contract(mates: &Mates, ends: usize, mate: usize) -> Option<u32> {
    let (first, second) = (usize::from(mates[0]), usize::from(mates[mate]));
    if first == mate {
        return None;
    }
    let renamed = |end: usize| end - 1 - usize::from(end > mate);
    let mut rest = [0; MOST_ENDS];
    for end in (1..ends).filter(|&end| end != mate) {
        let to = match end {
            _ if end == first => second,
            _ if end == second => first,
            _ => usize::from(mates[end]),
        };
        rest[renamed(end)] = renamed(to) as u8;
    }
    Some(rank(&rest, ends - 2))
}

/// The tables, each made when first asked for.
#[derive(Debug, Default)]
pub(crate) struct Matchings {
    single_cycles: [OnceLock<Vec<Row>>; ENDS_LOOKED_UP / 2 + 1],
    contractions: [OnceLock<Vec<u16>>; ENDS_CONTRACTED_BY_TABLE / 2 + 1],
}

/// The matchings with which one makes a single cycle, in bits.
pub(super) type Row = [u64; WORDS_OF_ROW];

/// Fifteen hold 945 bits; a power of two makes looking them up faster.
pub(super) const WORDS_OF_ROW: usize = 16;

/// No matching.
const CLOSED: u16 = u16::MAX;

impl Matchings {
    /// With which matchings each makes a single cycle; for up to [`ENDS_LOOKED_UP`] ends.
    pub(super) fn single_cycles(&self, ends: usize) -> &[Row] {
        self.single_cycles[ends / 2].get_or_init(|| {
            let row = |matching| {
                let mut row = [0; WORDS_OF_ROW];
                for other in
                    (0..matchings(ends)).filter(|&other| self.is_single(matching, other, ends))
                {
                    row[other as usize / 64] |= 1 << (other % 64);
                }
                row
            };
            (0..matchings(ends)).map(row).collect()
        })
    }

    fn is_single(&self, one: u32, other: u32, ends: usize) -> bool {
        if ends <= 2 {
            return ends == 2;
        }
        let block = matchings(ends - 2);
        let rest = self.contracted(one, ends, (other / block) as usize);
        rest.is_some_and(|rest| {
            let row = self.single_cycles(ends - 2)[rest as usize];
            row[(other % block) as usize / 64] >> (other % block % 64) & 1 == 1
        })
    }

    /// What a matching becomes when the other one joins end 0 to end `digit + 1`.
    #[inline]
    pub(super) fn contracted(&self, matching: u32, ends: usize, digit: usize) -> Option<u32> {
        if ends > ENDS_CONTRACTED_BY_TABLE {
            return contract(&unrank(matching, ends), ends, digit + 1);
        }
        let table = self.contractions[ends / 2].get_or_init(|| {
            let rests = (0..matchings(ends)).flat_map(|matching| {
                let mates = unrank(matching, ends);
                (1..ends).map(move |mate| {
                    contract(&mates, ends, mate).map_or(CLOSED, |rest| rest as u16)
                })
            });
            rests.collect()
        });
        match table[matching as usize * (ends - 1) + digit] {
            CLOSED => None,
            rest => Some(rest.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks along both matchings from end 0.
    fn makes_a_single_cycle(one: &Mates, other: &Mates, ends: usize) -> bool {
        let (mut end, mut seen) = (0, 0);
        loop {
            end = usize::from(other[usize::from(one[end])]);
            seen += 2;
            if end == 0 {
                return seen == ends;
            }
        }
    }

    #[test]
    fn ranks_are_all_numbers_below_the_double_factorial() {
        for ends in (2..=12).step_by(2) {
            for number in 0..matchings(ends) {
                assert_eq!(rank(&unrank(number, ends), ends), number);
            }
        }
        assert_eq!(matchings(18), 34_459_425);
    }

    #[test]
    fn looked_up_pairs_make_a_single_cycle_exactly_when_walking_along_them_does() {
        let tables = Matchings::default();
        for ends in (2..=10).step_by(2) {
            let rows = tables.single_cycles(ends);
            for one in 0..matchings(ends) {
                for other in (0..matchings(ends)).step_by(1 + ends / 8 * 6) {
                    let walked =
                        makes_a_single_cycle(&unrank(one, ends), &unrank(other, ends), ends);
                    let row = rows[one as usize];
                    assert_eq!(row[other as usize / 64] >> (other % 64) & 1 == 1, walked);
                }
            }
        }
    }
}
