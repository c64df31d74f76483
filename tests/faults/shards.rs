//! A count in parts has the sum and the fingerprint of a single process, for any number of shards,
//! merged in any order.

use crate::common::{Machine, signal, text};
use crate::{contents, lasting, merge, refused};
use fastrand::Rng;
use kt_enum::board::Board;
use kt_enum::question::Question;
use kt_enum::tally::Tally;
use kt_enum::units::{Assignment, Shard, Units};
use kt_enum_engines::engine::Engine;
use kt_enum_engines::frontier::Frontier;
use kt_enum_engines::walk::{MemoSize, Options, Walk};
use kt_enum_engines::work::Work;
use kt_enum_runs::run::{self, Settings, Silent};
use kt_enum_runs::units::merge::parts_in;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const NUMBERS_OF_SHARDS: [u32; 6] = [1, 2, 3, 7, 100, 1_000];

/// A job of less than a second on one thread.
const JOB: &str = "--rows 5 --cols 8 --memo off --threads 1 --split-depth 2";
const DIRECTED: &str = "36122108";

fn walk(rows: u32, cols: u32, split_depth: u32) -> Walk {
    let question = Question::open(Board::new(rows, cols).unwrap());
    let options = Options { split_depth: Some(split_depth), memo: MemoSize::Bytes(1 << 16) };
    Walk::new(question, &options).unwrap()
}

fn count(work: &Walk, shard: Shard) -> Units {
    let settings = Settings { shard, ..Settings::on_threads(1) };
    run::count(work, settings, &mut Silent).unwrap().units
}

/// A job that takes some tenths of a second before its units.
const BY_FRONTIER: &str = "--size 7 --engine frontier --threads 1 --checkpoint-interval 0.05";

#[test]
fn what_was_made_for_the_units_of_a_shard_is_not_taken_for_those_of_another() {
    let machine = Machine::new();
    let parts = machine.folder.path().join("parts");
    let out = parts.display();
    let checkpoint = machine.folder.path().join("run.kt");
    let shard = |index: u32| {
        let place = format!("--out {out} --checkpoint {}", checkpoint.display());
        format!("shard {index}/2 {BY_FRONTIER} {place}")
    };
    let stopped = format!("{} --max-time 0.3", shard(0));
    machine.kt(&stopped).assert().code(75);
    let states = machine.folder.path().join("run.kt.states");
    assert!(states.join("index").exists(), "nothing was made");
    // The files are as if the run had been killed before its first checkpoint.
    for left in ["run.kt", "run.kt.previous"] {
        let _ = fs::remove_file(machine.folder.path().join(left));
    }
    for index in [1, 0] {
        machine.kt(&shard(index)).assert().success();
    }
    let merged = machine.json(&format!("merge {out}"));
    assert_eq!(merged["directed"], "165575218320");
}

/// Returns a folder in memory if there is one, because hundreds of files are flushed.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| tempfile::tempdir().unwrap())
}

fn files_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Counts in parts by the library; each part is written to a file and read back.
fn any_number_of_shards_is_the_whole(rows: u32, cols: u32, split_depth: u32, directed: u128) {
    let mut random = Rng::with_seed(3);
    let work = walk(rows, cols, split_depth);
    let whole = count(&work, Shard::WHOLE);
    let directed = Tally::from(directed);
    assert_eq!(whole.directed(), directed);
    for of in NUMBERS_OF_SHARDS {
        let folder = folder();
        let mut names: Vec<u32> = (0..of).collect();
        random.shuffle(&mut names);
        let mut paths: Vec<PathBuf> = Vec::new();
        let mut sum = Tally::ZERO;
        for index in 0..of {
            let part = count(&work, Shard::new(index, of).unwrap());
            sum += part.directed();
            // The name of a part does not determine its content.
            let name = format!("part-{}-of-{of}", names[index as usize]);
            paths.push(folder.path().join(name));
            part.write(&paths[index as usize]).unwrap();
        }
        assert_eq!(sum, directed, "{of} shards");
        for _ in 0..3 {
            assert_eq!(merge(&paths).unwrap(), whole, "{of} shards");
            random.shuffle(&mut paths);
        }
        let merged = merge(&parts_in(folder.path()).unwrap()).unwrap();
        assert_eq!(merged, whole, "{of} shards in the order of their names");
        assert_eq!(merged.fingerprint(), whole.fingerprint());
    }
}

