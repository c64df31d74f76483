//! Estimates, compared with searches whose size is known.

use crate::common::{Machine, text};
use kt_enum::board::Board;
use kt_enum::question::Question;
use kt_enum_engines::frontier::Frontier;
use kt_enum_engines::walk::{MemoSize, Options, Walk};
use kt_enum_runs::estimate::{self, Expected, Forecast, ForecastEffort, Multiple, SampleSize};
use kt_enum_runs::run::{Settings, Silent, count};
use std::time::{Duration, Instant};

/// Checks that the bounds contain the truth for at least 9 of 10 seeds, for the nodes and for the
/// tours.
fn brackets_the_truth(rows: u32, cols: u32) {
    const PROBES: u64 = 40_000;
    let question = Question::open(Board::new(rows, cols).unwrap());
    let work =
        Walk::new(question.clone(), &Options { split_depth: None, memo: MemoSize::Off }).unwrap();
    let truth = count(&work, Settings::default(), &mut Silent).unwrap();
    let tours = truth.units.directed().to_f64();
    let (mut nodes_met, mut tours_met) = (0, 0);
    for seed in 0..10 {
        let guess = estimate::estimate(&work, PROBES, seed, &|| false).unwrap();
        let meets = |guess: &estimate::Interval, truth: f64| {
            u32::from((guess.low()..=guess.high()).contains(&truth))
        };
        nodes_met += meets(&guess.nodes, truth.effort.nodes as f64);
        tours_met += meets(&guess.tours, tours);
        assert!(guess.nodes.error < 0.2 * guess.nodes.mean, "too wide to say anything");
    }
    assert!(nodes_met >= 9 && tours_met >= 9, "{question}: {nodes_met} and {tours_met} of 10");
}

#[test]
fn estimates_of_6x6_bracket_the_truth() {
    brackets_the_truth(6, 6);
}

#[test]
fn estimates_of_5x8_bracket_the_truth() {
    brackets_the_truth(5, 8);
}

#[test]
fn estimates_of_4x10_bracket_the_truth() {
    brackets_the_truth(4, 10);
}

#[test]
fn the_same_seed_guesses_the_same_size() {
    let machine = Machine::new();
    let guess =
        |seed: u32| machine.json(&format!("estimate --size 6 --probes 20000 --seed {seed}"));
    assert_eq!(guess(5)["nodes"], guess(5)["nodes"]);
    assert_ne!(guess(5)["nodes"], guess(6)["nodes"]);
}

#[test]
fn the_estimate_is_printed_for_any_question() {
    let machine = Machine::new();
    for question in [
        "--size 6",
        "--rows 6 --cols 8 --tours closed",
        "--size 1",
        "--size 4 --from a1",
        "--rows 3 --cols 50",
        "--size 5 --tours closed",
    ] {
        let output = machine.kt(&format!("estimate {question} --probes 2000")).output().unwrap();
        assert!(output.status.success(), "{question}: {}", text(&output.stderr));
        let said = text(&output.stdout);
        assert!(said.contains(" nodes") && said.contains(" on "), "{said}");
    }
    machine.kt("estimate").assert().code(2);
}

#[test]
fn boards_with_nothing_to_search_have_no_nodes_and_the_tours_they_have() {
    let machine = Machine::new();
    for (size, tours) in [(1, "about 1 directed tour\n"), (2, "no directed"), (3, "no directed")] {
        let output = machine.kt(&format!("estimate --size {size}")).output().unwrap();
        let said = text(&output.stdout);
        assert!(
            said.contains("\nabout 0 nodes\n") && said.contains(&format!("\n{tours}")),
            "{said}"
        );
    }
}

#[test]
fn a_probe_from_the_root_of_a_small_board_is_the_whole_search() {
    let guess_and_truth = |rows, cols| {
        let question = Question::closed(Board::new(rows, cols).unwrap());
        let options = Options { split_depth: Some(0), memo: MemoSize::Off };
        let work = Walk::new(question, &options).unwrap();
        let guess = estimate::estimate(&work, 8, 1, &|| false).unwrap();
        let truth = count(&work, Settings::default(), &mut Silent).unwrap();
        (guess.nodes.mean, truth.effort.nodes)
    };
    assert_eq!(guess_and_truth(4, 6), (113.0, 113));
    // On larger boards the root counts as a node.
    assert_eq!(guess_and_truth(1, 30), (1.0, 0));
}

