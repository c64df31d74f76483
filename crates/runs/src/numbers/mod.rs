//! The tours of a question by number: any tour without listing those before it, and the number of
//! any tour.
//!
//! A count by the frontier that has kept all its layers tells how many tours each unit has. From
//! there, trails lead back to the beginning. All trails that are wanted go together: first unit by
//! unit, then round by round, and each slice that any of them passes is processed once, by any
//! thread. This costs about as much as counting the units concerned once more, and in the rounds
//! before them as much as the slices that trails pass.

mod random;

pub use crate::frontier::ORDER;
use crate::frontier::{Frontier, Trail, Workspace};
use crate::rounds::StatesUnavailable;
use crate::run::{
    self, Back, Control, Event, Observer, PoolContext, Portion, RunError, WorkerHandle,
};
use crate::tally::Tally;
use crate::tour::Tour;
use crate::units::Units;
use crate::work::Work;
use num_bigint::BigUint;
pub use random::Random;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

/// The numbering of the tours of a question, from 1.
pub struct Numbers<'a> {
    #[doc(hidden)]
    pub frontier: &'a Frontier,
    threads: rayon::ThreadPool,
    control: Arc<Control>,
    /// The bytes of memory that may be in use at once.
    memory: u64,
    /// The number of tours of all units before each, and at last that of all.
    before: Vec<BigUint>,
    total: Tally,
}

/// The reason why there is no tour or no number.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NumbersError {
    /// There is no tour of this number.
    #[error("there is no tour number {}: the numbers are 1 to {}", number.grouped(), last.grouped())]
    Beyond {
        /// The requested number.
        number: Tally,
        /// The last number.
        last: Tally,
    },
    /// The kept states of the count cannot be read, or do not match it.
    #[error(transparent)]
    StatesUnavailable(#[from] StatesUnavailable),
    /// The run was cancelled.
    #[error("stopped on the way back from the units")]
    Stopped,
}

/// The number of trails that are traced together. With more, the trails would take as much memory
/// as the count itself.
const MOST_AT_ONCE: usize = 1 << 17;

/// The memory of a slice, at most, as a multiple of its packed bytes. The states after every stage
/// are kept at the same time.
const BACK_FACTOR: u64 = 32;

/// The time between two reports to the observer.
const LOOK_UP: Duration = Duration::from_millis(100);

impl<'a> Numbers<'a> {
    /// Numbers the tours of a count for which the frontier has kept all its layers. `memory` is the
    /// limit on the whole process, in bytes.
    ///
    /// # Errors
    /// [`RunError::Threads`] if the threads cannot be started.
    ///
    /// # Panics
    /// If the units are those of another count.
    pub fn new(
        frontier: &'a Frontier,
        units: &Units,
        threads: usize,
        memory: Option<u64>,
        control: Arc<Control>,
    ) -> Result<Self, RunError> {
        assert!(units.identity == frontier.identity(), "these units are of another count");
        let mut total = BigUint::ZERO;
        let mut before = vec![BigUint::ZERO];
        for (_, directed) in &units.counts {
            total += directed.as_big() / frontier.question.directions();
            before.push(total.clone());
        }
        Ok(Self {
            frontier,
            threads: run::threads(Some(threads))?,
            control,
            memory: run::half(memory),
            before,
            total: Tally::from_big(total),
        })
    }

    /// Returns the number of the last tour, which is the number of tours.
    pub fn last(&self) -> &Tally {
        &self.total
    }

    /// Passes on the tours with the given numbers, `of` in all, of which a portion is in memory at a
    /// time.
    ///
    /// # Errors
    /// As [`Self::tours`].
    pub fn each_tour(
        &self,
        mut numbers: impl Iterator<Item = Tally>,
        of: u64,
        observer: &mut dyn Observer,
        keep: &mut dyn FnMut(Tour),
    ) -> Result<(), NumbersError> {
        /// Many cost little more than one, and each takes memory.
        const PORTION: usize = 1 << 14;
        let mut portion = Portion { before: 0, of: Some(of) };
        loop {
            let some: Vec<Tally> = numbers.by_ref().take(PORTION).collect();
            if some.is_empty() {
                return Ok(());
            }
            self.some_tours(&some, portion, observer)?.into_iter().for_each(&mut *keep);
            portion = portion.after(some.len());
        }
    }

