//! The two classes of edges of a cut, their sweeps, and the slices in which they are joined.
//!
//! A single sweep over the whole graph has the most states in the middle. So the edges are divided
//! into two [classes](super::classes), and a sweep chooses the edges of one class only. It finishes
//! the *interior*, the vertices all of whose edges are in its class, one by one from the far end.
//! Then each vertex of the *boundary* chooses what remains of its edges in the class. A cycle is a
//! state of the first class and a state of the second that together give every boundary vertex two
//! edges, and whose matchings join into one cycle. No cycle may lie in the first class alone,
//! because it would close without a state to join. So the second class has an interior.
//!
//! If an exchange maps one class onto the other, one sweep is enough: a state of the second class
//! is the image of a state of the first. Beside the middle of a board, an exchange maps it onto the
//! first class of another cut, which has the second sweep. Otherwise the second class has its own
//! sweep, which gives the boundary vertices the slots of the first. Edges that are in no class are
//! chosen after the sweeps, before the join: those of pairs one on each side, and those that are
//! left out on the side of the first class only.
//!
//! Let F(p) be the states of the first class with pattern p, and S(p) those of the second, each
//! with the edges that are chosen on its side before the join. The number of cycles is the sum over
//! all p of the join of F(p) and S(2 - p). A *unit* is the part of this sum in which some boundary
//! vertices, the *sliced* ones, have stated degrees in F. If the mirror image keeps the question,
//! the unit with the mirrored degrees has as many cycles. If no edge is left out, so has the unit
//! of the exchanged degrees: the same pair of states, taken the other way around. Of up to four
//! such units, one is counted.
//!
//! If states are merged with their mirror images, one of two slices that mirror each other has the
//! counts of both: twice the counts of either. A slice that is its own mirror image has counts that
//! are doubled once a state and its mirror image are added up, that is, if it is unpacked in both
//! images. So a join of two doubled slices is four times the number of cycles.

use super::classes::{Class, Classes};
use super::exchange::Exchange;
use super::stage::{Stage, Step};
use super::sweep::{Course, MOST_SLICED_WITHIN, Round, Sweep};
use super::{BOTTOM, TOP};
use crate::graph::{Graph, combinations};
use crate::states::pattern::{Pattern, SLOTS, bits_of};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The classes of a cut with their sweeps. A boundary vertex has the same slot in both where they
/// meet, unless an exchange lies between.
#[derive(Debug)]
pub(super) struct Halves {
    pub graph: Graph,
    pub classes: Classes,
    /// The sweep over the first class, and that over the second unless an exchange makes it
    /// needless.
    pub sweeps: Vec<Sweep>,
    /// The symmetry that maps the class of the last sweep onto the second.
    pub exchange: Option<Exchange>,
    /// Both bits of the slots of the boundary vertices.
    pub boundary: u64,
    /// The sliced squares, whose degrees label the units.
    pub sliced: Vec<usize>,
    /// Both bits of the slots of the sliced squares.
    pub key: u64,
    /// Both bits of the slots by which slices are divided once more where they are joined.
    pub inner_key: u64,
    /// The degrees of the sliced squares in each unit, from the first class and left-out edges; of
    /// several units with the same cycles, only the smallest pattern.
    pub units: Vec<Pattern>,
    /// The number of stages of paired edges, which come first of those before the join.
    pub paired: usize,
    /// If there is a single stage before the join on the side of the first class, this stage by the
    /// degrees that it adds to the sliced squares.
    pub only_stage: BTreeMap<u64, Stage>,
}

/// The wish for sliced squares.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slicing<'a> {
    /// The squares that have to be sliced.
    pub given: &'a [usize],
    /// The largest number of sliced squares.
    pub most: usize,
}

/// With more states, by the bound on all patterns and matchings, a count will be divided into
/// groups: the closed tours of 10x10 have 2 x 10^13 then, those of 10x9 6 x 10^11.
const MOST_UNDIVIDED: f64 = 1e12;

impl Halves {
    /// Cuts a graph into classes. `exchange` is a symmetry that maps the first class onto the
    /// second and keeps the question. Returns `None` if a class has no interior, or if there are
    /// not enough slots.
    pub fn new(
        graph: &Graph,
        classes: Classes,
        exchange: Option<&[usize]>,
        slicing: Slicing,
    ) -> Option<Self> {
        let halves = Self::with_early(graph, classes.clone(), exchange, slicing, &[])?;
        let level = halves.levels().into_iter().next();
        let is_long = graph.lines.is_some() && halves.rough_states() > MOST_UNDIVIDED;
        match level.filter(|_| is_long) {
            // Groups of units have no state in common once the degrees of the first level are
            // final.
            Some(level) => Self::with_early(graph, classes, exchange, slicing, &level),
            None => Some(halves),
        }
    }

