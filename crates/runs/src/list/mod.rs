//! Writes the tours of a list in order, with many threads.
//!
//! A tree that is split among threads yields its tours in the order in which the threads happen to
//! finish. Storing and sorting them would take memory without limit. Instead, the threads take
//! turns at the top of the tree: the one whose turn it is walks it in order, down to paths with few
//! free squares, and collects the next paths as a batch. Then it lists the tours below them as text
//! and sends the text through a bounded channel that belongs to the batch. The calling thread
//! empties the channels of the batches in the order of the tree.
//!
//! So the output is the same for any number of threads, and a slow reader slows the search down.
//! Memory is constant: at most [`BATCHES`] + 1 batches per thread, with [`CHUNKS`] chunks of about
//! [`CHUNK_BYTES`] each. There is no deadlock: the batch whose turn it is to be written was taken
//! before all others that wait, and its channel is being emptied.

pub mod file;

use crate::board::Square;
use crate::run::{self, Control, RunError};
use crate::tour::{Tour, TourFormat, TourWriter};
pub use crate::walk::{
    FirstTour, Listing, Next, NotListed, TourCursor, WalkEffort, WalkError, first_tour, visit,
};
use crossbeam_channel::{Receiver, SendError, Sender, bounded};
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The number of free squares of the paths in a batch.
///
/// With 28, walking the top of the tree takes 3 % of the time for the first tours of 8x8 and less
/// for 6x6. With 24 it takes 15 %, and with 32 there are thousands of tours below a path of 6x6.
const FREE_SQUARES: usize = 28;

/// The number of paths in a batch.
const PATHS: usize = 32;

/// The largest number of batches per thread that are taken and wait to be written.
const BATCHES: usize = 4;

/// The number of chunks that a batch may be ahead of the writer.
const CHUNKS: usize = 16;

/// The number of bytes of text from which on a chunk is sent.
const CHUNK_BYTES: usize = 64 << 10;

/// The number of nodes between two checks for cancellation. Tours found by then are sent as well.
const NODES_BETWEEN_CHECKS: u64 = 1 << 14;

/// The settings of a list.
#[derive(Debug, Clone, Default)]
pub struct ListSettings {
    /// The number of worker threads; all cores if `None`.
    pub threads: Option<usize>,
    /// The largest number of tours to write; all if `None`.
    pub limit: Option<u64>,
    /// A tour of the list after which the output begins; the whole list if `None`.
    ///
    /// It has to pass [`Listing::check`].
    pub after: Option<Tour>,
    /// The format of a tour.
    pub format: TourFormat,
    /// The control by which others stop the list.
    pub control: Arc<Control>,
}

impl ListSettings {
    /// The line before the first tour: [`TourFormat::header`], but nothing if the output begins
    /// after a tour, because then it continues another.
    pub fn header(&self, listing: &Listing) -> String {
        let (board, is_closed) = (listing.board(), listing.question().is_closed());
        match self.after {
            Some(_) => String::new(),
            None => self.format.header(&board, is_closed),
        }
    }
}

/// The figures of a finished list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listed {
    /// The number of tours written.
    pub tours: u64,
    /// The number of nodes visited, including those of threads that were ahead when the limit was
    /// reached.
    pub nodes: u64,
}

