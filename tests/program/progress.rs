//! The progress that a run reports, and the answers of `status` about it.

use crate::common::watched::Watched;
use crate::common::{Machine, text};
use serde_json::Value;
use std::process::Command;

const JOB: &str = "--rows 5 --cols 10 --memo off";

fn status(machine: &Machine, arguments: &str) -> Value {
    let output = machine.kt(&format!("status {arguments} --json")).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn status_reads_a_live_run_and_a_stopped_one() {
    let machine = Machine::new();
    // The pace of units is known after two seconds of them.
    let job = "--size 8 --tours closed --threads 1 --memory 300M --checkpoint-interval 0.2";
    let mut run = Watched::start(&machine, job);
    let path = machine.state_folder().join("closed-8x8.kt");
    run.hold_when(&path, |header| header.status.share > Some(0.0));
    let live = status(&machine, "--size 8 --tours closed");
    assert_eq!(live["live"], true);
    let holder = live["holder"].as_str().unwrap();
    assert!(holder.starts_with(&format!("pid {} on ", run.child.id())), "{holder}");
    assert_eq!(
        (&live["rows"], &live["cols"], &live["tours"]),
        (&8.into(), &8.into(), &"closed".into())
    );
    let percent = live["percent"].as_f64().unwrap();
    assert!(percent > 0.0 && percent < 100.0, "{percent}");
    assert!(live["disk_bytes"].as_u64().unwrap() > 0);
    assert!(live["left_s"].as_f64().unwrap() > 0.0);
    let found = |status: &Value| status["found"].as_str().unwrap().parse::<u64>().unwrap();

    // The command `status` does not disturb the run.
    run.stop();
    let stopped = status(&machine, "");
    assert_eq!(stopped["live"], false);
    assert!(found(&stopped) >= found(&live));
    let said = text(&machine.kt("status").output().unwrap().stdout);
    for words in ["closed tours of 8x8", "units done", "not running", " of disk"] {
        assert!(said.contains(words), "{said}");
    }
    assert_eq!(
        machine.files(),
        ["closed-8x8.kt", "closed-8x8.kt.previous", "closed-8x8.kt.states"],
        "status changes nothing"
    );
}

#[test]
fn a_redirected_log_gets_full_lines_and_an_answer_to_usr1() {
    let machine = Machine::new();
    let mut run = Watched::over(machine.start(JOB));
    let announced = run.next_line();
    let begins = "kt-enum: walk: 5x10 open, about ";
    assert!(announced.starts_with(begins) && announced.contains(" thread"), "{announced}");
    // The first line comes by itself; the next would come a minute later without the signal.
    for asks in [false, true] {
        if asks {
            run.signal("USR1");
        }
        let line = run.next_line();
        // The line begins with date and time: 2026-11-21 11:09:08 UTC.
        let (when, how_far) = line.split_once(" UTC, ").unwrap();
        assert_eq!(when.len(), "kt-enum: 2026-11-21 11:09:08".len(), "{line}");
        assert!(how_far.starts_with("open tours of 5x10: "), "{line}");
        assert!(how_far.contains(" of 1,067 units, "), "{line}");
    }
    run.signal("TERM");
    let said = run.end().stderr;
    assert_eq!(said.lines().count(), 4, "{said}");
    assert!(!said.contains('\r') && !said.contains('\u{1b}'), "{said}");
}

#[test]
fn progress_comes_as_json_lines_on_request() {
    let machine = Machine::new();
    let mut run = Watched::start(&machine, JOB);
    let found = [(); 4].map(|()| {
        let event = run.wait_for("progress");
        assert!(event["unix_s"].as_f64().unwrap() > 1e9);
        // The percentage is null before it is known.
        assert!(event["percent"].as_f64().is_none_or(|percent| percent <= 100.0));
        event["found"].as_str().unwrap().parse::<u64>().unwrap()
    });
    assert!(found.is_sorted(), "{found:?}");
}

/// A job that takes some seconds before its units.
const JOB_IN_ROUNDS: &str = "--size 8 --tours closed --engine frontier --threads 1";

#[test]
fn a_run_before_its_units_says_in_which_round_it_is() {
    let machine = Machine::new();
    let job = format!("{JOB_IN_ROUNDS} --checkpoint-interval 0.2");
    let mut run = Watched::over(machine.start(&job));
    machine.wait_for("closed-8x8.kt");
    run.hold();
    let live = status(&machine, "--size 8 --tours closed");
    assert_eq!(live["live"], true);
    assert_eq!((&live["engine"], &live["done"]), (&"frontier".into(), &0.into()));
    assert_eq!(live["cut"].as_str().unwrap().split(':').count(), 2);
    let building = |key: &str| live["building"][key].as_u64().unwrap();
    assert!(building("round") < building("rounds"));
    assert!(building("slices") <= building("slices_of"));
    assert!(building("states") > 0 && building("bytes") > 0 && building("most_states") > 0);
    run.signal("USR1");
    run.let_go();
    let in_rounds =
        |line: &str| line.contains("before its units: round ") && line.contains(" states in ");
    while !in_rounds(&run.next_line()) {}
    run.hold();
    let said = run.stop().stderr;
    assert!(said.lines().filter(|line| in_rounds(line)).count() >= 2, "{said}");
    let said = text(&machine.kt("status").output().unwrap().stdout);
    for words in ["closed tours of 8x8", "--engine frontier --cut ", "before its units: round "] {
        assert!(said.contains(words), "{said}");
    }
    let again = machine.kt(&format!("{JOB_IN_ROUNDS} --max-time 0")).output().unwrap();
    let said = text(&again.stderr);
    assert_eq!(again.status.code(), Some(75), "{said}");
    assert!(said.contains("resumed from") && said.contains(": before its units: round "), "{said}");
}

#[test]
fn progress_as_json_lines_has_the_rounds_before_the_units() {
    let machine = Machine::new();
    let mut run = Watched::start(&machine, JOB_IN_ROUNDS);
    let places = [(); 3].map(|()| {
        let building = &run.wait_for("progress")["building"];
        // The next line comes after a second, or on request.
        run.signal("USR1");
        let of = |key: &str| building[key].as_u64().unwrap();
        (of("round"), of("slices"))
    });
    assert!(places.is_sorted(), "{places:?}");
}

#[test]
fn progress_none_says_nothing() {
    let machine = Machine::new();
    let output = machine.kt("--rows 5 --cols 8 --memo off --progress none").output().unwrap();
    assert_eq!(text(&output.stderr), "");
}

/// Runs a command on a terminal of this width and returns the text on it, and the exit code. Ctrl-C
/// is typed after the bar has been shown for this number of seconds, and the bar is printed as it
/// was then. With 0 seconds the command ends by itself.
fn on_terminal(
    machine: &Machine,
    kind: &str,
    columns: usize,
    seconds: u32,
    arguments: &str,
) -> (String, Option<i32>) {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new("python3")
        .arg("-B")
        .arg(root.join("tests/terminal/watch.py"))
        .args([columns.to_string(), seconds.to_string()])
        .arg(assert_cmd::cargo::cargo_bin("kt-enum"))
        .args(arguments.split(' '))
        .env("XDG_STATE_HOME", machine.folder.path())
        .env("TERM", kind)
        .env_remove("NO_COLOR")
        // If this variable is set, colours are assumed to be wanted, even on a terminal without
        // them.
        .env_remove("CI")
        .output()
        .unwrap();
    assert_eq!(text(&output.stderr), "");
    (text(&output.stdout), output.status.code())
}

#[test]
#[ignore = "needs python3"]
fn the_bar_is_one_line_of_terminals_of_40_60_and_100_columns_and_is_gone_after_ctrl_c() {
    let machine = Machine::new();
    for columns in [40, 60, 100] {
        let (said, code) = on_terminal(&machine, "xterm", columns, 1, JOB);
        assert_eq!(code, Some(130), "{said}");
        let bars: Vec<&str> = said.lines().filter(|line| line.starts_with('[')).collect();
        // The only bar is the copy from before Ctrl-C.
        assert_eq!(bars.len(), 1, "{said}");
        let is_narrow = columns < 100;
        assert!(bars[0].len() <= columns - 4, "{said}");
        assert!(bars[0].contains(" left") || bars[0].contains(" elapsed"), "{said}");
        assert!(is_narrow || bars[0].contains("/1,067") || bars[0].contains(" units"), "{said}");
        assert!(said.contains("stopped after") && !said.contains('^'), "{said}");
    }
}

#[test]
#[ignore = "needs python3"]
fn tours_from_a_terminal_are_asked_for() {
    let machine = Machine::new();
    for (command, exit) in [("check", 0), ("show", 0), ("stats", 1), ("rank --size 3x4", 0)] {
        let (said, code) = on_terminal(&machine, "xterm", 100, 0, command);
        let asks = "kt-enum: reading tours from the terminal: end with Ctrl-D";
        assert_eq!(said.lines().next(), Some(asks), "{command}: {said}");
        assert_eq!(code, Some(exit), "{command}: {said}");
    }
}

#[test]
#[ignore = "needs python3"]
fn the_bar_of_a_run_that_is_done_stands_above_its_answer() {
    let machine = Machine::new();
    let (said, code) = on_terminal(&machine, "xterm", 60, 0, "--size 6 --no-checkpoint");
    assert_eq!(code, Some(0), "{said}");
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0].split(", ").next(), Some("[===========] 100.0 %"), "{said}");
    assert!(lines[1].starts_with("6,637,920 directed open tours"), "{said}");
}

