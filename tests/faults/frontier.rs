//! Counts by the frontier, whose layers lie in a folder beside the checkpoint.

use crate::common::{Machine, text};
use crate::disk::Disk;
use crate::watched::Watched;
use crate::{contents, goes_on, names, refused};
use kt_enum::board::Board;
use kt_enum::frontier::Frontier;
use kt_enum::question::Question;
use kt_enum::run::checkpoint::{Header, Store, peek};
use kt_enum::run::{self, LayersError, RunError, Settings, Silent};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

/// Saved many times before its units, and while they are counted.
const JOB: &str = "--rows 5 --cols 8 --engine frontier --threads 1 --checkpoint-interval 0";

/// Before its units for a second and more.
const LONG_JOB: &str = "--size 7 --engine frontier --threads 1 --checkpoint-interval 0";
const DIRECTED_OF_LONG: &str = "165575218320";

fn checkpoint(machine: &Machine) -> PathBuf {
    machine.state_folder().join("open-5x8.kt")
}

fn states(checkpoint: &Path) -> PathBuf {
    PathBuf::from(format!("{}.states", checkpoint.display()))
}

/// Lets a run go on until what it has saved is so far, and leaves it held there.
fn hold_when(run: &mut Watched, checkpoint: &Path, is_far: impl Fn(&Header) -> bool) {
    loop {
        run.hold_at("saved");
        if peek(checkpoint)
            .unwrap()
            .is_some_and(|header| is_far(&header))
        {
            return;
        }
        run.let_go();
    }
}

/// In its rounds, with a few of them done.
fn is_in_rounds(header: &Header) -> bool {
    header.building.is_some_and(|building| building.round > 3)
}

/// In its units, with some of them done.
fn is_in_units(header: &Header) -> bool {
    header.building.is_none() && header.done > 2
}

/// A job that is stopped when it is so far, and its checkpoint.
fn stopped(machine: &Machine, is_far: impl Fn(&Header) -> bool) -> PathBuf {
    let path = checkpoint(machine);
    let mut run = Watched::start(machine, JOB);
    hold_when(&mut run, &path, is_far);
    run.signal("TERM");
    run.let_go();
    let ended = run.end();
    assert_eq!(ended.status.code(), Some(75), "{}", ended.stderr);
    path
}

/// A checkpoint's files of layers, the largest first.
fn layers(checkpoint: &Path) -> Vec<PathBuf> {
    let folder = states(checkpoint);
    let mut files: Vec<PathBuf> = names(&folder)
        .iter()
        .filter(|name| *name != "index")
        .map(|name| folder.join(name))
        .collect();
    files.sort_by_key(|file| std::cmp::Reverse(file.metadata().unwrap().len()));
    files
}

#[test]
fn a_count_by_the_frontier_that_is_killed_goes_on_from_its_last_state_and_leaves_nothing() {
    let machine = Machine::new();
    let path = checkpoint(&machine);
    for kill in 0..6 {
        let mut run = Watched::start(&machine, JOB);
        match kill {
            0 => run.hold_at("saved"),
            1..=3 => hold_when(&mut run, &path, is_in_rounds),
            _ => hold_when(&mut run, &path, |header| {
                header.building.is_none() && header.done > kill
            }),
        }
        run.signal("KILL");
        run.end();
        assert!(states(&path).join("index").exists());
    }
    goes_on(&machine, JOB);
    assert_eq!(machine.files(), [""; 0]);
}

#[test]
fn a_count_by_the_frontier_saves_and_stops_on_signals_and_after_a_time() {
    let machine = Machine::new();
    let path = checkpoint(&machine);
    for (name, code) in [("TERM", 75), ("INT", 130), ("USR2", 75)] {
        let mut run = Watched::start(&machine, JOB);
        hold_when(&mut run, &path, is_in_rounds);
        run.signal(name);
        run.let_go();
        let ended = run.end();
        assert_eq!(ended.status.code(), Some(code), "{name}: {}", ended.stderr);
        for words in [
            "before its units: round",
            "slices",
            "saved in",
            "type the same",
        ] {
            assert!(ended.stderr.contains(words), "{name}: {}", ended.stderr);
        }
    }
    refused(
        &machine,
        &format!("{JOB} --max-time 0"),
        75,
        &["before its units: round", "saved in", "type the same"],
    );
    let mut run = Watched::start(&machine, JOB);
    hold_when(&mut run, &path, is_in_units);
    run.signal("TERM");
    run.let_go();
    let ended = run.end();
    assert_eq!(ended.status.code(), Some(75), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("of 45 units done"),
        "{}",
        ended.stderr
    );
    goes_on(&machine, JOB);
    assert_eq!(machine.files(), [""; 0]);
}

