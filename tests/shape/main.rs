//! The shape of the crates: the compiler keeps the borders between them, and these tests what it
//! does not see. The package on crates.io has neither them nor the crates.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files.extend(rust_files(&path)),
            false => files.push(path),
        }
    }
    files
}

/// Returns all source files, each with its path below the `src` of its crate.
fn sources() -> Vec<(PathBuf, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("src")];
    for crates in fs::read_dir(root.join("crates")).unwrap() {
        folders.push(crates.unwrap().path().join("src"));
    }
    let files = folders.iter().flat_map(|src| {
        let below = move |path: PathBuf| (path.clone(), path.strip_prefix(src).unwrap().to_owned());
        rust_files(src).into_iter().map(below)
    });
    files.collect()
}

/// Returns each file of the library with its top-level module and its code, without comments and
/// tests.
fn library() -> Vec<(PathBuf, String, String)> {
    let room = |below: &Path| {
        let first = below.components().next().unwrap();
        first.as_os_str().to_string_lossy().trim_end_matches(".rs").to_owned()
    };
    let files = sources().into_iter().filter(|(path, below)| {
        !["main", "lib", "cli"].contains(&room(below).as_str()) && !path.ends_with("tests.rs")
    });
    let code = |path: &Path| {
        let text = fs::read_to_string(path).unwrap();
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        lines.collect::<Vec<_>>().join("\n")
    };
    files.map(|(path, below)| (path.clone(), room(&below), code(&path))).collect()
}

/// Returns the crates of this workspace that a manifest names among its dependencies.
fn known_to(manifest: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(manifest).unwrap();
    let (_, after) = text.split_once("\n[dependencies]\n").unwrap();
    let lines = after.split("\n[").next().unwrap().lines();
    let names = lines.filter_map(|line| line.strip_prefix("kt-enum-")?.split('.').next());
    names.map(str::to_owned).collect()
}

#[test]
fn the_crates_know_each_other_as_the_page_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/architecture.md")).unwrap();
    let quoted = |cell: &str| -> BTreeSet<String> {
        cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    };
    let rows = page.lines().filter_map(|line| {
        let [_, name, _, knows, _] = line.split('|').collect::<Vec<_>>()[..] else { return None };
        Some((quoted(name).pop_first()?, quoted(knows)))
    });
    let told: BTreeMap<String, BTreeSet<String>> = rows.collect();
    let folders = fs::read_dir(root.join("crates")).unwrap().map(|entry| entry.unwrap());
    let found: BTreeMap<String, BTreeSet<String>> = folders
        .map(|folder| {
            let name = folder.file_name().into_string().unwrap();
            (name, known_to(&folder.path().join("Cargo.toml")))
        })
        .collect();
    assert_eq!(found, told);
}

#[test]
fn a_struct_of_a_run_has_eight_fields_at_most() {
    let mut structs = 0;
    for (path, _, code) in library().into_iter().filter(|(_, room, _)| room == "run") {
        for part in code.split("struct ").skip(1) {
            let head = part.lines().next().unwrap();
            if head.ends_with('{') {
                let end = ["\n}", "\n    }"].iter().filter_map(|end| part.find(end)).min().unwrap();
                let fields = part[..end].lines().skip(1).filter(|line| line.ends_with(','));
                let fields = fields.filter(|line| line.contains(": ")).count();
                assert!(fields <= 8, "{} has {fields} in {head}", path.display());
                structs += 1;
            }
        }
    }
    assert!(structs > 30, "{structs}");
}

#[test]
fn the_planner_of_layers_touches_no_file_and_no_thread() {
    let is_planner = |path: &Path| path.ends_with("run/layers/planner.rs");
    let (_, _, code) = library().into_iter().find(|(path, ..)| is_planner(path)).unwrap();
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let names: BTreeSet<&str> = code.split(|c| !is_name(c)).collect();
    for name in ["fs", "io", "sync", "atomic", "thread", "time", "durable", "Stored"] {
        assert!(!names.contains(name), "the planner uses {name}");
    }
}

