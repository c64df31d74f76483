//! A configured count, run under signals with its progress shown: what `count` and `shard` share.

use super::args::ProgressStyle;
use super::config::{CheckpointPlace, CountConfig, RunConfig};
use super::exit::{Exit, Failure};
use super::forecast::{self, Announced, Beginning};
pub use super::forecast::{PROBES, is_surely_short};
use super::output::note;
use super::progress::{Progress, before_units};
use super::quantity::{counted_of, duration, time};
use super::resumption;
use super::signals::Listener;
use crate::board::Square;
use crate::classes;
use crate::engine::{self, Choice, Engine};
use crate::question::Question;
use crate::run::checkpoint::{CheckpointError, Header, Store, StoreError, holder, peek};
use crate::run::{self, Limits, Observer, Outcome, RunError, Saving, Settings};
use crate::starts::{self, Starts};
use crate::tally::Tally;
use crate::units::{Shard, Units};
use crate::work::{Identity, Work};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A count that is set up and can be told to stop.
pub struct Counting {
    pub work: Engine,
    pub config: CountConfig,
    pub signals: Listener,
    pub shard: Shard,
    choice: Choice,
}

impl Counting {
    /// Sets up a whole count, with the engine and the split of the checkpoint it will go on from.
    /// `listen` begins to listen for signals, or returns a listener that several counts share.
    pub fn whole(
        config: CountConfig,
        listen: impl FnOnce() -> Result<Listener, Failure>,
    ) -> Result<Self, Failure> {
        let mut config = config;
        if let Some(saved) = saved(&config.run)?
            && let Some(path) = config.run.checkpoint.as_ref().map(|place| place.path.clone())
            && let Some(other) = place_beside(&config, &path, &saved)?
        {
            config.run.move_checkpoint(other);
        }
        let mut counting = Self::of_shard(config, |_, _| Ok(Shard::WHOLE), listen)?;
        counting.take_up_beside()?;
        Ok(counting)
    }

    /// Goes on with the checkpoint that [`place_beside`] once made, if the other one is gone.
    fn take_up_beside(&mut self) -> Result<(), Failure> {
        let run = &mut self.config.run;
        let Some(place) =
            run.checkpoint.as_ref().filter(|place| !run.fresh && !place.path.exists())
        else {
            return Ok(());
        };
        let ours = self.work.identity();
        let other = beside(&place.path, &ours);
        if peek(&other).is_ok_and(|saved| saved.is_some_and(|saved| saved.identity == ours)) {
            run.move_checkpoint(other);
        }
        Ok(())
    }

    /// The same for a shard, which `shard_of` names, given the run and the shard of the checkpoint.
    pub fn of_shard(
        mut config: CountConfig,
        shard_of: impl FnOnce(&Identity, Option<Shard>) -> Result<Shard, Failure>,
        listen: impl FnOnce() -> Result<Listener, Failure>,
    ) -> Result<Self, Failure> {
        let began = Instant::now();
        let saved = saved(&config.run)?;
        let identity = saved.as_ref().map(|saved| &saved.identity);
        let choice = engine::choose(&config.question, &config.wishes, identity);
        let mut work =
            Engine::new(&choice.engine, config.question.clone(), choice.split, config.memo)?;
        let shard = shard_of(&work.identity(), saved.map(|saved| saved.shard))?;
        let signals = listen()?;
        if let Some(folder) = config.prepared.take()
            && run::is_prepared(&folder, &*work)?
        {
            config.prepared = Some(folder);
        } else {
            let units = shard.units_of(&*work);
            work.restrict_to(units.numbers());
        }
        config.run.fit(&mut *work)?;
        // To find a good order of the squares of other boards can take a second.
        let before = began.elapsed();
        config.run.max_time = config.run.max_time.map(|most| most.saturating_sub(before));
        Ok(Self { work, config, signals, choice, shard })
    }

    /// Counts the units.
    pub fn run(&self) -> Result<Outcome, Failure> {
        self.watched(false, |settings, progress| run::count(&*self.work, settings, progress))
    }

