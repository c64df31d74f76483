//! A rayon pool that works on units so that no thread is idle while another has work to share.
//!
//! Giving each thread a fixed share would leave most threads idle at the end, since units differ by
//! orders of magnitude. Here every thread takes units from one queue. When the queue is empty, an
//! idle thread makes the others pause at their next look at the clock, divide their pieces and put
//! the parts into the queue. So the end of a run is as parallel as its middle, and a single heavy
//! unit keeps all threads busy. Units of an engine without a search tree are atomic and cannot be
//! divided, so some threads are idle at the end.

use super::queue::Queue;
use super::{Control, RunError};
use crate::cursor::UnitPiece;
use crate::rounds::StatesUnavailable;
use crate::tally::Tally;
use crate::work::{Advance, Pause, Work, Worker};
use crossbeam_channel::{RecvTimeoutError, Sender};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::hint::black_box;
use std::io;
use std::thread::Builder;
use std::time::{Duration, Instant};

/// A piece of a unit.
#[derive(Debug)]
pub(super) struct Task {
    pub unit: usize,
    /// The piece; `None` for the whole unit.
    pub piece: Option<UnitPiece>,
}

/// The result of a time slice, sent by a worker to the keeper.
#[derive(Debug)]
pub(super) struct PieceResult {
    pub unit: usize,
    pub piece: UnitPiece,
    pub found: Tally,
    pub nodes: u64,
    /// The pieces that replace it.
    pub rest: Vec<UnitPiece>,
    /// The error, if the piece could not be processed.
    pub lost: Option<StatesUnavailable>,
}

/// The results that a worker sends to the keeper.
///
/// To wake the keeper takes longer than to count a small unit, so results that are not urgent wait
/// for the first one that comes after this time.
struct Results {
    held: Vec<PieceResult>,
    sent: Instant,
    sender: Sender<Vec<PieceResult>>,
}

const HELD: Duration = Duration::from_millis(2);

impl Results {
    /// Sends a result, at once if it is urgent.
    fn send(&mut self, result: PieceResult, is_urgent: bool) {
        self.held.push(result);
        if is_urgent || self.sent.elapsed() >= HELD {
            let _ = self.sender.send(std::mem::take(&mut self.held));
            self.sent = Instant::now();
        }
    }
}

impl Drop for Results {
    fn drop(&mut self) {
        // The keeper listens until the last worker has hung up.
        let _ = self.sender.send(std::mem::take(&mut self.held));
    }
}

/// The stack of a worker, large enough for the recursion on the largest board.
const STACK_BYTES: usize = 16 << 20;

/// The memory that has to be left once the threads have their stacks: a small allocation that fails
/// would end the process without a message.
const SPARE: usize = 16 << 20;

/// Starts a pool of worker threads, one per core if the number is `None`.
///
/// A limit on addresses can leave none for what the standard library reserves in a new thread,
/// which ends the process or hangs it. So each thread is started once the one before has reserved
/// its heap, and if there is room for another.
///
/// # Errors
/// [`RunError::Threads`] if they cannot be started, [`RunError::TooLittle`] if they leave no
/// memory.
pub fn threads(threads: Option<usize>) -> Result<ThreadPool, RunError> {
    let has_room = |bytes| black_box(Vec::<u8>::new()).try_reserve_exact(bytes);
    let builder = ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0));
    let builder = builder.spawn_handler(|worker| {
        has_room(STACK_BYTES + SPARE).map_err(io::Error::other)?;
        let thread = Builder::new().name(format!("walker-{}", worker.index()));
        let (started, heard) = crossbeam_channel::bounded(1);
        thread.stack_size(STACK_BYTES).spawn(move || {
            // The first allocation of a thread reserves its heap.
            let _ = started.send(black_box(Box::new(0_u8)));
            worker.run();
        })?;
        heard.recv().map(drop).map_err(io::Error::other)
    });
    let pool = builder.build()?;
    has_room(SPARE).map_err(RunError::TooLittle)?;
    Ok(pool)
}

/// The resources that all workers of a run share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PoolContext<'a> {
    pub threads: &'a ThreadPool,
    pub control: &'a Control,
    /// The bytes of memory that all tasks in progress may take together.
    pub memory: u64,
    /// The time for which a worker computes before it reports.
    pub slice: Duration,
}

/// The connections of a worker: to the queue, and to the keeper.
pub(crate) struct WorkerHandle<'a, T, C> {
    queue: &'a Queue<T>,
    sender: &'a Sender<C>,
}

