//! What help teaches: the definition of the flags with examples, on one screen for each command.
//!
//! `--help` of a command is short, a line or two for each option, with examples; `kt-enum help COMMAND`
//! and the man pages say more. `tests/documents/help.rs` measures the screens and runs the examples.

use super::args::Args;
use clap::{Arg, ArgAction, Command, CommandFactory};
use std::fmt::Write;

/// The first steps: a line each, what is typed and what that does.
pub const FIRST_STEPS: &str = "\
kt-enum --size 6 --split-depth 4  # all 6,637,920 tours of 6x6 in a moment
kt-enum find --size 8  # one tour of the chessboard, at once
kt-enum estimate --rows 6 --cols 8  # how long a long count would take";

/// The examples of each command.
const EXAMPLES: &[(&str, &str)] = &[
    (
        "count",
        "\
kt-enum count --size 6 --from a1  # tours that start in a corner
kt-enum count --size 6 --tours closed --classes  # closed tours, also up to symmetry
kt-enum count --size 8 --max-time 8h  # overnight; the same again goes on",
    ),
    (
        "list",
        "\
kt-enum list --size 6 --limit 10  # the first ten
kt-enum list --size 5 | kt-enum check | sort | uniq -c  # how many are re-entrant",
    ),
    (
        "random",
        "\
kt-enum random --size 6 --tours closed --count 12 --seed 7  # twelve of 9,862, each as likely
kt-enum random --size 6 --from a1 --count 3 | kt-enum show  # from a corner, drawn",
    ),
    (
        "nth",
        "\
kt-enum nth 1 9862 --size 6 --tours closed  # the first and the last
kt-enum nth 1000000 --size 6 --format grid  # as a grid of numbers",
    ),
    (
        "rank",
        "\
kt-enum find --size 6 --closed | kt-enum rank --size 6 --tours closed  # which of 9,862?
kt-enum random --size 5 | kt-enum rank --size 5  # the number that was drawn",
    ),
    (
        "shard",
        "\
kt-enum shard 0/2 --size 6 --split-depth 4 --out parts  # on one machine
kt-enum shard 1/2 --size 6 --split-depth 4 --out parts  # on another
kt-enum merge parts  # the whole",
    ),
    (
        "merge",
        "\
kt-enum shard 0/1 --size 6 --split-depth 4 --out parts  # a part, here the whole
kt-enum merge parts  # all parts of a folder
kt-enum merge parts --keep-units units.txt  # to be audited later",
    ),
    (
        "table",
        "\
kt-enum table --rows 4 --up-to 20  # open tours of 4x1 to 4x20
kt-enum table --rows 5 --up-to 12 --tours closed  # cycles of 5x1 to 5x12",
    ),
    (
        "audit",
        "\
kt-enum count --size 6 --keep-units units.txt  # a count that keeps its units
kt-enum audit units.txt --sample 20  # twenty of them, counted again",
    ),
    (
        "estimate",
        "\
kt-enum estimate --rows 6 --cols 8  # nodes, tours and time, with error bars
kt-enum estimate --size 6 --tours closed  # the same for closed tours",
    ),
    (
        "status",
        "\
kt-enum count --rows 7 --cols 9 --max-time 1s  # a run that stops and is saved
kt-enum status  # every run that waits or is live
kt-enum status --rows 7 --cols 9  # the one of a question",
    ),
    (
        "report",
        "\
kt-enum count --size 6 --keep-units units.txt  # a count that keeps its units
kt-enum report units.txt -o report.html  # a page about it",
    ),
    (
        "show",
        "\
kt-enum find --size 8 | kt-enum show  # a board of numbers
kt-enum find --size 8 | kt-enum show --format svg -o tour.svg  # a picture
kt-enum list --size 5 | kt-enum show --format html -o tours.html  # a page to browse and play",
    ),
    (
        "find",
        "\
kt-enum find --size 8 --from d4  # from a square of your choice
kt-enum find --rows 3 --cols 10 --closed  # whose ends are a move apart
kt-enum find --size 100 --strategy roth --json  # by a rule of thumb, with its cost",
    ),
    (
        "compare",
        "\
kt-enum compare --sizes 5..=8  # the usual strategies
kt-enum compare --sizes 8 --strategies warnsdorff,roth --from all --format csv  # for a plot",
    ),
    (
        "check",
        "\
kt-enum find --size 8 -o tour.txt  # a file with a tour in it
kt-enum check tour.txt  # is it one?",
    ),
    (
        "stats",
        "\
kt-enum random --size 6 --count 1000 | kt-enum stats  # of a random sample, with errors
kt-enum list --size 5 | kt-enum stats --all --format html -o stats.html  # of all, exactly",
    ),
    (
        "completions",
        "\
kt-enum completions bash > kt-enum.bash  # then: source kt-enum.bash",
    ),
    (
        "man",
        "\
kt-enum man > kt-enum.1  # then: man ./kt-enum.1
kt-enum man count > kt-enum-count.1  # of one command",
    ),
];

