//! Rounds: a slice on its way through the stages of one round.
//!
//! A slice is unpacked, taken through all stages at once, and its states are packed again,
//! partitioned into the slices of the next round. Large slices are divided first, by squares that
//! the remaining stages leave alone, so that each part fits the cache. If no such squares are left,
//! they are processed one stage at a time.

use super::block::{
    Blocks, Halt, MOST_DENSE, Planner, Stepper, Sums, block_halves, pack, packed_blocks,
};
use super::stage::Stage;
use super::sweep::{Round, Sweep};
use crate::rounds::{Partitioned, SliceStart, Stop, by_slice};
use crate::states::count::Count;
use crate::states::maps::Maps;
use crate::states::pattern::{Pattern, bits_of};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// The buffers that a thread keeps from one slice to the next.
#[derive(Debug)]
pub struct Workspace {
    pub(super) planner: Planner,
    /// Nearly all slices fit 32 bits, so these sums are kept from one to the next.
    pub(super) narrow: Sums<u32>,
    pub(super) most: MostAtOnce,
}

impl Workspace {
    pub(super) fn new(maps: Arc<Maps>, most: MostAtOnce) -> Self {
        Self { planner: Planner::new(maps), narrow: most.sums(), most }
    }

    /// Sets the most bytes of unpacked states at once, and returns what it was.
    pub(super) fn set_unpacked(&mut self, bytes: usize) -> usize {
        self.narrow.most_bytes = bytes;
        std::mem::replace(&mut self.most.unpacked, bytes)
    }
}

/// Runs an attempt with 32-bit counts first, then with wider ones, until all counts fit. The value
/// is an error when the attempt was cancelled or its states do not fit the scratch memory.
macro_rules! widening {
    ($workspace:expr, $stop:expr, |$stepper:ident| $attempt:expr) => {
        widening!($workspace, $stop, |$stepper| $attempt, u64, u128, num_bigint::BigUint)
    };
    ($workspace:expr, $stop:expr, |$stepper:ident| $attempt:expr, $($wider:ty),+) => {{
        let Workspace { planner, narrow, most } = &mut *$workspace;
        let attempted = {
            let $stepper = &mut planner.with(narrow, $stop);
            $attempt
        };
        $(let attempted = match attempted {
            Err(Halt::TooNarrow) => {
                let mut sums = most.sums::<$wider>();
                let $stepper = &mut planner.with(&mut sums, $stop);
                $attempt
            }
            attempted => attempted,
        };)+
        if let Err(Halt::TooNarrow) = attempted {
            unreachable!("a number of any size fits");
        }
        attempted
    }};
}
pub(super) use widening;

/// A rule by which states are partitioned into slices: by the degrees in the slots of a key. With
/// `is_mirrored`, one of two slices that mirror each other has the states of both.
#[derive(Debug, Clone, Copy)]
pub(super) struct Partitioning {
    pub key: u64,
    pub is_mirrored: bool,
}

impl Partitioning {
    /// Returns the slice of a pattern: its degrees in the slots of the key, or, if smaller and
    /// merged, those of its mirror image.
    pub fn slice_of(self, pattern: Pattern) -> Pattern {
        let own = Pattern(pattern.0 & self.key);
        if self.is_mirrored { own.min(own.mirrored()) } else { own }
    }
}

/// A packed slice: all blocks with given degrees in the slots of a key.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slice<'a> {
    pub degrees: Pattern,
    pub key: u64,
    /// True if each block is to be unpacked in both of its mirror images.
    pub both: bool,
    pub packed: &'a [&'a [u8]],
}

