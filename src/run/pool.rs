//! Gives units to a rayon pool so that no thread is idle while another has work to share.
//!
//! Every thread takes unit after unit from one queue. When they run out, an idle thread makes the others
//! pause at their next look, split what they have and put the parts into the queue. So the end of a run is
//! as parallel as its middle, and one heavy unit alone keeps every thread busy. Units of an engine without a
//! search tree are atomic: they are not split, and in the end some threads are idle.

use super::Control;
use super::queue::Queue;
use crate::cursor::Piece;
use crate::rounds::StatesUnavailable;
use crate::tally::Tally;
use crate::work::{Advance, Pause, Work, Worker};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A piece of a unit, under a number by which the keeper knows it.
#[derive(Debug, Clone)]
pub(super) struct Task {
    pub unit: usize,
    pub id: u64,
    /// All of the unit when `None`.
    pub piece: Option<Piece>,
}

/// What a worker tells the keeper.
#[derive(Debug)]
pub(super) struct Report {
    pub unit: usize,
    /// The piece worked on.
    pub id: u64,
    pub found: Tally,
    pub nodes: u64,
    /// What is left in place of the piece, each under its own number.
    pub rest: Vec<Task>,
    /// Why the piece could not be worked on.
    pub lost: Option<StatesUnavailable>,
}

/// Deep enough a stack for the recursion on the largest board.
const STACK_BYTES: usize = 16 << 20;

pub(super) fn start(threads: Option<usize>) -> Result<ThreadPool, ThreadPoolBuildError> {
    ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0))
        .stack_size(STACK_BYTES)
        .thread_name(|index| format!("walker-{index}"))
        .build()
}

/// What a run works with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PoolContext<'a> {
    pub threads: &'a ThreadPool,
    pub control: &'a Control,
    /// The bytes of memory that units may take while they are worked on.
    pub memory: u64,
    /// How long a piece is worked on before it reports.
    pub slice: Duration,
}

/// What whoever works on a thing has at hand.
pub(crate) struct WorkerHandle<'a, T, C> {
    queue: &'a Queue<T>,
    sender: &'a Sender<C>,
}

impl<T, C> WorkerHandle<'_, T, C> {
    /// Tells the thread that keeps the books. It listens until the last worker has hung up, so that nothing is lost.
    pub fn send(&self, came: C) {
        let _ = self.sender.send(came);
    }
}

/// Works on each of some things on any thread until told to stop, those in front first as far as there is room; each takes so
/// many bytes of memory meanwhile. What the work sends goes through the channel to `keep` on the calling thread, and nothing when nothing has
/// come for a while.
pub(crate) fn each<T: Send, O, C: Send>(
    context: PoolContext,
    things: impl IntoIterator<Item = (u64, T)>,
    (sender, came): (Sender<C>, Receiver<C>),
    worker: impl Fn() -> O + Sync,
    work: impl Fn(&mut O, T, &WorkerHandle<T, C>) + Sync,
    mut keep: impl FnMut(Option<C>),
) {
    let count = context.threads.current_num_threads();
    let queue = Queue::new(context.memory, things.into_iter());
    context.threads.in_place_scope(|scope| {
        for _ in 0..count {
            let (queue, sender, worker, work) = (&queue, sender.clone(), &worker, &work);
            scope.spawn(move |_| {
                // Made by the thread that uses it, so that its memory is near.
                let mut own = None;
                let handle = WorkerHandle { queue, sender: &sender };
                while let Some((thing, _room)) = queue.next(&|| context.control.is_halted()) {
                    work(own.get_or_insert_with(worker), thing, &handle);
                }
            });
        }
        drop(sender);
        // It goes with this closure, so that no thread waits to be heard when `keep` has panicked.
        let came = came;
        loop {
            match came.recv_timeout(context.slice) {
                Ok(came) => keep(Some(came)),
                Err(RecvTimeoutError::Timeout) => keep(None),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    });
}

/// Works on everything that is open, while `keep` takes the reports on the calling thread.
pub(super) fn run(
    context: PoolContext,
    work: &dyn Work,
    open: Vec<Task>,
    keep: impl FnMut(Option<Report>),
) {
    let next_id = open.iter().map(|task| task.id + 1).max().unwrap_or(0);
    let units = Units { work, context, next_id: AtomicU64::new(next_id) };
    let tasks = open.into_iter().map(|task| (work.memory(task.unit), task));
    // Reports are small, and a keeper that saves is not to be waited for.
    let channel = crossbeam_channel::unbounded();
    each(
        context,
        tasks,
        channel,
        || work.worker(),
        |own, task, handle| units.work_on(own.as_mut(), task, handle),
        keep,
    );
}

struct Units<'a> {
    work: &'a dyn Work,
    context: PoolContext<'a>,
    next_id: AtomicU64,
}

impl Units<'_> {
    fn task(&self, unit: usize, piece: Piece) -> Task {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        Task { unit, id, piece: Some(piece) }
    }

    /// Works on a task slice by slice until it is done, sharing it when another thread wants work.
    fn work_on(
        &self,
        worker: &mut dyn Worker,
        mut task: Task,
        handle: &WorkerHandle<Task, Report>,
    ) {
        loop {
            let end = Instant::now() + self.context.slice;
            let pause = || match self.context.control.is_halted() {
                true => Pause::Now,
                false if handle.queue.is_wanting() || Instant::now() >= end => Pause::Soon,
                false => Pause::No,
            };
            let Task { unit, id, piece } = task;
            let piece = piece.unwrap_or_else(|| self.work.begin(unit));
            let (advance, lost) = match worker.advance(unit, &piece, &pause) {
                Ok(advance) => (advance, None),
                Err(lost) => {
                    self.context.control.halt();
                    let nothing = Advance { found: Tally::ZERO, nodes: 0, rest: Some(piece) };
                    (nothing, Some(lost))
                }
            };
            let Advance { found, nodes, rest } = advance;
            let rest = match rest {
                Some(piece) if handle.queue.is_wanting() => worker.split(piece),
                rest => rest.into_iter().collect(),
            };
            let mut rest: Vec<_> = rest.into_iter().map(|piece| self.task(unit, piece)).collect();
            // The keeper hears of the parts before anyone can report on them.
            handle.send(Report { unit, id, found, nodes, rest: rest.clone(), lost });
            let Some(own) = rest.pop().filter(|_| !self.context.control.is_halted()) else {
                return;
            };
            handle.queue.put(rest);
            task = own;
        }
    }
}
