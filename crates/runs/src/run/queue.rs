//! A queue of tasks whose memory is limited while they are in progress.
//!
//! An idle worker takes the first task that fits into the memory left by the tasks in progress. So
//! a large task at the head of the queue never blocks smaller ones behind it.
//!
//! Tasks that take no memory are those of a search tree, where neighbours share positions. So each
//! worker has a run of neighbours, and takes those of others from their ends when it has no more:
//! on 6x6 two workers then visit 2 % more nodes than one, and 8 % with a single run.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Tasks, each with the bytes of memory that it takes while it is in progress.
#[derive(Debug)]
pub(super) struct Queue<T> {
    memory: u64,
    state: Mutex<State<T>>,
    changed: Condvar,
    /// True if more threads are idle than tasks are waiting.
    is_wanting: AtomicBool,
}

#[derive(Debug)]
struct State<T> {
    /// The tasks of each worker, or all in one.
    waiting: Vec<VecDeque<(u64, T)>>,
    /// The number of tasks in progress, and their bytes.
    taken: usize,
    bytes: u64,
    /// The number of threads that wait for a task.
    idle: usize,
}

/// The memory of a task in progress, which is returned when this value is dropped.
#[derive(Debug)]
pub(super) struct Taken<'a, T> {
    queue: &'a Queue<T>,
    bytes: u64,
}

impl<T> Queue<T> {
    pub fn new(memory: u64, workers: usize, things: impl Iterator<Item = (u64, T)>) -> Self {
        let mut things: Vec<(u64, T)> = things.collect();
        let shares = if things.iter().any(|&(bytes, _)| bytes > 0) { 1 } else { workers };
        let share = things.len().div_ceil(shares);
        let next_share = |_| things.drain(..share.min(things.len())).collect();
        let waiting = (0..shares).map(next_share).collect();
        let state = State { waiting, taken: 0, bytes: 0, idle: 0 };
        Self {
            memory,
            state: Mutex::new(state),
            changed: Condvar::new(),
            is_wanting: AtomicBool::new(false),
        }
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// True if more threads are idle than tasks are waiting. Memory is not considered, because the
    /// parts of a divided piece take none of their own.
    pub fn is_wanting(&self) -> bool {
        self.is_wanting.load(Ordering::Relaxed)
    }

    fn note(&self, state: &State<T>) {
        let waiting: usize = state.waiting.iter().map(VecDeque::len).sum();
        self.is_wanting.store(state.idle > waiting, Ordering::Relaxed);
    }

    /// Adds tasks that take no memory of their own.
    pub fn put(&self, things: Vec<T>) {
        if !things.is_empty() {
            let mut state = self.state();
            state.waiting[0].extend(things.into_iter().map(|thing| (0, thing)));
            self.note(&state);
            self.wake(&state);
        }
    }

    /// Wakes the idle threads. A call that wakes nobody is a system call too, which small units
    /// would notice.
    fn wake(&self, state: &State<T>) {
        if state.idle > 0 {
            self.changed.notify_all();
        }
    }

    /// Takes the first task of this worker that fits into the free memory, or else the last of
    /// another, and waits for one if necessary; any task fits where none is in progress. Returns
    /// `None` if no task is waiting and no worker could add one, or if `stop` asks for it.
    pub fn next(&self, worker: usize, stop: &dyn Fn() -> bool) -> Option<(T, Taken<'_, T>)> {
        let mut state = self.state();
        while !stop() {
            let free = self.memory.saturating_sub(state.bytes);
            let fits = |&(bytes, _): &(u64, T)| state.taken == 0 || bytes <= free;
            let shares = state.waiting.len();
            let mut from_own = (worker..worker + shares).map(|share| share % shares);
            let fitting = |share: usize| {
                let mut tasks = state.waiting[share].iter();
                let is_own = share == worker % shares;
                let place = if is_own { tasks.position(fits) } else { tasks.rposition(fits) };
                Some((share, place?))
            };
            if let Some((share, place)) = from_own.find_map(fitting) {
                let (bytes, thing) = state.waiting[share].remove(place)?;
                state.taken += 1;
                state.bytes += bytes;
                return Some((thing, Taken { queue: self, bytes }));
            }
            if state.taken == 0 {
                return None;
            }
            state.idle += 1;
            self.note(&state);
            let waited = self.changed.wait_timeout(state, Duration::from_millis(50));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            state.idle -= 1;
            self.note(&state);
        }
        None
    }
}

impl<T> Drop for Taken<'_, T> {
    fn drop(&mut self) {
        let mut state = self.queue.state();
        state.taken -= 1;
        state.bytes -= self.bytes;
        self.queue.wake(&state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_room_beside_the_others_lets_smaller_things_pass_and_waits_for_none() {
        let queue =
            Queue::new(10, 1, [(12, 'a'), (8, 'b'), (7, 'c'), (3, 'd'), (0, 'e')].into_iter());
        let next = || queue.next(0, &|| false);
        // A task larger than the memory runs alone, except for tasks that take none.
        let (a, of_a) = next().expect("nothing is worked on");
        let (e, of_e) = next().expect("it takes nothing");
        assert_eq!((a, e), ('a', 'e'));
        drop((of_a, of_e));
        let (b, of_b) = next().expect("nothing is worked on");
        assert_eq!(b, 'b');
        let asked = std::cell::Cell::new(0);
        assert!(queue.next(0, &|| asked.replace(asked.get() + 1) == 2).is_none());
        assert_eq!(asked.get(), 3, "neither 7 nor 3 fit beside 8");
        drop(of_b);
        let (c, of_c) = next().expect("nothing is worked on");
        let (d, of_d) = next().expect("3 fits beside 7");
        assert_eq!((c, d), ('c', 'd'));
        // A worker may add tasks.
        assert!(!queue.is_wanting());
        queue.put(vec!['f']);
        assert_eq!(next().expect("it takes nothing").0, 'f');
        drop((of_c, of_d));
        assert!(next().is_none());
    }

    #[test]
    fn a_worker_takes_a_run_of_neighbours_and_then_the_last_of_another() {
        let queue = Queue::new(0, 2, ('a'..='f').map(|thing| (0, thing)));
        let next = |worker| queue.next(worker, &|| false).map(|(thing, _)| thing);
        let taken: String = [0, 1, 1, 1, 1, 0, 0].into_iter().filter_map(next).collect();
        assert_eq!(taken, "adefcb");
    }

    #[test]
    fn an_idle_worker_asks_for_work_while_another_works_and_gets_it() {
        let queue = Queue::new(10, 1, [(0, 'a')].into_iter());
        let (_, of_a) = queue.next(0, &|| false).expect("nothing is worked on");
        std::thread::scope(|scope| {
            let idle = scope.spawn(|| queue.next(0, &|| false).map(|(thing, _)| thing));
            while !queue.is_wanting() {
                std::thread::yield_now();
            }
            queue.put(vec!['b']);
            assert_eq!(idle.join().expect("no panic"), Some('b'));
        });
        assert!(!queue.is_wanting());
        drop(of_a);
        assert!(queue.next(0, &|| false).is_none());
    }
}
