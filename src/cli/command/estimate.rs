//! `estimate`: how big a search is and how long it will take.

use crate::cli::answer::reason_field;
use crate::cli::args::EstimateArgs;
use crate::cli::board::described;
use crate::cli::config;
use crate::cli::config::OUT_OF_REACH;
use crate::cli::exit::{Exit, Failure};
use crate::cli::forecast::{memory_for_samples, one_tour};
use crate::cli::output::{self, fields, more};
use crate::cli::quantity::{counted, duration, rate, time, typed_size};
use crate::cli::signals::Listener;
use crate::draw::number::{bytes, short};
use crate::engine::{self, Engine, EngineError, Name, Wishes};
use crate::estimate::{self, Effort, Estimate, Expected, Multiple, SharedStop};
use crate::frontier::{Frontier, FrontierError, MemoryShares};
use crate::machine;
use crate::question::{Impossible, Question};
use crate::run::{self, Outcome, Settings, Silent};
use crate::subsets::Subsets;
use crate::walk::MemoSize;
use crate::work::{Split, Work};
use serde_json::json;
use std::time::{Duration, Instant};

/// The time for which the rate is measured.
const MEASURE: Duration = Duration::from_millis(500);

/// The least time that an estimate takes.
const LEAST: Duration = Duration::from_millis(500);

/// The time for samples of the frontier where no time is given.
const USUAL: Duration = Duration::from_secs(20);

/// The time for an estimate where none is given, on a board that is not a full knight's board: a
/// probe of a dense graph takes milliseconds.
const USUAL_OF_ANY: Duration = Duration::from_secs(30);

/// The time for which each engine counts, in case that it ends before the estimate does.
const MOMENT: Duration = Duration::from_millis(250);

/// Probes that show how long a probe takes.
const FIRST_PROBES: u64 = 400;

pub fn run(args: &EstimateArgs) -> Result<(), Failure> {
    let began = Instant::now();
    let question = config::required_question(&args.question)?;
    let usual = (!question.board.is_plain()).then_some(USUAL_OF_ANY);
    let within = args.within.or(usual).map(|within| within.max(LEAST));
    let end = within.map(|within| began + within);
    if let Some(reason) = question.impossible()
        && !question.board.is_plain()
    {
        return output::print(nothing(args, &question, &reason).as_bytes());
    }
    let threads = args.search.threads.number();
    let limits = Limits::of(&question, args, threads);
    let signals = Listener::start()?;
    let wishes = config::wishes(&args.search);
    let stop = || signals.control().is_stopped();
    let check = || match stop() {
        true => Err(signals.stopped(Exit::Failed, "stopped before the end of the estimate")),
        false => Ok(()),
    };
    if wishes.engine == Some(Name::Frontier) {
        let frontier = Frontier::new(question.clone(), wishes.split);
        let expected = expected(frontier, wishes.split, args, end, &stop)?;
        check()?;
        let printed = match (args.json, expected) {
            (_, Err(Unexpected::NotCounted(why))) => return Err(Failure::usage(why)),
            (true, expected) => {
                let states = expected.ok().map(|expected| states_as_json(&expected, &limits));
                object(&question, &more!("frontier": states))
            }
            (false, expected) => format!("{question}, {}", frontier_as_text(&expected, &limits)),
        };
        return output::print(printed.as_bytes());
    }
    let memo = config::memo(&args.search, threads)?;
    if wishes.engine == Some(Name::Subsets) {
        let work = Subsets::new(question.clone()).map_err(EngineError::from)?;
        let seconds = work.seconds() / threads as f64;
        return output::print(by_subsets(args, &question, seconds).as_bytes());
    }
    let may_be_counted = wishes == Wishes::default() && !question.board.is_plain();
    if may_be_counted {
        for name in [Name::Subsets, engine::lister(&question)] {
            if let Ok(mut work) = Engine::new(&name, question.clone(), None, memo)
                && let Some(outcome) = counted_at_once(&mut *work, args, end)
            {
                return output::print(known(args, &question, &outcome).as_bytes());
            }
            check()?;
        }
    }
    let mut frontier = Frontier::new(question.clone(), wishes.split);
    if may_be_counted
        && let Ok(frontier) = &mut frontier
        && let Some(outcome) = counted_at_once(frontier, args, end)
    {
        return output::print(known(args, &question, &outcome).as_bytes());
    }
    check()?;
    let wishes = Wishes { engine: wishes.engine.or(Some(engine::lister(&question))), ..wishes };
    let choice = engine::choose(&question, &wishes, None);
    let work = Engine::new(&choice.engine, question.clone(), choice.split, memo)?;
    let untabled = Engine::new(&choice.engine, question.clone(), choice.split, MemoSize::Off)?;
    let size = size(&*untabled, args, end, &stop);
    check()?;
    let size = size.ok_or_else(|| {
        let within = duration(args.within.unwrap_or_default().max(LEAST));
        Failure::failed(format!(
            "{within} is too short for an estimate of this search: give more with --within"
        ))
    })?;
    let is_over = || stop() || is_past(end);
    let measure = MEASURE.min(left_until(end) / 4);
    let rate = || estimate::rate(&*work, &*untabled, args.seed, measure, &is_over);
    // Without nodes the measurement would wait in vain for three seconds.
    let nodes_per_s = (size.nodes.mean > 0.0).then(rate).flatten();
    let expected = expected(frontier, wishes.split, args, end, &stop)?;
    check()?;
    let time = Time { size, nodes_per_s, limits };
    let printed = match args.json {
        true => as_json(args, &question, &work, &time, expected.ok()),
        false => as_text(&question, &work, &time, &expected),
    };
    output::print(printed.as_bytes())
}

