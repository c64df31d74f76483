//! A sweep over a class of edges: the vertices in order, the slot of each vertex while it is in the
//! frontier, and the rounds of stages.
//!
//! A pattern has only 32 slots, but a sweep passes more vertices. So slots are allotted like
//! registers in a compiler: once for the whole sweep, each for as long as its vertex is in the
//! frontier. A vertex keeps its slot, so patterns are never shifted. Vertices that are mirror
//! images of each other get mirrored slots, for the time in which either of them needs one. The
//! vertices of the boundary keep theirs to the end.

use super::stage::{AllowedDegrees, Stage, Step, Surroundings};
use crate::graph::Graph;
use crate::states::pattern::{MIDDLE, Pattern, SLOTS, bits_of};
use std::collections::HashSet;

/// A few stages that are applied slice by slice. The states of a slice agree on the degrees of
/// vertices that none of the stages touches, so slices never meet during a round.
#[derive(Debug, Clone)]
pub(super) struct Round {
    pub stages: Vec<Stage>,
    /// Both bits of the slots whose degrees tell the slices apart.
    pub key: u64,
    /// A finer key for each stage, by which a large slice is divided before the stage: the slots
    /// that this and all later stages of the round leave alone.
    pub onward: Vec<u64>,
    /// A finer key for each stage: the slots that this stage leaves alone.
    pub alone: Vec<u64>,
}

/// The edges that a sweep chooses, and what it leaves.
#[derive(Clone, Copy)]
pub(super) struct Course<'a> {
    pub graph: &'a Graph,
    /// The steps of each round.
    pub rounds: &'a [Vec<Step>],
    /// True for the edges that the sweep chooses.
    pub is_chosen: &'a dyn Fn(usize, usize) -> bool,
    /// The number of last rounds that have finer slices.
    pub late: usize,
    /// The vertices that stay in the frontier to the end.
    pub boundary: &'a [usize],
    /// If this is `n`, cycles through exactly the first n, 2n, 3n ... vertices are completed during
    /// the sweep.
    pub cycles_at: Option<usize>,
}

/// All rounds of a sweep.
#[derive(Debug, Clone)]
pub(super) struct Sweep {
    pub rounds: Vec<Round>,
    /// Both bits of the slots by which the states are partitioned in the end.
    pub last_key: u64,
    /// The slot of each vertex that is still in the frontier at the end.
    pub slots: Vec<Option<usize>>,
    /// The stages that choose the left-out edges after the sweep, within the units. A forecast
    /// samples them as one more round.
    pub left_out: Round,
}

/// The largest number of vertices in the key of a round: at most 3^6 = 729 slices.
const MOST_SLICED: usize = 6;

/// The largest number of vertices in a finer key, within a slice. Such slices live in memory only,
/// so there may be more of them.
pub(super) const MOST_SLICED_WITHIN: usize = 10;

/// The same for the last rounds of a long count. On 10x10 closed, slices by six squares have up to
/// 15 GB. They are processed in parts then, and a state that several parts lead to is kept once for
/// each of them, which doubled the output of the largest.
const MOST_SLICED_LATE: usize = 10;
const MOST_SLICED_WITHIN_LATE: usize = 16;

/// The first and the last step at which each vertex needs a slot, if it needs one.
type Lives = Vec<Option<(usize, usize)>>;

impl Sweep {
    /// Computes the slots and the stages of a course; `None` if 32 slots do not suffice. `kept`
    /// gives the boundary vertices the slots that they have at the end, where these are known.
    pub fn new(course: Course, kept: Option<&[Option<usize>]>) -> Option<Self> {
        let Course { graph, rounds, cycles_at, .. } = course;
        let nothing = vec![None; graph.colours.len()];
        let kept = kept.unwrap_or(&nothing);
        let lives = lives(course);
        // The numbers of tours depend on the slots. So boards for which first fit suffices keep it.
        let mut fits = [Fit::First, Fit::Tightest].into_iter();
        let slots_of = fits.find_map(|fit| allot(graph, &lives, kept, fit))?;
        // The slots of the vertices that get one before the step `to` and need it at `from`.
        let slots = |from: usize, to: usize| -> Vec<Option<usize>> {
            let needs = |&(first, last): &(usize, usize)| first < to && from <= last;
            lives.iter().zip(&slots_of).map(|(life, slot)| life.filter(needs).and(*slot)).collect()
        };
        let mut at = Place::new(course);
        let mut sliced = Vec::new();
        let mut number = 0;
        for steps in rounds {
            let (start, mut stages) = (number, Vec::new());
            for step in steps {
                let slots = slots(number, number + 1);
                let cycles = |every| cycles(graph, step.vertex(), every, &slots);
                stages.push(at.stage(step, &slots, cycles_at.map(cycles).unwrap_or_default())?);
                at.advance(step);
                number += 1;
            }
            let left_alone = |from: usize, to: usize, most| {
                key(graph, &slots(start + from, start + from), &stages[from..to], most)
            };
            let count = stages.len();
            let [most, most_within] = match sliced.len() + course.late < rounds.len() {
                true => [MOST_SLICED, MOST_SLICED_WITHIN],
                false => [MOST_SLICED_LATE, MOST_SLICED_WITHIN_LATE],
            };
            let key = left_alone(0, count, most);
            let within = |from, to| key | left_alone(from, to, most_within);
            let onward = (0..count).map(|stage| within(stage, count)).collect();
            let alone = (0..count).map(|stage| within(stage, stage + 1)).collect();
            sliced.push(Round { stages, key, onward, alone });
        }
        let left_out = Round::after(Vec::new(), 0);
        Some(Self { rounds: sliced, last_key: 0, slots: slots(number, number + 1), left_out })
    }

