//! The order of units in which neighbours need about the same states, and blocks of it.
//!
//! An engine that computes states before its units divides them into a tree of groups
//! ([`Rounds::divided`]): the states of two units differ from that level on where they are in
//! different groups. The order goes through this tree depth-first, with the parts of every second
//! group in reverse, so that units beside a boundary between two groups resemble each other too.
//!
//! A shard by group is a block of this order. Blocks of equal weight would cut small groups in two,
//! whose states are then computed twice. So each end of a block moves by up to a third of a block
//! to the boundary between the largest groups. With these boundaries, and with weights, the closed
//! tours of 8x8 in 8, 27 and 54 shards take 1.19, 1.65 and 2.26 times the states of one process,
//! and the largest shards have 27, 17 and 13 % of them. Blocks of equally many units of this order
//! take 1.23, 1.68 and 2.24 times the states, and the largest shards have 28, 19 and 17 %.

use crate::rounds::Rounds;
use crate::work::Work;

/// The units of a work in the order of the tree of groups.
#[derive(Debug)]
pub(super) struct GroupOrder {
    units: Vec<usize>,
    /// For each boundary, from the one before the first unit to the one behind the last: the level
    /// of the largest groups that it separates; 0 at both ends.
    levels: Vec<usize>,
    /// For each boundary, the weight of all units before it.
    weights: Vec<u64>,
}

impl GroupOrder {
    /// The order of the units of a work. Units that share no states keep the order of their
    /// numbers.
    pub fn new(work: &dyn Work) -> Self {
        let all = (0..work.units()).collect();
        let (units, between) = match work.sweeps() {
            Some(sweeps) => in_order(sweeps, all, 1),
            None => (all, vec![1; work.units().saturating_sub(1)]),
        };
        let levels = [&[0], &between[..], &[0]].concat();
        let (mut weights, mut sum) = (vec![0], 0);
        for &unit in &units {
            sum += work.sweeps().map_or(1, |sweeps| sweeps.weight(unit));
            weights.push(sum);
        }
        Self { units, levels, weights }
    }

    /// The units of block `index` of `of`.
    pub fn block(&self, index: u64, of: u64) -> &[usize] {
        &self.units[self.boundary(index, of)..self.boundary(index + 1, of)]
    }

    /// The boundary before block `index` of `of`: of those within a third of the weight of a block,
    /// the one between the largest groups, and otherwise the nearest.
    fn boundary(&self, index: u64, of: u64) -> usize {
        let all = self.weights[self.units.len()];
        let distance = |place: usize| (self.weights[place] * of).abs_diff(index * all);
        let places = || 0..=self.units.len();
        let near = places().filter(|&place| 3 * distance(place) <= all);
        let best = near.min_by_key(|&place| (self.levels[place], distance(place)));
        best.or_else(|| places().min_by_key(|&place| distance(place))).unwrap_or(0)
    }
}

/// Returns the units of a group in the order of its part of the tree, from a level on, and the
/// level of each boundary between two of them.
fn in_order(sweeps: &dyn Rounds, units: Vec<usize>, level: usize) -> (Vec<usize>, Vec<usize>) {
    let (mut order, mut levels) = (Vec::with_capacity(units.len()), Vec::new());
    if level > sweeps.levels() {
        levels.resize(units.len().saturating_sub(1), level);
        return (units, levels);
    }
    for (number, group) in sweeps.divided(&units, level).into_iter().enumerate() {
        let (mut group, mut within) = in_order(sweeps, group, level + 1);
        if number % 2 == 1 {
            group.reverse();
            within.reverse();
        }
        if number > 0 {
            levels.push(level);
        }
        order.append(&mut group);
        levels.append(&mut within);
    }
    (order, levels)
}
