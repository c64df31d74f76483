//! The statistics of tours as a document, which serde writes in the order of the fields.

use super::{Mean, Stats};
use crate::board::BoardDocument;
use serde::Serialize;
use std::collections::BTreeMap;

/// The statistics of tours, as JSON has them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StatsDocument {
    #[serde(flatten)]
    board: BoardDocument,
    /// The kind of the tours.
    tours: &'static str,
    /// The number of tours.
    count: String,
    /// True if the tours are all tours.
    all: bool,
    crossings: Option<Mean>,
    by_crossings: Vec<(u64, String)>,
    slopes: Vec<Slope>,
    turns: Vec<Turn>,
    reentrant: Share,
    symmetric: Share,
    symmetries: BTreeMap<&'static str, Share>,
    /// The number of ends on each square, of open tours.
    ends: Option<BTreeMap<String, String>>,
    edges: Vec<EdgeShare>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct Slope {
    #[serde(flatten)]
    mean: Mean,
    right: i64,
    up: i64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct Turn {
    degrees: f64,
    #[serde(flatten)]
    mean: Mean,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct Share {
    error: Option<f64>,
    share: f64,
    tours: String,
}

impl Share {
    fn of(tours: u64, share: Mean) -> Self {
        Self { error: share.error, share: share.mean, tours: tours.to_string() }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct EdgeShare {
    error: Option<f64>,
    from: String,
    share: f64,
    to: String,
    tours: String,
}

impl Stats {
    /// The document with all figures.
    pub fn document(&self) -> StatsDocument {
        let board = self.board();
        let ends = board.all_squares().zip(&self.ends);
        let ends = ends.map(|(square, ends)| (board.name(square), ends.to_string()));
        let by_crossings = self.by_crossings.iter();
        let (reentrant, symmetric) = (self.reentrant(), self.symmetric());
        StatsDocument {
            board: board.document(),
            tours: self.kind(),
            count: self.tours.to_string(),
            all: self.is_all,
            crossings: self.crossings(),
            by_crossings: by_crossings.map(|(&some, tours)| (some, tours.to_string())).collect(),
            slopes: self.slopes().map(|((right, up), mean)| Slope { mean, right, up }).collect(),
            turns: self
                .turns()
                .map(|(tenths, mean)| Turn { degrees: f64::from(tenths) / 10.0, mean })
                .collect(),
            reentrant: Share::of(reentrant.0, reentrant.1),
            symmetric: Share::of(symmetric.0, symmetric.1),
            symmetries: self
                .symmetries()
                .map(|(name, tours, share)| (name, Share::of(tours, share)))
                .collect(),
            ends: (!self.is_closed).then(|| ends.collect()),
            edges: self
                .edges()
                .map(|([one, other], uses, share)| EdgeShare {
                    error: share.error,
                    from: board.name(one),
                    share: share.mean,
                    to: board.name(other),
                    tours: uses.to_string(),
                })
                .collect(),
        }
    }
}
