//! The layers before the units of a run: the rounds of its sweeps, on many threads, in memory or on
//! disk.
//!
//! The [`mod@planner`] decides what to do next: it alone has the strategy for layers that do not
//! fit memory and disk. The driver, in this file, carries out its steps. [`mod@workers`] take each
//! slice of the layer that a round reads through the round, on any thread. Their output makes the
//! next layer, and [`mod@totals`] add up the states and the cycles on the way. A [`mod@prediction`]
//! tells early that the output of a round will not fit; a layer that no division makes smaller is
//! computed in [`mod@batches`]. The [`mod@store`] has the bytes: [`mod@stored`] layers, in memory
//! or on disk, and an [`mod@index`] of what is on disk. So a killed run finds the finished rounds,
//! and the finished slices of the round that it was in.

mod batches;
mod index;
mod planner;
mod prediction;
mod relay;
mod store;
mod stored;
mod totals;
mod workers;

use super::pool::PoolContext;
use crate::rounds::{Layer, Partitioned, Rounds};
use crate::work::Work;
use batches::Batches;
use index::{Index, MadeFor};
use planner::{Divisible, NextStep, Shortage, UNKNOWN_BYTES};
use prediction::Prediction;
pub use relay::{Handover, Relay};
use std::path::Path;
use std::sync::Arc;
pub(super) use store::Sweeping;
pub use stored::LayersError;
pub(super) use stored::Storage;
use stored::{SliceSize, Stored};
use totals::Added;
use workers::{Emitted, Workers};

/// A layer between two of several rounds at once, whose file goes with it.
struct Between(Stored);

impl Drop for Between {
    fn drop(&mut self) {
        self.0.remove_file();
    }
}

