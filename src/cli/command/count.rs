//! `count`: how many tours.

use crate::cli::args::CountArgs;
use crate::cli::config::{CheckpointPlace, CountConfig, Format};
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{self, note};
use crate::cli::progress::Progress;
use crate::cli::quantity::duration;
use crate::cli::signals::Listener;
use kt_enum::board::Square;
use kt_enum::classes;
use kt_enum::question::Question;
use kt_enum::run::checkpoint::{CheckpointError, Store, StoreError, peek};
use kt_enum::run::{self, Control, Outcome, RunError, Settings};
use kt_enum::tally::Tally;
use kt_enum::walk::{self, Walk};
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;

pub fn run(args: &CountArgs) -> Result<(), Failure> {
    let config = CountConfig::new(args)?;
    let options = walk::Options {
        split_depth: split_depth(&config)?,
        memo: config.memo,
    };
    let work = Walk::new(config.question, &options)?;
    let control = Arc::new(Control::default());
    let signals =
        Listener::start(Arc::clone(&control)).map_err(|error| Failure::new(Exit::Failed, error))?;
    let settings = Settings {
        threads: Some(config.threads),
        checkpoint: checkpoint(&config)?,
        interval: config.interval,
        max_time: config.max_time,
        control: Arc::clone(&control),
    };
    let mut progress = Progress::new(config.progress, &config.question);
    let counted = run::count(&work, settings, &mut progress);
    progress.end();
    let outcome = counted.map_err(|error| unfinished(error, signals.was_interrupted()))?;
    let classes = match config.classes {
        true => Some(count_classes(
            &outcome,
            &control,
            signals.was_interrupted(),
        )?),
        false => None,
    };
    let answer = Answer::new(&outcome, classes);
    output::print(answer.print(config.format).as_bytes())?;
    Ok(outcome.clear_checkpoint()?)
}

/// The split depth that was asked for, or else that of the run to go on with.
fn split_depth(config: &CountConfig) -> Result<Option<u32>, Failure> {
    let Some(place) = config.checkpoint.as_ref().filter(|_| !config.fresh) else {
        return Ok(config.split_depth);
    };
    if config.split_depth.is_some() {
        return Ok(config.split_depth);
    }
    let header = peek(&place.path)?.map(|header| header.identity);
    let same = header.filter(|identity| identity.question == config.question);
    Ok(same.map(|identity| identity.split_depth))
}

fn checkpoint(config: &CountConfig) -> Result<Option<Store>, Failure> {
    let Some(CheckpointPlace { path, is_named }) = &config.checkpoint else {
        return Ok(None);
    };
    let held = Store::hold(path).and_then(|store| {
        if config.fresh {
            store.clear()?;
        }
        Ok(store)
    });
    match held {
        Ok(store) => Ok(Some(store)),
        Err(error @ StoreError::Io { .. }) if !is_named => {
            note(&format!(
                "no checkpoint is kept, the run cannot be resumed: {error}"
            ));
            Ok(None)
        }
        Err(error) => Err(CheckpointError::from(error).into()),
    }
}

/// What to say of a run without a result, and the code to leave with.
fn unfinished(error: RunError, interrupted: bool) -> Failure {
    let RunError::Stopped { at, saved } = &error else {
        return error.into();
    };
    let how_far = format!(
        "stopped after {} with {} of {} units done",
        duration(at.elapsed),
        at.done,
        at.units
    );
    let exit = match saved {
        _ if interrupted => Exit::Interrupted,
        Some(_) => Exit::Stopped,
        None => Exit::Failed,
    };
    match saved.as_deref().map(Path::display) {
        Some(path) => Failure::saying(
            exit,
            format!("{how_far}; the state is saved in {path}: type the same command to go on"),
        ),
        None => Failure::saying(
            exit,
            format!("{how_far}; nothing is saved, as --no-checkpoint asks"),
        ),
    }
}

