//! `estimate`: how big a search is and how long it will take.

use crate::cli::args::EstimateArgs;
use crate::cli::config;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{self, fields};
use crate::cli::quantity::{counted, duration, rate};
use crate::cli::signals::Listener;
use kt_enum::draw::number::{bytes, short};
use kt_enum::engine::{self, Engine, Name, Wishes};
use kt_enum::frontier::{Frontier, FrontierError};
use kt_enum::question::Question;
use kt_enum::run::estimate::{self, Estimate, Expected};
use kt_enum::walk::MemoSize;
use kt_enum::work::{Split, Work};
use serde_json::json;
use std::time::Duration;

/// How long the rate is measured.
const MEASURE: Duration = Duration::from_millis(500);

pub fn run(args: &EstimateArgs) -> Result<(), Failure> {
    let question = config::required_question(&args.question)?;
    let threads = args.search.threads.number();
    let signals = Listener::start()?;
    let wishes = config::wishes(&args.search);
    let states = States::new(&question, wishes, threads, args)?;
    if wishes.engine == Some(Name::Frontier) {
        let printed = match (args.json, &states) {
            (true, Ok(states)) => {
                fields!("question": question.to_string(), "frontier": states.as_json()) + "}\n"
            }
            (false, Ok(states)) => format!("{question}, {}\n", states.as_text()),
            (_, Err(why)) => return Err(Failure::usage(why.clone())),
        };
        return output::print(printed.as_bytes());
    }
    let memo = config::memo(&args.search, threads)?;
    let wishes = Wishes {
        engine: wishes.engine.or(Some(engine::lister(&question))),
        ..wishes
    };
    let choice = engine::choose(&question, wishes, None);
    let work = Engine::new(&choice.engine, question, choice.split, memo)?;
    let untabled = Engine::new(&choice.engine, question, choice.split, MemoSize::Off)?;
    let size = estimate::estimate(&untabled, args.probes, args.seed, signals.control());
    let stopped = || signals.stopped(Exit::Failed, "stopped before the end of the estimate");
    let size = size.ok_or_else(stopped)?;
    let nodes_per_s = estimate::rate(&work, &untabled, args.seed, MEASURE);
    let time = Time {
        size,
        nodes_per_s,
        threads,
    };
    let printed = match args.json {
        true => as_json(args, &question, &work, &time, states.as_ref().ok()),
        false => as_text(&question, &work, &time, &states),
    };
    output::print(printed.as_bytes())
}

/// Nodes at a rate.
struct Time {
    size: Estimate,
    /// Of one thread; unknown where there is nothing to search.
    nodes_per_s: Option<f64>,
    threads: usize,
}

impl Time {
    fn seconds(&self, nodes: f64) -> f64 {
        self.nodes_per_s
            .map_or(0.0, |rate| nodes / rate / self.threads as f64)
    }
}

/// What counting without listing will take.
struct States {
    expected: Expected,
    threads: usize,
}

impl States {
    /// What the frontier takes, or why there is no saying.
    fn new(
        question: &Question,
        wishes: Wishes,
        threads: usize,
        args: &EstimateArgs,
    ) -> Result<Result<Self, String>, Failure> {
        if let Some(Split::Depth(_)) = wishes.split {
            return Ok(Err(
                "--split-depth is for engines that visit tours".to_owned()
            ));
        }
        match Frontier::new(*question, wishes.split) {
            Ok(frontier) => Ok(Ok(Self {
                expected: estimate::of_frontier(&frontier, args.within, args.seed),
                threads,
            })),
            Err(error @ FrontierError::TooWide(_)) => Ok(Err(error.to_string())),
            Err(error) => Err(error.into()),
        }
    }

    fn as_text(&self) -> String {
        let Expected {
            forecast,
            before,
            within,
        } = self.expected;
        let [least, most] = forecast.bars();
        let time = |seconds: f64| in_words(seconds / self.threads as f64);
        let seconds = self.expected.seconds();
        format!(
            "without listing (--engine frontier): about {} states ({} to {}), {} of memory or disk ({} to {}),\n\
             {} ({} to {}) on {}: {} before the units, {} within them, the largest of {}",
            short(forecast.states()),
            short(forecast.states() * least),
            short(forecast.states() * most),
            bytes(forecast.bytes),
            bytes(forecast.bytes * least),
            bytes(forecast.bytes * most),
            time(seconds),
            time(seconds * least),
            time(seconds * most),
            counted(self.threads, "thread"),
            time(before),
            time(within),
            bytes(forecast.unit_bytes),
        )
    }

    fn as_json(&self) -> serde_json::Value {
        let Expected {
            forecast,
            before,
            within,
        } = self.expected;
        let [least, most] = forecast.bars();
        let (states, seconds) = (forecast.states(), self.expected.seconds());
        let time = |seconds: f64| seconds / self.threads as f64;
        json!({
            "states": states, "states_low": states * least, "states_high": states * most,
            "bytes": forecast.bytes, "bytes_low": forecast.bytes * least, "bytes_high": forecast.bytes * most,
            "unit_bytes": forecast.unit_bytes,
            "states_per_s": states / time(seconds), "cpu_before_units_s": before, "cpu_units_s": within,
            "time_s": time(seconds), "time_low_s": time(seconds * least), "time_high_s": time(seconds * most),
        })
    }
}

fn in_words(seconds: f64) -> String {
    let known = Duration::try_from_secs_f64(seconds).ok();
    known.map_or("more than the age of the universe".to_owned(), duration)
}

fn as_text(
    question: &Question,
    work: &Engine,
    time: &Time,
    states: &Result<States, String>,
) -> String {
    let Estimate {
        nodes,
        tours,
        probes,
    } = time.size;
    let other = match states {
        Ok(states) => states.as_text() + "\n",
        Err(why) => format!("not without listing: {why}\n"),
    };
    format!(
        "{question} with split depth {}, by {probes} random probes, with error bars:\n\
         about {} nodes ({} to {})\n\
         about {} directed tours ({} to {})\n\
         about {} ({} to {}) on {} of {} nodes each\n{other}",
        work.identity().split.depth(),
        short(nodes.mean),
        short(nodes.low()),
        short(nodes.high()),
        short(tours.mean),
        short(tours.low()),
        short(tours.high()),
        in_words(time.seconds(nodes.mean)),
        in_words(time.seconds(nodes.low())),
        in_words(time.seconds(nodes.high())),
        counted(time.threads, "thread"),
        rate(time.nodes_per_s.unwrap_or(0.0)),
    )
}

fn as_json(
    args: &EstimateArgs,
    question: &Question,
    work: &Engine,
    time: &Time,
    states: Option<&States>,
) -> String {
    let Estimate {
        nodes,
        tours,
        probes,
    } = time.size;
    fields!(
        "question": question.to_string(), "split_depth": work.identity().split.depth(),
        "probes": probes, "seed": args.seed,
        "nodes": nodes.mean, "nodes_low": nodes.low(), "nodes_high": nodes.high(),
        "directed": tours.mean, "directed_low": tours.low(), "directed_high": tours.high(),
        "threads": time.threads, "nodes_per_s": time.nodes_per_s,
        "time_s": time.seconds(nodes.mean), "time_low_s": time.seconds(nodes.low()),
        "time_high_s": time.seconds(nodes.high()),
        "frontier": states.map(States::as_json),
    ) + "}\n"
}
