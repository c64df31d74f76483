//! Lists of edges and of neighbours.

use super::reading::{Reading, Words, are_names, content, contents, lines, number, rows, words};
use std::borrow::Cow;
use std::collections::HashSet;

/// The names of the first two columns of tables of edges.
const TITLES: [[&str; 2]; 7] = [
    ["source", "target"],
    ["from", "to"],
    ["node1", "node2"],
    ["vertex1", "vertex2"],
    ["u", "v"],
    ["start", "end"],
    ["head", "tail"],
];

/// True if the first line names the columns of the others: by known words, or by words over
/// numbers. No edge has such a word.
fn has_title(text: &str) -> bool {
    let mut rows = rows(text).map(|(_, words)| words);
    let Some(title) = rows.next().filter(|title| title.len() > 1) else { return false };
    let title = &title[..2];
    let is_known = TITLES
        .iter()
        .any(|known| known.iter().zip(title).all(|(known, word)| word.eq_ignore_ascii_case(known)));
    let mut others = rows.flat_map(|words| words.into_iter().take(2)).peekable();
    let fits = |word: &Cow<'_, str>| number(word).is_some() || is_known && !title.contains(word);
    title.iter().all(|word| word.starts_with(char::is_alphabetic))
        && are_names(title)
        && others.peek().is_some()
        && others.all(|word| fits(&word))
}

/// The rows of a table without its title.
fn table(text: &str) -> impl Iterator<Item = (usize, Words<'_>)> {
    rows(text).skip(usize::from(has_title(text)))
}

/// Adds the vertex or the edge of a line of a list.
fn add(reading: &mut Reading, (line, words): (usize, Words)) -> Result<(), String> {
    reading.line = line;
    match &words[..] {
        [name] => reading.vertex(name).map(drop),
        [one, other] => reading.join(one, other),
        _ => Err("an edge is two names, with blanks or a comma between them".to_owned()),
    }
}

pub(super) fn is_edge_list(text: &str) -> bool {
    table(text).all(|(_, words)| words.len() <= 2 && are_names(&words))
}

/// True if a vertex stands alone whose name may be meant as an edge, such as `0-1`.
pub(super) fn has_dashed_vertex(text: &str) -> bool {
    let names: HashSet<Cow<str>> = table(text).flat_map(|(_, words)| words).collect();
    let is_vertex = |name: &String| names.contains(&**name);
    let is_edge =
        |word: &str| pairs(word).is_some_and(|pairs| pairs.iter().flatten().all(is_vertex));
    table(text).any(|(_, words)| words.len() == 1 && is_edge(&words[0]))
}

pub(super) fn edge_list(text: &str, reading: &mut Reading) -> Result<(), String> {
    table(text).try_for_each(|row| add(reading, row))
}

/// The sizes in the first line, the number of vertices and perhaps of edges, and the number of that
/// line.
fn sizes(text: &str) -> Option<(usize, Vec<usize>)> {
    let (line, words) = rows(text).next()?;
    let sizes = words.iter().map(|word| number(word)).collect::<Option<Vec<_>>>()?;
    Some((line, sizes))
}

/// The sizes and the number of the first line, if it is two numbers.
pub(super) fn both_sizes(text: &str) -> Option<(usize, [usize; 2])> {
    let (line, sizes) = sizes(text)?;
    Some((line, sizes.try_into().ok()?))
}

/// True if the first line can be meant as the number of vertices, and perhaps that of edges: no
/// vertex of the other lines is beyond it, and the number of edges is right, or no vertex of the
/// other lines.
pub(super) fn is_headed(text: &str) -> bool {
    let Some((_, sizes)) = sizes(text) else { return false };
    let edges = || rows(text).skip(1).map(|(_, words)| words);
    let vertices = || edges().flatten().map(|word| number(&word));
    let has_names = || vertices().any(|vertex| vertex.is_none());
    let fits = |most| has_names() || vertices().all(|vertex| vertex <= Some(most));
    let is_met = |number| vertices().any(|vertex| vertex == Some(number));
    edges().next().is_some()
        && edges().all(|words| words.len() == 2)
        && match sizes[..] {
            [most] => fits(most),
            [most, promised] => {
                let is_right = promised == edges().count();
                fits(most) && (is_right || promised > most && !is_met(promised))
            }
            _ => false,
        }
}

