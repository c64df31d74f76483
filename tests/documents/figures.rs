//! The figures of README, speed and long runs: each of them is in `results/figures.tsv`, which says
//! by what command and on what machine it was measured.
//!
//! A figure is a number with a unit of time or memory, or with a decimal point.

use super::root;
use std::collections::BTreeSet;
use std::fs;

const UNITS: [&str; 8] = ["ns", "ms", "s", "min", "h", "MB", "GB", "TB"];

/// A row of the list of figures.
struct Measured {
    name: String,
    value: String,
    unit: String,
}

fn measured() -> Vec<Measured> {
    let list = fs::read_to_string(root().join("results/figures.tsv")).unwrap();
    let row = |line: &str| {
        let [name, value, unit, machine, command] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("a row has five columns: {line}");
        };
        assert!(!machine.is_empty() && !command.is_empty(), "{line}");
        let [name, value, unit] = [name, value, unit].map(str::to_owned);
        Measured { name, value, unit }
    };
    list.lines().filter(|line| !line.starts_with('#')).map(row).collect()
}

/// A figure as a page quotes it, with its unit or without.
#[derive(Debug, PartialEq, Eq)]
struct Quoted {
    value: String,
    unit: Option<String>,
}

impl Quoted {
    fn is_of(&self, measured: &Measured) -> bool {
        let has_unit = |unit: &str| measured.unit.split(' ').next() == Some(unit);
        self.value == measured.value && self.unit.as_deref().is_none_or(has_unit)
    }
}

/// Returns the figures in a line of text.
fn figures(line: &str) -> Vec<Quoted> {
    let prose: String = line.split('`').step_by(2).collect();
    let bare = |word: &str| word.trim_matches(|c: char| "(),;:.|*[]".contains(c)).to_owned();
    let words: Vec<String> = prose.split_whitespace().map(bare).collect();
    let mut found = Vec::new();
    for (place, word) in words.iter().enumerate() {
        let value = word.strip_prefix("1/").unwrap_or(word);
        let is_number = value.starts_with(|c: char| c.is_ascii_digit())
            && value.chars().all(|c| c.is_ascii_digit() || c == ',' || c == '.');
        let is_version = place > 0 && words[place - 1] == "Rust";
        if !is_number || is_version {
            continue;
        }
        let unit = words.get(place + 1).filter(|word| UNITS.contains(&word.as_str())).cloned();
        if unit.is_some() || value.contains('.') {
            found.push(Quoted { value: value.to_owned(), unit });
        }
    }
    found
}

/// Returns the name of a row of a table: its first cell, up to a colon, without code.
fn name_of_row(line: &str) -> Option<String> {
    let cell = line.strip_prefix("| ")?.split(" |").next()?;
    let cell: String = cell.split('`').step_by(2).collect();
    let name = cell.split(':').next()?.trim_end_matches([' ', ',']);
    Some(name.to_owned())
}

/// Returns the lines of a page outside its code blocks; of long runs those of one section.
fn lines(page: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join(page)).unwrap();
    let text = match page {
        "docs/overnight.md" => {
            let section =
                text.split("\n## ").find(|section| section.starts_with("Memory and disk"));
            let lines = section.unwrap().lines().filter(|line| line.starts_with("| "));
            lines.collect::<Vec<_>>().join("\n")
        }
        _ => text.split("\n```").step_by(2).collect(),
    };
    text.lines().map(str::to_owned).collect()
}

#[test]
fn every_figure_of_readme_and_speed_is_in_the_list_and_every_one_of_the_list_is_quoted() {
    let measured = measured();
    let mut quoted = BTreeSet::new();
    for page in ["README.md", "docs/speed.md", "docs/overnight.md"] {
        for line in lines(page) {
            let row = name_of_row(&line);
            for figure in figures(&line) {
                let mut of = measured.iter().enumerate().filter(|(_, measured)| {
                    let has_name = row.as_ref().is_none_or(|row| measured.name.starts_with(row));
                    has_name && figure.is_of(measured)
                });
                let (place, _) = of.next().unwrap_or_else(|| panic!("{page}: {figure:?}: {line}"));
                quoted.insert(place);
                quoted.extend(of.map(|(place, _)| place));
            }
        }
    }
    for (place, measured) in measured.iter().enumerate() {
        let Measured { name, value, unit } = measured;
        assert!(quoted.contains(&place), "no page quotes {name}: {value} {unit}");
    }
}

#[test]
fn a_figure_is_a_number_with_a_unit_or_a_decimal_point() {
    let quoted = |value: &str, unit: Option<&str>| Quoted {
        value: value.to_owned(),
        unit: unit.map(str::to_owned),
    };
    assert_eq!(
        figures("| 8x8 closed: 132 | 0.22 (0.21 to 7) | 7.0 s, 4,301 MB of 24 | `9 s` | Rust 1.95"),
        [
            quoted("0.22", None),
            quoted("0.21", None),
            quoted("7.0", Some("s")),
            quoted("4,301", Some("MB"))
        ]
    );
    assert_eq!(
        figures("take 1/1.99 of it, and 20 s."),
        [quoted("1.99", None), quoted("20", Some("s"))]
    );
    assert_eq!(name_of_row("| 9x10 closed, `--cut 1` | 57 min |").unwrap(), "9x10 closed");
}
