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
//! to the first class, by one of two rules.
//!
//! Some edges belong to neither class, and are chosen before the join. An edge whose image is its
//! left-right mirror image is one of a *pair*: it is chosen by the states of the first class, and
//! its image by those of the second, which are unfolded then. An edge that is its own image is
//! *left out*: it is chosen last, on the side of the first class only. The edges of the apex to
//! boundary vertices belong to the class of the half in which the vertex lies. If other edges are
//! left out, or if some boundary vertices lie exactly in the middle, they are all left out: with an
//! odd number of rows, that leads to half as many states on 9x7, and with an even number to 1.8
//! times as many on 8x7.
//!
//! The invariant: the left-right mirror image of a graph, where it has one, maps both classes onto
//! themselves, so that states can be merged with their mirror images.

use crate::graph::Graph;
use std::cmp::Ordering;

/// The class of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// The edges that the first sweep chooses.
    First,
    /// The edges that the second sweep chooses, or the images of those of the first.
    Second,
    /// Of each pair of edges that the exchange and the mirror image turn into each other, the one
    /// that is chosen on the side of the first class before the join.
    PairedAbove,
    /// The other one, which is chosen on the side of the second class.
    PairedBelow,
    /// The edges that are chosen before the join on the side of the first class only.
    LeftOut,
}

/// The class of every edge of a graph.
#[derive(Debug, Clone)]
pub(super) struct Classes {
    /// For each vertex, the class of the edge to each of its neighbours.
    of: Vec<Vec<Class>>,
}

impl Classes {
    /// The same classes without pairs: their edges are left out.
    pub fn without_pairs(mut self) -> Self {
        for class in self.of.iter_mut().flatten() {
            if matches!(class, Class::PairedAbove | Class::PairedBelow) {
                *class = Class::LeftOut;
            }
        }
        self
    }

    /// Classes by a rule for the edges between squares, which gets both vertices. An edge of the
    /// apex has the class of its vertex, unless that is in the boundary: then another rule says.
    pub fn by(
        graph: &Graph,
        class: impl Fn(usize, usize) -> Class,
        of_end: impl Fn(usize) -> Class,
    ) -> Self {
        let is_square = |vertex: usize| Some(vertex) != graph.apex;
        let of_apex = |end: usize| {
            let squares = graph.neighbours[end].iter().filter(|&&other| is_square(other));
            let mut own = squares.map(|&other| class(end, other));
            let is_own = |first: &Class| matches!(first, Class::First | Class::Second);
            let first = own.next().filter(is_own).filter(|first| own.all(|of| of == *first));
            first.unwrap_or_else(|| of_end(end))
        };
        let class_of = |one: usize, other: usize| match [one, other].map(is_square) {
            [true, true] => class(one, other),
            [true, false] => of_apex(one),
            [false, _] => of_apex(other),
        };
        let of = |(one, others): (usize, &Vec<usize>)| {
            others.iter().map(|&other| class_of(one, other)).collect()
        };
        Self { of: graph.neighbours.iter().enumerate().map(of).collect() }
    }

    /// The first class has all edges of the first `at` vertices, the second all others.
    pub fn of_first(graph: &Graph, at: usize) -> Self {
        let class = |first| if first { Class::First } else { Class::Second };
        Self::by(graph, |one, other| class(one.min(other) < at), |_| Class::LeftOut)
    }

