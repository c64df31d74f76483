//! `report RUN`: a page about a run, finished or not. Reads only, so it can be asked while the run
//! is live.

use crate::cli::args::{ProgressStyle, ReportArgs};
use crate::cli::board::check_has_places;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output;
use crate::cli::parts::{check_counts, kept};
use crate::cli::place::OutputPlace;
use crate::cli::retype;
use crate::cli::signals::Listener;
use crate::cli::watch::{Cancelled, Watch};
use crate::durable::{beginning, folder_of};
use crate::job::{Found, file_of_shard};
use crate::question::Question;
use crate::report::Report;
use crate::run::{Control, checkpoint};
use crate::units::Shard;
use crate::units::merge::parts_in;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub fn run(args: &ReportArgs) -> Result<(), Failure> {
    let parts = parts_in(&args.run).unwrap_or_default();
    let inputs = parts.iter().chain([&args.run]).map(PathBuf::as_path);
    let place = OutputPlace::of_page(&args.write.wanted(&["html"], false, inputs), true)?;
    let found = found(&args.run)?;
    let units = &found.kept.units;
    check_has_places(&units.identity.question.board, "report")?;
    let beside = || file_of_shard(folder_of(&args.run), units.shard);
    let of_part = (units.shard != Shard::WHOLE).then(beside);
    let checkpoint = found.saved.is_some().then(|| args.run.clone()).or(of_part);
    let command = retype::command(&units.identity, units.shard, checkpoint.as_deref());
    let signals = if args.starts { Listener::start()? } else { Listener::default() };
    let report = Report {
        found: &found,
        path: &args.run,
        counts_starts: args.starts,
        by_start: "kt-enum report --starts",
        limits: args.machine.limits(),
        control: Arc::new(Control::of_part(&signals.control)),
    };
    let watch = args.starts.then(|| watch(&units.identity.question, &signals)).transpose()?;
    let page = report.page(command);
    if let Some(watch) = watch
        && signals.control.is_stopped()
    {
        return Err(watch.stopped());
    }
    output::write(place, page?.html().as_bytes())
}

/// Watches the count by start square.
fn watch(question: &Question, signals: &Listener) -> Result<Watch, Failure> {
    let advice = "nothing is written".to_owned();
    let cancelled = Cancelled { exit: Exit::Failed, before: " of ", advice, may_leave: false };
    let how_far = || (None, vec!["counting by start square".to_owned()]);
    Watch::start("report", question, ProgressStyle::Auto, signals, cancelled, how_far)
}

/// The run that a file or a folder of parts has.
fn found(path: &Path) -> Result<Found, Failure> {
    if let Some(kept) = kept(path)? {
        check_counts(&kept.units, &[path.to_owned()])?;
        return Ok(Found::of_units(kept)?);
    }
    if beginning(path, 32)?.is_some_and(|bytes| checkpoint::looks_like_checkpoint(&bytes)) {
        let gone = || Failure::failed(format!("there is no {}", path.display()));
        return Found::of_checkpoint(path)?.ok_or_else(gone);
    }
    let what = "is neither a checkpoint nor a file of units (count --keep-units FILE, or a part of a shard)";
    Err(Failure::saying(Exit::Damaged, format!("{} {what}", path.display())))
}
