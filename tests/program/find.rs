//! Finding one tour on a board: the results, their formats, and the limits at which a search gives
//! up.

use crate::common::Machine;
use predicates::prelude::*;
use serde_json::Value;
use std::path::PathBuf;

fn golden(name: &str) -> (PathBuf, String) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/boards").join(name);
    let text = std::fs::read_to_string(&path).unwrap();
    (path, text)
}

/// Returns the numbers of a text, without the lines that name its source.
fn numbers(text: &str) -> Vec<i64> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .flat_map(|line| line.split(|c: char| !c.is_ascii_digit()))
        .filter_map(|number| number.parse().ok())
        .collect()
}

fn printed(arguments: &str) -> String {
    let output = Machine::new().kt(arguments).assert().success();
    String::from_utf8(output.get_output().stdout.clone()).unwrap()
}

fn json(arguments: &str) -> Value {
    serde_json::from_str(&printed(arguments)).unwrap()
}

#[test]
fn the_boards_and_counts_of_the_umbc_project_come_out_of_blind_search() {
    for (rows, cols) in [(3, 3), (3, 7), (6, 6)] {
        let found = printed(&format!(
            "find --rows {rows} --cols {cols} --from {},0 --strategy blind --order row-major",
            rows - 1
        ));
        let (_, text) = golden(&format!("umbc-{rows}x{cols}.txt"));
        let (_, expected) = text.split_once('\n').unwrap();
        let board = format!("# board {rows}x{cols}\n");
        assert_eq!(found.strip_prefix(&board).unwrap_or(&found), expected);
    }
}

#[test]
fn the_boards_of_the_kathmandu_report_come_out_of_its_move_order() {
    for size in [3, 4] {
        let line = format!("find --size {size} --from a{size} --strategy blind --order report");
        assert!(printed(&line).starts_with("No solution found"));
    }
    for size in [5, 6, 7] {
        for strategy in ["blind", "pruned"] {
            let found = printed(&format!(
                "find --size {size} --from a{size} --strategy {strategy} --order report"
            ));
            let board = found.split("Number").next().unwrap();
            let (_, expected) = golden(&format!("kathmandu-{size}x{size}.txt"));
            let from_one: Vec<i64> = numbers(&expected).iter().map(|n| n + 1).collect();
            assert_eq!(numbers(board), from_one, "{strategy}");
        }
    }
}

#[test]
fn check_reads_the_boards_of_the_documents() {
    for name in ["umbc-3x7", "umbc-6x6", "kathmandu-5x5", "kathmandu-6x6", "kathmandu-7x7"] {
        let (path, _) = golden(&format!("{name}.txt"));
        let verdict = printed(&format!("check {}", path.display()));
        assert_eq!(verdict, "open\n", "{name}");
    }
}

#[test]
fn warnsdorff_with_roths_ties_needs_no_step_back_from_d4_and_shows_both_boards() {
    let text = printed("find --size 8 --from d4 --strategy roth --format boards");
    let initial = "XX XX XX 01 XX XX XX XX\n";
    assert!(text.starts_with("INITIAL STATE:\nXX XX XX XX XX XX XX XX\n"));
    assert_eq!(text.lines().nth(5).unwrap(), initial.trim_end());
    let (_, last) = text.split_once("FINAL STATE:\n").unwrap();
    let grid: Vec<&str> = last.lines().take(8).collect();
    let mut check = Machine::new().kt("check");
    check.write_stdin(grid.join("\n")).assert().success().stdout("open\n");
    assert!(text.contains("\nNumber of moves tried: 63\n"));
}

#[test]
fn blind_and_pruned_find_the_same_tour_and_pruned_tries_less() {
    for line in
        ["--size 5", "--size 6", "--rows 3 --cols 8", "--size 8 --from d4", "--size 6 --closed"]
    {
        let [blind, pruned] = ["blind", "pruned"]
            .map(|strategy| json(&format!("find {line} --strategy {strategy} --json")));
        assert_eq!(blind["tour"], pruned["tour"], "{line}");
        let tried = |found: &Value| found["moves_tried"].as_str().unwrap().parse::<u64>().unwrap();
        assert!(tried(&pruned) < tried(&blind), "{line}");
    }
}

