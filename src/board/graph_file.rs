//! Files of graphs in three formats, recognized from their first lines.
//!
//! - An edge list has a line for each edge, the names of two vertices with blanks or a comma
//!   between them. A line with one name is a vertex, which may have no edges. `#` begins a comment.
//! - DIMACS has a line `p edge N M` or `p col N M`, then a line `e U V` for each of the M edges.
//!   The vertices are 1 to N. Lines that begin with `c` are comments.
//! - graph6 is a line of printable characters, after an optional `>>graph6<<`. The vertices are 0
//!   to N-1.
//!
//! A file is DIMACS if its first line that is not empty and does not begin with the word `c` begins
//! with the word `p` and has at least three words. It is graph6 if its first line is one word
//! without digits, and either the only line or not made of the characters of names. Otherwise it is
//! an edge list.
//!
//! Limits are checked while the file is read, so that a reader never keeps more than the largest
//! graph.

use super::network::{is_name, is_of_name};
use super::{BoardError, Network};
use std::collections::HashMap;

/// A file is not that of a graph.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GraphFileError {
    /// A line is wrong.
    #[error("line {line}: {fault}")]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// The reason.
        fault: GraphFault,
    },
    /// The file is longer than [`Network::LONGEST_FILE`].
    #[error("a file of more than {} bytes is not read as a graph", Network::LONGEST_FILE)]
    TooLong,
    /// The graph as a whole is refused.
    #[error(transparent)]
    Graph(#[from] BoardError),
}

/// The reason why a line of a graph file is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GraphFault {
    /// A line of an edge list has neither one nor two names.
    #[error("an edge is two names, with blanks or a comma between them")]
    Words,
    /// A word cannot be a name.
    #[error("`{0}` is not the name of a vertex: use up to 16 letters, digits and underscores")]
    Name(String),
    /// Both ends of an edge are the same.
    #[error("the edge joins {0} to itself")]
    Loop(String),
    /// The edge is there already.
    #[error("the edge between {one} and {other} is there already, in line {first}")]
    Repeated {
        /// One end.
        one: String,
        /// The other end.
        other: String,
        /// The line of the same edge.
        first: usize,
    },
    /// There are too many vertices.
    #[error("the graph has more than {} vertices", Network::MOST_VERTICES)]
    Vertices,
    /// There are too many edges.
    #[error("the graph has more than {} edges", Network::MOST_EDGES)]
    Edges,
    /// A line of DIMACS has another form.
    #[error("a line of DIMACS is `c ...`, `p edge N M` or `e U V`, and `p` comes first and once")]
    Dimacs,
    /// A vertex of DIMACS is not a number from 1 to the number of vertices.
    #[error("`{word}` is not a vertex: they are numbered from 1 to {vertices}")]
    Vertex {
        /// The word.
        word: String,
        /// The number of vertices.
        vertices: usize,
    },
    /// The number of edges of DIMACS is not the one in the line `p`.
    #[error("the file promises {promised} edges and has {given}")]
    Count {
        /// The number in the line `p`.
        promised: usize,
        /// The number of lines `e`.
        given: usize,
    },
    /// A byte does not occur in graph6.
    ///
    /// The number is its place in the line, from 1.
    #[error("byte {0} is no character of graph6")]
    Byte(usize),
    /// The line is too short or too long for its number of vertices.
    #[error(
        "graph6 of {vertices} vertices has {wanted} characters after their number, not {given}"
    )]
    Length {
        /// The number of vertices.
        vertices: usize,
        /// The number of characters that it needs.
        wanted: usize,
        /// The number of characters.
        given: usize,
    },
    /// The line ends before the number of vertices does.
    #[error("the line ends within the number of vertices")]
    Size,
    /// The bits after the last edge are not zero.
    #[error("the bits after the last pair of vertices are not zero")]
    Padding,
    /// Another graph follows.
    #[error("a second graph: give one graph in a file")]
    Second,
    /// The format is related and not read.
    #[error("{0} is not read: write the graph as graph6 or as a list of edges")]
    Format(&'static str),
}

