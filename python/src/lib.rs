//! The Python package: conversions, errors and progress around the library, and no logic.
//!
//! A function takes its keyword arguments ([`keywords`]), makes a board or a job of them ([`board`],
//! [`job`]), lets the library work without the interpreter's lock ([`long`]), and converts the
//! result. Nothing here counts, searches or draws.

mod board;
mod count;
mod error;
mod find;
mod job;
mod keywords;
mod list;
mod long;
mod number;
mod puzzle;
mod shard;
mod text;
mod tour;

use pyo3::prelude::*;

/// The compiled part of the package `kt_enum`.
#[pymodule]
mod _kt_enum {
    use pyo3::prelude::*;
    use std::ffi::OsString;

    #[pymodule_export]
    use crate::count::count;
    #[pymodule_export]
    use crate::error::Undecided;
    #[pymodule_export]
    use crate::find::{estimate, find};
    #[pymodule_export]
    use crate::list::{Tours, tours};
    #[pymodule_export]
    use crate::number::{nth, random, rank};
    #[pymodule_export]
    use crate::puzzle::{Puzzle, hint, is_unique, puzzle, solve};
    #[pymodule_export]
    use crate::shard::{merge, run, shards};
    #[pymodule_export]
    use crate::tour::{Tour, check, read, unpacked};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }

    /// Runs the program `kt-enum` with these words, the first of which is its name, and returns the
    /// exit code.
    #[pyfunction]
    fn program(py: Python<'_>, words: Vec<OsString>) -> u8 {
        py.detach(|| kt_enum::program(words))
    }
}
