//! Times, shares and the progress of a run in words.

use crate::quantity::{bytes, counted, counted_of, grouped, percent, rate, short, time};
use crate::question::Question;
use crate::rounds::Building;
use crate::run::checkpoint::Header;
use crate::run::{Back, Snapshot};
use crate::tally::Tally;
use crate::work::Split;
use std::fmt::Display;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// A duration, as [`time`] writes it.
pub fn duration(duration: Duration) -> String {
    time(duration.as_secs_f64())
}

/// A moment, as `2026-11-21 11:09:08 UTC`.
pub fn moment(time: SystemTime) -> String {
    timestamp(time).replace('T', " ").replace('Z', " UTC")
}

/// A moment, as `2026-11-21T11:09:08Z`; `?` for the time of a clock that is set before 1970 or
/// after 9999, which the format does not have.
pub fn timestamp(time: SystemTime) -> String {
    const LAST: Duration = Duration::from_secs(253_402_300_799);
    match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(since) if since <= LAST => humantime::format_rfc3339_seconds(time).to_string(),
        _ => "?".to_owned(),
    }
}

/// The split in words.
pub fn at_split(split: Split) -> String {
    match split.cut() {
        None => format!("at split depth {}", split.depth()),
        Some(cut) => format!("of the cut {cut}"),
    }
}

/// The sentences about a whole count, each with a number first.
pub fn counts(
    question: &Question,
    directed: impl Display,
    undirected: impl Display,
    classes: Option<&Tally>,
) -> Vec<String> {
    let (directed, undirected) = (grouped(directed), grouped(undirected));
    let (what, is_both) = (question.to_string(), question.is_whole());
    let mut sentences = counts_of(&what, question, is_both, [directed, undirected]);
    let whole = if question.board.is_graph() { "graph" } else { "board" };
    sentences.extend(classes.map(|classes| {
        let plural = if *classes == Tally::from(1_u32) { "" } else { "es" };
        format!("{} class{plural} up to the symmetries of the {whole}", classes.grouped())
    }));
    sentences
}

/// The sentences about the directed and the undirected number of tours, which differ where both
/// directions of a tour fit.
pub fn counts_of(
    tours: &str,
    question: &Question,
    is_both: bool,
    [directed, undirected]: [String; 2],
) -> Vec<String> {
    let of = |number: &str| match number {
        "1" => tours.replacen("tours", "tour", 1),
        _ => tours.to_owned(),
    };
    let places = if question.board.is_graph() { "vertices" } else { "squares" };
    match (question.is_closed(), is_both) {
        (true, true) => vec![
            format!("{undirected} {} (cycles, without start or direction)", of(&undirected)),
            format!("{directed} directed (each cycle in both directions)"),
        ],
        (false, true) => vec![
            format!("{directed} directed {} (sequences of {places})", of(&directed)),
            format!("{undirected} undirected (a tour and its reverse are one)"),
        ],
        (_, false) => vec![format!("{directed} {}", of(&directed))],
    }
}

/// The progress of a run that computes states, either before its first unit or, if some units are
/// done, for the other ones.
pub fn before_units(building: &Building, done: usize) -> String {
    let before = match done {
        0 => "before its units".to_owned(),
        _ => format!("with {} done, before the others", counted(done, "unit")),
    };
    format!(
        "{before}: round {} of {}, {}, {} in {}",
        round(building),
        building.rounds,
        counted_of(building.slices, building.slices_of, "slice"),
        counted(building.states, "state"),
        counted(building.bytes, "byte"),
    )
}

/// The number of finished units of a checkpoint, out of those of its shard or of all, and the share
/// of the work without states that are lost.
pub fn units_done(header: &Header, units: impl Display, lost: Option<Duration>) -> String {
    let share = header.share(lost).map(|share| format!("{} of the work: ", percent(share)));
    format!(
        "{}{} done, {} begun",
        share.unwrap_or_default(),
        counted_of(header.done, units, "unit"),
        grouped(header.begun)
    )
}

