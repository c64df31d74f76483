//! Reads boards with some steps given: puzzles, in the forms that people write.
//!
//! - Rows of numbers and signs up to an empty line, the top row first, in all the forms of a grid
//!   that a tour may have. `.`, `_`, `?`, `0`, a dash or an empty place is a square to fill; `#`,
//!   `-1`, and beside another sign `X`, `x` and `*` are holes.
//! - Steps with their squares, as in `1=a1 18=e7`, if the board is known.
//!
//! Where several signs could be squares to fill, those readings are left in which no number is
//! larger than the number of squares. If the highest number is the number of squares in one of them
//! alone, it is taken. Otherwise the text is refused. Numbers begin with 0 if 0 stands there once
//! and leaves enough squares for the highest number, and otherwise with 1.

use super::cells::{Entry, EntryRow, MINUS_ONE};
use super::paragraphs::{KnownBoard, Paragraphs};
use super::squares::{Grid, form, squares, text};
use super::table::{Form, GivenStep, Paragraph};
use super::wrong::{Misread, Wrong, square_at, unclear};
use crate::board::{Board, Square};
use std::collections::HashSet;

/// A board with some steps given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartFilled {
    /// The number of its first line, from 1.
    pub line: usize,
    /// The board.
    pub board: Board,
    /// The given steps, from 1, and their squares, by step.
    pub steps: Vec<(usize, Square)>,
    /// Whether the text says that the tours are closed, if it says so.
    pub is_closed: Option<bool>,
    /// The pairs of squares that have to follow each other.
    pub links: Vec<[Square; 2]>,
    /// The form in which the text was read, unless it is a plain one.
    pub form: Option<String>,
    /// The number of the line of each row, the top row first. A list of steps has no rows.
    pub rows: Vec<usize>,
}

/// Reads boards with some steps given, line by line.
///
/// ```
/// # use kt_enum_board as kt_enum;
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
}

impl PartFilledReader {
    /// Creates a reader of boards of which something is known.
    pub fn new(expected: KnownBoard) -> Self {
        Self { paragraphs: Paragraphs::new(expected, false) }
    }

    /// Reads the next line, with or without its line end.
    ///
    /// Returns what the line completes: the board that ended before it, and that of the line
    /// itself.
    pub fn read(&mut self, line: &str) -> [Option<Result<PartFilled, Misread>>; 2] {
        self.paragraphs.add(line).map(|paragraph| Some(self.board(paragraph?)))
    }

    /// Ends an unfinished board and returns it. To be called at the end of the text.
    pub fn finish(&mut self) -> Option<Result<PartFilled, Misread>> {
        self.paragraphs.end().map(|paragraph| self.board(paragraph))
    }

    /// Reads a text to its end.
    pub fn read_all(mut self, text: &str) -> Vec<Result<PartFilled, Misread>> {
        let mut all: Vec<_> = text.lines().flat_map(|line| self.read(line)).flatten().collect();
        all.extend(self.finish());
        all
    }

    /// The number of lines of words that were skipped, and the number of the first of them.
    pub fn skipped(&self) -> Option<(usize, usize)> {
        self.paragraphs.skipped
    }

    fn board(&self, mut paragraph: Paragraph) -> Result<PartFilled, Misread> {
        let (form, known, notes) = (paragraph.end(false)?, paragraph.board, &paragraph.notes);
        let mut read = match (form, known) {
            (Form::Grid(rows), known) => {
                let expected = self.paragraphs.expected.on_rows(paragraph.is_staggered);
                let expected = expected.or_else(|why| Misread::at(rows[0].line, why))?;
                grid(&rows, known.as_ref(), &expected, notes)?
            }
            (Form::Steps(steps), Some(board)) => listed(&steps, board, notes)?,
            (Form::Steps(_), None) => {
                let why = "steps with their squares do not tell the size of the board";
                return unclear(paragraph.line, why);
            }
            (Form::Squares(..), _) => {
                let why = "squares without their steps: write 1=a1 18=e7";
                return unclear(paragraph.line, why);
            }
        };
        read.is_closed = paragraph.is_closed;
        let links = paragraph.links.iter().map(|text| link(&read.board, text));
        read.links = links.collect::<Result<_, _>>().or_else(|why| Misread::at(read.line, why))?;
        // A solution is of the board of its puzzle, but the next puzzle may be of any board.
        let is_puzzle = read.steps.len() < read.board.squares();
        match paragraph.assumed.filter(|_| is_puzzle) {
            Some((line, text)) => Misread::at(read.line, Wrong::OtherBoard { line, text }),
            None => Ok(read),
        }
    }
}

/// The board of a grid.
fn grid(
    rows: &[EntryRow],
    known: Option<&Board>,
    expected: &KnownBoard,
    notes: &[&str],
) -> Result<PartFilled, Misread> {
    let grid = meaning(rows, known, expected)?;
    let (board, squares) = grid.on(known, expected)?;
    let is_plain = |sign: char| grid.is_hole(sign) == Some("#Xx*".contains(sign));
    let is_plain = grid.signs.iter().all(|sign| "#Xx*_?.".contains(sign.0) && is_plain(sign.0));
    let mut meaning = if is_plain { Vec::new() } else { grid.meaning() };
    if grid.first == 0 {
        meaning.push("numbered from 0".to_owned());
    }
    let form = form("rows of numbers", notes, meaning);
    let rows: Vec<usize> = rows.iter().map(|row| row.line).collect();
    let (line, steps, is_closed) = (rows[0], given(squares), None);
    Ok(PartFilled { line, board, steps, is_closed, links: Vec::new(), form, rows })
}

