//! Parts of a count that are missing, duplicate, of another run, damaged or wrong, and audits of
//! them.

use crate::common::watched::Watched;
use crate::common::{Machine, text};
use crate::{contents, lasting, refused};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const DIRECTED_5X5: &str = "1728";
const UNITS: &str = "--size 5 --split-depth 2";

/// Counts all parts of 5x5 into a folder of this name.
fn parts(machine: &Machine, name: &str, of: u32, options: &str) -> PathBuf {
    let folder = machine.folder.path().join(name);
    for index in 0..of {
        let shard = format!("shard {index}/{of} {options} --out {}", folder.display());
        machine.kt(&shard).assert().success();
    }
    folder
}

fn merge(folder: &Path) -> String {
    format!("merge {}", folder.display())
}

/// Returns the file with one tour more in its first unit, and with a matching checksum.
fn with_a_digit_flipped(bytes: &[u8]) -> Vec<u8> {
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    let is_unit = |line: &&str| !line.starts_with('#');
    let unit = text.lines().find(is_unit).unwrap().to_owned();
    let (label, count) = unit.split_once('\t').unwrap();
    let wrong = count.parse::<u128>().unwrap() ^ 1;
    let text = text.replacen(&unit, &format!("{label}\t{wrong}"), 1);
    let body = &text[..text.rfind("# sha256 ").unwrap()];
    let checksum = Sha256::digest(body.as_bytes());
    let digits: String = checksum.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{body}# sha256 {digits}\n").into_bytes()
}

/// Runs a command and checks that it is refused with this code, and that the files of the folder
/// stay unchanged.
fn refused_and_kept(machine: &Machine, folder: &Path, command: &str, code: i32, words: &[&str]) {
    let before = contents(folder);
    refused(machine, command, code, words);
    assert_eq!(contents(folder), before);
}

#[test]
fn a_missing_part_is_named_with_the_command_that_makes_it() {
    let machine = Machine::new();
    let folder = parts(&machine, "parts", 4, UNITS);
    fs::remove_file(folder.join("part-2-of-4")).unwrap();
    let words = ["1 of 4", "2", "`kt-enum shard 2/4 --size 5x5 --engine walk --split-depth "];
    refused_and_kept(&machine, &folder, &merge(&folder), 1, &words);
    let said = text(&machine.kt(&merge(&folder)).output().unwrap().stderr);
    let command = said.split('`').nth(1).and_then(|typed| typed.strip_prefix("kt-enum "));
    machine.kt(command.unwrap()).assert().success();
    assert_eq!(machine.json(&merge(&folder))["directed"], DIRECTED_5X5);
    fs::remove_file(folder.join("part-2-of-4")).unwrap();
    let audit = format!("audit {}", folder.display());
    refused_and_kept(&machine, &folder, &audit, 1, &words);
    for index in [0, 1, 3] {
        fs::remove_file(folder.join(format!("part-{index}-of-4"))).unwrap();
    }
    refused_and_kept(&machine, &folder, &merge(&folder), 1, &["no part"]);
}

#[test]
fn a_missing_part_is_named_even_if_a_folder_is_empty() {
    let machine = Machine::new();
    let folder = parts(&machine, "parts", 4, UNITS);
    fs::remove_file(folder.join("part-2-of-4")).unwrap();
    let empty = machine.folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    let [full, empty] = [&folder, &empty].map(|folder| folder.display());
    let words = [&format!("no part in {empty}"), "1 of 4 shards missing: 2"];
    refused_and_kept(&machine, &folder, &format!("merge {empty} {full}"), 1, &words);
    refused_and_kept(&machine, &folder, &format!("merge {full} {empty}"), 1, &words);
    let shard = format!("shard 2/4 {UNITS} --out {full}");
    machine.kt(&shard).assert().success();
    let whole = machine.json(&format!("merge {empty} {full}"));
    assert_eq!(whole["directed"], DIRECTED_5X5);
}

