//! The common part of the readers of graphs: lines, words, and the graph that is read so far.
//!
//! Limits are checked while a file is read, so that a reader never keeps more than the largest
//! graph.

use crate::board::{Network, is_name, not_a_name};
use std::borrow::Cow;
use std::collections::HashMap;

/// A blank within quotation marks, until a name is made of the word.
const QUOTED_BLANK: char = '\u{a0}';

/// The largest number of words of a line that are read. No format has more on a line.
const MOST_WORDS: usize = Network::MOST_VERTICES + 2;

/// The words of a line, without quotation marks.
pub(super) type Words<'a> = Vec<Cow<'a, str>>;

/// The lines that are not empty, each with its number, without blanks around it.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(text.split('\n').map(str::trim));
    lines.filter(|(_, line)| !line.is_empty())
}

/// The words of the lines, without comments after `#` and attributes in braces at the end.
pub(super) fn rows(text: &str) -> impl Iterator<Item = (usize, Words<'_>)> {
    contents(text).map(|(number, line)| (number, words(line)))
}

/// The lines that have a content, each with its number.
pub(super) fn contents(text: &str) -> impl Iterator<Item = (usize, &str)> {
    lines(text).map(|(number, line)| (number, content(line))).filter(|(_, line)| !line.is_empty())
}

/// A line without a comment after `#` and without attributes in braces at its end.
pub(super) fn content(line: &str) -> &str {
    let attributes = line.ends_with('}').then(|| line.find('{')).flatten();
    let line = &line[..attributes.unwrap_or(line.len())];
    line.split('#').next().unwrap_or_default().trim()
}

/// The words of a line, with a comma or with blanks between them. Words with blanks are in
/// quotation marks.
pub(super) fn words(line: &str) -> Words<'_> {
    let unquoted = |word| match str::strip_prefix(word, '"').and_then(|word| word.strip_suffix('"'))
    {
        Some(quoted) => Cow::Owned(quoted.trim().replace(' ', &QUOTED_BLANK.to_string())),
        None => Cow::Borrowed(word),
    };
    if line.contains(',') {
        return line.split(',').take(MOST_WORDS).map(|word| unquoted(word.trim())).collect();
    }
    let (mut words, mut rest) = (Vec::new(), line.trim_start());
    while !rest.is_empty() && words.len() < MOST_WORDS {
        let end = match rest.strip_prefix('"') {
            Some(quoted) => quoted.find('"').map(|end| end + 2),
            None => rest.find(char::is_whitespace),
        };
        let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
        words.push(unquoted(word));
        rest = after.trim_start();
    }
    words
}

/// The number that a word of digits is.
pub(super) fn number(word: &str) -> Option<usize> {
    word.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.parse().ok()).flatten()
}

/// The beginning of a word for a message.
pub(super) fn shown(word: &str) -> String {
    const LONGEST: usize = 40;
    word.chars().take(LONGEST).flat_map(char::escape_debug).collect()
}

fn too_many(things: &str, most: usize) -> String {
    format!("the graph has more than {most} {things}")
}

