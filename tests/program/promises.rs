//! What messages promise and advise holds.

use crate::common::{Machine, text};
use assert_cmd::Command;
use std::fs;
use std::process::Output;
use std::time::{Duration, Instant};

fn said(output: &Output) -> String {
    text(&output.stdout) + &text(&output.stderr)
}

fn kt(machine: &Machine, arguments: &str) -> Command {
    let mut kt = machine.kt(arguments);
    kt.current_dir(machine.folder.path());
    kt
}

fn of(machine: &Machine, arguments: &str) -> String {
    said(&kt(machine, arguments).output().unwrap())
}

#[test]
fn a_table_counts_the_boards_before_the_one_that_does_not_fit_and_names_it() {
    let machine = Machine::new();
    let said = of(&machine, "table --cols 7 --rows 3..8 --memory 26M --threads 1 --no-checkpoint");
    assert!(said.contains("\n4 "), "{said}");
    let refused = said.lines().last().unwrap();
    let board = refused.strip_prefix("kt-enum: ").unwrap().split(':').next().unwrap();
    assert!(board.ends_with("x7") && refused.contains("--memory 26M is too low"), "{said}");
}

#[test]
fn a_stopped_second_process_of_a_shard_says_which_checkpoint_resumes_it() {
    let machine = Machine::new();
    let parts = machine.folder.path().join("parts").display().to_string();
    let shard = format!("shard 0/1 --size 6x8 --engine walk --memo off --out {parts}");
    let mut first = machine.start(&shard);
    let lock = machine.folder.path().join("parts/checkpoint-0-of-1.kt.lock");
    let began = Instant::now();
    while !lock.exists() && began.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(10));
    }
    let shard = format!("{shard} --max-time 0s");
    let second = of(&machine, &shard);
    first.kill().unwrap();
    first.wait().unwrap();
    let (_, advised) = second.split_once("run the same command with ").expect(&second);
    let option = advised.split(" to resume").next().unwrap();
    assert!(option.ends_with("checkpoint-0-of-1.2.kt"), "{second}");
    let file = option.strip_prefix("--checkpoint ").unwrap();
    let status = of(&machine, &format!("status {file}"));
    assert!(status.contains("kt-enum shard 0/1 ") && status.contains(option), "{status}");
    assert!(!status.contains("--keep-units"), "{status}");
    let resumed = of(&machine, &format!("{shard} {option}"));
    assert!(resumed.contains("resumed from"), "{resumed}");
}

#[test]
fn the_shard_that_is_missing_is_counted_by_the_advice_where_another_part_has_its_name() {
    let machine = Machine::new();
    kt(&machine, "shard 0/2 --size 5 --out parts").assert().success();
    let folder = machine.folder.path().join("parts");
    fs::copy(folder.join("part-0-of-2"), folder.join("part-1-of-2")).unwrap();
    let refused = of(&machine, "merge parts");
    let (_, advised) = refused.split_once(": `kt-enum ").expect(&refused);
    kt(&machine, advised.split('`').next().unwrap()).assert().success();
    kt(&machine, "merge parts").assert().success();
}

#[test]
fn a_graph_in_a_foreign_format_whose_name_fits_no_command_is_to_be_put_in_a_file() {
    let (machine, text) = (Machine::new(), "1 a\n2 b\n#\n1 2\n");
    for name in ["it's.tgf", "a$b.tgf"] {
        let path = machine.folder.path().join(name);
        fs::write(&path, text).unwrap();
        let refused = said(&machine.kt("--graph").arg(path).output().unwrap());
        assert!(refused.contains("'graph.txt'") && refused.contains("has this text"), "{refused}");
    }
    let mut reads = kt(&machine, "--graph -");
    let refused = said(&reads.write_stdin(text).output().unwrap());
    assert!(refused.contains("'graph.txt'") && refused.contains("has this text"), "{refused}");
    assert!(!refused.contains("'standard input'"), "{refused}");
}

#[test]
fn tours_between_two_squares_of_large_boards_are_found() {
    let machine = Machine::new();
    for (board, from, to) in [("40", "a1", "b1"), ("63", "a1", "c1"), ("20x31", "c7", "d7")] {
        let file = format!("{board}.txt");
        let find = format!("find {board} --from {from} --to {to} --format squares -o {file}");
        kt(&machine, &find).assert().success();
        let tour = fs::read_to_string(machine.folder.path().join(&file)).unwrap();
        let tour = tour.lines().find(|line| !line.starts_with('#')).unwrap().to_owned();
        let squares: Vec<&str> = tour.split_whitespace().collect();
        assert_eq!((squares[0], squares.last().copied()), (from, Some(to)));
        kt(&machine, &format!("check {file}")).assert().success();
    }
}

#[test]
fn a_puzzle_in_json_is_the_tour_of_its_solution_and_without_one_it_is_unfinished() {
    let machine = Machine::new();
    for board in ["--size 5", "--size 5 --piece king"] {
        let puzzle = kt(&machine, &format!("puzzle {board} --seed 1 --json")).output().unwrap();
        let puzzle = text(&puzzle.stdout);
        let check =
            |object: &str| said(&kt(&machine, "check").write_stdin(object).output().unwrap());
        assert!(["open", "closed"].iter().any(|kind| check(&puzzle).starts_with(kind)), "{puzzle}");
        let alone = check(&puzzle.replace("\"solution\"", "\"other\""));
        assert!(alone.starts_with("unfinished, no wrong move: "), "{alone}");
    }
}

#[test]
fn a_fresh_count_that_is_stopped_says_that_it_resumes_without_fresh() {
    let machine = Machine::new();
    let job = "--size 6x7 --engine walk --checkpoint count.kt --max-time 0.2s";
    let run = |options: &str| {
        let output = kt(&machine, &format!("{job} {options}")).output().unwrap();
        assert_eq!(output.status.code(), Some(75));
        text(&output.stderr).to_owned()
    };
    let again = "run the same command without --fresh to resume";
    for _ in 0..2 {
        let said = run("--fresh");
        assert!(said.contains(again) && !said.contains("resumed from"), "{said}");
    }
    let said = run("");
    assert!(said.contains("resumed from") && said.contains("run the same command to"), "{said}");
}

#[test]
fn the_time_of_a_count_with_classes_is_in_the_time_of_all_its_processes() {
    let machine = Machine::new();
    let output = kt(&machine, "--size 6x7 --classes --no-checkpoint --json").output().unwrap();
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let seconds = |name: &str| answer[name].as_f64().unwrap();
    assert!(seconds("elapsed_total_s") >= seconds("elapsed_s"), "{answer}");
}
