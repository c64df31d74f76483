//! The frontier engine, compared with the simpler engines, with itself at other cuts, and with
//! published counts.

use crate::common::{Machine, by_frontier, text};
use kt_enum::board::{Board, Square, Symmetry};
use kt_enum::question::Question;
use kt_enum::tally::Tally;
use kt_enum::units::{Assignment, Shard, Units};
use kt_enum_board::quantity::bytes;
use kt_enum_engines::engine::{Wishes, choose};
use kt_enum_engines::frontier::{Frontier, FrontierError};
use kt_enum_engines::plain;
use kt_enum_engines::rounds::Rounds;
use kt_enum_engines::walk::{self, Walk};
use kt_enum_engines::work::{Split, Work};
use kt_enum_runs::run::checkpoint::Store;
use kt_enum_runs::run::{self, Event, LayersError, Observer, RunError, Settings, Silent};
use proptest::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;

fn board(rows: u32, cols: u32) -> Board {
    Board::new(rows, cols).unwrap()
}

fn counted(question: &Question) -> Tally {
    by_frontier(question, None).undirected()
}

fn plainly(question: &Question) -> Tally {
    &plain::count(question) / question.directions().into()
}

fn walked(question: &Question) -> Tally {
    let work = Walk::new(question.clone(), &walk::Options::default()).unwrap();
    let outcome = run::count(&work, Settings::default(), &mut Silent).unwrap();
    outcome.units.undirected()
}

/// Returns the cuts of a question with this number of sliced squares.
fn cuts(question: &Question, sliced: u32) -> Vec<Split> {
    let squares = (0..=question.board.squares()).map(|at| at.to_string());
    let classes = squares.chain(["middle", "middle2", "beside"].map(str::to_owned));
    let splits = classes.filter_map(|class| Split::parse_cut(&format!("{class}:{sliced}")).ok());
    splits.filter(|split| Frontier::new(question.clone(), Some(*split)).is_ok()).collect()
}

/// Boards of up to this number of squares, mostly with both sides long enough for tours.
fn any_board(squares: u32) -> impl Strategy<Value = Board> {
    let sides = move |shortest: u32| {
        let all = (shortest..=squares)
            .flat_map(move |rows| (shortest..=squares).map(move |cols| (rows, cols)));
        let small: Vec<(u32, u32)> = all.filter(|(rows, cols)| rows * cols <= squares).collect();
        proptest::sample::select(small)
    };
    prop_oneof![4 => sides(3), 1 => sides(1)].prop_map(|(rows, cols)| board(rows, cols))
}

/// Open and closed questions with any ends.
fn any_question(squares: u32) -> impl Strategy<Value = Question> {
    (any_board(squares), 0..5u32, any::<u32>(), any::<u32>()).prop_map(
        |(board, kind, one, other)| {
            let square = |number| Square::from_index(number as usize % board.squares());
            match kind {
                0 => Question::open(board),
                1 => Question::closed(board),
                2 => Question::open_between(board.clone(), Some(square(one)), None),
                3 => Question::open_between(board.clone(), None, Some(square(one))),
                _ => Question::open_between(board.clone(), Some(square(one)), Some(square(other))),
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(90))]

    #[test]
    fn the_frontier_counts_what_plain_backtracking_counts(question in any_question(20)) {
        prop_assert_eq!(counted(&question), plainly(&question));
    }

    #[test]
    fn the_frontier_counts_what_the_walk_counts(question in any_question(30)) {
        prop_assert_eq!(counted(&question), walked(&question));
    }

    #[test]
    fn every_cut_slices_and_number_of_threads_give_the_same_number(
        question in any_question(35),
        sliced in 0..12_u32,
        place in any::<prop::sample::Index>(),
        threads in 1..5_usize,
    ) {
        let cuts = cuts(&question, sliced);
        prop_assume!(!cuts.is_empty());
        let settings = Settings::on_threads(threads);
        let work = Frontier::new(question.clone(), Some(*place.get(&cuts))).unwrap();
        let units = run::count(&work, settings, &mut Silent).unwrap().units;
        prop_assert_eq!(units.undirected(), counted(&question));
    }
}

/// Counts the units of a shard without the states that only other units need, and returns them with
/// the number of states processed.
fn narrowed(question: Question, split: Split, shard: Shard) -> (Units, u64) {
    let mut work = Frontier::new(question, Some(split)).unwrap();
    work.restrict_to(shard.units_of(&work).numbers(), 1.0 / f64::from(shard.of()));
    let settings = Settings { shard, ..Settings::default() };
    let outcome = run::count(&work, settings, &mut Silent).unwrap();
    (outcome.units, outcome.effort.nodes)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(90))]

    #[test]
    fn units_count_the_same_where_what_they_do_not_need_is_left_out(
        question in any_question(30),
        sliced in 0..12_u32,
        place in any::<prop::sample::Index>(),
        of in 1..40_u32,
        index in any::<prop::sample::Index>(),
        by in prop::sample::select(vec![Assignment::Remainder, Assignment::Group]),
    ) {
        let cuts = cuts(&question, sliced);
        prop_assume!(!cuts.is_empty());
        let split = *place.get(&cuts);
        let whole = by_frontier(&question, Some(split)).counts;
        let shard = Shard::new(index.index(of as usize) as u32, of).unwrap().by(by);
        let (units, _) = narrowed(question.clone(), split, shard);
        let work = Frontier::new(question, Some(split)).unwrap();
        for (count, &unit) in units.counts.iter().zip(shard.units_of(&work).numbers()) {
            prop_assert_eq!(count, &whole[unit]);
        }
    }
}

