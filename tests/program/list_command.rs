//! The command `list`: its output, the files that it continues, and its use of memory.

use crate::common::{Machine, signal, text};
use std::fs;
use std::io::Read;
use std::time::Duration;

fn printed(machine: &Machine, arguments: &str) -> String {
    let output = machine.kt(arguments).output().unwrap();
    assert_eq!(text(&output.stderr), "", "{arguments}");
    assert!(output.status.success(), "{arguments}");
    text(&output.stdout)
}

#[test]
fn the_first_8x8_tour_is_the_one_that_the_published_program_finds() {
    let golden = include_str!("../golden/first-8x8-linear.txt");
    let grid: Vec<&str> = golden.lines().filter(|line| !line.starts_with('#')).collect();
    let command = "list --size 8 --from g1 --order linear --limit 1 --format grid";
    let machine = Machine::new();
    let printed = printed(&machine, command);
    assert_eq!(printed.lines().next(), Some("# board 8x8"));
    assert_eq!(printed.lines().skip(1).collect::<Vec<_>>(), grid);
}

#[test]
fn as_many_tours_are_listed_as_the_published_counts_say() {
    let machine = Machine::new();
    for (arguments, count) in [
        ("list --size 1", 1),
        ("list --size 5", 1_728),
        ("list --size 6 --from a1", 524_486),
        ("list --size 6 --tours closed", 9_862),
        ("list --size 6 --tours closed --from d4 --order report", 9_862),
    ] {
        assert_eq!(printed(&machine, arguments).lines().count(), count, "{arguments}");
    }
}

#[test]
fn a_list_without_tours_says_so() {
    for (arguments, tours) in [
        ("list --size 4", "open tours of 4x4\n"),
        ("list --size 7 --from a2", "open tours of 7x7 from a2: every move changes the colour"),
        ("list --size 6 --from a1 --to a1", "open tours of 6x6 from a1 to a1: a tour does not end"),
        ("list --size 5 --closed --classes", "closed tours of 5x5: every move changes the colour"),
    ] {
        let output = Machine::new().kt(arguments).output().unwrap();
        assert_eq!(text(&output.stdout), "", "{arguments}");
        let note = text(&output.stderr);
        assert!(note.starts_with(&format!("kt-enum: there are no {tours}")), "{note}");
        assert!(output.status.success(), "{arguments}");
    }
    assert_eq!(printed(&Machine::new(), "list --size 6 --limit 0"), "");
}

#[test]
fn as_many_classes_are_listed_as_the_published_counts_say() {
    let machine = Machine::new();
    for (board, count) in [
        ("--rows 3 --cols 4", 3),
        ("--rows 3 --cols 7", 14),
        ("--rows 3 --cols 8", 104),
        ("--size 5", 112),
        ("--rows 3 --cols 10 --tours closed", 6),
        ("--size 6 --tours closed", 1_245),
    ] {
        let listed = printed(&machine, &format!("list --classes {board}"));
        assert_eq!(listed.lines().count(), count, "{board}");
    }
}

#[test]
fn a_list_of_classes_resumes_and_refuses_the_file_of_a_whole_list() {
    let machine = Machine::new();
    let path = machine.folder.path().join("list");
    let whole = printed(&machine, "list --size 5 --classes");
    let resume = format!("list --size 5 --classes --resume -o {}", path.display());
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    printed(&machine, &resume);
    assert_eq!(text(&fs::read(&path).unwrap()), whole);
    printed(&machine, &format!("list --size 5 --limit 500 --fresh -o {}", path.display()));
    let output = machine.kt(&resume).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("one tour of each class"));
}

#[test]
fn a_file_cut_anywhere_is_resumed_to_the_same_bytes() {
    let machine = Machine::new();
    let path = machine.folder.path().join("list");
    for format in ["squares", "json"] {
        let command = format!("list --size 5 --order linear --format {format}");
        let whole = printed(&machine, &command).into_bytes();
        let resume = format!("{command} --resume -o {}", path.display());
        for cut in [0, 1, 70, 75, whole.len() / 2, whole.len() - 1, whole.len()] {
            fs::write(&path, &whole[..cut]).unwrap();
            assert_eq!(printed(&machine, &resume), "");
            assert!(fs::read(&path).unwrap() == whole, "{format} cut at {cut}");
        }
        fs::write(&path, &whole[..whole.len() / 3]).unwrap();
        printed(&machine, &format!("{resume} --limit 1700"));
        assert_eq!(text(&fs::read(&path).unwrap()).lines().count(), 1_700);
    }
}

