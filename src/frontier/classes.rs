//! Classes of edges: the cut of a graph into two parts that share vertices, not edges.
//!
//! A cycle is what it takes of the first class together with what it takes of the second. The
//! vertices with edges of both classes are the *boundary*. All that the second class needs to know
//! of the first is the state on the boundary: the degrees there, and which endpoints belong to the
//! same path.
//!
//! Any division into classes gives the right number. This one makes a single sweep enough: if an
//! *exchange*, a symmetry of the graph that is its own inverse, maps the first class onto the
//! second, then the states of the second class are the images of those of the first, with the same
//! counts. On a board, the exchange is the mirror image from top to bottom. An edge whose rows lie
//! nearer to the top belongs to the first class, and its image to the second. An edge between rows
//! that are equally far from the middle has an image between the same rows; one of the two belongs
//! to the first class, by one of two rules. An edge that cannot be told from its image belongs to
//! neither class and is *left out*: it is chosen last, in one copy of the states only. The edges of
//! the apex to boundary vertices are left out too. If every boundary vertex chose its own, there
//! would be 1.8 times as many states on 9x7.
//!
//! The invariant: the left-right mirror image of a graph, where it has one, maps each class onto
//! itself, so that states can be merged with their mirror images.

use crate::graph::Graph;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// The class of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// The edges that the first sweep chooses.
    First,
    /// The edges that the second sweep chooses, or the images of those of the first.
    Second,
    /// The edges that are chosen before the join.
    LeftOut,
}

/// The class of every edge of a graph.
#[derive(Debug, Clone)]
pub(super) struct Classes {
    /// For each vertex, the class of the edge to each of its neighbours.
    of: Vec<Vec<Class>>,
}

impl Classes {
    /// Classes by a rule for the edges between squares, which gets both vertices. An edge of the
    /// apex has the class of its vertex, unless that is in the boundary: then it is left out.
    pub fn by(graph: &Graph, class: impl Fn(usize, usize) -> Class) -> Self {
        let is_square = |vertex: usize| vertex < graph.len();
        let of = |(one, others): (usize, &Vec<usize>)| {
            let class = |&other: &usize| match is_square(one) && is_square(other) {
                true => class(one, other),
                false => Class::LeftOut,
            };
            others.iter().map(class).collect()
        };
        let mut classes = Self { of: graph.neighbours.iter().enumerate().map(of).collect() };
        if let Some(apex) = graph.apex {
            for vertex in 0..graph.len() {
                let has = |class| {
                    let edges = graph.neighbours[vertex].iter().zip(&classes.of[vertex]);
                    edges.filter(|edge| *edge.0 != apex).any(|edge| *edge.1 == class)
                };
                let of_apex = match [Class::First, Class::Second, Class::LeftOut].map(has) {
                    [true, false, false] => Class::First,
                    [false, true, false] => Class::Second,
                    _ => Class::LeftOut,
                };
                classes.set(graph, vertex, apex, of_apex);
            }
        }
        classes
    }

    /// The first class has all edges of the first `at` vertices, the second all others.
    pub fn of_first(graph: &Graph, at: usize) -> Self {
        let class = |first| if first { Class::First } else { Class::Second };
        Self::by(graph, |one, other| class(one.min(other) < at))
    }

    /// Classes that an exchange maps onto each other. The second rule makes the opposite choice of
    /// the first for all edges that lie as near to the beginning of the order as to its end.
    pub fn exchanged(graph: &Graph, exchange: &[usize], is_second_rule: bool) -> Self {
        let places = Places::new(graph, exchange);
        Self::by(graph, |one, other| {
            let [own, image] = [[one, other], [exchange[one], exchange[other]]];
            let both = BTreeSet::from([own, own.map(|vertex| graph.image(vertex))].map(sorted));
            if both.contains(&sorted(image)) {
                return Class::LeftOut;
            }
            let by_rule = || {
                let order = places.compare_in_middle(own, image);
                if is_second_rule { order.reverse() } else { order }
            };
            match places.height(own).cmp(&places.height(image)).then_with(by_rule) {
                Ordering::Greater => Class::Second,
                _ => Class::First,
            }
        })
    }

    /// Returns the class of an edge. Both vertices have to be neighbours.
    pub fn of(&self, graph: &Graph, one: usize, other: usize) -> Class {
        let place = graph.neighbours[one].iter().position(|&vertex| vertex == other);
        place.map_or(Class::LeftOut, |place| self.of[one][place])
    }

