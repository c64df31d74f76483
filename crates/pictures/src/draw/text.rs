//! A tour as text: a board of numbers in boxes, or in the colours of a chess board.

use super::Subject;
use super::joined::place;
use crate::board::column_name;
use crate::tour::{TourFormat, TourWriter};
use std::fmt::Write;

/// The style of a board drawn as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TextStyle {
    /// Lines around the squares.
    Boxes,
    /// Squares in colours, by the escape sequences that terminals with 256 colours know.
    Colours,
}

/// Appends a tour to a text: what it is, and the board with the step at which each square is
/// visited, from 1, the top row first. Holes are blank. A hexagonal board has no boxes.
pub fn text(subject: &Subject, style: TextStyle, text: &mut String) {
    let board = &subject.board;
    if board.is_hexagonal() {
        let mut rows = Vec::new();
        TourWriter::new(board.clone(), TourFormat::Grid).write(subject.squares(), &mut rows);
        *text += &format!("{subject}\n{}", String::from_utf8_lossy(&rows));
        return;
    }
    let cols = board.cols() as usize;
    let mut steps = vec![0; board.rows() as usize * cols];
    for (step, &square) in (1..).zip(subject.squares()) {
        steps[place(board, square)] = step;
    }
    let layout = TextLayout {
        subject,
        style,
        margin: board.rows().to_string().len(),
        width: board.squares().to_string().len().max(column_name(board.cols() - 1).len()),
    };
    *text += &format!("{subject}\n");
    layout.push_rule(["┌", "┬", "┐"], text);
    for (row, steps) in steps.chunks(cols).enumerate().rev() {
        layout.push_row(row, steps, text);
        match row {
            0 => layout.push_rule(["└", "┴", "┘"], text),
            _ => layout.push_rule(["├", "┼", "┤"], text),
        }
    }
    layout.push_names(text);
}

/// The common parts of the lines of a board.
struct TextLayout<'a> {
    subject: &'a Subject,
    style: TextStyle,
    /// Of the widest number of a row.
    margin: usize,
    /// Of the widest number or name in a square.
    width: usize,
}

// Writing to a string does not fail.
impl TextLayout<'_> {
    /// A line between rows, where there are lines.
    fn push_rule(&self, [left, middle, right]: [&str; 3], text: &mut String) {
        if self.style == TextStyle::Boxes {
            let line = "─".repeat(self.width + 2);
            let lines = vec![line.as_str(); self.subject.board.cols() as usize].join(middle);
            let _ = writeln!(text, "{:1$} {left}{lines}{right}", "", self.margin);
        }
    }

    fn push_row(&self, row: usize, steps: &[usize], text: &mut String) {
        let _ = write!(text, "{:>1$} ", row + 1, self.margin);
        for (col, &step) in steps.iter().enumerate() {
            let before = match self.style {
                TextStyle::Boxes => "│",
                TextStyle::Colours => colour(self.subject, step, (row + col).is_multiple_of(2)),
            };
            let step = if step == 0 { String::new() } else { step.to_string() };
            let _ = write!(text, "{before} {step:>0$} ", self.width);
        }
        *text += if self.style == TextStyle::Boxes { "│\n" } else { "\x1b[0m\n" };
    }

    fn push_names(&self, text: &mut String) {
        let between = if self.style == TextStyle::Boxes { "  " } else { " " };
        let _ = write!(text, "{:1$}", "", self.margin);
        for name in (0..self.subject.board.cols()).map(column_name) {
            let _ = write!(text, "{between}{name:>0$} ", self.width);
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
}

/// The colours of the square that is visited at a step, from 1, or of a hole: the black that
/// numbers are written in, and what they stand on.
fn colour(subject: &Subject, step: usize, is_dark: bool) -> &'static str {
    let has_end = subject.ends().1.is_some();
    match step {
        0 => "\x1b[0m",
        1 => "\x1b[38;5;16;48;5;114m",
        _ if step == subject.squares().len() && has_end => "\x1b[38;5;16;48;5;210m",
        _ if is_dark => "\x1b[38;5;16;48;5;180m",
        _ => "\x1b[38;5;16;48;5;223m",
    }
}
