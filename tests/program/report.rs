//! The page about a run, parsed as a browser would parse it.

use crate::common::watched::Watched;
use crate::common::{Machine, by_frontier, text};
use kt_enum::board::{Board, Square, Symmetry};
use kt_enum::question::Question;
use kt_enum::tally::Tally;
use kt_enum::units::Units;
use kt_enum_board::board::orbit;
use kt_enum_engines::plain;
use kt_enum_engines::starts::{self, Meaning, Starts, StartsError};
use kt_enum_engines::walk::{Options, Walk};
use kt_enum_runs::run::checkpoint::peek;
use kt_enum_runs::run::{self, Settings, Silent};
use proptest::prelude::*;
use roxmltree::{Document, Node, ParsingOptions};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

// The page

/// The content of a page.
struct Page {
    html: String,
}

impl Page {
    fn read<T>(&self, look: impl FnOnce(&Document) -> T) -> T {
        let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
        look(&Document::parse_with_options(&self.html, options).unwrap())
    }

    fn texts(&self, wanted: impl Fn(&Node) -> bool) -> Vec<String> {
        self.read(|page| {
            let found = page.descendants().filter(|node| wanted(node));
            found.map(|node| text_of(&node)).collect()
        })
    }

    fn class(&self, class: &str) -> Vec<String> {
        self.texts(|node| node.attribute("class") == Some(class))
    }

    fn number(&self) -> String {
        self.class("number").concat()
    }

    fn command(&self) -> String {
        self.class("command").concat()
    }

    fn headings(&self) -> Vec<String> {
        self.texts(|node| node.has_tag_name(("http://www.w3.org/1999/xhtml", "h2")))
    }

    fn fact(&self, name: &str) -> String {
        let facts = self.texts(|node| ["dt", "dd"].contains(&node.tag_name().name()));
        let place = facts.iter().position(|fact| fact == name).unwrap();
        facts[place + 1].clone()
    }

    /// Returns the rows of the table of sessions.
    fn sessions(&self) -> Vec<Vec<String>> {
        self.read(|page| {
            let rows = page.descendants().filter(|node| {
                node.tag_name().name() == "tr"
                    && node.parent().is_some_and(|above| above.tag_name().name() == "tbody")
            });
            let cells = |row: Node| row.children().map(|cell| text_of(&cell)).collect();
            rows.map(cells).collect()
        })
    }

    /// Returns the squares of the map with their numbers.
    fn map(&self) -> BTreeMap<String, u128> {
        let squares = self.read(|page| {
            let squares = page
                .descendants()
                .filter(|node| matches!(node.attribute("class"), Some("heat" | "cell")));
            squares.map(|node| text_of(&node)).collect::<Vec<_>>()
        });
        let square = |says: &String| {
            let (name, count) = says.split_once(": ").unwrap();
            (name.to_owned(), count.replace(',', "").parse().unwrap())
        };
        squares.iter().map(square).collect()
    }
}

fn text_of(node: &Node) -> String {
    let texts = node.descendants().filter(Node::is_text);
    texts.filter_map(|text| text.text()).collect::<String>().trim().to_owned()
}

/// Makes the page about a file, which has to stay unchanged.
fn report(machine: &Machine, run: &Path, options: &str) -> Page {
    let before = run.is_file().then(|| fs::read(run).unwrap());
    let mut command = machine.kt("report");
    let output = command.arg(run).args(options.split_whitespace()).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(run.is_file().then(|| fs::read(run).unwrap()), before);
    Page { html: text(&output.stdout) }
}

/// Stops a run and returns the path of its checkpoint, which has this name.
fn stopped(machine: &Machine, name: &str) -> PathBuf {
    let path = machine.folder.path().join(name);
    let job = "--rows 5 --cols 8 --memo off --split-depth 3 --threads 1 --checkpoint-interval 0";
    let mut count = machine.kt(&format!("{job} --max-time 0"));
    count.arg("--checkpoint").arg(&path).assert().code(75);
    path
}

/// Makes the page about the units of a count.
fn counted(machine: &Machine, count: &str, options: &str) -> (serde_json::Value, Page) {
    let path = machine.folder.path().join("units");
    let keep = format!("--no-checkpoint --overwrite --keep-units {}", path.display());
    let json = machine.json(&format!("{count} {keep}"));
    (json, report(machine, &path, options))
}

fn digits(number: &serde_json::Value) -> u128 {
    number.as_str().unwrap().parse().unwrap()
}

