//! Reads boards with some steps given: puzzles, in the forms that people write.
//!
//! - Rows of numbers and signs up to an empty line, the top row first, in all the forms of a grid
//!   that a tour may have. `.`, `_`, `?`, `0`, `-` or an empty place is a square to fill; `#`, `X`,
//!   `x`, `*` and `-1` are holes.
//! - Steps with their squares, as in `1=a1 18=e7`, if the board is known.
//!
//! Where several signs could be squares to fill, those readings are left in which no number is
//! larger than the number of squares. If the highest number is the number of squares in one of them
//! alone, it is taken. Otherwise the text is refused. Numbers begin with 0 if 0 stands there once
//! and leaves enough squares for the highest number, and otherwise with 1.

use super::entries::{Entry, MINUS_ONE};
use super::grid::{Grid, form, text};
use super::paragraph::{EntryRow, Form, Paragraph};
use super::paragraphs::{KnownBoard, Paragraphs};
use super::wrong::{Wrong, off_board, quoted};
use crate::board::{Board, Square};
use std::collections::BTreeMap;
use std::fmt;

/// A board with some steps given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartFilled {
    /// The number of its first line, from 1.
    pub line: usize,
    /// The board.
    pub board: Board,
    /// The given steps, from 1, and their squares, by step.
    pub steps: Vec<(usize, Square)>,
    /// The form in which the text was read, unless it is a plain one.
    pub form: Option<String>,
    /// The number of the line of each row, the top row first. A list of steps has no rows.
    pub rows: Vec<usize>,
}

/// A text is not a board with some steps given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misread {
    /// The number of the line, from 1.
    pub line: usize,
    /// The row and the column of the grid, from 1 at the top left, if the error has a place there.
    pub place: Option<(usize, usize)>,
    /// The reason.
    pub why: Wrong,
}

impl std::error::Error for Misread {}

impl fmt::Display for Misread {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "line {}", self.line)?;
        if let Some((row, col)) = self.place {
            write!(out, " (row {row}, column {col})")?;
        }
        write!(out, ": {}", self.why)
    }
}

/// Reads boards with some steps given, line by line.
///
/// ```
/// use kt_enum::tour::{KnownBoard, PartFilledReader};
/// let read = PartFilledReader::new(KnownBoard::default()).read_all("3 . . 11\n. # 2 .\n1 . . .");
/// let puzzle = read.into_iter().next().expect("a board")?;
/// assert_eq!(puzzle.board.to_string(), "3x4 without=b2");
/// assert_eq!(puzzle.steps.len(), 4);
/// # Ok::<(), kt_enum::tour::Misread>(())
/// ```
#[derive(Debug, Default)]
pub struct PartFilledReader {
    paragraphs: Paragraphs,
    /// The steps of vertices so far, with their lines.
    vertices: Vec<(usize, u64, Result<Square, Wrong>)>,
}

impl PartFilledReader {
    /// Creates a reader of boards of which something is known.
    pub fn new(expected: KnownBoard) -> Self {
        Self { paragraphs: Paragraphs::new(expected, false), vertices: Vec::new() }
    }

    /// Reads the next line, with or without its line end.
    ///
    /// Returns what the line completes: the board that ended before it, and that of the line
    /// itself.
    pub fn read(&mut self, line: &str) -> [Option<Result<PartFilled, Misread>>; 2] {
        let line = self.paragraphs.begin(line);
        match self.paragraphs.board().filter(|board| board.is_graph()) {
            Some(graph) if !line.is_empty() && !line.starts_with('#') => {
                let (line, vertices) = (self.paragraphs.line, vertices(line, graph));
                self.vertices.extend(vertices.into_iter().map(|(n, square)| (line, n, square)));
                [None, None]
            }
            Some(_) if line.is_empty() => [self.finish(), None],
            _ => self
                .paragraphs
                .add(line)
                .map(|paragraph| paragraph.map(|paragraph| self.board(paragraph))),
        }
    }

    /// Ends an unfinished board and returns it. To be called at the end of the text.
    pub fn finish(&mut self) -> Option<Result<PartFilled, Misread>> {
        if self.vertices.is_empty() {
            return self.paragraphs.end().map(|paragraph| self.board(paragraph));
        }
        let steps = std::mem::take(&mut self.vertices);
        let board = self.paragraphs.board()?.clone();
        Some(listed(&board, steps, None))
    }

