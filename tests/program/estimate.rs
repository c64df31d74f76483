//! The estimate against searches whose size is known.

use crate::common::{Machine, text};
use kt_enum::board::Board;
use kt_enum::estimate;
use kt_enum::frontier::Frontier;
use kt_enum::question::Question;
use kt_enum::run::{Settings, Silent, count};
use kt_enum::units::Shard;
use kt_enum::walk::{MemoSize, Options, Walk};
use kt_enum::work::Work;
use std::time::Duration;

/// At least 9 of 10 seeds have the truth within their error bars, for the nodes and for the tours.
fn brackets_the_truth(rows: u32, cols: u32) {
    const PROBES: u64 = 40_000;
    let question = Question::open(Board::new(rows, cols).unwrap());
    let work = Walk::new(question, &Options { split_depth: None, memo: MemoSize::Off }).unwrap();
    let truth = count(&work, Settings::default(), &mut Silent).unwrap();
    let tours = truth.units.directed().to_f64();
    let (mut nodes_met, mut tours_met) = (0, 0);
    for seed in 0..10 {
        let guess = estimate::estimate(&work, PROBES, seed, &|| false).unwrap();
        let meets = |guess: &estimate::Guess, truth: f64| {
            u32::from((guess.low()..=guess.high()).contains(&truth))
        };
        nodes_met += meets(&guess.nodes, truth.nodes as f64);
        tours_met += meets(&guess.tours, tours);
        assert!(guess.nodes.error < 0.2 * guess.nodes.mean, "too wide to say anything");
    }
    assert!(nodes_met >= 9 && tours_met >= 9, "{question}: {nodes_met} and {tours_met} of 10");
}

#[test]
fn estimates_of_6x6_bracket_the_truth() {
    brackets_the_truth(6, 6);
}

#[test]
fn estimates_of_5x8_bracket_the_truth() {
    brackets_the_truth(5, 8);
}

#[test]
fn estimates_of_4x10_bracket_the_truth() {
    brackets_the_truth(4, 10);
}

#[test]
fn the_same_seed_guesses_the_same_size() {
    let machine = Machine::new();
    let guess =
        |seed: u32| machine.json(&format!("estimate --size 6 --probes 20000 --seed {seed}"));
    assert_eq!(guess(5)["nodes"], guess(5)["nodes"]);
    assert_ne!(guess(5)["nodes"], guess(6)["nodes"]);
}

#[test]
fn the_estimate_is_printed_for_any_question() {
    let machine = Machine::new();
    for question in [
        "--size 6",
        "--rows 6 --cols 8 --tours closed",
        "--size 1",
        "--size 4 --from a1",
        "--rows 3 --cols 50",
        "--size 5 --tours closed",
    ] {
        let output = machine.kt(&format!("estimate {question} --probes 2000")).output().unwrap();
        assert!(output.status.success(), "{question}: {}", text(&output.stderr));
        let said = text(&output.stdout);
        assert!(said.contains(" nodes (") && said.contains(" on "), "{said}");
    }
    machine.kt("estimate").assert().code(2);
}

#[test]
fn boards_with_nothing_to_search_have_no_nodes_and_the_tours_they_have() {
    let machine = Machine::new();
    for (size, tours) in
        [(1, "about 1 directed tours (1 to 1)"), (2, "no directed"), (3, "no directed")]
    {
        let output = machine.kt(&format!("estimate --size {size}")).output().unwrap();
        let said = text(&output.stdout);
        assert!(
            said.contains("\nabout 0 nodes (0 to 0)\n") && said.contains(&format!("\n{tours}")),
            "{said}"
        );
    }
}

#[test]
fn boards_whose_numbers_no_float_squares_or_holds_have_bars_all_the_same() {
    let nodes = |side: u32| {
        let options = Options { split_depth: Some(0), memo: MemoSize::Off };
        let question = Question::open(Board::new(side, side).unwrap());
        let work = Walk::new(question, &options).unwrap();
        let guess = estimate::estimate(&work, 300, 1, &|| false).unwrap();
        [guess.nodes.low(), guess.nodes.mean, guess.nodes.high()]
    };
    let [low, mean, high] = nodes(22);
    assert!(mean > 1e154 && low < 0.99 * mean && 1.01 * mean < high && high < 1e300);
    assert_eq!(nodes(32), [0.0, f64::INFINITY, f64::INFINITY]);
}

#[test]
fn a_shard_is_not_expected_to_take_more_than_the_whole() {
    let board = Board::new(9, 9).expect("in range");
    let mut work = Frontier::new(Question::open(board), None).expect("not too wide");
    let expect = |work: &Frontier| {
        let expected = estimate::of_frontier(work, Duration::ZERO, 0, &|| false);
        expected.expect("nothing stops it").forecast
    };
    let whole = expect(&work);
    work.restrict_to(&Shard::new(0, 8).expect("below").units_of(work.units()));
    // A sample as small as this said ten thousand times as much.
    assert!(expect(&work).bytes <= whole.bytes);
}
