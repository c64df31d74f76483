//! The depth-first search for cycles below a prefix of decisions, which can be paused at any node.
//!
//! The first decision is the number of an opening. Each further decision is a branch, named by the
//! square at the other end of the edge. Forced edges are not decisions. So the path of decisions
//! names a node, and a [`crate::cursor`] describes the rest of the tree after it.

use super::graph::{Branch, Graph, Outcome};
use super::openings::Openings;
use crate::board::{Board, SquareSet};
use crate::cursor::{Cursor, Piece};
use crate::work::{Pause, Probe, times};
use fastrand::Rng;
use std::fmt::Debug;
use std::sync::Arc;

/// The number of nodes between two calls of `pause`: a fraction of a millisecond.
const NODES_BETWEEN_LOOKS: u64 = 1 << 12;

/// The number of open squares from which on a probe searches the whole subtree.
const SEARCHED_WHOLE: u32 = 20;

/// The search of one thread.
#[derive(Debug)]
pub(super) struct Search<S, const N: usize> {
    root: Graph<S, N>,
    openings: Arc<Openings>,
    /// The number of directed tours per cycle found: two for each image of the opening.
    weight: u64,
    /// The directed tours found. A cycle adds at most 16, so the sum stays below 2^64 within the
    /// lifetime of a machine.
    tours: u64,
    nodes: u64,
    /// The number of nodes between two calls of `pause`.
    pub look_every: u64,
    next_look: u64,
    paused: bool,
    /// The decisions from the node where the search was paused up to the root, deepest first.
    way_up: Vec<u16>,
}

impl<S: SquareSet, const N: usize> Search<S, N> {
    pub fn new(board: Board, openings: Arc<Openings>) -> Self {
        Self {
            root: Graph::new(board).0,
            openings,
            weight: 0,
            tours: 0,
            nodes: 0,
            look_every: NODES_BETWEEN_LOOKS,
            next_look: 0,
            paused: false,
            way_up: Vec::new(),
        }
    }

    fn reset(&mut self, next_look: u64) {
        (self.tours, self.nodes) = (0, 0);
        self.next_look = next_look;
        self.paused = false;
        self.way_up.clear();
    }

    /// Searches a piece until it is done or `pause` asks for a pause.
    ///
    /// Returns the directed tours found, the nodes visited, and the remaining piece, if any.
    pub fn advance(
        &mut self,
        piece: &Piece,
        pause: &dyn Fn() -> Pause,
    ) -> (u64, u64, Option<Piece>) {
        self.reset(self.look_every);
        let cursor = Cursor::of(piece);
        for opening in cursor.still_open(0..self.openings.pairs.len()) {
            if let Some(at) = self.enter(opening) {
                match cursor.below(opening) {
                    Some(below) => self.resume(&at, below, pause),
                    None => self.extend(&at, pause),
                }
            }
            if self.paused {
                self.way_up.push(opening as u16);
                break;
            }
        }
        let rest = self.paused.then(|| piece.moved_to(self.way_up.iter().rev().copied().collect()));
        (self.tours, self.nodes, rest)
    }

    /// The graph after an opening, or `None` if the opening is a tour, which is then counted, or a
    /// dead end.
    fn enter(&mut self, opening: usize) -> Option<Graph<S, N>> {
        self.weight = 2 * self.openings.weights[opening];
        let (at, outcome) = self.opened(opening);
        self.lead_on(outcome).then_some(at)
    }

    /// The graph after an opening.
    fn opened(&self, opening: usize) -> (Graph<S, N>, Outcome) {
        let mut at = self.root;
        let pairs = &self.openings.pairs[opening];
        for (&square, pair) in self.openings.squares.iter().zip(pairs) {
            at.keep_only(square, S::from_indices(pair.map(usize::from)));
        }
        let outcome = at.settle();
        (at, outcome)
    }

    /// Counts a tour. Returns true if there is more to search after this outcome.
    #[inline(always)]
    fn lead_on(&mut self, outcome: Outcome) -> bool {
        if outcome == Outcome::Tour {
            self.tours += self.weight;
        }
        outcome == Outcome::Open
    }

