//! The ways in which the program ends: exit codes and messages.

use super::hints::{Typed, hint, is_slip};
use super::{machine, retype};
use crate::audit::AuditError;
use crate::board::{Board, BoardError, SquareError};
use crate::classes::ClassesError;
use crate::durable::DurableError;
use crate::engine::{EngineError, FrontierError, SubsetsError, WalkError};
use crate::estimate::NoRoom;
use crate::job::{EstimateError, JobError, LEAST_OF_SEARCH, NotMade};
use crate::quantity::{bytes, counted, typable_size, typed_size};
use crate::report::ReportError;
use crate::rounds::StatesUnavailable;
use crate::run::checkpoint::{CheckpointError, CodecError, StoreError};
use crate::run::{LayersError, RunError};
use crate::solve::MakeError;
use crate::starts::StartsError;
use crate::units::UnitsError;
use crate::units::merge::{MergeError, shard_of};
use crate::words::duration;
use clap::error::{ContextKind, ContextValue};
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{ErrorKind, Write};
use std::path::Path;

/// The exit codes that scripts rely on; [`CODES`] says what they mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    Failed = 1,
    Usage = 2,
    Mismatch = 3,
    Damaged = 65,
    Held = 73,
    Stopped = 75,
    Interrupted = 130,
}

/// Every exit code with its meaning, as help, the man pages and the guide say it.
pub const CODES: [(u8, &str); 8] = [
    (0, "done, also if there is no tour or the count is 0"),
    (
        Exit::Failed as u8,
        "could not finish: nothing to read, no such puzzle, memory or disk short, or the system refused",
    ),
    (Exit::Usage as u8, "the command line is wrong"),
    (Exit::Mismatch as u8, "a check failed"),
    (
        Exit::Damaged as u8,
        "a checkpoint or a part is damaged, of another version or another file, and left as it is",
    ),
    (Exit::Held as u8, "another live process holds the checkpoint"),
    (Exit::Stopped as u8, "stopped: the same command resumes where a state was saved"),
    (Exit::Interrupted as u8, "interrupted, as for 75"),
];

/// An end that is not success: the message and the exit code.
#[derive(Debug)]
pub struct Failure {
    exit: Exit,
    pub message: String,
}

impl Failure {
    /// A failure with this code and message.
    pub fn saying(exit: Exit, message: impl Display) -> Self {
        let message = message.to_string();
        Self { exit, message }
    }

    pub fn usage(message: impl Display) -> Self {
        Self::saying(Exit::Usage, message)
    }

    /// Refuses what was typed if it is wrong, and says why.
    pub fn usage_if<M: Display>(is_wrong: bool, why: impl FnOnce() -> M) -> Result<(), Self> {
        if is_wrong { Err(Self::usage(why())) } else { Ok(()) }
    }

    /// Refuses the first of some options that were typed, and says why.
    pub fn usage_if_any<M: Display>(
        options: &[(&str, bool)],
        why: impl Fn(&str) -> M,
    ) -> Result<(), Self> {
        let mut typed = options.iter().filter(|(_, is_typed)| *is_typed);
        typed.try_for_each(|(option, _)| Err(Self::usage(why(option))))
    }

    /// Fails if a check has found a mistake, and names it.
    pub fn mismatch_if<M: Display>(is_wrong: bool, what: impl FnOnce() -> M) -> Result<(), Self> {
        if is_wrong { Err(Self::mismatch(what())) } else { Ok(()) }
    }

    pub fn failed(message: impl Display) -> Self {
        Self::saying(Exit::Failed, message)
    }

    pub fn mismatch(message: impl Display) -> Self {
        Self::saying(Exit::Mismatch, message)
    }

    pub fn damaged(message: impl Display) -> Self {
        Self::saying(Exit::Damaged, message)
    }

    /// The same failure with advice: what to type instead.
    pub fn advising(mut self, advice: &str) -> Self {
        self.message += advice;
        self
    }

