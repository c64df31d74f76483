//! Links of the README, the guide and the results: every file and every heading that a link names
//! exists. Links to other sites are not followed, because a test needs no network.

use super::{pages, root};
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the README, the guide, the changelog and the pages among the results.
fn linked_pages() -> Vec<PathBuf> {
    let mut all = pages();
    all.push(root().join("CHANGELOG.md"));
    for folder in ["results", "results/oeis", "results/seeds"] {
        let files = fs::read_dir(root().join(folder)).unwrap();
        let files = files.map(|entry| entry.unwrap().path());
        all.extend(files.filter(|file| file.extension().is_some_and(|kind| kind == "md")));
    }
    all
}

/// Returns the text of a page outside its code blocks.
fn prose(page: &str) -> String {
    let outside = page.split("\n```").step_by(2);
    outside.collect::<Vec<_>>().join("\n")
}

/// Returns the targets of all links and pictures of a page.
fn targets(page: &str) -> Vec<String> {
    let prose = prose(page);
    let links = prose.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let pictures = prose.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next());
    links.chain(pictures).map(str::to_owned).collect()
}

/// Returns the anchors of a page's headings, as GitHub names them.
fn anchors(page: &str) -> BTreeSet<String> {
    let (mut anchors, mut seen) = (BTreeSet::new(), HashMap::<String, usize>::new());
    let prose = prose(page);
    let headings = prose.lines().filter(|line| line.starts_with('#'));
    for heading in headings.map(|line| line.trim_start_matches('#').trim()) {
        let kept = heading.chars().filter(|&letter| {
            letter.is_alphanumeric() || letter == ' ' || letter == '-' || letter == '_'
        });
        let anchor: String =
            kept.flat_map(char::to_lowercase).map(|l| if l == ' ' { '-' } else { l }).collect();
        let times = seen.entry(anchor.clone()).or_default();
        anchors.insert(match *times {
            0 => anchor,
            more => format!("{anchor}-{more}"),
        });
        *times += 1;
    }
    anchors
}

/// Returns the complaint about a link of a page, if there is one.
fn complaint(page: &Path, target: &str) -> Option<String> {
    if target.contains("://") {
        return None;
    }
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = match file {
        "" => page.to_owned(),
        file => page.parent().unwrap().join(file),
    };
    let broken = |what: &str| Some(format!("{}: {target}: {what}", page.display()));
    if !path.exists() {
        return broken("no such file");
    }
    if anchor.is_empty() {
        return None;
    }
    match anchors(&fs::read_to_string(&path).unwrap()).contains(anchor) {
        true => None,
        false => broken("no such heading"),
    }
}

#[test]
fn every_link_leads_to_a_file_and_a_heading_that_exist() {
    let mut links = 0;
    let mut complaints = Vec::new();
    for page in linked_pages() {
        for target in targets(&fs::read_to_string(&page).unwrap()) {
            links += 1;
            complaints.extend(complaint(&page, &target));
        }
    }
    assert!(links > 60, "only {links} links were found");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn headings_make_anchors_and_broken_links_are_found() {
    let page = "# Two words\n\n```sh\n# no heading\n```\n## `--cut` CLASS:Q\n## Two words\n";
    let expected = ["two-words", "--cut-classq", "two-words-1"].map(str::to_owned);
    assert_eq!(anchors(page), BTreeSet::from(expected));
    let readme = root().join("README.md");
    assert!(complaint(&readme, "docs/no-such-page.md").is_some());
    assert!(complaint(&readme, "docs/README.md#no-such-heading").is_some());
    assert!(complaint(&readme, "docs/README.md").is_none());
}
