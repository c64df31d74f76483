//! `table`: the counts of boards of all lengths, as the OEIS lists them.

use crate::cli::args::{TableArgs, ToursArgument};
use crate::cli::config::{self, RunConfig};
use crate::cli::exit::Failure;
use crate::cli::frontier::Sweep;
use crate::cli::output;
use kt_enum::board::Board;
use kt_enum::question::Question;
use kt_enum::run::frontier::{self, Lengths};

pub fn run(args: &TableArgs) -> Result<(), Failure> {
    let board = Board::new(args.rows, args.up_to)?;
    let question = match args.tours {
        ToursArgument::Open => Question::open(board),
        ToursArgument::Closed => Question::closed(board),
    };
    let (lengths, kind) = match args.partial {
        true => (Lengths::EverySquare, config::PARTIAL),
        false => (Lengths::WholeColumns, config::TABLE),
    };
    let name = format!("{kind}{}", config::name(&question));
    let config = RunConfig::new(&args.run, args.threads, args.memory, &name);
    let mut sweep = Sweep::new(&question, &config)?;
    let counts = frontier::table(&question, lengths, &sweep.settings, &mut sweep.progress);
    let counts = sweep.finish(counts)?;
    let line = |(index, count)| format!("{} {count}\n", index + 1);
    let lines: String = counts.iter().enumerate().map(line).collect();
    output::print(lines.as_bytes())?;
    sweep.clear_checkpoint()
}
