//! Files of somebody else under the names that the program uses: they are as before, whatever was
//! run.

use crate::common::watched::Watched;
use crate::common::{Machine, stopping_at, text};
use crate::{names, refused};
use kt_enum::board::Board;
use kt_enum::question::Question;
use kt_enum_engines::frontier::Frontier;
use kt_enum_runs::run::{self, RunError};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A count whose states go to disk at once.
const JOB: &str = "--rows 6 --cols 8 --engine frontier --checkpoint-interval 0";

/// Returns the contents of a folder by path: the kind and mode, and the bytes or the end of a link.
pub fn everything(folder: &Path) -> BTreeMap<PathBuf, (u32, Vec<u8>)> {
    let mut all = BTreeMap::new();
    // A folder without rights shows nothing.
    for entry in fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap()) {
        let (path, there) = (entry.path(), entry.metadata().unwrap());
        let content = match there.file_type() {
            kind if kind.is_symlink() => {
                fs::read_link(&path).unwrap().to_string_lossy().into_owned().into_bytes()
            }
            kind if kind.is_file() => fs::read(&path).unwrap(),
            kind => {
                if kind.is_dir() {
                    all.extend(everything(&path));
                }
                there.rdev().to_le_bytes().to_vec()
            }
        };
        all.insert(path, (there.mode(), content));
    }
    all
}

/// Removes what a command has made, so that the next one finds the folder as this one did.
pub fn remove_what_is_new(folder: &Path, before: &BTreeMap<PathBuf, (u32, Vec<u8>)>) {
    for path in everything(folder).into_keys().rev().filter(|path| !before.contains_key(path)) {
        let removed = if path.is_dir() { fs::remove_dir(&path) } else { fs::remove_file(&path) };
        removed.unwrap();
    }
}

fn run(program: &str, arguments: &[&str]) -> bool {
    Command::new(program).args(arguments).stderr(Stdio::null()).status().unwrap().success()
}

pub fn make_fifo(path: &Path) {
    assert!(run("mkfifo", &[&path.to_string_lossy()]));
}

/// Puts a file, a link, a folder, a pipe and, for a superuser, a device under the names that belong
/// to a checkpoint or output, each turn others.
fn surround(path: &Path, turn: usize) {
    let named = |suffix: &str| PathBuf::from(format!("{}{suffix}", path.display()));
    let victim = path.with_file_name("victim");
    let host = gethostname::gethostname().to_string_lossy().into_owned();
    fs::write(named(".new-notes"), "notes").unwrap();
    fs::write(named(&format!(".new-{host}-1")), "a draft").unwrap();
    let states = named(".states");
    match turn {
        0 => {
            fs::create_dir_all(states.join("folder")).unwrap();
            fs::write(states.join("notes"), "notes").unwrap();
            fs::write(states.join("folder/0-1"), "deep").unwrap();
            symlink(&victim, states.join("link")).unwrap();
            make_fifo(&states.join("fifo"));
            fs::write(named(".lock"), "4711\n").unwrap();
            fs::write(named(".previous"), "a draft").unwrap();
        }
        1 => {
            symlink(path.with_file_name("folder"), states).unwrap();
            fs::write(named(".lock"), "").unwrap();
            symlink(&victim, named(".previous")).unwrap();
        }
        2 => {
            fs::create_dir(&states).unwrap();
            fs::write(states.join("index"), "of a book").unwrap();
            fs::write(states.join("0-1"), "a date").unwrap();
            symlink(&victim, named(".lock")).unwrap();
            fs::create_dir(named(".previous")).unwrap();
        }
        3 => {
            fs::create_dir(&states).unwrap();
            symlink(&victim, states.join("index")).unwrap();
            symlink(&victim, states.join("0-2")).unwrap();
            make_fifo(&states.join("0-1"));
            make_fifo(&named(".previous"));
        }
        _ => {
            symlink(path.with_file_name("nowhere"), states).unwrap();
            make_fifo(&named(".lock"));
            run("mknod", &[&named(".previous").to_string_lossy(), "c", "1", "3"]);
        }
    }
}

