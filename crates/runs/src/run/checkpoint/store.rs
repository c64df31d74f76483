//! A checkpoint file that is complete at every moment and held by one process at a time.
//!
//! Atomic replacement: a state is written beside `PATH` and synced, the current file is linked as
//! `PATH.previous`, the new one is renamed to `PATH`, and the folder is synced. So a crash at any
//! point leaves the old or the new state. `PATH.lock` carries an advisory lock, which the system
//! releases however the process ends, and the pid and host of its holder.
//!
//! Under each of these names may be a file of somebody else. It is never removed or changed: a
//! state is known by its magic bytes, a lock by its text.

use super::codec::{has_magic, looks_like_checkpoint};
use super::folder;
use crate::durable::{
    self, DurableError, MOST_ATTEMPTS, Replacement, beside, folder_of, is_number, trying,
};
use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A checkpoint file held by this process until the value is dropped.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    /// Holds the lock; `None` where the checkpoint is only read.
    _lock: Option<File>,
    /// True if the file of the lock is to be removed: a foreign one only lends its lock.
    is_own_lock: bool,
}

/// The reason why a checkpoint file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The system refused an operation.
    #[error(transparent)]
    Io(#[from] DurableError),
    /// The file is not a checkpoint.
    #[error("{0} is no checkpoint")]
    NotACheckpoint(PathBuf),
    /// Another live process holds the checkpoint.
    #[error("{path} is held by {holder}")]
    Held {
        /// The checkpoint.
        path: PathBuf,
        /// The pid and host of its holder.
        holder: String,
    },
}

/// The path of the state before the current one.
pub(super) fn previous(path: &Path) -> PathBuf {
    beside(path, ".previous")
}

/// The path of what a live run shows of its progress.
pub(super) fn live(path: &Path) -> PathBuf {
    beside(path, ".live")
}

/// The checkpoints of a folder in the order of their names. Included are those of which only a part
/// is left, and those that are held and not saved yet.
pub fn all_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let checkpoint = |entry: fs::DirEntry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        let ends = [".previous", ".states", ".lock", ".live"];
        let name = ends.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
        folder.join(name)
    };
    let is_left = |path: &PathBuf| disk_used(path) > 0 || holder(path).is_some();
    let all: BTreeSet<PathBuf> = entries.map(checkpoint).filter(is_left).collect();
    all.into_iter().collect()
}

/// The bytes on disk of everything that belongs to a checkpoint.
pub fn disk_used(path: &Path) -> u64 {
    let states = folder::own_files(&Store::folder_of_states(path));
    let saved = [path.to_owned(), previous(path)].into_iter().filter(|path| is_own(path));
    let saved = saved.filter_map(|path| Some(fs::metadata(path).ok()?.len()));
    saved.chain(states.into_iter().map(|file| file.taken)).sum()
}

/// True if a file is a state that this program has saved.
fn is_own(path: &Path) -> bool {
    durable::begins(path, has_magic)
}

/// The pid and host of the live process that holds a checkpoint, if one does.
pub fn holder(path: &Path) -> Option<String> {
    let lock = durable::open_regular(&beside(path, ".lock"), false).ok()?;
    let is_held = matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock));
    is_held.then(|| holder_of(&lock))
}

fn holder_of(lock: &File) -> String {
    signature(lock).unwrap_or_else(|| "another process".to_owned())
}

/// The pid and host in a lock file; `None` if its text is not one of this program.
fn signature(lock: &File) -> Option<String> {
    const LONGEST: u64 = 512;
    let mut text = String::new();
    lock.take(LONGEST).read_to_string(&mut text).ok()?;
    let signature = text.strip_suffix('\n')?;
    let (pid, host) = signature.strip_prefix("pid ")?.split_once(" on ")?;
    (is_number(pid) && !host.contains('\n')).then(|| signature.to_owned())
}

