//! One tour out of all: the way back from a number, or from the edges of a tour, through both halves.
//!
//! What a count adds up on its way forth is taken apart on the way back. A [`Trail`] stands at a state of each half with an
//! *index* below the number of ways to come there. A stage back, the states and choices of edges that lead to its state
//! are the alternatives, in a fixed order, and the index falls into the ways of one of them ([`choose`]). A tour that is
//! known goes back the same way: there the alternative is given, and the index is what the ways of all before it come
//! to. So a number and its tour are inverse to each other by construction.
//!
//! The invariant: the numbers of ways are those of states as they are, not merged with their mirror images. A slice
//! that was merged, or is unpacked in both images, has each state with twice these; so every number is halved, and nothing else of
//! the mirror is left but that of two slices that mirror each other one is kept. A trail whose state is in the other goes on
//! with the mirror image of its state, and notes down the images of its edges.
//!
//! The states before each stage are made anew, for the slices alone that trails pass, and of these for what agrees on all squares that the round
//! leaves alone.

use super::choices::Choice;
use crate::frontier::block::{Bench, Halt, Layer, Stop, Sums, Wanted};
use crate::frontier::half::{Half, Round};
use crate::frontier::halves::Halves;
use crate::frontier::round::{Dealing, Slice, Workspace, take, widening};
use crate::frontier::stage::Stage;
use crate::frontier::{BOTTOM, TOP};
use crate::rounds::{Partitioned, StatesUnavailable, by_slice};
use crate::states::matching::DEAD;
use crate::states::pattern::Pattern;
use crate::states::ways::Ways;
use num_bigint::BigUint;

/// A state of either half.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct State {
    pub pattern: Pattern,
    pub rank: u64,
}

impl State {
    fn mirrored(self) -> Self {
        let Self { pattern, rank } = self;
        Self { pattern: pattern.mirrored(), rank: pattern.mirror().of_rank(rank, pattern.ends()) }
    }
}

/// Where a trail stands in one of the halves.
#[derive(Debug, Clone, Default)]
pub(super) struct Leg {
    pub state: State,
    /// Whether it is the mirror image of the tour that goes there.
    pub is_image: bool,
    /// Of a number, what is left of it; of a tour, what came before it so far.
    pub index: BigUint,
}

/// A tour on its way back, between its number and its edges.
#[derive(Debug, Clone)]
pub struct Trail {
    /// What whoever asks knows it by.
    pub name: usize,
    /// Whether its edges are known, and the number is what is wanted.
    pub(super) is_known: bool,
    /// By vertex, those it is joined to, as far as they are known.
    pub(super) joined: Vec<[u16; 2]>,
    /// In the top and in the bottom.
    pub(super) legs: [Leg; 2],
    /// Its index among the tours of its unit.
    pub(super) index: BigUint,
    /// The ways of its state of the bottom.
    pub(super) ways: BigUint,
}

/// No vertex.
const NONE: u16 = u16::MAX;

/// What does not add up, in whatever was built.
pub(super) fn inconsistent() -> StatesUnavailable {
    StatesUnavailable(
        "the states that were kept do not add up to the tours that were counted".to_owned(),
    )
}

/// Picks one of alternatives that stand in a fixed order, each with its ways: the one into whose ways the index falls,
/// which is then an index among these; or the one that is wanted, whose predecessors' ways are added to the index.
pub(super) fn choose<A: PartialEq>(
    index: &mut BigUint,
    wanted: Option<&A>,
    alternatives: impl IntoIterator<Item = (A, BigUint)>,
) -> Result<A, StatesUnavailable> {
    for (alternative, ways) in alternatives {
        match wanted {
            Some(wanted) if *wanted == alternative => return Ok(alternative),
            Some(_) => *index += ways,
            None if *index < ways => return Ok(alternative),
            None => *index -= ways,
        }
    }
    Err(inconsistent())
}

impl Trail {
    /// The tour with an index among those of its unit.
    pub(super) fn numbered(name: usize, index: BigUint, vertices: usize) -> Self {
        Self {
            name,
            is_known: false,
            joined: vec![[NONE; 2]; vertices],
            legs: Default::default(),
            index,
            ways: BigUint::ZERO,
        }
    }

    /// The cycle through these vertices.
    pub(super) fn known(name: usize, cycle: &[usize]) -> Self {
        let mut trail = Self::numbered(name, BigUint::ZERO, cycle.len());
        let nexts = cycle[1..].iter().chain(cycle);
        for (&one, &other) in cycle.iter().zip(nexts) {
            trail.join(one, other);
        }
        trail.is_known = true;
        trail
    }

    /// At the end of the way, its index among the tours of its unit.
    pub fn index(&self) -> BigUint {
        let [top, bottom] = &self.legs;
        &self.index + &top.index * &self.ways + &bottom.index
    }

    fn join(&mut self, one: usize, other: usize) {
        for (from, to) in [(one, other), (other, one)] {
            let joined = &mut self.joined[from];
            let place = usize::from(joined[0] != NONE);
            joined[place] = to as u16;
        }
    }

