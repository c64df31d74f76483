//! The keeper of a run: the one thread that collects results in the [ledger](super::ledger),
//! informs the observer and saves checkpoints.

use super::checkpoint::{self, CheckpointError, Header, Spent, Status, folder};
use super::layers::{LayersError, Storage, Sweeping};
use super::ledger::Ledger;
use super::pool::{PieceResult, PoolContext, Task};
use super::schedule::{Schedule, recomputes};
use super::{Building, Effort, Event, Observer, Outcome, RunError, RunName, Settings, Snapshot};
use crate::estimate::{ProgressEstimate, Shown};
use crate::machine::processor_time;
use crate::rates::Measured;
use crate::rounds::{Rounds, StatesUnavailable};
use crate::tally::Tally;
use crate::units::Units;
use crate::units::history::{History, Sample, Session};
use crate::work::{Name, Work};
use std::cmp::Reverse;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

pub(super) struct Keeper<'a> {
    work: &'a dyn Work,
    settings: Settings,
    observer: &'a mut dyn Observer,
    schedule: Schedule,
    ledger: Ledger<'a>,
    estimate: ProgressEstimate<'a>,
    record: Record,
    states: LayerWork,
}

/// The record of the run over all its processes.
#[derive(Default)]
struct Record {
    history: History,
    /// The time that earlier processes spent, the units that they finished, and what they found.
    spent_before: Duration,
    units_resumed: usize,
    found_before: Tally,
    /// True if they saved the checkpoint after some of the layers had been computed.
    has_built_before: bool,
    /// The nodes that this process has visited, and those that earlier ones have.
    nodes: u64,
    nodes_before: u64,
    /// The states before the units among them, and the time when they were computed.
    before: (u64, Duration),
}

/// The states before the units.
#[derive(Default)]
struct LayerWork {
    /// The progress of the sweeps, while they are computed.
    building: Option<Building>,
    /// The states that all processes have computed in them.
    processed: u64,
    built: Option<Building>,
    /// The sweeps of a count that is divided into groups, between two of these, or the finished
    /// sweeps of any other count, which are saved if it is stopped.
    sweeping: Option<Sweeping>,
    clock: LayerClock,
    /// True if the observer knows that the count is divided.
    is_divided: bool,
    damage: LayerDamage,
    /// The bytes of memory that they take.
    kept: u64,
}

/// The time that the states before the units take.
#[derive(Default)]
struct LayerClock {
    /// The processor time of this process when the run began.
    processor: Duration,
    /// The time that this process and earlier ones took for them; for those of one group, with the
    /// common ones, where the count is divided.
    time: Duration,
    /// The part of this time after which they were saved.
    saved: Duration,
    /// The time that they had taken when the count was divided, for layers that all groups need.
    common: Duration,
    /// The start of their computation, while it goes on.
    began: Option<Instant>,
    /// The time for which they were computed, if they were not saved at the end.
    skipped: Option<Duration>,
}

impl LayerClock {
    fn until_now(&self) -> Duration {
        self.time.saturating_add(self.began.map_or(Duration::ZERO, |began| began.elapsed()))
    }

    /// Begins with the next group, which needs the common layers.
    fn begin_group(&mut self) {
        (self.time, self.saved) = (self.common, self.saved.min(self.common));
    }

    /// The time that is repeated unless they are saved now.
    fn unsaved(&self) -> Duration {
        self.until_now().saturating_sub(self.saved)
    }
}

/// What became of states that were kept.
#[derive(Default)]
struct LayerDamage {
    lost: Option<StatesUnavailable>,
    /// The number of times that damaged states were removed, to be computed again.
    restarts: u32,
    /// True if the observer knows that they could not be saved.
    is_unsaved_told: bool,
}