    /// Reads a text to its end.
    pub fn read_all(mut self, text: &str) -> Vec<Result<PartFilled, Misread>> {
        let mut all: Vec<_> = text.lines().flat_map(|line| self.read(line)).flatten().collect();
        all.extend(self.finish());
        all
    }

    /// The number of lines of words that were skipped, and the number of the first of them.
    pub fn skipped(&self) -> Option<(usize, usize)> {
        self.paragraphs.skipped()
    }

    fn board(&self, mut paragraph: Paragraph) -> Result<PartFilled, Misread> {
        let known = paragraph.board.take();
        let content = paragraph.end();
        let line = paragraph.line;
        let misread = |why| Err(Misread { line, place: None, why });
        match (content, known) {
            (Err(why), _) => misread(why),
            (Ok(Form::Grid(rows)), known) if paragraph.names.is_none() => {
                self.grid(&rows, known.as_ref(), &paragraph.notes)
            }
            (Ok(Form::Steps(steps)), Some(board)) => {
                let square = |(row, col): (u32, u32)| {
                    board.at(row.into(), col.into()).ok_or_else(|| off_board(row, col, &board))
                };
                let given = steps.iter().map(|step| (step.line, step.number, square(step.place)));
                listed(&board, given.collect(), form("squares", &paragraph.notes, Vec::new()))
            }
            (Ok(Form::Steps(_)), None) => {
                misread(unclear("steps with their squares do not tell the size of the board"))
            }
            (Ok(_), _) => misread(unclear("squares without their steps: write 1=a1 18=e7")),
        }
    }

    fn grid(
        &self,
        rows: &[EntryRow],
        known: Option<&Board>,
        notes: &[&str],
    ) -> Result<PartFilled, Misread> {
        // Brackets may have nothing in them.
        let line = rows.first().map_or(1, |row| row.line);
        let misread = |why| Misread { line, place: None, why };
        let grid = meaning(rows, known).map_err(misread)?;
        let board = grid.board(known, &self.paragraphs.expected).map_err(misread)?;
        let squares = grid.squares(&board).map_err(|(row, col, why)| {
            let place = Some((row + 1, col + 1));
            Misread { line: rows[row].line, place, why }
        })?;
        let is_plain = |sign: &char| "._?#Xx*".contains(*sign);
        let is_plain = grid.fills.iter().all(is_plain)
            && grid.holes.iter().all(|sign| is_plain(sign) && *sign != '.');
        let mut meaning = if is_plain { Vec::new() } else { grid.meaning() };
        if grid.first == 0 {
            meaning.push("numbered from 0".to_owned());
        }
        Ok(PartFilled {
            line,
            board,
            steps: (1..).zip(squares).filter_map(|(step, at)| Some((step, at?))).collect(),
            form: form("rows of numbers", notes, meaning),
            rows: rows.iter().map(|row| row.line).collect(),
        })
    }
}

fn unclear(why: &str) -> Wrong {
    Wrong::Unclear(why.to_owned())
}

/// The signs of holes, those of squares to fill, and those that may be either.
const SIGNS: [(char, &str); 3] = [('#', "#Xx*"), ('_', "_?"), ('.', ".- 0\u{2212}")];

