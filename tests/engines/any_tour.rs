//! Tours of boards with holes, other pieces and joined edges, and of graphs: writing, reading,
//! listing, finding and statistics.

use crate::any_board::{any_board, any_question};
use kt_enum::board::{Board, MoveOrder, Square};
use kt_enum::find::{Find, FindLimits, FindOutcome, GaveUp, Strategy as Way};
use kt_enum::list::{self, ListSettings};
use kt_enum::question::Question;
use kt_enum::solve::{Extent, Puzzle, solve};
use kt_enum::tally::Tally;
use kt_enum::tour::{Tour, TourFormat, TourReader, TourWriter};
use kt_enum_board::tour::stream;
use kt_enum_engines::find::shuffled;
use kt_enum_engines::plain;
use kt_enum_engines::walk::{self, FirstTour, Listing};
use kt_enum_pictures::stats::Stats;
use kt_enum_puzzles::solve::any_tour;
use kt_enum_runs::list::file;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io::Write;
use std::ops::ControlFlow;

const FORMATS: [TourFormat; 3] = [TourFormat::Squares, TourFormat::Grid, TourFormat::Json];

pub fn board(description: &str) -> Board {
    description.parse().unwrap()
}

/// Returns the first tours of a question.
pub fn first_tours(question: &Question, most: usize) -> Vec<Tour> {
    let listing = Listing::new(question.clone(), Default::default()).unwrap();
    let mut tours = Vec::new();
    let mut search = walk::TourCursor::new(&listing);
    while tours.len() < most {
        match walk::next_tour(&listing, &mut search, 1 << 20, &|_| false) {
            FirstTour::Found(squares) => tours.push(Tour::new(&question.board, squares).unwrap()),
            FirstTour::None | FirstTour::GaveUp => break,
        }
    }
    tours
}

/// Returns the messages about the wrong tours of a text.
fn wrong(board: Option<Board>, text: &str) -> Vec<String> {
    let read = TourReader::new(board).read_all(text).into_iter();
    read.filter_map(|read| read.tour.err()).map(|wrong| wrong.to_string()).collect()
}

/// Checks that tours are streamed as they are written at once, and returns the number of portions.
fn check_streamed(board: &Board) -> usize {
    let (tour, mut portions): (Vec<Square>, _) = (board.all_squares().collect(), 0);
    for format in FORMATS {
        let mut whole = format.header(board, false).into_bytes();
        TourWriter::new(board.clone(), format).write(&tour, &mut whole);
        let mut streamed = Vec::new();
        let numbers = || (1..=board.squares() as u32).collect();
        let done: Result<(), Infallible> =
            stream(board, format, false, tour.iter().copied(), numbers, &mut |portion| {
                streamed.extend_from_slice(portion);
                portions += 1;
                Ok(())
            });
        assert_eq!(done, Ok(()));
        assert!(streamed == whole, "{board} {format:?}");
    }
    portions
}