    /// Returns the stages of all courses after the first, which is that of this sweep. Their slots
    /// are those of its end.
    pub fn stages_after(&self, courses: &[Course]) -> Option<Vec<Stage>> {
        let (first, others) = courses.split_first()?;
        let mut at = Place::new(*first);
        first.rounds.iter().flatten().for_each(|step| at.advance(step));
        let mut stages = Vec::new();
        for &course in others {
            at.course = course;
            for step in course.rounds.iter().flatten() {
                stages.push(at.stage(step, &self.slots, Vec::new())?);
                at.advance(step);
            }
        }
        Some(stages)
    }

    /// Returns the sweep restricted to the states that can lead to some final patterns. These give
    /// the degrees that `vertices`, which are in the boundary, have at the end. The allowed degrees
    /// are computed backwards, from the last stage to the first.
    pub fn narrowed(&self, vertices: &[usize], mut patterns: HashSet<u64>) -> Self {
        let slots = &self.slots;
        let mut narrowed = self.clone();
        let all = vertices.iter().filter_map(|&vertex| Some((vertex, slots[vertex]?)));
        let all: Vec<(usize, usize)> = all.collect();
        let stages: Vec<&Stage> = self.rounds.iter().flat_map(|round| &round.stages).collect();
        let own = narrowed.rounds.iter_mut().rev().flat_map(|round| round.stages.iter_mut().rev());
        for (number, stage) in (0..stages.len()).rev().zip(own) {
            // Before an edge can reach a vertex, its degree is 0, and its slot may belong to
            // another vertex.
            let is_reached = |&&(vertex, _): &&(usize, usize)| {
                stages[..=number].iter().any(|stage| stage.most_edges(vertex) > 0)
            };
            let reached = bits_of(all.iter().filter(is_reached).map(|&(_, slot)| slot));
            patterns.retain(|degrees| degrees & !reached == 0);
            let degrees = patterns.iter().copied().collect();
            stage.allowed = Some(AllowedDegrees { slots: reached, degrees });
            for &(vertex, slot) in &all {
                for _ in 0..stage.most_edges(vertex) {
                    let with =
                        patterns.iter().filter(|&degrees| Pattern(*degrees).degree(slot) > 0);
                    let without: Vec<u64> =
                        with.map(|degrees| degrees - (1 << (2 * slot))).collect();
                    patterns.extend(without);
                }
            }
        }
        narrowed
    }

    /// Returns the degrees in the input of a round that lead to the wanted units; `None` if all may
    /// do so.
    pub fn allowed_before(&self, number: usize) -> Option<&AllowedDegrees> {
        self.rounds.get(number.checked_sub(1)?)?.stages.last()?.allowed.as_ref()
    }

    /// Returns the key by which states are partitioned after a round.
    pub fn key_after(&self, number: usize) -> u64 {
        self.rounds.get(number + 1).map_or(self.last_key, |next| next.key)
    }

    /// Returns a round; after the last one, that of the left-out edges.
    pub fn round(&self, number: usize) -> &Round {
        self.rounds.get(number).unwrap_or(&self.left_out)
    }
}

impl Round {
    /// True if a round of another sweep leads from the same states to the same, even if its
    /// vertices have other numbers, and its slices other keys.
    pub fn does_as(&self, other: &Self) -> bool {
        self.stages.iter().map(Stage::unnamed).eq(other.stages.iter().map(Stage::unnamed))
    }

    /// Some stages after a sweep whose states are partitioned by a key.
    pub fn after(stages: Vec<Stage>, key: u64) -> Self {
        let keys = vec![key; stages.len()];
        Self { stages, key, onward: keys.clone(), alone: keys }
    }
}

