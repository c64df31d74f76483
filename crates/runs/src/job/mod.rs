//! Jobs: one way from a question to its count.
//!
//! A count takes a question, an engine that can answer it, limits on threads, memory, disk and
//! time, and a place where its state is kept. To put these together by hand, a caller has to know
//! which engine fits, how memory is shared between its workers and its states, and what an earlier
//! process has left. So a [`Job`] says what is wanted, in plain fields with usual values;
//! [`Job::plan`] decides, and refuses what cannot be done, naming a limit that would do; and the
//! [`Plan`] counts.
//!
//! The invariant: what is decided is decided once, in the plan. The engine is the fastest one that
//! the wishes leave, or that of the checkpoint, which it resumes. A bound on memory is one on the
//! whole process. Nothing depends on the machine but the limits that were left open, and whether a
//! checkpoint of another engine is resumed.
//!
//! ```
//! # use kt_enum_runs as kt_enum;
//! use kt_enum::board::Board;
//! use kt_enum::job::{Job, Silent};
//! use kt_enum::question::Question;
//!
//! let plan = Job::new(Question::closed(Board::new(6, 6)?)).plan(&mut Silent)?;
//! let outcome = plan.count(&Default::default(), &mut Silent)?;
//! assert_eq!(outcome.units.undirected(), 9_862_u32.into());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cost;
mod documents;
mod estimate;
mod estimate_document;
mod found;
mod lengths;
mod number;
mod one_tour;
mod place;
mod puzzle_maker;
mod rates;
mod selected;
mod shards;
mod starts;

pub use crate::engine::Wishes;
pub use crate::estimate::{Expected, SearchSize};
pub use crate::frontier::LONGEST_SHORT_SIDE;
pub use crate::run::{
    Back, Building, Control, Effort, Event, Limits, Observer, Outcome, Price, RunError, Silent,
    Snapshot, Upcoming,
};
pub use crate::walk::MemoSize;
pub use crate::work::{EdgeClass, Identity, Name, Split};
pub use cost::{CountPrice, StatesRoom};
pub use documents::{CountDocument, HeaderDocument, PartDocument, StartDocument};
pub use estimate::{
    Estimate, EstimateEffort, EstimateError, Estimated, SearchEstimate, Unforeseen,
};
pub use found::{Auditor, Found, check, expected_tours};
pub use number::Numbered;
pub use one_tour::{NotFound, look_between, look_on};
pub use place::{
    CheckpointPlace, EXTENSION, JobKind, PREPARED, file_of_index, file_of_shard, is_of,
    is_of_folder, of_several, of_twin, state_folder,
};
pub use puzzle_maker::{MadePuzzle, NotMade, PuzzleMaker};
pub use selected::Selected;
pub use starts::{ByStart, fewest_wishes};

use crate::durable::trying;
use crate::engine::{Choice, Engine, EngineError};
use crate::estimate::{NoRoom, at_usual_rates};
use crate::frontier::MemoryShares;
use crate::machine;
use crate::quantity;
use crate::question::Question;
use crate::rates::Measured;
use crate::run::checkpoint::{CheckpointError, Header, Store, StoreError, disk_used};
use crate::run::{self, Relay, Saving, Settings};
use crate::units::merge::{MergeError, describe, part_name, parts_in, shard_of};
use crate::units::{Assignment, Shard, Units, UnitsError};
use crate::work::Work;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The memory of a process that visits tours, without tables of positions.
pub const LEAST_OF_SEARCH: u64 = 16 << 20;

/// A question to be counted, with engine and limits.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Job {
    /// The board and the tours.
    pub question: Question,
    /// The engine and its options; those that are left out are chosen.
    pub wishes: Wishes,
    /// One of several shards; `None` to count all units.
    pub shard: Option<ShardWish>,
    /// The limits of the process. A bound on memory is one on the whole process.
    pub limits: Limits,
    /// The place of the state.
    pub keeping: Keeping,
    /// `None` for a count by itself; the time that the others have taken before it for one of
    /// several counts that are made together. Nothing is forecast for one of several.
    pub spent_by_others: Option<Duration>,
    /// The place for layers that counts of several boards share, one after the other.
    pub(crate) relay: Option<Arc<Relay>>,
}

