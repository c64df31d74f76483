//! A count that is stopped or killed and then resumed gives the same result.
//!
//! `scripts/kill-test` is the same test over minutes.

use crate::common::watched::Watched;
use crate::common::{Machine, signal, text};
use crate::{DIRECTED, JOB};
use assert_cmd::cargo::cargo_bin;
use fastrand::Rng;
use kt_enum::tally::Tally;
use kt_enum_runs::run::checkpoint::peek;
use sha2::{Digest, Sha256};
use std::process::Stdio;
use std::time::Duration;

/// A job of hours, so that it is stopped before it ends on any machine.
const ENDLESS: &str = "--rows 5 --cols 10 --memo off";

#[test]
fn a_count_killed_ten_times_ends_with_the_right_number_and_says_what_it_kept() {
    let machine = Machine::new();
    let path = machine.state_folder().join("open-5x8.kt");
    let mut random = Rng::with_seed(7);
    let mut kept = Tally::ZERO;
    for kills in 0..10 {
        let mut run = Watched::start(&machine, JOB);
        while peek(&path).unwrap().is_none_or(|header| header.status.found <= kept) {
            run.wait_for("saved");
        }
        std::thread::sleep(Duration::from_micros(random.u64(0..30_000)));
        run.signal("KILL");
        let ended = run.end();
        assert_eq!(ended.status.code(), None, "{}", ended.stderr);
        assert_eq!(ended.stderr.contains("resumed"), kills > 0, "{}", ended.stderr);
        let status = machine.json(&format!("status {}", path.display()));
        assert_eq!(status["live"], false);
        let found: Tally = status["found"].as_str().unwrap().parse().unwrap();
        assert!(found > kept, "kill {kills}: nothing was kept since the last");
        kept = found;
    }
    let output = machine.kt(&format!("{JOB} -q")).output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(text(&output.stdout), format!("{DIRECTED}\n"), "{said}");
    assert!(said.contains("are kept"), "{said}");
    assert_eq!(machine.files(), Vec::<String>::new(), "the checkpoint is removed on success");
}

#[test]
fn each_signal_stops_in_the_midst_of_a_unit_with_its_code_and_the_state_saved() {
    let machine = Machine::new();
    // The whole count is one unit.
    let job = JOB.replace("--split-depth 4", "--split-depth 0");
    for (name, code) in [("INT", 130), ("TERM", 75), ("USR2", 75), ("HUP", 75), ("INT", 130)] {
        let mut run = Watched::start(&machine, &job);
        run.hold_at("progress");
        run.signal(name);
        run.let_go();
        let ended = run.end();
        assert_eq!(ended.status.code(), Some(code), "{name}: {}", ended.stderr);
        assert!(ended.stderr.contains("run the same command"));
    }
    let json = machine.json(&job.replace("--split-depth 0", ""));
    assert_eq!(json["directed"], DIRECTED);
    assert_eq!(json["split_depth"], 0, "a resumed run keeps the depth it was begun with");
}

