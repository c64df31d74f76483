//! One vertex on the way through a half of the graph: which edges it may take, and what that makes of a pattern.
//!
//! What a stage may do to a state depends on its pattern alone, so it is decided once for all states of the pattern: a few dozen
//! of them on 7x8, hundreds on larger boards.

use crate::graph::Graph;
use crate::states::matching::Change;
use crate::states::pattern::{Linked, Pattern};
use std::collections::HashSet;

/// What happens at a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// The vertex takes its last edges and leaves the window.
    Close(usize),
    /// The vertex takes edges to others of the border, and has at least so many afterwards.
    Choose(usize, u64),
}

impl Step {
    pub fn vertex(&self) -> usize {
        match *self {
            Self::Close(vertex) | Self::Choose(vertex, _) => vertex,
        }
    }
}

/// A vertex at which edges are chosen.
#[derive(Debug, Clone)]
pub(crate) struct Stage {
    /// Itself.
    pub vertex: usize,
    /// Its slot.
    pub at: usize,
    /// The vertices that it may be joined to here.
    pub others: Vec<usize>,
    /// Their slots.
    pub to: Vec<usize>,
    /// Of those, the one that it has to be joined to.
    pub must: Option<usize>,
    /// Whether it has both edges and leaves its slot afterwards.
    pub closes: bool,
    /// The fewest edges it may have afterwards.
    pub fewest: u64,
    /// What the vertices of the window can still get.
    window: Vec<Outlook>,
    apex: Option<ApexOutlook>,
    /// The patterns in which a cycle that closes here is one of the first so many vertices.
    cycles: Vec<(Pattern, u32)>,
    /// What alone is wanted afterwards, if not everything is.
    pub only: Option<Only>,
}

/// The only degrees in some slots that come to what is wanted in the end.
#[derive(Debug, Clone)]
pub(crate) struct Only {
    /// Both bits of the slots.
    pub slots: u64,
    pub degrees: HashSet<u64>,
}

/// What a vertex of the window can still get.
#[derive(Debug, Clone, Copy)]
struct Outlook {
    slot: usize,
    /// The lower bits of the slots of its open neighbours.
    near: u64,
    /// Neighbours that are not reached yet.
    far: u32,
    /// Whether it may be joined to the apex.
    may_end: bool,
}

/// What the colours say about the ends of tours. Every edge but those of the apex has one end of each colour, so the sum
/// over all degrees, each with its colour, is the sum of the colours of the ends chosen so far.
#[derive(Debug, Clone, Copy)]
struct ApexOutlook {
    slot: usize,
    /// The slots of vertices of colour 1, both bits, and those of colour -1.
    colours: [u64; 2],
    /// What the vertices without a slot have: those that are closed, less what all ends come to.
    offset: i32,
}

/// A way from a pattern through a stage: the pattern that follows, and up to two changes of the matching.
pub(crate) type Way = (Pattern, [Option<Change>; 2]);

/// Where the vertices are at a stage.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Surroundings<'a> {
    pub graph: &'a Graph,
    /// By vertex, its slot, from when an edge can reach it until it is closed.
    pub slots: &'a [Option<usize>],
    /// By vertex, whether it is closed, or has chosen its edges, before this stage.
    pub is_done: &'a [bool],
}

impl Stage {
    /// The stage of a step that may join its vertex to these others, in which these cycles are met; `None` where a vertex
    /// that is wanted has no slot.
    pub fn new(
        step: &Step,
        others: Vec<usize>,
        cycles: Vec<(Pattern, u32)>,
        around: Surroundings,
    ) -> Option<Self> {
        let Surroundings { graph, slots, .. } = around;
        let vertex = step.vertex();
        let (closes, fewest) = match *step {
            Step::Close(_) => (true, 2),
            Step::Choose(_, fewest) => (false, fewest),
        };
        let to: Vec<usize> = others.iter().map(|&other| slots[other]).collect::<Option<_>>()?;
        let must = graph.apex.filter(|_| graph.fixed == Some(vertex)).and_then(|apex| slots[apex]);
        let window = match closes {
            true => outlooks(vertex, around),
            false => Vec::new(),
        };
        let apex = graph.apex.map(|apex| ApexOutlook::new(apex, closes.then_some(vertex), around));
        Some(Self {
            vertex,
            at: slots[vertex]?,
            others,
            to,
            must,
            closes,
            fewest,
            window,
            apex: apex.flatten(),
            cycles,
            only: None,
        })
    }

    /// The slots that this stage reads or changes.
    pub fn touched(&self) -> impl Iterator<Item = usize> {
        self.to.iter().copied().chain([self.at])
    }

