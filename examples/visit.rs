//! Visits every tour of 5x5 from a corner and prints the squares where they end.
//!
//! Run it with `cargo run --release --example visit`.
#![allow(clippy::print_stdout)]

use kt_enum::board::{Board, MoveOrder};
use kt_enum::list::{self, Listing};
use kt_enum::question::Question;
use std::error::Error;
use std::ops::ControlFlow;

fn main() -> Result<(), Box<dyn Error>> {
    let board = Board::new(5, 5)?;
    let question = Question::open_between(board.clone(), Some(board.parse_square("a1")?), None);
    let listing = Listing::new(question.clone(), MoveOrder::default())?;

    let mut ends = vec![0; board.squares()];
    let visited = list::visit(&listing, |squares| {
        if let Some(end) = squares.last() {
            ends[end.index()] += 1;
        }
        // To stop at this tour, return `ControlFlow::Break` with a result here.
        ControlFlow::<()>::Continue(())
    });
    assert!(visited.is_continue());

    println!("{} {question}, by where they end:", ends.iter().sum::<u32>());
    for row in ends.chunks(board.cols() as usize).rev() {
        let row: Vec<String> = row.iter().map(|count| format!("{count:4}")).collect();
        println!("{}", row.concat());
    }
    Ok(())
}
