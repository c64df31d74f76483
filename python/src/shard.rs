//! Shards of a count, for other processes and machines, and their parts put together.

use crate::board::{Size, question, to_int};
use crate::count::Count;
use crate::error::{of_job, wrong};
use crate::job::{keeping, limits, progress, wishes};
use crate::keywords::Keywords;
use crate::long::{long, watched};
use kt_enum::job::{Control, Identity, Job, RunError, ShardWish, Silent, Wishes, check};
use kt_enum::units::{self, Assignment, Units, merge_units};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// One of the shards of a count. It can be pickled, and `run` counts it anywhere.
#[pyclass(frozen, module = "kt_enum")]
pub struct Shard {
    identity: Identity,
    shard: units::Shard,
}

#[pymethods]
impl Shard {
    #[new]
    fn new(text: &str) -> PyResult<Self> {
        let (identity, shard) = serde_json::from_str(text).map_err(wrong)?;
        Ok(Self { identity, shard })
    }

    /// The number of the shard, from 0.
    #[getter]
    fn index(&self) -> u32 {
        self.shard.index()
    }

    /// The number of shards.
    #[getter]
    fn of(&self) -> u32 {
        self.shard.of()
    }

    /// Count the shard, and return the part of the count.
    ///
    /// >>> parts = [shard.run(threads=1) for shard in kt_enum.shards(4, 6, tours="closed")]
    /// >>> kt_enum.merge(parts).undirected
    /// 9862
    ///
    /// `threads`, `memory`, `disk`, `max_time`, `checkpoint`, `fresh`, `checkpoint_interval` and
    /// `progress` are those of `count`. Processes that share a machine share its cores: give each its
    /// number of threads.
    #[pyo3(signature = (**options), text_signature = "($self, *, threads=None, memory=None, disk=None, \
max_time=None, checkpoint=None, fresh=False, checkpoint_interval=30, progress=None)")]
    fn run(&self, py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Part> {
        let keywords = Keywords::new(py, "run", options)?;
        let (began, control) = (Instant::now(), Arc::new(Control::default()));
        let Identity { question, engine, split, .. } = self.identity.clone();
        let mut job = Job::new(question);
        job.wishes = Wishes { engine: Some(engine), split: Some(split), memo: None };
        (job.limits, job.keeping) = (limits(&keywords)?, keeping(&keywords)?);
        let by = Some(self.shard.assignment());
        job.shard = Some(ShardWish { shard: self.shard, by, folder: None });
        let progress = progress(&keywords)?;
        keywords.end()?;
        let outcome = watched(py, &control, progress.as_ref(), |observer| {
            let plan = job.plan(observer)?;
            let counted =
                (plan.identity() == self.identity).then(|| plan.count(&control, observer));
            counted.transpose()
        })?;
        let foreign =
            || wrong("the shard was made by another version, which divides the count otherwise");
        let outcome = outcome.map_err(of_job)?.ok_or_else(foreign)?;
        outcome.clear_checkpoint().map_err(|error| of_job(RunError::from(error).into()))?;
        Ok(Part { units: outcome.units, elapsed: began.elapsed().as_secs_f64() })
    }

    fn __repr__(&self) -> String {
        format!("<shard {} of the {}>", self.shard, self.identity)
    }

    fn __getnewargs__(&self) -> PyResult<(String,)> {
        Ok((serde_json::to_string(&(&self.identity, self.shard)).map_err(wrong)?,))
    }
}

/// The counted units of a shard. It can be pickled; `merge` makes a count of all parts.
#[pyclass(frozen, module = "kt_enum")]
pub struct Part {
    units: Units,
    elapsed: f64,
}

#[pymethods]
impl Part {
    #[new]
    #[pyo3(signature = (text, elapsed=0.0))]
    fn new(text: &str, elapsed: f64) -> PyResult<Self> {
        let units = Units::decode(text.as_bytes()).map_err(wrong)?;
        Ok(Self { units, elapsed })
    }

