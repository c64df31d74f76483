//! Two halves of a graph that meet at a cut, and the slices in which they are joined.
//!
//! A single sweep over the board has the most states in the middle. So two sweeps start from both
//! ends and meet at a cut. The top half processes the first vertices with every edge that leaves
//! them. The bottom half processes the others with the edges among them only. It begins with the
//! *interior*, the vertices without an edge to the top, and finishes them one by one from the far
//! end. Then the vertices of the *border* choose edges among themselves. A cycle is a state of the
//! top and a state of the bottom that together give every border vertex two edges, and whose
//! matchings join into one cycle. No cycle may lie in the top alone, because it would close without
//! a state to join. So either there is an interior, whose edges are all in the bottom, or the
//! border has more vertices than the top, so that some edge joins two of them.
//!
//! If a mirror image keeps the question, states are merged with their mirror images: of two slices
//! that mirror each other, one is processed and has the counts of both. Let T and B be the counts
//! of a top and a bottom slice that meet. After merging, each is twice the count for one of the two
//! slices, and half of their join is the result for both. A slice that is its own mirror image
//! contains the counts of a state and its image under either of them. There the bottom is unpacked
//! in both images, and half of the join is right again.
//!
//! The last two rounds of each half are within the units. In those of the top, the stages leave
//! some border vertices alone. The bottom leaves the same vertices alone, because they have chosen
//! their edges before its last two rounds. Both halves are partitioned by the degrees of these
//! *sliced* squares. A slice of the top then meets exactly one slice of the bottom, and both
//! together are a unit of the count. A process that counts only some of the units restricts both
//! halves to the states that lead to them.

use super::half::{Half, MOST_SLICED_WITHIN};
use super::stage::{Stage, Step};
use super::{BOTTOM, TOP};
use crate::graph::Graph;
use crate::states::pattern::{Pattern, bits_of};
use std::collections::{BTreeMap, HashSet};

/// A cut of a board, as written by `--cut C:S:Q`. Together with the question it fixes the units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// The number of vertices of the top half.
    pub at: usize,
    /// The number of these that are processed within the units.
    pub steps: usize,
    /// The largest number of sliced squares.
    pub sliced: usize,
}

/// Both halves of a graph. A border vertex has the same slot in both where they meet.
#[derive(Debug)]
pub(super) struct Halves {
    pub graph: Graph,
    /// The top and the bottom.
    pub sides: [Half; 2],
    /// Both bits of the slots of the border vertices.
    pub border: u64,
    /// The vertices of the top, in order.
    pub above: Vec<usize>,
    /// The sliced squares, whose degrees label the units.
    pub sliced: Vec<usize>,
    /// Both bits of the slots of the sliced squares.
    pub key: u64,
    /// Both bits of the slots by which each unit is divided once more.
    pub inner_key: u64,
    /// The slices of the top by the degrees of the sliced squares; of two that mirror each other,
    /// only the smaller pattern.
    pub units: Vec<Pattern>,
}

impl Halves {
    /// True if a unit is its own mirror image.
    pub fn is_own_image(&self, unit: Pattern) -> bool {
        self.graph.mirror.is_some() && unit.mirrored() == unit
    }

    /// The number of units that a unit stands for: one that is not its own mirror image stands for
    /// its mirror image too.
    pub fn images(&self, unit: Pattern) -> u32 {
        1 + u32::from(self.graph.mirror.is_some() && !self.is_own_image(unit))
    }

    /// Returns the sliced squares of a unit, each with the number of its edges to the top.
    pub fn degrees(&self, unit: Pattern) -> Vec<(usize, u8)> {
        let degree = |slot| unit.degree(slot) as u8;
        let of = |&vertex: &usize| (vertex, self.sides[TOP].slots[vertex].map_or(0, degree));
        self.sliced.iter().map(of).collect()
    }

