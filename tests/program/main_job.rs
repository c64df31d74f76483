//! The main task of the program: all tours of 6x6 and 5x5, for any split and distribution of the
//! work.

use crate::common::watched::Watched;
use crate::common::{Machine, text};
use kt_enum_runs::run::checkpoint::peek;
use predicates::prelude::*;
use std::collections::BTreeSet;
use std::time::Duration;

#[test]
fn every_split_depth_number_of_threads_and_memo_gives_the_same_6x6() {
    let machine = Machine::new();
    for depth in 0..=8 {
        let mut fingerprints = BTreeSet::new();
        for place in 0..2 {
            // Every pair of these values is tested at two of the nine depths.
            let threads = [1, 2, 5][(place + depth) % 3];
            let memo = ["off", "1M", "64K"][(2 * place + depth + depth / 3) % 3];
            let arguments =
                format!("--size 6 --split-depth {depth} --threads {threads} --memo {memo}");
            let json = machine.json(&arguments);
            assert_eq!(json["directed"], "6637920", "{arguments}");
            assert_eq!(json["undirected"], "3318960", "{arguments}");
            assert_eq!(json["split_depth"], depth);
            assert_eq!(json["threads"], threads);
            fingerprints.insert(json["fingerprint"].as_str().unwrap().to_owned());
        }
        assert_eq!(fingerprints.len(), 1, "at depth {depth}");
    }
}

#[test]
fn the_counts_are_printed_as_sentences_as_json_and_as_a_bare_number() {
    let machine = Machine::new();
    let says = |arguments: &str, what: &str| {
        let expected = predicate::str::contains(what.to_owned());
        machine.kt(arguments).assert().success().stdout(expected);
    };
    says("--size 6 --split-depth 4", "6,637,920 directed open tours of 6x6");
    says("--size 5", "1,728 directed open tours of 5x5");
    says("count --size 5 --from a1", "304 open tours of 5x5 from a1");
    says("--size 6 --tours closed", "9,862 closed tours of 6x6");
    says("--size 5 --classes", "112 classes");
    let bare = |arguments: &str| text(&machine.kt(arguments).output().unwrap().stdout);
    assert_eq!(bare("--size 5 --quiet"), "1728\n");
    assert_eq!(bare("--size 6 --tours closed -q"), "9862\n");
    let json = bare("--size 5 --json");
    assert!(json.starts_with(r#"{"schema":1,"rows":5,"cols":5,"tours":"open","from":"all","to":"all","directed":"1728","undirected":"864","classes":null,"engine":"walk","split_depth":"#), "{json}");
    assert_eq!(json.lines().count(), 1);
    assert_eq!(bare("--size 5 --format json").split("nodes").next(), json.split("nodes").next());
}

#[test]
fn fixed_ends_are_answered_in_either_direction() {
    let machine = Machine::new();
    let directed =
        |ends: &str| machine.json(&format!("--rows 5 --cols 6 {ends}"))["directed"].clone();
    assert_eq!(directed("--from a1 --to b1"), directed("--from b1 --to a1"));
    assert_eq!(directed("--from c2"), directed("--to c2"));
    assert_eq!(directed("--from 1,2"), directed("--from c2"));
    assert_eq!(directed("--from a1 --to a1"), "0");
}

#[test]
fn boards_without_a_tour_answer_nought_with_success() {
    let machine = Machine::new();
    for board in [
        "--size 2",
        "--size 4",
        "--rows 1 --cols 9",
        "--rows 3 --cols 3",
        "--rows 2 --cols 500",
        "--size 5 --tours closed",
        "--size 1 --tours closed",
        "--size 4 --tours closed --classes",
        "--size 5 --from b1",
        "--rows 3 --cols 30 --from a1 --to c1",
    ] {
        let json = machine.json(board);
        assert_eq!(json["directed"], "0", "{board}");
        assert_eq!(json["undirected"], "0", "{board}");
    }
}

#[test]
fn boards_past_64_and_past_128_squares_are_walked_and_resumed() {
    for board in ["--rows 5 --cols 20 --from a1", "--rows 3 --cols 50"] {
        let machine = Machine::new();
        let checkpoint = machine.folder.path().join("run.kt");
        let job = format!(
            "{board} --engine walk --checkpoint-interval 0 --checkpoint {}",
            checkpoint.display()
        );
        let mut spent = Duration::ZERO;
        for is_resumed in [false, true] {
            let mut run = Watched::start(&machine, &job);
            run.hold_when(&checkpoint, |header| header.begun > 0 && header.spent.time > spent);
            let said = run.stop().stderr;
            assert_eq!(said.contains("resumed"), is_resumed, "{said}");
            spent = peek(&checkpoint).unwrap().unwrap().spent.time;
        }
        let status = machine.json(&format!("status {}", checkpoint.display()));
        assert!(status["spent_s"].as_f64().unwrap() > 0.0, "{status}");
        assert!(status["begun"].as_u64().unwrap() > 0, "{status}");
    }
}

#[test]
fn a_short_run_leaves_no_file() {
    let machine = Machine::new();
    machine.json("--size 6");
    assert_eq!(machine.files(), Vec::<String>::new());
}
