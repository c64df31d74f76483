//! Open tours by start square, compared with counts for each start by other engines and with
//! published counts.

use crate::common::{Machine, by_frontier, text};
use kt_enum::board::{Board, Square};
use kt_enum::question::Question;
use kt_enum::tally::Tally;
use kt_enum_engines::plain;
use kt_enum_engines::starts::{Starts, orbits_of_ends};
use kt_enum_engines::walk::{self, Walk};
use kt_enum_runs::run::{self, Silent};
use serde_json::Value;
use std::collections::BTreeMap;

fn board(rows: u32, cols: u32) -> Board {
    Board::new(rows, cols).unwrap()
}

fn walked_from(board: &Board, from: Square) -> Tally {
    let question = Question::open_between(board.clone(), Some(from), None);
    let work = Walk::new(question, &walk::Options::default()).unwrap();
    let outcome = run::count(&work, run::Settings::default(), &mut Silent).unwrap();
    outcome.units.directed()
}

/// Counts by the frontier, with a run for each orbit of squares.
fn counted(board: &Board) -> Starts {
    let of_orbit = |orbit: Vec<Square>| {
        let question = Question::open_between(board.clone(), Some(orbit[0]), None);
        by_frontier(&question, None).directed()
    };
    Starts::of_orbits(board, orbits_of_ends(board).into_iter().map(of_orbit))
}

#[test]
fn every_square_of_every_board_of_up_to_30_squares_has_the_count_of_the_walk_from_there() {
    let sides = (1..=5).flat_map(|rows| (rows..=30 / rows).map(move |cols| board(rows, cols)));
    for board in sides {
        let starts = counted(&board);
        for square in board.all_squares() {
            let (ours, walked) = (&starts.tours[square.index()], walked_from(&board, square));
            assert_eq!(*ours, walked, "{board} from {}", board.name(square));
        }
    }
}

#[test]
fn a_board_and_its_transpose_have_the_same_starts() {
    for (rows, cols) in [(3, 10), (4, 7), (5, 8), (4, 10)] {
        let (one, other) = (counted(&board(rows, cols)), counted(&board(cols, rows)));
        for square in board(rows, cols).all_squares() {
            let (row, col) = (square.index() / cols as usize, square.index() % cols as usize);
            let turned = col * rows as usize + row;
            assert_eq!(one.tours[square.index()], other.tours[turned], "{rows}x{cols}");
        }
    }
}

#[test]
fn all_starts_together_have_as_many_tours_as_the_board() {
    for (rows, cols) in [(3, 10), (4, 7), (5, 7), (6, 6), (5, 8)] {
        let whole = by_frontier(&Question::open(board(rows, cols)), None);
        assert_eq!(counted(&board(rows, cols)).sum(), whole.directed(), "{rows}x{cols}");
    }
}

/// Returns the counts by start square in an answer, and checks that their sum is the total.
fn by_start(json: &Value) -> BTreeMap<String, u128> {
    let starts = json["starts"].as_array().unwrap().iter();
    let number = |value: &Value| value.as_str().unwrap().parse::<u128>().unwrap();
    let starts: BTreeMap<String, u128> = starts
        .map(|start| (start["square"].as_str().unwrap().to_owned(), number(&start["directed"])))
        .collect();
    assert_eq!(starts.values().sum::<u128>(), number(&json["directed"]));
    starts
}

