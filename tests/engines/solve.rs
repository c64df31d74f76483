//! Puzzles: the solver against plain backtracking, the engines and published boards, and puzzles
//! made from tours.

use crate::common::by_frontier;
use fastrand::Rng;
use kt_enum::board::{Board, Layout, Network, Square, Symmetry, Wrap};
use kt_enum::question::Question;
use kt_enum::solve::{
    Clue, Extent, GivenEnds, MakeError, Puzzle, PuzzleError, Reason, Recipe, Solutions, Verdict,
    Why, any_tour, difficulty, hint, make, solve, verdict,
};
use kt_enum::tour::Tour;
use std::cell::Cell;
use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

const FORWARD: &dyn Fn() -> bool = &|| false;

/// Counts solutions, and checks that each is a tour with the clues and comes once.
fn count(puzzle: &Puzzle, extent: Extent) -> Solutions {
    let mut seen = HashSet::new();
    let found = solve(puzzle, extent, &|| false, &mut |squares| {
        let tour = Tour::new(puzzle.board(), squares.to_vec()).unwrap();
        assert!(!puzzle.is_closed() || tour.is_reentrant());
        assert!(puzzle.clues().iter().all(|clue| squares[clue.step - 1] == clue.square));
        assert!(seen.insert(squares.to_vec()), "a solution comes twice");
        ControlFlow::Continue(())
    });
    assert_eq!(found.count, seen.len() as u64);
    found
}

fn ask(puzzle: &Puzzle) -> Verdict {
    verdict(puzzle, Extent::default(), &|| false)
}

/// Reads rows from the top: a number is given, `#` a hole, anything else a square to fill.
fn read(piece: &str, closed: bool, rows: &str) -> Puzzle {
    let rows: Vec<Vec<&str>> =
        rows.split('/').map(|row| row.split_whitespace().collect()).collect();
    let places = || {
        let row = |row: usize| rows[rows.len() - 1 - row].iter().enumerate();
        (0..rows.len()).flat_map(move |up| row(up).map(move |(col, token)| (up, col, *token)))
    };
    let holes = places().filter(|(.., token)| *token == "#");
    let layout = Layout {
        rows: rows.len() as u32,
        cols: rows[0].len() as u32,
        without: holes.map(|(row, col, _)| (row as u32, col as u32)).collect(),
        piece: piece.parse().unwrap(),
        wrap: Wrap::None,
    };
    let board = layout.board().unwrap();
    let clues: Vec<Clue> = places()
        .filter_map(|(row, col, token)| {
            let step = token.parse().ok()?;
            Some(Clue { step, square: board.at(row as i64, col as i64)? })
        })
        .collect();
    Puzzle::new(board, closed, clues).unwrap()
}

fn clue(board: &Board, step: usize, name: &str) -> Clue {
    Clue { step, square: board.parse_square(name).unwrap() }
}

fn knights(rows: u32, cols: u32, closed: bool, clues: &[(usize, &str)]) -> Puzzle {
    let board = Board::new(rows, cols).unwrap();
    let clues: Vec<Clue> = clues.iter().map(|&(step, name)| clue(&board, step, name)).collect();
    Puzzle::new(board, closed, clues).unwrap()
}

#[test]
fn published_puzzles_have_their_verdicts_and_numbers_of_solutions() {
    let table = include_str!("../golden/puzzles.tsv");
    let mut rows = 0;
    for row in table.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = row.split('\t').collect();
        let [name, piece, closed, wanted, solutions, _source, board] = fields[..] else {
            panic!("{row}")
        };
        let puzzle = read(piece, closed == "yes", board);
        let said = match ask(&puzzle) {
            Verdict::None(_) => "none",
            Verdict::Unique(_) => "unique",
            Verdict::Several(_) => "several",
            Verdict::Undecided(_) => "undecided",
        };
        assert_eq!(said, wanted, "{name}");
        if let Some(exact) = solutions.parse().ok().filter(|&exact: &u64| exact < 10_000) {
            let found = count(&puzzle, Extent::default());
            assert_eq!((found.count, found.is_complete), (exact, true), "{name}");
        }
        rows += 1;
    }
    assert_eq!(rows, 112);
}

