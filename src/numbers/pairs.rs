//! The way back through a unit: from an index among its tours to a state of either half where these meet, and one round further.
//!
//! The tours of a unit stand in this order: where the unit stands for its mirror image too, those of the unit, then
//! their images; of these by slice within the unit, as the top has it; by pattern of the top; by the rank of its matching; by that of
//! the bottom's; then by the way to the state of the top, and by that of the bottom. All of this but the last two is found
//! by joining the unit again, which costs as much as its count, for any number of trails. In a block, where pairs are joined by
//! contraction, a pair is found by halving: what the first half of the states makes says where to go on.

use super::trail::{Leg, State, Trail, Within, choose, inconsistent, sides};
use crate::frontier::block::{Bench, Halt, Stop, Sums};
use crate::frontier::halves::Halves;
use crate::frontier::round::{Slice, Workspace, widening};
use crate::frontier::unit::{self, Meeting, factors};
use crate::frontier::{BOTTOM, TOP};
use crate::rounds::{Partitioned, StatesUnavailable};
use crate::states::join::{Contractions, Joiner};
use crate::states::pattern::Pattern;
use crate::states::ways::{Product, Ways};
use num_bigint::BigUint;
use std::ops::Range;

/// A unit that trails go back through.
#[derive(Clone, Copy)]
pub(super) struct Unit<'a> {
    pub halves: &'a Halves,
    /// The degrees of its slice of the top.
    pub degrees: Pattern,
    /// The tours that it stands for.
    pub tours: &'a BigUint,
    /// The packed slices of the top and the bottom.
    pub packed: [&'a [&'a [u8]]; 2],
    pub contractions: &'a Contractions,
    pub stop: Stop<'a>,
}

/// Slices that meet, and how many cycles each block of the top makes.
struct Met<'a> {
    meeting: Meeting<'a>,
    blocks: Vec<(Pattern, BigUint)>,
}

