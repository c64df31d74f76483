//! Blocks: all states of one pattern, as a sparse vector over the ranks of their matchings.
//!
//! ```text
//! pattern ... 1 0 2 1 1 ... 1    four ends, so the matchings are 0 to 2
//! ranks   0 2
//! ways    5 1                    joined 0-1 2-3 in five ways, 0-3 1-2 in one
//! ```
//!
//! A stage is then a sparse matrix of blocks: every way on from a pattern brings all of its block, through at most two
//! maps, to the block of the pattern that follows. The ways are sorted by where they lead, and each target adds up its
//! sources. There is no hash table of states and no lock. In slices that fit the caches next to a core this costs 5 to 8
//! ns a state, where states in hash tables cost 250.
//!
//! Between rounds blocks are packed: the pattern in eight bytes, the number of states, the ranks as a bitmap or as gaps, and
//! the ways, seven bits a byte: about two bytes a state.

use super::stage::{Stage, Way};
use crate::states::matching::{Change, DEAD, MOST_ENDS, Map, Maps, Rank, matchings};
use crate::states::pattern::Pattern;
use crate::states::ways::{Ways, read_number, write_number};
use crate::tally::Tally;
use num_bigint::BigUint;
use std::sync::Arc;

/// Why an attempt came to nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Halt {
    /// A number of ways did not fit; a wider kind of number will do.
    TooNarrow,
    /// It was told to stop.
    Stopped,
}

/// Says whether to stop; asked every few milliseconds.
pub(crate) type Stop<'a> = &'a dyn Fn() -> bool;

/// Target blocks between two looks at whether to stop.
const LOOK_EVERY: usize = 1 << 10;

/// All states at a stage of a slice.
#[derive(Debug, Default)]
pub(crate) struct Layer<W: Ways> {
    blocks: Vec<Block>,
    ranks: Vec<W::Rank>,
    ways: Vec<W>,
}

#[derive(Debug, Clone, Copy)]
struct Block {
    pattern: Pattern,
    start: usize,
    end: usize,
}

/// What a thread plans with.
#[derive(Debug)]
pub(crate) struct Bench {
    maps: NearMaps,
    ways: Vec<Way>,
    plan: Vec<Planned>,
    closed: Vec<u32>,
    /// Cycles that closed on the way, by the number of their vertices.
    pub met: Vec<(u32, Tally)>,
}

/// One source of a target block.
#[derive(Debug, Clone, Copy)]
struct Planned {
    target: Pattern,
    source: u32,
    changes: [Option<Change>; 2],
}

impl<W: Ways> Layer<W> {
    /// Adds a block.
    pub fn push(&mut self, pattern: Pattern, ranks: &[W::Rank], ways: &[W]) {
        let start = self.ranks.len();
        self.ranks.extend_from_slice(ranks);
        self.ways.extend_from_slice(ways);
        self.blocks.push(Block { pattern, start, end: self.ranks.len() });
    }

    /// The ranks and ways of a block.
    #[inline]
    fn states(&self, block: Block) -> (&[W::Rank], &[W]) {
        let states = block.start..block.end;
        (&self.ranks[states.clone()], &self.ways[states])
    }

    /// The blocks, each with its pattern, ranks and ways.
    pub fn blocks(&self) -> impl Iterator<Item = (Pattern, (&[W::Rank], &[W]))> {
        let blocks = self.blocks.iter();
        blocks.map(|&block| (block.pattern, self.states(block)))
    }

    /// The ranks and ways of a pattern, where there is a block for each, in ascending order.
    pub fn block(&self, pattern: Pattern) -> Option<(&[W::Rank], &[W])> {
        let found = self.blocks.binary_search_by_key(&pattern, |block| block.pattern);
        Some(self.states(self.blocks[found.ok()?]))
    }

    /// Gives each block to `sink`, with ascending ranks and one for each pattern.
    pub fn for_each(
        mut self,
        mut sink: impl FnMut(Pattern, &[W::Rank], &[W]),
        sums: &mut Sums<W>,
    ) -> Result<(), Halt> {
        self.blocks.sort_unstable_by_key(|block| block.pattern);
        for same in self.blocks.chunk_by(|one, other| one.pattern == other.pattern) {
            let states = same.iter().map(|block| block.end - block.start).sum();
            sums.begin(same[0].pattern.ends(), states)?;
            for &block in same {
                let (ranks, ways) = self.states(block);
                sums.add(ranks, ways, |rank| rank);
            }
            sums.finish()?;
            sink(same[0].pattern, &sums.ranks, &sums.ways);
        }
        Ok(())
    }

