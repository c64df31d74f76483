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

use super::stage::{Stage, Transition};
use crate::states::count::{Count, read_number, write_number};
use crate::states::matching::{Change, DEAD, MOST_ENDS, Map, Maps, Rank, matchings};
use crate::states::pattern::Pattern;
use crate::tally::Tally;
use num_bigint::BigUint;
use std::sync::Arc;

/// The reason why an attempt ended without a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Halt {
    /// A count or a rank did not fit. The caller tries again with a wider type.
    TooNarrow,
    /// The attempt was cancelled.
    Stopped,
}

/// Returns true to cancel. It is called every few milliseconds.
pub(super) type Stop<'a> = &'a dyn Fn() -> bool;

/// The number of target blocks between two calls of [`Stop`].
const LOOK_EVERY: usize = 1 << 10;

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
}

/// The buffers with which one thread plans a stage, and the maps that it has used.
#[derive(Debug)]
pub(super) struct Planner {
    maps: NearMaps,
    transitions: Vec<Transition>,
    plan: Vec<Planned>,
    completed_lengths: Vec<u32>,
    /// The completed cycles: their numbers of vertices, and the counts of the states that completed
    /// them.
    pub completed: Vec<(u32, Tally)>,
}

/// One source of a target block.
#[derive(Debug, Clone, Copy)]
struct Planned {
    target: Pattern,
    source: u32,
    changes: [Option<Change>; 2],
}

impl<C: Count> Blocks<C> {
    /// Adds a block.
    pub fn push(&mut self, pattern: Pattern, ranks: &[C::Rank], counts: &[C]) {
        let start = self.ranks.len();
        self.ranks.extend_from_slice(ranks);
        self.counts.extend_from_slice(counts);
        self.blocks.push(Block { pattern, start, end: self.ranks.len() });
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

    /// Passes each block to `sink`, in ascending order. Blocks of equal patterns are added up, and
    /// their ranks are sorted.
    pub fn for_each(
        mut self,
        mut sink: impl FnMut(Pattern, &[C::Rank], &[C]),
        sums: &mut Sums<C>,
    ) -> Result<(), Halt> {
        self.blocks.sort_unstable_by_key(|block| block.pattern);
        for same in self.blocks.chunk_by(|one, other| one.pattern == other.pattern) {
            let states = same.iter().map(|block| block.end - block.start).sum();
            sums.begin(same[0].pattern.ends(), states)?;
            for &block in same {
                let (ranks, counts) = self.states(block);
                sums.add(ranks, counts, |rank| rank);
            }
            sums.finish()?;
            sink(same[0].pattern, &sums.ranks, &sums.counts);
        }
        Ok(())
    }

    /// Applies a stage to all states and passes each resulting block to `sink`, in ascending order
    /// of patterns.
    pub fn advance(
        &self,
        stage: &Stage,
        planner: &mut Planner,
        sums: &mut Sums<C>,
        stop: Stop,
        mut sink: impl FnMut(Pattern, &[C::Rank], &[C]),
    ) -> Result<(), Halt> {
        planner.plan(self, stage);
        let Planner { maps, plan, .. } = planner;
        let targets = plan.chunk_by(|one, other| one.target == other.target);
        for (number, sources) in targets.enumerate() {
            if number % LOOK_EVERY == 0 && stop() {
                return Err(Halt::Stopped);
            }
            let target = sources[0].target;
            sums.gather(self, target, sources, maps)?;
            if !sums.ranks.is_empty() {
                sink(target, &sums.ranks, &sums.counts);
            }
        }
        Ok(())
    }

    /// Returns all states after a stage.
    pub fn after(
        &self,
        stage: &Stage,
        planner: &mut Planner,
        sums: &mut Sums<C>,
        stop: Stop,
    ) -> Result<Self, Halt> {
        let mut next = Self::default();
        self.advance(stage, planner, sums, stop, |pattern, ranks, counts| {
            next.push(pattern, ranks, counts)
        })?;
        Ok(next)
    }

    /// Returns all states after some stages. The number of states after each stage is added to
    /// `states_processed`.
    pub fn through(
        mut self,
        stages: &[Stage],
        planner: &mut Planner,
        sums: &mut Sums<C>,
        states_processed: &mut u64,
        stop: Stop,
    ) -> Result<Self, Halt> {
        for stage in stages {
            self = self.after(stage, planner, sums, stop)?;
            *states_processed += self.ranks.len() as u64;
        }
        Ok(self)
    }
    /// Returns the same states with one block per pattern, all in ascending order.
    pub fn in_order(self, sums: &mut Sums<C>) -> Result<Self, Halt> {
        let mut ordered = Self::default();
        self.for_each(|pattern, ranks, counts| ordered.push(pattern, ranks, counts), sums)?;
        Ok(ordered)
    }

    /// Returns the states before some stages and after each of them.
    pub fn each_through(
        self,
        stages: &[Stage],
        planner: &mut Planner,
        sums: &mut Sums<C>,
        stop: Stop,
    ) -> Result<Vec<Self>, Halt> {
        let mut layers = vec![self];
        for stage in stages {
            layers.push(layers[layers.len() - 1].after(stage, planner, sums, stop)?);
        }
        Ok(layers)
    }
}

impl Planner {
    /// Returns the maps that all threads share.
    pub fn maps(&self) -> Arc<Maps> {
        Arc::clone(&self.maps.maps)
    }

