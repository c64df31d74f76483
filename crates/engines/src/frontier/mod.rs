//! Frontier-based search: counting tours by states instead of visiting them.
//!
//! The method is also known as dynamic enumeration (Knuth, TAOCP pre-fascicle 8A, 2025), Simpath,
//! or the transfer-matrix method.
//!
//! The question is about Hamiltonian cycles of a [graph](crate::graph). Visiting each cycle is
//! hopeless on larger boards. But many choices of edges at the first vertices can be completed in
//! exactly the same ways, so it is enough to know how many such choices there are. The vertices are
//! processed one after the other, in a fixed order. The *frontier* consists of the unfinished
//! vertices that an edge from a processed vertex can reach, whether it is chosen or not. The edges
//! chosen so far lead to a *state*: the degrees of the frontier vertices
//! ([`pattern`](crate::states::pattern)) and the endpoints that belong to the same path
//! ([matching](crate::states::matching)). Each state has a [count](crate::states::count), the
//! number of edge choices that lead to it. Three ideas make this fast and divide it into units:
//!
//! - All states of one pattern are a [`block`], a sparse vector over the ranks of matchings. The
//!   transitions of a [`stage`] are computed once per block, and an edge is a map between ranks.
//!   The map drops the states in which the edge would close a cycle too early; all other conditions
//!   depend on the pattern alone.
//! - A few stages touch only some frontier vertices. The states that agree on the degrees of
//!   certain others are a slice. Any thread can process it alone, in cache. Then the states are
//!   partitioned into new slices. These stages and the partition are a [`round`].
//! - The edges are divided into two [`classes`], and a [`sweep`] chooses those of the first. The
//!   states of the second are [images](exchange) of the same states, or come from a second sweep. A
//!   slice of each class, two that fit together, are the input of a [`mod@unit`], which has a count
//!   of its own: it [joins](crate::states::join) their states by contraction.
//!
//! The invariant of every layer: for each state, the sum of its counts over its mirror images is
//! the number of edge choices, at all vertices processed so far, that lead to the state or to its
//! mirror image.

mod block;
mod bound;
mod classes;
mod cut;
mod dense;
mod exchange;
pub mod forecast;
mod halves;
mod known;
mod reach;
mod round;
mod stage;
mod sweep;
mod table;
#[cfg(test)]
mod tests;
mod traceback;
mod unit;
mod unsampled;

use crate::board::Board;
use crate::cursor::UnitPiece;
use crate::graph::Graph;
use crate::plain::{self, cycles};
use crate::question::Question;
use crate::rates::Rates;
use crate::rounds::{
    Built, InCommon, Narrowed, Partitioned, RoundWorker, Rounds, SliceStart, StatesUnavailable,
    Stop, views,
};
use crate::states::join::Contractions;
use crate::states::maps::Maps;
use crate::states::pattern::{Pattern, SLOTS};
use crate::tally::Tally;
use crate::work::{
    Advance, EdgeClass, Identity, Name, NotRecounted, Pause, Recount, Recut, Split, Work, Worker,
};
use block::pack;
pub use bound::MemoryShares;
use forecast::{Forecast, SampleSize};
use halves::Halves;
use num_bigint::BigUint;
pub use round::Workspace;
use round::{MostAtOnce, Partitioning, Slice};
use std::borrow::Cow;
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use sweep::Sweep;
use table::Strip;
pub use traceback::ORDER;
pub use traceback::Trail;
use unit::{PackedTop, Unit, UnitSum};

/// The longest short side of a board that the frontier can count.
pub const LONGEST_SHORT_SIDE: u32 = 10;

/// The largest number of squares of a board that is not a full knight's board.
pub const MOST_ORDERED: usize = 1_024;