    /// The number of the shard, from 0.
    #[getter]
    fn index(&self) -> u32 {
        self.units.shard.index()
    }

    /// The number of shards.
    #[getter]
    fn of(&self) -> u32 {
        self.units.shard.of()
    }

    /// The directed tours of this part.
    #[getter]
    fn directed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_int(py, &self.units.directed())
    }

    /// The seconds that the shard took.
    #[getter]
    fn elapsed(&self) -> f64 {
        self.elapsed
    }

    /// The file of the part, as `kt-enum shard` writes it: named `part-I-of-N`, `kt-enum merge` reads
    /// it.
    #[getter]
    fn text(&self) -> PyResult<String> {
        Ok(self.units.text(None, None)?)
    }

    fn __repr__(&self) -> String {
        format!("<part {} of the {}>", self.units.shard, self.units.identity)
    }

    fn __getnewargs__(&self) -> PyResult<(String, f64)> {
        Ok((self.text()?, self.elapsed))
    }
}

/// Divide a count into shards, which other processes and machines can run.
///
/// >>> shards = kt_enum.shards(2, 6, tours="closed")
/// >>> [shard.index for shard in shards]
/// [0, 1]
/// >>> from concurrent.futures import ThreadPoolExecutor
/// >>> with ThreadPoolExecutor() as pool:
/// ...     parts = list(pool.map(kt_enum.Shard.run, shards))
/// >>> kt_enum.merge(parts).undirected
/// 9862
///
/// The board, the tours, `engine`, `split_depth` and `cut` are those of `count`. `by` is "remainder" or
/// "group", the rule that assigns units to shards.
#[pyfunction]
#[pyo3(signature = (n, size=None, **options), text_signature = "(n, size=None, *, rows=None, cols=None, \
board=None, graph=None, piece=None, wrap=None, without=None, legend=None, graph_format=None, \
tours='open', from_=None, to=None, engine='auto', split_depth=None, cut=None, by=None)")]
pub fn shards(
    py: Python<'_>,
    n: u32,
    size: Size<'_>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<Shard>> {
    let keywords = Keywords::new(py, "shards", options)?;
    let mut job = Job::new(question(size, &keywords)?);
    job.wishes = wishes(&keywords)?;
    let rules = [Assignment::Remainder, Assignment::Group].map(|rule| (rule, rule.as_str()));
    let by = keywords.one_of("by", &rules)?;
    keywords.end()?;
    let first = units::Shard::new(0, n).map_err(wrong)?;
    job.shard = Some(ShardWish { shard: first, by, folder: None });
    let plan = long(py, &Control::default(), || {
        job.plan(&mut Silent).map(|plan| (plan.identity(), plan.shard().assignment()))
    })?;
    let (identity, by) = plan.map_err(of_job)?;
    let shard = |index| {
        let shard = units::Shard::new(index, n).map_err(wrong)?.by(by);
        Ok(Shard { identity: identity.clone(), shard })
    };
    (0..n).map(shard).collect()
}

/// Put the parts of a count together, in any order.
///
/// `ValueError` is raised if a part is missing, given twice, of another count, or wrong.
#[pyfunction]
pub fn merge(py: Python<'_>, parts: &Bound<'_, PyAny>) -> PyResult<Count> {
    let (mut all, mut known, mut elapsed) = (Vec::new(), BTreeSet::new(), 0.0);
    for part in parts.try_iter()? {
        let part = part?.cast_into::<Part>()?;
        let (units, place) = (part.get().units.clone(), all.len());
        if !known.insert(units.shard.index()) {
            return Err(wrong(format!("shard {} is given twice", units.shard)));
        }
        all.push(Ok((PathBuf::from(format!("part {place}")), units)));
        elapsed += part.get().elapsed;
    }
    let units = long(py, &Control::default(), || {
        let units = merge_units(all).map_err(wrong)?;
        check(&units).map_err(of_job)?;
        PyResult::Ok(units)
    })??;
    Ok(Count { units, classes: None, elapsed, units_resumed: 0 })
}