    /// The graph after one branch, or `None` if that is a dead end or a tour, which is then
    /// counted.
    #[inline(always)]
    fn step(&mut self, at: &Graph<S, N>, branch: &Branch<S>, to: usize) -> Option<Graph<S, N>> {
        let mut next = *at;
        let outcome = next.follow(branch, to);
        self.lead_on(outcome).then_some(next)
    }

    /// Searches the nodes at or after the cursor below a node on the path to it.
    fn resume(&mut self, at: &Graph<S, N>, cursor: Cursor, pause: &dyn Fn() -> Pause) {
        if cursor.is_reached() {
            return self.extend(at, pause);
        }
        let branch = at.branch();
        for to in cursor.still_open(branch.to.indices()) {
            if let Some(next) = self.step(at, &branch, to) {
                match cursor.below(to) {
                    Some(below) => self.resume(&next, below, pause),
                    None => self.extend(&next, pause),
                }
            }
            if self.paused {
                self.way_up.push(to as u16);
                return;
            }
        }
    }

    /// Searches everything below a node.
    fn extend(&mut self, at: &Graph<S, N>, pause: &dyn Fn() -> Pause) {
        if self.nodes >= self.next_look {
            self.next_look = self.nodes + self.look_every;
            if pause() != Pause::No {
                self.paused = true;
                return;
            }
        }
        self.nodes += 1;
        let branch = at.branch();
        for to in branch.to.indices() {
            if let Some(next) = self.step(at, &branch, to) {
                self.extend(&next, pause);
                if self.paused {
                    self.way_up.push(to as u16);
                    return;
                }
            }
        }
    }

    /// The choices before each decision of a path and after its last, as long as the path leads
    /// through nodes that the search would visit.
    pub fn choices_along(&self, path: &[u16]) -> Vec<Vec<u16>> {
        let mut levels = vec![(0..self.openings.pairs.len() as u16).collect()];
        self.walk_down(path, |branch| {
            levels.push(branch.to.indices().map(|to| to as u16).collect());
        });
        levels
    }

    /// Goes down a path and shows the branching at every node on it.
    ///
    /// Returns the graph at the end of the path, or `None` if the path does not lead to a node.
    fn walk_down(&self, path: &[u16], mut show: impl FnMut(&Branch<S>)) -> Option<Graph<S, N>> {
        let (&opening, path) = path.split_first()?;
        if usize::from(opening) >= self.openings.pairs.len() {
            return None;
        }
        let (mut at, mut outcome) = self.opened(usize::from(opening));
        for &to in path {
            if outcome != Outcome::Open {
                return None;
            }
            let (branch, to) = (at.branch(), usize::from(to));
            show(&branch);
            if !branch.to.indices().any(|choice| choice == to) {
                return None;
            }
            outcome = at.follow(&branch, to);
        }
        let is_node = outcome == Outcome::Open;
        is_node.then(|| {
            show(&at.branch());
            at
        })
    }

    /// One random probe below a prefix, by Knuth's estimator. Equal seeds give equal probes.
    ///
    /// A count on a level, times the numbers of choices before it, is right on average (Knuth
    /// 1975).
    pub fn probe(&mut self, prefix: &[u16], seed: u64) -> Probe {
        let mut random = Rng::with_seed(seed);
        self.reset(u64::MAX);
        let (mut nodes, mut siblings) = (0.0, 1.0);
        let mut path = prefix.to_vec();
        if path.is_empty() {
            siblings = self.openings.pairs.len() as f64;
            path.extend(random.choice(0..self.openings.pairs.len() as u16));
        }
        let mut here = self.enter_below(&path);
        while let Some(at) = here {
            if at.open().len() <= SEARCHED_WHOLE {
                self.extend(&at, &|| Pause::No);
                break;
            }
            nodes += siblings;
            let branch = at.branch();
            siblings = times(siblings, branch.to.len().into());
            let to = random.choice(branch.to.indices().collect::<Vec<_>>());
            here = to.and_then(|to| self.step(&at, &branch, to));
        }
        Probe {
            nodes: nodes + times(siblings, self.nodes as f64),
            tours: times(siblings, self.tours as f64),
        }
    }

