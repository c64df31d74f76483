//! A stage: the processing of one vertex, that is, the edges that it may choose and their effect on
//! a pattern.
//!
//! The transitions of a state depend on its pattern alone, with one exception: an edge must not
//! join the two ends of one path. The maps of matchings drop such states. So the transitions are
//! computed once per pattern, and applied to all states of its block: a few dozen states on 7x8,
//! hundreds on larger boards. A transition is dropped if it leaves some vertex without enough edges
//! that it can still get, which prunes most states that cannot be completed.

use super::reach::{CanHave, Reach, Reaches};
use crate::graph::Graph;
use crate::states::matching::Change;
use crate::states::pattern::{ByPattern, Closed, Pattern, bits_of};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The kind of a stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// The vertex gets its last edges and leaves the frontier.
    Finish(usize),
    /// The vertex chooses what remains of its edges of a class and stays in the boundary. It needs
    /// at least this degree afterwards.
    Choose(usize, u64),
}

impl Step {
    /// Returns the vertex that is processed.
    pub fn vertex(&self) -> usize {
        match *self {
            Self::Finish(vertex) | Self::Choose(vertex, _) => vertex,
        }
    }
}

/// A stage with all that a pattern needs to be advanced. Vertices are given by their slots.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Stage {
    /// The vertex that is processed.
    pub vertex: usize,
    /// The slot of the vertex.
    pub at: usize,
    /// The vertices to which it may choose an edge.
    pub others: Vec<usize>,
    /// The slots of these vertices, in the same order.
    pub to: Vec<usize>,
    /// True if the vertex has degree 2 afterwards and leaves the frontier.
    pub finishes: bool,
    /// The least degree that the vertex may have afterwards.
    pub fewest: u64,
    /// All sets of up to two edges that the vertex may choose, those with fewer edges first.
    pub choices: Vec<EdgeSet>,
    /// The number of sets with fewer than 0, 1, 2 and 3 edges.
    fewer: [usize; 4],
    /// The check of the frontier vertices that may get too few edges.
    reaches: Reaches,
    /// The condition on the colours of the ends of open tours.
    apex: Option<ApexReach>,
    /// The patterns in which a cycle that closes here contains exactly the first vertices, each
    /// with their number.
    cycles: Vec<(Pattern, u32)>,
    /// The degrees that lead to the wanted units, if the half is restricted to some units.
    pub allowed: Option<AllowedDegrees>,
}

/// All combinations of degrees in some slots from which the wanted units can be reached.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct AllowedDegrees {
    /// Both bits of these slots.
    pub slots: u64,
    /// The allowed values of these bits.
    pub degrees: HashSet<u64, ByPattern>,
}

impl AllowedDegrees {
    /// True if a pattern has allowed degrees.
    pub fn has(&self, pattern: Pattern) -> bool {
        self.degrees.contains(&(pattern.0 & self.slots))
    }

    /// True if some pattern with these degrees in the slots of a key has allowed degrees.
    pub fn has_any(&self, degrees: Pattern, key: u64) -> bool {
        let common = self.slots & key;
        self.degrees.iter().any(|allowed| (allowed ^ degrees.0) & common == 0)
    }
}

/// A set of up to two edges that the vertex of a stage may choose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct EdgeSet {
    /// The places in `to` of the vertices to which the edges go; see [`EdgeSet::places`].
    places: [usize; 2],
    /// The number of edges: only the first `edges` places count.
    pub edges: usize,
    /// The lower bits of the slots of these vertices.
    pub bits: u64,
    /// The sum that the edges add to a pattern.
    added: u64,
    /// The sum of the colours of the ends of the edges: 0 but for an edge of the apex.
    colours: i32,
    /// True if the set has the edge that the stage has to choose, if there is one: that between the
    /// apex and a fixed end.
    pub has_must: bool,
}

