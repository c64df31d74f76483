//! What a run does between two rounds: it tells how far it is, saves, stops.

use super::plan::{Plan, Step};
use super::position::{Position, Saved};
use super::{FrontierError, Halt, Means, Run};
use crate::frontier;
use crate::run::checkpoint::{self, Header, UnitState};
use crate::run::history::{Sample, Session};
use crate::run::keeper::describe;
use crate::run::{Event, Resumed, RunError, Shard, Snapshot};
use crate::tally::Tally;
use crate::work::Identity;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

/// How often the observer hears of the run.
const TELL_EVERY: Duration = Duration::from_millis(100);

/// Before this there is no guess of the time left.
const SETTLE: Duration = Duration::from_secs(2);

impl Run<'_> {
    /// Takes a plan up where a checkpoint has left it, or at its beginning.
    pub(super) fn resume(&mut self, plan: Plan) -> Result<Position, FrontierError> {
        let at = self.restore(plan)?;
        let now = Sample::new(self.spent_before, self.share(&at), Tally::ZERO);
        self.history
            .begin(Session::beginning(self.threads(), at.step, now));
        Ok(at)
    }

    fn restore(&mut self, plan: Plan) -> Result<Position, FrontierError> {
        self.plan = plan;
        let Some(store) = &self.settings.checkpoint else {
            return Ok(self.start());
        };
        let path = store.path();
        let Some(header) = checkpoint::peek(path)? else {
            return Ok(self.start());
        };
        let (theirs, ours) = (&header.identity, self.identity());
        if (theirs.question, &theirs.engine) != (ours.question, &ours.engine) {
            let conflict = RunError::Conflict {
                path: path.to_owned(),
                theirs: match theirs.engine.starts_with(frontier::ENGINE) {
                    true => in_words(theirs),
                    false => describe(theirs, header.shard),
                },
                ours: in_words(&ours),
            };
            return Err(conflict.into());
        }
        let nonsense = |what: &str| checkpoint::inconsistent(path, what.to_owned());
        let saved = match checkpoint::load::<Saved>(store)?.pop() {
            Some(UnitState::Begun { mut pieces, .. }) => pieces.pop(),
            _ => None,
        };
        let saved = saved.ok_or_else(|| nonsense("it has no position"))?;
        if self.plan.has_halves && !saved.has_halves {
            self.plan = Plan::of_sweep(&self.question, frontier::sweep(&self.question, true));
        }
        let restored = match &mut self.scratch {
            Some(scratch) => Position::restored(&saved, scratch)?,
            None => None,
        };
        let at = restored.ok_or_else(|| nonsense("its position is none"))?;
        if theirs.units != self.plan.steps.len() as u64 || at.step > self.plan.steps.len() {
            return Err(nonsense("it has other steps than the run").into());
        }
        self.is_kept = true;
        self.spent_before = header.spent;
        self.history = header.history;
        self.steps_resumed = at.step;
        self.states_before = at.effort.states();
        self.observer.notice(&Event::Resumed(Resumed {
            path: path.to_owned(),
            units: at.step,
            begun: usize::from(at.partitions_done > 0),
            of: self.plan.steps.len(),
            found: Tally::ZERO,
            states: Some(at.source.states() + at.target.states() + at.aside.states()),
            spent: header.spent,
        }));
        Ok(at)
    }

    /// Tells the observer, saves when it is time to, and stops when told to. `empty` moves what the step
    /// keeps in tables into the position.
    pub(super) fn look_up(
        &mut self,
        at: &mut Position,
        empty: impl Fn(&mut Position, &Means),
    ) -> Result<(), Halt> {
        let control = &self.settings.control;
        if control.was_asked() {
            let snapshot = self.snapshot(at);
            self.observer.notice(&Event::Asked(snapshot));
        }
        if self.told.elapsed() >= TELL_EVERY {
            self.told = Instant::now();
            let snapshot = self.snapshot(at);
            self.observer.notice(&Event::Progress(snapshot));
        }
        let is_over = self
            .settings
            .max_time
            .is_some_and(|most| self.began.elapsed() >= most);
        if is_over || control.is_stopped() {
            empty(at, &self.means);
            self.save(at)?;
            let saved = self.settings.checkpoint.as_ref();
            return Err(Halt::Stopped {
                at: Box::new(self.snapshot(at)),
                saved: saved.map(|store| store.path().to_owned()),
            });
        }
        // Saving takes a while too, and what it takes is no work that a crash may cost.
        if self.scratch.is_some() && self.saved.elapsed() >= self.settings.interval {
            empty(at, &self.means);
            self.save_or_warn(at);
        }
        Ok(())
    }

    /// Saves; what goes wrong is told, and tried again after another interval.
    pub(super) fn save_or_warn(&mut self, at: &mut Position) {
        let event = match self.save(at) {
            Ok(Some(path)) => Event::Saved(path),
            Ok(None) => return,
            Err(halt) => Event::SaveFailed(self.error(halt).to_string()),
        };
        self.saved = Instant::now();
        self.observer.notice(&event);
    }

    /// Moves all states to disk, and writes where they are.
    fn save(&mut self, at: &mut Position) -> Result<Option<PathBuf>, Halt> {
        let Some((store, scratch)) = self.settings.checkpoint.as_ref().zip(self.scratch.as_mut())
        else {
            return Ok(None);
        };
        self.means.pool.install(|| scratch.write(at.in_memory()))?;
        let files = at.files();
        let named = files.keys().copied().collect();
        scratch.sync(files.into_values())?;
        at.effort.peak_bytes = at.effort.peak_bytes.max(self.means.budget.peak());
        let saved = at.saved(self.plan.has_halves);
        let state = UnitState::Begun {
            found: Tally::ZERO,
            pieces: vec![saved],
        };
        let spent = self.spent_before.saturating_add(self.began.elapsed());
        let now = Sample::new(spent, self.share(at), Tally::ZERO);
        self.history.note(now);
        let header = self.header(at);
        checkpoint::save(store, &header, &[state]).map_err(Halt::Checkpoint)?;
        if let Some(scratch) = &mut self.scratch {
            scratch.keep(named);
        }
        self.is_kept = true;
        self.saved = Instant::now();
        Ok(Some(store.path().to_owned()))
    }

    fn header(&self, at: &Position) -> Header {
        Header {
            identity: self.identity(),
            shard: Shard::WHOLE,
            done: at.step as u64,
            begun: u64::from(at.partitions_done > 0),
            share: self.share(at),
            found: Tally::ZERO,
            spent: self.spent_before + self.began.elapsed(),
            saved: SystemTime::now(),
            history: self.history.clone(),
        }
    }

    /// The share of the work that is done: what the steps so far took on, and the step at hand will, beside
    /// what those to come are expected to.
    fn share(&self, at: &Position) -> Option<f64> {
        let to_come: f64 = self.plan.expected.get(at.step + 1..)?.iter().sum();
        let done = at.effort.states() as f64;
        let of_step = match self.plan.steps.get(at.step) {
            Some(Step::Join { .. }) => at.source.states() + at.aside.states(),
            _ => at.source.states(),
        };
        Some(done / (done + of_step as f64 + to_come).max(1.0))
    }

    fn snapshot(&self, at: &Position) -> Snapshot {
        let elapsed = self.began.elapsed();
        let expanded = at.effort.states() - self.states_before;
        let share = self.share(at);
        let left = share.and_then(|share| {
            let here = expanded as f64 / at.effort.states().max(1) as f64 * share;
            let is_settled = elapsed >= SETTLE && here > 0.0;
            let seconds = elapsed.as_secs_f64() * (1.0 - share) / here;
            is_settled
                .then(|| Duration::try_from_secs_f64(seconds).ok())
                .flatten()
        });
        Snapshot {
            done: at.step,
            units: self.plan.steps.len(),
            share,
            found: Tally::ZERO,
            states: Some(at.source.states()),
            nodes: expanded,
            elapsed,
            rate: expanded as f64 / elapsed.as_secs_f64().max(1e-9),
            left,
        }
    }
}

/// A count without units in the words of the command line.
fn in_words(identity: &Identity) -> String {
    format!("{} (--engine {})", identity.question, identity.engine)
}