#[test]
fn twelve_clues_determine_a_closed_tour() {
    let puzzle = read(
        "knight",
        true,
        ". . . . . . . . / . . . 1 18 . . . / . . 15 . . 64 . . / . 29 . . . . 4 . / . 20 . . . . 33 . \
         / . . 22 . . 57 . . / . . . 36 53 . . . / . . . . . . . .",
    );
    assert_eq!(puzzle.clues().len(), 12);
    let found = count(&puzzle, Extent::default());
    assert_eq!((found.count, found.is_complete), (1, true));
    assert!(found.nodes < 300, "{} nodes", found.nodes);
}

// Random boards

/// The number of solutions by plain backtracking, which only drops paths that miss a clue, and at
/// their ends those that miss a link; `None` if it takes more than `moves`.
fn by_backtracking(puzzle: &Puzzle, mut moves: u64) -> Option<u64> {
    let n = puzzle.board().squares();
    let mut given: Vec<Option<Square>> = vec![None; n];
    puzzle.clues().iter().for_each(|clue| given[clue.step - 1] = Some(clue.square));
    if puzzle.is_closed() && puzzle.clues().is_empty() {
        given[0] = Some(Square::from_index(0));
    }
    let places = puzzle.clues().iter().map(|clue| clue.square).collect();
    let mut path = Vec::new();
    let starts = puzzle.board().all_squares();
    let count =
        starts.map(|start| extend(puzzle, &given, &places, start, &mut path, &mut moves)).sum();
    (moves > 0).then_some(count)
}

fn extend(
    puzzle: &Puzzle,
    given: &[Option<Square>],
    places: &BTreeSet<Square>,
    to: Square,
    path: &mut Vec<Square>,
    moves: &mut u64,
) -> u64 {
    let board = puzzle.board();
    let fits = given[path.len()].map_or(!places.contains(&to), |square| square == to);
    if !fits || path.contains(&to) || *moves == 0 {
        return 0;
    }
    *moves -= 1;
    path.push(to);
    let count = if path.len() < given.len() {
        board.moves(to).map(|next| extend(puzzle, given, places, next, path, moves)).sum()
    } else {
        let closes = path.len() > 2 && board.are_neighbours(to, path[0]);
        let at = |square| path.iter().position(|visited| *visited == square).unwrap();
        let has = |link: &[Square; 2]| {
            let apart = at(link[0]).abs_diff(at(link[1]));
            apart == 1 || puzzle.is_closed() && apart == path.len() - 1
        };
        u64::from((!puzzle.is_closed() || closes) && puzzle.links().iter().all(has))
    };
    path.pop();
    count
}

fn random_board(random: &mut Rng) -> Option<Board> {
    const PIECES: [&str; 10] =
        ["knight", "king", "wazir", "ferz", "camel", "zebra", "0,1+1,2", "K+N", "0,3+2,2", "hex"];
    if random.u32(..5) == 0 {
        let (vertices, tenths) = (random.usize(1..=11), random.u32(2..10));
        let name = |vertex: usize| format!("v{vertex}");
        let pairs = (0..vertices).flat_map(|one| (0..one).map(move |other| (one, other)));
        let edges: Vec<_> = pairs
            .filter(|_| random.u32(..10) < tenths)
            .map(|(one, other)| (name(one), name(other)))
            .collect();
        return Some(Board::of_network(&Network::new(edges, (0..vertices).map(name)).unwrap()));
    }
    let rows = random.u32(1..=6);
    let cols = random.u32(1..=(25 / rows).min(9));
    let wraps: Vec<Wrap> = Wrap::NAMED.iter().map(|(wrap, _)| *wrap).collect();
    let wrap = if random.bool() { Wrap::None } else { wraps[random.usize(..wraps.len())] };
    let holes = random.u32(..4);
    let without = (0..holes).map(|_| (random.u32(..rows), random.u32(..cols))).collect();
    let piece = PIECES[random.usize(..PIECES.len())].parse().unwrap();
    Layout { rows, cols, without, piece, wrap }.board().ok()
}

