//! The heat map of a board: the more tours a square has, the darker it is.

use super::NotDrawn;
use super::joined::{extent, middle, names, outline};
use super::plot::{LETTER, Plot, WIDTH, label};
use crate::board::{Board, Square, column_name};
use crate::quantity::shortened;
use crate::tally::Tally;

/// The darkness of the smallest count of a heat map.
const PALEST: f64 = 0.12;
/// A board with a number on every square, by index; the darker, the more. Squares without tours
/// stay empty, and holes are no squares.
///
/// # Errors
/// [`NotDrawn::Graph`] if the board is a graph.
pub fn heat_map(title: &str, board: &Board, tours: &[Tally]) -> Result<Plot, NotDrawn> {
    let placed = Placed::of(board)?;
    let least = tours.iter().filter(|count| **count > Tally::ZERO).min();
    let fits = |&digits: &usize| {
        let letters = |count: &Tally| shortened(count.to_f64(), digits).chars().count();
        let longest = tours.iter().map(letters).max().unwrap_or(0);
        LETTER * longest as f64 + 4.0 <= placed.cell
    };
    let heat = Heat {
        least: least.cloned().unwrap_or_default(),
        most: tours.iter().max().cloned().unwrap_or_default(),
        digits: [3, 2].into_iter().find(fits),
    };
    let mut body = String::new();
    for (square, count) in board.all_squares().zip(tours) {
        body += &heat.cell(&placed, square, count);
    }
    body += &placed.coordinates();
    if heat.most > Tally::ZERO {
        body += &heat.legend(placed.bottom + 34.0);
    }
    Ok(Plot::new(title, placed.bottom + 54.0, body))
}

/// The darkness of a count among others.
struct Heat {
    least: Tally,
    most: Tally,
    /// The number of digits that fit into the squares.
    digits: Option<usize>,
}

impl Heat {
    fn opacity(&self, count: &Tally) -> f64 {
        let [least, most, count] = [&self.least, &self.most, count].map(Tally::to_f64);
        if most > least { PALEST + (1.0 - PALEST) * (count - least) / (most - least) } else { 0.5 }
    }

    fn cell(&self, placed: &Placed, square: Square, count: &Tally) -> String {
        let says = format!("<title>{}: {}</title>", placed.board.name(square), count.grouped());
        if *count == Tally::ZERO {
            return placed.outlined(square, "cell", "", &says);
        }
        let opacity = self.opacity(count);
        let shade = format!(" fill-opacity=\"{opacity:.3}\"");
        let mut drawn = placed.outlined(square, "heat", &shade, &says);
        if let Some(digits) = self.digits {
            // A colour of the text that is legible in the light and the dark scheme.
            let ink = match opacity {
                ..0.58 => "off",
                ..0.78 => "mid",
                _ => "on",
            };
            let (x, y) = placed.point(middle(placed.board, square));
            drawn += &label(x, y + 4.5, "middle", ink, &shortened(count.to_f64(), digits));
        }
        drawn
    }

    fn legend(&self, y: f64) -> String {
        const STEPS: u32 = 24;
        const STEP: f64 = 5.0;
        if self.least == self.most {
            let text = format!("{} on each", self.most.grouped());
            return label(WIDTH / 2.0, y + 10.0, "middle", "", &text);
        }
        let left = (WIDTH - STEP * f64::from(STEPS)) / 2.0;
        let step = |step: u32| {
            let (x, share) = (f64::from(step) * STEP, f64::from(step) / f64::from(STEPS - 1));
            format!(
                "<rect class=\"bar\" x=\"{:.1}\" y=\"{y:.1}\" width=\"{STEP}\" height=\"10\" fill-opacity=\"{:.3}\"/>",
                left + x,
                PALEST + (1.0 - PALEST) * share
            )
        };
        let right = left + STEP * f64::from(STEPS);
        (0..STEPS).map(step).collect::<String>()
            + &label(left - 6.0, y + 10.0, "end", "", &self.least.grouped())
            + &label(right + 6.0, y + 10.0, "start", "", &self.most.grouped())
    }
}

/// The place of a board in a plot: the side of its squares, its left and its lower side.
pub(super) struct Placed<'a> {
    board: &'a Board,
    pub cell: f64,
    left: f64,
    pub bottom: f64,
}

impl<'a> Placed<'a> {
    pub fn of(board: &'a Board) -> Result<Self, NotDrawn> {
        const SIDE: f64 = WIDTH - 44.0;
        const LARGEST: f64 = 56.0;
        if board.is_graph() {
            return Err(NotDrawn::Graph);
        }
        let (cols, rows) = extent(board);
        let cell = (SIDE / cols).min(SIDE / rows).min(LARGEST);
        let left = (WIDTH - 22.0 - cell * cols) / 2.0 + 22.0;
        Ok(Self { board, cell, left, bottom: 2.0 + cell * rows })
    }

    /// A point of the board in the plot.
    pub fn point(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.left + self.cell * x, 2.0 + self.cell * y)
    }

    /// A square or a hexagon of a class, with more attributes, and with an element inside.
    pub fn outlined(&self, square: Square, class: &str, more: &str, inside: &str) -> String {
        let Self { board, cell, left, .. } = self;
        if board.is_hexagonal() {
            return format!(
                "<path class=\"{class}\" transform=\"translate({left:.2} 2) scale({cell:.2})\" \
                 vector-effect=\"non-scaling-stroke\" d=\"{}\"{more}>{inside}</path>",
                outline(board, square)
            );
        }
        let (x, y) = self.point(middle(board, square));
        let (x, y) = (x - cell / 2.0, y - cell / 2.0);
        format!(
            "<rect class=\"{class}\" x=\"{x:.2}\" y=\"{y:.2}\" width=\"{cell:.2}\" height=\"{cell:.2}\"{more}>{inside}</rect>"
        )
    }

    /// The letters and numbers beside the board, as many as fit.
    pub fn coordinates(&self) -> String {
        let Self { board, cell, left, bottom } = *self;
        if board.is_hexagonal() {
            let named = names(board).into_iter().map(|(at, name)| (self.point(at), name));
            return named.map(|((x, y), name)| label(x, y + 4.5, "middle", "", &name)).collect();
        }
        let every = |wanted: f64| (wanted / cell).ceil().max(1.0) as u32;
        let letters = column_name(board.cols() - 1).len() + 1;
        let mut drawn = String::new();
        for col in (0..board.cols()).step_by(every(LETTER * letters as f64) as usize) {
            let x = left + cell * (f64::from(col) + 0.5);
            drawn += &label(x, bottom + 16.0, "middle", "", &column_name(col));
        }
        for row in (0..board.rows()).step_by(every(14.0) as usize) {
            let y = bottom - cell * (f64::from(row) + 0.5) + 4.5;
            drawn += &label(left - 6.0, y, "end", "", &(row + 1).to_string());
        }
        drawn
    }
}
