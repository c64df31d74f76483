//! Reads tours from text, in the forms that the program writes and that people write.
//!
//! - A line that begins with a letter, or with `row,col`, is a tour as its squares. Blanks separate
//!   them, and between names also commas, semicolons, dashes and arrows. The letter of a piece may
//!   stand before a name, and numbers may count the squares or the moves.
//! - Squares may also stand in brackets, in quotation marks or on a line each, or as rows and
//!   columns in brackets.
//! - Rows of numbers up to an empty line are a grid, counted from 1 or from 0, with the top row
//!   first. They may have brackets and commas, bars and frames, and rows and columns that are
//!   numbered or named beside them. Signs are squares to fill or holes as in a puzzle
//!   ([`super::PartFilledReader`]); a tour with squares to fill is unfinished.
//! - A JSON object has an array `tour`, and perhaps a text `board`, or an array of rows.
//! - A line `# board 8x8 piece=king` says what board the tours after it are of.
//! - A byte order mark before the first line is skipped, and so are lines that begin with `#`, the
//!   lines that `find` writes around a grid, and lines of words.
//!
//! Each line is divided into cells ([`super::cells`]), at once if it is a plain row of numbers or
//! squares, and otherwise by its tokens. Its rows join the paragraph of lines that belong together
//! ([`super::table`]). At its end a paragraph is a grid, a list of squares, or steps with their
//! squares, and the reader says what it took the paragraph for. A text that could be two things is
//! an error.
//!
//! The board is given, or it is that of the object or of the line `# board`. Otherwise it is a
//! knight's board, or that of a given piece: that of the grid, or one that reaches to the highest
//! row and column of the squares.

use super::paragraphs::{KnownBoard, Paragraphs, Reader};
use super::part_filled::link;
use super::squares::Filled;
use super::table::{Form, Paragraph};
use super::wrong::{Misread, Wrong, square_at, unclear};
use crate::board::{Board, Layout, Square};
use crate::tour::{Tour, check_step, check_steps};
use std::collections::HashSet;

/// A tour, or the first error in a text that should be one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// The number of its first line, from 1, or of the line with the error in a grid.
    pub line: usize,
    /// The tour or the error.
    pub tour: Result<Tour, Wrong>,
    /// The form in which the text was read, unless it is a plain one.
    pub form: Option<String>,
    /// True if a line `# board` says that the tour is closed.
    pub is_closed: bool,
}

/// Reads tours line by line.
///
/// ```
/// # use kt_enum_formats as kt_enum;
/// use kt_enum::tour::TourReader;
/// let mut reader = TourReader::new(None);
/// let [_, read] = reader.read("a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3");
/// assert!(read.is_some_and(|read| read.tour.is_ok()));
/// assert!(reader.finish().is_none());
/// ```
pub type TourReader = Reader<Read>;

impl TourReader {
    /// Creates a reader of tours of one board, or of any board if it is `None`.
    ///
    /// If a board is given, the text cannot change it: lines `# board` are remarks.
    pub fn new(board: Option<Board>) -> Self {
        Self::expecting(KnownBoard { board, ..KnownBoard::default() })
    }

    /// Creates a reader of tours of boards of which something is known.
    pub fn expecting(expected: KnownBoard) -> Self {
        Self { paragraphs: Paragraphs::new(expected, true), of: read }
    }
}

/// The tour of a paragraph.
fn read(known: &KnownBoard, mut paragraph: Paragraph) -> Read {
    let (line, tour) = match content(known, &mut paragraph) {
        Ok(tour) => (paragraph.line, tour.and_then(|tour| as_said(tour, &paragraph))),
        Err(misread) => (misread.line, Err(misread.why)),
    };
    Read { line, tour, form: paragraph.form, is_closed: paragraph.is_kind_told }
}

