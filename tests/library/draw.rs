//! Drawings: a text, a picture and a page contain exactly the given tour.

use kt_enum::board::{Board, Square, Symmetry};
use kt_enum::draw::{self, Gallery, NotDrawn, Style, Subject, TextStyle, TourKind};
use kt_enum::find::{Find, FindLimits, FindOutcome, Strategy as Way};
use kt_enum::list::Listing;
use kt_enum::list::{self, ListSettings};
use kt_enum::question::Question;
use kt_enum::tour::{Tour, TourReader};
use proptest::prelude::*;
use roxmltree::{Document, Node};
use serde_json::Value;
use std::collections::BTreeMap;

/// Returns a tour that is found by construction.
fn found(rows: u32, cols: u32, from: &str, closed: bool) -> Tour {
    let board = Board::new(rows, cols).unwrap();
    let find = Find {
        board: board.clone(),
        from: board.parse_square(from).unwrap(),
        closed,
        strategy: Way::Auto,
        order: Default::default(),
        limits: FindLimits::default(),
    };
    match find.run(&|| false).0 {
        FindOutcome::Found(route) => Tour::new(&board, route.squares().collect()).unwrap(),
        other => panic!("{other:?}"),
    }
}

fn read(names: &str) -> Tour {
    let read = TourReader::new(None).read(names);
    read.into_iter().flatten().next().unwrap().tour.unwrap()
}

fn subject(tour: Tour) -> Subject {
    Subject::new(tour, true).unwrap()
}

/// Returns every tour of a list.
fn listed(question: Question, classes: bool) -> Vec<Tour> {
    let listing = Listing::new(question.clone(), Default::default()).unwrap();
    let listing = if classes { listing.classes() } else { listing };
    let mut text = Vec::new();
    list::list(&listing, &ListSettings::default(), &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let mut reader = TourReader::new(Some(question.board));
    let read = text.lines().flat_map(|line| reader.read(line)).flatten();
    read.map(|read| read.tour.unwrap()).collect()
}

fn class<'a, 'i>(document: &'a Document<'i>, class: &'a str) -> Vec<Node<'a, 'i>> {
    let nodes = document.descendants();
    nodes.filter(|node| node.attribute("class") == Some(class)).collect()
}

fn number(node: Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name).unwrap().parse().unwrap()
}

/// Returns the square that contains a point of a picture.
fn square_at(board: &Board, x: f64, y: f64) -> Square {
    let (col, row) = (x.floor() as i64, i64::from(board.rows()) - 1 - y.floor() as i64);
    board.at(row, col).unwrap()
}

#[test]
fn a_picture_has_the_path_with_a_point_a_square_and_its_ends_marked() {
    for (rows, cols, from, closed) in [
        (3, 4, "a1", false),
        (8, 8, "d4", true),
        (20, 20, "c2", false),
        (3, 30, "a1", false),
        (3, 30, "a1", true),
        (30, 3, "a1", false),
        (1, 1, "a1", false),
    ] {
        let tour = found(rows, cols, from, closed);
        let board = tour.board();
        // A path counts as open even if its ends are a knight's move apart.
        for as_cycle in [false, true] {
            let subject = Subject::new(tour.clone(), as_cycle).unwrap();
            let is_closed = as_cycle && tour.is_reentrant();
            assert_eq!(subject.kind() == TourKind::Closed, is_closed);
            let svg = draw::svg(&subject, &Style::default());
            let document = Document::parse(&svg).unwrap();
            let [path] = class(&document, "tour")[..] else {
                panic!("{board}");
            };
            let shape = if is_closed { "polygon" } else { "polyline" };
            assert_eq!(path.tag_name().name(), shape, "{board}");
            let point = |text: &str| {
                let (x, y) = text.split_once(',').unwrap();
                let (x, y): (f64, f64) = (x.parse().unwrap(), y.parse().unwrap());
                assert_eq!((x.fract(), y.fract()), (0.5, 0.5), "the middle of a square");
                square_at(&board, x, y)
            };
            let points = path.attribute("points").unwrap();
            let squares: Vec<Square> = points.split(' ').map(point).collect();
            assert_eq!(squares, tour.squares(), "{board}");
            let start = class(&document, "start")[0];
            let start = square_at(&board, number(start, "cx"), number(start, "cy"));
            assert_eq!(start, tour.squares()[0], "{board}");
            let end = class(&document, "end").first().map(|&end| {
                let middle = |from, size| number(end, from) + number(end, size) / 2.0;
                square_at(&board, middle("x", "width"), middle("y", "height"))
            });
            let has_end = !is_closed && board.squares() > 1;
            assert_eq!(end, has_end.then(|| *squares.last().unwrap()), "{board}");
        }
    }
}