/// A part-filled board: mostly with the numbers of a tour, so that it has solutions.
fn random_puzzle(random: &mut Rng) -> Option<Puzzle> {
    let board = random_board(random)?;
    let (closed, n) = (random.bool(), board.squares());
    let empty = Puzzle::new(board.clone(), closed, []).unwrap();
    // A board without tours may take long, so the search is given up after a thousand nodes.
    let calls = Cell::new(0);
    let stop = || calls.replace(calls.get() + 1) > 15;
    let tour = any_tour(&empty, random.u64(..), &stop).filter(|_| random.u32(..5) > 0);
    let mut squares = tour.unwrap_or_else(|| board.all_squares().collect());
    if closed {
        squares.rotate_left(random.usize(..n));
    }
    let mut clues: Vec<Clue> =
        (1..).zip(squares).map(|(step, square)| Clue { step, square }).collect();
    // Every third puzzle has links, mostly of the tour.
    let links = clues.windows(2).filter(|_| random.u32(..n as u32) < 2);
    let follows = |two: &[Clue]| Some([two[0].square, two[1].square]);
    let mut links: Vec<[Square; 2]> = links.filter_map(follows).collect();
    links.retain(|[one, other]| board.are_neighbours(*one, *other) && random.u32(..3) == 0);
    random.shuffle(&mut clues);
    clues.truncate(random.usize(..=n / 2));
    Some(Puzzle::new(board, closed, clues).unwrap().linked(links).unwrap())
}

#[test]
fn random_part_filled_boards_have_as_many_solutions_as_plain_backtracking_finds() {
    let mut random = Rng::with_seed(48);
    let (mut compared, mut solvable) = (0, 0);
    while compared < 1_000 {
        let Some(puzzle) = random_puzzle(&mut random) else { continue };
        let Some(wanted) = by_backtracking(&puzzle, 50_000) else { continue };
        let threads = 1 + compared % 2;
        let found = count(&puzzle, Extent { threads, ..Extent::default() });
        let board = puzzle.board().description();
        assert!(found.is_complete);
        assert_eq!(found.count, wanted, "{board} {} {:?}", puzzle.is_closed(), puzzle.clues());
        assert_eq!(found.reason.is_some(), wanted == 0);
        compared += 1;
        solvable += usize::from(wanted > 0);
    }
    assert!(solvable > 300, "{solvable} with solutions");
}

#[test]
fn without_clues_there_are_as_many_solutions_as_the_frontier_counts_tours() {
    let texts = [
        "3x4",
        "3x7",
        "3x8",
        "4x5",
        "5x5",
        "6x6",
        "1x1",
        "1x2",
        "2x3",
        "3x3 piece=king",
        "4x4 piece=wazir",
        "5x5 piece=wazir",
        "4x6 piece=wazir",
        "4x5 piece=wazir wrap=cylinder",
        "5x5 without=c3",
        "3x4 piece=wazir wrap=moebius",
        "graph 1-2,1-3,2-3,3-4,4-5,2-5,1-5",
        "graph 1-2,2-3,3-1,4-5",
    ];
    let mut compared = 0;
    for text in texts {
        for closed in [false, true] {
            let board: Board = text.parse().unwrap();
            let puzzle = Puzzle::new(board.clone(), closed, []).unwrap();
            let question = if closed { Question::closed(board) } else { Question::open(board) };
            if text == "6x6" && !closed {
                continue;
            }
            let found = count(&puzzle, Extent { threads: 2, ..Extent::default() });
            let wanted = by_frontier(&question, None).directed();
            assert_eq!(wanted, found.count.into(), "{question}");
            compared += 1;
        }
    }
    assert!(compared >= 30, "{compared}");
}

// Large boards, limits and threads

#[test]
fn two_solutions_of_large_boards_with_few_clues_are_found_in_few_nodes() {
    for (text, closed, clues) in [
        ("12x12", true, vec![(1, "a1")]),
        ("12x12", true, vec![(1, "f6")]),
        ("15x15 piece=wazir", false, vec![(1, "a1"), (225, "o15")]),
        ("19x30 piece=king", false, vec![(1, "a1"), (570, "ad19")]),
    ] {
        let board: Board = text.parse().unwrap();
        let clues: Vec<Clue> = clues.iter().map(|&(step, name)| clue(&board, step, name)).collect();
        let puzzle = Puzzle::new(board, closed, clues).unwrap();
        let found = count(&puzzle, Extent { solutions: 2, ..Extent::default() });
        assert_eq!(found.count, 2, "{text}");
        assert!(found.nodes < 3_000, "{text}: {} nodes", found.nodes);
    }
}

