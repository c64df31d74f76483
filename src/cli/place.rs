//! The place of a result: standard output, a stream, or a file.
//!
//! One rule holds for every option that names a place. A regular file that has something in it is
//! kept unless the user says otherwise, except a page or picture of this program, which a new one
//! replaces. A file that the command reads is never written over. The ending of a name says what is
//! in the file, or the name is refused. A symlink stands for the file at its end. What is neither a
//! regular file nor allowed as a stream is refused and left as it is. A place is checked before the
//! work begins, so that a long run does not end without a place for its result, and again at the
//! end.

use super::exit::Failure;
use crate::draw::markup;
use crate::durable::{
    MOST_SYMLINKS, Replacement, begins, folder_of, is_read_only, open_regular, write_over,
};
use std::ffi::OsStr;
use std::fmt::Display;
use std::fs::{self, File, FileType, Metadata};
use std::io::{self, ErrorKind, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

/// The endings of names that promise a form.
const PROMISING: [&str; 33] = [
    "bmp", "bz2", "csv", "doc", "docx", "eps", "gif", "gz", "html", "ico", "jpeg", "jpg", "json",
    "md", "ods", "odt", "pdf", "png", "ps", "svg", "tar", "tex", "tif", "tiff", "tsv", "webp",
    "xhtml", "xls", "xlsx", "xml", "xz", "zip", "zst",
];

/// The output of a command, as the user wants it.
#[derive(Debug, Default)]
pub struct Wanted<'a> {
    /// The file; standard output if there is none.
    pub path: Option<&'a Path>,
    pub overwrite: bool,
    /// The usual endings of all forms that the command knows.
    pub forms: &'a [&'a str],
    /// True if the user chose the form, whatever the name is.
    pub is_chosen: bool,
    /// The files that the command reads.
    pub inputs: Vec<&'a Path>,
}

/// A place that was checked and accepts a result.
#[derive(Debug, Clone)]
pub struct OutputPlace {
    /// The place as it was typed, for messages.
    pub name: String,
    pub target: Target,
    replaces: bool,
    /// True if a page or picture of this program may be replaced.
    is_page: bool,
}

/// The kinds of places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    StandardOutput,
    /// A device, a FIFO or an open descriptor: written to, never truncated or replaced.
    Stream(PathBuf),
    /// A regular file, or the name of one that is not there yet, with all symlinks followed.
    File(PathBuf),
    /// A regular file in a folder where no other file can be made, written once the result is
    /// complete.
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

impl OutputPlace {
    /// The place of tours: streams are welcome.
    pub fn of_tours(wanted: &Wanted) -> Result<Self, Failure> {
        Self::of(wanted, Streams::All, false, OVERWRITE)?.probed_file()
    }

    /// The place of a list, which may also be resumed. A list is written to the file itself, unless
    /// that has something in it.
    pub fn of_list(mut wanted: Wanted, resume: bool) -> Result<Self, Failure> {
        wanted.overwrite |= resume;
        let instead =
            "give --resume to continue it, --overwrite to replace it, or name another file";
        let place = Self::of(&wanted, Streams::All, false, instead)?;
        Failure::usage_if(resume && matches!(place.target, Target::Stream(_)), || {
            format!("{} is not a regular file: --resume needs one", place.name)
        })?;
        Ok(place)
    }

