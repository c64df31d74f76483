//! The cut of a board that is used unless `--cut` states another.
//!
//! Units are the same on every machine only if the cut is a function of the question alone. This
//! rule was found by trying boards of every width. The cut lies after the first group of columns of
//! a row ([`crate::graph::columns`]): there the vertices before it are their own mirror image and
//! touch the fewest others. It lies a little before the middle, because the bottom half also has to
//! choose the edges of the border.

use super::halves::Cut;
use crate::graph::{Graph, columns, states};
use crate::states::pattern::SLOTS;
use crate::work::Split;
use std::cmp::Ordering;

/// The largest number of sliced squares: 3^6 = 729 units, or 378 where mirror images are merged.
const SLICED: usize = 6;

/// The number of vertices that are processed within the units.
const STEPS: usize = 4;

/// Returns the cuts of a graph of at least three columns, the best first. The others, each a row
/// further down, are for long boards of 9 and 10 columns: there the vertices above the best cut and
/// the border need more slots at once than there are.
pub(super) fn in_turn(graph: &Graph) -> impl Iterator<Item = Cut> + use<> {
    let (width, last) = (graph.width.max(1), graph.len().saturating_sub(1));
    // The number of columns in the first group of a row.
    let group = columns(width).iter().position(|&column| column == 1).unwrap_or(width);
    let most = graph.len() / 2 + 1;
    let row = most.saturating_sub(group) / width;
    let first = (row * width + group).min(last);
    (first..=last).step_by(width).map(move |at| Cut {
        at,
        steps: group.min(STEPS).min(at),
        sliced: SLICED,
    })
}

/// The best place for a cut, in hundredths of the vertices: a little before the middle.
const BEST_PLACE: usize = 46;

/// Returns the cuts of a graph of any shape, the best first: those with a small border near the
/// best place. A border beyond the number of slots is left out. Of several cuts with nearly as few
/// states as the best, the one nearest to the middle comes first that separates no vertex from its
/// mirror image.
pub(super) fn near_middle(graph: &Graph) -> Vec<Cut> {
    let mut is_reached = vec![false; graph.len()];
    let mut borders = Vec::new();
    for at in 1..graph.len() {
        for &to in graph.neighbours[at - 1].iter().filter(|&&to| to < graph.len()) {
            is_reached[to] = true;
        }
        let border = is_reached[at..].iter().filter(|&&is_reached| is_reached).count();
        if border > SLOTS {
            break;
        }
        // One vertex in the border is as bad as a seventh of the graph away from the best place.
        let distance = (100 * at).abs_diff(BEST_PLACE * graph.len());
        borders.push((border * 15 * graph.len() + distance, at));
    }
    borders.retain(|&(_, at)| (graph.len()..=3 * graph.len()).contains(&(4 * at)));
    borders.sort_unstable();
    let (nearest, others) = borders.split_at(borders.len().min(MOST_PRICED));
    let priced = nearest.iter().map(|&(_, at)| (rough_states(graph, at), at));
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
    let places = priced.into_iter().map(|(_, at)| at).chain(others.iter().map(|&(_, at)| at));
    places.map(|at| Cut { at, steps: STEPS.min(at), sliced: SLICED }).collect()
}

/// The factor within which estimates of states do not tell cuts apart.
const NEARLY: f64 = 1.1;

/// The number of cuts whose states are estimated.
const MOST_PRICED: usize = 24;

/// Estimates the states of both halves at a cut: the top, the interior of the bottom, and a few
/// steps in which border vertices choose edges, with as many states as the top has at the cut.
pub(super) fn rough_states(graph: &Graph, at: usize) -> f64 {
    const STEPS_OF_BORDER: f64 = 3.0;
    let vertices: Vec<usize> = (0..graph.len()).collect();
    let (above, below) = vertices.split_at(at);
    let is_interior = |vertex: &&usize| graph.joined(**vertex, |other| other < at) == 0;
    let of = |vertices: &[usize]| states(&graph.neighbours, vertices.iter());
    let (top, before) = (of(above), of(&above[..at - 1]));
    let bottom = states(&graph.neighbours, below.iter().rev().filter(is_interior));
    top + bottom + STEPS_OF_BORDER * (top - before)
}

impl Cut {
    /// Returns the cut of a split; `None` if the split is of another kind.
    pub(super) fn from_split(split: Split) -> Option<Self> {
        match split {
            Split::Depth(_) | Split::Lengths { .. } => None,
            Split::Cut { cut, steps, sliced } => {
                Some(Self { at: cut as usize, steps: steps as usize, sliced: sliced as usize })
            }
        }
    }
}

impl From<Cut> for Split {
    fn from(cut: Cut) -> Self {
        Self::Cut { cut: cut.at as u32, steps: cut.steps as u32, sliced: cut.sliced as u32 }
    }
}
