use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// A graph with numbered vertices: their number, and pairs of them, the lower first.
type Numbered = (usize, BTreeSet<(usize, usize)>);

/// A graph of a few vertices or many, with few edges or most.
fn any_graph() -> impl Strategy<Value = Numbered> {
    let vertices = prop_oneof![9 => 2..14_usize, 1 => 60..70_usize];
    (vertices, 0..4_usize).prop_flat_map(|(vertices, density)| {
        let pair = (0..vertices, 0..vertices);
        let edges = proptest::collection::btree_set(pair, 0..=vertices * density);
        let upwards = |edges: BTreeSet<(usize, usize)>| {
            edges.into_iter().filter(|(one, other)| one < other).collect()
        };
        (Just(vertices), edges.prop_map(upwards))
    })
}

/// The graph with vertices that are numbered from `first`.
fn network(first: usize, (vertices, edges): &Numbered) -> Network {
    let name = |vertex: usize| (first + vertex).to_string();
    let edges = edges.iter().map(|&(one, other)| (name(one), name(other)));
    Network::new(edges, (0..*vertices).map(name)).expect("a simple graph")
}

fn digit(value: usize) -> char {
    char::from(value as u8 + 63)
}

fn size(vertices: usize) -> String {
    match vertices {
        0..=62 => digit(vertices).to_string(),
        _ => ['~', digit(vertices >> 12), digit(vertices >> 6 & 63), digit(vertices & 63)]
            .iter()
            .collect(),
    }
}

fn six_bits(bits: &[bool], fill: bool) -> String {
    let value = |bits: &[bool]| {
        (0..6).fold(0, |value, place| value << 1 | usize::from(*bits.get(place).unwrap_or(&fill)))
    };
    bits.chunks(6).map(|bits| digit(value(bits))).collect()
}

fn graph6((vertices, edges): &Numbered) -> String {
    let pairs = (1..*vertices).flat_map(|other| (0..other).map(move |one| (one, other)));
    let bits: Vec<bool> = pairs.map(|pair| edges.contains(&pair)).collect();
    size(*vertices) + &six_bits(&bits, false)
}

/// sparse6 as nauty's `format.txt` describes it.
fn sparse6((vertices, edges): &Numbered) -> String {
    let width = (0..).find(|width| (vertices - 1) >> width == 0).expect("few vertices");
    let mut bits = Vec::new();
    let mut push = |is_next: bool, vertex: usize| {
        bits.push(is_next);
        bits.extend((0..width).rev().map(|place| vertex >> place & 1 == 1));
    };
    let mut pointer = 0;
    let mut by_higher: Vec<_> = edges.iter().map(|&(one, other)| (other, one)).collect();
    by_higher.sort_unstable();
    for (other, one) in by_higher {
        if other > pointer + 1 {
            push(true, other);
            pointer = other;
            push(false, one);
        } else {
            push(other > pointer, one);
            pointer = other;
        }
    }
    // All bits set would be an edge to the last vertex if there are as many vertices as numbers.
    let left = (6 - bits.len() % 6) % 6;
    if width < 6 && *vertices == 1 << width && left > width && pointer + 2 == *vertices {
        bits.push(false);
    }
    format!(":{}{}", size(*vertices), six_bits(&bits, true))
}

fn named(name: &str) -> Option<GraphFormat> {
    GraphFormat::all().find(|format| format.name() == name)
}

#[test]
fn the_example_of_each_format_is_recognized_or_read_if_the_format_is_named() {
    for format in GraphFormat::all() {
        let [text, graph] = format.row().example;
        let read = |format| GraphFile::read(text.as_bytes(), format);
        let file = read(Some(format)).expect(text);
        assert_eq!(file.graphs[0].to_string(), graph, "{format:?}");
        match read(None) {
            Ok(recognized) => assert_eq!(recognized, file),
            Err(GraphFileError::Unsure { formats, .. }) => assert!(formats.contains(&format)),
            Err(error) => panic!("{format:?}: {error}"),
        }
    }
}

