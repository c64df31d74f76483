//! The page about a run, finished or not: its number, its facts and its plots.

mod plots;
mod words;

use crate::draw::report::{Figure, Page};
use crate::job::{Found, JobError};
use crate::question::Question;
use crate::run::{Control, Limits};
use crate::starts::StartsError;
use crate::tally::Tally;
use crate::units::Units;
use crate::work::{Name, Split};
use plots::progress;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A run that a page is made of.
pub struct Report<'a> {
    /// The run as far as it is.
    pub found: &'a Found,
    /// The file or folder that it was read from.
    pub path: &'a Path,
    /// True if its tours are counted by start square, whatever time that takes.
    pub counts_starts: bool,
    /// The command that makes a page with counts by start square.
    pub by_start: &'a str,
    /// The limits of that count.
    pub limits: Limits,
    /// What can stop that count.
    pub control: Arc<Control>,
}

/// The reason why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The tours of this run cannot be counted by start square, for this reason.
    #[error("{0}")]
    NoStarts(&'static str),
    /// The run has another number than its tours counted by start square.
    #[error("the counts by start add up to {sum}, not to the {directed} of {path}")]
    Sum {
        /// The number of tours counted by start square.
        sum: Tally,
        /// The number of directed tours of the run.
        directed: Tally,
        /// The file of the run.
        path: PathBuf,
    },
    /// The count by start square failed.
    #[error(transparent)]
    Job(#[from] JobError),
    /// The units of the run do not tell where its tours start.
    #[error(transparent)]
    Starts(#[from] StartsError),
}

impl Report<'_> {
    fn units(&self) -> &Units {
        &self.found.kept.units
    }

    fn question(&self) -> &Question {
        &self.units().identity.question
    }

    fn is_table(&self) -> bool {
        matches!(self.units().identity.split, Split::Lengths { .. })
    }

    /// True if nothing is left to count.
    fn is_finished(&self) -> bool {
        let units = self.units().counts.len();
        self.found.saved.is_none() || (self.found.done.len() == units && units > 0)
    }

    /// The page, with the command that repeats the count or resumes it.
    ///
    /// # Errors
    /// [`ReportError`] if the counts by start square cannot be made, or are wrong.
    pub fn page(&self, command: String) -> Result<Page, ReportError> {
        let ([number, counts], notes) = self.words();
        let mut page = Page {
            title: format!("Count of {}", self.question()),
            number,
            counts,
            notes,
            facts: self.facts(),
            figures: vec![self.map()?, self.sizes()],
            table: None,
            command,
        };
        let known = page.figures.len();
        let why_no_plot = match &self.found.kept.history {
            Some(history) if !history.sessions.is_empty() => {
                let is_walk = self.units().identity.engine == Name::Walk;
                page.figures.extend(progress(history, is_walk));
                page.table = Some(self.sessions(history));
                "The run was too short for a plot of its rate."
            }
            _ => {
                "The run has no history of its own: several parts have one each, and what is merged from them \
                 and checkpoints of older versions have none."
            }
        };
        if page.figures.len() == known {
            page.figures.push(Figure::new("Rate", None, why_no_plot));
        }
        Ok(page)
    }
}
