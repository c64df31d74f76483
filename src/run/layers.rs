//! What precedes the units of a run: the rounds of its sweeps, on many threads, in memory or on disk.
//!
//! A round takes the slices of one [`Stored`] layer, each on any thread, and what comes of them makes the next. The bytes of a slice come and go
//! in *pieces*, one for each slice that they come from, or some if it is much. What is not done of a slice is made again, and the place of its pieces in a file filled. Pieces stay in memory while there is room for them; the others
//! are appended to a file of their layer as they come. To save is to append those that are in memory only too and to write an
//! index that names those of all slices that are done: so a killed run finds the rounds that were done, and of the one it was in what was done of that.
//! A file is deleted when no index needs it any longer.
//!
//! In the folder of the checkpoint: `index`, and `S-R` with the bytes after round R of sweep S. Every part of a
//! piece is under a checksum of its own, looked at when it is read. See `docs/formats.md`.

use super::checkpoint::codec;
use super::durable::{self, DurableError, trying};
use super::observer::Building;
use super::pool::{self, Means};
use crate::rounds::{Built, Dealt, Layer, Lost};
use crate::work::{Identity, Work};
use num_bigint::BigUint;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Why the rounds cannot be gone through.
#[derive(Debug, thiserror::Error)]
pub enum LayersError {
    /// The system refuses.
    #[error(transparent)]
    Io(#[from] DurableError),
    /// A file is damaged.
    #[error("{path} is damaged: {what}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        what: String,
    },
    /// There is no room for what has to be kept.
    #[error(
        "the states before the units do not fit a half of {memory} bytes of memory and {disk} bytes of disk"
    )]
    Room {
        /// The bound on all memory.
        memory: u64,
        /// The bound on disk.
        disk: u64,
    },
}

/// Where pieces may lie.
#[derive(Debug, Clone)]
pub(super) struct Bounds {
    /// The most bytes of memory.
    pub memory: u64,
    /// The most bytes of disk; none without a folder.
    pub disk: u64,
    /// The folder.
    pub folder: Option<PathBuf>,
    /// Whether others read the folder too: then nothing in it is written.
    pub is_shared: bool,
    /// Whether what a round took is kept when the round is over.
    pub keeps_all: bool,
}

impl Bounds {
    fn folder(&self) -> PathBuf {
        self.folder.clone().unwrap_or_default()
    }
}

/// What a piece is made of and where it lies.
#[derive(Debug)]
struct Stretch {
    /// The slice of the round before that it comes from.
    source: u64,
    len: u64,
    states: u64,
    parts: Vec<Part>,
    memory: Option<Vec<u8>>,
    /// Where it begins in the file of its layer, and the checksums of its parts.
    disk: OnceLock<(u64, Vec<u64>)>,
}

/// The bytes of one slice in a piece: the slice, and where they begin.
type Part = (u64, u64);

/// What the index says of a piece.
#[derive(Debug, Serialize, Deserialize)]
struct Listed {
    source: u64,
    len: u64,
    states: u64,
    offset: u64,
    parts: Vec<Part>,
    /// Of each part the first eight bytes of its SHA-256.
    checks: Vec<u64>,
}

/// What is in the file `index`, before the layers.
#[derive(Debug, Serialize, Deserialize)]
struct Index {
    identity: Identity,
    /// The sweep and the round that is going on.
    at: (usize, usize),
    taken: u64,
    most_states: u64,
    met: Vec<(u32, Vec<u8>)>,
}

/// What sweeps have come to, then what the round takes and what it has made so far, then what earlier rounds took, if
/// that is kept: the name of each file, and its pieces.
type Layers = Vec<(String, Vec<Listed>)>;

/// Bytes in use by all layers, and their bounds.
#[derive(Debug)]
struct Usage {
    bounds: Bounds,
    memory: AtomicU64,
    disk: AtomicU64,
}

/// The pieces of a layer.
#[derive(Debug)]
struct Stored {
    name: String,
    usage: Arc<Usage>,
    file: Mutex<Option<Appended>>,
    pieces: Vec<Stretch>,
    /// By slice, where its bytes are: the numbers of the piece and of its part.
    of_slice: HashMap<u64, Vec<(u32, u32)>>,
    /// The slices of the round before of which all pieces are here. Those of the others are not in the index.
    done: HashSet<u64>,
}