/// The count, if this engine ends within a moment.
fn counted_at_once(
    work: &mut dyn Work,
    args: &EstimateArgs,
    end: Option<Instant>,
) -> Option<Outcome> {
    let threads = args.search.threads.number();
    let bound = args.search.memory.or_else(|| machine::memory_to_take(threads));
    let shares = MemoryShares::of(bound?, threads);
    shares.limit(work, threads);
    let mut settings = Settings::on_threads(threads);
    settings.limits.max_time = Some(MOMENT.min(left_until(end) / 8));
    settings.limits.memory = Some(shares.states);
    run::count(work, settings, &mut Silent).ok()
}

/// The size of a search that was made, because it takes no longer than an estimate.
fn known(args: &EstimateArgs, question: &Question, outcome: &Outcome) -> String {
    let (seconds, engine) = (outcome.effort.elapsed.as_secs_f64(), &outcome.units.identity.engine);
    let directed = outcome.units.directed();
    if !args.json {
        return format!(
            "{question}: less than a second, for {engine} has just counted them in {} on {}\n\
             exactly {}\n",
            time(seconds),
            counted(outcome.effort.threads, "thread"),
            counted(&directed, "directed tour"),
        );
    }
    let (nodes, directed) = (outcome.effort.nodes as f64, directed.to_f64());
    let known = more!(
        "engine": engine, "threads": outcome.effort.threads, "probes": 0, "seed": args.seed,
        "nodes": nodes, "nodes_low": nodes, "nodes_high": nodes,
        "directed": directed, "directed_low": directed, "directed_high": directed,
        "time_s": seconds, "time_low_s": seconds, "time_high_s": seconds,
        "frontier": serde_json::Value::Null,
    );
    object(question, &known)
}

/// The forecast of a count by sets of squares, which is an upper bound.
fn by_subsets(args: &EstimateArgs, question: &Question, seconds: f64) -> String {
    match args.json {
        true => object(question, &more!("engine": Name::Subsets, "time_high_s": seconds)),
        false => format!("{question}, {}", subsets_as_text(seconds)),
    }
}

fn subsets_as_text(seconds: f64) -> String {
    format!("by sets of squares (--engine subsets): at most about {}\n", time(seconds))
}

/// The estimate of a search that is not made because there is no tour for a known reason.
fn nothing(args: &EstimateArgs, question: &Question, reason: &Impossible) -> String {
    if !args.json {
        return format!("{question}: 0 nodes, for there is no such tour: {reason}\n");
    }
    let nothing = more!(
        "probes": 0, "seed": args.seed, "nodes": 0.0, "nodes_low": 0.0, "nodes_high": 0.0,
        "directed": 0.0, "directed_low": 0.0, "directed_high": 0.0,
        "time_s": 0.0, "time_low_s": 0.0, "time_high_s": 0.0, "frontier": serde_json::Value::Null,
    );
    object(question, &nothing)
}

