//! Blocks of states on disk: in files that are written once, from front to end, and then only read.
//!
//! The files lie in a folder beside the checkpoint, which names those that it needs; whatever neither the
//! checkpoint nor the one before it names is removed after the next save. A block that does not fit its
//! checksum is never taken for states.

use super::layer::{Block, Place};
use crate::run::durable::{DurableError, trying};
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Why states cannot be kept on disk, or had back.
#[derive(Debug, thiserror::Error)]
pub enum ScratchError {
    /// The system refuses.
    #[error(
        "{0}; what was saved before is whole: type the same command to go on from there, or name \
         another place with --checkpoint PATH"
    )]
    Io(#[from] DurableError),
    /// The states would take more room than they may.
    #[error(
        "the states need more than {bound} bytes on disk beside --memory: give more of either, with \
         --disk or --memory; what was saved before is whole: type the same command to go on from there"
    )]
    Full {
        /// The most that they may take.
        bound: u64,
    },
    /// A file is not there.
    #[error(
        "{0} is missing, which the checkpoint needs; nothing was changed; put it back, or start over with --fresh"
    )]
    Missing(PathBuf),
    /// A file is not as it was written.
    #[error(
        "{path} is damaged: bytes {}..{} are not the states that were written; nothing was changed; \
         start over with --fresh", .at.start, .at.end
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Which bytes.
        at: Range<u64>,
    },
}

/// The folder of a run's files.
#[derive(Debug)]
pub(super) struct Scratch {
    folder: PathBuf,
    bound: u64,
    /// The number of the next file.
    next: u64,
    /// The files that the last checkpoint names.
    named: BTreeSet<u64>,
}

/// A file of blocks.
#[derive(Debug)]
pub(super) struct RunFile {
    number: u64,
    path: PathBuf,
    file: File,
}

/// Where a block lies.
#[derive(Debug, Clone)]
pub(super) struct Extent {
    pub file: Arc<RunFile>,
    pub offset: u64,
    pub bytes: u64,
    pub checksum: u64,
}

const EXTENSION: &str = "states";

impl Scratch {
    /// Files in this folder, which is made when there is something to write.
    pub fn new(folder: PathBuf, bound: u64) -> Self {
        let mut scratch = Self {
            folder,
            bound,
            next: 0,
            named: BTreeSet::new(),
        };
        scratch.next = scratch.numbers().last().map_or(0, |(last, _)| last + 1);
        scratch
    }

