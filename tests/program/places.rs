//! The files that results are written to: some are replaced, some are kept, and some are refused.

use crate::common::watched::Watched;
use crate::common::{Machine, text};
use std::fs;
use std::io::Write;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Every command that writes tours or units, without the name of the file.
const DATA: [&str; 5] = [
    "list --size 5 --limit 3 -o",
    "find --size 5 -o",
    "random --size 5 --seed 1 -o",
    "nth 7 --size 5 -o",
    "--size 5 --no-checkpoint --keep-units",
];

fn fails(machine: &Machine, arguments: &str, code: i32, words: &[&str]) {
    let output = machine.kt(arguments).output().unwrap();
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments}: {message}");
    assert_eq!(text(&output.stdout), "", "{arguments}");
    for word in words {
        assert!(message.contains(word), "{arguments}: no `{word}` in: {message}");
    }
}

/// Returns the path of a result in a new folder.
fn place(machine: &Machine) -> PathBuf {
    let folder = machine.folder.path().join("results");
    fs::create_dir_all(&folder).unwrap();
    folder.join("result")
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    names.map(|name| name.to_string_lossy().into_owned()).collect()
}

fn make_fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn the_sign_of_standard_input_is_no_file_to_write() {
    let machine = Machine::new();
    for command in DATA {
        fails(&machine, &format!("{command} -"), 2, &["- means standard input"]);
    }
    assert!(!Path::new("-").exists());
}

#[test]
fn data_in_a_file_is_kept_unless_the_user_says_overwrite() {
    let machine = Machine::new();
    let path = place(&machine);
    for command in DATA {
        let command = format!("{command} {}", path.display());
        fs::write(&path, "typed by hand").unwrap();
        fails(&machine, &command, 2, &["result", "--overwrite"]);
        assert_eq!(fs::read(&path).unwrap(), b"typed by hand", "{command}");
        machine.kt(&format!("{command} --overwrite")).assert().success();
        let written = fs::read(&path).unwrap();
        assert_ne!(written, b"typed by hand", "{command}");
        // An empty file may be replaced, because it contains nothing, and it keeps its permissions.
        fs::write(&path, "").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        machine.kt(&command).assert().success();
        assert!(!fs::read(&path).unwrap().is_empty(), "{command}");
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{command}");
        fs::remove_file(&path).unwrap();
        assert_eq!(names(path.parent().unwrap()), [""; 0]);
    }
}

#[test]
fn a_file_whose_name_leaves_no_room_for_a_new_version_beside_it_is_kept() {
    let machine = Machine::new();
    let path = place(&machine).with_file_name("r".repeat(250));
    fs::write(&path, "the old result").unwrap();
    // A list is written to the file itself, and says so.
    for command in DATA.into_iter().filter(|command| !command.starts_with("list")) {
        let command = format!("{command} {} --overwrite", path.display());
        fails(&machine, &command, 1, &["rrr", "name too long"]);
        assert_eq!(fs::read(&path).unwrap(), b"the old result", "{command}");
    }
}

#[test]
fn a_short_count_that_cannot_be_printed_is_saved_where_a_checkpoint_was_named() {
    let machine = Machine::new();
    let path = machine.folder.path().join("run.kt");
    for (count, answer) in [
        ("--size 6", "6637920\n"),
        ("--size 6 --closed --engine frontier", "9862\n"),
        ("table --rows 3 --up-to 5 --format csv", "cols,undirected\n1,0\n2,0\n3,0\n4,8\n5,0\n"),
    ] {
        let count = format!("{count} --checkpoint {}", path.display());
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let mut child = Command::new(assert_cmd::cargo::cargo_bin("kt-enum"));
        let child = child.args(count.split_whitespace()).stdout(full).stderr(Stdio::piped());
        let output = child.spawn().unwrap().wait_with_output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{count}: {said}");
        for word in ["No space left", "is saved in", "run.kt", "run the same command"] {
            assert!(said.contains(word), "{count}: no `{word}` in: {said}");
        }
        let quiet = if count.starts_with("table") { "" } else { " -q" };
        let again = machine.kt(&format!("{count}{quiet}")).output().unwrap();
        let said = text(&again.stderr);
        assert!(again.status.success() && said.contains("resumed from"), "{count}: {said}");
        assert_eq!(text(&again.stdout), answer, "{count}");
        assert!(!path.exists(), "{count}");
    }
}

