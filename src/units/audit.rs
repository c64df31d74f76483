//! Recounts a random sample of a finished run's units with a simpler engine than the one that ran.

use super::Units;
use crate::tally::Tally;
use crate::work::{Recount, Work};
use fastrand::Rng;
use rayon::ThreadPool;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// The result of an audit.
#[derive(Debug)]
pub struct Audit {
    /// The number of units that were recounted.
    pub checked: usize,
    /// The number of units in the file.
    pub of: usize,
    /// The directed tours in the units recounted, as the file has them.
    pub tours_checked: Tally,
    /// The share of the estimated work of the file that the sample stands for.
    pub share: f64,
    /// The number of units recounted by each engine, with the engine in words.
    pub recounted_by: BTreeMap<&'static str, usize>,
    /// The units whose count in the file differs from the recount.
    pub differences: Vec<Difference>,
}

/// A unit whose count does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Its number in the whole run.
    pub unit: usize,
    /// Its prefix.
    pub label: String,
    /// Its count in the file.
    pub claimed: Tally,
    /// Its count by the simpler engine.
    pub counted: Tally,
}

/// Recounts `sample` units picked by `seed`, or all of them when there are no more, on a pool of
/// threads; `None` when told to stop.
pub fn audit(
    work: &dyn Work,
    units: &Units,
    sample: usize,
    seed: u64,
    threads: &ThreadPool,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Audit> {
    let places = Rng::with_seed(seed).choose_multiple(0..units.counts.len(), sample);
    let recount = |&place: &usize| {
        let unit = units.shard.unit(place);
        let counted = work.recount(unit, &|| stop())?;
        Some((place, counted))
    };
    let recounted: Option<Vec<(usize, Recount)>> =
        threads.install(|| places.par_iter().map(recount).collect());
    let (mut recounted_by, mut differences) = (BTreeMap::new(), Vec::new());
    for (place, recount) in recounted? {
        let Recount { count: counted, by } = recount;
        *recounted_by.entry(by).or_default() += 1;
        let (label, claimed) = &units.counts[place];
        if *claimed != counted {
            let (unit, label, claimed) = (units.shard.unit(place), label.clone(), claimed.clone());
            differences.push(Difference { unit, label, claimed, counted });
        }
    }
    let tours_checked = places.iter().map(|&place| &units.counts[place].1).sum();
    Some(Audit {
        checked: places.len(),
        of: units.counts.len(),
        tours_checked,
        share: share(work, units, &places),
        recounted_by,
        differences,
    })
}

fn share(work: &dyn Work, units: &Units, places: &[usize]) -> f64 {
    let mut worker = work.worker();
    let mut cost = |place: usize| work.cost(worker.as_mut(), units.shard.unit(place));
    let costs: Vec<f64> = (0..units.counts.len()).map(&mut cost).collect();
    let checked: f64 = places.iter().map(|&place| costs[place]).sum();
    checked / costs.iter().sum::<f64>().max(f64::MIN_POSITIVE)
}
