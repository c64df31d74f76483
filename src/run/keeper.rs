//! The keeper of a run: the one thread that collects results, informs the observer and saves
//! checkpoints.
//!
//! Invariant: for every unit, what is found plus what its remaining pieces will find is its count.
//! A result replaces a piece by what was found and what remains of it in one step, so the run can
//! be resumed from any moment between two results.

use super::checkpoint::{self, CheckpointError, Header, UnitState};
use super::layers::{LayersError, Sweeping};
use super::pool::{PieceResult, PoolContext, Task};
use super::{Building, Event, Observer, Outcome, RunError, RunName, Settings, Snapshot};
use crate::cursor::Piece;
use crate::durable;
use crate::estimate::{ProgressEstimate, SoFar};
use crate::rounds::{Rounds, StatesUnavailable};
use crate::tally::Tally;
use crate::units::Units;
use crate::units::history::{History, Sample, Session};
use crate::work::Work;
use std::collections::HashMap;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

pub(super) struct Keeper<'a> {
    work: &'a dyn Work,
    settings: Settings,
    observer: &'a mut dyn Observer,
    began: Instant,
    saved: Instant,
    last_tick: Instant,
    /// The time that earlier processes spent.
    spent_before: Duration,
    /// For each place in the shard, the count of the unit if it is done.
    counts: Vec<Option<Tally>>,
    /// For each unit that is started, its count so far and its remaining pieces.
    begun: HashMap<usize, Begun>,
    units_resumed: usize,
    /// True if the checkpoint was saved after some of the layers had been computed.
    has_built_before: bool,
    found_before: Tally,
    found: Tally,
    done: usize,
    nodes: u64,
    next_id: u64,
    estimate: ProgressEstimate<'a>,
    history: History,
    /// The progress of the sweeps before the units, while they are computed.
    building: Option<Building>,
    built: Option<Building>,
    lost: Option<StatesUnavailable>,
    /// The bytes of memory that the states before the units take.
    kept: u64,
    /// The number of times that damaged states were removed, to be computed again.
    restarts: u32,
}

/// The number of damages within one process after which states are not computed again, because the
/// disk cannot be relied on.
const MOST_RESTARTS: u32 = 3;

/// A unit that is started.
#[derive(Default)]
struct Begun {
    found: Tally,
    /// The remaining pieces, by their numbers.
    pieces: HashMap<u64, Piece>,
}

impl<'a> Keeper<'a> {
    pub fn new(
        work: &'a dyn Work,
        settings: Settings,
        observer: &'a mut dyn Observer,
    ) -> Result<Self, RunError> {
        let now = Instant::now();
        let mut keeper = Self {
            counts: vec![None; settings.shard.len(work.units())],
            estimate: ProgressEstimate::new(work, settings.shard),
            work,
            settings,
            observer,
            began: now,
            saved: now,
            last_tick: now,
            spent_before: Duration::ZERO,
            begun: HashMap::new(),
            units_resumed: 0,
            has_built_before: false,
            found_before: Tally::ZERO,
            found: Tally::ZERO,
            done: 0,
            nodes: 0,
            next_id: 0,
            history: History::default(),
            building: None,
            built: None,
            lost: None,
            kept: 0,
            restarts: 0,
        };
        let share = keeper.resume()?;
        let at = Sample::new(keeper.spent_before, share, keeper.found.clone());
        let session = Session::beginning(keeper.threads(), keeper.done, at);
        keeper.history.begin(session);
        Ok(keeper)
    }

    fn threads(&self) -> usize {
        self.settings.threads.unwrap_or(1)
    }

