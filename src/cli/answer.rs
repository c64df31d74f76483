//! The answer of a count in one of four forms: a JSON object, a line of CSV, sentences, the bare
//! number.

use super::args::Format;
use super::exit::Failure;
use super::machine;
use super::output::{self, Document, csv_line, document};
use crate::board::{Square, Symmetry, orbits};
use crate::job::{CountDocument, PartDocument, Selected, StartDocument};
use crate::legible::legible;
use crate::quantity::{counted, grouped};
use crate::run::Effort;
use crate::solve::{Clue, Solutions};
use crate::starts::Starts;
use crate::tally::Tally;
use crate::units::{Shard, Units};
use crate::words::{at_split, counts, counts_of};
use crate::work::Identity;
use serde_json::json;
use std::path::Path;
use std::time::Duration;

/// The names of the columns of CSV.
pub const CSV_HEADING: &str =
    "rows,cols,board,tours,from,to,directed,undirected,classes,engine,seconds\n";

/// The answer of a count.
#[derive(Debug)]
pub struct Answer<'a> {
    pub units: &'a Units,
    pub effort: Effort,
    pub format: Format,
    pub classes: Option<Tally>,
    /// The tours of each start, of which there is a sentence for each orbit of squares.
    pub starts: Option<&'a Starts>,
    /// The file of the units, if they are a shard.
    pub part: Option<&'a Path>,
}

impl<'a> Answer<'a> {
    /// The answer that a whole run gives about all its tours.
    pub fn new(units: &'a Units, effort: Effort, format: Format) -> Self {
        Self { units, effort, format, classes: None, starts: None, part: None }
    }

    /// The answer about one of several boards, on one line.
    pub fn line(&self) -> String {
        if self.format != Format::Text {
            return self.text().replace('\n', " ") + "\n";
        }
        let mut sentences = self.counts();
        // The second is twice or half of the first.
        if self.units.identity.question.is_whole() {
            sentences.remove(1);
        }
        let bare = |sentence: &String| sentence.split(" (").next().unwrap_or_default().to_owned();
        let line: Vec<String> = sentences.iter().map(bare).collect();
        legible(&line.join("; "), usize::MAX, true) + "\n"
    }

    /// Prints the answer.
    pub fn print(&self) -> Result<(), Failure> {
        let heading = if self.format == Format::Csv { CSV_HEADING } else { "" };
        output::print((heading.to_owned() + &self.text() + "\n").as_bytes())
    }

    /// The text of the answer, without a line end. Only this form is made, because a fingerprint of
    /// many units takes as long as a small count.
    fn text(&self) -> String {
        match self.format {
            Format::Json => document(&self.document()).trim_end().to_owned(),
            Format::Csv => self.csv(),
            Format::Text => {
                let mut sentences = self.counts();
                sentences.extend(self.by_start());
                sentences.push(how(self.units, self.effort));
                legible(&sentences.join("\n"), usize::MAX, true)
            }
            // Directed for open tours, undirected for closed ones.
            Format::Quiet => {
                let (units, classes) = (self.units, self.classes.iter());
                let is_closed = units.identity.question.is_closed();
                let bare = if is_closed { units.undirected() } else { units.directed() };
                bare.to_string()
                    + &classes.map(|classes| format!("\n{classes}")).collect::<String>()
            }
        }
    }

    /// The document about the units, from this program on this machine. A shard of open tours has
    /// no undirected count, because the reverse of a tour may be in another shard. Both directions
    /// of a cycle are in one unit.
    fn document(&self) -> CountDocument {
        let Self { units, classes, starts, part, .. } = self;
        let (question, shard) = (&units.identity.question, units.shard);
        let board = &question.board;
        let start = |square: Square| StartDocument {
            directed: starts.map_or(Tally::ZERO, |starts| starts.tours[square.index()].clone()),
            square: board.name(square),
        };
        let mut document = units.document(&self.effort);
        document.undirected = (part.is_none() || question.is_closed()).then(|| units.undirected());
        document.classes = classes.clone();
        document.starts = starts.map(|_| board.all_squares().map(start).collect());
        document.part = part.map(|part| PartDocument {
            shard: shard.to_string(),
            by: shard.assignment(),
            part: part.to_string_lossy().into_owned(),
        });
        document.provenance = json!(machine::provenance());
        document
    }

