//! A list of tours written in order by many threads.
//!
//! The threads take turns at the top of the tree, which they walk in order down to paths with few free
//! squares, and hand themselves the paths they meet in batches. Each batch is walked and written as
//! text by the thread that took it, into a bounded channel of its own; the calling thread takes the
//! batches in the order of the tree. So the output is the same for any number of threads, a slow
//! reader slows the search, and memory is flat: at most [`BATCHES`] and one more a thread, with
//! [`BLOCKS`] of [`BLOCK_BYTES`] each. No thread waits for ever: the batch whose turn it is was taken
//! before all that wait for theirs, and its channel is being emptied.

pub mod file;

use crate::board::Square;
use crate::run::{self, RunError};
use crate::tour::{Tour, TourFormat, TourWriter};
use crate::walk::{Listing, Next, Tours};
use crossbeam_channel::{Receiver, SendError, Sender, bounded};
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// A batch is paths with so many free squares. With 28, walking the top of the tree is 3 % of the time
/// for the first tours of 8x8 and less for 6x6; with 24 it is 15 %, and with 32 a path of 6x6 has
/// thousands of tours.
const FREE_SQUARES: usize = 28;

/// Paths in a batch.
const PATHS: usize = 32;

/// Batches taken, for each thread, but not yet written.
const BATCHES: usize = 4;

/// Blocks of text that a batch may be ahead of the writer.
const BLOCKS: usize = 16;

/// The size of a block.
const BLOCK_BYTES: usize = 64 << 10;

/// Nodes between two looks at whether to stop; what has been found is handed on then.
const NODES_BETWEEN_LOOKS: u64 = 1 << 14;

/// How to list.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Worker threads; all cores when `None`.
    pub threads: Option<usize>,
    /// The most tours to list.
    pub limit: Option<u64>,
    /// The list begins strictly after this tour, which has to be one of it.
    pub after: Option<Tour>,
    /// How tours are written.
    pub format: TourFormat,
}

/// A finished list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listed {
    /// Tours written.
    pub tours: u64,
    /// Nodes visited, with those of the threads that were ahead when the limit was reached.
    pub nodes: u64,
}

/// Why a list was not finished.
#[derive(Debug, thiserror::Error)]
pub enum ListError {
    /// It cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
    /// The threads could not be started.
    #[error(transparent)]
    Threads(#[from] RunError),
}

/// Writes the tours of a list in order.
///
/// # Errors
/// [`ListError::Write`] with what the writer said; what was written before is whole blocks in order.
pub fn list(
    listing: &Listing,
    settings: &Settings,
    out: &mut dyn Write,
) -> Result<Listed, ListError> {
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
        let written = shared.write(settings.limit, &batches, out);
        shared.stop.store(true, Ordering::Relaxed);
        // Whoever waits for a reader of its batch learns that there is none.
        batches.into_iter().for_each(drop);
        written
    })?;
    let nodes = shared.nodes.load(Ordering::Relaxed);
    Ok(Listed { tours, nodes })
}

/// Some tours as text.
#[derive(Debug)]
struct Block {
    text: Vec<u8>,
    tours: u64,
}

impl Default for Block {
    fn default() -> Self {
        let text = Vec::with_capacity(BLOCK_BYTES + (BLOCK_BYTES >> 4));
        Self { text, tours: 0 }
    }
}

/// A path below which every tour is listed, or those after a tour.
#[derive(Debug)]
struct Path {
    squares: Vec<Square>,
    after: Option<Vec<Square>>,
}

/// The top of the tree, walked by one thread at a time.
#[derive(Debug)]
struct Top {
    tours: Tours,
    /// The path on which the list begins, when it begins after a tour.
    first: Option<Path>,
}

struct Shared<'a> {
    listing: &'a Listing,
    writer: TourWriter,
    top: Mutex<Top>,
    stop: AtomicBool,
    nodes: AtomicU64,
}

