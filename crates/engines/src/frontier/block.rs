//! Blocks: all states of one pattern, as a sparse vector of counts over the ranks of their
//! matchings.
//!
//! ```text
//! pattern ... 1 0 2 1 1 ... 1    four endpoints, so the matchings are 0 to 2
//! ranks   0 2
//! counts  5 1                    joined 0-1 2-3 by five edge choices, 0-3 1-2 by one
//! ```
//!
//! With one hash table entry per state, a state costs about 250 ns: every look-up waits for memory.
//! Here a stage is a sparse matrix of blocks instead. Each transition from a pattern sends the
//! whole block, through at most two maps, to the block of the pattern that follows. The transitions
//! are sorted by their targets, and each target adds up its sources. There is no hash table and no
//! lock. In slices that fit the caches next to a core, a state costs 5 to 8 ns.
//!
//! Between rounds, blocks are packed: the pattern in eight bytes, the number of states, the ranks
//! as a bitmap or as gaps, and the counts, all numbers as unsigned LEB128. That takes about two
//! bytes per state.

use super::dense::Dense;
use super::stage::Stage;
use crate::rounds::{StatesUnavailable, Stop};
use crate::states::count::{Count, NUMBERS_AT_ONCE, length_of, read_all, write_all};
use crate::states::maps::{MapPlace, Maps};
use crate::states::matching::{DEAD, DEAD_TABLED, Map, Rank, matchings};
use crate::states::pattern::Pattern;
use crate::tally::Tally;
use num_bigint::BigUint;
use std::sync::Arc;

/// The reason why an attempt ended without a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Halt {
    /// A count or a rank did not fit. The caller tries again with a wider type.
    TooNarrow,
    /// The unpacked states do not fit the scratch memory. The caller tries again with fewer states
    /// or fewer stages at once.
    TooLarge,
    /// The attempt was cancelled.
    Stopped,
}

impl From<Halt> for StatesUnavailable {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Stopped => Self::Stopped,
            Halt::TooNarrow | Halt::TooLarge => Self::Memory,
        }
    }
}

/// The number of blocks between two looks at [`Stop`] and at the memory, and the number of states.
const LOOK_EVERY: usize = 1 << 10;
const LOOK_EVERY_STATES: usize = 1 << 14;

/// The unpacked states of a slice after some stage, block by block.
#[derive(Debug, Default)]
pub(super) struct Blocks<C: Count> {
    blocks: Vec<Block>,
    ranks: Vec<C::Rank>,
    counts: Vec<C>,
}

/// The place of one block's states in [`Blocks`].
#[derive(Debug, Clone, Copy)]
struct Block {
    pattern: Pattern,
    start: usize,
    end: usize,
    /// True if the ranks ascend.
    ascends: bool,
}

/// The order that the ranks within blocks must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RankOrder {
    /// Ascending: for blocks that are packed, are the top of a join, or are searched by rank.
    Ascending,
    /// Any: enough for another stage and for the bottom of a join, and less is sorted.
    Any,
}

/// The buffers with which one thread plans a stage, and the maps that it has used.
#[derive(Debug)]
pub(super) struct Planner {
    maps: Arc<Maps>,
    /// The transitions by the edges that are chosen, each list nearly in the order of targets.
    runs: Vec<Vec<Planned>>,
    /// All transitions, sorted by target.
    plan: Vec<Planned>,
    /// The completed cycles: their numbers of vertices, and the counts of the states that completed
    /// them.
    pub completed: Vec<(u32, Tally)>,
}

/// Takes blocks through stages, in one thread and with counts of one width.
pub(super) struct Stepper<'a, C: Count> {
    pub planner: &'a mut Planner,
    pub sums: &'a mut Sums<C>,
    pub stop: Stop<'a>,
    /// The number of states after each stage, added up.
    pub states_processed: u64,
}

/// One transition: the target, the number of the source block, and the places in [`Maps`] of
/// the maps that the ranks of its states go through. Small entries are sorted faster.
#[derive(Debug, Clone, Copy)]
struct Planned {
    target: Pattern,
    source: u32,
    maps: [MapPlace; 2],
}