/// The JSON object about a question, with the fields of its estimate.
fn object(question: &Question, estimate: &str) -> String {
    fields!("question": question.to_string())
        + &described(&question.board)
        + estimate
        + &reason_field(question)
        + "}\n"
}

/// The time until a moment, nothing if it is past; the usual time if there is no such moment.
fn left_until(end: Option<Instant>) -> Duration {
    end.map_or(USUAL, |end| end.saturating_duration_since(Instant::now()))
}

fn is_past(end: Option<Instant>) -> bool {
    end.is_some_and(|end| Instant::now() >= end)
}

/// The size of a search by as many probes as were asked for, or by as many as fit half of the time,
/// if that is bounded. If there is not even time for a few probes of each unit, some units stand
/// for all.
fn size(
    work: &dyn Work,
    args: &EstimateArgs,
    end: Option<Instant>,
    stop: SharedStop,
) -> Option<Estimate> {
    let Some(end) = end else {
        return estimate::estimate(work, args.probes, args.seed, stop);
    };
    let began = Instant::now();
    // Probes that take longer than the first still leave time for the frontier.
    let [quarter, half, most] = [1, 2, 3].map(|part| began + left_until(Some(end)) * part / 4);
    let is_past = |end: Instant| move || stop() || Instant::now() >= end;
    let first = args.probes.min(FIRST_PROBES);
    let Some(first) = estimate::estimate(work, first, args.seed, &is_past(quarter)) else {
        return estimate::impression(work, args.probes, args.seed, &is_past(half));
    };
    let took = began.elapsed().as_secs_f64() / first.probes.max(1) as f64;
    let fitting = left_until(Some(end)).as_secs_f64() / 2.0 / took;
    let probes = args.probes.min(fitting as u64);
    if probes <= first.probes.min(args.probes) && probes < args.probes {
        return Some(first);
    }
    // The first probes may have been quick ones.
    estimate::estimate(work, probes, args.seed, &is_past(most)).or(Some(first))
}

/// The limits of a count on this machine.
#[derive(Clone, Copy)]
struct Limits {
    threads: usize,
    /// The bytes of memory and disk together for states.
    room: u64,
    /// The bound on memory that the user gave, and the larger one below which a count is refused.
    refused: Option<(u64, u64)>,
}

impl Limits {
    /// The limits of the arguments, or else those that a count has by default.
    fn of(question: &Question, args: &EstimateArgs, threads: usize) -> Self {
        let memory = args.search.memory.or_else(|| machine::memory_to_take(threads));
        let free = || machine::free_disk(&config::state_folder()?);
        let states = memory.map_or(u64::MAX, |bound| MemoryShares::of(bound, threads).states);
        let disk = args.disk.or_else(|| Some(free()? / 2)).unwrap_or(u64::MAX);
        let least = MemoryShares::least(question, threads);
        let refused = args.search.memory.filter(|&given| given < least).map(|given| (given, least));
        Self { threads, room: estimate::room(states, disk), refused }
    }

    /// What groups of units cost under these limits; `None` if a count does not need them, or is
    /// refused.
    fn price_of_groups(&self, expected: &Expected) -> Option<[Multiple; 3]> {
        expected.in_groups(self.room).filter(|_| self.refused.is_none())
    }
}

/// Nodes at a rate.
struct Time {
    size: Estimate,
    /// Of one thread; unknown where there is nothing to search, or nothing that is searched soon.
    nodes_per_s: Option<f64>,
    limits: Limits,
}

impl Time {
    /// Unknown without a rate, unless there is nothing to do.
    fn seconds(&self, nodes: f64) -> Option<f64> {
        match self.nodes_per_s {
            Some(rate) => Some(nodes / rate / self.limits.threads as f64),
            None => (nodes == 0.0).then_some(0.0),
        }
    }
}

