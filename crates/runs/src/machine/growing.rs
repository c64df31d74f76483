//! A file that grows until its writer ends, on a disk that others need too.

use super::Disk;
use crate::quantity::bytes;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The least that is left free on a large disk.
const LEAST: u64 = 1 << 30;

/// One part in this many of a disk is left free.
const SHARE: u64 = 20;

/// The most bytes that are written between two looks at the disk.
const BETWEEN_LOOKS: u64 = 16 << 20;

/// The part of a disk that a growing file leaves free.
#[derive(Debug, Clone)]
pub struct Reserve {
    path: PathBuf,
    /// The bytes that are left free.
    pub bytes: u64,
}

impl Reserve {
    /// The larger of 1 GiB and 5 % of the disk, but at most half of what is free now: a small disk
    /// can be written to as well.
    pub fn of(path: &Path, disk: &Disk) -> Self {
        let bytes = (disk.size / SHARE).max(LEAST).min(disk.free / 2);
        Self { path: path.to_owned(), bytes }
    }
}

/// True if a writer ended at the reserve of its disk. The error of a full disk is that of the
/// system, without words of this program.
pub fn is_reserve_reached(error: &io::Error) -> bool {
    error.kind() == ErrorKind::StorageFull && error.get_ref().is_some()
}

/// The bytes that have been written, for others to read.
#[derive(Debug, Default)]
pub struct Written {
    /// The bytes.
    pub bytes: AtomicU64,
    /// The lines.
    pub lines: AtomicU64,
}

/// A writer that counts what it writes, and keeps the reserve of its disk, if there is one. A
/// portion that would go into the reserve is refused as a whole.
pub struct Growing<W> {
    /// What is written to.
    pub out: W,
    /// What has been written.
    pub written: Arc<Written>,
    /// The reserve of the disk, if there is one.
    pub reserve: Option<Reserve>,
    /// Bytes that may be written before the next look at the disk.
    allowance: u64,
}

impl<W: Write> Growing<W> {
    /// A writer that counts on from what has been written.
    pub fn new(out: W, written: Arc<Written>, reserve: Option<Reserve>) -> Self {
        Self { out, written, reserve, allowance: 0 }
    }

    fn look(&mut self, portion: u64) -> io::Result<()> {
        let disk = self.reserve.as_ref().and_then(|reserve| {
            let disk = super::disk(&reserve.path)?;
            Some((disk.free, disk.free.saturating_sub(reserve.bytes)))
        });
        self.allowance = match disk {
            Some((free, room)) if portion > room => {
                let free = bytes(free as f64);
                let message = format!("{free} of the disk are free, which are kept in reserve");
                return Err(io::Error::new(ErrorKind::StorageFull, message));
            }
            // Others write to the disk too: it is looked at more often when it is nearly full.
            Some((_, room)) => (room / 2).min(BETWEEN_LOOKS).max(portion),
            None => u64::MAX,
        };
        Ok(())
    }
}

impl<W: Write> Write for Growing<W> {
    fn write(&mut self, portion: &[u8]) -> io::Result<usize> {
        let length = portion.len() as u64;
        if length > self.allowance {
            self.look(length)?;
        }
        let written = self.out.write(portion)?;
        self.allowance -= written as u64;
        let lines = portion[..written].iter().filter(|&&byte| byte == b'\n').count();
        self.written.bytes.fetch_add(written as u64, Ordering::Relaxed);
        self.written.lines.fetch_add(lines as u64, Ordering::Relaxed);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