    pub fn new(maps: Arc<Maps>) -> Self {
        Self {
            maps: NearMaps::new(maps),
            transitions: Vec::new(),
            plan: Vec::new(),
            completed_lengths: Vec::new(),
            completed: Vec::new(),
        }
    }

    /// Lists all transitions from the patterns of some blocks, sorted by target.
    fn plan<C: Count>(&mut self, layer: &Blocks<C>, stage: &Stage) {
        self.plan.clear();
        for (source, block) in layer.blocks.iter().enumerate() {
            self.transitions.clear();
            stage.transitions(block.pattern, &mut self.transitions, &mut self.completed_lengths);
            for vertices in self.completed_lengths.drain(..) {
                let counts = &layer.counts[block.start..block.end];
                let count = counts.iter().cloned().map(Into::<BigUint>::into).sum();
                self.completed.push((vertices, Tally::from_big(count)));
            }
            self.plan.extend(self.transitions.iter().map(|&(target, changes)| Planned {
                target,
                source: source as u32,
                changes,
            }));
        }
        self.plan.sort_unstable_by_key(|planned| (planned.target, planned.source));
    }
}

/// The maps that one thread has used, so that it need not lock the shared ones again.
#[derive(Debug)]
struct NearMaps {
    maps: Arc<Maps>,
    near: Vec<Option<Arc<Map>>>,
}

/// The number of kinds of changes.
const KINDS: usize = 4;
/// The number of even numbers of endpoints, from 0 to [`MOST_ENDS`].
const ENDS: usize = MOST_ENDS / 2 + 1;

impl NearMaps {
    fn new(maps: Arc<Maps>) -> Self {
        Self { maps, near: vec![None; KINDS * ENDS * MOST_ENDS * MOST_ENDS] }
    }

    #[inline]
    fn get(&mut self, change: Change, ends: usize) -> Arc<Map> {
        let (kind, one, other) = match change {
            Change::Insert(one, other) => (0, one, other),
            Change::Move(one, other) => (1, one, other),
            Change::Contract(one, other) => (2, one, other),
            Change::Mirror { left, middle } => (3, left, middle),
        };
        let place = (kind * ENDS + ends / 2) * MOST_ENDS + usize::from(one);
        let place = place * MOST_ENDS + usize::from(other);
        let map = self.near[place].get_or_insert_with(|| self.maps.get(change, ends));
        Arc::clone(map)
    }
}

/// The sums of one target block by rank, with buffers that are used again for the next.
#[derive(Debug)]
pub(super) struct Sums<C: Count> {
    /// The largest number of ranks that are added up densely.
    most_dense: u64,
    /// A sum for each rank, if the ranks are not too many; all zero between two targets.
    dense: Vec<C::Sum>,
    /// A bit for each rank of `dense` that is in use.
    used: Vec<u64>,
    /// The states that come in if the sums are not dense. They are sorted and added up in the end.
    pairs: Vec<(C::Rank, C)>,
    is_dense: bool,
    /// The number of words of `used` that the target needs.
    words: usize,
    /// The ranks of the result, ascending, and their counts.
    ranks: Vec<C::Rank>,
    counts: Vec<C>,
}

/// The largest number of ranks that are added up densely, if memory is ample: twice the matchings
/// of 16 endpoints.
pub(super) const MOST_DENSE: u64 = 1 << 22;

/// Up to this number of states, sorting is faster than dense sums.
const FEW: usize = 12;

impl<C: Count> Sums<C> {
    /// Sums that add up at most so many ranks densely.
    pub fn new(most_dense: u64) -> Self {
        Self {
            most_dense,
            dense: Vec::new(),
            used: Vec::new(),
            pairs: Vec::new(),
            is_dense: false,
            words: 0,
            ranks: Vec::new(),
            counts: Vec::new(),
        }
    }

