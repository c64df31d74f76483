//! The depth-first search of a tree, which can be paused at any node and resumed.
//!
//! The walk searches the paths of the knight, and `subsets` sets of squares. A [`Tree`] says what a
//! step of the engine is, and the [`Search`] does everything else: pausing, resuming, splitting and
//! probing. [`prefixes`] has the units of such an engine, and [`worker`] its worker.
//!
//! A [`UnitPiece`] is the path to the next node to visit. A pause unwinds the recursion and records
//! the path from the bottom up. The choices at a node are taken in ascending order, so the path
//! tells which nodes are done.
//!
//! Subtrees on the path to the cursor are searched only in part, so their counts are not stored in
//! the transposition table ([`memo`]).

mod memo;
mod prefixes;
mod probe;
mod worker;

pub(crate) use memo::Memo;
pub use memo::MemoSize;
pub use prefixes::TooManyUnits;
pub(crate) use prefixes::{Prefixes, at_depth};
pub(crate) use probe::SEARCHED_WHOLE;
pub(crate) use worker::TreeWorker;

use crate::cursor::{Cursor, UnitPiece};
use crate::work::Pause;
use probe::MOST_SEARCHED_WHOLE;

/// The number of nodes between two calls of `pause`: a fraction of a millisecond.
const NODES_BETWEEN_LOOKS: u64 = 1 << 12;

/// A tree to be searched, with the counters of tours and nodes.
///
/// The first choices are made at the root, which is not a node itself. A node is either a plain
/// value, and there is nothing to undo, or it is valid until its step is undone.
pub(crate) trait Tree {
    /// A node. It is passed by reference, because it may be large.
    type Node;
    /// The choices at a node, ascending.
    type Choices: Iterator<Item = usize>;
    /// The part of a node that decides, with its head and the first choice, the number of tours
    /// below it.
    type Key: Copy + Eq + Default;

    /// True if probes estimate the size of the tree.
    const HAS_PROBES: bool = true;

    /// The number of choices that make a tour; `usize::MAX` if it varies.
    fn levels(&self) -> usize;

    /// The largest numbers of levels below a node at which [`Tree::finish`] searches the whole
    /// subtree in a tight loop, without a pause: with a transposition table, and without.
    fn finishes(&self) -> [usize; 2] {
        [0, 0]
    }

    /// The choices at the root, ascending.
    fn roots(&self) -> Vec<u16>;

    /// The node after a choice at the root, which has to be undone.
    ///
    /// Returns `None`, with nothing to undo, if the choice is a dead end or finishes a tour. A tour
    /// is added to the counters.
    fn enter(&mut self, root: usize) -> Option<Self::Node>;

    /// The choices at a node, as far as local pruning can tell.
    fn choices(&self, at: &Self::Node) -> Self::Choices;

    /// The node after a choice, which has to be undone; `None` as for [`Tree::enter`].
    fn step(&mut self, at: &Self::Node, to: usize) -> Option<Self::Node>;

    /// Undoes a choice.
    fn undo(&mut self, _to: usize) {}

    /// Searches everything below a node and adds the result to the counters.
    fn finish(&mut self, _at: &Self::Node) {}

    /// The key of a node for the transposition table, the hash of the key, and the head. `None` for
    /// trees without a key.
    fn key(_at: &Self::Node) -> Option<(Self::Key, u64, u64)> {
        None
    }

    /// True if a probe searches everything below a node, or below the root. `levels` is the number
    /// of choices from there to a tour.
    fn is_small(&self, _at: Option<&Self::Node>, _levels: usize) -> bool {
        false
    }

    fn counters(&mut self) -> &mut Counters;
}

/// The results of a search.
///
/// A step adds at most 16 tours and an entry of a transposition table at most 2^48, so neither
/// number can overflow within the lifetime of a machine.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Counters {
    /// Directed tours, each counted with its weight.
    pub tours: u128,
    /// Nodes of the search tree.
    pub nodes: u64,
}

/// The search of one thread.
pub(crate) struct Search<T: Tree> {
    tree: T,
    memo: Memo<T::Key>,
    /// The level from which on the tree searches the whole subtree by itself.
    finish_at: usize,
    /// The number of nodes between two calls of `pause`.
    look_every: u64,
    next_look: u64,
    paused: bool,
    /// The choices from the node where the search was paused up to the root, deepest first.
    way_up: Vec<u16>,
}

impl<T: Tree> Search<T> {
    pub fn new(tree: T, memo: MemoSize) -> Self {
        let memo = Memo::new(memo);
        Self {
            finish_at: tree.levels().saturating_sub(tree.finishes()[usize::from(!memo.is_on())]),
            tree,
            memo,
            look_every: NODES_BETWEEN_LOOKS,
            next_look: 0,
            paused: false,
            way_up: Vec::new(),
        }
    }

    fn reset(&mut self, next_look: u64) {
        *self.tree.counters() = Counters::default();
        self.next_look = next_look;
        self.paused = false;
        self.way_up.clear();
    }

    /// Searches a piece until it is done or `pause` asks for a pause.
    ///
    /// Returns the directed tours found, the nodes visited, and the remaining piece, if any.
    pub fn advance(
        &mut self,
        piece: &UnitPiece,
        pause: &dyn Fn() -> Pause,
    ) -> (u128, u64, Option<UnitPiece>) {
        self.reset(self.look_every);
        self.resume(None, 0, Cursor::of(piece), pause);
        let rest = self.paused.then(|| piece.moved_to(self.way_up.iter().rev().copied().collect()));
        let Counters { tours, nodes } = *self.tree.counters();
        (tours, nodes, rest)
    }

