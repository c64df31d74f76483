//! The layers before the units of a run: the rounds of its sweeps, on many threads, in memory or on
//! disk.
//!
//! A round reads the slices of one layer, [`mod@stored`] in memory or on disk, each on any thread,
//! and their output makes the next layer. Saving flushes all layers to disk and then writes an
//! [`mod@index`] of the finished slices. So a killed run finds the finished rounds, and the
//! finished slices of the round that it was in. A file is deleted once no index needs it.

mod index;
mod stored;

use super::pool::{self, PoolContext, WorkerHandle};
use crate::rounds::{Building, Built, Layer, Partitioned, RoundWorker, StatesUnavailable};
use crate::tally::Tally;
use crate::work::{Identity, Work};
use index::{INDEX, Index, Layers};
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
    usage: Arc<Usage>,
    at: (usize, usize),
    finished: Vec<Arc<Stored>>,
    input: Arc<Stored>,
    output: Stored,
    /// By sweep, what its rounds took, if that is kept.
    kept: Vec<Vec<Arc<Stored>>>,
    met: BTreeMap<u32, Tally>,
    /// By slice that this process has done in this round, what it added to the sums.
    added: HashMap<u64, Added>,
    /// States taken on in all rounds, and the most that one has left.
    states_processed: u64,
    most_states: u64,
    states_processed_before: u64,
}

/// The contribution of a slice to the totals of all rounds: the states processed, and the completed
/// cycles.
type Added = (u64, Vec<(u32, Tally)>);

/// The output of the slices of a round: for each slice some portions, then the last one with the
/// totals, unless it was stopped.
enum Came {
    Portion(u64, Partitioned),
    Last(u64, Partitioned),
    StatesUnavailable(StatesUnavailable),
}

impl Sweeping {
    /// The beginning, or where an earlier process has saved it.
    pub fn new(work: &dyn Work, limits: Limits) -> Result<Self, LayersError> {
        let sweeps = work.sweeps();
        let usage = Arc::new(Usage::of_none(limits));
        let rounds = sweeps.map_or(Vec::new(), |sweeps| sweeps.rounds());
        let made_for = sweeps.and_then(|sweeps| sweeps.made_for().map(<[usize]>::to_vec));
        let identity = work.identity();
        if let Some(folder) = &usage.limits.folder
            && let Some((index, layers)) = Index::read(folder, &identity, made_for.as_deref())?
        {
            let is_wanted = !usage.limits.keeps_all || index.has_all(&rounds, &layers);
            if is_wanted {
                // What was made for all is narrowed from here on.
                let index = Index { made_for, ..index };
                return Self::had_back(index, layers, rounds, &usage);
            }
        }
        Ok(Self {
            kept: kept(&rounds, &usage),
            identity,
            made_for,
            rounds,
            at: (0, 0),
            finished: Vec::new(),
            input: Self::first(0, work, &usage)?,
            output: Stored::new("0-1".to_owned(), &usage),
            usage,
            met: BTreeMap::new(),
            added: HashMap::new(),
            states_processed: 0,
            most_states: 0,
            states_processed_before: 0,
        })
    }

    /// The layer that a sweep starts with.
    fn first(
        sweep: usize,
        work: &dyn Work,
        usage: &Arc<Usage>,
    ) -> Result<Arc<Stored>, LayersError> {
        let mut first = Stored::new(format!("{sweep}-0"), usage);
        if let Some(sweeps) = work.sweeps() {
            first.add(0, sweeps.start())?;
            first.done.insert(0);
        }
        Ok(Arc::new(first))
    }

