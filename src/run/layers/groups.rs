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
//! the largest of these gives way: its group is divided one round earlier. Once this unit is
//! counted, the groups around it take as many rounds again as fit.
//!
//! Invariant: the layers on the path contain all states that the unfinished units of their group
//! need.

use super::index::{Division, Group};
use super::stored::Stored;
use std::sync::Arc;

/// A group of units on the path, and the layers that it keeps.
#[derive(Debug)]
pub(super) struct Node {
    pub group: Group,
    /// By sweep, the layer that its last round has left, unless that was the round of a group
    /// before.
    pub own: Vec<Option<Arc<Stored>>>,
    /// By sweep, true if its next round does not fit.
    pub blocked: Vec<bool>,
}

/// The groups from the root to the present one.
#[derive(Debug)]
pub(super) struct Groups {
    /// The groups, each within the one before. There is always a root.
    nodes: Vec<Node>,
    /// By depth and by sweep, the number of rounds after which a group is divided.
    most: Vec<Vec<usize>>,
}

/// The share of the room that an unfinished group may take for its layers, if its units can be
/// divided at so many further levels. The rest is for the layers of its parts. With two thirds at
/// every level, 8x8 closed in a tenth of the room took 2.5 times the states in place of 2.2.
fn most_kept(levels_left: usize) -> f64 {
    (2.0 / (levels_left + 1) as f64).min(1.0)
}

impl Node {
    /// A group that has no layers of its own yet.
    fn within(&self, units: Vec<usize>, level: usize) -> Self {
        let sweeps = self.own.len();
        let group = Group {
            units: Some(units),
            level,
            rounds: self.group.rounds.clone(),
            is_own: Vec::new(),
        };
        Self { group, own: vec![None; sweeps], blocked: vec![false; sweeps] }
    }

    /// The bytes of its own layers.
    pub fn len(&self) -> u64 {
        self.own.iter().flatten().map(|layer| layer.len()).sum()
    }
}

impl Groups {
    /// All units, with the layers that the sweeps start with.
    pub fn new(first: Vec<Arc<Stored>>) -> Self {
        let sweeps = first.len();
        let group = Group { rounds: vec![0; sweeps], ..Group::default() };
        let own = first.into_iter().map(Some).collect();
        Self { nodes: vec![Node { group, own, blocked: vec![false; sweeps] }], most: Vec::new() }
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
            nodes.push(Node { group, own, blocked: vec![false; sweeps] });
        }
        (!nodes.is_empty()).then_some(Self { nodes, most: Vec::new() })
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

    /// The name of the file of the next layer of a sweep in the present group.
    pub fn name(&self, sweep: usize) -> String {
        let group = &self.last().group;
        let name = format!("{sweep}-{}", group.rounds[sweep] + 1);
        match &group.units {
            None => name,
            Some(units) => format!("{name}.{}.{}", group.level, units.first().unwrap_or(&0)),
        }
    }

    /// The sweep that the present group continues with, the one with the smaller layer first;
    /// `None` if all are finished or do not fit.
    pub fn next_sweep(&self, rounds: &[usize]) -> Option<usize> {
        let (node, most) = (self.last(), self.most.get(self.nodes.len() - 1));
        let most = |sweep: usize| most.map_or(usize::MAX, |most| most[sweep]).min(rounds[sweep]);
        let may_go_on =
            |&sweep: &usize| !node.blocked[sweep] && node.group.rounds[sweep] < most(sweep);
        (0..rounds.len()).filter(may_go_on).min_by_key(|&sweep| self.layer(sweep).len())
    }

    /// True if a sweep of the present group may take so many bytes for its next layer, of `room` in
    /// all. `rounds` are the rounds of each sweep, and `levels` those at which units can be
    /// divided.
    pub fn fits(
        &self,
        sweep: usize,
        bytes: f64,
        room: u64,
        rounds: &[usize],
        levels: usize,
    ) -> bool {
        let before: u64 = self.nodes[..self.nodes.len() - 1].iter().map(Node::len).sum();
        let node = self.last();
        let read = node.own[sweep].as_ref().map_or(0, |layer| layer.len());
        let left = room.saturating_sub(before) as f64;
        let finishes = (0..rounds.len())
            .all(|other| node.group.rounds[other] + usize::from(other == sweep) >= rounds[other]);
        let is_single = node.group.units.as_ref().is_some_and(|units| units.len() == 1);
        let levels_left = levels.saturating_sub(node.group.level);
        let most_kept = if finishes || is_single { left } else { most_kept(levels_left) * left };
        let own = node.len() as f64;
        own + bytes <= left && own - read as f64 + bytes <= most_kept
    }

    /// Continues with a part of the present group.
    pub fn enter(&mut self, units: Vec<usize>, level: usize) {
        let part = self.last().within(units, level);
        self.nodes.push(part);
    }

    /// Leaves the present group. Returns false if it is the root. The group around it and the other
    /// parts of that may have more rounds again, if it was this group that needed their room.
    pub fn leave(&mut self) -> bool {
        let is_part = self.nodes.len() > 1;
        if is_part {
            self.nodes.pop();
            self.most.truncate(self.nodes.len() - 1);
        }
        is_part
    }

    /// Makes the largest layer before the present group give way: groups at its depth are divided
    /// one round earlier until a part of the group around them is left. Returns the depth, whose
    /// group has been left unless it is the root; `None` if no layer can give way.
    pub fn give_way(&mut self) -> Option<usize> {
        let before = |depth: usize, sweep: usize| {
            depth.checked_sub(1).map_or(0, |before| self.nodes[before].group.rounds[sweep])
        };
        let before_last = &self.nodes[..self.nodes.len() - 1];
        let own = before_last.iter().enumerate().flat_map(|(depth, node)| {
            let layers = node.own.iter().enumerate();
            layers.filter_map(move |(sweep, layer)| Some((layer.as_ref()?.len(), depth, sweep)))
        });
        let may_shrink = |&(_, depth, sweep): &(u64, usize, usize)| {
            self.nodes[depth].group.rounds[sweep] > before(depth, sweep)
        };
        let (_, depth, sweep) = own.filter(may_shrink).max()?;
        let rounds = self.nodes[depth].group.rounds[sweep];
        let sweeps = self.nodes[0].own.len();
        while self.most.len() <= depth {
            self.most.push(vec![usize::MAX; sweeps]);
        }
        self.most[depth][sweep] = rounds - 1;
        self.nodes.truncate(depth.max(1));
        Some(depth)
    }

    /// Starts over with all units, from the first layers, with the limits that are known.
    pub fn start_over(&mut self, first: Vec<Arc<Stored>>) {
        self.nodes = Self::new(first).nodes;
    }
}