impl<'a> Keeper<'a> {
    pub fn new(
        work: &'a dyn Work,
        settings: Settings,
        observer: &'a mut dyn Observer,
    ) -> Result<Self, RunError> {
        let units = settings.shard.units_of(work);
        let threads = settings.limits.threads.unwrap_or(1);
        let expected = settings.expected.map(|expected| expected.of_threads(threads));
        let mut keeper = Self {
            ledger: Ledger::new(work, units.clone()),
            estimate: ProgressEstimate::new(work, units, expected),
            schedule: Schedule::new(&settings, Instant::now()),
            work,
            settings,
            observer,
            record: Record::default(),
            states: LayerWork::default(),
        };
        keeper.states.clock.processor = processor_time();
        let share = keeper.resume()?;
        let at = Sample::new(keeper.record.spent_before, share, keeper.ledger.found.clone());
        let session = Session::beginning(keeper.threads(), keeper.ledger.done, at);
        keeper.record.history.begin(session);
        Ok(keeper)
    }

    fn elapsed(&self) -> Duration {
        self.schedule.elapsed(Instant::now())
    }

    fn threads(&self) -> usize {
        self.settings.limits.threads.unwrap_or(1)
    }

    /// Restores the state of a checkpoint, and returns the share of the work that is done.
    fn resume(&mut self) -> Result<Option<f64>, RunError> {
        let header = begun(self.work, &self.settings)?;
        let Some((store, header)) = self.settings.saving.checkpoint.as_ref().zip(header) else {
            return Ok(None);
        };
        let path = store.path().to_owned();
        let units = checkpoint::load(store)?;
        let taken_over = self.ledger.take_over(units);
        taken_over.map_err(|what| checkpoint::inconsistent(&path, what))?;
        self.record.found_before = self.ledger.found.clone();
        self.record.units_resumed = self.ledger.done;
        self.record.spent_before = header.spent.time;
        (self.states.clock.time, self.states.clock.saved) =
            (header.spent.before, header.spent.before);
        self.estimate.course.rest = self.ledger.share_open();
        self.record.has_built_before =
            header.status.building.is_none_or(|building| building.round > 0 || building.slices > 0);
        self.record.history = header.history.clone();
        self.record.nodes_before = header.spent.nodes;
        let lost = header.lost(&path);
        let share = header.share(lost);
        // What is computed again counts as not begun.
        let kept = header.spent.time.saturating_sub(lost.unwrap_or_default());
        self.estimate.course.resume(share, kept.as_secs_f64());
        self.observer.notice(&Event::Resumed(path, Box::new(header)));
        Ok(share)
    }

    /// The tasks that remain and that the present layers serve.
    pub fn open(&mut self) -> Vec<Task> {
        let Some(units) = self.divided().and_then(Sweeping::units) else {
            self.estimate.begin(self.elapsed(), self.ledger.so_far());
            return self.ledger.open(self.estimate.sizes.as_deref());
        };
        let mut tasks = self.ledger.open(None);
        tasks.retain(|task| units.contains(&task.unit));
        tasks.sort_by_cached_key(|task| Reverse(self.work.memory(task.unit)));
        tasks
    }

    /// The sweeps of a count that is divided into groups.
    fn divided(&self) -> Option<&Sweeping> {
        self.states.sweeping.as_ref().filter(|sweeping| sweeping.is_divided())
    }

    /// True if the count is divided into groups and units of another group remain.
    pub fn has_more_groups(&self) -> bool {
        let is_stopped = self.settings.control.is_stopped();
        let is_sound = self.divided().is_some() && self.states.damage.lost.is_none();
        is_sound && !is_stopped && self.ledger.done < self.ledger.units()
    }

