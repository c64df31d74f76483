//! A quick estimate of the states of a sweep through a graph.
//!
//! The states after a vertex are the combinations of degrees that the frontier vertices can have,
//! times the matchings of their endpoints. This is an upper bound, far above the number of states
//! of a planar graph, but it grows as that number does, so it tells which of two orders is better.
//! It costs a step per vertex, frontier vertex and number of endpoints.

/// Estimates the states of a sweep: after each vertex, the combinations of degrees and matchings
/// that frontier vertices can have.
pub(crate) fn states<'a>(neighbours: &[Vec<usize>], order: impl Iterator<Item = &'a usize>) -> f64 {
    states_up_to(f64::INFINITY, neighbours, order)
}

/// Estimates the states of a sweep, but ends early once they are more than `most`.
pub(super) fn states_up_to<'a>(
    most: f64,
    neighbours: &[Vec<usize>],
    order: impl Iterator<Item = &'a usize>,
) -> f64 {
    let mut is_done = vec![false; neighbours.len()];
    let mut edges = vec![0; neighbours.len()];
    let mut frontier: Vec<usize> = Vec::new();
    let mut states = 0.0;
    for &vertex in order {
        is_done[vertex] = true;
        frontier.retain(|&other| other != vertex);
        for &to in neighbours[vertex].iter().filter(|&&to| !is_done[to]) {
            if edges[to] == 0 {
                frontier.push(to);
            }
            edges[to] += 1;
        }
        let degrees = frontier.iter().map(|&to| (edges[to], neighbours[to].len() - edges[to]));
        states += combinations(degrees);
        if states > most {
            break;
        }
    }
    states
}

/// The number of endpoints up to which combinations are counted apart.
const MOST_ENDPOINTS: usize = 40;

/// The combinations of degrees and matchings of frontier vertices, given the numbers of neighbours
/// of each that are finished and that are not.
fn combinations(vertices: impl Iterator<Item = (usize, usize)>) -> f64 {
    // By the number of vertices of degree 1, which are endpoints.
    let mut patterns = [0.0; MOST_ENDPOINTS];
    patterns[0] = 1.0;
    for (number, (before, after)) in vertices.enumerate() {
        let is_possible = |degree: usize| degree <= before && 2 - degree <= after;
        let others = [0, 2].into_iter().filter(|&degree| is_possible(degree)).count() as f64;
        let end = f64::from(u8::from(is_possible(1)));
        for ends in (0..MOST_ENDPOINTS.min(number + 2)).rev() {
            let fewer = if ends == 0 { 0.0 } else { patterns[ends - 1] };
            patterns[ends] = others * patterns[ends] + end * fewer;
        }
    }
    let mut matchings = 1.0;
    let mut sum = patterns[0];
    for ends in (2..MOST_ENDPOINTS).step_by(2) {
        matchings *= (ends - 1) as f64;
        sum += patterns[ends] * matchings;
    }
    sum
}
