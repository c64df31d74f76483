//! Runs of an engine whose slices come in portions, stopped amid them.

use kt_enum::board::Board;
use kt_enum::question::Question;
use kt_enum::rounds::{Built, Dealt, Lost, Rounds};
use kt_enum::run::checkpoint::Store;
use kt_enum::run::{self, Control, RunError, Settings, Silent};
use kt_enum::tally::Tally;
use kt_enum::work::{Advance, Identity, Pause, Recount, Split, Sweeps, Work};
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

const SLICES: u64 = 5;
const PORTIONS: u64 = 3;

/// Two rounds: every slice leaves its own number in each of its portions, once for each slice of the next round. The unit is the sum of all that is there.
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

    fn sum(&self) -> Result<u64, Lost> {
        let built = self.built.get().ok_or_else(|| Lost("all".to_owned()))?;
        let mut sum = 0;
        for slice in 0..SLICES {
            let pieces = built.layers[0].slice(slice)?;
            sum += pieces
                .iter()
                .flat_map(|piece| piece.iter())
                .map(|&byte| u64::from(byte))
                .sum::<u64>();
        }
        let met = built
            .met
            .iter()
            .map(|(_, number)| u64::try_from(number).unwrap());
        Ok(sum + 1_000 * met.sum::<u64>())
    }
}

/// A byte for each slice of the next round.
fn portion(byte: u64) -> Dealt {
    Dealt {
        bytes: vec![byte as u8; SLICES as usize],
        parts: (0..SLICES).map(|slice| (slice, slice)).collect(),
        states: SLICES,
        ..Dealt::default()
    }
}

impl Rounds for Portions {
    type Worker = ();

    fn rounds(&self) -> Vec<usize> {
        vec![2]
    }

    fn start(&self) -> Dealt {
        portion(1)
    }

    fn advance(
        &self,
        (): &mut (),
        (_, round): (usize, usize),
        slice: u64,
        packed: &[&[u8]],
        stop: &dyn Fn() -> bool,
        deal: &mut dyn FnMut(Dealt),
    ) -> Option<Dealt> {
        let sources = if round == 0 { 1 } else { SLICES * PORTIONS };
        assert_eq!(
            packed.len() as u64,
            sources,
            "something is missing or there twice"
        );
        for _ in 1..PORTIONS {
            deal(portion(slice));
        }
        if let Some((stopped, control)) = &self.stopped
            && (round, slice) == (1, *stopped)
        {
            // Time for the portions to be taken and the index to be written.
            std::thread::sleep(Duration::from_millis(100));
            control.stop();
        }
        (!stop()).then(|| Dealt {
            taken: SLICES * PORTIONS,
            met: vec![(7, (slice + 1).into())],
            ..portion(slice)
        })
    }

    fn ready(&self, built: Built) {
        let _ = self.built.set(built);
    }
}

impl Work for Portions {
    type Piece = ();
    type Worker = ();

    fn identity(&self) -> Identity {
        Identity {
            question: Question::open(Board::new(5, 5).unwrap()),
            engine: "portions".to_owned(),
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

    fn worker(&self) {}

    fn begin(&self, _unit: usize) {}

    fn accepts(&self, _unit: usize, (): &()) -> bool {
        true
    }

    fn advance(
        &self,
        (): &mut (),
        _unit: usize,
        (): &(),
        _pause: &dyn Fn() -> Pause,
    ) -> Result<Advance<()>, Lost> {
        let found = Tally::from(u128::from(self.sum()?));
        Ok(Advance {
            found,
            nodes: 1,
            rest: None,
        })
    }

    fn recount(&self, _unit: usize, _stop: &dyn Fn() -> bool) -> Option<Recount> {
        None
    }

    fn sweeps(&self) -> Option<Sweeps<'_, Self>> {
        Some(self)
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

#[test]
fn a_slice_that_is_stopped_amid_its_portions_is_made_again_and_none_of_them_counts_twice() {
    // Each slice leaves its number in every slice of the next round, in every portion; and in both rounds one more than its number is met.
    let numbers: u64 = (0..SLICES).sum();
    let expected = numbers * SLICES * PORTIONS + 1_000 * 2 * (numbers + SLICES);
    for memory in [None, Some(1), Some(40)] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.kt");
        for slice in 0..SLICES {
            let settings = settings(&path, memory);
            let work = Portions::new(Some((slice, Arc::clone(&settings.control))));
            match run::count(&work, settings, &mut Silent) {
                Err(RunError::Stopped { .. }) => {}
                // The slice was done by the process before.
                Ok(outcome) => {
                    assert_eq!(outcome.units.directed(), Tally::from(u128::from(expected)))
                }
                Err(error) => panic!("{error}"),
            }
        }
        let work = Portions::new(None);
        let outcome = run::count(&work, settings(&path, memory), &mut Silent).unwrap();
        assert_eq!(
            outcome.units.directed(),
            Tally::from(u128::from(expected)),
            "{memory:?}"
        );
    }
}