/// A file that is appended to.
#[derive(Debug)]
struct Appended {
    path: PathBuf,
    file: Arc<File>,
    len: u64,
    /// What no index asks for: left by slices that were not finished.
    gaps: Vec<Range<u64>>,
}

fn check(bytes: &[u8]) -> u64 {
    let digest = Sha256::digest(bytes);
    let mut first = [0; 8];
    first.copy_from_slice(&digest[..8]);
    u64::from_le_bytes(first)
}

impl Stretch {
    /// Where a part of it lies.
    fn range(&self, part: usize) -> Range<usize> {
        let end = self.parts.get(part + 1).map_or(self.len, |next| next.1);
        self.parts[part].1 as usize..end as usize
    }
}

impl Stored {
    fn new(name: String, usage: &Arc<Usage>) -> Self {
        Self {
            name,
            usage: Arc::clone(usage),
            file: Mutex::default(),
            pieces: Vec::new(),
            of_slice: HashMap::new(),
            done: HashSet::new(),
        }
    }

    fn states(&self) -> u64 {
        self.pieces.iter().map(|piece| piece.states).sum()
    }

    /// Its bytes, wherever they are: what is saved is on disk and may be in memory too.
    fn len(&self) -> u64 {
        self.pieces.iter().map(|piece| piece.len).sum()
    }

    /// Takes a piece over, into memory if there is room.
    fn add(&mut self, source: u64, dealt: Dealt) -> Result<(), LayersError> {
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
        if usage.memory.load(Ordering::Relaxed) + len <= usage.bounds.memory {
            usage.memory.fetch_add(len, Ordering::Relaxed);
            piece.memory = Some(dealt.bytes);
        } else {
            self.append(&piece, &dealt.bytes)?;
        }
        self.list(piece);
        Ok(())
    }

    fn list(&mut self, piece: Stretch) {
        let number = self.pieces.len() as u32;
        for (part, of) in piece.parts.iter().enumerate() {
            self.of_slice
                .entry(of.0)
                .or_default()
                .push((number, part as u32));
        }
        self.pieces.push(piece);
    }

    /// Appends a piece to the file.
    fn append(&self, piece: &Stretch, bytes: &[u8]) -> Result<(), LayersError> {
        let Bounds {
            memory,
            disk,
            folder,
            ..
        } = &self.usage.bounds;
        let too_small = LayersError::Room {
            memory: memory.saturating_mul(2),
            disk: *disk,
        };
        let Some(folder) = folder else {
            return Err(too_small);
        };
        let parts = (0..piece.parts.len()).map(|part| piece.range(part));
        let checks = parts.map(|range| check(&bytes[range])).collect();
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if file.is_none() {
            fs::create_dir_all(folder).map_err(trying("make the folder", folder))?;
            *file = Some(Appended::open(folder.join(&self.name), 0, false)?);
        }
        if let Some(file) = file.as_mut() {
            let (gap, place) = file.place(piece.len);
            let more = (place + piece.len).saturating_sub(file.len);
            if self.usage.disk.load(Ordering::Relaxed) + more > *disk {
                return Err(too_small);
            }
            file.file
                .write_all_at(bytes, place)
                .map_err(trying("write", &file.path))?;
            let _ = piece.disk.set((place, checks));
            if let Some(gap) = gap {
                file.gaps[gap].start += piece.len;
            }
            file.len += more;
            self.usage.disk.fetch_add(more, Ordering::Relaxed);
        }
        Ok(())
    }

    /// The pieces of what is done.
    fn done(&self) -> impl Iterator<Item = &Stretch> {
        let is_done = |piece: &&Stretch| self.done.contains(&piece.source);
        self.pieces.iter().filter(is_done)
    }

    /// Appends what is in memory only, and sees that all of it is on disk.
    fn flush(&self) -> Result<(), LayersError> {
        for piece in self.done().filter(|piece| piece.disk.get().is_none()) {
            self.append(piece, piece.memory.as_deref().unwrap_or_default())?;
        }
        let file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        match &*file {
            Some(file) => Ok(file.file.sync_all().map_err(trying("sync", &file.path))?),
            None => Ok(()),
        }
    }

