//! A layer: what a round has left, in memory or on disk.
//!
//! The bytes of a slice are stored in *pieces*: one for each slice that they come from, or several
//! if it is large. Pieces stay in memory while they fit; the others are appended to a file of their
//! layer as they arrive. Unfinished output of a slice is computed again and overwrites its place in
//! the file. Every part of a piece, the bytes of one slice, has its own checksum, which is verified
//! when it is read.

use crate::durable::{self, DurableError, trying};
use crate::quantity::bytes;
use crate::rounds::{Layer, Partitioned, Portions, SliceStart, StatesUnavailable, views};
use crate::run::Control;
use crate::run::checkpoint::folder;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt::Display;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The reason why the rounds cannot be computed.
#[derive(Debug, thiserror::Error)]
pub enum LayersError {
    /// The system refuses.
    #[error(transparent)]
    Io(#[from] DurableError),
    /// The system refuses to keep states that the run needs, as on a full disk.
    #[error("{error}")]
    Unkept {
        /// The operation and its error.
        error: DurableError,
        /// True if a state is saved from which a run resumes.
        is_saved: bool,
    },
    /// States are damaged, or cannot be read back.
    #[error(transparent)]
    StatesUnavailable(#[from] StatesUnavailable),
    /// There is no room for what has to be kept: for the units of the smallest group, or, where a
    /// count cannot be divided into groups, for all its layers.
    #[error(
        "the states before the units do not fit into {} of memory and {} of disk{}",
        bytes((memory / 2) as f64),
        bytes(*disk as f64),
        lacking.map_or(String::new(), |lacking| format!(": they lack about {}", bytes(lacking as f64)))
    )]
    Room {
        /// The bound on all memory.
        memory: u64,
        /// The bound on disk.
        disk: u64,
        /// The bytes that are lacking for the next layer, as far as they can be told.
        lacking: Option<u64>,
        /// True if a state is saved from which a run with larger limits resumes.
        is_saved: bool,
    },
    /// There is no room on disk for states that are in memory and have to be saved.
    #[error(
        "cannot save the states before the units: they take {}, and may take {} of disk",
        bytes(*wanted as f64),
        bytes(*disk as f64)
    )]
    Unsaved {
        /// Their bytes.
        wanted: u64,
        /// The bound on disk.
        disk: u64,
    },
}

impl LayersError {
    /// True if more memory may help.
    pub fn is_for_room(&self) -> bool {
        matches!(self, Self::Room { .. })
    }
}

/// The limits on memory and disk, and the folder of the files.
#[derive(Debug, Clone, Default)]
pub(in crate::run) struct Storage {
    /// The most bytes of memory.
    pub memory: u64,
    /// The most bytes of disk; none without a folder.
    pub disk: u64,
    /// The folder.
    pub folder: Option<PathBuf>,
    /// True if other processes read the folder too: then nothing is written there.
    pub is_shared: bool,
    /// True if the input of a round is kept when the round is over.
    pub keeps_all: bool,
    /// True if the layers have to serve all units at once, so that the count cannot be divided.
    pub serves_all: bool,
    /// Says when the user does not want to wait for the layers to be saved.
    pub control: Arc<Control>,
}

impl Storage {
    /// The error for limits that are too small, by `lacking` if it is known, before anything is
    /// saved.
    pub(super) fn too_small(&self, lacking: Option<u64>) -> LayersError {
        let memory = self.memory.saturating_mul(2);
        LayersError::Room { memory, disk: self.disk, lacking, is_saved: false }
    }
}

/// A piece of a layer, and its place in memory or on disk.
#[derive(Debug)]
struct Stretch {
    /// The slice of the round before that it comes from.
    source: u64,
    len: u64,
    states: u64,
    parts: Vec<SliceStart>,
    /// The number of the block of its bytes in memory, and their offset in it.
    memory: Option<(usize, usize)>,
    /// Its offset in the file of its layer, and the checksums of its parts.
    disk: OnceLock<(u64, Vec<u64>)>,
}

/// The bytes of pieces in memory.
///
/// Small pieces share blocks of one size. If each stayed where a worker has allocated it, between
/// what the worker needs for a moment, the memory of the process would be a third larger.
#[derive(Debug, Default)]
struct Slabs(Vec<Vec<u8>>);