#[test]
fn merged_units_are_kept_unless_the_user_says_overwrite() {
    let machine = Machine::new();
    let path = place(&machine);
    let parts = machine.folder.path().join("parts");
    for shard in ["0/2", "1/2"] {
        machine.kt(&format!("shard {shard} --size 5 --out {}", parts.display())).assert().success();
    }
    let merge = format!("merge {} --keep-units {}", parts.display(), path.display());
    machine.kt(&merge).assert().success();
    fails(&machine, &merge, 2, &["result", "--overwrite"]);
    machine.kt(&format!("{merge} --overwrite")).assert().success();
}

#[test]
fn a_symlink_is_written_through_and_stays_one() {
    let machine = Machine::new();
    let link = place(&machine);
    let folder = link.parent().unwrap();
    symlink("target", &link).unwrap();
    for command in DATA.into_iter().chain(["show tour --format svg -o"]) {
        fs::write(folder.join("tour"), "a1 b3 d4 c2 a1").unwrap();
        machine
            .kt("find --size 5 --format squares --overwrite -o")
            .arg(folder.join("tour"))
            .assert()
            .success();
        let output = machine.kt(command).arg(&link).current_dir(folder).output().unwrap();
        assert!(output.status.success(), "{command}: {}", text(&output.stderr));
        assert!(link.is_symlink(), "{command}");
        assert!(!fs::read(folder.join("target")).unwrap().is_empty(), "{command}");
        fails(&machine, &format!("{} {}", DATA[0], link.display()), 2, &["--overwrite"]);
        fs::remove_file(folder.join("target")).unwrap();
    }
}

#[test]
fn units_and_pages_refuse_what_is_not_a_regular_file_and_leave_it_there() {
    let machine = Machine::new();
    let path = place(&machine);
    let folder = path.parent().unwrap();
    let [fifo, socket, tour] = ["fifo", "socket", "tour"].map(|name| folder.join(name));
    make_fifo(&fifo);
    let _listener = UnixListener::bind(&socket).unwrap();
    machine.kt(&format!("find --size 5 -o {}", tour.display())).assert().success();
    let commands = [
        DATA[4].to_owned(),
        format!("show {} --format svg -o", tour.display()),
        format!("stats {} -o", tour.display()),
        "compare --sizes 5 --plot".to_owned(),
    ];
    for command in commands {
        for (what, word) in [(&*fifo, "FIFO"), (&*socket, "socket"), (folder, "folder")] {
            let command = format!("{command} {}", what.display());
            fails(&machine, &command, 2, &[word, "regular file", &what.display().to_string()]);
        }
    }
    fails(&machine, &format!("{} /dev/full", DATA[4]), 2, &["/dev/full", "device"]);
    assert!(fs::metadata("/dev/full").unwrap().file_type().is_char_device());
    assert!(fs::metadata(&fifo).unwrap().file_type().is_fifo());
    assert_eq!(names(folder).len(), 3);
}

#[test]
fn tours_are_streamed_to_devices_and_fifos_which_stay_what_they_are() {
    let machine = Machine::new();
    let fifo = place(&machine);
    make_fifo(&fifo);
    for command in &DATA[..4] {
        machine.kt(&format!("{command} /dev/null")).assert().success();
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
        let output = machine.kt(&format!("{command} /dev/stdout")).output().unwrap();
        assert!(output.status.success(), "{command}: {}", text(&output.stderr));
        assert!(!output.stdout.is_empty());
        let mut child = machine.start(&format!("{command} {}", fifo.display()));
        // The time of the search is not shown, so the FIFO gives the same text each time.
        let read = text(&fs::read(&fifo).unwrap());
        assert!(child.wait().unwrap().success());
        if !command.starts_with("find") {
            assert_eq!(read, text(&output.stdout), "{command}");
        }
        assert!(fs::metadata(&fifo).unwrap().file_type().is_fifo());
    }
}

