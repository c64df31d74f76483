//! The forms in which people write tours and boards with some steps given: each is read right, or
//! refused with its line and the reason.

use crate::any_board::any_question;
use crate::any_tour::{board, first_tours};
use kt_enum::board::Square;
use kt_enum::draw::{self, Subject, TextStyle};
use kt_enum::tour::{
    KnownBoard, Misread, PartFilled, PartFilledReader, Tour, TourFormat, TourReader, TourWriter,
};
use proptest::prelude::*;

const NAMES: [&str; 12] = ["a1", "c2", "a3", "b1", "d2", "b3", "c1", "a2", "c3", "d1", "b2", "d3"];
/// The rows of the tour above, the top row first.
const ROWS: [[u32; 4]; 3] = [[3, 6, 9, 12], [8, 11, 2, 5], [1, 4, 7, 10]];

/// Writes rows with something before, between and after the numbers.
fn rows(before: &str, between: &str, after: &str, line: &str) -> String {
    let row = |row: &[u32; 4]| {
        let numbers: Vec<String> = row.iter().map(u32::to_string).collect();
        format!("{before}{}{after}", numbers.join(between))
    };
    ROWS.iter().map(row).collect::<Vec<_>>().join(line)
}

/// Writes each square by a pattern of words: STEP from 1, ZERO from 0, NAME, ROW and COL.
fn squares(pattern: &str, between: &str) -> String {
    let square = |(step, name): (usize, &&str)| {
        let (row, col) = Square::row_and_column(name).unwrap();
        let steps = pattern.replace("STEP", &(step + 1).to_string());
        let steps = steps.replace("ZERO", &step.to_string()).replace("NAME", name);
        steps.replace("ROW", &row.to_string()).replace("COL", &col.to_string())
    };
    NAMES.iter().enumerate().map(square).collect::<Vec<_>>().join(between)
}

fn expecting(description: &str, piece: &str) -> KnownBoard {
    let board = (!description.is_empty()).then(|| board(description));
    let piece = (!piece.is_empty()).then(|| piece.parse().unwrap());
    KnownBoard { board, piece, ..KnownBoard::default() }
}

/// Returns the tours and errors of a text: whether a tour is closed and its board, or the line and
/// the message; and the forms.
fn told(expected: KnownBoard, text: &str) -> (Vec<String>, Vec<String>) {
    let read = TourReader::expecting(expected).read_all(text);
    let forms = read.iter().filter_map(|read| read.form.clone()).collect();
    let told = read.into_iter().map(|read| match read.tour {
        Ok(tour) if tour.is_reentrant() => format!("closed {}", tour.board()),
        Ok(tour) => format!("open {}", tour.board()),
        Err(wrong) => format!("{}: {wrong}", read.line),
    });
    (told.collect(), forms)
}

