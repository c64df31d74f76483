//! Tests of the edges engine against the walk and plain backtracking.

use super::*;
use crate::plain;
use crate::tally::Tally;
use crate::walk::tests::{counted, counted_in_bits};
use crate::walk::{Options, Walk};
use crate::work::Pause;
use fastrand::Rng;
use proptest::prelude::*;

fn board(rows: u32, cols: u32) -> Board {
    Board::new(rows, cols).expect("in range")
}

fn by_edges(board: &Board, depth: Option<u32>) -> Tally {
    counted(&*prepare(Question::closed(board.clone()), depth).expect("fits"))
}

fn by_walk(board: &Board) -> Tally {
    counted(&Walk::new(Question::closed(board.clone()), &Options::default()).expect("fits"))
}

#[test]
fn every_board_of_up_to_30_squares_has_as_many_cycles_as_the_walk_finds() {
    for rows in 1..=30 {
        for cols in 1..=30 / rows {
            let board = board(rows, cols);
            assert_eq!(by_edges(&board, None), by_walk(&board), "{board}");
        }
    }
}

#[test]
fn published_numbers_of_cycles_are_met() {
    for ((rows, cols), cycles) in [
        ((6, 6), 9_862_u32),
        ((5, 6), 8),
        ((6, 7), 1_067_638),
        ((5, 8), 44_202),
        ((3, 10), 16),
        ((10, 3), 16),
        ((3, 12), 176),
    ] {
        assert_eq!(by_edges(&board(rows, cols), None), Tally::from(2 * cycles), "{rows}x{cols}");
    }
}

/// 3x22 has 66 squares, so its sets take two words. The count of 3x20 is published.
#[test]
fn boards_of_two_words_agree_with_their_transposes() {
    assert_eq!(by_edges(&board(3, 22), None), by_edges(&board(22, 3), None));
    assert_eq!(by_edges(&board(3, 20), None), Tally::from(2 * 1_448_416_u32));
}

/// Searches with frequent pauses and random splits.
fn paused_and_split(board: &Board, depth: u32, seed: u64) -> Tally {
    let mut random = Rng::with_seed(seed);
    let work = prepare(Question::closed(board.clone()), Some(depth)).expect("fits");
    let mut worker = work.worker();
    worker.pause_often(random.u64(0..8), usize::MAX);
    counted_in_bits(&*work, worker.as_mut(), random)
}

fn any_board() -> impl Strategy<Value = Board> {
    let pairs = (1..=20u32).flat_map(|rows| (1..=20 / rows).map(move |cols| board(rows, cols)));
    proptest::sample::select(pairs.collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn edges_walk_and_plain_backtracking_agree_at_every_depth(board in any_board(), depth in 0..6u32) {
        let expected = plain::count(&Question::closed(board.clone()));
        let depth = depth.min(board.squares() as u32 - 1);
        prop_assert_eq!(by_edges(&board, Some(depth)), expected.clone());
        prop_assert_eq!(by_walk(&board), expected);
    }

    #[test]
    fn a_search_paused_split_and_shuffled_anywhere_finds_the_same(
        rows in 3..6u32,
        cols in 6..8u32,
        depth in 0..4u32,
        seed in any::<u64>(),
    ) {
        let board = board(rows, cols);
        prop_assert_eq!(paused_and_split(&board, depth, seed), by_walk(&board));
    }
}

#[test]
fn symmetry_changes_no_count() {
    for board in [board(6, 6), board(5, 8), board(3, 14), board(5, 6)] {
        let plainly =
            Edges::<u64, 64>::under(Question::closed(board.clone()), None, &[Symmetry::Identity]);
        assert_eq!(counted(&plainly.expect("fits")), by_edges(&board, None), "{board}");
    }
}

#[test]
fn every_unit_is_recounted_by_the_walk_to_the_same() {
    for (board, depth) in [(board(6, 6), 1), (board(6, 6), 3), (board(5, 6), 0), (board(5, 8), 4)] {
        let work = prepare(Question::closed(board), Some(depth)).expect("fits");
        let mut worker = work.worker();
        for unit in 0..work.units() {
            let piece = work.begin(unit);
            let advance = worker.advance(unit, &piece, &|| Pause::No).expect("nothing to lose");
            let recount = work.recount(unit, u64::MAX, &|| false).map(|again| again.count);
            assert_eq!(recount, Ok(advance.found), "{}", work.label(unit));
        }
    }
}

#[test]
fn units_have_labels_of_their_own() {
    for depth in 0..6 {
        let work = prepare(Question::closed(board(6, 6)), Some(depth)).expect("fits");
        let labels: std::collections::BTreeSet<String> =
            (0..work.units()).map(|unit| work.label(unit)).collect();
        assert_eq!(labels.len(), work.units());
    }
}

#[test]
fn pieces_that_are_not_of_a_unit_are_not_accepted() {
    let work = prepare(Question::closed(board(6, 6)), Some(2)).expect("fits");
    assert!(work.accepts(0, &work.begin(0)));
    assert!(!work.accepts(1, &work.begin(0)));
    let begin = work.begin(0);
    let prefix = begin.path();
    for forged in [vec![], [prefix, &[35]].concat(), [prefix, &[999]].concat()] {
        assert!(!work.accepts(0, &UnitPiece::whole(&forged)), "{forged:?}");
    }
}