#[test]
#[ignore = "needs python3"]
fn searches_show_a_bar_on_a_terminal_and_say_on_ctrl_c_how_far_they_were() {
    let machine = Machine::new();
    let list = format!("list --size 4x20 --closed -o {}/list", machine.folder.path().display());
    for (command, bar, end) in [
        (list.as_str(), " of tours written", "--resume to continue"),
        ("find --size 8 --strategy blind --closed", " moves tried", "--strategy auto"),
    ] {
        let (said, code) = on_terminal(&machine, "xterm", 100, 1, command);
        assert_eq!(code, Some(130), "{said}");
        assert!(said.lines().next().unwrap().starts_with('[') && said.contains(bar), "{said}");
        assert!(said.contains("stopped after") && said.contains(end), "{said}");
    }
    // Tours that are printed on the terminal are not mixed with a bar.
    let (said, _) = on_terminal(&machine, "xterm", 100, 0, "list --size 6 --limit 3");
    assert!(!said.contains('['), "{said}");
}

#[test]
#[ignore = "needs python3"]
fn a_terminal_that_only_prints_gets_neither_bar_nor_colours() {
    let machine = Machine::new();
    let tour = machine.folder.path().join("tour");
    let find = format!("find --size 5 -o {}", tour.display());
    machine.kt(&find).assert().success();
    for kind in ["xterm", "dumb"] {
        for arguments in [&format!("show {}", tour.display()), "--size 6 --tours ajar"] {
            let (said, _) = on_terminal(&machine, kind, 100, 0, arguments);
            assert_eq!(said.contains("(in colours)"), kind == "xterm", "{said}");
        }
    }
    let (said, _) =
        on_terminal(&machine, "dumb", 100, 0, "--size 6 --no-checkpoint --progress bar");
    assert!(!said.contains('['), "{said}");
}

