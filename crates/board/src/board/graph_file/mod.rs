//! Files of graphs in many formats, recognized from the whole text.
//!
//! A few formats say what they are in their first line. For the others, every format that the text
//! has the form of is tried. A reading is *plausible* if it has edges, connects all vertices, and
//! leaves out no number where all names are numbers. If the plausible readings agree, the graph is
//! theirs. Two that differ are refused, and so is a guess that is not plausible: the caller has to
//! name the format. A header whose numbers of vertices and edges are both right counts beside the
//! plausible readings even if its graph is not connected. So the first line of a list is never
//! taken for an edge when it is likely to be a header, and never for a header when it can be an
//! edge.

mod foreign;
mod graph6;
mod lists;
mod marked;
mod reading;

use super::Network;
use super::ground::colours;
use reading::Reading;
use std::fmt;

/// The most vertices and edges of all graphs of a file together.
const MOST_IN_ALL: usize = 1 << 20;

/// A format of files of graphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GraphFormat {
    /// An edge on each line, or a vertex that may have no edges.
    EdgeList,
    /// The number of vertices, and perhaps of edges, before an edge list.
    Headed,
    /// An edge list with a weight on each line.
    Weighted,
    /// Pairs of names with a dash between them.
    Dashes,
    /// A vertex and its neighbours on each line.
    Adjacency,
    /// The numbers of vertices and edges, then the neighbours of each vertex in turn.
    Metis,
    /// Rows of zeros and ones.
    Matrix,
    /// igraph's lines with a neighbour each, under headings `# NAME`.
    Lgl,
    /// Lines `p edge N M` and `e U V`.
    Dimacs,
    /// Hamiltonian cycle problems of TSPLIB.
    Tsplib,
    /// Lists of pairs, or objects with nodes and edges.
    Json,
    /// A JSON list with the neighbours of each vertex in turn.
    JsonLists,
    /// A graph on each line, as characters of six bits for pairs of vertices.
    Graph6,
    /// A graph on each line, as characters of six bits for edges.
    Sparse6,
}

use GraphFormat::{
    Adjacency, Dashes, Dimacs, EdgeList, Graph6, Headed, Json, JsonLists, Lgl, Matrix, Metis,
    Sparse6, Tsplib, Weighted,
};

impl GraphFormat {
    /// All formats with their names as options and in words.
    pub const NAMED: [(Self, &'static str, &'static str); 14] = [
        (EdgeList, "edge-list", "an edge list"),
        (Headed, "header", "an edge list after a header"),
        (Weighted, "weights", "an edge list with weights"),
        (Dashes, "dashes", "edges with dashes"),
        (Adjacency, "adjacency", "an adjacency list"),
        (Metis, "metis", "METIS"),
        (Matrix, "matrix", "a 0/1 matrix"),
        (Lgl, "lgl", "LGL"),
        (Dimacs, "dimacs", "DIMACS"),
        (Tsplib, "tsplib", "TSPLIB"),
        (Json, "json", "JSON"),
        (JsonLists, "json-lists", "JSON of lists of neighbours"),
        (Graph6, "graph6", "graph6"),
        (Sparse6, "sparse6", "sparse6"),
    ];

