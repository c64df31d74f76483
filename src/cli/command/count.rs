//! `count`: how many tours.

use crate::cli::answer::{Answer, Effort};
use crate::cli::args::CountArgs;
use crate::cli::config::CountConfig;
use crate::cli::counting::Counting;
use crate::cli::exit::Failure;
use crate::cli::{frontier, output};
use kt_enum::run::Shard;

pub fn run(args: &CountArgs) -> Result<(), Failure> {
    let config = CountConfig::new(args)?;
    let format = config.format;
    if frontier::is_chosen(args, &config)? {
        let (answer, sweep) = frontier::count(args, &config)?;
        output::print(answer.print(format).as_bytes())?;
        return sweep.clear_checkpoint();
    }
    let keep_units = config.keep_units.clone();
    let counting = Counting::new(config)?;
    let outcome = counting.run(Shard::WHOLE)?;
    let classes = counting.classes(&outcome.units)?;
    if let Some(path) = keep_units {
        outcome.units.write_with_history(&path, &outcome.history)?;
    }
    let answer = Answer::whole(&outcome.units, classes, Effort::of(&outcome));
    output::print(answer.print(format).as_bytes())?;
    Ok(outcome.clear_checkpoint()?)
}
