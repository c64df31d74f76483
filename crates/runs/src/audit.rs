//! Recounts a random sample of a finished run's units with a simpler engine than the one that ran,
//! or in another way.
//!
//! An audit can be stopped and resumed: it hands out every unit that it has recounted, and those
//! that it was in, as far as it was, and a later call takes these back. [`AuditState`] keeps them in
//! a file.
//!
//! The simpler engines keep to the memory that they are given. A unit that takes more is a count of
//! its own at another cut ([`Work::recut`]), which runs like any count: on all threads, its states
//! in compressed layers, and divided into groups where these do not fit. Such units come last, one
//! after the other, and each has a checkpoint beside the state of the audit, so that a unit of an
//! hour need not be counted in one go.

use crate::cursor::UnitPiece;
use crate::durable::{self, DurableError, trying};
use crate::frontier::MemoryShares;
use crate::machine;
use crate::run::checkpoint::Store;
use crate::run::{
    self, Control, Event, LayersError, Observer, PoolContext, RecountProgress, RunError, Settings,
    Snapshot, WorkerHandle,
};
use crate::tally::Tally;
use crate::units::{LARGEST_FILE, Shard, ShardUnits, Units, sha256};
use crate::work::{Identity, NotRecounted, Recount, Recut, Work};
use fastrand::Rng;
use rayon::ThreadPool;
use serde::{Deserialize, Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The rule by which the units of a sample are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DrawBy {
    /// Every unit is as likely as any other.
    Unit,
    /// Units are drawn one after another without replacement, each with a probability in proportion
    /// to its estimated work. The units of an engine that cannot estimate their work, which is the
    /// frontier, are drawn in proportion to their tours plus one.
    Work,
}

/// A random sample of units; the same values always pick the same units of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditSample {
    /// The number of units; all of them if there are no more.
    pub size: usize,
    /// The way in which they are drawn.
    pub by: DrawBy,
    /// The seed of the random numbers.
    pub seed: u64,
}

/// The result of an audit.
#[derive(Debug, Serialize)]
pub struct Audit {
    /// The number of units that were recounted.
    pub checked: usize,
    /// The number of units in the file.
    #[serde(rename = "units")]
    pub of: usize,
    /// The number of units recounted by each engine, with the engine in words.
    pub recounted_by: BTreeMap<String, usize>,
    /// The directed tours in the units, as recounted.
    pub tours_checked: Tally,
    /// The share of the estimated work of the file that the sample stands for, in which the units
    /// of the frontier count by their tours plus one.
    #[serde(rename = "work_percent", serialize_with = "as_percent")]
    pub share: f64,
    /// The units whose count in the file differs from the recount.
    pub differences: Vec<Difference>,
}

fn as_percent<S: Serializer>(share: &f64, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_f64(share * 100.0)
}

/// A unit whose count does not hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Its count in the file.
    pub claimed: Tally,
    /// Its count by the simpler engine.
    pub counted: Tally,
    /// Its prefix.
    #[serde(rename = "prefix")]
    pub label: String,
    /// Its number in the whole run.
    pub unit: usize,
}

/// A unit that has been counted again, or a part of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recounted {
    /// The place of the unit in the file, from 0.
    pub place: usize,
    /// Its count by the simpler engine.
    pub count: Tally,
    /// The name of that engine in words.
    pub by: String,
    /// The rest of the unit, if the audit was stopped in it.
    #[serde(default)]
    pub rest: Option<UnitPiece>,
}

/// Returns the number of units that are recounted to their end.
pub fn done(recounted: &[Recounted]) -> usize {
    recounted.iter().filter(|unit| unit.rest.is_none()).count()
}

/// The threads and the memory of an audit, and the means to stop it.
#[derive(Clone, Copy)]
pub struct Resources<'a> {
    /// The threads.
    pub threads: &'a ThreadPool,
    /// The most bytes of memory of the whole process; no bound when `None`.
    pub memory: Option<u64>,
    /// The means to stop it.
    pub control: &'a Arc<Control>,
    /// The file of its state, beside which units in progress are kept; `None` to keep nothing.
    pub state: Option<&'a Path>,
}

