//! Random probes of a search tree, by Knuth's estimator (Estimating the efficiency of backtrack
//! programs, 1975).
//!
//! A probe goes down from a prefix, chooses at random, and multiplies the numbers of choices on its
//! path. A count on a level, times the product so far, is an unbiased estimate of the count on the
//! whole level. So the sums over all levels are unbiased for nodes and for tours.
//!
//! On the last levels nearly every choice leads to a dead end, so single paths have a large
//! variance. There the whole subtree is searched instead: with the same 400,000 probes of the walk
//! on 6x7 the error falls from 14 % to 4 %. A probe takes some microseconds.

use super::{Search, Tree, Way};
use crate::work::{Probe, times};
use fastrand::Rng;

/// The number of levels from which on a probe searches the whole subtree. In the walk a probe takes
/// 1 microsecond at 16 and most find nothing; at 24 it takes 6 and the error is half.
pub(crate) const SEARCHED_WHOLE: usize = 24;

/// The number of nodes up to which a subtree is searched whole. On a dense graph even a few levels
/// have more: then the probe takes a random choice, and tries again some levels further down.
pub(super) const MOST_SEARCHED_WHOLE: u64 = 1 << 14;

impl<T: Tree> Search<T> {
    /// One probe below a prefix. Equal seeds give equal probes.
    pub(super) fn probe(&mut self, prefix: &[u16], seed: u64) -> Probe {
        let mut random = Rng::with_seed(seed);
        let (mut nodes, mut siblings, mut level) = (0.0, 1.0, 0);
        let levels = self.tree.levels();
        let (mut is_too_large, mut most_levels) = (false, usize::MAX);
        let end = self.walk_down(|tree, at, choices| {
            // The node is the same as before where the subtree below it was too large.
            level += usize::from(!is_too_large);
            if let Some(&next) = prefix.get(level - 1) {
                return Way::To(next);
            }
            let left = levels - (level - 1);
            if !is_too_large && left <= most_levels && tree.is_small(at, left) {
                is_too_large = true;
                most_levels = left - left / 4 - 1;
                return Way::All;
            }
            is_too_large = false;
            nodes += siblings;
            siblings = times(siblings, choices.len() as f64);
            random.choice(choices).map_or(Way::Back, |&to| Way::To(to))
        });
        Probe {
            nodes: nodes + times(siblings, end.nodes as f64),
            tours: times(siblings, end.tours as f64),
        }
    }
}