    /// The name as an option.
    pub fn name(self) -> &'static str {
        Self::NAMED[self as usize].1
    }

    /// True if a text shows this format beyond doubt.
    fn is_marked(self, text: &str) -> bool {
        match self {
            Dimacs => marked::is_dimacs(text),
            Tsplib => marked::is_tsplib(text),
            Json => marked::is_json(text),
            Graph6 => graph6::is_marked(text),
            _ => false,
        }
    }

    /// True if a text has the form of this format.
    fn fits(self, text: &str) -> bool {
        match self {
            EdgeList => lists::is_edge_list(text),
            Headed => lists::is_headed(text),
            Weighted => lists::is_weighted(text),
            Dashes => lists::are_dashes(text),
            Adjacency => lists::is_adjacency_list(text),
            Metis => lists::is_metis(text),
            Matrix => marked::is_matrix(text),
            Lgl => lists::is_lgl(text),
            JsonLists => marked::are_json_lists(text),
            Graph6 => graph6::is_six(text),
            Dimacs | Tsplib | Json | Sparse6 => false,
        }
    }

    /// True if a reading has to be plausible unless the format is named, because other texts have
    /// the form of this format by chance.
    fn is_guess(self, text: &str) -> bool {
        matches!(self, Headed | Weighted | Metis | JsonLists)
            || self == Adjacency && !text.contains(':')
    }

    /// True if a text that can be read in this format begins with its numbers of vertices and
    /// edges.
    fn is_right_header(self, text: &str) -> bool {
        self == Metis || self == Headed && lists::has_both_sizes(text)
    }

    /// The format itself, or the one of graph6 and sparse6 that the first graph has.
    fn named_by(self, text: &str) -> Self {
        match self {
            Graph6 | Sparse6 if graph6::is_sparse(text) => Sparse6,
            Graph6 | Sparse6 => Graph6,
            other => other,
        }
    }

    fn read(self, text: &str) -> Result<GraphFile, GraphFileError> {
        let read = match self {
            EdgeList => lists::edge_list,
            Headed => lists::headed,
            Weighted => lists::weighted,
            Dashes => lists::dashes,
            Adjacency => lists::adjacency_list,
            Metis => lists::metis,
            Matrix => marked::matrix,
            Lgl => lists::lgl,
            Dimacs => marked::dimacs,
            Tsplib => marked::tsplib,
            Json => marked::json,
            JsonLists => marked::json_lists,
            Graph6 | Sparse6 => graph6::six,
        };
        let parts = match self {
            Graph6 | Sparse6 => graph6::graphs(text).collect(),
            _ => vec![(1, text)],
        };
        let wrong = |line, fault| GraphFileError::Line { format: self, line, fault };
        let (mut graphs, mut size) = (Vec::new(), 0);
        for (line, part) in parts {
            let mut reading = Reading::at(line);
            let graph = read(part, &mut reading).and_then(|()| reading.end());
            let graph = graph.map_err(|fault| wrong(reading.line, fault))?;
            size += graph.names().len() + graph.edges().len();
            if size > MOST_IN_ALL {
                let fault = format!(
                    "the graphs up to here have more than {MOST_IN_ALL} vertices and edges: divide \
                     the file"
                );
                return Err(wrong(line, fault));
            }
            graphs.push(graph);
        }
        if graphs.is_empty() {
            let last = reading::lines(text).last().map_or(1, |(line, _)| line);
            return Err(wrong(last, "there is no graph".to_owned()));
        }
        Ok(GraphFile { format: self.named_by(text), graphs })
    }
}

impl fmt::Display for GraphFormat {
    /// Writes the format in words.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(Self::NAMED[*self as usize].2)
    }
}

/// A file is not that of a graph.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GraphFileError {
    /// A line is wrong.
    #[error("line {line}: {fault} (read as {format})")]
    Line {
        /// The format that the text has the form of, or that was named.
        format: GraphFormat,
        /// The number of the line, from 1.
        line: usize,
        /// The reason in words.
        fault: String,
    },
    /// The text has the form of no format.
    #[error("line {line}: {fault}; the formats of graphs are {}", formats())]
    Unknown {
        /// The number of the first line that is not one of an edge list.
        line: usize,
        /// The reason in words.
        fault: String,
    },
    /// The text is in a format that is not read.
    #[error("this is {title}, which is not read: {remedy}")]
    Foreign {
        /// The format in words.
        title: &'static str,
        /// What to type, where FILE stands for the name of the file.
        remedy: String,
    },
    /// The text has the form of several formats, or of one that other texts have by chance.
    #[error("the format is not sure: this may be {readings}")]
    Unsure {
        /// The formats.
        formats: Vec<GraphFormat>,
        /// The formats with their graphs in words.
        readings: String,
    },
    /// The bytes are not text in UTF-8.
    #[error("line {0} is not text in UTF-8; the formats of graphs are {formats}", formats = formats())]
    NotText(usize),
    /// The file is longer than [`Network::LONGEST_FILE`].
    #[error("a file of more than {} bytes is not read as a graph", Network::LONGEST_FILE)]
    TooLong,
    /// There are several graphs where one is wanted.
    #[error("the file has {0} graphs")]
    Several(usize),
}

