//! What counting costs: `cargo bench --bench walk`, ten minutes on two quiet cores.
//!
//! The yardstick is a frozen single-threaded program that counts the open tours of 6x6, compiled here with
//! `rustc -O -C target-cpu=native`.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod interleaved;

use interleaved::{Job, compare};
use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn yardstick() -> PathBuf {
    let source = Path::new(ROOT).join("benches/yardstick/walk_baseline.rs");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("walk_baseline");
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let options = [
        "-O",
        "-C",
        "target-cpu=native",
        "--cap-lints",
        "allow",
        "-o",
    ];
    let mut command = Command::new(compiler);
    let status = command.args(options).args([&program, &source]).status();
    assert!(status.unwrap().success());
    program
}

/// Every board of at most 40 squares, open then closed, with the counts of results/counts.tsv.
fn all_boards() -> impl Iterator<Item = (String, String)> {
    let table = std::fs::read_to_string(Path::new(ROOT).join("results/counts.tsv")).unwrap();
    let counts = table.lines().filter_map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let tours = match fields.get(2..4)? {
            ["open directed", "all"] => "open",
            ["closed undirected", "all"] => "closed",
            _ => return None,
        };
        let squares: u32 = fields[0].parse::<u32>().ok()? * fields[1].parse::<u32>().ok()?;
        let line = format!(
            "--no-checkpoint -q --threads 2 --rows {} --cols {} --tours {tours}",
            fields[0], fields[1]
        );
        (squares <= 40).then(|| (line, fields[4].to_owned()))
    });
    counts.collect::<Vec<_>>().into_iter()
}

/// Prints how long all of 7x7 takes, by every 20th of its units.
fn project_7x7(program: &Path) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("shards-7x7");
    let line = format!(
        "shard 7/20 --size 7 --split-depth 6 --threads 2 --no-checkpoint --out {}",
        folder.display()
    );
    let minutes = Job::new(program, &line, "").seconds() * 20.0 / 60.0;
    println!("7x7 open, by every 20th unit: {minutes:.1} minutes  bar 60");
}

fn main() {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_kt-enum"));
    let job = |arguments: &str, count| {
        Job::new(&program, &format!("--no-checkpoint -q {arguments}"), count)
    };
    let yardstick = Job::new(&yardstick(), "6 6", "6637920");
    let against_yardstick = |what: &str, bar: &str, rounds: usize, job: &Job| {
        let what = format!("{what} / yardstick");
        compare(&what, bar, rounds, || job.seconds(), || yardstick.seconds());
    };
    println!("time as a share of the other's: median (least to most)");
    for (what, bar, arguments, count) in [
        (
            "6x6 open",
            "bar 0.10",
            "--size 6 --split-depth 4",
            "6637920",
        ),
        (
            "6x6 open, --memo off",
            "bar 0.20",
            "--size 6 --split-depth 4 --memo off",
            "6637920",
        ),
        ("6x6 closed", "bar 0.01", "--size 6 --tours closed", "9862"),
        (
            "6x7 closed",
            "bar 0.3",
            "--rows 6 --cols 7 --tours closed",
            "1067638",
        ),
    ] {
        let job = job(&format!("{arguments} --threads 2"), count);
        against_yardstick(what, bar, 21, &job);
    }
    let all = Job::all(&program, all_boards());
    against_yardstick("all boards of at most 40 squares", "bar 5", 5, &all);
    let on = |threads: u32| {
        let arguments = format!("--rows 6 --cols 7 --memo off --threads {threads}");
        job(&arguments, "779938932")
    };
    let (one, two) = (on(1), on(2));
    let what = "6x7 open, --memo off, 1 thread / 2 threads";
    compare(what, "bar 1.95", 3, || one.seconds(), || two.seconds());
    project_7x7(&program);
}
