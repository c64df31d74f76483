//! Counts the open and closed tours of a board and reports the progress.
//!
//! Run it with `cargo run --release --example count 6 6`.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use kt_enum::board::Board;
use kt_enum::job::{Event, Job, Observer};
use kt_enum::question::Question;
use std::error::Error;

/// An observer that prints the progress of a run on standard error.
struct Percent;

impl Observer for Percent {
    fn notice(&mut self, event: &Event) {
        if let Event::Progress(at) = event {
            eprintln!("{} of {} units", at.done, at.units);
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let sides: Vec<u32> =
        std::env::args().skip(1).map(|word| word.parse()).collect::<Result<_, _>>()?;
    let board = match sides[..] {
        [rows, cols] => Board::new(rows, cols)?,
        _ => Board::new(6, 6)?,
    };
    for (kind, question) in
        [("open", Question::open(board.clone())), ("closed", Question::closed(board.clone()))]
    {
        let plan = Job::new(question).plan(&mut Percent)?;
        let units = plan.count(&Default::default(), &mut Percent)?.units;
        println!("{} {kind} tours of {board}", units.undirected().grouped());
        println!("fingerprint {}", units.fingerprint());
    }
    Ok(())
}