/// The state of the run of a checkpoint, live or not, with advice if it is not.
pub fn liveness(holder: Option<&String>) -> String {
    match holder {
        Some(holder) => format!("live: {holder}"),
        None => "not running: type its command again to resume".to_owned(),
    }
}

/// The kind of tours that an answer counts, of which a run counts so many directed ones.
#[derive(Clone, Copy)]
pub struct CountedTours {
    /// The directed tours of each of them.
    pub directions: u64,
    /// The noun for one of them.
    pub noun: &'static str,
}

impl CountedTours {
    /// The kind that the answer to a question counts.
    pub fn of(question: &Question) -> Self {
        match (question.is_closed(), question.is_whole()) {
            (true, true) => Self { directions: question.directions().into(), noun: "closed tour" },
            (false, true) => Self { directions: 1, noun: "directed tour" },
            (_, false) => Self { directions: 1, noun: "tour" },
        }
    }
}

/// A part of the text of a bar, in words and shorter.
pub type Segment = [String; 2];

/// A text that has no shorter form.
pub fn only(text: String) -> Segment {
    [text.clone(), text]
}

/// A number of things out of all of them.
pub fn part(number: usize, all: usize, thing: &str) -> Segment {
    [counted_of(number, all, thing), format!("{}/{}", grouped(number), grouped(all))]
}

/// The text of a bar: the share and the time left, the elapsed time, then what is done.
pub fn parts_of_bar(at: &Snapshot, tours: CountedTours) -> Vec<Segment> {
    let elapsed = format!("{} elapsed", duration(at.elapsed));
    share_and_left(at).chain([elapsed]).map(only).chain(done(at, tours)).collect()
}

/// The text of a bar of the way back from the units to single tours.
pub fn parts_of_back(at: &Back) -> Vec<Segment> {
    let (step, steps) = (at.step + 1, at.steps);
    let round = [format!("tracing back: round {step} of {steps}"), format!("back {step}/{steps}")];
    let tours = at.tours.of.filter(|of| *of > at.together);
    let tours = tours.map(|of| part(at.tours.before as usize, of as usize, "tour"));
    let slices = part(at.slices, at.slices_of, "slice");
    [round].into_iter().chain(tours).chain([slices]).collect()
}

/// What a run has done.
pub fn done(at: &Snapshot, of: CountedTours) -> Vec<Segment> {
    let of_rounds = |building: &Building| {
        let (round, rounds) = (round(building), building.rounds);
        vec![
            [format!("round {round} of {rounds}"), format!("{round}/{rounds}")],
            part(building.slices, building.slices_of, "slice"),
            only(format!("{} states", short(building.states as f64))),
            only(bytes(building.bytes as f64)),
        ]
    };
    let rounds = at.status.building.as_ref().map(of_rounds);
    if let Some(rounds) = rounds.clone().filter(|_| at.done == 0) {
        return rounds;
    }
    let found = &at.status.found / of.directions;
    let tours = [counted(&found, of.noun), format!("{} tours", short(found.to_f64()))];
    let rate = rate(at.rate / of.directions as f64);
    let done = [part(at.done, at.units, "unit"), tours, only(rate)];
    done.into_iter().chain(rounds.into_iter().flatten()).collect()
}

/// The share and the time left, once they are known.
pub fn share_and_left(at: &Snapshot) -> impl Iterator<Item = String> {
    let share = at.status.share.map(percent);
    let left = at.status.left.filter(|left| !left.is_zero());
    let left = left.map(|left| format!("{} left", duration(left)));
    share.into_iter().chain(left)
}

/// The share and the time left once they are known, then what is counted.
pub fn how_far(at: &Snapshot, tours: CountedTours) -> String {
    let done = match &at.status.building {
        Some(building) if at.done == 0 => vec![before_units(building, 0)],
        _ => done(at, tours).into_iter().map(|[full, _]| full).collect(),
    };
    let said: Vec<String> = share_and_left(at).chain(done).collect();
    format!("{} after {}", said.join(", "), duration(at.elapsed))
}