    fn is_joined(&self, one: usize, other: usize) -> bool {
        self.joined[one].contains(&(other as u16))
    }

    /// The vertices along the cycle from one of them on, in one of the directions; `None` when it is no cycle through all.
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

    /// The states of a tour whose edges are known, before each stage of a round and after the last; or of its mirror image.
    fn states(
        &self,
        within: &Within,
        round: usize,
        is_image: bool,
    ) -> Result<Vec<State>, StatesUnavailable> {
        let image = |vertex| within.image(vertex, is_image);
        let mut states = vec![State::default()];
        for (number, of_round) in within.half.rounds[..=round].iter().enumerate() {
            if number == round {
                states.drain(..states.len() - 1);
            }
            for stage in &of_round.stages {
                let State { pattern, rank } = states[states.len() - 1];
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
                states.push(State { pattern, rank });
            }
        }
        Ok(states)
    }

    /// The states of a known tour, or of its mirror image, where the halves meet.
    pub(super) fn at_cut(
        &self,
        halves: &Halves,
        is_image: bool,
    ) -> Result<[State; 2], StatesUnavailable> {
        let last = |within: Within| {
            let states = self.states(&within, within.half.rounds.len() - 1, is_image)?;
            states.last().copied().ok_or_else(inconsistent)
        };
        let [top, bottom] = sides(halves);
        Ok([last(top)?, last(bottom)?])
    }

    /// Stands in that of two slices that mirror each other which is kept, and says which it is.
    pub(super) fn slice(&mut self, side: usize, dealing: Dealing) -> u64 {
        let leg = &mut self.legs[side];
        let own = Pattern(leg.state.pattern.0 & dealing.key);
        let kept = dealing.slice_of(leg.state.pattern);
        if own != kept {
            leg.state = leg.state.mirrored();
            leg.is_image = !leg.is_image;
        }
        kept.0
    }

    /// Goes back through a stage, before which there are these states; `own` is that of the tour, if it is known.
    fn step<W: Ways>(
        &mut self,
        side: usize,
        stage: &Stage,
        layer: &Layer<W>,
        own: Option<State>,
        within: &Within,
    ) -> Result<(), StatesUnavailable> {
        let leg = &mut self.legs[side];
        let target = leg.state;
        let mut choices = Vec::new();
        stage.choices_to(target.pattern, &mut choices);
        let mut alternatives = Vec::new();
        for choice in &choices {
            let Some((ranks, ways)) = layer.block(choice.before) else {
                continue;
            };
            for rank in choice.ranks_before(target.rank) {
                let place = ranks.binary_search_by_key(&rank, |&rank| rank.into());
                if let Ok(place) = place {
                    let pattern = choice.before;
                    let before = State { pattern, rank };
                    alternatives.push(((choice.chosen, before), within.ways(&ways[place])));
                }
            }
        }
        let wanted = own.and_then(|own| {
            let leads = |choice: &&Choice| choice.before == own.pattern;
            let choice = choices.iter().find(leads)?;
            Some((choice.chosen, own))
        });
        if self.is_known && wanted.is_none() {
            return Err(inconsistent());
        }
        let (chosen, state) = choose(&mut leg.index, wanted.as_ref(), alternatives)?;
        leg.state = state;
        let is_image = leg.is_image;
        if !self.is_known {
            for other in chosen.into_iter().flatten() {
                self.join(within.image(stage.vertex, is_image), within.image(other, is_image));
            }
        }
        Ok(())
    }
}

/// What trails go back through: a half of a graph.
#[derive(Debug, Clone, Copy)]
pub(super) struct Within<'a> {
    pub halves: &'a Halves,
    pub side: usize,
    pub half: &'a Half,
}

/// The sides by number, with what trails go back through.
pub(super) fn sides(halves: &Halves) -> [Within<'_>; 2] {
    let within = |side, half| Within { halves, side, half };
    [within(TOP, &halves.top), within(BOTTOM, &halves.bottom)]
}

