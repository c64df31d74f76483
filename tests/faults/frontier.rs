//! Counts by the frontier, whose layers are stored in a folder next to the checkpoint.

use crate::common::watched::Watched;
use crate::common::{Machine, text};
use crate::disk::Disk;
use crate::{contents, names, refused};
use fastrand::Rng;
use kt_enum::board::Board;
use kt_enum::question::Question;
use kt_enum::units::Shard;
use kt_enum_engines::frontier::Frontier;
use kt_enum_engines::work::{Split, Work};
use kt_enum_runs::run::checkpoint::{Header, Store, disk_used, peek};
use kt_enum_runs::run::{self, Control, Event, LayersError, Observer, RunError, Settings, Silent};
use proptest::prelude::*;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A count, and the moment at which it is stopped.
#[derive(Clone, Copy)]
struct Phase {
    job: &'static str,
    file: &'static str,
    directed: &'static str,
    /// The output with `--quiet`.
    quiet: &'static str,
    is_far: fn(&Header) -> bool,
}

const JOB: &str = "--rows 6 --cols 8 --engine frontier --threads 1 --checkpoint-interval 0";
/// The number of directed tours that [`JOB`] counts. The cuts middle:8 and 24:6 agree on it.
const DIRECTED: &str = "49929787608";

/// A count that is saved many times before its units and stopped after a few rounds. On 5x8 it can
/// be over before it is stopped.
const ROUNDS: Phase = Phase {
    job: JOB,
    file: "open-6x8.kt",
    directed: DIRECTED,
    quiet: DIRECTED,
    is_far: |header| header.status.building.is_some_and(|building| building.round > 3),
};

/// A count that is saved many times while its 405 units are counted, and stopped when some of them
/// are done.
const UNITS: Phase = Phase {
    job: "--size 7 --engine frontier --threads 1 --checkpoint-interval 0.05",
    file: "open-7x7.kt",
    directed: DIRECTED_OF_LONG,
    quiet: DIRECTED_OF_LONG,
    is_far: |header| header.status.building.is_none() && header.done > 2,
};

/// A count that is saved several times before its units, in little memory.
const LONG_JOB: &str = "--size 7 --engine frontier --threads 1 --checkpoint-interval 0.1";
const DIRECTED_OF_LONG: &str = "165575218320";

impl Phase {
    fn checkpoint(&self, machine: &Machine) -> PathBuf {
        machine.state_folder().join(self.file)
    }

    /// Starts the count and suspends it at that moment.
    fn hold(&self, machine: &Machine) -> Watched {
        let mut run = Watched::start(machine, self.job);
        run.hold_when(&self.checkpoint(machine), self.is_far);
        run
    }

    /// Starts the count, stops it at that moment, and returns its checkpoint.
    fn stop(&self, machine: &Machine) -> PathBuf {
        let run = self.hold(machine);
        run.signal("TERM");
        run.let_go();
        let ended = run.end();
        assert_eq!(ended.status.code(), Some(75), "{}", ended.stderr);
        self.checkpoint(machine)
    }

    /// Like `stop`, but not between two rounds: there the input of the finished round is still
    /// stored and is not read again.
    fn stop_within_a_round(&self, machine: &Machine) -> PathBuf {
        loop {
            let path = self.stop(machine);
            let building = peek(&path).unwrap().unwrap().status.building;
            if building.is_none_or(|building| building.slices < building.slices_of) {
                return path;
            }
        }
    }

    /// Resumes the count to its end, and checks that no file is left.
    fn resumes(&self, machine: &Machine) {
        let output = machine.kt(&format!("{} --json", self.job)).output().unwrap();
        let said = text(&output.stderr);
        assert!(output.status.success(), "{said}");
        assert!(said.contains("resumed from"), "{said}");
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["directed"], self.directed);
        assert_eq!(machine.files(), [""; 0]);
    }
}

fn states(checkpoint: &Path) -> PathBuf {
    PathBuf::from(format!("{}.states", checkpoint.display()))
}

/// Returns the layer files of a checkpoint, the largest first.
fn layers(checkpoint: &Path) -> Vec<PathBuf> {
    let folder = states(checkpoint);
    let mut files: Vec<PathBuf> = names(&folder)
        .iter()
        .filter(|name| name.starts_with(|first: char| first.is_ascii_digit()))
        .map(|name| folder.join(name))
        .collect();
    files.sort_by_key(|file| std::cmp::Reverse(file.metadata().unwrap().len()));
    files
}

