//! Counting, and what a count returns.

use crate::board::{Size, question, to_int, to_tally};
use crate::error::{of_job, undecided, wrong};
use crate::job::{job, progress};
use crate::keywords::Keywords;
use crate::long::{long, watched};
use kt_enum::classes;
use kt_enum::job::{Control, Identity, Job, Split};
use kt_enum::tally::Tally;
use kt_enum::units::{Shard, Units};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::Arc;
use std::time::Instant;

/// The number of tours of a question, exactly.
///
/// >>> count = kt_enum.count(6, tours="closed", classes=True)
/// >>> count.undirected, count.directed, count.classes
/// (9862, 19724, 1245)
/// >>> int(count)
/// 9862
///
/// `directed` counts sequences of squares, `undirected` counts a tour and its reverse once.
/// `fingerprint` digests the counts of all `units` of work: it is the same for any number of threads,
/// shards and resumes. The text of a file of units makes a count again: `Count(text)`.
#[pyclass(frozen, module = "kt_enum")]
pub struct Count {
    pub units: Units,
    pub classes: Option<Tally>,
    /// Seconds.
    pub elapsed: f64,
    /// The units that a checkpoint had.
    pub units_resumed: usize,
}

#[pymethods]
impl Count {
    #[new]
    #[pyo3(signature = (text, elapsed=0.0, classes=None))]
    fn new(text: &str, elapsed: f64, classes: Option<Bound<'_, PyAny>>) -> PyResult<Self> {
        let units = Units::decode(text.as_bytes()).map_err(wrong)?;
        Ok(Self {
            units,
            classes: classes.map(|count| to_tally(&count)).transpose()?,
            elapsed,
            units_resumed: 0,
        })
    }

    /// The number of tours with a direction.
    #[getter]
    fn directed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_int(py, &self.units.directed())
    }

    /// The number of tours without a direction.
    #[getter]
    fn undirected<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_int(py, &self.units.undirected())
    }

    /// The number of tours up to the symmetries of the board, if it was asked for.
    #[getter]
    fn classes<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.classes.as_ref().map(|classes| to_int(py, classes)).transpose()
    }

    /// The number of units of work.
    #[getter]
    fn units(&self) -> u64 {
        self.units.identity.units
    }

    /// The number of units that a checkpoint had.
    #[getter]
    fn units_resumed(&self) -> usize {
        self.units_resumed
    }

    /// The engine that counted.
    #[getter]
    fn engine(&self) -> &str {
        self.units.identity.engine.as_str()
    }

    /// The digest of the counts of all units.
    #[getter]
    fn fingerprint(&self) -> String {
        self.units.fingerprint()
    }

    /// The seconds that the count took.
    #[getter]
    fn elapsed(&self) -> f64 {
        self.elapsed
    }

    /// What was counted, in words.
    #[getter]
    fn question(&self) -> String {
        self.units.identity.question.to_string()
    }

    /// The file of units, which `kt-enum audit` and `kt-enum report` read.
    #[getter]
    fn text(&self) -> PyResult<String> {
        Ok(self.units.text(None, None)?)
    }

    /// The number that the program prints: directed for open tours, undirected for closed ones.
    fn __int__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if self.units.identity.question.is_closed() {
            self.undirected(py)
        } else {
            self.directed(py)
        }
    }

    fn __repr__(&self) -> String {
        let (directed, undirected) = (self.units.directed(), self.units.undirected());
        format!("<{}: directed={directed}, undirected={undirected}>", self.question())
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (self.text()?, self.elapsed, self.classes(py)?).into_pyobject(py)
    }
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
#[pyo3(signature = (size=None, **options), text_signature = "(size=None, *, rows=None, cols=None, \
board=None, graph=None, piece=None, wrap=None, without=None, legend=None, graph_format=None, \
tours='open', from_=None, to=None, classes=False, engine='auto', split_depth=None, cut=None, \
memo=None, threads=None, memory=None, disk=None, max_time=None, checkpoint=None, fresh=False, \
checkpoint_interval=30, progress=None)")]
pub fn count(
    py: Python<'_>,
    size: Size<'_>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Count> {
    let keywords = Keywords::new(py, "count", options)?;
    let mut job = job(question(size, &keywords)?, &keywords)?;
    let (classes, progress) = (keywords.flag("classes")?, progress(&keywords)?);
    keywords.end()?;
    if classes {
        classes::check(&job.question).map_err(wrong)?;
        // The checkpoint stays until the classes are counted.
        job.keeping.is_finished_kept = true;
    }
    if let Some(units) = nothing_to_count(&job) {
        return Ok(Count {
            units,
            classes: classes.then_some(Tally::ZERO),
            elapsed: 0.0,
            units_resumed: 0,
        });
    }
    let (began, control, max_time) =
        (Instant::now(), Arc::new(Control::default()), job.limits.max_time);
    let question = job.question.clone();
    let outcome = watched(py, &control, progress.as_ref(), |observer| {
        job.plan(observer)?.count(&control, observer)
    })?;
    let outcome = outcome.map_err(of_job)?;
    let counted = if classes {
        let is_over = || max_time.is_some_and(|most| began.elapsed() >= most);
        let stop = || control.is_stopped() || is_over();
        let undirected = outcome.units.undirected();
        let counted = long(py, &control, || classes::count(&question, undirected, &stop))?;
        let late = "stopped while counting classes; with a checkpoint the same call resumes";
        Some(counted.map_err(wrong)?.ok_or_else(|| undecided(late))?)
    } else {
        None
    };
    outcome
        .clear_checkpoint()
        .map_err(|error| of_job(kt_enum::job::RunError::from(error).into()))?;
    let (elapsed, units_resumed) = (began.elapsed().as_secs_f64(), outcome.effort.units_resumed);
    Ok(Count { units: outcome.units, classes: counted, elapsed, units_resumed })
}

/// The units of a question that has no tour for a known reason: none. A whole rectangle with a knight
/// always has units.
fn nothing_to_count(job: &Job) -> Option<Units> {
    let question = &job.question;
    if question.board.is_plain() || !question.is_impossible() {
        return None;
    }
    let (engine, split) = job.chosen();
    let split = split.unwrap_or(Split::Depth(0));
    let identity = Identity { question: question.clone(), engine, split, units: 0 };
    Some(Units { identity, shard: Shard::WHOLE, counts: Vec::new() })
}
