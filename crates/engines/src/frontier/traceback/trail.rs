//! One tour out of all: a trail leads back from the number of a tour, or from its edges, through
//! both halves.
//!
//! A count adds up the counts of states from stage to stage; a traceback takes these sums apart
//! again. A [`Trail`] is at a state of each half, with an *index* below the count of that state.
//! The states and edge choices one stage earlier that lead to the state are its alternatives. They
//! are in a fixed order, and the index falls into the count of exactly one of them ([`choose`]). A
//! tour whose edges are known is traced in the same way. Its alternative is given, and the index
//! becomes the sum of the counts of all alternatives before it. So a number and its tour are
//! inverse to each other by construction.
//!
//! The invariant: counts are those of single states, not merged with their mirror images. In a
//! slice that was merged, or is unpacked in both images, each state has exactly twice that count,
//! so every count is halved. Beyond that, only one of two slices that mirror each other was kept. A
//! trail that leads into the other continues at the mirror image of its state, and records the
//! mirror images of its edges.
//!
//! The states before each stage are recomputed. This is done only for slices that a trail passes,
//! and only for the part of a slice that agrees with the trail on all squares that the round leaves
//! alone.

use super::super::block::{Blocks, Halt, Stepper};
use super::super::halves::Halves;
use super::super::round::{Partitioning, Slice, Workspace, widening};
use super::super::stage::Stage;
use super::super::sweep::{Round, Sweep};
use super::super::{BOTTOM, TOP};
use crate::rounds::{StatesUnavailable, Stop};
use crate::states::count::Count;
use crate::states::matching::DEAD;
use crate::states::pattern::Pattern;
use num_bigint::BigUint;
use std::borrow::Borrow;
use std::collections::HashSet;

/// A state of one of the classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct ClassState {
    pub pattern: Pattern,
    pub rank: u64,
}

impl ClassState {
    pub fn mirrored(self) -> Self {
        let Self { pattern, rank } = self;
        Self { pattern: pattern.mirrored(), rank: pattern.mirror().of_rank(rank, pattern.ends()) }
    }
}

/// The position of a trail in one of the classes.
#[derive(Debug, Clone, Default)]
pub(super) struct Leg {
    pub state: ClassState,
    /// True if the trail is at the mirror image of its tour's state.
    pub is_image: bool,
    /// For a wanted tour, the index that remains; for a wanted number, the sum of the counts before
    /// the trail so far.
    pub index: BigUint,
}

/// The trail of one tour, from its number to its edges or from its edges to its number.
#[derive(Debug, Clone, Default)]
pub struct Trail {
    /// The number by which the caller knows the trail.
    pub request: usize,
    /// True if the edges are known and the number is wanted.
    pub(super) is_known: bool,
    /// The two neighbours of each vertex on the tour, or [`NONE`] where they are not yet known.
    pub(super) joined: Vec<[u16; 2]>,
    /// True if the trail is at the exchanged image of its tour: the classes have changed places.
    pub(super) is_exchanged: bool,
    /// The positions in the top and in the bottom.
    pub(super) legs: [Leg; 2],
    /// The slice of the first class that the trail passes, once it has been traced to its unit.
    pub(super) top: Pattern,
    /// For a wanted tour, its index among those of its unit; for a wanted number, the tours of the
    /// unit before the trail's pair of states at the cut.
    pub(super) index: BigUint,
    /// The count of the state of the bottom at the cut.
    pub(super) of_bottom: BigUint,
}

/// The number that stands for no vertex.
const NONE: u16 = u16::MAX;

/// Returns the error for kept states that contradict the count.
pub(super) fn inconsistent() -> StatesUnavailable {
    StatesUnavailable::Damaged(
        "the states that were kept do not add up to the tours that were counted".to_owned(),
    )
}

/// Picks one of several alternatives in a fixed order, each with its count. Without a wanted
/// alternative, it is the one into whose count the index falls, and the index becomes one within
/// that count. Otherwise it is the wanted one, and the counts of all before it are added to the
/// index.
pub(super) fn choose<A: PartialEq>(
    index: &mut BigUint,
    wanted: Option<&A>,
    alternatives: impl IntoIterator<Item = (A, impl Borrow<BigUint>)>,
) -> Result<A, StatesUnavailable> {
    for (alternative, count) in alternatives {
        let count = count.borrow();
        match wanted {
            Some(wanted) if *wanted == alternative => return Ok(alternative),
            Some(_) => *index += count,
            None if *index < *count => return Ok(alternative),
            None => *index -= count,
        }
    }
    Err(inconsistent())
}

