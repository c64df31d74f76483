//! The file `index` in the folder of the checkpoint: how far the sweeps are, and what is in the files beside it, `S-R` with the bytes after
//! round R of sweep S. See `docs/formats.md`.

use super::stored::{LayersError, Listed, damaged};
use crate::durable;
use crate::run::checkpoint::codec;
use crate::work::Identity;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// What is in the file `index`, before the layers.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Index {
    pub identity: Identity,
    /// The units that it is made for alone; `None` where for all.
    pub made_for: Option<Vec<usize>>,
    /// The sweep and the round that is going on.
    pub at: (usize, usize),
    pub states_processed: u64,
    pub most_states: u64,
    pub met: Vec<(u32, Vec<u8>)>,
}

/// What sweeps have come to, then what the round takes and what it has made so far, then what earlier rounds took, if
/// that is kept: the name of each file, and its pieces.
pub(super) type Layers = Vec<(String, Vec<Listed>)>;

/// Its name.
pub(super) const INDEX: &str = "index";

impl Index {
    /// The rounds of a sweep that are over.
    pub fn rounds_before(&self, sweep: usize, rounds: &[usize]) -> usize {
        match sweep.cmp(&self.at.0) {
            std::cmp::Ordering::Less => rounds[sweep],
            std::cmp::Ordering::Equal => self.at.1,
            std::cmp::Ordering::Greater => 0,
        }
    }

    /// Whether what all rounds took was kept.
    pub fn has_all(&self, rounds: &[usize], layers: &Layers) -> bool {
        let over = (0..rounds.len()).map(|sweep| self.rounds_before(sweep, rounds));
        layers.len() == self.at.0 + 2 + over.sum::<usize>()
    }

    /// That of a folder, with its layers, if there is one; one of another run, or for other units, is as good as none.
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

    /// Takes the place of that of a folder.
    pub fn write(&self, folder: &Path, layers: &Layers) -> Result<(), LayersError> {
        let path = Self::path(folder);
        let bytes = codec::encode(self, layers).map_err(|error| damaged(&path, error))?;
        Ok(durable::replace(&path, &bytes, || Ok(()))?)
    }

    pub fn path(folder: &Path) -> PathBuf {
        folder.join(INDEX)
    }
}