    /// The line of a whole count in CSV.
    fn csv(&self) -> String {
        let Identity { question, engine, .. } = &self.units.identity;
        let board = &question.board;
        let side = |side: u32| if board.is_graph() { String::new() } else { side.to_string() };
        let [tours, from, to] = question.words();
        csv_line(vec![
            side(board.rows()),
            side(board.cols()),
            board.description(),
            tours,
            from,
            to,
            self.units.directed().to_string(),
            self.units.undirected().to_string(),
            self.classes.as_ref().map_or(String::new(), Tally::to_string),
            engine.to_string(),
            format!("{:.3}", self.effort.elapsed.as_secs_f64()),
        ])
    }

    /// The sentences about the counts.
    fn counts(&self) -> Vec<String> {
        let (units, question) = (self.units, &self.units.identity.question);
        if let Some(part) = self.part {
            let (tours, part) = (counted(units.directed(), "directed tour"), part.display());
            return vec![format!(
                "{tours} in shard {} of the {question}, kept in {part}",
                units.shard
            )];
        }
        let (directed, undirected) = (units.directed(), units.undirected());
        let mut sentences = counts(question, directed, undirected, self.classes.as_ref());
        let reason = question.impossible();
        sentences.extend(reason.map(|reason| format!("there is no such tour: {reason}")));
        sentences
    }

    /// A sentence for the starts of each orbit.
    fn by_start(&self) -> Vec<String> {
        let Some(starts) = self.starts else { return Vec::new() };
        let board = &self.units.identity.question.board;
        let sentence = |orbit: Vec<Square>| {
            let names: Vec<String> = orbit.iter().map(|&square| board.name(square)).collect();
            let each = if names.len() == 1 { "" } else { "each of " };
            let tours = starts.tours[orbit[0].index()].grouped();
            format!("{tours} from {each}{}", names.join(" "))
        };
        orbits(board).into_iter().map(sentence).collect()
    }
}

/// The answer of a count of selected tours, with its line end.
pub fn of_selected(
    of: &Selected,
    found: &Solutions,
    threads: usize,
    elapsed: Duration,
    format: Format,
) -> String {
    let (puzzle, elapsed_s) = (&of.puzzle, elapsed.as_secs_f64());
    let (is_closed, directions) = (puzzle.is_closed(), puzzle.directions());
    let numbers = [found.count, found.count / u64::from(directions)];
    let reason = found.reason.as_ref().map(ToString::to_string);
    match format {
        Format::Json => {
            let name = |clue: &Clue| (clue.step, puzzle.board().name(clue.square));
            let [directed, undirected] = numbers.map(Tally::from);
            Document::default()
                .all(&puzzle.question().document())
                .field("given", puzzle.clues().iter().map(name).collect::<Vec<_>>())
                .field("symmetry", of.symmetry.map(Symmetry::name))
                .field("directed", directed)
                .field("undirected", undirected)
                .field("classes", ())
                .field("engine", "solver")
                .field("nodes", found.nodes.to_string())
                .field("threads", threads)
                .field("elapsed_s", elapsed_s)
                .optional("reason", reason)
                .line()
        }
        Format::Quiet => format!("{}\n", numbers[usize::from(is_closed)]),
        Format::Text | Format::Csv => {
            let numbers = numbers.map(grouped);
            let mut sentences = counts_of(&of.words(), &puzzle.question(), directions > 1, numbers);
            sentences.extend(reason.map(|reason| format!("there is no such tour: {reason}")));
            sentences.push(format!(
                "by the solver, {}, {elapsed_s:.3} s on {}",
                counted(found.nodes, "node"),
                counted(threads, "thread")
            ));
            legible(&(sentences.join("\n") + "\n"), usize::MAX, true)
        }
    }
}

fn how(units: &Units, effort: Effort) -> String {
    let identity = &units.identity;
    let is_whole = units.shard == Shard::WHOLE;
    let of_shard =
        if is_whole { String::new() } else { format!("{} of ", grouped(units.counts.len())) };
    let (all, elapsed) = (effort.nodes_total.unwrap_or(effort.nodes), effort.elapsed.as_secs_f64());
    let spent = effort.spent.unwrap_or(effort.elapsed);
    let added = match spent > effort.elapsed && effort.nodes > 0 {
        true => format!("; this run added {} in {elapsed:.3} s", counted(effort.nodes, "node")),
        false => String::new(),
    };
    format!(
        "{of_shard}{} {}, {}, {:.3} s on {}, fingerprint {}{added}",
        counted(identity.units, "unit"),
        at_split(identity.split),
        counted(all, "node"),
        spent.as_secs_f64(),
        counted(effort.threads, "thread"),
        units.fingerprint(),
    )
}
