//! Boards as they are typed: as an argument, and many at once.

use crate::common::{Machine, text};

fn printed(machine: &Machine, arguments: &str) -> String {
    let output = machine.kt(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments}: {}", text(&output.stderr));
    text(&output.stdout)
}

fn refused(machine: &Machine, arguments: &str, says: &str) {
    let output = machine.kt(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments}");
    assert!(text(&output.stderr).contains(says), "{arguments}: {}", text(&output.stderr));
}

#[test]
fn a_board_as_an_argument_is_the_same_as_with_size() {
    let machine = Machine::new();
    for (arguments, count) in [
        ("5x5 -q", "1728"),
        ("5 -q --threads 2", "1728"),
        ("4X5 --quiet", "164"),
        ("-q 4x5", "164"),
        ("count 5x6 --closed -q", "8"),
        ("count --closed -q 5x6", "8"),
        ("-q --threads 5 5", "1728"),
        ("5 --threads 5 -q", "1728"),
    ] {
        assert_eq!(printed(&machine, arguments), format!("{count}\n"), "{arguments}");
    }
    refused(&machine, "5x5 6x6", "say --size 6x6");
    refused(&machine, "5x5 --size 6", "say --size 5x5");
    refused(&machine, "--size 6 5x5", "say --size 5x5");
    refused(&machine, "--size 6 draw", "kt-enum show draws tours");
    refused(&machine, "cuont 6x6", "count");
    refused(&machine, "0x6", "'0x6' for '--size <N|RxC>'");
}

#[test]
fn many_boards_are_counted_as_lines_of_a_spreadsheet_with_named_columns() {
    let machine = Machine::new();
    let table = printed(&machine, "--rows 3..4 --cols 3..=5 --format csv --classes");
    let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(
        lines[0].join(" "),
        "rows cols board tours from to directed undirected classes engine seconds"
    );
    let counts: Vec<[&str; 5]> =
        lines[1..].iter().map(|line| [line[0], line[1], line[6], line[7], line[8]]).collect();
    assert_eq!(
        counts,
        [
            ["3", "3", "0", "0", "0"],
            ["3", "4", "16", "8", "3"],
            ["3", "5", "0", "0", "0"],
            ["4", "3", "16", "8", "3"],
            ["4", "4", "0", "0", "0"],
            ["4", "5", "164", "82", "22"],
        ]
    );
    let one = printed(&machine, "--size 3x4 --piece 0,1+1,2 --closed --format csv");
    assert!(
        one.lines().nth(1).unwrap().starts_with("3,4,\"3x4 piece=0,1+1,2\",closed,all,all,"),
        "{one}"
    );
    assert_eq!(printed(&machine, "--rows 3 --cols 4..5 -q"), "16\n0\n");
    refused(&machine, "list --rows 3..4 --cols 4", "and kt-enum count takes several");
    refused(&machine, "--rows 4..3 --cols 4", "the smaller side first");
    refused(&machine, "--rows 1..9999 --cols 1..9999", "more than 10000 boards");
    refused(&machine, "--rows 3..4 --cols 4 --keep-units x", "--keep-units is for one board");
    refused(&machine, "--size 4x5 --starts --format csv", "--starts has no CSV");
}

#[test]
fn tables_and_quiet_counts_say_which_tours_they_count() {
    let machine = Machine::new();
    let table = "table --rows 3 --up-to 4";
    let output = machine.kt(table).output().unwrap();
    assert_eq!(text(&output.stdout), "1 0\n2 0\n3 0\n4 8\n");
    assert!(text(&output.stderr).contains("undirected open tours"), "{}", text(&output.stderr));
    assert_eq!(
        printed(&machine, &format!("{table} --format csv")),
        "cols,undirected\n1,0\n2,0\n3,0\n4,8\n"
    );
    assert_eq!(machine.json(table)["counts"], "undirected");
    let partial = printed(&machine, "table --rows 3 --up-to 4 --partial --format csv");
    assert!(partial.starts_with("squares,undirected\n1,1\n"), "{partial}");
    for (kind, counts) in [("", "directed"), ("--closed", "undirected")] {
        let count = machine.json(&format!("--size 3x10 {kind}"));
        assert_eq!(count["counts"], counts);
        let quiet = printed(&machine, &format!("--size 3x10 {kind} -q"));
        assert_eq!(quiet.trim(), count[counts].as_str().unwrap());
    }
    for command in ["table", "count"] {
        let help = printed(&machine, &format!("{command} --help"));
        assert!(help.contains("undirected"), "{help}");
    }
}

#[test]
fn a_self_test_prints_a_line_for_each_published_count_and_the_engines_that_meet_it() {
    let machine = Machine::new();
    let lines = printed(&machine, "--test=quick");
    assert!(lines.lines().count() > 40, "{lines}");
    assert!(
        lines.lines().all(|line| line.starts_with("ok ") && line.contains("frontier; ")),
        "{lines}"
    );
    let closed = "ok    9,862 undirected closed tours of 6x6: walk, frontier; OEIS A001230(3)";
    assert!(lines.lines().any(|line| line == closed), "{lines}");
    refused(&machine, "--test=never", "quick");
}

#[test]
fn completions_and_manual_pages_are_installed_by_one_command() {
    let machine = Machine::new();
    let script = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/install-help");
    let program = assert_cmd::cargo::cargo_bin("kt-enum");
    let path =
        format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let output = std::process::Command::new(script)
        .env("PATH", path)
        .env("XDG_DATA_HOME", machine.folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    for (file, holds) in [
        ("bash-completion/completions/kt-enum", "complete -F"),
        ("zsh/site-functions/_kt-enum", "#compdef kt-enum"),
        ("fish/vendor_completions.d/kt-enum.fish", "complete -c kt-enum"),
        ("man/man1/kt-enum.1", ".TH"),
        ("man/man1/kt-enum-count.1", ".TH"),
        ("man/man1/kt-enum-stats.1", ".TH"),
    ] {
        let written = std::fs::read_to_string(machine.folder.path().join(file)).unwrap();
        assert!(written.contains(holds), "{file}");
    }
}

#[test]
fn pages_print_without_their_buttons_and_name_their_input() {
    let machine = Machine::new();
    let tours = machine.folder.path().join("my tours");
    std::fs::write(&tours, machine.kt("list --size 5 --limit 20").output().unwrap().stdout)
        .unwrap();
    let page = |command: &str| {
        let output = machine.kt(command).arg(&tours).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let stats = page("stats --format html --all");
    let command =
        format!("kt-enum stats &#39;{}&#39; --tours open --all --format html", tours.display());
    assert!(stats.contains(&command) || stats.contains(&command.replace("&#39;", "'")), "{stats}");
    assert!(stats.contains("@media print") && stats.contains("break-inside:avoid"));
    let gallery = page("show --format html");
    let (_, print) = gallery.split_once("@media print").unwrap();
    assert!(print.split_once("display: none").unwrap().0.contains(".row, .hint, #at"));
}
