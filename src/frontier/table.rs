//! The states of one frontier with their counts, in partitions that are reduced one by one.
//!
//! Successors are first thrown into batches, one for each partition by the hash of the key, and each batch is
//! then added to its partition's table, which fits the cache of a core. A table that is filled in the
//! hash order of another with the same hash clusters until it crawls, so every stage has a seed of its
//! own.

use super::count::{Count, Tours};
use super::state::{NO_KEY, kinds_of};
use super::step::{Stage, Successors};
use std::sync::atomic::{AtomicU64, Ordering};

/// A state and the number of ways to it.
pub(crate) type Entry<C> = (u64, C);

/// Where the states of one frontier go.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Places {
    seed: u64,
    /// 64 less the bits of a partition's number.
    shift: u32,
    by: By,
}

/// What decides the partition of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    /// Its kinds, so that like states are together.
    Kinds,
    /// What it has to meet in the other half: so that the halves of a tour have the same partition.
    Pattern(super::join::Side),
}

impl Places {
    /// At least `partitions` of them, under the seed that belongs to `stage`.
    pub fn new(partitions: usize, stage: usize, by: By) -> Self {
        let odd = (stage as u64 + 1).wrapping_mul(0xd1b5_4a32_d192_ed03) ^ 0x9e37_79b9_7f4a_7c15;
        Self {
            seed: odd | 1,
            shift: 64 - partitions.next_power_of_two().ilog2(),
            by,
        }
    }

    pub fn partitions(&self) -> usize {
        1 << (64 - self.shift)
    }

    #[inline(always)]
    fn partition(&self, key: u64) -> usize {
        let key = match self.by {
            By::Kinds => kinds_of(key),
            By::Pattern(side) => side.pattern(key),
        };
        // Two shifts, for there may be a single partition.
        (mixed(key, self.seed) >> 1 >> (self.shift - 1)) as usize
    }
}

#[inline(always)]
fn mixed(key: u64, seed: u64) -> u64 {
    let folded = (key ^ (key >> 31)).wrapping_mul(seed);
    (folded ^ (folded >> 29)).wrapping_mul(seed)
}

/// Successors on their way to their partitions, and tours completed.
#[derive(Debug)]
pub(crate) struct Batches<C> {
    pub places: Places,
    pub of_partition: Vec<Vec<Entry<C>>>,
    pub tours: Tours,
}

impl<C: Count> Batches<C> {
    pub fn new(places: Places) -> Self {
        Self {
            places,
            of_partition: vec![Vec::new(); places.partitions()],
            tours: Tours::default(),
        }
    }

    /// Forgets the states, and keeps the tours.
    pub fn clear(&mut self) {
        self.of_partition.iter_mut().for_each(Vec::clear);
    }

    pub fn bytes(&self) -> u64 {
        bytes::<C>(self.of_partition.iter().map(Vec::capacity).sum())
    }

    /// Adds the successors of some states.
    pub fn expand(&mut self, stage: &Stage, states: &[Entry<C>]) {
        for (key, count) in states {
            stage.expand(
                *key,
                &mut Sink {
                    batches: self,
                    count,
                    ends: [0; MOST_ENDS],
                    ended: 0,
                },
            );
        }
    }
}

struct Sink<'a, C> {
    batches: &'a mut Batches<C>,
    count: &'a C,
    /// The orbits of the ends that the stage has set.
    ends: [u8; MOST_ENDS],
    ended: usize,
}

/// A tour has no more.
const MOST_ENDS: usize = 2;

impl<C: Count> Successors for Sink<'_, C> {
    #[inline(always)]
    fn with_end(&mut self, orbit: u8) {
        self.ends[self.ended] = orbit;
        self.ended += 1;
    }

    #[inline(always)]
    fn without_end(&mut self) {
        self.ended -= 1;
    }

    #[inline(always)]
    fn state(&mut self, key: u64) {
        let partition = self.batches.places.partition(key);
        let count = self.count.with_ends(&self.ends[..self.ended]);
        self.batches.of_partition[partition].push((key, count));
    }

    fn tour(&mut self, squares: usize) {
        self.batches.tours.add(squares, self.count);
    }
}

/// Why a state could not be added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Full {
    /// A sum of ways does not fit the width of the counts.
    Count,
    /// The tables would pass the bound.
    Memory,
}

/// The states of one partition while it is being filled: open addressing, linear probing.
#[derive(Debug)]
pub(crate) struct Table<C> {
    seed: u64,
    slots: Vec<Entry<C>>,
    states: usize,
    /// How many states of the round's batches are in, for a table that was emptied in between.
    absorbed: usize,
}

const FEWEST_SLOTS: usize = 64;

impl<C: Count> Table<C> {
    pub fn new(places: Places) -> Self {
        Self {
            seed: places.seed.rotate_left(32) | 1,
            slots: Vec::new(),
            states: 0,
            absorbed: 0,
        }
    }