    /// Cuts a graph into classes; see [`new`](Self::new). The degrees of the `early` vertices are
    /// final as soon as the order of the interior allows it.
    pub(super) fn with_early(
        graph: &Graph,
        classes: Classes,
        exchange: Option<&[usize]>,
        slicing: Slicing,
        early: &[usize],
    ) -> Option<Self> {
        let classes = if exchange.is_some() { classes } else { classes.without_pairs() };
        let interior =
            |class| (0..graph.len()).filter(|&vertex| classes.is_interior(vertex, class)).collect();
        let [first, mut second]: [Vec<usize>; 2] = [Class::First, Class::Second].map(interior);
        second.reverse();
        // Otherwise a cycle through all vertices may have edges of the other class only. A sweep
        // never closes such a cycle, so it would not be counted.
        if first.is_empty() || second.is_empty() {
            return None;
        }
        let boundary = (0..graph.len()).filter(|&vertex| classes.is_in_boundary(vertex));
        let boundary: Vec<usize> = boundary.chain(graph.apex).collect();
        // Each keeps a slot to the end. That they are too many takes long to see from the sweeps.
        if boundary.len() > SLOTS {
            return None;
        }
        // The edges that the apex may still get after it has chosen those of a class.
        let fewest = |apex, later: &[Class]| {
            let edges = later.iter().map(|&class| classes.degree(apex, class)).sum::<usize>();
            2 - edges.min(2) as u64
        };
        let rounds_of = |interior: &[usize], class, other| {
            let mut choosing = choosing(graph, &classes, class, &boundary);
            let ends = graph.apex.filter(|&apex| {
                let is_end = |&vertex: &usize| classes.of(graph, vertex, apex) == class;
                boundary.iter().any(|vertex| *vertex != apex && is_end(vertex))
            });
            choosing.extend(
                ends.map(|apex| Step::Choose(apex, fewest(apex, &[other, Class::LeftOut]))),
            );
            let leads = |vertex: usize, to: &[usize]| {
                to.contains(&vertex)
                    || graph.joined(vertex, |other| {
                        to.contains(&other) && classes.of(graph, vertex, other) == class
                    }) > 0
            };
            let steps = early_first(interior, choosing, early, leads);
            match early {
                [] => rounds(graph, steps),
                _ => rounds_to_end(graph, steps),
            }
        };
        let of = |one, other| classes.of(graph, one, other);
        let is_first = |one, other| of(one, other) == Class::First;
        let is_second = |one, other| of(one, other) == Class::Second;
        let is_paired = |one, other| of(one, other) == Class::PairedAbove;
        let is_left_out = |one, other| of(one, other) == Class::LeftOut;
        let course = Course {
            graph,
            rounds: &rounds_of(&first, Class::First, Class::Second),
            is_chosen: &is_first,
            late: if early.is_empty() { 0 } else { 2 },
            boundary: &boundary,
            cycles_at: None,
        };
        let mut top = Sweep::new(course, None)?;
        let pairs = choosing(graph, &classes, Class::PairedAbove, &boundary);
        let paired = pairs.len();
        // The apex chooses before other squares: after it, all sliced ones have their final
        // degrees.
        let between = choosing(graph, &classes, Class::LeftOut, &boundary);
        let ends = graph.apex.filter(|&apex| classes.degree(apex, Class::LeftOut) > 0);
        let ends = ends.map(|apex| Step::Choose(apex, fewest(apex, &[Class::Second])));
        let left_out = top.stages_after(&[
            course,
            Course { rounds: &[pairs], is_chosen: &is_paired, ..course },
            Course { rounds: &[Vec::from_iter(ends), between], is_chosen: &is_left_out, ..course },
        ])?;
        let exchange = exchange.map(|of| Exchange::new(of.to_vec(), [&top.slots; 2]));
        let mut halves = Self {
            graph: graph.clone(),
            sweeps: Vec::new(),
            exchange,
            boundary: bits_of(boundary.iter().filter_map(|&vertex| top.slots[vertex])),
            sliced: Vec::new(),
            key: 0,
            inner_key: 0,
            units: Vec::new(),
            paired,
            only_stage: BTreeMap::new(),
            classes: classes.clone(),
        };
        let orbits = halves.orbits(&boundary, &top);
        // The degree of a square with paired edges is not exchanged with the square.
        let is_unpaired = |vertex: &usize| {
            let of_pairs = [Class::PairedAbove, Class::PairedBelow].into_iter();
            of_pairs.map(|class| classes.degree(*vertex, class)).sum::<usize>() == 0
        };
        halves.sliced = slicing.of(orbits.iter().filter(|orbit| orbit.iter().all(is_unpaired)));
        halves.key = bits_of(halves.sliced.iter().filter_map(|&vertex| top.slots[vertex]));
        top.last_key = halves.key;
        top.left_out = Round::after(left_out, halves.key);
        let touched = bits_of(top.left_out.stages.iter().flat_map(Stage::touched));
        let is_left =
            |vertex: &usize| top.slots[*vertex].is_some_and(|slot| touched >> (2 * slot) & 1 == 0);
        let left = orbits.iter().filter(|orbit| orbit.iter().all(is_left));
        let inner = Slicing { given: &halves.sliced, most: MOST_SLICED_WITHIN }.of(left);
        halves.inner_key = bits_of(inner.iter().filter_map(|&vertex| top.slots[vertex]));
        if let [only] = &top.left_out.stages[..] {
            halves.only_stage = only.by_degrees(halves.key);
        }
        halves.sweeps.push(top);
        if halves.exchange.is_none() {
            let rounds = &rounds_of(&second, Class::Second, Class::First);
            let course = Course { rounds, is_chosen: &is_second, ..course };
            let mut bottom = Sweep::new(course, Some(&halves.sweeps[TOP].slots))?;
            bottom.last_key = halves.key;
            halves.sweeps.push(bottom);
        }
        halves.units = halves.all_units();
        Some(halves)
    }

