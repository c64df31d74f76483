//! Places that no command can use, or hardly: whichever argument names one, the process ends in
//! time, its message names the place, and nothing of others has changed.

use super::bounds::SLACK;
use super::disk::Disk;
use super::strangers::{everything, make_fifo, remove_what_is_new};
use crate::common::{Machine, signal, text};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Every argument of every command that is a path, as PATH. TIME stands for a limit on time, where
/// the command has one; the others are told to end by a signal.
const COMMANDS: [&str; 69] = [
    "--board PATH --no-checkpoint TIME",
    "--graph PATH --no-checkpoint TIME",
    "--size 5 --no-checkpoint --keep-units PATH TIME",
    "--size 5 --no-checkpoint --overwrite --keep-units PATH TIME",
    "--size 5 --checkpoint-interval 0 --checkpoint PATH TIME",
    "--size 6 --engine frontier --checkpoint-interval 0 --checkpoint PATH TIME",
    "--size 5 --fresh --checkpoint PATH TIME",
    "table --rows 3 --up-to 4 --checkpoint PATH TIME",
    "list --board PATH",
    "list --graph PATH",
    "list --size 5 --limit 3 -o PATH",
    "list --size 5 --limit 3 --overwrite -o PATH",
    "list --size 5 --limit 3 --resume -o PATH",
    "find --board PATH TIME",
    "find --graph PATH TIME",
    "find --size 5 -o PATH TIME",
    "find --size 5 --overwrite -o PATH TIME",
    "random --board PATH TIME",
    "random --graph PATH TIME",
    "random --size 5 --seed 1 -o PATH TIME",
    "random --size 5 --seed 1 --overwrite -o PATH TIME",
    "random --size 5 --seed 1 --index PATH TIME",
    "nth 7 --board PATH TIME",
    "nth 7 --graph PATH TIME",
    "nth 7 --size 5 -o PATH TIME",
    "nth 7 --size 5 --index PATH TIME",
    "nth 7 --size 5 --fresh --index PATH TIME",
    "rank PATH --size 5 TIME",
    "rank TOUR --board PATH TIME",
    "rank TOUR --graph PATH TIME",
    "rank TOUR --size 5 --index PATH TIME",
    "compare --sizes 5 --strategies roth --trials 1 --plot PATH",
    "check PATH",
    "check --board PATH TOUR",
    "check --graph PATH TOUR",
    "solve PATH TIME",
    "solve --board PATH PUZZLE TIME",
    "solve --graph PATH PUZZLE TIME",
    "puzzle --board PATH TIME",
    "puzzle --graph PATH TIME",
    "puzzle --size 5 --pattern PATH TIME",
    "show PATH",
    "show TOUR --board PATH",
    "show TOUR --graph PATH",
    "show TOUR --format svg --overwrite -o PATH",
    "show TOUR -o PATH",
    "stats PATH",
    "stats TOUR --board PATH",
    "stats TOUR --graph PATH",
    "stats TOUR --format json --overwrite -o PATH",
    "estimate --board PATH",
    "estimate --graph PATH",
    "prepare --board PATH --out OUT TIME",
    "prepare --graph PATH --out OUT TIME",
    "prepare --rows 5 --cols 6 --engine frontier --out PATH TIME",
    "shard 0/2 --board PATH --out OUT TIME",
    "shard 0/2 --graph PATH --out OUT TIME",
    "shard 0/2 --size 5 --out PATH TIME",
    "shard 0/2 --size 5 --fresh --out PATH TIME",
    "shard 0/2 --size 5 --out OUT --checkpoint PATH TIME",
    "merge PATH",
    "merge PARTS --overwrite --keep-units PATH",
    "audit PATH",
    "report PATH",
    "report UNITS --overwrite -o PATH",
    "status PATH",
    "status --board PATH",
    "status --graph PATH",
    "status --discard PATH",
];

/// A place, and the folder that a command is started in. The folder is removed before, if it is to
/// be gone.
struct Place {
    path: OsString,
    is_gone: bool,
}

impl Place {
    fn at(path: impl Into<OsString>) -> Self {
        Self { path: path.into(), is_gone: false }
    }
}

/// The places in a new folder, and elsewhere.
fn places(folder: &Path) -> Vec<Place> {
    let at = |name: &str| folder.join(name);
    fs::write(at("file"), "typed by hand").unwrap();
    fs::create_dir(at("folder")).unwrap();
    fs::write(at("folder/notes"), "notes").unwrap();
    fs::create_dir(at("shut")).unwrap();
    fs::write(at("shut/notes"), "notes").unwrap();
    fs::set_permissions(at("shut"), fs::Permissions::from_mode(0o000)).unwrap();
    symlink(at("circle"), at("circle")).unwrap();
    symlink(at("there/x"), at("here")).unwrap();
    symlink(at("here"), at("there")).unwrap();
    symlink(at("no/such/folder/x"), at("dangling")).unwrap();
    symlink(at("fifo"), at("to-fifo")).unwrap();
    make_fifo(&at("fifo"));
    drop(UnixListener::bind(at("socket")).unwrap());
    let foreign = folder.join(OsStr::from_bytes(b"not-\xff-text"));
    fs::write(&foreign, "typed by hand").unwrap();
    let inside = [
        "file",
        "file/x",
        "folder",
        "folder/",
        "missing/",
        "no/such/folder/x",
        "shut",
        "shut/x",
        "circle",
        "circle/x",
        "here",
        "dangling",
        "fifo",
        "to-fifo",
        "socket",
    ];
    let long = at(&"x".repeat(300));
    let elsewhere = ["/proc/x", "/proc", "/proc/x/y", "/dev/null", "/dev/full", "/dev/zero"];
    let paths = inside.into_iter().map(at).chain([foreign, long]).map(PathBuf::into_os_string);
    let paths = paths.chain(elsewhere.map(OsString::from));
    let gone = ["x", "./x/y", "."].map(|path| Place { path: path.into(), is_gone: true });
    paths.map(Place::at).chain(gone).collect()
}

