//! Calls to the system that fail, are cut short, are the last before the process is killed, or see
//! the power go off.
//!
//! A clean run of a job tells how many calls of each kind it makes. Points are drawn from them: a
//! call, and what happens there. The job runs once with that fault and once more without any, and
//! has to give the answer of the clean run. `tests/faults/shim.c` makes the faults; it counts calls
//! on files in the folder of the job only, so that a run without saves has few. It also refuses
//! memory: each allocation of more than a megabyte in turn.
#![allow(clippy::print_stderr, reason = "a test says what it leaves out, and how much it has done")]

use crate::common::text;
use crate::lasting;
use fastrand::Rng;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// A command under test. `@` stands for the folder of the job in all of its commands.
struct Job {
    /// Commands that prepare the files of a job; how they end does not matter.
    before: &'static [&'static str],
    command: &'static str,
    /// An option for the second run.
    again: &'static str,
    /// The command that gives the answer, if it is not the one under test.
    answer: &'static str,
    /// A file whose bytes are part of the answer.
    file: &'static str,
}

const PLAIN: Job = Job { before: &[], command: "", again: "", answer: "", file: "" };

/// A point: a call, and what happens there.
#[derive(Debug)]
struct Point {
    kind: String,
    number: u64,
    fault: Fault,
    /// True if all later calls fail too.
    is_sticky: bool,
}

/// A fault, with the number by which the shim knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    Interrupted = 4,
    Broken = 5,
    NoMemory = 12,
    Full = 28,
    Short = -1,
    Kill = -2,
    Power = -3,
}

use Fault::{Broken, Full, Interrupted, Kill, NoMemory, Power, Short};

/// The kind of call that stands for all large allocations.
const ALLOCATION: &str = "malloc";

/// The faults of a kind of call.
fn faults_of(kind: &str) -> &'static [Fault] {
    match kind {
        "write" | "copy" => &[Interrupted, Broken, Full, Short, Kill, Power],
        "read" => &[Interrupted, Broken, Short, Kill, Power],
        "open" | "sync" => &[Interrupted, Broken, Full, Kill, Power],
        "rename" | "link" | "mkdir" | "truncate" => &[Broken, Full, Kill, Power],
        _ => &[Broken, Kill, Power],
    }
}

/// The number of points of all jobs, as the long tests set it.
fn asked() -> Option<u64> {
    std::env::var("KT_ENUM_FAULTS").ok().and_then(|points| points.parse().ok())
}

/// The number of points of a job: about 500 of all, or a share of those that are requested.
fn points() -> u64 {
    asked().unwrap_or(500).div_ceil(12)
}

/// The shim, compiled once; `None` where there is no C compiler.
pub fn shim() -> Option<&'static Path> {
    static SHIM: OnceLock<Option<PathBuf>> = OnceLock::new();
    let built = SHIM.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/shim.c");
        // Tests of another process may build it at the same time.
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let (shim, new) =
            (folder.join("shim.so"), folder.join(format!("shim-{}", std::process::id())));
        let mut cc = Command::new("cc");
        cc.args(["-O2", "-shared", "-fPIC", "-o"]).arg(&new).arg(source).arg("-ldl");
        match cc.output() {
            Ok(output) => assert!(output.status.success(), "{}", text(&output.stderr)),
            Err(error) => {
                eprintln!("no fault is injected, for `cc` does not run: {error}");
                return None;
            }
        }
        fs::rename(new, &shim).unwrap();
        Some(shim)
    });
    built.as_deref()
}

/// The folder of a run of a job.
struct Place<'a> {
    job: &'a Job,
    folder: tempfile::TempDir,
}

impl<'a> Place<'a> {
    fn new(job: &'a Job) -> Self {
        Self { job, folder: tempfile::tempdir().unwrap() }
    }

