//! The configuration of a command: its arguments, checked, with defaults, ready to run.

use super::args::{
    EngineArgument, Format, JobArgs, ProgressStyle, QuestionArgs, RunArgs, SearchArgs, ThreadsArgs,
    WholeArgs,
};
use super::board::{WHICH_BOARD, board, check_order, required_board};
use super::exit::Failure;
use super::output::note;
use super::quantity::{YEAR, counted, time, typed_size};
use crate::board::{Board, MoveOrder, Square};
use crate::classes;
use crate::draw::number::bytes;
use crate::engine::{Name, Wishes};
use crate::frontier::MemoryShares;
use crate::machine;
use crate::question::Question;
use crate::run::checkpoint::Store;
use crate::walk::MemoSize;
use crate::work::{Split, Work};
use sha2::{Digest, Sha256};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The expected seconds, a thousand years, from which a count will not be finished.
pub const OUT_OF_REACH: f64 = 1000.0 * YEAR as f64;

/// The expected seconds from which the time for classes is announced.
const LONG_FOR_CLASSES: f64 = 30.0;

/// A count, ready to run.
#[derive(Debug, Clone)]
pub struct CountConfig {
    pub question: Question,
    pub whole: WholeArgs,
    /// The options that the user gave; a checkpoint supplies those that are missing.
    pub wishes: Wishes,
    pub memo: MemoSize,
    pub run: RunConfig,
    pub format: Format,
    /// The folder in which another process may have prepared the layers.
    pub prepared: Option<PathBuf>,
}

/// Refuses a file where an option names a folder.
pub fn check_folder(path: &Path, option: &str) -> Result<(), Failure> {
    Failure::usage_if(path.exists() && !path.is_dir(), || {
        format!("{} is a file: {option} names a folder", path.display())
    })
}

/// The configuration of a long run of any kind.
#[derive(Debug, Clone)]
pub struct RunConfig {
    pub threads: usize,
    /// The limit that the user gave.
    pub memory: Option<u64>,
    /// The limit that the user gave.
    pub disk: Option<u64>,
    pub checkpoint: Option<CheckpointPlace>,
    pub fresh: bool,
    pub interval: Duration,
    pub max_time: Option<Duration>,
    pub progress: ProgressStyle,
}

/// The place of a checkpoint.
#[derive(Debug, Clone)]
pub struct CheckpointPlace {
    pub path: PathBuf,
    /// True if the user named it: then it must work.
    pub is_named: bool,
    /// True if two processes may do the same work: then the second gets a checkpoint of its own.
    pub is_shared: bool,
}

impl CheckpointPlace {
    /// The place that the user named, or else the one of this name in the state folder. The name is
    /// the same whatever the split: two runs of one question are a conflict that the user should
    /// hear of.
    pub fn new(named: Option<PathBuf>, name: &str) -> Option<Self> {
        let is_named = named.is_some();
        let Some(path) = named.or_else(|| in_state_folder(name)) else {
            note(
                "no checkpoint is kept, for neither XDG_STATE_HOME nor HOME is set: name one with --checkpoint PATH",
            );
            return None;
        };
        Some(Self { path, is_named, is_shared: false })
    }

    /// The places for further processes that do the same work at once.
    pub fn others(&self) -> impl Iterator<Item = PathBuf> {
        const MOST_AT_ONCE: u32 = 9;
        let numbers = (2..=MOST_AT_ONCE).filter(|_| self.is_shared);
        numbers.map(|number| self.path.with_extension(format!("{number}.{CHECKPOINT_EXTENSION}")))
    }
}

impl CountConfig {
    /// A part of the count of the board that was typed.
    pub fn part(args: &JobArgs) -> Result<Self, Failure> {
        Self::on(&required_board(&args.question.board)?, args, &WholeArgs::default())
    }