impl<'a> Slice<'a> {
    /// Returns a slice that unpacks each block in one of its mirror images.
    pub fn new(degrees: Pattern, key: u64, packed: &'a [&'a [u8]]) -> Self {
        Self { degrees, key, both: false, packed }
    }

    /// Unpacks the blocks of some patterns. A block whose mirror image belongs to the slice is
    /// mirrored.
    pub fn unpack_those<C: Count>(
        &self,
        is_needed: impl Fn(Pattern) -> bool,
        Stepper { planner, sums, .. }: &mut Stepper<C>,
    ) -> Result<Blocks<C>, Halt> {
        let most = sums.most_bytes;
        sums.blank().unpacked(self.packed.iter().copied(), most, planner, |pattern| {
            let is_own = pattern.0 & self.key == self.degrees.0;
            let itself = (self.both || is_own) && is_needed(pattern);
            [itself, (self.both || !is_own) && is_needed(pattern.mirrored())]
        })
    }

    /// Divides the slice by a finer key and passes each part to `show`. Blocks stay packed and are
    /// not copied. If both mirror images of a block are wanted, the block is in two parts.
    pub fn each_part<E>(
        &self,
        key: u64,
        mut show: impl FnMut(Slice) -> Result<(), E>,
    ) -> Result<(), E> {
        self.parts(key)
            .iter()
            .try_for_each(|(&degrees, packed)| show(self.part(degrees, key, packed)))
    }

    /// Returns the blocks of the parts of the slice by a finer key.
    pub fn parts(&self, key: u64) -> BTreeMap<Pattern, Vec<&'a [u8]>> {
        let mut parts: BTreeMap<Pattern, Vec<&'a [u8]>> = BTreeMap::new();
        for (pattern, block) in self.packed.iter().flat_map(|bytes| packed_blocks(bytes)) {
            let is_own = pattern.0 & self.key == self.degrees.0;
            let own = Pattern(pattern.0 & key);
            let image = Pattern(pattern.mirrored().0 & key);
            let of_block = if self.both {
                [Some(own), (image != own).then_some(image)]
            } else {
                [Some(if is_own { own } else { image }), None]
            };
            for part in of_block.into_iter().flatten() {
                parts.entry(part).or_default().push(block);
            }
        }
        parts
    }

    /// Returns one of the [parts](Self::parts) of the slice.
    pub fn part<'p>(&self, degrees: Pattern, key: u64, packed: &'p [&'p [u8]]) -> Slice<'p> {
        Slice { degrees, key, both: self.both && degrees == degrees.mirrored(), packed }
    }

    /// Passes the slice to `show` in parts, each with about half of the states. The parts differ in
    /// the degrees that some stages leave alone, where that is possible. Returns false without
    /// parts if the slice is a single state.
    pub fn each_half(
        &self,
        stages: &[Stage],
        mut show: impl FnMut(Slice) -> Result<(), Halt>,
    ) -> Result<bool, Halt> {
        let half = self.bytes() / 2;
        let chunks = self.chunks(stages, half, half);
        if chunks.len() > 1 {
            chunks.iter().try_for_each(|packed| show(Slice { packed, ..*self }))?;
            return Ok(true);
        }
        let mut blocks = self.packed.iter().flat_map(|bytes| packed_blocks(bytes));
        let Some(halves) = blocks.next().and_then(|(_, block)| block_halves(block)) else {
            return Ok(false);
        };
        halves.iter().try_for_each(|half| show(Slice { packed: &[half], ..*self }))?;
        Ok(true)
    }

    /// Returns the packed bytes of the slice.
    pub fn bytes(&self) -> usize {
        self.packed.iter().map(|piece| piece.len()).sum()
    }

    /// Divides the blocks of a slice of more than `most` packed bytes into chunks, which are
    /// processed one after the other. If blocks differ in the degrees that some stages leave alone,
    /// so do all blocks that follow. So blocks that agree stay in one chunk, unless they have more
    /// than `whole` bytes: then some states that follow are processed in two chunks.
    pub fn chunks(&self, stages: &[Stage], most: usize, whole: usize) -> Vec<Vec<&'a [u8]>> {
        if self.bytes() <= most {
            return vec![self.packed.to_vec()];
        }
        let touched = bits_of(stages.iter().flat_map(Stage::touched));
        let blocks = self.packed.iter().flat_map(|bytes| packed_blocks(bytes));
        let alone = |pattern: Pattern| {
            let [own, image] = [pattern, pattern.mirrored()].map(|pattern| pattern.0 & !touched);
            // Blocks that are unpacked in the same pattern agree.
            match self.both {
                true => own.min(image),
                false if pattern.0 & self.key == self.degrees.0 => own,
                false => image,
            }
        };
        let mut blocks: Vec<(u64, &[u8])> =
            blocks.map(|(pattern, block)| (alone(pattern), block)).collect();
        blocks.sort_by_key(|&(alone, _)| alone);
        let (mut chunks, mut len) = (vec![Vec::new()], 0);
        for same in blocks.chunk_by(|one, other| one.0 == other.0) {
            let of_same: usize = same.iter().map(|(_, block)| block.len()).sum();
            for (number, &(_, block)) in same.iter().enumerate() {
                let is_full = len + block.len() > whole || number == 0 && len + of_same > most;
                if is_full && len > 0 {
                    chunks.push(Vec::new());
                    len = 0;
                }
                chunks.last_mut().into_iter().for_each(|chunk| chunk.push(block));
                len += block.len();
            }
        }
        chunks
    }
}