    /// Adds up the sources of a target block into `ranks` and `counts`.
    fn gather(
        &mut self,
        layer: &Blocks<C>,
        target: Pattern,
        sources: &[Planned],
        maps: &mut NearMaps,
    ) -> Result<(), Halt> {
        let incoming = sources
            .iter()
            .map(|planned| layer.blocks[planned.source as usize])
            .map(|block| block.end - block.start);
        let incoming: usize = incoming.sum();
        self.begin(target.ends(), incoming)?;
        for planned in sources {
            let block = layer.blocks[planned.source as usize];
            let (ranks, counts) = layer.states(block);
            let ends = block.pattern.ends();
            match planned.changes {
                [None, _] => self.add(ranks, counts, |rank| rank),
                [Some(change), None] => {
                    let map = maps.get(change, ends);
                    match map.table() {
                        Some(table) => self.add(ranks, counts, |rank| look_up(table, rank)),
                        None => self.add(ranks, counts, |rank| Rank::of(map.of(rank.into()))),
                    }
                }
                [Some(change), Some(second)] => {
                    let first = maps.get(change, ends);
                    let second = maps.get(second, change.ends_after(ends));
                    match (first.table(), second.table()) {
                        (Some(first), Some(second)) => {
                            self.add(ranks, counts, |rank| match look_up(first, rank) {
                                dead if dead == C::Rank::DEAD => dead,
                                rank => look_up(second, rank),
                            })
                        }
                        _ => self.add(ranks, counts, |rank| match first.of(rank.into()) {
                            DEAD => C::Rank::DEAD,
                            rank => Rank::of(second.of(rank)),
                        }),
                    }
                }
            }
        }
        self.finish()
    }

    /// Prepares the sums for a target block with `ends` endpoints and at most `incoming` states,
    /// and chooses between dense sums and sorting.
    fn begin(&mut self, ends: usize, incoming: usize) -> Result<(), Halt> {
        if ends > C::Rank::MOST_ENDS {
            return Err(Halt::TooNarrow);
        }
        let all = matchings(ends);
        let is_worth_it = incoming > FEW && all / 64 <= incoming as u64;
        self.is_dense = all <= 15 || is_worth_it && all <= self.most_dense;
        if self.is_dense {
            self.words = (all as usize).div_ceil(64);
            if self.used.len() < self.words {
                self.dense.resize(self.words * 64, C::Sum::default());
                self.used.resize(self.words, 0);
            }
        }
        self.pairs.clear();
        self.ranks.clear();
        self.counts.clear();
        let most = incoming.min(usize::try_from(all).unwrap_or(incoming));
        self.ranks.reserve(most);
        self.counts.reserve(most);
        Ok(())
    }

    /// Adds states, with their ranks mapped.
    #[inline]
    fn add(&mut self, ranks: &[C::Rank], counts: &[C], map: impl Fn(C::Rank) -> C::Rank) {
        let states = ranks.iter().zip(counts).map(|(&rank, count)| (map(rank), count));
        let alive = states.filter(|&(rank, _)| rank != C::Rank::DEAD);
        if self.is_dense {
            for (rank, count) in alive {
                let rank = rank.into() as usize;
                count.add(&mut self.dense[rank]);
                self.used[rank / 64] |= 1 << (rank % 64);
            }
        } else {
            self.pairs.extend(alive.map(|(rank, count)| (rank, count.clone())));
        }
    }

