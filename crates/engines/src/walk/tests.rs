//! Tests of the layers within the walk: widths, symmetry, pausing and splitting.

use super::bits::BitField;
use super::cells::CellField;
use super::field::Field;
use super::reduction::Reduction;
use super::split::prefixes_at;
use super::{MemoSize, Options, Walk};
use crate::board::{Board, MoveOrder, Network, PaddedBoard, Square, Symmetry};
use crate::cursor::UnitPiece;
use crate::plain;
use crate::question::Question;
use crate::search::{Prefixes, Search};
use crate::tally::Tally;
use crate::work::{Pause, Work, Worker};
use fastrand::Rng;
use proptest::prelude::*;
use std::cell::RefCell;

/// Boards small enough for plain backtracking, mostly with both sides long enough for tours.
fn any_board() -> impl Strategy<Value = Board> {
    let sides = |shortest: u32| {
        let pairs =
            (shortest..=20).flat_map(move |rows| (shortest..=20).map(move |cols| (rows, cols)));
        let small: Vec<(u32, u32)> = pairs.filter(|(rows, cols)| rows * cols <= 20).collect();
        proptest::sample::select(small)
    };
    prop_oneof![4 => sides(3), 1 => sides(1)]
        .prop_map(|(rows, cols)| Board::new(rows, cols).expect("in range"))
}

/// Questions about open tours with any ends, and about closed tours.
fn any_question() -> impl Strategy<Value = Question> {
    (any_board(), 0..5u32, any::<u32>(), any::<u32>()).prop_map(|(board, kind, one, other)| {
        let square = |number| Square::from_index(number as usize % board.squares());
        match kind {
            0 => Question::open(board),
            1 => Question::closed(board),
            2 => Question::open_between(board.clone(), Some(square(one)), None),
            3 => Question::open_between(board.clone(), None, Some(square(one))),
            _ => Question::open_between(board.clone(), Some(square(one)), Some(square(other))),
        }
    })
}

fn count_on<F: Field>(reduction: &Reduction, prefixes: &Prefixes, memo: MemoSize) -> Tally {
    let mut search = Search::new(F::new(reduction), memo);
    let count = |unit: usize| {
        let (found, _, rest) =
            search.advance(&UnitPiece::whole(prefixes.path(unit)), &|| Pause::No);
        assert_eq!(rest, None);
        found * u128::from(prefixes.weight(unit))
    };
    (0..prefixes.len()).map(count).sum::<u128>().into()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_width_with_and_without_memo_counts_what_plain_backtracking_counts(
        question in any_question(),
        depth in 0..6u32,
    ) {
        let expected = plain::count(&question);
        let reduction = Reduction::of(&question);
        let depth = depth.min(question.board.squares() as u32 - 1);
        let prefixes = prefixes_at(&reduction, depth).expect("splits");
        for memo in [MemoSize::Off, MemoSize::Cache, MemoSize::Bytes(256)] {
            prop_assert_eq!(count_on::<BitField<u64>>(&reduction, &prefixes, memo), expected.clone());
            prop_assert_eq!(count_on::<BitField<u128>>(&reduction, &prefixes, memo), expected.clone());
            prop_assert_eq!(count_on::<CellField<PaddedBoard>>(&reduction, &prefixes, memo), expected.clone());
        }
    }

    #[test]
    fn symmetry_changes_no_count(question in any_question(), depth in 0..6u32) {
        let depth = depth.min(question.board.squares() as u32 - 1);
        let count = |reduction: Reduction| {
            let prefixes = prefixes_at(&reduction, depth).expect("splits");
            count_on::<BitField<u64>>(&reduction, &prefixes, MemoSize::Cache)
        };
        let without = count(Reduction::under(&question, &[Symmetry::Identity]));
        prop_assert_eq!(count(Reduction::of(&question)), without);
    }

    #[test]
    fn a_walk_paused_split_and_shuffled_anywhere_finds_the_same(
        question in any_question(),
        depth in 0..3u32,
        seed in any::<u64>(),
    ) {
        let depth = depth.min(question.board.squares() as u32 - 1);
        prop_assert_eq!(walked_in_bits(question.clone(), depth, seed), walked(question));
    }
}

fn walked(question: Question) -> Tally {
    counted(&Walk::new(question, &Options::default()).expect("fits"))
}

/// The sum over the units of an engine, each counted without a pause.
pub(crate) fn counted(work: &dyn Work) -> Tally {
    let mut worker = work.worker();
    let count = |unit| {
        let piece = work.begin(unit);
        worker.advance(unit, &piece, &|| Pause::No).expect("nothing to lose").found
    };
    (0..work.units()).map(count).sum()
}

/// Walks with frequent pauses and random splits.
fn walked_in_bits(question: Question, depth: u32, seed: u64) -> Tally {
    let mut random = Rng::with_seed(seed);
    let options = Options { split_depth: Some(depth), memo: MemoSize::Bytes(1024) };
    let work = Walk::new(question.clone(), &options).expect("fits");
    let mut worker = work.worker();
    let levels = question.board.squares().saturating_sub(random.usize(0..10));
    worker.pause_often(random.u64(0..40), levels);
    counted_in_bits(&work, worker.as_mut(), random)
}

