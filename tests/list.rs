//! Tours in order: against plain backtracking that tries the moves in the same order.
#![allow(clippy::unwrap_used, missing_docs)]

use kt_enum::board::{Board, KNIGHT_MOVES, MoveOrder, Square};
use kt_enum::question::Question;
use kt_enum::tour::Tour;
use kt_enum::walk::{FirstTour, Listing, Next, Tours, first_tour};
use proptest::prelude::*;
use std::cmp::Ordering;

/// A list of tours: what is asked, where closed tours start, the order.
#[derive(Debug, Clone, Copy)]
struct Asked {
    question: Question,
    closing: Square,
    order: MoveOrder,
}

impl Asked {
    fn listing(&self) -> Listing {
        Listing::closing_at(self.question, self.order, self.closing).unwrap()
    }

    /// Plain backtracking: every free target in order, nothing else. A cycle is kept in the direction met first.
    fn plainly(&self) -> Vec<Vec<Square>> {
        let (question, board) = (self.question, self.question.board);
        let starts: Vec<Square> = match (question.is_closed(), question.from()) {
            (true, _) => vec![self.closing],
            (false, Some(from)) => vec![from],
            (false, None) => board.all_squares().collect(),
        };
        let mut tours = Vec::new();
        for start in starts {
            self.extend(&mut vec![start], &mut tours);
        }
        tours
    }

    fn extend(&self, path: &mut Vec<Square>, tours: &mut Vec<Vec<Square>>) {
        let (question, board) = (self.question, self.question.board);
        let head = *path.last().unwrap();
        if path.len() == board.squares() && self.counts(path) {
            let mut back = path.clone();
            back[1..].reverse();
            if !question.is_closed() || !tours.contains(&back) {
                tours.push(path.clone());
            }
        }
        for (up, right) in self.order.steps() {
            let (row, col) = (i64::from(board.row(head)), i64::from(board.col(head)));
            if let Some(to) = board.at(row + i64::from(up), col + i64::from(right))
                && !path.contains(&to)
            {
                path.push(to);
                self.extend(path, tours);
                path.pop();
            }
        }
    }

    fn counts(&self, tour: &[Square]) -> bool {
        let (start, end) = (tour[0], tour[tour.len() - 1]);
        match self.question.is_closed() {
            true => self.question.board.are_knight_neighbours(start, end),
            false => self.question.to().is_none_or(|to| to == end),
        }
    }
}

fn any_board(most: u32) -> impl Strategy<Value = Board> {
    let sides = move |shortest: u32| {
        let pairs =
            (shortest..=most).flat_map(move |rows| (shortest..=most).map(move |cols| (rows, cols)));
        let small: Vec<(u32, u32)> = pairs.filter(|(rows, cols)| rows * cols <= most).collect();
        proptest::sample::select(small)
    };
    prop_oneof![6 => sides(3), 1 => sides(1)]
        .prop_map(|(rows, cols)| Board::new(rows, cols).unwrap())
}

fn any_order() -> impl Strategy<Value = MoveOrder> {
    let shuffled = Just(KNIGHT_MOVES.to_vec()).prop_shuffle();
    shuffled.prop_map(|steps| MoveOrder::new(&steps).unwrap())
}

fn any_list() -> impl Strategy<Value = Asked> {
    let numbers = (0..5u32, any::<u32>(), any::<u32>());
    (any_board(20), numbers, any_order()).prop_map(|(board, (kind, one, other), order)| {
        let square = |number| Square::from_index(number as usize % board.squares());
        let (one, other) = (square(one), square(other));
        let question = match kind {
            0 => Question::open(board),
            1 => Question::closed(board),
            2 => Question::open_between(board, Some(one), None),
            3 => Question::open_between(board, None, Some(one)),
            _ => Question::open_between(board, Some(one), Some(other)),
        };
        Asked {
            question,
            closing: one,
            order,
        }
    })
}

/// The tours from where a search stands, with the paths that were cut followed by a second search.
fn rest(listing: &Listing, tours: &mut Tours) -> Vec<Vec<Square>> {
    let mut found = Vec::new();
    loop {
        match tours.next() {
            Next::Tour => found.push(tours.path().to_vec()),
            Next::Cut => {
                let mut below = Tours::new(listing);
                below.go_below(tours.path());
                found.extend(rest(listing, &mut below));
            }
            Next::Look => {}
            Next::Done => return found,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_walk_meets_the_tours_of_a_plain_search_in_its_order(asked in any_list()) {
        let listing = asked.listing();
        let tours = rest(&listing, &mut Tours::new(&listing));
        prop_assert_eq!(&tours, &asked.plainly());
        let (first, effort) = first_tour(&listing, u64::MAX, &|| false);
        let expected = tours.first().cloned();
        prop_assert_eq!(first, expected.map_or(FirstTour::None, FirstTour::Found));
        if tours.is_empty() {
            prop_assert_eq!(effort.moves_generated, effort.moves_tried);
        } else {
            prop_assert!(effort.moves_generated >= effort.moves_tried);
        }
    }

    #[test]
    fn a_search_cut_anywhere_and_looking_up_anywhere_meets_the_same(
        asked in any_list(),
        cut in 1..20usize,
        look in 1..9u64,
    ) {
        let listing = asked.listing();
        let mut tours = Tours::new(&listing);
        tours.look_after(look);
        if cut + usize::from(asked.question.is_closed()) < asked.question.board.squares() {
            tours.cut_at(cut + usize::from(asked.question.is_closed()));
        }
        let expected = rest(&listing, &mut Tours::new(&listing));
        prop_assert_eq!(rest(&listing, &mut tours), expected);
    }

    #[test]
    fn a_search_goes_on_after_any_tour(asked in any_list(), index in any::<prop::sample::Index>()) {
        let listing = asked.listing();
        let all = rest(&listing, &mut Tours::new(&listing));
        if !all.is_empty() {
            let index = index.index(all.len());
            let mut tours = Tours::new(&listing);
            tours.go_after(&all[index], 0);
            prop_assert_eq!(&rest(&listing, &mut tours), &all[index + 1..]);
        }
    }

    #[test]
    fn the_tours_of_a_list_are_in_it_in_order_and_no_others_are(asked in any_list()) {
        let listing = asked.listing();
        let board = asked.question.board;
        let listed = asked.plainly();
        let tour = |squares: &Vec<Square>| Tour::new(board, squares.clone()).unwrap();
        for pair in listed.windows(2) {
            prop_assert_eq!(listing.compare(&tour(&pair[0]), &tour(&pair[1])), Ordering::Less);
        }
        let all = Asked { question: Question::open(board), ..asked };
        for other in all.plainly() {
            prop_assert_eq!(listing.check(&tour(&other)).is_ok(), listed.contains(&other));
        }
    }
}