impl Trail {
    /// Begins the trail to the tour with an index among those of its unit.
    pub(super) fn numbered(request: usize, index: BigUint, vertices: usize) -> Self {
        Self { request, index, joined: vec![[NONE; 2]; vertices], ..Self::default() }
    }

    /// Begins the trail of a tour, given as the vertices of its cycle.
    pub(super) fn known(request: usize, cycle: &[usize]) -> Self {
        let mut trail = Self::numbered(request, BigUint::ZERO, cycle.len());
        let nexts = cycle[1..].iter().chain(cycle);
        for (&one, &other) in cycle.iter().zip(nexts) {
            trail.join(one, other);
        }
        trail.is_known = true;
        trail
    }

    /// Returns the index of the tour among those of its unit, once the trail has been traced back
    /// to the beginning.
    pub fn index(&self) -> BigUint {
        let [top, bottom] = &self.legs;
        &self.index + &top.index * &self.of_bottom + &bottom.index
    }

    /// Records an edge of the tour.
    fn join(&mut self, one: usize, other: usize) {
        for (from, to) in [(one, other), (other, one)] {
            let joined = &mut self.joined[from];
            let place = usize::from(joined[0] != NONE);
            joined[place] = to as u16;
        }
    }

    /// True if the tour is known to have an edge.
    fn is_joined(&self, one: usize, other: usize) -> bool {
        self.joined[one].contains(&(other as u16))
    }

    /// Returns the vertices along the cycle from one of them on, in one of its directions; `None`
    /// if the edges are not one cycle through all vertices.
    pub(super) fn cycle(&self, from: usize) -> Option<Vec<usize>> {
        let (mut before, mut at) = (from, usize::from(self.joined[from][0]));
        let mut cycle = vec![from];
        while at != from && cycle.len() < self.joined.len() {
            cycle.push(at);
            let [one, other] = self.joined.get(at)?.map(usize::from);
            (before, at) = (at, if one == before { other } else { one });
        }
        (at == from && cycle.len() == self.joined.len()).then_some(cycle)
    }

    /// Returns the states of a known tour, or of its image, before each stage of a round and after
    /// the last.
    pub(super) fn states(
        &self,
        side: &TracedSide,
        round: usize,
    ) -> Result<Vec<ClassState>, StatesUnavailable> {
        let image = |vertex| side.image(vertex, self);
        let mut states = vec![ClassState::default()];
        for number in 0..=round {
            if number == round {
                states.drain(..states.len() - 1);
            }
            for stage in side.stages(number) {
                let ClassState { pattern, rank } = states[states.len() - 1];
                let is_joined = |other| self.is_joined(image(stage.vertex), image(other));
                let chosen = stage.choice_from(pattern, is_joined);
                let (after, choice) = chosen.ok_or_else(inconsistent)?;
                let (mut ends, mut rank) = (pattern.ends(), rank);
                for change in choice.changes.into_iter().flatten() {
                    rank = change.of_rank(rank, ends);
                    ends = change.ends_after(ends);
                    if rank == DEAD {
                        return Err(inconsistent());
                    }
                }
                let pattern = after;
                states.push(ClassState { pattern, rank });
            }
        }
        Ok(states)
    }

    /// Returns the states of a known tour where the classes meet.
    pub(super) fn at_cut(&self, halves: &Halves) -> Result<[ClassState; 2], StatesUnavailable> {
        let last = |side: TracedSide| {
            let states = self.states(&side, side.sweep.rounds.len())?;
            states.last().copied().ok_or_else(inconsistent)
        };
        let [top, bottom] = sides(halves);
        Ok([last(top)?, last(bottom)?])
    }