/// The reason why the frontier cannot count the tours of a question.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FrontierError {
    /// The board's short side is longer than [`LONGEST_SHORT_SIDE`].
    #[error(
        "{0} is too wide: the engine `frontier` takes a short side of up to {LONGEST_SHORT_SIDE}"
    )]
    TooWide(Board),
    /// However the squares are ordered, too many of them have to be kept at once.
    #[error("{0} is too wide: the engine `frontier` takes at most {SLOTS} squares at a time")]
    TooManyAtOnce(Board),
    /// However the edges are divided, no square has all of its edges in one class.
    #[error(
        "{0} is too dense for the engine `frontier`: nearly all of its squares are a move apart"
    )]
    TooDense(Board),
    /// The board has more than [`MOST_ORDERED`] squares.
    #[error("{0} is too large: the engine `frontier` takes up to {MOST_ORDERED} squares")]
    TooLarge(Board),
    /// The board cannot be cut in the requested way.
    #[error("{board} cannot be divided at the {cut}")]
    Cut {
        /// The board.
        board: Board,
        /// The requested cut.
        cut: Split,
    },
}

/// True if the frontier is likely faster on a full knight's board than an engine that visits every
/// tour; `results/engines.tsv` lists the boards that were measured.
pub fn is_faster(question: &Question) -> bool {
    let squares = question.board.squares();
    let most_listed = if question.is_closed() { 40 } else { 36 };
    // Where the colours exclude all tours, the other engines end at once.
    check(&question.board).is_ok() && squares > most_listed && !question.is_impossible()
}

/// Returns the cut of a full knight's board between two others of as many columns: a count of all
/// three needs no more sweeps than the other two. `None` if the columns are no fewer than the rows,
/// or if there is a faster engine.
pub fn cut_between(question: &Question) -> Option<Split> {
    let board = &question.board;
    let is_between = board.rows() > board.cols() && !board.rows().is_multiple_of(2);
    let cut = Split::Cut { class: EdgeClass::Beside, sliced: cut::SLICED_EXCHANGED };
    (is_between && board.is_plain() && is_faster(question)).then_some(cut)
}

/// Estimates the seconds that one thread takes for a count, the same every time: from a small
/// sample of its slices on a sparse graph, and otherwise by a bound on the states of the order,
/// since the slices of a dense graph are large. Returns `None` if the frontier cannot count.
pub fn expected_seconds(question: &Question) -> Option<f64> {
    const SAMPLE: SampleSize = SampleSize { effort: 6_000, memory: 8 << 20 };
    const MOST_LOOKS: u64 = 20_000;
    const MOST_MOVES_SAMPLED: usize = 5;
    const MOST_SAMPLED: f64 = 1e17;
    /// The bound is mostly too large by one to four powers of ten.
    const OF_THE_BOUND: f64 = 0.01;
    let frontier = Frontier::new(question.clone(), None).ok()?;
    let Some(halves) = frontier.halves() else { return Some(0.0) };
    let bound = halves.rough_states();
    let is_sampled = question.board.most_moves() <= MOST_MOVES_SAMPLED && bound <= MOST_SAMPLED;
    // The number of looks does not depend on the machine.
    let looks = AtomicU64::new(0);
    let stop = || looks.fetch_add(1, Ordering::Relaxed) > MOST_LOOKS;
    let sample = is_sampled.then(|| frontier.forecast(SAMPLE, 0, &|| 0.0, &stop)).flatten();
    let states = sample.filter(Forecast::is_known).map(|forecast| forecast.states());
    Some(states.unwrap_or(bound * OF_THE_BOUND) * Rates::USUAL.within())
}

/// Returns the first of some cuts whose slices are small parts of the states; if there is none, the
/// first of those with the most sliced squares. Where few states are expected, that is the first.
fn most_sliced(
    mut cuts: impl Iterator<Item = (Split, Halves)>,
    graph: &Graph,
) -> Option<(Split, Halves)> {
    const ENOUGH_SLICED: usize = 4;
    const MOST_TRIED: usize = 12;
    const FEW_STATES: f64 = 1e8;
    // With 1,024 vertices the set-up of a cut takes half a second.
    const MOST_VERTICES: usize = 4_096;
    let mut best = cuts.next()?;
    if best.1.rough_states() <= FEW_STATES {
        return Some(best);
    }
    for (cut, halves) in cuts.take(MOST_TRIED.min(MOST_VERTICES / graph.len())) {
        if best.1.sliced.len() >= ENOUGH_SLICED {
            break;
        }
        if halves.sliced.len() > best.1.sliced.len() {
            best = (cut, halves);
        }
    }
    Some(best)
}