#[test]
fn the_page_of_a_finished_count_has_its_number_its_fingerprint_and_the_command_that_repeats_it() {
    let machine = Machine::new();
    for count in [
        "--size 6 --split-depth 4",
        "--rows 5 --cols 6 --from a1",
        "--rows 5 --cols 6 --to c2 --split-depth 3",
        "--rows 4 --cols 5 --from b1 --to a1",
        "--size 6 --tours closed",
        "--rows 3 --cols 10 --tours closed --engine walk",
        "--size 1",
        "--size 4",
    ] {
        let (json, page) = counted(&machine, count, "");
        let wanted = match count.contains("closed") {
            true => &json["undirected"],
            false => &json["directed"],
        };
        assert_eq!(page.number().replace(',', ""), wanted.as_str().unwrap(), "{count}");
        assert_eq!(page.fact("fingerprint"), json["fingerprint"].as_str().unwrap());
        let again = page.command();
        let again = again.strip_prefix("kt-enum ").unwrap();
        let again = machine.json(&format!("{again} --no-checkpoint"));
        for field in ["directed", "fingerprint", "units", "engine", "from", "to"] {
            assert_eq!(again[field], json[field], "{count}: {field}");
        }
        if !count.contains("closed") && !page.map().is_empty() {
            assert_eq!(page.map().values().sum::<u128>(), digits(&json["directed"]), "{count}");
        }
    }
}

#[test]
fn the_published_counts_by_start_stand_on_the_map() {
    let machine = Machine::new();
    let golden = include_str!("../golden/counts.tsv");
    let mut squares = 0;
    for line in golden.lines().filter(|line| line.contains("open directed from")) {
        let fields: Vec<&str> = line.split('\t').collect();
        let count = format!("--rows {} --cols {}", fields[0], fields[1]);
        let (json, page) = counted(&machine, &count, "");
        let map = page.map();
        assert_eq!(map[fields[3]].to_string(), fields[4], "{line}");
        assert_eq!(map.values().sum::<u128>(), digits(&json["directed"]));
        assert!(page.headings().contains(&"Tours by start square".to_owned()));
        squares += 1;
    }
    assert!(squares >= 10);
}

#[test]
fn a_map_of_a_larger_board_is_counted_by_start_when_asked_and_else_by_an_end() {
    let machine = Machine::new();
    let (json, page) = counted(&machine, "--rows 5 --cols 8 --engine walk", "");
    assert_eq!(digits(&json["directed"]), 36_122_108);
    assert_eq!(page.map().values().sum::<u128>(), 36_122_108);
    assert!(page.headings().contains(&"Tours by one of their ends".to_owned()));
    let units = machine.folder.path().join("units");
    let by_start = report(&machine, &units, "--starts --threads 1 --memory 2G").map();
    assert_eq!(by_start.values().sum::<u128>(), 36_122_108);
    for square in ["a1", "b1", "d3"] {
        let from = machine.json(&format!("--rows 5 --cols 8 --from {square}"));
        assert_eq!(by_start[square], digits(&from["directed"]), "{square}");
    }
}

#[test]
fn closed_tours_have_no_map_and_the_page_says_why() {
    let machine = Machine::new();
    let (_, page) = counted(&machine, "--size 6 --tours closed", "");
    assert!(page.map().is_empty());
    assert!(page.html.contains("A closed tour has no start"));
}

#[test]
fn a_wrong_count_under_a_right_checksum_is_found_by_the_counts_by_start() {
    let machine = Machine::new();
    let path = machine.folder.path().join("units");
    machine.json(&format!("--size 5 --no-checkpoint --keep-units {}", path.display()));
    let mut units = Units::read(&path).unwrap();
    // The file gets eight more tours: a symmetric set, so that only the sum shows the error.
    let unit = units.counts.iter_mut().find(|unit| unit.1 > Tally::ZERO).unwrap();
    unit.1 += Tally::from(8_u32);
    units.write(&path).unwrap();
    let output = machine.kt("report").arg(&path).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("add up to 1728, not to the 1736"));
}

