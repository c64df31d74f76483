//! The automorphisms of a graph: the maps of its vertices onto each other that keep its edges.
//!
//! Trying all maps is hopeless. The vertices are first coloured so that no automorphism changes the
//! colour of a vertex: by the number of vertices at each distance, and then, again and again, by
//! the colours of their neighbours (the Weisfeiler-Leman refinement). Then a search maps one vertex
//! after the other, each next to one that is mapped already, onto the vertices of its colour whose
//! edges fit. So most wrong choices end after a few vertices.
//!
//! Some graphs have too many automorphisms to list, and for some the search takes too long. The
//! search is bounded by steps, not by time, so whether they are found depends on the graph alone.

use super::Square;
use std::collections::BTreeMap;

/// The largest number of automorphisms. The 5-cube has 3,840.
const MOST: usize = 4_096;
/// The largest number of images, of all vertices under all automorphisms.
const MOST_IMAGES: usize = 1 << 20;
/// The largest number of steps of the search, each of which looks at one edge.
const MOST_STEPS: usize = 1 << 22;

/// The images of all vertices under each automorphism but the identity; `None` if there are too
/// many, or the search for them takes too long.
pub(super) fn of(neighbours: &[Vec<Square>]) -> Option<Vec<Vec<Square>>> {
    let neighbours: Vec<Vec<usize>> =
        neighbours.iter().map(|to| to.iter().map(|to| to.index()).collect()).collect();
    let colours = colours(&neighbours);
    let order = order(&neighbours, &colours);
    let mut is_joined = vec![vec![false; neighbours.len()]; neighbours.len()];
    for (vertex, around) in neighbours.iter().enumerate() {
        around.iter().for_each(|&to| is_joined[vertex][to] = true);
    }
    let mut search = AutomorphismSearch {
        image: vec![None; neighbours.len()],
        is_taken: vec![false; neighbours.len()],
        neighbours,
        is_joined,
        colours,
        order,
        steps: 0,
        found: Vec::new(),
    };
    search.extend(0)?;
    search.found.retain(|image| image.iter().enumerate().any(|(at, to)| to.index() != at));
    Some(search.found)
}

/// Numbers for the vertices, the same for any vertex and its image under an automorphism.
fn colours(neighbours: &[Vec<usize>]) -> Vec<usize> {
    let distances = (0..neighbours.len()).map(|vertex| distances(neighbours, vertex));
    let mut colours = numbered(distances.collect());
    loop {
        let of = |vertex: usize| {
            let mut around: Vec<usize> = neighbours[vertex].iter().map(|&to| colours[to]).collect();
            around.sort_unstable();
            around.insert(0, colours[vertex]);
            around
        };
        let finer = numbered((0..neighbours.len()).map(of).collect());
        if finer.iter().max() == colours.iter().max() {
            return finer;
        }
        colours = finer;
    }
}

/// The number of each of some values among the different ones, in their order.
fn numbered(values: Vec<Vec<usize>>) -> Vec<usize> {
    let mut numbers: BTreeMap<Vec<usize>, usize> =
        values.iter().map(|value| (value.clone(), 0)).collect();
    numbers.values_mut().enumerate().for_each(|(place, number)| *number = place);
    values.iter().map(|value| numbers[value]).collect()
}

/// The number of vertices at each distance from a vertex.
fn distances(neighbours: &[Vec<usize>], from: usize) -> Vec<usize> {
    let mut is_reached = vec![false; neighbours.len()];
    is_reached[from] = true;
    let (mut layer, mut sizes) = (vec![from], Vec::new());
    while !layer.is_empty() {
        sizes.push(layer.len());
        let around = layer.iter().flat_map(|&vertex| &neighbours[vertex]);
        layer =
            around.copied().filter(|&to| !std::mem::replace(&mut is_reached[to], true)).collect();
    }
    sizes
}

