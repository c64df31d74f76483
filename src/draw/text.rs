//! A tour as text: a board of numbers in boxes, or in the colours of a chess board.

use super::{Subject, column_name};
use crate::board::Square;
use std::fmt::Write;

/// How a board is drawn as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TextStyle {
    /// Lines around the squares.
    Boxes,
    /// Squares in colours, by the escape sequences that terminals with 256 colours know.
    Colours,
}

/// The black that numbers are written in, and what they stand on.
const LIGHT: &str = "\x1b[38;5;16;48;5;223m";
const DARK: &str = "\x1b[38;5;16;48;5;180m";
const START: &str = "\x1b[38;5;16;48;5;114m";
const END: &str = "\x1b[38;5;16;48;5;210m";
const PLAIN: &str = "\x1b[0m";

/// Appends a tour to a text: what it is, and the board with the step at which each square is visited,
/// from 1, the top row first.
pub fn text(subject: &Subject, style: TextStyle, text: &mut String) {
    let board = subject.board;
    let mut steps = vec![0; board.squares()];
    for (place, square) in subject.squares().iter().enumerate() {
        steps[square.index()] = place + 1;
    }
    let names: Vec<String> = (0..board.cols())
        .map(|col| column_name(board, col))
        .collect();
    let widest_name = names.iter().map(String::len).max().unwrap_or(0);
    let width = board.squares().to_string().len().max(widest_name);
    let margin = board.rows().to_string().len();
    // Writing to a string does not fail, here and below.
    let _ = writeln!(text, "{subject}");
    let rule = |text: &mut String, [left, middle, right]: [&str; 3]| {
        let line = "─".repeat(width + 2);
        let lines = vec![line.as_str(); names.len()].join(middle);
        let _ = writeln!(text, "{:margin$} {left}{lines}{right}", "");
    };
    let rows = steps.chunks(board.cols() as usize).enumerate().rev();
    for (row, steps) in rows {
        if style == TextStyle::Boxes {
            let is_top = row + 1 == board.rows() as usize;
            rule(
                text,
                if is_top {
                    ["┌", "┬", "┐"]
                } else {
                    ["├", "┼", "┤"]
                },
            );
        }
        let _ = write!(text, "{:>margin$} ", row + 1);
        for (col, step) in steps.iter().enumerate() {
            let square = Square::from_index(row * board.cols() as usize + col);
            let before = match style {
                TextStyle::Boxes => "│",
                TextStyle::Colours => colour(subject, square),
            };
            let _ = write!(text, "{before} {step:>width$} ");
        }
        *text += if style == TextStyle::Boxes {
            "│\n"
        } else {
            PLAIN
        };
        if style == TextStyle::Colours {
            text.push('\n');
        }
    }
    if style == TextStyle::Boxes {
        rule(text, ["└", "┴", "┘"]);
    }
    let _ = write!(text, "{:margin$}", "");
    for name in &names {
        let gap = usize::from(style == TextStyle::Boxes) + 1;
        let _ = write!(text, "{:gap$}{name:>width$} ", "");
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
}

fn colour(subject: &Subject, square: Square) -> &'static str {
    let (start, end) = subject.ends();
    match subject.board.has_colour_of_a1(square) {
        _ if square == start => START,
        _ if Some(square) == end => END,
        true => DARK,
        false => LIGHT,
    }
}