impl EdgeSet {
    /// Returns the places in `to` of the vertices to which the edges go, in ascending order.
    #[inline]
    pub fn places(&self) -> &[usize] {
        &self.places[..self.edges]
    }
}

/// A necessary condition on the ends of open tours, from their colours. Every edge but those of the
/// apex joins the two colours. So the sum over all vertices of degree times colour, so far, equals
/// the sum of the colours of the ends chosen so far.
#[derive(Debug, Clone, Copy, PartialEq)]
struct ApexReach {
    /// The slot of the apex.
    slot: usize,
    /// Both bits of the slots of vertices of colour 1, and of those of colour -1.
    colours: [u64; 2],
    /// The part of the sum that is the same for all patterns: the vertices finished before, minus
    /// the sum that both ends must have at the end.
    offset: i32,
}

/// The situation of all vertices at a stage.
#[derive(Clone, Copy)]
pub(super) struct Surroundings<'a> {
    pub graph: &'a Graph,
    /// The slot of each vertex, from the stage at which an edge can first reach it until it is
    /// finished.
    pub slots: &'a [Option<usize>],
    /// By vertex, true if it was finished before this stage.
    pub is_finished: &'a [bool],
    /// True for an edge that no stage before this one could choose.
    pub is_left: &'a dyn Fn(usize, usize) -> bool,
}

impl Stage {
    /// Prepares the stage of a step that may join its vertex to `others`, and that completes
    /// `cycles`; `None` if a vertex that it needs has no slot.
    pub fn new(
        step: &Step,
        others: Vec<usize>,
        cycles: Vec<(Pattern, u32)>,
        around: Surroundings,
    ) -> Option<Self> {
        let Surroundings { graph, slots, .. } = around;
        let vertex = step.vertex();
        let (finishes, fewest) = match *step {
            Step::Finish(_) => (true, 2),
            Step::Choose(_, fewest) => (false, fewest),
        };
        let to: Vec<usize> = others.iter().map(|&other| slots[other]).collect::<Option<_>>()?;
        let fixed = [graph.fixed, graph.apex];
        let end = |one: usize, other: usize| fixed == [Some(one), Some(other)];
        let mut ends = others.iter().filter(|&&other| end(vertex, other) || end(other, vertex));
        let must = ends.next().and_then(|&other| slots[other]);
        let at = slots[vertex]?;
        let mut reaches = reaches(vertex, finishes, &others, around);
        // Of closed tours, the stages before have checked the vertices that this one leaves alone.
        let touched = bits_of(to.iter().copied().chain([at]));
        let is_affected = |reach: &Reach| touched & (3 << (2 * reach.slot) | reach.near) != 0;
        reaches.retain(|reach| graph.apex.is_some() || is_affected(reach));
        let reaches = Reaches::new(&reaches, at, &to);
        let set = |places: &[usize]| {
            let bits = places.iter().map(|&place| 1 << (2 * to[place])).sum();
            let colour = |&place: &usize| graph.colours[vertex] + graph.colours[others[place]];
            EdgeSet {
                places: [0, 1].map(|edge| places.get(edge).copied().unwrap_or_default()),
                edges: places.len(),
                bits,
                added: bits + ((places.len() as u64) << (2 * at)),
                colours: places.iter().map(colour).sum(),
                has_must: must.is_none_or(|must| places.iter().any(|&place| to[place] == must)),
            }
        };
        let all = 0..to.len();
        let pairs = all.clone().flat_map(|one| (one + 1..to.len()).map(move |other| [one, other]));
        let choices: Vec<EdgeSet> = std::iter::once(set(&[]))
            .chain(all.map(|one| set(&[one])))
            .chain(pairs.map(|pair| set(&pair)))
            .collect();
        let fewer = [0, 1, 1 + to.len(), choices.len()];
        let apex = graph.apex.map(|apex| ApexReach::new(apex, around));
        Some(Self {
            vertex,
            at,
            others,
            to,
            finishes,
            fewest,
            choices,
            fewer,
            reaches,
            apex: apex.flatten(),
            cycles,
            allowed: None,
        })
    }