#[test]
fn a_descriptor_is_written_on_where_it_stands_and_that_of_another_process_is_not_taken_for_ours() {
    let machine = Machine::new();
    let program = assert_cmd::cargo::cargo_bin("kt-enum");
    let tour = format!("{} find --size 5 --format squares --quiet -o", program.display());
    for own in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        let line = format!("{{ echo first; {tour} {own}; echo last; }} >kept; cat kept");
        let said = in_a_shell(&machine, &line);
        let lines: Vec<&str> = said.lines().collect();
        assert!(matches!(lines[..], ["first", tour, "last"] if tour.starts_with("a1 ")), "{said}");
    }
    let is_there = "until readlink /proc/$!/fd/1 | grep -q other; do sleep 0.01; done";
    let line = format!(
        "sleep 100 >other & {is_there}; {tour} /proc/$!/fd/1; kill $!; echo none; cat other"
    );
    let said = in_a_shell(&machine, &line);
    assert!(said.starts_with("none\na1 "), "{said}");
}

/// Returns what a line prints in the folder of a test.
fn in_a_shell(machine: &Machine, line: &str) -> String {
    let mut shell = std::process::Command::new("sh");
    let output = shell.args(["-c", line]).current_dir(machine.folder.path()).output().unwrap();
    text(&output.stdout)
}

#[test]
fn units_that_cannot_be_kept_are_found_out_before_the_count() {
    let machine = Machine::new();
    let folder = machine.folder.path().join("no/such");
    // This count would last for years.
    let count = "--size 12 --no-checkpoint --keep-units";
    for (path, code, word) in [
        (folder.join("units"), 1, "no folder"),
        (machine.folder.path().to_owned(), 2, "folder"),
        (PathBuf::from("/proc/units"), 1, "/proc/units"),
    ] {
        fails(&machine, &format!("{count} {}", path.display()), code, &[word]);
    }
    let both = machine.folder.path().join("both");
    fs::create_dir(machine.folder.path().join("both.states")).unwrap();
    // What belongs to a checkpoint is removed with it.
    for end in ["", ".lock", ".previous", ".states/units"] {
        let own = format!("--size 12 --keep-units {0}{end} --checkpoint {0}", both.display());
        fails(&machine, &own, 2, &["a file of the checkpoint"]);
    }
}

const JOB: &str =
    "--rows 5 --cols 8 --memo off --threads 1 --split-depth 4 --checkpoint-interval 0";

#[test]
fn a_count_whose_units_cannot_be_written_in_the_end_is_printed_and_its_checkpoint_kept() {
    let machine = Machine::new();
    let path = place(&machine);
    let folder = path.parent().unwrap();
    let job = format!("{JOB} --checkpoint {}/run.kt", machine.folder.path().display());
    for is_gone in [true, false] {
        let mut run = Watched::start(&machine, &format!("{job} --keep-units {}", path.display()));
        run.hold_at("saved");
        match is_gone {
            true => {
                fs::remove_dir_all(folder).unwrap();
                fs::write(folder, "in the way").unwrap();
            }
            false => fs::write(&path, "another run's").unwrap(),
        }
        run.let_go();
        let ended = run.end();
        assert_eq!(ended.status.code(), Some(1), "{}", ended.stderr);
        assert_eq!(ended.stdout, "36122108\n");
        for word in ["units are not kept", "result", "the checkpoint is kept"] {
            assert!(ended.stderr.contains(word), "{word}: {}", ended.stderr);
        }
        if is_gone {
            fs::remove_file(folder).unwrap();
            fs::create_dir_all(folder).unwrap();
        }
        let other = folder.join("other");
        let again =
            machine.kt(&format!("{job} -q --keep-units {}", other.display())).output().unwrap();
        let said = text(&again.stderr);
        assert!(again.status.success() && said.contains("resumed from"), "{said}");
        assert_eq!(text(&again.stdout), "36122108\n");
        machine.kt(&format!("audit {}", other.display())).assert().success();
        fs::remove_file(other).unwrap();
    }
    assert_eq!(fs::read(&path).unwrap(), b"another run's");
}