/// Two squares with a dash between them: `b2-b3`.
///
/// # Errors
/// [`Wrong`] if they are not two squares of the board.
pub fn link(board: &Board, text: &str) -> Result<[Square; 2], Wrong> {
    let (one, other) = text.split_once('-').unwrap_or((text, ""));
    Ok([board.parse_square(one)?, board.parse_square(other)?])
}

/// The steps that have squares, from 1.
fn given(squares: Vec<Option<Square>>) -> Vec<(usize, Square)> {
    (1..).zip(squares).filter_map(|(step, at)| Some((step, at?))).collect()
}

/// The board of a list of steps.
fn listed(list: &[GivenStep], board: Board, notes: &[&str]) -> Result<PartFilled, Misread> {
    let first = list.iter().map(|step| step.number.min(1)).min().unwrap_or(1);
    let squares = squares(&board, first, list.iter().copied().map(Ok))?;
    let mut taken = HashSet::new();
    if let Some(GivenStep { line, at, .. }) = list.iter().find(|step| !taken.insert(step.at)) {
        let square = square_at(&board, *at).map_or(String::new(), |square| board.name(square));
        return unclear(*line, &format!("{square} has two steps"));
    }
    let form = form("squares", notes, Vec::new());
    let (line, steps, rows) = (list[0].line, given(squares), Vec::new());
    Ok(PartFilled { line, board, steps, is_closed: None, links: Vec::new(), form, rows })
}

/// The signs of holes.
const HOLES: &str = "#Xx*";
/// The signs of squares to fill.
const FILLS: &str = "_?";
/// All signs. Those that are neither in [`HOLES`] nor in [`FILLS`] may be either.
const SIGNS: &str = "#Xx*_?.- 0\u{2212}";

/// The grid with the meaning of its signs, which is the same for puzzles and for tours.
pub(super) fn meaning<'a>(
    rows: &'a [EntryRow],
    known: Option<&Board>,
    expected: &KnownBoard,
) -> Result<Grid<'a>, Misread> {
    let cells = || rows.iter().flat_map(|row| &row.cells);
    let number = |cell: &Entry| if let Entry::Number(number) = cell { Some(*number) } else { None };
    let is =
        |cell: &Entry, sign| *cell == Entry::Sign(sign) || sign == '0' && number(cell) == Some(0);
    let count = |sign: char| cells().filter(|cell| is(cell, sign)).count() as u64;
    let told = expected.blanks.chars().chain(expected.holes.chars());
    let told = told.filter(|sign| !SIGNS.contains(*sign));
    let counts = SIGNS.chars().chain(told).map(|sign| (sign, count(sign)));
    let counts: Vec<(char, u64)> = counts.filter(|(_, count)| *count > 0).collect();
    let (highest, places) = (cells().filter_map(number).max().unwrap_or(0), cells().count() as u64);
    let is_told = |sign: char| expected.is_hole(sign).is_some();
    let is_open = |sign| !HOLES.contains(sign) && !FILLS.contains(sign) && !is_told(sign);
    let grid = |begins: bool, is_hole: &dyn Fn(char) -> bool| {
        let signs = counts.iter().map(|sign| sign.0).filter(|sign| *sign != '0' || !begins);
        let is_hole = |sign| {
            let usual = || HOLES.contains(sign) || is_open(sign) && is_hole(sign);
            expected.is_hole(sign).unwrap_or_else(usual)
        };
        let signs = signs.map(|sign| (sign, is_hole(sign))).collect();
        Grid { rows, signs, first: u64::from(!begins) }
    };
    let may_begin = counts.contains(&('0', 1)) && !is_told('0');
    let unclear_signs = |is: fn(char) -> bool| {
        let signs = counts.iter().map(|sign| sign.0).filter(|sign| is(*sign));
        let signs: Vec<String> = signs.map(text).collect();
        let why = "may be squares to fill or holes: write . for a square to fill, # for a hole";
        unclear(rows[0].line, &format!("{} {why}", signs.join(" and ")))
    };
    if let Some(board) = known {
        return Ok(grid(may_begin && highest < board.squares() as u64, &|_| false));
    }
    if !counts.is_empty() && counts.iter().all(|sign| "Xx*".contains(sign.0) && !is_told(sign.0)) {
        return unclear_signs(|_| true);
    }
    let steps = |grid: &Grid| highest.saturating_add(1 - grid.first);
    let squares = |grid: &Grid| {
        let holes = counts.iter().filter(|(sign, _)| grid.is_hole(*sign) == Some(true));
        places - holes.map(|(_, count)| count).sum::<u64>()
    };
    let is_possible = |grid: &Grid| {
        let has_fills = grid.signs(false).next().is_some();
        steps(grid) <= squares(grid) && (has_fills || !grid.signs(true).any(is_open))
    };
    let usual = grid(may_begin, &|sign| sign == MINUS_ONE);
    let mut possible: Vec<Grid> = Vec::new();
    for begins in [true, false].into_iter().filter(|begins| may_begin || !begins) {
        let open: Vec<char> = grid(begins, &|_| true).signs(true).filter(|s| is_open(*s)).collect();
        for choice in 0..1 << open.len() {
            let is_hole =
                |sign| open.iter().position(|o| *o == sign).is_some_and(|o| choice >> o & 1 == 1);
            possible.push(grid(begins, &is_hole));
        }
    }
    possible.retain(is_possible);
    if possible.is_empty() || usual.signs(false).count() < 2 && is_possible(&usual) {
        return Ok(usual);
    }
    if possible.len() > 1 {
        possible.retain(|grid| steps(grid) == squares(grid));
    }
    match possible.pop() {
        Some(grid) if possible.is_empty() => Ok(grid),
        _ => unclear_signs(|sign| !HOLES.contains(sign)),
    }
}
