//! A count by the frontier has one list of units and one fingerprint, for every way to run it.

use crate::common::{Machine, signal, text};
use fastrand::Rng;
use kt_enum::board::Board;
use kt_enum::question::Question;
use kt_enum_engines::frontier::Frontier;
use kt_enum_runs::run::checkpoint::Store;
use kt_enum_runs::run::{self, Settings, Silent};
use serde_json::Value;
use std::sync::OnceLock;
use std::time::Duration;

/// A job of a second of one core, half of it before the units.
const JOB: &str = "--rows 7 --cols 8 --tours closed";
const DIRECTED: &str = "69048864632";

/// A job of some tenths of a second.
const SMALL_JOB: &str = "--rows 6 --cols 8 --tours closed --engine frontier";
const SMALL_DIRECTED: &str = "110976284";

/// Returns the answer of an undisturbed single process.
fn whole() -> &'static Value {
    static WHOLE: OnceLock<Value> = OnceLock::new();
    WHOLE.get_or_init(|| {
        let json = Machine::new().json(&format!("{JOB} --no-checkpoint --threads 2"));
        assert_eq!(json["directed"], DIRECTED);
        assert_eq!(json["engine"], "frontier");
        json
    })
}

fn is_the_same(machine: &Machine, json: &Value, whole: &Value) {
    for field in ["directed", "undirected", "fingerprint", "units", "cut", "engine"] {
        assert_eq!(json[field], whole[field], "{field}");
    }
    assert_eq!(machine.files(), [""; 0], "nothing is left");
}

#[test]
fn one_thread_and_three_give_the_fingerprint_of_two() {
    for threads in [1, 3] {
        let machine = Machine::new();
        let json = machine.json(&format!("{JOB} --threads {threads}"));
        is_the_same(&machine, &json, whole());
    }
}

#[test]
fn layers_on_disk_give_the_fingerprint_of_those_in_memory() {
    let machine = Machine::new();
    let question = Question::closed(Board::new(7, 8).unwrap());
    for memory in [1, 4 << 20] {
        let store = Store::hold(&machine.folder.path().join("run.kt")).unwrap();
        let mut settings = Settings { saving: store.into(), ..Settings::on_threads(2) };
        settings.limits.memory = Some(memory);
        let work = Frontier::new(question.clone(), None).unwrap();
        let outcome = run::count(&work, settings, &mut Silent).unwrap();
        assert_eq!(outcome.units.fingerprint(), whole()["fingerprint"].as_str().unwrap());
        outcome.clear_checkpoint().unwrap();
    }
}

#[test]
fn a_count_killed_ten_times_at_random_moments_has_the_fingerprint_of_one_that_was_not() {
    let machine = Machine::new();
    let job = format!("{JOB} --threads 2 --checkpoint-interval 0.2");
    let mut random = Rng::with_seed(11);
    let mut kills = 0;
    while kills < 10 {
        let child = machine.start(&format!("{job} --json"));
        std::thread::sleep(Duration::from_millis(random.u64(20..600)));
        signal(&child, "KILL");
        let output = child.wait_with_output().unwrap();
        match output.status.code() {
            None => kills += 1,
            // The run ended before it could be killed, so it is started from the beginning again.
            Some(0) => {
                let json = serde_json::from_slice(&output.stdout).unwrap();
                is_the_same(&machine, &json, whole());
            }
            code => panic!("{code:?}: {}", text(&output.stderr)),
        }
    }
    is_the_same(&machine, &machine.json(&job), whole());
}

#[test]
fn a_count_stopped_over_and_over_has_the_fingerprint_of_one_that_was_not() {
    let machine = Machine::new();
    for job in [
        format!("{JOB} --threads 2 --json"),
        format!("{JOB} --threads 1 --memory 64M --checkpoint-interval 0.2 --json"),
    ] {
        let printed = machine.stopped_over_and_over(&job);
        let json: Value = serde_json::from_slice(&printed).unwrap();
        is_the_same(&machine, &json, whole());
    }
}

#[test]
fn a_table_stopped_over_and_over_is_that_of_one_that_was_not() {
    let machine = Machine::new();
    let job = "table --rows 6 --up-to 9 --tours open";
    let whole = machine.kt(job).output().unwrap();
    assert!(whole.status.success());
    let path = format!("{}/results/strips/6-open.txt", env!("CARGO_MANIFEST_DIR"));
    let on_record = std::fs::read_to_string(path).unwrap();
    assert!(on_record.starts_with(&text(&whole.stdout)));
    let printed = machine.stopped_over_and_over(&format!("{job} --checkpoint-interval 0.2"));
    assert_eq!(text(&printed), text(&whole.stdout));
    assert_eq!(machine.files(), [""; 0]);
}

#[test]
fn boards_of_one_width_counted_one_after_the_other_have_the_counts_of_strips_and_a_stop_keeps_them()
{
    let machine = Machine::new();
    for tours in ["closed", "open"] {
        let path = format!("{}/results/strips/6-{tours}.txt", env!("CARGO_MANIFEST_DIR"));
        let on_record = std::fs::read_to_string(path).unwrap();
        let job = format!("table --cols 6 --rows 1..11 --tours {tours}");
        let printed = machine.stopped_over_and_over(&format!("{job} --checkpoint-interval 0.2"));
        assert!(printed.len() > 40 && on_record.starts_with(&text(&printed)), "{}", text(&printed));
        assert_eq!(machine.files(), [""; 0]);
        let json = machine.json(&job);
        for (term, line) in json["terms"].as_array().unwrap().iter().zip(on_record.lines()) {
            let undirected = term["undirected"].as_str().unwrap();
            assert_eq!(format!("{} {undirected}", term["rows"]), line);
        }
    }
}

