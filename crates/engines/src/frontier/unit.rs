//! Units: slices of both classes that fit together, joined.
//!
//! A unit joins one slice of the second class with all slices of the first from which left-out
//! edges lead to the degrees that it lacks: with the only one where no edge is left out. Paired
//! edges are chosen on both sides before. The blocks of the first class after the last such edge
//! are not even stored: each is joined as soon as it is computed. A slice that does not fit the
//! memory of a thread is joined in chunks.

use super::block::{Blocks, Halt, Stepper};
use super::halves::Halves;
use super::round::{MostAtOnce, Slice, Workspace, widening};
use super::{BOTTOM, TOP};
use crate::rounds::Stop;
use crate::states::count::{Count, Product};
use crate::states::join::{Contractions, Joiner};
use crate::states::matching::Change;
use crate::states::pattern::{ByPattern, Pattern};
use num_bigint::BigUint;
use std::collections::HashMap;

/// A unit, with the means to join its slices.
#[derive(Clone, Copy)]
pub(super) struct Unit<'a> {
    pub halves: &'a Halves,
    /// The degrees of the sliced squares in the first class, left-out edges included.
    pub degrees: Pattern,
    pub contractions: &'a Contractions,
    pub stop: Stop<'a>,
}

/// A slice of the first class, packed.
pub(super) type PackedTop<'a> = (Pattern, Vec<&'a [u8]>);

/// A slice of the first class, and the slice of the second that it meets.
pub(super) type Meeting<'a> = [Slice<'a>; 2];

/// The sum over parts of a unit.
#[derive(Default)]
pub(super) struct UnitSum {
    product: Product,
    pub states_processed: u64,
}

impl UnitSum {
    fn take(&mut self, part: Self) {
        self.product.take(part.product);
        self.states_processed += part.states_processed;
    }
}

/// A state as a join takes it: a rank and a factor.
pub(super) type Factors<C> = Vec<(u64, <C as Count>::Factor)>;

/// Returns the states of a block as a join takes them.
#[inline]
pub(super) fn factors<C: Count>(
    (ranks, counts): (&[C::Rank], &[C]),
) -> impl Iterator<Item = (u64, C::Factor)> {
    let ranks = ranks.iter().map(|&rank| rank.into());
    ranks.zip(counts.iter().cloned().map(C::Factor::from))
}

/// The bytes that may follow from a single state of each side, at least.
const LEAST_ALONE: usize = 16 << 20;

