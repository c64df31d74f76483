//! A puzzle as a picture: a board with the numbers that are given. The picture of its answer has
//! the other numbers and the path too.
//!
//! Given numbers are bold, and a ring marks the first and the last step of a path. The picture of a
//! puzzle says nothing about the solution but the given numbers.

use super::svg::{self, CENTRED, Decor};
use super::{NotDrawn, Subject, TourKind, joined};
use crate::board::{Board, Square, Wrap};
use crate::quantity::counted;
use crate::tour::Tour;
use std::fmt::{self, Display, Formatter, Write};

/// The style of boards with puzzles.
pub(super) const STYLE: &str = concat!(include_str!("board.css"), include_str!("puzzle.css"));

/// A puzzle to be drawn.
#[derive(Debug, Clone)]
pub struct PuzzleDrawing {
    /// The only solution.
    pub(super) solution: Subject,
    /// True for each step that is given.
    pub(super) is_given: Vec<bool>,
    /// The pairs of squares that have to follow each other, each drawn as a dot between them.
    pub links: Vec<[Square; 2]>,
    /// True if the board is shaded as a chess board: only a knight's is unless changed.
    pub is_shaded: bool,
    /// True if a picture names rows and columns: only a knight's does unless changed.
    pub has_names: bool,
    /// The difficulty, if it is known: a word, and perhaps after a colon what it is due to.
    pub difficulty: String,
    /// The hints that solve the puzzle one after the other: a step, from 1, and what is said.
    pub hints: Vec<(usize, String)>,
}

impl PuzzleDrawing {
    /// The puzzle of a tour with some of its steps given, counted from 1.
    ///
    /// # Errors
    /// [`NotDrawn`] as for a tour.
    pub fn new(
        solution: Tour,
        is_closed: bool,
        given: impl IntoIterator<Item = usize>,
    ) -> Result<Self, NotDrawn> {
        let solution = Subject::new(solution, is_closed)?;
        let mut is_given = vec![false; solution.squares().len()];
        given.into_iter().for_each(|step| is_given[step - 1] = true);
        let is_chess = is_knight(&solution.board);
        Ok(Self {
            solution,
            is_given,
            links: Vec::new(),
            is_shaded: is_chess,
            has_names: is_chess,
            difficulty: String::new(),
            hints: Vec::new(),
        })
    }

    /// The puzzle as a picture, or its answer.
    pub fn svg(&self, title: Option<&str>, is_answer: bool) -> String {
        let mut path = String::new();
        if is_answer {
            svg::push_path(&self.solution, &mut path);
        }
        let drawn =
            format!("{}<g class=\"answer\">{path}</g>\n{}", self.lines(), self.numbers(is_answer));
        let decor = self.decor(self.has_names);
        svg::picture(self.board(), decor, title, &self.to_string(), STYLE, &drawn)
    }

    /// The puzzle as part of a page.
    pub(super) fn on_page(&self, attributes: &str, has_names: bool, is_answer: bool) -> String {
        let drawn = self.lines() + &self.numbers(is_answer);
        svg::on_page(self.board(), self.decor(has_names), attributes, &drawn)
    }

    fn decor(&self, has_names: bool) -> Decor {
        Decor { is_shaded: self.is_shaded, has_names }
    }

    pub(super) fn board(&self) -> &Board {
        &self.solution.board
    }

    pub(super) fn is_closed(&self) -> bool {
        self.solution.kind == TourKind::Closed
    }

    /// The number of given steps and the difficulty in a word.
    pub(super) fn caption(&self) -> String {
        let given = self.is_given.iter().filter(|is_given| **is_given).count();
        let level = self.difficulty.split(':').next().filter(|level| !level.is_empty());
        let level = level.map_or(String::new(), |level| format!(", {level}"));
        format!("{} given{level}", counted(given, "number"))
    }

    /// The techniques that the puzzle needs.
    pub(super) fn techniques(&self) -> &str {
        self.difficulty.split_once(": ").map_or("", |(_, techniques)| techniques)
    }

    /// The lines between the squares.
    fn lines(&self) -> String {
        let board = self.board();
        let outline = |square| joined::outline(board, square);
        let path: String = board.all_squares().map(outline).collect();
        let mut lines = format!("<path class=\"lines\" d=\"{path}\"/>\n");
        for [(x, y), (to_x, to_y)] in
            self.links.iter().map(|link| link.map(|at| joined::middle(board, at)))
        {
            let (x, y) = ((x + to_x) / 2.0, (y + to_y) / 2.0);
            lines += &format!("<circle class=\"link\" cx=\"{x:.3}\" cy=\"{y:.3}\" r=\"0.1\"/>\n");
        }
        lines
    }

