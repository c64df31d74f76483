//! A count divided into groups of units, for layers that do not fit the limits on memory and disk.
//!
//! The last layers before the units are by far the largest: on 8x8 closed they have 160 MB, those
//! two rounds earlier 10 MB. A count that may not keep the last layers could compute everything
//! anew for each unit. That would repeat the early rounds hundreds of times. Instead the units form
//! a tree of groups, and the layers on the path from the root to the present group are kept. A
//! group goes through its rounds until the next one would take too much. Then it is divided: its
//! parts read its layers, one part after the other, restricted to the states that lead to their own
//! units. So early rounds are processed once for many units, and late rounds, whose states hardly
//! overlap, for few. A group whose rounds are finished is counted, and its layers are dropped.
//!
//! Nobody knows beforehand how large layers become. So a round is given up as soon as its first
//! slices show that it will not fit. If not even a single unit fits beside the layers on its path,
//! one of these gives way. Most of them are not read any more until the unit is counted, because a
//! group further down the path has a later layer of the same sweep. Such a layer is dropped, and
//! computed again when the count returns to its group. A unit also tries its sweeps in the other
//! order, since a layer on the way can be larger than the one that it leads to. A group of several
//! units drops a layer too if that is cheaper than to divide the group.
//!
//! Some layers are hardly smaller for a part of a group than for the whole, and the layer that they
//! lead to is small. If the output of a round does not fit and such a division helps little, the
//! sweep goes through two rounds at once, in [`batches`](super::batches); a single unit goes
//! through even more. If that is not enough for it either, because the layer that these rounds read
//! takes too much room itself, the sweep starts again, and that layer is not kept either: the
//! rounds that lead to it are joined with those that follow.
//!
//! A count that is not divided finishes one sweep before it begins the next. If it has to be
//! divided while the layer of the first sweep takes most of the room, only small groups have room
//! for a layer of the other sweep, and each of them repeats its rounds. So the first sweep starts
//! again, and from then on the sweep with the smaller layer goes on.
//!
//! Invariant: the layers on the path contain all states that the unfinished units of their group
//! need.

use super::index::{Division, Group};
use super::stored::Stored;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The reason why a round was given up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lacking {
    /// The bytes that the output of the round lacks.
    pub bytes: u64,
    /// The states that the whole round would have processed, as far as it can be told.
    pub states: f64,
    /// The bytes of all its output, as far as they can be told.
    pub output: f64,
}

/// A group of units on the path, and the layers that it keeps.
#[derive(Debug)]
pub(super) struct Node {
    pub group: Group,
    /// By sweep, the layer that its last round has left, unless that was the round of a group
    /// before.
    pub own: Vec<Option<Arc<Stored>>>,
    /// By sweep, what its next round lacks, if it does not fit.
    pub lacking: Vec<Option<Lacking>>,
    /// By sweep, the states processed in the rounds that led to its own layer.
    pub states_processed: Vec<u64>,
    /// By sweep, the rounds that it goes through next at once, in batches if there are several, and
    /// about how many times as many bytes lie between them as before them.
    pub rounds_at_once: Vec<usize>,
    pub growth: Vec<f64>,
    /// By sweep, the number of rounds before the layer that its own layer was made from.
    made_after: Vec<usize>,
    /// By sweep and number of finished rounds, how many rounds it goes through at once from there,
    /// where a layer between them is known to take too much room.
    joined: Vec<BTreeMap<usize, usize>>,
    /// True if its sweeps were tried in both orders.
    is_turned: bool,
}

/// The groups from the root to the present one.
#[derive(Debug)]
pub(super) struct Groups {
    /// The groups, each within the one before. There is always a root.
    nodes: Vec<Node>,
    /// The sweep that single units begin with; `None` for the one with the smaller layer.
    first: Option<usize>,
}

/// The share of the room that an unfinished group may take for its layers, if its units can be
/// divided at so many further levels. The rest is for the layers of its parts.
fn most_kept(levels_left: usize) -> f64 {
    (2.0 / (levels_left + 1) as f64).min(1.0)
}

