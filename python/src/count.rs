//! Counting, whole and in shards for other processes and machines, and the expected size of a count.

use crate::error::{of_estimate, of_job, refuse, undecided, wrong};
use crate::keywords::{Any, Given, Keywords, Object, Size, argument, given, made};
use crate::long::Long;
use crate::tours::to_int;
use kt_enum::classes;
use kt_enum::job::{EstimateEffort, Identity, Job, Keeping, ShardWish, Silent, Wishes, check};
use kt_enum::tally::Tally;
use kt_enum::units::{Assignment, Shard, Units};
use pyo3::prelude::*;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The units of a count as a `Count` of the package.
fn to_count(
    py: Python,
    units: &Units,
    classes: Option<&Tally>,
    elapsed: f64,
    units_resumed: usize,
) -> PyResult<Object> {
    let identity = &units.identity;
    let fields = (
        to_int(py, &units.directed())?,
        to_int(py, &units.undirected())?,
        classes.map(|classes| to_int(py, classes)).transpose()?,
        identity.units,
        units_resumed,
        identity.engine.as_str(),
        units.fingerprint(),
        elapsed,
        identity.question.to_string(),
        units.text()?,
    );
    made(py, "Count", fields)
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
/// bar, or a function that gets a dictionary about ten times per second, with the fields of
/// `kt-enum --progress json`.
#[pyfunction(signature = (size=None, **options))]
pub fn count(py: Python, size: Size, options: Option<Given>) -> PyResult<Object> {
    let mut job = Job::new(options.question(size)?);
    (job.wishes, job.limits) = (options.wishes()?, options.limits("max_time")?);
    job.wishes.memo = options.memo()?;
    let has_classes = options.take("classes")?.unwrap_or(false);
    // The checkpoint stays until the classes are counted.
    job.keeping = Keeping { is_finished_kept: has_classes, ..options.keeping()? };
    let (long, question) = (options.long("count", &job)?, job.question.clone());
    has_classes.then(|| classes::check(&question)).transpose().map_err(wrong)?;
    if let Some(units) = job.without_search() {
        return to_count(py, &units, has_classes.then_some(&Tally::ZERO), 0.0, 0);
    }
    let (outcome, classes) = long.run(py, |control, observer| {
        let counted = job.plan(observer).and_then(|plan| plan.count(control, observer));
        let outcome = counted.map_err(of_job)?;
        let count =
            || classes::count(&question, outcome.units.undirected(), &|| control.is_stopped());
        let classes = has_classes.then(count).transpose().map_err(wrong)?;
        let late = "stopped while counting classes; with a checkpoint the same call resumes";
        let classes = classes.map(|classes| classes.ok_or_else(|| undecided(late))).transpose()?;
        Ok((outcome, classes))
    })?;
    outcome.clear_checkpoint().map_err(of_job)?;
    let (units, effort) = (&outcome.units, &outcome.effort);
    to_count(py, units, classes.as_ref(), effort.elapsed.as_secs_f64(), effort.units_resumed)
}

/// Count the shard of a text, and return the part of the count.
#[pyfunction(signature = (text, **options))]
pub fn run(py: Python, text: &str, options: Option<Given>) -> PyResult<Object> {
    let (identity, shard): (Identity, Shard) = serde_json::from_str(text).map_err(wrong)?;
    let mut job = Job::new(identity.question.clone());
    let (engine, split) = (Some(identity.engine.clone()), Some(identity.split));
    job.wishes = Wishes { engine, split, memo: None };
    (job.limits, job.keeping) = (options.limits("max_time")?, options.keeping()?);
    job.shard = Some(ShardWish { shard, by: Some(shard.assignment()), folder: None });
    let outcome = options.long("run", &job)?.run(py, |control, observer| {
        let plan = job.plan(observer).map_err(of_job)?;
        let why = "the shard was made by another version, which divides the count otherwise";
        refuse(plan.identity() != identity, why)?;
        plan.count(control, observer).map_err(of_job)
    })?;
    outcome.clear_checkpoint().map_err(of_job)?;
    let (units, elapsed) = (&outcome.units, outcome.effort.elapsed.as_secs_f64());
    let directed = to_int(py, &units.directed())?;
    let fields = (shard.index(), shard.of(), directed, elapsed, units.text()?);
    made(py, "Part", fields)
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
#[pyfunction(signature = (n, size=None, **options))]
pub fn shards(n: Any, size: Size, options: Option<Given>) -> PyResult<Vec<Object>> {
    let (py, n) = (n.py(), argument("n", n, |n| n.extract::<u32>())?);
    let mut job = Job::new(options.question(size)?);
    job.wishes = options.wishes()?;
    let rules = [Assignment::Remainder, Assignment::Group].map(|rule| (rule, rule.as_str()));
    let by = options.one_of("by", &rules)?;
    options.end("shards")?;
    let first = Shard::new(0, n).map_err(wrong)?;
    job.shard = Some(ShardWish { shard: first, by, folder: None });
    let plan = Long::default().run(py, |_, _| job.plan(&mut Silent).map_err(of_job))?;
    let (identity, by) = (plan.identity(), plan.shard().assignment());
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
pub fn merge(py: Python, parts: &Any) -> PyResult<Object> {
    let (texts, elapsed): (Vec<String>, f64) = given(parts, "parts")?;
    let (mut all, mut known) = (Vec::new(), BTreeSet::new());
    for (place, text) in texts.iter().enumerate() {
        let units = Units::decode(text.as_bytes()).map_err(wrong)?;
        let is_new = known.insert(units.shard.index());
        refuse(!is_new, format!("shard {} is given twice", units.shard))?;
        all.push(Ok((PathBuf::from(format!("part {place}")), units)));
    }
    let units = Long::default().run(py, |_, _| {
        let units = Units::merge(all).map_err(wrong)?;
        check(&units).map_err(of_job)?;
        Ok(units)
    })?;
    to_count(py, &units, None, elapsed, 0)
}

/// Estimate how large a count is and how long it will take.
///
/// >>> estimate = kt_enum.estimate(8, within=2)
/// >>> estimate["directed_low"] < 19_591_828_170_979_904 < estimate["directed_high"]
/// True
///
/// The dictionary has the fields of `kt-enum estimate --json`. `within` is the time that it may take,
/// `probes` the most random probes.
#[pyfunction(signature = (size=None, **options))]
pub fn estimate(py: Python, size: Size, options: Option<Given>) -> PyResult<Object> {
    let mut job = Job::new(options.question(size)?);
    (job.wishes, job.limits) = (options.wishes()?, options.limits("within")?);
    job.wishes.memo = options.memo()?;
    let how = EstimateEffort {
        probes: options.take("probes")?.unwrap_or(100_000),
        within: job.limits.max_time.take(),
        seed: options.take("seed")?.unwrap_or_default(),
    };
    options.end("estimate")?;
    let text = Long::default().run(py, |control, _| {
        let estimated = job.estimate(&how, &|| control.is_stopped()).map_err(of_estimate)?;
        Ok(estimated.json(&job.question, &how, &job.room()))
    })?;
    Ok(py.import("json")?.call_method1("loads", (text,))?.unbind())
}