/// A transition is in its list, in the plan, and in the buffer of the sort.
const PLANNED_AT_ONCE: usize = 3;

impl<C: Count> Blocks<C> {
    /// Appends states with their ranks mapped by up to two maps, which map no two ranks to one and
    /// none to [`DEAD`].
    fn extend_mapped(&mut self, (ranks, counts): (&[C::Rank], &[C]), by: [Option<&Map>; 2]) {
        self.counts.extend_from_slice(counts);
        match by {
            [None, None] => self.ranks.extend_from_slice(ranks),
            [Some(Map::Table(table)), None] | [None, Some(Map::Table(table))] => {
                let mapped = |&rank| C::Rank::of(look_up(table, rank).into());
                self.ranks.extend(ranks.iter().map(mapped));
            }
            [Some(Map::Table(first)), Some(Map::Table(second))] => {
                let mapped = |&rank| look_up(second, look_up(first, rank));
                self.ranks.extend(ranks.iter().map(|rank| C::Rank::of(mapped(rank).into())));
            }
            _ => self.ranks.extend(ranks.iter().map(|&rank| through(by, rank))),
        }
    }

    /// Returns the ranks and counts of a block.
    #[inline]
    fn states(&self, block: Block) -> (&[C::Rank], &[C]) {
        let states = block.start..block.end;
        (&self.ranks[states.clone()], &self.counts[states])
    }

    /// Returns the pattern, the ranks and the counts of each block.
    pub fn blocks(&self) -> impl Iterator<Item = (Pattern, (&[C::Rank], &[C]))> {
        let blocks = self.blocks.iter();
        blocks.map(|&block| (block.pattern, self.states(block)))
    }

    /// Returns the ranks and counts of a pattern; `None` if it has no block. The blocks must be in
    /// ascending order, one per pattern.
    pub fn block(&self, pattern: Pattern) -> Option<(&[C::Rank], &[C])> {
        let found = self.blocks.binary_search_by_key(&pattern, |block| block.pattern);
        Some(self.states(self.blocks[found.ok()?]))
    }

    /// Passes each block to `sink`, in ascending order, until it returns an error. Blocks of equal
    /// patterns are added up, and their ranks are sorted.
    pub fn for_each(
        mut self,
        mut sink: impl FnMut(Pattern, &[C::Rank], &[C]) -> Result<(), Halt>,
        sums: &mut Sums<C>,
    ) -> Result<(), Halt> {
        self.blocks.sort_unstable_by_key(|block| block.pattern);
        let mut sum = Self::default();
        for same in self.blocks.chunk_by(|one, other| one.pattern == other.pattern) {
            if let [block @ Block { ascends: true, .. }] = same {
                let (ranks, counts) = self.states(*block);
                sink(block.pattern, ranks, counts)?;
                continue;
            }
            let states = same.iter().map(|block| block.end - block.start).sum();
            sums.begin(same[0].pattern.ends(), states)?;
            for &block in same {
                let (ranks, counts) = self.states(block);
                sums.add(ranks, counts, |rank| rank);
            }
            sums.finish(&mut sum)?;
            sink(same[0].pattern, &sum.ranks, &sum.counts)?;
            sum.clear();
        }
        Ok(())
    }

    /// Applies a stage to all states and passes each resulting block whose pattern is wanted to
    /// `sink`, in ascending order of patterns, until it returns an error.
    pub fn advance(
        &self,
        stage: &Stage,
        is_wanted: impl Fn(Pattern) -> bool,
        stepper: &mut Stepper<C>,
        mut sink: impl FnMut(Pattern, &[C::Rank], &[C]) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let mut block = stepper.sums.blank();
        self.step(stage, is_wanted, RankOrder::Ascending, stepper, &mut block, |block| {
            let pattern = block.blocks[0].pattern;
            let taken = sink(pattern, &block.ranks, &block.counts);
            block.clear();
            taken
        })?;
        stepper.sums.keep(block);
        Ok(())
    }