#[test]
fn whole_tours_are_read_in_every_form() {
    let mut failed = String::new();
    let numpy = rows("[ ", ".  ", ".]", "\n ");
    let framed: Vec<String> = (1..4)
        .rev()
        .zip(rows("", "  ", "", "\n").lines())
        .map(|(row, line)| format!("{row}| {line} |"))
        .collect();
    let cells: Vec<String> = (1..4)
        .rev()
        .zip(rows("| ", " | ", " |", "\n").lines())
        .map(|(row, line)| format!("{row} {line}\n  +---+---+---+---+"))
        .collect();
    let right: Vec<String> = (1..4)
        .rev()
        .zip(rows("| ", " ", " |", "\n").lines())
        .map(|(row, line)| format!("{line} {row}"))
        .collect();
    let from_zero = ROWS.map(|row| row.map(|step| (step - 1).to_string()).join(" ")).join("\n");
    let moves: Vec<String> = NAMES.windows(2).map(|two| format!("{}-{}", two[0], two[1])).collect();
    for (text, form) in [
        (rows("", " ", "", "\n"), ""),
        (rows("", "\t", "", "\n"), ""),
        (rows("", "\t\t", "", "\n"), ""),
        (rows("", ",", "", "\n"), ""),
        (rows("", ";", "", "\n"), ""),
        (rows("", ", ", ",", "\n"), ""),
        (rows("", ". ", ".", "\n"), ""),
        (rows("", ".0 ", ".0", "\n"), ""),
        (rows("[", ", ", "],", "\n"), "rows of numbers in brackets"),
        (format!("[{}]", rows("[", ",", "]", ",")), "rows of numbers in brackets"),
        (format!("[{}]", rows("[", ",", "]", ",\n")), "rows of numbers in brackets"),
        (format!("[\n{}\n]", rows("  [", ", ", "]", ",\n")), "rows of numbers in brackets"),
        (format!("[\n{}\n]", rows("[\n", ",\n", "\n]", ",\n")), "rows of numbers in brackets"),
        (format!("({})", rows("(", ", ", ")", ", ")), "rows of numbers in brackets"),
        (format!("{{{}}};", rows("{", ", ", "}", ", ")), "rows of numbers in brackets"),
        (format!("[{numpy}]"), "rows of numbers in brackets"),
        (
            format!("[{}]", rows("[ ", " ", "]", "\n ").replacen("6 ", "6\n  ", 1)),
            "rows of numbers in brackets",
        ),
        (format!("[{}]", rows("", " ", "", "; ")), "rows of numbers in brackets"),
        (format!("[ {} ]", rows("", " ", "", ";\n ")), "rows of numbers in brackets"),
        (rows("", " ", "", "; "), ""),
        (rows("", " ", "", " / "), ""),
        (from_zero, "rows of numbers numbered from 0"),
        (format!("board = [{}]", rows("[", ",", "]", ",")), "rows of numbers in brackets"),
        (
            format!("board: [{}]", rows("[", ",", "]", ",")),
            "rows of numbers in brackets, after a title",
        ),
        (
            format!("{{\"board\": [{}]}}", rows("[", ",", "]", ",")),
            "rows of numbers in brackets, of a JSON object",
        ),
        (
            format!("{{\n \"size\": 4,\n \"board\": [\n{}\n ]\n}}", rows("  [", ", ", "]", ",\n")),
            "rows of numbers in brackets, of a JSON object",
        ),
        (format!("[{}]", rows("\"", " ", "\"", ", ")), "rows of numbers in brackets"),
        (rows("\"", "\",\"", "\"", "\n"), ""),
        (rows("| ", " | ", " |", "\n"), "rows of numbers in a frame"),
        (rows("", " | ", "", "\n---+---+---+---\n"), "rows of numbers in a frame"),
        (rows("|", "  ", "|", "\n"), "rows of numbers in a frame"),
        (rows("| ", " | ", " |", "\n|---|---|---|---|\n"), "rows of numbers in a frame"),
        (
            format!("+-------------+\n{}\n+-------------+\n   a b c d", framed.join("\n")),
            "rows of numbers in a frame, without the names of columns, without the numbers of rows",
        ),
        (framed.join("\n"), "rows of numbers in a frame, without the numbers of rows"),
        (
            framed.join("\n").replace(" |", ""),
            "rows of numbers in a frame, without the numbers of rows",
        ),
        (right.join("\n"), "rows of numbers in a frame, without the numbers of rows"),
        (
            format!("    1   2   3   4\n  +---+---+---+---+\n{}", cells.join("\n")),
            "rows of numbers in a frame, without the numbers of columns, without the numbers of rows",
        ),
        (format!("My tours\n\n{}", rows("", " ", "", "\n")), ""),
        (format!("Tour 1:\n{}", rows("", " ", "", "\n")), ""),
        (NAMES.join(" "), ""),
        (NAMES.join("; "), ""),
        (NAMES.join("-"), ""),
        (NAMES.join(" -> ").to_uppercase(), ""),
        (NAMES.join("\n"), "squares over several lines"),
        (NAMES.join(",\n"), "squares over several lines"),
        (format!("N{}", NAMES.join(" N")), "squares after the letter of a piece"),
        (format!("[\"{}\"]", NAMES.join("\", \"")), "squares in brackets"),
        (format!("['{}']", NAMES.join("', '")), "squares in brackets"),
        (format!("[\n\"{}\"\n]", NAMES.join("\",\n\"")), "squares in brackets, over several lines"),
        (format!("Tour: {}", NAMES.join(" ")), "squares after a title"),
        (format!("Tour: {}", NAMES.join("-")), "squares after a title"),
        (format!("Tour: {}", NAMES.join("->")), "squares after a title"),
        (moves.join(" "), "squares two for each move"),
        (squares("STEP. NNAME", " "), "squares with their steps"),
        (squares("STEP. NNAME", "\n"), "squares with their steps"),
        (squares("STEP.NAME", " "), "squares with their steps"),
        (squares("STEP: NAME", "\n"), "squares with their steps"),
        (squares("ZERO: NAME", "\n"), "squares with their steps"),
        (squares("STEP=NAME", " "), "squares with their steps"),
        (squares("NAME=STEP", " "), "squares with their steps"),
        (
            format!("{{{}}}", squares("STEP: \"NAME\"", ", ")),
            "squares in brackets, with their steps",
        ),
        (squares("STEP: (ROW, COL)", "\n"), "squares in brackets, with their steps"),
        (
            NAMES
                .chunks(2)
                .zip(1..)
                .map(|(two, n)| format!("{n}. N{}", two.join(" N")))
                .collect::<Vec<_>>()
                .join(" "),
            "squares numbered in pairs",
        ),
        (squares("ROW,COL", " "), ""),
        (squares("ROW,COL", "\t"), ""),
        (squares("ROW,COL", "\n"), "squares as rows and columns from 0"),
        (squares("ROW COL", "\n"), "squares as rows and columns from 0"),
        (squares("[ROW, COL],", "\n"), "squares in brackets, as rows and columns from 0"),
        (squares("(ROW, COL)", " "), "squares in brackets, as rows and columns from 0"),
        (squares("(ROW,COL)", " -> "), "squares in brackets, as rows and columns from 0"),
        (squares("(ROW, COL)", "\n"), "squares in brackets, as rows and columns from 0"),
        (
            format!("[{}]", squares("[ROW,COL]", ",")),
            "squares in brackets, as rows and columns from 0",
        ),
        (
            format!("[{}]", squares("(ROW, COL)", ", ")),
            "squares in brackets, as rows and columns from 0",
        ),
        (format!("{{\"tour\":[\"{}\"]}}", NAMES.join("\",\"")), ""),
        (format!("{{\"tour\":[{}]}}", squares("\"ROW, COL\"", ",")), ""),
        (format!("{{\"by\":\"a \\\"[\\\" b\",\"tour\":[\"{}\"]}}", NAMES.join("\",\"")), ""),
        (format!("{{\n\"tour\": [\n\"{}\"\n]\n}}", NAMES.join("\",\n\"")), ""),
        (
            format!("{{\"tour\": [{}]}}", squares("[ROW,COL]", ",")),
            "squares in brackets, of a JSON object, as rows and columns from 0",
        ),
    ] {
        let forms = if form.is_empty() { vec![] } else { vec![form.to_owned()] };
        let ends =
            [text.clone(), text.replace('\n', "\r\n") + "\r\n\r\n", format!("\u{feff}{text}\n\n")];
        for text in ends {
            let wanted = (vec!["open 3x4".to_owned()], forms.clone());
            for expected in ["", "3x4"] {
                if told(expecting(expected, ""), &text) != wanted {
                    failed += &format!("{text}\n{:?}\n\n", told(expecting(expected, ""), &text));
                }
            }
        }
        // A tour before it and one after it stay what they are.
        let tour = NAMES.join(" ");
        let between = format!("{tour}\n{text}\n{tour}");
        if told(KnownBoard::default(), &between).0 != ["open 3x4"; 3] {
            failed += &format!("{between}\n{:?}\n\n", told(KnownBoard::default(), &between));
        }
    }
    assert!(failed.is_empty(), "{failed}");
}

