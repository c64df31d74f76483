//! The typed arguments, checked and turned into the question and the job that counts it.

use super::args::{CountArgs, JobArgs, ProgressStyle, QuestionArgs, RunArgs, SearchArgs};
use super::board::{WHICH_BOARD, board, check_order, required_board};
use super::exit::Failure;
use super::machine::is_dumb;
use super::output::note;
use crate::board::{Board, MoveOrder, Square};
use crate::classes;
use crate::durable::resolved;
use crate::job::{CheckpointPlace, Job, JobKind, Keeping, Split, Wishes, is_of_folder};
use crate::quantity::{YEAR, about, counted};
use crate::question::Question;
use std::io::IsTerminal;
use std::path::Path;
use std::sync::Once;

/// The expected seconds, a thousand years, from which a count will not be finished.
pub const OUT_OF_REACH: f64 = 1000.0 * YEAR as f64;

/// The expected seconds from which the time for classes is announced.
const LONG_FOR_CLASSES: f64 = 3.0;

/// Refuses a file where an option names a folder.
pub fn check_folder(path: &Path, option: &str) -> Result<(), Failure> {
    Failure::usage_if(path.exists() && !path.is_dir(), || {
        format!("{} is a file: {option} names a folder", path.display())
    })
}

/// A part of the count of the board that was typed, with the usual place of its checkpoint.
pub fn part(args: &JobArgs, usual: CheckpointPlace) -> Result<Job, Failure> {
    job(required_question(&args.question)?, args, |_| Some(usual))
}

/// The whole count of a question, with the other options as they were typed.
pub fn whole(question: Question, args: &CountArgs) -> Result<Job, Failure> {
    let CountArgs { job: typed, whole, starts, .. } = args;
    if whole.classes {
        check_classes(&question, args.job.search.machine.own.threads.number())?;
    }
    if *starts {
        check_starts(args, &question)?;
    }
    let mut job = job(question, typed, |question| usual_place(JobKind::Count, question))?;
    // A result that cannot be written where it was to be kept is not lost.
    job.keeping.is_finished_kept |= whole.keep_units.is_some() || whole.classes;
    Ok(job)
}

fn job(
    question: Question,
    args: &JobArgs,
    usual: impl FnOnce(&Question) -> Option<CheckpointPlace>,
) -> Result<Job, Failure> {
    let mut job = Job::new(question);
    job.wishes = wishes(&args.search);
    job.limits = args.search.machine.limits(args.run.time.max_time);
    job.keeping = keeping(&args.run, || usual(&job.question))?;
    Ok(job)
}

/// The way in which the state of a run is kept: in the file that the user named, or else in the
/// usual one. That of an index or of prepared states is refused, for a run removes its checkpoint
/// at the end.
pub fn keeping(
    args: &RunArgs,
    usual: impl FnOnce() -> Option<CheckpointPlace>,
) -> Result<Keeping, Failure> {
    if let Some(path) = args.checkpoint.as_ref().filter(|path| is_of_folder(&resolved(path))) {
        return Err(Failure::usage(format!(
            "{} is named as an index or as prepared states, and is left as it is: name another \
             place with --checkpoint PATH",
            path.display()
        )));
    }
    let named = args.checkpoint.clone().map(CheckpointPlace::named);
    let place = if args.no_checkpoint { None } else { named.or_else(usual) };
    let (fresh, interval) = (args.fresh, args.checkpoint_interval);
    // The result may fit nowhere else.
    let is_finished_kept = args.checkpoint.is_some();
    Ok(Keeping { place, fresh, interval, is_finished_kept })
}

/// The place of the checkpoint of a question in the state folder.
pub fn usual_place(kind: JobKind, question: &Question) -> Option<CheckpointPlace> {
    warn_of_relative_folder();
    let place = CheckpointPlace::usual(kind, question);
    if place.is_none() {
        let option = if kind == JobKind::Numbers { "--index DIR" } else { "--checkpoint PATH" };
        note(&format!(
            "no checkpoint is kept, for neither XDG_STATE_HOME nor HOME is set: name one with {option}"
        ));
    }
    place
}

