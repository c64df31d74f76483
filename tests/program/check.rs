//! Reading tours back: valid tours are recognized, and the answer for other input names the fault.

use crate::common::{Machine, text};
use kt_enum::board::{Board, MoveOrder, Square};
use kt_enum::find::{Distance, Find, FindLimits, FindOutcome, Strategy as Way};
use kt_enum::tour::{TourFormat, TourReader, TourWriter};
use predicates::prelude::*;
use proptest::prelude::*;

const TOUR: &str = "a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3";

fn says(text: &str, arguments: &str) -> (String, i32) {
    let mut command = Machine::new().kt(&format!("check {arguments}"));
    let output = command.write_stdin(text).output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.code().unwrap())
}

#[test]
fn tours_are_read_as_squares_grids_and_json_and_told_open_from_closed() {
    let ring = "a1 c2 a3 b1 c3 a2 c1 b3";
    let text = format!(
        "{TOUR}\n\n# a remark\n 3  6  9 12\n 8 11  2  5\n 1  4  7 10\n\n[2, 5, 8, 11],\n[7, 10, 1, 4],\n[0, 3, 6, 9]\n{}\n{}\n{ring}\n",
        r#"{"tour":["a1","c2","a3","b1","d2","b3","c1","a2","c3","d1","b2","d3"],"closed":false}"#,
        "0,0 1,2 2,0 0,1 1,3 2,1 0,2 1,0 2,2 0,3 1,1 2,3",
    );
    let (said, code) = says(&text, "");
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[..5], ["open"; 5]);
    assert_eq!(lines[5], "wrong: line 13: 8 squares where 3x3 has 9: b2 is not visited");
    assert_eq!((lines.len(), code), (6, 3));
    let closed = Machine::new().kt("find --size 6 --closed").output().unwrap().stdout;
    assert_eq!(says(&String::from_utf8(closed).unwrap(), ""), ("closed\n".to_owned(), 0));
    assert_eq!(says("", ""), (String::new(), 0));
}

#[test]
fn the_first_mistake_is_named_with_its_line_and_square() {
    for (text, arguments, said) in [
        (
            "a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 a1",
            "",
            "line 1: step 11 from b2 to a1 is not a knight's move",
        ),
        (
            "a1 c2 a1 c2 a3 b1 d2 b3 c1 a2 c3 d3",
            "",
            "line 1: a1, square 3 of the sequence, was visited before",
        ),
        (
            "a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2",
            "--rows 3 --cols 4",
            "line 1: 11 squares where 3x4 has 12: d3 is not visited",
        ),
        ("a1 c2 e3", "--rows 3 --cols 4", "line 1: e3 is not on the 3x4 board"),
        ("a1 c2 x", "", "line 1: `x` is not a square"),
        ("a1 c0", "", "line 1: `c0` is not a square"),
        ("\n\n1 2 3\n4 x 5\n", "", "line 3: cannot be read: `x` may be squares to fill or holes"),
        ("1 2 3\n4 5\n", "", "line 2: 2 cells where the grid's first line has 3"),
        ("1 2 3\n4 5 5\n6 7 8\n", "", "line 2: 5 stands on c2 and on b2"),
        (
            "1 2\n3 99\n",
            "",
            "line 2: 99 on b1 is out of range: the numbers of a 2x2 grid go from 1 to 4",
        ),
        ("1 2\n3 4\n", "--size 3", "line 1: a grid of 2 x 2 is not 3x3"),
        ("1 2\n3 4\n", "", "line 1: step 1 from a2 to b2 is not a knight's move"),
        (
            "{\"tour\": null}",
            "",
            "line 1: not a JSON object with a tour, the clues of a puzzle, or rows of numbers",
        ),
        ("{\"tour\": [\"a1\", 3]}", "", "line 1: not a JSON object with a tour"),
        ("-1 2 3\n", "", "line 1: step 2 from b1 to c1 is not a knight's move"),
        (
            "a1c2",
            "",
            "line 1: `a1c2` is not a square: write it as in chess (c2) or as row,col counted from 0 (1,2), and blanks between squares",
        ),
        (
            "1,1 2,3 3,1 1,2 2,4 3,2 1,3 2,1 3,3 1,4 2,2 3,4",
            "",
            "line 1: none of these squares is in row 0 or column 0: count rows and columns from 0",
        ),
        ("a1 a1", "", "line 1: the last square repeats the first: end a closed tour on"),
        ("{\"tour\": []}", "", "line 1: 0 squares where 1x1 has 1"),
        ("zzzzz99999", "", "line 1: `zzzzz99999` is not a square"),
    ] {
        let (printed, code) = says(text, arguments);
        assert!(printed.starts_with(&format!("wrong: {said}")), "{text:?}: {printed}");
        assert_eq!((printed.lines().count(), code), (1, 3), "{printed}");
    }
}

