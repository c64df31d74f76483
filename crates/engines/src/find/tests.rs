use super::*;
use crate::board::{Network, Symmetry, orbit};
use crate::plain;
use crate::tally::Tally;
use crate::tour::Tour;
use proptest::prelude::{Strategy as Generator, prop_assert, prop_assert_eq, proptest};
use rayon::prelude::*;
use std::collections::HashSet;

fn find(board: &Board, from: Square, closed: bool, strategy: Strategy) -> Find {
    Find {
        board: board.clone(),
        from,
        closed,
        strategy,
        order: MoveOrder::default(),
        limits: FindLimits { moves: Some(200_000), backtracks: None },
    }
}

/// The tour found, after checking it, or `None` if there is none.
fn found(find: &Find) -> Option<Tour> {
    match find.run(&|| false).0 {
        FindOutcome::Found(route) => {
            let tour = Tour::new(&find.board, route.squares().collect()).expect("a tour");
            assert_eq!(tour.squares()[0], find.from);
            assert!(!find.closed || tour.is_reentrant());
            assert_eq!(route.is_reentrant(), tour.is_reentrant());
            Some(tour)
        }
        FindOutcome::None(_) => None,
        FindOutcome::GaveUp(limit) => panic!("{find:?} gave up: {limit}"),
    }
}

/// The starts from which auto finds open tours, and whether it finds a closed one.
fn starts(board: &Board) -> (HashSet<Square>, bool) {
    let open = |&from: &Square| found(&find(board, from, false, Strategy::Auto)).is_some();
    let starts = board.all_squares().filter(open).collect();
    let from = Square::from_index(board.squares() / 2);
    (starts, found(&find(board, from, true, Strategy::Auto)).is_some())
}

fn boards(sides: std::ops::RangeInclusive<u32>) -> Vec<Board> {
    let by_rows = |rows| sides.clone().map(move |cols| (rows, cols));
    let pairs = sides.clone().flat_map(by_rows);
    pairs.map(|(rows, cols)| Board::new(rows, cols).expect("in range")).collect()
}

#[test]
fn auto_finds_a_tour_from_exactly_the_starts_that_plain_search_finds_one_from() {
    for board in boards(1..=9).into_iter().filter(|board| board.squares() <= 24) {
        let mut open = HashSet::new();
        plain::visit(&Question::open(board.clone()), &mut |tour| {
            open.insert(tour[0]);
        });
        let closed = plain::count(&Question::closed(board.clone())) > Tally::ZERO;
        assert_eq!(starts(&board), (open, closed), "{board}");
    }
}

#[test]
fn auto_finds_a_tour_wherever_the_theorems_say_that_there_is_one() {
    check_theorems(5..=20);
}

#[test]
#[ignore = "searches for half a minute"]
fn auto_finds_a_tour_wherever_the_theorems_say_that_there_is_one_up_to_40x40() {
    check_theorems(5..=40);
}

fn check_theorems(sides: std::ops::RangeInclusive<u32>) {
    boards(sides).into_par_iter().for_each(|board| {
        let (open, closed) = starts(&board);
        let odd = board.squares() % 2 == 1;
        let fits = board.all_squares().filter(|&s| !odd || board.colour(s) == 1);
        let missing: Vec<_> = fits.filter(|square| !open.contains(square)).collect();
        assert_eq!(missing, [], "{board}");
        assert_eq!(closed, !odd, "{board}");
    });
}

#[test]
fn on_strips_of_3_and_4_rows_auto_and_the_exhaustive_walk_agree() {
    let strips = [(3, 11), (4, 9)].into_iter().flat_map(|(rows, longest)| {
        (rows..=longest).flat_map(move |cols| [(rows, cols), (cols, rows)])
    });
    for (rows, cols) in strips {
        let board = Board::new(rows, cols).expect("in range");
        for (from, closed) in board.all_squares().flat_map(|from| [(from, false), (from, true)]) {
            let walked = Find {
                limits: FindLimits::default(),
                ..find(&board, from, closed, Strategy::Pruned)
            };
            let auto = found(&find(&board, from, closed, Strategy::Auto));
            assert_eq!(auto.is_some(), found(&walked).is_some(), "{board} {from:?} {closed}");
        }
    }
}