    /// A copy of this place.
    fn copy(&self) -> Self {
        let copy = Self::new(self.job);
        let from = self.folder.path().join(".");
        let copied = Command::new("cp").arg("-r").arg(from).arg(copy.folder.path()).status();
        assert!(copied.unwrap().success());
        copy
    }

    fn command(&self, line: &str) -> Command {
        let folder = self.folder.path().display().to_string();
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("kt-enum"));
        command.args(line.split_whitespace().map(|word| word.replace('@', &folder)));
        command.env("XDG_STATE_HOME", self.folder.path().join("state"));
        command
    }

    fn run(&self, line: &str) -> Output {
        self.command(line).output().unwrap()
    }

    /// Runs a command under the shim. Returns its output and the report of the shim.
    fn watched(&self, shim: &Path, line: &str, point: Option<&Point>) -> (Output, String) {
        self.watched_below("", shim, line, point)
    }

    /// As [`watched`](Self::watched), where only calls on files whose paths in the folder begin
    /// with `below` count.
    fn watched_below(
        &self,
        below: &str,
        shim: &Path,
        line: &str,
        point: Option<&Point>,
    ) -> (Output, String) {
        let report = tempfile::NamedTempFile::new().unwrap();
        let mut command = self.command(line);
        command.env("LD_PRELOAD", shim).env("FAULT_REPORT", report.path());
        command.env("FAULT_FOLDER", self.folder.path().join(below));
        if let Some(Point { kind, number, fault, is_sticky }) = point {
            command.env("FAULT_KIND", kind).env("FAULT_AT", number.to_string());
            command.env("FAULT_MODE", (*fault as i32).to_string());
            if *is_sticky {
                command.env("FAULT_STICKY", "1");
            }
        }
        let output = command.output().unwrap();
        (output, fs::read_to_string(report.path()).unwrap())
    }

    /// The answer of the job, given the output of its command.
    fn answer(&self, output: &Output) -> Result<Answer, String> {
        let asked = (!self.job.answer.is_empty()).then(|| self.run(self.job.answer));
        let output = asked.as_ref().unwrap_or(output);
        if !output.status.success() {
            return Err(format!("{}: {}", output.status, text(&output.stderr)));
        }
        let printed = match serde_json::from_slice::<serde_json::Value>(&output.stdout) {
            Ok(json) => format!("{} {}", json["directed"], json["fingerprint"]),
            Err(_) => text(&output.stdout),
        };
        let file = self.folder.path().join(self.job.file);
        let file = fs::read(file).unwrap_or_default();
        let file = if file.starts_with(b"# kt-enum units") { lasting(&file) } else { file };
        Ok(Answer { printed, file })
    }

    /// The names of all files that are there, without those that do no harm: a lock, a state before
    /// another, what was being written, and the rates of the machine.
    fn files(&self) -> Vec<PathBuf> {
        let (mut folders, mut files) = (vec![self.folder.path().to_owned()], Vec::new());
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if entry.is_dir() { &mut folders } else { &mut files }.push(entry);
            }
        }
        let harmless = [".lock", ".previous", ".new-"];
        let is_harmless = |file: &PathBuf| {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            name == "rates" || harmless.iter().any(|word| name.contains(word))
        };
        files.retain(|file| !is_harmless(file));
        files.sort();
        files.iter().map(|file| file.strip_prefix(self.folder.path()).unwrap().into()).collect()
    }
}

/// An answer.
#[derive(PartialEq, Eq)]
struct Answer {
    printed: String,
    file: Vec<u8>,
}

/// Draws a point from the calls of a clean run.
fn draw(random: &mut Rng, calls: &BTreeMap<String, u64>) -> Point {
    let kinds: Vec<&String> = calls.keys().collect();
    let kind = random.choice(kinds).unwrap();
    let fault = *random.choice(faults_of(kind)).unwrap();
    let is_sticky = matches!(fault, Broken | Full) && random.u8(..4) == 0;
    Point { kind: kind.clone(), number: random.u64(1..=calls[kind]), fault, is_sticky }
}

