//! The file of `--keep-units`: checked before a count, written after it.

use super::exit::Failure;
use super::place::{Place, Target, cannot_write};
use kt_enum::durable::DurableError;
use std::path::Path;

/// The file that was named for the units, if one was.
pub struct KeptUnits(Option<Place>);

impl KeptUnits {
    /// Finds out, before anything is counted, whether the units can be kept there.
    pub fn checked(path: Option<&Path>, overwrite: bool) -> Result<Self, Failure> {
        let place = path.map(|path| Place::of_units(path, overwrite));
        Ok(Self(place.transpose()?))
    }

    /// Refuses a file that the run itself uses.
    pub fn check_is_not(&self, checkpoint: &Path) -> Result<(), Failure> {
        let is_same = self.0.as_ref().is_some_and(|place| place.is(checkpoint));
        Failure::usage_if(is_same, || "--keep-units and --checkpoint name the same file: name two")
    }

    /// Writes the units, where they are to be kept.
    pub fn write(
        &self,
        write: impl FnOnce(&Path) -> Result<(), DurableError>,
    ) -> Result<(), Failure> {
        let Some(place @ Place { target: Target::File(path), .. }) = &self.0 else {
            return Ok(());
        };
        place
            .check("it was written during the run")
            .and_then(|()| write(path).map_err(|error| cannot_write(&place.name, &error.source)))
            .map_err(|failure| {
                Failure::failed(format!("the units are not kept: {}", failure.message))
            })
    }
}