#[test]
fn any_number_of_shards_of_5x6_is_the_whole_in_any_order() {
    any_number_of_shards_is_the_whole(5, 6, 3, 37_568);
}

#[test]
fn any_number_of_shards_of_6x6_is_the_whole_in_any_order() {
    any_number_of_shards_is_the_whole(6, 6, 4, 6_637_920);
}

#[test]
fn parts_from_several_folders_merge_to_the_count_and_the_fingerprint_of_one_process() {
    let machine = Machine::new();
    for (board, directed) in
        [("--rows 5 --cols 6 --split-depth 3", "37568"), ("--size 6 --split-depth 2", "6637920")]
    {
        let whole = machine.json(&format!("count {board} --no-checkpoint"));
        for of in [1, 2, 3, 7] {
            let folder = folder();
            let places = ["one", "other"].map(|name| folder.path().join(name));
            for index in 0..of {
                let out = places[index % places.len().min(of)].display();
                let part = machine.json(&format!("shard {index}/{of} {board} --out {out}"));
                assert_eq!(part["units_resumed"], 0);
            }
            let used = &places[..places.len().min(of)];
            for order in [used.to_vec(), used.iter().rev().cloned().collect()] {
                let folders: Vec<String> =
                    order.iter().map(|path| path.display().to_string()).collect();
                let merged = machine.json(&format!("merge {}", folders.join(" ")));
                assert_eq!(merged["directed"], directed);
                for field in ["undirected", "fingerprint", "units", "split_depth", "engine"] {
                    assert_eq!(merged[field], whole[field], "{board}, {of} shards, {field}");
                }
            }
        }
    }
    assert_eq!(machine.files(), Vec::<String>::new());
}

#[test]
fn more_shards_than_units_leave_some_empty_and_merge_all_the_same() {
    let machine = Machine::new();
    let folder = folder();
    let out = folder.path().display();
    for index in 0..9 {
        machine.json(&format!("shard {index}/9 --size 5 --split-depth 0 --out {out}"));
    }
    assert_eq!(machine.json(&format!("merge {out}"))["directed"], "1728");
}

#[test]
fn a_shard_counted_twice_gives_the_same_bytes() {
    let machine = Machine::new();
    let folders = [folder(), folder()];
    let parts = folders.each_ref().map(|folder| {
        let out = folder.path().display();
        // One of the folders is counted with other numbers of threads and another transposition
        // table.
        let how = match folder.path() == folders[0].path() {
            true => "--threads 1 --memo off",
            false => "--threads 3 --memo 64K",
        };
        let shard = format!("shard 1/3 --size 6 --split-depth 3 --out {out}");
        machine.kt(&format!("{shard} {how}")).assert().success();
        let path = folder.path().join("part-1-of-3");
        let bytes = lasting(&fs::read(&path).unwrap());
        let again = machine.kt(&shard).output().unwrap();
        assert!(again.status.success());
        assert!(text(&again.stderr).contains("is there already"));
        assert_eq!(lasting(&fs::read(&path).unwrap()), bytes, "counted already");
        machine.kt(&format!("{shard} --fresh")).assert().success();
        assert_eq!(lasting(&fs::read(&path).unwrap()), bytes, "counted again");
        bytes
    });
    assert_eq!(parts[0], parts[1]);
}

