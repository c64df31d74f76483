//! The parts of a count in folders, put together.

use super::exit::Failure;
use super::output::note;
use super::retype;
use crate::durable::{beginning, folder_of};
use crate::job::{JobError, check, file_of_shard};
use crate::run::checkpoint::holder;
use crate::units::merge::{MergeError, part_name, parts_in, shard_of};
use crate::units::{Shard, Units, UnitsError, UnitsFile, looks_like_units};
use crate::work::Identity;
use std::path::{Path, PathBuf};

/// The whole run that the parts in some folders make. An empty folder is mentioned and passed over,
/// so that the shards that are missing are named, unless all folders are empty.
pub fn merged(folders: &[PathBuf]) -> Result<Units, Failure> {
    let (mut parts, mut empty) = (Vec::new(), Vec::new());
    for folder in folders {
        match parts_in(folder) {
            Err(error @ MergeError::NoPart(_)) => empty.push(error),
            found => parts.extend(found?),
        }
    }
    if parts.is_empty()
        && let Some(error) = empty.pop()
    {
        return Err(error.into());
    }
    empty.iter().for_each(|error| note(&error.to_string()));
    let read = parts.iter().map(|path| Ok((path.clone(), Units::read(path)?)));
    Units::merge(read).map_err(|error| match error {
        MergeError::Part(UnitsError::Damaged { ref path, .. }) => damaged(path, &parts, &error),
        MergeError::Missing { ref identity, absent, .. } => {
            let command = again(&folders[0], identity, absent);
            // A part of another shard may have its name.
            let is_taken = folders[0].join(part_name(absent)).exists();
            let fresh = if is_taken { " --fresh" } else { "" };
            let advice = format!(": `{command}{fresh}` counts the first");
            Failure::from(error).advising(&advice)
        }
        error => error.into(),
    })
}

/// The units that a file or the parts in a folder have; `None` if the file is of another kind.
pub fn kept(run: &Path) -> Result<Option<UnitsFile>, Failure> {
    if run.is_dir() {
        let units = merged(&[run.to_owned()])?;
        return Ok(Some(UnitsFile { units, history: None, provenance: None }));
    }
    if let (false, Some(holder)) = (run.exists(), holder(run)) {
        let (run, typed) = (run.display(), retype::quoted_path(run));
        let advice = format!("`kt-enum status {typed}` shows how far it is");
        return Err(Failure::failed(format!("{run} is not saved yet by {holder}: {advice}")));
    }
    let is_other = beginning(run, 32)?.is_some_and(|bytes| !looks_like_units(&bytes));
    if is_other { Ok(None) } else { Ok(Some(Units::read_kept(run)?)) }
}

/// Checks what holds for the counts of every run; the refusal names the file and the unit. `run` is
/// what was named: the file, or the folders of the parts.
pub fn check_counts(units: &Units, run: &[PathBuf]) -> Result<(), Failure> {
    let checked = check(units);
    let Err(JobError::Units(error @ UnitsError::Impossible { unit, .. })) = &checked else {
        return Ok(checked.map(drop)?);
    };
    let label = unit.as_ref().map(|(_, label)| label);
    let has_it = |part: &PathBuf| {
        let units = Units::read(part).ok();
        units.is_some_and(|units| units.counts.iter().any(|(other, _)| Some(other) == label))
    };
    let mut parts = run.iter().filter_map(|folder| parts_in(folder).ok()).flatten();
    let named = |path: &PathBuf| path.display().to_string();
    let all = || Vec::from_iter(run.iter().map(named)).join(" and ");
    let file = parts.find(has_it).map_or_else(all, |part| named(&part));
    Err(Failure::mismatch(format!(
        "{file}: {error}; count it again, or ask where the file comes from"
    )))
}

/// The command that counts a shard in a folder.
fn again(folder: &Path, identity: &Identity, shard: Shard) -> String {
    retype::command(identity, shard, Some(&file_of_shard(folder, shard)))
}

/// A damaged part, with the command that counts its shard again. The other parts know the question.
fn damaged(path: &Path, parts: &[PathBuf], error: &MergeError) -> Failure {
    let Some(shard) = shard_of(path) else { return Failure::damaged(error) };
    let same_run = |units: &Units| units.shard.of() == shard.of();
    let sound = parts.iter().find_map(|part| Units::read(part).ok().filter(same_run));
    let again = sound.map_or("count its shard again, with --fresh".to_owned(), |sound| {
        let shard = sound.shard.with_index(shard.index());
        format!("`{} --fresh` counts it again", again(folder_of(path), &sound.identity, shard))
    });
    Failure::damaged(format!("{error}: {again}"))
}
