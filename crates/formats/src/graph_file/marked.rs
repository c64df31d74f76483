//! Formats whose lines say what they are: DIMACS, TSPLIB and JSON; and matrices.

use super::reading::{Reading, contents, lines, number, shown, words};
use crate::board::Network;
use serde_json::Value;

fn split(line: &str) -> Vec<&str> {
    line.split_whitespace().take(5).collect()
}

/// True if the first line that is not a comment is the `p` line of DIMACS.
pub(super) fn is_dimacs(text: &str) -> bool {
    let mut lines = lines(text).map(|(_, line)| split(line)).filter(|words| words[0] != "c");
    let Some(first) = lines.next() else { return false };
    // Lines `e 1 2` alone lack their `p`, and are no edges of a vertex `e`.
    let is_edge = |words: &Vec<&str>| {
        words.len() == 3 && words[0] == "e" && words[1..].iter().all(|word| number(word).is_some())
    };
    first[0] == "p" && first.len() > 2 || is_edge(&first) && lines.all(|words| is_edge(&words))
}

pub(super) fn dimacs(text: &str, reading: &mut Reading) -> Result<(), String> {
    const FORM: &str =
        "a line of DIMACS is `c ...`, `p edge N M` or `e U V`, and `p` comes first and once";
    let mut promised = None;
    for (line_number, line) in lines(text) {
        reading.line = line_number;
        match (split(line).as_slice(), promised) {
            (["c", ..], _) => {}
            (["p", "edge" | "edges" | "col", vertices, edges], None) => {
                let (vertices, edges) = number(vertices).zip(number(edges)).ok_or(FORM)?;
                reading.begin(1, vertices)?;
                promised = Some(edges);
            }
            (["e", one, other], Some(_)) => reading.join(one, other)?,
            _ => return Err(FORM.to_owned()),
        }
    }
    reading.check_edges(promised.ok_or(FORM)?)
}

/// The keyword and the value of a line `KEYWORD : VALUE` of TSPLIB.
fn entry(line: &str) -> Option<(&str, &str)> {
    let (keyword, value) = line.split_once(':')?;
    Some((keyword.trim(), value.trim()))
}

/// True if the first line is an entry of TSPLIB.
pub(super) fn is_tsplib(text: &str) -> bool {
    const FIRST: [&str; 5] = ["NAME", "TYPE", "COMMENT", "DIMENSION", "EDGE_DATA_FORMAT"];
    let first = lines(text).next().and_then(|(_, line)| entry(line));
    first.is_some_and(|(keyword, _)| FIRST.contains(&keyword))
}

pub(super) fn tsplib(text: &str, reading: &mut Reading) -> Result<(), String> {
    const FORM: &str = "of TSPLIB, files of TYPE : HCP are read, with DIMENSION : N, \
                        EDGE_DATA_FORMAT : EDGE_LIST and an EDGE_DATA_SECTION of two numbers on \
                        each line";
    let (mut is_section, mut is_over) = (false, false);
    for (line_number, line) in lines(text) {
        reading.line = line_number;
        match split(line)[..] {
            ["EOF"] => break,
            ["-1"] if is_section => is_over = true,
            _ if is_over => return Err(FORM.to_owned()),
            ["EDGE_DATA_SECTION"] if reading.vertices() > 0 => is_section = true,
            [one, other] if is_section => reading.join(one, other)?,
            _ => match entry(line) {
                Some(("NAME" | "COMMENT", _) | ("TYPE", "HCP")) => {}
                Some(("EDGE_DATA_FORMAT", "EDGE_LIST")) => {}
                Some(("DIMENSION", vertices)) if !is_section => {
                    reading.begin(1, number(vertices).ok_or(FORM)?)?;
                }
                _ => return Err(FORM.to_owned()),
            },
        }
    }
    if is_section { Ok(()) } else { Err(FORM.to_owned()) }
}

/// The entries of a row of a matrix, if they are 0 and 1.
fn entries(line: &str) -> Option<Vec<bool>> {
    let words = words(line);
    let digits = words.iter().flat_map(|word| word.chars()).take(Network::MOST_VERTICES + 1);
    digits.map(|digit| Some(digit.to_digit(2)? == 1)).collect()
}

/// True if all lines are zeros and ones, as many in the first as there are lines.
pub(super) fn is_matrix(text: &str) -> bool {
    let first = contents(text).next().and_then(|(_, line)| entries(line));
    first.is_some_and(|first| first.len() == contents(text).count())
        && contents(text).all(|(_, line)| entries(line).is_some())
}

pub(super) fn matrix(text: &str, reading: &mut Reading) -> Result<(), String> {
    let (mut rows, mut lines) = (Vec::new(), Vec::new());
    for (number, line) in contents(text).take(Network::MOST_VERTICES + 1) {
        reading.line = number;
        let row = entries(line).ok_or("a matrix has zeros and ones, with or without blanks")?;
        rows.push(row);
        lines.push(number);
    }
    add_rows(&rows, &lines, reading)
}

/// Adds the vertices and edges of a matrix, of which each row may have a line of its own.
fn add_rows(rows: &[Vec<bool>], lines: &[usize], reading: &mut Reading) -> Result<(), String> {
    reading.begin(0, rows.len())?;
    for (one, row) in rows.iter().enumerate() {
        reading.line = lines.get(one).copied().unwrap_or(reading.line);
        if row.len() != rows.len() {
            return Err(format!(
                "row {} of the matrix has {} entries, and there are {} rows",
                one + 1,
                row.len(),
                rows.len()
            ));
        }
        for other in (0..row.len()).filter(|&other| row[other]) {
            if !rows[other].get(one).copied().unwrap_or(false) {
                return Err(format!(
                    "the matrix is not symmetric: row {} has a 1 in column {}, but not the reverse",
                    one + 1,
                    other + 1
                ));
            }
            reading.edge(one, other)?;
        }
    }
    Ok(())
}

