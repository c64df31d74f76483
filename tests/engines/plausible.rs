//! The rules that hold for the counts of every run hold for those that were counted.

use crate::any_board::{any_graph, any_layout};
use kt_enum::board::{Board, Square};
use kt_enum::question::Question;
use kt_enum::units::{Units, UnitsError};
use kt_enum_engines::engine::{Engine, Name};
use kt_enum_engines::walk::MemoSize;
use kt_enum_engines::work::Split;
use kt_enum_runs::run::{self, Settings, Silent};
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn every_file_of_units_of_this_program_in_the_results_is_believed() {
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
    let is_units = |path: &PathBuf| fs::read(path).unwrap().starts_with(b"# kt-enum units");
    let mut files: Vec<PathBuf> = files(&results).into_iter().filter(is_units).collect();
    files.sort();
    assert!(files.len() > 20, "{}", files.len());
    let (mut last, mut believed, mut earlier): (Option<Engine>, _, _) = (None, 0, 0);
    for path in files {
        let units = match Units::read(&path) {
            // Their units are those of a program before this one, and only that one checks them.
            Err(UnitsError::Version { .. }) => {
                earlier += 1;
                continue;
            }
            units => units.unwrap(),
        };
        // Neighbours are parts of one run, and it takes time to set an engine to a large board.
        let is_same = |work: &Engine| work.identity() == units.identity;
        let work =
            last.take().filter(is_same).unwrap_or_else(|| Engine::of(&units.identity).unwrap());
        units.check_against(&*work).unwrap();
        units.check_counts(&*work).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        last = Some(work);
        believed += 1;
    }
    assert!(believed > 0, "all {earlier} files are of an earlier version");
}

/// Boards with open, closed and half-open questions.
fn any_question() -> impl Strategy<Value = Question> {
    let board = prop_oneof![
        (1..6_u32, 1..5_u32).prop_map(|(rows, cols)| Board::new(rows, cols).unwrap()),
        any_layout(10),
        any_graph(7),
    ];
    (board, 0..4, any::<prop::sample::Index>()).prop_map(|(board, kind, square)| {
        let square = Some(Square::from_index(square.index(board.squares())));
        match kind {
            0 => Question::open(board),
            1 => Question::open_between(board, square, None),
            2 => Question::open_between(board, None, square),
            _ => Question::closed(board),
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn the_counts_of_every_engine_are_believed_and_read_back(question in any_question(), depth in 0..4_u32) {
        let depth = depth.min(question.board.squares() as u32 - 1);
        for (name, split) in [
            (Name::Walk, Some(Split::Depth(depth))),
            (Name::Frontier, None),
        ] {
            let Ok(work) = Engine::new(&name, question.clone(), split, MemoSize::Off) else {
                continue;
            };
            let settings = Settings::on_threads(1);
            let units = run::count(&*work, settings, &mut Silent).unwrap().units;
            prop_assert!(units.check_counts(&*work).is_ok(), "{:?}", units);
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("units");
            units.write(&path).unwrap();
            prop_assert_eq!(Units::read(&path).unwrap(), units);
        }
    }
}