    /// Applies a stage to all states. Each resulting block whose pattern is wanted is appended to
    /// `next`, in ascending order of patterns, and then `next` is passed to `seen`. The states
    /// before and after the stage have to fit the scratch memory together; a single state always
    /// does.
    fn step(
        &self,
        stage: &Stage,
        is_wanted: impl Fn(Pattern) -> bool,
        order: RankOrder,
        stepper: &mut Stepper<C>,
        next: &mut Self,
        mut seen: impl FnMut(&mut Self) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let Stepper { planner, sums, stop, states_processed } = stepper;
        planner.plan(self, stage, sums.most_bytes, stop, is_wanted)?;
        let most = match self.ranks.len() {
            ..=1 => usize::MAX,
            _ => sums.most_bytes.saturating_sub(self.bytes() + planner.bytes()),
        };
        let (mut blocks, mut states) = (0, LOOK_EVERY_STATES);
        for planned in planner.plan.chunk_by(|one, other| one.target == other.target) {
            let incoming = self.incoming(planned);
            (blocks, states) = (blocks + 1, states + incoming);
            if blocks % LOOK_EVERY == 0 || states >= LOOK_EVERY_STATES {
                if stop() {
                    return Err(Halt::Stopped);
                }
                // The states that come in are kept beside their sums while these are computed.
                if next.bytes() + 2 * incoming * Self::STATE > most {
                    return Err(Halt::TooLarge);
                }
                states = 0;
            }
            if !next.can_take(incoming) {
                return Err(Halt::TooLarge);
            }
            let (pattern, start) = (planned[0].target, next.ranks.len());
            let ascends = sums.gather(self, planned, incoming, &planner.maps, order, next)?;
            let end = next.ranks.len();
            if end > start {
                *states_processed += (end - start) as u64;
                next.blocks.push(Block { pattern, start, end, ascends });
                seen(next)?;
            }
        }
        Ok(())
    }

    /// The bytes of a state. An integer of any size has a buffer too.
    const STATE: usize =
        size_of::<C::Rank>() + size_of::<C>() * if std::mem::needs_drop::<C>() { 2 } else { 1 };

    /// Returns the bytes of all states.
    fn bytes(&self) -> usize {
        self.ranks.len() * Self::STATE + self.blocks.len() * size_of::<Block>()
    }

    /// Reserves memory for more states; false if there is none.
    fn can_take(&mut self, states: usize) -> bool {
        self.ranks.try_reserve(states).is_ok() && self.counts.try_reserve(states).is_ok()
    }

    /// Returns the number of states that lead to a target, some of them perhaps to the same one.
    fn incoming(&self, planned: &[Planned]) -> usize {
        let block_of = |source: &Planned| self.blocks[source.source as usize];
        planned.iter().map(block_of).map(|block| block.end - block.start).sum()
    }

    /// Removes all states and keeps the buffers.
    fn clear(&mut self) {
        self.blocks.clear();
        self.ranks.clear();
        self.counts.clear();
    }

    /// Returns all states after some stages, within a block in any order of ranks; after each
    /// stage, by its number, those with wanted patterns.
    pub fn through(
        mut self,
        stages: &[Stage],
        is_wanted: impl Fn(usize, Pattern) -> bool,
        stepper: &mut Stepper<C>,
    ) -> Result<Self, Halt> {
        let mut next = stepper.sums.blank();
        for (number, stage) in stages.iter().enumerate() {
            next.clear();
            let is_wanted = |pattern| is_wanted(number, pattern);
            self.step(stage, is_wanted, RankOrder::Any, stepper, &mut next, |_| Ok(()))?;
            std::mem::swap(&mut self, &mut next);
        }
        stepper.sums.keep(next);
        Ok(self)
    }

