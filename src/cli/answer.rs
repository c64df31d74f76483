//! The answer of a count in one of three forms: a JSON object, sentences, the bare number.

use super::args::Format;
use super::exit::Failure;
use super::machine;
use super::output::{self, document, more};
use super::quantity::counted;
use crate::board::{Board, Square, orbits};
use crate::legible::legible;
use crate::question::Question;
use crate::run::{CountDocument, Effort, PartDocument, StartDocument};
use crate::starts::Starts;
use crate::tally::{Tally, grouped};
use crate::units::{Shard, Units};
use crate::work::Split;
use serde_json::json;
use std::fmt::Display;
use std::path::Path;

/// An answer in one of its forms. The others are not made, because a fingerprint of many units
/// takes as long as a small count.
#[derive(Debug)]
pub enum Answer {
    Json(Box<CountDocument>),
    Sentences(Vec<String>),
    Bare(String),
    /// A line below [`CSV_HEADING`].
    Csv(String),
}

/// The names of the columns of CSV.
pub const CSV_HEADING: &str =
    "rows,cols,board,tours,from,to,directed,undirected,classes,engine,seconds\n";

impl Answer {
    /// The answer that a whole run gives.
    pub fn whole(units: &Units, classes: Option<Tally>, effort: Effort, format: Format) -> Self {
        match format {
            Format::Json => {
                let mut document = of(units, Some(units.undirected()), &effort);
                document.classes = classes;
                Self::Json(document)
            }
            Format::Csv => Self::Csv(csv(units, classes, effort)),
            Format::Text => {
                let question = &units.identity.question;
                let (directed, undirected) = (units.directed(), units.undirected());
                let mut sentences = counts(question, directed, undirected, classes.as_ref());
                let reason = question.impossible();
                sentences.extend(reason.map(|reason| format!("there is no such tour: {reason}")));
                sentences.push(how(units, effort));
                Self::Sentences(sentences)
            }
            Format::Quiet => {
                let classes = classes.map(|classes| format!("\n{classes}"));
                Self::Bare(bare(units) + &classes.unwrap_or_default())
            }
        }
    }

    /// The same, with the tours of each start, of which there is a sentence for each orbit of
    /// squares.
    pub fn with_starts(mut self, board: &Board, starts: &Starts) -> Self {
        let of = |square: Square| &starts.tours[square.index()];
        match &mut self {
            Self::Json(document) => {
                let start = |square| {
                    let (directed, square) = (of(square).clone(), board.name(square));
                    StartDocument { directed, square }
                };
                document.starts = Some(board.all_squares().map(start).collect());
            }
            Self::Sentences(sentences) => {
                let by_start = orbits(board).into_iter().map(|orbit: Vec<Square>| {
                    let names: Vec<String> =
                        orbit.iter().map(|&square| board.name(square)).collect();
                    let each = if names.len() == 1 { "" } else { "each of " };
                    format!("{} from {each}{}", of(orbit[0]).grouped(), names.join(" "))
                });
                let last = sentences.len() - 1;
                sentences.splice(last..last, by_start);
            }
            Self::Bare(_) | Self::Csv(_) => {}
        }
        self
    }

    /// The answer of a shard, and where its part lies. A shard of open tours has no undirected
    /// count, because the reverse of a tour may be in another shard. Both directions of a cycle are
    /// in one unit.
    pub fn part(units: &Units, part: &Path, effort: Effort, format: Format) -> Self {
        let shard = units.shard;
        match format {
            Format::Json => {
                let undirected = units.identity.question.is_closed().then(|| units.undirected());
                let part = part.to_string_lossy().into_owned();
                let (shard, by) = (shard.to_string(), shard.assignment());
                let mut document = of(units, undirected, &effort);
                document.part = Some(PartDocument { shard, by, part });
                Self::Json(document)
            }
            Format::Text | Format::Csv => {
                let sentence = format!(
                    "{} in shard {shard} of the {}, kept in {}",
                    counted(units.directed(), "directed tour"),
                    units.identity.question,
                    part.display()
                );
                Self::Sentences(vec![sentence, how(units, effort)])
            }
            Format::Quiet => Self::Bare(bare(units)),
        }
    }

