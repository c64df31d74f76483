//! Open tours by start square in one run, against counts one by one by other engines, and against
//! published ones.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use common::{Machine, text};
use kt_enum::board::{Board, Square};
use kt_enum::question::Question;
use kt_enum::run::checkpoint::Store;
use kt_enum::run::frontier::{FrontierError, Method, Settings};
use kt_enum::run::starts::{self, Starts, StartsError};
use kt_enum::run::{self, RunError, Silent};
use kt_enum::tally::Tally;
use kt_enum::walk::{self, Walk};
use proptest::prelude::*;
use serde_json::Value;
use std::collections::BTreeMap;

fn board(rows: u32, cols: u32) -> Board {
    Board::new(rows, cols).unwrap()
}

fn walked_from(board: Board, from: Square) -> Tally {
    let question = Question::open_between(board, Some(from), None);
    let work = Walk::new(question, &walk::Options::default()).unwrap();
    let outcome = run::count(&work, run::Settings::default(), &mut Silent).unwrap();
    outcome.units.directed()
}

fn counted(board: Board) -> Starts {
    let settings = Settings {
        threads: Some(2),
        ..Settings::default()
    };
    starts::count(board, &settings, &mut Silent).unwrap().1
}

#[test]
fn every_square_of_every_board_of_up_to_30_squares_has_the_count_of_the_walk_from_there() {
    let sides = (1..=5).flat_map(|rows| (rows..=30 / rows).map(move |cols| board(rows, cols)));
    for board in sides {
        let starts = counted(board);
        for square in board.all_squares() {
            let (ours, walked) = (&starts.tours[square.index()], walked_from(board, square));
            assert_eq!(*ours, walked, "{board} from {}", board.name(square));
        }
    }
}

#[test]
fn a_board_and_its_transpose_have_the_same_starts() {
    for (rows, cols) in [(3, 10), (4, 7), (5, 8), (4, 10)] {
        let (one, other) = (counted(board(rows, cols)), counted(board(cols, rows)));
        for square in board(rows, cols).all_squares() {
            let (row, col) = (
                square.index() / cols as usize,
                square.index() % cols as usize,
            );
            let turned = col * rows as usize + row;
            assert_eq!(
                one.tours[square.index()],
                other.tours[turned],
                "{rows}x{cols}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn starts_that_are_saved_after_every_round_and_stopped_anywhere_are_the_same(
        (rows, cols) in proptest::sample::select(vec![(3, 4), (5, 5), (4, 7), (5, 6), (3, 10)]),
        stops in proptest::collection::vec(0..30_usize, 1..5),
        threads in 1..3_usize,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.kt");
        let board = board(rows, cols);
        let counted = |stop: usize| {
            let (settings, mut observer) = common::stopping_at(stop, &path, threads);
            starts::count(board, &settings, &mut observer)
        };
        let mut stopped = 0;
        for stop in stops {
            match counted(stop) {
                Err(StartsError::Frontier(FrontierError::Run(RunError::Stopped { .. }))) => stopped += 1,
                Ok(_) => break,
                Err(error) => prop_assert!(false, "{}", error),
            }
        }
        let (whole, starts) = counted(usize::MAX).unwrap();
        prop_assert!(whole.steps_resumed > 0 || stopped == 0);
        prop_assert_eq!(starts, self::counted(board));
    }
}

#[test]
fn starts_whose_states_go_to_disk_are_the_same() {
    // Takes 450 MB where it may.
    const BOUND: u64 = 64 << 20;
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings {
        memory: Some(BOUND),
        checkpoint: Some(Store::hold(&folder.path().join("run.kt")).unwrap()),
        ..Settings::default()
    };
    let (whole, starts) = starts::count(board(6, 7), &settings, &mut Silent).unwrap();
    assert!(whole.bytes <= BOUND, "{} bytes", whole.bytes);
    assert!(
        folder.path().join("run.kt.states").exists(),
        "nothing went to disk"
    );
    assert_eq!(starts, counted(board(6, 7)));
}

#[test]
fn starts_are_counted_by_halves_whatever_the_method() {
    let settings = Settings {
        method: Method::Sweep {
            merge_mirrors: false,
        },
        ..Settings::default()
    };
    let (_, starts) = starts::count(board(4, 7), &settings, &mut Silent).unwrap();
    assert_eq!(starts, counted(board(4, 7)));
}

/// The counts by start in an answer, whose sum has to be the whole.
fn by_start(json: &Value) -> BTreeMap<String, u128> {
    let starts = json["starts"].as_array().unwrap().iter();
    let number = |value: &Value| value.as_str().unwrap().parse::<u128>().unwrap();
    let starts: BTreeMap<String, u128> = starts
        .map(|start| {
            (
                start["square"].as_str().unwrap().to_owned(),
                number(&start["directed"]),
            )
        })
        .collect();
    assert_eq!(starts.values().sum::<u128>(), number(&json["directed"]));
    starts
}

#[test]
fn the_program_prints_the_published_counts_by_start_in_one_run() {
    let machine = Machine::new();
    let mut boards: BTreeMap<String, BTreeMap<String, u128>> = BTreeMap::new();
    let mut met = 0;
    for line in include_str!("golden/counts.tsv").lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        if line.starts_with('#') || fields.get(2) != Some(&"open directed from") {
            continue;
        }
        let board = format!("--rows {} --cols {}", fields[0], fields[1]);
        let counted = || by_start(&machine.json(&format!("{board} --starts")));
        let starts = boards.entry(board.clone()).or_insert_with(counted);
        assert_eq!(starts[fields[3]].to_string(), fields[4], "{line}");
        met += 1;
    }
    assert_eq!(met, 10);
}

#[test]
fn a_bound_that_will_not_do_is_refused_with_ways_out_that_work() {
    let machine = Machine::new();
    let arguments = "--size 6 --starts --no-checkpoint --memory 20M";
    let output = machine.kt(arguments).output().unwrap();
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(
        message.contains("--memory") && message.contains("--from"),
        "{message}"
    );
    assert!(!message.contains("--engine"), "{message}");
}

#[test]
fn the_program_says_which_squares_have_how_many_and_what_cannot_be_asked() {
    let machine = Machine::new();
    let printed = text(&machine.kt("--size 5 --starts").output().unwrap().stdout);
    assert!(
        printed.contains("304 from each of a1 e1 a5 e5\n"),
        "{printed}"
    );
    assert!(printed.contains("\n64 from c3\n"), "{printed}");
    let quiet = text(
        &machine
            .kt("--size 5 --starts --quiet")
            .output()
            .unwrap()
            .stdout,
    );
    assert_eq!(quiet, "1728\n");
    for (arguments, word) in [
        ("--size 6 --tours closed", "start nowhere"),
        ("--size 5 --from a1", "--from"),
        ("--size 5 --engine walk", "frontier"),
        ("--size 5 --split-depth 3", "--starts"),
        ("--rows 3 --cols 40", "one at a time with --from"),
        ("--size 9", "one at a time with --from"),
        ("shard 0/2 --out parts --size 5", "kt-enum count"),
    ] {
        let output = machine
            .kt(&format!("{arguments} --starts"))
            .output()
            .unwrap();
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {message}");
        assert!(message.contains(word), "{arguments}: {message}");
    }
}
