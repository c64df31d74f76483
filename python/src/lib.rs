//! The Python package: conversions, errors and progress around the library, and no logic.
//!
//! A function takes its keyword arguments ([`keywords`]), makes a board or a job of them, lets the library work without the interpreter's lock ([`long`]), and converts the
//! result. Nothing here counts, searches or draws.

mod count;
mod error;
mod keywords;
mod long;
mod puzzle;
mod tour;
mod tours;

/// The compiled part of the package `kt_enum`.
#[pyo3::pymodule]
mod _kt_enum {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::{
        count::{count, estimate, merge, run, shards},
        error::Undecided,
        puzzle::{Puzzle, hint, is_unique, puzzle, solve},
        tour::{Tour, check, read, unpacked},
        tours::{Tours, find, nth, random, rank, tours},
    };

    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name is that of Python")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    /// Runs the program `kt-enum` with these words, the first of which is its name, and returns the
    /// exit code.
    #[pyfunction]
    fn program(py: Python<'_>, words: Vec<std::ffi::OsString>) -> u8 {
        py.detach(|| kt_enum::program(words))
    }
}