/// Damages the files of layers one after the other, each in all ways, and sees that the count is refused and that nothing
/// is lost.
fn damaged_layers_are_refused(is_far: impl Fn(&Header) -> bool) {
    let machine = Machine::new();
    let path = stopped(&machine, is_far);
    let before = fs::read(&path).unwrap();
    let files = layers(&path);
    let name = |file: &Path| file.file_name().unwrap().to_str().unwrap().to_owned();
    for file in &files {
        let whole = fs::read(file).unwrap();
        for len in [whole.len() - 1, 1, 0] {
            fs::write(file, &whole[..len]).unwrap();
            refused(&machine, JOB, 65, &[&name(file), "bytes", "--fresh"]);
            assert_eq!(fs::read(file).unwrap(), whole[..len]);
        }
        fs::remove_file(file).unwrap();
        refused(&machine, JOB, 65, &[&name(file), "not there", "--fresh"]);
        assert!(!file.exists());
        fs::write(file, whole).unwrap();
    }
    assert_eq!(fs::read(&path).unwrap(), before);
    // What the run comes to before it needs what is damaged is kept, and what came of a round takes its place.
    for file in files.iter().filter(|file| file.exists()) {
        let done = peek(&path).unwrap().unwrap().done;
        let mut bytes = fs::read(file).unwrap();
        let len = bytes.len();
        bytes.iter_mut().for_each(|byte| *byte ^= 16);
        fs::write(file, &bytes).unwrap();
        refused(
            &machine,
            JOB,
            65,
            &[&name(file), "bytes", "checksum", "--fresh"],
        );
        let mut after = fs::read(file).unwrap();
        assert!(after.starts_with(&bytes), "what is damaged is kept");
        after[..len].iter_mut().for_each(|byte| *byte ^= 16);
        fs::write(file, after).unwrap();
        assert!(peek(&path).unwrap().unwrap().done >= done);
    }
    goes_on(&machine, JOB);
    assert_eq!(machine.files(), [""; 0]);
}

#[test]
fn damaged_or_missing_layers_are_refused_by_name_before_the_units_and_nothing_is_lost() {
    damaged_layers_are_refused(is_in_rounds);
}

#[test]
fn damaged_or_missing_layers_are_refused_by_name_in_the_units_and_nothing_is_lost() {
    damaged_layers_are_refused(is_in_units);
}

#[test]
fn a_bit_that_flips_in_a_layer_is_noticed_wherever_it_is() {
    let machine = Machine::new();
    let path = stopped(&machine, is_in_units);
    let file = layers(&path).remove(0);
    let whole = fs::read(&file).unwrap();
    for place in [0, whole.len() / 3, whole.len() - 1] {
        let mut flipped = whole.clone();
        flipped[place] ^= 1;
        fs::write(&file, &flipped).unwrap();
        let output = machine.kt(&format!("{JOB} --json")).output().unwrap();
        let said = text(&output.stderr);
        // Units that are done need their slices no more.
        match output.status.code() {
            Some(65) => assert!(
                said.contains("checksum") && said.contains("--fresh"),
                "{said}"
            ),
            _ => {
                let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
                assert_eq!(json["directed"], crate::DIRECTED);
                return;
            }
        }
        assert_eq!(fs::read(&file).unwrap(), flipped);
    }
    machine.kt(&format!("{JOB} --fresh")).assert().success();
    assert_eq!(machine.files(), [""; 0]);
}

#[test]
fn an_index_damaged_at_any_byte_is_refused_and_kept_and_fresh_starts_over() {
    let machine = Machine::new();
    let path = stopped(&machine, is_in_rounds);
    let index = states(&path).join("index");
    let whole = fs::read(&index).unwrap();
    let refuses = |damaged: &[u8]| {
        fs::write(&index, damaged).unwrap();
        let settings = Settings {
            threads: Some(1),
            checkpoint: Some(Store::hold(&path).unwrap()),
            ..Settings::default()
        };
        let question = Question::open(Board::new(5, 8).unwrap());
        let work = Frontier::new(question, None).unwrap();
        let error = run::count(&work, settings, &mut Silent).unwrap_err();
        let is_named = matches!(
            &error,
            RunError::Layers(LayersError::Damaged { path, .. }) if *path == index
        );
        assert!(is_named, "{error}");
        assert_eq!(fs::read(&index).unwrap(), damaged);
    };
    let step = 1 + whole.len() / 300;
    for place in (0..whole.len()).step_by(step) {
        let mut flipped = whole.clone();
        flipped[place] ^= 1 << (place % 8);
        refuses(&flipped);
        refuses(&whole[..place]);
    }
    let mut longer = whole.clone();
    longer.push(0);
    refuses(&longer);
    refused(&machine, JOB, 65, &["index is damaged", "bytes", "--fresh"]);
    let mut older = whole.clone();
    older[8] = 3;
    fs::write(&index, older).unwrap();
    refused(&machine, JOB, 65, &["index", "version 3", "--fresh"]);

    fs::write(&index, &whole).unwrap();
    goes_on(&machine, JOB);
    let path = stopped(&machine, is_in_rounds);
    fs::write(states(&path).join("index"), b"KT").unwrap();
    refused(&machine, JOB, 65, &["index", "--fresh"]);
    machine.kt(&format!("{JOB} --fresh")).assert().success();
    assert_eq!(machine.files(), [""; 0]);
}

