//! The store of the sweeps: the layers of all groups and their files, saved and restored.
//!
//! Saving flushes all layers to disk and then writes an [index](super::index) of the finished
//! slices. So a killed run finds the finished rounds, and the finished slices of the round that it
//! was in. A file is deleted once no index needs it.

use super::index::{Index, Layers, MadeFor};
use super::planner::{self, Division, LayerPlan, LayerSize, SweepProgress};
use super::relay::Relay;
use super::stored::{LayersError, Storage, Stored, Usage, damaged};
use super::totals::Totals;
use crate::rounds::{Building, Built, Layer, Rounds, room_for_layers};
use crate::run::checkpoint::folder::{self, INDEX};
use crate::work::Work;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// The sweeps of a work in progress.
#[derive(Debug)]
pub(in crate::run) struct Sweeping {
    made_for: MadeFor,
    pub(super) plan: LayerPlan<Arc<Stored>>,
    pub(super) usage: Arc<Usage>,
    pub(super) round: CurrentRound,
    /// By sweep, the layers that its rounds read; empty unless they are kept.
    pub(super) kept: Vec<Vec<Arc<Stored>>>,
    pub(super) totals: Totals,
    /// The place for the layers that counts of several boards share.
    pub(super) relay: Option<Arc<Relay>>,
    /// The time at which others began to compute the layers that this count began with.
    pub began_by_others: Option<Instant>,
}

/// The round that is processed.
#[derive(Debug)]
pub(super) struct CurrentRound {
    pub sweep: usize,
    pub output: Stored,
    /// The slices that the group does not need.
    pub skipped: usize,
    /// While several rounds are processed at once, the files of the states between them.
    pub between: Vec<String>,
    /// True if it could not be saved when that would have made room.
    pub is_unsaved: bool,
}

impl CurrentRound {
    fn new(sweep: usize, name: String, usage: &Arc<Usage>) -> Self {
        Self {
            sweep,
            output: Stored::new(name, usage),
            skipped: 0,
            between: Vec::new(),
            is_unsaved: false,
        }
    }
}

impl LayerSize for Arc<Stored> {
    fn bytes(&self) -> u64 {
        self.len()
    }

    fn states(&self) -> u64 {
        Stored::states(self)
    }

    fn freeable(&self) -> u64 {
        Stored::freeable(self)
    }

    fn is_whole(&self) -> bool {
        self.len() == self.whole_len()
    }
}

/// The layer that a sweep starts with.
pub(super) fn start_layer(
    sweep: usize,
    sweeps: &dyn Rounds,
    usage: &Arc<Usage>,
) -> Result<Arc<Stored>, LayersError> {
    let mut layer = Stored::new(format!("{sweep}-0"), usage);
    layer.add(0, sweeps.start())?;
    layer.done.insert(0);
    Ok(Arc::new(layer))
}

impl Sweeping {
    /// The beginning, or where an earlier process has saved it.
    pub fn new(work: &dyn Work, storage: Storage) -> Result<Self, LayersError> {
        let sweeps = work.sweeps();
        let usage = Arc::new(Usage::new(storage));
        let storage = &usage.storage;
        let rounds = sweeps.map_or(Vec::new(), |sweeps| sweeps.rounds());
        let divisible = sweeps.filter(|_| !storage.serves_all);
        let levels = planner::levels(divisible.map_or(0, |sweeps| sweeps.levels()));
        let start = |sweep| Some(start_layer(sweep, sweeps?, &usage));
        let layers = (0..rounds.len()).filter_map(start).collect::<Result<_, _>>()?;
        let room = room_for_layers(storage.memory, storage.disk);
        let kept = vec![Vec::new(); if storage.keeps_all { rounds.len() } else { 0 }];
        let units = sweeps.and_then(|sweeps| sweeps.made_for().map(<[usize]>::to_vec));
        let mut sweeping = Self {
            made_for: MadeFor { units, ..MadeFor::all(work) },
            plan: LayerPlan::new(rounds, levels, room, layers),
            round: CurrentRound::new(0, "0-1".to_owned(), &usage),
            usage: Arc::clone(&usage),
            kept,
            totals: Totals::default(),
            relay: None,
            began_by_others: None,
        };
        let Some(folder) = &storage.folder else {
            return Ok(sweeping);
        };
        if !storage.is_shared {
            folder::check(folder)?;
        }
        if let Some((index, division, layers)) = Index::read(folder, &sweeping.made_for)?
            && (!storage.serves_all || division.is_none())
            && (!storage.keeps_all || index.has_all(&sweeping.plan.rounds, &layers))
        {
            if !sweeping.restore(index, division, layers)? {
                let what = "its layers are not those of its round";
                return Err(damaged(&Index::file(folder), what));
            }
            if !storage.is_shared {
                folder::claim(folder)?;
                // Files that the index does not list would take disk space that is not accounted
                // for.
                sweeping.tidy(folder);
            }
        }
        Ok(sweeping)
    }