    /// Returns the slice of the trail's state, or the kept one of two that mirror each other. In
    /// the second case the trail moves to the mirror image of its state.
    pub(super) fn slice(&mut self, side: usize, partitioning: Partitioning) -> u64 {
        let leg = &mut self.legs[side];
        let own = Pattern(leg.state.pattern.0 & partitioning.key);
        let kept = partitioning.slice_of(leg.state.pattern);
        if own != kept {
            leg.state = leg.state.mirrored();
            leg.is_image = !leg.is_image;
        }
        kept.0
    }

    /// Traces the trail back through a stage, given all states before the stage; `own` is the state
    /// of the tour there, if the tour is known.
    fn step<C: Count>(
        &mut self,
        stage: &Stage,
        layer: &Blocks<C>,
        own: Option<ClassState>,
        side: &TracedSide,
    ) -> Result<(), StatesUnavailable> {
        let leg = &mut self.legs[side.side];
        let target = leg.state;
        let choices = stage.choices_to(target.pattern);
        let mut alternatives = Vec::new();
        for choice in &choices {
            let Some((ranks, counts)) = layer.block(choice.before) else {
                continue;
            };
            for rank in choice.ranks_before(target.rank) {
                if let Ok(place) = ranks.binary_search_by_key(&rank, |&rank| rank.into()) {
                    let before = ClassState { pattern: choice.before, rank };
                    alternatives.push((before, side.unmerged(&counts[place])));
                }
            }
        }
        let before = choose(&mut leg.index, own.as_ref(), alternatives)?;
        leg.state = before;
        if !self.is_known {
            // Two choices that lead to one pattern lead from different ones.
            let choice = choices.iter().find(|choice| choice.before == before.pattern);
            for other in choice.into_iter().flat_map(|choice| choice.chosen).flatten() {
                self.join(side.image(stage.vertex, self), side.image(other, self));
            }
        }
        Ok(())
    }
}

/// Returns the patterns before each stage of a round, and after the last, that lead to some
/// patterns.
pub(super) fn needed_to_reach(
    targets: impl IntoIterator<Item = Pattern>,
    stages: &[Stage],
) -> Vec<HashSet<Pattern>> {
    let mut needed = vec![targets.into_iter().collect::<HashSet<Pattern>>()];
    for stage in stages.iter().rev() {
        let after = needed[needed.len() - 1].iter();
        let choices = after.flat_map(|&pattern| stage.choices_to(pattern));
        needed.push(choices.map(|choice| choice.before).collect());
    }
    needed.reverse();
    needed
}

/// Traces trails together. Where the states do not fit, each is traced alone, for which `trace` is
/// to compute only what leads to its state.
pub(super) fn together_or_alone(
    trails: &mut [Trail],
    mut trace: impl FnMut(&mut [Trail], bool) -> Result<Result<(), StatesUnavailable>, Halt>,
) -> Result<(), StatesUnavailable> {
    match trace(trails, false) {
        Err(Halt::TooLarge) => trails.chunks_mut(1).try_for_each(|alone| trace(alone, true)?),
        traced => traced?,
    }
}

/// The side that trails are traced through: a class of edges and its sweep.
#[derive(Debug, Clone, Copy)]
pub(super) struct TracedSide<'a> {
    pub halves: &'a Halves,
    pub side: usize,
    pub sweep: &'a Sweep,
}

/// Returns the top and the bottom.
pub(super) fn sides(halves: &Halves) -> [TracedSide<'_>; 2] {
    let sweep = |side| &halves.sweeps[halves.sweep_of(side)];
    [TOP, BOTTOM].map(|side| TracedSide { halves, side, sweep: sweep(side) })
}

