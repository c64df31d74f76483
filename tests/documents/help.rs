//! The first contact of a newcomer with the program: its output without arguments, help,
//! suggestions, man pages.

use super::shell::Shell;

/// The number of lines of a screen.
const SCREEN: usize = 50;
const WIDTH: usize = 100;

fn success(shell: &mut Shell, line: &str) -> String {
    let ran = shell.run(line);
    assert_eq!(ran.code, 0, "{line}: {}", ran.output);
    ran.output
}

/// Returns the names of all commands that `--help` lists.
fn all_commands(shell: &mut Shell) -> Vec<String> {
    let help = success(shell, "kt-enum --help");
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let rows = list.take_while(|line| !line.is_empty());
    let names = rows.map(|row| row.split_whitespace().next().unwrap().to_owned());
    let commands: Vec<String> = names.filter(|name| name != "help").collect();
    assert!(commands.len() >= 13, "{commands:?}");
    commands
}

/// Returns the examples on a screen of help.
fn examples(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| *line != "Examples:").skip(1);
    let examples = lines.take_while(|line| !line.is_empty());
    examples.map(|line| line.split("  #").next().unwrap().trim().to_owned()).collect()
}

#[test]
fn the_program_alone_shows_three_examples_and_leaves_with_2() {
    let mut shell = Shell::new();
    let ran = shell.run("kt-enum");
    assert_eq!(ran.code, 2);
    assert!(ran.output.contains("which board?"), "{}", ran.output);
    let examples = ran.output.lines().filter(|line| line.starts_with("  kt-enum "));
    assert_eq!(examples.count(), 3, "{}", ran.output);
    assert_eq!(shell.run("kt-enum 2>/dev/null").output, "");
}

#[test]
fn every_help_fits_a_screen_and_the_shortest_a_small_one() {
    let mut shell = Shell::new();
    let small = success(&mut shell, "COLUMNS=80 kt-enum -h");
    assert!(small.lines().count() <= 24, "{small}");
    assert!(small.lines().all(|line| line.chars().count() <= 80), "{small}");
    for option in ["size", "closed", "from", "classes", "threads", "memory", "max-time", "format"] {
        for screen in [&small, &success(&mut shell, "kt-enum --help")] {
            assert!(screen.contains(&format!("  --{option} ")), "{screen}");
        }
    }
    let mut screens = vec!["kt-enum --help".to_owned()];
    for command in all_commands(&mut shell) {
        screens.push(format!("kt-enum {command} --help"));
        screens.push(format!("kt-enum {command} -h"));
    }
    for screen in screens {
        let help = success(&mut shell, &screen);
        assert!(help.lines().count() <= SCREEN, "{screen}: {help}");
        let widest = help.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(WIDTH), "{screen}: {help}");
    }
}

#[test]
fn the_examples_of_every_help_run() {
    let mut shell = Shell::new();
    let mut screens = vec![("kt-enum --help".to_owned(), 3)];
    for command in all_commands(&mut shell) {
        screens.push((format!("kt-enum {command} --help"), 1));
    }
    for (screen, at_least) in screens {
        let shown = examples(&success(&mut shell, &screen));
        assert!(shown.len() >= at_least, "{screen} has no example");
        let mut own = Shell::new();
        for example in shown {
            let code = if example.contains("--max-time") { 75 } else { 0 };
            // Smaller figures make the examples end soon.
            let line = example
                .replace("8h", "0.1s")
                .replace("--sample 20", "--sample 2")
                .replace("estimate --rows 6 --cols 8", "estimate --rows 5 --cols 6 --probes 4000");
            let ran = own.run(&line);
            assert_eq!(ran.code, code, "{screen}: {line}: {}", ran.output);
        }
    }
}

