//! A recount of one unit of the frontier by far simpler means, for `audit`.
//!
//! A recount answers a [`Claim`]: how many Hamiltonian cycles of a graph, whose edges are divided
//! into those above a cut and those below it, have a stated number of edges above at some vertices.
//! The two methods here share nothing with the engine but the graph, and little with each other.
//! They use no blocks, no ranks of matchings, no slots and no mirror images.
//!
//! - [`by_listing`] visits every cycle of the graph, whatever the claim, and checks its degrees. A
//!   million cycles take some seconds.
//! - [`by_states`] processes the vertices on either side of the cut one after the other. A hash
//!   table holds, for each state, the number of edge choices that lead to it. At the end the states
//!   of both sides are joined endpoint by endpoint. The invariant: a state tells the degree of each
//!   frontier vertex and which endpoints belong to the same path, and no cycle is closed but one
//!   through all vertices. A state costs about a microsecond at each vertex and again for each
//!   endpoint in the join, and up to [`STATE_BYTES`]. Its memory is bounded: a claim with more
//!   states is given up.

use crate::board::SquareSet;
use crate::graph::Graph;
use crate::work::{NotRecounted, Stop};
use num_bigint::BigUint;
use std::collections::HashMap;

/// The unit to be recounted.
#[derive(Clone, Copy)]
pub struct Claim<'a> {
    /// The graph, of up to 128 vertices.
    pub graph: &'a Graph,
    /// True for the edges above the cut.
    pub is_above: &'a dyn Fn(usize, usize) -> bool,
    /// Some vertices, each with the number of its edges above the cut.
    pub degrees: &'a [(usize, u8)],
}

/// The largest number of vertices, the apex included.
const MOST_VERTICES: usize = 128;

/// A set of vertices, one bit each.
type Set = u128;

/// Returns the neighbours of each vertex as a set.
fn neighbours(graph: &Graph) -> Vec<Set> {
    let set = |joined: &Vec<usize>| Set::from_indices(joined.iter().copied());
    graph.neighbours.iter().map(set).collect()
}

/// Counts the cycles of a claim by listing every cycle of the graph.
///
/// # Errors
/// [`NotRecounted::Stopped`] when cancelled.
pub fn by_listing(claim: &Claim, stop: Stop) -> Result<BigUint, NotRecounted> {
    let neighbours = neighbours(claim.graph);
    // Start at the apex, or else at a vertex with fewest neighbours, where the tree branches least.
    let fewest = (0..neighbours.len()).min_by_key(|&vertex| neighbours[vertex].count_ones());
    let mut path = vec![claim.graph.apex.or(fewest).ok_or(NotRecounted::Stopped)?];
    let free = Set::from_indices(0..neighbours.len()) & !(1 << path[0]);
    let (mut steps, mut found) = (0_u64, 0_u128);
    let mut visit = |path: &[usize], is_cycle: bool| {
        steps += 1;
        found += u128::from(is_cycle && is_claimed(claim, path));
        !steps.is_multiple_of(1 << 16) || !stop()
    };
    // The search meets every cycle in both directions.
    if !extend(&neighbours, &mut path, free, 0, &mut visit) {
        return Err(NotRecounted::Stopped);
    }
    Ok(BigUint::from(found / 2))
}

/// Receives each path, and whether it closes into a cycle through all vertices. It returns false to
/// end the search.
type Visit<'a> = &'a mut dyn FnMut(&[usize], bool) -> bool;

/// Extends a path at its head by every free vertex that can come next; returns false if `visit`
/// ended the search.
///
/// A free vertex with fewer than two free neighbours is *poor*. It can only be the next vertex of
/// the path or the last one, and the last one only if it is a neighbour of the start. This prunes
/// most dead ends.
fn extend(of: &[Set], path: &mut Vec<usize>, free: Set, poor: Set, visit: Visit) -> bool {
    let (of_start, of_head) = (of[path[0]], of[path[path.len() - 1]]);
    if !visit(path, free == 0 && of_head & 1 << path[0] != 0) {
        return false;
    }
    let is_poor = |vertex: &usize| (of[*vertex] & free).count_ones() < 2;
    let poor = poor & free | Set::from_indices((of_head & free).indices().filter(is_poor));
    let never_last = poor & !of_start;
    let next = match (poor.count_ones(), never_last.count_ones()) {
        _ if of_start & free == 0 => 0,
        (0 | 1, 0) => of_head & free,
        (2, 0) => of_head & poor,
        (1 | 2, 1) => of_head & never_last,
        _ => 0,
    };
    next.indices().all(|vertex| {
        path.push(vertex);
        let is_done = extend(of, path, free & !(1 << vertex), poor, visit);
        path.pop();
        is_done
    })
}