/// The inputs that commands need beside the place, by the words that stand for them.
fn inputs(machine: &Machine, folder: &Path) -> Vec<(&'static str, String)> {
    let at = |name: &str| folder.join(name).display().to_string();
    let inputs = ["TOUR", "UNITS", "PARTS", "PUZZLE"].map(|word| (word, at(&word.to_lowercase())));
    machine.kt(&format!("find --size 5 -o {}", at("tour"))).assert().success();
    machine
        .kt(&format!("--size 5 --no-checkpoint --keep-units {}", at("units")))
        .assert()
        .success();
    machine.kt(&format!("shard 0/1 --size 5 --out {}", at("parts"))).assert().success();
    fs::write(at("puzzle"), "1 . .\n. . .\n. . 2\n").unwrap();
    inputs.into()
}

/// Runs a command with a place to its end, and checks the end.
fn ends(command: &str, place: &Place, inputs: &[(&str, String)], scratch: &Path) {
    let out = tempfile::tempdir_in(scratch).unwrap();
    let word = |word: &str| match word {
        "PATH" => vec![place.path.clone()],
        "TIME" => vec!["--max-time".into(), "0.3s".into()],
        "OUT" => vec![out.path().join("out").into()],
        _ => {
            let input = inputs.iter().find(|(name, _)| *name == word);
            vec![input.map_or(word, |(_, path)| path).into()]
        }
    };
    let gone = out.path().join("gone");
    fs::create_dir(&gone).unwrap();
    let enter = if place.is_gone { "rmdir \"$0\"" } else { "true" };
    let mut child = Command::new("sh");
    let script = format!("cd \"$0\" && {enter} && exec \"$@\"");
    child.args(["-c", &script]).arg(&gone).arg(assert_cmd::cargo::cargo_bin("kt-enum"));
    child.args(command.split_whitespace().flat_map(word)).env("XDG_STATE_HOME", out.path());
    child.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().unwrap();
    let said = format!("{command} with {}", place.path.to_string_lossy());
    // What is written is read, so that nothing waits for a reader.
    let mut streams = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let printed = std::thread::spawn(move || {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        std::io::copy(&mut streams.0, &mut stdout).unwrap();
        std::io::copy(&mut streams.1, &mut stderr).unwrap();
        text(&stderr)
    });
    let (began, mut is_told) = (Instant::now(), false);
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if !command.contains("TIME") && !is_told && began.elapsed() > Duration::from_millis(600) {
            signal(&child, "TERM");
            is_told = true;
        }
        if began.elapsed() > SLACK {
            let _ = child.kill();
            panic!("{said} does not end");
        }
        sleep(Duration::from_millis(2));
    };
    let message = printed.join().unwrap();
    // A command that only reads dies of the signal as any other.
    let is_killed = is_told && status.signal() == Some(15);
    let codes = [0, 1, 2, 3, 65, 73, 75];
    assert!(
        is_killed || status.code().is_some_and(|code| codes.contains(&code)),
        "{said}: {status:?} {message}"
    );
    // A busy machine may be stopped by the time before it has met the place.
    let is_stopped = status.code() == Some(75) || message.contains("stopped");
    let is_named = names_of(&place.path).iter().any(|name| message.contains(name));
    assert!(
        status.success() || is_killed || is_stopped || is_named,
        "{said} does not name it: {status:?} {message}"
    );
    drop(out);
}

/// The names that a message may have for a path: the path, its folder, and the end of a link.
fn names_of(path: &OsStr) -> Vec<String> {
    let path = Path::new(path);
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let end = fs::read_link(path).ok();
    let of_end = end.as_deref().and_then(Path::parent).map(Path::to_owned);
    let paths = [Some(path.to_owned()), parent.map(Path::to_owned), end, of_end];
    let absolute = path.canonicalize().ok();
    let names = paths.into_iter().chain([absolute]).flatten();
    let names = names.map(|path| path.to_string_lossy().trim_end_matches('/').to_owned());
    // What is no text is shown escaped.
    names.map(|name| name.split('\u{fffd}').next().unwrap_or_default().to_owned()).collect()
}