    /// Restores the state of a checkpoint, and returns the share of the work that is done.
    fn resume(&mut self) -> Result<Option<f64>, RunError> {
        let Some(store) = &self.settings.checkpoint else {
            return Ok(None);
        };
        let path = store.path().to_owned();
        let Some(header) = to_resume(self.work, &self.settings)? else {
            return Ok(None);
        };
        let units = checkpoint::load(store)?;
        if units.len() != self.counts.len() {
            let what = format!("{} units where the run has {}", units.len(), self.counts.len());
            return Err(checkpoint::inconsistent(&path, what).into());
        }
        for (place, state) in units.into_iter().enumerate() {
            self.take_over(place, state).map_err(|what| checkpoint::inconsistent(&path, what))?;
        }
        self.found_before = self.found.clone();
        self.units_resumed = self.done;
        self.spent_before = header.spent;
        self.has_built_before =
            header.building.is_none_or(|building| building.round > 0 || building.slices > 0);
        self.history = header.history.clone();
        let share = header.share;
        self.observer.notice(&Event::Resumed(path, Box::new(header)));
        Ok(share)
    }

    fn take_over(&mut self, place: usize, state: UnitState) -> Result<(), String> {
        let unit = self.settings.shard.unit(place);
        match state {
            UnitState::Untouched => {}
            UnitState::Done(count) => {
                self.found += &count;
                self.counts[place] = Some(count);
                self.done += 1;
            }
            UnitState::Begun { found, pieces } => {
                if pieces.is_empty() || !pieces.iter().all(|piece| self.work.accepts(unit, piece)) {
                    return Err(format!("unit {unit} has pieces that are not its own"));
                }
                let pieces: HashMap<u64, Piece> = (self.next_id..).zip(pieces).collect();
                self.next_id += pieces.len() as u64;
                self.found += &found;
                self.begun.insert(unit, Begun { found, pieces });
            }
        }
        Ok(())
    }

    /// The tasks that remain: pieces of started units, then untouched units.
    pub fn open(&mut self) -> Vec<Task> {
        let (estimate, so_far) = self.so_far();
        estimate.begin(so_far);
        let pieces_of = |(&unit, begun): (&usize, &Begun)| {
            let task =
                move |(&id, piece): (&u64, &Piece)| Task { unit, id, piece: Some(piece.clone()) };
            begun.pieces.iter().map(task).collect::<Vec<_>>()
        };
        let places = 0..self.counts.len();
        let open = places.filter(|&place| self.counts[place].is_none());
        let units = open.map(|place| self.settings.shard.unit(place));
        let mut untouched: Vec<usize> =
            units.filter(|unit| !self.begun.contains_key(unit)).collect();
        if let Some(sizes) = self.estimate.sizes() {
            // Atomic units run longest first, so that no thread is left alone with a long one at
            // the end.
            untouched.sort_by_cached_key(|&unit| {
                std::cmp::Reverse(sizes[self.settings.shard.place(unit)] as u64)
            });
        }
        let untouched =
            (self.next_id..).zip(untouched).map(|(id, unit)| Task { unit, id, piece: None });
        self.begun.iter().flat_map(pieces_of).chain(untouched).collect()
    }

    /// Computes the layers that the units need, if any unit remains. Returns false if the run was
    /// stopped. If `is_for_others`, the layers are saved for other processes however quickly they
    /// were computed.
    pub fn build(&mut self, context: PoolContext, is_for_others: bool) -> Result<bool, RunError> {
        let Some(sweeps) = self.work.sweeps() else {
            return Ok(true);
        };
        if self.done == self.counts.len() && !self.settings.keep_layers {
            return Ok(true);
        }
        let mut sweeping = self.sweeping()?;
        let at = sweeping.progress();
        if self.has_built_before && self.restarts == 0 && at.round == 0 && at.slices == 0 {
            self.observer.notice(&Event::Recomputing(at));
        }
        let began = Instant::now();
        loop {
            let went = sweeping.go(self.work, context, &mut |sweeping| {
                if self.is_due() {
                    self.tick(Some(sweeping));
                }
            });
            self.nodes += sweeping.states_processed_here();
            self.building = Some(sweeping.progress());
            match went {
                Ok(()) => break,
                Err(LayersError::StatesUnavailable(lost)) => {
                    drop(sweeping);
                    self.remove_states(lost.into())?;
                    sweeping = self.sweeping()?;
                }
                Err(error) => return Err(self.without_room(error, &mut sweeping).into()),
            }
        }
        if context.control.is_stopped() {
            // The states must be on disk before the user is told that they are saved.
            sweeping.save()?;
            return Ok(false);
        }
        let is_wanted = self.settings.keep_layers && self.settings.keep_finished;
        if is_for_others {
            sweeping.save()?;
        } else if began.elapsed() >= self.settings.interval
            || is_wanted && sweeping.states_processed_here() > 0
        {
            // Otherwise computing them again takes no longer than the interval, which a crash may
            // cost.
            self.save_layers(&sweeping);
        }
        self.built = self.building.take();
        self.hand_over(sweeps, sweeping);
        Ok(true)
    }