    /// Returns a stage that does the same with unknown vertices.
    pub fn unnamed(&self) -> Self {
        Self { vertex: 0, others: Vec::new(), ..self.clone() }
    }

    /// Returns the slots that this stage reads or changes. Apart from these, all states keep their
    /// degrees.
    pub fn touched(&self) -> impl Iterator<Item = usize> {
        self.to.iter().copied().chain([self.at])
    }

    /// Returns the largest number of edges that a vertex can get in this stage.
    pub fn most_edges(&self, vertex: usize) -> usize {
        if vertex == self.vertex {
            self.others.len().min(2)
        } else {
            usize::from(self.others.contains(&vertex))
        }
    }

    /// Passes all transitions from a pattern to `next`, each with the number of its set of edges:
    /// the pattern that follows, and up to two changes of the matching, one per chosen edge. Passes
    /// to `complete` the number of vertices of each cycle that is completed. Of one stage, the
    /// transitions with the same set lead from ascending patterns to ascending patterns.
    #[inline]
    pub fn transitions(
        &self,
        pattern: Pattern,
        mut complete: impl FnMut(u32),
        mut next: impl FnMut(usize, (Pattern, [Option<Change>; 2])),
    ) {
        let degree = pattern.degree(self.at) as usize;
        let fewest = (self.fewest as usize).saturating_sub(degree);
        let (full, before) = (pattern.full(), self.reaches.before(pattern));
        let colours = self.apex.map_or(0, |apex| apex.colours_of(pattern));
        for number in self.fewer[fewest]..self.fewer[3 - degree] {
            let set = &self.choices[number];
            if full & set.bits != 0 {
                continue;
            }
            let after = self.settled(pattern, set, &before, colours);
            if after.is_none() && self.cycles.is_empty() {
                continue;
            }
            match self.link(pattern, set) {
                Ok(changes) => {
                    if let Some(after) = after {
                        next(number, (after, changes));
                    }
                }
                Err(Closed(cycle)) => self.cycle(cycle).into_iter().for_each(&mut complete),
            }
        }
    }

    /// Returns the stage for each combination of degrees that its sets of edges add in the slots of
    /// a key, with these sets alone.
    pub fn by_degrees(&self, key: u64) -> BTreeMap<u64, Self> {
        let added: BTreeSet<u64> = self.choices.iter().map(|set| set.added & key).collect();
        let with = |degrees: u64| {
            let mut stage = self.clone();
            stage.choices.retain(|set| set.added & key == degrees);
            let fewer = |most: usize| stage.choices.partition_point(|set| set.edges < most);
            stage.fewer = [0, 1, 2, 3].map(fewer);
            (degrees, stage)
        };
        added.into_iter().map(with).collect()
    }

    /// True if a set of edges may lead from a pattern to one that is wanted.
    pub fn may_lead(&self, pattern: Pattern, is_wanted: impl Fn(Pattern) -> bool) -> bool {
        let (full, degree) = (pattern.full(), pattern.degree(self.at) as usize);
        let mut sets = self.choices[..self.fewer[3 - degree]].iter();
        sets.any(|set| full & set.bits == 0 && is_wanted(self.after(pattern, set)))
    }

    /// Returns the pattern after the stage with a set of edges.
    #[inline]
    pub fn after(&self, pattern: Pattern, set: &EdgeSet) -> Pattern {
        let with_edges = Pattern(pattern.0 + set.added);
        if self.finishes { with_edges.without(self.at) } else { with_edges }
    }

    /// Returns the changes of the matching by a set of edges, one per edge. If only two endpoints
    /// are left, they end one path, and an edge closes it.
    #[inline]
    pub fn link(&self, pattern: Pattern, set: &EdgeSet) -> Result<[Option<Change>; 2], Closed> {
        let (mut pattern, mut changes) = (pattern, [None; 2]);
        for (change, &place) in changes.iter_mut().zip(set.places()) {
            let (with_edge, by_edge) = pattern.link(self.at, self.to[place])?;
            (pattern, *change) = (with_edge, Some(by_edge));
        }
        Ok(changes)
    }

