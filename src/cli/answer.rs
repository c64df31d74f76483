//! What is printed of a count: the JSON object, the sentences, the bare number.

use super::config::Format;
use super::exit::{Exit, Failure};
use super::output;
use super::quantity::counted;
use kt_enum::board::{Board, Square, orbits};
use kt_enum::question::Question;
use kt_enum::run::starts::Starts;
use kt_enum::run::units::Units;
use kt_enum::run::{Building, Outcome, Shard};
use kt_enum::tally::{Tally, grouped};
use kt_enum::work::Split;
use serde::Serialize;
use std::fmt::Display;
use std::path::Path;
use std::time::Duration;

/// An answer, in the order of the JSON object.
#[derive(Debug, Serialize)]
pub struct Answer {
    schema: u32,
    rows: u32,
    cols: u32,
    tours: String,
    from: String,
    to: String,
    directed: String,
    /// Of a shard there is none: a tour's reverse may be in another.
    undirected: Option<String>,
    classes: Option<String>,
    engine: String,
    split_depth: u32,
    /// Of a sweep cut into units.
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<String>,
    units: u64,
    units_resumed: usize,
    nodes: String,
    threads: usize,
    elapsed_s: f64,
    fingerprint: String,
    /// Of a count by the frontier only.
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_states: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    /// States taken on by this process.
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<u64>,
    /// Directed open tours by start, square by square; where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    starts: Option<Vec<Start>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shard: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<String>,
    #[serde(skip)]
    sentences: Vec<String>,
}

/// The directed tours that start at a square.
#[derive(Debug, Serialize)]
struct Start {
    square: String,
    directed: String,
}

/// How an answer came about.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    units_resumed: usize,
    nodes: u64,
    threads: usize,
    elapsed: Duration,
    built: Option<Building>,
}

impl Effort {
    /// The effort of a run.
    pub fn of(outcome: &Outcome) -> Self {
        Self {
            units_resumed: outcome.units_resumed,
            nodes: outcome.nodes,
            threads: outcome.threads,
            elapsed: outcome.elapsed,
            built: outcome.built,
        }
    }

    /// The effort of several runs, one after the other.
    pub fn of_all(outcomes: &[Outcome]) -> Self {
        Self {
            units_resumed: outcomes.iter().map(|outcome| outcome.units_resumed).sum(),
            nodes: outcomes.iter().map(|outcome| outcome.nodes).sum(),
            threads: outcomes.first().map_or(1, |outcome| outcome.threads),
            elapsed: outcomes.iter().map(|outcome| outcome.elapsed).sum(),
            built: outcomes
                .iter()
                .filter_map(|outcome| outcome.built)
                .max_by_key(|built| built.most_states),
        }
    }

    /// All units were there already, and reading them took this long.
    pub fn of_reading(units: &Units, elapsed: Duration) -> Self {
        Self {
            units_resumed: units.counts.len(),
            nodes: 0,
            threads: 1,
            elapsed,
            built: None,
        }
    }
}

impl Answer {
    /// The answer that a whole run gives.
    pub fn whole(units: &Units, classes: Option<Tally>, effort: Effort) -> Self {
        let (directed, undirected) = (units.directed(), units.undirected());
        let mut answer = Self::new(units, &directed, effort);
        answer.undirected = Some(undirected.to_string());
        answer.classes = classes.as_ref().map(Tally::to_string);
        let sentences = counts(&units.identity.question, directed, undirected, classes);
        answer.sentences.splice(0..0, sentences);
        answer
    }

    /// The same, with the tours of each start.
    pub fn with_starts(mut self, starts: &Starts) -> Self {
        let Ok(board) = Board::new(self.rows, self.cols) else {
            return self;
        };
        let last = self.sentences.len() - 1;
        self.sentences.splice(last..last, by_start(board, starts));
        self.starts = Some(start_by_start(board, starts));
        self
    }

    /// What is to be said of a shard, and where its part lies.
    pub fn part(units: &Units, part: &Path, effort: Effort) -> Self {
        let directed = units.directed();
        let mut answer = Self::new(units, &directed, effort);
        answer.shard = Some(units.shard.to_string());
        answer.part = Some(part.to_string_lossy().into_owned());
        let (shard, question) = (units.shard, &units.identity.question);
        let sentence = format!(
            "{} directed tours in shard {shard} of the {question}, kept in {}",
            directed.grouped(),
            part.display()
        );
        answer.sentences.insert(0, sentence);
        answer
    }

