//! `estimate`: how long a count takes, and how big it is.

use crate::cli::announce::one_tour;
use crate::cli::args::EstimateArgs;
use crate::cli::config::{self, OUT_OF_REACH};
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{self, document};
use crate::cli::signals::Listener;
use crate::estimate::Expected;
use crate::job::{
    Estimate, EstimateEffort, EstimateError, Estimated, Job, Name, SearchEstimate, Unforeseen,
};
use crate::quantity::{about, between, bytes, counted, rate, short, time, typed_size};
use crate::question::Question;

pub fn run(args: &EstimateArgs) -> Result<(), Failure> {
    let mut job = Job::new(config::required_question(&args.question)?);
    job.wishes = config::wishes(&args.search);
    job.limits = args.search.machine.limits(None);
    let signals = Listener::start()?;
    let how = EstimateEffort {
        probes: args.probes,
        within: args.within,
        seed: args.draw.seed.unwrap_or(1),
    };
    let estimated = job.estimate(&how, &|| signals.control.is_stopped());
    let estimated = estimated.map_err(|error| match error {
        EstimateError::Stopped => signals.stopped(Exit::Failed, error),
        error => error.into(),
    })?;
    if let Estimated::Frontier(Err(why @ (Unforeseen::Depth | Unforeseen::Engine(_)))) =
        &estimated.of
    {
        return Err(Failure::usage(not_counted(why)));
    }
    let question = &job.question;
    let printed = if args.json {
        document(&estimated.document(question, &how))
    } else {
        let first = refusal(&estimated).unwrap_or_else(|| estimated.price.to_string());
        format!("{first}\n{}", in_text(question, &estimated))
    };
    output::print(printed.as_bytes())
}

fn in_text(question: &Question, on: &Estimate) -> String {
    match &on.of {
        Estimated::Nothing(reason) => {
            format!("{question}: 0 nodes, for there is no such tour: {reason}\n")
        }
        Estimated::Counted(outcome) => format!(
            "{question}: less than a second, for {} has just counted them in {} on {}\n\
             exactly {}\n",
            outcome.units.identity.engine,
            time(outcome.effort.elapsed.as_secs_f64()),
            counted(outcome.effort.threads, "thread"),
            counted(outcome.units.directed(), "directed tour"),
        ),
        Estimated::BySubsets(seconds) => {
            format!("{question}, {}", subsets_as_text(*seconds, on))
        }
        Estimated::Frontier(expected) => {
            format!("{question}, {}", frontier_as_text(expected, on))
        }
        Estimated::Search(search) => as_text(question, search, on),
        _ => String::new(),
    }
}

/// The line that says why a count with this memory is refused, if it is.
fn refusal(on: &Estimate) -> Option<String> {
    on.refused().map(|(given, least)| {
        let (given, least) = (typed_size(given), typed_size(least));
        format!("This count is refused with --memory {given}: it takes at least --memory {least}")
    })
}

/// The time that these seconds of one thread take.
fn time_on(on: &Estimate, seconds: f64) -> String {
    time(seconds / on.price.threads as f64)
}

fn subsets_as_text(seconds: f64, on: &Estimate) -> String {
    format!("by sets of squares (--engine subsets): at most about {}\n", time_on(on, seconds))
}

/// The reason why a count without listing is not forecast.
fn not_counted(why: &Unforeseen) -> String {
    match why {
        Unforeseen::Depth => "--split-depth is for engines that visit tours".to_owned(),
        Unforeseen::Engine(error) => error.to_string(),
        Unforeseen::NoSample => "no sample was finished".to_owned(),
        Unforeseen::FarApart => "the bounds by its samples are too far apart".to_owned(),
        _ => "it has no forecast".to_owned(),
    }
}

fn frontier_as_text(expected: &Result<Expected, Unforeseen>, on: &Estimate) -> String {
    match expected {
        Ok(expected) => states_as_text(expected, on) + "\n",
        Err(why @ (Unforeseen::Depth | Unforeseen::Engine(_))) => {
            format!("not without listing: {}\n", not_counted(why))
        }
        Err(why) => format!(
            "without listing (--engine frontier): unknown: {}; \
             more time (--within) or more --memory may tell\n",
            not_counted(why)
        ),
    }
}

fn states_as_text(expected: &Expected, on: &Estimate) -> String {
    let forecast = &expected.forecast;
    let span = |guess: f64, [least, most]: [f64; 2]| [guess, guess * least, guess * most];
    let time = |seconds| time_on(on, seconds);
    let narrower = "\ncontinued from the boards two and four columns narrower";
    let by = forecast.continued.map_or("", |_| narrower);
    let in_groups = groups_as_text(expected, on);
    let room = if in_groups.is_empty() { "" } else { "with room for all of them, " };
    format!(
        "without listing (--engine frontier): about {}, {},\n\
         {room}{} on {}: {} before the units, {} within them, the largest of {}{by}",
        with_bounds(span(forecast.states(), forecast.bounds()), short, " states"),
        with_bounds(span(forecast.bytes, forecast.bounds()), bytes, " of memory or disk"),
        with_bounds(span(expected.seconds(), expected.time_bounds()), time, ""),
        counted(on.price.threads, "thread"),
        time_on(on, expected.before),
        time_on(on, expected.within),
        bytes(forecast.unit_bytes),
    ) + &in_groups
}

