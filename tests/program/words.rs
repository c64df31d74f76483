//! The board as the first argument, ranges, and messages that say what holds and what is meant.

use crate::common::{Machine, text};
use serde_json::Value;

/// Returns standard output, standard error and the exit code of a command that reads a text.
fn ran(machine: &Machine, arguments: &str, input: &str) -> (String, String, i32) {
    let output = machine.kt(arguments).write_stdin(input).output().unwrap();
    (text(&output.stdout), text(&output.stderr), output.status.code().unwrap())
}

fn printed(machine: &Machine, arguments: &str, input: &str) -> String {
    let (out, said, code) = ran(machine, arguments, input);
    assert_eq!(code, 0, "{arguments}: {said}");
    out
}

#[test]
fn a_board_is_the_first_argument_of_every_command_that_takes_one() {
    let machine = Machine::new();
    let tour = printed(&machine, "list --size 5 --limit 1", "");
    let parts = machine.folder.path().join("parts");
    let shard = |board: &str| format!("shard 0/2 {board} --out {} -q", parts.display());
    for (typed, meant) in [
        ("6 6 -q", "--size 6 -q"),
        ("5 6 -q", "--size 5x6 -q"),
        ("5 -q", "--size 5 -q"),
        ("count 5X6 -q", "--size 5x6 -q"),
        ("--threads 2 5 -q", "--size 5 -q"),
        ("--jobs 2 --closed 6 -q", "--size 6 --closed -q"),
        ("find 5x6 -q", "find --size 5x6 -q"),
        ("find --strategy roth 8 -q", "find --size 8 --strategy roth -q"),
        ("list 5 5 -n 3", "list --size 5 -n 3"),
        ("random 5x6 --seed 3", "random --size 5x6 --seed 3"),
        ("nth 5x6 1..3", "nth 1 2 3 --size 5x6"),
        ("nth 2 5x5", "nth 2 --size 5"),
        ("rank 5x5", "rank --size 5"),
        ("check 5x5", "check --size 5"),
        ("show 5x5", "show --size 5"),
        ("puzzle 5 --seed 1", "puzzle --size 5 --seed 1"),
        (&shard("5x5"), &shard("--size 5")),
    ] {
        assert_eq!(printed(&machine, typed, &tour), printed(&machine, meant, &tour), "{typed}");
    }
    let puzzle = printed(&machine, "puzzle 5 --seed 1", "");
    let solved = |board: &str| printed(&machine, &format!("solve {board}"), &puzzle);
    assert_eq!(solved("5x5"), solved("--size 5"));
    assert!(printed(&machine, "estimate 5 6", "").contains("open tours of 5x6"));
    // A name with a folder is a file.
    assert!(ran(&machine, "check ./6x6", "").1.contains("6x6: No such file"));
}

#[test]
fn a_range_includes_both_of_its_ends_wherever_there_may_be_several() {
    let machine = Machine::new();
    for (typed, meant) in [
        ("nth 2..4 --size 5", "nth 2 3 4 --size 5"),
        ("nth 2..=4 --size 5", "nth 2 3 4 --size 5"),
        ("--rows 3..4 --cols 4..5 -q", "--rows 3..=4 --cols 4..=5 -q"),
    ] {
        assert_eq!(printed(&machine, typed, ""), printed(&machine, meant, ""), "{typed}");
    }
    for typed in ["--size 3..5 -q", "3..5 -q", "--size 3..=5 -q"] {
        // Published counts of 3x3, 4x4 and 5x5.
        assert_eq!(printed(&machine, typed, ""), "0\n0\n1728\n", "{typed}");
    }
    let boards = |typed: &str| {
        let table = format!("compare --sizes {typed} --strategies auto --trials 1 --format csv");
        printed(&machine, &table, "").lines().skip(1).map(|row| row[..3].to_owned()).collect()
    };
    let [new, old]: [Vec<String>; 2] = [boards("5..8"), boards("5..=8")];
    assert_eq!(new, old);
    assert_eq!(new.len(), 4);
}

