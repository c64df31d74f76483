//! One step of a count: all states through a stage, or all states of a half with those of the other.

use super::layer::{Block, Layer, states_of};
use super::plan::Step;
use super::position::Position;
use super::scratch::ScratchError;
use super::{Halt, Kind, Means, Run};
use crate::frontier::{
    self, Batches, By, ByEnd, Count, Entry, FEW_ORBITS, Full, Joined, MOST_ORBITS, Matchings,
    Places, Side, Stage, Table, bytes,
};
use num_bigint::BigUint;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Below this many states a step is done on the calling thread.
const FEWEST_FOR_THREADS: u64 = 4_096;
/// States that a thread takes at once.
const CHUNK: usize = 1 << 12;
/// States that all threads expand in a round: so many that a table is filled while it is in cache, and
/// few beside the memory there is.
const MOST_OF_ROUND: u64 = 1 << 21;
/// How many states one of a round may be on its way, with all that becomes of it, and what share of the
/// bound a round may take.
const STATES_IN_FLIGHT: usize = 8;
const SHARE_IN_FLIGHT: u64 = 8;
/// So many bytes of states of the next frontier go to one partition, if there are twice as many as now.
const BYTES_OF_PARTITION: u64 = 1 << 18;
const MOST_PARTITIONS: u64 = 1 << 12;
/// How long partitions are joined before anyone looks up.
const JOIN_FOR: Duration = Duration::from_millis(200);

/// Tables of the next frontier, one for each partition.
type Tables<C> = [Mutex<Table<C>>];

