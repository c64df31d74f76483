//! Compares the classes by Burnside's lemma with those found by listing every tour.

use kt_enum::board::Board;
use kt_enum::classes;
use kt_enum::question::Question;
use kt_enum::tally::Tally;
use kt_enum::tour::Tour;
use kt_enum_engines::plain;
use std::collections::BTreeSet;

/// Lists every tour by plain backtracking and keeps one of each class.
fn listed(question: &Question) -> (u128, u128) {
    let board = &question.board;
    let mut classes = BTreeSet::new();
    let mut directed = 0;
    plain::visit(question, &mut |squares| {
        directed += 1;
        let tour = Tour::new(board, squares.to_vec()).unwrap();
        classes.insert(match question.is_closed() {
            true => tour.closed_class(),
            false => tour.open_class(),
        });
    });
    (directed / u128::from(question.directions()), classes.len() as u128)
}

#[test]
fn burnside_counts_the_classes_that_listing_finds() {
    let mut with_tours = 0;
    for (rows, cols) in [
        (1, 1),
        (1, 5),
        (2, 4),
        (3, 3),
        (3, 4),
        (4, 3),
        (4, 4),
        (3, 6),
        (4, 5),
        (3, 7),
        (7, 3),
        (3, 8),
        (5, 5),
    ] {
        let question = Question::open(Board::new(rows, cols).unwrap());
        let (undirected, classes) = listed(&question);
        let counted = classes::count(&question, Tally::from(undirected), &|| false);
        assert_eq!(counted, Ok(Some(Tally::from(classes))), "{question}");
        with_tours += u32::from(classes > 1);
    }
    assert_eq!(with_tours, 7);
    for (rows, cols) in [(1, 1), (2, 2), (3, 4), (4, 4), (3, 8), (5, 6), (3, 10), (10, 3)] {
        let question = Question::closed(Board::new(rows, cols).unwrap());
        let (undirected, classes) = listed(&question);
        let counted = classes::count(&question, Tally::from(undirected), &|| false);
        assert_eq!(counted, Ok(Some(Tally::from(classes))), "{question}");
    }
}

#[test]
fn questions_with_fixed_ends_have_no_classes() {
    let board = Board::new(5, 5).unwrap();
    let question = Question::open_between(board.clone(), board.all_squares().next(), None);
    assert!(classes::count(&question, Tally::from(304_u32), &|| false).is_err());
}

#[test]
fn counting_classes_stops_when_told_to() {
    let question = Question::closed(Board::new(8, 8).unwrap());
    assert_eq!(classes::count(&question, Tally::from(8_u32), &|| true), Ok(None));
}
