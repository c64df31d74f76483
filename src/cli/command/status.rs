//! `status`: what a checkpoint holds. Reads only, so it can be asked while the run is live.

use crate::cli::args::StatusArgs;
use crate::cli::config::{self, CHECKPOINT_EXTENSION};
use crate::cli::exit::{Exit, Failure};
use crate::cli::output;
use crate::cli::progress::before_units;
use crate::cli::quantity::{duration, rate};
use kt_enum::run::checkpoint::{Header, holder, peek};
use kt_enum::tally::grouped;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

pub fn run(args: &StatusArgs) -> Result<(), Failure> {
    let mut printed = String::new();
    for path in checkpoints(args)? {
        let header = peek(&path)?.ok_or_else(|| missing(&path))?;
        let holder = holder(&path);
        printed += &match args.json {
            true => format!("{}\n", as_json(&path, &header, holder)),
            false => as_text(&path, &header, holder),
        };
    }
    output::print(printed.as_bytes())
}

/// The file that was named, those of the question, or all in the state folder.
fn checkpoints(args: &StatusArgs) -> Result<Vec<PathBuf>, Failure> {
    if let Some(file) = &args.file {
        return Ok(vec![file.clone()]);
    }
    let message = "neither XDG_STATE_HOME nor HOME is set: name the checkpoint";
    let folder = config::state_folder().ok_or_else(|| Failure::saying(Exit::Failed, message))?;
    let question = config::question(&args.question)?;
    let files = std::fs::read_dir(&folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    let is_checkpoint =
        |path: &PathBuf| path.extension().is_some_and(|e| e == CHECKPOINT_EXTENSION);
    let is_meant = |path: &PathBuf| {
        question
            .as_ref()
            .is_none_or(|question| config::is_of(question, path))
    };
    let mut files: Vec<PathBuf> = files.filter(is_checkpoint).filter(is_meant).collect();
    files.sort();
    match (files.is_empty(), question) {
        (true, Some(question)) => Err(missing(&config::default_checkpoint(&folder, &question))),
        (true, None) => Err(missing(&folder)),
        (false, _) => Ok(files),
    }
}

fn missing(path: &Path) -> Failure {
    let path = path.display();
    let message = format!(
        "no checkpoint at {path}: no run waits there, and one that just began has saved nothing yet"
    );
    Failure::saying(Exit::Failed, message)
}

fn left(header: &Header) -> Option<Duration> {
    let share = header.share.filter(|&share| share > 0.0)?;
    Duration::try_from_secs_f64(header.spent.as_secs_f64() * (1.0 - share) / share).ok()
}

fn tours_per_second(header: &Header) -> f64 {
    header.found.to_f64() / header.spent.as_secs_f64().max(1e-9)
}

fn as_text(path: &Path, header: &Header, holder: Option<String>) -> String {
    let identity = &header.identity;
    let age = SystemTime::now()
        .duration_since(header.saved)
        .unwrap_or_default();
    let state = match holder {
        Some(holder) => format!("live: {holder}"),
        None => "not running: type its command again to go on".to_owned(),
    };
    let found = match &header.building {
        Some(building) => before_units(building),
        None => format!(
            "{} directed tours so far, {}",
            header.found.grouped(),
            rate(tours_per_second(header))
        ),
    };
    let percent = header
        .share
        .map_or("?".to_owned(), |share| format!("{:.1}", share * 100.0));
    let left = left(header).map_or("?".to_owned(), duration);
    format!(
        "{}\n  {} ({})\n  \
         {percent} % of the work: {} of {} units done, {} begun\n  \
         {found}\n  \
         {} spent, about {left} left\n  \
         saved {} ago; {state}\n",
        path.display(),
        identity.question,
        identity.typed(),
        grouped(header.done),
        grouped(identity.units),
        grouped(header.begun),
        duration(header.spent),
        duration(age),
    )
}

fn as_json(path: &Path, header: &Header, holder: Option<String>) -> serde_json::Value {
    let identity = &header.identity;
    let question = &identity.question;
    let [tours, from, to] = question.words();
    let saved = header
        .saved
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    let mut status = json!({
        "schema": 1, "checkpoint": path.to_string_lossy(),
        "rows": question.board.rows(), "cols": question.board.cols(),
        "tours": tours, "from": from, "to": to, "shard": header.shard.to_string(),
        "engine": identity.engine, "split_depth": identity.split.depth(),
        "units": identity.units, "done": header.done, "begun": header.begun,
        "percent": header.share.map(|share| share * 100.0), "found": header.found.to_string(),
        "tours_per_s": tours_per_second(header), "spent_s": header.spent.as_secs_f64(),
        "left_s": left(header).map(|left| left.as_secs_f64()), "saved_unix_s": saved.as_secs_f64(),
        "building": header.building, "live": holder.is_some(), "holder": holder,
    });
    if let Some(cut) = identity.split.cut() {
        status["cut"] = cut.into();
    }
    status
}