/// About how many groups there are at a level: a level divides a group into up to nine parts.
fn groups_at(level: usize) -> f64 {
    6_f64.powi(level as i32)
}

impl Node {
    fn new(group: Group, own: Vec<Option<Arc<Stored>>>) -> Self {
        // A restored layer does not say what it took. Rounds process a few times the states that
        // they leave.
        let guess = |layer: &Option<Arc<Stored>>| layer.as_ref().map_or(0, |own| 4 * own.states());
        let states_processed = own.iter().map(guess).collect();
        let sweeps = own.len();
        let made_after = group.rounds.iter().map(|rounds| rounds.saturating_sub(1)).collect();
        Self {
            group,
            own,
            lacking: vec![None; sweeps],
            states_processed,
            rounds_at_once: vec![1; sweeps],
            growth: vec![4.0; sweeps],
            made_after,
            joined: vec![BTreeMap::new(); sweeps],
            is_turned: false,
        }
    }

    /// A group that has no layers of its own yet.
    fn within(&self, units: Vec<usize>, level: usize) -> Self {
        let rounds = self.group.rounds.clone();
        let group = Group { units: Some(units), level, rounds, is_own: Vec::new() };
        Self::new(group, vec![None; self.own.len()])
    }

    /// True if its units cannot be divided.
    fn is_single(&self) -> bool {
        self.group.units.as_ref().is_some_and(|units| units.len() == 1)
    }

    /// Takes a sweep back to the end of an earlier round, whose layer becomes the group's own;
    /// `None` if that layer is on the path before the group.
    fn take_back(&mut self, sweep: usize, rounds: usize, layer: Option<Arc<Stored>>) {
        self.own[sweep] = layer;
        self.group.rounds[sweep] = rounds;
        self.states_processed[sweep] = 0;
        self.lacking[sweep] = None;
        self.set_rounds_at_once(sweep);
    }

    /// Sets how many rounds a sweep goes through at once next: a single one, if no more are known
    /// to be necessary.
    fn set_rounds_at_once(&mut self, sweep: usize) {
        let joined = self.joined[sweep].get(&self.group.rounds[sweep]);
        self.rounds_at_once[sweep] = joined.copied().unwrap_or(1);
    }

    /// Makes the layer that the rounds of a sweep have led to its own; they have processed so many
    /// states. Returns its own layer before.
    pub fn finish_rounds(
        &mut self,
        sweep: usize,
        made: Stored,
        states_processed: u64,
    ) -> Option<Arc<Stored>> {
        self.made_after[sweep] = self.group.rounds[sweep];
        self.group.rounds[sweep] += self.rounds_at_once[sweep];
        self.states_processed[sweep] += states_processed;
        self.set_rounds_at_once(sweep);
        self.own[sweep].replace(Arc::new(made))
    }

    /// The bytes of its own layers.
    pub fn len(&self) -> u64 {
        self.own.iter().flatten().map(|layer| layer.len()).sum()
    }
}

impl Groups {
    /// All units, with the layers that the sweeps start with.
    pub fn new(first: Vec<Arc<Stored>>) -> Self {
        let group = Group { rounds: vec![0; first.len()], ..Group::default() };
        Self { nodes: vec![Node::new(group, first.into_iter().map(Some).collect())], first: None }
    }

    /// Restores a path with its layers, in the order of [`Groups::layers`].
    pub fn restored(
        division: Division,
        layers: &mut impl Iterator<Item = Stored>,
        sweeps: usize,
    ) -> Option<Self> {
        let mut nodes = Vec::new();
        for group in division.groups {
            let is_sound = group.rounds.len() == sweeps && group.is_own.len() == sweeps;
            let mut own = Vec::new();
            for &is_own in group.is_own.iter().filter(|_| is_sound) {
                own.push(match is_own {
                    true => Some(Arc::new(layers.next()?)),
                    false => None,
                });
            }
            if !is_sound || (nodes.is_empty() && own.iter().any(Option::is_none)) {
                return None;
            }
            nodes.push(Node::new(group, own));
        }
        (!nodes.is_empty()).then_some(Self { nodes, first: None })
    }