    /// Begins with the layers that counts of other boards have left, where the state to resume is
    /// not as far, and leaves some to the next.
    pub fn share(&mut self, relay: &Arc<Relay>, sweeps: &dyn Rounds) {
        for (at @ (sweep, rounds), layer, has_same_slices) in relay.take(&self.usage) {
            let is_further = rounds > self.plan.last().sweeps[sweep].done;
            if !is_further || self.is_divided() {
                continue;
            }
            let slices = |packed: &[u8]| sweeps.sliced(at, packed);
            let layer = if has_same_slices { Some(layer) } else { layer.sliced(&slices) };
            if let Some(layer) = layer {
                let progress = SweepProgress::new(rounds, Some(Arc::new(layer)));
                self.plan.last_mut().sweeps[sweep] = progress;
                self.began_by_others = relay.began();
                if self.round.sweep == sweep {
                    self.begin_next_round();
                }
            }
        }
        self.relay = Some(Arc::clone(relay));
    }

    /// Leaves the results of the sweeps to later counts.
    pub fn leave_results(&self) {
        let relay = self.relay.as_ref().filter(|_| !self.is_divided());
        for (sweep, &rounds) in self.plan.rounds.iter().enumerate() {
            relay.iter().for_each(|relay| relay.keep((sweep, rounds), self.plan.layer(sweep)));
        }
    }

    /// Takes over what an index lists; false if it is inconsistent.
    fn restore(
        &mut self,
        index: Index,
        division: Option<Division>,
        layers: Layers,
    ) -> Result<bool, LayersError> {
        let restored = |(name, listed)| Stored::restored(name, listed, &self.usage);
        let mut layers = layers.into_iter().map(restored).collect::<Result<Vec<_>, _>>()?;
        let is_sound = match division {
            Some(division) => self.restore_division(division, layers),
            None => {
                let inputs = layers.split_off(layers.len().min(index.at.0 + 2));
                let mut inputs = inputs.into_iter().map(Arc::new);
                for (sweep, kept) in self.kept.iter_mut().enumerate() {
                    let before = index.rounds_before(sweep, &self.plan.rounds);
                    kept.extend(inputs.by_ref().take(before));
                }
                self.restore_whole(index.at, layers)
            }
        };
        if let Some(progress) = self.plan.last_mut().sweeps.get_mut(self.round.sweep)
            && index.frees
        {
            progress.frees = Some(true);
        }
        self.free_input();
        self.totals.restore(index.states_processed, index.most_states, index.met);
        Ok(is_sound)
    }