    /// The same failure of a command whose state is in the folder of an option.
    pub fn in_folder_of(mut self, option: &str) -> Self {
        let message = self.message.replace(", or run without one with --no-checkpoint", "");
        self.message = message.replace("--checkpoint PATH", &format!("{option} DIR"));
        self
    }

    /// The failure, said of one of several things.
    pub fn about(mut self, thing: impl Display) -> Self {
        self.message = format!("{thing}: {}", self.message);
        self
    }

    /// Ends the process, whatever its other threads do.
    pub fn leave(&self) -> ! {
        self.report();
        std::process::exit(self.exit as i32)
    }

    /// Prints the message on standard error and returns the code.
    pub fn report(&self) -> u8 {
        self.report_after("kt-enum:")
    }

    fn report_after(&self, prefix: &str) -> u8 {
        // The advice to type a command again is to go on, where `--fresh` would begin anew.
        const AGAIN: &str = "the same command";
        const GRAPH: &str = "--graph";
        let typed: Vec<OsString> = std::env::args_os().collect();
        let is_fresh = typed.iter().any(|word| word == "--fresh");
        let again = if is_fresh { &format!("{AGAIN} without --fresh") } else { AGAIN };
        let mut message = self.message.replace(AGAIN, again);
        // A checkpoint does not know the file of a graph.
        let beside = typed.windows(2).find(|words| words[0] == GRAPH).map(|words| &words[1]);
        let within = || typed.iter().find_map(|word| word.to_str()?.strip_prefix("--graph="));
        if let Some(file) = beside.map(Path::new).or_else(|| within().map(Path::new)) {
            let known = format!("{GRAPH} {}", retype::quoted_path(file));
            message = message.replace(&format!("{GRAPH} FILE"), &known);
        }
        // Every message names its cause. If standard error is closed, nobody can be told.
        let _ = writeln!(std::io::stderr(), "{prefix} {}", legible(&message));
        self.exit as u8
    }
}

/// A message, which may quote files, as a terminal may show it.
pub fn legible(text: &str) -> String {
    /// The most characters of a message with several lines.
    const MOST: usize = 4_000;
    crate::legible::legible(text, MOST, true)
}

/// The beginning of messages about the command line on a terminal with colours.
const RED_PREFIX: &str = "\x1b[1;31mkt-enum:\x1b[0m";

/// Ends as clap asks: help and version are success, a wrong command line is not.
pub fn usage(mut error: clap::Error, typed: &Typed) -> u8 {
    if error.use_stderr() {
        advise(&mut error, typed);
        let text = error.render().to_string();
        let failure = Failure::usage(text.trim_start_matches("error: ").trim_end());
        // The message quotes what was typed, so its own escapes could not be told from others.
        let has_colours = machine::has_colours(typed.colour(), &std::io::stderr());
        return failure.report_after(if has_colours { RED_PREFIX } else { "kt-enum:" });
    }
    match error.print() {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Failure::failed(format!("cannot write the result to standard output: {error}")).report()
        }
        _ => 0,
    }
}

