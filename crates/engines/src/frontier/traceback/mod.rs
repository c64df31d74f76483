//! Traceback: from sums over many tours back to single tours, by number (unranking) or to the
//! number of a tour (ranking).
//!
//! A count only keeps sums. Nevertheless any tour can be found by its number without listing those
//! before it: its unit is known from the counts of the units, and a [`Trail`] leads from there back
//! through the stages of both halves. This needs the input of every round, so the count must have
//! kept all its layers. Trails are grouped by the slices that they pass, and each slice is
//! processed once for all its trails.
//!
//! [`choices`] undoes a stage, [`trail`] a round, and [`pairs`] a unit.

mod choices;
mod pairs;
mod trail;

use super::halves::Halves;
use super::unit::Unit;
use super::{BOTTOM, Frontier, Shape, TOP, Workspace};
use crate::board::Square;
use crate::plain;
use crate::rounds::{Built, Layer, StatesUnavailable, Stop, views};
use crate::states::pattern::Pattern;
use crate::tour::Tour;
use num_bigint::BigUint;
pub use trail::Trail;
use trail::{TracedSide, inconsistent, sides};

/// The version of the order in which the tours of a question are numbered. It changes whenever the
/// order does.
pub const ORDER: u32 = 2;

/// A round: the side whose states it leads to, and its number within the sweep of that side.
pub(crate) type RoundPlace = (usize, usize);

impl Frontier {
    /// Returns the tours of a board that is too small to be cut, which has no units to trace
    /// through, in order; `None` for any other question, and for full knight's boards of two rows,
    /// which have none. A tour comes in one direction, unless an end is fixed.
    pub fn listed_tours(&self) -> Option<Vec<Tour>> {
        let question = &self.question;
        let is_listed = !question.board.is_plain() || question.board.squares() == 1;
        if !is_listed || !matches!(self.shape, Shape::Nothing) {
            return None;
        }
        let mut tours = Vec::new();
        plain::visit(question, &mut |squares| {
            let last = squares[squares.len() - 1];
            let is_kept = if question.is_closed() {
                squares[1] > last
            } else {
                !question.is_whole() || squares[0] <= last
            };
            if is_kept {
                tours.extend(Tour::new(&question.board, squares.to_vec()));
            }
        });
        Some(tours)
    }

    /// Begins the trail to the tour with an index, from 0, among the tours of a unit.
    pub fn trail_to(&self, request: usize, index: BigUint) -> Trail {
        let vertices = self.halves().map_or(0, |halves| halves.graph.colours.len());
        Trail::numbered(request, index, vertices)
    }

    /// Begins the trail to the number of a tour, and returns it with the tour's unit; `None` if it
    /// is not a tour of the question.
    pub fn trail_of(&self, request: usize, tour: &Tour) -> Option<(usize, Trail)> {
        if tour.board() != self.question.board {
            return None;
        }
        let halves = self.halves()?;
        let graph = &halves.graph;
        let vertex = |square: &Square| graph.squares.iter().position(|other| other == square);
        let mut cycle = tour.squares().iter().map(vertex).collect::<Option<Vec<_>>>()?;
        cycle.extend(graph.apex);
        let mut trail = Trail::known(request, &cycle);
        let own = Pattern(trail.at_cut(halves).ok()?[TOP].pattern.0 & halves.key);
        let kept = halves.images(own).into_iter().map(|(image, _)| image).min()?;
        let unit = halves.units.binary_search(&kept).ok()?;
        let mut images = halves.images(kept).into_iter();
        let (_, image) = images.find(|(image, _)| *image == own)?;
        trail.is_exchanged = image.is_exchanged;
        trail.legs.iter_mut().for_each(|leg| leg.is_image = image.is_mirrored);
        let states = trail.at_cut(halves).ok()?;
        trail.legs.iter_mut().zip(states).for_each(|(leg, state)| leg.state = state);
        Some((unit, trail))
    }

    /// Traces all trails of a unit back to the input of its slices. `tours` is the number of tours
    /// of the whole unit.
    ///
    /// # Errors
    /// [`StatesUnavailable`] if the kept states cannot be read, do not match the count or do not
    /// fit, or when cancelled.
    pub fn trace_unit(
        &self,
        workspace: &mut Workspace,
        unit: usize,
        tours: &BigUint,
        trails: &mut [Trail],
        stop: Stop,
    ) -> Result<(), StatesUnavailable> {
        let halves = self.cut()?;
        let built = self.built()?;
        let (degrees, contractions) = (halves.units[unit], &self.contractions);
        let slice = |side: usize, degrees: Pattern| {
            built.layers[halves.sweep_of(side)].slice(self.kept_slice(halves, side, degrees))
        };
        let tops = halves.tops(degrees).into_iter().map(|top| Ok((top, slice(TOP, top)?)));
        let tops = tops.collect::<Result<Vec<_>, StatesUnavailable>>()?;
        let tops: Vec<_> = tops.iter().map(|(top, packed)| (*top, views(packed))).collect();
        let bottom = slice(BOTTOM, halves.below(degrees, halves.key))?;
        let unit = Unit { halves, degrees, contractions, stop };
        unit.back((&tops, &views(&bottom)), tours, trails, workspace)
    }