/// A folder with files of somebody else.
fn strangers() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("victim"), "the only copy").unwrap();
    fs::create_dir(at("folder")).unwrap();
    fs::write(at("folder/notes"), "notes").unwrap();
    surround(&at("file"), 0);
    fs::write(at("file"), "typed by hand").unwrap();
    fs::set_permissions(at("file"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink(at("victim"), at("link")).unwrap();
    symlink(at("folder"), at("folder-link")).unwrap();
    symlink("elsewhere", at("dangling")).unwrap();
    make_fifo(&at("fifo"));
    run("mknod", &[&at("device").to_string_lossy(), "c", "1", "3"]);
    for turn in 0..5 {
        surround(&at(&format!("free{turn}")), turn);
        let index = at(&format!("index{turn}"));
        fs::create_dir(&index).unwrap();
        for name in ["index.kt", "checkpoint-0-of-1.kt", "prepared.kt"] {
            surround(&index.join(name), turn);
        }
        fs::write(index.join("victim"), "another").unwrap();
        match turn {
            0 => fs::write(index.join("part-0-of-1"), "typed by hand").unwrap(),
            1 => symlink("victim", index.join("part-0-of-1")).unwrap(),
            2 => make_fifo(&index.join("part-0-of-1")),
            3 => fs::write(index.join("index.kt"), "typed by hand").unwrap(),
            _ => symlink("nowhere", index.join("index.kt")).unwrap(),
        }
    }
    folder
}

/// The commands that take a checkpoint, or read a run.
const WITH_CHECKPOINT: [&str; 9] = [
    "--size 5 --split-depth 2 --checkpoint-interval 0 --checkpoint",
    "--rows 5 --cols 6 --engine frontier --checkpoint-interval 0 --checkpoint",
    "--rows 5 --cols 6 --engine frontier --checkpoint-interval 0 --fresh --checkpoint",
    "--rows 4 --cols 5 --starts --checkpoint",
    "table --rows 3 --up-to 4 --checkpoint",
    "status",
    "status --discard",
    "report",
    "audit",
];

/// The commands that take a folder.
const WITH_FOLDER: [&str; 9] = [
    "prepare --rows 5 --cols 6 --engine frontier --out",
    "shard 0/1 --rows 5 --cols 6 --engine frontier --checkpoint-interval 0 --out",
    "shard 0/1 --size 5 --fresh --out",
    "merge",
    "report",
    "audit",
    "rank TOUR --size 5 --index",
    "random --size 5 --seed 1 --index",
    "nth 1 --rows 5 --cols 6 --fresh --index",
];

/// The commands that write a result, those first that write to a pipe too.
const WITH_OUTPUT: [&str; 11] = [
    "list --size 5 --limit 3 -o",
    "list --size 5 --limit 3 --resume -o",
    "find --size 5 -o",
    "random --size 5 --seed 1 -o",
    "nth 7 --size 5 -o",
    "--size 5 --no-checkpoint --keep-units",
    "merge PARTS --keep-units",
    "show TOUR --format svg -o",
    "stats TOUR --format json -o",
    "report UNITS -o",
    "compare --sizes 5 --strategies roth --trials 1 --plot",
];

/// Runs a command to its end, which has to come soon.
fn finish(machine: &Machine, command: &str) {
    let mut child = machine.start(command);
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(began.elapsed() < Duration::from_secs(60), "{command} hangs");
        std::thread::sleep(Duration::from_millis(1));
    }
    let ended = child.wait_with_output().unwrap();
    let said = text(&ended.stderr);
    assert!(ended.status.code().is_some_and(|code| code != 101), "{command}: {said}");
}

