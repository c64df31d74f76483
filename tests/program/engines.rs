//! Three engines behind one command line: the choice between them, and that a resumed run keeps its
//! engine.

use crate::common::{Machine, text};
use kt_enum::board::{Board, Network};
use kt_enum::job::{EdgeClass, Job, MemoSize};
use kt_enum::question::Question;
use kt_enum::units::{Shard, Units};
use kt_enum_engines::engine::{Name, Wishes, choose};
use kt_enum_engines::work::{Identity, Split};
use kt_enum_runs::run::Silent;
use std::collections::BTreeSet;

#[test]
fn the_engine_is_the_fastest_that_fits_and_has_the_options_that_are_given() {
    let machine = Machine::new();
    for (job, engine) in [
        ("--size 5", "walk"),
        ("--size 6 --tours closed", "walk"),
        ("--size 6 --tours closed --memo 64K", "walk"),
        ("--size 6 --tours closed --engine walk", "walk"),
        ("--rows 5 --cols 8", "frontier"),
        ("--rows 5 --cols 8 --memo 1M", "walk"),
        ("--rows 5 --cols 8 --split-depth 2", "walk"),
        ("--rows 3 --cols 44 --tours closed", "frontier"),
        ("--rows 6 --cols 7 --tours closed", "frontier"),
        ("--size 5 --cut 10:4", "frontier"),
        ("--size 5 --engine frontier", "frontier"),
        ("--rows 6 --cols 7 --tours closed --split-depth 1", "walk"),
    ] {
        assert_eq!(machine.json(job)["engine"], engine, "{job}");
    }
    let closed = |engine| machine.json(&format!("--size 6 --tours closed --engine {engine}"));
    assert_eq!(closed("frontier")["directed"], closed("walk")["directed"]);
}

const CUT: Split = Split::Cut { class: EdgeClass::Nearer { second_rule: true }, sliced: 5 };

#[test]
fn the_choice_goes_by_what_was_asked_then_by_the_checkpoint_then_by_the_board() {
    let board = |side| Board::new(side, side).unwrap();
    let (small, large) = (Question::open(board(5)), Question::open(board(7)));
    let cycles = Question::closed(board(6));
    let nothing = Wishes::default;
    let asked = |engine| Wishes { engine: Some(engine), ..nothing() };
    let cut = |split| Wishes { split: Some(split), ..nothing() };
    let memo = || Wishes { memo: Some(MemoSize::Cache), ..nothing() };
    for (question, wishes, engine) in [
        (small.clone(), nothing(), "walk"),
        (cycles.clone(), nothing(), "walk"),
        (large.clone(), nothing(), "frontier"),
        (large.clone(), memo(), "walk"),
        (large.clone(), cut(Split::Depth(3)), "walk"),
        (cycles, cut(Split::Depth(3)), "walk"),
        (small.clone(), cut(CUT), "frontier"),
        (small.clone(), asked(Name::Frontier), "frontier"),
        (large.clone(), asked(Name::Walk), "walk"),
    ] {
        let choice = choose(&question, &wishes, None);
        assert_eq!(choice.engine.as_str(), engine);
        assert_eq!(choice.split, wishes.split);
    }
    let saved = |engine: &str, split| Identity {
        question: large.clone(),
        engine: engine.to_owned().into(),
        split,
        units: 1,
    };
    let (walk, frontier) = (saved("walk", Split::Depth(4)), saved("frontier", CUT));
    for (wishes, saved, engine, split) in [
        (nothing(), &walk, "frontier", None),
        (nothing(), &frontier, "frontier", Some(CUT)),
        (asked(Name::Frontier), &frontier, "frontier", Some(CUT)),
        (asked(Name::Frontier), &walk, "frontier", None),
        (memo(), &walk, "walk", Some(Split::Depth(4))),
        (memo(), &frontier, "walk", None),
        (cut(Split::Depth(2)), &walk, "walk", Some(Split::Depth(2))),
    ] {
        let choice = choose(&large, &wishes, Some(saved));
        assert_eq!((choice.engine.as_str(), choice.split), (engine, split));
    }
    // A checkpoint of another question does not affect the choice.
    assert_eq!(choose(&small, &nothing(), Some(&frontier)).engine, Name::Walk);
}

#[test]
fn units_of_an_engine_that_is_not_in_the_program_are_refused_with_its_name() {
    let machine = Machine::new();
    let identity = Identity {
        question: Question::open(Board::new(5, 5).unwrap()),
        engine: Name::Other("edges".to_owned()),
        split: Split::Depth(0),
        units: 1,
    };
    let counts = vec![("all".to_owned(), 1_728_u32.into())];
    let path = machine.state_folder().join("units");
    Units { identity, shard: Shard::WHOLE, counts }.write(&path).unwrap();
    let refused = machine.kt(&format!("audit {}", path.display())).assert().code(3);
    let said = text(&refused.get_output().stderr);
    assert!(said.contains("counted by an engine `edges` that is not in this program"), "{said}");
}

