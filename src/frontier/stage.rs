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
use crate::states::pattern::{Linked, Pattern};
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
    /// The edges that the frontier vertices can still get after this stage. It is empty unless the
    /// vertex is finished.
    reaches: Vec<Reach>,
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
    pub degrees: HashSet<u64>,
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
    far: u32,
    /// True if it may be joined to the apex.
    may_end: bool,
}

/// A necessary condition on the ends of open tours, from their colours. Every edge but those of the
/// apex joins the two colours. So the sum over all vertices of degree times colour, so far, equals
/// the sum of the colours of the ends chosen so far.
#[derive(Debug, Clone, Copy)]
struct ApexReach {
    /// The slot of the apex.
    slot: usize,
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
        let reaches = match finishes {
            true => reaches(vertex, around),
            false => Vec::new(),
        };
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
        self.settle(pattern, [None; 2], self.must.is_none(), next);
        let degree = pattern.degree(self.at);
        if degree == 2 {
            return;
        }
        for (index, &one) in self.to.iter().enumerate() {
            let (with_one, first) = match pattern.link(self.at, one) {
                Linked::To(with_one, first) => (with_one, first),
                Linked::Cycle(cycle) => {
                    // The two endpoints are the only ones, so both edges together close a cycle.
                    cycles.extend(self.cycle(cycle));
                    continue;
                }
                Linked::Full => continue,
            };
            self.settle(
                with_one,
                [Some(first), None],
                self.must.is_none_or(|must| must == one),
                next,
            );
            if degree == 1 {
                continue;
            }
            for &other in &self.to[index + 1..] {
                match with_one.link(self.at, other) {
                    Linked::To(with_both, second) => {
                        let has_must = self.must.is_none_or(|must| must == one || must == other);
                        self.settle(with_both, [Some(first), Some(second)], has_must, next);
                    }
                    // Only two endpoints are left: they end one path, so this edge closes it.
                    Linked::Cycle(cycle) => cycles.extend(self.cycle(cycle)),
                    Linked::Full => {}
                }
            }
        }
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

    /// Appends a transition if its pattern meets all conditions of the stage.
    fn settle(
        &self,
        pattern: Pattern,
        changes: [Option<Change>; 2],
        has_must: bool,
        found: &mut Vec<Transition>,
    ) {
        if !has_must || pattern.degree(self.at) < self.fewest {
            return;
        }
        let after = match self.finishes {
            true => pattern.without(self.at),
            false => pattern,
        };
        let is_wanted = |allowed: &AllowedDegrees| allowed.has(after);
        if self.is_viable(after) && self.allowed.as_ref().is_none_or(is_wanted) {
            found.push((after, changes));
        }
    }

    /// True if, as far as a local check can tell, every frontier vertex can still get two edges,
    /// and an open tour can still have ends of the right colours. Each vertex is checked for
    /// itself; only the edges that the apex can still give are shared among all.
    fn is_viable(&self, pattern: Pattern) -> bool {
        let spare = match self.apex {
            None => 0,
            Some(apex) => {
                let spare = 2 - pattern.degree(apex.slot);
                let [first, second] = apex.colours.map(|mask| pattern.degrees_in(mask));
                if (apex.offset + first - second).unsigned_abs() as u64 > spare {
                    return false;
                }
                spare
            }
        };
        let full = pattern.full();
        let mut lacking = 0;
        for reach in &self.reaches {
            let wanted = match pattern.degree(reach.slot) {
                2 => continue,
                degree => 2 - degree as u32,
            };
            let available = reach.far + (reach.near & !full).count_ones();
            if available < wanted {
                lacking += wanted - available;
                if !reach.may_end || available + 1 < wanted || u64::from(lacking) > spare {
                    return false;
                }
            }
        }
        true
    }
}

/// Returns the edges that the remaining frontier vertices can get after a vertex is finished.
fn reaches(vertex: usize, Surroundings { graph, slots, is_done }: Surroundings) -> Vec<Reach> {
    let stays = |&other: &usize| slots[other].is_some() && !is_done[other] && other != vertex;
    let reach = |other: usize| {
        let mut reach =
            Reach { slot: slots[other].unwrap_or_default(), near: 0, far: 0, may_end: false };
        for &neighbour in &graph.neighbours[other] {
            match slots[neighbour] {
                _ if Some(neighbour) == graph.apex => reach.may_end = true,
                _ if is_done[neighbour] || neighbour == vertex => {}
                Some(slot) => reach.near |= 1 << (2 * slot),
                None => reach.far += 1,
            }
        }
        reach
    };
    (0..graph.len()).filter(stays).map(reach).collect()
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
        let mut reach = Self { slot, colours: [0; 2], offset: -graph.surplus() };
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