    fn new(units: &Units, directed: &Tally, effort: Effort) -> Self {
        let identity = &units.identity;
        let question = &identity.question;
        let [tours, from, to] = question.words();
        Self {
            schema: 1,
            rows: question.board.rows(),
            cols: question.board.cols(),
            tours,
            from,
            to,
            directed: directed.to_string(),
            undirected: None,
            classes: None,
            engine: identity.engine.clone(),
            split_depth: identity.split.depth(),
            cut: identity.split.cut(),
            units: identity.units,
            units_resumed: effort.units_resumed,
            nodes: effort.nodes.to_string(),
            threads: effort.threads,
            elapsed_s: effort.elapsed.as_secs_f64(),
            fingerprint: units.fingerprint(),
            peak_states: effort.built.map(|built| built.most_states),
            bytes: effort.built.map(|built| built.bytes),
            states: effort.built.map(|_| effort.nodes),
            starts: None,
            shard: None,
            part: None,
            sentences: vec![how(units, effort)],
        }
    }

    /// Prints the answer.
    ///
    /// # Errors
    /// When that cannot be done: a line without an answer is none.
    pub fn print(&self, format: Format) -> Result<(), Failure> {
        let json =
            || serde_json::to_string(self).map_err(|error| Failure::new(Exit::Failed, error));
        let text = match format {
            Format::Text => self.sentences.join("\n"),
            Format::Json => json()?,
            Format::Quiet => match &self.undirected {
                Some(undirected) if self.tours == "closed" => undirected.clone(),
                _ => self.directed.clone(),
            },
        };
        output::print((text + "\n").as_bytes())
    }
}

fn how(units: &Units, effort: Effort) -> String {
    let identity = &units.identity;
    let of_shard = match units.shard {
        Shard::WHOLE => String::new(),
        _ => format!("{} of ", grouped(units.counts.len())),
    };
    format!(
        "{of_shard}{} {}, {}, {:.3} s on {}, fingerprint {}",
        counted(identity.units, "unit"),
        at_split(identity.split),
        counted(effort.nodes, "node"),
        effort.elapsed.as_secs_f64(),
        counted(effort.threads, "thread"),
        units.fingerprint(),
    )
}

/// Where the units were cut, in words.
pub fn at_split(split: Split) -> String {
    match split.cut() {
        None => format!("at split depth {}", split.depth()),
        Some(cut) => format!("of the cut {cut}"),
    }
}

fn start_by_start(board: Board, starts: &Starts) -> Vec<Start> {
    let squares = board.all_squares().zip(&starts.tours);
    let start = |(square, tours): (Square, &Tally)| Start {
        square: board.name(square),
        directed: tours.to_string(),
    };
    squares.map(start).collect()
}

/// A sentence for each orbit of squares.
fn by_start(board: Board, starts: &Starts) -> Vec<String> {
    let sentence = |orbit: Vec<Square>| {
        let tours = starts.tours[orbit[0].index()].grouped();
        let names: Vec<String> = orbit.iter().map(|&square| board.name(square)).collect();
        let each = if names.len() == 1 { "" } else { "each of " };
        format!("{tours} from {each}{}", names.join(" "))
    };
    orbits(board).into_iter().map(sentence).collect()
}

/// What there is to say of a whole count, a number first.
pub fn counts(
    question: &Question,
    directed: impl Display,
    undirected: impl Display,
    classes: Option<Tally>,
) -> Vec<String> {
    let (directed, undirected) = (grouped(directed), grouped(undirected));
    let mut sentences = match (question.is_closed(), question.is_whole()) {
        (true, _) => vec![
            format!("{undirected} {question} (cycles, without start or direction)"),
            format!("{directed} directed (each cycle in both directions)"),
        ],
        (false, true) => vec![
            format!("{directed} directed {question} (sequences of squares)"),
            format!("{undirected} undirected (a tour and its reverse are one)"),
        ],
        (false, false) => vec![format!("{directed} {question}")],
    };
    let up_to_symmetry = " up to the symmetries of the board";
    sentences.extend(classes.map(|classes| match classes == Tally::from(1_u32) {
        true => format!("1 class{up_to_symmetry}"),
        false => format!("{} classes{up_to_symmetry}", classes.grouped()),
    }));
    sentences
}
