//! The folder of states beside a checkpoint: which of its files are this program's.
//!
//! Invariant: only regular files with names that the program makes, in a folder that carries the
//! mark of its run, are written to or removed. The mark is read at each removal, from the folder
//! that is open for it, for another folder may have taken the name during a long run. The folder
//! may be a link to one on another disk, and may have files of somebody else, which stay there. It
//! is removed only when it is empty.

use super::codec::has_magic;
use crate::durable::{self, DurableError, folder_of, is_number, trying};
use rustix::fs::{AtFlags, FileType, Mode, OFlags, openat, statat, unlinkat};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The name of the file that lists the layers.
pub(in crate::run) const INDEX: &str = "index";

/// The name of the file that marks a folder as one of this program.
const MARK: &str = "kt-enum-states";

/// The text of a mark, which ends with the path of the checkpoint and the end of the line.
const MARK_SAYS: &str = "In this folder kt-enum keeps the states of a run. It removes them, files named index \
                         and S-R, when the run is over.\nThe checkpoint of the run: ";

/// The longest mark that is read.
const LONGEST_MARK: u64 = 1 << 13;

/// True if a layer can have this name: `S-R`, or `S-R.L.U` in a group.
pub(in crate::run) fn is_layer(name: &str) -> bool {
    let Some((sweep, rest)) = name.split_once('-') else { return false };
    let numbers: Vec<&str> = rest.split('.').collect();
    matches!(numbers.len(), 1 | 3) && is_number(sweep) && numbers.into_iter().all(is_number)
}

/// True if the program makes files of this name, beside the mark.
fn is_made_here(name: &str) -> bool {
    let layer = name.strip_suffix(".between").unwrap_or(name);
    name == INDEX || durable::is_half_written(name, INDEX) || is_new_mark(name) || is_layer(layer)
}

fn is_new_mark(name: &str) -> bool {
    durable::is_half_written(name, MARK)
}

/// The checkpoint whose states a folder is for, by whichever link it was named.
fn checkpoint_of(folder: &Path) -> PathBuf {
    let place = folder_of(folder);
    let place = place.canonicalize().unwrap_or_else(|_| place.to_owned());
    place.join(folder.file_name().unwrap_or_default()).with_extension("")
}

/// The right to a folder of states.
enum FolderRight {
    /// Nobody has marked it.
    Unmarked,
    /// It is of this run, or of one that has left it, and open.
    Own(File),
    /// It has the states of another checkpoint, which still leads to it.
    Others(PathBuf),
}

impl FolderRight {
    /// Reads the mark of a folder. An index alone is one too, if somebody has copied the rest.
    fn of(folder: &Path) -> Self {
        let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
        let Ok(dir) = rustix::fs::open(folder, flags, Mode::empty()).map(File::from) else {
            return Self::Unmarked;
        };
        let Some(mark) = beginning(&dir, MARK) else {
            let is_index = beginning(&dir, INDEX).is_some_and(|index| has_magic(&index));
            return if is_index { Self::Own(dir) } else { Self::Unmarked };
        };
        let Some(owner) = mark.strip_prefix(MARK_SAYS.as_bytes()) else {
            return Self::Unmarked;
        };
        let owner = Path::new(OsStr::from_bytes(owner.strip_suffix(b"\n").unwrap_or(owner)));
        // A run that was moved elsewhere leads there, and not to this folder.
        let is_same = |there: &fs::Metadata| {
            dir.metadata().is_ok_and(|open| (open.dev(), open.ino()) == (there.dev(), there.ino()))
        };
        let leads_here =
            || fs::metadata(durable::beside(owner, ".states")).is_ok_and(|to| is_same(&to));
        if owner != checkpoint_of(folder) && leads_here() {
            return Self::Others(owner.to_owned());
        }
        Self::Own(dir)
    }

    /// The folder, if it is of this run.
    fn own(folder: &Path) -> Option<File> {
        match Self::of(folder) {
            Self::Own(dir) => Some(dir),
            Self::Unmarked | Self::Others(_) => None,
        }
    }
}

/// The first bytes of a regular file in an open folder.
fn beginning(dir: &File, name: &str) -> Option<Vec<u8>> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    is_regular(dir, OsStr::new(name)).then_some(())?;
    let file = File::from(openat(dir, name, flags, Mode::empty()).ok()?);
    let mut bytes = Vec::new();
    file.take(LONGEST_MARK).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// True if an open folder has a regular file of this name, and not a link to one.