    /// Classes that an exchange maps onto each other. The second rule makes the opposite choice of
    /// the first for all edges that lie as near to the beginning of the order as to its end.
    pub fn exchanged(graph: &Graph, exchange: &[usize], is_second_rule: bool) -> Self {
        let places = ExchangePlaces::new(graph, exchange);
        let class = |one: usize, other: usize| {
            let [own, image] = [[one, other], [exchange[one], exchange[other]]];
            let mirrored = own.map(|vertex| graph.image(vertex));
            let [edge, of_exchange, of_mirror] = [own, image, mirrored].map(sorted);
            if of_exchange == edge {
                return Class::LeftOut;
            }
            if of_exchange == of_mirror {
                return if edge < of_exchange { Class::PairedAbove } else { Class::PairedBelow };
            }
            let by_rule = || {
                let order = places.compare_in_middle(own, image);
                if is_second_rule { order.reverse() } else { order }
            };
            match places.height(own).cmp(&places.height(image)).then_with(by_rule) {
                Ordering::Greater => Class::Second,
                _ => Class::First,
            }
        };
        let classes = Self::by(graph, class, |_| Class::LeftOut);
        // An end in the middle, and an edge that is its own image, are chosen on one side only.
        // So is an end that the exchange keeps with its edges, wherever it lies in the order: on a
        // cylinder with an odd number of columns, the column that is kept may be the last one.
        let is_kept = |vertex: usize| {
            let neighbours = &graph.neighbours[vertex];
            let is_one = |&other: &usize| neighbours.contains(&exchange[other]);
            exchange[vertex] == vertex && neighbours.iter().all(is_one)
        };
        let is_in_middle =
            |vertex: usize| places.heights.get(vertex) == Some(&0) || is_kept(vertex);
        let is_left_out = |one: usize| {
            let edges = graph.neighbours[one].iter().zip(&classes.of[one]);
            edges.filter(|edge| Some(*edge.0) != graph.apex).any(|edge| *edge.1 == Class::LeftOut)
        };
        if (0..graph.len()).any(|vertex| is_in_middle(vertex) || is_left_out(vertex)) {
            return classes;
        }
        Self::by(graph, class, |end| match places.heights[end].cmp(&0) {
            Ordering::Less => Class::First,
            _ => Class::Second,
        })
    }

    /// Returns the class of an edge. Both vertices have to be neighbours.
    pub fn of(&self, graph: &Graph, one: usize, other: usize) -> Class {
        let place = graph.neighbours[one].iter().position(|&vertex| vertex == other);
        place.map_or(Class::LeftOut, |place| self.of[one][place])
    }

    /// Returns the number of edges of a class at a vertex.
    pub fn degree(&self, vertex: usize, class: Class) -> usize {
        self.of[vertex].iter().filter(|&&of| of == class).count()
    }

    /// True if all edges of a vertex belong to one class, which finishes it.
    pub fn is_interior(&self, vertex: usize, class: Class) -> bool {
        self.of[vertex].iter().all(|&of| of == class)
    }

    /// True if a vertex has edges of both classes, or some of neither.
    pub fn is_in_boundary(&self, vertex: usize) -> bool {
        ![Class::First, Class::Second].iter().any(|&class| self.is_interior(vertex, class))
    }
}

/// An edge without direction.
fn sorted([one, other]: [usize; 2]) -> [usize; 2] {
    [one.min(other), one.max(other)]
}

/// The places of the vertices of a graph, as an exchange sees them.
struct ExchangePlaces<'a> {
    graph: &'a Graph,
    /// How far each vertex is from the middle of the order: below 0 in the first half.
    heights: Vec<i64>,
    /// The number of lines and their length, if the order goes line by line and the exchange
    /// reverses these lines. Other lines stay in place.
    lines: Option<[usize; 2]>,
}

