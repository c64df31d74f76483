//! The pages of `show` in headless Chromium, driven by `tests/browser/check.py`.
//!
//! `tests/install` installs Chromium. If `KT_PICTURES` names a folder, these tests write pictures
//! of the pages there.

use crate::common::{Machine, text};
use std::path::Path;
use std::process::Command;

/// Pages in a temporary folder.
struct Pages {
    machine: Machine,
}

impl Pages {
    fn new() -> Self {
        let machine = Machine::new();
        Self { machine }
    }

    /// Writes a page about the tours that a command prints.
    fn make(&self, file: &str, tours: &str, show: &[&str]) {
        let printed = self.machine.kt(tours).output().unwrap();
        assert!(printed.status.success(), "{tours}");
        let (_, format) = file.split_once('.').unwrap();
        let mut command = self.machine.kt(&format!("show --format {format} -o"));
        command.arg(self.machine.folder.path().join(file)).args(show);
        let shown = command.write_stdin(printed.stdout).output().unwrap();
        assert!(shown.status.success(), "{file}: {}", text(&shown.stderr));
    }

    fn check(&self, what: &str) {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let output = Command::new("python3")
            .arg("-B")
            .arg(root.join("tests/browser/check.py"))
            .arg(what)
            .arg(self.machine.folder.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{what}: {}", text(&output.stderr));
    }
}

const BOARDS: [(&str, &str); 4] = [
    ("3x4", "find --rows 3 --cols 4"),
    ("8x8", "find --size 8 --closed"),
    ("20x20", "find --size 20 --from c2"),
    ("3x30", "find --rows 3 --cols 30"),
];

#[test]
#[ignore = "needs chromium and python3"]
fn the_player_plays_and_steps_by_buttons_and_by_keys() {
    let pages = Pages::new();
    pages.make("5x5.html", "list --size 5 --classes", &["--tours", "open"]);
    pages.check("player");
}

#[test]
#[ignore = "needs chromium and python3"]
fn a_tour_is_gone_to_by_number_and_by_link_and_taken_elsewhere_and_the_controls_fit_a_small_window()
{
    let pages = Pages::new();
    pages.make("5x5.html", "list --size 5 --classes", &["--tours", "open"]);
    pages.make("one.html", "find --size 8", &[]);
    let listed = pages.machine.kt("list --size 5 --classes").output().unwrap();
    std::fs::write(pages.machine.folder.path().join("5x5.txt"), listed.stdout).unwrap();
    pages.check("elsewhere");
}

#[test]
#[ignore = "needs chromium and python3"]
fn filters_leave_the_tours_of_a_kind_and_of_a_symmetry() {
    let pages = Pages::new();
    let closed = "list --size 6 --tours closed --classes";
    pages.make("6x6-closed.html", closed, &[]);
    pages.make("kinds.html", "list --size 6 --limit 3000", &["--tours", "open"]);
    pages.check("filters");
}

#[test]
#[ignore = "needs chromium and python3"]
fn a_tour_of_ten_thousand_moves_is_played_several_moves_at_a_time() {
    let pages = Pages::new();
    pages.make("100x100.html", "find --size 100 --closed --format squares", &[]);
    pages.check("fast");
}

#[test]
#[ignore = "needs chromium and python3"]
fn a_page_of_ten_thousand_tours_opens_and_every_page_of_it_is_turned_to() {
    let pages = Pages::new();
    pages.make("many.html", "list --size 8 --limit 10000", &[]);
    pages.check("many");
}

#[test]
#[ignore = "needs chromium and python3"]
fn the_page_draws_the_path_that_the_picture_has() {
    let pages = Pages::new();
    for (board, command) in BOARDS {
        pages.make(&format!("{board}.svg"), command, &[]);
        pages.make(&format!("{board}.html"), command, &[]);
    }
    pages.check("geometry");
}

#[test]
#[ignore = "needs chromium and python3"]
fn pages_and_pictures_fit_a_phone_and_follow_a_dark_scheme() {
    let pages = Pages::new();
    for (board, command) in BOARDS {
        pages.make(&format!("{board}.svg"), command, &[]);
        pages.make(&format!("{board}-numbers.svg"), command, &["--numbers"]);
        pages.make(&format!("{board}.html"), command, &["--numbers"]);
    }
    for (file, command) in [
        ("6x6-closed.html", "list --size 6 --tours closed --classes"),
        ("8x8-list.html", "list --size 8 --limit 10000"),
        ("3x10-list.html", "list --rows 3 --cols 10 --tours closed"),
    ] {
        pages.make(file, command, &["--title", "A title"]);
    }
    pages.check("schemes");
}

/// Writes puzzles into a file and a page of them beside it.
fn puzzles(pages: &Pages, name: &str, format: &str, commands: &[&str]) {
    let folder = pages.machine.folder.path();
    let made = |command: &&str| {
        let output = pages.machine.kt(&format!("puzzle {command}")).output().unwrap();
        assert!(output.status.success(), "{command}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    let path = folder.join(format!("{name}.txt"));
    std::fs::write(&path, commands.iter().map(made).collect::<String>()).unwrap();
    let closed = if commands[0].contains("--closed") { "--closed" } else { "" };
    let mut command = pages.machine.kt(&format!("show --format {format} {closed} -o"));
    command.arg(folder.join(format!("{name}.html"))).arg(path).assert().success();
}

#[test]
#[ignore = "needs chromium and python3"]
fn puzzles_are_solved_by_clicks_and_keys_with_hints_and_what_is_wrong_is_said() {
    let pages = Pages::new();
    puzzles(&pages, "knight", "play", &["--size 6 --seed 1 --count 2"]);
    let king = "--size 4 --piece king --closed --without a1,c3 --seed 2";
    puzzles(&pages, "king", "play", &[king]);
    puzzles(&pages, "hexagons", "play", &["--grid hex --size 3 --link b2-b3 --seed 1"]);
    pages.check("solving");
}

#[test]
#[ignore = "needs chromium and python3"]
fn a_sheet_of_twelve_puzzles_and_their_answers_has_the_same_pages_on_both_papers() {
    let pages = Pages::new();
    puzzles(&pages, "knights", "sheet", &["--size 8 --clues 16 --seed 5 --count 12"]);
    puzzles(&pages, "kings", "sheet", &["--size 4 --piece king --seed 1 --closed --count 12"]);
    let kinds = [
        "--size 7 --piece king --seed 1 --count 4",
        "--size 6 --piece wazir --seed 1 --count 4",
        "--size 5 --wrap cylinder --seed 4 --count 4",
    ];
    puzzles(&pages, "mixed", "sheet", &kinds);
    pages.check("printed");
}

#[test]
#[ignore = "needs chromium and python3"]
fn no_script_gets_into_a_page() {
    let pages = Pages::new();
    let title = "</title></script><script>injected=1</script><img src=x onerror='injected=1'>{{tours}}\"&amp;";
    for file in ["title.html", "title.svg"] {
        pages.make(file, "list --rows 3 --cols 4", &["--title", title]);
    }
    pages.check("hostile");
}
