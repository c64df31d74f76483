//! The effort of counts: numbers of nodes and states, which grow when a rule that leaves out
//! useless work is lost. No answer shows that.

use crate::common::{Machine, stopping_at, text};
use kt_enum::board::Board;
use kt_enum::question::Question;
use kt_enum_engines::frontier::Frontier;
use kt_enum_engines::walk::{MemoSize, Options, Walk};
use kt_enum_engines::work::Work;
use kt_enum_runs::run::{self, RunError, Silent};

/// A row of the table.
struct Row {
    command: &'static str,
    run: &'static str,
    engine: &'static str,
    nodes: u64,
}

/// The rows of this kind of run.
fn rows(run: &str) -> Vec<Row> {
    let lines = include_str!("../golden/nodes.tsv").lines().filter(|line| !line.starts_with('#'));
    let row = |line: &'static str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let nodes = fields[3].parse().unwrap();
        Row { command: fields[0], run: fields[1], engine: fields[2], nodes }
    };
    let rows: Vec<Row> = lines.map(row).filter(|row| row.run == run).collect();
    assert!(!rows.is_empty(), "no row of the table is of the kind `{run}`");
    rows
}

/// Counts what a row says, compares the effort, and returns what the program said.
fn compare(row: &Row) -> String {
    let machine = Machine::new();
    let command = format!("{} --json --progress plain", row.command);
    let output = machine.kt(&command).output().unwrap();
    let said = text(&output.stderr);
    assert!(output.status.success(), "{command}: {said}");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let effort = (json["engine"].as_str().unwrap(), json["nodes"].as_str().unwrap());
    assert_eq!(effort, (row.engine, row.nodes.to_string().as_str()), "{command}");
    said
}

#[test]
fn no_count_takes_more_or_fewer_nodes_than_it_did() {
    let rows = rows("whole");
    assert!(rows.len() >= 10);
    rows.iter().for_each(|row| drop(compare(row)));
}

#[test]
fn a_count_with_its_layers_on_disk_computes_no_state_twice() {
    rows("on disk").iter().for_each(|row| drop(compare(row)));
}

#[test]
fn a_count_in_groups_repeats_no_more_states_than_it_did() {
    for row in rows("in groups") {
        let said = compare(&row);
        assert!(said.contains("the units are counted in groups"), "{said}");
    }
}

/// Counts in two runs, the first of which is stopped at one of its saves, and returns the nodes of
/// both.
fn nodes_of_two_runs(work: &dyn Work, save: usize) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = folder.path().join("run.kt");
    let mut nodes_of_first = 0;
    // On a busy machine the first save may come before the first node.
    while nodes_of_first == 0 {
        let (settings, mut observer) = stopping_at(save, &checkpoint, 1);
        nodes_of_first = match run::count(work, settings, &mut observer) {
            Err(RunError::Stopped { at, .. }) => at.nodes,
            Ok(_) => panic!("it was over before it was stopped"),
            Err(error) => panic!("{error}"),
        };
    }
    let (settings, _) = stopping_at(0, &checkpoint, 1);
    let outcome = run::count(work, settings, &mut Silent).unwrap();
    assert!(outcome.effort.nodes > 0);
    nodes_of_first + outcome.effort.nodes
}

#[test]
fn a_count_that_is_stopped_and_resumed_takes_the_nodes_of_one_that_is_not() {
    let board = || Board::new(6, 7).unwrap();
    for row in rows("stopped") {
        let nodes = match row.engine {
            "walk" => {
                let options = Options { split_depth: None, memo: MemoSize::Off };
                let walk = Walk::new(Question::closed(board()), &options).unwrap();
                nodes_of_two_runs(&walk, 0)
            }
            _ => nodes_of_two_runs(&Frontier::new(Question::open(board()), None).unwrap(), 3),
        };
        assert_eq!(nodes, row.nodes, "{}", row.command);
    }
}