/// A shard that is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShardWish {
    /// The shard.
    pub shard: Shard,
    /// The rule by which units are assigned to shards; `None` for that of the other parts, or else
    /// the usual one.
    pub by: Option<Assignment>,
    /// The folder of the parts, where another process may have prepared what all shards need;
    /// `None` if the parts are not kept in files.
    pub folder: Option<PathBuf>,
}

/// The place of a count's state, and how it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keeping {
    /// The checkpoint; `None` to keep no state.
    pub place: Option<CheckpointPlace>,
    /// True to discard what the checkpoint has.
    pub fresh: bool,
    /// The most finished work that a crash may cost.
    pub interval: Duration,
    /// True if a finished count is saved however short it was.
    pub is_finished_kept: bool,
}

impl Default for Keeping {
    fn default() -> Self {
        let interval = Duration::from_secs(30);
        Self { place: None, fresh: false, interval, is_finished_kept: false }
    }
}

/// The reason why a job has no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JobError {
    /// No engine can answer in the way that was wished.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The run ended without a result.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The bound on memory is less than the count needs.
    #[error(
        "{given} bytes of memory are less than the {least} that the count takes on {threads} threads"
    )]
    Memory {
        /// The bound that was given.
        given: u64,
        /// The least bound that suffices.
        least: u64,
        /// The number of threads.
        threads: usize,
        /// The number of threads for which the bound suffices, if there is one.
        enough_for: Option<usize>,
    },
    /// The limit on addresses leaves less than the count needs. The smallest allocation beyond it
    /// would end the process without a message.
    #[error(
        "`ulimit -v` leaves {} of memory for {}, and this count takes at least {}",
        quantity::bytes(*.left as f64),
        quantity::counted(*.threads, "thread"),
        quantity::bytes(*.least as f64)
    )]
    Addresses {
        /// The bytes that are left.
        left: u64,
        /// The least that suffices.
        least: u64,
        /// The number of threads.
        threads: usize,
    },
    /// The transposition tables exceed the bound on memory.
    #[error("{memo} bytes for each of {threads} tables are more than fit: at most {most}")]
    Memo {
        /// The bytes of a table.
        memo: u64,
        /// The most bytes that a table can have beside the program.
        most: u64,
        /// The bound on memory.
        memory: u64,
        /// The number of threads, each with a table.
        threads: usize,
    },
    /// Units of an earlier run are not what they should be.
    #[error(transparent)]
    Units(#[from] UnitsError),
    /// The disk is too small even for the lower bound of the forecast of states that other
    /// processes need.
    #[error(transparent)]
    NoRoom(#[from] NoRoom),
    /// It was stopped while it was forecast.
    #[error("stopped while it was forecast")]
    Forecasting {
        /// The time that it took.
        after: Duration,
        /// True if a checkpoint has part of the count.
        is_begun: bool,
        /// True if the count keeps a checkpoint.
        is_kept: bool,
    },
    /// The units of this engine share no states, so that shards cannot be made by them.
    #[error("the units of {0} share no states")]
    Groups(Name),
    /// The folder has states that were prepared for another count.
    #[error("{0} has states that were prepared for another count")]
    OfAnother(PathBuf),
    /// The folder has a part of another run or by another rule, with which no part can be merged.
    #[error("{0} is a part of another run, {1}")]
    OtherPart(PathBuf, String),
    /// A part is of another shard than its name says.
    #[error("{0} has shard {1} in it")]
    OtherShard(PathBuf, Shard),
}

impl From<CheckpointError> for JobError {
    fn from(error: CheckpointError) -> Self {
        Self::Run(error.into())
    }
}

impl From<StoreError> for JobError {
    fn from(error: StoreError) -> Self {
        CheckpointError::from(error).into()
    }
}

impl Job {
    /// A count of all units by the fastest engine on all cores, whose state is not kept.
    pub fn new(question: Question) -> Self {
        Self {
            question,
            wishes: Wishes::default(),
            shard: None,
            limits: Limits::default(),
            keeping: Keeping::default(),
            spent_by_others: None,
            relay: None,
        }
    }

    /// The same count of another question, as one of several that are made together. Its
    /// checkpoint has a word of its own in its name, and stays until it is removed.
    fn one_of_several(&self, question: Question, kind: JobKind) -> Self {
        let mut job = Self { question, spent_by_others: Some(Duration::ZERO), ..self.clone() };
        job.keeping.is_finished_kept = true;
        if let Some(place) = &mut job.keeping.place {
            place.path = place::of_one(&place.path, kind, &job.question);
        }
        job
    }

    /// No units, for a question that has no tour for a known reason; `None` for any other. A whole
    /// rectangle with a knight is searched all the same if it can be, so that its count has the
    /// units and the fingerprint of any other.
    pub fn without_search(&self) -> Option<Units> {
        let question = &self.question;
        let is_refused = || match self.engine(None) {
            Err(JobError::Engine(error)) => error.is_of_board(),
            _ => false,
        };
        if !question.is_impossible() || question.board.is_plain() && !is_refused() {
            return None;
        }
        let Choice { engine, split } = crate::engine::choose(question, &self.wishes, None);
        let split = split.unwrap_or(Split::Depth(0));
        let identity = Identity { question: question.clone(), engine, split, units: 0 };
        Some(Units { identity, shard: Shard::WHOLE, counts: Vec::new() })
    }

    /// Decides how to count, and tells the observer what the user should know before.
    ///
    /// # Errors
    /// [`JobError`] if the question cannot be answered as it was wished, within the limits, or
    /// conflicts with what the checkpoint has.
    pub fn plan(self, observer: &mut dyn Observer) -> Result<Plan, JobError> {
        let began = Instant::now();
        let saved = self.saved()?;
        let mut engine = self.engine(saved.as_ref().map(|saved| &saved.identity))?;
        let (mut shard, mut prepared) = (Shard::WHOLE, None);
        if let Some(wish) = &self.shard {
            shard = wish.chosen(&engine.identity(), saved.map(|saved| saved.shard))?;
            let folder = wish.folder.as_ref();
            let layers = folder.map(|folder| Store::folder_of_states(&folder.join(PREPARED)));
            if let Some(layers) = layers
                && run::is_prepared(&layers, &*engine).map_err(RunError::from)?
            {
                prepared = Some(layers);
            } else {
                // A shard that makes its own layers needs only the states that lead to its units.
                // Those that were prepared serve all shards, and were made for all units.
                let units = shard.units_of(&*engine);
                engine.restrict_to(units.numbers(), 1.0 / f64::from(shard.of()));
            }
        }
        let memory_for_states = self.limits.fit(&mut *engine, observer)?;
        let planning = began.elapsed();
        Ok(Plan { job: self, engine, shard, prepared, memory_for_states, planning })
    }

    /// The engine that the job has on its own, or with the run that its checkpoint has.
    fn engine(&self, saved: Option<&Identity>) -> Result<Engine, JobError> {
        let choice = crate::engine::choose(&self.question, &self.wishes, saved);
        let memo = self.memo()?;
        Ok(Engine::new(&choice.engine, self.question.clone(), choice.split, memo)?)
    }

    /// The transposition table of each thread, within the limit for all tables.
    fn memo(&self) -> Result<MemoSize, JobError> {
        let (threads, wished) = (self.limits.threads(), self.wishes.memo.unwrap_or_default());
        let Some(memory) = self.limits.bound() else { return Ok(wished) };
        let most = memory.saturating_sub(LEAST_OF_SEARCH) / threads as u64;
        match wished {
            MemoSize::Bytes(memo) if memo > most => {
                Err(JobError::Memo { memo, most, memory, threads })
            }
            MemoSize::Cache if most < MemoSize::DEFAULT_BYTES => Ok(MemoSize::Bytes(most)),
            wished => Ok(wished),
        }
    }

    /// The head of the checkpoint, if there is one to resume.
    fn saved(&self) -> Result<Option<Header>, JobError> {
        let place = self.keeping.place.as_ref().filter(|_| !self.keeping.fresh);
        Ok(place.map_or(Ok(None), CheckpointPlace::saved)?)
    }
}

/// The meaning of the limits of a process for its engine, of which a run knows nothing.
impl Limits {
    /// The number of worker threads.
    pub fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.unwrap_or_else(cores)
    }

    /// Reads a number of bytes, also as `2G`, `1.5G` or `64K` in powers of 1024.
    ///
    /// # Errors
    /// The sentence that says how to write it.
    pub fn parse_bytes(text: &str) -> Result<u64, &'static str> {
        quantity::parse_size(text)
    }

    /// The most memory of the process: what was given, or three quarters of what is free. `None` if
    /// no limit was given and the system does not say what is free. To ask the system takes a good
    /// part of a millisecond.
    ///
    /// More than `ulimit -v` leaves is not taken, whatever was given: once there is none left, the
    /// smallest allocation ends the process without a message.
    #[doc(hidden)]
    pub fn bound(&self) -> Option<u64> {
        let (threads, most) = (self.threads(), |left| left / 4 * 3);
        let Some(given) = self.memory else { return machine::free_memory(threads).map(most) };
        Some(machine::left_of_addresses(threads).map_or(given, |left| given.min(most(left))))
    }

    /// The most memory that the states of a frontier of a question may take.
    fn memory_for_states(&self, question: &Question) -> Option<u64> {
        Some(MemoryShares::of(self.bound()?, question, self.threads()).states)
    }

    /// Bounds the workers of an engine, and returns the bytes that its states may take, if it has
    /// any and they are bounded.
    fn fit(
        &self,
        work: &mut dyn Work,
        observer: &mut dyn Observer,
    ) -> Result<Option<u64>, JobError> {
        let threads = self.threads();
        let has_states = work.sweeps().is_some();
        let least_on = |threads| match has_states {
            true => MemoryShares::least(&work.identity().question, threads),
            false => LEAST_OF_SEARCH,
        };
        let least = least_on(threads);
        if let Some(given) = self.memory {
            if given < least {
                let enough_for = (1..threads).rev().find(|&fewer| least_on(fewer) <= given);
                return Err(JobError::Memory { given, least, threads, enough_for });
            }
            if let Some(free) = machine::free_memory(threads).filter(|&free| given > free) {
                observer.notice(&Event::MoreThanFree { given, free });
            }
        }
        if has_states && let Some(left) = machine::left_of_addresses(threads) {
            let least = MemoryShares::least_reserved(&work.identity().question, threads);
            if left < least {
                return Err(JobError::Addresses { left, least, threads });
            }
        }
        let Some(bound) = has_states.then(|| self.bound()).flatten() else { return Ok(None) };
        if bound < least {
            observer.notice(&Event::LittleMemory { least, free: bound, threads });
        }
        let shares = MemoryShares::of(bound, &work.identity().question, threads);
        shares.limit(work, threads);
        Ok(Some(shares.states))
    }
}