#[test]
fn the_program_prints_the_published_counts_by_start() {
    let machine = Machine::new();
    let mut boards: BTreeMap<String, BTreeMap<String, u128>> = BTreeMap::new();
    let mut met = 0;
    for line in include_str!("../golden/counts.tsv").lines() {
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
fn every_engine_and_every_split_gives_the_same_starts() {
    let machine = Machine::new();
    let mut answers = [
        "--engine walk",
        "--engine frontier",
        "--split-depth 3",
        "--cut 10:4 --threads 1",
        "--memo 64K --threads 3",
    ]
    .map(|options| by_start(&machine.json(&format!("--size 5 --starts {options}"))));
    answers.sort();
    assert_eq!(answers[0], answers[4]);
    assert_eq!(answers[0]["a1"], 304);
    assert_eq!(machine.files(), Vec::<String>::new());
}

#[test]
fn counts_from_all_starts_are_split_at_one_depth_which_the_answer_names() {
    let machine = Machine::new();
    let by_default = machine.json("--size 6 --starts");
    let typed = format!("--size 6 --starts --split-depth {}", by_default["split_depth"]);
    for field in ["units", "fingerprint"] {
        assert_eq!(machine.json(&typed)[field], by_default[field]);
    }
    // Other engines have no depth, and stay what they are.
    let path = machine.folder.path().join("complete");
    let edges = (0..14).flat_map(|one| (0..one).map(move |other| format!("{one} {other}\n")));
    std::fs::write(&path, edges.collect::<String>()).unwrap();
    let complete = machine.json(&format!("--graph {} --starts", path.display()));
    assert_eq!(
        (&complete["engine"], &complete["directed"]),
        (&"subsets".into(), &"87178291200".into())
    );
    // What is begun goes on at its depth, whatever is typed with it.
    let job = "--size 6 --starts --engine walk --threads 1 --memo off";
    machine.kt(&format!("{job} --split-depth 3 --max-time 0")).assert().code(75);
    let resumed = machine.json(job);
    assert_eq!((&resumed["split_depth"], &resumed["directed"]), (&3.into(), &"6637920".into()));
}

#[test]
fn starts_that_are_stopped_over_and_over_end_with_the_same_and_leave_nothing() {
    let machine = Machine::new();
    let job = "--rows 5 --cols 8 --starts --engine walk --memo off --threads 1 --checkpoint-interval 0 --json";
    machine.kt(&format!("{job} --max-time 0")).assert().code(75);
    let files = machine.files();
    let is_of_starts = |file: &String| file.starts_with("open-5x8.starts-");
    assert!(!files.is_empty() && files.iter().all(is_of_starts), "{files:?}");
    let ended = machine.stopped_over_and_over(job);
    let json: Value = serde_json::from_slice(&ended).unwrap();
    assert_eq!(json["directed"], "36122108");
    let whole = machine.json("--rows 5 --cols 8 --starts --engine frontier");
    assert_eq!(by_start(&json), by_start(&whole));
    assert_eq!(machine.files(), Vec::<String>::new());
}

#[test]
fn the_program_says_which_squares_have_how_many_and_what_cannot_be_asked() {
    let machine = Machine::new();
    let printed = text(&machine.kt("--size 5 --starts").output().unwrap().stdout);
    assert!(printed.contains("304 from each of a1 e1 a5 e5\n"), "{printed}");
    assert!(printed.contains("\n64 from c3\n"), "{printed}");
    let quiet = text(&machine.kt("--size 5 --starts --quiet").output().unwrap().stdout);
    assert_eq!(quiet, "1728\n");
    for (arguments, word) in [
        ("--size 6 --tours closed", "start nowhere"),
        ("--size 5 --from a1", "or the ends"),
        ("--size 11 --engine frontier", "kt-enum find"),
        ("shard 0/2 --out parts --size 5", "kt-enum count"),
    ] {
        let output = machine.kt(&format!("{arguments} --starts")).output().unwrap();
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {message}");
        assert!(message.contains(word), "{arguments}: {message}");
    }
}

#[test]
fn no_tour_has_the_ends_of_an_impossible_question() {
    for (rows, cols) in [(1, 1), (3, 4), (4, 5), (5, 5)] {
        let board = Board::new(rows, cols).unwrap();
        plain::visit(&Question::open(board.clone()), &mut |tour| {
            let (first, last) = (Some(tour[0]), tour.last().copied());
            for ends in [(first, last), (first, None), (None, last)] {
                assert!(
                    !Question::open_between(board.clone(), ends.0, ends.1).is_impossible(),
                    "{tour:?}"
                );
            }
        });
    }
    let closed = |rows, cols| Question::closed(Board::new(rows, cols).unwrap()).is_impossible();
    assert_eq!([closed(3, 10), closed(6, 6), closed(5, 5)], [false, false, true]);
}
