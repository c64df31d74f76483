//! Tracing trails back through a unit: from an index among its tours to a pair of states where the
//! halves meet, and through the rounds of the unit.
//!
//! The tours of a unit have this order. If the unit stands for its mirror image too, its own tours
//! come first, then their mirror images. Within these, tours are ordered by slice within the unit,
//! as seen from the top; by pattern of the top; by rank of the top's matching; by rank of the
//! bottom's; by the edge choices that lead to the state of the top; and by those of the bottom. All
//! but the last two are found by joining the unit again, which costs as much as its count, for any
//! number of trails. Within a block, contraction joins many pairs at once and no single pair has a
//! count. So a pair is found by bisection: the joined count of the first half of the states tells
//! which half contains it.

use super::super::block::{Blocks, Halt, Planner, Sums};
use super::super::round::{Workspace, widening};
use super::super::unit::{Meeting, Unit, factors};
use super::super::{BOTTOM, TOP};
use super::trail::{
    HalfState, Leg, Needed, TracedHalf, Trail, choose, inconsistent, sides, together_or_alone,
};
use crate::rounds::{StatesUnavailable, by_slice};
use crate::states::count::{Count, Product};
use crate::states::join::Joiner;
use crate::states::pattern::Pattern;
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::ops::Range;

/// Two slices that meet, and the number of cycles of each block of the top.
type CountedMeeting<'a> = (Meeting<'a>, Vec<(u64, BigUint)>);

