//! The cut of a board that is used unless `--cut` states another.
//!
//! Units are the same on every machine only if the cut is a function of the question alone. This
//! rule was found by trying boards of every width. The cut lies after the first group of columns of
//! a row ([`crate::graph::columns`]): there the vertices before it are their own mirror image and
//! touch the fewest others. It lies a little before the middle, because the bottom half also has to
//! choose the edges of the border.

use super::halves::Cut;
use crate::graph::{Graph, columns};
use crate::work::Split;

/// The largest number of sliced squares: 3^6 = 729 units, or 378 where mirror images are merged.
const SLICED: usize = 6;

/// Returns the cuts of a graph of at least three columns, the best first. The others, each a row
/// further down, are for long boards of 9 and 10 columns: there the vertices above the best cut and
/// the border need more slots at once than there are.
pub(super) fn in_turn(graph: &Graph) -> impl Iterator<Item = Cut> + use<> {
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

/// Returns the number of columns in the first group of a row.
fn first_group(width: usize) -> usize {
    let columns = columns(width);
    let outer = columns.iter().position(|&column| column == 1);
    outer.unwrap_or(width)
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
