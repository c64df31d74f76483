//! Results on standard output, notes on standard error.

use super::exit::{Exit, Failure};
use std::io::{ErrorKind, Write};

/// Prints a result. A reader that has gone away has seen enough: that is success.
pub fn print(result: &[u8]) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(result).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let message = format!("cannot write the result to standard output: {error}");
            Err(Failure::saying(Exit::Failed, message))
        }
        _ => Ok(()),
    }
}

/// Prints a note for whoever watches; where nobody can, the run goes on all the same.
pub fn note(text: &str) {
    let _ = std::io::stderr().write_all(format!("kt-enum: {text}\n").as_bytes());
}