impl Unit<'_> {
    /// Returns the count of pairs of single states, without those of mirror images.
    fn pairs(&self, product: Product) -> BigUint {
        product.total() >> (2 * u32::from(self.halves.graph.mirror.is_some()))
    }

    /// Traces all trails back to the states before the rounds of the unit. `tours` is its number of
    /// tours, with those of its mirror image.
    ///
    /// # Errors
    /// [`StatesUnavailable`] when cancelled, or if the states do not fit or match the count.
    pub fn back(
        &self,
        tours: &BigUint,
        trails: &mut [Trail],
        workspace: &mut Workspace,
    ) -> Result<(), StatesUnavailable> {
        let [above, below] = self.slices([self.halves.is_own_image(self.degrees); 2]);
        let parts = [
            self.partitioned(TOP, above, workspace, usize::MAX)?,
            self.partitioned(BOTTOM, below, workspace, usize::MAX)?,
        ];
        let [above, below] = parts.each_ref().map(|parts| by_slice(parts));
        let meetings = self.meetings([&above, &below]).map(|meeting| {
            let mut blocks: BTreeMap<u64, BigUint> = BTreeMap::new();
            self.in_parts(meeting, workspace, &mut |[top, bottom], workspace| {
                let part = widening!(workspace, |planner, sums| {
                    let mut part = Vec::new();
                    let meet = |pattern, product| part.push((pattern, self.pairs(product)));
                    self.attempt([&[top], &[bottom]], planner, sums, meet).map(|_| part)
                })?;
                part.into_iter().for_each(|(of, tours)| *blocks.entry(of.0).or_default() += tours);
                Ok(())
            })?;
            Ok((meeting, blocks.into_iter().collect()))
        });
        let meetings = meetings.collect::<Result<Vec<CountedMeeting>, Halt>>()?;
        trails.iter_mut().try_for_each(|trail| self.meet(tours, trail, &meetings))?;
        let slice = |trail: &Trail| trail.legs[TOP].state.pattern.0 & self.halves.inner_key;
        trails.sort_by_key(slice);
        for trails in trails.chunk_by_mut(|one, other| slice(one) == slice(other)) {
            let (slices, _) = meeting_of(&meetings, slice(&trails[0]))?;
            together_or_alone(trails, |trails, is_alone| {
                widening!(workspace, |planner, sums| {
                    let alone = is_alone.then_some(&trails[0]);
                    self.layers(slices, alone, planner, sums)
                        .map(|layers| self.trace_last(&layers, trails, planner))
                })
            })?;
        }
        for side in sides(self.halves) {
            let before_last = side.half.rounds.len() - 2;
            let packed = self.packed[side.sweep];
            let is_merged = self.halves.graph.mirror.is_some();
            side.through(before_last, packed, is_merged, trails, workspace, self.stop)?;
        }
        Ok(())
    }

    /// Finds the slice within the unit and the pattern of a trail.
    fn meet(
        &self,
        tours: &BigUint,
        trail: &mut Trail,
        meetings: &[CountedMeeting],
    ) -> Result<(), StatesUnavailable> {
        let is_image = self.orient(tours, trail)?;
        let top = trail.legs[TOP].state.pattern;
        let own = |known: u64| trail.is_known.then_some(known);
        let slice = own(top.0 & self.halves.inner_key);
        let slices = meetings
            .iter()
            .map(|([top, _], blocks)| (top.degrees.0, blocks.iter().map(|(_, tours)| tours).sum()));
        let slice = choose(&mut trail.index, slice.as_ref(), slices)?;
        let blocks = meeting_of(meetings, slice)?.1.iter().cloned();
        let pattern = Pattern(choose(&mut trail.index, own(top.0).as_ref(), blocks)?);
        if !trail.is_known {
            let leg = |pattern| Leg {
                state: HalfState { pattern, rank: 0 },
                is_image,
                index: BigUint::ZERO,
            };
            trail.legs[TOP] = leg(pattern);
            trail.legs[BOTTOM] = leg(pattern.missing_in(self.halves.border));
        }
        Ok(())
    }

    /// True if a trail belongs to the mirror image of the unit, and not to the unit itself.
    fn orient(&self, tours: &BigUint, trail: &mut Trail) -> Result<bool, StatesUnavailable> {
        let images = self.halves.images(self.degrees);
        let counts = (0..images).map(|image| (image == 1, tours / images));
        let own = trail.is_known.then_some(trail.legs[TOP].is_image);
        choose(&mut trail.index, own.as_ref(), counts)
    }

    /// Returns the states of two slices that meet before each stage of the last round and after
    /// it, with counts of one width: all of them, or those that lead to a single trail.
    fn layers<C: Count>(
        &self,
        slices: &Meeting,
        alone: Option<&Trail>,
        planner: &mut Planner,
        sums: &mut Sums<C>,
    ) -> Result<Vec<Vec<Blocks<C>>>, Halt> {
        let mut layers = Vec::new();
        for (slice, side) in slices.iter().zip(&sides(self.halves)) {
            let stages = &side.half.last().stages;
            let needed =
                |trail: &Trail| Needed::to_reach(trail.legs[side.sweep].state.pattern, stages);
            let needed = alone.map(needed).unwrap_or_default();
            layers.push(TracedHalf::layers(slice, stages, &needed, planner, sums, self.stop)?);
        }
        Ok(layers)
    }

    /// Finds the pairs of states of trails that share their slices, and traces them back through
    /// the last round.
    fn trace_last<C: Count>(
        &self,
        layers: &[Vec<Blocks<C>>],
        trails: &mut [Trail],
        planner: &Planner,
    ) -> Result<(), StatesUnavailable> {
        let sides = sides(self.halves);
        let mut joiner = Joiner::<C::Factor>::new(planner.maps(), self.contractions);
        let mut pair = |trail: &mut Trail| -> Result<(), StatesUnavailable> {
            let patterns = [TOP, BOTTOM].map(|side| trail.legs[side].state.pattern);
            let block = |side: usize| {
                let last = layers[side].last();
                let block = last.and_then(|layer| layer.block(patterns[side]));
                block.ok_or_else(inconsistent)
            };
            let blocks = [block(TOP)?, block(BOTTOM)?];
            let states = blocks.map(|block| factors(block).collect::<Vec<_>>());
            let ends = patterns[TOP].ends();
            let mut places = [0; 2];
            let [tops, bottoms] = &states;
            let own = |side: usize| -> Result<Option<usize>, StatesUnavailable> {
                let rank = trail.legs[side].state.rank;
                let place = states[side].binary_search_by_key(&rank, |state| state.0);
                if trail.is_known { place.map(Some).map_err(|_| inconsistent()) } else { Ok(None) }
            };
            let owns = [own(TOP)?, own(BOTTOM)?];
            let mut join = |tops: &[(u64, C::Factor)], bottoms: &[(u64, C::Factor)]| {
                let mut product = Product::default();
                joiner.join(tops, bottoms, ends, &mut product);
                self.pairs(product)
            };
            places[TOP] = bisect(tops.len(), &mut trail.index, owns[TOP], |range| {
                join(&tops[range], bottoms)
            });
            let top = &tops[places[TOP]..=places[TOP]];
            places[BOTTOM] = bisect(bottoms.len(), &mut trail.index, owns[BOTTOM], |range| {
                join(top, &bottoms[range])
            });
            for side in [TOP, BOTTOM] {
                trail.legs[side].state.rank = states[side][places[side]].0;
            }
            let (_, counts) = blocks[BOTTOM];
            trail.of_bottom = sides[BOTTOM].unmerged(&counts[places[BOTTOM]]);
            if !trail.is_known {
                trail.legs[TOP].index = &trail.index / &trail.of_bottom;
                trail.legs[BOTTOM].index = &trail.index % &trail.of_bottom;
            }
            Ok(())
        };
        trails.iter_mut().try_for_each(&mut pair)?;
        let last = |side: &TracedHalf| side.half.rounds.len() - 1;
        let mut sides = sides.iter().zip(layers);
        sides.try_for_each(|(side, layers)| side.back(last(side), layers, trails))
    }
}

/// Returns the meeting of a slice of the top.
fn meeting_of<'m, 'a>(
    meetings: &'m [CountedMeeting<'a>],
    slice: u64,
) -> Result<&'m CountedMeeting<'a>, StatesUnavailable> {
    let found = meetings.binary_search_by_key(&slice, |([top, _], _)| top.degrees.0);
    found.map(|number| &meetings[number]).map_err(|_| inconsistent())
}

/// Picks one of `len` alternatives in a fixed order, as [`choose`] does, where `count` returns the
/// count of any range of them.
fn bisect(
    len: usize,
    index: &mut BigUint,
    wanted: Option<usize>,
    mut count: impl FnMut(Range<usize>) -> BigUint,
) -> usize {
    let mut left = 0..len;
    while left.len() > 1 {
        let middle = left.start + left.len() / 2;
        let before = count(left.start..middle);
        let is_before = match wanted {
            Some(wanted) => wanted < middle,
            None => *index < before,
        };
        match (is_before, wanted) {
            (true, _) => left.end = middle,
            (false, Some(_)) => (left.start, *index) = (middle, &*index + before),
            (false, None) => (left.start, *index) = (middle, &*index - before),
        }
    }
    left.start
}
