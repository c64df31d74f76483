//! Shards of a count, for other processes and machines, and their parts put together.

use crate::board::{Size, question, to_int};
use crate::count::{made, to_count};
use crate::error::{of_job, wrong};
use crate::job::{clear, keeping, limits, progress, wishes};
use crate::keywords::{Given, Keywords};
use crate::long::{long, watched};
use kt_enum::job::{Control, Identity, Job, ShardWish, Silent, Wishes, check};
use kt_enum::units::{Assignment, Shard, Units, merge_units};
use pyo3::prelude::*;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// Count the shard of a text, and return the part of the count.
#[pyfunction]
#[pyo3(signature = (text, **options))]
pub fn run<'py>(
    py: Python<'py>,
    text: &str,
    options: Option<Given<'_, 'py>>,
) -> PyResult<Bound<'py, PyAny>> {
    let keywords = Keywords::new(py, "run", options)?;
    let (began, control) = (Instant::now(), Arc::new(Control::default()));
    let (identity, shard): (Identity, Shard) = serde_json::from_str(text).map_err(wrong)?;
    let mut job = Job::new(identity.question.clone());
    let (engine, split) = (Some(identity.engine.clone()), Some(identity.split));
    job.wishes = Wishes { engine, split, memo: None };
    (job.limits, job.keeping) = (limits(&keywords)?, keeping(&keywords)?);
    job.shard = Some(ShardWish { shard, by: Some(shard.assignment()), folder: None });
    let progress = progress(&keywords)?;
    keywords.end()?;
    let outcome = watched(py, &control, progress.as_ref(), |observer| {
        let plan = job.plan(observer)?;
        let counted = (plan.identity() == identity).then(|| plan.count(&control, observer));
        counted.transpose()
    })?;
    let foreign = "the shard was made by another version, which divides the count otherwise";
    let outcome = outcome.map_err(of_job)?.ok_or_else(|| wrong(foreign))?;
    clear(&outcome)?;
    let (units, elapsed) = (&outcome.units, began.elapsed().as_secs_f64());
    let directed = to_int(py, &units.directed())?;
    made(py, "Part", (shard.index(), shard.of(), directed, elapsed, units.text(None, None)?))
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
#[pyo3(signature = (n, size=None, **options))]
pub fn shards<'py>(
    py: Python<'py>,
    n: u32,
    size: Size<'py>,
    options: Option<Given<'_, 'py>>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let keywords = Keywords::new(py, "shards", options)?;
    let mut job = Job::new(question(size, &keywords)?);
    job.wishes = wishes(&keywords)?;
    let rules = [Assignment::Remainder, Assignment::Group].map(|rule| (rule, rule.as_str()));
    let by = keywords.one_of("by", &rules)?;
    keywords.end()?;
    let first = Shard::new(0, n).map_err(wrong)?;
    job.shard = Some(ShardWish { shard: first, by, folder: None });
    let plan = long(py, &Control::default(), || {
        job.plan(&mut Silent).map(|plan| (plan.identity(), plan.shard().assignment()))
    })?;
    let (identity, by) = plan.map_err(of_job)?;
    let shard = |index| {
        let shard = Shard::new(index, n).map_err(wrong)?.by(by);
        let text = serde_json::to_string(&(&identity, shard)).map_err(wrong)?;
        made(py, "Shard", (index, n, identity.to_string(), text))
    };
    (0..n).map(shard).collect()
}

/// Put the parts of a count together, in any order.
///
/// `ValueError` is raised if a part is missing, given twice, of another count, or wrong.
#[pyfunction]
pub fn merge<'py>(py: Python<'py>, parts: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let (mut all, mut known, mut elapsed) = (Vec::new(), BTreeSet::new(), 0.0);
    for (place, part) in parts.try_iter()?.enumerate() {
        let part = part?;
        let text: String = part.getattr("text")?.extract()?;
        let units = Units::decode(text.as_bytes()).map_err(wrong)?;
        if !known.insert(units.shard.index()) {
            return Err(wrong(format!("shard {} is given twice", units.shard)));
        }
        all.push(Ok((PathBuf::from(format!("part {place}")), units)));
        elapsed += part.getattr("elapsed")?.extract::<f64>()?;
    }
    let units = long(py, &Control::default(), || {
        let units = merge_units(all).map_err(wrong)?;
        check(&units).map_err(of_job)?;
        PyResult::Ok(units)
    })??;
    to_count(py, &units, None, (elapsed, 0))
}
