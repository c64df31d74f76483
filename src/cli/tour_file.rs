//! Tours from a file or from standard input, one after the other.

use super::board;
use super::exit::Failure;
use super::output::note;
use crate::board::{Board, Square};
use crate::idle::IdleStep;
use crate::machine;
use crate::tour::{KnownBoard, Read, Tour, TourReader};
use std::fmt::Display;
use std::io::{self, BufRead, ErrorKind, Read as _};
use std::path::Path;

/// The complaint about a tour that should be a cycle.
pub const NOT_CLOSED: &str = "the tour is not closed: no move joins its ends";

/// The squares of the largest board.
const LARGEST_TOUR: usize = (Board::LONGEST_SIDE as usize).pow(2);

/// A number of squares whose lines are read on any board, to say what is wrong with them.
const SMALL: usize = 1 << 20;

/// The most bytes of a square in a line, with what is around its name.
const BYTES_OF_A_SQUARE: usize = 16;

/// The largest number of bytes without a separator in a line.
const LONGEST_WORD: usize = 1 << 20;

/// A file of tours that is being read.
pub struct TourFile {
    /// The name of the input in words.
    pub name: String,
    text: Box<dyn BufRead>,
    reader: TourReader,
    /// The squares of the largest tour; longer lines are refused rather than kept in memory.
    pub most_squares: usize,
    line: Vec<u8>,
    lines: u64,
    is_over: bool,
    /// The tours that the last line completed and that were not returned yet.
    read: [Option<Read>; 2],
    /// The forms that were noted.
    forms: Vec<String>,
}

impl TourFile {
    /// The number of forms that are noted.
    const MOST_FORMS: usize = 8;

    /// Opens a file, or standard input for `-`. Tours must be of the given board, if there is one.
    pub fn open(file: &Path, expected: KnownBoard) -> Result<Self, Failure> {
        let _step = board::reading(file);
        let (name, text) = board::open(file, "tours");
        Ok(Self {
            text: text.map_err(|error| cannot_read(&name, &error))?,
            name,
            most_squares: match &expected.board {
                Some(board) => board.squares().max(SMALL),
                None => LARGEST_TOUR,
            },
            reader: TourReader::expecting(expected),
            line: Vec::new(),
            lines: 0,
            is_over: false,
            read: [None, None],
            forms: Vec::new(),
        })
    }

    /// Says what a text was taken for, once for each form.
    fn note(&mut self, read: &Read) {
        if let Some(form) = read.form.as_ref().filter(|form| !self.forms.contains(form))
            && self.forms.len() < Self::MOST_FORMS
        {
            note(&format!("line {} of {}: read as {form}", read.line, self.name));
            self.forms.push(form.clone());
        }
    }

    /// The number of lines of words that were skipped, and the number of the first of them.
    pub fn skipped(&self) -> Option<(usize, usize)> {
        self.reader.skipped()
    }

    /// The failure for a line that is not a tour, or not the right one.
    pub fn wrong(&self, line: usize, why: impl Display) -> Failure {
        Failure::mismatch(format!("line {line} of {}: {why}", self.name))
    }

    /// The failure for an input without any tour.
    pub fn nothing(&self) -> Failure {
        Failure::failed(format!("there is no tour in {}", self.name))
    }

    /// The board of the first tour, which stays the next to be read, and whether a line says that
    /// its tours are closed.
    pub fn of_first(&mut self) -> Result<Option<(Board, bool)>, Failure> {
        let Some(read) = self.next().transpose()? else { return Ok(None) };
        let board = read.tour.as_ref().map(Tour::board);
        let board = board.map_err(|why| self.wrong(read.line, why))?;
        let is_closed = read.is_closed;
        self.read[0] = Some(read);
        Ok(Some((board, is_closed)))
    }

    fn read_line(&mut self) -> Result<(), Failure> {
        self.line.clear();
        self.lines += 1;
        let (squares, longest) = (self.most_squares, self.most_squares * BYTES_OF_A_SQUARE);
        let what = format_args!("line {} of {}", self.lines, self.name);
        let refused = |why: String| Err(Failure::failed(format!("{what} {why}")));
        loop {
            let before = self.line.len();
            if self.line.try_reserve(LONGEST_WORD + 1).is_err() {
                return refused(format!(
                    "has more than {before} bytes, which do not fit into memory"
                ));
            }
            let mut part = self.text.by_ref().take(LONGEST_WORD as u64 + 1);
            let read = part.read_until(b'\n', &mut self.line);
            read.map_err(|error| cannot_read(&self.name, &error))?;
            let part = &self.line[before..];
            if self.line.len() > longest {
                return refused(format!(
                    "is longer than {longest} bytes: a tour of {squares} squares is shorter"
                ));
            }
            if part.len() <= LONGEST_WORD || part.ends_with(b"\n") {
                break;
            }
            if !part.iter().any(|byte| b" \t\n,-".contains(byte)) {
                return refused(format!(
                    "has a word of more than {LONGEST_WORD} bytes: it is not a tour"
                ));
            }
        }
        machine::check_gives(self.line.len().saturating_mul(16), what).map_err(Failure::failed)?;
        self.is_over = self.line.is_empty();
        self.read = if self.is_over {
            note_skipped(&self.name, self.skipped());
            [self.reader.finish(), None]
        } else {
            self.reader.read(&String::from_utf8_lossy(&self.line))
        };
        Ok(())
    }
}

impl Iterator for TourFile {
    type Item = Result<Read, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        let _step = IdleStep::begin(format_args!("reading {}", self.name));
        loop {
            if let Some(read) = self.read.iter_mut().find_map(Option::take) {
                self.note(&read);
                return Some(Ok(read));
            }
            if self.is_over {
                return None;
            }
            if let Err(failure) = self.read_line() {
                self.is_over = true;
                return Some(Err(failure));
            }
        }
    }
}

/// Says how many lines of words were skipped, and which is the first.
pub fn note_skipped(name: &str, skipped: Option<(usize, usize)>) {
    if let Some((lines, first)) = skipped {
        let s = if lines == 1 { "" } else { "s" };
        note(&format!("skipped {lines} line{s} of words in {name}, first {first}"));
    }
}

fn cannot_read(name: &str, error: &io::Error) -> Failure {
    let is_square = |word: &str| Square::row_and_column(word).is_some();
    let is_tour = name.split_whitespace().next().is_some_and(is_square);
    let failure = Failure::failed(format!("cannot read {name}: {error}"));
    if !is_tour || error.kind() != ErrorKind::NotFound {
        return failure;
    }
    let from = "; tours are read from a file or standard input";
    failure.advising(&format!("{from}: echo \"a1 c2 ...\" | kt-enum check"))
}
