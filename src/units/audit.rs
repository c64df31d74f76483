//! Recounts a random sample of a finished run's units with a simpler engine than the one that ran.
//!
//! An audit can be stopped and resumed: it hands out every unit that it has recounted, and a later
//! call takes these back. [`AuditState`] keeps them in a file.

use super::fingerprint::sha256;
use super::{LARGEST_FILE, ShardUnits, Units};
use crate::durable::{self, DurableError, trying};
use crate::tally::Tally;
use crate::work::{Recount, Work};
use crossbeam_channel::RecvTimeoutError;
use fastrand::Rng;
use rayon::ThreadPool;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;
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
pub struct Sample {
    /// The number of units; all of them if there are no more.
    pub size: usize,
    /// The way in which they are drawn.
    pub by: DrawBy,
    /// The seed of the random numbers.
    pub seed: u64,
}

/// The result of an audit.
#[derive(Debug)]
pub struct Audit {
    /// The number of units that were recounted.
    pub checked: usize,
    /// The number of units in the file.
    pub of: usize,
    /// The directed tours in the units recounted, as the file has them.
    pub tours_checked: Tally,
    /// The share of the estimated work of the file that the sample stands for.
    pub share: f64,
    /// The number of units recounted by each engine, with the engine in words.
    pub recounted_by: BTreeMap<String, usize>,
    /// The units whose count in the file differs from the recount.
    pub differences: Vec<Difference>,
}

/// A unit whose count does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Its number in the whole run.
    pub unit: usize,
    /// Its prefix.
    pub label: String,
    /// Its count in the file.
    pub claimed: Tally,
    /// Its count by the simpler engine.
    pub counted: Tally,
}

/// A unit that has been counted again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recounted {
    /// The place of the unit in the file, from 0.
    pub place: usize,
    /// Its count by the simpler engine.
    pub count: Tally,
    /// The name of that engine in words.
    pub by: String,
}

/// The interval at which the caller of [`audit`] learns of its progress.
const LOOK_UP: Duration = Duration::from_millis(100);