fn count_classes(
    outcome: &Outcome,
    control: &Control,
    interrupted: bool,
) -> Result<Tally, Failure> {
    let question = &outcome.identity.question;
    let counted = classes::count(question, outcome.undirected(), &|| control.is_stopped())?;
    counted.ok_or_else(|| {
        let exit = if interrupted {
            Exit::Interrupted
        } else {
            Exit::Stopped
        };
        Failure::saying(
            exit,
            "stopped while counting classes: type the same command to go on",
        )
    })
}

/// What is printed, in the order of the JSON object.
#[derive(Debug, Serialize)]
struct Answer {
    schema: u32,
    rows: u32,
    cols: u32,
    tours: &'static str,
    from: String,
    to: String,
    directed: String,
    undirected: String,
    classes: Option<String>,
    engine: String,
    split_depth: u32,
    units: u64,
    units_resumed: usize,
    nodes: String,
    threads: usize,
    elapsed_s: f64,
    fingerprint: String,
    #[serde(skip)]
    text: String,
}

impl Answer {
    fn new(outcome: &Outcome, classes: Option<Tally>) -> Self {
        let identity = &outcome.identity;
        let question = &identity.question;
        let board = question.board;
        let end = |end: Option<Square>| end.map_or("all".to_owned(), |square| board.name(square));
        Self {
            schema: 1,
            rows: board.rows(),
            cols: board.cols(),
            tours: if question.is_closed() {
                "closed"
            } else {
                "open"
            },
            from: end(question.from()),
            to: end(question.to()),
            directed: outcome.directed().to_string(),
            undirected: outcome.undirected().to_string(),
            classes: classes.map(|classes| classes.to_string()),
            engine: identity.engine.clone(),
            split_depth: identity.split_depth,
            units: identity.units,
            units_resumed: outcome.units_resumed,
            nodes: outcome.nodes.to_string(),
            threads: outcome.threads,
            elapsed_s: outcome.elapsed.as_secs_f64(),
            fingerprint: outcome.fingerprint.clone(),
            text: sentences(outcome, classes),
        }
    }

    fn print(&self, format: Format) -> String {
        match format {
            Format::Text => self.text.clone(),
            Format::Json => serde_json::to_string(self).unwrap_or_default() + "\n",
            Format::Quiet if self.tours == "closed" => format!("{}\n", self.undirected),
            Format::Quiet => format!("{}\n", self.directed),
        }
    }
}

fn sentences(outcome: &Outcome, classes: Option<Tally>) -> String {
    let question = &outcome.identity.question;
    let mut lines = counts(question, outcome.directed(), outcome.undirected());
    if let Some(classes) = classes {
        lines.push(format!(
            "{} classes up to the symmetries of the board",
            classes.grouped()
        ));
    }
    lines.push(format!(
        "{} units of {} moves, {} nodes, {} on {} {}, fingerprint {}",
        Tally(outcome.identity.units.into()).grouped(),
        outcome.identity.split_depth,
        Tally(outcome.nodes.into()).grouped(),
        format_args!("{:.3} s", outcome.elapsed.as_secs_f64()),
        outcome.threads,
        if outcome.threads == 1 {
            "thread"
        } else {
            "threads"
        },
        outcome.fingerprint,
    ));
    lines.join("\n") + "\n"
}

fn counts(question: &Question, directed: Tally, undirected: Tally) -> Vec<String> {
    let (directed, undirected) = (directed.grouped(), undirected.grouped());
    match (question.is_closed(), question.is_whole()) {
        (true, _) => vec![
            format!("{undirected} {question} (cycles, without start or direction)"),
            format!("{directed} directed (each cycle in both directions)"),
        ],
        (false, true) => vec![
            format!("{directed} directed {question} (sequences of squares)"),
            format!("{undirected} undirected (a tour and its reverse are one)"),
        ],
        (false, false) => vec![format!("{directed} {question}")],
    }
}