#[test]
fn the_history_of_a_run_stopped_and_resumed_twice_has_three_sessions() {
    let machine = Machine::new();
    let path = machine.folder.path().join("run.kt");
    let units = machine.folder.path().join("units");
    let job = format!(
        "--rows 5 --cols 8 --memo off --split-depth 3 --checkpoint-interval 0 --checkpoint {} --keep-units {}",
        path.display(),
        units.display()
    );
    for (share, threads) in [(0.02, 1), (0.05, 2)] {
        let mut run = Watched::start(&machine, &format!("{job} --threads {threads}"));
        run.hold_when(&path, |header| header.status.found.to_f64() > share * 36_122_108.0);
        run.stop();
    }
    let stopped = report(&machine, &path, "");
    assert_eq!(stopped.sessions().len(), 2);
    let header = peek(&path).unwrap().unwrap();
    assert_eq!(stopped.number().replace(',', ""), header.status.found.to_string());
    let sum = stopped.map().values().sum::<u128>();
    assert_eq!(Tally::from(sum), header.status.found);
    // The command shown is the one that resumes the run.
    let resume = stopped.command();
    let resume = resume.strip_prefix("kt-enum ").unwrap();
    let output = machine
        .kt(&format!("{resume} --keep-units {} --threads 3", units.display()))
        .output()
        .unwrap();
    assert!(text(&output.stderr).contains("resumed from"));
    assert!(output.status.success());

    let page = report(&machine, &units, "");
    assert_eq!(page.number(), "36,122,108");
    let sessions = page.sessions();
    let column = |column: usize| -> Vec<&str> {
        sessions.iter().map(|session| session[column].as_str()).collect()
    };
    assert_eq!(column(0), ["begun", "resumed", "resumed", "finished"]);
    assert_eq!(column(6), ["1", "2", "3", ""]);
    assert_eq!((column(2)[3], column(4)[3]), ("100.0 %", "36,122,108"));
    assert!(column(1).iter().all(|when| when.ends_with(" UTC")));
    let tours: Vec<Tally> =
        column(4).iter().map(|count| count.replace(',', "").parse().unwrap()).collect();
    assert_eq!((&tours[0], &tours[2]), (&Tally::ZERO, &header.status.found));
    assert!(tours[0] < tours[1] && tours[1] < tours[2]);
    assert!(page.headings().contains(&"Rate".to_owned()));
    // A resumption at the very edge of a plot is not marked there.
    assert!(!page.class("cut").is_empty(), "marks where it was resumed");
    assert!(page.class("cut").iter().all(|cut| cut.starts_with("resumed ")));
    // The count does not depend on the course of the run.
    let whole = machine.json("--rows 5 --cols 8 --split-depth 3 --no-checkpoint");
    assert_eq!(page.fact("fingerprint"), whole["fingerprint"].as_str().unwrap());
    machine.kt(&format!("audit {} --sample 5", units.display())).assert().success();
}

#[test]
fn a_live_run_is_reported_and_continues() {
    let machine = Machine::new();
    let mut run = Watched::start(&machine, "--rows 6 --cols 7 --memo off --checkpoint-interval 0");
    run.hold_at("saved");
    let path = machine.state_folder().join("open-6x7.kt");
    let output = machine.kt("report").arg(&path).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let page = text(&output.stdout);
    assert!(page.contains(&format!("live: pid {}", run.child.id())));
    run.stop();
}

#[test]
fn a_count_by_the_frontier_stopped_before_its_units_is_reported_with_how_far_it_is() {
    let machine = Machine::new();
    let path = machine.folder.path().join("run.kt");
    let count = format!("--size 7x9 --engine frontier --checkpoint {}", path.display());
    for _ in 0..2 {
        machine.kt(&format!("{count} --max-time 0")).assert().code(75);
    }
    let page = report(&machine, &path, "");
    assert_eq!(page.sessions().len(), 2);
    assert!(page.map().is_empty());
    assert!(page.html.contains("The run is before its units: round "));
    let header = peek(&path).unwrap().unwrap();
    let cut = header.identity.split.cut().unwrap();
    let command = count.replace("--engine frontier", &format!("--engine frontier --cut {cut}"));
    assert_eq!(page.command(), format!("kt-enum count {command}"));
    assert!(header.status.building.is_some() && header.done == 0);
    assert_eq!(page.number(), "No tours yet");
}

#[test]
fn a_count_by_the_frontier_stopped_in_its_units_is_reported_without_a_map() {
    let machine = Machine::new();
    let path = machine.folder.path().join("run.kt");
    let count = format!(
        "--size 7 --engine frontier --threads 1 --checkpoint-interval 0.1 --checkpoint {}",
        path.display()
    );
    let mut run = Watched::start(&machine, &count);
    run.hold_when(&path, |header| header.done > 0);
    run.stop();
    let page = report(&machine, &path, "");
    let header = peek(&path).unwrap().unwrap();
    assert!(page.map().is_empty());
    assert_eq!(page.number().replace(',', ""), header.status.found.to_string());
    assert!(
        page.html.contains(&format!("{} of {} units done", header.done, header.identity.units))
    );
}

