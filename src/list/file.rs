//! The file of a list that was not finished: what it holds, and going on with it.
//!
//! Whole lines are kept and an incomplete last one is dropped. The last lines have to be tours of the
//! list in its order, so that a file of another list is refused, unchanged; those before are not read.

use crate::board::{Board, SquareError};
use crate::durable;
use crate::tour::{Tour, TourError};
use crate::walk::{Listing, NotListed};
use std::cmp::Ordering;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// The end of the file that is looked at.
const LAST_BYTES: u64 = 64 << 10;

/// The most bytes of a square in a line.
const BYTES_OF_A_SQUARE: u64 = 16;

/// A list to go on with.
#[derive(Debug)]
pub struct Begun {
    /// The file, cut after its last whole line, to write on.
    pub file: File,
    /// The last tour, if there is one.
    pub last: Option<Tour>,
}

/// Why a text is not a tour of a list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// It names no squares.
    #[error(transparent)]
    Square(#[from] SquareError),
    /// It is a line of JSON without a tour.
    #[error("it is not an object with an array `tour` of squares")]
    Json,
    /// The squares are no tour.
    #[error(transparent)]
    Tour(#[from] TourError),
    /// The tour is not one of the list.
    #[error(transparent)]
    NotListed(#[from] NotListed),
}

/// Why a file cannot be gone on with.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// It cannot be opened, read or cut.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// One of its last lines is not a tour of the list.
    #[error("`{line}` is not a tour of this list: {why}")]
    Line {
        /// The beginning of the line.
        line: String,
        /// What is wrong with it.
        why: LineError,
    },
    /// Its last lines are in another order.
    #[error("its last lines are not in the order of this list")]
    Order,
}

/// A tour of the list from a line of squares or of JSON.
///
/// # Errors
/// [`LineError`] says why it is not one.
pub fn listed(listing: &Listing, line: &str) -> Result<Tour, LineError> {
    let board = listing.board();
    let tour = match line.starts_with('{') {
        true => from_json(board, line)?,
        false => from_names(board, line.split_whitespace())?,
    };
    listing.check(&tour)?;
    Ok(tour)
}

fn from_names<'a>(board: Board, names: impl Iterator<Item = &'a str>) -> Result<Tour, LineError> {
    let squares: Result<Vec<_>, _> = names.map(|name| board.parse_square(name)).collect();
    Ok(Tour::new(board, squares?)?)
}

fn from_json(board: Board, line: &str) -> Result<Tour, LineError> {
    let value: serde_json::Value = serde_json::from_str(line).map_err(|_| LineError::Json)?;
    let names = value["tour"].as_array().ok_or(LineError::Json)?;
    let names: Option<Vec<&str>> = names.iter().map(serde_json::Value::as_str).collect();
    from_names(board, names.ok_or(LineError::Json)?.into_iter())
}

/// Opens the file of an earlier run, or a new one, to go on after its last whole line.
///
/// # Errors
/// [`ResumeError`]; the file is then as it was.
pub fn resume(path: &Path, listing: &Listing) -> Result<Begun, ResumeError> {
    let mut file = durable::open(path)?;
    let length = file.metadata()?.len();
    let line = listing.board().squares() as u64 * BYTES_OF_A_SQUARE + BYTES_OF_A_SQUARE * 2;
    let from = length.saturating_sub(LAST_BYTES.max(2 * line));
    file.seek(SeekFrom::Start(from))?;
    let mut text = Vec::new();
    (&mut file).take(length - from).read_to_end(&mut text)?;
    let end = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
    let whole = String::from_utf8_lossy(&text[..end]);
    // The first line of the end of a longer file is the end of a line.
    let lines = whole.lines().skip(usize::from(from > 0));
    let mut last: Option<Tour> = None;
    for line in lines {
        let tour = listed(listing, line).map_err(|why| {
            let line = line.chars().take(40).collect();
            ResumeError::Line { line, why }
        })?;
        let is_later = |last| listing.compare(last, &tour) == Ordering::Less;
        if !last.as_ref().is_none_or(is_later) {
            return Err(ResumeError::Order);
        }
        last = Some(tour);
    }
    if from > 0 && last.is_none() {
        return Err(ResumeError::Order);
    }
    file.set_len(from + end as u64)?;
    file.seek(SeekFrom::End(0))?;
    Ok(Begun { file, last })
}

/// The number of lines of a file.
///
/// # Errors
/// What the system says.
pub fn lines(path: &Path) -> io::Result<u64> {
    let mut reader = BufReader::with_capacity(1 << 16, File::open(path)?);
    let mut lines = 0;
    loop {
        let text = reader.fill_buf()?;
        if text.is_empty() {
            return Ok(lines);
        }
        lines += text.iter().filter(|&&byte| byte == b'\n').count() as u64;
        let length = text.len();
        reader.consume(length);
    }
}
