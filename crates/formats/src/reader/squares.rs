//! The third pass over a text: a table or a list of steps on its board tells the square of each
//! step.
//!
//! Where several signs could be squares to fill, those readings are left in which no number is
//! larger than the number of squares. If the highest number is the number of squares in one of them
//! alone, it is taken. Otherwise the text is refused. Numbers begin with 0 if 0 stands there once
//! and leaves enough squares for the highest number, and otherwise with 1.

use super::cells::{Entry, FILLS, HOLES, MINUS_ONE, NULL, OPEN};
use super::paragraphs::KnownBoard;
use super::table::{BLANKS_AS_HOLES, GivenStep, Paragraph};
use super::wrong::{Misread, Wrong, square_at, unclear};
use crate::board::{Board, Layout, Piece, Square};
use std::collections::HashSet;

/// A paragraph on its board.
pub(super) struct Filled {
    pub board: Board,
    /// The square of each step, the first step first.
    pub squares: Vec<Option<Square>>,
}

impl Filled {
    fn new(board: Board) -> Self {
        Self { squares: vec![None; board.squares()], board }
    }

    /// The steps of a list on its board. Their form is noted in any case.
    pub fn of_list(steps: &[GivenStep], paragraph: &mut Paragraph) -> Result<Self, Misread> {
        paragraph.form("squares", Vec::new());
        let Some(board) = paragraph.board.clone() else {
            let why = "steps with their squares do not tell the size of the board: name it";
            return unclear(paragraph.line, why);
        };
        let first = steps.iter().map(|step| step.number.min(1)).min().unwrap_or(1);
        let (mut filled, mut taken) = (Self::new(board), HashSet::new());
        for step in steps {
            let square = filled.put(first, *step)?;
            if !taken.insert(square) {
                let name = filled.board.name(square);
                return unclear(step.line, &format!("{name} has two steps"));
            }
        }
        Ok(filled)
    }

    /// The rows of a tour or of a part-filled board, the top row first. Their form is noted in any
    /// case.
    pub fn of_rows(
        paragraph: &mut Paragraph,
        expected: &KnownBoard,
        is_of_tour: bool,
    ) -> Result<Self, Misread> {
        let signs = signs(paragraph, expected)?;
        let is_usual = |sign: char| {
            HOLES.contains(sign) && signs.holes.contains(sign)
                || (FILLS.contains(sign) || sign == '.') && signs.fills.contains(sign)
        };
        let mut meaning = signs.meaning();
        if paragraph.notes.contains(&BLANKS_AS_HOLES) || paragraph.is_staggered {
            meaning.retain(|words| words != "with `#` as a hole");
        }
        if if is_of_tour { paragraph.board.is_some() } else { signs.all().all(is_usual) } {
            meaning.clear();
        }
        let from = if is_of_tour { "numbered from 0" } else { "numbered from 0, here from 1" };
        meaning.extend((signs.first == 0).then(|| from.to_owned()));
        paragraph.form("rows of numbers", meaning);
        let (rows, board) = (&paragraph.rows, board(paragraph, &signs, expected));
        let mut filled = Self::new(board.or_else(|why| Misread::at(rows[0].line, why))?);
        for (row, up) in rows.iter().rev().zip(0..) {
            for (cell, col) in row.cells.iter().zip(0..) {
                let (line, place) = (row.line, Some((rows.len() - up as usize, col as usize + 1)));
                match (signs.number(cell), filled.board.at(up.into(), col.into())) {
                    (Ok(number), _) => {
                        let step = GivenStep { line, place, number, at: (up, col) };
                        filled.put(signs.first, step)?;
                    }
                    (Err(sign), Some(square)) if signs.holes.contains(sign) => {
                        let why =
                            if signs.fills.is_empty() { Wrong::NoNumber } else { Wrong::Hole };
                        return Err(Misread { line, place, why: why(filled.board.name(square)) });
                    }
                    _ => {}
                }
            }
        }
        Ok(filled)
    }