/// Learns of the progress, at least ten times a second, with the units that are recounted, and once
/// it is stopped those that it was in.
type AuditWatch<'a> = &'a mut dyn FnMut(&[Recounted], RecountProgress);

/// The reason why an audit has no result.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// It was cancelled.
    #[error("stopped")]
    Stopped,
    /// A unit cannot be recounted in the memory that there is.
    #[error(
        "unit {unit}, {label}, does not fit the memory: audit it with more memory, on fewer \
         threads, or with another sample"
    )]
    TooLarge {
        /// The number of the unit in the whole run.
        unit: usize,
        /// Its label.
        label: String,
    },
    /// A unit cannot be recounted in any memory.
    #[error(
        "no simpler engine can recount unit {unit}, {label}, which is too large: count the whole \
         with another engine, and compare"
    )]
    NoEngine {
        /// The number of the unit in the whole run.
        unit: usize,
        /// Its label.
        label: String,
    },
    /// A count at another cut failed.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// The interval at which the caller of [`audit`] learns of its progress.
const LOOK_UP: Duration = Duration::from_millis(100);

/// Recounts a sample of units, but for those that were recounted before, and tells `watch` of the
/// progress.
///
/// # Errors
/// [`AuditError`] when cancelled, and if a unit does not fit the memory.
pub fn audit(
    work: &dyn Work,
    units: &Units,
    sample: &AuditSample,
    before: Vec<Recounted>,
    resources: Resources,
    watch: AuditWatch,
) -> Result<Audit, AuditError> {
    let numbers = units.shard.units_of(work);
    let costs = costs(work, units, &numbers);
    let places = sample.places(&costs);
    let is_drawn: BTreeSet<usize> = places.iter().copied().collect();
    let mut done: BTreeMap<usize, Recounted> =
        before.into_iter().map(|unit| (unit.place, unit)).collect();
    done.retain(|place, before| {
        let accepts = |rest: &UnitPiece| work.accepts(numbers.unit(*place), rest);
        is_drawn.contains(place) && before.rest.as_ref().is_none_or(accepts)
    });
    let left = |&place: &usize| match done.get(&place) {
        None => Some((place, work.begin(numbers.unit(place)))),
        Some(begun) => begun.rest.clone().map(|rest| (place, rest)),
    };
    let (left, of) = (places.iter().filter_map(left).collect(), places.len());
    let (before, recounted) = (done.len(), done.into_values().collect());
    let mut auditing =
        Auditing { work, numbers: &numbers, resources, recounted, before, of, watch };
    let too_large = auditing.by_simpler_engine(left);
    for place in too_large {
        auditing.at_another_cut(place)?;
    }
    let mut recounted = auditing.recounted;
    recounted.sort_by_key(|unit| unit.place);
    if self::done(&recounted) == of {
        Ok(findings(units, &numbers, &recounted, &costs))
    } else {
        Err(AuditError::Stopped)
    }
}

/// An audit in progress.
struct Auditing<'a> {
    work: &'a dyn Work,
    numbers: &'a ShardUnits,
    resources: Resources<'a>,
    recounted: Vec<Recounted>,
    /// The number of those that were recounted before, which come first, by place.
    before: usize,
    of: usize,
    watch: AuditWatch<'a>,
}

