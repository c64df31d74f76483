//! Files that are complete at every moment, even if the power fails during a write.
//!
//! A file written in place is damaged by a crash halfway. Here new contents go to a temporary file
//! beside the old one, which then takes its name (atomic replacement). The invariant: under the
//! name of the file there are always either all old bytes (or no file) or all new bytes. A
//! replacement costs syncs of the file and of its folder.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// A failed operation on a file or folder.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {path}: {source}")]
pub struct DurableError {
    /// The operation, as a verb phrase such as `write`.
    pub action: &'static str,
    /// The file or folder.
    pub path: PathBuf,
    /// The error of the operating system.
    pub source: io::Error,
}

/// Returns a function that adds the operation and the path to an [`io::Error`].
pub(crate) fn trying(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> DurableError {
    let path = path.to_owned();
    move |source| DurableError { action, path, source }
}

/// The path with a suffix added to its file name.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// The folder that contains a file: `.` for a bare name.
pub fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// A regular file that is open for reading.
pub(crate) struct Opened<'a> {
    path: &'a Path,
    file: File,
    /// Its length in bytes.
    pub len: u64,
}

impl<'a> Opened<'a> {
    /// Opens a file, or returns `None` if it does not exist. A pipe or a device is refused, because
    /// reading it might never end.
    pub fn open(path: &'a Path) -> Result<Option<Self>, DurableError> {
        if fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir()) {
            return Err(trying("read", path)(io::Error::other("it is no regular file")));
        }
        let opened = File::open(path).and_then(|file| Ok((file.metadata()?.len(), file)));
        let opened = if_there(opened).map_err(trying("read", path))?;
        Ok(opened.map(|(len, file)| Self { path, file, len }))
    }

    /// The bytes of a range, or those of them that the file has.
    pub fn at(&self, range: Range<u64>) -> Result<Vec<u8>, DurableError> {
        let end = range.end.min(self.len);
        let mut bytes = vec![0; end.saturating_sub(range.start) as usize];
        let read = self.file.read_exact_at(&mut bytes, range.start);
        read.map_err(trying("read", self.path)).map(|()| bytes)
    }

    /// All bytes of the file, which is refused if it has more than `most`.
    pub fn all(self, most: u64) -> Result<Vec<u8>, DurableError> {
        let Self { path, file, len } = self;
        let mut bytes = Vec::new();
        let read = match len > most {
            true => {
                Err(io::Error::other(format!("it has {len} bytes, and at most {most} are read")))
            }
            false => bytes
                .try_reserve_exact(len as usize)
                .map_err(|_| ErrorKind::OutOfMemory.into())
                .and_then(|()| file.take(most).read_to_end(&mut bytes)),
        };
        read.map_err(trying("read", path)).map(|_| bytes)
    }
}

/// Reads all bytes of a file that should have at most `most`, or returns `None` if it does not
/// exist. This and [`Opened`] are the one way in which the library reads whole files.
pub(crate) fn read(path: &Path, most: u64) -> Result<Option<Vec<u8>>, DurableError> {
    Opened::open(path)?.map(|file| file.all(most)).transpose()
}

/// Reads the first `most` bytes of a file, which tell its kind, or returns `None` if it does not
/// exist.
///
/// # Errors
/// [`DurableError`] if it cannot be read, or is a pipe or a device.
pub fn beginning(path: &Path, most: u64) -> Result<Option<Vec<u8>>, DurableError> {
    Opened::open(path)?.map(|file| file.at(0..most)).transpose()
}

/// The result of an operation, `None` if the file that it was for does not exist.
fn if_there<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        result => result.map(Some),
    }
}

/// Replaces the contents of a file atomically, and creates its folder if it is missing.
///
/// `set_aside` runs once the new bytes are safe while the old file is still in place, so that the
/// caller can keep a copy of it.
pub(crate) fn replace(
    path: &Path,
    bytes: &[u8],
    set_aside: impl FnOnce() -> Result<(), DurableError>,
) -> Result<(), DurableError> {
    let folder = folder_of(path);
    fs::create_dir_all(folder).map_err(trying("make the folder", folder))?;
    let mut replacement = Replacement::begin(path)?;
    let written = replacement.write_all(bytes).and_then(|()| replacement.file.sync_all());
    written.map_err(trying("write", &replacement.new))?;
    set_aside()?;
    replacement.commit()
}