/// The calls of each kind in a report.
fn calls(report: &str) -> BTreeMap<String, u64> {
    let lines = report.lines().filter_map(|line| line.split_once(' '));
    let calls = lines.map(|(kind, calls)| (kind.to_owned(), calls.parse().unwrap()));
    calls.filter(|&(_, calls)| calls > 0).collect()
}

/// Runs a job with one fault, then without, and says what is wrong.
fn survive(shim: &Path, start: &Place, point: &Point, clean: &Clean) -> Result<bool, String> {
    let (place, job) = (start.copy(), start.job);
    let (output, report) = place.watched(shim, job.command, Some(point));
    let said = text(&output.stderr);
    let is_killed = output.status.signal() == Some(9);
    if said.contains("panicked") {
        return Err(said);
    }
    match output.status.code() {
        Some(0) if place.answer(&output)? == clean.answer => {}
        Some(0) => return Err(format!("another answer: {}{said}", text(&output.stdout))),
        Some(1) => {}
        // A split that has no memory is refused as one that is too deep.
        Some(2) if point.fault == NoMemory && said.contains("no memory for") => {}
        _ if is_killed && matches!(point.fault, Kill | Power) => {}
        _ => return Err(format!("{}: {said}", output.status)),
    }
    if !output.status.success() {
        let output = place.run(&format!("{} {}", job.command, job.again));
        let again = format!("first: {said}again: {}", text(&output.stderr));
        if place.answer(&output).map_err(|error| format!("{again}{error}"))? != clean.answer {
            return Err(format!("another answer after {again}{}", text(&output.stdout)));
        }
        if place.files() != clean.files {
            return Err(format!("files are left: {:?}, {again}", place.files()));
        }
    }
    Ok(is_killed || report.contains("hit"))
}

/// The result of a clean run.
struct Clean {
    answer: Answer,
    files: Vec<PathBuf>,
}

/// A job with the result of a clean run, ready to run with faults.
struct Trial<'a> {
    shim: &'static Path,
    start: Place<'a>,
    clean: Clean,
    calls: BTreeMap<String, u64>,
}

impl<'a> Trial<'a> {
    /// Runs the job without a fault; `None` where no fault can be injected.
    fn new(job: &'a Job) -> Option<Self> {
        let (shim, start) = (shim()?, Place::new(job));
        for line in job.before {
            start.run(line);
        }
        let clean = || {
            let place = start.copy();
            let (output, report) = place.watched(shim, job.command, None);
            let answer = place.answer(&output).unwrap();
            (Clean { answer, files: place.files() }, calls(&report))
        };
        // A run that other work slows down saves more often: the calls that each of three makes are
        // those that a run with a fault makes too.
        let (first, mut common) = clean();
        for (_, calls) in [clean(), clean()] {
            common.retain(|call, _| calls.contains_key(call));
            common.iter_mut().for_each(|(call, times)| *times = calls[call].min(*times));
        }
        Some(Self { shim, start, clean: first, calls: common })
    }

    /// Runs the job at each of these points.
    fn run(&self, points: impl Iterator<Item = Point>) {
        let (mut failures, mut hits, mut all) = (Vec::new(), 0, 0);
        for point in points {
            all += 1;
            match survive(self.shim, &self.start, &point, &self.clean) {
                Ok(is_hit) => hits += u32::from(is_hit),
                Err(why) => failures.push(format!("{point:?}: {why}")),
            }
        }
        let command = self.start.job.command;
        eprintln!("{hits} of {all} faults in {command}, {:?}", self.calls);
        assert!(failures.is_empty(), "{command}: {}", failures.join("\n"));
        assert!(hits * 2 > all, "{command}: {hits} of {all} faults");
    }
}

/// Injects faults into a job at as many points as requested.
fn inject(job: &Job) {
    let Some(mut trial) = Trial::new(job) else { return };
    trial.calls.remove(ALLOCATION);
    let draw = |seed| draw(&mut Rng::with_seed(seed), &trial.calls);
    trial.run((0..points()).map(draw));
}