#[test]
fn completions_and_the_man_page_come_from_the_flags() {
    let machine = Machine::new();
    for shell in ["bash", "zsh", "fish"] {
        let said = text(&machine.kt(&format!("completions {shell}")).output().unwrap().stdout);
        assert!(said.contains("split-depth") && said.contains("max-time"), "{shell}");
    }
    let page = text(&machine.kt("man").output().unwrap().stdout);
    for words in [".TH kt-enum", "split\\-depth", "EXIT STATUS", "SIGNALS", "status"] {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn bash_completes_options_and_values_within_commands() {
    let machine = Machine::new();
    let script = text(&machine.kt("completions bash").output().unwrap().stdout);
    for (words, expected) in [
        ("kt-enum sho", "show"),
        ("kt-enum show --f", "--format"),
        ("kt-enum show --format sv", "svg"),
        ("kt-enum find --strategy pru", "pruned"),
        ("kt-enum find --piece cam", "camel"),
        ("kt-enum list --wrap tor", "torus"),
        ("kt-enum help aud", "audit"),
        ("kt-enum man aud", "audit"),
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        let [.., previous, current] = words[..] else { panic!("two words at least") };
        let complete = format!(
            "{script}\nCOMP_WORDS=({}) COMP_CWORD={}\n\
             $(complete -p kt-enum | sed 's/.*-F //; s/ .*//') kt-enum '{current}' '{previous}'\n\
             printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            words.join(" "),
            words.len() - 1,
        );
        let output = std::process::Command::new("bash").args(["-c", &complete]).output().unwrap();
        assert_eq!(text(&output.stdout).trim(), expected, "{words:?}: {}", text(&output.stderr));
    }
}

#[test]
fn a_count_has_a_share_and_a_time_left_from_its_first_seconds_in_all_phases() {
    let machine = Machine::new();
    // By the frontier, which has rounds before its units, and by a search.
    for job in ["--size 8x10 --tours closed --threads 2 --memory 1G", JOB] {
        let mut run = Watched::start(&machine, &format!("{job} --no-checkpoint"));
        let mut shares = Vec::new();
        while shares.len() < 3 {
            let event = run.wait_for("progress");
            // A search is announced once it has lasted a second.
            if event["elapsed_s"].as_f64() < Some(if job == JOB { 3.0 } else { 0.5 }) {
                continue;
            }
            shares.push(event["percent"].as_f64().expect("a share"));
            assert!(event["left_s"].as_f64() > Some(0.0), "{event}");
        }
        assert!(shares.is_sorted(), "{shares:?}");
        run.signal("TERM");
        run.end();
    }
}

#[test]
fn status_of_a_live_run_is_seconds_old_however_seldom_it_saves() {
    let machine = Machine::new();
    let run = Watched::start(&machine, &format!("{JOB} --checkpoint-interval 1h"));
    let path = machine.state_folder().join("open-5x10.kt");
    machine.wait_for("open-5x10.kt.live");
    assert!(!path.exists());
    let found = |machine: &Machine| {
        let status = status(machine, "--size 5x10");
        assert_eq!(status["live"], true, "{status}");
        status["found"].as_str().unwrap().parse::<u64>().unwrap()
    };
    let before = found(&machine);
    let began = std::time::Instant::now();
    while found(&machine) == before {
        assert!(began.elapsed().as_secs() < 60, "it shows nothing new");
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    let said = text(&machine.kt("status").output().unwrap().stdout);
    assert!(said.contains("as of ") && !said.contains("saved "), "{said}");
    run.stop();
    assert_eq!(machine.files(), ["open-5x10.kt"]);
    let said = text(&machine.kt("status").output().unwrap().stdout);
    assert!(said.contains("saved "), "{said}");
}