pub(super) fn headed(text: &str, reading: &mut Reading) -> Result<(), String> {
    const FORM: &str = "the first line is the number of vertices, and perhaps that of edges";
    let (line, sizes) = sizes(text).ok_or(FORM)?;
    reading.line = line;
    let [vertices, ref promised @ ..] = sizes[..] else { return Err(FORM.to_owned()) };
    let others = || rows(text).skip(1).flat_map(|(_, words)| words);
    if others().all(|word| number(&word).is_some()) {
        let first = usize::from(others().all(|word| number(&word) != Some(0)));
        reading.begin(first, vertices)?;
        // More vertices are not wrong in their lines: the header may be.
        reading.has_all_vertices = false;
    }
    rows(text).skip(1).try_for_each(|row| add(reading, row))?;
    let given = reading.vertices();
    if given != vertices {
        return Err(format!("the file promises {vertices} vertices and has {given}"));
    }
    match promised {
        [] => Ok(()),
        [edges] => reading.check_edges(*edges),
        _ => Err(FORM.to_owned()),
    }
}

pub(super) fn is_weighted(text: &str) -> bool {
    let mut rows = table(text).peekable();
    rows.peek().is_some()
        && rows.all(|(_, words)| words.len() == 3 && words[2].parse::<f64>().is_ok())
}

/// An edge list with a third column, the weights, which do not matter here.
pub(super) fn weighted(text: &str, reading: &mut Reading) -> Result<(), String> {
    for (number, words) in table(text) {
        reading.line = number;
        let [one, other, _] = &words[..] else {
            return Err("an edge with a weight is two names and a number".to_owned());
        };
        reading.join(one, other)?;
    }
    Ok(())
}

/// The edges of a line of pairs of names with a dash, two dashes, or `<->` between them. No name
/// has a dash here.
fn pairs(line: &str) -> Option<Vec<[String; 2]>> {
    let spaced = line.replace("<->", "-").replace("--", "-").replace('-', " - ");
    let words: Vec<&str> = spaced
        .split(|c: char| c.is_whitespace() || ",;".contains(c))
        .filter(|word| !word.is_empty())
        .collect();
    let pair = |words: &[&str]| match *words {
        [one, "-", other] if one != "-" && other != "-" => Some([one.to_owned(), other.to_owned()]),
        _ => None,
    };
    words.chunks(3).map(pair).collect()
}

pub(super) fn are_dashes(text: &str) -> bool {
    let are_pairs = |(_, line)| {
        let is_pair = |pair: [String; 2]| are_names(&pair.map(Cow::Owned));
        pairs(line).is_some_and(|pairs| pairs.into_iter().all(is_pair))
    };
    contents(text).next().is_some() && contents(text).all(are_pairs)
}

pub(super) fn dashes(text: &str, reading: &mut Reading) -> Result<(), String> {
    for (number, line) in contents(text) {
        reading.line = number;
        for [one, other] in pairs(line).ok_or("an edge is two names with a dash between them")? {
            reading.join(&one, &other)?;
        }
    }
    Ok(())
}

/// A vertex and its neighbours: all words of a line, perhaps with a colon after the first.
fn neighbours(line: &str) -> Words<'_> {
    let Some((vertex, others)) = line.split_once(':') else { return words(line) };
    let mut all = words(vertex);
    if all.len() == 1 {
        all.extend(words(others));
        return all;
    }
    // No name has a colon.
    vec![line.into()]
}

/// True if every line is two names and a number, and some number, such as 2.5, is not that of a
/// vertex.
fn has_fractions(text: &str) -> bool {
    is_weighted(text) && table(text).any(|(_, words)| number(&words[2]).is_none())
}