    /// Returns the same states with one block per pattern, all in ascending order.
    pub fn in_order(self, sums: &mut Sums<C>) -> Result<Self, Halt> {
        let mut ordered = Self::default();
        let push = |pattern, ranks: &[C::Rank], counts: &[C]| {
            let start = ordered.ranks.len();
            ordered.extend_mapped((ranks, counts), [None; 2]);
            ordered.blocks.push(Block { pattern, start, end: ordered.ranks.len(), ascends: true });
            Ok(())
        };
        self.for_each(push, sums)?;
        Ok(ordered)
    }

    /// Returns the states before some stages, and of those after each the ones with patterns that
    /// are needed, by the number of the stage.
    pub fn each_through(
        self,
        stages: &[Stage],
        is_needed: impl Fn(usize, Pattern) -> bool,
        stepper: &mut Stepper<C>,
    ) -> Result<Vec<Self>, Halt> {
        let mut layers = vec![self];
        for (number, stage) in stages.iter().enumerate() {
            let (layer, mut next) = (&layers[number], Self::default());
            let is_needed = |pattern| is_needed(number, pattern);
            layer.step(stage, is_needed, RankOrder::Ascending, stepper, &mut next, |_| Ok(()))?;
            let bytes = layers.iter().map(Self::bytes).sum::<usize>() + next.bytes();
            if bytes > stepper.sums.most_bytes {
                return Err(Halt::TooLarge);
            }
            layers.push(next);
        }
        Ok(layers)
    }
}

impl Planner {
    /// Returns the maps that all threads share.
    pub fn maps(&self) -> Arc<Maps> {
        Arc::clone(&self.maps)
    }

    pub fn new(maps: Arc<Maps>) -> Self {
        Self { maps, runs: vec![], plan: vec![], completed: vec![] }
    }

    /// Returns the stepper of this thread for counts of the width of some sums.
    pub fn with<'a, C: Count>(
        &'a mut self,
        sums: &'a mut Sums<C>,
        stop: Stop<'a>,
    ) -> Stepper<'a, C> {
        Stepper { planner: self, sums, stop, states_processed: 0 }
    }

    /// Lists all transitions from the patterns of some blocks to wanted patterns, sorted by target.
    fn plan<C: Count>(
        &mut self,
        layer: &Blocks<C>,
        stage: &Stage,
        most_bytes: usize,
        stop: Stop,
        is_wanted: impl Fn(Pattern) -> bool,
    ) -> Result<(), Halt> {
        let most =
            most_bytes.saturating_sub(layer.bytes()) / (PLANNED_AT_ONCE * size_of::<Planned>());
        let mut listed = 0;
        let Self { maps, runs, plan, completed } = self;
        // A plan that was given up may have left some of its own.
        runs.iter_mut().for_each(Vec::clear);
        if runs.len() < stage.choices.len() {
            runs.resize(stage.choices.len(), Vec::new());
        }
        for (source, &Block { pattern, start, end, .. }) in layer.blocks.iter().enumerate() {
            if source % LOOK_EVERY == LOOK_EVERY - 1 && stop() {
                return Err(Halt::Stopped);
            }
            if listed > most && layer.ranks.len() > 1 {
                return Err(Halt::TooLarge);
            }
            let (source, ends) = (source as u32, pattern.ends());
            let mut is_short = false;
            let complete = |vertices| {
                let counts = layer.counts[start..end].iter().cloned();
                let count = counts.map(Into::<BigUint>::into).sum();
                completed.push((vertices, Tally::from_big(count)));
            };
            stage.transitions(pattern, complete, |choice, (target, [first, second])| {
                if is_wanted(target) {
                    let between = first.map_or(ends, |change| change.ends_after(ends));
                    let maps = [maps.place_of(first, ends), maps.place_of(second, between)];
                    listed += 1;
                    match runs[choice].try_reserve(1) {
                        Ok(()) => runs[choice].push(Planned { target, source, maps }),
                        Err(_) => is_short = true,
                    }
                }
            });
            if is_short {
                return Err(Halt::TooLarge);
            }
        }
        plan.clear();
        plan.try_reserve(listed).map_err(|_| Halt::TooLarge)?;
        runs.iter_mut().for_each(|run| plan.append(run));
        if listed > MOST_KEPT {
            // No more memory than the plan.
            runs.iter_mut().for_each(|run| *run = Vec::new());
            plan.sort_unstable_by_key(|planned| planned.target);
        } else {
            // A stable sort merges runs that ascend already.
            plan.sort_by_key(|planned| planned.target);
        }
        Ok(())
    }

    /// Returns the bytes of the planned transitions.
    fn bytes(&self) -> usize {
        PLANNED_AT_ONCE * self.plan.len() * size_of::<Planned>()
    }
}

