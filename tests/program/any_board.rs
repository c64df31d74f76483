//! Boards with holes, other pieces, joined edges, and graphs: what is typed, and how answers and
//! files name them.

use crate::common::{Machine, text};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Runs a command to its end and returns its exit code and what it printed on both streams.
fn ran(machine: &Machine, arguments: &str) -> (Option<i32>, String, String) {
    let output = machine.kt(arguments).output().unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// Runs a command that has to succeed, and returns its result.
fn printed(machine: &Machine, arguments: &str) -> String {
    let (code, result, message) = ran(machine, arguments);
    assert_eq!(code, Some(0), "{arguments}: {message}");
    result
}

fn json(machine: &Machine, arguments: &str) -> Value {
    serde_json::from_str(&printed(machine, arguments)).unwrap()
}

/// Runs a command that has to be refused as a wrong command line, with a message that contains all
/// of these words.
fn refused(machine: &Machine, arguments: &str, words: &[&str]) {
    let (code, result, message) = ran(machine, arguments);
    assert_eq!(code, Some(2), "{arguments}: {message}");
    assert_eq!(result, "", "{arguments}");
    for word in words {
        assert!(message.contains(word), "{arguments}: `{word}` is not in: {message}");
    }
    assert!(!message.contains("panicked"), "{arguments}: {message}");
}

fn file(machine: &Machine, name: &str, content: &str) -> PathBuf {
    let path = machine.folder.path().join(name);
    fs::write(&path, content).unwrap();
    path
}

#[test]
fn boards_are_typed_as_options_drawings_and_graphs() {
    let machine = Machine::new();
    let ring = file(&machine, "ring.txt", "...\n.#.\n. . .\n");
    let edges = file(&machine, "square.txt", "# a cycle\na b\nb,c\nc\td\nd a\n");
    let dimacs =
        file(&machine, "square.col", "c a cycle\np edge 4 4\ne 1 2\ne 2 3\ne 3 4\ne 4 1\n");
    let graph6 = file(&machine, "square.g6", ">>graph6<<Cl\n");
    let [ring, edges, dimacs, graph6] =
        [&ring, &edges, &dimacs, &graph6].map(|path| path.display().to_string());
    // Wazirs and knights go around a ring of eight squares, in one cycle and 16 directed paths.
    for (arguments, number) in [
        (format!("--board {ring} --piece wazir --closed"), "1\n"),
        (format!("--board {ring} --piece 1,0"), "16\n"),
        (format!("--board {ring} --closed"), "1\n"),
        ("--size 3 --without b2 --closed".to_owned(), "1\n"),
        ("--size 2 --piece king --closed".to_owned(), "3\n"),
        ("--size 2 --piece K".to_owned(), "24\n"),
        ("--size 2x3 --piece W --closed".to_owned(), "1\n"),
        ("--size 1x5 --piece wazir --wrap cylinder --closed".to_owned(), "1\n"),
        ("--rows 4 --cols 4 --wrap torus --piece knight".to_owned(), "91392\n"),
        (format!("--graph {edges} --closed"), "1\n"),
        (format!("--graph {edges} --from a"), "2\n"),
        (format!("--graph {dimacs} --from 1 --to 4"), "1\n"),
        (format!("--graph {graph6} --closed"), "1\n"),
    ] {
        assert_eq!(printed(&machine, &format!("{arguments} -q")), number, "{arguments}");
        assert_eq!(printed(&machine, &format!("{arguments} -q --engine walk")), number);
    }
}

#[test]
fn the_answer_repeats_the_board() {
    let machine = Machine::new();
    let answer = printed(&machine, "--size 2 --piece WF --closed");
    assert!(answer.starts_with("3 closed king's tours of 2x2"), "{answer}");
    let answer = json(&machine, "--size 3x3 --without b2 --json");
    assert_eq!((&answer["rows"], &answer["cols"]), (&3.into(), &3.into()));
    assert_eq!(answer["board"], "3x3 without=b2");
    let path = file(&machine, "path.txt", "2 1\n2 3\n");
    let answer = json(&machine, &format!("--graph {} --json", path.display()));
    assert_eq!((&answer["rows"], &answer["cols"]), (&Value::Null, &Value::Null));
    assert_eq!(answer["board"], "graph 1-2,2-3");
    assert_eq!(answer["directed"], "2");
    let plain = json(&machine, "--size 4x3 --piece N --wrap none --json");
    assert!(plain.get("board").is_none() && plain.get("reason").is_none(), "{plain}");
    assert_eq!(plain["directed"], "16");
}

#[test]
fn a_drawing_without_holes_is_a_plain_board() {
    let machine = Machine::new();
    let whole = file(&machine, "whole.txt", "....\n....\n....\n");
    let drawn = json(&machine, &format!("--board {} --json", whole.display()));
    let typed = json(&machine, "--size 3x4 --json");
    for field in ["rows", "cols", "directed", "engine", "split_depth", "fingerprint"] {
        assert_eq!(drawn[field], typed[field], "{field}");
    }
    assert!(drawn.get("board").is_none());
}

#[test]
fn options_that_contradict_each_other_or_have_no_board_are_refused() {
    let machine = Machine::new();
    let drawing = file(&machine, "drawing.txt", "...\n...\n");
    let graph = file(&machine, "graph.txt", "1 2\n");
    let (drawing, graph) = (drawing.display(), graph.display());
    for other in ["--size 3", "--rows 3 --cols 3", "--without a1"] {
        refused(&machine, &format!("--board {drawing} {other}"), &["--board", "cannot be used"]);
    }
    let other = format!("--board {drawing}");
    for other in ["--size 3", "--without a1", "--piece king", "--wrap torus", &other] {
        refused(&machine, &format!("--graph {graph} {other}"), &["--graph", "cannot be used"]);
    }
    for command in ["", "check ", "list ", "estimate ", "find ", "show "] {
        // Tours tell the size of the board, but not which squares are left out.
        if !["check ", "show "].contains(&command) {
            refused(&machine, &format!("{command}--piece king"), &["--piece", "which board"]);
            refused(&machine, &format!("{command}--wrap torus"), &["--wrap", "which board"]);
        }
        refused(&machine, &format!("{command}--without a1"), &["--without", "which board"]);
    }
    for options in ["--from a1", "--to a1", "--open", "--closed"] {
        refused(&machine, &format!("status {options}"), &["which board"]);
        refused(&machine, &format!("status {options} run.kt"), &["a checkpoint tells its tours"]);
    }
    for (arguments, words) in [
        ("--size 3 --piece queen", ["pieces that slide, such as `queen`", "king"]),
        ("--size 3 --piece 0,0", ["0,0", "out of range"]),
        ("--size 3 --wrap ball", ["ball", "torus"]),
        ("--size 3 --without z9", ["z9", "c3"]),
        ("--size 3 --without 1,2", ["`1` is not a square", "a1,h8"]),
        ("--size 1 --without a1", ["no square", "left"]),
        ("--size 3 --without b2 --from b2", ["b2", "left out"]),
        ("--size 200 --piece king", ["200 x 200", "too large"]),
    ] {
        refused(&machine, arguments, &words);
    }
    assert_eq!(machine.files(), Vec::<String>::new());
}

#[test]
fn files_that_are_not_boards_or_graphs_are_refused_with_the_line() {
    let machine = Machine::new();
    for (option, content, words) in [
        ("--board", "...\n..\n", ["line 2", "a row of 2"]),
        ("--board", "...\n.X.\n", ["line 2", "`X`"]),
        ("--board", "% a comment\n..\n", ["line 1", "`%`"]),
        ("--board", "", ["line 1", "without a drawing"]),
        ("--board", "##\n##\n", ["line 2", "no square"]),
        ("--graph", "1 2\n2 2\n", ["line 2", "itself"]),
        ("--graph", "1 2\n\n2 1\n2 3\n", ["line 3", "line 1"]),
        ("--graph", "1 2 3\n", ["not sure", "--graph-format weights or adjacency"]),
        ("--graph", "<gml>\n", ["line 1", "the formats of graphs are an edge list"]),
        ("--graph", "p edge 2 2\ne 1 2\n", ["line 2", "promises 2 edges"]),
        ("--graph", "p edge 2 1\ne 1 3\n", ["line 2", "`3`"]),
        ("--graph", ">>graph6<<Bx\n", ["line 1", "bits"]),
        ("--graph", "", ["bad", "no vertex"]),
    ] {
        let path = file(&machine, "bad", content);
        refused(&machine, &format!("{option} {}", path.display()), &words);
        refused(&machine, &format!("list {option} {}", path.display()), &words);
    }
    let (code, _, message) = ran(&machine, "--board /nowhere.txt");
    assert_eq!(code, Some(1), "{message}");
    assert!(message.contains("/nowhere.txt"), "{message}");
}

#[test]
fn several_drawings_are_counted_each_on_one_line() {
    let machine = Machine::new();
    let boards =
        file(&machine, "boards.txt", "...\n.#.\n...\n\n\n....\n....\n....\r\n\n##.\n..#\n");
    let boards = boards.display();
    let closed = printed(&machine, &format!("count --board {boards} --closed"));
    let lines: Vec<&str> = closed.lines().collect();
    assert_eq!(lines[0], "1 closed knight's tour of 3x3 without b2");
    assert_eq!(lines[1], "0 closed tours of 3x4");
    let apart = "there is no such tour: no moves lead from some squares to others";
    assert_eq!(lines[2], format!("0 closed knight's tours of 2x3 without c1 a2 b2; {apart}"));
    assert_eq!(lines.len(), 3, "{closed}");
    assert_eq!(printed(&machine, &format!("--board {boards} -q")), "16\n16\n0\n");
    let objects = printed(&machine, &format!("--board {boards} --json"));
    let objects: Vec<Value> =
        objects.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let directed: Vec<&Value> = objects.iter().map(|object| &object["directed"]).collect();
    assert_eq!(directed, ["16", "16", "0"]);
    assert_eq!(objects[0]["board"], "3x3 without=b2");
    let classes = printed(&machine, &format!("--board {boards} --classes -q"));
    assert_eq!(classes.lines().nth(2), Some("0 0"));

    let ring = file(&machine, "ring.txt", "111\n101\n111\n");
    assert_eq!(printed(&machine, &format!("--board {} --legend 10 -q", ring.display())), "16\n");
    refused(&machine, "--size 3 --legend 10", &["--legend is for the drawings"]);
    refused(&machine, &format!("--board {} --legend 1", ring.display()), &["two characters"]);

    let kept = machine.folder.path().join("units.txt");
    for option in ["--starts".to_owned(), format!("--keep-units {}", kept.display())] {
        refused(&machine, &format!("--board {boards} {option}"), &["one board", "3"]);
    }
    refused(&machine, &format!("--board {boards} --from b2"), &["board 1", "b2"]);
    for command in ["list", "find", "nth 1", "estimate", "random"] {
        refused(&machine, &format!("{command} --board {boards}"), &["3 boards", "kt-enum count"]);
    }
    assert_eq!(machine.files(), Vec::<String>::new());
}

#[test]
fn a_board_is_read_from_standard_input() {
    let machine = Machine::new();
    let run = |arguments: &[&str], input: &str| {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin("kt-enum"))
            .args(arguments)
            .env("XDG_STATE_HOME", machine.folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A command that refuses its words may end before it is written to.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        child.wait_with_output().unwrap()
    };
    let counted = run(&["count", "--board", "-", "-q"], "...\n.#.\n...\n\n...\n...\n...\n...\n");
    assert_eq!(text(&counted.stdout), "16\n16\n");
    let counted = run(&["--graph", "-", "-q"], "1 2\n2 3\n");
    assert_eq!(text(&counted.stdout), "2\n");
    let refused = run(&["check", "--board", "-"], "...\n");
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("cannot be both"), "{}", text(&refused.stderr));
}