    /// Makes what precedes the units; says whether anything does.
    pub fn prepare(&self) -> Result<bool, Failure> {
        let built =
            self.watched(true, |settings, progress| run::prepare(&*self.work, settings, progress))?;
        Ok(built.is_some())
    }

    fn watched<T>(
        &self,
        is_for_others: bool,
        go: impl FnOnce(Settings, &mut dyn Observer) -> Result<T, RunError>,
    ) -> Result<T, Failure> {
        let began = Instant::now();
        let Self { config, signals, .. } = self;
        // A checkpoint that is held, or of another run, is refused before a forecast is made.
        let mut settings = Settings {
            shard: self.shard,
            prepared: config.prepared.clone(),
            ..settings(&config.run, &*self.work, signals)?
        };
        // A result that cannot be written where it was to be kept is not lost.
        settings.saving.keep_finished = config.whole.keep_units.is_some() || config.whole.classes;
        let is_begun = run::is_begun(&*self.work, &settings)?;
        let mut progress = Progress::new(config.run.progress, &config.question);
        let Self { choice, work, shard, .. } = self;
        let (question, run, shard) = (&config.question, &config.run, *shard);
        let beginning =
            Beginning { question, run, choice, work, shard, is_begun, is_for_others, signals };
        let mut announced = match config.prepared {
            None => beginning.announce(&mut progress)?,
            Some(_) => Announced::silent(&mut progress),
        };
        let before = began.elapsed();
        settings.limits.max_time = config.run.max_time.map(|most| most.saturating_sub(before));
        settings.expected = announced.expected;
        let went = go(settings, &mut announced);
        drop(announced);
        progress.end(went.is_ok());
        went.map_err(|error| unfinished(signals, later(error, before)))
    }
}

/// The number of classes, where they are asked for, of a count that took some time. The checkpoint of
/// the count is kept until they are known.
///
/// # Errors
/// If they are stopped, by a signal or at the end of the time.
pub fn classes(
    config: &CountConfig,
    units: &Units,
    signals: &Listener,
    before: Duration,
) -> Result<Option<Tally>, Failure> {
    if !config.whole.classes {
        return Ok(None);
    }
    let began = Instant::now();
    let spent = || before.saturating_add(began.elapsed());
    let stop = || {
        signals.control().is_stopped() || config.run.max_time.is_some_and(|most| spent() >= most)
    };
    let classes = classes::count(&units.identity.question, units.undirected(), &stop)?;
    classes.map(Some).ok_or_else(|| {
        let after = duration(spent());
        let (exit, what_next) = match &config.run.checkpoint {
            Some(_) => (Exit::Stopped, "is saved: run the same command to resume"),
            None => (Exit::Failed, "is printed, and its classes are unknown"),
        };
        let message =
            format!("stopped after {after} while counting classes; the finished count {what_next}");
        signals.stopped(exit, message)
    })
}

/// All open tours of a board, by start.
pub struct ByStart {
    pub starts: Starts,
    /// Those of all starts, one after the other, each with the tours of its whole orbit.
    pub units: Units,
    pub signals: Listener,
    /// Their checkpoints are to be removed once the result is where it belongs.
    pub outcomes: Vec<Outcome>,
}

