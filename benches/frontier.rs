//! What counting without listing costs: `cargo bench --bench frontier`, three minutes on two quiet cores.
//!
//! The yardsticks are frozen single-threaded programs: one counts the open tours of 6x6 by walking, the other the closed
//! tours of 7x8 by half boards.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod interleaved;

use interleaved::{Job, all_boards, compare, yardstick};
use std::path::PathBuf;

fn main() {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_kt-enum"));
    let job = |arguments: &str, count| {
        Job::new(&program, &format!("--no-checkpoint -q {arguments}"), count)
    };
    println!("time as a share of the other's: median (least to most)");
    let frozen = Job::new(&yardstick("frontier_baseline"), "7 3 5", "34524432316");
    let closed = job(
        "--rows 7 --cols 8 --tours closed --engine frontier --threads 2",
        "34524432316",
    );
    compare(
        "7x8 closed / yardstick",
        "bar 0.1",
        3,
        || closed.seconds(),
        || frozen.seconds(),
    );
    let frozen = Job::new(&yardstick("walk_baseline"), "6 6", "6637920");
    let all = Job::all(&program, all_boards());
    let what = "all boards of at most 40 squares, auto / yardstick";
    compare(what, "bar 2", 7, || all.seconds(), || frozen.seconds());
    let (frontier, walk) = (
        job("--size 6 --engine frontier", "6637920"),
        job("--size 6", "6637920"),
    );
    compare(
        "6x6 open, frontier / walk",
        "bar 1",
        7,
        || frontier.seconds(),
        || walk.seconds(),
    );
    let open = job("--size 7 --engine frontier --memory 1G", "165575218320");
    println!("7x7 open in 1 GiB: {:.1} s  bar about 15 s", open.seconds());
}