#[test]
fn indexes_and_prepared_states_are_no_checkpoints_of_other_commands() {
    let machine = Machine::new();
    let [index, prepared] = ["i", "p"].map(|name| machine.folder.path().join(name));
    let question = "--size 6 --closed --engine frontier";
    let make = [
        format!("nth 1 --size 6 --closed --index {}", index.display()),
        format!("prepare {question} --out {}", prepared.display()),
    ];
    make.iter().for_each(|job| drop(machine.kt(job).assert().success()));
    // A link under another name leads to the same place.
    let link = machine.folder.path().join("link.kt");
    symlink(index.join("index.kt"), &link).unwrap();
    for place in [index.join("index.kt"), prepared.join("prepared.kt"), link] {
        for job in ["count", "count --fresh", "shard 0/2 --out parts"] {
            let job = format!("{job} {question} --checkpoint {}", place.display());
            fails(&machine, &job, 2, &["is left as it is", "--checkpoint PATH"]);
        }
        let table = format!("table --rows 4 --up-to 6 --checkpoint {}", place.display());
        fails(&machine, &table, 2, &["is left as it is", "--checkpoint PATH"]);
    }
    assert!(names(&index.join("index.kt.states")).len() > 5);
    assert!(names(&prepared.join("prepared.kt.states")).len() > 2);
}

#[test]
fn an_interrupted_random_leaves_no_file() {
    let machine = Machine::new();
    let path = place(&machine);
    let random = format!("random --size 8 -o {} --progress json", path.display());
    let mut run = Watched::over(machine.start(&random));
    run.wait_for("progress");
    run.signal("TERM");
    let ended = run.end();
    assert_eq!(ended.status.code(), Some(75), "{}", ended.stderr);
    assert_eq!(names(path.parent().unwrap()), [""; 0]);
}

#[test]
fn a_find_that_gives_up_leaves_the_file_as_it_was() {
    let machine = Machine::new();
    let path = place(&machine);
    let find = "find --size 8 --strategy blind --closed --max-moves 1000";
    fails(&machine, &format!("{find} -o {}", path.display()), 1, &["limit"]);
    assert!(!path.exists());
    fs::write(&path, "a tour").unwrap();
    fails(&machine, &format!("{find} --overwrite -o {}", path.display()), 1, &["limit"]);
    assert_eq!(fs::read(&path).unwrap(), b"a tour");
}

#[test]
fn statistics_do_not_replace_the_tours_that_they_are_of() {
    let machine = Machine::new();
    let path = place(&machine);
    machine.kt(&format!("find --size 5 -o {}", path.display())).assert().success();
    let tour = fs::read(&path).unwrap();
    fails(&machine, &format!("stats {0} -o {0}", path.display()), 2, &["another name"]);
    assert_eq!(fs::read(&path).unwrap(), tour);
}

/// Makes a tour, its units, the parts of a count, a drawing and an index, each by the name that the
/// commands below have.
fn make_inputs(machine: &Machine) -> PathBuf {
    let folder = machine.folder.path().join("inputs");
    fs::create_dir_all(&folder).unwrap();
    let made = [
        "find --size 5 --format squares -o tour",
        "--size 5 --no-checkpoint --keep-units units",
        "shard 0/2 --size 5 --out parts",
        "shard 1/2 --size 5 --out parts",
        "random --size 5 --index numbers",
    ];
    for command in made {
        machine.kt(command).current_dir(&folder).assert().success();
    }
    fs::write(folder.join("drawing"), ".....\n.....\n.....\n.....\n").unwrap();
    fs::write(folder.join("graph"), "a b\nb c\nc a\n").unwrap();
    folder
}