/// Runs every command with every place, four at a time, each in its own folder.
fn every_command_ends(machine: &Machine, places_in: &(dyn Fn(&Path) -> Vec<Place> + Sync)) {
    let (tools, scratch) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let inputs = inputs(machine, tools.path());
    let unchanged = everything(tools.path());
    let commands = Mutex::new(COMMANDS.iter());
    std::thread::scope(|scope| {
        let worker = || {
            let folder = tempfile::tempdir().unwrap();
            let places = places_in(folder.path());
            let before = everything(folder.path());
            loop {
                let Some(command) = commands.lock().unwrap().next() else { break };
                for place in &places {
                    ends(command, place, &inputs, scratch.path());
                    let mut after = everything(folder.path());
                    after.retain(|path, _| before.contains_key(path));
                    for (path, was) in &before {
                        let place = place.path.to_string_lossy();
                        // With --overwrite a file may be replaced, which the user has said.
                        let is_said =
                            command.contains("--overwrite") && place == path.to_string_lossy();
                        let is = after.get(path);
                        assert!(
                            is_said || is == Some(was),
                            "{} after {command} {place}",
                            path.display()
                        );
                    }
                    remove_what_is_new(folder.path(), &before);
                    restore(folder.path(), &before);
                }
            }
        };
        let workers: Vec<_> = (0..4).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().for_each(|worker| worker.join().unwrap());
    });
    assert_eq!(everything(tools.path()), unchanged);
    for device in ["/dev/null", "/dev/full", "/dev/zero"] {
        assert!(fs::metadata(device).unwrap().file_type().is_char_device(), "{device}");
    }
}

/// Puts back the files that a command has replaced because it was told to.
fn restore(folder: &Path, before: &std::collections::BTreeMap<PathBuf, (u32, Vec<u8>)>) {
    let after = everything(folder);
    for (path, was) in before.iter().filter(|(path, was)| after.get(*path) != Some(*was)) {
        fs::write(path, &was.1).unwrap();
    }
}

#[test]
fn every_option_that_is_a_file_or_a_folder_of_every_command_meets_the_places() {
    let machine = Machine::new();
    let shell = text(&machine.kt("completions zsh").output().unwrap().stdout);
    let (mut of, mut missing, mut met) = ("count", Vec::new(), 0);
    for line in shell.lines().take_while(|line| !line.starts_with("(( $+functions")) {
        if let Some(command) = line.strip_prefix('(').and_then(|line| line.strip_suffix(')')) {
            of = command;
        }
        if !line.contains(":_files") {
            continue;
        }
        // Options that exclude this one stand before its name, and its help behind it.
        let named = line.split('[').next().unwrap().trim_end_matches(['=', '+']);
        let is_argument = named.starts_with("':") || named.starts_with("'*:");
        let file = if is_argument { "an argument" } else { named.rsplit('-').next().unwrap() };
        let is_own = |command: &&&str| match command.starts_with("--") {
            true => of == "count",
            false => command.split(' ').next() == Some(of),
        };
        let has = |command: &&str| {
            let before = command.split(" PATH").next().unwrap();
            let last = before.rsplit(' ').next().unwrap();
            let is_option = |name: &str| last.starts_with('-') && last.ends_with(name);
            match file {
                "an argument" => !last.starts_with('-') || command.contains("--discard PATH"),
                "output" => is_option("-o"),
                _ => is_option(file),
            }
        };
        // That of a preparation is fixed, and is hidden.
        let is_hidden = of == "prepare" && file == "checkpoint";
        match COMMANDS.iter().filter(is_own).any(has) || is_hidden {
            true => met += 1,
            false => missing.push(format!("{of} {file}")),
        }
    }
    assert!(missing.is_empty() && met > 50, "{met} are met, and not: {missing:?}");
}

#[test]
fn every_command_ends_in_time_and_names_the_place_that_it_cannot_use() {
    every_command_ends(&Machine::new(), &places);
}

/// A file and a folder on a disk.
fn on(disk: &Disk) -> Vec<Place> {
    let at = |name: &str| disk.folder().join(name);
    ["result", "new", ".", "no/such"].map(|name| Place::at(at(name))).into()
}

#[test]
#[ignore = "needs root and a mount"]
fn every_command_ends_in_time_on_a_disk_that_is_full_or_has_no_inodes() {
    let machine = Machine::new();
    let full = Disk::mount();
    fs::write(full.folder().join("result"), "the old result").unwrap();
    full.fill();
    let crowded = Disk::with("nr_inodes=4");
    fs::write(crowded.folder().join("result"), "the old result").unwrap();
    let _ = fs::write(crowded.folder().join("other"), "");
    let (tools, scratch) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let inputs = inputs(&machine, tools.path());
    for disk in [&full, &crowded] {
        let before = everything(&disk.folder());
        for command in COMMANDS {
            for place in on(disk) {
                ends(command, &place, &inputs, scratch.path());
                let mut after = everything(&disk.folder());
                after.retain(|path, _| before.contains_key(path));
                assert_eq!(after, before, "{command} with {}", place.path.to_string_lossy());
                remove_what_is_new(&disk.folder(), &before);
            }
        }
    }
}