impl ShardWish {
    /// The shard by the rule that was wished, or else that of the checkpoint, of parts of the same
    /// run in the folder, or of the run: parts of different rules cannot be merged.
    fn chosen(&self, identity: &Identity, saved: Option<Shard>) -> Result<Shard, JobError> {
        let shard = self.shard;
        if self.by == Some(Assignment::Group) && identity.engine != Name::Frontier {
            return Err(JobError::Groups(identity.engine.clone()));
        }
        let is_same = |other: &Shard| (other.index(), other.of()) == (shard.index(), shard.of());
        let by = self
            .by
            .or_else(|| Some(saved.filter(is_same)?.assignment()))
            .or_else(|| self.rule_of_parts(identity))
            .unwrap_or_else(|| Assignment::of_run(identity, shard.of()));
        Ok(shard.by(by))
    }

    fn rule_of_parts(&self, identity: &Identity) -> Option<Assignment> {
        let is_of_set = |shard: &Shard| shard.of() == self.shard.of();
        parts_in(self.folder.as_ref()?).unwrap_or_default().into_iter().find_map(|path| {
            shard_of(&path).filter(is_of_set)?;
            let units = Units::read(&path).ok().filter(|units| units.identity == *identity)?;
            Some(units.shard).filter(is_of_set).map(|shard| shard.assignment())
        })
    }
}

