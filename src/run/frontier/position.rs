//! How far a count by the frontier is, in memory and as a checkpoint has it.

use super::layer::{Block, Layer, Place, SavedLayer};
use super::scratch::{RunFile, Scratch, ScratchError};
use crate::frontier::{Budget, Count, Tours};
use num_bigint::BigUint;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How far a count is. Whole at every moment between two rounds of a step.
#[derive(Debug, Default)]
pub(super) struct Position {
    /// Steps that are done.
    pub step: usize,
    /// The states that the step begins with. Those of partitions that are done may be gone.
    pub source: Layer,
    /// Partitions of the source that this step is done with.
    pub partitions_done: usize,
    /// What has become of them, as far as it is not in the step's tables; empty between steps.
    pub target: Layer,
    /// States set aside.
    pub aside: Layer,
    /// Tours met on the way, by their squares.
    pub tours: Tours,
    /// Tours across the cut and, if asked for, their ends by orbit; empty before the halves meet.
    pub across: Vec<BigUint>,
    pub effort: Effort,
}

/// What it took.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Effort {
    /// The states that each step so far has taken on: through a stage, or of both halves.
    pub of_steps: Vec<u64>,
    /// The most bytes in memory.
    pub peak_bytes: u64,
}

impl Effort {
    /// Another step, or more of it.
    pub fn add(&mut self, step: usize, states: usize) {
        self.of_steps.resize((step + 1).max(self.of_steps.len()), 0);
        self.of_steps[step] += states as u64;
    }

    pub fn states(&self) -> u64 {
        self.of_steps.iter().sum()
    }
}

/// A position as a checkpoint has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Saved {
    /// Whether the plan has halves that meet.
    pub has_halves: bool,
    step: u64,
    partitions_done: u64,
    source: SavedLayer,
    target: SavedLayer,
    aside: SavedLayer,
    tours: Vec<(u64, String)>,
    /// In decimal digits, with blanks between.
    across: String,
    effort: Effort,
}

fn words(numbers: &[BigUint]) -> String {
    let words: Vec<String> = numbers.iter().map(BigUint::to_string).collect();
    words.join(" ")
}

fn numbers(words: &str) -> Option<Vec<BigUint>> {
    words
        .split(' ')
        .filter(|word| !word.is_empty())
        .map(|word| word.parse().ok())
        .collect()
}

/// The states of a first square before which nothing is.
const START: u64 = 0;

impl Position {
    /// Nothing done.
    pub fn start<C: Count>(budget: &Arc<Budget>) -> Self {
        Self {
            source: Layer::of_one::<C>(START, budget),
            ..Self::default()
        }
    }

    /// Every block in memory that is still needed.
    pub fn in_memory(&mut self) -> Vec<&mut Block> {
        let source = self.source.in_memory(self.partitions_done);
        let others = self.target.in_memory(0);
        source
            .chain(others)
            .chain(self.aside.in_memory(0))
            .collect()
    }

    /// Every file that is still needed.
    pub fn files(&self) -> BTreeMap<u64, Arc<RunFile>> {
        let layers = [
            &self.source.partitions[self.partitions_done.min(self.source.partitions.len())..],
            &self.target.partitions,
            &self.aside.partitions,
        ];
        let blocks = layers.into_iter().flatten().flatten();
        let files = blocks.filter_map(|block| match &block.place {
            Place::Memory(_) => None,
            Place::Disk(extent) => Some((extent.file.number(), Arc::clone(&extent.file))),
        });
        files.collect()
    }

    /// As a checkpoint has it, once no block is in memory.
    pub fn saved(&self, has_halves: bool) -> Saved {
        let tours = self.tours.0.iter();
        Saved {
            has_halves,
            step: self.step as u64,
            partitions_done: self.partitions_done as u64,
            source: self.source.saved(self.partitions_done),
            target: self.target.saved(0),
            aside: self.aside.saved(0),
            tours: tours
                .map(|(&squares, tours)| (squares as u64, tours.to_string()))
                .collect(),
            across: words(&self.across),
            effort: self.effort.clone(),
        }
    }

    /// From what a checkpoint has; `None` when that is nonsense.
    pub fn restored(saved: &Saved, scratch: &mut Scratch) -> Result<Option<Self>, ScratchError> {
        let mut open = BTreeMap::new();
        let mut file = |number| match open.get(&number) {
            Some(file) => Ok(Arc::clone(file)),
            None => {
                let file = scratch.open(number)?;
                open.insert(number, Arc::clone(&file));
                Ok(file)
            }
        };
        let source = Layer::restored(&saved.source, &mut file)?;
        let target = Layer::restored(&saved.target, &mut file)?;
        let aside = Layer::restored(&saved.aside, &mut file)?;
        scratch.take_over(open.into_keys().collect::<BTreeSet<u64>>());
        let tours = saved.tours.iter();
        let tours: Option<BTreeMap<usize, BigUint>> = tours
            .map(|(squares, tours)| Some((usize::try_from(*squares).ok()?, tours.parse().ok()?)))
            .collect();
        let position = || {
            Some(Self {
                step: usize::try_from(saved.step).ok()?,
                partitions_done: usize::try_from(saved.partitions_done).ok()?,
                source: source?,
                target: target?,
                aside: aside?,
                tours: Tours(tours?),
                across: numbers(&saved.across)?,
                effort: saved.effort.clone(),
            })
        };
        Ok(position().filter(|at| at.partitions_done <= at.source.partitions.len()))
    }
}