impl Slabs {
    /// Copies a piece, where layers may take `memory` bytes. Returns the number of its block and
    /// its offset there; `None` if the system has no memory for it.
    fn keep(&mut self, bytes: &[u8], memory: u64) -> Option<(usize, usize)> {
        // A block is small beside the memory, for each layer fills one in part.
        let size = (memory / 64).clamp(1 << 16, 1 << 23) as usize;
        let has_room = |block: &Vec<u8>| block.capacity() - block.len() >= bytes.len();
        let number = self.0.iter().rposition(has_room).unwrap_or(self.0.len());
        if number == self.0.len() {
            let is_large = bytes.len() > size / 8;
            let mut block = Vec::new();
            block.try_reserve_exact(if is_large { bytes.len() } else { size }).ok()?;
            self.0.push(block);
        }
        let start = self.0[number].len();
        self.0[number].extend_from_slice(bytes);
        Some((number, start))
    }
}

/// The entry of a piece in the index.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ListedPiece {
    source: u64,
    len: u64,
    states: u64,
    offset: u64,
    parts: Vec<SliceStart>,
    /// Of each part the first eight bytes of its SHA-256.
    checks: Vec<u64>,
}

/// Bytes in use by all layers, and their limits.
#[derive(Debug, Default)]
pub(super) struct Usage {
    pub storage: Storage,
    memory: AtomicU64,
    disk: AtomicU64,
    /// The bytes that were free in files of layers that are gone.
    holes: AtomicU64,
}

impl Usage {
    /// No usage, before the first layer.
    pub fn new(storage: Storage) -> Self {
        Self { storage, ..Self::default() }
    }

    /// Bytes of memory in use.
    pub fn memory(&self) -> u64 {
        self.memory.load(Ordering::Relaxed)
    }

    /// Bytes of disk in use.
    pub fn disk(&self) -> u64 {
        self.disk.load(Ordering::Relaxed)
    }

    /// The bytes that were free in files of layers that are gone, for the removal of these files.
    pub fn take_holes(&self) -> u64 {
        self.holes.swap(0, Ordering::Relaxed)
    }

    /// Takes note of a file that is gone.
    pub fn free_disk(&self, len: u64) {
        let less = |used: u64| Some(used.saturating_sub(len));
        let order = Ordering::Relaxed;
        let _ = self.disk.fetch_update(order, order, less);
    }
}

/// The pieces of a layer.
#[derive(Debug)]
pub(super) struct Stored {
    pub name: String,
    usage: Arc<Usage>,
    file: Mutex<Option<Appended>>,
    pieces: Vec<Stretch>,
    blocks: Slabs,
    /// By slice, where its bytes are: the numbers of the piece and of its part.
    of_slice: HashMap<u64, Vec<(u32, u32)>>,
    /// The slices whose bytes on disk are free.
    freed: Mutex<Freed>,
    /// The slices of the round before of which all pieces are here. Those of the others are not in
    /// the index.
    pub done: HashSet<u64>,
}

/// What is free within the file of a layer.
#[derive(Debug, Default)]
struct Freed {
    slices: HashSet<u64>,
    bytes: u64,
    /// True if the file system cannot free parts of a file.
    is_impossible: bool,
}

/// A file that is appended to.
#[derive(Debug)]
struct Appended {
    path: PathBuf,
    file: Arc<File>,
    len: u64,
    /// The ranges of the file that no index lists, left by slices that were not finished.
    gaps: Vec<Range<u64>>,
}

fn check(bytes: &[u8]) -> u64 {
    let digest = Sha256::digest(bytes);
    u64::from_le_bytes(std::array::from_fn(|place| digest[place]))
}

impl Stretch {
    /// The range of a part.
    fn range(&self, part: usize) -> Range<usize> {
        let end = self.parts.get(part + 1).map_or(self.len, |next| next.start);
        self.parts[part].start as usize..end as usize
    }
}

impl Stored {
    pub fn new(name: String, usage: &Arc<Usage>) -> Self {
        Self {
            name,
            usage: Arc::clone(usage),
            file: Mutex::default(),
            pieces: Vec::new(),
            blocks: Slabs::default(),
            of_slice: HashMap::new(),
            freed: Mutex::default(),
            done: HashSet::new(),
        }
    }