#[test]
fn holes_and_boards_of_tours_are_read_where_a_text_tells_them() {
    let mut failed = String::new();
    let ring = ["closed 3x3 without=b2"];
    let unfinished = ["1: unfinished, no wrong move: 8 of 9 squares have a number"];
    let empty = "rows of numbers with an empty place as a square to fill";
    for (text, piece, wanted, form) in [
        ("3 8 5\n6 # 2\n1 4 7", "", &ring[..], "rows of numbers with `#` as a hole"),
        ("3 8 5\n6 . 2\n1 4 7", "", &unfinished, "rows of numbers with `.` as a square to fill"),
        (
            "| 3 | 8 | 5 |\n| 6 |   | 2 |\n| 1 | 4 | 7 |",
            "",
            &unfinished,
            "rows of numbers in a frame, with an empty place as a square to fill",
        ),
        ("3\t8\t5\n6\t\t2\n1\t4\t7", "", &unfinished, empty),
        ("3,8,5\n6,,2\n1,4,7", "", &unfinished, empty),
        ("3,8,5,\n6,#,2,\n1,4,7,", "", &ring, "rows of numbers with `#` as a hole"),
        (
            "# 3 2\n1 # 4",
            "",
            &["1: step 2 from c2 to b2 is not a knight's move"],
            "rows of numbers with `#` as a hole",
        ),
        (
            "# 1 4 7 10\n# 8 11 2 5\n# 3 6 9 12",
            "",
            &["open 3x5 without=a1,a2,a3"],
            "rows of numbers with `#` as a hole",
        ),
        (
            "# a remark\n#\n3 8 5\n6 # 2\n1 4 7\n# 3 remarks",
            "",
            &ring,
            "rows of numbers with `#` as a hole",
        ),
        ("# board 3x3 without=b2\n3 8 5\n6 . 2\n1 4 7", "", &ring, ""),
        ("1 2\n4 3", "king", &["closed 2x2 piece=king"], ""),
        ("[[1,2],[4,3]]", "king", &["closed 2x2 piece=king"], "rows of numbers in brackets"),
        ("a1 b2 a2 b1", "king", &["closed 2x2 piece=king"], ""),
        (
            "[[0,0],[1,1],[1,0],[0,1]]",
            "king",
            &["closed 2x2 piece=king"],
            "squares in brackets, as rows and columns from 0",
        ),
        ("3x3 piece=king, open, asymmetric\n3 4 5\n2 6 7\n1 8 9", "", &["open 3x3 piece=king"], ""),
        (
            "1\n#\n2",
            "king",
            &["1: step 1 from a3 to a1 is not a move of the piece"],
            "rows of numbers with `#` as a hole",
        ),
        (
            "INITIAL STATE:\nXX XX XX XX\nXX XX XX XX\n01 XX XX XX\n\nFINAL STATE:\n03 06 09 12\n08 11 02 05\n01 04 07 10\n\nRuntime: 0.1 seconds",
            "",
            &["open 3x4"],
            "",
        ),
        ("1 2\n4 3\n-----\n1 2\n4 3\n=====", "king", &["closed 2x2 piece=king"; 2], ""),
        ("a1\na1\na1", "", &["open 1x1"; 3], ""),
        ("0,0", "", &["open 1x1"], "squares as rows and columns from 0"),
        (
            "{\"tour\": [\"a1\", \"b1\"], \"board\": \"1x2 piece=wazir\"}",
            "",
            &["open 1x2 piece=wazir"],
            "",
        ),
        (
            "[[3,6,9,12],[8,11,2,5],[1,4,7,10]]\n[[3,6,9,12],[8,11,2,5],[1,4,7,10]]",
            "",
            &["open 3x4"; 2],
            "rows of numbers in brackets",
        ),
        (
            "\u{1b}[38;5;16;48;5;180m  3   6   9  12 \u{1b}[0m\n8 11 2 5\n1 4 7 10",
            "",
            &["open 3x4"],
            "rows of numbers without colours",
        ),
    ] {
        let (tours, forms) = told(expecting("", piece), text);
        let is_right = tours == wanted
            && forms.iter().all(|said| said == form)
            && forms.is_empty() == form.is_empty();
        if !is_right {
            failed += &format!("{text}\n{tours:?}\n{forms:?}\n\n");
        }
    }
    assert!(failed.is_empty(), "{failed}");
}

#[test]
fn texts_that_could_be_two_things_are_refused_with_the_line_and_the_reason() {
    let mut failed = String::new();
    for (text, wanted) in [
        (
            "1 2 3\n4 x 5",
            "1: cannot be read: `x` may be squares to fill or holes: write . for a square to fill, # for a hole",
        ),
        ("1 _ 3", "1: unfinished, no wrong move: 2 of 3 squares have a number"),
        ("1 2 _", "1: step 1 from a1 to b1 is not a knight's move"),
        (
            "1 99999999999999999999 2",
            "1: `99999999999999999999` is not a number of a grid: it stands in column 2; holes are #",
        ),
        ("1 . .\n. . 2", "1: unfinished, no wrong move: 2 of 6 squares have a number"),
        ("[[1, 2], [3", "1: cannot be read: a bracket that is not closed"),
        ("[[1, 2],\n\n[3, 4]]", "1: cannot be read: a bracket that is not closed"),
        ("[1, 2]]", "1: cannot be read: a bracket that closes nothing"),
        ("[[[1, 2], [3, 4]]]", "1: cannot be read: brackets inside brackets inside brackets"),
        ("[1, [2, 3]]", "1: cannot be read: some cells stand in more brackets than others"),
        ("[[1, 2], 3]", "1: cannot be read: some cells stand in more brackets than others"),
        (
            "1 | 2 | 3 |\n4 | 5 | 6 |",
            "1: cannot be read: bars at one end of the rows only: they stand at both ends or between squares, unless rows are numbered beside them",
        ),
        (
            "| 1 | 2 | 3\n| 4 | 5 | 6",
            "1: cannot be read: bars at one end of the rows only: they stand at both ends or between squares, unless rows are numbered beside them",
        ),
        (
            "| 1 2 | | 3 4 |",
            "1: cannot be read: an empty place between bars, and several numbers between others",
        ),
        ("| 1 | 2 |\n3 4", "2: cannot be read: a row without bars among rows with bars"),
        ("| [1 | 2] |", "1: cannot be read: brackets among bars"),
        ("1\t\t2\t3", "1: step 1 from a1 to c1 is not a knight's move"),
        ("\t2\n1\t", "1: step 1 from a1 to b2 is not a knight's move"),
        ("1 2 3\n# 5", "2: 2 cells where the grid's first line has 3"),
        ("1,2; ,; 4,3", "1: 1 cell where the grid's first line has 2"),
        ("1,2,3,\n4,5,6\n7,8,9", "2: 3 cells where the grid's first line has 4"),
        (
            "[[\"a1\",\"c2\"],[\"a3\",\"b1\"]]",
            "1: cannot be read: several lists of squares in one: write each tour on a line",
        ),
        ("1=a1 3=c2 4=a3", "1: cannot be read: step 3 is not the one after that before it"),
        ("1. a1 c2 3. a3 b1", "1: cannot be read: numbers among squares that do not count them"),
        (
            "c2 a3 5",
            "1: `5` is not a square: write it as in chess (c2) or as row,col counted from 0 (1,2), and blanks between squares",
        ),
        (
            "{\"piece\": \"king\", \"board\": [[1,2],[4,3]]}",
            "1: cannot be read: a piece without a board: name the piece",
        ),
        (
            "{\"tour\": [\"a1\", \"[1]\"]}",
            "1: `[1]` is not a square: write it as in chess (c2) or as row,col counted from 0 (1,2), and blanks between squares",
        ),
        (
            "{\"board\": [[1,2]], \"solution\": [[1,2]]}",
            "1: not a JSON object with a tour, the clues of a puzzle, or rows of numbers",
        ),
        (
            "{\"board\": [[1,2]]",
            "1: not a JSON object with a tour, the clues of a puzzle, or rows of numbers",
        ),
        ("[[0,0],[1,2],[5,5]]", "1: step 2 from c2 to f6 is not a knight's move"),
        ("1 14 9 20", "1: 14 on b1 is out of range: the numbers of a 1x4 grid go from 1 to 4"),
    ] {
        let (tours, _) = told(KnownBoard::default(), text);
        if tours.first().is_none_or(|told| told != wanted) {
            failed += &format!("{text}\n{tours:?}\n\n");
        }
    }
    assert!(failed.is_empty(), "{failed}");
}

