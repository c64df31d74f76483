//! A half of the graph: its vertices in order, the slot of each vertex while it is in the frontier,
//! and the rounds of stages.
//!
//! A pattern has only 32 slots, but a half has more vertices. So slots are allotted like registers
//! in a compiler: once for the whole half, each for as long as its vertex is in the frontier. A
//! vertex keeps its slot, so patterns are never shifted. Vertices that are mirror images of each
//! other get mirrored slots, for the time in which either of them needs one.

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

/// All rounds of a half.
#[derive(Debug, Clone)]
pub(super) struct Half {
    pub rounds: Vec<Round>,
    /// The number of rounds at the end that are done within units.
    last_rounds: usize,
    /// The slot of each vertex that is still in the frontier at the end.
    pub slots: Vec<Option<usize>>,
}

/// The largest number of vertices in the key of a round before the last ones: at most 3^6 = 729
/// slices.
const MOST_SLICED: usize = 6;

/// The largest number of vertices in a finer key, within a slice or a unit. Such slices live in
/// memory only, so there may be more of them.
pub(super) const MOST_SLICED_WITHIN: usize = 10;

/// The first and the last step at which each vertex needs a slot, if it needs one.
type Lives = Vec<Option<(usize, usize)>>;

impl Half {
    /// Computes the slots and the stages of the given rounds of steps; `None` if 32 slots do not
    /// suffice.
    ///
    /// `kept` gives the border vertices the slots that they have at the end. The last rounds are
    /// sliced by the vertices in `keys`, one list per round; the other rounds by vertices that they
    /// leave alone. If `cycles_at` is `n`, cycles through exactly the first n, 2n, 3n ... vertices
    /// are completed during the sweep.
    pub fn new(
        graph: &Graph,
        rounds: &[Vec<Step>],
        kept: &[Option<usize>],
        keys: &[&[usize]],
        cycles_at: Option<usize>,
    ) -> Option<Self> {
        let border: Vec<usize> = (0..kept.len()).filter(|&vertex| kept[vertex].is_some()).collect();
        let steps: Vec<&Step> = rounds.iter().flatten().collect();
        let lives = lives(graph, &steps, &border);
        // The numbers of tours depend on the slots. So boards for which first fit suffices keep it.
        let mut fits = [Fit::First, Fit::Tightest].into_iter();
        let slots_of = fits.find_map(|fit| allot(graph, &lives, kept, fit))?;
        let mut slots: Vec<Option<usize>> = vec![None; graph.colours.len()];
        let mut is_done = vec![false; graph.colours.len()];
        let mut sliced = Vec::new();
        let mut number = 0;
        for (index, steps) in rounds.iter().enumerate() {
            let (mut before, mut stages) = (Vec::new(), Vec::new());
            for step in steps {
                before.push(slots.clone());
                for vertex in 0..slots.len() {
                    if lives[vertex].is_some_and(|(first, _)| first == number) {
                        slots[vertex] = slots_of[vertex];
                    }
                }
                let around = Surroundings { graph, slots: &slots, is_done: &is_done };
                let vertex = step.vertex();
                let others = reached(graph, step, &border, &is_done).collect();
                let cycles =
                    cycles_at.map_or_else(Vec::new, |step| cycles(graph, vertex, step, &slots));
                stages.push(Stage::new(step, others, cycles, around)?);
                is_done[vertex] = true;
                if let Step::Finish(_) = step {
                    slots[vertex] = None;
                }
                number += 1;
            }
            let bits = |vertices: &[usize]| {
                bits_of(vertices.iter().filter_map(|&vertex| slots_of[vertex]))
            };
            let left_alone = |from: usize, to: usize, most| {
                let slots = before.get(from).map_or(&[][..], Vec::as_slice);
                key(graph, slots, &stages[from..to], most)
            };
            let count = stages.len();
            let given =
                (index + keys.len()).checked_sub(rounds.len()).map(|place| bits(keys[place]));
            let key = given.unwrap_or_else(|| left_alone(0, count, MOST_SLICED));
            let within = |from, to| key | left_alone(from, to, MOST_SLICED_WITHIN);
            let onward = (0..count).map(|stage| within(stage, count)).collect();
            let alone = (0..count).map(|stage| within(stage, stage + 1)).collect();
            sliced.push(Round { stages, key, onward, alone });
        }
        Some(Self { rounds: sliced, last_rounds: keys.len(), slots })
    }

