//! Drawings of boards with holes and joined edges, and the refusal of graphs.

use crate::any_board::any_layout;
use crate::any_tour::{board, first_tours};
use kt_enum::board::{Board, Square, Symmetry};
use kt_enum::draw::{self, Gallery, NotDrawn, Style, Subject, TextStyle, TourKind};
use kt_enum::question::Question;
use kt_enum::tally::Tally;
use kt_enum::tour::Tour;
use kt_enum_pictures::draw::edges::{UsedEdge, edge_map};
use kt_enum_pictures::draw::heat::heat_map;
use proptest::prelude::*;
use roxmltree::Document;
use serde_json::Value;

fn tour(description: &str, names: &str) -> Tour {
    let board = board(description);
    let squares = names.split(' ').map(|name| board.parse_square(name).unwrap());
    Tour::new(&board, squares.collect()).unwrap()
}

fn attribute(svg: &str, class: &str, name: &str) -> Option<String> {
    let document = Document::parse(svg).unwrap();
    let mut nodes = document.descendants();
    let node =
        nodes.find(|node| node.attribute("class") == Some(class) && node.attribute(name).is_some());
    node.and_then(|node| node.attribute(name)).map(str::to_owned)
}

#[test]
fn a_hole_is_blank_in_a_picture_and_in_text() {
    let ring = Subject::new(tour("3x3 without=b2", "a1 c2 a3 b1 c3 a2 c1 b3"), true).unwrap();
    let svg = draw::svg(&ring, &Style::default());
    assert_eq!(attribute(&svg, "ground", "d").as_deref(), Some("M1 1h1v1h-1z"));
    assert!(svg.contains("<polygon class=\"tour\""));
    let mut text = String::new();
    draw::text(&ring, TextStyle::Boxes, &mut text);
    let expected = "\
3x3 without=b2, closed, symmetric under quarter turns, reflection top to bottom, reflection left to \
right, reflection in the diagonal from a1 and reflection in the other diagonal
  ┌───┬───┬───┐
3 │ 3 │ 8 │ 5 │
  ├───┼───┼───┤
2 │ 6 │   │ 2 │
  ├───┼───┼───┤
1 │ 1 │ 4 │ 7 │
  └───┴───┴───┘
   a   b   c
";
    assert_eq!(text, expected);
    text.clear();
    draw::text(&ring, TextStyle::Colours, &mut text);
    assert!(text.contains("6 \x1b[0m   \x1b[38"), "{text:?}");
}

#[test]
fn a_move_across_an_edge_leaves_the_board_and_enters_it_opposite() {
    let ring = tour("1x3 piece=wazir wrap=cylinder", "a1 b1 c1");
    let path = |as_cycle| {
        let subject = Subject::new(ring.clone(), as_cycle).unwrap();
        attribute(&draw::svg(&subject, &Style::default()), "tour", "d")
    };
    assert_eq!(path(false), None);
    assert_eq!(
        path(true).as_deref(),
        Some("M0.5 0.5L1.5 0.5L2.5 0.5L3.000 0.500M0.000 0.500L0.5 0.5")
    );
    // A knight on a cylinder of 3x4 goes from d1 to b2, and on a Moebius strip to b2 as well, which
    // is the mirror image of the row that it would reach.
    let exit = |description: &str, from: &str, to: &str| {
        let board = board(description);
        let ends = [from, to].map(|name| board.parse_square(name).unwrap());
        let edge = UsedEdge { ends, share: 1.0, says: String::new() };
        let map = edge_map("map", &board, &[edge]).unwrap().document();
        let document = Document::parse(&map).unwrap();
        let lines = document.descendants().filter(|node| node.attribute("class") == Some("edge"));
        lines.count()
    };
    assert_eq!(exit("3x4 wrap=cylinder", "d1", "b2"), 1, "a plain move is one line");
    assert_eq!(exit("3x5 wrap=cylinder", "e1", "b2"), 2);
    assert_eq!(exit("3x5 wrap=moebius", "e1", "b2"), 2);
    assert_eq!(exit("5x5 wrap=torus", "c5", "d2"), 2);
}

#[test]
fn a_graph_is_not_drawn() {
    let path = tour("graph 1-2,2-3", "1 2 3");
    let refused = Subject::new(path.clone(), true).unwrap_err();
    assert_eq!(refused.to_string(), "a graph cannot be drawn: its vertices have no places");
    assert_eq!(heat_map("map", &path.board(), &[]).err(), Some(NotDrawn::Graph));
    assert_eq!(edge_map("map", &path.board(), &[]).err(), Some(NotDrawn::Graph));
}