    /// The graph at the end of a path, or `None` if that is a tour, which is then counted.
    fn enter_below(&mut self, path: &[u16]) -> Option<Graph<S, N>> {
        let (&opening, path) = path.split_first()?;
        path.iter().try_fold(self.enter(usize::from(opening))?, |at, &to| {
            self.step(&at, &at.branch(), usize::from(to))
        })
    }

    fn prefixes_below(
        &self,
        at: Option<&Graph<S, N>>,
        path: &mut Vec<u16>,
        depth: u32,
        found: &mut Vec<Vec<u16>>,
    ) {
        let Some(at) = at.filter(|_| depth > 0) else {
            return found.push(path.clone());
        };
        let branch = at.branch();
        for to in branch.to.indices() {
            let mut next = *at;
            let outcome = next.follow(&branch, to);
            if outcome != Outcome::Dead {
                path.push(to as u16);
                let onward = (outcome == Outcome::Open).then_some(&next);
                self.prefixes_below(onward, path, depth - 1, found);
                path.pop();
            }
        }
    }
}

/// A search that looks up paths of the tree, whatever the width of its bitboards.
pub(super) trait Reader: Debug + Send + Sync {
    /// The nodes of a depth and the tours above it, in order. `None` if there are more than `most`.
    fn prefixes(&self, depth: u32, most: usize) -> Option<Vec<Vec<u16>>>;

    /// The decisions of a path.
    fn decisions(&self, path: &[u16]) -> Vec<Decision>;

    /// True if a path leads through nodes that the search would visit. Its last step may end in a
    /// dead end or a tour.
    fn has_path(&self, path: &[u16]) -> bool;
}

impl<S: SquareSet, const N: usize> Reader for Search<S, N> {
    fn prefixes(&self, depth: u32, most: usize) -> Option<Vec<Vec<u16>>> {
        if depth == 0 {
            return Some(vec![Vec::new()]);
        }
        let mut found = Vec::new();
        for opening in 0..self.openings.pairs.len() {
            let (at, outcome) = self.opened(opening);
            self.prefixes_below(
                (outcome == Outcome::Open).then_some(&at),
                &mut vec![opening as u16],
                depth - 1,
                &mut found,
            );
            if found.len() > most {
                return None;
            }
        }
        Some(found)
    }

    fn decisions(&self, path: &[u16]) -> Vec<Decision> {
        let mut decisions = Vec::new();
        if let Some(&opening) = path.first() {
            let pairs = &self.openings.pairs[usize::from(opening)];
            for (&at, &pair) in self.openings.squares.iter().zip(pairs) {
                let others = self.root.choices(at).indices().map(|to| to as u16);
                let without = others.filter(|to| !pair.contains(to)).collect();
                let with = pair.to_vec();
                decisions.push(Decision { at, with, without });
            }
        }
        let mut rest = path.iter().skip(1);
        self.walk_down(path, |branch| {
            let Some(&to) = rest.next() else { return };
            let choices = branch.to.indices().map(|to| to as u16);
            let (named, others) = choices.partition(|&choice| choice == to);
            let (with, without) = match branch.leaves_out {
                true => (Vec::new(), named),
                false => (named, others),
            };
            let at = branch.at;
            decisions.push(Decision { at, with, without });
        });
        decisions
    }

    fn has_path(&self, path: &[u16]) -> bool {
        let choices = self.choices_along(path);
        let is_way =
            |(level, to): (usize, &u16)| choices.get(level).is_some_and(|here| here.contains(to));
        path.iter().enumerate().all(is_way)
    }
}

/// The decision at a square.
///
/// The edges to `with` are chosen only in so far as those to `without` are left out: the square had
/// no others to choose from.
#[derive(Debug, Clone)]
pub(super) struct Decision {
    pub at: usize,
    pub with: Vec<u16>,
    pub without: Vec<u16>,
}