#[test]
fn a_question_without_tours_is_answered_at_once_with_the_reason() {
    let machine = Machine::new();
    for (board, reason) in [
        ("--size 100 --piece camel", "no moves lead from some squares to others"),
        ("--size 9x11 --piece wazir --closed", "one colour has 50 of the squares and the other 49"),
        (
            "--size 8 --without a1,h8 --piece wazir",
            "one colour has 32 of the squares and the other 30",
        ),
        ("--size 20 --without b3,c3 --closed", "a1, which has fewer"),
    ] {
        let answer = printed(&machine, board);
        assert!(answer.starts_with("0 ") && answer.contains(reason), "{board}: {answer}");
        assert_eq!(printed(&machine, &format!("{board} -q")), "0\n");
        let answer = json(&machine, &format!("{board} --json"));
        assert_eq!(answer["directed"], "0");
        assert!(answer["reason"].as_str().unwrap().contains(reason), "{answer}");
        let estimate = printed(&machine, &format!("estimate {board}"));
        assert!(estimate.contains("0 nodes") && estimate.contains(reason), "{estimate}");
        assert!(json(&machine, &format!("estimate {board} --json"))["reason"].is_string());
        for command in ["list", "random"] {
            let (code, result, note) = ran(&machine, &format!("{command} {board}"));
            assert_eq!((code, result.as_str()), (Some(0), ""), "{command} {board}: {note}");
            assert!(note.contains("there are no ") && note.contains(reason), "{note}");
        }
        refused(&machine, &format!("nth 1 {board}"), &["there are no ", reason]);
        let (code, _, note) = ran(&machine, &format!("find {board}"));
        assert_eq!(code, Some(0), "{note}");
        assert!(note.contains("there is no ") && note.contains(reason), "{note}");
        assert!(json(&machine, &format!("find {board} --json"))["tour"].is_null());
    }
    let plain = json(&machine, "--size 5 --closed --json");
    assert!(plain["reason"].as_str().unwrap().contains("13 of the squares"), "{plain}");
    assert!(plain["units"].as_u64() > Some(0), "{plain}");
}

