//! graph6 and sparse6, the formats of nauty: a graph on each line, six bits in a character.

use super::reading::{Reading, lines};
use std::ops::RangeInclusive;

/// The characters, each of which has the value of six bits plus 63.
const CHARACTERS: RangeInclusive<char> = '?'..='~';

const BITS: usize = 6;

const HEADS: [&str; 2] = [">>graph6<<", ">>sparse6<<"];

/// The line without the name of its format.
fn without_head(line: &str) -> &str {
    HEADS.iter().find_map(|head| line.strip_prefix(head)).unwrap_or(line)
}

/// True if the first line has characters of these formats only.
pub(super) fn is_six(text: &str) -> bool {
    let first = lines(text).next().map_or("", |(_, line)| without_head(line));
    let first = first.strip_prefix(':').unwrap_or(first);
    !first.is_empty() && first.chars().all(|c| CHARACTERS.contains(&c))
}

/// True if the text says that it has one of these formats, or one that is related.
pub(super) fn is_marked(text: &str) -> bool {
    let first = lines(text).next().map_or("", |(_, line)| line);
    first.starts_with(">>") || first.starts_with([':', '&', ';'])
}

/// The lines with a graph each, with their numbers.
pub(super) fn graphs(text: &str) -> Vec<(usize, &str)> {
    let lines = lines(text).map(|(number, line)| (number, without_head(line)));
    lines.filter(|(_, line)| !line.is_empty()).collect()
}

/// True if the first graph is sparse6.
pub(super) fn is_sparse(text: &str) -> bool {
    graphs(text).first().is_some_and(|(_, line)| line.starts_with(':'))
}

/// The graph of a line, either graph6 or sparse6.
pub(super) fn six(line: &str, reading: &mut Reading) -> Result<(), String> {
    match line.strip_prefix(':') {
        Some(line) => sparse6(line, reading),
        None => graph6(line, reading),
    }
}

/// The number of vertices and the values of the characters after it.
fn vertices_and_data(line: &str) -> Result<(usize, Vec<u8>), String> {
    if line.starts_with(['&', ';', '>']) {
        return Err(
            "digraph6, incremental sparse6 and planar code are not read: write the graph as \
                    graph6 or as a list of edges"
                .to_owned(),
        );
    }
    if let Some(place) = line.chars().position(|c| !CHARACTERS.contains(&c)) {
        return Err(format!("character {} is none of graph6 or sparse6", place + 1));
    }
    let digits: Vec<u8> = line.bytes().map(|byte| byte - b'?').collect();
    let (size, data) = match &digits[..] {
        [63, 63, rest @ ..] => rest.split_at_checked(6),
        [63, rest @ ..] => rest.split_at_checked(3),
        digits => digits.split_at_checked(1),
    }
    .ok_or("the line ends within the number of vertices")?;
    let vertices = size.iter().fold(0, |value, &digit| value << BITS | usize::from(digit));
    Ok((vertices, data.to_vec()))
}

fn bits(data: &[u8]) -> impl Iterator<Item = bool> + Clone {
    data.iter().flat_map(|digit| (0..BITS).rev().map(move |place| digit >> place & 1 == 1))
}

fn graph6(line: &str, reading: &mut Reading) -> Result<(), String> {
    let (vertices, data) = vertices_and_data(line)?;
    reading.begin(0, vertices)?;
    let pairs = vertices * vertices.saturating_sub(1) / 2;
    let (wanted, given) = (pairs.div_ceil(BITS), data.len());
    if wanted != given {
        return Err(format!(
            "graph6 of {vertices} vertices has {wanted} characters after their number, not {given}"
        ));
    }
    let mut bits = bits(&data);
    if bits.clone().skip(pairs).any(|is_set| is_set) {
        return Err("the bits after the last pair of vertices are not zero".to_owned());
    }
    // The pairs are in the order 0-1, 0-2, 1-2, 0-3, and so on.
    for (one, other) in (1..vertices).flat_map(|other| (0..other).map(move |one| (one, other))) {
        if bits.next() == Some(true) {
            reading.edge(one, other)?;
        }
    }
    Ok(())
}

/// A bit that moves a pointer to the next vertex, then the number of a vertex: an edge to the
/// pointer, or a new place for the pointer if the number is above it. Bits that move the pointer
/// beyond the last vertex fill the last character.
fn sparse6(line: &str, reading: &mut Reading) -> Result<(), String> {
    let (vertices, data) = vertices_and_data(line)?;
    reading.begin(0, vertices)?;
    let width = (usize::BITS - vertices.saturating_sub(1).leading_zeros()) as usize;
    let bits: Vec<bool> = bits(&data).collect();
    let mut pointer = 0;
    let groups = bits.chunks_exact(width + 1);
    if !groups.remainder().iter().all(|&bit| bit) {
        return Err("the bits after the last edge are not ones: is the line cut?".to_owned());
    }
    for group in groups {
        pointer += usize::from(group[0]);
        let vertex = group[1..].iter().fold(0, |value, &bit| value << 1 | usize::from(bit));
        if pointer >= vertices || vertex >= vertices {
            break;
        }
        if vertex > pointer {
            pointer = vertex;
        } else {
            reading.edge(vertex, pointer)?;
        }
    }
    Ok(())
}