    /// Returns the tours with the given numbers, in the order of the numbers given. Many at once
    /// cost little more than one.
    ///
    /// # Errors
    /// [`NumbersError::Beyond`] with the first number that no tour has; else [`NumbersError`] with
    /// what went wrong.
    pub fn tours(
        &self,
        numbers: &[Tally],
        observer: &mut dyn Observer,
    ) -> Result<Vec<Tour>, NumbersError> {
        self.some_tours(numbers, Portion::whole(numbers.len()), observer)
    }

    /// Returns tours as [`Self::tours`] does, for one of several calls.
    ///
    /// # Errors
    /// As [`Self::tours`].
    pub fn some_tours(
        &self,
        numbers: &[Tally],
        portion: Portion,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Tour>, NumbersError> {
        let is_number = |number: &&Tally| **number > Tally::ZERO && **number <= self.total;
        if let Some(number) = numbers.iter().find(|number| !is_number(number)) {
            let (number, last) = (number.clone(), self.total.clone());
            return Err(NumbersError::Beyond { number, last });
        }
        if let Some(listed) = self.frontier.listed_tours() {
            let tour = |number: &Tally| listed.get(usize::try_from(number.as_big() - 1_u32).ok()?);
            let lost = || StatesUnavailable::Damaged("a tour is missing from its list".to_owned());
            let found = numbers.iter().map(|number| Ok(tour(number).cloned().ok_or_else(lost)?));
            return found.collect();
        }
        let wanted: BTreeSet<&Tally> = numbers.iter().collect();
        let wanted: Vec<&Tally> = wanted.into_iter().collect();
        let all = wanted.len();
        let mut found: Vec<Option<Tour>> = vec![None; all];
        for (part, wanted) in wanted.chunks(MOST_AT_ONCE).enumerate() {
            let mut by_unit: BTreeMap<usize, Vec<Trail>> = BTreeMap::new();
            for (place, &number) in wanted.iter().enumerate() {
                let index = number.as_big() - 1_u32;
                let unit = self.before.partition_point(|before| *before <= index) - 1;
                let trail =
                    self.frontier.trail_to(part * MOST_AT_ONCE + place, index - &self.before[unit]);
                by_unit.entry(unit).or_default().push(trail);
            }
            // Some numbers may be asked for several times.
            let asked = |those: usize| those * numbers.len() / all.max(1);
            let at = Back::of(portion.after(asked(part * MOST_AT_ONCE)), asked(wanted.len()));
            for trail in self.trace(by_unit, at, observer)? {
                found[trail.request] = Some(self.frontier.tour_of(&trail)?);
            }
        }
        let tour = |number: &Tally| found[wanted.binary_search(&number).ok()?].clone();
        let missing = || StatesUnavailable::Damaged("a tour got lost on its way".to_owned());
        numbers.iter().map(|number| Ok(tour(number).ok_or_else(missing)?)).collect()
    }

    /// Returns the number of each tour, or `None` for one that is not a tour of the question.
    ///
    /// # Errors
    /// [`NumbersError`] with what went wrong.
    pub fn numbers(
        &self,
        tours: &[Tour],
        observer: &mut dyn Observer,
    ) -> Result<Vec<Option<Tally>>, NumbersError> {
        self.some_numbers(tours, Portion::whole(tours.len()), observer)
    }

    /// Returns numbers as [`Self::numbers`] does, for one of several calls.
    ///
    /// # Errors
    /// As [`Self::numbers`].
    pub fn some_numbers(
        &self,
        tours: &[Tour],
        portion: Portion,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Option<Tally>>, NumbersError> {
        let mut found: Vec<Option<Tally>> = vec![None; tours.len()];
        if let Some(listed) = self.frontier.listed_tours() {
            let is_closed = self.frontier.question.is_closed();
            let listed: Vec<_> = listed.iter().map(|tour| tour.normal_form(is_closed)).collect();
            let number = |tour: &Tour| {
                let form = tour.normal_form(is_closed);
                let place = listed.iter().position(|other| *other == form)?;
                Some(Tally::from(place as u64 + 1))
            };
            return Ok(tours.iter().map(number).collect());
        }
        for (part, tours) in tours.chunks(MOST_AT_ONCE).enumerate() {
            let mut by_unit: BTreeMap<usize, Vec<Trail>> = BTreeMap::new();
            let mut unit_of = BTreeMap::new();
            for (place, tour) in tours.iter().enumerate() {
                let request = part * MOST_AT_ONCE + place;
                if let Some((unit, trail)) = self.frontier.trail_of(request, tour) {
                    unit_of.insert(request, unit);
                    by_unit.entry(unit).or_default().push(trail);
                }
            }
            let at = Back::of(portion.after(part * MOST_AT_ONCE), tours.len());
            for trail in self.trace(by_unit, at, observer)? {
                let before = &self.before[unit_of[&trail.request]];
                found[trail.request] = Some(Tally::from_big(before + trail.index() + 1_u32));
            }
        }
        Ok(found)
    }

    /// Traces trails from their units back to the beginning.
    fn trace(
        &self,
        by_unit: BTreeMap<usize, Vec<Trail>>,
        at: Back,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Trail>, NumbersError> {
        let stop = || self.control.is_stopped();
        let frontier = self.frontier;
        let places = frontier.rounds_backwards();
        let steps = places.len() + 1;
        let at = |step| Back { step, steps, ..at };
        let groups =
            by_unit.into_iter().map(|(unit, trails)| (frontier.memory(unit), unit as u64, trails));
        let trace_unit = |workspace: &mut Workspace, unit: u64, trails: &mut [Trail]| {
            let unit = unit as usize;
            let tours = &self.before[unit + 1] - &self.before[unit];
            frontier.trace_unit(workspace, unit, &tours, trails, &stop)
        };
        let mut trails = self.each(groups.collect(), &trace_unit, at(0), observer)?;
        for (step, place) in places.into_iter().enumerate() {
            let mut by_slice: BTreeMap<u64, Vec<Trail>> = BTreeMap::new();
            for mut trail in trails {
                let slice = frontier.slice_of_trail(&mut trail, place);
                by_slice.entry(slice).or_default().push(trail);
            }
            let groups = by_slice.into_iter().map(|(slice, trails)| {
                (BACK_FACTOR * frontier.bytes_of_slice(place, slice), slice, trails)
            });
            let trace_round = |workspace: &mut Workspace, slice: u64, trails: &mut [Trail]| {
                frontier.trace_round(workspace, place, slice, trails, &stop)
            };
            trails = self.each(groups.collect(), &trace_round, at(step + 1), observer)?;
        }
        Ok(trails)
    }

    /// Runs `work` on each group of trails, on any thread. The largest groups come first.
    fn each(
        &self,
        mut groups: Vec<Passing>,
        work: TraceBack,
        mut at: Back,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Trail>, NumbersError> {
        groups.sort_by_key(|group| std::cmp::Reverse(group.0));
        at.slices_of = groups.len();
        at.bytes_of = groups.iter().map(|group| group.0).sum();
        let groups = groups.into_iter().map(|group| (group.0, group));
        let context = PoolContext {
            threads: &self.threads,
            control: &self.control,
            memory: self.memory,
            slice: LOOK_UP,
        };
        let share = self.memory / self.threads.current_num_threads().max(1) as u64;
        let workspace = |_: &_| self.frontier.workspace_for_trails(share);
        let work = |workspace: &mut Workspace,
                    (bytes, key, mut trails): Passing,
                    handle: &WorkerHandle<_, _>| {
            let went = work(workspace, key, &mut trails);
            handle.send(went.map(|()| (bytes, trails)));
        };
        let (mut trails, mut lost) = (Vec::new(), None);
        run::each(context, groups, workspace, work, |came| {
            match came {
                Some(Ok((bytes, mut group))) => {
                    trails.append(&mut group);
                    at.slices += 1;
                    at.bytes += bytes;
                }
                Some(Err(StatesUnavailable::Stopped)) | None => {}
                Some(Err(error)) => {
                    lost = Some(error);
                    self.control.stop();
                }
            }
            observer.notice(&Event::Back(at));
        });
        match lost {
            Some(lost) => Err(lost.into()),
            None if at.slices < at.slices_of => Err(NumbersError::Stopped),
            None => Ok(trails),
        }
    }
}

/// Traces the trails of a unit or a slice back one step.
type TraceBack<'s> =
    &'s (dyn Fn(&mut Workspace, u64, &mut [Trail]) -> Result<(), StatesUnavailable> + Sync);

/// The bytes of memory that a unit or a slice needs, its number, and the trails that pass it.
type Passing = (u64, u64, Vec<Trail>);