/// Its colours, or its corners, leave no tour from the first square, but other squares have some.
#[test]
fn a_tour_starts_elsewhere_where_none_starts_on_the_first_square() {
    let machine = Machine::new();
    let boards = [
        "--size 4 --piece wazir --without a3",
        "--size 4x3 --without b4",
        "--size 4x4 --wrap cylinder --without d4",
    ];
    for board in boards {
        for strategy in ["auto", "pruned", "warnsdorff"] {
            let tour =
                printed(&machine, &format!("find {board} --strategy {strategy} --format squares"));
            let tours = file(&machine, "tour.txt", &tour);
            let verdict = printed(&machine, &format!("check {board} {}", tours.display()));
            assert_eq!(verdict, "open\n", "{board}: {tour}");
            let found = json(&machine, &format!("find {board} --strategy {strategy} --json"));
            assert!(tour.contains(&format!("\n{} ", found["from"].as_str().unwrap())), "{found}");
        }
        let first = printed(&machine, &format!("count {board} --from a1 -q"));
        assert_eq!(first, "0\n", "{board}");
        let (code, _, note) = ran(&machine, &format!("find {board} --from a1"));
        assert_eq!(code, Some(0));
        assert!(note.contains(" from a1: "), "{note}");
    }
    let (_, _, note) = ran(&machine, "find --size 3 --piece wazir --without a1,c1,a3,c3");
    assert!(note.contains("there is no open tour of ") && !note.contains(" from "), "{note}");
}