#[test]
fn a_picture_has_a_dark_a1_and_all_names_and_scales() {
    let tour = found(3, 30, "a1", false);
    let svg = draw::svg(&subject(tour), &Style::default());
    let document = Document::parse(&svg).unwrap();
    let root = document.root_element();
    let view: Vec<f64> =
        root.attribute("viewBox").unwrap().split(' ').map(|n| n.parse().unwrap()).collect();
    assert!(view[0] < 0.0 && view[2] > 30.5 && view[3] > 3.5 && view[2] + view[0] > 30.0);
    assert!(number(root, "width") <= 1_000.0 && number(root, "height") < number(root, "width"));
    // The line has a dash from x = 0 in the bottom row and from x = 1 in the row above.
    let dark = class(&document, "dark")[0].attribute("d").unwrap();
    assert_eq!(dark, "M0 2.5H30M1 1.5H30M0 0.5H30");
    let names = class(&document, "names")[0];
    let names: Vec<&str> = names
        .children()
        .filter_map(|text| text.text())
        .map(str::trim)
        .filter(|t| !t.is_empty())
        .collect();
    assert_eq!(names.len(), 33);
    assert_eq!((names[0], names[26], names[29], names[32]), ("a", "aa", "ad", "3"));
    assert!(svg.contains("prefers-color-scheme: dark"));
}

#[test]
fn numbers_are_those_of_the_visit() {
    let tour = found(8, 8, "a1", true);
    let board = tour.board();
    let style = Style { numbers: true, title: None };
    let svg = draw::svg(&subject(tour.clone()), &style);
    let document = Document::parse(&svg).unwrap();
    let group = class(&document, "numbers")[0];
    let texts = group.children().filter(|node| node.tag_name().name() == "text");
    let numbered: Vec<(Square, String)> = texts
        .map(|text| {
            (
                square_at(&board, number(text, "x"), number(text, "y")),
                text.text().unwrap().to_owned(),
            )
        })
        .collect();
    let expected = tour.squares().iter().zip(1..).map(|(&square, step)| (square, step.to_string()));
    assert_eq!(numbered, expected.collect::<Vec<_>>());
}

#[test]
fn a_title_is_escaped_and_what_xml_does_not_know_is_left_out() {
    let title = "</title><script>alert('1')</script>\u{0}\u{1b}\u{ffff}\"&";
    let style = Style { numbers: false, title: Some(title.to_owned()) };
    let svg = draw::svg(&subject(found(3, 4, "a1", false)), &style);
    let document = Document::parse(&svg).unwrap();
    let texts = document.descendants().filter(|node| node.tag_name().name() == "title");
    let titles: Vec<_> = texts.map(|node| node.text().unwrap()).collect();
    assert_eq!(titles, ["</title><script>alert('1')</script>\"&"]);
    assert!(!svg.contains("<script"));
}

#[test]
fn a_title_stands_above_the_board_in_lines_that_fit_its_width() {
    let tour = || subject(found(3, 4, "a1", false));
    let plain = draw::svg(&tour(), &Style::default());
    let view = |document: &Document| -> Vec<f64> {
        let view = document.root_element().attribute("viewBox").unwrap();
        view.split(' ').map(|number| number.parse().unwrap()).collect()
    };
    let plain = Document::parse(&plain).unwrap();
    assert!(class(&plain, "heading").is_empty());
    for (title, lines) in [
        ("Twelve squares", vec!["Twelve squares"]),
        ("A tour of a small board, by hand", vec!["A tour of a small", "board, by hand"]),
        ("<&>", vec!["<&>"]),
        ("abcdefghijklmnopqrstuvwxyz", vec!["abcdefghijklmnopqrs", "tuvwxyz"]),
        (" ", vec![]),
    ] {
        let style = Style { numbers: false, title: Some(title.to_owned()) };
        let svg = draw::svg(&tour(), &style);
        let document = Document::parse(&svg).unwrap();
        let headings = class(&document, "heading");
        let said: Vec<&str> = headings.iter().map(|node| node.text().unwrap()).collect();
        assert_eq!(said, lines);
        // The title lies above the board and below the upper edge, and the picture is higher by
        // that much.
        let [_, top, _, height] = view(&document)[..] else { panic!("{svg}") };
        for heading in headings {
            let y = number(heading, "y");
            assert!(top < y - 0.2 && y + 0.2 < 0.0, "{y} in a picture from {top}");
        }
        let higher = height - view(&plain)[3];
        assert!((higher - 0.5 * lines.len() as f64).abs() < 0.011, "{higher}");
    }
}

