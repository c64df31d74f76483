//! A recount of a unit by far simpler means, for an audit.
//!
//! What is recounted is a [`Claim`]: the Hamiltonian cycles of a graph in which some vertices below a cut have a given
//! number of edges to those above it. Both ways to do so share nothing with the engine but the graph, and little with
//! each other: no blocks, no ranks of matchings, no slots and no mirror images.
//!
//! - [`by_listing`] meets every cycle of the graph, whatever is claimed, and looks at its degrees. A million cycles
//!   take some seconds.
//! - [`by_states`] takes the vertices on either side of the cut one after another and keeps, in a hash table, the
//!   number of ways to choose their edges by the state that this comes to; then it joins the states of both sides end
//!   by end. The invariant: a state tells how many edges each vertex of the window has, and which ends of paths belong
//!   together; no cycle is closed but one through all vertices. A state takes about a microsecond at each step, and again
//!   for each end in the join, and some 80 bytes.

use crate::graph::Graph;
use num_bigint::BigUint;
use std::collections::HashMap;

/// What is to be recounted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Claim<'a> {
    /// The graph, of up to 128 vertices.
    pub graph: &'a Graph,
    /// The vertices above the cut in the order in which they are taken; the apex is not among them.
    pub above: &'a [usize],
    /// Vertices below it, each with the number of its edges to vertices above.
    pub degrees: &'a [(usize, u8)],
}

/// A set of vertices.
type Set = u128;

fn set_of(vertices: impl IntoIterator<Item = usize>) -> Set {
    let vertices = vertices.into_iter();
    vertices.fold(0, |set, vertex| set | 1 << vertex)
}

fn neighbours(graph: &Graph) -> Vec<Set> {
    let set = |joined: &Vec<usize>| set_of(joined.iter().copied());
    graph.neighbours.iter().map(set).collect()
}

fn members(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let vertex = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (vertex < 128).then_some(vertex)
    })
}

/// All cycles of the claim, by listing every cycle of the graph; `None` when `stop`, asked now and then, said so.
pub(crate) fn by_listing(claim: &Claim, stop: &dyn Fn() -> bool) -> Option<BigUint> {
    let neighbours = neighbours(claim.graph);
    // From the apex, which most vertices are joined to, or where there is least to choose.
    let fewest = (0..neighbours.len()).min_by_key(|&vertex| neighbours[vertex].count_ones());
    let mut path = vec![claim.graph.apex.or(fewest)?];
    let free = set_of(0..neighbours.len()) & !(1 << path[0]);
    let above = set_of(claim.above.iter().copied());
    let (mut steps, mut found) = (0_u64, 0_u128);
    let mut visit = |path: &[usize], is_cycle: bool| {
        steps += 1;
        found += u128::from(is_cycle && is_claimed(claim, above, path));
        !steps.is_multiple_of(1 << 16) || !stop()
    };
    // Every cycle is met in both directions.
    go_on(&neighbours, &mut path, free, 0, &mut visit).then(|| BigUint::from(found / 2))
}

type Visit<'a> = &'a mut dyn FnMut(&[usize], bool) -> bool;

/// Goes on from the head of a path through all vertices that are free, of which some are poor: they have less than two
/// free neighbours. Only the next and the last can be, the last only if it is joined to the start.
/// False when `visit`, which is told whether the path makes a cycle, ended it.
fn go_on(of: &[Set], path: &mut Vec<usize>, free: Set, poor: Set, visit: Visit) -> bool {
    let (of_start, of_head) = (of[path[0]], of[path[path.len() - 1]]);
    if !visit(path, free == 0 && of_head & 1 << path[0] != 0) {
        return false;
    }
    let is_poor = |vertex: &usize| (of[*vertex] & free).count_ones() < 2;
    let poor = poor & free | set_of(members(of_head & free).filter(is_poor));
    let never_last = poor & !of_start;
    let next = match (poor.count_ones(), never_last.count_ones()) {
        _ if of_start & free == 0 => 0,
        (0 | 1, 0) => of_head & free,
        (2, 0) => of_head & poor,
        (1 | 2, 1) => of_head & never_last,
        _ => 0,
    };
    members(next).all(|vertex| {
        path.push(vertex);
        let is_done = go_on(of, path, free & !(1 << vertex), poor, visit);
        path.pop();
        is_done
    })
}

/// Whether the cycle along a path is one of the claim.
fn is_claimed(claim: &Claim, above: Set, path: &[usize]) -> bool {
    let Graph { apex, fixed, .. } = *claim.graph;
    let mut degrees = [0; 128];
    let mut is_fixed = fixed.is_none();
    for (&one, &other) in path.iter().zip(path[1..].iter().chain(path)) {
        if (1 << one | 1 << other) & above != 0 {
            degrees[one] += 1;
            degrees[other] += 1;
        }
        let edge = [Some(one), Some(other)];
        is_fixed |= edge.contains(&fixed) && edge.contains(&apex);
    }
    let mut claimed = claim.degrees.iter();
    is_fixed && claimed.all(|&(vertex, degree)| degrees[vertex] == degree)
}

