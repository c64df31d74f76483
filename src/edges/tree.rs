//! The tree of the decisions about edges.
//!
//! The first decision is the number of an opening. Each further decision is a branch, named by the
//! square at the other end of the edge. Forced edges are not decisions. So the path of decisions
//! names a node, and a [`crate::cursor`] describes the rest of the tree after it.

use super::graph::{Branching, Consequence, EdgeGraph};
use super::openings::Openings;
use crate::board::{Board, Indices, Square, SquareSet, Symmetry};
use crate::search::{Counters, MemoSize, Search, Tree, Way};
use std::sync::Arc;

/// The number of open squares from which on a probe searches the whole subtree.
const SEARCHED_WHOLE: u32 = 20;

/// The largest slack of these squares in all. Those of a knight's board have about half of it;
/// those of a king's board would have twice as much, and take minutes.
const MOST_SLACK: u32 = 40;

/// The decisions for a board of up to `N` squares, on one thread.
#[derive(Debug, Clone)]
pub(super) struct EdgeTree<S, const N: usize> {
    root: EdgeGraph<S, N>,
    /// The outcome of the forced edges of the board: a tour, a dead end, or neither.
    outcome: Consequence,
    openings: Arc<Openings>,
    /// The number of directed tours per cycle found: two for each image of the opening.
    weight: u64,
    counters: Counters,
}

impl<S: SquareSet, const N: usize> EdgeTree<S, N> {
    /// The tree under a group of symmetries of the board.
    pub fn new(board: &Board, group: &[Symmetry]) -> Self {
        let (root, outcome) = EdgeGraph::new(board);
        Self {
            root,
            outcome,
            openings: Arc::new(Openings::of::<S, N>(board, group)),
            weight: 0,
            counters: Counters::default(),
        }
    }

    /// The graph after an opening.
    fn opened(&self, opening: usize) -> (EdgeGraph<S, N>, Consequence) {
        let mut at = self.root;
        if self.outcome == Consequence::Tour {
            return (at, Consequence::Tour);
        }
        let pairs = &self.openings.pairs[opening];
        for (&square, pair) in self.openings.squares.iter().zip(pairs) {
            at.keep_only(square, S::from_indices(pair.map(usize::from)));
        }
        let outcome = at.settle();
        (at, outcome)
    }

    /// A search of the tree from its root.
    pub fn search(&self) -> Search<Self> {
        Search::new(self.clone(), MemoSize::Off)
    }

    /// The decisions of a path.
    pub fn decisions(&self, path: &[u16]) -> Vec<Decision> {
        let Some(&opening) = path.first() else {
            return Vec::new();
        };
        let mut decisions: Vec<_> = self.decisions_of(usize::from(opening)).collect();
        if path.len() == 1 {
            return decisions;
        }
        let mut steps = path.iter();
        self.search().walk_down(|_, at, _| {
            let Some(&to) = steps.next() else {
                return Way::Back;
            };
            if let Some(at) = at {
                decisions.push(Decision::of(&at.branch(), usize::from(to)));
            }
            // The last choice leads to a node that nobody asks about.
            if steps.len() == 0 { Way::Back } else { Way::To(to) }
        });
        decisions
    }

    /// The decisions of an opening.
    fn decisions_of(&self, opening: usize) -> impl Iterator<Item = Decision> {
        let decided = self.openings.squares.iter().zip(&self.openings.pairs[opening]);
        decided.map(|(&at, pair)| {
            let with = pair.map(|to| Square::from_index(usize::from(to))).to_vec();
            let others = self.root.choices(at).indices().map(Square::from_index);
            let without = others.filter(|to| !with.contains(to)).collect();
            Decision { at: Square::from_index(at), with, without }
        })
    }

    /// The number of openings that the opening of a path stands for, itself included.
    pub fn weight(&self, path: &[u16]) -> u64 {
        path.first().map_or(1, |&opening| self.openings.weights[usize::from(opening)])
    }

    /// True if a path leads through nodes that the search would visit. Its last step may end in a
    /// dead end or a tour.
    pub fn has_path(&self, path: &[u16]) -> bool {
        let choices = self.search().choices_along(path);
        choices.len() >= path.len() && path.iter().zip(&choices).all(|(to, here)| here.contains(to))
    }

    /// Counts a tour. Returns true if there is more to search after this outcome.
    #[inline(always)]
    fn lead_on(&mut self, outcome: Consequence) -> bool {
        if outcome == Consequence::Tour {
            self.counters.tours += u128::from(self.weight);
        }
        outcome == Consequence::Open
    }
}

impl<S: SquareSet, const N: usize> Tree for EdgeTree<S, N> {
    type Node = EdgeGraph<S, N>;
    type Branch = Branching<S>;
    type Choices = Indices<S>;
    type Key = ();

    const PROBES_COUNT_THE_ROOT: bool = false;

    fn levels(&self) -> usize {
        usize::MAX
    }

    fn roots(&self) -> Vec<u16> {
        let openings = u16::try_from(self.openings.pairs.len());
        (0..openings.expect("an orbit of squares with few choices is decided first")).collect()
    }

    fn enter(&mut self, opening: usize) -> Option<EdgeGraph<S, N>> {
        self.weight = 2 * self.openings.weights[opening];
        let (at, outcome) = self.opened(opening);
        self.lead_on(outcome).then_some(at)
    }

    #[inline(always)]
    fn branch(&self, at: &EdgeGraph<S, N>) -> (Branching<S>, Indices<S>) {
        let branch = at.branch();
        (branch, branch.to.indices())
    }

    #[inline(always)]
    fn step(
        &mut self,
        at: &EdgeGraph<S, N>,
        branch: &Branching<S>,
        to: usize,
    ) -> Option<EdgeGraph<S, N>> {
        let mut next = *at;
        let outcome = next.follow(branch, to);
        self.lead_on(outcome).then_some(next)
    }

    fn is_small(&self, at: Option<&EdgeGraph<S, N>>, _levels: usize) -> bool {
        at.is_some_and(|at| at.open.len() <= SEARCHED_WHOLE && at.slack() <= MOST_SLACK)
    }

    #[inline(always)]
    fn counters(&mut self) -> &mut Counters {
        &mut self.counters
    }
}

/// The decision at a square.
///
/// The edges to `with` are chosen only because those to `without` are left out: the square had no
/// others to choose from.
#[derive(Debug, Clone)]
pub(super) struct Decision {
    pub at: Square,
    pub with: Vec<Square>,
    pub without: Vec<Square>,
}

impl Decision {
    /// The decision of a branch for one of its choices.
    fn of<S: SquareSet>(branch: &Branching<S>, to: usize) -> Self {
        let choices = branch.to.indices().map(Square::from_index);
        let (named, others) = choices.partition(|choice| choice.index() == to);
        let (with, without) = if branch.leaves_out { (Vec::new(), named) } else { (named, others) };
        Self { at: Square::from_index(branch.at), with, without }
    }
}