#[test]
fn parts_of_shards_and_what_is_merged_from_them_are_reported() {
    let machine = Machine::new();
    let parts = machine.folder.path().join("parts");
    let mut sum = 0;
    for shard in ["0/2", "1/2"] {
        let count = format!("shard {shard} --rows 5 --cols 6 --out {}", parts.display());
        let directed = digits(&machine.json(&count)["directed"]);
        let part = parts.join(format!("part-{}-of-2", &shard[..1]));
        let page = report(&machine, &part, "");
        assert_eq!(page.number().replace(',', ""), directed.to_string());
        assert_eq!(page.map().values().sum::<u128>(), directed);
        assert!(page.command().contains(&format!("shard {shard} ")));
        assert_eq!(page.sessions().len(), 2, "when it was begun and finished");
        sum += directed;
    }
    let merged = machine.folder.path().join("merged");
    let json =
        machine.json(&format!("merge {} --keep-units {}", parts.display(), merged.display()));
    for run in [&parts, &merged] {
        let page = report(&machine, run, "");
        assert_eq!(page.number().replace(',', ""), sum.to_string());
        assert_eq!(page.fact("fingerprint"), json["fingerprint"].as_str().unwrap());
    }
}

#[test]
fn what_cannot_be_reported_is_refused_with_its_code_and_nothing_is_written() {
    let machine = Machine::new();
    let file = |name: &str, bytes: &[u8]| -> PathBuf {
        let path = machine.folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let checkpoint = fs::read(stopped(&machine, "stopped.kt")).unwrap();
    let mut flipped = checkpoint.clone();
    flipped[40] ^= 1;
    let units = machine.folder.path().join("units");
    machine.json(&format!("--size 5 --no-checkpoint --keep-units {}", units.display()));
    let sound = fs::read(&units).unwrap();
    let closed = machine.folder.path().join("closed");
    machine.json(&format!("--size 6 --tours closed --keep-units {}", closed.display()));
    let missing = machine.folder.path().join("missing");
    let empty = machine.folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    for (run, options, code, says) in [
        (file("flipped.kt", &flipped), "", 65, "flipped.kt is damaged"),
        (file("short.kt", &checkpoint[..100]), "", 65, "short.kt is damaged"),
        (file("short", &sound[..sound.len() / 2]), "", 65, "short is damaged"),
        (missing, "", 1, "there is no "),
        (empty, "", 1, "no part in "),
        (file("letter", b"Dear all"), "", 65, "neither a checkpoint nor a file of units"),
        (file("good.kt", &checkpoint), "--starts", 2, "not finished: leave out --starts"),
        (closed, "--starts", 2, "closed tours start nowhere"),
    ] {
        let out = machine.folder.path().join("out.html");
        let mut command = machine.kt("report");
        command.arg(&run).arg("-o").arg(&out).args(options.split_whitespace());
        let output = command.output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(said.contains(says), "{said}");
        assert!(!out.exists());
    }
    let onto_itself = machine.kt("report").arg(&units).arg("-o").arg(&units).output().unwrap();
    assert_eq!(onto_itself.status.code(), Some(2));
    assert_eq!(fs::read(&units).unwrap(), sound);
}

#[test]
fn a_file_name_cannot_put_anything_into_the_page() {
    let machine = Machine::new();
    let name = "<script>alert('&') <img src=x onerror=\"a\">.kt";
    let path = stopped(&machine, name);
    let page = report(&machine, &path, "");
    assert!(page.fact("file").ends_with(name));
    for tag in ["script", "img"] {
        assert_eq!(page.texts(|node| node.tag_name().name() == tag), [""; 0]);
    }
    assert!(page.html.contains("default-src 'none'"));
    // A shell parses the command as it is meant.
    let shown = std::process::Command::new("sh")
        .arg("-c")
        .arg(page.command().replace("kt-enum count", "printf '%s\\n'"))
        .output()
        .unwrap();
    assert_eq!(text(&shown.stdout).lines().last(), path.to_str());
}

// The map, compared with plain backtracking

/// Questions on boards of up to 20 squares, each with the depth of its split.
fn any_question() -> impl Strategy<Value = (Question, u32)> {
    let sides = (1..=5u32, 3..=6u32).prop_filter("small", |(rows, cols)| rows * cols <= 20);
    (sides, 0..4u32, 0..40usize, 0..40usize).prop_map(|((rows, cols), depth, from, to)| {
        let board = Board::new(rows, cols).unwrap();
        let end = |end: usize| (end < board.squares()).then(|| Square::from_index(end));
        let depth = depth.min(board.squares() as u32 - 1);
        (Question::open_between(board.clone(), end(from), end(to)), depth)
    })
}

/// Lists the tours by plain backtracking and counts each on the square that represents it.
fn plainly(question: &Question, meaning: Meaning) -> Vec<Tally> {
    let board = &question.board;
    let rank = |square| orbit(board, Symmetry::of(board), square)[0];
    let mut tours = vec![Tally::ZERO; board.squares()];
    plain::visit(question, &mut |tour| {
        let (first, last) = (tour[0], tour[tour.len() - 1]);
        let square = match meaning {
            Meaning::Start => first,
            Meaning::EarlierEnd if rank(last) < rank(first) => last,
            Meaning::EarlierEnd => first,
            Meaning::FirstMove => tour[1],
            Meaning::LastMove => tour[tour.len() - 2],
        };
        tours[square.index()] += Tally::from(1_u32);
    });
    tours
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_square_of_the_map_has_the_tours_that_plain_backtracking_finds((question, depth) in any_question()) {
        let options = Options { split_depth: Some(depth), ..Options::default() };
        let work = Walk::new(question.clone(), &options).unwrap();
        let settings = Settings::on_threads(1);
        let units = run::count(&work, settings, &mut Silent).unwrap().units;
        let counts = units.counts.iter().map(|(label, count)| (label.as_str(), count));
        match starts::of_units(&question, counts).unwrap() {
            None => prop_assert!(!question.is_whole() && depth == 0),
            Some(map) => prop_assert_eq!(&map.tours, &plainly(&question, map.meaning)),
        }
        if question.is_whole() {
            let board = &question.board;
            let of_orbit = |orbit: Vec<Square>| {
                let question = Question::open_between(board.clone(), Some(orbit[0]), None);
                by_frontier(&question, None).directed()
            };
            let map = Starts::of_orbits(board, starts::orbits_of_ends(board).into_iter().map(of_orbit));
            prop_assert_eq!(map.meaning, Meaning::Start);
            prop_assert_eq!(map.tours, plainly(&question, Meaning::Start));
        }
    }
}

#[test]
fn counts_that_are_not_of_an_orbit_or_of_the_walk_give_no_map() {
    let question = Question::open(Board::new(5, 5).unwrap());
    let spread = |label, count: u32| starts::of_units(&question, [(label, &count.into())]);
    assert!(spread("a1 b3", 8).unwrap().is_some());
    assert!(matches!(spread("a1 b3", 6), Err(StartsError::Remainder { images: 4, .. })));
    assert!(matches!(spread("z9 b3", 8), Err(StartsError::Label(_))));
    assert!(matches!(spread("", 8), Err(StartsError::Label(_))));
}

#[test]
fn compare_draws_a_line_a_strategy_with_a_mark_a_board() {
    let machine = Machine::new();
    let path = machine.folder.path().join("times.svg");
    let compare = format!(
        "compare --sizes 5..=6,33 --strategies warnsdorff,roth,pruned --trials 1 --plot {}",
        path.display()
    );
    machine.kt(&compare).assert().success();
    let plot = fs::read_to_string(&path).unwrap();
    let plot = Document::parse(&plot).unwrap();
    let lines: Vec<_> = plot
        .descendants()
        .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "polyline")))
        .collect();
    let points = |line: &Node| line.attribute("points").unwrap().split(' ').count();
    // The last of them does not take the largest board.
    assert_eq!(lines.iter().map(points).collect::<Vec<_>>(), [3, 3, 2]);
    let words: Vec<String> = plot
        .descendants()
        .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "text")))
        .map(|node| text_of(&node))
        .collect();
    for word in ["warnsdorff", "roth", "pruned", "10", "20", "30", "median time"] {
        assert!(words.contains(&word.to_owned()), "{word} is not in {words:?}");
    }
    let nowhere = compare.replace(path.to_str().unwrap(), "/nowhere/times.svg");
    machine.kt(&nowhere).assert().code(1);
}