impl<T, C> WorkerHandle<'_, T, C> {
    /// Sends a result to the keeper, which listens until the last worker has hung up.
    pub fn send(&self, came: C) {
        let _ = self.sender.send(came);
    }
}

/// Processes tasks on all threads of the pool until none is left or the run stops. A thread takes
/// the first task that fits into the remaining memory; each task has its number of bytes. What
/// `work` sends goes to `keep` on the calling thread, which is called with `None` if nothing has
/// arrived for a time slice.
pub(crate) fn each<T: Send, O, C: Send>(
    context: PoolContext,
    things: impl IntoIterator<Item = (u64, T)>,
    worker: impl Fn(&Sender<C>) -> O + Sync,
    work: impl Fn(&mut O, T, &WorkerHandle<T, C>) + Sync,
    mut keep: impl FnMut(Option<C>),
) {
    let count = context.threads.current_num_threads();
    let queue = Queue::new(context.memory, count, things.into_iter());
    context.threads.in_place_scope(|scope| {
        // The channel is unbounded because results are small, and workers should not wait while the
        // keeper saves. No result piles up in it if `keep` has panicked: the receiver is dropped
        // with this closure.
        let (sender, came) = crossbeam_channel::unbounded();
        for place in 0..count {
            let (queue, sender, worker, work) = (&queue, sender.clone(), &worker, &work);
            scope.spawn(move |_| {
                // The thread that uses the worker creates it, so that its memory is local to that
                // thread.
                let mut own = None;
                let handle = WorkerHandle { queue, sender: &sender };
                while let Some((thing, _room)) = queue.next(place, &|| context.control.is_halted())
                {
                    work(own.get_or_insert_with(|| worker(&sender)), thing, &handle);
                }
            });
        }
        drop(sender);
        loop {
            match came.recv_timeout(context.slice) {
                Ok(came) => keep(Some(came)),
                Err(RecvTimeoutError::Timeout) => keep(None),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    });
}

/// Processes all unfinished pieces and passes the results to `keep` on the calling thread, now and
/// then none, so that it looks at the clock.
pub(super) fn run(
    context: PoolContext,
    work: &dyn Work,
    open: Vec<Task>,
    mut keep: impl FnMut(Vec<PieceResult>),
) {
    let tasks = open.into_iter().map(|task| (work.memory(task.unit), task));
    each(
        context,
        tasks,
        |sender| {
            let (held, sent, sender) = (Vec::new(), Instant::now(), sender.clone());
            (work.worker(), Results { held, sent, sender })
        },
        |(own, results), task, handle| {
            work_on(work, context, own.as_mut(), task, handle.queue, results);
        },
        |came| keep(came.unwrap_or_default()),
    );
}

/// Processes a task time slice by time slice until it is done, and shares it when another thread
/// wants work.
fn work_on(
    work: &dyn Work,
    context: PoolContext,
    worker: &mut dyn Worker,
    mut task: Task,
    queue: &Queue<Task>,
    results: &mut Results,
) {
    // What a tree has left is kept, but a part of another unit would be lost.
    let is_halted = || match work.is_tree() {
        true => context.control.is_halted(),
        false => context.control.is_halted_at_once(),
    };
    loop {
        let end = Instant::now() + context.slice;
        let pause = || match is_halted() {
            true => Pause::Now,
            false if queue.is_wanting() || Instant::now() >= end => Pause::Soon,
            false => Pause::No,
        };
        let unit = task.unit;
        let piece = task.piece.unwrap_or_else(|| work.begin(unit));
        let mut lost = None;
        let advanced = worker.advance(unit, &piece, &pause);
        let Advance { found, nodes, rest } = advanced.unwrap_or_else(|error| {
            context.control.halt();
            lost = Some(error);
            Advance { found: Tally::ZERO, nodes: 0, rest: Some(piece.clone()) }
        });
        let mut rest = match rest {
            Some(piece) if queue.is_wanting() => worker.split(piece),
            rest => rest.into_iter().collect(),
        };
        // The keeper learns of the parts before any other thread can send a result for one, and of
        // an atomic unit before the next one, which may take hours.
        let is_urgent = !rest.is_empty() || !work.is_tree();
        let result = PieceResult { unit, piece, found, nodes, rest: rest.clone(), lost };
        results.send(result, is_urgent);
        let Some(own) = rest.pop().filter(|_| !context.control.is_halted()) else {
            return;
        };
        let task_of = |piece| Task { unit, piece: Some(piece) };
        queue.put(rest.into_iter().map(task_of).collect());
        task = task_of(own);
    }
}
