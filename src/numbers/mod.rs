//! The tours of a question by number: any of them without listing those before it, and the number of any.
//!
//! A count by the frontier whose layers were all kept says how many tours each unit has. From there [`Trail`]s lead back to the
//! beginning, all that were asked for together: unit by unit, then round by round, and each slice that any of them passes is worked on once,
//! by any thread. What it costs is about the units once more, and of the rounds before them the slices that are passed.

mod choices;
mod frontier;
mod pairs;
pub mod random;
mod trail;

use crate::frontier::{Frontier, Workspace};
use crate::rounds::StatesUnavailable;
use crate::run::{self, Back, Control, Event, Observer, PoolContext, RunError, WorkerHandle};
use crate::tally::Tally;
use crate::tour::Tour;
use crate::units::Units;
use crate::work::Work;
pub use frontier::ORDER;
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use trail::Trail;

/// How the tours of a question are numbered, from 1.
pub struct Numbers<'a> {
    frontier: &'a Frontier,
    threads: rayon::ThreadPool,
    control: Arc<Control>,
    /// The bytes that may be worked on at once.
    memory: u64,
    /// By unit, its tours, and those of all units before it.
    tours: Vec<BigUint>,
    before: Vec<BigUint>,
    total: Tally,
}

/// Why there is no tour, or no number.
#[derive(Debug, thiserror::Error)]
pub enum NumbersError {
    /// There is no tour of this number.
    #[error("there is no tour number {number}: the last is {last}")]
    Beyond {
        /// The number.
        number: Tally,
        /// The last number.
        last: Tally,
    },
    /// What was kept of the count cannot be had back.
    #[error(transparent)]
    StatesUnavailable(#[from] StatesUnavailable),
    /// It was told to stop.
    #[error("stopped on the way back from the units")]
    Stopped,
}

/// Trails that go back at once: more take the memory of one count beside it.
const MOST_AT_ONCE: usize = 1 << 17;

/// A slice takes at most so many times the bytes that it has packed: as in a round of a count, but all its stages are kept.
const BACK_FACTOR: u64 = 32;

/// How often whoever watches is told.
const LOOK_UP: Duration = Duration::from_millis(100);

impl<'a> Numbers<'a> {
    /// The numbers of the tours that a count has come to, for which the frontier has kept all its layers.
    ///
    /// # Errors
    /// [`RunError::Threads`] when the threads cannot be started.
    pub fn new(
        frontier: &'a Frontier,
        units: &Units,
        threads: usize,
        memory: Option<u64>,
        control: Arc<Control>,
    ) -> Result<Self, RunError> {
        let counts = units.counts.iter();
        let tours: Vec<BigUint> =
            counts.map(|(_, directed)| frontier.told_apart(directed).into_big()).collect();
        let mut total = BigUint::ZERO;
        let before = tours.iter().map(|tours| {
            let before = total.clone();
            total += tours;
            before
        });
        let before = before.collect();
        Ok(Self {
            frontier,
            threads: run::threads(Some(threads))?,
            control,
            memory: run::half(memory),
            tours,
            before,
            total: Tally::from_big(total),
        })
    }

    /// The number of tours, which is that of the last.
    pub fn last(&self) -> &Tally {
        &self.total
    }

    /// The tours with some numbers, in their order.
    ///
    /// # Errors
    /// [`NumbersError`] with the first number that no tour has; the others say what went wrong.
    pub fn tours(
        &self,
        numbers: &[Tally],
        observer: &mut dyn Observer,
    ) -> Result<Vec<Tour>, NumbersError> {
        let is_number = |number: &&Tally| **number > Tally::ZERO && **number <= self.total;
        if let Some(number) = numbers.iter().find(|number| !is_number(number)) {
            let (number, last) = (number.clone(), self.total.clone());
            return Err(NumbersError::Beyond { number, last });
        }
        if let Some(only) = self.frontier.only_tour() {
            return Ok(vec![only; numbers.len()]);
        }
        let mut wanted: Vec<&Tally> = numbers.iter().collect();
        wanted.sort_unstable();
        wanted.dedup();
        let mut found: Vec<Option<Tour>> = vec![None; wanted.len()];
        for (part, wanted) in wanted.chunks(MOST_AT_ONCE).enumerate() {
            let mut by_unit: BTreeMap<usize, Vec<Trail>> = BTreeMap::new();
            for (place, &number) in wanted.iter().enumerate() {
                let index = number.as_big() - 1_u32;
                let unit = self.before.partition_point(|before| *before <= index) - 1;
                let trail =
                    self.frontier.numbered(part * MOST_AT_ONCE + place, index - &self.before[unit]);
                by_unit.entry(unit).or_default().push(trail);
            }
            for trail in self.back(by_unit, observer)? {
                found[trail.name] = Some(self.frontier.tour(&trail)?);
            }
        }
        let tour = |number: &Tally| {
            let place = wanted.binary_search(&number).ok()?;
            found[place].clone()
        };
        let missing = || StatesUnavailable("a tour got lost on its way".to_owned());
        numbers.iter().map(|number| Ok(tour(number).ok_or_else(missing)?)).collect()
    }