#[test]
fn commands_that_cannot_take_a_board_say_so() {
    let machine = Machine::new();
    let graph = file(&machine, "graph.txt", "1 2\n2 3\n");
    let tours = file(&machine, "tours.txt", "1 2 3\n");
    let (graph, tours) = (graph.display(), tours.display());
    refused(&machine, &format!("show {tours} --graph {graph}"), &["no places", "show"]);
    assert!(
        printed(&machine, &format!("stats {tours} --graph {graph}")).starts_with("1 open tour")
    );
    let units = machine.folder.path().join("units.txt");
    let units = units.display();
    printed(&machine, &format!("--graph {graph} --keep-units {units} -q"));
    refused(&machine, &format!("report {units}"), &["no places", "report"]);
    for command in ["list", "find"] {
        let arguments = format!("{command} --size 4 --piece king --order linear");
        refused(&machine, &arguments, &["--order", "whole rectangle"]);
    }
    refused(&machine, "table --rows 3 --up-to 4 --piece king", &["--piece", "whole rectangles"]);
    refused(&machine, "compare --sizes 5 --wrap torus", &["--wrap", "whole rectangles"]);
}

/// Nothing is known of the classes of a graph whose symmetries are too many to be looked for.
#[test]
fn classes_of_a_graph_with_thousands_of_symmetries_are_neither_counted_nor_listed() {
    let machine = Machine::new();
    let pairs = (0..7).flat_map(|one| (0..one).map(move |other| (one, other)));
    let edges: String = pairs.map(|(one, other)| format!("{one} {other}\n")).collect();
    let path = file(&machine, "complete.txt", &edges);
    for command in ["count", "list"] {
        let arguments = format!("{command} --graph {} --closed --classes", path.display());
        refused(&machine, &arguments, &["more symmetries", "leave out --classes"]);
    }
}

#[test]
fn units_of_any_board_are_kept_merged_and_audited_under_its_name() {
    let machine = Machine::new();
    let graph =
        file(&machine, "cube.txt", "0 1\n1 3\n3 2\n2 0\n4 5\n5 7\n7 6\n6 4\n0 4\n1 5\n2 6\n3 7\n");
    let folder = |name: &str| machine.folder.path().join(name).display().to_string();
    for (name, board, described, directed) in [
        (
            "holes",
            "--size 3 --without b2".to_owned(),
            "\"rows\":3,\"cols\":3,\"board\":\"3x3 without=b2\"",
            "16",
        ),
        (
            "cube",
            format!("--graph {}", graph.display()),
            "\"rows\":null,\"cols\":null,\"board\":\"graph 0-1,",
            "144",
        ),
    ] {
        let units = folder(&format!("{name}.units"));
        let counted = json(&machine, &format!("{board} --engine walk --keep-units {units} --json"));
        assert_eq!(counted["directed"], directed);
        let kept = fs::read_to_string(&units).unwrap();
        assert!(kept.lines().nth(1).unwrap().contains(described), "{kept}");
        let audited = json(&machine, &format!("audit {units} --json"));
        assert_eq!(audited["fingerprint"], counted["fingerprint"]);
        assert_eq!(audited["board"], counted["board"]);
        let parts = folder(name);
        for shard in ["0/2", "1/2"] {
            printed(&machine, &format!("shard {shard} {board} --engine walk --out {parts} -q"));
        }
        let merged = json(&machine, &format!("merge {parts} --json"));
        for field in ["directed", "fingerprint", "board", "rows"] {
            assert_eq!(merged[field], counted[field], "{name}: {field}");
        }
    }
}