#[test]
fn any_number_of_threads_finds_the_same_solutions() {
    let puzzle = knights(5, 6, false, &[]);
    let found = |threads| count(&puzzle, Extent { threads, ..Extent::default() });
    let alone = found(1);
    assert!(alone.nodes > 20_000, "the search is divided only from there on");
    for threads in [2, 3, 8] {
        let many = found(threads);
        assert_eq!((many.count, many.is_complete), (alone.count, true));
    }
    assert_eq!(alone.count, 2 * 18_784, "directed open tours of 5x6");
}

#[test]
fn limits_end_a_search_and_never_claim_that_a_solution_is_the_only_one() {
    let puzzle = knights(8, 8, true, &[(1, "a1"), (2, "b3")]);
    let found = count(&puzzle, Extent { solutions: 5, ..Extent::default() });
    assert_eq!((found.count, found.is_complete), (5, false));
    let few = Extent { nodes: 10, ..Extent::default() };
    assert_eq!(verdict(&puzzle, few, &|| false), Verdict::Undecided(None));
    let calls = AtomicU64::new(0);
    let stop = || calls.fetch_add(1, Ordering::Relaxed) > 100;
    let stopped = solve(&puzzle, Extent::default(), &stop, &mut |_| ControlFlow::Continue(()));
    assert!(!stopped.is_complete && stopped.count > 0);
    let once = solve(&puzzle, Extent::default(), &|| false, &mut |_| ControlFlow::Break(()));
    assert_eq!((once.count, once.is_complete), (1, false));
}

// Reasons

#[test]
fn where_there_is_no_solution_the_reason_is_given() {
    let reason = |puzzle: &Puzzle| match ask(puzzle) {
        Verdict::None(reason) => reason.to_string(),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        reason(&knights(8, 8, false, &[(4, "c3"), (5, "f8")])),
        "two clues that no path joins: 4 on c3 and 5 on f8"
    );
    assert_eq!(
        reason(&knights(8, 8, false, &[(4, "c3"), (14, "c4")])),
        "every move changes the colour of the square, which does not fit two clues: 4 on c3 and 14 \
         on c4"
    );
    assert_eq!(
        reason(&knights(8, 8, true, &[(1, "a1"), (64, "h7")])),
        "two clues that no path joins: 64 on h7 and 1 on a1"
    );
    assert_eq!(
        reason(&knights(8, 8, false, &[(1, "a1"), (64, "h8")])),
        "every move changes the colour of the square, so no tour has ends of these colours"
    );
    assert_eq!(reason(&knights(4, 6, true, &[])), Reason::Searched.to_string());
    // Both moves from a1 lead to squares that are taken at other times.
    let blocked = knights(5, 5, false, &[(3, "b3"), (9, "c2")]);
    assert!(matches!(ask(&blocked), Verdict::None(_)));
}

#[test]
fn clues_that_contradict_each_other_are_refused() {
    let board = Board::new(5, 5).unwrap();
    let refused = |clues: &[(usize, &str)]| {
        let clues = clues.iter().map(|&(step, name)| clue(&board, step, name));
        Puzzle::new(board.clone(), false, clues).expect_err("refused").to_string()
    };
    assert_eq!(refused(&[(26, "a1")]), "26 on a1 is not a step: the steps go from 1 to 25");
    assert_eq!(refused(&[(0, "a1")]), "0 on a1 is not a step: the steps go from 1 to 25");
    assert_eq!(refused(&[(3, "a1"), (3, "b2")]), "3 is given twice: on a1 and on b2");
    assert_eq!(refused(&[(7, "a1"), (3, "a1")]), "a1 has two numbers: 3 and 7");
    let off = Clue { step: 1, square: Square::from_index(25) };
    assert_eq!(Puzzle::new(board.clone(), false, [off]), Err(PuzzleError::OffBoard(board)));
    let large = Board::new(65, 65).unwrap();
    assert!(matches!(Puzzle::new(large, false, []), Err(PuzzleError::TooLarge(_))));
}

// Making puzzles

