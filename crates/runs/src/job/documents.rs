//! The answer of a count, the head of a checkpoint and the events of a run as documents in JSON.

use crate::quantity::time;
use crate::question::QuestionDocument;
use crate::run::checkpoint::Header;
use crate::run::{Building, Effort, Event, Price, Snapshot};
use crate::tally::{Tally, as_text};
use crate::units::{Assignment, Units};
use crate::words::{
    CountedTours, Segment, done, only, parts_of_back, share_and_left, share_of_bar,
};
use crate::work::Name;
use serde::Serialize;
use serde_json::{Value, json};
use std::time::{Duration, SystemTime};

/// The answer of a count, whole or in part, as JSON has it.
#[derive(Debug, Clone, Serialize)]
pub struct CountDocument {
    #[serde(flatten)]
    question: QuestionDocument,
    directed: Tally,
    /// The undirected count, which a shard of open tours does not have.
    pub undirected: Option<Tally>,
    /// The number of classes under the symmetries of the board, if they were counted.
    pub classes: Option<Tally>,
    engine: Name,
    split_depth: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<String>,
    units: u64,
    units_resumed: usize,
    #[serde(serialize_with = "as_text")]
    nodes: u64,
    threads: usize,
    elapsed_s: f64,
    fingerprint: String,
    elapsed_total_s: Option<f64>,
    nodes_total: Option<String>,
    /// The quantity that the fingerprint is about.
    counts: &'static str,
    #[serde(flatten)]
    built: Option<BuiltDocument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// The directed tours of each start square, if they were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub starts: Option<Vec<StartDocument>>,
    /// The shard that was counted, and the file of its units.
    #[serde(flatten)]
    pub part: Option<PartDocument>,
    /// The program and the machine that answer.
    pub provenance: Value,
}

/// The sweeps before the units of a count.
#[derive(Debug, Clone, Serialize)]
struct BuiltDocument {
    peak_states: u64,
    bytes: u64,
    /// The states that this process has computed.
    states: u64,
}

/// The tours of one start.
#[derive(Debug, Clone, Serialize)]
pub struct StartDocument {
    /// The tours that start there.
    pub directed: Tally,
    /// The name of the square.
    pub square: String,
}

/// A shard.
#[derive(Debug, Clone, Serialize)]
pub struct PartDocument {
    /// The shard, as `0/8`.
    pub shard: String,
    /// The rule that assigns units to it.
    pub by: Assignment,
    /// The file of its units.
    pub part: String,
}

impl Units {
    /// The document about these units and the effort behind them, without what is optional.
    #[doc(hidden)]
    pub fn document(&self, effort: &Effort) -> CountDocument {
        let identity = &self.identity;
        let question = &identity.question;
        let built = |built: Building| BuiltDocument {
            peak_states: built.most_states,
            bytes: built.bytes,
            states: effort.nodes,
        };
        CountDocument {
            question: question.document(),
            directed: self.directed(),
            undirected: None,
            classes: None,
            engine: identity.engine.clone(),
            split_depth: identity.split.depth(),
            cut: identity.split.cut(),
            units: identity.units,
            units_resumed: effort.units_resumed,
            nodes: effort.nodes,
            threads: effort.threads,
            elapsed_s: effort.elapsed.as_secs_f64(),
            fingerprint: self.fingerprint(),
            elapsed_total_s: effort.spent.map(|spent| spent.as_secs_f64()),
            nodes_total: effort.nodes_total.map(|nodes| nodes.to_string()),
            counts: if question.is_closed() { "undirected" } else { "directed" },
            built: effort.built.map(built),
            reason: question.impossible().map(|reason| reason.to_string()),
            starts: None,
            part: None,
            provenance: Value::Null,
        }
    }
}

/// The head of a checkpoint, as JSON has it.
#[derive(Debug, Clone, Serialize)]
pub struct HeaderDocument {
    #[serde(flatten)]
    question: QuestionDocument,
    shard: String,
    by: Assignment,
    engine: Name,
    split_depth: u32,
    cut: Option<String>,
    units: u64,
    done: u64,
    begun: u64,
    percent: Option<f64>,
    found: Tally,
    tours_per_s: f64,
    spent_s: f64,
    left_s: Option<f64>,
    saved_unix_s: f64,
    /// The units of the shard.
    units_of_shard: usize,
    /// The time to compute states again that are lost, which is in the time left.
    lost_s: Option<f64>,
}

