//! Slices on their way through a round.

use super::block::{Bench, Halt, Layer, Stop, Sums, Wanted, pack, packed_blocks};
use super::half::{Half, Round};
use super::stage::Stage;
use crate::rounds::{Partitioned, by_slice};
use crate::states::matching::Maps;
use crate::states::pattern::Pattern;
use crate::states::ways::Ways;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The buffers that a thread keeps from one slice to the next.
#[derive(Debug)]
pub(crate) struct Workspace {
    pub bench: Bench,
    /// Nearly all slices fit 32 bits, so these sums are kept from one to the next.
    pub narrow: Sums<u32>,
    pub most: MostAtOnce,
}

impl Workspace {
    pub fn new(maps: Arc<Maps>) -> Self {
        Self { bench: Bench::new(maps), narrow: Sums::default(), most: MostAtOnce::default() }
    }
}

/// Tries narrow numbers first, then wider ones, until all fit; `None` when told to stop.
macro_rules! widening {
    ($workspace:expr, |$bench:ident, $sums:ident| $attempt:expr) => {
        widening!($workspace, |$bench, $sums| $attempt, u64, u128, num_bigint::BigUint)
    };
    ($workspace:expr, |$bench:ident, $sums:ident| $attempt:expr, $($wider:ty),+) => {{
        let Workspace { bench, narrow, .. } = &mut *$workspace;
        let attempted = {
            let ($bench, $sums) = (&mut *bench, narrow);
            $attempt
        };
        $(let attempted = match attempted {
            Err(Halt::TooNarrow) => {
                let ($bench, $sums) = (&mut *bench, &mut Sums::<$wider>::default());
                $attempt
            }
            attempted => attempted,
        };)+
        match attempted {
            Ok(done) => Some(done),
            Err(Halt::Stopped) => None,
            Err(Halt::TooNarrow) => unreachable!("a number of any size fits"),
        }
    }};
}
pub(crate) use widening;

/// Where a state belongs: the degrees in the slots of a key; of two slices that mirror each other, one has the states of both.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dealing {
    pub key: u64,
    pub is_mirrored: bool,
}

impl Dealing {
    /// By a key alone.
    pub fn by(key: u64) -> Self {
        let is_mirrored = false;
        Self { key, is_mirrored }
    }

    /// The slice of a pattern.
    pub fn slice_of(self, pattern: Pattern) -> Pattern {
        let own = Pattern(pattern.0 & self.key);
        match self.is_mirrored {
            true => own.min(own.mirrored()),
            false => own,
        }
    }
}

/// Slices as they are wanted: all blocks with the same degrees in the slots of the key.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slice<'a> {
    pub degrees: Pattern,
    pub key: u64,
    /// Each block in both mirror images.
    pub both: bool,
    pub packed: &'a [&'a [u8]],
}

impl<'a> Slice<'a> {
    /// Each block in one of its mirror images.
    pub fn new(degrees: Pattern, key: u64, packed: &'a [&'a [u8]]) -> Self {
        Self { degrees, key, both: false, packed }
    }

    pub fn unpack<W: Ways>(&self, bench: &mut Bench) -> Result<Layer<W>, Halt> {
        Layer::unpack(self.packed.iter().copied(), bench, |pattern| {
            let is_own = pattern.0 & self.key == self.degrees.0;
            Wanted { itself: self.both || is_own, image: self.both || !is_own }
        })
    }
}

/// How many packed bytes a slice may have that is taken through a round at once.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MostAtOnce {
    /// Where it can be divided: unpacked, with what comes of it, a larger one would not fit the cache next to a core.
    pub divided: usize,
    /// Where nothing is left alone by all stages that would divide it; a larger one is taken through them one by one. Unpacked it takes
    /// 20 to 30 times as many bytes: slices of 9x10 cut at 38 took 20 GB.
    pub whole: usize,
    /// Of what came of a slice, before it is dealt: so what waits on a thread is not much more, however much comes.
    pub dealt: usize,
}