/// The lines of a graph in a format, with vertices that are numbered from `first`.
fn written(format: GraphFormat, first: usize, graph: &Numbered) -> String {
    let (vertices, edges) = graph;
    let pairs = |between: &str, before: &str, after: &str| -> String {
        let line = |(one, other): &(usize, usize)| {
            format!("{before}{}{between}{}{after}\n", first + other, first + one)
        };
        edges.iter().map(line).collect()
    };
    let all = || first..first + vertices;
    let alone: String = all().map(|vertex| format!("{vertex}\n")).collect();
    let around = |vertex: usize| {
        let other = move |&(one, other): &(usize, usize)| match (one == vertex, other == vertex) {
            (true, _) => Some(first + other),
            (_, true) => Some(first + one),
            _ => None,
        };
        edges.iter().filter_map(other)
    };
    let lists = |name: &dyn Fn(usize) -> String, between: &str, least: usize| -> String {
        let line = |vertex: usize| {
            let others = around(vertex).filter(|&other| other >= least.min(1) * (first + vertex));
            let others: Vec<String> = others.map(|other| other.to_string()).collect();
            name(first + vertex) + &others.join(between) + "\n"
        };
        (0..*vertices).map(line).collect()
    };
    match format.name() {
        "edge-list" => format!("# a list\n{alone}{}", pairs(" ", "", " {'weight': 3}")),
        "header" => format!("{vertices} {}\n{}", edges.len(), pairs("\t", " ", "")),
        "weights" => pairs(",", "", ",0.5"),
        "dashes" => pairs("-", "", ""),
        "adjacency" => lists(&|name| format!("{name}: "), ", ", 0),
        "metis" => {
            format!("{vertices} {}\n{}", edges.len(), lists(&|_| String::new(), " ", 0))
        }
        "matrix" => {
            let entry = |one: usize, other: usize| {
                if edges.contains(&(one.min(other), one.max(other))) { '1' } else { '0' }
            };
            let row = |one| (0..*vertices).map(|other| entry(one, other)).collect::<String>();
            (0..*vertices).map(|one| row(one) + "\n").collect()
        }
        "lgl" => lists(&|name| format!("# {name}\n"), "\n", 1),
        "dimacs" => {
            format!("c p\np edge {vertices} {}\n{}", edges.len(), pairs(" ", "e ", ""))
        }
        "tsplib" => format!(
            "NAME : x\nTYPE : HCP\nDIMENSION : {vertices}\nEDGE_DATA_FORMAT: EDGE_LIST\n\
             EDGE_DATA_SECTION\n{}-1\nEOF\n",
            pairs(" ", "", "")
        ),
        "json" => {
            let nodes: Vec<String> = all().map(|id| format!("{{\"id\": {id}}}")).collect();
            let line = |(one, other): &(usize, usize)| {
                format!("{{\"source\": {}, \"target\": {}}}", first + one, first + other)
            };
            let links: Vec<String> = edges.iter().map(line).collect();
            format!("{{\"nodes\": [{}], \"links\": [{}]}}", nodes.join(","), links.join(","))
        }
        "json-lists" => {
            let list = |vertex| {
                let others: Vec<String> = around(vertex).map(|other| other.to_string()).collect();
                format!("[{}]", others.join(","))
            };
            format!("[{}]", (0..*vertices).map(list).collect::<Vec<_>>().join(",\n"))
        }
        "graph6" => graph6(graph) + "\n",
        "sparse6" => sparse6(graph) + "\n",
        other => panic!("write {other} here too"),
    }
}

