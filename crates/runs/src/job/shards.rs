//! Shards of a count that say what they cost, for whoever divides a count among processes.
//!
//! Each shard computes the states that its own units need, so the cost of one is not a share of the
//! whole. Random samples of its slices, which forecast a whole count, are off by a factor of three
//! for a shard, because few of its slices are large. So shards are simply counted, as many as a few
//! seconds allow, on one thread. A shard that takes longer is sampled for some seconds more, and the
//! time per state is that of the count that was broken off.
//!
//! Invariant: the forecast is of shards that have units. Cost: up to nine seconds.

use super::cost::FAIR;
use super::{Job, JobError, Limits, Plan, ShardWish};
use crate::engine::Engine;
use crate::machine::processor_time;
use crate::run::{Control, RunError, Silent};
use crate::units::{Assignment, Shard};
use crate::work::Identity;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The time in which shards are counted.
const TRIAL: Duration = Duration::from_secs(6);

/// The shards that are counted, in eighths of all: apart from each other, and the first in the end.
const ORDER: [u64; 8] = [4, 1, 6, 2, 7, 3, 5, 0];

impl Job {
    /// Divides the count into as many shards as those that `first` is one of: the run, the rule
    /// that assigns units, and the mean seconds of one thread that shards with units are expected
    /// to take.
    ///
    /// # Errors
    /// As [`Job::plan`].
    pub fn shards(
        &self,
        first: Shard,
        by: Option<Assignment>,
        control: &Arc<Control>,
    ) -> Result<(Identity, Assignment, Option<f64>), JobError> {
        let began = Instant::now();
        let of_shard = |index| {
            let shard = Some(ShardWish { shard: first.with_index(index), by, folder: None });
            let max_time = Some(TRIAL.saturating_sub(began.elapsed()));
            let limits = Limits { threads: Some(1), max_time, ..self.limits.clone() };
            Job { shard, limits, ..self.clone() }.plan(&mut Silent)
        };
        let (mut plan, mut trials) = (of_shard(0)?, Vec::new());
        let mut places: Vec<u32> = Vec::new();
        for index in ORDER.map(|eighth| (u64::from(first.of()) * eighth / 8) as u32) {
            let is_enough = !trials.is_empty() && began.elapsed() > TRIAL / 2;
            if is_enough || places.contains(&index) {
                continue;
            }
            places.push(index);
            let next = of_shard(index)?;
            if next.shard.len_of_run(&next.identity()) == Some(0) {
                continue;
            }
            plan = next;
            match plan.tried(control) {
                Ok(seconds) => trials.push(seconds),
                Err(a_state) if trials.is_empty() => {
                    trials.extend(plan.seconds(a_state, control));
                    break;
                }
                Err(_) => break,
            }
        }
        let mean = trials.iter().sum::<f64>() / trials.len() as f64;
        let seconds = (!trials.is_empty()).then_some(mean);
        Ok((plan.identity(), plan.shard.assignment(), seconds))
    }
}

impl Plan {
    /// The seconds of processor time that the count takes, or those for a state, if it got to some,
    /// where it does not end in its time.
    fn tried(&self, control: &Arc<Control>) -> Result<f64, Option<f64>> {
        let start = processor_time();
        let counted = self.count(&Arc::new(Control::of_part(control)), &mut Silent);
        let took = processor_time().saturating_sub(start).as_secs_f64();
        match counted {
            Ok(_) => Ok(took),
            Err(JobError::Run(RunError::Stopped { at, .. })) if at.nodes > 0 => {
                Err(Some(took / at.nodes as f64))
            }
            Err(_) => Err(None),
        }
    }

    /// The seconds of one thread that the count is expected to take, given those for a state if
    /// they are known; `None` if a forecast of some seconds does not show them. The count has one
    /// thread, so none waits for another.
    fn seconds(&self, a_state: Option<f64>, control: &Control) -> Option<f64> {
        let whole = match &self.engine {
            Engine::Frontier(frontier) => {
                let expected = self.sampled(frontier, FAIR, control)?;
                let by_states = a_state.map(|seconds| seconds * expected.forecast.states());
                let seconds = by_states.unwrap_or(expected.seconds());
                return expected.forecast.is_known().then_some(seconds);
            }
            Engine::Subsets(subsets) => subsets.seconds(),
            Engine::Walk(walk) => self.probed(walk, FAIR, control)?[1],
        };
        Some(whole * self.share_of_units())
    }
}
