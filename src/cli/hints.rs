//! Answers to words that a command does not have.
//!
//! A word that other programs use is answered with the word of this one, and a word for something
//! that this program does not do is answered with exactly that. Only a word that is in neither
//! table gets the most similar word of the definition, and only if it looks like a slip of the
//! keys.

use super::quantity::parse_board;
use super::retype::quoted;

/// The words that were typed after the name of the program.
#[derive(Debug, Clone, Default)]
pub struct Typed {
    /// The command, if there is one.
    pub command: Option<String>,
    /// All words.
    pub words: Vec<String>,
}

impl Typed {
    /// The typed words, the first of which that names a command is it.
    pub fn new(words: Vec<String>, definition: &clap::Command) -> Self {
        let names_command = |word: &&String| {
            definition.get_subcommands().any(|command| command.get_name() == **word)
        };
        Self { command: words.iter().find(names_command).cloned(), words }
    }

    /// The value that an option was given, in either spelling.
    fn value(&self, option: &str) -> Option<&str> {
        let mut words = self.words.iter().enumerate();
        words.find_map(|(place, word)| match word.strip_prefix(option)? {
            "" => self.words.get(place + 1).map(String::as_str),
            rest => rest.strip_prefix('='),
        })
    }
}

/// The answer to some words.
struct Reply {
    /// Options and commands that are not there.
    words: &'static str,
    /// The commands that it is for, or none for all; `count` is also what runs without a command.
    commands: &'static str,
    says: String,
}

/// The answers. The first one that fits the command is given.
fn answers() -> impl Iterator<Item = Reply> {
    include_str!("hints.txt").split("\n\n").filter_map(|paragraph| {
        let (heading, says) = paragraph.split_once('\n').filter(|_| !paragraph.starts_with('#'))?;
        let (words, commands) = heading.split_once(" | ").unwrap_or((heading, ""));
        Some(Reply { words, commands, says: says.trim_end().replace('\n', " ") })
    })
}

/// The answer to a word that this command does not have.
pub fn hint(word: &str, typed: &Typed) -> Option<String> {
    if word.parse::<f64>().is_ok_and(|number| number < 0.0) {
        return Some("numbers are not negative here".to_owned());
    }
    if let Ok(board) = parse_board(word) {
        return Some(board_hint(word, &board.to_string(), typed));
    }
    if word == "--to" && typed.command.as_deref() == Some("find") {
        return Some(both_ends(typed));
    }
    Some(answers().find(|answer| answer.is_for(word, typed))?.says)
}

impl Reply {
    fn is_for(&self, word: &str, typed: &Typed) -> bool {
        let command = typed.command.as_deref().unwrap_or("count");
        let mut commands = self.commands.split_whitespace().peekable();
        let is_of_command = commands.peek().is_none() || commands.any(|known| known == command);
        is_of_command && self.words.split_whitespace().any(|known| known == word)
    }
}

fn board_hint(word: &str, board: &str, typed: &Typed) -> String {
    let board = if word.bytes().all(|byte| byte.is_ascii_digit()) { word } else { board };
    let is_number =
        word == board && ["--size", "--rows"].iter().any(|it| typed.value(it).is_some());
    match typed.command.as_deref() {
        Some("random") if is_number => format!("to draw {word} tours say --count {word}"),
        Some("list") if is_number => format!("to list {word} tours say --limit {word}"),
        Some("compare") => format!("for boards of {board} say --sizes {board}"),
        Some("table") => "the boards are --rows R --up-to N".to_owned(),
        _ => format!("for a board of {board} say --size {board}"),
    }
}

/// `find` has no `--to`: the list of tours between two squares begins with one.
fn both_ends(typed: &Typed) -> String {
    let option =
        |name| typed.value(name).map(|value| format!(" {name} {}", quoted(value.as_bytes())));
    let board: String = ["--size", "--rows", "--cols"].into_iter().filter_map(option).collect();
    let from = option("--from").unwrap_or_else(|| " --from a1".to_owned());
    let to = option("--to").unwrap_or_else(|| " --to b3".to_owned());
    let is_closed = typed.words.iter().any(|word| word == "--closed");
    let closed = if is_closed { ", and closed tours have no ends" } else { "" };
    format!(
        "find takes no end{closed}: kt-enum list{board}{from}{to} --limit 1 gives a tour with both ends"
    )
}

