//! Runs of an engine whose slices give their output in portions, stopped between portions.

use kt_enum::board::Board;
use kt_enum::question::Question;
use kt_enum::tally::Tally;
use kt_enum_engines::rounds::{
    Built, Partitioned, RoundWorker, Rounds, SliceStart, StatesUnavailable,
};
use kt_enum_engines::work::{
    Advance, Identity, Name, NotRecounted, Pause, Recount, Split, UnitPiece, Work, Worker,
};
use kt_enum_runs::run::checkpoint::Store;
use kt_enum_runs::run::{self, Control, LayersError, RunError, Saving, Settings, Silent};
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

const SLICES: u64 = 5;
const PORTIONS: u64 = 3;

/// The number of bytes of a portion per slice of the next round, by round.
const WIDE: [u64; 2] = [1, 200];

/// The number of bytes that the last round leaves.
const LAST: u64 = SLICES * SLICES * PORTIONS * WIDE[1];

/// An engine of two rounds. Every slice writes its own number into each of its portions, with some
/// bytes for each slice of the next round. The count of the unit is the sum of all bytes.
struct Portions {
    /// The slice of the second round during which the run is stopped.
    stopped: Option<(u64, Arc<Control>)>,
    built: OnceLock<Built>,
}

impl Portions {
    fn new(stopped: Option<(u64, Arc<Control>)>) -> Self {
        let built = OnceLock::new();
        Self { stopped, built }
    }

    fn sum(&self) -> Result<u64, StatesUnavailable> {
        let built = self.built.get().ok_or_else(|| StatesUnavailable::Damaged("all".to_owned()))?;
        let mut sum = 0;
        for slice in 0..SLICES {
            let pieces = built.layers[0].slice(slice)?;
            sum += pieces
                .iter()
                .flat_map(|piece| piece.iter())
                .map(|&byte| u64::from(byte))
                .sum::<u64>();
        }
        let met = built.met.iter().map(|(_, number)| u64::try_from(number).unwrap());
        Ok(sum + 1_000 * met.sum::<u64>())
    }
}

/// Returns a portion with the same number of bytes for each slice of the next round.
fn portion(byte: u64, wide: u64) -> Partitioned {
    Partitioned {
        bytes: vec![byte as u8; (SLICES * wide) as usize],
        parts: (0..SLICES).map(|slice| SliceStart { slice, start: wide * slice }).collect(),
        states: SLICES,
        ..Partitioned::default()
    }
}

impl Rounds for Portions {
    fn rounds(&self) -> Vec<usize> {
        vec![2]
    }

    fn start(&self) -> Partitioned {
        portion(1, 1)
    }

    fn round_worker(&self) -> Box<dyn RoundWorker + '_> {
        Box::new(self)
    }

    fn ready(&self, built: Built) {
        let _ = self.built.set(built);
    }
}

impl Work for Portions {
    fn identity(&self) -> Identity {
        Identity {
            question: Question::open(Board::new(5, 5).unwrap()),
            engine: Name::Other("portions".to_owned()),
            split: Split::Depth(0),
            units: 1,
        }
    }

    fn label(&self, _unit: usize) -> String {
        "all".to_owned()
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(self)
    }

    fn recount(
        &self,
        _unit: usize,
        _piece: &UnitPiece,
        _memory: u64,
        _stop: &dyn Fn() -> bool,
    ) -> Result<Recount, NotRecounted> {
        Err(NotRecounted::TooLarge)
    }

    fn sweeps(&self) -> Option<&dyn Rounds> {
        Some(self)
    }
}