impl Store {
    /// Locks a checkpoint path and creates its folder if necessary. Writes no state.
    ///
    /// # Errors
    /// [`StoreError::Held`] if another live process holds it, [`StoreError::Io`] if the folder
    /// cannot be created or written.
    pub fn hold(path: &Path) -> Result<Self, StoreError> {
        // The path is resolved first, so that a file has one lock, whichever link leads to it.
        let path = durable::resolved(path);
        let folder = folder_of(&path);
        let lock_path = beside(&path, ".lock");
        fs::create_dir_all(folder).map_err(trying("make the folder", folder))?;
        let attempts = (0..MOST_ATTEMPTS).map(|_| Self::lock(&path, &lock_path));
        let held = attempts.filter_map(Result::transpose).next().unwrap_or_else(|| {
            let what = format!("other processes took it {MOST_ATTEMPTS} times");
            Err(trying("lock", &lock_path)(io::Error::other(what)).into())
        });
        let (lock, is_own_lock) = held?;
        durable::remove_half_written(&path, looks_like_checkpoint);
        durable::remove_half_written(&live(&path), looks_like_checkpoint);
        durable::remove_half_written(&lock_path, |head| {
            b"pid ".starts_with(head) || head.starts_with(b"pid ")
        });
        // A killed process leaves the progress that it showed.
        let _ = durable::remove_own(&live(&path), has_magic);
        Ok(Self { path, _lock: Some(lock), is_own_lock })
    }

    /// An attempt to lock a checkpoint. Returns the lock, and true if its file is this program's;
    /// `None` if another process was faster.
    fn lock(path: &Path, lock_path: &Path) -> Result<Option<(File, bool)>, StoreError> {
        let lock = match durable::open_regular(lock_path, true) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok(new_lock(lock_path)?.map(|lock| (lock, true)));
            }
            opened => opened.map_err(trying("lock", lock_path))?,
        };
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(StoreError::Held { path: path.to_owned(), holder: holder_of(&lock) });
            }
            Err(TryLockError::Error(error)) => return Err(trying("lock", lock_path)(error).into()),
        }
        // The previous holder may have removed the file between our open and our lock.
        if !is_same_file(&lock, lock_path) {
            return Ok(None);
        }
        if signature(&lock).is_none() {
            return Ok(Some((lock, false)));
        }
        // A killed process has left it. Its successor is complete from the beginning.
        durable::remove(lock_path)?;
        Ok(None)
    }

    /// A finished checkpoint in a folder that cannot be written, which nobody has to hold.
    pub fn read_only(path: &Path) -> Self {
        Self { path: durable::resolved(path), _lock: None, is_own_lock: false }
    }

    /// The checkpoint file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder for layers, which are too large for the checkpoint itself. The layers create it,
    /// and it is removed with the state.
    pub(in crate::run) fn folder(&self) -> PathBuf {
        Self::folder_of_states(&self.path)
    }

    /// The names of the files of a checkpoint, beside which only a folder of states belongs to it.
    pub fn files(path: &Path) -> [PathBuf; 3] {
        [path.to_owned(), previous(path), beside(path, ".lock")]
    }

    /// The folder for layers beside a checkpoint, if it exists.
    pub fn folder_of_states(path: &Path) -> PathBuf {
        beside(path, ".states")
    }

    /// Replaces the current state by a new one and keeps the current one beside it.
    pub(super) fn save(&self, bytes: &[u8]) -> Result<(), StoreError> {
        Ok(durable::replace(&self.path, bytes, || self.set_aside())?)
    }

    /// Replaces what the run shows of its progress.
    pub(super) fn show(&self, bytes: &[u8]) -> Result<(), DurableError> {
        let live = live(&self.path);
        durable::replace(&live, bytes, || {
            let is_free = !live.exists() || durable::is_regular(&live) && is_own(&live);
            let foreign = || io::Error::other("it is of somebody else");
            if is_free { Ok(()) } else { Err(trying("replace", &live)(foreign())) }
        })
    }

    /// Keeps the current state beside the checkpoint, unless somebody else has a file there.
    fn set_aside(&self) -> Result<(), DurableError> {
        let previous = previous(&self.path);
        if self.path.exists() && !is_own(&self.path) {
            let what = "it was written during the run and is no checkpoint";
            return Err(trying("replace", &self.path)(io::Error::other(what)));
        }
        durable::remove_own(&previous, has_magic)?;
        match fs::hard_link(&self.path, &previous) {
            Err(error)
                if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::AlreadyExists) =>
            {
                // A file system without hard links: a copy does the same.
                copy(&self.path, &previous).map_err(trying("copy to", &previous))
            }
            _ => Ok(()),
        }
    }

    /// Removes the state of an earlier run, if the file is a checkpoint.
    ///
    /// # Errors
    /// [`StoreError::NotACheckpoint`] if it is something else, which is left as it is.
    pub fn start_over(&self) -> Result<(), StoreError> {
        if self.path.exists() && !is_own(&self.path) {
            return Err(StoreError::NotACheckpoint(self.path.clone()));
        }
        self.clear()
    }

    /// Removes the state of a finished run, and nothing that is of somebody else.
    ///
    /// # Errors
    /// [`StoreError::Io`] if a file cannot be removed.
    pub fn clear(&self) -> Result<(), StoreError> {
        self.clear_progress()?;
        Ok(folder::remove(&self.folder())?)
    }

    /// Removes the checkpoint and keeps the folder beside it.
    pub(in crate::run) fn clear_progress(&self) -> Result<(), StoreError> {
        durable::remove_own(&self.path, has_magic)?;
        Ok(durable::remove_own(&previous(&self.path), has_magic)?)
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        // Failure is harmless: a lock file that is left behind can be locked again, and what a run
        // has shown counts only while it is live.
        if self._lock.is_some() {
            let _ = durable::remove_own(&live(&self.path), has_magic);
        }
        if self.is_own_lock {
            let _ = fs::remove_file(beside(&self.path, ".lock"));
        }
    }
}

