//! The tours of a question by number: any of them without listing those before it, and the number of any.
//!
//! A count by the frontier whose layers were all kept says how many tours each unit has. From there [`Trail`]s lead back to the
//! beginning, all that were asked for together: unit by unit, then round by round, and each slice that any of them passes is worked on once,
//! by any thread. What it costs is about the units once more, and of the rounds before them the slices that are passed.

use super::observer::{Back, Event, Observer};
use super::pool;
use super::room::Room;
use super::units::Units;
use super::{Control, RunError};
use crate::frontier::{Frontier, Trail, Worker};
use crate::rounds::Lost;
use crate::tour::Tour;
use crate::work::Work;
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// How the tours of a question are numbered, from 1.
pub struct Numbers<'a> {
    frontier: &'a Frontier,
    threads: rayon::ThreadPool,
    control: Arc<Control>,
    room: Room,
    /// By unit, its tours, and those of all units before it.
    tours: Vec<BigUint>,
    before: Vec<BigUint>,
    total: BigUint,
}

/// Why there is no tour, or no number.
#[derive(Debug, thiserror::Error)]
pub enum NumbersError {
    /// There is no tour of this number.
    #[error("there is no tour number {number}: the last is {last}")]
    Beyond {
        /// The number.
        number: BigUint,
        /// The last number.
        last: BigUint,
    },
    /// What was kept of the count cannot be had back.
    #[error(transparent)]
    Lost(#[from] Lost),
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
        let tours: Vec<BigUint> = counts
            .map(|(_, directed)| frontier.told_apart(directed).into())
            .collect();
        let mut total = BigUint::ZERO;
        let before = tours.iter().map(|tours| {
            let before = total.clone();
            total += tours;
            before
        });
        let before = before.collect();
        Ok(Self {
            frontier,
            threads: pool::start(Some(threads))?,
            control,
            room: Room::new(memory.unwrap_or(u64::MAX / 2) / 2),
            tours,
            before,
            total,
        })
    }

    /// The number of tours, which is that of the last.
    pub fn last(&self) -> &BigUint {
        &self.total
    }

    /// The tours with some numbers, in their order.
    ///
    /// # Errors
    /// [`NumbersError`] with the first number that no tour has; the others say what went wrong.
    pub fn tours(
        &self,
        numbers: &[BigUint],
        observer: &mut dyn Observer,
    ) -> Result<Vec<Tour>, NumbersError> {
        let is_number = |number: &&BigUint| **number > BigUint::ZERO && **number <= self.total;
        if let Some(number) = numbers.iter().find(|number| !is_number(number)) {
            let (number, last) = (number.clone(), self.total.clone());
            return Err(NumbersError::Beyond { number, last });
        }
        if let Some(only) = self.frontier.only_tour() {
            return Ok(vec![only; numbers.len()]);
        }
        let mut wanted: Vec<&BigUint> = numbers.iter().collect();
        wanted.sort_unstable();
        wanted.dedup();
        let mut found: Vec<Option<Tour>> = vec![None; wanted.len()];
        for (part, wanted) in wanted.chunks(MOST_AT_ONCE).enumerate() {
            let mut by_unit: BTreeMap<usize, Vec<Trail>> = BTreeMap::new();
            for (place, &number) in wanted.iter().enumerate() {
                let index = number - 1_u32;
                let unit = self.before.partition_point(|before| *before <= index) - 1;
                let trail = self
                    .frontier
                    .numbered(part * MOST_AT_ONCE + place, index - &self.before[unit]);
                by_unit.entry(unit).or_default().push(trail);
            }
            for trail in self.back(by_unit, observer)? {
                found[trail.name] = Some(self.frontier.tour(&trail)?);
            }
        }
        let tour = |number: &BigUint| {
            let place = wanted.binary_search(&number).ok()?;
            found[place].clone()
        };
        let missing = || Lost("a tour got lost on its way".to_owned());
        numbers
            .iter()
            .map(|number| Ok(tour(number).ok_or_else(missing)?))
            .collect()
    }

