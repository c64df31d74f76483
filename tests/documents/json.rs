//! The page of file formats describes every field of the answers in JSON.

use crate::root;
use crate::shell::Shell;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

/// Commands that print JSON, in this order in one folder; together they have all commands with
/// `--json`.
const COMMANDS: [&str; 25] = [
    "count --size 5 --classes --json --keep-units units.txt; kt-enum count --size 5 --starts --json",
    "count --size 6 --closed --engine frontier --json",
    "count --size 3 --json",
    "count --size 5 --given 1=a1,9=c5 --symmetry half-turn --json",
    "count --rows 6 --cols 8 --max-time 0s --quiet; kt-enum status --json",
    "shard 0/2 --size 5 --out parts --json; kt-enum status parts --json",
    "shard 1/2 --size 5 --out parts --json; kt-enum merge parts --json",
    "prepare --size 6x7 --closed --out prepared --json",
    "audit units.txt --sample 3 --json",
    "estimate --size 5 --json",
    "estimate --size 7x8 --memory 30M --disk 1M --within 1s --json",
    "estimate --size 3 --json",
    "list --size 5 --limit 1 --format json",
    "find --size 6 --json",
    "find --size 3 --json",
    "nth 1 --size 5 --json",
    "random --size 5 --seed 1 --json",
    "list --size 5 --limit 2 > tours.txt; kt-enum rank --size 5 tours.txt --json",
    "stats tours.txt --json",
    "puzzle --size 4 --grid hex --seed 1 --json",
    "puzzle --size 5 --seed 1 > puzzle.txt; kt-enum solve puzzle.txt --json",
    "solve puzzle.txt --hint --json",
    "solve --size 5 --all --limit 2 --json empty.txt",
    "table --rows 3 --up-to 5 --json; kt-enum table --cols 4 --rows 3..5 --json",
    "table --rows 2 --up-to 3 --partial --json",
];

/// Adds the names of all fields of a value. Names of squares and of symmetries are no fields.
fn add_fields(value: &Value, fields: &mut BTreeSet<String>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| add_fields(value, fields)),
        Value::Object(object) => {
            for (key, value) in object {
                if key.chars().all(|c| c.is_ascii_lowercase() || c == '_') {
                    fields.insert(key.clone());
                }
                add_fields(value, fields);
            }
        }
        _ => {}
    }
}

/// What the page says about the answers of a command: its own paragraphs, or those of counts.
fn section(page: &str, command: &str) -> String {
    let (_, json) = page.split_once("## JSON").unwrap();
    let (counts, others) = json.split_once("**The other commands.**").unwrap();
    let (others, _) = others.split_once("## Tours and tables").unwrap();
    let named = format!("`{command}`");
    let is_of = |bullet: &&str| bullet.split(':').next().unwrap().contains(&named);
    let own: String = others.split("\n- ").filter(is_of).collect();
    if own.is_empty() { counts.to_owned() } else { own }
}

/// The command that answers in the end: `status` of `count --size 5; kt-enum status`.
fn answering(line: &str) -> &str {
    let last = line.rsplit("kt-enum ").next().unwrap();
    last.split_whitespace().next().unwrap()
}

#[test]
fn every_field_of_an_answer_in_json_is_in_the_page_of_file_formats() {
    let page = fs::read_to_string(root().join("docs/formats.md")).unwrap();
    let mut shell = Shell::new();
    shell.run("printf '. . . . .\\n%.0s' 1 2 3 4 5 > empty.txt");
    let (mut untold, mut count) = (Vec::new(), 0);
    for command in COMMANDS {
        let said = shell.run(&format!("kt-enum {command}")).output;
        let objects = said.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let mut fields = BTreeSet::new();
        objects.filter(Value::is_object).for_each(|object| add_fields(&object, &mut fields));
        assert!(fields.len() > 2, "{command}: {said}");
        count += fields.len();
        let section = section(&page, answering(command));
        let is_told = |field: &String| {
            // A bound is told as that of every number, and the parts of a provenance elsewhere.
            let field = field.replace("_low", "").replace("_high", "");
            ["schema", "board"].contains(&&field[..])
                || section.contains(&format!("`{field}`"))
                || page.contains(&format!("\"{field}\":"))
        };
        untold.extend(fields.into_iter().filter(|field| !is_told(field)).map(|of| (command, of)));
    }
    assert!(count > 300 && untold.is_empty(), "{count} fields: {untold:?}");
}
