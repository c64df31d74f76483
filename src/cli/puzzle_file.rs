//! Puzzles from files or from standard input, one after the other.

use super::args::{BoardArgs, KindArgs, LinkArgs, SignArgs};
use super::board::{LONGEST_FILE, board_of_tours, links as links_on, read};
use super::exit::Failure;
use super::output::note;
use super::tour_file::note_skipped;
use crate::idle::IdleStep;
use crate::solve::Puzzle;
use crate::tour::{KnownBoard, Misread, PartFilled, PartFilledReader};
use std::fmt::Display;
use std::io::{BufRead, Cursor};
use std::path::PathBuf;

/// What was typed about puzzles, beside their files.
#[derive(Clone)]
struct Meant<'a> {
    known: KnownBoard,
    links: Option<&'a LinkArgs>,
}

/// The puzzles of some files, without the solution that stands below a puzzle. Their boards take
/// memory, so each is made when it is wanted.
pub fn puzzles<'a>(
    files: &'a [PathBuf],
    board: &BoardArgs,
    signs: &SignArgs,
    kind: &KindArgs,
    links: Option<&'a LinkArgs>,
) -> Result<impl Iterator<Item = Result<Puzzle, Failure>> + use<'a>, Failure> {
    let known = KnownBoard { is_closed: kind.are_closed, ..board_of_tours(board, signs, files)? };
    let meant = Meant { known, links };
    let mut all = files.iter().flat_map(move |path| {
        let puzzles: Box<dyn Iterator<Item = _>> = match read(path, "puzzles", LONGEST_FILE) {
            Ok((name, bytes)) => Box::new(meant.clone().of_file(name, bytes)),
            Err(failure) => Box::new(std::iter::once(Err(failure))),
        };
        puzzles
    });
    let otherwise = kind.are_closed.is_some() || links.is_some_and(|links| !links.link.is_empty());
    let mut last: Option<Puzzle> = None;
    let mut is_solution = move |puzzle: &Result<Puzzle, Failure>| {
        let Ok(puzzle) = puzzle else { return false };
        let is_solution = last.as_ref().is_some_and(|last| puzzle.is_solution_of(last, otherwise));
        if !is_solution {
            last = Some(puzzle.clone());
        }
        is_solution
    };
    Ok(std::iter::from_fn(move || {
        let _step = IdleStep::begin("reading puzzles");
        all.find(|puzzle| !is_solution(puzzle))
    }))
}

impl Meant<'_> {
    /// The puzzles of a file, line by line.
    fn of_file(self, name: String, text: Vec<u8>) -> impl Iterator<Item = Result<Puzzle, Failure>> {
        let mut reader = PartFilledReader::new(self.known.clone());
        // Bytes in memory are read without errors.
        let lines = Cursor::new(text).split(b'\n').map_while(Result::ok).map(Some);
        lines.chain([None]).flat_map(move |line| {
            let [before, own] = match line {
                Some(line) => reader.read(&String::from_utf8_lossy(&line)),
                None => {
                    note_skipped(&name, reader.skipped());
                    [reader.finish(), None]
                }
            };
            [before, own].map(|read| Some(self.puzzle(&name, read?))).into_iter().flatten()
        })
    }

    /// The puzzle that was read. What it was taken for is repeated, unless its form is plain.
    fn puzzle(&self, name: &str, read: Result<PartFilled, Misread>) -> Result<Puzzle, Failure> {
        let wrong = |why: &dyn Display| Failure::usage(format!("{name}: {why}"));
        let mut read = read.map_err(|error| wrong(&error))?;
        if let Some(form) = &read.form {
            note(&format!("{name}: line {}: read as {form}", read.line));
        }
        let links = self.links.map(|typed| links_on(typed, &read.board)).transpose()?;
        read.links.extend(links.into_iter().flatten());
        Puzzle::of_text(read).map_err(|error| wrong(&error))
    }
}