#[test]
fn a_search_for_cycles_stopped_many_times_ends_with_the_published_number() {
    let machine = Machine::new();
    let job = "--rows 6 --cols 7 --tours closed --threads 1 --engine walk --checkpoint-interval 0";
    for _ in 0..3 {
        machine.kt(&format!("{job} --max-time 0")).assert().code(75);
    }
    let json = machine.json(job);
    assert_eq!((&json["undirected"], &json["engine"]), (&"1067638".into(), &"walk".into()));
}

#[test]
fn a_run_keeps_the_cut_it_was_begun_with() {
    let machine = Machine::new();
    let job = "--size 7 --checkpoint-interval 0.1";
    let begin = format!("{job} --cut 21:5 --max-time 0");
    machine.kt(&begin).assert().code(75);
    let resumed = machine.kt(&format!("{job} --max-time 0")).assert().code(75);
    assert!(text(&resumed.get_output().stderr).contains("resumed from"));
    let status = machine.kt("status --size 7 --json").output().unwrap();
    let status: serde_json::Value = serde_json::from_slice(&status.stdout).unwrap();
    assert_eq!((&status["engine"], &status["cut"]), (&"frontier".into(), &"21:5".into()));
    for other in ["--cut 21:4", "--engine walk", "--split-depth 3"] {
        let refused = machine.kt(&format!("{job} {other}")).output().unwrap();
        let said = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{said}");
        for words in ["--engine frontier --cut 21:5", other, "--fresh"] {
            assert!(said.contains(words), "{said}");
        }
    }
    let json = machine.json(job);
    assert_eq!((&json["directed"], &json["cut"]), (&"165575218320".into(), &"21:5".into()));
}

#[test]
fn shards_of_a_search_for_cycles_merge_to_the_whole_and_pass_an_audit() {
    let machine = Machine::new();
    let job = "--rows 5 --cols 8 --tours closed";
    for engine in ["walk", "frontier"] {
        let out = machine.state_folder().join(engine).display().to_string();
        for shard in 0..3 {
            machine
                .kt(&format!("shard {shard}/3 {job} --engine {engine} --out {out}"))
                .assert()
                .success();
        }
        let whole = machine.json(&format!("{job} --engine {engine}"));
        let merged = machine.kt(&format!("merge {out} --json")).output().unwrap();
        let merged: serde_json::Value = serde_json::from_slice(&merged.stdout).unwrap();
        assert_eq!(merged["undirected"], "44202");
        assert_eq!(merged["fingerprint"], whole["fingerprint"]);
        assert_eq!(merged["engine"], engine);
        machine.kt(&format!("audit {out} --sample 40")).assert().success();
    }
}

#[test]
fn tours_that_the_colours_of_their_ends_exclude_are_answered_at_once() {
    let machine = Machine::new();
    for question in [
        "--size 8 --from a1 --to h8",
        "--size 10 --from c1 --to c1",
        "--size 9 --from a1 --to a2",
        "--size 9 --to b1",
        "--size 9 --from a1 --to a1",
        "--size 9 --closed",
    ] {
        for (command, code, said) in [
            ("count -q", 0, "0\n"),
            ("list", 0, "there are no "),
            ("random", 0, "there are no "),
            ("nth 1", 2, "there are no "),
        ] {
            let mut command = machine.kt(&format!("{command} {question}"));
            let output = command.timeout(std::time::Duration::from_secs(10)).output().unwrap();
            let printed = text(&output.stdout) + &text(&output.stderr);
            assert_eq!(output.status.code(), Some(code), "{question}: {printed}");
            assert!(printed.contains(said), "{question}: {printed}");
        }
    }
}

/// The edges of a complete graph, one on each line.
fn complete(vertices: usize) -> String {
    let edges = (0..vertices).flat_map(|one| (0..one).map(move |other| (one, other)));
    edges.map(|(one, other)| format!("{one} {other}\n")).collect()
}

/// The graph of the Tower of Hanoi with three pegs: its vertices are the positions of the disks.
fn hanoi(disks: u32) -> String {
    let positions = 3_u32.pow(disks);
    let digit = |position: u32, disk: u32| position / 3_u32.pow(disk) % 3;
    let mut edges = String::new();
    for (position, disk) in (0..positions).flat_map(|p| (0..disks).map(move |disk| (p, disk))) {
        for peg in 0..3 {
            let from = digit(position, disk);
            // The smaller disks are on the third peg.
            let is_free = (0..disk).all(|less| ![from, peg].contains(&digit(position, less)));
            if from < peg && is_free {
                let to = position + (peg - from) * 3_u32.pow(disk);
                edges += &format!("{position} {to}\n");
            }
        }
    }
    edges
}