    /// Joins the first class of one cut with that of another, which the exchange maps onto the
    /// second class of the first cut.
    pub fn beside(mut self, mut other: Self, exchange: Vec<usize>) -> Self {
        let mut bottom = other.sweeps.swap_remove(TOP);
        let slots = [&self.sweeps[TOP].slots[..], &bottom.slots];
        self.exchange = Some(Exchange::new(exchange, slots));
        bottom.last_key = self.key_below(self.key);
        bottom.left_out.stages.truncate(self.paired);
        bottom.left_out = Round::after(bottom.left_out.stages, bottom.last_key);
        self.sweeps.push(bottom);
        self.units = self.all_units();
        self
    }

    /// Returns the stages before the join on a side: those of paired edges on both, then those of
    /// left-out edges on that of the first class.
    pub fn stages_before_join(&self, side: usize) -> &[Stage] {
        let all = &self.sweeps[self.sweep_of(side)].left_out.stages;
        if side == TOP { all } else { &all[..self.paired] }
    }

    /// True if an edge is chosen on the side of the first class.
    pub fn is_above(&self, one: usize, other: usize) -> bool {
        let class = self.classes.of(&self.graph, one, other);
        !matches!(class, Class::Second | Class::PairedBelow)
    }

    /// Estimates the states of all sweeps: after each stage, the combinations of degrees and
    /// matchings that the vertices reached so far can have.
    pub fn rough_states(&self) -> f64 {
        let graph = &self.graph;
        let of_sweep = |sweep: &Sweep| {
            let mut edges = vec![0; graph.colours.len()];
            let mut is_finished = vec![false; graph.colours.len()];
            let stages = sweep.rounds.iter().flat_map(|round| &round.stages);
            let after = stages.map(|stage| {
                edges[stage.vertex] += stage.others.len();
                stage.others.iter().for_each(|&other| edges[other] += 1);
                is_finished[stage.vertex] |= stage.finishes;
                let reached = (0..graph.len()).filter(|&one| edges[one] > 0 && !is_finished[one]);
                combinations(
                    reached.map(|one| (edges[one], graph.neighbours[one].len() - edges[one])),
                )
            });
            after.sum::<f64>()
        };
        self.sweeps.iter().map(of_sweep).sum()
    }

    /// Returns the sweep that leads to the states of a side.
    pub fn sweep_of(&self, side: usize) -> usize {
        side.min(self.sweeps.len() - 1)
    }

