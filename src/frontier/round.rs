//! Slices on their way through a round.

use super::block::{Bench, Halt, Layer, Stop, Sums, Wanted, pack, packed_blocks};
use super::half::Round;
use super::matching::Maps;
use super::pattern::Pattern;
use super::stage::Stage;
use super::ways::Ways;
use crate::rounds::Dealt;
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a thread works with.
#[derive(Debug)]
pub struct Worker {
    pub(super) bench: Bench,
    /// Nearly all slices fit 32 bits, so these sums are kept from one to the next.
    pub(super) narrow: Sums<u32>,
}

impl Worker {
    pub(super) fn new(maps: Arc<Maps>) -> Self {
        Self {
            bench: Bench::new(maps),
            narrow: Sums::new(),
        }
    }
}

/// Tries narrow numbers first, then wider ones, until all fit; `None` when told to stop.
macro_rules! widening {
    ($bench:expr, $narrow:expr, |$b:ident, $sums:ident| $attempt:expr, $first:ty, $($wider:ty),+) => {{
        let attempted = {
            let ($b, $sums): (_, &mut Sums<$first>) = (&mut *$bench, $narrow);
            $attempt
        };
        $(let attempted = match attempted {
            Err(Halt::TooNarrow) => {
                let ($b, $sums): (_, &mut Sums<$wider>) = (&mut *$bench, &mut Sums::new());
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
pub(super) use widening;

/// Where a state belongs: the degrees in the slots of a key; of two slices that mirror each other, one has the states of both.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dealing {
    pub key: u64,
    pub is_mirrored: bool,
}

impl Dealing {
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
pub(super) struct Slice<'a> {
    pub degrees: Pattern,
    pub key: u64,
    /// Each block in both mirror images.
    pub both: bool,
    pub packed: &'a [&'a [u8]],
}

impl Slice<'_> {
    pub fn unpack<W: Ways>(&self, bench: &mut Bench) -> Result<Layer<W>, Halt> {
        Layer::unpack(self.packed.iter().copied(), bench, |pattern| {
            match pattern.0 & self.key == self.degrees.0 {
                _ if self.both => Wanted::Both,
                true => Wanted::Itself,
                false => Wanted::Image,
            }
        })
    }
}

/// A slice of more packed bytes is dealt within: unpacked, with what comes of it, it would not fit the cache next to a core.
pub(super) const MOST_AT_ONCE: usize = 1 << 20;

impl<'a> Slice<'a> {
    /// The packed blocks by the slices of a finer key; a block that is wanted in both images is in two. Blocks stay packed and where they are.
    fn dealt(&self, key: u64) -> BTreeMap<Pattern, Vec<&'a [u8]>> {
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
        parts
    }
}

/// Takes a slice through a round; `None` when `stop` said so.
pub(super) fn advance(
    round: &Round,
    slice: Slice,
    dealing: Dealing,
    worker: &mut Worker,
    stop: Stop,
) -> Option<Dealt> {
    if !is_large(round, slice) {
        return take(&round.stages, slice, dealing, worker, stop);
    }
    let mut all = Dealt::default();
    let mut bytes: BTreeMap<u64, Vec<u8>> = BTreeMap::new();
    each_within(round, slice, dealing, worker, stop, |dealt| {
        all.states += dealt.states;
        all.taken += dealt.taken;
        for (slice, piece) in dealt.slices() {
            bytes.entry(slice).or_default().extend_from_slice(piece);
        }
        all.met.extend(dealt.met);
    })?;
    for (slice, bytes) in bytes {
        all.parts.push((slice, all.bytes.len() as u64));
        all.bytes.extend(bytes);
    }
    Some(all)
}

/// What comes of a slice, in parts if it is large.
pub(super) fn within(
    round: &Round,
    slice: Slice,
    dealing: Dealing,
    worker: &mut Worker,
    stop: Stop,
) -> Option<Vec<Dealt>> {
    if !is_large(round, slice) {
        return Some(vec![take(&round.stages, slice, dealing, worker, stop)?]);
    }
    let mut parts = Vec::new();
    each_within(round, slice, dealing, worker, stop, |dealt| {
        parts.push(dealt)
    })?;
    Some(parts)
}

fn is_large(round: &Round, slice: Slice) -> bool {
    let bytes: usize = slice.packed.iter().map(|piece| piece.len()).sum();
    bytes > MOST_AT_ONCE && round.inner_key != slice.key
}

/// Takes a large slice through a round in parts: by all squares that the round leaves alone.
fn each_within(
    round: &Round,
    slice: Slice,
    dealing: Dealing,
    worker: &mut Worker,
    stop: Stop,
    mut sink: impl FnMut(Dealt),
) -> Option<()> {
    for (degrees, packed) in slice.dealt(round.inner_key) {
        let part = Slice {
            degrees,
            key: round.inner_key,
            both: slice.both && degrees == degrees.mirrored(),
            packed: &packed,
        };
        sink(take(&round.stages, part, dealing, worker, stop)?);
    }
    Some(())
}

/// The pieces of each slice.
pub(super) fn by_slice(dealt: &[Dealt]) -> BTreeMap<u64, Vec<&[u8]>> {
    let mut pieces: BTreeMap<u64, Vec<&[u8]>> = BTreeMap::new();
    for (slice, packed) in dealt.iter().flat_map(Dealt::slices) {
        pieces.entry(slice).or_default().push(packed);
    }
    pieces
}

/// Takes a slice through some stages at once.
pub(super) fn take(
    stages: &[Stage],
    slice: Slice,
    dealing: Dealing,
    worker: &mut Worker,
    stop: Stop,
) -> Option<Dealt> {
    let Worker { bench, narrow } = worker;
    widening!(
        bench,
        narrow,
        |bench, sums| attempt(stages, slice, dealing, bench, sums, stop),
        u32,
        u64,
        u128,
        BigUint
    )
}

fn attempt<W: Ways>(
    stages: &[Stage],
    slice: Slice,
    dealing: Dealing,
    bench: &mut Bench,
    sums: &mut Sums<W>,
    stop: Stop,
) -> Result<Dealt, Halt> {
    let mut dealt = Dealt::default();
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
            let layer = layer.through(stages, bench, sums, &mut dealt.taken, stop)?;
            layer.advance(last, bench, sums, stop, deal)?;
            dealt.taken += dealt.states;
        }
    }
    dealt.met = std::mem::take(&mut bench.met);
    dealt
        .bytes
        .reserve_exact(parts.values().map(Vec::len).sum());
    for (slice, bytes) in parts {
        dealt.parts.push((slice.0, dealt.bytes.len() as u64));
        dealt.bytes.extend(bytes);
    }
    Ok(dealt)
}