/// A new version of a file, written to a temporary file beside it.
///
/// A value that is dropped before [`Replacement::commit`] leaves the file as it was. A process that
/// is killed in the meantime leaves the temporary file behind, whose name ends in `.new-HOST-PID`.
#[derive(Debug)]
pub struct Replacement {
    path: PathBuf,
    new: PathBuf,
    file: File,
}

impl Replacement {
    /// Creates the temporary file, with the permissions of the file that it will replace.
    ///
    /// # Errors
    /// [`DurableError`] if the path is not that of a regular file or of a new one, or if the
    /// temporary file cannot be created.
    pub fn begin(path: &Path) -> Result<Self, DurableError> {
        let there = fs::metadata(path).ok();
        if there.as_ref().is_some_and(|there| !there.is_file()) {
            return Err(trying("replace", path)(io::Error::other("it is no regular file")));
        }
        // The name contains the host and the process, because processes on two hosts may write the
        // same file at once.
        let host = gethostname::gethostname().to_string_lossy().replace('/', "_");
        let new = beside(path, &format!(".new-{host}-{}", std::process::id()));
        let file = File::create(&new).map_err(trying("write", &new))?;
        if let Some(there) = there {
            // Some file systems have no permissions, so an error is ignored.
            let _ = file.set_permissions(there.permissions());
        }
        Ok(Self { path: path.to_owned(), new, file })
    }

    /// Syncs the new version and puts it in the place of the old one.
    ///
    /// # Errors
    /// [`DurableError`] if the system refuses. If it refuses to sync or rename the new version, the
    /// old one is still in place.
    pub fn commit(self) -> Result<(), DurableError> {
        self.file.sync_all().map_err(trying("write", &self.new))?;
        fs::rename(&self.new, &self.path).map_err(trying("replace", &self.path))?;
        let folder = folder_of(&self.path);
        let synced = File::open(folder).and_then(|folder| folder.sync_all());
        synced.map_err(trying("sync the folder", folder))
    }
}

impl Write for Replacement {
    fn write(&mut self, portion: &[u8]) -> io::Result<usize> {
        self.file.write(portion)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        // An incomplete file is of no use, and on a full disk it takes up space. After a commit
        // there is none.
        let _ = fs::remove_file(&self.new);
    }
}

/// Removes the temporary files that processes killed during [`replace`] have left beside a file.
///
/// Only the process that holds the lock of the file may call this: it would remove the temporary
/// file of another process that is writing.
pub(crate) fn remove_half_written(path: &Path) {
    let Some(name) = path.file_name().map(|name| name.to_string_lossy().into_owned()) else {
        return;
    };
    let begins = format!("{name}.new-");
    for entry in fs::read_dir(folder_of(path)).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(&begins) {
            // A file that cannot be removed does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Opens a file for reading and writing without truncating it, and creates it if it is missing.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    File::options().read(true).write(true).create(true).truncate(false).open(path)
}

/// Removes a file if it exists.
pub(crate) fn remove(path: &Path) -> Result<(), DurableError> {
    if_there(fs::remove_file(path)).map(drop).map_err(trying("remove", path))
}

/// Removes a folder and everything in it if it exists.
pub(crate) fn remove_folder(path: &Path) -> Result<(), DurableError> {
    if_there(fs::remove_dir_all(path)).map(drop).map_err(trying("remove", path))
}

/// Every truncation of these bytes, then every copy with one bit flipped, each with a description.
#[cfg(test)]
pub(crate) fn every_damage(bytes: &[u8]) -> impl Iterator<Item = (String, Vec<u8>)> {
    let cut = |len: usize| (format!("{len} bytes"), bytes[..len].to_vec());
    let flip = |bit: usize| {
        let mut flipped = bytes.to_vec();
        flipped[bit / 8] ^= 1 << (bit % 8);
        (format!("bit {bit} flipped"), flipped)
    };
    let cut = (0..bytes.len()).map(cut);
    cut.chain((0..bytes.len() * 8).map(flip))
}
