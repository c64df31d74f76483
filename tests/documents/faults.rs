//! The list of faults names every test in `tests/faults`, and every test that it names exists.

use crate::root;
use std::collections::BTreeSet;
use std::fs;

/// Returns the names of the tests in a file.
fn tests_in(file: &str) -> BTreeSet<String> {
    let code = fs::read_to_string(root().join(file)).unwrap_or_else(|_| panic!("no {file}"));
    let tests = code.split("#[test]").skip(1);
    let name = |test: &str| {
        let (_, after) = test.split_once("fn ")?;
        after.split_once('(').map(|(name, _)| name.to_owned())
    };
    tests.filter_map(name).collect()
}

/// A row of the list of faults.
struct Row {
    kind: String,
    tests: Vec<(String, String)>,
}

/// Returns the rows of the list. A test is a file, such as `tests/faults/kills.rs`, and a name.
fn rows() -> Vec<Row> {
    let list = fs::read_to_string(root().join("tests/golden/faults.tsv")).unwrap();
    let row = |line: &str| {
        let [kind, fault, response, tests] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("a row has four columns: {line}");
        };
        assert!(!fault.is_empty() && !response.is_empty(), "{line}");
        let test = |test: &str| {
            let (file, name) = test.split_once("::").unwrap_or_else(|| panic!("{test}"));
            let is_unit_test = ["src/", "crates/"].iter().any(|folder| file.starts_with(folder));
            let folder = if is_unit_test { "" } else { "tests/" };
            (format!("{folder}{file}"), name.to_owned())
        };
        Row { kind: kind.to_owned(), tests: tests.split(' ').map(test).collect() }
    };
    list.lines().filter(|line| !line.starts_with('#')).map(row).collect()
}

#[test]
fn every_test_in_the_list_of_faults_is_there_and_the_page_says_how_many_there_are() {
    let rows = rows();
    let mut kinds: Vec<&str> = rows.iter().map(|row| row.kind.as_str()).collect();
    kinds.dedup();
    let distinct: BTreeSet<&str> = kinds.iter().copied().collect();
    assert_eq!(kinds.len(), distinct.len(), "the rows of a kind are together: {kinds:?}");
    // The package on crates.io has the program alone.
    let is_here = |file: &str| !file.starts_with("crates/") || root().join("crates").is_dir();
    let tests = rows.iter().flat_map(|row| &row.tests);
    for (file, name) in tests.filter(|(file, _)| is_here(file)) {
        assert!(tests_in(file).contains(name), "no {name} in {file}");
    }
    let page = fs::read_to_string(root().join("docs/faults.md")).unwrap();
    assert!(page.contains(&format!("lists {} faults", rows.len())), "{} rows", rows.len());
}

#[test]
fn the_list_of_faults_names_every_test_of_a_fault() {
    let named: BTreeSet<(String, String)> = rows().into_iter().flat_map(|row| row.tests).collect();
    for entry in fs::read_dir(root().join("tests/faults")).unwrap() {
        let file = entry.unwrap().file_name().into_string().unwrap();
        let file = format!("tests/faults/{file}");
        for test in tests_in(&file) {
            let fault = (file.clone(), test);
            assert!(named.contains(&fault), "tests/golden/faults.tsv does not name {fault:?}");
        }
    }
}