#[test]
fn a_file_that_ends_in_zeros_after_a_power_failure_is_resumed_to_the_same_bytes() {
    let machine = Machine::new();
    let path = machine.folder.path().join("list");
    for board in ["--size 5", "--size 4 --piece king"] {
        let whole = printed(&machine, &format!("list {board} --limit 3000")).into_bytes();
        let resume = format!("list {board} --limit 3000 --resume -o {}", path.display());
        for good in [0, 1, whole.len() / 2, whole.len() - 1, whole.len()] {
            let mut left = whole[..good].to_vec();
            left.resize(whole.len() + 1, 0);
            // What was written after the bytes that are lost.
            if good > 200 {
                left.extend(&whole[..100]);
            }
            fs::write(&path, &left).unwrap();
            printed(&machine, &resume);
            assert!(fs::read(&path).unwrap() == whole, "{board}, {good} bytes");
        }
    }
    // A file that begins with zeros may be anything.
    let other = b"\0\0 something else";
    fs::write(&path, other).unwrap();
    let output = machine.kt(&format!("list --size 5 --resume -o {}", path.display())).output();
    assert_eq!(output.unwrap().status.code(), Some(2));
    assert_eq!(fs::read(&path).unwrap(), other);
}

#[test]
fn a_file_of_another_list_is_refused_and_left_as_it_is() {
    let machine = Machine::new();
    let path = machine.folder.path().join("list");
    let resume = |options: &str| format!("list --resume -o {} {options}", path.display());
    printed(&machine, &format!("list --size 5 --limit 50 -o {}", path.display()));
    let before = fs::read(&path).unwrap();
    for (options, word) in [
        ("--size 5 --order linear", "order"),
        ("--size 6", "36"),
        ("--size 5 --to a1", "a1"),
        ("--size 5 --format grid", "--format squares"),
    ] {
        let output = machine.kt(&resume(options)).output().unwrap();
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{options}: {message}");
        assert!(message.contains(word), "{options}: {message}");
        assert!(fs::read(&path).unwrap() == before);
    }
}

#[test]
fn a_file_that_is_there_is_kept_unless_it_is_to_be_replaced() {
    let machine = Machine::new();
    let path = machine.folder.path().join("list");
    let list = format!("list --size 5 -o {}", path.display());
    printed(&machine, &format!("{list} --limit 3"));
    let three = fs::read(&path).unwrap();
    let output = machine.kt(&list).output().unwrap();
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    for word in ["exists already", "--resume", "--overwrite"] {
        assert!(message.contains(word), "{message}");
    }
    assert_eq!(fs::read(&path).unwrap(), three);
    printed(&machine, &format!("{list} --limit 2 --overwrite"));
    assert_eq!(text(&fs::read(&path).unwrap()).lines().count(), 2);
    // `--fresh` is an earlier name of the option.
    printed(&machine, &format!("{list} --limit 2 --fresh"));
    assert_eq!(text(&fs::read(&path).unwrap()).lines().count(), 2);
    // An empty file may be replaced, because it contains nothing.
    fs::write(&path, "").unwrap();
    printed(&machine, &format!("{list} --limit 3"));
    assert_eq!(fs::read(&path).unwrap(), three);
}

/// A file may be cut only where it ends in the beginning of the list's next tour.
#[test]
fn a_file_that_the_list_has_not_written_is_never_cut_or_continued() {
    let machine = Machine::new();
    let path = machine.folder.path().join("list");
    let listed = |options: &str| printed(&machine, &format!("list {options}"));
    let few = "--size 8 --from a1 --limit 3";
    let three = listed(few);
    let closed = listed("--size 6 --closed");
    let second = three.split_inclusive('\n').nth(1).unwrap();
    for (content, options) in [
        ("shopping list".to_owned(), few),
        ("<html>".to_owned(), few),
        ("{\"tour\":1}".to_owned(), few),
        (three.replace('\n', "\nshopping list"), few),
        (three.clone() + "a1 c3", "--size 8 --from a1 --limit 4"),
        (three.replace('\n', "\r\n"), few),
        (listed(&format!("{few} --format json")), few),
        (three.clone(), "--size 8 --from a1 --limit 3 --format json"),
        (three.replace(second, ""), few),
        (second.to_owned(), few),
        (listed("--size 6 --closed --classes"), "--size 6 --closed"),
        (closed.clone(), "--size 6 --closed --classes"),
        (closed.clone() + "a1", "--size 6 --closed"),
        (closed.replace('\n', ""), "--size 6 --closed"),
        ("x".repeat(200_000), "--size 6 --closed"),
    ] {
        fs::write(&path, &content).unwrap();
        let resume = format!("list --resume -o {} {options}", path.display());
        let output = machine.kt(&resume).output().unwrap();
        let start: String = content.chars().take(99).collect();
        assert_eq!(output.status.code(), Some(2), "{start} {options}");
        assert!(fs::read(&path).unwrap() == content.as_bytes(), "{start} {options}");
    }
}