/// A place on the way of a course: what is finished and chosen before a step.
struct Place<'a> {
    course: Course<'a>,
    is_finished: Vec<bool>,
    chosen: HashSet<(usize, usize)>,
}

impl<'a> Place<'a> {
    fn new(course: Course<'a>) -> Self {
        let is_finished = vec![false; course.graph.colours.len()];
        Self { course, is_finished, chosen: HashSet::new() }
    }

    /// Returns the vertices to which a vertex may choose an edge now.
    fn others(&self, vertex: usize) -> Vec<usize> {
        let is_meant = |&&other: &&usize| {
            (self.course.is_chosen)(vertex, other) && !self.chosen.contains(&(vertex, other))
        };
        self.course.graph.neighbours[vertex].iter().filter(is_meant).copied().collect()
    }

    /// Returns the stage of a step; `None` if a vertex that it needs has no slot.
    fn stage(
        &self,
        step: &Step,
        slots: &[Option<usize>],
        cycles: Vec<(Pattern, u32)>,
    ) -> Option<Stage> {
        let is_left = |one, other| !self.chosen.contains(&(one, other));
        let (graph, is_finished) = (self.course.graph, &self.is_finished);
        let around = Surroundings { graph, slots, is_finished, is_left: &is_left };
        Stage::new(step, self.others(step.vertex()), cycles, around)
    }

    fn advance(&mut self, step: &Step) {
        let vertex = step.vertex();
        for other in self.others(vertex) {
            self.chosen.extend([(vertex, other), (other, vertex)]);
        }
        self.is_finished[vertex] |= matches!(step, Step::Finish(_));
    }
}

/// Returns the patterns with which a cycle can close when a vertex is finished and contain exactly
/// the first `step`, 2 `step` ... vertices, each with that number of vertices.
fn cycles(
    graph: &Graph,
    vertex: usize,
    step: usize,
    slots: &[Option<usize>],
) -> Vec<(Pattern, u32)> {
    let lengths = (vertex + 1..=graph.len()).filter(|length| length.is_multiple_of(step));
    let pattern = |length: usize| {
        let open: Vec<usize> = slots[vertex + 1..length].iter().copied().collect::<Option<_>>()?;
        let apex = graph.apex.and_then(|apex| slots[apex]);
        Some((Pattern::full_in(open.into_iter().chain(apex)), length as u32))
    };
    lengths.map_while(pattern).collect()
}

/// Returns both bits of slots in use that no stage touches, for at most `most` vertices, the last
/// vertices first. A vertex and its mirror image are in the key together or not at all.
fn key(graph: &Graph, slots: &[Option<usize>], stages: &[Stage], most: usize) -> u64 {
    let is_touched =
        |slot: usize| stages.iter().any(|stage| stage.touched().any(|touched| touched == slot));
    let is_left = |vertex: usize| slots[vertex].is_some_and(|slot| !is_touched(slot));
    let left = (0..graph.len()).rev();
    let left = left.filter(|&vertex| is_left(vertex) && is_left(graph.image(vertex)));
    let chosen = graph.with_images(left, most);
    bits_of(chosen.iter().filter_map(|&vertex| slots[vertex]))
}

/// Returns the steps during which each vertex needs a slot. The apex needs one throughout.
fn lives(course: Course) -> Lives {
    let Course { graph, rounds, boundary, .. } = course;
    let mut lives: Lives = vec![None; graph.colours.len()];
    if let Some(apex) = graph.apex {
        lives[apex] = Some((0, usize::MAX));
    }
    let mut at = Place::new(course);
    let steps = rounds.iter().flatten();
    for (number, step) in steps.clone().enumerate() {
        let vertex = step.vertex();
        for touched in at.others(vertex).into_iter().chain([vertex]) {
            lives[touched].get_or_insert((number, usize::MAX));
        }
        at.advance(step);
        if let (Step::Finish(_), Some((_, end))) = (step, &mut lives[vertex]) {
            *end = number;
        }
    }
    let last = steps.count();
    boundary.iter().for_each(|&vertex| _ = lives[vertex].get_or_insert((last, usize::MAX)));
    lives
}

/// The rule by which a vertex takes one of the free slots.
#[derive(Clone, Copy)]
enum Fit {
    /// The free slot of the lowest number.
    First,
    /// The free slot that is needed again soonest after the vertex has left it: best fit. It uses
    /// slots better, and long boards need it.
    Tightest,
}

