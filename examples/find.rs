//! Finds a closed tour by construction and another one by a heuristic.
//!
//! Run it with `cargo run --release --example find`.
#![allow(clippy::print_stdout)]

use kt_enum::board::{Board, MoveOrder, Square};
use kt_enum::find::{Find, FindLimits, FindOutcome, Strategy};
use kt_enum::tour::{TourFormat, TourWriter};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let board = Board::new(8, 8)?;
    let by_construction = Find {
        board: board.clone(),
        from: board.parse_square("d4")?,
        closed: true,
        strategy: Strategy::Auto,
        order: MoveOrder::default(),
        limits: FindLimits::default(),
    };
    let by_heuristic = Find { closed: false, strategy: Strategy::Roth, ..by_construction.clone() };
    for find in [by_construction, by_heuristic] {
        // The search calls this function now and then and stops if it returns true.
        let (outcome, effort) = find.run(&|| false);
        let (strategy, tried) = (find.strategy, effort.moves_tried);
        match outcome {
            FindOutcome::Found(route) => {
                let squares: Vec<Square> = route.squares().collect();
                let mut grid = Vec::new();
                TourWriter::new(board.clone(), TourFormat::Grid).write(&squares, &mut grid);
                let kind = if route.is_reentrant() { "closed" } else { "open" };
                println!("# {strategy}: {kind}, {tried} moves tried");
                println!("{}", String::from_utf8(grid)?);
            }
            FindOutcome::None(why) => println!("# {strategy}: {why}"),
            FindOutcome::GaveUp(why) => println!("# {strategy}: {why}"),
        }
    }
    Ok(())
}