    /// Changes the class of an edge.
    fn set(&mut self, graph: &Graph, one: usize, other: usize, class: Class) {
        for (from, to) in [(one, other), (other, one)] {
            let place = graph.neighbours[from].iter().position(|&vertex| vertex == to);
            place.into_iter().for_each(|place| self.of[from][place] = class);
        }
    }

    /// Returns the number of edges of a class at a vertex.
    pub fn degree(&self, vertex: usize, class: Class) -> usize {
        self.of[vertex].iter().filter(|&&of| of == class).count()
    }

    /// True if all edges of a vertex belong to one class, which finishes it.
    pub fn is_interior(&self, vertex: usize, class: Class) -> bool {
        self.of[vertex].iter().all(|&of| of == class)
    }
}

/// An edge without direction.
fn sorted([one, other]: [usize; 2]) -> [usize; 2] {
    [one.min(other), one.max(other)]
}

/// The places of the vertices of a graph, as an exchange sees them.
struct Places<'a> {
    graph: &'a Graph,
    /// How far each vertex is from the middle of the order: below 0 in the first half.
    heights: Vec<i64>,
    /// The number of lines of the board and their length, if the order goes line by line and the
    /// exchange reverses the lines.
    lines: Option<[usize; 2]>,
}

impl<'a> Places<'a> {
    fn new(graph: &'a Graph, exchange: &[usize]) -> Self {
        let lines = graph.lines.as_ref().and_then(|places| {
            let [lines, length] =
                [0, 1].map(|axis| 1 + places.iter().map(|place| place[axis]).max().unwrap_or(0));
            let is_reversed =
                |vertex: usize| places[vertex][0] + places[exchange[vertex]][0] == lines - 1;
            (0..places.len()).all(is_reversed).then_some([lines, length])
        });
        let heights = match (&graph.lines, lines) {
            (Some(places), Some([lines, _])) => heights_of_lines(graph, places, lines),
            _ => {
                let height = |vertex: usize| vertex as i64 - exchange[vertex] as i64;
                (0..graph.len()).map(|one| height(one) + height(graph.image(one))).collect()
            }
        };
        Self { graph, heights, lines }
    }

    /// Returns the height of an edge.
    fn height(&self, edge: [usize; 2]) -> i64 {
        edge.into_iter().filter_map(|vertex| self.heights.get(vertex)).sum()
    }

    /// Compares an edge with its image at the same height. On a board, its upper square is the one
    /// nearer to the side. On an odd number of lines, it is the one in a column at an even distance
    /// from the side, which leaves every other square beside the middle line without an edge of the
    /// second class. All else is the order of the vertices.
    fn compare_in_middle(&self, own: [usize; 2], image: [usize; 2]) -> Ordering {
        let by_order = |edge: [usize; 2]| {
            let mirrored = edge.map(|vertex| self.graph.image(vertex));
            sorted(edge).min(sorted(mirrored))
        };
        let by_side = |edge: [usize; 2]| {
            let (places, [lines, length]) = (self.graph.lines.as_ref()?, self.lines?);
            let upper = *edge.iter().min_by_key(|&&vertex| self.heights[vertex])?;
            let side = places[upper][1].min(length - 1 - places[upper][1]);
            Some((lines % 2 * (side % 2), side))
        };
        by_side(own).cmp(&by_side(image)).then_with(|| by_order(own).cmp(&by_order(image)))
    }
}

/// Returns the height of each vertex, by its line. Where the first line and the last are
/// neighbours, there is a second middle between them.
fn heights_of_lines(graph: &Graph, places: &[[usize; 2]], lines: usize) -> Vec<i64> {
    let is_far = |one: usize, other: &usize| {
        places.get(*other).is_some_and(|other| 4 * other[0].abs_diff(places[one][0]) > 3 * lines)
    };
    let mut neighbours = (0..places.len()).map(|one| (one, &graph.neighbours[one]));
    let is_wrapped = neighbours.any(|(one, others)| others.iter().any(|other| is_far(one, other)));
    let height = |place: &[usize; 2]| {
        let [line, last] = [place[0], lines - 1].map(|line| line as i64);
        let from_middle = 2 * line - last;
        let from_end = 2 * line.min(last - line) + 1;
        if is_wrapped {
            from_middle.signum() * from_middle.abs().min(from_end)
        } else {
            from_middle
        }
    };
    places.iter().map(height).collect()
}