impl<'a> ExchangePlaces<'a> {
    fn new(graph: &'a Graph, exchange: &[usize]) -> Self {
        let lines = graph.lines.as_ref().and_then(|places| {
            let length = 1 + places.iter().map(|place| place[1]).max()?;
            let last = |vertex: usize| places[vertex][0] + places[exchange[vertex]][0];
            let mut moved = (0..places.len()).filter(|&vertex| exchange[vertex] != vertex);
            let lines = 1 + last(moved.next()?);
            moved.all(|vertex| last(vertex) == lines - 1).then_some([lines, length])
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
            let side = |vertex: usize| places[vertex][1].min(length - 1 - places[vertex][1]);
            // Of two squares at one height, the choice does not depend on the direction.
            let (_, side) =
                edge.map(|vertex| (self.heights[vertex], side(vertex))).into_iter().min()?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::question::Question;

    /// Boards of many kinds with a symmetry that exchanges the ends of the order.
    const BOARDS: [&str; 20] = [
        "3x8",
        "3x7 wrap=cylinder",
        "4x3 piece=1,2+0,3 wrap=cylinder without=a1,a4",
        "2x6 piece=0,1+1,2 wrap=cylinder without=c1,c2,f1",
        "5x5 wrap=cylinder",
        "5x6",
        "6x6",
        "7x7",
        "6x9",
        "8x8",
        "5x5 without=c3",
        "6x6 without=a1,f6,a6,f1",
        "4x6 piece=wazir",
        "5x5 piece=king",
        "6x7 piece=zebra",
        "5x8 wrap=cylinder",
        "6x6 wrap=torus",
        "5x7 piece=king wrap=torus",
        "4x6 wrap=moebius",
        "graph 1-2,2-3,3-4,4-5,5-6,6-1,1-7,2-8,3-9,4-10,5-11,6-12,7-8,8-9,9-10,10-11,11-12,12-7",
    ];

    #[test]
    fn an_exchange_maps_the_first_class_onto_the_second_and_a_mirror_image_keeps_both() {
        for text in BOARDS {
            assert!(check_all(text) > 0, "{text} has no exchange");
        }
    }

    #[test]
    fn an_exchange_maps_the_classes_onto_each_other_on_every_small_board_with_joined_edges() {
        let sizes = (1..=5).flat_map(|rows| (2..=8).map(move |cols| (rows, cols)));
        let mut exchanges = 0;
        for (rows, cols) in sizes {
            for wrap in ["none", "cylinder", "torus", "moebius"] {
                for piece in ["knight", "king", "wazir", "1,2+0,3"] {
                    for without in ["", " without=a1", " without=b1", " without=a1,b1"] {
                        let text = format!("{rows}x{cols} piece={piece} wrap={wrap}{without}");
                        exchanges += check_all(&text);
                    }
                }
            }
        }
        assert!(exchanges > 5_000, "{exchanges} exchanges");
    }

    /// Checks the classes of all exchanges of a board, and returns their number: 0 if the text does
    /// not describe a board.
    fn check_all(text: &str) -> usize {
        let Ok(board) = text.parse::<Board>() else { return 0 };
        let mut exchanges = 0;
        for question in [Question::closed(board.clone()), Question::open(board.clone())] {
            for graph in Graph::of(&question) {
                for exchange in graph.exchanges(&board) {
                    for is_second_rule in [false, true] {
                        let classes = Classes::exchanged(&graph, &exchange, is_second_rule);
                        check(text, &graph, &exchange, &classes);
                    }
                    exchanges += 1;
                }
            }
        }
        exchanges
    }

    fn check(text: &str, graph: &Graph, exchange: &[usize], classes: &Classes) {
        let ends = graph.apex.map_or(&[][..], |apex| &graph.neighbours[apex]);
        let is_kept = ends.iter().all(|&end| ends.contains(&exchange[end]));
        for one in 0..graph.neighbours.len() {
            for &other in &graph.neighbours[one] {
                let class = classes.of(graph, one, other);
                assert_eq!(classes.of(graph, other, one), class, "{text}");
                let mirrored = [one, other].map(|vertex| graph.image(vertex));
                let exchanged = match class {
                    Class::First => Class::Second,
                    Class::Second => Class::First,
                    Class::PairedAbove => Class::PairedBelow,
                    Class::PairedBelow => Class::PairedAbove,
                    Class::LeftOut => Class::LeftOut,
                };
                let is_paired = matches!(class, Class::PairedAbove | Class::PairedBelow);
                let of_mirror = if is_paired { exchanged } else { class };
                assert_eq!(classes.of(graph, mirrored[0], mirrored[1]), of_mirror, "{text}");
                if graph.apex.is_none_or(|apex| is_kept || one != apex && other != apex) {
                    let image = classes.of(graph, exchange[one], exchange[other]);
                    assert_eq!(image, exchanged, "{text}: {one}-{other}");
                }
            }
        }
        // The apex edges of squares with edges of both classes are all left out or none.
        let of_apex = |&end: &usize| classes.of(graph, end, graph.apex.unwrap_or_default());
        let is_any_left_out = ends.iter().any(|end| of_apex(end) == Class::LeftOut);
        for end in ends.iter().filter(|_| is_any_left_out) {
            assert!(
                of_apex(end) == Class::LeftOut || classes.is_interior(*end, of_apex(end)),
                "{text}: the apex edge of {end}"
            );
        }
    }

    #[test]
    fn edges_that_an_exchange_or_a_mirror_image_turns_into_themselves_are_left_out() {
        let board: Board = "4x4 piece=wazir".parse().expect("a board");
        for graph in Graph::of(&Question::closed(board.clone())) {
            for exchange in graph.exchanges(&board) {
                let classes = Classes::exchanged(&graph, &exchange, false);
                let own = (0..graph.len())
                    .flat_map(|one| graph.neighbours[one].iter().map(move |&other| (one, other)))
                    .filter(|&(one, other)| exchange[one] == other);
                for (one, other) in own {
                    assert_eq!(classes.of(&graph, one, other), Class::LeftOut);
                }
            }
        }
    }
}