use GraphFault as F;

impl Network {
    /// The largest number of bytes of a graph file.
    pub const LONGEST_FILE: usize = 1 << 24;

    /// Reads a graph from the bytes of a file: an edge list, DIMACS or graph6.
    ///
    /// ```
    /// use kt_enum::board::Network;
    /// let triangle = Network::read(b"1 2\n2 3\n3 1\n")?;
    /// assert_eq!(triangle.to_string(), "graph 1-2,1-3,2-3");
    /// assert_eq!(Network::read(b"Bw")?.to_string(), "graph 0-1,0-2,1-2");
    /// # Ok::<(), kt_enum::board::GraphFileError>(())
    /// ```
    ///
    /// # Errors
    /// [`GraphFileError`] if the bytes have none of the formats, or no simple graph of a size that
    /// can be counted on.
    pub fn read(bytes: &[u8]) -> Result<Self, GraphFileError> {
        const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
        if bytes.len() > Self::LONGEST_FILE {
            return Err(GraphFileError::TooLong);
        }
        let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        reader(bytes)(bytes)
    }
}

/// The lines that are not empty, each with its number, without blanks around it.
fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let lines = (1..).zip(bytes.split(|&byte| byte == b'\n'));
    lines.map(|(number, line)| (number, line.trim_ascii())).filter(|(_, line)| !line.is_empty())
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// The reader of the format that the first lines show.
fn reader(bytes: &[u8]) -> fn(&[u8]) -> Result<Network, GraphFileError> {
    let first_word = |line: &[u8]| words(line).next().unwrap_or_default().to_owned();
    let problem = lines(bytes).map(|(_, line)| line).find(|line| first_word(line) != b"c");
    if problem.is_some_and(|line| first_word(line) == b"p" && words(line).count() > 2) {
        return dimacs;
    }
    let mut lines = lines(bytes).map(|(_, line)| line);
    let Some(first) = lines.next() else {
        return edge_list;
    };
    let is_word = first.iter().all(|byte| GRAPH6.contains(byte));
    let is_name = first.iter().all(|&byte| is_of_name(byte));
    let is_marked = first.starts_with(b">>") || matches!(first[0], b':' | b'&');
    match is_marked || is_word && (!is_name || lines.next().is_none()) {
        true => graph6,
        false => edge_list,
    }
}

fn wrong(line: usize, fault: GraphFault) -> GraphFileError {
    GraphFileError::Line { line, fault }
}

fn text(word: &[u8]) -> String {
    const LONGEST: usize = 40;
    let word = String::from_utf8_lossy(word);
    word.chars().take(LONGEST).flat_map(char::escape_debug).collect()
}

/// The vertices and edges that were read so far.
#[derive(Default)]
struct Reading {
    names: Vec<String>,
    numbers: HashMap<String, usize>,
    /// The edges as numbers of names, the lower first, each with its line.
    edges: HashMap<(usize, usize), usize>,
}

impl Reading {
    fn vertex(&mut self, name: &[u8]) -> Result<usize, GraphFault> {
        let known = std::str::from_utf8(name).ok().and_then(|name| self.numbers.get(name));
        match known {
            Some(&number) => return Ok(number),
            None if !is_name(name) => return Err(F::Name(text(name))),
            None if self.names.len() == Network::MOST_VERTICES => return Err(F::Vertices),
            None => {}
        }
        let (name, number) = (text(name), self.names.len());
        self.names.push(name.clone());
        self.numbers.insert(name, number);
        Ok(number)
    }

    fn edge(&mut self, one: usize, other: usize, line: usize) -> Result<(), GraphFault> {
        let name = |vertex: usize| self.names[vertex].clone();
        let ends = (one.min(other), one.max(other));
        match self.edges.get(&ends) {
            _ if one == other => Err(F::Loop(name(one))),
            Some(&first) => Err(F::Repeated { one: name(one), other: name(other), first }),
            None if self.edges.len() == Network::MOST_EDGES => Err(F::Edges),
            None => {
                self.edges.insert(ends, line);
                Ok(())
            }
        }
    }