/// The grid with the meaning of its signs.
fn meaning<'a>(rows: &'a [EntryRow], known: Option<&Board>) -> Result<Grid<'a>, Wrong> {
    let cells = || rows.iter().flat_map(|row| &row.cells);
    let is = |cell: &Entry, sign| match cell {
        Entry::Number(number) => sign == '0' && *number == 0,
        cell => *cell == Entry::Sign(sign),
    };
    let count = |sign: char| cells().filter(|cell| is(cell, sign)).count() as u64;
    let [holes, fills, open] = SIGNS
        .map(|(_, signs)| -> Vec<char> { signs.chars().filter(|sign| count(*sign) > 0).collect() });
    let numbers = cells().filter_map(|cell| match cell {
        Entry::Number(number) => Some(*number),
        _ => None,
    });
    let (highest, places) = (numbers.max().unwrap_or(0), cells().count() as u64);
    let may_begin = count('0') == 1;
    // The bits of `choice` are the open signs that are not what they mostly are.
    let reading = |begins: bool, choice: usize| {
        let mut grid = Grid {
            rows,
            holes: holes.clone(),
            fills: fills.clone(),
            first: u64::from(!begins),
            is_zero_sign: !begins,
        };
        for (place, &sign) in open.iter().enumerate().filter(|(_, sign)| **sign != '0' || !begins) {
            let is_hole = (choice >> place & 1 == 1) != (sign == MINUS_ONE);
            if is_hole { grid.holes.push(sign) } else { grid.fills.push(sign) }
        }
        grid
    };
    if let Some(board) = known {
        let begins = may_begin && highest < board.squares() as u64;
        let minus_one = open.iter().position(|sign| *sign == MINUS_ONE);
        return Ok(reading(begins, minus_one.map_or(0, |place| 1 << place)));
    }
    let squares = |grid: &Grid| places - grid.holes.iter().map(|sign| count(*sign)).sum::<u64>();
    let steps = |grid: &Grid| highest.saturating_add(1 - grid.first);
    let is_possible = |grid: &Grid| {
        let has_no_choice = !grid.holes.iter().any(|sign| open.contains(sign));
        steps(grid) <= squares(grid) && (has_no_choice || !grid.fills.is_empty())
    };
    let usual = reading(may_begin, 0);
    let begins: &[bool] = if may_begin { &[true, false] } else { &[false] };
    let mut possible: Vec<Grid> = Vec::new();
    for &begins in begins {
        let zero = open.iter().position(|sign| *sign == '0' && begins);
        let is_choice = |choice: &usize| zero.is_none_or(|place| choice >> place & 1 == 0);
        let choices = (0..1 << open.len()).filter(is_choice);
        possible.extend(choices.map(|choice| reading(begins, choice)).filter(is_possible));
    }
    if possible.is_empty() || usual.fills.len() < 2 && is_possible(&usual) {
        return Ok(usual);
    }
    if possible.len() > 1 {
        possible.retain(|grid| steps(grid) == squares(grid));
    }
    match possible.pop() {
        Some(grid) if possible.is_empty() => Ok(grid),
        _ => {
            let signs: Vec<String> = fills.iter().chain(&open).map(|sign| text(*sign)).collect();
            let signs = signs.join(" and ");
            let why = "may be squares to fill or holes: write . for a square to fill, # for a hole";
            Err(Wrong::Unclear(format!("{signs} {why}")))
        }
    }
}

/// The steps of vertices in a line such as `1=x 5=y`.
fn vertices(line: &str, graph: &Board) -> Vec<(u64, Result<Square, Wrong>)> {
    let words = line.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    let step = |word: &str| {
        let (number, name) = word.split_once('=')?;
        Some((number.parse().ok()?, graph.parse_square(&quoted(name)).map_err(Wrong::from)))
    };
    let wrong = |word| (0, Err(Wrong::Unclear(format!("`{}` is not STEP=VERTEX", quoted(word)))));
    words.map(|word| step(word).unwrap_or_else(|| wrong(word))).collect()
}

/// A board with the steps of a list.
fn listed(
    board: &Board,
    given: Vec<(usize, u64, Result<Square, Wrong>)>,
    form: Option<String>,
) -> Result<PartFilled, Misread> {
    let (begin, last) = (given.first().map_or(0, |given| given.0), board.squares() as u64);
    let first = given.iter().map(|given| given.1.min(1)).min().unwrap_or(1);
    let mut steps: BTreeMap<usize, Square> = BTreeMap::new();
    for (line, number, square) in given {
        let misread = |why| Misread { line, place: None, why };
        let square = square.map_err(misread)?;
        let name = board.name(square);
        if number >= first + last {
            let (board, last) = (board.clone(), first + last - 1);
            let why = Wrong::OutOfRange { number, square: name, board, first, last };
            return Err(misread(why));
        }
        if steps.values().any(|other| *other == square) {
            return Err(misread(Wrong::Unclear(format!("{name} has two steps"))));
        }
        if let Some(other) = steps.insert((number - first) as usize + 1, square) {
            let (square, other) = (name, board.name(other));
            return Err(misread(Wrong::Twice { number, square, other }));
        }
    }
    let steps = steps.into_iter().collect();
    Ok(PartFilled { line: begin, board: board.clone(), steps, form, rows: Vec::new() })
}
