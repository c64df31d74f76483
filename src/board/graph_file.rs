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

use super::network::{is_name, is_of_name, not_a_name};
use super::{BoardError, Network};
use std::collections::{BTreeSet, HashMap};

/// A file is not that of a graph.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GraphFileError {
    /// A line is wrong.
    #[error("line {line}: {fault}")]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// The reason in words.
        fault: String,
    },
    /// The file is longer than [`Network::LONGEST_FILE`].
    #[error("a file of more than {} bytes is not read as a graph", Network::LONGEST_FILE)]
    TooLong,
    /// The graph as a whole is refused.
    #[error(transparent)]
    Graph(#[from] BoardError),
}

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
        let mut line = 1;
        let read = reader(bytes)(bytes, &mut line);
        let Reading { names, edges } =
            read.map_err(|fault| GraphFileError::Line { line, fault })?;
        Ok(Self::new(edges.into_keys().map(<(String, String)>::from), names)?)
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

/// A reader of one format. It keeps the number of the line that it reads, and returns a fault of
/// that line in words.
type Reader = fn(&[u8], &mut usize) -> Result<Reading, String>;

/// The reader of the format that the first lines show.
fn reader(bytes: &[u8]) -> Reader {
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

fn text(word: &[u8]) -> String {
    const LONGEST: usize = 40;
    let word = String::from_utf8_lossy(word);
    word.chars().take(LONGEST).flat_map(char::escape_debug).collect()
}

fn too_many(things: &str, most: usize) -> String {
    format!("the graph has more than {most} {things}")
}

/// The vertices and edges that were read so far.
#[derive(Default)]
struct Reading {
    names: BTreeSet<String>,
    /// The edges as names of vertices, the lower first, each with its line.
    edges: HashMap<[String; 2], usize>,
}

impl Reading {
    fn vertex(&mut self, name: &[u8]) -> Result<String, String> {
        let text = text(name);
        if !is_name(name) {
            return Err(not_a_name(&text));
        }
        if !self.names.contains(&text) {
            if self.names.len() == Network::MOST_VERTICES {
                return Err(too_many("vertices", Network::MOST_VERTICES));
            }
            self.names.insert(text.clone());
        }
        Ok(text)
    }

    fn edge(&mut self, one: String, other: String, line: usize) -> Result<(), String> {
        let mut ends = [one.clone(), other.clone()];
        ends.sort_unstable();
        match self.edges.get(&ends) {
            _ if one == other => Err(format!("the edge joins {one} to itself")),
            Some(first) => {
                Err(format!("the edge between {one} and {other} is there already, in line {first}"))
            }
            None if self.edges.len() == Network::MOST_EDGES => {
                Err(too_many("edges", Network::MOST_EDGES))
            }
            None => {
                self.edges.insert(ends, line);
                Ok(())
            }
        }
    }
}

fn edge_list(bytes: &[u8], at: &mut usize) -> Result<Reading, String> {
    let mut reading = Reading::default();
    for (number, line) in lines(bytes) {
        *at = number;
        let line = line.split(|&byte| byte == b'#').next().unwrap_or_default().trim_ascii();
        let names: Vec<&[u8]> = match line.contains(&b',') {
            true => line.split(|&byte| byte == b',').map(<[u8]>::trim_ascii).take(3).collect(),
            false => words(line).take(3).collect(),
        };
        match names[..] {
            [] => {}
            [name] => drop(reading.vertex(name)?),
            [one, other] if !one.is_empty() && !other.is_empty() => {
                let (one, other) = (reading.vertex(one)?, reading.vertex(other)?);
                reading.edge(one, other, number)?;
            }
            _ => return Err("an edge is two names, with blanks or a comma between them".to_owned()),
        }
    }
    Ok(reading)
}

fn dimacs(bytes: &[u8], at: &mut usize) -> Result<Reading, String> {
    let form = "a line of DIMACS is `c ...`, `p edge N M` or `e U V`, and `p` comes first and once";
    let mut reading = Reading::default();
    let (mut promised, mut given) = (None, 0);
    for (line_number, line) in lines(bytes) {
        *at = line_number;
        let words: Vec<&[u8]> = words(line).take(5).collect();
        match (words.as_slice(), promised) {
            ([b"c", ..], _) => {}
            ([b"p", b"edge" | b"edges" | b"col", vertices, edges], None) => {
                let (vertices, edges) = number(vertices).zip(number(edges)).ok_or(form)?;
                if vertices > Network::MOST_VERTICES {
                    return Err(too_many("vertices", Network::MOST_VERTICES));
                }
                if edges > Network::MOST_EDGES {
                    return Err(too_many("edges", Network::MOST_EDGES));
                }
                reading.names.extend((1..=vertices).map(|vertex| vertex.to_string()));
                promised = Some(edges);
            }
            ([b"e", one, other], Some(_)) => {
                given += 1;
                let most = reading.names.len();
                let vertex = |word: &[u8]| match number(word) {
                    Some(vertex) if (1..=most).contains(&vertex) => Ok(vertex.to_string()),
                    _ => Err(format!(
                        "`{}` is not a vertex: they are numbered from 1 to {most}",
                        text(word)
                    )),
                };
                reading.edge(vertex(one)?, vertex(other)?, line_number)?;
            }
            _ => return Err(form.to_owned()),
        }
    }
    match promised.unwrap_or(0) {
        promised if promised == given => Ok(reading),
        promised => Err(format!("the file promises {promised} edges and has {given}")),
    }
}

fn number(word: &[u8]) -> Option<usize> {
    let is_number = word.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(word).ok().filter(|_| is_number)?.parse().ok()
}

/// The characters of graph6, each of which has the value of six bits plus 63.
const GRAPH6: std::ops::RangeInclusive<u8> = 63..=126;

const BITS: usize = 6;

fn graph6(bytes: &[u8], at: &mut usize) -> Result<Reading, String> {
    const HEAD: &[u8] = b">>graph6<<";
    let mut lines = lines(bytes);
    let mut line: &[u8];
    (*at, line) = lines.next().unwrap_or((1, b""));
    if line == HEAD {
        (*at, line) = lines.next().unwrap_or((*at, b""));
    }
    let reading = graph_of(line.strip_prefix(HEAD).unwrap_or(line), *at)?;
    match lines.next() {
        None => Ok(reading),
        Some((number, _)) => {
            *at = number;
            Err("a second graph: give one graph in a file".to_owned())
        }
    }
}

/// The graph of a line of graph6.
fn graph_of(line: &[u8], number: usize) -> Result<Reading, String> {
    let related = match line {
        [b':', ..] => "sparse6",
        [b'&', ..] => "digraph6",
        [b'>', b'>', ..] => "a format other than graph6 after >>",
        _ => "",
    };
    if !related.is_empty() {
        return Err(format!(
            "{related} is not read: write the graph as graph6 or as a list of edges"
        ));
    }
    if let Some(place) = line.iter().position(|byte| !GRAPH6.contains(byte)) {
        return Err(format!("byte {} is no character of graph6", place + 1));
    }
    let (size, data) = match line {
        [126, 126, rest @ ..] => rest.split_at_checked(6),
        [126, rest @ ..] => rest.split_at_checked(3),
        _ => line.split_at_checked(1),
    }
    .ok_or("the line ends within the number of vertices")?;
    let vertices =
        size.iter().fold(0, |value, digit| value << BITS | usize::from(digit - GRAPH6.start()));
    if vertices > Network::MOST_VERTICES {
        return Err(too_many("vertices", Network::MOST_VERTICES));
    }
    let pairs = vertices * vertices.saturating_sub(1) / 2;
    let (wanted, given) = (pairs.div_ceil(BITS), data.len());
    if wanted != given {
        return Err(format!(
            "graph6 of {vertices} vertices has {wanted} characters after their number, not {given}"
        ));
    }
    let mut bits = data.iter().flat_map(|digit| {
        (0..BITS).rev().map(move |place| (digit - GRAPH6.start()) >> place & 1 == 1)
    });
    if bits.clone().skip(pairs).any(|is_set| is_set) {
        return Err("the bits after the last pair of vertices are not zero".to_owned());
    }
    let mut reading = Reading::default();
    reading.names.extend((0..vertices).map(|vertex| vertex.to_string()));
    // The pairs are in the order 0-1, 0-2, 1-2, 0-3, and so on.
    for (one, other) in (1..vertices).flat_map(|other| (0..other).map(move |one| (one, other))) {
        if bits.next() == Some(true) {
            reading.edge(one.to_string(), other.to_string(), number)?;
        }
    }
    Ok(reading)
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