impl RoundWorker for &Portions {
    fn advance(
        &mut self,
        (_, round): (usize, usize),
        slice: u64,
        packed: &[&[u8]],
        stop: &dyn Fn() -> bool,
        deal: &mut dyn FnMut(Partitioned),
    ) -> Option<Partitioned> {
        let sources = if round == 0 { 1 } else { SLICES * PORTIONS };
        assert_eq!(packed.len() as u64, sources, "something is missing or there twice");
        for _ in 1..PORTIONS {
            deal(portion(slice, WIDE[round]));
        }
        if let Some((stopped, control)) = &self.stopped
            && (round, slice) == (1, *stopped)
        {
            // The pause lets the keeper store the portions and write the index.
            std::thread::sleep(Duration::from_millis(100));
            control.stop();
            // This slice takes longer than one that is in progress may take then.
            while !stop() {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        (!stop()).then(|| Partitioned {
            states_processed: SLICES * PORTIONS,
            met: vec![(7, (slice + 1).into())],
            ..portion(slice, WIDE[round])
        })
    }
}

impl Worker for &Portions {
    fn advance(
        &mut self,
        _unit: usize,
        _piece: &UnitPiece,
        _pause: &dyn Fn() -> Pause,
    ) -> Result<Advance, StatesUnavailable> {
        let found = Tally::from(u128::from(self.sum()?));
        Ok(Advance { found, nodes: 1, rest: None })
    }
}

fn settings(path: &Path, memory: Option<u64>) -> Settings {
    let mut settings = Settings::on_threads(2);
    settings.limits.memory = memory;
    settings.saving = Saving { interval: Duration::ZERO, ..Store::hold(path).unwrap().into() };
    settings
}

/// The expected sum: the bytes of every slice in every portion of the last round, and a thousand
/// for each completed count of both rounds.
fn expected() -> Tally {
    let numbers: u64 = (0..SLICES).sum();
    let sum = numbers * SLICES * PORTIONS * WIDE[1] + 1_000 * 2 * (numbers + SLICES);
    Tally::from(u128::from(sum))
}

fn counted(settings: Settings) -> Result<Tally, RunError> {
    let outcome = run::count(&Portions::new(None), settings, &mut Silent)?;
    Ok(outcome.units.directed())
}

#[test]
fn a_slice_that_is_stopped_amid_its_portions_is_made_again_and_none_of_them_counts_twice() {
    for memory in [None, Some(1), Some(40)] {
        for slice in 0..SLICES {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("run.kt");
            // The run is stopped at this slice, and then again at another unfinished slice, if
            // there is one. Slices with high numbers are processed first.
            for slice in [slice, slice.saturating_sub(1)] {
                let mut settings = settings(&path, memory);
                settings.limits.threads = Some(1);
                let work = Portions::new(Some((slice, Arc::clone(&settings.control))));
                let stopped = run::count(&work, settings, &mut Silent);
                assert!(matches!(stopped, Err(RunError::Stopped { .. })), "{slice}");
            }
            let found = counted(settings(&path, memory)).unwrap();
            assert_eq!(found, expected(), "{memory:?}, {slice}");
        }
    }
}

#[test]
fn a_count_that_did_not_fit_the_disk_resumes_with_more_and_counts_nothing_twice() {
    let mut refused = 0;
    for disk in (0..LAST + 500).step_by(197) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.kt");
        let mut bounded = settings(&path, Some(1));
        bounded.limits.disk = Some(disk);
        match counted(bounded) {
            Err(RunError::Layers(LayersError::Room { .. })) => refused += 1,
            found => assert_eq!(found.unwrap(), expected(), "{disk}"),
        }
        let found = counted(settings(&path, Some(1))).unwrap();
        assert_eq!(found, expected(), "{disk}");
    }
    assert!(refused > 50, "{refused}");
}

#[test]
fn the_place_of_what_was_left_of_unfinished_slices_is_filled() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.kt");
    let len = || {
        let layer = folder.path().join("run.kt.states/0-2");
        std::fs::metadata(layer).unwrap().len()
    };
    for _ in 0..3 {
        // This slice is started first. Meanwhile the other thread processes all others, whose
        // pieces are stored after those of this slice. The memory suffices for both threads to
        // work, but not to keep their output.
        let settings = settings(&path, Some(1_000));
        let work = Portions::new(Some((SLICES - 1, Arc::clone(&settings.control))));
        let stopped = run::count(&work, settings, &mut Silent);
        assert!(matches!(stopped, Err(RunError::Stopped { .. })));
    }
    assert_eq!(counted(settings(&path, Some(1_000))).unwrap(), expected());
    assert_eq!(len(), LAST);
}