/// The sums of one target block by rank, with buffers that are used again for the next.
#[derive(Debug, Default)]
pub(super) struct Sums<C: Count> {
    /// The largest number of ranks that are added up densely.
    most_dense: u64,
    /// The most bytes of unpacked states at once.
    pub most_bytes: usize,
    /// The sums by rank, if the ranks are not too many.
    dense: Dense<C>,
    /// The states that come in if the sums are not dense. They are sorted and added up in the end.
    pairs: Vec<(C::Rank, C)>,
    is_dense: bool,
    /// The number of ranks of the target.
    all: u64,
    /// The number of states that come in at most.
    incoming: usize,
    /// The number of additions that did not fit.
    too_large: u64,
    /// Empty blocks whose buffers are used again.
    blank: Vec<Blocks<C>>,
}

/// The most states for which the buffers of blocks are kept.
const MOST_KEPT: usize = 1 << 17;

/// The largest number of ranks that are added up densely, if memory is ample: twice the matchings
/// of 16 endpoints.
pub(super) const MOST_DENSE: u64 = 1 << 22;

/// Dense sums are faster if there are at most this many ranks for each incoming state.
const WORTH_A_STATE: u64 = 256;

/// Up to this number of ranks, that of eight endpoints, sums are always dense.
const ALWAYS_DENSE: u64 = matchings(8);

/// Up to this number of states, sorting is faster than dense sums.
const FEW: usize = 12;

impl<C: Count> Sums<C> {
    /// Sums that add up at most `most_dense` ranks densely, of at most `most_bytes` bytes of
    /// unpacked states at once.
    pub fn new(most_dense: u64, most_bytes: usize) -> Self {
        Self { most_dense, most_bytes, ..Self::default() }
    }

    /// Returns empty blocks, with the buffers of earlier ones if there are any.
    pub fn blank(&mut self) -> Blocks<C> {
        self.blank.pop().unwrap_or_default()
    }

    /// Keeps the buffers of blocks that are no longer needed, unless they are large.
    pub fn keep(&mut self, mut blocks: Blocks<C>) {
        if blocks.ranks.capacity().max(blocks.counts.capacity()) <= MOST_KEPT {
            blocks.clear();
            self.blank.push(blocks);
        }
    }

    /// Adds up the sources of a target block and appends its states to `next`. Returns true if
    /// their ranks ascend.
    fn gather(
        &mut self,
        layer: &Blocks<C>,
        planned: &[Planned],
        incoming: usize,
        maps: &Maps,
        order: RankOrder,
        next: &mut Blocks<C>,
    ) -> Result<bool, Halt> {
        let ends = planned[0].target.ends();
        if ends > C::Rank::MOST_ENDS {
            return Err(Halt::TooNarrow);
        }
        let block_of = |source: &Planned| layer.blocks[source.source as usize];
        if let [source] = planned {
            let block = block_of(source);
            let ascends = block.ascends && source.maps.iter().all(|place| place.keeps_order());
            let is_injective = source.maps.iter().all(|place| place.is_injective());
            if ascends || order == RankOrder::Any && is_injective {
                next.extend_mapped(layer.states(block), source.maps.map(|place| maps.at(place)));
                return Ok(ascends);
            }
        }
        self.begin(ends, incoming)?;
        for source in planned {
            let (ranks, counts) = layer.states(block_of(source));
            let of_source = source.maps.map(|place| maps.at(place));
            match of_source {
                [None, None] => self.add(ranks, counts, |rank| rank),
                [Some(Map::Table(table)), None] | [None, Some(Map::Table(table))] => {
                    self.add(ranks, counts, |rank| look_up(table, rank))
                }
                [Some(Map::Table(first)), Some(Map::Table(second))] => {
                    self.add(ranks, counts, |rank| match look_up(first, rank) {
                        dead if dead == u32::from(DEAD_TABLED) => dead,
                        rank => look_up(second, rank),
                    })
                }
                _ => self.add(ranks, counts, |rank| through(of_source, rank)),
            }
        }
        self.finish(next)?;
        Ok(true)
    }

