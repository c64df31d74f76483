//! The interface between engines and long runs: work that advances in pieces and can be saved
//! between them.
//!
//! A run never asks which engine it drives. It sees *units*, which are fixed by the question and
//! the split and are what a fingerprint, a shard or an audit speaks of, and *pieces*, which are
//! what is still to be done of a unit: plain values that can be advanced, written to disk and
//! resumed by another process. A [`Worker`] advances them on one thread. The units of an engine
//! that searches no tree are atomic: a piece is the whole of its unit until the unit is done.
//!
//! The invariant of every engine: the count of a unit is the sum of what [`Worker::advance`] finds
//! in the pieces that come from [`Work::begin`], however often they are paused, saved or split. An
//! engine that has to build something before its units says how in [`Work::sweeps`]; its count is
//! still a sum over units.

pub use crate::cursor::UnitPiece;
use crate::legible::legible;
use crate::question::Question;
pub use crate::rounds::Stop;
use crate::rounds::{Rounds, StatesUnavailable};
use crate::tally::Tally;
use serde::{Deserialize, Serialize};
use std::fmt;

/// An engine set to one question, ready to be advanced by many workers at once.
pub trait Work: Sync {
    /// The question, the engine and the split: what a saved run must agree with to be resumed.
    fn identity(&self) -> Identity;

    /// The number of units.
    fn units(&self) -> usize {
        self.identity().units as usize
    }

    /// The label of a unit as people read it. It is the same in every run of the question with this
    /// split.
    fn label(&self, unit: usize) -> String;

    /// A new worker for one thread.
    fn worker(&self) -> Box<dyn Worker + '_>;

    /// A worker for probes, with little memory of its own: it is one more than there are threads.
    fn prober(&self) -> Box<dyn Worker + '_> {
        self.worker()
    }

    /// True if the engine searches a tree. If not, its units are atomic: they are counted as a
    /// whole or not at all.
    fn is_tree(&self) -> bool {
        false
    }

    /// An estimate of the cost of a unit, comparable between units only. In a search tree it is the
    /// mean number of nodes of a few probes, rough for one unit and good for the sum over hundreds;
    /// otherwise all units cost the same.
    fn cost(&self, worker: &mut dyn Worker, unit: usize) -> f64 {
        const PROBES: u64 = 2;
        let nodes = |seed| worker.probe(unit, seed).map(|probe| probe.nodes);
        let nodes: Option<f64> = (0..PROBES).map(nodes).sum();
        nodes.map_or(1.0, |nodes| nodes / PROBES as f64)
    }

    /// Bytes of memory that a unit takes while it is worked on, besides those of its worker.
    fn memory(&self, _unit: usize) -> u64 {
        0
    }

    /// Restricts the sweeps to the states that these units need. Afterwards no other unit can be
    /// counted. They are expected to be this share of the work.
    fn restrict_to(&mut self, _units: &[usize], _share: f64) {}

    /// Bounds the bytes of memory that a worker needs for itself, and those that it keeps of a
    /// unit.
    fn limit_memory(&mut self, _scratch: u64, _unit: u64) {}

    /// A number that divides the count of a unit: the size of its orbit, and twice that if both
    /// directions of a tour are in one unit.
    fn divisor(&self, _unit: usize) -> u64 {
        1
    }

    /// The piece that consists of the whole unit.
    fn begin(&self, _unit: usize) -> UnitPiece {
        UnitPiece::whole(&[])
    }

    /// True if a piece that was read from a file is one that this work could have made of `unit`.
    fn accepts(&self, unit: usize, piece: &UnitPiece) -> bool {
        *piece == self.begin(unit)
    }

    /// The number of bits of the residues, if what is found in the pieces of a unit are residues
    /// modulo a power of two: then only their sum over the whole unit, modulo the same power, is a
    /// number of tours. `None` if what is found in each piece is a number of tours.
    fn residues(&self) -> Option<u32> {
        None
    }

    /// The count of a piece of a unit by a simpler engine than this one, in at most `memory` bytes
    /// for its states. An engine that can be paused within the piece says what is left of it.
    ///
    /// # Errors
    /// [`NotRecounted`] if it is stopped and has nothing to keep, or takes more memory.
    fn recount(
        &self,
        unit: usize,
        piece: &UnitPiece,
        memory: u64,
        stop: Stop,
    ) -> Result<Recount, NotRecounted>;

    /// Another work that counts the tours of one unit alone, for units that
    /// [`recount`](Self::recount) cannot count in the memory that there is; `None` where there is
    /// none.
    fn recut(&self, _unit: usize) -> Option<Recut<'_>> {
        None
    }

    /// The sweeps that come before the units; `None` where nothing has to be built.
    fn sweeps(&self) -> Option<&dyn Rounds> {
        None
    }
}

