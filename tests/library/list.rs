//! Tours in order, compared with plain backtracking that tries the moves in the same order.

use kt_enum::board::{Board, KNIGHT_MOVES, MoveOrder, Square};
use kt_enum::job::Control;
use kt_enum::list::{self, ListError, ListSettings};
use kt_enum::list::{FirstTour, Listing, Next, TourCursor, first_tour};
use kt_enum::question::Question;
use kt_enum::tour::{Tour, TourFormat, TourWriter};
use proptest::prelude::*;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::Arc;

/// A list of tours: the question, the start of closed tours, and the order of moves.
#[derive(Debug, Clone)]
struct Asked {
    question: Question,
    closing: Square,
    order: MoveOrder,
}

impl Asked {
    fn listing(&self) -> Listing {
        Listing::closing_at(self.question.clone(), self.order, self.closing).unwrap()
    }

    /// Lists tours by plain backtracking, which tries every free target in order and does nothing
    /// else. A cycle is kept in the direction in which it is found first.
    fn plainly(&self) -> Vec<Vec<Square>> {
        let (question, board) = (&self.question, &self.question.board);
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
        let (question, board) = (&self.question, &self.question.board);
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
            true => self.question.board.are_neighbours(start, end),
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
        Asked { question, closing: one, order }
    })
}

