//! Results of earlier counts: units that are read back, checked, and recounted; and the number of
//! tours of a list before it is written.

use super::cost::is_surely_short;
use super::{Job, JobError, Limits};
use crate::audit::{Audit, AuditError, AuditSample, Recounted, Resources, audit};
use crate::engine::Engine;
use crate::estimate;
use crate::question::Question;
use crate::run::checkpoint::{self, Header, UnitState};
use crate::run::{self, Control, Observer, RecountProgress, Silent};
use crate::tally::Tally;
use crate::units::{Units, UnitsFile};
use crate::walk::MemoSize;
use crate::work::Name;
use rayon::ThreadPool;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Probes that estimate the length of a list: some milliseconds.
const PROBES: u64 = 400;

/// A run as far as it is.
pub struct Found {
    /// Every unit's label and what it has so far, with the other facts of a units file.
    pub kept: UnitsFile,
    /// The counts of the units that are done.
    pub done: Vec<Tally>,
    /// The head of the checkpoint and its holder, if it was found in one.
    pub saved: Option<(Header, Option<String>)>,
}

impl Found {
    /// A finished run.
    ///
    /// # Errors
    /// As [`check`].
    pub fn of_units(kept: UnitsFile) -> Result<Self, JobError> {
        check(&kept.units)?;
        let done = kept.units.counts.iter().map(|(_, count)| count.clone()).collect();
        Ok(Self { done, kept, saved: None })
    }

    /// The run of a checkpoint; `None` if there is none.
    ///
    /// # Errors
    /// [`JobError`] if the checkpoint is damaged or of another version.
    pub fn of_checkpoint(path: &Path) -> Result<Option<Self>, JobError> {
        let holder = checkpoint::holder(path);
        let Some((header, states)) = checkpoint::read(path)? else { return Ok(None) };
        let work = Engine::of(&header.identity)?;
        let (mut counts, mut done) = (Vec::new(), Vec::new());
        let units = header.shard.units_of(&*work);
        for (state, &unit) in states.into_iter().zip(units.numbers()) {
            let found = match state {
                UnitState::Untouched => Tally::ZERO,
                UnitState::Begun { found, .. } => found,
                UnitState::Done(count) => {
                    done.push(count.clone());
                    count
                }
            };
            counts.push((work.label(unit), found));
        }
        let units = Units { identity: header.identity.clone(), shard: header.shard, counts };
        let kept = UnitsFile { units, history: Some(header.history.clone()), provenance: None };
        Ok(Some(Self { kept, done, saved: Some((header, holder)) }))
    }
}

/// Checks that units are those of an engine of this library, and what holds for the counts of every
/// run.
///
/// # Errors
/// [`JobError::Engine`] or [`JobError::Units`], which says what does not hold.
pub fn check(units: &Units) -> Result<Engine, JobError> {
    let work = Engine::of(&units.identity)?;
    units.check_against(&*work)?;
    units.check_counts(&*work)?;
    Ok(work)
}

/// Recounts units of a run.
pub struct Auditor<'a> {
    units: &'a Units,
    engine: Engine,
    threads: ThreadPool,
    memory: Option<u64>,
}

impl<'a> Auditor<'a> {
    /// Prepares to recount units within limits on threads and memory.
    ///
    /// # Errors
    /// [`JobError`] if the units are those of no engine of this library, or the memory is too
    /// little.
    pub fn new(
        units: &'a Units,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Result<Self, JobError> {
        let mut engine = Engine::of(&units.identity)?;
        units.check_against(&*engine)?;
        limits.fit(&mut *engine, observer)?;
        let threads = run::threads(Some(limits.threads()))?;
        Ok(Self { units, engine, threads, memory: limits.bound() })
    }

    /// Recounts a sample, but for what was recounted before, and tells `watch` of the progress.
    /// Units in progress are kept beside `state`, the file of the audit.
    ///
    /// # Errors
    /// [`AuditError`] when cancelled, and if a unit does not fit the memory.
    pub fn audit(
        &self,
        sample: &AuditSample,
        before: Vec<Recounted>,
        state: Option<&Path>,
        control: &Arc<Control>,
        watch: &mut dyn FnMut(&[Recounted], RecountProgress),
    ) -> Result<Audit, AuditError> {
        let (threads, memory) = (&self.threads, self.memory);
        let resources = Resources { threads, memory, control, state };
        audit(&*self.engine, self.units, sample, before, resources, watch)
    }
}

/// The number of directed tours of a question, and true if it is an estimate: they are counted if
/// that takes a second or two.
///
/// # Errors
/// [`JobError`] if the count fails, and if it or the estimate is stopped.
pub fn expected_tours(
    question: &Question,
    control: &Arc<Control>,
) -> Result<(f64, bool), JobError> {
    if is_surely_short(question) {
        let plan = Job::new(question.clone()).plan(&mut Silent)?;
        let outcome = plan.count(control, &mut Silent)?;
        return Ok((outcome.units.directed().to_f64(), false));
    }
    let (began, engine) = (Instant::now(), Name::Walk);
    let work = Engine::new(&engine, question.clone(), None, MemoSize::Off)?;
    let size = estimate::estimate(&*work, PROBES, 0, &|| control.is_stopped());
    let after = began.elapsed();
    let stopped = JobError::Forecasting { after, is_begun: false, is_kept: false };
    size.map(|size| (size.tours.mean, true)).ok_or(stopped)
}
