//! What people type and what they are answered: numbers, boards, seeds, `--quiet`.

use crate::common::watched::Watched;
use crate::common::{Machine, text};
use kt_enum::board::Board;
use kt_enum::engine::{Engine, Name};
use kt_enum::question::Question;
use kt_enum::run::{self, Settings, Silent};
use kt_enum::walk::MemoSize;

/// Standard output, standard error and the code of a command.
fn ran(machine: &Machine, arguments: &str) -> (String, String, i32) {
    let output = machine.kt(arguments).output().unwrap();
    (text(&output.stdout), text(&output.stderr), output.status.code().unwrap())
}

/// Standard output of a command that succeeds.
fn printed(machine: &Machine, arguments: &str) -> String {
    let (out, said, code) = ran(machine, arguments);
    assert_eq!(code, 0, "{arguments}: {said}");
    out
}

#[test]
fn numbers_with_separators_and_boards_with_any_cross_are_read_like_plain_ones() {
    let machine = Machine::new();
    for (typed, plain) in [
        ("nth 1,000 9_862 --size 6 --closed", "nth 1000 9862 --size 6 --closed"),
        ("nth 1,000..=1,002 --size 6 --closed", "nth 1000..=1002 --size 6 --closed"),
        ("list --size 5 --limit 1,000", "list --size 5 --limit 1000"),
        ("list --size 5 -n 1_000", "list --size 5 -n 1000"),
        (
            "random --size 5 --count 1,000 --seed 1,234,567",
            "random --size 5 --count 1000 --seed 1234567",
        ),
        ("find --size 5 --max-moves 1,000,000 -q", "find --size 5 --max-moves 1000000 -q"),
        (
            "find --size 5 --max-backtracks 1,000,000 -q",
            "find --size 5 --max-backtracks 1000000 -q",
        ),
        ("--size 5X6 -q", "--size 5x6 -q"),
        ("--size 5×6 -q", "--size 5x6 -q"),
        ("--size 5 --memory 1,024M -q", "--size 5 --memory 1024M -q"),
    ] {
        assert_eq!(printed(&machine, typed), printed(&machine, plain), "{typed}");
    }
    let (_, said, code) = ran(&machine, "estimate --size 5 --probes 1,000 --seed 1,000");
    assert_eq!(code, 0, "{said}");
    for wrong in ["list --size 5 --limit 1,00", "nth 1,0000 --size 5", "random --size 5 --count 1,"]
    {
        let (_, said, code) = ran(&machine, wrong);
        assert_eq!(code, 2, "{wrong}");
        assert!(said.contains("number"), "{wrong}: {said}");
    }
    let (_, said, _) = ran(&machine, "5×6");
    assert!(said.contains("--size 5x6"), "{said}");
}

#[test]
fn random_without_a_seed_draws_other_tours_each_time_and_prints_a_seed_that_draws_them_again() {
    let machine = Machine::new();
    let (first, said, _) = ran(&machine, "random --size 6 --count 3");
    let (second, ..) = ran(&machine, "random --size 6 --count 3");
    assert_ne!(first, second, "among 6,637,920 tours");
    let seed = said.split("--seed ").nth(1).unwrap().split([' ', ',']).next().unwrap();
    let again = format!("random --size 6 --count 3 --seed {seed}");
    let (again, said, _) = ran(&machine, &again);
    assert_eq!(again, first);
    assert!(!said.contains("seed"), "it was typed: {said}");
    let (drawn, said, _) = ran(&machine, "random --size 6 --count 3 --progress json");
    let events = said.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let seed = events.into_iter().find(|event| event["event"] == "seed").unwrap();
    let again = format!("random --size 6 --count 3 --seed {}", seed["seed"]);
    assert_eq!(printed(&machine, &again), drawn);
}

#[test]
fn no_tours_are_drawn_without_building_what_drawing_needs() {
    let machine = Machine::new();
    // Building takes hours and more memory than any machine has.
    let (out, said, code) = ran(&machine, "random --size 10 --count 0");
    assert_eq!((out.as_str(), said.as_str(), code), ("", "", 0));
    assert_eq!(machine.files(), Vec::<String>::new());
}

