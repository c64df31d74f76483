//! The units of a search tree: the parts of the tree below the prefixes of one depth.

/// The largest number of units of a run. More units take memory and checkpoint space without
/// benefit.
const MOST_UNITS: usize = 1_000_000;

/// A split depth makes more units than a run may have, or than there is memory for, or it takes too
/// long to find them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "split depth {depth} makes more than {MOST_UNITS} units of work, or there is no memory for them, \
     or not the time to list them: {fits} is the deepest here"
)]
pub struct TooManyUnits {
    /// The depth requested.
    pub depth: u32,
    /// The largest depth that fits.
    pub fits: u32,
}

/// The prefixes of all units, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Prefixes {
    /// All paths one after the other.
    steps: Vec<u16>,
    /// The end of each path in `steps`.
    ends: Vec<usize>,
    weights: Vec<u32>,
}

impl Prefixes {
    /// Adds a prefix. Returns false if a run may not have as many, or there is no memory for it.
    pub fn push(&mut self, path: &[u16], weight: u32) -> bool {
        let has_memory = self.steps.try_reserve(path.len()).is_ok()
            && self.ends.try_reserve(1).is_ok()
            && self.weights.try_reserve(1).is_ok();
        if has_memory {
            self.steps.extend_from_slice(path);
            self.ends.push(self.steps.len());
            self.weights.push(weight);
        }
        has_memory && self.len() <= MOST_UNITS
    }

    /// The number of units.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The prefix of a unit.
    pub fn path(&self, unit: usize) -> &[u16] {
        let start = unit.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.steps[start..self.ends[unit]]
    }

    /// The number of prefixes that the prefix of a unit stands for.
    pub fn weight(&self, unit: usize) -> u32 {
        self.weights[unit]
    }
}

/// The prefixes of a depth. `enumerate` returns `None` for a depth with too many.
pub(crate) fn at_depth(
    depth: u32,
    enumerate: impl Fn(u32) -> Option<Prefixes>,
) -> Result<Prefixes, TooManyUnits> {
    enumerate(depth).ok_or_else(|| {
        // Small depths first, because they have few prefixes: from the deep end, 8x8 with 30 moves
        // took nine seconds to refuse.
        let fitting = (0..depth).take_while(|&less| enumerate(less).is_some());
        TooManyUnits { depth, fits: fitting.last().unwrap_or(0) }
    })
}
