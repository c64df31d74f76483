//! Keyword arguments of functions that share most of them. Each is taken by its name, once; one that
//! is left over was misspelt. `None` stands for an argument that is not given.

use crate::error::wrong;
use kt_enum::job::Limits;
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

/// The positional argument for a board, which may be missing.
pub type Size<'py> = Option<Bound<'py, PyAny>>;

/// The keyword arguments of a call.
pub type Given<'a, 'py> = &'a Bound<'py, PyDict>;

/// The keyword arguments of a call that are not yet taken.
pub struct Keywords<'py> {
    function: &'static str,
    left: Bound<'py, PyDict>,
}

impl<'py> Keywords<'py> {
    /// The keyword arguments of a call of this function.
    pub fn new(py: Python<'py>, function: &'static str, given: Option<Given<'_, 'py>>) -> Self {
        // The dictionary was made for this call.
        Self { function, left: given.cloned().unwrap_or_else(|| PyDict::new(py)) }
    }

    /// The interpreter that called.
    pub fn py(&self) -> Python<'py> {
        self.left.py()
    }

    /// Takes an argument as it is.
    pub fn any(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let value = self.left.call_method1("pop", (name, self.py().None()))?;
        Ok(Some(value).filter(|value| !value.is_none()))
    }

    /// Takes an argument and converts it. An error begins with the name of the argument.
    pub fn with<T>(
        &self,
        name: &str,
        convert: impl FnOnce(Bound<'py, PyAny>) -> PyResult<T>,
    ) -> PyResult<Option<T>> {
        let py = self.py();
        self.any(name)?.map(convert).transpose().map_err(|error| {
            let named = error.get_type(py).call1((format!("{name}: {}", error.value(py)),));
            named.map_or_else(|error| error, PyErr::from_value)
        })
    }

    /// Takes an argument of a type.
    pub fn take<T: FromPyObjectOwned<'py>>(&self, name: &str) -> PyResult<Option<T>> {
        self.with(name, |value| value.extract().map_err(Into::into))
    }

    /// Takes an argument as a function of `_given` reads it.
    pub fn given<T: FromPyObjectOwned<'py>>(&self, name: &str, how: &str) -> PyResult<Option<T>> {
        self.any(name)?.map(|value| given(&value, how)).transpose()
    }

    /// Takes a flag, which is off unless it is given.
    pub fn flag(&self, name: &str) -> PyResult<bool> {
        Ok(self.take(name)?.unwrap_or_default())
    }

    /// Takes an argument that the library reads from a text.
    pub fn read<T: FromStr<Err: Display>>(&self, name: &str) -> PyResult<Option<T>> {
        self.with(name, |text| text.extract::<String>()?.parse().map_err(wrong))
    }

    /// Takes one of some named values.
    pub fn one_of<T: Clone>(&self, name: &str, named: &[(T, &str)]) -> PyResult<Option<T>> {
        self.with(name, |text| {
            let text: String = text.extract()?;
            let found = named.iter().find(|(_, known)| *known == text);
            let names: Vec<&str> = named.iter().map(|(_, known)| *known).collect();
            let unknown = || wrong(format!("`{text}` is none of {}", names.join(", ")));
            found.map(|(value, _)| value.clone()).ok_or_else(unknown)
        })
    }

    /// Takes a time, in seconds or as a `timedelta`.
    pub fn time(&self, name: &str) -> PyResult<Option<Duration>> {
        const FORM: &str = "give a number of seconds or a timedelta";
        self.with(name, |time| match time.extract::<f64>() {
            Ok(seconds) => Duration::try_from_secs_f64(seconds).map_err(wrong),
            Err(_) => time.extract().map_err(|_| PyTypeError::new_err(FORM)),
        })
    }

    /// Refuses what was not taken.
    pub fn end(self) -> PyResult<()> {
        let Some(name) = self.left.keys().iter().next() else { return Ok(()) };
        let why = format!("{}() got an unexpected keyword argument '{name}'", self.function);
        Err(PyTypeError::new_err(why))
    }
}

/// A number of bytes, also as text such as `2G`.
pub fn bytes(value: Bound<'_, PyAny>) -> PyResult<u64> {
    const FORM: &str = "give a number of bytes, or 2G, 512M or 64K";
    match value.extract::<String>() {
        Ok(text) => {
            Limits::parse_bytes(&text).ok_or_else(|| wrong("write a size as 2G, 512M or 64K"))
        }
        Err(_) => value.extract().map_err(|_| PyTypeError::new_err(FORM)),
    }
}

/// A value as a function of `_given` reads it.
pub fn given<'py, T: FromPyObjectOwned<'py>>(value: &Bound<'py, PyAny>, how: &str) -> PyResult<T> {
    python(value.py(), "_given", how, (value,))?.extract().map_err(Into::into)
}

/// Calls a function or a class of the package that is written in Python.
pub fn python<'py, A>(py: Python<'py>, file: &str, name: &str, of: A) -> PyResult<Bound<'py, PyAny>>
where
    A: IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
{
    py.import(format!("kt_enum.{file}"))?.getattr(name)?.call1(of.into_pyobject(py)?)
}

/// The only one of several things, with the words for none and for several.
pub fn only<T>(mut all: Vec<T>, none: &'static str, several: &str) -> PyResult<T> {
    match all.len() {
        0 => Err(wrong(none)),
        1 => Ok(all.remove(0)),
        count => Err(wrong(format!("these are {count} {several}"))),
    }
}
