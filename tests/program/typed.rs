//! Typed input and its answers: numbers, boards, seeds, `--quiet`.

use crate::common::watched::Watched;
use crate::common::{Machine, text};
use kt_enum::board::Board;
use kt_enum::question::Question;
use kt_enum_engines::engine::{Engine, Name};
use kt_enum_engines::walk::MemoSize;
use kt_enum_runs::run::{self, Settings, Silent};

/// Returns standard output, standard error and the exit code of a command.
fn ran(machine: &Machine, arguments: &str) -> (String, String, i32) {
    let output = machine.kt(arguments).output().unwrap();
    (text(&output.stdout), text(&output.stderr), output.status.code().unwrap())
}

/// Returns the standard output of a command that succeeds.
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
    assert_eq!(printed(&machine, "find 5×6 -q"), printed(&machine, "find --size 5x6 -q"));
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
    // To build the index would take hours and more memory than any machine has.
    let (out, said, code) = ran(&machine, "random --size 10 --count 0");
    assert_eq!((out.as_str(), said.as_str(), code), ("", "", 0));
    assert_eq!(machine.files(), Vec::<String>::new());
}

#[test]
fn quiet_prints_of_shards_and_wholes_the_same_kind_of_number_and_of_classes_a_second_line() {
    let machine = Machine::new();
    for engine in ["walk", "frontier"] {
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
    // Jelliss gives 1,245 classes.
    assert_eq!(printed(&machine, "--size 6 --closed --classes -q"), "9862\n1245\n");
    assert_eq!(printed(&machine, "--size 5 -q"), "1728\n");
}

#[test]
fn both_directions_of_a_cycle_are_in_one_unit_of_every_engine() {
    for (rows, cols) in [(3, 10), (5, 6), (6, 5), (6, 6), (6, 7), (4, 6)] {
        let question = Question::closed(Board::new(rows, cols).unwrap());
        for name in [Name::Walk, Name::Frontier] {
            let work = Engine::new(&name, question.clone(), None, MemoSize::Cache).unwrap();
            let settings = Settings::on_threads(2);
            let outcome = run::count(&*work, settings, &mut Silent).unwrap();
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
    run.hold_when(&checkpoint, |header| {
        header.status.building.is_some_and(|building| building.round > 1)
    });
    run.stop();
    let said = "computing them again, from round 1 of";
    let again = || ran(&machine, &format!("{job} --max-time 0")).1;
    let resumed = again();
    assert!(resumed.contains("resumed") && !resumed.contains(said), "{resumed}");
    std::fs::remove_dir_all(machine.state_folder().join("open-6x7.kt.states")).unwrap();
    let resumed = again();
    assert!(resumed.contains("resumed") && resumed.contains(said), "{resumed}");
}

#[test]
fn words_that_are_not_there_are_answered_with_what_is_right_or_with_what_is_not_done() {
    let machine = Machine::new();
    for (line, answer) in [
        ("--size 6 --holes 3", "--without a1,h8"),
        ("--size 6 --torus", "--wrap torus"),
        ("--size 6 --symmetric", "--symmetry half-turn of count"),
        ("list --size 6 --unique", "--classes takes one per symmetry class"),
        ("find --size 6 --clues 3=c4", "part-filled boards"),
        ("find --size 6 --leaper camel", "--piece king"),
        ("list --size 6 --count", "--limit K lists the first K tours"),
        ("show --theme dark", "light or dark scheme of the reader"),
        ("--n 8", "say --size N"),
        ("-n 6", "say --size N"),
        ("find -n 6", "--limit K"),
        ("random --size 6 -n 3", "--count K draws K tours"),
        ("nth -n 3 --size 6", "the numbers stand alone"),
        ("table -n 3", "--up-to N"),
        ("compare -n 3", "--sizes N"),
        ("audit units.txt -n 3", "--sample K"),
        ("find --size 8 --from b1 --to h7 --closed", "leave out --to, or find --tours open"),
        ("random --size 12 --closed", "`kt-enum find --size 12x12 --closed` finds one"),
        ("nth 1 --size 12 --from b2", "`kt-enum find --size 12x12 --from b2` finds one"),
        (
            "nth 1 --size 12x13 --from c2 --to m11",
            "`kt-enum find --size 12x13 --from c2 --to m11` looks for one",
        ),
        ("--size 8 find", "put the command first: kt-enum find"),
        ("6x6 extra", "`extra` is neither a command nor a board"),
        ("hint", "kt-enum solve FILE --hint"),
        ("list --size 6 --prefix a1", "--from SQUARE"),
        ("random --size 6 3", "to draw 3 tours say --count 3"),
        ("list --size 6 3", "to list 3 tours say --limit 3"),
        ("list --size 6 --order right:up", "such as 1:2 or -2:1"),
        ("find --size 6 --via c3", "part-filled boards"),
        ("find --size 6 --puzzle", "part-filled boards"),
        ("show --format png", "pictures are SVG"),
        ("list --size 6 --format pdf", "pictures are SVG"),
        ("gallery", "kt-enum show draws tours"),
        ("filter", "no command filters tours"),
        ("list --size 6 --filter symmetric", "no command filters tours"),
        ("diff one two", "fingerprint"),
        ("show --rotate 90", "neither turned nor mirrored"),
        ("rank --size 12x11", "`kt-enum find --size 12x11` finds one"),
        ("table --rows 12 --up-to 12", "up to 10 rows"),
        (
            "table --rows 11 --up-to 3",
            "kt-enum estimate --size 11x3 says what a single board of 11 rows takes",
        ),
        ("table --rows 8 --up-to 3", "one board after another, as kt-enum --size 8x3"),
    ] {
        let mut command = machine.kt(line);
        let output = command.write_stdin("").output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {said}");
        assert!(said.contains(answer), "{line}: {said}");
        for misleading in ["similar", "as a value", "--engine"] {
            assert!(!said.contains(misleading), "{line}: {said}");
        }
    }
    for line in ["--size 6 --frobnicate", "list --size 6 --grue", "show --xyzzy"] {
        let (_, said, code) = ran(&machine, line);
        assert_eq!(code, 2);
        assert!(!said.contains("tip:"), "{line}: {said}");
    }
}

#[test]
fn a_construction_that_makes_no_moves_prints_no_counts_of_moves() {
    let machine = Machine::new();
    for line in ["find --size 8", "find --size 4", "find --size 5 --closed"] {
        let out = printed(&machine, line);
        assert!(!out.contains("Number of moves"), "{line}: {out}");
    }
    // On 3x3, 14 moves are generated, as a course project states.
    let out = printed(&machine, "find --size 3 --strategy blind --from a3");
    assert!(out.contains("Number of moves generated: 14\nNumber of moves tried: 14\n"), "{out}");
    assert_eq!(machine.json("find --size 8")["moves_generated"], "0");
}

#[test]
fn one_of_something_is_singular() {
    let machine = Machine::new();
    let mut check = machine.kt("check");
    let output = check.write_stdin("a1\n\n1 2 3\n4\n").output().unwrap();
    let said = text(&output.stdout);
    assert!(said.contains(": 1 cell where"), "{said}");
    let mut check = machine.kt("check --size 3");
    let said = text(&check.write_stdin("a1\n").output().unwrap().stdout);
    assert!(said.contains("1 square where 3x3 has 9"), "{said}");
    let units = machine.folder.path().join("units.txt");
    printed(&machine, &format!("--size 1 --engine walk -q --keep-units {}", units.display()));
    let said = printed(&machine, &format!("audit {}", units.display()));
    assert!(said.contains("1 of 1 unit of the") && said.contains("1 directed tour,"), "{said}");
}

#[test]
fn a_check_of_an_empty_file_says_that_there_is_no_tour() {
    let machine = Machine::new();
    let empty = machine.folder.path().join("empty.txt");
    std::fs::write(&empty, "").unwrap();
    let (out, said, code) = ran(&machine, &format!("check {}", empty.display()));
    assert_eq!((out.as_str(), code), ("", 0));
    assert!(said.contains("there is no tour in") && said.contains("empty.txt"), "{said}");
    let (_, said, _) = ran(&machine, "check /dev/null");
    assert!(said.contains("there is no tour in /dev/null"), "{said}");
}

/// Runs a command that `status` suggests in a shell, and returns its messages and exit code.
fn typed_again(machine: &Machine, command: &str) -> (String, i32) {
    let program = assert_cmd::cargo::cargo_bin("kt-enum");
    let program = program.display();
    let line = command.replacen("kt-enum", &format!("'{program}'"), 1);
    let output = std::process::Command::new("sh")
        .args(["-c", &line])
        .env("XDG_STATE_HOME", machine.folder.path())
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    (text(&output.stderr), output.status.code().unwrap())
}

#[test]
fn status_prints_the_kind_of_each_run_and_a_command_that_resumes_it() {
    let machine = Machine::new();
    let odd = machine.folder.path().join("it's a folder");
    std::fs::create_dir(&odd).unwrap();
    let named = odd.join("run.kt");
    let parts = odd.join("parts");
    let [named, parts] = [&named, &parts].map(|path| path.to_str().unwrap());
    let in_state_folder = |name: &str| machine.state_folder().join(name).display().to_string();
    // Each takes seconds at least, so that it is stopped long before its end.
    for (arguments, checkpoint, kind, words) in [
        (
            vec!["--size", "8", "--from", "a1"],
            in_state_folder("open-8x8-from-a1.kt"),
            "count",
            "count of the open",
        ),
        (
            vec!["--size", "8", "--closed", "--checkpoint", named],
            named.to_owned(),
            "count",
            "count of the closed",
        ),
        (
            vec!["shard", "1/3", "--size", "8", "--engine", "walk", "--out", parts],
            format!("{parts}/checkpoint-1-of-3.kt"),
            "shard",
            "shard 1/3 of a count of the open",
        ),
        (
            vec!["--size", "8", "--starts"],
            in_state_folder("open-8x8.starts-a1.kt"),
            "count",
            "by start",
        ),
        (
            vec!["--size", "7", "--starts", "--engine", "walk", "--split-depth", "3"],
            in_state_folder("open-7x7.starts-a1.kt"),
            "count",
            "by start",
        ),
        (
            vec!["--size", "8", "--starts", "--checkpoint", named],
            named.replace(".kt", ".starts-a1.kt"),
            "count",
            "by start",
        ),
        (
            vec!["table", "--rows", "9", "--cols", "9", "--checkpoint", named],
            named.replace(".kt", ".table-9x9.kt"),
            "table",
            "table, at",
        ),
        (
            vec!["table", "--rows", "9", "--cols", "9"],
            in_state_folder("open-9x9.table-9x9.kt"),
            "table",
            "table, at",
        ),
        (
            vec!["table", "--rows", "8", "--up-to", "12"],
            in_state_folder("table-open-8x12.kt"),
            "table",
            "table of",
        ),
        (
            vec!["prepare", "--size", "8", "--engine", "frontier", "--out", parts],
            format!("{parts}/prepared.kt"),
            "prepare",
            "preparation",
        ),
    ] {
        let stopped = machine.kt("").args(&arguments).args(["--max-time", "0"]).output().unwrap();
        let said = text(&stopped.stderr);
        assert_eq!(stopped.status.code(), Some(75), "{arguments:?}: {said}");
        let output = machine.kt("status --json").arg(&checkpoint).output().unwrap();
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["kind"], kind, "{json}");
        let command = json["command"].as_str().unwrap();
        let output = machine.kt("status").arg(&checkpoint).output().unwrap();
        let said = text(&output.stdout);
        assert!(said.contains(words) && said.contains("not running"), "{said}");
        // The checkpoint does not know them.
        assert!(said.contains("--memory, --disk, --threads"), "{said}");
        let keeps_units = kind == "count" && !arguments.contains(&"--starts");
        assert_eq!(said.contains("--keep-units"), keeps_units, "{said}");
        assert_eq!(said.contains("--classes"), kind == "count", "{said}");
        assert!(said.ends_with(&format!("\n  {command}\n")), "{said}");
        // Of counts by start, those that are not begun get the engine and units of the others.
        let is_chosen = arguments.contains(&"--starts") && arguments.contains(&"--engine");
        assert!(!is_chosen || command.contains("--engine walk --split-depth 3"), "{command}");
        let (said, code) = typed_again(&machine, &format!("{command} --max-time 0"));
        assert!(said.contains("resumed from") && code == 75, "{command}: {said}");
    }
}

#[test]
fn status_names_no_folder_of_parts_that_it_does_not_know() {
    let machine = Machine::new();
    let path = machine.folder.path().join("local.kt");
    let shard = "shard 1/3 --size 8 --engine walk --max-time 0";
    let elsewhere = format!("{shard} --out parts --checkpoint {}", path.display());
    let mut command = machine.kt(&elsewhere);
    command.current_dir(machine.folder.path()).assert().code(75);
    let said = printed(&machine, &format!("status {}", path.display()));
    assert!(said.contains("with the --out of the shard, "), "{said}");
    let command =
        said.trim_end().rsplit("\n  ").next().unwrap().replace("--out DIR ", "--out parts ");
    let folder = machine.folder.path().display();
    let (said, code) = typed_again(&machine, &format!("cd {folder}; {command} --max-time 0"));
    assert!(said.contains("resumed from") && code == 75, "{command}: {said}");
}

#[test]
fn a_board_that_no_engine_takes_and_that_has_no_tour_has_none_and_no_tour_is_advised() {
    let machine = Machine::new();
    for line in
        ["33 --closed", "11 --closed --engine frontier", "33x35 --from a2", "estimate 33 --closed"]
    {
        let said = printed(&machine, line);
        assert!(said.contains("there is no such tour: every move changes the colour"), "{said}");
    }
}

#[test]
fn kinds_values_and_colours_are_read_wherever_they_may_be_typed() {
    let machine = Machine::new();
    for (typed, plain) in [
        ("--color never find --size 6", "find --size 6 --color never"),
        ("--color=never --size 5 -q", "--size 5 -q"),
        ("find --size 6 --tours closed -q", "find --size 6 --closed -q"),
        ("find --size 6 --open -q", "find --size 6 -q"),
        ("find --size 6 --tours OPEN --strategy ROTH -q", "find --size 6 --strategy roth -q"),
        ("--size 6 --tours Closed --engine WALK -q", "--size 6 --closed --engine walk -q"),
        ("list --size 5 -n 1 --format GRID", "list --size 5 -n 1 --format grid"),
    ] {
        assert_eq!(printed(&machine, typed), printed(&machine, plain), "{typed}");
    }
    let tour = printed(&machine, "find --size 6 --closed --format squares");
    for (typed, plain) in [
        ("show --closed --format SVG", "show --tours closed --format svg"),
        ("show --open", "show --tours open"),
        ("stats --open", "stats --tours open"),
    ] {
        let shown = |line| {
            let output = machine.kt(line).write_stdin(tour.clone()).output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{line}: {}", text(&output.stderr));
            text(&output.stdout)
        };
        assert_eq!(shown(typed), shown(plain), "{typed}");
    }
    assert!(
        printed(&machine, "compare --sizes 6 --strategies AUTO --tours closed").contains("6x6")
    );
}

#[test]
fn a_file_of_another_kind_is_called_what_it_is_and_the_right_option_is_named() {
    let machine = Machine::new();
    let folder = machine.folder.path();
    let tour = folder.join("tour.txt");
    std::fs::write(&tour, "a1 b3 c5\n").unwrap();
    std::fs::write(folder.join("index.kt"), "notes of somebody\n").unwrap();
    let (tour, folder) = (tour.display(), folder.display());
    let (_, said, code) = ran(&machine, &format!("audit {tour}"));
    assert!(code == 65 && said.contains("neither a file of units"), "{said}");
    assert!(!said.contains("make it again"), "{said}");
    for (line, code, words) in [
        (format!("nth 5 --size 6 --index {folder}"), 65, "name another folder with --index"),
        (format!("shard 0/2 --size 5 --out {tour}"), 2, "--out names a folder"),
        (format!("prepare --size 6 --engine frontier --out {tour}"), 2, "--out names a folder"),
    ] {
        let (_, said, ended) = ran(&machine, &line);
        assert_eq!(ended, code, "{line}: {said}");
        assert!(said.contains(words), "{line}: {said}");
        for misleading in ["--checkpoint", "damaged", "lost its states"] {
            assert!(!said.contains(misleading), "{line}: {said}");
        }
    }
}

#[test]
fn status_does_not_take_the_name_that_a_user_gave_a_checkpoint_for_the_kind_of_its_run() {
    let machine = Machine::new();
    for name in ["numbers-mine.kt", "starts-mine.kt", "my.starts-old.kt", "big.table-1.kt"] {
        let path = machine.folder.path().join(name);
        let job = format!("--size 8 --engine walk --checkpoint {}", path.display());
        machine.kt(&format!("{job} --max-time 0")).assert().code(75);
        let status = printed(&machine, &format!("status {}", path.display()));
        assert!(status.contains("kt-enum count --size 8x8 --engine walk"), "{status}");
        assert!(!status.contains("--starts"), "{status}");
    }
}

#[test]
fn status_says_of_a_file_of_units_what_it_counts_whatever_its_name() {
    let machine = Machine::new();
    let units = machine.folder.path().join("u.txt");
    let units = units.display();
    printed(&machine, &format!("--size 5 --engine walk --keep-units {units}"));
    let said = printed(&machine, &format!("status {units}"));
    assert!(said.contains("\n  a count of the open tours of 5x5: finished, with "), "{said}");
}

#[test]
fn status_knows_prepared_states_and_the_commands_that_share_a_numbering() {
    let machine = Machine::new();
    let parts = machine.folder.path().join("parts");
    let parts = parts.display();
    printed(&machine, &format!("prepare --size 6 --engine frontier --out {parts}"));
    let said = printed(&machine, &format!("status {parts}/prepared.kt"));
    assert!(
        said.contains("kt-enum prepare makes for the shards") && !said.contains("gone"),
        "{said}"
    );
    assert_eq!(printed(&machine, &format!("status {parts}/prepared.kt.states")), said);
    // A checkpoint may have such a name.
    let named = machine.folder.path().join("x.states").display().to_string();
    ran(&machine, &format!("--size 6x8 --memo off --max-time 0 --checkpoint {named}"));
    assert!(printed(&machine, &format!("status {named}")).starts_with(&named));
    let (_, said, code) = ran(&machine, "random --size 8 --seed 3 --fresh --max-time 2s");
    assert_eq!(code, 75, "{said}");
    // A slow machine has no forecast to announce.
    let announced = [" takes about ", " thread", "B of memory and disk"];
    let is_announced = said.contains(announced[0]);
    let words = announced.into_iter().filter(|_| is_announced);
    for words in words.chain(["run the same command", "B of disk"]) {
        assert!(said.contains(words), "{words}: {said}");
    }
    let said = printed(&machine, "status");
    assert!(said.contains("any nth, random or rank of these tours resumes it"), "{said}");
}