    pub fn states(&self) -> u64 {
        self.pieces.iter().map(|piece| piece.states).sum()
    }

    /// Its bytes, wherever they are: what is saved is on disk and may be in memory too. What was
    /// freed does not count.
    pub fn len(&self) -> u64 {
        self.whole_len() - self.freed.lock().unwrap_or_else(PoisonError::into_inner).bytes
    }

    /// Its bytes, with those that were freed.
    pub fn whole_len(&self) -> u64 {
        self.pieces.iter().map(|piece| piece.len).sum()
    }

    /// The bytes that [`free`](Self::free) will free at least, where all layers fit the disk.
    pub fn freeable(&self) -> u64 {
        let Storage { disk, memory, folder, .. } = &self.usage.storage;
        let freed = self.freed.lock().unwrap_or_else(PoisonError::into_inner);
        if folder.is_none() || disk < memory || freed.is_impossible {
            return 0;
        }
        // Of each part, the blocks at its ends may stay.
        let blocks = |piece: &Stretch| piece.len.saturating_sub(8192 * piece.parts.len() as u64);
        self.pieces.iter().map(blocks).sum::<u64>().saturating_sub(freed.bytes)
    }

    /// The bytes of those of some slices that are not free.
    pub fn unfreed(&self, slices: &HashSet<u64>) -> u64 {
        let freed = self.freed.lock().unwrap_or_else(PoisonError::into_inner);
        slices.difference(&freed.slices).map(|&slice| self.bytes_of(slice)).sum()
    }

    /// Frees what some slices take on disk, as far as the file system can, because they will not be
    /// read again.
    pub fn free(&self, slices: &HashSet<u64>) {
        let file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let mut freed = self.freed.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(file) = &*file else { return };
        for &slice in slices {
            if !freed.slices.insert(slice) {
                continue;
            }
            for &(piece, part) in self.of_slice.get(&slice).into_iter().flatten() {
                let piece = &self.pieces[piece as usize];
                let Some((offset, _)) = piece.disk.get() else { continue };
                let part = piece.range(part as usize);
                let range = offset + part.start as u64..offset + part.end as u64;
                let Ok(bytes) = durable::punch(&file.file, range) else {
                    freed.is_impossible = true;
                    return;
                };
                freed.bytes += bytes;
                self.usage.free_disk(bytes);
            }
        }
    }

    /// Takes a piece over, into memory if there is room.
    pub fn add(&mut self, source: u64, dealt: Partitioned) -> Result<(), LayersError> {
        let len = dealt.bytes.len() as u64;
        let mut piece = Stretch {
            source,
            len,
            states: dealt.states,
            parts: dealt.parts,
            memory: None,
            disk: OnceLock::new(),
        };
        let usage = Arc::clone(&self.usage);
        if usage.memory() + len <= usage.storage.memory {
            piece.memory = self.blocks.keep(&dealt.bytes, usage.storage.memory);
        }
        match piece.memory {
            Some(_) => _ = usage.memory.fetch_add(len, Ordering::Relaxed),
            None => self.append(&piece, &dealt.bytes)?,
        }
        self.list(piece);
        Ok(())
    }

    fn list(&mut self, piece: Stretch) {
        let number = self.pieces.len() as u32;
        for (part, of) in piece.parts.iter().enumerate() {
            self.of_slice.entry(of.slice).or_default().push((number, part as u32));
        }
        self.pieces.push(piece);
    }

    /// Appends a piece to the file.
    fn append(&self, piece: &Stretch, bytes: &[u8]) -> Result<(), LayersError> {
        let Storage { disk, folder, .. } = &self.usage.storage;
        let too_small = || self.usage.storage.too_small(None);
        let Some(folder) = folder else {
            return Err(too_small());
        };
        let parts = (0..piece.parts.len()).map(|part| piece.range(part));
        let checks = parts.map(|range| check(&bytes[range])).collect();
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let file = match &mut *file {
            Some(file) => file,
            none => {
                folder::claim(folder)?;
                none.insert(Appended::new(folder.join(&self.name))?)
            }
        };
        // The place is the first gap that is large enough, or the end.
        let gap = file.gaps.iter_mut().find(|gap| gap.end - gap.start >= piece.len);
        let place = gap.as_ref().map_or(file.len, |gap| gap.start);
        let more = (place + piece.len).saturating_sub(file.len);
        if self.usage.disk() + more > *disk {
            return Err(too_small());
        }
        if let Err(error) = file.file.write_all_at(bytes, place) {
            // The part of it that is written would leave no space for an index.
            let _ = file.file.set_len(file.len);
            return Err(trying("write", &file.path)(error).into());
        }
        let _ = piece.disk.set((place, checks));
        if let Some(gap) = gap {
            gap.start += piece.len;
        }
        file.len += more;
        self.usage.disk.fetch_add(more, Ordering::Relaxed);
        Ok(())
    }

