//! `--given` and `--symmetry` of `count`, `list`, `random` and `find`.

use crate::common::{Machine, text};
use std::collections::BTreeSet;

/// Runs a command and returns the exit code, what it printed, and its messages.
fn ran(command: &str) -> (Option<i32>, String, String) {
    let output = Machine::new().kt(command).output().unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn said(command: &str) -> String {
    let (code, said, complaint) = ran(command);
    assert_eq!(code, Some(0), "{command}: {complaint}");
    said
}

fn complaint(command: &str) -> String {
    let (code, said, complaint) = ran(command);
    assert_eq!((code, said.as_str()), (Some(2), ""), "{command}");
    complaint
}

#[test]
fn a_count_with_steps_is_that_of_the_listed_tours_which_have_them() {
    let all = said("list --size 5");
    let fits = |line: &&str| {
        let squares: Vec<&str> = line.split(' ').collect();
        (squares[4], squares[10]) == ("c3", "a3")
    };
    let wanted: Vec<&str> = all.lines().filter(fits).collect();
    assert!(wanted.len() > 1);
    assert_eq!(said("list --size 5 --given 5=c3,11=a3").lines().collect::<Vec<_>>(), wanted);
    assert_eq!(said("count --size 5 --given 11=a3,5=c3 -q"), format!("{}\n", wanted.len()));
    let first = said("list --size 5 --given 5=c3,11=a3 --limit 1");
    assert_eq!(first.lines().collect::<Vec<_>>(), wanted[..1]);
}

#[test]
fn steps_at_the_ends_are_the_ends() {
    for (given, ends) in [
        ("--given 1=a1", "--from a1"),
        ("--given 25=e5", "--to e5"),
        ("--from a1 --given 25=e5", "--from a1 --to e5"),
        ("--from a1 --given 1=a1", "--from a1"),
    ] {
        for command in
            ["count --size 5 --engine walk -q", "list --size 5", "random --size 5 --seed 1"]
        {
            let [one, other] = [given, ends].map(|ends| said(&format!("{command} {ends}")));
            assert_eq!(one, other, "{command} {given}");
        }
    }
    let [one, other] = ["--given 1=c3", "--from c3"]
        .map(|start| said(&format!("list --size 6 --closed --limit 50 {start}")));
    assert_eq!(one, other);
    let both = said("count --size 5 --from a1 --given 5=c3");
    assert!(both.contains(" open tours of 5x5 from a1 with 5 on c3\n"), "{both}");
    assert!(complaint("count --size 5 --from b2 --given 1=a1").contains("1 is given twice"));
}

#[test]
fn what_a_count_is_about_is_said() {
    // One step of a cycle says only where the numbers begin.
    let one = said("count --size 6 --closed --given 5=c3");
    assert!(one.starts_with("9,862 closed tours of 6x6 (cycles"), "{one}");
    // Two of them half a tour apart do not tell the directions apart.
    let half = said("count --size 6 --closed --given 1=a1,19=f6 --json");
    let half: serde_json::Value = serde_json::from_str(&half).unwrap();
    let number = |name: &str| half[name].as_str().unwrap().parse::<u64>().unwrap();
    assert_eq!(number("directed"), 2 * number("undirected"));
    assert_eq!(half["engine"], "solver");
    assert_eq!(half["given"], serde_json::json!([[1, "a1"], [19, "f6"]]));
    let list = said("list --size 6 --closed --given 1=a1,19=f6");
    assert_eq!(list.lines().count() as u64, number("undirected"));
    let two = said("count --size 6 --closed --given 1=a1,4=e5");
    assert!(two.contains(" closed tours of 6x6 with 1 on a1, 4 on e5\n"), "{two}");
    assert!(two.contains("\nby the solver, ") && !two.contains("directed"), "{two}");
    let middle = said("count --size 5 --given 13=c3");
    assert!(middle.contains("directed open tours of 5x5 with 13 on c3 (sequences"), "{middle}");
    let none = said("count --size 6 --closed --given 5=c3,9=e4");
    assert!(none.contains("there is no such tour: every move changes the colour"), "{none}");
}

#[test]
fn wrong_steps_are_refused_with_their_values() {
    for (given, why) in [
        ("0=a1", "0 on a1 is not a step: the steps go from 1 to 25"),
        ("26=a1", "26 on a1 is not a step: the steps go from 1 to 25"),
        ("3=f9", "square f9 is not on the 5x5 board"),
        ("3=a1,3=a2", "3 is given twice: on a1 and on a2"),
        ("3=a1,3=a1", "3 is given twice: on a1 and on a1"),
        ("3=a1,4=a1", "a1 has two numbers: 3 and 4"),
        ("a1=3", "`a1=3` is not a step and its square: write 12=c4"),
        ("3", "`3` is not a step and its square: write 12=c4"),
        ("", "`` is not a step and its square: write 12=c4"),
    ] {
        for command in ["count", "list", "random", "find"] {
            let said = complaint(&format!("{command} --size 5 --given={given}"));
            assert!(said.contains("--given: ") && said.contains(why), "{command} {given}: {said}");
        }
    }
    let hole = complaint("count --size 5 --without c3 --given 3=c3");
    assert!(hole.contains("--given: ") && hole.contains("c3"), "{hole}");
}

#[test]
fn options_that_the_solver_does_not_have_are_refused() {
    for (command, option) in [
        ("count --engine walk", "--engine"),
        ("count --split-depth 3", "--split-depth"),
        ("count --checkpoint x", "--checkpoint"),
        ("count --memory 1G", "--memory"),
        ("count --classes", "--classes"),
        ("count --keep-units x", "--keep-units"),
        ("count --format csv", "--format csv"),
        ("list --classes", "--classes"),
        ("list --resume -o x.txt", "--resume"),
        ("random --index x", "--index"),
        ("find --strategy roth", "--strategy"),
        ("find --max-moves 9", "--max-moves"),
        ("find --to e5 --strategy roth", "--strategy"),
    ] {
        let said = complaint(&format!("{command} --size 5 --given 5=c3"));
        assert!(
            said.contains(&format!("{option} is not for tours that the solver finds")),
            "{said}"
        );
        assert!(said.contains("leave it out"), "{said}");
    }
    let said = complaint("count --rows 3..4 --cols 4..5 --given 5=a1");
    assert!(said.contains("--given is for one board"), "{said}");
    assert!(complaint("find --size 5 --seed 1").contains("--seed is for tours with --given"));
}

#[test]
fn a_symmetry_selects_the_tours_that_it_keeps() {
    // 9,862 + 78 + 2 x 10 are 8 times the 1,245 classes.
    let half = said("list --size 6 --closed --symmetry half-turn");
    let quarter = said("list --size 6 --closed --symmetry quarter-turn");
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<String>>();
    assert_eq!((lines(&half).len(), lines(&quarter).len()), (78, 10));
    assert!(lines(&quarter).is_subset(&lines(&half)));
    let all = lines(&said("list --size 6 --closed"));
    assert!(lines(&half).is_subset(&all));
    assert_eq!(said("count --size 6 --closed --symmetry half-turn -q"), "78\n");
    let first = said("list --size 8 --closed --symmetry half-turn --limit 20");
    assert_eq!(first.lines().count(), 20);
}

#[test]
fn tours_that_no_symmetry_keeps_are_answers_with_a_reason() {
    for (command, why) in [
        (
            "list --size 8 --closed --symmetry quarter-turn",
            "there are no closed tours of 8x8 kept by a quarter turn: a quarter turn changes the \
             colour of each square",
        ),
        ("find --size 8 --closed --symmetry diagonal", "leaves 8 squares in place"),
        ("random --size 8 --closed --symmetry left-right --seed 1", "joins no square to its image"),
        ("list --size 6 --symmetry quarter-turn", "an open tour can only be reversed"),
    ] {
        let (code, _, note) = ran(command);
        assert_eq!(code, Some(0), "{command}: {note}");
        assert!(note.contains(why), "{command}: {note}");
    }
    let said = complaint("list --rows 6 --cols 8 --symmetry quarter-turn");
    let why = "a quarter turn does not keep the moves of 6x8, or it moves no square; \
               others: half-turn, left-right, top-bottom";
    assert!(said.contains(why), "{said}");
}

#[test]
fn random_draws_places_of_the_list_and_reaches_all_of_them() {
    let list = said("list --size 6 --closed --symmetry quarter-turn");
    let list: Vec<&str> = list.lines().collect();
    let drawn = said("random --size 6 --closed --symmetry quarter-turn --count 200 --seed 1");
    assert_eq!(drawn.lines().collect::<BTreeSet<_>>(), list.iter().copied().collect());
    let json = said("random --size 6 --closed --symmetry quarter-turn --count 9 --seed 1 --json");
    for (line, drawn) in json.lines().zip(drawn.lines()) {
        let json: serde_json::Value = serde_json::from_str(line).unwrap();
        let number: usize = json["number"].as_str().unwrap().parse().unwrap();
        assert_eq!(list[number - 1], drawn);
    }
    let again = said("random --size 6 --closed --symmetry quarter-turn --count 200 --seed 1 -j 1");
    assert_eq!(again, drawn);
}

#[test]
fn find_finds_selected_tours_and_another_seed_another_one() {
    let find = |options: &str| said(&format!("find --format squares {options}"));
    let tour = find("--size 10 --closed --symmetry quarter-turn");
    let squares: Vec<&str> = tour.split_whitespace().collect();
    assert_eq!(squares.len(), 100);
    // The image of a1 under the quarter turn that takes it to j1, and then to j10.
    let at = |name: &str| squares.iter().position(|square| *square == name).unwrap();
    let later = |from: &str, to: &str| (at(to) + 100 - at(from)) % 100;
    assert!([25, 75].contains(&later("a1", "j1")), "{tour}");
    assert_eq!(later("a1", "j1"), later("j1", "j10"));
    let [one, other] = [1, 2].map(|seed| find(&format!("--size 8 --given 20=d4 --seed {seed}")));
    assert_ne!(one, other);
    for tour in [&one, &other] {
        assert_eq!(tour.split_whitespace().nth(19), Some("d4"));
    }
    assert_eq!(one, find("--size 8 --given 20=d4 --seed 1"));
    let closed = find("--size 8 --closed --given 1=c3,30=f5 --from c3");
    assert!(closed.starts_with("c3 "), "{closed}");
}

#[test]
fn searches_without_an_end_stop_at_their_time_and_say_how_far_they_were() {
    for command in ["count", "random"] {
        let (code, said, complaint) =
            ran(&format!("{command} --size 8 --given 5=c3 --max-time 1s"));
        assert_eq!((code, said.as_str()), (Some(1), ""), "{complaint}");
        assert!(complaint.contains("stopped after ") && complaint.contains(" tours found"));
    }
}
