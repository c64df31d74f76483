//! The order in which the vertices of a board that is not a full knight's board are processed.
//!
//! The order decides everything: the states multiply with each vertex of the *frontier*, the
//! unfinished vertices next to finished ones. The best order is out of reach (its frontier is the
//! vertex separation number, which is NP-hard), so several orders compete:
//!
//! - Rows or columns of the rectangle, one after the other, each from one end to the other or in
//!   mirrored pairs. If the rectangle can be mirrored so that every row stays, states are merged
//!   with their mirror images. In an order from end to end, a round is then a whole row and has few
//!   slices, so that is done only where few states are expected.
//! - From several first vertices, always the vertex that leaves the smallest frontier.
//! - The same with pairs of vertices that a symmetry exchanges, so that states are merged with
//!   their mirror images.
//! - The best of these, with single vertices or pairs moved to other places as long as that helps.
//!
//! The cost of an order is the estimate of [`SweepEstimate`], for two sweeps that meet in the
//! middle. The number of trials is fixed, so the order is a function of the board alone. It takes
//! a second or two where there are many moves, and a few milliseconds for twenty vertices.

use super::columns;
use super::sweep::{SweepEstimate, states};
use crate::board::{Board, Square, Symmetry};
use std::cell::RefCell;
use std::iter::once;

/// An order of the squares of a board.
#[derive(Debug, Clone)]
pub(super) struct Order {
    pub squares: Vec<Square>,
    /// The number of squares in a row.
    pub width: usize,
    /// The symmetry that maps every row onto itself, if the rows can be mirrored.
    pub mirror: Option<Symmetry>,
    /// True if the squares come row by row, false if they come column by column; `None` for orders
    /// that do neither.
    pub are_rows: Option<bool>,
}

/// The part of the states that is left after merging mirror images, with some allowance for the
/// restrictions that come with it.
const MIRRORED: f64 = 0.6;

/// The factor by which the estimate is too large for orders by rows, compared with the others.
const BY_ROWS: f64 = 0.15;

/// The estimate of states up to which a count takes less time than the search for another order.
const WORTH_A_SEARCH: f64 = 3e6;

/// The estimate of states from which on a count needs many slices, for memory and threads.
const WORTH_SLICES: f64 = 1e8;

/// The estimate of states from which on no order nearby can be counted: the frontier has more
/// vertices than a pattern has slots, by far.
const HOPELESS: f64 = 1e40;

/// The number of first vertices from which orders are made greedily.
const STARTS: usize = 24;

/// The number of vertices that are looked at while single vertices are moved, roughly.
const TRIED: usize = 2_000_000;

/// The farthest that a single vertex is moved.
const FARTHEST: usize = 24;

/// The number of symmetries whose pairs are kept together in some order.
const MOST_EXCHANGES: usize = 8;

/// The width of orders that do not go by rows. A round processes about half as many vertices.
const WIDTH: usize = 8;

/// The moves between squares, by index.
type MovesByIndex = Vec<Vec<usize>>;

/// Returns the orders to try for a board, the best first. Those of the last board are kept: the
/// choice of an engine and its set-up both need them, and a count by start does so for each start.
pub(super) fn orders(board: &Board) -> Vec<Order> {
    thread_local!(static LAST: RefCell<Option<(Board, Vec<Order>)>> = const { RefCell::new(None) });
    LAST.with_borrow_mut(|last| {
        let kept = last.take().filter(|(of, _)| of == board);
        last.insert(kept.unwrap_or_else(|| (board.clone(), found(board)))).1.clone()
    })
}

fn found(board: &Board) -> Vec<Order> {
    let moves: MovesByIndex = board
        .all_squares()
        .map(|square| board.moves(square).map(Square::index).collect())
        .collect();
    let mut priced = by_rows(board, &moves);
    if priced.iter().all(|&(price, _)| price > WORTH_A_SEARCH) {
        priced.extend(searched(board, &moves));
    }
    priced.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let mut orders: Vec<Order> = priced.into_iter().map(|(_, order)| order).collect();
    // Mirrored vertices have fewer slots, so an order may fit only without its mirror image.
    let plain = Order { mirror: None, ..orders[0].clone() };
    orders.insert(1, plain);
    orders
}

/// Estimates the states of an order, of two sweeps that meet in the middle.
fn cost(moves: &MovesByIndex, order: &[usize]) -> f64 {
    let (first, last) = order.split_at(order.len().div_ceil(2));
    states(moves, first.iter()) + states(moves, last.iter().rev())
}

/// The two sweeps through an order, before each of their vertices and at their end, so that an
/// order nearby need not be swept from its ends.
fn sweeps<'a>(moves: &'a MovesByIndex, order: &[usize]) -> [Vec<SweepEstimate<'a>>; 2] {
    let all = |order: &mut dyn Iterator<Item = &usize>| {
        let mut sweep = SweepEstimate::new(moves);
        let after = |vertex| {
            sweep.up_to(f64::INFINITY, once(vertex));
            sweep.clone()
        };
        once(SweepEstimate::new(moves)).chain(order.map(after)).collect()
    };
    let (first, last) = order.split_at(order.len().div_ceil(2));
    [all(&mut first.iter()), all(&mut last.iter().rev())]
}

