//! A board with a line for each of its edges, the wider and stronger the more often tours use it.

use super::NotDrawn;
use super::heat::Placed;
use super::joined::{Joined, middle};
use super::plot::Plot;
use crate::board::{Board, Square};
use crate::draw::markup::escaped;

/// An edge, the share of tours that use it, and what it says when it is pointed at.
#[derive(Debug, Clone, PartialEq)]
pub struct UsedEdge {
    /// Its squares.
    pub ends: [Square; 2],
    /// From 0 to 1.
    pub share: f64,
    /// The text.
    pub says: String,
}

/// The map of a board's edges. An edge across joined sides of the board is drawn as two lines.
///
/// # Errors
/// [`NotDrawn::Graph`] if the board is a graph.
pub fn edge_map(title: &str, board: &Board, edges: &[UsedEdge]) -> Result<Plot, NotDrawn> {
    const WIDEST: f64 = 0.22;
    let (placed, joined) = (Placed::of(board)?, Joined::of(board));
    let cells = board.all_squares().map(|square| placed.outlined(square, "cell", "", ""));
    let mut body: String = cells.collect();
    for edge in edges.iter().filter(|edge| edge.share > 0.0) {
        let [from, to] = edge.ends.map(|end| middle(board, end));
        let lines = match joined.gap(edge.ends[0], edge.ends[1]) {
            None => vec![[from, to]],
            Some([exit, entry]) => vec![[from, exit], [entry, to]],
        };
        for [(x1, y1), (x2, y2)] in
            lines.into_iter().map(|line| line.map(|point| placed.point(point)))
        {
            body += &format!(
                "<line class=\"edge\" x1=\"{x1:.2}\" y1=\"{y1:.2}\" x2=\"{x2:.2}\" y2=\"{y2:.2}\" \
                 stroke-width=\"{:.2}\" stroke-opacity=\"{:.3}\"><title>{}</title></line>",
                placed.cell * WIDEST * edge.share.max(0.03),
                0.15 + 0.85 * edge.share,
                escaped(&edge.says)
            );
        }
    }
    body += &placed.coordinates();
    Ok(Plot::new(title, placed.bottom + 24.0, body))
}