    /// The bytes of memory that units may take: all for states but those that are kept.
    pub fn memory_for_units(&self) -> u64 {
        self.settings.memory.unwrap_or(u64::MAX).saturating_sub(self.kept)
    }

    /// Hands the states over to the engine. Where the largest unit does not fit beside them they go
    /// to disk first; where it does not fit at all, that is announced.
    fn hand_over(&mut self, sweeps: &dyn Rounds, mut sweeping: Sweeping) {
        sweeps.ready(sweeping.built());
        self.kept = sweeping.in_memory();
        if self.largest_unit() > self.memory_for_units() && self.kept > 0 {
            sweeps.forget();
            sweeping.spill();
            sweeps.ready(sweeping.built());
            self.kept = sweeping.in_memory();
        }
        // The size of a unit is a high guess: units that were measured take a third of it and more.
        let (bytes, most) = (self.largest_unit() / 2, self.memory_for_units());
        if bytes > most {
            self.observer.notice(&Event::LargeUnit { bytes, most });
        }
    }

    /// The most bytes of memory that one of the units takes that are not done.
    fn largest_unit(&self) -> u64 {
        let places = (0..self.counts.len()).filter(|&place| self.counts[place].is_none());
        let units = places.map(|place| self.settings.shard.unit(place));
        units.map(|unit| self.work.memory(unit)).max().unwrap_or(0)
    }

    /// The sweeps, resumed where an earlier process saved them. Damaged states are removed first.
    fn sweeping(&mut self) -> Result<Sweeping, RunError> {
        loop {
            match Sweeping::new(self.work, self.settings.limits()) {
                Err(error @ LayersError::Damaged { .. }) => self.remove_states(error.into())?,
                sweeping => return Ok(sweeping?),
            }
        }
    }

    /// Removes stored states that are damaged, so that they are computed again. States that another
    /// process has prepared are left as they are.
    fn remove_states(&mut self, damage: RunError) -> Result<(), RunError> {
        let folder = match &self.settings.checkpoint {
            Some(store) if self.settings.prepared.is_none() && self.restarts < MOST_RESTARTS => {
                store.folder()
            }
            _ => return Err(damage),
        };
        durable::remove_folder(&folder).map_err(LayersError::from)?;
        self.restarts += 1;
        self.observer.notice(&Event::StatesDamaged(damage.to_string()));
        Ok(())
    }

    /// Saves the states that fit when there is no space for more, and adds to the error whether
    /// anything was saved to resume from.
    fn without_room(&mut self, mut error: LayersError, sweeping: &mut Sweeping) -> LayersError {
        let has_saved = sweeping.save_what_fits();
        self.building = Some(sweeping.progress());
        if has_saved {
            self.save_or_warn();
        }
        if let LayersError::Room { is_saved, .. } = &mut error {
            *is_saved = has_saved;
        }
        error
    }

    /// True if the units have to be processed again because the states of one could not be read
    /// back. These states are removed and computed again; finished units are kept.
    pub fn recovers(&mut self) -> bool {
        let Some((lost, sweeps)) = self.lost.take().zip(self.work.sweeps()) else {
            return false;
        };
        if self.remove_states(lost.clone().into()).is_err() {
            self.lost = Some(lost);
            return false;
        }
        sweeps.forget();
        self.settings.control.go_on();
        true
    }

    /// The size of the layers before the units.
    pub fn built(&self) -> Option<Building> {
        self.built
    }