/// Lets every allocation of more than a megabyte fail in turn, or some of many unless more is asked
/// for.
fn refuse_memory(job: &Job) {
    let Some(trial) = Trial::new(job) else { return };
    let point =
        |number| Point { kind: ALLOCATION.to_owned(), number, fault: NoMemory, is_sticky: false };
    const MOST: u64 = 10;
    let all = trial.calls[ALLOCATION];
    let step = asked().map_or(all.div_ceil(MOST), |_| 1);
    trial.run((1..=all).step_by(step as usize).map(point));
}

#[test]
fn a_count_by_the_walk_survives_faults() {
    inject(&Job {
        command: "--rows 5 --cols 6 --memo off --split-depth 3 --threads 2 --checkpoint-interval 0 --json",
        ..PLAIN
    });
}

#[test]
fn a_count_that_keeps_its_units_survives_faults() {
    inject(&Job {
        command: "--size 5 --threads 1 --keep-units @/units --json",
        again: "--overwrite",
        answer: "audit @/units --json",
        ..PLAIN
    });
}

#[test]
fn a_count_by_the_frontier_survives_faults() {
    inject(&Job {
        command: "--size 6 --engine frontier --memory 64M --disk 2M --threads 2 --checkpoint-interval 0 --json",
        ..PLAIN
    });
}

#[test]
fn a_resumed_count_by_the_frontier_survives_faults() {
    inject(&Job {
        before: &["--size 6 --engine frontier --threads 2 --checkpoint-interval 0 --max-time 0.02"],
        command: "--size 6 --engine frontier --threads 2 --checkpoint-interval 0 --json",
        ..PLAIN
    });
}

#[test]
fn a_preparation_survives_faults() {
    inject(&Job {
        command: "prepare --size 6 --tours closed --engine frontier --checkpoint-interval 0 --out @/parts",
        answer: "shard 0/2 --size 6 --tours closed --engine frontier --out @/parts --json",
        ..PLAIN
    });
}

#[test]
fn a_shard_of_prepared_states_survives_faults() {
    inject(&Job {
        before: &["prepare --size 6 --tours closed --engine frontier --out @/parts"],
        command: "shard 0/2 --size 6 --tours closed --engine frontier --out @/parts --json",
        file: "parts/part-0-of-2",
        ..PLAIN
    });
}

#[test]
fn a_shard_survives_faults() {
    inject(&Job {
        command: "shard 1/3 --rows 5 --cols 6 --memo off --split-depth 3 --checkpoint-interval 0 --out @/parts --json",
        file: "parts/part-1-of-3",
        ..PLAIN
    });
}

#[test]
fn a_list_survives_faults() {
    inject(&Job {
        command: "list --rows 5 --cols 6 --threads 2 -o @/list",
        again: "--resume",
        file: "list",
        ..PLAIN
    });
}

#[test]
fn a_resumed_list_survives_faults() {
    inject(&Job {
        before: &["list --rows 5 --cols 6 --limit 20000 -o @/list"],
        command: "list --rows 5 --cols 6 --threads 2 -o @/list --resume",
        file: "list",
        ..PLAIN
    });
}

#[test]
fn a_new_index_survives_faults() {
    inject(&Job {
        command: "random --rows 5 --cols 6 --tours closed --seed 1 --count 2 --index @/index",
        ..PLAIN
    });
}

#[test]
fn an_index_survives_faults() {
    inject(&Job {
        before: &["random --rows 5 --cols 6 --tours closed --seed 1 --count 2 --index @/index"],
        command: "random --rows 5 --cols 6 --tours closed --seed 2 --count 9 --index @/index",
        ..PLAIN
    });
}

