//! Draws a closed tour of the chessboard as an SVG picture.
//!
//! Run it with `cargo run --release --example draw > tour.svg`.
#![allow(clippy::print_stdout)]

use kt_enum::board::{Board, MoveOrder};
use kt_enum::draw::{Style, Subject, svg};
use kt_enum::find::{Find, FindLimits, FindOutcome, Strategy};
use kt_enum::tour::Tour;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let board = Board::new(8, 8)?;
    let find = Find {
        board: board.clone(),
        from: board.parse_square("a1")?,
        closed: true,
        strategy: Strategy::Auto,
        order: MoveOrder::default(),
        limits: FindLimits::default(),
    };
    let (FindOutcome::Found(route), _) = find.run(&|| false) else {
        return Err("no tour was found".into());
    };
    let tour = Tour::new(&board, route.squares().collect())?;
    let style = Style { numbers: true, ..Style::default() };
    print!("{}", svg(&Subject::new(tour, true)?, &style));
    Ok(())
}