    fn had_back(
        index: Index,
        layers: Layers,
        rounds: Vec<usize>,
        usage: &Arc<Usage>,
    ) -> Result<Self, LayersError> {
        let had_back = |(name, listed)| Stored::had_back(name, listed, usage);
        let mut layers = layers.into_iter().map(had_back).collect::<Result<Vec<_>, _>>()?;
        let mut inputs = layers.split_off(layers.len().min(index.at.0 + 2)).into_iter();
        let mut kept = kept(&rounds, usage);
        for (sweep, kept) in kept.iter_mut().enumerate() {
            let before = index.rounds_before(sweep, &rounds);
            kept.extend(inputs.by_ref().take(before).map(Arc::new));
        }
        let path = Index::path(&usage.limits.folder());
        let inconsistent = || damaged(&path, "its layers are not those of its round");
        let (output, input) = layers.pop().zip(layers.pop()).ok_or_else(inconsistent)?;
        let is_sound = layers.len() == index.at.0
            && index.at.0 <= rounds.len()
            && rounds.get(index.at.0).is_none_or(|&of| index.at.1 <= of);
        if !is_sound {
            return Err(inconsistent());
        }
        let met = index.met.into_iter().map(|(name, bytes)| (name, Tally::from_bytes(&bytes)));
        Ok(Self {
            identity: index.identity,
            made_for: index.made_for,
            rounds,
            usage: Arc::clone(usage),
            at: index.at,
            finished: layers.into_iter().map(Arc::new).collect(),
            input: Arc::new(input),
            output,
            kept,
            met: met.collect(),
            added: HashMap::new(),
            states_processed: index.states_processed,
            most_states: index.most_states,
            states_processed_before: index.states_processed,
        })
    }

    /// States taken on by this process.
    pub fn states_processed_here(&self) -> u64 {
        self.states_processed - self.states_processed_before
    }

    /// The progress of the sweeps.
    pub fn progress(&self) -> Building {
        let (sweep, round) = self.at;
        let before: usize = self.rounds.iter().take(sweep).sum();
        Building {
            round: before + round,
            rounds: self.rounds.iter().sum(),
            slices: self.output.done.len(),
            slices_of: self.input.slice_count(),
            states: self.output.states().max(self.input.states()),
            most_states: self.most_states.max(self.output.states()),
            bytes: self.layers().map(Stored::len).sum(),
        }
    }

    /// Goes through the rounds until all are done or it is told to stop. `look_up` is called
    /// several times a second on this thread, and may save what there is.
    pub fn go(
        &mut self,
        work: &dyn Work,
        context: PoolContext,
        look_up: &mut dyn FnMut(&mut Self),
    ) -> Result<(), LayersError> {
        while self.at.0 < self.rounds.len() {
            while self.at.1 < self.rounds[self.at.0] {
                self.round(work, context, look_up)?;
                if context.control.is_stopped() {
                    return Ok(());
                }
                self.at.1 += 1;
                self.most_states = self.most_states.max(self.output.states());
                let next = Stored::new(format!("{}-{}", self.at.0, self.at.1 + 1), &self.usage);
                self.added.clear();
                let made = std::mem::replace(&mut self.output, next);
                let consumed = std::mem::replace(&mut self.input, Arc::new(made));
                if let Some(kept) = self.kept.get_mut(self.at.0) {
                    kept.push(consumed);
                }
            }
            self.at = (self.at.0 + 1, 0);
            let next = Self::first(self.at.0, work, &self.usage)?;
            self.finished.push(std::mem::replace(&mut self.input, next));
            self.output = Stored::new(format!("{}-1", self.at.0), &self.usage);
        }
        Ok(())
    }

    fn round(
        &mut self,
        work: &dyn Work,
        context: PoolContext,
        look_up: &mut dyn FnMut(&mut Self),
    ) -> Result<(), LayersError> {
        let Some(sweeps) = work.sweeps() else {
            return Ok(());
        };
        let (input, at) = (Arc::clone(&self.input), self.at);
        let mut slices = input.slices();
        slices.retain(|(_, slice)| !self.output.done.contains(slice));
        type Own<'a> = Box<dyn RoundWorker + 'a>;
        let advance =
            |own: &mut Own, slice, handle: &WorkerHandle<_, Came>| match input.slice(slice) {
                Ok(pieces) => {
                    let views: Vec<&[u8]> = pieces.iter().map(AsRef::as_ref).collect();
                    let stop = || context.control.is_halted();
                    let mut deal = |portion| handle.send(Came::Portion(slice, portion));
                    let last = own.advance(at, slice, &views, &stop, &mut deal);
                    last.into_iter().for_each(|last| handle.send(Came::Last(slice, last)));
                }
                Err(lost) => handle.send(Came::StatesUnavailable(lost)),
            };
        let mut failed = None;
        pool::each(
            context,
            slices,
            // Portions of slices are large.
            crossbeam_channel::bounded(2 * context.threads.current_num_threads()),
            |_| sweeps.round_worker(),
            advance,
            |came| {
                match came {
                    _ if failed.is_some() => {}
                    Some(Came::Portion(slice, dealt)) => {
                        failed = self.output.add(slice, dealt).err()
                    }
                    Some(Came::Last(slice, dealt)) => failed = self.take(slice, dealt).err(),
                    Some(Came::StatesUnavailable(lost)) => failed = Some(lost.into()),
                    None => {}
                }
                match failed {
                    Some(_) => context.control.halt(),
                    None => look_up(self),
                }
            },
        );
        context.control.go_on();
        failed.map_or(Ok(()), Err)
    }

