//! Units: a slice of each half, taken through the last rounds to the cut and joined.
//!
//! Within a unit there is one more partition: when half of the stages are done, both slices are
//! partitioned again, by all squares that the other half of the stages leaves alone. So the states
//! that are processed at once fit the cache, and neither half of a unit ever exists as a whole at
//! the cut, where it is widest. The blocks after the last stage of the top are not even stored:
//! each is joined as soon as it is computed. A slice that would still not fit the memory of a
//! thread is joined in chunks.

use super::block::{Blocks, Halt, Planner, Sums};
use super::halves::Halves;
use super::round::{MostAtOnce, Partitioning, Slice, Workspace, widening, within};
use super::stage::Stage;
use super::{BOTTOM, TOP};
use crate::rounds::{Partitioned, Stop, by_slice};
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

/// The sum over parts of a unit.
#[derive(Default)]
pub(super) struct UnitSum {
    product: Product,
    pub states_processed: u64,
}

impl UnitSum {
    /// Returns the number of cycles.
    pub fn cycles(self, halves: &Halves) -> BigUint {
        // States merged with their mirror images have the counts of both, on either side: see
        // `Halves`.
        self.product.total() >> u32::from(halves.graph.mirror.is_some())
    }
}

/// Returns the states of a block as a join takes them: ranks and factors.
#[inline]
pub(super) fn factors<C: Count>(
    (ranks, counts): (&[C::Rank], &[C]),
) -> impl Iterator<Item = (u64, C::Factor)> {
    let ranks = ranks.iter().map(|&rank| rank.into());
    ranks.zip(counts.iter().cloned().map(C::Factor::from))
}

impl Unit<'_> {
    /// Returns the slice of the top, and that of the bottom, which has the degrees that the top
    /// lacks; `both` tells for each whether it is unpacked in both mirror images.
    pub fn slices(&self, both: [bool; 2]) -> Meeting<'_> {
        let Self { halves, degrees, packed: [top, bottom], .. } = *self;
        let mut above = Slice::new(degrees, halves.key, top);
        let mut below = Slice::new(degrees.missing_in(halves.key), halves.key, bottom);
        [above.both, below.both] = both;
        [above, below]
    }

    /// Takes a slice of one side, or a part of it, through the first of the two rounds. An error
    /// when cancelled, or if the output has more than `most` packed bytes.
    pub fn partitioned(
        &self,
        side: usize,
        slice: Slice,
        workspace: &mut Workspace,
        most: usize,
    ) -> Result<Vec<Partitioned>, Halt> {
        let partitioning = Partitioning::by(self.halves.inner_key);
        let round = self.halves.sides[side].before_last();
        within(round, slice, partitioning, workspace, most, self.stop)
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

    /// Adds the cycles of the unit: those of a slice of the top and the slice of the bottom that
    /// has the missing degrees. An error when cancelled; the sum is worthless then.
    pub fn add(&self, sum: &mut UnitSum, workspace: &mut Workspace) -> Result<(), Halt> {
        let [above, below] = self.slices([false, self.halves.is_own_image(self.degrees)]);
        self.each_part(TOP, above, sum, workspace, &|above, sum, workspace| {
            self.each_part(BOTTOM, below, sum, workspace, &|below, sum, workspace| {
                let mut meetings = self.meetings([above, below]);
                meetings.try_for_each(|meeting| {
                    self.in_parts(meeting, workspace, &mut |meeting, workspace| {
                        let (product, states_processed) = self.joined(meeting, workspace)?;
                        sum.product.take(product);
                        sum.states_processed += states_processed;
                        Ok(())
                    })
                })
            })
        })
    }

    /// Takes a slice of one side through the first of the two rounds and passes it on, in several
    /// parts if it is large. As a cycle is a state of each side, either side can be divided into
    /// any parts.
    fn each_part(
        &self,
        side: usize,
        slice: Slice,
        sum: &mut UnitSum,
        workspace: &mut Workspace,
        pass: &dyn Fn(&Pieces, &mut UnitSum, &mut Workspace) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let most = workspace.most.unit / 2;
        let mut parts = self.partitioned(side, slice, workspace, most);
        if let Err(Halt::TooLarge) = parts {
            let half = |half: Slice| self.each_part(side, half, sum, workspace, pass);
            if slice.each_half(&self.halves.sides[side].before_last().stages, half)? {
                return Ok(());
            }
            parts = self.partitioned(side, slice, workspace, usize::MAX);
        }
        let parts = parts?;
        sum.states_processed += parts.iter().map(|part| part.states_processed).sum::<u64>();
        pass(&by_slice(&parts), sum, workspace)
    }

    /// Joins two slices within the unit that meet, or all parts of them if they do not fit.
    pub fn in_parts(
        &self,
        meeting: Meeting,
        workspace: &mut Workspace,
        join: &mut dyn FnMut(Meeting, &mut Workspace) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        match join(meeting, workspace) {
            Err(Halt::TooLarge) => {}
            joined => return joined,
        }
        let is_top_larger = meeting[TOP].bytes() >= meeting[BOTTOM].bytes();
        for side in if is_top_larger { [TOP, BOTTOM] } else { [BOTTOM, TOP] } {
            let half = |half: Slice| {
                let mut meeting = meeting;
                meeting[side] = half;
                self.in_parts(meeting, workspace, join)
            };
            if meeting[side].each_half(&self.halves.sides[side].last().stages, half)? {
                return Ok(());
            }
        }
        // One state of each side: it is counted however many states follow it.
        let most = workspace.set_unpacked(usize::MAX);
        if most == usize::MAX {
            return Err(Halt::TooLarge);
        }
        let joined = self.in_parts(meeting, workspace, join);
        workspace.set_unpacked(most);
        joined
    }

    /// Joins two slices within the unit that meet, in chunks. Returns the sum over all pairs of
    /// states that form a cycle, and the number of states processed.
    fn joined(
        &self,
        [top, bottom]: Meeting,
        workspace: &mut Workspace,
    ) -> Result<(Product, u64), Halt> {
        let MostAtOnce { divided, whole, .. } = workspace.most;
        let tops = top.chunks(&self.halves.sides[TOP].last().stages, divided, whole);
        let bottoms = bottom.chunks(&self.halves.sides[BOTTOM].last().stages, whole, whole);
        let tops: Vec<Slice> = tops.iter().map(|packed| Slice { packed, ..top }).collect();
        let bottoms: Vec<Slice> = bottoms.iter().map(|packed| Slice { packed, ..bottom }).collect();
        widening!(workspace, |planner, sums| {
            let mut product = Product::default();
            let meet = |_, of_block| product.take(of_block);
            self.attempt([&tops, &bottoms], planner, sums, meet)
                .map(|states_processed| (product, states_processed))
        })
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
        let stages = &self.halves.sides[BOTTOM].last().stages;
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
        let Some((last, stages)) = halves.sides[TOP].last().stages.split_last() else {
            unreachable!("the last round of the top has a stage");
        };
        // The border vertices that the last round of the top leaves alone.
        let touched = bits_of(halves.sides[TOP].last().stages.iter().flat_map(Stage::touched));
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
                    return Ok(());
                };
                of_top.clear();
                of_top.extend(factors((ranks, counts)));
                of_bottom.clear();
                of_bottom.extend(factors(others));
                let mut product = Product::default();
                joiner.join(&of_top, &of_bottom, pattern.ends(), &mut product);
                meet(pattern, product);
                Ok(())
            })?;
            sums.keep(above);
        }
        Ok(states_processed)
    }
}
