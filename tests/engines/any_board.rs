//! Boards with holes, other pieces and joined edges, and explicit graphs: each engine against the
//! next simpler one on random boards, and published counts.

use kt_enum::board::{Board, GraphFile, Layout, Network, Piece, Square, Symmetry, Wrap, drawings};
use kt_enum::numbers::Numbers;
use kt_enum::numbers::Random;
use kt_enum::question::Question;
use kt_enum::tally::Tally;
use kt_enum::tour::Tour;
use kt_enum::units::{Assignment, Shard};
use kt_enum::{classes, list};
use kt_enum_engines::engine::{self, Engine, Name};
use kt_enum_engines::frontier::Frontier;
use kt_enum_engines::walk::{Listing, MemoSize};
use kt_enum_engines::work::{Recut, Split, Work};
use kt_enum_engines::{plain, walk};
use kt_enum_runs::run::{self, Settings, Silent};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;

const PIECES: [&str; 10] =
    ["knight", "king", "wazir", "ferz", "camel", "zebra", "giraffe", "0,1+1,2", "K+N", "hex"];

/// Rectangles of up to `squares` squares with a piece, joined edges and holes.
pub fn any_layout(squares: u32) -> impl Strategy<Value = Board> {
    let sides =
        (1..=squares).flat_map(move |rows| (1..=squares / rows).map(move |cols| (rows, cols)));
    let sides: Vec<(u32, u32)> = sides.collect();
    let wraps: Vec<Wrap> = Wrap::NAMED.iter().map(|(wrap, _)| *wrap).collect();
    (
        prop::sample::select(sides),
        prop::sample::select(PIECES.to_vec()),
        prop::sample::select(wraps),
        prop::collection::vec(any::<prop::sample::Index>(), 0..5),
    )
        .prop_filter_map("a square is left", |((rows, cols), piece, wrap, holes)| {
            let piece: Piece = piece.parse().unwrap();
            let hole = |hole: prop::sample::Index| {
                let hole = hole.index((rows * cols) as usize) as u32;
                (hole / cols, hole % cols)
            };
            let without = holes.into_iter().map(hole).collect();
            Layout { rows, cols, without, piece, wrap }.board().ok()
        })
}

/// Rectangles as above whose holes are their own images under a reflection, so that most boards
/// have an exchange, and often ties and edges that are their own images.
fn any_symmetric_layout(squares: u32) -> impl Strategy<Value = Board> {
    let pieces = ["knight", "king", "wazir", "zebra", "camel", "hex"];
    let sides =
        (2..=6_u32).flat_map(move |rows| (2..=squares / rows).map(move |cols| (rows, cols)));
    let wraps = Wrap::NAMED.iter().map(|(wrap, _)| *wrap).collect::<Vec<Wrap>>();
    let hole = prop::option::weighted(0.4, any::<prop::sample::Index>());
    let side = prop::sample::select(sides.collect::<Vec<_>>());
    let piece = prop::sample::select(pieces.to_vec());
    (side, piece, prop::sample::select(wraps), hole).prop_filter_map(
        "a square is left",
        |((rows, cols), piece, wrap, hole)| {
            let holes = hole.map(|hole| {
                let hole = hole.index((rows * cols) as usize) as u32;
                let (row, col) = (hole / cols, hole % cols);
                [(row, col), (rows - 1 - row, col), (row, cols - 1 - col)]
                    .into_iter()
                    .chain([(rows - 1 - row, cols - 1 - col)])
            });
            let without = holes.into_iter().flatten().collect();
            Layout { rows, cols, without, piece: piece.parse().unwrap(), wrap }.board().ok()
        },
    )
}

/// Returns the cuts that a question can have with this number of sliced squares.
fn cuts(question: &Question, sliced: u32) -> Vec<Split> {
    let squares = (0..=question.board.squares()).map(|at| at.to_string());
    let classes = squares.chain(["middle", "middle2", "middle", "middle2"].map(str::to_owned));
    let splits = classes.filter_map(|class| Split::parse_cut(&format!("{class}:{sliced}")).ok());
    splits.filter(|split| Frontier::new(question.clone(), Some(*split)).is_ok()).collect()
}