#[test]
fn a_folder_of_strangers_is_as_before_whatever_command_uses_its_names() {
    let machine = Machine::new();
    let folder = strangers();
    let tools = tempfile::tempdir().unwrap();
    let [tour, units, parts] =
        ["tour", "units", "parts"].map(|name| tools.path().join(name).display().to_string());
    machine.kt(&format!("find --size 5 -o {tour}")).assert().success();
    machine.kt(&format!("--size 5 --no-checkpoint --keep-units {units}")).assert().success();
    machine.kt(&format!("shard 0/1 --size 5 --out {parts}")).assert().success();
    let before = everything(folder.path());
    let shared = ["file", "link", "dangling", "folder", "folder-link", "device", "fifo"];
    let names = |of: &[&str]| {
        let turns = |name: &&str| (0..5).map(|turn| format!("{name}{turn}")).collect::<Vec<_>>();
        let named = of.iter().flat_map(turns);
        shared.iter().map(|name| (*name).to_owned()).chain(named).collect::<Vec<_>>()
    };
    let jobs = [
        (&WITH_CHECKPOINT[..], names(&["free"])),
        (&WITH_FOLDER[..], names(&["index"])),
        (&WITH_OUTPUT[..], names(&[])),
    ];
    for (commands, names) in jobs {
        for (number, command) in commands.iter().enumerate() {
            let words = [("TOUR", &tour), ("UNITS", &units), ("PARTS", &parts)];
            let command = words
                .into_iter()
                .fold((*command).to_owned(), |command, (word, path)| command.replace(word, path));
            for name in &names {
                // A command that writes tours to a pipe waits for its reader.
                if name == "fifo" && commands == WITH_OUTPUT && number < 5 {
                    continue;
                }
                let command = format!("{command} {}", folder.path().join(name).display());
                finish(&machine, &command);
                let mut after = everything(folder.path());
                after.retain(|path, _| before.contains_key(path));
                for (path, was) in &before {
                    assert_eq!(after.get(path), Some(was), "{} after {command}", path.display());
                }
                remove_what_is_new(folder.path(), &before);
            }
        }
    }
}

#[test]
fn states_behind_a_link_to_another_disk_leave_only_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let (scratch, path) = (folder.path().join("scratch"), folder.path().join("run.kt"));
    fs::create_dir(&scratch).unwrap();
    fs::write(scratch.join("notes"), "notes").unwrap();
    symlink("scratch", folder.path().join("run.kt.states")).unwrap();
    let machine = Machine::new();
    stop(&path);
    assert!(scratch.join("index").exists(), "{:?}", names(&scratch));
    machine.kt(&format!("{JOB} --checkpoint {}", path.display())).assert().success();
    assert_eq!(names(&scratch), ["notes"]);
    let left: Vec<PathBuf> = everything(folder.path()).into_keys().collect();
    let left_names =
        ["run.kt.states", "scratch", "scratch/notes"].map(|name| folder.path().join(name));
    assert_eq!(left, left_names);
    stop(&path);
    machine.kt(&format!("status --discard {}", path.display())).assert().success();
    assert_eq!(names(&scratch), ["notes"]);
}

/// Stops the count of [`JOB`] at one of its saves.
fn stop(checkpoint: &Path) {
    let board = Board::new(6, 8).unwrap();
    let work = Frontier::new(Question::open(board), None).unwrap();
    let (settings, mut observer) = stopping_at(3, checkpoint, 1);
    let stopped = run::count(&work, settings, &mut observer);
    assert!(matches!(stopped, Err(RunError::Stopped { .. })), "{stopped:?}");
}

#[test]
fn a_folder_that_takes_the_place_of_the_states_during_a_run_keeps_its_files() {
    let machine = Machine::new();
    for saves in 1..=4 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.kt");
        let states = folder.path().join("run.kt.states");
        let job = format!("{JOB} --threads 1 --checkpoint {}", path.display());
        let mut run = Watched::start(&machine, &job);
        (0..saves).for_each(|_| drop(run.wait_for("saved")));
        run.hold();
        fs::rename(&states, folder.path().join("elsewhere")).unwrap();
        fs::create_dir(&states).unwrap();
        for name in ["index", "0-1", "0-2", "1-1", "index.new-host-1", "notes"] {
            fs::write(states.join(name), "of somebody else").unwrap();
        }
        let before = everything(&states);
        run.let_go();
        let ended = run.end();
        assert!(matches!(ended.status.code(), Some(0 | 1)), "{}", ended.stderr);
        assert_eq!(everything(&states), before, "{}", ended.stderr);
    }
}

#[test]
fn a_run_refuses_the_states_of_another_run_that_still_leads_to_them() {
    let machine = Machine::new();
    let folder = tempfile::tempdir().unwrap();
    let [scratch, first, second] =
        ["scratch", "first.kt", "second.kt"].map(|name| folder.path().join(name));
    fs::create_dir(&scratch).unwrap();
    symlink("scratch", folder.path().join("first.kt.states")).unwrap();
    symlink("scratch", folder.path().join("second.kt.states")).unwrap();
    stop(&first);
    let before = everything(&scratch);
    assert!(before.len() > 2, "{:?}", names(&scratch));
    let job = |path: &Path| format!("{JOB} --checkpoint {}", path.display());
    refused(&machine, &job(&second), 1, &["second.kt.states", "first.kt", "another place"]);
    machine.kt(&format!("--size 5 --checkpoint {}", second.display())).assert().success();
    assert_eq!(everything(&scratch), before);
    resumes_from(&machine, &job(&first));
    machine.kt(&job(&second)).assert().success();
    assert_eq!(names(&scratch), [""; 0]);
}