/// Returns the tours that remain of a search. The paths at which it was cut are continued by a
/// second search.
fn rest(listing: &Listing, tours: &mut TourCursor) -> Vec<Vec<Square>> {
    let mut found = Vec::new();
    loop {
        match tours.next() {
            Next::Tour => found.push(tours.path().to_vec()),
            Next::Cut => {
                let mut below = TourCursor::new(listing);
                below.go_below(tours.path());
                found.extend(rest(listing, &mut below));
            }
            Next::Pause => {}
            Next::Done => return found,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_walk_meets_the_tours_of_a_plain_search_in_its_order(asked in any_list()) {
        let listing = asked.listing();
        let tours = rest(&listing, &mut TourCursor::new(&listing));
        prop_assert_eq!(&tours, &asked.plainly());
        let (first, effort) = first_tour(&listing, u64::MAX, &|_| false);
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
        let mut tours = TourCursor::new(&listing);
        tours.pause_every(look);
        if cut + usize::from(asked.question.is_closed()) < asked.question.board.squares() {
            tours.cut_at(cut + usize::from(asked.question.is_closed()));
        }
        let expected = rest(&listing, &mut TourCursor::new(&listing));
        prop_assert_eq!(rest(&listing, &mut tours), expected);
    }

    #[test]
    fn a_search_resumes_after_any_tour(asked in any_list(), index in any::<prop::sample::Index>()) {
        let listing = asked.listing();
        let all = rest(&listing, &mut TourCursor::new(&listing));
        if !all.is_empty() {
            let index = index.index(all.len());
            let mut tours = TourCursor::new(&listing);
            tours.go_after(&all[index], 0);
            prop_assert_eq!(&rest(&listing, &mut tours), &all[index + 1..]);
        }
    }

    #[test]
    fn the_tours_of_a_list_are_in_it_in_order_and_no_others_are(asked in any_list()) {
        let listing = asked.listing();
        let board = &asked.question.board;
        let listed = asked.plainly();
        let tour = |squares: &Vec<Square>| Tour::new(board, squares.clone()).unwrap();
        for pair in listed.windows(2) {
            prop_assert_eq!(listing.compare(&tour(&pair[0]), &tour(&pair[1])), Ordering::Less);
        }
        let all = Asked { question: Question::open(board.clone()), ..asked };
        for other in all.plainly() {
            prop_assert_eq!(listing.check(&tour(&other)).is_ok(), listed.contains(&other));
        }
    }
}

#[test]
fn closed_tours_are_met_once_each_in_the_direction_that_comes_first() {
    let board = Board::new(3, 10).unwrap();
    for (order, name) in
        [(MoveOrder::ROW_MAJOR, "a1"), (MoveOrder::LINEAR, "b2"), (MoveOrder::REPORT, "e3")]
    {
        let closing = board.parse_square(name).unwrap();
        let question = Question::closed(board.clone());
        let asked = Asked { question, closing, order };
        let listing = asked.listing();
        let tours = rest(&listing, &mut TourCursor::new(&listing));
        assert_eq!(tours.len(), 16, "the published number of cycles of 3x10");
        assert_eq!(tours, asked.plainly());
    }
}

fn listed(asked: &Asked, settings: &ListSettings) -> Vec<u8> {
    let mut text = Vec::new();
    let listed = list::list(&asked.listing(), settings, &mut text).unwrap();
    let lines = text.split(|&byte| byte == b'\n').count() as u64 - 1;
    if settings.format != TourFormat::Grid {
        assert_eq!(listed.tours, lines);
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_number_of_threads_and_any_limit_give_the_bytes_of_the_plain_search(
        asked in any_list(),
        threads in 1..5usize,
        limit in 0..40u64,
        format in prop::sample::select(vec![TourFormat::Squares, TourFormat::Grid, TourFormat::Json]),
    ) {
        let mut expected = Vec::new();
        let mut writer = TourWriter::new(asked.question.board.clone(), format);
        for (index, tour) in asked.plainly().iter().take(limit as usize).enumerate() {
            match index {
                0 => expected.extend(format.header(&asked.question.board, asked.question.is_closed()).bytes()),
                _ => expected.extend_from_slice(writer.separator()),
            }
            writer.write(tour, &mut expected);
        }
        let settings = ListSettings { threads: Some(threads), limit: Some(limit), format, ..ListSettings::default() };
        prop_assert_eq!(listed(&asked, &settings), expected);
    }
}

/// Returns the lines of a text whose tours are the first of their class.
fn first_of_each_class(question: &Question, text: &[u8]) -> Vec<u8> {
    let board = &question.board;
    let mut met = BTreeSet::new();
    let is_first = |line: &&[u8]| {
        let names = std::str::from_utf8(line).unwrap().split_ascii_whitespace();
        let squares = names.map(|name| board.parse_square(name).unwrap());
        let tour = Tour::new(board, squares.collect()).unwrap();
        met.insert(match question.is_closed() {
            true => tour.closed_class(),
            false => tour.open_class(),
        })
    };
    let lines = text.split_inclusive(|&byte| byte == b'\n');
    lines.filter(is_first).flatten().copied().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_list_of_classes_has_the_first_tour_of_each_class_of_the_whole_list(asked in any_list()) {
        let settings = ListSettings::default();
        let mut text = Vec::new();
        list::list(&asked.listing().classes(), &settings, &mut text).unwrap();
        prop_assert_eq!(text, first_of_each_class(&asked.question, &listed(&asked, &settings)));
    }
}

#[test]
fn a_list_of_closed_classes_has_the_first_tour_of_each_whatever_the_order_and_the_start() {
    for (rows, cols, from, order) in [
        (6, 6, "a1", MoveOrder::ROW_MAJOR),
        (6, 6, "d4", MoveOrder::REPORT),
        (10, 3, "b2", MoveOrder::LINEAR),
    ] {
        let board = Board::new(rows, cols).unwrap();
        let question = Question::closed(board.clone());
        let closing = board.parse_square(from).unwrap();
        let asked = Asked { question: question.clone(), closing, order };
        let settings = ListSettings::default();
        let mut text = Vec::new();
        list::list(&asked.listing().classes(), &settings, &mut text).unwrap();
        let expected = first_of_each_class(&question, &listed(&asked, &settings));
        assert!(text == expected, "{board} from {from}");
    }
}

/// A list on a larger board, so that there are many batches and blocks.
fn large(rows: u32, cols: u32, from: &str, order: MoveOrder) -> Asked {
    let board = Board::new(rows, cols).unwrap();
    let from = board.parse_square(from).unwrap();
    Asked { question: Question::open_between(board, Some(from), None), closing: from, order }
}

#[test]
fn many_batches_come_out_in_the_same_bytes_for_any_number_of_threads_and_any_limit() {
    for asked in [
        large(6, 6, "a1", MoveOrder::REPORT),
        large(5, 8, "b2", MoveOrder::LINEAR),
        large(9, 10, "e5", MoveOrder::ROW_MAJOR),
    ] {
        let settings = |threads, limit| ListSettings {
            threads: Some(threads),
            limit: Some(limit),
            ..ListSettings::default()
        };
        let whole = listed(&asked, &settings(1, 50_000));
        for (threads, limit) in [(2, 50_000), (7, 50_000), (3, 49_999), (2, 1), (4, 4_321)] {
            let part = listed(&asked, &settings(threads, limit));
            let lines = whole.split_inclusive(|&byte| byte == b'\n');
            let bytes: usize = lines.take(limit as usize).map(<[u8]>::len).sum();
            assert!(part == whole[..bytes], "{threads} threads, limit {limit}");
        }
    }
}

#[test]
fn a_list_continues_after_any_of_its_tours() {
    let asked = large(6, 6, "c2", MoveOrder::LINEAR);
    let board = &asked.question.board;
    let settings = ListSettings::default();
    let whole = listed(&asked, &settings);
    let ends: Vec<usize> = (0..whole.len()).filter(|&at| whole[at] == b'\n').collect();
    for index in [0, 1, ends.len() / 3, ends.len() / 2, ends.len() - 2, ends.len() - 1] {
        let begin = index.checked_sub(1).map_or(0, |before| ends[before] + 1);
        let line = std::str::from_utf8(&whole[begin..ends[index]]).unwrap();
        let squares = line.split(' ').map(|name| board.parse_square(name).unwrap());
        let after = Tour::new(board, squares.collect()).unwrap();
        let settings = ListSettings { after: Some(after), ..ListSettings::default() };
        assert!(listed(&asked, &settings) == whole[ends[index] + 1..], "after tour {index}");
    }
}

#[test]
fn a_writer_that_fails_ends_the_list_with_its_error() {
    struct Full(usize);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(1).ok_or(io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let asked = large(8, 8, "a1", MoveOrder::ROW_MAJOR);
    let failed = list::list(&asked.listing(), &ListSettings::default(), &mut Full(3));
    assert!(
        matches!(failed, Err(ListError::Write(error)) if error.kind() == io::ErrorKind::StorageFull)
    );
}

#[test]
fn a_list_does_not_begin_after_a_tour_of_another_board_or_of_another_list() {
    let tour = |rows: u32, cols: u32, names: &str| {
        let board = Board::new(rows, cols).unwrap();
        let squares = names.split(' ').map(|name| board.parse_square(name).unwrap());
        Tour::new(&board, squares.collect()).unwrap()
    };
    let tall = tour(4, 3, "a1 b3 c1 a2 b4 c2 a3 b1 c3 a4 b2 c4");
    let wide = tour(3, 4, "a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3");
    let list = |from: &str, after: &Tour| {
        let board = wide.board();
        let question = Question::open_between(board.clone(), board.parse_square(from).ok(), None);
        let listing = Listing::new(question, Default::default()).unwrap();
        let settings = ListSettings { after: Some(after.clone()), ..ListSettings::default() };
        let mut text = Vec::new();
        let listed = list::list(&listing, &settings, &mut text);
        assert!(listed.is_ok() || text.is_empty());
        listed.map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(list("a1", &wide), Ok(()));
    assert!(list("a1", &tall).unwrap_err().contains("a tour of 4x3, and the list is of 3x4"));
    assert!(list("b1", &wide).unwrap_err().contains("it goes from a1 to d3"));
}

/// A writer that stops the list after a number of blocks.
struct Stops(usize, Arc<Control>, Vec<u8>);

impl Write for Stops {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.2.extend_from_slice(bytes);
        match self.0.checked_sub(1) {
            Some(left) => self.0 = left,
            None => self.1.stop(),
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_list_that_is_told_to_stop_has_written_its_first_tours() {
    let asked = large(6, 6, "c2", MoveOrder::LINEAR);
    let whole = listed(&asked, &ListSettings::default());
    for blocks in [0, 1, 5, 20] {
        let settings = ListSettings { threads: Some(3), ..ListSettings::default() };
        let mut out = Stops(blocks, Arc::clone(&settings.control), Vec::new());
        let stopped = list::list(&asked.listing(), &settings, &mut out);
        let Err(ListError::Stopped { tours }) = stopped else {
            panic!("{stopped:?}");
        };
        assert!(whole.starts_with(&out.2) && out.2.len() < whole.len());
        assert_eq!(out.2.iter().filter(|&&byte| byte == b'\n').count() as u64, tours);
    }
}