    /// Returns the vertices of the boundary in sets that slicing keeps together, each its own image
    /// under all symmetries. Those without left-out edges come first; then those with the most
    /// possible degrees, which divide the units most evenly; and of these, the ones whose degrees
    /// are final first, because the states of two groups differ from there on.
    fn orbits(&self, boundary: &[usize], top: &Sweep) -> Vec<Vec<usize>> {
        let stages: Vec<&Stage> = top.rounds.iter().flat_map(|round| &round.stages).collect();
        let last = |vertex: usize| stages.iter().rposition(|stage| stage.most_edges(vertex) > 0);
        let squares = boundary.iter().filter(|&&vertex| Some(vertex) != self.graph.apex);
        let mut orbits = self.orbits_of(squares);
        orbits.sort_by_key(|orbit| {
            let left_out = orbit.iter().map(|&vertex| self.classes.degree(vertex, Class::LeftOut));
            let last = orbit.iter().map(|&vertex| last(vertex)).max();
            let degrees =
                orbit.iter().map(|&vertex| self.degrees_of(vertex).count()).sum::<usize>();
            let possible = Reverse(degrees / orbit.len());
            (left_out.sum::<usize>() / orbit.len(), possible, last, orbit[0])
        });
        orbits
    }

    /// Returns the degrees that a sliced square can have in the first class with left-out edges.
    fn degrees_of(&self, vertex: usize) -> std::ops::RangeInclusive<u64> {
        let of = |class| self.classes.degree(vertex, class);
        let least = 2 - of(Class::Second).min(2) as u64;
        least..=(of(Class::First) + of(Class::LeftOut)).min(2) as u64
    }

    /// Returns all combinations of degrees that the sliced squares can have; of those with the same
    /// cycles, one.
    fn all_units(&self) -> Vec<Pattern> {
        let mut units = vec![Pattern::default()];
        for &vertex in &self.sliced {
            let slot = self.sweeps[TOP].slots[vertex].unwrap_or_default();
            let with = |unit: Pattern| {
                self.degrees_of(vertex).map(move |degree| Pattern(unit.0 | degree << (2 * slot)))
            };
            units = units.into_iter().flat_map(with).collect();
        }
        units.retain(|&unit| self.images(unit).into_iter().all(|(image, _)| unit <= image));
        units.sort_unstable();
        units
    }

    /// The exchange, if it maps the states of a single sweep to those of the other side.
    fn own_exchange(&self) -> Option<&Exchange> {
        self.exchange.as_ref().filter(|_| self.sweeps.len() < 2)
    }

    /// True if exchanged units have the same cycles.
    fn is_symmetric(&self) -> bool {
        self.own_exchange().is_some() && self.stages_before_join(TOP).len() == self.paired
    }

    /// Returns the different units with the same cycles as a unit, itself first, each with the way
    /// to it.
    pub fn images(&self, unit: Pattern) -> Vec<(Pattern, Image)> {
        let mut images: Vec<(Pattern, Image)> = Vec::new();
        let exchanged = self.is_symmetric().then(|| (self.below(unit, self.key), true));
        for (own, is_exchanged) in [(unit, false)].into_iter().chain(exchanged) {
            let mirrored = self.graph.mirror.is_some().then(|| (own.mirrored(), true));
            for (image, is_mirrored) in [(own, false)].into_iter().chain(mirrored) {
                if images.iter().all(|(other, _)| *other != image) {
                    images.push((image, Image { is_mirrored, is_exchanged }));
                }
            }
        }
        images
    }

    /// Returns the pattern of the states on the other side, in their own slots, that have the
    /// degrees which a pattern lacks in some slots; and the other way around.
    #[inline]
    pub fn below(&self, above: Pattern, slots: u64) -> Pattern {
        let missing = above.missing_in(slots);
        self.exchange.as_ref().map_or(missing, |exchange| exchange.pattern(missing))
    }

    /// Returns both bits of the slots on the other side of the vertices in some slots.
    pub fn key_below(&self, key: u64) -> u64 {
        self.exchange.as_ref().map_or(key, |exchange| exchange.pattern(Pattern(key)).0)
    }

