//! Slices on their way through a round.

use super::block::{Bench, Halt, Layer, Stop, Sums, Wanted, pack};
use super::half::Round;
use super::matching::Maps;
use super::pattern::Pattern;
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

/// Takes a slice through a round; `None` when `stop` said so.
pub(super) fn advance(
    round: &Round,
    slice: Slice,
    dealing: Dealing,
    worker: &mut Worker,
    stop: Stop,
) -> Option<Dealt> {
    let Worker { bench, narrow } = worker;
    widening!(
        bench,
        narrow,
        |bench, sums| attempt(round, slice, dealing, bench, sums, stop),
        u32,
        u64,
        u128,
        BigUint
    )
}

fn attempt<W: Ways>(
    round: &Round,
    slice: Slice,
    dealing: Dealing,
    bench: &mut Bench,
    sums: &mut Sums<W>,
    stop: Stop,
) -> Result<Dealt, Halt> {
    let mut dealt = Dealt::default();
    bench.met.clear();
    let mut parts: BTreeMap<Pattern, Vec<u8>> = BTreeMap::new();
    let deal = |pattern: Pattern, ranks: &[u32], ways: &[W]| {
        dealt.states += ranks.len() as u64;
        pack(
            pattern,
            ranks,
            ways,
            parts.entry(dealing.slice_of(pattern)).or_default(),
        );
    };
    let layer = slice.unpack(bench)?;
    match round.stages.split_last() {
        None => layer.for_each(deal, sums)?,
        Some((last, stages)) => {
            let layer = layer.through(stages, bench, sums, &mut dealt.taken, stop)?;
            layer.advance(last, bench, sums, stop, deal)?;
            dealt.taken += dealt.states;
        }
    }
    dealt
        .bytes
        .reserve_exact(parts.values().map(Vec::len).sum());
    dealt.met = std::mem::take(&mut bench.met);
    for (slice, bytes) in parts {
        dealt.parts.push((slice.0, dealt.bytes.len() as u64));
        dealt.bytes.extend(bytes);
    }
    Ok(dealt)
}