    /// Gives a step its square, which it returns. Numbers begin with `first`.
    fn put(&mut self, first: u64, step: GivenStep) -> Result<Square, Misread> {
        let GivenStep { line, place, number, at } = step;
        let (board, misread) = (&self.board, |why| Misread { line, place, why });
        let square = square_at(board, at).map_err(misread)?;
        let name = |square| board.name(square);
        let step = number.checked_sub(first).and_then(|step| self.squares.get_mut(step as usize));
        let Some(step) = step else {
            let (square, board) = (name(square), board.clone());
            return Err(misread(Wrong::OutOfRange { number, square, board, first }));
        };
        match step.replace(square).map(name) {
            Some(other) => Err(misread(Wrong::Twice { number, square: name(square), other })),
            None => Ok(square),
        }
    }
}

/// The board of rows: the one that is known, or one with the holes of the rows.
fn board(paragraph: &Paragraph, signs: &Signs, expected: &KnownBoard) -> Result<Board, Wrong> {
    let (rows, cols) = (paragraph.rows.len(), paragraph.rows[0].cells.len());
    let not = |wanted: String| Wrong::Grid { rows, cols, wanted };
    let mut layout = Layout::new(rows as u32, cols as u32);
    let full = layout.board().map_err(|_| not("a board".to_owned()))?;
    if let Some(wanted) = &paragraph.board {
        let fits = (full.rows(), full.cols()) == (wanted.rows(), wanted.cols());
        return fits.then(|| wanted.clone()).ok_or_else(|| not(wanted.to_string()));
    }
    if paragraph.is_staggered {
        layout.piece = Piece::hex();
        let other = expected.piece.as_ref().filter(|piece| **piece != layout.piece);
        other.map_or(Ok(()), |piece| Err(Wrong::Hexagonal(piece.to_string())))?;
    }
    let is_hole = |cell| signs.number(cell).is_err_and(|sign| signs.holes.contains(sign));
    for (row, up) in paragraph.rows.iter().rev().zip(0..) {
        let holes = row.cells.iter().zip(0..).filter(|(cell, _)| is_hole(cell));
        layout.without.extend(holes.map(|(_, col)| (up, col)));
    }
    Ok(expected.board_of(layout)?)
}

/// What the signs in some rows mean.
#[derive(Debug, Clone, Default, PartialEq)]
struct Signs {
    holes: String,
    fills: String,
    /// The number of the first step.
    first: u64,
}

impl Signs {
    fn all(&self) -> impl Iterator<Item = char> {
        self.holes.chars().chain(self.fills.chars())
    }

    /// The number in a cell, or its sign.
    fn number(&self, cell: &Entry) -> Result<u64, char> {
        match *cell {
            Entry::Number(0) if self.all().any(|sign| sign == '0') => Err('0'),
            Entry::Number(number) => Ok(number),
            Entry::Sign(sign) => Err(sign),
            // The table has no other cells.
            _ => Err('?'),
        }
    }

    /// What the signs mean, in words.
    fn meaning(&self) -> Vec<String> {
        let both = [(&self.holes, "as a hole"), (&self.fills, "as a square to fill")];
        let meant = both.into_iter().filter(|(signs, _)| !signs.is_empty());
        meant.map(|(signs, is)| format!("with {} {is}", text(signs))).collect()
    }
}

