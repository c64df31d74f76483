//! Runs of an engine that searches no tree: its units are atomic, so each is computed as a whole or
//! not at all.

use kt_enum::board::Board;
use kt_enum::question::Question;
use kt_enum::tally::Tally;
use kt_enum_engines::rounds::StatesUnavailable;
use kt_enum_engines::work::{
    Advance, Identity, Name, NotRecounted, Pause, Recount, Split, UnitPiece, Work, Worker,
};
use kt_enum_runs::run::checkpoint::{Store, UnitState, read};
use kt_enum_runs::run::{self, Control, Event, Observer, RunError, Saving, Settings, Silent};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const UNITS: usize = 40;

/// An engine whose units have as many tours as their number says. The last `endless` units run
/// until the run stops.
struct Atomic {
    endless: usize,
}

impl Work for Atomic {
    fn identity(&self) -> Identity {
        Identity {
            question: Question::open(Board::new(5, 5).unwrap()),
            engine: Name::Other("atomic".to_owned()),
            split: Split::Depth(0),
            units: UNITS as u64,
        }
    }

    fn label(&self, unit: usize) -> String {
        unit.to_string()
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(self)
    }

    /// The first units are the largest.
    fn cost(&self, _worker: &mut dyn Worker, unit: usize) -> f64 {
        (UNITS - unit) as f64
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
}

impl Worker for &Atomic {
    fn advance(
        &mut self,
        unit: usize,
        piece: &UnitPiece,
        pause: &dyn Fn() -> Pause,
    ) -> Result<Advance, StatesUnavailable> {
        while UNITS - unit <= self.endless && pause() != Pause::Now {
            std::thread::sleep(Duration::from_millis(1));
        }
        let is_given_up = pause() == Pause::Now;
        Ok(Advance {
            found: if is_given_up { 0 } else { unit as u64 }.into(),
            nodes: 1,
            rest: is_given_up.then(|| piece.clone()),
        })
    }
}

/// An observer that stops a run once this number of units is done.
struct StopAfter(usize, Arc<Control>);

impl Observer for StopAfter {
    fn notice(&mut self, event: &Event) {
        if let Event::Progress(at) = event
            && at.done >= self.0
        {
            assert_eq!(at.units, UNITS);
            self.1.stop();
        }
    }
}

fn settings(path: &Path) -> Settings {
    let saving = Saving { interval: Duration::ZERO, ..Store::hold(path).unwrap().into() };
    Settings { saving, ..Settings::on_threads(3) }
}

#[test]
fn a_unit_that_is_given_up_is_as_if_nobody_had_begun_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.kt");
    let settings = settings(&path);
    let mut observer = StopAfter(UNITS - 10, Arc::clone(&settings.control));
    let stopped = run::count(&Atomic { endless: 10 }, settings, &mut observer);
    let Err(RunError::Stopped { at, .. }) = stopped else {
        panic!("{stopped:?}");
    };
    assert_eq!(at.done, UNITS - 10);
    let (header, units) = read(&path).unwrap().unwrap();
    assert_eq!(header.begun, 0);
    // The pace of units is not known in the first seconds.
    assert_eq!(header.status.share, None);
    for (unit, state) in units.into_iter().enumerate() {
        let expected = match unit < UNITS - 10 {
            true => UnitState::Done(Tally::from(unit as u64)),
            false => UnitState::Untouched,
        };
        assert_eq!(state, expected, "unit {unit}");
    }
}

#[test]
fn a_run_of_atomic_units_stopped_on_the_way_ends_with_the_same_units() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.kt");
    let whole = run::count(&Atomic { endless: 0 }, Settings::default(), &mut Silent).unwrap();
    for done in [1, 15, 30] {
        let settings = settings(&path);
        let mut observer = StopAfter(done, Arc::clone(&settings.control));
        let endless = UNITS - done;
        assert!(run::count(&Atomic { endless }, settings, &mut observer).is_err());
    }
    let resumed = run::count(&Atomic { endless: 0 }, settings(&path), &mut Silent).unwrap();
    assert_eq!(resumed.effort.units_resumed, 30);
    assert_eq!(resumed.units, whole.units);
    assert_eq!(resumed.units.directed(), Tally::from(780_u32));
}
