//! A graph that is given by its edges.
//!
//! Vertices have names and are ordered by them: by value if all names are numbers, otherwise
//! alphabetically. So the numbers of vertices do not depend on the order in which a file lists the
//! edges, and one graph has one text:
//!
//! ```text
//! graph 0-1,0-2,1-2,3
//! ```
//!
//! A word with a single name is a vertex without edges. Where a name has a dash, `=` takes the
//! place of the dash between names, and follows a vertex without edges: `graph 1-2,2=a-b,c-d=`.

use super::{BoardError, Square};
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::str::FromStr;

/// The first word of the text of a graph.
const WORD: &str = "graph ";

/// A simple graph with named vertices.
///
/// ```
/// # use kt_enum_board as kt_enum;
/// use kt_enum::board::Network;
/// let triangle: Network = "graph 3-2,1-2,1-3".parse()?;
/// assert_eq!(triangle.to_string(), "graph 1-2,1-3,2-3");
/// # Ok::<(), kt_enum::board::BoardError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Network {
    names: Vec<String>,
    /// The edges as pairs of vertices, the lower first, ascending.
    edges: Vec<(usize, usize)>,
}

impl Network {
    /// The largest number of vertices.
    pub const MOST_VERTICES: usize = 1_024;
    /// The largest number of edges.
    pub const MOST_EDGES: usize = 65_536;

    /// Creates a graph whose vertices have any words, from its edges by the places of vertices.
    /// Vertices are named by their words as far as names can have them, or else by numbers. Returns
    /// the place of each vertex of the graph too.
    ///
    /// # Errors
    /// As [`Self::new`].
    #[doc(hidden)]
    pub fn of_words(
        words: &[String],
        edges: &[(usize, usize)],
    ) -> Result<(Self, Vec<usize>), BoardError> {
        let plain = |word: &String| {
            let parts = word.split(|sign| !is_of_name(sign)).filter(|part| !part.is_empty());
            parts.collect::<Vec<_>>().join("_").trim_matches(['_', '.', '-']).to_owned()
        };
        let mut names: Vec<String> = words.iter().map(plain).collect();
        let all: BTreeSet<&String> = names.iter().collect();
        if all.len() < names.len() || !all.iter().all(|name| is_name(name)) {
            names = (1..=words.len()).map(|number| number.to_string()).collect();
        }
        let place: HashMap<&String, usize> = names.iter().zip(0..).collect();
        let edges = edges.iter().map(|&(one, other)| (names[one].clone(), names[other].clone()));
        let network = Self::new(edges, names.iter().cloned())?;
        let order = network.names.iter().map(|name| place[name]).collect();
        Ok((network, order))
    }

    /// Creates a graph from its edges, each a pair of names, and from vertices without edges.
    ///
    /// # Errors
    /// [`BoardError::Graph`] for a loop, an edge that is there twice, a name with other characters
    /// than letters, digits and `_-.`, or a graph that is empty or too large.
    pub fn new(
        edges: impl IntoIterator<Item = (String, String)>,
        alone: impl IntoIterator<Item = String>,
    ) -> Result<Self, BoardError> {
        let edges: Vec<(String, String)> = edges.into_iter().take(Self::MOST_EDGES + 1).collect();
        if edges.len() > Self::MOST_EDGES {
            return Err(BoardError::Graph(format!("it has more than {} edges", Self::MOST_EDGES)));
        }
        let of_edges = edges.iter().flat_map(|(one, other)| [one, other]).cloned();
        let names: BTreeSet<String> = of_edges.chain(alone).collect();
        let names = in_order(names)?;
        let number: HashMap<&String, usize> = names.iter().zip(0..).collect();
        let mut known = BTreeSet::new();
        for (one, other) in &edges {
            let (a, b) = (number[one], number[other]);
            if a == b {
                return Err(BoardError::Graph(format!("{one}-{other} joins a vertex to itself")));
            }
            if !known.insert((a.min(b), a.max(b))) {
                return Err(BoardError::Graph(format!("the edge {one}-{other} is there twice")));
            }
        }
        Ok(Self { names, edges: known.into_iter().collect() })
    }

    /// The names of the vertices, in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The edges, as pairs of places in [`Network::names`].
    pub fn edges(&self) -> &[(usize, usize)] {
        &self.edges
    }

    /// The numbers of vertices and edges in words.
    #[doc(hidden)]
    pub fn sizes(&self) -> String {
        let (vertices, edges) = (self.names.len(), self.edges.len());
        let vertex = if vertices == 1 { "vertex" } else { "vertices" };
        let edge = if edges == 1 { "edge" } else { "edges" };
        format!("{vertices} {vertex} and {edges} {edge}")
    }

    /// The neighbours of each vertex, ascending, because the edges are.
    #[doc(hidden)]
    pub fn neighbours(&self) -> Vec<Vec<Square>> {
        let mut neighbours = vec![Vec::new(); self.names.len()];
        for &(one, other) in &self.edges {
            neighbours[one].push(Square::from_index(other));
            neighbours[other].push(Square::from_index(one));
        }
        neighbours
    }

