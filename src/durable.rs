//! Files that are whole at every moment, whenever the power fails.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What failed, on which file or folder.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {path}: {source}")]
pub struct DurableError {
    /// What was tried.
    pub action: &'static str,
    /// On which file or folder.
    pub path: PathBuf,
    /// What the system says.
    pub source: io::Error,
}

/// Makes an [`io::Error`] say what was tried on what.
pub(crate) fn trying(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> DurableError {
    let path = path.to_owned();
    move |source| DurableError { action, path, source }
}

/// The path with something added to its file name.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
}

/// The folder that holds a file.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The bytes of a file, if there is one.
pub(crate) fn read(path: &Path) -> Result<Option<Vec<u8>>, DurableError> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(trying("read", path)(error)),
    }
}

/// Puts bytes in place of a file in one step: written beside, synced, renamed, the folder synced.
/// `set_aside` is called when the new bytes are safe and the old file is still there.
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

/// A new version of a file, written beside it and put in its place as a whole.
///
/// A value that is dropped before [`Replacement::commit`] leaves the file as it was. A process that
/// is killed in the meantime leaves a second file behind, whose name ends in `.new-HOST-PID`.
#[derive(Debug)]
pub struct Replacement {
    path: PathBuf,
    new: PathBuf,
    file: File,
}

impl Replacement {
    /// Opens the new version. A file that is replaced passes its permissions on.
    ///
    /// # Errors
    /// [`DurableError`] when the path is that of something else than a regular file, or when the
    /// system refuses to make a file in the folder.
    pub fn begin(path: &Path) -> Result<Self, DurableError> {
        let there = fs::metadata(path).ok();
        if there.as_ref().is_some_and(|there| !there.is_file()) {
            let error = io::Error::other("it is no regular file");
            return Err(trying("replace", path)(error));
        }
        // Two hosts may write the same file at once.
        let host = gethostname::gethostname().to_string_lossy().replace('/', "_");
        let new = beside(path, &format!(".new-{host}-{}", std::process::id()));
        let file = File::create(&new).map_err(trying("write", &new))?;
        if let Some(there) = there {
            // Some file systems know no permissions.
            let _ = file.set_permissions(there.permissions());
        }
        Ok(Self { path: path.to_owned(), new, file })
    }

    /// Syncs the new version and puts it in the place of the old one.
    ///
    /// # Errors
    /// [`DurableError`] when the system refuses; the old version is then still there.
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
        // Half a file on a full disk only makes it fuller. After a commit there is none.
        let _ = fs::remove_file(&self.new);
    }
}

/// Removes what processes that were killed in the middle of [`replace`] have left of a file. Only
/// for whoever may write the file alone.
pub(crate) fn remove_half_written(path: &Path) {
    let Some(name) = path.file_name().map(|name| name.to_string_lossy().into_owned()) else {
        return;
    };
    let begins = format!("{name}.new-");
    for entry in fs::read_dir(folder_of(path)).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(&begins) {
            // What cannot be removed harms nobody.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Opens a file to read and write what is in it, or makes it.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true);
    options.truncate(false).open(path)
}

/// Removes a file, if it is there.
pub(crate) fn remove(path: &Path) -> Result<(), DurableError> {
    removed(path, fs::remove_file(path))
}

/// Removes a folder with all that is in it, if it is there.
pub(crate) fn remove_folder(path: &Path) -> Result<(), DurableError> {
    removed(path, fs::remove_dir_all(path))
}

fn removed(path: &Path, result: io::Result<()>) -> Result<(), DurableError> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(trying("remove", path)(error)),
        _ => Ok(()),
    }
}

/// The bytes of a file cut short at each byte, and with each bit flipped, and what was done to them.
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
