//! The terminal in the README shows what the program prints. `scripts/terminal-picture` draws it.

use super::root;
use super::shell::{Shell, is_shown};
use std::fs;

/// A command of the picture, with the lines below it.
struct Session {
    command: String,
    output: String,
}

/// Returns the commands of the picture. Rows that a line goes on in are put together again.
fn sessions() -> Vec<Session> {
    let picture = fs::read_to_string(root().join("docs/pictures/terminal.svg")).unwrap();
    let picture = roxmltree::Document::parse(&picture).unwrap();
    let mut sessions: Vec<Session> = Vec::new();
    for row in picture.descendants().filter(|node| node.has_tag_name("text")) {
        let text = row.text().unwrap_or("");
        match (row.attribute("class").unwrap(), sessions.last_mut()) {
            ("typed", _) => {
                let command = text.strip_prefix("$ ").unwrap().to_owned();
                sessions.push(Session { command, output: String::new() });
            }
            ("wrapped", Some(session)) => session.output += text,
            (_, Some(session)) => session.output += &format!("\n{text}"),
            (_, None) => panic!("the picture begins with a command"),
        }
    }
    sessions
}

/// Returns an output in which dots stand for the nodes and the seconds of a run.
fn without_times(output: &str) -> String {
    let line = |line: &str| match (line.split_once(" depth 4, "), line.split_once(" on ")) {
        (Some((before, _)), Some((_, after))) => {
            let (_, after) = after.split_once(", ").unwrap();
            format!("{before} depth 4, ... on ..., {after}\n")
        }
        _ => format!("{line}\n"),
    };
    output.lines().skip(1).map(line).collect()
}

#[test]
fn the_terminal_in_the_readme_shows_what_the_program_prints() {
    let sessions = sessions();
    assert_eq!(sessions.len(), 2);
    let mut shell = Shell::new();
    for Session { command, output } in sessions {
        let printed = shell.run(&command).output;
        let shown = without_times(&output);
        assert!(is_shown(&shown, &printed), "{command} shows\n{shown}but prints\n{printed}");
    }
}