/// One thread of an engine at work: the engine, with the board, the tables and the buffers that the
/// thread does not share.
pub trait Worker: Send {
    /// Works on a piece of a unit until it is done or `pause` says so; `pause` is called every few
    /// milliseconds.
    ///
    /// # Errors
    /// [`StatesUnavailable`] if the states that the sweeps have left cannot be read back.
    fn advance(
        &mut self,
        unit: usize,
        piece: &UnitPiece,
        pause: &dyn Fn() -> Pause,
    ) -> Result<Advance, StatesUnavailable>;

    /// The same work in several pieces, where it can be divided; otherwise the piece alone.
    fn split(&mut self, piece: UnitPiece) -> Vec<UnitPiece> {
        vec![piece]
    }

    /// A random probe of a unit, the same for the same seed; `None` where no tree is searched.
    fn probe(&mut self, _unit: usize, _seed: u64) -> Option<Probe> {
        None
    }

    /// Makes the worker ask every `nodes` nodes whether to pause, on the first `levels` levels of
    /// its tree.
    #[cfg(test)]
    fn pause_often(&mut self, _nodes: u64, _levels: usize) {}
}

/// The answer to a worker that asks whether to return before its piece is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pause {
    /// Continue.
    No,
    /// Return soon, because a report is due or another thread wants a part of the piece. An engine
    /// that can pause anywhere returns; one with atomic units continues.
    Soon,
    /// Return now, because the run stops. Every engine returns within a fraction of a second. One
    /// with atomic units gives up what it has done of the unit, and returns nothing found and the
    /// same piece as what remains.
    Now,
}

/// The estimate from one random path down the search tree of a unit (Knuth 1975). Each number is
/// unbiased but nearly always far off; only the mean of many probes is of use. Values past the
/// largest `f64`, about 10^308, are infinite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Probe {
    /// Nodes of the tree.
    pub nodes: f64,
    /// Directed tours, weighted like the count of the unit.
    pub tours: f64,
}

/// The product of two estimates, the first of which may be infinite; a factor of 0 gives 0 even
/// then.
pub fn times(product: f64, number: f64) -> f64 {
    if number == 0.0 { 0.0 } else { product * number }
}

/// The identity of a run. Two runs with equal identities have the same units in the same order, so
/// one can resume the other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The question.
    pub question: Question,
    /// The engine.
    pub engine: Name,
    /// The split into units.
    pub split: Split,
    /// The number of units.
    pub units: u64,
}

/// An engine by name, as on the command line and in files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
#[non_exhaustive]
pub enum Name {
    /// Extends paths, square by square.
    Walk,
    /// Counts without listing.
    Frontier,
    /// Adds and subtracts walks within sets of squares.
    Subsets,
    /// Counts boards of all lengths, of whole columns, without listing.
    Table,
    /// Counts boards of the first n squares for every n, without listing.
    PartialTable,
    /// An engine that is not in this library.
    Other(String),
}

