//! `shard I/N`: one machine's part of a count.

use crate::cli::answer::{Answer, at_split};
use crate::cli::args::ShardArgs;
use crate::cli::config::{CheckpointPlace, CountConfig, check_folder};
use crate::cli::counting::Counting;
use crate::cli::exit::Failure;
use crate::cli::output::note;
use crate::cli::resumption::{PREPARED, name_of_shard};
use crate::cli::signals::Listener;
use crate::run::Effort;
use crate::run::checkpoint::Store;
use crate::units::merge::{part_name, parts_in, shard_of};
use crate::units::{Assignment, Shard, Units, UnitsError, check_is_free};
use crate::work::{Identity, Name};
use std::path::{Path, PathBuf};
use std::time::Instant;

pub fn run(args: &ShardArgs) -> Result<(), Failure> {
    let began = Instant::now();
    let mut config = CountConfig::part(&args.job)?;
    check_folder(&args.out, "--out")?;
    let shard = args.shard;
    let part = args.out.join(part_name(shard));
    if args.job.run.checkpoint.is_none() && !args.job.run.no_checkpoint {
        let (path, is_named, is_shared) = (args.out.join(name_of_shard(shard)), true, true);
        config.run.checkpoint = Some(CheckpointPlace { path, is_named, is_shared });
    }
    config.prepared = Some(Store::folder_beside(&args.out.join(PREPARED)));
    if config.run.fresh {
        let advice = ", and is left as it is: move it away, or name another folder with --out";
        check_is_free(&part).map_err(|error| Failure::from(error).advising(advice))?;
    }
    let shard_of = |identity: &Identity, saved| {
        let others = || parts_in(&args.out).unwrap_or_default();
        by_rule(shard, args.by, identity, saved, others)
    };
    let counting = Counting::of_shard(config, shard_of, Listener::start)?;
    let (config, shard) = (&counting.config, counting.shard);
    if !config.run.fresh
        && let Some(units) = already_counted(&part)?
    {
        if (&units.identity, units.shard) != (&counting.work.identity(), shard) {
            return Err(of_another_run(&part, &units));
        }
        note(&format!("{} is there already", part.display()));
        clear_left_behind(config.run.checkpoint.as_ref())?;
        let effort = Effort::of_reading(&units, began.elapsed());
        return Answer::part(&units, &part, effort, config.format).print();
    }
    let outcome = counting.run()?;
    outcome.units.write(&part)?;
    // The part is safe, so from here on nothing is lost.
    outcome.clear_checkpoint()?;
    clear_left_behind(config.run.checkpoint.as_ref())?;
    Answer::part(&outcome.units, &part, outcome.effort, config.format).print()
}

/// The shard by the rule that was requested, or else that of the checkpoint, of parts of the same
/// run in the folder, or of the run: parts of different rules cannot be merged.
fn by_rule(
    shard: Shard,
    asked: Option<Assignment>,
    identity: &Identity,
    saved: Option<Shard>,
    parts: impl FnOnce() -> Vec<PathBuf>,
) -> Result<Shard, Failure> {
    let engine = &identity.engine;
    Failure::usage_if(asked == Some(Assignment::Group) && *engine != Name::Frontier, || {
        format!(
            "--by group is for --engine frontier, the units of {engine} share no states: leave it out"
        )
    })?;
    let is_same = |other: &Shard| (other.index(), other.of()) == (shard.index(), shard.of());
    let of_parts = || {
        let units = parts().into_iter().find_map(|path| {
            let is_of_set = shard_of(&path)?.of() == shard.of();
            let units = is_of_set.then(|| Units::read(&path).ok())??;
            (units.identity == *identity && units.shard.of() == shard.of()).then_some(units)
        })?;
        Some(units.shard.assignment())
    };
    let by = asked
        .or_else(|| Some(saved.filter(is_same)?.assignment()))
        .or_else(of_parts)
        .unwrap_or_else(|| Assignment::of_run(identity, shard.of()));
    Ok(shard.by(by))
}

/// The failure of a shard whose part would replace one of another run.
fn of_another_run(part: &Path, units: &Units) -> Failure {
    let Units { identity, shard, .. } = units;
    let by = shard.unusual(identity).map_or(String::new(), |by| format!(" {by}"));
    Failure::usage(format!(
        "{} is a part of another run (shard {shard}{by}, {} {}): name another folder with --out, \
         or count it again with --fresh",
        part.display(),
        identity.question,
        at_split(identity.split)
    ))
}

/// Removes what processes that did the same work and were killed have left; a live one keeps its
/// own.
fn clear_left_behind(place: Option<&CheckpointPlace>) -> Result<(), Failure> {
    let Some(place) = place else { return Ok(()) };
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