    /// True if it has a file.
    pub fn has_file(&self) -> bool {
        self.file.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// The bytes of what is done that are not on disk.
    pub fn unsaved(&self) -> u64 {
        let unsaved = self.done().filter(|piece| piece.disk.get().is_none());
        unsaved.map(|piece| piece.len).sum()
    }

    /// The bytes of a piece, if they are in memory.
    fn in_memory(&self, piece: &Stretch) -> Option<&[u8]> {
        let (block, start) = piece.memory?;
        Some(&self.blocks.0[block][start..start + piece.len as usize])
    }

    /// The pieces of what is done.
    fn done(&self) -> impl Iterator<Item = &Stretch> {
        let is_done = |piece: &&Stretch| self.done.contains(&piece.source);
        self.pieces.iter().filter(is_done)
    }

    /// Appends what is in memory only, and syncs the file.
    pub fn flush(&self) -> Result<(), LayersError> {
        for piece in self.done().filter(|piece| piece.disk.get().is_none()) {
            if self.usage.storage.control.is_hurried() {
                return Err(StatesUnavailable::Stopped.into());
            }
            self.append(piece, self.in_memory(piece).unwrap_or_default())?;
        }
        let file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        match &*file {
            Some(file) => Ok(file.file.sync_all().map_err(trying("sync", &file.path))?),
            None => Ok(()),
        }
    }

    /// Appends what is in memory only, as far as the disk has room. Slices that do not fit count as
    /// unfinished from then on, and are returned.
    pub fn flush_what_fits(&mut self) -> Vec<u64> {
        let has_no_room = |piece: &&Stretch| {
            let bytes = self.in_memory(piece).unwrap_or_default();
            piece.disk.get().is_none() && self.append(piece, bytes).is_err()
        };
        let without: HashSet<u64> =
            self.done().filter(has_no_room).map(|piece| piece.source).collect();
        self.done.retain(|slice| !without.contains(slice));
        without.into_iter().collect()
    }

    /// Frees the memory of all pieces, if the disk has room for them.
    pub fn spill(&mut self) {
        if self.flush().is_ok() && self.pieces.iter().all(|piece| piece.disk.get().is_some()) {
            self.free_memory();
        }
    }

    /// True if all its bytes are in memory.
    pub fn is_in_memory(&self) -> bool {
        self.pieces.iter().all(|piece| piece.memory.is_some())
    }

    /// The same layer in memory, for another count.
    pub fn moved_to(mut self, name: String, usage: &Arc<Usage>) -> Self {
        let bytes = self.whole_len();
        self.name = name;
        self.freed = Mutex::default();
        usage.memory.fetch_add(bytes, Ordering::Relaxed);
        std::mem::replace(&mut self.usage, Arc::clone(usage))
            .memory
            .fetch_sub(bytes, Ordering::Relaxed);
        self.file = Mutex::default();
        self.pieces.iter_mut().for_each(|piece| piece.disk = OnceLock::new());
        self
    }

    /// The same layer, which is in memory, in other slices; `None` if there is no room for both.
    pub fn sliced(self, slices: &dyn Fn(&[u8]) -> Partitioned) -> Option<Self> {
        if self.usage.memory() + self.whole_len() > self.usage.storage.memory {
            return None;
        }
        let mut sliced = Self::new(self.name.clone(), &self.usage);
        for piece in &self.pieces {
            let again = slices(self.in_memory(piece)?);
            sliced.add(piece.source, Partitioned { states: piece.states, ..again }).ok()?;
        }
        sliced.done.clone_from(&self.done);
        Some(sliced)
    }

    fn free_memory(&mut self) {
        let freed = |piece: &mut Stretch| piece.memory.take().map_or(0, |_| piece.len);
        let bytes = self.pieces.iter_mut().map(freed).sum();
        self.usage.memory.fetch_sub(bytes, Ordering::Relaxed);
        self.blocks = Slabs::default();
    }

    /// Removes the file, so that its disk space is free; the layer counts as empty then.
    pub fn remove_file(&self) {
        let file = self.file.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(file) = file
            && folder::remove_file(&file.path).is_ok()
        {
            let mut freed = self.freed.lock().unwrap_or_else(PoisonError::into_inner);
            self.usage.free_disk(file.len - std::mem::take(&mut freed.bytes));
        }
    }

    pub fn listed(&self) -> (String, Vec<ListedPiece>) {
        let listed = |piece: &Stretch| {
            let (offset, checks) = piece.disk.get().cloned().unwrap_or_default();
            ListedPiece {
                source: piece.source,
                len: piece.len,
                states: piece.states,
                offset,
                parts: piece.parts.clone(),
                checks,
            }
        };
        (self.name.clone(), self.done().map(listed).collect())
    }

    /// Restores a layer that an index lists, whose pieces are on disk.
    pub fn restored(
        name: String,
        listed: Vec<ListedPiece>,
        usage: &Arc<Usage>,
    ) -> Result<Self, LayersError> {
        let mut stored = Self::new(name, usage);
        let Some(folder) = &usage.storage.folder else {
            return Ok(stored);
        };
        let path = folder.join(&stored.name);
        let (gaps, end) = gaps(&listed);
        if end > 0 {
            let mut file = Appended::resumed(path, end, usage.storage.is_shared)?;
            file.gaps = gaps;
            stored.file = Mutex::new(Some(file));
            usage.disk.fetch_add(end, Ordering::Relaxed);
        }
        for piece in listed {
            stored.done.insert(piece.source);
            stored.list(Stretch {
                source: piece.source,
                len: piece.len,
                states: piece.states,
                parts: piece.parts,
                memory: None,
                disk: OnceLock::from((piece.offset, piece.checks)),
            });
        }
        Ok(stored)
    }

    pub fn slice_count(&self) -> usize {
        self.of_slice.len()
    }

    /// The slices, those with most bytes first.
    pub fn slices(&self) -> Vec<SliceSize> {
        let size = |&slice: &u64| SliceSize { bytes: self.bytes_of(slice), slice };
        let mut slices: Vec<SliceSize> = self.of_slice.keys().map(size).collect();
        slices.sort_unstable_by(|one, other| other.cmp(one));
        slices
    }

    /// The parts of a slice, each of which is read on request.
    fn parts_of(
        &self,
        slice: u64,
    ) -> impl Iterator<Item = Result<Cow<'_, [u8]>, StatesUnavailable>> {
        self.of_slice.get(&slice).into_iter().flatten().map(|&(piece, part)| {
            let (piece, part) = (&self.pieces[piece as usize], part as usize);
            let range = piece.range(part);
            match self.in_memory(piece) {
                Some(bytes) => Ok(Cow::Borrowed(&bytes[range])),
                None => self.read(piece, part).map(Cow::Owned),
            }
        })
    }