/// Every command that makes a page or picture, without the name of the file.
const PAGES: [&str; 5] = [
    "show tour --format svg -o",
    "show tour --format html -o",
    "stats tour --format html -o",
    "report units -o",
    "compare --sizes 5 --strategies roth --trials 1 --plot",
];

#[test]
fn a_page_replaces_only_pages_of_this_program_unless_the_user_says_overwrite() {
    let machine = Machine::new();
    let folder = make_inputs(&machine);
    let path = folder.join("result");
    let run = |command: &str| machine.kt(command).current_dir(&folder).output().unwrap();
    for command in PAGES.into_iter().chain(["show tour -o", "stats tour --json -o"]) {
        let command = format!("{command} result");
        for of_others in ["typed by hand", "<svg />", "<!DOCTYPE html>\n<p>made by kt-enum</p>"] {
            fs::write(&path, of_others).unwrap();
            let output = run(&command);
            assert_eq!(output.status.code(), Some(2), "{command}");
            assert!(text(&output.stderr).contains("--overwrite"), "{command}");
            assert_eq!(fs::read_to_string(&path).unwrap(), of_others, "{command}");
        }
        assert!(run(&format!("{command} --overwrite")).status.success(), "{command}");
        let is_replaced = run(&command).status.success();
        assert_eq!(is_replaced, PAGES.iter().any(|page| command.starts_with(page)), "{command}");
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn no_result_is_written_over_what_its_command_reads() {
    let machine = Machine::new();
    let folder = make_inputs(&machine);
    let commands = [
        ("show tour -o", "tour"),
        ("stats tour -o", "tour"),
        ("report units -o", "units"),
        ("report parts -o", "parts/part-0-of-2"),
        ("merge parts --keep-units", "parts/part-1-of-2"),
        ("--board drawing --no-checkpoint --keep-units", "drawing"),
        ("find --board drawing -o", "drawing"),
        ("list --graph graph -o", "graph"),
        ("nth 1 --board drawing -o", "drawing"),
        ("random --size 5 --index numbers -o", "numbers/index.kt"),
        ("show tour --board drawing -o", "drawing"),
    ];
    for (command, input) in commands {
        let input = folder.join(input);
        let before = fs::read(&input).unwrap();
        for (number, name) in
            [&*input, &folder.join("link"), &folder.join("hard")].iter().enumerate()
        {
            match number {
                1 => symlink(&input, name).unwrap(),
                2 => fs::hard_link(&input, name).unwrap(),
                _ => {}
            }
            let command = format!("{command} {} --overwrite", name.display());
            let output = machine.kt(&command).current_dir(&folder).output().unwrap();
            let said = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{command}: {said}");
            assert!(said.contains("is read by this command"), "{command}: {said}");
            assert_eq!(fs::read(&input).unwrap(), before, "{command}");
            if number > 0 {
                fs::remove_file(name).unwrap();
            }
        }
    }
    let tour = fs::read(folder.join("tour")).unwrap();
    let input = fs::File::open(folder.join("tour")).unwrap();
    let show = format!("show -o {} --overwrite", folder.join("tour").display());
    let output = machine.start_with(input.into(), &show).wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert_eq!(fs::read(folder.join("tour")).unwrap(), tour);
    // A file with the name that stands for standard input is not what is read.
    machine.kt("show - -o ./-").current_dir(&folder).write_stdin(tour).assert().success();
    assert!(folder.join("-").is_file());
}

#[test]
fn the_form_of_a_result_is_that_of_its_name_or_the_name_is_refused() {
    let machine = Machine::new();
    let folder = make_inputs(&machine);
    let refused = [
        ("show tour -o a.png", ".txt, .svg, .html"),
        ("show tour -o a.PDF", ".txt, .svg, .html"),
        ("find --size 5 -o a.svg", "kt-enum show draws"),
        ("list --size 5 -o a.csv", ".txt, .json"),
        ("random --size 5 -o a.pdf", ".txt, .json"),
        ("stats tour -o a.csv", ".txt, .json, .html"),
        ("report units -o a.pdf", ".html"),
        ("compare --sizes 5 --plot a.png", ".svg"),
        ("--size 5 --no-checkpoint --keep-units a.json", "another name"),
        ("merge parts --keep-units a.svg", "another name"),
    ];
    let before = names(&folder).len();
    for (command, word) in refused {
        let output = machine.kt(command).current_dir(&folder).output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{command}: {said}");
        assert!(said.contains(word), "{command}: {said}");
    }
    assert_eq!(names(&folder).len(), before);
    let followed = [
        ("show tour -o a.svg", "<svg"),
        ("show tour -o a.htm", "<!DOCTYPE html>"),
        ("stats tour -o b.json", "{"),
        ("find --size 5 -o c.json", "{"),
        ("list --size 5 --limit 1 -o d.json", "{"),
        ("nth 1 --size 5 -o e.json", "{"),
        ("list --size 5 --limit 1 -o f.tours", "a1 "),
        ("show tour -o g.txt", "5x5"),
        ("show tour --format text -o h.svg", "5x5"),
    ];
    for (command, beginning) in followed {
        machine.kt(command).current_dir(&folder).assert().success();
        let written = fs::read_to_string(folder.join(command.rsplit(' ').next().unwrap())).unwrap();
        assert!(written.starts_with(beginning), "{command}: {written:.20}");
    }
}

#[test]
fn a_file_that_appears_while_a_command_runs_is_kept() {
    let machine = Machine::new();
    let folder = make_inputs(&machine);
    let path = folder.join("page.html");
    let mut show =
        machine.start_with(Stdio::piped(), &format!("show --format html -o {}", path.display()));
    // It waits for the tours on its standard input.
    std::thread::sleep(Duration::from_millis(300));
    fs::write(&path, "typed by hand").unwrap();
    let tour = fs::read(folder.join("tour")).unwrap();
    show.stdin.take().unwrap().write_all(&tour).unwrap();
    let output = show.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert_eq!(fs::read(&path).unwrap(), b"typed by hand");
}

#[test]
fn a_file_that_appears_while_tours_are_drawn_is_kept() {
    let machine = Machine::new();
    let path = machine.folder.path().join("t.txt");
    let job = format!("random --size 6x8 --threads 1 --seed 1 -o {}", path.display());
    let mut random = Watched::over(machine.start(&format!("{job} --progress json")));
    // The place was checked before the count began, and the tours come after it.
    random.hold_at("progress");
    fs::write(&path, "typed by hand").unwrap();
    random.let_go();
    let ended = random.end();
    assert_eq!(ended.status.code(), Some(2), "{}", ended.stderr);
    assert!(ended.stderr.contains("written in the meantime"), "{}", ended.stderr);
    assert_eq!(fs::read(&path).unwrap(), b"typed by hand");
    let mut left = names(machine.folder.path());
    left.sort();
    assert_eq!(left, ["kt-enum", "t.txt"], "nothing else is left");
}

#[test]
fn a_shard_that_is_counted_afresh_replaces_only_a_part() {
    let machine = Machine::new();
    let out = machine.folder.path().join("parts");
    fs::create_dir(&out).unwrap();
    let part = out.join("part-0-of-1");
    fs::write(&part, "typed by hand").unwrap();
    let shard = format!("shard 0/1 --size 5 --fresh --out {}", out.display());
    fails(&machine, &shard, 1, &["part-0-of-1", "no file of units", "another folder"]);
    assert_eq!(fs::read(&part).unwrap(), b"typed by hand");
    fs::write(&part, "# kt-enum units, damaged").unwrap();
    machine.kt(&shard).assert().success();
    machine.kt(&format!("audit {}", part.display())).assert().success();
}