/// True if the cycle along a path has the degrees of the claim and uses the fixed edge.
fn is_claimed(claim: &Claim, path: &[usize]) -> bool {
    let Graph { apex, fixed, .. } = *claim.graph;
    let mut degrees = [0; 128];
    let mut is_fixed = fixed.is_none();
    for (&one, &other) in path.iter().zip(path[1..].iter().chain(path)) {
        if (claim.is_above)(one, other) {
            degrees[one] += 1;
            degrees[other] += 1;
        }
        let edge = [Some(one), Some(other)];
        is_fixed |= edge.contains(&fixed) && edge.contains(&apex);
    }
    let mut claimed = claim.degrees.iter();
    is_fixed && claimed.all(|&(vertex, degree)| degrees[vertex] == degree)
}

/// A state: five bits for each frontier vertex, by its place in the frontier. The place itself says
/// that the vertex has no edge, [`FULL`] that it has two, and another place that it is an endpoint
/// whose mate is there.
type Key = u128;

/// The largest number of frontier vertices that fit a [`Key`].
const PLACES: usize = 25;

/// The code of a vertex with two edges.
const FULL: u8 = 31;

/// Returns the code at a place.
fn at(key: Key, place: usize) -> usize {
    (key >> (5 * place) & 31) as usize
}

/// Returns the degrees of the vertices at the first `places` places, two bits for each.
fn degrees(key: Key, places: usize) -> u64 {
    let degree = |place| match at(key, place) {
        other if other == place => 0,
        other if other == usize::from(FULL) => 2,
        _ => 1,
    };
    (0..places).map(|place| degree(place) << (2 * place)).sum()
}

/// The number of edge choices for each state.
type Counts = HashMap<Key, u128>;

/// The states of a side, spread over several tables. Each table grows by itself and is freed by
/// itself, which halves the peak memory.
type Tables = [Counts; PARTS];

/// The number of these tables.
const PARTS: usize = 61;

/// The memory of a state in tables that grow and are half empty.
const STATE_BYTES: u64 = 100;

/// Counts the cycles of a claim by states in a limited memory.
///
/// # Errors
/// [`NotRecounted`] when cancelled, or if the states do not fit the memory.
///
/// # Panics
/// If a frontier has more than [`PLACES`] vertices, or a count reaches 2^128. Boards of up to eight
/// columns that are cut across have frontiers of up to 19 vertices, and there are about 2^100
/// choices of edges for half of an 8x8 board in which no vertex has more than two.
pub(crate) fn by_states(claim: &Claim, memory: u64, stop: Stop) -> Result<BigUint, NotRecounted> {
    let [top, bottom] = sides(claim);
    let edges = |side: &Side, vertex: usize| side.joined[vertex].count_ones();
    let mut claimed = claim.degrees.iter().map(|&(vertex, degree)| (vertex, u32::from(degree)));
    if claimed.any(|(vertex, degree)| {
        degree > edges(&top, vertex).min(2) || 2 - degree > edges(&bottom, vertex)
    }) {
        return Ok(BigUint::ZERO);
    }
    let most = (memory / STATE_BYTES) as usize;
    let places = top.border.count_ones() as usize;
    let twos: u64 = (0..places).map(|place| 2 << (2 * place)).sum();
    let tops = by_degrees(top.states(most, stop)?, |key| degrees(key, places));
    let left = most.saturating_sub(tops.len());
    // A state of the bottom is listed by the degrees that it requires of the top.
    let bottoms = by_degrees(bottom.states(left, stop)?, |key| twos - degrees(key, places));
    let mut cycles = BigUint::ZERO;
    for tops in tops.chunk_by(|one, other| one.0 == other.0) {
        let (degrees, _) = tops[0];
        let first = bottoms.partition_point(|bottom| bottom.0 < degrees);
        let bottoms = bottoms[first..].iter().take_while(|bottom| bottom.0 == degrees);
        let tops = tops.iter().map(|top| top.1).collect();
        let bottoms = bottoms.map(|bottom| bottom.1).collect();
        let ends = (0..places).filter(|place| degrees >> (2 * place) & 3 == 1);
        let joined = joined(&tops, &bottoms, &ends.collect::<Vec<_>>(), stop);
        cycles += joined.ok_or(NotRecounted::Stopped)?;
    }
    Ok(cycles)
}