#[test]
fn a_count_by_the_frontier_that_is_killed_resumes_from_its_last_state_and_leaves_nothing() {
    let machine = Machine::new();
    for phase in [ROUNDS, UNITS] {
        let path = phase.checkpoint(&machine);
        for kill in 0..4 {
            let mut run = Watched::start(&machine, phase.job);
            match kill {
                0 => run.hold_at("saved"),
                1 | 2 => run.hold_when(&path, phase.is_far),
                // The resumed run has made some progress.
                _ => run.hold_when(&path, |header| {
                    (phase.is_far)(header)
                        && (header.done > 30
                            || header.status.building.is_some_and(|now| now.round > 8))
                }),
            }
            run.signal("KILL");
            run.end();
            assert!(states(&path).join("index").exists());
        }
        phase.resumes(&machine);
    }
}

#[test]
fn a_count_by_the_frontier_saves_and_stops_on_signals_and_after_a_time() {
    let machine = Machine::new();
    for (phase, words) in [
        (ROUNDS, ["before its units: round", "slices"]),
        (UNITS, ["of 405 units done", "stopped after"]),
    ] {
        for (name, code) in [("TERM", 75), ("INT", 130), ("USR2", 75), ("HUP", 75)] {
            let run = phase.hold(&machine);
            run.signal(name);
            run.let_go();
            let ended = run.end();
            assert_eq!(ended.status.code(), Some(code), "{name}: {}", ended.stderr);
            for word in words.iter().chain(&["saved in", "run the same"]) {
                assert!(ended.stderr.contains(word), "{name}: {}", ended.stderr);
            }
        }
        let no_time = format!("{} --max-time 0", phase.job);
        refused(&machine, &no_time, 75, &[words[0], "saved in", "run the same"]);
        phase.resumes(&machine);
    }
}

/// Runs a job whose stored states are damaged to its end, and returns its messages.
fn recovers(machine: &Machine, phase: Phase, done: u64, words: &[&str]) {
    let output = machine.kt(&format!("{} --json", phase.job)).output().unwrap();
    let said = text(&output.stderr);
    assert!(output.status.success(), "{said}");
    for word in words.iter().chain(&["resumed from", "removed and computed again"]) {
        assert!(said.contains(word), "`{word}` is not in: {said}");
    }
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["directed"], phase.directed);
    assert_eq!(json["units_resumed"], done);
    assert_eq!(machine.files(), [""; 0]);
}

#[test]
fn damaged_or_missing_layers_are_removed_by_name_and_computed_again_and_done_units_are_kept() {
    let machine = Machine::new();
    for phase in [ROUNDS, UNITS] {
        for damage in ["shorter", "missing", "flipped"] {
            let path = phase.stop_within_a_round(&machine);
            let done = peek(&path).unwrap().unwrap().done;
            let file = layers(&path).remove(0);
            let mut bytes = fs::read(&file).unwrap();
            let word = match damage {
                "shorter" => {
                    bytes.pop();
                    "index asks for"
                }
                "missing" => "not there",
                // Wrong bytes are noticed when they are read.
                _ => {
                    bytes.iter_mut().for_each(|byte| *byte ^= 16);
                    "checksum"
                }
            };
            fs::remove_file(&file).unwrap();
            if damage != "missing" {
                fs::write(&file, bytes).unwrap();
            }
            recovers(&machine, phase, done, &[&file.display().to_string(), word]);
        }
    }
}

#[test]
fn a_bit_that_flips_in_a_layer_is_noticed_or_not_needed() {
    let machine = Machine::new();
    for share in [0.0, 0.3, 1.0] {
        let path = UNITS.stop(&machine);
        let file = layers(&path).remove(0);
        let mut flipped = fs::read(&file).unwrap();
        let last = flipped.len() - 1;
        flipped[(last as f64 * share) as usize] ^= 1;
        fs::write(&file, &flipped).unwrap();
        let output = machine.kt(&format!("{} -q", UNITS.job)).output().unwrap();
        let said = text(&output.stderr);
        assert!(output.status.success(), "{said}");
        assert_eq!(text(&output.stdout), format!("{}\n", UNITS.quiet));
        // Finished units no longer need their slices.
        assert_eq!(said.contains("checksum"), said.contains("computed again"), "{said}");
        assert_eq!(machine.files(), [""; 0]);
    }
}

