//! A count by the frontier: set up, run under signals with its progress shown, and answered.

use super::answer::Answer;
use super::args::{CountArgs, EngineArgument};
use super::config::{CountConfig, RunConfig};
use super::counting;
use super::engine;
use super::exit::{Exit, Failure};
use super::progress::Progress;
use super::signals::Listener;
use kt_enum::classes;
use kt_enum::frontier::pays;
use kt_enum::question::Question;
use kt_enum::run::RunError;
use kt_enum::run::frontier::{self, Counted, FrontierError, Settings};
use kt_enum::run::starts::{self, Starts, StartsError};
use kt_enum::tally::Tally;
use std::sync::Arc;

/// A count that can be told to stop.
pub struct Sweep {
    pub settings: Settings,
    pub progress: Progress,
    signals: Listener,
}

/// Whether a count goes by the frontier: asked for, begun so, or the fastest that fits. Options that are the
/// walk's leave it to the walk.
pub fn is_chosen(args: &CountArgs, config: &CountConfig) -> Result<bool, Failure> {
    let question = &config.question;
    match config.engine {
        EngineArgument::Frontier => Ok(true),
        EngineArgument::Auto if config.starts => Ok(true),
        EngineArgument::Auto if options_of_the_walk(args).next().is_some() => Ok(false),
        EngineArgument::Auto => Ok(match counting::saved(&config.run)? {
            Some(saved) if saved.question == *question => !engine::lists_tours(&saved.engine),
            _ => pays(question) && fits(config),
        }),
        EngineArgument::Walk | EngineArgument::Edges => Ok(false),
    }
}

/// Whether there is room for the states that are to be expected; on disk they take half of what they do in tables.
fn fits(config: &CountConfig) -> bool {
    let run = &config.run;
    let memory = run.memory_of_states().unwrap_or(u64::MAX) as f64;
    let disk = run.disk_of_states().unwrap_or(0) as f64;
    frontier::forecast(&config.question)
        .is_some_and(|forecast| forecast.bytes <= memory + 2.0 * disk)
}

/// Those that were given.
fn options_of_the_walk(args: &CountArgs) -> impl Iterator<Item = &'static str> {
    let options = [
        ("--split-depth", args.search.split_depth.is_some()),
        ("--memo", args.search.memo.is_some()),
        ("--keep-units", args.keep_units.is_some()),
    ];
    let given = options.into_iter().filter(|(_, is_given)| *is_given);
    given.map(|(option, _)| option)
}

/// Counts, and says what came of it.
pub fn count(args: &CountArgs, config: &CountConfig) -> Result<(Answer, Sweep), Failure> {
    if let Some(option) = options_of_the_walk(args).next() {
        let asked = if config.starts {
            "--starts"
        } else {
            "--engine frontier"
        };
        let message = format!("{option} is for the walk: leave it out with {asked}");
        return Err(Failure::saying(Exit::Usage, message));
    }
    let question = &config.question;
    let mut sweep = Sweep::new(question, &config.run)?;
    let (counted, starts) = sweep.count(question, config.starts)?;
    let classes = match config.classes {
        false => None,
        true => {
            let tours = Tally::from(counted.tours.clone());
            let stop = || sweep.settings.control.is_stopped();
            let classes = classes::count(question, tours, &stop)?;
            Some(classes.ok_or_else(|| sweep.stopped_with_classes())?)
        }
    };
    Ok((
        Answer::of_frontier(question, &counted, classes, starts.as_ref()),
        sweep,
    ))
}

impl Sweep {
    pub fn new(question: &Question, config: &RunConfig) -> Result<Self, Failure> {
        let signals = Listener::start()?;
        let settings = Settings {
            threads: Some(config.threads),
            memory: config.memory_of_states(),
            disk: config.disk_of_states(),
            checkpoint: counting::checkpoint(config)?,
            interval: config.interval,
            max_time: config.max_time,
            control: Arc::clone(signals.control()),
            ..Settings::default()
        };
        Ok(Self {
            settings,
            progress: Progress::new(config.progress, question),
            signals,
        })
    }

    fn count(
        &mut self,
        question: &Question,
        by_start: bool,
    ) -> Result<(Counted, Option<Starts>), Failure> {
        if !by_start {
            let counted = frontier::count(question, &self.settings, &mut self.progress);
            return Ok((self.finish(counted)?, None));
        }
        match starts::count(question.board, &self.settings, &mut self.progress) {
            Err(StartsError::Frontier(error)) => self.finish(Err(error)),
            counted => {
                self.progress.end();
                let (counted, starts) = counted?;
                Ok((counted, Some(starts)))
            }
        }
    }

    /// What came of it, or the code to leave with.
    pub fn finish<T>(&self, result: Result<T, FrontierError>) -> Result<T, Failure> {
        self.progress.end();
        result.map_err(|error| match &error {
            FrontierError::Run(RunError::Stopped { at, saved }) => {
                counting::stopped(&self.signals, at, saved.as_deref())
            }
            _ => error.into(),
        })
    }

    /// Removes the checkpoint, once the result is where it belongs.
    pub fn clear_checkpoint(&self) -> Result<(), Failure> {
        match &self.settings.checkpoint {
            Some(store) => Ok(store.clear()?),
            None => Ok(()),
        }
    }

    fn stopped_with_classes(&self) -> Failure {
        Failure::saying(
            self.signals.exit_when_stopped(Exit::Stopped),
            counting::STOPPED_WITH_CLASSES,
        )
    }
}