#[test]
fn a_mistyped_word_gets_the_right_one_suggested() {
    let mut shell = Shell::new();
    for (line, suggestion) in [
        ("kt-enum cuont --size 6", "'count'"),
        ("kt-enum --szie 6", "'--size'"),
        ("kt-enum find --size 8 --stratgy roth", "'--strategy'"),
        ("kt-enum --size 6 --tours close", "'closed'"),
        ("kt-enum --size 6 --engine frontir", "'frontier'"),
        ("kt-enum find --size 8 --strategy warnsdorf", "'warnsdorff'"),
        ("kt-enum man cuont", "count"),
        ("kt-enum find --size 8 6", "for a board of 6 say --size 6"),
        ("kt-enum 6 6 6", "a board has two sides, such as 6x8"),
        ("kt-enum 6 --board b.txt", "--board says which board is meant: leave out 6"),
        ("kt-enum find 6x8 --graph g.txt", "--graph says which board is meant: leave out 6x8"),
    ] {
        let ran = shell.run(line);
        assert_eq!(ran.code, 2, "{line}: {}", ran.output);
        assert!(ran.output.contains(suggestion), "{line}: {}", ran.output);
    }
}

#[test]
fn help_before_or_after_a_command_is_the_same_and_names_every_option() {
    let mut shell = Shell::new();
    let whole = success(&mut shell, "kt-enum --help");
    assert_eq!(success(&mut shell, "kt-enum help"), whole);
    for command in all_commands(&mut shell) {
        let help = success(&mut shell, &format!("kt-enum {command} --help"));
        for same in ["kt-enum help {}", "kt-enum {} -h"] {
            let line = same.replace("{}", &command);
            assert_eq!(success(&mut shell, &line), help, "{line}");
        }
        let page = success(&mut shell, &format!("kt-enum man {command}"));
        let page = page.split(".SH OPTIONS").nth(1).unwrap();
        let page = page.split(".SH ").next().unwrap();
        let options = page.split("\\-\\-").skip(1);
        let end = |c: char| !c.is_ascii_alphanumeric() && c != '\\' && c != '-';
        for option in options.map(|rest| rest.split(end).next().unwrap()) {
            let option = option.replace("\\-", "-");
            let option = format!("--{}", option.split("\\f").next().unwrap());
            // The option `--color` belongs to the program and so to every command.
            assert!(help.contains(&option) || option == "--color", "{command}: {option}");
        }
    }
    let unknown = shell.run("kt-enum help cuont");
    assert!(unknown.code == 2 && unknown.output.contains("count"), "{}", unknown.output);
}

#[test]
fn words_of_other_programs_are_taken_or_answered() {
    let mut shell = Shell::new();
    for (typed, meant) in [
        ("--size 6x5 -q", "--rows 6 --cols 5 -q"),
        ("--size 6 --closed -q", "--size 6 --tours closed -q"),
        ("count --size 5 --open -q", "--size 5 -q"),
        ("--size 5 -q -j 2", "--size 5 -q --threads 2"),
        ("list --size 5 -n 3", "list --size 5 --limit 3"),
        ("list --size 6 --closed -n 3", "list --size 6 --tours closed --limit 3"),
        ("table --rows 4 --up-to 8 --closed", "table --rows 4 --up-to 8 --tours closed"),
        ("find --size 4x5 --quiet", "find --rows 4 --cols 5 --quiet"),
    ] {
        let [typed, meant] = [typed, meant].map(|line| format!("kt-enum {line}"));
        assert_eq!(success(&mut shell, &typed), success(&mut shell, &meant), "{typed}");
    }
    for (line, answer) in [
        ("kt-enum --size 5 --random", "kt-enum random"),
        ("kt-enum --size 5 --nth 3", "kt-enum nth"),
        ("kt-enum --size 5 --seed 4", "kt-enum random, find, puzzle, audit"),
        ("kt-enum find --size 5 --end b3", "the end is --to SQUARE"),
        ("kt-enum --size 5 -o x", "--keep-units FILE"),
        ("kt-enum resume", "kt-enum status"),
        ("kt-enum shard 0/2 --size 5 --out x --classes", "kt-enum merge"),
    ] {
        let ran = shell.run(line);
        assert_eq!(ran.code, 2, "{line}: {}", ran.output);
        assert!(ran.output.contains(answer), "{line}: {}", ran.output);
        assert!(!ran.output.contains("similar"), "{line}: {}", ran.output);
    }
}