impl Unit<'_> {
    fn is_own_image(&self) -> bool {
        self.halves.graph.mirror.is_none() || self.halves.is_own_image(self.degrees)
    }

    /// All slices that meet, in order.
    fn meetings<'d>(
        &self,
        dealt: &'d [Vec<Partitioned>; 2],
        workspace: &mut Workspace,
    ) -> Option<Vec<Met<'d>>> {
        let (halves, stop) = (self.halves, self.stop);
        let met = |meeting: Meeting<'d>| {
            let slices = meeting.slices(halves.inner_key);
            let blocks = widening!(workspace, |bench, sums| {
                let mut blocks = Vec::new();
                let meet = |pattern, product| blocks.push((pattern, self.pairs(product)));
                unit::attempt(halves, slices, bench, sums, self.contractions, stop, meet)
                    .map(|_| blocks)
            })?;
            Some(Met { meeting, blocks })
        };
        unit::meetings(halves, dealt).into_iter().map(met).collect()
    }

    /// The pairs of states as they are, and not merged with their mirror images.
    fn pairs(&self, product: Product) -> BigUint {
        product.total() >> (2 * u32::from(self.halves.graph.mirror.is_some()))
    }

    /// Takes all trails of the unit back to the states before its last round; `None` when told to stop.
    pub fn back(
        &self,
        trails: &mut [Trail],
        workspace: &mut Workspace,
    ) -> Option<Result<(), StatesUnavailable>> {
        let both = [self.halves.is_own_image(self.degrees); 2];
        let (unit, packed) = (self.degrees, self.packed);
        let dealt = unit::dealt(self.halves, unit, packed, both, workspace, self.stop)?;
        let meetings = self.meetings(&dealt, workspace)?;
        let mut met: Vec<Vec<Trail>> = meetings.iter().map(|_| Vec::new()).collect();
        let mut failed = None;
        for trail in trails.iter_mut() {
            match self.meet(trail, &meetings) {
                Ok(meeting) => met[meeting].push(trail.clone()),
                Err(lost) => failed = Some(lost),
            }
        }
        if let Some(lost) = failed {
            return Some(Err(lost));
        }
        let mut done = Vec::new();
        for (Met { meeting, .. }, mut trails) in meetings.iter().zip(met) {
            if trails.is_empty() {
                continue;
            }
            if let Err(lost) = self.part(meeting, &mut trails, workspace)? {
                return Some(Err(lost));
            }
            done.append(&mut trails);
        }
        for (trail, done) in trails.iter_mut().zip(done) {
            *trail = done;
        }
        for within in sides(self.halves) {
            let before_last = within.half.rounds.len() - 2;
            let packed = self.packed[within.side];
            let is_merged = self.halves.graph.mirror.is_some();
            let went =
                within.through(before_last, packed, is_merged, trails, workspace, self.stop)?;
            if went.is_err() {
                return Some(went);
            }
        }
        Some(Ok(()))
    }

    /// Finds the slice and the pattern of a trail, and says the number of the slice.
    fn meet(&self, trail: &mut Trail, meetings: &[Met]) -> Result<usize, StatesUnavailable> {
        let is_image = self.orient(trail)?;
        let top = trail.legs[TOP].state.pattern;
        let own = |known: u64| trail.is_known.then_some(known);
        let slice = own(top.0 & self.halves.inner_key);
        let number = |slice| {
            let found = meetings.binary_search_by_key(&slice, |met| met.meeting.slice.0);
            found.map_err(|_| inconsistent())
        };
        let slices = meetings.iter().map(|met| {
            let tours = met.blocks.iter().map(|(_, tours)| tours).sum();
            (met.meeting.slice.0, tours)
        });
        let meeting = number(choose(&mut trail.index, slice.as_ref(), slices)?)?;
        let blocks = meetings[meeting].blocks.iter();
        let blocks = blocks.map(|(pattern, tours)| (pattern.0, tours.clone()));
        let pattern = Pattern(choose(&mut trail.index, own(top.0).as_ref(), blocks)?);
        if !trail.is_known {
            let leg =
                |pattern| Leg { state: State { pattern, rank: 0 }, is_image, index: BigUint::ZERO };
            trail.legs[TOP] = leg(pattern);
            trail.legs[BOTTOM] = leg(pattern.missing_in(self.halves.border));
        }
        Ok(meeting)
    }

    /// Whether a trail is of the unit or of its mirror image.
    fn orient(&self, trail: &mut Trail) -> Result<bool, StatesUnavailable> {
        let images = match self.is_own_image() {
            true => vec![(false, self.tours.clone())],
            false => [false, true].map(|is_image| (is_image, self.tours / 2_u32)).to_vec(),
        };
        let own = trail.legs[TOP].is_image;
        let own = trail.is_known.then_some(own);
        choose(&mut trail.index, own.as_ref(), images)
    }

    /// Finds the pairs of states of trails whose slices meet, and takes them back through the last round.
    fn part(
        &self,
        meeting: &Meeting,
        trails: &mut [Trail],
        workspace: &mut Workspace,
    ) -> Option<Result<(), StatesUnavailable>> {
        let slices = meeting.slices(self.halves.inner_key);
        widening!(workspace, |bench, sums| self.attempt(slices, trails, bench, sums))
    }

    fn attempt<W: Ways>(
        &self,
        slices: [Slice; 2],
        trails: &mut [Trail],
        bench: &mut Bench,
        sums: &mut Sums<W>,
    ) -> Result<Result<(), StatesUnavailable>, Halt> {
        let sides = sides(self.halves);
        let mut layers = Vec::new();
        for (slice, within) in slices.iter().zip(&sides) {
            let layer = slice.unpack::<W>(bench)?.in_order(sums)?;
            layers.push(layer.each_through(&within.half.last().stages, bench, sums, self.stop)?);
        }
        let mut joiner = Joiner::<W::Factor>::new(bench.maps(), self.contractions);
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
                match trail.is_known {
                    true => place.map(Some).map_err(|_| inconsistent()),
                    false => Ok(None),
                }
            };
            let owns = [own(TOP)?, own(BOTTOM)?];
            let mut join = |tops: &[(u64, W::Factor)], bottoms: &[(u64, W::Factor)]| {
                let mut product = Product::default();
                joiner.join(tops, bottoms, ends, &mut product);
                self.pairs(product)
            };
            places[TOP] =
                halve(tops.len(), &mut trail.index, owns[TOP], |range| join(&tops[range], bottoms));
            let top = &tops[places[TOP]..=places[TOP]];
            places[BOTTOM] = halve(bottoms.len(), &mut trail.index, owns[BOTTOM], |range| {
                join(top, &bottoms[range])
            });
            for side in [TOP, BOTTOM] {
                trail.legs[side].state.rank = states[side][places[side]].0;
            }
            let (_, ways) = blocks[BOTTOM];
            trail.ways = sides[BOTTOM].ways(&ways[places[BOTTOM]]);
            if !trail.is_known {
                trail.legs[TOP].index = &trail.index / &trail.ways;
                trail.legs[BOTTOM].index = &trail.index % &trail.ways;
            }
            Ok(())
        };
        if let Err(lost) = trails.iter_mut().try_for_each(&mut pair) {
            return Ok(Err(lost));
        }
        let last = |within: &Within| within.half.rounds.len() - 1;
        let mut sides = sides.iter().zip(&layers);
        Ok(sides.try_for_each(|(within, layers)| within.back(last(within), layers, trails)))
    }
}

/// Picks one of so many alternatives that stand in a fixed order, as [`choose`] does, where only the ways of a range of them are known.
fn halve(
    len: usize,
    index: &mut BigUint,
    wanted: Option<usize>,
    mut ways: impl FnMut(Range<usize>) -> BigUint,
) -> usize {
    let mut left = 0..len;
    while left.len() > 1 {
        let middle = left.start + left.len() / 2;
        let before = ways(left.start..middle);
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
