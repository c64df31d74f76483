//! The speed on boards of 9 and 10 columns, whose counts take hours: `cargo bench --bench slices`
//! takes about a minute.
//!
//! A process takes random slices of every round to the next one, as a forecast does. A seed selects
//! them, so every build processes the same slices and must find the same number of states. The figure
//! is the processor time as a share of that of an earlier build of this benchmark
//! (`target/release/deps/slices-...`), whose path is in `EARLIER`. Without it the benchmark is compared
//! with itself, which shows the noise.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod interleaved;

use interleaved::{Job, compare};
use kt_enum::board::Board;
use kt_enum::question::Question;
use kt_enum_engines::frontier::Frontier;
use kt_enum_runs::estimate::SampleSize;
use std::path::PathBuf;
use std::process::Command;

/// The words that make this program take slices through rounds, and not compare.
const SAMPLE: &str = "sample";

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [word, rows, cols, seed] = &words[..]
        && word == SAMPLE
    {
        return sample(rows.parse().unwrap(), cols.parse().unwrap(), seed.parse().unwrap());
    }
    let this = std::env::current_exe().unwrap();
    let earlier = std::env::var_os("EARLIER").map_or_else(|| this.clone(), PathBuf::from);
    println!("processor time as a share of the other's: median (least to most)");
    for (rows, cols) in [(9, 10), (10, 10)] {
        let arguments = format!("{SAMPLE} {rows} {cols} 1");
        let states = Command::new(&this).args(arguments.split(' ')).output().unwrap().stdout;
        let states = String::from_utf8(states).unwrap();
        let job = |program| Job::new(program, &arguments, &states);
        let (new, old) = (job(&this), job(&earlier));
        let what = format!("{rows}x{cols} closed, slices of all rounds, new / earlier");
        compare(&what, "target 0.6", 3, || new.processor_seconds(), || old.processor_seconds());
    }
}

/// Takes slices through all rounds of both halves and prints the number of states that they stand
/// for.
fn sample(rows: u32, cols: u32, seed: u64) {
    let question = Question::closed(Board::new(rows, cols).unwrap());
    let frontier = Frontier::new(question, None).unwrap();
    let size = SampleSize { effort: 1_000_000, memory: 4 << 30 };
    let forecast = frontier.forecast(size, seed, &|| 0.0, &|| false).unwrap();
    println!("{} states", forecast.states());
}
