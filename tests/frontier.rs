//! The frontier against the simpler engines, against itself cut and merged otherwise, and against
//! published counts.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use kt_enum::board::{Board, Square, Symmetry};
use kt_enum::plain;
use kt_enum::question::Question;
use kt_enum::run::checkpoint::Store;
use kt_enum::run::frontier::{self, FrontierError, Lengths, Method, Settings};
use kt_enum::run::{self, RunError, Silent};
use kt_enum::tally::Tally;
use kt_enum::walk::{self, Walk};
use proptest::prelude::*;

fn board(rows: u32, cols: u32) -> Board {
    Board::new(rows, cols).unwrap()
}

fn counted(question: &Question, method: Method) -> Tally {
    let settings = Settings {
        threads: Some(2),
        method,
        ..Settings::default()
    };
    let counted = frontier::count(question, &settings, &mut Silent);
    counted.unwrap().tours.into()
}

fn plainly(question: &Question) -> Tally {
    &plain::count(question) / question.directions().into()
}

fn walked(question: &Question) -> Tally {
    let work = Walk::new(*question, &walk::Options::default()).unwrap();
    let outcome = run::count(&work, run::Settings::default(), &mut Silent).unwrap();
    outcome.units.undirected()
}

/// Boards of so many squares, mostly with both sides long enough for tours.
fn any_board(squares: u32) -> impl Strategy<Value = Board> {
    let sides = move |shortest: u32| {
        let all = (shortest..=squares)
            .flat_map(move |rows| (shortest..=squares).map(move |cols| (rows, cols)));
        let small: Vec<(u32, u32)> = all.filter(|(rows, cols)| rows * cols <= squares).collect();
        proptest::sample::select(small)
    };
    prop_oneof![4 => sides(3), 1 => sides(1)].prop_map(|(rows, cols)| board(rows, cols))
}