#[test]
fn numbers_and_names_are_centred_by_an_offset_that_every_program_knows() {
    let style = Style { numbers: true, title: Some("A title".to_owned()) };
    let svg = draw::svg(&subject(found(3, 4, "a1", false)), &style);
    let document = Document::parse(&svg).unwrap();
    let texts = document.descendants().filter(|node| node.tag_name().name() == "text");
    let offsets: Vec<_> = texts.map(|text| text.attribute("dy")).collect();
    assert_eq!(offsets, [Some(".35em"); 1 + 7 + 12]);
    assert!(!svg.contains("baseline"));
}

#[test]
fn symmetries_are_named_by_what_a_tour_is_symmetric_under() {
    let mut said = BTreeMap::new();
    for tour in listed(Question::closed(Board::new(6, 6).unwrap()), true) {
        let words = subject(tour).to_string();
        *said.entry(words.strip_prefix("6x6, closed, ").unwrap().to_owned()).or_insert(0) += 1;
    }
    // Jelliss: 5 quaternary, 17 binary, 1,223 asymmetric.
    let expected = [
        ("asymmetric", 1_223),
        ("symmetric under a half turn", 17),
        ("symmetric under quarter turns", 5),
    ];
    let expected = expected.map(|(words, number)| (words.to_owned(), number));
    assert_eq!(said, BTreeMap::from(expected));
    let all = "1x1, open, symmetric under quarter turns, reflection top to bottom, \
               reflection left to right, reflection in the diagonal from a1 and \
               reflection in the other diagonal";
    assert_eq!(subject(found(1, 1, "a1", false)).to_string(), all);
}

#[test]
fn text_is_a_board_of_boxes_or_of_colours() {
    let tour = subject(read("a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3"));
    let mut text = String::new();
    draw::text(&tour, TextStyle::Boxes, &mut text);
    let expected = "\
3x4, open, symmetric under a half turn
  ┌────┬────┬────┬────┐
3 │  3 │  6 │  9 │ 12 │
  ├────┼────┼────┼────┤
2 │  8 │ 11 │  2 │  5 │
  ├────┼────┼────┼────┤
1 │  1 │  4 │  7 │ 10 │
  └────┴────┴────┴────┘
    a    b    c    d
";
    assert_eq!(text, expected);
    text.clear();
    draw::text(&tour, TextStyle::Colours, &mut text);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 5);
    // In the bottom row, a1 has the colour of the start, c1 that of a dark square, and b1 and d1
    // the other one.
    let grounds: Vec<&str> = lines[3].split("48;5;").skip(1).map(|part| &part[..3]).collect();
    assert_eq!(grounds, ["114", "223", "180", "223"]);
    let mut plain = String::new();
    let mut is_text = true;
    for character in lines[3].chars() {
        match (is_text, character) {
            (_, '\x1b') => is_text = false,
            (false, 'm') => is_text = true,
            (true, other) => plain.push(other),
            _ => {}
        }
    }
    assert_eq!(plain, "1   1   4   7  10 ");
}

