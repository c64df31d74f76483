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
mod growing;
mod help;
mod hints;
mod machine;
mod numbering;
mod output;
mod parts;
mod place;
mod progress;
mod puzzle_file;
mod quantity;
mod retype;
mod selected;
mod signals;
mod tour_file;
mod watch;

use args::{Args, Command, CountArgs};
use clap::FromArgMatches;
use clap::error::ContextKind;
use exit::Failure;
use hints::Typed;
use std::ffi::OsString;

/// Runs the program with these words, the first of which is its name, and returns the exit code.
pub fn run(words: Vec<OsString>) -> u8 {
    signals::survive_questions_and_limits();
    let outcome = match plain_count(&words) {
        Some(count) => command::count::run(&count),
        None => match parsed(&words) {
            Ok((name, args)) => answer(name).and_then(|()| dispatch(args, words.len() <= 1)),
            Err(code) => return code,
        },
    };
    outcome.map_or_else(|failure| failure.report(), |()| 0)
}

/// A count without a command, by the options of a count alone: to define those of all commands
/// takes a tenth of the time until a small count begins. `None` for everything else.
fn plain_count(words: &[OsString]) -> Option<CountArgs> {
    let matches = help::plain_count().try_get_matches_from(words).ok()?;
    CountArgs::from_arg_matches(&matches).ok().filter(|_| words.len() > 1)
}

/// The command that was typed, with its name, or the exit code after a complaint.
fn parsed(typed: &[OsString]) -> Result<(Option<String>, Args), u8> {
    let words = args::colour_after_command(typed.to_vec());
    let mut definition = help::definition().color(args::colour_asked_for(words.iter().cloned()));
    if typed.get(1).is_some_and(|word| word == "-h") {
        definition = help::shortest(definition);
    }
    let typed = typed.iter().skip(1).map(|word| word.to_string_lossy().into_owned());
    let typed = Typed::new(typed.collect(), &definition);
    let matches = definition.try_get_matches_from_mut(&words);
    let matches = matches
        .or_else(|error| with_size(&error, &words, &typed, &mut definition).unwrap_or(Err(error)));
    // To drop hundreds of options takes a tenth of the time until a small count begins.
    std::mem::forget(definition);
    let parsed = matches.and_then(|matches| {
        let name = matches.subcommand_name().map(str::to_owned);
        Ok((name, Args::from_arg_matches(&matches)?))
    });
    parsed.map_err(|error| exit::usage(error, &typed))
}

/// The matches of a count, or its help, whose board is an argument: `6x6` for `--size 6x6`. `None`
/// if that is not what is wrong.
fn with_size(
    error: &clap::Error,
    words: &[OsString],
    typed: &Typed,
    definition: &mut clap::Command,
) -> Option<Result<clap::ArgMatches, clap::Error>> {
    // After options clap takes the word for a command in the wrong place.
    let in_place_of_command = || error.get(ContextKind::InvalidSubcommand).map(ToString::to_string);
    let word = exit::typed_wrong(error).or_else(in_place_of_command);
    let board = word.filter(|word| quantity::parse_board(word).is_ok())?;
    if typed.command.as_deref().is_some_and(|command| command != "count") {
        return None;
    }
    // The same word may be the value of an option: `6 --threads 6`.
    let places = (1..words.len()).filter(|&place| words[place] == board.as_str());
    let sized = |place: usize| {
        let mut words = words.to_vec();
        words[place] = format!("--size={board}").into();
        definition.try_get_matches_from_mut(words)
    };
    // Help is an error to clap.
    places.map(sized).find(|matches| matches.as_ref().err().is_none_or(|error| !error.use_stderr()))
}

/// The commands that report their progress themselves.
const SAYING: [&str; 8] = ["count", "shard", "prepare", "table", "random", "nth", "list", "find"];

/// Makes the other commands answer SIGUSR1 with the time so far.
fn answer(name: Option<String>) -> Result<(), Failure> {
    match name {
        Some(name) if !SAYING.contains(&name.as_str()) => signals::answer(name),
        _ => Ok(()),
    }
}

fn dispatch(args: Args, is_empty: bool) -> Result<(), Failure> {
    match args.command {
        None if is_empty => {
            Err(Failure::usage(format!("{}{}", board::WHICH_BOARD, help::first_steps())))
        }
        None => match args.test {
            Some(how) => command::selftest::run(how, args.count),
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
        Some(Command::Help { command }) => output::print(&help::print(command.as_deref())?),
        Some(Command::Completions { shell }) => command::completions::run(shell),
        Some(Command::Man { command }) => command::man::run(command.as_deref()),
    }
}