impl Name {
    /// The text in files.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Walk => "walk",
            Self::Frontier => "frontier",
            Self::Subsets => "subsets",
            Self::Table => "table",
            Self::PartialTable => "partial-table",
            Self::Other(name) => name,
        }
    }
}

/// The largest number of characters of the name of an engine.
const LONGEST_NAME: usize = 40;

impl From<String> for Name {
    fn from(text: String) -> Self {
        let known = [Self::Walk, Self::Frontier, Self::Subsets, Self::Table, Self::PartialTable];
        let other = || Self::Other(legible(&text, LONGEST_NAME, false));
        known.into_iter().find(|name| name.as_str() == text).unwrap_or_else(other)
    }
}

impl From<Name> for String {
    fn from(name: Name) -> Self {
        name.as_str().to_owned()
    }
}

impl fmt::Display for Name {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.as_str())
    }
}

/// The split of a count into units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Split {
    /// A search tree, divided at this depth.
    Depth(u32),
    /// Edges divided into two classes, written as `middle:8` or `30:6`. A unit is everything that
    /// both classes produce for one choice of the degrees of the sliced squares.
    Cut {
        /// The edges of the first class.
        class: EdgeClass,
        /// The largest number of sliced squares: squares with edges of both classes whose degrees
        /// name a unit.
        sliced: u32,
    },
    /// One sweep over boards of many lengths, each of which is a unit: boards of whole columns, or
    /// of every number of squares.
    Lengths {
        /// True if there is a unit for every number of squares, false for whole columns only.
        every_square: bool,
    },
}

/// The reason why a text is no cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ParseCutError {
    /// It is a cut of three numbers, such as `30:4:6`.
    #[error(
        "cuts of three numbers are of an earlier version, which divided boards into other units: \
         write CLASS:Q, such as middle:8, or leave it out for the cut of the board"
    )]
    Earlier,
    /// It is something else.
    #[error(
        "write CLASS:Q, such as middle:8 or 30:6: the edges before the cut, and the most sliced squares"
    )]
    Form,
}

/// The edges that the first of two classes has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum EdgeClass {
    /// All edges of the first squares in the order of the sweep, written as their number.
    First(u32),
    /// The edges that are nearer to the beginning of the order than their images under a symmetry
    /// of the board, written as `middle`, or `middle2` with the second rule.
    Nearer {
        /// The rule for edges that are as near to the beginning as their images: the second makes
        /// the opposite choice of the first.
        second_rule: bool,
    },
    /// Of an odd number of lines, the edges that are nearer to the beginning of the order than to
    /// its end if the last line is left out, written as `beside`. The second class is the image of
    /// such a class of a board with one more line.
    Beside,
}

/// The class as a part of a cut.
impl fmt::Display for EdgeClass {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::First(squares) => write!(out, "{squares}"),
            Self::Nearer { second_rule: false } => write!(out, "middle"),
            Self::Nearer { second_rule: true } => write!(out, "middle2"),
            Self::Beside => write!(out, "beside"),
        }
    }
}

/// The question, the engine, the split and the units in words.
impl fmt::Display for Identity {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { question, engine, split, units } = self;
        let plural = if *units == 1 { "" } else { "s" };
        write!(out, "{question} (engine {engine}, {split}, {units} unit{plural})")
    }
}

impl Split {
    /// The split as a part of a file name.
    pub fn name(self) -> String {
        self.cut().map_or_else(|| self.depth().to_string(), |cut| cut.replace(':', "-"))
    }

    /// The depth at which a search tree is divided; 0 for a sweep, which has none.
    pub fn depth(self) -> u32 {
        match self {
            Self::Depth(depth) => depth,
            Self::Cut { .. } | Self::Lengths { .. } => 0,
        }
    }

    /// The cut of a sweep, as `middle:8`; `None` for a search tree.
    pub fn cut(self) -> Option<String> {
        match self {
            Self::Depth(_) | Self::Lengths { .. } => None,
            Self::Cut { class, sliced } => Some(format!("{class}:{sliced}")),
        }
    }