#[test]
fn two_that_count_one_shard_at_once_both_end_well_with_the_same_bytes() {
    let machine = Machine::new();
    let folder = folder();
    let out = folder.path();
    let shard = format!("shard 0/2 {JOB} --out {}", out.display());
    let mut first = machine.start(&shard);
    let began = Instant::now();
    // A process writes its number into the file once it has the lock: the file alone says nothing.
    let lock = out.join("checkpoint-0-of-2.kt.lock");
    while !fs::read(&lock).is_ok_and(|holder| holder.ends_with(b"\n")) {
        assert!(first.try_wait().unwrap().is_none(), "it ended early");
        assert!(began.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(1));
    }
    // The first process holds its checkpoint and is suspended until the second has finished.
    signal(&first, "STOP");
    let second = machine.kt(&shard).output().unwrap();
    let said = text(&second.stderr);
    assert!(second.status.success(), "{said}");
    assert!(said.contains("does the same"), "{said}");
    let bytes = lasting(&fs::read(out.join("part-0-of-2")).unwrap());
    signal(&first, "CONT");
    let first = first.wait_with_output().unwrap();
    assert!(first.status.success(), "{}", text(&first.stderr));
    let sentence = |stdout: &[u8]| text(stdout).lines().next().map(str::to_owned);
    assert_eq!(sentence(&first.stdout), sentence(&second.stdout));
    assert_eq!(lasting(&fs::read(out.join("part-0-of-2")).unwrap()), bytes);
    assert_eq!(files_in(out), ["part-0-of-2"]);
}

