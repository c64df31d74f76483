//! The workers of a round: each takes one slice of a layer through it at a time, on any thread.
//!
//! A worker adds its output to the next layer itself, under a lock, so that a count on one thread
//! takes one core, and nothing waits in a queue. The output comes in portions, because that of a
//! large slice would take much memory as a whole. A round is given up as soon as its output turns
//! out not to fit.

use super::stored::{LayersError, SliceSize, Stored};
use crate::rounds::{Layer, Narrowed, Partitioned, RoundWorker, Rounds, StatesUnavailable};
use crate::run::pool::{self, PoolContext, WorkerHandle};
use std::convert::Infallible;
use std::sync::{Mutex, PoisonError};

/// A portion of the output of a slice. The last one has the totals of the slice; there is none if
/// the slice was stopped.
pub(super) struct Emitted {
    pub slice: u64,
    pub portion: Partitioned,
    pub is_last: bool,
}

/// Less of a slice is not worth a portion of its own.
const LEAST_PORTION: u64 = 1 << 20;

/// Takes over the output of a slice.
pub(super) type Keep<'a, K> = dyn FnMut(&mut K, Emitted) -> Result<(), LayersError> + Send + 'a;

/// The means to take the slices of a layer through a round, where `K` is the owner of the layers.
pub(super) struct Workers<'a, K> {
    pub sweeps: &'a dyn Rounds,
    /// The sweeps restricted to the units of a group.
    pub narrowed: Option<Box<dyn Narrowed + 'a>>,
    pub context: PoolContext<'a>,
    /// Looks at the clock and tells the progress. The thread that waits for the workers calls it
    /// several times a second, and once at the end, because a round may be shorter.
    pub look_up: &'a mut dyn FnMut(&mut K),
}

impl<K: Send> Workers<'_, K> {
    /// True if a slice that a round reads may have states that lead to the units.
    pub fn needs(&self, at: (usize, usize), slice: u64) -> bool {
        self.narrowed.as_ref().is_none_or(|narrowed| narrowed.needs(at, slice))
    }

    /// Takes slices of a layer through a round, given by sweep and number. Workers pass their
    /// output to `keep` until that returns an error, as for want of room. `keep` and `look_up` get
    /// `keeper`, the owner of the layers, one at a time.
    pub fn process(
        &mut self,
        at: (usize, usize),
        layer: &Stored,
        slices: Vec<SliceSize>,
        keeper: &mut K,
        keep: &mut Keep<K>,
    ) -> Result<(), LayersError> {
        type Own<'a> = Box<dyn RoundWorker + 'a>;
        let Self { sweeps, narrowed, context, look_up } = self;
        let (narrowed, context, look_up) = (narrowed.as_deref(), *context, &mut **look_up);
        let shared = Mutex::new(Intake { keeper, keep, result: Ok(()) });
        let take = |output| {
            // After a panic nothing is taken over, and nothing is saved.
            if !shared.lock().is_ok_and(|mut intake| intake.take(output)) {
                context.control.halt();
            }
        };
        // A slice that is large beside the memory of a thread is read from disk in portions, and
        // worked on in parts. So no slice has to wait until it has all memory for itself.
        let of_thread = context.memory / context.threads.current_num_threads() as u64;
        let most = (of_thread / 2).max(LEAST_PORTION);
        let advance = |own: &mut Own, slice, _: &WorkerHandle<_, Infallible>| {
            let (mut last, mut is_whole) = (Partitioned::default(), true);
            let read = layer.each_portion(slice, most, &mut |views| {
                let stop = || context.control.is_halted_at_once();
                let mut deal = |portion| take(Ok(Emitted { slice, portion, is_last: false }));
                match own.advance(at, slice, views, &stop, &mut deal) {
                    Some(mut part) => {
                        part.states_processed += last.states_processed;
                        part.met.append(&mut last.met);
                        let before = std::mem::replace(&mut last, part);
                        if !before.bytes.is_empty() {
                            deal(before);
                        }
                    }
                    None => is_whole = false,
                }
                Ok(())
            });
            match read {
                Ok(()) if is_whole => take(Ok(Emitted { slice, portion: last, is_last: true })),
                Ok(()) => {}
                Err(lost) => take(Err(lost)),
            }
        };
        pool::each(
            context,
            slices.into_iter().map(|of| (of.memory().min(of_thread), of.slice)),
            |_| match narrowed {
                Some(narrowed) => narrowed.round_worker(),
                None => sweeps.round_worker(),
            },
            advance,
            |_| shared.lock().into_iter().for_each(|mut intake| intake.look(look_up)),
        );
        context.control.go_on();
        let mut intake = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        intake.look(look_up);
        intake.result
    }
}

/// The receiver of the output of all workers.
struct Intake<'a, 'k, K> {
    keeper: &'a mut K,
    keep: &'a mut Keep<'k, K>,
    result: Result<(), LayersError>,
}

impl<K> Intake<'_, '_, K> {
    /// Passes output on. Returns false once the round has failed; what other workers still bring is
    /// of no use then.
    fn take(&mut self, output: Result<Emitted, StatesUnavailable>) -> bool {
        if self.result.is_ok() {
            let output = output.map_err(LayersError::from);
            self.result = output.and_then(|output| (self.keep)(self.keeper, output));
        }
        self.result.is_ok()
    }

    /// Calls `look_up`, unless the round has failed.
    fn look(&mut self, look_up: &mut dyn FnMut(&mut K)) {
        if self.result.is_ok() {
            look_up(self.keeper);
        }
    }
}
