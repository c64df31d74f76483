//! A tour or a puzzle of a graph as an SVG picture: its vertices as discs with the numbers of steps,
//! in places that are given or on a circle, its edges as thin lines, and a path along some of them.
//!
//! A circle has the vertices of a tour in the order of the tour, so that the tour is its rim. Those
//! of a puzzle are in the order of the graph, because the order of the solution would give it away.

use super::escaped;
use crate::board::{Board, Square};
use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::fmt::Write;

/// The longer side of the picture, in pixels, and the room around the middles of discs.
const SIDE: f64 = 320.0;
const MARGIN: f64 = 24.0;

/// A picture of a graph.
///
/// ```
/// # use kt_enum_pictures as kt_enum;
/// use kt_enum::board::Board;
/// use kt_enum::draw::GraphDrawing;
///
/// let board: Board = "graph north-south,south-west".parse()?;
/// let squares: Vec<_> = board.all_squares().collect();
/// let names: Vec<_> = squares.iter().map(|&square| board.name(square)).collect();
/// let drawing = GraphDrawing {
///     board: &board,
///     around: &squares,
///     names: &names,
///     numbers: vec![(2, squares[1])],
///     path: None,
///     places: None,
/// };
/// assert!(drawing.svg(None).contains("<title>north</title>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct GraphDrawing<'a> {
    /// The graph.
    pub board: &'a Board,
    /// Its vertices in the order in which a circle has them.
    pub around: &'a [Square],
    /// Their names in this order.
    pub names: &'a [String],
    /// The numbers that are shown, each with its vertex.
    pub numbers: Vec<(usize, Square)>,
    /// A path that is drawn, and whether it is closed.
    pub path: Option<(&'a [Square], bool)>,
    /// The places in the order of `around`: points as in a plot, whose second number grows upwards.
    pub places: Option<Vec<[f64; 2]>>,
}

impl GraphDrawing<'_> {
    /// The picture. The title is shown by what shows the picture, as the names of vertices are.
    pub fn svg(&self, title: Option<&str>) -> String {
        let (points, [width, height]) = self.points();
        let vertices = || self.around.iter().zip(&points);
        let at: BTreeMap<Square, (f64, f64)> =
            vertices().map(|(&of, &point)| (of, point)).collect();
        let own = format!("A graph of {} vertices", points.len());
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             width=\"{width:.0}\" font-family=\"sans-serif\" font-size=\"10\" text-anchor=\"middle\">\
             <title>{}</title><path d=\"",
            escaped(title.unwrap_or(&own))
        );
        // Writing to a string does not fail, here and below.
        for (&from, (x, y)) in vertices() {
            for to in self.board.moves(from).filter(|&to| from < to) {
                let _ = write!(text, "M{x:.1} {y:.1}L{:.1} {:.1}", at[&to].0, at[&to].1);
            }
        }
        text += "\" stroke=\"#bbb\"/>";
        if let Some((path, is_cycle)) = self.path {
            let line = path.iter().map(|of| format!("{:.1},{:.1}", at[of].0, at[of].1));
            let (line, shape) = (line.collect::<Vec<_>>().join(" "), ["polyline", "polygon"]);
            let _ = write!(
                text,
                "<{} points=\"{line}\" fill=\"none\" stroke=\"#4063d8\" stroke-width=\"2\"/>",
                shape[usize::from(is_cycle)]
            );
        }
        let numbers: BTreeMap<Square, usize> =
            self.numbers.iter().map(|&(number, of)| (of, number)).collect();
        for ((of, (x, y)), name) in vertices().zip(self.names) {
            let (name, below) = (escaped(name), y + 3.5);
            let number = numbers.get(of).map_or(String::new(), usize::to_string);
            let _ = write!(
                text,
                "<g><title>{name}</title><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"10\" fill=\"white\" \
                 stroke=\"#4063d8\"/><text x=\"{x:.1}\" y=\"{below:.1}\">{number}</text></g>"
            );
        }
        text + "</svg>"
    }

    /// The middles of the discs, and the sides of the picture.
    fn points(&self) -> (Vec<(f64, f64)>, [f64; 2]) {
        let angle = |step: usize| TAU * step as f64 / self.around.len() as f64;
        let on_circle = |step| [angle(step).sin(), angle(step).cos()];
        let circle = || (0..self.around.len()).map(on_circle).collect();
        let points: Vec<[f64; 2]> = self.places.clone().unwrap_or_else(circle);
        let bound = |axis: usize, pick: fn(f64, f64) -> f64| {
            points.iter().map(|point| point[axis]).reduce(pick).unwrap_or(0.0)
        };
        let (left, top) = (bound(0, f64::min), bound(1, f64::max));
        let sides = [bound(0, f64::max) - left, top - bound(1, f64::min)];
        let longer = sides[0].max(sides[1]);
        let scale = (SIDE - 2.0 * MARGIN) / if longer > 0.0 { longer } else { 1.0 };
        let at = |[x, y]: [f64; 2]| (MARGIN + (x - left) * scale, MARGIN + (top - y) * scale);
        let size = sides.map(|side| 2.0 * MARGIN + side * scale);
        (points.into_iter().map(at).collect(), size)
    }
}
