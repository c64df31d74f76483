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

use crate::board::{Network, colours};
use reading::Reading;
use std::fmt;

/// The most vertices and edges of all graphs of a file together.
const MOST_IN_ALL: usize = 1 << 20;

/// A format of files of graphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GraphFormat(usize);

/// What is known of a format. A new one is a row of [`ROWS`] and a file with its functions.
struct FormatRow {
    /// The name as an option, and in words.
    name: &'static str,
    title: &'static str,
    /// True if a text shows this format beyond doubt.
    is_marked: fn(&str) -> bool,
    /// True if a text has the form of this format.
    fits: fn(&str) -> bool,
    /// True if a reading has to be plausible unless the format is named, because other texts have
    /// the form of this format by chance.
    is_guess: fn(&str) -> bool,
    /// True if a reading counts beside the plausible ones: numbers of vertices and edges that are
    /// right are hardly ever an edge by chance.
    always_counts: fn(&str) -> bool,
    /// True if a fault matters where another reading has this plausibility, because hardly any
    /// other text has this form.
    minds_fault: fn(usize) -> bool,
    /// The parts of a text with a graph each, and the numbers of their first lines.
    parts: fn(&str) -> Vec<(usize, &str)>,
    read: fn(&str, &mut Reading) -> Result<(), String>,
    /// A text in this format, and its first graph.
    #[cfg_attr(not(test), allow(dead_code))]
    example: [&'static str; 2],
}

/// The row of a format to which nothing special applies.
const PLAIN: FormatRow = FormatRow {
    name: "",
    title: "",
    is_marked: |_| false,
    fits: |_| false,
    is_guess: |_| false,
    always_counts: |_| false,
    minds_fault: |_| false,
    parts: |text| vec![(1, text)],
    read: |_, _| Ok(()),
    example: ["", ""],
};

/// All formats. A text that shows several is in the first of them.
static ROWS: [FormatRow; 14] = [
    FormatRow {
        name: "edge-list",
        title: "an edge list",
        fits: lists::is_edge_list,
        is_guess: lists::has_dashed_vertex,
        read: lists::edge_list,
        example: ["a b\nb c\nd\n", "graph a-b,b-c,d"],
        ..PLAIN
    },
    FormatRow {
        name: "header",
        title: "an edge list after a header",
        fits: lists::is_headed,
        is_guess: |_| true,
        always_counts: |text| lists::both_sizes(text).is_some(),
        minds_fault: |best| best < 2,
        read: lists::headed,
        example: ["3 2\n1 2\n1 3\n", "graph 1-2,1-3"],
        ..PLAIN
    },
    FormatRow {
        name: "weights",
        title: "an edge list with weights",
        fits: lists::is_weighted,
        is_guess: |_| true,
        read: lists::weighted,
        example: ["a b 1.5\nb c 2\n", "graph a-b,b-c"],
        ..PLAIN
    },
    FormatRow {
        name: "dashes",
        title: "edges with dashes",
        fits: lists::are_dashes,
        read: lists::dashes,
        example: ["a-b, b-c\n", "graph a-b,b-c"],
        ..PLAIN
    },
    FormatRow {
        name: "adjacency",
        title: "an adjacency list",
        fits: lists::is_adjacency_list,
        is_guess: |text| !text.contains(':'),
        read: lists::adjacency_list,
        example: ["a: b c\nb: c\n", "graph a-b,a-c,b-c"],
        ..PLAIN
    },
    FormatRow {
        name: "metis",
        title: "METIS",
        fits: lists::is_metis,
        is_guess: |_| true,
        always_counts: |_| true,
        read: lists::metis,
        example: ["3 2\n2\n1 3\n2\n", "graph 1-2,2-3"],
        ..PLAIN
    },
    FormatRow {
        name: "matrix",
        title: "a 0/1 matrix",
        fits: marked::is_matrix,
        minds_fault: |best| best < 2,
        read: marked::matrix,
        example: ["011\n101\n110\n", "graph 0-1,0-2,1-2"],
        ..PLAIN
    },
    FormatRow {
        name: "lgl",
        title: "LGL",
        fits: lists::is_lgl,
        minds_fault: |best| best < 2,
        read: lists::lgl,
        example: ["# a\nb 0.5\n# b\nc\n", "graph a-b,b-c"],
        ..PLAIN
    },
    FormatRow {
        name: "dimacs",
        title: "DIMACS",
        is_marked: marked::is_dimacs,
        read: marked::dimacs,
        example: ["p edge 3 2\ne 1 2\ne 2 3\n", "graph 1-2,2-3"],
        ..PLAIN
    },
    FormatRow {
        name: "tsplib",
        title: "TSPLIB",
        is_marked: marked::is_tsplib,
        read: marked::tsplib,
        example: [
            "TYPE : HCP\nDIMENSION : 3\nEDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n1 2\n2 3\n-1\n",
            "graph 1-2,2-3",
        ],
        ..PLAIN
    },
    FormatRow {
        name: "json",
        title: "JSON",
        // Lists of neighbours that are pairs too may have been made either by chance.
        is_marked: |text| marked::is_json(text) && !marked::are_json_lists(text),
        fits: marked::is_json,
        always_counts: |_| true,
        read: marked::json,
        example: [r#"{"edges": [["a", "b"], ["b", "c"]]}"#, "graph a-b,b-c"],
        ..PLAIN
    },
    FormatRow {
        name: "json-lists",
        title: "JSON of lists of neighbours",
        fits: marked::are_json_lists,
        is_guess: marked::may_be_pairs,
        read: marked::json_lists,
        example: ["[[1], [0, 2], [1]]", "graph 0-1,1-2"],
        ..PLAIN
    },
    FormatRow {
        name: "graph6",
        title: "graph6",
        is_marked: |text| graph6::is_marked(text) && !graph6::is_sparse(text),
        fits: |text| graph6::is_six(text) && !graph6::is_sparse(text),
        // A word that is not graph6 may have been cut.
        minds_fault: |best| best == 0,
        parts: graph6::graphs,
        read: graph6::six,
        example: ["Bw\n", "graph 0-1,0-2,1-2"],
        ..PLAIN
    },
    FormatRow {
        name: "sparse6",
        title: "sparse6",
        is_marked: |text| graph6::is_marked(text) && graph6::is_sparse(text),
        parts: graph6::graphs,
        read: graph6::six,
        example: [":Fa@x^\n", "graph 0-1,0-2,1-2,5-6,3,4"],
        ..PLAIN
    },
];

impl GraphFormat {
    /// All formats.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..ROWS.len()).map(Self)
    }

    /// The name as an option, such as `edge-list`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    fn row(self) -> &'static FormatRow {
        &ROWS[self.0]
    }

