//! A tour of a graph as an SVG picture: its vertices as numbered discs, in places that are given or
//! on a circle in the order of the tour.

use super::escaped;
use std::f64::consts::TAU;
use std::fmt::Write;

/// The longer side of the picture, in pixels, and the room around the middles of discs.
const SIDE: f64 = 320.0;
const MARGIN: f64 = 24.0;

/// The picture of a tour through vertices with these names, in the order of the tour.
///
/// `places` are points as in a plot, whose second number grows upwards. The title is shown by what
/// shows the picture, as the names of vertices are.
///
/// ```
/// # use kt_enum_pictures as kt_enum;
/// let names = ["north".to_owned(), "south".to_owned()];
/// let picture = kt_enum::draw::svg_of_graph(&names, false, Some("a path"), None);
/// assert!(picture.starts_with("<svg") && picture.contains("<title>north</title>"));
/// ```
pub fn svg_of_graph(
    names: &[String],
    is_cycle: bool,
    title: Option<&str>,
    places: Option<&[[f64; 2]]>,
) -> String {
    let angle = |step: usize| TAU * step as f64 / names.len() as f64;
    let on_circle = |step| [angle(step).sin(), angle(step).cos()];
    let points: Vec<[f64; 2]> =
        places.map_or_else(|| (0..names.len()).map(on_circle).collect(), <[_]>::to_vec);
    let bound = |axis: usize, pick: fn(f64, f64) -> f64| {
        points.iter().map(|point| point[axis]).reduce(pick).unwrap_or(0.0)
    };
    let (left, top) = (bound(0, f64::min), bound(1, f64::max));
    let sides = [bound(0, f64::max) - left, top - bound(1, f64::min)];
    let longer = sides[0].max(sides[1]);
    let scale = (SIDE - 2.0 * MARGIN) / if longer > 0.0 { longer } else { 1.0 };
    let [width, height] = sides.map(|side| 2.0 * MARGIN + side * scale);
    let at = |[x, y]: [f64; 2]| (MARGIN + (x - left) * scale, MARGIN + (top - y) * scale);
    let points: Vec<(f64, f64)> = points.iter().copied().map(at).collect();
    let line: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let (line, shape) = (line.join(" "), if is_cycle { "polygon" } else { "polyline" });
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" font-family=\"sans-serif\" font-size=\"10\" text-anchor=\"middle\">\
         <title>{}</title><{shape} points=\"{line}\" fill=\"none\" stroke=\"#4063d8\" \
         stroke-width=\"2\"/>",
        escaped(title.unwrap_or(&format!("A tour of a graph of {} vertices", names.len())))
    );
    for ((name, (x, y)), step) in names.iter().zip(&points).zip(1..) {
        let (name, below) = (escaped(name), y + 3.5);
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "<g><title>{name}</title><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"10\" fill=\"white\" \
             stroke=\"#4063d8\"/><text x=\"{x:.1}\" y=\"{below:.1}\">{step}</text></g>"
        );
    }
    text + "</svg>"
}
