//! Units: a slice of each half, taken through the last rounds to the cut and joined.
//!
//! Within a unit there is one more partition: when half of the stages are done, both slices are
//! partitioned again, by all squares that the other half of the stages leaves alone. So the states
//! that are processed at once fit the cache, and neither half of a unit ever exists as a whole at
//! the cut, where it is widest. The blocks after the last stage of the top are not even stored:
//! each is joined as soon as it is computed.

use super::block::{Halt, Planner, Stop, Sums};
use super::halves::Halves;
use super::round::{Partitioning, Slice, Workspace, widening, within};
use super::{BOTTOM, TOP};
use crate::rounds::{Partitioned, by_slice};
use crate::states::count::{Count, Product};
use crate::states::join::{Contractions, Joiner};
use crate::states::pattern::{ByPattern, Pattern};
use num_bigint::BigUint;
use std::collections::HashMap;

/// The result of a unit.
#[derive(Debug, Clone)]
pub(super) struct Joined {
    /// The number of Hamiltonian cycles.
    pub cycles: BigUint,
    /// The number of states processed.
    pub states_processed: u64,
}

/// A slice of the top within a unit, and the slice of the bottom that it meets.
pub(super) struct Meeting<'a> {
    pub slice: Pattern,
    packed: [Vec<&'a [u8]>; 2],
}

impl Meeting<'_> {
    /// Returns both slices, given the key by which they were partitioned.
    pub fn slices(&self, key: u64) -> [Slice<'_>; 2] {
        [
            Slice::new(self.slice, key, &self.packed[TOP]),
            Slice::new(self.slice.missing_in(key), key, &self.packed[BOTTOM]),
        ]
    }
}

/// Takes both slices of a unit through the first of its two rounds. The slice of the bottom has the
/// degrees that the slice of the top lacks; `both` tells for each side whether it is unpacked in
/// both mirror images. `None` when cancelled.
pub(super) fn partitioned(
    halves: &Halves,
    unit: Pattern,
    [top, bottom]: [&[&[u8]]; 2],
    both: [bool; 2],
    workspace: &mut Workspace,
    stop: Stop,
) -> Option<[Vec<Partitioned>; 2]> {
    let (key, partitioning) = (halves.key, Partitioning::by(halves.inner_key));
    let mut above = Slice::new(unit, key, top);
    let mut below = Slice::new(unit.missing_in(key), key, bottom);
    [above.both, below.both] = both;
    Some([
        within(halves.top.before_last(), above, partitioning, workspace, stop)?,
        within(halves.bottom.before_last(), below, partitioning, workspace, stop)?,
    ])
}

/// Returns all pairs of slices that meet, in ascending order of the top.
pub(super) fn meetings<'a>(halves: &Halves, parts: &'a [Vec<Partitioned>; 2]) -> Vec<Meeting<'a>> {
    let mut below = by_slice(&parts[BOTTOM]);
    let meeting = |(slice, top)| {
        let slice = Pattern(slice);
        let bottom = below.remove(&slice.missing_in(halves.inner_key).0)?;
        let packed = [top, bottom];
        Some(Meeting { slice, packed })
    };
    by_slice(&parts[TOP]).into_iter().filter_map(meeting).collect()
}

/// Counts the cycles of a unit: those of a slice of the top and the slice of the bottom that has
/// the missing degrees. `None` when cancelled.
pub(super) fn count(
    halves: &Halves,
    unit: Pattern,
    packed: [&[&[u8]]; 2],
    workspace: &mut Workspace,
    contractions: &Contractions,
    stop: Stop,
) -> Option<Joined> {
    let both = [false, halves.is_own_image(unit)];
    let parts = partitioned(halves, unit, packed, both, workspace, stop)?;
    let mut states_processed = parts.iter().flatten().map(|part| part.states_processed).sum();
    let mut sum = Product::default();
    for meeting in meetings(halves, &parts) {
        let slices = meeting.slices(halves.inner_key);
        let (product, more) = widening!(workspace, |planner, sums| {
            let mut product = Product::default();
            let meet = |_, of_block| product.take(of_block);
            attempt(halves, slices, planner, sums, contractions, stop, meet)
                .map(|states_processed| (product, states_processed))
        })?;
        sum.take(product);
        states_processed += more;
    }
    let mut cycles = sum.total();
    if halves.graph.mirror.is_some() {
        // States merged with their mirror images have the counts of both, on either side: see
        // `Halves`.
        cycles /= 2_u32;
    }
    Some(Joined { cycles, states_processed })
}

/// Returns the states of a block as a join takes them: ranks and factors.
#[inline]
pub(super) fn factors<C: Count>(
    (ranks, counts): (&[C::Rank], &[C]),
) -> impl Iterator<Item = (u64, C::Factor)> {
    let ranks = ranks.iter().map(|&rank| rank.into());
    ranks.zip(counts.iter().cloned().map(C::Factor::from))
}

/// Joins two slices with counts of one width. The sum over all pairs of states that form a cycle
/// goes to `meet`, one product per block of the top, in ascending order of patterns. Returns the
/// number of states processed. Blocks of the top that meet none of the bottom are not computed.
pub(super) fn attempt<C: Count>(
    halves: &Halves,
    [top, bottom]: [Slice; 2],
    planner: &mut Planner,
    sums: &mut Sums<C>,
    contractions: &Contractions,
    stop: Stop,
    mut meet: impl FnMut(Pattern, Product),
) -> Result<u64, Halt> {
    let mut states_processed = 0;
    let below = bottom.unpack(planner, sums)?;
    let below =
        below.through(&halves.bottom.last().stages, planner, sums, &mut states_processed, stop)?;
    let blocks: HashMap<_, _, ByPattern> = below.blocks().collect();
    let Some((last, stages)) = halves.top.last().stages.split_last() else {
        unreachable!("the last round of the top has a stage");
    };
    let above =
        top.unpack(planner, sums)?.through(stages, planner, sums, &mut states_processed, stop)?;
    let mut joiner = Joiner::<C::Factor>::new(planner.maps(), contractions);
    let (mut of_top, mut of_bottom) = (Vec::new(), Vec::new());
    let meeting = |pattern: Pattern| blocks.get(&pattern.missing_in(halves.border)).copied();
    let is_met = |pattern| meeting(pattern).is_some();
    above.advance(last, planner, sums, stop, is_met, |pattern, ranks, counts| {
        states_processed += ranks.len() as u64;
        let Some(others) = meeting(pattern) else {
            return;
        };
        of_top.clear();
        of_top.extend(factors((ranks, counts)));
        of_bottom.clear();
        of_bottom.extend(factors(others));
        let mut product = Product::default();
        joiner.join(&of_top, &of_bottom, pattern.ends(), &mut product);
        meet(pattern, product);
    })?;
    drop(blocks);
    sums.keep(above);
    sums.keep(below);
    Ok(states_processed)
}