/// The tour of the lines of a paragraph, or the error of the paragraph as a whole or of a line.
fn content(known: &KnownBoard, paragraph: &mut Paragraph) -> Result<Result<Tour, Wrong>, Misread> {
    let squares = match paragraph.end(true)? {
        Form::Squares(squares) => squares,
        Form::Steps(mut steps) => {
            let is_short = |board: &Board| steps.len() < board.squares();
            if paragraph.board.as_ref().is_some_and(is_short) {
                return Ok(tour(Filled::of_list(&steps, paragraph)?));
            }
            steps.sort_by_key(|step| step.number);
            let first = steps[0].number.min(1);
            let mut numbered = steps.iter().zip(first..);
            if let Some((step, _)) = numbered.find(|(step, number)| step.number != *number) {
                let why = format!("step {} is not the one after that before it", step.number);
                return unclear(step.line, &why);
            }
            steps.into_iter().map(|step| step.at).collect()
        }
        Form::Grid => return Ok(tour(Filled::of_rows(paragraph, known, true)?)),
    };
    paragraph.form("squares", Vec::new());
    let tour = tour_of(known, paragraph.board.as_ref(), &squares);
    // Squares of a whole knight's board are written without a line that names it, so they may
    // follow tours of another board.
    let own = || tour_of(known, None, &squares).ok();
    let is_own = |tour: &Tour| known.board.is_none() && tour.board().is_plain();
    Ok(tour.or_else(|why| own().filter(is_own).ok_or(why)))
}

/// The tour of some rows and columns of a board, or of that which they reach over.
fn tour_of(
    known: &KnownBoard,
    board: Option<&Board>,
    places: &[(u32, u32)],
) -> Result<Tour, Wrong> {
    let (rows, cols) =
        places.iter().fold((0, 0), |(rows, cols), &(row, col)| (row.max(rows), col.max(cols)));
    // Every tour of a full board visits row 0 and column 0.
    if rows > 0
        && places.iter().all(|&(row, col)| row > 0 && col > 0)
        && places.len() as u64 == u64::from(rows) * u64::from(cols)
        && board.is_none_or(Board::is_plain)
    {
        return Err(Wrong::FromOne);
    }
    let board = match board {
        Some(board) => board,
        None => &known.board_of(Layout::new(rows + 1, cols + 1))?,
    };
    let squares = places.iter().map(|&place| square_at(board, place));
    let squares = squares.collect::<Result<Vec<Square>, _>>()?;
    if squares.len() == board.squares() + 1 && squares.first() == squares.last() {
        return Err(Wrong::Repeated);
    }
    if squares.len() != board.squares() {
        check_steps(board, &squares)?;
        let visited: HashSet<&Square> = squares.iter().collect();
        let missing = board.all_squares().find(|square| !visited.contains(square));
        let missing = missing.map(|square| board.name(square));
        return Err(Wrong::Length { given: squares.len(), board: board.clone(), missing });
    }
    Ok(Tour::new(board, squares)?)
}

/// The tour, unless its line or its object says that it is closed, or has links, and it is not or
/// has not. A line says nothing of tours of another board.
fn as_said(tour: Tour, paragraph: &Paragraph) -> Result<Tour, Wrong> {
    let is_closed = paragraph.is_closed == Some(true);
    let is_other = |board: &Board| *board != tour.board();
    if !is_closed && paragraph.links.is_empty() || paragraph.board.as_ref().is_some_and(is_other) {
        return Ok(tour);
    }
    if is_closed && !tour.is_reentrant() {
        return Err(Wrong::NotClosed);
    }
    let squares = tour.squares();
    // Only a closed tour goes back to its first square.
    let back = squares.last().zip(squares.first()).filter(|_| is_closed);
    let has =
        |from, to| squares.windows(2).any(|two| two == [from, to]) || back == Some((&from, &to));
    for name in &paragraph.links {
        let [one, other] = link(&tour.board(), name)?;
        if !has(one, other) && !has(other, one) {
            return Err(Wrong::NoLink(name.clone()));
        }
    }
    Ok(tour)
}

/// The tour of a board that is filled. With squares left to fill it is unfinished, or wrong so far.
fn tour(Filled { board, squares }: Filled) -> Result<Tour, Wrong> {
    let given: Vec<Square> = squares.iter().copied().flatten().collect();
    if given.len() == squares.len() {
        return Ok(Tour::new(&board, given)?);
    }
    for (step, two) in (1..).zip(squares.windows(2)) {
        if let [Some(from), Some(to)] = *two {
            check_step(&board, step, [from, to])?;
        }
    }
    Err(Wrong::Unfinished { given: given.len(), board })
}