// Boards with some steps given

fn read_boards(expected: KnownBoard, text: &str) -> Vec<Result<PartFilled, Misread>> {
    PartFilledReader::new(expected).read_all(text)
}

/// Returns each board with its steps, or the error; and what it was taken for.
fn given(expected: KnownBoard, text: &str) -> Vec<(String, String)> {
    let told = |read: Result<PartFilled, Misread>| match read {
        Ok(PartFilled { board, steps, form, .. }) => {
            let steps =
                steps.iter().map(|(step, square)| format!(" {step}={}", board.name(*square)));
            (board.to_string() + &steps.collect::<String>(), form.unwrap_or_default())
        }
        Err(misread) => (misread.to_string(), String::new()),
    };
    read_boards(expected, text).into_iter().map(told).collect()
}

#[test]
fn part_filled_boards_are_read_in_every_form() {
    let mut failed = String::new();
    const EMPTY: &str = "rows of numbers with an empty place as a square to fill";
    const LABELLED: &str =
        "rows of numbers without the names of columns, without the numbers of rows";
    const HEADED: &str = "rows of numbers in a frame, without an empty heading, with an empty place as a square to fill";
    const NAMED: &str = "rows of numbers in a frame, without the names of columns";
    const FRAMED: &str =
        "rows of numbers in a frame, without the names of columns, without the numbers of rows";
    const FRAME: &str = "rows of numbers in a frame, with an empty place as a square to fill";
    const BRACKETS: &str = "rows of numbers in brackets, with `-` as a square to fill";
    const ZEROS: &str = "rows of numbers with `0` as a square to fill";
    const DASHED: &str = "rows of numbers with `-` as a square to fill";
    let (full, holes) = ("3x4 1=a1 5=d2 12=d3", "3x4 without=b2,c2 1=a1 5=d2 10=d3");
    for (text, wanted, form) in [
        (". . . 12\n. . . 5\n1 . . .", full, ""),
        (". . . 12 \n. . . 05 \n01 .. .. ..", full, ""),
        ("_ _ _ 12\n_ _ _ 5\n1 _ _ _", full, ""),
        ("__ __ __ 12\n__ __ __ 05\n01 __ __ __", full, ""),
        ("? ? ? 12\n? ? ? 5\n1 ? ? ?", full, ""),
        ("0 0 0 12\n0 0 0 5\n1 0 0 0", full, "rows of numbers with `0` as a square to fill"),
        (
            "00 00 00 12\n00 00 00 05\n01 00 00 00",
            full,
            "rows of numbers with `0` as a square to fill",
        ),
        ("- - - 12\n- - - 5\n1 - - -", full, "rows of numbers with `-` as a square to fill"),
        (
            "-- -- -- 12\n-- -- -- 05\n01 -- -- --",
            full,
            "rows of numbers with `-` as a square to fill",
        ),
        (
            "-1 -1 -1 12\n-1 -1 -1 5\n1 -1 -1 -1",
            full,
            "rows of numbers with `-1` as a square to fill",
        ),
        ("1,2; ,4", "2x2 1=a2 2=b2 4=b1", EMPTY),
        (",,,12\n,,,5\n1,,,", full, "rows of numbers with an empty place as a square to fill"),
        (".,.,.,12\n.,.,.,5\n1,.,.,.", full, ""),
        (
            "|   |   |   | 12 |\n|   |   |   | 5 |\n| 1 |   |   |   |",
            full,
            "rows of numbers in a frame, with an empty place as a square to fill",
        ),
        (
            "[[0,0,0,12],[0,0,0,5],[1,0,0,0]]",
            full,
            "rows of numbers in brackets, with `0` as a square to fill",
        ),
        (
            "[[null,null,null,12],[null,null,null,5],[1,null,null,null]]",
            full,
            "rows of numbers in brackets",
        ),
        ("[\". . . 12\", \". . . 5\", \"1 . . .\"]", full, "rows of numbers in brackets"),
        (
            "{\"grid\": [[0,0,0,12],[0,0,0,5],[1,0,0,0]]}",
            full,
            "rows of numbers in brackets, of a JSON object, with `0` as a square to fill",
        ),
        (
            "3 | . . . 12\n2 | . . . 5\n1 | 1 . . .",
            full,
            "rows of numbers in a frame, without the numbers of rows",
        ),
        (". . . 10\n. # # 5\n1 . . .", holes, ""),
        ("_ _ _ 10\n_ X X 5\n1 _ _ _", holes, ""),
        ("_ _ _ 10\n_ x x 5\n1 _ _ _", holes, ""),
        ("_ _ _ 10\n_ * * 5\n1 _ _ _", holes, ""),
        (
            "0 0 0 10\n0 -1 -1 5\n1 0 0 0",
            holes,
            "rows of numbers with `-1` as a hole, with `0` as a square to fill",
        ),
        (
            "0 0 0 10\n0 # # 5\n1 0 0 0",
            holes,
            "rows of numbers with `#` as a hole, with `0` as a square to fill",
        ),
        (
            "0 0 0 10\n0 . . 5\n1 0 0 0",
            holes,
            "rows of numbers with `.` as a hole, with `0` as a square to fill",
        ),
        (
            ". . . 10\n. 0 0 5\n1 . . .",
            holes,
            "rows of numbers with `0` as a hole, with `.` as a square to fill",
        ),
        (
            "_ _ _ 10\n_ . . 5\n1 _ _ _",
            holes,
            "rows of numbers with `.` as a hole, with `_` as a square to fill",
        ),
        (
            ". . . 10\n. - - 5\n1 . . .",
            holes,
            "rows of numbers with `-` as a hole, with `.` as a square to fill",
        ),
        ("# . 3\n1 . .", "2x3 without=a2 1=a1 3=c2", ""),
        ("0 . .\n. . 5", "2x3 1=a2 6=c1", "rows of numbers numbered from 0, here from 1"),
        (
            "0 1 2\n3 4 5",
            "2x3 1=a2 2=b2 3=c2 4=a1 5=b1 6=c1",
            "rows of numbers numbered from 0, here from 1",
        ),
        (
            "0 1 2\n3 4 6",
            "2x3 1=b2 2=c2 3=a1 4=b1 6=c1",
            "rows of numbers with `0` as a square to fill",
        ),
        ("1 . .\n2 . .", "2x3 1=a2 2=a1", ""),
        ("Puzzle 1\n1 . .\n2 . .", "2x3 1=a2 2=a1", ""),
        ("1\t2\t3\n\t\t\n\t\t", "3x3 1=a3 2=b3 3=c3", EMPTY),
        ("1\t\t\t6\n2\t\t\t5\n3\t\t\t4", "3x4 1=a3 2=a2 3=a1 4=d1 5=d2 6=d3", EMPTY),
        ("\t2\t\n1\t\t\n\t3\t", "3x3 1=a2 2=b3 3=b1", EMPTY),
        ("\t\t\n1\t\t\n\t3\t", "3x3 1=a2 3=b1", EMPTY),
        ("1\t\t.\t\t4\n.\t\t.\t\t5", "2x3 1=a2 4=c2 5=c1", ""),
        ("\t1\t.\n\t.\t4", "2x2 1=a2 4=b1", ""),
        ("[1] [ ] [ ]\n[ ] [ ] [ ]\n[ ] [3] [ ]", "3x3 1=a3 3=b1", EMPTY),
        ("1 \u{2014} \u{2014} 6\n2 - \u{2013} 5", "2x4 1=a2 2=a1 5=d1 6=d2", DASHED),
        ("[[1 \u{2014} 6]\n [2 \u{2013} 5]]", "2x3 1=a2 2=a1 5=c1 6=c2", BRACKETS),
        ("[\"1 \u{2014} 6\", \"2 \u{2013} 5\"]", "2x3 1=a2 2=a1 5=c1 6=c2", BRACKETS),
        ("#:7:#:#:5\n1 . . . .", "2x5 without=a2,c2,d2 1=a1 5=e2 7=b2", ""),
        ("# 1\n\n1 . .\n2 . .", "2x3 1=a2 2=a1", ""),
        ("  a b c\n. 5 . 3\n. . 7 2\n. . . 1", "3x3 5=b3 7=c2", LABELLED),
        ("|  |  |\n|---|---|\n| 1 |  |\n|  | 3 |", "2x2 1=a2 3=b1", HEADED),
        ("| 1 | 2 |\n|:--|---|\n| 1 | . |\n| . | 3 |", "2x2 1=a2 3=b1", NAMED),
        ("| 1 | 2 |\n|---|---|\n| 4 | . |", "2x2 1=a2 2=b2 4=a1", "rows of numbers in a frame"),
        ("| | A | B |\n|---|---|---|\n| 2 | 1 | . |\n| 1 | . | 3 |", "2x2 1=a2 3=b1", FRAMED),
        ("|   |   |\n|---|---|\n| 1 |   |\n|---|---|\n|   | 3 |", "3x2 1=a2 3=b1", FRAME),
        ("    1    2    3\n    4    5    6", "2x3 1=a2 2=b2 3=c2 4=a1 5=b1 6=c1", ""),
        ("1\t2\t3\t\n4\t5\t6\t", "2x3 1=a2 2=b2 3=c2 4=a1 5=b1 6=c1", ""),
        ("0\t\t0\t\t3\n1\t\t0\t\t0", "2x3 1=a1 3=c2", ZEROS),
        // Refused.
        ("1 . .\n. 1 .", "line 1 (row 1, column 1): 1 stands on a2 and on b1", ""),
        (
            "1 . .\n. . 7",
            "line 2 (row 2, column 3): 7 on c1 is out of range: the numbers of a 2x3 grid go from 1 to 6",
            "",
        ),
        ("1 . .\n. .", "line 2: 2 cells where the grid's first line has 3", ""),
        (
            "1 . .\n. a .",
            "line 2: `a` is not a number of a grid: it stands in column 2; holes are #",
            "",
        ),
        ("# # #\n# # #", "line 1: no square of the board is left", ""),
        (
            "0 0 .\n1 . .",
            "line 1: cannot be read: `.` and `0` may be squares to fill or holes: write . for a square to fill, # for a hole",
            "",
        ),
        ("a1 c2 a3", "line 1: cannot be read: squares without their steps: write 1=a1 18=e7", ""),
        (
            "{\"tour\": [\"a1\"]}",
            "line 1: cannot be read: squares without their steps: write 1=a1 18=e7",
            "",
        ),
        (
            "1=a1 5=d2",
            "line 1: cannot be read: steps with their squares do not tell the size of the board: name it",
            "",
        ),
        ("[[1, 0, 0]", "line 1: cannot be read: a bracket that is not closed", ""),
    ] {
        for text in [text.to_owned(), format!("\n\n{text}\r\n\r\n")] {
            let told = given(KnownBoard::default(), &text);
            let lines = text.len() - text.trim_start().len();
            let wanted = wanted.replace("line 2", &format!("line {}", lines + 2));
            let wanted = wanted.replace("line 1", &format!("line {}", lines + 1));
            if told != [(wanted, form.to_owned())] {
                failed += &format!("{text}\n{told:?}\n\n");
            }
        }
    }
    assert!(failed.is_empty(), "{failed}");
}

