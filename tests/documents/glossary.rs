//! The glossary has one entry for each term, and each of its terms is in use.

use super::shell::Shell;
use super::{pages, root};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Returns the terms that the glossary defines, in lower case, in its order.
fn terms() -> Vec<String> {
    let glossary = fs::read_to_string(root().join("docs/glossary.md")).unwrap();
    let bold = glossary.split("**").skip(1).step_by(2);
    bold.map(str::to_lowercase).collect()
}

/// Appends the documentation comments of all sources below a folder to a text.
fn documentation(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            documentation(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let source = fs::read_to_string(&path).unwrap();
            let lines = source.lines().map(str::trim_start);
            let comments = lines.filter(|line| line.starts_with("//"));
            comments.for_each(|line| {
                *text += line.trim_start_matches(['/', '!']);
                text.push(' ');
            });
        }
    }
}

/// Returns all texts in which a reader may meet a term: the guide, the help, and the documentation
/// of the library.
fn everything_readable() -> String {
    let mut text = String::new();
    for page in pages().iter().filter(|page| !page.ends_with("glossary.md")) {
        text += &fs::read_to_string(page).unwrap();
    }
    let mut shell = Shell::new();
    let commands = "for c in '' count list find random nth estimate audit shard merge; \
                    do kt-enum $c --help; done";
    text += &shell.run(commands).output;
    documentation(&root().join("src"), &mut text);
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_glossary_defines_each_term_once() {
    let terms = terms();
    let distinct: BTreeSet<&String> = terms.iter().collect();
    assert!(terms.len() >= 50, "{terms:?}");
    assert_eq!(terms.len(), distinct.len(), "{terms:?}");
}

#[test]
fn every_term_of_the_glossary_is_used_in_guide_help_or_library() {
    let text = everything_readable();
    let unused: Vec<String> = terms().into_iter().filter(|term| !text.contains(term)).collect();
    assert_eq!(unused, [""; 0], "the glossary defines terms that nothing uses");
}