    /// Returns the number of vertices of a cycle that closes here with this pattern, if they are
    /// exactly the first vertices of the strip.
    fn cycle(&self, cycle: Pattern) -> Option<u32> {
        // The edge that closes the cycle is the second one at this vertex.
        let after = cycle.without(self.at);
        self.cycles.iter().find(|(pattern, _)| *pattern == after).map(|&(_, length)| length)
    }

    /// Returns the pattern after the stage, given a set of edges to vertices that lack one; `None`
    /// if it does not meet all conditions of the stage. As far as a local check can tell, every
    /// frontier vertex can still get two edges, and an open tour can still have ends of the right
    /// colours. Each vertex is checked for itself; only the edges that the apex can still give are
    /// shared among all.
    #[inline]
    fn settled(
        &self,
        pattern: Pattern,
        set: &EdgeSet,
        before: &CanHave,
        colours: i32,
    ) -> Option<Pattern> {
        let after = self.after(pattern, set);
        let spare = self.apex.map_or(0, |apex| 2 - after.degree(apex.slot));
        let places = set.places().iter();
        let edges = places.map(|&place| (place, pattern.degree(self.to[place]) as usize));
        let degree = pattern.degree(self.at) as usize;
        let own = [degree, degree + set.edges];
        let is_settled = set.has_must
            && u64::from((colours + set.colours).unsigned_abs()) <= spare
            && self.reaches.suffice(before, edges, own, spare)
            && self.allowed.as_ref().is_none_or(|allowed| allowed.has(after));
        is_settled.then_some(after)
    }
}

/// Returns the edges that the frontier vertices can get after a stage that may choose edges from a
/// vertex to `others`, if these may be too few.
fn reaches(vertex: usize, finishes: bool, others: &[usize], around: Surroundings) -> Vec<Reach> {
    let Surroundings { graph, slots, is_finished, is_left } = around;
    let stays =
        |&one: &usize| slots[one].is_some() && !is_finished[one] && !(finishes && one == vertex);
    let is_here = |one: usize, other: usize| one == vertex && others.contains(&other);
    let reach = |one: usize| {
        let slot = slots[one].unwrap_or_default();
        let mut reach = Reach { slot, near: 0, far: 0, may_end: false };
        for &other in &graph.neighbours[one] {
            let is_chosen = !is_left(one, other) || is_here(one, other) || is_here(other, one);
            match slots[other] {
                _ if is_chosen => {}
                _ if Some(other) == graph.apex => reach.may_end = true,
                Some(slot) => reach.near |= 1 << (2 * slot),
                None => reach.far += 1,
            }
        }
        reach
    };
    (0..graph.len()).filter(stays).map(reach).filter(|reach| reach.far < 2).collect()
}

impl ApexReach {
    /// Prepares the condition for a stage; `None` if the apex has no slot.
    fn new(apex: usize, around: Surroundings) -> Option<Self> {
        let Surroundings { graph, slots, is_finished, .. } = around;
        let mut reach = Self { slot: slots[apex]?, colours: [0; 2], offset: -graph.surplus() };
        for (other, &colour) in graph.colours.iter().enumerate() {
            match slots[other] {
                _ if colour == 0 => {}
                Some(slot) => reach.colours[usize::from(colour < 0)] |= 3 << (2 * slot),
                None if is_finished[other] => reach.offset += 2 * colour,
                None => {}
            }
        }
        Some(reach)
    }

    /// Returns the difference between both sides of the condition, before the stage.
    #[inline]
    fn colours_of(&self, pattern: Pattern) -> i32 {
        let [first, second] = self.colours.map(|mask| pattern.degrees_in(mask));
        self.offset + first - second
    }
}
