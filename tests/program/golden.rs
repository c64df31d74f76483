//! Published counts, compared with the answers of the program.

use crate::common::Machine;
use std::collections::BTreeMap;
use std::path::Path;

struct Row {
    board: String,
    what: String,
    from: String,
    value: String,
    squares: u32,
}

fn rows(table: &str) -> Vec<Row> {
    let lines = table.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let row = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let (rows, cols): (u32, u32) = (fields[0].parse().unwrap(), fields[1].parse().unwrap());
        Row {
            board: format!("--rows {rows} --cols {cols}"),
            what: fields[2].to_owned(),
            from: fields[3].to_owned(),
            value: fields[4].to_owned(),
            squares: rows * cols,
        }
    };
    lines.map(row).collect()
}

/// The answers to earlier questions; they are kept because some take seconds.
type Answers = BTreeMap<String, serde_json::Value>;

/// Returns the program's answer to the question of a row.
fn answer(machine: &Machine, answers: &mut Answers, row: &Row) -> String {
    let tours = if row.what.contains("closed") { "closed" } else { "open" };
    let from = if row.from.is_empty() { String::new() } else { format!(" --from {}", row.from) };
    let classes = if row.what.contains("classes") { " --classes" } else { "" };
    let mut json = |arguments: String| {
        let with_classes = format!("{arguments} --classes");
        let known = answers.get(&arguments).or(answers.get(&with_classes));
        known.cloned().unwrap_or_else(|| {
            let json = machine.json(&arguments);
            answers.insert(arguments, json.clone());
            json
        })
    };
    let cycles = format!("{} --tours closed", row.board);
    let asked = format!("{} --tours {tours}{from}{classes}", row.board);
    let json_of_row = json(asked);
    let number = |field: &str| json_of_row[field].as_str().unwrap().to_owned();
    match row.what.as_str() {
        "open directed" | "open directed from" => number("directed"),
        "open undirected" | "closed undirected" => number("undirected"),
        "open classes" | "closed classes" => number("classes"),
        "open undirected non-reentrant" => {
            // Each cycle gives as many re-entrant paths as it has edges, because any edge can be
            // left out.
            let closed = json(cycles);
            let cycles: u128 = closed["undirected"].as_str().unwrap().parse().unwrap();
            let paths: u128 = number("undirected").parse().unwrap();
            (paths - cycles * u128::from(row.squares)).to_string()
        }
        other => panic!("no such kind of row: {other}"),
    }
}

/// True for rows that take longer than a minute, such as 8x8 open and the classes of 8x8. The
/// folder `results/` contains these counts.
fn is_long(row: &Row) -> bool {
    row.squares > 60 && row.what != "closed undirected" && !row.board.starts_with("--rows 3 ")
}

/// Reads the terms of a file with lines `n a(n)`.
fn terms(path: &Path) -> BTreeMap<u32, String> {
    let text = std::fs::read_to_string(path).unwrap();
    let term = |line: &str| {
        let (n, value) = line.split_once(' ').unwrap();
        (n.parse().unwrap(), value.to_owned())
    };
    text.lines().map(term).collect()
}

#[test]
fn what_is_ready_for_the_encyclopedia_agrees_with_what_is_published_and_with_the_tables_of_strips()
{
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
    let published = rows(include_str!("../golden/counts.tsv"));
    let mut compared = 0;
    for tours in ["open", "closed"] {
        let squares = terms(&results.join(format!("oeis/square-{tours}.txt")));
        for side in [7, 8, 9] {
            let terms_of_side = terms(&results.join(format!("oeis/{side}xn-{tours}.txt")));
            for strip in 3..=6 {
                let strips = terms(&results.join(format!("strips/{strip}-{tours}.txt")));
                assert_eq!(terms_of_side[&strip], strips[&side], "{strip}x{side} {tours}");
            }
            let of_square = squares.get(&side).filter(|_| terms_of_side.contains_key(&side));
            assert!(of_square.is_none_or(|value| *value == terms_of_side[&side]));
            for row in &published {
                for (n, value) in &terms_of_side {
                    let boards =
                        [(side, *n), (*n, side)].map(|(r, c)| format!("--rows {r} --cols {c}"));
                    if boards.contains(&row.board) && row.what == format!("{tours} undirected") {
                        assert_eq!(*value, row.value, "{}", row.board);
                        compared += 1;
                    }
                }
            }
        }
    }
    assert!(compared >= 8, "{compared}");
}