    /// Computes the layers that the units need, or those of the next group. Returns false if the
    /// run was stopped or no unit remains. If `is_for_others`, the layers are saved for other
    /// processes however quickly they were computed.
    pub fn build(&mut self, context: PoolContext, is_for_others: bool) -> Result<bool, RunError> {
        let Some(sweeps) = self.work.sweeps() else {
            return Ok(true);
        };
        if self.ledger.done == self.ledger.units() && !self.settings.keep_layers {
            return Ok(true);
        }
        let mut sweeping = match self.states.sweeping.take() {
            Some(sweeping) => {
                // The layers of the group before make room.
                sweeps.forget();
                self.states.clock.begin_group();
                sweeping
            }
            None => self.begin_sweeping(is_for_others)?,
        };
        let (began, is_open) = (Instant::now(), self.ledger.is_open());
        self.states.clock.began = Some(began);
        let is_ready = loop {
            let went = sweeping.go(self.work, context, &|unit| is_open[unit], &mut |sweeping| {
                self.record.nodes += sweeping.take_states_processed();
                if self.schedule.takes_look(Instant::now()) {
                    self.tick(Some(sweeping));
                }
            });
            self.states.building = Some(sweeping.progress());
            self.record.nodes += sweeping.take_states_processed();
            self.tell_of_groups(&sweeping);
            match went {
                Ok(is_ready) => break is_ready,
                Err(LayersError::StatesUnavailable(lost @ StatesUnavailable::Damaged(_))) => {
                    drop(sweeping);
                    self.remove_states(lost)?;
                    sweeping = self.sweeping(is_for_others)?;
                }
                Err(error) => return Err(self.without_room(error, &mut sweeping).into()),
            }
        };
        self.states.clock.time +=
            self.states.clock.began.take().map_or(Duration::ZERO, |began| began.elapsed());
        let is_stopped = context.control.is_stopped();
        // The states must be on disk before the user is told that they are saved.
        if is_stopped || is_for_others {
            let is_told = is_stopped && self.path().is_some() && sweeping.may_be_saved();
            if is_told && sweeping.unsaved() > 0 {
                self.observer.notice(&Event::SavingStates(sweeping.unsaved()));
            }
            match sweeping.save() {
                Ok(()) => {}
                // A stop is not a failure for it: what fits is saved.
                Err(error @ LayersError::Unsaved { .. })
                    if is_stopped && !is_for_others && !context.control.is_hurried() =>
                {
                    let _ = self.without_room(error, &mut sweeping);
                    self.states.clock.skipped = Some(self.states.clock.unsaved());
                }
                Err(error) if !context.control.is_hurried() => {
                    return Err(self.without_room(error, &mut sweeping).into());
                }
                _ => {
                    self.states.building = None;
                    self.states.clock.skipped = Some(self.states.clock.unsaved());
                }
            }
        }
        if is_stopped {
            return Ok(false);
        }
        if !is_for_others && self.is_worth_saving(began, &sweeping) {
            self.save_layers(&sweeping);
        }
        self.record.before = (self.record.nodes, self.elapsed());
        self.states.built = self.states.building.take();
        if is_ready {
            self.hand_over(sweeps, sweeping);
        }
        Ok(is_ready)
    }

    fn tell_of_groups(&mut self, sweeping: &Sweeping) {
        if sweeping.is_divided() && !std::mem::replace(&mut self.states.is_divided, true) {
            let now = self.elapsed().as_secs_f64();
            self.estimate.course.divide(now);
            self.states.clock.common = self.states.clock.until_now();
            self.observer.notice(&Event::Divided(sweeping.progress()));
        }
    }

    /// The sweeps as they begin in this process.
    fn begin_sweeping(&mut self, is_for_others: bool) -> Result<Sweeping, RunError> {
        let sweeping = self.sweeping(is_for_others)?;
        let at = sweeping.progress();
        let is_beginning = at.round == 0 && at.slices == 0;
        if is_beginning {
            (self.states.clock.time, self.states.clock.saved) = Default::default();
        }
        if self.record.has_built_before && self.states.damage.restarts == 0 && is_beginning {
            self.observer.notice(&Event::Recomputing(at));
        }
        Ok(sweeping)
    }

    /// True if the layers took long enough to compute, or belong to the result.
    fn is_worth_saving(&self, began: Instant, sweeping: &Sweeping) -> bool {
        let began = sweeping.began_by_others.unwrap_or(began);
        let is_wanted = self.settings.keep_layers && self.settings.saving.keep_finished;
        is_wanted && self.record.nodes > 0
            || self.schedule.are_layers_due(began, sweeping.is_divided(), Instant::now())
    }

