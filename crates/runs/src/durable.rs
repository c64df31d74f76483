//! Files that are complete at every moment, even if the power fails during a write.
//!
//! A file written in place is damaged by a crash halfway. Here new contents go to a temporary file
//! beside the old one, which then takes its name (atomic replacement). The invariant: under the
//! name of the file there are always either all old bytes (or no file) or all new bytes. A
//! replacement costs syncs of the file and of its folder.
//!
//! A new file never takes the place of another, and no link is followed by a file that the program
//! names itself: under such a name may be a file of somebody else.

use rustix::fs::{CWD, FallocateFlags, OFlags, RenameFlags, fallocate, renameat_with};
use rustix::io::Errno;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::ops::Range;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
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
pub fn beside(path: &Path, suffix: &str) -> PathBuf {
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
        let read = if len > most {
            Err(io::Error::other(format!("it has {len} bytes, and at most {most} are read")))
        } else {
            bytes
                .try_reserve_exact(len as usize)
                .map_err(|_| ErrorKind::OutOfMemory.into())
                .and_then(|()| file.take(most).read_to_end(&mut bytes))
        };
        read.map_err(trying("read", path)).map(|_| bytes)
    }
}

/// Reads all bytes of a file that should have at most `most`, or returns `None` if it does not
/// exist. This and [`Opened`] are the one way in which the library reads whole files.
pub fn read(path: &Path, most: u64) -> Result<Option<Vec<u8>>, DurableError> {
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

/// Frees the blocks within a range of a file, which are zero from then on, and returns their bytes.
/// An error if the file system cannot do that.
pub(crate) fn punch(file: &File, range: Range<u64>) -> Result<u64, Errno> {
    // Where blocks are larger, less is freed.
    const BLOCK: u64 = 4096;
    let (start, end) = (range.start.next_multiple_of(BLOCK), range.end / BLOCK * BLOCK);
    let flags = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
    if start >= end {
        return Ok(0);
    }
    fallocate(file, flags, start, end - start).map(|()| end - start)
}

/// The result of an operation, `None` if the file that it was for does not exist.
fn if_there<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        result => result.map(Some),
    }
}

/// True if a file is there whose first bytes, at most 1 KiB of them, are as `is_known` says.
pub fn begins(path: &Path, is_known: impl FnOnce(&[u8]) -> bool) -> bool {
    matches!(beginning(path, 1 << 10), Ok(Some(bytes)) if is_known(&bytes))
}

/// The path with all symlinks followed, also to a file that is not there yet.
pub fn resolved(path: &Path) -> PathBuf {
    let mut at = path.to_owned();
    for _ in 0..MOST_SYMLINKS {
        let Ok(next) = fs::read_link(&at) else { break };
        at = folder_of(&at).join(next);
    }
    fs::canonicalize(&at).unwrap_or(at)
}

/// The most symlinks that are followed, as many as Linux does.
pub const MOST_SYMLINKS: usize = 40;

/// Replaces the contents of a file atomically, and creates its folder if it is missing.
///
/// `check` runs once the new bytes are safe while the old file, if there is one, is still in place.
/// It refuses to replace a file of somebody else, and the caller can keep a copy of an own one.
pub fn replace(
    path: &Path,
    bytes: &[u8],
    check: impl Fn() -> Result<(), DurableError>,
) -> Result<(), DurableError> {
    let folder = folder_of(path);
    fs::create_dir_all(folder).map_err(trying("make the folder", folder))?;
    let mut appeared = Ok(());
    for _ in 0..MOST_ATTEMPTS {
        let mut replacement = Replacement::begin(path)?;
        let written = replacement.write_all(bytes).and_then(|()| replacement.file.sync_all());
        written.map_err(trying("write", &replacement.new))?;
        check()?;
        appeared = replacement.commit();
        match &appeared {
            // A file has just appeared, which has to be checked too.
            Err(error) if error.source.kind() == ErrorKind::AlreadyExists => {}
            _ => break,
        }
    }
    appeared
}

/// The most attempts at an operation that other processes may have disturbed. What fails so often
/// fails for another reason, which the last error names.
pub(crate) const MOST_ATTEMPTS: u32 = 1000;

/// Writes new contents over a file that cannot be replaced, such as one in a read-only folder. What
/// the new contents have beyond the length of the old ones is written first: if the disk has no
/// space for it, the old contents stay.
///
/// # Errors
/// The error of the operating system.
pub fn write_over(file: &File, bytes: &[u8]) -> io::Result<()> {
    let old = file.metadata()?.len();
    let (head, tail) = bytes.split_at(bytes.len().min(old as usize));
    let appended = file.write_all_at(tail, old).and_then(|()| file.sync_all());
    if let Err(error) = appended {
        file.set_len(old)?;
        return Err(error);
    }
    file.write_all_at(head, 0)?;
    file.set_len(bytes.len() as u64)?;
    file.sync_all()
}

/// A new version of a file, written to a temporary file beside it.
///
/// A value that is dropped before [`Replacement::commit`] leaves the file as it was. A process that
/// is killed in the meantime leaves the temporary file behind, whose name ends in `.new-HOST-PID`.
#[derive(Debug)]
pub struct Replacement {
    path: PathBuf,
    new: PathBuf,
    /// The new version.
    pub file: File,
    /// True once the temporary name is free again.
    is_placed: bool,
}