/// A state: five bits for each place of the window. The place itself says that its vertex has no edge, [`FULL`] that it
/// has two, and another place that it is an end of a path whose other end is there.
type Key = u128;

/// The most places of a window.
const PLACES: usize = 25;

/// Of a vertex with two edges.
const FULL: u8 = 31;

fn at(key: Key, place: usize) -> usize {
    (key >> (5 * place) & 31) as usize
}

/// The degrees of the vertices at so many places.
fn degrees(key: Key, places: usize) -> Vec<u8> {
    let degree = |place| match at(key, place) {
        other if other == place => 0,
        other if other == usize::from(FULL) => 2,
        _ => 1,
    };
    (0..places).map(degree).collect()
}

/// The numbers of ways by state.
type Ways = HashMap<Key, u128>;

/// The same in tables of which each grows alone and is given back alone: that halves the memory.
type States = [Ways; PARTS];

const PARTS: usize = 61;

/// All cycles of the claim, by states; `None` when `stop`, asked now and then, said so.
///
/// # Panics
/// When a window has more than [`PLACES`] vertices, or a state 2^128 ways. Boards of up to eight columns that are cut
/// across have windows of up to 19 vertices; there are about 2^100 ways at most to choose the edges of half an 8x8 board
/// so that no vertex has more than two.
pub(crate) fn by_states(claim: &Claim, stop: &dyn Fn() -> bool) -> Option<BigUint> {
    let [top, bottom] = sides(claim);
    let most = |vertex: usize| top.joined[vertex].count_ones().min(2);
    let mut claimed = claim.degrees.iter();
    if claimed.any(|&(vertex, degree)| u32::from(degree) > most(vertex)) {
        return Some(BigUint::ZERO);
    }
    let places = top.border.count_ones() as usize;
    // The states of the top by their degrees, and those of the bottom by the degrees that they leave to the top.
    let mut sides: HashMap<Vec<u8>, [Ways; 2]> = HashMap::new();
    for (key, ways) in top.states(stop)?.into_iter().flatten() {
        let [tops, _] = sides.entry(degrees(key, places)).or_default();
        tops.insert(key, ways);
    }
    for (key, ways) in bottom.states(stop)?.into_iter().flatten() {
        let missing: Vec<u8> = degrees(key, places).iter().map(|had| 2 - had).collect();
        if let Some([_, bottoms]) = sides.get_mut(&missing) {
            bottoms.insert(key, ways);
        }
    }
    let mut cycles = BigUint::ZERO;
    for (degrees, [tops, bottoms]) in sides {
        let ends: Vec<usize> = (0..places).filter(|&place| degrees[place] == 1).collect();
        cycles += joined(&tops, &bottoms, &ends, stop)?;
    }
    Some(cycles)
}

fn plus(ways: u128, more: u128) -> u128 {
    let sum = ways.checked_add(more);
    sum.expect("a state has less than 2^128 ways")
}

