//! The last round: a slice of each half taken to the cut, and joined.
//!
//! Within a unit there is one more round: when half of the stages are done, both slices are dealt again, by all squares that the
//! other half of the stages leaves alone. So what is worked on at once fits the cache, and neither half of a
//! unit ever exists as a whole at the cut, where it is widest. The last stage of the top is not even kept: each of its
//! blocks is joined as soon as it is made.

use super::block::{Bench, Halt, Stop, Sums};
use super::halves::Halves;
use super::join::{Contractions, Joiner, Product};
use super::pattern::Pattern;
use super::round::{Dealing, Slice, Worker, by_slice, widening, within};
use super::ways::Ways;
use num_bigint::BigUint;
use std::collections::HashMap;

/// What came of a unit.
#[derive(Debug, Clone, Default)]
pub(super) struct Joined {
    /// Hamiltonian cycles.
    pub cycles: BigUint,
    /// States taken on.
    pub taken: u64,
}

/// Joins a slice of the top with the slice of the bottom that has the degrees it misses; `None` when `stop` said so.
pub(super) fn count(
    halves: &Halves,
    unit: Pattern,
    [top, bottom]: [&[&[u8]]; 2],
    worker: &mut Worker,
    contractions: &Contractions,
    stop: Stop,
) -> Option<Joined> {
    let dealing = Dealing {
        key: halves.inner_key,
        is_mirrored: false,
    };
    let above = Slice {
        degrees: unit,
        key: halves.key,
        both: false,
        packed: top,
    };
    let below = Slice {
        degrees: unit.missing_in(halves.key),
        both: halves.is_own_image(unit),
        packed: bottom,
        ..above
    };
    let above = within(halves.top.before_last(), above, dealing, worker, stop)?;
    let below = within(halves.bottom.before_last(), below, dealing, worker, stop)?;
    let taken = above.iter().chain(&below).map(|dealt| dealt.taken).sum();
    let mut joined = Joined {
        taken,
        ..Joined::default()
    };
    let (above, mut below) = (by_slice(&above), by_slice(&below));
    let mut sum = Product::default();
    for (slice, packed) in above {
        let slice = Pattern(slice);
        let meets = slice.missing_in(halves.inner_key);
        let Some(others) = below.remove(&meets.0) else {
            continue;
        };
        let top = Slice {
            degrees: slice,
            key: halves.inner_key,
            both: false,
            packed: &packed,
        };
        let bottom = Slice {
            degrees: meets,
            packed: &others,
            ..top
        };
        let Worker { bench, narrow, .. } = worker;
        let (product, taken) = widening!(
            bench,
            narrow,
            |bench, sums| {
                let mut product = Product::default();
                attempt(
                    halves,
                    [top, bottom],
                    bench,
                    sums,
                    contractions,
                    stop,
                    |_, of_block| product.take(of_block),
                )
                .map(|taken| (product, taken))
            },
            u32,
            u64,
            u128,
            BigUint
        )?;
        sum.take(product);
        joined.taken += taken;
    }
    joined.cycles = sum.total();
    if halves.graph.mirror.is_some() {
        // What is merged with its mirror image has the ways of both, on either side: see `Halves`.
        joined.cycles /= 2_u32;
    }
    Some(joined)
}

/// Gives the sum over all pairs of states that make a cycle to `meet`, block by block of the top in ascending order;
/// the states taken on.
pub(super) fn attempt<W: Ways>(
    halves: &Halves,
    [top, bottom]: [Slice; 2],
    bench: &mut Bench,
    sums: &mut Sums<W>,
    contractions: &Contractions,
    stop: Stop,
    mut meet: impl FnMut(Pattern, Product),
) -> Result<u64, Halt> {
    let mut taken = 0;
    let below = bottom.unpack::<W>(bench)?;
    let below = below.through(&halves.bottom.last().stages, bench, sums, &mut taken, stop)?;
    let blocks: HashMap<Pattern, (&[W::Rank], &[W])> = below
        .blocks()
        .map(|(pattern, ranks, ways)| (pattern, (ranks, ways)))
        .collect();
    let Some((last, stages)) = halves.top.last().stages.split_last() else {
        unreachable!("the last round of the top has a stage");
    };
    let above = top
        .unpack::<W>(bench)?
        .through(stages, bench, sums, &mut taken, stop)?;
    let mut joiner = Joiner::<W::Factor>::new(bench.maps(), contractions);
    let (mut of_top, mut of_bottom) = (Vec::new(), Vec::new());
    above.advance(last, bench, sums, stop, |pattern, ranks, ways| {
        taken += ranks.len() as u64;
        let Some((others, their_ways)) = blocks.get(&pattern.missing_in(halves.border)) else {
            return;
        };
        of_top.clear();
        of_top.extend(
            ranks
                .iter()
                .map(|&rank| rank.into())
                .zip(ways.iter().cloned().map(W::Factor::from)),
        );
        of_bottom.clear();
        of_bottom.extend(
            others
                .iter()
                .map(|&rank| rank.into())
                .zip(their_ways.iter().cloned().map(W::Factor::from)),
        );
        let mut product = Product::default();
        joiner.join(&of_top, &of_bottom, pattern.ends(), &mut product);
        meet(pattern, product);
    })?;
    Ok(taken)
}