    /// Restores a count that is not divided, from the layers of finished sweeps, the input and the
    /// output of a round.
    fn restore_whole(&mut self, (sweep, rounds): (usize, usize), mut layers: Vec<Stored>) -> bool {
        let Some((output, input)) = layers.pop().zip(layers.pop()) else {
            return false;
        };
        let all = self.plan.rounds.clone();
        let of = all.get(sweep);
        if layers.len() != sweep || sweep > all.len() || of.is_some_and(|&of| rounds > of) {
            return false;
        }
        let mut done = all[..sweep].to_vec();
        if sweep < all.len() {
            done.push(rounds);
            layers.push(input);
            self.round.output = output;
        }
        let sweeps = self.plan.last_mut().sweeps.iter_mut();
        for ((progress, rounds), layer) in sweeps.zip(done).zip(layers) {
            *progress = SweepProgress::new(rounds, Some(Arc::new(layer)));
        }
        self.round.sweep = sweep;
        true
    }

    fn restore_division(&mut self, division: Division, layers: Vec<Stored>) -> bool {
        let (sweep, mut layers) = (division.sweep, layers.into_iter());
        let units = usize::try_from(self.made_for.identity.units).unwrap_or(usize::MAX);
        let is_sound = self.plan.restore(division, &mut layers.by_ref().map(Arc::new), units);
        let (Some(output), None, true) = (layers.next(), layers.next(), is_sound) else {
            return false;
        };
        let rounds = self.plan.rounds.get(sweep).copied();
        if let Some(of) = rounds
            && !output.done.is_empty()
        {
            let left = of - self.plan.last().sweeps[sweep].done;
            let leads_to = |&rounds: &usize| output.name == self.name(sweep, rounds);
            let Some(at_once) = (1..=left).find(leads_to) else {
                return false;
            };
            self.plan.last_mut().sweeps[sweep].at_once = at_once;
        }
        let is_over = sweep == self.plan.rounds.len() && output.done.is_empty();
        (self.round.output, self.round.sweep) = (output, sweep);
        is_over || rounds.is_some()
    }

    /// The units that can be counted now; `None` for all units of the run.
    pub fn units(&self) -> Option<&[usize]> {
        self.plan.last().units.as_deref()
    }

    /// True if the units are counted group by group.
    pub fn is_divided(&self) -> bool {
        self.plan.is_divided
    }

    /// The sweep whose round is begun and not finished.
    pub(super) fn begun(&self) -> Option<usize> {
        (!self.round.output.done.is_empty()).then_some(self.round.sweep)
    }

    /// The name of the file of the layer of a sweep that some rounds lead to in the present group.
    fn name(&self, sweep: usize, rounds: usize) -> String {
        let group = self.plan.last();
        let name = format!("{sweep}-{}", group.sweeps[sweep].done + rounds);
        match &group.units {
            None => name,
            Some(units) => format!("{name}.{}.{}", group.level, units.first().unwrap_or(&0)),
        }
    }

    /// Gets ready for the next round of a sweep in the present group.
    pub(super) fn begin_round(&mut self, sweep: usize) {
        let name = self.name(sweep, self.plan.last().sweeps[sweep].at_once);
        self.round = CurrentRound::new(sweep, name, &self.usage);
        self.totals.begin_round();
    }

    /// Begins the next round of any sweep of the group, if it has one.
    pub(super) fn begin_next_round(&mut self) {
        match self.plan.sweep() {
            Some(next) => self.begin_round(next),
            // All sweeps are finished, or lack room.
            None => self.round.sweep = self.plan.rounds.len(),
        }
    }

    /// The progress of the sweeps.
    pub fn progress(&self) -> Building {
        let CurrentRound { sweep, output, skipped, .. } = &self.round;
        let (rounds, sweeps) = (&self.plan.rounds, &self.plan.last().sweeps);
        let input = (*sweep < rounds.len()).then(|| self.plan.layer(*sweep));
        let slices = input.map_or(0, |input| input.slice_count());
        Building {
            round: sweeps.iter().map(|progress| progress.done).sum(),
            rounds: rounds.iter().sum(),
            slices: output.done.len(),
            slices_of: slices.saturating_sub(*skipped),
            states: output.states().max(input.map_or(0, LayerSize::states)),
            most_states: self.totals.most_states.max(output.states()),
            bytes: self.layers().map(Stored::len).sum(),
        }
    }