    fn read(&self, piece: &Stretch, part: usize) -> Result<Vec<u8>, StatesUnavailable> {
        let range = piece.range(part);
        let opened = {
            let file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            file.as_ref().map(|file| (file.path.clone(), Arc::clone(&file.file)))
        };
        let (Some((path, file)), Some((offset, checks))) = (opened, piece.disk.get()) else {
            return Err(StatesUnavailable::Damaged(format!(
                "a piece of {} lies nowhere",
                self.name
            )));
        };
        let (start, mut bytes) = (offset + range.start as u64, Vec::new());
        let end = start + range.len() as u64;
        let reserved = bytes.try_reserve_exact(range.len()).map_err(io::Error::from);
        bytes.resize(if reserved.is_ok() { range.len() } else { 0 }, 0);
        reserved.and_then(|()| file.read_exact_at(&mut bytes, start)).map_err(|error| {
            let what = format!("cannot read bytes {start}..{end} of {}: {error}", path.display());
            match error.kind() {
                io::ErrorKind::UnexpectedEof => StatesUnavailable::Damaged(what),
                _ => StatesUnavailable::Unreadable(what),
            }
        })?;
        if checks.get(part) == Some(&check(&bytes)) {
            return Ok(bytes);
        }
        Err(StatesUnavailable::Damaged(format!(
            "{} is damaged: bytes {start}..{end} do not fit their checksum",
            path.display()
        )))
    }
}