impl Auditing<'_> {
    /// Recounts what is left of units by the simpler engine, one per thread, each in its share of
    /// the memory. Returns the places of those that do not fit.
    fn by_simpler_engine(&mut self, left: Vec<(usize, UnitPiece)>) -> Vec<usize> {
        let Resources { threads, control, .. } = self.resources;
        let memory = self.shares().map_or(u64::MAX, |shares| {
            shares.scratch + shares.states / threads.current_num_threads() as u64
        });
        let (work, numbers, stop) = (self.work, self.numbers, || control.is_stopped());
        let own = |_: &_| ();
        let recount = |_: &mut (), (place, piece), handle: &WorkerHandle<_, _>| {
            handle.send((place, work.recount(numbers.unit(place), &piece, memory, &stop)));
        };
        let left = left.into_iter().map(|left| (0, left));
        let context = PoolContext { threads, control, memory: u64::MAX, slice: LOOK_UP };
        let mut too_large = Vec::new();
        run::each(context, left, own, recount, |came| {
            match came {
                Some((place, Ok(recount))) => self.take(place, recount),
                Some((place, Err(NotRecounted::TooLarge))) => too_large.push(place),
                Some((_, Err(NotRecounted::Stopped))) | None => {}
            }
            self.tell(None);
        });
        self.tell(None);
        too_large
    }

    /// Counts a unit at another cut, on all threads.
    fn at_another_cut(&mut self, place: usize) -> Result<(), AuditError> {
        let Resources { threads, control, state, .. } = self.resources;
        let unit = self.numbers.unit(place);
        let label = self.work.label(unit);
        let Some(Recut { mut work, images, by }) = self.work.recut(unit) else {
            // A recount that is stopped at once shows whether there can be one.
            return Err(
                match self.work.recount(unit, &self.work.begin(unit), u64::MAX, &|| true) {
                    Err(NotRecounted::TooLarge) => AuditError::NoEngine { unit, label },
                    _ => AuditError::TooLarge { unit, label },
                },
            );
        };
        let shares = self.shares();
        if let Some(shares) = shares {
            shares.limit(&mut *work, threads.current_num_threads());
        }
        let mut settings = Settings::on_threads(threads.current_num_threads());
        settings.limits.memory = shares.map(|shares| shares.states);
        settings.control = Arc::clone(control);
        // What cannot be kept is counted in one go.
        let file = state.map(|state| durable::beside(state, &format!(".unit-{unit}")));
        if let Some(store) = file.as_ref().and_then(|file| Store::hold(file).ok()) {
            settings.limits.disk = machine::free_disk(store.path()).map(|free| free / 2);
            settings.saving = store.into();
        }
        match run::count(&*work, settings, self) {
            Ok(outcome) => {
                // What is left of it is harmless.
                let _ = outcome.clear_checkpoint();
                let count = outcome.units.directed() * u128::from(images);
                self.take(place, Recount { count, by, rest: None });
            }
            Err(RunError::Stopped { .. }) => return Err(AuditError::Stopped),
            Err(RunError::Layers(LayersError::Room { .. })) => {
                return Err(AuditError::TooLarge { unit, label });
            }
            Err(error) => return Err(error.into()),
        }
        self.tell(None);
        Ok(())
    }

    /// Returns the shares of the memory, if it is bounded.
    fn shares(&self) -> Option<MemoryShares> {
        let threads = self.resources.threads.current_num_threads();
        let question = &self.work.identity().question;
        self.resources.memory.map(|memory| MemoryShares::of(memory, question, threads))
    }

    /// Adds the count of what was left of a unit.
    fn take(&mut self, place: usize, Recount { count, by, rest }: Recount) {
        let before = &mut self.recounted[..self.before];
        match before.binary_search_by_key(&place, |unit| unit.place) {
            Ok(begun) => {
                before[begun].count += count;
                before[begun].rest = rest;
            }
            Err(_) => self.recounted.push(Recounted { place, count, by: by.to_owned(), rest }),
        }
    }

    fn tell(&mut self, within: Option<&Snapshot>) {
        let progress = RecountProgress {
            done: done(&self.recounted),
            units: self.of,
            within: within.cloned(),
            was_asked: self.resources.control.was_asked(),
        };
        (self.watch)(&self.recounted, progress);
    }
}