    /// True if no group has more than these rounds, nor a unit past this number.
    pub fn are_within(&self, rounds: &[usize], units: usize) -> bool {
        self.nodes.iter().all(|Node { group, .. }| {
            let has_units = |of_group: &Vec<usize>| of_group.iter().all(|&unit| unit < units);
            group.rounds.iter().zip(rounds).all(|(done, of)| done <= of)
                && group.units.as_ref().is_none_or(has_units)
        })
    }

    /// The path as an index holds it.
    pub fn division(&self, sweep: usize) -> Division {
        let group = |node: &Node| Group {
            is_own: node.own.iter().map(Option::is_some).collect(),
            ..node.group.clone()
        };
        Division { groups: self.nodes.iter().map(group).collect(), sweep }
    }

    /// All layers, each once.
    pub fn layers(&self) -> impl Iterator<Item = &Arc<Stored>> {
        self.nodes.iter().flat_map(|node| node.own.iter().flatten())
    }

    /// All layers, each once.
    pub fn layers_mut(&mut self) -> impl Iterator<Item = &mut Arc<Stored>> {
        self.nodes.iter_mut().flat_map(|node| node.own.iter_mut().flatten())
    }

    /// The present group.
    pub fn last(&self) -> &Node {
        &self.nodes[self.nodes.len() - 1]
    }

    pub fn last_mut(&mut self) -> &mut Node {
        let last = self.nodes.len() - 1;
        &mut self.nodes[last]
    }

    /// The layer that the next round of a sweep reads in the present group.
    pub fn layer(&self, sweep: usize) -> &Arc<Stored> {
        let own = self.nodes.iter().rev().find_map(|node| node.own[sweep].as_ref());
        match own {
            Some(layer) => layer,
            None => unreachable!("the root has a layer of each sweep"),
        }
    }

    /// The name of the file of the layer of a sweep that some rounds lead to in the present group.
    pub fn name(&self, sweep: usize, rounds: usize) -> String {
        let group = &self.last().group;
        let name = format!("{sweep}-{}", group.rounds[sweep] + rounds);
        match &group.units {
            None => name,
            Some(units) => format!("{name}.{}.{}", group.level, units.first().unwrap_or(&0)),
        }
    }

    /// The sweep that the present group continues with, the one with the smaller layer first;
    /// `None` if all are finished or do not fit.
    pub fn next_sweep(&self, rounds: &[usize]) -> Option<usize> {
        let node = self.last();
        let first = self.first.filter(|_| node.is_single());
        let may_go_on = |&sweep: &usize| {
            node.lacking[sweep].is_none() && node.group.rounds[sweep] < rounds[sweep]
        };
        let order = |&sweep: &usize| (first != Some(sweep), self.layer(sweep).len());
        (0..rounds.len()).filter(may_go_on).min_by_key(order)
    }

    /// The bytes that the present group lacks if a sweep takes so many for its next layer, of
    /// `room` in all; `None` if they fit. `rounds` are the rounds of each sweep, and `levels` those
    /// at which units can be divided.
    pub fn lacking(
        &self,
        sweep: usize,
        bytes: f64,
        room: u64,
        rounds: &[usize],
        levels: usize,
    ) -> Option<u64> {
        let before: u64 = self.nodes[..self.nodes.len() - 1].iter().map(Node::len).sum();
        let node = self.last();
        let read = node.own[sweep].as_ref().map_or(0, |layer| layer.len());
        let left = room.saturating_sub(before) as f64;
        let finishes = (0..rounds.len()).all(|other| {
            let more = if other == sweep { node.rounds_at_once[sweep] } else { 0 };
            node.group.rounds[other] + more >= rounds[other]
        });
        let levels_left = levels.saturating_sub(node.group.level);
        let share = if finishes || node.is_single() { 1.0 } else { most_kept(levels_left) };
        let during = node.len() as f64 + bytes;
        let lacking = (during - left).max((during - read as f64) / share - left);
        (lacking > 0.0).then_some(lacking.ceil() as u64)
    }

