//! Puzzles on the command line: solved, proved unique, made.

use crate::common::{Machine, text};
use kt_enum::board::{Board, Square, Symmetry};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

/// A published closed knight's puzzle of twelve numbers with one solution.
const TWELVE: &str = "\
.. .. .. .. .. .. .. ..
.. .. .. 01 18 .. .. ..
.. .. 15 .. .. 64 .. ..
.. 29 .. .. .. .. 04 ..
.. 20 .. .. .. .. 33 ..
.. .. 22 .. .. 57 .. ..
.. .. .. 36 53 .. .. ..
.. .. .. .. .. .. .. ..
";

/// A king's puzzle for each technique, with its name and the hint.
const HINTS: [(&str, &str, &str); 7] = [
    (
        " .  9 11  .\n .  .  .  7\n .  .  .  .\n",
        "next",
        "8 goes on c2: no other square fits between 7 on d2 and 9 on b3",
    ),
    (
        " 1 10  .  .\n .  .  .  .\n .  .  6  4\n",
        "gap",
        "2 goes on b2: the only way from 1 on a3 to 4 on d1 is b2, c2",
    ),
    (
        " .  .  .  .\n12  .  .  .\n .  .  8  9\n",
        "one_square",
        "10 goes on c2: no other square fits between 9 on d1 and 12 on a2",
    ),
    (
        "10  .  .  5\n12  .  .  .\n .  .  2  .\n",
        "one_step",
        "8 goes on a1: no other number fits a1",
    ),
    (
        " .  7 11  .\n .  .  .  .\n .  .  5  .\n",
        "region",
        "6 goes on b2: 6 on c2 would cut off d1, d2 and d3",
    ),
    (
        " .  4 12  .\n .  .  . 11\n .  2  .  .\n",
        "exits",
        "10 goes on d3: d3 has only the moves to c2 and d2 left, so it lies between them; d3 can \
         only be 10",
    ),
    (
        " .  5  . 11\n .  .  .  .\n 1  .  9  .\n",
        "guess",
        "8 goes on d1: everything else leads to a contradiction; if 7 is on d1, b2 can only be 2, 3 \
         or 4; b1 can only be 2 or 3; c1 has only the moves to c2 and d2 left, so it lies between \
         them; no path through d1 is left",
    ),
];

/// Runs a command on a file with this text and returns the exit code and what it printed.
fn answered(command: &str, puzzles: &str) -> (Option<i32>, String, String) {
    let machine = Machine::new();
    let path = machine.folder.path().join("puzzles.txt");
    fs::write(&path, puzzles).unwrap();
    let output = machine.kt(command).arg(&path).output().unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn twelve_numbers_have_exactly_one_closed_tour() {
    let (code, said, _) = answered("solve --closed --unique", TWELVE);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.starts_with("# board 8x8 closed\n27 14 17 10  7  2 63 60\n"), "{said}");
    assert!(said.ends_with("exactly one solution\n"), "{said}");
}

#[test]
fn two_solutions_are_shown_with_the_squares_on_which_they_differ_and_are_not_unique() {
    let puzzle = "1 . .\n. . .\n. . 9\n";
    let (code, said, _) = answered("solve --piece king", puzzle);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("more than one solution; these two differ on "), "{said}");
    assert!(said.contains('*'), "{said}");
    let (code, _, complaint) = answered("solve --piece king --unique", puzzle);
    assert_eq!(code, Some(3), "{complaint}");
    assert!(complaint.contains("1 of 1 board without exactly one solution"), "{complaint}");
}

#[test]
fn boards_of_a_file_are_answered_one_on_a_line_with_reasons() {
    let puzzles = "1 . 3\n. 5 .\n7 . 9\n\n1 9 .\n. . .\n. . 2\n\n1 2 3\n6 5 4\n7 8 9\n";
    let (code, said, _) = answered("solve --piece king", puzzles);
    assert_eq!(code, Some(0), "{said}");
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].starts_with("1: "), "{said}");
    let reason = "2: no solution: two clues that no path joins: 1 on a3 and 2 on c1";
    assert_eq!(lines[1..], [reason, "3: exactly one solution"], "{said}");
}