/// A list was not finished.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ListError {
    /// The output cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
    /// The threads could not be started.
    #[error(transparent)]
    Threads(#[from] RunError),
    /// [`ListSettings::after`] is not a tour of the list.
    #[error("the list cannot begin after this tour: {0}")]
    After(#[from] NotListed),
    /// The list was cancelled. Its first tours were written, all of them whole.
    #[error("stopped after {tours} tours")]
    Stopped {
        /// The tours that were written.
        tours: u64,
    },
}

/// Writes the tours of a list in order, after [`ListSettings::header`] if there are any.
///
/// ```
/// # use kt_enum_runs as kt_enum;
/// use kt_enum::board::{Board, MoveOrder};
/// use kt_enum::{list::{self, Listing}, question::Question};
///
/// let listing = Listing::new(Question::open(Board::new(3, 4)?), MoveOrder::default())?;
/// let mut lines = Vec::new();
/// let listed = list::list(&listing, &list::ListSettings::default(), &mut lines)?;
/// assert_eq!(listed.tours, 16);
/// assert_eq!(String::from_utf8(lines)?.lines().count(), 16);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ListError::Write`] with the error of the writer, which then holds a beginning of the list;
/// [`ListError::Threads`] if no thread was started, and [`ListError::After`] if
/// [`ListSettings::after`] is not a tour of the list. Nothing is written then.
/// [`ListError::Stopped`] if [`ListSettings::control`] stopped the list.
pub fn list(
    listing: &Listing,
    settings: &ListSettings,
    out: &mut dyn Write,
) -> Result<Listed, ListError> {
    if let Some(after) = &settings.after {
        listing.check(after)?;
    }
    let threads = run::threads(settings.threads)?;
    let count = threads.current_num_threads();
    let shared = Shared::new(listing, settings);
    let (sender, batches) = bounded(count * BATCHES);
    let tours = threads.in_place_scope(|scope| {
        for _ in 0..count {
            let (shared, sender) = (&shared, sender.clone());
            scope.spawn(move |_| shared.work(&sender));
        }
        drop(sender);
        let written = shared.write(&batches, out);
        shared.stop.store(true, Ordering::Relaxed);
        // Dropping the channels tells the threads that wait for space in them to end.
        batches.into_iter().for_each(drop);
        written
    })?;
    if settings.control.is_stopped() && Some(tours) != settings.limit {
        return Err(ListError::Stopped { tours });
    }
    Ok(Listed { tours, nodes: shared.nodes.into_inner() })
}

/// Consecutive tours as text.
#[derive(Debug)]
struct Chunk {
    text: Vec<u8>,
    tours: u64,
}

impl Default for Chunk {
    fn default() -> Self {
        let text = Vec::with_capacity(CHUNK_BYTES + (CHUNK_BYTES >> 4));
        Self { text, tours: 0 }
    }
}

/// The top of the tree, which one thread at a time walks.
#[derive(Debug)]
struct Top {
    tours: TourCursor,
    /// The path of the tour after which the list begins, until the first batch takes it.
    first: Option<Vec<Square>>,
}

struct Shared<'a> {
    listing: &'a Listing,
    settings: &'a ListSettings,
    writer: TourWriter,
    top: Mutex<Top>,
    stop: AtomicBool,
    nodes: AtomicU64,
}

impl<'a> Shared<'a> {
    fn new(listing: &'a Listing, settings: &'a ListSettings) -> Self {
        let mut tours = TourCursor::new(listing);
        let cut =
            (listing.board().squares().saturating_sub(FREE_SQUARES)).max(listing.shortest_path());
        tours.cut_at(cut);
        tours.pause_every(NODES_BETWEEN_CHECKS);
        let first = settings.after.as_ref().map(|after| {
            let path = after.squares()[..cut].to_vec();
            tours.go_after(&path, 0);
            path
        });
        Self {
            listing,
            settings,
            writer: TourWriter::new(listing.board(), settings.format),
            top: Mutex::new(Top { tours, first }),
            stop: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
        }
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.settings.control.is_stopped()
    }

    /// Takes and lists batches until there are none left or the output has ended.
    fn work(&self, batches: &Sender<Receiver<Chunk>>) {
        let mut below = TourCursor::new(self.listing);
        below.pause_every(NODES_BETWEEN_CHECKS);
        let mut writer = self.writer.clone();
        while let Some((paths, chunks)) = self.next_batch(batches) {
            if self.list_below(&paths, &mut below, &mut writer, &chunks).is_err() {
                break;
            }
        }
        self.nodes.fetch_add(below.effort().nodes, Ordering::Relaxed);
    }