#[test]
fn maps_of_a_board_have_no_square_in_a_hole() {
    let ring = board("1x30 piece=king without=b1,c1,d1,e1");
    let counts = vec![Tally::from(1_u32); ring.squares()];
    for map in [heat_map("map", &ring, &counts), edge_map("map", &ring, &[])] {
        let map = map.unwrap().document();
        let squares = map.matches("class=\"cell\"").count() + map.matches("class=\"heat\"").count();
        assert_eq!(squares, 26);
    }
}

/// Returns the tours of a page of one board, each as its places, by an independent decoder.
fn decoded(html: &str, board: &Board) -> Vec<(u64, Vec<Square>)> {
    const DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (_, rest) = html.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    let data: Value = serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap();
    let [run] = &data["runs"].as_array().unwrap()[..] else { panic!("one board") };
    let ground = &data["grounds"][run["ground"].as_u64().unwrap() as usize];
    assert_eq!(ground["name"], board.description());
    assert_eq!(ground["squares"], board.squares());
    let width = ground["digits"].as_u64().unwrap() as usize;
    let records = run["records"].as_str().unwrap();
    let digits: Vec<usize> = records.chars().map(|c| DIGITS.find(c).unwrap()).collect();
    let number = |digits: &[usize]| digits.iter().fold(0, |value, digit| value * 64 + digit);
    let square = |digits: &[usize]| {
        let place = number(digits) as i64;
        board.at(place / i64::from(board.cols()), place % i64::from(board.cols())).unwrap()
    };
    let records = digits.chunks(6 + width * (board.squares() - 1));
    let tour = |record: &[usize]| {
        let rest = record[6..].chunks(width).map(square);
        let squares = std::iter::once(square(&record[2..6])).chain(rest).collect();
        (number(&record[..2]) as u64 >> 8, squares)
    };
    records.map(tour).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn pictures_of_any_board_are_well_formed_and_a_page_holds_the_tours(
        board in any_layout(16),
        is_closed in any::<bool>(),
    ) {
        prop_assume!(!board.is_plain());
        let question = if is_closed { Question::closed(board.clone()) } else { Question::open(board.clone()) };
        let tours = first_tours(&question, 5);
        let mut page = Gallery::new(Style::default());
        let mut expected = Vec::new();
        for tour in &tours {
            let subject = Subject::new(tour.clone(), is_closed).unwrap();
            let svg = draw::svg(&subject, &Style { numbers: true, title: None });
            prop_assert!(Document::parse(&svg).is_ok() && !svg.contains("NaN") && !svg.contains("inf"));
            draw::text(&subject, TextStyle::Colours, &mut String::new());
            page.add(&subject).unwrap();
            expected.push((subject.kind() as u64, tour.squares().to_vec()));
        }
        if !tours.is_empty() {
            prop_assert_eq!(decoded(&page.html(), &board), expected);
        }
    }
}

#[test]
fn only_pages_of_such_boards_have_the_lines_of_the_script_for_them() {
    let page = |tour: Tour| {
        let mut page = Gallery::new(Style::default());
        page.add(&Subject::new(tour, true).unwrap()).unwrap();
        page.html()
    };
    let plain = page(tour("3x4", "a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3"));
    assert!(!plain.contains("ground;") && !plain.contains("any board"));
    assert!(plain.contains("<title>Knight&#39;s tour of 3x4</title>"));
    let torus = page(tour("1x3 piece=wazir wrap=torus", "a1 b1 c1"));
    assert!(torus.contains("// any board"));
    assert!(torus.contains("<title>Tour of 1x3 piece=wazir wrap=torus</title>"));
    assert!(torus.contains("L3.000 0.500M0.000 0.500"));
}

#[test]
fn a_tour_that_a_shift_keeps_is_symmetric() {
    let ring = tour("1x5 piece=wazir wrap=cylinder", "a1 b1 c1 d1 e1");
    assert!(ring.symmetries(true).iter().any(|symmetry| matches!(symmetry, Symmetry::Shift(_))));
    let subject = Subject::new(ring, true).unwrap();
    assert_eq!(subject.kind(), TourKind::Closed);
    assert!(subject.to_string().ends_with("and a map across joined edges"), "{subject}");
}