fn is_regular(dir: &File, name: &OsStr) -> bool {
    let there = statat(dir, name, AtFlags::SYMLINK_NOFOLLOW);
    there.is_ok_and(|there| FileType::from_raw_mode(there.st_mode) == FileType::RegularFile)
}

/// Removes a regular file from an open folder, if it is there.
fn remove_in(dir: &File, name: &OsStr) -> io::Result<()> {
    match is_regular(dir, name).then(|| unlinkat(dir, name, AtFlags::empty())) {
        Some(Err(error)) if error != Errno::NOENT => Err(error.into()),
        _ => Ok(()),
    }
}

/// Removes a file of the program from its folder, if the folder carries the mark of its run.
pub(in crate::run) fn remove_file(path: &Path) -> Result<(), DurableError> {
    let name = path.file_name().unwrap_or_default();
    let removed = FolderRight::own(folder_of(path)).map_or(Ok(()), |dir| remove_in(&dir, name));
    removed.map_err(trying("remove", path))
}

/// A file of the program in a folder.
pub(in crate::run) struct OwnFile {
    pub name: String,
    pub path: PathBuf,
    pub len: u64,
    /// The bytes that it takes on disk, where there may be holes in it.
    pub taken: u64,
}

/// The files of the program in a folder, without the mark; none if it has not the mark of its run.
pub(in crate::run) fn own_files(folder: &Path) -> Vec<OwnFile> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let own = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().ok().filter(|name| is_made_here(name))?;
        let there = entry.metadata().ok().filter(fs::Metadata::is_file)?;
        let taken = there.len().min(512 * there.blocks());
        Some(OwnFile { name, path: entry.path(), len: there.len(), taken })
    };
    FolderRight::own(folder).map_or_else(Vec::new, |_| entries.filter_map(own).collect())
}

/// Checks that states may be kept in a folder, whether it is there or not.
///
/// # Errors
/// [`DurableError`] if it has the states of another run, or something else with a name that the
/// program would use.
pub(in crate::run) fn check(folder: &Path) -> Result<(), DurableError> {
    let refused = |what: String| {
        let what = format!("{what}; move it away, or choose another place");
        trying("keep states in", folder)(io::Error::other(what))
    };
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound && !folder.is_symlink() => return Ok(()),
        entries => entries.map_err(|error| refused(error.to_string()))?,
    };
    let is_marked = match FolderRight::of(folder) {
        FolderRight::Others(owner) => {
            return Err(refused(format!("it has the states of {}", owner.display())));
        }
        claim => matches!(claim, FolderRight::Own(_)),
    };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let there = entry.metadata().ok();
        let is_file = there.as_ref().is_some_and(fs::Metadata::is_file);
        let is_linked = is_layer(&name) && there.is_some_and(|there| there.nlink() > 1);
        // A mark that is not complete yet is no obstacle to one.
        let is_needed = name == MARK || is_made_here(&name) && !is_new_mark(&name);
        if is_needed && (!is_marked || !is_file || is_linked) {
            let why = if is_linked { "is a hard link" } else { "was not made by kt-enum" };
            return Err(refused(format!("its `{name}` {why}")));
        }
    }
    Ok(())
}

/// Makes a folder ready for states: creates it and marks it as that of this run.
pub(in crate::run) fn claim(folder: &Path) -> Result<(), DurableError> {
    check(folder)?;
    let (path, owner) = (folder.join(MARK), checkpoint_of(folder));
    let mark = [MARK_SAYS.as_bytes(), owner.as_os_str().as_bytes(), b"\n"].concat();
    if durable::read(&path, LONGEST_MARK)?.is_some_and(|there| there == mark) {
        return Ok(());
    }
    // Without the mark, a later process would not know the layers as its own.
    durable::replace(&path, &mark, || check(folder))
}

/// Removes the files of the program from a folder, and the folder if nothing else is in it.
pub(in crate::run) fn remove(folder: &Path) -> Result<(), DurableError> {
    let Some(dir) = FolderRight::own(folder) else { return Ok(()) };
    let names = own_files(folder).into_iter().map(|file| file.name);
    for name in names.chain([MARK.to_owned()]) {
        remove_in(&dir, OsStr::new(&name)).map_err(trying("remove", &folder.join(name)))?;
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