impl Drop for Stored {
    fn drop(&mut self) {
        self.free_memory();
        let freed = self.freed.get_mut().unwrap_or_else(PoisonError::into_inner);
        if self.file.get_mut().unwrap_or_else(PoisonError::into_inner).is_some() {
            self.usage.holes.fetch_add(freed.bytes, Ordering::Relaxed);
        }
    }
}

impl Layer for Stored {
    fn slice(&self, slice: u64) -> Result<Vec<Cow<'_, [u8]>>, StatesUnavailable> {
        self.parts_of(slice).collect()
    }

    fn each_portion(
        &self,
        slice: u64,
        most: u64,
        show: &mut Portions<'_>,
    ) -> Result<(), StatesUnavailable> {
        let (mut portion, mut read) = (Vec::new(), 0);
        for part in self.parts_of(slice) {
            let part = part?;
            let len = if let Cow::Owned(_) = part { part.len() as u64 } else { 0 };
            if read > 0 && read + len > most {
                show(&views(&portion))?;
                portion.clear();
                read = 0;
            }
            portion.push(part);
            read += len;
        }
        show(&views(&portion))
    }

    fn bytes_of(&self, slice: u64) -> u64 {
        let parts = self.of_slice.get(&slice).into_iter().flatten();
        let range = |&(piece, part): &(u32, u32)| self.pieces[piece as usize].range(part as usize);
        parts.map(|part| range(part).len() as u64).sum()
    }
}

impl Appended {
    /// A new file, in the place of one that a killed process has left.
    fn new(path: PathBuf) -> Result<Self, LayersError> {
        folder::remove_file(&path)?;
        let file = durable::create_new(&path).map_err(trying("write", &path))?;
        Ok(Self { path, file: Arc::new(file), len: 0, gaps: Vec::new() })
    }

    /// A file that an index lists up to a length. What was written after the index was saved is
    /// computed again, so it is cut off, unless the file is only read.
    fn resumed(path: PathBuf, len: u64, mut is_read_only: bool) -> Result<Self, LayersError> {
        let mut opened = durable::open_regular(&path, !is_read_only);
        if !is_read_only && opened.as_ref().is_err_and(durable::is_read_only) {
            // A layer that is finished is not written to.
            (opened, is_read_only) = (durable::open_regular(&path, false), true);
        }
        let file = opened.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => damaged(&path, "it is not there"),
            _ => trying("read", &path)(error).into(),
        })?;
        let there = file.metadata().map_err(trying("read", &path))?.len();
        if there < len {
            let what = format!("it has {there} bytes where its index asks for {len}");
            return Err(damaged(&path, what));
        }
        if !is_read_only {
            file.set_len(len).map_err(trying("cut", &path))?;
        }
        Ok(Self { path, file: Arc::new(file), len, gaps: Vec::new() })
    }
}

/// The gaps between pieces, and where the last ends.
fn gaps(listed: &[ListedPiece]) -> (Vec<Range<u64>>, u64) {
    let mut pieces: Vec<Range<u64>> =
        listed.iter().map(|piece| piece.offset..piece.offset + piece.len).collect();
    pieces.sort_unstable_by_key(|piece| piece.start);
    let (mut gaps, mut end) = (Vec::new(), 0);
    for piece in pieces {
        if piece.start > end {
            gaps.push(end..piece.start);
        }
        end = end.max(piece.end);
    }
    (gaps, end)
}

/// A slice of a layer and its size. Smaller ones come first in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SliceSize {
    /// The bytes of its packed states.
    pub bytes: u64,
    pub slice: u64,
}

impl SliceSize {
    /// The memory that it takes to work on it at once: unpacked it has four times as many bytes,
    /// and its output has two to four times as many.
    pub fn memory(&self) -> u64 {
        16 * self.bytes
    }
}

