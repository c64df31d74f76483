//! The command `show`: its drawings, its refusals, and its exit codes.

use crate::common::{Machine, text};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

const TOUR: &str = "a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3\n";

/// Runs `show` and returns its output, its messages and its exit code.
fn shown(machine: &Machine, arguments: &str, input: impl Into<Vec<u8>>) -> (String, String, i32) {
    let mut command = machine.kt(&format!("show {arguments}"));
    let output = command.write_stdin(input).output().unwrap();
    let code = output.status.code().unwrap();
    (text(&output.stdout), text(&output.stderr), code)
}

fn printed(machine: &Machine, arguments: &str) -> Vec<u8> {
    let output = machine.kt(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments}");
    output.stdout
}

#[test]
fn a_puzzle_among_tours_is_refused_with_the_formats_that_draw_it() {
    let machine = Machine::new();
    let puzzle = machine.kt("puzzle --size 5 --seed 1").output().unwrap().stdout;
    let output = machine.kt("show").write_stdin(puzzle.clone()).output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("a puzzle is drawn by --format puzzle, sheet or play"), "{said}");
    for format in ["puzzle", "answer", "sheet", "play"] {
        let show = format!("show --format {format}");
        machine.kt(&show).write_stdin(puzzle.clone()).assert().success();
    }
}

#[test]
fn tours_in_every_format_that_is_written_are_shown() {
    let machine = Machine::new();
    for tours in [
        "find --size 8",
        "find --size 8 --format squares",
        "find --size 8 --json",
        "list --size 8 --limit 1",
        "list --size 8 --limit 1 --format grid",
        "list --size 8 --limit 1 --format json",
    ] {
        let (drawn, said, code) = shown(&machine, "", printed(&machine, tours));
        assert_eq!((said.as_str(), code), ("", 0), "{tours}");
        assert!(drawn.starts_with("8x8, "), "{tours}");
        assert_eq!(drawn.lines().count(), 19, "{tours}");
    }
    let list = printed(&machine, "list --size 5");
    let (drawn, _, code) = shown(&machine, "-", list);
    assert_eq!(code, 0);
    let blank = drawn.lines().filter(|line| line.is_empty()).count();
    assert_eq!(blank, 1_728 - 1);
}

#[test]
fn a_file_is_written_in_the_form_that_its_name_stands_for_unless_another_is_asked_for() {
    let machine = Machine::new();
    for (command, name, begins) in [
        ("show", "a.svg", "<svg"),
        ("show", "a.html", "<!"),
        ("show", "a.txt", "3x4, open"),
        ("show", "a", "3x4, open"),
        ("show --format text", "b.svg", "3x4, open"),
        ("show --format svg", "b.html", "<svg"),
        ("stats", "s.html", "<!"),
        ("stats", "s.JSON", "{"),
        ("stats", "s.txt", "1 open tour"),
        ("stats --json", "t.html", "{"),
        ("stats --format text", "t.json", "1 open tour"),
        ("find --rows 3 --cols 4", "f.json", "{"),
        ("find --rows 3 --cols 4", "f.txt", "# board 3x4\n "),
        ("find --rows 3 --cols 4 --format squares", "g.json", "a1 "),
    ] {
        let path = machine.folder.path().join(name);
        machine.kt(command).arg("-o").arg(&path).write_stdin(TOUR).assert().success();
        let written = fs::read_to_string(&path).unwrap();
        assert!(written.starts_with(begins), "{command} -o {name}: {written}");
    }
}

#[test]
fn a_tour_whose_ends_meet_is_closed_unless_paths_are_asked_for() {
    let machine = Machine::new();
    let list = printed(&machine, "list --rows 3 --cols 10 --tours closed --limit 1");
    for (options, kind, shape) in [
        ("", "closed", "<polygon"),
        ("--tours closed", "closed", "<polygon"),
        ("--tours open", "re-entrant", "<polyline"),
    ] {
        let (drawn, _, _) = shown(&machine, options, list.clone());
        assert!(drawn.starts_with(&format!("3x10, {kind}, ")), "{drawn}");
        let (drawn, _, _) = shown(&machine, &format!("{options} --format svg"), list.clone());
        assert!(drawn.contains(shape), "{options}");
    }
    let (drawn, said, code) = shown(&machine, "--tours closed", TOUR);
    assert_eq!((drawn.as_str(), code), ("", 3));
    assert!(said.contains("line 1") && said.contains("not closed"), "{said}");
}

