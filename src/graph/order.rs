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
//! - The best of these, with single vertices moved to other places as long as that helps.
//!
//! The cost of an order is the estimate of [`states_up_to`], for two sweeps that meet in the
//! middle. The number of trials is fixed, so the order is a function of the board alone. It takes
//! less than half a second, and a few milliseconds for twenty vertices.

use super::columns;
use super::sweep::states_up_to;
use crate::board::{Board, Square, Symmetry};

/// An order of the squares of a board.
#[derive(Debug, Clone)]
pub(super) struct Order {
    pub squares: Vec<Square>,
    /// The number of squares in a row.
    pub width: usize,
    /// The symmetry that maps every row onto itself, if the rows can be mirrored.
    pub mirror: Option<Symmetry>,
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

/// The number of first vertices from which orders are made greedily.
const STARTS: usize = 24;

/// The number of vertices that are looked at while single vertices are moved, roughly.
const TRIED: usize = 2_000_000;

/// The farthest that a single vertex is moved.
const FARTHEST: usize = 24;

/// The width of orders that do not go by rows. A round processes about half as many vertices.
const WIDTH: usize = 8;

/// The moves between squares, by index.
type Moves = Vec<Vec<usize>>;

/// Returns the orders to try for a board, the best first.
pub(super) fn orders(board: &Board) -> Vec<Order> {
    let moves: Moves = board
        .all_squares()
        .map(|square| board.moves(square).map(Square::index).collect())
        .collect();
    let mut priced = by_rows(board, &moves);
    if priced.iter().all(|&(price, _)| price > WORTH_A_SEARCH) {
        priced.extend(searched(&moves));
    }
    priced.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let mut orders: Vec<Order> = priced.into_iter().map(|(_, order)| order).collect();
    // Mirrored vertices have fewer slots, so an order may fit only without its mirror image.
    let plain = Order { mirror: None, ..orders[0].clone() };
    orders.insert(1, plain);
    orders
}

/// Estimates the states of an order, of two sweeps that meet in the middle.
fn cost(moves: &Moves, order: &[usize]) -> f64 {
    cost_up_to(f64::INFINITY, moves, order)
}

/// Estimates the states of an order, but ends early once they are more than `most`.
fn cost_up_to(most: f64, moves: &Moves, order: &[usize]) -> f64 {
    let (first, last) = order.split_at(order.len().div_ceil(2));
    let top = states_up_to(most, moves, first.iter());
    if top > most {
        return top;
    }
    top + states_up_to(most - top, moves, last.iter().rev())
}

/// The orders by rows and by columns of a board that has them, with their costs.
fn by_rows(board: &Board, moves: &Moves) -> Vec<(f64, Order)> {
    if board.is_graph() {
        return Vec::new();
    }
    let symmetries = Symmetry::of(board);
    let mut orders = Vec::new();
    for (are_rows, width, flip) in [
        (true, board.cols() as usize, Symmetry::FlipCols),
        (false, board.rows() as usize, Symmetry::FlipRows),
    ] {
        for (places, is_paired) in [((0..width).collect(), false), (columns(width), true)] {
            let mut rank = vec![0; width];
            for (place, &column) in places.iter().enumerate() {
                rank[column] = place;
            }
            let key = |&square: &Square| {
                let (row, col) = (board.row(square), board.col(square));
                if are_rows { (row, rank[col as usize]) } else { (col, rank[row as usize]) }
            };
            let mut squares: Vec<Square> = board.all_squares().collect();
            squares.sort_by_key(key);
            let numbers: Vec<usize> = squares.iter().map(|square| square.index()).collect();
            let cost = BY_ROWS * cost(moves, &numbers);
            // Without pairs, only whole rows can be mirrored, and so long a round has few slices.
            let mirror = symmetries.contains(&flip).then_some(flip);
            let mirror = mirror.filter(|_| is_paired || cost <= WORTH_SLICES);
            let factor = if mirror.is_some() { MIRRORED } else { 1.0 };
            orders.push((factor * cost, Order { squares, width, mirror }));
        }
    }
    orders
}

/// The best order found by greed and then by moves of single vertices, with its cost.
fn searched(moves: &Moves) -> Option<(f64, Order)> {
    let count = moves.len();
    let most = STARTS.min(TRIED / (count * count)).clamp(1, count);
    let starts = (0..most).map(|number| number * count / most);
    let orders = starts.map(|start| greedy(moves, start));
    let priced = orders.map(|order| (cost(moves, &order), order));
    let (mut least, mut best) = priced.min_by(|(one, _), (other, _)| one.total_cmp(other))?;
    for _ in 0..TRIED / (count * count * FARTHEST) {
        let before = least;
        improve(moves, &mut least, &mut best);
        if least == before {
            break;
        }
    }
    let squares = best.into_iter().map(Square::from_index).collect();
    Some((least, Order { squares, width: WIDTH, mirror: None }))
}

/// Moves single vertices of an order to other places as long as that makes its cost less.
fn improve(moves: &Moves, least: &mut f64, best: &mut Vec<usize>) {
    let count = best.len();
    let near = |from: usize| from.saturating_sub(FARTHEST)..(from + FARTHEST).min(count);
    for (from, to) in (0..count).flat_map(|from| near(from).map(move |to| (from, to))) {
        let mut changed = best.clone();
        let vertex = changed.remove(from);
        changed.insert(to, vertex);
        let price = cost_up_to(*least, moves, &changed);
        if price < *least {
            (*least, *best) = (price, changed);
        }
    }
}

/// The order from a first vertex that always leaves the smallest frontier. Of several vertices it
/// takes the one that was reached first.
fn greedy(moves: &Moves, start: usize) -> Vec<usize> {
    let mut order = Vec::new();
    let mut is_reached = vec![false; moves.len()];
    // The vertices that were not processed: those that were reached, in that order, and the others.
    let (mut frontier, mut others): (Vec<usize>, Vec<usize>) = (vec![start], Vec::new());
    is_reached[start] = true;
    others.extend((0..moves.len()).filter(|&vertex| vertex != start));
    while order.len() < moves.len() {
        if frontier.is_empty() {
            frontier.push(others[0]);
            is_reached[others[0]] = true;
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
        others.retain(|&vertex| !is_reached[vertex]);
    }
    order
}