#[test]
fn a_run_that_stops_is_kept_under_a_name_of_its_board() {
    let machine = Machine::new();
    let holes = "--size 8 --without a1,a2 --engine walk --memo off";
    let (code, _, message) = ran(&machine, &format!("{holes} --max-time 0.1"));
    assert_eq!(code, Some(75), "{message}");
    assert!(
        machine.files().contains(&"open-8x8-without-a1_a2.kt".to_owned()),
        "{:?}",
        machine.files()
    );
    let status = json(&machine, "status --json");
    assert_eq!(status["board"], "8x8 without=a1,a2");
    let command = status["command"].as_str().unwrap();
    assert!(command.contains("--size 8x8 --without a1,a2"), "{command}");
    let other = printed(&machine, "status --size 8 --without a1");
    assert!(other.contains("no counts are stopped"), "{other}");
    let discarded = printed(&machine, "status --size 8 --without a1,a2 --discard");
    assert!(discarded.contains("is removed"), "{discarded}");
    assert_eq!(machine.files(), Vec::<String>::new());
}

#[test]
fn starts_of_a_board_whose_colours_exclude_all_tours_are_all_zero() {
    // A diagonal move leads from an outer row to the middle row or back, and two of three rows are
    // outer rows.
    let machine = Machine::new();
    for board in ["3x4 --piece 1,1", "3x5 --piece 1,1"] {
        let answer = json(&machine, &format!("--size {board} --starts --json"));
        assert_eq!(answer["directed"], "0", "{board}");
        let starts = answer["starts"].as_array().unwrap();
        assert!(starts.iter().all(|start| start["directed"] == "0"), "{board}: {starts:?}");
    }
}

#[test]
fn units_of_the_smallest_boards_are_audited_reported_and_counted_again_at_the_cut_that_they_name() {
    let machine = Machine::new();
    let units = machine.folder.path().join("units.txt").display().to_string();
    for board in ["--size 3x2", "--size 1x7 --closed", "--size 6x1", "--size 1"] {
        let count = format!("count {board} --engine frontier --json");
        let counted = json(&machine, &format!("{count} --keep-units {units} --overwrite"));
        // The sample has all units of the smallest ones, and never none of the work.
        let audited = printed(&machine, &format!("audit {units} --sample 1000"));
        assert!(audited.contains(", 100.0 % of the estimated work"), "{board}: {audited}");
        printed(&machine, &format!("report {units}"));
        let again = json(&machine, &format!("{count} --cut {}", counted["cut"].as_str().unwrap()));
        assert_eq!(again["fingerprint"], counted["fingerprint"], "{board}");
    }
    for board in
        ["--size 1x2 --piece wazir", "--size 3x1 --piece wazir --wrap cylinder --without a1"]
    {
        let count = format!("count {board} --closed --engine walk --split-depth 0 -q");
        assert_eq!(printed(&machine, &format!("{count} --keep-units {units} --overwrite")), "0\n");
        printed(&machine, &format!("audit {units}"));
    }
}

#[test]
fn a_unit_that_no_simpler_engine_can_recount_is_not_said_to_lack_memory() {
    let machine = Machine::new();
    let units = machine.folder.path().join("units.txt").display().to_string();
    let count = "count --size 4x6 --piece wazir --closed --engine subsets -q --keep-units";
    printed(&machine, &format!("{count} {units}"));
    let (code, _, message) = ran(&machine, &format!("audit {units} --memory 600M"));
    assert_eq!(code, Some(1), "{message}");
    assert!(message.contains("no simpler engine can recount"), "{message}");
}

#[test]
fn a_reflection_that_is_also_a_half_turn_selects_the_same_tours() {
    let machine = Machine::new();
    let columns = "list --size 10x1 --piece 0,1+0,3 --wrap cylinder --symmetry";
    let turned = printed(&machine, &format!("{columns} half-turn"));
    assert!(!turned.is_empty());
    assert_eq!(turned, printed(&machine, &format!("{columns} top-bottom")));
}