/// The squares of a board by rows, or else by columns, each in the order of `places`.
pub(super) fn by_lines(board: &Board, places: &[usize], are_rows: bool) -> Vec<Square> {
    let lines = if are_rows { board.rows() } else { board.cols() };
    let pairs =
        (0..i64::from(lines)).flat_map(|line| places.iter().map(move |&at| (line, at as i64)));
    let square = |(line, at)| if are_rows { board.at(line, at) } else { board.at(at, line) };
    pairs.filter_map(square).collect()
}

/// The orders by rows and by columns of a board that has them, with their costs.
fn by_rows(board: &Board, moves: &MovesByIndex) -> Vec<(f64, Order)> {
    if board.is_graph() {
        return Vec::new();
    }
    let symmetries = Symmetry::of(board);
    let mut orders = Vec::new();
    for (are_rows, width, flip) in [
        (true, board.cols() as usize, Symmetry::FlipCols),
        (false, board.rows() as usize, Symmetry::FlipRows),
    ] {
        for (places, is_paired) in [((0..width).collect::<Vec<_>>(), false), (columns(width), true)]
        {
            let squares = by_lines(board, &places, are_rows);
            let numbers: Vec<usize> = squares.iter().map(|square| square.index()).collect();
            let cost = BY_ROWS * cost(moves, &numbers);
            // Without pairs, only whole rows can be mirrored, and so long a round has few slices.
            let mirror = symmetries.contains(&flip).then_some(flip);
            let mirror = mirror.filter(|_| is_paired || cost <= WORTH_SLICES);
            let factor = if mirror.is_some() { MIRRORED } else { 1.0 };
            let are_rows = Some(are_rows);
            orders.push((factor * cost, Order { squares, width, mirror, are_rows }));
        }
    }
    orders
}

/// The orders found by greed and then by moves of single places, with their costs: the best one,
/// and the best of those that keep the pairs of some symmetry together.
fn searched(board: &Board, moves: &MovesByIndex) -> Vec<(f64, Order)> {
    let mut exchanges: Vec<(usize, Symmetry, Vec<usize>)> = Vec::new();
    for &symmetry in Symmetry::of(board) {
        let image = |square| symmetry.apply(board, square).index();
        let images: Vec<usize> = board.all_squares().map(image).collect();
        let kept = (0..images.len()).filter(|&vertex| images[vertex] == vertex).count();
        if kept < images.len() && (0..images.len()).all(|vertex| images[images[vertex]] == vertex) {
            exchanges.push((kept, symmetry, images));
        }
    }
    exchanges.sort_by_key(|&(kept, symmetry, _)| (kept, symmetry != Symmetry::FlipCols));
    exchanges.truncate(MOST_EXCHANGES);
    let single: Vec<usize> = (0..moves.len()).collect();
    let greedy = |images: &[usize], mirror: Option<Symmetry>| {
        let (cost, places) = Places::greedy(moves, images);
        (cost, places, mirror)
    };
    let paired = exchanges.iter().map(|(_, symmetry, images)| greedy(images, Some(*symmetry)));
    let paired = paired.min_by(|(one, ..), (other, ..)| one.total_cmp(other));
    let found = once(greedy(&single, None)).chain(paired);
    let order = |(mut cost, mut places, mirror): (f64, Places, Option<Symmetry>)| {
        places.improve(moves, &mut cost);
        let squares = places.0.concat().into_iter().map(Square::from_index).collect();
        let factor = if mirror.is_some() { MIRRORED } else { 1.0 };
        (factor * cost, Order { squares, width: WIDTH, mirror, are_rows: None })
    };
    found.map(order).collect()
}

/// An order of vertices, of which some are processed one right after the other.
#[derive(Debug, Clone)]
struct Places(Vec<Vec<usize>>);

impl Places {
    /// The best order found by greed, with its cost. A vertex and its image share a place.
    fn greedy(moves: &MovesByIndex, images: &[usize]) -> (f64, Self) {
        let firsts = (0..images.len()).filter(|&vertex| vertex <= images[vertex]);
        let places: Vec<Vec<usize>> = firsts
            .map(|one| if images[one] == one { vec![one] } else { vec![one, images[one]] })
            .collect();
        let mut place_of = vec![0; images.len()];
        for (place, vertices) in places.iter().enumerate() {
            vertices.iter().for_each(|&vertex| place_of[vertex] = place);
        }
        let around = |vertices: &Vec<usize>| {
            let mut to: Vec<usize> = Vec::new();
            for place in vertices.iter().flat_map(|&vertex| &moves[vertex]).map(|&to| place_of[to])
            {
                if !to.contains(&place) {
                    to.push(place);
                }
            }
            to
        };
        let joined: MovesByIndex = places.iter().map(around).collect();
        let count = places.len();
        let most = STARTS.min(TRIED / (count * moves.len())).clamp(1, count);
        let ordered = (0..most).map(|number| {
            let order = greedy(&joined, number * count / most);
            let found = Self(order.into_iter().map(|place| places[place].clone()).collect());
            (cost(moves, &found.0.concat()), found)
        });
        let best = ordered.min_by(|(one, _), (other, _)| one.total_cmp(other));
        best.unwrap_or((f64::INFINITY, Self(places.clone())))
    }