    /// Prepares the sums for a target block with `ends` endpoints and at most `incoming` states,
    /// and chooses between dense sums and sorting. An error if there is no memory for them.
    fn begin(&mut self, ends: usize, incoming: usize) -> Result<(), Halt> {
        let all = matchings(ends);
        let is_worth_it = incoming > FEW && all / WORTH_A_STATE <= incoming as u64;
        self.is_dense = all <= ALWAYS_DENSE || is_worth_it && all <= self.most_dense;
        self.pairs.clear();
        let reserved = if self.is_dense {
            self.dense.reserve(all as usize)
        } else {
            self.pairs.try_reserve(incoming)
        };
        (self.all, self.incoming) = (all, incoming);
        self.too_large = 0;
        reserved.map_err(|_| Halt::TooLarge)
    }

    /// Adds states, with their ranks mapped. A rank beyond all matchings stands for none.
    #[inline]
    fn add<R: Rank>(&mut self, ranks: &[C::Rank], counts: &[C], map: impl Fn(C::Rank) -> R) {
        let states = ranks.iter().zip(counts).map(|(&rank, count)| (map(rank).into(), count));
        if !self.is_dense {
            let alive = states.filter(|&(rank, _)| rank < self.all);
            self.pairs.extend(alive.map(|(rank, count)| (Rank::of(rank), count.clone())));
            return;
        }
        self.too_large += self.dense.add(self.all as usize, states);
    }

    /// Appends the sums to `next` and clears the buffers; an error if a sum does not fit a count.
    fn finish(&mut self, next: &mut Blocks<C>) -> Result<(), Halt> {
        if self.is_dense {
            let all = self.all as usize;
            self.dense.take(all, self.incoming.min(all), &mut next.ranks, &mut next.counts);
        } else {
            self.pairs.sort_unstable_by_key(|pair| pair.0);
            for same in self.pairs.chunk_by(|one, other| one.0 == other.0) {
                let mut sum = same[0].1.clone();
                for (_, count) in &same[1..] {
                    self.too_large += u64::from(sum.add(count));
                }
                next.ranks.push(same[0].0);
                next.counts.push(sum);
            }
        }
        match self.too_large {
            0 => Ok(()),
            _ => Err(Halt::TooNarrow),
        }
    }
}

/// Returns the entry of a table of ranks.
#[inline]
fn look_up(table: &[u16], rank: impl Rank) -> u32 {
    table[rank.into() as usize].into()
}

/// Returns the rank after two changes, each of which may be none.
fn through<R: Rank>(maps: [Option<&Map>; 2], rank: R) -> R {
    let apply = |rank: u64, map: Option<&Map>| match (map, rank) {
        (None, rank) | (Some(_), rank @ DEAD) => rank,
        (Some(map), rank) => map.of(rank),
    };
    Rank::of(maps.into_iter().fold(rank.into(), apply))
}

/// Appends a packed block. Its ranks ascend. The format is the same for every width of counts.
pub(super) fn pack<C: Count>(pattern: Pattern, ranks: &[C::Rank], counts: &[C], to: &mut Vec<u8>) {
    to.extend(pattern.0.to_le_bytes());
    pack_ranks(pattern, ranks, to);
    counts.chunks(NUMBERS_AT_ONCE).for_each(|counts| write_all(counts, to));
}

