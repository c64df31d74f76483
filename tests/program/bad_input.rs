//! Bad input is answered by a clear message that names a remedy and by the promised exit code, and
//! never by a panic.

use crate::common::watched::Watched;
use crate::common::{Machine, text};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

/// Runs a command, checks its exit code, and checks that its message contains all of these words.
fn refused(machine: &Machine, arguments: &str, code: i32, words: &[&str]) {
    let output = machine.kt(arguments).output().unwrap();
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments}: {message}");
    assert_eq!(text(&output.stdout), "", "{arguments}");
    for word in words {
        assert!(message.contains(word), "{arguments}: `{word}` is not in: {message}");
    }
    assert!(!message.contains("panicked"), "{arguments}: {message}");
}

#[test]
fn a_wrong_command_line_is_refused_with_what_would_be_right() {
    let machine = Machine::new();
    for (arguments, words) in [
        ("", ["which board", "--size N"]),
        ("--size 0", ["0 x 0", "from 1 to"]),
        ("--size 400", ["400x400", "1024"]),
        ("--size 20000", ["20000", "10000"]),
        ("--rows 5", ["--cols", "required"]),
        ("--size 6 --rows 6", ["--rows", "cannot be used"]),
        ("--test=quick --size 5", ["--test", "cannot be used"]),
        ("--size -1", ["-1", "not negative"]),
        ("nth 1 --size 6 --index /dev/null", ["/dev/null", "folder"]),
        ("--size 6 --from z9", ["z9", "f6"]),
        ("--size 6 --from 7", ["`7`", "row,col"]),
        ("--size 6 --tours closed --from c1 --to a1", ["--from", "--tours open"]),
        ("--size 6 --tours ajar", ["ajar", "closed"]),
        ("--size 6 --split-depth 99", ["99", "at most 35"]),
        ("--size 8 --split-depth 30", ["1000000", "7 is the deepest"]),
        ("--size 6 --threads 0", ["--threads", "from 1 to 1024"]),
        ("--size 6 --threads x", ["--threads", "whole number"]),
        ("list --size 5 --limit 1.5", ["--limit", "whole number"]),
        ("--size 6 --memo much", ["much", "off"]),
        ("--size 6 --memory 1G --memo 4G", ["--memory", "fit"]),
        ("--size 6 --max-time soon", ["soon", "8h"]),
        ("--size 6 --from a1 --classes", ["--classes", "leave out"]),
        ("--size 6 --engine steam", ["steam", "walk"]),
        ("--size 6 --checkpoint x --no-checkpoint", ["--no-checkpoint", "cannot be used"]),
        ("fly", ["fly", "--help"]),
        ("compare --sizes 3..", ["3..", "3..5"]),
        ("compare --sizes 8..5", ["no board", "3..5"]),
    ] {
        refused(&machine, arguments, 2, &words);
    }
    // A usage with one of two options that exclude each other may lack the board.
    let puzzle = machine.kt("puzzle --pattern x --clues 8").output().unwrap();
    assert!(!text(&puzzle.stderr).contains("Usage"), "{}", text(&puzzle.stderr));
    assert_eq!(machine.files(), Vec::<String>::new());
}

#[test]
fn a_checkpoint_that_can_not_be_written_is_named_before_the_run_starts() {
    let machine = Machine::new();
    let way_out = ["--no-checkpoint"];
    refused(&machine, "--size 6 --checkpoint /proc/none/here.kt", 1, &way_out);
    refused(&machine, "--size 6 --checkpoint /dev/null/here.kt", 1, &way_out);
    let is_root =
        fs::metadata("/proc/self").is_ok_and(|me| std::os::unix::fs::MetadataExt::uid(&me) == 0);
    if !is_root {
        let folder = machine.folder.path().join("sealed");
        fs::create_dir(&folder).unwrap();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o500)).unwrap();
        let arguments = format!("--size 6 --checkpoint {}", folder.join("here.kt").display());
        refused(&machine, &arguments, 1, &["--no-checkpoint", "here.kt"]);
    }
}

#[test]
fn a_state_folder_that_can_not_be_written_is_a_warning() {
    let machine = Machine::new();
    let file = machine.folder.path().join("file");
    fs::write(&file, "").unwrap();
    for folder in ["/proc/none", file.to_str().unwrap()] {
        let output = machine.kt("--size 5 -q").env("XDG_STATE_HOME", folder).output().unwrap();
        assert!(output.status.success(), "{folder}");
        assert_eq!(text(&output.stdout), "1728\n");
        assert!(text(&output.stderr).contains("no checkpoint is kept"));
    }
    let output =
        machine.kt("--size 5 -q").env_remove("XDG_STATE_HOME").env_remove("HOME").output().unwrap();
    assert!(output.status.success());
    assert!(text(&output.stderr).contains("no checkpoint is kept"));
}