    /// Moves a place elsewhere.
    fn shift(&mut self, from: usize, to: usize) {
        if from < to {
            self.0[from..=to].rotate_left(1);
        } else {
            self.0[to..=from].rotate_right(1);
        }
    }

    /// Moves single places elsewhere as long as that makes the cost less.
    fn improve(&mut self, moves: &MovesByIndex, least: &mut f64) {
        let count = self.0.len();
        if *least > HOPELESS {
            return;
        }
        let [mut top, mut bottom] = sweeps(moves, &self.0.concat());
        let middle = top.len() - 1;
        let mut changed = Vec::with_capacity(moves.len());
        for _ in 0..TRIED / (count * moves.len() * FARTHEST) {
            let before = *least;
            let near = |from: usize| from.saturating_sub(FARTHEST)..(from + FARTHEST).min(count);
            for (from, to) in (0..count).flat_map(|from| near(from).map(move |to| (from, to))) {
                self.shift(from, to);
                changed.clear();
                changed.extend(self.0.iter().flatten());
                let vertices = |places: &[Vec<usize>]| places.iter().map(Vec::len).sum();
                let start = middle.min(vertices(&self.0[..from.min(to)]));
                let end = middle.max(vertices(&self.0[..=from.max(to)]));
                let above = top[start].clone().up_to(*least, changed[start..middle].iter());
                let below = changed[middle..end].iter().rev();
                let price = above + bottom[moves.len() - end].clone().up_to(*least - above, below);
                if price < *least {
                    *least = price;
                    [top, bottom] = sweeps(moves, &changed);
                } else {
                    self.shift(to, from);
                }
            }
            if *least == before {
                return;
            }
        }
    }
}

/// The order from a first vertex that always leaves the smallest frontier. Of several vertices it
/// takes the one that was reached first.
fn greedy(moves: &MovesByIndex, start: usize) -> Vec<usize> {
    let mut order = Vec::new();
    let mut is_reached = vec![false; moves.len()];
    // The vertices that were reached and not processed, in that order.
    let mut frontier = vec![start];
    is_reached[start] = true;
    while order.len() < moves.len() {
        if frontier.is_empty()
            && let Some(other) = is_reached.iter().position(|is_reached| !is_reached)
        {
            frontier.push(other);
            is_reached[other] = true;
        }
        let added =
            |place: &usize| moves[frontier[*place]].iter().filter(|&&to| !is_reached[to]).count();
        let place = (0..frontier.len()).min_by_key(added).unwrap_or(0);
        let vertex = frontier.remove(place);
        order.push(vertex);
        for &to in &moves[vertex] {
            if !std::mem::replace(&mut is_reached[to], true) {
                frontier.push(to);
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A change of these orders divides counts into other units: [`Board::ORDERS`] has to change
    /// with them.
    #[test]
    fn orders_are_those_of_the_version_that_saved_boards_state() {
        assert_eq!(Board::ORDERS, 2);
        let described = |board: &str| {
            let board: Board = board.parse().expect("a board");
            let order = &orders(&board)[0];
            let names: Vec<String> = order.squares.iter().map(|&s| board.name(s)).collect();
            format!("{} {:?}", names.join(" "), order.mirror)
        };
        let boards = [
            "4x4 piece=king",
            "6x6 wrap=torus without=c3",
            "graph 0-1,0-2,0-4,1-3,1-5,2-3,2-6,3-7,4-5,4-6,5-7,6-7",
            "graph 1-2,2-3,3-4,4-5,5-6,6-7,7-8,8-9,1-9,1-5,2-7,3-8,4-9,2-5",
        ];
        let expected = [
            "a1 b1 c1 d1 a2 b2 c2 d2 a3 b3 c3 d3 a4 b4 c4 d4 Some(FlipCols)",
            "f2 c5 b2 d2 a5 e5 b1 d1 a4 e4 f1 c4 f3 c6 b3 d3 a6 e6 f6 a3 e3 b6 d6 f4 c1 b4 d4 a1 e1 \
             f5 c2 b5 d5 a2 e2 Some(Shift(0))",
            "7 1 2 4 0 3 5 6 None",
            "1 5 4 2 6 9 3 8 7 None",
        ];
        assert_eq!(boards.map(described), expected);
    }
}