    /// The bytes of memory that units may take: all for states but those that are kept.
    pub fn memory_for_units(&self) -> u64 {
        self.settings.limits.memory.unwrap_or(u64::MAX).saturating_sub(self.states.kept)
    }

    /// Hands the states over to the engine. Where the largest unit does not fit beside them they go
    /// to disk first. Where it does not fit at all, the engine counts it in parts.
    fn hand_over(&mut self, sweeps: &dyn Rounds, mut sweeping: Sweeping) {
        sweeps.ready(sweeping.built());
        self.states.kept = sweeping.in_memory();
        let does_not_fit = |unit| self.work.memory(unit) > self.memory_for_units();
        if self.states.kept > 0 && self.ledger.unfinished().any(does_not_fit) {
            sweeps.forget();
            sweeping.spill();
            sweeps.ready(sweeping.built());
            self.states.kept = sweeping.in_memory();
        }
        sweeping.leave_results();
        self.states.sweeping = Some(sweeping);
    }

    /// The sweeps, resumed where an earlier process saved them. Damaged states are removed first.
    fn sweeping(&mut self, is_for_others: bool) -> Result<Sweeping, RunError> {
        let mut storage = self.settings.storage();
        storage.serves_all |= is_for_others;
        loop {
            match Sweeping::new(self.work, storage.clone()) {
                Err(LayersError::StatesUnavailable(damage)) => self.remove_states(damage)?,
                sweeping => {
                    let mut sweeping = sweeping?;
                    if let Some((relay, sweeps)) =
                        self.settings.relay.as_ref().zip(self.work.sweeps())
                    {
                        sweeping.share(relay, sweeps);
                    }
                    return Ok(sweeping);
                }
            }
        }
    }

    /// Removes stored states that are damaged, so that they are computed again. States that another
    /// process has prepared are left as they are.
    fn remove_states(&mut self, damage: StatesUnavailable) -> Result<(), RunError> {
        let store = self.settings.saving.checkpoint.as_ref();
        let Some(store) = store.filter(|_| recomputes(&self.settings, self.states.damage.restarts))
        else {
            return Err(damage.into());
        };
        folder::remove(&store.folder()).map_err(LayersError::from)?;
        self.states.damage.restarts += 1;
        self.observer.notice(&Event::StatesDamaged(damage.to_string()));
        Ok(())
    }

    /// Saves the states that fit when there is no space for more, and adds to the error whether
    /// anything was saved to resume from.
    fn without_room(&mut self, error: LayersError, sweeping: &mut Sweeping) -> LayersError {
        let is_saved = sweeping.save_what_fits();
        // The progress is that of the states on disk, which the next process resumes from.
        let storage = Storage { is_shared: true, ..self.settings.storage() };
        self.states.building = Sweeping::new(self.work, storage).ok().map(|kept| kept.progress());
        // A checkpoint from before the states were lost would promise them.
        let has_promised = self.path().is_some_and(|path| path.exists());
        if is_saved || self.ledger.done > 0 || has_promised {
            self.states.building = self.states.building.filter(|_| is_saved);
            self.save_or_warn();
        }
        match error {
            LayersError::Room { memory, disk, lacking, .. } => {
                LayersError::Room { memory, disk, lacking, is_saved }
            }
            LayersError::Io(error) => LayersError::Unkept { error, is_saved },
            error => error,
        }
    }

    /// True if the units have to be processed again because the states of one are damaged. These
    /// states are removed and computed again; finished units are kept. States that the system
    /// refuses to read stay, and end the run.
    pub fn recovers(&mut self) -> bool {
        let Some((lost, sweeps)) = self.states.damage.lost.take().zip(self.work.sweeps()) else {
            return false;
        };
        let is_damage = matches!(lost, StatesUnavailable::Damaged(_));
        if !is_damage || self.remove_states(lost.clone()).is_err() {
            self.states.damage.lost = Some(lost);
            return false;
        }
        sweeps.forget();
        self.states.sweeping = None;
        self.settings.control.go_on();
        true
    }