/// Limits, in packed bytes, on what is processed at once.
#[derive(Debug, Clone, Copy)]
pub(super) struct MostAtOnce {
    /// The largest slice that is not divided. A larger one would, unpacked and with its output, not
    /// fit the cache next to a core.
    pub divided: usize,
    /// The largest slice that is taken through all stages at once although it cannot be divided. A
    /// larger one is processed one stage at a time. Unpacked, a slice takes 20 to 30 times as many
    /// bytes: slices of 9x10 cut at 38 took 20 GB.
    pub whole: usize,
    /// The size at which the output of a slice is handed on in portions, so that a thread never
    /// holds much more.
    pub output: usize,
    /// The largest number of ranks that are added up densely.
    pub dense: u64,
    /// The most bytes of states that are unpacked at once, those before a stage and those after it.
    /// A slice that takes more is processed one stage at a time, and then in parts, down to single
    /// states. States that several parts lead to are processed once for each.
    pub unpacked: usize,
    /// The most packed bytes that are kept between two stages.
    pub between: usize,
    /// The most packed bytes of a unit that are read at once.
    pub unit: usize,
}

impl Default for MostAtOnce {
    fn default() -> Self {
        Self {
            divided: 1 << 19,
            whole: 1 << 24,
            output: 1 << 25,
            dense: MOST_DENSE,
            unpacked: usize::MAX,
            between: usize::MAX,
            unit: usize::MAX,
        }
    }
}

/// The scratch memory of a worker that has no bound on it. With less, 10x10 closed would process
/// some states twice.
pub(crate) const MOST_SCRATCH: u64 = 4 << 30;

impl MostAtOnce {
    /// As much at once as the scratch memory allows: the states in work and their output have a
    /// share each. Slices that cannot be divided grow most on their way, up to fifty times. With
    /// ample scratch memory, they get more than what these shares leave.
    pub fn within(scratch: u64) -> Self {
        const AMPLE: u64 = 128 << 20;
        let most = Self::default();
        let whole = (scratch / 128).max(scratch.saturating_sub(AMPLE) / 24) as usize;
        Self {
            divided: most.divided.min((scratch / 192) as usize),
            whole: most.whole.min(whole),
            output: most.output.min((scratch / 6) as usize),
            dense: most.dense.min(scratch / 48),
            unpacked: (scratch / 2) as usize,
            between: (scratch / 3) as usize,
            unit: most.unit,
        }
    }

    /// Returns sums within these limits.
    pub fn sums<C: Count>(&self) -> Sums<C> {
        Sums::new(self.dense, self.unpacked)
    }
}