impl Replacement {
    /// Creates the temporary file, with the permissions of the file that it will replace.
    ///
    /// # Errors
    /// [`DurableError`] if the path is not that of a regular file or of a new one, or if the
    /// temporary file cannot be created.
    pub fn begin(path: &Path) -> Result<Self, DurableError> {
        let there = fs::symlink_metadata(path).ok();
        if there.as_ref().is_some_and(|there| !there.is_file()) {
            return Err(trying("replace", path)(no_regular_file()));
        }
        let (new, file) = create_beside(path)?;
        if let Some(there) = there {
            // Some file systems have no permissions, so an error is ignored.
            let _ = file.set_permissions(there.permissions());
        }
        Ok(Self { path: path.to_owned(), new, file, is_placed: false })
    }

    /// Gives the new version its name, in the place of the old one if there is one. A file that
    /// appears in this moment is kept.
    pub fn place(&mut self) -> io::Result<()> {
        let there = fs::symlink_metadata(&self.path).ok();
        if there.as_ref().is_some_and(|there| !there.is_file()) {
            return Err(no_regular_file());
        }
        let only_if_new = |flags| renameat_with(CWD, &self.new, CWD, &self.path, flags);
        match there.is_none().then(|| only_if_new(RenameFlags::NOREPLACE)) {
            Some(Err(Errno::EXIST)) => return Err(ErrorKind::AlreadyExists.into()),
            Some(Ok(())) => {}
            // There is an old one, or the file system, as that of NFS, has no such operation.
            None | Some(Err(_)) => fs::rename(&self.new, &self.path)?,
        }
        self.is_placed = true;
        Ok(())
    }

    /// Syncs the new version and puts it in the place of the old one, which the caller has checked.
    ///
    /// # Errors
    /// [`DurableError`] if the system refuses, or if a file has appeared just now where there was
    /// none. What was there is still in place then.
    pub fn commit(mut self) -> Result<(), DurableError> {
        self.file.sync_all().map_err(trying("write", &self.new))?;
        self.place().map_err(trying("replace", &self.path))?;
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
        // An incomplete file is of no use, and on a full disk it takes up space.
        if !self.is_placed {
            let _ = fs::remove_file(&self.new);
        }
    }
}

/// Creates the temporary file of a [`Replacement`]. Its name contains the host and the process,
/// because processes on two hosts may write the same file at once. Where a process with the same
/// number has left one, or somebody else has one, a number is added.
fn create_beside(path: &Path) -> Result<(PathBuf, File), DurableError> {
    const MOST: u32 = 1000;
    let host = gethostname::gethostname().to_string_lossy().replace('/', "_");
    let first = beside(path, &format!(".new-{host}-{}", std::process::id()));
    let (mut new, mut number) = (first.clone(), 1);
    loop {
        match create_new(&new) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists && number < MOST => {
                number += 1;
                new = beside(&first, &format!("-{number}"));
            }
            Ok(file) => return Ok((new, file)),
            Err(error) => return Err(trying("write", &new)(error)),
        }
    }
}

/// True if a name is that of a temporary file of a [`Replacement`] of the file `of`.
pub fn is_half_written(name: &str, of: &str) -> bool {
    let owner = name.strip_prefix(of).and_then(|rest| rest.strip_prefix(".new-"));
    let number = owner.and_then(|owner| owner.rsplit_once('-')).map(|(_, number)| number);
    number.is_some_and(is_number)
}

/// True if a text consists of digits.
pub fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Removes the temporary files that processes killed during a [`Replacement`] have left beside a
/// file: regular files with their names, whose first bytes `is_own` knows.
///
/// This may remove the temporary file of another process that is writing. So it is for the process
/// that holds the lock of the file, or for a file whose writers try again, as those of locks do.
pub(crate) fn remove_half_written(path: &Path, is_own: impl Fn(&[u8]) -> bool) {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    for entry in fs::read_dir(folder_of(path)).into_iter().flatten().flatten() {
        if is_half_written(&entry.file_name().to_string_lossy(), &name) {
            // A file that cannot be read or removed does no harm.
            let _ = remove_own(&entry.path(), &is_own);
        }
    }
}

/// Removes a regular file whose first bytes `is_own` knows. A link to one stays.
pub(crate) fn remove_own(path: &Path, is_own: impl Fn(&[u8]) -> bool) -> Result<(), DurableError> {
    if is_regular(path) && begins(path, is_own) { remove(path) } else { Ok(()) }
}

/// True if there is a regular file of this name, and not a link to one.
pub(crate) fn is_regular(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|there| there.is_file())
}

/// True if a file or folder can be read at best, by its permissions or those of its disk.
pub fn is_read_only(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem)
}

pub(crate) fn no_regular_file() -> io::Error {
    io::Error::other("it is no regular file")
}

/// Creates a file for reading and writing, which must not be there yet, not even as a link.
pub fn create_new(path: &Path) -> io::Result<File> {
    File::options().read(true).write(true).create_new(true).open(path)
}

/// Opens a regular file for reading, and for writing too if `is_written`, without truncating it. A
/// link is not followed, a pipe is not waited for, and a device is not touched.
///
/// # Errors
/// The error of the operating system, or that it is not a regular file.
pub fn open_regular(path: &Path, is_written: bool) -> io::Result<File> {
    opened(path, File::options().read(true).write(is_written))
}

/// Opens a regular file as [`open_regular`] does, and creates it if it is missing.
pub fn open(path: &Path) -> io::Result<File> {
    opened(path, File::options().read(true).write(true).create(true))
}

fn opened(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    if fs::symlink_metadata(path).is_ok_and(|there| !there.is_file()) {
        return Err(no_regular_file());
    }
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY).bits();
    let file = options.custom_flags(flags as i32).open(path)?;
    file.metadata()?.is_file().then_some(file).ok_or_else(no_regular_file)
}

/// Removes a file, which is known to be an own one, if it exists.
pub fn remove(path: &Path) -> Result<(), DurableError> {
    if_there(fs::remove_file(path)).map(drop).map_err(trying("remove", path))
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