impl Within<'_> {
    /// The ways of a state as it is, and not merged with its mirror image.
    pub fn ways<W: Ways>(&self, ways: &W) -> BigUint {
        let ways: BigUint = ways.clone().into();
        ways >> u32::from(self.halves.graph.mirror.is_some())
    }

    fn image(&self, vertex: usize, is_image: bool) -> usize {
        match is_image {
            true => self.halves.graph.image(vertex),
            false => vertex,
        }
    }

    /// Takes trails back through all stages of a round, from the states before each of them.
    pub fn back<W: Ways>(
        &self,
        round: usize,
        layers: &[Layer<W>],
        trails: &mut [Trail],
    ) -> Result<(), StatesUnavailable> {
        let stages = &self.half.rounds[round].stages;
        for trail in trails {
            let is_image = trail.legs[self.side].is_image;
            let own = trail.is_known.then(|| trail.states(self, round, is_image));
            let own = own.transpose()?;
            for (place, (stage, layer)) in stages.iter().zip(layers).enumerate().rev() {
                let own = own.as_ref().map(|states| states[place]);
                trail.step(self.side, stage, layer, own, self)?;
            }
        }
        Ok(())
    }

    /// Takes the trails of a slice back through a round, before which it is packed so; `None` when `stop` said so. `is_merged` says whether
    /// what is packed was merged with its mirror image.
    pub fn through(
        &self,
        round: usize,
        packed: &[&[u8]],
        is_merged: bool,
        trails: &mut [Trail],
        workspace: &mut Workspace,
        stop: Stop,
    ) -> Option<Result<(), StatesUnavailable>> {
        let Round { key, onward, .. } = &self.half.rounds[round];
        let inner_key = onward.first().copied().unwrap_or(*key);
        let side = self.side;
        let degrees = move |trail: &Trail| trail.legs[side].state.pattern.0 & inner_key;
        trails.sort_by_key(degrees);
        let mut parts = trails.chunk_by_mut(|one, other| degrees(one) == degrees(other));
        let groups = parts.by_ref().count();
        let bytes: usize = packed.iter().map(|piece| piece.len()).sum();
        let whole = Part {
            degrees: trails.first()?.legs[side].state.pattern.0 & key,
            key: *key,
            is_merged,
        };
        if groups > 1 && bytes <= workspace.most.divided {
            return self.part(round, whole, packed, trails, workspace, stop);
        }
        // What many trails pass is dealt once for all of them.
        let dealt = match groups > FEW_GROUPS {
            true => Some(whole.dealt(inner_key, packed, workspace, stop)?),
            false => None,
        };
        let dealt = dealt.as_ref().map(|dealt| by_slice(std::slice::from_ref(dealt)));
        for trails in trails.chunk_by_mut(|one, other| degrees(one) == degrees(other)) {
            let part = Part {
                degrees: degrees(&trails[0]),
                key: inner_key,
                is_merged: is_merged && dealt.is_none(),
            };
            let packed = match &dealt {
                Some(dealt) => dealt.get(&part.degrees).map_or(&[][..], Vec::as_slice),
                None => packed,
            };
            if let Err(lost) = self.part(round, part, packed, trails, workspace, stop)? {
                return Some(Err(lost));
            }
        }
        Some(Ok(()))
    }

    /// Takes trails back that pass a part of a slice.
    fn part(
        &self,
        round: usize,
        part: Part,
        packed: &[&[u8]],
        trails: &mut [Trail],
        workspace: &mut Workspace,
        stop: Stop,
    ) -> Option<Result<(), StatesUnavailable>> {
        // What the last stage leads to is where the trails are.
        let stages = self.half.rounds[round].stages.split_last();
        let stages = stages.map_or(&[][..], |(_, stages)| stages);
        widening!(workspace, |bench, sums| {
            part.unpack(packed, bench, sums)
                .and_then(|layer| layer.each_through(stages, bench, sums, stop))
                .map(|layers| self.back(round, &layers, trails))
        })
    }
}

/// Up to so many parts of a large slice are each taken out of it alone.
const FEW_GROUPS: usize = 2;

/// The states of a slice that agree on more squares.
#[derive(Debug, Clone, Copy)]
struct Part {
    degrees: u64,
    key: u64,
    is_merged: bool,
}

impl Part {
    /// All of a slice, dealt by more squares; `None` when `stop` said so.
    fn dealt(
        &self,
        inner_key: u64,
        packed: &[&[u8]],
        workspace: &mut Workspace,
        stop: Stop,
    ) -> Option<Partitioned> {
        let degrees = Pattern(self.degrees);
        let mut slice = Slice::new(degrees, self.key, packed);
        slice.both = self.is_merged && degrees.mirrored() == degrees;
        take(&[], slice, Dealing::by(inner_key), workspace, stop)
    }

    fn unpack<W: Ways>(
        &self,
        packed: &[&[u8]],
        bench: &mut Bench,
        sums: &mut Sums<W>,
    ) -> Result<Layer<W>, Halt> {
        let is_in = |pattern: Pattern| pattern.0 & self.key == self.degrees;
        let wanted = |pattern: Pattern| Wanted {
            itself: is_in(pattern),
            image: self.is_merged && is_in(pattern.mirrored()),
        };
        Layer::unpack(packed.iter().copied(), bench, wanted)?.in_order(sums)
    }
}

impl<W: Ways> Layer<W> {
    /// The same states with one block for each pattern, all in ascending order.
    pub fn in_order(self, sums: &mut Sums<W>) -> Result<Self, Halt> {
        let mut ordered = Self::default();
        self.for_each(|pattern, ranks, ways| ordered.push(pattern, ranks, ways), sums)?;
        Ok(ordered)
    }

    /// The states before some stages and after each of them.
    pub fn each_through(
        self,
        stages: &[Stage],
        bench: &mut Bench,
        sums: &mut Sums<W>,
        stop: Stop,
    ) -> Result<Vec<Self>, Halt> {
        let mut layers = vec![self];
        for stage in stages {
            layers.push(layers[layers.len() - 1].after(stage, bench, sums, stop)?);
        }
        Ok(layers)
    }
}