impl Sweeping {
    /// Goes through the rounds until some units can be counted, and returns true then; false if it
    /// is cancelled or if no unit remains. `is_open` says which units remain. `look_up` is called
    /// several times a second on this thread, and may save what there is.
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
        let all = || match sweeps.made_for() {
            Some(units) => units.to_vec(),
            None => (0..work.units()).collect(),
        };
        let of_engine = |units: &[usize], level| sweeps.divided(units, level);
        let divided = |units: &[usize], level| planner::divided(units, level, &of_engine);
        let units = Divisible { all: &all, is_open, divided: &divided };
        let mut workers = Workers { sweeps, narrowed: None, context, look_up };
        while !context.control.is_stopped() {
            match self.plan.next(self.begun(), &units) {
                NextStep::Count => return Ok(true),
                NextStep::End => return Ok(false),
                NextStep::Refuse { lacking } => {
                    return Err(self.usage.storage.too_small(lacking));
                }
                NextStep::Round { sweep } => self.advance(sweep, &mut workers)?,
                step => self.take_step(step, sweeps)?,
            }
        }
        Ok(false)
    }

    /// Takes a step that changes the groups or their layers.
    fn take_step(&mut self, step: NextStep, sweeps: &dyn Rounds) -> Result<(), LayersError> {
        let start = step.starts_again().map(|sweep| store::start_layer(sweep, sweeps, &self.usage));
        let drops_layers = step.may_drop_layers();
        self.plan.carry_out(step, start.transpose()?);
        // No round is in progress. The next step begins one, maybe of another sweep.
        self.begin_round(0);
        if drops_layers {
            self.free_files();
        }
        Ok(())
    }

    /// Goes through the next round of a sweep in the present group, or gives it up if its output
    /// does not fit.
    fn advance(&mut self, sweep: usize, workers: &mut Workers<Self>) -> Result<(), LayersError> {
        if self.begun() != Some(sweep) {
            self.begin_round(sweep);
        }
        match self.process(workers)? {
            Some(shortage) => {
                // Perhaps the room of what is left to other counts suffices.
                let has_more_room = self.relay.as_ref().is_some_and(|relay| relay.drop_layers());
                if has_more_room && !self.plan.last().sweeps[sweep].has_holes() {
                    self.begin_round(sweep);
                    return Ok(());
                }
                self.plan.give_up(sweep, shortage);
                if let Some(step) = self.plan.count_in_groups() {
                    return self.take_step(step, workers.sweeps);
                }
                self.begin_round(sweep);
                self.free_files();
            }
            None if workers.context.control.is_stopped() => {}
            None => self.finish_round(sweep),
        }
        Ok(())
    }

    /// Makes the output of a round the layer that its sweep has reached.
    fn finish_round(&mut self, sweep: usize) {
        self.totals.most_states = self.totals.most_states.max(self.round.output.states());
        let none = Stored::new(String::new(), &self.usage);
        let made = std::mem::replace(&mut self.round.output, none);
        let states = self.totals.states_in_round();
        let (_, rounds) = self.at();
        let consumed = self.plan.finish_rounds(sweep, Arc::new(made), states);
        if let Some((relay, layer)) = self.relay.as_ref().zip(consumed.as_ref())
            && !self.is_divided()
        {
            relay.keep((sweep, rounds), layer);
        }
        if let Some(kept) = self.kept.get_mut(sweep) {
            kept.extend(consumed);
        } else if consumed.is_some_and(|consumed| consumed.has_file()) {
            self.free_files();
        }
        self.begin_next_round();
    }

    /// Processes the next round of a sweep, or several at once, for the present group. Returns what
    /// is lacking if that does not fit and the count can be divided.
    fn process(&mut self, workers: &mut Workers<Self>) -> Result<Option<Shortage>, LayersError> {
        let layer = Arc::clone(self.plan.layer(self.round.sweep));
        let (sweeps, at) = (workers.sweeps, self.at());
        workers.narrowed = self.units().and_then(|units| sweeps.narrowed(units));
        let (slices, mut prediction) = self.remaining(&layer, |slice| workers.needs(at, slice));
        let processed = match self.plan.last().sweeps[self.round.sweep].at_once {
            1 => workers.process(at, &layer, slices, self, &mut |sweeping: &mut Self, output| {
                sweeping.receive(output, &layer, &mut prediction)
            }),
            _ => self.rounds_in_batches(workers, &layer, slices, &mut prediction),
        };
        workers.narrowed = None;
        match processed {
            Err(LayersError::Room { lacking, .. }) if self.plan.levels > 0 => {
                let output = prediction.at_the_end(self.round.output.len());
                // The states of slices in progress are not known yet. Several are computed for each
                // that is left, which takes a few bytes.
                let states = prediction.at_the_end(self.totals.states_in_round()).max(output);
                let bytes = lacking.unwrap_or(UNKNOWN_BYTES);
                Ok(Some(Shortage { bytes, states, output }))
            }
            processed => processed.map(|()| None),
        }
    }

    /// The round that the present group goes through next, by sweep and number.
    fn at(&self) -> (usize, usize) {
        (self.round.sweep, self.plan.last().sweeps[self.round.sweep].done)
    }

    /// Takes some slices of a layer through several rounds at once, in batches. It is an error for
    /// want of room if the output does not fit, or the states of a single slice between the rounds.
    fn rounds_in_batches(
        &mut self,
        workers: &mut Workers<Self>,
        layer: &Stored,
        slices: Vec<SliceSize>,
        prediction: &mut Prediction,
    ) -> Result<(), LayersError> {
        let growth = self.plan.last().sweeps[self.round.sweep].growth;
        let mut batches = Batches::new(slices.into(), growth);
        while !workers.context.control.is_stopped() {
            // A guess: the rest of what is left is for the output.
            let room = 0.7 * self.left() as f64;
            let Some(batch) = batches.next(room) else {
                break;
            };
            let (mut sums, before) = (Added::default(), self.round.output.len());
            let kept = self.batch(workers, layer, &batch, &mut sums);
            self.round.between.clear();
            match kept {
                Ok(_) | Err(LayersError::Room { .. }) if workers.context.control.is_stopped() => {}
                Ok(true) => {
                    let bytes = batches::bytes(&batch);
                    let more =
                        batches.output_to_come(room, bytes, self.round.output.len() - before);
                    prediction.finish(batch[0].slice, bytes);
                    self.take_batch(&batch, sums)?;
                    let output = self.round.output.len() as f64 + more;
                    let lacking = self.plan.bytes_lacking(self.round.sweep, output);
                    if lacking.is_some() {
                        return Err(self.usage.storage.too_small(lacking));
                    }
                }
                Ok(false) if batches.give_back(&batch) => {}
                Ok(false) => return Err(self.usage.storage.too_small(None)),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Takes a batch of slices of a layer through several rounds. Its output is listed under its
    /// first slice, but not yet as finished. Returns false if its states between two rounds do not
    /// fit.
    fn batch(
        &mut self,
        workers: &mut Workers<Self>,
        layer: &Stored,
        batch: &[SliceSize],
        sums: &mut Added,
    ) -> Result<bool, LayersError> {
        let ((sweep, first), name) = (self.at(), batch[0].slice);
        let last = first + self.plan.last().sweeps[sweep].at_once - 1;
        let mut slices = batch.to_vec();
        let mut before: Option<Between> = None;
        for number in first..=last {
            let (at, is_end) = ((sweep, number), number == last);
            let after = Stored::new(format!("{sweep}-{}.between", number + 1), &self.usage);
            self.round.between.push(after.name.clone());
            let mut after = Between(after);
            let mut keep = |sweeping: &mut Self, output: Emitted| {
                let Emitted { slice, mut portion, is_last } = output;
                if is_last {
                    sums.take_from(&mut portion);
                }
                let added = if is_end { &mut sweeping.round.output } else { &mut after.0 };
                added.add(if is_end { name } else { slice }, portion)
            };
            let layer = before.as_ref().map_or(layer, |before| &before.0);
            match workers.process(at, layer, slices, self, &mut keep) {
                Err(LayersError::Room { .. }) if !is_end => return Ok(false),
                kept => kept?,
            }
            if workers.context.control.is_stopped() {
                break;
            }
            // The output of the batch needs room beside these states.
            if !is_end && batch.len() > 1 && after.0.len() as f64 > 0.8 * self.left() as f64 {
                return Ok(false);
            }
            slices = after.0.slices();
            slices.retain(|of| workers.needs((sweep, number + 1), of.slice));
            before = Some(after);
        }
        Ok(true)
    }

    /// Takes over the sums of a batch, whose output is under its first slice.
    fn take_batch(&mut self, batch: &[SliceSize], added: Added) -> Result<(), LayersError> {
        let slices: Vec<u64> = batch.iter().map(|of| of.slice).collect();
        for &slice in &slices {
            // A slice without output of its own is listed with an empty piece.
            self.round.output.add(slice, Partitioned::default())?;
            self.round.output.done.insert(slice);
        }
        self.totals.add(slices, added);
        Ok(())
    }

    /// The bytes that layers may still take.
    fn left(&self) -> u64 {
        self.plan.room.saturating_sub(self.layers().map(Stored::len).sum())
    }

    /// The slices of a layer that a round still has to process, of those that are needed.
    fn remaining(
        &mut self,
        layer: &Stored,
        is_needed: impl Fn(u64) -> bool,
    ) -> (Vec<SliceSize>, Prediction) {
        let mut slices = layer.slices();
        slices.retain(|of| is_needed(of.slice));
        let (all, done) = (batches::bytes(&slices), &self.round.output.done);
        self.round.skipped = layer.slice_count() - slices.len();
        let finished = done.iter().map(|&slice| layer.bytes_of(slice)).sum();
        slices.retain(|of| !done.contains(&of.slice));
        (slices, Prediction::new(all, finished, self.round.output.len()))
    }

    /// Takes over the output of a slice. If the count may be divided, it is an error, with the bytes
    /// that the round lacks, that its output will not fit.
    fn receive(
        &mut self,
        output: Emitted,
        layer: &Stored,
        prediction: &mut Prediction,
    ) -> Result<(), LayersError> {
        let Emitted { slice, portion, is_last } = output;
        if self.plan.last().sweeps[self.round.sweep].frees == Some(true) {
            self.save_to_free(layer);
        }
        prediction.add(slice, layer.bytes_of(slice), &portion.bytes);
        let taken = if is_last {
            prediction.finish(slice, layer.bytes_of(slice));
            self.take(slice, portion)
        } else {
            self.round.output.add(slice, portion)
        };
        if self.plan.levels == 0 {
            return taken;
        }
        let sweep = self.round.sweep;
        let lacks = |bytes: &f64| self.plan.bytes_lacking(sweep, *bytes);
        let fits_if_freed = |bytes: &f64| self.plan.fits_if_freed(sweep, *bytes);
        // What was freed is lost if the output does not fit in the end: that is not for the
        // cautious guess to decide, nor to give up what may fit then.
        let (guess, least) = (prediction.bytes(), prediction.at_least());
        let frees = guess.is_some_and(|bytes| lacks(&bytes).is_some() && fits_if_freed(&bytes));
        let lacking = least.as_ref().and_then(lacks);
        match taken {
            Ok(()) if frees => self.plan.last_mut().sweeps[sweep].frees = Some(true),
            Ok(()) if lacking.is_none() || least.as_ref().is_some_and(fits_if_freed) => {}
            Ok(()) | Err(LayersError::Room { .. }) => {
                return Err(self.usage.storage.too_small(lacking));
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Saves the output of a round that frees what it has read of a layer, whenever that is much.
    fn save_to_free(&mut self, layer: &Stored) {
        // A save takes a sync, so there are few of them.
        const SHARE: u64 = 32;
        let is_due = layer.unfreed(&self.round.output.done) > layer.whole_len() / SHARE;
        if is_due && !self.round.is_unsaved {
            self.round.is_unsaved = self.save().is_err();
        }
    }

    /// Takes over the last portion of a slice. Output that does not fit counts as unfinished, so
    /// its sums are not taken over either.
    fn take(&mut self, slice: u64, mut dealt: Partitioned) -> Result<(), LayersError> {
        let mut sums = Added::default();
        sums.take_from(&mut dealt);
        self.round.output.add(slice, dealt)?;
        self.round.output.done.insert(slice);
        self.totals.add(vec![slice], sums);
        Ok(())
    }
}

/// True if a folder has layers of another run. Without an index there is nothing that could be
/// resumed.
///
/// # Errors
/// [`LayersError`] when its index cannot be read.
pub fn is_of_another(folder: &Path, work: &dyn Work) -> Result<bool, LayersError> {
    Ok(Index::read(folder, &MadeFor::all(work))?.is_none() && Index::file(folder).exists())
}

/// True if states are saved in a folder, those of a whole layer or some of them.
pub fn has_states(folder: &Path) -> bool {
    Index::file(folder).exists()
}

/// True if a folder has all layers of a run, so that other processes may read them there.
///
/// # Errors
/// [`LayersError`] when its index cannot be read.
pub fn is_prepared(folder: &Path, work: &dyn Work) -> Result<bool, LayersError> {
    let index = Index::read(folder, &MadeFor::all(work))?;
    let rounds = work.sweeps().map_or(0, |sweeps| sweeps.rounds().len());
    Ok(index.is_some_and(|(index, ..)| index.at.0 == rounds))
}