#[test]
fn all_shards_at_once_in_one_folder_do_not_disturb_one_another() {
    let machine = Machine::new();
    let folder = folder();
    let out = folder.path().display();
    // Two processes count each shard.
    let shards = [0, 1, 2, 0, 1, 2].map(|index| format!("shard {index}/3 {JOB} --out {out}"));
    let running: Vec<_> = shards.iter().map(|shard| machine.start(shard)).collect();
    for child in running {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    assert_eq!(files_in(folder.path()), ["part-0-of-3", "part-1-of-3", "part-2-of-3"]);
    assert_eq!(machine.json(&format!("merge {out}"))["directed"], DIRECTED);
}

#[test]
fn a_stopped_shard_resumes_from_the_checkpoint_beside_its_part() {
    let machine = Machine::new();
    let folder = folder();
    let out = folder.path();
    let shard = |index| format!("shard {index}/2 {JOB} --out {}", out.display());
    let stopped = format!("{} --checkpoint-interval 0", shard(0));
    machine.kt(&format!("{stopped} --max-time 0")).assert().code(75);
    assert!(files_in(out).contains(&"checkpoint-0-of-2.kt".to_owned()));
    assert!(!out.join("part-0-of-2").exists());
    let ended = machine.stopped_over_and_over(&stopped);
    assert!(text(&ended).contains("part-0-of-2"));
    assert_eq!(files_in(out), ["part-0-of-2"], "its checkpoint is removed");
    machine.kt(&shard(1)).assert().success();
    let merged = machine.json(&format!("merge {}", out.display()));
    let whole = machine.json(&format!("{JOB} --no-checkpoint"));
    assert_eq!(merged["directed"], DIRECTED);
    assert_eq!(merged["fingerprint"], whole["fingerprint"]);
}

const RULES: [Assignment; 2] = [Assignment::Remainder, Assignment::Group];

/// Counts a question by the frontier in parts, and returns the merged units and the sum of the
/// states of all parts.
fn merged_by(question: Question, by: Assignment, of: u32) -> (Units, u64) {
    let (folder, mut states) = (folder(), 0);
    for index in 0..of {
        let shard = Shard::new(index, of).unwrap().by(by);
        let mut work = Frontier::new(question.clone(), None).unwrap();
        work.restrict_to(shard.units_of(&work).numbers(), 1.0 / f64::from(shard.of()));
        let settings = Settings { shard, ..Settings::default() };
        let outcome = run::count(&work, settings, &mut Silent).unwrap();
        outcome.units.write(&folder.path().join(format!("part-{index}-of-{of}"))).unwrap();
        states += outcome.effort.nodes;
    }
    (merge(&parts_in(folder.path()).unwrap()).unwrap(), states)
}

#[test]
fn shards_by_either_rule_are_the_whole_and_share_more_states_by_group() {
    let closed = |rows, cols| Question::closed(Board::new(rows, cols).unwrap());
    for (question, numbers) in [(closed(6, 8), [2, 6]), (closed(7, 8), [2, 7])] {
        let work = Frontier::new(question.clone(), None).unwrap();
        let whole = run::count(&work, Settings::default(), &mut Silent).unwrap();
        for of in numbers {
            let [remainder, group] = RULES.map(|by| {
                let (merged, states) = merged_by(question.clone(), by, of);
                assert_eq!(merged, whole.units, "{question} {by} {of}");
                assert_eq!(merged.fingerprint(), whole.units.fingerprint());
                states
            });
            assert!(group <= remainder, "{question} {of}: {group} of {remainder}");
        }
    }
}

/// A job of two shards, by group unless another rule is given, that takes some tenths of a second.
fn half(machine: &Machine, index: u32, options: &str) -> String {
    let out = machine.folder.path().join("parts");
    format!("shard {index}/2 {BY_FRONTIER} {options} --out {}", out.display())
}

/// Checks that the parts of a machine are those of 7x7.
fn has_all_of_7x7(machine: &Machine) {
    let out = machine.folder.path().join("parts");
    let merged = machine.json(&format!("merge {}", out.display()));
    assert_eq!(merged["directed"], "165575218320");
    let units = Units::read(Path::new("results/units-7x7-open.txt")).unwrap();
    assert_eq!(merged["directed"], units.directed().to_string());
}

#[test]
fn a_shard_by_group_that_is_killed_or_whose_states_do_not_fit_ends_right() {
    let machine = Machine::new();
    let mut random = Rng::with_seed(8);
    let out = machine.folder.path().join("parts");
    for (index, limits) in [(0, "--memory 64M --disk 2M"), (1, "")] {
        let shard = half(&machine, index, limits);
        for _ in 0..4 {
            let mut child = machine.start(&shard);
            std::thread::sleep(Duration::from_millis(random.u64(100..600)));
            // The process may have ended.
            let _ = child.kill();
            child.wait().unwrap();
        }
        machine.kt(&shard).assert().success();
        let part = Units::read(&out.join(format!("part-{index}-of-2"))).unwrap();
        assert_eq!(part.shard, Shard::new(index, 2).unwrap().by(Assignment::Group));
        part.check_against(&*Engine::of(&part.identity).unwrap()).unwrap();
    }
    assert_eq!(files_in(&out), ["part-0-of-2", "part-1-of-2"]);
    has_all_of_7x7(&machine);
}

#[test]
fn a_shard_is_resumed_by_the_rule_of_its_checkpoint_and_follows_the_parts_in_its_folder() {
    let machine = Machine::new();
    let out = machine.folder.path().join("parts");
    let stopped = half(&machine, 0, "--by remainder --max-time 0.2");
    machine.kt(&stopped).assert().code(75);
    let checkpoint = out.join("checkpoint-0-of-2.kt");
    let status =
        text(&machine.kt(&format!("status {}", checkpoint.display())).output().unwrap().stdout);
    assert!(status.contains("kt-enum shard 0/2 --by remainder --size 7x7"), "{status}");
    let before = fs::read(&checkpoint).unwrap();
    let words = ["shard 0/2 by remainder of", "`kt-enum shard 0/2 --by remainder", "--fresh"];
    refused(&machine, &half(&machine, 0, "--by group"), 2, &words);
    assert!(fs::read(&checkpoint).unwrap() == before, "the checkpoint was changed");
    let resumed = machine.kt(&half(&machine, 0, "")).output().unwrap();
    assert!(text(&resumed.stderr).contains("resumed from"), "{}", text(&resumed.stderr));
    let answer = machine.json(&half(&machine, 1, ""));
    assert_eq!(answer["by"], "remainder");
    for index in 0..2 {
        let part = fs::read_to_string(out.join(format!("part-{index}-of-2"))).unwrap();
        assert!(!part.contains("\"by\""), "{part}");
    }
    has_all_of_7x7(&machine);
}

#[test]
fn parts_by_different_rules_are_refused_with_both_files_and_the_rule_named() {
    let machine = Machine::new();
    let job = "--rows 6 --cols 7 --engine frontier --threads 1";
    let out = machine.folder.path().join("parts");
    let shard =
        |index: u32, by: &str| format!("shard {index}/2 {job} --by {by} --out {}", out.display());
    machine.kt(&shard(0, "remainder")).assert().success();
    let words = ["part-0-of-2", "by remainder", "elsewhere"];
    refused(&machine, &shard(1, "group"), 2, &words);
    machine.kt(&format!("{} --fresh", shard(1, "group"))).assert().success();
    let before = contents(&out);
    for command in ["merge", "audit"] {
        let words = ["part-0-of-2", "part-1-of-2", "one of 2 shards by group of", "different runs"];
        refused(&machine, &format!("{command} {}", out.display()), 3, &words);
    }
    refused(&machine, &shard(0, "group"), 2, &words);
    assert!(contents(&out) == before, "a part was changed");
    fs::remove_file(out.join("part-0-of-2")).unwrap();
    refused(&machine, &format!("merge {}", out.display()), 1, &["1 of 2 shards missing: 0"]);
    let words = ["--by group is for --engine frontier"];
    refused(&machine, "shard 0/2 --size 6 --engine walk --by group --out parts", 2, &words);
}

#[test]
fn parts_and_units_of_a_cut_of_an_earlier_version_are_refused_with_the_cut() {
    let machine = Machine::new();
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
    for (command, file, cut) in [
        ("merge", "9x9-open", "41:4:6"),
        ("audit", "9x9-open", "41:4:6"),
        ("report", "units-8x9-open.txt", "30:4:6"),
    ] {
        let command = format!("{command} {}", results.join(file).display());
        let words = ["another version", &format!("its cut {cut} has three numbers")];
        refused(&machine, &command, 65, &words);
    }
}

#[test]
fn a_merge_gives_the_sums_of_what_its_parts_took_and_a_status_of_them_their_units() {
    let machine = Machine::new();
    let folder = machine.folder.path().join("sums");
    let out = format!("--out {}", folder.display());
    let question = "--rows 5 --cols 7 --engine walk --memo off --threads 1";
    let parts = [0, 1, 2].map(|part| machine.json(&format!("shard {part}/3 {question} {out}")));
    let sum = |key: &str| -> f64 {
        let number = |part: &serde_json::Value| {
            let value = &part[key];
            value.as_f64().or_else(|| value.as_str()?.parse().ok()).unwrap()
        };
        parts.iter().map(number).sum()
    };
    let merged = machine.json(&format!("merge {}", folder.display()));
    let nodes = merged["nodes_total"].as_str().unwrap().parse::<f64>().unwrap();
    assert_eq!(nodes, sum("nodes"));
    // A part has its time in milliseconds.
    let seconds = merged["elapsed_total_s"].as_f64().unwrap();
    assert!((seconds - sum("elapsed_s")).abs() < 0.01, "{merged}");

    let long = "--rows 5 --cols 10 --engine walk --memo off --threads 1";
    let out = machine.folder.path().join("long");
    let stopped = format!("shard 0/8 {long} --out {} --max-time 0.5", out.display());
    assert_eq!(machine.kt(&stopped).output().unwrap().status.code(), Some(75));
    let status = machine.kt(&format!("status {} --json", out.display())).output().unwrap();
    let status: serde_json::Value = serde_json::from_slice(&status.stdout).unwrap();
    let of_shard = status["units_of_shard"].as_u64().unwrap();
    assert!(0 < of_shard && of_shard < status["units"].as_u64().unwrap(), "{status}");
    let said = text(&machine.kt(&format!("status {}", out.display())).output().unwrap().stdout);
    assert!(said.contains(&format!(" of {of_shard} units done")), "{said}");
    let said = machine.kt(&format!("status {}", folder.display())).output().unwrap();
    let said = text(&said.stdout);
    assert_eq!(said.matches(": finished, with ").count(), 3, "{said}");
}