/// The sum over the units of an engine whose worker pauses often, with pieces split and searched in
/// random order.
pub(crate) fn counted_in_bits(work: &dyn Work, worker: &mut dyn Worker, random: Rng) -> Tally {
    let random = RefCell::new(random);
    let draw = |below: usize| random.borrow_mut().usize(0..below);
    let begin = |unit| (unit, work.begin(unit));
    let mut open: Vec<(usize, UnitPiece)> = (0..work.units()).map(begin).collect();
    let mut found = Tally::ZERO;
    while !open.is_empty() {
        let (unit, piece) = open.swap_remove(draw(open.len()));
        assert!(work.accepts(unit, &piece));
        let pause = || match draw(2) {
            0 => Pause::Soon,
            _ => Pause::No,
        };
        let advance = worker.advance(unit, &piece, &pause).expect("nothing to lose");
        found += advance.found;
        if let Some(rest) = advance.rest {
            if draw(2) == 0 {
                open.push((unit, rest))
            } else {
                let parts = worker.split(rest).into_iter();
                open.extend(parts.map(|part| (unit, part)));
            }
        }
    }
    found
}

#[test]
fn paused_walks_of_larger_boards_find_the_same() {
    let board = |rows, cols| Board::new(rows, cols).expect("in range");
    for (question, expected) in [
        (Question::open(board(5, 5)), 1_728_u32),
        (Question::open(board(5, 6)), 37_568),
        (Question::closed(board(6, 6)), 19_724),
    ] {
        for seed in 0..4 {
            let found = walked_in_bits(question.clone(), seed as u32, seed);
            assert_eq!(found, Tally::from(expected));
        }
    }
}

#[test]
fn pieces_that_are_not_of_a_unit_are_not_accepted() {
    let question = Question::open(Board::new(5, 5).expect("in range"));
    let options = Options { split_depth: Some(1), ..Options::default() };
    let work = Walk::new(question, &options).expect("fits");
    assert!(work.accepts(0, &work.begin(0)));
    assert!(!work.accepts(1, &work.begin(0)));
    let prefix = work.prefixes.path(0);
    for (forged, why) in [
        ([prefix, &[prefix[0]]].concat(), "a square twice"),
        ([prefix, &[24]].concat(), "not a knight's move"),
        ([prefix, &[999]].concat(), "off the board"),
        (vec![], "above the unit"),
    ] {
        assert!(!work.accepts(0, &UnitPiece::whole(&forged)), "{why}");
    }
}

#[test]
fn probes_of_complete_graphs_end_and_give_the_number_of_tours() {
    // 12 vertices have more than eight neighbours each, and 130 do not fit bitboards either.
    for vertices in [12, 130] {
        let edges = (1..=vertices)
            .flat_map(|one| (1..one).map(move |to| (to.to_string(), one.to_string())));
        let network = Network::new(edges, []).expect("a graph");
        let board = Board::of_network(&network);
        let question = Question::open_between(board, Some(Square::from_index(0)), None);
        let options = Options { split_depth: Some(0), memo: MemoSize::Off };
        let work = Walk::new(question, &options).expect("small");
        let mut prober = work.prober();
        let tours: f64 = (1..vertices).map(f64::from).product();
        for seed in 0..3 {
            // All choices are alike, so each probe has the exact number.
            let probed = prober.probe(0, seed).expect("a tree").tours;
            assert!((probed / tours - 1.0).abs() < 1e-9, "{vertices}: {probed}");
        }
    }
}

#[test]
fn every_width_meets_the_same_tours_in_the_same_order_and_continues_after_them() {
    use super::in_order::{InOrder, Listing, Next};
    fn tours<F: Field>(listing: &Listing, after: Option<&[Square]>) -> (Vec<Vec<Square>>, u64) {
        let mut search = InOrder::<F>::new(listing);
        if let Some(after) = after {
            search.go_after(after, 0);
        }
        let mut found = Vec::new();
        while search.next() != Next::Done {
            found.push(search.path.clone());
        }
        (found, search.effort().nodes)
    }
    let board = |rows, cols| Board::new(rows, cols).expect("in range");
    let corner = Some(Square::from_index(0));
    for (question, count) in [
        (Question::open(board(5, 5)), 1_728),
        (Question::open(board(3, 8)), 792),
        (Question::open(board(5, 6)), 37_568),
        (Question::open_between(board(5, 5), None, corner), 304),
        (Question::closed(board(5, 6)), 8),
        (Question::open(board(1, 1)), 1),
    ] {
        for order in [MoveOrder::ROW_MAJOR, MoveOrder::LINEAR] {
            let listing = Listing::new(question.clone(), order).expect("fits");
            let (one, nodes) = tours::<BitField<u64>>(&listing, None);
            assert_eq!(one.len(), count, "{question}");
            assert!(tours::<BitField<u128>>(&listing, None) == (one.clone(), nodes));
            assert!(tours::<CellField<PaddedBoard>>(&listing, None) == (one.clone(), nodes));
            let middle = one.len() / 2;
            let after = Some(&one[middle][..]);
            assert!(tours::<BitField<u128>>(&listing, after).0 == one[middle + 1..]);
            assert!(tours::<CellField<PaddedBoard>>(&listing, after).0 == one[middle + 1..]);
        }
    }
}
