//! The cost of counting without listing: `cargo bench --bench frontier` takes a quarter of an hour on
//! two quiet cores. `cargo bench --bench frontier -- 8x8-open` includes 8x8 open, which takes an hour
//! and 30 GB of disk.
//!
//! The baselines are two frozen programs: one counts by slices of half boards on two threads, and the
//! other counts the open tours of 6x6 by walking on one thread.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod interleaved;

use interleaved::{Job, all_boards, baseline, compare};
use std::path::PathBuf;

/// A comparison on one board: its name, the arguments of the program and of the baseline, the
/// directed and undirected counts that they must print, the target for the program's share of the
/// baseline's time, and the number of rounds.
struct Board {
    name: &'static str,
    program: &'static str,
    baseline: &'static str,
    printed: [&'static str; 2],
    target: &'static str,
    rounds: usize,
}

const BOARDS: &[Board] = &[
    Board {
        name: "5x8 open",
        program: "--rows 5 --cols 8 --engine frontier",
        baseline: "5 8 open 18 1 2",
        printed: ["36122108", " undirected 18061054 "],
        target: "target 0.6",
        rounds: 15,
    },
    Board {
        name: "6x7 open",
        program: "--rows 6 --cols 7 --engine frontier",
        baseline: "6 7 open 19 2 2",
        printed: ["779938932", " undirected 389969466 "],
        target: "target 0.6",
        rounds: 9,
    },
    Board {
        name: "7x7 open",
        program: "--size 7 --engine frontier",
        baseline: "7 7 open 22 3 2",
        printed: ["165575218320", " undirected 82787609160 "],
        target: "target 0.5",
        rounds: 5,
    },
    Board {
        name: "7x10 closed",
        program: "--rows 7 --cols 10 --tours closed --engine frontier",
        baseline: "7 10 closed 32 3 2",
        printed: ["1250063279938854", " undirected 1250063279938854 "],
        target: "target 0.35",
        rounds: 3,
    },
    Board {
        name: "8x8 closed",
        program: "--size 8 --tours closed --engine frontier",
        baseline: "8 8 closed 29 4 2",
        printed: ["13267364410532", " undirected 13267364410532 "],
        target: "target 0.3",
        rounds: 3,
    },
];

const LONGEST: Board = Board {
    name: "8x8 open",
    program: "--size 8 --engine frontier",
    baseline: "8 8 open 29 5 2",
    printed: ["19591828170979904", " undirected 9795914085489952 "],
    target: "target 0.35",
    rounds: 1,
};

fn main() {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_kt-enum"));
    let job = |arguments: &str, count| {
        Job::new(&program, &format!("--no-checkpoint -q {arguments}"), count)
    };
    let slices = baseline("slices_baseline");
    let against_slices = |board: &Board| {
        let [directed, undirected] = board.printed;
        let ours = job(&format!("{} --threads 2", board.program), directed);
        let frozen = Job::new(&slices, board.baseline, undirected);
        let what = format!("{}, two threads / baseline", board.name);
        compare(&what, board.target, board.rounds, || ours.seconds(), || frozen.seconds());
    };
    println!("time as a share of the other's: median (least to most)");
    BOARDS.iter().for_each(against_slices);
    let on = |threads: u32| {
        let arguments = format!("--size 8 --tours closed --engine frontier --threads {threads}");
        job(&arguments, "13267364410532")
    };
    let (one, two) = (on(1), on(2));
    let what = "8x8 closed, one thread / two threads";
    compare(what, "target 1.9", 3, || one.seconds(), || two.seconds());

    let frozen = Job::new(&baseline("walk_baseline"), "6 6", "6637920");
    let all = Job::all(&program, all_boards());
    let what = "all boards of at most 40 squares, auto / baseline";
    compare(what, "target 2", 7, || all.seconds(), || frozen.seconds());
    let (frontier, walk) =
        (job("--size 6 --engine frontier", "6637920"), job("--size 6 --engine walk", "6637920"));
    let what = "6x6 open, frontier / walk";
    compare(what, "target 1", 7, || frontier.seconds(), || walk.seconds());
    if std::env::args().any(|argument| argument == "8x8-open") {
        // Its states do not fit a small memory, so it has a checkpoint.
        let checkpoint = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("8x8-open.kt");
        let arguments = format!(
            "{} --threads 2 -q --fresh --checkpoint {}",
            LONGEST.program,
            checkpoint.display()
        );
        let ours = Job::new(&program, &arguments, LONGEST.printed[0]);
        let frozen = Job::new(&slices, LONGEST.baseline, LONGEST.printed[1]);
        // Once each, without a run to warm up.
        let (ours, frozen) = (ours.seconds(), frozen.seconds());
        println!(
            "{}, two threads / baseline: {:.3} ({ours:.0} s / {frozen:.0} s)  {}",
            LONGEST.name,
            ours / frozen,
            LONGEST.target
        );
    }
}
