//! The frontier against the simpler engines, against itself cut and merged otherwise, and against
//! published counts.
#![allow(clippy::unwrap_used, missing_docs)]

use kt_enum::board::{Board, Square};
use kt_enum::plain;
use kt_enum::question::Question;
use kt_enum::run::frontier::{self, Lengths, Method, Settings};
use kt_enum::run::{self, Silent};
use kt_enum::walk::{self, Walk};
use proptest::prelude::*;

fn board(rows: u32, cols: u32) -> Board {
    Board::new(rows, cols).unwrap()
}

fn counted(question: &Question, method: Method) -> u128 {
    let settings = Settings {
        threads: Some(2),
        method,
        ..Settings::default()
    };
    let tours = frontier::count(question, &settings).unwrap().tours;
    u128::try_from(tours).unwrap()
}

fn plainly(question: &Question) -> u128 {
    plain::count(question).0 / u128::from(question.directions())
}

fn walked(question: &Question) -> u128 {
    let work = Walk::new(*question, &walk::Options::default()).unwrap();
    let outcome = run::count(&work, run::Settings::default(), &mut Silent).unwrap();
    outcome.units.undirected().unwrap().0
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
        prop_assert_eq!(counted(&question, Method::Fastest), expected);
        for merge_mirrors in [true, false] {
            prop_assert_eq!(counted(&question, Method::Sweep { merge_mirrors }), expected);
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

#[test]
fn every_cut_of_boards_with_closed_tours_gives_the_published_number() {
    for (rows, cols, expected) in [(3, 10, 16), (5, 6, 8), (6, 5, 8), (6, 6, 9_862)] {
        let question = Question::closed(board(rows, cols));
        for cut in 0..question.board.squares() {
            assert_eq!(
                counted(&question, Method::Cut(cut)),
                expected,
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
            let partial =
                frontier::table(&question, Lengths::EverySquare, &Settings::default()).unwrap();
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
fn every_published_count_of_boards_of_up_to_48_squares_is_met() {
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
        if board.squares() <= 48 || fields[0] == "3" {
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
