//! Whole processes against each other, interleaved, with the counts they print asserted.
//!
//! `cargo bench --bench walk`. Machines differ and drift, so every figure is a ratio of two
//! processes run in turn, with the median over the rounds and its spread. The yardstick is a frozen
//! single-threaded program, compiled here with `rustc -O -C target-cpu=native`.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use kt_enum::board::{Board, MoveOrder};
use kt_enum::question::Question;
use kt_enum::walk::{Listing, Next, Tours};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// A command line and the number that has to be in what it prints.
struct Job {
    line: String,
    count: &'static str,
}

impl Job {
    fn new(program: &Path, arguments: &str, count: &'static str) -> Self {
        let line = format!("{} {arguments}", program.display());
        Self { line, count }
    }

    /// Runs it once: seconds of wall clock.
    fn seconds(&self) -> f64 {
        let mut words = self.line.split(' ');
        let mut command = Command::new(words.next().unwrap());
        command.args(words);
        let began = Instant::now();
        let output = command.output().unwrap();
        let seconds = began.elapsed().as_secs_f64();
        let printed = String::from_utf8_lossy(&output.stdout);
        assert!(printed.contains(self.count), "{}: {printed}", self.line);
        seconds
    }
}

/// Prints how long `job` takes as a share of how long `against` takes.
fn compare(what: &str, bar: &str, rounds: usize, job: &Job, against: &Job) {
    job.seconds();
    against.seconds();
    let mut ratios: Vec<f64> = (0..rounds)
        .map(|_| job.seconds() / against.seconds())
        .collect();
    ratios.sort_by(f64::total_cmp);
    let (least, median, most) = (ratios[0], ratios[rounds / 2], ratios[rounds - 1]);
    println!("{what:<44} {median:>7.3}  ({least:.3} to {most:.3}, {rounds} rounds)  {bar}");
}

/// Prints how long the first 785,000 tours of 8x8 from g1 take to list, as a share of the bare search.
fn list_against_bare_search(program: &Path, rounds: usize) {
    const TOURS: usize = 785_000;
    let board = Board::new(8, 8).unwrap();
    let from = board.parse_square("g1").unwrap();
    let question = Question::open_between(board, Some(from), None);
    let listing = Listing::new(question, MoveOrder::LINEAR).unwrap();
    let bare = || {
        let began = Instant::now();
        let mut tours = Tours::new(&listing);
        assert!((0..TOURS).all(|_| tours.next() == Next::Tour));
        began.elapsed().as_secs_f64()
    };
    let list = || {
        let mut command = Command::new(program);
        command.args("list --size 8 --from g1 --order linear --threads 1 --limit".split(' '));
        command.arg(TOURS.to_string()).stdout(Stdio::null());
        let began = Instant::now();
        assert!(command.status().unwrap().success());
        began.elapsed().as_secs_f64()
    };
    let mut ratios: Vec<f64> = (0..rounds).map(|_| list() / bare()).collect();
    ratios.sort_by(f64::total_cmp);
    let (least, median, most) = (ratios[0], ratios[rounds / 2], ratios[rounds - 1]);
    let what = "8x8 list, 785,000 tours / bare search";
    println!("{what:<44} {median:>7.3}  ({least:.3} to {most:.3}, {rounds} rounds)  bar 2.0");
}

/// Prints what a square of a tour costs, by the program's own clock, in nanoseconds on one thread.
fn cost_of_a_square(program: &Path, arguments: &str, per: f64, bar: &str) {
    let cost = || {
        let mut command = Command::new(program);
        command.args(format!("compare {arguments} --trials 5 --format csv").split(' '));
        let output = command.output().unwrap();
        let table = String::from_utf8(output.stdout).unwrap();
        let row: Vec<&str> = table.lines().nth(1).unwrap().split(',').collect();
        let moves: f64 = row[9].parse().unwrap();
        row[10].parse::<f64>().unwrap() / if per > 0.0 { per } else { moves }
    };
    println!("{arguments:<54} {:>7.1} ns  {bar}", cost());
}

fn yardstick() -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/yardstick/walk_baseline.rs");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("walk_baseline");
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let status = Command::new(compiler)
        .args([
            "-O",
            "-C",
            "target-cpu=native",
            "--cap-lints",
            "allow",
            "-o",
        ])
        .args([&program, &source])
        .status()
        .unwrap();
    assert!(status.success());
    program
}

fn main() {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_kt-enum"));
    let job = |arguments: &str, count| {
        Job::new(&program, &format!("--no-checkpoint -q {arguments}"), count)
    };
    let yardstick = Job::new(&yardstick(), "6 6", "6637920");
    println!("time as a share of the other's: median (least to most)");
    list_against_bare_search(&program, 9);
    println!("nanoseconds a move tried, or a square");
    cost_of_a_square(
        &program,
        "--sizes 1000 --strategies warnsdorff",
        0.0,
        "bar 60",
    );
    cost_of_a_square(&program, "--sizes 1000 --strategies roth", 0.0, "bar 60");
    cost_of_a_square(&program, "--sizes 10000 --strategies roth", 0.0, "bar 60");
    let closed = "--sizes 10000 --strategies auto --closed";
    cost_of_a_square(&program, closed, 1e8, "bar 20");
    compare(
        "6x6 open, memo, 2 threads / yardstick",
        "bar 0.5",
        21,
        &job("--size 6 --split-depth 4 --threads 2", "6637920"),
        &yardstick,
    );
    compare(
        "6x6 open, --memo off, 2 threads / yardstick",
        "bar 1.0",
        21,
        &job("--size 6 --split-depth 4 --threads 2 --memo off", "6637920"),
        &yardstick,
    );
    compare(
        "6x6 closed, 2 threads / yardstick",
        "bar 0.01",
        21,
        &job("--size 6 --tours closed --threads 2", "9862"),
        &yardstick,
    );
    compare(
        "6x7 closed, 2 threads / yardstick",
        "bar 0.3",
        21,
        &job("--rows 6 --cols 7 --tours closed --threads 2", "1067638"),
        &yardstick,
    );
    compare(
        "6x7 closed, 1 thread, edges / walk, --memo off",
        "",
        7,
        &job("--rows 6 --cols 7 --tours closed --threads 1", "1067638"),
        &job(
            "--rows 6 --cols 7 --tours closed --threads 1 --memo off --engine walk",
            "1067638",
        ),
    );
    compare(
        "6x7 open, --memo off, 1 thread / 2 threads",
        "bar 1.8",
        3,
        &job("--rows 6 --cols 7 --memo off --threads 1", "779938932"),
        &job("--rows 6 --cols 7 --memo off --threads 2", "779938932"),
    );
}
