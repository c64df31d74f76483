//! Results on standard output or in a file, notes on standard error.

use super::exit::{Failure, legible};
use super::place::{OutputPlace, Target, cannot_write};
use crate::durable::Replacement;
use crate::idle::IdleStep;
use crate::machine;
use crate::machine::growing::{Growing, Reserve};
use serde::Serialize;
use std::fs::OpenOptions;
use std::io::{self, ErrorKind, Write};
use std::sync::Arc;

/// A result on its way to its place. A reader that closes the stream has seen enough: that is
/// success.
///
/// A regular file appears only when the result is complete. An output that is dropped before
/// [`Output::end`] leaves the place as it was. No file grows into the reserve of its disk.
pub struct Output {
    place: OutputPlace,
    sink: Sink,
}

enum Sink {
    /// A file that is opened at the first write.
    Waiting,
    Stream(Box<dyn Write + Send>),
    New(Growing<Replacement>),
    /// What will be written over a file, once it is complete.
    Held(Vec<u8>),
    /// The reader has closed the stream.
    Closed,
}

impl Output {
    /// Opens a stream at once, for its reader may have to be waited for, and a file when there is
    /// something to write.
    pub fn to(place: OutputPlace) -> Result<Self, Failure> {
        let sink = open(&place)?.map_or(Sink::Waiting, Sink::Stream);
        Ok(Self { place, sink })
    }

    /// A result that is printed as it comes.
    pub fn standard() -> Result<Self, Failure> {
        Self::to(OutputPlace::standard_output())
    }

    /// Writes a portion.
    pub fn write(&mut self, portion: &[u8]) -> Result<(), Failure> {
        self.open()?;
        let written = match &mut self.sink {
            Sink::Stream(out) => {
                let _step = waiting(&self.place);
                out.write_all(portion)
            }
            Sink::New(new) => new.write_all(portion),
            Sink::Held(held) => held
                .try_reserve(portion.len())
                .map(|()| held.extend_from_slice(portion))
                .map_err(io::Error::from),
            Sink::Waiting | Sink::Closed => Ok(()),
        };
        self.checked(written)
    }

    /// Writes what is still held, and puts a file in its place.
    pub fn end(mut self) -> Result<(), Failure> {
        self.open()?;
        match std::mem::replace(&mut self.sink, Sink::Closed) {
            Sink::Stream(mut out) => {
                let _step = waiting(&self.place);
                let flushed = out.flush();
                self.checked(flushed)
            }
            Sink::New(new) => self.place.commit(new.out),
            Sink::Held(held) => self.place.write_over(&held),
            Sink::Waiting | Sink::Closed => Ok(()),
        }
    }

    /// True if the result becomes a file.
    pub fn is_to_file(&self) -> bool {
        self.place.file().is_some()
    }

    /// True if the reader has closed the stream.
    pub fn is_closed(&self) -> bool {
        matches!(self.sink, Sink::Closed)
    }

    fn open(&mut self) -> Result<(), Failure> {
        if let Sink::Waiting = self.sink {
            self.sink = match &self.place.target {
                Target::InPlace(_) => Sink::Held(Vec::new()),
                Target::File(path) => {
                    let new = self.place.begin(path)?;
                    let reserve = machine::disk(path).map(|disk| Reserve::of(path, &disk));
                    Sink::New(Growing::new(new, Arc::default(), reserve))
                }
                Target::StandardOutput | Target::Stream(_) => Sink::Closed,
            };
        }
        Ok(())
    }

    fn checked(&mut self, written: io::Result<()>) -> Result<(), Failure> {
        match written {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.sink = Sink::Closed;
                Ok(())
            }
            written => written.map_err(|error| cannot_write(&self.place.name, &error)),
        }
    }
}

/// The step of waiting for the reader of a stream.
fn waiting(place: &OutputPlace) -> IdleStep {
    IdleStep::begin(format_args!("writing to {}", place.name))
}

/// Opens a place unless it is a file. A device, a FIFO or a descriptor is never truncated.
pub fn open(place: &OutputPlace) -> Result<Option<Box<dyn Write + Send>>, Failure> {
    Ok(match &place.target {
        Target::StandardOutput => Some(Box::new(io::stdout())),
        Target::Stream(path) => {
            let _step = waiting(place);
            let stream = OpenOptions::new().append(true).open(path);
            Some(Box::new(stream.map_err(|error| cannot_write(&place.name, &error))?))
        }
        Target::File(_) | Target::InPlace(_) => None,
    })
}

/// A JSON document on a line: the schema, then the fields in the order in which they are added.
#[derive(Default)]
pub struct Document {
    /// The fields as they are written, with a comma before each.
    fields: String,
}

impl Document {
    /// Adds a field. The types of the program are always written: their fields have names, and
    /// their keys are strings.
    pub fn field(mut self, key: &str, value: impl Serialize) -> Self {
        let value = serde_json::to_string(&value).unwrap_or_default();
        self.fields += &format!(",\"{key}\":{value}");
        self
    }

    /// Adds a field that is left out without a value.
    pub fn optional(self, key: &str, value: Option<impl Serialize>) -> Self {
        if let Some(value) = value { self.field(key, value) } else { self }
    }

    /// Adds all fields of a type, which has some.
    pub fn all(mut self, of: &impl Serialize) -> Self {
        let object = serde_json::to_string(of).unwrap_or_default();
        let fields = object.strip_prefix('{').and_then(|fields| fields.strip_suffix('}'));
        self.fields.extend(fields.into_iter().flat_map(|fields| [",", fields]));
        self
    }

    /// The document with its line end.
    pub fn line(self) -> String {
        format!("{{\"schema\":1{}}}\n", self.fields)
    }
}

/// The document of a type.
pub fn document(of: &impl Serialize) -> String {
    Document::default().all(of).line()
}

/// Fields as a line of CSV without its end, in quotation marks where they hold commas.
pub fn csv_line(fields: Vec<String>) -> String {
    let is_quoted = |field: &String| field.contains([',', '"']);
    let quoted = |field: String| format!("\"{}\"", field.replace('"', "\"\""));
    let fields = fields.into_iter();
    let fields = fields.map(|field| if is_quoted(&field) { quoted(field) } else { field });
    fields.collect::<Vec<_>>().join(",")
}

/// Writes a whole result.
pub fn write(place: OutputPlace, result: &[u8]) -> Result<(), Failure> {
    let mut out = Output::to(place)?;
    out.write(result)?;
    out.end()
}

/// Prints a result.
pub fn print(result: &[u8]) -> Result<(), Failure> {
    write(OutputPlace::standard_output(), result)
}

/// Prints a note on standard error. If it cannot be printed, the run continues all the same.
pub fn note(text: &str) {
    let _ = io::stderr().write_all(format!("kt-enum: {}\n", legible(text)).as_bytes());
}

/// Prints an answer in words, which may quote files.
pub fn say(text: &str) -> Result<(), Failure> {
    print(crate::legible::legible(text, usize::MAX, true).as_bytes())
}
