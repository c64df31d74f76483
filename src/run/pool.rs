//! Gives units to a rayon pool so that no thread is idle while another has work to share.
//!
//! One feeder a thread takes unit after unit. When they run out, an idle thread makes the others
//! pause at their next look, split what they have and spawn the parts, which rayon's own stealing
//! brings to the idle thread. So the end of a run is as parallel as its middle, and one heavy unit
//! alone keeps every thread busy. Units of an engine without a search tree are atomic: they are not
//! split, and in the end some threads are idle.

use super::Control;
use super::queue::Queue;
use crate::rounds::Lost;
use crate::tally::Tally;
use crate::work::{Advance, Pause, Work};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use rayon::{Scope, ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A piece of a unit, under a number by which the keeper knows it.
#[derive(Debug, Clone)]
pub(super) struct Task<P> {
    pub unit: usize,
    pub id: u64,
    pub piece: P,
}

/// What a worker tells the keeper.
#[derive(Debug)]
pub(super) struct Report<P> {
    pub unit: usize,
    /// The piece worked on.
    pub id: u64,
    pub found: Tally,
    pub nodes: u64,
    /// What is left in place of the piece, each under its own number.
    pub rest: Vec<Task<P>>,
    /// Why the piece could not be worked on.
    pub lost: Option<Lost>,
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

/// What there is to do when the pool starts.
#[derive(Debug)]
pub(super) struct Open<P> {
    /// What is left of units begun by an earlier process.
    pub begun: Vec<Task<P>>,
    /// Units nobody has begun.
    pub untouched: Vec<usize>,
    /// The first number that no piece has.
    pub next_id: u64,
}

/// What a run works with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Means<'a> {
    pub threads: &'a ThreadPool,
    pub control: &'a Control,
    /// The bytes of memory that units may take while they are worked on.
    pub memory: u64,
    /// How long a piece is worked on before it reports.
    pub slice: Duration,
}

/// Works on each of some things on any thread until told to stop, those in front first as far as there is room; each takes so
/// many bytes of memory meanwhile. What the work sends goes to `keep` on the calling thread, and nothing when nothing has come for a while.
pub(crate) fn each<T: Send, O, C: Send>(
    means: Means,
    things: Vec<(u64, T)>,
    worker: impl Fn() -> O + Sync,
    work: impl Fn(&mut O, T, &dyn Fn(C)) + Sync,
    mut keep: impl FnMut(Option<C>),
) {
    let count = means.threads.current_num_threads();
    let queue = Queue::new(means.memory, things.into_iter());
    let (sender, came) = crossbeam_channel::bounded(2 * count);
    means.threads.in_place_scope(|scope| {
        for _ in 0..count {
            let (queue, sender, worker, work) = (&queue, sender.clone(), &worker, &work);
            scope.spawn(move |_| {
                let mut worker = worker();
                while let Some((thing, _room)) = queue.next(&|| means.control.is_stopped()) {
                    // The other end is there until the last worker has hung up.
                    work(&mut worker, thing, &|came| drop(sender.send(came)));
                }
            });
        }
        drop(sender);
        loop {
            match came.recv_timeout(means.slice) {
                Ok(came) => keep(Some(came)),
                Err(RecvTimeoutError::Timeout) => keep(None),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    });
}

/// Works on everything that is open, while `keep` takes the reports on the calling thread.
pub(super) fn run<W: Work, R>(
    means: Means,
    work: &W,
    open: Open<W::Piece>,
    keep: impl FnOnce(&Receiver<Report<W::Piece>>) -> R,
) -> R {
    let (sender, reports) = crossbeam_channel::unbounded();
    let count = means.threads.current_num_threads();
    let begun = open.begun.into_iter().map(Waiting::Begun);
    let waiting = begun.chain(open.untouched.into_iter().map(Waiting::Untouched));
    let shared = Shared {
        work,
        queue: Queue::new(
            means.memory,
            waiting.map(|waiting| (work.memory(waiting.unit()), waiting)),
        ),
        next_id: AtomicU64::new(open.next_id),
        wanting: AtomicUsize::new(0),
        workers: (0..count).map(|_| Mutex::new(None)).collect(),
        means,
    };
    means.threads.in_place_scope(|scope| {
        for _ in 0..count {
            let (shared, sender) = (&shared, sender.clone());
            scope.spawn(move |scope| shared.feed(scope, &sender));
        }
        drop(sender);
        keep(&reports)
    })
}

/// What nobody is at.
enum Waiting<P> {
    Begun(Task<P>),
    Untouched(usize),
}

impl<P> Waiting<P> {
    fn unit(&self) -> usize {
        match self {
            Self::Begun(task) => task.unit,
            Self::Untouched(unit) => *unit,
        }
    }
}

struct Shared<'a, W: Work> {
    work: &'a W,
    queue: Queue<Waiting<W::Piece>>,
    next_id: AtomicU64,
    /// Threads that found nothing more to take, less the parts spawned for them.
    wanting: AtomicUsize,
    /// One a thread, made by the thread that uses it, so that its memory is near.
    workers: Vec<Mutex<Option<W::Worker>>>,
    means: Means<'a>,
}

impl<W: Work> Shared<'_, W> {
    fn feed<'s>(&'s self, scope: &Scope<'s>, sender: &Sender<Report<W::Piece>>) {
        while let Some((waiting, _room)) = self.queue.next(&|| self.means.control.is_stopped()) {
            let task = match waiting {
                Waiting::Begun(task) => task,
                Waiting::Untouched(unit) => self.task(unit, self.work.begin(unit)),
            };
            self.work_on(task, scope, sender);
        }
        self.wanting.fetch_add(1, Ordering::Relaxed);
    }

    fn task(&self, unit: usize, piece: W::Piece) -> Task<W::Piece> {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        Task { unit, id, piece }
    }

    /// Works on a task slice by slice until it is done, sharing it when another thread wants work.
    fn work_on<'s>(
        &'s self,
        mut task: Task<W::Piece>,
        scope: &Scope<'s>,
        sender: &Sender<Report<W::Piece>>,
    ) {
        let thread = rayon::current_thread_index().unwrap_or(0);
        let mut worker = self.workers[thread].lock().unwrap_or_else(PoisonError::into_inner);
        let worker = worker.get_or_insert_with(|| self.work.worker());
        loop {
            let end = Instant::now() + self.means.slice;
            let pause = || match self.means.control.is_stopped() {
                true => Pause::Now,
                false if self.is_wanted() || Instant::now() >= end => Pause::Soon,
                false => Pause::No,
            };
            let Task { unit, id, piece } = task;
            let (advance, lost) = match self.work.advance(worker, unit, &piece, &pause) {
                Ok(advance) => (advance, None),
                Err(lost) => {
                    self.means.control.stop();
                    let rest = Some(piece);
                    (Advance { found: Tally::ZERO, nodes: 0, rest }, Some(lost))
                }
            };
            let Advance { found, nodes, rest } = advance;
            let rest = match (rest, self.work.tree()) {
                (Some(piece), Some(tree)) if self.is_wanted() => tree.split(worker, piece),
                (rest, _) => rest.into_iter().collect(),
            };
            let rest = rest.into_iter().map(|piece| self.task(unit, piece));
            let mut rest: Vec<_> = rest.collect();
            // The keeper hears of the parts before anyone can report on them. It listens until the last
            // worker has hung up, so that no report is lost.
            let _ = sender.send(Report { unit, id, found, nodes, rest: rest.clone(), lost });
            if self.means.control.is_stopped() {
                return;
            }
            let Some(own) = rest.pop() else {
                return;
            };
            for part in rest {
                self.share(part, scope, sender.clone());
            }
            task = own;
        }
    }

    fn is_wanted(&self) -> bool {
        self.wanting.load(Ordering::Relaxed) > 0
    }

    /// Spawns a part of a task for a thread that wants work.
    fn share<'s>(
        &'s self,
        part: Task<W::Piece>,
        scope: &Scope<'s>,
        sender: Sender<Report<W::Piece>>,
    ) {
        let less_one = |wanting: usize| wanting.checked_sub(1);
        let (order, none) = (Ordering::Relaxed, Ordering::Relaxed);
        let was_wanted = self.wanting.fetch_update(order, none, less_one).is_ok();
        scope.spawn(move |scope| {
            if !self.means.control.is_stopped() {
                self.work_on(part, scope, &sender);
            }
            if was_wanted {
                self.wanting.fetch_add(1, Ordering::Relaxed);
            }
        });
    }
}