/// Takes a slice through a round of a sweep and partitions its states for the next round; see
/// [`RoundWorker::advance`](crate::rounds::RoundWorker::advance).
pub(super) fn advance(
    (sweep, number): (&Sweep, usize),
    slice: Slice,
    partitioning: Partitioning,
    workspace: &mut Workspace,
    stop: Stop,
    emit: &mut dyn FnMut(Partitioned),
) -> Option<Partitioned> {
    let round = sweep.round(number);
    let allowed = sweep.allowed_before(number).map(|allowed| {
        let blocks = slice.packed.iter().flat_map(|bytes| packed_blocks(bytes));
        blocks.filter(|(pattern, _)| allowed.has(*pattern)).map(|(_, block)| block).collect()
    });
    let packed: Vec<&[u8]> = allowed.unwrap_or_else(|| slice.packed.to_vec());
    let slice = Slice { packed: &packed, ..slice };
    let most = workspace.most.output;
    let (mut parts, mut bytes) = (Vec::new(), 0);
    let (mut states_processed, mut met) = (0, Vec::new());
    let mut done = |mut part: Partitioned| {
        states_processed += part.states_processed;
        met.append(&mut part.met);
        bytes += part.bytes.len();
        parts.push(part);
        if bytes > most {
            emit_all(&mut parts, emit);
            bytes = 0;
        }
    };
    match (Passage { round, partitioning, workspace, stop, done: &mut done }).go(0, slice) {
        Ok(()) => {}
        Err(Halt::Stopped) => return None,
        // To leave the slice out would make the count too small.
        Err(Halt::TooLarge | Halt::TooNarrow) => panic!("no memory for a single state"),
    }
    let rest = match parts.len() {
        1 => parts.pop(),
        _ => merged(&parts),
    };
    let rest = rest.unwrap_or_else(|| {
        emit_all(&mut parts, emit);
        Partitioned::default()
    });
    Some(Partitioned { states_processed, met, ..rest })
}

/// A slice on its way through a round. Its output is passed to `done`, in several parts if the
/// slice is large.
struct Passage<'a> {
    round: &'a Round,
    partitioning: Partitioning,
    workspace: &'a mut Workspace,
    stop: Stop<'a>,
    done: &'a mut dyn FnMut(Partitioned),
}