impl Default for MostAtOnce {
    fn default() -> Self {
        Self { divided: 1 << 20, whole: 1 << 24, dealt: 1 << 25 }
    }
}

impl<'a> Slice<'a> {
    /// Shows the slices of a finer key that it consists of. Blocks stay packed and where they are; one that is wanted in both images is in two slices.
    fn each_part(&self, key: u64, mut show: impl FnMut(Slice) -> Option<()>) -> Option<()> {
        let mut parts: BTreeMap<Pattern, Vec<&'a [u8]>> = BTreeMap::new();
        for (pattern, block) in self.packed.iter().flat_map(|bytes| packed_blocks(bytes)) {
            let is_own = pattern.0 & self.key == self.degrees.0;
            let own = Pattern(pattern.0 & key);
            let image = Pattern(pattern.mirrored().0 & key);
            let of_block = match self.both {
                true => [Some(own), (image != own).then_some(image)],
                false => [Some(if is_own { own } else { image }), None],
            };
            for part in of_block.into_iter().flatten() {
                parts.entry(part).or_default().push(block);
            }
        }
        for (degrees, packed) in parts {
            show(Slice {
                degrees,
                key,
                both: self.both && degrees == degrees.mirrored(),
                packed: &packed,
            })?;
        }
        Some(())
    }
}

/// Takes a slice through a round of a half, to those of the next, merged with their mirror images if that is said: see
/// [`RoundWorker::advance`](crate::rounds::RoundWorker::advance).
pub(crate) fn advance(
    (half, number, is_mirrored): (&Half, usize, bool),
    slice: u64,
    packed: &[&[u8]],
    workspace: &mut Workspace,
    stop: Stop,
    deal: &mut dyn FnMut(Partitioned),
) -> Option<Partitioned> {
    let (round, key) = (&half.rounds[number], half.key_after(number));
    let dealing = Dealing { key, is_mirrored };
    let slice = Slice::new(Pattern(slice), round.key, packed);
    let most = workspace.most.dealt;
    let (mut parts, mut bytes) = (Vec::new(), 0);
    let (mut states_processed, mut met) = (0, Vec::new());
    through(round, slice, dealing, workspace, stop, &mut |mut part| {
        states_processed += part.states_processed;
        met.append(&mut part.met);
        bytes += part.bytes.len();
        parts.push(part);
        if bytes > most {
            deal(merged(&parts));
            parts.clear();
            bytes = 0;
        }
    })?;
    let rest = match parts.len() {
        1 => parts.remove(0),
        _ => merged(&parts),
    };
    Some(Partitioned { states_processed, met, ..rest })
}

/// What comes of a slice, in parts if it is large.
pub(crate) fn within(
    round: &Round,
    slice: Slice,
    dealing: Dealing,
    workspace: &mut Workspace,
    stop: Stop,
) -> Option<Vec<Partitioned>> {
    let mut parts = Vec::new();
    through(round, slice, dealing, workspace, stop, &mut |part| parts.push(part))?;
    Some(parts)
}

/// Gives what comes of a slice to `done`, in parts if it is large.
fn through(
    round: &Round,
    slice: Slice,
    dealing: Dealing,
    workspace: &mut Workspace,
    stop: Stop,
    done: &mut dyn FnMut(Partitioned),
) -> Option<()> {
    let mut passage = Passage { round, dealing, workspace, stop, done };
    passage.go(0, slice)
}

/// A large slice on its way through a round in parts.
struct Passage<'a> {
    round: &'a Round,
    dealing: Dealing,
    workspace: &'a mut Workspace,
    stop: Stop<'a>,
    done: &'a mut dyn FnMut(Partitioned),
}

