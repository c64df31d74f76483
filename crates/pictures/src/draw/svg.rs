//! A tour as an SVG picture: its path over the board, the start a disc, the end of a path a square.
//!
//! The picture scales with what it stands in and follows the light or dark scheme of the reader.
//! The path is a `polyline`, that of a cycle a `polygon`, with a point a square. If moves cross
//! joined edges, it is a `path` in several parts.

use super::joined::{Joined, extent, holes, middle, names, outline, outline_at};
use super::markup::MADE_HERE;
use super::{Subject, TourKind, escaped};
use crate::board::Board;
use std::fmt::Write;

/// The colours, shared with the page.
pub(super) const STYLE: &str = include_str!("board.css");

/// Room for the names of rows and columns, and on the other two sides.
const MARGIN: [f64; 2] = [0.7, 0.15];

/// Pixels of a square, unless the picture would be wider or higher than [`MOST_PIXELS`].
const PIXELS: f64 = 48.0;
const MOST_PIXELS: f64 = 1_000.0;

/// The distance of two lines of the title, in squares.
const LINE: f64 = 0.5;

/// Centres a number on its middle: a digit is about 0.7 em high. Not every program that draws SVG
/// knows `dominant-baseline`.
pub(super) const CENTRED: &str = " dy=\".35em\"";

/// The content of a picture.
#[derive(Debug, Clone, Default)]
pub struct Style {
    /// True if each square shows the step at which it is visited, from 1.
    pub numbers: bool,
    /// The title, which stands above the board. Without one the picture is named after the tour,
    /// invisibly.
    pub title: Option<String>,
}

/// The picture of a tour.
pub fn svg(subject: &Subject, style: &Style) -> String {
    let mut drawn = String::new();
    push_path(subject, &mut drawn);
    if style.numbers {
        push_numbers(subject, &mut drawn)
    } else {
        push_ends(subject, &mut drawn)
    }
    let title = style.title.as_deref();
    picture(&subject.board, Decor::ALL, title, &subject.to_string(), STYLE, &drawn)
}

/// What a drawing of a board shows of it beside its squares.
#[derive(Debug, Clone, Copy)]
pub(super) struct Decor {
    /// True if squares are dark and light in turn. Hexagons never are.
    pub is_shaded: bool,
    /// True if rows and columns have their names.
    pub has_names: bool,
}

impl Decor {
    pub const ALL: Self = Self { is_shaded: true, has_names: true };
}

/// A picture of a board with what is drawn on it.
pub(super) fn picture(
    board: &Board,
    decor: Decor,
    title: Option<&str>,
    description: &str,
    style: &str,
    drawn: &str,
) -> String {
    let ((cols, rows), slim) = (extent(board), MARGIN[1]);
    let wide = if decor.has_names { MARGIN[0] } else { slim };
    let right = if decor.has_names { right_of(board, slim) } else { slim };
    let width = cols + wide + right;
    let heading = lines_of(title.unwrap_or_default(), width - 2.0 * slim);
    let above = slim + heading.len() as f64 * LINE;
    let height = rows + wide + above;
    let scale = PIXELS.min(MOST_PIXELS / width.max(height));
    let title = escaped(title.unwrap_or(description));
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{} {} {width:.2} {height:.2}\" \
         width=\"{:.0}\" height=\"{:.0}\" role=\"img\">\n{MADE_HERE}<title>{title}</title>\n\
         <desc>{description}</desc>\n<style>\nsvg {{ max-width: 100%; height: auto }}\n{style}</style>\n\
         <rect class=\"ground\" x=\"{}\" y=\"{}\" width=\"{width:.2}\" height=\"{height:.2}\"/>\n",
        -wide,
        -above,
        width * scale,
        height * scale,
        -wide,
        -above,
    );
    for (line, place) in heading.iter().zip(0_u32..) {
        let (x, y) = (cols / 2.0, -above + (f64::from(place) + 0.6) * LINE);
        let at = format!("x=\"{x}\" y=\"{y:.2}\"{CENTRED}");
        text += &format!("<text class=\"heading\" {at}>{}</text>\n", escaped(line));
    }
    push_ground(board, decor, &mut text);
    text + drawn + "</svg>\n"
}

/// A drawing of a board on a page: without a style.
pub(super) fn on_page(board: &Board, decor: Decor, attributes: &str, drawn: &str) -> String {
    let left = if decor.has_names { -MARGIN[0] } else { -0.05 };
    let (width, height) = size_on_page(board, decor.has_names);
    let mut text = format!(
        "<svg viewBox=\"{left:.2} -0.05 {width:.2} {height:.2}\" role=\"img\" {attributes}>\n"
    );
    push_ground(board, decor, &mut text);
    text + drawn + "</svg>\n"
}

/// The width and the height of such a drawing, in squares.
pub(super) fn size_on_page(board: &Board, has_names: bool) -> (f64, f64) {
    let (cols, rows) = extent(board);
    let margin = if has_names { MARGIN[0] } else { 0.05 } + 0.05;
    let right = if has_names { right_of(board, 0.0) } else { 0.0 };
    (cols + margin + right, rows + margin)
}

/// The space at the right: the names of the columns of a hexagonal board stand there.
fn right_of(board: &Board, otherwise: f64) -> f64 {
    if board.is_hexagonal() { MARGIN[0] } else { otherwise }
}

fn push_ground(board: &Board, decor: Decor, text: &mut String) {
    push_squares(board, decor.is_shaded, text);
    if decor.has_names {
        push_names(board, text);
    }
}

