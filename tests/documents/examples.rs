//! The examples of the library run and print published values.

use kt_enum::tour::TourReader;
use std::path::Path;
use std::process::Command;

/// Runs an example and returns its output.
fn printed(example: &str) -> String {
    let folder = assert_cmd::cargo::cargo_bin("kt-enum");
    let folder = folder.parent().unwrap();
    let program = folder.join("examples").join(example);
    if !program.exists() {
        build(example, folder);
    }
    let output = Command::new(program).output().unwrap();
    assert!(output.status.success(), "{example}");
    String::from_utf8(output.stdout).unwrap()
}

/// Builds an example, because `cargo test --test documents` alone does not. The folder has the name
/// of the profile.
fn build(example: &str, folder: &Path) {
    let profile = match folder.file_name().unwrap().to_str().unwrap() {
        "debug" => "dev",
        profile => profile,
    };
    let built = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--offline", "--example", example])
        .args(["--profile", profile])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        .status();
    assert!(built.unwrap().success(), "{example}");
}

#[test]
fn the_rust_of_the_readme_is_an_example_of_the_library_which_runs() {
    let [readme, library] = ["README.md", "src/lib.rs"].map(|file| {
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap()
    });
    let (_, shown) = readme.split_once("```rust\n").unwrap();
    let (shown, _) = shown.split_once("```").unwrap();
    let lines = shown.lines().map(|line| format!("//! {line}").trim_end().to_owned() + "\n");
    assert!(library.contains(&lines.collect::<String>()), "{shown}");
}

#[test]
fn the_example_of_counting_prints_the_published_counts_of_6x6() {
    let printed = printed("count");
    assert!(printed.contains("3,318,960 open tours of 6x6\n"), "{printed}");
    assert!(printed.contains("9,862 closed tours of 6x6\n"), "{printed}");
}

#[test]
fn the_example_of_visiting_finds_the_published_number_of_tours_from_a_corner() {
    let printed = printed("visit");
    assert!(printed.starts_with("304 open tours of 5x5 from a1"), "{printed}");
    let numbers = printed.lines().skip(1).flat_map(str::split_whitespace);
    assert_eq!(numbers.map(|word| word.parse::<u32>().unwrap()).sum::<u32>(), 304);
}

#[test]
fn the_example_of_finding_prints_a_closed_tour_and_another_that_read_back() {
    let printed = printed("find");
    let read = TourReader::new(None).read_all(&printed);
    assert_eq!(read.len(), 2, "{printed}");
    let closed = read[0].tour.as_ref().unwrap();
    assert!(closed.is_reentrant(), "{printed}");
    assert_eq!(closed.squares()[0], closed.board().parse_square("d4").unwrap());
    assert!(read[1].tour.is_ok(), "{printed}");
}

#[test]
fn the_example_of_drawing_prints_a_picture_of_all_squares() {
    let printed = printed("draw");
    let picture = roxmltree::Document::parse(&printed).unwrap();
    let numbers = picture.descendants().filter_map(|node| node.text()?.parse::<u32>().ok());
    let numbers: std::collections::BTreeSet<u32> = numbers.collect();
    assert!((1..=64).all(|number| numbers.contains(&number)), "{printed}");
}
