//! Unranking and ranking: tours by number, and the numbers of tours.
use crate::common::{Machine, text};
use kt_enum::board::{Board, MoveOrder, Square};
use kt_enum::numbers::Random;
use kt_enum::numbers::{Numbers, NumbersError};
use kt_enum::question::Question;
use kt_enum::tally::Tally;
use kt_enum::tour::Tour;
use kt_enum_engines::frontier::Frontier;
use kt_enum_engines::walk::{self, Listing};
use kt_enum_engines::work::Work;
use kt_enum_runs::run::checkpoint::Store;
use kt_enum_runs::run::{self, RunError, Saving, Settings, Silent};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Applies a function to the numbers of a question.
fn with<R>(question: Question, then: impl FnOnce(&Numbers) -> R) -> R {
    let frontier = Frontier::new(question, None).unwrap();
    let settings = Settings { keep_layers: true, ..Settings::on_threads(2) };
    let outcome = run::count(&frontier, settings, &mut Silent).unwrap();
    let numbers = Numbers::new(&frontier, &outcome.units, 2, None, Arc::default()).unwrap();
    then(&numbers)
}

/// Returns the tours of a question as a plain search lists them; see `list`.
fn listed(question: Question) -> BTreeSet<Vec<Square>> {
    let mut tours = BTreeSet::new();
    let listing = Listing::new(question.clone(), MoveOrder::default()).unwrap();
    let _ = walk::visit(&listing, |squares| {
        let is_second =
            question.is_whole() && !question.is_closed() && squares.last() < squares.first();
        if !is_second {
            tours.insert(squares.to_vec());
        }
        ControlFlow::<()>::Continue(())
    });
    tours
}

fn all_numbers(numbers: &Numbers) -> Vec<Tally> {
    let last = u64::try_from(numbers.last()).unwrap();
    (1..=last).map(Tally::from).collect()
}

/// Checks that the numbers from 1 on give all tours, each once, and that each tour has its number.
fn are_all(question: Question) {
    with(question.clone(), |numbers| {
        let all = all_numbers(numbers);
        let tours = numbers.tours(&all, &mut Silent).unwrap();
        let found: BTreeSet<Vec<Square>> =
            tours.iter().map(|tour| tour.squares().to_vec()).collect();
        assert_eq!(found.len(), tours.len(), "{question}: each once");
        assert_eq!(found, listed(question.clone()), "{question}");
        let back = numbers.numbers(&tours, &mut Silent).unwrap();
        let back: Vec<Tally> = back.into_iter().map(Option::unwrap).collect();
        assert_eq!(back, all, "{question}");
        for number in [Tally::ZERO, numbers.last() + 1] {
            let refused = numbers.tours(&[number], &mut Silent);
            assert!(
                matches!(refused, Err(NumbersError::Beyond { last, .. }) if last == *numbers.last())
            );
        }
    });
}

fn board(rows: u32, cols: u32) -> Board {
    Board::new(rows, cols).unwrap()
}

#[test]
fn the_numbers_of_small_boards_are_all_their_tours() {
    for (rows, cols) in [(1, 1), (2, 5), (3, 3), (3, 4), (4, 3), (4, 4), (4, 5), (5, 5), (3, 8)] {
        are_all(Question::open(board(rows, cols)));
        are_all(Question::closed(board(rows, cols)));
    }
}

#[test]
fn the_numbers_of_larger_boards_are_all_their_tours() {
    are_all(Question::closed(board(6, 6)));
    for (rows, cols) in [(3, 10), (5, 6)] {
        are_all(Question::closed(board(rows, cols)));
        are_all(Question::open(board(rows, cols)));
    }
}

#[test]
fn numbers_of_tours_with_ends_are_numbers_of_directed_tours() {
    let board = board(5, 5);
    let square = |name: &str| board.parse_square(name).ok();
    for (from, to) in [("a1", ""), ("", "c3"), ("a1", "e5"), ("c3", "a1"), ("b1", "")] {
        are_all(Question::open_between(board.clone(), square(from), square(to)));
    }
}

