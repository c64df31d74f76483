//! Keyword arguments of functions that share most of them. Each is taken by its name, once; one that
//! is left over was misspelt. `None` stands for an argument that is not given.

use crate::error::wrong;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// The keyword arguments of a call.
pub type Given<'a, 'py> = &'a Bound<'py, PyDict>;

/// The keyword arguments of a call that are not yet taken.
pub struct Keywords<'py> {
    function: &'static str,
    left: Bound<'py, PyDict>,
}

impl<'py> Keywords<'py> {
    /// The keyword arguments of a call of this function.
    pub fn new(
        py: Python<'py>,
        function: &'static str,
        given: Option<Given<'_, 'py>>,
    ) -> PyResult<Self> {
        let left = given.map_or_else(|| Ok(PyDict::new(py)), |given| given.copy())?;
        Ok(Self { function, left })
    }

    /// Takes an argument as it is.
    pub fn any(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(value) = self.left.get_item(name)? else { return Ok(None) };
        self.left.del_item(name)?;
        Ok(Some(value).filter(|value| !value.is_none()))
    }

    /// Takes an argument and converts it.
    pub fn take<T: for<'a> FromPyObject<'a, 'py>>(&self, name: &str) -> PyResult<Option<T>> {
        let Some(value) = self.any(name)? else { return Ok(None) };
        let converted = value.extract::<T>().map_err(|error| {
            let (py, error): (_, PyErr) = (value.py(), error.into());
            error
                .get_type(py)
                .call1((format!("{name}: {}", error.value(py)),))
                .map_or_else(|error| error, |named| PyErr::from_value(named))
        });
        converted.map(Some)
    }

    /// Takes a flag, which is off unless it is given.
    pub fn flag(&self, name: &str) -> PyResult<bool> {
        Ok(self.take(name)?.unwrap_or_default())
    }

    /// Takes an argument that the library reads from a text.
    pub fn read<T: FromStr<Err: std::fmt::Display>>(&self, name: &str) -> PyResult<Option<T>> {
        let text: Option<String> = self.take(name)?;
        text.map(|text| text.parse().map_err(|error| wrong(format!("{name}: {error}")))).transpose()
    }

    /// Takes one of some named values.
    pub fn one_of<T: Clone>(&self, name: &str, named: &[(T, &str)]) -> PyResult<Option<T>> {
        let Some(text) = self.take::<String>(name)? else { return Ok(None) };
        let found = named.iter().find(|(_, known)| *known == text);
        let names = || named.iter().map(|(_, known)| *known).collect::<Vec<_>>().join(", ");
        let unknown = || wrong(format!("{name}: `{text}` is none of {}", names()));
        Ok(Some(found.ok_or_else(unknown)?.0.clone()))
    }

    /// Takes a path.
    pub fn path(&self, name: &str) -> PyResult<Option<PathBuf>> {
        self.take(name)
    }

    /// Takes a time, in seconds or as a `timedelta`.
    pub fn time(&self, name: &str) -> PyResult<Option<Duration>> {
        let Some(value) = self.any(name)? else { return Ok(None) };
        if let Ok(seconds) = value.extract::<f64>() {
            let time = Duration::try_from_secs_f64(seconds);
            return time.map(Some).map_err(|error| wrong(format!("{name}: {error}")));
        }
        value.extract().map(Some).map_err(|_| {
            PyTypeError::new_err(format!("{name}: give a number of seconds or a timedelta"))
        })
    }

    /// Takes a number of bytes, also as text such as `2G`.
    pub fn bytes(&self, name: &str) -> PyResult<Option<u64>> {
        self.any(name)?.map(|value| bytes(name, &value)).transpose()
    }

    /// Refuses what was not taken.
    pub fn end(self) -> PyResult<()> {
        match self.left.keys().iter().next() {
            Some(name) => Err(PyTypeError::new_err(format!(
                "{}() got an unexpected keyword argument '{name}'",
                self.function
            ))),
            None => Ok(()),
        }
    }
}

/// A number of bytes, also as text such as `2G`, in powers of 1024.
pub fn bytes(name: &str, value: &Bound<'_, PyAny>) -> PyResult<u64> {
    let Ok(text) = value.extract::<String>() else {
        return value.extract().map_err(|_| {
            PyTypeError::new_err(format!("{name}: give a number of bytes, or 2G, 512M or 64K"))
        });
    };
    let power = "KMGT".find(|letter| text.ends_with(letter)).map(|place| 10 * (place + 1));
    let digits = &text[..text.len() - usize::from(power.is_some())];
    let number: Option<u64> = digits.parse().ok();
    let bytes = number.and_then(|number| number.checked_mul(1 << power.unwrap_or(0)));
    bytes.ok_or_else(|| wrong(format!("{name}: write a size as 2G, 512M or 64K")))
}