/// Says once that a relative state folder is ignored, as the specification of XDG demands.
pub fn warn_of_relative_folder() {
    static SAID: Once = Once::new();
    let set = std::env::var_os("XDG_STATE_HOME").unwrap_or_default();
    if !set.is_empty() && Path::new(&set).is_relative() {
        SAID.call_once(|| note("XDG_STATE_HOME is ignored, because it is not an absolute path"));
    }
}

/// Refuses to count classes where that cannot be done, or would not end.
fn check_classes(question: &Question, threads: usize) -> Result<(), Failure> {
    classes::check(question)?;
    let (board, seconds) = (&question.board, classes::expected_seconds(question) / threads as f64);
    let long = about(seconds, "", None);
    Failure::usage_if(seconds > OUT_OF_REACH, || {
        format!("the classes of {board} take {long} to count: leave out --classes")
    })?;
    if seconds > LONG_FOR_CLASSES {
        let threads = counted(threads, "thread");
        note(&format!("the classes take {long} on {threads}, after the count"));
    }
    Ok(())
}

/// The options of the engine that the user gave.
pub fn wishes(args: &SearchArgs) -> Wishes {
    let split = args.cut.or(args.split_depth.map(Split::Depth));
    Wishes { engine: args.engine.clone(), split, memo: args.memo }
}

fn check_starts(args: &CountArgs, question: &Question) -> Result<(), Failure> {
    Err(Failure::usage(match question {
        _ if args.whole.keep_units.is_some() => {
            "--starts is many counts, --keep-units is for one: leave out one of them"
        }
        _ if question.is_closed() => "closed tours start nowhere: leave out --starts",
        _ if !question.is_whole() => "--starts counts from all squares: leave it out, or the ends",
        _ => return Ok(()),
    }))
}

/// The question that was typed, which has to have a board.
pub fn required_question(args: &QuestionArgs) -> Result<Question, Failure> {
    question(args)?.ok_or_else(|| Failure::usage(WHICH_BOARD))
}

/// The list of tours that was typed: a question, and the start of closed tours.
pub fn listed(args: &QuestionArgs, order: MoveOrder) -> Result<(Question, Square), Failure> {
    let board = required_board(&args.board)?;
    check_order(&board, order)?;
    let from = end(&board, &args.from)?;
    Failure::usage_if(
        args.kind.is_closed() && args.to != "all",
        || "closed tours end where they start: leave out --to, or list --tours open",
    )?;
    let to = end(&board, &args.to)?;
    Ok((args.kind.question(board, from, to), from.unwrap_or(Square::from_index(0))))
}

/// The question that was typed; `None` without a board.
pub fn question(args: &QuestionArgs) -> Result<Option<Question>, Failure> {
    board(&args.board)?.map(|board| question_on(&board, args)).transpose()
}

/// The question that was typed, on a board.
pub fn question_on(board: &Board, args: &QuestionArgs) -> Result<Question, Failure> {
    let (from, to) = (end(board, &args.from)?, end(board, &args.to)?);
    Failure::usage_if(
        args.kind.is_closed() && (from, to) != (None, None),
        || "closed tours have no ends: leave out --from and --to, or say --tours open",
    )?;
    Ok(args.kind.question(board.clone(), from, to))
}

fn end(board: &Board, text: &str) -> Result<Option<Square>, Failure> {
    match text {
        "all" => Ok(None),
        _ => Ok(Some(board.parse_square(text)?)),
    }
}

/// The style of progress of a search that may print its results while it runs.
pub fn progress_beside(asked: ProgressStyle) -> ProgressStyle {
    let is_log = asked == ProgressStyle::Auto && progress(asked) == ProgressStyle::Plain;
    if is_log { ProgressStyle::None } else { asked }
}

/// The style to take, `Auto` being none.
pub fn progress(asked: ProgressStyle) -> ProgressStyle {
    let has_bar = std::io::stderr().is_terminal() && !is_dumb();
    match asked {
        ProgressStyle::Auto | ProgressStyle::Bar if has_bar => ProgressStyle::Bar,
        ProgressStyle::Auto | ProgressStyle::Bar => ProgressStyle::Plain,
        asked => asked,
    }
}