/// A state and its count, after some degrees.
type Keyed = (u64, (Key, u128));

/// Lists states in the order of some degrees. A list takes less memory than a table for each
/// combination of degrees.
fn by_degrees(states: Tables, degrees: impl Fn(Key) -> u64) -> Vec<Keyed> {
    let mut listed: Vec<Keyed> = Vec::with_capacity(len(&states));
    listed.extend(states.into_iter().flatten().map(|state| (degrees(state.0), state)));
    listed.sort_unstable_by_key(|state| state.0);
    listed
}

/// Returns the number of states.
fn len(states: &Tables) -> usize {
    states.iter().map(HashMap::len).sum()
}

/// Adds two counts.
fn plus(count: u128, more: u128) -> u128 {
    let sum = count.checked_add(more);
    sum.expect("a state has less than 2^128 ways")
}

/// Counts the cycles through all vertices that the paths of states with the same endpoints on both
/// sides form; `None` when cancelled.
///
/// A path above leads from the first endpoint to one endpoint, and a path below to another. For
/// every such pair of endpoints, the paths through the first endpoint are replaced by one path,
/// with two endpoints fewer on either side.
fn joined(tops: &Counts, bottoms: &Counts, ends: &[usize], stop: Stop) -> Option<BigUint> {
    if stop() {
        return None;
    }
    let (first, others) = match ends {
        _ if tops.is_empty() || bottoms.is_empty() => return Some(BigUint::ZERO),
        // Either one path above and one below, or a whole cycle on one side and nothing on the
        // other.
        [] | [_, _] => {
            let [tops, bottoms] = [tops, bottoms].map(|all| all.values().copied().fold(0, plus));
            return Some(BigUint::from(tops) * bottoms);
        }
        [first, others @ ..] => (*first, others),
    };
    let mut cycles = BigUint::ZERO;
    for &above in others {
        let left: Vec<usize> = others.iter().copied().filter(|&end| end != above).collect();
        let tops = with(tops, |key| {
            (at(key, first) == above).then(|| set(set(key, first, FULL), above, FULL))
        });
        for &below in &left {
            // The path below that ended at `above` now ends at `below`.
            let bottoms = with(bottoms, |key| {
                let far = at(key, above);
                let moved = set(set(key, far, below as u8), below, far as u8);
                (at(key, first) == below).then(|| set(set(moved, first, FULL), above, FULL))
            });
            cycles += joined(&tops, &bottoms, &left, stop)?;
        }
    }
    Some(cycles)
}

/// Maps states to other states and adds up the counts of those that become equal. States that map
/// to `None` are dropped.
fn with(states: &Counts, becomes: impl Fn(Key) -> Option<Key>) -> Counts {
    let mut all = Counts::new();
    for (&key, &count) in states {
        if let Some(key) = becomes(key) {
            let sum = all.entry(key).or_insert(0);
            *sum = plus(*sum, count);
        }
    }
    all
}

/// Returns a state with another code at a place.
fn set(key: Key, place: usize, code: u8) -> Key {
    key & !(31 << (5 * place)) | Key::from(code) << (5 * place)
}

/// One side of the cut: the edges that are chosen there, and the degrees required of them.
struct Side<'a> {
    graph: &'a Graph,
    /// The vertices in the order in which they choose their edges to later ones.
    order: Vec<usize>,
    /// The neighbours of each vertex along edges of this side.
    joined: Vec<Set>,
    /// The vertices that need at least one edge of this side, and those that need two.
    least: [Set; 2],
    /// The vertices that may have an edge of this side, and those that may have two.
    most: [Set; 2],
    /// The vertices where both sides meet: those with edges of both, and the apex.
    border: Set,
}