/// Graphs of up to `vertices` vertices.
pub fn any_graph(vertices: usize) -> impl Strategy<Value = Board> {
    (1..=vertices, 1..10_u32).prop_flat_map(|(count, tenths)| {
        let edges = prop::collection::vec(0..10_u32, count * count);
        edges.prop_map(move |drawn| {
            let name = |vertex: usize| format!("v{vertex}");
            let pairs = (0..count).flat_map(|one| (0..one).map(move |other| (one, other)));
            let chosen = pairs.zip(&drawn).filter(|(_, drawn)| **drawn < tenths);
            let edges: Vec<_> = chosen.map(|((one, other), _)| (name(one), name(other))).collect();
            Board::of_network(&Network::new(edges, (0..count).map(name)).unwrap())
        })
    })
}

/// Rings of 3 to 20 vertices with a few chords.
fn any_ring() -> impl Strategy<Value = Board> {
    let chords = prop::collection::btree_set((0..20_u32, 0..20_u32), 0..12);
    (3..=20_u32, chords).prop_map(|(count, chords)| {
        let is_chord =
            |one, other| chords.contains(&(one, other)) || chords.contains(&(other, one));
        graph(count, |one, other| [1, count - 1].contains(&(one - other)) || is_chord(one, other))
    })
}

pub fn any_board(squares: u32) -> impl Strategy<Value = Board> {
    prop_oneof![2 => any_layout(squares), 1 => any_graph(squares.min(8) as usize)]
}

pub fn any_question(squares: u32) -> impl Strategy<Value = Question> {
    any_question_of(any_board(squares))
}

/// Open and closed tours of some boards, with and without fixed ends.
fn any_question_of(boards: impl Strategy<Value = Board>) -> impl Strategy<Value = Question> {
    (boards, 0..5_u32, any::<u32>(), any::<u32>()).prop_map(|(board, kind, one, other)| {
        let square = |number: u32| Some(Square::from_index(number as usize % board.squares()));
        let (one, other) = (square(one), square(other));
        match kind {
            0 => Question::open(board),
            1 => Question::closed(board),
            2 => Question::open_between(board, one, None),
            3 => Question::open_between(board, None, other),
            _ => Question::open_between(board, one, other),
        }
    })
}