    /// Counts a slice and its batch as unfinished.
    fn give_up(&mut self, slice: u64) {
        for again in self.totals.take_out(slice) {
            self.round.output.done.remove(&again);
        }
    }

    /// Removes the files of layers that have been dropped, so that there is room for others. No
    /// index may list them then, so one is written that does not, or none is left.
    pub(super) fn free_files(&mut self) {
        let Some(folder) = self.usage.storage.folder.clone() else {
            return;
        };
        if self.usage.disk() > 0 && self.save().is_err() {
            let _ = folder::remove_file(&Index::file(&folder));
            self.usage.free_disk(self.tidy(&folder));
        }
    }

    /// Saves as much as fits the disk, when a run ends because something does not fit. Says whether
    /// there is a state to resume from, this one or an earlier one. Without one, the files of this
    /// run are removed.
    ///
    /// The layers before the round are of no use in part, so the output of the round makes way for
    /// them. It is in no index then: where it is in one, these layers are on disk already.
    pub fn save_what_fits(&mut self) -> bool {
        let Some(folder) = self.usage.storage.folder.clone() else {
            return false;
        };
        if self.flush_before().is_err() && self.freed_input().is_none() {
            self.round.output.remove_file();
            let none = Stored::new(self.round.output.name.clone(), &self.usage);
            let given_up = std::mem::replace(&mut self.round.output, none);
            given_up.done.iter().for_each(|&slice| self.give_up(slice));
        }
        let is_saved = self.flush_before().is_ok() && {
            let given_up = self.round.output.flush_what_fits();
            given_up.into_iter().for_each(|slice| self.give_up(slice));
            self.save().is_ok()
        };
        let index = Index::read(&folder, &self.made_for);
        if !is_saved && matches!(index, Ok(None)) && !self.usage.storage.is_shared {
            self.layers().for_each(Stored::remove_file);
            if !Index::file(&folder).exists() {
                let _ = folder::remove(&folder);
            }
        }
        is_saved || matches!(index, Ok(Some(_)))
    }

    /// Puts all layers but the output of this round on disk.
    fn flush_before(&self) -> Result<(), LayersError> {
        let kept = self.kept.iter().flatten();
        self.plan.layers().chain(kept).try_for_each(|layer| layer.flush())
    }

    /// The bytes that have to be written to save everything.
    pub fn unsaved(&self) -> u64 {
        self.layers().map(Stored::unsaved).sum()
    }

    /// True if the limit on disk allows to save everything.
    pub fn may_be_saved(&self) -> bool {
        self.to_save().1 <= self.usage.storage.disk
    }

    /// The layers to save, and the bytes on disk with them. A part of the layers would be of no use
    /// and take room.
    fn to_save(&self) -> (Vec<&Stored>, u64) {
        let layers: Vec<&Stored> =
            if self.is_divided() { self.layers().collect() } else { self.layers_of_whole() };
        let unsaved = layers.iter().map(|layer| layer.unsaved()).sum();
        (layers, self.usage.disk().saturating_add(unsaved))
    }

    /// Writes everything to disk, so that a later process can resume from here.
    pub fn save(&self) -> Result<(), LayersError> {
        let Storage { folder: Some(folder), is_shared: false, .. } = &self.usage.storage else {
            return Ok(());
        };
        let ((layers, wanted), disk) = (self.to_save(), self.usage.storage.disk);
        if wanted > disk {
            return Err(LayersError::Unsaved { wanted, disk });
        }
        let mut listed = Layers::new();
        for layer in layers {
            layer.flush()?;
            listed.push(layer.listed());
        }
        let sweep = self.round.sweep;
        let rounds = self.plan.last().sweeps.get(sweep).map_or(0, |progress| progress.done);
        let division = self.is_divided().then(|| self.plan.division(sweep));
        let index = Index {
            made_for: self.made_for.clone(),
            at: if self.is_divided() { Index::DIVIDED } else { (sweep, rounds) },
            states_processed: self.totals.states_processed,
            most_states: self.totals.most_states,
            met: self.totals.saved(),
            frees: self.freed_input().is_some(),
        };
        index.write(folder, division.as_ref(), &listed)?;
        self.usage.free_disk(self.tidy(folder));
        self.free_input();
        Ok(())
    }

