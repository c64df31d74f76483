//! Answers to words that a command does not have.
//!
//! A word that other programs use is answered with the word of this one, and a word for something
//! that this program does not do is answered with exactly that. Only a word that is in neither
//! table gets the most similar word of the definition, and only if it looks like a slip of the
//! keys.

use super::values::parse_board;
use clap::{ColorChoice, ValueEnum};
use std::ffi::OsString;

/// The words that were typed, as far as they can be told apart before they are parsed.
#[derive(Debug, Clone, Default)]
pub struct Typed {
    /// The command, if there is one.
    pub command: Option<String>,
    /// All words, of which the first is the name of the program.
    pub words: Vec<String>,
    /// The places of the words that are neither options nor their values.
    pub places: Vec<usize>,
    /// All commands that there are.
    pub commands: Vec<String>,
    /// The names of the options, with their values.
    options: Vec<(String, Option<String>)>,
}

impl Typed {
    pub fn new(words: &[OsString], definition: &clap::Command) -> Self {
        let lossy = words.iter().map(|word| word.to_string_lossy().into_owned());
        let commands = definition.get_subcommands().map(|known| known.get_name().to_owned());
        let (words, commands) = (lossy.collect(), commands.collect());
        let (mut typed, mut command) = (Self { words, commands, ..Self::default() }, definition);
        let mut words = typed.words.iter().enumerate().skip(1);
        while let Some((place, word)) = words.next().filter(|(_, word)| *word != "--") {
            if let Some(option) = word.strip_prefix('-').filter(|option| !option.is_empty()) {
                let mut options = command.get_arguments().chain(definition.get_arguments());
                let Some(known) = options.find(|arg| is_named(arg, option)) else { continue };
                let is_optional = known.get_num_args().is_some_and(|of| of.min_values() == 0);
                let is_next = |(_, next): &(usize, &String)| !is_optional || !next.starts_with('-');
                let takes_next = known.get_action().takes_values()
                    && !known.is_require_equals_set()
                    && words.clone().next().as_ref().is_some_and(is_next);
                let value = match option.split_once('=') {
                    Some((_, value)) => Some(value.to_owned()),
                    None if takes_next => words.next().map(|(_, value)| value.clone()),
                    None => None,
                };
                typed.options.push((known.get_id().to_string(), value));
            } else if let (Some(known), true) =
                (command.find_subcommand(word), typed.places.is_empty())
            {
                (command, typed.command) = (known, Some(word.clone()));
            } else {
                typed.places.push(place);
            }
        }
        typed
    }

    /// The choice of colours.
    pub fn colour(&self) -> ColorChoice {
        let typed = self.value("color").and_then(|when| ColorChoice::from_str(when, true).ok());
        typed.unwrap_or_default()
    }

    /// The value of an option that was typed; that of a flag is empty.
    pub fn value(&self, option: &str) -> Option<&str> {
        let (_, value) = self.options.iter().find(|(name, _)| name == option)?;
        Some(value.as_deref().unwrap_or_default())
    }
}

/// True for the option of a word without its first hyphen. In `-qn 5` the last letter may take a
/// value.
fn is_named(arg: &clap::Arg, option: &str) -> bool {
    let Some(long) = option.strip_prefix('-') else {
        return arg.get_short() == option.chars().last();
    };
    let name = long.split('=').next();
    arg.get_long() == name
        || arg.get_all_aliases().is_some_and(|all| name.is_some_and(|name| all.contains(&name)))
}

/// The answers: options and commands that are not there, the commands that the answer is for, or
/// none for all, and what it says. The first one that fits the command is given.
fn answers() -> impl Iterator<Item = (&'static str, &'static str, String)> {
    include_str!("hints.txt").split("\n\n").filter_map(|paragraph| {
        let (heading, says) = paragraph.split_once('\n').filter(|_| !paragraph.starts_with('#'))?;
        let (words, commands) = heading.split_once(" | ").unwrap_or((heading, ""));
        Some((words, commands, says.trim_end().replace('\n', " ")))
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
    // Without a command it is a count.
    let command = typed.command.as_deref().unwrap_or("count");
    let has = |known: &str, word: &str| known.split_whitespace().any(|known| known == word);
    let mut answers = answers().filter(|(words, ..)| has(words, word));
    let fits = |(_, of, _): &(_, &str, _)| of.is_empty() || has(of, command);
    answers.find(fits).map(|(.., says)| says)
}

fn board_hint(word: &str, board: &str, typed: &Typed) -> String {
    let board = if word.bytes().all(|byte| byte.is_ascii_digit()) { word } else { board };
    // A board has been typed, or the command takes none in this way.
    let is_number = word == board;
    let file =
        ["board", "graph", "rows", "cols"].into_iter().find(|option| typed.value(option).is_some());
    if let Some(option) = file {
        return format!("--{option} says which board is meant: leave out {word}");
    }
    match typed.command.as_deref() {
        Some("random") if is_number => format!("to draw {word} tours say --count {word}"),
        Some("list") if is_number => format!("to list {word} tours say --limit {word}"),
        Some("compare") => format!("for boards of {board} say --sizes {board}"),
        Some("table") => "the boards are --rows R --up-to N".to_owned(),
        _ if typed.places.len() > 2 => "a board has two sides, such as 6x8".to_owned(),
        _ => format!("for a board of {board} say --size {board}"),
    }
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
            let mut words = vec![OsString::from("kt-enum"), command.into(), word.into()];
            words.retain(|word| !word.is_empty());
            let error = definition.clone().try_get_matches_from(&words).err()?;
            let is_unknown = crate::cli::exit::typed_wrong(&error).as_deref() == Some(word);
            let said = || hint(word, &Typed::new(&words, &definition)).unwrap_or_default();
            is_unknown.then(said)
        };
        for (words, commands, says) in answers() {
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
        for (.., says) in answers() {
            let words = says.split([' ', ',', ';', ':']);
            for option in words.clone().filter_map(|word| word.strip_prefix("--")) {
                assert!(options.contains(&option), "{says}: --{option}");
            }
            let words: Vec<&str> = words.collect();
            for pair in words.windows(2).filter(|pair| pair[0] == "kt-enum") {
                let is_command = commands.iter().any(|command| command.get_name() == pair[1]);
                assert!(is_command, "{says}: {}", pair[1]);
            }
        }
    }

    #[test]
    fn options_and_their_values_are_told_from_other_words() {
        let definition = Args::command();
        let typed = |line: &str| {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            Typed::new(&words, &definition)
        };
        let colour = |line| typed(line).value("color").map(str::to_owned);
        assert_eq!(colour("kt-enum --color never --size 0").as_deref(), Some("never"));
        assert_eq!(colour("kt-enum find --color=always 6").as_deref(), Some("always"));
        assert_eq!(colour("kt-enum show -- --color=always"), None);
        let find = typed("kt-enum find --order -1:2 -qo 6 --color never 8 7");
        assert_eq!((find.command.as_deref(), find.places), (Some("find"), vec![8, 9]));
        // An option whose value may be missing does not take the next option for it.
        let puzzle = typed("kt-enum puzzle 5 --symmetric --seed 4");
        assert_eq!((puzzle.value("seed"), puzzle.places.as_slice()), (Some("4"), &[2][..]));
        let count = typed("kt-enum --test -j 4 5x5 find");
        assert_eq!((count.command, count.places), (None, vec![4, 5]));
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