#[test]
fn boards_whose_numbers_no_float_squares_or_holds_have_bars_all_the_same() {
    let nodes = |side: u32| {
        let options = Options { split_depth: Some(0), memo: MemoSize::Off };
        let question = Question::open(Board::new(side, side).unwrap());
        let work = Walk::new(question, &options).unwrap();
        let guess = estimate::estimate(&work, 300, 1, &|| false).unwrap();
        [guess.nodes.low(), guess.nodes.mean, guess.nodes.high()]
    };
    let [low, mean, high] = nodes(22);
    assert!(mean > 1e154 && low < 0.99 * mean && 1.01 * mean < high && high < 1e300);
    assert_eq!(nodes(32), [0.0, f64::INFINITY, f64::INFINITY]);
}

/// Returns a forecast from a thin sample.
fn forecast(bytes: f64) -> Forecast {
    Forecast {
        before: bytes,
        within: bytes,
        bytes,
        unit_bytes: bytes,
        fill: 0.1,
        ..Forecast::default()
    }
}

#[test]
fn a_shard_is_not_expected_to_take_more_than_the_whole_nor_refused_for_what_the_whole_takes() {
    // A small sample of a shard once gave ten thousand times the size of the whole.
    let shard = forecast(1e14).at_most(forecast(1e10));
    assert!(shard.bytes <= 1e10);
    let expected = Expected { forecast: shard, before: 1.0, within: 1.0 };
    assert_eq!(expected.fits(1 << 19), Ok(true));
}

#[test]
fn bounds_that_a_refusal_names_are_no_longer_refused_however_large_the_count() {
    for bytes in [3e6, 1e9, 2.5e13] {
        let expected = Expected { forecast: forecast(bytes), before: 1.0, within: 1.0 };
        let refusal = expected.fits(1 << 17).unwrap_err();
        assert_eq!(expected.fits(refusal.enough), Ok(false));
        // The named limit is what is expected to be kept at once, and no more.
        assert!((bytes..=1.41 * bytes).contains(&(refusal.enough as f64)));
    }
    let beyond = Expected { forecast: forecast(1e30), before: 1.0, within: 1.0 };
    assert_eq!(beyond.fits(1 << 30).unwrap_err().enough, u64::MAX);
}

#[test]
fn a_forecast_whose_bounds_are_far_apart_is_none_and_refuses_nothing() {
    assert!(forecast(1e9).is_known());
    let vague = Forecast { continued: Some([1e-3, 1e3]), ..forecast(1e15) };
    assert!(!vague.is_known());
    let expected = Expected { forecast: vague, before: 1.0, within: 1.0 };
    assert_eq!(expected.fits(1 << 19), Ok(true));
}

#[test]
fn less_room_never_costs_less_and_ample_room_costs_nothing() {
    let expected = Expected { forecast: forecast(1e9), before: 1.0, within: 1.0 };
    let [_, most] = expected.forecast.bounds();
    assert_eq!(expected.in_groups((1.4e9 * most) as u64 + 1), None);
    assert!(expected.in_groups((1.39e9 * most) as u64).is_some());
    let mut before = [Multiple { states: 1.0, time: 1.0 }; 3];
    for room in [1 << 30, 1 << 29, 1 << 26, 1 << 20, 0] {
        let of_room = expected.in_groups(room).unwrap();
        for (less_room, more_room) in of_room.iter().zip(before) {
            assert!(less_room.states >= more_room.states && less_room.time >= more_room.time);
        }
        let [guess, least, most] = of_room;
        assert!(least.states <= guess.states && guess.states <= most.states);
        assert!(least.time <= guess.time && guess.time <= most.time);
        before = of_room;
    }
}

/// The counts in little memory whose work without limits is known: the share of the room that they
/// had, and the multiples of the states and of the time that they took.
fn bounded_counts() -> Vec<[f64; 3]> {
    let (mut counts, mut whole) = (Vec::new(), (0.0, f64::NAN));
    for line in include_str!("../../results/bounded-counts.tsv").lines() {
        let number = |text: &str| text.replace(',', "").parse().unwrap_or(f64::NAN);
        if let Some((_, figures)) = line.split_once(": ").filter(|_| line.starts_with('#')) {
            let of = |unit: &str| {
                let figure = figures.split(", ").find_map(|figure| figure.strip_suffix(unit));
                figure.map_or(f64::NAN, number)
            };
            whole = (of(" states"), of(" s"));
        } else if !line.starts_with("memory") {
            let fields: Vec<&str> = line.split('\t').collect();
            // Where it was expected to fit, no share is given.
            if fields[2] == "-" {
                continue;
            }
            counts.push([number(fields[2]), number(fields[3]), number(fields[7]) / whole.1]);
        }
    }
    counts
}