    /// Shares the room between the sweeps, when a count is divided: a sweep whose layer takes more
    /// than its part of `room` starts again if another has not begun. `first` are the layers that
    /// the sweeps start with, and `levels` those at which units can be divided.
    pub fn share_room(&mut self, first: &[Arc<Stored>], room: u64, levels: usize) {
        let root = &mut self.nodes[0];
        let most = most_kept(levels) * room as f64 / first.len() as f64;
        for (sweep, layer) in first.iter().enumerate() {
            let has_much = root.lacking[sweep].is_some() && root.len() as f64 > most;
            if has_much && root.group.rounds.contains(&0) {
                root.take_back(sweep, 0, Some(Arc::clone(layer)));
            }
        }
    }

    /// Makes a sweep of the present group go through one more round at once, if the output of what
    /// it goes through now does not fit and a division helps little. `rounds` are the rounds of
    /// each sweep. Returns that sweep.
    pub fn join_rounds(&mut self, rounds: &[usize]) -> Option<usize> {
        let sweep = (0..rounds.len()).find(|&sweep| self.may_join(sweep, rounds[sweep]))?;
        let before = self.layer(sweep).len().max(1) as f64;
        let node = self.last_mut();
        let lacking = node.lacking[sweep].take();
        if let (1, Some(lacking)) = (node.rounds_at_once[sweep], lacking) {
            node.growth[sweep] = lacking.output / before;
        }
        node.rounds_at_once[sweep] += 1;
        Some(sweep)
    }

    /// True if a sweep of so many rounds lacks room in the present group, has another round to go,
    /// and the group is a single unit or has needed much of what the group around it did. A group
    /// of several units tries no more than two rounds at once.
    fn may_join(&self, sweep: usize, rounds: usize) -> bool {
        const MUCH: f64 = 0.6;
        let node = self.last();
        let (done, at_once) = (node.group.rounds[sweep], node.rounds_at_once[sweep]);
        let Some(lacking) = node.lacking[sweep].filter(|_| done + at_once < rounds) else {
            return false;
        };
        let needs_much = self.nodes.iter().nth_back(1).is_some_and(|around| {
            let of_around = around.lacking[sweep].filter(|_| around.group.rounds[sweep] == done);
            of_around.is_some_and(|of_around| {
                around.rounds_at_once[sweep] > 1 || lacking.output > MUCH * of_around.output
            })
        });
        node.is_single() || needs_much && at_once == 1
    }

    /// Makes a sweep of a single unit start again, if its rounds do not fit however many of them
    /// are joined. The layer that they read is not kept then: the rounds that have led to it are
    /// joined with them. Returns false if no sweep of the unit has such a layer.
    pub fn join_earlier_rounds(&mut self) -> bool {
        let depth = self.nodes.len() - 1;
        let node = &self.nodes[depth];
        let has_layer = |&sweep: &usize| {
            node.lacking[sweep].is_some()
                && node.own[sweep].is_some()
                && node.group.rounds[sweep] > self.rounds_before(depth, sweep)
        };
        let Some(sweep) = (0..node.own.len()).find(has_layer).filter(|_| node.is_single()) else {
            return false;
        };
        let before = self.rounds_before(depth, sweep);
        let node = self.last_mut();
        let after = node.made_after[sweep].max(before);
        let end = node.group.rounds[sweep] + node.rounds_at_once[sweep];
        node.joined[sweep].insert(after, end - after);
        node.take_back(sweep, before, None);
        true
    }

    /// Continues with a part of the present group.
    pub fn enter(&mut self, units: Vec<usize>, level: usize) {
        let part = self.last().within(units, level);
        self.nodes.push(part);
    }

    /// Leaves the present group. Returns false if it is the root.
    pub fn leave(&mut self) -> bool {
        let is_part = self.nodes.len() > 1;
        if is_part {
            self.nodes.pop();
        }
        is_part
    }

