//! Runs of an engine whose slices come in portions, stopped amid them.

use kt_enum::board::Board;
use kt_enum::question::Question;
use kt_enum::rounds::{Built, Partitioned, RoundWorker, Rounds, StatesUnavailable};
use kt_enum::run::checkpoint::Store;
use kt_enum::run::{self, Control, LayersError, RunError, Settings, Silent};
use kt_enum::tally::Tally;
use kt_enum::work::{Advance, Identity, Name, Pause, Piece, Recount, Split, Work, Worker};
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

const SLICES: u64 = 5;
const PORTIONS: u64 = 3;

/// By round, the bytes of a portion for each slice of the next.
const WIDE: [u64; 2] = [1, 200];

/// The bytes that the last round leaves.
const LAST: u64 = SLICES * SLICES * PORTIONS * WIDE[1];

/// Two rounds: every slice leaves its own number in each of its portions, some bytes for each slice of the next round. The unit is the sum of all that is there.
struct Portions {
    /// The slice amid which the run is stopped, in the second round.
    stopped: Option<(u64, Arc<Control>)>,
    built: OnceLock<Built>,
}

impl Portions {
    fn new(stopped: Option<(u64, Arc<Control>)>) -> Self {
        let built = OnceLock::new();
        Self { stopped, built }
    }

    fn sum(&self) -> Result<u64, StatesUnavailable> {
        let built = self.built.get().ok_or_else(|| StatesUnavailable("all".to_owned()))?;
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

/// As many bytes for each slice of the next round.
fn portion(byte: u64, wide: u64) -> Partitioned {
    Partitioned {
        bytes: vec![byte as u8; (SLICES * wide) as usize],
        parts: (0..SLICES).map(|slice| (slice, wide * slice)).collect(),
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

    fn units(&self) -> usize {
        1
    }

    fn label(&self, _unit: usize) -> String {
        "all".to_owned()
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(self)
    }

    fn begin(&self, _unit: usize) -> Piece {
        Piece::whole(&[])
    }

    fn accepts(&self, unit: usize, piece: &Piece) -> bool {
        *piece == self.begin(unit)
    }

    fn recount(&self, _unit: usize, _stop: &dyn Fn() -> bool) -> Option<Recount> {
        None
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
            // Time for the portions to be taken and the index to be written.
            std::thread::sleep(Duration::from_millis(100));
            control.stop();
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
        _piece: &Piece,
        _pause: &dyn Fn() -> Pause,
    ) -> Result<Advance, StatesUnavailable> {
        let found = Tally::from(u128::from(self.sum()?));
        Ok(Advance { found, nodes: 1, rest: None })
    }
}

fn settings(path: &Path, memory: Option<u64>) -> Settings {
    Settings {
        threads: Some(2),
        interval: Duration::ZERO,
        memory,
        checkpoint: Some(Store::hold(path).unwrap()),
        ..Settings::default()
    }
}

/// What each slice leaves in every slice of the next round, in every portion, and a thousand for each that is met, in both rounds.
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
            // Stopped there, and again at another one that was not done, if there is one; those with high numbers go first.
            for slice in [slice, slice.saturating_sub(1)] {
                let settings = Settings { threads: Some(1), ..settings(&path, memory) };
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
fn a_count_that_had_no_room_on_disk_goes_on_with_more_and_counts_nothing_twice() {
    let mut refused = 0;
    for disk in (0..LAST + 500).step_by(97) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.kt");
        let bounded = Settings { disk: Some(disk), ..settings(&path, Some(1)) };
        match counted(bounded) {
            Err(RunError::Layers(LayersError::Room { .. })) => refused += 1,
            found => assert_eq!(found.unwrap(), expected(), "{disk}"),
        }
        let found = counted(settings(&path, Some(1))).unwrap();
        assert_eq!(found, expected(), "{disk}");
    }
    assert!(refused > 100, "{refused}");
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
        // The first to be begun: the other thread does all others meanwhile, whose pieces come behind what it has left. There is
        // room for both to work, and none to keep what comes of it.
        let settings = settings(&path, Some(1_000));
        let work = Portions::new(Some((SLICES - 1, Arc::clone(&settings.control))));
        let stopped = run::count(&work, settings, &mut Silent);
        assert!(matches!(stopped, Err(RunError::Stopped { .. })));
    }
    assert_eq!(counted(settings(&path, Some(1_000))).unwrap(), expected());
    assert_eq!(len(), LAST);
}