/// Returns the cut of a graph that is used unless another is requested: of full knight's boards,
/// the first that is possible, and of others the one with fewer states of the exchanged classes and
/// the best place in the order.
fn default_cut(graph: &Graph, board: &Board) -> Option<(Split, Halves)> {
    // With 900 vertices a cut that does not fit takes 40 ms, and hardly any does far behind the
    // best.
    const MOST_VERTICES: usize = 1 << 14;
    let cuts = cut::all(graph, board).into_iter().take(1 + MOST_VERTICES / graph.len());
    let mut fitting = cuts.filter_map(|cut| Some((cut, cut::of(cut, graph, board)?)));
    if board.is_plain() {
        return fitting.next();
    }
    let is_exchanged = |(cut, _): &(Split, Halves)| {
        matches!(cut, Split::Cut { class: EdgeClass::Nearer { .. }, .. })
    };
    let mut fitting = fitting.peekable();
    let exchanged = fitting.next_if(is_exchanged);
    let all = [exchanged, most_sliced(fitting, graph)].into_iter().flatten();
    let priced = all.map(|found| (found.1.rough_states(), found));
    Some(priced.min_by(|one, other| one.0.total_cmp(&other.0))?.1)
}

/// Up to this number of squares, tours of a board that cannot be cut are listed: there are at most
/// 8! of them.
const MOST_LISTED: usize = 8;

/// The memory of a unit, at most, as a multiple of the packed bytes of its slices: the slices
/// themselves and their packed output. What is unpacked is within the scratch memory of a thread.
pub(crate) const UNIT_FACTOR: u64 = 3;

/// Checks that the frontier can count on a board.
///
/// # Errors
/// [`FrontierError::TooWide`] if it cannot.
pub fn check(board: &Board) -> Result<(), FrontierError> {
    match board.is_plain() {
        true if board.rows().min(board.cols()) > LONGEST_SHORT_SIDE => {
            Err(FrontierError::TooWide(board.clone()))
        }
        false if board.squares() > MOST_ORDERED => Err(FrontierError::TooLarge(board.clone())),
        _ => Ok(()),
    }
}

/// The frontier engine set to a question and a cut into units.
pub struct Frontier {
    /// The question.
    pub question: Question,
    split: Split,
    shape: Shape,
    maps: Arc<Maps>,
    contractions: Contractions,
    most: MostAtOnce,
    /// The units that the count is restricted to, and the share of the work that they are expected
    /// to be; `None` for all.
    restricted_to: Option<(Vec<usize>, f64)>,
    /// The sweeps whose results counts of other boards have handed over.
    handed_over: Vec<usize>,
    /// The input of all units: the slices of both halves before the last rounds, the top first.
    /// `None` until it is computed, and again when it turned out to be damaged.
    base: RwLock<Option<Arc<Built>>>,
}

/// The sweeps that a count consists of.
enum Shape {
    /// None: the board is too small to be cut.
    Nothing,
    /// Both halves of a board.
    Halves(Box<Halves>),
    /// A strip, for boards of all lengths.
    Strip(Strip),
}

/// The number of the top sweep. The larger sweep comes first, so that its rounds do not share
/// memory with the result of the other.
pub(crate) const TOP: usize = 0;
/// The number of the bottom sweep.
pub(crate) const BOTTOM: usize = 1;

impl Frontier {
    /// Sets the frontier to a question. Without a split, it takes the cut that was found best for
    /// the board.
    ///
    /// # Errors
    /// [`FrontierError`] if the board is too wide or cannot be cut in the requested way.
    pub fn new(question: Question, split: Option<Split>) -> Result<Self, FrontierError> {
        if let Some(split @ Split::Lengths { every_square }) = split {
            let strip = Strip::new(&question, every_square)?;
            return Ok(Self::with(question, split, Shape::Strip(strip)));
        }
        check(&question.board)?;
        let mut last = FrontierError::TooManyAtOnce(question.board.clone());
        for graph in Graph::of(&question) {
            match Self::on(graph, question.clone(), split) {
                Err(FrontierError::TooManyAtOnce(_)) => {}
                Err(error) => last = error,
                found => return found,
            }
        }
        Err(last)
    }

