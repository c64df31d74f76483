//! The page of faults names every test in `tests/faults`, and every test that it names exists.

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

/// Returns the tests that the page names, as pairs such as `tests/faults/kills.rs` and a name.
fn named() -> BTreeSet<(String, String)> {
    let page = fs::read_to_string(root().join("docs/faults.md")).unwrap();
    let spans = page.split('`').skip(1).step_by(2);
    let test = |span: &str| {
        let (file, name) = span.split_once("::")?;
        let folder = if file.starts_with("src/") { "" } else { "tests/" };
        Some((format!("{folder}{file}"), name.to_owned()))
    };
    spans.filter_map(test).collect()
}

#[test]
fn every_test_that_the_page_of_faults_names_is_there() {
    let named = named();
    assert!(named.len() > 80, "{} tests are named", named.len());
    for (file, name) in named {
        assert!(tests_in(&file).contains(&name), "no {name} in {file}");
    }
}

#[test]
fn the_page_of_faults_names_every_test_of_a_fault() {
    let named = named();
    for entry in fs::read_dir(root().join("tests/faults")).unwrap() {
        let file = entry.unwrap().file_name().into_string().unwrap();
        let file = format!("tests/faults/{file}");
        for test in tests_in(&file) {
            let fault = (file.clone(), test);
            assert!(named.contains(&fault), "docs/faults.md does not name {fault:?}");
        }
    }
}