/// True if the text begins as JSON does. So does graph6 of 28 or 60 vertices, which has no commas,
/// and more than brackets.
pub(super) fn is_json(text: &str) -> bool {
    let is_empty = || text.trim().trim_start_matches(['{', '[', '}', ']']).is_empty();
    text.trim_start().starts_with(['{', '[']) && (text.contains(['"', ',']) || is_empty())
}

const JSON: &str = "JSON of a graph is a list of pairs, rows of a matrix, an object of lists of \
                    neighbours, or an object with `edges` or `links`, and perhaps `nodes`";

pub(super) fn json(text: &str, reading: &mut Reading) -> Result<(), String> {
    let value: Value = serde_json::from_str(text).map_err(|error| {
        reading.line = error.line().max(1);
        format!("this is not JSON: {error}")
    })?;
    let object = match &value {
        Value::Array(rows) => return add_list(rows, reading),
        Value::Object(object) => object,
        _ => return Err(JSON.to_owned()),
    };
    if object.get("directed").is_some_and(|directed| *directed == true) {
        return Err("a directed graph is not counted on".to_owned());
    }
    let nodes = object.get("nodes").and_then(Value::as_array);
    for (place, node) in nodes.into_iter().flatten().enumerate() {
        let id = if node.is_object() { node.get("id") } else { Some(node) };
        // Nodes without names are meant by their places.
        reading.vertex(&id.map_or(Ok(place.to_string()), name)?)?;
    }
    if let Some(edges) = object.get("edges").or_else(|| object.get("links")) {
        reading.has_all_vertices = reading.vertices() > 0;
        return add_list(edges.as_array().ok_or(JSON)?, reading);
    }
    for (vertex, neighbours) in object {
        reading.vertex(vertex)?;
        for other in neighbours.as_array().ok_or(JSON)? {
            reading.join(vertex, &name(other)?)?;
        }
    }
    Ok(())
}

/// The number of the first vertex, and the neighbours of each in turn, with every edge in the lists
/// of both its ends. `None` if a text is anything else.
fn lists(text: &str) -> Option<(usize, Vec<Vec<usize>>)> {
    let lists: Vec<Vec<usize>> = serde_json::from_str(text).ok()?;
    let (least, most) = (lists.iter().flatten().min()?, lists.iter().flatten().max()?);
    let first = usize::from(*most == lists.len());
    let around = |vertex: usize| lists.get(vertex.wrapping_sub(first));
    let is_simple = |(vertex, others): (usize, &Vec<usize>)| {
        others.iter().enumerate().all(|(place, &other)| {
            other != vertex
                && !others[..place].contains(&other)
                && around(other).is_some_and(|back| back.contains(&vertex))
        })
    };
    let is_graph = *least >= first && (first..).zip(&lists).all(is_simple);
    is_graph.then_some((first, lists))
}

pub(super) fn are_json_lists(text: &str) -> bool {
    lists(text).is_some()
}

/// True if the lists may be edges too.
pub(super) fn may_be_pairs(text: &str) -> bool {
    lists(text).is_some_and(|(_, lists)| lists.iter().all(|list| (2..=3).contains(&list.len())))
}

pub(super) fn json_lists(text: &str, reading: &mut Reading) -> Result<(), String> {
    const FORM: &str = "JSON of lists of neighbours is a list for each vertex, from 0 or 1, and has \
                        every edge in the lists of both its ends";
    let (first, lists) = lists(text).ok_or(FORM)?;
    reading.begin(first, lists.len())?;
    for (vertex, others) in lists.iter().enumerate() {
        others.iter().try_for_each(|other| reading.edge(vertex, other - first))?;
    }
    Ok(())
}

/// The name of a vertex, a string or a number.
fn name(value: &Value) -> Result<String, String> {
    match value {
        Value::String(name) => Ok(name.clone()),
        Value::Number(number) => Ok(number.to_string()),
        _ => Err(format!("{} is not the name of a vertex", shown(&value.to_string()))),
    }
}

/// Adds a list of edges, or rows of a matrix.
fn add_list(list: &[Value], reading: &mut Reading) -> Result<(), String> {
    let is_row = |row: &Value| row.as_array().is_some_and(|row| row.len() == list.len());
    if list.len() > 2 && list.iter().all(is_row) {
        let entries = |row: &Value| {
            let row = row.as_array().into_iter().flatten();
            row.map(|entry| entry.as_u64().filter(|&entry| entry < 2).map(|entry| entry == 1))
                .collect::<Option<Vec<bool>>>()
        };
        let rows: Option<Vec<_>> = list.iter().map(entries).collect();
        return add_rows(&rows.ok_or("a matrix has zeros and ones")?, &[], reading);
    }
    for edge in list {
        let ends = match edge {
            Value::Array(ends) if (2..=3).contains(&ends.len()) => Some((&ends[0], &ends[1])),
            _ => edge.get("source").zip(edge.get("target")),
        };
        let (one, other) = ends.ok_or(JSON)?;
        reading.join(&name(one)?, &name(other)?)?;
    }
    Ok(())
}
