//! The ledger of a run: for every unit of a shard, what is found and what remains to be done.
//!
//! Invariant: for every unit, what is found plus what its remaining pieces will find is its count.
//! A result replaces a piece by what was found and what remains of it in one step, so the run can
//! be resumed from any moment between two results.

use super::checkpoint::UnitState;
use super::pool::{PieceResult, Task};
use crate::cursor::UnitPiece;
use crate::estimate::SoFar;
use crate::tally::Tally;
use crate::units::ShardUnits;
use crate::work::Work;
use serde::{Serialize, Serializer};
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet, TryReserveError};

pub(super) struct Ledger<'a> {
    work: &'a dyn Work,
    units: ShardUnits,
    /// For each place in the shard, the count of the unit if it is done.
    counts: Vec<Option<Tally>>,
    /// For each unit that is started, its count so far and its remaining pieces.
    begun: HashMap<usize, Begun>,
    /// The number of directed tours found.
    pub found: Tally,
    /// The number of units that are done.
    pub done: usize,
}

/// A unit that is started.
#[derive(Default)]
struct Begun {
    found: Tally,
    /// The remaining pieces, which have no node in common.
    pieces: HashSet<UnitPiece>,
}

impl<'a> Ledger<'a> {
    pub fn new(work: &'a dyn Work, units: ShardUnits) -> Self {
        Self {
            work,
            counts: vec![None; units.len()],
            units,
            begun: HashMap::new(),
            found: Tally::ZERO,
            done: 0,
        }
    }

    /// Takes over the units of a checkpoint.
    ///
    /// # Errors
    /// The defect, if they are not units of this run.
    pub fn take_over(&mut self, units: Vec<UnitState>) -> Result<(), String> {
        if units.len() != self.units() {
            return Err(format!("{} units where the run has {}", units.len(), self.units()));
        }
        for (place, state) in units.into_iter().enumerate() {
            match state {
                UnitState::Untouched => {}
                UnitState::Done(count) => {
                    self.found += &count;
                    self.counts[place] = Some(count);
                    self.done += 1;
                }
                UnitState::Begun { found, pieces } => {
                    let unit = self.units.unit(place);
                    let accepts = |piece: &UnitPiece| self.work.accepts(unit, piece);
                    if pieces.is_empty() || !pieces.iter().all(accepts) {
                        return Err(format!("unit {unit} has pieces that are not its own"));
                    }
                    self.found += self.known(&found);
                    self.begun.insert(unit, Begun { found, pieces: HashSet::from_iter(pieces) });
                }
            }
        }
        Ok(())
    }

    /// The share of the units that are not done.
    pub fn share_open(&self) -> f64 {
        1.0 - self.done as f64 / self.units().max(1) as f64
    }

    /// Enters a result.
    pub fn enter(&mut self, result: PieceResult) {
        self.found += self.known(&result.found);
        let mut begun = self.begun.remove(&result.unit).unwrap_or_default();
        begun.found += result.found;
        begun.pieces.remove(&result.piece);
        begun.pieces.extend(result.rest);
        // An atomic unit that was interrupted counts as untouched.
        let is_given_up = !self.work.is_tree() && begun.found == Tally::ZERO;
        if begun.pieces.is_empty() {
            if let Some(place) = self.units.place(result.unit) {
                let mut count = begun.found;
                if let Some(bits) = self.work.residues() {
                    count = count.residue(bits);
                    self.found += &count;
                }
                self.counts[place] = Some(count);
                self.done += 1;
            }
        } else if !is_given_up {
            self.begun.insert(result.unit, begun);
        }
    }

    /// The tours that are known from what was found in a part of a unit.
    fn known(&self, found: &Tally) -> Tally {
        if self.work.residues().is_some() { Tally::ZERO } else { found.clone() }
    }

    /// The tasks that remain: pieces of started units, then untouched units. Where the sizes of
    /// atomic units are known, by their places, the longest come first, so that no thread is left
    /// alone with a long one at the end.
    pub fn open(&self, sizes: Option<&[f64]>) -> Vec<Task> {
        let begun = self.begun.iter().flat_map(|(&unit, begun)| {
            begun.pieces.iter().map(move |piece| Task { unit, piece: Some(piece.clone()) })
        });
        let is_untouched = |unit: &usize| !self.begun.contains_key(unit);
        let mut untouched: Vec<usize> = self.unfinished().filter(is_untouched).collect();
        if let Some(sizes) = sizes {
            let size = |unit| self.units.place(unit).map(|place| sizes[place] as u64);
            untouched.sort_by_cached_key(|&unit| Reverse(size(unit)));
        }
        let untouched = untouched.into_iter().map(|unit| Task { unit, piece: None });
        begun.chain(untouched).collect()
    }

    /// By unit of the whole count, true if it is an unfinished one of the shard.
    pub fn is_open(&self) -> Vec<bool> {
        let mut is_open = vec![false; self.work.units()];
        self.unfinished().for_each(|unit| is_open[unit] = true);
        is_open
    }

    /// The unfinished units.
    pub fn unfinished(&self) -> impl Iterator<Item = usize> {
        let places = (0..self.units()).filter(|&place| self.counts[place].is_none());
        places.map(|place| self.units.unit(place))
    }

    /// The number of units.
    pub fn units(&self) -> usize {
        self.counts.len()
    }

    /// The number of units that are started.
    pub fn begun(&self) -> usize {
        self.begun.len()
    }

    /// The counts, for an estimate of the progress.
    pub fn so_far(&self) -> SoFar<'_> {
        let begun: Tally = self.begun.values().map(|begun| self.known(&begun.found)).sum();
        SoFar { counts: &self.counts, found: &self.found, begun: begun.to_f64() }
    }

    /// The units with their counts; `None` unless all are done.
    ///
    /// # Errors
    /// [`TryReserveError`] if there is no memory for them.
    pub fn finished(&self) -> Result<Option<Vec<(String, Tally)>>, TryReserveError> {
        if self.done < self.units() {
            return Ok(None);
        }
        let mut units = Vec::new();
        units.try_reserve_exact(self.units())?;
        let counts = self.counts.iter().zip(self.units.numbers());
        units.extend(
            counts.filter_map(|(count, &unit)| Some((self.work.label(unit), count.clone()?))),
        );
        Ok(Some(units))
    }

    /// The state of a unit, by its place.
    fn state(&self, place: usize) -> UnitState {
        match (&self.counts[place], self.begun.get(&self.units.unit(place))) {
            (Some(count), _) => UnitState::Done(count.clone()),
            (None, Some(begun)) => UnitState::Begun {
                found: begun.found.clone(),
                pieces: begun.pieces.iter().cloned().collect(),
            },
            (None, None) => UnitState::Untouched,
        }
    }
}

/// The units as a checkpoint holds them. They are made one by one, because all together would take
/// much memory beside the ledger.
impl Serialize for Ledger<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((0..self.units()).map(|place| self.state(place)))
    }
}