#[test]
fn any_board_is_counted_by_the_engine_with_the_shortest_forecast() {
    let machine = Machine::new();
    let petersen = "0 1\n1 2\n2 3\n3 4\n4 0\n0 5\n1 6\n2 7\n3 8\n4 9\n5 7\n7 9\n9 6\n6 8\n8 5\n";
    for (name, edges, tours, engine, directed) in [
        ("hanoi6", hanoi(6), "closed", "frontier", "2"),
        ("k12", complete(12), "open", "subsets", "479001600"),
        ("k19", complete(19), "closed", "subsets", "6402373705728000"),
        ("petersen", petersen.to_owned(), "open", "walk", "240"),
    ] {
        let path = machine.folder.path().join(name);
        std::fs::write(&path, edges).unwrap();
        let json = machine.json(&format!("--graph {} --tours {tours}", path.display()));
        assert_eq!((&json["engine"], &json["directed"]), (&engine.into(), &directed.into()));
    }
}

/// A cycle of `vertices` vertices, nearly all of which are joined to one more, drawn by a fixed
/// generator.
fn cubic(vertices: usize) -> BTreeSet<(usize, usize)> {
    let edge = |one: usize, other: usize| (one.min(other), one.max(other));
    let mut edges: BTreeSet<_> = (0..vertices).map(|v| edge(v, (v + 1) % vertices)).collect();
    let (mut free, mut state): (Vec<usize>, u64) = ((0..vertices).collect(), 1);
    while !free.is_empty() {
        let (one, mut drawn) = (free.remove(0), 0);
        // The last two may be neighbours already.
        for _ in 0..1000 {
            state = (state * 1_103_515_245 + 12_345) % (1 << 31);
            drawn = (state >> 8) as usize % free.len();
            if edges.insert(edge(one, free[drawn])) {
                break;
            }
        }
        free.remove(drawn);
    }
    edges
}

/// Returns the question for the cycles of a graph.
fn cycles_of(edges: impl IntoIterator<Item = (usize, usize)>) -> Question {
    let named = edges.into_iter().map(|(one, other)| (one.to_string(), other.to_string()));
    let network = Network::new(named.collect::<Vec<_>>(), std::iter::empty()).unwrap();
    Question::closed(Board::of_network(&network))
}

#[test]
fn off_the_plain_board_the_shortest_of_three_forecasts_chooses_the_engine() {
    let board = |name: &str| name.parse::<Board>().unwrap();
    let all_pairs = (0..20).flat_map(|one| (0..one).map(move |other| (one, other)));
    for (question, engine, why) in [
        (Question::closed(board("4x4 piece=wazir")), "walk", "a search ends at once"),
        (Question::open(board("5x5 piece=king")), "frontier", "sets of squares take seconds"),
        (Question::open(board("6x6 piece=wazir")), "frontier", "a short forecast needs no other"),
        (Question::closed(board("6x8 piece=wazir wrap=torus")), "frontier", "a search is long"),
        (cycles_of(all_pairs), "subsets", "the frontier takes a minute"),
        (cycles_of(cubic(120)), "frontier", "a search takes some times as long"),
    ] {
        let plan = Job::new(question).plan(&mut Silent).unwrap();
        let identity = plan.identity();
        assert_eq!(identity.engine.as_str(), engine, "{}: {why}", identity.question);
    }
}

#[test]
fn a_count_by_sets_of_squares_that_is_stopped_again_and_again_ends_with_the_factorial() {
    let machine = Machine::new();
    let path = machine.folder.path().join("k21");
    std::fs::write(&path, complete(21)).unwrap();
    let job = format!("--graph {} --checkpoint-interval 0", path.display());
    machine.kt(&format!("{job} --max-time 0")).assert().code(75);
    machine.kt(&format!("{job} --max-time 100ms")).assert().code(75);
    let status = machine.kt(&format!("status --graph {}", path.display())).output().unwrap();
    let said = text(&status.stdout);
    assert!(said.contains(" 0 directed tours"), "a part of the sum is no number of tours: {said}");
    // 21! is more than 64 bits hold.
    let json = machine.json(&job);
    assert_eq!(
        (&json["engine"], &json["directed"]),
        (&"subsets".into(), &"51090942171709440000".into())
    );
}

#[test]
fn counts_by_sets_of_squares_are_merged_audited_and_refused_where_they_do_not_fit() {
    let machine = Machine::new();
    let job = "--size 4 --piece king --engine subsets";
    let out = machine.state_folder().join("parts").display().to_string();
    for shard in 0..2 {
        machine.kt(&format!("shard {shard}/2 {job} --out {out}")).assert().success();
    }
    let whole = machine.json(job);
    let frontier = machine.json("--size 4 --piece king --engine frontier");
    let merged = machine.kt(&format!("merge {out} --json")).output().unwrap();
    let merged: serde_json::Value = serde_json::from_slice(&merged.stdout).unwrap();
    assert_eq!(merged["directed"], frontier["directed"]);
    assert_eq!(merged["fingerprint"], whole["fingerprint"]);
    let audit = machine.kt(&format!("audit {out}")).assert().success();
    assert!(text(&audit.get_output().stdout).contains("sets of squares"));
    for (refused, why) in [
        ("--size 9", "the most is 64; kt-enum find looks for one tour"),
        ("--size 4 --split-depth 2", "split"),
    ] {
        let output = machine.kt(&format!("{refused} --engine subsets")).output().unwrap();
        let said = text(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains(why), "{said}");
    }
}