#[test]
fn on_longer_strips_what_auto_finds_is_a_tour_and_closed_ones_are_found_as_schwenk_says() {
    for rows in [3, 4] {
        // One value for all boards, because the sets of states serve for every length.
        let [mut open, mut closed] = [false, true].map(|closed| Strips::new(rows, closed));
        for cols in 9..=40 {
            let board = Board::new(rows, cols).expect("in range");
            let mut starts = HashSet::new();
            for from in board.all_squares() {
                if let Some(steps) = open.tour(&board, from) {
                    let squares = Route::new(&board, from, steps).squares().collect();
                    Tour::new(&board, squares).expect("a tour");
                    starts.insert(from);
                }
            }
            // The board is symmetric, so the starts have to be whole orbits.
            let group = Symmetry::of(&board);
            let images = |&start: &Square| orbit(&board, group, start);
            assert!(starts.iter().flat_map(images).all(|image| starts.contains(&image)));
            assert!(starts.len() >= cols as usize, "{board}");
            let cycle = closed.tour(&board, Square::from_index(0));
            let has_cycle = rows == 3 && cols % 2 == 0 && cols >= 10;
            assert_eq!(cycle.is_some(), has_cycle, "{board}");
        }
    }
}

/// A graph of a few vertices as a board.
fn any_graph() -> impl Generator<Value = Board> {
    (3..8_usize).prop_flat_map(|vertices| {
        let pairs: Vec<(usize, usize)> =
            (0..vertices).flat_map(|one| (0..one).map(move |other| (one, other))).collect();
        let edges = proptest::sample::subsequence(pairs.clone(), 2..=pairs.len());
        edges.prop_map(move |edges| {
            let edges = edges.iter().map(|(one, other)| (one.to_string(), other.to_string()));
            let names = (0..vertices).map(|vertex| vertex.to_string());
            Board::of_network(&Network::new(edges, names).expect("a graph"))
        })
    })
}

proptest! {
    #[test]
    fn decisions_find_a_tour_exactly_where_plain_search_finds_one(board in any_graph()) {
        let exists = |question: Question| plain::count(&question) > Tally::ZERO;
        for (closed, from) in board.all_squares().map(Some).chain([None]).flat_map(|from| [(true, from), (false, from)]) {
            let question = Question::of_kind(board.clone(), closed, [from, None]);
            match Decided::new(&board, closed).run(from, u64::MAX, &|_| false) {
                Ok(path) => {
                    let tour = Tour::new(&board, path).expect("a tour");
                    prop_assert!(from.is_none_or(|from| tour.squares()[0] == from));
                    prop_assert!(!closed || tour.is_reentrant());
                }
                Err(end) => {
                    prop_assert_eq!(end, FindOutcome::None(NoTour::Exhausted));
                    prop_assert!(!exists(question), "{} {} {:?}", board.description(), closed, from);
                }
            }
        }
    }
}

#[test]
fn decisions_find_cycles_where_most_squares_have_few_moves() {
    let read = |text: &str| {
        let edges = text.lines().filter_map(|line| line.split_once(' '));
        let edges = edges.map(|(one, other)| (one.to_owned(), other.to_owned()));
        Board::of_network(&Network::new(edges, []).expect("a graph"))
    };
    for (name, text) in [
        ("cube sums", include_str!("../../../../tests/golden/graphs/cube-sums-473.txt")),
        ("gp-111-2", include_str!("../../../../tests/golden/graphs/gp-111-2.txt")),
        ("grid", include_str!("../../../../tests/golden/graphs/grid-4x4x4.txt")),
    ] {
        let board = read(text);
        let path = Decided::new(&board, true).run(None, MOST_LOOKS, &|_| false).expect(name);
        assert!(Tour::new(&board, path).is_ok_and(|tour| tour.is_reentrant()), "{name}");
    }
    let petersen = read(include_str!("../../../../tests/golden/graphs/petersen.txt"));
    let end = Decided::new(&petersen, true).run(None, MOST_LOOKS, &|_| false);
    assert_eq!(end, Err(FindOutcome::None(NoTour::Exhausted)));
}
