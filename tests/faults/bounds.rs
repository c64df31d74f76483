//! Limits on memory and time on random boards, pieces, joined edges and graphs.

use super::environment::measured;
use crate::common::{Machine, signal};
use proptest::prelude::*;
use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A count: its arguments, and the edges of its graph if it is of one.
type Job = (String, Vec<(usize, usize)>);

fn on_a_rectangle() -> impl Strategy<Value = Job> {
    let pieces = vec!["knight", "king", "wazir", "zebra", "1,4", "camel+wazir", "1,2+0,1"];
    let wraps = vec!["", "--wrap torus", "--wrap cylinder", "--wrap moebius"];
    let (pieces, wraps) = (prop::sample::select(pieces), prop::sample::select(wraps));
    (4..=7_u32, 4..=8_u32, pieces, wraps).prop_map(|(rows, cols, piece, wrap)| {
        (format!("--rows {rows} --cols {cols} --piece {piece} {wrap}"), Vec::new())
    })
}

fn on_a_graph() -> impl Strategy<Value = Job> {
    (10..=32_usize, 2..=9_u32).prop_flat_map(|(count, tenths)| {
        let pairs = (0..count).flat_map(|one| (0..one).map(move |other| (one, other)));
        let drawn = prop::collection::vec(0..10_u32, count * count);
        drawn.prop_map(move |drawn| {
            // Neighbours in a ring are joined, so that there is something to count.
            let is_chosen = |&((one, other), drawn): &((usize, usize), &u32)| {
                one - other == 1 || *drawn < tenths
            };
            let edges = pairs.clone().zip(&drawn).filter(is_chosen).map(|(pair, _)| pair);
            ("--graph".to_owned(), edges.collect())
        })
    })
}

fn any_job() -> impl Strategy<Value = Job> {
    let kinds = prop::sample::select(vec!["open", "closed"]);
    (prop_oneof![on_a_rectangle(), on_a_graph()], kinds)
        .prop_map(|((job, edges), kind)| (format!("--tours {kind} {job}"), edges))
}

/// The arguments of a job, with the path of its graph.
fn arguments(machine: &Machine, (job, edges): &Job) -> String {
    if edges.is_empty() {
        return job.clone();
    }
    let file = machine.folder.path().join("graph.txt");
    let lines = edges.iter().map(|(one, other)| format!("v{one} v{other}\n"));
    fs::write(&file, lines.collect::<String>()).unwrap();
    format!("{job} {}", file.display())
}

/// The time that a process may take after it was to end: a second, and more for a busy machine.
pub const SLACK: Duration = Duration::from_secs(8);

const LIMITS: &str = "--threads 2 --memory 80M --disk 200M --progress none";

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 0, ..ProptestConfig::with_cases(10) })]

    #[test]
    fn a_count_of_any_board_keeps_to_its_memory_and_to_its_time(
        job in any_job(),
        engine in prop::sample::select(vec!["auto", "frontier"]),
    ) {
        let machine = Machine::new();
        let job = arguments(&machine, &job);
        let began = Instant::now();
        let job = format!("{job} --engine {engine} {LIMITS} --max-time 0.6s");
        let (code, _, said, most) = measured(&machine, &job);
        let took = began.elapsed();
        prop_assert!(matches!(code, Some(0 | 1 | 2 | 75)), "{job}: {code:?} {said}");
        prop_assert!(most <= 80 << 20, "{job}: {} MiB", most >> 20);
        prop_assert!(took <= Duration::from_millis(600) + SLACK, "{job}: {took:?}");
        // A board with many moves from a square is refused with so little, and gets more.
        if code == Some(2) {
            let job = job.replace("--memory 80M", "--memory 96M");
            let (code, _, said, most) = measured(&machine, &job);
            prop_assert!(matches!(code, Some(0 | 1 | 2 | 75)), "{job}: {code:?} {said}");
            prop_assert!(most <= 96 << 20, "{job}: {} MiB", most >> 20);
        }
    }

    #[test]
    fn a_count_of_any_board_ends_soon_after_it_is_told_to(job in any_job()) {
        let machine = Machine::new();
        let job = arguments(&machine, &job);
        let mut child = machine.start(&format!("{job} --engine frontier {LIMITS}"));
        sleep(Duration::from_millis(400));
        signal(&child, "TERM");
        let told = Instant::now();
        while child.try_wait().unwrap().is_none() {
            prop_assert!(told.elapsed() < SLACK, "{job}");
            sleep(Duration::from_millis(2));
        }
    }
}

/// Inputs whose boards are decided without a search, or are none: the name of each file, its text
/// and the commands that read it.
fn long_inputs() -> [(&'static str, String, &'static [&'static str]); 4] {
    [
        ("puzzles", "1 . .\n. . .\n. . .\n\n".repeat(50_000), &["solve", "solve --hint"]),
        ("drawings", "...\n.#.\n...\n\n".repeat(50_000), &["--board"]),
        ("boards", "# board 64x64 piece=king wrap=torus\n".repeat(50_000), &["solve"]),
        ("remarks", "# a remark\n\n".repeat(1_000_000), &["solve"]),
    ]
}

#[test]
fn no_input_however_long_keeps_a_command_from_its_time_or_from_a_signal() {
    let machine = Machine::new();
    for (name, content, commands) in long_inputs() {
        let path = machine.folder.path().join(name);
        fs::write(&path, content).unwrap();
        for command in commands {
            let command = format!("{command} {}", path.display());
            let began = Instant::now();
            let output = machine.kt(&format!("{command} --max-time 0.1s")).output().unwrap();
            let said = crate::common::text(&output.stderr);
            let is_stopped = output.status.code() == Some(75);
            // An input without boards is refused once it is read.
            let is_refused =
                output.status.code() == Some(2) && ["boards", "remarks"].contains(&name);
            assert!(is_stopped || is_refused, "{command}: {:?} {said}", output.status);
            assert!(began.elapsed() < SLACK, "{command}: {:?}", began.elapsed());
            let mut child = machine.start(&command);
            // What it prints is read, for it must not wait for its reader.
            let mut stdout = child.stdout.take().unwrap();
            let reader =
                std::thread::spawn(move || std::io::copy(&mut stdout, &mut std::io::sink()));
            sleep(Duration::from_millis(300));
            signal(&child, "TERM");
            let told = Instant::now();
            while child.try_wait().unwrap().is_none() {
                assert!(told.elapsed() < SLACK, "{command}");
                sleep(Duration::from_millis(2));
            }
            reader.join().unwrap().unwrap();
        }
    }
}