#[test]
fn an_index_damaged_at_any_byte_is_noticed_and_the_states_are_computed_again() {
    let machine = Machine::new();
    let path = ROUNDS.stop(&machine);
    let index = states(&path).join("index");
    let whole = fs::read(&index).unwrap();
    let question = Question::open(Board::new(6, 8).unwrap());
    let work = Frontier::new(question, None).unwrap();
    let is_noticed = |damaged: &[u8]| {
        fs::write(&index, damaged).unwrap();
        let error = run::is_prepared(&states(&path), &work).unwrap_err();
        let said = error.to_string();
        assert!(said.starts_with(&format!("{} is damaged: ", index.display())), "{said}");
    };
    let step = 1 + whole.len() / 300;
    for place in (0..whole.len()).step_by(step) {
        let mut flipped = whole.clone();
        flipped[place] ^= 1 << (place % 8);
        is_noticed(&flipped);
        is_noticed(&whole[..place]);
    }
    let mut longer = whole.clone();
    longer.push(0);
    is_noticed(&longer);
    let mut older = whole.clone();
    older[8] = 3;
    for (damaged, words) in [
        (longer, ["index is damaged", "bytes"]),
        (older, ["index is damaged", "version 3"]),
        (b"KT".to_vec(), ["index is damaged", "bytes"]),
    ] {
        let path = ROUNDS.stop(&machine);
        fs::write(states(&path).join("index"), damaged).unwrap();
        recovers(&machine, ROUNDS, 0, &words);
    }
}

#[test]
fn without_its_layers_the_rounds_are_made_again_and_units_that_are_done_are_kept() {
    let machine = Machine::new();
    for phase in [ROUNDS, UNITS] {
        let path = phase.stop(&machine);
        let done = peek(&path).unwrap().unwrap().done;
        fs::remove_file(states(&path).join("index")).unwrap();
        let json = machine.json(phase.job);
        assert_eq!(json["directed"], phase.directed);
        assert_eq!(json["units_resumed"], done);
        let path = phase.stop(&machine);
        fs::remove_dir_all(states(&path)).unwrap();
        phase.resumes(&machine);
    }
}

#[test]
fn bytes_that_no_index_names_are_made_again() {
    let machine = Machine::new();
    for phase in [ROUNDS, UNITS] {
        let path = phase.stop(&machine);
        for file in layers(&path) {
            let mut bytes = fs::read(&file).unwrap();
            bytes.extend(b"half of a piece");
            fs::write(&file, bytes).unwrap();
        }
        for name in ["0-5", "1-1", "1-9", "index.new-elsewhere-1"] {
            let other = states(&path).join(name);
            if !other.exists() {
                fs::write(other, b"of a round that was not saved").unwrap();
            }
        }
        phase.resumes(&machine);
    }
}

#[test]
fn what_the_frontier_cannot_count_is_refused_with_the_ways_out() {
    let machine = Machine::new();
    for (job, words) in [
        ("--size 11 --engine frontier", ["up to 10", "kt-enum find"]),
        ("--rows 5 --cols 8 --cut 16:4", ["the cut 16:4", "leave out --cut"]),
        ("--rows 2 --cols 8 --cut middle:4", ["the cut middle:4", "leave out --cut"]),
        ("--rows 5 --cols 8 --cut 38:4", ["the cut 38:4", "leave out --cut"]),
        ("--rows 5 --cols 8 --cut 38", ["CLASS:Q", "middle:8"]),
        ("--rows 5 --cols 8 --cut 16:2:4", ["three numbers are of an earlier version", "CLASS:Q"]),
    ] {
        refused(&machine, job, 2, &words);
    }
    assert_eq!(machine.files(), [""; 0]);
}

#[test]
fn an_index_that_another_count_has_left_is_as_good_as_none() {
    let machine = Machine::new();
    let path = ROUNDS.stop(&machine);
    for (other, directed) in [
        ("--rows 5 --cols 8 --tours closed --engine frontier", "88404"),
        ("--rows 6 --cols 8 --cut 24:6", DIRECTED),
        ("--rows 8 --cols 6 --engine frontier", DIRECTED),
    ] {
        let place = machine.folder.path().join("other.kt");
        let folder = states(&place);
        fs::create_dir_all(&folder).unwrap();
        for (name, bytes) in contents(&states(&path)) {
            fs::write(folder.join(name), bytes).unwrap();
        }
        let job = format!("{other} --checkpoint {}", place.display());
        assert_eq!(machine.json(&job)["directed"], directed, "{other}");
        assert!(!folder.exists());
    }
    ROUNDS.resumes(&machine);
}

