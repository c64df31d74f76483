//! A checkpoint file that is complete at every moment and held by one process at a time.
//!
//! Atomic replacement: a state is written beside `PATH` and synced, the current file is linked as
//! `PATH.previous`, the new one is renamed to `PATH`, and the folder is synced. So a crash at any
//! point leaves the old or the new state. `PATH.lock` carries an advisory lock, which the system
//! releases however the process ends, and the pid and host of its holder.

use super::codec::MAGIC;
use crate::durable::{self, DurableError, beside, folder_of, trying};
use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A checkpoint file held by this process until the value is dropped.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    /// Holds the lock.
    lock: File,
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

/// The paths that belong to a checkpoint: its state, the state before it, and the folder of its
/// layers.
fn parts(path: &Path) -> [PathBuf; 3] {
    [path.to_owned(), previous(path), Store::folder_beside(path)]
}

/// The checkpoints of a folder in the order of their names. Included are those of which only a part
/// is left, and those that are held and not saved yet.
pub fn all_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let checkpoint = |entry: fs::DirEntry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        let ends = [".previous", ".states", ".lock"];
        let name = ends.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
        folder.join(name)
    };
    let is_left = |path: &PathBuf| disk_used(path) > 0 || holder(path).is_some();
    let all: BTreeSet<PathBuf> = entries.map(checkpoint).filter(is_left).collect();
    all.into_iter().collect()
}

/// The bytes on disk of everything that belongs to a checkpoint.
pub fn disk_used(path: &Path) -> u64 {
    parts(path).iter().map(|part| bytes_in(part)).sum()
}

fn bytes_in(path: &Path) -> u64 {
    let inside = fs::read_dir(path).into_iter().flatten().flatten();
    let inside: u64 = inside.map(|entry| bytes_in(&entry.path())).sum();
    let own = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file);
    inside + own.map_or(0, |file| file.len())
}

/// The pid and host of the live process that holds a checkpoint, if one does.
pub fn holder(path: &Path) -> Option<String> {
    let mut lock = File::open(beside(path, ".lock")).ok()?;
    matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock)).then(|| holder_of(&mut lock))
}

/// The largest number of bytes that are read of a lock file.
const LONGEST_HOLDER: u64 = 1 << 9;

fn holder_of(lock: &mut File) -> String {
    let mut text = String::new();
    match lock.take(LONGEST_HOLDER).read_to_string(&mut text) {
        Ok(_) if !text.trim().is_empty() => text.trim().to_owned(),
        _ => "another process".to_owned(),
    }
}

impl Store {
    /// Locks a checkpoint path and creates its folder if necessary. Writes no state.
    ///
    /// # Errors
    /// [`StoreError::Held`] if another live process holds it, [`StoreError::Io`] if the folder
    /// cannot be created or written.
    pub fn hold(path: &Path) -> Result<Self, StoreError> {
        let folder = folder_of(path);
        fs::create_dir_all(folder).map_err(trying("make the folder", folder))?;
        // The path is resolved first, so that a file has one lock, whichever link leads to it.
        let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let lock_path = beside(path, ".lock");
        loop {
            let mut lock = durable::open(&lock_path).map_err(trying("write", &lock_path))?;
            match lock.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let (path, holder) = (path.to_owned(), holder_of(&mut lock));
                    return Err(StoreError::Held { path, holder });
                }
                Err(TryLockError::Error(error)) => {
                    return Err(trying("lock", &lock_path)(error).into());
                }
            }
            // The previous holder may have removed the file between our open and our lock.
            if !is_same_file(&lock, &lock_path) {
                continue;
            }
            let store = Self { path: path.to_owned(), lock };
            sign(&store.lock).map_err(trying("write", &lock_path))?;
            durable::remove_half_written(path);
            return Ok(store);
        }
    }

    /// The checkpoint file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder for layers, which are too large for the checkpoint itself. The layers create it,
    /// and it is removed with the state.
    pub(in crate::run) fn folder(&self) -> PathBuf {
        Self::folder_beside(&self.path)
    }

    /// The folder for layers beside a checkpoint, if it exists.
    pub fn folder_beside(path: &Path) -> PathBuf {
        beside(path, ".states")
    }

    /// Replaces the current state by a new one and keeps the current one beside it.
    pub(super) fn save(&self, bytes: &[u8]) -> Result<(), StoreError> {
        let previous = previous(&self.path);
        durable::replace(&self.path, bytes, || {
            durable::remove(&previous)?;
            match fs::hard_link(&self.path, &previous) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    // A file system without hard links: a copy does the same.
                    let copied = fs::copy(&self.path, &previous);
                    copied.map(|_| ()).map_err(trying("copy to", &previous))
                }
                _ => Ok(()),
            }
        })?;
        Ok(())
    }

    /// Removes the state of an earlier run, if the file is a checkpoint.
    ///
    /// # Errors
    /// [`StoreError::NotACheckpoint`] if it is something else, which is left as it is.
    pub fn start_over(&self) -> Result<(), StoreError> {
        match durable::beginning(&self.path, MAGIC.len() as u64)? {
            Some(bytes) if !super::looks_like_checkpoint(&bytes) => {
                Err(StoreError::NotACheckpoint(self.path.clone()))
            }
            _ => self.clear(),
        }
    }

    /// Removes the state of a finished run.
    ///
    /// # Errors
    /// [`StoreError::Io`] if a file cannot be removed.
    pub fn clear(&self) -> Result<(), StoreError> {
        self.clear_progress()?;
        Ok(durable::remove_folder(&self.folder())?)
    }

    /// Removes the checkpoint and keeps the folder beside it.
    pub(in crate::run) fn clear_progress(&self) -> Result<(), StoreError> {
        let [state, previous, _] = parts(&self.path);
        durable::remove(&state)?;
        Ok(durable::remove(&previous)?)
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        // Failure is harmless: a lock file that is left behind can be locked again.
        let _ = fs::remove_file(beside(&self.path, ".lock"));
    }
}

fn is_same_file(open: &File, path: &Path) -> bool {
    let identity = |meta: fs::Metadata| (meta.dev(), meta.ino());
    let opened = open.metadata().map(identity).ok();
    opened.is_some() && opened == fs::metadata(path).map(identity).ok()
}

fn sign(mut lock: &File) -> io::Result<()> {
    let host = gethostname::gethostname();
    lock.set_len(0)?;
    lock.rewind()?;
    let holder = format!("pid {} on {}\n", std::process::id(), host.to_string_lossy());
    lock.write_all(holder.as_bytes())
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
    fn the_state_before_the_current_one_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run.kt");
        let store = Store::hold(&path).expect("free");
        for state in ["first", "second", "third"] {
            store.save(state.as_bytes()).expect("saved");
        }
        assert_eq!(durable::read(&path, 9).expect("read"), Some(b"third".to_vec()));
        assert_eq!(durable::read(&previous(&path), 9).expect("read"), Some(b"second".to_vec()));
        store.clear().expect("cleared");
        drop(store);
        assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 0);
    }
}