#[test]
fn large_boards_are_streamed_in_several_portions() {
    for (description, several) in [("7x30", false), ("120x30", false), ("300x200", true)] {
        let portions = check_streamed(&board(description));
        assert_eq!(portions > FORMATS.len(), several, "{description}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn tours_of_any_board_read_back_without_a_word_about_the_board(question in any_question(14)) {
        let tours = first_tours(&question, 3);
        for format in FORMATS {
            let mut text = format.header(&question.board, question.is_closed()).into_bytes();
            let mut writer = TourWriter::new(question.board.clone(), format);
            for tour in &tours {
                writer.write(tour.squares(), &mut text);
                text.extend_from_slice(writer.separator());
            }
            let text = String::from_utf8(text).unwrap();
            let back = TourReader::new(None).read_all(&text);
            let back: Vec<Tour> = back.into_iter().map(|read| read.tour.unwrap()).collect();
            prop_assert_eq!(&back, &tours, "{}", text);
            let back = TourReader::new(Some(question.board.clone())).read_all(&text);
            prop_assert!(back.into_iter().map(|read| read.tour.unwrap()).eq(tours.iter().cloned()));
        }
    }

    #[test]
    fn what_is_streamed_of_any_board_is_the_header_and_what_is_written(board in any_board(30)) {
        check_streamed(&board);
    }

    #[test]
    fn a_list_of_any_board_is_resumed_wherever_it_was_cut(
        question in any_question(10),
        at in any::<prop::sample::Index>(),
        is_json in any::<bool>(),
    ) {
        let format = if is_json { TourFormat::Json } else { TourFormat::Squares };
        let listing = Listing::new(question.clone(), Default::default()).unwrap();
        let settings = ListSettings { limit: Some(300), format, ..ListSettings::default() };
        let mut whole = Vec::new();
        let listed = list::list(&listing, &settings, &mut whole).unwrap();
        let text = String::from_utf8(whole.clone()).unwrap();
        prop_assert_eq!(text.starts_with("# board "), !question.board.is_plain() && !is_json && listed.tours > 0);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list");
        std::fs::write(&path, &whole[..at.index(whole.len() + 1)]).unwrap();
        let mut resumed = file::resume(&path, &listing, &settings).unwrap();
        let there = file::lines(&path).unwrap();
        let limit = Some(300 - there);
        let mut rest = Vec::new();
        let settings = ListSettings { after: resumed.last.take(), limit, format, ..ListSettings::default() };
        let more = list::list(&listing, &settings, &mut rest).unwrap();
        resumed.file.write_all(&rest).unwrap();
        drop(resumed);
        prop_assert_eq!(there + more.tours, listed.tours);
        prop_assert_eq!(std::fs::read(&path).unwrap(), whole);
    }

    #[test]
    fn every_strategy_finds_a_tour_of_any_board_if_plain_backtracking_does(
        board in any_board(12),
        from in any::<prop::sample::Index>(),
        closed in any::<bool>(),
    ) {
        let from = Square::from_index(from.index(board.squares()));
        let question = match closed {
            true => Question::closed(board.clone()),
            false => Question::open_between(board.clone(), Some(from), None),
        };
        let exists = plain::count(&question) > Tally::ZERO;
        for (strategy, _) in Way::NAMED {
            let (order, limits) = (MoveOrder::default(), FindLimits::default());
            let find = Find { board: board.clone(), from, closed, strategy, order, limits };
            let limits = FindLimits { moves: Some(20_000), backtracks: None };
            let find = if strategy == Way::H1a { Find { limits, ..find } } else { find };
            match find.run(&|| false).0 {
                FindOutcome::Found(route) => {
                    let tour = Tour::new(&board, route.squares().collect()).unwrap();
                    prop_assert!(exists && tour.squares()[0] == from);
                    prop_assert!(!closed || tour.is_reentrant());
                    let number = |square: &Square| route.numbers()[square.index()];
                    prop_assert!(tour.squares().iter().map(number).eq(1..=board.squares() as u32));
                }
                FindOutcome::None(_) => prop_assert!(!exists, "{}", strategy),
                FindOutcome::GaveUp(GaveUp::Moves(20_000)) => {}
                FindOutcome::GaveUp(why) => prop_assert!(false, "{} gave up: {}", strategy, why),
            }
        }
    }

    #[test]
    fn edges_and_ends_of_any_board_are_counted(question in any_question(12)) {
        let tours = first_tours(&question, 20);
        let mut stats = Stats::new(&question.board, question.is_closed());
        for tour in &tours {
            stats.add(tour).unwrap();
        }
        let board = &question.board;
        let moves = board.squares() - 1 + usize::from(question.is_closed());
        let uses: u64 = stats.edges().map(|(_, uses, _)| uses).sum();
        prop_assert_eq!(uses, (tours.len() * moves) as u64);
        let all: usize = board.all_squares().map(|square| board.moves(square).count()).sum();
        prop_assert_eq!(stats.edges().count() * 2, all);
        prop_assert_eq!(stats.crossings().is_some(), board.is_plain());
        prop_assert_eq!(stats.slopes().count() + stats.turns().count(), if board.is_plain() { 10 } else { 0 });
        let ends: u64 = stats.ends.iter().sum();
        prop_assert_eq!(ends, if question.is_closed() { 0 } else { 2 * tours.len() as u64 });
        for (_, symmetric, _) in stats.symmetries() {
            prop_assert!(symmetric <= stats.symmetric().0);
        }
    }
}

#[test]
fn a_grid_has_number_signs_in_the_place_of_holes() {
    let ring = board("3x3 without=b2");
    let tour: Vec<Square> =
        "a1 c2 a3 b1 c3 a2 c1 b3".split(' ').map(|name| ring.parse_square(name).unwrap()).collect();
    let mut text = Vec::new();
    TourWriter::new(ring.clone(), TourFormat::Grid).write(&tour, &mut text);
    let text = String::from_utf8(text).unwrap();
    assert_eq!(text, "3 8 5\n6 # 2\n1 4 7\n");
    let [read] = &TourReader::new(None).read_all(&text)[..] else { panic!("one tour") };
    assert_eq!(read.tour, Ok(Tour::new(&ring, tour).unwrap()));
    let large = board("4x4 without=a4,b4");
    let mut grid = Vec::new();
    let squares: Vec<Square> = large.all_squares().collect();
    TourWriter::new(large, TourFormat::Grid).write(&squares, &mut grid);
    assert_eq!(
        String::from_utf8(grid).unwrap(),
        " #  # 13 14\n 9 10 11 12\n 5  6  7  8\n 1  2  3  4\n"
    );
}

#[test]
fn a_line_or_a_field_says_what_board_tours_are_of() {
    let text = "# board 2x2 piece=king\na1 b1 a2 b2\n3 4\n1 2\n\n{\"tour\":[\"a1\",\"b1\"],\"board\":\
                \"1x2 piece=wazir\"}\n# board graph 1-2,2-v_3\nv_3 2 1\n# board games\n1 2 v_3\n";
    let read = TourReader::new(None).read_all(text);
    let boards: Vec<String> =
        read.into_iter().map(|read| read.tour.unwrap().board().description()).collect();
    assert_eq!(
        boards,
        [
            "2x2 piece=king",
            "2x2 piece=king",
            "1x2 piece=wazir",
            "graph 1-2,2-v_3",
            "graph 1-2,2-v_3"
        ]
    );
    // A board that is given is not overruled.
    assert_eq!(
        wrong(Some(board("2x2")), "# board 2x2 piece=king\na1 b1 a2 b2\n"),
        ["step 1 from a1 to b1 is not a knight's move"]
    );
}

#[test]
fn what_is_wrong_with_a_tour_of_any_board_is_named() {
    for (board, text, expected) in [
        ("2x2 piece=king", "a1 b1 a2 a1", "a1, square 4 of the sequence, was visited before"),
        ("1x3 piece=wazir", "a1 c1 b1", "step 1 from a1 to c1 is not a move of the piece"),
        ("3x3 without=b2", "a1 b1", "step 1 from a1 to b1 is not a knight's move"),
        ("3x3 without=b2", "a1 b2", "b2 is not on the 3x3 without=b2 board"),
        ("3x3 without=b2", "1 . 3\n. 5 .\n7 . .", "b2 is not on the 3x3 without=b2 board"),
        ("3x3 without=b2", "2 3 9\n4 5 6\n7 8 1", "b2 is not on the 3x3 without=b2 board"),
        ("3x3 without=b2", "1 2\n3 .", "a grid of 2 x 2 is not 3x3 without=b2"),
        ("graph 1-2,2-3", "1 3 2", "step 1 from 1 to 3 is not an edge of the graph"),
        ("graph 1-2,2-3", "1 2 4", "`4` is not a vertex of the graph"),
        (
            "graph 1-2,2-3",
            "1 2 3 1",
            "the last square repeats the first: end a closed tour on the square before it",
        ),
        (
            "graph 1-2,2-3",
            "1 2",
            "2 squares where graph of 3 vertices and 2 edges has 3: 3 is not visited",
        ),
    ] {
        assert_eq!(wrong(Some(board.parse().unwrap()), text), [expected], "{board}: {text}");
        let with_header = format!("# board {board}\n{text}");
        assert_eq!(wrong(None, &with_header), [expected], "{board}: {text}");
    }
    assert_eq!(wrong(None, "# board 3x3 piece=pawn\n").len(), 1);
    assert_eq!(wrong(None, "{\"tour\":[\"a1\"],\"board\":\"0x1\"}\n").len(), 1);
    let unfinished = "unfinished, no wrong move: 0 of 4 squares have a number";
    assert_eq!(wrong(None, ". .\n. .\n"), [unfinished]);
}

#[test]
fn names_of_16_characters_have_room() {
    let graph = board("graph abcdefghijklmnop-x");
    for (format, expected) in [
        (TourFormat::Squares, "abcdefghijklmnop x\n"),
        (TourFormat::Grid, "abcdefghijklmnop x\n"),
        (
            TourFormat::Json,
            "{\"tour\":[\"abcdefghijklmnop\",\"x\"],\"closed\":false,\
             \"board\":\"graph abcdefghijklmnop-x\"}\n",
        ),
    ] {
        let mut text = Vec::new();
        let squares: Vec<Square> = graph.all_squares().collect();
        TourWriter::new(graph.clone(), format).write(&squares, &mut text);
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }
}

#[test]
fn auto_finds_tours_of_boards_that_no_walk_finishes_and_says_why_there_is_none() {
    let find = |description: &str, closed| {
        let board = board(description);
        let (strategy, order, limits) = (Way::Auto, MoveOrder::default(), FindLimits::default());
        let from = Square::from_index(0);
        Find { board, from, closed, strategy, order, limits }.run(&|| false).0
    };
    for description in
        ["20x20 wrap=torus", "12x12 piece=king without=c3,d4,e5", "40x40 piece=wazir"]
    {
        assert!(matches!(find(description, false), FindOutcome::Found(_)), "{description}");
    }
    for (description, closed, expected) in [
        ("8x8 piece=camel", false, "no moves lead from some squares to others"),
        (
            "5x5 piece=wazir",
            true,
            "every move changes the colour of the square, and one colour has 13 of the squares and the other 12",
        ),
    ] {
        let FindOutcome::None(reason) = find(description, closed) else { panic!("{description}") };
        assert_eq!(reason.to_string(), expected);
    }
}

#[test]
fn backbite_moves_lead_to_every_tour_equally_often() {
    for (text, closed, links) in [
        ("4x4 piece=wazir", false, &[][..]),
        ("6x4 piece=wazir", true, &[]),
        ("6x4 piece=wazir", true, &["c2", "c3"]),
        ("3x3 piece=king", false, &[]),
        ("3x3 piece=king", false, &["a1", "b2", "b2", "c1"]),
        ("5x5", false, &[]),
        ("5x4 piece=wazir without=a1,b1", false, &[]),
        ("3x5 piece=wazir wrap=cylinder", false, &[]),
    ] {
        let board: Board = text.parse().unwrap();
        let link = |names: &[&str]| [0, 1].map(|end| board.parse_square(names[end]).unwrap());
        let empty = Puzzle::new(board.clone(), closed, []).unwrap();
        let first = any_tour(&empty, 0, &|| false).unwrap();
        let empty = empty.linked(links.chunks(2).map(link).collect()).unwrap();
        let mut counts = BTreeMap::new();
        let found = solve(&empty, Extent::default(), &|| false, &mut |squares| {
            // Closed tours come once from the first square, shuffled ones from any.
            counts.insert(squares.to_vec(), 0_u32);
            ControlFlow::Continue(())
        });
        let tours = counts.len();
        let each = if tours > 1_000 { 5 } else { 40 };
        for seed in 0..(tours * each) as u64 {
            let (links, tour) = (empty.links(), first.clone());
            let mut tour = shuffled(&board, tour, links, closed, seed, &|| false).unwrap();
            if closed {
                let start = tour.iter().position(|square| square.index() == 0).unwrap();
                tour.rotate_left(start);
            }
            *counts.get_mut(&tour).unwrap() += 1;
        }
        assert_eq!(found.count as usize, tours);
        let wanted = f64::from(each as u32);
        let sum: f64 = counts.values().map(|&count| (f64::from(count) - wanted).powi(2)).sum();
        let (chi, free) = (sum / wanted, tours as f64 - 1.0);
        assert!((chi - free).abs() < 5.0 * (2.0 * free).sqrt(), "{text}: {chi} of {free}");
    }
    assert_eq!(shuffled(&Board::new(5, 5).unwrap(), vec![], &[], false, 1, &|| true), None);
}