    /// Sets the frontier to a question on one of its graphs, whatever the order of its vertices. On
    /// a board that is too small to be cut, all edges are of the second class.
    fn on(graph: Graph, question: Question, split: Option<Split>) -> Result<Self, FrontierError> {
        const UNCUT: Split = Split::Cut { class: EdgeClass::First(0), sliced: 0 };
        let board = &question.board;
        let is_small = if board.is_plain() { graph.width < 3 } else { graph.len() <= MOST_LISTED };
        let found = if is_small {
            let is_uncut = split.is_none_or(|split| split == UNCUT);
            is_uncut.then_some((UNCUT, Shape::Nothing))
        } else {
            let fitting = |cut| Some((cut, cut::of(cut, &graph, board)?));
            let found = split.map_or_else(|| default_cut(&graph, board), fitting);
            found.map(|(cut, halves)| (cut, Shape::Halves(Box::new(halves))))
        };
        match (found, split) {
            (Some((cut, shape)), _) => Ok(Self::with(question, cut, shape)),
            (None, Some(cut)) => Err(FrontierError::Cut { board: question.board, cut }),
            (None, None) if graph.len() <= SLOTS => Err(FrontierError::TooDense(question.board)),
            (None, None) => Err(FrontierError::TooManyAtOnce(question.board)),
        }
    }

    fn with(question: Question, split: Split, shape: Shape) -> Self {
        Self {
            question,
            split,
            shape,
            maps: Arc::default(),
            contractions: Contractions::default(),
            most: MostAtOnce::default(),
            restricted_to: None,
            handed_over: Vec::new(),
            base: RwLock::default(),
        }
    }

    /// Returns the sweeps before the units.
    fn all_sweeps(&self) -> &[Sweep] {
        match &self.shape {
            Shape::Nothing => &[],
            Shape::Halves(halves) => &halves.sweeps,
            Shape::Strip(strip) => strip.sweep.as_slice(),
        }
    }

    /// Returns for each sweep of another board with which sweep of this one it begins alike for the
    /// most rounds: after them, both have the same states.
    pub fn rounds_in_common(&self, other: &Self) -> Vec<InCommon> {
        let is_alike = self.is_mirrored() == other.is_mirrored();
        let common = |theirs: &Sweep, (sweep, own): (usize, &Sweep)| {
            let both = own.rounds.iter().zip(&theirs.rounds);
            let rounds = both.take_while(|(own, theirs)| own.does_as(theirs)).count();
            let key = |sweep: &Sweep| rounds.checked_sub(1).map(|last| sweep.key_after(last));
            InCommon { sweep, rounds, has_same_slices: key(own) == key(theirs) }
        };
        let best = |theirs| {
            let all = self.all_sweeps().iter().enumerate().map(|own| common(theirs, own));
            all.filter(|_| is_alike).max_by_key(|common| common.rounds).unwrap_or_default()
        };
        other.all_sweeps().iter().map(best).collect()
    }

    /// Takes note of the sweeps whose results counts of other boards have handed over, so that a
    /// forecast leaves their work out.
    pub fn begin_with(&mut self, sweeps: Vec<usize>) {
        self.handed_over = sweeps;
    }

    /// Returns the result of the sweeps. The caller's copy stays valid even if the engine's own is
    /// replaced.
    fn built(&self) -> Result<Arc<Built>, StatesUnavailable> {
        let is_missing =
            || StatesUnavailable::Damaged("the sweeps before the units were not made".to_owned());
        let base = self.base.read().unwrap_or_else(PoisonError::into_inner);
        base.clone().ok_or_else(is_missing)
    }

    fn set_base(&self, base: Option<Built>) {
        *self.base.write().unwrap_or_else(PoisonError::into_inner) = base.map(Arc::new);
    }