#[test]
fn help_man_pages_and_the_guide_have_one_table_of_exit_codes() {
    let mut shell = Shell::new();
    let page = success(&mut shell, "kt-enum man");
    let section = page.split(".SH \"EXIT STATUS\"\n").nth(1).unwrap();
    let section = section.split(".SH ").next().unwrap();
    let entries = section.split(".TP\n\\fB").skip(1);
    let codes: Vec<(&str, &str)> =
        entries.map(|entry| entry.trim_end().split_once("\\fR\n").unwrap()).collect();
    assert_eq!(codes.len(), 8);
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let help = words(&success(&mut shell, "kt-enum --help"));
    let pages = super::pages();
    let guide: String = pages.iter().map(|page| std::fs::read_to_string(page).unwrap()).collect();
    for (code, meaning) in codes {
        assert!(help.contains(&format!("{code} {meaning}")), "{code}: {help}");
        let row = format!("| {code} | {meaning} |");
        assert!(guide.contains(&row), "no page has {row}");
    }
}

/// Returns the lines of options on a screen of help, each with the heading that it stands below.
fn options(help: &str) -> Vec<(&str, &str)> {
    let mut heading = "";
    let mut found = Vec::new();
    for line in help.lines() {
        if line.ends_with(':') && !line.starts_with(' ') {
            heading = line;
        } else if line.trim_start().starts_with("--") || line.starts_with("  -") {
            found.push((heading, line.trim_start()));
        }
    }
    found
}

#[test]
fn an_option_has_the_same_heading_in_every_help_and_selected_tours_are_in_it() {
    let mut shell = Shell::new();
    let mut headings = std::collections::BTreeMap::new();
    for command in all_commands(&mut shell) {
        let help = success(&mut shell, &format!("kt-enum {command} --help"));
        for (heading, option) in options(&help) {
            let name = option.split_whitespace().find(|word| word.starts_with("--")).unwrap();
            let first = *headings.entry(name.to_owned()).or_insert(heading.to_owned()) == *heading;
            assert!(first && heading != "Options:", "{command}: {name} under {heading}");
        }
        if ["count", "list", "random", "find"].contains(&command.as_str()) {
            assert!(help.contains("--given") && help.contains("--symmetry"), "{help}");
        }
    }
}

#[test]
fn every_option_of_a_man_page_has_a_text() {
    let mut shell = Shell::new();
    for page in man_pages(&mut shell) {
        let roff = success(&mut shell, &page);
        let lines: Vec<&str> = roff.lines().collect();
        for entry in lines.windows(3).filter(|lines| lines[0] == ".TP") {
            let is_text = !entry[2].starts_with(".TP") && !entry[2].starts_with(".SH");
            assert!(is_text && !entry[2].is_empty(), "{page}: {entry:?}");
        }
    }
}

/// Returns the commands that print the man pages.
fn man_pages(shell: &mut Shell) -> Vec<String> {
    let mut pages = vec!["kt-enum man".to_owned()];
    for command in all_commands(shell) {
        pages.push(format!("kt-enum man {command}"));
    }
    pages
}

#[test]
fn there_is_a_man_page_of_the_program_and_of_each_command() {
    let mut shell = Shell::new();
    for page in man_pages(&mut shell) {
        let roff = success(&mut shell, &page);
        for heading in ["NAME", "SYNOPSIS", "OPTIONS", "EXAMPLES", "\"EXIT STATUS\"", "FILES"] {
            assert!(roff.contains(&format!(".SH {heading}\n")), "{page}: {heading}");
        }
    }
}

#[test]
#[ignore = "needs man"]
fn man_reads_every_page_without_a_warning() {
    let mut shell = Shell::new();
    for page in man_pages(&mut shell) {
        let line = format!("{page} > page.1 && MANWIDTH=80 man --warnings -l page.1 >/dev/null");
        assert_eq!(success(&mut shell, &line), "", "{page}");
    }
}