#[test]
fn every_complaint_begins_with_the_name_of_the_program_and_has_no_words_of_a_library() {
    let machine = Machine::new();
    for (typed, says) in [
        ("6x6x6", "write 8, 6x8, 3..5"),
        ("find 6x", "write 8, 6x8, 3..5"),
        ("--board 6x6", "for a board say --size 6x6"),
        ("--size 6 --max-time soon", "8h, 90m or 30s"),
        ("--size 6 --threads 0", "a number from 1 to 1024"),
        ("compare --sizes 5 --trials 0", "give 1 or more"),
        ("--size 6 --piece rook", "pieces that slide"),
        ("--size 6 --piece R", "pieces that slide"),
        ("--size 11 --engine frontier", "kt-enum find looks for one tour"),
        ("--size 6 --frobnicate", "unexpected argument"),
        ("list --size 6 --format", "value is required"),
    ] {
        let (_, said, code) = ran(&machine, typed, "");
        assert!([1, 2].contains(&code) && said.contains(says), "{typed}: {said}");
        assert!(said.starts_with("kt-enum: "), "{typed}: {said}");
        for of_a_library in ["error:", "expected number", "1..=", "unrecognized subcommand"] {
            assert!(!said.contains(of_a_library), "{typed}: {said}");
        }
    }
}

#[test]
fn a_puzzle_that_was_not_made_is_not_made_again_by_a_seed() {
    let machine = Machine::new();
    let (_, said, code) = ran(&machine, "puzzle 6 --clues 1", "");
    assert!(code == 1 && !said.contains("makes the same puzzles"), "{said}");
    let (_, said, _) = ran(&machine, "puzzle 5", "");
    assert!(said.contains("makes the same puzzles again"), "{said}");
}

#[test]
fn the_status_of_a_board_is_of_its_open_and_its_closed_tours() {
    let machine = Machine::new();
    machine.kt("--size 8 --closed --engine walk --max-time 0").assert().code(75);
    for (typed, is_shown) in
        [("status 8x8", true), ("status 8x8 --closed", true), ("status 8x8 --open", false)]
    {
        let out = printed(&machine, typed, "");
        assert_eq!(out.contains("count of the closed tours of 8x8"), is_shown, "{typed}: {out}");
    }
    // Only the run that is meant is removed.
    printed(&machine, "status 8x8 --discard", "");
    assert!(printed(&machine, "status", "").contains("closed tours of 8x8"));
}

#[test]
fn a_state_folder_that_is_not_absolute_is_ignored_and_said_to_be() {
    let machine = Machine::new();
    let home = machine.folder.path();
    let ran = |arguments: &str| {
        let mut command = machine.kt(arguments);
        let command = command.env("XDG_STATE_HOME", "states").env("HOME", home).current_dir(home);
        text(&command.output().unwrap().stderr)
    };
    for typed in ["--rows 3..4 --cols 4", "status"] {
        let said = ran(typed);
        assert_eq!(said.matches("XDG_STATE_HOME is ignored").count(), 1, "{typed}: {said}");
    }
    assert!(!home.join("states").exists());
}

#[test]
fn json_and_quiet_go_together() {
    let machine = Machine::new();
    for typed in
        ["--size 5 --json --quiet", "5 --closed -q --format json", "find --size 5 --json -q"]
    {
        let out = printed(&machine, typed, "");
        assert!(serde_json::from_str::<Value>(&out).is_ok(), "{typed}: {out}");
    }
}

#[test]
fn a_title_cannot_turn_the_text_around() {
    let machine = Machine::new();
    let tour = printed(&machine, "find --size 5", "");
    for format in ["svg", "html"] {
        let mut command = machine.kt(&format!("show --format {format} --title"));
        let output = command.arg("5\u{202e}x\u{2066}5").write_stdin(tour.clone()).output().unwrap();
        let drawn = text(&output.stdout);
        assert!(drawn.contains("5x5") && !drawn.contains(['\u{202e}', '\u{2066}']), "{format}");
    }
}