    fn listed(&self) -> (String, Vec<Listed>) {
        let listed = |piece: &Stretch| {
            let (offset, checks) = piece.disk.get().cloned().unwrap_or_default();
            Listed {
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

    /// What an index lists, on disk.
    fn had_back(
        name: String,
        listed: Vec<Listed>,
        usage: &Arc<Usage>,
    ) -> Result<Self, LayersError> {
        let mut stored = Self::new(name, usage);
        let Some(folder) = &usage.bounds.folder else {
            return Ok(stored);
        };
        let path = folder.join(&stored.name);
        let (gaps, end) = gaps(&listed);
        if end > 0 {
            let meta = fs::metadata(&path).map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => damaged(&path, "it is not there"),
                _ => trying("read", &path)(error).into(),
            })?;
            let len = meta.len();
            if len < end {
                let what = format!("it has {len} bytes where its index asks for {end}");
                return Err(damaged(&path, what));
            }
            // What was written after the index was saved is made again.
            let mut file = Appended::open(path, end, usage.bounds.is_shared)?;
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

    /// The slices, those with most bytes first, each with the memory that it takes to work on it.
    fn slices(&self) -> Vec<(u64, u64)> {
        let memory = |&slice: &u64| (ROUND_FACTOR * self.bytes_of(slice), slice);
        let mut slices: Vec<(u64, u64)> = self.of_slice.keys().map(memory).collect();
        slices.sort_unstable_by(|one, other| other.cmp(one));
        slices
    }

    fn read(&self, piece: &Stretch, part: usize) -> Result<Vec<u8>, Lost> {
        let range = piece.range(part);
        let opened = {
            let file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            file.as_ref()
                .map(|file| (file.path.clone(), Arc::clone(&file.file)))
        };
        let (Some((path, file)), Some((offset, checks))) = (opened, piece.disk.get()) else {
            return Err(Lost(format!("a piece of {} lies nowhere", self.name)));
        };
        let (start, mut bytes) = (offset + range.start as u64, vec![0; range.len()]);
        let end = start + bytes.len() as u64;
        file.read_exact_at(&mut bytes, start).map_err(|error| {
            Lost(format!(
                "cannot read bytes {start}..{end} of {}: {error}",
                path.display()
            ))
        })?;
        match checks.get(part) == Some(&check(&bytes)) {
            true => Ok(bytes),
            false => Err(Lost(format!(
                "{} is damaged: bytes {start}..{end} do not fit their checksum",
                path.display()
            ))),
        }
    }
}

impl Drop for Stored {
    fn drop(&mut self) {
        let in_memory = self
            .pieces
            .iter()
            .filter(|piece| piece.memory.is_some())
            .map(|piece| piece.len)
            .sum();
        self.usage.memory.fetch_sub(in_memory, Ordering::Relaxed);
    }
}

impl Layer for Stored {
    fn slice(&self, slice: u64) -> Result<Vec<Cow<'_, [u8]>>, Lost> {
        let of_slice = self.of_slice.get(&slice).map_or(&[][..], Vec::as_slice);
        let bytes = of_slice.iter().map(|&(piece, part)| {
            let (piece, part) = (&self.pieces[piece as usize], part as usize);
            let range = piece.range(part);
            match &piece.memory {
                Some(bytes) => Ok(Cow::Borrowed(&bytes[range])),
                None => self.read(piece, part).map(Cow::Owned),
            }
        });
        bytes.collect()
    }

    fn bytes_of(&self, slice: u64) -> u64 {
        let parts = self.of_slice.get(&slice).into_iter().flatten();
        let range = |&(piece, part): &(u32, u32)| self.pieces[piece as usize].range(part as usize);
        parts.map(|part| range(part).len() as u64).sum()
    }
}

impl Appended {
    /// One of so many bytes, or of more that it is cut after unless it is only read.
    fn open(path: PathBuf, len: u64, is_read_only: bool) -> Result<Self, LayersError> {
        let file = match is_read_only {
            true => File::open(&path),
            false => durable::open(&path),
        };
        let file = file.map_err(trying("open", &path))?;
        if !is_read_only {
            file.set_len(len).map_err(trying("cut", &path))?;
        }
        Ok(Self {
            path,
            file: Arc::new(file),
            len,
            gaps: Vec::new(),
        })
    }

    /// Where so many bytes go: the first gap that has them, and the place.
    fn place(&self, len: u64) -> (Option<usize>, u64) {
        let fits = |gap: &Range<u64>| gap.end - gap.start >= len;
        let gap = self.gaps.iter().position(fits);
        (gap, gap.map_or(self.len, |gap| self.gaps[gap].start))
    }
}

/// The gaps between pieces, and where the last ends.
fn gaps(listed: &[Listed]) -> (Vec<Range<u64>>, u64) {
    let mut pieces: Vec<Range<u64>> = listed
        .iter()
        .map(|piece| piece.offset..piece.offset + piece.len)
        .collect();
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

/// The sweeps of a work on their way.
#[derive(Debug)]
pub(super) struct Sweeping {
    identity: Identity,
    /// The rounds of each sweep.
    rounds: Vec<usize>,
    usage: Arc<Usage>,
    at: (usize, usize),
    finished: Vec<Arc<Stored>>,
    input: Arc<Stored>,
    output: Stored,
    /// By sweep, what its rounds took, if that is kept.
    kept: Vec<Vec<Arc<Stored>>>,
    met: BTreeMap<u32, BigUint>,
    /// States taken on in all rounds, and the most that one has left.
    taken: u64,
    most_states: u64,
    taken_before: u64,
}

impl Sweeping {
    /// The beginning, or where an earlier process has saved it.
    pub fn new<W: Work>(work: &W, bounds: Bounds) -> Result<Self, LayersError> {
        let sweeps = work.sweeps();
        let usage = Arc::new(Usage {
            bounds,
            memory: AtomicU64::new(0),
            disk: AtomicU64::new(0),
        });
        let rounds = sweeps.map_or(Vec::new(), |sweeps| sweeps.rounds());
        let identity = work.identity();
        if let Some(folder) = &usage.bounds.folder
            && let Some((index, layers)) = Index::read(&folder.join(INDEX), &identity)?
        {
            let is_wanted = !usage.bounds.keeps_all || index.has_all(&rounds, &layers);
            if is_wanted {
                return Self::had_back(index, layers, rounds, &usage);
            }
        }
        Ok(Self {
            kept: kept(&rounds, &usage),
            identity,
            rounds,
            at: (0, 0),
            finished: Vec::new(),
            input: Self::first(0, work, &usage)?,
            output: Stored::new("0-1".to_owned(), &usage),
            usage,
            met: BTreeMap::new(),
            taken: 0,
            most_states: 0,
            taken_before: 0,
        })
    }

    /// What a sweep begins with.
    fn first<W: Work>(
        sweep: usize,
        work: &W,
        usage: &Arc<Usage>,
    ) -> Result<Arc<Stored>, LayersError> {
        let mut first = Stored::new(format!("{sweep}-0"), usage);
        if let Some(sweeps) = work.sweeps() {
            first.add(0, sweeps.start())?;
            first.done.insert(0);
        }
        Ok(Arc::new(first))
    }

    fn had_back(
        index: Index,
        layers: Layers,
        rounds: Vec<usize>,
        usage: &Arc<Usage>,
    ) -> Result<Self, LayersError> {
        let had_back = |(name, listed)| Stored::had_back(name, listed, usage);
        let mut layers = layers
            .into_iter()
            .map(had_back)
            .collect::<Result<Vec<_>, _>>()?;
        let mut inputs = layers
            .split_off(layers.len().min(index.at.0 + 2))
            .into_iter();
        let mut kept = kept(&rounds, usage);
        for (sweep, kept) in kept.iter_mut().enumerate() {
            let before = index.rounds_before(sweep, &rounds);
            kept.extend(inputs.by_ref().take(before).map(Arc::new));
        }
        let path = usage.bounds.folder().join(INDEX);
        let inconsistent = || damaged(&path, "its layers are not those of its round");
        let (output, input) = layers.pop().zip(layers.pop()).ok_or_else(inconsistent)?;
        let is_sound = layers.len() == index.at.0
            && index.at.0 <= rounds.len()
            && rounds.get(index.at.0).is_none_or(|&of| index.at.1 <= of);
        if !is_sound {
            return Err(inconsistent());
        }
        let met = index
            .met
            .into_iter()
            .map(|(name, bytes)| (name, BigUint::from_bytes_le(&bytes)));
        Ok(Self {
            identity: index.identity,
            rounds,
            usage: Arc::clone(usage),
            at: index.at,
            finished: layers.into_iter().map(Arc::new).collect(),
            input: Arc::new(input),
            output,
            kept,
            met: met.collect(),
            taken: index.taken,
            most_states: index.most_states,
            taken_before: index.taken,
        })
    }

    /// States taken on by this process.
    pub fn taken_here(&self) -> u64 {
        self.taken - self.taken_before
    }

    /// How far it is.
    pub fn progress(&self) -> Building {
        let (sweep, round) = self.at;
        let before: usize = self.rounds.iter().take(sweep).sum();
        Building {
            round: before + round,
            rounds: self.rounds.iter().sum(),
            slices: self.output.done.len(),
            slices_of: self.input.of_slice.len(),
            states: self.output.states().max(self.input.states()),
            most_states: self.most_states.max(self.output.states()),
            bytes: self.layers().map(Stored::len).sum(),
        }
    }

    /// Goes through the rounds until all are done or it is told to stop. `look_up` is called several times a second on this
    /// thread, and may save what there is.
    pub fn go<W: Work>(
        &mut self,
        work: &W,
        means: Means,
        look_up: &mut dyn FnMut(&mut Self),
    ) -> Result<(), LayersError> {
        while self.at.0 < self.rounds.len() {
            while self.at.1 < self.rounds[self.at.0] {
                self.round(work, means, look_up)?;
                if means.control.is_stopped() {
                    return Ok(());
                }
                self.at.1 += 1;
                self.most_states = self.most_states.max(self.output.states());
                let next = Stored::new(format!("{}-{}", self.at.0, self.at.1 + 1), &self.usage);
                let made = std::mem::replace(&mut self.output, next);
                let taken = std::mem::replace(&mut self.input, Arc::new(made));
                if let Some(kept) = self.kept.get_mut(self.at.0) {
                    kept.push(taken);
                }
            }
            self.at = (self.at.0 + 1, 0);
            let next = Self::first(self.at.0, work, &self.usage)?;
            self.finished.push(std::mem::replace(&mut self.input, next));
            self.output = Stored::new(format!("{}-1", self.at.0), &self.usage);
        }
        Ok(())
    }

    fn round<W: Work>(
        &mut self,
        work: &W,
        means: Means,
        look_up: &mut dyn FnMut(&mut Self),
    ) -> Result<(), LayersError> {
        let Some(sweeps) = work.sweeps() else {
            return Ok(());
        };
        let (input, at) = (Arc::clone(&self.input), self.at);
        let mut slices = input.slices();
        slices.retain(|(_, slice)| !self.output.done.contains(slice));
        let advance = |worker: &mut W::Worker, slice, send: &dyn Fn(Came)| match input.slice(slice)
        {
            Ok(pieces) => {
                let views: Vec<&[u8]> = pieces.iter().map(AsRef::as_ref).collect();
                let stop = || means.control.is_stopped();
                let mut deal = |portion| send(Came::Portion(slice, portion));
                let last = sweeps.advance(worker, at, slice, &views, &stop, &mut deal);
                last.into_iter()
                    .for_each(|last| send(Came::Last(slice, last)));
            }
            Err(lost) => send(Came::Lost(lost)),
        };
        let mut failed = None;
        pool::each(
            means,
            slices,
            || work.worker(),
            advance,
            |came| {
                match came {
                    _ if failed.is_some() => {}
                    Some(Came::Portion(slice, dealt)) => {
                        failed = self.output.add(slice, dealt).err()
                    }
                    Some(Came::Last(slice, dealt)) => failed = self.take(slice, dealt).err(),
                    Some(Came::Lost(Lost(what))) => {
                        failed = Some(damaged(&self.usage.bounds.folder(), what))
                    }
                    None => {}
                }
                match failed {
                    Some(_) => means.control.stop(),
                    None => look_up(self),
                }
            },
        );
        failed.map_or(Ok(()), Err)
    }
}

/// What comes of the slices of a round: of each some portions, then the last with all sums, unless it is stopped.
enum Came {
    Portion(u64, Dealt),
    Last(u64, Dealt),
    Lost(Lost),
}

/// A slice that is worked on takes at most so many times the bytes that it has packed: unpacked it has four times as many, and
/// what comes of it is two to four times as much.
const ROUND_FACTOR: u64 = 16;

/// The name of the index.
const INDEX: &str = "index";

impl Sweeping {
    /// Takes over the last portion of a slice. What has no room counts as not done, so its sums are not taken either.
    fn take(&mut self, slice: u64, mut dealt: Dealt) -> Result<(), LayersError> {
        let (taken, met) = (dealt.taken, std::mem::take(&mut dealt.met));
        self.output.add(slice, dealt)?;
        self.output.done.insert(slice);
        self.taken += taken;
        for (name, number) in met {
            *self.met.entry(name).or_default() += number;
        }
        Ok(())
    }

    /// Puts everything on disk, such that a later process goes on from here.
    pub fn save(&self) -> Result<(), LayersError> {
        let Some(folder) = self.usage.bounds.folder.clone() else {
            return Ok(());
        };
        if self.usage.bounds.is_shared {
            return Ok(());
        }
        let mut layers = Layers::new();
        for layer in self.layers() {
            layer.flush()?;
            layers.push(layer.listed());
        }
        let met = self
            .met
            .iter()
            .map(|(name, number)| (*name, number.to_bytes_le()));
        let index = Index {
            identity: self.identity.clone(),
            at: self.at,
            taken: self.taken,
            most_states: self.most_states,
            met: met.collect(),
        };
        let path = folder.join(INDEX);
        let bytes = codec::encode(&index, &layers).map_err(|error| damaged(&path, error))?;
        durable::replace(&path, &bytes, || Ok(()))?;
        self.tidy(&folder);
        Ok(())
    }

    /// Removes the files of layers that are no longer needed. What cannot be removed harms nobody.
    fn tidy(&self, folder: &Path) {
        let needed: HashSet<&str> = self
            .layers()
            .map(|layer| layer.name.as_str())
            .chain([INDEX])
            .collect();
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if !needed.contains(entry.file_name().to_string_lossy().as_ref()) {
                let freed = entry.metadata().map_or(0, |meta| meta.len());
                if fs::remove_file(entry.path()).is_ok() {
                    let less = |used: u64| Some(used.saturating_sub(freed));
                    let _ =
                        self.usage
                            .disk
                            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
                }
            }
        }
    }

    fn layers(&self) -> impl Iterator<Item = &Stored> {
        let finished = self.finished.iter().chain([&self.input]).map(AsRef::as_ref);
        let kept = self.kept.iter().flatten().map(AsRef::as_ref);
        finished.chain([&self.output]).chain(kept)
    }

    /// What the sweeps have come to.
    pub fn built(self) -> Built {
        let layers = self
            .finished
            .into_iter()
            .map(|layer| layer as Arc<dyn Layer>);
        let inputs = self.kept.into_iter().map(|kept| {
            let inputs = kept.into_iter();
            inputs.map(|layer| layer as Arc<dyn Layer>).collect()
        });
        Built {
            layers: layers.collect(),
            inputs: inputs.collect(),
            met: self.met.into_iter().collect(),
        }
    }
}

/// Whether a folder has all that precedes the units of a run: so that others may read it there.
///
/// # Errors
/// [`LayersError`] when its index cannot be read.
pub fn is_prepared<W: Work>(folder: &Path, work: &W) -> Result<bool, LayersError> {
    let index = Index::read(&folder.join(INDEX), &work.identity())?;
    let rounds = work.sweeps().map_or(0, |sweeps| sweeps.rounds().len());
    Ok(index.is_some_and(|(index, _)| index.at.0 == rounds))
}

fn damaged(path: &Path, what: impl ToString) -> LayersError {
    LayersError::Damaged {
        path: path.to_owned(),
        what: what.to_string(),
    }
}

/// Where the inputs of the rounds of each sweep are kept, if they are.
fn kept(rounds: &[usize], usage: &Usage) -> Vec<Vec<Arc<Stored>>> {
    match usage.bounds.keeps_all {
        true => rounds.iter().map(|_| Vec::new()).collect(),
        false => Vec::new(),
    }
}

impl Index {
    /// The rounds of a sweep that are over.
    fn rounds_before(&self, sweep: usize, rounds: &[usize]) -> usize {
        match sweep.cmp(&self.at.0) {
            std::cmp::Ordering::Less => rounds[sweep],
            std::cmp::Ordering::Equal => self.at.1,
            std::cmp::Ordering::Greater => 0,
        }
    }

    /// Whether what all rounds took was kept.
    fn has_all(&self, rounds: &[usize], layers: &Layers) -> bool {
        let over = (0..rounds.len()).map(|sweep| self.rounds_before(sweep, rounds));
        layers.len() == self.at.0 + 2 + over.sum::<usize>()
    }

    /// The index of a run and its layers, if there is one; one of another run is as good as none.
    fn read(path: &Path, identity: &Identity) -> Result<Option<(Self, Layers)>, LayersError> {
        let Some(bytes) = durable::read(path)? else {
            return Ok(None);
        };
        let decoded = codec::head::<Self>(&bytes)
            .and_then(|index| Ok((index, codec::body::<Layers>(&bytes)?)));
        let (index, layers) = decoded.map_err(|error| damaged(path, error))?;
        Ok((index.identity == *identity).then_some((index, layers)))
    }
}