#[test]
fn without_its_index_the_rounds_are_made_again_and_units_that_are_done_are_kept() {
    let machine = Machine::new();
    for is_far in [is_in_rounds, is_in_units] {
        let path = stopped(&machine, is_far);
        let done = peek(&path).unwrap().unwrap().done;
        fs::remove_file(states(&path).join("index")).unwrap();
        let json = machine.json(JOB);
        assert_eq!(json["directed"], crate::DIRECTED);
        assert_eq!(json["units_resumed"], done);
        let path = stopped(&machine, is_far);
        fs::remove_dir_all(states(&path)).unwrap();
        goes_on(&machine, JOB);
        assert_eq!(machine.files(), [""; 0]);
    }
}

#[test]
fn an_index_that_another_count_has_left_is_as_good_as_none() {
    let machine = Machine::new();
    let path = stopped(&machine, is_in_rounds);
    for (other, directed) in [
        (
            "--rows 5 --cols 8 --tours closed --engine frontier",
            "88404",
        ),
        ("--rows 5 --cols 8 --cut 16:2:4", crate::DIRECTED),
        ("--rows 8 --cols 5 --engine frontier", crate::DIRECTED),
    ] {
        let place = machine.folder.path().join("other.kt");
        let folder = states(&place);
        fs::create_dir_all(&folder).unwrap();
        for (name, bytes) in contents(&states(&path)) {
            fs::write(folder.join(name), bytes).unwrap();
        }
        let job = format!(
            "{other} --checkpoint-interval 0 --checkpoint {}",
            place.display()
        );
        assert_eq!(machine.json(&job)["directed"], directed, "{other}");
        assert!(!folder.exists());
    }
    goes_on(&machine, JOB);
}

#[test]
fn the_state_before_the_last_one_can_be_gone_on_from_when_that_is_damaged() {
    let machine = Machine::new();
    for is_far in [is_in_rounds, is_in_units] {
        let checkpoint = stopped(&machine, is_far);
        fs::write(&checkpoint, b"KT-ENUM\n").unwrap();
        refused(&machine, JOB, 65, &["open-5x8.kt", ".previous"]);
        let previous = format!("{}.previous", checkpoint.display());
        fs::rename(previous, &checkpoint).unwrap();
        goes_on(&machine, JOB);
    }
}

#[test]
fn a_checkpoint_of_another_format_version_is_refused_with_the_ways_out() {
    let machine = Machine::new();
    let checkpoint = stopped(&machine, is_in_rounds);
    let mut bytes = fs::read(&checkpoint).unwrap();
    for version in [1, 3, 5] {
        bytes[8] = version;
        fs::write(&checkpoint, &bytes).unwrap();
        let version = format!("version {version}");
        refused(
            &machine,
            JOB,
            65,
            &[
                "open-5x8.kt",
                &version,
                "the kt-enum that wrote it",
                "--fresh",
            ],
        );
        assert_eq!(fs::read(&checkpoint).unwrap(), bytes);
    }
    machine.kt(&format!("{JOB} --fresh")).assert().success();
    assert_eq!(machine.files(), [""; 0]);
}