impl Passage<'_> {
    /// Continues with a slice or a part of one from a stage on. A small slice is taken through all
    /// remaining stages at once. A large one is divided by the squares that these stages leave
    /// alone. If that does not divide it, or its states turn out not to fit the scratch memory, it
    /// is taken through one stage.
    fn go(&mut self, stage: usize, slice: Slice) -> Result<(), Halt> {
        let Round { stages, onward, .. } = self.round;
        let key = slice.key | onward.get(stage).copied().unwrap_or(0);
        let is_divided = key != slice.key;
        let MostAtOnce { divided, whole, .. } = self.workspace.most;
        let is_small = slice.bytes() <= if is_divided { divided } else { whole };
        let is_last = stage + 1 >= stages.len();
        let rest = stage..stages.len();
        if is_last && (is_small || !is_divided) {
            let mut done = |passage: &mut Self, part| {
                (passage.done)(part);
                Ok(())
            };
            self.take_in_parts(rest, slice, self.partitioning, &mut done)
        } else if is_small {
            match self.take(rest, slice, self.partitioning) {
                Err(Halt::TooLarge) => self.go_one_stage(stage, slice),
                taken => taken.map(|part| (self.done)(part)),
            }
        } else if is_divided {
            slice.each_part(key, |part| self.go(stage, part))
        } else {
            self.go_one_stage(stage, slice)
        }
    }

    /// Divides a slice by the squares that the next stage leaves alone, takes it through this stage
    /// only, partitions its output again, and continues with the parts. As soon as the states after
    /// the stage exceed a limit, it continues with those computed so far.
    fn go_one_stage(&mut self, stage: usize, slice: Slice) -> Result<(), Halt> {
        let key = slice.key | self.round.alone[stage];
        let next = Partitioning { key: self.round.onward[stage + 1], is_mirrored: false };
        let mut after: Vec<Partitioned> = Vec::new();
        let mut collect = |passage: &mut Self, part| {
            after.push(part);
            let bytes: usize = after.iter().map(|part| part.bytes.len()).sum();
            match bytes > passage.workspace.most.between {
                true => passage.go_on(stage + 1, std::mem::take(&mut after)),
                false => Ok(()),
            }
        };
        let this = stage..stage + 1;
        slice.each_part(key, |part| self.take_in_parts(this.clone(), part, next, &mut collect))?;
        self.go_on(stage + 1, after)
    }

    /// Continues from a stage on with the output of the stage before.
    fn go_on(&mut self, stage: usize, mut parts: Vec<Partitioned>) -> Result<(), Halt> {
        let key = self.round.onward[stage];
        for part in &mut parts {
            (self.done)(Partitioned {
                states_processed: part.states_processed,
                met: std::mem::take(&mut part.met),
                ..Partitioned::default()
            });
        }
        for (degrees, packed) in by_slice(&parts) {
            self.go(stage, Slice::new(Pattern(degrees), key, &packed))?;
        }
        Ok(())
    }

    /// Takes a slice through some stages at once; an error when cancelled, or if its states do not
    /// fit the scratch memory.
    fn take(
        &mut self,
        stages: Range<usize>,
        slice: Slice,
        partitioning: Partitioning,
    ) -> Result<Partitioned, Halt> {
        let stages = &self.round.stages[stages];
        let stop = self.stop;
        widening!(self.workspace, stop, |stepper| attempt(stages, slice, partitioning, stepper))
    }

    /// Takes a slice through some stages at once and passes the output to `seen`: that of its
    /// halves, if its states do not fit, down to single states, however large their output is.
    fn take_in_parts(
        &mut self,
        stages: Range<usize>,
        slice: Slice,
        partitioning: Partitioning,
        seen: &mut dyn FnMut(&mut Self, Partitioned) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        let mut taken = self.take(stages.clone(), slice, partitioning);
        if let Err(Halt::TooLarge) = taken {
            let all = &self.round.stages[stages.clone()];
            let take = |half: Slice| self.take_in_parts(stages.clone(), half, partitioning, seen);
            if slice.each_half(all, take)? {
                return Ok(());
            }
            let most = self.workspace.set_unpacked(usize::MAX);
            taken = self.take(stages, slice, partitioning);
            self.workspace.set_unpacked(most);
        }
        seen(self, taken?)
    }
}

/// Hands on all portions, in one if there is memory for it.
fn emit_all(portions: &mut Vec<Partitioned>, emit: &mut dyn FnMut(Partitioned)) {
    match merged(portions) {
        Some(all) => emit(all),
        None => portions.drain(..).for_each(emit),
    }
    portions.clear();
}

/// Returns the same states with the bytes of each slice in one piece, and without spare capacity;
/// `None` if there is no memory for them.
fn merged(portions: &[Partitioned]) -> Option<Partitioned> {
    let mut all = Partitioned {
        states: portions.iter().map(|portion| portion.states).sum(),
        ..Partitioned::default()
    };
    let bytes = portions.iter().map(|portion| portion.bytes.len()).sum();
    all.bytes.try_reserve_exact(bytes).ok()?;
    for (slice, pieces) in by_slice(portions) {
        all.parts.push(SliceStart { slice, start: all.bytes.len() as u64 });
        pieces.iter().for_each(|piece| all.bytes.extend_from_slice(piece));
    }
    Some(all)
}

/// The packed bytes of a state, or a few more.
const TYPICAL: usize = 4;

