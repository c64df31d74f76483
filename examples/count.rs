//! Counts the open and closed tours of a board and reports the progress.
//!
//! Run it with `cargo run --release --example count 6 6`.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use kt_enum::board::Board;
use kt_enum::edges::Edges;
use kt_enum::question::Question;
use kt_enum::run::{self, Event, Observer, Settings};
use kt_enum::walk::{self, Walk};
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

    let walk = Walk::new(Question::open(board.clone()), &walk::Options::default())?;
    let open = run::count(&walk, Settings::default(), &mut Percent)?.units;
    println!("{} open tours of {board}", open.undirected().grouped());
    println!("fingerprint {}", open.fingerprint());

    let edges = Edges::new(Question::closed(board.clone()), None)?;
    let closed = run::count(&edges, Settings::default(), &mut Percent)?.units;
    println!("{} closed tours of {board}", closed.undirected().grouped());
    Ok(())
}