#[test]
fn the_command_for_a_damaged_part_counts_it_again() {
    let machine = Machine::new();
    let folder = parts(&machine, "parts", 2, UNITS);
    let path = folder.join("part-1-of-2");
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    let refused = machine.kt(&merge(&folder)).output().unwrap();
    let said = text(&refused.stderr);
    let command = said.split('`').nth(1).and_then(|typed| typed.strip_prefix("kt-enum "));
    machine.kt(command.unwrap()).assert().success();
    assert_eq!(lasting(&fs::read(&path).unwrap()), lasting(&whole));
    assert_eq!(machine.json(&merge(&folder))["directed"], DIRECTED_5X5);
}

#[test]
fn a_part_that_is_there_twice_is_taken_once() {
    let machine = Machine::new();
    let folder = parts(&machine, "parts", 2, UNITS);
    let again = parts(&machine, "again", 2, UNITS);
    fs::copy(folder.join("part-0-of-2"), folder.join("part-0-of-2.copy")).unwrap();
    let both = format!("{} {}", merge(&folder), again.display());
    for command in [merge(&folder), both] {
        assert_eq!(machine.json(&command)["directed"], DIRECTED_5X5);
    }
}

#[test]
fn two_parts_of_one_shard_that_differ_are_both_named() {
    let machine = Machine::new();
    let folder = parts(&machine, "parts", 2, UNITS);
    let other = machine.folder.path().join("other");
    fs::create_dir(&other).unwrap();
    let bytes = fs::read(folder.join("part-1-of-2")).unwrap();
    fs::write(other.join("part-1-of-2"), with_a_digit_flipped(&bytes)).unwrap();
    let names = [&folder, &other].map(|folder| folder.join("part-1-of-2").display().to_string());
    let words = [&names[0], &names[1], "shard 1/2", "differ"];
    let both = format!("{} {}", merge(&folder), other.display());
    refused_and_kept(&machine, &folder, &both, 3, &words);
    let turned = format!("{} {}", merge(&other), folder.display());
    refused_and_kept(&machine, &other, &turned, 3, &words);
}

#[test]
fn a_part_of_another_run_is_refused_with_both_files_named() {
    let machine = Machine::new();
    for (name, foreign, options) in [
        ("board", "part-1-of-2", "--rows 5 --cols 6 --split-depth 2"),
        ("turned", "part-1-of-2", "--rows 3 --cols 4 --split-depth 2"),
        ("tours", "part-1-of-2", "--size 5 --tours closed --split-depth 2"),
        ("ends", "part-1-of-2", "--size 5 --from a1 --split-depth 2"),
        ("depth", "part-1-of-2", "--size 5 --split-depth 3"),
        ("number", "part-1-of-3", UNITS),
    ] {
        let folder = parts(&machine, name, 2, UNITS);
        let of = foreign.rsplit('-').next().unwrap().parse().unwrap();
        let others = parts(&machine, &format!("other-{name}"), of, options);
        if of == 2 {
            fs::remove_file(folder.join(foreign)).unwrap();
        }
        fs::copy(others.join(foreign), folder.join(foreign)).unwrap();
        let words = ["part-0-of-2", foreign, "different runs"];
        refused_and_kept(&machine, &folder, &merge(&folder), 3, &words);
        let audit = format!("audit {}", folder.display());
        refused_and_kept(&machine, &folder, &audit, 3, &words);
    }
}

/// `crates/runs/src/units/mod.rs` tests through the library that cuts at any byte and any flipped
/// bit are noticed.
#[test]
fn a_damaged_part_is_named_and_nothing_is_merged_audited_or_counted_over_it() {
    let machine = Machine::new();
    let folder = parts(&machine, "parts", 2, UNITS);
    let path = folder.join("part-1-of-2");
    let whole = fs::read(&path).unwrap();
    for at in [0, 30, whole.len() / 2, whole.len() - 40, whole.len() - 1] {
        let mut flipped = whole.clone();
        flipped[at] ^= 4;
        for bytes in [&whole[..at], &flipped] {
            fs::write(&path, bytes).unwrap();
            let at = folder.display();
            for command in [
                merge(&folder),
                format!("audit {at}"),
                format!("audit {at}/part-1-of-2"),
                format!("shard 1/2 {UNITS} --out {at}"),
            ] {
                refused_and_kept(&machine, &folder, &command, 65, &["part-1-of-2", "damaged"]);
            }
        }
    }
    let again = format!("shard 1/2 {UNITS} --fresh --out {}", folder.display());
    machine.kt(&again).assert().success();
    assert_eq!(lasting(&fs::read(&path).unwrap()), lasting(&whole));
}