    /// Saves the layers, and returns true if that succeeded.
    fn save_layers(&mut self, sweeping: &Sweeping) -> bool {
        let saved = sweeping.save();
        if let Err(error) = &saved {
            self.observer.notice(&Event::SaveFailed(error.to_string()));
        }
        saved.is_ok()
    }

    /// A worker's current time slice would be lost in a crash, so save that much earlier.
    fn period(&self) -> Duration {
        let slice = self.settings.slice();
        self.settings.interval.saturating_sub(2 * slice)
    }

    fn stop_in_time(&mut self) {
        let elapsed = self.began.elapsed();
        if self.settings.max_time.is_some_and(|most| elapsed >= most) {
            self.settings.control.stop();
        }
    }

    /// Receives a result, if there is one, and looks at the clock now and then.
    pub fn receive(&mut self, result: Option<PieceResult>) {
        if let Some(result) = result {
            self.take(result);
        }
        if self.is_due() {
            self.tick(None);
        }
    }

    /// True if a time slice has passed since the last look at the clock.
    fn is_due(&mut self) -> bool {
        let is_due = self.last_tick.elapsed() >= self.settings.slice();
        if is_due {
            self.last_tick = Instant::now();
        }
        is_due
    }

    fn take(&mut self, result: PieceResult) {
        self.lost = self.lost.take().or(result.lost);
        self.nodes += result.nodes;
        self.found += &result.found;
        let mut begun = self.begun.remove(&result.unit).unwrap_or_default();
        begun.found += result.found;
        begun.pieces.remove(&result.id);
        let rest = result.rest.into_iter();
        begun.pieces.extend(rest.filter_map(|task| Some((task.id, task.piece?))));
        // An atomic unit that was interrupted counts as untouched.
        let is_given_up = !self.work.is_tree() && begun.found == Tally::ZERO;
        if begun.pieces.is_empty() {
            self.counts[self.settings.shard.place(result.unit)] = Some(begun.found);
            self.done += 1;
        } else if !is_given_up {
            self.begun.insert(result.unit, begun);
        }
    }

    /// Informs the observer of the progress, saves the state when it is due, and stops the run when
    /// its time is over. While the sweeps before the units are computed, the progress is theirs.
    fn tick(&mut self, sweeping: Option<&Sweeping>) {
        self.building = sweeping.map(Sweeping::progress);
        if sweeping.is_none() {
            let elapsed = self.began.elapsed();
            let (estimate, so_far) = self.so_far();
            estimate.probe(elapsed, so_far);
        }
        let mut snapshot = self.snapshot();
        snapshot.nodes += sweeping.map_or(0, Sweeping::states_processed_here);
        if self.settings.control.was_asked() {
            self.observer.notice(&Event::Asked(snapshot.clone()));
        }
        if sweeping.is_none() {
            self.note(&snapshot);
        }
        self.observer.notice(&Event::Progress(snapshot));
        if self.saved.elapsed() >= self.period() {
            // A checkpoint that names rounds without their states would promise too much.
            if sweeping.is_none_or(|sweeping| self.save_layers(sweeping)) {
                self.save_or_warn();
            }
            self.saved = Instant::now();
        }
        self.stop_in_time();
    }

    /// The estimate of the progress, and the counts that it is computed from.
    fn so_far(&mut self) -> (&mut ProgressEstimate<'a>, SoFar<'_>) {
        let begun: Tally = self.begun.values().map(|begun| &begun.found).sum();
        let so_far = SoFar { counts: &self.counts, found: &self.found, begun: begun.to_f64() };
        (&mut self.estimate, so_far)
    }

    fn snapshot(&mut self) -> Snapshot {
        let elapsed = self.began.elapsed();
        let (estimate, so_far) = self.so_far();
        let (share, left) = estimate.share_and_left(so_far);
        let found_here = self.found.saturating_sub(&self.found_before).to_f64();
        Snapshot {
            done: self.done,
            units: self.counts.len(),
            share,
            found: self.found.clone(),
            building: self.building,
            nodes: self.nodes,
            elapsed,
            rate: found_here / elapsed.as_secs_f64().max(1e-9),
            left,
        }
    }