    /// Returns both halves, the top first, restricted to the states that lead to some units.
    pub fn narrowed(&self, units: &[usize]) -> [Half; 2] {
        let is_mirrored = self.graph.mirror.is_some();
        let images = |&unit: &usize| {
            let unit = self.units[unit];
            [unit].into_iter().chain(is_mirrored.then(|| unit.mirrored()))
        };
        let wanted: HashSet<Pattern> = units.iter().flat_map(images).collect();
        let below = |unit: &Pattern| unit.missing_in(self.key).0;
        let (above, below) = (wanted.iter().map(|unit| unit.0), wanted.iter().map(below));
        [
            self.sides[TOP].narrowed(&self.sliced, above.collect()),
            self.sides[BOTTOM].narrowed(&self.sliced, below.collect()),
        ]
    }

    /// Returns the sliced squares in the order in which the top half makes their degrees final, a
    /// square and its mirror image together. The degrees that are final first divide the units
    /// best: the states of two groups differ from there on.
    pub fn levels(&self) -> Vec<Vec<usize>> {
        let stages: Vec<&Stage> =
            self.sides[TOP].rounds.iter().flat_map(|round| &round.stages).collect();
        let last = |vertex: usize| {
            let touches = |stage: &&Stage| stage.most_edges(vertex) > 0;
            stages.iter().rposition(touches)
        };
        let mut levels: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for &vertex in &self.sliced {
            let image = self.graph.image(vertex);
            let place = (last(vertex).max(last(image)), vertex.min(image));
            levels.entry(place).or_default().push(vertex);
        }
        levels.into_values().collect()
    }

    /// Divides units by the degrees that the squares of the first levels have from the top half. A
    /// unit stands for its mirror image too, so both are in one group. Groups are in ascending
    /// order of the larger pattern of both images, so that neighbours have similar degrees.
    pub fn divided(&self, units: &[usize], levels: &[Vec<usize>]) -> Vec<Vec<usize>> {
        let slots = levels.iter().flatten().filter_map(|&vertex| self.sides[TOP].slots[vertex]);
        let key = bits_of(slots);
        let mut groups: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for &unit in units {
            let pattern = self.units[unit];
            let own = pattern.0 & key;
            let group = match self.graph.mirror {
                Some(_) => own.max(pattern.mirrored().0 & key),
                None => own,
            };
            groups.entry(group).or_default().push(unit);
        }
        groups.into_values().collect()
    }

    /// Cuts a graph. Returns `None` if the cut does not lie within the graph, is not its own mirror
    /// image, needs too many slots, or leaves too little for the bottom.
    pub fn new(graph: &Graph, cut: Cut) -> Option<Self> {
        Self::ordered(graph, cut, &order(graph, cut)?, &[])
    }

    /// Returns the halves of another cut, whose units together are one unit of this cut; `None` if
    /// there is none.
    ///
    /// The vertices that this cut leaves to its units have no edge to a sliced square. So a sliced
    /// square has as many edges to the vertices before them as to the whole top, and the same
    /// degrees say the same if the new cut lies before these vertices. The halves meet at other
    /// border vertices there, so no state at the new cut is one at this cut. Mirror images are not
    /// merged. The sliced squares of this cut are sliced, and some more, so that a unit of the new
    /// cut takes little memory.
    pub fn recut(&self, unit: Pattern) -> Option<Self> {
        const MOST_LATE: usize = 2;
        const MORE_SLICED: usize = 4;
        let graph = Graph { mirror: None, ..self.graph.clone() };
        let top = &self.sides[TOP];
        let left = top.last().stages.len() + top.before_last().stages.len();
        let (above, _) = self.above.split_at(self.above.len() - left);
        let is_sliced = |vertex: usize| self.sliced.contains(&vertex);
        // The new cut, too, leaves vertices without an edge to a sliced square to its units.
        let free = above.iter().copied().filter(|&vertex| graph.joined(vertex, is_sliced) == 0);
        let late: Vec<usize> = free.rev().take(MOST_LATE).collect();
        let mut order = above.to_vec();
        order.retain(|vertex| !late.contains(vertex));
        order.extend(late.iter().rev());
        order.extend((0..graph.len()).filter(|vertex| !above.contains(vertex)));
        let sliced = self.sliced.len() + MORE_SLICED;
        let cut = Cut { at: above.len(), steps: late.len(), sliced };
        let mut halves = Self::ordered(&graph, cut, &order, &self.sliced)?;
        let degrees = self.degrees(unit);
        let is_within = |&part: &Pattern| {
            let of_part = halves.degrees(part);
            degrees.iter().all(|degree| of_part.contains(degree))
        };
        halves.units = halves.units.iter().copied().filter(is_within).collect();
        let all: Vec<usize> = (0..halves.units.len()).collect();
        halves.sides = halves.narrowed(&all);
        Some(halves)
    }