#[test]
fn a_search_that_reaches_its_limit_says_what_was_tried_and_leaves_with_1() {
    for (limit, said) in [
        ("--max-moves 5000", "limit of 5,000 moves tried is reached, with 5,000 moves tried"),
        ("--max-backtracks 900", "more than 900 moves had to be taken back"),
        ("--max-time 0.3", "the time is up"),
    ] {
        let line = format!("find --size 8 --from g1 --strategy blind --order report {limit}");
        let mut command = Machine::new().kt(&line);
        let said = predicate::str::contains(said).and(predicate::str::contains("dead ends in"));
        command.assert().code(1).stdout("").stderr(said);
        let output = Machine::new().kt(&format!("{line} --json")).assert().code(1);
        let found: Value = serde_json::from_slice(&output.get_output().stdout).unwrap();
        assert!(
            found["tour"].is_null() && found["reason"].as_str().unwrap().starts_with("gave up")
        );
    }
}

#[test]
fn pruned_gives_up_once_it_has_taken_back_the_moves_that_it_may() {
    let line = "find --size 8 --from d4 --strategy pruned --max-backtracks 3";
    let said = predicate::str::contains("more than 3 moves had to be taken back");
    Machine::new().kt(line).assert().code(1).stdout("").stderr(said);
}

#[test]
fn the_limits_of_a_search_by_several_methods_hold_for_all_of_them_together() {
    for (limit, said) in [
        ("--max-moves 1000", "the limit of 1,000 moves tried is reached, with 1,000 moves"),
        ("--max-moves 530,000", "the limit of 530,000 moves tried is reached, with 530,"),
        ("--max-backtracks 150,000", "more than 150,000 moves had to be taken back"),
    ] {
        let line = format!("find --piece 1,4 --size 11 {limit}");
        let said = predicate::str::contains(said);
        Machine::new().kt(&line).assert().code(1).stdout("").stderr(said);
    }
}

#[test]
fn a_search_whose_time_is_up_while_tours_are_counted_was_not_told_to_stop() {
    // Neither heuristics nor decisions find a tour of this board, and a count of it takes seconds.
    let line = "find --piece 1,4 --size 11 --max-time 3s --json";
    let assert = Machine::new().kt(line).assert().code(1);
    let found: Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    // On a busy machine the forecast of the count may not be ready, and then it is not begun.
    let reason = found["reason"].as_str().unwrap();
    let reasons = ["gave up: the time is up", "gave up: neither the heuristics nor decisions"];
    assert!(reasons.iter().any(|begin| reason.starts_with(begin)), "{reason}");
}

#[test]
fn where_there_is_no_tour_the_reason_is_given_and_the_code_is_0() {
    for (line, reason) in [
        ("--size 4", "3x3, 3x5, 3x6 and 4x4 have no tour"),
        ("--size 5 --from b1", "on the colour of a1"),
        ("--rows 4 --cols 9 --from c2", "in the first or last row"),
        ("--rows 2 --cols 9", "side of 1 or 2"),
        ("--size 7 --closed", "their number is odd"),
        ("--rows 3 --cols 8 --closed", "3x4, 3x6 and 3x8"),
        ("--rows 9 --cols 4 --closed", "side of 1, 2 or 4"),
        ("--size 1 --closed", "side of 1, 2 or 4"),
        ("--rows 3 --cols 4 --from b3", "in the first or last column"),
        ("--rows 3 --cols 7 --from b1", "on the colour of a1"),
        ("--rows 3 --cols 8 --from c2", "every way was followed"),
        ("--rows 3 --cols 7 --from d2", "every way was followed"),
    ] {
        let mut command = Machine::new().kt(&format!("find {line} --format squares"));
        let reason = predicate::str::contains(reason);
        command.assert().success().stdout("").stderr(reason);
    }
}

