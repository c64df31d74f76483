//! A stage: the processing of one vertex, that is, the edges that it may choose and their effect on
//! a pattern.
//!
//! The transitions of a state depend on its pattern alone, with one exception: an edge must not
//! join the two ends of one path. The maps of matchings drop such states. So the transitions are
//! computed once per pattern, and applied to all states of its block: a few dozen states on 7x8,
//! hundreds on larger boards. A transition is dropped if it leaves some vertex without enough edges
//! that it can still get, which prunes most states that cannot be completed.

use crate::graph::Graph;
use crate::states::matching::Change;
use crate::states::pattern::{ByPattern, Linked, Pattern, bits_of};
use std::collections::HashSet;

/// The kind of a stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// The vertex gets its last edges and leaves the frontier.
    Finish(usize),
    /// The vertex chooses edges to other border vertices and stays. It needs at least this degree
    /// afterwards.
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
#[derive(Debug, Clone)]
pub(super) struct Stage {
    /// The vertex that is processed.
    pub vertex: usize,
    /// The slot of the vertex.
    pub at: usize,
    /// The vertices to which it may choose an edge.
    pub others: Vec<usize>,
    /// The slots of these vertices, in the same order.
    pub to: Vec<usize>,
    /// The slot among them to which it has to choose an edge: that of the apex, for a fixed end.
    pub must: Option<usize>,
    /// True if the vertex has degree 2 afterwards and leaves the frontier.
    pub finishes: bool,
    /// The least degree that the vertex may have afterwards.
    pub fewest: u64,
    /// The edges that the frontier vertices can still get after this stage, of those that may get
    /// too few. It is empty unless the vertex is finished.
    reaches: Vec<Reach>,
    /// For each of `to`, the lower bits of the slots in `reaches` that are beside it.
    beside: Vec<u64>,
    /// The condition on the colours of the ends of open tours.
    apex: Option<ApexReach>,
    /// The patterns in which a cycle that closes here contains exactly the first vertices, each
    /// with their number.
    cycles: Vec<(Pattern, u32)>,
    /// The degrees that lead to the wanted units, if the half is restricted to some units.
    pub allowed: Option<AllowedDegrees>,
}

/// All combinations of degrees in some slots from which the wanted units can be reached.
#[derive(Debug, Clone)]
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

/// The edges that a frontier vertex can still get.
#[derive(Debug, Clone, Copy)]
struct Reach {
    /// The slot of the vertex.
    slot: usize,
    /// The lower bits of the slots of its unfinished neighbours.
    near: u64,
    /// The number of its neighbours that have no slot yet.
    far: usize,
}

/// What frontier vertices need: the lower bits of the slots of those that can get two edges less
/// than they need, one less, just as many, one more, and any number more.
type Needs = [u64; 5];

/// The effect of the chosen edges on other vertices, as lower bits of slots.
#[derive(Debug, Clone, Copy, Default)]
struct Got {
    /// The vertices to which the edges go.
    bits: u64,
    /// The vertices beside one of these that is full now, and those beside two.
    any: u64,
    both: u64,
}

/// A necessary condition on the ends of open tours, from their colours. Every edge but those of the
/// apex joins the two colours. So the sum over all vertices of degree times colour, so far, equals
/// the sum of the colours of the ends chosen so far.
#[derive(Debug, Clone, Copy)]
struct ApexReach {
    /// The slot of the apex.
    slot: usize,
    /// The lower bits of the slots of vertices that may be joined to the apex.
    may_end: u64,
    /// Both bits of the slots of vertices of colour 1, and of those of colour -1.
    colours: [u64; 2],
    /// The part of the sum that is the same for all patterns: the finished vertices, minus the sum
    /// that both ends must have at the end.
    offset: i32,
}

/// One way from a pattern through a stage: the pattern that follows, and up to two changes of the
/// matching, one per chosen edge.
pub(super) type Transition = (Pattern, [Option<Change>; 2]);