#[test]
fn a_picture_is_of_the_first_tour_or_of_the_one_that_is_named() {
    let machine = Machine::new();
    let list = printed(&machine, "list --rows 3 --cols 4 --format grid");
    let (first, said, code) = shown(&machine, "--format svg", list.clone());
    assert_eq!(code, 0);
    assert!(said.contains("--tour N"), "{said}");
    for options in ["--format svg --tour 1", "--format svg --tour 16"] {
        let (drawn, said, code) = shown(&machine, options, list.clone());
        assert_eq!((said.as_str(), code), ("", 0));
        assert_eq!(drawn == first, options.ends_with("--tour 1"));
    }
    let (drawn, _, _) = shown(&machine, "--tour 2", list.clone());
    assert_eq!(drawn.lines().count(), 9);
    let (drawn, said, code) = shown(&machine, "--format html --tour 17", list);
    assert_eq!((drawn.as_str(), code), ("", 2));
    assert!(said.contains("--tour 17") && said.contains("has 16"), "{said}");
}

#[test]
fn wrong_tours_are_refused_with_line_and_reason_and_no_page_is_written() {
    let machine = Machine::new();
    let page = machine.folder.path().join("page.html");
    for (input, words) in [
        ("<script>alert(1)</script>\n", ["line 3", "cells stand in more brackets"]),
        ("a1 c2 <img/src=x>\n", ["line 3", "is not a square"]),
        ("{\"tour\":[\"</script><script>alert(1)</script>\"]}\n", ["line 3", "is not a square"]),
        ("{\"tour\":\"a1\"}\n", ["line 3", "not a JSON object with a tour"]),
        ("a1 c2 a3\n", ["line 3", "3 squares where 3x3 has 9"]),
        ("1 2 3\n4 5 6\n\n", ["line 3", "is not a knight's move"]),
        ("[\n", ["line 3", "a bracket that is not closed"]),
        ("a1 \u{0}\u{1b}[31m\n", ["line 3", "is not a square"]),
    ] {
        let input = format!("{TOUR}# a remark\n{input}");
        for format in ["html", "svg --tour 2", "text"] {
            let options = format!("--format {format} -o {}", page.display());
            let (drawn, said, code) = shown(&machine, &options, input.as_bytes());
            let begin: String = said.chars().take(200).collect();
            assert_eq!((drawn.as_str(), code), ("", 3), "{format}: {begin}");
            assert!(!said.contains('\x1b'), "nothing for the terminal to obey");
            for word in words {
                assert!(said.contains(word), "{format}: `{word}` is not in: {begin}");
            }
            if format == "text" {
                let kept = fs::read_to_string(&page).unwrap();
                assert!(kept.starts_with("3x4, open"), "what was right was drawn");
                fs::remove_file(&page).unwrap();
            }
            assert!(!page.exists(), "{format}");
        }
    }
}

#[test]
fn a_line_or_a_grid_without_an_end_is_not_kept() {
    let machine = Machine::new();
    for format in ["html", "svg", "text"] {
        let huge = "a1 ".repeat(6 << 20);
        let (drawn, said, code) = shown(&machine, &format!("--format {format}"), huge);
        assert_eq!((drawn.as_str(), code), ("", 1), "{said}");
        assert!(said.contains("line 1 of standard input is longer than 16777216 bytes"));
    }
    let tall = "1 2 3\n".repeat(200_000);
    let (_, said, code) = shown(&machine, "", tall);
    assert_eq!(code, 3);
    assert!(said.contains("a grid of 10001 x 3 is not a board"), "{said}");
}

#[test]
fn files_that_cannot_be_read_or_written_are_named() {
    let machine = Machine::new();
    for (options, words) in [
        ("no-such-file", ["cannot read", "no-such-file"]),
        ("-o /no/such/folder", ["cannot write", "/no/such/folder"]),
        ("--format html -o /dev/full", ["cannot write", "/dev/full"]),
        ("--format svg -o /dev/full", ["cannot write", "/dev/full"]),
    ] {
        let (drawn, said, code) = shown(&machine, options, TOUR);
        assert_eq!((drawn.as_str(), code), ("", 1), "{options}");
        assert!(words.iter().all(|word| said.contains(word)), "{said}");
    }
    for options in ["--format png", "--tour 0", "--tours ajar", "--size 0"] {
        assert_eq!(shown(&machine, options, TOUR).2, 2, "{options}");
    }
}

