//! The state of a run on disk, from which the same command resumes.
//!
//! [`codec`] turns a state into bytes and back and notices every damaged byte; [`store`] puts the
//! bytes on disk so that there is always a whole checkpoint, whenever the power fails, and keeps
//! two processes from sharing one. [`folder`] knows its files in the folder beside it.

pub(in crate::run) mod codec;
pub(in crate::run) mod folder;
mod store;

use codec::Encoded;
pub use codec::{CodecError, looks_like_checkpoint};
pub use store::{Store, StoreError, all_in, disk_used, holder};

use crate::cursor::UnitPiece;
use crate::durable::trying;
use crate::rounds::Building;
use crate::tally::Tally;
use crate::units::Shard;
use crate::units::history::History;
use crate::work::Identity;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The header of a checkpoint: which run it belongs to, and its progress, without the units.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The identity of the run.
    pub identity: Identity,
    /// The shard that this process counts.
    pub shard: Shard,
    /// The number of finished units.
    pub done: u64,
    /// The number of units that are started and not finished.
    pub begun: u64,
    /// The share of the work that is done, the time left, and the tours found, as they were shown.
    pub status: Status,
    /// The effort of all processes of this run.
    pub spent: Spent,
    /// The time at which it was saved.
    pub saved: SystemTime,
    /// The history of the run.
    pub history: History,
}

/// The effort of all processes of a run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Spent {
    /// The time.
    pub time: Duration,
    /// The part of it in which the states before the units were computed, as often as that was.
    pub before: Duration,
    /// The nodes visited, or states computed.
    pub nodes: u64,
}

/// The status of a run at some moment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Status {
    /// The share of the work that is done, from 0 to 1; `None` before it is known. It never falls,
    /// and is 1 only at the end.
    pub share: Option<f64>,
    /// The time left at the speed of the process; `None` unless two estimates agree.
    pub left: Option<Duration>,
    /// The progress of the sweeps before the units, while they are computed.
    pub building: Option<Building>,
    /// The number of directed tours counted so far.
    pub found: Tally,
}

impl Header {
    /// The time that it took to compute the states before the units, if units that are not done
    /// need them and no file has them any more.
    pub fn lost(&self, path: &Path) -> Option<Duration> {
        /// To read states back that others have prepared takes less.
        const LEAST: Duration = Duration::from_millis(100);
        let needs = self.done < self.units() as u64;
        let has_lost = needs && self.spent.before >= LEAST;
        let folder = Store::folder_of_states(path);
        (has_lost && !super::has_states(&folder)).then_some(self.spent.before)
    }

    /// The share of the work that is done, without that of states that are lost, which took this
    /// time.
    pub fn share(&self, lost: Option<Duration>) -> Option<f64> {
        let spent = self.spent.time.as_secs_f64().max(f64::MIN_POSITIVE);
        let lost = lost.unwrap_or_default().as_secs_f64() / spent;
        self.status.share.map(|share| share * (1.0 - lost.clamp(0.0, 1.0)))
    }

    /// The time left, with that for states that are lost, which took this time; `None` unless two
    /// estimates agree, and when all is counted and only classes or ends may be left.
    pub fn left(&self, lost: Option<Duration>) -> Option<Duration> {
        let left = self.status.left.filter(|_| self.done < self.units_of_run())?;
        Some(left.saturating_add(lost.unwrap_or_default()))
    }

    /// The number of units of the run, which may be a shard; those of the whole count if this
    /// library has no engine with the same units.
    pub fn units_of_run(&self) -> u64 {
        match self.units() as u64 {
            0 => self.identity.units,
            units => units,
        }
    }

    /// The number of units of the shard; 0 if this library has no engine with the same units.
    pub fn units(&self) -> usize {
        self.shard.len_of_run(&self.identity).unwrap_or(0)
    }
}

/// The state of a unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum UnitState {
    /// Nothing done.
    Untouched,
    /// Counted.
    Done(Tally),
    /// Counted in part.
    Begun {
        /// The tours found so far.
        found: Tally,
        /// The pieces that remain.
        pieces: Vec<UnitPiece>,
    },
}