/// Open or closed, with any ends.
fn any_question(squares: u32) -> impl Strategy<Value = Question> {
    (any_board(squares), 0..5u32, any::<u32>(), any::<u32>()).prop_map(
        |(board, kind, one, other)| {
            let square = |number| Square::from_index(number as usize % board.squares());
            match kind {
                0 => Question::open(board),
                1 => Question::closed(board),
                2 => Question::open_between(board, Some(square(one)), None),
                3 => Question::open_between(board, None, Some(square(one))),
                _ => Question::open_between(board, Some(square(one)), Some(square(other))),
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_frontier_counts_what_plain_backtracking_counts(question in any_question(20)) {
        let expected = plainly(&question);
        prop_assert_eq!(&counted(&question, Method::Fastest), &expected);
        for merge_mirrors in [true, false] {
            prop_assert_eq!(&counted(&question, Method::Sweep { merge_mirrors }), &expected);
        }
    }

    #[test]
    fn the_frontier_counts_what_the_walk_counts(question in any_question(30)) {
        prop_assert_eq!(counted(&question, Method::Fastest), walked(&question));
    }

    #[test]
    fn every_cut_gives_the_same_number(question in any_question(30), cut in any::<usize>()) {
        let expected = counted(&question, Method::Sweep { merge_mirrors: true });
        let cut = cut % question.board.squares();
        prop_assert_eq!(counted(&question, Method::Cut(cut)), expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn a_board_and_its_transpose_have_as_many_tours(board in any_board(35)) {
        let turned = Board::new(board.cols(), board.rows()).unwrap();
        for (one, other) in [
            (Question::open(board), Question::open(turned)),
            (Question::closed(board), Question::closed(turned)),
        ] {
            prop_assert_eq!(counted(&one, Method::Fastest), counted(&other, Method::Fastest));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_count_that_is_saved_after_every_round_and_stopped_anywhere_is_the_same(
        question in any_question(30),
        stops in proptest::collection::vec(0..25_usize, 1..5),
        threads in 1..3_usize,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.kt");
        let counted = |stop: usize| {
            let (settings, mut observer) = common::stopping_at(stop, &path, threads);
            frontier::count(&question, &settings, &mut observer)
        };
        for stop in stops {
            match counted(stop) {
                Ok(counted) => prop_assert_eq!(counted.tours, walked(&question).into()),
                Err(error) => prop_assert!(matches!(error, FrontierError::Run(RunError::Stopped { .. })), "{}", error),
            }
        }
        prop_assert_eq!(counted(usize::MAX).unwrap().tours, walked(&question).into());
    }
}

#[test]
fn a_count_whose_states_go_to_disk_is_the_same() {
    // Takes 40 MB and more where it may.
    const BOUND: u64 = 12 << 20;
    let question = Question::open(board(6, 7));
    let folder = tempfile::tempdir().unwrap();
    let free = frontier::count(&question, &Settings::default(), &mut Silent).unwrap();
    let settings = Settings {
        memory: Some(BOUND),
        checkpoint: Some(Store::hold(&folder.path().join("run.kt")).unwrap()),
        ..Settings::default()
    };
    let bounded = frontier::count(&question, &settings, &mut Silent).unwrap();
    assert!(bounded.bytes <= BOUND, "{} bytes", bounded.bytes);
    assert!(
        folder.path().join("run.kt.states").exists(),
        "nothing went to disk"
    );
    assert_eq!((bounded.tours, bounded.states), (free.tours, free.states));
}

#[test]
fn every_board_of_up_to_30_squares_has_the_count_of_the_walk_open_closed_and_from_each_orbit() {
    let sides = (1..=5).flat_map(|rows| (rows..=30 / rows).map(move |cols| board(rows, cols)));
    for board in sides {
        let first_of_orbit = |&from: &Square| {
            let orbit = kt_enum::board::orbit(board, Symmetry::of(board), from);
            orbit[0] == from
        };
        let starts = board.all_squares().filter(first_of_orbit);
        let from = starts.map(|from| Question::open_between(board, Some(from), None));
        let to = Question::open_between(board, None, Some(Square::from_index(0)));
        let whole = [Question::open(board), Question::closed(board), to];
        for question in whole.into_iter().chain(from) {
            assert_eq!(
                counted(&question, Method::Fastest),
                walked(&question),
                "{question}"
            );
        }
    }
}

#[test]
fn every_cut_of_boards_with_closed_tours_gives_the_published_number() {
    for (rows, cols, expected) in [(3, 10, 16), (5, 6, 8), (6, 5, 8), (6, 6, 9_862_u32)] {
        let question = Question::closed(board(rows, cols));
        for cut in 0..question.board.squares() {
            assert_eq!(
                counted(&question, Method::Cut(cut)),
                Tally::from(expected),
                "{rows}x{cols} cut at {cut}"
            );
        }
    }
}

/// The lines of a table of published values, in fields.
fn published(table: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = table
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(|line| line.split('\t').collect())
}

#[test]
fn one_sweep_meets_every_published_count_of_the_first_squares_of_a_strip() {
    let mut met = 0;
    for rows in [3, 5] {
        for (tours, question) in [
            ("closed undirected", Question::closed(board(rows, 30))),
            (
                "open undirected",
                Question::open(board(rows, if rows == 3 { 18 } else { 10 })),
            ),
        ] {
            let partial = frontier::table(
                &question,
                Lengths::EverySquare,
                &Settings::default(),
                &mut Silent,
            )
            .unwrap();
            let rows = rows.to_string();
            for fields in published(include_str!("golden/partial-boards.tsv")) {
                if fields[0] == rows && fields[1] == tours {
                    let squares: usize = fields[2].parse().unwrap();
                    assert_eq!(partial[squares - 1].to_string(), fields[3], "{fields:?}");
                    met += 1;
                }
            }
        }
    }
    assert_eq!(met, 168);
}

#[test]
fn every_published_count_of_boards_of_up_to_49_squares_is_met() {
    let mut met = 0;
    for fields in published(include_str!("golden/counts.tsv")) {
        let board = board(fields[0].parse().unwrap(), fields[1].parse().unwrap());
        let question = match (fields[2], fields[3]) {
            ("open undirected", _) => Question::open(board),
            ("closed undirected", _) => Question::closed(board),
            ("open directed from", from) => {
                Question::open_between(board, Some(board.parse_square(from).unwrap()), None)
            }
            _ => continue,
        };
        if board.squares() <= 49 || fields[0] == "3" {
            assert_eq!(
                counted(&question, Method::Fastest).to_string(),
                fields[4],
                "{fields:?}"
            );
            met += 1;
        }
    }
    assert!(met > 50, "only {met} rows were read");
}

#[test]
fn a_bound_on_memory_is_kept_or_named_as_too_small() {
    let question = Question::open(board(5, 8));
    let bounded = |memory| {
        let settings = Settings {
            memory: Some(memory),
            ..Settings::default()
        };
        frontier::count(&question, &settings, &mut Silent)
    };
    let free = frontier::count(&question, &Settings::default(), &mut Silent).unwrap();
    let enough = bounded(free.bytes * 5 / 4).unwrap();
    assert!(enough.bytes <= free.bytes * 5 / 4);
    assert_eq!(enough.tours, free.tours);
    for memory in [1_000, 1_000_000, free.bytes * 3 / 5] {
        let message = bounded(memory).unwrap_err().to_string();
        assert!(message.contains(&memory.to_string()), "{message}");
        assert!(message.contains("--memory"), "{message}");
    }
}

#[test]
fn a_run_that_is_told_to_stop_does() {
    let settings = Settings::default();
    settings.control.stop();
    let stopped =
        frontier::count(&Question::open(board(6, 6)), &settings, &mut Silent).unwrap_err();
    assert!(
        matches!(
            stopped,
            frontier::FrontierError::Run(RunError::Stopped { .. })
        ),
        "{stopped}"
    );
}

#[test]
fn the_program_counts_by_the_frontier_and_says_what_it_took() {
    let machine = common::Machine::new();
    let json = machine.json("--size 6 --tours closed --classes --engine frontier");
    assert_eq!(json["undirected"], "9862");
    assert_eq!(json["directed"], "19724");
    assert_eq!(json["classes"], "1245");
    assert_eq!(json["engine"], "frontier");
    assert!(json["peak_states"].as_u64().unwrap() > 0);
    assert!(json["bytes"].as_u64().unwrap() > json["peak_states"].as_u64().unwrap());
    for (arguments, code, word) in [
        ("--size 9 --engine frontier", 2, "up to 8"),
        (
            "--size 6 --engine frontier --split-depth 2",
            2,
            "--split-depth",
        ),
        ("--size 6 --engine frontier --memory 1M", 1, "--memory"),
        (
            "shard 0/2 --out parts --size 6 --engine frontier",
            2,
            "shards",
        ),
        ("table --rows 9 --up-to 9", 2, "up to 8"),
    ] {
        let output = machine.kt(arguments).output().unwrap();
        let message = common::text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments}: {message}");
        assert!(message.contains(word), "{arguments}: {message}");
    }
}

#[test]
fn the_program_prints_published_tables() {
    let machine = common::Machine::new();
    for (rows, tours, up_to) in [
        (3, "open", 12),
        (3, "closed", 22),
        (4, "open", 8),
        (5, "open", 8),
        (5, "closed", 8),
    ] {
        let arguments = format!("table --rows {rows} --up-to {up_to} --tours {tours}");
        let table = common::text(&machine.kt(&arguments).output().unwrap().stdout);
        assert_eq!(table.lines().count(), up_to, "{arguments}");
        let (rows, what) = (rows.to_string(), format!("{tours} undirected"));
        for fields in published(include_str!("golden/counts.tsv")) {
            if fields[0] == rows
                && fields[2] == what
                && fields[1].parse::<usize>().unwrap() <= up_to
            {
                let line = format!("{} {}", fields[1], fields[4]);
                assert!(
                    table.lines().any(|found| found == line),
                    "{arguments}: no {line}"
                );
            }
        }
    }
}

/// 9 x 10^19 tours need more than 64 bits, and 10^68 more than 128: the counts of shorter strips, which
/// fit, are the same whether or not a sweep goes on to where they do not.
#[test]
fn counts_are_widened_without_a_change() {
    let table = |up_to| {
        let question = Question::closed(board(5, up_to));
        frontier::table(
            &question,
            Lengths::WholeColumns,
            &Settings::default(),
            &mut Silent,
        )
        .unwrap()
    };
    let (short, long) = (table(16), table(40));
    assert_eq!(short, long[..16]);
    assert!(short[15].bits() < 64 && long[39].bits() > 128);
    for cols in [22, 30, 34] {
        let question = Question::closed(board(5, cols));
        let halves = frontier::count(&question, &Settings::default(), &mut Silent).unwrap();
        assert_eq!(halves.tours, long[cols as usize - 1], "5x{cols}");
    }
}
