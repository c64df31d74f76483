//! The file `index` in the folder of the checkpoint: the progress of the sweeps, and the content of
//! the files beside it, of which `S-R` has the states after round R of sweep S. `docs/formats.md`
//! describes it.

use super::planner::Division;
use super::stored::{LayersError, ListedPiece, damaged};
use crate::durable::{self, trying};
use crate::run::checkpoint::codec::{self, CodecError, Encoded};
use crate::run::checkpoint::folder;
use crate::work::{Identity, Work};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The run that layers are made for.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct MadeFor {
    pub identity: Identity,
    /// The only units that the layers serve; `None` if they serve all.
    pub units: Option<Vec<usize>>,
}

impl MadeFor {
    /// All units of a work.
    pub fn all(work: &dyn Work) -> Self {
        Self { identity: work.identity(), units: None }
    }

    /// True if these layers serve the units of another run too.
    fn serves(&self, other: &Self) -> bool {
        self.identity == other.identity && (self.units.is_none() || self.units == other.units)
    }
}

/// The head of the file `index`, before the layers.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Index {
    pub made_for: MadeFor,
    /// The current sweep and round; [`Index::DIVIDED`] if the count is divided into groups.
    pub at: (usize, usize),
    pub states_processed: u64,
    pub most_states: u64,
    pub met: Vec<(u32, Vec<u8>)>,
    /// True if the round frees what it has read.
    pub frees: bool,
}

/// The layers in this order: those of finished sweeps, the input of the round and its output so
/// far, then the inputs of earlier rounds, if they are kept. In a divided count: the own layers of
/// the groups of the path, then the output of the round. Each has the name of its file and its
/// pieces.
pub(super) type Layers = Vec<(String, Vec<ListedPiece>)>;

/// The content of an index: its head, the division if there is one, and the layers.
pub(super) type Content = (Index, Option<Division>, Layers);

impl Index {
    /// The sweep and round that mark the index of a divided count.
    pub const DIVIDED: (usize, usize) = (usize::MAX, 0);

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
    pub fn read(folder: &Path, made_for: &MadeFor) -> Result<Option<Content>, LayersError> {
        let file = Self::file(folder);
        let encoded = Encoded::read(&file).map_err(|error| match error {
            CodecError::Io(error) => error.into(),
            error => damaged(&file, error),
        })?;
        let Some(encoded) = encoded else { return Ok(None) };
        let decoded: Result<Content, _> = encoded.head::<Self>().and_then(|index| match index.at {
            Self::DIVIDED => {
                let (division, layers) = encoded.body()?;
                Ok((index, Some(division), layers))
            }
            _ => Ok((index, None, encoded.body()?)),
        });
        let content = decoded.map_err(|error| damaged(&file, error))?;
        let (index, _, layers) = &content;
        // A layer without pieces, as after all sweeps, may have no name.
        let is_sound = |(name, pieces): &(String, Vec<ListedPiece>)| {
            folder::is_layer(name) || name.is_empty() && pieces.is_empty()
        };
        if let Some((name, _)) = layers.iter().find(|layer| !is_sound(layer)) {
            return Err(damaged(&file, format!("it names a layer {name:.40?}")));
        }
        Ok(index.made_for.serves(made_for).then_some(content))
    }

    /// Replaces the index of a folder.
    pub fn write(
        &self,
        folder: &Path,
        division: Option<&Division>,
        layers: &Layers,
    ) -> Result<(), LayersError> {
        let file = Self::file(folder);
        let bytes = match division {
            Some(division) => codec::encode(self, &(division, layers)),
            None => codec::encode(self, layers),
        };
        let bytes = bytes.map_err(|error| match error {
            CodecError::Memory(error) => trying("write", &file)(error.into()).into(),
            error => damaged(&file, error),
        })?;
        folder::claim(folder)?;
        Ok(durable::replace(&file, &bytes, || folder::check(folder))?)
    }

    pub fn file(folder: &Path) -> PathBuf {
        folder.join(folder::INDEX)
    }
}
