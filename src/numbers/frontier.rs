//! Numbers and tours: what a run needs to take [`Trail`]s back from the units to the beginning.

use super::pairs::Unit;
use super::trail::{Trail, inconsistent, sides};
use crate::board::Square;
use crate::frontier::halves::Halves;
use crate::frontier::{BOTTOM, Frontier, TOP, Workspace, views};
use crate::rounds::{Built, Layer, StatesUnavailable};
use crate::states::pattern::Pattern;
use crate::tally::Tally;
use crate::tour::Tour;
use num_bigint::BigUint;

/// The version of the order in which the tours of a question are numbered: another order has another.
pub const ORDER: u32 = 1;

/// A round, by sweep and number.
pub(super) type Place = (usize, usize);

impl Frontier {
    /// How many tours are told apart in a number of directed ones: cycles, open tours up to reversal, or directed ones if
    /// an end is fixed.
    pub(super) fn told_apart(&self, directed: &Tally) -> Tally {
        directed / u64::from(self.question.directions())
    }

    /// The tour of a board of one square, if that is all there is.
    pub(super) fn only_tour(&self) -> Option<Tour> {
        let is_only = self.halves().is_none() && self.count_small() > Tally::ZERO;
        let square = self.question.board.all_squares().next()?;
        Tour::new(self.question.board, vec![square]).ok().filter(|_| is_only)
    }

    /// The beginning of the way to the tour with an index, from 0, among those of a unit. The name is for whoever asks.
    pub(super) fn numbered(&self, name: usize, index: BigUint) -> Trail {
        let vertices = self.halves().map_or(0, |halves| halves.graph.colours.len());
        Trail::numbered(name, index, vertices)
    }

    /// The beginning of the way to the number of a tour, and the unit that it is in; `None` if it is no tour of the question.
    pub(super) fn known(&self, name: usize, tour: &Tour) -> Option<(usize, Trail)> {
        if tour.board() != self.question.board {
            return None;
        }
        let halves = self.halves()?;
        let graph = &halves.graph;
        let vertex = |square: &Square| graph.squares.iter().position(|other| other == square);
        let mut cycle = tour.squares().iter().map(vertex).collect::<Option<Vec<_>>>()?;
        cycle.extend(graph.apex);
        let mut trail = Trail::known(name, &cycle);
        let at_cut = |is_image| trail.at_cut(halves, is_image).ok();
        let mut states = at_cut(false)?;
        let own = Pattern(states[TOP].pattern.0 & halves.key);
        let kept = self.dealing(halves.key).slice_of(own);
        let is_image = own != kept;
        if is_image {
            states = at_cut(true)?;
        }
        let unit = halves.units.binary_search(&kept).ok()?;
        for side in [TOP, BOTTOM] {
            trail.legs[side].state = states[side];
            trail.legs[side].is_image = is_image;
        }
        Some((unit, trail))
    }

    /// Takes all trails of a unit, which stands for so many tours, back to what its slices come from; `None` when `stop` said so.
    ///
    /// # Errors
    /// [`StatesUnavailable`] when what was kept cannot be had back, or is not what was counted.
    pub(super) fn through_unit(
        &self,
        workspace: &mut Workspace,
        (unit, tours): (usize, &BigUint),
        trails: &mut [Trail],
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<()>, StatesUnavailable> {
        let halves = self.cut()?;
        let built = self.built()?;
        let slices = self.slices_of(unit).ok_or_else(inconsistent)?;
        let top = built.layers[TOP].slice(slices[TOP])?;
        let bottom = built.layers[BOTTOM].slice(slices[BOTTOM])?;
        let (top, bottom) = (views(&top), views(&bottom));
        let unit = Unit {
            halves,
            degrees: halves.units[unit],
            tours,
            packed: [&top, &bottom],
            contractions: &self.contractions,
            stop,
        };
        unit.back(trails, workspace).transpose()
    }

    /// The rounds before the units in the order in which trails go back through them.
    pub(super) fn rounds_back(&self) -> Vec<Place> {
        let rounds = |sweep| {
            let rounds = self.half(sweep).map_or(0, |half| half.first().len());
            (0..rounds).rev().map(move |round| (sweep, round))
        };
        [TOP, BOTTOM].into_iter().flat_map(rounds).collect()
    }

    /// The slice of a round through which a trail goes next.
    pub(super) fn slice(&self, trail: &mut Trail, (sweep, round): Place) -> u64 {
        let key = self.half(sweep).map_or(0, |half| half.rounds[round].key);
        trail.slice(sweep, self.dealing(key))
    }

    /// How many bytes the slice of a round has.
    pub(super) fn bytes_of(&self, (sweep, round): Place, slice: u64) -> u64 {
        let bytes_of = |built: &Built| Ok(input(built, (sweep, round))?.bytes_of(slice));
        self.built().and_then(|built| bytes_of(&built)).unwrap_or(0)
    }

    /// Takes all trails of a slice back through a round; `None` when `stop` said so.
    ///
    /// # Errors
    /// [`StatesUnavailable`] when what was kept cannot be had back, or is not what was counted.
    pub(super) fn back(
        &self,
        workspace: &mut Workspace,
        (sweep, round): Place,
        slice: u64,
        trails: &mut [Trail],
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<()>, StatesUnavailable> {
        let built = self.built()?;
        let packed = input(&built, (sweep, round))?.slice(slice)?;
        let packed = views(&packed);
        let within = sides(self.cut()?)[sweep];
        let went = within.through(round, &packed, self.is_mirrored(), trails, workspace, stop);
        went.transpose()
    }

    /// The tour at the end of a trail.
    ///
    /// # Errors
    /// [`StatesUnavailable`] when what was kept is not what was counted.
    pub(super) fn tour(&self, trail: &Trail) -> Result<Tour, StatesUnavailable> {
        let graph = &self.cut()?.graph;
        let question = &self.question;
        let first = graph.squares.iter().position(|square| square.index() == 0);
        let start = graph.apex.or(first).unwrap_or_default();
        let cycle = trail.cycle(start).ok_or_else(inconsistent)?;
        let squares = cycle.iter().filter(|&&vertex| Some(vertex) != graph.apex);
        let mut squares: Vec<Square> = squares.map(|&vertex| graph.squares[vertex]).collect();
        let last = squares[squares.len() - 1];
        let is_reversed = match (question.is_closed(), question.from(), question.to()) {
            // As a plain search meets it first: towards the row on top.
            (true, ..) => squares[1] < last,
            (_, Some(from), _) => squares[0] != from,
            (_, _, Some(to)) => last != to,
            _ => last < squares[0],
        };
        if is_reversed {
            squares[usize::from(question.is_closed())..].reverse();
        }
        Tour::new(question.board, squares).map_err(|_| inconsistent())
    }

    fn cut(&self) -> Result<&Halves, StatesUnavailable> {
        self.halves().ok_or_else(inconsistent)
    }
}

/// What a round took.
fn input(built: &Built, (sweep, round): Place) -> Result<&dyn Layer, StatesUnavailable> {
    let input = built.inputs.get(sweep).and_then(|inputs| inputs.get(round));
    let is_missing = || StatesUnavailable("the states between the rounds were not kept".to_owned());
    input.map(AsRef::as_ref).ok_or_else(is_missing)
}