/// The reason why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file cannot be read, written or locked.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file is damaged.
    #[error(
        "{path} is {}: {source}; nothing was changed{}",
        match (source, previous) {
            (CodecError::Magic(_), None) => "not a checkpoint, or damaged",
            _ => "damaged",
        },
        before(previous.as_ref())
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The state saved before it, if it is there.
        previous: Option<PathBuf>,
        /// The defect, and the bytes that are affected.
        source: CodecError,
    },
    /// The file was written by another version of the program.
    #[error(
        "{path} has format version {version}, this program reads version {}; nothing was changed",
        codec::VERSION
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its format version.
        version: u32,
    },
    /// The run is of an engine that is not in this program.
    #[error(
        "{path} is of a run by an engine `{engine}`, which this program does not have; nothing was changed"
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The engine.
        engine: String,
    },
}

impl CheckpointError {
    /// True if a fresh start replaces the file: a checkpoint that is damaged or of another version,
    /// which nobody holds.
    pub fn is_replaceable(&self) -> bool {
        !matches!(self, Self::Store(_) | Self::Damaged { source: CodecError::Magic(_), .. })
    }

    fn damaged(path: &Path, source: CodecError) -> Self {
        let previous = Some(store::previous(path)).filter(|previous| previous.exists());
        let path = path.to_owned();
        match source {
            CodecError::Io(error) => StoreError::Io(error).into(),
            CodecError::Version(version) => Self::Version { path, version },
            CodecError::Memory(error) => {
                StoreError::Io(trying("hold in memory", &path)(error.into())).into()
            }
            source => Self::Damaged { path, previous, source },
        }
    }
}

fn before(previous: Option<&PathBuf>) -> String {
    previous.map_or(String::new(), |previous| {
        format!("; the state saved before it is in {}", previous.display())
    })
}

/// Reads the header of a checkpoint, even while another process holds it; `None` if there is no
/// such file.
///
/// # Errors
/// [`CheckpointError`] if the file cannot be read or is damaged.
pub fn peek(path: &Path) -> Result<Option<Header>, CheckpointError> {
    decoded(path, Encoded::head)
}

fn decoded<T>(
    path: &Path,
    decode: impl FnOnce(&Encoded) -> Result<T, CodecError>,
) -> Result<Option<T>, CheckpointError> {
    let decoded = Encoded::read(path).and_then(|file| file.as_ref().map(decode).transpose());
    decoded.map_err(|source| CheckpointError::damaged(path, source))
}

/// Reads the header of a checkpoint, or, while its run is live, the header that the run shows every
/// few seconds.
///
/// # Errors
/// As [`peek`].
pub fn peek_live(path: &Path) -> Result<Option<Header>, CheckpointError> {
    let saved = peek(path)?;
    let shown = holder(path).and_then(|_| peek(&store::live(path)).ok().flatten());
    let newest = |header: &Option<Header>| header.as_ref().map(|header| header.saved);
    Ok(if newest(&shown) > newest(&saved) { shown } else { saved })
}

/// Shows the header of a live run, without its units. What cannot be written is shown later.
pub(super) fn show(store: &Store, header: &Header) {
    if let Ok(bytes) = codec::encode(header, &()) {
        let _ = store.show(&bytes);
    }
}

/// Reads a whole checkpoint, even while another process holds it; `None` if there is no such file.
///
/// # Errors
/// [`CheckpointError`] if the file cannot be read or is damaged.
pub fn read(path: &Path) -> Result<Option<(Header, Vec<UnitState>)>, CheckpointError> {
    let both = |file: &Encoded| Ok((file.head()?, file.list()?));
    let Some((header, units)) = decoded::<(Header, Vec<_>)>(path, both)? else {
        return Ok(None);
    };
    if header.units() != units.len() {
        let what = format!("{} units of {}", units.len(), header.identity.units);
        return Err(inconsistent(path, what));
    }
    Ok(Some((header, units)))
}

/// Reads the units of a checkpoint that [`peek`] has found.
pub(super) fn load(store: &Store) -> Result<Vec<UnitState>, CheckpointError> {
    let is_gone = || CheckpointError::damaged(store.path(), CodecError::Magic(0..0));
    decoded(store.path(), Encoded::list)?.ok_or_else(is_gone)
}

/// The error for a checkpoint whose checksum is right but which this program could not have
/// written.
pub(super) fn inconsistent(path: &Path, what: String) -> CheckpointError {
    CheckpointError::damaged(
        path,
        CodecError::Damaged(format!("its content is inconsistent: {what}")),
    )
}

/// Saves the state of a run and keeps the previous one beside it.
pub(super) fn save(
    store: &Store,
    header: &Header,
    units: &impl Serialize,
) -> Result<(), CheckpointError> {
    let bytes = codec::encode(header, units)
        .map_err(|source| CheckpointError::damaged(store.path(), source))?;
    Ok(store.save(&bytes)?)
}