/// Returns the data that the script of a page reads.
fn data(html: &str) -> Value {
    let (_, rest) = html.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

/// Returns the tours of a page as kind, symmetries and squares, by an independent decoder of its
/// format.
fn decoded(html: &str) -> Vec<(u64, u64, String)> {
    const DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let data = data(html);
    let moves: Vec<(i64, i64)> = serde_json::from_value(data["moves"].clone()).unwrap();
    let mut tours = Vec::new();
    for run in data["runs"].as_array().unwrap() {
        let side = |name: &str| run[name].as_u64().unwrap() as u32;
        let board = Board::new(side("rows"), side("cols")).unwrap();
        let digits: Vec<u64> = run["records"]
            .as_str()
            .unwrap()
            .chars()
            .map(|c| DIGITS.find(c).unwrap() as u64)
            .collect();
        for record in digits.chunks(6 + board.squares() / 2) {
            let flags = record[0] * 64 + record[1];
            let start = record[2..6].iter().fold(0, |value, digit| value * 64 + digit);
            let mut squares = vec![Square::from_index(start as usize)];
            let steps = record[6..].iter().flat_map(|pair| [pair / 8, pair % 8]);
            for step in steps.take(board.squares() - 1) {
                let (last, (up, right)) = (*squares.last().unwrap(), moves[step as usize]);
                let (row, col) = (i64::from(board.row(last)), i64::from(board.col(last)));
                squares.push(board.at(row + up, col + right).unwrap());
            }
            let names: Vec<String> = squares.iter().map(|&square| board.name(square)).collect();
            tours.push((flags >> 8, flags & 255, format!("{board} {}", names.join(" "))));
        }
    }
    tours
}

fn names(tour: &Tour) -> String {
    let board = tour.board();
    let names: Vec<String> = tour.squares().iter().map(|&square| board.name(square)).collect();
    format!("{board} {}", names.join(" "))
}

#[test]
fn a_page_holds_the_tours_in_order_with_kinds_and_symmetries() {
    let open = listed(Question::open(Board::new(3, 4).unwrap()), false);
    let closed = listed(Question::closed(Board::new(3, 10).unwrap()), false);
    let large = [found(20, 21, "c7", true), found(1, 1, "a1", false), found(5, 5, "c3", false)];
    let mut page = Gallery::new(Style::default());
    let mut expected = Vec::new();
    for tour in open.into_iter().chain(closed).chain(large) {
        let board = tour.board();
        for as_cycle in [false, true] {
            let subject = Subject::new(tour.clone(), as_cycle).unwrap();
            let is_kept = |symmetry: Symmetry| {
                let image = |square: &Square| symmetry.apply(&board, *square);
                let image = Tour::new(&board, tour.squares().iter().map(image).collect()).unwrap();
                edges(&image, subject.kind()) == edges(&tour, subject.kind())
            };
            let bits =
                Symmetry::of(&board).iter().zip(0..).filter(|(symmetry, _)| is_kept(**symmetry));
            let symmetries: u64 = bits.map(|(_, place)| 1 << place).sum();
            expected.push((subject.kind() as u64, symmetries, names(&tour)));
            page.add(&subject).unwrap();
        }
    }
    assert_eq!(page.tours(), expected.len());
    assert_eq!(decoded(&page.html()), expected);
}

/// Returns the moves of a tour without their order and direction.
fn edges(tour: &Tour, kind: TourKind) -> Vec<[Square; 2]> {
    let mut squares = tour.squares().to_vec();
    if kind == TourKind::Closed {
        squares.push(squares[0]);
    }
    let mut edges: Vec<[Square; 2]> =
        squares.windows(2).map(|pair| [pair[0].min(pair[1]), pair[0].max(pair[1])]).collect();
    edges.sort_unstable();
    assert_eq!(edges.len(), tour.board().squares() - usize::from(kind != TourKind::Closed));
    edges
}

#[test]
fn the_classes_have_the_symmetries_that_are_published() {
    let closed = listed(Question::closed(Board::new(6, 6).unwrap()), true);
    let mut orders = BTreeMap::new();
    for tour in closed {
        *orders.entry(tour.symmetries(true).len()).or_insert(0) += 1;
    }
    // Jelliss: 5 quaternary, 17 binary, 1,223 asymmetric.
    assert_eq!(orders, BTreeMap::from([(1, 1_223), (2, 17), (4, 5)]));
    let open = listed(Question::open(Board::new(5, 5).unwrap()), true);
    let symmetric = open.iter().filter(|tour| tour.symmetries(false).len() == 2).count();
    // There are 112 classes of 1,728 / 2 tours: of 8 tours each, except for the symmetric ones of
    // 4.
    assert_eq!((open.len(), symmetric), (112, 8));
}

#[test]
fn the_limits_of_a_page_and_of_a_drawing_are_reported() {
    let one = subject(found(1, 1, "a1", false));
    let mut page = Gallery::new(Style::default());
    for _ in 0..Gallery::MOST_TOURS {
        page.add(&one).unwrap();
    }
    assert_eq!(page.add(&one), Err(NotDrawn::Full));
    assert_eq!(page.tours(), Gallery::MOST_TOURS);
    let large = subject(found(1_024, 1_024, "a1", true));
    let mut page = Gallery::new(Style::default());
    for _ in 0..Gallery::MOST_SQUARES / Subject::MOST_SQUARES {
        page.add(&large).unwrap();
    }
    assert_eq!(page.add(&large), Err(NotDrawn::Full));
    assert_eq!(page.add(&one), Err(NotDrawn::Full));
    let tour = found(1_024, 1_025, "a1", true);
    let board = tour.board();
    let refused = Subject::new(tour, true);
    assert!(matches!(refused, Err(NotDrawn::TooLarge(refused)) if refused == board));
    assert!(NotDrawn::TooLarge(board).to_string().contains("1024x1025"));
}

proptest! {
    #[test]
    fn whatever_the_title_a_page_has_the_same_tags(title in "(<|>|\"|'|&|\\{\\{tours\\}\\}|\\}\\}|\\PC){0,40}") {
        let tour = subject(read("a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3"));
        let html = |title: Option<String>| {
            let mut page = Gallery::new(Style { numbers: false, title });
            page.add(&tour).unwrap();
            page.html()
        };
        let tags = |html: &str| {
            let tags = html.split('<').skip(1).map(|tag| tag.split('>').next().unwrap().to_owned());
            tags.collect::<Vec<_>>()
        };
        prop_assert_eq!(tags(&html(Some(title))), tags(&html(None)));
    }
}