/// Counts the open tours of a board from the first square of every orbit, each as a run of its own,
/// whose checkpoint stays until all are done.
pub fn by_start(config: &CountConfig) -> Result<ByStart, Failure> {
    let board = &config.question.board;
    let orbits = starts::orbits_of_ends(board);
    let signals = Listener::start()?;
    let mut outcomes: Vec<Outcome> = Vec::new();
    for orbit in &orbits {
        let question = Question::open_between(board.clone(), Some(orbit[0]), None);
        let mut run = config.run.clone();
        if let Some(place) = &mut run.checkpoint {
            place.path = with_word(&place.path, &board.name(orbit[0]));
        }
        let of_start = CountConfig { question: question.clone(), run, ..config.clone() };
        let Counting { work, config: CountConfig { run, .. }, .. } =
            Counting::whole(of_start, || Ok(signals.clone()))?;
        let before: Duration = outcomes.iter().map(|outcome| outcome.effort.elapsed).sum();
        let mut settings = settings(&run, &*work, &signals)?;
        settings.saving.keep_finished = true;
        settings.limits.max_time = config.run.max_time.map(|most| most.saturating_sub(before));
        let count = |progress: &mut Progress| {
            run::count(&*work, settings, progress).map_err(|error| later(error, before))
        };
        outcomes.push(watched(&question, config.run.progress, &signals, count)?);
    }
    let tours = outcomes.iter().map(|outcome| outcome.units.directed());
    let starts = Starts::of_orbits(board, tours);
    let of_orbit = |(orbit, outcome): (&Vec<Square>, &Outcome)| {
        let (from, images) = (board.name(orbit[0]), orbit.len() as u128);
        let unit = move |(label, count): &(String, Tally)| {
            (format!("{from}: {label}"), count.clone() * images)
        };
        outcome.units.counts.iter().map(unit).collect::<Vec<_>>()
    };
    let counts: Vec<(String, Tally)> = orbits.iter().zip(&outcomes).flat_map(of_orbit).collect();
    // There is an orbit on every board: that of a1.
    let identity = Identity {
        question: config.question.clone(),
        units: counts.len() as u64,
        ..outcomes[0].units.identity.clone()
    };
    let units = Units { identity, shard: Shard::WHOLE, counts };
    Ok(ByStart { starts, units, outcomes, signals })
}

/// The same after what went before.
fn later(mut error: RunError, before: Duration) -> RunError {
    if let RunError::Stopped { at, .. } = &mut error {
        at.elapsed += before;
    }
    error
}

/// The checkpoint of a run whose usual place another run of the same question has.
fn beside(path: &Path, identity: &Identity) -> PathBuf {
    with_word(path, &format!("{}-{}", identity.engine, identity.split.name()))
}

/// A checkpoint with a word before its extension, such as the start that it is for.
fn with_word(path: &Path, word: &str) -> PathBuf {
    let extension = path.extension().map(|extension| format!(".{}", extension.to_string_lossy()));
    path.with_extension(word.to_owned() + &extension.unwrap_or_default())
}

/// The settings of a configured run.
pub fn settings(
    config: &RunConfig,
    work: &dyn Work,
    signals: &Listener,
) -> Result<Settings, Failure> {
    // Only a frontier has states. To ask the system what they may take would be noticed in a count
    // of a millisecond.
    let has_states = work.sweeps().is_some();
    Ok(Settings {
        limits: Limits {
            threads: Some(config.threads),
            memory: has_states.then(|| config.memory_for_states()).flatten(),
            disk: has_states.then(|| config.disk_for_states()).flatten(),
            max_time: config.max_time,
        },
        saving: Saving {
            checkpoint: checkpoint(config)?,
            interval: config.interval,
            keep_finished: false,
        },
        control: Arc::clone(signals.control()),
        ..Settings::default()
    })
}

/// Runs with the progress shown.
pub fn watched<T>(
    question: &Question,
    style: ProgressStyle,
    signals: &Listener,
    go: impl FnOnce(&mut Progress) -> Result<T, RunError>,
) -> Result<T, Failure> {
    let mut progress = Progress::new(style, question);
    let went = go(&mut progress);
    progress.end(went.is_ok());
    went.map_err(|error| unfinished(signals, error))
}

/// The failure of a run without a result.
pub fn unfinished(signals: &Listener, error: RunError) -> Failure {
    let RunError::Stopped { at, saved } = error else { return error.into() };
    let after = format!("stopped after {}", duration(at.elapsed));
    let how_far = match &at.status.building {
        None => format!("{after} with {} done", counted_of(at.done, at.units, "unit")),
        Some(building) => format!("{after}, {}", before_units(building)),
    };
    let (exit, what_next) = match saved.as_deref().map(Path::display) {
        Some(path) => {
            (Exit::Stopped, format!("the state is saved in {path}: run the same command to resume"))
        }
        None => (Exit::Failed, "nothing is saved, for there is no checkpoint".to_owned()),
    };
    signals.stopped(exit, format!("{how_far}; {what_next}"))
}