#[test]
fn the_state_before_the_last_one_resumes_when_the_last_is_damaged() {
    let machine = Machine::new();
    for phase in [ROUNDS, UNITS] {
        let checkpoint = phase.stop(&machine);
        fs::write(&checkpoint, b"KT-ENUM\n").unwrap();
        refused(&machine, phase.job, 65, &[phase.file, ".previous"]);
        let previous = format!("{}.previous", checkpoint.display());
        fs::rename(previous, &checkpoint).unwrap();
        phase.resumes(&machine);
    }
}

#[test]
fn a_checkpoint_of_another_format_version_is_refused_with_the_ways_out() {
    let machine = Machine::new();
    let checkpoint = ROUNDS.stop(&machine);
    let mut bytes = fs::read(&checkpoint).unwrap();
    let own = bytes[8];
    for version in [1, 5, own - 1, own + 1] {
        bytes[8] = version;
        fs::write(&checkpoint, &bytes).unwrap();
        let version = format!("version {version}");
        refused(
            &machine,
            JOB,
            65,
            &["open-6x8.kt", &version, "the kt-enum that wrote it", "--fresh"],
        );
        assert_eq!(fs::read(&checkpoint).unwrap(), bytes);
    }
    machine.kt(&format!("{JOB} --fresh")).assert().success();
    assert_eq!(machine.files(), [""; 0]);
}

#[test]
fn a_count_by_the_frontier_and_one_by_the_walk_do_not_take_each_other_s_checkpoint() {
    let machine = Machine::new();
    let checkpoint = ROUNDS.stop(&machine);
    let before = fs::read(&checkpoint).unwrap();
    for other in ["--engine walk", "--cut 24:6"] {
        refused(
            &machine,
            &format!("--rows 6 --cols 8 {other}"),
            2,
            &["--engine frontier --cut middle:8", other, "--fresh"],
        );
        assert_eq!(fs::read(&checkpoint).unwrap(), before);
    }
    // Without `--engine` a run resumes with the engine of its checkpoint.
    let output = machine.kt("--rows 6 --cols 8 --quiet").output().unwrap();
    assert!(text(&output.stderr).contains("resumed from"), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), format!("{DIRECTED}\n"));

    let mut run = Watched::start(&machine, crate::JOB);
    run.hold_at("saved");
    run.signal("TERM");
    run.let_go();
    run.end();
    let job = "--rows 5 --cols 8 --engine frontier";
    refused(&machine, job, 2, &["--engine frontier", "--engine walk", "--fresh"]);
    machine.kt(&format!("{job} --fresh")).assert().success();
    assert_eq!(machine.files(), [""; 0]);
}

#[test]
fn two_processes_do_not_share_the_layers_of_a_count() {
    let machine = Machine::new();
    let mut first = Watched::start(&machine, JOB);
    first.hold_at("saved");
    refused(&machine, JOB, 73, &["open-6x8.kt", "pid", "--checkpoint PATH"]);
    refused(&machine, &format!("{JOB} --fresh"), 73, &["open-6x8.kt", "pid"]);
    first.let_go();
    first.ends_right(DIRECTED);
    assert_eq!(machine.files(), [""; 0]);
}

#[test]
fn a_count_by_the_frontier_whose_folder_is_deleted_ends_right() {
    let machine = Machine::new();
    for phase in [ROUNDS, UNITS] {
        let run = phase.hold(&machine);
        fs::remove_dir_all(machine.state_folder()).unwrap();
        run.let_go();
        run.ends_right(phase.quiet);
        assert_eq!(machine.files(), [""; 0]);
    }
}

