//! The layers before the units of a run: the rounds of its sweeps, on many threads, in memory or on
//! disk.
//!
//! A round reads the slices of one layer, [`mod@stored`] in memory or on disk, each on any thread,
//! and their output makes the next layer. Layers that do not fit memory and disk are computed for
//! one of the [`mod@groups`] of units after the other; a [`mod@prediction`] tells early that a
//! round will not fit. If groups do not make a layer small enough, it is computed in
//! [`mod@batches`]. Saving flushes all layers to disk and then writes an [`mod@index`] of the
//! finished slices. So a killed run finds the finished rounds, and the finished slices of the round
//! that it was in. A file is deleted once no index needs it.

mod batches;
mod groups;
mod index;
mod prediction;
mod stored;

use super::pool::{self, PoolContext, WorkerHandle};
use crate::rounds::{
    Building, Built, Layer, Narrowed, Partitioned, RoundWorker, Rounds, StatesUnavailable,
    room_for_layers,
};
use crate::tally::Tally;
use crate::work::{Identity, Work};
use batches::Batches;
use groups::{Groups, Lacking};
use index::{Division, INDEX, Index, Layers};
use num_bigint::BigUint;
use prediction::Prediction;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;
pub use stored::LayersError;
pub(super) use stored::Limits;
use stored::{Stored, Usage, damaged};

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
    /// The slices of each batch, by the slice that its output is listed under.
    batches: HashMap<u64, Vec<u64>>,
    /// By sweep, what its rounds took; empty unless that is kept.
    kept: Vec<Vec<Arc<Stored>>>,
    met: BTreeMap<u32, Tally>,
    /// By slice that this process has done in this round, what it added to the sums.
    added: HashMap<u64, Added>,
    /// States taken on in all rounds, and the most that one has left.
    states_processed: u64,
    most_states: u64,
    /// States taken on by this process, until the keeper takes note of them.
    pub states_processed_here: u64,
}

/// The contribution of a slice to the totals of all rounds: the states processed, and the completed
/// cycles.
type Added = (u64, Vec<(u32, Tally)>);

/// The output of the slices of a round: for each slice some portions, then the last one with the
/// totals, unless it was stopped.
enum Output {
    Portion(u64, Partitioned),
    Last(u64, Partitioned),
    StatesUnavailable(StatesUnavailable),
}

/// What processes the slices of a round.
#[derive(Clone, Copy)]
struct Workers<'a> {
    sweeps: &'a dyn Rounds,
    /// The sweeps restricted to the units of a group.
    narrowed: Option<&'a dyn Narrowed>,
    context: PoolContext<'a>,
}

impl Workers<'_> {
    /// True if a slice that a round reads may have states that lead to the units.
    fn needs(&self, at: (usize, usize), slice: u64) -> bool {
        self.narrowed.is_none_or(|narrowed| narrowed.needs(at, slice))
    }
}

/// Takes over the output of a slice. Returns the bytes that are lacking if there is no room.
type Receive<'a> = dyn FnMut(&mut Sweeping, Output) -> Result<Option<u64>, LayersError> + 'a;

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