/// Stops a run of 6x7 and returns the path of its checkpoint.
fn stopped(machine: &Machine) -> std::path::PathBuf {
    let path = machine.folder.path().join("run.kt");
    let job = format!(
        "--rows 6 --cols 7 --split-depth 3 --memo off --checkpoint-interval 0 --checkpoint {}",
        path.display()
    );
    let mut run = Watched::start(machine, &job);
    run.hold_at("saved");
    run.stop();
    path
}

#[test]
fn a_checkpoint_of_another_question_is_refused_and_kept() {
    let machine = Machine::new();
    let path = stopped(&machine);
    let before = fs::read(&path).unwrap();
    let with = |options: &str| format!("{options} --checkpoint {}", path.display());
    let theirs = "open tours of 6x7";
    for (options, ours) in [
        ("--size 6", "open tours of 6x6"),
        ("--rows 7 --cols 6", "open tours of 7x6"),
        ("--rows 6 --cols 7 --tours closed", "closed tours of 6x7"),
        ("--rows 6 --cols 7 --from a1", "from a1"),
        ("--rows 6 --cols 7 --split-depth 4", "--split-depth 4"),
    ] {
        refused(&machine, &with(options), 2, &[theirs, "--split-depth 3", ours, "--fresh"]);
        assert_eq!(fs::read(&path).unwrap(), before);
    }
}

#[test]
fn a_damaged_checkpoint_is_refused_and_kept_and_fresh_starts_over() {
    let machine = Machine::new();
    let path = stopped(&machine);
    let whole = fs::read(&path).unwrap();
    let arguments = format!("--rows 6 --cols 7 --split-depth 3 --checkpoint {}", path.display());
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    for damaged in [&whole[..whole.len() / 2], &whole[..3], b"", b"something else", &flipped[..]] {
        fs::write(&path, damaged).unwrap();
        refused(
            &machine,
            &arguments,
            65,
            &["run.kt is damaged", "bytes", "run.kt.previous", "--fresh"],
        );
        refused(&machine, &format!("status {}", path.display()), 65, &["run.kt is damaged"]);
        assert_eq!(fs::read(&path).unwrap(), damaged);
    }
    machine.kt(&format!("{arguments} --memo off --fresh --max-time 0")).assert().code(75);
    machine.kt(&format!("status {}", path.display())).assert().success();
}

#[test]
fn fresh_does_not_remove_a_file_that_is_not_a_checkpoint() {
    let machine = Machine::new();
    let path = machine.folder.path().join("thesis.txt");
    fs::write(&path, "on knights").unwrap();
    let arguments = format!("--size 5 --fresh --checkpoint {}", path.display());
    refused(&machine, &arguments, 65, &["thesis.txt is no checkpoint", "another place"]);
    assert_eq!(fs::read(&path).unwrap(), b"on knights");
    // Without --fresh the file might be a damaged checkpoint. The message names no previous
    // checkpoint, because there is none.
    let output = machine.kt(&arguments.replace("--fresh", "")).output().unwrap();
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(65), "{message}");
    assert!(!message.contains("previous"), "{message}");
    assert!(message.contains("another place"), "{message}");
    assert_eq!(fs::read(&path).unwrap(), b"on knights");
}

#[test]
fn a_checkpoint_held_by_a_live_process_is_refused_with_its_pid() {
    let machine = Machine::new();
    let job = "--rows 5 --cols 10 --memo off --checkpoint-interval 0";
    let mut live = Watched::start(&machine, job);
    live.hold_at("saved");
    let pid = format!("pid {}", live.child.id());
    refused(&machine, "--rows 5 --cols 10 --memo off", 73, &[&pid, " on ", "--checkpoint PATH"]);
    live.signal("KILL");
    live.end();
    machine.kt(&format!("{job} --max-time 0")).assert().code(75);
}

#[test]
fn a_run_is_given_up_with_all_its_files_and_what_is_left_of_one_is_seen() {
    let machine = Machine::new();
    let job = "--size 8 --engine frontier --threads 1";
    let stop = || machine.kt(&format!("{job} --max-time 0.5")).assert().code(75);
    let says = |arguments: &str| {
        let output = machine.kt(arguments).output().unwrap();
        let complaint = text(&output.stderr);
        assert!(output.status.success(), "{arguments}: {complaint}");
        text(&output.stdout)
    };
    stop();
    let used = |json: &str| {
        let status: serde_json::Value = serde_json::from_str(json).unwrap();
        status["disk_bytes"].as_u64().unwrap()
    };
    let folder = machine.state_folder();
    let state = fs::metadata(folder.join("open-8x8.kt")).unwrap().len();
    assert!(used(&says("status --json")) > state, "with what was built");
    assert!(says("status").contains(" of disk"));
    assert!(says("status --size 8 --discard").contains("open-8x8.kt is removed"));
    assert_eq!(machine.files(), Vec::<String>::new());

    stop();
    fs::remove_file(folder.join("open-8x8.kt")).unwrap();
    let said = says("status");
    assert!(said.contains("its state is gone") && said.contains("--discard"), "{said}");
    assert!(used(&says("status --json")) > 0);
    says("status --size 8 --discard");
    assert_eq!(machine.files(), Vec::<String>::new());
}