/// True if all words can be names of vertices.
pub(super) fn are_names(words: &[Cow<'_, str>]) -> bool {
    words.iter().all(|word| is_name(&name(word)))
}

/// The name of a word: blanks become underscores.
fn name(word: &str) -> String {
    word.replace(QUOTED_BLANK, "_")
}

/// The vertices and edges that were read so far.
#[derive(Default)]
pub(super) struct Reading {
    /// The number of the line that is read, or that has a fault.
    pub line: usize,
    /// True if edges do not add vertices.
    pub has_all_vertices: bool,
    names: Vec<String>,
    /// The number of each vertex by its name, and the word that it was first.
    numbers: HashMap<String, (usize, String)>,
    /// The edges in the directions in which they are given, each with its line.
    edges: HashMap<[usize; 2], usize>,
    /// The number of edges, whatever their directions.
    joined: usize,
}

impl Reading {
    /// An empty graph, from a line on.
    pub fn at(line: usize) -> Self {
        Self { line, ..Self::default() }
    }

    /// Begins a graph of `count` vertices, which are numbered from `first`.
    pub fn begin(&mut self, first: usize, count: usize) -> Result<(), String> {
        *self = Self::at(self.line);
        for number in (first..).take(count) {
            self.vertex(&number.to_string())?;
        }
        self.has_all_vertices = true;
        Ok(())
    }

    /// The vertex of a word, which is added unless it is known or all vertices are there.
    pub fn vertex(&mut self, word: &str) -> Result<usize, String> {
        let name = name(word);
        if let Some((number, first)) = self.numbers.get(&name) {
            let clash = || {
                let [first, word] = [first, word].map(|word| word.replace(QUOTED_BLANK, " "));
                format!("the names `{first}` and `{word}` would both become `{name}`")
            };
            return if first == word { Ok(*number) } else { Err(clash()) };
        }
        if self.has_all_vertices {
            let is_number = |name: &&String| name.parse::<u64>().is_ok();
            let ends = self.names.first().zip(self.names.last().filter(is_number));
            let range = ends.map_or(String::new(), |(first, last)| {
                format!(": they are numbered from {first} to {last}")
            });
            return Err(format!("`{}` is not a vertex{range}", shown(word)));
        }
        if !is_name(&name) {
            return Err(not_a_name(&shown(&name)));
        }
        let number = self.names.len();
        if number == Network::MOST_VERTICES {
            return Err(too_many("vertices", Network::MOST_VERTICES));
        }
        self.names.push(name.clone());
        self.numbers.insert(name, (number, word.to_owned()));
        Ok(number)
    }

    /// The number of vertices.
    pub fn vertices(&self) -> usize {
        self.names.len()
    }

    /// Checks that as many edges were given as promised, in one direction or each in both.
    pub fn check_edges(&self, promised: usize) -> Result<(), String> {
        let given = self.given();
        if given == promised || self.joined == promised {
            return Ok(());
        }
        Err(format!("the file promises {promised} edges and has {given}"))
    }

    /// The number of edges that were given.
    pub fn given(&self) -> usize {
        self.edges.len()
    }

    /// Adds the edge from the vertex of a word to that of another.
    pub fn join(&mut self, one: &str, other: &str) -> Result<(), String> {
        let (one, other) = (self.vertex(one)?, self.vertex(other)?);
        self.edge(one, other)
    }

    /// Adds an edge from a vertex to another.
    pub fn edge(&mut self, one: usize, other: usize) -> Result<(), String> {
        if one == other {
            return Err(format!("the edge joins {} to itself", self.names[one]));
        }
        if let Some(first) = self.edges.get(&[one, other]) {
            return Err(self.repeated([one, other], *first));
        }
        if !self.edges.contains_key(&[other, one]) {
            if self.joined == Network::MOST_EDGES {
                return Err(too_many("edges", Network::MOST_EDGES));
            }
            self.joined += 1;
        }
        self.edges.insert([one, other], self.line);
        Ok(())
    }

    fn repeated(&self, [one, other]: [usize; 2], first: usize) -> String {
        let [one, other] = [one, other].map(|vertex| &self.names[vertex]);
        format!("the edge between {one} and {other} is there already, in line {first}")
    }

    /// The graph. If an edge is given in both directions, then all have to be.
    pub fn end(&mut self) -> Result<Network, String> {
        let again = |(&[one, other], &line): (&[usize; 2], &usize)| {
            let back = *self.edges.get(&[other, one])?;
            (back < line || back == line && other < one).then_some((line, [one, other], back))
        };
        if self.joined * 2 != self.edges.len()
            && let Some((line, edge, first)) = self.edges.iter().filter_map(again).min()
        {
            self.line = line;
            let repeated = self.repeated(edge, first);
            return Err(format!("{repeated}: give each edge once, or all in both directions"));
        }
        let edges = self
            .edges
            .keys()
            .filter(|&&[one, other]| one < other || !self.edges.contains_key(&[other, one]));
        let edges = edges.map(|&ends| ends.map(|end| self.names[end].clone()).into());
        Network::new(edges, self.names.iter().cloned()).map_err(|error| error.to_string())
    }
}