    /// Returns the degrees of the sliced squares that lead to a unit, before each stage before the
    /// join and after the last.
    pub fn leading_to(&self, unit: Pattern) -> Vec<Vec<Pattern>> {
        let slots = self.sliced.iter().filter_map(|&vertex| self.sweeps[TOP].slots[vertex]);
        let has = |after: &Pattern, added: Pattern| {
            slots.clone().all(|slot| after.degree(slot) >= added.degree(slot))
        };
        let mut leading = vec![vec![unit]];
        for stage in self.stages_before_join(TOP).iter().rev() {
            let is_sliced = self.key >> (2 * stage.at) & 1;
            // Many sets of edges add the same degrees to the sliced squares.
            let all: BTreeSet<Pattern> = (stage.choices.iter())
                .map(|set| set.bits & self.key | (is_sliced * (set.edges as u64)) << (2 * stage.at))
                .map(Pattern)
                .collect();
            let mut before = Vec::new();
            for added in all {
                let after = leading[leading.len() - 1].iter().filter(|after| has(after, added));
                before.extend(after.map(|after| Pattern(after.0 - added.0)));
            }
            before.sort_unstable();
            before.dedup();
            leading.push(before);
        }
        leading.reverse();
        leading
    }

    /// Returns the slices of the first class from which left-out edges lead to a unit.
    pub fn tops(&self, unit: Pattern) -> Vec<Pattern> {
        self.leading_to(unit).swap_remove(0)
    }

    /// Returns the sliced squares of a unit, each with the number of its edges in the first class,
    /// left-out edges included.
    pub fn degrees(&self, unit: Pattern) -> Vec<(usize, u8)> {
        let slots = &self.sweeps[TOP].slots;
        let degree = |vertex: usize| slots[vertex].map_or(0, |slot| unit.degree(slot) as u8);
        self.sliced.iter().map(|&vertex| (vertex, degree(vertex))).collect()
    }

    /// Returns the sweeps restricted to the states that lead to some units.
    pub fn narrowed(&self, units: &[usize]) -> Vec<Sweep> {
        let mut wanted: Vec<HashSet<u64>> = vec![HashSet::new(); self.sweeps.len()];
        for &unit in units {
            let unit = self.units[unit];
            let mirrored = self.graph.mirror.is_some().then(|| unit.mirrored());
            for unit in [unit].into_iter().chain(mirrored) {
                wanted[TOP].extend(self.tops(unit).iter().map(|top| top.0));
                wanted[self.sweep_of(BOTTOM)].insert(self.below(unit, self.key).0);
            }
        }
        let image = |&vertex: &usize| match &self.exchange {
            Some(exchange) => exchange.of[vertex],
            None => vertex,
        };
        let below = self.sliced.iter().map(image).collect();
        let sweeps = self.sweeps.iter().zip(wanted).zip([self.sliced.clone(), below]);
        sweeps.map(|((sweep, wanted), sliced)| sweep.narrowed(&sliced, wanted)).collect()
    }

    /// Returns the sliced squares in sets by which units are divided one after the other, each its
    /// own image under all symmetries. So no two groups of units need the same states at the end.
    pub fn levels(&self) -> Vec<Vec<usize>> {
        self.orbits_of(&self.sliced)
    }

    /// Returns the sets of images of some vertices under the symmetries that keep units, each
    /// vertex before its images: those of the mirror, and of an exchange of the states of a single
    /// sweep.
    fn orbits_of<'a>(&self, vertices: impl IntoIterator<Item = &'a usize>) -> Vec<Vec<usize>> {
        let mut orbits: Vec<Vec<usize>> = Vec::new();
        for &vertex in vertices {
            if orbits.iter().all(|orbit| !orbit.contains(&vertex)) {
                let exchanged = self.own_exchange().map_or(vertex, |exchange| exchange.of[vertex]);
                let mut orbit = Vec::new();
                for image in [vertex, exchanged].map(|one| [one, self.graph.image(one)]).concat() {
                    if !orbit.contains(&image) {
                        orbit.push(image);
                    }
                }
                orbits.push(orbit);
            }
        }
        orbits
    }

    /// Divides units by the degrees of the squares of the first levels. A unit stands for its
    /// images too, so all of them are in one group. Groups are in ascending order of the largest
    /// pattern of all images, so that neighbours have similar degrees.
    pub fn divided(&self, units: &[usize], levels: &[Vec<usize>]) -> Vec<Vec<usize>> {
        let slots = &self.sweeps[TOP].slots;
        let key = bits_of(levels.iter().flatten().filter_map(|&vertex| slots[vertex]));
        let mut groups: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for &unit in units {
            let images = self.images(self.units[unit]).into_iter();
            let group = images.map(|(image, _)| image.0 & key).max().unwrap_or_default();
            groups.entry(group).or_default().push(unit);
        }
        groups.into_values().collect()
    }
}

