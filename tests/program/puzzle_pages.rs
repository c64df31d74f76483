//! Puzzles drawn: pictures, sheets and pages to solve them in.

use crate::common::{Machine, signal, text};
use kt_enum::board::Board;
use roxmltree::{Document, Node};
use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::process::Stdio;

/// The numbers of a board by the names of the squares.
type Numbers = BTreeMap<String, usize>;

/// Runs `show` on this text and returns the exit code and what it printed.
fn shown(machine: &Machine, options: &str, puzzles: &str) -> (Option<i32>, String, String) {
    let output = machine.kt(&format!("show {options}")).write_stdin(puzzles).output().unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn made(machine: &Machine, options: &str) -> String {
    let output = machine.kt(&format!("puzzle {options}")).output().unwrap();
    assert!(output.status.success(), "{options}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// Returns the numbers of the grid that follows a line with this word.
fn grid(board: &Board, word: &str, puzzle: &str) -> Numbers {
    let lines = puzzle.lines().skip_while(|line| !line.contains(word)).skip(1);
    let mut numbers = Numbers::new();
    for (line, row) in lines.take(board.rows() as usize).zip((0..board.rows()).rev()) {
        for (entry, col) in line.split_whitespace().zip(0..) {
            if let (Ok(number), Some(square)) = (entry.parse(), board.at(row.into(), col)) {
                numbers.insert(board.name(square), number);
            }
        }
    }
    numbers
}

/// Returns the numbers of a class in a picture.
fn drawn(board: &Board, svg: &str, class: &str) -> Numbers {
    let document = Document::parse(svg).unwrap();
    let nodes = document.descendants().filter(|node| node.attribute("class") == Some(class));
    let number = |node: Node<'_, '_>| {
        let at = |name| node.attribute(name).unwrap().parse::<f64>().unwrap().floor() as i64;
        let square = board.at(i64::from(board.rows()) - 1 - at("y"), at("x")).unwrap();
        (board.name(square), node.text().unwrap().parse().unwrap())
    };
    nodes.map(number).collect()
}

#[test]
fn the_picture_of_a_puzzle_has_the_given_numbers_alone_and_that_of_its_answer_has_all() {
    let machine = Machine::new();
    for (description, options) in [
        ("6x6", ""),
        ("4x5 piece=king without=a1,c3", ""),
        ("6x6 piece=wazir", ""),
        ("6x6", "--closed"),
        ("5x5 wrap=cylinder", ""),
    ] {
        let board: Board = description.parse().unwrap();
        let sides = format!("--size {}x{}", board.rows(), board.cols());
        let more = description.split(' ').skip(1);
        let more = more.map(|part| format!("--{} ", part.replace('=', " ")));
        let more = more.collect::<String>();
        let puzzle = made(&machine, &format!("{sides} {more} {options} --seed 1"));
        let given = grid(&board, " given", &puzzle);
        let (code, svg, said) = shown(&machine, &format!("--format puzzle {options}"), &puzzle);
        assert_eq!((code, said.as_str()), (Some(0), ""), "{description}");
        assert_eq!(drawn(&board, &svg, "given"), given, "{description}");
        assert!(given.len() > 1 && given.len() < board.squares());
        assert!(drawn(&board, &svg, "found").is_empty(), "{description}");
        let document = Document::parse(&svg).unwrap();
        let is_path = |node: Node<'_, '_>| node.attribute("class") == Some("tour");
        assert!(!document.descendants().any(is_path), "{description}");
        let (_, svg, _) = shown(&machine, &format!("--format answer {options}"), &puzzle);
        assert_eq!(drawn(&board, &svg, "given"), given, "{description}");
        let mut all = drawn(&board, &svg, "found");
        assert_eq!(all.len() + given.len(), board.squares(), "{description}");
        all.extend(given);
        assert_eq!(all, grid(&board, "solution", &puzzle), "{description}");
    }
}

#[test]
fn boards_of_hexagons_are_drawn_as_hexagons_with_their_links() {
    let machine = Machine::new();
    let puzzle = made(&machine, "--grid hex --size 3 --link b2-b3,c3-d3 --seed 1");
    assert!(puzzle.starts_with("# board 5x5 piece=hex without="), "{puzzle}");
    assert!(puzzle.contains(" links=b2-b3,c3-d3\n"), "{puzzle}");
    for (format, hexagons, links) in [("puzzle", 38, 2), ("answer", 38, 2), ("sheet", 76, 4)] {
        let (code, svg, said) = shown(&machine, &format!("--format {format}"), &puzzle);
        assert_eq!(code, Some(0), "{said}");
        // The corners of a hexagon are a unit apart from left to right.
        let drawn = svg.matches("l.5 0.289v0.577l-.5 0.289l-.5 -0.289v-0.577z").count();
        assert_eq!((drawn, svg.matches("class=\"link\"").count()), (hexagons, links), "{format}");
        assert!(!svg.contains("class=\"dark\""), "{svg}");
    }
    let (code, page, said) = shown(&machine, "--format play", &puzzle);
    assert!(code == Some(0) && page.contains("\"hex\":true"), "{said}");
    assert!(page.contains("in one of the six cells around it"));
    assert!(page.contains("Numbers on both sides of a dot follow each other"));
    let tour = machine.kt("find --grid hex --size 3").output().unwrap();
    let (code, drawn, said) = shown(&machine, "--format text", &text(&tour.stdout));
    assert_eq!(code, Some(0), "{said}");
    let (said, _) = drawn.split_once('\n').unwrap();
    assert!(said.starts_with("5x5 piece=hex without="), "{drawn}");
    let checked = machine.kt("check").write_stdin(drawn).output().unwrap();
    assert!(["open\n", "closed\n"].contains(&&text(&checked.stdout)[..]), "{checked:?}");
}

#[test]
fn pages_of_tours_and_their_averages_draw_hexagons() {
    let machine = Machine::new();
    let tours = machine.kt("list --grid hex --size 3 --limit 5").output().unwrap().stdout;
    let hexagon = "l.5 0.289v0.577l-.5 0.289l-.5 -0.289v-0.577z";
    let (code, page, said) = shown(&machine, "--format html", &text(&tours));
    assert_eq!((code, page.matches(hexagon).count()), (Some(0), 19), "{said}");
    let averages = machine.folder.path().join("averages.html");
    let mut command = machine.kt("stats -o");
    assert!(command.arg(&averages).write_stdin(tours).output().unwrap().status.success());
    // A map of edges, and one of ends.
    assert_eq!(fs::read_to_string(averages).unwrap().matches(hexagon).count(), 2 * 19);
}

#[test]
fn files_are_chapters_of_a_sheet_with_their_titles_and_a_rule_for_each_piece() {
    let machine = Machine::new();
    let file = |name: &str, kinds: &[&str]| {
        let path = machine.folder.path().join(name);
        fs::write(&path, kinds.iter().map(|kind| made(&machine, kind)).collect::<String>())
            .unwrap();
        path
    };
    let kings = file("kings.txt", &["--size 4 --piece king --count 2 --seed 1"]);
    let mixed = ["--size 5 --piece wazir --seed 1 --ends hidden", "--size 6 --seed 1"];
    let mixed = file("mixed.txt", &mixed);
    let sheet = |options: &str| {
        let mut command = machine.kt(&format!("show {options}"));
        let output = command.args([&kings, &mixed]).output().unwrap();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (code, page, said) = sheet("--format sheet --title First --title Second");
    assert_eq!(code, Some(0), "{said}");
    let (first, rest) = page.split_once("<h1>Second</h1>").unwrap();
    let (second, answers) = rest.split_once("<h1>Answers</h1>").unwrap();
    assert!(first.contains("<h1>First</h1>") && first.contains("from 1 to 16"), "{first}");
    assert_eq!([first, second, answers].map(|part| part.matches("<figure>").count()), [2, 2, 4]);
    let rule = "wazir: 1 square along a row or column. knight: 2 squares along a row or column and 1 to the side.";
    assert!(second.contains(rule) && second.contains("<b>4</b>"), "{second}");
    let captions: Vec<&str> =
        second.lines().filter(|line| line.starts_with("<figcaption>")).collect();
    assert!(captions[0].contains("; the last is 25"), "{captions:?}");
    // Only the knight's board is shaded, and its answer.
    assert_eq!((page.matches("class=\"dark\"").count(), page.matches("\"names\"").count()), (2, 0));
    let (_, page, _) = sheet("--format sheet --title Both --shading --coordinates --large-print");
    assert_eq!((page.matches("class=\"dark\"").count(), page.matches("\"names\"").count()), (8, 8));
    assert!(page.contains("<h1>Both: answers</h1>") && page.contains("font-size: 15pt"));
    for (options, remedy) in [
        ("--format sheet --title A --title B --title C", "3 titles for 2 files"),
        ("--format html", "tours are drawn from one file"),
        ("--format puzzle --large-print", "--large-print does nothing with --format puzzle"),
        ("--format svg --shading", "--shading does nothing with --format svg"),
        ("--format sheet --numbers", "--numbers does nothing with --format sheet"),
    ] {
        let (code, _, said) = sheet(options);
        assert!(code == Some(2) && said.contains(remedy), "{options}: {said}");
    }
}

#[test]
fn a_sheet_has_each_puzzle_and_each_answer_once_with_rules_and_captions() {
    let machine = Machine::new();
    let puzzles = made(&machine, "--size 5 --seed 3 --count 7");
    let title = "A <b> title";
    let mut command = machine.kt("show --format sheet --title");
    let output = command.arg(title).write_stdin(puzzles.clone()).output().unwrap();
    let page = text(&output.stdout);
    let (before, answers) = page.split_once(": answers</h1>").unwrap();
    assert_eq!((before.matches("<figure>").count(), answers.matches("<figure>").count()), (7, 7));
    assert_eq!((before.matches("found\"").count(), before.matches("<tour").count()), (0, 0));
    let given: usize = puzzles
        .lines()
        .filter_map(|line| {
            line.strip_prefix("# ")?.split_once(" numbers given")?.0.parse::<usize>().ok()
        })
        .sum();
    assert_eq!(before.matches("\"given\"").count(), given);
    assert_eq!(answers.matches("\"given\"").count(), given);
    assert_eq!(answers.matches("\"found\"").count(), 7 * 25 - given);
    assert!(before.contains("Write the numbers from 1 to 25"), "the rules");
    assert!(before.contains("2 squares along a row or column and 1 to the side"), "the move");
    assert!(before.contains("<h1>A &lt;b&gt; title</h1>") && !page.contains("<b> title"));
    assert!((1..=7).all(|number| page.matches(&format!("<b>{number}</b>")).count() == 2));
}

#[test]
fn wide_boards_share_a_page_though_their_squares_are_small() {
    let machine = Machine::new();
    let king = made(&machine, "--rows 3 --cols 30 --piece king --clues 50 --seed 1 --count 4");
    let (code, page, said) = shown(&machine, "--format sheet", &king);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(page.matches("class=\"page\"").count(), 2, "one of puzzles and one of answers");
}

#[test]
fn puzzles_without_exactly_one_solution_are_refused_by_their_number_and_nothing_is_written() {
    let machine = Machine::new();
    let path = machine.folder.path().join("page.html");
    let right = made(&machine, "--size 5 --seed 3");
    for (puzzle, code, reason) in [
        (
            "1 . . . 2\n. . . . .\n. . . . .\n. . . . .\n. . . . .\n",
            3,
            "puzzle 2 has no solution: two clues that no path joins",
        ),
        (
            "1 . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .\n",
            3,
            "puzzle 2 has more than one solution: kt-enum solve shows two of them where it is alone in its file\n",
        ),
        ("1 . . . .\n. 1 . . .\n. . . . .\n. . . . .\n. . . . .\n", 2, "1 stands on a5 and on b4"),
    ] {
        for format in ["sheet", "play"] {
            let mut command = machine.kt(&format!("show --format {format} -o"));
            let output = command
                .arg(&path)
                .write_stdin(format!("{right}\n# board 5x5\n{puzzle}"))
                .output()
                .unwrap();
            let said = text(&output.stderr);
            assert_eq!(output.status.code(), Some(code), "{said}");
            assert!(said.contains(reason), "{said}");
            assert!(!path.exists());
        }
    }
    let solution = right.split("solution\n").nth(1).unwrap();
    let (code, _, said) = shown(&machine, "--format sheet", solution);
    assert_eq!(
        (code, said.as_str()),
        (Some(2), "kt-enum: there is no board with squares to fill\n")
    );
    let (code, _, said) = shown(&machine, "--format puzzle --tour 2", &right);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("--tour 2, but the input has 1 puzzle"), "{said}");
    let graph = machine.folder.path().join("graph.txt");
    fs::write(&graph, "a b\nb c\nc a\n").unwrap();
    let options = format!("--format sheet --graph {} --graph-format edge-list", graph.display());
    let (code, _, said) = shown(&machine, &options, "1=a\n");
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("have no places to draw"), "{said}");
}

#[test]
fn open_and_closed_puzzles_share_a_file_and_a_sheet() {
    let machine = Machine::new();
    let king = made(&machine, "--size 6 --piece king --seed 1");
    for more in ["", "--json"] {
        let closed = made(&machine, &format!("--size 6 --closed --seed 2 {more}"));
        let (given, both) =
            (king.clone() + "\n" + &closed, "1: exactly one solution\n2: exactly one solution\n");
        let output = machine.kt("solve --unique -").write_stdin(given.clone()).output().unwrap();
        assert_eq!(text(&output.stdout), both, "{given}");
        let (code, sheet, said) = shown(&machine, "--format sheet", &given);
        // The form of JSON is repeated.
        assert_eq!((code, said.is_empty()), (Some(0), more.is_empty()), "{said}");
        assert!(sheet.contains("On a closed board the same holds from the last number to 1."));
        assert!(sheet.contains("<b>2</b> <span>knight, closed: "), "{sheet}");
        // What was typed prevails.
        let output = machine.kt("solve --open -").write_stdin(closed).output().unwrap();
        assert!(text(&output.stdout).contains("more than one solution"), "{more}");
    }
    let again = machine.kt("solve").write_stdin(king).output().unwrap();
    let checked = machine.kt("check").write_stdin(again.stdout).output().unwrap();
    // Its last square is a king's move from its first.
    assert_eq!(text(&checked.stdout).lines().next(), Some("closed"));
}

#[test]
fn a_solution_below_its_puzzle_is_left_out_and_any_other_board_is_solved() {
    let machine = Machine::new();
    for (below, verdicts) in [
        ("3 6 9 12\n8 11 2 5\n1 4 7 10", "exactly one solution\n"),
        ("3 8 5 12\n6 11 2 9\n1 4 7 10", "1: exactly one solution\n2: no solution: "),
        ("12 9 6 3\n5 2 11 8\n10 7 4 1", "1: exactly one solution\n2: exactly one solution\n"),
    ] {
        let given = format!("3 . . 12\n. . . .\n1 . . .\n\n{below}\n");
        let output = machine.kt("solve").write_stdin(given).output().unwrap();
        assert!(text(&output.stdout).contains(verdicts), "{below}: {}", text(&output.stdout));
    }
}

#[test]
fn puzzles_in_json_are_solved_and_drawn_as_those_in_text_are() {
    let machine = Machine::new();
    for options in ["--size 5 --seed 1", "--size 4 --piece king --without a1 --seed 1"] {
        let json = made(&machine, &format!("{options} --json"));
        let grid = made(&machine, options);
        let solved = machine.kt("solve --unique").write_stdin(json.clone()).output().unwrap();
        assert!(solved.status.success(), "{}", text(&solved.stderr));
        assert!(text(&solved.stdout).ends_with("exactly one solution\n"), "{options}");
        let picture = |puzzle: &str| shown(&machine, "--format puzzle", puzzle).1;
        assert_eq!(picture(&json), picture(&grid), "{options}");
    }
    let output = machine.kt("solve").write_stdin("{\"clues\":[[1,2]]}\n").output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
}

#[test]
fn a_page_replaces_a_page_of_the_program_and_nothing_else() {
    let machine = Machine::new();
    let (puzzle, path) =
        (made(&machine, "--size 5 --seed 1"), machine.folder.path().join("p.html"));
    let write = |format: &str| {
        let mut command = machine.kt(&format!("show --format {format} -o"));
        command.arg(&path).write_stdin(puzzle.clone()).output().unwrap().status.code()
    };
    assert_eq!([write("sheet"), write("play"), write("sheet")], [Some(0); 3]);
    fs::write(&path, "my own page").unwrap();
    assert_eq!([write("sheet"), write("play")], [Some(2); 2]);
    assert_eq!(fs::read_to_string(&path).unwrap(), "my own page");
}

#[test]
fn an_interrupted_sheet_says_how_many_puzzles_were_solved() {
    let machine = Machine::new();
    // Every other step of a snake is given, and each of the others takes a hint of a board of 1,024
    // squares. Forty such boards are many seconds of work. There is more text than a pipe holds, so
    // that some of it is read, and signals are heard, when all of it is written.
    let place =
        |row: usize, col: usize| 32 * row + if row.is_multiple_of(2) { col } else { 31 - col } + 1;
    let entry = |number: usize| {
        if number.is_multiple_of(2) { ". ".to_owned() } else { format!("{number} ") }
    };
    let row = |row| (0..32).map(|col| entry(place(row, col))).collect::<String>() + "\n";
    let board = (0..32).map(row).collect::<String>() + "\n";
    let puzzles = "# a remark\n".repeat(10_000) + &board.repeat(40);
    let mut child = machine.start_with(Stdio::piped(), "show --format sheet --piece wazir");
    child.stdin.take().unwrap().write_all(puzzles.as_bytes()).unwrap();
    signal(&child, "INT");
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{said}");
    let (_, solved) = said.split_once(" with ").unwrap();
    let (number, rest) = solved.split_once(' ').unwrap();
    assert!(number.parse::<u32>().unwrap() < 40, "{said}");
    assert!(rest.contains(" solved: nothing is written"), "{said}");
}