#[test]
fn groups_cost_about_what_counts_in_little_memory_have_taken() {
    const BYTES: f64 = 1e9;
    let whole = Forecast { is_whole: true, ..forecast(BYTES) };
    let expected = Expected { forecast: whole, before: 1.0, within: 1.0 };
    let counts = bounded_counts();
    assert!(counts.len() >= 18, "{} counts", counts.len());
    let (mut met, mut logarithms) = (0, Vec::new());
    for &[room, states, time] in &counts {
        let [guess, low, high] = expected.in_groups((BYTES * room) as u64).unwrap();
        met += u32::from((low.states..=high.states).contains(&states));
        if guess.states > 1.0 {
            logarithms.push(((guess.states - 1.0) / (states - 1.0)).ln());
        }
        assert!((low.time..=high.time).contains(&time), "{time} times the time");
    }
    let mean = (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp();
    assert!(met * 5 >= counts.len() as u32 * 4, "{met} of {} within the bounds", counts.len());
    assert!((0.6..1.2).contains(&mean), "{mean:.2} times the states that were repeated");
}

#[test]
fn an_estimate_under_limits_says_what_groups_cost() {
    let machine = Machine::new();
    let estimate = "estimate --rows 7 --cols 7 --engine frontier --within 3s --threads 2";
    let said =
        |limits: &str| text(&machine.kt(&format!("{estimate} {limits}")).output().unwrap().stdout);
    let ample = "--memory 4G --disk 4G";
    assert!(!said(ample).contains("groups"), "{}", said(ample));
    let tight = "--memory 64M --disk 100K";
    assert!(said(tight).contains("the units are counted in groups"), "{}", said(tight));
    let of_limits =
        |limits: &str| machine.json(&format!("{estimate} {limits}"))["frontier"].clone();
    assert!(of_limits(ample)["in_groups"].is_null());
    let forecast = of_limits(tight);
    let in_groups = &forecast["in_groups"];
    assert!(in_groups["room_bytes"].as_u64().unwrap() < 64 << 20);
    for name in ["states", "states_low", "states_high", "time_s", "time_low_s", "time_high_s"] {
        assert!(in_groups[name].as_f64() >= forecast[name].as_f64(), "{name}: {forecast}");
    }
}

#[test]
fn an_estimate_says_that_a_count_with_so_little_memory_is_refused() {
    let machine = Machine::new();
    let of_board = "--rows 7 --cols 7 --engine frontier --threads 2 --memory 22M";
    let count = machine.kt(&format!("count {of_board} --no-checkpoint")).output().unwrap();
    assert_eq!(count.status.code(), Some(2));
    let refusal = text(&count.stderr);
    let estimate = format!("estimate {of_board} --within 1s");
    let said = text(&machine.kt(&estimate).output().unwrap().stdout);
    let refused = said.lines().find_map(|line| line.split("it takes at least ").nth(1));
    let least = refused.expect(&said);
    assert!(refusal.contains(&format!("give at least {least}\n")), "{refusal}");
    assert!(!said.contains("groups"), "{said}");
    let document = machine.json(&estimate);
    assert!(document["frontier"]["in_groups"].is_null());
    let told = |document: &serde_json::Value| {
        format!("--memory {}M", document["least_memory_bytes"].as_u64().unwrap() >> 20)
    };
    assert_eq!(least, told(&document));
    // Whatever the engine, and even if the estimate has just counted the tours.
    for of_board in [
        "--size 6 --memory 10M",
        "--size 5 --memory 15M --threads 1",
        "--grid hex --size 5 --memory 30M",
    ] {
        let count = machine.kt(&format!("count {of_board} --no-checkpoint")).output().unwrap();
        let said =
            text(&machine.kt(&format!("estimate {of_board} --within 1s")).output().unwrap().stdout);
        assert_eq!(count.status.code(), Some(2), "{of_board}");
        assert!(said.starts_with("This count is refused with --memory "), "{said}");
        let least = told(&machine.json(&format!("estimate {of_board} --within 1s")));
        assert!(said.contains(&format!("it takes at least {least}\n")), "{said} {least}");
    }
}

#[test]
fn a_forecast_ends_without_a_result_when_its_time_is_over_or_it_is_stopped() {
    let question = Question::closed(Board::new(8, 13).unwrap());
    let frontier = Frontier::new(question, None).unwrap();
    assert_eq!(frontier.known_sizes(), None);
    let guess = |within, stop| {
        estimate::of_frontier(&frontier, ForecastEffort { within, memory: 1 << 30, seed: 0, stop })
    };
    assert_eq!(guess(Duration::ZERO, &|| false), None);
    assert_eq!(guess(Duration::from_secs(1000), &|| true), None);
}

#[test]
fn a_sample_in_less_memory_is_a_thinner_one() {
    let question = Question::closed(Board::new(6, 12).unwrap());
    let frontier = Frontier::new(question, None).unwrap();
    let fill = |memory| {
        let size = SampleSize { effort: 10_000_000, memory };
        let forecast = frontier.forecast(size, 0, &|| 0.0, &|| false);
        forecast.map_or(0.0, |forecast| forecast.fill)
    };
    assert_eq!(fill(1 << 30), 1.0);
    assert!(fill(1 << 18) < 1.0);
}

#[test]
fn an_estimate_of_a_board_that_no_engine_finishes_points_to_one_tour() {
    let machine = Machine::new();
    let estimate = "estimate --size 12 --closed --probes 100";
    let said = text(&machine.kt(estimate).output().unwrap().stdout);
    assert!(said.contains("more than a million years"), "{said}");
    assert!(said.contains("kt-enum find --size 12x12 --closed"), "{said}");
}

/// A graph in which every other pair of vertices is joined, roughly.
fn dense(vertices: u32) -> String {
    let pairs = (0..vertices).flat_map(|one| (0..one).map(move |other| (one, other)));
    let is_joined = |&(one, other): &(u32, u32)| (one * 7 + other * 11 + one * other) % 5 < 3;
    pairs.filter(is_joined).map(|(one, other)| format!("{one} {other}\n")).collect()
}

#[test]
fn an_estimate_of_a_dense_graph_ends_in_its_time() {
    let machine = Machine::new();
    for vertices in [30, 40] {
        let path = machine.folder.path().join("dense");
        std::fs::write(&path, dense(vertices)).unwrap();
        let began = Instant::now();
        let job = format!("estimate --graph {} --within 2s", path.display());
        let output = machine.kt(&job).output().unwrap();
        assert!(began.elapsed() < Duration::from_secs(60), "{vertices}: it does not end");
        assert!(output.status.success(), "{vertices}: {}", text(&output.stderr));
        let said = text(&output.stdout);
        for part in [" nodes (", "--engine frontier", "by sets of squares"] {
            assert!(said.contains(part), "{said}");
        }
    }
}

#[test]
fn what_ends_in_a_moment_is_counted_and_not_estimated() {
    let machine = Machine::new();
    let path = machine.folder.path().join("dense");
    std::fs::write(&path, dense(16)).unwrap();
    for question in [format!("--graph {}", path.display()), "--size 4 --piece king".to_owned()] {
        let output = machine.kt(&format!("estimate {question}")).output().unwrap();
        let (said, counted) = (text(&output.stdout), machine.json(&question));
        assert!(said.contains("less than a second"), "{said}");
        let json = machine.kt(&format!("estimate {question} --json")).output().unwrap();
        let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
        let directed = counted["directed"].as_str().unwrap().parse::<f64>().unwrap();
        assert_eq!(
            (&json["directed_low"], &json["directed_high"]),
            (&directed.into(), &directed.into())
        );
    }
}

#[test]
fn an_estimate_begins_with_the_time_of_the_count_that_would_be_made() {
    let machine = Machine::new();
    let path = machine.folder.path().join("dense");
    std::fs::write(&path, dense(16)).unwrap();
    for question in [
        "--size 5".to_owned(),
        "--size 4x7 --closed".to_owned(),
        "--size 6x8 --closed".to_owned(),
        "--size 5x7 --engine walk".to_owned(),
        "--size 6x7 --engine frontier".to_owned(),
        "--size 3x8 --piece king --closed".to_owned(),
        "--size 3x3 --piece king --without b2 --closed".to_owned(),
        format!("--graph {}", path.display()),
    ] {
        let counted = machine.json(&format!("{question} --no-checkpoint"));
        let estimate = format!("estimate {question} --threads 2 --within 10s --probes 500");
        let said = text(&machine.kt(&estimate).output().unwrap().stdout);
        let engine = counted["engine"].as_str().unwrap();
        let first = said.lines().next().unwrap();
        assert!(first.starts_with("This count takes about "), "{said}");
        assert!(first.contains(&format!(" on 2 threads, by {engine}, with ")), "{said}");
        assert!(first.ends_with(" of memory and no disk"), "{said}");
        let json = machine.json(&estimate);
        assert_eq!(json["engine"], counted["engine"], "{json}");
        let times = ["time_s", "time_low_s", "time_high_s"].map(|name| json[name].as_f64());
        let [Some(time), Some(low), Some(high)] = times else { panic!("{json}") };
        assert!(0.0 < low && low <= time && time <= high && time < 60.0, "{json}");
        assert!(json["memory_bytes"].as_f64() > Some(1e6), "{json}");
    }
}

#[test]
fn the_first_time_of_an_estimate_is_not_that_of_an_engine_that_is_not_taken() {
    let machine = Machine::new();
    // The search takes a hundred times as long as the frontier, or more.
    let json = machine.json("estimate --size 6x8 --probes 2000 --within 3s");
    assert_eq!(json["engine"], "frontier");
    let [time, search] = ["time_s", "search_time_s"].map(|name| json[name].as_f64().unwrap());
    assert!(100.0 * time < search, "{json}");
    assert_eq!(json["time_s"], json["frontier"]["time_s"]);
}

#[test]
fn no_more_disk_is_foretold_than_a_count_may_take() {
    let estimate = "estimate --size 8x10 --memory 1G --disk 100M --engine frontier --within 2s";
    let disk = Machine::new().json(estimate)["disk_bytes"].as_f64();
    assert!(disk.is_none_or(|disk| disk <= (100 << 20) as f64), "{disk:?}");
}

#[test]
fn a_time_that_is_not_known_is_null_and_never_0() {
    let machine = Machine::new();
    let estimate = "estimate --size 10 --engine frontier --within 0.5s";
    let json = machine.json(estimate);
    for name in ["time_s", "time_low_s", "time_high_s", "memory_bytes", "disk_bytes"] {
        assert!(json[name].is_null(), "{json}");
    }
    let said = text(&machine.kt(estimate).output().unwrap().stdout);
    assert!(said.starts_with("How long this count takes on "), "{said}");
    let estimate = "estimate --size 20 --within 1s";
    let json = machine.json(estimate);
    let said = text(&machine.kt(estimate).output().unwrap().stdout);
    assert!(json["directed"].is_null(), "{json}");
    assert!(said.contains("\nan unknown number of directed tours: no probe met one\n"), "{said}");
    let json = machine.json("estimate --size 1");
    assert!(json["time_s"].as_f64() > Some(0.0), "{json}");
}

#[test]
fn a_machine_forecasts_with_its_own_rates_once_it_has_counted() {
    let machine = Machine::new();
    let file = machine.state_folder().join("rates");
    // The sizes of this board are known, so that no sample shows how fast the machine is.
    let estimate = "estimate --size 6x8 --engine frontier --threads 1";
    let before = machine.json(estimate)["time_s"].as_f64().unwrap();
    let [rates, slower] = ["1.5e-8", "1.5e-7"]
        .map(|before| format!("kt-enum rates 1\nnode 1.7e-8\nstate before the units {before}\n"));
    std::fs::create_dir_all(machine.state_folder()).unwrap();
    std::fs::write(&file, rates).unwrap();
    let usual = machine.json(estimate)["time_s"].as_f64().unwrap();
    assert!((0.99..1.01).contains(&(usual / before)), "{before} and {usual}");
    std::fs::write(&file, slower).unwrap();
    let slow = machine.json(estimate)["time_s"].as_f64().unwrap();
    assert!((9.9..10.1).contains(&(slow / usual)), "{usual} and {slow}");
    // What is no file of rates is left as it is.
    std::fs::write(&file, "mine").unwrap();
    assert_eq!(machine.json(estimate)["time_s"].as_f64(), Some(usual));
    assert_eq!(std::fs::read(&file).unwrap(), b"mine");
}
