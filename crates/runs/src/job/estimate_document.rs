//! The estimate of a job as a document, which serde writes in the order of the fields.

use super::cost::{CountPrice, StatesRoom};
use super::estimate::{Estimate, EstimateEffort, Estimated};
use crate::estimate::{Expected, Interval, SearchSize};
use crate::question::Question;
use crate::work::Name;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// The estimate of a job, as JSON has it.
#[derive(Serialize)]
pub struct EstimateDocument {
    question: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<String>,
    /// The price of the count that would be made.
    engine: Name,
    threads: usize,
    #[serde(flatten)]
    time: Bounds,
    memory_bytes: Option<f64>,
    disk_bytes: Option<f64>,
    least_memory_bytes: Option<u64>,
    #[serde(flatten)]
    search: Option<SearchFields>,
    /// The states of the frontier, which are null where they are not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    frontier: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

#[derive(Serialize)]
struct SearchFields {
    #[serde(skip_serializing_if = "Option::is_none")]
    split_depth: Option<u32>,
    probes: u64,
    seed: u64,
    #[serde(flatten)]
    nodes: Bounds,
    #[serde(flatten)]
    directed: Bounds,
    nodes_per_s: Option<f64>,
    /// The time of a search, which may not be what a count takes.
    #[serde(flatten)]
    search_time: Bounds,
}

/// A number and its bounds, as `time_s`, `time_low_s` and `time_high_s`.
struct Bounds {
    name: &'static str,
    unit: &'static str,
    /// The number, the lower and the upper bound.
    of: [Option<f64>; 3],
}

impl Bounds {
    /// The tours, of which nothing is known where no probe has found one, unless there is surely
    /// none.
    fn found(tours: &Interval, is_known: bool) -> Self {
        let found = Self::interval("directed", tours);
        if is_known || tours.mean > 0.0 { found } else { Self { of: [None; 3], ..found } }
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

impl Estimate {
    /// The estimate of a question as an object in JSON.
    pub fn json(&self, question: &Question, how: &EstimateEffort) -> String {
        json!(self.document(question, how)).to_string()
    }

    /// The document about the estimate of a question.
    #[doc(hidden)]
    pub fn document(&self, question: &Question, how: &EstimateEffort) -> EstimateDocument {
        let CountPrice { ref engine, threads, seconds, memory, disk } = self.price;
        let times = seconds.map_or([None; 3], |seconds| seconds.map(Some));
        let states = |expected: &Result<Expected, _>| {
            let known = expected.as_ref().ok();
            json!(known.map(|expected| self.room.document(expected, threads)))
        };
        let search = |nodes: &Interval, directed, times| SearchFields {
            split_depth: None,
            probes: 0,
            seed: how.seed,
            nodes: Bounds::interval("nodes", nodes),
            directed,
            nodes_per_s: None,
            search_time: Bounds { name: "search_time", unit: "_s", of: times },
        };
        let exact = |nodes, directed| {
            let [nodes, directed] = [nodes, directed].map(|mean| Interval { mean, error: 0.0 });
            search(&nodes, Bounds::interval("directed", &directed), times)
        };
        let (search, frontier) = match &self.of {
            Estimated::Nothing(_) => (Some(exact(0.0, 0.0)), Some(Value::Null)),
            Estimated::Counted(outcome) => {
                let (nodes, directed) = (outcome.effort.nodes as f64, outcome.units.directed());
                (Some(exact(nodes, directed.to_f64())), Some(Value::Null))
            }
            Estimated::BySubsets(_) => (None, None),
            Estimated::Frontier(expected) => (None, Some(states(expected))),
            Estimated::Search(of) => {
                let SearchSize { nodes, tours, probes } = &of.size;
                let times = [nodes.mean, nodes.low(), nodes.high()];
                let times = times.map(|nodes| of.seconds(nodes, threads));
                let is_known = question.is_impossible() || nodes.error == 0.0;
                let fields = SearchFields {
                    split_depth: Some(of.split_depth),
                    probes: *probes,
                    nodes_per_s: of.nodes_per_s,
                    ..search(nodes, Bounds::found(tours, is_known), times)
                };
                (Some(fields), Some(states(&of.frontier)))
            }
        };
        EstimateDocument {
            question: question.to_string(),
            board: question.board.unusual(),
            engine: engine.clone(),
            threads,
            time: Bounds { name: "time", unit: "_s", of: times },
            memory_bytes: memory,
            disk_bytes: disk,
            least_memory_bytes: self.refused().map(|(_, least)| least),
            search,
            frontier,
            reason: question.impossible().map(|reason| reason.to_string()),
        }
    }
}

impl StatesRoom {
    /// The document about a count by the frontier, with its fields in the order of their names.
    fn document(&self, expected: &Expected, threads: usize) -> Value {
        let forecast = &expected.forecast;
        let ([least, most], [earliest, latest]) = (forecast.bounds(), expected.time_bounds());
        let (states, seconds) = (forecast.states(), expected.seconds());
        let time = |seconds: f64| seconds / threads as f64;
        let in_groups = self.price_of_groups(expected).map(|[guess, lower, upper]| {
        json!({
            "room_bytes": self.bytes,
            "states": states * guess.states,
            "states_low": states * least * lower.states, "states_high": states * most * upper.states,
            "time_s": time(seconds * guess.time),
            "time_low_s": time(seconds * earliest * lower.time), "time_high_s": time(seconds * latest * upper.time),
        })
    });
        json!({
            "states": states, "states_low": states * least, "states_high": states * most,
            "bytes": forecast.bytes, "bytes_low": forecast.bytes * least, "bytes_high": forecast.bytes * most,
            "unit_bytes": forecast.unit_bytes,
            "states_per_s": states / time(seconds), "cpu_before_units_s": expected.before, "cpu_units_s": expected.within,
            "time_s": time(seconds), "time_low_s": time(seconds * earliest), "time_high_s": time(seconds * latest),
            "in_groups": in_groups,
        })
    }
}