    /// Returns the rule that partitions states by a key, with mirror images merged if the question
    /// allows it.
    fn partitioning(&self, key: u64) -> Partitioning {
        Partitioning { key, is_mirrored: self.is_mirrored() }
    }

    /// True if states are merged with their mirror images.
    fn is_mirrored(&self) -> bool {
        match &self.shape {
            Shape::Nothing => false,
            Shape::Halves(halves) => halves.graph.mirror.is_some(),
            Shape::Strip(strip) => strip.is_mirrored,
        }
    }

    /// Returns both halves, if the board is cut into halves.
    fn halves(&self) -> Option<&Halves> {
        match &self.shape {
            Shape::Halves(halves) => Some(halves),
            Shape::Nothing | Shape::Strip(_) => None,
        }
    }

    /// Returns the kept slice of a side's states with some degrees of the sliced squares.
    fn kept_slice(&self, halves: &Halves, side: usize, degrees: Pattern) -> u64 {
        self.partitioning(halves.sweeps[halves.sweep_of(side)].last_key).slice_of(degrees).0
    }

    /// Returns the packed bytes of a unit's slices; 0 before the sweeps are done.
    fn bytes_of_unit(&self, unit: usize) -> u64 {
        let (Ok(built), Some(halves)) = (self.built(), self.halves()) else { return 0 };
        let Some(&degrees) = halves.units.get(unit) else { return 0 };
        let bytes = |side: usize, degrees: Pattern| {
            built.layers[halves.sweep_of(side)].bytes_of(self.kept_slice(halves, side, degrees))
        };
        let tops: u64 = halves.tops(degrees).into_iter().map(|top| bytes(TOP, top)).sum();
        tops + bytes(BOTTOM, halves.below(degrees, halves.key))
    }

    /// Returns the number of directed tours that some cycles stand for.
    fn directed(&self, cycles: BigUint) -> Tally {
        Tally::from_big(cycles) * u128::from(self.question.directions())
    }

    /// Returns the number of tours of a board that is too small to be cut. Of full knight's boards
    /// of fewer than three rows, only that of one square has a tour, an open one. Small boards of
    /// other kinds are counted by plain backtracking.
    fn count_small(&self) -> Tally {
        if !self.question.board.is_plain() {
            return plain::count(&self.question);
        }
        let is_square = self.question.board.squares() == 1 && !self.question.is_closed();
        Tally::from(u32::from(is_square))
    }

    /// Returns the buffers of a thread.
    fn workspace(&self) -> Workspace {
        Workspace::new(Arc::clone(&self.maps), self.most)
    }

    /// Returns the buffers of a thread that traces tours back, with `bytes` bytes for states that
    /// are unpacked at once.
    pub fn workspace_for_trails(&self, bytes: u64) -> Workspace {
        let unpacked = usize::try_from(bytes).unwrap_or(usize::MAX).max(self.most.unpacked);
        Workspace::new(Arc::clone(&self.maps), MostAtOnce { unpacked, ..self.most })
    }

