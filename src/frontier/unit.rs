//! Units: a slice of each half, taken through the last rounds to the cut and joined.
//!
//! Within a unit there is one more partition: when half of the stages are done, both slices are
//! partitioned again, by all squares that the other half of the stages leaves alone. So the states
//! that are processed at once fit the cache, and neither half of a unit ever exists as a whole at
//! the cut, where it is widest. The blocks after the last stage of the top are not even stored:
//! each is joined as soon as it is computed. A slice that would still not fit the memory of a
//! thread is joined in chunks.

use super::block::{Blocks, Halt, Planner, Stop, Sums};
use super::halves::Halves;
use super::round::{MostAtOnce, Partitioning, Slice, Workspace, widening, within};
use super::stage::Stage;
use crate::rounds::{Partitioned, by_slice};
use crate::states::count::{Count, Product};
use crate::states::join::{Contractions, Joiner};
use crate::states::pattern::{ByPattern, Pattern, bits_of};
use num_bigint::BigUint;
use std::collections::{BTreeMap, HashMap, HashSet};

/// A unit, with the means to join its slices.
#[derive(Clone, Copy)]
pub(super) struct Unit<'a> {
    pub halves: &'a Halves,
    /// The degrees of the sliced squares in the top.
    pub degrees: Pattern,
    /// The packed slices of the top and the bottom.
    pub packed: [&'a [&'a [u8]]; 2],
    pub contractions: &'a Contractions,
    pub stop: Stop<'a>,
}

/// The packed slices of one half within a unit, by their degrees.
pub(super) type Pieces<'a> = BTreeMap<u64, Vec<&'a [u8]>>;

/// A slice of the top within a unit, and the slice of the bottom that it meets.
pub(super) type Meeting<'a> = [Slice<'a>; 2];

/// Returns the states of a block as a join takes them: ranks and factors.
#[inline]
pub(super) fn factors<C: Count>(
    (ranks, counts): (&[C::Rank], &[C]),
) -> impl Iterator<Item = (u64, C::Factor)> {
    let ranks = ranks.iter().map(|&rank| rank.into());
    ranks.zip(counts.iter().cloned().map(C::Factor::from))
}

