//! The layers before the units of a run: the rounds of its sweeps, on many threads, in memory or on
//! disk.
//!
//! A round reads the slices of one layer, [`mod@stored`] in memory or on disk. [`mod@workers`] take
//! each of them through the round on any thread. Their output makes the next layer, and
//! [`mod@totals`] add up the states and the cycles on the way. Layers that do not fit memory and
//! disk are computed for one of the [`mod@groups`] of units after the other; a [`mod@prediction`]
//! tells early that a round will not fit. If groups do not make a layer small enough, it is
//! computed in [`mod@batches`]. Saving flushes all layers to disk and then writes an [`mod@index`]
//! of the finished slices. So a killed run finds the finished rounds, and the finished slices of
//! the round that it was in. A file is deleted once no index needs it.

mod batches;
mod groups;
mod index;
mod prediction;
mod stored;
mod totals;
mod workers;

use super::checkpoint::folder::{self, INDEX};
use super::pool::PoolContext;
use crate::durable;
use crate::rounds::{Building, Built, Layer, Partitioned, Rounds, room_for_layers};
use crate::work::{Identity, Work};
use batches::Batches;
use groups::{Groups, Lacking};
use index::{Division, Index, Layers};
use prediction::Prediction;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
pub use stored::LayersError;
pub(super) use stored::Storage;
use stored::{Stored, Usage, damaged};
use totals::{Added, Totals};
use workers::{Output, Workers};

/// The sweeps of a work on their way.
#[derive(Debug)]
pub(super) struct Sweeping {
    identity: Identity,
    /// The units that it is made for alone; `None` where for all.
    made_for: Option<Vec<usize>>,
    /// The rounds of each sweep.
    rounds: Vec<usize>,
    /// The levels at which units can be divided into groups.
    levels: usize,
    usage: Arc<Usage>,
    groups: Groups,
    /// True if the units are counted group by group.
    pub is_divided: bool,
    /// The sweep whose round is processed, and the output of that round.
    sweep: usize,
    output: Stored,
    /// The slices of that round that the group does not need.
    skipped: usize,
    /// While several rounds are processed at once, the files of the states between them.
    between: Vec<String>,
    /// By sweep, what its rounds took; empty unless that is kept.
    kept: Vec<Vec<Arc<Stored>>>,
    totals: Totals,
    /// The most states that a round has left.
    most_states: u64,
}

/// A layer between two of several rounds at once, whose file goes with it.
struct Between(Stored);

impl Drop for Between {
    fn drop(&mut self) {
        self.0.remove_file();
    }
}

/// What was kept of a batch.
enum Kept {
    All,
    /// Its states between two rounds have no room.
    NotBetween,
    /// Its output has no room.
    NoOutput,
}

/// True if the output of some slices did not fit.
fn lacks_room(kept: Result<Option<u64>, LayersError>) -> Result<bool, LayersError> {
    match kept {
        Err(LayersError::Room { .. }) => Ok(true),
        kept => kept.map(|lacking| lacking.is_some()),
    }
}