    /// The count of a board, with the other options as they were typed.
    pub fn on(board: &Board, args: &JobArgs, whole: &WholeArgs) -> Result<Self, Failure> {
        let question = question_on(board, &args.question)?;
        if whole.classes {
            check_classes(&question)?;
        }
        let mut name = name(&question);
        if whole.starts {
            check_starts(whole, &question)?;
            name = STARTS.to_owned() + &name;
        }
        let search = &args.search;
        let run = RunConfig::new(&args.run, &search.threads, search.memory, &name);
        Ok(Self {
            question,
            whole: whole.clone(),
            wishes: wishes(&args.search),
            memo: memo(&args.search, run.threads)?,
            run,
            format: args.format.format(),
            prepared: None,
        })
    }
}

impl RunConfig {
    /// Checks and defaults the options of a run, whose checkpoint has this name unless it was given
    /// another.
    pub fn new(args: &RunArgs, threads: &ThreadsArgs, memory: Option<u64>, name: &str) -> Self {
        Self {
            threads: threads.number(),
            memory,
            disk: args.disk,
            checkpoint: (!args.no_checkpoint)
                .then(|| CheckpointPlace::new(args.checkpoint.clone(), name))
                .flatten(),
            fresh: args.fresh,
            interval: args.checkpoint_interval,
            max_time: args.max_time,
            progress: progress(args.progress),
        }
    }

    /// Names another checkpoint.
    pub fn move_checkpoint(&mut self, path: PathBuf) {
        if let Some(place) = &mut self.checkpoint {
            place.path = path;
        }
    }

    /// A run that keeps no state.
    pub fn unsaved(threads: &ThreadsArgs, memory: Option<u64>, progress: ProgressStyle) -> Self {
        Self {
            threads: threads.number(),
            memory,
            disk: None,
            checkpoint: None,
            fresh: false,
            interval: Duration::ZERO,
            max_time: None,
            progress: self::progress(progress),
        }
    }

    /// The most memory of the process; `None` if no limit was given and the system does not say
    /// what is free.
    pub fn bound(&self) -> Option<u64> {
        self.memory.or_else(|| machine::memory_to_take(self.threads))
    }

    /// The most memory that the states of a frontier may take.
    pub fn memory_for_states(&self) -> Option<u64> {
        Some(MemoryShares::of(self.bound()?, self.threads).states)
    }

    /// Bounds the workers of a count, and checks that the bound on memory is no less than it needs.
    pub fn fit(&self, work: &mut dyn Work) -> Result<(), Failure> {
        let is_frontier = work.sweeps().is_some();
        let least = match is_frontier {
            true => MemoryShares::least(&work.identity().question, self.threads),
            false => LEAST_OF_SEARCH,
        };
        let threads = counted(self.threads, "thread");
        if let Some(memory) = self.memory.filter(|&memory| memory < least) {
            return Err(Failure::usage(format!(
                "--memory {} is less than this count takes on {threads}: give at least --memory {}, or fewer --threads",
                typed_size(memory),
                typed_size(least),
            )));
        }
        if let Some(memory) = self.memory
            && let Some(free) = machine::free_memory(self.threads)
            && memory > free
        {
            note(&format!(
                "--memory {} is more than the {} that the system leaves for this process: it may be killed",
                typed_size(memory),
                bytes(free as f64),
            ));
        }
        if !is_frontier {
            return Ok(());
        }
        // The system is asked only once, because that takes a good part of a millisecond.
        let Some(bound) = self.bound() else {
            return Ok(());
        };
        if self.memory.is_none() && bound < least {
            note(&format!(
                "this count takes up to {} of memory on {threads}, and the system leaves {} for it: it may be killed",
                typed_size(least),
                bytes(bound as f64),
            ));
        }
        MemoryShares::of(bound, self.threads).limit(work, self.threads);
        Ok(())
    }

    /// The most room on disk that they may take; no bound where that is not known.
    pub fn disk_for_states(&self) -> Option<u64> {
        // The folder of the states may be a link to another disk.
        let free = |place: &CheckpointPlace| {
            machine::free_disk(&Store::folder_beside(&place.path).join("index"))
        };
        self.disk.or_else(|| Some(free(self.checkpoint.as_ref()?)? / 2))
    }
}