#[test]
#[ignore = "needs root and a mount"]
fn a_disk_that_fills_under_layers_that_need_it_ends_the_count_which_promises_what_is_saved() {
    let disk = Disk::of_size("2m");
    let machine = Machine::new();
    let path = disk.folder().join("run.kt");
    // Less than the largest round needs is kept in memory.
    let job = format!("{LONG_JOB} --memory 64M --checkpoint {}", path.display());
    let said = ["No space left", "run.kt.states", "states are saved: free some space"];
    refused(&machine, &format!("{job} --disk 1G"), 1, &said);
    // On a fast machine the disk is full before the first checkpoint.
    let kept = peek(&path).unwrap().and_then(|header| header.status.building);
    let bytes = kept.as_ref().map_or(0, |kept| kept.bytes);
    assert!(bytes <= disk_used(&path), "{kept:?} are on a disk of 2 MB");
    disk.resize("256m");
    let output = machine.kt(&format!("{job} --quiet")).output().unwrap();
    assert_eq!(text(&output.stdout), format!("{DIRECTED_OF_LONG}\n"), "{}", text(&output.stderr));
    assert_eq!(names(&disk.folder()), [""; 0]);
}

#[test]
#[ignore = "needs root and a mount"]
fn a_disk_that_is_full_when_a_state_in_memory_is_saved_is_told_and_the_count_ends_right() {
    let disk = Disk::of_size("1m");
    let machine = Machine::new();
    let path = disk.folder().join("run.kt");
    let mut run = Watched::start(
        &machine,
        &format!("{LONG_JOB} --memory 2G --disk 1G --checkpoint {}", path.display()),
    );
    let failed = run.wait_for("save-failed");
    let error = failed["error"].as_str().unwrap();
    assert!(error.contains("No space left"), "{error}");
    run.ends_right(DIRECTED_OF_LONG);
    assert_eq!(names(&disk.folder()), [""; 0]);
}

#[test]
fn a_count_whose_layers_do_not_fit_is_divided_into_groups_and_right() {
    let machine = Machine::new();
    for limits in ["--memory 64M --no-checkpoint", "--memory 64M --disk 2M"] {
        let output = machine.kt(&format!("{LONG_JOB} {limits} --quiet")).output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(text(&output.stdout), format!("{DIRECTED_OF_LONG}\n"), "{limits}: {said}");
        assert_eq!(machine.files(), [""; 0]);
    }
}

#[test]
fn a_divided_count_that_is_killed_again_and_again_resumes_and_is_right() {
    const MOST_KILLED: usize = 10;
    let machine = Machine::new();
    let job =
        "--size 7 --engine frontier --threads 1 --checkpoint-interval 0.02 --memory 64M --disk 4M";
    let mut random = Rng::with_seed(5);
    let (mut kept, mut killed) = (0, 0);
    while killed < MOST_KILLED {
        let mut run = Watched::start(&machine, job);
        for _ in 0..random.usize(1..3) {
            run.wait_for("saved");
        }
        std::thread::sleep(Duration::from_millis(random.u64(0..20)));
        run.signal("KILL");
        run.end();
        // A count that was faster than the signal leaves no checkpoint.
        let Some(header) = peek(&machine.state_folder().join("open-7x7.kt")).unwrap() else {
            break;
        };
        assert!(header.done >= kept, "{} units after {kept}", header.done);
        kept = header.done;
        killed += 1;
    }
    assert!(killed >= 3, "{killed}");
    Watched::start(&machine, job).ends_right(DIRECTED_OF_LONG);
    assert_eq!(machine.files(), [""; 0]);
}

/// Stops a run at its n-th report.
struct Stopper {
    left: usize,
    control: Arc<Control>,
}