#[test]
fn every_published_count_that_takes_under_a_minute_is_met() {
    let machine = Machine::new();
    let rows = rows(include_str!("../golden/counts.tsv"));
    let quick: Vec<&Row> = rows.iter().filter(|row| !is_long(row)).collect();
    assert!(quick.len() > 60, "only {} rows were read", quick.len());
    let (mut answers, mut rows) = (Answers::new(), quick);
    // Questions for classes come first, because their answers contain the tours as well.
    rows.sort_by_key(|row| !row.what.contains("classes"));
    for row in rows {
        let said = answer(&machine, &mut answers, row);
        assert_eq!(said, row.value, "{} {} {}", row.board, row.what, row.from);
    }
}

/// Returns the values that `scripts/fill-counts` and `scripts/fill-strips` have written, by board,
/// kind and start.
fn results() -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let mut results = BTreeMap::new();
    for rows in 3..=6 {
        for tours in ["open", "closed"] {
            for line in read(&format!("strips/{rows}-{tours}.txt")).lines() {
                let (cols, value) = line.split_once(' ').unwrap();
                let key = format!("{rows} {cols} {tours} undirected all");
                results.insert(key, value.to_owned());
            }
        }
    }
    for line in read("counts.tsv").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let key = fields[..4].join(" ");
        let known = results.insert(key.clone(), fields[4].to_owned());
        assert!(known.is_none_or(|known| known == fields[4]), "{key}");
    }
    results
}

#[test]
fn every_published_count_is_among_the_results() {
    let results = results();
    for line in include_str!("../golden/counts.tsv").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let (board, what, value) = (fields[..2].join(" "), fields[2], fields[4]);
        if board == "2 2" {
            // A board of two rows has no tours, and the results leave it out.
            continue;
        }
        let of = |what: &str, from: &str| {
            let key = format!("{board} {what} {from}");
            let value = results.get(&key).unwrap_or_else(|| panic!("no {key}"));
            value.parse::<u128>().unwrap()
        };
        let ours = match what {
            "open directed from" => of("open directed", fields[3]),
            "open undirected non-reentrant" => {
                let squares = fields[..2].iter().map(|side| side.parse::<u128>().unwrap());
                let reentrant = of("closed undirected", "all") * squares.product::<u128>();
                of("open undirected", "all") - reentrant
            }
            _ => of(what, "all"),
        };
        assert_eq!(ours.to_string(), value, "{line}");
    }
}

#[test]
fn no_value_on_record_as_wrong_is_printed() {
    let machine = Machine::new();
    let wrong = include_str!("../golden/wrong-values.tsv");
    let mut checked = 0;
    for line in wrong.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let fields: Vec<&str> = line.split('\t').collect();
        let squares: u32 = fields[0].parse::<u32>().unwrap() * fields[1].parse::<u32>().unwrap();
        if squares > 40 {
            continue;
        }
        let row = Row {
            board: format!("--rows {} --cols {}", fields[0], fields[1]),
            what: fields[2].to_owned(),
            from: String::new(),
            value: String::new(),
            squares,
        };
        assert_ne!(answer(&machine, &mut Answers::new(), &row), fields[3]);
        checked += 1;
    }
    assert_eq!(checked, 2);
}

#[test]
fn every_record_whose_board_has_a_published_count_agrees_with_it() {
    let columns = |line: &str| line.split('\t').map(str::to_owned).collect::<Vec<_>>();
    let rows = |table: &'static str| table.lines().filter(|line| !line.starts_with('#'));
    let records: Vec<_> = rows(include_str!("../../results/records.tsv")).map(columns).collect();
    for line in rows(include_str!("../golden/large-boards.tsv")) {
        let published = columns(line);
        let of_board = records.iter().filter(|record| record[..3] == published[..3]);
        let by_cut: Vec<_> = of_board.map(|record| &record[3]).collect();
        assert!(by_cut.len() >= 2 && by_cut.iter().all(|one| **one == published[3]), "{line}");
    }
}