/// The vertices in the order in which they are mapped: the first is one of the rarest colour, and
/// each other one is next to an earlier one, where possible.
fn order(neighbours: &[Vec<usize>], colours: &[usize]) -> Vec<usize> {
    let mut sizes = vec![0; neighbours.len()];
    colours.iter().for_each(|&colour| sizes[colour] += 1);
    let mut firsts: Vec<usize> = (0..neighbours.len()).collect();
    firsts.sort_by_key(|&vertex| sizes[colours[vertex]]);
    let mut is_reached = vec![false; neighbours.len()];
    let mut order: Vec<usize> = Vec::new();
    for first in firsts {
        let mut next = order.len();
        if !std::mem::replace(&mut is_reached[first], true) {
            order.push(first);
        }
        while let Some(&vertex) = order.get(next) {
            let around = neighbours[vertex].iter().copied();
            order.extend(around.filter(|&to| !std::mem::replace(&mut is_reached[to], true)));
            next += 1;
        }
    }
    order
}

/// A search for all automorphisms.
struct AutomorphismSearch {
    neighbours: Vec<Vec<usize>>,
    is_joined: Vec<Vec<bool>>,
    colours: Vec<usize>,
    order: Vec<usize>,
    image: Vec<Option<usize>>,
    is_taken: Vec<bool>,
    steps: usize,
    found: Vec<Vec<Square>>,
}

impl AutomorphismSearch {
    /// Maps the vertices from one place of the order on in all ways. Returns `None` at a limit.
    fn extend(&mut self, place: usize) -> Option<()> {
        let Some(&vertex) = self.order.get(place) else {
            self.found
                .push(self.image.iter().flatten().map(|&to| Square::from_index(to)).collect());
            let count = self.found.len();
            return (count <= MOST && count * self.order.len() <= MOST_IMAGES).then_some(());
        };
        let mapped: Vec<usize> =
            self.neighbours[vertex].iter().filter_map(|&to| self.image[to]).collect();
        let candidates: Vec<usize> = match mapped.first() {
            Some(&earlier) => self.neighbours[earlier].clone(),
            None => (0..self.order.len()).collect(),
        };
        for to in candidates {
            self.steps += 1 + mapped.len();
            if self.steps > MOST_STEPS {
                return None;
            }
            let fits = !self.is_taken[to]
                && self.colours[to] == self.colours[vertex]
                && mapped.iter().all(|&earlier| self.is_joined[to][earlier]);
            if fits {
                (self.image[vertex], self.is_taken[to]) = (Some(to), true);
                self.extend(place + 1)?;
                (self.image[vertex], self.is_taken[to]) = (None, false);
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of automorphisms, the identity included.
    fn count(vertices: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Option<usize> {
        let mut neighbours = vec![Vec::new(); vertices];
        for (one, other) in edges {
            neighbours[one].push(Square::from_index(other));
            neighbours[other].push(Square::from_index(one));
        }
        of(&neighbours).map(|found| 1 + found.len())
    }

    #[test]
    fn well_known_graphs_have_their_numbers_of_automorphisms() {
        let ring = (0..9).map(|vertex| (vertex, (vertex + 1) % 9));
        assert_eq!(count(9, ring), Some(18));
        let outer = (0..5).map(|vertex| (vertex, (vertex + 1) % 5));
        let inner = (0..5).map(|vertex| (5 + vertex, 5 + (vertex + 2) % 5));
        let spokes = (0..5).map(|vertex| (vertex, vertex + 5));
        assert_eq!(count(10, outer.chain(inner).chain(spokes)), Some(120), "Petersen's graph");
        let cube = |bits: usize| {
            let edges =
                (0..1 << bits).flat_map(move |one| (0..bits).map(move |b| (one, one ^ 1 << b)));
            count(1 << bits, edges.filter(|(one, other)| one < other))
        };
        assert_eq!((cube(3), cube(5), cube(6)), (Some(48), Some(3_840), None));
        assert_eq!(count(4, [(0, 1), (2, 3)]), Some(8), "two edges apart");
        // The smallest tree without symmetry.
        assert_eq!(count(7, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (2, 6)]), Some(1));
    }
}