/// Takes the totals out of the output of a slice, and returns its states.
fn sum_up(output: Output, sums: &mut Added) -> Result<(u64, Partitioned), LayersError> {
    match output {
        Output::Portion(slice, portion) => Ok((slice, portion)),
        Output::Last(slice, mut last) => {
            sums.0 += last.states_processed;
            sums.1.append(&mut last.met);
            Ok((slice, last))
        }
        Output::StatesUnavailable(lost) => Err(lost.into()),
    }
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
    pub fn new(work: &dyn Work, limits: Limits) -> Result<Self, LayersError> {
        let sweeps = work.sweeps();
        let usage = Arc::new(Usage::new(limits));
        let rounds = sweeps.map_or(Vec::new(), |sweeps| sweeps.rounds());
        let made_for = sweeps.and_then(|sweeps| sweeps.made_for().map(<[usize]>::to_vec));
        let identity = work.identity();
        let first = Self::first(&rounds, work, &usage)?;
        let mut sweeping = Self {
            kept: rounds.iter().filter(|_| usage.limits.keeps_all).map(|_| Vec::new()).collect(),
            identity,
            made_for,
            groups: Groups::new(first),
            is_divided: false,
            sweep: 0,
            output: Stored::new("0-1".to_owned(), &usage),
            skipped: 0,
            between: Vec::new(),
            batches: HashMap::new(),
            rounds,
            levels: sweeps.map_or(0, |sweeps| sweeps.levels()),
            usage,
            met: BTreeMap::new(),
            added: HashMap::new(),
            states_processed: 0,
            most_states: 0,
            states_processed_here: 0,
        };
        let of = &sweeping.usage.limits;
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
            if !sweeping.usage.limits.is_shared {
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
        let met = index
            .met
            .into_iter()
            .map(|(name, bytes)| (name, Tally::from_big(BigUint::from_bytes_le(&bytes))));
        self.met = met.collect();
        self.states_processed = index.states_processed;
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
        self.added.clear();
        self.batches.clear();
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
        let lacking = match self.groups.last().rounds_at_once[sweep] {
            1 => self.round(sweeps, context, look_up)?,
            _ => self.rounds_in_batches(sweeps, context, look_up)?,
        };
        match lacking {
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
        let node = self.groups.last_mut();
        node.group.rounds[sweep] += std::mem::replace(&mut node.rounds_at_once[sweep], 1);
        node.states_processed[sweep] += self.added.values().map(|(states, _)| states).sum::<u64>();
        let consumed = node.own[sweep].replace(Arc::new(made));
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
        // A byte stands for a number that is not known.
        let lacking = self.groups.last().lacking.iter().flatten().map(|lacking| lacking.bytes);
        Err(self.usage.limits.too_small_by(lacking.filter(|&bytes| bytes > 1).min()))
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
        let Some(folder) = self.usage.limits.folder.clone() else {
            return;
        };
        if self.usage.disk() > 0 && self.save().is_err() {
            let _ = fs::remove_file(Index::file(&folder));
            self.usage.free_disk(self.tidy(&folder));
        }
    }

    /// Processes the slices of a round that are not done. Returns what it lacks if its output does
    /// not fit and the count can be divided.
    fn round(
        &mut self,
        sweeps: &dyn Rounds,
        context: PoolContext,
        look_up: &mut dyn FnMut(&mut Self),
    ) -> Result<Option<Lacking>, LayersError> {
        self.leave_memory_to_largest_slice(context.memory);
        let input = Arc::clone(self.groups.layer(self.sweep));
        let at = (self.sweep, self.groups.last().group.rounds[self.sweep]);
        let may_divide = !self.usage.limits.serves_all && sweeps.levels() > 0;
        let units = self.units().map(<[usize]>::to_vec);
        let narrowed = units.and_then(|units| sweeps.narrowed(&units));
        let workers = Workers { sweeps, narrowed: narrowed.as_deref(), context };
        let (slices, mut prediction) = self.remaining(&input, |slice| workers.needs(at, slice));
        let receive = &mut |sweeping: &mut Self, output| {
            sweeping.receive(output, &input, &mut prediction, may_divide)
        };
        let lacking = self.process(workers, at, (&input, slices), receive, look_up)?;
        Ok(lacking.map(|bytes| self.lacking_of(bytes, &prediction)))
    }

    /// Processes several rounds at once, in batches of the slices that are not done. Returns what
    /// they lack if the output does not fit, or the states of a single slice between the rounds.
    fn rounds_in_batches(
        &mut self,
        sweeps: &dyn Rounds,
        context: PoolContext,
        look_up: &mut dyn FnMut(&mut Self),
    ) -> Result<Option<Lacking>, LayersError> {
        self.leave_memory_to_largest_slice(context.memory);
        let input = Arc::clone(self.groups.layer(self.sweep));
        let at = (self.sweep, self.groups.last().group.rounds[self.sweep]);
        let units = self.units().map(<[usize]>::to_vec);
        let narrowed = units.and_then(|units| sweeps.narrowed(&units));
        let workers = Workers { sweeps, narrowed: narrowed.as_deref(), context };
        let (slices, mut prediction) = self.remaining(&input, |slice| workers.needs(at, slice));
        let with_bytes = slices.iter().map(|&(_, slice)| (slice, input.bytes_of(slice)));
        let growth = self.groups.last().growth[self.sweep];
        let mut batches = Batches::new(with_bytes.collect(), growth);
        // The rest of what is left is for the output.
        while let Some(batch) = batches.next(0.7 * self.left() as f64) {
            let mut sums = Added::default();
            let kept = self.batch(workers, (&input, &batch), &mut sums, &mut prediction, look_up);
            self.between.clear();
            match kept? {
                _ if context.control.is_stopped() => break,
                Kept::All => {
                    prediction.finish(batch[0].0, batches::bytes(&batch), &[]);
                    self.take_batch(&batch, sums)?;
                    if let Some(bytes) = prediction.bytes().and_then(|bytes| self.lacking(bytes)) {
                        return Ok(Some(self.lacking_of(bytes, &prediction)));
                    }
                }
                Kept::NotBetween if batches.give_back(&batch) => {}
                Kept::NotBetween | Kept::NoOutput => {
                    return Ok(Some(self.lacking_of(1, &prediction)));
                }
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
        prediction: &mut Prediction,
        look_up: &mut dyn FnMut(&mut Self),
    ) -> Result<Kept, LayersError> {
        let (sweep, name) = (self.sweep, batch[0].0);
        let node = self.groups.last();
        let first = node.group.rounds[sweep];
        let last = first + node.rounds_at_once[sweep] - 1;
        let memory_for = |&(slice, bytes)| (stored::memory_for(bytes), slice);
        let mut slices: Vec<(u64, u64)> = batch.iter().map(memory_for).collect();
        let mut before: Option<Between> = None;
        for number in first..=last {
            let at = (sweep, number);
            let after = Stored::new(format!("{sweep}-{}.between", number + 1), &self.usage);
            self.between.push(after.name.clone());
            let mut after = Between(after);
            let mut keep = |sweeping: &mut Self, output| {
                let (slice, portion) = sum_up(output, sums)?;
                match number == last {
                    true => {
                        prediction.add(name, &portion.bytes);
                        sweeping.output.add(name, portion)
                    }
                    false => after.0.add(slice, portion),
                }
                .map(|()| None)
            };
            let read = before.as_ref().map_or(input, |before| &before.0);
            let kept = self.process(workers, at, (read, slices), &mut keep, look_up);
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
            self.take(slice, Partitioned::default())?;
        }
        self.count(slices[0], added);
        self.batches.insert(slices[0], slices);
        Ok(())
    }

    /// The bytes that layers may still take.
    fn left(&self) -> u64 {
        self.room().saturating_sub(self.layers().map(Stored::len).sum())
    }

    /// The reason to give up a round that lacks so many bytes.
    fn lacking_of(&self, bytes: u64, prediction: &Prediction) -> Lacking {
        let states = self.added.values().map(|(states, _)| states).sum();
        let output = prediction.at_the_end(self.output.len());
        Lacking { bytes, states: prediction.at_the_end(states), output }
    }

    /// Takes slices of a layer, each with the memory that it takes, through a round and passes their
    /// output to `receive`, until that returns an error or the bytes that are lacking.
    fn process(
        &mut self,
        Workers { sweeps, narrowed, context }: Workers,
        at: (usize, usize),
        (input, slices): (&Stored, Vec<(u64, u64)>),
        receive: &mut Receive,
        look_up: &mut dyn FnMut(&mut Self),
    ) -> Result<Option<u64>, LayersError> {
        type Own<'a> = Box<dyn RoundWorker + 'a>;
        let advance =
            |own: &mut Own, slice, handle: &WorkerHandle<_, Output>| match input.slice(slice) {
                Ok(pieces) => {
                    let views: Vec<&[u8]> = pieces.iter().map(AsRef::as_ref).collect();
                    let stop = || context.control.is_halted();
                    let mut deal = |portion| handle.send(Output::Portion(slice, portion));
                    let last = own.advance(at, slice, &views, &stop, &mut deal);
                    last.into_iter().for_each(|last| handle.send(Output::Last(slice, last)));
                }
                Err(lost) => handle.send(Output::StatesUnavailable(lost)),
            };
        let mut lacking = Ok(None);
        pool::each(
            context,
            slices,
            // Portions of slices are large.
            crossbeam_channel::bounded(2 * context.threads.current_num_threads()),
            |_| match narrowed {
                Some(narrowed) => narrowed.round_worker(),
                None => sweeps.round_worker(),
            },
            advance,
            |output| {
                // Once the round has failed, what other threads still send is of no use.
                if let (Ok(None), Some(output)) = (&lacking, output) {
                    lacking = receive(self, output);
                }
                match lacking {
                    Ok(None) => look_up(self),
                    _ => context.control.halt(),
                }
            },
        );
        context.control.go_on();
        lacking
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
        room_for_layers(self.usage.limits.memory, self.usage.limits.disk)
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
        self.count(slice, sums);
        Ok(())
    }

    /// Adds what a slice, or a batch that is listed under it, contributes to the totals.
    fn count(&mut self, slice: u64, (states_processed, met): Added) {
        self.states_processed += states_processed;
        self.states_processed_here += states_processed;
        for (name, number) in &met {
            *self.met.entry(*name).or_default() += number;
        }
        self.added.insert(slice, (states_processed, met));
    }

    /// Takes a slice that is to be done again, and its batch, out of the sums.
    fn give_up(&mut self, slice: u64) {
        for of_batch in self.batches.remove(&slice).unwrap_or_default() {
            self.output.done.remove(&of_batch);
        }
        let (states_processed, met) = self.added.remove(&slice).unwrap_or_default();
        self.states_processed -= states_processed;
        for (name, number) in met {
            let sum = self.met.entry(name).or_default();
            *sum = sum.saturating_sub(&number);
        }
    }

    /// Saves as much as the disk has room for, when a run ends for want of room. Says whether there
    /// is a state to resume from, this one or an earlier one.
    ///
    /// The layers before the round are of no use in part, so the output of the round makes way for
    /// them. It is in no index then: where it is in one, these layers are on disk already.
    pub fn save_what_fits(&mut self) -> bool {
        let Some(folder) = self.usage.limits.folder.clone() else {
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
        let Some(folder) = self.usage.limits.folder.clone() else {
            return Ok(());
        };
        if self.usage.limits.is_shared {
            return Ok(());
        }
        let layers: Vec<&Stored> = match self.is_divided {
            true => self.layers().collect(),
            false => self.layers_of_whole(),
        };
        // A part of the layers would be of no use and take room.
        let unsaved: u64 = layers.iter().map(|layer| layer.unsaved()).sum();
        if self.usage.disk().saturating_add(unsaved) > self.usage.limits.disk {
            return Err(self.usage.limits.too_small());
        }
        let mut listed = Layers::new();
        for layer in layers {
            layer.flush()?;
            listed.push(layer.listed());
        }
        let met = self.met.iter().map(|(name, number)| (*name, number.as_big().to_bytes_le()));
        let division = self.is_divided.then(|| self.groups.division(self.sweep));
        let rounds = &self.groups.last().group.rounds;
        let index = Index {
            identity: self.identity.clone(),
            made_for: self.made_for.clone(),
            at: match self.is_divided {
                true => Index::DIVIDED,
                false => (self.sweep, rounds.get(self.sweep).copied().unwrap_or(0)),
            },
            states_processed: self.states_processed,
            most_states: self.most_states,
            met: met.collect(),
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
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if !needed.contains(entry.file_name().to_string_lossy().as_ref()) {
                let len = entry.metadata().map_or(0, |meta| meta.len());
                if fs::remove_file(entry.path()).is_ok() {
                    freed += len;
                }
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
            met: self.met.clone().into_iter().collect(),
        }
    }
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