/// Returns the top and the bottom of a claim.
fn sides<'a>(claim: &Claim<'a>) -> [Side<'a>; 2] {
    let (graph, degrees) = (claim.graph, claim.degrees);
    let neighbours = neighbours(graph);
    let all = Set::from_indices(0..neighbours.len());
    let joined = |is_meant: bool| -> Vec<Set> {
        let of = |one: usize| neighbours[one].indices().map(move |other| (one, other));
        let is_of = |&(one, other): &(usize, usize)| (claim.is_above)(one, other) == is_meant;
        let others = |one| Set::from_indices(of(one).filter(is_of).map(|(_, other)| other));
        all.indices().map(others).collect()
    };
    let joined = [joined(true), joined(false)];
    let interior = joined.each_ref().map(|joined| {
        let is_within = |vertex: &usize| joined[*vertex] == neighbours[*vertex];
        Set::from_indices(all.indices().filter(is_within))
    });
    let apex = Set::from_indices(graph.apex);
    let border = apex | all & !interior[0] & !interior[1];
    let sliced = border & Set::from_indices(degrees.iter().map(|&(vertex, _)| vertex));
    // A side begins with the vertices that have no edge of the other, from its far end. Then come
    // the vertices of the claim, because their known degrees rule out most states. The apex comes
    // in no order: its edges are chosen by the other vertices.
    let orders = [0, 1].map(|side| {
        let mut order: Vec<usize> = (interior[side] & !apex).indices().collect();
        if side == 1 {
            order.reverse();
        }
        order.extend(sliced.indices().chain((border & !sliced & !apex).indices()));
        order
    });
    let ([above, below], [of_top, of_bottom]) = (joined, orders);
    let [least, most] = [[0; 2]; 2];
    let mut top = Side { graph, order: of_top, joined: above, least, most, border };
    let mut bottom = Side { graph, order: of_bottom, joined: below, least, most, border };
    for vertex in all.indices() {
        let up_to_two = |side: &Side| side.joined[vertex].count_ones().min(2);
        let claimed = degrees.iter().find(|claimed| claimed.0 == vertex);
        // The fewest and the most edges of the top. The bottom has those that are missing to two.
        let (least, most) = match claimed {
            Some(&(_, degree)) => (degree.into(), degree.into()),
            None => (2 - up_to_two(&bottom), up_to_two(&top)),
        };
        for (index, degree) in [(0, 0), (1, 1)] {
            let bit = |is_meant: bool| Set::from(is_meant) << vertex;
            top.least[index] |= bit(least > degree);
            top.most[index] |= bit(most > degree);
            bottom.least[index] |= bit(most + degree < 2);
            bottom.most[index] |= bit(least + degree < 2);
        }
    }
    [top, bottom]
}

/// True if [`by_states`] can count a claim: at most [`PLACES`] vertices are in the frontier.
pub fn fits(claim: &Claim) -> bool {
    claim.graph.colours.len() <= MOST_VERTICES
        && sides(claim).iter().all(|side| side.steps().all(|(.., after)| after.len() <= PLACES))
}

