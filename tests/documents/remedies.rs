//! Advice: each sentence that an error offers as a remedy is typed, and works.
//!
//! `tests/golden/remedies.tsv` has the advice, a command that gets it, and the commands that it
//! recommends. A command that a message gives whole, between backquotes, is typed as it stands.

use super::root;
use super::shell::Shell;
use std::fs;

/// A row of the list.
struct Remedy {
    advice: String,
    fails: String,
    works: String,
}

fn remedies() -> Vec<Remedy> {
    let list = fs::read_to_string(root().join("tests/golden/remedies.tsv")).unwrap();
    let row = |line: &str| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [advice, fails, works] = columns[..] else { panic!("three columns: {line}") };
        let [advice, fails, works] = [advice, fails, works].map(str::to_owned);
        Remedy { advice, fails, works }
    };
    list.lines().filter(|line| !line.starts_with('#')).map(row).collect()
}

/// Returns a text with single blanks.
fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns true if the parts of an advice between dots are in a text, one after the other.
fn is_in(advice: &str, text: &str) -> bool {
    let mut rest = text;
    advice.split("...").all(|part| match rest.split_once(part.trim()) {
        Some((_, after)) => {
            rest = after;
            true
        }
        None => false,
    })
}

/// Types what gets an advice and what it recommends, and returns the complaint.
fn complaint(remedy: &Remedy) -> Option<String> {
    let Remedy { advice, fails, works } = remedy;
    let mut shell = Shell::new();
    let said = shell.run(fails).output;
    if !is_in(&spaced(advice), &spaced(&said)) {
        return Some(format!("`{fails}` does not say `{advice}`:\n{said}"));
    }
    let ran = shell.run(works);
    if ran.code != 0 {
        return Some(format!("`{advice}`: `{works}` left with {}:\n{}", ran.code, ran.output));
    }
    // A whole command stands between backquotes, and is typed as it stands.
    if !said.contains("`kt-enum ") {
        return None;
    }
    let mut shell = Shell::new();
    let said = shell.run(fails).output;
    let offered = said.split('`').skip(1).step_by(2).filter(|word| word.starts_with("kt-enum "));
    offered.map(str::to_owned).collect::<Vec<_>>().iter().find_map(|command| {
        let ran = shell.run(command);
        let failed = || {
            format!("`{fails}` offers `{command}`, which left with {}:\n{}", ran.code, ran.output)
        };
        (ran.code != 0).then(failed)
    })
}

#[test]
fn what_an_error_offers_as_a_remedy_works_when_it_is_typed() {
    let remedies = remedies();
    let typed: Vec<&Remedy> =
        remedies.iter().filter(|it| !it.fails.starts_with("tests/")).collect();
    assert!(typed.len() > 140, "{}", typed.len());
    let complaints: Vec<String> = std::thread::scope(|scope| {
        let each =
            |some: &[&Remedy]| some.iter().filter_map(|it| complaint(it)).collect::<Vec<_>>();
        let running: Vec<_> =
            typed.chunks(typed.len() / 4 + 1).map(|some| scope.spawn(move || each(some))).collect();
        running.into_iter().flat_map(|some| some.join().unwrap()).collect()
    });
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn the_tests_that_type_other_remedies_are_there() {
    for Remedy { fails, works, .. } in remedies() {
        let Some((file, test)) = fails.split_once("::").filter(|_| fails.starts_with("tests/"))
        else {
            continue;
        };
        let code = fs::read_to_string(root().join(file)).unwrap();
        assert!(code.contains(&format!("fn {test}(")), "{fails}");
        assert_eq!(works, "");
    }
}

/// Returns the string literals in a text of Rust, without their escapes and line ends.
fn literals(code: &str) -> Vec<String> {
    let literals = code.split('"').skip(1).step_by(2);
    literals.map(|text| spaced(&text.replace("\\\n", " "))).collect()
}

#[test]
fn the_list_has_every_advice_of_errors_and_every_answer_to_an_unknown_word() {
    let list: Vec<String> = remedies().iter().map(|remedy| spaced(&remedy.advice)).collect();
    let hints = fs::read_to_string(root().join("src/cli/hints.txt")).unwrap();
    for paragraph in hints.split("\n\n").filter(|paragraph| !paragraph.starts_with('#')) {
        let Some((_, says)) = paragraph.split_once('\n') else { continue };
        assert!(list.contains(&spaced(says)), "no remedy for {says}");
    }
    let exits = fs::read_to_string(root().join("src/cli/exit.rs")).unwrap();
    let (_, table) = exits.split_once("\nends! {").unwrap();
    let advice = literals(table.split_once("\n}\n").unwrap().0);
    assert!(advice.len() > 40);
    for advice in advice.iter().filter(|advice| advice.len() > 1) {
        // What stands for a value differs from list to source.
        let fixed = advice.split(['{', '}']).step_by(2).max_by_key(|part| part.len()).unwrap();
        let is_listed = list.iter().any(|listed| listed.contains(fixed.trim()));
        // Which limits a forecast refuses, how many threads a system, and which time is too short,
        // differs by machine.
        let is_of_the_machine = [
            "no disk suffices",
            "on disk: give --disk",
            "try fewer with",
            "too short for an estimate",
            "give more with --within",
        ];
        let is_left_out = is_of_the_machine.iter().any(|part| advice.contains(part));
        assert!(is_listed || is_left_out, "no remedy for {advice}");
    }
}