impl Halves {
    /// Returns the halves of another cut, whose units together are one unit of this cut; `None` if
    /// there is none.
    ///
    /// Edges of no sliced square may change their class without a change of what the degrees of the
    /// sliced squares say. So the last interior vertices of the first class give such edges to the
    /// second. The classes meet at other vertices there, so no state at the new cut is one at this
    /// cut. Neither mirror images nor exchanged states are merged. The sliced squares of this cut
    /// are sliced, and some more, so that a unit of the new cut takes little memory.
    pub fn recut(&self, unit: Pattern) -> Option<Self> {
        const MOST_MOVED: usize = 3;
        const MORE_SLICED: usize = 4;
        let graph = Graph { mirror: None, ..self.graph.clone() };
        let is_square = |vertex: usize| Some(vertex) != graph.apex;
        let is_free = |vertex: usize| is_square(vertex) && !self.sliced.contains(&vertex);
        let is_first = |vertex: &usize| self.classes.is_interior(*vertex, Class::First);
        let has_free = |vertex: &usize| graph.joined(*vertex, is_free) > 0;
        let all = (0..graph.len()).rev();
        let moved: Vec<usize> =
            all.filter(|vertex| is_first(vertex) && has_free(vertex)).take(MOST_MOVED).collect();
        if moved.is_empty() {
            return None;
        }
        let of_end = |end| self.classes.of(&graph, end, graph.apex.unwrap_or_default());
        let of_edge = |one, other| {
            let is_moved = moved.contains(&one) || moved.contains(&other);
            match self.classes.of(&graph, one, other) {
                Class::First if is_moved && is_free(one) && is_free(other) => Class::Second,
                class => class,
            }
        };
        let classes = Classes::by(&graph, of_edge, of_end);
        let slicing = Slicing { given: &self.sliced, most: self.sliced.len() + MORE_SLICED };
        let mut halves = Self::new(&graph, classes, None, slicing)?;
        let degrees = self.degrees(unit);
        let is_within = |&part: &Pattern| {
            let of_part = halves.degrees(part);
            degrees.iter().all(|degree| of_part.contains(degree))
        };
        halves.units = halves.units.iter().copied().filter(is_within).collect();
        let all: Vec<usize> = (0..halves.units.len()).collect();
        halves.sweeps = halves.narrowed(&all);
        Some(halves)
    }
}

/// The way from a unit to another with the same cycles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Image {
    /// True if the cycles are mirrored.
    pub is_mirrored: bool,
    /// True if the cycles are exchanged: the states of both sides change places.
    pub is_exchanged: bool,
}

impl Slicing<'_> {
    /// Returns the sliced squares: whole orbits, those given first.
    fn of<'o>(self, orbits: impl Iterator<Item = &'o Vec<usize>>) -> Vec<usize> {
        let mut sliced = self.given.to_vec();
        for orbit in orbits {
            let is_new = orbit.iter().all(|vertex| !sliced.contains(vertex));
            if is_new && sliced.len() + orbit.len() <= self.most {
                sliced.extend(orbit);
            }
        }
        sliced
    }
}

/// Returns the steps that finish the interior and those in which boundary vertices choose, in this
/// order, but for those that decide the degrees of the `early` vertices: they choose as soon as all
/// interior vertices are finished that lead to one of them or to an early vertex. `leads` tells
/// whether a vertex is one of some others or has an edge of the class to one.
///
/// To finish the interior in another order, for the sake of the early vertices, makes the frontier
/// wider: on 10x10, by the bound on all patterns and matchings, three times the states.
fn early_first(
    interior: &[usize],
    choosing: Vec<Step>,
    early: &[usize],
    leads: impl Fn(usize, &[usize]) -> bool,
) -> Vec<Step> {
    let (first, last): (Vec<Step>, Vec<Step>) =
        choosing.into_iter().partition(|step| leads(step.vertex(), early));
    let deciding: Vec<usize> =
        early.iter().copied().chain(first.iter().map(Step::vertex)).collect();
    let decided = interior.iter().rposition(|&vertex| leads(vertex, &deciding));
    let (before, after) = interior.split_at(decided.map_or(0, |place| place + 1));
    let finish = |vertices: &[usize]| vertices.iter().copied().map(Step::Finish).collect();
    [finish(before), first, finish(after), last].concat()
}

