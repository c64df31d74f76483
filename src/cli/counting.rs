//! A configured count, run under signals with its progress shown: what `count` and `shard` share.

use super::args::EngineArgument;
use super::config::{CheckpointPlace, CountConfig, RunConfig};
use super::engine::{self, Engine};
use super::exit::{Exit, Failure};
use super::output::note;
use super::progress::Progress;
use super::quantity::duration;
use super::signals::Listener;
use kt_enum::classes;
use kt_enum::run::checkpoint::{Store, StoreError, peek};
use kt_enum::run::units::Units;
use kt_enum::run::{self, Outcome, RunError, Settings, Shard, Snapshot};
use kt_enum::tally::Tally;
use kt_enum::work::Identity;
use std::path::Path;
use std::sync::Arc;

/// A count that is set up and can be told to stop.
pub struct Counting {
    pub work: Engine,
    config: CountConfig,
    signals: Listener,
}

impl Counting {
    /// Sets up a count, with the engine and the split depth of the checkpoint it will go on from.
    pub fn new(config: CountConfig) -> Result<Self, Failure> {
        let saved = saved(&config.run)?.filter(|saved| agrees(&config, saved));
        let engine = match &saved {
            Some(saved) => &saved.engine,
            None => engine::name(config.engine, &config.question),
        };
        let depth = config
            .split_depth
            .or(saved.as_ref().map(|saved| saved.split.depth()));
        let work = Engine::new(engine, config.question, depth, config.memo)?;
        let signals = Listener::start()?;
        Ok(Self {
            work,
            config,
            signals,
        })
    }

    /// Counts the units of a shard.
    pub fn run(&self, shard: Shard) -> Result<Outcome, Failure> {
        let config = &self.config;
        let settings = Settings {
            shard,
            threads: Some(config.run.threads),
            checkpoint: checkpoint(&config.run)?,
            interval: config.run.interval,
            max_time: config.run.max_time,
            control: Arc::clone(self.signals.control()),
        };
        let mut progress = Progress::new(config.run.progress, &config.question);
        let counted = run::count(&self.work, settings, &mut progress);
        progress.end();
        counted.map_err(|error| self.unfinished(error))
    }

    /// The number of classes, where they are asked for.
    pub fn classes(&self, units: &Units) -> Result<Option<Tally>, Failure> {
        if !self.config.classes {
            return Ok(None);
        }
        let (question, undirected) = (&units.identity.question, units.undirected());
        match classes::count(question, undirected, &|| {
            self.signals.control().is_stopped()
        })? {
            Some(classes) => Ok(Some(classes)),
            None => Err(Failure::saying(
                self.signals.exit_when_stopped(Exit::Stopped),
                STOPPED_WITH_CLASSES,
            )),
        }
    }

    /// What to say of a run without a result, and the code to leave with.
    fn unfinished(&self, error: RunError) -> Failure {
        match &error {
            RunError::Stopped { at, saved } => stopped(&self.signals, at, saved.as_deref()),
            _ => error.into(),
        }
    }
}

/// What is said when a run is stopped after its tours are counted.
pub const STOPPED_WITH_CLASSES: &str =
    "stopped while counting classes: type the same command to go on";

/// What to say of a run that was stopped, and the code to leave with.
pub fn stopped(signals: &Listener, at: &Snapshot, saved: Option<&Path>) -> Failure {
    let how_far = format!(
        "stopped after {} with {} of {} {} done",
        duration(at.elapsed),
        at.done,
        at.units,
        match at.states {
            None => "units",
            Some(_) => "steps",
        },
    );
    match saved.map(Path::display) {
        Some(path) => Failure::saying(
            signals.exit_when_stopped(Exit::Stopped),
            format!("{how_far}; the state is saved in {path}: type the same command to go on"),
        ),
        None => Failure::saying(
            signals.exit_when_stopped(Exit::Failed),
            format!("{how_far}; nothing is saved, for there is no checkpoint"),
        ),
    }
}

/// Which run the checkpoint is of, if there is one to go on with.
pub fn saved(run: &RunConfig) -> Result<Option<Identity>, Failure> {
    match run.checkpoint.as_ref().filter(|_| !run.fresh) {
        Some(place) => Ok(peek(&place.path)?.map(|header| header.identity)),
        None => Ok(None),
    }
}

/// Whether what was asked for leaves the choice of the engine to a saved run.
fn agrees(config: &CountConfig, saved: &Identity) -> bool {
    saved.question == config.question
        && (config.engine == EngineArgument::Auto
            || engine::name(config.engine, &config.question) == saved.engine)
}

/// Holds the checkpoint of a count, if it is to have one.
pub fn checkpoint(config: &RunConfig) -> Result<Option<Store>, Failure> {
    let Some(place) = &config.checkpoint else {
        return Ok(None);
    };
    match hold(place, config.fresh) {
        Ok(store) => Ok(Some(store)),
        Err(error @ StoreError::Io(_)) if !place.is_named => {
            note(&format!(
                "no checkpoint is kept, the run cannot be resumed: {}",
                Failure::from(error)
            ));
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

/// Holds the checkpoint; where two processes may do the same work, the next free one of its kind.
fn hold(place: &CheckpointPlace, fresh: bool) -> Result<Store, StoreError> {
    let mut held = Store::hold(&place.path);
    for other in place.others() {
        match &held {
            Err(StoreError::Held { holder, .. }) => {
                note(&format!(
                    "{holder} works on the same shard: counting it here too"
                ));
                held = Store::hold(&other);
            }
            _ => break,
        }
    }
    let store = held?;
    if fresh {
        store.start_over()?;
    }
    Ok(store)
}