    /// Frees the slices that a round has read, whose output is saved, if the plan is to do so.
    fn free_input(&self) {
        if let Some(input) = self.freed_input() {
            input.free(&self.round.output.done);
        }
    }

    /// The layer that the round reads, if the round frees it.
    fn freed_input(&self) -> Option<&Arc<Stored>> {
        let progress = self.plan.last().sweeps.get(self.round.sweep)?;
        progress.own.as_ref().filter(|_| progress.frees == Some(true))
    }

    /// Removes the files of layers that are no longer needed, and returns the bytes that this frees.
    /// A file that cannot be removed does no harm.
    fn tidy(&self, folder: &Path) -> u64 {
        let needed: HashSet<&str> = self
            .layers()
            .filter(|layer| layer.has_file())
            .map(|layer| layer.name.as_str())
            .chain(self.round.between.iter().map(String::as_str))
            .chain([INDEX])
            .collect();
        let mut freed = 0;
        for file in folder::own_files(folder) {
            if !needed.contains(file.name.as_str()) && folder::remove_file(&file.path).is_ok() {
                freed += file.len;
            }
        }
        freed.saturating_sub(self.usage.take_holes())
    }

    /// All layers, each once: those of the groups, the output of the round, and those that are
    /// kept.
    pub(super) fn layers(&self) -> impl Iterator<Item = &Stored> {
        let groups = self.plan.layers().map(AsRef::as_ref);
        let kept = self.kept.iter().flatten().map(AsRef::as_ref);
        groups.chain([&self.round.output]).chain(kept)
    }

    /// The layers in the order of an index that has no groups. A sweep that has not begun is left
    /// out, and when all are finished, two empty layers stand for a round.
    fn layers_of_whole(&self) -> Vec<&Stored> {
        let own = self.plan.layers().take(self.round.sweep + 1).map(AsRef::as_ref);
        let is_over = self.round.sweep == self.plan.rounds.len();
        let kept = self.kept.iter().flatten().map(AsRef::as_ref);
        let outputs =
            [&self.round.output, &self.round.output].into_iter().skip(usize::from(!is_over));
        own.chain(outputs).chain(kept).collect()
    }

    /// The states that this process has processed since the keeper last recorded them.
    pub fn take_states_processed(&mut self) -> u64 {
        std::mem::take(&mut self.totals.states_processed_here)
    }

    /// The states that this process and earlier ones have processed.
    pub fn states_processed(&self) -> u64 {
        self.totals.states_processed
    }

    /// The bytes of memory that all layers take.
    pub fn in_memory(&self) -> u64 {
        self.usage.memory()
    }

    /// Moves layers from memory to disk, as long as whole ones fit there. Nobody else may hold
    /// them.
    pub fn spill(&mut self) {
        let layers = self.plan.layers_mut().chain(self.kept.iter_mut().flatten());
        for layer in layers {
            if let Some(layer) = Arc::get_mut(layer) {
                layer.spill();
            }
        }
    }

    /// The result of the sweeps for the units that can be counted now.
    pub fn built(&self) -> Built {
        let shared = |layer: &Arc<Stored>| Arc::clone(layer) as Arc<dyn Layer>;
        let sweeps = 0..self.plan.rounds.len();
        Built {
            made_for: self.units().map(<[usize]>::to_vec).or_else(|| self.made_for.units.clone()),
            layers: sweeps.map(|sweep| shared(self.plan.layer(sweep))).collect(),
            inputs: self.kept.iter().map(|kept| kept.iter().map(shared).collect()).collect(),
            met: self.totals.met.clone().into_iter().collect(),
        }
    }
}
