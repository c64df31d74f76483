//! Whole processes against each other, interleaved, with the counts they print asserted.
//!
//! `cargo bench --bench walk`. Machines differ and drift, so every figure is a ratio of two
//! processes run in turn, with the median over the rounds and its spread. The yardstick is a frozen
//! single-threaded program, compiled here with `rustc -O -C target-cpu=native`.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::path::{Path, PathBuf};
use std::process::Command;
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