/// The situation of all vertices at a stage.
#[derive(Debug, Clone, Copy)]
pub(super) struct Surroundings<'a> {
    pub graph: &'a Graph,
    /// The slot of each vertex, from the stage at which an edge can first reach it until it is
    /// finished.
    pub slots: &'a [Option<usize>],
    /// By vertex, true if it was processed before this stage.
    pub is_done: &'a [bool],
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
        let must = graph.apex.filter(|_| graph.fixed == Some(vertex)).and_then(|apex| slots[apex]);
        let mut reaches = match finishes {
            true => reaches(vertex, around),
            false => Vec::new(),
        };
        // Of closed tours, the stages before have checked the vertices that this one leaves alone.
        let beside = bits_of(to.iter().copied());
        let is_affected = |reach: &Reach| to.contains(&reach.slot) || reach.near & beside != 0;
        reaches.retain(|reach| graph.apex.is_some() || is_affected(reach));
        let is_beside = |to: usize, reach: &&Reach| reach.near >> (2 * to) & 1 == 1;
        let beside = |&to: &usize| {
            let beside = reaches.iter().filter(|reach| is_beside(to, reach));
            beside.map(|reach| 1 << (2 * reach.slot)).sum()
        };
        let beside = to.iter().map(beside).collect();
        let apex = graph.apex.map(|apex| ApexReach::new(apex, finishes.then_some(vertex), around));
        Some(Self {
            vertex,
            at: slots[vertex]?,
            others,
            to,
            must,
            finishes,
            fewest,
            reaches,
            beside,
            apex: apex.flatten(),
            cycles,
            allowed: None,
        })
    }

    /// Returns the slots that this stage reads or changes. Apart from these, all states keep their
    /// degrees.
    pub fn touched(&self) -> impl Iterator<Item = usize> {
        self.to.iter().copied().chain([self.at])
    }

    /// Returns the largest number of edges that a vertex can get in this stage.
    pub fn most_edges(&self, vertex: usize) -> usize {
        match vertex == self.vertex {
            true => self.others.len().min(2),
            false => usize::from(self.others.contains(&vertex)),
        }
    }

    /// Appends all transitions from a pattern to `next`, and to `completed` the number of vertices
    /// of each cycle that is completed.
    pub fn transitions(&self, pattern: Pattern, next: &mut Vec<Transition>, cycles: &mut Vec<u32>) {
        let needs = self.needs(pattern);
        // The vertex gives each other vertex one edge at most, and only the apex can give another.
        // So the edges go to all that lack one; none can go to a bit that is not the lower one.
        let must_get = match self.apex {
            None if self.cycles.is_empty() => needs[0] << 1 | needs[1],
            _ => 0,
        };
        let after = self.settled(pattern, &needs, Got::default());
        next.extend(after.map(|after| (after, [None; 2])));
        let degree = pattern.degree(self.at);
        if degree == 2 {
            return;
        }
        for (index, &one) in self.to.iter().enumerate() {
            let Some(with_one) = pattern.joined(self.at, one) else {
                continue;
            };
            let got_one = self.got(with_one, index);
            let after = self.settled(with_one, &needs, got_one);
            if after.is_some() || !self.cycles.is_empty() {
                match pattern.link(self.at, one) {
                    Linked::To(_, first) => {
                        next.extend(after.map(|after| (after, [Some(first), None])));
                    }
                    // The two endpoints are the only ones, so both edges together close a cycle.
                    Linked::Cycle(cycle) => cycles.extend(self.cycle(cycle)),
                    Linked::Full => {}
                }
            }
            if degree == 1 {
                continue;
            }
            for (second, &other) in self.to.iter().enumerate().skip(index + 1) {
                if must_get & !(got_one.bits | 1 << (2 * other)) != 0 {
                    continue;
                }
                let Some(with_both) = with_one.joined(self.at, other) else {
                    continue;
                };
                let got_both = got_one.and(self.got(with_both, second));
                let after = self.settled(with_both, &needs, got_both);
                if after.is_none() && self.cycles.is_empty() {
                    continue;
                }
                let Linked::To(_, first) = pattern.link(self.at, one) else {
                    continue;
                };
                match with_one.link(self.at, other) {
                    Linked::To(_, second) => {
                        next.extend(after.map(|after| (after, [Some(first), Some(second)])));
                    }
                    // Only two endpoints are left: they end one path, so this edge closes it.
                    Linked::Cycle(cycle) => cycles.extend(self.cycle(cycle)),
                    Linked::Full => {}
                }
            }
        }
    }

    /// Returns the effect of an edge to the vertex in a place of `to`, given the pattern with it.
    #[inline]
    fn got(&self, after: Pattern, place: usize) -> Got {
        let any = if after.degree(self.to[place]) == 2 { self.beside[place] } else { 0 };
        Got { bits: 1 << (2 * self.to[place]), any, both: 0 }
    }

    /// Returns the number of vertices of a cycle that closes here with this pattern, if they are
    /// exactly the first vertices of the strip.
    fn cycle(&self, cycle: Pattern) -> Option<u32> {
        if self.cycles.is_empty() || cycle.degree(self.at) < 2 {
            return None;
        }
        let after = cycle.without(self.at);
        self.cycles.iter().find(|(pattern, _)| *pattern == after).map(|&(_, length)| length)
    }

    /// Returns what the frontier vertices need, before any edge of the stage is chosen.
    fn needs(&self, pattern: Pattern) -> Needs {
        let full = pattern.full();
        let mut needs = Needs::default();
        for reach in &self.reaches {
            let degree = pattern.degree(reach.slot) as usize;
            if degree < 2 {
                let extra = reach.far + up_to_three(reach.near & !full) + degree;
                needs[extra.min(4)] |= 1 << (2 * reach.slot);
            }
        }
        needs
    }

    /// Returns the pattern after the stage, given the pattern with the chosen edges and their
    /// effect; `None` if it does not meet all conditions of the stage.
    #[inline]
    fn settled(&self, pattern: Pattern, needs: &Needs, got: Got) -> Option<Pattern> {
        let has_must = self.must.is_none_or(|must| got.bits >> (2 * must) & 1 == 1);
        if !has_must || pattern.degree(self.at) < self.fewest {
            return None;
        }
        let after = match self.finishes {
            true => pattern.without(self.at),
            false => pattern,
        };
        let is_wanted = |allowed: &AllowedDegrees| allowed.has(after);
        let is_settled =
            self.is_viable(after, needs, got) && self.allowed.as_ref().is_none_or(is_wanted);
        is_settled.then_some(after)
    }

    /// True if, as far as a local check can tell, every frontier vertex can still get two edges,
    /// and an open tour can still have ends of the right colours. Each vertex is checked for
    /// itself; only the edges that the apex can still give are shared among all.
    #[inline]
    fn is_viable(&self, after: Pattern, needs: &Needs, Got { bits, any, both }: Got) -> bool {
        // A vertex that is joined now needs one edge less, or none; a vertex beside one that is
        // full now can get one edge less.
        let open = bits & !after.full();
        let of = |extra: usize| match extra {
            0 => needs[0] & !bits,
            _ => needs[extra] & !bits | needs[extra - 1] & open,
        };
        let lacking = of(1) & !any | of(2) & any & !both | of(3) & both;
        let is_hopeless = of(0) | of(1) & any | of(2) & both != 0;
        match self.apex {
            None => !is_hopeless && lacking == 0,
            Some(apex) => {
                let spare = 2 - after.degree(apex.slot);
                let [first, second] = apex.colours.map(|mask| after.degrees_in(mask));
                !is_hopeless
                    && lacking & !apex.may_end == 0
                    && u64::from(lacking.count_ones()) <= spare
                    && u64::from((apex.offset + first - second).unsigned_abs()) <= spare
            }
        }
    }
}

