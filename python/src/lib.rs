//! The Python package: conversions, errors and progress around the library, and no logic.
//!
//! A function takes its keyword arguments ([`keywords`]), makes a board ([`site`]) or a job of
//! them, lets the library work without the interpreter's lock ([`long`]), and converts the result.
//! Nothing here counts, searches or draws. The names and the words of the keywords are in the
//! package, in `kt_enum/_keywords.py`.

mod count;
mod error;
mod keywords;
mod long;
mod prelude;
mod puzzle;
mod site;
mod tour;
mod tours;

/// The compiled part of the package `kt_enum`.
#[pyo3::pymodule]
mod _kt_enum {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::{
        count::{count, estimate, merge, prepare, run, shards},
        error::{Cancelled, Undecided},
        long::{end, guarded},
        puzzle::{Puzzle, hint, is_unique, puzzle, solve},
        site::Site,
        tour::{Tour, check, read, unpacked},
        tours::{Tours, find, nth, random, rank, tours},
    };

    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "it is an attribute of the module")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    /// Runs the program `kt-enum` with these words, the first of which is its name, and returns the
    /// exit code.
    #[pyfunction]
    fn program(py: Python<'_>, words: Vec<std::ffi::OsString>) -> u8 {
        py.detach(|| kt_enum::program(words))
    }
}
