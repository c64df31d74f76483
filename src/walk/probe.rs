//! Random probes of the search tree, after Knuth (Estimating the efficiency of backtrack programs,
//! 1975).
//!
//! A probe goes down from a prefix choosing at random and multiplies the numbers of choices it had.
//! What it meets on a level, times the product so far, is an unbiased guess of what the whole level
//! holds; so are the sums over the levels, for nodes and for tours. The last levels, where nearly
//! every way is a dead end, are walked whole instead, which takes most of the variance away: with the
//! same 400,000 probes the error bar on 6x7 falls from 14 % to 4 %. A probe costs some microseconds.

use super::field::{Counters, Field};
use super::search::{Search, Way};
use crate::work::{Probe, times};
use fastrand::Rng;

/// With this many free squares or fewer a probe stops guessing: at 16 a probe costs 1 microsecond
/// and most meet nothing, at 24 it costs 6 and the error is half.
const WALKED_WHOLE: usize = 24;

/// One probe below a prefix; the same for the same seed.
pub(super) fn probe<F: Field>(search: &mut Search<F>, prefix: &[u16], seed: u64) -> Probe {
    let mut random = Rng::with_seed(seed);
    let (mut nodes, mut siblings, mut level) = (0.0, 1.0, 0);
    let end = search.walk_down(|choices, free| {
        level += 1;
        if let Some(&next) = prefix.get(level - 1) {
            return if choices.contains(&next) { Way::To(next) } else { Way::Back };
        }
        if free <= WALKED_WHOLE {
            return Way::All;
        }
        nodes += siblings;
        siblings = times(siblings, choices.len() as f64);
        random.choice(choices).map_or(Way::Back, Way::To)
    });
    let Counters { tours, nodes: walked } = end;
    Probe { nodes: nodes + times(siblings, walked as f64), tours: times(siblings, tours as f64) }
}
