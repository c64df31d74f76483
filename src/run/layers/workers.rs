//! The workers of a round: each takes one slice of a layer through it at a time, on any thread.
//!
//! Their output comes to the thread that keeps the layers, in portions, because the output of a
//! large slice would take much memory if it came as a whole. It goes into the next layer portion by
//! portion, and a round is given up as soon as its output turns out not to fit.

use super::stored::{LayersError, Stored};
use super::totals::Added;
use crate::rounds::{Layer, Narrowed, Partitioned, RoundWorker, Rounds, StatesUnavailable};
use crate::run::pool::{self, PoolContext, WorkerHandle};

/// The output of the slices of a round: for each slice some portions, then the last one with the
/// totals, unless it was stopped.
pub(super) enum Output {
    Portion(u64, Partitioned),
    Last(u64, Partitioned),
    StatesUnavailable(StatesUnavailable),
}

impl Output {
    /// Adds the totals of a slice to the sums of its batch. Returns the slice and its states.
    pub fn summed(self, sums: &mut Added) -> Result<(u64, Partitioned), LayersError> {
        match self {
            Self::Portion(slice, portion) => Ok((slice, portion)),
            Self::Last(slice, mut last) => {
                sums.0 += last.states_processed;
                sums.1.append(&mut last.met);
                Ok((slice, last))
            }
            Self::StatesUnavailable(lost) => Err(lost.into()),
        }
    }
}

/// Takes over the output of a slice. Returns the bytes that are lacking if there is no room.
pub(super) type Keep<'a, K> = dyn FnMut(&mut K, Output) -> Result<Option<u64>, LayersError> + 'a;

/// What takes the slices of a layer through a round.
#[derive(Clone, Copy)]
pub(super) struct Workers<'a> {
    pub sweeps: &'a dyn Rounds,
    /// The sweeps restricted to the units of a group.
    pub narrowed: Option<&'a dyn Narrowed>,
    pub context: PoolContext<'a>,
}

impl Workers<'_> {
    /// True if a slice that a round reads may have states that lead to the units.
    pub fn needs(&self, at: (usize, usize), slice: u64) -> bool {
        self.narrowed.is_none_or(|narrowed| narrowed.needs(at, slice))
    }

    /// Takes slices of a layer, each with the memory that it takes, through a round, given by sweep
    /// and number. Passes their output to `keep` until that returns an error or the bytes that are
    /// lacking, and calls `look_up` after each output and several times a second. Both are called
    /// with `keeper`, the owner of the layers, on this thread.
    pub fn process<K>(
        self,
        at: (usize, usize),
        (layer, slices): (&Stored, Vec<(u64, u64)>),
        keeper: &mut K,
        keep: &mut Keep<K>,
        look_up: &mut dyn FnMut(&mut K),
    ) -> Result<Option<u64>, LayersError> {
        type Own<'a> = Box<dyn RoundWorker + 'a>;
        let Self { sweeps, narrowed, context } = self;
        let advance =
            |own: &mut Own, slice, handle: &WorkerHandle<_, Output>| match layer.slice(slice) {
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
                    lacking = keep(keeper, output);
                }
                match lacking {
                    Ok(None) => look_up(keeper),
                    _ => context.control.halt(),
                }
            },
        );
        context.control.go_on();
        lacking
    }
}