impl Header {
    /// The document about the run, which has to compute lost states again for some time.
    pub fn document(&self, lost: Option<Duration>) -> HeaderDocument {
        let identity = &self.identity;
        let saved = self.saved.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        HeaderDocument {
            question: identity.question.document(),
            shard: self.shard.to_string(),
            by: self.shard.assignment(),
            engine: identity.engine.clone(),
            split_depth: identity.split.depth(),
            cut: identity.split.cut(),
            units: identity.units,
            done: self.done,
            begun: self.begun,
            percent: self.share(lost).map(|share| share * 100.0),
            found: self.status.found.clone(),
            tours_per_s: self.tours_per_second(),
            spent_s: self.spent.time.as_secs_f64(),
            left_s: self.left(lost).map(|left| left.as_secs_f64()),
            saved_unix_s: saved.as_secs_f64(),
            units_of_shard: self.units(),
            lost_s: lost.map(|lost| lost.as_secs_f64()),
        }
    }

    /// The directed tours per second: of the last process of the run, as its bar shows them, or of
    /// all of them if that one has found none or was brief.
    pub fn tours_per_second(&self) -> f64 {
        const BRIEF: f64 = 1.0;
        let (found, spent) = (self.status.found.to_f64(), self.spent.time.as_secs_f64());
        let before = self.history.sessions.last().map(|last| &last.at);
        let before = before.map_or((0.0, 0.0), |at| (at.found.to_f64(), at.spent_ms as f64 / 1e3));
        let (found_here, here) = (found - before.0, spent - before.1);
        let is_telling = found_here > 0.0 && here >= BRIEF;
        if is_telling { found_here / here } else { found / spent.max(1e-9) }
    }
}

impl Event {
    /// The document about the event, with its fields in the order of their names; `None` for an
    /// announcement.
    pub fn document(&self) -> Option<Value> {
        let percent = |share: f64| share * 100.0;
        Some(match self {
            Self::Progress(at) | Self::Asked(at) => progress(at),
            Self::Searching(at) => json!({
                "event": "progress", "percent": at.share.map(percent), "said": at.said,
                "elapsed_s": at.elapsed.as_secs_f64(),
            }),
            Self::Back(at) => json!({
                "event": "back", "percent": at.share().map(percent), "back": at,
                "bar": bar(at.share(), parts_of_back(at)),
            }),
            Self::Recounting(at) => json!({
                "event": "recounted", "percent": percent(at.share()), "done": at.done, "units": at.units,
            }),
            Self::Seeded(seed) => json!({"event": "seed", "seed": seed}),
            Self::Resumed(path, header) => json!({
                "event": "resumed", "checkpoint": path.to_string_lossy(),
                "done": header.done, "begun": header.begun, "units": header.units(),
                "found": header.status.found, "spent_s": header.spent.time.as_secs_f64(),
            }),
            Self::Recomputing(at) => json!({"event": "recomputing", "building": at}),
            Self::Divided(at) => json!({"event": "divided", "building": at}),
            Self::SavingStates(bytes) => json!({"event": "saving-states", "bytes": bytes}),
            Self::Saved(path) => json!({"event": "saved", "checkpoint": path.to_string_lossy()}),
            Self::SaveFailed(error) | Self::StatesUnsaved(error) => {
                json!({"event": "save-failed", "error": error})
            }
            Self::StatesDamaged(error) => json!({"event": "states-damaged", "error": error}),
            _ => return None,
        })
    }
}

impl Price {
    /// The expected time in words, as `3h 12m`; `None` if it is unknown.
    pub fn time(&self) -> Option<String> {
        self.seconds.map(time)
    }
}

/// The tours of an event, which does not know which of them the answer counts.
const DIRECTED: CountedTours = CountedTours { directions: 1, noun: "directed tour" };

/// The part of a bar that is filled, in percent, and the words beside it.
fn bar(share: Option<f64>, said: impl IntoIterator<Item = Segment>) -> Value {
    let said: Vec<String> = said.into_iter().map(|[long, _]| long).collect();
    json!({"percent": share.map(|share| share * 100.0), "said": said})
}

fn progress(at: &Snapshot) -> Value {
    let status = &at.status;
    let mut progress = json!({
        "event": "progress", "percent": status.share.map(|share| share * 100.0),
        "done": at.done, "units": at.units, "found": status.found, "nodes": at.nodes.to_string(),
        "tours_per_s": at.rate, "elapsed_s": at.elapsed.as_secs_f64(),
        "left_s": status.left.map(|left| left.as_secs_f64()),
        "bar": bar(Some(share_of_bar(at)), share_and_left(at).map(only).chain(done(at, DIRECTED))),
    });
    if let Some(building) = &status.building {
        progress["building"] = json!(building);
    }
    progress
}