/// Passes on the progress of a count at another cut.
impl Observer for Auditing<'_> {
    fn notice(&mut self, event: &Event) {
        match event {
            Event::Progress(at) => self.tell(Some(at)),
            Event::Asked(at) => {
                // The count has heard the question, which is for the audit.
                self.resources.control.ask();
                self.tell(Some(at));
            }
            _ => {}
        }
    }
}

fn findings(units: &Units, numbers: &ShardUnits, recounted: &[Recounted], costs: &[f64]) -> Audit {
    let (mut recounted_by, mut differences) = (BTreeMap::new(), Vec::new());
    for Recounted { place, count, by, .. } in recounted {
        *recounted_by.entry(by.clone()).or_default() += 1;
        let (label, claimed) = &units.counts[*place];
        if claimed != count {
            let (unit, label, claimed) = (numbers.unit(*place), label.clone(), claimed.clone());
            differences.push(Difference { unit, label, claimed, counted: count.clone() });
        }
    }
    // Of a file without units, all are checked.
    let of_all = |work: f64| work.max(f64::MIN_POSITIVE);
    let checked = of_all(recounted.iter().map(|unit| costs[unit.place]).sum());
    Audit {
        checked: recounted.len(),
        of: units.counts.len(),
        tours_checked: recounted.iter().map(|unit| &unit.count).sum(),
        share: checked / of_all(costs.iter().sum()),
        recounted_by,
        differences,
    }
}

/// The estimated work of each unit of a file: its nodes plus one, because no unit takes no work.
/// Where the engine cannot estimate it, a unit counts by its tours plus one.
fn costs(work: &dyn Work, units: &Units, numbers: &ShardUnits) -> Vec<f64> {
    if !work.is_tree() {
        return units.counts.iter().map(|(_, count)| count.to_f64() + 1.0).collect();
    }
    let mut worker = work.worker();
    numbers.numbers().iter().map(|&unit| work.cost(worker.as_mut(), unit) + 1.0).collect()
}

impl AuditSample {
    /// The places of its units.
    fn places(&self, costs: &[f64]) -> Vec<usize> {
        let mut random = Rng::with_seed(self.seed);
        let places = 0..costs.len();
        if self.by == DrawBy::Unit {
            return random.choose_multiple(places, self.size.min(costs.len()));
        }
        // The smallest of exponential variates with these rates are such a sample: Efraimidis and
        // Spirakis, Weighted random sampling with a reservoir (2006).
        let mut drawn: Vec<(f64, usize)> = places
            .map(|place| (-(1.0 - random.f64()).ln() / costs[place].max(f64::MIN_POSITIVE), place))
            .collect();
        drawn.sort_by(|one, other| one.0.total_cmp(&other.0));
        drawn.into_iter().take(self.size).map(|(_, place)| place).collect()
    }
}

/// The units that an unfinished audit has recounted, in a file.
///
/// The file is a cache: if it is damaged or of another audit, nothing is taken from it, and the
/// units are recounted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditState {
    /// The fingerprint of the units.
    pub fingerprint: String,
    /// The run that they are of, and its shard.
    pub of: (Identity, Shard),
    /// The sample.
    pub sample: AuditSample,
    /// The recount.
    pub recounted: Vec<Recounted>,
}

impl AuditState {
    /// The state of an audit that begins.
    pub fn new(units: &Units, sample: AuditSample) -> Self {
        let of = (units.identity.clone(), units.shard);
        Self { fingerprint: units.fingerprint(), of, sample, recounted: Vec::new() }
    }

    /// The same audit before its first unit.
    fn without_recounts(&self) -> Self {
        Self { recounted: Vec::new(), ..self.clone() }
    }

    /// The number of units in progress that are kept in the file of an audit and beside it.
    pub fn units_begun(&self, path: &Path) -> usize {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned() + ".unit-";
        let entries = std::fs::read_dir(durable::folder_of(path)).into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let beside =
            names.filter(|other| other.strip_prefix(&name).is_some_and(durable::is_number));
        self.recounted.len() - done(&self.recounted) + beside.count()
    }