    /// Collects the sums into `ranks` and `counts` and clears the buffers; an error if a sum does
    /// not fit a count.
    fn finish(&mut self) -> Result<(), Halt> {
        let mut fits = true;
        if self.is_dense {
            for (word, used) in self.used[..self.words].iter_mut().enumerate() {
                let mut bits = std::mem::take(used);
                while bits != 0 {
                    let rank = word * 64 + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    let sum = std::mem::take(&mut self.dense[rank]);
                    match C::from_sum(&sum) {
                        Some(count) => {
                            self.ranks.push(Rank::of(rank as u64));
                            self.counts.push(count);
                        }
                        None => fits = false,
                    }
                }
            }
        } else {
            self.pairs.sort_unstable_by_key(|pair| pair.0);
            for same in self.pairs.chunk_by(|one, other| one.0 == other.0) {
                let count = match same {
                    [(_, count)] => Some(count.clone()),
                    _ => {
                        let mut sum = C::Sum::default();
                        same.iter().for_each(|(_, count)| count.add(&mut sum));
                        C::from_sum(&sum)
                    }
                };
                match count {
                    Some(count) => {
                        self.ranks.push(same[0].0);
                        self.counts.push(count);
                    }
                    None => fits = false,
                }
            }
        }
        fits.then_some(()).ok_or(Halt::TooNarrow)
    }
}

/// Returns the entry of a table of ranks.
#[inline]
fn look_up<R: Rank>(table: &[u32], rank: R) -> R {
    R::of_tabled(table[rank.into() as usize])
}

/// Appends a packed block. Its ranks ascend. The format is the same for every width of counts.
pub(super) fn pack<C: Count>(pattern: Pattern, ranks: &[C::Rank], counts: &[C], to: &mut Vec<u8>) {
    to.extend(pattern.0.to_le_bytes());
    let all = matchings(pattern.ends());
    let is_dense = all.div_ceil(8) < ranks.len() as u64;
    write_number((ranks.len() as u128) << 1 | u128::from(is_dense), to);
    let ranks = ranks.iter().map(|&rank| rank.into());
    if is_dense {
        let start = to.len();
        to.resize(start + all.div_ceil(8) as usize, 0);
        ranks.for_each(|rank| to[start + rank as usize / 8] |= 1 << (rank % 8));
    } else {
        let mut before = 0;
        for rank in ranks {
            write_number((rank - before).into(), to);
            before = rank;
        }
    }
    counts.iter().for_each(|count| count.write(to));
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

/// Returns the pattern of the first packed block and its length in bytes.
fn packed_block(bytes: &[u8]) -> Option<(Pattern, usize)> {
    let (pattern, mut at) = (Pattern::packed_at(bytes, 0)?, 8);
    let number = read_number::<64>(bytes, &mut at)? as usize;
    let states = number >> 1;
    // A bitmap of ranks is followed by one number per state, its count; gaps and counts are two
    // numbers per state.
    let (bitmap, numbers) = match number & 1 == 1 {
        true => (matchings(pattern.ends()).div_ceil(8) as usize, states),
        false => (0, 2 * states),
    };
    let numbered = bytes.get(at + bitmap..)?;
    // All bytes of a number but its last have the highest bit set.
    let mut ends = (0..numbered.len()).filter(|&byte| numbered[byte] < 1 << 7);
    let length = numbers.checked_sub(1).map_or(Some(0), |last| Some(ends.nth(last)? + 1))?;
    Some((pattern, at + bitmap + length))
}

/// The mirror images in which a packed block is to be unpacked.
pub(super) struct Wanted {
    /// The block as it is packed.
    pub itself: bool,
    /// Its mirror image.
    pub image: bool,
}

impl<C: Count> Blocks<C> {
    /// Unpacks all blocks, each in the mirror images that `wanted` names for its pattern. The bytes
    /// must be sound, so that the only reason for an error is a number that does not fit.
    pub fn unpack<'a>(
        packed: impl IntoIterator<Item = &'a [u8]>,
        planner: &mut Planner,
        wanted: impl Fn(Pattern) -> Wanted,
    ) -> Result<Self, Halt> {
        let mut layer = Self::default();
        for bytes in packed {
            let mut at = 0;
            while at < bytes.len() {
                layer.unpack_block(bytes, &mut at, planner, &wanted).ok_or(Halt::TooNarrow)?;
            }
        }
        Ok(layer)
    }

    /// Unpacks the block at a position and moves the position past it; `None` if a number does not
    /// fit.
    fn unpack_block(
        &mut self,
        bytes: &[u8],
        at: &mut usize,
        planner: &mut Planner,
        wanted: impl Fn(Pattern) -> Wanted,
    ) -> Option<()> {
        let pattern = Pattern::packed_at(bytes, *at)?;
        *at += 8;
        if pattern.ends() > C::Rank::MOST_ENDS {
            return None;
        }
        let number = read_number::<64>(bytes, at)? as usize;
        let (start, states) = (self.ranks.len(), number >> 1);
        if number & 1 == 1 {
            let all = bytes.get(*at..*at + (matchings(pattern.ends()) as usize).div_ceil(8))?;
            *at += all.len();
            for (place, &byte) in all.iter().enumerate() {
                let mut bits = byte;
                while bits != 0 {
                    let rank = place as u64 * 8 + u64::from(bits.trailing_zeros());
                    self.ranks.push(Rank::of(rank));
                    bits &= bits - 1;
                }
            }
        } else {
            let mut rank = 0;
            for _ in 0..states {
                rank += read_number::<64>(bytes, at)? as u64;
                self.ranks.push(Rank::of(rank));
            }
        }
        for _ in 0..states {
            self.counts.push(C::read(bytes, at)?);
        }
        let end = self.ranks.len();
        let mut block = Block { pattern, start, end };
        let Wanted { itself, image } = wanted(pattern);
        if itself {
            self.blocks.push(block);
        }
        if itself && image {
            self.ranks.extend_from_within(start..end);
            self.counts.extend_from_within(start..end);
            (block.start, block.end) = (end, self.ranks.len());
        }
        if image {
            let mirror = planner.maps.get(pattern.mirror(), pattern.ends());
            self.ranks[block.start..]
                .iter_mut()
                .for_each(|rank| *rank = Rank::of(mirror.of((*rank).into())));
            block.pattern = pattern.mirrored();
            self.blocks.push(block);
        }
        if !itself && !image {
            self.ranks.truncate(start);
            self.counts.truncate(start);
        }
        Some(())
    }
}
