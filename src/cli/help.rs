//! Help: the definition of the options with examples, on one screen for each command.
//!
//! A screen is a line or two for each option, with examples; the man pages say more.
//! `tests/documents/help.rs` measures the screens and runs the examples.

use super::args::{Args, CountArgs};
use super::exit::{self, Failure};
use clap::{Arg, ArgAction, Args as _, Command, CommandFactory};
use std::fmt::Write;

/// The first steps: a line each, what is typed and what that does.
pub const FIRST_STEPS: &str = "\
kt-enum --size 6 --split-depth 4  # all 6,637,920 tours of 6x6 in a moment
kt-enum find --size 8  # one tour of the chessboard, at once
kt-enum estimate --rows 6 --cols 8  # how long a long count would take";

/// The options of a count that matter most.
const FIRST_OPTIONS: &str = "\
Options of a count (more with kt-enum count --help):
  --size <N|RxC>  the board, or kt-enum 6x6    --threads <T>    worker threads
  --closed        closed tours, not open       --memory <SIZE>  memory limit
  --from <SQ>     tours that start there       --max-time <8h>  save and stop
  --classes       also up to symmetry          --format <HOW>   text, json, csv
";

/// The examples of each command, under its name in brackets.
const EXAMPLES: &str = include_str!("examples.txt");

/// The text that `kt-enum` alone prints after the complaint.
pub fn first_steps() -> String {
    let steps = screen(FIRST_STEPS);
    format!("\n{steps}\nkt-enum --help says what else there is.")
}

/// The examples of a command; none for one that is not known.
pub fn examples(command: &str) -> &'static str {
    let mut sections = EXAMPLES.split('[').filter_map(|section| section.split_once("]\n"));
    let of = sections.find(|(name, _)| *name == command);
    of.map_or("", |(_, examples)| examples.trim_end())
}

/// Each example as what is typed and what that does.
pub fn parts(examples: &str) -> impl Iterator<Item = (&str, &str)> {
    examples.lines().filter_map(|line| line.split_once("  # "))
}

/// Examples as they stand on a screen, with what they do in a column.
fn screen(examples: &str) -> String {
    const WIDEST: usize = 60;
    let widths = parts(examples).map(|(typed, _)| typed.len());
    let width = widths.filter(|&width| width <= WIDEST).max().unwrap_or(0);
    let mut lines = String::new();
    for (typed, what) in parts(examples) {
        let _ = writeln!(lines, "  {typed:width$}  # {what}");
    }
    lines
}

const WIDEST_SCREEN: usize = 100;

/// The definition of the flags, with a screen of help for each command.
pub fn definition() -> Command {
    let version = Arg::new("version").short('V').long("version");
    let program = Args::command()
        .max_term_width(WIDEST_SCREEN)
        .disable_help_flag(true)
        .disable_version_flag(true)
        .arg(help_option(ArgAction::Help))
        .arg(version.action(ArgAction::Version))
        .mut_args(|arg| in_any_case(arg).hide_short_help(true).hide_long_help(true))
        .override_usage("kt-enum [BOARD] [OPTIONS]\n       kt-enum <COMMAND>")
        .after_help(format!(
            "{FIRST_OPTIONS}\nExamples and exit codes: kt-enum --help. Of a command: kt-enum find --help"
        ))
        .after_long_help(format!(
            "{FIRST_OPTIONS}--test tests the engines, in a minute. --color auto|always|never is for every command.\n\n\
             Examples:\n{}\nExit codes (signals: kt-enum man):\n{}",
            screen(FIRST_STEPS),
            exit::CODES.map(|(code, meaning)| format!("  {code:<4}{meaning}")).join("\n"),
        ));
    // Only the command that is typed needs its screen.
    program.mut_subcommands(|command| command.defer(with_screen))
}

/// The options of a count, without help.
pub fn plain_count() -> Command {
    CountArgs::augment_args(Command::new("kt-enum")).disable_help_flag(true).mut_args(in_any_case)
}

/// The help of the board of a command that has other arguments, where a number alone is no board.
const SIZE_BESIDE_OTHERS: &str = "Set the board, 6 or 6x8; or --rows R --cols C";

/// The headings of options on a screen, the same for every command.
const HEADINGS: [(&str, &str); 4] = [
    (
        "Board and tours",
        "size without board piece wrap grid graph tours open closed from to given symmetry",
    ),
    ("How to count", "engine split_depth cut memo"),
    ("The answer", "format json quiet classes starts keep_units output overwrite resume"),
    (
        "How to run",
        "threads memory disk checkpoint no_checkpoint fresh checkpoint_interval max_time progress \
         index fill_disk help",
    ),
];

/// An option under its heading, or under that of the options that only some commands have.
fn under_heading(arg: Arg) -> Arg {
    let is_under = |(_, names): &&(_, &str)| names.split(' ').any(|name| arg.get_id() == name);
    let heading = HEADINGS.iter().find(is_under).map_or("What to do", |(heading, _)| *heading);
    if arg.is_positional() { arg } else { arg.help_heading(heading) }
}

/// A command with its examples and the option for its screen.
fn with_screen(command: Command) -> Command {
    let name = command.get_name();
    let after = format!(
        "Examples:\n{}\nAll values of the options: kt-enum man {name} | man -l -",
        screen(examples(name))
    );
    let help = help_option(ArgAction::HelpShort).help("Print this screen");
    let command = command.disable_help_flag(true).mut_args(in_any_case).arg(help);
    let has_others = command.get_positionals().next().is_some();
    let size = |arg: Arg| match arg.get_id().as_str() {
        "size" if has_others => arg.help(SIZE_BESIDE_OTHERS),
        _ => arg,
    };
    command.mut_args(size).mut_args(under_heading).after_help(after)
}

/// An option whose named values may be typed in upper case.
fn in_any_case(arg: Arg) -> Arg {
    let takes_value = arg.get_action().takes_values();
    arg.ignore_case(takes_value)
}

fn help_option(action: ArgAction) -> Arg {
    Arg::new("help").short('h').long("help").action(action)
}

/// The screen of a command, or of the program.
pub fn print(command: Option<&str>) -> Result<Vec<u8>, Failure> {
    let mut program = definition();
    program.build();
    let screen = match command {
        None => program.render_long_help(),
        Some(name) => subcommand(&mut program, name)?.render_help(),
    };
    Ok(screen.to_string().into_bytes())
}

/// One of the commands.
pub fn subcommand<'a>(program: &'a mut Command, name: &str) -> Result<&'a mut Command, Failure> {
    let names: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
    let message = format!("`{name}` is not a command: the commands are {}", names.join(", "));
    program.find_subcommand_mut(name).ok_or_else(|| Failure::usage(message))
}

/// The commands that are not on the shortest screen, which has room for the others.
const OFF_FIRST_SCREEN: &str =
    "prepare shard merge audit nth rank table report compare stats completions man";

/// The definition for the shortest screen, that of `kt-enum -h`.
pub fn shortest(definition: Command) -> Command {
    definition.mut_subcommands(|command| {
        let is_off = OFF_FIRST_SCREEN.split(' ').any(|off| off == command.get_name());
        if is_off { command.hide(true) } else { command }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_examples_and_all_examples_are_of_commands() {
        let definition = Args::command();
        let commands = || definition.get_subcommands().map(Command::get_name);
        for command in commands() {
            assert!(parts(examples(command)).count() > 0, "{command}");
        }
        assert_eq!(EXAMPLES.matches('[').count(), commands().count());
    }
}