#[test]
fn a_list_that_was_begun_after_a_tour_is_continued_with_the_same_options() {
    let machine = Machine::new();
    let path = machine.folder.path().join("list");
    let whole = printed(&machine, "list --size 5");
    let (first, rest) = whole.split_once('\n').unwrap();
    fs::write(&path, &rest[..1_000]).unwrap();
    let list = |options: &[&str]| {
        let mut list = machine.kt("list --size 5 --resume -o");
        list.arg(&path).args(options).output().unwrap().status.code()
    };
    assert_eq!(list(&[]), Some(2));
    assert_eq!(list(&["--after", first]), Some(0));
    assert!(fs::read(&path).unwrap() == rest.as_bytes());
}

/// The system is made to refuse files of more than a megabyte, as a full disk would.
#[test]
fn a_large_list_says_its_size_first_and_on_a_full_disk_keeps_whole_lines_and_resumes() {
    let machine = Machine::new();
    let path = machine.folder.path().join("list");
    let program = assert_cmd::cargo::cargo_bin("kt-enum");
    let line = format!(
        "trap '' XFSZ; ulimit -f 1000; exec {} list --size 6 -o {}",
        program.display(),
        path.display()
    );
    let output = std::process::Command::new("bash").args(["-c", &line]).output().unwrap();
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    for words in ["6,637,920 tours, 717 MB; ", " are free there", "all whole", "--resume"] {
        assert!(message.contains(words), "{message}");
    }
    let kept = text(&fs::read(&path).unwrap());
    assert!(kept.ends_with('\n') && kept.lines().count() > 1_000);
    let said = message.replace(',', "");
    assert!(said.contains(&format!("{} lines there", kept.lines().count())), "{message}");
    let limit = kept.lines().count() + 5;
    printed(&machine, &format!("list --size 6 --resume --limit {limit} -o {}", path.display()));
    let whole = printed(&machine, &format!("list --size 6 --limit {limit}"));
    assert_eq!(text(&fs::read(&path).unwrap()), whole);
}

/// A size that no disk has.
#[test]
fn a_list_that_does_not_fit_the_disk_is_refused_before_anything_is_written() {
    let machine = Machine::new();
    let path = machine.folder.path().join("list");
    let list = format!("list --size 8 -o {}", path.display());
    for limit in ["", " --limit 1000000000000000000"] {
        let output = machine.kt(&format!("{list}{limit}")).output().unwrap();
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{message}");
        for words in ["would not fit", " are free there", "reserve", "--limit K", "--fill-disk"] {
            assert!(message.contains(words), "{words}: {message}");
        }
        assert!(!path.exists());
    }
    fs::write(&path, "").unwrap();
    printed(&machine, &format!("{list} --limit 3"));
    let three = fs::read(&path).unwrap();
    let output = machine.kt(&format!("{list} --overwrite")).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(fs::read(&path).unwrap(), three);
}

#[test]
fn a_list_replaces_a_file_only_once_it_is_whole() {
    let machine = Machine::new();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tours.txt");
    fs::write(&path, "the old result").unwrap();
    let names = || {
        let entries = fs::read_dir(folder.path()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let list = format!("list --size 6 --overwrite -o {}", path.display());
    let run = machine.start(&list);
    while names().len() < 2 {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(fs::read(&path).unwrap(), b"the old result");
    signal(&run, "TERM");
    let ended = run.wait_with_output().unwrap();
    let said = text(&ended.stderr);
    assert_eq!(ended.status.code(), Some(1), "{said}");
    assert!(said.contains("the file is as it was, and the same command starts over"), "{said}");
    assert_eq!(fs::read(&path).unwrap(), b"the old result");
    assert_eq!(names(), ["tours.txt"]);
    printed(&machine, &format!("{list} --limit 3"));
    let there = fs::read_to_string(&path).unwrap();
    assert_eq!((there.lines().count(), names().len()), (3, 1), "{there}");
}

#[test]
fn a_full_disk_is_an_error_that_names_the_file() {
    let output = Machine::new().kt("list --size 6 -o /dev/full").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("/dev/full"));
}

#[test]
fn a_slow_reader_keeps_memory_flat_and_a_reader_that_leaves_is_success() {
    let mut child = Machine::new().start("list --size 6 --threads 2");
    let mut out = child.stdout.take().unwrap();
    let mut bytes = vec![0; 1 << 16];
    for _ in 0..100 {
        out.read_exact(&mut bytes).unwrap();
        std::thread::sleep(Duration::from_millis(5));
    }
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kibibytes: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(kibibytes < 64 << 10, "{kibibytes} KiB; all tours are 700 MiB");
    drop(out);
    assert!(child.wait().unwrap().success());
}
