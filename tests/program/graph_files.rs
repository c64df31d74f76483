//! Files of graphs in common forms: each is read right, and the program says what it understood.

use crate::common::Machine;
use std::fs;
use std::path::PathBuf;

fn golden(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/graphs");
    folder.join(name).display().to_string()
}

/// Runs a command and returns its exit code, its result and its notes.
fn ran(machine: &Machine, arguments: &str) -> (Option<i32>, String, String) {
    let output = machine.kt(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// The graphs of the README of the folder: a file, the format, the sizes, and the numbers of open
/// and closed tours where they are known and counted at once.
const FILES: [(&str, &str, &str, Option<[&str; 2]>); 22] = [
    ("petersen-dash.txt", "edges with dashes", "10 vertices and 15 edges", PETERSEN),
    ("petersen-arrow2.txt", "edges with dashes", "10 vertices and 15 edges", PETERSEN),
    ("petersen.txt", "an edge list", "10 vertices and 15 edges", PETERSEN),
    ("header-n-m.txt", "an edge list after a header", "10 vertices and 15 edges", PETERSEN),
    ("header-n.txt", "an edge list after a header", "10 vertices and 15 edges", PETERSEN),
    ("csv-header.csv", "an edge list", "10 vertices and 15 edges", PETERSEN),
    ("networkx-edgelist.txt", "an edge list", "10 vertices and 15 edges", PETERSEN),
    ("matrix-without-blanks.txt", "a 0/1 matrix", "10 vertices and 15 edges", PETERSEN),
    ("igraph-lgl.txt", "LGL", "10 vertices and 15 edges", PETERSEN),
    ("one-line.json", "JSON", "10 vertices and 15 edges", PETERSEN),
    ("petersen.s6", "sparse6", "10 vertices and 15 edges", PETERSEN),
    ("pretty.json", "JSON", "3 vertices and 3 edges", Some(["6", "1"])),
    (
        "geng-c-3.g6",
        "graph6",
        "2 graphs, the first of 3 vertices and 2 edges",
        Some(["2\n6", "0\n1"]),
    ),
    ("grid-4x4x4.txt", "an edge list", "64 vertices and 144 edges", None),
    ("gp-111-2.txt", "an edge list", "222 vertices and 333 edges", None),
    ("gp-111-2.hcp", "TSPLIB", "222 vertices and 333 edges", None),
    ("cube-sums-473.txt", "an edge list", "473 vertices and 713 edges", None),
    ("hanoi6.txt", "an edge list", "729 vertices and 1092 edges", None),
    ("queen-5x5.txt", "an edge list", "25 vertices and 160 edges", None),
    ("both-directions.col", "DIMACS", "25 vertices and 160 edges", None),
    ("K20.txt", "an edge list", "20 vertices and 190 edges", None),
    ("estimate-16-vertices.txt", "an edge list", "16 vertices and 51 edges", None),
];

const PETERSEN: Option<[&str; 2]> = Some(["240", "0"]);

#[test]
fn each_file_is_read_right_and_what_was_understood_is_one_line() {
    let machine = Machine::new();
    for (file, format, sizes, numbers) in FILES {
        let path = golden(file);
        let said = format!("kt-enum: {path}: {format}, {sizes}\n");
        // A path between two vertices that are not in the file is refused after the file is read.
        let (code, _, notes) =
            ran(&machine, &format!("--graph {path} --from nowhere --progress none"));
        assert_eq!(code, Some(2), "{file}: {notes}");
        assert!(notes.starts_with(&said), "{file}: {notes}");
        for (kind, number) in
            numbers.into_iter().flat_map(|numbers| ["open", "closed"].into_iter().zip(numbers))
        {
            let arguments = format!("--graph {path} --tours {kind} --progress none -q");
            let (code, result, notes) = ran(&machine, &arguments);
            assert_eq!((code, result), (Some(0), format!("{number}\n")), "{file}: {notes}");
            assert_eq!(notes, said, "{file}");
        }
    }
}

/// Many programs have such a file, and Petersen's graph is read as itself from all of them.
#[test]
fn tsplib_and_the_edge_list_are_the_same_graph() {
    let machine = Machine::new();
    for [one, other] in [["gp-111-2.txt", "gp-111-2.hcp"], ["queen-5x5.txt", "both-directions.col"]]
    {
        let boards = [one, other].map(|file| {
            let (_, result, notes) =
                ran(&machine, &format!("find --graph {} --json", golden(file)));
            let answer: serde_json::Value = serde_json::from_str(&result).expect(&notes);
            answer["board"].clone()
        });
        assert!(boards[0].is_string() && boards[0] == boards[1], "{one} and {other}");
    }
}

/// Petersen's graph in formats that are not read, with the name of each.
const FOREIGN: [(&str, &str); 5] = [
    ("petersen.dot", "DOT"),
    ("petersen.gml", "GML"),
    ("petersen.graphml", "GraphML"),
    ("petersen-mathematica_undirectededge.txt", "Mathematica"),
    ("petersen-matrix_labels.csv", "a matrix with the names"),
];

/// The refusal of a file, which names its format and says what to type.
fn refusal(machine: &Machine, file: &str, title: &str) -> String {
    let (code, result, notes) = ran(machine, &format!("--graph {} -q", golden(file)));
    assert_eq!((code, result.as_str()), (Some(2), ""), "{file}: {notes}");
    assert!(notes.contains(title) && notes.contains("which is not read"), "{file}: {notes}");
    notes
}

#[test]
fn a_format_that_is_not_read_is_named_with_a_command_for_this_file() {
    let machine = Machine::new();
    for (file, title) in FOREIGN {
        let notes = refusal(&machine, file, title);
        assert!(notes.contains(&format!("'{}'", golden(file))), "{file}: {notes}");
    }
    // Two readings that differ are both named.
    let notes = ran(&machine, &format!("--graph {}", golden("petersen-listlist.py"))).2;
    for word in ["9 vertices and 10 edges", "10 vertices and 15 edges", "json or json-lists"] {
        assert!(notes.contains(word), "{word}: {notes}");
    }
}

/// The number of tours of the file that the command of a refusal makes.
fn counted_by_command(machine: &Machine, refusal: &str) -> String {
    let (_, command) = refusal.split_once(", type ").unwrap();
    let command = command.split("; or count in").next().unwrap();
    let folder = machine.folder.path();
    let mut shell = std::process::Command::new("sh");
    // The Python of the system has these packages; one that comes before it may not.
    let path = format!("/usr/bin:{}", std::env::var("PATH").unwrap_or_default());
    let output = shell.args(["-c", command]).env("PATH", path).current_dir(folder);
    let output = output.output().unwrap();
    assert!(output.status.success(), "{command}: {output:?}");
    let made = ["edges.txt", "matrix.txt"].map(|name| folder.join(name));
    let made = made.iter().find(|path| path.exists()).expect(command);
    let (code, result, notes) = ran(machine, &format!("--graph {} -q", made.display()));
    assert_eq!(code, Some(0), "{command}: {notes}");
    fs::remove_file(made).unwrap();
    result
}

#[test]
#[ignore = "needs python3 with networkx and pydot"]
fn the_command_makes_a_file_of_a_format_that_is_not_read_and_its_count_is_right() {
    let machine = Machine::new();
    for (file, title) in FOREIGN {
        let refusal = refusal(&machine, file, title);
        assert_eq!(counted_by_command(&machine, &refusal), "240\n", "{refusal}");
    }
    // A vertex without an edge is kept, so there is no tour.
    let vertices = [1, 2, 3].map(|id| format!("node [ id {id} ]\n")).concat();
    let gml = format!("graph [\n{vertices}edge [ source 1 target 2 ]\n]\n");
    for text in [&gml, "1 a\n2 b\n3 c\n#\n1 2\n"] {
        let path = machine.folder.path().join("lone");
        fs::write(&path, text).unwrap();
        let (_, _, refusal) = ran(&machine, &format!("--graph {} -q", path.display()));
        assert_eq!(counted_by_command(&machine, &refusal), "0\n", "{refusal}");
    }
}

#[test]
fn a_file_that_can_be_two_things_is_refused_and_the_option_decides() {
    let machine = Machine::new();
    let path = machine.folder.path().join("two.txt");
    fs::write(&path, "3 2\n1 2\n1 3\n").unwrap();
    let graph = format!("--graph {}", path.display());
    let (code, result, notes) = ran(&machine, &format!("{graph} -q"));
    assert_eq!((code, result.as_str()), (Some(2), ""), "{notes}");
    for word in [
        "an edge list, 3 vertices and 3 edges",
        "an edge list after a header, 3 vertices and 2 edges",
        "--graph-format edge-list or header",
    ] {
        assert!(notes.contains(word), "{word}: {notes}");
    }
    for (format, tours) in [("edge-list", "6\n"), ("header", "2\n")] {
        let (code, result, notes) = ran(&machine, &format!("{graph} --graph-format {format} -q"));
        assert_eq!((code, result.as_str()), (Some(0), tours), "{format}: {notes}");
    }
    let (code, _, notes) = ran(&machine, "--size 5 --graph-format lgl");
    assert!(code == Some(2) && notes.contains("--graph"), "{notes}");
}

#[test]
fn names_with_dashes_dots_and_other_letters_go_through_lists_and_checks() {
    let machine = Machine::new();
    let path = machine.folder.path().join("towns.csv");
    fs::write(
        &path,
        "source,target\n\"New York\",Saint-\u{c9}tienne\nSaint-\u{c9}tienne,St.Louis\n",
    )
    .unwrap();
    let graph = format!("--graph {}", path.display());
    let (_, tours, notes) = ran(&machine, &format!("list {graph}"));
    let tour = "New_York Saint-\u{c9}tienne St.Louis\n";
    assert!(tours.ends_with(tour) || tours.contains(tour), "{tours}{notes}");
    let file = machine.folder.path().join("tours.txt");
    for format in ["squares", "json"] {
        let (_, tours, notes) = ran(&machine, &format!("list {graph} --format {format}"));
        fs::write(&file, tours).unwrap();
        let (code, result, _) = ran(&machine, &format!("check {}", file.display()));
        assert_eq!((code, result.as_str()), (Some(0), "open\nopen\n"), "{format}: {notes}");
    }
    let (_, result, notes) = ran(&machine, &format!("{graph} --from New_York --to St.Louis -q"));
    assert_eq!(result, "1\n", "{notes}");
}

#[test]
fn commands_for_one_board_refuse_a_file_of_several_graphs() {
    let machine = Machine::new();
    for command in ["list", "find", "random"] {
        let (code, _, notes) =
            ran(&machine, &format!("{command} --graph {}", golden("geng-c-3.g6")));
        assert_eq!(code, Some(2), "{notes}");
        assert!(notes.contains("2 boards") && notes.contains("kt-enum count"), "{notes}");
    }
}

#[test]
fn find_decides_about_graphs_by_edges_or_by_the_frontier_and_speaks_of_this_graph() {
    let machine = Machine::new();
    let found = |file: &str, options: &str| {
        ran(&machine, &format!("find --graph {} --json {options}", golden(file)))
    };
    for (file, options, vertices) in [
        ("cube-sums-473.txt", "--closed", 473),
        ("hanoi6.txt", "--closed", 729),
        ("gp-111-2.hcp", "", 222),
    ] {
        let (code, result, notes) = found(file, options);
        let answer: serde_json::Value = serde_json::from_str(&result).expect(&notes);
        assert_eq!(code, Some(0), "{notes}");
        assert_eq!(answer["tour"].as_array().unwrap().len(), vertices, "{file}");
        assert!(options.is_empty() || answer["closed"] == true, "{file}");
    }
    let (code, result, notes) =
        ran(&machine, &format!("find --graph {} --closed", golden("petersen.txt")));
    assert_eq!(code, Some(0), "{notes}");
    assert!(result.starts_with("No Hamiltonian cycle found for this graph!\n"), "{result}");
    assert!(
        notes.contains("there is no Hamiltonian cycle in this graph of 10 vertices"),
        "{notes}"
    );
    // The middle of a path is not a possible start, but nobody asked for a start.
    let path = machine.folder.path().join("path.txt");
    fs::write(&path, "a b\na c\n").unwrap();
    let (code, result, notes) =
        ran(&machine, &format!("find --graph {} --format squares", path.display()));
    assert_eq!(code, Some(0), "{notes}");
    assert!(result.ends_with("b a c\n") || result.ends_with("c a b\n"), "{result}");
    let (code, _, notes) = ran(&machine, &format!("find --graph {} --from a", path.display()));
    assert_eq!(code, Some(0));
    assert!(
        notes.contains(
            "there is no Hamiltonian path in this graph of 3 vertices and 2 edges from a"
        ),
        "{notes}"
    );
}
