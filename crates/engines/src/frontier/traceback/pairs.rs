//! Tracing trails back through a unit: from an index among its tours to a pair of states where the
//! classes meet, and through the stages of left-out edges.
//!
//! The tours of a unit have this order. If the unit stands for several images, the tours of each
//! come together, its own first. Within these, tours are ordered by slice of the first class; by
//! pattern, once the left-out edges are chosen; by rank of the first class's matching; by rank of
//! the second's; by the edge choices that lead to the state of the first class; and by those of the
//! second. All but the last two are found by joining the unit again, which costs as much as its
//! count, for any number of trails. Within a block, contraction joins many pairs at once and no
//! single pair has a count. So a pair is found by bisection: the joined count of the first half of
//! the states tells which half contains it.

use super::super::block::{Blocks, Halt, Planner};
use super::super::halves::Image;
use super::super::round::{Workspace, widening};
use super::super::unit::{Factors, PackedTop, Unit, factors};
use super::super::{BOTTOM, TOP};
use super::trail::{
    ClassState, Leg, TracedSide, Trail, choose, inconsistent, needed_to_reach, sides,
    together_or_alone,
};
use crate::rounds::StatesUnavailable;
use crate::states::count::{Count, Product};
use crate::states::join::Joiner;
use crate::states::pattern::Pattern;
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::ops::Range;

/// The number of cycles of each pattern with left-out edges, by slice of the first class.
type CountedTops = BTreeMap<(Pattern, Pattern), BigUint>;

impl Unit<'_> {
    /// Returns the count of pairs of single states, without those of mirror images.
    fn of_pairs(&self, product: Product) -> BigUint {
        self.pairs(product.total(), 2)
    }

    /// Traces all trails back to the states of the slices. `tours` is the number of tours of the
    /// unit, with those of its images.
    ///
    /// # Errors
    /// [`StatesUnavailable`] when cancelled, or if the states do not fit or match the count.
    pub fn back(
        &self,
        (tops, below): (&[PackedTop], &[&[u8]]),
        tours: &BigUint,
        trails: &mut [Trail],
        workspace: &mut Workspace,
    ) -> Result<(), StatesUnavailable> {
        let mut counted = CountedTops::new();
        for (top, packed) in tops {
            let meeting = [self.above(*top, packed, true), self.below(below)];
            self.in_parts(meeting, workspace, &mut |[part, bottom], workspace| {
                let blocks = widening!(workspace, self.stop, |stepper| {
                    let mut blocks = Vec::new();
                    let meet = |pattern, product| blocks.push((pattern, self.of_pairs(product)));
                    self.attempt([&[part], &[bottom]], stepper, meet).map(|()| blocks)
                })?;
                for (pattern, tours) in blocks {
                    *counted.entry((*top, pattern)).or_default() += tours;
                }
                Ok(())
            })?;
        }
        trails.iter_mut().try_for_each(|trail| self.meet(tours, trail, &counted))?;
        trails.sort_by_key(|trail| trail.top);
        for trails in trails.chunk_by_mut(|one, other| one.top == other.top) {
            let place = tops.iter().position(|(top, _)| *top == trails[0].top);
            let (top, packed) = &tops[place.ok_or_else(inconsistent)?];
            let slices = [self.above(*top, packed, true), self.below(below)];
            together_or_alone(trails, |trails, _| {
                widening!(workspace, self.stop, |stepper| {
                    let layers = slices.iter().zip(sides(self.halves)).map(|(slice, side)| {
                        let stages = side.stages(side.sweep.rounds.len());
                        let ends = trails.iter().map(|trail| trail.legs[side.side].state.pattern);
                        let needed = needed_to_reach(ends, stages);
                        TracedSide::layers(slice, stages, &needed, stepper)
                    });
                    let layers = layers.collect::<Result<Vec<_>, Halt>>();
                    layers.map(|layers| self.trace_last(&layers, trails, stepper.planner))
                })
            })?;
        }
        Ok(())
    }

    /// Finds the slice of the first class and the pattern of a trail.
    fn meet(
        &self,
        tours: &BigUint,
        trail: &mut Trail,
        counted: &CountedTops,
    ) -> Result<(), StatesUnavailable> {
        let image = self.orient(tours, trail)?;
        let own = match trail.is_known {
            true => {
                let top = &sides(self.halves)[TOP];
                let states = trail.states(top, top.sweep.rounds.len())?;
                let slice = Pattern(states[0].pattern.0 & self.halves.key);
                Some((slice, trail.legs[TOP].state.pattern))
            }
            false => None,
        };
        let blocks = counted.iter().map(|(&block, tours)| (block, tours));
        let (top, pattern) = choose(&mut trail.index, own.as_ref(), blocks)?;
        trail.top = top;
        if !trail.is_known {
            let leg = |pattern| Leg {
                state: ClassState { pattern, rank: 0 },
                is_image: image.is_mirrored,
                index: BigUint::ZERO,
            };
            trail.is_exchanged = image.is_exchanged;
            trail.legs[TOP] = leg(pattern);
            trail.legs[BOTTOM] = leg(self.halves.below(pattern, self.halves.boundary));
        }
        Ok(())
    }

    /// Returns the image of the unit that a trail belongs to.
    fn orient(&self, tours: &BigUint, trail: &mut Trail) -> Result<Image, StatesUnavailable> {
        let images = self.halves.images(self.degrees);
        let each = tours / images.len();
        let counts = images.iter().map(|&(_, image)| (image, each.clone()));
        let (is_mirrored, is_exchanged) = (trail.legs[TOP].is_image, trail.is_exchanged);
        let own = trail.is_known.then_some(Image { is_mirrored, is_exchanged });
        choose(&mut trail.index, own.as_ref(), counts)
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
            let states = blocks.map(|block| factors(block).collect::<Factors<C>>());
            let mut seen = states[BOTTOM].clone();
            let ends = patterns[TOP].ends();
            joiner.change(&self.as_seen_from_top(patterns[BOTTOM]), ends, &mut seen);
            let mut places = [0; 2];
            let (tops, bottoms) = (&states[TOP], &seen);
            let own = |side: usize| -> Result<Option<usize>, StatesUnavailable> {
                let rank = trail.legs[side].state.rank;
                let place = states[side].binary_search_by_key(&rank, |state| state.0);
                if trail.is_known { place.map(Some).map_err(|_| inconsistent()) } else { Ok(None) }
            };
            let owns = [own(TOP)?, own(BOTTOM)?];
            let mut join = |tops: &[(u64, C::Factor)], bottoms: &[(u64, C::Factor)]| {
                let mut product = Product::default();
                joiner.join(tops, bottoms, ends, &mut product);
                self.of_pairs(product)
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
        let back =
            |side: TracedSide| side.back(side.sweep.rounds.len(), &layers[side.side], trails);
        sides.into_iter().try_for_each(back)
    }
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
