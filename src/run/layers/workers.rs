//! The workers of a round: each takes one slice of a layer through it at a time, on any thread.
//!
//! A worker adds its output to the next layer itself, under a lock, so that a count on one thread
//! takes one core, and nothing waits in a queue. The output comes in portions, because that of a
//! large slice would take much memory as a whole. A round is given up as soon as its output turns
//! out not to fit.

use super::stored::{LayersError, Stored};
use super::totals::Added;
use crate::rounds::{Layer, Narrowed, Partitioned, RoundWorker, Rounds, StatesUnavailable};
use crate::run::pool::{self, PoolContext, WorkerHandle};
use std::convert::Infallible;
use std::sync::{Mutex, PoisonError};

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
pub(super) type Keep<'a, K> =
    dyn FnMut(&mut K, Output) -> Result<Option<u64>, LayersError> + Send + 'a;

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
    /// and number. Workers pass their output to `keep` until that returns an error or the bytes
    /// that are lacking. The calling thread calls `look_up` several times a second, and once at the
    /// end, because a round may be shorter. Both get `keeper`, the owner of the layers, one at a
    /// time.
    pub fn process<K: Send>(
        self,
        at: (usize, usize),
        (layer, slices): (&Stored, Vec<(u64, u64)>),
        keeper: &mut K,
        keep: &mut Keep<K>,
        look_up: &mut dyn FnMut(&mut K),
    ) -> Result<Option<u64>, LayersError> {
        type Own<'a> = Box<dyn RoundWorker + 'a>;
        let Self { sweeps, narrowed, context } = self;
        let shared = Mutex::new((keeper, keep, Ok(None)));
        let keep = |output| {
            // After a panic nothing is taken over, and nothing is saved.
            let Ok(mut locked) = shared.lock() else {
                return context.control.halt();
            };
            let (keeper, keep, lacking) = &mut *locked;
            // Once the round has failed, what other threads still bring is of no use.
            if let Ok(None) = lacking {
                *lacking = keep(keeper, output);
                if !matches!(lacking, Ok(None)) {
                    context.control.halt();
                }
            }
        };
        let advance =
            |own: &mut Own, slice, _: &WorkerHandle<_, Infallible>| match layer.slice(slice) {
                Ok(pieces) => {
                    let views: Vec<&[u8]> = pieces.iter().map(AsRef::as_ref).collect();
                    let stop = || context.control.is_halted();
                    let mut deal = |portion| keep(Output::Portion(slice, portion));
                    let last = own.advance(at, slice, &views, &stop, &mut deal);
                    last.into_iter().for_each(|last| keep(Output::Last(slice, last)));
                }
                Err(lost) => keep(Output::StatesUnavailable(lost)),
            };
        pool::each(
            context,
            slices,
            crossbeam_channel::unbounded(),
            |_| match narrowed {
                Some(narrowed) => narrowed.round_worker(),
                None => sweeps.round_worker(),
            },
            advance,
            |_| {
                if let Ok(mut locked) = shared.lock()
                    && let (keeper, _, Ok(None)) = &mut *locked
                {
                    look_up(keeper);
                }
            },
        );
        context.control.go_on();
        let (keeper, _, lacking) = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Ok(None) = lacking {
            look_up(keeper);
        }
        lacking
    }
}
