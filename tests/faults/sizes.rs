//! Inputs of any size: files, devices and pipes that no command wrote are refused before they fill
//! the memory.

use crate::common::{Machine, text};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A length that no memory of the tests has.
const HUGE: u64 = 8 << 30;

/// Runs the program with 300 MB of addresses.
fn in_little_memory(machine: &Machine, arguments: &str, stdin: Stdio) -> Output {
    let program = assert_cmd::cargo::cargo_bin("kt-enum");
    let script = format!("ulimit -v 300000 && exec timeout 20 {} {arguments}", program.display());
    Command::new("sh")
        .args(["-c", &script])
        .env("XDG_STATE_HOME", machine.folder.path())
        .stdin(stdin)
        .output()
        .unwrap()
}

fn refused(machine: &Machine, arguments: &str, codes: &[i32], word: &str) {
    let output = in_little_memory(machine, arguments, Stdio::null());
    let said = text(&output.stderr);
    assert!(codes.contains(&output.status.code().unwrap_or(-1)), "{arguments}: {said}");
    assert!(said.contains(word), "{arguments}: {said}");
}

/// Makes a file of 8 GB that takes no disk: these bytes, then holes.
fn sparse(path: &Path, beginning: &[u8]) -> PathBuf {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, beginning).unwrap();
    File::options().write(true).open(path).unwrap().set_len(HUGE).unwrap();
    path.to_owned()
}

#[test]
fn a_run_of_eight_gigabytes_is_refused_in_little_memory_by_every_command_that_reads_runs() {
    let machine = Machine::new();
    let folder = machine.folder.path();
    let kept = folder.join("units");
    machine.kt(&format!("--size 5 -q --keep-units {}", kept.display())).assert().success();
    let stopped = folder.join("stopped.kt");
    let stop = "--size 7 --engine walk --memory 300M --max-time 0 --checkpoint";
    machine.kt(stop).arg(&stopped).assert().code(75);
    let (sound, units) = (fs::read(&stopped).unwrap(), fs::read(&kept).unwrap());
    let start = &sound[..12];
    let long_header = [start, &(HUGE - 100).to_le_bytes()].concat();
    for beginning in [&b""[..], start, &long_header, &sound, b"# kt-enum units, format 3\n", &units]
    {
        let run = sparse(&folder.join("runs/part-0-of-1"), beginning).display().to_string();
        for command in ["report", "audit", "status"] {
            refused(&machine, &format!("{command} {run}"), &[2, 65], "part-0-of-1");
        }
        refused(&machine, &format!("merge {}", folder.join("runs").display()), &[65], "damaged");
        refused(&machine, &format!("--size 6 --checkpoint {run}"), &[65], "damaged");
    }
    sparse(&folder.join("run.states/index"), &long_header);
    let job = format!(
        "--size 5 --engine frontier --threads 1 --checkpoint {}",
        folder.join("run").display()
    );
    refused(&machine, &job, &[0], "index is damaged");
}

#[test]
fn tours_boards_and_graphs_of_any_size_are_refused_in_little_memory() {
    let machine = Machine::new();
    let words = |word: &str| word.repeat(3_000_000 / word.len());
    let file = machine.folder.path().join("huge");
    for beginning in ["", "a1 ", &words("a1 c2 "), &words("1 "), "{\"tour\":[\"a1\","] {
        let name = sparse(&file, beginning.as_bytes()).display().to_string();
        for command in ["check", "check --size 6", "show", "stats", "rank"] {
            refused(&machine, &format!("{command} {name}"), &[1, 2], "huge");
        }
        for option in ["--board", "--graph"] {
            refused(&machine, &format!("count {option} {name}"), &[2], "huge");
        }
        refused(&machine, &format!("list --size 5 --resume -o {name}"), &[1, 2], "huge");
    }
    refused(&machine, "check /dev/zero", &[1], "line 1 of /dev/zero has a word of more than");
    for options in ["--board /dev/zero", "--graph /dev/zero"] {
        refused(&machine, options, &[2], "/dev/zero has more than");
    }
}

#[test]
fn a_stream_without_an_end_is_refused_where_its_first_line_is_too_long_for_a_tour() {
    let machine = Machine::new();
    for (line, says) in [
        ("a1 c2 ", "line 1 of standard input is longer than 16777216 bytes: a tour of 1048576"),
        ("nothing", "line 1 of standard input has a word of more than 1048576 bytes"),
    ] {
        let script = format!("yes '{line}' | tr -d '\\n'");
        let mut stream =
            Command::new("sh").args(["-c", &script]).stdout(Stdio::piped()).spawn().unwrap();
        let stdin = stream.stdout.take().unwrap();
        let output = in_little_memory(&machine, "check --size 8", stdin.into());
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stderr).contains(says), "{}", text(&output.stderr));
        stream.wait().unwrap();
    }
}

#[test]
fn a_line_of_a_large_board_that_does_not_fit_into_memory_is_refused_without_an_abort() {
    let machine = Machine::new();
    let mut stream = Command::new("sh")
        .args(["-c", "yes 'a1 c2 ' | tr -d '\\n'"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let output = in_little_memory(&machine, "check", stream.stdout.take().unwrap().into());
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("do not fit into memory"), "{said}");
    stream.wait().unwrap();
}

#[test]
fn a_pipe_in_the_place_of_a_run_is_refused_and_not_waited_for() {
    let machine = Machine::new();
    let pipe = machine.folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for command in ["report", "audit", "status"] {
        refused(&machine, &format!("{command} {}", pipe.display()), &[1], "no regular file");
    }
}