    /// Returns a worker for samples in little memory. It divides slices of more than `slice` packed
    /// bytes, or processes them one stage at a time, and hands on its output after `output` bytes.
    pub(crate) fn small_round_worker(&self, slice: u64, output: u64) -> Box<dyn RoundWorker + '_> {
        let most = |own: usize, bytes: u64| own.min(usize::try_from(bytes).unwrap_or(own)).max(1);
        let most = MostAtOnce {
            divided: most(self.most.divided, slice),
            whole: most(self.most.whole, slice),
            output: most(self.most.output, output),
            ..self.most
        };
        let workspace = Workspace { most, ..self.workspace() };
        Box::new(Counter { workspace, ..self.counter(self.all_sweeps()) })
    }

    /// Returns a worker for some sweeps.
    fn counter<'a>(&'a self, sweeps: &'a [Sweep]) -> Counter<'a> {
        Counter { frontier: self, sweeps, workspace: self.workspace() }
    }

    /// Counts a unit. Returns its directed tours and the number of states processed.
    fn count(
        &self,
        workspace: &mut Workspace,
        unit: usize,
        stop: Stop,
    ) -> Result<(Tally, u64), StatesUnavailable> {
        if let Shape::Strip(strip) = &self.shape {
            return Ok((strip.tours(&self.question, unit, &*self.built()?), 0));
        }
        let Some(halves) = self.halves() else { return Ok((self.count_small(), 0)) };
        let built = self.built()?;
        if built.made_for.as_ref().is_some_and(|units| !units.contains(&unit)) {
            return Err(StatesUnavailable::Damaged(format!("what unit {unit} needs was left out")));
        }
        let (degrees, contractions) = (halves.units[unit], &self.contractions);
        let unit = Unit { halves, degrees, contractions, stop };
        let mut sum = UnitSum::default();
        let mut add = |tops: &[PackedTop], bottom: &[&[u8]]| {
            unit.add(tops, bottom, &mut sum, workspace).map_err(StatesUnavailable::from)
        };
        let [above, below] = [TOP, BOTTOM].map(|side| &built.layers[halves.sweep_of(side)]);
        let tops = halves.tops(degrees);
        let tops: Vec<(Pattern, u64)> =
            tops.into_iter().map(|top| (top, self.kept_slice(halves, TOP, top))).collect();
        let of_bottom = self.kept_slice(halves, BOTTOM, halves.below(degrees, halves.key));
        // What is read from disk has a part of the memory of the unit.
        let most = self.most.unit as u64 / 4;
        let is_small = tops.iter().map(|&(_, slice)| above.bytes_of(slice)).sum::<u64>() <= most;
        type Read<'a> = Result<(Pattern, Vec<Cow<'a, [u8]>>), StatesUnavailable>;
        let read = |&(top, slice): &(Pattern, u64)| -> Read { Ok((top, above.slice(slice)?)) };
        let whole = is_small.then(|| tops.iter().map(read).collect::<Result<Vec<_>, _>>());
        let whole = whole.transpose()?;
        below.each_portion(of_bottom, most, &mut |bottom| match &whole {
            Some(whole) => {
                let tops: Vec<_> =
                    whole.iter().map(|(top, packed)| (*top, views(packed))).collect();
                add(&tops, bottom)
            }
            None => tops.iter().try_for_each(|&(degrees, slice)| {
                above.each_portion(slice, most, &mut |top| add(&[(degrees, top.to_vec())], bottom))
            }),
        })?;
        let states_processed = sum.states_processed;
        Ok((self.directed(unit.cycles(sum)), states_processed))
    }
}

impl Work for Frontier {
    fn identity(&self) -> Identity {
        let engine = match self.split {
            Split::Lengths { every_square: true } => Name::PartialTable,
            Split::Lengths { every_square: false } => Name::Table,
            Split::Depth(_) | Split::Cut { .. } => Name::Frontier,
        };
        Identity {
            question: self.question.clone(),
            engine,
            split: self.split,
            units: self.units() as u64,
        }
    }

    fn units(&self) -> usize {
        match &self.shape {
            Shape::Nothing => 1,
            Shape::Halves(halves) => halves.units.len(),
            Shape::Strip(strip) => strip.units(&self.question),
        }
    }

    /// Names the degrees that the sliced squares have in the first class, as in `b4:1 g4:0`. A unit
    /// of a strip is named by its number of columns or squares.
    fn label(&self, unit: usize) -> String {
        let halves = match &self.shape {
            Shape::Strip(_) => return (unit + 1).to_string(),
            Shape::Halves(halves) if !halves.sliced.is_empty() => halves,
            Shape::Nothing | Shape::Halves(_) => return "all".to_owned(),
        };
        let name = |vertex: usize| self.question.board.name(halves.graph.squares[vertex]);
        let degrees = halves.degrees(halves.units[unit]).into_iter();
        let labels: Vec<String> =
            degrees.map(|(vertex, degree)| format!("{}:{degree}", name(vertex))).collect();
        labels.join(" ")
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(self.counter(self.all_sweeps()))
    }

