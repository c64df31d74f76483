//! The program around the library: the only place that knows clap, the terminal, signals, standard
//! output and exit codes.
//!
//! The command line ([`args`]) becomes a job ([`config`]) or another call of the library, each
//! command is a file in [`command`], and every way to end goes through [`exit`].

mod announce;
mod answer;
mod args;
mod board;
mod command;
mod config;
mod counting;
mod exit;
mod help;
mod hints;
mod machine;
mod numbering;
mod output;
mod parts;
mod place;
mod progress;
mod puzzle_file;
mod retype;
mod selected;
mod signals;
mod tour_file;
mod values;
mod watch;

use args::{Args, Command, CountArgs};
use clap::{ArgMatches, ColorChoice, FromArgMatches};
use exit::Failure;
use hints::Typed;
use std::ffi::OsString;
use std::time::Duration;

/// Runs the program with these words, the first of which is its name, and returns the exit code.
pub fn run(words: Vec<OsString>) -> u8 {
    signals::survive_questions_and_limits();
    let (name, args, most) = match plain_count(&words).map_or_else(|| parsed(&words), Ok) {
        Ok(typed) => typed,
        Err(code) => return code,
    };
    let outcome = name
        .filter(|name| !SAYING.contains(&name.as_str()))
        .map_or(Ok(()), signals::answer)
        .and_then(|()| signals::limit_idle_steps(most))
        .and_then(|()| dispatch(args, words.len() <= 1));
    outcome.map_or_else(|failure| failure.report(), |()| 0)
}

/// The command that was typed, with its name and time.
type Parsed = (Option<String>, Args, Option<Duration>);

/// A count without a command, by the options of a count alone: to define those of all commands
/// takes a tenth of the time until a small count begins. `None` for everything else.
fn plain_count(words: &[OsString]) -> Option<Parsed> {
    let mut definition = help::plain_count();
    let words = with_size(words, &Typed::new(words, &definition), &definition);
    let matches = definition.try_get_matches_from_mut(&words).ok()?;
    let count = CountArgs::from_arg_matches(&matches).ok().filter(|_| words.len() > 1)?;
    let args = Args { command: None, count, test: None, color: ColorChoice::Auto };
    Some((None, args, max_time(&matches)))
}

/// The value of `--max-time`, whichever command has it.
fn max_time(matches: &ArgMatches) -> Option<Duration> {
    let matches = matches.subcommand().map_or(matches, |(_, of_command)| of_command);
    matches.try_get_one("max_time").ok().flatten().copied()
}

/// The command that was typed, or the exit code after a complaint.
fn parsed(words: &[OsString]) -> Result<Parsed, u8> {
    let mut definition = help::definition();
    let words = args::colour_after_command(words.to_vec());
    let typed = Typed::new(&words, &definition);
    definition = definition.color(typed.colour());
    if words.get(1).is_some_and(|word| word == "-h") {
        definition = help::shortest(definition);
    }
    let words = with_size(&words, &typed, &definition);
    let matches = definition.try_get_matches_from_mut(words);
    // To drop hundreds of options takes a tenth of the time until a small count begins.
    std::mem::forget(definition);
    let parsed = matches.and_then(|matches| {
        let name = matches.subcommand_name().map(str::to_owned);
        Ok((name, Args::from_arg_matches(&matches)?, max_time(&matches)))
    });
    parsed.map_err(|error| exit::usage(error, &typed))
}

/// The words with a board that stands alone as the value of `--size`: `6x6`, `6`, or `6 8`. A
/// number is a board only where a command has no other arguments.
fn with_size(words: &[OsString], typed: &Typed, definition: &clap::Command) -> Vec<OsString> {
    /// The options that say which board is meant.
    const BOARDS: [&str; 5] = ["size", "rows", "cols", "board", "graph"];
    let mut words = words.to_vec();
    let name = typed.command.as_deref();
    let command = name.and_then(|name| definition.find_subcommand(name)).unwrap_or(definition);
    if !command.get_arguments().any(|arg| arg.get_id() == "size")
        || BOARDS.iter().any(|option| typed.value(option).is_some())
    {
        return words;
    }
    let places = &typed.places;
    let texts: Vec<&str> = places.iter().map(|&place| &*typed.words[place]).collect();
    let is_side = |c: char| c.is_ascii_digit() || ".=:".contains(c) || values::CROSSES.contains(&c);
    let are_sides = |text: &&str| text.chars().all(is_side) && text.starts_with(char::is_numeric);
    let crossed = |text: &&str| are_sides(text) && text.contains(values::CROSSES);
    let is_free = command.get_positionals().next().is_none();
    let numbers = texts.iter().take_while(|text| is_free && are_sides(text)).count();
    let (first, last) = match (texts.iter().position(crossed), numbers) {
        (Some(place), _) => (place, place),
        (None, 1 | 2) => (0, numbers - 1),
        _ => return words,
    };
    words[places[first]] = format!("--size={}", texts[first..=last].join("x")).into();
    if last > first {
        words.remove(places[last]);
    }
    words
}

/// The commands that report their progress themselves. The others answer SIGUSR1 with the time so
/// far.
const SAYING: [&str; 9] =
    ["count", "shard", "prepare", "table", "random", "nth", "list", "find", "report"];

fn dispatch(args: Args, is_empty: bool) -> Result<(), Failure> {
    match args.command {
        None if is_empty => {
            Err(Failure::usage(format!("{}{}", board::WHICH_BOARD, help::first_steps())))
        }
        None => match args.test {
            Some(is_quick) => command::selftest::run(is_quick, args.count),
            None => command::count::run(&args.count),
        },
        Some(Command::Count(count)) => command::count::run(&count),
        Some(Command::List(list)) => command::list::run(&list),
        Some(Command::Random(random)) => command::random::run(&random),
        Some(Command::Nth(nth)) => command::nth::run(&nth),
        Some(Command::Rank(rank)) => command::rank::run(&rank),
        Some(Command::Prepare(prepare)) => command::prepare::run(&prepare),
        Some(Command::Shard(shard)) => command::shard::run(&shard),
        Some(Command::Merge(merge)) => command::merge::run(&merge),
        Some(Command::Table(table)) => command::table::run(&table),
        Some(Command::Audit(audit)) => command::audit::run(&audit),
        Some(Command::Estimate(estimate)) => command::estimate::run(&estimate),
        Some(Command::Status(status)) => command::status::run(&status),
        Some(Command::Report(report)) => command::report::run(&report),
        Some(Command::Find(find)) => command::find::run(&find),
        Some(Command::Solve(solve)) => command::solve::run(&solve),
        Some(Command::Puzzle(puzzle)) => command::puzzle::run(&puzzle),
        Some(Command::Compare(compare)) => command::compare::run(&compare),
        Some(Command::Check(check)) => command::check::run(&check),
        Some(Command::Show(show)) => command::show::run(&show, args.color),
        Some(Command::Stats(stats)) => command::stats::run(&stats),
        Some(Command::Help(of)) => output::print(&help::print(of.command.as_deref())?),
        Some(Command::Completions { shell }) => command::completions::run(shell),
        Some(Command::Man(of)) => command::man::run(of.command.as_deref()),
    }
}
