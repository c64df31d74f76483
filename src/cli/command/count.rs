//! `count`: how many tours.

use crate::cli::answer::{Answer, Effort};
use crate::cli::args::CountArgs;
use crate::cli::config::CountConfig;
use crate::cli::counting::{self, Counting};
use crate::cli::exit::Failure;
use crate::cli::kept_units::KeptUnits;
use crate::cli::machine;
use std::slice::from_ref;

pub fn run(args: &CountArgs) -> Result<(), Failure> {
    let config = CountConfig::new(&args.job, &args.whole)?;
    if config.whole.starts {
        return by_start(&config);
    }
    let kept = KeptUnits::checked(config.whole.keep_units.as_deref(), config.whole.overwrite)?;
    if let Some(place) = &config.run.checkpoint {
        kept.check_is_not(&place.path)?;
    }
    let counting = Counting::new(config)?;
    let config = &counting.config;
    let outcome = counting.run()?;
    let classes = counting::classes(config, &outcome.units, &counting.signals)?;
    let written = kept.write(|path| {
        let provenance = Some(&machine::provenance());
        outcome.units.write_with_history(path, &outcome.history, provenance)
    });
    let effort = Effort::of(from_ref(&outcome));
    Answer::whole(&outcome.units, classes, effort, config.format).print()?;
    // The checkpoint stays until the units are where they belong.
    written.map_err(|failure| match &config.run.checkpoint {
        Some(_) => failure.advising(
            "; the checkpoint is kept: type the command again with another --keep-units, and \
             nothing is counted twice",
        ),
        None => failure,
    })?;
    Ok(outcome.clear_checkpoint()?)
}

/// All open tours by start: a count for each orbit of squares.
fn by_start(config: &CountConfig) -> Result<(), Failure> {
    let counted = counting::by_start(config)?;
    let classes = counting::classes(config, &counted.units, &counted.signals)?;
    let answer = Answer::whole(&counted.units, classes, counted.effort, config.format)
        .with_starts(config.question.board, &counted.starts);
    answer.print()?;
    counted.clear_checkpoints()
}
