//! The cost of listing and finding tours: `cargo bench --bench find` takes a minute.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod interleaved;

use interleaved::{Job, compare};
use kt_enum::board::{Board, MoveOrder};
use kt_enum::question::Question;
use kt_enum_engines::walk::{Listing, Next, TourCursor};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Compares listing the first 785,000 tours of 8x8 from g1 with the same search without output.
fn list_against_bare_search(program: &Path) {
    const TOURS: usize = 785_000;
    let board = Board::new(8, 8).unwrap();
    let from = board.parse_square("g1").unwrap();
    let question = Question::open_between(board, Some(from), None);
    let listing = Listing::new(question, MoveOrder::LINEAR).unwrap();
    let bare = || {
        let began = Instant::now();
        let mut tours = TourCursor::new(&listing);
        assert!((0..TOURS).all(|_| tours.next() == Next::Tour));
        began.elapsed().as_secs_f64()
    };
    let line =
        format!("list --size 8 --from g1 --order linear --threads 1 --limit {TOURS} -o /dev/null");
    let list = Job::new(program, &line, "");
    let what = "8x8 list, 785,000 tours, 1 thread / bare search";
    compare(what, "target 2.0", 9, || list.seconds(), bare);
}

/// Prints the nanoseconds that a search or construction takes per square of the tour or move tried.
fn cost(program: &Path, arguments: &str, target: &str) {
    let mut command = Command::new(program);
    command.args(format!("compare {arguments} --trials 5 --format csv").split(' '));
    let table = String::from_utf8(command.output().unwrap().stdout).unwrap();
    let row: Vec<&str> = table.lines().nth(1).unwrap().split(',').collect();
    let number = |column: usize| row[column].parse::<f64>().unwrap();
    let moves = if number(9) > 0.0 { number(9) } else { number(0) * number(1) };
    let nanoseconds = number(10) / moves;
    println!("{arguments:<54} {nanoseconds:>7.1} ns a move  {target}");
}

fn main() {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_kt-enum"));
    list_against_bare_search(&program);
    cost(&program, "--sizes 1000 --strategies warnsdorff", "target 60");
    cost(&program, "--sizes 1000 --strategies roth", "target 60");
    cost(&program, "--sizes 10000 --strategies warnsdorff", "target 60");
    cost(&program, "--sizes 10000 --strategies auto --closed", "target 20");
}
