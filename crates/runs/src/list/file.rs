//! Resumes a list in a file that an earlier run has not finished.
//!
//! Complete lines are kept. An incomplete last line is dropped if it is the beginning of the next
//! tour of the list. The first and the last 64 KiB have to be consecutive tours of the list, as the
//! list writes them, so that any other file is refused and left unchanged. The lines between them
//! are not read, and tours that are far apart in the search are only checked to be in order.
//!
//! A power failure can leave zeros in the place of bytes that were written but not synced. A list
//! is synced every now and then, so that they are near the end; the list ends before the first of
//! them.
//!
//! The file of a board that is not a full knight's board begins with the header of the list.

use super::ListSettings;
use crate::board::{LONGEST_NAME, Square, SquareError};
use crate::durable;
use crate::tour::{Tour, TourError, TourWriter};
use crate::walk::{self, FirstTour, Listing, NotListed, TourCursor};
use serde_json::Value;
use std::cmp::Ordering;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// The number of bytes at each end of the file that are checked, if they hold two lines.
const BYTES_AT_AN_END: u64 = 64 << 10;

/// The number of nodes of a search for the tours at one end of the file, times the squares of the
/// board: less than a second.
const NODES_TIMES_SQUARES: u64 = 1 << 26;

/// The largest number of bytes that a square takes in a line: a long name in a graph, as JSON.
const BYTES_OF_A_SQUARE: u64 = LONGEST_NAME as u64 + 4;

/// The number of bytes that are written to a list between two syncs.
const BYTES_BETWEEN_SYNCS: u64 = 128 << 20;

/// The file of a list, of which a power failure costs only what was written since the last sync.
#[derive(Debug)]
pub struct ListFile {
    file: File,
    unsynced: u64,
}

impl ListFile {
    /// A file that is written from its present position on.
    pub fn new(file: File) -> Self {
        Self { file, unsynced: 0 }
    }
}

impl Write for ListFile {
    fn write(&mut self, portion: &[u8]) -> io::Result<usize> {
        if self.unsynced >= BYTES_BETWEEN_SYNCS {
            self.flush()?;
        }
        let written = self.file.write(portion)?;
        self.unsynced += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unsynced = 0;
        self.file.sync_data()
    }
}

/// A file whose list can be continued.
#[derive(Debug)]
pub struct ResumedList {
    /// The file, truncated after its last complete line and open for writing at its end.
    pub file: ListFile,
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
    /// One of its lines is not a tour of the list.
    #[error("`{line}` is not a tour of this list: {why}")]
    Line {
        /// The first 40 characters of the line.
        line: String,
        /// The reason why the line is refused.
        why: LineError,
    },
    /// A line is not the tour that the list has there, or not in the format of the list.
    #[error("this list has another line in the place of `{0}`")]
    Other(String),
    /// The file begins with zeros and continues with something else.
    #[error("it has no tours before byte {0}, and more than zeros from there on")]
    Zeros(u64),
    /// The last line has no end, and is not known to be the beginning of the next tour.
    #[error(
        "its last line, `{0}`, is incomplete and not known to begin the next tour of this list"
    )]
    Incomplete(String),
}

/// Reads a tour of the list from a line of squares or of JSON.
///
/// # Errors
/// [`LineError`] if the line is not a tour, or not one of the list.
pub fn listed(listing: &Listing, line: &str) -> Result<Tour, LineError> {
    let board = listing.board();
    let object: Value;
    let names: Vec<&str> = if line.starts_with('{') {
        object = serde_json::from_str(line).map_err(|_| LineError::Json)?;
        let names = object["tour"].as_array().ok_or(LineError::Json)?;
        names.iter().map(Value::as_str).collect::<Option<_>>().ok_or(LineError::Json)?
    } else {
        line.split_whitespace().collect()
    };
    let squares: Result<Vec<_>, _> = names.iter().map(|name| board.parse_square(name)).collect();
    let tour = Tour::new(&board, squares?)?;
    listing.check(&tour)?;
    Ok(tour)
}

/// Opens the file of an earlier run, or creates it, to continue after its last complete line.
///
/// The list of the file begins after [`ListSettings::after`], and has its format.
///
/// # Errors
/// [`ResumeError`]; a file that was refused is unchanged.
pub fn resume(
    path: &Path,
    listing: &Listing,
    settings: &ListSettings,
) -> Result<ResumedList, ResumeError> {
    let mut file = durable::open(path)?;
    let (length, whole) = (length_before_zeros(&mut file)?, file.metadata()?.len());
    let board = listing.board();
    let header = settings.header(listing);
    let first = header.len() as u64;
    let begins = read_block(&mut file, 0, first.min(length))?;
    if !header.as_bytes().starts_with(&begins) {
        return Err(ResumeError::Other(shortened(&String::from_utf8_lossy(&begins))));
    }
    let squares = board.squares() as u64;
    let line = (squares + 2) * BYTES_OF_A_SQUARE + board.description().len() as u64;
    let block = BYTES_AT_AN_END.max(2 * line);
    let from = if length > 2 * block + first { length - block } else { first };
    let mut lines = ListedLines::new(listing, settings);
    if from > first {
        lines.check(&read_block(&mut file, first, block)?)?;
        // Lines are left out up to the next block.
        lines.is_after_gap = true;
        lines.allow_nodes();
    }
    let text = read_block(&mut file, from, length.saturating_sub(from))?;
    // The text begins within a line unless it begins with the first tour.
    let begin = if from == first {
        0
    } else {
        text.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1)
    };
    let incomplete = lines.check(&text[begin..])?;
    if from > first && lines.is_after_gap || !lines.is_beginning_of_next(incomplete) {
        return Err(ResumeError::Incomplete(shortened(&String::from_utf8_lossy(incomplete))));
    }
    if lines.last.is_none() && length < whole {
        let rest = read_block(&mut file, length, whole)?;
        if rest.iter().any(|&byte| byte != 0) {
            return Err(ResumeError::Zeros(length));
        }
    }
    // Without a tour the header is written with the first one.
    let kept = if lines.last.is_some() { length - incomplete.len() as u64 } else { 0 };
    file.set_len(kept)?;
    file.seek(SeekFrom::End(0))?;
    Ok(ResumedList { file: ListFile::new(file), last: lines.last })
}