    /// The numbers of some tours; of what is no tour of the question, none.
    ///
    /// # Errors
    /// [`NumbersError`] with what went wrong.
    pub fn numbers(
        &self,
        tours: &[Tour],
        observer: &mut dyn Observer,
    ) -> Result<Vec<Option<Tally>>, NumbersError> {
        let mut found: Vec<Option<Tally>> = vec![None; tours.len()];
        if let Some(only) = self.frontier.only_tour() {
            let is_only = |tour: &Tour| (*tour == only).then(|| self.total.clone());
            return Ok(tours.iter().map(is_only).collect());
        }
        for (part, tours) in tours.chunks(MOST_AT_ONCE).enumerate() {
            let mut by_unit: BTreeMap<usize, Vec<Trail>> = BTreeMap::new();
            let mut unit_of = BTreeMap::new();
            for (place, tour) in tours.iter().enumerate() {
                let name = part * MOST_AT_ONCE + place;
                if let Some((unit, trail)) = self.frontier.known(name, tour) {
                    unit_of.insert(name, unit);
                    by_unit.entry(unit).or_default().push(trail);
                }
            }
            for trail in self.back(by_unit, observer)? {
                let before = &self.before[unit_of[&trail.name]];
                found[trail.name] = Some(Tally::from_big(before + trail.index() + 1_u32));
            }
        }
        Ok(found)
    }

    /// Takes trails back from their units to the beginning.
    fn back(
        &self,
        by_unit: BTreeMap<usize, Vec<Trail>>,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Trail>, NumbersError> {
        let stop = || self.control.is_stopped();
        let frontier = self.frontier;
        let places = frontier.rounds_back();
        let steps = places.len() + 1;
        let tell = |step| move |slices, slices_of| Back { step, steps, slices, slices_of };
        let groups = by_unit
            .into_iter()
            .map(|(unit, trails)| (frontier.memory(unit), (unit as u64, trails)));
        let through_unit = |workspace: &mut Workspace, unit: u64, trails: &mut [Trail]| {
            let of_unit = (unit as usize, &self.tours[unit as usize]);
            frontier.through_unit(workspace, of_unit, trails, &stop)
        };
        let mut trails = self.each(groups.collect(), &through_unit, &mut tell(0), observer)?;
        for (step, place) in places.into_iter().enumerate() {
            let mut by_slice: BTreeMap<u64, Vec<Trail>> = BTreeMap::new();
            for mut trail in trails {
                let slice = frontier.slice(&mut trail, place);
                by_slice.entry(slice).or_default().push(trail);
            }
            let groups = by_slice.into_iter().map(|(slice, trails)| {
                let bytes = BACK_FACTOR * frontier.bytes_of(place, slice);
                (bytes, (slice, trails))
            });
            let back = |workspace: &mut Workspace, slice: u64, trails: &mut [Trail]| {
                frontier.back(workspace, place, slice, trails, &stop)
            };
            trails = self.each(groups.collect(), &back, &mut tell(step + 1), observer)?;
        }
        Ok(trails)
    }

    /// Works on each group of trails, which takes so many bytes of memory, on any thread, those that take most first.
    fn each(
        &self,
        mut groups: Vec<(u64, Group)>,
        work: Step,
        tell: &mut dyn FnMut(usize, usize) -> Back,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Trail>, NumbersError> {
        groups.sort_by_key(|group| std::cmp::Reverse(group.0));
        let of = groups.len();
        let context = PoolContext {
            threads: &self.threads,
            control: &self.control,
            memory: self.memory,
            slice: LOOK_UP,
        };
        let workspace = || self.frontier.workspace();
        let work =
            |workspace: &mut Workspace, (key, mut trails): Group, handle: &WorkerHandle<_, _>| {
                let went = work(workspace, key, &mut trails);
                handle.send(went.map(|went| went.map(|()| trails)));
            };
        let (mut done, mut trails, mut lost) = (0, Vec::new(), None);
        run::each(context, groups, crossbeam_channel::unbounded(), workspace, work, |came| {
            match came {
                Some(Ok(Some(mut group))) => {
                    trails.append(&mut group);
                    done += 1;
                }
                Some(Err(error)) => {
                    lost = Some(error);
                    self.control.stop();
                }
                Some(Ok(None)) | None => {}
            }
            observer.notice(&Event::Back(tell(done, of)));
        });
        match lost {
            Some(lost) => Err(NumbersError::StatesUnavailable(lost)),
            None if done < of => Err(NumbersError::Stopped),
            None => Ok(trails),
        }
    }
}

/// Takes trails of a unit or a slice back a step; nothing when told to stop.
type Step<'s> =
    &'s (dyn Fn(&mut Workspace, u64, &mut [Trail]) -> Result<Option<()>, StatesUnavailable> + Sync);

/// Trails that are worked on together, and their unit or slice.
type Group = (u64, Vec<Trail>);
