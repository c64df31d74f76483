//! `random`: tours drawn uniformly.

use super::nth::Writing;
use crate::cli::answer::no_tours;
use crate::cli::args::RandomArgs;
use crate::cli::config;
use crate::cli::exit::Failure;
use crate::cli::numbering::with_numbers;
use crate::cli::output::note;
use crate::numbers::Random;
use crate::run::{Event, Observer};
use crate::tally::Tally;

pub fn run(args: &RandomArgs) -> Result<(), Failure> {
    let question = config::required_question(&args.question)?;
    let mut writing = Writing::to(&args.write, &args.question, &args.number, question.clone())?;
    if args.count == 0 {
        // Nothing has to be built to draw nothing.
        return writing.out.end();
    }
    // An answer, as that of `find`.
    let none = || note(&no_tours(&question));
    if question.is_impossible() {
        none();
        return writing.out.end();
    }
    with_numbers(&args.number, question.clone(), |numbering| {
        let last = numbering.last().clone();
        if last == Tally::ZERO {
            none();
            return Ok(());
        }
        let seed = args.seed.unwrap_or_else(fresh_seed);
        if args.seed.is_none() {
            numbering.progress.notice(&Event::Seeded(seed));
        }
        let mut random = Random::new(seed);
        let numbers = (0..args.count).map_while(|_| random.number_up_to(&last));
        writing.write_all(numbering, numbers)
    })?;
    writing.out.end()
}

/// A seed from the system's entropy. It has 12 digits at most, so that it can be typed; two of a
/// thousand runs have the same seed once in two million times.
fn fresh_seed() -> u64 {
    fastrand::u64(1..1_000_000_000_000)
}
