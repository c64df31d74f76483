//! Merging the parts of a count into the whole.
//!
//! Merging is refused unless every shard is present and all belong to the same run. Two parts of
//! one shard may be present if they are identical, because a machine that was given up may finish
//! after all. If they differ, one of them is wrong, and both are named.

use super::groups::GroupOrder;
use super::{Assignment, Shard, Units, UnitsError};
use crate::engine::{Engine, EngineError};
use crate::work::{Identity, Name};
use std::collections::{BTreeMap, TryReserveError};
use std::path::{Path, PathBuf};

/// The reason why parts cannot be merged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// A part cannot be read.
    #[error(transparent)]
    Part(#[from] UnitsError),
    /// A part by group is of a run that this library has no engine for.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The folder cannot be read.
    #[error("cannot read the folder {folder}: {source}")]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// There is no part at all.
    #[error("no part in {0}")]
    NoPart(PathBuf),
    /// Shards are missing.
    #[error("{missing} of {of} shards missing: {list}")]
    Missing {
        /// The number of missing shards.
        missing: usize,
        /// The number of shards that there should be.
        of: u32,
        /// The numbers of the first missing shards.
        list: String,
        /// The run that the parts belong to.
        identity: Box<Identity>,
        /// The first missing shard.
        absent: Shard,
    },
    /// Two parts belong to different runs.
    #[error(
        "{one} and {other} are parts of different runs: {one_is}, but {other_is}; move the one that is not meant out of the folder"
    )]
    Foreign {
        /// One part.
        one: PathBuf,
        /// The run of the first part.
        one_is: String,
        /// The other part.
        other: PathBuf,
        /// The run of the other part.
        other_is: String,
    },
    /// There is no memory for the units of all parts.
    #[error("there is no memory for the units of all parts: {0}")]
    Memory(#[from] TryReserveError),
    /// Two parts of one shard differ.
    #[error(
        "{one} and {other} are both shard {shard} and differ: one of them is wrong; count that shard again"
    )]
    Differ {
        /// The shard.
        shard: Shard,
        /// One part.
        one: PathBuf,
        /// The other part.
        other: PathBuf,
    },
}

/// The name of the file of a shard.
pub fn part_name(shard: Shard) -> String {
    format!("part-{}-of-{}", shard.index(), shard.of())
}

/// The shard that the name of a file says it belongs to; see [`part_name`].
pub fn shard_of(path: &Path) -> Option<Shard> {
    let name = path.file_name()?.to_str()?.strip_prefix("part-")?;
    name.replacen("-of-", "/", 1).parse().ok()
}

/// Lists the parts in a folder: the files with names that [`part_name`] makes. A part that is being
/// written, or was left incomplete, has another name, as a copy may have.
///
/// # Errors
/// [`MergeError::Folder`] if the folder cannot be read, [`MergeError::NoPart`] if it has no part.
pub fn parts_in(folder: &Path) -> Result<Vec<PathBuf>, MergeError> {
    let is_part =
        |path: &PathBuf| shard_of(path).is_some_and(|shard| path.ends_with(part_name(shard)));
    let paths = std::fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
    let mut parts: Vec<PathBuf> =
        paths.map_err(|source| MergeError::Folder { folder: folder.to_owned(), source })?;
    parts.retain(is_part);
    parts.sort();
    if parts.is_empty() { Err(MergeError::NoPart(folder.to_owned())) } else { Ok(parts) }
}

impl Units {
    /// Merges parts, in any order, into the units of the whole run. Each has a
    /// name for messages.
    ///
    /// # Errors
    /// [`MergeError`] unless every shard is present, all belong to one run, and all are sound and
    /// consistent; and what reading a part ended in.
    pub fn merge(
        parts: impl IntoIterator<Item = Result<(PathBuf, Units), UnitsError>>,
    ) -> Result<Units, MergeError> {
        let mut first: Option<(PathBuf, Identity, Shard)> = None;
        let mut shards: BTreeMap<u32, (PathBuf, Units)> = BTreeMap::new();
        for part in parts {
            let (path, units) = part?;
            let (first_path, identity, first) =
                first.get_or_insert_with(|| (path.clone(), units.identity.clone(), units.shard));
            let set = |shard: Shard| (shard.of(), shard.assignment());
            if (&*identity, set(*first)) != (&units.identity, set(units.shard)) {
                return Err(MergeError::Foreign {
                    one: first_path.clone(),
                    one_is: describe(identity, *first),
                    other: path.clone(),
                    other_is: describe(&units.identity, units.shard),
                });
            }
            let (shard, other) = (units.shard, path.clone());
            match shards.get(&shard.index()) {
                Some((one, already)) if *already != units => {
                    return Err(MergeError::Differ { shard, one: one.clone(), other });
                }
                _ => shards.insert(shard.index(), (other, units)),
            };
        }
        let (_, identity, first) = first.ok_or_else(|| MergeError::NoPart(PathBuf::from(".")))?;
        put_together(identity, first, shards)
    }
}

/// Puts the units of all shards in the order of their numbers.
fn put_together(
    identity: Identity,
    first: Shard,
    shards: BTreeMap<u32, (PathBuf, Units)>,
) -> Result<Units, MergeError> {
    const NAMED: usize = 10;
    let of = first.of();
    let missing = of as usize - shards.len();
    if missing > 0 {
        let absent = (0..of).filter(|index| !shards.contains_key(index)).take(NAMED);
        let mut absent = absent.map(|index| first.with_index(index)).peekable();
        let first = absent.peek().copied().unwrap_or(first);
        let numbers: Vec<String> = absent.map(|shard| shard.index().to_string()).collect();
        let mut list = numbers.join(", ");
        if missing > NAMED {
            list += &format!(" and {} more", missing - NAMED);
        }
        let identity = Box::new(identity);
        return Err(MergeError::Missing { missing, of, list, identity, absent: first });
    }
    let work = match first.assignment() {
        Assignment::Remainder => None,
        Assignment::Group => Some(Engine::of(&identity)?),
    };
    let in_groups = work.as_deref().map(|work| (work, GroupOrder::new(work)));
    let mut counts = BTreeMap::new();
    for (_, part) in shards.into_values() {
        let numbers = match &in_groups {
            None => part.shard.by_remainder(identity.units as usize),
            Some((work, order)) => {
                let numbers = part.shard.by_group(order);
                part.check_numbers(*work, &numbers)?;
                numbers
            }
        };
        counts.extend(numbers.numbers().iter().copied().zip(part.counts));
    }
    let mut all = Vec::new();
    all.try_reserve_exact(counts.len())?;
    all.extend(counts.into_values());
    Ok(Units { identity, shard: Shard::WHOLE, counts: all })
}

pub(crate) fn describe(identity: &Identity, shard: Shard) -> String {
    let by = match shard.assignment() {
        Assignment::Group => " by group",
        Assignment::Remainder if identity.engine == Name::Frontier => " by remainder",
        Assignment::Remainder => "",
    };
    format!("one of {} shards{by} of the {identity}", shard.of())
}