/// Appends the number of the states of a block, and their ranks, which ascend.
#[inline]
fn pack_ranks<R: Rank>(pattern: Pattern, ranks: &[R], to: &mut Vec<u8>) {
    let all = matchings(pattern.ends());
    let is_dense = all.div_ceil(8) < ranks.len() as u64;
    ((ranks.len() as u64) << 1 | u64::from(is_dense)).write(to);
    if is_dense {
        let start = to.len();
        to.resize(start + all.div_ceil(8) as usize, 0);
        let bits = &mut to[start..];
        for &rank in ranks {
            let rank: u64 = rank.into();
            bits[(rank / 8) as usize] |= 1 << (rank % 8);
        }
    } else {
        let mut before = 0;
        let mut gaps = [0; NUMBERS_AT_ONCE];
        for ranks in ranks.chunks(NUMBERS_AT_ONCE) {
            let gaps = &mut gaps[..ranks.len()];
            for (gap, &rank) in gaps.iter_mut().zip(ranks) {
                *gap = rank.into() - before;
                before = rank.into();
            }
            write_all(gaps, to);
        }
    }
}

/// Reads the number of the states of a block, and their ranks, which are appended to `ranks`, and
/// moves the position past them. Returns the number of states; `None` if a number does not fit.
#[inline]
fn unpack_ranks<R: Rank>(
    pattern: Pattern,
    bytes: &[u8],
    at: &mut usize,
    ranks: &mut Vec<R>,
) -> Option<usize> {
    let number = u64::read(bytes, at)? as usize;
    let (start, states) = (ranks.len(), number >> 1);
    if states > bytes.len() {
        return None;
    }
    if number & 1 == 1 {
        let all = bytes.get(*at..*at + (matchings(pattern.ends()) as usize).div_ceil(8))?;
        *at += all.len();
        for (place, &byte) in all.iter().enumerate() {
            let mut bits = byte;
            while bits != 0 {
                let rank = place as u64 * 8 + u64::from(bits.trailing_zeros());
                ranks.push(R::of(rank));
                bits &= bits - 1;
            }
        }
    } else {
        ranks.resize(start + states, R::of(0));
        let ranks = &mut ranks[start..];
        let read = |bytes: &[u8], at: &mut usize| u64::read(bytes, at).map(R::of);
        read_all(bytes, at, ranks, |byte| R::of(byte.into()), read)?;
        let mut sum = 0;
        for rank in ranks {
            sum += (*rank).into();
            *rank = R::of(sum);
        }
    }
    Some(states)
}

/// Returns the pattern and the bytes of each packed block, without decoding its states. The bytes
/// must be sound.
pub(super) fn packed_blocks(bytes: &[u8]) -> impl Iterator<Item = (Pattern, &[u8])> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        // Skipping a block whose end is wrong would make the count too small, so this panics
        // instead.
        let Some((pattern, length)) = packed_block(rest) else {
            unreachable!("what is packed is whole");
        };
        let (block, after) = rest.split_at(length);
        rest = after;
        Some((pattern, block))
    })
}

/// Divides a packed block into two, each with half of its states; `None` if it has a single one.
/// The bytes must be sound.
pub(super) fn block_halves(block: &[u8]) -> Option<[Vec<u8>; 2]> {
    let mut at = 8;
    let number = u64::read(block, &mut at)?;
    let (states, is_dense) = (number >> 1, number & 1 == 1);
    let of_half = [states / 2, states - states / 2];
    if of_half[0] == 0 {
        return None;
    }
    let mut halves = of_half.map(|states| {
        let mut half = block[..8].to_vec();
        (states << 1).write(&mut half);
        half
    });
    let (mut seen, mut before) = (0, [0; 2]);
    let mut add = |rank: u64| {
        let half = usize::from(seen >= of_half[0]);
        (rank - before[half]).write(&mut halves[half]);
        (seen, before[half]) = (seen + 1, rank);
    };
    if is_dense {
        let all = matchings(Pattern::packed_at(block, 0)?.ends()).div_ceil(8) as usize;
        for (place, &byte) in block[at..at + all].iter().enumerate() {
            let bits = (0..8).filter(|bit| byte >> bit & 1 == 1);
            bits.for_each(|bit| add(place as u64 * 8 + bit));
        }
        at += all;
    } else {
        let mut rank = 0;
        for _ in 0..states {
            rank += u64::read(block, &mut at)?;
            add(rank);
        }
    }
    let middle = at + length_of(&block[at..], of_half[0] as usize)?;
    halves[0].extend(&block[at..middle]);
    halves[1].extend(&block[middle..]);
    Some(halves)
}