impl Unit<'_> {
    /// Returns the number of cycles of the unit and its images.
    pub fn cycles(&self, sum: UnitSum) -> BigUint {
        let images = self.halves.images(self.degrees).len();
        self.pairs(sum.product.total() * images, self.doubled())
    }

    /// Returns the number of cycles that a join stands for, given by how many of the two sides are
    /// doubled.
    pub fn pairs(&self, joined: BigUint, doubled: u32) -> BigUint {
        joined >> (doubled * u32::from(self.halves.graph.mirror.is_some()))
    }

    /// True if the unit is its own mirror image.
    fn is_own_image(&self) -> bool {
        self.halves.graph.mirror.is_some() && self.degrees == self.degrees.mirrored()
    }

    /// The number of sides whose counts are doubled. A unit that is its own mirror image needs the
    /// doubled counts of one side only, because a slice of the other with its mirror image is
    /// doubled too, unless edges are chosen between.
    fn doubled(&self) -> u32 {
        let is_final = self.halves.stages_before_join(TOP).is_empty();
        if self.is_own_image() && is_final { 1 } else { 2 }
    }

    /// Returns a slice of the first class; `is_doubled` tells whether its counts are to be doubled
    /// state by state.
    pub fn above<'p>(&self, top: Pattern, packed: &'p [&'p [u8]], is_doubled: bool) -> Slice<'p> {
        let is_mirrored = self.halves.graph.mirror.is_some() && top == top.mirrored();
        Slice { degrees: top, key: self.halves.key, both: is_doubled && is_mirrored, packed }
    }

    /// Returns the slice of the second class, with doubled counts.
    pub fn below<'p>(&self, packed: &'p [&'p [u8]]) -> Slice<'p> {
        let Self { halves, degrees, .. } = *self;
        let (degrees, key) = (halves.below(degrees, halves.key), halves.key_below(halves.key));
        Slice { degrees, key, both: self.is_own_image(), packed }
    }

    /// Adds the cycles of some slices of the first class and the slice of the second. An error when
    /// cancelled; the sum is worthless then.
    pub fn add(
        &self,
        tops: &[PackedTop],
        of_bottom: &[&[u8]],
        sum: &mut UnitSum,
        workspace: &mut Workspace,
    ) -> Result<(), Halt> {
        let is_doubled = self.doubled() == 2;
        let tops = tops.iter().map(|(top, packed)| self.above(*top, packed, is_doubled));
        let (tops, bottom) = (tops.collect::<Vec<_>>(), self.below(of_bottom));
        match self.joined(&tops, bottom, workspace) {
            Err(Halt::TooLarge) => tops.iter().try_for_each(|&top| {
                self.in_parts([top, bottom], workspace, &mut |[top, bottom], workspace| {
                    self.joined(&[top], bottom, workspace).map(|part| sum.take(part))
                })
            }),
            joined => joined.map(|all| sum.take(all)),
        }
    }

    /// Joins two slices that meet, or all parts of them if they do not fit.
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
            let stages = self.halves.stages_before_join(side);
            let half = |half: Slice| {
                let mut meeting = meeting;
                meeting[side] = half;
                self.in_parts(meeting, workspace, join)
            };
            if meeting[side].each_half(stages, half)? {
                return Ok(());
            }
        }
        // One state of each side cannot be divided. What follows it may take more than the share of
        // a thread, but not without a limit: on a dense graph it would fill the memory.
        let most = workspace.set_unpacked(workspace.most.unpacked.max(LEAST_ALONE));
        let joined = join(meeting, workspace);
        workspace.set_unpacked(most);
        joined
    }

    /// Joins slices that meet, part by part: both are divided by the degrees of more squares that
    /// left-out edges leave alone, so that what is joined fits the cache. Returns the sum over all
    /// pairs of states that form a cycle.
    fn joined(
        &self,
        tops: &[Slice],
        bottom: Slice,
        workspace: &mut Workspace,
    ) -> Result<UnitSum, Halt> {
        let key = self.halves.inner_key;
        if key == self.halves.key {
            return self.in_chunks(tops, bottom, workspace);
        }
        let key_below = self.halves.key_below(key);
        let below = bottom.parts(key_below);
        let mut sum = UnitSum::default();
        for top in tops {
            top.each_part(key, |top| {
                // Left-out edges may lead to sliced squares: these have the degrees of the unit.
                let sliced = self.halves.key;
                let met = Pattern(top.degrees.0 & !sliced | self.degrees.0 & sliced);
                let degrees = self.halves.below(met, key);
                let Some(packed) = below.get(&degrees) else { return Ok(()) };
                let bottom = bottom.part(degrees, key_below, packed);
                self.in_chunks(&[top], bottom, workspace).map(|part| sum.take(part))
            })?;
        }
        Ok(sum)
    }

    /// Joins slices that meet, in chunks; see [`joined`](Self::joined).
    fn in_chunks(
        &self,
        tops: &[Slice],
        bottom: Slice,
        workspace: &mut Workspace,
    ) -> Result<UnitSum, Halt> {
        let MostAtOnce { divided, whole, .. } = workspace.most;
        let tops: Vec<_> = tops
            .iter()
            .map(|top| (*top, top.chunks(self.halves.stages_before_join(TOP), divided, whole)))
            .collect();
        let tops: Vec<Slice> = tops
            .iter()
            .flat_map(|(top, chunks)| chunks.iter().map(|packed| Slice { packed, ..*top }))
            .collect();
        let bottoms = bottom.chunks(self.halves.stages_before_join(BOTTOM), whole, whole);
        let bottoms: Vec<Slice> = bottoms.iter().map(|packed| Slice { packed, ..bottom }).collect();
        widening!(workspace, self.stop, |stepper| {
            let mut product = Product::default();
            let meet = |_, of_block| product.take(of_block);
            self.attempt([&tops, &bottoms], stepper, meet)
                .map(|()| UnitSum { product, states_processed: stepper.states_processed })
        })
    }

    /// Joins slices of both classes, each in one or more chunks, with counts of one width. The sum
    /// over all pairs of states that form a cycle goes to `meet`, one product per block of the
    /// first class, in ascending order of patterns within a chunk.
    pub fn attempt<C: Count>(
        &self,
        [top, bottom]: [&[Slice]; 2],
        stepper: &mut Stepper<C>,
        mut meet: impl FnMut(Pattern, Product),
    ) -> Result<(), Halt> {
        for chunk in bottom {
            let stages = self.halves.stages_before_join(BOTTOM);
            let below = chunk.unpack_those(|_| true, stepper)?;
            let below = below.through(stages, |_, _| true, stepper)?;
            self.join(top, &below, stepper, &mut meet)?;
            stepper.sums.keep(below);
        }
        Ok(())
    }

    /// Adds the edges before the join to slices of the first class and joins them with states of
    /// the second. Blocks that meet none are not computed.
    fn join<C: Count>(
        &self,
        top: &[Slice],
        below: &Blocks<C>,
        stepper: &mut Stepper<C>,
        meet: &mut impl FnMut(Pattern, Product),
    ) -> Result<(), Halt> {
        let Self { halves, contractions, stop, .. } = *self;
        let mut blocks: HashMap<Pattern, Vec<_>, ByPattern> = HashMap::default();
        for (pattern, states) in below.blocks() {
            blocks.entry(pattern).or_default().push(states);
        }
        let of = |pattern| halves.below(pattern, halves.boundary);
        let is_met = |pattern| blocks.contains_key(&of(pattern));
        let mut joiner = Joiner::<C::Factor>::new(stepper.planner.maps(), contractions);
        let mut buffers = [Factors::<C>::new(), Factors::<C>::new()];
        let leading = halves.leading_to(self.degrees);
        let leads = |stage: usize, pattern: Pattern| {
            leading[stage + 1].binary_search(&Pattern(pattern.0 & halves.key)).is_ok()
        };
        let mut join = |pattern: Pattern, states: (&[C::Rank], &[C])| {
            let below = of(pattern);
            let Some(others) = blocks.get(&below) else { return };
            let [of_top, of_bottom] = &mut buffers;
            of_top.clear();
            of_top.extend(factors(states));
            of_bottom.clear();
            others.iter().for_each(|&states| of_bottom.extend(factors(states)));
            joiner.change_all(&self.as_seen_from_top(below), below.ends(), of_bottom);
            let mut product = Product::default();
            joiner.join(of_top, of_bottom, pattern.ends(), &mut product);
            meet(pattern, product);
        };
        for chunk in top {
            let Some((last, stages)) = halves.stages_before_join(TOP).split_last() else {
                let join_unless_stopped = |pattern, ranks: &[C::Rank], counts: &[C]| {
                    join(pattern, (ranks, counts));
                    if stop() { Err(Halt::Stopped) } else { Ok(()) }
                };
                chunk.unpack_those(is_met, stepper)?.for_each(join_unless_stopped, stepper.sums)?;
                continue;
            };
            // Of the sets of edges of a single stage, few lead from a slice to this unit, and they
            // lead only few of its blocks to any that are met.
            let added = self.degrees.0.wrapping_sub(chunk.degrees.0 & halves.key);
            let only = halves.only_stage.get(&added);
            let last = only.unwrap_or(last);
            let is_needed = |pattern| only.is_none() || last.may_lead(pattern, is_met);
            let above = chunk.unpack_those(is_needed, stepper)?.through(stages, leads, stepper)?;
            above.advance(last, is_met, stepper, |pattern, ranks, counts| {
                join(pattern, (ranks, counts));
                Ok(())
            })?;
            stepper.sums.keep(above);
        }
        Ok(())
    }

    /// The changes that turn the matchings of states of the second class, of one pattern, into
    /// those that they have on the side of the first.
    pub fn as_seen_from_top(&self, below: Pattern) -> Vec<Change> {
        let mut changes = Vec::new();
        if let Some(exchange) = &self.halves.exchange {
            exchange.each_change(below, |change| changes.push(change));
        }
        changes
    }
}