    /// Makes a layer give way to the next round of the present group, unless the group can be
    /// divided and that is cheaper. `first` are the layers that the sweeps start with. Returns
    /// false if no layer gives way.
    pub fn give_way(&mut self, first: &[Arc<Stored>]) -> bool {
        let last = self.nodes.len() - 1;
        let sweeps = 0..first.len();
        let waits = |sweep: usize| Some((sweep, self.nodes[last].lacking[sweep]?));
        let Some((waiting, lacking)) = sweeps.clone().find_map(waits) else {
            return false;
        };
        let all = (0..=last).flat_map(|depth| sweeps.clone().map(move |sweep| (depth, sweep)));
        let priced = all.filter_map(|at| Some((self.price(at, waiting, lacking.bytes)?, at)));
        let cheapest = priced.min_by(|(one, _), (other, _)| one.total_cmp(other));
        // The parts of a group process many of the states of its round again.
        let most = match self.nodes[last].is_single() {
            true => f64::INFINITY,
            false => lacking.states * groups_at(self.nodes[last].group.level),
        };
        let Some((_, (depth, sweep))) = cheapest.filter(|(price, _)| *price <= most) else {
            return false;
        };
        if depth == last {
            self.nodes[last].is_turned = true;
            self.first = Some(waiting);
        }
        let dropped = self.nodes[depth].own[sweep].take().map_or(0, |layer| layer.len());
        let mut rounds = self.rounds_before(depth, sweep);
        for (index, node) in self.nodes.iter_mut().enumerate().skip(depth) {
            if node.own[sweep].is_none() {
                let layer = (index == 0).then(|| Arc::clone(&first[sweep]));
                node.take_back(sweep, rounds, layer);
            }
            rounds = node.group.rounds[sweep];
        }
        // A group that was divided for want of less is whole again, unless a part has layers. The
        // group of the layer itself is not: it would compute the layer again at once.
        let is_enough = |lacking: &Lacking| lacking.bytes <= dropped;
        while self.nodes.len() > depth + 2
            && let [.., around, part] = &self.nodes[..]
            && part.own.iter().all(Option::is_none)
            && around.lacking.iter().flatten().any(is_enough)
        {
            self.nodes.pop();
        }
        let last = self.last_mut();
        last.lacking.fill(None);
        sweeps.for_each(|sweep| last.set_rounds_at_once(sweep));
        true
    }

    /// The number of rounds of a sweep that are finished where a group begins.
    fn rounds_before(&self, depth: usize, sweep: usize) -> usize {
        depth.checked_sub(1).map_or(0, |before| self.nodes[before].group.rounds[sweep])
    }

    /// The price of dropping the layer of a group, by depth and sweep: the states that have to be
    /// processed again if all groups at its depth do so. A layer that leaves too little room for
    /// the sweep that waits is dearer than any that leaves enough, and one that the present group
    /// reads is dearer than both, because this group has to compute its part of it. `None` if there
    /// is no layer that can be dropped.
    fn price(&self, (depth, sweep): (usize, usize), waiting: usize, lacking: u64) -> Option<f64> {
        const TOO_LITTLE: f64 = 1e100;
        const IS_READ: f64 = 1e200;
        let node = &self.nodes[depth];
        let layer = node.own[sweep].as_ref()?;
        if node.group.rounds[sweep] == self.rounds_before(depth, sweep) {
            return None;
        }
        let states = node.states_processed[sweep] as f64;
        let Some(part) = self.nodes.get(depth + 1) else {
            // The present group drops its own layer to process its sweeps in the other order. Other
            // units then begin in that order.
            let can_turn = node.is_single() && !node.is_turned && sweep != waiting;
            return (can_turn && layer.len() >= lacking).then_some(states);
        };
        let is_read = self.nodes[depth + 1..].iter().all(|part| part.own[sweep].is_none());
        let is_little = layer.len() < lacking;
        let dearer = if is_little { TOO_LITTLE / (1 + layer.len()) as f64 } else { 0.0 };
        let dearest = if is_read { IS_READ } else { 0.0 };
        // It is computed once for each return from a part.
        Some(states * groups_at(part.group.level) + dearer + dearest)
    }
}