/// The function that carries out a plan: a count or a preparation.
type Go<T> = fn(&dyn Work, Settings, &mut dyn Observer) -> Result<T, RunError>;

/// A job that is ready to be counted.
pub struct Plan {
    job: Job,
    engine: Engine,
    shard: Shard,
    /// The folder in which another process has prepared the layers.
    prepared: Option<PathBuf>,
    /// The bytes of memory that states may take; `None` if the engine has none, or no bound.
    memory_for_states: Option<u64>,
    /// The time that the plan took, which counts against a limit on time.
    planning: Duration,
}

impl Plan {
    /// Checks that the part of the shard can be merged with those in a folder, and that one which
    /// has its name already is of this shard.
    ///
    /// # Errors
    /// [`JobError::OtherPart`] or [`JobError::OtherShard`] with the first that does not fit;
    /// [`JobError::Units`] with a damaged one if no other tells the rule of the shards.
    pub fn check_parts(&self, folder: &Path) -> Result<(), JobError> {
        let parts = match parts_in(folder) {
            Err(MergeError::Folder { source, .. }) if source.kind() != ErrorKind::NotFound => {
                return Err(StoreError::Io(trying("list", folder)(source)).into());
            }
            parts => parts.unwrap_or_default(),
        };
        let (identity, shard) = (self.identity(), self.shard);
        let own = folder.join(part_name(shard));
        let (mut damaged, mut is_known) = (None, identity.engine != Name::Frontier);
        is_known |= self.job.shard.as_ref().is_some_and(|wish| wish.by.is_some());
        for path in parts {
            match Units::read(&path) {
                Err(error) => damaged = damaged.or(Some(error)),
                Ok(Units { identity: of, shard: other, .. }) => {
                    let is_same = (other.of(), other.assignment(), &of)
                        == (shard.of(), shard.assignment(), &identity);
                    if !is_same {
                        return Err(JobError::OtherPart(path, describe(&of, other)));
                    }
                    if path == own && other != shard {
                        return Err(JobError::OtherShard(path, other));
                    }
                    is_known = true;
                }
            }
        }
        damaged.filter(|_| !is_known).map_or(Ok(()), |error| Err(error.into()))
    }

