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
use crate::draw::report::{Figure, Page};
use crate::durable::beginning;
use crate::engine::Engine;
use crate::question::Question;
use crate::run::checkpoint::{self, Header, UnitState};
use crate::tally::Tally;
use crate::units::merge::parts_in;
use crate::units::{Units, UnitsFile, looks_like_units};
use crate::work::Work;
use plots::progress;
use std::path::{Path, PathBuf};
use words::command;

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
    let run = Run::read(&args.run)?;
    check_has_places(&run.question().board, "report")?;
    let page = run.page(args)?;
    output::write(place, page.html().as_bytes())
}

fn gone(path: &Path) -> Failure {
    Failure::failed(format!("there is no {}", path.display()))
}

/// A run as far as it is.
struct Run {
    /// Every unit's label and what it has so far, with what a file of units says beside.
    kept: UnitsFile,
    /// True if the labels are prefixes of tours, which tell their start.
    are_prefixes: bool,
    /// The counts of the units that are done.
    done: Vec<Tally>,
    /// Of a checkpoint.
    saved: Option<Saved>,
}

struct Saved {
    header: Header,
    holder: Option<String>,
}

/// True if the units are parts of a search tree.
fn are_prefixes(work: &dyn Work) -> bool {
    work.is_tree() && work.residues().is_none()
}

impl Run {
    fn read(path: &Path) -> Result<Self, Failure> {
        if path.is_dir() {
            let units = merged(&[path.to_owned()])?;
            return Self::of_units(UnitsFile { units, history: None, provenance: None }, path);
        }
        let bytes = beginning(path, 32)?.ok_or_else(|| gone(path))?;
        if looks_like_units(&bytes) {
            return Self::of_units(Units::read_kept(path)?, path);
        }
        if checkpoint::looks_like_checkpoint(&bytes) {
            return Self::of_checkpoint(path);
        }
        let message = format!(
            "{} is neither a checkpoint nor a file of units (count --keep-units FILE, or a part of a shard)",
            path.display()
        );
        Err(Failure::usage(message))
    }

    fn of_units(kept: UnitsFile, path: &Path) -> Result<Self, Failure> {
        let work = Engine::of(&kept.units.identity)?;
        kept.units.check_against(&*work)?;
        check_counts(&kept.units, &*work, &[path.to_owned()])?;
        let done = kept.units.counts.iter().map(|(_, count)| count.clone()).collect();
        Ok(Self { are_prefixes: are_prefixes(&*work), done, kept, saved: None })
    }

    fn of_checkpoint(path: &Path) -> Result<Self, Failure> {
        let holder = checkpoint::holder(path);
        let header = checkpoint::peek(path)?.ok_or_else(|| gone(path))?;
        let work = Engine::of(&header.identity)?;
        let (header, states) = checkpoint::read(path)?.ok_or_else(|| gone(path))?;
        let (mut counts, mut done) = (Vec::new(), Vec::new());
        let units = header.shard.units_of(&*work);
        for (state, &unit) in states.into_iter().zip(units.numbers()) {
            let found = match state {
                UnitState::Untouched => Tally::ZERO,
                UnitState::Begun { found, .. } => found,
                UnitState::Done(count) => {
                    done.push(count.clone());
                    count
                }
            };
            counts.push((work.label(unit), found));
        }
        let units = Units { identity: header.identity.clone(), shard: header.shard, counts };
        let kept = UnitsFile { units, history: Some(header.history.clone()), provenance: None };
        let saved = Some(Saved { header, holder });
        Ok(Self { are_prefixes: are_prefixes(&*work), done, kept, saved })
    }

    fn question(&self) -> &Question {
        &self.kept.units.identity.question
    }

    /// True if nothing is left to count.
    fn is_finished(&self) -> bool {
        let units = self.kept.units.counts.len();
        self.saved.is_none() || (self.done.len() == units && units > 0)
    }

    fn page(&self, args: &ReportArgs) -> Result<Page, Failure> {
        let ([number, counts], notes) = self.words();
        let mut page = Page {
            title: format!("Count of {}", self.question()),
            number,
            counts,
            notes,
            facts: self.facts(&args.run),
            figures: vec![self.map(args)?, self.sizes()],
            table: None,
            command: command(&self.kept.units, self.saved.is_some().then_some(&args.run)),
        };
        let known = page.figures.len();
        let why_no_plot = match &self.kept.history {
            Some(history) if !history.sessions.is_empty() => {
                page.figures.extend(progress(history, self.are_prefixes));
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
