//! Every command in the README and the guide is run, and its output must be the one shown below it.
//!
//! A command that takes too long, or needs something that a test lacks, is listed in
//! [`NOT_AS_SHOWN`] with the command that replaces it, or with the place where it is tested.
//! Commands with a placeholder (`FILE`, `I/N`) are only parsed.
#![allow(clippy::unwrap_used, missing_docs)]

mod examples;
mod faults;
mod figures;
mod glossary;
mod help;
mod json;
mod links;
mod markdown;
mod package;
mod remedies;
mod shell;
mod terminal;

use markdown::{Shown, commands};
use shell::{Shell, is_shown};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The treatment of a command that is not run as it is shown.
enum Instead {
    /// Run this command instead and expect this exit code.
    Run(&'static str, i32),
    /// Do not run it; the text says where it is tested, or why no test can run it.
    Elsewhere(&'static str),
}

use Instead::{Elsewhere, Run};

/// The commands that are not run as they are shown.
const NOT_AS_SHOWN: &[(&str, Instead)] = &[
    ("cargo test --locked --profile fast", Elsewhere("these are the tests")),
    (
        "cargo test --locked --profile fast --test program golden::",
        Elsewhere("these are the tests"),
    ),
    ("cargo test --locked --profile fast --test faults", Elsewhere("these are the tests")),
    (
        "cargo test --locked --profile fast -p kt-enum-board",
        Elsewhere("these are the tests of a crate"),
    ),
    ("cargo install --locked --path .", Elsewhere("scripts/package-test, and .ci/run builds it")),
    ("cargo doc --open", Elsewhere("it opens a browser; .ci/run makes the pages")),
    (
        "cargo doc --document-private-items --open",
        Elsewhere("it opens a browser; .ci/run makes the pages"),
    ),
    ("cargo run --release --example count", Elsewhere("tests/documents/examples.rs")),
    ("cargo bench --bench walk", Elsewhere("it needs a quiet machine for minutes")),
    ("cargo bench --bench find", Elsewhere("it needs a quiet machine for minutes")),
    (
        "kt-enum --rows 6 --cols 8 --memo off --max-time 1s --checkpoint run.kt",
        Run("kt-enum --rows 6 --cols 8 --memo off --max-time 0.5s --checkpoint run.kt", 75),
    ),
    ("kt-enum --size 8 --max-time 8h", Run("kt-enum --rows 6 --cols 8 --max-time 0s", 75)),
    // With `--max-time 0` they are stopped even on the fastest machine.
    (
        "kt-enum --rows 7 --cols 8 --max-time 0.1s",
        Run("kt-enum --rows 7 --cols 8 --max-time 0s", 75),
    ),
    (
        "kt-enum --rows 7 --cols 8 --checkpoint run.kt --max-time 0.1s",
        Run("kt-enum --rows 7 --cols 8 --checkpoint run.kt --max-time 0s", 75),
    ),
    (
        "kt-enum --rows 6 --cols 7 --engine walk --max-time 0.1s --checkpoint run.kt",
        Run(
            "kt-enum --rows 6 --cols 7 --engine walk --memo off --max-time 0s --checkpoint run.kt",
            75,
        ),
    ),
    (
        "nohup kt-enum --rows 8 --cols 10 --memory 20G --disk 60G --max-time 8h --checkpoint 8x10.kt --keep-units units.txt >> result.txt 2>> log.txt &",
        Run(
            "nohup kt-enum --rows 7 --cols 9 --max-time 0.1s --checkpoint 8x10.kt --keep-units units.txt >> result.txt 2>> log.txt",
            75,
        ),
    ),
    (
        "until kt-enum --rows 6 --cols 7 --max-time 2s --quiet; do [ $? = 75 ] || break; done",
        Run(
            "until kt-enum --rows 5 --cols 8 --memo off --max-time 0.3s --quiet; do [ $? = 75 ] || exit 1; done",
            0,
        ),
    ),
    (
        "pkill -USR1 -x kt-enum",
        Elsewhere("tests/program/progress.rs sends the signal to one process"),
    ),
    ("pkill -TERM -x kt-enum", Elsewhere("tests/faults/resume.rs sends the signal to one process")),
    ("kt-enum --size 8 --tours closed", Run("kt-enum --rows 6 --cols 8 --tours closed", 0)),
    (
        "kt-enum --size 8",
        Run("kt-enum --size 6 --engine frontier --disk 1G --checkpoint-interval 300", 0),
    ),
    (
        "kt-enum estimate --rows 6 --cols 8",
        Run("kt-enum estimate --rows 5 --cols 6 --probes 4000", 0),
    ),
    (
        "kt-enum table --rows 5 --up-to 100 --tours closed",
        Run("kt-enum table --rows 5 --up-to 12 --tours closed", 0),
    ),
    ("cargo bench --bench frontier", Elsewhere("it needs a quiet machine for minutes")),
    (
        "chromium --headless --no-pdf-header-footer --print-to-pdf=sheet.pdf sheet.html",
        Elsewhere("tests/program/browser.rs prints sheets, where there is a Chromium"),
    ),
    ("cargo bench --bench slices", Elsewhere("it needs a quiet machine for a minute")),
    (
        "kt-enum list --size 8 --from g1 --order linear -o tours.txt --resume",
        Run(
            "kt-enum list --size 8 --from g1 --order linear -o tours.txt --resume --limit 785001",
            0,
        ),
    ),
    (
        "KT_QUESTION='--rows 8 --cols 10 --engine frontier --cut middle:8' KT_SHARDS=16 KT_OUT=parts scripts/slurm/submit --time=2:00:00",
        Elsewhere("tests/faults/cluster.rs, where there is a Slurm"),
    ),
    (
        "KT_QUESTION='--rows 8 --cols 10 --engine frontier --cut middle:8' KT_SHARDS=16 KT_OUT=parts scripts/parallel/count",
        Elsewhere("tests/faults/cluster.rs, where there is GNU parallel"),
    ),
    (
        "KT_PREPARE=no KT_QUESTION='--size 10 --tours closed --engine frontier --cut middle2:8 --memory 14G --disk 250G' KT_SHARDS=54 KT_OUT=10x10 scripts/slurm/submit --cpus-per-task=2 --mem=20G --time=48:00:00",
        Elsewhere("it needs a cluster for hours"),
    ),
    (
        "kt-enum shard 20/54 --size 10 --tours closed --engine frontier --cut middle2:8 --memory 14G --disk 250G --out 10x10",
        Run(
            "kt-enum shard 4/6 --size 6 --tours closed --engine frontier --cut middle2:8 --memory 14G --disk 250G --out 6x6-closed",
            0,
        ),
    ),
    ("kt-enum --progress json", Run("kt-enum --size 5 --progress json", 0)),
    ("kt-enum estimate --json", Run("kt-enum estimate --size 5 --json", 0)),
    ("scripts/parallel/count --sshlogin 4/host1,4/host2", Elsewhere("it needs other hosts")),
];

/// Placeholders, each with a value.
const PLACEHOLDERS: &[(&str, &str)] = &[
    ("FILE", "file"),
    ("DIR", "folder"),
    ("I/N", "0/2"),
    ("R", "5"),
    ("C", "6"),
    ("N", "5"),
    ("S", "1"),
    ("QUESTION", "--size 5"),
    ("SHELL", "bash"),
    ("COMMAND", "count"),
    ("...", ""),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the paths of the README and the pages of the guide.
fn pages() -> Vec<PathBuf> {
    let guide = fs::read_dir(root().join("docs")).unwrap();
    let guide = guide.map(|entry| entry.unwrap().path());
    let mut pages: Vec<PathBuf> =
        guide.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect();
    pages.push(root().join("README.md"));
    pages.sort();
    pages
}

fn instead_of(command: &str) -> Option<&'static Instead> {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let found = NOT_AS_SHOWN.iter().find(|(shown, _)| words(shown) == words(command));
    found.map(|(_, instead)| instead)
}

/// Returns the command with a value for each placeholder, or `None` if it has none.
fn filled_in(command: &str) -> Option<String> {
    let value = |word: &str| {
        let found = PLACEHOLDERS.iter().find(|(name, _)| *name == word);
        found.map(|(_, value)| *value)
    };
    let words = command.split_whitespace();
    let filled: Vec<&str> = words.clone().map(|word| value(word).unwrap_or(word)).collect();
    words.clone().any(|word| value(word).is_some()).then(|| filled.join(" "))
}

/// Returns true if a sentence mentions a command only by name and does not say what to type.
fn is_a_name(command: &str) -> bool {
    command.starts_with("kt-enum ") && command.split_whitespace().count() == 2
}

/// Returns an output without the lines that a run adds to its log after two seconds.
fn without_progress(output: &str) -> String {
    let is_progress = |line: &str| {
        let of_a_run = ["open", "closed"].map(|tours| format!("kt-enum: {tours} tours of "));
        of_a_run.iter().any(|begin| line.starts_with(begin)) && line.contains(" after ")
    };
    let lines = output.split_inclusive('\n');
    lines.filter(|line| !is_progress(line)).collect()
}

/// Runs a command that a page shows, or its replacement, and describes any difference from the
/// page.
fn follow(shell: &mut Shell, shown: &Shown) -> Result<(), String> {
    let (command, output) = match shown {
        Shown::Command(command) | Shown::Inline(command) => (command, None),
        Shown::Transcript { command, output } => (command, Some(output)),
    };
    let (line, code) = match instead_of(command) {
        Some(Elsewhere(_)) => return Ok(()),
        Some(Run(line, code)) => ((*line).to_owned(), Some(*code)),
        None => match shown {
            Shown::Inline(command) if command.starts_with("scripts/") => {
                let script = command.split_whitespace().next().unwrap();
                (format!("test -e {}", root().join(script).display()), Some(0))
            }
            Shown::Inline(command) if is_a_name(command) => (format!("{command} --help"), Some(0)),
            Shown::Inline(command) => match filled_in(command) {
                Some(filled) => (format!("{filled} --help"), Some(0)),
                None => (command.clone(), Some(0)),
            },
            Shown::Command(command) => (command.clone(), Some(0)),
            // A transcript shows an exit code other than 0 by `echo $?`.
            Shown::Transcript { command, .. } => (command.clone(), None),
        },
    };
    let ran = shell.run(&line);
    if code.is_some_and(|code| code != ran.code) {
        return Err(format!("`{line}` left with {}:\n{}", ran.code, ran.output));
    }
    match output {
        Some(shown)
            if !is_shown(shown, &ran.output)
                && !is_shown(shown, &without_progress(&ran.output)) =>
        {
            Err(format!("`{line}` shows\n{shown}but prints\n{}", ran.output))
        }
        _ => Ok(()),
    }
}

/// Returns true if a page has a command that needs jq.
fn needs_jq(page: &Path) -> bool {
    let shown = commands(&fs::read_to_string(page).unwrap());
    shown.iter().any(|shown| shown.command().contains("| jq "))
}

/// Runs a page from its beginning to its end and returns the complaints.
fn complaints(page: &Path) -> Vec<String> {
    let mut shell = Shell::new();
    let shown = commands(&fs::read_to_string(page).unwrap());
    let complaint = |shown| {
        let complaint = follow(&mut shell, shown).err()?;
        Some(format!("{}: {complaint}", page.display()))
    };
    shown.iter().filter_map(complaint).collect()
}

#[test]
fn every_command_of_the_pages_that_need_no_tool_does_what_is_shown() {
    let complaints: Vec<String> = std::thread::scope(|scope| {
        let pages = pages().into_iter().filter(|page| !needs_jq(page));
        let running: Vec<_> = pages.map(|page| scope.spawn(move || complaints(&page))).collect();
        let ended = running.into_iter().map(|page| page.join().unwrap());
        ended.flatten().collect()
    });
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
#[ignore = "needs jq"]
fn every_command_of_the_pages_that_need_jq_does_what_is_shown() {
    let with_jq: Vec<PathBuf> = pages().into_iter().filter(|page| needs_jq(page)).collect();
    assert!(!with_jq.is_empty());
    for page in with_jq {
        assert_eq!(complaints(&page), [""; 0]);
    }
}

#[test]
fn what_is_not_run_as_shown_is_shown_somewhere() {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut all = BTreeSet::new();
    for page in pages() {
        for shown in commands(&fs::read_to_string(&page).unwrap()) {
            all.insert(words(shown.command()));
        }
    }
    for (command, instead) in NOT_AS_SHOWN {
        assert!(all.contains(&words(command)), "no page shows `{command}`");
        if let Elsewhere(reason) = instead {
            assert!(!reason.is_empty(), "{command}");
        }
    }
}

#[test]
fn every_picture_of_the_guide_brings_the_ground_that_its_labels_are_read_on() {
    let mut pictures = 0;
    for picture in fs::read_dir(root().join("docs/pictures")).unwrap() {
        let picture = picture.unwrap().path();
        let text = fs::read_to_string(&picture).unwrap();
        let has_ground = ["<rect class=\"page\"", "<rect class=\"ground\""];
        let found = has_ground.iter().filter_map(|ground| text.find(ground)).min();
        let first_label = text.find("<text").unwrap();
        assert!(found.is_some_and(|ground| ground < first_label), "{}", picture.display());
        pictures += 1;
    }
    assert!(pictures > 0);
}

#[test]
fn a_mistyped_command_of_a_page_is_noticed() {
    let mut shell = Shell::new();
    for wrong in ["kt-enum list --limt 5", "kt-enum audit FILE --sampel 2", "scripts/none"] {
        let shown = Shown::Inline(wrong.to_owned());
        assert!(follow(&mut shell, &shown).is_err(), "{wrong}");
    }
    let wrong = Shown::Transcript {
        command: "kt-enum --size 5 --quiet".to_owned(),
        output: "1729\n".to_owned(),
    };
    assert!(follow(&mut shell, &wrong).is_err());
}

#[test]
fn every_page_of_the_guide_is_in_its_index() {
    let index = fs::read_to_string(root().join("docs/README.md")).unwrap();
    for page in pages() {
        let name = page.file_name().unwrap().to_string_lossy().into_owned();
        assert!(name == "README.md" || index.contains(&format!("({name})")), "{name}");
    }
}