/// Counts in this number of shards, each by its own process, and merges them.
fn in_shards(job: &str, shards: usize) -> Value {
    let machine = Machine::new();
    let folder = machine.folder.path().join("parts");
    let out = folder.display();
    for shard in 0..shards {
        let part = machine.json(&format!("shard {shard}/{shards} {job} --out {out}"));
        assert_eq!(part["shard"], format!("{shard}/{shards}"));
    }
    let parts = std::fs::read_dir(&folder).unwrap().count();
    assert_eq!(parts, shards, "parts and nothing else");
    machine.json(&format!("merge {out}"))
}

#[test]
fn shards_merge_to_the_fingerprint_of_one_process() {
    let machine = Machine::new();
    is_the_same(&machine, &in_shards(JOB, 2), whole());
    let whole = machine.json(SMALL_JOB);
    assert_eq!(whole["directed"], SMALL_DIRECTED);
    for shards in [2, 3, 7, 100] {
        is_the_same(&machine, &in_shards(SMALL_JOB, shards), &whole);
    }
}

#[test]
fn a_shard_that_is_stopped_over_and_over_is_that_of_one_that_was_not() {
    let machine = Machine::new();
    let folder = machine.folder.path().join("parts");
    let out = folder.display();
    machine.stopped_over_and_over(&format!("shard 0/2 {JOB} --out {out}"));
    machine.json(&format!("shard 1/2 {JOB} --out {out}"));
    is_the_same(&machine, &machine.json(&format!("merge {out}")), whole());
}

#[test]
fn kept_units_say_the_fingerprint_and_are_reported_without_a_map() {
    let machine = Machine::new();
    let units = machine.folder.path().join("units");
    let file = units.display();
    let json = machine.json(&format!("{SMALL_JOB} --keep-units {file}"));
    let page = text(&machine.kt(&format!("report {file}")).output().unwrap().stdout);
    for words in [
        json["fingerprint"].as_str().unwrap(),
        "--engine frontier",
        "kt-enum count --size 6x8 --closed",
    ] {
        assert!(page.contains(words), "{words}");
    }
    let kept = std::fs::read_to_string(&units).unwrap();
    assert!(kept.lines().any(|line| line.contains(":1 ")), "labels by degrees");
}

#[test]
fn status_and_report_of_a_stopped_table_name_the_command_that_resumes_it() {
    let machine = Machine::new();
    let job = "table --rows 7 --up-to 20 --closed --checkpoint-interval 0.2";
    machine.kt(&format!("{job} --max-time 0")).assert().code(75);
    let status = machine.kt("status").output().unwrap();
    let status = text(&status.stdout);
    assert!(status.contains("closed tours of 7x20 (kt-enum table)"), "{status}");
    let page = machine.folder.path().join("page.html");
    let checkpoint = machine.state_folder().join("table-closed-7x20.kt");
    let report = format!("report {} -o {}", checkpoint.display(), page.display());
    machine.kt(&report).assert().success();
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("kt-enum table --rows 7 --up-to 20 --closed<"), "{page}");
}

#[test]
fn a_result_says_which_program_made_it_where_and_when() {
    let machine = Machine::new();
    let path = machine.folder.path().join("units");
    let json = machine.json(&format!("--size 5 --keep-units {}", path.display()));
    let origin = &json["provenance"];
    assert_eq!(origin["version"], env!("CARGO_PKG_VERSION"));
    assert!(origin["commit"].is_null() || origin["commit"].as_str().unwrap().len() >= 40);
    assert!(!origin["host"].as_str().unwrap().is_empty());
    assert!(origin["cores"].as_u64().unwrap() > 0);
    let date = origin["date"].as_str().unwrap();
    assert!(date.len() == 20 && date.ends_with('Z'), "{date}");
    let units = std::fs::read_to_string(&path).unwrap();
    let line = units.lines().find_map(|line| line.strip_prefix("# provenance ")).unwrap();
    let kept: serde_json::Value = serde_json::from_str(line).unwrap();
    for field in ["version", "commit", "host", "cpu", "cores"] {
        assert_eq!(kept[field], origin[field], "{field}");
    }
    let report = machine.kt(&format!("report {}", path.display())).output().unwrap();
    let page = text(&report.stdout);
    let host = origin["host"].as_str().unwrap();
    assert!(page.contains("counted by") && page.contains(&format!(" on {host}")), "{page}");
    // A part does not say where it was counted.
    let out = machine.folder.path().join("parts");
    let part = machine.json(&format!("shard 0/1 --size 5 --out {}", out.display()));
    assert_eq!(part["provenance"]["host"], origin["host"]);
    let part = std::fs::read_to_string(out.join("part-0-of-1")).unwrap();
    assert!(part.starts_with("# kt-enum units, format 3\n") && !part.contains("provenance"));
}
