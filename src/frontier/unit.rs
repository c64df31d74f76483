//! The last round: a slice of each half taken to the cut, and joined.
//!
//! Within a unit there is one more round: when half of the stages are done, both slices are dealt again, by all squares that the
//! other half of the stages leaves alone. So what is worked on at once fits the cache, and neither half of a
//! unit ever exists as a whole at the cut, where it is widest. The last stage of the top is not even kept: each of its
//! blocks is joined as soon as it is made.

use super::block::{Bench, Halt, Stop, Sums};
use super::halves::Halves;
use super::round::{Dealing, Slice, Workspace, widening, within};
use super::{BOTTOM, TOP};
use crate::rounds::{Partitioned, by_slice};
use crate::states::join::{Contractions, Joiner};
use crate::states::pattern::Pattern;
use crate::states::ways::{Product, Ways};
use num_bigint::BigUint;
use std::collections::HashMap;

/// What came of a unit.
#[derive(Debug, Clone)]
pub(crate) struct Joined {
    /// Hamiltonian cycles.
    pub cycles: BigUint,
    /// States taken on.
    pub states_processed: u64,
}

/// A slice of the top within a unit, and that of the bottom that it meets.
pub(crate) struct Meeting<'a> {
    pub slice: Pattern,
    packed: [Vec<&'a [u8]>; 2],
}

impl Meeting<'_> {
    /// Both slices, of this key.
    pub fn slices(&self, key: u64) -> [Slice<'_>; 2] {
        [
            Slice::new(self.slice, key, &self.packed[TOP]),
            Slice::new(self.slice.missing_in(key), key, &self.packed[BOTTOM]),
        ]
    }
}

/// A slice of the top and the slice of the bottom that has the degrees it misses, each in both mirror images if that
/// is said, through the first round of the unit: dealt by all squares that the other leaves alone.
pub(crate) fn dealt(
    halves: &Halves,
    unit: Pattern,
    [top, bottom]: [&[&[u8]]; 2],
    both: [bool; 2],
    workspace: &mut Workspace,
    stop: Stop,
) -> Option<[Vec<Partitioned>; 2]> {
    let (key, dealing) = (halves.key, Dealing::by(halves.inner_key));
    let mut above = Slice::new(unit, key, top);
    let mut below = Slice::new(unit.missing_in(key), key, bottom);
    [above.both, below.both] = both;
    Some([
        within(halves.top.before_last(), above, dealing, workspace, stop)?,
        within(halves.bottom.before_last(), below, dealing, workspace, stop)?,
    ])
}

/// All slices that meet, in order.
pub(crate) fn meetings<'a>(halves: &Halves, dealt: &'a [Vec<Partitioned>; 2]) -> Vec<Meeting<'a>> {
    let mut below = by_slice(&dealt[BOTTOM]);
    let meeting = |(slice, top)| {
        let slice = Pattern(slice);
        let bottom = below.remove(&slice.missing_in(halves.inner_key).0)?;
        let packed = [top, bottom];
        Some(Meeting { slice, packed })
    };
    by_slice(&dealt[TOP]).into_iter().filter_map(meeting).collect()
}

/// Joins a slice of the top with the slice of the bottom that has the degrees it misses; `None` when `stop` said so.
pub(crate) fn count(
    halves: &Halves,
    unit: Pattern,
    packed: [&[&[u8]]; 2],
    workspace: &mut Workspace,
    contractions: &Contractions,
    stop: Stop,
) -> Option<Joined> {
    let both = [false, halves.is_own_image(unit)];
    let dealt = dealt(halves, unit, packed, both, workspace, stop)?;
    let mut states_processed = dealt.iter().flatten().map(|dealt| dealt.states_processed).sum();
    let mut sum = Product::default();
    for meeting in meetings(halves, &dealt) {
        let slices = meeting.slices(halves.inner_key);
        let (product, more) = widening!(workspace, |bench, sums| {
            let mut product = Product::default();
            let meet = |_, of_block| product.take(of_block);
            attempt(halves, slices, bench, sums, contractions, stop, meet)
                .map(|states_processed| (product, states_processed))
        })?;
        sum.take(product);
        states_processed += more;
    }
    let mut cycles = sum.total();
    if halves.graph.mirror.is_some() {
        // What is merged with its mirror image has the ways of both, on either side: see `Halves`.
        cycles /= 2_u32;
    }
    Some(Joined { cycles, states_processed })
}

/// States as they are joined: ranks and ways.
#[inline]
pub(crate) fn factors<W: Ways>(
    (ranks, ways): (&[W::Rank], &[W]),
) -> impl Iterator<Item = (u64, W::Factor)> {
    let ranks = ranks.iter().map(|&rank| rank.into());
    ranks.zip(ways.iter().cloned().map(W::Factor::from))
}

/// Gives the sum over all pairs of states that make a cycle to `meet`, block by block of the top in ascending order;
/// the states taken on.
pub(crate) fn attempt<W: Ways>(
    halves: &Halves,
    [top, bottom]: [Slice; 2],
    bench: &mut Bench,
    sums: &mut Sums<W>,
    contractions: &Contractions,
    stop: Stop,
    mut meet: impl FnMut(Pattern, Product),
) -> Result<u64, Halt> {
    let mut states_processed = 0;
    let below = bottom.unpack::<W>(bench)?;
    let below =
        below.through(&halves.bottom.last().stages, bench, sums, &mut states_processed, stop)?;
    let blocks: HashMap<Pattern, (&[W::Rank], &[W])> = below.blocks().collect();
    let Some((last, stages)) = halves.top.last().stages.split_last() else {
        unreachable!("the last round of the top has a stage");
    };
    let above =
        top.unpack::<W>(bench)?.through(stages, bench, sums, &mut states_processed, stop)?;
    let mut joiner = Joiner::<W::Factor>::new(bench.maps(), contractions);
    let (mut of_top, mut of_bottom) = (Vec::new(), Vec::new());
    above.advance(last, bench, sums, stop, |pattern, ranks, ways| {
        states_processed += ranks.len() as u64;
        let Some(&others) = blocks.get(&pattern.missing_in(halves.border)) else {
            return;
        };
        of_top.clear();
        of_top.extend(factors((ranks, ways)));
        of_bottom.clear();
        of_bottom.extend(factors(others));
        let mut product = Product::default();
        joiner.join(&of_top, &of_bottom, pattern.ends(), &mut product);
        meet(pattern, product);
    })?;
    Ok(states_processed)
}