impl Side<'_> {
    /// Returns each vertex in order, with the vertices after it, those finished before it, and the
    /// frontier once it is processed.
    fn steps(&self) -> impl Iterator<Item = (usize, Set, Set, Vec<usize>)> {
        let mut left = Set::from_indices(0..self.joined.len());
        let (mut touched, mut finished) = (Set::from_indices(self.graph.apex), 0);
        self.order.iter().map(move |&vertex| {
            let before = finished;
            left &= !(1 << vertex);
            finished |= 1 << vertex & !self.border;
            touched |= self.joined[vertex] & left | 1 << vertex;
            (vertex, left, before, (touched & !finished).indices().collect())
        })
    }

    /// Returns all states of the border that the edges of this side can lead to, if there are
    /// never more than `most` at once.
    fn states(&self, most: usize, stop: Stop) -> Result<Tables, NotRecounted> {
        let mut states: Tables = std::array::from_fn(|_| HashMap::new());
        states[0].insert(0, 1);
        let mut before: Vec<usize> = self.graph.apex.into_iter().collect();
        for (vertex, left, finished, after) in self.steps() {
            let (mates, have) = (std::array::from_fn(|vertex| vertex as u8), [finished; 2]);
            let outside = PathEnds { mates, have, took_end: false };
            assert!(after.len() <= PLACES, "too wide a frontier");
            let mut places = [FULL; 128];
            (0..).zip(&after).for_each(|(place, &vertex)| places[vertex] = place);
            let mut next: Tables = std::array::from_fn(|_| HashMap::new());
            let of = len(&states);
            for (number, (key, count)) in states.into_iter().flatten().enumerate() {
                match number % 4096 {
                    0 if stop() => return Err(NotRecounted::Stopped),
                    0 if of - number + len(&next) > most => return Err(NotRecounted::TooLarge),
                    _ => {}
                }
                let paths = outside.unpack(key, &before);
                self.choose(vertex, left, &paths, 0, &mut |paths| {
                    let key = paths.pack(&after, &places);
                    let part = &mut next[(key as u64 ^ (key >> 64) as u64) as usize % PARTS];
                    let sum = part.entry(key).or_insert(0);
                    *sum = plus(*sum, count);
                });
            }
            (states, before) = (next, after);
        }
        Ok(states)
    }

    /// Chooses edges from a vertex to any of the vertices left, from number `from` on, and passes
    /// each result that meets the required degrees to `found`.
    fn choose(&self, vertex: usize, left: Set, paths: &PathEnds, from: usize, found: Finder) {
        let (joined, least, most) = (&self.joined, self.least, self.most);
        let [some, two] = paths.have;
        // The vertices that still need an edge of this side, those that need two, and those that
        // may have one more.
        let needy = least[0] & !some | least[1] & !two;
        let needy_of_two = least[1] & !some;
        let free = most[0] & !some | most[1] & !two;
        let can_get = |vertex: usize| {
            let needed = 1 + (needy_of_two >> vertex & 1) as u32;
            (joined[vertex] & free & left).count_ones() >= needed
        };
        // The edge to the apex may be one of the other side.
        let has_end = joined[vertex] & Set::from_indices(self.graph.apex) != 0;
        let is_fixed = self.graph.fixed != Some(vertex) || !has_end || paths.took_end;
        let can_end = !paths.took_end || paths.can_end(self.graph);
        let is_done = is_fixed && needy & 1 << vertex == 0;
        if is_done && (needy & left).indices().all(can_get) && can_end {
            found(paths);
        }
        let others = if free & 1 << vertex == 0 { 0 } else { joined[vertex] & free & left };
        for other in (others & Set::MAX << from).indices() {
            let mut paths = *paths;
            paths.took_end |= self.graph.apex == Some(other);
            let is_closed = paths.join(vertex, other);
            // A cycle may only close if it goes through all vertices.
            if !is_closed || paths.have[1].count_ones() as usize == joined.len() {
                self.choose(vertex, left, &paths, other + 1, found);
            }
        }
    }
}

/// Receives the paths after each choice of a vertex's edges.
type Finder<'a> = &'a mut dyn FnMut(&PathEnds);

/// A set of paths of which only the endpoints are known.
#[derive(Clone, Copy)]
struct PathEnds {
    /// The mate of each endpoint; the vertex itself if it has no edge.
    mates: [u8; 128],
    /// The vertices that have an edge, and those that have two.
    have: [Set; 2],
    /// True if the vertex being processed has chosen its edge to the apex.
    took_end: bool,
}

impl PathEnds {
    /// Adds the paths of a state to those of the vertices outside of the frontier.
    fn unpack(mut self, mut key: Key, frontier: &[usize]) -> Self {
        for vertex in frontier {
            let mate = frontier.get(at(key, 0));
            self.mates[*vertex] = *mate.unwrap_or(vertex) as u8;
            self.have[0] |= Set::from(mate != Some(vertex)) << vertex;
            self.have[1] |= Set::from(mate.is_none()) << vertex;
            key >>= 5;
        }
        self
    }

    /// Returns the state, coded by the places of the frontier vertices.
    fn pack(&self, frontier: &[usize], places: &[u8; 128]) -> Key {
        let place = |vertex: &usize| match self.have[1] >> vertex & 1 {
            0 => places[usize::from(self.mates[*vertex])],
            _ => FULL,
        };
        let codes = frontier.iter().rev().map(place);
        codes.fold(0, |key, code| key << 5 | Key::from(code))
    }

    /// True if the ends of the tour can still have the required colours. Every edge without the
    /// apex joins two colours, so the sum over all degrees with their colours is determined by the
    /// ends.
    fn can_end(&self, graph: &Graph) -> bool {
        let of = |set: &Set| set.indices().map(|vertex| graph.colours[vertex]).sum::<i32>();
        let missing = graph.surplus() - self.have.iter().map(of).sum::<i32>();
        let apex = Set::from_indices(graph.apex);
        let free = self.have.iter().filter(|&set| set & apex == 0);
        missing.abs() <= free.count() as i32
    }

