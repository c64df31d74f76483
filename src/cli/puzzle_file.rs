//! Puzzles from files or from standard input.

use super::args::{BoardArgs, KindArgs};
use super::board::{self, board_of_tours};
use super::exit::Failure;
use super::output::note;
use crate::solve::{Clue, Puzzle};
use crate::tour::{Misread, PartFilled, PartFilledReader};
use std::fmt::Display;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The largest number of bytes of a file of puzzles.
const LONGEST_FILE: u64 = 1 << 26;

/// Reads all puzzles of some files, or of standard input if none is named. What a file was taken
/// for is repeated, unless it is plain.
pub fn read_all(
    files: &[PathBuf],
    board: &BoardArgs,
    kind: &KindArgs,
) -> Result<Vec<Puzzle>, Failure> {
    let known = board_of_tours(board, files)?;
    let input = [PathBuf::from("-")];
    let files = if files.is_empty() { &input[..] } else { files };
    let mut puzzles = Vec::new();
    for file in files {
        let (name, text) = text(file)?;
        let wrong = |why: &dyn Display| Failure::usage(format!("{name}: {why}"));
        let mut reader = PartFilledReader::new(known.clone());
        let mut add = |read: Option<Result<PartFilled, Misread>>| -> Result<(), Failure> {
            let Some(read) = read.transpose().map_err(|error| wrong(&error))? else {
                return Ok(());
            };
            if let Some(form) = &read.form {
                note(&format!("{name}: line {}: read as {form}", read.line));
            }
            let clues = read.steps.into_iter().map(|(step, square)| Clue { step, square });
            let puzzle = Puzzle::new(read.board, kind.is_closed(), clues);
            puzzles.push(puzzle.map_err(|error| wrong(&format!("line {}: {error}", read.line)))?);
            Ok(())
        };
        text.lines().try_for_each(|line| reader.read(line).into_iter().try_for_each(&mut add))?;
        add(reader.finish())?;
    }
    Failure::usage_if(puzzles.is_empty(), || "there is no board with steps given")?;
    Ok(puzzles)
}

/// The name of a file in words, and its text.
fn text(file: &Path) -> Result<(String, String), Failure> {
    let (name, input) = board::open(Some(file), "puzzles");
    let mut bytes = Vec::new();
    let read = input.and_then(|input| input.take(LONGEST_FILE + 1).read_to_end(&mut bytes));
    read.map_err(|error| Failure::failed(format!("cannot read {name}: {error}")))?;
    Failure::usage_if(bytes.len() as u64 > LONGEST_FILE, || {
        format!("{name} has more than {LONGEST_FILE} bytes: it is not read")
    })?;
    Ok((name, String::from_utf8_lossy(&bytes).into_owned()))
}