#[test]
fn what_was_left_out_is_refused_and_not_counted() {
    let mut work = Frontier::new(Question::open(board(6, 6)), None).unwrap();
    work.restrict_to(&[0], 0.1);
    let refused = run::count(&work, Settings::default(), &mut Silent).unwrap_err();
    assert!(matches!(refused, RunError::StatesUnavailable(_)), "{refused}");
    // A shard without units needs nothing, which differs from a count that needs everything.
    work.restrict_to(&[], 0.1);
    assert_eq!(work.made_for(), Some(&[][..]));
}

#[test]
fn each_unit_of_7x7_takes_a_small_part_of_the_states_and_all_have_its_tours() {
    let question = Question::open(board(7, 7));
    let split = Frontier::new(question.clone(), None).unwrap().identity().split;
    let work = Frontier::new(question.clone(), Some(split)).unwrap();
    let whole = run::count(&work, Settings::default(), &mut Silent).unwrap();
    let of = work.units() as u32;
    // A unit needs both sides of its cut, of one sweep for both: a fifth of it where most is
    // needed.
    for index in (0..of).step_by(37) {
        let (units, states) = narrowed(question.clone(), split, Shard::new(index, of).unwrap());
        assert_eq!(units.counts[..], whole.units.counts[index as usize..][..1]);
        assert!(states < whole.effort.nodes / 3, "{states} of {}", whole.effort.nodes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn a_board_and_its_transpose_have_as_many_tours(board in any_board(35)) {
        let turned = Board::new(board.cols(), board.rows()).unwrap();
        for (one, other) in [
            (Question::open(board.clone()), Question::open(turned.clone())),
            (Question::closed(board), Question::closed(turned)),
        ] {
            prop_assert_eq!(counted(&one), counted(&other));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(15))]

    #[test]
    fn a_count_that_is_saved_at_every_look_up_and_stopped_anywhere_has_the_same_units(
        question in any_question(42),
        memory in proptest::sample::select(vec![None, Some(1), Some(50_000)]),
        stops in proptest::collection::vec(0..10_usize, 1..5),
        threads in 1..3_usize,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.kt");
        let expected = by_frontier(&question, None);
        let counted = |stop: usize| {
            let (mut settings, mut observer) = crate::common::stopping_at(stop, &path, threads);
            settings.limits.memory = memory;
            let work = Frontier::new(question.clone(), None).unwrap();
            run::count(&work, settings, &mut observer)
        };
        for stop in stops {
            match counted(stop) {
                Ok(outcome) => prop_assert_eq!(&outcome.units, &expected),
                Err(error) => prop_assert!(matches!(error, RunError::Stopped { .. }), "{}", error),
            }
        }
        prop_assert_eq!(counted(usize::MAX).unwrap().units, expected);
    }
}

fn bounded(question: Question, memory: u64, checkpoint: Option<&Path>) -> Result<Units, RunError> {
    let mut settings = Settings::on_threads(2);
    settings.limits.memory = Some(memory);
    settings.saving.checkpoint = checkpoint.map(|path| Store::hold(path).unwrap());
    let work = Frontier::new(question, None).unwrap();
    Ok(run::count(&work, settings, &mut Silent)?.units)
}

#[test]
fn a_count_whose_states_go_to_disk_has_the_same_units() {
    let question = Question::open(board(6, 7));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.kt");
    let free = by_frontier(&question, None);
    for memory in [1, 100_000, 1_000_000] {
        let units = bounded(question.clone(), memory, Some(&path)).unwrap();
        assert_eq!(units, free);
        let states = folder.path().join("run.kt.states");
        assert!(states.exists(), "nothing went to disk");
        Store::hold(&path).unwrap().clear().unwrap();
        assert!(!states.exists());
    }
}

#[test]
fn a_bound_on_memory_is_kept_or_named_as_too_small() {
    let question = Question::open(board(6, 7));
    let enough = bounded(question.clone(), 1 << 30, None).unwrap();
    assert_eq!(enough.undirected().to_string(), "389969466");
    for memory in [0, 1_000, 400_000] {
        let error = bounded(question.clone(), memory, None).unwrap_err();
        let is_named = matches!(
            &error,
            RunError::Layers(LayersError::Room { memory: named, disk: 0, .. }) if *named == memory
        );
        assert!(is_named, "{error}");
        // Half of the limit is for what is kept.
        let kept = bytes((memory / 2) as f64);
        assert!(error.to_string().contains(&kept), "{error}");
    }
}

#[test]
fn a_run_that_is_told_to_stop_does() {
    let settings = Settings::default();
    settings.control.stop();
    let work = Frontier::new(Question::open(board(6, 6)), None).unwrap();
    let stopped = run::count(&work, settings, &mut Silent).unwrap_err();
    assert!(matches!(stopped, RunError::Stopped { .. }), "{stopped}");
}

/// An observer that panics when it receives an event.
struct Panicking;

impl Observer for Panicking {
    fn notice(&mut self, _: &Event) {
        panic!("nobody listens");
    }
}

#[test]
fn an_observer_that_panics_keeps_no_thread_waiting() {
    let work = Frontier::new(Question::open(board(7, 7)), None).unwrap();
    let mut settings = Settings::on_threads(3);
    settings.saving.interval = Duration::ZERO;
    let counted = AssertUnwindSafe(|| run::count(&work, settings, &mut Panicking));
    assert!(catch_unwind(counted).is_err());
}

#[test]
fn a_count_does_not_resume_a_table_of_boards_up_to_the_same() {
    let question = Question::open(board(7, 9));
    let table =
        Frontier::new(question.clone(), Some(Split::Lengths { every_square: false })).unwrap();
    let choice = choose(&question, &Wishes::default(), Some(&table.identity()));
    assert_eq!((choice.engine.as_str(), choice.split), ("frontier", None));
}

#[test]
fn boards_whose_left_out_edges_lead_to_sliced_squares_have_the_published_number_by_every_cut() {
    // https://oeis.org/A083386: the undirected open tours of 5 x n.
    let question = Question::open(board(5, 7));
    for cut in ["middle:4", "middle:5", "middle:6", "middle2:6", "beside:4", "10:4", "15:4", "20:4"]
    {
        let split = Split::parse_cut(cut).unwrap();
        let counted = by_frontier(&question, Some(split)).undirected();
        assert_eq!(counted, Tally::from(622_868_u32), "{cut}");
    }
}

#[test]
fn what_cannot_be_cut_is_refused() {
    let refused = |question, cut: &str| {
        let split = Split::parse_cut(cut).unwrap();
        matches!(Frontier::new(question, Some(split)), Err(FrontierError::Cut { .. }))
    };
    let closed = Question::closed(board(6, 6));
    // Nothing or all before the cut, a cut that is not its own mirror image, and one that leaves
    // the second class no square of its own.
    for cut in ["0:6", "36:6", "37:6", "4294967295:6", "17:6", "30:6"] {
        assert!(refused(closed.clone(), cut), "{cut}");
    }
    assert!(!refused(closed.clone(), "18:4294967295"));
    assert!(!refused(closed, "middle2:4294967295"));
    assert!(refused(Question::open(board(2, 8)), "4:0"));
    let too_wide = Frontier::new(Question::open(board(11, 11)), None).map(|_| ());
    assert_eq!(too_wide, Err(FrontierError::TooWide(board(11, 11))));
}

#[test]
fn every_board_of_up_to_30_squares_has_the_count_of_the_walk_open_closed_and_from_each_orbit() {
    let sides = (1..=5).flat_map(|rows| (rows..=30 / rows).map(move |cols| board(rows, cols)));
    for board in sides {
        let first_of_orbit = |&from: &Square| {
            let orbit = kt_enum_board::board::orbit(&board, Symmetry::of(&board), from);
            orbit[0] == from
        };
        let starts = board.all_squares().filter(first_of_orbit);
        let from = starts.map(|from| Question::open_between(board.clone(), Some(from), None));
        let to = Question::open_between(board.clone(), None, Some(Square::from_index(0)));
        let whole = [Question::open(board.clone()), Question::closed(board.clone()), to];
        for question in whole.into_iter().chain(from) {
            assert_eq!(counted(&question), walked(&question), "{question}");
        }
    }
}

#[test]
fn every_cut_of_boards_with_closed_tours_gives_the_published_number() {
    for (rows, cols, expected) in [(3, 10, 16), (5, 6, 8), (6, 5, 8), (6, 6, 9_862_u32)] {
        let question = Question::closed(board(rows, cols));
        let mut tried = 0;
        for sliced in [0, 2, 4, 6, 10] {
            for split in cuts(&question, sliced) {
                let counted = by_frontier(&question, Some(split)).undirected();
                assert_eq!(counted, Tally::from(expected), "{rows}x{cols} {split}");
                tried += 1;
            }
        }
        assert!(tried > 20, "{rows}x{cols}: only {tried} cuts");
    }
}

/// Returns the lines of a table of published values, split into fields.
fn published(table: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = table.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(|line| line.split('\t').collect())
}

/// Returns the lines that `table` prints; they are numbered from 1.
fn table(machine: &Machine, arguments: &str) -> Vec<String> {
    let output = machine.kt(&format!("table {arguments}")).output().unwrap();
    assert!(output.status.success(), "{arguments}: {}", text(&output.stderr));
    let count = |(number, line): (usize, &str)| {
        let (of, count) = line.split_once(' ').unwrap();
        assert_eq!(of, (number + 1).to_string(), "{arguments}");
        count.to_owned()
    };
    text(&output.stdout).lines().enumerate().map(count).collect()
}

#[test]
fn one_sweep_meets_every_published_count_of_the_first_squares_of_a_strip() {
    let machine = Machine::new();
    let mut met = 0;
    for (rows, tours, up_to) in
        [("3", "closed", 30), ("3", "open", 18), ("5", "closed", 30), ("5", "open", 10)]
    {
        let arguments = format!("--rows {rows} --up-to {up_to} --tours {tours} --partial");
        let partial = table(&machine, &arguments);
        assert_eq!(partial.len(), rows.parse::<usize>().unwrap() * up_to);
        for fields in published(include_str!("../golden/partial-boards.tsv")) {
            if fields[0] == rows && fields[1] == format!("{tours} undirected") {
                let squares: usize = fields[2].parse().unwrap();
                assert_eq!(partial[squares - 1], fields[3], "{fields:?}");
                met += 1;
            }
        }
    }
    assert_eq!(met, 168);
}

#[test]
fn the_program_prints_published_tables() {
    let machine = Machine::new();
    for (rows, tours, up_to) in
        [(3, "open", 12), (3, "closed", 22), (4, "open", 8), (5, "open", 8), (5, "closed", 8)]
    {
        let arguments = format!("--rows {rows} --up-to {up_to} --tours {tours}");
        let counts = table(&machine, &arguments);
        assert_eq!(counts.len(), up_to, "{arguments}");
        let (rows, what) = (rows.to_string(), format!("{tours} undirected"));
        for fields in published(include_str!("../golden/counts.tsv")) {
            let cols: usize = fields[1].parse().unwrap();
            if fields[0] == rows && fields[2] == what && cols <= up_to {
                assert_eq!(counts[cols - 1], fields[4], "{fields:?}");
            }
        }
    }
}

/// The counts have up to 400 bits, so that numbers are widened three times on the way.
#[test]
fn the_tables_of_strips_are_those_on_record_whatever_the_longest_board() {
    let machine = Machine::new();
    for (rows, tours, lengths) in [
        (3, "open", &[1, 4, 7, 8, 18, 25, 100][..]),
        (3, "closed", &[10, 11, 100]),
        (4, "open", &[1, 5, 10, 17, 100]),
        (4, "closed", &[40]),
        (5, "open", &[5, 6, 9, 30]),
        (5, "closed", &[6, 7, 40]),
        (6, "open", &[6, 7]),
        (6, "closed", &[6, 7, 10]),
    ] {
        let path = format!("{}/results/strips/{rows}-{tours}.txt", env!("CARGO_MANIFEST_DIR"));
        let on_record = std::fs::read_to_string(path).unwrap();
        let on_record: Vec<&str> =
            on_record.lines().map(|line| line.split_once(' ').unwrap().1).collect();
        for &up_to in lengths {
            let arguments = format!("--rows {rows} --up-to {up_to} --tours {tours}");
            assert_eq!(table(&machine, &arguments), on_record[..up_to], "{arguments}");
        }
    }
}

/// A count of 9 x 10^19 tours needs more than 64 bits, and one of 10^68 more than 128.
#[test]
fn counts_are_widened_without_a_change() {
    let work =
        Frontier::new(Question::closed(board(5, 40)), Some(Split::Lengths { every_square: false }))
            .unwrap();
    let long = run::count(&work, Settings::default(), &mut Silent).unwrap().units;
    let on_record = |cols: u32| &long.counts[cols as usize - 1].1;
    assert!(on_record(16).to_string().len() < 19 && on_record(40).to_string().len() > 39);
    for cols in [10, 16, 22, 30, 34, 40] {
        let question = Question::closed(board(5, cols));
        assert_eq!(by_frontier(&question, None).directed(), *on_record(cols), "5x{cols}");
    }
    let open = std::fs::read_to_string(format!(
        "{}/results/strips/3-open.txt",
        env!("CARGO_MANIFEST_DIR")
    ));
    for line in open.unwrap().lines().filter(|line| line.contains("0 ")) {
        let (cols, count) = line.split_once(' ').unwrap();
        let question = Question::open(board(3, cols.parse().unwrap()));
        assert_eq!(counted(&question).to_string(), count, "3x{cols}");
    }
}

#[test]
fn the_program_counts_by_the_frontier_and_says_what_it_took() {
    let machine = Machine::new();
    let json = machine.json("--size 6 --tours closed --classes --engine frontier");
    assert_eq!(json["undirected"], "9862");
    assert_eq!(json["directed"], "19724");
    assert_eq!(json["classes"], "1245");
    assert_eq!(json["engine"], "frontier");
    assert_eq!(json["split_depth"], 0);
    let peak = json["peak_states"].as_u64().unwrap();
    assert!(peak > 0 && json["bytes"].as_u64().unwrap() > peak);
    assert!(json["states"].as_u64().unwrap() > peak);
    let walked = machine.json("--size 6 --tours closed --engine walk");
    for field in ["cut", "peak_states", "bytes", "states"] {
        assert!(walked.get(field).is_none(), "{field}");
    }
    // The reported cut can be typed as it is printed.
    let cut = json["cut"].as_str().unwrap();
    let same = machine.json(&format!("--size 6 --tours closed --cut {cut}"));
    assert_eq!(same["fingerprint"], json["fingerprint"]);
    let other = machine.json("--size 6 --tours closed --cut 18:4");
    assert_eq!(other["cut"], "18:4");
    assert_eq!(other["directed"], json["directed"]);
    assert_ne!(other["fingerprint"], json["fingerprint"]);
    for (arguments, code, word) in [
        ("--size 11 --engine frontier", 2, "up to 10"),
        ("--size 6 --engine frontier --split-depth 2", 2, "--split-depth"),
        ("--size 6 --engine walk --cut 18:4", 2, "--cut"),
        ("--size 6 --cut 18:4 --split-depth 2", 2, "--cut"),
        ("--size 6 --tours closed --cut 17:4", 2, "leave out --cut"),
        ("--size 6 --cut 18", 2, "--cut"),
        (
            "--rows 6 --cols 7 --engine frontier --memory 1000 --no-checkpoint",
            2,
            "at least --memory",
        ),
        ("table --rows 11 --up-to 11", 2, "up to 10"),
    ] {
        let output = machine.kt(arguments).output().unwrap();
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments}: {message}");
        assert!(message.contains(word), "{arguments}: {message}");
    }
    assert_eq!(machine.files(), Vec::<String>::new());
}