#[test]
fn a_live_run_is_not_given_up_and_not_reported_before_it_is_saved() {
    let machine = Machine::new();
    let mut live = machine.start("--rows 5 --cols 10 --memo off");
    machine.wait_for("open-5x10.kt.lock");
    let mut pid = String::new();
    while pid.is_empty() {
        pid = text(&fs::read(machine.state_folder().join("open-5x10.kt.lock")).unwrap());
    }
    let discard = "status --size 5x10 --discard";
    refused(&machine, discard, 73, &[pid.trim()]);
    let report = format!("report {}", machine.state_folder().join("open-5x10.kt").display());
    refused(&machine, &report, 1, &["is not saved yet by", pid.trim(), "kt-enum status"]);
    let said = text(&machine.kt("status").output().unwrap().stdout);
    assert!(said.contains("live: "), "{said}");
    live.kill().unwrap();
    live.wait().unwrap();
}

#[test]
fn a_reader_that_has_gone_away_is_success_and_a_full_device_is_not() {
    let machine = Machine::new();
    let mut child = machine.start("--size 6 --json");
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());

    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = std::process::Command::new(assert_cmd::cargo::cargo_bin("kt-enum"))
        .args(["--size", "5", "--no-checkpoint"])
        .stdout(Stdio::from(full))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("standard output"));
    let line = format!("{} --help > /dev/full", assert_cmd::cargo::cargo_bin("kt-enum").display());
    let shell = std::process::Command::new("sh").args(["-c", &line]).output();
    assert_eq!(shell.unwrap().status.code(), Some(1));
}

#[test]
fn standard_streams_that_are_closed_do_not_make_it_panic() {
    let machine = Machine::new();
    let program = assert_cmd::cargo::cargo_bin("kt-enum");
    for closed in [">&-", "2>&-", ">&- 2>&- <&-"] {
        let line = format!("{} --size 5 --no-checkpoint {closed}", program.display());
        let output = std::process::Command::new("sh").args(["-c", &line]).output().unwrap();
        assert!(output.status.success(), "{closed}: {}", text(&output.stderr));
    }
    let _ = machine;
}

#[test]
fn a_split_depth_near_the_last_square_is_refused_without_a_search_of_the_whole_board() {
    let depth = "--size 12 --engine walk --split-depth 143";
    refused(&Machine::new(), depth, 2, &["split depth 143", "is the deepest here"]);
}

#[test]
fn a_board_with_several_runs_names_them_and_none_is_discarded() {
    let machine = Machine::new();
    for job in ["--size 6x8", "--size 6x8 --starts"] {
        let stopped = format!("{job} --engine walk --max-time 0.3s --quiet");
        machine.kt(&stopped).assert().code(75);
    }
    let kept = || -> Vec<String> {
        let output = machine.kt("status --size 6x8 --json").output().unwrap();
        text(&output.stdout).lines().map(str::to_owned).collect()
    };
    assert!(kept().len() > 1);
    let before = kept().len();
    refused(&machine, "status --size 6x8 --discard", 2, &["gives one run up", "name one of"]);
    assert_eq!(kept().len(), before);
}

#[test]
fn status_where_nothing_waits_is_success_and_discard_removes_no_other_file() {
    let machine = Machine::new();
    for (arguments, words) in [
        ("status", "no counts are stopped or running"),
        ("status --size 6", "of the open tours of 6x6"),
    ] {
        let output = machine.kt(arguments).output().unwrap();
        assert!(output.status.success(), "that nothing waits is an answer");
        assert!(text(&output.stdout).contains(words), "{arguments}");
        let json = machine.kt(&format!("{arguments} --json")).output().unwrap();
        assert!(json.status.success() && json.stdout.is_empty());
    }
    refused(&machine, "status /nowhere.kt", 1, &["/nowhere.kt"]);
    refused(&machine, "status --discard", 2, &["board"]);
    refused(&machine, "status --discard /nowhere.kt", 1, &["/nowhere.kt"]);
    let thesis = machine.folder.path().join("thesis.kt");
    fs::write(&thesis, "on knights").unwrap();
    let discard = format!("status --discard {}", thesis.display());
    refused(&machine, &discard, 65, &["thesis.kt is no checkpoint"]);
    assert_eq!(fs::read(&thesis).unwrap(), b"on knights");
}
