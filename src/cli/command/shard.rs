//! `shard I/N`: one machine's part of a count.

use crate::cli::answer::Answer;
use crate::cli::args::ShardArgs;
use crate::cli::config::{self, check_folder};
use crate::cli::counting::PlannedJob;
use crate::cli::exit::Failure;
use crate::cli::output::note;
use crate::cli::signals::Listener;
use crate::job::{CheckpointPlace, ShardWish, file_of_shard};
use crate::run::Effort;
use crate::units::merge::part_name;
use crate::units::{Units, UnitsError, UnitsFile, check_is_free};
use std::path::Path;
use std::time::Instant;

pub fn run(args: &ShardArgs) -> Result<(), Failure> {
    let began = Instant::now();
    let format = args.job.format.format();
    let checkpoint = CheckpointPlace::named(file_of_shard(&args.out, args.shard)).shared();
    let mut job = config::part(&args.job, checkpoint)?;
    check_folder(&args.out, "--out")?;
    let part = args.out.join(part_name(args.shard));
    job.shard = Some(ShardWish { shard: args.shard, by: args.by, folder: Some(args.out.clone()) });
    let fresh = job.keeping.fresh;
    if fresh {
        let advice = ", and is left as it is: move it away, or name another folder with --out";
        check_is_free(&part).map_err(|error| Failure::from(error).advising(advice))?;
    }
    // The part has to be written there too.
    let is_beside = args.job.run.checkpoint.is_none();
    let elsewhere =
        |failure: Failure| if is_beside { failure.in_folder_of("--out") } else { failure };
    let planned = PlannedJob::new(job, args.job.run.progress.style)?;
    if !fresh {
        planned.plan.check_parts(&args.out)?;
    }
    let place = planned.plan.place().cloned();
    let clear_left_behind = || place.iter().try_for_each(CheckpointPlace::clear_left_behind);
    if !fresh && let Some(UnitsFile { units, history, .. }) = already_counted(&part)? {
        note(&format!("{} is there already", part.display()));
        clear_left_behind()?;
        let histories = history.map(|history| vec![history]);
        let effort = Effort::of_reading(&units, began.elapsed()).with_histories(histories);
        return Answer { part: Some(&part), ..Answer::new(&units, effort, format) }.print();
    }
    let outcome = planned.count(&Listener::start()?).map_err(elsewhere)?;
    outcome.units.write_with(&part, Some(&outcome.history))?;
    // The part is safe, so from here on nothing is lost.
    outcome.clear_checkpoint()?;
    clear_left_behind()?;
    Answer { part: Some(&part), ..Answer::new(&outcome.units, outcome.effort, format) }.print()
}

fn already_counted(part: &Path) -> Result<Option<UnitsFile>, Failure> {
    match Units::read_kept(part) {
        Err(UnitsError::Missing(_)) => Ok(None),
        kept => Ok(Some(kept?)),
    }
}