/// Divides steps into rounds. After each round the vertices so far are their own mirror image.
pub(super) fn rounds(graph: &Graph, steps: impl IntoIterator<Item = Step>) -> Vec<Vec<Step>> {
    let least = graph.width.saturating_sub(4).max(1);
    let mut rounds = vec![Vec::new()];
    // The vertices whose mirror images are not among those so far.
    let mut single = HashSet::new();
    for step in steps {
        let vertex = step.vertex();
        let image = graph.image(vertex);
        if image != vertex && !single.remove(&image) {
            single.insert(vertex);
        }
        if let Some(last) = rounds.last_mut() {
            last.push(step);
            if last.len() >= least && single.is_empty() {
                rounds.push(Vec::new());
            }
        }
    }
    rounds.retain(|round| !round.is_empty());
    rounds
}

/// Divides steps into rounds, the last round first, so that the round with few steps is the first,
/// where states are few. After each round the vertices so far are their own mirror image.
///
/// On 10x10 a round then ends with the steps of b4 and i4, after which no two groups of units share
/// a state. All groups read the layer before that round, which has a fifth of the states. The last
/// round is divided in two, so that there are more squares by whose degrees its slices differ.
fn rounds_to_end(graph: &Graph, steps: Vec<Step>) -> Vec<Vec<Step>> {
    let mut rounds = rounds(graph, steps.into_iter().rev());
    rounds.reverse();
    rounds.iter_mut().for_each(|steps| steps.reverse());
    // Steps that only choose leave more of the boundary alone than those that finish vertices.
    let mut last = rounds.pop().unwrap_or_default();
    let finished = last.iter().rposition(|step| matches!(step, Step::Finish(_)));
    let chosen = last.split_off(finished.map_or(0, |place| place + 1));
    rounds.extend([last, chosen].into_iter().filter(|steps| !steps.is_empty()));
    rounds
}

/// Returns the steps in which boundary vertices choose the edges of a class among themselves, but
/// for those of the apex. The fewest vertices are sought that have all of these edges: always the
/// one with the most edges left, of several the one nearest to the side, and its mirror image.
/// Those with the most edges choose last, because the states multiply most there. On 8x8 that
/// leaves a sixth of the states out.
fn choosing(graph: &Graph, classes: &Classes, class: Class, boundary: &[usize]) -> Vec<Step> {
    let is_square = |vertex: usize| Some(vertex) != graph.apex;
    let length = graph.lines.iter().flatten().map(|place| place[1] + 1).max().unwrap_or(0);
    let side = |vertex: usize| {
        let place = graph.lines.as_ref().map_or(0, |lines| lines[vertex][1]);
        place.min(length.saturating_sub(place + 1))
    };
    let others = |vertex: usize| {
        // Paired edges are chosen after those of the first class, and left-out edges after these.
        let own_end = |apex| usize::from(classes.of(graph, vertex, apex) == class);
        let is_later = |other: usize| match (class, classes.of(graph, vertex, other)) {
            (Class::PairedAbove, of) => !matches!(of, Class::First | Class::PairedAbove),
            (Class::LeftOut, of) => matches!(of, Class::Second | Class::PairedBelow),
            (_, of) => of != class,
        };
        // The apex chooses after the squares.
        graph.joined(vertex, is_later) + graph.apex.map_or(0, own_end)
    };
    let mut left: Vec<usize> = boundary.iter().copied().filter(|&v| is_square(v)).collect();
    let mut groups: Vec<Vec<Step>> = Vec::new();
    loop {
        let pending = |vertex: usize| {
            let is_pending = |other: usize| {
                other != vertex
                    && left.contains(&other)
                    && classes.of(graph, vertex, other) == class
            };
            graph.joined(vertex, is_pending)
        };
        let most = |&&vertex: &&usize| (pending(vertex), Reverse(side(vertex)), Reverse(vertex));
        let Some(&vertex) = left.iter().max_by_key(most).filter(|&&one| pending(one) > 0) else {
            groups.reverse();
            return groups.into_iter().flatten().collect();
        };
        let image = graph.image(vertex);
        let mut steps = Vec::new();
        for vertex in [vertex, image] {
            if let Some(place) = left.iter().position(|&other| other == vertex) {
                left.remove(place);
                let fewest = 2 - others(vertex).min(2) as u64;
                steps.push(Step::Choose(vertex, fewest));
            }
        }
        groups.push(steps);
    }
}