impl Sweeping {
    /// The beginning, or where an earlier process has saved it.
    pub fn new(work: &dyn Work, storage: Storage) -> Result<Self, LayersError> {
        let sweeps = work.sweeps();
        let usage = Arc::new(Usage::new(storage));
        let rounds = sweeps.map_or(Vec::new(), |sweeps| sweeps.rounds());
        let made_for = sweeps.and_then(|sweeps| sweeps.made_for().map(<[usize]>::to_vec));
        let identity = work.identity();
        let first = Self::first(&rounds, work, &usage)?;
        let mut sweeping = Self {
            kept: rounds.iter().filter(|_| usage.storage.keeps_all).map(|_| Vec::new()).collect(),
            identity,
            made_for,
            groups: Groups::new(first),
            is_divided: false,
            sweep: 0,
            output: Stored::new("0-1".to_owned(), &usage),
            skipped: 0,
            between: Vec::new(),
            rounds,
            levels: sweeps.map_or(0, |sweeps| sweeps.levels()),
            usage,
            totals: Totals::default(),
            most_states: 0,
        };
        let of = &sweeping.usage.storage;
        if let Some(folder) = of.folder.as_ref().filter(|_| !of.is_shared) {
            folder::check(folder)?;
        }
        if let Some(folder) = &of.folder
            && let Some((index, division, layers)) =
                Index::read(folder, &sweeping.identity, sweeping.made_for.as_deref())?
            && (!of.serves_all || division.is_none())
            && (!of.keeps_all || index.has_all(&sweeping.rounds, &layers))
        {
            let (file, folder) = (Index::file(folder), folder.clone());
            let is_restored = sweeping.restore(index, division, layers)?;
            is_restored
                .then_some(())
                .ok_or_else(|| damaged(&file, "its layers are not those of its round"))?;
            if !sweeping.usage.storage.is_shared {
                folder::claim(&folder)?;
                // What the index does not list takes room that nobody has counted.
                sweeping.tidy(&folder);
            }
        }
        Ok(sweeping)
    }