    /// The numbers of the files there are, ascending, and their lengths.
    fn numbers(&self) -> impl DoubleEndedIterator<Item = (u64, u64)> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let numbers = entries.filter_map(|entry| {
            let path = entry.path();
            let is_ours = path.extension().is_some_and(|of| of == EXTENSION);
            let number = path.file_stem()?.to_str()?.parse().ok()?;
            is_ours.then_some((number, entry.metadata().ok()?.len()))
        });
        numbers.collect::<BTreeSet<_>>().into_iter()
    }

    fn path(&self, number: u64) -> PathBuf {
        self.folder.join(format!("{number:06}.{EXTENSION}"))
    }

    /// Moves blocks from memory to a new file.
    ///
    /// # Errors
    /// [`ScratchError`] when they do not fit; then they are still in memory.
    pub fn write(&mut self, mut blocks: Vec<&mut Block>) -> Result<(), ScratchError> {
        if blocks.is_empty() {
            return Ok(());
        }
        let bytes: u64 = blocks
            .iter()
            .map(|block| block.bytes_in_memory().len() as u64)
            .sum();
        let there: u64 = self.numbers().map(|(_, len)| len).sum();
        if there + bytes > self.bound {
            return Err(ScratchError::Full { bound: self.bound });
        }
        let path = self.path(self.next);
        let written = self.write_file(&path, &blocks);
        if written.is_err() {
            // Half a file on a full disk only makes it fuller.
            let _ = fs::remove_file(&path);
        }
        let file = Arc::new(RunFile {
            number: self.next,
            file: written?,
            path,
        });
        self.next += 1;
        let checksums: Vec<u64> = blocks
            .par_iter()
            .map(|block| checksum(block.bytes_in_memory()))
            .collect();
        let mut offset = 0;
        for (block, checksum) in blocks.iter_mut().zip(checksums) {
            let bytes = block.bytes_in_memory().len() as u64;
            block.place = Place::Disk(Extent {
                file: Arc::clone(&file),
                offset,
                bytes,
                checksum,
            });
            offset += bytes;
        }
        Ok(())
    }

    fn write_file(&self, path: &Path, blocks: &[&mut Block]) -> Result<File, DurableError> {
        fs::create_dir_all(&self.folder).map_err(trying("make the folder", &self.folder))?;
        let mut options = File::options();
        let file = options.read(true).write(true).create_new(true).open(path);
        let written = file.and_then(|mut file| {
            for block in blocks {
                file.write_all(block.bytes_in_memory())?;
            }
            Ok(file)
        });
        written.map_err(trying("write", path))
    }

    /// Opens a file that a checkpoint names.
    pub fn open(&self, number: u64) -> Result<Arc<RunFile>, ScratchError> {
        let path = self.path(number);
        match File::open(&path) {
            Ok(file) => Ok(Arc::new(RunFile { number, path, file })),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(ScratchError::Missing(path))
            }
            Err(error) => Err(trying("read", &path)(error).into()),
        }
    }

    /// Makes sure that these files are on disk, whatever happens to the power.
    pub fn sync(&self, files: impl Iterator<Item = Arc<RunFile>>) -> Result<(), ScratchError> {
        for file in files {
            // It may have been removed under the run, which still has it open.
            if !file.path.exists() {
                return Err(ScratchError::Missing(file.path.clone()));
            }
            file.file.sync_all().map_err(trying("write", &file.path))?;
        }
        let synced = match File::open(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            folder => folder.and_then(|folder| folder.sync_all()),
        };
        Ok(synced.map_err(trying("sync the folder", &self.folder))?)
    }

    /// Says which files the checkpoint names that the run goes on from. None is removed yet, for the one
    /// before it may name others.
    pub fn take_over(&mut self, named: BTreeSet<u64>) {
        self.named = named;
    }

    /// Removes what neither the checkpoint just written names nor the one before it.
    pub fn keep(&mut self, named: BTreeSet<u64>) {
        let before = std::mem::replace(&mut self.named, named);
        for (number, _) in self.numbers() {
            if !self.named.contains(&number) && !before.contains(&number) {
                // What cannot be removed takes room, and is tried again.
                let _ = fs::remove_file(self.path(number));
            }
        }
    }
}

impl RunFile {
    pub fn number(&self) -> u64 {
        self.number
    }
}

impl Extent {
    /// The bytes of the block.
    pub fn read(&self) -> Result<Vec<u8>, ScratchError> {
        let is_there = |len: u64| {
            self.offset
                .checked_add(self.bytes)
                .is_some_and(|end| end <= len)
        };
        let len = self.file.file.metadata().map(|meta| meta.len());
        if !is_there(len.map_err(trying("read", &self.file.path))?) {
            return Err(self.damaged());
        }
        let mut bytes = vec![0; self.bytes as usize];
        match self.file.file.read_exact_at(&mut bytes, self.offset) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(self.damaged()),
            Err(error) => Err(trying("read", &self.file.path)(error).into()),
            Ok(()) if checksum(&bytes) != self.checksum => Err(self.damaged()),
            Ok(()) => Ok(bytes),
        }
    }

    pub fn damaged(&self) -> ScratchError {
        ScratchError::Damaged {
            path: self.file.path.clone(),
            at: self.offset..self.offset.saturating_add(self.bytes),
        }
    }
}

/// The first bytes of a SHA-256.
fn checksum(bytes: &[u8]) -> u64 {
    let digest: [u8; 32] = Sha256::digest(bytes).into();
    digest[..8]
        .iter()
        .fold(0, |sum, &byte| sum << 8 | u64::from(byte))
}