    /// Cuts a graph whose vertices are processed in an order. The given vertices, which must
    /// qualify, are the first of the sliced squares.
    fn ordered(graph: &Graph, cut: Cut, order: &[usize], given: &[usize]) -> Option<Self> {
        if cut.steps == 0 {
            return None;
        }
        let (above, below) = order.split_at(cut.at);
        let mut is_above = vec![false; graph.colours.len()];
        above.iter().for_each(|&vertex| is_above[vertex] = true);
        let to_top = |vertex: usize| graph.joined(vertex, |other| is_above[other]);
        let is_border = |vertex: &usize| to_top(*vertex) > 0;
        let mut border: Vec<usize> = below.iter().copied().filter(is_border).collect();
        border.extend(graph.apex);
        let interior: Vec<usize> =
            below.iter().copied().filter(|vertex| !is_border(vertex)).rev().collect();
        if interior.is_empty() && border.len() <= above.len() {
            return None;
        }
        let (first, last) = above.split_at(cut.at - cut.steps);
        let (early, late) = last.split_at(middle(graph, last));
        let qualified = untouched(graph, above, cut.steps);
        let sliced = graph.with_images(given.iter().copied().chain(qualified), cut.sliced);
        let inner = graph.with_images(untouched(graph, above, late.len()), MOST_SLICED_WITHIN);
        let mut rounds = rounds(graph, first);
        rounds.extend(
            [early, late].map(|last| last.iter().map(|&vertex| Step::Finish(vertex)).collect()),
        );
        let nothing = vec![None; graph.colours.len()];
        let keys = [&sliced[..], &inner[..]];
        let top = Half::new(graph, &rounds, &nothing, &keys, None)?;
        // The apex has a slot even if no edge of the top can reach it.
        let kept: Vec<Option<usize>> = (0..graph.colours.len())
            .map(|vertex| border.contains(&vertex).then(|| top.slots[vertex]).flatten())
            .collect();
        let fewest = |vertex: usize| 2 - to_top(vertex).min(2) as u64;
        let choose = |&vertex: &usize| Step::Choose(vertex, fewest(vertex));
        let mut rounds = self::rounds(graph, &interior);
        if !sliced.is_empty() {
            rounds.push(sliced.iter().map(choose).collect());
        }
        let (inner_only, others): (Vec<usize>, Vec<usize>) = border
            .iter()
            .filter(|&vertex| !sliced.contains(vertex) && Some(*vertex) != graph.apex)
            .partition(|vertex| inner.contains(vertex));
        rounds.extend([inner_only, others].map(|chosen| chosen.iter().map(choose).collect()));
        let bottom = Half::new(graph, &rounds, &kept, &keys, None)?;
        let slots_of = |vertices: &[usize]| {
            vertices.iter().filter_map(|&vertex| top.slots[vertex]).collect::<Vec<_>>()
        };
        let slots = slots_of(&sliced);
        let key = bits_of(slots.iter().copied());
        let inner_key = bits_of(slots_of(&inner));
        let units = units(graph, &sliced, &slots, to_top);
        let border = bits_of(slots_of(&border));
        let above = above.to_vec();
        let graph = graph.clone();
        let sides = [top, bottom];
        Some(Self { above, sides, border, key, inner_key, units, sliced, graph })
    }
}

/// Returns the place at which the last vertices are divided into two rounds: the one nearest to
/// their middle where the second part is its own mirror image.
fn middle(graph: &Graph, last: &[usize]) -> usize {
    let parts = (0..last.len()).filter(|&at| is_mirrored(graph, &last[at..]));
    parts.min_by_key(|&at| (2 * at).abs_diff(last.len())).unwrap_or(0)
}

