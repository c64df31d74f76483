//! Counting, and what a count returns.

use crate::board::{Size, question, to_int};
use crate::error::{of_job, undecided, wrong};
use crate::job::{clear, job, progress};
use crate::keywords::{Given, Keywords};
use crate::long::watched;
use kt_enum::classes;
use kt_enum::tally::Tally;
use kt_enum::units::Units;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::Arc;
use std::time::Instant;

/// A value of a class that the package defines in Python, from its fields.
pub fn made<'py>(
    py: Python<'py>,
    class: &str,
    fields: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("kt_enum._types")?.getattr(class)?.call1(fields.into_pyobject(py)?)
}

/// The units of a count as a `Count` of the package.
pub fn to_count<'py>(
    py: Python<'py>,
    units: &Units,
    classes: Option<&Tally>,
    (elapsed, units_resumed): (f64, usize),
) -> PyResult<Bound<'py, PyAny>> {
    let identity = &units.identity;
    made(
        py,
        "Count",
        (
            to_int(py, &units.directed())?,
            to_int(py, &units.undirected())?,
            classes.map(|classes| to_int(py, classes)).transpose()?,
            identity.units,
            units_resumed,
            identity.engine.as_str(),
            units.fingerprint(),
            elapsed,
            identity.question.to_string(),
            units.text(None, None)?,
        ),
    )
}

/// Count the tours of a board, exactly and on all cores.
///
/// >>> kt_enum.count(6).directed
/// 6637920
/// >>> kt_enum.count(rows=3, cols=10, tours="closed").undirected
/// 16
/// >>> kt_enum.count(4, piece="king", tours="closed").undirected
/// 2830
/// >>> kt_enum.count(graph=[(1, 2), (2, 3), (3, 1)], tours="closed").undirected
/// 1
///
/// The board is a `size` (8, "6x8" or (6, 8)), `rows` and `cols`, a drawing or description `board`,
/// or a `graph`: edges, a graph of networkx, the text of a graph file, or a path of one. With
/// `checkpoint`, the same call resumes after Ctrl-C, `max_time` or a crash. `progress` is True for a
/// bar, or a function that gets a dictionary about ten times per second.
#[pyfunction]
#[pyo3(signature = (size=None, **options))]
pub fn count<'py>(
    py: Python<'py>,
    size: Size<'py>,
    options: Option<Given<'_, 'py>>,
) -> PyResult<Bound<'py, PyAny>> {
    let keywords = Keywords::new(py, "count", options)?;
    let mut job = job(question(size, &keywords)?, &keywords)?;
    let (has_classes, progress) = (keywords.flag("classes")?, progress(&keywords)?);
    keywords.end()?;
    let question = job.question.clone();
    if has_classes {
        classes::check(&question).map_err(wrong)?;
        // The checkpoint stays until the classes are counted.
        job.keeping.is_finished_kept = true;
    }
    if let Some(units) = job.without_search() {
        return to_count(py, &units, has_classes.then_some(&Tally::ZERO), (0.0, 0));
    }
    let (began, control, most) = (Instant::now(), Arc::default(), job.limits.max_time);
    let (outcome, classes) = watched(py, &control, progress.as_ref(), |observer| {
        let counted = job.plan(observer).and_then(|plan| plan.count(&control, observer));
        let outcome = counted.map_err(of_job)?;
        if !has_classes {
            return PyResult::Ok((outcome, None));
        }
        let stop = || control.is_stopped() || most.is_some_and(|most| began.elapsed() >= most);
        let classes = classes::count(&question, outcome.units.undirected(), &stop);
        let late = "stopped while counting classes; with a checkpoint the same call resumes";
        Ok((outcome, Some(classes.map_err(wrong)?.ok_or_else(|| undecided(late))?)))
    })??;
    clear(&outcome)?;
    let effort = (began.elapsed().as_secs_f64(), outcome.effort.units_resumed);
    to_count(py, &outcome.units, classes.as_ref(), effort)
}
