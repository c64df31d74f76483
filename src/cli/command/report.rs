//! `report RUN`: a page about a run, finished or not. Reads only, so it can be asked while the run
//! is live.

mod plots;
mod words;

use crate::cli::args::ReportArgs;
use crate::cli::board::check_has_places;
use crate::cli::exit::Failure;
use crate::cli::output;
use crate::cli::parts::{check_counts, merged};
use crate::cli::place::{Place, Wanted};
use crate::cli::retype;
use crate::draw::report::{Figure, Page};
use crate::durable::beginning;
use crate::job::Found;
use crate::question::Question;
use crate::run::checkpoint;
use crate::units::merge::parts_in;
use crate::units::{Units, UnitsFile, looks_like_units};
use plots::progress;
use std::path::{Path, PathBuf};

pub fn run(args: &ReportArgs) -> Result<(), Failure> {
    let parts = parts_in(&args.run).unwrap_or_default();
    let place = Place::of_page(&Wanted {
        path: args.output.as_deref(),
        overwrite: args.overwrite,
        form: "html",
        forms: &["html"],
        is_chosen: false,
        inputs: parts.iter().chain([&args.run]).map(PathBuf::as_path).collect(),
    })?;
    let run = Run::read(args)?;
    check_has_places(&run.question().board, "report")?;
    let page = run.page()?;
    output::write(place, page.html().as_bytes())
}

fn gone(path: &Path) -> Failure {
    Failure::failed(format!("there is no {}", path.display()))
}

/// A run as far as it is, and the file or folder that it is read from.
struct Run<'a> {
    found: Found,
    args: &'a ReportArgs,
}

impl<'a> Run<'a> {
    fn read(args: &'a ReportArgs) -> Result<Self, Failure> {
        let path = &args.run;
        let of_units = |kept: UnitsFile| {
            check_counts(&kept.units, &[path.to_owned()])?;
            Ok(Self { found: Found::of_units(kept)?, args })
        };
        if path.is_dir() {
            let units = merged(&[path.to_owned()])?;
            return of_units(UnitsFile { units, history: None, provenance: None });
        }
        let bytes = beginning(path, 32)?.ok_or_else(|| gone(path))?;
        if looks_like_units(&bytes) {
            return of_units(Units::read_kept(path)?);
        }
        if checkpoint::looks_like_checkpoint(&bytes) {
            let found = Found::of_checkpoint(path)?.ok_or_else(|| gone(path))?;
            return Ok(Self { found, args });
        }
        let message = format!(
            "{} is neither a checkpoint nor a file of units (count --keep-units FILE, or a part of a shard)",
            path.display()
        );
        Err(Failure::usage(message))
    }

    fn question(&self) -> &Question {
        &self.found.kept.units.identity.question
    }

    /// True if nothing is left to count.
    fn is_finished(&self) -> bool {
        let units = self.found.kept.units.counts.len();
        self.found.saved.is_none() || (self.found.done.len() == units && units > 0)
    }

    fn page(&self) -> Result<Page, Failure> {
        let ([number, counts], notes) = self.words();
        let checkpoint = self.found.saved.is_some().then_some(&self.args.run);
        let mut page = Page {
            title: format!("Count of {}", self.question()),
            number,
            counts,
            notes,
            facts: self.facts(&self.args.run),
            figures: vec![self.map()?, self.sizes()],
            table: None,
            command: retype::again(&self.found.kept.units, checkpoint.map(PathBuf::as_path)),
        };
        let known = page.figures.len();
        let why_no_plot = match &self.found.kept.history {
            Some(history) if !history.sessions.is_empty() => {
                page.figures.extend(progress(history, self.found.are_prefixes));
                page.table = Some(self.sessions(history));
                "The run was too short for a plot of its rate."
            }
            _ => {
                "The file does not say: parts of shards, what is merged from them, and checkpoints of older \
                 versions have no history."
            }
        };
        if page.figures.len() == known {
            page.figures.push(Figure::new("Rate", None, why_no_plot));
        }
        Ok(page)
    }
}
