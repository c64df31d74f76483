//! Tours from a file or from standard input, one after the other.

use super::board;
use super::exit::Failure;
use kt_enum::board::{Board, Square};
use kt_enum::tour::{Read, Tour, TourReader};
use std::fmt::Display;
use std::io::{self, BufRead, ErrorKind, Read as _};
use std::path::Path;

/// The complaint about a tour that should be a cycle.
pub const NOT_CLOSED: &str = "the tour is not closed: no move joins its ends";

/// A file of tours that is being read.
pub struct TourFile {
    name: String,
    text: Box<dyn BufRead>,
    reader: TourReader,
    /// The largest number of bytes of a line; longer lines are refused rather than kept in memory.
    pub longest_line: u64,
    line: Vec<u8>,
    lines: u64,
    is_over: bool,
    /// The tours that the last line completed and that were not returned yet.
    read: [Option<Read>; 2],
}

impl TourFile {
    /// Opens a file, or standard input if there is no name or it is `-`. Tours must be of the given
    /// board, if there is one.
    pub fn open(file: Option<&Path>, board: Option<Board>) -> Result<Self, Failure> {
        let (name, text) = board::open(file, "tours");
        Ok(Self {
            text: text.map_err(|error| cannot_read(&name, &error))?,
            name,
            reader: TourReader::new(board),
            longest_line: u64::MAX,
            line: Vec::new(),
            lines: 0,
            is_over: false,
            read: [None, None],
        })
    }

    /// The name of the input in words.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The failure for a line that is not a tour, or not the right one.
    pub fn wrong(&self, line: usize, why: impl Display) -> Failure {
        Failure::mismatch(format!("line {line} of {}: {why}", self.name))
    }

    /// The failure for an input without any tour.
    pub fn nothing(&self) -> Failure {
        Failure::failed(format!("there is no tour in {}", self.name))
    }

    /// The board of the first tour, which stays the next to be read.
    pub fn board_of_first(&mut self) -> Result<Board, Failure> {
        let read = self.next().transpose()?.ok_or_else(|| self.nothing())?;
        let board = read.tour.as_ref().map(Tour::board);
        let board = board.map_err(|why| self.wrong(read.line, why))?;
        self.read[0] = Some(read);
        Ok(board)
    }

    fn read_line(&mut self) -> Result<(), Failure> {
        self.line.clear();
        self.lines += 1;
        let most = self.longest_line.saturating_add(1);
        let read = (&mut self.text).take(most).read_until(b'\n', &mut self.line);
        self.is_over = read.map_err(|error| cannot_read(&self.name, &error))? == 0;
        if self.line.len() as u64 > self.longest_line {
            let message = format!(
                "line {} of {} is longer than {} bytes: a tour that can be drawn is shorter",
                self.lines, self.name, self.longest_line
            );
            return Err(Failure::failed(message));
        }
        self.read = match self.is_over {
            true => [self.reader.finish(), None],
            false => self.reader.read(&String::from_utf8_lossy(&self.line)),
        };
        Ok(())
    }
}

impl Iterator for TourFile {
    type Item = Result<Read, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(read) = self.read.iter_mut().find_map(Option::take) {
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

fn cannot_read(name: &str, error: &io::Error) -> Failure {
    let is_square = |word: &str| Square::row_and_column(word).is_some();
    let is_tour = name.contains(' ') && name.split_whitespace().next().is_some_and(is_square);
    let advice = match error.kind() == ErrorKind::NotFound && is_tour {
        true => {
            "; tours are read from a file or standard input: echo \"a1 c2 ...\" | kt-enum check"
        }
        false => "",
    };
    Failure::failed(format!("cannot read {name}: {error}{advice}"))
}