    fn network(self) -> Result<Network, GraphFileError> {
        let name = |vertex: usize| self.names[vertex].clone();
        let edges = self.edges.keys().map(|&(one, other)| (name(one), name(other)));
        Ok(Network::new(edges, self.names.iter().cloned())?)
    }
}

fn edge_list(bytes: &[u8]) -> Result<Network, GraphFileError> {
    let mut reading = Reading::default();
    for (number, line) in lines(bytes) {
        let comment = line.iter().position(|&byte| byte == b'#');
        let line = line[..comment.unwrap_or(line.len())].trim_ascii();
        if line.is_empty() {
            continue;
        }
        let mut add = || match ends(line)? {
            (name, None) => reading.vertex(name).map(|_| ()),
            (one, Some(other)) => {
                let ends = (reading.vertex(one)?, reading.vertex(other)?);
                reading.edge(ends.0, ends.1, number)
            }
        };
        add().map_err(|fault| wrong(number, fault))?;
    }
    reading.network()
}

/// The names in a line of an edge list.
fn ends(line: &[u8]) -> Result<(&[u8], Option<&[u8]>), GraphFault> {
    let mut parts = line.split(|&byte| byte == b',');
    let parts = [parts.next(), parts.next(), parts.next()].map(|part| part.map(<[u8]>::trim_ascii));
    let mut words = words(line);
    let words = [words.next(), words.next(), words.next()];
    match (parts, words) {
        ([Some(one), Some(other), None], _) if !one.is_empty() && !other.is_empty() => {
            Ok((one, Some(other)))
        }
        ([_, None, _], [Some(one), other, None]) => Ok((one, other)),
        _ => Err(F::Words),
    }
}

fn dimacs(bytes: &[u8]) -> Result<Network, GraphFileError> {
    let mut reading = Reading::default();
    let (mut promised, mut given, mut last) = (None, 0, 1);
    for (number, line) in lines(bytes) {
        let words: Vec<&[u8]> = words(line).take(5).collect();
        last = number;
        let fault = match (words.as_slice(), promised) {
            ([b"c", ..], _) => Ok(()),
            ([b"p", b"edge" | b"edges" | b"col", vertices, edges], None) => counts(vertices, edges)
                .map(|(vertices, edges)| {
                    (1..=vertices)
                        .for_each(|name| drop(reading.vertex(name.to_string().as_bytes())));
                    promised = Some(edges);
                }),
            ([b"e", one, other], Some(_)) => {
                given += 1;
                numbered(&reading, one)
                    .and_then(|one| reading.edge(one, numbered(&reading, other)?, number))
            }
            _ => Err(F::Dimacs),
        };
        fault.map_err(|fault| wrong(number, fault))?;
    }
    match promised.unwrap_or(0) {
        promised if promised == given => reading.network(),
        promised => Err(wrong(last, F::Count { promised, given })),
    }
}

/// The numbers of vertices and edges of a line `p`.
fn counts(vertices: &[u8], edges: &[u8]) -> Result<(usize, usize), GraphFault> {
    let (vertices, edges) = number(vertices).zip(number(edges)).ok_or(F::Dimacs)?;
    match () {
        () if vertices > Network::MOST_VERTICES => Err(F::Vertices),
        () if edges > Network::MOST_EDGES => Err(F::Edges),
        () => Ok((vertices, edges)),
    }
}

fn number(word: &[u8]) -> Option<usize> {
    let is_number = word.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(word).ok().filter(|_| is_number)?.parse().ok()
}

/// The number of a vertex of DIMACS in the list of names.
fn numbered(reading: &Reading, word: &[u8]) -> Result<usize, GraphFault> {
    let vertices = reading.names.len();
    let vertex = number(word).filter(|vertex| (1..=vertices).contains(vertex));
    vertex.map(|vertex| vertex - 1).ok_or_else(|| F::Vertex { word: text(word), vertices })
}