#[test]
fn the_name_of_a_type_means_one_thing() {
    let mut places: BTreeMap<String, Vec<Module>> = BTreeMap::new();
    for (module, code) in modules() {
        for line in code.lines() {
            // An associated type, which is indented, has the name that its trait gives it.
            let is_outer = !line.starts_with(' ');
            let words = line.split_whitespace().skip_while(|word| word.starts_with("pub"));
            let words: Vec<&str> = words.collect();
            let [kind, declared, ..] = words[..] else { continue };
            if ["struct", "enum", "trait"].contains(&kind) || kind == "type" && is_outer {
                places.entry(name(declared).to_owned()).or_default().push(module.clone());
            }
        }
    }
    assert!(places.len() > 200, "{}", places.len());
    places.retain(|_, places| places.len() > 1);
    assert_eq!(places, BTreeMap::new());
}

#[test]
fn one_file_knows_bincode() {
    let knows = sources()
        .into_iter()
        .filter(|(path, _)| fs::read_to_string(path).unwrap().contains("bincode::"));
    let knows: Vec<PathBuf> = knows.map(|(_, below)| below).collect();
    assert_eq!(knows, [Path::new("run/checkpoint/codec.rs")]);
}

// Import cycles

/// The path of a module of the crate, such as `["frontier", "half"]`.
type Module = Vec<String>;

/// Returns the code of each module, without comments and tests. A crate names the modules of
/// the crates below it as its own, so that a path means the same in all of them.
fn modules() -> BTreeMap<Module, String> {
    let files = sources().into_iter().filter(|(path, _)| !path.ends_with("tests.rs"));
    let module = |below: &Path| -> Module {
        let path = below.with_extension("");
        let parts = path
            .iter()
            .map(|part| part.to_string_lossy().into_owned())
            .filter(|part| !["mod", "lib", "main"].contains(&part.as_str()));
        parts.collect()
    };
    let code = |path: &Path| {
        let text = fs::read_to_string(path).unwrap();
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let code = lines.collect::<Vec<_>>().join("\n");
        let tests = code.find("#[cfg(test)]\nmod tests {");
        code[..tests.unwrap_or(code.len())].to_owned()
    };
    let mut modules: BTreeMap<Module, String> = BTreeMap::new();
    for (path, below) in files {
        // All crates have the same root.
        *modules.entry(module(&below)).or_default() += &code(&path);
    }
    modules
}

/// Returns the name at the beginning of a text.
fn name(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    &text[..end.unwrap_or(text.len())]
}

/// Adds all paths of a tree of imports to `found`: `a::{b, c::d}` stands for `a::b` and `a::c::d`.
fn paths(text: &str, before: &[String], found: &mut Vec<Module>) -> usize {
    let own = name(text);
    let mut path = before.to_vec();
    path.push(own.to_owned());
    let rest = &text[own.len()..];
    if !rest.starts_with("::") {
        found.push(path);
        return own.len();
    }
    if !rest.starts_with("::{") {
        return own.len() + 2 + paths(&rest[2..], &path, found);
    }
    let mut at = own.len() + 3;
    loop {
        let inner = &text[at..];
        at += inner.find(|c: char| !c.is_whitespace() && c != ',').unwrap();
        if text[at..].starts_with('}') {
            return at + 1;
        }
        at += paths(&text[at..], &path, found).max(1);
        if let Some(renamed) = text[at..].strip_prefix(" as ") {
            at += " as ".len() + name(renamed).len();
        }
    }
}

/// Returns the module in which a path ends. A re-exported name belongs to the module that defines
/// it.
fn home(modules: &BTreeMap<Module, String>, path: &[String]) -> Module {
    let mut module: Module = Vec::new();
    for (place, part) in path.iter().enumerate() {
        let mut inner = module.clone();
        inner.push(part.clone());
        if modules.contains_key(&inner) {
            module = inner;
            continue;
        }
        let passed_on = imports(modules, &module, "pub use ");
        let comes_from = passed_on.into_iter().find(|path| path.last() == Some(part));
        return match comes_from {
            Some(mut from) if from != path[..=place] => {
                from.extend_from_slice(&path[place + 1..]);
                home(modules, &from)
            }
            _ => module,
        };
    }
    module
}

/// Returns the paths, from the root of the crate, that follow a word in the code of a module.
fn imports(modules: &BTreeMap<Module, String>, module: &Module, word: &str) -> Vec<Module> {
    let code = &modules[module];
    let mut found = Vec::new();
    for (at, _) in code.match_indices(word) {
        let is_word = !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
        if !is_word || code[..at].ends_with("in ") {
            continue;
        }
        let start = if word.starts_with("pub use") { at + word.len() } else { at };
        paths(&code[start..], &[], &mut found);
    }
    let from_root = |path: Module| {
        let supers = path.iter().take_while(|part| *part == "super").count();
        match path[0].as_str() {
            "crate" => path[1..].to_vec(),
            "super" => [&module[..module.len() - supers], &path[supers..]].concat(),
            _ => [&module[..], &path[..]].concat(),
        }
    };
    found.into_iter().map(from_root).collect()
}

