//! The interface of the library: `tests/golden/public-items.txt` lists what `src/lib.rs` hands on, and
//! what shows the interface uses nothing else.

use std::fs;
use std::path::{Path, PathBuf};

/// The most public modules and the most public items, modules among them.
const MOST: [usize; 2] = [12, 155];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the code of a file without its comments and tests, and without what is hidden from the
/// documentation.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let lines: Vec<&str> =
        text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let shown = |place: usize| place == 0 || lines[place - 1].trim() != "#[doc(hidden)]";
    let shown = (0..lines.len()).filter(|&place| shown(place));
    shown.map(|place| lines[place].to_owned() + "\n").collect()
}

/// Returns the names that a tree of imports ends in.
fn exported(tree: &str) -> Vec<String> {
    let words = tree.split(|letter: char| !(letter.is_alphanumeric() || "_:".contains(letter)));
    let words: Vec<&str> = words.filter(|word| !word.is_empty() && !word.ends_with("::")).collect();
    let renamed = |place: usize| words.get(place + 1) == Some(&"as");
    let names = (0..words.len()).filter(|&place| words[place] != "as" && !renamed(place));
    names.map(|place| words[place].rsplit("::").next().unwrap().to_owned()).collect()
}

/// Returns the public modules of the library and the items that they hand on, with their paths.
fn items(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for module in code.split("\npub mod ").skip(1) {
        let (name, rest) = module.split_once(" {").unwrap();
        found.push(format!("kt_enum::{name}"));
        let body = rest.split("\n}").next().unwrap();
        for tree in body.split("\n    pub use ").skip(1) {
            let names = exported(tree.split(';').next().unwrap());
            found.extend(names.iter().map(|item| format!("kt_enum::{name}::{item}")));
        }
    }
    found
}

#[test]
fn the_public_items_are_those_on_the_list() {
    let code = code(&root().join("src/lib.rs"));
    let mut found = items(&code);
    found.sort();
    let list = root().join("tests/golden/public-items.txt");
    let text = found.join("\n") + "\n";
    if std::env::var_os("KT_WRITE_GOLDEN").is_some() {
        fs::write(&list, &text).unwrap();
    }
    assert_eq!(text, fs::read_to_string(list).unwrap(), "KT_WRITE_GOLDEN=1 writes the list");
    let modules = found.iter().filter(|path| path.matches("::").count() == 1);
    let modules = modules.count();
    assert_eq!(code.matches("\npub ").count(), modules, "all that is public is in a module");
    assert!(modules <= MOST[0] && found.len() <= MOST[1], "{}", found.len());
}

#[test]
fn the_public_modules_are_found_with_their_items() {
    let names = ["Board", "Square", "orbit", "Wrap"].map(str::to_owned);
    assert_eq!(exported("a::{Board, b::Square,\n    c::{orbit, d::Torus as Wrap}}"), names);
    let code = "\npub mod tally {\n    pub(crate) use b::*;\n    pub use b::{Tally, T as U};\n}\n";
    assert_eq!(items(code), ["kt_enum::tally", "kt_enum::tally::Tally", "kt_enum::tally::U"]);
}

#[test]
fn examples_and_tests_of_the_library_use_the_interface_alone() {
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in ["examples", "tests/library"] {
        let entries = fs::read_dir(root().join(folder)).unwrap();
        files.extend(entries.map(|entry| entry.unwrap().path()));
    }
    assert!(files.len() > 5);
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let other = ["kt", "enum", ""].join("_");
        assert!(!text.contains(&other), "{} uses another crate", path.display());
    }
}
