//! The numbers of edges that frontier vertices can have in the end, for eight vertices at once.
//!
//! A vertex can have the edges that it has already, and one more from each unfinished neighbour
//! that lacks an edge. A pattern after a stage is worth keeping only if each vertex can have two.
//! To count neighbours vertex by vertex takes longer than all else that a stage does with a
//! pattern. Here the numbers of eight vertices are the bytes of one word. Tables have the
//! contribution of every four slots to these bytes, so that a pattern takes one addition per four
//! slots, and each edge that is tried one more.

use crate::states::pattern::Pattern;
use std::array;
use std::sync::Arc;

/// A frontier vertex and its neighbours.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach {
    /// The slot of the vertex.
    pub slot: usize,
    /// The lower bits of the slots of its unfinished neighbours.
    pub near: u64,
    /// The number of its neighbours that have no slot yet.
    pub far: usize,
    /// True if the vertex may be joined to the apex.
    pub may_end: bool,
}

/// Some frontier vertices, and the effect of edges on what they can have.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Reaches {
    groups: Vec<VertexGroup>,
}

/// The numbers of edges that the vertices can have, a word per eight vertices; each number is
/// increased by [`OFFSET`].
pub(super) type CanHave = [u64; MOST_GROUPS];

/// Up to eight vertices, one per byte of a word.
#[derive(Debug, Clone, PartialEq)]
struct VertexGroup {
    /// The contribution of neighbours without a slot, and [`OFFSET`].
    far: u64,
    /// The contribution of four slots, by their bits, which begin at the given bit of a pattern.
    by_degrees: Vec<(u32, Arc<[u64; 256]>)>,
    /// The effect of an edge to each vertex of the stage, by the degree of that vertex before.
    by_edge: Vec<[u64; 2]>,
    /// The effect of the vertex of the stage itself, by its degree before and after.
    by_own: [[u64; 3]; 3],
    /// [`ENOUGH`] of each vertex that may not be joined to the apex.
    never_ends: u64,
}

/// The number of vertices in a group.
const GROUP: usize = 8;

/// The largest number of groups: every slot may have a vertex.
const MOST_GROUPS: usize = crate::states::pattern::SLOTS / GROUP;

/// The number that makes the highest bit of a byte tell whether there are two edges. Then the
/// lowest bit of 1 is set and that of 0 is not.
const OFFSET: u64 = 126;

/// The lowest bit of every byte.
const LOWEST: u64 = 0x0101_0101_0101_0101;

/// The highest bit of every byte.
const ENOUGH: u64 = 0x80 * LOWEST;

impl Reaches {
    /// Prepares the check of some vertices at a stage that may add edges from the slot `at` to the
    /// slots `to`.
    pub fn new(vertices: &[Reach], at: usize, to: &[usize]) -> Self {
        let groups = vertices.chunks(GROUP).map(|vertices| VertexGroup::new(vertices, at, to));
        Self { groups: groups.collect() }
    }

    /// Returns what the vertices can have before the stage.
    #[inline]
    pub fn before(&self, pattern: Pattern) -> CanHave {
        let mut before = CanHave::default();
        for (before, group) in before.iter_mut().zip(&self.groups) {
            *before = group.by_degrees.iter().fold(group.far, |sum, (shift, by_degrees)| {
                sum + by_degrees[usize::from((pattern.0 >> shift) as u8)]
            });
        }
        before
    }

    /// True if all vertices can have two edges once each of `edges` is added: the place of its
    /// vertex in `to`, and the degree of that vertex before. `own` has the degrees of the vertex
    /// of the stage before and after. Up to `spare` vertices that may be joined to the apex may
    /// lack one.
    #[inline]
    pub fn suffice(
        &self,
        before: &CanHave,
        edges: impl Iterator<Item = (usize, usize)> + Clone,
        own: [usize; 2],
        mut spare: u64,
    ) -> bool {
        for (group, &before) in self.groups.iter().zip(before) {
            let effects = edges.clone().map(|(place, degree)| group.by_edge[place][degree]);
            let of_own = group.by_own[own[0]][own[1]];
            let after = effects.fold(before.wrapping_add(of_own), u64::wrapping_add);
            let mut lacking = !after & ENOUGH;
            let lack_two = !after << (GROUP - 1);
            if lacking & (group.never_ends | lack_two) != 0 {
                return false;
            }
            while lacking != 0 {
                if spare == 0 {
                    return false;
                }
                spare -= 1;
                lacking &= lacking - 1;
            }
        }
        true
    }
}

