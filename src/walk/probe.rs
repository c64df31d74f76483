//! Guesses how much work lies below a prefix, by Knuth's random probing of the search tree
//! (Estimating the efficiency of backtrack programs, 1975).
//!
//! A probe goes down choosing at random and multiplies the numbers of choices it had; the sum of
//! the products is an unbiased guess of the number of nodes. Progress is weighted with these.

use super::field::Field;
use super::search::Search;
use fastrand::Rng;

/// Probes for each prefix: one prefix's guess stays rough, the sum over hundreds does not.
const PROBES: u32 = 8;

/// The expected number of nodes below a prefix; the same for the same seed.
pub(super) fn cost<F: Field>(search: &mut Search<F>, prefix: &[u16], seed: u64) -> f64 {
    let mut random = Rng::with_seed(seed);
    let total: f64 = (0..PROBES)
        .map(|_| probe(search, prefix, &mut random))
        .sum();
    total / f64::from(PROBES)
}

fn probe<F: Field>(search: &mut Search<F>, prefix: &[u16], random: &mut Rng) -> f64 {
    let (mut nodes, mut siblings, mut level) = (1.0, 1.0, 0);
    search.walk_down(|choices| {
        level += 1;
        if let Some(&next) = prefix.get(level - 1) {
            return Some(next).filter(|next| choices.contains(next));
        }
        siblings *= choices.len() as f64;
        nodes += siblings;
        random.choice(choices)
    });
    nodes
}