/// Returns the modules that each module imports. Imports from its own submodules are left out.
fn graph() -> BTreeMap<Module, BTreeSet<Module>> {
    let modules = modules();
    let of = |module: &Module| {
        let said = ["crate::", "super::"].map(|word| imports(&modules, module, word));
        let homes = said.iter().flatten().map(|path| home(&modules, path));
        let others = homes.filter(|other| !other.is_empty() && !other.starts_with(module));
        others.collect()
    };
    modules.keys().map(|module| (module.clone(), of(module))).collect()
}

/// Returns the modules that import each other in cycles: those that can be reached from themselves
/// along imports.
fn in_circles(graph: &BTreeMap<Module, BTreeSet<Module>>) -> Vec<String> {
    let comes_back = |module: &Module| {
        let mut met: BTreeSet<&Module> = BTreeSet::new();
        let mut next: Vec<&Module> = graph[module].iter().collect();
        while let Some(other) = next.pop() {
            if met.insert(other) {
                next.extend(&graph[other]);
            }
        }
        met.contains(module)
    };
    let found = graph.keys().filter(|module| comes_back(module));
    found.map(|module| module.join("::")).collect()
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let graph = graph();
    let imports = graph.values().map(BTreeSet::len).sum::<usize>();
    assert!(graph.len() > 80 && imports > 200, "{} and {imports}", graph.len());
    assert_eq!(in_circles(&graph), [""; 0]);
}

#[test]
fn imports_are_read_as_the_compiler_reads_them() {
    let module = |path: &str| -> Module { path.split("::").map(str::to_owned).collect() };
    let graph = graph();
    for (from, to) in [
        ("frontier::halves", "frontier::stage"),
        ("frontier::table", "graph"),
        ("frontier::round", "rounds"),
        ("run::keeper", "run::observer"),
        ("run::keeper", "run"),
        ("run::layers::index", "run::checkpoint::codec"),
        ("find::tiles", "board"),
        ("cli::tour_file", "cli::board"),
    ] {
        assert!(graph[&module(from)].contains(&module(to)), "{from} imports {to}");
    }
    assert!(!graph[&module("run")].contains(&module("run::keeper")));
    let mut with_circle = graph.clone();
    let matching = with_circle.get_mut(&module("states::matching")).unwrap();
    matching.insert(module("frontier::block"));
    let found = in_circles(&with_circle);
    assert!(found.contains(&"frontier::block".to_owned()), "{found:?}");
    assert!(!found.contains(&"frontier::halves".to_owned()), "{found:?}");
}

#[test]
fn the_library_does_not_speak_of_options_of_the_command_line() {
    let is_option = |rest: &str| rest.starts_with(|c: char| c.is_ascii_lowercase());
    for (path, room, code) in library() {
        // Style sheets contain names that begin with two dashes.
        for line in code.lines().filter(|_| room != "draw") {
            let speaks = line.split("--").skip(1).any(is_option);
            assert!(!speaks, "{}: {line}", path.display());
        }
    }
}

#[test]
fn counts_leave_the_library_as_tallies_only() {
    const PUBLIC: [&str; 4] = ["tally.rs", "rounds.rs", "numbers/mod.rs", "numbers/random.rs"];
    for (path, _, code) in library() {
        if PUBLIC.iter().any(|public| path.ends_with(public)) {
            let shown =
                ["pub fn ", "pub ", "impl From<", "impl TryFrom<", "type Err", "type Error"];
            let mut before = "";
            for line in code.lines().map(str::trim_start) {
                // What is hidden is for the crates above, and no part of the interface.
                let is_hidden = std::mem::replace(&mut before, line) == "#[doc(hidden)]";
                let is_shown = !is_hidden && shown.iter().any(|start| line.starts_with(start));
                let is_inner = line.starts_with("pub struct Tally(") || line.contains("Self(");
                let names = line.contains("BigUint") || line.contains("num_bigint");
                assert!(!(is_shown && names) || is_inner, "{}: {line}", path.display());
            }
        }
    }
}
