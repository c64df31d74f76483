//! `merge DIR`: the parts of a count put together.

use crate::cli::answer::{Answer, Effort};
use crate::cli::args::MergeArgs;
use crate::cli::exit::Failure;
use crate::cli::parts::merged;
use crate::cli::place::Place;
use kt_enum::classes;
use kt_enum::engine::Engine;
use kt_enum::units::merge::parts_in;
use std::path::PathBuf;
use std::time::Instant;

pub fn run(args: &MergeArgs) -> Result<(), Failure> {
    let began = Instant::now();
    let parts: Vec<PathBuf> =
        args.folders.iter().flat_map(|folder| parts_in(folder)).flatten().collect();
    let inputs = parts.iter().map(PathBuf::as_path).collect();
    let kept = Place::of_units(args.keep_units.as_deref(), args.overwrite, inputs)?;
    let units = merged(&args.folders)?;
    units.check_against(&*Engine::of(&units.identity)?)?;
    let classes = match args.classes {
        true => classes::count(&units.identity.question, units.undirected(), &|| false)?,
        false => None,
    };
    let written = kept.map_or(Ok(()), |place| place.keep_units(units.text(None, None)));
    let effort = Effort::of_reading(&units, began.elapsed());
    Answer::whole(&units, classes, effort, args.format.format()).print()?;
    written
}