/// The directed tours by an engine; `None` if it cannot answer the question.
fn counted(name: Name, question: &Question) -> Option<Tally> {
    let work = Engine::new(&name, question.clone(), None, MemoSize::Cache).ok()?;
    Some(run::count(&*work, Settings::default(), &mut Silent).unwrap().units.directed())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn every_engine_counts_what_plain_backtracking_counts_on_any_board(
        question in any_question(10),
    ) {
        let plainly = plain::count(&question);
        prop_assert_eq!(counted(Name::Walk, &question), Some(plainly.clone()));
        prop_assert_eq!(plain::sets::count(&question, &|| false), Some(plainly.clone()));
        for name in [Name::Frontier, Name::Subsets] {
            if let Some(count) = counted(name.clone(), &question) {
                prop_assert_eq!(count, plainly.clone(), "{}", name);
            }
        }
        if question.is_impossible() {
            prop_assert_eq!(plainly, Tally::ZERO);
        }
    }

    #[test]
    fn every_cut_of_any_board_has_the_same_tours_and_its_units_are_those_of_a_recount(
        question in any_question_of(prop_oneof![
            4 => any_symmetric_layout(15),
            1 => any_layout(12),
            1 => any_graph(12),
            2 => any_ring(),
        ]),
        sliced in 0..10_u32,
        cut in any::<prop::sample::Index>(),
        unit in any::<prop::sample::Index>(),
    ) {
        prop_assume!(question.board.most_moves() <= 8);
        let cuts = cuts(&question, sliced);
        if cuts.is_empty() {
            return Ok(());
        }
        let work = Frontier::new(question.clone(), Some(*cut.get(&cuts))).unwrap();
        let units = run::count(&work, Settings::default(), &mut Silent).unwrap().units;
        let expected = if question.board.squares() <= 12 {
            Some(plain::count(&question))
        } else {
            counted(Name::Walk, &question)
        };
        prop_assert_eq!(Some(units.directed()), expected);
        if work.units() > 0 {
            let unit = unit.index(work.units());
            let recount = work.recount(unit, &work.begin(unit), u64::MAX, &|| false).unwrap();
            prop_assert_eq!(&recount.count, &units.counts[unit].1, "by {}", recount.by);
        }
    }

    #[test]
    fn sets_of_squares_are_counted_alike_on_dense_graphs(
        question in any_question_of(any_graph(13)),
    ) {
        let plainly = plain::sets::count(&question, &|| false);
        prop_assert_eq!(counted(Name::Subsets, &question), plainly.clone());
        if let Some(count) = counted(Name::Frontier, &question) {
            prop_assert_eq!(Some(count), plainly);
        }
    }

    #[test]
    fn the_frontier_counts_what_the_walk_counts_on_any_board(question in any_question(16)) {
        // Walks of boards with more moves have no transposition table and take minutes.
        prop_assume!(question.board.most_moves() <= 8);
        if let Some(count) = counted(Name::Frontier, &question) {
            prop_assert_eq!(Some(count), counted(Name::Walk, &question));
        }
    }

    #[test]
    fn every_engine_counts_what_plain_backtracking_counts_on_rings_with_chords(
        question in any_question_of(any_ring()),
    ) {
        let plainly = plain::count(&question);
        for name in [Name::Walk, Name::Frontier] {
            if let Some(count) = counted(name.clone(), &question) {
                prop_assert_eq!(count, plainly.clone(), "{}", name);
            }
        }
    }

    #[test]
    fn lists_of_any_board_have_every_tour_once(question in any_question(10)) {
        let listing = Listing::new(question.clone(), Default::default()).unwrap();
        let mut tours = BTreeSet::new();
        let mut count = 0_u64;
        let done = walk::visit(&listing, |tour| {
            tours.insert(tour.to_vec());
            count += 1;
            if count < 20_000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        prop_assert_eq!(tours.len() as u64, count);
        if done.is_continue() {
            let each = if question.is_closed() { 2_u32 } else { 1 };
            prop_assert_eq!(Tally::from(count) * u128::from(each), plain::count(&question));
        }
        let (mut lines, limit) = (Vec::new(), Some(20_000));
        let settings = list::ListSettings { limit, ..Default::default() };
        prop_assert_eq!(list::list(&listing, &settings, &mut lines).unwrap().tours, count);
    }

    #[test]
    fn the_text_of_a_board_and_its_serialized_form_read_back(board in any_board(20)) {
        prop_assert_eq!(board.description().parse(), Ok(board.clone()));
        let bytes = bincode::serialize(&board).unwrap();
        prop_assert_eq!(bincode::deserialize::<Board>(&bytes).unwrap(), board);
    }

    #[test]
    fn symmetries_of_any_board_are_a_group_of_maps_that_keep_moves(board in any_board(16)) {
        prop_assume!(Symmetry::of(&board).len() <= 200);
        let image = |symmetry: &Symmetry| -> Vec<Square> {
            board.all_squares().map(|square| symmetry.apply(&board, square)).collect()
        };
        let images: BTreeSet<Vec<Square>> = Symmetry::of(&board).iter().map(image).collect();
        if !board.is_plain() {
            prop_assert_eq!(images.len(), Symmetry::of(&board).len());
        }
        for map in &images {
            for other in &images {
                let product: Vec<Square> = map.iter().map(|s| other[s.index()]).collect();
                prop_assert!(images.contains(&product));
            }
            for from in board.all_squares() {
                for to in board.moves(from) {
                    prop_assert!(board.are_neighbours(map[from.index()], map[to.index()]));
                }
            }
        }
    }

    #[test]
    fn classes_of_any_board_are_those_of_its_list(
        board in any_board(10),
        is_closed in any::<bool>(),
    ) {
        prop_assume!(Symmetry::of(&board).len() > 1);
        let question = if is_closed { Question::closed(board) } else { Question::open(board) };
        let undirected = &plain::count(&question) / u64::from(question.directions());
        prop_assume!(!question.board.is_plain() && undirected < Tally::from(5_000_u32));
        let mut classes = BTreeSet::new();
        plain::visit(&question, &mut |tour| {
            let tour = Tour::new(&question.board, tour.to_vec()).unwrap();
            classes.insert(if is_closed { tour.closed_class() } else { tour.open_class() });
        });
        let counted = classes::count(&question, undirected, &|| false).unwrap();
        prop_assert_eq!(counted, Some(Tally::from(classes.len() as u64)));
    }
}

/// The rows of a golden table.
fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    table.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect())
}