#[test]
fn a_run_that_was_moved_finds_its_states_and_leaves_none() {
    let machine = Machine::new();
    let folder = tempfile::tempdir().unwrap();
    let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
    fs::create_dir(&old).unwrap();
    stop(&old.join("run.kt"));
    fs::rename(&old, &new).unwrap();
    resumes_from(&machine, &format!("{JOB} --checkpoint {}", new.join("run.kt").display()));
    assert_eq!(names(&new), [""; 0]);
}

/// Runs [`JOB`] to its end from a checkpoint.
fn resumes_from(machine: &Machine, job: &str) {
    let output = machine.kt(&format!("{job} -q")).output().unwrap();
    let said = text(&output.stderr);
    assert!(output.status.success() && said.contains("resumed from"), "{said}");
    assert_eq!(text(&output.stdout), "49929787608\n");
}

/// An index whose layer of one name has another, with the right lengths and checksum.
fn forged(index: &[u8], name: &str, other: &str) -> Vec<u8> {
    let number = |at: usize| u64::from_le_bytes(index[at..at + 8].try_into().unwrap()) as usize;
    let body = 12 + 8 + number(12) + 8;
    let text = |name: &str| [&[name.len() as u8], name.as_bytes()].concat();
    let (text, other) = (text(name), text(other));
    let old = &index[body..index.len() - 32];
    let at = old.windows(text.len()).position(|part| part == text).unwrap();
    let new = [&old[..at], &other, &old[at + text.len()..]].concat();
    let mut forged = [&index[..body - 8], &(new.len() as u64).to_le_bytes(), &new].concat();
    let checksum = Sha256::digest(&forged);
    forged.extend(checksum);
    forged
}

#[test]
fn names_in_an_index_that_the_program_does_not_make_are_not_opened() {
    let machine = Machine::new();
    let folder = tempfile::tempdir().unwrap();
    let (path, victim) = (folder.path().join("run.kt"), folder.path().join("victim"));
    let states = folder.path().join("run.kt.states");
    fs::write(&victim, vec![7; 1 << 20]).unwrap();
    let absolute = victim.to_string_lossy().into_owned();
    for other in ["../victim", &absolute, "index"] {
        stop(&path);
        let index = fs::read(states.join("index")).unwrap();
        let layers = names(&states);
        let layer = layers.iter().find(|name| name.starts_with("0-")).unwrap();
        fs::write(states.join("index"), forged(&index, layer, other)).unwrap();
        let output =
            machine.kt(&format!("{JOB} -q --checkpoint {}", path.display())).output().unwrap();
        let said = text(&output.stderr);
        assert!(output.status.success() && said.contains("it names a layer"), "{other}: {said}");
        assert_eq!(text(&output.stdout), "49929787608\n", "{other}");
        assert!(fs::read(&victim).unwrap() == vec![7; 1 << 20], "{other}");
        assert_eq!(names(folder.path()), ["victim"], "{other}");
    }
}

#[test]
fn a_link_in_the_place_of_a_layer_is_not_followed() {
    let machine = Machine::new();
    let folder = tempfile::tempdir().unwrap();
    let (path, victim) = (folder.path().join("run.kt"), folder.path().join("victim"));
    let states = folder.path().join("run.kt.states");
    stop(&path);
    let layers = names(&states);
    let layer = states.join(layers.iter().find(|name| name.starts_with("0-")).unwrap());
    fs::write(&victim, [fs::read(&layer).unwrap(), vec![7; 1000]].concat()).unwrap();
    let before = fs::read(&victim).unwrap();
    let run = format!("{JOB} --checkpoint {}", path.display());
    let link: [fn(&Path, &Path) -> std::io::Result<()>; 2] =
        [|victim, layer| symlink(victim, layer), |victim, layer| fs::hard_link(victim, layer)];
    for (make, word) in link.into_iter().zip(["not made by kt-enum", "hard link"]) {
        fs::remove_file(&layer).unwrap();
        make(&victim, &layer).unwrap();
        refused(&machine, &run, 1, &["run.kt.states", word, "move it away"]);
        assert!(fs::read(&victim).unwrap() == before);
    }
    // The advice works: the states are computed again.
    fs::remove_file(&layer).unwrap();
    machine.kt(&run).assert().success();
    assert_eq!(names(folder.path()), ["victim"]);
}