    /// Adds an edge and returns true if it closes a cycle.
    fn join(&mut self, one: usize, other: usize) -> bool {
        let [one_end, other_end] = [one, other].map(|vertex| self.mates[vertex]);
        self.mates[usize::from(one_end)] = other_end;
        self.mates[usize::from(other_end)] = one_end;
        self.have[1] |= self.have[0] & (1 << one | 1 << other);
        self.have[0] |= 1 << one | 1 << other;
        usize::from(one_end) == other
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::question::Question;

    /// The graph of a question written `closed`, `open`, or `a1-` or `a1-b3` for open tours with
    /// fixed ends.
    fn graph(rows: u32, cols: u32, tours: &str) -> Graph {
        let board = Board::new(rows, cols).expect("in range");
        let square = |name: &str| board.parse_square(name).ok();
        let question = match tours.split_once('-') {
            Some((from, to)) => Question::open_between(board.clone(), square(from), square(to)),
            None if tours == "closed" => Question::closed(board),
            None => Question::open(board),
        };
        Graph::of(&question).remove(0)
    }

    /// A claim in which the edges of some vertices are above.
    struct Above<'a>(&'a Graph, &'a [usize], &'a [(usize, u8)]);

    impl Above<'_> {
        fn claim<T>(&self, count: impl Fn(&Claim) -> T) -> T {
            let Self(graph, above, degrees) = *self;
            let is_above = &|one, other| above.contains(&one) || above.contains(&other);
            count(&Claim { graph, is_above, degrees })
        }
    }

    fn claim<'a>(graph: &'a Graph, above: &'a [usize], degrees: &'a [(usize, u8)]) -> Above<'a> {
        Above(graph, above, degrees)
    }

    fn states(claim: &Above) -> BigUint {
        claim.claim(|claim| by_states(claim, u64::MAX, &|| false)).expect("not stopped")
    }

    fn listing(claim: &Above) -> BigUint {
        claim.claim(|claim| by_listing(claim, &|| false)).expect("not stopped")
    }

    /// Up to `number` vertices below the cut with a neighbour above, spread evenly over all of
    /// them.
    fn sliced(graph: &Graph, above: &[usize], number: usize) -> Vec<usize> {
        let is_joined = |&vertex: &usize| graph.joined(vertex, |other| above.contains(&other)) > 0;
        let below = (0..graph.len()).filter(|vertex| !above.contains(vertex));
        let border: Vec<usize> = below.filter(is_joined).collect();
        let number = number.min(border.len());
        (0..number).map(|index| border[index * border.len() / number]).collect()
    }

    /// All combinations of degrees 0, 1 and 2 for some vertices.
    fn degrees(sliced: &[usize]) -> Vec<Vec<(usize, u8)>> {
        sliced.iter().fold(vec![Vec::new()], |all, &vertex| {
            let with = |degree| {
                all.iter().map(move |degrees: &Vec<_>| [&degrees[..], &[(vertex, degree)]].concat())
            };
            (0..=2).flat_map(with).collect()
        })
    }

    /// The sum over all degrees of some vertices, counted by states, and each compared with the
    /// listing if `compare` is set.
    fn sum(graph: &Graph, above: &[usize], number: usize, compare: bool) -> BigUint {
        let count = |degrees: Vec<(usize, u8)>| {
            let claim = claim(graph, above, &degrees);
            let cycles = states(&claim);
            if compare {
                assert_eq!(cycles, listing(&claim), "{above:?} {degrees:?}");
            }
            cycles
        };
        degrees(&sliced(graph, above, number)).into_iter().map(count).sum()
    }

    /// Boards with their numbers of undirected tours: closed, open, or between squares.
    const KNOWN: [(u32, u32, &str, u32); 10] = [
        (3, 4, "closed", 0),
        (3, 4, "open", 8),
        (3, 10, "closed", 16),
        (4, 5, "open", 82),
        (5, 5, "closed", 0),
        (5, 5, "open", 864),
        (5, 5, "a1-", 304),
        (5, 5, "b1-", 0),
        (5, 6, "closed", 8),
        (6, 6, "closed", 9862),
    ];

    #[test]
    fn both_know_the_published_counts_and_agree_on_all_degrees() {
        for (rows, cols, tours, known) in KNOWN {
            let graph = graph(rows, cols, tours);
            let half = graph.len() / 2;
            for (at, number) in
                [(half, 3), (half - 2, 1), (half + 1, 2), (graph.len() - 2, 1), (1, 2), (0, 0)]
            {
                let above: Vec<usize> = (0..at).collect();
                let claim = claim(&graph, &above, &[]);
                let counted = [listing(&claim), states(&claim), sum(&graph, &above, number, true)];
                let what = format!("{rows}x{cols} {tours} cut at {at}");
                assert_eq!(counted, [(); 3].map(|()| known.into()), "{what}");
            }
        }
    }

    #[test]
    fn fixed_ends_are_used() {
        for (rows, cols, tours) in [
            (3, 10, "a1-b1"),
            (4, 5, "b2-"),
            (5, 5, "a1-e5"),
            (5, 5, "c3-a1"),
            (5, 6, "a1-"),
            (5, 6, "c3-b3"),
            (6, 6, "d4-a1"),
        ] {
            let graph = graph(rows, cols, tours);
            let known = listing(&claim(&graph, &[], &[]));
            for (at, number) in [(graph.len() / 2, 2), (graph.len() / 3, 1)] {
                let above: Vec<usize> = (0..at).collect();
                assert_eq!(
                    sum(&graph, &above, number, true),
                    known,
                    "{rows}x{cols} {tours} cut at {at}"
                );
            }
        }
    }

    #[test]
    fn all_degrees_of_three_vertices_make_all_open_tours() {
        let graph = graph(5, 6, "open");
        let above: Vec<usize> = (0..15).collect();
        assert_eq!(sum(&graph, &above, 3, true), 18_784_u32.into());
    }

    #[test]
    #[ignore = "lists for half a minute"]
    fn all_of_6x6_are_listed() {
        let graph = graph(6, 6, "open");
        let above: Vec<usize> = (0..18).collect();
        for degree in 0..=2 {
            let degrees = [(19, degree), (24, 1)];
            let claim = claim(&graph, &above, &degrees);
            assert_eq!(listing(&claim), states(&claim));
        }
        let all = listing(&claim(&graph, &above, &[]));
        assert_eq!(all, 3_318_960_u32.into());
        assert_eq!(sum(&graph, &above, 1, false), all);
    }

    fn check_any_vertices_above(rows: u32, cols: u32, known: u32) {
        let graph = graph(rows, cols, "closed");
        // Above are all vertices of one colour. All edges of a cycle join two colours, so the
        // bottom has none.
        let white: Vec<usize> =
            (0..graph.len()).filter(|&vertex| graph.colours[vertex] == 1).collect();
        let backwards: Vec<usize> = (0..graph.len() / 2 + 2).rev().collect();
        for above in [white, backwards] {
            assert_eq!(sum(&graph, &above, 1, true), known.into(), "{above:?}");
        }
    }

    #[test]
    fn any_vertices_may_be_above() {
        check_any_vertices_above(5, 6, 8);
    }

    #[test]
    #[ignore = "lists for a quarter of a minute"]
    fn any_vertices_of_6x6_may_be_above() {
        check_any_vertices_above(6, 6, 9862);
    }

    #[test]
    fn degrees_that_cannot_be_make_nothing() {
        let graph = graph(6, 6, "closed");
        let above: Vec<usize> = (0..18).collect();
        for degrees in [[(20, 3)], [(35, 1)]] {
            let claim = claim(&graph, &above, &degrees);
            assert_eq!([states(&claim), listing(&claim)], [BigUint::ZERO, BigUint::ZERO]);
        }
        let claim = claim(&graph, &above, &[(35, 0)]);
        assert_eq!(states(&claim), 9862_u32.into());
    }

    #[test]
    fn both_stop() {
        let graph = graph(6, 6, "open");
        let above: Vec<usize> = (0..18).collect();
        let claim = claim(&graph, &above, &[]);
        let stopped = claim
            .claim(|claim| [by_states(claim, u64::MAX, &|| true), by_listing(claim, &|| true)]);
        assert_eq!(stopped, [Err(NotRecounted::Stopped), Err(NotRecounted::Stopped)]);
    }

    #[test]
    fn a_claim_that_does_not_fit_the_memory_is_refused() {
        let graph = graph(6, 6, "closed");
        let above: Vec<usize> = (0..18).collect();
        let count =
            |memory| claim(&graph, &above, &[]).claim(|claim| by_states(claim, memory, &|| false));
        assert_eq!(count(100 * STATE_BYTES), Err(NotRecounted::TooLarge));
        assert_eq!(count(100_000 * STATE_BYTES), Ok(9862_u32.into()));
    }
}