/// Each rule of reading stands in a table beside the text that needs it.
#[test]
fn each_rule_reads_the_text_that_needs_it() {
    let table = include_str!("../golden/reading.tsv");
    let mut passes = vec!["cells"];
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let [pass, rule, text, board, tour] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        passes.extend((passes.last() != Some(&pass)).then_some(pass));
        let text = text.replace(r"\n", "\n").replace(r"\t", "\t");
        let form = |form: String| if form.is_empty() { form } else { format!(" ({form})") };
        let boards = given(KnownBoard::default(), &text).into_iter();
        let boards: Vec<String> = boards.map(|(board, said)| board + &form(said)).collect();
        assert_eq!(boards.join(" / "), board, "{rule}");
        let tours = told(KnownBoard::default(), &text).0;
        assert_eq!(tours.join(" / "), tour, "{rule}");
    }
    assert_eq!(passes, ["cells", "table", "squares"]);
}

#[test]
fn a_wrong_word_or_a_gap_in_a_row_is_refused_and_never_left_out() {
    for (text, line, word, column) in [
        ("1 : : 6\n2 : : 5", 1, ":", 2),
        ("1 -> 2\n4 -> 3", 1, "->", 2),
        ("1 2 3\n+ + +", 2, "+", 1),
        ("NA NA 8 9\n. . . .\n1 2 3 4", 1, "NA", 1),
        ("NA NA NA NA\n1 2 3 4", 1, "NA", 1),
        ("1 2 3\nempty empty empty\n4 5 6", 2, "empty", 1),
        ("| 1 | 2 |\n| ab | 3 |", 2, "ab", 1),
        ("1 2 3\n# 5 l4", 2, "l4", 3),
        ("# 5 l4\n1 2 3", 1, "l4", 3),
        ("# NA 5\n1 2 3", 1, "NA", 2),
    ] {
        let why = format!("`{word}` is not a number of a grid: it stands in column {column}");
        let wanted = format!("line {line}: {why}; holes are #");
        assert_eq!(given(KnownBoard::default(), text), [(wanted, String::new())], "{text}");
    }
    let signs = "may be squares to fill or holes: write . for a square to fill, # for a hole";
    let gaps = "cells do not stand under each other, or blanks may be squares: write . for a square to fill, # for a hole";
    let runs = "signs without blanks between them may be one square or several: write a blank between squares";
    let labels = "one column more than names, and rows not numbered at one end";
    let ends = r"lines end with a carriage return alone: tr '\r' '\n' mends the file";
    for (text, line, why) in [
        ("1 x x\nx x x", 1, format!("`x` {signs}")),
        ("1 X *\n* X 2", 1, format!("`X` and `*` {signs}")),
        ("1     6\n   2  5\n3     4", 2, gaps.to_owned()),
        ("1       6\n2       5\n3       4", 1, gaps.to_owned()),
        ("1 2     3\n6 5     4", 1, gaps.to_owned()),
        ("1\n  2\n3", 2, gaps.to_owned()),
        ("#.1\n...", 2, runs.to_owned()),
        ("\"...\"\n1", 1, runs.to_owned()),
        ("___\n1\n2", 1, runs.to_owned()),
        ("1 2\r4 3", 1, ends.to_owned()),
        ("1 ? | 1\n2 3 | 2\n  a b", 1, labels.to_owned()),
    ] {
        let wanted = format!("line {line}: cannot be read: {why}");
        assert_eq!(given(KnownBoard::default(), text), [(wanted, String::new())], "{text}");
    }
    // Titles and remarks remain what they are.
    for words in ["A puzzle by me", "Puzzle 1:", "# 5x5", "# 3 rows"] {
        let told = given(KnownBoard::default(), &format!("{words}\n1 . . .\n. . . 2"));
        assert_eq!(told, [("2x4 1=a2 2=d1".to_owned(), String::new())], "{words}");
    }
}

