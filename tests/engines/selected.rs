//! Tours with steps given and tours that a symmetry keeps, against filters of all tours of a board.

use crate::common::by_frontier;
use fastrand::Rng;
use kt_enum::board::{Board, Layout, MoveOrder, Square, Symmetry, Wrap};
use kt_enum::classes;
use kt_enum::list::{self, ListSettings, Listing};
use kt_enum::question::Question;
use kt_enum::solve::{Clue, Extent, Puzzle, solve};
use kt_enum::tally::Tally;
use kt_enum_puzzles::solve::solve_in_order;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

const TURNS_AND_REFLECTIONS: [Symmetry; 6] = [
    Symmetry::HalfTurn,
    Symmetry::QuarterTurn,
    Symmetry::FlipCols,
    Symmetry::FlipRows,
    Symmetry::Transpose,
    Symmetry::AntiTranspose,
];

type Squares = Vec<Square>;

/// All tours of a board as the walk lists them; `None` if there are more than `most`.
fn listed(board: &Board, is_closed: bool, start: Square, most: usize) -> Option<Vec<Squares>> {
    let question = match is_closed {
        true => Question::closed(board.clone()),
        false => Question::open(board.clone()),
    };
    let listing = Listing::closing_at(question, MoveOrder::default(), start).unwrap();
    let settings = ListSettings { limit: Some(most as u64 + 1), ..ListSettings::default() };
    let mut text = Vec::new();
    list::list(&listing, &settings, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let square = |name: &str| board.parse_square(name).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let tours: Vec<Squares> =
        lines.map(|line| line.split_whitespace().map(square).collect()).collect();
    (tours.len() <= most).then_some(tours)
}

/// The numberings of a tour that have the clues: the tour itself if it is open, and otherwise from
/// any square in either direction.
fn numberings(tour: &Squares, is_closed: bool, clues: &[Clue]) -> Vec<Squares> {
    let mut all = vec![tour.clone()];
    if let Some(first) = clues.first().filter(|_| is_closed) {
        let mut reverse = tour.clone();
        reverse.reverse();
        all.push(reverse);
        for tour in &mut all {
            let at = tour.iter().position(|&square| square == first.square).unwrap();
            tour.rotate_left(at);
            tour.rotate_right(first.step - 1);
        }
    }
    let fits = |tour: &Squares| clues.iter().all(|clue| tour[clue.step - 1] == clue.square);
    all.into_iter().filter(fits).collect()
}

/// The cycle or path without its start and direction.
fn undirected(tour: &[Square], is_closed: bool) -> Squares {
    let mut readings = vec![tour.to_vec(), tour.iter().rev().copied().collect()];
    if is_closed {
        for reading in &mut readings {
            let first = reading.iter().position(|square| square.index() == 0).unwrap();
            reading.rotate_left(first);
        }
    }
    readings.into_iter().min().unwrap()
}

fn solved(puzzle: &Puzzle) -> BTreeSet<Squares> {
    let mut all = BTreeSet::new();
    let found = solve(puzzle, Extent::default(), &|| false, &mut |squares| {
        assert!(all.insert(squares.to_vec()), "a solution comes twice");
        ControlFlow::Continue(())
    });
    assert!(found.is_complete);
    all
}

fn in_order(puzzle: &Puzzle) -> Vec<Squares> {
    let mut all = Vec::new();
    let found = solve_in_order(puzzle, &MoveOrder::default(), &|| false, &mut |squares| {
        all.push(squares.to_vec());
        ControlFlow::Continue(())
    });
    assert_eq!((found.count, found.is_complete), (all.len() as u64, true));
    assert_eq!(found.reason.is_some(), all.is_empty());
    all
}

/// Some steps, mostly those of one of the tours.
fn some_clues(board: &Board, tours: &[Squares], is_closed: bool, random: &mut Rng) -> Vec<Clue> {
    let n = board.squares();
    let mut squares = tours[random.usize(..tours.len())].clone();
    if is_closed {
        squares.rotate_left(random.usize(..n));
    }
    if random.u32(..5) == 0 {
        random.shuffle(&mut squares);
    }
    let clue = |(step, square)| Clue { step, square };
    let mut clues: Vec<Clue> = (1..).zip(squares).map(clue).collect();
    random.shuffle(&mut clues);
    clues.truncate(random.usize(1..=4.min(n)));
    clues
}

#[test]
fn given_steps_select_what_a_filter_of_all_tours_keeps_in_the_same_order() {
    let questions = [
        ("5x5", false, 30),
        ("3x10", true, 30),
        ("6x6", true, 12),
        ("3x3 piece=king", false, 30),
        ("4x4 piece=king", true, 5),
        ("4x4 wrap=torus", false, 10),
        ("5x5 without=c3", true, 10),
        ("graph 1-2,1-3,2-3,3-4,4-5,2-5,1-5", false, 20),
        ("graph 1-2,1-3,2-3,3-4,4-5,2-5,1-5", true, 20),
    ];
    let mut random = Rng::with_seed(5);
    let (mut both_ways, mut filled) = (0, 0);
    for (text, is_closed, cases) in questions {
        let board: Board = text.parse().unwrap();
        let Some(tours) = listed(&board, is_closed, Square::from_index(0), 400_000) else {
            panic!("{text}")
        };
        for _ in 0..if tours.is_empty() { 0 } else { cases } {
            let clues = some_clues(&board, &tours, is_closed, &mut random);
            let puzzle = Puzzle::new(board.clone(), is_closed, clues.clone()).unwrap();
            let wanted: Vec<Squares> =
                tours.iter().flat_map(|tour| numberings(tour, is_closed, &clues)).collect();
            let cycles: BTreeSet<Squares> =
                wanted.iter().map(|tour| undirected(tour, is_closed)).collect();
            assert_eq!(solved(&puzzle), wanted.iter().cloned().collect(), "{text} {clues:?}");
            let directions = puzzle.directions() as usize;
            assert_eq!(cycles.len() * directions, wanted.len(), "{text} {clues:?}");
            let list = in_order(&puzzle);
            match clues[..] {
                _ if !is_closed => assert_eq!(list, wanted, "{text} {clues:?}"),
                [Clue { step: 1, square }] => {
                    assert_eq!(Some(list), listed(&board, true, square, 400_000));
                }
                _ => {
                    let kept: BTreeSet<Squares> =
                        list.iter().map(|tour| undirected(tour, true)).collect();
                    assert_eq!((list.len(), kept), (cycles.len(), cycles), "{text} {clues:?}");
                }
            }
            both_ways += usize::from(directions == 2);
            filled += usize::from(!wanted.is_empty());
        }
    }
    assert!(both_ways > 10 && filled > 80, "{both_ways} {filled}");
}

/// Compares the tours that each symmetry of a board keeps with a filter of all, also with some
/// steps given. Returns how many are kept.
fn compare_kept(board: &Board, is_closed: bool, most: usize, random: &mut Rng) -> Option<usize> {
    let tours = listed(board, is_closed, Square::from_index(0), most)?;
    let all: BTreeSet<Squares> = tours.iter().map(|tour| undirected(tour, is_closed)).collect();
    let mut sum = 0;
    for symmetry in TURNS_AND_REFLECTIONS {
        if !Symmetry::of(board).contains(&symmetry) {
            continue;
        }
        let is_kept = |tour: &&Squares| {
            let image: Squares = tour.iter().map(|&at| symmetry.apply(board, at)).collect();
            undirected(&image, is_closed) == **tour
        };
        let wanted: BTreeSet<Squares> = all.iter().filter(is_kept).cloned().collect();
        let mut wanted_clues = vec![Vec::new()];
        if let Some(tour) = wanted.iter().next() {
            wanted_clues.push(some_clues(board, std::slice::from_ref(tour), is_closed, random));
        }
        for clues in wanted_clues {
            let case = format!("{board} {is_closed} {symmetry:?} {clues:?}");
            let puzzle = Puzzle::new(board.clone(), is_closed, clues.clone()).unwrap();
            let fits = |tour: &&Squares| {
                let reverse: Squares = tour.iter().rev().copied().collect();
                !numberings(tour, is_closed, &clues).is_empty()
                    || !is_closed && !numberings(&reverse, false, &clues).is_empty()
            };
            let wanted: BTreeSet<Squares> = wanted.iter().filter(fits).cloned().collect();
            let parts = puzzle.kept_by(symmetry);
            assert!(parts.is_ok() || wanted.is_empty(), "{case}: {parts:?}");
            let parts = parts.unwrap_or_default();
            let list: Vec<Squares> = parts.iter().flat_map(in_order).collect();
            let kept: BTreeSet<Squares> =
                list.iter().map(|tour| undirected(tour, is_closed)).collect();
            assert_eq!(kept, wanted, "{case}");
            let directions = if is_closed { 1 } else { puzzle.directions() as usize };
            assert_eq!(list.len(), wanted.len() * directions, "{case}");
            let counted: usize = parts.iter().map(|part| solved(part).len()).sum();
            assert_eq!(counted, wanted.len() * puzzle.directions() as usize, "{case}");
            sum += wanted.len();
        }
    }
    Some(sum)
}

#[test]
fn a_symmetry_keeps_what_a_filter_of_all_tours_keeps() {
    let (mut random, mut all) = (Rng::with_seed(6), 0);
    for (text, is_closed, at_least) in [
        ("5x5", false, 32),
        ("3x4", false, 4),
        ("5x6", false, 0),
        ("3x10", true, 6),
        ("6x6", true, 98),
        ("3x3 piece=king", false, 0),
        ("3x3 piece=king", true, 0),
        ("4x4 piece=king", true, 0),
        ("4x4 piece=wazir", false, 0),
        ("4x6 piece=wazir", true, 0),
        ("4x4 wrap=torus", true, 0),
        ("1x4 piece=wazir", false, 0),
        ("1x4 piece=wazir wrap=cylinder", true, 0),
    ] {
        let kept = compare_kept(&text.parse().unwrap(), is_closed, 400_000, &mut random);
        assert!(kept.is_some_and(|kept| kept >= at_least), "{text}: {kept:?}");
        all += kept.unwrap_or(0);
    }
    assert!(all > 200, "{all}");
}

#[test]
fn on_random_boards_a_symmetry_keeps_what_a_filter_of_all_tours_keeps() {
    let (mut random, mut compared, mut with_tours) = (Rng::with_seed(7), 0, 0);
    let wraps: Vec<Wrap> = Wrap::NAMED.iter().map(|(wrap, _)| *wrap).collect();
    while compared < 300 {
        let side = random.u32(1..=4);
        let (rows, cols) = (side, if random.bool() { side } else { random.u32(1..=16 / side) });
        let mut without = BTreeSet::new();
        let mut layout = Layout::new(rows, cols);
        for _ in 0..random.u32(..3) {
            // Holes that a half turn keeps, or a quarter turn, or any.
            let (row, col) = (random.u32(..rows), random.u32(..cols));
            without.extend([(row, col), (rows - 1 - row, cols - 1 - col)]);
            if rows == cols && random.bool() {
                without.extend([(col, rows - 1 - row), (rows - 1 - col, row)]);
            }
        }
        layout.without = without.into_iter().collect();
        layout.piece = ["knight", "king", "wazir", "camel"][random.usize(..4)].parse().unwrap();
        layout.wrap = if random.bool() { Wrap::None } else { wraps[random.usize(..wraps.len())] };
        let Ok(board) = layout.board() else { continue };
        if let Some(kept) = compare_kept(&board, random.bool(), 2_000, &mut random) {
            compared += 1;
            with_tours += usize::from(kept > 0);
        }
    }
    assert!(with_tours > 20, "{with_tours}");
}

#[test]
fn kept_tours_add_up_to_the_classes_of_a_board() {
    let mut compared = 0;
    for (text, is_closed, published) in [
        ("6x6", true, Some(1_245_u32)),
        ("6x6", false, None),
        ("3x12", true, None),
        ("4x7", false, None),
        ("5x8", true, None),
    ] {
        let board: Board = text.parse().unwrap();
        let question = match is_closed {
            true => Question::closed(board.clone()),
            false => Question::open(board.clone()),
        };
        let mut sum = by_frontier(&question, None).undirected();
        let classes = classes::count(&question, sum.clone(), &|| false).unwrap().unwrap();
        assert!(published.is_none_or(|published| classes == published.into()), "{text}");
        let puzzle = Puzzle::new(board.clone(), is_closed, []).unwrap();
        let kept = |&symmetry: &Symmetry| -> u64 {
            // The three-quarter turn keeps what the quarter turn keeps.
            let symmetry = match symmetry {
                Symmetry::ThreeQuarterTurn => Symmetry::QuarterTurn,
                symmetry => symmetry,
            };
            let parts = puzzle.kept_by(symmetry).unwrap_or_default();
            let each = &mut |_: &[Square]| ControlFlow::Continue(());
            // The directions of a tour that is reversed belong to different parts.
            parts.iter().map(|part| solve(part, Extent::default(), &|| false, each).count).sum()
        };
        let kept = Symmetry::of(&board)[1..].iter().map(kept).sum::<u64>() / 2;
        let symmetries = Symmetry::of(&board).len() as u64;
        sum += Tally::from(kept);
        assert_eq!(sum.div_exact(symmetries), Some(classes), "{text}");
        compared += 1;
    }
    assert_eq!(compared, 5);
}
