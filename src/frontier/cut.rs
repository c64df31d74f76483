//! Where a board is cut, unless somebody asks for another place.
//!
//! The units are a function of the question alone, so that every machine has the same. The rule was found by trying
//! boards of every width: the cut lies after the first group of columns of a row ([`crate::graph::columns`]), for there
//! the vertices taken are their own mirror image and touch the fewest others, and a little before the middle, for the
//! bottom half has to choose the edges of the border besides.

use super::halves::Cut;
use crate::graph::{Graph, columns};
use crate::work::Split;

/// The most squares by which units are sliced: 729 units, or 378 where mirror images are merged.
const SLICED: usize = 6;

/// The cuts of a graph of at least three columns, the best first. The others, each a row further down, are for long boards of 9 and 10 columns:
/// there the vertices that are taken and those of the border need more slots at once than there are.
pub(crate) fn in_turn(graph: &Graph) -> impl Iterator<Item = Cut> + use<> {
    let (width, last) = (graph.width.max(1), graph.len().saturating_sub(1));
    let group = first_group(width);
    let most = graph.len() / 2 + 1;
    let row = most.saturating_sub(group) / width;
    let first = (row * width + group).min(last);
    (first..=last).step_by(width).map(move |at| Cut {
        at,
        steps: group.min(4).min(at),
        sliced: SLICED,
    })
}

/// How many columns are taken first in a row.
fn first_group(width: usize) -> usize {
    let columns = columns(width);
    let outer = columns.iter().position(|&column| column == 1);
    outer.unwrap_or(width)
}

impl Cut {
    /// The cut that a split asks for.
    pub(crate) fn from_split(split: Split) -> Option<Self> {
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