#[test]
fn a_row_with_an_error_of_a_spreadsheet_is_refused_with_its_line_wherever_it_stands() {
    for word in
        ["#N/A", "#NV", "#REF!", "#DIV/0!", "#WERT!", "#\u{a1}REF!", "NaN", "NULL", "\"#N/A\""]
    {
        let rows = [
            [word; 3],
            [word, word, "9"],
            [word, "", "9"],
            [word, "#NAME?", "9"],
            [word, "", ""],
            ["", "", word],
        ];
        for (row, between) in rows.iter().flat_map(|row| [",", ";", "\t", " | "].map(|b| (row, b)))
        {
            let written = |row: &[&str; 3]| row.join(between);
            let bars = if between == " | " { "|" } else { "" };
            for line in 1..=3 {
                let mut rows = vec![written(&["1", "2", ""]), written(&["", "", "6"])];
                rows.insert(line - 1, written(row));
                let boards = |text: &str| {
                    given(KnownBoard::default(), text).into_iter().map(|told| told.0).collect()
                };
                let text: String = rows.iter().map(|row| format!("{bars}{row}{bars}\n")).collect();
                for told in [told(KnownBoard::default(), &text).0, boards(&text)] {
                    let is_refused = told.len() == 1 && told[0].contains(&format!("{line}: "));
                    assert!(is_refused && told[0].contains(" is not "), "{text}: {told:?}");
                }
            }
        }
    }
    // Between blanks, beside one column, in a frame, and after a row that is wrong already.
    let cell = |word: &str, column| {
        format!("`{word}` is not a number of a grid: it stands in column {column}")
    };
    for (text, line, word, column) in [
        ("1 2 .\n#N/A . 9", 2, "#N/A", 1),
        ("#N/A #REF! #NAME?\n1 2 .", 1, "#N/A", 1),
        ("NA nan empty\n1 2 3", 1, "NA", 1),
        ("#NV 9\n1 2", 1, "#NV", 1),
        ("| 1 | 2 |\n| n/a | 3 |", 2, "n/a", 1),
        ("1\n#N/A\n3", 2, "#N/A", 1),
        ("\t4\n\tErr:502", 2, "Err:502", 2),
        ("NaN\n1", 1, "NaN", 1),
        ("1 2 .\n###\n. . 6", 2, "###", 1),
        ("#..\n1 2 .", 1, "#..", 1),
        ("#.1\n. . .", 1, "#.1", 1),
        ("1 2 .\n#5.", 2, "#5.", 1),
        ("\"NaN . 9\"\n\"1 2 .\"", 1, "NaN", 1),
        ("(NaN . 9)\n(1 2 .)", 1, "NaN", 1),
        ("2 | NaN . 9\n1 | 1 2 .", 1, "NaN", 1),
        ("+---+---+\n| 9 |NaN|\n+---+---+\n| 1 |   |\n+---+---+", 2, "NaN", 2),
        ("1,,\n#N/A,,\n#N/A,,9\n,6,", 2, "#N/A", 1),
    ] {
        let wanted = format!("line {line}: {}; holes are #", cell(word, column));
        assert_eq!(given(KnownBoard::default(), text), [(wanted, String::new())], "{text}");
    }
}