#[test]
fn states_that_the_program_did_not_make_are_kept_and_refused_where_their_names_are_needed() {
    let machine = Machine::new();
    let folder = tempfile::tempdir().unwrap();
    let (path, states) = (folder.path().join("data"), folder.path().join("data.states"));
    fs::create_dir(&states).unwrap();
    fs::write(states.join("0-1"), "of somebody else").unwrap();
    let before = everything(folder.path());
    refused(
        &machine,
        &format!("{JOB} --checkpoint {}", path.display()),
        1,
        &["data.states", "`0-1` was not made by kt-enum", "choose another place"],
    );
    machine.kt(&format!("--size 5 --checkpoint {}", path.display())).assert().success();
    refused(&machine, &format!("status --discard {}", path.display()), 1, &["no checkpoint"]);
    assert_eq!(everything(folder.path()), before);
}

#[test]
fn a_lock_of_somebody_else_is_respected_and_kept() {
    let machine = Machine::new();
    let folder = tempfile::tempdir().unwrap();
    let (path, lock) = (folder.path().join("data"), folder.path().join("data.lock"));
    let count = format!("--size 5 --checkpoint {}", path.display());
    for text in ["", "4711\n"] {
        fs::write(&lock, text).unwrap();
        machine.kt(&count).assert().success();
        let held = fs::File::open(&lock).unwrap();
        held.lock().unwrap();
        refused(&machine, &count, 73, &["data is held by another process"]);
        assert_eq!(fs::read_to_string(&lock).unwrap(), text);
    }
}

#[test]
fn a_file_that_appears_under_the_name_of_a_checkpoint_is_kept() {
    let machine = Machine::new();
    let path = machine.folder.path().join("run.kt");
    let job = format!("{} --checkpoint {}", crate::JOB, path.display());
    // Held long before the next save, whose look at the name and renaming are one moment.
    let job = job.replace("--checkpoint-interval 0", "--checkpoint-interval 0.8");
    let mut run = Watched::start(&machine, &job);
    run.hold_at("saved");
    fs::remove_file(&path).unwrap();
    fs::write(&path, "typed by hand").unwrap();
    run.let_go();
    let ended = run.end();
    assert!(ended.status.success(), "{}", ended.stderr);
    assert!(ended.stderr.contains("is no checkpoint"), "{}", ended.stderr);
    assert_eq!(fs::read(&path).unwrap(), b"typed by hand");
}

#[test]
fn links_under_the_name_of_an_incomplete_file_are_not_followed() {
    let machine = Machine::new();
    let folder = tempfile::tempdir().unwrap();
    let victim = folder.path().join("victim");
    fs::write(&victim, "the only copy").unwrap();
    let program = assert_cmd::cargo::cargo_bin("kt-enum");
    let commands = [
        ("find --size 5 -o out", "out"),
        ("--size 5 --no-checkpoint --keep-units out", "out"),
        ("--size 5 --checkpoint out --checkpoint-interval 0", "out"),
        ("shard 0/1 --size 5 --out .", "part-0-of-1"),
    ];
    for (command, name) in commands {
        // The shell becomes the program, so its number is known before.
        let script =
            format!("ln -s victim {name}.new-$(uname -n)-$$; exec {} {command}", program.display());
        let mut shell = Command::new("sh");
        let shell = shell.args(["-c", &script]).current_dir(folder.path());
        let output = shell.env("XDG_STATE_HOME", machine.folder.path()).output().unwrap();
        assert!(output.status.success(), "{command}: {}", text(&output.stderr));
        assert_eq!(fs::read(&victim).unwrap(), b"the only copy", "{command}");
        let links = everything(folder.path()).into_keys().filter(|path| path.is_symlink());
        let links: Vec<PathBuf> = links.collect();
        assert_eq!(links.len(), 1, "{command}: {links:?}");
        remove_what_is_new(folder.path(), &BTreeMap::from([(victim.clone(), (0, Vec::new()))]));
    }
}
