//! Results on standard output or in a file, notes on standard error.

use super::exit::Failure;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

/// Where a result goes. A reader that has gone away has seen enough: that is success.
pub struct Output {
    name: String,
    out: Option<Box<dyn Write>>,
}

impl Output {
    /// To a file, or to standard output.
    pub fn to(file: Option<&Path>) -> Result<Self, Failure> {
        let (name, out): (String, Box<dyn Write>) = match file {
            None => ("standard output".to_owned(), Box::new(io::stdout().lock())),
            Some(path) => {
                let name = path.display().to_string();
                let file = File::create(path).map_err(|error| cannot_write(&name, &error))?;
                (name, Box::new(file))
            }
        };
        let out = Some(out);
        Ok(Self { name, out })
    }

    /// Writes a portion.
    pub fn write(&mut self, portion: &[u8]) -> Result<(), Failure> {
        self.try_to(|out| out.write_all(portion))
    }

    /// Writes what is still held.
    pub fn end(mut self) -> Result<(), Failure> {
        self.try_to(|out| out.flush())
    }

    /// Whether the reader has gone away.
    pub fn is_closed(&self) -> bool {
        self.out.is_none()
    }

    fn try_to(
        &mut self,
        act: impl FnOnce(&mut Box<dyn Write>) -> io::Result<()>,
    ) -> Result<(), Failure> {
        match self.out.as_mut().map_or(Ok(()), act) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.out = None;
                Ok(())
            }
            Err(error) => Err(cannot_write(&self.name, &error)),
            Ok(()) => Ok(()),
        }
    }
}

fn cannot_write(name: &str, error: &io::Error) -> Failure {
    Failure::failed(format!("cannot write the result to {name}: {error}"))
}

/// The fields of a JSON object on a line, in the order in which they stand here, the schema first. It is not closed
/// yet, so that more can follow.
macro_rules! fields {
    ($($field:tt)+) => {
        String::from("{\"schema\":1") + &$crate::cli::output::more!($($field)+)
    };
}
pub(crate) use fields;

/// More of the fields of such an object.
macro_rules! more {
    ($($key:literal: $value:expr),+ $(,)?) => {
        String::new() $(+ &format!(",\"{}\":{}", $key, serde_json::json!($value)))+
    };
}
pub(crate) use more;

/// Writes a result to a file, or to standard output.
pub fn write(file: Option<&Path>, result: &[u8]) -> Result<(), Failure> {
    let mut out = Output::to(file)?;
    out.write(result)?;
    out.end()
}

/// Prints a result.
pub fn print(result: &[u8]) -> Result<(), Failure> {
    write(None, result)
}

/// Prints a note for whoever watches; where nobody can, the run goes on all the same.
pub fn note(text: &str) {
    let _ = io::stderr().write_all(format!("kt-enum: {text}\n").as_bytes());
}