    /// The given numbers, and all others in an answer.
    fn numbers(&self, is_answer: bool) -> String {
        let (board, mut text) = (self.board(), String::new());
        let squares = self.solution.squares();
        let digits = squares.len().to_string().len() as f64;
        let size = (1.05 / digits).min(0.46);
        // Writing to a string does not fail, here and below.
        let _ = writeln!(text, "<g class=\"numbers\" font-size=\"{size:.2}\">");
        let shown = |&(place, _): &(usize, _)| is_answer || self.is_given[place];
        for (place, &square) in squares.iter().enumerate().filter(shown) {
            let (x, y) = joined::middle(board, square);
            let is_end = place == 0 || place + 1 == squares.len();
            if is_end && !self.is_closed() {
                let _ = write!(text, "<circle class=\"ring\" cx=\"{x}\" cy=\"{y}\" r=\"0.4\"/>");
            }
            let class = if self.is_given[place] { "given" } else { "found" };
            let at = format!("x=\"{x}\" y=\"{y}\"{CENTRED}");
            let _ = writeln!(text, "<text class=\"{class}\" {at}>{}</text>", place + 1);
        }
        text + "</g>\n"
    }
}

/// The sides of the board, the number of given steps and the difficulty.
impl Display for PuzzleDrawing {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let (board, closed) = (self.board(), if self.is_closed() { ", closed" } else { "" });
        write!(out, "{}x{}{closed}: {}", board.rows(), board.cols(), self.caption())
    }
}

/// The title of a page of puzzles that has none.
pub(super) fn own_title(puzzles: &[PuzzleDrawing]) -> String {
    let are_knights = puzzles.iter().all(|puzzle| is_knight(puzzle.board()));
    let name = if are_knights { "Knight's tour" } else { "Number" };
    format!("{name} puzzle{}", if puzzles.len() == 1 { "" } else { "s" })
}

fn is_knight(board: &Board) -> bool {
    piece(board).starts_with("knight")
}

/// The rules of puzzles on boards that may differ.
pub(super) fn rules(puzzles: &[PuzzleDrawing]) -> String {
    let mut sizes = puzzles.iter().map(|puzzle| puzzle.is_given.len());
    let first = sizes.next().unwrap_or_default();
    let mut rules = match sizes.all(|size| size == first) {
        true => format!("Write the numbers from 1 to {first} into the squares, each once. "),
        false => "Number all squares of a board, from 1 on. ".to_owned(),
    };
    rules += &match has_one_move(puzzles) {
        true => puzzles.first().map_or(String::new(), |puzzle| moves(puzzle.board())),
        false => {
            let mut each: Vec<String> = Vec::new();
            for board in puzzles.iter().map(PuzzleDrawing::board) {
                let rule = format!("{}: {}", piece(board), steps(board));
                if !each.contains(&rule) {
                    each.push(rule);
                }
            }
            let named =
                "Each number is one move from the one before, of the piece named with its board.";
            format!("{named} {}", each.join(" "))
        }
    };
    let closed = puzzles.iter().filter(|puzzle| puzzle.is_closed()).count();
    rules += match closed {
        0 => "",
        _ if closed == puzzles.len() => " The same holds from the last number to 1.",
        _ => " On a closed board the same holds from the last number to 1.",
    };
    if puzzles.iter().any(|puzzle| !puzzle.links.is_empty()) {
        rules += " Numbers on both sides of a dot follow each other";
        rules += if closed > 0 { ", or are the last one and 1." } else { "." };
    }
    rules
}

/// True if the moves of all puzzles are the same.
pub(super) fn has_one_move(puzzles: &[PuzzleDrawing]) -> bool {
    let mut kinds = puzzles.iter().map(|puzzle| moves(puzzle.board()));
    let first = kinds.next();
    kinds.all(|kind| Some(kind) == first)
}

/// The piece of a board, and what its edges are.
pub(super) fn piece(board: &Board) -> String {
    let Some(layout) = board.layout() else { return String::new() };
    match layout.wrap {
        Wrap::None if layout.is_hexagonal() => "hexagons".to_owned(),
        Wrap::None => layout.piece.to_string(),
        wrap => format!("{} on a {} board", layout.piece, wrap.name()),
    }
}

/// The moves of a board in a sentence.
fn moves(board: &Board) -> String {
    let Some(layout) = board.layout() else { return String::new() };
    if layout.is_hexagonal() {
        return format!("Each number is beside the one before, {}", steps(board));
    }
    let name = Some(layout.piece.to_string()).filter(|name| !name.starts_with(char::is_numeric));
    let name = name.map_or(String::new(), |name| format!(" of the {name}"));
    format!("Each number is one move{name} from the one before: {}", steps(board))
}

/// The steps of a piece, and the joined edges of its board.
fn steps(board: &Board) -> String {
    let Some(layout) = board.layout() else { return String::new() };
    if layout.is_hexagonal() {
        return "in one of the six cells around it.".to_owned();
    }
    let squares = |count| counted(count, "square");
    let leap = |(short, long): (u32, u32)| match short {
        0 => format!("{} along a row or column", squares(long)),
        _ if short == long => format!("{} along a diagonal", squares(long)),
        _ => format!("{} along a row or column and {short} to the side", squares(long)),
    };
    let leaps = layout.piece.leaps().map(leap).collect::<Vec<_>>().join(", or ");
    let joined = match layout.wrap {
        Wrap::None => "",
        Wrap::Cylinder => " The left edge is joined to the right one.",
        Wrap::Torus => " Opposite edges are joined.",
        Wrap::Moebius => " The left edge is joined to the right one, turned over.",
    };
    format!("{leaps}.{joined}")
}