/// What `kt-enum` alone says after what is wrong.
pub fn first_steps() -> String {
    let steps = screen(FIRST_STEPS);
    format!("\n{steps}\nkt-enum --help says what else there is.")
}

/// The examples of a command; none for one that is not known.
pub fn examples(command: &str) -> &'static str {
    let of = EXAMPLES.iter().find(|(name, _)| *name == command);
    of.map_or("", |(_, examples)| examples)
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

const FIRST_OPTIONS: &str = "\
The options that a count needs most (all of them: kt-enum count --help):
  --size N, --rows R --cols C   the board
  --tours open|closed           open tours, or closed ones
  --from SQUARE, --to SQUARE    fixed ends of open tours
  --split-depth D               the units of work are all prefixes of D moves
  --max-time 8h                 save and stop; the same command goes on
  --json, --quiet               one JSON object, or the bare number
  --color auto|always|never     colours; NO_COLOR is obeyed too";

const EXIT_CODES: &str = "\
Exit codes: 0 done; 1 could not finish; 2 the command line is wrong; 3 a check found a mismatch; \
65 checkpoint damaged; 73 another live process holds the checkpoint; 75 stopped with state saved: \
type the same again; 130 interrupted, state saved as for 75.
Signals: INT, TERM, USR2 and HUP save and stop; USR1 prints how far the run is.";

/// Of the options of `shard`, those on its screen: the others are those of `count`.
const OF_SHARD: &[&str] = &[
    "shard",
    "out",
    "size",
    "rows",
    "cols",
    "tours",
    "split_depth",
    "threads",
    "max_time",
];

/// The definition of the flags, with a screen of help for each command.
pub fn definition() -> Command {
    let off_screen = |arg: Arg| arg.hide_short_help(true).hide_long_help(true);
    let help = Arg::new("help").short('h').long("help");
    let version = Arg::new("version").short('V').long("version");
    let program = Args::command()
        .max_term_width(WIDEST_SCREEN)
        .disable_help_flag(true)
        .disable_version_flag(true)
        .arg(help.clone().action(ArgAction::Help))
        .arg(version.action(ArgAction::Version))
        .mut_args(off_screen)
        .after_help("Options and examples: kt-enum --help. Of a command: kt-enum find --help")
        .after_long_help(format!(
            "{FIRST_OPTIONS}\n\nExamples:\n{}\n{EXIT_CODES}",
            screen(FIRST_STEPS)
        ));
    program.mut_subcommands(|command| {
        let name = command.get_name().to_owned();
        let examples = format!("Examples:\n{}", screen(examples(&name)));
        let mut after = format!("{examples}\nMore about the options: kt-enum help {name}");
        let mut command = command.disable_help_flag(true).arg(
            help.clone()
                .action(ArgAction::HelpShort)
                .help("Print this screen"),
        );
        if name == "shard" {
            after += "\nThe other options are those of a count: kt-enum count --help";
            command = command.mut_args(|arg| match OF_SHARD.contains(&arg.get_id().as_str()) {
                true => arg,
                false => arg.hide_short_help(true),
            });
        }
        command.after_help(after).after_long_help(examples)
    })
}

/// The commands that are not on the shortest screen, which has room for the others.
const OFF_FIRST_SCREEN: &[&str] = &[
    "shard",
    "merge",
    "audit",
    "rank",
    "stats",
    "completions",
    "man",
];

/// The definition for the shortest screen, that of `kt-enum -h`.
pub fn shortest(definition: Command) -> Command {
    let definition = definition.after_help(
        "All commands, options and examples: kt-enum --help. Of a command: kt-enum find --help",
    );
    let is_off = |command: &Command| OFF_FIRST_SCREEN.contains(&command.get_name());
    definition.mut_subcommands(|command| match is_off(&command) {
        true => command.hide(true),
        false => command,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_examples_and_all_examples_are_of_commands() {
        let definition = Args::command();
        let commands: Vec<&str> = definition
            .get_subcommands()
            .map(Command::get_name)
            .collect();
        let taught: Vec<&str> = EXAMPLES.iter().map(|(name, _)| *name).collect();
        for command in &commands {
            assert!(taught.contains(command), "{command} has no example");
        }
        for name in taught {
            assert!(commands.contains(&name), "{name} is no command");
        }
    }
}