    fn note(&mut self, snapshot: &Snapshot) {
        let spent = self.spent_before.saturating_add(snapshot.elapsed);
        let now = Sample::new(spent, snapshot.share, snapshot.found.clone());
        self.history.note(now);
    }

    fn save_or_warn(&mut self) -> Option<PathBuf> {
        let path = self.settings.checkpoint.as_ref()?.path().to_owned();
        match self.save() {
            Ok(()) => {
                self.observer.notice(&Event::Saved(path.clone()));
                Some(path)
            }
            Err(error) => {
                self.observer.notice(&Event::SaveFailed(error.to_string()));
                None
            }
        }
    }

    fn save(&mut self) -> Result<(), CheckpointError> {
        let snapshot = self.snapshot();
        self.note(&snapshot);
        let Some(store) = &self.settings.checkpoint else {
            return Ok(());
        };
        let header = Header {
            identity: self.work.identity(),
            shard: self.settings.shard,
            done: self.done as u64,
            begun: self.begun.len() as u64,
            share: snapshot.share,
            building: self.building,
            found: self.found.clone(),
            spent: self.spent_before.saturating_add(self.began.elapsed()),
            saved: SystemTime::now(),
            history: self.history.clone(),
        };
        let units: Vec<_> = (0..self.counts.len()).map(|place| self.state_at(place)).collect();
        checkpoint::save(store, &header, &units)
    }

    fn state_at(&self, place: usize) -> UnitState {
        let unit = self.settings.shard.unit(place);
        match (&self.counts[place], self.begun.get(&unit)) {
            (Some(count), _) => UnitState::Done(count.clone()),
            (None, Some(begun)) => UnitState::Begun {
                found: begun.found.clone(),
                pieces: begun.pieces.values().cloned().collect(),
            },
            (None, None) => UnitState::Untouched,
        }
    }

    /// Returns the result, or saves the state for the next process.
    pub fn finish(mut self) -> Result<Outcome, RunError> {
        let is_long = self.began.elapsed() >= self.settings.interval || self.settings.keep_finished;
        let Some(counts) = self.counts.iter().cloned().collect::<Option<Vec<Tally>>>() else {
            self.save()?;
            let store = self.settings.checkpoint.as_ref();
            let saved = store.map(|store| store.path().to_owned());
            if let Some(lost) = self.lost {
                return Err(lost.into());
            }
            let at = Box::new(self.snapshot());
            return Err(RunError::Stopped { at, saved });
        };
        let snapshot = self.snapshot();
        self.note(&snapshot);
        self.observer.notice(&Event::Progress(snapshot));
        if is_long || self.units_resumed > 0 {
            // Saved, so that a full disk or a closed terminal does not lose the result.
            self.save_or_warn();
        }
        let label = |place| self.work.label(self.settings.shard.unit(place));
        let counts = counts.into_iter().enumerate();
        let (threads, elapsed) = (self.threads(), self.began.elapsed());
        Ok(Outcome {
            units: Units {
                identity: self.work.identity(),
                shard: self.settings.shard,
                counts: counts.map(|(place, count)| (label(place), count)).collect(),
            },
            units_resumed: self.units_resumed,
            nodes: self.nodes,
            threads,
            elapsed,
            spent: self.spent_before.saturating_add(elapsed),
            history: self.history,
            built: self.built,
            checkpoint: self.settings.checkpoint,
        })
    }
}

/// The header of the checkpoint, if there is one; it has to be of this run.
pub(super) fn to_resume(work: &dyn Work, settings: &Settings) -> Result<Option<Header>, RunError> {
    let Some(store) = &settings.checkpoint else {
        return Ok(None);
    };
    let path = store.path().to_owned();
    let Some(header) = checkpoint::peek(&path)? else {
        return Ok(None);
    };
    let (ours, shard) = (work.identity(), settings.shard);
    if (&header.identity, header.shard) != (&ours, shard) {
        let theirs = Box::new(RunName { identity: header.identity, shard: header.shard });
        let ours = Box::new(RunName { identity: ours, shard });
        return Err(RunError::Conflict { path, theirs, ours });
    }
    Ok(Some(header))
}
