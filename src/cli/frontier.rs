//! A count by the frontier, which has neither units nor checkpoint.

use super::answer::Answer;
use super::args::CountArgs;
use super::config::{CountConfig, threads};
use super::exit::{Exit, Failure};
use super::signals::Listener;
use kt_enum::classes;
use kt_enum::run::frontier::{self, FrontierError, Settings};
use kt_enum::tally::{Overflow, Tally};
use std::sync::Arc;
use std::time::Duration;

/// Counts, and says what came of it.
pub fn count(args: &CountArgs, config: &CountConfig) -> Result<Answer, Failure> {
    let refused = [
        ("--split-depth", args.search.split_depth.is_some()),
        ("--memo", args.search.memo.is_some()),
        ("--checkpoint", args.checkpoint.is_some()),
        ("--keep-units", args.keep_units.is_some()),
    ];
    if let Some((option, _)) = refused.iter().find(|(_, is_given)| *is_given) {
        let message = format!("{option} is for the walk: leave it out with --engine frontier");
        return Err(Failure::saying(Exit::Usage, message));
    }
    let sweep = Sweep::new(args.search.threads, args.search.memory, config.max_time)?;
    let question = &config.question;
    let counted = sweep.finish(frontier::count(question, &sweep.settings))?;
    let classes = match config.classes {
        false => None,
        true => {
            let tours = Tally(u128::try_from(&counted.tours).map_err(|_| Overflow)?);
            let stop = || sweep.settings.control.is_stopped();
            let classes = classes::count(question, tours, &stop)?;
            Some(sweep.finish(classes.ok_or(FrontierError::Stopped))?)
        }
    };
    Ok(Answer::of_frontier(question, &counted, classes))
}

/// A sweep that can be told to stop.
pub struct Sweep {
    pub settings: Settings,
    signals: Listener,
}

impl Sweep {
    pub fn new(
        asked_threads: Option<u32>,
        memory: Option<u64>,
        max_time: Option<Duration>,
    ) -> Result<Self, Failure> {
        let signals = Listener::start()?;
        let settings = Settings {
            threads: Some(threads(asked_threads)),
            memory,
            max_time,
            control: Arc::clone(signals.control()),
            ..Settings::default()
        };
        Ok(Self { settings, signals })
    }

    /// What came of it, or the code to leave with.
    pub fn finish<T>(&self, result: Result<T, FrontierError>) -> Result<T, Failure> {
        result.map_err(|error| match error {
            FrontierError::Stopped => {
                Failure::new(self.signals.exit_when_stopped(Exit::Failed), error)
            }
            other => other.into(),
        })
    }
}