fn some_tour(text: &str, closed: bool, seed: u64) -> Tour {
    let empty = Puzzle::new(text.parse().unwrap(), closed, []).unwrap();
    Tour::new(empty.board(), any_tour(&empty, seed, FORWARD).unwrap()).unwrap()
}

#[test]
fn a_minimal_puzzle_has_one_solution_and_loses_it_with_any_clue() {
    for (text, closed) in [
        ("6x6", true),
        ("6x6", false),
        ("8x8", true),
        ("9x9 piece=wazir", false),
        ("8x8 piece=king", false),
        ("7x7 piece=0,3+2,2", false),
        ("6x6 without=a1,f1", false),
        ("5x5 piece=wazir wrap=torus", false),
    ] {
        for seed in 0..3 {
            let tour = some_tour(text, closed, seed);
            let recipe = Recipe { seed, ..Recipe::default() };
            let puzzle = make(&tour, closed, &[], recipe, &|| false).unwrap();
            assert_eq!(ask(&puzzle), Verdict::Unique(tour.squares().to_vec()), "{text}");
            for left_out in puzzle.clues() {
                let rest = puzzle.clues().iter().filter(|clue| *clue != left_out).copied();
                let fewer = Puzzle::new(puzzle.board().clone(), closed, rest).unwrap();
                assert!(matches!(ask(&fewer), Verdict::Several(_)), "{text} {left_out:?}");
            }
            assert_eq!(make(&tour, closed, &[], recipe, &|| false), Ok(puzzle), "the same seed");
        }
    }
}

#[test]
fn clues_are_as_many_and_as_symmetric_as_wanted() {
    let tour = some_tour("8x8", false, 7);
    let made = |recipe| make(&tour, false, &[], recipe, &|| false);
    let twenty = made(Recipe { clues: Some(20), ..Recipe::default() }).unwrap();
    assert_eq!(twenty.clues().len(), 20);
    assert!(matches!(
        made(Recipe { clues: Some(2), ..Recipe::default() }),
        Err(MakeError::TooFew { least: 3.. })
    ));
    let is_end = |clue: &&Clue| [1, 64].contains(&clue.step);
    for (ends, wanted) in [(GivenEnds::Shown, 2), (GivenEnds::Hidden, 0)] {
        let puzzle = made(Recipe { ends, ..Recipe::default() }).unwrap();
        assert_eq!(puzzle.clues().iter().filter(is_end).count(), wanted);
        assert!(matches!(ask(&puzzle), Verdict::Unique(_)));
    }
    let board = tour.board();
    for &symmetry in Symmetry::of(&board) {
        let recipe = Recipe { symmetry: Some(symmetry), seed: 3, ..Recipe::default() };
        let puzzle = made(recipe).unwrap();
        let squares: BTreeSet<Square> = puzzle.clues().iter().map(|clue| clue.square).collect();
        assert!(squares.iter().all(|&square| squares.contains(&symmetry.apply(&board, square))));
        assert!(matches!(ask(&puzzle), Verdict::Unique(_)));
    }
    assert!(
        tour.is_reentrant()
            || make(&tour, true, &[], Recipe::default(), &|| false) == Err(MakeError::NotClosed)
    );
    // The search looks at the clock now and then.
    let Err(MakeError::Stopped(cut)) = make(&tour, false, &[], Recipe::default(), &|| true) else {
        panic!("not stopped");
    };
    let unique = Verdict::Unique(tour.squares().to_vec());
    assert!(cut.is_none_or(|cut| verdict(&cut, Extent::default(), &|| false) == unique));
}

// Hints

#[test]
fn a_hint_names_a_number_of_the_solution_and_the_clues_around_it() {
    let tour = some_tour("8x8 piece=king", false, 2);
    let all = (1..).zip(tour.squares()).map(|(step, &square)| Clue { step, square });
    let but_one = all.clone().filter(|clue| clue.step != 30);
    let puzzle = Puzzle::new(tour.board(), false, but_one).unwrap();
    let next = hint(&puzzle, FORWARD).unwrap();
    assert_eq!(next.clue, Clue { step: 30, square: tour.squares()[29] });
    let names = [28, 29, 30].map(|place| tour.board().name(tour.squares()[place]));
    let [before, own, after] = names;
    assert_eq!(
        next.words(&tour.board()),
        format!("30 goes on {own}: no other square fits between 29 on {before} and 31 on {after}")
    );
    let complete = Puzzle::new(tour.board(), false, all).unwrap();
    assert_eq!(hint(&complete, FORWARD), None);
    assert_eq!(hint(&knights(8, 8, false, &[(4, "c3"), (5, "f8")]), FORWARD), None);
}