    /// Leaves the layers to other processes, without the progress that this one has saved, and
    /// returns their size.
    pub fn leave_layers(self) -> Result<Option<Building>, RunError> {
        if let Some(store) = &self.settings.saving.checkpoint {
            store.clear_progress().map_err(CheckpointError::from)?;
        }
        Ok(self.states.built)
    }

    /// Saves the layers, and returns true if that succeeded.
    fn save_layers(&mut self, sweeping: &Sweeping) -> bool {
        let saved = sweeping.save();
        self.schedule.layers_saved = Instant::now();
        if saved.is_ok() {
            self.states.clock.saved = self.states.clock.until_now();
        }
        // Without room on disk for a group's states, its finished units are saved all the same.
        let is_failure = |error: &&LayersError| {
            !sweeping.is_divided() || !matches!(error, LayersError::Unsaved { .. })
        };
        if let Some(error) = saved.as_ref().err().filter(is_failure)
            && !std::mem::replace(&mut self.states.damage.is_unsaved_told, true)
        {
            let why = match error {
                LayersError::Unsaved { .. } => error.to_string(),
                error => format!("cannot save the states before the units: {error}"),
            };
            self.observer.notice(&Event::StatesUnsaved(why));
        }
        saved.is_ok()
    }

    /// Saves the layers that the units use, when the run is stopped. Returns the time that it took
    /// to compute them, if they are not saved.
    fn save_finished_layers(&mut self) -> Option<Duration> {
        let sweeping = self.states.sweeping.take()?;
        self.path()?;
        let bytes = sweeping.unsaved();
        if bytes == 0 {
            return None;
        }
        if sweeping.may_be_saved() {
            self.observer.notice(&Event::SavingStates(bytes));
        }
        let is_saved = self.save_layers(&sweeping) && sweeping.unsaved() == 0;
        (!is_saved).then(|| self.states.clock.unsaved())
    }

    /// Receives results, if there are any, and looks at the clock now and then.
    pub fn receive(&mut self, results: Vec<PieceResult>) {
        for mut result in results {
            self.states.damage.lost = self.states.damage.lost.take().or(result.lost.take());
            self.record.nodes += result.nodes;
            self.ledger.enter(result);
        }
        if self.schedule.takes_look(Instant::now()) {
            self.tick(None);
        }
    }

    /// Informs the observer of the progress, saves the state when it is due, and stops the run when
    /// its time is over. While the sweeps before the units are computed, the progress is theirs.
    fn tick(&mut self, sweeping: Option<&Sweeping>) {
        if let Some(sweeping) = sweeping {
            self.tell_of_groups(sweeping);
        }
        self.states.processed = sweeping.map_or(0, Sweeping::states_processed);
        self.states.building = sweeping.map(Sweeping::progress);
        self.look_at_group(sweeping);
        if sweeping.is_none() {
            self.estimate.probe(self.elapsed(), self.ledger.so_far());
            let course = &mut self.estimate.course;
            course.announced = self.observer.expects().or(course.announced);
        }
        let snapshot = if sweeping.is_none() { self.noted() } else { self.snapshot() };
        self.show(&snapshot.status);
        if self.settings.control.was_asked() {
            self.observer.notice(&Event::Asked(snapshot.clone()));
        }
        self.observer.notice(&Event::Progress(snapshot));
        if self.schedule.is_save_due(Instant::now()) {
            // A checkpoint that names rounds without their states would promise too much.
            let has_layers = sweeping.is_none_or(|sweeping| self.save_layers(sweeping));
            if !has_layers && self.ledger.done > 0 {
                self.states.building = None;
            }
            if has_layers || self.states.building.is_none() {
                self.save_or_warn();
            }
            self.schedule.saved = Instant::now();
        }
        if self.schedule.is_over(Instant::now()) {
            self.settings.control.stop();
        }
    }

