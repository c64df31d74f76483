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
    for folder in ["src", "crates"].map(|name| root().join(name)) {
        // The package on crates.io has the program alone.
        if folder.is_dir() {
            documentation(&folder, &mut text);
        }
    }
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

/// An entry of the glossary: its terms, and the page of its link if it has one.
struct Entry {
    terms: Vec<String>,
    page: Option<String>,
}

fn entries() -> Vec<Entry> {
    let glossary = fs::read_to_string(root().join("docs/glossary.md")).unwrap();
    let entry = |text: &str| {
        let bold = text.split("**").skip(1).step_by(2);
        let links: Vec<&str> = text.split("](").skip(1).collect();
        assert!(links.len() <= 1, "{text}");
        let page = links.first().map(|link| link.split(['#', ')']).next().unwrap().to_owned());
        Entry { terms: bold.map(str::to_lowercase).collect(), page }
    };
    glossary.split("\n- ").skip(1).map(entry).collect()
}

/// Returns the words that a page sets in italics, in lower case: those that it explains.
fn explained(page: &str) -> Vec<String> {
    let prose: String = page.split("\n```").step_by(2).collect();
    let prose: String = prose.split('`').step_by(2).collect();
    let thin: String = prose.split("**").step_by(2).collect();
    let italic = thin.split('*').skip(1).step_by(2);
    italic
        .map(|words| words.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase())
        .collect()
}

#[test]
fn each_term_of_the_glossary_is_explained_in_one_place_to_which_it_links() {
    let entries = entries();
    let of_page = |page: &std::path::PathBuf| {
        let name = page.file_name().unwrap().to_str().unwrap().to_owned();
        (name, explained(&fs::read_to_string(page).unwrap()))
    };
    let pages: Vec<(String, Vec<String>)> = pages().iter().map(of_page).collect();
    for Entry { terms, page } in &entries {
        for term in terms {
            let plural =
                term.strip_suffix('y').map_or(format!("{term}s"), |stem| format!("{stem}ies"));
            let is_it = |words: &&String| *words == term || **words == plural;
            let places = pages.iter().flat_map(|(name, explained)| {
                explained.iter().filter(is_it).map(move |_| name.as_str())
            });
            let places: Vec<&str> = places.collect();
            assert_eq!(places, Vec::from_iter(page.as_deref()), "{term}");
        }
    }
}