#[test]
fn hints_solve_puzzles_and_say_how_hard_they_are() {
    for (text, closed) in [("8x8 piece=king", false), ("9x9 piece=wazir", false), ("6x6", true)] {
        for seed in 0..3 {
            let tour = some_tour(text, closed, seed);
            let recipe = Recipe { seed, ..Recipe::default() };
            let mut puzzle = make(&tour, closed, &[], recipe, &|| false).unwrap();
            let whole = difficulty(&puzzle, FORWARD).unwrap();
            let mut guesses = 0;
            while let Some(next) = hint(&puzzle, FORWARD) {
                assert_eq!(tour.squares()[next.clue.step - 1], next.clue.square);
                guesses += usize::from(matches!(next.why, Why::Guess(..)));
                let clues = puzzle.clues().iter().copied().chain([next.clue]);
                puzzle = Puzzle::new(tour.board(), closed, clues).unwrap();
            }
            assert_eq!(puzzle.clues().len(), tour.squares().len());
            assert_eq!(whole.guesses, guesses);
        }
    }
    let nearly = some_tour("6x6", false, 1);
    let clues = (1..30).zip(nearly.squares()).map(|(step, &square)| Clue { step, square });
    let easy = Puzzle::new(nearly.board(), false, clues).unwrap();
    assert!(difficulty(&easy, FORWARD).is_none_or(|easy| easy.depth < 2));
    assert_eq!(difficulty(&knights(5, 5, false, &[]), FORWARD), None);
}

/// Reads clues as in `1=a1 18=e7`.
fn listed_clues(board: &Board, text: &str) -> Vec<Clue> {
    let clue = |word: &str| {
        let (step, square) = word.split_once('=').unwrap();
        Clue { step: step.parse().unwrap(), square: board.parse_square(square).unwrap() }
    };
    text.split(' ').map(clue).collect()
}

#[test]
fn the_clues_on_record_determine_a_tour_and_no_clue_less_does() {
    let mut lines = 0;
    for line in include_str!("../../results/fewest-clues.tsv").lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [board, kind, tours, fewest, _, clues, _] = fields[..] else { panic!("{line}") };
        let (board, is_closed): (Board, bool) = (board.parse().unwrap(), kind == "closed");
        let clues = listed_clues(&board, clues);
        assert_eq!(clues.len().to_string(), fewest);
        let puzzle =
            |clues: &[Clue]| Puzzle::new(board.clone(), is_closed, clues.iter().copied()).unwrap();
        assert!(matches!(ask(&puzzle(&clues)), Verdict::Unique(_)), "{line}");
        for gone in 0..clues.len() {
            let mut fewer = clues.clone();
            fewer.remove(gone);
            assert!(matches!(ask(&puzzle(&fewer)), Verdict::Several(_)), "{line}");
        }
        if board.squares() <= 30 && !is_closed {
            let empty = puzzle(&[]);
            let found =
                solve(&empty, Extent::default(), &|| false, &mut |_| ControlFlow::Continue(()));
            assert_eq!((found.count / 2).to_string(), tours, "{line}");
        }
        lines += 1;
    }
    assert!(lines > 20);
}

#[test]
fn propagation_on_a_large_board_is_told_to_stop_before_the_first_decision() {
    let board = Board::new(40, 40).unwrap();
    let corner = Clue { step: 1, square: Square::from_index(0) };
    let puzzle = Puzzle::new(board, false, [corner]).unwrap();
    let calls = AtomicU64::new(0);
    let stop = || calls.fetch_add(1, Ordering::Relaxed) > 20;
    let extent = Extent { nodes: 1, ..Extent::default() };
    assert_eq!(verdict(&puzzle, extent, &stop), Verdict::Undecided(None));
    assert!(calls.load(Ordering::Relaxed) > 20);
    assert_eq!(hint(&puzzle, &stop), None);
}