/// Returns a slot for each vertex that needs one; `None` if the slots do not suffice.
fn allot(
    graph: &Graph,
    lives: &Lives,
    kept: &[Option<usize>],
    fit: Fit,
) -> Option<Vec<Option<usize>>> {
    let mut slots: Vec<Option<usize>> = kept.to_vec();
    slots.resize(lives.len(), None);
    let mut taken: Vec<Vec<(usize, usize)>> = vec![Vec::new(); SLOTS];
    let union = |vertex: usize| {
        let both = [vertex, graph.image(vertex)].into_iter().filter_map(|vertex| lives[vertex]);
        both.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
    };
    for (vertex, slot) in slots.iter().enumerate() {
        if let (Some(slot), Some(life)) = (*slot, union(vertex)) {
            taken[slot].push(life);
        }
    }
    let living = (0..lives.len()).filter_map(|vertex| Some((union(vertex)?, vertex)));
    let mut order: Vec<_> = living.collect();
    order.sort_unstable();
    for (life, vertex) in order {
        // The vertex is kept, or its mirror image came first.
        if slots[vertex].is_some() {
            continue;
        }
        let is_free =
            |slot: &usize| taken[*slot].iter().all(|other| other.1 < life.0 || life.1 < other.0);
        let image = graph.image(vertex);
        let mut fitting = match (&graph.mirror, image == vertex) {
            (None, _) => 0..SLOTS,
            (Some(_), true) => MIDDLE,
            (Some(_), false) => 0..MIDDLE.start,
        }
        .filter(is_free);
        let next = |slot: &usize| {
            let starts = taken[*slot].iter().map(|other| other.0);
            starts.filter(|&start| start > life.1).min()
        };
        let slot = match fit {
            Fit::First => fitting.next(),
            Fit::Tightest => fitting.min_by_key(|slot| next(slot).unwrap_or(usize::MAX)),
        }?;
        slots[vertex] = Some(slot);
        taken[slot].push(life);
        if image != vertex {
            slots[image] = Some(SLOTS - 1 - slot);
            taken[SLOTS - 1 - slot].push(life);
        }
    }
    Some(slots)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::question::Question;

    /// Checks that no two vertices have a slot at the same time, and that mirror images have
    /// mirrored slots.
    fn check(graph: &Graph, lives: &Lives, slots: &[Option<usize>]) {
        let living: Vec<(usize, (usize, usize))> =
            (0..lives.len()).filter_map(|vertex| Some((vertex, lives[vertex]?))).collect();
        for &(one, of_one) in &living {
            assert_eq!(slots[graph.image(one)], slots[one].map(|slot| SLOTS - 1 - slot));
            for &(other, of_other) in &living {
                let meet = of_one.0 <= of_other.1 && of_other.0 <= of_one.1;
                assert!(one == other || !meet || slots[one] != slots[other]);
            }
        }
    }

    #[test]
    fn the_bottom_of_10x10_has_slots_where_each_vertex_takes_the_tightest() {
        const CUT: usize = 46;
        let board = Board::new(10, 10).expect("in range");
        let graph = Graph::along(&Question::closed(board), 10);
        let steps =
            |vertices: &mut dyn Iterator<Item = usize>| vec![vertices.map(Step::Finish).collect()];
        let above: Vec<Vec<Step>> = steps(&mut (0..CUT));
        let is_first = |one: usize, other: usize| one.min(other) < CUT;
        let is_second = |one, other| !is_first(one, other);
        let is_border =
            |&vertex: &usize| vertex >= CUT && graph.joined(vertex, |other| other < CUT) > 0;
        let boundary: Vec<usize> = (0..graph.len()).filter(is_border).collect();
        let course = Course {
            graph: &graph,
            rounds: &above,
            is_chosen: &is_first,
            late: 0,
            boundary: &boundary,
            cycles_at: None,
        };
        let (top, nothing) = (lives(course), vec![None; graph.len()]);
        let slots = allot(&graph, &top, &nothing, Fit::First).expect("enough slots");
        check(&graph, &top, &slots);

        let kept: Vec<Option<usize>> =
            (0..graph.len()).map(|vertex| slots[vertex].filter(|_| is_border(&vertex))).collect();
        let mut below = steps(&mut (CUT..graph.len()).rev().filter(|vertex| !is_border(vertex)));
        below.push(boundary.iter().map(|&vertex| Step::Choose(vertex, 0)).collect());
        let bottom = lives(Course { rounds: &below, is_chosen: &is_second, ..course });
        assert!(allot(&graph, &bottom, &kept, Fit::First).is_none());
        let slots = allot(&graph, &bottom, &kept, Fit::Tightest).expect("enough slots");
        check(&graph, &bottom, &slots);
    }
}