#[test]
fn a_tour_has_one_number_in_both_directions_and_from_every_square() {
    with(Question::closed(board(6, 6)), |numbers| {
        let number = Tally::from(4_711_u32);
        let tour = numbers.tours(std::slice::from_ref(&number), &mut Silent).unwrap().remove(0);
        let mut squares = tour.squares().to_vec();
        squares.rotate_left(7);
        squares.reverse();
        let turned = Tour::new(&board(6, 6), squares).unwrap();
        assert_eq!(numbers.numbers(&[turned], &mut Silent).unwrap(), [Some(number)]);
        let names = "a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3".split(' ');
        let squares = names.map(|name| board(3, 4).parse_square(name).unwrap()).collect();
        let of_another_board = Tour::new(&board(3, 4), squares).unwrap();
        assert_eq!(numbers.numbers(&[of_another_board], &mut Silent).unwrap(), [None]);
    });
}

// The program

/// Runs the program and returns its output, its messages and its exit code.
fn ran(machine: &Machine, arguments: &str, input: &str) -> (String, String, i32) {
    let output = machine.kt(arguments).write_stdin(input).output().unwrap();
    let code = output.status.code().unwrap();
    (text(&output.stdout), text(&output.stderr), code)
}

#[test]
fn a_seed_draws_the_same_tours_with_any_number_of_threads_and_any_bound() {
    let machine = Machine::new();
    let draw = |options: &str| {
        let (tours, said, code) = ran(
            &machine,
            &format!("random --rows 5 --cols 6 --count 40 --progress none {options}"),
            "",
        );
        assert_eq!((code, said.as_str()), (0, ""), "{options}");
        tours
    };
    let drawn = draw("--seed 7 --threads 1");
    assert_eq!(drawn.lines().count(), 40);
    assert_eq!(draw("--seed 7 --threads 3"), drawn);
    assert_eq!(draw("--seed 7 --threads 2 --memory 72M"), drawn);
    assert_ne!(draw("--seed 8"), drawn);
    assert!(machine.files().is_empty(), "{:?}", machine.files());
}

#[test]
fn tours_are_ranked_while_they_are_written() {
    let machine = Machine::new();
    // The output is larger than a pipe holds, so the program waits there.
    let mut writing = machine.start("nth 1..=20000 --size 6");
    let mut tour = String::new();
    let mut written = BufReader::new(writing.stdout.take().unwrap());
    written.read_line(&mut tour).unwrap();
    let (number, said, code) = ran(&machine, "rank --size 6", &tour);
    assert_eq!((number.as_str(), code), ("1\n", 0), "{said}");
    assert!(said.contains("does the same"), "{said}");
    writing.kill().unwrap();
    writing.wait().unwrap();
}

