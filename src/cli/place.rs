//! The place of a result: standard output, a stream, or a file.
//!
//! One rule holds for every option that names a place. Data (tours, units) never replaces a regular
//! file that has something in it, unless the user says so; pages and pictures do. A symlink stands
//! for the file at its end. What is neither a regular file nor allowed as a stream is refused and
//! left as it is. A place is checked before the work begins, so that a long run does not end
//! without a place for its result.

use super::exit::Failure;
use kt_enum::durable::{DurableError, Replacement, folder_of};
use std::ffi::OsStr;
use std::fs::{self, FileType, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

/// The complaint about a result that would replace its own input.
pub const WRITTEN_OVER: &str = "the file that is read cannot be written over: give -o another name";

/// A place that was checked and accepts a result.
#[derive(Debug, Clone)]
pub struct Place {
    /// The place as it was typed, for messages.
    pub name: String,
    pub target: Target,
    replaces: bool,
}

/// The kinds of places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    StandardOutput,
    /// A device, a FIFO or an open descriptor: written to, never truncated or replaced.
    Stream(PathBuf),
    /// A regular file, or the name of one that is not there yet, with all symlinks followed.
    File(PathBuf),
    /// A regular file in a folder where no other file can be made.
    InPlace(PathBuf),
}

/// The places besides regular files that a result may be written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Streams {
    /// Descriptors, character devices and FIFOs.
    All,
    /// Descriptors and character devices.
    Devices,
    None,
}

impl Place {
    /// The place of tours: a file is kept unless `overwrite`, and streams are welcome.
    pub fn of_tours(path: Option<&Path>, overwrite: bool) -> Result<Self, Failure> {
        let mut place = Self::of(path, Streams::All, overwrite)?;
        place.check("say --overwrite to replace it, or name another file")?;
        place.probe_file()?;
        Ok(place)
    }

    /// The place of a list, which may also be resumed. A list is written to the file itself.
    pub fn of_list(path: Option<&Path>, overwrite: bool, resume: bool) -> Result<Self, Failure> {
        let place = Self::of(path, Streams::All, overwrite || resume)?;
        Failure::usage_if(resume && matches!(place.target, Target::Stream(_)), || {
            format!("{} is no regular file: --resume needs one", place.name)
        })?;
        place.check(
            "say --resume to continue it, --overwrite to replace it, or name another file",
        )?;
        Ok(place)
    }

    /// The place of a file of units, if one was named: a file is kept unless `overwrite`, and
    /// nothing else will do.
    pub fn of_units(path: Option<&Path>, overwrite: bool) -> Result<Option<Self>, Failure> {
        if path.is_none() {
            return Ok(None);
        }
        let place = Self::of(path, Streams::None, overwrite)?;
        place.check("say --overwrite to replace it, or give --keep-units another file")?;
        place.probe()?;
        Ok(Some(place))
    }

    /// The place of a page, picture or summary, which replaces a regular file.
    pub fn of_page(path: Option<&Path>) -> Result<Self, Failure> {
        let mut place = Self::of(path, Streams::Devices, true)?;
        place.probe_file()?;
        Ok(place)
    }

    /// Writes the units of a run into this file.
    pub fn keep_units(
        &self,
        write: impl FnOnce(&Path) -> Result<(), DurableError>,
    ) -> Result<(), Failure> {
        let Target::File(path) = &self.target else { return Ok(()) };
        self.check("it was written during the run")
            .and_then(|()| write(path).map_err(|error| cannot_write(&self.name, &error.source)))
            .map_err(|failure| {
                Failure::failed(format!("the units are not kept: {}", failure.message))
            })
    }

    /// True if this is the same regular file.
    pub fn is(&self, other: &Path) -> bool {
        let Ok(Target::File(other)) = target(other) else { return false };
        self.file().is_some_and(|one| *one == other)
    }

    /// The regular file, if the result becomes one.
    pub fn file(&self) -> Option<&PathBuf> {
        match &self.target {
            Target::File(path) | Target::InPlace(path) => Some(path),
            Target::StandardOutput | Target::Stream(_) => None,
        }
    }

    /// Standard output.
    pub fn standard_output() -> Self {
        let name = "standard output".to_owned();
        Self { name, target: Target::StandardOutput, replaces: false }
    }