impl Observer for Stopper {
    fn notice(&mut self, event: &Event) {
        match event {
            Event::Progress(_) => self.left = self.left.saturating_sub(1),
            Event::StatesDamaged(what) => panic!("{what}"),
            _ => {}
        }
        if self.left == 0 {
            self.control.stop();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    #[test]
    fn a_count_under_any_limits_and_stops_is_that_without(
        (rows, cols) in prop::sample::select(vec![(5, 6), (6, 6), (5, 8)]),
        is_closed in any::<bool>(),
        from in prop::option::of(0..30_u32),
        memory in 10..18_u32,
        disk in 9..19_u32,
        stops in prop::collection::vec(1..20_usize, 0..4),
    ) {
        let board = Board::new(rows, cols).unwrap();
        let from = from.and_then(|place| board.all_squares().nth(place as usize));
        let question = match is_closed {
            true => Question::closed(board),
            false => Question::open_between(board, from, None),
        };
        let new = || Frontier::new(question.clone(), None).unwrap();
        let whole = run::count(&new(), Settings::default(), &mut Silent).unwrap().units;
        let folder = tempfile::tempdir().unwrap();
        for left in stops.into_iter().chain([usize::MAX]) {
            let control = Arc::<Control>::default();
            let store = Store::hold(&folder.path().join("run.kt")).unwrap();
            let mut settings = Settings { saving: store.into(), ..Settings::on_threads(2) };
            settings.saving.interval = Duration::from_millis(200);
            settings.limits.memory = Some(1 << memory);
            settings.limits.disk = Some(1 << disk);
            settings.control = Arc::clone(&control);
            match run::count(&new(), settings, &mut Stopper { left, control }) {
                Ok(outcome) => {
                    prop_assert_eq!(outcome.units.fingerprint(), whole.fingerprint());
                    break;
                }
                Err(RunError::Stopped { .. }) => {}
                Err(RunError::Layers(LayersError::Room { .. } | LayersError::Unsaved { .. })) => break,
                Err(error) => panic!("{error}"),
            }
        }
    }
}

/// Counts with limits on memory and disk, and without a save before the end. With one thread,
/// slices always come in the same order, so that a count just fits or does not fit each time.
fn within(
    folder: &Path,
    work: &Frontier,
    (memory, disk): (u64, u64),
    threads: usize,
) -> Result<run::Outcome, RunError> {
    let mut settings = Settings::on_threads(threads);
    settings.saving = Store::hold(&folder.join("run.kt")).unwrap().into();
    settings.limits.memory = Some(memory);
    settings.limits.disk = Some(disk);
    run::count(work, settings, &mut Silent)
}

#[test]
fn a_count_that_ends_because_its_states_do_not_fit_resumes_from_what_it_saved() {
    const ALL: u64 = 1 << 30;
    // The units of a table cannot be divided into groups.
    let closed = Question::closed(Board::new(6, 8).unwrap());
    let new =
        || Frontier::new(closed.clone(), Some(Split::Lengths { every_square: false })).unwrap();
    let whole = run::count(&new(), Settings::default(), &mut Silent).unwrap();
    let mut saved = [0, 0];
    for memory in [1, 1 << 12, 1 << 14, 1 << 16] {
        for disk in [1 << 10, 1 << 13, 1 << 15, 1 << 17] {
            let folder = tempfile::tempdir().unwrap();
            let is_saved = match within(folder.path(), &new(), (memory, disk), 2) {
                Ok(_) => continue,
                Err(RunError::Layers(LayersError::Room { is_saved, .. })) => is_saved,
                Err(error) => panic!("{error}"),
            };
            saved[usize::from(is_saved)] += 1;
            let checkpoint = folder.path().join("run.kt");
            assert_eq!(checkpoint.exists(), is_saved);
            if let Some(header) = peek(&checkpoint).unwrap() {
                let kept = header.status.building.unwrap().bytes;
                assert!(
                    kept <= disk_used(&checkpoint),
                    "{kept} bytes, memory {memory}, disk {disk}"
                );
            }
            let after = within(folder.path(), &new(), (ALL, ALL), 2).unwrap();
            assert_eq!(after.units.fingerprint(), whole.units.fingerprint());
            assert_eq!(
                after.effort.nodes < whole.effort.nodes,
                is_saved,
                "memory {memory}, disk {disk}"
            );
        }
    }
    assert!(saved[0] > 0 && saved[1] > 3, "{saved:?}");
}

#[test]
fn a_single_unit_whose_layers_do_not_fit_is_counted_with_its_rounds_joined() {
    let new = || Frontier::new(Question::closed(Board::new(6, 6).unwrap()), None).unwrap();
    let whole = run::count(&new(), Settings::default(), &mut Silent).unwrap();
    // Rounds that follow a layer are joined under all of these limits, and earlier ones too.
    for (memory, disk) in [(1 << 13, 1 << 13), (1 << 14, 1 << 10), (1 << 14, 1 << 13)] {
        let folder = tempfile::tempdir().unwrap();
        let divided = within(folder.path(), &new(), (memory, disk), 1).unwrap();
        assert_eq!(divided.units.fingerprint(), whole.units.fingerprint());
    }
}

#[test]
fn a_shard_of_a_single_unit_is_counted_wherever_the_whole_is() {
    let new = || Frontier::new(Question::closed(Board::new(6, 6).unwrap()), None).unwrap();
    let whole = run::count(&new(), Settings::default(), &mut Silent).unwrap();
    let of = whole.units.counts.len() as u32;
    // One unit in 97, so that this takes seconds.
    for (index, counted) in whole.units.counts.iter().enumerate().step_by(97) {
        for (memory, disk) in [(1 << 13, 1 << 13), (1 << 14, 1 << 10)] {
            let (folder, mut work) = (tempfile::tempdir().unwrap(), new());
            work.restrict_to(&[index], 1.0 / f64::from(of));
            let mut settings = Settings::on_threads(1);
            settings.shard = Shard::new(index as u32, of).unwrap();
            settings.saving = Store::hold(&folder.path().join("run.kt")).unwrap().into();
            (settings.limits.memory, settings.limits.disk) = (Some(memory), Some(disk));
            let part = run::count(&work, settings, &mut Silent).unwrap();
            assert_eq!(part.units.counts, std::slice::from_ref(counted), "{memory}:{disk}");
        }
    }
}

#[test]
fn a_count_whose_states_do_not_fit_says_how_much_it_lacks_and_resumes_with_more() {
    let new = || Frontier::new(Question::closed(Board::new(6, 6).unwrap()), None).unwrap();
    let whole = run::count(&new(), Settings::default(), &mut Silent).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (mut disk, mut named) = (1 << 5, 0);
    let after = loop {
        let error = match within(folder.path(), &new(), (1 << 8, disk), 1) {
            Ok(after) => break after,
            Err(error) => error,
        };
        let said = error.to_string();
        let RunError::Layers(LayersError::Room { lacking, .. }) = error else { panic!("{said}") };
        assert!(said.contains(" of memory") && said.contains(" of disk"), "{said}");
        if let Some(lacking) = lacking {
            assert!(lacking > 0 && said.contains("they lack"), "{said}");
            named += 1;
        }
        disk += lacking.unwrap_or(7 * disk);
        assert!(disk < 1 << 20, "{said}");
    };
    assert!(named > 0, "the bytes that are lacking are never said");
    assert_eq!(after.units.fingerprint(), whole.units.fingerprint());
}

#[test]
fn layers_go_to_disk_where_the_largest_unit_does_not_fit_beside_them_and_else_stay_in_memory() {
    // The single unit of this cut takes three times its layers, which have 70 kB.
    let question = Question::closed(Board::new(6, 6).unwrap());
    let work = Frontier::new(question, Split::parse_cut("18:0").ok()).unwrap();
    let are_on_disk = |memory| {
        let folder = tempfile::tempdir().unwrap();
        within(folder.path(), &work, (memory, 1 << 30), 1).unwrap();
        states(&folder.path().join("run.kt")).exists()
    };
    assert_eq!([220_000, 320_000].map(are_on_disk), [true, false]);
}

#[test]
fn a_run_that_saves_nothing_removes_its_states() {
    let machine = Machine::new();
    let folder = machine.folder.path().join("folder");
    let job = "--size 7 --from a1 --memory 64M --disk 3M";
    for place in [String::new(), format!("--index {}", folder.display())] {
        refused(&machine, &format!("nth 5 {job} {place}"), 1, &["nothing is saved"]);
        assert_eq!(machine.files(), [""; 0]);
    }
    let prepare = format!("prepare {job} --out {}", folder.display());
    refused(&machine, &prepare, 1, &["nothing is saved"]);
    assert_eq!(names(&folder), [""; 0]);
}

/// A count that takes less than the interval, so that nothing is saved before it is stopped. Its
/// units take long enough to be stopped twice among them.
const UNSAVED: &str = "--rows 7 --cols 8 --engine frontier --threads 1 --checkpoint-interval 1h";

/// The directed tours of that count.
const DIRECTED_OF_UNSAVED: &str = "41332850120656";

/// Starts a count and returns once some of its units are done.
fn at_its_units(machine: &Machine, job: &str) -> Watched {
    let mut run = Watched::start(machine, job);
    while run.wait_for("progress")["done"].as_u64() < Some(3) {
        run.signal("USR1");
        std::thread::sleep(Duration::from_millis(20));
    }
    run
}

#[test]
fn a_count_that_is_stopped_at_its_units_does_not_compute_its_states_again() {
    let machine = Machine::new();
    let path = machine.state_folder().join("open-7x8.kt");
    for (signal, code) in [("TERM", 75), ("INT", 130)] {
        let mut run = at_its_units(&machine, UNSAVED);
        assert!(!states(&path).exists() || signal == "INT");
        // `timeout` sends its signal to a process and then to its group: that is no second one.
        run.signal(&format!("{signal} {0}; kill -{signal}", run.child.id()));
        if signal == "TERM" {
            assert!(run.wait_for("saving-states")["bytes"].as_u64() > Some(0));
        }
        let ended = run.end();
        assert_eq!(ended.status.code(), Some(code), "{}", ended.stderr);
        assert!(ended.stderr.contains("run the same command to resume"), "{}", ended.stderr);
        assert!(!ended.stderr.contains("computed again"), "{}", ended.stderr);
        assert!(!layers(&path).is_empty());
    }
    let mut run = Watched::start(&machine, UNSAVED);
    run.wait_for("resumed");
    let next = run.next_event();
    assert_eq!((&next["event"], &next["building"]), (&"progress".into(), &Value::Null));
    run.ends_right(DIRECTED_OF_UNSAVED);
    assert_eq!(machine.files(), [""; 0]);
}

#[test]
fn what_is_not_saved_of_a_stopped_count_is_not_said_to_be() {
    let machine = Machine::new();
    let job = format!("{UNSAVED} --disk 1K");
    let run = at_its_units(&machine, &job);
    run.signal("TERM");
    let ended = run.end();
    assert_eq!(ended.status.code(), Some(75), "{}", ended.stderr);
    let said = "but not the states before its units, which are computed again; that took ";
    assert!(ended.stderr.contains(said), "{}", ended.stderr);
    let status = machine.kt("status").output().unwrap();
    let said = text(&status.stdout);
    assert!(said.contains("the states before the units are lost and computed again"), "{said}");
    let status = machine.kt("status --json").output().unwrap();
    let status: Value = serde_json::from_slice(&status.stdout).unwrap();
    let lost = status["lost_s"].as_f64().unwrap();
    let kept = 100.0 * (1.0 - lost / status["spent_s"].as_f64().unwrap());
    assert!(status["percent"].as_f64().is_none_or(|percent| percent <= kept + 0.1), "{status}");
    assert!(lost > 0.0 && status["left_s"].as_f64().is_none_or(|left| left >= lost), "{status}");
    let output = machine.kt(&format!("{job} --quiet")).output().unwrap();
    assert_eq!(text(&output.stdout), format!("{DIRECTED_OF_UNSAVED}\n"));
    assert!(text(&output.stderr).contains("computing them again"), "{}", text(&output.stderr));
}

#[test]
fn a_stop_among_states_without_room_on_disk_is_no_failure_and_says_what_is_repeated() {
    let machine = Machine::new();
    let job = format!("{UNSAVED} --disk 1K");
    let mut run = Watched::start(&machine, &job);
    while run.wait_for("progress")["building"]["states"].as_u64() < Some(1_000) {
        run.signal("USR1");
    }
    run.signal("TERM");
    let ended = run.end();
    assert_eq!(ended.status.code(), Some(75), "{}", ended.stderr);
    let said = "but not all states before its units; what is computed again took ";
    assert!(ended.stderr.contains(said), "{}", ended.stderr);
    let output = machine.kt(&format!("{job} --quiet")).output().unwrap();
    assert_eq!(text(&output.stdout), format!("{DIRECTED_OF_UNSAVED}\n"));
}

#[test]
fn what_is_not_saved_of_groups_is_not_said_to_be_and_what_fits_is_saved() {
    let machine = Machine::new();
    let (mut lost, mut in_part) = (0, 0);
    for of in ["--size 7 --memory 64M --disk 200K", "--size 8 --closed --memory 70M --disk 8M"] {
        let (job, mut most) = (format!("{of} --engine frontier --threads 1"), 0.3);
        while most < 2.0 {
            let output = machine.kt(&format!("{job} --fresh --max-time {most}")).output().unwrap();
            let said = text(&output.stderr);
            if output.status.code() == Some(75) {
                let is_lost = said.contains("but not the states before its units");
                lost += usize::from(is_lost);
                in_part += usize::from(said.contains("but not all states before its units"));
                let next = machine.kt(&format!("{job} --max-time 0")).output().unwrap();
                let next = text(&next.stderr);
                assert!(is_lost || !next.contains("computing them again"), "{said}{next}");
            }
            most *= 1.5;
        }
    }
    assert!(lost > 0 && in_part > 0, "{lost} {in_part}");
}