    /// The layers that the sweeps start with.
    fn first(
        rounds: &[usize],
        work: &dyn Work,
        usage: &Arc<Usage>,
    ) -> Result<Vec<Arc<Stored>>, LayersError> {
        let first = |sweep: usize| {
            let mut first = Stored::new(format!("{sweep}-0"), usage);
            if let Some(sweeps) = work.sweeps() {
                first.add(0, sweeps.start())?;
                first.done.insert(0);
            }
            Ok(Arc::new(first))
        };
        (0..rounds.len()).map(first).collect()
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
                    let before = index.rounds_before(sweep, &self.rounds);
                    kept.extend(inputs.by_ref().take(before));
                }
                self.restore_whole(index.at, layers)
            }
        };
        self.totals.restore(index.states_processed, index.met);
        self.most_states = index.most_states;
        Ok(is_sound)
    }

    /// Restores a count that is not divided, from the layers of finished sweeps, the input and the
    /// output of a round.
    fn restore_whole(&mut self, at: (usize, usize), mut layers: Vec<Stored>) -> bool {
        let Some((output, input)) = layers.pop().zip(layers.pop()) else {
            return false;
        };
        let of = self.rounds.get(at.0);
        if layers.len() != at.0 || at.0 > self.rounds.len() || of.is_some_and(|&of| at.1 > of) {
            return false;
        }
        let root = self.groups.last_mut();
        root.group.rounds = self.rounds.clone();
        if at.0 < self.rounds.len() {
            root.group.rounds[at.0] = at.1;
            root.group.rounds[at.0 + 1..].fill(0);
            layers.push(input);
            self.output = output;
        }
        for (own, layer) in root.own.iter_mut().zip(layers) {
            *own = Some(Arc::new(layer));
        }
        self.sweep = at.0;
        true
    }

    fn restore_division(&mut self, division: Division, layers: Vec<Stored>) -> bool {
        let (sweep, mut layers) = (division.sweep, layers.into_iter());
        let groups = Groups::restored(division, &mut layers, self.rounds.len());
        let (Some(groups), Some(output), None) = (groups, layers.next(), layers.next()) else {
            return false;
        };
        self.is_divided = true;
        (self.groups, self.output, self.sweep) = (groups, output, sweep);
        if let Some(&of) = self.rounds.get(sweep)
            && !self.output.done.is_empty()
        {
            let left = of.saturating_sub(self.groups.last().group.rounds[sweep]);
            let leads_to = |&rounds: &usize| self.output.name == self.groups.name(sweep, rounds);
            let Some(rounds_at_once) = (1..=left).find(leads_to) else {
                return false;
            };
            self.groups.last_mut().rounds_at_once[sweep] = rounds_at_once;
        }
        let is_over = sweep == self.rounds.len() && self.output.done.is_empty();
        let units = usize::try_from(self.identity.units).unwrap_or(usize::MAX);
        self.groups.are_within(&self.rounds, units) && (is_over || sweep < self.rounds.len())
    }

    /// The units that can be counted now; `None` for all units of the run.
    pub fn units(&self) -> Option<&[usize]> {
        self.groups.last().group.units.as_deref()
    }

    /// The layer that the round reads; `None` if all sweeps are finished.
    fn input(&self) -> Option<&Arc<Stored>> {
        (self.sweep < self.rounds.len()).then(|| self.groups.layer(self.sweep))
    }

    /// The progress of the sweeps.
    pub fn progress(&self) -> Building {
        let input = self.input();
        let read = input.map_or((0, 0), |input| (input.slice_count(), input.states()));
        Building {
            round: self.groups.last().group.rounds.iter().sum(),
            rounds: self.rounds.iter().sum(),
            slices: self.output.done.len(),
            slices_of: read.0 - self.skipped.min(read.0),
            states: self.output.states().max(read.1),
            most_states: self.most_states.max(self.output.states()),
            bytes: self.layers().map(Stored::len).sum(),
        }
    }

    /// Goes through the rounds until some units can be counted, and returns true then; false if it
    /// is told to stop or if no unit remains. `is_open` says which units remain. `look_up` is
    /// called several times a second on this thread, and may save what there is.
    pub fn go(
        &mut self,
        work: &dyn Work,
        context: PoolContext,
        is_open: &dyn Fn(usize) -> bool,
        look_up: &mut dyn FnMut(&mut Self),
    ) -> Result<bool, LayersError> {
        let Some(sweeps) = work.sweeps() else {
            return Ok(true);
        };
        while !context.control.is_stopped() {
            if self.is_divided && !self.units_of_last(work).into_iter().any(is_open) {
                if !self.groups.leave() {
                    return Ok(false);
                }
                self.begin_round(0);
                self.free_files();
            } else if let Some(sweep) = self.next_sweep() {
                let was_divided = self.is_divided;
                self.advance(sweep, sweeps, context, look_up)?;
                if self.is_divided && !was_divided {
                    let first = Self::first(&self.rounds, work, &self.usage)?;
                    self.groups.share_room(&first, self.room(), self.levels);
                    self.begin_round(self.sweep);
                    self.free_files();
                }
            } else if self.groups.last().group.rounds == self.rounds {
                return Ok(true);
            } else {
                self.divide(work, sweeps, is_open)?;
            }
        }
        Ok(false)
    }

    /// The units of the present group.
    fn units_of_last(&self, work: &dyn Work) -> Vec<usize> {
        let units = self.units().or(self.made_for.as_deref());
        units.map_or_else(|| (0..work.units()).collect(), <[usize]>::to_vec)
    }

    /// The sweep that goes on: one whose round is begun, or else the one that takes less.
    fn next_sweep(&self) -> Option<usize> {
        let rounds = &self.groups.last().group.rounds;
        let is_begun = !self.output.done.is_empty();
        match self.is_divided {
            true if is_begun => Some(self.sweep),
            true => self.groups.next_sweep(&self.rounds),
            false => (0..self.rounds.len()).find(|&sweep| rounds[sweep] < self.rounds[sweep]),
        }
    }

    /// Gets ready for the next round of a sweep in the present group.
    fn begin_round(&mut self, sweep: usize) {
        self.sweep = sweep;
        let rounds = self.groups.last().rounds_at_once[sweep];
        self.output = Stored::new(self.groups.name(sweep, rounds), &self.usage);
        self.totals.begin_round();
        self.skipped = 0;
    }

    /// Goes through the next round of a sweep in the present group. If its output does not fit, the
    /// round is given up, and the count is divided from here on.
    fn advance(
        &mut self,
        sweep: usize,
        sweeps: &dyn Rounds,
        context: PoolContext,
        look_up: &mut dyn FnMut(&mut Self),
    ) -> Result<(), LayersError> {
        if sweep != self.sweep || self.output.done.is_empty() {
            self.begin_round(sweep);
        }
        match self.process(sweeps, context, look_up)? {
            Some(lacking) => self.give_up_round(lacking),
            None if context.control.is_stopped() => {}
            None => self.finish_round(sweep),
        }
        Ok(())
    }

    /// Makes the output of a round the layer that its sweep has reached.
    fn finish_round(&mut self, sweep: usize) {
        self.most_states = self.most_states.max(self.output.states());
        let made = std::mem::replace(&mut self.output, Stored::new(String::new(), &self.usage));
        let states = self.totals.states_in_round();
        let consumed = self.groups.last_mut().finish_rounds(sweep, made, states);
        let has_file = consumed.as_ref().is_some_and(|consumed| consumed.has_file());
        match self.kept.get_mut(sweep) {
            Some(kept) => kept.extend(consumed),
            None => drop(consumed),
        }
        if has_file && self.kept.is_empty() {
            self.free_files();
        }
        let next = self.next_sweep().unwrap_or(self.rounds.len());
        match next < self.rounds.len() {
            true => self.begin_round(next),
            false => self.sweep = next,
        }
    }

    /// Gives up a round whose output does not fit.
    fn give_up_round(&mut self, lacking: Lacking) {
        self.is_divided = true;
        self.groups.last_mut().lacking[self.sweep] = Some(lacking);
        self.begin_round(self.sweep);
        self.free_files();
    }

    /// Continues with the first part of the present group that has unfinished units.
    fn divide(
        &mut self,
        work: &dyn Work,
        sweeps: &dyn Rounds,
        is_open: &dyn Fn(usize) -> bool,
    ) -> Result<(), LayersError> {
        if let Some(sweep) = self.groups.join_rounds(&self.rounds) {
            self.begin_round(sweep);
            return Ok(());
        }
        if self.make_room(work)? {
            return Ok(());
        }
        let (units, level) = (self.units_of_last(work), self.groups.last().group.level);
        for level in level + 1..=sweeps.levels() {
            let parts = sweeps.divided(&units, level);
            let is_wanted = |part: &&Vec<usize>| part.iter().any(|&unit| is_open(unit));
            if parts.len() > 1
                && let Some(part) = parts.iter().find(is_wanted)
            {
                self.groups.enter(part.clone(), level);
                self.begin_round(0);
                return Ok(());
            }
        }
        if self.groups.join_earlier_rounds() {
            self.begin_round(0);
            self.free_files();
            return Ok(());
        }
        // A byte stands for a number that is not known.
        let lacking = self.groups.last().lacking.iter().flatten().map(|lacking| lacking.bytes);
        Err(self.usage.storage.too_small_by(lacking.filter(|&bytes| bytes > 1).min()))
    }

    /// Drops a layer for the next round of the present group. Returns false if it is better to
    /// divide the group, or if there is no such layer.
    fn make_room(&mut self, work: &dyn Work) -> Result<bool, LayersError> {
        let is_made = self.groups.give_way(&Self::first(&self.rounds, work, &self.usage)?);
        if is_made {
            self.begin_round(0);
            self.free_files();
        }
        Ok(is_made)
    }

    /// Removes the files of layers that have been dropped, so that there is room for others. No
    /// index may list them then, so one is written that does not, or none is left.
    fn free_files(&mut self) {
        let Some(folder) = self.usage.storage.folder.clone() else {
            return;
        };
        if self.usage.disk() > 0 && self.save().is_err() {
            if durable::is_regular(&Index::file(&folder)) {
                let _ = durable::remove(&Index::file(&folder));
            }
            self.usage.free_disk(self.tidy(&folder));
        }
    }

    /// Processes the next round of a sweep, or several at once, for the present group. Returns what
    /// is lacking if that does not fit and the count can be divided.
    fn process(
        &mut self,
        sweeps: &dyn Rounds,
        context: PoolContext,
        look_up: &mut dyn FnMut(&mut Self),
    ) -> Result<Option<Lacking>, LayersError> {
        self.leave_memory_to_largest_slice(context.memory);
        let input = Arc::clone(self.groups.layer(self.sweep));
        let narrowed = self.units().and_then(|units| sweeps.narrowed(units));
        let workers = Workers { sweeps, narrowed: narrowed.as_deref(), context };
        let at = self.at();
        let (slices, prediction) = self.remaining(&input, |slice| workers.needs(at, slice));
        let input = (&*input, slices);
        match self.groups.last().rounds_at_once[self.sweep] {
            1 => self.round(workers, input, prediction, look_up),
            _ => self.rounds_in_batches(workers, input, prediction, look_up),
        }
    }

    /// The round that the present group goes through next, by sweep and number.
    fn at(&self) -> (usize, usize) {
        (self.sweep, self.groups.last().group.rounds[self.sweep])
    }

    /// Processes some slices of a layer in one round. Returns what it lacks if its output does not
    /// fit and the count can be divided.
    fn round(
        &mut self,
        workers: Workers,
        (input, slices): (&Stored, Vec<(u64, u64)>),
        mut prediction: Prediction,
        look_up: &mut dyn FnMut(&mut Self),
    ) -> Result<Option<Lacking>, LayersError> {
        let may_divide = !self.usage.storage.serves_all && workers.sweeps.levels() > 0;
        let receive = &mut |sweeping: &mut Self, output| {
            sweeping.receive(output, input, &mut prediction, may_divide)
        };
        let lacking = workers.process(self.at(), (input, slices), self, receive, look_up)?;
        Ok(lacking.map(|bytes| self.lacking_of(bytes, &prediction)))
    }

    /// Takes some slices of a layer through several rounds at once, in batches. Returns what they
    /// lack if the output does not fit, or the states of a single slice between the rounds.
    fn rounds_in_batches(
        &mut self,
        workers: Workers,
        (input, slices): (&Stored, Vec<(u64, u64)>),
        mut prediction: Prediction,
        look_up: &mut dyn FnMut(&mut Self),
    ) -> Result<Option<Lacking>, LayersError> {
        let with_bytes = slices.iter().map(|&(_, slice)| (slice, input.bytes_of(slice)));
        let growth = self.groups.last().growth[self.sweep];
        let mut batches = Batches::new(with_bytes.collect(), growth);
        while !workers.context.control.is_stopped() {
            // The rest of what is left is for the output.
            let room = 0.7 * self.left() as f64;
            let Some(batch) = batches.next(room) else {
                break;
            };
            let (mut sums, before) = (Added::default(), self.output.len());
            let kept = self.batch(workers, (input, &batch), &mut sums, look_up);
            self.between.clear();
            let lacking = match kept? {
                _ if workers.context.control.is_stopped() => None,
                Kept::All => {
                    let (bytes, output) = (batches::bytes(&batch), self.output.len() - before);
                    prediction.finish(batch[0].0, bytes, &[]);
                    self.take_batch(&batch, sums)?;
                    let more = batches.output_to_come(room, bytes, output);
                    self.lacking(self.output.len() as f64 + more)
                }
                Kept::NotBetween if batches.give_back(&batch) => None,
                Kept::NotBetween | Kept::NoOutput => Some(1),
            };
            if let Some(bytes) = lacking {
                return Ok(Some(self.lacking_of(bytes, &prediction)));
            }
        }
        Ok(None)
    }

    /// Takes a batch of slices of a layer through several rounds. Its output is listed under its
    /// first slice, but not done yet.
    fn batch(
        &mut self,
        workers: Workers,
        (input, batch): (&Stored, &[(u64, u64)]),
        sums: &mut Added,
        look_up: &mut dyn FnMut(&mut Self),
    ) -> Result<Kept, LayersError> {
        let ((sweep, first), name) = (self.at(), batch[0].0);
        let last = first + self.groups.last().rounds_at_once[sweep] - 1;
        let memory_for = |&(slice, bytes)| (stored::memory_for(bytes), slice);
        let mut slices: Vec<(u64, u64)> = batch.iter().map(memory_for).collect();
        let mut before: Option<Between> = None;
        for number in first..=last {
            let at = (sweep, number);
            let after = Stored::new(format!("{sweep}-{}.between", number + 1), &self.usage);
            self.between.push(after.name.clone());
            let mut after = Between(after);
            let mut keep = |sweeping: &mut Self, output: Output| {
                let (slice, portion) = output.summed(sums)?;
                match number == last {
                    true => sweeping.output.add(name, portion),
                    false => after.0.add(slice, portion),
                }
                .map(|()| None)
            };
            let read = before.as_ref().map_or(input, |before| &before.0);
            let kept = workers.process(at, (read, slices), self, &mut keep, look_up);
            if lacks_room(kept)? {
                return Ok(if number == last { Kept::NoOutput } else { Kept::NotBetween });
            } else if workers.context.control.is_stopped() {
                break;
            }
            // The output of the batch needs room beside these states.
            if number < last && batch.len() > 1 && after.0.len() as f64 > 0.8 * self.left() as f64 {
                return Ok(Kept::NotBetween);
            }
            slices = after.0.slices();
            slices.retain(|&(_, slice)| workers.needs((sweep, number + 1), slice));
            before = Some(after);
        }
        Ok(Kept::All)
    }

    /// Takes over the sums of a batch, whose output is under its first slice.
    fn take_batch(&mut self, batch: &[(u64, u64)], added: Added) -> Result<(), LayersError> {
        let slices: Vec<u64> = batch.iter().map(|slice| slice.0).collect();
        for &slice in &slices {
            // A slice without output of its own is listed with an empty piece.
            self.output.add(slice, Partitioned::default())?;
            self.output.done.insert(slice);
        }
        self.totals.add_batch(slices, added);
        Ok(())
    }

    /// The bytes that layers may still take.
    fn left(&self) -> u64 {
        self.room().saturating_sub(self.layers().map(Stored::len).sum())
    }

    /// The reason to give up a round that lacks so many bytes.
    fn lacking_of(&self, bytes: u64, prediction: &Prediction) -> Lacking {
        let states = self.totals.states_in_round();
        let output = prediction.at_the_end(self.output.len());
        Lacking { bytes, states: prediction.at_the_end(states), output }
    }

    /// Moves layers to disk if the largest slice of the round takes more than the memory for slices
    /// in progress. Such a slice is processed alone, one stage at a time.
    fn leave_memory_to_largest_slice(&mut self, memory: u64) {
        let largest = self.groups.layer(self.sweep).slices().first().map_or(0, |largest| largest.0);
        if self.usage.reserve((largest / 2).saturating_sub(memory)) {
            self.spill();
        }
    }

    /// The slices of a layer that a round still has to process, of those that are needed, each with
    /// the memory that it takes.
    fn remaining(
        &mut self,
        input: &Stored,
        is_needed: impl Fn(u64) -> bool,
    ) -> (Vec<(u64, u64)>, Prediction) {
        let mut slices = input.slices();
        slices.retain(|&(_, slice)| is_needed(slice));
        self.skipped = input.slice_count() - slices.len();
        let all = slices.iter().map(|&(_, slice)| input.bytes_of(slice)).sum();
        let finished = self.output.done.iter().map(|&slice| input.bytes_of(slice)).sum();
        slices.retain(|(_, slice)| !self.output.done.contains(slice));
        (slices, Prediction::new(all, finished, self.output.len()))
    }

    /// Takes over the output of a slice. Returns the bytes that the round lacks if its output will
    /// not fit and the count may be divided.
    fn receive(
        &mut self,
        output: Output,
        input: &Stored,
        prediction: &mut Prediction,
        may_divide: bool,
    ) -> Result<Option<u64>, LayersError> {
        let taken = match output {
            Output::Portion(slice, portion) => {
                prediction.add(slice, &portion.bytes);
                self.output.add(slice, portion)
            }
            Output::Last(slice, last) => {
                prediction.finish(slice, input.bytes_of(slice), &last.bytes);
                self.take(slice, last)
            }
            Output::StatesUnavailable(lost) => Err(lost.into()),
        };
        match taken {
            // How much more than the least is lacking is not known.
            Err(LayersError::Room { .. }) if may_divide => Ok(Some(1)),
            Err(error) => Err(error),
            Ok(()) if !may_divide => Ok(None),
            Ok(()) => Ok(prediction.bytes().and_then(|bytes| self.lacking(bytes))),
        }
    }

    /// The bytes that all layers may take.
    fn room(&self) -> u64 {
        room_for_layers(self.usage.storage.memory, self.usage.storage.disk)
    }

    /// The bytes that are lacking if the output of the round takes so many; `None` if it fits.
    fn lacking(&self, bytes: f64) -> Option<u64> {
        let room = self.room();
        let lacking = self.groups.last().len() as f64 + bytes - room as f64;
        match self.is_divided {
            true => self.groups.lacking(self.sweep, bytes, room, &self.rounds, self.levels),
            false => (lacking > 0.0).then_some(lacking as u64),
        }
    }

    /// Takes over the last portion of a slice. What has no room counts as not done, so its sums are
    /// not taken either.
    fn take(&mut self, slice: u64, mut dealt: Partitioned) -> Result<(), LayersError> {
        let sums = (dealt.states_processed, std::mem::take(&mut dealt.met));
        self.output.add(slice, dealt)?;
        self.output.done.insert(slice);
        self.totals.add(slice, sums);
        Ok(())
    }

    /// Counts a slice as not done, and its batch.
    fn give_up(&mut self, slice: u64) {
        for again in self.totals.take_out(slice) {
            self.output.done.remove(&again);
        }
    }

    /// Saves as much as the disk has room for, when a run ends for want of room. Says whether there
    /// is a state to resume from, this one or an earlier one.
    ///
    /// The layers before the round are of no use in part, so the output of the round makes way for
    /// them. It is in no index then: where it is in one, these layers are on disk already.
    pub fn save_what_fits(&mut self) -> bool {
        let Some(folder) = self.usage.storage.folder.clone() else {
            return false;
        };
        if self.flush_before().is_err() {
            self.output.remove_file();
            let none = Stored::new(self.output.name.clone(), &self.usage);
            let given_up = std::mem::replace(&mut self.output, none);
            given_up.done.iter().for_each(|&slice| self.give_up(slice));
        }
        let is_saved = self.flush_before().is_ok() && {
            let given_up = self.output.flush_what_fits();
            given_up.into_iter().for_each(|slice| self.give_up(slice));
            self.save().is_ok()
        };
        let units = self.made_for.as_deref();
        is_saved || matches!(Index::read(&folder, &self.identity, units), Ok(Some(_)))
    }

    /// Puts all layers but the output of this round on disk.
    fn flush_before(&self) -> Result<(), LayersError> {
        let kept = self.kept.iter().flatten();
        self.groups.layers().chain(kept).try_for_each(|layer| layer.flush())
    }

    /// Writes everything to disk, so that a later process can resume from here.
    pub fn save(&self) -> Result<(), LayersError> {
        let Some(folder) = self.usage.storage.folder.clone() else {
            return Ok(());
        };
        if self.usage.storage.is_shared {
            return Ok(());
        }
        let layers: Vec<&Stored> = match self.is_divided {
            true => self.layers().collect(),
            false => self.layers_of_whole(),
        };
        // A part of the layers would be of no use and take room.
        let unsaved: u64 = layers.iter().map(|layer| layer.unsaved()).sum();
        if self.usage.disk().saturating_add(unsaved) > self.usage.storage.disk {
            return Err(self.usage.storage.too_small());
        }
        let mut listed = Layers::new();
        for layer in layers {
            layer.flush()?;
            listed.push(layer.listed());
        }
        let division = self.is_divided.then(|| self.groups.division(self.sweep));
        let rounds = &self.groups.last().group.rounds;
        let index = Index {
            identity: self.identity.clone(),
            made_for: self.made_for.clone(),
            at: match self.is_divided {
                true => Index::DIVIDED,
                false => (self.sweep, rounds.get(self.sweep).copied().unwrap_or(0)),
            },
            states_processed: self.totals.states_processed,
            most_states: self.most_states,
            met: self.totals.saved(),
        };
        index.write(&folder, division.as_ref(), &listed)?;
        self.usage.free_disk(self.tidy(&folder));
        Ok(())
    }

    /// Removes the files of layers that are no longer needed, and returns their bytes. What cannot
    /// be removed harms nobody.
    fn tidy(&self, folder: &Path) -> u64 {
        let needed: HashSet<&str> = self
            .layers()
            .filter(|layer| layer.has_file())
            .map(|layer| layer.name.as_str())
            .chain(self.between.iter().map(String::as_str))
            .chain([INDEX])
            .collect();
        let mut freed = 0;
        for file in folder::own_files(folder) {
            if !needed.contains(file.name.as_str()) && durable::remove(&file.path).is_ok() {
                freed += file.len;
            }
        }
        freed
    }

    /// All layers, each once: those of the groups, the output of the round, and those that are
    /// kept.
    fn layers(&self) -> impl Iterator<Item = &Stored> {
        let groups = self.groups.layers().map(AsRef::as_ref);
        let kept = self.kept.iter().flatten().map(AsRef::as_ref);
        groups.chain([&self.output]).chain(kept)
    }

    /// The layers in the order of an index that has no groups. A sweep that has not begun is left
    /// out, and when all are finished, two empty layers stand for a round.
    fn layers_of_whole(&self) -> Vec<&Stored> {
        let own = self.groups.layers().take(self.sweep + 1).map(AsRef::as_ref);
        let is_over = self.sweep == self.rounds.len();
        let kept = self.kept.iter().flatten().map(AsRef::as_ref);
        let outputs = [&self.output, &self.output].into_iter().skip(usize::from(!is_over));
        own.chain(outputs).chain(kept).collect()
    }

    /// The states that this process has processed, of which the keeper has not taken note.
    pub fn states_processed_here(&self) -> u64 {
        self.totals.states_processed_here
    }

    /// The same, of which the keeper takes note now.
    pub fn take_states_processed(&mut self) -> u64 {
        std::mem::take(&mut self.totals.states_processed_here)
    }

    /// The bytes of memory that all layers take.
    pub fn in_memory(&self) -> u64 {
        self.usage.memory()
    }

    /// Moves layers from memory to disk, as long as whole ones fit there. Nobody else may hold
    /// them.
    pub fn spill(&mut self) {
        let layers = self.groups.layers_mut().chain(self.kept.iter_mut().flatten());
        for layer in layers {
            if let Some(layer) = Arc::get_mut(layer) {
                layer.spill();
            }
        }
    }

    /// The result of the sweeps for the units that can be counted now.
    pub fn built(&self) -> Built {
        let layers = (0..self.rounds.len())
            .map(|sweep| Arc::clone(self.groups.layer(sweep)) as Arc<dyn Layer>);
        let inputs = self.kept.iter().map(|kept| {
            let inputs = kept.iter().cloned();
            inputs.map(|layer| layer as Arc<dyn Layer>).collect()
        });
        Built {
            made_for: self.units().map(<[usize]>::to_vec).or_else(|| self.made_for.clone()),
            layers: layers.collect(),
            inputs: inputs.collect(),
            met: self.totals.met.clone().into_iter().collect(),
        }
    }
}

/// True if a folder has layers of another run. Without an index there is nothing that could be
/// resumed.
///
/// # Errors
/// [`LayersError`] when its index cannot be read.
pub fn is_of_another(folder: &Path, work: &dyn Work) -> Result<bool, LayersError> {
    Ok(Index::read(folder, &work.identity(), None)?.is_none() && Index::file(folder).exists())
}

/// True if a folder has all layers of a run, so that other processes may read them there.
///
/// # Errors
/// [`LayersError`] when its index cannot be read.
pub fn is_prepared(folder: &Path, work: &dyn Work) -> Result<bool, LayersError> {
    let index = Index::read(folder, &work.identity(), None)?;
    let rounds = work.sweeps().map_or(0, |sweeps| sweeps.rounds().len());
    Ok(index.is_some_and(|(index, ..)| index.at.0 == rounds))
}
