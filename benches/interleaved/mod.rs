//! Whole processes against each other, run in turn.
//!
//! Machines differ and drift, so a figure is a ratio of two jobs run one after the other, as the median over the
//! rounds with its spread. What the processes print is asserted.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

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