#[test]
fn a_tour_is_what_the_line_or_the_object_above_it_says() {
    let closed = "the tour is not closed, as its line `# board` or its `closed` says";
    let link = "the tour has no move a1-b2, a link by its line `# board` or its `links`";
    let grid = "1 2 3\n6 5 4\n7 8 9\n";
    for (text, said) in [
        (format!("# board 3x3 piece=king closed\n{grid}"), closed),
        (format!("# board 3x3 piece=king links=a1-b2\n{grid}"), link),
        (r#"{"board":"1x3 piece=king","closed":true,"tour":["a1","b1","c1"]}"#.to_owned(), closed),
        (r#"{"closed":"yes","tour":["a1"]}"#.to_owned(), "`closed` is true or false"),
    ] {
        let (printed, code) = says(&text, "");
        assert!(printed.contains(said) && code == 3, "{text}: {printed}");
    }
    // Squares of a whole knight's board may be of another board than that of the line.
    let (printed, _) = says(&format!("# board 3x4 links=a1-b3 closed\n{TOUR}\n"), "");
    assert_eq!(printed, "open\n");
    let (printed, _) = says(&format!("# board 3x3 piece=king links=a1-b1\n{grid}"), "");
    assert_eq!(printed, "open\n");
    // Nor is a line of the tours of another line, nor of a board that is known to be another.
    let titled = format!("3x3 piece=king, open, asymmetric\n{grid}");
    let (printed, _) = says(&format!("# board 2x2 piece=king closed\n4 3\n1 2\n\n{titled}"), "");
    assert_eq!(printed, "closed\nopen\n");
    let above = format!("# board 5x5 closed\n{grid}");
    assert_eq!(says(&above, "--size 3 --piece king").0, "open\n");
    // An open tour does not go back to its first square.
    let (printed, _) = says("# board 2x2 piece=king links=a1-a2\n4 3\n1 2\n", "");
    assert!(printed.contains("has no move a1-a2"), "{printed}");
    let (printed, _) = says("# board 2x2 piece=king links=a1-a2 closed\n4 3\n1 2\n", "");
    assert_eq!(printed, "closed\n");
}

#[test]
fn the_answers_of_solve_are_tours_or_are_passed_over_or_refused_with_the_way_out() {
    let tour = r#""tour":["a1","b1","b2","a2"]"#;
    let board = r#"{"board":"2x2 piece=king","#;
    for (text, said) in [
        (format!("{board}\"verdict\":\"none\",\"solutions\":[]}}"), ""),
        (format!("{board}\"solutions\":[],{tour}}}"), "closed\n"),
        (format!("{board}\"solutions\":[[\"a1\",\"b1\",\"b2\",\"a2\"]]}}"), "closed\n"),
        (
            format!("{board}\"solutions\":[[\"a1\"],[\"b1\"]]}}"),
            "wrong: line 1: cannot be read: several",
        ),
        (
            "1 2\n{\"verdict\":\"none\",\"solutions\":[]}\n4 3\n".to_owned(),
            "wrong: line 1: step 1 from",
        ),
    ] {
        let (printed, _) = says(&text, "");
        assert!(printed.starts_with(said) && said.is_empty() == printed.is_empty(), "{printed}");
    }
}

#[test]
fn tours_of_a_graph_are_read_as_they_are_written_beside_their_puzzles() {
    let machine = Machine::new();
    let path = |name: &str| machine.folder.path().join(name).display().to_string();
    std::fs::write(path("g.txt"), "a b\nb c\nc d\nd a\na c\n").unwrap();
    for form in ["", "--json"] {
        let puzzle = format!("puzzle --graph {} --seed 1 {form}", path("g.txt"));
        std::fs::write(path("made"), machine.kt(&puzzle).output().unwrap().stdout).unwrap();
        let said = text(&machine.kt(&format!("check {}", path("made"))).output().unwrap().stdout);
        assert!(said.ends_with("closed\n") || said.ends_with("open\n"), "{said}");
        assert!(!said.contains("wrong:"), "{said}");
        let solved = machine.kt(&format!("solve {} --json", path("made"))).output().unwrap().stdout;
        let said = machine.kt("check").write_stdin(solved).output().unwrap();
        assert!(said.status.success(), "{}", text(&said.stdout));
    }
    let steps = "# board graph a-b,a-c,a-d,b-c,c-d\n1=a\n2=b\n3=c\n4=d\n";
    assert_eq!(says(steps, ""), ("closed\n".to_owned(), 0));
}

#[test]
fn names_may_be_separated_by_commas_dashes_and_arrows_and_a_file_may_begin_with_its_byte_order() {
    let separated = |by: &str| TOUR.replace(' ', by);
    let grid = "3 6 9 12\n8 11 2 5\n1 4 7 10\n";
    for text in [
        separated(","),
        separated(", "),
        separated("-"),
        separated(" - "),
        separated(" -> "),
        separated("→"),
        format!("\u{feff}{TOUR}"),
        format!("\u{feff}{grid}"),
    ] {
        assert_eq!(says(&text, ""), ("open\n".to_owned(), 0), "{text}");
    }
}

#[test]
fn a_file_that_cannot_be_read_is_named_and_a_tour_in_place_of_a_file_is_answered() {
    for (file, says) in [
        ("no-such-file", "cannot read no-such-file: No such file"),
        ("a1 c2 b4", "cannot read a1 c2 b4: No such file"),
        ("a1 c2 b4", "echo \"a1 c2 ...\" | kt-enum check"),
    ] {
        let mut command = Machine::new().kt("check");
        command.arg(file).assert().code(1).stderr(predicate::str::contains(says));
    }
}

#[test]
fn the_form_in_which_a_text_was_read_is_named_once_for_each_form() {
    let machine = Machine::new();
    let ring = "3 8 5\n6 # 2\n1 4 7\n";
    let framed = "3| 3 6 9 12 |\n2| 8 11 2 5 |\n1| 1 4 7 10 |\n";
    let text = format!("My tours\n\n{ring}\n{framed}\n{ring}\n{TOUR}\n");
    let output = machine.kt("check").write_stdin(text).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "closed\nopen\nclosed\nopen\n");
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "kt-enum: line 3 of standard input: read as rows of numbers with `#` as a hole\n\
         kt-enum: line 7 of standard input: read as rows of numbers in a frame, without the numbers \
         of rows\n\
         kt-enum: skipped 1 line of words in standard input, first 1\n"
    );
    assert_eq!(says(&ring.replace('#', "x"), "").1, 3);
    for line in ["show", "stats --tours closed", "rank --size 3 --without b2 --tours closed"] {
        let output = machine.kt(line).write_stdin(ring).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{line}");
    }
}