/// The share that a bar shows. As long as nothing is known of the whole, the rounds before the
/// units fill the first part of it, and the units the rest.
pub fn share_of_bar(at: &Snapshot) -> f64 {
    const OF_ROUNDS: f64 = 0.3;
    at.status.share.unwrap_or_else(|| match &at.status.building {
        Some(building) => OF_ROUNDS * building.rounds_done() / building.rounds.max(1) as f64,
        None => at.done as f64 / at.units.max(1) as f64,
    })
}

/// Columns that a bar leaves free.
pub const FREE_COLUMNS: usize = 4;

/// A bar, and as much of its text as fits, the most important first: each part in words, in its
/// short form if only that fits, or not at all.
pub fn bar(share: f64, said: &[Segment], columns: usize) -> String {
    let most = columns.saturating_sub(FREE_COLUMNS);
    let length = (most / 5).min(20);
    let done = (share * length as f64) as usize;
    let head = if done < length { ">" } else { "" };
    let mut line = format!("[{:<length$}]", "=".repeat(done) + head);
    let mut before = " ";
    for part in said {
        let fits = |text: &&String| line.len() + before.len() + text.len() <= most;
        if let Some(text) = part.iter().find(fits) {
            line = line + before + text;
            before = ", ";
        }
    }
    line
}

/// The progress that a run is resumed from.
pub fn resumption(path: &Path, header: &Header) -> String {
    let (path, spent) = (path.display(), duration(header.spent.time));
    match &header.status.building {
        None => format!(
            "resumed from {path}: {} done and {} begun are kept, with {} and {spent} of work",
            counted_of(header.done as usize, header.units(), "unit"),
            header.begun,
            counted(&header.status.found, "directed tour"),
        ),
        Some(building) => {
            let before = before_units(building, header.done as usize);
            format!("resumed from {path}: {before}, with {spent} of work")
        }
    }
}

/// The time left of work whose share was done in this time.
pub fn time_left(share: f64, elapsed: Duration) -> Option<Duration> {
    let share = Some(share).filter(|&share| share > 0.0)?;
    Duration::try_from_secs_f64(elapsed.as_secs_f64() * (1.0 - share) / share).ok()
}

/// The number of the current round, from 1.
pub fn round(building: &Building) -> usize {
    (building.round + 1).min(building.rounds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_computed_before_all_units_or_before_those_that_are_not_done() {
        let building = Building {
            round: 4,
            rounds: 6,
            slices: 3,
            slices_of: 9,
            states: 1_000,
            bytes: 2_000,
            most_states: 1_000,
        };
        let said = |done| before_units(&building, done);
        let states = "round 5 of 6, 3 of 9 slices, 1,000 states in 2,000 bytes";
        assert_eq!(said(0), format!("before its units: {states}"));
        assert_eq!(said(1), format!("with 1 unit done, before the others: {states}"));
    }

    #[test]
    fn durations_rates_and_numbers_of_things_are_written_short() {
        assert_eq!(duration(Duration::from_millis(1_520)), "1.52 s");
        assert_eq!(duration(Duration::from_secs(61)), "1m 1s");
        assert_eq!(duration(Duration::from_secs(3_725)), "1h 2m");
        assert_eq!(duration(Duration::from_secs(90_061)), "1 day 1h");
        assert_eq!(duration(Duration::from_secs(7 * 86_400)), "7 days");
        assert_eq!(duration(Duration::from_secs(4_000_000)), "46 days");
        assert_eq!(duration(Duration::from_secs(123_456_789)), "3.91 years");
        assert_eq!(rate(12_345_678.0), "12.3 M/s");
        assert_eq!(rate(0.0), "0/s");
        assert_eq!(counted(1, "unit"), "1 unit");
        assert_eq!(counted_of(0, 1_166, "unit"), "0 of 1,166 units");
    }
}