#[test]
fn a_part_of_another_run_in_the_place_of_a_shard_is_not_written_over() {
    let machine = Machine::new();
    let folder = parts(&machine, "parts", 2, UNITS);
    let other = format!("shard 1/2 --size 5 --split-depth 3 --out {}", folder.display());
    let words = ["part-0-of-2", "--out", "elsewhere"];
    refused_and_kept(&machine, &folder, &other, 2, &words);
}

#[test]
fn what_lies_half_written_beside_the_parts_is_passed_over() {
    let machine = Machine::new();
    let folder = parts(&machine, "parts", 2, UNITS);
    let bytes = fs::read(folder.join("part-1-of-2")).unwrap();
    for (name, bytes) in [
        ("part-1-of-2.new-elsewhere-1", &bytes[..bytes.len() / 2]),
        ("part-0-of-2.new-elsewhere-2", b""),
        ("checkpoint-1-of-2.kt", b"some state"),
        ("notes", b"not a part"),
        ("part-0-of-2.bak", b"an older part"),
        ("part-00-of-2", b"an older part"),
    ] {
        fs::write(folder.join(name), bytes).unwrap();
    }
    assert_eq!(machine.json(&merge(&folder))["directed"], DIRECTED_5X5);
}

#[test]
fn an_audit_finds_a_flipped_digit_whose_checksum_was_made_right_again() {
    let machine = Machine::new();
    let path = machine.folder.path().join("units");
    let keep = format!("{UNITS} --no-checkpoint --keep-units {}", path.display());
    machine.kt(&keep).assert().success();
    let audit = format!("audit {}", path.display());
    machine.kt(&format!("{audit} --sample 100000")).assert().success();
    let sound = fs::read(&path).unwrap();
    let forged = with_a_digit_flipped(&sound);
    fs::write(&path, &forged).unwrap();
    refused(&machine, &format!("{audit} --sample 100000"), 3, &["recounted is wrong"]);

    // A small sample finds the error exactly if it contains that unit.
    let mut found = 0;
    for seed in 1..=40 {
        let command = format!("{audit} --sample 7 --seed {seed} --json");
        let output = machine.kt(&command).output().unwrap();
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let differences = json["differences"].as_array().unwrap();
        assert_eq!(json["checked"], 7);
        assert_eq!(json["recounted_by"]["plain backtracking"], 7);
        match output.status.code() {
            Some(0) => assert!(differences.is_empty()),
            Some(3) => {
                assert_eq!(differences.len(), 1);
                assert_eq!(differences[0]["unit"], 0);
                found += 1;
            }
            other => panic!("{other:?}: {}", text(&output.stderr)),
        }
    }
    assert!((1..40).contains(&found), "{found} of 40 samples found it");
    assert_eq!(fs::read(&path).unwrap(), forged);
}

#[test]
fn an_audit_finds_a_wrong_part_among_those_of_a_run() {
    let machine = Machine::new();
    let folder = parts(&machine, "parts", 3, UNITS);
    let audit = format!("audit {} --sample 100000", folder.display());
    machine.kt(&audit).assert().success();
    let path = folder.join("part-2-of-3");
    fs::write(&path, with_a_digit_flipped(&fs::read(&path).unwrap())).unwrap();
    refused_and_kept(&machine, &folder, &audit, 3, &["recounted is wrong"]);
    let alone = format!("audit {} --sample 100000", path.display());
    refused_and_kept(&machine, &folder, &alone, 3, &["recounted is wrong"]);
}