    /// Returns the rounds before the units in the order in which trails are traced through them.
    pub fn rounds_backwards(&self) -> Vec<RoundPlace> {
        let rounds =
            |of: TracedSide| (0..of.sweep.rounds.len()).rev().map(move |round| (of.side, round));
        self.halves().map(sides).into_iter().flatten().flat_map(rounds).collect()
    }

    /// Returns the slice of a round through which a trail leads next, and turns the trail to the
    /// mirror image if that is the one that was kept.
    pub fn slice_of_trail(&self, trail: &mut Trail, (side, round): RoundPlace) -> u64 {
        let sweep = self.all_sweeps().get(self.sweep_of(side));
        let key = sweep.map_or(0, |sweep| sweep.rounds[round].key);
        trail.slice(side, self.partitioning(key))
    }

    /// Returns the packed bytes of a slice; 0 if the states were not kept.
    pub fn bytes_of_slice(&self, (side, round): RoundPlace, slice: u64) -> u64 {
        let sweep = self.sweep_of(side);
        let bytes_of = |built: &Built| Ok(input(built, (sweep, round))?.bytes_of(slice));
        self.built().and_then(|built| bytes_of(&built)).unwrap_or(0)
    }

    /// Traces all trails of a slice back through a round.
    ///
    /// # Errors
    /// [`StatesUnavailable`] if the kept states cannot be read, do not match the count or do not
    /// fit, or when cancelled.
    pub fn trace_round(
        &self,
        workspace: &mut Workspace,
        (side, round): RoundPlace,
        slice: u64,
        trails: &mut [Trail],
        stop: Stop,
    ) -> Result<(), StatesUnavailable> {
        let built = self.built()?;
        let packed = input(&built, (self.sweep_of(side), round))?.slice(slice)?;
        let packed = views(&packed);
        let side = sides(self.cut()?)[side];
        side.through(round, &packed, self.is_mirrored(), trails, workspace, stop)
    }

    /// Returns the tour of a trail that was traced back to the beginning.
    ///
    /// # Errors
    /// [`StatesUnavailable`] if the kept states do not match the count.
    pub fn tour_of(&self, trail: &Trail) -> Result<Tour, StatesUnavailable> {
        let graph = &self.cut()?.graph;
        let question = &self.question;
        let first = graph.squares.iter().position(|square| square.index() == 0);
        let start = graph.apex.or(first).unwrap_or_default();
        let cycle = trail.cycle(start).ok_or_else(inconsistent)?;
        let squares = cycle.iter().filter(|&&vertex| Some(vertex) != graph.apex);
        let mut squares: Vec<Square> = squares.map(|&vertex| graph.squares[vertex]).collect();
        let last = squares[squares.len() - 1];
        let is_reversed = match (question.is_closed(), question.from(), question.to()) {
            // The direction that a plain search finds first: towards the row on top.
            (true, ..) => squares[1] < last,
            (_, Some(from), _) => squares[0] != from,
            (_, _, Some(to)) => last != to,
            _ => last < squares[0],
        };
        if is_reversed {
            squares[usize::from(question.is_closed())..].reverse();
        }
        Tour::new(&question.board, squares).map_err(|_| inconsistent())
    }

    /// Returns the sweep that leads to the states of a side.
    fn sweep_of(&self, side: usize) -> usize {
        self.halves().map_or(side, |halves| halves.sweep_of(side))
    }

    /// Returns both halves; an error if the board is not cut.
    fn cut(&self) -> Result<&Halves, StatesUnavailable> {
        self.halves().ok_or_else(inconsistent)
    }
}

/// Returns the input of a round.
fn input(built: &Built, (sweep, round): (usize, usize)) -> Result<&dyn Layer, StatesUnavailable> {
    let input = built.inputs.get(sweep).and_then(|inputs| inputs.get(round));
    let is_missing =
        || StatesUnavailable::Damaged("the states between the rounds were not kept".to_owned());
    input.map(AsRef::as_ref).ok_or_else(is_missing)
}