/// The error for a damaged file; `what` is the defect, and its place.
pub(super) fn damaged(path: &Path, what: impl Display) -> LayersError {
    StatesUnavailable::Damaged(format!("{} is damaged: {what}", path.display())).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_that_are_freed_take_no_disk_and_the_others_are_as_they_were() {
        let folder = tempfile::tempdir().expect("a folder");
        let states = folder.path().join("states");
        let storage = Storage { disk: 1 << 20, folder: Some(states.clone()), ..Storage::default() };
        let usage = Arc::new(Usage::new(storage));
        let mut stored = Stored::new("0-1".to_owned(), &usage);
        let parts = (0..4).map(|slice| SliceStart { slice, start: 20_000 * slice }).collect();
        let piece = Partitioned { bytes: vec![7; 80_000], parts, ..Partitioned::default() };
        stored.add(0, piece).expect("the disk has room");
        stored.done.insert(0);
        stored.flush().expect("it can be synced");
        let least = stored.freeable();
        assert!((40_000..80_000).contains(&least), "{least}");
        for _ in 0..2 {
            stored.free(&HashSet::from([0, 2]));
        }
        let freed = 80_000 - stored.len();
        assert!((24_000..=40_000).contains(&freed), "{freed}");
        assert_eq!(usage.disk(), stored.len());
        assert!(stored.slice(0).is_err() && stored.slice(1).expect("kept").concat() == [7; 20_000]);
        let taken: u64 = folder::own_files(&states).iter().map(|file| file.taken).sum();
        assert!(taken <= 84_000 - freed, "{taken} bytes on disk");
        drop(stored);
        assert_eq!((usage.disk(), usage.take_holes()), (80_000 - freed, freed));
    }

    #[test]
    fn a_layer_in_memory_is_sliced_anew_if_there_is_room_for_both() {
        let layer = |memory| {
            let usage = Arc::new(Usage::new(Storage { memory, ..Storage::default() }));
            let mut stored = Stored::new("1-8".to_owned(), &usage);
            let parts = vec![SliceStart { slice: 7, start: 0 }];
            let piece =
                Partitioned { bytes: vec![1, 2], parts, states: 5, ..Partitioned::default() };
            stored.add(3, piece).expect("it has room");
            stored.done.insert(3);
            (stored, usage)
        };
        let slices = |packed: &[u8]| {
            let parts = (0..2).map(|slice| SliceStart { slice, start: slice }).collect();
            Partitioned { bytes: packed.to_vec(), parts, ..Partitioned::default() }
        };
        let (stored, usage) = layer(4);
        let sliced = stored.sliced(&slices).expect("it has room");
        assert_eq!((sliced.name.as_str(), sliced.states(), usage.memory()), ("1-8", 5, 2));
        assert_eq!(sliced.slice(1).expect("it is there").concat(), [2]);
        assert!(sliced.slice(7).expect("is empty").is_empty() && sliced.done.contains(&3));
        let (stored, usage) = layer(3);
        assert!(stored.sliced(&slices).is_none());
        assert_eq!(usage.memory(), 0);
    }

    #[test]
    fn a_slice_on_disk_comes_in_portions_that_are_the_whole_together() {
        let folder = tempfile::tempdir().expect("a folder");
        let states = Some(folder.path().join("states"));
        let storage = Storage { disk: 1 << 20, folder: states, ..Storage::default() };
        let mut stored = Stored::new("0-1".to_owned(), &Arc::new(Usage::new(storage)));
        let pieces = [vec![1; 3], vec![2; 4], vec![3; 1], vec![4; 9], vec![5; 2]];
        for (source, bytes) in (0..).zip(&pieces) {
            let (bytes, parts) = (bytes.clone(), vec![SliceStart { slice: 7, start: 0 }]);
            let piece = Partitioned { bytes, parts, ..Partitioned::default() };
            stored.add(source, piece).expect("the disk has room");
        }
        for (most, lengths) in
            [(0, vec![3, 4, 1, 9, 2]), (8, vec![8, 9, 2]), (11, vec![8, 11]), (99, vec![19])]
        {
            let mut portions = Vec::new();
            let mut show = |views: &[&[u8]]| {
                portions.push(views.concat());
                Ok(())
            };
            stored.each_portion(7, most, &mut show).expect("it is there");
            assert_eq!(portions.concat(), pieces.concat(), "{most}");
            assert_eq!(portions.iter().map(Vec::len).collect::<Vec<_>>(), lengths, "{most}");
        }
    }
}