impl<'a> Shared<'a> {
    fn new(listing: &'a Listing, settings: &Settings) -> Self {
        let mut tours = Tours::new(listing);
        let cut =
            (listing.board().squares().saturating_sub(FREE_SQUARES)).max(listing.shortest_path());
        tours.cut_at(cut);
        tours.look_after(NODES_BETWEEN_LOOKS);
        let first = settings.after.as_ref().map(|after| {
            let squares = after.squares()[..cut].to_vec();
            tours.go_after(&squares, 0);
            let after = Some(after.squares().to_vec());
            Path { squares, after }
        });
        Self {
            listing,
            writer: TourWriter::new(listing.board(), settings.format),
            top: Mutex::new(Top { tours, first }),
            stop: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
        }
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Takes batch after batch until there are no more or nobody wants them.
    fn work(&self, batches: &Sender<Receiver<Block>>) {
        let mut below = Tours::new(self.listing);
        below.look_after(NODES_BETWEEN_LOOKS);
        let mut writer = self.writer.clone();
        while let Some((paths, blocks)) = self.take(batches) {
            if self.answer(&paths, &mut below, &mut writer, &blocks).is_err() {
                break;
            }
        }
        let nodes = below.effort().nodes;
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
    }

    /// The next batch, with its place among the others taken.
    fn take(&self, batches: &Sender<Receiver<Block>>) -> Option<(Vec<Path>, Sender<Block>)> {
        let mut top = self.top.lock().unwrap_or_else(PoisonError::into_inner);
        let before = top.tours.effort().nodes;
        let mut paths: Vec<Path> = top.first.take().into_iter().collect();
        while paths.len() < PATHS && !self.is_stopped() {
            match top.tours.next() {
                // A tour at the top is that of the board of one square.
                Next::Cut | Next::Tour => {
                    paths.push(Path { squares: top.tours.path().to_vec(), after: None })
                }
                Next::Look if paths.is_empty() => {}
                Next::Look | Next::Done => break,
            }
        }
        let nodes = top.tours.effort().nodes - before;
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
        if paths.is_empty() {
            return None;
        }
        let (sender, blocks) = bounded(BLOCKS);
        // Sent under the lock, so that the batches stand in the order of the tree.
        batches.send(blocks).ok()?;
        Some((paths, sender))
    }

    /// Lists what is below the paths of a batch; an error when nobody wants it.
    fn answer(
        &self,
        paths: &[Path],
        below: &mut Tours,
        writer: &mut TourWriter,
        blocks: &Sender<Block>,
    ) -> Result<(), SendError<Block>> {
        let mut block = Block::default();
        for path in paths {
            match &path.after {
                Some(after) => below.go_after(after, path.squares.len()),
                None => below.go_below(&path.squares),
            }
            loop {
                let is_due = match below.next() {
                    Next::Tour if !self.listing.is_listed(below.path()) => false,
                    Next::Tour => {
                        block.text.extend_from_slice(writer.separator());
                        writer.write(below.path(), &mut block.text);
                        block.tours += 1;
                        block.text.len() >= BLOCK_BYTES
                    }
                    Next::Look if self.is_stopped() => return Err(SendError(block)),
                    Next::Look => block.tours > 0,
                    Next::Cut => false,
                    Next::Done => break,
                };
                if is_due {
                    blocks.send(std::mem::take(&mut block))?;
                }
            }
        }
        match block.tours {
            0 => Ok(()),
            _ => blocks.send(block),
        }
    }

    /// Writes the batches in their order, up to the limit. The tours written.
    fn write(
        &self,
        limit: Option<u64>,
        batches: &Receiver<Receiver<Block>>,
        out: &mut dyn Write,
    ) -> io::Result<u64> {
        let limit = limit.unwrap_or(u64::MAX);
        let mut written = 0;
        if limit == 0 {
            return Ok(0);
        }
        for block in batches.iter().flatten() {
            let kept = block.tours.min(limit - written);
            let mut text = &block.text[..self.bytes_of(&block, kept)];
            if written == 0 {
                text = text.strip_prefix(self.writer.separator()).unwrap_or(text);
            }
            out.write_all(text)?;
            written += kept;
            if written == limit {
                break;
            }
        }
        out.flush()?;
        Ok(written)
    }

    /// The length of the first so many tours of a block.
    fn bytes_of(&self, block: &Block, tours: u64) -> usize {
        if tours == block.tours {
            return block.text.len();
        }
        let lines = (self.writer.lines() + self.writer.separator().len()) as u64 * tours;
        let newlines = block.text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let ends = newlines.map(|(place, _)| place + 1);
        std::iter::once(0).chain(ends).nth(lines as usize).unwrap_or(block.text.len())
    }
}