    /// The answer that a whole run gives about one of several boards, on one line.
    pub fn brief(units: &Units, classes: Option<Tally>, effort: Effort, format: Format) -> Self {
        let answer = Self::whole(units, classes, effort, format);
        let Self::Sentences(mut sentences) = answer else {
            return answer;
        };
        // The last one says how it was counted, and the second is twice or half of the first.
        sentences.pop();
        if units.identity.question.is_whole() {
            sentences.remove(1);
        }
        let bare = |sentence: &String| sentence.split(" (").next().unwrap_or_default().to_owned();
        let line: Vec<String> = sentences.iter().map(bare).collect();
        Self::Sentences(vec![line.join("; ")])
    }

    /// The text of the answer, with a line end where it is JSON.
    fn text(self) -> String {
        match self {
            Self::Sentences(sentences) => legible(&sentences.join("\n"), usize::MAX, true),
            Self::Json(count) => document(&*count),
            Self::Bare(bare) => bare,
            Self::Csv(line) => line,
        }
    }

    /// The answer as one line of text.
    pub fn line(self) -> String {
        self.text().trim_end().replace('\n', " ") + "\n"
    }

    /// Prints the answer.
    pub fn print(self) -> Result<(), Failure> {
        let heading = if matches!(self, Self::Csv(_)) { CSV_HEADING } else { "" };
        output::print((heading.to_owned() + self.text().trim_end() + "\n").as_bytes())
    }
}

/// The document about units, from this program on this machine.
fn of(units: &Units, undirected: Option<Tally>, effort: &Effort) -> Box<CountDocument> {
    let mut document = units.document(effort);
    document.undirected = undirected;
    document.provenance = json!(machine::provenance());
    Box::new(document)
}

/// The bare number: directed for open tours, undirected for closed ones.
fn bare(units: &Units) -> String {
    match units.identity.question.is_closed() {
        true => units.undirected().to_string(),
        false => units.directed().to_string(),
    }
}

/// The line of a whole count in CSV. Fields are in quotation marks where they hold commas.
fn csv(units: &Units, classes: Option<Tally>, effort: Effort) -> String {
    let identity = &units.identity;
    let board = &identity.question.board;
    let side = |side: u32| if board.is_graph() { String::new() } else { side.to_string() };
    let [tours, from, to] = identity.question.words();
    let fields = [
        side(board.rows()),
        side(board.cols()),
        board.description(),
        tours,
        from,
        to,
        units.directed().to_string(),
        units.undirected().to_string(),
        classes.map_or(String::new(), |classes| classes.to_string()),
        identity.engine.to_string(),
        format!("{:.3}", effort.elapsed.as_secs_f64()),
    ];
    let quoted = |field: String| match field.contains([',', '"']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field,
    };
    fields.map(quoted).join(",")
}

/// The field `reason` of a question that has no tour, if it can be told without a search.
pub fn reason_field(question: &Question) -> String {
    let reason = question.impossible();
    reason.map_or(String::new(), |reason| more! {"reason": reason.to_string()})
}

/// The note about a question without tours, with the reason if it can be told without a search.
pub fn no_tours(question: &Question) -> String {
    let reason = question.impossible().map(|reason| format!(": {reason}"));
    format!("there are no {question}{}", reason.unwrap_or_default())
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
    let of = |number: &str| match number {
        "1" => question.to_string().replacen("tours", "tour", 1),
        _ => question.to_string(),
    };
    let mut sentences = match (question.is_closed(), question.is_whole()) {
        (true, _) => vec![
            format!("{undirected} {} (cycles, without start or direction)", of(&undirected)),
            format!("{directed} directed (each cycle in both directions)"),
        ],
        (false, true) => vec![
            format!("{directed} directed {} (sequences of squares)", of(&directed)),
            format!("{undirected} undirected (a tour and its reverse are one)"),
        ],
        (false, false) => vec![format!("{directed} {}", of(&directed))],
    };
    let up_to_symmetry = " up to the symmetries of the board";
    sentences.extend(classes.map(|classes| match *classes == Tally::from(1_u32) {
        true => format!("1 class{up_to_symmetry}"),
        false => format!("{} classes{up_to_symmetry}", classes.grouped()),
    }));
    sentences
}