impl VertexGroup {
    fn new(vertices: &[Reach], at: usize, to: &[usize]) -> Self {
        let byte = |number: usize, value: u64| value << (8 * number);
        // A byte that no vertex uses says that there is enough.
        let unused = (vertices.len()..GROUP).map(|number| byte(number, 2)).sum::<u64>();
        let fars =
            vertices.iter().enumerate().map(|(number, reach)| byte(number, reach.far as u64));
        let ends = vertices.iter().enumerate().filter(|(_, reach)| !reach.may_end);
        // The contribution of a slot with some degree.
        let of_slot = |slot: usize, degree: u64| -> u64 {
            let of = |(number, reach): (usize, &Reach)| {
                let own = if reach.slot == slot { degree } else { 0 };
                let is_free_neighbour = degree < 2 && reach.near >> (2 * slot) & 1 == 1;
                byte(number, own + u64::from(is_free_neighbour))
            };
            vertices.iter().enumerate().map(of).sum()
        };
        let of_four = |first: usize| {
            let of_slots: [[u64; 4]; 4] = array::from_fn(|slot| {
                array::from_fn(|degree| of_slot(first + slot, degree as u64))
            });
            let of_degrees = |degrees: usize| -> u64 {
                (0..4).map(|slot| of_slots[slot][degrees >> (2 * slot) & 3]).sum()
            };
            let table: Arc<[u64; 256]> = Arc::new(array::from_fn(of_degrees));
            table.iter().any(|&sum| sum != 0).then_some((2 * first as u32, table))
        };
        let effect =
            |slot: usize, from: u64, to: u64| of_slot(slot, to).wrapping_sub(of_slot(slot, from));
        let by_edge = |&slot: &usize| [0, 1].map(|degree| effect(slot, degree, degree + 1));
        Self {
            far: OFFSET * LOWEST + unused + fars.sum::<u64>(),
            by_degrees: (0..32).step_by(4).filter_map(of_four).collect(),
            by_edge: to.iter().map(by_edge).collect(),
            by_own: [0, 1, 2].map(|from| [0, 1, 2].map(|to| effect(at, from, to))),
            never_ends: ends.map(|(number, _)| byte(number, ENOUGH & 0xff)).sum(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;

    #[test]
    fn vertices_suffice_if_and_only_if_counting_one_by_one_says_so() {
        let mut random = Rng::with_seed(1);
        let mut sufficient = 0;
        for _ in 0..20_000 {
            let count = random.usize(1..=20);
            let mut slots: Vec<usize> = (0..32).collect();
            random.shuffle(&mut slots);
            let (vertices, to) = (&slots[..count], &slots[random.usize(0..count)..][..3]);
            let at = slots[30];
            let reach = |&slot: &usize| Reach {
                slot,
                near: random_slots(&mut Rng::with_seed(slot as u64 + count as u64), slot),
                far: slot % 2,
                may_end: slot % 3 == 0,
            };
            let vertices: Vec<Reach> = vertices.iter().map(reach).collect();
            let reaches = Reaches::new(&vertices, at, to);
            let mut degrees: [u64; 32] = std::array::from_fn(|_| random.u64(0..3));
            to.iter().for_each(|&slot| degrees[slot] = random.u64(0..2));
            let before = reaches.before(pattern(&degrees));
            let chosen: Vec<usize> = (0..3).filter(|_| random.bool()).take(2).collect();
            let edges: Vec<_> =
                chosen.iter().map(|&place| (place, degrees[to[place]] as usize)).collect();
            chosen.iter().for_each(|&place| degrees[to[place]] += 1);
            let own = [degrees[at], random.u64(degrees[at]..3)];
            degrees[at] = own[1];
            let own = own.map(|degree| degree as usize);
            let spare = random.u64(0..3);
            let expected = suffice_one_by_one(&vertices, &degrees, spare);
            assert_eq!(reaches.suffice(&before, edges.into_iter(), own, spare), expected);
            sufficient += usize::from(expected);
        }
        assert!((1_000..19_000).contains(&sufficient), "{sufficient} of 20000");
    }

    fn random_slots(random: &mut Rng, except: usize) -> u64 {
        let slots = (0..32).filter(|&slot| slot != except && random.u8(0..5) == 0);
        slots.map(|slot| 1 << (2 * slot)).sum()
    }

    fn pattern(degrees: &[u64; 32]) -> Pattern {
        Pattern(degrees.iter().rev().fold(0, |bits, degree| bits << 2 | degree))
    }

    fn suffice_one_by_one(vertices: &[Reach], degrees: &[u64; 32], spare: u64) -> bool {
        let mut lacking = 0;
        for vertex in vertices {
            let is_near = |slot: &usize| vertex.near >> (2 * slot) & 1 == 1;
            let near = (0..32).filter(is_near).filter(|&slot| degrees[slot] < 2).count();
            match degrees[vertex.slot] + (near + vertex.far) as u64 {
                0 => return false,
                1 if vertex.may_end => lacking += 1,
                1 => return false,
                _ => {}
            }
        }
        lacking <= spare
    }
}