#[test]
fn a_grid_tells_its_size_where_the_piece_is_typed() {
    assert_eq!(says("1 2\n4 3\n\n1 2 3\n", "--piece king"), ("closed\nopen\n".to_owned(), 0));
    assert_eq!(says("1 2\n4 3\n", "--piece king --size 2"), ("closed\n".to_owned(), 0));
    assert_eq!(says("1 3 5\n", "--wrap cylinder").1, 3);
    assert_eq!(says("1 2\n", "--without a1").1, 2);
}

#[test]
fn a_tour_with_squares_to_fill_is_unfinished_or_wrong_and_never_of_a_smaller_board() {
    let unfinished = "unfinished, no wrong move: 8 of 9 squares have a number\n";
    assert_eq!(says("3 8 5\n6 . 2\n1 4 7\n", ""), (unfinished.to_owned(), 3));
    assert_eq!(says("3 8 5\n6 . 2\n1 4 7\n", "--hole ."), ("closed\n".to_owned(), 0));
    assert_eq!(says("3 8 5\n6 X 2\n1 4 7\n", "--hole X"), ("closed\n".to_owned(), 0));
    assert_eq!(says("3 8 5\n6 X 2\n1 4 7\n", "--blank X"), (unfinished.to_owned(), 3));
    let wrong = "wrong: line 1: step 1 from a1 to b2 is not a knight's move\n";
    assert_eq!(says("3 8 5\n6 2 .\n1 4 7\n", ""), (wrong.to_owned(), 3));
    assert_eq!(says("1 X\n", "--hole X --blank X").1, 2);
    assert_eq!(says("1 7\n", "--hole 7").1, 2);
}

#[test]
fn neither_a_text_of_words_nor_a_title_is_a_tour() {
    assert_eq!(says("Hello there\n", ""), ("wrong: line 1: words, and no tour\n".to_owned(), 3));
    assert_eq!(says(&format!("Tour 1:\n{TOUR}\n"), ""), ("open\n".to_owned(), 0));
}

#[test]
fn each_verdict_on_several_files_has_the_name_of_its_file() {
    let machine = Machine::new();
    let file = |name: &str, text: &str| {
        let path = machine.folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let (one, two) = (file("one", &format!("{TOUR}\n{TOUR}\n")), file("two", "a1 b1\n"));
    let none = file("none", "");
    let output = machine.kt(&format!("check {one} {two} {none}")).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let (out, said) = (output.stdout, String::from_utf8(output.stderr).unwrap());
    let wrong = "wrong: line 1: step 1 from a1 to b1 is not a knight's move";
    let expected = format!("{one}: open\n{one}: open\n{two}: {wrong}\n");
    assert_eq!(String::from_utf8(out).unwrap(), expected);
    assert!(said.contains(&format!("there is no tour in {none}\n")), "{said}");
    assert!(said.contains("not a tour: 1 of 3 read from these files"), "{said}");
    let output = machine.kt(&format!("check {one} missing")).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("{one}: open\n{one}: open\n"));
}

