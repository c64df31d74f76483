//! The counts of boards of all lengths, met on the way of one sweep.
//!
//! While a sweep goes along a strip, a cycle closes now and then. If the vertices that are closed and those with both edges
//! are just the first so many squares, it is a tour of the board that they make. A state that can come to nothing on a long
//! board may still close on a short one, so the strip is longer than the longest board that is asked for: by as much
//! as is needed for every square that an edge from this board can reach to have all its neighbours.

use super::block::pack;
use super::half::Half;
use super::halves::rounds;
use super::matching::Maps;
use super::pattern::Pattern;
use super::round::{self, Worker};
use super::{FrontierError, LONGEST_SHORT_SIDE};
use crate::board::Board;
use crate::cursor::Piece;
use crate::graph::Graph;
use crate::question::Question;
use crate::rounds::{Built, Dealt, Lost, Rounds};
use crate::tally::Tally;
use crate::work::{Advance, Identity, Pause, Recount, Split, Sweeps, Work};
use std::sync::{Arc, OnceLock};

/// The name of this engine in files, for whole columns and for every square.
pub const TABLE: &str = "table";
/// For every square.
pub const PARTIAL_TABLE: &str = "partial-table";

/// The tours of all boards with as many rows as a question's and up to as many columns. A unit is a board.
pub struct Table {
    question: Question,
    is_partial: bool,
    /// None for strips on which there are no tours.
    half: Option<Half>,
    is_mirrored: bool,
    maps: Arc<Maps>,
    built: OnceLock<Built>,
}

impl Table {
    /// Sets the table to the tours of a question with free ends: of whole columns, or of the first 1, 2, 3 ... squares.
    ///
    /// # Errors
    /// [`FrontierError::TooWide`] when there are too many rows.
    pub fn new(question: Question, is_partial: bool) -> Result<Self, FrontierError> {
        let board = question.board;
        let longer = Board::new(board.rows(), board.cols() + 4);
        let Some(longer) = longer.ok().filter(|_| board.rows() <= LONGEST_SHORT_SIDE) else {
            return Err(FrontierError::TooWide(board));
        };
        let graph = Graph::endless(longer, question.is_closed(), is_partial);
        let vertices: Vec<usize> = (0..board.squares()).collect();
        let step = if is_partial { 1 } else { graph.width };
        let is_mirrored = graph.mirror.is_some();
        let (rounds, kept) = (rounds(&graph, &vertices), vec![None; graph.colours.len()]);
        let half = Half::new(&graph, &rounds, &kept, &[], Some(step));
        Ok(Self {
            question,
            is_partial,
            half,
            is_mirrored,
            maps: Arc::default(),
            built: OnceLock::new(),
        })
    }

    fn squares(&self, unit: usize) -> usize {
        let step = if self.is_partial { 1 } else { self.question.board.rows() as usize };
        (unit + 1) * step
    }
}

impl Work for Table {
    type Piece = Piece;
    type Worker = Worker;

    fn identity(&self) -> Identity {
        let engine = if self.is_partial { PARTIAL_TABLE } else { TABLE };
        Identity {
            question: self.question,
            engine: engine.to_owned(),
            split: Split::Lengths { every_square: self.is_partial },
            units: self.units() as u64,
        }
    }

    fn units(&self) -> usize {
        self.question.board.squares() / self.squares(0)
    }

    /// The number of columns, or of squares.
    fn label(&self, unit: usize) -> String {
        (unit + 1).to_string()
    }

    fn worker(&self) -> Worker {
        Worker::new(Arc::clone(&self.maps))
    }

    fn begin(&self, _unit: usize) -> Piece {
        Piece::whole(&[])
    }

    fn accepts(&self, unit: usize, piece: &Piece) -> bool {
        *piece == self.begin(unit)
    }

    fn advance(
        &self,
        _: &mut Worker,
        unit: usize,
        _: &Piece,
        _: &dyn Fn() -> Pause,
    ) -> Result<Advance<Piece>, Lost> {
        let squares = self.squares(unit);
        let met = self.built.get().into_iter().flat_map(|built| &built.met);
        let cycles = met
            .filter(|(name, _)| *name as usize == squares)
            .map(|(_, cycles)| Tally::from(cycles.clone()));
        let found = match squares {
            1 => Tally::from(u32::from(!self.question.is_closed())),
            _ => cycles.sum::<Tally>() * 2,
        };
        Ok(Advance { found, nodes: 0, rest: None })
    }

    fn recount(&self, _: usize, _: &dyn Fn() -> bool) -> Option<Recount> {
        None
    }

    fn sweeps(&self) -> Option<Sweeps<'_, Self>> {
        Some(self)
    }
}

impl Rounds for Table {
    type Worker = Worker;

    fn rounds(&self) -> Vec<usize> {
        self.half.iter().map(|half| half.rounds.len()).collect()
    }

    fn start(&self) -> Dealt {
        start()
    }

    fn advance(
        &self,
        worker: &mut Worker,
        (_, number): (usize, usize),
        slice: u64,
        packed: &[&[u8]],
        stop: &dyn Fn() -> bool,
        deal: &mut dyn FnMut(Dealt),
    ) -> Option<Dealt> {
        let at = (self.half.as_ref()?, number, self.is_mirrored);
        round::advance(at, slice, packed, worker, stop, deal)
    }

    fn ready(&self, built: Built) {
        // Whoever comes second has built the same.
        let _ = self.built.set(built);
    }
}

/// What every sweep begins with: one way to choose nothing.
pub(crate) fn start() -> Dealt {
    let mut start = Dealt { parts: vec![(0, 0)], states: 1, ..Dealt::default() };
    pack(Pattern::default(), &[0], &[1_u32], &mut start.bytes);
    start
}
