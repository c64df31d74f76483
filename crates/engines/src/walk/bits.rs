//! The field as bitboards, for boards of up to 64 (`u64`) or 128 (`u128`) squares.
//!
//! A search that counts the free neighbours of each square in a loop spends most of its time there.
//! Here the number of free neighbours less one of all free squares is kept in three bit planes. A
//! move subtracts 1 for a set of squares at once, with a borrow chain: a dozen instructions, no
//! loop, and nothing to undo. A borrow out of the last plane marks a square that lost its last free
//! neighbour. That is a dead end, or the end of a tour if it is the only free square left.
//!
//! The invariant is that every free square has a free neighbour, not counting the head. A free
//! square with just one is the next or the last square of the tour, which forces most moves (see
//! [`BitField::next_squares`]).

use super::field::{Field, is_searched_whole};
use super::reduction::Reduction;
use crate::board::{Indices, Planes, Square, SquareSet};
use crate::search::{Counters, Tree};

/// The length of tables for either width. An index reduced modulo it needs no bounds check.
const CAPACITY: usize = 128;

#[derive(Debug)]
pub(super) struct BitField<S> {
    starts: Vec<u16>,
    neighbours: Box<[S; CAPACITY]>,
    region: S,
    /// The squares at which a tour counts once and twice, by the start of the tour.
    ends_by_start: Vec<[S; 2]>,
    /// The possible ends for the current start, and those of them that count twice.
    ends: S,
    twice: S,
    is_plain: bool,
    counters: Counters,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct BitPosition<S> {
    free: S,
    head: usize,
    /// The number of free neighbours less one of every free square.
    degrees: Planes<S>,
}

impl<S: SquareSet> BitField<S> {
    #[inline(always)]
    fn neighbours(&self, square: usize) -> S {
        self.neighbours[square % CAPACITY]
    }

    /// Counts the tour that ends on the only square of a set, if one may end there.
    #[inline(always)]
    fn count_end(&mut self, last: S) {
        let once = u128::from(!(last & self.ends).is_empty());
        let again = u128::from(!(last & self.twice).is_empty());
        self.counters.tours += once + again;
    }

    /// The moves that can lead to a tour.
    ///
    /// A free square with a single free neighbour is the next or the last one. So there are at most
    /// two of them, and if there are two, one is next and the other last. If no tour ends on such a
    /// square, it has to be next. The only end that is left is not visited before the last move.
    #[inline(always)]
    fn next_squares(&self, at: &BitPosition<S>) -> S {
        let near = self.neighbours(at.head) & at.free;
        let single = at.degrees.zeros(at.free);
        let ends = at.free & self.ends;
        let near = if ends.at_most_one() { near & !ends } else { near };
        if single.is_empty() {
            return near;
        }
        let single_ends = single & ends;
        if single.at_most_one() {
            return if single_ends.is_empty() { near & single } else { near };
        }
        if !single.without_lowest().at_most_one() || single_ends.is_empty() {
            return S::EMPTY;
        }
        if single_ends == single { near & single } else { near & (single ^ single_ends) }
    }
}

impl<S: SquareSet> Field for BitField<S> {
    fn new(reduction: &Reduction) -> Self {
        let board = &reduction.board;
        debug_assert!(board.squares() <= S::CAPACITY);
        let mut neighbours = Box::new([S::EMPTY; CAPACITY]);
        let mut ends_by_start = vec![[S::EMPTY; 2]; board.squares()];
        for square in board.all_squares() {
            neighbours[square.index()] = S::of(reduction.onward[square.index()].iter().copied());
        }
        for &start in &reduction.starts {
            ends_by_start[start.index()] = [1, 2].map(|weight| {
                let counts = |&end: &Square| reduction.end_weight(start, end) == weight;
                S::of(board.all_squares().filter(counts))
            });
        }
        let walked = |&square: &Square| reduction.removed != Some(square);
        Self {
            starts: reduction.start_indices(),
            neighbours,
            region: S::of(board.all_squares().filter(walked)),
            ends_by_start,
            ends: S::EMPTY,
            twice: S::EMPTY,
            is_plain: board.is_plain(),
            counters: Counters::default(),
        }
    }

    fn last(&self, at: &BitPosition<S>, to: usize) -> Option<usize> {
        (at.free & self.ends & !S::single(to)).indices().next()
    }
}

impl<S: SquareSet> Tree for BitField<S> {
    type Node = BitPosition<S>;
    type Choices = Indices<S>;
    type Key = S;

    fn levels(&self) -> usize {
        self.region.len() as usize
    }

    /// On 6x6 with a table, values from 8 to 11 take the same time to within 3 %, and 14 takes 8 %
    /// more. Without a table, 18 takes 0.89 of the time of 8; on a dense graph it would take hours.
    fn finishes(&self) -> [usize; 2] {
        [9, if self.is_plain { 18 } else { 9 }]
    }

    fn roots(&self) -> Vec<u16> {
        self.starts.clone()
    }

    fn enter(&mut self, start: usize) -> Option<BitPosition<S>> {
        let [once, twice] = self.ends_by_start[start];
        self.ends = once | twice;
        self.twice = twice;
        let free = self.region & !S::single(start);
        let degree = |square: usize| (self.neighbours(square) & free).len();
        if free.len() == 1 && !(self.neighbours(start) & free).is_empty() {
            self.count_end(free);
            return None;
        }
        if self.ends.is_empty() || free.indices().any(|square| degree(square) == 0) {
            return None;
        }
        let degrees = Planes::of(free, |square| degree(square) - 1);
        Some(BitPosition { free, head: start, degrees })
    }

    #[inline(always)]
    fn choices(&self, at: &BitPosition<S>) -> Indices<S> {
        self.next_squares(at).indices()
    }

    #[inline(always)]
    fn step(&mut self, at: &BitPosition<S>, to: usize) -> Option<BitPosition<S>> {
        let free = at.free & !S::single(to);
        let (degrees, lost) = at.degrees.less_one(self.neighbours(to) & free);
        if !lost.is_empty() {
            if free.at_most_one() {
                self.count_end(free);
            }
            return None;
        }
        Some(BitPosition { free, head: to, degrees })
    }

    fn is_small(&self, at: Option<&BitPosition<S>>, levels: usize) -> bool {
        let of_all = || {
            let degree = |square| (self.neighbours(square) & self.region).len();
            Planes::of(self.region, |square| degree(square).saturating_sub(1)).sum(self.region)
        };
        let sum = || at.map_or_else(of_all, |at| at.degrees.sum(at.free));
        is_searched_whole(levels, || sum() as usize)
    }

    fn finish(&mut self, at: &BitPosition<S>) {
        let mut at = *at;
        loop {
            self.counters.nodes += 1;
            let mut choices = self.next_squares(&at);
            if choices.is_empty() {
                return;
            }
            while !choices.at_most_one() {
                if let Some(next) = self.step(&at, choices.lowest()) {
                    self.finish(&next);
                }
                choices = choices.without_lowest();
            }
            match self.step(&at, choices.lowest()) {
                Some(next) => at = next,
                None => return,
            }
        }
    }

    #[inline(always)]
    fn key(at: &BitPosition<S>) -> Option<(S, u64, u64)> {
        Some((at.free, at.free.mixed(), at.head as u64))
    }

    #[inline(always)]
    fn counters(&mut self) -> &mut Counters {
        &mut self.counters
    }
}