    /// A file name that two different audits do not share.
    pub fn file_name(&self) -> String {
        let text = serde_json::to_string(&self.without_recounts()).unwrap_or_default();
        format!("audit-{}.json", &sha256(text.as_bytes())[..16])
    }

    /// Takes over what a file has of the same audit.
    ///
    /// # Errors
    /// [`DurableError`] when the file cannot be read, or is not the state of an audit.
    pub fn resume(&mut self, path: &Path) -> Result<(), DurableError> {
        Self::check(path)?;
        let saved = durable::read(path, LARGEST_FILE)?.and_then(|bytes| Self::decode(&bytes));
        if let Some(saved) = saved.filter(|saved| saved.without_recounts() == *self) {
            self.recounted = saved.recounted;
        }
        Ok(())
    }

    /// Writes the file in one step.
    ///
    /// # Errors
    /// [`DurableError`] when the system refuses.
    pub fn write(&self, path: &Path) -> Result<(), DurableError> {
        durable::replace(path, self.encode().as_bytes(), || Self::check(path))
    }

    /// Removes the file if it is a state of an audit, and if that is possible: what is left is
    /// harmless.
    pub fn discard(path: &Path) {
        if Self::check(path).is_ok() {
            let _ = durable::remove(path);
        }
    }

    /// Checks that a file that is there is a state of an audit.
    fn check(path: &Path) -> Result<(), DurableError> {
        const START: &[u8] = b"{\"fingerprint\":";
        match durable::beginning(path, START.len() as u64)? {
            Some(bytes) if bytes != START => {
                Err(trying("use", path)(io::Error::other("it is no state of an audit")))
            }
            _ => Ok(()),
        }
    }