fn push_squares(board: &Board, is_shaded: bool, text: &mut String) {
    if board.is_hexagonal() {
        let cells: String = board.all_squares().map(|at| outline(board, at)).collect();
        let _ = writeln!(text, "<path class=\"light cells\" d=\"{cells}\"/>");
        return;
    }
    let (rows, cols) = (board.rows(), board.cols());
    let _ = writeln!(text, "<rect class=\"light\" width=\"{cols}\" height=\"{rows}\"/>");
    if is_shaded {
        // A dashed line a row: a dash is a dark square, as a1 is.
        *text += "<path class=\"dark\" d=\"";
        for row in 0..rows {
            let (begin, end) = (row % 2, cols.max(row % 2));
            // Writing to a string does not fail, here and below.
            let _ = write!(text, "M{begin} {}H{end}", f64::from(rows - 1 - row) + 0.5);
        }
        *text += "\"/>\n";
    }
    let holes: String = holes(board).map(|place| outline_at(board, place)).collect();
    if !holes.is_empty() {
        let _ = writeln!(text, "<path class=\"ground\" d=\"{holes}\"/>");
    }
}

/// A title in as many lines as it needs. It is broken between words, and a word that is wider than
/// a line within it.
fn lines_of(title: &str, width: f64) -> Vec<String> {
    /// The size of the letters, in squares.
    const SIZE: f64 = 0.4;
    /// The width of a letter by its size. Letters are narrower on average, so that lines have air.
    const LETTER: f64 = 0.58;
    let most = ((width / (SIZE * LETTER)) as usize).max(1);
    let mut lines: Vec<Vec<char>> = Vec::new();
    for word in title.split_whitespace() {
        let word: Vec<char> = word.chars().collect();
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= most => {
                line.push(' ');
                line.extend(word);
            }
            _ => lines.extend(word.chunks(most).map(<[char]>::to_vec)),
        }
    }
    lines.into_iter().map(String::from_iter).collect()
}

fn push_names(board: &Board, text: &mut String) {
    *text += "<g class=\"names\">\n";
    for ((x, y), name) in names(board) {
        let _ = writeln!(text, "<text x=\"{x}\" y=\"{y}\"{CENTRED}>{name}</text>");
    }
    *text += "</g>\n";
}

pub(super) fn push_path(subject: &Subject, text: &mut String) {
    let (board, squares) = (&subject.board, subject.squares());
    let closing = squares[..1].iter().filter(|_| subject.kind == TourKind::Closed);
    let moves = squares.iter().zip(squares[1..].iter().chain(closing));
    let joined = Joined::of(board);
    let moves: Vec<_> = moves.map(|(&from, &to)| (to, joined.gap(from, to))).collect();
    if moves.iter().any(|(_, gap)| gap.is_some()) {
        let (x, y) = middle(board, squares[0]);
        let _ = write!(text, "<path class=\"tour\" d=\"M{x} {y}");
        for (to, gap) in moves {
            if let Some([(x, y), (to_x, to_y)]) = gap {
                let _ = write!(text, "L{x:.3} {y:.3}M{to_x:.3} {to_y:.3}");
            }
            let (x, y) = middle(board, to);
            let _ = write!(text, "L{x} {y}");
        }
        *text += "\"/>\n";
        return;
    }
    let shape = match subject.kind {
        TourKind::Closed => "polygon",
        TourKind::Open | TourKind::Reentrant => "polyline",
    };
    let _ = write!(text, "<{shape} class=\"tour\" points=\"");
    for (place, &square) in subject.squares().iter().enumerate() {
        let (x, y) = middle(&subject.board, square);
        let blank = if place == 0 { "" } else { " " };
        let _ = write!(text, "{blank}{x},{y}");
    }
    *text += "\"/>\n";
}

fn push_ends(subject: &Subject, text: &mut String) {
    let (start, end) = subject.ends();
    let (x, y) = middle(&subject.board, start);
    let _ = writeln!(text, "<circle class=\"start\" cx=\"{x}\" cy=\"{y}\" r=\"0.22\"/>");
    if let Some((x, y)) = end.map(|end| middle(&subject.board, end)) {
        let (x, y) = (x - 0.19, y - 0.19);
        let at = format!("x=\"{x:.2}\" y=\"{y:.2}\"");
        let _ = writeln!(text, "<rect class=\"end\" {at} width=\"0.38\" height=\"0.38\"/>");
    }
}

/// A disc with its number on each square; those of the ends have the colours and shapes of the
/// marks.
fn push_numbers(subject: &Subject, text: &mut String) {
    let (start, end) = subject.ends();
    let digits = subject.squares().len().to_string().len() as f64;
    let size = (0.92 / digits).min(0.36);
    let _ = writeln!(text, "<g class=\"numbers\" font-size=\"{size:.2}\">");
    for (place, &square) in subject.squares().iter().enumerate() {
        let (x, y) = middle(&subject.board, square);
        let (is_start, is_end) = (square == start, Some(square) == end);
        let ink = if is_start || is_end { " class=\"on-mark\"" } else { "" };
        if is_end {
            let at = format!("x=\"{:.1}\" y=\"{:.1}\"", x - 0.3, y - 0.3);
            let _ = write!(text, "<rect class=\"end\" {at} width=\"0.6\" height=\"0.6\"/>");
        } else {
            let mark = if is_start { "start" } else { "disc" };
            let _ = write!(text, "<circle class=\"{mark}\" cx=\"{x}\" cy=\"{y}\" r=\"0.32\"/>");
        }
        let _ = writeln!(text, "<text{ink} x=\"{x}\" y=\"{y}\"{CENTRED}>{}</text>", place + 1);
    }
    *text += "</g>\n";
}