/// Replaces the advice of clap by an answer of this program, or leaves it where it is likely to be
/// what was meant.
fn advise(error: &mut clap::Error, typed: &Typed) {
    use ContextKind::{
        InvalidArg, InvalidValue, Suggested, SuggestedArg, SuggestedSubcommand, SuggestedValue,
    };
    const GUESSES: [ContextKind; 3] = [SuggestedArg, SuggestedSubcommand, SuggestedValue];
    let said = |kind| error.get(kind).map(ToString::to_string);
    let is_conflict = error.kind() == clap::error::ErrorKind::ArgumentConflict;
    let command = said(ContextKind::InvalidSubcommand).filter(|_| is_conflict);
    let first = command.map(|command| {
        hint(&command, typed).unwrap_or_else(|| match typed.commands.contains(&command) {
            true => format!("put the command first: kt-enum {command}, and then its options"),
            false => format!("`{command}` is neither a command nor a board"),
        })
    });
    let (unknown, value) = (typed_wrong(error), said(InvalidValue));
    let is_format = said(InvalidArg).is_some_and(|arg| arg.starts_with("--format"));
    let format = value.as_ref().filter(|_| is_format).map(|value| format!("--{value}"));
    let word = unknown.as_ref().or(format.as_ref());
    if is_conflict && error.get(ContextKind::InvalidSubcommand).is_none() {
        // It would have one of the two options, and may lack what the command needs.
        error.remove(ContextKind::Usage);
    }
    if unknown.is_some() {
        // Clap's tip to pass the word as a value is true but useless, because no command takes such
        // a value.
        error.remove(Suggested);
    }
    if let Some(answer) = first.or_else(|| hint(word?, typed)) {
        GUESSES.into_iter().for_each(|guess| forget(error, guess));
        error.insert(Suggested, ContextValue::StyledStrs(vec![answer.into()]));
        return;
    }
    let Some(word) = unknown.or(value) else { return };
    for guess in GUESSES {
        match error.get(guess).cloned() {
            Some(ContextValue::String(meant)) if !is_slip(&word, &meant) => forget(error, guess),
            Some(ContextValue::Strings(mut meant)) => {
                meant.retain(|meant| is_slip(&word, meant));
                if meant.is_empty() {
                    forget(error, guess);
                } else {
                    error.insert(guess, ContextValue::Strings(meant));
                }
            }
            _ => {}
        }
    }
}

/// Removes a suggestion of clap, and the usage that contains the suggested option.
fn forget(error: &mut clap::Error, guess: ContextKind) {
    if error.remove(guess).is_some() && guess == ContextKind::SuggestedArg {
        error.remove(ContextKind::Usage);
    }
}

/// The word that is not the name of any command or option.
pub fn typed_wrong(error: &clap::Error) -> Option<String> {
    let kind = match error.kind() {
        clap::error::ErrorKind::UnknownArgument => ContextKind::InvalidArg,
        clap::error::ErrorKind::InvalidSubcommand => ContextKind::InvalidSubcommand,
        _ => return None,
    };
    error.get(kind).map(ToString::to_string)
}

/// The advice for a count that does not fit: less memory and disk at once, and more time in all.
const OR_IN_PARTS: &str =
    ", or count it by kt-enum shard with nothing prepared: the more shards, the less each takes";

/// The advice about a board that an engine refuses: a search, if the board is small enough to be
/// searched in a life.
fn instead(board: &Board) -> &'static str {
    const MOST_SEARCHED: usize = 49;
    if board.squares() <= MOST_SEARCHED {
        "; --engine walk takes it, and kt-enum estimate says in what time"
    } else {
        "; kt-enum find looks for one tour"
    }
}

/// The advice about damaged states that the program does not remove: those that were prepared for
/// all shards, and those that were damaged again and again.
const LEFT_AS_IT_IS: &str = "; the file is left as it is, and units that are done are kept: remove \
    the folder of the file, then run kt-enum prepare again, if that made it, or the same command";

/// The advice about states that the system refused to read: it may not do so again.
const UNREADABLE: &str = "; the states are left as they are, and units that are done are kept: \
    run the same command again, or first remove the folder of the file to compute them again";

const MORE_MEMORY: &str =
    ": what is saved is kept, run the same command with more --memory or fewer --threads";

/// Assigns a code and advice to each kind of error, or a message instead of its own. An error that
/// only contains another one ends as that one does.
macro_rules! ends {
    ($($error:ident $(holding $($held:ident),+)? {
        $($kind:pat => $exit:ident $(instead $message:expr)?, $advice:expr;)+
    })+) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                #[allow(unused_imports, reason = "one code may be for all kinds")]
                use $error as E;
                let (exit, instead, advice): (Exit, Option<String>, String) = match error {
                    $($(E::$held(held) => return held.into(),)+)?
                    $($kind => (Exit::$exit, None$(.or(Some($message.into())))?, $advice.into()),)+
                };
                Self::saying(exit, instead.unwrap_or(error.to_string())).advising(&advice)
            }
        })+
    };
}