#[test]
fn a_count_by_the_frontier_and_one_by_the_walk_do_not_take_each_other_s_checkpoint() {
    let machine = Machine::new();
    let checkpoint = stopped(&machine, is_in_rounds);
    let before = fs::read(&checkpoint).unwrap();
    for other in ["--engine walk", "--cut 16:2:4"] {
        refused(
            &machine,
            &format!("--rows 5 --cols 8 {other}"),
            2,
            &["--engine frontier --cut 18:3:6", other, "--fresh"],
        );
        assert_eq!(fs::read(&checkpoint).unwrap(), before);
    }
    // Who names no engine goes on with the one that was begun.
    goes_on(&machine, "--rows 5 --cols 8");

    let mut run = Watched::start(&machine, crate::JOB);
    run.hold_at("saved");
    run.signal("TERM");
    run.let_go();
    run.end();
    refused(
        &machine,
        JOB,
        2,
        &["--engine frontier", "--engine walk", "--fresh"],
    );
    machine.kt(&format!("{JOB} --fresh")).assert().success();
    assert_eq!(machine.files(), [""; 0]);
}

#[test]
fn two_processes_do_not_share_the_layers_of_a_count() {
    let machine = Machine::new();
    let mut first = Watched::start(&machine, JOB);
    first.hold_at("saved");
    refused(
        &machine,
        JOB,
        73,
        &["open-5x8.kt", "pid", "--checkpoint PATH"],
    );
    refused(
        &machine,
        &format!("{JOB} --fresh"),
        73,
        &["open-5x8.kt", "pid"],
    );
    first.let_go();
    first.ends_right(crate::DIRECTED);
    assert_eq!(machine.files(), [""; 0]);
}

#[test]
fn a_count_by_the_frontier_whose_folder_is_deleted_ends_right() {
    let machine = Machine::new();
    for is_far in [is_in_rounds, is_in_units] {
        let mut run = Watched::start(&machine, JOB);
        hold_when(&mut run, &checkpoint(&machine), is_far);
        fs::remove_dir_all(machine.state_folder()).unwrap();
        run.let_go();
        run.ends_right(crate::DIRECTED);
        assert_eq!(machine.files(), [""; 0]);
    }
}

fn long_goes_on(machine: &Machine, job: &str) -> Output {
    let output = machine.kt(&format!("{job} --quiet")).output().unwrap();
    let said = text(&output.stderr);
    assert!(said.contains("resumed from"), "{said}");
    assert_eq!(
        text(&output.stdout),
        format!("{DIRECTED_OF_LONG}\n"),
        "{said}"
    );
    output
}

#[test]
fn a_disk_that_fills_under_layers_that_need_it_ends_the_count_with_what_was_saved_and_it_goes_on() {
    let Some(disk) = Disk::of_size("a disk that fills under the frontier", "2m") else {
        return;
    };
    let machine = Machine::new();
    let path = disk.folder().join("run.kt");
    // No more than a byte is kept in memory.
    let job = format!("{LONG_JOB} --memory 1 --checkpoint {}", path.display());
    refused(
        &machine,
        &format!("{job} --disk 1G"),
        1,
        &["No space left", "run.kt.states"],
    );
    assert!(peek(&path).unwrap().unwrap().building.is_some());
    disk.resize("256m");
    long_goes_on(&machine, &job);
    assert_eq!(names(&disk.folder()), [""; 0]);
}

#[test]
fn a_disk_that_is_full_when_a_state_in_memory_is_saved_is_told_and_the_count_ends_right() {
    let Some(disk) = Disk::of_size("a disk that fills beside the frontier", "1m") else {
        return;
    };
    let machine = Machine::new();
    let path = disk.folder().join("run.kt");
    let mut run = Watched::start(
        &machine,
        &format!(
            "{LONG_JOB} --memory 2G --disk 1G --checkpoint {}",
            path.display()
        ),
    );
    let failed = run.wait_for("save-failed");
    let error = failed["error"].as_str().unwrap();
    assert!(error.contains("No space left"), "{error}");
    run.ends_right(DIRECTED_OF_LONG);
    assert_eq!(names(&disk.folder()), [""; 0]);
}

#[test]
fn bounds_that_will_not_do_are_named_and_what_was_saved_goes_on_under_larger_ones() {
    let machine = Machine::new();
    let without = format!("{LONG_JOB} --memory 1M --no-checkpoint");
    let words = [
        "do not fit",
        "1048576 bytes of memory",
        "--memory",
        "--disk",
    ];
    refused(&machine, &without, 1, &words);
    let bound = format!("{LONG_JOB} --memory 1 --disk 1M");
    let words = ["do not fit", "1048576 bytes of disk", "--disk", "--memory"];
    refused(&machine, &bound, 1, &words);
    let in_use: u64 = layers(&machine.state_folder().join("open-7x7.kt"))
        .iter()
        .map(|file| file.metadata().unwrap().len())
        .sum();
    assert!(in_use <= 1 << 20, "{in_use} bytes");
    long_goes_on(&machine, LONG_JOB);
    assert_eq!(machine.files(), [""; 0]);
}
