//! The cut of a board: which [classes](super::classes) its edges are divided into.
//!
//! Units are the same on every machine only if the cut is a function of the question alone. Where a
//! symmetry exchanges the beginning of the order with its end, the classes are those that it
//! exchanges: then a single sweep is enough, or, if an end is fixed, two sweeps of the same size.
//! Elsewhere the first class has all edges of the first vertices, a little less than half, because
//! the second sweep also has to choose the edges of the boundary.

use super::classes::{Class, Classes};
use super::halves::{Halves, Slicing};
use crate::board::Board;
use crate::graph::{Graph, states};
use crate::states::pattern::SLOTS;
use crate::work::{EdgeClass, Split};
use std::cmp::Ordering;

/// The largest number of sliced squares, in the default cuts: 3^6 = 729 combinations of degrees, or
/// 3^8 = 6,561 where up to four units have the same cycles.
const SLICED: u32 = 6;
pub(super) const SLICED_EXCHANGED: u32 = 8;

/// Returns the default cuts of a graph, the best first.
pub(super) fn all(graph: &Graph, board: &Board) -> Vec<Split> {
    let found = exchanged(graph, board, false);
    let is_left_out = |apex| found.iter().all(|of| of.0.degree(apex, Class::LeftOut) > 0);
    let sliced = if graph.apex.is_some_and(is_left_out) { SLICED } else { SLICED_EXCHANGED };
    let exchanged = Split::Cut { class: EdgeClass::Nearer { second_rule: false }, sliced };
    let first = |at: usize| Split::Cut { class: EdgeClass::First(at as u32), sliced: SLICED };
    let others = if board.is_plain() { in_turn(graph) } else { near_middle(graph) };
    [exchanged].into_iter().chain(others.into_iter().map(first)).collect()
}

/// Returns the halves of a graph by a cut; `None` if it cannot be cut in this way, or if the split
/// is of another kind.
pub(super) fn of(cut: Split, graph: &Graph, board: &Board) -> Option<Halves> {
    let Split::Cut { class, sliced } = cut else { return None };
    let slicing = Slicing { given: &[], most: sliced as usize };
    match class {
        EdgeClass::First(at) => {
            let at = usize::try_from(at).ok().filter(|at| (1..graph.len()).contains(at))?;
            let is_mirrored = (0..at).all(|vertex| graph.image(vertex) < at);
            let classes = || Classes::of_first(graph, at);
            is_mirrored.then(|| Halves::new(graph, classes(), None, slicing))?
        }
        EdgeClass::Nearer { second_rule } => {
            let (classes, exchange) = exchanged(graph, board, second_rule)?;
            Halves::new(graph, classes, keeps(graph, &exchange), slicing)
        }
        EdgeClass::Beside => beside(graph, board, slicing),
    }
}

/// Returns the classes of the exchange that leaves the fewest vertices in the boundary, and of
/// these the fewest edges out, and the exchange; `None` if the graph has no exchange.
fn exchanged(graph: &Graph, board: &Board, second_rule: bool) -> Option<(Classes, Vec<usize>)> {
    let boundary = |classes: &Classes| {
        (0..graph.len()).filter(|&vertex| classes.is_in_boundary(vertex)).count()
    };
    let all = graph.exchanges(board).into_iter();
    let all = all.map(|exchange| (classes_of(graph, &exchange, second_rule), exchange));
    let left_out = |classes: &Classes| {
        (0..graph.len()).map(|vertex| classes.degree(vertex, Class::LeftOut)).sum::<usize>()
    };
    all.min_by_key(|(classes, _)| (boundary(classes), left_out(classes)))
}

/// Returns the classes of an exchange. Where the apex chooses before the join, a slice of the
/// second class meets many of the first, and would choose paired edges for each: so there are no
/// pairs.
fn classes_of(graph: &Graph, exchange: &[usize], second_rule: bool) -> Classes {
    let classes = Classes::exchanged(graph, exchange, second_rule);
    let chooses_last = |apex| classes.degree(apex, Class::LeftOut) > 0;
    if graph.apex.is_some_and(chooses_last) { classes.without_pairs() } else { classes }
}

/// Cuts a full knight's board of an odd number of lines beside its middle: the first class is that
/// of a board with one line less, and the second is the image of that of a board with one more.
fn beside(graph: &Graph, board: &Board, slicing: Slicing) -> Option<Halves> {
    // So a square beside the line has as many neighbours as on the boards of even numbers of lines.
    const FEWEST_LINES: usize = 7;
    let places = graph.lines.as_ref().filter(|_| board.is_plain())?;
    let lines = 1 + places.iter().map(|place| place[0]).max()?;
    if lines < FEWEST_LINES || lines.is_multiple_of(2) {
        return None;
    }
    // The first `lines` lines change places; on a board of fewer lines, the others stay.
    let reversed = |lines: usize| -> Vec<usize> {
        let image = |(vertex, &[line, at]): (usize, &[usize; 2])| {
            let wanted = lines.checked_sub(line + 1).map(|line| [line, at]);
            let found = places.iter().position(|&place| Some(place) == wanted);
            found.unwrap_or(vertex)
        };
        places.iter().enumerate().map(image).chain(graph.apex).collect()
    };
    let halves = |lines| {
        let exchange = reversed(lines);
        Halves::new(graph, classes_of(graph, &exchange, false), Some(&exchange), slicing)
    };
    let exchange = reversed(lines);
    keeps(graph, &exchange)?;
    Some(halves(lines - 1)?.beside(halves(lines + 1)?, exchange))
}

