//! The estimate of a job as a document, which serde writes in the order of the fields.

use super::cost::{CountPrice, StatesRoom};
use super::estimate::{Estimate, EstimateEffort, Estimated};
use crate::estimate::{Expected, Interval};
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
    #[serde(flatten)]
    price: PriceFields,
    #[serde(flatten)]
    of: Fields,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// The price of the count that would be made.
#[derive(Serialize)]
struct PriceFields {
    engine: Name,
    threads: usize,
    #[serde(flatten)]
    time: Bounds,
    memory_bytes: Option<f64>,
    disk_bytes: Option<f64>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Fields {
    States { frontier: Value },
    Subsets {},
    Search(Box<SearchFields>),
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
    frontier: Value,
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

    /// The tours, of which nothing is known where no probe has found one: that does not mean that
    /// there is none.
    fn found(tours: &Interval) -> Self {
        let found = Self::interval("directed", tours);
        if tours.mean > 0.0 { found } else { Self { of: [None; 3], ..found } }
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
        let CountPrice { engine, threads, seconds, memory, disk } = &self.price;
        let threads = *threads;
        let times = seconds.map_or([None; 3], |seconds| seconds.map(Some));
        let price = PriceFields {
            engine: engine.clone(),
            threads,
            time: Bounds { name: "time", unit: "_s", of: times },
            memory_bytes: *memory,
            disk_bytes: *disk,
        };
        let states = |expected: &Expected| self.room.document(expected, threads);
        let exact = |nodes, directed| SearchFields {
            split_depth: None,
            probes: 0,
            seed: how.seed,
            nodes: Bounds::exactly("nodes", "", nodes),
            directed: Bounds::exactly("directed", "", directed),
            nodes_per_s: None,
            search_time: Bounds { name: "search_time", unit: "_s", of: times },
            frontier: Value::Null,
        };
        let of = match &self.of {
            Estimated::Nothing(_) => Fields::Search(Box::new(exact(0.0, 0.0))),
            Estimated::Counted(outcome) => {
                let (nodes, directed) = (outcome.effort.nodes as f64, outcome.units.directed());
                Fields::Search(Box::new(exact(nodes, directed.to_f64())))
            }
            Estimated::BySubsets(_) => Fields::Subsets {},
            Estimated::Frontier(expected) => {
                Fields::States { frontier: json!(expected.as_ref().ok().map(states)) }
            }
            Estimated::Search(search) => {
                let (nodes, tours) = (&search.size.nodes, &search.size.tours);
                let nodes_of = [nodes.mean, nodes.low(), nodes.high()];
                Fields::Search(Box::new(SearchFields {
                    split_depth: Some(search.split_depth),
                    probes: search.size.probes,
                    seed: how.seed,
                    nodes: Bounds::interval("nodes", nodes),
                    directed: Bounds::found(tours),
                    nodes_per_s: search.nodes_per_s,
                    search_time: Bounds {
                        name: "search_time",
                        unit: "_s",
                        of: nodes_of.map(|nodes| search.seconds(nodes, threads)),
                    },
                    frontier: json!(search.frontier.as_ref().ok().map(states)),
                }))
            }
        };
        let (board, reason) = (question.board.unusual(), question.impossible());
        let reason = reason.map(|reason| reason.to_string());
        EstimateDocument { question: question.to_string(), board, price, of, reason }
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
