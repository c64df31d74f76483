//! Texts and files of tours, boards and graphs.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::path::PathBuf;

/// A text, or the content of the file that a path names.
pub fn content(given: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = given.extract::<String>() {
        return Ok(text);
    }
    let path: PathBuf = given.extract().map_err(|_| {
        PyTypeError::new_err(format!("{} is neither a text nor a path", given.get_type()))
    })?;
    let bytes = std::fs::read(&path)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
