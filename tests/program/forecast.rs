//! Forecasts that a count prints before it starts.

use crate::common::watched::Watched;
use crate::common::{Machine, text};
use kt_enum_runs::run::checkpoint::Store;

#[test]
fn a_search_is_announced_from_within_and_only_when_it_lasts() {
    let machine = Machine::new();
    let output = machine.kt("--rows 5 --cols 10 --memo off --max-time 0.1").output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(75), "{said}");
    assert!(!said.contains("about"), "{said}");
}

#[test]
fn a_held_or_foreign_checkpoint_is_refused_before_a_forecast_is_made() {
    let machine = Machine::new();
    let path = machine.folder.path().join("run.kt");
    let job = format!("--checkpoint {}", path.display());
    machine.kt(&format!("--rows 6 --cols 8 --max-time 0 {job}")).assert().code(75);
    let refused = |code| {
        let output = machine.kt(&format!("--size 9 {job}")).output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(!said.contains("forecasting"), "{said}");
    };
    refused(2);
    let _held = Store::hold(&path).unwrap();
    refused(73);
}

#[test]
fn a_long_count_says_at_once_what_it_counts_and_stops_truthfully() {
    let machine = Machine::new();
    let mut run = Watched::over(machine.start("--size 9 --threads 2"));
    let line = run.next_line();
    assert!(line.starts_with("kt-enum: frontier: 9x9 open on 2 threads; forecasting"), "{line}");
    run.signal("INT");
    let ended = run.end();
    assert_eq!(ended.status.code(), Some(130), "{}", ended.stderr);
    // The forecast may have ended before the signal arrives.
    let words = ["nothing was counted yet", "before its units"];
    assert!(words.iter().any(|words| ended.stderr.contains(words)), "{}", ended.stderr);
}

#[test]
fn a_count_that_nobody_finishes_points_to_one_tour() {
    let machine = Machine::new();
    for (board, find) in [
        ("--size 20", "`kt-enum find --size 20x20` finds"),
        ("--size 12 --closed", "`kt-enum find --size 12x12 --closed` finds"),
    ] {
        let mut run = Watched::over(machine.start(&format!("{board} --no-checkpoint")));
        while !run.next_line().contains(find) {}
        run.signal("TERM");
        let said = run.end().stderr;
        assert!(!said.contains(" G years"), "{said}");
    }
}

#[test]
fn lengths_of_a_table_are_announced_as_counts_of_their_boards_are() {
    let machine = Machine::new();
    let output = machine.kt("table --cols 6 --rows 5..8").output().unwrap();
    let said = text(&output.stderr);
    assert!(output.status.success() && said.lines().count() == 1, "{said}");
    let mut run = Watched::over(machine.start("table --cols 8 --rows 6..8 --fresh"));
    while !run.next_line().contains("frontier: 8x8 open, about ") {}
    run.signal("TERM");
    run.end();
}

#[test]
fn what_a_refusal_names_is_accepted_when_it_is_typed() {
    let machine = Machine::new();
    let job = "--size 8x9 --no-checkpoint --threads 2 --max-time 60s";
    let output = machine.kt(&format!("{job} --memory 100M")).output().unwrap();
    let said = text(&output.stderr);
    let advice = said.split("give --memory ").nth(1);
    let Some(advised) = advice.and_then(|advice| advice.split(' ').next()) else {
        // A machine that is too slow for a forecast has started the count.
        return;
    };
    assert_eq!(output.status.code(), Some(1), "{said}");
    let mut run = Watched::start(&machine, &format!("{job} --memory {advised}"));
    run.wait_for("progress");
    run.signal("TERM");
    run.end();
}

#[test]
fn a_forecast_takes_a_quarter_of_the_time_of_a_run_that_has_little() {
    let machine = Machine::new();
    for (max_time, within) in [("2s", "500 ms"), ("4s", "1 s"), ("1h", "3 s")] {
        let job = format!("--size 9 --no-checkpoint --max-time {max_time} --progress plain");
        let mut run = Watched::over(machine.start(&job));
        let mut line = String::new();
        while !line.contains("forecasting what it takes") {
            line = run.next_line();
        }
        assert!(line.contains(&format!("for {within} at most")), "{max_time}: {line}");
    }
}

#[test]
fn a_resumed_search_goes_on_with_the_time_that_status_says_is_left() {
    let machine = Machine::new();
    let path = machine.folder.path().join("run.kt");
    let path = path.display();
    let job = format!("6x8 --engine walk --max-time 2s --progress plain --checkpoint {path}");
    machine.kt(&format!("{job} --threads 2")).assert().code(75);
    let status = text(&machine.kt(&format!("status {path}")).output().unwrap().stdout);
    let left = status.split_once(" spent, about ").and_then(|(_, rest)| rest.split_once(" left"));
    let (left, _) = left.expect("a time left");
    let again = machine.kt(&format!("{job} --threads 2")).output().unwrap();
    let said = text(&again.stderr);
    assert!(said.contains(&format!("about {left} more on 2 threads\n")), "{status}{said}");
}