impl TracedSide<'_> {
    /// Returns the count of a single state, without that of its mirror image.
    pub fn unmerged<C: Count>(&self, count: &C) -> BigUint {
        let count: BigUint = count.clone().into();
        count >> u32::from(self.halves.graph.mirror.is_some())
    }

    /// Returns the stages of a round; after the last round, those before the join.
    pub fn stages(&self, round: usize) -> &[Stage] {
        match self.sweep.rounds.get(round) {
            Some(round) => &round.stages,
            None => self.halves.stages_before_join(self.side),
        }
    }

    /// Returns the vertex of a trail's tour that a vertex of the sweep stands for.
    fn image(&self, vertex: usize, trail: &Trail) -> usize {
        let is_mirrored = trail.legs[self.side].is_image;
        let vertex = if is_mirrored { self.halves.graph.image(vertex) } else { vertex };
        match &self.halves.exchange {
            Some(exchange) if (self.side == BOTTOM) != trail.is_exchanged => exchange.of[vertex],
            _ => vertex,
        }
    }

    /// Returns the needed states of a slice before some stages and after each of them; all where
    /// `needed` has no patterns.
    pub fn layers<C: Count>(
        slice: &Slice,
        stages: &[Stage],
        needed: &[HashSet<Pattern>],
        stepper: &mut Stepper<C>,
    ) -> Result<Vec<Blocks<C>>, Halt> {
        let has = |stage: usize, own| needed.get(stage).is_none_or(|of| of.contains(&own));
        let layer = slice.unpack_those(|own| has(0, own), stepper)?.in_order(stepper.sums)?;
        layer.each_through(stages, |stage, pattern| has(stage + 1, pattern), stepper)
    }

    /// Traces trails back through all stages of a round, given the states before each of them.
    pub fn back<C: Count>(
        &self,
        round: usize,
        layers: &[Blocks<C>],
        trails: &mut [Trail],
    ) -> Result<(), StatesUnavailable> {
        let stages = self.stages(round);
        for trail in trails {
            let own = trail.is_known.then(|| trail.states(self, round));
            let own = own.transpose()?;
            for (place, (stage, layer)) in stages.iter().zip(layers).enumerate().rev() {
                let own = own.as_ref().map(|states| states[place]);
                trail.step(stage, layer, own, self)?;
            }
        }
        Ok(())
    }

    /// Traces the trails of a slice back through a round, given the packed slice. `is_merged` is
    /// true if the packed states were merged with their mirror images.
    ///
    /// # Errors
    /// [`StatesUnavailable`] when cancelled, or if the states do not fit or match the count.
    pub fn through(
        &self,
        round: usize,
        packed: &[&[u8]],
        is_merged: bool,
        trails: &mut [Trail],
        workspace: &mut Workspace,
        stop: Stop,
    ) -> Result<(), StatesUnavailable> {
        let Round { key, onward, .. } = &self.sweep.rounds[round];
        let inner_key = onward.first().copied().unwrap_or(*key);
        let side = self.side;
        let pattern = move |trail: &Trail| trail.legs[side].state.pattern;
        let degrees = move |trail: &Trail| Pattern(pattern(trail).0 & inner_key);
        trails.sort_by_key(degrees);
        let (Some(first), Some(last)) = (trails.first(), trails.last()) else {
            return Ok(());
        };
        let of_slice = Pattern(pattern(first).0 & key);
        let both = is_merged && of_slice == of_slice.mirrored();
        let slice = Slice { degrees: of_slice, key: *key, both, packed };
        if degrees(first) != degrees(last) && slice.bytes() <= workspace.most.divided {
            return self.part(round, slice, trails, workspace, stop);
        }
        // Both parts and trails come in the order of their degrees.
        let mut rest = trails;
        slice.each_part(inner_key, |part| {
            let number = rest.iter().take_while(|trail| degrees(trail) == part.degrees).count();
            let (trails, others) = std::mem::take(&mut rest).split_at_mut(number);
            rest = others;
            match trails {
                [] => Ok(()),
                trails => self.part(round, part, trails, workspace, stop),
            }
        })?;
        if rest.is_empty() { Ok(()) } else { Err(inconsistent()) }
    }

    /// Traces trails back through a round, all of which pass one slice or one part of it.
    fn part(
        &self,
        round: usize,
        slice: Slice,
        trails: &mut [Trail],
        workspace: &mut Workspace,
        stop: Stop,
    ) -> Result<(), StatesUnavailable> {
        // The states after the last stage are not needed: the trails are there.
        let all = &self.sweep.rounds[round].stages;
        let stages = all.split_last().map_or(&[][..], |(_, stages)| stages);
        together_or_alone(trails, |trails, is_alone| {
            let target = trails[0].legs[self.side].state.pattern;
            let needed = if is_alone { needed_to_reach([target], all) } else { Vec::new() };
            widening!(workspace, stop, |stepper| {
                Self::layers(&slice, stages, &needed, stepper)
                    .map(|layers| self.back(round, &layers, trails))
            })
        })
    }
}