    /// The numbers of some tours; of what is no tour of the question, none.
    ///
    /// # Errors
    /// [`NumbersError`] with what went wrong.
    pub fn numbers(
        &self,
        tours: &[Tour],
        observer: &mut dyn Observer,
    ) -> Result<Vec<Option<BigUint>>, NumbersError> {
        let mut found: Vec<Option<BigUint>> = vec![None; tours.len()];
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
                found[trail.name] = Some(before + trail.index() + 1_u32);
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
        let tell = |step| {
            move |slices, slices_of| Back {
                step,
                steps,
                slices,
                slices_of,
            }
        };
        let groups = by_unit.into_iter().map(|(unit, trails)| Group {
            key: unit as u64,
            bytes: frontier.memory(unit),
            trails,
        });
        let through_unit = |worker: &mut Worker, group: &mut Group| {
            let unit = group.key as usize;
            let of_unit = (unit, &self.tours[unit]);
            frontier.through_unit(worker, of_unit, &mut group.trails, &stop)
        };
        let mut trails = self.each(groups.collect(), &through_unit, &mut tell(0), observer)?;
        for (step, place) in places.into_iter().enumerate() {
            let mut by_slice: BTreeMap<u64, Vec<Trail>> = BTreeMap::new();
            for mut trail in trails {
                let slice = frontier.slice(&mut trail, place);
                by_slice.entry(slice).or_default().push(trail);
            }
            let groups = by_slice.into_iter().map(|(slice, trails)| Group {
                key: slice,
                bytes: BACK_FACTOR * frontier.bytes_of(place, slice),
                trails,
            });
            let back = |worker: &mut Worker, group: &mut Group| {
                frontier.back(worker, place, group.key, &mut group.trails, &stop)
            };
            trails = self.each(groups.collect(), &back, &mut tell(step + 1), observer)?;
        }
        Ok(trails)
    }

    /// Works on each group of trails on any thread, those that take most memory first.
    fn each(
        &self,
        mut groups: Vec<Group>,
        work: Step,
        tell: &mut dyn FnMut(usize, usize) -> Back,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Trail>, NumbersError> {
        groups.sort_by_key(|group| std::cmp::Reverse(group.bytes));
        let of = groups.len();
        let (queue, next) = crossbeam_channel::unbounded();
        // The other end is there.
        groups.into_iter().for_each(|group| drop(queue.send(group)));
        drop(queue);
        let (sender, came) = crossbeam_channel::unbounded();
        let (mut done, mut trails, mut failed) = (0, Vec::new(), None);
        self.threads.in_place_scope(|scope| {
            for _ in 0..self.threads.current_num_threads() {
                let (next, sender) = (next.clone(), sender.clone());
                scope.spawn(move |_| {
                    let mut worker = self.frontier.worker();
                    for mut group in next {
                        let stop = || self.control.is_stopped();
                        let _taken = self.room.take(group.bytes, &stop);
                        let went = match stop() {
                            true => Ok(None),
                            false => work(&mut worker, &mut group),
                        };
                        if sender
                            .send(went.map(|went| went.map(|()| group.trails)))
                            .is_err()
                        {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            loop {
                match came.recv_timeout(LOOK_UP) {
                    Ok(Ok(Some(mut group))) => {
                        trails.append(&mut group);
                        done += 1;
                    }
                    Ok(Ok(None)) => failed = failed.take().or(Some(NumbersError::Stopped)),
                    Ok(Err(lost)) => {
                        failed = Some(lost.into());
                        self.control.stop();
                    }
                    Err(error) if error.is_disconnected() => break,
                    Err(_) => {}
                }
                observer.notice(&Event::Back(tell(done, of)));
            }
        });
        failed.map_or(Ok(trails), Err)
    }
}

/// Takes a group back a step; nothing when told to stop.
type Step<'s> = &'s (dyn Fn(&mut Worker, &mut Group) -> Result<Option<()>, Lost> + Sync);

/// Trails that are worked on together.
struct Group {
    /// Their unit or slice.
    key: u64,
    /// The memory that it takes to work on them.
    bytes: u64,
    trails: Vec<Trail>,
}