impl Passage<'_> {
    /// From a stage on: at once if the slice is small; else in parts that agree on all squares which are left alone from there on; or, where
    /// that does not divide it, a stage by itself in parts that agree on all that this stage leaves alone.
    fn go(&mut self, stage: usize, slice: Slice) -> Option<()> {
        let Round { stages, onward, alone, .. } = self.round;
        let bytes: usize = slice.packed.iter().map(|piece| piece.len()).sum();
        let finer = |keys: &[u64]| slice.key | keys.get(stage).copied().unwrap_or(0);
        let is_divided = finer(onward) != slice.key;
        let MostAtOnce { divided, whole, .. } = self.workspace.most;
        let most = if is_divided { divided } else { whole };
        if bytes <= most || !is_divided && stage + 1 >= stages.len() {
            let stages = &stages[stage..];
            (self.done)(take(stages, slice, self.dealing, self.workspace, self.stop)?);
        } else if is_divided {
            slice.each_part(finer(onward), |part| self.go(stage, part))?;
        } else {
            let next = Dealing::by(onward[stage + 1]);
            let mut dealt = Vec::new();
            slice.each_part(finer(alone), |part| {
                let part = take(&stages[stage..=stage], part, next, self.workspace, self.stop)?;
                dealt.push(part);
                Some(())
            })?;
            for dealt in &mut dealt {
                (self.done)(Partitioned {
                    states_processed: dealt.states_processed,
                    met: std::mem::take(&mut dealt.met),
                    ..Partitioned::default()
                });
            }
            for (degrees, packed) in by_slice(&dealt) {
                let part = Slice::new(Pattern(degrees), next.key, &packed);
                self.go(stage + 1, part)?;
            }
        }
        Some(())
    }
}

/// The same states in one piece for each slice, in no more bytes than they have.
fn merged(dealt: &[Partitioned]) -> Partitioned {
    let mut all = Partitioned {
        states: dealt.iter().map(|dealt| dealt.states).sum(),
        ..Partitioned::default()
    };
    all.bytes.reserve_exact(dealt.iter().map(|dealt| dealt.bytes.len()).sum());
    for (slice, pieces) in by_slice(dealt) {
        all.parts.push((slice, all.bytes.len() as u64));
        pieces.iter().for_each(|piece| all.bytes.extend_from_slice(piece));
    }
    all
}

/// Takes a slice through some stages at once.
pub(crate) fn take(
    stages: &[Stage],
    slice: Slice,
    dealing: Dealing,
    workspace: &mut Workspace,
    stop: Stop,
) -> Option<Partitioned> {
    widening!(workspace, |bench, sums| attempt(stages, slice, dealing, bench, sums, stop))
}

fn attempt<W: Ways>(
    stages: &[Stage],
    slice: Slice,
    dealing: Dealing,
    bench: &mut Bench,
    sums: &mut Sums<W>,
    stop: Stop,
) -> Result<Partitioned, Halt> {
    let mut dealt = Partitioned::default();
    bench.met.clear();
    let mut parts: BTreeMap<Pattern, Vec<u8>> = BTreeMap::new();
    let deal = |pattern: Pattern, ranks: &[W::Rank], ways: &[W]| {
        dealt.states += ranks.len() as u64;
        let part = parts.entry(dealing.slice_of(pattern)).or_default();
        pack(pattern, ranks, ways, part);
    };
    let layer = slice.unpack(bench)?;
    match stages.split_last() {
        None => layer.for_each(deal, sums)?,
        Some((last, stages)) => {
            let layer = layer.through(stages, bench, sums, &mut dealt.states_processed, stop)?;
            layer.advance(last, bench, sums, stop, deal)?;
            dealt.states_processed += dealt.states;
        }
    }
    dealt.met = std::mem::take(&mut bench.met);
    dealt.bytes.reserve_exact(parts.values().map(Vec::len).sum());
    for (slice, bytes) in parts {
        dealt.parts.push((slice.0, dealt.bytes.len() as u64));
        dealt.bytes.extend(bytes);
    }
    Ok(dealt)
}