/// All formats in words.
fn formats() -> String {
    let titles = GraphFormat::NAMED.map(|(.., title)| title);
    titles.join(", ")
}

/// The graphs of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphFile {
    /// The format that was recognized.
    pub format: GraphFormat,
    /// The graphs, of which graph6 and sparse6 may have several, and other formats have one.
    pub graphs: Vec<Network>,
}

impl GraphFile {
    /// Reads the graphs of a file in the format given, or in the one that is recognized.
    ///
    /// ```
    /// # use kt_enum_board as kt_enum;
    /// use kt_enum::board::{GraphFile, GraphFormat};
    /// let path = GraphFile::read(b"3 2\n1 2\n1 3\n", Some(GraphFormat::Headed))?;
    /// assert_eq!(path.to_string(), "an edge list after a header, 3 vertices and 2 edges");
    /// assert!(GraphFile::read(b"3 2\n1 2\n1 3\n", None).is_err(), "it may be a triangle");
    /// # Ok::<(), kt_enum::board::GraphFileError>(())
    /// ```
    ///
    /// # Errors
    /// [`GraphFileError`] if the bytes have none of the formats, or of two that differ, or no
    /// simple graph of a size that can be counted on. A graph without an edge is refused unless its
    /// format is beyond doubt.
    pub fn read(bytes: &[u8], format: Option<GraphFormat>) -> Result<Self, GraphFileError> {
        const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
        if bytes.len() > Network::LONGEST_FILE {
            return Err(GraphFileError::TooLong);
        }
        let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let before = &bytes[..error.valid_up_to()];
            GraphFileError::NotText(1 + before.iter().filter(|&&byte| byte == b'\n').count())
        })?;
        if let Some(foreign) = foreign::of(text).filter(|_| format.is_none()) {
            let (title, remedy) = (foreign.title, foreign.remedy());
            return Err(GraphFileError::Foreign { title, remedy });
        }
        let mut formats = GraphFormat::NAMED.into_iter().map(|(format, ..)| format);
        match format.or_else(|| formats.clone().find(|format| format.is_marked(text))) {
            Some(Json) if format.is_none() && JsonLists.fits(text) => pairs_or_lists(text),
            Some(format) => format.read(text),
            None => recognized(text, formats.by_ref().filter(|format| format.fits(text)).collect()),
        }
    }

    /// 2 if one of the graphs is plausible, 1 if one has edges, otherwise 0.
    fn plausibility(&self) -> usize {
        let of_graph = |graph: &Network| {
            let (_, is_connected) = colours(&graph.neighbours());
            if graph.edges().is_empty() {
                0
            } else {
                1 + usize::from(is_connected && graph.is_without_gaps())
            }
        };
        self.graphs.iter().map(of_graph).max().unwrap_or(0)
    }
}

/// A JSON list whose lists can be the neighbours of each vertex. If they are pairs too, chance may
/// have made either.
fn pairs_or_lists(text: &str) -> Result<GraphFile, GraphFileError> {
    match (Json.read(text), JsonLists.read(text)) {
        (Ok(pairs), Ok(lists)) if pairs.graphs != lists.graphs => Err(unsure(&[pairs, lists], &[])),
        (_, Ok(lists)) => Ok(lists),
        (pairs, _) => pairs,
    }
}