/// Recounts a sample of units on a pool of threads, but for those that were recounted before. Tells
/// `watch` at least ten times a second what is recounted so far, and of how many units; `None` when
/// stopped.
pub fn audit(
    work: &dyn Work,
    units: &Units,
    sample: &Sample,
    before: Vec<Recounted>,
    threads: &ThreadPool,
    watch: &mut dyn FnMut(&[Recounted], usize),
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Audit> {
    let numbers = units.shard.units_of(work);
    let costs = costs(work, &numbers);
    let places = sample.places(work, units, &costs);
    let is_drawn: BTreeSet<usize> = places.iter().copied().collect();
    let mut done: BTreeMap<usize, Recounted> =
        before.into_iter().map(|unit| (unit.place, unit)).collect();
    done.retain(|place, _| is_drawn.contains(place));
    let left: Vec<usize> = places.iter().copied().filter(|at| !done.contains_key(at)).collect();
    let mut recounted: Vec<Recounted> = done.into_values().collect();
    let (sender, receiver) = crossbeam_channel::unbounded();
    threads.in_place_scope(|scope| {
        for place in left {
            let (sender, unit) = (sender.clone(), numbers.unit(place));
            scope.spawn(move |_| {
                if !stop()
                    && let Some(Recount { count, by }) = work.recount(unit, stop)
                {
                    // The receiver outlives the scope.
                    let _ = sender.send(Recounted { place, count, by: by.to_owned() });
                }
            });
        }
        drop(sender);
        loop {
            match receiver.recv_timeout(LOOK_UP) {
                Ok(unit) => recounted.push(unit),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            watch(&recounted, places.len());
        }
    });
    recounted.sort_by_key(|unit| unit.place);
    (recounted.len() == places.len()).then(|| findings(units, &numbers, &recounted, &costs))
}

fn findings(units: &Units, numbers: &ShardUnits, recounted: &[Recounted], costs: &[f64]) -> Audit {
    let (mut recounted_by, mut differences) = (BTreeMap::new(), Vec::new());
    for Recounted { place, count, by } in recounted {
        *recounted_by.entry(by.clone()).or_default() += 1;
        let (label, claimed) = &units.counts[*place];
        if claimed != count {
            let (unit, label, claimed) = (numbers.unit(*place), label.clone(), claimed.clone());
            differences.push(Difference { unit, label, claimed, counted: count.clone() });
        }
    }
    let checked: f64 = recounted.iter().map(|unit| costs[unit.place]).sum();
    Audit {
        checked: recounted.len(),
        of: units.counts.len(),
        tours_checked: recounted.iter().map(|unit| &units.counts[unit.place].1).sum(),
        share: checked / costs.iter().sum::<f64>().max(f64::MIN_POSITIVE),
        recounted_by,
        differences,
    }
}

/// The estimated work of each unit of a file.
fn costs(work: &dyn Work, units: &ShardUnits) -> Vec<f64> {
    let mut worker = work.worker();
    units.numbers().iter().map(|&unit| work.cost(worker.as_mut(), unit)).collect()
}

impl Sample {
    /// The places of its units.
    fn places(&self, work: &dyn Work, units: &Units, costs: &[f64]) -> Vec<usize> {
        let mut random = Rng::with_seed(self.seed);
        let places = 0..units.counts.len();
        if self.by == DrawBy::Unit {
            return random.choose_multiple(places, self.size);
        }
        let weight = |place: usize| match work.is_tree() {
            true => costs[place],
            false => units.counts[place].1.to_f64() + 1.0,
        };
        // The smallest of exponential variates with these rates are such a sample: Efraimidis and
        // Spirakis, Weighted random sampling with a reservoir (2006).
        let mut drawn: Vec<(f64, usize)> = places
            .map(|place| (-(1.0 - random.f64()).ln() / weight(place).max(f64::MIN_POSITIVE), place))
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
    /// The sample.
    pub sample: Sample,
    /// The recount.
    pub recounted: Vec<Recounted>,
}

impl AuditState {
    /// The state of an audit that begins.
    pub fn new(units: &Units, sample: Sample) -> Self {
        Self { fingerprint: units.fingerprint(), sample, recounted: Vec::new() }
    }

    /// A file name that two different audits do not share.
    pub fn file_name(&self) -> String {
        let key = Self { recounted: Vec::new(), ..self.clone() };
        let text = serde_json::to_string(&key).unwrap_or_default();
        format!("audit-{}.json", &sha256(text.as_bytes())[..16])
    }

    /// Takes over what a file has of the same audit.
    ///
    /// # Errors
    /// [`DurableError`] when the file cannot be read, or is no state of an audit.
    pub fn resume(&mut self, path: &Path) -> Result<(), DurableError> {
        Self::check(path)?;
        let saved = durable::read(path, LARGEST_FILE)?.and_then(|bytes| Self::decode(&bytes));
        let key = |state: &Self| (state.fingerprint.clone(), state.sample);
        if let Some(saved) = saved.filter(|saved| key(saved) == key(self)) {
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
    use crate::edges::Edges;
    use crate::frontier::Frontier;
    use crate::question::Question;
    use crate::work::{Identity, Name, Split};

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
        let costs = costs(&work, &units.shard.units_of(&work));
        let drawn = |size: usize, seed: u64| {
            Sample { size, by: DrawBy::Work, seed }.places(&work, &units, &costs)
        };
        // The weight of unit 2 is 99, that of the others 1 each.
        let others = work.units() as f64 - 1.0;
        let times = (0..1_000).filter(|&seed| drawn(1, seed) == [2]).count();
        let expected = 1_000.0 * 99.0 / (99.0 + others);
        assert!((times as f64 - expected).abs() < 40.0, "{times} of {expected}");
        for seed in 0..20 {
            let all: BTreeSet<usize> = drawn(work.units(), seed).into_iter().collect();
            assert_eq!(all.len(), work.units());
            assert_eq!(drawn(3, seed), drawn(3, seed));
        }
    }

    #[test]
    fn an_audit_that_is_stopped_and_resumed_finds_what_one_in_a_piece_finds() {
        let board = Board::new(5, 6).expect("in range");
        let work = Edges::new(Question::closed(board), None).expect("fits");
        let right: Vec<u64> = (0..work.units())
            .map(|unit| work.recount(unit, &|| false).expect("not stopped").count)
            .map(|count| u64::try_from(count).expect("small"))
            .collect();
        let mut wrong = right.clone();
        wrong[1] += 1;
        let units = units_of(&work, &wrong);
        let threads = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("threads");
        let size = work.units();
        for by in [DrawBy::Unit, DrawBy::Work] {
            let sample = Sample { size, by, seed: 1 };
            let mut before = Vec::new();
            let stopped = std::sync::atomic::AtomicUsize::new(0);
            let audited = loop {
                let enough = before.len() + 2;
                let stop = || stopped.load(std::sync::atomic::Ordering::Relaxed) >= enough;
                let mut so_far = before.clone();
                let watch = &mut |recounted: &[Recounted], of: usize| {
                    assert_eq!(of, size);
                    so_far = recounted.to_vec();
                    stopped.store(recounted.len(), std::sync::atomic::Ordering::Relaxed);
                };
                match audit(&work, &units, &sample, before, &threads, watch, &stop) {
                    Some(audit) => break audit,
                    None => before = so_far,
                }
            };
            assert_eq!((audited.checked, audited.of), (size, size));
            let [difference] = &audited.differences[..] else { panic!("{audited:?}") };
            assert_eq!((difference.unit, &difference.counted), (1, &Tally::from(right[1])));
        }
    }

    #[test]
    fn a_state_is_taken_over_by_the_same_audit_alone_and_only_undamaged() {
        let board = Board::new(3, 4).expect("in range");
        let units = Units {
            identity: Identity {
                question: Question::open(board),
                engine: Name::Walk,
                split: Split::Depth(0),
                units: 1,
            },
            shard: Default::default(),
            counts: vec![("a1".to_owned(), Tally::from(7_u32))],
        };
        let sample = Sample { size: 3, by: DrawBy::Work, seed: 1 };
        let mut state = AuditState::new(&units, sample);
        let (place, count, by) = (0, Tally::from(7_u32), "plain backtracking".to_owned());
        state.recounted.push(Recounted { place, count, by });
        let text = state.encode();
        assert_eq!(AuditState::decode(text.as_bytes()), Some(state.clone()));
        for (what, damaged) in every_damage(text.as_bytes()) {
            assert_eq!(AuditState::decode(&damaged), None, "{what}");
        }
        let other = AuditState::new(&units, Sample { seed: 2, ..sample });
        assert_ne!(state.file_name(), other.file_name());
        assert_eq!(state.file_name(), AuditState::new(&units, sample).file_name());
    }
}
