//! `estimate`: how big a search is and how long it will take.

use crate::cli::args::EstimateArgs;
use crate::cli::config;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{self, fields};
use crate::cli::quantity::{counted, duration, rate};
use crate::cli::signals::Listener;
use kt_enum::draw::number::{bytes, short};
use kt_enum::engine::{self, Engine, Name, Wishes};
use kt_enum::estimate::{self, Estimate, Expected};
use kt_enum::frontier::{Frontier, FrontierError};
use kt_enum::question::Question;
use kt_enum::walk::MemoSize;
use kt_enum::work::Split;
use serde_json::json;
use std::time::Duration;

/// How long the rate is measured.
const MEASURE: Duration = Duration::from_millis(500);

pub fn run(args: &EstimateArgs) -> Result<(), Failure> {
    let question = config::required_question(&args.question)?;
    let threads = args.search.threads.number();
    let signals = Listener::start()?;
    let wishes = config::wishes(&args.search);
    let stopped = || signals.stopped(Exit::Failed, "stopped before the end of the estimate");
    let expected = expected(&question, &wishes, args, &signals)?;
    if signals.control().is_stopped() {
        return Err(stopped());
    }
    if wishes.engine == Some(Name::Frontier) {
        let expected = expected.map_err(Failure::usage)?;
        let printed = match args.json {
            true => {
                let states = states_as_json(&expected, threads);
                fields!("question": question.to_string(), "frontier": states) + "}\n"
            }
            false => format!("{question}, {}\n", states_as_text(&expected, threads)),
        };
        return output::print(printed.as_bytes());
    }
    let memo = config::memo(&args.search, threads)?;
    let wishes = Wishes { engine: wishes.engine.or(Some(engine::lister(&question))), ..wishes };
    let choice = engine::choose(&question, &wishes, None);
    let work = Engine::new(&choice.engine, question, choice.split, memo)?;
    let untabled = Engine::new(&choice.engine, question, choice.split, MemoSize::Off)?;
    let stop = || signals.control().is_stopped();
    let size = estimate::estimate(&*untabled, args.probes, args.seed, &stop);
    let size = size.ok_or_else(stopped)?;
    let rate = || estimate::rate(&*work, &*untabled, args.seed, MEASURE, &stop);
    // Where there are no nodes it would be waited for in vain, three seconds.
    let nodes_per_s = (size.nodes.mean > 0.0).then(rate).flatten();
    if signals.control().is_stopped() {
        return Err(stopped());
    }
    let time = Time { size, nodes_per_s, threads };
    let printed = match args.json {
        true => as_json(args, &question, &work, &time, expected.ok()),
        false => as_text(&question, &work, &time, &expected),
    };
    output::print(printed.as_bytes())
}

/// Nodes at a rate.
struct Time {
    size: Estimate,
    /// Of one thread; unknown where there is nothing to search, or nothing that is searched soon.
    nodes_per_s: Option<f64>,
    threads: usize,
}

impl Time {
    /// Unknown without a rate, unless there is nothing to do.
    fn seconds(&self, nodes: f64) -> Option<f64> {
        match self.nodes_per_s {
            Some(rate) => Some(nodes / rate / self.threads as f64),
            None => (nodes == 0.0).then_some(0.0),
        }
    }
}

/// What counting without listing will take, or why there is no saying.
fn expected(
    question: &Question,
    wishes: &Wishes,
    args: &EstimateArgs,
    signals: &Listener,
) -> Result<Result<Expected, String>, Failure> {
    if let Some(Split::Depth(_)) = wishes.split {
        return Ok(Err("--split-depth is for engines that visit tours".to_owned()));
    }
    match Frontier::new(*question, wishes.split) {
        Ok(frontier) => {
            let control = signals.control();
            let expected =
                estimate::of_frontier(&frontier, args.within, args.seed, &|| control.is_stopped());
            Ok(expected.ok_or_else(|| "it was stopped".to_owned()))
        }
        Err(error @ FrontierError::TooWide(_)) => Ok(Err(error.to_string())),
        Err(error) => Err(error.into()),
    }
}

fn states_as_text(expected: &Expected, threads: usize) -> String {
    let forecast = &expected.forecast;
    let [least, most] = forecast.bars();
    let span = |guess: f64| [guess, guess * least, guess * most];
    let time = |seconds: f64| in_words(Some(seconds / threads as f64));
    let by = match forecast.continued {
        Some(_) => "\nby those of two and four columns less",
        None => "",
    };
    format!(
        "without listing (--engine frontier): about {}, {},\n\
         {} on {}: {} before the units, {} within them, the largest of {}{by}",
        with_bars(span(forecast.states()), short, " states"),
        with_bars(span(forecast.bytes), bytes, " of memory or disk"),
        with_bars(span(expected.seconds()), time, ""),
        counted(threads, "thread"),
        time(expected.before),
        time(expected.within),
        bytes(forecast.unit_bytes),
    )
}

