//! `merge DIR`: the parts of a count put together.

use crate::cli::answer::Answer;
use crate::cli::args::{Format, MergeArgs, ProgressStyle};
use crate::cli::counting::classes;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::note;
use crate::cli::parts::{check_counts, merged};
use crate::cli::place::OutputPlace;
use crate::cli::retype::quoted_path;
use crate::cli::signals::Listener;
use crate::run::Effort;
use crate::units::{Units, merge::parts_in};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

pub fn run(args: &MergeArgs) -> Result<(), Failure> {
    let began = Instant::now();
    let parts: Vec<PathBuf> =
        args.folders.iter().flat_map(|folder| parts_in(folder)).flatten().collect();
    let inputs = parts.iter().map(PathBuf::as_path);
    let kept = OutputPlace::of_units(&args.whole.keep_units, args.whole.place.overwrite, inputs)?;
    let units = merged(&args.folders)?;
    check_counts(&units, &args.folders)?;
    let classes = || {
        let (question, stopped) = (&units.identity.question, (Exit::Failed, "nothing is merged"));
        let (signals, style) = (Listener::start()?, ProgressStyle::Auto);
        classes(question, units.undirected(), None, style, &signals, &|| false, stopped)
    };
    let classes = args.whole.classes.then(classes).transpose()?;
    let written = kept.map_or(Ok(()), |place| place.keep_units(units.text()));
    // A part may lie in several folders.
    let shards: BTreeMap<_, _> = parts.iter().map(|part| (part.file_name(), part)).collect();
    let histories = shards.values().map(|part| Units::read_kept(part).ok()?.history);
    let effort = Effort::of_reading(&units, began.elapsed()).with_histories(histories.collect());
    Answer { classes, ..Answer::new(&units, effort, args.format.format()) }.print()?;
    written?;
    if args.format.format() != Format::Quiet {
        note(&audit(args));
    }
    Ok(())
}

/// The limit of what a merge proves, and the command that goes beyond it.
fn audit(args: &MergeArgs) -> String {
    let of =
        |run: &PathBuf| format!("`kt-enum audit {} --by work` recounts a sample", quoted_path(run));
    let how = match (&args.whole.keep_units, &args.folders[..]) {
        (Some(run), _) | (None, [run]) => of(run),
        (None, _) => {
            "merge with --keep-units FILE, and kt-enum audit FILE --by work recounts a sample"
                .to_owned()
        }
    };
    format!("checksums prove that no part has changed, not that it is right: {how}")
}
