//! Counting, whole and in shards for other processes and machines, and the expected size of a
//! count.

use crate::prelude::*;
use kt_enum::classes;
use std::collections::BTreeSet;

/// The units of a count as a `Count` of the package.
fn of(py: Python, units: &Units, classes: Option<&Tally>, work: (f64, usize)) -> PyResult<Object> {
    let (identity, (elapsed, resumed)) = (&units.identity, work);
    let classes = classes.map(|tally| to_int(py, tally)).transpose()?;
    let counts = (to_int(py, &units.directed())?, to_int(py, &units.undirected())?, classes);
    let (engine, question) = (identity.engine.as_str(), identity.question.to_string());
    let work = (identity.units, resumed, engine, units.fingerprint(), elapsed);
    made(py, "counted", (counts, work, (question, units.text()?)))
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
/// `checkpoint`, the same call resumes after Ctrl-C, `max_time` or a crash. `progress` is True for
/// a bar, or a function that gets a dictionary about ten times per second, with the fields of
/// `kt-enum --progress json`.
#[pyfunction(signature = (size=None, **options))]
pub fn count(py: Python, size: Size, options: Option<Given>) -> PyResult<Object> {
    let mut job = Job::new(options.question(size)?.0);
    (job.wishes, job.limits) = (options.wishes()?, options.limits("max_time")?);
    let has_classes = options.flag("classes")?.unwrap_or(false);
    // The checkpoint stays until the classes are counted.
    job.keeping = Keeping { is_finished_kept: has_classes, ..options.keeping()? };
    let (mut long, question) = (options.long(py)?, job.question.clone());
    long.threads = if has_classes { job.limits.threads() } else { 0 };
    has_classes.then(|| classes::check(&question)).transpose().map_err(wrong)?;
    if let Some(units) = job.without_search() {
        return of(py, &units, has_classes.then_some(&Tally::ZERO), (0.0, 0));
    }
    let (outcome, classes) = long.run(py, |control, observer| {
        let counted = job.plan(observer).and_then(|plan| plan.count(control, observer));
        let outcome = counted.map_err(of_job)?;
        let classes = has_classes.then(|| {
            let late = "stopped while counting classes; with a checkpoint the same call resumes";
            let counted = outcome.units.undirected();
            let classes = classes::count(&question, counted, &|| control.is_stopped());
            classes.map_err(wrong)?.ok_or_else(|| undecided(late))
        });
        Ok((outcome, classes.transpose()?))
    })?;
    outcome.clear_checkpoint().map_err(of_job)?;
    let (units, effort) = (&outcome.units, &outcome.effort);
    of(py, units, classes.as_ref(), (effort.elapsed.as_secs_f64(), effort.units_resumed))
}

/// Count the shard, and return the part of the count.
///
/// >>> parts = [shard.run(threads=1) for shard in kt_enum.shards(6, tours="closed", of=4)]
/// >>> kt_enum.merge(parts) == 9862
/// True
///
/// Processes that share a machine share its cores: give each its number of threads.
#[pyfunction(signature = (text, **options))]
pub fn run(py: Python, text: &str, options: Option<Given>) -> PyResult<Object> {
    let (mut job, identity, shard) = job_of(text)?;
    (job.limits, job.keeping) = (options.limits("max_time")?, options.keeping()?);
    let folder = options.given("prepared", "place")?;
    job.shard = Some(ShardWish { shard, by: Some(shard.assignment()), folder });
    // Whoever runs a shard knows its forecast, and another one may take as long as the shard.
    let is_told = options.any("progress")?.is_some_and(|told| told.is_truthy().unwrap_or(true));
    let long = Long { interest: usize::from(is_told), ..options.long(py)? };
    let outcome = long.run(py, |control, observer| {
        planned(job, &identity, observer)?.count(control, observer).map_err(of_job)
    })?;
    outcome.clear_checkpoint().map_err(of_job)?;
    let (units, elapsed) = (&outcome.units, outcome.effort.elapsed.as_secs_f64());
    let directed = to_int(py, &units.directed())?;
    made(py, "Part", (shard.index(), shard.of(), directed, elapsed, units.text()?))
}

/// The plan of a job for a run that another call has described.
fn planned(job: Job, identity: &Identity, observer: &mut dyn Observer) -> PyResult<Plan> {
    let plan = job.plan(observer).map_err(of_job)?;
    let why = "the shard was made by another version, which divides the count otherwise";
    refuse(plan.identity() != *identity, why)?;
    Ok(plan)
}

/// Divide a count into shards, which other processes and machines can run.
///
/// >>> shards = kt_enum.shards(6, tours="closed", of=2)
/// >>> [shard.index for shard in shards]
/// [0, 1]
/// >>> from concurrent.futures import ThreadPoolExecutor
/// >>> with ThreadPoolExecutor() as pool:
/// ...     parts = list(pool.map(kt_enum.Shard.run, shards))
/// >>> kt_enum.merge(parts) == 9862
/// True
///
/// The `forecast` of a shard is its expected processor time in seconds, or None where it is not
/// known: some are counted for a few seconds, and the others are about as much work. Every shard computes the
/// states that its own units need, so all shards together take longer than one count, and the more
/// of them the longer, unless `prepare` has computed these states once.
#[pyfunction(signature = (size=None, **options))]
pub fn shards(py: Python, size: Size, options: Option<Given>) -> PyResult<Vec<Object>> {
    let n: u32 = options.take("of")?.ok_or_else(|| wrong("how many shards? give of="))?;
    let mut job = Job::new(options.question(size)?.0);
    job.wishes = options.wishes()?;
    let rules = [Assignment::Remainder, Assignment::Group].map(|rule| (rule, rule.as_str()));
    let by = options.one_of("by", &rules)?;
    let first = Shard::new(0, n).map_err(wrong)?;
    let (identity, by, forecast) = options.long(py)?.run(py, |control, _| {
        let shards = job.shards(first, by, control).map_err(of_job)?;
        let late = || undecided("stopped while the shards were forecast");
        if control.is_stopped() { Err(late()) } else { Ok(shards) }
    })?;
    let shard = |index| {
        let shard = Shard::new(index, n).map_err(wrong)?.by(by);
        let text = serde_json::to_string(&(&identity, shard)).map_err(wrong)?;
        made(py, "Shard", (index, n, identity.to_string(), forecast, text))
    };
    (0..n).map(shard).collect()
}

/// Compute once, in a folder, what all shards of a count need before their units.
///
/// >>> import tempfile
/// >>> shards = kt_enum.shards(6, tours="closed", engine="frontier", of=2)
/// >>> with tempfile.TemporaryDirectory() as folder:
/// ...     prepared = kt_enum.prepare(shards[0], folder)
/// ...     parts = [shard.run(prepared=folder) for shard in shards]
/// >>> prepared, kt_enum.merge(parts) == 9862
/// (True, True)
///
/// Any shard of the count will do. The folder has to be one that all workers can read. Returns
/// False where nothing precedes the units, so that the shards can begin at once.
#[pyfunction(signature = (shard, folder, **options))]
pub fn prepare(shard: &Any, folder: Any, options: Option<Given>) -> PyResult<bool> {
    let (py, text) = (shard.py(), given::<String>(shard, "shard")?);
    let folder: PathBuf = argument("folder", folder, |folder| given(&folder, "place"))?;
    std::fs::create_dir_all(&folder)?;
    let (mut job, identity, shard) = job_of(&text)?;
    job.limits = options.limits("max_time")?;
    job.keeping = Keeping { place: Some(CheckpointPlace::prepared(&folder)), ..options.keeping()? };
    job.shard = Some(ShardWish { shard: Shard::WHOLE, by: Some(shard.assignment()), folder: None });
    let prepared = options.long(py)?.run(py, |control, observer| {
        planned(job, &identity, observer)?.prepare(control, observer).map_err(of_job)
    })?;
    Ok(prepared.is_some())
}

/// The job, the run and the shard of a text.
fn job_of(text: &str) -> PyResult<(Job, Identity, Shard)> {
    let (identity, shard): (Identity, Shard) = serde_json::from_str(text).map_err(wrong)?;
    let mut job = Job::new(identity.question.clone());
    let (engine, split) = (Some(identity.engine.clone()), Some(identity.split));
    job.wishes = Wishes { engine, split, memo: None };
    Ok((job, identity, shard))
}

/// Put the parts of a count together, in any order.
///
/// `ValueError` is raised if a part is missing, given twice, of another count, or wrong.
#[pyfunction(signature = (parts, **options))]
pub fn merge(parts: &Any, options: Option<Given>) -> PyResult<Object> {
    let py = parts.py();
    let (texts, elapsed): (Vec<String>, f64) = given(parts, "parts")?;
    let (mut all, mut known) = (Vec::new(), BTreeSet::new());
    for (place, text) in texts.iter().enumerate() {
        let units = Units::decode(text.as_bytes()).map_err(wrong)?;
        let is_known = !known.insert(units.shard.index());
        refuse(is_known, format_args!("shard {} is given twice", units.shard))?;
        all.push(Ok((format!("part {place}").into(), units)));
    }
    let units = options.long(py)?.run(py, |_, _| {
        let units = Units::merge(all).map_err(wrong)?;
        check(&units).map_err(of_job)?;
        Ok(units)
    })?;
    of(py, &units, None, (elapsed, 0))
}

/// Estimate how large a count is and how long it will take.
///
/// >>> estimate = kt_enum.estimate(6, probes=20_000, seed=1)
/// >>> estimate["directed_low"] < 6_637_920 < estimate["directed_high"]
/// True
///
/// The dictionary has the fields of `kt-enum estimate --json`. `time_s` are the seconds of the
/// `engine` that `count` would take with the same arguments, or None where they are not known.
/// `directed` is None where no probe has found a tour.
#[pyfunction(signature = (size=None, **options))]
pub fn estimate(py: Python, size: Size, options: Option<Given>) -> PyResult<Object> {
    let mut job = Job::new(options.question(size)?.0);
    (job.wishes, job.limits) = (options.wishes()?, options.limits("within")?);
    let how = EstimateEffort {
        probes: options.take("probes")?.unwrap_or(100_000),
        within: job.limits.max_time.take(),
        seed: options.take("seed")?.unwrap_or_default(),
    };
    let text = options.long(py)?.run(py, |control, _| {
        let estimated = job.estimate(&how, &|| control.is_stopped()).map_err(of_estimate)?;
        Ok(estimated.json(&job.question, &how))
    })?;
    Ok(py.import("json")?.call_method1("loads", (text,))?.unbind())
}