#[test]
fn a_number_of_clues_that_a_symmetry_never_leaves_is_refused_with_those_around_it() {
    for (options, why) in [
        ("--clues 35", "a puzzle of this kind has 34 clues at most"),
        ("--clues 9", "clues that the symmetry keeps are 8 or 10 here, not 9"),
        ("--clues 1", "a puzzle of this kind has at least 2 clues"),
        ("--clues 10 --symmetric quarter-turn", "are 8 or 12 here, not 10"),
    ] {
        let symmetric = if options.contains("symmetric") { "" } else { " --symmetric" };
        let command = format!("puzzle --size 6 --seed 1 {options}{symmetric}");
        let output = Machine::new().kt(&command).output().unwrap();
        let said = text(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains(why), "{options}: {said}");
    }
    // Where the ends are depends on the tour, and another one may do.
    for seed in 1..9 {
        let hidden = "puzzle --size 5 --ends hidden --symmetric half-turn --clues 13";
        let output = Machine::new().kt(&format!("{hidden} --seed {seed}")).output().unwrap();
        assert!(output.status.success(), "{seed}: {}", text(&output.stderr));
    }
}

#[test]
fn links_of_an_object_hold_with_and_without_its_board() {
    let object = r#"{"clues": [[1, "a3"], [9, "c1"]], "links": ["a3-b3"]}"#;
    let named = object.replacen('{', r#"{"board": "3x3 piece=king", "#, 1);
    let bare = "# board 3x3 piece=king links=a3-b3\n1 . .\n. . .\n. . 9\n";
    let below = format!("# board 3x3 piece=king links=a3-a2\n{bare}");
    for text in [object, &named, bare, &below] {
        let (_, said, _) = answered("solve --count --size 3 --piece king", text);
        assert_eq!(said, "12 solutions\n", "{text}");
    }
}

#[test]
fn links_that_no_tour_has_are_an_answer_as_is_a_board_without_tours() {
    let links = "b3-d2,d2-b1,b1-c3,c3-a2,a2-c1,c1-e2,e2-f4,f4-e6";
    let of_6x6 = |kind| format!("puzzle --size 6 {kind} --link {links} --seed 1");
    let made = Machine::new().kt(&of_6x6("--open")).output().unwrap();
    assert!(made.status.success() && !made.stdout.is_empty(), "{}", text(&made.stderr));
    for (command, of) in [
        (of_6x6("--closed"), "closed tours of 6x6"),
        ("puzzle --size 3x4 --link b1-c3,c1-b3 --seed 1".to_owned(), "open tours of 3x4"),
    ] {
        let output = Machine::new().kt(&command).output().unwrap();
        let said = text(&output.stderr);
        assert!(output.status.success() && output.stdout.is_empty(), "{said}");
        assert_eq!(said, format!("kt-enum: none of the {of} has these links\n"));
    }
}

#[test]
fn a_board_with_one_solution_is_not_said_to_have_no_next_step() {
    let rows = [
        " .  .  .  .  .  .  .  .",
        " . 38  . 48  .  .  .  .",
        " .  . 56  .  .  .  .  .",
        " .  .  . 14  .  .  .  .",
        " .  .  . 27  .  . 34  .",
        " . 64  . 10  .  .  .  .",
        " . 17  2 63  .  .  .  .",
        " 1  .  .  .  .  .  .  .",
    ];
    let (code, said, _) = answered("solve --closed --hint --json", &rows.join("\n"));
    assert!(code == Some(0) && said.contains(r#""verdict":"unique""#), "{said}");
    let (_, said, _) = answered("solve --piece king --hint", "1 . .\n. . .\n. . 9\n");
    assert_eq!(said, "no step was found that follows from what is given\n");
}

#[test]
fn all_solutions_are_counted_and_listed_up_to_a_limit() {
    let empty = ". . . . .\n".repeat(5);
    let (_, said, _) = answered("solve --count", &empty);
    assert_eq!(said, "1,728 solutions\n");
    let (_, said, _) = answered("solve --count --limit 100", &empty);
    assert_eq!(said, "at least 100 solutions\n");
    let (_, said, _) = answered("solve --all --limit 3 --json", &empty);
    let json = |line| serde_json::from_str::<serde_json::Value>(line).unwrap();
    let json: Vec<_> = said.lines().map(json).collect();
    assert_eq!(json.len(), 4, "{said}");
    assert!(json[..3].iter().all(|line| line["solution"].as_array().unwrap().len() == 25));
    assert_eq!((&json[3]["verdict"], &json[3]["count"]), (&"several".into(), &"3".into()));
    assert_eq!(json[3]["at_least"], true);
}

#[test]
fn solutions_are_printed_as_they_are_found_and_only_as_many_as_are_read() {
    // To find all of its tours takes minutes.
    let machine = Machine::new();
    let path = machine.folder.path().join("empty.txt");
    fs::write(&path, ". . . . . .\n".repeat(6)).unwrap();
    let mut child = machine.start(&format!("solve --all {}", path.display()));
    let mut first = [0; 1_000];
    std::io::Read::read_exact(&mut child.stdout.take().unwrap(), &mut first).unwrap();
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_hint_is_not_given_where_there_is_no_solution_or_nothing_to_fill() {
    let (_, said, _) = answered("solve --piece king --hint", "1 9 .\n. . .\n. . 2\n");
    assert!(said.starts_with("no solution: "), "{said}");
    let (_, said, _) = answered("solve --piece king --hint", "1 2 3\n6 5 4\n7 8 9\n");
    assert_eq!(said, "every step is given\n");
    // Steps alternate in colour, and 1 is on one of the twelve squares of the rarer one.
    let one = ". . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . 1 .\n";
    let (_, said, _) = answered("solve --piece wazir --hint", one);
    assert!(said.starts_with("no solution: "), "{said}");
    let (_, said, _) = answered("solve --piece wazir --count --json", one);
    assert!(said.contains("\"count\":\"0\""), "{said}");
}

#[test]
fn puzzles_of_joined_edges_of_holes_and_of_graphs_are_made_and_solved() {
    let machine = Machine::new();
    let graph = machine.folder.path().join("graph.txt");
    fs::write(&graph, "a b\nb c\nc d\nd a\na c\nd e\ne f\nf a\n").unwrap();
    let graph = format!("--graph {} --graph-format edge-list", graph.display());
    let strip = "--size 5x1 --piece wazir --without a5";
    for board in ["--size 4x5 --wrap torus", "--size 6 --without a1,a2", strip, &graph] {
        let made = machine.kt(&format!("puzzle {board} --seed 3")).output().unwrap();
        assert!(made.status.success(), "{board}: {}", text(&made.stderr));
        let board = board.split(" --without").next().unwrap();
        let board = board.replace("--size 6", "").replace("--size 5x1 ", "");
        let (code, said, complaint) =
            answered(&format!("solve --unique {board}"), &text(&made.stdout));
        assert_eq!(code, Some(0), "{board}: {said}{complaint}\n{}", text(&made.stdout));
    }
}

#[test]
fn what_is_not_decided_in_time_is_never_called_unique() {
    // Its tours are far too many to be counted.
    let empty = ". . . . . . . .\n".repeat(8);
    let (code, said, complaint) = answered("solve --count --max-time 200ms", &empty);
    assert_eq!(code, Some(75), "{complaint}");
    assert!(said.starts_with("more than one solution: "), "{said}");
    assert!(complaint.contains("with 0 boards decided before"), "{complaint}");
}

#[test]
fn a_hint_is_the_next_number_with_its_reason() {
    let (_, said, _) = answered("solve --piece king --hint", "1 . 3\n6 5 4\n7 8 9\n");
    assert_eq!(said, "2 goes on b3: no other square fits between 1 on a3 and 3 on c3\n");
}

#[test]
fn puzzles_that_are_wrong_are_refused_with_their_place_and_the_reason() {
    for (puzzle, reasons) in [
        ("1 . 3\n. 3 .\n. . 9\n", ["line", "3"]),
        ("1 . 3\n. 12 .\n. . 9\n", ["row 2, column 2", "12"]),
        ("1 . 3\n. .\n. . 9\n", ["line 2", "2"]),
        ("", ["no board", ""]),
    ] {
        let (code, said, complaint) = answered("solve --piece king", puzzle);
        assert_eq!(code, Some(2), "{puzzle}: {said} {complaint}");
        for reason in reasons {
            assert!(complaint.contains(reason), "{complaint}");
        }
    }
}

#[test]
fn lines_of_words_that_are_skipped_in_a_file_of_puzzles_are_named() {
    let (code, said, note) =
        answered("solve --piece king", "My third board\n1 2 3\n6 5 4\n7 8 9\n");
    assert_eq!((code, said.ends_with("exactly one solution\n")), (Some(0), true), "{said}{note}");
    assert!(note.contains("skipped 1 line of words in "), "{note}");
}

#[test]
fn puzzles_that_are_made_have_one_solution_and_the_same_seed_makes_the_same() {
    let machine = Machine::new();
    for options in [
        "--size 6 --seed 1",
        "--size 6 --closed --seed 2 --count 2",
        "--size 8 --closed --seed 3 --clues 14",
        "--size 5 --piece king --seed 4 --symmetric",
        "--size 6 --piece wazir --seed 5 --ends shown",
        // So large that numbers stay where it takes long to prove that they may go.
        "--size 11 --seed 6",
    ] {
        let made = |options: &str| {
            let output = machine.kt("puzzle").args(options.split(' ')).output().unwrap();
            assert!(output.status.success(), "{options}: {}", text(&output.stderr));
            text(&output.stdout)
        };
        let puzzles = made(options);
        assert_eq!(puzzles, made(options), "{options}");
        // The solution of each puzzle stands behind it.
        let words: Vec<&str> = options.split(' ').collect();
        let piece = words.iter().position(|&word| word == "--piece");
        let piece = piece.map_or(String::new(), |place| format!(" --piece {}", words[place + 1]));
        let closed = if words.contains(&"--closed") { " --closed" } else { "" };
        let (code, said, complaint) = answered(&format!("solve --unique{piece}{closed}"), &puzzles);
        assert_eq!(code, Some(0), "{options}: {said}{complaint}\n{puzzles}");
        assert!(said.lines().count() >= 2, "{said}");
    }
}

#[test]
fn hidden_ends_leave_a_symmetric_puzzle_symmetric_and_another_tour_is_taken_where_they_are_needed()
{
    let machine = Machine::new();
    let made = |options: &str| {
        let output =
            machine.kt(&format!("puzzle {options} --ends hidden --json")).output().unwrap();
        assert!(output.status.success(), "{options}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    for seed in 1..=3 {
        let puzzle: Value =
            serde_json::from_str(&made(&format!("--size 6 --symmetric --seed {seed}"))).unwrap();
        let squares = puzzle["clues"].as_array().unwrap().iter();
        let squares: BTreeSet<[u8; 2]> =
            squares.map(|clue| clue[1].as_str().unwrap().as_bytes().try_into().unwrap()).collect();
        let turned = squares.iter().map(|[col, row]| [b'a' + b'f' - col, b'1' + b'6' - row]);
        assert_eq!(turned.collect::<BTreeSet<_>>(), squares, "{puzzle}");
    }
    // Some tours of this board are not determined by all steps but the ends.
    assert_eq!(made("--size 4 --piece king --count 12 --seed 1").lines().count(), 12);
    // No closed tour of this one is, if its ends are at a1.
    for seed in 1..=3 {
        made(&format!("--rows 4 --cols 2 --piece king --closed --seed {seed}"));
    }
}

#[test]
fn more_numbers_than_a_puzzle_can_have_are_refused_with_the_most() {
    let machine = Machine::new();
    for (options, most) in [("--clues 16", 15), ("--clues 15 --ends hidden", 14)] {
        let output =
            machine.kt(&format!("puzzle --size 4 --piece king {options} --seed 2")).output();
        let output = output.unwrap();
        assert_eq!(output.status.code(), Some(2));
        let said = text(&output.stderr);
        assert!(said.contains(&format!("{most} clues at most: give fewer --clues")), "{said}");
    }
}

#[test]
fn a_puzzle_with_too_few_numbers_is_refused_with_what_is_possible() {
    let machine = Machine::new();
    let output = machine.kt("puzzle --size 6 --seed 1 --clues 1").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("give more --clues"), "{}", text(&output.stderr));
}

#[test]
fn puzzles_have_the_grades_that_are_asked_for_from_the_easiest_in_text_in_json_and_on_the_sheet() {
    let machine = Machine::new();
    let wanted = ["gentle", "gentle", "easy", "easy", "medium", "medium", "hard", "hard"];
    let options = "puzzle --size 6 --piece king --difficulty gentle..hard --count 8 --seed 2";
    let made = |more: &str| text(&machine.kt(&format!("{options}{more}")).output().unwrap().stdout);
    let json = made(" --json");
    let grades = json.lines().map(|line| {
        let puzzle: Value = serde_json::from_str(line).unwrap();
        let difficulty = &puzzle["difficulty"];
        let hints = ["next", "gaps", "one_square", "one_step", "moves", "regions", "guesses"];
        let hints: u64 = hints.iter().map(|name| difficulty[name].as_u64().unwrap()).sum();
        assert_eq!(hints as usize + puzzle["clues"].as_array().unwrap().len(), 36);
        assert!(difficulty["longest_chain"].as_u64() > Some(0), "{line}");
        difficulty["grade"].as_str().unwrap().to_owned()
    });
    assert_eq!(grades.collect::<Vec<_>>(), wanted);
    let puzzles = made("");
    let said = puzzles.lines().filter_map(|line| line.split_once(" given; ")?.1.split_once(": "));
    let said: Vec<(&str, &str)> = said.collect();
    assert_eq!(said.iter().map(|(grade, _)| *grade).collect::<Vec<_>>(), wanted);
    let mut show = machine.kt("show --format sheet");
    let sheet = text(&show.write_stdin(puzzles.clone()).output().unwrap().stdout);
    for (grade, techniques) in said {
        assert!(sheet.contains(&format!("given, {grade}<small>{techniques}</small>")));
    }
    let wrong = machine.kt("puzzle --size 6 --difficulty hard..easy").output().unwrap();
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("give gentle, easy, medium or hard, or a range"));
}

#[test]
fn a_grade_that_no_tour_of_a_board_has_is_refused() {
    let machine = Machine::new();
    let output = machine.kt("puzzle --size 1x4 --piece wazir --difficulty hard --seed 1").output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    assert!(text(&output.stderr).contains("no hard puzzle"), "{}", text(&output.stderr));
}

#[test]
fn hints_name_their_squares_and_show_chains_also_in_json() {
    for (puzzle, technique, words) in HINTS {
        let (_, said, _) = answered("solve --piece king --hint", puzzle);
        assert_eq!(said, format!("{words}\n"), "{technique}");
        let (_, said, _) = answered("solve --piece king --hint --json", puzzle);
        let json: Value = serde_json::from_str(&said).unwrap();
        assert_eq!(json["hint"]["technique"], technique);
        assert_eq!(json["hint"]["words"], words);
        let chain = json["hint"]["chain"].as_array().unwrap();
        let told = chain.iter().filter(|part| words.contains(part.as_str().unwrap()));
        assert_eq!(told.count(), chain.len(), "{said}");
    }
}

#[test]
fn another_tour_is_taken_where_one_needs_more_numbers() {
    let machine = Machine::new();
    let output =
        machine.kt("puzzle --size 6 --clues 6 --count 30 --seed 1 --json").output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let puzzles = text(&output.stdout);
    let clues = |line: &str| {
        let puzzle: Value = serde_json::from_str(line).unwrap();
        puzzle["clues"].as_array().unwrap().len()
    };
    assert_eq!(puzzles.lines().map(clues).collect::<Vec<_>>(), [6; 30]);
}

#[test]
fn no_two_solutions_of_a_call_are_images_of_each_other_until_there_are_no_others() {
    let machine = Machine::new();
    // 3x4 has 16 directed tours: 4 up to the symmetries of the board and the direction, or fewer.
    for (options, classes) in [("--size 3x4", 3), ("--size 6 --closed", 60), ("--size 5", 60)] {
        let line = format!("puzzle {options} --count 60 --seed 1 --json");
        let output = machine.kt(&line).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        let mut seen = BTreeSet::new();
        let puzzles = text(&output.stdout);
        for line in puzzles.lines() {
            let puzzle: Value = serde_json::from_str(line).unwrap();
            let board: Board = puzzle["board"].as_str().unwrap().parse().unwrap();
            let squares = puzzle["solution"].as_array().unwrap().iter();
            let squares: Vec<_> =
                squares.map(|name| board.parse_square(name.as_str().unwrap()).unwrap()).collect();
            let ends = [squares.clone(), squares.iter().rev().copied().collect()];
            let images = ends.iter().flat_map(|squares| {
                let image = |symmetry: &Symmetry| -> Vec<_> {
                    squares.iter().map(|&square| symmetry.apply(&board, square)).collect()
                };
                Symmetry::of(&board).iter().map(image).collect::<Vec<_>>()
            });
            let turned = |mut image: Vec<Square>| {
                if puzzle["closed"] == true {
                    let first = image.iter().position(|square| square.index() == 0).unwrap();
                    image.rotate_left(first);
                }
                image
            };
            seen.insert(images.map(turned).min().unwrap());
        }
        assert_eq!(puzzles.lines().count(), 60);
        assert!(seen.len() >= classes, "{options}: {}", seen.len());
    }
}

#[test]
fn large_puzzles_are_made_and_a_puzzle_that_is_cut_short_is_unique_and_says_so() {
    let machine = Machine::new();
    for (size, kind, time, is_finished) in [
        (24, "--piece king", "100s", true),
        (20, "--piece wazir", "100s", true),
        (12, "--closed", "100s", true),
        (12, "--without b1,l8", "100s", true),
        // Finished, they would take ten times as long, and a tenth of the time gives a puzzle.
        (40, "", "3s", false),
        (40, "--closed", "3s", false),
    ] {
        let line = format!("puzzle --size {size} {kind} --seed 1 --max-time {time}");
        let output = machine.kt(&line).output().unwrap();
        let (puzzle, said) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{line}: {said}");
        let is_short = puzzle.contains("given; perhaps more than are needed, for it was stopped");
        assert_eq!(
            (is_short, puzzle.contains("given; hard: ")),
            (!is_finished, is_finished),
            "{line}"
        );
        let (code, verdict, complaint) = answered("solve --unique", &puzzle);
        assert_eq!(code, Some(0), "{line}: {verdict}{complaint}");
    }
    let output =
        machine.kt("puzzle --size 16 --seed 1 --count 500 --max-time 1s").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(said.contains("stopped after ") && said.contains(" made"), "{said}");
}

#[test]
fn numbers_stand_where_a_symmetry_or_a_drawing_wants_them() {
    let machine = Machine::new();
    let made = |options: &str| {
        let output = machine.kt(&format!("puzzle {options} --json")).output().unwrap();
        assert!(output.status.success(), "{options}: {}", text(&output.stderr));
        let puzzle: Value = serde_json::from_slice(&output.stdout).unwrap();
        let clues = puzzle["clues"].as_array().unwrap().iter();
        let square = |clue: &Value| {
            let name = clue[1].as_str().unwrap().as_bytes();
            [i64::from(name[0] - b'a'), i64::from(name[1] - b'1')]
        };
        clues.map(square).collect::<BTreeSet<[i64; 2]>>()
    };
    type Map = fn([i64; 2]) -> [i64; 2];
    let maps: [(&str, Map); 5] = [
        ("", |[col, row]| [5 - col, 5 - row]),
        (" half-turn", |[col, row]| [5 - col, 5 - row]),
        (" left-right", |[col, row]| [5 - col, row]),
        (" top-bottom", |[col, row]| [col, 5 - row]),
        (" quarter-turn", |[col, row]| [5 - row, col]),
    ];
    for (kind, map) in maps {
        let squares = made(&format!("--size 6 --piece king --seed 1 --symmetric{kind}"));
        assert_eq!(squares.iter().map(|&square| map(square)).collect::<BTreeSet<_>>(), squares);
    }
    let path = machine.folder.path().join("pattern.txt");
    let file = path.display();
    // A frame with some squares within, and the same with blanks.
    fs::write(&path, "xxxxxx\nx....x\nx.oo.x\nx . o o . x\nx....x\nxxxxxx\n").unwrap();
    let squares = made(&format!("--size 6 --piece king --seed 1 --pattern {file}"));
    let is_marked = |&[col, row]: &[i64; 2]| {
        [col, row].iter().any(|at| [0, 5].contains(at))
            || [col, row].iter().all(|at| [2, 3].contains(at))
    };
    assert_eq!(squares.len(), 24);
    assert!(squares.iter().all(is_marked));
    let options = format!("--size 6 --piece king --seed 1 --difficulty easy --pattern {file}");
    assert_eq!(made(&options), squares);
    for (drawing, code, reason) in [
        (
            "x.....\n......\n......\n......\n......\n......\n",
            1,
            "determine none of 10,000 random tours",
        ),
        ("x.....\n", 2, "does not mark squares of 6x6"),
        ("x#.....\n......\n......\n......\n......\n......\n", 2, "does not mark squares of 6x6"),
        ("......\n......\n......\n......\n......\n......\n", 2, "does not mark squares"),
        ("x.....\n.#....\n......\n......\n......\n......\n", 2, "has a hole on b5, a square of"),
    ] {
        fs::write(&path, drawing).unwrap();
        let line = format!("puzzle --size 6 --piece king --seed 1 --pattern {file}");
        let output = machine.kt(&line).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains(reason), "{}", text(&output.stderr));
    }
    // A hexagon as it is drawn, with a hole, or as the rectangle that it is described as.
    let hexagon = "  x . .\n . # . x\nx . . . .\n . . . .\n  . . x\n";
    let filled = "##x..\n#.#.x\nx....\n....#\n..x##\n";
    let without = "d1,e1,e2,a4,a5,b5,c4";
    let [drawn, described] = [hexagon, filled].map(|drawing| {
        fs::write(&path, drawing).unwrap();
        let board = format!("5x5 --piece hex --without {without}");
        made(&format!("{board} --seed 1 --pattern {file}"))
    });
    assert_eq!((drawn.len(), &drawn), (4, &described));
    let output = machine.kt("puzzle --size 6x5 --symmetric quarter-turn").output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
}

#[test]
fn boards_of_hexagons_are_typed_counted_made_and_solved() {
    let machine = Machine::new();
    let said = |line: &str| {
        let output = machine.kt(line).output().unwrap();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    assert_eq!(said("--grid hex --rows 4 --cols 5 --closed --quiet").1, "549\n");
    assert_eq!(said("--grid hex --size 2 --closed --quiet").1, "6\n");
    assert!(said("--grid hex --size 3").1.contains(" tours of a hexagon of side 3 ("));
    assert!(said("--grid hex --rows 2 --cols 3").1.contains(" tours of 2x3 hexagons ("));
    for (line, reason) in [
        ("--grid hex --size 3 --piece king", "--piece"),
        ("--piece hex --size 3 --wrap torus", "a hexagonal board has no joined edges"),
        ("--grid hex", "which board"),
        ("puzzle --grid hex --size 3 --link b2-d4", "no move joins b2 and d4"),
        ("puzzle --grid hex --size 3 --link b2", "is not two squares"),
    ] {
        let (code, _, complaint) = said(line);
        assert_eq!(code, Some(2), "{line}: {complaint}");
        assert!(complaint.contains(reason), "{line}: {complaint}");
    }
    let drawing = machine.folder.path().join("bee.txt");
    fs::write(&drawing, " . . .\n. . # .\n . . .\n").unwrap();
    let count = machine.kt("--grid hex --closed --quiet --board").arg(&drawing).output().unwrap();
    let same = "--size 3x4 --piece hex --without c2,d1,a3 --closed --quiet";
    assert_eq!(text(&count.stdout), said(same).1);
    for options in ["--size 4", "--size 4 --closed", "--rows 4 --cols 6 --without b2"] {
        for (links, typed) in [("", ""), ("--link b3-c3,c3-d4", " links=b3-c3,c3-d4")] {
            let (_, puzzle, _) = said(&format!("puzzle --grid hex {options} {links} --seed 2"));
            let line = puzzle.lines().next().unwrap();
            assert!(line.contains(" piece=hex") && line.contains(typed), "{line}");
            let (code, verdict, complaint) = answered("solve --unique", &puzzle);
            assert_eq!(code, Some(0), "{options} {links}: {verdict}{complaint}");
            let (_, json, _) =
                said(&format!("puzzle --grid hex {options} {links} --seed 2 --json"));
            let (code, _, complaint) = answered("solve --unique", &json);
            assert_eq!(code, Some(0), "{options} {links}: {complaint}");
        }
    }
    // Without a clue, a closed tour has its number 1 on one square, where it is counted twice.
    let empty = answered("solve --piece wazir --closed --count", ". . . .\n. . . .\n. . . .\n").1;
    assert_eq!(empty, "4 solutions with 1 on a1\n");
    // A link decides between two solutions.
    let two = "1 .\n. .\n";
    assert!(answered("solve --piece king --count", two).1.starts_with("6 solutions"));
    let linked = answered("solve --piece king --count --link a1-a2,b1-b2", two).1;
    assert_eq!(linked, "2 solutions\n");
}

#[test]
fn pasted_puzzles_are_read_as_meant_or_refused_with_the_reason() {
    let wazir = "solve --piece wazir";
    let king = "solve --piece king";
    for (file, command, answer, reason) in [
        ("blank-column-3x3-wazir.txt", wazir, "", "line 1: cannot be read: cells do not stand"),
        ("cat-king-knight.txt", "solve", "", "line 20: this may be another"),
        ("closed-own-json.json", "solve", "1: exactly one solution\n2: exactly one solution\n", ""),
        ("closed-printed-as-open.json", "solve", "\nexactly one solution\n", ""),
        ("hex-rhombus.txt", "solve --count", "4 solutions\n", "as hexagons"),
        ("hex-rhombus.txt", king, "", "a hexagonal board, which has no king"),
        ("java-array-king.txt", king, "\nexactly one solution\n", ""),
        ("one-number-header-wazir.txt", wazir, "1 on a3 and 8 on e3\n", "without the size"),
        ("pack-givens-king.json", king, "\n 1 7* 6*\n 2  5  8\n 3  4  9\n", ""),
        ("prolog-dot-king.txt", king, "\nexactly one solution\n", ""),
        ("size-line-king.txt", king, "\nexactly one solution\n", "without the size"),
        ("skewed-3x4-king.txt", king, "\n 1 2*  #  #\n # 3* 5*  #\n #  # 4*  6\n", "as holes"),
    ] {
        let path = format!("{}/tests/golden/pasted/{file}", env!("CARGO_MANIFEST_DIR"));
        let (_, said, reasons) = answered(command, &fs::read_to_string(path).unwrap());
        assert_eq!(said.is_empty(), answer.is_empty(), "{file}: {said}");
        assert!(said.contains(answer), "{file}: {said}");
        assert!(reasons.contains(reason), "{file}: {reasons}");
    }
}

#[test]
fn a_board_below_one_with_a_line_of_its_own_is_refused_without_one() {
    let king = "# board 3x3 piece=king\n1 2 3\n. . .\n7 . .\n";
    let bare = "# 4 numbers given\n1 2 .\n. . .\n7 8 .\n";
    let solution = "# its solution\n1 2 3\n6 5 4\n7 8 9\n";
    let wazir = bare.replace("# 4", "# board 3x3 piece=wazir closed\n# 4");
    let json = r#"{"board": "3x3 piece=king", "clues": [[1, "a3"], [9, "b2"]]}"#;
    let said = |options: &str, puzzles: &[&str]| {
        let (_, answer, said) = answered(options, &puzzles.join("\n"));
        assert!(answer.lines().count() > 1, "{answer}{said}");
        said
    };
    let refused = |options: &str, puzzles: &[&str], why: &str| {
        let (code, answer, said) = answered(options, &puzzles.join("\n"));
        assert!(code != Some(0) && !answer.contains("2: "), "{options}: {answer}");
        assert!(said.contains(why), "{options}: {said}");
    };
    let why = "line 12: this may be another board than the one that line 1 names, \
               `# board 3x3 piece=king`: write such a line above each, or name the board and leave \
               these lines out";
    refused("solve", &[king, solution, bare], why);
    refused("solve --hint", &[king, bare], "`# board 3x3 piece=king`");
    for (options, puzzles) in [
        ("solve", &[king, solution, &wazir][..]),
        ("solve", &[king, json]),
        ("solve", &[bare, bare]),
        ("solve --size 3 --piece king", &[king, bare]),
        ("solve --size 3 --piece wazir --open", &[&wazir, bare]),
    ] {
        let said = said(options, puzzles);
        assert!(!said.contains("another board"), "{options} {puzzles:?}: {said}");
    }
    for (options, line) in
        [("", "3x3 piece=wazir closed"), (" --open", "3x3 piece=wazir links=b2-b3")]
    {
        let options = format!("solve --size 3 --piece wazir{options}");
        let first = wazir.replace("3x3 piece=wazir closed", line);
        let why = format!("otherwise than line 1 says, `# board {line}`: write such a line above");
        refused(&options, &[&first, bare], &why);
    }
}

#[test]
fn a_board_that_is_typed_has_to_be_that_of_the_line_above_a_puzzle() {
    let machine = Machine::new();
    let path = machine.folder.path().join("puzzles.txt");
    let made = "puzzle --size 6 --piece king --count 2 --seed 1";
    for form in ["", " --json"] {
        fs::write(&path, machine.kt(&format!("{made}{form}")).output().unwrap().stdout).unwrap();
        for (board, code, verdicts, said) in [
            ("", 0, 2, "exactly one solution"),
            ("--size 6 --piece king", 0, 2, "exactly one solution"),
            (
                "--size 6",
                2,
                0,
                "is of 6x6 piece=king, by its line `# board` or its `board`, and not of 6x6",
            ),
            // The solutions below the puzzles are no puzzles, whatever is meant.
            ("--closed", 0, 2, "no solution"),
        ] {
            let solve = format!("solve {board} {}", path.display());
            let output = machine.kt(&solve).output().unwrap();
            let [answer, error] = [text(&output.stdout), text(&output.stderr)];
            assert_eq!(output.status.code(), Some(code), "{form} {board}: {answer}{error}");
            let numbered = answer.lines().filter(|line| line.contains("solution")).count();
            assert_eq!(numbered, verdicts, "{form} {board}: {answer}");
            assert!([answer, error].concat().contains(said), "{form} {board}");
        }
    }
    let steps = "1 2 3\n6 5 4\n7 8 9\n";
    for (board, options, code, said) in [
        ("3x3 piece=king", "--size 3", 2, "is of 3x3 piece=king"),
        ("3x3 piece=kinf", "--size 3", 2, "kinf"),
        // The last square is not beside the first.
        ("3x3 piece=king closed", "", 0, "2: no solution"),
    ] {
        let puzzle = steps.replace(['4', '5', '6'], ".");
        for puzzles in
            [format!("# board {board}\n{puzzle}\n{steps}"), format!("# board {board}\n{steps}")]
        {
            let (left, answer, error) = answered(&format!("solve {options}"), &puzzles);
            let said = said.trim_start_matches(if puzzles.contains('.') { "" } else { "2: " });
            assert_eq!(left, Some(code), "{puzzles}{answer}{error}");
            assert!([answer, error].concat().contains(said), "{puzzles}");
        }
    }
}