    /// Estimates the work of a unit by the packed bytes of its slices.
    fn cost(&self, _worker: &mut dyn Worker, unit: usize) -> f64 {
        1.0 + self.bytes_of_unit(unit) as f64
    }

    fn memory(&self, unit: usize) -> u64 {
        UNIT_FACTOR * self.bytes_of_unit(unit)
    }

    fn restrict_to(&mut self, units: &[usize], share: f64) {
        if let Shape::Halves(halves) = &mut self.shape
            && units.len() < halves.units.len()
        {
            halves.sweeps = halves.narrowed(units);
            self.restricted_to = Some((units.to_vec(), share));
        }
    }

    fn limit_memory(&mut self, scratch: u64, unit: u64) {
        let unit = usize::try_from(unit).unwrap_or(usize::MAX);
        self.most = MostAtOnce { unit, ..MostAtOnce::within(scratch) };
    }

    fn divisor(&self, unit: usize) -> u64 {
        let images = |halves: &Halves| Some(halves.images(*halves.units.get(unit)?).len() as u64);
        self.halves().and_then(images).unwrap_or(1) * u64::from(self.question.directions())
    }

    /// Recounts a unit by listing all tours on small boards, if that takes less than a second,
    /// and otherwise by states in a plain hash table, if they fit the memory.
    fn recount(
        &self,
        unit: usize,
        _piece: &UnitPiece,
        memory: u64,
        stop: Stop,
    ) -> Result<Recount, NotRecounted> {
        let halves = match &self.shape {
            Shape::Halves(halves) => halves,
            Shape::Nothing => {
                let by = if self.question.board.is_plain() {
                    "the rule for boards of one or two rows"
                } else {
                    "plain backtracking"
                };
                return Ok(Recount { count: self.count_small(), by, rest: None });
            }
            Shape::Strip(_) => return Err(NotRecounted::TooLarge),
        };
        let slice = halves.units[unit];
        let claim = cycles::Claim {
            graph: &halves.graph,
            is_above: &|one, other| halves.is_above(one, other),
            degrees: &halves.degrees(slice),
        };
        let most_listed = if self.question.is_closed() { 36 } else { 30 };
        let is_listed = self.question.board.squares() <= most_listed;
        if !cycles::fits(&claim) {
            return Err(NotRecounted::TooLarge);
        }
        /// Looks at `stop`, of which there are some 200 in a second.
        const MOST_LOOKS: u32 = 60;
        let looks = Cell::new(0);
        let is_long = || {
            looks.set(looks.get() + 1);
            stop() || looks.get() > MOST_LOOKS
        };
        let listed = is_listed.then(|| cycles::by_listing(&claim, &is_long).ok()).flatten();
        let (cycles, by) = match listed {
            Some(cycles) => (cycles, "listing all tours"),
            None => (cycles::by_states(&claim, memory, stop)?, "states in a plain hash table"),
        };
        Ok(Recount { count: self.directed(cycles * halves.images(slice).len()), by, rest: None })
    }

    /// Returns the frontier at another cut, where the classes meet at other squares. It shares the
    /// blocks and rounds with this one, but no state at the cut and no mirror image.
    fn recut(&self, unit: usize) -> Option<Recut<'_>> {
        let halves = self.halves()?;
        let slice = halves.units[unit];
        let recut = halves.recut(slice)?;
        let shape = Shape::Halves(Box::new(recut));
        Some(Recut {
            work: Box::new(Self::with(self.question.clone(), self.split, shape)),
            images: halves.images(slice).len() as u32,
            by: "states in blocks at another cut",
        })
    }

    fn sweeps(&self) -> Option<&dyn Rounds> {
        Some(self)
    }
}

impl Rounds for Frontier {
    fn rounds(&self) -> Vec<usize> {
        self.all_sweeps().iter().map(|sweep| sweep.rounds.len()).collect()
    }

    fn made_for(&self) -> Option<&[usize]> {
        self.restricted_to.as_ref().map(|(units, _)| &units[..])
    }