/// The meaning of the signs in some rows, which is the same for puzzles and for tours.
fn signs(paragraph: &Paragraph, expected: &KnownBoard) -> Result<Signs, Misread> {
    let cells = || paragraph.rows.iter().flat_map(|row| &row.cells);
    let is =
        |cell: &Entry, sign| *cell == Entry::Sign(sign) || sign == '0' && *cell == Entry::Number(0);
    let count = |sign: char| cells().filter(|cell| is(cell, sign)).count() as u64;
    let told = expected.blanks.chars().chain(expected.holes.chars());
    let usual = || [HOLES, FILLS, OPEN].into_iter().flat_map(str::chars);
    let signs = usual().chain(told.filter(|sign| usual().all(|usual| usual != *sign)));
    let counts: Vec<(char, u64)> =
        signs.map(|sign| (sign, count(sign))).filter(|(_, count)| *count > 0).collect();
    let signs: Vec<char> = counts.iter().map(|(sign, _)| *sign).collect();
    let (highest, places) =
        (cells().filter_map(Entry::number).max().unwrap_or(0), cells().count() as u64);
    let is_told = |sign: &char| expected.is_hole(*sign).is_some();
    let is_open = |sign: &char| OPEN.contains(*sign) && !is_told(sign);
    let unclear_signs = |is: &dyn Fn(&char) -> bool| {
        let signs = text(&signs.iter().copied().filter(is).collect::<String>());
        let why = "may be squares to fill or holes: write . for a square to fill, # for a hole";
        unclear(paragraph.rows[0].line, &format!("{signs} {why}"))
    };
    // The meaning if the numbers begin with `first` and these open signs are holes.
    let read = |first: u64, holes: &[char]| {
        let mut read = Signs { first, ..Signs::default() };
        for sign in signs.iter().filter(|sign| **sign != '0' || first > 0) {
            let usual = || HOLES.contains(*sign) || holes.contains(sign);
            let is_hole = expected.is_hole(*sign).unwrap_or_else(usual);
            if is_hole { &mut read.holes } else { &mut read.fills }.push(*sign);
        }
        read
    };
    let may_begin = counts.contains(&('0', 1)) && !is_told(&'0');
    if let Some(board) = &paragraph.board {
        let begins = may_begin && highest < board.squares() as u64;
        return Ok(read(u64::from(!begins), &[]));
    }
    if !signs.is_empty() && signs.iter().all(|sign| "Xx*".contains(*sign) && !is_told(sign)) {
        return unclear_signs(&|_| true);
    }
    let steps = |read: &Signs| highest.saturating_add(1 - read.first);
    let squares = |read: &Signs| {
        let holes = counts.iter().filter(|(sign, _)| read.holes.contains(*sign));
        places - holes.map(|(_, count)| count).sum::<u64>()
    };
    let is_possible = |read: &Signs| {
        steps(read) <= squares(read)
            && (!read.fills.is_empty() || !read.holes.chars().any(|sign| is_open(&sign)))
    };
    let usual = read(u64::from(!may_begin), &[MINUS_ONE]);
    let open: Vec<char> = signs.iter().copied().filter(is_open).collect();
    let mut possible = Vec::new();
    for (choice, first) in (0..1_u32 << open.len()).flat_map(|choice| [(choice, 0), (choice, 1)]) {
        let holes = open.iter().enumerate().filter(|(place, _)| choice >> place & 1 == 1);
        let read = read(first, &holes.map(|(_, sign)| *sign).collect::<Vec<_>>());
        if (may_begin || first > 0) && is_possible(&read) && !possible.contains(&read) {
            possible.push(read);
        }
    }
    let untold = usual.fills.chars().filter(|sign| !is_told(sign)).count();
    if possible.is_empty() || untold < 2 && is_possible(&usual) {
        return Ok(usual);
    }
    if possible.len() > 1 {
        possible.retain(|read| steps(read) == squares(read));
    }
    match possible.pop() {
        Some(read) if possible.is_empty() => Ok(read),
        _ => unclear_signs(&|sign| !HOLES.contains(*sign) && !is_told(sign)),
    }
}

/// Signs as they are written, in quotation marks.
fn text(signs: &str) -> String {
    let sign = |sign| match sign {
        ' ' => "an empty place".to_owned(),
        MINUS_ONE => "`-1`".to_owned(),
        NULL => "`null`".to_owned(),
        sign => format!("`{sign}`"),
    };
    signs.chars().map(sign).collect::<Vec<_>>().join(" and ")
}