    fn read(self, text: &str) -> Result<GraphFile, GraphFileError> {
        let wrong = |line, fault| GraphFileError::Line { format: self, line, fault };
        let (mut graphs, mut size) = (Vec::new(), 0);
        for (line, part) in (self.row().parts)(text) {
            let mut reading = Reading::at(line);
            let graph = (self.row().read)(part, &mut reading).and_then(|()| reading.end());
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
        Ok(GraphFile { format: self, graphs })
    }
}

impl fmt::Display for GraphFormat {
    /// Writes the format in words.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.row().title)
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
    /// The file is longer than [`GraphFile::LONGEST`].
    #[error("a file of more than {} bytes is not read as a graph", GraphFile::LONGEST)]
    TooLong,
}

/// All formats in words.
fn formats() -> String {
    ROWS.each_ref().map(|row| row.title).join(", ")
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
    /// The largest number of bytes of a graph file.
    pub const LONGEST: usize = 1 << 23;

    /// Reads the graphs of a file in the format given, or in the one that is recognized.
    ///
    /// ```
    /// # use kt_enum_formats as kt_enum;
    /// use kt_enum::board::{GraphFile, GraphFormat};
    /// let headed = GraphFormat::all().find(|format| format.name() == "header");
    /// let path = GraphFile::read(b"3 2\n1 2\n1 3\n", headed)?;
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
        if bytes.len() > GraphFile::LONGEST {
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
        let marked = || GraphFormat::all().find(|format| (format.row().is_marked)(text));
        match format.or_else(marked) {
            Some(format) => format.read(text),
            None => recognized(text),
        }
    }

    /// 2 if one of the graphs is plausible, 1 if one has edges, otherwise 0.
    fn plausibility(&self) -> usize {
        let of_graph = |graph: &Network| {
            let (_, is_connected) = colours(&graph.neighbours());
            let is_plausible = is_connected && graph.is_without_gaps();
            if graph.edges().is_empty() { 0 } else { 1 + usize::from(is_plausible) }
        };
        self.graphs.iter().map(of_graph).max().unwrap_or(0)
    }
}

/// The most plausible reading of a text in the formats whose form it has.
fn recognized(text: &str) -> Result<GraphFile, GraphFileError> {
    let fits = |format: &GraphFormat| (format.row().fits)(text);
    let (mut files, mut faults) = (Vec::new(), Vec::new());
    for format in GraphFormat::all().filter(fits) {
        match format.read(text) {
            Ok(file) => files.push(file),
            Err(fault) => faults.push((format, fault)),
        }
    }
    if files.is_empty() && faults.is_empty() {
        return GraphFormat(0).read(text).map_err(|error| match error {
            GraphFileError::Line { line, fault, .. } => GraphFileError::Unknown { line, fault },
            error => error,
        });
    }
    let best = files.iter().map(GraphFile::plausibility).max().unwrap_or(0);
    files.retain(|file| file.plausibility() == best || (file.format.row().always_counts)(text));
    faults.retain(|(format, _)| files.is_empty() || (format.row().minds_fault)(best));
    let is_sure = best == 2 || files.iter().any(|file| !(file.format.row().is_guess)(text));
    let agree = files.iter().all(|file| file.graphs == files[0].graphs);
    if files.is_empty() {
        // The last formats are the most special.
        let sure = faults.iter().rposition(|(format, _)| !(format.row().is_guess)(text));
        return Err(faults.swap_remove(sure.unwrap_or(0)).1);
    }
    // What has no edge is hardly ever meant as a graph.
    if is_sure && agree && faults.is_empty() && best > 0 {
        return Ok(files.swap_remove(0));
    }
    let is_alone = files.len() == 1 && faults.is_empty();
    let doubt = if is_alone && best == 1 { ", in parts or with gaps in its numbers" } else { "" };
    let read = files.iter().map(|file| (file.format, file.to_string() + doubt));
    let faults = faults.iter().map(|(format, fault)| (*format, fault.to_string()));
    let (formats, readings): (_, Vec<String>) = read.chain(faults).unzip();
    Err(GraphFileError::Unsure { formats, readings: readings.join("; or ") })
}

impl fmt::Display for GraphFile {
    /// Writes the format and the sizes of the graph.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}, ", self.format)?;
        match &self.graphs[..] {
            [] => out.write_str("no graph"),
            [graph] => out.write_str(&graph.sizes()),
            [first, ..] => {
                write!(out, "{} graphs, the first of {}", self.graphs.len(), first.sizes())
            }
        }
    }
}

#[cfg(test)]
mod tests;