    /// Takes the next paths as a batch, with the channel for their text. Returns `None` if none are
    /// left.
    fn next_batch(
        &self,
        batches: &Sender<Receiver<Chunk>>,
    ) -> Option<(Vec<Vec<Square>>, Sender<Chunk>)> {
        let mut top = self.top.lock().unwrap_or_else(PoisonError::into_inner);
        let before = top.tours.effort().nodes;
        let mut paths: Vec<Vec<Square>> = top.first.take().into_iter().collect();
        while paths.len() < PATHS && !self.is_stopped() {
            match top.tours.next() {
                // Only tours with at most two squares to walk are found at the top.
                Next::Cut | Next::Tour => paths.push(top.tours.path().to_vec()),
                Next::Pause if paths.is_empty() => {}
                Next::Pause | Next::Done => break,
            }
        }
        self.nodes.fetch_add(top.tours.effort().nodes - before, Ordering::Relaxed);
        if paths.is_empty() {
            return None;
        }
        let (sender, chunks) = bounded(CHUNKS);
        // Sent while the lock is held, so that the order of the channels is the order of the tree.
        batches.send(chunks).ok()?;
        Some((paths, sender))
    }

    /// Lists the tours below the paths of a batch.
    ///
    /// Returns an error if the output has ended.
    fn list_below(
        &self,
        paths: &[Vec<Square>],
        below: &mut TourCursor,
        writer: &mut TourWriter,
        chunks: &Sender<Chunk>,
    ) -> Result<(), SendError<Chunk>> {
        let mut chunk = Chunk::default();
        for path in paths {
            match &self.settings.after {
                // The top has gone past this path, so no other one leads to the tour.
                Some(after) if after.squares().starts_with(path) => {
                    below.go_after(after.squares(), path.len());
                }
                _ => below.go_below(path),
            }
            loop {
                let is_due = match below.next() {
                    Next::Tour if self.listing.is_listed(below.path()) => {
                        chunk.text.extend_from_slice(writer.separator());
                        writer.write(below.path(), &mut chunk.text);
                        chunk.tours += 1;
                        chunk.text.len() >= CHUNK_BYTES
                    }
                    Next::Pause if self.is_stopped() => return Err(SendError(chunk)),
                    Next::Pause => chunk.tours > 0,
                    Next::Tour | Next::Cut => false,
                    Next::Done => break,
                };
                if is_due {
                    chunks.send(std::mem::take(&mut chunk))?;
                }
            }
        }
        match chunk.tours {
            0 => Ok(()),
            _ => chunks.send(chunk),
        }
    }

    /// Writes the batches in their order up to the limit, and returns the number of tours written.
    fn write(&self, batches: &Receiver<Receiver<Chunk>>, out: &mut dyn Write) -> io::Result<u64> {
        let limit = self.settings.limit.unwrap_or(u64::MAX);
        let mut chunks = batches.iter().flatten();
        let mut written = 0;
        while written < limit
            && let Some(chunk) = chunks.next()
        {
            if self.settings.control.is_stopped() {
                // A worker that stopped has left tours out, so the next chunk may not follow.
                break;
            }
            let kept = chunk.tours.min(limit - written);
            let mut text = &chunk.text[..self.bytes_of(&chunk, kept)];
            if written == 0 {
                text = text.strip_prefix(self.writer.separator()).unwrap_or(text);
                out.write_all(self.settings.header(self.listing).as_bytes())?;
            }
            out.write_all(text)?;
            written += kept;
        }
        out.flush()?;
        Ok(written)
    }

    /// The length of the text of the first `tours` tours of a chunk.
    fn bytes_of(&self, chunk: &Chunk, tours: u64) -> usize {
        if tours == chunk.tours {
            return chunk.text.len();
        }
        let lines = (self.writer.lines() + self.writer.separator().len()) as u64 * tours;
        let newlines = chunk.text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let ends = newlines.map(|(place, _)| place + 1);
        std::iter::once(0).chain(ends).nth(lines as usize).unwrap_or(chunk.text.len())
    }
}
