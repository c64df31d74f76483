//! Signals to commands that are not runs: on request they report their progress and continue, and
//! an estimate stops when it is cancelled.

use crate::common::watched::Watched;
use crate::common::{Machine, signal};
use std::fs;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Waits until a process has a handler for a signal, on systems that show it.
fn hears(child: &Child, name: &str) {
    let number = match name {
        "INT" => 2,
        "USR1" => 10,
        "TERM" => 15,
        _ => panic!("the number of {name} is not known here"),
    };
    let status = format!("/proc/{}/status", child.id());
    let is_heard = |status: &str| {
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let mask = u64::from_str_radix(mask.unwrap().trim(), 16).unwrap();
        mask >> (number - 1) & 1 == 1
    };
    let began = Instant::now();
    while !is_heard(&fs::read_to_string(&status).unwrap()) {
        assert!(began.elapsed() < Duration::from_secs(60), "it does not listen to {name}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn commands_that_are_not_runs_report_on_request_and_continue() {
    let machine = Machine::new();
    // No 4x20 board has a closed tour; a list would need years to find that out.
    let list_to_a_file =
        format!("list --size 4x20 --closed -o {}/list", machine.folder.path().display());
    // Nobody reads the output of the first `list`, and nobody writes the input of the commands that
    // read, so all of them last.
    for (command, says) in [
        ("list --size 6", " of tours written after "),
        (list_to_a_file.as_str(), " of tours written after "),
        ("check -", "check: at it after "),
        ("rank - --size 5", "rank: at it after "),
        ("stats -", "stats: at it after "),
        ("find --size 8 --strategy blind --closed", " moves tried, "),
        ("compare --sizes 8 --strategies blind --closed", "compare: at it after "),
        ("estimate --size 9 --engine frontier --within 100s", "estimate: at it after "),
    ] {
        let child = machine.start_with(Stdio::piped(), command);
        hears(&child, "USR1");
        let mut watched = Watched::over(child);
        for _ in 0..2 {
            // A question that comes before the command is set up is not answered.
            while !watched.is_answered("USR1", says) {}
        }
        assert!(watched.child.try_wait().unwrap().is_none(), "{command} has ended");
        watched.child.kill().unwrap();
        watched.child.wait().unwrap();
    }
}

#[test]
fn an_estimate_that_is_told_to_stop_does_so_long_before_its_time() {
    let machine = Machine::new();
    for (name, code) in [("INT", 130), ("TERM", 1)] {
        for options in [
            "--within 1000s",
            "--within 1000s --engine frontier",
            "--within 1000s --probes 1000000000 --split-depth 0 --engine walk",
        ] {
            let began = Instant::now();
            let mut child = machine.start(&format!("estimate --size 9 {options}"));
            hears(&child, name);
            // After this time an estimate without a forecast is making its probes.
            std::thread::sleep(Duration::from_millis(300));
            signal(&child, name);
            let code_left = child.wait().unwrap().code();
            assert_eq!(code_left, Some(code), "{name} with {options}");
            assert!(began.elapsed() < Duration::from_secs(200), "{options}");
        }
    }
}

#[test]
fn any_number_of_random_tours_is_drawn_in_portions_and_stops_at_once_when_it_is_told_to() {
    let machine = Machine::new();
    let path = machine.folder.path().join("tours");
    // Numbers for all of them at once would be more than any memory holds.
    let draw = format!("random --size 5 --count 1,000,000,000,000 --seed 1 -o {}", path.display());
    let child = machine.start(&draw);
    let portions = || fs::read_dir(machine.folder.path()).unwrap().flatten();
    let is_written =
        || portions().any(|file| file.metadata().is_ok_and(|file| file.len() > 1 << 20));
    let began = Instant::now();
    while !is_written() {
        assert!(began.elapsed() < Duration::from_secs(100), "nothing is written");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(stopped(child, "INT").0, Some(130));
    assert!(!path.exists(), "a result that is not complete");
}

#[test]
fn a_report_that_counts_by_start_square_stops_when_it_is_told_to_and_writes_nothing() {
    let machine = Machine::new();
    let [units, page] = ["units", "page.html"].map(|name| machine.folder.path().join(name));
    let count = format!("--size 6x7 --engine frontier --quiet --keep-units {}", units.display());
    machine.start(&count).wait().unwrap();
    for (name, code) in [("INT", 130), ("TERM", 1)] {
        let report = format!("report {} --starts -o {}", units.display(), page.display());
        let (left, said) = stopped(machine.start(&report), name);
        assert_eq!(left, Some(code), "{said}");
        assert!(said.contains("of counting by start square; nothing is written"), "{said}");
        assert!(!page.exists());
    }
}

/// Starts a command as a shell that is not interactive does it for `&`: SIGINT is ignored.
fn in_the_background(machine: &Machine, arguments: &str) -> Child {
    let program = assert_cmd::cargo::cargo_bin("kt-enum");
    let line = format!("trap '' INT; exec {} {arguments}", program.display());
    std::process::Command::new("sh")
        .args(["-c", &line])
        .env("XDG_STATE_HOME", machine.folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Signals a process that listens, and reads nothing of what it writes before it has ended.
fn stopped(mut child: Child, name: &str) -> (Option<i32>, String) {
    hears(&child, name);
    signal(&child, name);
    let code = child.wait().unwrap().code();
    let mut said = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut said).unwrap();
    (code, said)
}

#[test]
fn searches_in_the_background_of_a_script_stop_on_signals_and_say_how_far_they_were() {
    let machine = Machine::new();
    // Nobody reads the first list, so it waits for a reader when the signal comes.
    for (command, words) in [
        ("list --size 6", ["tours written", "--after"]),
        ("list --size 4x20 --closed", ["tours written", "--resume"]),
        ("find --size 8 --strategy blind --closed", ["moves tried", "--strategy auto"]),
        ("find --size 9 --from a2 --strategy blind", ["moves tried", "--strategy auto"]),
        ("find --size 128 --piece zebra --closed", ["building a tour", "start over"]),
    ] {
        for (name, code) in [("INT", 130), ("TERM", 1)] {
            // Where other work holds this test up, a search of a second may be done first.
            let mut tries = (0..20).map(|_| stopped(in_the_background(&machine, command), name));
            let (left, said) = tries.find(|(left, _)| *left != Some(0)).expect("a stop in time");
            assert_eq!(left, Some(code), "{command}: {name}: {said}");
            for word in ["stopped after"].iter().chain(&words) {
                assert!(said.contains(word), "{command}: {name}: {word}: {said}");
            }
        }
    }
}

#[test]
fn a_list_into_a_file_that_is_told_to_stop_ends_in_a_whole_line_and_is_resumed() {
    let machine = Machine::new();
    let path = machine.folder.path().join("list");
    let list = format!("list --size 6 --limit 1000000 -o {}", path.display());
    let whole = machine.kt("list --size 6 --limit 1000000").output().unwrap().stdout;
    let mut resume = "";
    for (name, code) in [("INT", 130), ("TERM", 75)] {
        let child = in_the_background(&machine, &format!("{list}{resume}"));
        let (left, said) = stopped(child, name);
        // It may be done first.
        if left != Some(0) {
            assert_eq!(left, Some(code), "{name}: {said}");
            let is_early = said.contains("before anything was written");
            assert!(is_early || said.contains("to continue"), "{said}");
        }
        let kept = fs::read(&path).unwrap_or_default();
        assert!(kept.is_empty() || kept.ends_with(b"\n"));
        assert!(whole.starts_with(&kept));
        resume = " --resume";
    }
    machine.kt(&format!("{list} --resume")).assert().success();
    assert!(fs::read(&path).unwrap() == whole);
}

#[test]
fn what_a_stopped_search_advises_works_when_it_is_typed() {
    let machine = Machine::new();
    let path = machine.folder.path().join("list");
    let said_of = |command: &str| {
        let child = machine.start(command);
        while command.contains(" -o ") && fs::metadata(&path).map_or(0, |file| file.len()) == 0 {
            std::thread::sleep(Duration::from_millis(1));
        }
        let (code, said) = stopped(child, "TERM");
        assert_eq!(code, Some(1), "{command}: {said}");
        said
    };
    let find = "find --size 8 --strategy blind --closed";
    assert!(said_of(find).contains("--strategy auto finds most tours at once"));
    machine.kt(&find.replace("blind", "auto")).assert().success();
    let grids = format!("list --size 6 --format grid --limit 3,000,000 -o {}", path.display());
    assert!(said_of(&grids).contains("--format squares or json can be"));
    for form in ["squares", "json"] {
        let whole = format!("list --size 5 --format {form} --overwrite -o {}", path.display());
        machine.kt(&format!("{whole} --limit 3")).assert().success();
        machine.kt(&whole.replace("overwrite", "resume")).assert().success();
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 1728);
    }
    let said = said_of("list --size 6");
    assert!(said.contains("--after and the last whole tour continue the list; with -o FILE"));
    let all = machine.kt("list --size 5").output().unwrap().stdout;
    let all: Vec<&str> = std::str::from_utf8(&all).unwrap().lines().collect();
    let after = machine.kt("list --size 5 --after").arg(all[9]).output().unwrap().stdout;
    assert!(std::str::from_utf8(&after).unwrap().lines().eq(all[10..].iter().copied()));
}