#[test]
fn a_merge_survives_faults() {
    inject(&Job {
        before: &[
            "shard 0/3 --size 5 --out @/parts",
            "shard 1/3 --size 5 --out @/parts",
            "shard 2/3 --size 5 --out @/parts",
        ],
        command: "merge @/parts --keep-units @/units --json",
        again: "--overwrite",
        answer: "audit @/units --json",
        ..PLAIN
    });
}

#[test]
fn a_walk_without_memory_for_its_tables_survives() {
    refuse_memory(&Job { command: "--size 6 --engine walk --memo 8M --threads 2 --json", ..PLAIN });
}

#[test]
fn a_list_without_memory_survives() {
    refuse_memory(&Job {
        command: "list --rows 5 --cols 6 --threads 2 -o @/list",
        again: "--resume",
        file: "list",
        ..PLAIN
    });
}

#[test]
fn a_merge_of_large_parts_without_memory_survives() {
    refuse_memory(&Job {
        before: &[
            "shard 0/2 --size 6 --engine walk --split-depth 7 --out @/parts",
            "shard 1/2 --size 6 --engine walk --split-depth 7 --out @/parts",
        ],
        command: "merge @/parts --keep-units @/units --json",
        again: "--overwrite",
        answer: "merge @/parts --json",
        ..PLAIN
    });
}

#[test]
fn a_count_by_the_frontier_without_memory_survives() {
    refuse_memory(&Job {
        command: "--rows 7 --cols 8 --tours closed --threads 2 --disk 1G --json",
        ..PLAIN
    });
}

#[test]
fn a_count_of_larger_blocks_without_memory_survives() {
    refuse_memory(&Job {
        command: "--size 7 --engine frontier --threads 2 --disk 1G --json",
        ..PLAIN
    });
}

/// Runs a job in which the last read of states fails, which is on the way back from the units.
/// `numbers` is the name of its state. Returns its place and its message.
fn without_read<'a>(shim: &Path, start: &Place<'a>, numbers: &str) -> (Place<'a>, String) {
    let command = start.job.command;
    let layers = format!("state/kt-enum/{numbers}.states/0-");
    let (_, report) = start.copy().watched_below(&layers, shim, command, None);
    let number = calls(&report)["read"];
    assert!(number > 0, "no states are read from disk");
    let point = Point { kind: "read".to_owned(), number, fault: Broken, is_sticky: false };
    let place = start.copy();
    let (output, _) = place.watched_below(&layers, shim, command, Some(&point));
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("run the same command again"), "{said}");
    (place, said)
}

#[test]
fn tours_whose_states_cannot_be_read_leave_nothing_or_what_a_later_call_resumes() {
    let Some(shim) = shim() else { return };
    let new = Job {
        command: "nth 5 --rows 7 --cols 10 --tours closed --memory 56M --threads 1",
        ..PLAIN
    };
    let (place, said) = without_read(shim, &Place::new(&new), "numbers-closed-7x10.kt");
    assert!(!said.contains("is kept"), "{said}");
    assert_eq!(place.files(), [""; 0].map(PathBuf::from));

    let resumed = Job { command: "nth 5 --size 6 --tours closed --threads 1", ..PLAIN };
    let start = Place::new(&resumed);
    start.run("nth 5 --size 6 --tours closed --index @/state/kt-enum");
    let state = start.folder.path().join("state/kt-enum");
    for end in ["", ".states"] {
        let name = format!("numbers-closed-6x6.kt{end}");
        fs::rename(state.join(format!("index.kt{end}")), state.join(name)).unwrap();
    }
    let (place, said) = without_read(shim, &start, "numbers-closed-6x6.kt");
    assert!(said.contains("is kept; it takes") && said.contains("status --discard"), "{said}");
    let again = place.run(resumed.command);
    let said = text(&again.stderr);
    assert!(again.status.success() && said.contains("1,701 of 1,701 units done"), "{said}");
    assert_eq!(place.files(), [""; 0].map(PathBuf::from));
}