fn undirected(question: &Question) -> Tally {
    let name = engine::fastest(question);
    let directed = counted(name, question).unwrap();
    &directed / u64::from(question.directions())
}

/// Checks a published count, and where there are few tours, by every engine.
fn check(question: &Question, expected: &str) {
    const FEW: u64 = 500_000;
    assert_eq!(undirected(question).to_string(), expected, "{question}");
    if expected.parse::<u64>().is_ok_and(|tours| tours <= FEW) {
        for name in [Name::Walk, Name::Frontier] {
            if let Some(directed) = counted(name.clone(), question) {
                let undirected = &directed / u64::from(question.directions());
                assert_eq!(undirected.to_string(), expected, "{question} by {name}");
            }
        }
    }
}

/// A question of the tables.
fn question(description: &str, tours: &str) -> Question {
    let board: Board = description.parse().unwrap();
    if tours == "open" { Question::open(board) } else { Question::closed(board) }
}

#[test]
fn small_boards_with_joined_edges_have_the_same_tours_by_every_cut_through_the_middle() {
    let sizes = (1..=5_u32).flat_map(|rows| (3..=7_u32).map(move |cols| (rows, cols)));
    let mut compared = 0;
    for (rows, cols) in sizes.filter(|(rows, cols)| rows * cols <= 15) {
        for other in ["wrap=cylinder", "wrap=torus", "wrap=moebius", "piece=king wrap=cylinder"] {
            let Ok(board) = format!("{rows}x{cols} {other}").parse::<Board>() else { continue };
            for question in [Question::open(board.clone()), Question::closed(board.clone())] {
                let expected = counted(Name::Subsets, &question);
                for cut in ["middle:4", "middle2:4"] {
                    let cut = Split::parse_cut(cut).unwrap();
                    let Ok(work) = Frontier::new(question.clone(), Some(cut)) else { continue };
                    let units = run::count(&work, Settings::default(), &mut Silent).unwrap().units;
                    assert_eq!(Some(units.directed()), expected, "{question} {cut}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 100, "{compared} compared");
}

#[test]
fn published_counts_of_other_pieces_and_joined_edges_are_reproduced() {
    const MOST_SQUARES: u32 = 30;
    for row in rows(include_str!("../golden/any-board.tsv")) {
        let [rows, cols, piece, wrap, tours, expected, _source] = row[..] else {
            panic!("{row:?} has other columns");
        };
        if rows.parse::<u32>().unwrap() * cols.parse::<u32>().unwrap() > MOST_SQUARES {
            continue;
        }
        let mut text = format!("{rows}x{cols} piece={piece}");
        if wrap != "none" {
            text += &format!(" wrap={wrap}");
        }
        check(&question(&text, tours), expected);
    }
}

#[test]
fn published_counts_of_strips_without_two_squares_are_reproduced() {
    for row in rows(include_str!("../golden/holes.tsv")) {
        let [rows, cols, without, tours, expected, _source] = row[..] else {
            panic!("{row:?} has other columns");
        };
        if cols.parse::<u32>().unwrap() > 16 {
            continue;
        }
        check(&question(&format!("{rows}x{cols} without={without}"), tours), expected);
    }
}

/// Hamiltonian cycles of triangles of hexagons, by the side: OEIS A112676.
const TRIANGLES: [(u32, &str); 6] =
    [(3, "1"), (4, "3"), (5, "26"), (6, "474"), (7, "17214"), (8, "1371454")];

#[test]
fn published_counts_of_triangles_of_hexagons_are_reproduced() {
    for (side, expected) in TRIANGLES {
        let beyond = (0..side).flat_map(|row| (row + 1..side).map(move |col| (row, col)));
        let without = beyond.collect();
        let triangle = Layout { without, piece: Piece::hex(), ..Layout::new(side, side) };
        check(&question(&triangle.to_string(), "closed"), expected);
    }
}

#[test]
fn hexagons_have_their_symmetries_in_a_rectangle_with_empty_sides_too() {
    for [up, right] in [[0, 0], [0, 1], [1, 0], [2, 1]] {
        let sides = Layout::new(3 + up, 3 + right);
        let is_empty = |&(row, col): &(u32, u32)| row < up || col < right;
        let places = (0..3 + up).flat_map(|row| (0..3 + right).map(move |col| (row, col)));
        let without = places.filter(is_empty).collect();
        let rhombus = Layout { without, piece: Piece::hex(), ..sides }.board().unwrap();
        assert_eq!(Symmetry::of(&rhombus).len(), 4);
        for (tours, expected) in [("open", "92"), ("closed", "4")] {
            check(&question(&rhombus.description(), tours), expected);
        }
    }
}

#[test]
fn a_hexagon_has_twelve_symmetries_and_the_counts_of_its_graph() {
    let edges = include_bytes!("../golden/pasted/hex19.edges");
    let graph = Board::of_network(&GraphFile::read(edges, None).unwrap().graphs[0]);
    let hexagon = Layout::hexagon(3).board().unwrap();
    assert_eq!((hexagon.squares(), Symmetry::of(&hexagon).len()), (19, 12));
    for tours in ["open", "closed"] {
        let counted = |board: &Board| undirected(&question(&board.description(), tours));
        assert_eq!(counted(&hexagon), counted(&graph), "{tours}");
    }
    for side in 2..7 {
        let hexagon = Layout::hexagon(side);
        let squares = hexagon.board().unwrap().squares();
        assert_eq!(squares, (3 * side * (side - 1) + 1) as usize);
        assert_eq!(hexagon.to_string().parse::<Layout>(), Ok(hexagon));
    }
    let torus = Layout { wrap: Wrap::Torus, ..Layout::hexagon(3) };
    assert_eq!(torus.board().unwrap_err().to_string(), "a hexagonal board has no joined edges");
}

/// The tours of a question with the numbers from 1 to the last, and their numbers again.
fn numbered(question: &Question) -> Option<(Vec<Tour>, Vec<Option<Tally>>)> {
    let frontier = Frontier::new(question.clone(), None).ok()?;
    let settings = Settings { keep_layers: true, ..Settings::default() };
    let units = run::count(&frontier, settings, &mut Silent).unwrap().units;
    let numbers = Numbers::new(&frontier, &units, 2, None, Arc::default()).unwrap();
    let last = numbers.last().to_string().parse::<u64>().unwrap();
    let all: Vec<Tally> = (1..=last.min(3_000)).map(Tally::from).collect();
    let tours = numbers.tours(&all, &mut Silent).unwrap();
    let again = numbers.numbers(&tours, &mut Silent).unwrap();
    Some((tours, again))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(35))]

    #[test]
    fn numbers_of_any_board_are_all_its_tours_and_lead_back_to_them(
        question in any_question(11),
    ) {
        let Some((tours, again)) = numbered(&question) else {
            return Ok(());
        };
        for (place, number) in again.iter().enumerate() {
            prop_assert_eq!(number, &Some(Tally::from(place as u64 + 1)));
        }
        let different: BTreeSet<_> = tours.iter().map(Tour::squares).collect();
        prop_assert_eq!(different.len(), tours.len());
        let plainly = &plain::count(&question) / u64::from(question.directions());
        prop_assert_eq!(Tally::from(tours.len() as u64), plainly.min(Tally::from(3_000_u32)));
        for tour in &tours {
            prop_assert!(!question.is_closed() || tour.is_reentrant());
        }
    }

    #[test]
    fn units_of_any_board_are_recounted_by_simpler_means(
        question in any_question(10),
        unit in any::<prop::sample::Index>(),
    ) {
        for name in [Name::Walk, Name::Frontier] {
            let Ok(work) = Engine::new(&name, question.clone(), None, MemoSize::Off) else {
                continue;
            };
            if work.units() == 0 {
                continue;
            }
            let units = run::count(&*work, Settings::default(), &mut Silent).unwrap().units;
            let unit = unit.index(work.units());
            let recount = work.recount(unit, &work.begin(unit), u64::MAX, &|| false).unwrap();
            prop_assert_eq!(&recount.count, &units.counts[unit].1, "{} by {}", name, recount.by);
        }
    }

    #[test]
    fn units_of_any_board_are_recounted_at_another_cut(
        question in any_question(16),
        unit in any::<prop::sample::Index>(),
    ) {
        if let Ok(work) = Frontier::new(question, None)
            && work.units() > 0
            && let unit = unit.index(work.units())
            && let Some(Recut { work: recut, images, .. }) = work.recut(unit)
        {
            let count = |work: &dyn Work| {
                run::count(work, Settings::default(), &mut Silent).unwrap().units
            };
            let recounted = count(&*recut).directed() * u128::from(images);
            prop_assert_eq!(recounted, count(&work).counts[unit].1.clone());
        }
    }

    #[test]
    fn shards_of_any_board_add_up_to_the_whole(
        question in any_question(18),
        of in 2..6_u32,
    ) {
        let name = engine::fastest(&question);
        let whole = counted(name.clone(), &question).unwrap();
        let mut sum = Tally::ZERO;
        for index in 0..of {
            let mut work = Engine::new(&name, question.clone(), None, MemoSize::Off).unwrap();
            let shard = Shard::new(index, of).unwrap().by(Assignment::Group);
            let units = shard.units_of(&*work);
            work.restrict_to(units.numbers(), 1.0);
            let settings = Settings { shard, ..Settings::default() };
            sum += run::count(&*work, settings, &mut Silent).unwrap().units.directed();
        }
        prop_assert_eq!(sum, whole);
    }
}

/// The graph with these vertices whose edges are the pairs that satisfy a condition.
fn graph(vertices: u32, is_edge: impl Fn(u32, u32) -> bool) -> Board {
    let pairs = (0..vertices).flat_map(|one| (0..one).map(move |other| (one, other)));
    let edges = pairs.filter(|&(one, other)| is_edge(one, other));
    let named: Vec<_> = edges.map(|(one, other)| (one.to_string(), other.to_string())).collect();
    Board::of_network(&Network::new(named, (0..vertices).map(|v| v.to_string())).unwrap())
}

/// The edges of an 8x10 grid whose opposite corners are joined through two more vertices.
fn is_parity_clash(one: u32, other: u32) -> bool {
    match one {
        80 => other == 0,
        81 => other == 79 || other == 80,
        _ if one == other + 1 => !one.is_multiple_of(10),
        _ => one == other + 10,
    }
}

#[test]
fn tours_of_toruses_with_five_holes_are_counted_alike_by_two_engines() {
    for without in ["c2,b3,d3,c4,c3", "b2,d2,b4,d4,c3"] {
        let question = question(&format!("5x5 wrap=torus without={without}"), "closed");
        for name in [Name::Walk, Name::Frontier] {
            assert_eq!(counted(name, &question).unwrap(), Tally::from(2 * 5_470_080_u32));
        }
    }
}

#[test]
fn cycles_of_ten_vertices_that_are_all_joined_are_recounted_unit_by_unit() {
    let question = Question::closed(graph(10, |_, _| true));
    let work = Engine::new(&Name::Walk, question, None, MemoSize::Off).unwrap();
    let units = run::count(&*work, Settings::default(), &mut Silent).unwrap().units;
    assert_eq!(units.undirected(), Tally::from(181_440_u32));
    for (unit, (_, count)) in units.counts.iter().enumerate() {
        assert_eq!(
            work.recount(unit, &work.begin(unit), u64::MAX, &|| false).unwrap().count,
            *count
        );
    }
}

#[test]
fn boards_with_many_states_are_divided_into_many_units() {
    for board in ["8x8 without=a1,h1,a8,h8", "8x8 without=d4,e4,d5,e5", "12x12 piece=king"] {
        let question = question(board, "closed");
        assert!(Frontier::new(question, None).unwrap().units() >= 40, "{board}");
    }
}

#[test]
fn a_list_has_the_one_tour_of_a_triangle_and_of_an_edge_with_a_fixed_end() {
    let start = Some(Square::from_index(1));
    for question in [
        Question::closed(graph(3, |_, _| true)),
        Question::open_between(graph(2, |_, _| true), start, None),
    ] {
        let listing = Listing::new(question, Default::default()).unwrap();
        let listed = list::list(&listing, &Default::default(), &mut Vec::new()).unwrap();
        assert_eq!(listed.tours, 1);
    }
}

#[test]
fn units_of_small_boards_say_the_same_run_again() {
    let question = question("2x4 piece=king", "closed");
    let work = Engine::new(&Name::Frontier, question, None, MemoSize::Off).unwrap();
    assert!(Engine::of(&work.identity()).is_ok());
}

#[test]
fn published_counts_of_graphs_are_reproduced() {
    let part = |vertex: u32| [4, 9, 15].iter().position(|&end| vertex < end);
    for (board, cycles) in [
        (graph(32, |one, other| (one ^ other).is_power_of_two()), "906545760"),
        (graph(15, |one, other| part(one) != part(other)), "207360000"),
        (graph(82, is_parity_clash), "0"),
    ] {
        let question = Question::closed(board);
        assert_eq!(undirected(&question).to_string(), cycles, "{question}");
        let frontier = counted(Name::Frontier, &question).unwrap();
        assert_eq!((&frontier / 2).to_string(), cycles, "{question}");
    }
}

/// OEIS A159344: cycles of cubes up to their symmetries.
#[test]
fn published_classes_of_cycles_of_cubes_are_reproduced() {
    for (vertices, cycles, expected) in [(8, 6, 1), (16, 1_344, 9), (32, 906_545_760, 237_675)] {
        let cube = graph(vertices, |one, other| (one ^ other).is_power_of_two());
        let cycles = Tally::from(cycles as u32);
        let counted = classes::count(&Question::closed(cube), cycles, &|| false).unwrap();
        assert_eq!(counted, Some(Tally::from(expected as u32)), "{vertices} vertices");
    }
}

#[test]
fn a_board_saved_by_a_program_with_other_orders_is_refused() {
    let board: Board = "3x4 without=a1".parse().unwrap();
    let saved = bincode::serialize(&(0_u32, Board::ORDERS - 1, board.description())).unwrap();
    let error = bincode::deserialize::<Board>(&saved).unwrap_err().to_string();
    assert!(error.contains("another version of kt-enum"), "{error}");
}

#[test]
fn published_counts_of_a_shape_of_36_squares_are_reproduced_by_every_engine() {
    let drawing =
        "#...####\n#.#..###\n#.......\n...##.#.\n.#.##...\n.......#\n##..#.##\n###...##\n";
    let board = drawings(drawing.as_bytes(), *b".#").unwrap()[0].board().unwrap();
    let closed = Question::closed(board.clone());
    let a3 = board.parse_square("a3").unwrap();
    let from_a3 = Question::open_between(board, Some(a3), None);
    for name in [Name::Walk, Name::Frontier] {
        assert_eq!(counted(name.clone(), &closed).unwrap().to_string(), "10844");
        if let Some(open) = counted(name, &from_a3) {
            assert_eq!(open.to_string(), "48422");
        }
    }
}

/// Returns the chi-square statistic of draws, each a number from 1 to `last`.
fn chi_square(draws: &[Vec<Square>], last: usize) -> f64 {
    let mut counts: BTreeMap<&Vec<Square>, u32> = BTreeMap::new();
    for draw in draws {
        *counts.entry(draw).or_default() += 1;
    }
    let expected = draws.len() as f64 / last as f64;
    let missing = (last - counts.len()) as f64 * expected;
    let squares = counts.values().map(|&count| (f64::from(count) - expected).powi(2) / expected);
    squares.sum::<f64>() + missing
}

#[test]
fn random_tours_of_a_graph_of_twelve_vertices_are_equally_likely() {
    let board = graph(12, |one, other| (one - other) % 11 == 1 || (one + other) % 6 == 2);
    let question = Question::open(board);
    let frontier = Frontier::new(question, None).unwrap();
    let settings = Settings { keep_layers: true, ..Settings::default() };
    let units = run::count(&frontier, settings, &mut Silent).unwrap().units;
    let numbers = Numbers::new(&frontier, &units, 2, None, Arc::default()).unwrap();
    let last: usize = numbers.last().to_string().parse().unwrap();
    let mut random = Random::new(7);
    let drawn: Vec<Tally> =
        (0..20 * last).map(|_| random.number_up_to(numbers.last()).unwrap()).collect();
    let tours = numbers.tours(&drawn, &mut Silent).unwrap();
    let draws: Vec<Vec<Square>> = tours.iter().map(|tour| tour.squares().to_vec()).collect();
    // The statistic is nearly normal with these degrees of freedom; five standard deviations are
    // passed once in millions.
    let freedom = (last - 1) as f64;
    assert!(last > 100, "{last} tours");
    assert!((chi_square(&draws, last) - freedom).abs() < 5.0 * (2.0 * freedom).sqrt());
}