/// Returns an exchange if it keeps the question: no end is fixed, and the images of squares where a
/// tour may end are such squares.
fn keeps<'a>(graph: &Graph, exchange: &'a [usize]) -> Option<&'a [usize]> {
    let ends = graph.apex.map_or(&[][..], |apex| &graph.neighbours[apex]);
    let is_kept = graph.fixed.is_none() && ends.iter().all(|&end| ends.contains(&exchange[end]));
    is_kept.then_some(exchange)
}

/// Returns the places where a full knight's board can be cut after whole pairs of columns, the best
/// first. The others, each a row further down, are for long boards of 9 and 10 columns: there the
/// best cut needs more slots at once than there are.
fn in_turn(graph: &Graph) -> Vec<usize> {
    let (width, last) = (graph.width.max(1), graph.len().saturating_sub(1));
    let most = graph.len() / 2 + 1;
    let is_whole = |at: &usize| (0..*at).all(|vertex| graph.image(vertex) < *at);
    let first = (most.saturating_sub(width)..=most).rev().find(is_whole).unwrap_or(last);
    (first.min(last)..=last).step_by(width).collect()
}

/// The best place for a cut, in hundredths of the vertices: a little before the middle.
const BEST_PLACE: usize = 46;

/// Returns the places where a graph of any shape can be cut, the best first: those with a small
/// boundary near the best place. A boundary beyond the number of slots is left out. Of several
/// places with nearly as few states as the best, the one nearest to the middle comes first that
/// separates no vertex from its mirror image.
fn near_middle(graph: &Graph) -> Vec<usize> {
    let mut is_reached = vec![false; graph.len()];
    let mut boundaries = Vec::new();
    for at in 1..graph.len() {
        for &to in graph.neighbours[at - 1].iter().filter(|&&to| to < graph.len()) {
            is_reached[to] = true;
        }
        let boundary = is_reached[at..].iter().filter(|&&is_reached| is_reached).count();
        if boundary > SLOTS {
            break;
        }
        // One vertex in the boundary is as bad as a seventh of the graph away from the best place.
        let distance = (100 * at).abs_diff(BEST_PLACE * graph.len());
        boundaries.push((boundary * 15 * graph.len() + distance, at));
    }
    // In a dense graph, a cut near the middle may leave no vertex with all edges in the second
    // class.
    let is_near = |&(_, at): &(usize, usize)| (graph.len()..=3 * graph.len()).contains(&(4 * at));
    let has_interior = |&(_, at): &(usize, usize)| {
        (at..graph.len()).any(|vertex| graph.joined(vertex, |other| other < at) == 0)
    };
    if boundaries.iter().any(|place| is_near(place) && has_interior(place)) {
        boundaries.retain(is_near);
    } else {
        boundaries.retain(has_interior);
    }
    boundaries.sort_unstable();
    let (nearest, others) = boundaries.split_at(boundaries.len().min(MOST_PRICED));
    let priced = nearest.iter().map(|&(_, at)| (rough_states_at(graph, at), at));
    let mut priced: Vec<(f64, usize)> = priced.collect();
    let least = priced.iter().map(|&(states, _)| states).fold(f64::INFINITY, f64::min);
    let rank = |&(states, at): &(f64, usize)| {
        let separates = (0..at).any(|vertex| graph.image(vertex) >= at);
        if states <= NEARLY * least {
            (least, separates, (2 * at).abs_diff(graph.len()), states)
        } else {
            (states, separates, 0, states)
        }
    };
    priced.sort_by(|one, other| rank(one).partial_cmp(&rank(other)).unwrap_or(Ordering::Equal));
    priced.into_iter().map(|(_, at)| at).chain(others.iter().map(|&(_, at)| at)).collect()
}

/// The factor within which estimates of states do not tell cuts apart.
const NEARLY: f64 = 1.1;

/// The number of cuts whose states are estimated.
const MOST_PRICED: usize = 24;

/// Estimates the states of two sweeps that meet at a place in the order, without those in which
/// boundary vertices choose edges.
fn rough_states_at(graph: &Graph, at: usize) -> f64 {
    let vertices: Vec<usize> = (0..graph.len()).collect();
    let (above, below) = vertices.split_at(at);
    let is_interior = |vertex: &&usize| graph.joined(**vertex, |other| other < at) == 0;
    let of = |vertices: &[usize]| states(&graph.neighbours, vertices.iter());
    of(above) + states(&graph.neighbours, below.iter().rev().filter(is_interior))
}