/// Divides vertices into rounds of stages that finish them. After each round the vertices so far
/// are their own mirror image.
pub(super) fn rounds(graph: &Graph, vertices: &[usize]) -> Vec<Vec<Step>> {
    let least = graph.width.saturating_sub(4).max(1);
    let mut rounds = vec![Vec::new()];
    // The vertices whose mirror images are not among those so far.
    let mut single = HashSet::new();
    for &vertex in vertices {
        let image = graph.image(vertex);
        if image != vertex && !single.remove(&image) {
            single.insert(vertex);
        }
        if let Some(last) = rounds.last_mut() {
            last.push(Step::Finish(vertex));
            if last.len() >= least && single.is_empty() {
                rounds.push(Vec::new());
            }
        }
    }
    rounds.retain(|round| !round.is_empty());
    rounds
}

/// True if the mirror image of each vertex is among the vertices.
fn is_mirrored(graph: &Graph, vertices: &[usize]) -> bool {
    vertices.iter().all(|&vertex| vertices.contains(&graph.image(vertex)))
}

/// The largest number of vertices of which all choices are tried.
const MOST_CANDIDATES: usize = 16;

/// Returns the order of the vertices for a cut: that of the graph, except that the last vertices
/// before the cut are those that leave most border vertices alone. Returns `None` if the cut is not
/// possible.
fn order(graph: &Graph, cut: Cut) -> Option<Vec<usize>> {
    let mut order: Vec<usize> = (0..graph.len()).collect();
    let is_within = (1..graph.len()).contains(&cut.at) && (1..=cut.at).contains(&cut.steps);
    if !is_within || !is_mirrored(graph, &order[..cut.at]) {
        return None;
    }
    // Any vertex of the last row before the cut may be among the last.
    let row = (cut.at - 1) / graph.width * graph.width;
    let candidates = row.min(cut.at - cut.steps)..cut.at;
    if candidates.len() > MOST_CANDIDATES {
        return None;
    }
    let wholes = (0_u32..1 << candidates.len()).filter_map(|chosen| {
        let is_chosen = |vertex: &usize| chosen >> (vertex - candidates.start) & 1 == 1;
        let (last, first): (Vec<usize>, Vec<usize>) = candidates.clone().partition(is_chosen);
        let is_possible = last.len() == cut.steps && is_mirrored(graph, &last);
        is_possible.then(|| (0..candidates.start).chain(first).chain(last).collect())
    });
    // Of several that leave equally many alone, it is the last.
    let best = wholes.max_by_key(|whole: &Vec<usize>| untouched(graph, whole, cut.steps).len())?;
    order[..cut.at].copy_from_slice(&best);
    Some(order)
}

/// Returns the vertices below that the last stages leave alone although earlier vertices are joined
/// to them.
fn untouched(graph: &Graph, above: &[usize], steps: usize) -> Vec<usize> {
    let (before, last) = above.split_at(above.len() - steps);
    let mut is_left = vec![false; graph.colours.len()];
    for (vertices, is_joined) in [(before, true), (last, false)] {
        for &to in vertices.iter().flat_map(|&vertex| &graph.neighbours[vertex]) {
            is_left[to] = is_joined;
        }
    }
    above.iter().for_each(|&vertex| is_left[vertex] = false);
    (0..graph.len()).filter(|&vertex| is_left[vertex]).collect()
}

/// Returns all combinations of degrees that the sliced squares can have from the top; of two that
/// mirror each other, one.
fn units(
    graph: &Graph,
    sliced: &[usize],
    slots: &[usize],
    to_top: impl Fn(usize) -> usize,
) -> Vec<Pattern> {
    let mut units = vec![Pattern::default()];
    for (&vertex, slot) in sliced.iter().zip(slots) {
        let to_top = to_top(vertex);
        let to_bottom = graph.neighbours[vertex].len() - to_top;
        let degrees = 2 - to_bottom.min(2)..=to_top.min(2);
        units = units
            .iter()
            .flat_map(|unit| {
                degrees.clone().map(move |degree| Pattern(unit.0 | (degree as u64) << (2 * slot)))
            })
            .collect();
    }
    if graph.mirror.is_some() {
        units.retain(|unit| *unit <= unit.mirrored());
    }
    units.sort_unstable();
    units
}