    /// The place of a file of units, if one was named; a stream is refused.
    pub fn of_units<'a>(
        path: &'a Option<PathBuf>,
        overwrite: bool,
        inputs: impl IntoIterator<Item = &'a Path>,
    ) -> Result<Option<Self>, Failure> {
        let Some(path) = path else { return Ok(None) };
        let (path, inputs) = (Some(path.as_path()), inputs.into_iter().collect());
        let wanted = Wanted { path, overwrite, forms: &["txt"], is_chosen: false, inputs };
        let instead = "give --overwrite to replace it, or give --keep-units another file";
        let place = Self::of(&wanted, Streams::None, false, instead)?;
        if let Target::File(path) = &place.target {
            place.begin(path)?;
        }
        Ok(Some(place))
    }

    /// The place of a page or picture, or of text in its stead.
    pub fn of_page(wanted: &Wanted, is_page: bool) -> Result<Self, Failure> {
        Self::of(wanted, Streams::Devices, is_page, OVERWRITE)?.probed_file()
    }

    /// Writes the units of a run into this file.
    pub fn keep_units(&self, text: io::Result<String>) -> Result<(), Failure> {
        let Target::File(path) = &self.target else { return Ok(()) };
        let written = self.begin(path).and_then(|mut new| {
            let written = text.and_then(|text| new.write_all(text.as_bytes()));
            written.map_err(|error| cannot_write(&self.name, &error))?;
            self.commit(new)
        });
        let not_kept = |failure: Failure| format!("the units are not kept: {}", failure.message);
        written.map_err(|failure| Failure::failed(not_kept(failure)))
    }

    /// Begins a new version of the file.
    pub fn begin(&self, path: &Path) -> Result<Replacement, Failure> {
        Replacement::begin(path).map_err(|error| cannot_write(&self.name, &error.source))
    }

    /// Puts a new version in its place, unless another file is there by now.
    pub fn commit(&self, new: Replacement) -> Result<(), Failure> {
        self.check(WRITTEN_MEANWHILE)?;
        new.commit().map_err(|error| cannot_write(&self.name, &error.source))
    }

    /// Writes a whole result over the file itself, unless another file is there by now.
    pub fn write_over(&self, result: &[u8]) -> Result<(), Failure> {
        let Some(path) = self.file() else { return Ok(()) };
        self.check(WRITTEN_MEANWHILE)?;
        let written = open_regular(path, true).and_then(|file| write_over(&file, result));
        written.map_err(|error| cannot_write(&self.name, &error))
    }

    /// Opens the file itself, which is created, or emptied if it may be replaced.
    pub fn open_in_place(&self, path: &Path) -> Result<File, Failure> {
        let opened = match File::options().write(true).create_new(true).open(path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                self.check(WRITTEN_MEANWHILE)?;
                open_regular(path, true).and_then(|file| file.set_len(0).map(|()| file))
            }
            created => created,
        };
        opened.map_err(|error| cannot_write(&self.name, &error))
    }

    /// True if this is the same regular file, whichever of its names is given.
    pub fn is(&self, other: &Path) -> bool {
        let has_name = |other| matches!(other, Target::File(path) if self.file() == Some(&path));
        target(other).is_ok_and(has_name)
            || fs::metadata(other).is_ok_and(|other| self.is_file(&other))
    }

    fn is_file(&self, other: &Metadata) -> bool {
        let identity = |there: &Metadata| (there.dev(), there.ino());
        let there = self.file().and_then(|path| fs::metadata(path).ok());
        there.is_some_and(|there| identity(&there) == identity(other))
    }

    /// Refuses to write over what the command reads.
    fn check_inputs(&self, inputs: &[&Path]) -> Result<(), Failure> {
        let stdin = io::stdin().as_fd().try_clone_to_owned().ok();
        let stdin = stdin.and_then(|stdin| File::from(stdin).metadata().ok());
        let is_input = inputs.iter().any(|input| *input != Path::new("-") && self.is(input))
            || stdin.is_some_and(|stdin| stdin.is_file() && self.is_file(&stdin));
        Failure::usage_if(is_input, || {
            format!("{} is read by this command and is kept: give another name", self.name)
        })
    }

    /// True if a regular file is there that has something in it.
    pub fn has_content(&self) -> bool {
        self.file().is_some_and(|path| fs::metadata(path).is_ok_and(|there| there.len() > 0))
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
        Self { name, target: Target::StandardOutput, replaces: false, is_page: false }
    }

    /// A place that accepts the result, or the refusal, which says what to type instead.
    fn of(
        wanted: &Wanted,
        streams: Streams,
        is_page: bool,
        instead: &str,
    ) -> Result<Self, Failure> {
        let Some(path) = wanted.path else {
            return Ok(Self::standard_output());
        };
        Failure::usage_if(
            path.as_os_str() == "-",
            || "- means standard input, not a file to write: type ./- for one of that name",
        )?;
        let name = path.display().to_string();
        check_ending(&name, path, wanted)?;
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
        let place = Self { name, target, replaces: wanted.overwrite, is_page };
        let is_welcome = place.file().is_some()
            || streams != Streams::None
                && kind.is_none_or(|kind| is_stream_for(kind, &place.target, streams));
        Failure::usage_if(!is_welcome, || {
            let kind = kind.map_or("a stream", what_it_is);
            format!("{} is {kind}: name a regular file", place.name)
        })?;
        place.check_inputs(&wanted.inputs)?;
        place.check(instead)?;
        Ok(place)
    }

    /// Refuses to replace a file that has something in it, and says what to type instead. Called
    /// again before a result is put in place: the file may have been written during a long run.
    pub fn check(&self, instead: &str) -> Result<(), Failure> {
        let is_own = |path: &PathBuf| self.is_page && begins(path, markup::is_made_here);
        let is_kept = !self.replaces && self.has_content() && !self.file().is_some_and(is_own);
        Failure::usage_if(is_kept, || {
            format!("{} exists already and is kept: {instead}", self.name)
        })
    }

    /// Finds out whether a new version can be written beside the file. Where the folder may not be
    /// written to and the file may, the file itself is written. For any other reason, such as a
    /// full disk, that could destroy what is there.
    fn probed_file(self) -> Result<Self, Failure> {
        let Target::File(path) = &self.target else { return Ok(self) };
        match Replacement::begin(path) {
            Ok(_) => Ok(self),
            Err(error) if is_read_only(&error.source) && open_regular(path, true).is_ok() => {
                Ok(Self { target: Target::InPlace(path.clone()), ..self })
            }
            Err(error) => Err(cannot_write(&self.name, &error.source)),
        }
    }
}

