//! Puzzles from files or from standard input, one after the other.

use super::args::{BoardArgs, KindArgs};
use super::board::{LONGEST_FILE, board_of_tours, read};
use super::exit::Failure;
use super::output::note;
use crate::solve::{Clue, Puzzle};
use crate::tour::{KnownBoard, Misread, PartFilled, PartFilledReader};
use std::collections::VecDeque;
use std::fmt::Display;
use std::path::PathBuf;

/// The puzzles of some files. Their boards take memory, so each is made when it is wanted.
pub struct Puzzles {
    files: VecDeque<PathBuf>,
    known: KnownBoard,
    is_closed: bool,
    file: Option<PuzzleFile>,
    /// The puzzles that the last line completed.
    waiting: VecDeque<Result<Puzzle, Failure>>,
}

/// A file of which some lines are read.
struct PuzzleFile {
    name: String,
    text: String,
    /// The beginning of the next line.
    at: usize,
    reader: PartFilledReader,
}

impl Puzzles {
    /// The puzzles of these files.
    pub fn open(files: &[PathBuf], board: &BoardArgs, kind: &KindArgs) -> Result<Self, Failure> {
        let known = board_of_tours(board, files)?;
        let (files, waiting) = (files.iter().cloned().collect(), VecDeque::new());
        Ok(Self { files, known, is_closed: kind.is_closed(), file: None, waiting })
    }

    /// Reads a line, or opens the next file; false if there is none.
    fn advance(&mut self) -> Result<bool, Failure> {
        let Some(file) = &mut self.file else {
            let Some(path) = self.files.pop_front() else { return Ok(false) };
            let (name, bytes) = read(&path, "puzzles", LONGEST_FILE)?;
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let reader = PartFilledReader::new(self.known.clone());
            self.file = Some(PuzzleFile { name, text, at: 0, reader });
            return Ok(true);
        };
        let rest = &file.text[file.at..];
        let length = rest.find('\n').map_or(rest.len(), |end| end + 1);
        let [before, own] = match length {
            0 => [file.reader.finish(), None],
            _ => file.reader.read(&rest[..length]),
        };
        file.at += length;
        let read = [before, own].into_iter().flatten();
        self.waiting.extend(read.map(|read| puzzle(&file.name, read, self.is_closed)));
        if length == 0 {
            self.file = None;
        }
        Ok(true)
    }
}

impl Iterator for Puzzles {
    type Item = Result<Puzzle, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.waiting.is_empty() {
            match self.advance() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(failure) => return Some(Err(failure)),
            }
        }
        self.waiting.pop_front()
    }
}

/// The puzzle that was read. What it was taken for is repeated, unless its form is plain.
fn puzzle(
    name: &str,
    read: Result<PartFilled, Misread>,
    is_closed: bool,
) -> Result<Puzzle, Failure> {
    let wrong = |why: &dyn Display| Failure::usage(format!("{name}: {why}"));
    let read = read.map_err(|error| wrong(&error))?;
    if let Some(form) = &read.form {
        note(&format!("{name}: line {}: read as {form}", read.line));
    }
    let clues = read.steps.into_iter().map(|(step, square)| Clue { step, square });
    let puzzle = Puzzle::new(read.board, is_closed, clues);
    puzzle.map_err(|error| wrong(&format!("line {}: {error}", read.line)))
}