/// Returns the pattern of the first packed block and its length in bytes.
fn packed_block(bytes: &[u8]) -> Option<(Pattern, usize)> {
    let (pattern, mut at) = (Pattern::packed_at(bytes, 0)?, 8);
    let number = u64::read(bytes, &mut at)? as usize;
    let states = number >> 1;
    // A bitmap of ranks is followed by one number per state, its count; gaps and counts are two
    // numbers per state.
    let (bitmap, numbers) = if number & 1 == 1 {
        (matchings(pattern.ends()).div_ceil(8) as usize, states)
    } else {
        (0, 2 * states)
    };
    let numbered = bytes.get(at + bitmap..)?;
    let length = length_of(numbered, numbers)?;
    Some((pattern, at + bitmap + length))
}

impl<C: Count> Blocks<C> {
    /// Appends all packed blocks. For the pattern of each, `wanted` says whether the block is to be
    /// unpacked as it is packed, and whether in its mirror image. The bytes must be sound, so that
    /// the only reasons for an error are a number that does not fit, and states beyond the limit of
    /// bytes.
    pub fn unpacked<'a>(
        mut self,
        packed: impl IntoIterator<Item = &'a [u8]>,
        most_bytes: usize,
        planner: &mut Planner,
        wanted: impl Fn(Pattern) -> [bool; 2],
    ) -> Result<Self, Halt> {
        for bytes in packed {
            let mut at = 0;
            while at < bytes.len() {
                // The number of states comes after the pattern.
                let states = u64::read(bytes, &mut (at + 8)).unwrap_or(0) as usize >> 1;
                if !self.can_take(2 * states) {
                    return Err(Halt::TooLarge);
                }
                self.unpack_block(bytes, &mut at, planner, &wanted).ok_or(Halt::TooNarrow)?;
                if self.bytes() > most_bytes && self.ranks.len() > 1 {
                    return Err(Halt::TooLarge);
                }
            }
        }
        Ok(self)
    }

    /// Unpacks the block at a position and moves the position past it; `None` if a number does not
    /// fit.
    fn unpack_block(
        &mut self,
        bytes: &[u8],
        at: &mut usize,
        planner: &mut Planner,
        wanted: impl Fn(Pattern) -> [bool; 2],
    ) -> Option<()> {
        let pattern = Pattern::packed_at(bytes, *at)?;
        *at += 8;
        if pattern.ends() > C::Rank::MOST_ENDS {
            return None;
        }
        let [itself, image] = wanted(pattern);
        if !itself && !image {
            *at += packed_block(&bytes[*at - 8..])?.1 - 8;
            return Some(());
        }
        let start = self.ranks.len();
        let states = unpack_ranks(pattern, bytes, at, &mut self.ranks)?;
        self.counts.resize(start + states, C::default());
        read_all(bytes, at, &mut self.counts[start..], C::from, C::read)?;
        let end = self.ranks.len();
        let mut block = Block { pattern, start, end, ascends: true };
        if itself {
            self.blocks.push(block);
        }
        if itself && image {
            self.ranks.extend_from_within(start..end);
            self.counts.extend_from_within(start..end);
            (block.start, block.end) = (end, self.ranks.len());
        }
        if image {
            let place = planner.maps.place_of(Some(pattern.mirror()), pattern.ends());
            let mirror = planner.maps.at(place);
            self.ranks[block.start..]
                .iter_mut()
                .for_each(|rank| *rank = through([mirror, None], *rank));
            block.pattern = pattern.mirrored();
            block.ascends = false;
            self.blocks.push(block);
        }
        Some(())
    }
}
