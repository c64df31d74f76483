//! Jobs from keyword arguments.

use crate::error::{of_job, wrong};
use crate::keywords::{Keywords, bytes};
use crate::long::Progress;
use kt_enum::job::{
    CheckpointPlace, Job, Keeping, Limits, MemoSize, Name, Outcome, RunError, Split, Wishes,
};
use kt_enum::question::Question;
use pyo3::prelude::*;
use std::path::Path;

/// The number of threads of a call.
pub fn threads(keywords: &Keywords) -> PyResult<Option<usize>> {
    const MOST: usize = 4_096;
    let threads: Option<usize> = keywords.take("threads")?;
    match threads {
        Some(threads) if !(1..=MOST).contains(&threads) => {
            Err(wrong(format!("threads: {threads} is not in 1..={MOST}")))
        }
        threads => Ok(threads),
    }
}

/// The limits of a call.
pub fn limits(keywords: &Keywords) -> PyResult<Limits> {
    Ok(Limits {
        threads: threads(keywords)?,
        memory: keywords.bytes("memory")?,
        disk: keywords.bytes("disk")?,
        max_time: keywords.time("max_time")?,
    })
}

/// The engine and its options of a call.
pub fn wishes(keywords: &Keywords) -> PyResult<Wishes> {
    let engines = [
        (None, "auto"),
        (Some(Name::Walk), "walk"),
        (Some(Name::Edges), "edges"),
        (Some(Name::Frontier), "frontier"),
        (Some(Name::Subsets), "subsets"),
    ];
    let engine = keywords.one_of("engine", &engines)?.flatten();
    let depth: Option<u32> = keywords.take("split_depth")?;
    let cut = keywords.take::<String>("cut")?.map(|text| {
        let cut = Split::parse_cut(&text);
        cut.ok_or_else(|| wrong("cut: write C:S:Q, such as 30:4:6"))
    });
    let cut = cut.transpose()?;
    if depth.is_some() && cut.is_some() {
        return Err(wrong("split_depth is for walk and edges, cut for frontier: give one"));
    }
    Ok(Wishes { engine, split: cut.or(depth.map(Split::Depth)), memo: memo(keywords)? })
}

/// The transposition table of each thread: a size, or `"off"`.
fn memo(keywords: &Keywords) -> PyResult<Option<MemoSize>> {
    let memo = keywords.any("memo")?.map(|given| {
        let is_off = given.extract::<String>().is_ok_and(|text| text == "off");
        if is_off { Ok(MemoSize::Off) } else { bytes("memo", &given).map(MemoSize::Bytes) }
    });
    memo.transpose()
}

/// The way in which the state of a call is kept.
pub fn keeping(keywords: &Keywords) -> PyResult<Keeping> {
    let usual = Keeping::default();
    let place = keywords.path("checkpoint")?.map(CheckpointPlace::named);
    let interval = keywords.time("checkpoint_interval")?.unwrap_or(usual.interval);
    Ok(Keeping { place, fresh: keywords.flag("fresh")?, interval, ..usual })
}

/// The job of a call that counts a question.
pub fn job(question: Question, keywords: &Keywords) -> PyResult<Job> {
    let mut job = Job::new(question);
    job.wishes = wishes(keywords)?;
    job.limits = limits(keywords)?;
    job.keeping = keeping(keywords)?;
    Ok(job)
}

/// Removes the checkpoint of a count whose result is safe.
pub fn clear(outcome: &Outcome) -> PyResult<()> {
    outcome.clear_checkpoint().map_err(|error| of_job(RunError::from(error).into()))
}

/// The job of a call that numbers the tours of a question, with its tables in the folder of an
/// index if one is named.
pub fn numbering(question: Question, keywords: &Keywords) -> PyResult<Job> {
    let mut job = Job::new(question);
    job.wishes.engine = Some(Name::Frontier);
    job.limits = limits(keywords)?;
    job.keeping.fresh = keywords.flag("fresh")?;
    if let Some(folder) = keywords.path("index")? {
        job.keeping.place = Some(CheckpointPlace::of_index(Path::new(&folder)));
        job.keeping.is_finished_kept = true;
    }
    Ok(job)
}

/// The function that is told the progress of a call, if it is asked for.
pub fn progress(keywords: &Keywords) -> PyResult<Option<Progress>> {
    let Some(asked) = keywords.any("progress")?.filter(|asked| asked.is_truthy().unwrap_or(true))
    else {
        return Ok(None);
    };
    let watch = asked.py().import("kt_enum._progress")?.getattr("watch")?;
    Ok(Some(watch.call1((asked,))?.unbind()))
}