#[test]
fn hangup_is_ignored_under_nohup() {
    let machine = Machine::new();
    let child = std::process::Command::new("nohup")
        .arg(assert_cmd::cargo::cargo_bin("kt-enum"))
        .args(ENDLESS.split(' '))
        .args(["--progress", "json"])
        .env("XDG_STATE_HOME", machine.folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut run = Watched::over(child);
    run.wait_for("progress");
    run.signal("HUP");
    // The run lasts for seconds more, and a run that is stopping reports no progress.
    for _ in 0..2 {
        run.wait_for("progress");
    }
    run.hold();
    run.stop();
}

#[test]
fn a_second_interrupt_leaves_at_once_and_the_checkpoint_is_valid() {
    let machine = Machine::new();
    let mut run = Watched::start(&machine, &format!("{ENDLESS} --checkpoint-interval 0.4"));
    run.wait_for("saved");
    run.signal("INT");
    // A signal that comes at the same time is taken for the same.
    std::thread::sleep(Duration::from_millis(250));
    run.signal("INT");
    assert_eq!(run.end().status.code(), Some(130));
    machine.kt("status --rows 5 --cols 10").assert().success();
}

#[test]
fn max_time_stops_and_the_same_command_resumes() {
    let machine = Machine::new();
    let ended = machine.stopped_over_and_over(&format!("{JOB} -q"));
    assert_eq!(text(&ended), format!("{DIRECTED}\n"));
}

#[test]
fn a_count_stopped_while_its_classes_are_counted_is_kept_or_printed() {
    let machine = Machine::new();
    // The cycles take a moment, their classes hours.
    let job = "--size 12x10 --piece wazir --closed";
    let run = machine.start(&format!("{job} --classes"));
    machine.wait_for("closed-12x10-piece-wazir.kt");
    signal(&run, "TERM");
    let ended = run.wait_with_output().unwrap();
    let said = text(&ended.stderr);
    assert_eq!(ended.status.code(), Some(75), "{said}");
    assert!(said.contains("the finished count is saved: run the same command to resume"), "{said}");
    let resumed = machine.kt(&format!("{job} --classes --max-time 1s")).assert().code(75);
    assert!(text(&resumed.get_output().stderr).contains("of counting classes ("));
    let kept = machine.json(job);
    assert_eq!(kept["units_resumed"], kept["units"], "nothing is counted twice");
    let mut run = machine.start(&format!("{job} --classes --no-checkpoint --quiet --max-time 3s"));
    assert_eq!(run.wait().unwrap().code(), Some(1));
    let printed = text(&run.wait_with_output().unwrap().stdout);
    assert_eq!(printed, format!("{}\n", kept["undirected"].as_str().unwrap()));
}

#[test]
fn the_command_that_resumes_a_count_of_a_graph_names_its_file() {
    let machine = Machine::new();
    let path = machine.folder.path().join("complete");
    let edges = (1..12).flat_map(|one| (one + 1..12).map(move |other| format!("{one} {other}\n")));
    std::fs::write(&path, edges.collect::<String>()).unwrap();
    let checkpoint = machine.folder.path().join("run.kt");
    for form in ["--graph ", "--graph="] {
        let job = format!(
            "{form}{} --engine walk --checkpoint {} --max-time 0s",
            path.display(),
            checkpoint.display()
        );
        machine.kt(&format!("{job} --split-depth 2 --fresh")).assert().code(75);
        let refused = machine.kt(&format!("{job} --split-depth 3")).assert().code(2);
        let said = text(&refused.get_output().stderr);
        assert!(said.contains(&format!("--graph {} ", path.display())), "{said}");
    }
}

#[test]
fn classes_that_would_take_ages_are_refused_before_the_count() {
    let refused = Machine::new().kt("--size 8x16 --piece king --classes").assert().code(2);
    let said = text(&refused.get_output().stderr);
    assert!(said.contains("years to count: leave out --classes"), "{said}");
}

#[test]
fn a_run_resumed_with_other_threads_and_memo_has_the_fingerprint_of_one_that_was_not_stopped() {
    let machine = Machine::new();
    let board = "--rows 5 --cols 8 --split-depth 2";
    let whole = machine.json(&format!("{board} --no-checkpoint"));
    let path = machine.state_folder().join("open-5x8.kt");
    let first = format!("{board} --threads 1 --memo off --checkpoint-interval 0");
    let mut run = Watched::start(&machine, &first);
    run.hold_when(&path, |header| header.status.found > Tally::ZERO);
    run.stop();
    machine
        .kt(&format!("{board} --threads 5 --memo 64K --checkpoint-interval 0 --max-time 0"))
        .assert()
        .code(75);
    let resumed = machine.json(&format!("{board} --threads 2"));
    assert_eq!(resumed["directed"], "36122108");
    assert_eq!(resumed["fingerprint"], whole["fingerprint"]);
    assert_ne!(resumed["nodes"], whole["nodes"], "what was done before is not done again");
}

#[test]
fn a_checkpoint_of_another_engine_is_refused_with_the_commands_that_resume_and_replace_it() {
    let machine = Machine::new();
    let named = machine.folder.path().join("my run.kt");
    let places = [
        (machine.state_folder().join("open-6x7.kt"), Vec::new()),
        (named.clone(), vec!["--checkpoint".to_owned(), named.display().to_string()]),
    ];
    for (path, options) in places {
        let kt = |job: &str| {
            let mut command = machine.kt(job);
            command.args(&options);
            command.output().unwrap()
        };
        let stopped = kt("--size 6x7 --split-depth 3 --max-time 0.3");
        assert_eq!(stopped.status.code(), Some(75), "{}", text(&stopped.stderr));
        let before = std::fs::read(&path).unwrap();
        for job in ["--size 6x7", "--size 6x7 --engine frontier", "--size 6x7 --split-depth 4"] {
            let refused = kt(job);
            let said = text(&refused.stderr);
            assert_eq!(refused.status.code(), Some(2), "{job}: {said}");
            assert!(said.contains("open tours of 6x7 (engine walk, split depth 3, "), "{said}");
            assert_eq!(std::fs::read(&path).unwrap(), before, "it is as it was");
            // Both commands of the message do what it says of them.
            let commands: Vec<&str> =
                said.split('`').filter(|part| part.starts_with("kt-enum ")).collect();
            let [resumes, replaces] = commands[..] else { panic!("{said}") };
            assert!(resumes.contains("--engine walk --split-depth 3"), "{said}");
            assert!(replaces.ends_with("--fresh"), "{said}");
            let sh = |typed: &str| {
                let typed =
                    typed.replacen("kt-enum", &cargo_bin("kt-enum").display().to_string(), 1);
                let mut shell = std::process::Command::new("sh");
                shell.args(["-c", &format!("{typed} --max-time 0")]);
                shell.env("XDG_STATE_HOME", machine.folder.path()).output().unwrap()
            };
            assert!(text(&sh(resumes).stderr).contains("resumed from"), "{resumes}");
            std::fs::write(&path, &before).unwrap();
            let replaced = text(&sh(replaces).stderr);
            assert!(!replaced.contains("resumed from"), "{replaces}: {replaced}");
            std::fs::write(&path, &before).unwrap();
        }
        let again = kt("--size 6x7 --split-depth 3 --max-time 0");
        assert!(text(&again.stderr).contains("resumed from"), "{}", text(&again.stderr));
    }
}

#[test]
fn a_checkpoint_of_an_engine_that_is_not_in_the_program_is_refused_by_its_name() {
    let machine = Machine::new();
    let path = machine.state_folder().join("closed-6x7.kt");
    std::fs::create_dir_all(machine.state_folder()).unwrap();
    let stopped = machine.kt("--size 6x7 --closed --engine walk --max-time 0").output().unwrap();
    assert_eq!(stopped.status.code(), Some(75), "{}", text(&stopped.stderr));
    // The same checkpoint as an engine of an earlier build would have written it.
    let bytes = std::fs::read(&path).unwrap();
    let place = bytes.windows(5).position(|window| window == b"\x04walk").unwrap();
    let mut of_edges = bytes[..bytes.len() - 32].to_vec();
    of_edges.splice(place..place + 5, *b"\x05edges");
    // The length of the header is behind the magic and the version, and the checksum at the end.
    of_edges[12] += 1;
    let checksum = Sha256::digest(&of_edges);
    of_edges.extend(checksum);
    std::fs::write(&path, of_edges).unwrap();
    let status = machine.kt("status --size 6x7 --closed").output().unwrap();
    let said = text(&status.stdout);
    assert!(said.contains("the engine edges is not in this program"), "{said}");
    for job in ["--size 6x7 --closed", "--size 6x7 --closed --engine walk"] {
        let refused = machine.kt(job).output().unwrap();
        let said = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(65), "{said}");
        for words in ["an engine `edges`, which this program does not have", "--fresh"] {
            assert!(said.contains(words), "{said}");
        }
    }
    machine.kt("--size 6x7 --closed --fresh -q").assert().success().stdout("1067638\n");
}

