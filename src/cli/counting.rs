//! A configured count, run under signals with its progress shown: what `count` and `shard` share.

use super::answer;
use super::args::ProgressStyle;
use super::config::{CheckpointPlace, CountConfig, RunConfig};
use super::exit::{Exit, Failure};
use super::output::note;
use super::progress::{Progress, before_units};
use super::quantity::{counted, counted_of, duration};
use super::signals::Listener;
use kt_enum::board::Square;
use kt_enum::classes;
use kt_enum::draw::number::bytes;
use kt_enum::engine::{self, Choice, Engine, Why};
use kt_enum::estimate::{self, Expected, Fits};
use kt_enum::frontier::Frontier;
use kt_enum::question::Question;
use kt_enum::run::checkpoint::{CheckpointError, Store, StoreError, peek};
use kt_enum::run::{self, Control, Outcome, RunError, Settings, Snapshot};
use kt_enum::starts::{self, Starts};
use kt_enum::tally::Tally;
use kt_enum::units::{Shard, Units};
use kt_enum::work::Identity;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A count that is set up and can be told to stop.
pub struct Counting {
    pub work: Engine,
    pub config: CountConfig,
    pub signals: Listener,
    choice: Choice,
    shard: Shard,
}

impl Counting {
    /// Sets up the count of a shard, with the engine and the split of the checkpoint it will go on from.
    pub fn new(mut config: CountConfig, shard: Shard) -> Result<Self, Failure> {
        let saved = saved(&config.run)?;
        let choice = engine::choose(&config.question, &config.wishes, saved.as_ref());
        let mut work = Engine::new(&choice.engine, config.question, choice.split, config.memo)?;
        let signals = Listener::start()?;
        if let Some(folder) = config.prepared.take()
            && run::is_prepared(&folder, &*work)?
        {
            config.prepared = Some(folder);
        } else {
            let units = shard.units_of(work.units());
            work.restrict_to(&units);
        }
        Ok(Self { work, config, signals, choice, shard })
    }

    /// Counts the units.
    pub fn run(&self) -> Result<Outcome, Failure> {
        self.watched(|settings, progress| run::count(&*self.work, settings, progress))
    }

    /// Makes what precedes the units; says whether anything does.
    pub fn prepare(&self) -> Result<bool, Failure> {
        let built =
            self.watched(|settings, progress| run::prepare(&*self.work, settings, progress))?;
        Ok(built.is_some())
    }

    fn watched<T>(
        &self,
        go: impl FnOnce(Settings, &mut Progress) -> Result<T, RunError>,
    ) -> Result<T, Failure> {
        let (question, run) = (&self.config.question, &self.config.run);
        if self.config.prepared.is_none() {
            announce(&self.config, &self.choice, &self.work, self.signals.control())?;
        }
        let settings = Settings {
            shard: self.shard,
            prepared: self.config.prepared.clone(),
            // A result that cannot be written where it was to be kept is not lost.
            keep_finished: self.config.whole.keep_units.is_some(),
            ..settings(run, &self.signals)?
        };
        watched(question, run.progress, &self.signals, |progress| go(settings, progress))
    }
}

/// The number of classes, where they are asked for.
pub fn classes(
    config: &CountConfig,
    units: &Units,
    signals: &Listener,
) -> Result<Option<Tally>, Failure> {
    if !config.whole.classes {
        return Ok(None);
    }
    let stop = || signals.control().is_stopped();
    match classes::count(&units.identity.question, units.undirected(), &stop)? {
        Some(classes) => Ok(Some(classes)),
        None => Err(signals.stopped(
            Exit::Stopped,
            "stopped while counting classes: type the same command to go on",
        )),
    }
}

/// All open tours of a board, by start.
pub struct ByStart {
    pub starts: Starts,
    /// Those of all starts, one after the other, each with the tours of its whole orbit.
    pub units: Units,
    pub effort: answer::Effort,
    pub signals: Listener,
    outcomes: Vec<Outcome>,
}