    /// Reads a cut as [`Split::cut`] writes it.
    ///
    /// # Errors
    /// [`ParseCutError`] if the text is no cut, or one of an earlier version.
    pub fn parse_cut(text: &str) -> Result<Self, ParseCutError> {
        let parts: Vec<&str> = text.split(':').collect();
        let number = |text: &str| text.parse::<u32>().map_err(|_| ParseCutError::Form);
        let class = |text| match text {
            "middle" => Ok(EdgeClass::Nearer { second_rule: false }),
            "middle2" => Ok(EdgeClass::Nearer { second_rule: true }),
            "beside" => Ok(EdgeClass::Beside),
            squares => number(squares).map(EdgeClass::First),
        };
        match parts[..] {
            [of, sliced] => Ok(Self::Cut { class: class(of)?, sliced: number(sliced)? }),
            [_, _, _] if parts.iter().all(|part| number(part).is_ok()) => {
                Err(ParseCutError::Earlier)
            }
            _ => Err(ParseCutError::Form),
        }
    }
}

/// The split in words.
impl fmt::Display for Split {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Depth(depth) => write!(out, "split depth {depth}"),
            Self::Cut { class, sliced } => write!(out, "cut {class}:{sliced}"),
            Self::Lengths { .. } => write!(out, "one unit per board length"),
        }
    }
}

/// The recount of a unit by a simpler engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recount {
    /// The unit's count.
    pub count: Tally,
    /// The engine that counted it, in words: `plain backtracking`.
    pub by: &'static str,
    /// The rest of the unit, which is not in the count, if it was stopped.
    pub rest: Option<UnitPiece>,
}

/// The reason why a unit was not recounted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotRecounted {
    /// It was cancelled.
    Stopped,
    /// It takes more memory than allowed, or cannot be done in any.
    TooLarge,
}

/// A work whose units together are a unit of another work.
pub struct Recut<'a> {
    /// The work.
    pub work: Box<dyn Work + 'a>,
    /// The factor between its count and that of the unit, which may stand for mirror images.
    pub images: u32,
    /// The method, in words.
    pub by: &'static str,
}

/// The result of working on a piece.
#[derive(Debug, Clone)]
pub struct Advance {
    /// Tours found, weighted: directed tours of the whole question.
    pub found: Tally,
    /// Nodes of the search tree visited.
    pub nodes: u64,
    /// The piece that remains, if the worker returned before the end.
    pub rest: Option<UnitPiece>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_are_read_as_they_are_written() {
        for text in ["30:6", "middle:8", "middle2:0", "beside:8"] {
            let split = Split::parse_cut(text);
            assert_eq!(split.map(Split::cut), Ok(Some(text.to_owned())));
            assert_eq!(split.map(|split| split.to_string()), Ok(format!("cut {text}")));
        }
        assert_eq!(Split::Depth(4).to_string(), "split depth 4");
        assert_eq!(Split::Depth(4).cut(), None);
        for wrong in ["", "30", "middle:4:6", "30:4:6:2", "middle3:4", "middle:x", "-30:6"] {
            assert_eq!(Split::parse_cut(wrong), Err(ParseCutError::Form), "{wrong}");
        }
        assert_eq!(Split::parse_cut("30:4:6"), Err(ParseCutError::Earlier));
    }

    #[test]
    fn engines_are_written_as_their_names_and_read_back() {
        for name in ["walk", "frontier", "subsets", "table", "partial-table", "another"] {
            let written = serde_json::Value::from(name);
            let read: Name = serde_json::from_value(written.clone()).expect("a name");
            assert_eq!(matches!(read, Name::Other(_)), name == "another");
            assert_eq!(serde_json::to_value(&read).expect("a text"), written);
        }
    }
}