pub(super) fn is_adjacency_list(text: &str) -> bool {
    !has_title(text)
        && !has_fractions(text)
        && contents(text).all(|(_, line)| are_names(&neighbours(line)))
        && contents(text).any(|(_, line)| line.contains(':') || words(line).len() > 2)
}

pub(super) fn adjacency_list(text: &str, reading: &mut Reading) -> Result<(), String> {
    for (number, line) in contents(text) {
        reading.line = number;
        let words = neighbours(line);
        let [vertex, others @ ..] = &words[..] else { continue };
        reading.vertex(vertex)?;
        others.iter().try_for_each(|other| reading.join(vertex, other))?;
    }
    Ok(())
}

/// The lines of the vertices of METIS. That of a vertex without neighbours is empty, unless the
/// lines that are not empty are as many as the vertices.
fn metis_lines(text: &str, header: usize, vertices: usize) -> Option<Vec<(usize, Words<'_>)>> {
    let filled: Vec<_> = rows(text).skip(1).collect();
    if filled.len() == vertices {
        return Some(filled);
    }
    let all = (1..).zip(text.split('\n')).skip(header);
    let mut all = all.map(|(number, line)| (number, words(content(line.trim()))));
    let lines: Vec<_> = all.by_ref().take(vertices).collect();
    (lines.len() == vertices && all.all(|(_, words)| words.is_empty())).then_some(lines)
}

pub(super) fn is_metis(text: &str) -> bool {
    both_sizes(text).is_some_and(|(header, [vertices, _])| {
        vertices > 0 && metis_lines(text, header, vertices).is_some()
    })
}

/// METIS: the numbers of vertices and edges, then for each vertex, from 1, a line of its
/// neighbours.
pub(super) fn metis(text: &str, reading: &mut Reading) -> Result<(), String> {
    let (line, [vertices, edges]) = both_sizes(text)
        .ok_or("the first line of METIS is the numbers of vertices and edges, without weights")?;
    reading.line = line;
    reading.begin(1, vertices)?;
    let Some(lines) = metis_lines(text, line, vertices) else {
        return Err(format!("METIS has a line for each of {vertices} vertices"));
    };
    for (vertex, (number, words)) in (1..).zip(&lines) {
        reading.line = *number;
        words.iter().try_for_each(|other| reading.join(&vertex.to_string(), other))?;
    }
    let given = reading.given();
    if given / 2 != edges || reading.check_edges(edges).is_err() {
        return Err(format!(
            "the file promises {edges} edges, each in the lines of both its vertices, and has \
             {given} neighbours"
        ));
    }
    Ok(())
}

/// The name in a line that begins the neighbours of a vertex in LGL.
fn lgl_vertex(line: &str) -> Option<Words<'_>> {
    line.strip_prefix('#').map(words)
}

/// True if every `#` is followed by a name, and other lines are a name, or a name and a weight
/// under several such headings.
pub(super) fn is_lgl(text: &str) -> bool {
    let (mut headings, mut widest) = (0, 0);
    for (place, (_, line)) in lines(text).enumerate() {
        match lgl_vertex(line) {
            Some(name) if name.len() == 1 => headings += 1,
            None if place > 0 => widest = widest.max(words(line).len()),
            _ => return false,
        }
    }
    headings > 0 && (widest == 1 || widest == 2 && headings > 1)
}

/// LGL of igraph: a line `# NAME`, then a line with each neighbour, and perhaps a weight.
pub(super) fn lgl(text: &str, reading: &mut Reading) -> Result<(), String> {
    const FORM: &str = "LGL has a line `# NAME` before the lines with the neighbours of a vertex";
    let mut vertex = None;
    for (number, line) in lines(text) {
        reading.line = number;
        match (lgl_vertex(line).as_deref(), &vertex) {
            (Some([name]), _) => {
                reading.vertex(name)?;
                vertex = Some(name.clone());
            }
            (None, Some(vertex)) => match &words(line)[..] {
                [other] | [other, _] => reading.join(vertex, other)?,
                _ => return Err(FORM.to_owned()),
            },
            _ => return Err(FORM.to_owned()),
        }
    }
    Ok(())
}
