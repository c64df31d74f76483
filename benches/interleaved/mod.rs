//! Whole processes against each other, run in turn.
//!
//! Machines differ and drift, so a figure is a ratio of two jobs run one after the other, as the median over the
//! rounds with its spread. What the processes print is asserted.

#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// The folder of the package.
pub const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Compiles one of the frozen programs of `benches/yardstick`, with `rustc --edition 2021 -O -C target-cpu=native`.
pub fn yardstick(name: &str) -> PathBuf {
    let source = Path::new(ROOT).join(format!("benches/yardstick/{name}.rs"));
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let options =
        ["--edition", "2021", "-O", "-C", "target-cpu=native", "--cap-lints", "allow", "-o"];
    let mut command = Command::new(compiler);
    let status = command.args(options).args([&program, &source]).status();
    assert!(status.unwrap().success());
    program
}

/// Every board of at most 40 squares, open then closed, with the counts of results/counts.tsv.
pub fn all_boards() -> impl Iterator<Item = (String, String)> {
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

/// Command lines to run one after the other, each with what it has to print.
pub struct Job(Vec<(String, String)>);

impl Job {
    /// One process whose output has to contain a count.
    pub fn new(program: &Path, arguments: &str, count: &str) -> Self {
        Self::all(program, [(arguments.to_owned(), count.to_owned())])
    }

    /// A process for each of these arguments and counts.
    pub fn all(program: &Path, lines: impl IntoIterator<Item = (String, String)>) -> Self {
        let line = |(arguments, count)| (format!("{} {arguments}", program.display()), count);
        Self(lines.into_iter().map(line).collect())
    }

    /// Runs it once: seconds of wall clock.
    pub fn seconds(&self) -> f64 {
        let run = |(line, count): &(String, String)| {
            let mut words = line.split(' ');
            let mut command = Command::new(words.next().unwrap());
            command.args(words).stderr(Stdio::null());
            let began = Instant::now();
            let output = command.output().unwrap();
            let seconds = began.elapsed().as_secs_f64();
            let printed = String::from_utf8_lossy(&output.stdout);
            assert!(printed.contains(count.as_str()), "{line}: {printed}");
            seconds
        };
        self.0.iter().map(run).sum()
    }
}

/// Prints how long one takes as a share of how long the other takes.
pub fn compare(
    what: &str,
    bar: &str,
    rounds: usize,
    one: impl Fn() -> f64,
    other: impl Fn() -> f64,
) {
    one();
    other();
    let mut ratios: Vec<f64> = (0..rounds).map(|_| one() / other()).collect();
    ratios.sort_by(f64::total_cmp);
    let (least, median, most) = (ratios[0], ratios[rounds / 2], ratios[rounds - 1]);
    println!("{what:<54} {median:>7.3}  ({least:.3} to {most:.3}, {rounds} rounds)  {bar}");
}