    /// The question, the engine and the units.
    pub fn identity(&self) -> Identity {
        self.engine.identity()
    }

    /// The part of the units that is counted.
    pub fn shard(&self) -> Shard {
        self.shard
    }

    /// The place of the checkpoint, if one is kept.
    pub fn place(&self) -> Option<&CheckpointPlace> {
        self.job.keeping.place.as_ref()
    }

    fn upcoming(&self) -> Upcoming {
        Upcoming {
            question: self.job.question.clone(),
            engine: self.identity().engine,
            threads: self.job.limits.threads(),
        }
    }

    /// Counts the units, or what a checkpoint has left of them.
    ///
    /// # Errors
    /// [`JobError`] when cancelled, and if the count fails. The checkpoint is valid after every one
    /// of them.
    pub fn count(
        &self,
        control: &Arc<Control>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, JobError> {
        let (outcome, nodes) = self.announced(false, control, observer, run::count)?;
        if self.place().is_some() {
            let nodes = (nodes.unwrap_or_default(), outcome.measured.nodes.1);
            let before = at_usual_rates(self.frontier(), outcome.measured.before);
            rates::learn(Measured { nodes, before });
        }
        Ok(outcome)
    }

    /// Computes what precedes the units, and leaves it beside the checkpoint, where every shard
    /// with this folder finds it. Says what it was; `None` where nothing precedes the units.
    ///
    /// # Errors
    /// As [`Plan::count`], and [`JobError::OfAnother`] if it would replace what was prepared for
    /// another count.
    pub fn prepare(
        &self,
        control: &Arc<Control>,
        observer: &mut dyn Observer,
    ) -> Result<Option<Building>, JobError> {
        if let Keeping { place: Some(place), fresh: false, .. } = &self.job.keeping {
            let states = Store::folder_of_states(&place.path);
            // A checkpoint says itself whose states they are, and damaged states are computed again.
            let has_other = matches!(run::is_of_another(&states, &*self.engine), Ok(true));
            if !place.path.exists() && has_other {
                return Err(JobError::OfAnother(states));
            }
        }
        Ok(self.announced(true, control, observer, run::prepare)?.0)
    }

    /// Runs `go` after announcing the cost of the count. Returns the expected nodes of a search
    /// that was announced, too.
    fn announced<T>(
        &self,
        is_for_others: bool,
        control: &Arc<Control>,
        observer: &mut dyn Observer,
        go: Go<T>,
    ) -> Result<(T, Option<f64>), JobError> {
        let began = Instant::now();
        // A checkpoint that is held, or of another run, is refused before a forecast is made.
        let settings = self.settings(control, observer)?;
        let begun = run::begun(&*self.engine, &settings)?;
        let beginning = cost::Beginning { plan: self, begun, is_for_others, control };
        let mut announced = beginning.announce(observer)?;
        let settings = Settings { expected: announced.expected, ..settings };
        let done = self.in_time_left(began, settings, &mut announced, go)?;
        Ok((done, announced.nodes))
    }

    /// Runs `go` in the time that the plan, other counts and the work since `began` have left. The
    /// error of a run that was stopped includes all of these.
    fn in_time_left<T>(
        &self,
        began: Instant,
        mut settings: Settings,
        observer: &mut dyn Observer,
        go: Go<T>,
    ) -> Result<T, JobError> {
        let by_others = self.job.spent_by_others.unwrap_or_default();
        let before = by_others + self.planning + began.elapsed();
        let left = |most: Duration| most.saturating_sub(before);
        settings.limits.max_time = settings.limits.max_time.map(left);
        go(&*self.engine, settings, observer).map_err(|mut error| {
            if let RunError::Stopped { at, .. } = &mut error {
                at.elapsed += before;
            }
            error.into()
        })
    }

    /// The settings of a run.
    fn settings(
        &self,
        control: &Arc<Control>,
        observer: &mut dyn Observer,
    ) -> Result<Settings, JobError> {
        let Keeping { place, fresh, interval, is_finished_kept } = &self.job.keeping;
        let checkpoint = place.as_ref().map(|place| place.hold(*fresh, observer)).transpose()?;
        Ok(Settings {
            shard: self.shard,
            limits: Limits {
                threads: Some(self.job.limits.threads()),
                memory: self.memory_for_states,
                disk: self.disk_for_states(),
                max_time: self.job.limits.max_time,
            },
            saving: Saving {
                checkpoint: checkpoint.flatten(),
                interval: *interval,
                keep_finished: *is_finished_kept,
            },
            prepared: self.prepared.clone(),
            relay: self.job.relay.clone(),
            control: Arc::clone(control),
            ..Settings::default()
        })
    }

    /// The most room on disk that states may take; no bound where that is not known.
    fn disk_for_states(&self) -> Option<u64> {
        self.engine.sweeps()?;
        self.job.limits.disk.or_else(|| Some(self.disk_of_states()? / 2))
    }

    /// The room on the disk of the states. What was saved before takes room that was free then.
    fn disk_of_states(&self) -> Option<u64> {
        let path = &self.place()?.path;
        // The folder of the states may be a link to another disk.
        let free = machine::free_disk(&Store::folder_of_states(path).join("index"))?;
        Some(free.saturating_add(disk_used(path)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    const SECONDS: Duration = Duration::from_secs(2);

    fn question(side: u32) -> Question {
        Question::open(Board::new(side, side).expect("a board"))
    }

    #[test]
    fn a_count_has_its_time_however_long_ago_and_however_often_it_was_planned_or_counted() {
        let mut job = Job::new(question(6));
        job.limits.max_time = Some(SECONDS);
        let plan = job.plan(&mut Silent).expect("planned");
        std::thread::sleep(SECONDS);
        for _ in 0..2 {
            plan.count(&Arc::default(), &mut Silent).expect("counted");
        }
    }

    #[test]
    fn what_is_stopped_is_an_error_and_has_taken_the_time_of_the_counts_before_it_too() {
        let mut job = Job::numbering(question(6), None);
        job.spent_by_others = Some(SECONDS);
        let (plan, control) = (job.plan(&mut Silent).expect("planned"), Arc::default());
        Control::stop(&control);
        let counted = plan.count(&control, &mut Silent).map(|_| ());
        for stopped in [counted, plan.number(&control, &mut Silent).map(|_| ())] {
            let Err(JobError::Run(RunError::Stopped { at, .. })) = stopped else { panic!() };
            assert!(at.elapsed >= SECONDS);
        }
        expected_tours(&question(8), &control).expect_err("not that there is no tour");
    }

    #[test]
    fn tables_of_the_usual_size_are_smaller_where_those_of_all_threads_exceed_the_memory() {
        let mut job = Job::new(question(6));
        (job.limits.threads, job.limits.memory) = (Some(64), Some(48 << 20));
        job.wishes.memo = Some(MemoSize::Cache);
        assert_eq!(job.memo().expect("it fits"), MemoSize::Bytes(1 << 19));
    }
}