    /// One line of JSON, and a line with its checksum.
    fn encode(&self) -> String {
        let line = serde_json::to_string(self).unwrap_or_default();
        format!("{line}\n{}\n", sha256(line.as_bytes()))
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let (line, checksum) = std::str::from_utf8(bytes).ok()?.split_once('\n')?;
        let is_sound = checksum == sha256(line.as_bytes()) + "\n";
        serde_json::from_str(line).ok().filter(|_| is_sound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::durable::every_damage;
    use crate::frontier::Frontier;
    use crate::question::Question;
    use crate::walk::{self, MemoSize, Walk};
    use crate::work::Split;

    fn units_of(work: &dyn Work, counts: &[u64]) -> Units {
        let counts = counts.iter().enumerate();
        let counts = counts.map(|(unit, &count)| (work.label(unit), Tally::from(count)));
        let (identity, shard) = (work.identity(), Default::default());
        Units { identity, shard, counts: counts.collect() }
    }

    #[test]
    fn a_sample_by_work_prefers_large_units_and_has_each_unit_once() {
        let board = Board::new(6, 6).expect("in range");
        let work = Frontier::new(Question::closed(board), None).expect("fits");
        let mut counts = vec![0; work.units()];
        counts[2] = 98;
        let units = units_of(&work, &counts);
        let numbers = units.shard.units_of(&work);
        let costs = costs(&work, &units, &numbers);
        let drawn =
            |size: usize, seed: u64| AuditSample { size, by: DrawBy::Work, seed }.places(&costs);
        // The weight of unit 2 is 99, that of the others 1 each.
        let others = work.units() as f64 - 1.0;
        let times = (0..1_000).filter(|&seed| drawn(1, seed) == [2]).count();
        let expected = 1_000.0 * 99.0 / (99.0 + others);
        assert!((times as f64 - expected).abs() < 40.0, "{times} of {expected}");
        let (place, count, by) = (2, Tally::from(98_u32), String::new());
        let recounted = Recounted { place, count, by, rest: None };
        let found = findings(&units, &numbers, &[recounted], &costs);
        assert!((found.share - 99.0 / (99.0 + others)).abs() < 1e-9, "{found:?}");
        for seed in 0..20 {
            let all: BTreeSet<usize> = drawn(work.units(), seed).into_iter().collect();
            assert_eq!(all.len(), work.units());
            assert_eq!(drawn(3, seed), drawn(3, seed));
        }
    }

    #[test]
    fn an_audit_that_is_stopped_and_resumed_finds_what_one_in_a_piece_finds() {
        let board = Board::new(5, 6).expect("in range");
        let walk = walk::Options { split_depth: Some(4), memo: MemoSize::Off };
        let work = Walk::new(Question::closed(board), &walk).expect("fits");
        let right: Vec<u64> = (0..work.units())
            .map(|unit| work.recount(unit, &work.begin(unit), u64::MAX, &|| false))
            .map(|recount| recount.expect("not stopped").count)
            .map(|count| u64::try_from(count).expect("small"))
            .collect();
        let mut wrong = right.clone();
        wrong[1] += 1;
        let units = units_of(&work, &wrong);
        let threads = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("threads");
        let size = work.units();
        for by in [DrawBy::Unit, DrawBy::Work] {
            let sample = AuditSample { size, by, seed: 1 };
            let mut before: Vec<Recounted> = Vec::new();
            let audited = loop {
                let (enough, control) = (before.len() + 2, Arc::new(Control::default()));
                let resources =
                    Resources { threads: &threads, memory: None, control: &control, state: None };
                let mut so_far = before.clone();
                let watch = &mut |recounted: &[Recounted], at: RecountProgress| {
                    assert_eq!(at.units, size);
                    so_far = recounted.to_vec();
                    if recounted.len() >= enough {
                        control.stop();
                    }
                };
                match audit(&work, &units, &sample, before, resources, watch) {
                    Ok(audit) => break audit,
                    Err(AuditError::Stopped) => before = so_far,
                    Err(error) => panic!("{error}"),
                }
            };
            assert_eq!((audited.checked, audited.of), (size, size));
            let [difference] = &audited.differences[..] else { panic!("{audited:?}") };
            assert_eq!((difference.unit, &difference.counted), (1, &Tally::from(right[1])));
        }
    }

    #[test]
    fn a_walk_that_is_stopped_within_a_unit_goes_on_there() {
        let board = Board::new(5, 7).expect("in range");
        let walk = walk::Options { split_depth: Some(0), memo: MemoSize::Off };
        let work = Walk::new(Question::open(board), &walk).expect("fits");
        let whole = run::count(&work, Settings::default(), &mut run::Silent).expect("counts").units;
        let sample = AuditSample { size: work.units(), by: DrawBy::Unit, seed: 1 };
        let threads = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("threads");
        let looks = std::cell::Cell::new(0);
        let stop = || looks.replace(looks.get() + 1) == 3;
        let begun = work.recount(0, &work.begin(0), u64::MAX, &stop).expect("can be paused");
        assert!(begun.rest.is_some());
        let Recount { count, by, rest } = begun;
        // A rest that the work cannot have left is not taken over.
        let of_another = Some(work.begin(1));
        let by = by.to_owned();
        for rest in [rest, of_another] {
            let begun = Recounted { place: 0, count: count.clone(), by: by.clone(), rest };
            let control = Arc::default();
            let resources =
                Resources { threads: &threads, memory: None, control: &control, state: None };
            let audited = audit(&work, &whole, &sample, vec![begun], resources, &mut |_, _| ());
            assert_eq!(audited.expect("not stopped").differences, []);
        }
    }

    #[test]
    fn a_unit_that_does_not_fit_the_memory_is_counted_at_another_cut_and_can_be_stopped() {
        let board = Board::new(6, 7).expect("in range");
        // A single unit, of more states than fit the least memory.
        let cut = Split::parse_cut("22:0").expect("a cut");
        let work = Frontier::new(Question::closed(board), Some(cut)).expect("fits");
        let mut units =
            run::count(&work, Settings::default(), &mut run::Silent).expect("counts").units;
        let threads = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("threads");
        let sample = AuditSample { size: 1, by: DrawBy::Work, seed: 1 };
        let control = Arc::new(Control::default());
        let within =
            |memory| Resources { threads: &threads, memory, control: &control, state: None };
        let audit_within = |units: &Units, memory| {
            audit(&work, units, &sample, Vec::new(), within(memory), &mut |_, _| ()).expect("fits")
        };
        let [least, unbounded] = [Some(0), None].map(|memory| audit_within(&units, memory));
        assert_eq!(least.tours_checked, unbounded.tours_checked);
        let by = |audit: &Audit| audit.recounted_by.keys().cloned().collect::<String>();
        assert_eq!(by(&least), "states in blocks at another cut");
        assert_eq!(by(&unbounded), "states in a plain hash table");
        assert!(least.differences.is_empty() && unbounded.differences.is_empty());

        units.counts.iter_mut().for_each(|(_, count)| *count += Tally::from(1_u32));
        assert_eq!(audit_within(&units, Some(0)).differences.len(), 1);

        // Told to stop before the count at another cut, which may end sooner than it tells
        // anything.
        let watch = &mut |_: &[Recounted], _| control.stop();
        let stopped = audit(&work, &units, &sample, Vec::new(), within(Some(0)), watch);
        assert!(matches!(stopped, Err(AuditError::Stopped)));

        // With a place for its state, it resumes within the unit.
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("audit.json");
        // Each attempt is stopped somewhat later, until one ends.
        let mut stops = 0;
        let resumed = loop {
            let (control, mut looks) = (Arc::new(Control::default()), 0);
            let watch = &mut |_: &[Recounted], at: RecountProgress| {
                looks += usize::from(at.within.is_some());
                if looks > stops {
                    control.stop();
                }
            };
            let state = Some(path.as_path());
            let resources = Resources { control: &control, state, ..within(Some(0)) };
            match audit(&work, &units, &sample, Vec::new(), resources, watch) {
                Ok(audit) => break audit,
                Err(AuditError::Stopped) => {
                    assert_eq!(AuditState::new(&units, sample).units_begun(&path), 1);
                }
                Err(error) => panic!("{error}"),
            }
            stops += 1;
        };
        assert_eq!(resumed.differences.len(), 1);
        assert_eq!(std::fs::read_dir(folder.path()).expect("listed").count(), 0);
    }

    #[test]
    fn a_state_is_taken_over_by_the_same_audit_alone_and_only_undamaged() {
        let board = Board::new(3, 4).expect("in range");
        let work = Frontier::new(Question::open(board), None).expect("fits");
        let units = units_of(&work, &vec![7; work.units()]);
        let sample = AuditSample { size: 3, by: DrawBy::Work, seed: 1 };
        let mut state = AuditState::new(&units, sample);
        let (place, count, by) = (0, Tally::from(7_u32), "plain backtracking".to_owned());
        state.recounted.push(Recounted { place, count, by, rest: None });
        let text = state.encode();
        assert_eq!(AuditState::decode(text.as_bytes()), Some(state.clone()));
        for (what, damaged) in every_damage(text.as_bytes()) {
            assert_eq!(AuditState::decode(&damaged), None, "{what}");
        }
        let mut of_another_question = units.clone();
        of_another_question.identity.question =
            Question::closed(Board::new(3, 4).expect("in range"));
        let others = [
            AuditState::new(&units, AuditSample { seed: 2, ..sample }),
            AuditState::new(&of_another_question, sample),
        ];
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("state");
        state.write(&path).expect("room");
        let mut same = AuditState::new(&units, sample);
        assert_eq!(state.file_name(), same.file_name());
        same.resume(&path).expect("readable");
        assert_eq!(same, state);
        for mut other in others {
            assert_ne!(state.file_name(), other.file_name());
            other.resume(&path).expect("readable");
            assert!(other.recounted.is_empty());
        }
    }
}