/// The characters of graph6, each of which has the value of six bits plus 63.
const GRAPH6: std::ops::RangeInclusive<u8> = 63..=126;

const BITS: usize = 6;

fn graph6(bytes: &[u8]) -> Result<Network, GraphFileError> {
    const HEAD: &[u8] = b">>graph6<<";
    let mut lines = lines(bytes);
    let (mut number, mut line) = lines.next().unwrap_or((1, b""));
    if line == HEAD {
        (number, line) = lines.next().unwrap_or((number, b""));
    }
    let line = line.strip_prefix(HEAD).unwrap_or(line);
    let (vertices, edges) = edges_of_graph6(line).map_err(|fault| wrong(number, fault))?;
    if let Some((number, _)) = lines.next() {
        return Err(wrong(number, F::Second));
    }
    let name = |vertex: usize| vertex.to_string();
    let edges = edges.into_iter().map(|(one, other)| (name(one), name(other)));
    Ok(Network::new(edges, (0..vertices).map(name))?)
}

/// The number of vertices of a line of graph6, and its edges.
fn edges_of_graph6(line: &[u8]) -> Result<(usize, Vec<(usize, usize)>), GraphFault> {
    match line {
        [b':', ..] => return Err(F::Format("sparse6")),
        [b'&', ..] => return Err(F::Format("digraph6")),
        [b'>', b'>', ..] => return Err(F::Format("a format other than graph6 after >>")),
        _ => {}
    }
    if let Some(place) = line.iter().position(|byte| !GRAPH6.contains(byte)) {
        return Err(F::Byte(place + 1));
    }
    let value = |digits: &[u8]| {
        digits.iter().fold(0, |value, digit| value << BITS | usize::from(digit - 63))
    };
    let (size, data) = match line {
        [126, 126, rest @ ..] => rest.split_at_checked(6).ok_or(F::Size)?,
        [126, rest @ ..] => rest.split_at_checked(3).ok_or(F::Size)?,
        _ => line.split_at_checked(1).ok_or(F::Size)?,
    };
    let vertices = value(size);
    if vertices > Network::MOST_VERTICES {
        return Err(F::Vertices);
    }
    let pairs = vertices * vertices.saturating_sub(1) / 2;
    let (wanted, given) = (pairs.div_ceil(BITS), data.len());
    if wanted != given {
        return Err(F::Length { vertices, wanted, given });
    }
    let bit =
        |place: usize| value(&data[place / BITS..=place / BITS]) >> (BITS - 1 - place % BITS) & 1;
    if (pairs..wanted * BITS).any(|place| bit(place) == 1) {
        return Err(F::Padding);
    }
    // The pairs are in the order 0-1, 0-2, 1-2, 0-3, and so on.
    let pairs = (1..vertices).flat_map(|other| (0..other).map(move |one| (one, other)));
    let edges: Vec<(usize, usize)> = (0..)
        .zip(pairs)
        .filter(|&(place, _)| bit(place) == 1)
        .map(|(_, pair)| pair)
        .take(Network::MOST_EDGES + 1)
        .collect();
    match edges.len() > Network::MOST_EDGES {
        true => Err(F::Edges),
        false => Ok((vertices, edges)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// A graph with numbered vertices: their number, and pairs of them.
    fn any_graph(first: usize) -> impl Strategy<Value = (usize, BTreeSet<(usize, usize)>)> {
        (1..80_usize).prop_flat_map(move |vertices| {
            let pair = (first..first + vertices, first..first + vertices);
            let edges = proptest::collection::btree_set(pair, 0..60);
            let upwards = |edges: BTreeSet<(usize, usize)>| {
                edges.into_iter().filter(|(one, other)| one < other).collect()
            };
            (Just(vertices), edges.prop_map(upwards))
        })
    }

    fn network(first: usize, vertices: usize, edges: &BTreeSet<(usize, usize)>) -> Network {
        let edges = edges.iter().map(|(one, other)| (one.to_string(), other.to_string()));
        let names = (first..first + vertices).map(|vertex| vertex.to_string());
        Network::new(edges, names).expect("a simple graph")
    }

    fn graph6_text(vertices: usize, edges: &BTreeSet<(usize, usize)>) -> Vec<u8> {
        let digit = |value: usize| value as u8 + 63;
        let mut text = match vertices {
            0..=62 => vec![digit(vertices)],
            _ => vec![126, digit(vertices >> 12), digit(vertices >> 6 & 63), digit(vertices & 63)],
        };
        let pairs = (1..vertices).flat_map(|other| (0..other).map(move |one| (one, other)));
        let bits: Vec<bool> = pairs.map(|pair| edges.contains(&pair)).collect();
        text.extend(bits.chunks(6).map(|bits| {
            let value = |(place, &bit): (usize, &bool)| usize::from(bit) << (5 - place);
            digit(bits.iter().enumerate().map(value).sum())
        }));
        text
    }

    proptest! {
        #[test]
        fn graphs_read_back_from_every_format(
            (vertices, edges) in any_graph(0),
            marked in any::<bool>(),
            separator in prop::sample::select(vec![" ", "\t", ", ", ","]),
            end in prop::sample::select(vec!["\n", "\r\n"]),
        ) {
            let expected = network(0, vertices, &edges);
            let mut text = if marked { b">>graph6<<".to_vec() } else { Vec::new() };
            text.extend(graph6_text(vertices, &edges));
            prop_assert_eq!(Network::read(&text), Ok(expected.clone()));
            text.extend(end.bytes());
            prop_assert_eq!(Network::read(&text), Ok(expected.clone()));

            let alone = (0..vertices).map(|vertex| format!("{vertex} # a vertex{end}"));
            let lines = edges.iter().map(|(one, other)| format!(" {other}{separator}{one}{end}"));
            let list: String = alone.chain(lines).collect();
            prop_assert_eq!(Network::read(list.as_bytes()), Ok(expected));

            let upwards = |(one, other): &(usize, usize)| (one + 1, other + 1);
            let from_one: BTreeSet<_> = edges.iter().map(upwards).collect();
            let lines = from_one.iter().map(|(one, other)| format!("e {one} {other}{end}"));
            let lines: String = lines.collect();
            let text = format!("c p{end}p edge {vertices} {}{end}{lines}", edges.len());
            let expected = network(1, vertices, &from_one);
            prop_assert_eq!(Network::read(text.as_bytes()), Ok(expected));
        }

        #[test]
        fn any_bytes_are_a_graph_or_refused(
            bytes in proptest::collection::vec(
                prop_oneof![
                    prop::sample::select(b"\n pce,#12ab~?@_".to_vec()),
                    any::<u8>(),
                ],
                0..60,
            ),
        ) {
            if let Ok(network) = Network::read(&bytes) {
                let text = network.to_string();
                prop_assert_eq!(text.parse::<Network>(), Ok(network));
            }
        }
    }

    #[test]
    fn the_format_is_recognized_from_the_first_lines() {
        for (bytes, text) in [
            ("Bw", "graph 0-1,0-2,1-2"),
            ("\u{feff}\n>>graph6<<\nBw\n", "graph 0-1,0-2,1-2"),
            ("@", "graph 0"),
            ("~?@_@", ""),
            ("c d\np q\n", "graph c-d,p-q"),
            ("c a comment\np col 3 1\ne 3 1\n", "graph 1-3,2"),
            ("# a comment\nabc\n", "graph abc"),
            ("abc\nabc-d\n", ""),
            ("Bw\nx Bw\n", "graph Bw-x"),
            ("7", "graph 7"),
            ("a,b # the first\n\nb c", "graph a-b,b-c"),
        ] {
            match Network::read(bytes.as_bytes()) {
                Ok(network) => assert_eq!(network.to_string(), text, "{bytes:?}"),
                Err(error) => assert_eq!(text, "", "{bytes:?}: {error}"),
            }
        }
    }

    #[test]
    fn files_that_are_no_graphs_are_refused_with_the_line() {
        for (bytes, message) in [
            ("", "it has no vertex"),
            ("# nothing\n", "it has no vertex"),
            ("?", "it has no vertex"),
            ("a b\nb b\n", "line 2: the edge joins b to itself"),
            ("a b\n\nb a\n", "line 3: the edge between b and a is there already, in line 1"),
            ("a b c\n", "line 1: an edge is two names"),
            ("a,,b\n", "line 1: an edge is two names"),
            ("a,\n", "line 1: an edge is two names"),
            ("a b,c\n", "line 1: `a b` is not the name of a vertex"),
            ("a-b c\n", "line 1: `a-b` is not the name of a vertex"),
            ("1 2\n3 abcdefghijklmnopq\n", "line 2: `abcdefghijklmnopq` is not the name"),
            ("p edge 3 1\n", "line 1: the file promises 1 edges and has 0"),
            ("p edge 3 1\ne 1 2\ne 1 3\n", "line 3: the file promises 1 edges and has 2"),
            ("p edge 3 1\ne 1 4\n", "line 2: `4` is not a vertex: they are numbered from 1 to 3"),
            ("p edge 3 1\ne 0 1\n", "line 2: `0` is not a vertex"),
            ("p edge 3 2\ne 1 2\ne 2 1\n", "line 3: the edge between 2 and 1 is there already"),
            ("p edge 3 1\np edge 3 1\n", "line 2: a line of DIMACS"),
            ("p edge 3\n", "line 1: a line of DIMACS"),
            ("p cnf 3 1\n", "line 1: a line of DIMACS"),
            ("p edge 1025 1\n", "line 1: the graph has more than 1024 vertices"),
            ("p edge 0 0\n", "it has no vertex"),
            ("p edge -1 0\n", "line 1: a line of DIMACS"),
            ("B", "line 1: graph6 of 3 vertices has 1 characters after their number, not 0"),
            ("Bww", "line 1: graph6 of 3 vertices has 1 characters after their number, not 2"),
            ("Bx", "line 1: the bits after the last pair of vertices are not zero"),
            (">>graph6<<B w", "line 1: byte 2 is no character of graph6"),
            ("~?", "line 1: the line ends within the number of vertices"),
            ("~?OA", "line 1: the graph has more than 1024 vertices"),
            ("~~~~~~~~", "line 1: the graph has more than 1024 vertices"),
            ("D?{\n\nD?{\n", "line 3: a second graph"),
            (":Fa@x^\n", "line 1: sparse6 is not read"),
            (">>sparse6<<:Fa@x^\n", "line 1: a format other than graph6"),
        ] {
            let error = Network::read(bytes.as_bytes()).expect_err(bytes).to_string();
            assert!(error.contains(message), "{bytes:?}: {error}");
        }
    }

    #[test]
    fn graphs_beyond_the_limits_are_refused_in_the_first_line_beyond_them() {
        let path: String =
            (0..1_000_000).map(|vertex| format!("{vertex} {}\n", vertex + 1)).collect();
        let error = Network::read(path.as_bytes()).expect_err("too many vertices");
        assert_eq!(error.to_string(), "line 1024: the graph has more than 1024 vertices");
        let complete = (0..1_024).flat_map(|one| (0..one).map(move |other| (one, other)));
        let complete: String = complete.map(|(one, other)| format!("{one} {other}\n")).collect();
        let error = Network::read(complete.as_bytes()).expect_err("too many edges");
        assert_eq!(error.to_string(), "line 65537: the graph has more than 65536 edges");
        let again = "1 2\n".repeat(1_000_000);
        let error = Network::read(again.as_bytes()).expect_err("the same edge");
        assert!(error.to_string().starts_with("line 2: "), "{error}");
        let long = vec![b'#'; Network::LONGEST_FILE + 1];
        assert_eq!(Network::read(&long), Err(GraphFileError::TooLong));
    }
}