    /// The most edges that a vertex may take here.
    pub fn most_edges(&self, vertex: usize) -> usize {
        match vertex == self.vertex {
            true => self.others.len().min(2),
            false => usize::from(self.others.contains(&vertex)),
        }
    }

    /// All ways on from a pattern, and how many vertices are in cycles that close.
    pub fn ways(&self, pattern: Pattern, found: &mut Vec<Way>, closed: &mut Vec<u32>) {
        self.settle(pattern, [None; 2], self.must.is_none(), found);
        let degree = pattern.degree(self.at);
        if degree == 2 {
            return;
        }
        for (index, &one) in self.to.iter().enumerate() {
            let (with_one, first) = match pattern.link(self.at, one) {
                Linked::To(with_one, first) => (with_one, first),
                Linked::Closes(closes) => {
                    closed.extend(self.cycle(closes));
                    continue;
                }
                Linked::Full => continue,
            };
            self.settle(
                with_one,
                [Some(first), None],
                self.must.is_none_or(|must| must == one),
                found,
            );
            if degree == 1 {
                continue;
            }
            for &other in &self.to[index + 1..] {
                match with_one.link(self.at, other) {
                    Linked::To(with_both, second) => {
                        let has_must = self.must.is_none_or(|must| must == one || must == other);
                        self.settle(with_both, [Some(first), Some(second)], has_must, found);
                    }
                    // The two ends may be those of different paths only where there are more than two.
                    Linked::Closes(closes) => closed.extend(self.cycle(closes)),
                    Linked::Full => {}
                }
            }
        }
    }

    /// How many vertices a cycle has that closes here, if they are the first.
    fn cycle(&self, closes: Pattern) -> Option<u32> {
        if self.cycles.is_empty() || closes.degree(self.at) < 2 {
            return None;
        }
        let after = closes.without(self.at);
        self.cycles.iter().find(|(pattern, _)| *pattern == after).map(|&(_, length)| length)
    }

    fn settle(
        &self,
        pattern: Pattern,
        changes: [Option<Change>; 2],
        has_must: bool,
        found: &mut Vec<Way>,
    ) {
        if !has_must || pattern.degree(self.at) < self.fewest {
            return;
        }
        let after = match self.closes {
            true => pattern.without(self.at),
            false => pattern,
        };
        let is_wanted = |only: &Only| only.degrees.contains(&(after.0 & only.slots));
        if self.is_viable(after) && self.only.as_ref().is_none_or(is_wanted) {
            found.push((after, changes));
        }
    }

    /// Whether every vertex of the window can still get both its edges, as far as that is seen at once.
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
        for outlook in &self.window {
            let wanted = match pattern.degree(outlook.slot) {
                2 => continue,
                degree => 2 - degree as u32,
            };
            let to_be_had = outlook.far + (outlook.near & !full).count_ones();
            if to_be_had < wanted {
                lacking += wanted - to_be_had;
                if !outlook.may_end || to_be_had + 1 < wanted || u64::from(lacking) > spare {
                    return false;
                }
            }
        }
        true
    }
}

/// What the vertices that stay in the window can get after a vertex is closed.
fn outlooks(vertex: usize, Surroundings { graph, slots, is_done }: Surroundings) -> Vec<Outlook> {
    let stays = |&other: &usize| slots[other].is_some() && !is_done[other] && other != vertex;
    let outlook = |other: usize| {
        let mut outlook =
            Outlook { slot: slots[other].unwrap_or_default(), near: 0, far: 0, may_end: false };
        for &neighbour in &graph.neighbours[other] {
            match slots[neighbour] {
                _ if Some(neighbour) == graph.apex => outlook.may_end = true,
                _ if is_done[neighbour] || neighbour == vertex => {}
                Some(slot) => outlook.near |= 1 << (2 * slot),
                None => outlook.far += 1,
            }
        }
        outlook
    };
    (0..graph.len()).filter(stays).map(outlook).collect()
}

impl ApexOutlook {
    fn new(
        apex: usize,
        closing: Option<usize>,
        Surroundings { graph, slots, is_done }: Surroundings,
    ) -> Option<Self> {
        let slot = slots[apex]?;
        let mut outlook = Self { slot, colours: [0; 2], offset: -graph.surplus() };
        for (other, &colour) in graph.colours.iter().enumerate() {
            match slots[other] {
                _ if colour == 0 => {}
                Some(slot) if closing != Some(other) => {
                    outlook.colours[usize::from(colour < 0)] |= 3 << (2 * slot);
                }
                None if !is_done[other] => {}
                _ => outlook.offset += 2 * colour,
            }
        }
        Some(outlook)
    }
}