#[test]
fn quiet_prints_of_shards_and_wholes_the_same_kind_of_number_and_of_classes_a_second_line() {
    let machine = Machine::new();
    for engine in ["walk", "edges", "frontier"] {
        let out = machine.folder.path().join(engine);
        let shard = |index| {
            let out = out.display();
            let typed =
                format!("shard {index}/3 --size 6 --closed --engine {engine} --out {out} -q");
            printed(&machine, &typed).trim().parse::<u64>().unwrap()
        };
        assert_eq!((0..3).map(shard).sum::<u64>(), 9_862, "{engine}");
        let merged = printed(&machine, &format!("merge {} -q", out.display()));
        assert_eq!(merged, "9862\n");
    }
    let json = machine.json(&format!(
        "shard 0/3 --size 6 --closed --engine walk --out {}",
        machine.folder.path().join("walk").display()
    ));
    let number = |field: &str| json[field].as_str().unwrap().parse::<u64>().unwrap();
    assert_eq!(number("undirected") * 2, number("directed"));
    // 1,245 classes: Jelliss.
    assert_eq!(printed(&machine, "--size 6 --closed --classes -q"), "9862\n1245\n");
    assert_eq!(printed(&machine, "--size 5 -q"), "1728\n");
}

#[test]
fn both_directions_of_a_cycle_are_in_one_unit_of_every_engine() {
    for (rows, cols) in [(3, 10), (5, 6), (6, 5), (6, 6), (6, 7), (4, 6)] {
        let question = Question::closed(Board::new(rows, cols).unwrap());
        for name in [Name::Walk, Name::Edges, Name::Frontier] {
            let work = Engine::new(name.as_str(), question, None, MemoSize::Cache).unwrap();
            let settings = Settings { threads: Some(2), ..Settings::default() };
            let outcome = run::count(&work, settings, &mut Silent).unwrap();
            for (label, count) in &outcome.units.counts {
                assert!(count.div_exact(2).is_some(), "{}: {label} {count}", name.as_str());
            }
        }
    }
}

#[test]
fn a_quiet_audit_prints_how_many_units_were_recounted() {
    let machine = Machine::new();
    let units = machine.folder.path().join("units.txt");
    let keep = format!("--size 5 --split-depth 2 -q --keep-units {}", units.display());
    printed(&machine, &keep);
    let audit = format!("audit {} --sample 4 -q", units.display());
    assert_eq!(printed(&machine, &audit), "4\n");
    let help = printed(&machine, "audit --help");
    assert!(help.contains("number of units recounted"), "{help}");
    let help = printed(&machine, "count --help");
    assert!(help.contains("directed for open tours"), "{help}");
}

#[test]
fn a_resumed_run_tells_its_own_time_and_that_of_all_its_processes() {
    let machine = Machine::new();
    let job = "--rows 5 --cols 8 --engine walk";
    let mut run = Watched::start(&machine, &format!("{job} --memo off --checkpoint-interval 0"));
    run.hold_at("saved");
    run.stop();
    let before = machine.json("status")["spent_s"].as_f64().unwrap();
    let json = machine.json(job);
    let time = |field: &str| json[field].as_f64().unwrap();
    let sum = before + time("elapsed_s");
    assert!(before > 0.0 && (time("elapsed_total_s") - sum).abs() < 1e-6, "{before}: {json}");
    let json = machine.json("--size 5");
    assert_eq!(json["elapsed_total_s"], json["elapsed_s"], "{json}");
}

#[test]
fn a_resumed_run_whose_states_are_gone_says_that_it_computes_them_again() {
    let machine = Machine::new();
    let checkpoint = machine.state_folder().join("open-6x7.kt");
    let job = "--rows 6 --cols 7 --engine frontier --checkpoint-interval 0";
    let mut run = Watched::start(&machine, job);
    run.hold_when(&checkpoint, |header| header.building.is_some_and(|building| building.round > 1));
    run.stop();
    let said = "computing them again, from round 1 of";
    let again = || ran(&machine, &format!("{job} --max-time 0")).1;
    let resumed = again();
    assert!(resumed.contains("resumed") && !resumed.contains(said), "{resumed}");
    std::fs::remove_dir_all(machine.state_folder().join("open-6x7.kt.states")).unwrap();
    let resumed = again();
    assert!(resumed.contains("resumed") && resumed.contains(said), "{resumed}");
}