/// True if an existing word is likely to be meant: the typed word is its beginning, or one or two
/// slips of the keys away from it, and not merely similar.
pub fn is_slip(typed: &str, meant: &str) -> bool {
    const BEGINNING: usize = 3;
    let bare = |word: &str| word.trim_matches(['-', '\'']).to_lowercase();
    let (typed, meant) = (bare(typed), bare(meant));
    let (typed_letters, meant_letters) = (typed.chars().count(), meant.chars().count());
    let slips = match typed_letters.min(meant_letters) {
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
    };
    let is_beginning = typed_letters >= BEGINNING && meant.starts_with(&typed)
        || meant_letters >= BEGINNING && typed.starts_with(&meant);
    is_beginning || strsim::osa_distance(&typed, &meant) <= slips
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::Args;
    use clap::CommandFactory;

    #[test]
    fn every_word_of_the_table_gets_an_answer_wherever_it_is_not_an_option() {
        let definition = Args::command();
        let all: Vec<&str> = definition.get_subcommands().map(clap::Command::get_name).collect();
        // The answer to a word in a command, if the word is not one of its own.
        let answer = |command: &str, word: &str| {
            let mut words = vec![command.to_owned(), word.to_owned()];
            words.retain(|word| !word.is_empty());
            let line = std::iter::once("kt-enum".to_owned()).chain(words.clone());
            let error = definition.clone().try_get_matches_from(line).err()?;
            let is_unknown = crate::cli::exit::typed_wrong(&error).as_deref() == Some(word);
            let said = || hint(word, &Typed::new(words, &definition)).unwrap_or_default();
            is_unknown.then(said)
        };
        for Reply { words, commands, says } in answers() {
            for word in words.split_whitespace() {
                let commands = match commands {
                    "" if word.starts_with('-') => all.clone(),
                    "" => vec![""],
                    commands => commands.split_whitespace().collect(),
                };
                let said = commands.iter().filter_map(|command| answer(command, word));
                let said: Vec<String> = said.collect();
                assert!(said.iter().all(|hint| !hint.is_empty()), "{word} {commands:?}");
                assert!(said.contains(&says), "{word} is an option, or answered before: {says}");
            }
        }
    }

    #[test]
    fn answers_name_options_and_commands_that_are_there() {
        let definition = Args::command();
        let commands: Vec<&clap::Command> = definition.get_subcommands().collect();
        let options: Vec<&str> = commands
            .iter()
            .flat_map(|command| command.get_arguments().filter_map(clap::Arg::get_long))
            .chain(["version", "help"])
            .collect();
        for answer in answers() {
            let words = answer.says.split([' ', ',', ';', ':']);
            for option in words.clone().filter_map(|word| word.strip_prefix("--")) {
                assert!(options.contains(&option), "{}: --{option}", answer.says);
            }
            let words: Vec<&str> = words.collect();
            for pair in words.windows(2).filter(|pair| pair[0] == "kt-enum") {
                let is_command = commands.iter().any(|command| command.get_name() == pair[1]);
                assert!(is_command, "{}: {}", answer.says, pair[1]);
            }
        }
    }

    #[test]
    fn only_slips_of_the_keys_are_taken_for_the_word_they_resemble() {
        for (typed, meant) in [
            ("--szie", "--size"),
            ("--stratgy", "--strategy"),
            ("cuont", "count"),
            ("close", "closed"),
            ("--check", "--checkpoint"),
            ("warnsdorf", "warnsdorff"),
            ("--sampel", "--sample"),
        ] {
            assert!(is_slip(typed, meant), "{typed} {meant}");
        }
        for (typed, other) in [
            ("--holes", "--cols"),
            ("--symmetry", "--memory"),
            ("--unique", "--quiet"),
            ("--given", "--engine"),
            ("--n", "--engine"),
            ("--count", "--output"),
            ("--theme", "--threads"),
            ("fly", "find"),
        ] {
            assert!(!is_slip(typed, other), "{typed} {other}");
        }
    }
}