    /// Takes all states through a stage, and gives each block of states that follow to `sink`, by ascending pattern.
    pub fn advance(
        &self,
        stage: &Stage,
        bench: &mut Bench,
        sums: &mut Sums<W>,
        stop: Stop,
        mut sink: impl FnMut(Pattern, &[W::Rank], &[W]),
    ) -> Result<(), Halt> {
        bench.plan(self, stage);
        let Bench { maps, plan, .. } = bench;
        let targets = plan.chunk_by(|one, other| one.target == other.target);
        for (number, sources) in targets.enumerate() {
            if number % LOOK_EVERY == 0 && stop() {
                return Err(Halt::Stopped);
            }
            let target = sources[0].target;
            sums.gather(self, target, sources, maps)?;
            if !sums.ranks.is_empty() {
                sink(target, &sums.ranks, &sums.ways);
            }
        }
        Ok(())
    }

    /// All states after a stage.
    pub fn after(
        &self,
        stage: &Stage,
        bench: &mut Bench,
        sums: &mut Sums<W>,
        stop: Stop,
    ) -> Result<Self, Halt> {
        let mut next = Self::default();
        self.advance(stage, bench, sums, stop, |pattern, ranks, ways| {
            next.push(pattern, ranks, ways)
        })?;
        Ok(next)
    }

    /// All states after some stages; `states_processed` counts those after each.
    pub fn through(
        mut self,
        stages: &[Stage],
        bench: &mut Bench,
        sums: &mut Sums<W>,
        states_processed: &mut u64,
        stop: Stop,
    ) -> Result<Self, Halt> {
        for stage in stages {
            self = self.after(stage, bench, sums, stop)?;
            *states_processed += self.ranks.len() as u64;
        }
        Ok(self)
    }
}

impl Bench {
    /// The maps that all threads share.
    pub fn maps(&self) -> Arc<Maps> {
        Arc::clone(&self.maps.maps)
    }

    pub fn new(maps: Arc<Maps>) -> Self {
        Self {
            maps: NearMaps::new(maps),
            ways: Vec::new(),
            plan: Vec::new(),
            closed: Vec::new(),
            met: Vec::new(),
        }
    }

    /// All ways from the patterns of a layer, sorted by where they lead.
    fn plan<W: Ways>(&mut self, layer: &Layer<W>, stage: &Stage) {
        self.plan.clear();
        for (source, block) in layer.blocks.iter().enumerate() {
            self.ways.clear();
            stage.ways(block.pattern, &mut self.ways, &mut self.closed);
            for vertices in self.closed.drain(..) {
                let ways = &layer.ways[block.start..block.end];
                self.met.push((
                    vertices,
                    Tally::from_big(ways.iter().cloned().map(Into::<BigUint>::into).sum()),
                ));
            }
            self.plan.extend(self.ways.iter().map(|&(target, changes)| Planned {
                target,
                source: source as u32,
                changes,
            }));
        }
        self.plan.sort_unstable_by_key(|planned| (planned.target, planned.source));
    }
}

/// The maps that a thread has asked for, so that it need not lock the common ones again.
#[derive(Debug)]
struct NearMaps {
    maps: Arc<Maps>,
    near: Vec<Option<Arc<Map>>>,
}

/// Kinds of changes, and half numbers of ends.
const KINDS: usize = 4;
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

/// Sums by rank.
#[derive(Debug, Default)]
pub(crate) struct Sums<W: Ways> {
    /// Where there are not too many ranks, a sum for each; nothing between two targets.
    dense: Vec<W::Sum>,
    /// A bit for each rank of `dense` that is in use.
    used: Vec<u64>,
    /// Else, what comes in.
    pairs: Vec<(W::Rank, W)>,
    is_dense: bool,
    /// Words of `used` that the target needs.
    words: usize,
    /// What came of it, by ascending rank.
    ranks: Vec<W::Rank>,
    ways: Vec<W>,
}