fn states_as_json(expected: &Expected, threads: usize) -> serde_json::Value {
    let forecast = &expected.forecast;
    let [least, most] = forecast.bars();
    let (states, seconds) = (forecast.states(), expected.seconds());
    let time = |seconds: f64| seconds / threads as f64;
    json!({
        "states": states, "states_low": states * least, "states_high": states * most,
        "bytes": forecast.bytes, "bytes_low": forecast.bytes * least, "bytes_high": forecast.bytes * most,
        "unit_bytes": forecast.unit_bytes,
        "states_per_s": states / time(seconds), "cpu_before_units_s": expected.before, "cpu_units_s": expected.within,
        "time_s": time(seconds), "time_low_s": time(seconds * least), "time_high_s": time(seconds * most),
    })
}

/// A guess with its error bars, each as `say` writes it: `1 k nodes (900 to 1.1 k)`.
fn with_bars(guess: [f64; 3], say: impl Fn(f64) -> String, of: &str) -> String {
    let [guess, least, most] = guess.map(say);
    format!("{guess}{of} ({least} to {most})")
}

fn in_words(seconds: Option<f64>) -> String {
    match seconds.map(Duration::try_from_secs_f64) {
        None => "an unknown time".to_owned(),
        Some(Ok(known)) => duration(known),
        Some(Err(_)) => "more than the age of the universe".to_owned(),
    }
}

fn as_text(
    question: &Question,
    work: &Engine,
    time: &Time,
    expected: &Result<Expected, String>,
) -> String {
    let size = &time.size;
    let [nodes, tours] = [size.nodes, size.tours].map(|of| [of.mean, of.low(), of.high()]);
    let other = match expected {
        Ok(expected) => states_as_text(expected, time.threads) + "\n",
        Err(why) => format!("not without listing: {why}\n"),
    };
    let tours = match size.tours.mean {
        0.0 => "no directed tours: no probe met one".to_owned(),
        _ => "about ".to_owned() + &with_bars(tours, short, " directed tours"),
    };
    let of_rate = |nodes_per_s| format!(" of {} nodes each", rate(nodes_per_s));
    format!(
        "{question} with split depth {}, by {} random probes, with error bars:\n\
         about {}\n{}\nabout {} on {}{}\n{other}",
        work.identity().split.depth(),
        size.probes,
        with_bars(nodes, short, " nodes"),
        tours,
        with_bars(nodes, |nodes| in_words(time.seconds(nodes)), ""),
        counted(time.threads, "thread"),
        time.nodes_per_s.map_or(String::new(), of_rate),
    )
}

fn as_json(
    args: &EstimateArgs,
    question: &Question,
    work: &Engine,
    time: &Time,
    expected: Option<Expected>,
) -> String {
    let (nodes, tours) = (&time.size.nodes, &time.size.tours);
    fields!(
        "question": question.to_string(), "split_depth": work.identity().split.depth(),
        "probes": time.size.probes, "seed": args.seed,
        "nodes": nodes.mean, "nodes_low": nodes.low(), "nodes_high": nodes.high(),
        "directed": tours.mean, "directed_low": tours.low(), "directed_high": tours.high(),
        "threads": time.threads, "nodes_per_s": time.nodes_per_s,
        "time_s": time.seconds(nodes.mean), "time_low_s": time.seconds(nodes.low()),
        "time_high_s": time.seconds(nodes.high()),
        "frontier": expected.map(|expected| states_as_json(&expected, time.threads)),
    ) + "}\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use kt_enum::estimate::Guess;

    #[test]
    fn what_no_number_holds_is_said_to_be_more() {
        let said = with_bars([f64::INFINITY, 0.0, f64::INFINITY], short, " nodes");
        assert_eq!(said, "more than 1e308 nodes (0 to more than 1e308)");
    }

    #[test]
    fn a_time_that_is_not_known_is_not_said_to_be_none() {
        let guess = |mean| Guess { mean, error: 0.0 };
        let time = |nodes_per_s| Time {
            size: Estimate { nodes: guess(1e6), tours: guess(0.0), probes: 1 },
            nodes_per_s,
            threads: 2,
        };
        let said = |nodes_per_s, nodes| in_words(time(nodes_per_s).seconds(nodes));
        assert_eq!(said(None, 1e6), "an unknown time");
        assert_eq!(said(None, 0.0), "0 s");
        assert_eq!(said(Some(1e6), 1e6), "500 ms");
        assert_eq!(said(Some(1e6), f64::INFINITY), "more than the age of the universe");
    }
}
