//! A cycle in the making: usable edges, fragments of chosen edges, and the choices they force.
//!
//! For every square that does not have both its edges yet, its *slack* is the number of its usable
//! and chosen edges less two. Slack is kept in three bit planes. Choosing an edge changes no slack.
//! Removing edges from a set of squares is one subtraction with a borrow chain. A square without
//! slack needs all its edges, and losing one more is a dead end. A square with both its edges
//! chosen is finished and drops out with its other edges.
//!
//! The invariants: `usable` holds the edges that are neither chosen nor removed. It may still name
//! squares that are finished, which `open` masks out. `mate` leads from each endpoint of a fragment
//! to the other, and from a square without edges to itself. The edge between the endpoints of a
//! fragment is never usable unless it completes the tour.
//!
//! Everything is a plain value that is copied at a branch, so there is nothing to undo. This is the
//! multi-path method (Rubin 1974, Kocay 1992) on bitboards.

use crate::board::{Board, Planes, SquareSet};
use crate::question::Question;

/// The result of choosing an edge and everything that it forces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Consequence {
    /// No tour has these edges.
    Dead,
    /// These edges are a tour.
    Tour,
    /// No choice is forced.
    Open,
}

use Consequence::{Dead, Open, Tour};

/// The state of the search on a board of up to `N` squares.
#[derive(Debug, Clone, Copy)]
pub(super) struct EdgeGraph<S, const N: usize> {
    usable: [S; N],
    mate: [u8; N],
    /// The squares that do not have both their edges.
    pub open: S,
    /// The squares that have no edge.
    pub bare: S,
    /// The slack of every open square.
    slack: Planes<S>,
}

/// A branching: one child for each square of `to`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Branching<S> {
    pub at: usize,
    pub to: S,
    /// True if `at` has no edge yet. Then `to` lists the edges to leave out, otherwise those to
    /// choose.
    pub leaves_out: bool,
}

impl<S: SquareSet, const N: usize> EdgeGraph<S, N> {
    /// A board of at most `N` squares without chosen edges, after all forced choices.
    pub fn new(board: &Board) -> (Self, Consequence) {
        let mut graph = Self {
            usable: [S::EMPTY; N],
            mate: std::array::from_fn(|index| index as u8),
            open: S::EMPTY,
            bare: S::EMPTY,
            slack: Planes::of(S::EMPTY, |_| 0),
        };
        let mut outcome = if Question::closed(board.clone()).is_impossible() { Dead } else { Open };
        for square in board.all_squares() {
            let moves = S::from_indices(board.moves(square).map(|to| to.index()));
            graph.usable[square.index()] = moves;
            graph.open = graph.open | S::single(square.index());
            if moves.len() < 2 {
                outcome = Dead;
            }
        }
        graph.bare = graph.open;
        let slack = |square: usize| graph.usable[square].len().saturating_sub(2);
        graph.slack = Planes::of(graph.open, slack);
        if outcome == Open {
            outcome = graph.settle();
        }
        (graph, outcome)
    }

    /// The other ends of the edges that a square can still get.
    #[inline(always)]
    pub fn choices(&self, square: usize) -> S {
        self.usable[square % N] & self.open
    }

    /// The sum of the slack of all open squares.
    pub fn slack(&self) -> u32 {
        self.slack.sum(self.open)
    }

    /// The open squares without slack, which need all their edges.
    #[inline(always)]
    fn tight(&self) -> S {
        self.slack.zeros(self.open)
    }

    /// Removes one edge of every square of `of`. Returns false if one of them needs it.
    #[inline(always)]
    fn lose(&mut self, of: S) -> bool {
        let (less, lost) = self.slack.less_one(of);
        self.slack = less;
        (lost & self.open).is_empty()
    }

    /// Records one more edge of a square. Returns false if its neighbours need the edges that it
    /// then loses.
    #[inline(always)]
    fn joined(&mut self, square: usize) -> bool {
        let one = S::single(square);
        if !(self.bare & one).is_empty() {
            self.bare = self.bare ^ one;
            return true;
        }
        self.open = self.open ^ one;
        self.lose(self.choices(square))
    }

    #[inline(always)]
    fn drop_edge(&mut self, one: usize, other: usize) {
        self.usable[one % N] &= !S::single(other);
        self.usable[other % N] &= !S::single(one);
    }

    /// Chooses a usable edge.
    #[inline(always)]
    fn choose(&mut self, one: usize, other: usize) -> Consequence {
        self.drop_edge(one, other);
        let start = usize::from(self.mate[one % N]);
        let end = usize::from(self.mate[other % N]);
        self.mate[start % N] = end as u8;
        self.mate[end % N] = start as u8;
        if !(self.joined(one) && self.joined(other)) {
            return Dead;
        }
        let ends = S::single(start) | S::single(end);
        let is_closable = !(self.usable[start % N] & S::single(end)).is_empty();
        match (self.open == ends, is_closable) {
            (true, true) => Tour,
            (true, false) => Dead,
            (false, true) => {
                self.drop_edge(start, end);
                if self.lose(ends) { Open } else { Dead }
            }
            (false, false) => Open,
        }
    }

    /// Chooses edges until none is forced.
    #[inline(always)]
    pub fn settle(&mut self) -> Consequence {
        loop {
            let tight = self.tight();
            if tight.is_empty() {
                return Open;
            }
            let square = tight.lowest();
            for to in self.choices(square).indices() {
                match self.choose(square, to) {
                    Open => {}
                    outcome => return outcome,
                }
            }
        }
    }

    /// Removes all usable edges of a square except those to `kept`, without choosing what that
    /// forces.
    ///
    /// Returns false if another square needs a removed edge.
    pub fn keep_only(&mut self, square: usize, kept: S) -> bool {
        let others = (self.choices(square) & !kept).indices();
        others.into_iter().all(|to| {
            self.drop_edge(square, to);
            self.lose(S::single(square) | S::single(to))
        })
    }

    /// The square to branch at: the one with the fewest choices.
    ///
    /// An endpoint of a fragment has one choice more than slack. A square without edges and with a
    /// slack of one has three.
    #[inline(always)]
    pub fn branch(&self) -> Branching<S> {
        let ends = self.open & !self.bare;
        let Planes { ones, twos, fours } = self.slack;
        let small = !(twos | fours) & ones;
        let two_ways = ends & small;
        if !two_ways.is_empty() {
            return self.take_at(two_ways.lowest());
        }
        let three_ways = ends & twos & !(ones | fours);
        if !three_ways.is_empty() {
            return self.take_at(three_ways.lowest());
        }
        let leave_one = self.bare & small;
        if !leave_one.is_empty() {
            let at = leave_one.lowest();
            return Branching { at, to: self.choices(at), leaves_out: true };
        }
        let four_ways = ends & ones & twos & !fours;
        let any = if four_ways.is_empty() { ends } else { four_ways };
        self.take_at(any.lowest())
    }

    #[inline(always)]
    fn take_at(&self, at: usize) -> Branching<S> {
        Branching { at, to: self.choices(at), leaves_out: false }
    }

    /// Follows one choice of a branching.
    #[inline(always)]
    pub fn follow(&mut self, branch: &Branching<S>, to: usize) -> Consequence {
        let first = if branch.leaves_out {
            self.drop_edge(branch.at, to);
            if self.lose(S::single(branch.at) | S::single(to)) { Open } else { Dead }
        } else {
            self.choose(branch.at, to)
        };
        match first {
            Open => self.settle(),
            outcome => outcome,
        }
    }
}