#[test]
fn an_audit_that_is_stopped_resumes_and_finds_the_same() {
    let machine = Machine::new();
    let path = machine.folder.path().join("units");
    let keep = format!(
        "--rows 5 --cols 8 --split-depth 0 --no-checkpoint --keep-units {}",
        path.display()
    );
    machine.kt(&keep).assert().success();
    // Units that are chosen by their work are large: each takes seconds, and the progress is told
    // each second, so that the audit is stopped before its end.
    let audit = format!("audit {} --sample 2 --by work --threads 1", path.display());
    let mut run = Watched::start(&machine, &audit);
    while run.wait_for("recounted")["done"] == 0 {}
    run.signal("TERM");
    let stopped = run.end();
    assert_eq!(stopped.status.code(), Some(75), "{}", stopped.stderr);
    assert_eq!(machine.files().len(), 1);
    let resumed = machine.kt(&format!("{audit} --json")).output().unwrap();
    let said = text(&resumed.stderr);
    assert!(resumed.status.success() && said.contains("resumed from"), "{said}");
    let json: serde_json::Value = serde_json::from_slice(&resumed.stdout).unwrap();
    assert_eq!((&json["checked"], &json["by"]), (&2.into(), &"work".into()));
    assert_eq!(json["differences"], serde_json::json!([]));
    assert_eq!(machine.files(), [""; 0]);
}

#[test]
fn an_audit_that_is_stopped_before_its_first_unit_is_done_goes_on_there_or_says_that_it_starts_again()
 {
    let machine = Machine::new();
    let path = machine.folder.path().join("units");
    // A unit of either takes seconds. The walk can be paused, a sweep in a hash table cannot.
    for (job, said) in [
        ("--size 5x8 --split-depth 0 --engine walk", "with 1 unit in progress"),
        ("--size 7x8 --closed --engine frontier --cut 28:0", "the same command starts again"),
    ] {
        let keep = format!("{job} --no-checkpoint --keep-units {} --overwrite", path.display());
        machine.kt(&keep).assert().success();
        let audit = format!("audit {} --sample 1 --by work --threads 1", path.display());
        let mut run = Watched::start(&machine, &audit);
        run.wait_for("recounted");
        run.signal("TERM");
        let stopped = run.end();
        assert_eq!(stopped.status.code(), Some(75), "{}", stopped.stderr);
        assert!(stopped.stderr.contains(said), "{}", stopped.stderr);
        if said.contains("in progress") {
            let resumed = machine.kt(&audit).output().unwrap();
            let text = text(&resumed.stderr);
            assert!(resumed.status.success() && text.contains("resumed from"), "{text}");
        }
    }
}

#[test]
fn an_audit_refuses_a_flipped_bit_whatever_the_sample() {
    let machine = Machine::new();
    let path = machine.folder.path().join("units");
    let keep = format!("{UNITS} --no-checkpoint --keep-units {}", path.display());
    machine.kt(&keep).assert().success();
    let whole = fs::read(&path).unwrap();
    for at in (0..whole.len()).step_by(whole.len() / 30) {
        let mut flipped = whole.clone();
        flipped[at] ^= 1;
        fs::write(&path, &flipped).unwrap();
        let audit = format!("audit {} --sample 1", path.display());
        refused(&machine, &audit, 65, &["units", "damaged"]);
        assert_eq!(fs::read(&path).unwrap(), flipped);
    }
}

#[test]
fn a_part_of_a_huge_number_of_shards_is_refused_for_those_that_are_missing() {
    let machine = Machine::new();
    let folder = machine.folder.path().join("parts");
    let shard = format!("shard 0/4294967295 {UNITS} --out {}", folder.display());
    machine.kt(&shard).assert().success();
    let named = "missing: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 4294967284 more";
    refused_and_kept(&machine, &folder, &merge(&folder), 1, &[named]);
}