/// The place of another checkpoint, if the one at `path` is of another engine or split than the
/// command would choose and is not expected to end sooner than a count that starts anew. It is
/// kept, and a line says so.
fn place_beside(
    config: &CountConfig,
    path: &Path,
    saved: &Header,
) -> Result<Option<PathBuf>, Failure> {
    let CountConfig { question, wishes, memo, run, .. } = config;
    let theirs = &saved.identity;
    if theirs.question != *question || saved.shard != Shard::WHOLE || holder(path).is_some() {
        return Ok(None);
    }
    let new_engine =
        |choice: &Choice| Engine::new(&choice.engine, question.clone(), choice.split, *memo);
    let anew = new_engine(&engine::choose(question, wishes, None))?;
    let ours = anew.identity();
    // The split does not change the work of a search.
    if ours == *theirs || ours.engine == theirs.engine && anew.is_tree() {
        return Ok(None);
    }
    let other = beside(path, &ours);
    let shown = path.display();
    if peek(&other)?.is_some_and(|other| other.identity == ours) {
        note(&format!(
            "{shown}, a count by {}, is kept: going on with {}",
            theirs.engine,
            other.display()
        ));
        return Ok(Some(other));
    }
    let choice = engine::choose(question, wishes, Some(theirs));
    if choice.engine != theirs.engine || choice.split != Some(theirs.split) {
        // What was typed is another run than the checkpoint's, and that is an error.
        return Ok(None);
    }
    let left = match saved.status.left {
        Some(left) => Some(left.as_secs_f64()),
        None => forecast::seconds(&new_engine(&choice)?, run)
            .map(|whole| (whole - saved.spent.as_secs_f64()).max(0.0)),
    };
    let (Some(left), Some(whole)) = (left, forecast::seconds(&anew, run)) else {
        return Ok(None);
    };
    if left <= whole {
        return Ok(None);
    }
    note(&format!(
        "{shown} is kept and not resumed: by {} the rest is expected to take {}, and to start anew \
         by {} takes about {}; `{}` resumes it",
        theirs.engine,
        time(left),
        ours.engine,
        time(whole),
        resumption::command(path, saved),
    ));
    Ok(Some(other))
}

/// The head of the checkpoint, if it can be resumed.
fn saved(run: &RunConfig) -> Result<Option<Header>, Failure> {
    let Some(place) = run.checkpoint.as_ref().filter(|_| !run.fresh) else { return Ok(None) };
    match peek(&place.path) {
        // The run reports it when it starts.
        Err(CheckpointError::Store(StoreError::Io(_))) if !place.is_named => Ok(None),
        header => Ok(header?),
    }
}

/// Holds the checkpoint of a count, if it is to have one.
fn checkpoint(config: &RunConfig) -> Result<Option<Store>, Failure> {
    let Some(place) = &config.checkpoint else { return Ok(None) };
    match hold(place, config.fresh) {
        Err(error @ StoreError::Io(_)) if !place.is_named => {
            let why = Failure::from(error).message;
            note(&format!("no checkpoint is kept, the run cannot be resumed: {why}"));
            Ok(None)
        }
        held => Ok(Some(held?)),
    }
}

/// Holds the checkpoint; where two processes may do the same work, the next free one of its kind.
fn hold(place: &CheckpointPlace, fresh: bool) -> Result<Store, StoreError> {
    let mut held = Store::hold(&place.path);
    for other in place.others() {
        let Err(StoreError::Held { holder, .. }) = &held else { break };
        note(&format!("{holder} does the same: counting it here too"));
        held = Store::hold(&other);
    }
    let store = held?;
    if fresh {
        store.start_over()?;
    }
    Ok(store)
}