/// Counts the open tours of a board from the first square of every orbit, each as a run of its own, whose checkpoint
/// stays until all are done.
pub fn by_start(config: &CountConfig) -> Result<ByStart, Failure> {
    let board = config.question.board;
    let orbits = starts::orbits_of_ends(board);
    let signals = Listener::start()?;
    let mut outcomes: Vec<Outcome> = Vec::new();
    for orbit in &orbits {
        let question = Question::open_between(board, Some(orbit[0]), None);
        let mut run = config.run.clone();
        if let Some(place) = &mut run.checkpoint {
            place.path = beside(&place.path, &board.name(orbit[0]));
        }
        let saved = saved(&run)?;
        let choice = engine::choose(&question, &config.wishes, saved.as_ref());
        let work = Engine::new(&choice.engine, question, choice.split, config.memo)?;
        let before: Duration = outcomes.iter().map(|outcome| outcome.elapsed).sum();
        let settings = Settings {
            keep_finished: true,
            max_time: config.run.max_time.map(|most| most.saturating_sub(before)),
            ..settings(&run, &signals)?
        };
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
        question: config.question,
        units: counts.len() as u64,
        ..outcomes[0].units.identity.clone()
    };
    let units = Units { identity, shard: Shard::WHOLE, counts };
    Ok(ByStart { starts, units, effort: answer::Effort::of(&outcomes), outcomes, signals })
}

impl ByStart {
    /// Removes the checkpoints, once the result is where it belongs.
    pub fn clear_checkpoints(&self) -> Result<(), Failure> {
        self.outcomes.iter().try_for_each(|outcome| Ok(outcome.clear_checkpoint()?))
    }
}

/// The same after what went before.
fn later(mut error: RunError, before: Duration) -> RunError {
    if let RunError::Stopped { at, .. } = &mut error {
        at.elapsed += before;
    }
    error
}

/// The checkpoint of a start beside that of all.
fn beside(path: &Path, start: &str) -> PathBuf {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    path.with_extension(format!("{start}.{extension}"))
}

