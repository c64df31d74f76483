//! Resumes a list in a file that an earlier run has not finished.
//!
//! Complete lines are kept and an incomplete last line is dropped. The lines in the last 64 KiB
//! have to be tours of the list, in its order, so that a file of another list is refused and left
//! unchanged. The lines before them are not read.

use crate::board::{Board, SquareError};
use crate::durable;
use crate::tour::{Tour, TourError};
use crate::walk::{Listing, NotListed};
use std::cmp::Ordering;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// The number of bytes at the end of the file that are checked, if they hold two lines.
const LAST_BYTES: u64 = 64 << 10;

/// The largest number of bytes that a square takes in a line.
const BYTES_OF_A_SQUARE: u64 = 16;

/// A file whose list can be continued.
#[derive(Debug)]
pub struct ResumedList {
    /// The file, truncated after its last complete line and open for writing at its end.
    pub file: File,
    /// The last tour in the file, or `None` if it is empty.
    pub last: Option<Tour>,
}

/// A text is not a tour of a list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// A word does not name a square.
    #[error(transparent)]
    Square(#[from] SquareError),
    /// The line begins like JSON but has no array of squares.
    #[error("it is not an object with an array `tour` of squares")]
    Json,
    /// The squares are not a tour.
    #[error(transparent)]
    Tour(#[from] TourError),
    /// The tour is not in the list.
    #[error(transparent)]
    NotListed(#[from] NotListed),
}

/// A list in a file cannot be resumed.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// The file cannot be opened, read or truncated.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// One of its last lines is not a tour of the list.
    #[error("`{line}` is not a tour of this list: {why}")]
    Line {
        /// The first 40 characters of the line.
        line: String,
        /// The reason why the line is refused.
        why: LineError,
    },
    /// Its last lines are not in the order of the list.
    #[error("its last lines are not in the order of this list")]
    Order,
}

/// Reads a tour of the list from a line of squares or of JSON.
///
/// # Errors
/// [`LineError`] if the line is not a tour, or not one of the list.
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

/// Opens the file of an earlier run, or creates it, to continue after its last complete line.
///
/// # Errors
/// [`ResumeError`]; a file that was refused is unchanged.
pub fn resume(path: &Path, listing: &Listing) -> Result<ResumedList, ResumeError> {
    let mut file = durable::open(path)?;
    let length = file.metadata()?.len();
    let line = listing.board().squares() as u64 * BYTES_OF_A_SQUARE + BYTES_OF_A_SQUARE * 2;
    let from = length.saturating_sub(LAST_BYTES.max(2 * line));
    file.seek(SeekFrom::Start(from))?;
    let mut text = Vec::new();
    (&mut file).take(length - from).read_to_end(&mut text)?;
    let end = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
    let whole = String::from_utf8_lossy(&text[..end]);
    // The text begins within a line unless it begins with the file.
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
    Ok(ResumedList { file, last })
}

/// Counts the lines of a file.
///
/// # Errors
/// The error of the operating system if the file cannot be read.
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