/// The reason why there is no forecast of a count without listing.
enum Unexpected {
    /// It cannot be counted so.
    NotCounted(String),
    /// Its samples do not show what it takes.
    Unknown(&'static str),
}

/// The forecast of a count without listing, or the reason why there is none.
fn expected(
    frontier: Result<Frontier, FrontierError>,
    split: Option<Split>,
    args: &EstimateArgs,
    end: Option<Instant>,
    stop: SharedStop,
) -> Result<Result<Expected, Unexpected>, Failure> {
    if let Some(Split::Depth(_)) = split {
        let why = "--split-depth is for engines that visit tours";
        return Ok(Err(Unexpected::NotCounted(why.to_owned())));
    }
    let frontier = match frontier {
        Ok(frontier) => frontier,
        Err(error @ FrontierError::Cut { .. }) => return Err(error.into()),
        Err(error) => return Ok(Err(Unexpected::NotCounted(error.to_string()))),
    };
    let bound = || machine::memory_to_take(args.search.threads.number());
    let memory = memory_for_samples(args.search.memory.or_else(bound));
    let effort = Effort { within: left_until(end), memory, seed: args.seed, stop };
    Ok(match estimate::of_frontier(&frontier, effort) {
        None => Err(Unexpected::Unknown("no sample was finished")),
        Some(expected) if !expected.forecast.is_known() => {
            Err(Unexpected::Unknown("the bounds by its samples are too far apart"))
        }
        Some(expected) => Ok(expected),
    })
}

fn frontier_as_text(expected: &Result<Expected, Unexpected>, limits: &Limits) -> String {
    match expected {
        Ok(expected) => states_as_text(expected, limits) + "\n",
        Err(Unexpected::NotCounted(why)) => format!("not without listing: {why}\n"),
        Err(Unexpected::Unknown(why)) => format!(
            "without listing (--engine frontier): unknown: {why}; \
             more time (--within) or more --memory may tell\n"
        ),
    }
}

fn states_as_text(expected: &Expected, limits: &Limits) -> String {
    let threads = limits.threads;
    let forecast = &expected.forecast;
    let [least, most] = forecast.bounds();
    let span = |guess: f64| [guess, guess * least, guess * most];
    let time = |seconds: f64| time(seconds / threads as f64);
    let narrower = "\ncontinued from the boards two and four columns narrower";
    let by = forecast.continued.map_or("", |_| narrower);
    format!(
        "without listing (--engine frontier): about {}, {},\n\
         {} on {}: {} before the units, {} within them, the largest of {}{by}",
        with_bounds(span(forecast.states()), short, " states"),
        with_bounds(span(forecast.bytes), bytes, " of memory or disk"),
        with_bounds(span(expected.seconds()), time, ""),
        counted(threads, "thread"),
        time(expected.before),
        time(expected.within),
        bytes(forecast.unit_bytes),
    ) + &groups_as_text(expected, limits)
}

/// The price of the limits if the layers before the units may not fit them, or why a count with
/// them is refused.
fn groups_as_text(expected: &Expected, limits: &Limits) -> String {
    if let Some((given, least)) = limits.refused {
        return format!(
            "\nwith --memory {} a count without listing is refused: it takes at least --memory {}",
            typed_size(given),
            typed_size(least),
        );
    }
    let Some(in_groups) = limits.price_of_groups(expected) else {
        return String::new();
    };
    let [least, most] = expected.forecast.bounds();
    let times = |of: &Multiple| format!("{:.1}", of.states);
    let [guess, lower, upper] = in_groups.map(|of| expected.seconds() * of.time);
    let seconds = [guess, lower * least, upper * most];
    format!(
        "\nwith {} for these states, the units are counted in groups: {} times the states ({} to {}),\n{}",
        bytes(limits.room as f64),
        times(&in_groups[0]),
        times(&in_groups[1]),
        times(&in_groups[2]),
        with_bounds(seconds, |seconds| time(seconds / limits.threads as f64), ""),
    )
}

fn states_as_json(expected: &Expected, limits: &Limits) -> serde_json::Value {
    let forecast = &expected.forecast;
    let [least, most] = forecast.bounds();
    let (states, seconds) = (forecast.states(), expected.seconds());
    let time = |seconds: f64| seconds / limits.threads as f64;
    let in_groups = limits.price_of_groups(expected).map(|[guess, lower, upper]| {
        json!({
            "room_bytes": limits.room,
            "states": states * guess.states,
            "states_low": states * least * lower.states, "states_high": states * most * upper.states,
            "time_s": time(seconds * guess.time),
            "time_low_s": time(seconds * least * lower.time), "time_high_s": time(seconds * most * upper.time),
        })
    });
    json!({
        "states": states, "states_low": states * least, "states_high": states * most,
        "bytes": forecast.bytes, "bytes_low": forecast.bytes * least, "bytes_high": forecast.bytes * most,
        "unit_bytes": forecast.unit_bytes,
        "states_per_s": states / time(seconds), "cpu_before_units_s": expected.before, "cpu_units_s": expected.within,
        "time_s": time(seconds), "time_low_s": time(seconds * least), "time_high_s": time(seconds * most),
        "in_groups": in_groups,
        "least_memory_bytes": limits.refused.map(|(_, least)| least),
    })
}

/// A guess with its error bars, each as `say` writes it: `1 k nodes (900 to 1.1 k)`.
fn with_bounds(guess: [f64; 3], say: impl Fn(f64) -> String, of: &str) -> String {
    let [guess, least, most] = guess.map(say);
    format!("{guess}{of} ({least} to {most})")
}

fn in_words(seconds: Option<f64>) -> String {
    seconds.map_or("an unknown time".to_owned(), time)
}

fn as_text(
    question: &Question,
    work: &Engine,
    time: &Time,
    expected: &Result<Expected, Unexpected>,
) -> String {
    let size = &time.size;
    let [nodes, tours] = [size.nodes, size.tours].map(|of| [of.mean, of.low(), of.high()]);
    let mut other = frontier_as_text(expected, &time.limits);
    if !question.board.is_plain()
        && let Ok(work) = Subsets::new(question.clone())
    {
        other += &subsets_as_text(work.seconds() / time.limits.threads as f64);
    }
    let instead = match (time.seconds(nodes[0]), expected) {
        (Some(seconds), Err(Unexpected::NotCounted(_))) if seconds > OUT_OF_REACH => {
            format!("a count that long is out of reach; {}\n", one_tour(question))
        }
        _ => String::new(),
    };
    let tours = match size.tours.mean {
        0.0 => match question.impossible() {
            None => "no directed tours: no probe met one".to_owned(),
            Some(reason) => format!("no directed tours: {reason}"),
        },
        _ => "about ".to_owned() + &with_bounds(tours, short, " directed tours"),
    };
    let of_rate = |nodes_per_s| format!(", {} nodes each", rate(nodes_per_s));
    format!(
        "{question} with split depth {}, by {} random probes, with bounds:\n\
         about {}\n{}\n{} on {}{}\n{other}{instead}",
        work.identity().split.depth(),
        size.probes,
        with_bounds(nodes, short, " nodes"),
        tours,
        match time.seconds(nodes[0]) {
            None => in_words(None),
            Some(_) =>
                "about ".to_owned() + &with_bounds(nodes, |nodes| in_words(time.seconds(nodes)), ""),
        },
        counted(time.limits.threads, "thread"),
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
    let estimate = more!(
        "split_depth": work.identity().split.depth(),
        "probes": time.size.probes, "seed": args.seed,
        "nodes": nodes.mean, "nodes_low": nodes.low(), "nodes_high": nodes.high(),
        "directed": tours.mean, "directed_low": tours.low(), "directed_high": tours.high(),
        "threads": time.limits.threads, "nodes_per_s": time.nodes_per_s,
        "time_s": time.seconds(nodes.mean), "time_low_s": time.seconds(nodes.low()),
        "time_high_s": time.seconds(nodes.high()),
        "frontier": expected.map(|expected| states_as_json(&expected, &time.limits)),
    );
    object(question, &estimate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::Interval;

    #[test]
    fn what_no_number_holds_is_said_to_be_more() {
        let said = with_bounds([f64::INFINITY, 0.0, f64::INFINITY], short, " nodes");
        assert_eq!(said, "more than 1e308 nodes (0 to more than 1e308)");
    }

    #[test]
    fn a_time_that_is_not_known_is_not_said_to_be_none() {
        let guess = |mean| Interval { mean, error: 0.0 };
        let time = |nodes_per_s| Time {
            size: Estimate { nodes: guess(1e6), tours: guess(0.0), probes: 1 },
            nodes_per_s,
            limits: Limits { threads: 2, room: u64::MAX, refused: None },
        };
        let said = |nodes_per_s, nodes| in_words(time(nodes_per_s).seconds(nodes));
        assert_eq!(said(None, 1e6), "an unknown time");
        assert_eq!(said(None, 0.0), "0 s");
        assert_eq!(said(Some(1e6), 1e6), "500 ms");
        assert_eq!(said(Some(1e6), f64::INFINITY), "more than 10^300 years");
    }
}