#[test]
fn signs_mean_what_they_are_said_to_mean() {
    for (blanks, holes, text, board, tour) in [
        ("X", "", "1 X X\nX X 5", "2x3 1=a2 5=c1", "unfinished, no wrong move: 2 of 6 squares"),
        ("", "X", "1 X 5\n3 2 4", "2x3 without=b2 1=a2 2=b1 3=a1 4=c1 5=c2", "step 1 from a2"),
        (
            "0",
            ".",
            "0 0 .\n1 . .",
            "2x3 without=b1,c1,c2 1=a1",
            "unfinished, no wrong move: 1 of 3",
        ),
        ("o", "@", "1 o o\n@ o 5", "2x3 without=a1 1=a2 5=c1", "unfinished, no wrong move: 2 of 5"),
        ("-", "", "1 - -\n- -1 5", "2x3 without=b1 1=a2 5=c1", "unfinished, no wrong move: 2 of 5"),
        ("", "\u{2013}", "1 \u{2013} 2", "1x3 without=b1 1=a1 2=c1", "step 1 from a1"),
        ("", "\u{25a1}", "1 \u{25a1} 2", "1x3 without=b1 1=a1 2=c1", "step 1 from a1"),
        ("\u{25a0}", "", "1 \u{25a0} 3", "1x3 1=a1 3=c1", "unfinished, no wrong move: 2 of 3"),
        ("", "?", "[[1, null, 2]]", "1x3 without=b1 1=a1 2=c1", "step 1 from a1"),
        ("", "=", "1 = 2", "1x3 without=b1 1=a1 2=c1", "step 1 from a1"),
        ("", "", "1 \u{25a0}\u{25a0}\u{25a0} 3 .", "1x4 without=b1 1=a1 3=c1", "unfinished"),
    ] {
        let known = KnownBoard::of_signs(blanks.to_owned(), holes.to_owned()).unwrap();
        assert_eq!(given(known.clone(), text)[0].0, board, "{text}");
        assert!(told(known, text).0[0].contains(tour), "{text}");
    }
    let (read, _) = told(KnownBoard::default(), "1 \u{1} 3");
    assert!(read[0].contains("is not a number"), "no control character is a sign: {read:?}");
    for mark in ["/", "|", "\"", "'", "[", ",", " "] {
        assert!(KnownBoard::of_signs(String::new(), mark.to_owned()).is_err(), "{mark}");
    }
}

#[test]
fn headers_titles_and_remarks_beside_a_board_remain_what_they_are() {
    let board = "1,2,\n,,6";
    for words in [
        "step,row,col",
        "#,row,col",
        "#step,row,col",
        "#STEP,ROW,COL",
        "| step | row | col |",
        ",row,col",
        "step,x,y",
        "Puzzle,,",
        ",Solution,",
        "# 3 numbers given; easy",
        "# solved by hand, checked twice, dated",
        "# its solution",
        "# size: 5 6",
        "# size 3",
        "#1",
        "#1, #2, #3",
        "#2 of 3",
        "Date: 2026-11-30",
        "Puzzle 2024-05-06, easy",
        "Time 10-20",
        "Part a1-c3",
        "Puzzle number 3",
        "Blank 3 columns",
        "Empty",
    ] {
        for text in [format!("{words}\n{board}"), format!("{board}\n{words}\n{board}")] {
            let told = given(KnownBoard::default(), &text);
            let boards = 1 + usize::from(text.starts_with('1'));
            assert_eq!(told.len(), boards, "{text}: {told:?}");
            assert!(told.iter().all(|told| told.0 == "2x3 1=a2 2=b2 6=c1"), "{text}: {told:?}");
        }
    }
}