    /// Takes note of how far the rounds of the present group are, in a count in groups.
    fn look_at_group(&mut self, sweeping: Option<&Sweeping>) {
        let sweeping = sweeping.or(self.states.sweeping.as_ref());
        if let Some(sweeping) = sweeping.filter(|sweeping| sweeping.is_divided()) {
            let (now, units) = (self.elapsed(), sweeping.units().unwrap_or_default());
            self.estimate.in_group(now, self.ledger.so_far(), units, &sweeping.progress());
        }
    }

    fn snapshot(&mut self) -> Snapshot {
        let elapsed = self.elapsed();
        let (at, nodes) = (self.ledger.so_far(), self.record.nodes);
        let is_unsaved = self.states.clock.skipped.is_some() && self.states.built.is_none();
        let Shown { share, left } = match self.states.building {
            // The next process begins again.
            None if is_unsaved && self.ledger.done == 0 => {
                self.estimate.course.before_units(elapsed.as_secs_f64(), 0, 0)
            }
            // In groups, rounds and units alternate.
            Some(_) if !self.states.is_divided => {
                let (course, states) = (&mut self.estimate.course, self.states.processed);
                course.before_units(elapsed.as_secs_f64(), states, nodes)
            }
            _ => self.estimate.of_units(elapsed, nodes, at),
        };
        let found = &self.ledger.found;
        let found_here = found.saturating_sub(&self.record.found_before).to_f64();
        Snapshot {
            done: self.ledger.done,
            units: self.ledger.units(),
            status: Status {
                share,
                left: left.and_then(|left| Duration::try_from_secs_f64(left).ok()),
                building: self.states.building,
                found: found.clone(),
            },
            nodes,
            elapsed,
            rate: found_here / elapsed.as_secs_f64().max(1e-9),
        }
    }

    /// The states of this process and the seconds of processor time for them, for the rates of the
    /// machine: beside other work, the time of its threads is much longer. A count in groups
    /// computes some states several times, and its time is that of its disk too.
    fn measured(&self, elapsed: Duration) -> Measured {
        let of_threads = elapsed.as_secs_f64() * self.threads() as f64;
        let used = processor_time().saturating_sub(self.states.clock.processor).as_secs_f64();
        let share = (used / of_threads.max(f64::MIN_POSITIVE)).min(1.0);
        let seconds = |time: Duration| time.as_secs_f64() * self.threads() as f64 * share;
        let all = Measured { nodes: (0.0, seconds(elapsed)), ..Measured::default() };
        if self.states.built.is_none() || self.states.is_divided {
            return all;
        }
        let (states, before) = self.record.before;
        Measured { before: (states as f64, seconds(before)), ..all }
    }

    /// The snapshot, once it is noted in the history.
    fn noted(&mut self) -> Snapshot {
        let snapshot = self.snapshot();
        let spent = self.record.spent_before.saturating_add(snapshot.elapsed);
        self.record.history.nodes = self.record.nodes_before.saturating_add(self.record.nodes);
        let Status { share, found, .. } = &snapshot.status;
        self.record.history.note(Sample::new(spent, *share, found.clone()));
        snapshot
    }

    /// The place of the checkpoint.
    fn path(&self) -> Option<PathBuf> {
        Some(self.settings.saving.checkpoint.as_ref()?.path().to_owned())
    }

    fn save_or_warn(&mut self) {
        let Some(path) = self.path() else { return };
        let event = match self.save() {
            Ok(()) => Event::Saved(path),
            Err(error) => Event::SaveFailed(error.to_string()),
        };
        self.observer.notice(&event);
    }

    fn save(&mut self) -> Result<(), CheckpointError> {
        let snapshot = self.noted();
        let Some(store) = &self.settings.saving.checkpoint else {
            return Ok(());
        };
        checkpoint::save(store, &self.header(snapshot.status), &self.ledger)
    }

