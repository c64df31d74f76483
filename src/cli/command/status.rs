//! `status`: the content of checkpoints. It only reads, so it can be used while a run is live; only
//! `--discard` removes anything.

use crate::cli::args::{QuestionArgs, StatusArgs};
use crate::cli::board::WHICH_BOARD;
use crate::cli::config;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{self, Document};
use crate::cli::retype::{command, engine_options, quoted_path};
use crate::durable::begins;
use crate::job::{EXTENSION, JobKind, PREPARED, is_of, state_folder};
use crate::quantity::{bytes, counted, rate};
use crate::question::Question;
use crate::run::checkpoint::{
    CheckpointError, Header, Store, StoreError, all_in, disk_used, holder, peek_live,
};
use crate::units::merge::{parts_in, shard_of};
use crate::units::{Units, looks_like_units};
use crate::words::{before_units, duration, units_done};
use crate::work::Name;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

pub fn run(args: &StatusArgs) -> Result<(), Failure> {
    let (paths, where_none) = checkpoints(args)?;
    let (mut printed, mut failure) = (String::new(), None);
    for path in &paths {
        match if args.discard { discard(path) } else { status(path, args.json) } {
            Ok(said) => printed += &said,
            // The others are printed all the same.
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    if paths.is_empty() && !args.json {
        printed = format!("no counts are stopped or running {where_none}\n");
    }
    if args.json {
        output::print(printed.as_bytes())?;
    } else {
        output::say(&printed)?;
    }
    failure.map_or(Ok(()), Err)
}

/// The checkpoints that are meant: the named file, those of the question, or all in the state
/// folder. If there are none, the text says where.
fn checkpoints(args: &StatusArgs) -> Result<(Vec<PathBuf>, String), Failure> {
    let failed = |message: String| Err(Failure::failed(message));
    let mut questions: Vec<Question> = config::question(&args.question)?.into_iter().collect();
    let QuestionArgs { kind, from, to, .. } = &args.question;
    let is_narrowed = kind.are_closed.is_some() || [from, to].into_iter().any(|end| end != "all");
    let of_file = "a checkpoint tells its tours: leave out --open, --closed, --from and --to";
    let why = if args.file.is_some() { of_file } else { WHICH_BOARD };
    Failure::usage_if(is_narrowed && questions.is_empty(), || why)?;
    // A folder of states stands for the checkpoint that it belongs to.
    let has_states = |file: &&PathBuf| {
        file.extension().is_some_and(|end| end == "states") && file.join("index").is_file()
    };
    let of_states = args.file.as_ref().filter(has_states).map(|file| file.with_extension(""));
    let named = of_states.as_ref().or(args.file.as_ref());
    if let Some(folder) = named.filter(|file| file.is_dir()) {
        let one =
            || format!("--discard gives one run up: name its checkpoint in {}", folder.display());
        Failure::usage_if(args.discard, one)?;
        let parts = parts_in(folder).unwrap_or_default();
        let all = all_in(folder).into_iter().chain(parts);
        return Ok((all.collect(), format!("in {}", folder.display())));
    }
    if let Some(file) = named {
        if disk_used(file) == 0 && !file.exists() && holder(file).is_none() {
            return failed(format!("there is no checkpoint {}", file.display()));
        }
        return Ok((vec![file.clone()], String::new()));
    }
    Failure::usage_if(
        args.discard && questions.is_empty(),
        || "--discard gives one run up: name its checkpoint, or its board",
    )?;
    // A board alone means its open and its closed tours, unless one run is to be removed.
    let is_board = !args.discard && args.question.kind.are_closed.is_none();
    if let Some(open) = questions.first().filter(|open| is_board && open.is_whole()) {
        questions.push(Question::closed(open.board.clone()));
    }
    config::warn_of_relative_folder();
    let Some(folder) = state_folder() else {
        return failed("neither XDG_STATE_HOME nor HOME is set: name the checkpoint".to_owned());
    };
    let is_meant = |path: &PathBuf| {
        path.extension().is_some_and(|e| e == EXTENSION)
            && (questions.is_empty() || questions.iter().any(|question| is_of(question, path)))
    };
    let of: Vec<String> = questions.iter().map(|question| format!(" of the {question}")).collect();
    let where_none = format!("in {}{}", folder.display(), of.join(" or"));
    let paths: Vec<PathBuf> = all_in(&folder).into_iter().filter(is_meant).collect();
    let one_of = || {
        let named = paths.iter().map(|path| quoted_path(path));
        let named = named.collect::<Vec<_>>().join(", ");
        format!("--discard gives one run up, and there are {}: name one of {named}", paths.len())
    };
    Failure::usage_if(args.discard && paths.len() > 1, one_of)?;
    Ok((paths, where_none))
}

/// Discards a run.
fn discard(path: &Path) -> Result<String, Failure> {
    let (used, store) = (disk_used(path), Store::hold(path).map_err(refused)?);
    store.start_over().map_err(refused)?;
    let (path, freed) = (path.display(), bytes(used as f64));
    Ok(format!("{path} is removed: {freed} are free again\n"))
}

/// The error for a checkpoint that cannot be read or removed. Naming another place would not help
/// here, so the advice differs from that of a run.
fn refused(error: StoreError) -> Failure {
    match error {
        StoreError::Held { .. } => {
            Failure::saying(Exit::Held, error).advising(": stop it before you discard it")
        }
        StoreError::NotACheckpoint(_) => Failure::damaged(error).advising(" and is left as it is"),
        StoreError::Io(_) => Failure::failed(error),
    }
}

fn status(path: &Path, is_json: bool) -> Result<String, Failure> {
    if shard_of(path).is_some() || begins(path, looks_like_units) {
        let Units { identity, shard, counts } = Units::read(path)?;
        let of_shard = if shard.of() > 1 { format!("shard {shard} of ") } else { String::new() };
        let said = format!(
            "{}\n  {of_shard}a count of the {}: finished, with {}\n",
            path.display(),
            identity.question,
            counted(counts.len(), "unit"),
        );
        let of = json!({"part": path.to_string_lossy(), "shard": shard.to_string(), "done": counts.len()});
        return Ok(if is_json { format!("{of}\n") } else { said });
    }
    let header = peek_live(path).map_err(|error| match error {
        CheckpointError::Store(error) => refused(error),
        error => error.into(),
    })?;
    let holder = holder(path);
    let used = disk_used(path);
    Ok(match (header, is_json) {
        (header, true) => as_json(path, header.as_ref(), holder, used),
        (Some(header), false) => as_text(path, &header, holder, used),
        (None, false) => {
            let discard = format!("`kt-enum status --discard {}` removes them", quoted_path(path));
            let is_prepared = path.ends_with(PREPARED) && used > 0;
            let (path, used) = (path.display(), bytes(used as f64));
            match holder {
                Some(holder) => format!("{path}\n  live: {holder}; nothing is saved yet\n"),
                None if is_prepared => format!(
                    "{path}\n  {used} of states that kt-enum prepare makes for the shards in this \
                     folder: {discard}\n"
                ),
                None => format!("{path}\n  its state is gone and {used} are left: {discard}\n"),
            }
        }
    })
}

/// The command that resumes runs of a kind, and the kind in words that the question follows.
fn words(kind: JobKind) -> (&'static str, &'static str) {
    match kind {
        JobKind::Count => ("count", "count of the"),
        JobKind::ByStart => ("count", "count by start square, at the"),
        JobKind::Shard => ("shard", "shard {} of a count of the"),
        JobKind::Preparation => ("prepare", "preparation of the shards of the"),
        JobKind::OfTable => ("table", "table, at the"),
        JobKind::Table | JobKind::PartialTable => ("table", "table of the"),
        JobKind::Numbers => ("nth", "numbering, for random, nth and rank, of the"),
    }
}

fn as_text(path: &Path, header: &Header, holder: Option<String>, used: u64) -> String {
    let identity = &header.identity;
    let kind = JobKind::of(path, identity, header.shard);
    let age = SystemTime::now().duration_since(header.saved);
    let lost = header.lost(path).filter(|_| holder.is_none());
    let building = header.status.building.filter(|_| lost.is_none());
    let before = building.map(|at| before_units(&at, header.done as usize));
    let tours = || {
        let found = counted(&header.status.found, "directed tour");
        format!("{found} so far, {}", rate(header.tours_per_second()))
    };
    let found = match before {
        Some(before) if header.done > 0 => format!("{}\n  {before}", tours()),
        before => before.unwrap_or_else(tours),
    };
    let left = header.left(lost);
    let is_counted = header.done == header.units_of_run();
    let left = left.map(|left| format!(", about {} left", duration(left)));
    let said_lost = lost.map_or(String::new(), |took| {
        let took = duration(took);
        format!("\n  the states before the units are lost and computed again, which took {took}")
    });
    let alone = match kind {
        JobKind::ByStart => ", for this square alone",
        JobKind::OfTable => ", for this board alone",
        _ => "",
    };
    let command = typed(path, header);
    let next = match &holder {
        Some(holder) => {
            let counts = if is_counted { ", which counts the classes or ends" } else { "" };
            format!("live: {holder}{counts}; its command:")
        }
        None if command.is_none() => format!(
            "not running; the engine {} is not in this program: use the kt-enum that wrote it, or \
             give it up with --discard",
            identity.engine
        ),
        None if kind == JobKind::Numbers => {
            let does = if is_counted { "uses" } else { "resumes" };
            format!("not running; any nth, random or rank of these tours {does} it, such as:")
        }
        None => {
            let output = match kind {
                JobKind::Count => " and options for the output (--classes, --keep-units)",
                JobKind::ByStart => " and options for the output (--classes)",
                _ => "",
            };
            let is_elsewhere =
                command.as_ref().is_some_and(|command| command.contains(" --out DIR "));
            let unknown = match kind {
                JobKind::OfTable => "the --rows of the whole table, ",
                JobKind::Shard if is_elsewhere => "the --out of the shard, ",
                _ => "",
            };
            let with = format!("{unknown}your limits (--memory, --disk, --threads){output}");
            format!("not running; to resume it, type this, with {with}:")
        }
    };
    let command = command.map_or(String::new(), |command| format!("  {command}\n"));
    // A live run shows more often how far it is than it saves.
    let when = if holder.is_some() { "as of" } else { "saved" };
    format!(
        "{}\n  {} {} ({})\n  {}\n  {found}{said_lost}\n  {} spent{}{}, {} of disk\n  {when} {} ago; {next}\n{command}",
        path.display(),
        words(kind).1.replace("{}", &header.shard.to_string()),
        identity.question,
        engine_options(identity),
        units_done(header, header.units_of_run(), lost),
        duration(header.spent.time),
        left.unwrap_or_default(),
        alone,
        bytes(used as f64),
        duration(age.unwrap_or_default()),
    )
}

/// The command that resumes a checkpoint, unless its engine is not in this program.
fn typed(path: &Path, header: &Header) -> Option<String> {
    let is_own = !matches!(header.identity.engine, Name::Other(_));
    is_own.then(|| command(&header.identity, header.shard, Some(path)))
}

fn as_json(path: &Path, header: Option<&Header>, holder: Option<String>, used: u64) -> String {
    let lost = header.and_then(|header| header.lost(path)).filter(|_| holder.is_none());
    let mut document = Document::default().field("checkpoint", path.to_string_lossy());
    if let Some(header) = header {
        let kind = words(JobKind::of(path, &header.identity, header.shard)).0;
        document = document
            .all(&header.document(lost))
            .field("kind", kind)
            .field("command", typed(path, header))
            .field("building", json!(header.status.building));
    }
    let document = document.field("disk_bytes", used).field("live", holder.is_some());
    document.field("holder", holder).line()
}