    /// Says that the next batches are those of a new round, with so many states for this table, and makes
    /// room for as many of them as will surely be new, nearly.
    pub fn begin_round(&mut self, coming: usize, budget: &Budget) {
        self.absorbed = 0;
        let slots = (self.states + coming / 2) * 8 / 7;
        if self.states == 0 && slots > FEWEST_SLOTS {
            // Where that does not fit it grows as it is filled.
            let _ = self.grow(slots, budget);
        }
    }

    /// Adds the batches of a round, taking memory for them from the budget. After [`Full::Memory`] the
    /// same call goes on where it stopped, once there is room again.
    ///
    /// # Errors
    /// [`Full`] when a count does not fit its width, or the table not the budget.
    pub fn absorb<'a>(
        &mut self,
        batches: impl Iterator<Item = &'a [Entry<C>]>,
        budget: &Budget,
    ) -> Result<(), Full> {
        let mut before = 0;
        for batch in batches {
            let from = self.absorbed.saturating_sub(before).min(batch.len());
            before += batch.len();
            for entry in &batch[from..] {
                if self.states * 8 >= self.slots.len() * 7 {
                    let slots = (self.slots.len() * 3 / 2).max(FEWEST_SLOTS);
                    self.grow(slots, budget)?;
                }
                if !self.add(entry) {
                    return Err(Full::Count);
                }
                self.absorbed += 1;
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn add(&mut self, (key, count): &Entry<C>) -> bool {
        let slots = self.slots.len();
        // The high half of a product spreads hashes over any number of slots.
        let hash = u128::from(mixed(*key, self.seed));
        let mut slot = ((hash * slots as u128) >> 64) as usize;
        loop {
            let found = &mut self.slots[slot];
            if found.0 == *key {
                return found.1.add(count);
            }
            if found.0 == NO_KEY {
                *found = (*key, count.clone());
                self.states += 1;
                return true;
            }
            slot += 1;
            if slot == slots {
                slot = 0;
            }
        }
    }

    fn grow(&mut self, slots: usize, budget: &Budget) -> Result<(), Full> {
        budget.take(bytes::<C>(slots))?;
        let empty = vec![(NO_KEY, C::one()); slots];
        let old = std::mem::replace(&mut self.slots, empty);
        self.states = 0;
        for entry in old.iter().filter(|(key, _)| *key != NO_KEY) {
            let _ = self.add(entry);
        }
        budget.give_back(bytes::<C>(old.len()));
        Ok(())
    }

    /// Hands over the states, without order, and is empty.
    pub fn take_states(&mut self, budget: &Budget) -> impl Iterator<Item = Entry<C>> + use<C> {
        budget.give_back(bytes::<C>(self.slots.len()));
        self.states = 0;
        let slots = std::mem::take(&mut self.slots);
        slots.into_iter().filter(|(key, _)| *key != NO_KEY)
    }
}

/// The bytes that so many states take; of large numbers, without what they have elsewhere.
pub(crate) fn bytes<C>(states: usize) -> u64 {
    (states * size_of::<Entry<C>>()) as u64
}

/// The memory that all tables together may still take.
#[derive(Debug)]
pub(crate) struct Budget {
    bound: u64,
    taken: AtomicU64,
    peak: AtomicU64,
}

impl Budget {
    pub fn new(bound: u64) -> Self {
        Self {
            bound,
            taken: AtomicU64::new(0),
            peak: AtomicU64::new(0),
        }
    }

    /// # Errors
    /// [`Full::Memory`] when it does not fit the bound; then nothing is taken.
    pub fn take(&self, bytes: u64) -> Result<(), Full> {
        let taken = self.taken.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if taken > self.bound {
            self.give_back(bytes);
            return Err(Full::Memory);
        }
        self.peak.fetch_max(taken, Ordering::Relaxed);
        Ok(())
    }

    /// Takes what cannot be refused: it takes the place of something larger.
    pub fn charge(&self, bytes: u64) {
        let taken = self.taken.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.peak.fetch_max(taken, Ordering::Relaxed);
    }

    pub fn give_back(&self, bytes: u64) {
        self.taken.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Whether less than a quarter of the bound is left, which is more than a round may take.
    pub fn is_short(&self) -> bool {
        self.taken.load(Ordering::Relaxed) > self.bound / 4 * 3
    }

    /// Whether so much is taken that partitions of both halves on all threads might not fit.
    pub fn is_half_taken(&self) -> bool {
        self.taken.load(Ordering::Relaxed) > self.bound / 2
    }

    pub fn bound(&self) -> u64 {
        self.bound
    }

    /// The most that was taken at once.
    pub fn peak(&self) -> u64 {
        self.peak.load(Ordering::Relaxed)
    }
}