impl Unit<'_> {
    /// Takes both slices through the first of the two rounds. The slice of the bottom has the
    /// degrees that the slice of the top lacks; `both` tells for each side whether it is unpacked
    /// in both mirror images. `None` when cancelled.
    pub fn partitioned(
        &self,
        both: [bool; 2],
        workspace: &mut Workspace,
    ) -> Option<[Vec<Partitioned>; 2]> {
        let Self { halves, degrees, packed: [top, bottom], stop, .. } = *self;
        let (key, partitioning) = (halves.key, Partitioning::by(halves.inner_key));
        let mut above = Slice::new(degrees, key, top);
        let mut below = Slice::new(degrees.missing_in(key), key, bottom);
        [above.both, below.both] = both;
        Some([
            within(halves.top.before_last(), above, partitioning, workspace, stop)?,
            within(halves.bottom.before_last(), below, partitioning, workspace, stop)?,
        ])
    }

    /// Returns all pairs of slices that meet, in ascending order of the top.
    pub fn meetings<'p>(
        &self,
        [above, below]: [&'p Pieces; 2],
    ) -> impl Iterator<Item = Meeting<'p>> {
        let key = self.halves.inner_key;
        above.iter().filter_map(move |(&slice, top)| {
            let lacking = Pattern(slice).missing_in(key);
            let bottom = below.get(&lacking.0)?;
            Some([Slice::new(Pattern(slice), key, top), Slice::new(lacking, key, bottom)])
        })
    }

    /// Counts the cycles of the unit: those of a slice of the top and the slice of the bottom that
    /// has the missing degrees. Returns them with the number of states processed; `None` when
    /// cancelled.
    pub fn count(&self, workspace: &mut Workspace) -> Option<(BigUint, u64)> {
        let halves = self.halves;
        let parts = self.partitioned([false, halves.is_own_image(self.degrees)], workspace)?;
        let mut states_processed = parts.iter().flatten().map(|part| part.states_processed).sum();
        let [above, below] = parts.each_ref().map(|parts| by_slice(parts));
        let mut sum = Product::default();
        for [top, bottom] in self.meetings([&above, &below]) {
            let MostAtOnce { divided, whole, .. } = workspace.most;
            let tops = top.chunks(&halves.top.last().stages, divided, whole);
            let bottoms = bottom.chunks(&halves.bottom.last().stages, whole, whole);
            let tops: Vec<Slice> = tops.iter().map(|packed| Slice { packed, ..top }).collect();
            let bottoms: Vec<Slice> =
                bottoms.iter().map(|packed| Slice { packed, ..bottom }).collect();
            let (product, more) = widening!(workspace, |planner, sums| {
                let mut product = Product::default();
                let meet = |_, of_block| product.take(of_block);
                self.attempt([&tops, &bottoms], planner, sums, meet)
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
        Some((cycles, states_processed))
    }

    /// Joins a slice of the top and a slice of the bottom, each in one or more chunks, with counts
    /// of one width. The sum over all pairs of states that form a cycle goes to `meet`, one product
    /// per block of the top, in ascending order of patterns within a chunk. Returns the number of
    /// states processed.
    ///
    /// Blocks of the top that meet none of the bottom are not computed. Those that a chunk of the
    /// bottom needs are processed for this chunk, so more chunks take less memory and more time.
    pub fn attempt<C: Count>(
        &self,
        [top, bottom]: [&[Slice]; 2],
        planner: &mut Planner,
        sums: &mut Sums<C>,
        mut meet: impl FnMut(Pattern, Product),
    ) -> Result<u64, Halt> {
        let mut states_processed = 0;
        let stages = &self.halves.bottom.last().stages;
        for chunk in bottom {
            let below = chunk.unpack(planner, sums)?;
            let below = below.through(stages, planner, sums, &mut states_processed, self.stop)?;
            states_processed += self.join(top, &below, planner, sums, &mut meet)?;
            sums.keep(below);
        }
        Ok(states_processed)
    }

    /// Takes a slice of the top to the cut and joins it with states of the bottom.
    fn join<C: Count>(
        &self,
        top: &[Slice],
        below: &Blocks<C>,
        planner: &mut Planner,
        sums: &mut Sums<C>,
        meet: &mut impl FnMut(Pattern, Product),
    ) -> Result<u64, Halt> {
        let Self { halves, contractions, stop, .. } = *self;
        let Some((last, stages)) = halves.top.last().stages.split_last() else {
            unreachable!("the last round of the top has a stage");
        };
        // The border vertices that the last round of the top leaves alone.
        let touched = bits_of(halves.top.last().stages.iter().flat_map(Stage::touched));
        let alone = halves.border & !touched;
        let blocks: HashMap<_, _, ByPattern> = below.blocks().collect();
        let needed: HashSet<u64, ByPattern> =
            blocks.keys().map(|pattern| pattern.missing_in(alone).0).collect();
        let meeting = |pattern: Pattern| blocks.get(&pattern.missing_in(halves.border)).copied();
        let is_met = |pattern| meeting(pattern).is_some();
        let mut joiner = Joiner::<C::Factor>::new(planner.maps(), contractions);
        let (mut of_top, mut of_bottom) = (Vec::new(), Vec::new());
        let mut states_processed = 0;
        for chunk in top {
            let is_needed = |pattern: Pattern| needed.contains(&(pattern.0 & alone));
            let above = chunk.unpack_those(is_needed, planner, sums)?;
            let above = above.through(stages, planner, sums, &mut states_processed, stop)?;
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
            sums.keep(above);
        }
        Ok(states_processed)
    }
}