#[test]
fn a_board_of_a_million_squares_is_found_and_checked_open_and_closed() {
    for (line, verdict) in [
        ("--size 1000 --closed", "closed\n"),
        ("--rows 999 --cols 1001 --from c7", "open\n"),
        ("--size 1000 --strategy roth", "open\n"),
        ("--rows 3 --cols 9999 --from 0,5000", "open\n"),
        ("--rows 10000 --cols 4 --from a7001", "open\n"),
        ("--rows 3 --cols 10000 --closed --format json", "closed\n"),
    ] {
        let tour = printed(&format!("find {line}"));
        let mut check = Machine::new().kt("check");
        check.write_stdin(tour).assert().success().stdout(verdict);
    }
}

#[test]
fn quiet_leaves_the_board_alone() {
    let loud = printed("find --size 5");
    let (board, cost) = loud.split_once("Number of moves").unwrap();
    assert!(!cost.is_empty());
    assert_eq!(printed("find --size 5 --quiet"), board);
}

#[test]
fn the_tour_goes_to_the_file_that_was_named() {
    let machine = Machine::new();
    let file = machine.folder.path().join("tour.txt");
    let line = format!("find --rows 3 --cols 10 --closed --format squares -o {}", file.display());
    machine.kt(&line).assert().success().stdout("");
    machine.kt(&format!("check {}", file.display())).assert().success().stdout("closed\n");
    let nowhere = machine.folder.path().join("no/such/folder");
    let line = format!("find --size 8 -o {}", nowhere.display());
    let said = predicate::str::contains("cannot write the result to")
        .and(predicate::str::contains("no/such"));
    machine.kt(&line).assert().code(1).stderr(said);
}

#[test]
fn compare_has_a_line_for_each_search_in_a_table_and_in_csv() {
    let line =
        "compare --sizes 5,6..=8:2,3x4 --strategies auto,h1b,roth --from a1,top-left --trials 2";
    let table = printed(line);
    assert_eq!(table.lines().count(), 1 + 4 * 3 * 2);
    assert!(table.lines().next().unwrap().starts_with("board  from  strategy"));
    let csv = printed(&format!("{line} --format csv"));
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 1 + 4 * 3 * 2);
    assert!(rows.iter().all(|row| row.len() == rows[0].len()));
    for row in &rows[1..] {
        assert_eq!(row[5], "found", "{row:?}");
        let [median, least, most] = [10, 11, 12].map(|at: usize| row[at].parse::<u64>().unwrap());
        assert!(0 < least && least <= median && median <= most);
    }
}

#[test]
fn what_is_typed_wrong_is_named() {
    for (line, said) in [
        ("find --size 8 --strategy best", "possible values: auto, blind"),
        ("find --size 8 --order up", "is not a move order"),
        ("find --size 8 --from i9", "not on the 8x8 board"),
        ("find", "which board?"),
        ("compare --sizes 3-8", "write 8, 6x8, 3..5, or 101..600:20"),
        ("check --rows 3", "--cols"),
    ] {
        Machine::new().kt(line).assert().code(2).stderr(predicate::str::contains(said));
    }
}

#[test]
fn a_tour_between_two_squares_is_found_on_boards_that_no_list_ends_on() {
    let tour = printed("find --size 12 --from a1 --to h7 --format squares");
    let squares: Vec<&str> = tour.split_whitespace().collect();
    assert_eq!((squares.len(), squares[0], squares[143]), (144, "a1", "h7"));
    Machine::new().kt("check").write_stdin(tour).assert().success();
    let found = json("find --size 8 --to e4 --seed 3 --json");
    assert_eq!((&found["from"], &found["tour"][63]), (&found["tour"][0], &"e4".into()));
    let none = Machine::new().kt("find --size 8 --from d4 --to h8").assert().success();
    let said = String::from_utf8(none.get_output().stderr.clone()).unwrap();
    assert!(said.contains("no open tours of 8x8 from d4 to h8: every move changes"), "{said}");
}