impl Got {
    /// Returns the effect of both this edge and another.
    #[inline]
    fn and(self, other: Self) -> Self {
        Self { bits: self.bits | other.bits, any: self.any | other.any, both: self.any & other.any }
    }
}

/// Returns the number of bits of a set, or 3 if there are more. It is faster than counting all.
#[inline]
fn up_to_three(set: u64) -> usize {
    let but_one = set & set.wrapping_sub(1);
    let but_two = but_one & but_one.wrapping_sub(1);
    usize::from(set != 0) + usize::from(but_one != 0) + usize::from(but_two != 0)
}

/// Returns the edges that the remaining frontier vertices can get after a vertex is finished, if
/// these may be too few.
fn reaches(vertex: usize, Surroundings { graph, slots, is_done }: Surroundings) -> Vec<Reach> {
    let stays = |&other: &usize| slots[other].is_some() && !is_done[other] && other != vertex;
    let reach = |other: usize| {
        let mut reach = Reach { slot: slots[other].unwrap_or_default(), near: 0, far: 0 };
        for &neighbour in &graph.neighbours[other] {
            match slots[neighbour] {
                _ if Some(neighbour) == graph.apex => {}
                _ if is_done[neighbour] || neighbour == vertex => {}
                Some(slot) => reach.near |= 1 << (2 * slot),
                None => reach.far += 1,
            }
        }
        reach
    };
    (0..graph.len()).filter(stays).map(reach).filter(|reach| reach.far < 2).collect()
}

impl ApexReach {
    /// Prepares the condition for a stage, which finishes a vertex or none; `None` if the apex has
    /// no slot.
    fn new(
        apex: usize,
        finishing: Option<usize>,
        Surroundings { graph, slots, is_done }: Surroundings,
    ) -> Option<Self> {
        let slot = slots[apex]?;
        let ends = graph.neighbours[apex].iter().filter_map(|&end| slots[end]);
        let may_end = ends.fold(0, |all, slot| all | 1 << (2 * slot));
        let mut reach = Self { slot, may_end, colours: [0; 2], offset: -graph.surplus() };
        for (other, &colour) in graph.colours.iter().enumerate() {
            match slots[other] {
                _ if colour == 0 => {}
                Some(slot) if finishing != Some(other) => {
                    reach.colours[usize::from(colour < 0)] |= 3 << (2 * slot);
                }
                None if !is_done[other] => {}
                _ => reach.offset += 2 * colour,
            }
        }
        Some(reach)
    }
}