ends! {
    JobError holding Engine, Run, Units, NoRoom {
        E::Memory { given, least, threads, enough_for } => Usage instead format!(
            "--memory {} is too low a bound for this count on {}: give at least --memory {}",
            typed_size(given),
            counted(threads, "thread"),
            typed_size(least),
        ), enough_for.map_or(String::new(), |fewer| format!(", or --threads {fewer}"));
        E::Addresses { threads: 1, .. } => Failed, ": raise that limit";
        E::Addresses { .. } => Failed, ": raise that limit, or perhaps give fewer --threads";
        E::Memo { memo, most, memory, threads } => Usage instead format!(
            "--memo {} on {} is more than --memory {}, given or by default, allows: \
             at most {} fit on each, beside {}M for the program",
            typed_size(memo),
            counted(threads, "thread"),
            typed_size(memory),
            typed_size(most),
            LEAST_OF_SEARCH >> 20,
        ), match most {
            0 if memory < LEAST_OF_SEARCH => ": give more --memory",
            0 => ": give --memo off",
            _ => "",
        };
        E::Groups(ref engine) => Usage instead format!(
            "--by group is for --engine frontier, the units of {engine} share no states"
        ), ": leave it out";
        E::OtherShard(..) => Damaged, ": move it away, or count it again with --fresh";
        E::OtherPart(..) => Usage,
            ": name another folder with --out, or move the parts of that run elsewhere";
        E::OfAnother(_) => Usage, ": name another folder with --out, or replace them with --fresh";
        _ => Failed, "";
    }
    EstimateError holding Job {
        E::TooShort(within) => Failed instead format!(
            "{} is too short for an estimate of this search", duration(within)
        ), ": give more with --within";
        _ => Failed, "";
    }
    ReportError holding Job, Starts {
        E::NoStarts(_) => Usage, ": leave out --starts";
        E::Sum { .. } => Mismatch, "";
    }
    StoreError {
        E::Held { .. } => Held, ": wait for it, stop it, or name another place with --checkpoint PATH";
        E::NotACheckpoint(_) => Damaged, " and is left as it is: name another place with --checkpoint PATH";
        E::Io(_) => Failed,
            "; name another place with --checkpoint PATH, or run without one with --no-checkpoint";
    }
    UnitsError {
        E::Damaged { ref path, .. } => Damaged, format!(
            ": make it again with the command that made it, and {}",
            if shard_of(path).is_some() { "--fresh" } else { "--overwrite" }
        );
        E::Version { .. } => Damaged, ": use the kt-enum that wrote it";
        E::Foreign { .. } | E::Block { .. } | E::Impossible { .. } => Mismatch, "";
        _ => Failed, "";
    }
    DurableError { _ => Failed, ""; }
    ClassesError {
        E::FixedEnds => Usage, ": count all tours, or leave out --classes";
        E::TooLarge(_) | E::Graph(_) => Usage, ": leave out --classes";
        E::Remainder { .. } => Mismatch, "";
        _ => Failed, "";
    }
    WalkError {
        E::Memory { .. } => Failed, ": give a smaller --memo, or leave it out for the default of 1M";
        E::TooLarge(ref board) => Usage, instead(board);
        E::Split(_) => Usage, "";
        _ => Failed, "";
    }
    FrontierError {
        E::TooWide(ref board) | E::TooManyAtOnce(ref board) | E::TooDense(ref board)
        | E::TooLarge(ref board) => Usage, instead(board);
        E::Cut { .. } => Usage, ": leave out --cut for the one of the board";
    }
    SubsetsError {
        E::TooLarge(ref board) | E::TooManyTours(ref board) => Usage, instead(board);
    }
    StatesUnavailable {
        E::Unreadable(_) => Failed, UNREADABLE;
        E::Memory => Failed, MORE_MEMORY;
        _ => Damaged, LEFT_AS_IT_IS;
    }
    LayersError holding StatesUnavailable {
        E::Io(_) => Failed, "";
        E::Unkept { is_saved: true, .. } => Failed,
            "; some states are saved: free some space, then run the same command to resume";
        E::Unkept { .. } => Failed,
            "; no states are saved: free some space, or name another place with --checkpoint PATH, \
             then run the same command";
        E::Unsaved { .. } => Failed, ": give more with --disk";
        E::Room { disk: 0, .. } => Failed, ": give more with --memory, or a checkpoint and --disk";
        E::Room { is_saved: true, .. } => Failed,
            "; what was computed is saved: run the same command with more --memory or --disk to resume";
        E::Room { .. } => Failed, "; nothing is saved: give more with --memory or --disk";
    }
    NoRoom {
        E { enough: u64::MAX, .. } => Failed, "; no disk suffices for a count that large";
        E { enough, free, .. } => Failed, match enough <= free {
            true => format!(" on disk: give --disk {}{OR_IN_PARTS}", typable_size(enough)),
            false => format!(" on a disk with {} free: free more, or name a folder on another disk{OR_IN_PARTS}", bytes(free as f64)),
        };
    }
    StartsError { _ => Mismatch, ""; }
    BoardError { _ => Usage, ""; }
    SquareError { _ => Usage, ""; }
    RunError holding Checkpoint, Layers, StatesUnavailable {
        E::Stopped { .. } => Stopped, "";
        E::Conflict { ref path, ref theirs, ref ours } => Usage, format!(
            ": `{}` resumes it, and `{} --fresh` gives it up and starts over",
            retype::command(&theirs.identity, theirs.shard, Some(path)),
            retype::command(&ours.identity, ours.shard, Some(path))
        );
        E::Unsaved(_) => Failed,
            "; the work since the last save, or all of it without one, is lost: free some space, then run the same \
             command";
        E::Memory(_) => Failed, ": what is saved is kept, run the same command with more memory free";
        E::Threads(_) | E::TooLittle(_) => Failed, "; try fewer with --threads";
        _ => Failed, "";
    }
    CheckpointError holding Store {
        E::Damaged { previous: Some(_), .. } => Damaged,
            " (copy it over to resume from there), or start over by its command with --fresh";
        E::Damaged { source: CodecError::Magic(_), .. } => Damaged,
            ": if it is not a checkpoint, name another place; if it was one, remove it";
        E::Damaged { .. } => Damaged, ": start over by its command with --fresh";
        E::Version { .. } | E::Foreign { .. } => Damaged,
            "; use the kt-enum that wrote it, or start over by its command with --fresh";
    }
    MergeError holding Part, Engine {
        E::NoPart(_) => Failed, ": kt-enum shard I/N with --out DIR makes them, named part-I-of-N";
        E::Differ { shard, .. } => Mismatch, format!(
            " with kt-enum shard {shard}, the options of the run and --out of a new folder: the part that differs from the new one is wrong"
        );
        E::Foreign { .. } => Mismatch, "";
        _ => Failed, "";
    }
    AuditError holding Run { _ => Failed, ""; }
    NotMade holding Make, Job {
        E::NoSymmetry(..) => Usage, ": leave out --symmetric";
        E::NoLinks => Failed, ": give fewer --link";
        E::NoPattern(_) => Failed, ": mark more squares, or give another --seed";
        _ => Failed, "";
    }
    MakeError {
        E::Puzzle(_) => Usage, "";
        E::TooMany { .. } => Usage, ": give fewer --clues";
        E::NotKept { .. } => Usage, ": give another number of --clues";
        E::TooFewOfKind { .. } => Usage, ": give more --clues";
        E::TooFew { .. } => Failed, ": give more --clues, or another --seed";
        E::TooEasy { clues: Some(_), .. } => Failed,
            ": leave out --clues, ask for an easier one, or another --seed";
        E::TooEasy { .. } => Failed, ": ask for an easier one, or another --seed";
        E::Ambiguous => Failed, ": leave out --ends hidden, or give another --seed";
        _ => Failed, "";
    }
    EngineError holding Walk, Frontier, Subsets {
        E::Split { .. } => Usage, ": --split-depth is for walk, --cut for frontier";
        E::Unknown(_) | E::Units { .. } => Mismatch, "";
    }
}