/// How a configured run goes.
pub fn settings(config: &RunConfig, signals: &Listener) -> Result<Settings, Failure> {
    Ok(Settings {
        threads: Some(config.threads),
        checkpoint: checkpoint(config)?,
        interval: config.interval,
        max_time: config.max_time,
        memory: config.memory_for_states(),
        disk: config.disk_for_states(),
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

/// What to say of a run without a result, and the code to leave with.
pub fn unfinished(signals: &Listener, error: RunError) -> Failure {
    match error {
        RunError::Stopped { at, saved } => stopped(signals, &at, saved.as_deref()),
        error => error.into(),
    }
}

/// What to say of a run that was stopped, and the code to leave with.
fn stopped(signals: &Listener, at: &Snapshot, saved: Option<&Path>) -> Failure {
    let after = format!("stopped after {}", duration(at.elapsed));
    let how_far = match &at.building {
        None => format!("{after} with {} done", counted_of(at.done, at.units, "unit")),
        Some(building) => format!("{after}, {}", before_units(building)),
    };
    match saved.map(Path::display) {
        Some(path) => signals.stopped(
            Exit::Stopped,
            format!("{how_far}; the state is saved in {path}: type the same command to go on"),
        ),
        None => signals.stopped(
            Exit::Failed,
            format!("{how_far}; nothing is saved, for there is no checkpoint"),
        ),
    }
}

/// Which run the checkpoint is of, if there is one to go on with.
fn saved(run: &RunConfig) -> Result<Option<Identity>, Failure> {
    match run.checkpoint.as_ref().filter(|_| !run.fresh) {
        Some(place) => match peek(&place.path) {
            // It is said when the run begins.
            Err(CheckpointError::Store(StoreError::Io(_))) if !place.is_named => Ok(None),
            header => Ok(header?.map(|header| header.identity)),
        },
        None => Ok(None),
    }
}

/// Holds the checkpoint of a count, if it is to have one.
fn checkpoint(config: &RunConfig) -> Result<Option<Store>, Failure> {
    let Some(place) = &config.checkpoint else {
        return Ok(None);
    };
    match hold(place, config.fresh) {
        Ok(store) => Ok(Some(store)),
        Err(error @ StoreError::Io(_)) if !place.is_named => {
            note(&format!(
                "no checkpoint is kept, the run cannot be resumed: {}",
                Failure::from(error).message
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
                note(&format!("{holder} does the same: counting it here too"));
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

/// A count that is expected to be shorter is not announced.
const SHORT: Duration = Duration::from_secs(1);

/// A run that may not last longer is not announced.
const FEW_SECONDS: Duration = Duration::from_secs(3);

/// A count that is expected to be longer is worth a better guess.
const LONG: Duration = Duration::from_secs(45);

/// A count that is expected to be longer is warned of.
const WEEK: Duration = Duration::from_secs(7 * 24 * 3600);

/// Probes of a search tree for the announcement: some milliseconds.
pub const PROBES: u64 = 400;

/// Nodes a second of one thread that the announcement of a search reckons with.
const NODES_PER_S: f64 = 3e7;

/// Boards that take the frontier a second or two.
pub fn is_surely_short(question: &Question) -> bool {
    let board = question.board;
    let is_narrow = board.rows().min(board.cols()) <= 7;
    board.squares() <= 49 || (question.is_closed() && is_narrow && board.squares() <= 70)
}

/// What a count by the frontier is expected to take: the longer it is, the better it is worth to know. A count that was begun is held up for it
/// only where it may have to be refused. `None` when told to stop.
///
/// # Errors
/// When the bounds on memory and disk are too small even for the least that is expected.
fn expected(
    run: &RunConfig,
    frontier: &Frontier,
    is_begun: bool,
    control: &Control,
) -> Option<Result<Expected, Failure>> {
    let [rough, fair, good] = [0.1, 3.0, 20.0].map(Duration::from_secs_f64);
    let guess =
        |within: Duration| estimate::of_frontier(frontier, within, 0, &|| control.is_stopped());
    // A run of a few seconds is not for a guess of twenty.
    let has_time = |within: Duration| run.max_time.is_none_or(|most| within <= most);
    let is_long =
        |expected: &Expected| expected.seconds() / run.threads as f64 > LONG.as_secs_f64();
    let mut expected = guess(rough)?;
    if is_long(&expected) && has_time(fair) {
        expected = guess(fair)?;
    }
    let Some((memory, disk)) = run.memory_for_states().zip(run.disk_for_states()) else {
        return Some(Ok(expected));
    };
    let fits = expected.check_room(memory, disk);
    let is_enough = fits == Ok(Fits::Surely) || (is_begun && fits.is_ok());
    if !is_enough && has_time(good) {
        // A refusal is not for a rough guess.
        expected = guess(good)?;
    }
    match expected.check_room(memory, disk) {
        Err(error) => return Some(Err(error.into())),
        Ok(Fits::Surely) => {}
        Ok(Fits::Perhaps) => {
            let [_, most] = expected.forecast.bars();
            note(&format!(
                "its states may take up to {} of memory and disk, more than --memory and --disk allow: then it will stop, and go on with more",
                bytes(expected.forecast.bytes * most),
            ));
        }
    }
    Some(Ok(expected))
}

/// Says which engine counts and what it is expected to take.
///
/// # Errors
/// When the bounds on memory and disk are too small for what is expected.
fn announce(
    config: &CountConfig,
    choice: &Choice,
    work: &Engine,
    control: &Control,
) -> Result<(), Failure> {
    let run = &config.run;
    let (seconds, room) = match work {
        Engine::Frontier(_) if is_surely_short(&config.question) => return Ok(()),
        // Even a rough guess takes that long on the widest boards.
        Engine::Frontier(_) if run.max_time.is_some_and(|most| most < FEW_SECONDS) => return Ok(()),
        Engine::Frontier(frontier) => {
            let is_begun = choice.why == Why::Begun;
            let expected = expected(run, frontier, is_begun, control).transpose()?;
            let Some(expected) = expected else {
                return Ok(());
            };
            let of_units = run.threads as f64 * expected.forecast.unit_bytes;
            let room = bytes(expected.forecast.bytes + of_units);
            (expected.seconds(), format!(", {room}"))
        }
        _ => {
            let size = estimate::estimate(&**work, PROBES, 0, &|| control.is_stopped());
            let seconds = size.map_or(0.0, |size| size.nodes.mean / NODES_PER_S);
            (seconds, String::new())
        }
    };
    let expected =
        Duration::try_from_secs_f64(seconds / run.threads as f64).unwrap_or(Duration::MAX);
    if expected < SHORT || matches!(run.progress, ProgressStyle::None | ProgressStyle::Json) {
        return Ok(());
    }
    let [tours, ..] = config.question.words();
    note(&format!(
        "{}: {} {tours}, about {} on {}{room}",
        choice.engine,
        config.question.board,
        duration(expected),
        counted(run.threads, "thread"),
    ));
    let fastest = engine::fastest(&config.question);
    if choice.why == Why::Begun && fastest != choice.engine {
        note(&format!(
            "the checkpoint was begun with {}; {} would be faster: --fresh gives the checkpoint up and takes it",
            choice.engine, fastest,
        ));
    }
    if expected > WEEK {
        note(
            "this is more than a week: it can be stopped and resumed, shared out with kt-enum shard, \
             and kt-enum estimate says more of it",
        );
    }
    Ok(())
}
