//! The cost of counting with the engines that visit tours: `cargo bench --bench walk` takes ten
//! minutes on two quiet cores.
//!
//! Every figure is a share of the time of a baseline, a frozen single-threaded program that counts
//! the open tours of 6x6. It is compiled here with `rustc -O -C target-cpu=native`.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod interleaved;

use interleaved::{Job, all_boards, baseline, compare};
use std::path::{Path, PathBuf};

/// Prints how long all of 7x7 takes, projected from every 20th of its units.
fn project_7x7(program: &Path) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("shards-7x7");
    let line = format!(
        "shard 7/20 --size 7 --split-depth 6 --threads 2 --no-checkpoint --out {}",
        folder.display()
    );
    let minutes = Job::new(program, &line, "").seconds() * 20.0 / 60.0;
    println!("7x7 open, by every 20th unit: {minutes:.1} minutes  target 60");
}

fn main() {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_kt-enum"));
    let job = |arguments: &str, count| {
        Job::new(&program, &format!("--no-checkpoint -q {arguments}"), count)
    };
    let baseline_job = Job::new(&baseline("walk_baseline"), "6 6", "6637920");
    let against_baseline = |what: &str, target: &str, rounds: usize, job: &Job| {
        let what = format!("{what} / baseline");
        compare(&what, target, rounds, || job.seconds(), || baseline_job.seconds());
    };
    println!("time as a share of the other's: median (least to most)");
    for (what, target, arguments, count) in [
        ("6x6 open", "target 0.10", "--size 6 --split-depth 4", "6637920"),
        ("6x6 open, --memo off", "target 0.20", "--size 6 --split-depth 4 --memo off", "6637920"),
        ("6x6 closed", "target 0.01", "--size 6 --tours closed", "9862"),
        ("6x7 closed", "target 0.3", "--rows 6 --cols 7 --tours closed --engine walk", "1067638"),
    ] {
        let job = job(&format!("{arguments} --threads 2"), count);
        against_baseline(what, target, 21, &job);
    }
    let by_listing = all_boards().map(|(arguments, count)| {
        let is_open = arguments.ends_with("open");
        let engine = if is_open { "walk" } else { "auto" };
        (format!("{arguments} --engine {engine}"), count)
    });
    let all = Job::all(&program, by_listing);
    against_baseline("all boards of at most 40 squares, by listing", "target 5", 5, &all);
    let on = |threads: u32| {
        let arguments = format!("--rows 6 --cols 7 --memo off --threads {threads}");
        job(&arguments, "779938932")
    };
    let (one, two) = (on(1), on(2));
    let what = "6x7 open, --memo off, 1 thread / 2 threads";
    compare(what, "target 1.95", 3, || one.seconds(), || two.seconds());
    project_7x7(&program);
}