#[test]
fn a_board_that_is_too_large_is_refused_and_the_file_that_is_read_is_never_written_over() {
    let machine = Machine::new();
    let large = printed(&machine, "find --rows 1025 --cols 1024 --format squares");
    let (drawn, said, code) = shown(&machine, "--format svg", large);
    assert_eq!((drawn.as_str(), code), ("", 1));
    assert!(said.contains("line 1") && said.contains("1025x1024 is too large"), "{said}");
    let path = machine.folder.path().join("tours");
    fs::write(&path, TOUR).unwrap();
    let options = format!("{0} -o {0}", path.display());
    assert_eq!(shown(&machine, &options, "").2, 2);
    assert_eq!(fs::read_to_string(&path).unwrap(), TOUR);
}

#[test]
fn without_a_tour_there_is_no_picture_and_no_page() {
    let machine = Machine::new();
    let none = printed(&machine, "find --size 4");
    for (options, expected) in [("", 0), ("--format svg", 1), ("--format html", 1)] {
        let (drawn, said, code) = shown(&machine, options, none.clone());
        assert_eq!((drawn.as_str(), code), ("", expected), "{options}");
        assert!(said.contains("no tour in standard input"), "{said}");
    }
}

#[test]
fn colours_are_for_terminals_or_on_demand() {
    let machine = Machine::new();
    assert!(!shown(&machine, "", TOUR).0.contains('\x1b'));
    assert!(!shown(&machine, "--color never", TOUR).0.contains('\x1b'));
    assert!(shown(&machine, "--color always", TOUR).0.contains('\x1b'));
}

#[test]
fn the_limit_of_a_page_is_reported_before_anything_is_written() {
    let machine = Machine::new();
    let page = machine.folder.path().join("page.html");
    let options = format!("--format html -o {}", page.display());
    let most = kt_enum::draw::Gallery::MOST_TOURS;
    let (_, said, code) = shown(&machine, &options, "a1\n".repeat(most + 1));
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("262144 tours") && !page.exists(), "{said}");
    let (_, _, code) = shown(&machine, &options, "a1\n".repeat(most));
    assert_eq!(code, 0);
    assert!(fs::metadata(&page).unwrap().len() < 4 << 20);
}

#[test]
fn a_tour_is_shown_before_the_next_is_read() {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("kt-enum"))
        .arg("show")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut drawn = BufReader::new(child.stdout.take().unwrap()).lines();
    for _ in 0..3 {
        input.write_all(TOUR.as_bytes()).unwrap();
        let lines: Vec<String> = drawn.by_ref().take(9).map(Result::unwrap).collect();
        assert!(lines.contains(&"3x4, open, symmetric under a half turn".to_owned()), "{lines:?}");
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_reader_that_leaves_ends_the_drawing_and_the_list_before_it_with_success() {
    let machine = Machine::new();
    let mut list = machine.start("list --size 8 --threads 1");
    let mut show = Command::new(assert_cmd::cargo::cargo_bin("kt-enum"))
        .arg("show")
        .stdin(list.stdout.take().unwrap())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = show.stdout.take().unwrap();
    out.read_exact(&mut vec![0; 1 << 20]).unwrap();
    let status = fs::read_to_string(format!("/proc/{}/status", show.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kibibytes: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(kibibytes < 32 << 10, "{kibibytes} KiB");
    drop(out);
    assert!(show.wait().unwrap().success());
    assert!(list.wait().unwrap().success());
}

/// Returns the files of a folder with their contents.
fn files(folder: &Path) -> BTreeMap<OsString, String> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let file = |entry: fs::DirEntry| (entry.file_name(), fs::read_to_string(entry.path()).unwrap());
    entries.map(file).collect()
}

#[test]
fn the_galleries_and_pictures_that_are_kept_are_those_that_the_scripts_make() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (script, kept) in
        [("scripts/galleries", "results/galleries"), ("scripts/pictures", "docs/pictures")]
    {
        let folder = tempfile::tempdir().unwrap();
        let output = Command::new(root.join(script))
            .arg(assert_cmd::cargo::cargo_bin("kt-enum"))
            .arg(folder.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        let (made, kept) = (files(folder.path()), files(&root.join(kept)));
        assert!(made.len() >= 2);
        // The folder may also contain pictures that are drawn by hand.
        let is_kept = |(name, text)| kept.get(name) == Some(text);
        assert!(made.iter().all(is_kept), "run {script} again");
    }
}
