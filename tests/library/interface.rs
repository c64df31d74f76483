//! The interface of the library: `tests/golden/public-items.txt` lists what a user can reach, and
//! what shows the interface uses nothing else.

use std::fs;
use std::path::{Path, PathBuf};

/// The most public modules and the most public items, modules among them.
const MOST: [usize; 2] = [12, 153];

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
    let shown = |place: usize| place == 0 || lines[place - 1] != "#[doc(hidden)]";
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

/// Adds the public items of a module, with their paths, and those of its public modules.
fn add(module: &str, file: &Path, folder: &Path, found: &mut Vec<String>) {
    let code = code(file);
    for (at, _) in code.match_indices("\npub ") {
        let item = &code[at + "\npub ".len()..];
        let words: Vec<&str> = item
            .split(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
            .filter(|word| !["const", "unsafe", "async"].contains(word))
            .collect();
        if let Some(tree) = item.strip_prefix("use ") {
            let tree = tree.split(';').next().unwrap();
            found.extend(exported(tree).iter().map(|name| format!("{module}::{name}")));
            continue;
        }
        let name = if item.starts_with("const ") && !item.starts_with("const fn") {
            words[0]
        } else {
            words[1]
        };
        found.push(format!("{module}::{name}"));
        if words[0] == "mod" && item[..item.find('\n').unwrap()].ends_with('{') {
            // A module that hands on items of another crate.
            let body = item.split("\n}").next().unwrap();
            for tree in body.split("\n    pub use ").skip(1) {
                let names = exported(tree.split(';').next().unwrap());
                found.extend(names.iter().map(|item| format!("{module}::{name}::{item}")));
            }
        } else if words[0] == "mod" {
            let inner = folder.join(name);
            let alone = inner.with_extension("rs");
            let file = if alone.is_file() { alone } else { inner.join("mod.rs") };
            add(&format!("{module}::{name}"), &file, &inner, found);
        }
    }
}

#[test]
fn the_public_items_are_those_on_the_list() {
    let src = root().join("src");
    let mut found = Vec::new();
    add("kt_enum", &src.join("lib.rs"), &src, &mut found);
    found.sort();
    let list = root().join("tests/golden/public-items.txt");
    let text = found.join("\n") + "\n";
    if std::env::var_os("KT_WRITE_GOLDEN").is_some() {
        fs::write(&list, &text).unwrap();
    }
    assert_eq!(text, fs::read_to_string(list).unwrap(), "KT_WRITE_GOLDEN=1 writes the list");
    let modules = found.iter().filter(|path| path.matches("::").count() == 1);
    assert!(modules.count() <= MOST[0] && found.len() <= MOST[1], "{}", found.len());
}

#[test]
fn the_public_modules_are_found_with_their_items() {
    let names = ["Board", "Square", "orbit", "Wrap"].map(str::to_owned);
    assert_eq!(exported("a::{Board, b::Square,\n    c::{orbit, d::Torus as Wrap}}"), names);
    let mut found = Vec::new();
    let src = root().join("src");
    add("kt_enum", &src.join("lib.rs"), &src, &mut found);
    assert!(found.contains(&"kt_enum::tally::Tally".to_owned()), "{found:?}");
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
        for other in [["kt_enum", "internals"].join("::"), ["kt", "enum", ""].join("_")] {
            assert!(!text.contains(&other), "{} uses {other}", path.display());
        }
    }
}