    fn start(&self) -> Partitioned {
        // There is one way to choose nothing: a single state of count 1.
        let mut start =
            Partitioned { parts: vec![SliceStart::default()], states: 1, ..Partitioned::default() };
        pack(Pattern::default(), &[0], &[1_u32], &mut start.bytes);
        start
    }

    fn levels(&self) -> usize {
        self.halves().map_or(0, |halves| halves.levels().len())
    }

    fn divided(&self, units: &[usize], level: usize) -> Vec<Vec<usize>> {
        match self.halves() {
            Some(halves) => halves.divided(units, &halves.levels()[..level]),
            None => vec![units.to_vec()],
        }
    }

    /// Guesses the states of a unit by its sliced squares of degree 1. They are endpoints in both
    /// halves, and endpoints can be matched in many ways.
    fn weight(&self, unit: usize) -> u64 {
        let ends = |halves: &Halves| {
            let degrees = halves.degrees(halves.units[unit]);
            degrees.into_iter().filter(|&(_, degree)| degree == 1).count() as u64
        };
        3 + self.halves().map_or(0, ends)
    }

    fn round_worker(&self) -> Box<dyn RoundWorker + '_> {
        Box::new(self.counter(self.all_sweeps()))
    }

    fn sliced(&self, (sweep, rounds): (usize, usize), packed: &[u8]) -> Partitioned {
        let sweep = &self.all_sweeps()[sweep];
        let key = rounds.checked_sub(1).map_or(0, |last| sweep.key_after(last));
        round::partitioned(self.partitioning(key), packed)
    }

    fn narrowed(&self, units: &[usize]) -> Option<Box<dyn Narrowed + '_>> {
        let sweeps = self.halves()?.narrowed(units);
        Some(Box::new(NarrowedSweeps { frontier: self, sweeps }))
    }

    fn ready(&self, built: Built) {
        self.set_base(Some(built));
    }

    fn forget(&self) {
        self.set_base(None);
    }
}

/// The sweeps, restricted to the states that lead to some units.
struct NarrowedSweeps<'a> {
    frontier: &'a Frontier,
    sweeps: Vec<Sweep>,
}

impl Narrowed for NarrowedSweeps<'_> {
    fn round_worker(&self) -> Box<dyn RoundWorker + '_> {
        Box::new(self.frontier.counter(&self.sweeps))
    }

    fn needs(&self, (sweep, number): (usize, usize), slice: u64) -> bool {
        let sweep = &self.sweeps[sweep];
        let key = sweep.rounds[number].key;
        sweep.allowed_before(number).is_none_or(|allowed| allowed.has_any(Pattern(slice), key))
    }
}

/// One thread's worker: it counts units, and slices of the rounds before them.
struct Counter<'a> {
    frontier: &'a Frontier,
    /// The sweeps, perhaps restricted to some units.
    sweeps: &'a [Sweep],
    workspace: Workspace,
}

impl Worker for Counter<'_> {
    fn advance(
        &mut self,
        unit: usize,
        piece: &UnitPiece,
        pause: &dyn Fn() -> Pause,
    ) -> Result<Advance, StatesUnavailable> {
        let stop = || pause() == Pause::Now;
        match self.frontier.count(&mut self.workspace, unit, &stop) {
            Ok((found, nodes)) => Ok(Advance { found, nodes, rest: None }),
            Err(StatesUnavailable::Stopped) => {
                Ok(Advance { found: Tally::ZERO, nodes: 0, rest: Some(piece.clone()) })
            }
            Err(lost) => Err(lost),
        }
    }
}

impl RoundWorker for Counter<'_> {
    fn advance(
        &mut self,
        (sweep, number): (usize, usize),
        slice: u64,
        packed: &[&[u8]],
        stop: Stop,
        emit: &mut dyn FnMut(Partitioned),
    ) -> Option<Partitioned> {
        let sweep = self.sweeps.get(sweep)?;
        let partitioning = self.frontier.partitioning(sweep.key_after(number));
        let slice = Slice::new(Pattern(slice), sweep.round(number).key, packed);
        round::advance((sweep, number), slice, partitioning, &mut self.workspace, stop, emit)
    }
}