    /// The choices at a node, or at the root.
    fn choices(&self, at: Option<&T::Node>) -> impl Iterator<Item = usize> + use<T> {
        let roots = if at.is_none() { self.tree.roots() } else { Vec::new() };
        let below = at.map(|at| self.tree.choices(at));
        roots.into_iter().map(usize::from).chain(below.into_iter().flatten())
    }

    /// The node after a choice at a node, or at the root.
    fn step(&mut self, at: Option<&T::Node>, to: usize) -> Option<T::Node> {
        if let Some(at) = at {
            return self.tree.step(at, to);
        }
        if self.tree.levels() == 1 {
            self.tree.counters().tours += 1;
            return None;
        }
        self.memo.set_root(to);
        self.tree.enter(to)
    }

    /// Searches the nodes at or after the cursor below a node on the path to it, after `level`
    /// choices.
    fn resume(
        &mut self,
        at: Option<&T::Node>,
        level: usize,
        cursor: Cursor,
        pause: &dyn Fn() -> Pause,
    ) {
        if let Some(at) = at.filter(|_| cursor.is_reached()) {
            return self.extend(at, level, pause);
        }
        for to in cursor.still_open(self.choices(at)) {
            if let Some(next) = self.step(at, to) {
                match cursor.below(to) {
                    Some(below) => self.resume(Some(&next), level + 1, below, pause),
                    None => self.extend(&next, level + 1, pause),
                }
                self.tree.undo(to);
            }
            if self.paused {
                self.way_up.push(to as u16);
                return;
            }
        }
    }

    /// Searches everything below a node after `level` choices.
    fn extend(&mut self, at: &T::Node, level: usize, pause: &dyn Fn() -> Pause) {
        if level >= self.finish_at {
            return self.tree.finish(at);
        }
        if self.should_pause(pause) {
            self.paused = true;
            return;
        }
        let slot = T::key(at).filter(|_| self.memo.is_on());
        let place = slot.map(|(key, mixed, head)| (self.memo.place(mixed, head), key, head));
        if let Some((place, key, head)) = place
            && let Some(count) = self.memo.get(place, key, head)
        {
            self.tree.counters().tours += u128::from(count);
            return;
        }
        let before = self.tree.counters().tours;
        self.tree.counters().nodes += 1;
        for to in self.tree.choices(at) {
            if let Some(next) = self.tree.step(at, to) {
                self.extend(&next, level + 1, pause);
                self.tree.undo(to);
                if self.paused {
                    self.way_up.push(to as u16);
                    return;
                }
            }
        }
        if let Some((place, key, head)) = place {
            let count = self.tree.counters().tours - before;
            self.memo.put(place, key, head, count);
        }
    }

    fn should_pause(&mut self, pause: &dyn Fn() -> Pause) -> bool {
        let nodes = self.tree.counters().nodes;
        if nodes < self.next_look {
            return false;
        }
        self.next_look = nodes + self.look_every;
        pause() != Pause::No
    }

    /// The choices before each step of a path and after its last, as long as the path leads through
    /// nodes that the search would visit.
    pub fn choices_along(&mut self, path: &[u16]) -> Vec<Vec<u16>> {
        let mut levels = Vec::new();
        self.walk_down(|_, _, choices| {
            let next = path.get(levels.len()).copied();
            levels.push(choices.to_vec());
            next.map_or(Way::Back, Way::To)
        });
        levels
    }

    /// Goes down from the root and back up.
    ///
    /// At the root and at each node `choose` gets the tree, the node and the choices, and returns
    /// the step to take. The counters returned are those of the last step alone: a tour that it
    /// completed, or all nodes below the node at which `choose` asked for all. If these are too
    /// many, `choose` is called again for the same node.
    pub fn walk_down(
        &mut self,
        mut choose: impl FnMut(&T, Option<&T::Node>, &[u16]) -> Way,
    ) -> Counters {
        self.reset(u64::MAX);
        self.walk_below(None, 0, &mut choose);
        *self.tree.counters()
    }

    fn walk_below(
        &mut self,
        at: Option<&T::Node>,
        level: usize,
        choose: &mut impl FnMut(&T, Option<&T::Node>, &[u16]) -> Way,
    ) {
        let whole = UnitPiece::whole(&[]);
        let choices: Vec<u16> = self.choices(at).map(|to| to as u16).collect();
        match choose(&self.tree, at, &choices) {
            Way::To(to) if choices.contains(&to) => {
                if let Some(next) = self.step(at, usize::from(to)) {
                    self.walk_below(Some(&next), level + 1, choose);
                    self.tree.undo(usize::from(to));
                }
            }
            Way::All => {
                self.next_look = MOST_SEARCHED_WHOLE;
                self.resume(at, level, Cursor::of(&whole), &|| Pause::Now);
                if self.paused {
                    self.reset(u64::MAX);
                    self.walk_below(at, level, choose);
                }
            }
            Way::To(_) | Way::Back => {}
        }
    }
}

/// A step from a node.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Way {
    /// Down to one of its choices. If it is none of them, no further.
    To(u16),
    /// An exhaustive search of everything below the node, unless it takes long.
    All,
    /// No further: back to the root.
    Back,
}