/// The cycles through all vertices that the paths of some states make with those of others which have the same ends; `None` when `stop` said so.
/// From the first end a path goes to one end above and to another below, in all ways; through it these two become a single end.
fn joined(tops: &Ways, bottoms: &Ways, ends: &[usize], stop: &dyn Fn() -> bool) -> Option<BigUint> {
    if stop() {
        return None;
    }
    let (first, others) = match ends {
        _ if tops.is_empty() || bottoms.is_empty() => return Some(BigUint::ZERO),
        // A path above and one below, or a cycle and nothing.
        [] | [_, _] => {
            let [tops, bottoms] = [tops, bottoms].map(|ways| ways.values().copied().fold(0, plus));
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
            // What began below at the one end begins at the other now.
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

/// The states that some become, with the ways of all that become the same.
fn with(states: &Ways, becomes: impl Fn(Key) -> Option<Key>) -> Ways {
    let mut all = Ways::new();
    for (&key, &ways) in states {
        if let Some(key) = becomes(key) {
            let sum = all.entry(key).or_insert(0);
            *sum = plus(*sum, ways);
        }
    }
    all
}

fn set(key: Key, place: usize, code: u8) -> Key {
    key & !(31 << (5 * place)) | Key::from(code) << (5 * place)
}

/// One side of the cut: the edges that are chosen there, and the degrees that they have to come to.
struct Side<'a> {
    graph: &'a Graph,
    /// The vertices in the order in which they choose their edges to those that come later.
    order: Vec<usize>,
    /// By vertex, those that an edge of this side joins it to.
    joined: Vec<Set>,
    /// The vertices that have to have an edge of this side in the end, and those that have to have two.
    least: [Set; 2],
    /// The vertices that may have an edge of this side, and those that may have two.
    most: [Set; 2],
    /// The vertices where both sides meet: those below that are joined to one above, and the apex.
    border: Set,
}

/// The top and the bottom of a claim.
fn sides<'a>(claim: &Claim<'a>) -> [Side<'a>; 2] {
    let (graph, degrees) = (claim.graph, claim.degrees);
    let neighbours = neighbours(graph);
    let (order, apex) = (claim.above.to_vec(), set_of(graph.apex));
    let (all, above) = (set_of(0..neighbours.len()), set_of(order.iter().copied()));
    let is_joined = |vertex: &usize| neighbours[*vertex] & above != 0;
    let border = apex | set_of(members(all & !above).filter(is_joined));
    let sliced = border & set_of(degrees.iter().map(|&(vertex, _)| vertex));
    let [least, most] = [[0; 2]; 2];
    let side = |order| Side { graph, order, joined: neighbours.clone(), least, most, border };
    let mut top = side(order);
    // In the bottom, first what is joined to none above, from the far end; then the vertices whose degrees are given,
    // for they spare most states. The apex is left: it has the edges that the others choose.
    let mut order: Vec<usize> = members(all & !above & !border).collect();
    order.reverse();
    order.extend(members(sliced).chain(members(border & !sliced & !apex)));
    let mut bottom = side(order);
    for vertex in members(all) {
        let is_above = above & 1 << vertex != 0;
        top.joined[vertex] &= if is_above { all } else { above };
        bottom.joined[vertex] &= if is_above { 0 } else { !above };
        let up_to_two = |side: &Side| side.joined[vertex].count_ones().min(2);
        let claimed = degrees.iter().find(|claimed| claimed.0 == vertex);
        // The fewest and the most edges of the top; the bottom has what is missing.
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

impl Side<'_> {
    /// All states of the border that the edges of this side can come to.
    fn states(&self, stop: &dyn Fn() -> bool) -> Option<States> {
        let mut states: States = std::array::from_fn(|_| HashMap::new());
        states[0].insert(0, 1);
        let mut left = set_of(0..self.joined.len());
        let (mut touched, mut closed) = (set_of(self.graph.apex), 0);
        let mut before: Vec<usize> = members(touched).collect();
        for &vertex in &self.order {
            let (mates, have) = (std::array::from_fn(|vertex| vertex as u8), [closed; 2]);
            let outside = Paths { mates, have, took_end: false };
            left &= !(1 << vertex);
            closed |= 1 << vertex & !self.border;
            touched |= self.joined[vertex] & left | 1 << vertex;
            let after: Vec<usize> = members(touched & !closed).collect();
            assert!(after.len() <= PLACES, "too wide a window");
            let mut places = [FULL; 128];
            (0..).zip(&after).for_each(|(place, &vertex)| places[vertex] = place);
            let mut next: States = std::array::from_fn(|_| HashMap::new());
            for (number, (key, ways)) in states.into_iter().flatten().enumerate() {
                if number % 4096 == 0 && stop() {
                    return None;
                }
                let paths = outside.unpack(key, &before);
                self.choose(vertex, left, &paths, 0, &mut |paths| {
                    let key = paths.pack(&after, &places);
                    let part = &mut next[(key as u64 ^ (key >> 64) as u64) as usize % PARTS];
                    let sum = part.entry(key).or_insert(0);
                    *sum = plus(*sum, ways);
                });
            }
            (states, before) = (next, after);
        }
        Some(states)
    }

    /// Joins a vertex to others that are left, from one of them on, in all ways.
    fn choose(&self, vertex: usize, left: Set, paths: &Paths, from: usize, found: Found) {
        let (joined, least, most) = (&self.joined, self.least, self.most);
        let [some, two] = paths.have;
        // The vertices that still have to have an edge, or even two, and those that may have one more.
        let needy = least[0] & !some | least[1] & !two;
        let needy_of_two = least[1] & !some;
        let free = most[0] & !some | most[1] & !two;
        let is_met = |vertex: usize| {
            let needed = 1 + (needy_of_two >> vertex & 1) as u32;
            (joined[vertex] & free & left).count_ones() >= needed
        };
        let is_fixed = self.graph.fixed != Some(vertex) || paths.took_end;
        let can_end = !paths.took_end || paths.can_end(self.graph);
        let is_done = is_fixed && needy & 1 << vertex == 0;
        if is_done && members(needy & left).all(is_met) && can_end {
            found(paths);
        }
        let others = if free & 1 << vertex == 0 { 0 } else { joined[vertex] & free & left };
        for other in members(others & Set::MAX << from) {
            let mut paths = *paths;
            paths.took_end |= self.graph.apex == Some(other);
            let is_closed = paths.join(vertex, other);
            // A cycle has to go through all vertices.
            if !is_closed || paths.have[1].count_ones() as usize == joined.len() {
                self.choose(vertex, left, &paths, other + 1, found);
            }
        }
    }
}

type Found<'a> = &'a mut dyn FnMut(&Paths);

/// Some paths, of which only the ends are known.
#[derive(Clone, Copy)]
struct Paths {
    /// By vertex, the other end of its path, itself when it has no edge.
    mates: [u8; 128],
    /// The vertices that have an edge, and those that have two.
    have: [Set; 2],
    /// Whether the vertex whose turn it is was joined to the apex.
    took_end: bool,
}

impl Paths {
    /// The paths of a state, put into those of the vertices outside of the window.
    fn unpack(mut self, mut key: Key, window: &[usize]) -> Self {
        for vertex in window {
            let mate = window.get(at(key, 0));
            self.mates[*vertex] = *mate.unwrap_or(vertex) as u8;
            self.have[0] |= Set::from(mate != Some(vertex)) << vertex;
            self.have[1] |= Set::from(mate.is_none()) << vertex;
            key >>= 5;
        }
        self
    }

    /// The state, by the places of the vertices of the window.
    fn pack(&self, window: &[usize], places: &[u8; 128]) -> Key {
        let place = |vertex: &usize| match self.have[1] >> vertex & 1 {
            0 => places[usize::from(self.mates[*vertex])],
            _ => FULL,
        };
        let codes = window.iter().rev().map(place);
        codes.fold(0, |key, code| key << 5 | Key::from(code))
    }

    /// Whether the ends can have the colours that they have to: any other edge joins two colours, so that the colours of
    /// the ends are what the degrees of both colours differ by.
    fn can_end(&self, graph: &Graph) -> bool {
        let of = |set: &Set| members(*set).map(|vertex| graph.colours[vertex]).sum::<i32>();
        let missing = graph.surplus() - self.have.iter().map(of).sum::<i32>();
        let apex = set_of(graph.apex);
        let free = self.have.iter().filter(|&set| set & apex == 0);
        missing.abs() <= free.count() as i32
    }

    /// Takes an edge. Whether it closes a path to a cycle.
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

    /// The graph of `closed`, `open`, or `a1-` or `a1-b3` for open tours with fixed ends.
    fn graph(rows: u32, cols: u32, tours: &str) -> Graph {
        let board = Board::new(rows, cols).expect("in range");
        let square = |name: &str| board.parse_square(name).ok();
        Graph::new(&match tours.split_once('-') {
            Some((from, to)) => Question::open_between(board, square(from), square(to)),
            None if tours == "closed" => Question::closed(board),
            None => Question::open(board),
        })
    }

    fn claim<'a>(graph: &'a Graph, above: &'a [usize], degrees: &'a [(usize, u8)]) -> Claim<'a> {
        Claim { graph, above, degrees }
    }

    fn states(claim: &Claim) -> BigUint {
        by_states(claim, &|| false).expect("not stopped")
    }

    fn listing(claim: &Claim) -> BigUint {
        by_listing(claim, &|| false).expect("not stopped")
    }

    /// Some vertices below the cut that are joined to one above, spread over all of them.
    fn sliced(graph: &Graph, above: &[usize], number: usize) -> Vec<usize> {
        let is_joined = |&vertex: &usize| graph.joined(vertex, above) > 0;
        let below = (0..graph.len()).filter(|vertex| !above.contains(vertex));
        let border: Vec<usize> = below.filter(is_joined).collect();
        let number = number.min(border.len());
        (0..number).map(|index| border[index * border.len() / number]).collect()
    }

    /// All degrees that vertices can be given.
    fn degrees(sliced: &[usize]) -> Vec<Vec<(usize, u8)>> {
        sliced.iter().fold(vec![Vec::new()], |all, &vertex| {
            let with = |degree| {
                all.iter().map(move |degrees: &Vec<_>| [&degrees[..], &[(vertex, degree)]].concat())
            };
            (0..=2).flat_map(with).collect()
        })
    }

    /// The sum over all degrees of some vertices by states; each is compared with the listing if that is asked for.
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

    /// Boards with the number of their undirected tours: closed, open, or between squares.
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
        // All edges of a cycle join the two colours, so that the bottom has none.
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
        assert_eq!([by_states(&claim, &|| true), by_listing(&claim, &|| true)], [None, None]);
    }
}