/// Takes a slice through some stages with counts of one width.
fn attempt<C: Count>(
    stages: &[Stage],
    slice: Slice,
    partitioning: Partitioning,
    stepper: &mut Stepper<C>,
) -> Result<Partitioned, Halt> {
    let mut output = Partitioned::default();
    stepper.planner.completed.clear();
    let mut parts: BTreeMap<Pattern, Vec<u8>> = BTreeMap::new();
    let (most, mut bytes) = (stepper.sums.most_bytes / 2, 0);
    let add = |pattern: Pattern, ranks: &[C::Rank], counts: &[C]| {
        output.states += ranks.len() as u64;
        let part = parts.entry(partitioning.slice_of(pattern)).or_default();
        let before = part.len();
        part.try_reserve(8 + TYPICAL * ranks.len()).map_err(|_| Halt::TooLarge)?;
        pack(pattern, ranks, counts, part);
        bytes += part.len() - before;
        if bytes > most { Err(Halt::TooLarge) } else { Ok(()) }
    };
    let layer = slice.unpack_those(|_| true, stepper)?;
    match stages.split_last() {
        None => layer.for_each(add, stepper.sums)?,
        Some((last, stages)) => {
            let layer = layer.through(stages, |_, _| true, stepper)?;
            layer.advance(last, |_| true, stepper, add)?;
            stepper.sums.keep(layer);
        }
    }
    output.states_processed = stepper.states_processed;
    output.met = std::mem::take(&mut stepper.planner.completed);
    output.bytes.try_reserve_exact(bytes).map_err(|_| Halt::TooLarge)?;
    list(parts, &mut output);
    Ok(output)
}

/// Appends the bytes of slices.
fn list(slices: BTreeMap<Pattern, Vec<u8>>, output: &mut Partitioned) {
    for (slice, bytes) in slices {
        output.parts.push(SliceStart { slice: slice.0, start: output.bytes.len() as u64 });
        output.bytes.extend(bytes);
    }
}

/// Partitions packed states by a rule.
pub(super) fn partitioned(by: Partitioning, packed: &[u8]) -> Partitioned {
    let mut slices: BTreeMap<Pattern, Vec<u8>> = BTreeMap::new();
    for (pattern, block) in packed_blocks(packed) {
        slices.entry(by.slice_of(pattern)).or_default().extend(block);
    }
    let mut output = Partitioned::default();
    list(slices, &mut output);
    output
}

#[cfg(test)]
mod tests {
    use super::super::block::pack;
    use super::*;

    #[test]
    fn packed_states_are_partitioned_anew_by_their_degrees_and_none_is_lost() {
        let patterns = [0b01_00_01, 0b01_01_00, 0b01_01_01_01, 0b10_01_01].map(Pattern);
        let mut packed = Vec::new();
        for (number, &pattern) in patterns.iter().enumerate() {
            pack::<u32>(pattern, &[0], &[number as u32 + 1], &mut packed);
        }
        let all = |of: &Partitioned| {
            let mut blocks: Vec<_> =
                packed_blocks(&of.bytes).map(|(_, block)| block.to_vec()).collect();
            blocks.sort_unstable();
            blocks
        };
        let whole = partitioned(Partitioning { key: 0, is_mirrored: false }, &packed);
        assert_eq!(whole.bytes, packed);
        for is_mirrored in [false, true] {
            let by = Partitioning { key: 0b11 | 0b11 << 62, is_mirrored };
            let fine = partitioned(by, &packed);
            let slices: Vec<_> = fine.slices().map(|(slice, _)| slice).collect();
            assert_eq!(slices, [0, 1]);
            assert_eq!(all(&fine), all(&whole));
            for (slice, bytes) in fine.slices() {
                assert!(packed_blocks(bytes).all(|(pattern, _)| by.slice_of(pattern).0 == slice));
            }
        }
    }

    #[test]
    fn with_more_scratch_memory_more_is_taken_at_once_in_steps_as_small_as_those_of_the_memory() {
        let most = |scratch: u64| {
            let MostAtOnce { divided, whole, output, dense, .. } =
                MostAtOnce::within(scratch << 20);
            [divided as u64, whole as u64, output as u64, dense]
        };
        for scratch in 1..600 {
            for (less, more) in most(scratch).into_iter().zip(most(scratch + 1)) {
                assert!(less <= more, "{scratch} MiB");
                // The first step doubles the memory, so no step may more than double what is taken;
                // less than 1 MiB may grow by 1 MiB.
                assert!(more - less <= less.max(1 << 20), "{scratch} MiB: {less}, {more}");
            }
        }
        assert_eq!(most(MOST_SCRATCH >> 20), most(1 << 20));
    }
}
