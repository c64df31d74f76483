//! The file `index` in the folder of the checkpoint: the progress of the sweeps, and the content of
//! the files beside it, of which `S-R` has the states after round R of sweep S. `docs/formats.md`
//! describes it.

use super::stored::{LayersError, Listed, damaged};
use crate::durable;
use crate::run::checkpoint::codec;
use crate::work::Identity;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The head of the file `index`, before the layers.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Index {
    pub identity: Identity,
    /// The only units that the layers serve; `None` if they serve all.
    pub made_for: Option<Vec<usize>>,
    /// The current sweep and round.
    pub at: (usize, usize),
    pub states_processed: u64,
    pub most_states: u64,
    pub met: Vec<(u32, Vec<u8>)>,
}

/// The layers in this order: those of finished sweeps, the input of the round and its output so
/// far, then the inputs of earlier rounds, if they are kept. Each has the name of its file and its
/// pieces.
pub(super) type Layers = Vec<(String, Vec<Listed>)>;

/// Its name.
pub(super) const INDEX: &str = "index";

impl Index {
    /// The finished rounds of a sweep.
    pub fn rounds_before(&self, sweep: usize, rounds: &[usize]) -> usize {
        match sweep.cmp(&self.at.0) {
            std::cmp::Ordering::Less => rounds[sweep],
            std::cmp::Ordering::Equal => self.at.1,
            std::cmp::Ordering::Greater => 0,
        }
    }

    /// True if the inputs of all rounds were kept.
    pub fn has_all(&self, rounds: &[usize], layers: &Layers) -> bool {
        let over = (0..rounds.len()).map(|sweep| self.rounds_before(sweep, rounds));
        layers.len() == self.at.0 + 2 + over.sum::<usize>()
    }

    /// Reads the index of a folder with its layers; `None` if there is none, or if it belongs to
    /// another run or to other units.
    pub fn read(
        folder: &Path,
        identity: &Identity,
        units: Option<&[usize]>,
    ) -> Result<Option<(Self, Layers)>, LayersError> {
        let path = Self::path(folder);
        let Some(bytes) = durable::read(&path)? else {
            return Ok(None);
        };
        let decoded = codec::head::<Self>(&bytes)
            .and_then(|index| Ok((index, codec::body::<Layers>(&bytes)?)));
        let (index, layers) = decoded.map_err(|error| damaged(&path, error))?;
        let has_units = index.made_for.is_none() || index.made_for.as_deref() == units;
        Ok((index.identity == *identity && has_units).then_some((index, layers)))
    }

    /// Replaces the index of a folder.
    pub fn write(&self, folder: &Path, layers: &Layers) -> Result<(), LayersError> {
        let path = Self::path(folder);
        let bytes = codec::encode(self, layers).map_err(|error| damaged(&path, error))?;
        Ok(durable::replace(&path, &bytes, || Ok(()))?)
    }

    pub fn path(folder: &Path) -> PathBuf {
        folder.join(INDEX)
    }
}