/// Refuses to count classes where that cannot be done, or would not end.
fn check_classes(question: &Question) -> Result<(), Failure> {
    classes::check(question)?;
    let seconds = classes::expected_seconds(question);
    let message = || {
        format!(
            "the classes of {} take about {} to count: leave out --classes",
            question.board,
            time(seconds)
        )
    };
    Failure::usage_if(seconds > OUT_OF_REACH, message)?;
    if seconds > LONG_FOR_CLASSES {
        note(&format!("the classes take about {} on one thread, after the count", time(seconds)));
    }
    Ok(())
}

/// The memory of a process that visits tours, without tables of positions.
const LEAST_OF_SEARCH: u64 = 16 << 20;

/// The options of the engine that the user gave.
pub fn wishes(args: &SearchArgs) -> Wishes {
    let engine = match args.engine {
        EngineArgument::Auto => None,
        EngineArgument::Walk => Some(Name::Walk),
        EngineArgument::Edges => Some(Name::Edges),
        EngineArgument::Frontier => Some(Name::Frontier),
        EngineArgument::Subsets => Some(Name::Subsets),
    };
    Wishes {
        engine,
        split: args.cut.or(args.split_depth.map(Split::Depth)),
        memo: args.memo.is_some(),
    }
}

fn check_starts(args: &WholeArgs, question: &Question) -> Result<(), Failure> {
    Err(Failure::usage(match question {
        _ if args.keep_units.is_some() => {
            "--starts is many counts, --keep-units is for one: leave out one of them, or give --from"
        }
        _ if question.is_closed() => "closed tours start nowhere: leave out --starts",
        _ if !question.is_whole() => {
            "--starts counts all tours of a board: leave out --from and --to, or --starts"
        }
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
        || "closed tours have no ends: leave out --from and --to, or count --tours open",
    )?;
    Ok(args.kind.question(board.clone(), from, to))
}

fn end(board: &Board, text: &str) -> Result<Option<Square>, Failure> {
    match text {
        "all" => Ok(None),
        _ => Ok(Some(board.parse_square(text)?)),
    }
}

/// The transposition table of each thread, within the limit for all tables.
pub fn memo(args: &SearchArgs, threads: usize) -> Result<MemoSize, Failure> {
    let most = args.memory.map(|memory| memory.saturating_sub(LEAST_OF_SEARCH) / threads as u64);
    match (args.memo, most) {
        (Some(MemoSize::Bytes(bytes)), Some(most)) if bytes > most => {
            let message = format!(
                "--memo {bytes} on {} is more than --memory {} allows: \
                 at most {most} bytes fit on each, beside {}M for the program",
                counted(threads, "thread"),
                args.memory.map(typed_size).unwrap_or_default(),
                LEAST_OF_SEARCH >> 20,
            );
            Err(Failure::usage(&message))
        }
        (Some(memo), _) => Ok(memo),
        (None, Some(most)) => Ok(MemoSize::Bytes(most.min(MemoSize::DEFAULT_BYTES))),
        (None, None) => Ok(MemoSize::Cache),
    }
}

/// The folder of checkpoints that were not named, by the XDG base directory specification.
pub fn state_folder() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let state = set("XDG_STATE_HOME").filter(|path| path.is_absolute());
    let state = state.or_else(|| set("HOME").map(|home| home.join(".local/state")));
    state.map(|state| state.join("kt-enum"))
}

/// The checkpoint of this name that was not named by the user.
pub fn in_state_folder(name: &str) -> Option<PathBuf> {
    Some(state_folder()?.join(format!("{name}.{CHECKPOINT_EXTENSION}")))
}

/// True if the name of a checkpoint is one that runs of a question have, of any kind: those by
/// start square have one for each start.
pub fn is_of(question: &Question, checkpoint: &Path) -> bool {
    let name = format!("{}.", name(question));
    let file = checkpoint.file_name().unwrap_or_default().to_string_lossy();
    let of_kind = |kind: &str| file.strip_prefix(kind).is_some_and(|file| file.starts_with(&name));
    ["", STARTS, TABLE, PARTIAL, NUMBERS].into_iter().any(of_kind)
}

/// The prefixes of checkpoint names that are not those of a plain count.
pub const STARTS: &str = "starts-";
pub const TABLE: &str = "table-";
pub const PARTIAL: &str = "partial-";
pub const NUMBERS: &str = "numbers-";

/// The name of the count in the folder of an index.
pub const INDEX: &str = "index";

/// A question as a file is named after it.
pub fn name(question: &Question) -> String {
    let [tours, from, to] = question.words();
    let mut name = format!("{tours}-{}", name_of_board(&question.board));
    for (word, end) in [("from", from), ("to", to)] {
        if end != "all" {
            name += &format!("-{word}-{end}");
        }
    }
    name
}

/// A board as a file is named after it: `8x8`, `8x8-piece-king-without-a1_h8`. A long description,
/// and that of a graph, is replaced by the first digits of its SHA-256.
fn name_of_board(board: &Board) -> String {
    const LONGEST: usize = 80;
    const BYTES: usize = 8;
    let text = board.description();
    if !board.is_graph() && text.len() <= LONGEST {
        return text.replace([' ', '='], "-").replace(',', "_");
    }
    let digest = Sha256::digest(&text);
    let digits: String = digest[..BYTES].iter().map(|byte| format!("{byte:02x}")).collect();
    match board.is_graph() {
        true => format!("graph-{}-{digits}", board.squares()),
        false => format!("{}x{}-{digits}", board.rows(), board.cols()),
    }
}

/// The extension of checkpoints in the state folder.
pub const CHECKPOINT_EXTENSION: &str = "kt";

/// The style of progress of a search that may print its results while it runs.
pub fn progress_beside(asked: ProgressStyle, results_on_terminal: bool) -> ProgressStyle {
    match (asked, progress(asked)) {
        (ProgressStyle::Auto, _) if results_on_terminal => ProgressStyle::None,
        (ProgressStyle::Auto, ProgressStyle::Plain) => ProgressStyle::None,
        (_, style) => style,
    }
}

/// True if somebody can read an announcement.
pub fn is_watched(style: ProgressStyle) -> bool {
    !matches!(style, ProgressStyle::None | ProgressStyle::Json)
}

/// The style to take, `Auto` being none.
pub fn progress(asked: ProgressStyle) -> ProgressStyle {
    let has_bar = std::io::stderr().is_terminal() && !super::machine::is_dumb();
    match asked {
        ProgressStyle::Auto | ProgressStyle::Bar if has_bar => ProgressStyle::Bar,
        ProgressStyle::Auto | ProgressStyle::Bar => ProgressStyle::Plain,
        asked => asked,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_question_has_a_file_name_of_its_own() {
        let long: Vec<String> = (1..=8).map(|row| format!("a{row},c{row},e{row},g{row}")).collect();
        let boards = [
            "8x8".to_owned(),
            "8x8 piece=king".to_owned(),
            "8x8 piece=0,1+1,2 wrap=torus".to_owned(),
            "8x8 without=a1".to_owned(),
            "8x8 without=a1,h8".to_owned(),
            format!("8x8 without={}", long.join(",")),
            format!("8x8 piece=king without={}", long.join(",")),
            "graph 1-2,2-3".to_owned(),
            "graph 1_2,2_3".to_owned(),
            "graph a-b,c".to_owned(),
        ];
        let question = |text: &String| Question::closed(text.parse().expect("a board"));
        let names: Vec<String> = boards.iter().map(|text| name(&question(text))).collect();
        assert_eq!(names[0], "closed-8x8");
        assert_eq!(names[2], "closed-8x8-piece-0_1+1_2-wrap-torus");
        assert!(names[7].starts_with("closed-graph-3-"), "{}", names[7]);
        for name in &names {
            let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_+".contains(&byte);
            assert!(name.len() < 120 && name.bytes().all(is_plain), "{name}");
        }
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
        for (text, own) in boards.iter().zip(&names) {
            let of = |name: &&String| is_of(&question(text), Path::new(&format!("{name}.kt")));
            assert_eq!(names.iter().filter(of).collect::<Vec<_>>(), [own]);
        }
    }
}
