//! Formats of other programs that are not read: each is known by its beginning, and has a command
//! that makes an edge list of it, or another file that is read.

use super::reading::lines;

/// A format that is not read.
pub(super) struct Foreign {
    /// The format in words.
    pub title: &'static str,
    /// True if the first line and the text are those of such a file.
    is: fn(&str, &str) -> bool,
    remedy: Remedy,
}

/// The way to a file that is read, with the vertices that have no edge.
enum Remedy {
    /// A function of networkx reads it.
    Networkx(&'static str),
    /// A line for a shell.
    Shell(&'static str),
}

use Remedy::{Networkx, Shell};

const ALL: [Foreign; 13] = [
    Foreign { title: "DOT of Graphviz", is: is_dot, remedy: Networkx("nx_pydot.read_dot('FILE')") },
    Foreign { title: "GML", is: is_gml, remedy: Networkx("read_gml('FILE', label='id')") },
    Foreign {
        title: "GraphML",
        is: |_, text| text.contains("<graphml"),
        remedy: Networkx("read_graphml('FILE')"),
    },
    Foreign {
        title: "GEXF",
        is: |_, text| text.contains("<gexf"),
        remedy: Networkx("read_gexf('FILE')"),
    },
    Foreign {
        title: "Pajek",
        is: |first, _| first.starts_with('*'),
        remedy: Networkx("read_pajek('FILE')"),
    },
    Foreign {
        title: "LEDA",
        is: |first, _| first == "LEDA.GRAPH",
        remedy: Networkx("read_leda('FILE')"),
    },
    Foreign {
        title: "Matrix Market",
        is: |first, _| first.starts_with("%%MatrixMarket"),
        remedy: Networkx("from_scipy_sparse_array(__import__('scipy.io').io.mmread('FILE'))"),
    },
    Foreign {
        title: "TGF",
        is: is_tgf,
        remedy: Shell(
            "(sed '1,/^#/d' 'FILE' | awk '{ print $1, $2 }'; \
             sed '/^#/,$d' 'FILE' | awk '{ print $1 }') > edges.txt",
        ),
    },
    Foreign {
        title: "Mathematica",
        is: |_, text| text.contains("UndirectedEdge["),
        remedy: Shell(
            r#"python3 -c "import re; [print(*e) for e in re.findall(r'UndirectedEdge\[(\w+), *(\w+)', open('FILE').read())]" > edges.txt"#,
        ),
    },
    Foreign {
        title: "Mathematica",
        is: |first, text| {
            // An object of JSON begins with a name in quotation marks.
            let rules = text.trim_start().strip_prefix("Graph[").unwrap_or(text).trim_start();
            let is_list =
                rules.strip_prefix('{').is_some_and(|in_it| !in_it.trim_start().starts_with('"'));
            first.contains('{') && text.contains("<->") || is_list && text.contains("->")
        },
        remedy: Shell(
            r#"python3 -c "import re; [print(*e) for e in re.findall(r'(\w+) *<?-> *(\w+)', open('FILE').read())]" > edges.txt"#,
        ),
    },
    Foreign {
        title: "a list of pairs in Python",
        is: |first, _| first.starts_with("[("),
        remedy: Shell(
            r#"python3 -c "import ast; [print(*e[:2]) for e in ast.literal_eval(open('FILE').read())]" > edges.txt"#,
        ),
    },
    Foreign {
        title: "a dictionary in Python",
        is: is_dictionary,
        remedy: Shell(
            r#"python3 -c "import ast, json; print(json.dumps({str(v): list(n) for v, n in ast.literal_eval(open('FILE').read()).items()}))" > graph.json"#,
        ),
    },
    Foreign {
        title: "a matrix with the names of its rows and columns",
        is: is_named_matrix,
        remedy: Shell("tail -n +2 'FILE' | cut -d, -f2- > matrix.txt"),
    },
];

/// The format that a text has, if it is none of those that are read.
pub(super) fn of(text: &str) -> Option<&'static Foreign> {
    let (_, first) = lines(text).next()?;
    ALL.iter().find(|format| (format.is)(first, text))
}

impl Foreign {
    /// What to type. FILE stands for the name of the file.
    pub fn remedy(&self) -> String {
        match self.remedy {
            // Ends of lines of DOT become a vertex with a backslash.
            Networkx(read) => format!(
                "to make an edge list of it, without directions, type python3 -c \"import networkx as nx; \
                 g = nx.Graph(nx.{read}); [print(*[str(v).replace(' ', '_') for v in e]) \
                 for e in [*g.edges(), *zip(nx.isolates(g))] if chr(92) not in str(e[0])]\" > edges.txt; or count in Python: \
                 kt_enum.count(graph=nx.Graph(nx.{read}))"
            ),
            Shell(line) => format!("to make a file that is read, type {line}"),
        }
    }
}

/// The first word of a line, in lower case.
fn first_word(line: &str) -> String {
    line.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase()
}

fn is_dot(first: &str, text: &str) -> bool {
    let opens = text.find(['{', '[']).map(|place| &text[place..=place]);
    ["strict", "graph", "digraph"].contains(&&*first_word(first)) && opens == Some("{")
}

fn is_gml(first: &str, text: &str) -> bool {
    let is_head = ["graph", "creator", "version", "comment"].contains(&&*first_word(first));
    is_head && text.split("graph").skip(1).any(|after| after.trim_start().starts_with('['))
}

/// True if a `#` alone divides vertices with their labels from edges.
fn is_tgf(_: &str, text: &str) -> bool {
    lines(text).skip_while(|(_, line)| line.starts_with('#')).any(|(_, line)| line == "#")
}

/// True if the first key of an object is a number without quotation marks.
fn is_dictionary(first: &str, text: &str) -> bool {
    let inside = first.strip_prefix('{').map(|_| text.trim_start()[1..].trim_start());
    inside.is_some_and(|inside| inside.starts_with(|c: char| c.is_ascii_digit() || c == '\''))
}

/// True if the first line is names after an empty cell, and others begin with these names.
fn is_named_matrix(first: &str, text: &str) -> bool {
    let Some(names) = first.strip_prefix(',') else { return false };
    let rows = lines(text).skip(1).map(|(_, line)| line.split(',').next().unwrap_or_default());
    rows.eq(names.split(','))
}
