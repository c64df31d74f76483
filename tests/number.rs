//! Tours by number and the numbers of tours.
#![allow(clippy::unwrap_used, missing_docs)]

use kt_enum::board::{Board, MoveOrder, Square};
use kt_enum::frontier::Frontier;
use kt_enum::question::Question;
use kt_enum::run::numbers::{Numbers, NumbersError};
use kt_enum::run::{self, Settings, Silent};
use kt_enum::tour::Tour;
use kt_enum::walk::{self, Listing};
use num_bigint::BigUint;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Does something with the numbers of a question.
fn with<R>(question: Question, then: impl FnOnce(&Numbers) -> R) -> R {
    let frontier = Frontier::new(question, None).unwrap();
    let settings = Settings {
        threads: Some(2),
        keep_layers: true,
        ..Settings::default()
    };
    let outcome = run::count(&frontier, settings, &mut Silent).unwrap();
    let numbers = Numbers::new(&frontier, &outcome.units, 2, None, Arc::default()).unwrap();
    then(&numbers)
}

/// A tour as a plain search lists it first: see `list`.
fn listed(question: Question) -> BTreeSet<Vec<Square>> {
    let mut tours = BTreeSet::new();
    let listing = Listing::new(question, MoveOrder::default()).unwrap();
    let _ = walk::visit(&listing, |squares| {
        let is_second =
            question.is_whole() && !question.is_closed() && squares.last() < squares.first();
        if !is_second {
            tours.insert(squares.to_vec());
        }
        ControlFlow::<()>::Continue(())
    });
    tours
}

fn all_numbers(numbers: &Numbers) -> Vec<BigUint> {
    let last = u64::try_from(numbers.last()).unwrap();
    (1..=last).map(BigUint::from).collect()
}

/// Checks that the numbers from 1 on are all tours, each once, and that each tour has its number.
fn are_all(question: Question) {
    with(question, |numbers| {
        let all = all_numbers(numbers);
        let tours = numbers.tours(&all, &mut Silent).unwrap();
        let found: BTreeSet<Vec<Square>> =
            tours.iter().map(|tour| tour.squares().to_vec()).collect();
        assert_eq!(found.len(), tours.len(), "{question}: each once");
        assert_eq!(found, listed(question), "{question}");
        let back = numbers.numbers(&tours, &mut Silent).unwrap();
        let back: Vec<BigUint> = back.into_iter().map(Option::unwrap).collect();
        assert_eq!(back, all, "{question}");
        for number in [BigUint::ZERO, numbers.last() + 1_u32] {
            let refused = numbers.tours(&[number], &mut Silent);
            assert!(
                matches!(refused, Err(NumbersError::Beyond { last, .. }) if last == *numbers.last())
            );
        }
    });
}

fn board(rows: u32, cols: u32) -> Board {
    Board::new(rows, cols).unwrap()
}

#[test]
fn the_numbers_of_small_boards_are_all_their_tours() {
    for (rows, cols) in [
        (1, 1),
        (2, 5),
        (3, 3),
        (3, 4),
        (4, 3),
        (4, 4),
        (4, 5),
        (5, 5),
        (3, 8),
    ] {
        are_all(Question::open(board(rows, cols)));
        are_all(Question::closed(board(rows, cols)));
    }
}

#[test]
fn all_closed_tours_of_6x6_are_numbered() {
    are_all(Question::closed(board(6, 6)));
    are_all(Question::closed(board(5, 6)));
    are_all(Question::closed(board(3, 10)));
}

#[test]
fn numbers_of_tours_with_ends_are_numbers_of_directed_tours() {
    let board = board(5, 5);
    let square = |name: &str| board.parse_square(name).ok();
    for (from, to) in [
        ("a1", ""),
        ("", "c3"),
        ("a1", "e5"),
        ("c3", "a1"),
        ("b1", ""),
    ] {
        are_all(Question::open_between(board, square(from), square(to)));
    }
}

#[test]
fn a_tour_has_one_number_in_both_directions_and_from_every_square() {
    with(Question::closed(board(6, 6)), |numbers| {
        let number = BigUint::from(4_711_u32);
        let tour = numbers
            .tours(&[number.clone()], &mut Silent)
            .unwrap()
            .remove(0);
        let mut squares = tour.squares().to_vec();
        squares.rotate_left(7);
        squares.reverse();
        let turned = Tour::new(board(6, 6), squares).unwrap();
        assert_eq!(
            numbers.numbers(&[turned], &mut Silent).unwrap(),
            [Some(number)]
        );
    });
}