impl Run<'_> {
    /// Takes all steps that are left.
    pub(super) fn go(&mut self, at: &mut Position) -> Result<(), Halt> {
        while at.step < self.plan.steps.len() {
            self.take_step(at)?;
            at.step += 1;
            at.partitions_done = 0;
        }
        if self.is_kept {
            // So that the result is not lost with a full disk or a closed terminal.
            self.save_or_warn(at);
        }
        Ok(())
    }

    fn take_step(&mut self, at: &mut Position) -> Result<(), Halt> {
        match &self.plan.steps[at.step] {
            Step::Advance(stage, by) => {
                let (stage, by) = (stage.clone(), *by);
                let most = &at.source.ways * stage.most_ways();
                match (self.kind, most.bits()) {
                    (Kind::Tours, 0..=64) => self.advance::<u64>(at, &stage, by),
                    (Kind::Tours, 65..=128) => self.advance::<u128>(at, &stage, by),
                    (Kind::Tours, _) => self.advance::<BigUint>(at, &stage, by),
                    (Kind::Ends(..=FEW_ORBITS), bits) => {
                        self.advance_with_ends::<{ 1 + FEW_ORBITS }>(at, &stage, by, bits)
                    }
                    (Kind::Ends(_), bits) => {
                        self.advance_with_ends::<{ 1 + MOST_ORBITS }>(at, &stage, by, bits)
                    }
                }
            }
            Step::Fork => {
                at.aside = at.source.clone();
                Ok(())
            }
            Step::Swap => {
                std::mem::swap(&mut at.source, &mut at.aside);
                Ok(())
            }
            Step::Join { top, bottom } => {
                let (top, bottom) = (*top, *bottom);
                let bits = at.source.ways.bits().max(at.aside.ways.bits());
                match (self.kind, bits) {
                    (Kind::Tours, 0..=64) => self.join::<1, u64>(at, top, bottom),
                    (Kind::Tours, 65..=128) => self.join::<1, u128>(at, top, bottom),
                    (Kind::Tours, _) => Err(Halt::TooManyWays),
                    (Kind::Ends(..=FEW_ORBITS), bits) => {
                        self.join_with_ends::<{ 1 + FEW_ORBITS }>(at, top, bottom, bits)
                    }
                    (Kind::Ends(_), bits) => {
                        self.join_with_ends::<{ 1 + MOST_ORBITS }>(at, top, bottom, bits)
                    }
                }
            }
        }
    }

    /// With the ways in so many bits; of ends there are at most twice as many. More than 127 bits are not met on
    /// boards that the frontier takes on with few enough orbits.
    fn advance_with_ends<const N: usize>(
        &mut self,
        at: &mut Position,
        stage: &Stage,
        by: By,
        bits: u64,
    ) -> Result<(), Halt> {
        match bits {
            0..=63 => self.advance::<ByEnd<u64, N>>(at, stage, by),
            64..=127 => self.advance::<ByEnd<u128, N>>(at, stage, by),
            _ => Err(Halt::Overflow),
        }
    }

    fn join_with_ends<const N: usize>(
        &mut self,
        at: &mut Position,
        top: Side,
        bottom: Side,
        bits: u64,
    ) -> Result<(), Halt> {
        match bits {
            0..=63 => self.join::<N, ByEnd<u64, N>>(at, top, bottom),
            64..=127 => self.join::<N, ByEnd<u128, N>>(at, top, bottom),
            _ => Err(Halt::Overflow),
        }
    }

    /// Takes every state of the source through a stage.
    fn advance<C: Count>(&mut self, at: &mut Position, stage: &Stage, by: By) -> Result<(), Halt> {
        let places = self.places::<C>(at, by);
        if at.target.partitions.is_empty() {
            at.target = Layer::empty(places.partitions());
        }
        let threads = self.threads_for(at.source.states());
        let mut batches: Vec<Mutex<Batches<C>>> = (0..threads)
            .map(|_| Mutex::new(Batches::new(places)))
            .collect();
        let tables: Vec<Mutex<Table<C>>> = (0..places.partitions())
            .map(|_| Mutex::new(Table::new(places)))
            .collect();
        while at.partitions_done < at.source.partitions.len() {
            self.look_up(at, |at, means| empty(&tables, at, means))?;
            while self.scratch.is_some() && self.means.budget.is_short() {
                self.make_room(at, &tables)?;
            }
            let round = self.round::<C>(at);
            let states = self.load::<C>(&at.source.partitions[round.clone()], threads)?;
            let number: usize = states.iter().map(Vec::len).sum();
            self.expand(&states, stage, &batches);
            self.means.budget.give_back(bytes::<C>(number));
            drop(states);
            at.source.partitions[round.clone()]
                .iter_mut()
                .for_each(Vec::clear);
            at.partitions_done = round.end;
            at.effort.add(at.step, number);
            self.fill(at, &tables, &mut batches)?;
        }
        empty(&tables, at, &self.means);
        at.source = std::mem::take(&mut at.target);
        Ok(())
    }

    /// Where the states of the next frontier go: as the step began, or as the half set aside has them.
    fn places<C: Count>(&self, at: &Position, by: By) -> Places {
        let wanted = 2 * bytes::<C>(at.source.states() as usize) / BYTES_OF_PARTITION;
        let wanted = wanted.clamp(1, MOST_PARTITIONS) as usize;
        let is_second_half = self.plan.steps[..at.step]
            .iter()
            .any(|step| matches!(step, Step::Swap));
        match (at.target.partitions.len(), by) {
            (0, By::Pattern(_)) if is_second_half => Places::new(at.aside.partitions.len(), 0, by),
            (0, By::Pattern(_)) => Places::new(wanted, 0, by),
            (0, By::Kinds) => Places::new(wanted, at.step + 1, by),
            (begun, By::Pattern(_)) => Places::new(begun, 0, by),
            (begun, By::Kinds) => Places::new(begun, at.step + 1, by),
        }
    }

    fn threads_for(&self, states: u64) -> usize {
        match states {
            ..FEWEST_FOR_THREADS => 1,
            _ => self.threads(),
        }
    }

    /// The partitions of the next round: so many that they hold no more states than a round may, but at
    /// least one.
    fn round<C: Count>(&self, at: &Position) -> Range<usize> {
        let in_flight = bytes::<C>(STATES_IN_FLIGHT);
        let fitting = self.means.budget.bound() / (SHARE_IN_FLIGHT * in_flight);
        let most = fitting.clamp(CHUNK as u64, MOST_OF_ROUND);
        let mut sum = 0;
        let fits = |partition: &&Vec<Block>| {
            sum += partition.iter().map(|block| block.states).sum::<u64>();
            sum <= most
        };
        let first = at.partitions_done;
        let rest = at.source.partitions[first..].iter();
        first..first + rest.take_while(fits).count().max(1)
    }

    /// The states of some partitions, which are charged to the budget.
    fn load<C: Count>(
        &self,
        partitions: &[Vec<Block>],
        threads: usize,
    ) -> Result<Vec<Vec<Entry<C>>>, ScratchError> {
        let states: Vec<Vec<Entry<C>>> = match threads {
            1 => partitions
                .iter()
                .map(|part| states_of(part))
                .collect::<Result<_, _>>(),
            _ => self
                .means
                .pool
                .install(|| partitions.par_iter().map(|part| states_of(part)).collect()),
        }?;
        let number = states.iter().map(Vec::len).sum();
        self.means.budget.charge(bytes::<C>(number));
        Ok(states)
    }

    /// Puts what becomes of some states into the batches of the threads.
    fn expand<C: Count>(
        &self,
        states: &[Vec<Entry<C>>],
        stage: &Stage,
        batches: &[Mutex<Batches<C>>],
    ) {
        let chunks: Vec<&[Entry<C>]> = states.iter().flat_map(|part| part.chunks(CHUNK)).collect();
        self.on(batches.len(), |thread, next| {
            let mut batches = lock(&batches[thread]);
            while let Some(chunk) = take(next, chunks.len()) {
                batches.expand(stage, chunks[chunk]);
            }
        });
    }

    /// Adds a round's batches to the tables, and empties these onto the disk when they would pass the bound.
    fn fill<C: Count>(
        &mut self,
        at: &mut Position,
        tables: &Tables<C>,
        batches: &mut [Mutex<Batches<C>>],
    ) -> Result<(), Halt> {
        let filled: Vec<&mut Batches<C>> = batches.iter_mut().map(inside).collect();
        let in_flight = filled.iter().map(|batches| batches.bytes()).sum();
        self.means.budget.charge(in_flight);
        let of = |part: usize| {
            filled
                .iter()
                .map(move |batches| &batches.of_partition[part][..])
        };
        for (part, table) in tables.iter().enumerate() {
            lock(table).begin_round(of(part).map(<[_]>::len).sum(), &self.means.budget);
        }
        loop {
            let added = self.on(filled.len(), |_, next| {
                let mut added = Ok(());
                while let Some(part) = take(next, tables.len()) {
                    let absorbed = lock(&tables[part]).absorb(of(part), &self.means.budget);
                    added = added.and(absorbed);
                }
                added
            });
            match added.into_iter().find_map(Result::err) {
                None => break,
                Some(Full::Count) => return Err(Halt::Overflow),
                Some(Full::Memory) => self.make_room(at, tables)?,
            }
        }
        self.means.budget.give_back(in_flight);
        for batches in filled {
            at.tours.merge(std::mem::take(&mut batches.tours));
            batches.clear();
        }
        Ok(())
    }

    /// Moves states to disk: those that wait, or else those in tables.
    fn make_room<C: Count>(&mut self, at: &mut Position, tables: &Tables<C>) -> Result<(), Halt> {
        let Some(scratch) = &mut self.scratch else {
            return Err(Halt::Memory);
        };
        let mut waiting = at.in_memory();
        if waiting.is_empty() {
            empty(tables, at, &self.means);
            waiting = at.in_memory();
        }
        match waiting.is_empty() {
            true => Err(Halt::Memory),
            false => Ok(self.means.pool.install(|| scratch.write(waiting))?),
        }
    }

    /// Adds up the tours of both halves, partition by partition.
    fn join<const N: usize, C: Joined<N>>(
        &mut self,
        at: &mut Position,
        top: Side,
        bottom: Side,
    ) -> Result<(), Halt> {
        let matchings = Matchings::default();
        while at.partitions_done < at.source.partitions.len() {
            self.look_up(at, |_, _| {})?;
            if let Some(scratch) = &mut self.scratch
                && self.means.budget.is_half_taken()
            {
                let waiting = at.in_memory();
                self.means.pool.install(|| scratch.write(waiting))?;
            }
            let (next, end) = (
                AtomicUsize::new(at.partitions_done),
                Instant::now() + JOIN_FOR,
            );
            let (tops, bottoms) = (&at.source.partitions, &at.aside.partitions);
            let of_threads = self.on(self.threads(), |_, _| {
                let (mut sums, mut states) = (vec![BigUint::default(); N], 0);
                while Instant::now() < end
                    && let Some(part) = take(&next, tops.len())
                {
                    let (ours, theirs) = (
                        states_of::<C>(&tops[part])?,
                        states_of::<C>(&bottoms[part])?,
                    );
                    // The states, and as the join sees them.
                    let charged = 2 * bytes::<C>(ours.len() + theirs.len());
                    self.means.budget.charge(charged);
                    let totals = frontier::join(&matchings, (&ours, top), (&theirs, bottom));
                    self.means.budget.give_back(charged);
                    for (sum, total) in sums.iter_mut().zip(totals) {
                        *sum += total.value();
                    }
                    states += ours.len() + theirs.len();
                }
                Ok::<_, ScratchError>((sums, states))
            });
            at.across.resize(N, BigUint::default());
            for of_thread in of_threads {
                let (sums, states) = of_thread?;
                for (across, sum) in at.across.iter_mut().zip(sums) {
                    *across += sum;
                }
                at.effort.add(at.step, states);
            }
            let done = at.partitions_done..next.into_inner().min(at.source.partitions.len());
            at.partitions_done = done.end;
            for layer in [&mut at.source, &mut at.aside] {
                layer.partitions[done.clone()]
                    .iter_mut()
                    .for_each(Vec::clear);
            }
        }
        Ok(())
    }

    /// Does something on so many threads, each with its number and a common counter of what is given out.
    fn on<R: Send>(
        &self,
        threads: usize,
        work: impl Fn(usize, &AtomicUsize) -> R + Sync,
    ) -> Vec<R> {
        let next = AtomicUsize::new(0);
        match threads {
            1 => vec![work(0, &next)],
            _ => self
                .means
                .pool
                .broadcast(|thread| work(thread.index(), &next)),
        }
    }
}

/// Moves the states of tables into the position.
fn empty<C: Count>(tables: &Tables<C>, at: &mut Position, means: &Means) {
    let block = |table: &Mutex<Table<C>>| {
        let states = lock(table).take_states(&means.budget);
        Block::of(states, &means.budget)
    };
    let blocks: Vec<_> = match tables.len() {
        1 => tables.iter().map(block).collect(),
        _ => means
            .pool
            .install(|| tables.par_iter().map(block).collect()),
    };
    for (partition, block) in blocks.into_iter().enumerate() {
        at.target.add(partition, block);
    }
}

/// The next number below `all` that nobody has taken.
fn take(next: &AtomicUsize, all: usize) -> Option<usize> {
    Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&taken| taken < all)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn inside<T>(mutex: &mut Mutex<T>) -> &mut T {
    mutex.get_mut().unwrap_or_else(PoisonError::into_inner)
}