    /// Returns the half restricted to the states that can lead to some final patterns. These give
    /// the degrees that `vertices`, which are in the border, have at the end. The allowed degrees
    /// are computed backwards, from the last stage to the first.
    pub fn narrowed(&self, vertices: &[usize], mut patterns: HashSet<u64>) -> Self {
        let slots = &self.slots;
        let mut narrowed = self.clone();
        let all = vertices.iter().filter_map(|&vertex| Some((vertex, slots[vertex]?)));
        let all: Vec<(usize, usize)> = all.collect();
        let rounds = narrowed.rounds.iter_mut();
        let mut stages: Vec<&mut Stage> = rounds.flat_map(|round| &mut round.stages).collect();
        for number in (0..stages.len()).rev() {
            let (before, from) = stages.split_at_mut(number);
            let stage = &mut *from[0];
            // Before an edge can reach a vertex, its degree is 0, and its slot may belong to
            // another vertex.
            let is_reached = |&&(vertex, _): &&(usize, usize)| {
                stage.most_edges(vertex) > 0
                    || before.iter().any(|stage| stage.most_edges(vertex) > 0)
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

    /// Returns the key by which states are partitioned after a round: 0 after the last one.
    pub fn key_after(&self, number: usize) -> u64 {
        self.rounds.get(number + 1).map_or(0, |next| next.key)
    }

    /// Returns the rounds before those of the units.
    pub fn first(&self) -> &[Round] {
        &self.rounds[..self.rounds.len() - self.last_rounds]
    }

    /// Returns the first of the two rounds within a unit.
    pub fn before_last(&self) -> &Round {
        &self.rounds[self.rounds.len() - 2]
    }

    /// Returns the last round.
    pub fn last(&self) -> &Round {
        &self.rounds[self.rounds.len() - 1]
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

/// Returns the vertices to which a step may choose an edge.
fn reached<'a>(
    graph: &'a Graph,
    step: &Step,
    border: &'a [usize],
    is_done: &'a [bool],
) -> impl Iterator<Item = usize> + 'a {
    let finishes = matches!(step, Step::Finish(_));
    let meant = move |other: &usize| finishes || border.contains(other);
    graph.neighbours[step.vertex()]
        .iter()
        .copied()
        .filter(move |other| !is_done[*other] && meant(other))
}

/// Returns the steps during which each vertex needs a slot. The apex needs one throughout.
fn lives(graph: &Graph, steps: &[&Step], border: &[usize]) -> Lives {
    let mut lives: Lives = vec![None; graph.colours.len()];
    if let Some(apex) = graph.apex {
        lives[apex] = Some((0, usize::MAX));
    }
    let mut is_done = vec![false; graph.colours.len()];
    for (number, step) in steps.iter().enumerate() {
        let vertex = step.vertex();
        for touched in reached(graph, step, border, &is_done).chain([vertex]) {
            lives[touched].get_or_insert((number, usize::MAX));
        }
        is_done[vertex] = true;
        if let (Step::Finish(_), Some((_, end))) = (step, &mut lives[vertex]) {
            *end = number;
        }
    }
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
        let nothing = vec![None; graph.len()];
        let finishing: Vec<Step> = (0..graph.len()).map(Step::Finish).collect();
        let top = lives(&graph, &finishing[..CUT].iter().collect::<Vec<_>>(), &[]);
        let slots = allot(&graph, &top, &nothing, Fit::First).expect("enough slots");
        check(&graph, &top, &slots);

        let is_border = |vertex: usize| vertex >= CUT && top[vertex].is_some();
        let border: Vec<usize> = (0..graph.len()).filter(|&vertex| is_border(vertex)).collect();
        let kept: Vec<Option<usize>> =
            (0..graph.len()).map(|vertex| slots[vertex].filter(|_| is_border(vertex))).collect();
        let chosen: Vec<Step> = border.iter().map(|&vertex| Step::Choose(vertex, 0)).collect();
        let interior = finishing[CUT..].iter().rev().filter(|step| !is_border(step.vertex()));
        let steps: Vec<&Step> = interior.chain(&chosen).collect();
        let bottom = lives(&graph, &steps, &border);
        assert!(allot(&graph, &bottom, &kept, Fit::First).is_none());
        let slots = allot(&graph, &bottom, &kept, Fit::Tightest).expect("enough slots");
        check(&graph, &bottom, &slots);
    }
}