/// Copies a file to a name that is free.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    io::copy(&mut File::open(from)?, &mut durable::create_new(to)?).map(drop)
}

fn is_same_file(open: &File, path: &Path) -> bool {
    let identity = |meta: fs::Metadata| (meta.dev(), meta.ino());
    let opened = open.metadata().map(identity).ok();
    opened.is_some() && opened == fs::symlink_metadata(path).map(identity).ok()
}

/// Makes a lock file that has its text and is locked from the moment it has its name. `None` if
/// another process was faster, or has removed what this one had written of it.
fn new_lock(path: &Path) -> Result<Option<File>, DurableError> {
    // If the folder is missing, or cannot have new files, this is what fails.
    let begun = Replacement::begin(path);
    let mut new = begun.map_err(|error| trying("write", path)(error.source))?;
    let host = gethostname::gethostname();
    let locked = writeln!(new, "pid {} on {}", std::process::id(), host.to_string_lossy())
        .and_then(|()| new.file.try_clone())
        .and_then(|lock| lock.try_lock().map_err(Into::into).map(|()| lock));
    let lock = locked.map_err(trying("write", path))?;
    match new.place() {
        Err(error) if matches!(error.kind(), ErrorKind::AlreadyExists | ErrorKind::NotFound) => {
            Ok(None)
        }
        placed => placed.map(|()| Some(lock)).map_err(trying("write", path)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_held_checkpoint_names_its_holder_and_is_free_again_when_dropped() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("below/run.kt");
        let store = Store::hold(&path).expect("free");
        let refusal = Store::hold(&path).expect_err("held").to_string();
        let me = format!("pid {}", std::process::id());
        assert!(refusal.contains(&me), "{refusal}");
        assert!(holder(&path).is_some_and(|holder| holder.contains(&me)));
        drop(store);
        assert_eq!(holder(&path), None);
        assert!(Store::hold(&path).is_ok());
    }

    #[test]
    fn what_a_killed_holder_has_shown_is_not_shown_of_the_next() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run.kt");
        let (shown, kept) = (live(&path), folder.path().join("kept"));
        let store = Store::hold(&path).expect("free");
        store.show(b"KT-ENUM\n").expect("shown");
        fs::copy(&shown, &kept).expect("copied");
        drop(store);
        // A killed process leaves it.
        fs::copy(&kept, &shown).expect("copied back");
        let store = Store::hold(&path).expect("free");
        assert!(!shown.exists());
        drop(store);
    }

    #[test]
    fn of_many_that_hold_a_checkpoint_at_once_each_has_it_or_hears_that_it_is_held() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run.kt");
        let hold_often = || {
            for _ in 0..500 {
                let held = Store::hold(&path);
                assert!(matches!(held, Ok(_) | Err(StoreError::Held { .. })), "{held:?}");
            }
        };
        std::thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(hold_often))));
        assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 0);
    }

    #[test]
    fn the_state_before_the_current_one_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run.kt");
        let store = Store::hold(&path).expect("free");
        let states = [*b"KT-ENUM\n1", *b"KT-ENUM\n2", *b"KT-ENUM\n3"];
        for state in states {
            store.save(&state).expect("saved");
        }
        assert_eq!(durable::read(&path, 9).expect("read"), Some(states[2].to_vec()));
        assert_eq!(durable::read(&previous(&path), 9).expect("read"), Some(states[1].to_vec()));
        store.clear().expect("cleared");
        drop(store);
        assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 0);
    }
}
