//! The depth-first search below a prefix, which can be paused at any node and resumed.
//!
//! A [`Piece`] is the path to the next node to visit. A pause unwinds the recursion and records the
//! path from the bottom up.
//!
//! Subtrees on the path to the cursor are searched only in part, so their counts are not stored in
//! the transposition table.

use super::field::{Counters, Field};
use super::memo::{Memo, MemoSize};
use super::reduction::Reduction;
use crate::cursor::{Cursor, Piece};
use crate::work::Pause;

/// The number of nodes between two calls of `pause`: a fraction of a millisecond on bitboards.
const NODES_BETWEEN_LOOKS: u64 = 1 << 14;

/// The search of one thread.
#[derive(Debug)]
pub(super) struct Search<F: Field> {
    field: F,
    starts: Vec<u16>,
    length: usize,
    memo: Memo<F::Key>,
    /// The number of free squares from which on the field searches the whole subtree by itself.
    pub finish: usize,
    /// The number of nodes between two calls of `pause`.
    pub look_every: u64,
    next_look: u64,
    paused: bool,
    /// The choices from the node where the search was paused up to the root, deepest first.
    way_up: Vec<u16>,
}

impl<F: Field> Search<F> {
    pub fn new(reduction: &Reduction, memo: MemoSize) -> Self {
        let memo = Memo::new(memo);
        Self {
            finish: F::FINISH[usize::from(!memo.is_on())],
            field: F::new(reduction),
            starts: reduction.starts.iter().map(|start| start.index() as u16).collect(),
            length: reduction.length,
            memo,
            look_every: NODES_BETWEEN_LOOKS,
            next_look: 0,
            paused: false,
            way_up: Vec::new(),
        }
    }

    /// Searches a piece until it is done or `pause` asks for a pause.
    ///
    /// Returns the directed tours found, the nodes visited, and the remaining piece, if any.
    pub fn advance(
        &mut self,
        piece: &Piece,
        pause: &dyn Fn() -> Pause,
    ) -> (u128, u64, Option<Piece>) {
        *self.field.counters() = Counters::default();
        self.next_look = self.look_every;
        self.paused = false;
        self.way_up.clear();
        self.walk_starts(piece, pause);
        let rest = self.paused.then(|| piece.moved_to(self.way_up.iter().rev().copied().collect()));
        let Counters { tours, nodes } = *self.field.counters();
        (tours, nodes, rest)
    }

    fn walk_starts(&mut self, piece: &Piece, pause: &dyn Fn() -> Pause) {
        let cursor = Cursor::of(piece);
        for start in cursor.still_open(self.starts.clone().into_iter().map(usize::from)) {
            if self.length == 1 {
                self.field.counters().tours += 1;
                continue;
            }
            self.memo.set_start(start);
            if let Some(position) = self.field.enter(start) {
                match cursor.below(start) {
                    Some(below) => self.resume(position, self.length - 1, below, pause),
                    None => self.extend(position, self.length - 1, pause),
                }
                self.field.leave(start);
            }
            if self.paused {
                self.way_up.push(start as u16);
                return;
            }
        }
    }

    /// Searches the nodes at or after the cursor below a position on the path to it.
    fn resume(&mut self, at: F::Position, free: usize, cursor: Cursor, pause: &dyn Fn() -> Pause) {
        if cursor.is_reached() {
            return self.extend(at, free, pause);
        }
        for to in cursor.still_open(self.field.moves(&at)) {
            if let Some(next) = self.field.step(&at, to) {
                match cursor.below(to) {
                    Some(below) => self.resume(next, free - 1, below, pause),
                    None => self.extend(next, free - 1, pause),
                }
                self.field.undo(to);
            }
            if self.paused {
                self.way_up.push(to as u16);
                return;
            }
        }
    }

    /// Searches everything below a position with `free` free squares.
    fn extend(&mut self, at: F::Position, free: usize, pause: &dyn Fn() -> Pause) {
        if free <= self.finish {
            return self.field.finish(at);
        }
        if self.should_pause(pause) {
            self.paused = true;
            return;
        }
        let slot = F::key(&at).filter(|_| self.memo.is_on());
        let place = slot.map(|(key, mixed, head)| (self.memo.place(mixed, head), key, head));
        if let Some((place, key, head)) = place
            && let Some(count) = self.memo.get(place, key, head)
        {
            self.field.counters().tours += u128::from(count);
            return;
        }
        let before = self.field.counters().tours;
        self.field.counters().nodes += 1;
        for to in self.field.moves(&at) {
            if let Some(next) = self.field.step(&at, to) {
                self.extend(next, free - 1, pause);
                self.field.undo(to);
                if self.paused {
                    self.way_up.push(to as u16);
                    return;
                }
            }
        }
        if let Some((place, key, head)) = place {
            let count = self.field.counters().tours - before;
            self.memo.put(place, key, head, count);
        }
    }

    fn should_pause(&mut self, pause: &dyn Fn() -> Pause) -> bool {
        let nodes = self.field.counters().nodes;
        if nodes < self.next_look {
            return false;
        }
        self.next_look = nodes + self.look_every;
        pause() != Pause::No
    }

    /// Splits a piece into several that stand for the same nodes.
    pub fn split(&mut self, piece: Piece) -> Vec<Piece> {
        let choices = self.choices_along(piece.path());
        piece.split(&choices)
    }

    /// The choices before each square of a path and after its last, as long as the path leads
    /// through nodes that the search would visit.
    fn choices_along(&mut self, path: &[u16]) -> Vec<Vec<u16>> {
        let mut levels: Vec<Vec<u16>> = Vec::new();
        self.walk_down(|choices, _| {
            let next = path.get(levels.len()).copied().filter(|next| choices.contains(next));
            levels.push(choices);
            next.map_or(Way::Back, Way::To)
        });
        levels
    }

    /// Goes down from the root and back up.
    ///
    /// At each node `choose` gets the choices and the number of free squares, and returns the step
    /// to take. The counters returned are those of the last step alone: a tour that it completed,
    /// or all nodes below the node at which `choose` asked for all.
    pub fn walk_down(&mut self, mut choose: impl FnMut(Vec<u16>, usize) -> Way) -> Counters {
        *self.field.counters() = Counters::default();
        let Way::To(start) = choose(self.starts.clone(), self.length) else {
            return Counters::default();
        };
        if self.length == 1 {
            return Counters { tours: 1, nodes: 0 };
        }
        let Some(mut at) = self.field.enter(usize::from(start)) else {
            return Counters::default();
        };
        let mut way_back = Vec::new();
        let mut free = self.length - 1;
        loop {
            let choices = self.field.moves(&at).map(|to| to as u16).collect();
            let to = match choose(choices, free) {
                Way::To(to) => usize::from(to),
                Way::Back => break,
                Way::All => {
                    self.memo.set_start(usize::from(start));
                    self.next_look = u64::MAX;
                    self.extend(at, free, &|| Pause::No);
                    break;
                }
            };
            let Some(next) = self.field.step(&at, to) else {
                break;
            };
            at = next;
            free -= 1;
            way_back.push(to);
        }
        for &to in way_back.iter().rev() {
            self.field.undo(to);
        }
        self.field.leave(usize::from(start));
        *self.field.counters()
    }
}

/// A step from a node.
#[derive(Debug, Clone, Copy)]
pub(super) enum Way {
    /// Down to one of its choices.
    To(u16),
    /// An exhaustive search of everything below the node.
    All,
    /// No further: back to the root.
    Back,
}
