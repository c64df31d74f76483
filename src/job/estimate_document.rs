//! The estimate of a job as a document, which serde writes in the order of the fields.

use super::estimate::{EstimateEffort, Estimated, StatesRoom};
use crate::estimate::{Expected, Interval};
use crate::question::Question;
use crate::work::Name;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// The estimate of a job, as JSON has it.
#[derive(Serialize)]
pub(crate) struct EstimateDocument {
    question: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<String>,
    #[serde(flatten)]
    of: Fields,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Fields {
    States { frontier: Value },
    Subsets { engine: Name, time_high_s: f64 },
    Search(Box<SearchFields>),
}

#[derive(Serialize)]
struct SearchFields {
    #[serde(flatten)]
    of: Option<Source>,
    probes: u64,
    seed: u64,
    #[serde(flatten)]
    nodes: Bounds,
    #[serde(flatten)]
    directed: Bounds,
    #[serde(flatten)]
    pace: Option<PaceDocument>,
    #[serde(flatten)]
    time: Bounds,
    frontier: Value,
}

/// The search that the numbers are of.
#[derive(Serialize)]
#[serde(untagged)]
enum Source {
    Counted { engine: Name, threads: usize },
    Estimated { split_depth: u32 },
}

#[derive(Serialize)]
struct PaceDocument {
    threads: usize,
    nodes_per_s: Option<f64>,
}

/// A number and its bounds, as `time_s`, `time_low_s` and `time_high_s`.
struct Bounds {
    name: &'static str,
    unit: &'static str,
    /// The number, the lower and the upper bound.
    of: [Option<f64>; 3],
}

impl Bounds {
    fn exactly(name: &'static str, unit: &'static str, number: f64) -> Self {
        Self { name, unit, of: [Some(number); 3] }
    }

    fn interval(name: &'static str, number: &Interval) -> Self {
        let of = [number.mean, number.low(), number.high()].map(Some);
        Self { name, unit: "", of }
    }
}

impl Serialize for Bounds {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let key = |bound| format!("{}{bound}{}", self.name, self.unit);
        to.collect_map(["", "_low", "_high"].map(key).into_iter().zip(self.of))
    }
}

impl Estimated {
    /// The estimate of a question on `threads` threads as an object in JSON.
    pub fn json(
        &self,
        question: &Question,
        how: &EstimateEffort,
        threads: usize,
        room: &StatesRoom,
    ) -> String {
        json!(self.document(question, how, threads, room)).to_string()
    }

    /// The document about the estimate of a question on `threads` threads.
    pub(crate) fn document(
        &self,
        question: &Question,
        how: &EstimateEffort,
        threads: usize,
        room: &StatesRoom,
    ) -> EstimateDocument {
        let states = |expected: &Expected| room.document(expected, threads);
        let exact = |of, nodes, directed, seconds| SearchFields {
            of,
            probes: 0,
            seed: how.seed,
            nodes: Bounds::exactly("nodes", "", nodes),
            directed: Bounds::exactly("directed", "", directed),
            pace: None,
            time: Bounds::exactly("time", "_s", seconds),
            frontier: Value::Null,
        };
        let of = match self {
            Self::Nothing(_) => Fields::Search(Box::new(exact(None, 0.0, 0.0, 0.0))),
            Self::Counted(outcome) => {
                let (effort, units) = (&outcome.effort, &outcome.units);
                let (engine, threads) = (units.identity.engine.clone(), effort.threads);
                let (nodes, seconds) = (effort.nodes as f64, effort.elapsed.as_secs_f64());
                let (of, directed) = (Source::Counted { engine, threads }, units.directed());
                Fields::Search(Box::new(exact(Some(of), nodes, directed.to_f64(), seconds)))
            }
            Self::BySubsets(seconds) => {
                Fields::Subsets { engine: Name::Subsets, time_high_s: seconds / threads as f64 }
            }
            Self::Frontier(expected) => {
                Fields::States { frontier: json!(expected.as_ref().ok().map(states)) }
            }
            Self::Search(search) => {
                let (nodes, tours) = (&search.size.nodes, &search.size.tours);
                let nodes_of = [nodes.mean, nodes.low(), nodes.high()];
                Fields::Search(Box::new(SearchFields {
                    of: Some(Source::Estimated { split_depth: search.split_depth }),
                    probes: search.size.probes,
                    seed: how.seed,
                    nodes: Bounds::interval("nodes", nodes),
                    directed: Bounds::interval("directed", tours),
                    pace: Some(PaceDocument { threads, nodes_per_s: search.nodes_per_s }),
                    time: Bounds {
                        name: "time",
                        unit: "_s",
                        of: nodes_of.map(|nodes| search.seconds(nodes, threads)),
                    },
                    frontier: json!(search.frontier.as_ref().ok().map(states)),
                }))
            }
        };
        let (board, reason) = (question.board.unusual(), question.impossible());
        let reason = reason.map(|reason| reason.to_string());
        EstimateDocument { question: question.to_string(), board, of, reason }
    }
}

impl StatesRoom {
    /// The document about a count by the frontier, with its fields in the order of their names.
    fn document(&self, expected: &Expected, threads: usize) -> Value {
        let forecast = &expected.forecast;
        let [least, most] = forecast.bounds();
        let (states, seconds) = (forecast.states(), expected.seconds());
        let time = |seconds: f64| seconds / threads as f64;
        let in_groups = self.price_of_groups(expected).map(|[guess, lower, upper]| {
        json!({
            "room_bytes": self.bytes,
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
            "least_memory_bytes": self.refused.map(|(_, least)| least),
        })
    }
}
