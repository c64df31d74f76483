//! `shard I/N`: one machine's part of a count.

use crate::cli::answer::{Answer, Effort, at_split};
use crate::cli::args::{ShardArgs, WholeArgs};
use crate::cli::config::{CheckpointPlace, CountConfig, check_folder};
use crate::cli::counting::Counting;
use crate::cli::exit::Failure;
use crate::cli::output::note;
use crate::cli::resumption::{PREPARED, name_of_shard};
use kt_enum::run::checkpoint::Store;
use kt_enum::units::merge::part_name;
use kt_enum::units::{Units, UnitsError};
use std::path::Path;
use std::slice::from_ref;
use std::time::Instant;

pub fn run(args: &ShardArgs) -> Result<(), Failure> {
    let began = Instant::now();
    let mut config = CountConfig::new(&args.job, &WholeArgs::default())?;
    check_folder(&args.out, "--out")?;
    let shard = args.shard;
    let part = args.out.join(part_name(shard));
    if args.job.run.checkpoint.is_none() && !args.job.run.no_checkpoint {
        let (path, is_named, is_shared) = (args.out.join(name_of_shard(shard)), true, true);
        config.run.checkpoint = Some(CheckpointPlace { path, is_named, is_shared });
    }
    config.prepared = Some(Store::folder_beside(&args.out.join(PREPARED)));
    let counting = Counting::new(config, shard)?;
    let config = &counting.config;
    if !config.run.fresh
        && let Some(units) = already_counted(&part)?
    {
        let ours = counting.work.identity();
        if (&units.identity, units.shard) != (&ours, shard) {
            let message = format!(
                "{} is a part of another run ({} {}): name another folder with --out, \
                 or count it again with --fresh",
                part.display(),
                units.identity.question,
                at_split(units.identity.split)
            );
            return Err(Failure::usage(message));
        }
        note(&format!("{} is there already", part.display()));
        let effort = Effort::of_reading(&units, began.elapsed());
        return Answer::part(&units, &part, effort, config.format).print();
    }
    let outcome = counting.run()?;
    outcome.units.write(&part)?;
    // The part is safe, so from here on nothing is lost.
    outcome.clear_checkpoint()?;
    if let Some(place) = &config.run.checkpoint {
        clear_left_behind(place)?;
    }
    let effort = Effort::of(from_ref(&outcome));
    Answer::part(&outcome.units, &part, effort, config.format).print()
}

/// Removes what processes that did the same work and were killed have left; a live one keeps its
/// own.
fn clear_left_behind(place: &CheckpointPlace) -> Result<(), Failure> {
    for path in std::iter::once(place.path.clone()).chain(place.others()) {
        // A process that was killed early has left its sweeps and no checkpoint yet.
        if (path.exists() || Store::folder_beside(&path).exists())
            && let Ok(store) = Store::hold(&path)
        {
            store.clear()?;
        }
    }
    Ok(())
}

fn already_counted(part: &Path) -> Result<Option<Units>, Failure> {
    match Units::read(part) {
        Ok(units) => Ok(Some(units)),
        Err(UnitsError::Missing(_)) => Ok(None),
        Err(error @ UnitsError::Damaged { .. }) => {
            Err(Failure::from(error).advising(", and --fresh"))
        }
        Err(error) => Err(error.into()),
    }
}
