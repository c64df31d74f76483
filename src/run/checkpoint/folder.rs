//! The folder of states beside a checkpoint: which of its files are this program's.
//!
//! Invariant: only regular files with names that the program makes, in a folder that carries its
//! mark, are written to or removed. The folder may be a link to one on another disk, and may have
//! files of somebody else, which stay there. It is removed only when it is empty.

use super::codec::has_magic;
use crate::durable::{self, DurableError, is_number, trying};
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The name of the file that lists the layers.
pub(in crate::run) const INDEX: &str = "index";

/// The name of the file that marks a folder as one of this program.
const MARK: &str = "kt-enum-states";

const MARK_SAYS: &str = "In this folder kt-enum keeps the states of a run. It removes them, files named index \
                         and S-R, when the run is over.\n";

/// True if a layer can have this name: `S-R`, or `S-R.L.U` in a group.
pub(in crate::run) fn is_layer(name: &str) -> bool {
    let Some((sweep, rest)) = name.split_once('-') else { return false };
    let numbers: Vec<&str> = rest.split('.').collect();
    matches!(numbers.len(), 1 | 3) && is_number(sweep) && numbers.into_iter().all(is_number)
}

/// True if the program makes files of this name, beside the mark.
fn is_made_here(name: &str) -> bool {
    let layer = name.strip_suffix(".between").unwrap_or(name);
    name == INDEX || durable::is_half_written(name, INDEX) || is_layer(layer)
}

/// True if a folder carries the mark. An index alone is one too, if somebody has copied the rest.
fn is_marked(folder: &Path) -> bool {
    let index = folder.join(INDEX);
    durable::is_regular(&folder.join(MARK))
        || durable::is_regular(&index) && durable::begins(&index, has_magic)
}

/// A file of the program in a folder.
pub(in crate::run) struct OwnFile {
    pub name: String,
    pub path: PathBuf,
    pub len: u64,
}

/// The files of the program in a folder, without the mark; none if the folder has no mark.
pub(in crate::run) fn own_files(folder: &Path) -> Vec<OwnFile> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let own = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().ok().filter(|name| is_made_here(name))?;
        let there = entry.metadata().ok().filter(fs::Metadata::is_file)?;
        Some(OwnFile { name, path: entry.path(), len: there.len() })
    };
    if is_marked(folder) { entries.filter_map(own).collect() } else { Vec::new() }
}

/// Checks that states may be kept in a folder, whether it is there or not.
///
/// # Errors
/// [`DurableError`] if something in it has a name that the program would use.
pub(in crate::run) fn check(folder: &Path) -> Result<(), DurableError> {
    let refused = |what: String| {
        let what = format!("{what}; move it away, or choose another place");
        trying("keep states in", folder)(io::Error::other(what))
    };
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound && !folder.is_symlink() => return Ok(()),
        entries => entries.map_err(|error| refused(error.to_string()))?,
    };
    let is_marked = is_marked(folder);
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let there = entry.metadata().ok();
        let is_file = there.as_ref().is_some_and(fs::Metadata::is_file);
        let is_linked = is_layer(&name) && there.is_some_and(|there| there.nlink() > 1);
        if name == MARK && !is_file || is_made_here(&name) && (!is_marked || !is_file || is_linked)
        {
            let why = if is_linked { "is a hard link" } else { "was not made by kt-enum" };
            return Err(refused(format!("its `{name}` {why}")));
        }
    }
    Ok(())
}

/// Makes a folder ready for states: creates and marks it.
pub(in crate::run) fn claim(folder: &Path) -> Result<(), DurableError> {
    check(folder)?;
    fs::create_dir_all(folder).map_err(trying("make the folder", folder))?;
    let mark = folder.join(MARK);
    let marked = match durable::create_new(&mark) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        created => created.and_then(|mut file| {
            file.write_all(MARK_SAYS.as_bytes())?;
            // Without the mark, a later process would not know the layers as its own.
            file.sync_all()?;
            fs::File::open(folder)?.sync_all()
        }),
    };
    marked.map_err(trying("write", &mark))
}

/// Removes the files of the program from a folder, and the folder if nothing else is in it.
pub(in crate::run) fn remove(folder: &Path) -> Result<(), DurableError> {
    if !is_marked(folder) {
        return Ok(());
    }
    own_files(folder).iter().try_for_each(|file| durable::remove(&file.path))?;
    let mark = folder.join(MARK);
    if durable::is_regular(&mark) {
        durable::remove(&mark)?;
    }
    // A link stays, and so does a folder with files of somebody else.
    let _ = fs::remove_dir(folder);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_other_forms_are_not_those_of_layers() {
        for name in ["0-1", "12-345", "0-1.2.3"] {
            assert!(is_layer(name) && is_made_here(name), "{name}");
        }
        let others =
            ["", "0", "0-", "-1", "0-1.2", "0-1.2.3.4", "/0-1", "../0-1", "0-1/..", "0-x", "a-1"];
        assert!(others.into_iter().all(|name| !is_layer(name) && !is_made_here(name)));
        let made = ["index", "index.new-some-host-7", "index.new-host-7-2", "0-1.between"];
        assert!(made.into_iter().all(|name| is_made_here(name) && !is_layer(name)));
        let others =
            ["index.new-notes", "index.new-7", "index2", "0-1.betweens", "notes-1.between"];
        assert!(!others.into_iter().any(is_made_here));
    }
}