#[test]
fn a_pipe_or_a_device_with_the_name_of_a_part_is_refused_and_not_read() {
    let machine = Machine::new();
    let folder = parts(&machine, "parts", 2, UNITS);
    let part = folder.join("part-0-of-2");
    fs::remove_file(&part).unwrap();
    assert!(Command::new("mkfifo").arg(&part).status().unwrap().success());
    let shard = format!("shard 0/2 {UNITS} --out {}", folder.display());
    for job in [&merge(&folder), &shard, &format!("{shard} --fresh")] {
        refused(&machine, job, 1, &["part-0-of-2", "no regular file"]);
    }
}

/// Rewrites a file of units with a matching checksum.
fn forge(path: &Path, claim: impl Fn(&str) -> String) {
    let text = fs::read_to_string(path).unwrap();
    let body = claim(&text[..text.rfind("# sha256 ").unwrap()]);
    let digest = Sha256::digest(&body).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    fs::write(path, format!("{body}# sha256 {digest}\n")).unwrap();
}

/// Changes the count of the last unit of a file, and returns its label.
fn forge_count(path: &Path, claim: impl Fn(u128) -> String) -> String {
    let text = fs::read_to_string(path).unwrap();
    let line = text.lines().rfind(|line| !line.starts_with('#')).unwrap();
    let (label, count) = line.split_once('\t').unwrap();
    let claimed = format!("{label}\t{}", claim(count.parse().unwrap()));
    forge(path, |body| body.replacen(line, &claimed, 1));
    label.to_owned()
}

#[test]
fn a_part_with_a_count_that_no_run_can_have_is_named_with_its_unit_by_merge_and_report() {
    let machine = Machine::new();
    type Claim = fn(u128) -> String;
    let claims: [(Claim, i32, &str); 4] = [
        (|count| (count + 1).to_string(), 3, "no multiple of"),
        (|count| (count + 2).to_string(), 3, "no multiple of"),
        (|_| format!("1{}", "0".repeat(40)), 65, "41 digits, and no count of this board has more"),
        (|_| "9".repeat(1_000_000), 65, "1000000 digits"),
    ];
    for (place, (claim, code, words)) in claims.into_iter().enumerate() {
        let folder = parts(&machine, &format!("parts-{place}"), 2, UNITS);
        let part = folder.join("part-1-of-2");
        let label = forge_count(&part, claim);
        for run in [&folder, &part] {
            let report = format!("report {} -o {}/page.html", run.display(), folder.display());
            let said = refused(&machine, &report, code, &["part-1-of-2", &label, words]);
            assert!(said.len() < 1_000, "{said}");
        }
        refused_and_kept(&machine, &folder, &merge(&folder), code, &["part-1-of-2", &label, words]);
    }
}

#[test]
fn an_odd_number_of_tours_in_both_directions_is_refused_by_merge() {
    let machine = Machine::new();
    // The middle square is an orbit alone, and its unit the last: any count of it may be right.
    let folder = parts(&machine, "parts", 1, "--size 5 --split-depth 0");
    assert_eq!(forge_count(&folder.join("part-0-of-1"), |count| (count + 1).to_string()), "c3");
    refused_and_kept(&machine, &folder, &merge(&folder), 3, &["the whole", "no multiple of 2"]);
}

#[test]
fn after_a_merge_the_command_that_audits_it_is_offered_and_works_when_typed() {
    let machine = Machine::new();
    let folder = machine.folder.path().join("the parts");
    fs::rename(parts(&machine, "parts", 2, UNITS), &folder).unwrap();
    let program = assert_cmd::cargo::cargo_bin("kt-enum").display().to_string();
    let kept = machine.folder.path().join("all units");
    for keep in [vec![], vec!["--keep-units".into(), kept.clone().into_os_string()]] {
        let output = machine.kt("merge").arg(&folder).args(&keep).output().unwrap();
        let said = text(&output.stderr);
        let command = said.split('`').nth(1).and_then(|typed| typed.strip_prefix("kt-enum "));
        let script = format!("{program} {}", command.unwrap());
        let audit = Command::new("sh")
            .args(["-c", &script])
            .env("XDG_STATE_HOME", machine.folder.path())
            .output()
            .unwrap();
        assert!(audit.status.success(), "{script}: {}", text(&audit.stderr));
        assert!(text(&audit.stdout).contains("0 wrong"), "{script}");
    }
    let quiet = machine.kt("merge -q").arg(&folder).output().unwrap();
    assert_eq!((text(&quiet.stdout).as_str(), text(&quiet.stderr).as_str()), ("1728\n", ""));
}

