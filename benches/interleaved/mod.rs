//! Comparisons of whole processes that run in turn.
//!
//! Machines differ and their speed drifts. So a figure is the ratio of two jobs that run one after the
//! other: the median over several rounds, with the least and the greatest ratio. The counts that the
//! processes print are asserted.

#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// The folder of the package.
pub const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Compiles one of the frozen programs of `benches/baseline`, with
/// `rustc --edition 2021 -O -C target-cpu=native`.
pub fn baseline(name: &str) -> PathBuf {
    let source = Path::new(ROOT).join(format!("benches/baseline/{name}.rs"));
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let options =
        ["--edition", "2021", "-O", "-C", "target-cpu=native", "--cap-lints", "allow", "-o"];
    let mut command = Command::new(compiler);
    let status = command.args(options).args([&program, &source]).status();
    assert!(status.unwrap().success());
    program
}

/// Every board of at most 40 squares, open and closed, with its count in `results/counts.tsv`.
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

/// Command lines to run one after the other, each with a text that it must print.
pub struct Job(Vec<(String, String)>);

impl Job {
    /// A job of one process, whose output must contain a count.
    pub fn new(program: &Path, arguments: &str, count: &str) -> Self {
        Self::all(program, [(arguments.to_owned(), count.to_owned())])
    }

    /// A job of one process for each pair of arguments and count.
    pub fn all(program: &Path, lines: impl IntoIterator<Item = (String, String)>) -> Self {
        let line = |(arguments, count)| (format!("{} {arguments}", program.display()), count);
        Self(lines.into_iter().map(line).collect())
    }

    /// Runs the job once and returns the seconds of processor time, to a hundredth (Linux). Other
    /// processes disturb them less than wall clock time.
    pub fn processor_seconds(&self) -> f64 {
        let before = of_children();
        self.seconds();
        of_children() - before
    }

    /// Runs the job once and returns the seconds of wall clock time.
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

/// Returns the processor time of all processes that this one has waited for.
fn of_children() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    // The name of the process, in parentheses, may contain spaces. Behind it, the fields number 13
    // and 14 are the hundredths of a second that its children spent in the program and the system.
    let (_, fields) = stat.rsplit_once(')').unwrap();
    let ticks = fields.split_whitespace().skip(13).take(2);
    ticks.map(|ticks| ticks.parse::<f64>().unwrap() / 100.0).sum()
}

/// Prints the time of one job as a share of the time of another, with the target for it.
pub fn compare(
    what: &str,
    target: &str,
    rounds: usize,
    one: impl Fn() -> f64,
    other: impl Fn() -> f64,
) {
    one();
    other();
    let mut ratios: Vec<f64> = (0..rounds).map(|_| one() / other()).collect();
    ratios.sort_by(f64::total_cmp);
    let (least, median, most) = (ratios[0], ratios[rounds / 2], ratios[rounds - 1]);
    println!("{what:<54} {median:>7.3}  ({least:.3} to {most:.3}, {rounds} rounds)  {target}");
}
