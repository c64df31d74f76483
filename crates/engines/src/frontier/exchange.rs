//! The image of a state of the first class under an exchange: a state of the second class.
//!
//! Vertices and their images have slots that the sweep has allotted without regard to the exchange.
//! So the image of a pattern has its degrees in other slots, and the endpoints, which are numbered
//! in the order of their slots, change places. Any order of the endpoints can be reached by moving
//! one after the other, and for a move there is a [map of ranks](Change::Move).

use crate::states::matching::Change;
use crate::states::pattern::{Pattern, SLOTS, bits_of};

/// A symmetry of the graph that maps the class of edges of a sweep onto the second class.
#[derive(Debug, Clone)]
pub(super) struct Exchange {
    /// The image of each vertex.
    pub of: Vec<usize>,
    /// The slot in a state of the first class of the vertex whose image has each slot of its own
    /// sweep.
    slots: [usize; SLOTS],
    /// The slots of each boundary vertex in a state of the first class, and of its image in the
    /// sweep that leads to the states of the second, where these differ.
    moved: Vec<[usize; 2]>,
    /// Both bits of the other slots.
    unmoved: u64,
}

impl Exchange {
    /// Prepares an exchange, given the slots of the boundary vertices in the sweep over the first
    /// class, and in the one of whose states those of the second class are images.
    pub fn new(of: Vec<usize>, [first, second]: [&[Option<usize>]; 2]) -> Self {
        let mut slots = std::array::from_fn(|slot| slot);
        let mut moved = Vec::new();
        for (slot, &image) in first.iter().zip(&of) {
            if let (Some(slot), Some(image)) = (*slot, second[image]) {
                slots[image] = slot;
                moved.extend((slot != image).then_some([slot, image]));
            }
        }
        let unmoved = !bits_of(moved.iter().flatten().copied());
        Self { of, slots, moved, unmoved }
    }

    /// Returns the pattern, in the slots of their own sweep, of the states of the second class that
    /// have given degrees in the slots of the first.
    #[inline]
    pub fn pattern(&self, pattern: Pattern) -> Pattern {
        let degree = |[from, to]: &[usize; 2]| (pattern.0 >> (2 * from) & 3) << (2 * to);
        Pattern(self.moved.iter().fold(pattern.0 & self.unmoved, |bits, of| bits | degree(of)))
    }

    /// Passes the changes of the matching that lead from a pattern of that sweep to the state of
    /// the second class, in the slots of the first, one after the other, to `change`.
    pub fn each_change(&self, pattern: Pattern, mut change: impl FnMut(Change)) {
        // The slots to which the endpoints go, in their present order.
        let mut slots = [0; SLOTS];
        let mut ends = 0;
        for slot in (0..SLOTS).filter(|&slot| pattern.degree(slot) == 1) {
            slots[ends] = self.slots[slot];
            ends += 1;
        }
        let slots = &mut slots[..ends];
        for to in 0..ends {
            let from = (to..ends).min_by_key(|&place| slots[place]).unwrap_or(to);
            if from != to {
                slots[to..=from].rotate_right(1);
                change(Change::Move(from as u8, to as u8));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::states::tests::{any_states, moved_about};
    use fastrand::Rng;

    #[test]
    fn the_image_of_an_image_is_the_state_itself() {
        let mut random = Rng::with_seed(1);
        for _ in 0..300 {
            let mut vertices: Vec<usize> = (0..20).collect();
            random.shuffle(&mut vertices);
            let mut of: Vec<usize> = (0..20).collect();
            for pair in vertices.chunks(2).take(random.usize(0..=10)) {
                of.swap(pair[0], pair[1]);
            }
            let mut slots: Vec<usize> = (0..32).collect();
            random.shuffle(&mut slots);
            let slots_of: Vec<Option<usize>> = slots[..20].iter().map(|&slot| Some(slot)).collect();
            let exchange = Exchange::new(of.clone(), [&slots_of; 2]);
            let degrees: Vec<u64> = (0..20).map(|vertex| (random.u64(0..3), vertex).0).collect();
            let ends = degrees.iter().filter(|&&degree| degree == 1).count();
            if ends % 2 == 1 || ends > 12 {
                continue;
            }
            let pattern = |degree_of: &dyn Fn(usize) -> u64| {
                Pattern((0..20).map(|vertex| degree_of(vertex) << (2 * slots[vertex])).sum())
            };
            let own = pattern(&|vertex| degrees[vertex]);
            let image = exchange.pattern(own);
            assert_eq!(image, pattern(&|vertex| degrees[of[vertex]]));
            for (rank, _) in any_states(&mut random, ends, 20) {
                let mut moved = rank;
                for from in [own, image] {
                    exchange.each_change(from, |change| moved = moved_about(change, moved, ends));
                }
                assert_eq!(moved, rank);
            }
        }
    }
}