/// The price of the limits if the layers before the units may not fit them.
fn groups_as_text(expected: &Expected, on: &Estimate) -> String {
    let Some(in_groups) = on.room.price_of_groups(expected) else {
        return String::new();
    };
    let [least, most] = expected.time_bounds();
    let times = in_groups.each_ref().map(|of| of.states);
    let [guess, lower, upper] = in_groups.map(|of| expected.seconds() * of.time);
    let seconds = [guess, lower * least, upper * most];
    format!(
        "\nwith {} for these states, the units are counted in groups: {},\n{}",
        bytes(on.room.bytes as f64),
        with_bounds(times, |times| format!("{times:.1}"), " times the states"),
        with_bounds(seconds, |seconds| time_on(on, seconds), ""),
    )
}

/// An estimate with its bounds, each as `say` writes it: `1 k nodes (900 to 1.1 k)`.
fn with_bounds(guess: [f64; 3], say: impl Fn(f64) -> String, of: &str) -> String {
    let [guess, least, most] = guess;
    format!("{}{of}{}", say(guess), between(least, most, say))
}

/// The time for some nodes, as expected, at least and at most.
fn time_of_nodes(search: &SearchEstimate, nodes: [f64; 3], threads: usize) -> String {
    let [seconds, least, most] = nodes.map(|nodes| search.seconds(nodes, threads));
    let bounds = least.zip(most).map(<[f64; 2]>::from);
    seconds.map_or("an unknown time".to_owned(), |seconds| about(seconds, "", bounds))
}

fn as_text(question: &Question, search: &SearchEstimate, on: &Estimate) -> String {
    let (size, threads, engine) = (&search.size, on.price.threads, &on.price.engine);
    let [nodes, tours] = [size.nodes, size.tours].map(|of| [of.mean, of.low(), of.high()]);
    let is_nothing = nodes[2] == 0.0;
    let by_frontier =
        if is_nothing { String::new() } else { frontier_as_text(&search.frontier, on) };
    let mut other = search.by_subsets.map_or(String::new(), |seconds| subsets_as_text(seconds, on));
    // What the count would do comes first.
    let (first, second) = match engine {
        Name::Frontier => (by_frontier.as_str(), ""),
        _ => ("", by_frontier.as_str()),
    };
    let seconds = search.seconds(nodes[0], threads);
    let is_search_alone = matches!(search.frontier, Err(Unforeseen::Depth | Unforeseen::Engine(_)));
    if is_search_alone
        && *engine == search.engine
        && seconds.is_some_and(|seconds| seconds > OUT_OF_REACH)
    {
        other += &format!("a count that long is out of reach; {}\n", one_tour(question));
    }
    let tours = match (size.tours.mean, question.impossible()) {
        (0.0, None) if size.nodes.error == 0.0 => "no directed tours: all is searched".to_owned(),
        (0.0, None) => "an unknown number of directed tours: no probe met one".to_owned(),
        (0.0, Some(reason)) => format!("no directed tours: {reason}"),
        (1.0, _) => "about ".to_owned() + &with_bounds(tours, short, " directed tour"),
        _ => "about ".to_owned() + &with_bounds(tours, short, " directed tours"),
    };
    let of_rate = |nodes_per_s| format!(", {} nodes each", rate(nodes_per_s));
    format!(
        "{first}{question} by a search ({}, split depth {}), by {} random probes, with bounds:\n\
         about {}\n{tours}\n{} on {}{}\n{second}{other}",
        search.engine,
        search.split_depth,
        size.probes,
        with_bounds(nodes, short, " nodes"),
        time_of_nodes(search, nodes, threads),
        counted(threads, "thread"),
        search.nodes_per_s.map_or(String::new(), of_rate),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::{Interval, SearchSize};
    use crate::job::Name;

    #[test]
    fn a_number_too_large_to_print_is_shown_as_more_than_the_largest() {
        let said = with_bounds([f64::INFINITY, 0.0, f64::INFINITY], short, " nodes");
        assert_eq!(said, "more than 1e308 nodes (up to more than 1e308)");
    }

    #[test]
    fn a_time_that_is_not_known_is_not_said_to_be_none() {
        let guess = |mean| Interval { mean, error: 0.0 };
        let search = |nodes_per_s| SearchEstimate {
            size: SearchSize { nodes: guess(1e6), tours: guess(0.0), probes: 1 },
            nodes_per_s,
            engine: Name::Walk,
            split_depth: 1,
            frontier: Err(Unforeseen::NoSample),
            by_subsets: None,
        };
        let said =
            |nodes_per_s, most| time_of_nodes(&search(nodes_per_s), [most, most / 2.0, most], 2);
        assert_eq!(said(None, 1e6), "an unknown time");
        assert_eq!(said(None, 0.0), "about 0 s");
        assert_eq!(said(Some(1e6), 1e6), "about 500 ms (250 ms to 500 ms)");
        assert_eq!(said(Some(1e6), f64::INFINITY), "more than a million years");
    }
}
