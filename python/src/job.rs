//! Jobs from keyword arguments.

use crate::error::wrong;
use crate::keywords::{Keywords, bytes, python};
use crate::long::Long;
use kt_enum::job::{CheckpointPlace, Job, Keeping, Limits, MemoSize, Name, Split, Wishes};
use kt_enum::question::Question;
use pyo3::prelude::*;
use std::path::PathBuf;

impl Keywords<'_> {
    /// The number of threads of a call.
    pub fn threads(&self) -> PyResult<Option<usize>> {
        const WITHIN: std::ops::RangeInclusive<usize> = 1..=4_096;
        self.with("threads", |threads| match threads.extract()? {
            threads if WITHIN.contains(&threads) => Ok(threads),
            threads => Err(wrong(format!("{threads} is not in {WITHIN:?}"))),
        })
    }

    /// The limits of a call.
    pub fn limits(&self) -> PyResult<Limits> {
        Ok(Limits { max_time: self.time("max_time")?, ..self.room()? })
    }

    /// The limits of a call but for that of its time.
    pub fn room(&self) -> PyResult<Limits> {
        let (memory, disk) = (self.with("memory", bytes)?, self.with("disk", bytes)?);
        Ok(Limits { threads: self.threads()?, memory, disk, max_time: None })
    }

    /// The engine and its options of a call.
    pub fn wishes(&self) -> PyResult<Wishes> {
        let engines = ["auto", "walk", "edges", "frontier", "subsets"];
        let engines = engines.map(|name| (Name::from(name.to_owned()), name));
        let depth = self.take("split_depth")?.map(Split::Depth);
        let cut = self.with("cut", |text| {
            let cut = Split::parse_cut(&text.extract::<String>()?);
            cut.ok_or_else(|| wrong("write C:S:Q, such as 30:4:6"))
        })?;
        if depth.is_some() && cut.is_some() {
            return Err(wrong("split_depth is for walk and edges, cut for frontier: give one"));
        }
        let engine = self.one_of("engine", &engines)?;
        let engine = engine.filter(|engine| engine.as_str() != "auto");
        let memo = self.with("memo", |size| match size.extract::<String>() {
            Ok(text) if text == "off" => Ok(MemoSize::Off),
            _ => bytes(size).map(MemoSize::Bytes),
        })?;
        Ok(Wishes { engine, split: cut.or(depth), memo })
    }

    /// The way in which the state of a call is kept.
    pub fn keeping(&self) -> PyResult<Keeping> {
        let usual = Keeping::default();
        let place = self.take::<PathBuf>("checkpoint")?.map(CheckpointPlace::named);
        let interval = self.time("checkpoint_interval")?.unwrap_or(usual.interval);
        Ok(Keeping { place, fresh: self.flag("fresh")?, interval, ..usual })
    }

    /// The job of a call that numbers the tours of a question, with its tables in the folder of an
    /// index if one is named.
    pub fn numbering(&self, question: Question) -> PyResult<Job> {
        let index: Option<PathBuf> = self.take("index")?;
        let mut job = Job::numbering(question, index.as_deref());
        job.limits = self.limits()?;
        job.keeping.fresh = self.flag("fresh")?;
        Ok(job)
    }

    /// A call that carries out a job, and tells its progress if it is asked to.
    pub fn long(self, job: &Job) -> PyResult<Long> {
        let (py, asked) = (self.py(), self.any("progress")?);
        let asked = asked.filter(|asked| asked.is_truthy().unwrap_or(true));
        let progress =
            asked.map(|asked| python(py, "_progress", "watch", (asked,)).map(Bound::unbind));
        self.end()?;
        let max_time = job.limits.max_time;
        Ok(Long { max_time, progress: progress.transpose()?, ..Long::default() })
    }
}