    fn of(path: Option<&Path>, streams: Streams, replaces: bool) -> Result<Self, Failure> {
        let Some(path) = path else {
            return Ok(Self::standard_output());
        };
        let name = path.display().to_string();
        let target = target(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => no_folder(&name, path),
            _ => cannot_write(&name, &error),
        })?;
        let kind = match fs::metadata(path) {
            Ok(there) => Some(there.file_type()),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(cannot_write(&name, &error)),
        };
        let is_stream = kind.is_some_and(|kind| !kind.is_file());
        let target = match target {
            Target::File(real) if is_stream => Target::Stream(real),
            target => target,
        };
        let place = Self { name, target, replaces };
        let is_welcome = place.file().is_some()
            || streams != Streams::None
                && kind.is_none_or(|kind| is_stream_for(kind, &place.target, streams));
        Failure::usage_if(!is_welcome, || {
            let kind = kind.map_or("a stream", what_it_is);
            format!("{} is {kind}: name a regular file", place.name)
        })?;
        Ok(place)
    }

    /// Refuses to replace a file that has something in it, and says what to type instead. Called
    /// again before a result is put in place: the file may have been written during a long run.
    pub fn check(&self, instead: &str) -> Result<(), Failure> {
        let has_content =
            self.file().is_some_and(|path| fs::metadata(path).is_ok_and(|there| there.len() > 0));
        Failure::usage_if(has_content && !self.replaces, || {
            format!("{} is there already and is kept: {instead}", self.name)
        })
    }

    /// Finds out whether a new version can be written beside the file.
    fn probe(&self) -> Result<(), Failure> {
        let Target::File(path) = &self.target else { return Ok(()) };
        let begun = Replacement::begin(path).map(drop);
        begun.map_err(|error| cannot_write(&self.name, &error.source))
    }

    /// The same, but where only the folder cannot be written to, the file itself will do.
    fn probe_file(&mut self) -> Result<(), Failure> {
        let probed = self.probe();
        if let Target::File(path) = &self.target
            && probed.is_err()
            && OpenOptions::new().write(true).open(path).is_ok()
        {
            self.target = Target::InPlace(path.clone());
            return Ok(());
        }
        probed
    }
}

/// The end for a place that cannot be written to.
pub fn cannot_write(name: &str, error: &io::Error) -> Failure {
    Failure::failed(format!("cannot write the result to {name}: {error}"))
}

fn no_folder(name: &str, path: &Path) -> Failure {
    let folder = folder_of(path).display();
    Failure::failed(format!(
        "cannot write the result to {name}: there is no folder {folder}; make it, or name another file"
    ))
}

/// The most symlinks that are followed, as many as Linux does.
const MOST_SYMLINKS: usize = 40;

/// Follows symlinks, also to a file that is not there yet. A link into the descriptors of a process
/// (`/dev/stdout`, `/dev/fd/3`) is a stream, for its text may name no file.
fn target(path: &Path) -> io::Result<Target> {
    let mut at = path.to_owned();
    for _ in 0..MOST_SYMLINKS {
        let Some(name) = at.file_name().map(OsStr::to_owned) else {
            // A path that ends in `..` or is `/`.
            return Ok(Target::File(at));
        };
        let folder = folder_of(&at).canonicalize()?;
        at = folder.join(&name);
        if is_descriptors(&folder) {
            let is_stdout = folder.ends_with("fd") && name == "1" && is_own(&folder);
            return Ok(if is_stdout { Target::StandardOutput } else { Target::Stream(at) });
        }
        match fs::read_link(&at) {
            Ok(next) => at = folder.join(next),
            // No symlink, or nothing there.
            Err(_) => return Ok(Target::File(at)),
        }
    }
    Err(io::Error::other("too many symlinks"))
}

/// True if a folder lists the open descriptors of a process.
fn is_descriptors(folder: &Path) -> bool {
    folder == Path::new("/dev/fd") || folder.starts_with("/proc") && folder.ends_with("fd")
}

/// True if a folder of descriptors belongs to this process.
fn is_own(folder: &Path) -> bool {
    let own = Path::new("/proc/self/fd").canonicalize();
    folder == Path::new("/dev/fd") || own.is_ok_and(|own| own == folder)
}

fn is_stream_for(kind: FileType, target: &Target, streams: Streams) -> bool {
    let is_descriptor = match target {
        Target::StandardOutput => true,
        Target::Stream(path) => is_descriptors(folder_of(path)),
        Target::File(_) | Target::InPlace(_) => false,
    };
    is_descriptor && !kind.is_dir()
        || kind.is_char_device()
        || streams == Streams::All && kind.is_fifo()
}

fn what_it_is(kind: FileType) -> &'static str {
    match kind {
        _ if kind.is_dir() => "a folder",
        _ if kind.is_fifo() => "a FIFO",
        _ if kind.is_socket() => "a socket",
        _ if kind.is_char_device() || kind.is_block_device() => "a device",
        _ => "a stream",
    }
}
