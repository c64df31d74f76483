//! A quick estimate of the states of a sweep through a graph.
//!
//! The states after a vertex are the combinations of degrees that the frontier vertices can have,
//! times the matchings of their endpoints. This is an upper bound, far above the number of states
//! of a planar graph, but it grows as that number does, so it tells which of two orders is better.
//! It costs a step per vertex, frontier vertex and number of endpoints.

/// Estimates the states of a sweep: after each vertex, the combinations of degrees and matchings
/// that frontier vertices can have.
pub fn states<'a>(neighbours: &[Vec<usize>], order: impl Iterator<Item = &'a usize>) -> f64 {
    SweepEstimate::new(neighbours).up_to(f64::INFINITY, order)
}

/// A sweep that has processed some vertices, and an estimate of its states.
#[derive(Clone)]
pub(super) struct SweepEstimate<'a> {
    neighbours: &'a [Vec<usize>],
    is_done: Vec<bool>,
    /// The number of edges from each vertex to processed ones.
    edges: Vec<usize>,
    frontier: Vec<usize>,
    states: f64,
}

impl<'a> SweepEstimate<'a> {
    pub fn new(neighbours: &'a [Vec<usize>]) -> Self {
        let (is_done, edges) = (vec![false; neighbours.len()], vec![0; neighbours.len()]);
        Self { neighbours, is_done, edges, frontier: Vec::new(), states: 0.0 }
    }

    /// Estimates the states after some more vertices, but ends early once they are more than
    /// `most`.
    pub fn up_to<'b>(&mut self, most: f64, order: impl Iterator<Item = &'b usize>) -> f64 {
        for &vertex in order {
            self.is_done[vertex] = true;
            self.frontier.retain(|&other| other != vertex);
            for &to in self.neighbours[vertex].iter().filter(|&&to| !self.is_done[to]) {
                if self.edges[to] == 0 {
                    self.frontier.push(to);
                }
                self.edges[to] += 1;
            }
            let degrees =
                |&to: &usize| (self.edges[to], self.neighbours[to].len() - self.edges[to]);
            self.states += combinations(self.frontier.iter().map(degrees));
            if self.states > most {
                break;
            }
        }
        self.states
    }
}

/// The number of endpoints up to which combinations are counted apart.
const MOST_ENDPOINTS: usize = 40;

/// The combinations of degrees and matchings of frontier vertices, given the numbers of neighbours
/// of each that are finished and that are not.
pub fn combinations(vertices: impl Iterator<Item = (usize, usize)>) -> f64 {
    // By the number of vertices of degree 1, which are endpoints, before a vertex and after it.
    // With two arrays, several numbers are computed at a time.
    let mut arrays = [[0.0; MOST_ENDPOINTS]; 2];
    let [mut before, mut after] = arrays.each_mut();
    before[0] = 1.0;
    for (number, (done, left)) in vertices.enumerate() {
        let is_possible = |degree: usize| degree <= done && 2 - degree <= left;
        let others = [0, 2].into_iter().filter(|&degree| is_possible(degree)).count() as f64;
        let end = f64::from(u8::from(is_possible(1)));
        let last = MOST_ENDPOINTS.min(number + 2);
        after[0] = others * before[0];
        let pairs = before[1..last].iter().zip(&before[..]);
        for (after, (same, fewer)) in after[1..last].iter_mut().zip(pairs) {
            *after = others * same + end * fewer;
        }
        std::mem::swap(&mut before, &mut after);
    }
    let patterns = before;
    let mut matchings = 1.0;
    let mut sum = patterns[0];
    for ends in (2..MOST_ENDPOINTS).step_by(2) {
        matchings *= (ends - 1) as f64;
        sum += patterns[ends] * matchings;
    }
    sum
}