    /// Takes over the last portion of a slice. What has no room counts as not done, so its sums are
    /// not taken either.
    fn take(&mut self, slice: u64, mut dealt: Partitioned) -> Result<(), LayersError> {
        let (states_processed, met) = (dealt.states_processed, std::mem::take(&mut dealt.met));
        self.output.add(slice, dealt)?;
        self.output.done.insert(slice);
        self.states_processed += states_processed;
        for (name, number) in &met {
            *self.met.entry(*name).or_default() += number;
        }
        self.added.insert(slice, (states_processed, met));
        Ok(())
    }

    /// Takes a slice that is to be done again out of the sums.
    fn give_up(&mut self, slice: u64) {
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
        self.finished.iter().chain([&self.input]).chain(kept).try_for_each(|layer| layer.flush())
    }

    /// Writes everything to disk, so that a later process can resume from here.
    pub fn save(&self) -> Result<(), LayersError> {
        let Some(folder) = self.usage.limits.folder.clone() else {
            return Ok(());
        };
        if self.usage.limits.is_shared {
            return Ok(());
        }
        let mut layers = Layers::new();
        for layer in self.layers() {
            layer.flush()?;
            layers.push(layer.listed());
        }
        let met = self.met.iter().map(|(name, number)| (*name, number.to_bytes()));
        let index = Index {
            identity: self.identity.clone(),
            made_for: self.made_for.clone(),
            at: self.at,
            states_processed: self.states_processed,
            most_states: self.most_states,
            met: met.collect(),
        };
        index.write(&folder, &layers)?;
        self.tidy(&folder);
        Ok(())
    }

    /// Removes the files of layers that are no longer needed. What cannot be removed harms nobody.
    fn tidy(&self, folder: &Path) {
        let needed: HashSet<&str> =
            self.layers().map(|layer| layer.name.as_str()).chain([INDEX]).collect();
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if !needed.contains(entry.file_name().to_string_lossy().as_ref()) {
                let freed = entry.metadata().map_or(0, |meta| meta.len());
                if fs::remove_file(entry.path()).is_ok() {
                    self.usage.free_disk(freed);
                }
            }
        }
    }

    fn layers(&self) -> impl Iterator<Item = &Stored> {
        let finished = self.finished.iter().chain([&self.input]).map(AsRef::as_ref);
        let kept = self.kept.iter().flatten().map(AsRef::as_ref);
        finished.chain([&self.output]).chain(kept)
    }

    /// The bytes of memory that all layers take.
    pub fn in_memory(&self) -> u64 {
        self.usage.memory()
    }

    /// Moves layers from memory to disk, as long as whole ones fit there. Nobody else may hold
    /// them.
    pub fn spill(&mut self) {
        let layers = self.finished.iter_mut().chain(self.kept.iter_mut().flatten());
        for layer in layers {
            if let Some(layer) = Arc::get_mut(layer) {
                layer.spill();
            }
        }
    }

    /// The result of the sweeps.
    pub fn built(&self) -> Built {
        let layers = self.finished.iter().cloned().map(|layer| layer as Arc<dyn Layer>);
        let inputs = self.kept.iter().map(|kept| {
            let inputs = kept.iter().cloned();
            inputs.map(|layer| layer as Arc<dyn Layer>).collect()
        });
        Built {
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
    Ok(index.is_some_and(|(index, _)| index.at.0 == rounds))
}

/// The inputs of the rounds of each sweep, empty at first, if they are kept.
fn kept(rounds: &[usize], usage: &Usage) -> Vec<Vec<Arc<Stored>>> {
    match usage.limits.keeps_all {
        true => rounds.iter().map(|_| Vec::new()).collect(),
        false => Vec::new(),
    }
}