#[test]
fn steps_with_their_squares_are_given_on_a_known_board() {
    for (text, on, wanted) in [
        ("1=a1 5=d2 12=d3", "3x4", "3x4 1=a1 5=d2 12=d3"),
        ("12=d3, 5=d2\n1=a1", "3x4", "3x4 1=a1 5=d2 12=d3"),
        ("{1: \"a1\", 5: \"d2\", 12: \"d3\"}", "3x4", "3x4 1=a1 5=d2 12=d3"),
        ("{\"clues\": [[1, \"0, 0\"], [5, \"1,3\"], [12, \"d3\"]]}", "3x4", "3x4 1=a1 5=d2 12=d3"),
        ("a1=1; d2=5; d3=12", "3x4", "3x4 1=a1 5=d2 12=d3"),
        ("1: (0, 0)\n5: (1, 3)", "3x4", "3x4 1=a1 5=d2"),
        ("0=a1 4=d2", "3x4", "3x4 1=a1 5=d2"),
        ("#\n.\n.\n2\n1", "5x1 without=a5", "5x1 without=a5 1=a1 2=a2"),
        (
            "1=a1 13=d2",
            "3x4",
            "line 1: 13 on d2 is out of range: the numbers of a 3x4 grid go from 1 to 12",
        ),
        ("1=a1\n1=d2", "3x4", "line 2: 1 stands on d2 and on a1"),
        ("1=a1\n2=a1", "3x4", "line 2: cannot be read: a1 has two steps"),
        ("1=a1 2=b2", "3x3 without=b2", "line 1: b2 is not on the 3x3 without=b2 board"),
        ("1=e1", "3x4", "line 1: e1 is not on the 3x4 board"),
        ("1=x 3=2", "graph 1-2,2-x", "graph of 3 vertices and 2 edges 1=x 3=2"),
        (
            "{\"clues\": [[1, \"x\"],\n[3, \"2\"]]}",
            "graph 1-2,2-x",
            "graph of 3 vertices and 2 edges 1=x 3=2",
        ),
        ("1=x\ny\n3=2", "graph 1-2,2-x", "line 2: cannot be read: `y` is not STEP=VERTEX"),
        ("1=y", "graph 1-2,2-x", "line 1: `y` is not a vertex of the graph"),
        ("y", "graph 1-2,2-x", "line 1: cannot be read: `y` is not STEP=VERTEX"),
        (". 8 5\n6 . .\n1 4 7", "3x3 without=b2", "3x3 without=b2 1=a1 4=b1 5=c3 6=a2 7=c1 8=b3"),
        (". 8 5\n6 # .\n1 4 7", "3x3 without=b2", "3x3 without=b2 1=a1 4=b1 5=c3 6=a2 7=c1 8=b3"),
        (
            ". # .\n. # .\n1 . .",
            "3x3 without=b2",
            "line 1 (row 1, column 2): there is a hole on b3, which is a square of the board",
        ),
        (
            ". . .\n. 2 .\n1 . .",
            "3x3 without=b2",
            "line 2 (row 2, column 2): b2 is not on the 3x3 without=b2 board",
        ),
        ("1 .\n. .", "3x3", "line 1: a grid of 2 x 2 is not 3x3"),
    ] {
        let told = given(expecting(on, ""), text);
        assert_eq!(told.len(), 1, "{text}: {told:?}");
        assert_eq!(told[0].0, wanted, "{text}");
    }
    let king = given(expecting("", "king"), "1 .\n. .\n\n. 3 .\n");
    assert_eq!(
        king.iter().map(|told| &told.0[..]).collect::<Vec<_>>(),
        ["2x2 piece=king 1=a2", "1x3 piece=king 3=b1"]
    );
    let rows = read_boards(
        KnownBoard::default(),
        "Puzzle\n\n+---+---+\n| 1 |   |\n+---+---+\n|   |   |\n",
    );
    let rows: Vec<_> = rows
        .iter()
        .map(|read| read.as_ref().map(|board| (board.line, board.rows.clone())))
        .collect();
    assert_eq!(rows, [Ok((4, vec![4, 6]))]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_text_is_read_without_a_panic(
        text in "([a-d0-9NX#.,;:=|'\\[\\]{}()\" \\t\\-\\n]|1=a1|\\[\\[|\\n\\n|\\PC){0,80}",
    ) {
        let lines = text.lines().count();
        let tours = TourReader::new(None).read_all(&text);
        prop_assert!(tours.iter().all(|read| (1..=lines).contains(&read.line)), "{:?}", tours);
        for board in read_boards(KnownBoard::default(), &text) {
            match board {
                Ok(PartFilled { line, board, steps, .. }) => {
                    prop_assert!((1..=lines).contains(&line));
                    let squares: std::collections::BTreeSet<Square> = steps.iter().map(|step| step.1).collect();
                    prop_assert!(squares.len() == steps.len());
                    prop_assert!(steps.windows(2).all(|two| two[0].0 < two[1].0));
                    prop_assert!(steps.iter().all(|step| (1..=board.squares()).contains(&step.0)));
                }
                Err(misread) => prop_assert!((1..=lines).contains(&misread.line), "{}", misread),
            }
        }
    }

    #[test]
    fn what_is_written_and_drawn_is_read_back(question in any_question(14), separator in "[ ;,|]") {
        let tours = first_tours(&question, 2);
        let board = &question.board;
        if !board.is_graph() {
            let mut drawn = String::new();
            for tour in &tours {
                draw::text(&Subject::new(tour.clone(), true).unwrap(), TextStyle::Boxes, &mut drawn);
                drawn.push('\n');
            }
            let back = TourReader::new(None).read_all(&drawn).into_iter().map(|read| read.tour.unwrap());
            prop_assert!(back.eq(tours.iter().cloned()), "{}", drawn);
        }
        for format in [TourFormat::Squares, TourFormat::Grid, TourFormat::Json] {
            let mut text = format.header(board, false).into_bytes();
            let mut writer = TourWriter::new(board.clone(), format);
            for tour in &tours {
                writer.write(tour.squares(), &mut text);
                text.extend_from_slice(writer.separator());
            }
            let text = String::from_utf8(text).unwrap();
            let back = TourReader::new(None).read_all(&text);
            prop_assert!(back.iter().all(|read| read.form.is_none()), "{:?}", back);
            let back: Vec<Tour> = back.into_iter().map(|read| read.tour.unwrap()).collect();
            prop_assert_eq!(&back, &tours, "{}", &text);
            let is_grid = format == TourFormat::Grid && !board.is_graph() && !board.is_hexagonal();
            for tour in tours.iter().take(usize::from(is_grid)) {
                // With other separators the same grid is a board with all steps given. Rows of
                // hexagons stand by their blanks, holes included.
                let body: Vec<&str> = text.lines().filter(|line| !line.starts_with("# board")).collect();
                let grid = body[..board.rows() as usize].iter().map(|line| {
                    line.split_whitespace().collect::<Vec<_>>().join(&separator) + "\n"
                });
                let grid: String = grid.collect();
                if board.cols() > 1 || separator == " " {
                    let expected = KnownBoard { board: Some(board.clone()), ..KnownBoard::default() };
                    let read = read_boards(expected, &grid);
                    let steps: Vec<(usize, Square)> = (1..).zip(tour.squares().iter().copied()).collect();
                    prop_assert_eq!(read[0].as_ref().map(|read| &read.steps), Ok(&steps), "{}", grid);
                }
            }
        }
    }
}