/// More ranks than this are never summed densely: twice the matchings of 16 ends.
const MOST_DENSE: u64 = 1 << 22;

/// Fewer states than this are sorted.
const FEW: usize = 12;

impl<W: Ways> Sums<W> {
    /// Adds up the sources of a target, into `ranks` and `ways`.
    fn gather(
        &mut self,
        layer: &Layer<W>,
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
            let (ranks, ways) = layer.states(block);
            let ends = block.pattern.ends();
            match planned.changes {
                [None, _] => self.add(ranks, ways, |rank| rank),
                [Some(change), None] => {
                    let map = maps.get(change, ends);
                    match map.table() {
                        Some(table) => self.add(ranks, ways, |rank| look_up(table, rank)),
                        None => self.add(ranks, ways, |rank| Rank::of(map.of(rank.into()))),
                    }
                }
                [Some(change), Some(second)] => {
                    let first = maps.get(change, ends);
                    let second = maps.get(second, change.ends_after(ends));
                    match (first.table(), second.table()) {
                        (Some(first), Some(second)) => {
                            self.add(ranks, ways, |rank| match look_up(first, rank) {
                                dead if dead == W::Rank::DEAD => dead,
                                rank => look_up(second, rank),
                            })
                        }
                        _ => self.add(ranks, ways, |rank| match first.of(rank.into()) {
                            DEAD => W::Rank::DEAD,
                            rank => Rank::of(second.of(rank)),
                        }),
                    }
                }
            }
        }
        self.finish()
    }

    fn begin(&mut self, ends: usize, incoming: usize) -> Result<(), Halt> {
        if ends > W::Rank::MOST_ENDS {
            return Err(Halt::TooNarrow);
        }
        let all = matchings(ends);
        let is_worth_it = incoming > FEW && all / 64 <= incoming as u64;
        self.is_dense = all <= 15 || is_worth_it && all <= MOST_DENSE;
        if self.is_dense {
            self.words = (all as usize).div_ceil(64);
            if self.used.len() < self.words {
                self.dense.resize(self.words * 64, W::Sum::default());
                self.used.resize(self.words, 0);
            }
        }
        self.pairs.clear();
        self.ranks.clear();
        self.ways.clear();
        let most = incoming.min(usize::try_from(all).unwrap_or(incoming));
        self.ranks.reserve(most);
        self.ways.reserve(most);
        Ok(())
    }

    #[inline]
    fn add(&mut self, ranks: &[W::Rank], ways: &[W], map: impl Fn(W::Rank) -> W::Rank) {
        let states = ranks.iter().zip(ways).map(|(&rank, ways)| (map(rank), ways));
        let alive = states.filter(|&(rank, _)| rank != W::Rank::DEAD);
        if self.is_dense {
            for (rank, ways) in alive {
                let rank = rank.into() as usize;
                ways.add(&mut self.dense[rank]);
                self.used[rank / 64] |= 1 << (rank % 64);
            }
        } else {
            self.pairs.extend(alive.map(|(rank, ways)| (rank, ways.clone())));
        }
    }

    fn finish(&mut self) -> Result<(), Halt> {
        let mut fits = true;
        if self.is_dense {
            for (word, used) in self.used[..self.words].iter_mut().enumerate() {
                let mut bits = std::mem::take(used);
                while bits != 0 {
                    let rank = word * 64 + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    let sum = std::mem::take(&mut self.dense[rank]);
                    match W::narrow(&sum) {
                        Some(ways) => {
                            self.ranks.push(Rank::of(rank as u64));
                            self.ways.push(ways);
                        }
                        None => fits = false,
                    }
                }
            }
        } else {
            self.pairs.sort_unstable_by_key(|pair| pair.0);
            for same in self.pairs.chunk_by(|one, other| one.0 == other.0) {
                let ways = match same {
                    [(_, ways)] => Some(ways.clone()),
                    _ => {
                        let mut sum = W::Sum::default();
                        same.iter().for_each(|(_, ways)| ways.add(&mut sum));
                        W::narrow(&sum)
                    }
                };
                match ways {
                    Some(ways) => {
                        self.ranks.push(same[0].0);
                        self.ways.push(ways);
                    }
                    None => fits = false,
                }
            }
        }
        fits.then_some(()).ok_or(Halt::TooNarrow)
    }
}

