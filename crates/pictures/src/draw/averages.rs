//! The statistics of tours in words, and on a page with plots.

use super::edges::{UsedEdge, edge_map};
use super::heat::heat_map;
use super::plot::{Axis, Bar, Bars, Quantity};
use super::report::{Figure, Page};
use crate::board::{Board, Square};
use crate::quantity::{counted, grouped};
use crate::stats::{Mean, Stats};
use crate::tally::Tally;
use std::cmp::Reverse;

/// The statistics as text: means, then edges, then ends of open tours, the most used first.
pub fn text(stats: &Stats) -> String {
    let (facts, board) = (facts(stats), stats.board());
    let width = facts.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let line = |name: &str, value: &str| format!("{name:width$}  {value}\n");
    let mut text = format!("{}, means of a tour\n", subject(stats));
    text.extend(facts.iter().map(|(name, value)| line(name, value)));
    text += "edges by their share of tours, the most used first\n";
    let mut edges: Vec<_> = stats.edges().collect();
    edges.sort_by_key(|&(ends, uses, _)| (Reverse(uses), ends));
    let edges = edges.into_iter();
    text.extend(edges.map(|(ends, _, share)| line(&edge_name(&board, ends), &share.to_string())));
    if !stats.is_closed {
        text += "ends of tours on each square, the most first\n";
        let mut ends: Vec<_> = stats.ends.iter().zip(board.all_squares()).collect();
        ends.sort_by_key(|&(ends, square)| (Reverse(ends), square));
        let ends = ends.into_iter();
        text.extend(ends.map(|(ends, square)| line(&board.name(square), &grouped(ends))));
    }
    text
}

/// The statistics as a page, with the command that makes it again.
pub fn page(stats: &Stats, command: String) -> Page {
    let board = stats.board();
    let a = if board.is_graph() { "a " } else { "" };
    let mut figures = vec![edges(stats, &board)];
    if !stats.is_closed {
        figures.push(ends(stats, &board));
    }
    if let Some(mean) = stats.crossings() {
        let slopes =
            "Moves in a tour by their step, to the right and up; a move and its reverse are one.";
        let turns = "Turns in a tour by the angle between a move and the next; 0 is straight on.";
        figures.extend([
            crossings(stats, mean),
            means("Slopes", ["step", "moves"], steps(stats), slopes),
            means("Turns", ["angle", "turns"], angles(stats), turns),
        ]);
    }
    let errors = if stats.is_all {
        "These are all tours, so that the means are exact."
    } else {
        "After each mean is its standard error, as of a random sample."
    };
    Page {
        title: subject(stats),
        number: grouped(stats.tours),
        counts: format!("{} tours of {a}{board}, and what they look like on average", stats.kind()),
        notes: vec![errors.to_owned()],
        facts: facts(stats),
        figures,
        table: None,
        command,
    }
}

/// The kind of the tours in words.
fn subject(stats: &Stats) -> String {
    let sample = if stats.is_all { "all " } else { "" };
    let tours = counted(stats.tours, &format!("{} tour", stats.kind()));
    let a = if stats.board().is_graph() { "a " } else { "" };
    format!("{sample}{tours} of {a}{}", stats.board())
}

/// Names and values, those of edges and ends left out.
fn facts(stats: &Stats) -> Vec<(String, String)> {
    let crossings = stats.crossings().map(|mean| ("crossings".to_owned(), mean));
    let slopes = steps(stats).map(|(step, mean)| (format!("moves {step}"), mean));
    let turns = angles(stats).map(|(angle, mean)| (format!("turns by {angle}"), mean));
    let open = (!stats.is_closed).then(|| ("re-entrant".to_owned(), stats.reentrant().1));
    let symmetric = [("symmetric".to_owned(), stats.symmetric().1)];
    let means = crossings.into_iter().chain(slopes).chain(turns).chain(open).chain(symmetric);
    let symmetries = stats.symmetries().filter(|(_, tours, _)| *tours > 0);
    let symmetries = symmetries.map(|(name, tours, share)| {
        (format!("by {name}"), format!("{share} ({})", grouped(tours)))
    });
    means.map(|(name, mean)| (name, mean.to_string())).chain(symmetries).collect()
}

/// The slopes of moves by their names.
fn steps(stats: &Stats) -> impl Iterator<Item = (String, Mean)> {
    stats.slopes().map(|((right, up), mean)| (format!("{right:+}:{up:+}"), mean))
}

/// The turns by their names.
fn angles(stats: &Stats) -> impl Iterator<Item = (String, Mean)> {
    stats.turns().map(|(tenths, mean)| (format!("{}°", f64::from(tenths) / 10.0), mean))
}

fn edges(stats: &Stats, board: &Board) -> Figure {
    let edge = |ends, share: Mean| {
        let says = format!("{}: {share}", edge_name(board, ends));
        UsedEdge { ends, share: share.mean, says }
    };
    let edges: Vec<UsedEdge> = stats.edges().map(|(ends, _, share)| edge(ends, share)).collect();
    let map = edge_map("the share of tours that use each edge", board, &edges);
    Figure::new("Edges", map.ok(), "The wider and stronger a line, the more tours use its edge.")
}

fn ends(stats: &Stats, board: &Board) -> Figure {
    let ends: Vec<Tally> = stats.ends.iter().map(|&ends| Tally::from(ends)).collect();
    let map = heat_map("ends of tours by square", board, &ends);
    Figure::new("Ends", map.ok(), "How many of the tours start or end on each square.")
}

fn crossings(stats: &Stats, mean: Mean) -> Figure {
    const LABELS: u64 = 8;
    let by_crossings = &stats.by_crossings;
    let mut crossings = by_crossings.keys().copied();
    let least = crossings.next().unwrap_or(0);
    let most = crossings.next_back().unwrap_or(least);
    let bar = |crossings: u64| {
        let tours = by_crossings.get(&crossings).copied().unwrap_or(0);
        Bar { says: format!("{crossings} crossings: {}", grouped(tours)), value: tours as f64 }
    };
    let every = (most - least).div_ceil(LABELS).max(1);
    let ticks = (least..=most).step_by(every as usize);
    let ticks = ticks.map(|crossings| ((crossings - least) as f64 + 0.5, crossings.to_string()));
    let (bars, ticks) = ((least..=most).map(bar).collect(), ticks.collect());
    let text = format!("{mean} pairs of moves cross each other.");
    figure("Crossings", ["crossings in a tour", "tours"], bars, ticks, &text)
}

fn means(
    heading: &str,
    labels: [&str; 2],
    of: impl Iterator<Item = (String, Mean)>,
    text: &str,
) -> Figure {
    let (mut bars, mut ticks) = (Vec::new(), Vec::new());
    for (name, mean) in of {
        bars.push(Bar { says: format!("{name}: {mean}"), value: mean.mean });
        ticks.push((ticks.len() as f64 + 0.5, name));
    }
    figure(heading, labels, bars, ticks, text)
}

fn figure(
    heading: &str,
    [x_label, y_label]: [&str; 2],
    bars: Vec<Bar>,
    x_ticks: Vec<(f64, String)>,
    text: &str,
) -> Figure {
    let y = Axis::from_zero(y_label, Quantity::Count);
    let bars = Bars { title: heading, x_label, x_ticks: &x_ticks, y, bars: &bars };
    Figure::new(heading, Some(bars.plot()), text)
}

fn edge_name(board: &Board, [one, other]: [Square; 2]) -> String {
    format!("{}-{}", board.name(one), board.name(other))
}
