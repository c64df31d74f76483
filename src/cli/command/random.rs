//! `random`: tours drawn uniformly.

use super::nth::Writing;
use crate::cli::args::RandomArgs;
use crate::cli::config;
use crate::cli::exit::Failure;
use crate::cli::numbering::with_numbers;
use crate::cli::output::note;
use kt_enum::numbers::random::Random;

pub fn run(args: &RandomArgs) -> Result<(), Failure> {
    let question = config::required_question(&args.question)?;
    let mut writing = Writing::to(&args.write, question)?;
    with_numbers(&args.number, question, |numbering| {
        let mut random = Random::new(args.seed);
        let last = numbering.numbers.last().clone();
        let numbers = (0..args.count).map(|_| random.number_up_to(&last));
        let numbers: Option<Vec<_>> = numbers.collect();
        match numbers {
            Some(numbers) => writing.write(numbering, &numbers),
            // An answer, as that of `find`.
            None => {
                note(&format!("there are no {question}"));
                Ok(())
            }
        }
    })?;
    writing.out.end()
}