/// The usual endings of files of tours.
pub const TOURS: &[&str] = &["txt", "json"];

/// The usual advice about a file that is there.
const OVERWRITE: &str = "give --overwrite to replace it, or name another file";

/// The advice where a file has appeared since the command began.
const WRITTEN_MEANWHILE: &str = "it was written in the meantime; name another file";

/// The ending of a file's name, as it stands for a form.
pub fn ending(path: &Path) -> String {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if ending == "htm" { "html".to_owned() } else { ending }
}

/// Refuses a name whose ending promises a form that the command does not know.
fn check_ending(name: &str, path: &Path, wanted: &Wanted) -> Result<(), Failure> {
    let (Wanted { forms, is_chosen, .. }, ending) = (wanted, ending(path));
    let is_promised = |forms: &[&str]| forms.contains(&ending.as_str());
    Failure::usage_if(!is_chosen && !is_promised(forms) && is_promised(&PROMISING), || {
        let is_picture = is_promised(&["svg", "html"]);
        let draws = if is_picture { "; kt-enum show draws tours" } else { "" };
        let advice = match forms[..] {
            [_] => "give another name",
            _ => "give another name, or choose with --format",
        };
        format!(
            "{name} is not a name for what would be in it: this command writes .{}; {advice}{draws}",
            forms.join(", .")
        )
    })
}

/// The end for a place that cannot be written to.
pub fn cannot_write(name: &str, why: impl Display) -> Failure {
    Failure::failed(format!("cannot write the result to {name}: {why}"))
}

fn no_folder(name: &str, path: &Path) -> Failure {
    let folder = folder_of(path).display();
    cannot_write(name, format!("there is no folder {folder}; make it, or name another file"))
}

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
