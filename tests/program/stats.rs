//! Averages over tours, as the program prints them.
use crate::common::{Machine, text};
use serde_json::Value;

fn ran(machine: &Machine, arguments: &str, input: &str) -> (String, String, i32) {
    let output = machine.kt(arguments).write_stdin(input).output().unwrap();
    let code = output.status.code().unwrap();
    (text(&output.stdout), text(&output.stderr), code)
}

/// Returns all closed tours of a board, each once.
fn all_closed(machine: &Machine, board: &str) -> String {
    let (tours, _, code) = ran(machine, &format!("list {board} --tours closed"), "");
    assert_eq!(code, 0);
    tours
}

#[test]
fn the_edges_of_all_closed_tours_are_used_as_the_symmetries_of_the_board_demand() {
    let machine = Machine::new();
    let tours = all_closed(&machine, "--size 6");
    let (object, _, code) = ran(&machine, "stats --all --json", &tours);
    assert_eq!(code, 0);
    let stats: Value = serde_json::from_str(&object).unwrap();
    assert_eq!((&stats["count"], &stats["tours"]), (&"9862".into(), &"closed".into()));
    let uses = |from: &str, to: &str| {
        let edges = stats["edges"].as_array().unwrap();
        let edge = edges.iter().find(|edge| edge["from"] == from && edge["to"] == to);
        edge.unwrap()["tours"].as_str().unwrap().parse::<u64>().unwrap()
    };
    // A corner has two edges, and a tour needs both.
    assert_eq!([uses("a1", "b3"), uses("a1", "c2"), uses("e4", "f6")], [9_862; 3]);
    // The set of tours is symmetric under both reflections.
    assert_eq!(uses("b1", "d2"), uses("e1", "c2"));
    assert_eq!(uses("b1", "d2"), uses("d5", "b6"));
    assert_ne!(uses("b1", "d2"), uses("c3", "d5"));
    let all: u64 = stats["edges"]
        .as_array()
        .unwrap()
        .iter()
        .map(|edge| edge["tours"].as_str().unwrap().parse::<u64>().unwrap())
        .sum();
    assert_eq!(all, 36 * 9_862);
    let mean = |object: &Value| object["mean"].as_f64().unwrap();
    for (parts, whole) in [("slopes", 36.0), ("turns", 36.0)] {
        let sum: f64 = stats[parts].as_array().unwrap().iter().map(mean).sum();
        assert!((sum - whole).abs() < 1e-9, "{parts}: {sum}");
    }
    let slopes: Vec<f64> = stats["slopes"].as_array().unwrap().iter().map(mean).collect();
    assert!(slopes.iter().all(|slope| (slope - 9.0).abs() < 1e-9), "{slopes:?}");
    assert!(stats["crossings"]["error"].is_null());
    // A half turn maps more tours to themselves than the five that a quarter turn maps to
    // themselves.
    assert!(
        stats["symmetries"]["half turn"]["tours"].as_str().unwrap().parse::<u64>().unwrap() > 5
    );
}

#[test]
fn a_sample_has_errors_that_the_exact_means_lie_within() {
    let machine = Machine::new();
    let exact: Value = serde_json::from_str(
        &ran(&machine, "stats --all --json", &all_closed(&machine, "--size 6")).0,
    )
    .unwrap();
    let (sample, _, code) =
        ran(&machine, "random --size 6 --tours closed --count 2000 --seed 5", "");
    assert_eq!(code, 0);
    let sample: Value = serde_json::from_str(&ran(&machine, "stats --json", &sample).0).unwrap();
    let differs = |one: &Value, other: &Value, name: &str| {
        let error = other["error"].as_f64().unwrap();
        let difference = (one[name].as_f64().unwrap() - other[name].as_f64().unwrap()).abs();
        assert!(difference <= 4.5 * error, "{one} and {other}");
    };
    differs(&exact["crossings"], &sample["crossings"], "mean");
    for parts in ["slopes", "turns"] {
        for (one, other) in
            exact[parts].as_array().unwrap().iter().zip(sample[parts].as_array().unwrap())
        {
            differs(one, other, "mean");
        }
    }
    for (one, other) in
        exact["edges"].as_array().unwrap().iter().zip(sample["edges"].as_array().unwrap())
    {
        differs(one, other, "share");
    }
}

#[test]
fn the_ends_of_open_tours_are_printed_by_square() {
    let machine = Machine::new();
    let tour = "a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3\n";
    let mirrored = "d1 b2 d3 c1 a2 c3 b1 d2 b3 a1 c2 a3\n";
    let tours = tour.repeat(1_000) + mirrored;
    let (printed, _, _) = ran(&machine, "stats", &tours);
    let (_, ends) = printed.split_once("ends of tours on each square, the most first\n").unwrap();
    let ends: Vec<Vec<&str>> = ends.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(ends[..4], [["a1", "1,000"], ["d3", "1,000"], ["d1", "1"], ["a3", "1"]]);
    assert_eq!(ends.len(), 12);
    let (printed, _, _) = ran(&machine, "stats", &all_closed(&machine, "--rows 5 --cols 6"));
    assert!(!printed.contains("ends of tours"), "{printed}");
}

#[test]
fn tours_are_cycles_if_all_can_be_closed_and_paths_otherwise() {
    let machine = Machine::new();
    let closed = all_closed(&machine, "--rows 5 --cols 6");
    let open = "a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3\n";
    for (options, input, says) in [
        ("", closed.as_str(), "8 closed tours of 5x6"),
        ("--tours open", closed.as_str(), "8 open tours of 5x6"),
        ("", open, "1 open tour of 3x4"),
        ("--all", open, "all 1 open tour of 3x4"),
    ] {
        let (said, _, code) = ran(&machine, &format!("stats {options}"), input);
        assert!(code == 0 && said.starts_with(says), "{options}: {said}");
    }
    for (options, input, reason, leaves) in [
        ("--tours closed", open.to_owned(), "line 1", 3),
        ("", format!("{open}{closed}"), "line 2", 3),
        ("", "a1 a1\n".to_owned(), "line 1", 3),
        ("", "# none\n".to_owned(), "no tour", 1),
    ] {
        let (_, said, code) = ran(&machine, &format!("stats {options}"), &input);
        assert!(code == leaves && said.contains(reason), "{options}: {said}");
    }
}

#[test]
fn the_page_is_well_formed_and_has_a_line_for_each_edge_that_is_used() {
    let machine = Machine::new();
    let (page, _, code) =
        ran(&machine, "stats --format html", &all_closed(&machine, "--rows 5 --cols 6"));
    assert_eq!(code, 0);
    let options =
        roxmltree::ParsingOptions { allow_dtd: true, ..roxmltree::ParsingOptions::default() };
    let document = roxmltree::Document::parse_with_options(&page, options).unwrap();
    let lines =
        document.descendants().filter(|node| node.attribute("class") == Some("edge")).count();
    let (object, _, _) = ran(&machine, "stats --json", &all_closed(&machine, "--rows 5 --cols 6"));
    let stats: Value = serde_json::from_str(&object).unwrap();
    let used =
        stats["edges"].as_array().unwrap().iter().filter(|edge| edge["tours"] != "0").count();
    assert_eq!(lines, used);
    assert!(page.contains("Crossings") && page.contains("± "));
}