#[inline]
fn look_up<R: Rank>(table: &[u32], rank: R) -> R {
    R::of_tabled(table[rank.into() as usize])
}

/// Appends a block as it is packed.
pub(crate) fn pack<W: Ways>(pattern: Pattern, ranks: &[W::Rank], ways: &[W], bytes: &mut Vec<u8>) {
    bytes.extend(pattern.0.to_le_bytes());
    let all = matchings(pattern.ends());
    let is_dense = all.div_ceil(8) < ranks.len() as u64;
    write_number((ranks.len() as u128) << 1 | u128::from(is_dense), bytes);
    let ranks = ranks.iter().map(|&rank| rank.into());
    if is_dense {
        let start = bytes.len();
        bytes.resize(start + all.div_ceil(8) as usize, 0);
        ranks.for_each(|rank| bytes[start + rank as usize / 8] |= 1 << (rank % 8));
    } else {
        let mut before = 0;
        for rank in ranks {
            write_number((rank - before).into(), bytes);
            before = rank;
        }
    }
    ways.iter().for_each(|ways| ways.write(bytes));
}

/// The packed blocks one after the other, each with its pattern and as it is packed: nothing is decoded. The bytes are known to be sound.
pub(crate) fn packed_blocks(bytes: &[u8]) -> impl Iterator<Item = (Pattern, &[u8])> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        // What does not end where it should must not be passed over: the count would be too small.
        let Some((pattern, length)) = packed_block(rest) else {
            unreachable!("what is packed is whole");
        };
        let (block, after) = rest.split_at(length);
        rest = after;
        Some((pattern, block))
    })
}

/// The pattern of the first packed block, and its bytes.
fn packed_block(bytes: &[u8]) -> Option<(Pattern, usize)> {
    let (pattern, mut at) = (Pattern::packed_at(bytes, 0)?, 8);
    let number = read_number::<64>(bytes, &mut at)? as usize;
    let states = number >> 1;
    // A bitmap and the ways, or gaps and the ways.
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

/// Which of the mirror images a packed block is wanted in.
pub(crate) struct Wanted {
    /// As it is.
    pub itself: bool,
    /// Mirrored.
    pub image: bool,
}

impl<W: Ways> Layer<W> {
    /// All packed blocks, each in the mirror images that are wanted. The bytes are known to be sound, so that what
    /// does not decode is a number too wide.
    pub fn unpack<'a>(
        packed: impl IntoIterator<Item = &'a [u8]>,
        bench: &mut Bench,
        wanted: impl Fn(Pattern) -> Wanted,
    ) -> Result<Self, Halt> {
        let mut layer = Self::default();
        for bytes in packed {
            let mut at = 0;
            while at < bytes.len() {
                layer.unpack_block(bytes, &mut at, bench, &wanted).ok_or(Halt::TooNarrow)?;
            }
        }
        Ok(layer)
    }

    fn unpack_block(
        &mut self,
        bytes: &[u8],
        at: &mut usize,
        bench: &mut Bench,
        wanted: impl Fn(Pattern) -> Wanted,
    ) -> Option<()> {
        let pattern = Pattern::packed_at(bytes, *at)?;
        *at += 8;
        if pattern.ends() > W::Rank::MOST_ENDS {
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
            self.ways.push(W::read(bytes, at)?);
        }
        let end = self.ranks.len();
        let mut block = Block { pattern, start, end };
        let Wanted { itself, image } = wanted(pattern);
        if itself {
            self.blocks.push(block);
        }
        if itself && image {
            self.ranks.extend_from_within(start..end);
            self.ways.extend_from_within(start..end);
            (block.start, block.end) = (end, self.ranks.len());
        }
        if image {
            let mirror = bench.maps.get(pattern.mirror(), pattern.ends());
            self.ranks[block.start..]
                .iter_mut()
                .for_each(|rank| *rank = Rank::of(mirror.of((*rank).into())));
            block.pattern = pattern.mirrored();
            self.blocks.push(block);
        }
        if !itself && !image {
            self.ranks.truncate(start);
            self.ways.truncate(start);
        }
        Some(())
    }
}