#[test]
fn what_a_file_says_reaches_the_terminal_without_its_escapes_and_cut() {
    let machine = Machine::new();
    let folder = parts(&machine, "parts", 1, UNITS);
    let part = folder.join("part-0-of-1");
    let sound = fs::read_to_string(&part).unwrap();
    let long = "x".repeat(200_000);
    for harm in ["\u{1b}]0;title\u{7}", "\u{202e}", "\u{9b}2J", "\r", &long] {
        let json = serde_json::Value::from(harm).to_string();
        for (field, value) in
            [("\t", format!("{harm}\t")), ("\"walk\"", json.clone()), ("\"all\"", json)]
        {
            fs::write(&part, &sound).unwrap();
            forge(&part, |body| body.replacen(field, &value, 1));
            for command in ["merge", "audit", "report"] {
                let run = if command == "merge" { &folder } else { &part };
                let output = machine.kt(command).arg(run).output().unwrap();
                let said = text(&output.stderr);
                assert_ne!(output.status.code(), Some(0), "{command}: {said}");
                let is_harmful = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
                assert!(!said.contains(is_harmful) && said.len() < 6_000, "{command}: {said:?}");
            }
        }
    }
    let list = machine.folder.path().join("list");
    fs::write(&list, "\u{1b}[2J\u{202e}\n").unwrap();
    let output = machine.kt("list --size 5 --resume -o").arg(&list).output().unwrap();
    assert!(text(&output.stderr).contains(r"\u{1b}[2J\u{202e}"), "{}", text(&output.stderr));
}

#[test]
fn a_part_under_the_name_of_another_shard_is_not_taken_for_that_one() {
    let machine = Machine::new();
    let folder = parts(&machine, "parts", 3, UNITS);
    fs::copy(folder.join("part-0-of-3"), folder.join("part-1-of-3")).unwrap();
    let shard = format!("shard 1/3 {UNITS} --out {}", folder.display());
    refused_and_kept(&machine, &folder, &shard, 65, &["part-1-of-3 has shard 0/3 in it"]);
    machine.kt(&format!("{shard} --fresh")).assert().success();
    assert_eq!(machine.json(&merge(&folder))["directed"], DIRECTED_5X5);
}

#[test]
fn a_shard_is_not_counted_beside_parts_with_which_it_cannot_be_merged() {
    let machine = Machine::new();
    let folder = machine.folder.path().join("parts");
    let shard = |shard: &str, options: &str| {
        format!("shard {shard} --size 6 --closed {options} --out {}", folder.display())
    };
    machine.kt(&shard("0/2", "--cut middle:2")).assert().success();
    for (line, words) in [
        (shard("1/2", "--cut middle:1"), ["part-0-of-2", "cut middle:2"]),
        (shard("1/2", "--engine walk"), ["part-0-of-2", "cut middle:2"]),
        (shard("1/3", "--cut middle:2"), ["part-0-of-2", "one of 2 shards"]),
    ] {
        refused_and_kept(&machine, &folder, &line, 2, &words);
    }
    // A rule that nobody can read is not guessed.
    let part = folder.join("part-0-of-2");
    let sound = fs::read(&part).unwrap();
    fs::write(&part, &sound[..sound.len() / 2]).unwrap();
    refused_and_kept(&machine, &folder, &shard("1/2", "--cut middle:2"), 65, &["part-0-of-2"]);
    machine.kt(&shard("1/2", "--cut middle:2 --by remainder")).assert().success();
    fs::write(&part, &sound).unwrap();
    machine.kt(&shard("0/2", "--cut middle:1 --fresh")).assert().success();
    machine.kt(&shard("1/2", "--cut middle:1 --fresh")).assert().success();
    assert_eq!(machine.json(&merge(&folder))["undirected"], "9862");
}