#[test]
fn the_last_line_of_a_resumed_run_is_of_the_whole_and_says_what_the_run_added() {
    let machine = Machine::new();
    let job = "--rows 5 --cols 8 --engine walk --memo off --threads 1";
    let whole = machine.json(&format!("{job} --no-checkpoint"));
    let nodes = whole["nodes"].as_str().unwrap().parse::<f64>().unwrap();
    assert_eq!(whole["nodes_total"], whole["nodes"]);
    let stop = || {
        let mut run = Watched::start(&machine, &format!("{job} --checkpoint-interval 0.1"));
        run.wait_for("saved");
        run.signal("TERM");
        assert_eq!(run.end().status.code(), Some(75));
    };
    stop();
    let resumed = machine.json(job);
    let number = |key: &str| resumed[key].as_str().unwrap().parse::<f64>().unwrap();
    // A node at which a piece was paused may be visited again.
    assert!((number("nodes_total") / nodes - 1.0).abs() < 0.01, "{resumed} of {nodes}");
    assert!(number("nodes") < number("nodes_total"), "{resumed}");
    assert!(resumed["elapsed_s"].as_f64() < resumed["elapsed_total_s"].as_f64(), "{resumed}");
    stop();
    let said = text(&machine.kt(job).output().unwrap().stdout);
    let last = said.lines().last().unwrap();
    let (of_all, of_run) = last.split_once("; this run added ").expect(last);
    let seconds = |text: &str| {
        let before = text.split(" s").next().unwrap();
        before.rsplit(' ').next().unwrap().parse::<f64>().unwrap()
    };
    let of_all = of_all.split(", ").find(|part| part.contains(" s on ")).unwrap();
    assert!(seconds(of_run) < seconds(of_all), "{last}");
}