#[test]
fn what_is_drawn_has_the_numbers_that_the_seed_draws() {
    let machine = Machine::new();
    let board = "--size 6 --tours closed";
    let (objects, _, code) =
        ran(&machine, &format!("random {board} --count 25 --seed 3 --json"), "");
    assert_eq!(code, 0);
    let mut random = Random::new(3);
    for line in objects.lines() {
        let object: serde_json::Value = serde_json::from_str(line).unwrap();
        let number = random.number_up_to(&9_862_u32.into()).unwrap();
        assert_eq!(object["number"], number.to_string());
        assert_eq!(object["order"], 2);
        assert_eq!(object["closed"], true);
    }
    let (numbers, _, _) = ran(&machine, &format!("rank - {board} --json"), &objects);
    let of = |text: &str| -> Vec<String> {
        let numbers =
            text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        numbers.map(|object| object["number"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(of(&numbers), of(&objects));
}

#[test]
fn tours_of_a_small_board_are_drawn_equally_often() {
    // Chi-square with 7 degrees of freedom exceeds 24.3 once in a thousand times.
    let (tours, draws) = (8_u32, 4_000);
    for seed in 1..=5 {
        let mut random = Random::new(seed);
        let drawn: Vec<Tally> =
            (0..draws).map(|_| random.number_up_to(&tours.into()).unwrap()).collect();
        let cycles = with(Question::closed(board(5, 6)), |numbers| {
            assert_eq!(*numbers.last(), tours.into());
            numbers.tours(&drawn, &mut Silent).unwrap()
        });
        let mut times: BTreeMap<Vec<Square>, u32> = BTreeMap::new();
        cycles.iter().for_each(|tour| *times.entry(tour.squares().to_vec()).or_default() += 1);
        let expected = f64::from(draws) / f64::from(tours);
        let square = |times: &u32| (f64::from(*times) - expected).powi(2) / expected;
        let chi_square: f64 = times.values().map(square).sum();
        assert!(times.len() == 8 && chi_square < 24.3, "seed {seed}: {chi_square}");
    }
}

#[test]
fn that_there_is_no_tour_to_draw_is_an_answer() {
    let machine = Machine::new();
    for (board, none) in [
        ("--size 5 --tours closed", "there are no closed tours of 5x5"),
        ("--size 4 --json", "there are no open tours of 4x4"),
    ] {
        let (out, said, code) = ran(&machine, &format!("random {board}"), "");
        assert_eq!((out.as_str(), code), ("", 0));
        assert!(said.contains(none), "{said}");
    }
}

#[test]
fn what_is_not_a_tour_of_the_question_is_refused_with_its_line_and_the_reason() {
    let machine = Machine::new();
    let (tour, _, _) = ran(&machine, "nth 7 --size 5", "");
    let (from_a1, _, _) = ran(&machine, "nth 7 --size 5 --from a1", "");
    let backwards: Vec<&str> = from_a1.split_whitespace().rev().collect();
    let backwards = backwards.join(" ");
    for (options, input, reason) in [
        ("--size 5", "# none\na1 b3 a1\n".to_owned(), "line 2"),
        ("--size 6", tour.clone(), "line 1"),
        ("--size 5 --tours closed", tour.clone(), "not closed"),
        ("--size 5 --from a1", backwards, "to a1 is not among the open tours of 5x5 from a1"),
    ] {
        let (out, said, code) = ran(&machine, &format!("rank {options}"), &input);
        assert_eq!((out.as_str(), code), ("", 3), "{options}: {said}");
        assert!(said.contains(reason) && said.contains("line "), "{options}: {said}");
    }
    let (numbers, said, code) = ran(&machine, "rank --size 5", &format!("{tour}a1 a1\n"));
    assert_eq!((numbers.as_str(), code), ("7\n", 3), "{said}");
    assert!(said.contains("line 2"), "{said}");
}

#[test]
fn an_index_is_taken_up_and_one_of_another_question_is_refused() {
    let machine = Machine::new();
    let index = machine.folder.path().join("index").display().to_string();
    let nth = |options: &str| {
        ran(&machine, &format!("nth 1 5000 9862 --size 6 --tours closed {options}"), "")
    };
    // A single square has no states.
    let (tour, said, _) = ran(&machine, &format!("nth 1 --size 1 --index {index}-of-1"), "");
    assert_eq!((tour.as_str(), said.as_str()), ("a1\n", ""));
    let (tours, _, _) = nth("");
    let with_index = format!("--index {index}");
    for _ in 0..2 {
        let (again, _, code) = nth(&with_index);
        assert_eq!((again.as_str(), code), (tours.as_str(), 0));
    }
    let (_, said, code) = ran(&machine, &format!("nth 1 --size 5 {with_index}"), "");
    assert_eq!(code, 65);
    assert!(said.contains("6x6"), "{said}");
    std::fs::remove_dir_all(machine.folder.path().join("index/index.kt.states")).unwrap();
    let (again, said, code) = nth(&with_index);
    assert_eq!((again.as_str(), code), (tours.as_str(), 0));
    assert!(said.contains("has lost its states: they are built again"), "{said}");
}

/// Returns tours by an index, or the error.
fn by_index(folder: &Path, question: Question, numbers: &[Tally]) -> Result<Vec<Tour>, String> {
    let frontier = Frontier::new(question, None).unwrap();
    let store = Store::hold(&folder.join("index.kt")).unwrap();
    let saving = Saving { keep_finished: true, ..store.into() };
    let settings = Settings { keep_layers: true, saving, ..Settings::on_threads(1) };
    let outcome =
        run::count(&frontier, settings, &mut Silent).map_err(|error| error.to_string())?;
    let all = Numbers::new(&frontier, &outcome.units, 1, None, Arc::default()).unwrap();
    all.tours(numbers, &mut Silent).map_err(|error| error.to_string())
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let of = |path: PathBuf| {
        if path.is_dir() { files(&path) } else { vec![path] }
    };
    entries.flat_map(of).collect()
}

#[test]
fn an_index_that_is_damaged_anywhere_never_gives_a_wrong_tour() {
    const FLIPS: usize = 24;
    let question = Question::open(board(4, 5));
    let numbers: Vec<Tally> = (1..=82_u32).map(Tally::from).collect();
    let whole = tempfile::tempdir().unwrap();
    let tours = by_index(whole.path(), question.clone(), &numbers).unwrap();
    assert!(files(whole.path()).len() >= 8, "the run, and layers with what belongs to them");
    let (mut refused, mut tried) = (0, 0);
    for file in files(whole.path()) {
        let bytes = std::fs::read(&file).unwrap();
        for flip in 0..FLIPS.min(bytes.len()) {
            let at = flip * bytes.len() / FLIPS.min(bytes.len());
            for cut in [false, true] {
                let mut damaged = bytes.clone();
                match cut {
                    true => damaged.truncate(at),
                    false => damaged[at] ^= 1 << (at % 8),
                }
                std::fs::write(&file, damaged).unwrap();
                let came = by_index(whole.path(), question.clone(), &numbers);
                assert!(
                    came.as_ref().is_err() || came.as_ref() == Ok(&tours),
                    "{} at {at}",
                    file.display()
                );
                refused += usize::from(came.is_err());
                tried += 1;
                // The file is restored for the next damage.
                std::fs::write(&file, &bytes).unwrap();
            }
        }
    }
    assert!(refused > tried / 4, "{refused} of {tried}");
}

#[test]
fn ranges_are_written_as_their_numbers_one_by_one() {
    let machine = Machine::new();
    let question = "--size 5 --from a1";
    let (all, said, code) = ran(&machine, &format!("nth 1..=304 {question}"), "");
    assert_eq!(code, 0, "{said}");
    let (listed, _, _) = ran(&machine, &format!("list {question}"), "");
    let sorted = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<String>>();
    assert_eq!((sorted(&all), all.lines().count()), (sorted(&listed), 304));
    let (some, _, _) = ran(&machine, &format!("nth 3 1..2 304 {question} --format grid"), "");
    assert_eq!(some.lines().filter(|line| line.is_empty()).count(), 3);
    let (numbers, _, _) = ran(&machine, &format!("rank {question}"), &some);
    assert_eq!(numbers, "3\n1\n2\n304\n");
    for wrong in ["1..=305", "0..3", "3..1", "x", "1...3"] {
        let (out, said, code) = ran(&machine, &format!("nth {wrong} {question}"), "");
        assert_eq!((out.as_str(), code), ("", 2), "{wrong}: {said}");
    }
}

#[test]
fn tours_are_the_same_where_the_states_of_a_slice_do_not_fit_the_memory_of_a_thread() {
    let question = Question::closed(board(6, 7));
    let numbers: Vec<Tally> = (1..=1_067_638_u32).step_by(50_021).map(Tally::from).collect();
    let tours = with(question.clone(), |all| all.tours(&numbers, &mut Silent).unwrap());
    let mut frontier = Frontier::new(question, None).unwrap();
    let settings = Settings { keep_layers: true, ..Settings::on_threads(2) };
    let units = run::count(&frontier, settings, &mut Silent).unwrap().units;
    frontier.limit_memory(1 << 18, 1 << 20);
    let in_little = Numbers::new(&frontier, &units, 2, Some(1 << 10), Arc::default()).unwrap();
    assert_eq!(in_little.tours(&numbers, &mut Silent).unwrap(), tours);
    let found = in_little.numbers(&tours, &mut Silent).unwrap();
    assert_eq!(found.into_iter().collect::<Option<Vec<_>>>(), Some(numbers));
}

#[test]
fn an_index_whose_building_is_stopped_again_and_again_is_finished_with_the_same_tours() {
    let question = Question::closed(board(7, 8));
    let numbers = (1..=4_000_000_000_u32).step_by(200_000_003);
    let numbers: Vec<Tally> = numbers.map(Tally::from).collect();
    let tours = with(question.clone(), |all| all.tours(&numbers, &mut Silent).unwrap());
    let folder = tempfile::tempdir().unwrap();
    let mut stops = 0;
    loop {
        let (settings, mut observer) =
            crate::common::stopping_at(stops % 3, &folder.path().join("index.kt"), 2);
        let mut settings = Settings { keep_layers: true, ..settings };
        settings.saving.keep_finished = true;
        let frontier = Frontier::new(question.clone(), None).unwrap();
        match run::count(&frontier, settings, &mut observer) {
            Err(RunError::Stopped { .. }) => stops += 1,
            Err(error) => panic!("{error}"),
            Ok(_) => break,
        }
    }
    assert!(stops > 1, "{stops}");
    assert_eq!(by_index(folder.path(), question, &numbers).as_ref(), Ok(&tours));
}

#[test]
fn a_number_without_a_tour_is_refused_with_the_last_number_and_its_meaning() {
    let machine = Machine::new();
    for (arguments, says) in [
        (
            "nth 5000000 --size 6",
            "there is no tour number 5,000,000: the numbers are 1 to 3,318,960; \
             a tour and its reverse share one number",
        ),
        (
            "nth 1 9863 --size 6 --closed",
            "there is no tour number 9,863: the numbers are 1 to 9,862",
        ),
        ("nth 0 --size 5 --from a1", "there is no tour number 0: the numbers are 1 to 304"),
        ("nth 1 --size 4", "there are no open tours of 4x4"),
        (
            "nth 1 --size 5 --closed",
            "there are no closed tours of 5x5: every move changes the colour of the square, and \
             one colour has 13 of the squares and the other 12",
        ),
    ] {
        let (out, said, code) = ran(&machine, arguments, "");
        assert!(said.ends_with(&format!("kt-enum: {says}\n")), "{arguments}: {said}");
        assert_eq!((out.as_str(), code), ("", 2), "{arguments}");
    }
}

#[test]
fn the_board_of_a_rank_is_that_of_the_first_tour_unless_it_is_given() {
    let machine = Machine::new();
    let (five, _, _) = ran(&machine, "nth 7 8 --size 5", "");
    let (six, _, _) = ran(&machine, "nth 9 --size 6 --closed", "");
    for (options, input, out, said, exit) in [
        ("", &format!("# two\n{five}"), "7\n8\n", "", 0),
        ("--closed", &six, "9\n", "", 0),
        ("", &ran(&machine, "nth 9 --size 6 --closed --format grid", "").0, "9\n", "", 0),
        // In JSON a tour is closed if its ends are a move apart, whatever was asked for.
        ("", &ran(&machine, "nth 9 --size 6 --closed --format json", "").0, "73382\n", "", 0),
        (
            "",
            &format!("{five}{six}"),
            "7\n8\n",
            "line 3 of standard input: a tour of 6x6 from a1 to c2 is not among",
            3,
        ),
        ("", &"a1 x\n".to_owned(), "", "line 1 of standard input: `x` is not a square", 3),
        ("", &String::new(), "", "there is no tour in standard input", 1),
        ("--size 6", &five, "", "line 1", 3),
    ] {
        let (ranks, message, code) = ran(&machine, &format!("rank {options}"), input);
        assert_eq!((ranks.as_str(), code), (out, exit), "{input}: {message}");
        assert!(message.contains(said), "{input}: {message}");
    }
}

#[test]
fn where_nearly_all_squares_are_a_move_apart_the_frontier_says_so_and_what_works() {
    let machine = Machine::new();
    let board = "--size 3 --wrap torus --piece king";
    let output = machine.kt(&format!("nth 5 {board}")).output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    let finds = "kt-enum find --size 3x3 --piece king --wrap torus";
    assert!(said.contains("too dense") && said.contains(&format!("`{finds}`")), "{said}");
    assert!(machine.kt(&finds["kt-enum ".len()..]).output().unwrap().status.success());
    let count = |engine: &str| {
        let job = format!("count {board} --engine {engine} --no-checkpoint --quiet");
        machine.kt(&job).output().unwrap()
    };
    assert!(text(&count("frontier").stderr).contains("--engine walk takes it"));
    // Every order of the nine squares is a tour.
    assert_eq!(text(&count("walk").stdout), "362880\n");
}