fn any_find() -> impl Strategy<Value = Find> {
    let board = (1..13u32, 1..13u32).prop_map(|(rows, cols)| Board::new(rows, cols).unwrap());
    let orders = Just(MoveOrder::ROW_MAJOR.steps().to_vec()).prop_shuffle();
    (board, any::<prop::sample::Index>(), any::<bool>(), 0..Way::NAMED.len(), orders).prop_map(
        |(board, from, closed, strategy, order)| Find {
            board: board.clone(),
            from: Square::from_index(from.index(board.squares())),
            closed,
            strategy: Way::NAMED[strategy].0,
            order: MoveOrder::new(&order).unwrap(),
            limits: FindLimits { moves: Some(20_000), backtracks: None },
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn what_any_strategy_finds_reads_back_as_a_tour_in_every_format(find in any_find()) {
        let (outcome, effort) = find.run(&|| false);
        match outcome {
            FindOutcome::Found(route) => {
                let squares: Vec<Square> = route.squares().collect();
                prop_assert_eq!(squares[0], find.from);
                for format in [TourFormat::Squares, TourFormat::Grid, TourFormat::Json] {
                    let mut text = Vec::new();
                    TourWriter::new(find.board.clone(), format).write(&squares, &mut text);
                    let mut reader = TourReader::new(None);
                    let text = String::from_utf8(text).unwrap();
                    let mut read: Vec<_> = text.lines().flat_map(|line| reader.read(line)).flatten().collect();
                    read.extend(reader.finish());
                    prop_assert_eq!(read.len(), 1);
                    let tour = read[0].tour.clone().unwrap();
                    prop_assert_eq!(&tour.board(), &find.board);
                    prop_assert_eq!(tour.squares(), &squares[..]);
                    prop_assert!(tour.is_reentrant() || !find.closed);
                }
            }
            // If the strategy auto finds a tour, no other strategy may claim that there is none.
            FindOutcome::None(_) => {
                let auto = Find { strategy: Way::Auto, ..find.clone() };
                prop_assert!(matches!(auto.run(&|| false).0, FindOutcome::None(_)), "{:?}", find);
            }
            FindOutcome::GaveUp(_) => prop_assert!(find.strategy != Way::Auto && effort.moves_tried > 0),
        }
    }

    #[test]
    fn any_text_is_read_without_a_panic(text in "([a-h0-9,\\[\\]{}\" \\-\\n]|\\PC){0,200}") {
        let mut reader = TourReader::new(None);
        let read = text.lines().flat_map(|line| reader.read(line)).flatten().count();
        prop_assert!(read + usize::from(reader.finish().is_some()) <= text.lines().count());
    }
}

#[test]
fn the_ways_to_measure_the_nearest_corner_have_names_of_their_own() {
    let names =
        [Distance::Euclidean, Distance::Manhattan, Distance::Chebyshev].map(|d| Way::H2(d).name());
    assert_eq!(names, ["h2", "h2-manhattan", "h2-chebyshev"]);
    assert!(Way::NAMED.iter().all(|(way, name)| way.name() == *name && name.parse() == Ok(*way)));
}

#[test]
fn outputs_that_are_put_together_are_read_as_tours_of_their_own_boards() {
    let machine = Machine::new();
    let written = |command: String| text(&machine.kt(&command).output().unwrap().stdout);
    let kinds = ["--size 5 --piece king", "--size 6", "--size 5", "--size 4 --piece king --closed"];
    for format in ["squares", "grid", "json"] {
        for [first, second] in [[0, 1], [0, 2], [1, 0], [3, 2], [2, 3], [1, 2]] {
            let tours = [first, second].map(|kind| {
                written(format!("list {} --limit 2 --format {format}", kinds[kind]))
                    + &written(format!("find {} --format {format}", kinds[kind]))
            });
            let output = machine.kt("check").write_stdin(tours.concat()).output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{}{}", tours.concat(), text(&output.stderr));
        }
    }
    // What is left of a closed tour is a closed puzzle.
    for command in ["find", "list --limit 1", "random --seed 1", "nth 5"] {
        let grid = written(format!("{command} --size 6 --closed --format grid"));
        assert!(grid.starts_with("# board 6x6 closed\n"), "{grid}");
        let some = grid.lines().map(|line| line.replacen("36", " .", 1) + "\n");
        let output = machine.kt("solve --json").write_stdin(some.collect::<String>()).output();
        let said = text(&output.unwrap().stdout);
        assert!(said.contains("\"closed\":true,\"verdict\":\"unique\""), "{command}: {said}");
    }
}