    /// True unless all names are numbers, and some from 0 or 1 to the highest are missing.
    #[doc(hidden)]
    pub fn is_without_gaps(&self) -> bool {
        let numbers = self.names.iter().map(|name| name.parse().ok());
        numbers.collect::<Option<Vec<usize>>>().is_none_or(|numbers| {
            numbers[0] <= 1
                && numbers.windows(2).all(|pair| pair[0].checked_add(1) == Some(pair[1]))
        })
    }
}

/// The largest number of bytes of a name. Longer ones are not legible in lists of edges.
pub const LONGEST_NAME: usize = 28;

/// True if the text can be the name of a vertex.
pub fn is_name(name: &str) -> bool {
    (1..=LONGEST_NAME).contains(&name.len())
        && name != "all"
        && name.starts_with(|c: char| c.is_alphanumeric() || c == '_')
        && name.chars().all(is_of_name)
}

fn is_of_name(sign: char) -> bool {
    sign.is_alphanumeric() || "_-.".contains(sign)
}

/// The fault of a text that cannot be the name of a vertex.
pub fn not_a_name(text: &str) -> String {
    format!(
        "`{text}` is not the name of a vertex: use letters, digits and `_-.`, up to {LONGEST_NAME} \
         bytes, and not a dash or a dot first"
    )
}

/// Checks the names of vertices and puts them in order.
fn in_order(names: BTreeSet<String>) -> Result<Vec<String>, BoardError> {
    if let Some(name) = names.iter().find(|name| !is_name(name)) {
        return Err(BoardError::Graph(not_a_name(name)));
    }
    let (count, most) = (names.len(), Network::MOST_VERTICES);
    if count == 0 {
        return Err(BoardError::Graph("it has no vertex".to_owned()));
    }
    if count > most {
        return Err(BoardError::Graph(format!("it has {count} vertices: the most is {most}")));
    }
    let mut names: Vec<String> = names.into_iter().collect();
    let number = |name: &String| name.parse::<u64>().ok();
    if names.iter().all(|name| number(name).is_some()) {
        names.sort_by_key(|name| (number(name), name.clone()));
    }
    Ok(names)
}

impl fmt::Display for Network {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut is_joined = vec![false; self.names.len()];
        let mut words = Vec::new();
        for &(one, other) in &self.edges {
            let joiner = if [one, other].map(|end| self.names[end].contains('-')) == [false; 2] {
                '-'
            } else {
                '='
            };
            words.push(format!("{}{joiner}{}", self.names[one], self.names[other]));
            (is_joined[one], is_joined[other]) = (true, true);
        }
        for (name, _) in self.names.iter().zip(is_joined).filter(|(_, is_joined)| !is_joined) {
            let end = if name.contains('-') { "=" } else { "" };
            words.push(format!("{name}{end}"));
        }
        write!(out, "{WORD}{}", words.join(","))
    }
}

impl FromStr for Network {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Self, BoardError> {
        let list = text.strip_prefix(WORD).ok_or_else(|| BoardError::Text(text.to_owned()))?;
        let (mut edges, mut alone) = (Vec::new(), Vec::new());
        for word in list.split(',') {
            match (word.split_once('='), word.split_once('-')) {
                (Some((one, "")), _) => alone.push(one.to_owned()),
                (Some((one, other)), _) => edges.push((one.to_owned(), other.to_owned())),
                (None, Some((one, other))) if !other.contains('-') => {
                    edges.push((one.to_owned(), other.to_owned()));
                }
                (None, Some(_)) => return Err(BoardError::Text(text.to_owned())),
                (None, None) => alone.push(word.to_owned()),
            }
        }
        Self::new(edges, alone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graph_has_one_text_whatever_the_order_of_its_edges() {
        for (text, canonical) in [
            ("graph 10-9,9-2,2-10", "graph 2-9,2-10,9-10"),
            ("graph b-a,c", "graph a-b,c"),
            ("graph 1-x,x-10,1-10", "graph 1-10,1-x,10-x"),
            ("graph 7", "graph 7"),
            ("graph c-d=,b=a-a,b-a", "graph a-b,a-a=b,c-d="),
            ("graph \u{e9}-\u{3b1},x.1-\u{e9}", "graph x.1-\u{e9},\u{e9}-\u{3b1}"),
        ] {
            let graph: Network = text.parse().expect("a graph");
            assert_eq!(graph.to_string(), canonical);
            assert_eq!(canonical.parse(), Ok(graph));
        }
    }

    #[test]
    fn loops_repeated_edges_and_names_with_other_characters_are_refused() {
        for text in
            ["", "graph ", "graph 1-1", "graph 1-2,2-1", "graph a b-c", "graph a-b-c", "grap 1-2"]
        {
            assert!(text.parse::<Network>().is_err(), "{text:?} was taken");
        }
    }
}