/// The length of a file up to the first zero among the bytes that may not have been synced.
fn length_before_zeros(file: &mut File) -> io::Result<u64> {
    // A portion that is written before a sync may be longer than the rest until then.
    let mut at = file.metadata()?.len().saturating_sub(2 * BYTES_BETWEEN_SYNCS);
    file.seek(SeekFrom::Start(at))?;
    let mut reader = BufReader::with_capacity(BYTES_AT_AN_END as usize, file);
    loop {
        let text = reader.fill_buf()?;
        let zero = text.iter().position(|&byte| byte == 0);
        let good = zero.unwrap_or(text.len());
        at += good as u64;
        if zero.is_some() || good == 0 {
            return Ok(at);
        }
        reader.consume(good);
    }
}

fn read_block(file: &mut File, from: u64, bytes: u64) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(from))?;
    let mut text = Vec::new();
    file.take(bytes).read_to_end(&mut text)?;
    Ok(text)
}

/// The beginning of a line, for messages.
fn shortened(line: &str) -> String {
    line.chars().take(40).collect()
}

/// The lines of a file beside the search whose tours they should be.
struct ListedLines<'a> {
    listing: &'a Listing,
    writer: TourWriter,
    tours: TourCursor,
    last: Option<Tour>,
    /// True if lines were left out before the next line.
    is_after_gap: bool,
    /// The node at which the search gives up.
    last_node: u64,
}

impl<'a> ListedLines<'a> {
    fn new(listing: &'a Listing, settings: &ListSettings) -> Self {
        let mut tours = TourCursor::new(listing);
        if let Some(after) = &settings.after {
            tours.go_after(after.squares(), 0);
        }
        let writer = TourWriter::new(listing.board(), settings.format);
        let mut lines =
            Self { listing, writer, tours, last: None, is_after_gap: false, last_node: 0 };
        lines.allow_nodes();
        lines
    }

    fn allow_nodes(&mut self) {
        let nodes = NODES_TIMES_SQUARES / self.listing.board().squares() as u64;
        self.last_node = self.tours.effort().nodes + nodes;
    }

    /// Checks complete lines, and returns the incomplete one after them.
    fn check<'t>(&mut self, text: &'t [u8]) -> Result<&'t [u8], ResumeError> {
        let end = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        for line in String::from_utf8_lossy(&text[..end]).split_terminator('\n') {
            self.check_line(line)?;
        }
        Ok(&text[end..])
    }

    fn check_line(&mut self, line: &str) -> Result<(), ResumeError> {
        let tour = listed(self.listing, line);
        let tour = tour.map_err(|why| ResumeError::Line { line: shortened(line), why })?;
        let is_later = |last| self.listing.compare(last, &tour) == Ordering::Less;
        let mut is_next = self.last.as_ref().is_none_or(is_later)
            && self.text(tour.squares()).strip_suffix(b"\n") == Some(line.as_bytes());
        let is_after_gap = std::mem::take(&mut self.is_after_gap);
        let next = if is_after_gap { FirstTour::GaveUp } else { self.next() };
        match next {
            FirstTour::Found(squares) => is_next &= squares == tour.squares(),
            FirstTour::GaveUp => self.tours.go_after(tour.squares(), 0),
            FirstTour::None => is_next = false,
        }
        self.last = Some(tour);
        is_next.then_some(()).ok_or_else(|| ResumeError::Other(shortened(line)))
    }

    /// True if a text is the beginning of the line that follows in the list.
    fn is_beginning_of_next(&mut self, text: &[u8]) -> bool {
        if text.is_empty() {
            return true;
        }
        self.allow_nodes();
        matches!(self.next(), FirstTour::Found(squares) if self.text(&squares).starts_with(text))
    }

    fn next(&mut self) -> FirstTour {
        walk::next_tour(self.listing, &mut self.tours, self.last_node, &|_| false)
    }

    fn text(&mut self, tour: &[Square]) -> Vec<u8> {
        let mut text = Vec::new();
        self.writer.write(tour, &mut text);
        text
    }
}

/// Counts the lines of a file, without its header.
///
/// # Errors
/// The error of the operating system if the file cannot be read.
pub fn lines(path: &Path) -> io::Result<u64> {
    let mut reader = BufReader::with_capacity(1 << 16, File::open(path)?);
    let (has_header, mut lines) = (reader.fill_buf()?.starts_with(b"#"), 0_u64);
    loop {
        let text = reader.fill_buf()?;
        if text.is_empty() {
            return Ok(lines.saturating_sub(has_header.into()));
        }
        lines += text.iter().filter(|&&byte| byte == b'\n').count() as u64;
        let length = text.len();
        reader.consume(length);
    }
}