fn unsure(files: &[GraphFile], faults: &[(GraphFormat, GraphFileError)]) -> GraphFileError {
    let read = files.iter().map(|file| (file.format, file.to_string()));
    let all = read.chain(faults.iter().map(|(format, fault)| (*format, fault.to_string())));
    let (formats, readings): (_, Vec<String>) = all.unzip();
    GraphFileError::Unsure { formats, readings: readings.join("; or ") }
}

/// The most plausible reading of a text in the formats whose form it has.
fn recognized(text: &str, formats: Vec<GraphFormat>) -> Result<GraphFile, GraphFileError> {
    if formats.is_empty() {
        return EdgeList.read(text).map_err(|error| match error {
            GraphFileError::Line { line, fault, .. } => GraphFileError::Unknown { line, fault },
            error => error,
        });
    }
    let (mut files, mut faults) = (Vec::new(), Vec::new());
    for &format in &formats {
        match format.read(text) {
            Ok(file) => files.push(file),
            Err(fault) => faults.push((format, fault)),
        }
    }
    let best = files.iter().map(GraphFile::plausibility).max().unwrap_or(0);
    // An edge is hardly ever, by chance, the right numbers of vertices and edges.
    files.retain(|file| file.plausibility() == best || file.format.is_right_header(text));
    // A fault matters where hardly any other text has this form. A word that is not graph6 may have
    // been cut.
    faults.retain(|(format, _)| match format {
        _ if files.is_empty() => true,
        Headed | Matrix | Lgl => best < 2,
        Graph6 => best == 0,
        _ => false,
    });
    let is_sure = best == 2 || files.iter().any(|file| !file.format.is_guess(text));
    let agree = files.iter().all(|file| file.graphs == files[0].graphs);
    if files.is_empty() && !faults.is_empty() {
        // The last formats are the most special.
        let sure = faults.iter().rposition(|(format, _)| !format.is_guess(text));
        return Err(faults.swap_remove(sure.unwrap_or(0)).1);
    }
    // What has no edge is hardly ever meant as a graph.
    if is_sure && agree && faults.is_empty() && best > 0 {
        return Ok(files.swap_remove(0));
    }
    Err(unsure(&files, &faults))
}

impl fmt::Display for GraphFile {
    /// Writes the format and the sizes of the graph.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counted = |count: usize, thing: &str, things: &str| {
            format!("{count} {}", if count == 1 { thing } else { things })
        };
        let size = |graph: &Network| {
            let edges = counted(graph.edges().len(), "edge", "edges");
            format!("{} and {edges}", counted(graph.names().len(), "vertex", "vertices"))
        };
        match &self.graphs[..] {
            [graph] => write!(out, "{}, {}", self.format, size(graph)),
            [first, ..] => {
                let (format, count) = (self.format, self.graphs.len());
                write!(out, "{format}, {count} graphs, the first of {}", size(first))
            }
            [] => write!(out, "{}, no graph", self.format),
        }
    }
}

impl Network {
    /// The largest number of bytes of a graph file.
    pub const LONGEST_FILE: usize = 1 << 23;

    /// Reads the one graph of a file, whose format is recognized.
    ///
    /// ```
    /// # use kt_enum_board as kt_enum;
    /// use kt_enum::board::Network;
    /// let triangle = Network::read(b"1 2\n2 3\n3 1\n")?;
    /// assert_eq!(triangle.to_string(), "graph 1-2,1-3,2-3");
    /// assert_eq!(Network::read(b"Bw")?.to_string(), "graph 0-1,0-2,1-2");
    /// # Ok::<(), kt_enum::board::GraphFileError>(())
    /// ```
    ///
    /// # Errors
    /// [`GraphFileError`] as [`GraphFile::read`], and if there are several graphs.
    pub fn read(bytes: &[u8]) -> Result<Self, GraphFileError> {
        let mut graphs = GraphFile::read(bytes, None)?.graphs;
        let count = graphs.len();
        match graphs.pop() {
            Some(graph) if count == 1 => Ok(graph),
            _ => Err(GraphFileError::Several(count)),
        }
    }
}

#[cfg(test)]
mod tests;