    fn header(&self, status: Status) -> Header {
        Header {
            identity: self.work.identity(),
            shard: self.settings.shard,
            done: self.ledger.done as u64,
            begun: self.ledger.begun() as u64,
            status,
            spent: Spent {
                time: self.record.spent_before.saturating_add(self.elapsed()),
                before: self.states.clock.until_now(),
                nodes: self.record.nodes_before.saturating_add(self.record.nodes),
            },
            // A clock that is set before 1970 has no place in the format.
            saved: SystemTime::now().max(SystemTime::UNIX_EPOCH),
            history: self.record.history.clone(),
        }
    }

    /// Shows the progress to `status` every few seconds.
    fn show(&mut self, status: &Status) {
        const EVERY: Duration = Duration::from_secs(2);
        let Some(store) = &self.settings.saving.checkpoint else { return };
        if self.schedule.shown.elapsed() >= EVERY {
            checkpoint::show(store, &self.header(status.clone()));
            self.schedule.shown = Instant::now();
        }
    }

    /// Returns the result, or saves the state for the next process.
    pub fn finish(mut self) -> Result<Outcome, RunError> {
        let is_long = self.schedule.is_long(Instant::now()) || self.settings.saving.keep_finished;
        let finished = self.ledger.finished();
        if finished.is_err() {
            self.save_or_warn();
        }
        let Some(counts) = finished? else {
            // Without the layers, the finished units are still worth saving.
            self.save().map_err(RunError::Unsaved)?;
            let saved = self.path();
            if let Some(lost) = self.states.damage.lost.take() {
                return Err(lost.into());
            }
            let lost = self.save_finished_layers().or(self.states.clock.skipped);
            let at = Box::new(self.snapshot());
            // All states may be lost, with those of earlier processes.
            let all = saved.as_ref().and_then(|path| self.header(at.status.clone()).lost(path));
            let lost = lost.map(|lost| all.unwrap_or(lost));
            return Err(RunError::Stopped { at, saved, lost });
        };
        let snapshot = self.noted();
        self.observer.notice(&Event::Progress(snapshot));
        let resumed = self.record.units_resumed;
        if is_long && resumed == 0 || resumed > 0 && resumed < self.ledger.done {
            // Saved, so that a full disk or a closed terminal does not lose the result.
            self.save_or_warn();
        }
        let elapsed = self.elapsed();
        let effort = Effort {
            units_resumed: self.record.units_resumed,
            nodes: self.record.nodes,
            threads: self.threads(),
            elapsed,
            // Not the time a moment later: without an earlier process the two are equal.
            spent: Some(self.record.spent_before.saturating_add(elapsed)),
            nodes_total: Some(self.record.history.nodes),
            built: self.states.built,
        };
        let measured = self.measured(elapsed);
        Ok(Outcome {
            measured,
            units: Units { identity: self.work.identity(), shard: self.settings.shard, counts },
            effort,
            history: self.record.history,
            checkpoint: self.settings.saving.checkpoint,
        })
    }
}

/// The header of the checkpoint of the settings, if it has part of `work`, so that a run resumes
/// it.
///
/// # Errors
/// [`RunError::Conflict`] when it has another run, [`RunError::Checkpoint`] when it cannot be read.
pub fn begun(work: &dyn Work, settings: &Settings) -> Result<Option<Header>, RunError> {
    let Some(store) = &settings.saving.checkpoint else { return Ok(None) };
    let path = store.path().to_owned();
    let Some(saved) = checkpoint::peek(&path)? else { return Ok(None) };
    let name = |identity, shard| Box::new(RunName { identity, shard });
    let theirs = name(saved.identity.clone(), saved.shard);
    let ours = name(work.identity(), settings.shard);
    match &theirs.identity.engine {
        _ if theirs == ours => Ok(Some(saved)),
        Name::Other(engine) if theirs.identity.engine != ours.identity.engine => {
            let engine = engine.clone();
            Err(CheckpointError::Foreign { path, engine }.into())
        }
        _ => Err(RunError::Conflict { path, theirs, ours }),
    }
}