/// The number of the first vertex where a format has it.
fn first_of(format: GraphFormat) -> usize {
    match format.name() {
        "metis" | "dimacs" | "tsplib" => 1,
        _ => 0,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn a_graph_in_any_format_reads_back_if_the_format_is_named(
        graph in any_graph(),
        end in prop::sample::select(vec!["\n", "\r\n"]),
    ) {
        for format in GraphFormat::all() {
            let name = format.name();
            let first = first_of(format);
            let text = written(format, first, &graph).replace('\n', end);
            let read = GraphFile::read(text.as_bytes(), Some(format));
            let met = graph.1.iter().flat_map(|&(one, other)| [one, other]).collect::<BTreeSet<_>>();
            let covers = met.len() == graph.0;
            // These cannot say that a vertex has no edge, or how many there are, or have a line
            // that is empty.
            let is_whole = match format.name() {
                "weights"
                | "header"
                | "metis"
                | "dashes" => covers,
                "json-lists" => !graph.1.is_empty(),
                _ => true,
            };
            if is_whole {
                let graphs = read.map(|file| (file.format, file.graphs));
                prop_assert_eq!(graphs, Ok((format, vec![network(first, &graph)])), "{} {}", name, text);
            }
        }
    }

    #[test]
    fn a_connected_graph_is_recognized_in_any_format_or_refused_as_unsure(
        graph in any_graph(),
        end in prop::sample::select(vec!["\n", "\r\n"]),
    ) {
        let (vertices, mut edges) = graph;
        edges.extend((1..vertices).map(|vertex| (vertex - 1, vertex)));
        let graph = (vertices, edges);
        for format in GraphFormat::all() {
            let name = format.name();
            let first = first_of(format);
            let text = written(format, first, &graph).replace('\n', end);
            match GraphFile::read(text.as_bytes(), None) {
                Ok(file) => prop_assert_eq!(file.graphs, vec![network(first, &graph)], "{} {}", name, text),
                // A header or weights may be meant as something else.
                Err(GraphFileError::Unsure { formats, .. }) => {
                    prop_assert!(formats.contains(&format), "{} {}", name, text);
                    prop_assert!((format.row().is_guess)(&text), "{} {}", name, text);
                }
                Err(error) => prop_assert!(false, "{} {} {}", name, text, error),
            }
        }
    }

    #[test]
    fn any_text_is_graphs_or_refused_in_every_format(
        words in proptest::collection::vec(
            prop_oneof![
                prop::sample::select(vec![
                    "\n", " ", "1", "2", "3", "a", ":", ",", "#", "# a", "p edge 2 1\n", "e 1 2", "{}", "\"a b\"",
                    "NAME : x\n", "DIMENSION : 3\n", "EDGE_DATA_SECTION\n", "[[0,1]]", "{\"edges\":[[1,2]]}",
                    "01\n10\n", ":Bn", "Bw", ">>graph6<<", "~?@", "2 1\n", "10 15\n", "-1", "EOF", "é", "\u{a0}",
                ]).prop_map(|word| word.as_bytes().to_vec()),
                proptest::collection::vec(any::<u8>(), 1..3),
            ],
            0..30,
        ),
    ) {
        let bytes = words.concat();
        let formats = GraphFormat::all().map(Some);
        for format in formats.into_iter().chain([None]) {
            match GraphFile::read(&bytes, format) {
                Ok(file) => for graph in file.graphs {
                    prop_assert_eq!(graph.to_string().parse::<Network>(), Ok(graph));
                },
                Err(error) => prop_assert!(!error.to_string().is_empty()),
            }
        }
    }
}

/// The edges of Petersen's graph.
fn petersen() -> Vec<[usize; 2]> {
    let text = include_str!("../../../../tests/golden/graphs/petersen.txt");
    let numbers: Vec<usize> =
        text.split_whitespace().map(|number| number.parse().expect("a number")).collect();
    numbers.chunks(2).map(|ends| [ends[0], ends[1]]).collect()
}

#[test]
fn headers_are_recognized_or_refused_but_never_edges() {
    let list = |first: usize, count: usize| -> String {
        petersen()[..count]
            .iter()
            .map(|[one, other]| format!("{} {}\n", one + first, other + first))
            .collect()
    };
    let all = [list(0, 15), list(1, 15)];
    for header in ["", "10\n", "10 15\n", "# 10 15\n", "Source,Target\n", "from to\n"] {
        for (first, edges) in all.iter().enumerate() {
            let text = format!("{header}{edges}");
            let file = GraphFile::read(text.as_bytes(), None).expect(&text);
            let edges = petersen().into_iter();
            let edges = edges.map(|ends| ends.map(|end| (end + first).to_string()).into());
            assert_eq!(file.graphs, [Network::new(edges, []).expect("a graph")], "{text}");
        }
    }
    // A file that was cut, a wrong header, and a list that is nothing but edges.
    for (text, formats) in [
        (format!("10 15\n{}", list(1, 14)), "header"),
        (format!("10 15\n{}", list(0, 14)), "header"),
        (format!("12\n{}", list(0, 15)), "header"),
        ("3 2\n1 2\n1 3\n".to_owned(), "header"),
        ("4 5\n1 2\n1 3\n2 3\n2 4\n3 4\n".to_owned(), "header"),
        ("0 1 4\n1 2 3\n".to_owned(), "adjacency"),
        ("5\n0 1\n1 2\n".to_owned(), "header"),
        // Graphs that are not connected, and that are in another format.
        ("5 4\n3 2\n2 5\n2 1\n5 1\n".to_owned(), "header"),
        ("4 3\n2 3\n1 3\n1 2\n\n".to_owned(), "metis"),
        ("1 2 2.5\n3 4 2.5\n".to_owned(), "weights"),
        ("a b 1.5\nb c 1.5\nd e 1.5\n".to_owned(), "weights"),
        ("a b c\nd e f\n".to_owned(), "adjacency"),
    ] {
        match GraphFile::read(text.as_bytes(), None) {
            Err(GraphFileError::Unsure { formats: unsure, readings }) => {
                assert!(unsure.iter().any(|format| format.name() == formats), "{text}: {readings}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn a_vertex_of_metis_without_neighbours_has_an_empty_line() {
    for (text, graph) in [
        ("4 3\n2 3\n1 3\n1 2\n\n", "graph 1-2,1-3,2-3,4"),
        ("4 3\n2 3\n1 3\n1 2\n", "graph 1-2,1-3,2-3,4"),
        ("4 2\n4\n\n4\n1 3\n\n\n", "graph 1-4,3-4,2"),
        ("1 0\n\n", "graph 1"),
        ("3 2\n\n2\n\n1 3\n\n2\n", "graph 1-2,2-3"),
    ] {
        let file = GraphFile::read(text.as_bytes(), named("metis")).expect(text);
        assert_eq!(file.graphs[0].to_string(), graph, "{text:?}");
    }
    let longer = GraphFile::read(b"2 1\n2\n1\n1\n", named("metis"));
    assert!(longer.is_err(), "{longer:?}");
}

#[test]
fn the_format_is_recognized_from_the_text() {
    for (text, format, graph) in [
        ("Bw", "graph6", "graph 0-1,0-2,1-2"),
        ("\u{feff}\n>>graph6<<\nBw\n", "graph6", "graph 0-1,0-2,1-2"),
        (":Fa@x^\n", "sparse6", "graph 0-1,0-2,1-2,5-6,3,4"),
        ("c d\np q\n", "edge-list", "graph c-d,p-q"),
        ("0 1 {'a': 'x#y', 'b': 2}\n1 2 {}\n", "edge-list", "graph 0-1,1-2"),
        ("c a comment\np col 3 1\ne 3 1\n", "dimacs", "graph 1-3,2"),
        ("Bw\nx Bw\n", "edge-list", "graph Bw-x"),
        ("a,b # the first\n\nb c", "edge-list", "graph a-b,b-c"),
        ("a b\nb a\nb c\nc b\n", "edge-list", "graph a-b,b-c"),
        ("a b\nnode-3\n", "edge-list", "graph a-b,node-3="),
        ("0-1\n1-2 # the last\n", "dashes", "graph 0-1,1-2"),
        ("a-b\nc-d\n", "dashes", "graph a-b,c-d"),
        ("0 -- 1; 1--2;\n0 <-> 2\n", "dashes", "graph 0-1,0-2,1-2"),
        ("a-1 a-2\na-2 b-2\n", "edge-list", "graph a-1=a-2,a-2=b-2"),
        ("[[1], [0]]", "json-lists", "graph 0-1"),
        ("[[2], [1, 3, 4], [2], [2]]", "json-lists", "graph 1-2,2-3,2-4"),
        ("[[1], [0], []]", "json-lists", "graph 0-1,2"),
        ("[[0, 1], [1, 2], [2, 3]]", "json", "graph 0-1,1-2,2-3"),
        ("\"New York\" Saint-\u{c9}tienne\n", "edge-list", "graph New_York=Saint-\u{c9}tienne"),
        ("x.1,\u{3b2}\n", "edge-list", "graph x.1-\u{3b2}"),
        ("Source,Target,Weight\n0,1,2\n1,2,2\n", "weights", "graph 0-1,1-2"),
        ("a: b c\nb: c\nc:\n", "adjacency", "graph a-b,a-c,b-c"),
        ("0 1 2 3\n1 2\n2\n3\n", "adjacency", "graph 0-1,0-2,0-3,1-2"),
        ("4 4\n2 4\n1 3\n2 4\n1 3\n", "metis", "graph 1-2,1-4,2-3,3-4"),
        ("0 1 1\n1 0 1\n1 1 0\n", "matrix", "graph 0-1,0-2,1-2"),
        ("011\n101\n110\n", "matrix", "graph 0-1,0-2,1-2"),
        ("# 0\n1 0.5\n2 1.5\n# 1\n2 2.5\n", "lgl", "graph 0-1,0-2,1-2"),
        ("{\"a\": [\"b\", \"c\"], \"b\": [\"c\"]}", "json", "graph a-b,a-c,b-c"),
        ("[[0, 1, 1], [1, 0, 1], [1, 1, 0]]", "json", "graph 0-1,0-2,1-2"),
        ("{\"nodes\": [{}, {}], \"links\": [{\"source\": 0, \"target\": 1}]}", "json", "graph 0-1"),
        (
            "{\"nodes\": [\"a\u{a0}b\", \"c\"], \"edges\": [[\"a\u{a0}b\", \"c\"]]}",
            "json",
            "graph a_b-c",
        ),
    ] {
        match GraphFile::read(text.as_bytes(), None) {
            Ok(file) => {
                let graphs: Vec<String> = file.graphs.iter().map(Network::to_string).collect();
                assert_eq!(
                    (file.format.name(), &graphs[..]),
                    (format, &[graph.to_owned()][..]),
                    "{text:?}"
                );
            }
            Err(error) => assert_eq!(graph, "", "{text:?}: {error}"),
        }
    }
}

/// Petersen's graph as the neighbours of each vertex in turn.
const LISTS: &str = include_str!("../../../../tests/golden/graphs/petersen-listlist.py");

#[test]
fn what_can_be_two_graphs_or_is_one_without_an_edge_is_refused_with_what_it_may_be() {
    for (text, formats) in [
        // A hexagon as lists, two triangles as pairs.
        ("[[1,5],[0,2],[1,3],[2,4],[3,5],[4,0]]", &["json", "json-lists"][..]),
        (LISTS, &["json", "json-lists"]),
        // A triangle, or a vertex `0-1` with two neighbours.
        ("0-1 1-2 2-0\n", &["dashes", "adjacency"]),
        ("0-1 1-2\n", &["edge-list", "dashes"]),
        // An edge, or a vertex `0-1` that stands alone.
        ("0 1\n2-0\n1 2\n3 4\n", &["edge-list"]),
        ("7", &["edge-list"]),
        ("# a comment\nabc\n", &["edge-list"]),
        ("@", &["graph6"]),
        ("00\n00\n", &["edge-list", "matrix"]),
    ] {
        match GraphFile::read(text.as_bytes(), None) {
            Err(GraphFileError::Unsure { formats: unsure, readings }) => {
                let names: Vec<&str> = unsure.iter().map(|format| format.name()).collect();
                assert_eq!(names, formats, "{text}: {readings}");
                for format in unsure {
                    assert!(GraphFile::read(text.as_bytes(), Some(format)).is_ok(), "{text}");
                }
            }
            other => panic!("{text}: {other:?}"),
        }
    }
    let lists = GraphFile::read(LISTS.as_bytes(), named("json-lists")).expect("lists");
    let edges = petersen().into_iter().map(|ends| ends.map(|end| end.to_string()).into());
    assert_eq!(lists.graphs, [Network::new(edges, []).expect("a graph")]);
}

#[test]
fn formats_that_are_not_read_are_named_with_what_to_do() {
    for (text, title) in [
        ("graph G {\n  a -- b;\n}\n", "DOT"),
        ("strict digraph {\n  a -> b\n}\n", "DOT"),
        ("graph [\n  node [\n    id 1\n  ]\n]\n", "GML"),
        ("Creator \"igraph\"\nVersion 1\ngraph\n[\n]\n", "GML"),
        ("<?xml version='1.0'?>\n<graphml xmlns=\"x\">\n", "GraphML"),
        ("<gexf version=\"1.2\">\n", "GEXF"),
        ("*Vertices 3\n1 \"a\"\n*Edges\n1 2\n", "Pajek"),
        ("LEDA.GRAPH\nstring\nint\n-2\n", "LEDA"),
        ("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 1\n2 1\n", "Matrix Market"),
        ("1 January\n2 March\n#\n1 2\n", "TGF"),
        ("{UndirectedEdge[1, 2], UndirectedEdge[2, 3]}", "Mathematica"),
        ("Graph[{1 <-> 2, 2 <-> 3}]", "Mathematica"),
        ("{1->2, 2->3}", "Mathematica"),
        ("[(0, 1), (1, 2)]", "pairs in Python"),
        ("{0: [1, 2], 1: [0], 2: [0]}", "dictionary in Python"),
        (",a,b\na,0,1\nb,1,0\n", "matrix with the names"),
    ] {
        let error = GraphFile::read(text.as_bytes(), None).expect_err(text);
        assert!(matches!(error, GraphFileError::Foreign { .. }), "{text}: {error}");
        let error = error.to_string();
        assert!(error.contains(title) && error.contains("'FILE'"), "{text}: {error}");
    }
}

#[test]
fn texts_that_are_not_graphs_are_refused_with_the_line() {
    for (text, message) in [
        ("", "it has no vertex"),
        ("# nothing\n", "line 1: this is not a graph to count on: it has no vertex"),
        ("?", "it has no vertex"),
        ("a b\nb b\n", "line 2: the edge joins b to itself (read as an edge list)"),
        ("a b\n\nb a\nb c\n", "line 3: the edge between b and a is there already, in line 1: give"),
        ("a b\na b\n", "line 2: the edge between a and b is there already, in line 1"),
        ("a,,b\n", "line 1: an edge is two names"),
        ("a b,c\n", "line 1: `a b` is not the name of a vertex"),
        ("1 2, 3 4\n", "line 1: `1 2` is not the name of a vertex"),
        ("-ab c\n", "line 1: `-ab` is not the name of a vertex"),
        ("1 2\n3 abcdefghijklmnopqrstuvwxyzabc\n", "is not the name"),
        ("New_York x\n\"New York\" y\n", "the names `New_York` and `New York` would both become"),
        ("0 1 {'a', 2\n1 2\n", "is not the name of a vertex"),
        ("<graph>\n", "line 1: `<graph>` is not the name"),
        ("\u{0}\u{1} \u{2}", "`\\0\\u{1}` is not the name"),
        ("c edges alone\ne 1 2\ne 2 3\n", "line 2: a line of DIMACS"),
        ("{\"nodes\": [{\"id\": \"a -> b\"}]}", "read as JSON"),
        ("p edge 3 1\n", "line 1: the file promises 1 edges and has 0 (read as DIMACS)"),
        ("p edge 3 1\ne 1 2\ne 1 3\n", "line 3: the file promises 1 edges and has 2"),
        ("p edge 3 1\ne 1 4\n", "line 2: `4` is not a vertex: they are numbered from 1 to 3"),
        ("p edge 3 1\ne 0 1\n", "line 2: `0` is not a vertex"),
        ("p edge 3 1\np edge 3 1\n", "line 2: a line of DIMACS"),
        ("p edge 3 x\n", "line 1: a line of DIMACS"),
        ("p cnf 3 1\n", "line 1: a line of DIMACS"),
        ("p edge 1025 1\n", "line 1: the graph has more than 1024 vertices"),
        ("p edge 0 0\n", "it has no vertex"),
        ("B", "line 1: graph6 of 3 vertices has 1 characters after their number, not 0"),
        (
            ">>graph6<<Bww",
            "line 1: graph6 of 3 vertices has 1 characters after their number, not 2",
        ),
        (">>graph6<<Bx", "line 1: the bits after the last pair of vertices are not zero"),
        (">>graph6<<B w", "line 1: character 2 is none of graph6 or sparse6"),
        (">>graph6<<~?", "line 1: the line ends within the number of vertices"),
        (">>graph6<<~?OA", "line 1: the graph has more than 1024 vertices"),
        (">>graph6<<~~~~~~~~", "line 1: the graph has more than 1024 vertices"),
        ("D?{\n\nD?\n", "line 3: graph6 of 5 vertices has 2 characters"),
        ("&C~\n", "line 1: digraph6"),
        (":Fa@x\n", "line 1: the bits after the last edge are not ones"),
        ("TYPE : TSP\nDIMENSION : 3\n", "line 1: of TSPLIB, files of TYPE : HCP are read"),
        ("NAME : x\nDIMENSION : 2\nEDGE_DATA_SECTION\n1 3\n", "line 4: `3` is not a vertex"),
        (
            "0110\n1010\n1101\n0000\n",
            "line 3: the matrix is not symmetric: row 3 has a 1 in column 4",
        ),
        ("011\n10\n110\n", "line 2: row 2 of the matrix has 2 entries, and there are 3 rows"),
        ("{\"edges\": [[0, 1]\n", "line 2: this is not JSON"),
        ("[[]]\n", "line 1: JSON of a graph is a list of pairs"),
        ("[]\n", "line 1: this is not a graph to count on: it has no vertex"),
        ("{\"nodes\": [1], \"links\": [{\"source\": 1, \"target\": 2}]}", "`2` is not a vertex"),
        ("{\"directed\": true, \"edges\": [[0, 1]]}", "a directed graph is not counted on"),
    ] {
        let error = GraphFile::read(text.as_bytes(), None).expect_err(text).to_string();
        assert!(error.contains(message), "{text:?}: {error}");
    }
    let error = GraphFile::read(b"!Vertices 3 x\n", None).expect_err("no format").to_string();
    assert!(error.ends_with("graph6, sparse6") && error.contains("METIS"), "{error}");
    assert_eq!(GraphFile::read(b"a b\n\xff", None), Err(GraphFileError::NotText(2)));
}

#[test]
fn graphs_beyond_the_limits_are_refused_in_the_first_line_beyond_them() {
    let path: String = (0..100_000).map(|vertex| format!("{vertex} {}\n", vertex + 1)).collect();
    let error = GraphFile::read(path.as_bytes(), None).expect_err("too many vertices").to_string();
    assert!(error.starts_with("line 1024: the graph has more than 1024 vertices"), "{error}");
    let complete = (0..1_024).flat_map(|one| (0..one).map(move |other| (one, other)));
    let complete: String = complete.map(|(one, other)| format!("{one} {other}\n")).collect();
    let error = GraphFile::read(complete.as_bytes(), None).expect_err("too many edges").to_string();
    assert!(error.starts_with("line 65537: the graph has more than 65536 edges"), "{error}");
    let again = "1 2\n".repeat(100_000);
    let error = GraphFile::read(again.as_bytes(), None).expect_err("the same edge").to_string();
    assert!(error.starts_with("line 2: "), "{error}");
    let many = ":~?O?\n".repeat(1_100);
    let error = GraphFile::read(many.as_bytes(), None).expect_err("too many graphs").to_string();
    assert!(error.contains("divide the file"), "{error}");
    let long = vec![b'#'; GraphFile::LONGEST + 1];
    assert_eq!(GraphFile::read(&long, None), Err(GraphFileError::TooLong));
}
