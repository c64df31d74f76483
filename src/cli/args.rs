//! The command line: one definition for parsing, help, manual pages and completions.

use super::place::{Wanted, ending};
use super::values::{
    Boards, Grades, parse_boards, parse_duration, parse_grades, parse_memo, parse_numbers,
    parse_sides,
};
use crate::audit::DrawBy;
use crate::board::{Board, GraphFormat, MoveOrder, Piece, Square, Symmetry, Wrap};
use crate::find::Strategy;
use crate::job::{Limits, MemoSize};
use crate::quantity::{parse_number, parse_number_within, parse_positive, parse_size};
use crate::question::Question;
use crate::solve::GivenEnds;
use crate::tally::Tally;
use crate::tour::TourFormat;
use crate::units::{Assignment, Shard};
use crate::work::{Name, Split};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Args as ClapArgs, ColorChoice, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;
use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Count the knight's tours of a board, exactly and on all cores.
#[derive(Debug, Parser)]
#[command(
    name = "kt-enum",
    version,
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true
)]
pub struct Args {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub count: CountArgs,
    /// Test the engines against each other and against published counts, in less than a minute
    ///
    /// `--test=quick` leaves out the counts that take seconds. Each check is a line; the exit code
    /// is 3 if one fails.
    #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "full", conflicts_with = "BoardArgs", value_parser = named([("full", false), ("quick", true)]))]
    pub test: Option<bool>,
    /// Use colours in help, in boards and in the progress bar; NO_COLOR is obeyed too
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true)]
    pub color: ColorChoice,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Count tours (the default)
    Count(Box<CountArgs>),
    /// List all tours, or the first K, in the order of plain backtracking
    List(Box<ListArgs>),
    /// Draw random tours, all equally likely
    Random(Box<RandomArgs>),
    /// Write the tours with given numbers, from 1 to the count
    Nth(Box<NthArgs>),
    /// Read tours and print the number of each
    Rank(Box<RankArgs>),
    /// Compute the states that all shards of a count need, once, in their folder
    Prepare(Box<PrepareArgs>),
    /// Count one machine's share: shard I of N, from 0/N to N-1/N
    Shard(Box<ShardArgs>),
    /// Merge the parts of a count that shards have written
    Merge(MergeArgs),
    /// Print the undirected counts of boards of R rows and up to N columns
    Table(TableArgs),
    /// Recount some units of a finished run with a simpler engine
    Audit(AuditArgs),
    /// Estimate how large a count is and how long it will take
    Estimate(EstimateArgs),
    /// Show stopped and running counts, and their progress
    Status(StatusArgs),
    /// Make an HTML page about a run, finished or not
    Report(ReportArgs),
    /// Find one tour on a board, which may be large
    Find(Box<FindArgs>),
    /// Solve puzzles, and prove that a solution is the only one
    Solve(Box<SolveArgs>),
    /// Make puzzles that have exactly one solution
    Puzzle(Box<PuzzleArgs>),
    /// Compare what different ways of finding a tour cost
    Compare(Box<CompareArgs>),
    /// Read tours and verify each of them
    Check(CheckArgs),
    /// Draw tours as text, SVG or a page, and puzzles as SVG or pages
    Show(ShowArgs),
    /// Print averages over many tours
    Stats(StatsArgs),
    /// Print the help of a command
    #[command(hide = true)]
    Help(OfCommandArgs),
    /// Print shell completions
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page of the program or of a command
    Man(OfCommandArgs),
}

/// What a help or manual page is of.
#[derive(Debug, ClapArgs)]
pub struct OfCommandArgs {
    /// The command
    pub command: Option<String>,
}

/// The board.
#[derive(Debug, ClapArgs)]
pub struct BoardArgs {
    /// Set the board, 6 or 6x8, also without --size; or --rows R --cols C
    ///
    /// A board may be the first argument: kt-enum find 6x8, or kt-enum 6 8. A range such as 3..5
    /// is of 3x3, 4x4 and 5x5, and kt-enum count answers each on one line. A file whose name looks
    /// like a board is typed as ./6x6.
    #[arg(long, value_name = "N|RxC", value_parser = parse_boards, conflicts_with_all = ["rows", "cols"])]
    pub size: Option<Boards>,
    /// Set the rows of the board; count also takes a range such as 1..7
    #[arg(long, hide_short_help = true, value_name = "R", requires = "cols", value_parser = parse_sides)]
    pub rows: Option<RangeInclusive<u32>>,
    /// Set the columns of the board; count also takes a range such as 1..7
    #[arg(long, hide_short_help = true, value_name = "C", requires = "rows", value_parser = parse_sides)]
    pub cols: Option<RangeInclusive<u32>>,
    /// Leave out squares of the board: a1,h8
    #[arg(long, value_name = "SQUARES")]
    pub without: Option<String>,
    /// Read drawings: . a square, # a hole; also --legend SH
    ///
    /// A drawing has a line per row, the top row first. `-` is standard input. Blanks between the
    /// characters are allowed. A file for kt-enum count may have several drawings with empty lines
    /// between them; each is answered on one line.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["size", "rows", "cols", "without"])]
    pub board: Option<PathBuf>,
    /// Read drawings with other characters for a square and a hole: 01, or oX
    #[arg(long, hide_short_help = true, value_name = "SH", value_parser = parse_legend)]
    pub legend: Option<[u8; 2]>,
    /// Set the piece: king, 1,4, WF; also --grid hex [default: knight]
    ///
    /// A piece leaps. It is a name (knight, king, wazir, ferz, dabbaba, alfil, camel, zebra,
    /// giraffe and others), a leap such as 1,4 in all directions, Betza's letters such as N or WF,
    /// or several of these joined by +.
    #[arg(long, value_name = "PIECE", value_parser = str::parse::<Piece>)]
    pub piece: Option<Piece>,
    /// Take a board of hexagons: hex
    ///
    /// A step leads to one of the six neighbours. --size is the side of a hexagon, and --rows and
    /// --cols are those of a rhombus. Each row stands half a cell to the right of the one above.
    /// Drawings of --board have blanks between their cells and before their rows.
    #[arg(long, value_name = "GRID", hide_short_help = true, hide_possible_values = true)]
    #[arg(value_parser = named([(PossibleValue::new("hex"), Piece::hex())]))]
    #[arg(conflicts_with_all = ["piece", "wrap"])]
    pub grid: Option<Piece>,
    /// Join edges of the board: cylinder, torus or moebius
    ///
    /// On a cylinder the left edge is joined to the right edge, on a torus also the bottom edge to
    /// the top edge, on a moebius strip the left edge to the right edge upside down. Two moves that
    /// lead to the same square are one.
    #[arg(long, value_name = "HOW", hide_possible_values = true)]
    #[arg(value_parser = named(Wrap::NAMED.map(|(wrap, name)| (PossibleValue::new(name).hide(wrap == Wrap::None), wrap))))]
    pub wrap: Option<Wrap>,
    /// Take a graph: edges, a matrix, graph6, more; also --graph-format F
    ///
    /// `-` is standard input. The format is recognized; what was understood is one line on standard
    /// error. An edge list has the names of two vertices on each line, or one name of a vertex that
    /// may have no edges. graph6 and sparse6 may have several graphs, and kt-enum count answers
    /// each on one line.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(conflicts_with_all = ["size", "rows", "cols", "without", "board", "piece", "grid", "wrap"])]
    pub graph: Option<PathBuf>,
    /// Read the graph in this format, where a file may have several: edge-list, header, weights,
    /// dashes, adjacency, metis, matrix, lgl, dimacs, tsplib, json, json-lists, graph6, sparse6
    #[arg(
        long,
        hide_short_help = true,
        value_name = "NAME",
        requires = "graph",
        hide_possible_values = true
    )]
    #[arg(value_parser = named(GraphFormat::all().map(|format| (format.name(), format))))]
    pub graph_format: Option<GraphFormat>,
}

/// The board and the tours that are meant.
#[derive(Debug, ClapArgs)]
pub struct QuestionArgs {
    #[command(flatten)]
    pub board: BoardArgs,
    #[command(flatten)]
    pub kind: KindArgs,
    /// Fix the start of open tours: c2, row,col, or all
    #[arg(long, value_name = "SQUARE")]
    #[arg(default_value = "all", hide_default_value = true)]
    pub from: String,
    /// Fix the end of open tours: a square, or all
    #[arg(long, value_name = "SQUARE")]
    #[arg(default_value = "all", hide_default_value = true)]
    pub to: String,
}

/// The options that select tours by some of their steps, or by a symmetry.
#[derive(Debug, Default, ClapArgs)]
pub struct SelectArgs {
    /// Take only the tours with these steps: 1=a1,12=c4
    ///
    /// Steps count from 1. In a closed tour they fix the start, and two of them the direction,
    /// unless they are half a tour apart.
    #[arg(long, value_name = "STEP=SQUARE")]
    pub given: Option<String>,
    /// Take only the tours that a symmetry keeps, such as half-turn
    ///
    /// The others are quarter-turn, left-right, top-bottom, diagonal and anti-diagonal. All but the
    /// turns are reflections; the diagonal is the one from a1.
    #[arg(long, value_name = "S", hide_possible_values = true, value_parser = symmetries())]
    pub symmetry: Option<Symmetry>,
}

/// An option with another help than in other commands.
fn says(help: &'static str) -> impl FnOnce(Arg) -> Arg {
    move |arg| arg.help(help)
}

/// The option that replaces a file which may be a page or a picture.
fn of_page(overwrite: Arg) -> Arg {
    overwrite.help("Replace the file if it exists; a page or picture of kt-enum is replaced anyway")
}

/// The moves that solutions have to use.
#[derive(Debug, ClapArgs)]
pub struct LinkArgs {
    /// Use the moves between these squares, drawn as dots: b2-b3,c1-c2
    #[arg(long, value_name = "A-B", value_delimiter = ',')]
    pub link: Vec<String>,
}

/// The kind of tours.
#[derive(Debug, ClapArgs)]
pub struct KindArgs {
    /// Take open tours or closed ones; also --open, --closed [default: open]
    #[arg(id = "tours", long = "tours", value_name = "open|closed", hide_possible_values = true, value_parser = named([("open", false), ("closed", true)]), default_value_ifs = [("open", "true", "open"), ("closed", "true", "closed")])]
    pub are_closed: Option<bool>,
    /// Short for --tours open
    #[arg(long, hide = true, conflicts_with = "tours")]
    open: bool,
    /// Short for --tours closed
    #[arg(long, hide = true, conflicts_with_all = ["tours", "open"])]
    closed: bool,
}

impl KindArgs {
    /// True if closed tours were asked for; open ones are the default.
    pub fn is_closed(&self) -> bool {
        self.are_closed == Some(true)
    }

    /// The question of the tours of this kind on a board. Only open tours have ends.
    pub fn question(&self, board: Board, from: Option<Square>, to: Option<Square>) -> Question {
        Question::of_kind(board, self.is_closed(), [from, to])
    }
}

/// The number of threads.
#[derive(Debug, Default, ClapArgs)]
pub struct ThreadsArgs {
    /// Use T worker threads [default: all cores]
    #[arg(long, short = 'j', alias = "jobs", value_name = "T", value_parser = |text: &str| parse_number_within(text, 1..=1024))]
    threads: Option<u32>,
}

impl ThreadsArgs {
    /// The number that was typed, or the number of cores.
    pub fn number(&self) -> usize {
        let threads = self.threads.map(|threads| threads as usize);
        Limits { threads, ..Limits::default() }.threads()
    }
}

/// The threads and the memory of a process.
#[derive(Debug, Default, ClapArgs)]
pub struct MemoryArgs {
    #[command(flatten)]
    pub threads: ThreadsArgs,
    /// Limit the memory of the process (2G) [default: 3/4 of the free]
    ///
    /// The limit holds for the whole process, above a minimum that a refusal names. A count writes
    /// states of the frontier that do not fit to disk.
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory: Option<u64>,
}

impl MemoryArgs {
    pub fn limits(&self) -> Limits {
        let threads = Some(self.threads.number());
        Limits { threads, memory: self.memory, ..Limits::default() }
    }
}

/// What a count may take of the machine.
#[derive(Debug, Default, ClapArgs)]
pub struct MachineArgs {
    #[command(flatten)]
    pub own: MemoryArgs,
    /// Limit the disk for what exceeds --memory [default: half the free]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub disk: Option<u64>,
}

impl MachineArgs {
    pub fn limits(&self, max_time: Option<Duration>) -> Limits {
        Limits { disk: self.disk, max_time, ..self.own.limits() }
    }
}

/// The way in which progress is shown.
#[derive(Debug, Clone, Copy, ClapArgs)]
pub struct ProgressArgs {
    /// Show a bar, plain, json or none [default: a bar on a terminal]
    ///
    /// plain prints one line per minute, json one object per second, both on standard error.
    #[arg(id = "progress", long = "progress", value_name = "HOW", default_value = "auto")]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub style: ProgressStyle,
}

/// The seed of what is random.
#[derive(Debug, ClapArgs)]
pub struct SeedArgs {
    /// Take what this seed draws, the same on every machine [default: a fresh seed, which is
    /// printed]
    #[arg(long, value_name = "S", value_parser = parse_number::<u64>)]
    pub seed: Option<u64>,
}

/// The order in which moves are tried.
#[derive(Debug, ClapArgs)]
pub struct OrderArgs {
    /// Try moves in this order: row-major, linear, report, or eight steps (right:up) such as 1:2
    ///
    /// row-major is by target square, the top row first, then by column. linear and report are the
    /// orders of two published programs. Steps are separated by commas. The order decides which
    /// tours come first, and which of several moves that are equally good.
    #[arg(long, value_name = "O", default_value_t, allow_hyphen_values = true)]
    pub order: MoveOrder,
}

/// The time that a command may take.
#[derive(Debug, Default, ClapArgs)]
pub struct TimeArgs {
    /// Stop after this much time (10s, 5m)
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub max_time: Option<Duration>,
}

/// The same option of a count, which saves its state.
fn saving(max_time: Arg) -> Arg {
    const SAVES: &str = "Save and stop after this much time (8h, 90m, 30s)";
    let code =
        "Then the exit code is 75, and the same command resumes; if nothing is saved, it is 1.";
    max_time.help(SAVES).long_help(format!("{SAVES}\n\n{code}"))
}

/// The right to replace a file.
#[derive(Debug, Clone, Default, ClapArgs)]
pub struct OverwriteArgs {
    /// Replace the file if it exists
    #[arg(long)]
    pub overwrite: bool,
}

/// The file of a result.
#[derive(Debug, ClapArgs)]
#[command(mut_arg("overwrite", |overwrite| overwrite.requires("output")))]
pub struct OutputArgs {
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub place: OverwriteArgs,
}

/// The options that decide how a count is carried out, and never its result.
#[derive(Debug, ClapArgs)]
pub struct SearchArgs {
    /// Count by walk, frontier or subsets, or by auto, the fastest
    ///
    /// walk extends tours square by square and visits every tour up to symmetry. frontier
    /// adds up partial tours that can be completed in the same ways and visits none; it takes
    /// knight's boards with a short side of up to 10, and others of up to 1,024 squares that are
    /// not too wide. subsets adds and subtracts walks within sets of squares, for dense graphs of
    /// up to about 30 vertices. The count is the same with each of them.
    #[arg(long, default_value = "auto", value_parser = engines())]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub engine: WishedEngine,
    /// Divide the search into units after D moves [default: by the board]
    ///
    /// There is one unit per symmetry class of prefixes of D moves of the engine walk. Units are
    /// counted independently, can be shared among machines, and determine the fingerprint. 0 makes
    /// one for each class of first squares.
    #[arg(long, value_name = "D", value_parser = parse_number::<u32>)]
    pub split_depth: Option<u32>,
    /// Divide the frontier's edges into two classes [default: by the board]
    ///
    /// The first class has the edges nearer to the first row than their mirror image (`middle`;
    /// `middle2` with the opposite choice for those in the middle; `beside` with the mirror half a
    /// row above the middle), or all edges of the first N squares (N). The degrees of at most Q
    /// squares with edges of both classes name the units. `middle:8` is the default of 8x8 closed.
    /// Every cut gives the same count from other units, which makes an independent check.
    #[arg(long, value_name = "CLASS:Q", value_parser = Split::parse_cut, conflicts_with_all = ["split_depth", "memo"])]
    pub cut: Option<Split>,
    /// Give each thread a transposition table of this size, or off [default: 1M]
    ///
    /// The table remembers the counts of positions, so that none is searched twice while it is
    /// remembered. The default fits the cache of a core; off visits every class of tours.
    #[arg(long, value_name = "SIZE", value_parser = parse_memo)]
    pub memo: Option<MemoSize>,
    #[command(flatten)]
    pub machine: MachineArgs,
}

/// The options of a long run.
#[derive(Debug, ClapArgs)]
#[command(mut_arg("max_time", saving))]
pub struct RunArgs {
    /// Keep the state in this file [default: one in the state folder]
    ///
    /// The same command resumes from it after a stop, a kill or a power failure. It is removed when
    /// the count succeeds.
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath, conflicts_with = "no_checkpoint")]
    pub checkpoint: Option<PathBuf>,
    /// Keep no checkpoint
    #[arg(long)]
    pub no_checkpoint: bool,
    /// Discard the checkpoint of an earlier run and start over
    #[arg(long)]
    pub fresh: bool,
    /// Save every S seconds, in case of a crash
    ///
    /// A crash costs the work since the last save. With the engine frontier, slices and units in
    /// progress restart from their beginning, too.
    #[arg(long, value_name = "S", default_value = "30", value_parser = parse_duration)]
    pub checkpoint_interval: Duration,
    #[command(flatten)]
    pub time: TimeArgs,
    #[command(flatten)]
    pub progress: ProgressArgs,
}

/// The options of a count, whole or in part.
#[derive(Debug, ClapArgs)]
pub struct JobArgs {
    #[command(flatten)]
    pub question: QuestionArgs,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    pub format: FormatArgs,
}

#[derive(Debug, ClapArgs)]
#[command(mut_arg("format", |format| format.value_parser(named(COUNT_FORMATS))))]
pub struct CountArgs {
    #[command(flatten)]
    pub job: JobArgs,
    #[command(flatten)]
    pub select: SelectArgs,
    #[command(flatten)]
    pub whole: WholeArgs,
    /// Also count open tours by start square, in one count per kind of square
    #[arg(long)]
    pub starts: bool,
}

/// The options of a whole count.
#[derive(Debug, Clone, Default, ClapArgs)]
#[command(mut_arg("overwrite", |overwrite| overwrite.requires("keep_units")))]
pub struct WholeArgs {
    /// Also count classes up to symmetry; with --quiet after the count
    #[arg(long)]
    pub classes: bool,
    /// Keep the units with their counts in this file, for audit and report
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub keep_units: Option<PathBuf>,
    #[command(flatten)]
    pub place: OverwriteArgs,
}

/// The file of tours and its form.
#[derive(Debug, ClapArgs)]
pub struct TourFileArgs {
    /// Write lines of squares, grids of numbers, or JSON objects, each on a line [default: json if
    /// --output ends in .json, else squares]
    #[arg(long, value_parser = named(TOUR_FORMATS))]
    pub format: Option<TourFormat>,
    #[command(flatten)]
    pub write: OutputArgs,
}

/// The options of `list`.
#[derive(Debug, ClapArgs)]
#[command(mut_arg("from", says("Fix the start, also of closed tours: c2, row,col, or all")))]
#[command(mut_arg("overwrite", |overwrite| overwrite.alias("fresh")))]
pub struct ListArgs {
    #[command(flatten)]
    pub question: QuestionArgs,
    #[command(flatten)]
    pub select: SelectArgs,
    /// List one tour of each class, the first that backtracking finds
    #[arg(long)]
    pub classes: bool,
    /// List at most K tours; with --resume, in the whole file
    #[arg(long, short = 'n', value_name = "K", value_parser = parse_number::<u64>)]
    pub limit: Option<u64>,
    #[command(flatten)]
    pub moves: OrderArgs,
    #[command(flatten)]
    pub file: TourFileArgs,
    /// Start with the tour that follows this one ("a1 b3 ...") in the same list
    #[arg(long, value_name = "TOUR")]
    pub after: Option<String>,
    /// Continue the file of an earlier run with the same options, after its last complete line
    #[arg(long, requires = "output", conflicts_with = "overwrite")]
    pub resume: bool,
    /// Write on until the disk is full; without it 1 GiB or 5 % of the disk stay free, or half of
    /// what was free if that is less
    #[arg(long, requires = "output")]
    pub fill_disk: bool,
    #[command(flatten)]
    pub progress: ProgressArgs,
    #[command(flatten)]
    pub threads: ThreadsArgs,
}

/// The options of the count that numbers tours.
#[derive(Debug, ClapArgs)]
#[command(mut_arg("max_time", saving))]
pub struct NumberArgs {
    /// Keep the tables in this folder, so that later calls start at once
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub index: Option<PathBuf>,
    /// Compute everything again, including the index
    #[arg(long)]
    pub fresh: bool,
    #[command(flatten)]
    pub machine: MachineArgs,
    #[command(flatten)]
    pub time: TimeArgs,
    #[command(flatten)]
    pub progress: ProgressArgs,
}

/// The form in which numbered tours are written.
#[derive(Debug, ClapArgs)]
pub struct NumberedArgs {
    #[command(flatten)]
    pub file: TourFileArgs,
    /// Print one JSON object per tour, with its number and the version of the order
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
}

/// The options of `random`.
#[derive(Debug, ClapArgs)]
pub struct RandomArgs {
    #[command(flatten)]
    pub question: QuestionArgs,
    #[command(flatten)]
    pub select: SelectArgs,
    /// Draw K tours, each from all tours
    #[arg(long, value_name = "K", default_value = "1", value_parser = parse_number::<u64>)]
    pub count: u64,
    #[command(flatten)]
    pub draw: SeedArgs,
    #[command(flatten)]
    pub write: NumberedArgs,
    #[command(flatten)]
    pub number: NumberArgs,
}

/// The options of `nth`.
#[derive(Debug, ClapArgs)]
pub struct NthArgs {
    /// The numbers of the tours: 4711, or 1..100
    ///
    /// An open tour and its reverse share one number, unless --from or --to is given. A closed tour
    /// has one number, whatever its start and direction.
    #[arg(value_name = "N", required = true, value_parser = parse_numbers)]
    pub numbers: Vec<RangeInclusive<Tally>>,
    #[command(flatten)]
    pub question: QuestionArgs,
    #[command(flatten)]
    pub write: NumberedArgs,
    #[command(flatten)]
    pub number: NumberArgs,
}

/// The options of `rank`.
#[derive(Debug, ClapArgs)]
pub struct RankArgs {
    /// The file of tours; standard input if it is missing or -
    ///
    /// The board is that of the first tour, unless --size gives one.
    #[arg(value_hint = ValueHint::FilePath, default_value = "-", hide_default_value = true)]
    pub file: PathBuf,
    #[command(flatten)]
    pub question: QuestionArgs,
    #[command(flatten)]
    pub signs: SignArgs,
    /// Print one JSON object per tour, with its line and the version of the order
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub number: NumberArgs,
}

/// The limits of a search for one tour.
#[derive(Debug, ClapArgs)]
pub struct LimitArgs {
    /// Give up a search after trying M moves
    #[arg(long, value_name = "M", value_parser = parse_number::<u64>)]
    pub max_moves: Option<u64>,
    /// Give up after taking back B moves [default: a million for heuristics, no limit for blind and
    /// pruned]
    #[arg(long, value_name = "B", value_parser = parse_number::<u64>)]
    pub max_backtracks: Option<u64>,
    #[command(flatten)]
    pub time: TimeArgs,
}

#[derive(Debug, ClapArgs)]
#[command(mut_arg("closed", |closed| closed.hide(false).help("Find a closed tour")))]
#[command(mut_arg("tours", |tours| tours.hide(true)))]
#[command(mut_arg(
    "seed",
    says("Find a tour with --given, --symmetry or --to at random; another seed finds another")
))]
pub struct FindArgs {
    #[command(flatten)]
    pub board: BoardArgs,
    /// Start on this square: c2, or row,col from 0 [default: a1, or where a tour starts]
    ///
    /// Without a tour from a1, or from the first square that there is, any other is taken, and in
    /// a graph any vertex.
    #[arg(long, value_name = "SQUARE")]
    pub from: Option<String>,
    /// End open tours on this square [default: anywhere]
    #[arg(long, value_name = "SQUARE")]
    pub to: Option<String>,
    #[command(flatten)]
    pub kind: KindArgs,
    #[command(flatten)]
    pub select: SelectArgs,
    #[command(flatten)]
    pub draw: SeedArgs,
    /// Choose the method: auto, blind, pruned, h1a, warnsdorff, roth, h2 or pohl
    ///
    /// auto constructs the tours of a knight on a whole rectangle, and searches on other boards.
    /// blind is plain backtracking; pruned finds the same tour sooner. h1a, warnsdorff (h1b), roth,
    /// h2, h2-manhattan, h2-chebyshev and pohl are heuristics.
    #[arg(long, value_name = "S", default_value = "auto", hide_possible_values = true, value_parser = strategies())]
    pub strategy: Strategy,
    #[command(flatten)]
    pub moves: OrderArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Choose how to write the tour [default: json if --output ends in .json, else grid]
    #[arg(long, default_value_if("json", "true", "json"))]
    pub format: Option<FindFormat>,
    /// Short for --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Print the board alone, without the cost of the search
    #[arg(long, short)]
    pub quiet: bool,
    #[command(flatten)]
    pub write: OutputArgs,
    #[command(flatten)]
    pub progress: ProgressArgs,
}

/// The forms of a tour that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FindFormat {
    /// Numbers from 1, the top row first, and what the search cost
    Grid,
    /// Its squares in order, on one line
    Squares,
    /// One JSON object on one line
    Json,
    /// The board before the search and after it, with XX on empty squares and 01 on the start
    Boards,
}

#[derive(Debug, ClapArgs)]
#[command(mut_arg("closed", |closed| closed.hide(false).help("Find closed tours")))]
#[command(mut_arg("tours", |tours| tours.hide(true)))]
#[command(mut_arg("max_time", says("Stop each search after this much time (10s, 5m)")))]
#[command(mut_arg("overwrite", |overwrite| of_page(overwrite).requires("plot")))]
pub struct CompareArgs {
    /// Compare on these boards: 8, 3..8, 101..600:20 (in steps of 20), 3x10, separated by commas
    #[arg(long, value_name = "LIST", required = true, value_delimiter = ',', value_parser = parse_boards)]
    pub sizes: Vec<Boards>,
    /// Compare these strategies, separated by commas
    #[arg(long, value_name = "LIST", default_value = "auto,warnsdorff,roth,h2,pohl", value_delimiter = ',', value_parser = strategies())]
    pub strategies: Vec<Strategy>,
    /// Compare with this move order; may be repeated
    #[arg(long, value_name = "O", default_value = "row-major", allow_hyphen_values = true)]
    pub order: Vec<MoveOrder>,
    /// Start on these squares, separated by commas, or on top-left, or on all
    #[arg(long, value_name = "LIST", default_value = "a1", value_delimiter = ',')]
    pub from: Vec<String>,
    #[command(flatten)]
    pub kind: KindArgs,
    /// Run each search K times, for the times
    #[arg(long, value_name = "K", default_value = "3", value_parser = parse_positive)]
    pub trials: u32,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Choose how to write the table
    #[arg(long, default_value = "table", value_parser = named([("table", Format::Text), ("csv", Format::Csv)]))]
    pub format: Format,
    /// Also draw the median times by board into this file, as SVG
    #[arg(long, value_name = "FILE.svg", value_hint = ValueHint::FilePath)]
    pub plot: Option<PathBuf>,
    #[command(flatten)]
    pub place: OverwriteArgs,
}

/// The options of `solve`.
#[derive(Debug, ClapArgs)]
#[command(mut_arg(
    "tours",
    says("Look for paths or cycles; also --open, --closed [default: open]")
))]
#[command(mut_arg(
    "max_time",
    says("Stop after this much time (10s, 5m); what is not decided by then is called so")
))]
pub struct SolveArgs {
    /// The files of boards, with blank lines between boards; standard input if none is given or -
    ///
    /// A board is a grid of numbers, the top row first. `.` is a square to fill, `#` a hole.
    /// Frames, brackets, JSON and lists such as 1=a1 18=e7 are read too.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath, default_value = "-", hide_default_value = true)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub board: BoardArgs,
    #[command(flatten)]
    pub kind: KindArgs,
    #[command(flatten)]
    pub links: LinkArgs,
    #[command(flatten)]
    pub signs: SignArgs,
    /// Count all solutions, or up to --limit
    #[arg(long)]
    pub count: bool,
    /// Print all solutions, or up to --limit
    #[arg(long, conflicts_with = "count")]
    pub all: bool,
    /// Print up to K solutions; with --count, count up to K
    #[arg(long, short = 'n', value_name = "K", value_parser = parse_number::<u64>)]
    pub limit: Option<u64>,
    /// Exit with code 3 unless each board has exactly one solution
    #[arg(long, conflicts_with_all = ["count", "all", "limit"])]
    pub unique: bool,
    /// Print the next step that follows, and why
    #[arg(long, conflicts_with_all = ["count", "all", "limit", "unique"])]
    pub hint: bool,
    #[command(flatten)]
    pub time: TimeArgs,
    #[command(flatten)]
    pub threads: ThreadsArgs,
    /// Print one JSON object per board
    #[arg(long)]
    pub json: bool,
}

/// The options of `puzzle`.
#[derive(Debug, ClapArgs)]
pub struct PuzzleArgs {
    #[command(flatten)]
    pub board: BoardArgs,
    #[command(flatten)]
    pub kind: KindArgs,
    #[command(flatten)]
    pub links: LinkArgs,
    /// Give N steps [default: those that are needed, and those that take long to test]
    #[arg(long, value_name = "N", value_parser = parse_positive)]
    pub clues: Option<u32>,
    /// Make puzzles of a grade: gentle, easy, medium or hard; gentle..hard divides them among these
    ///
    /// The grade is that of the hardest technique that a puzzle needs. Gentle: the next number has
    /// one place, or a short gap one way. Easy: distances leave one square or one number. Medium: a
    /// square needs its two exits, or a region would be cut off. Hard: an assumption. Of a range,
    /// the first puzzles are of the first grade, and so on.
    #[arg(long, value_name = "GRADE", value_parser = parse_grades)]
    pub difficulty: Option<Grades>,
    /// Give steps on squares that a half turn, or another symmetry such as left-right, keeps
    ///
    /// Kinds: half-turn, quarter-turn, left-right, top-bottom, diagonal and anti-diagonal.
    #[arg(long, value_name = "KIND", num_args = 0..=1, default_missing_value = "half-turn")]
    #[arg(hide_possible_values = true, value_parser = symmetries())]
    pub symmetric: Option<Symmetry>,
    /// Give steps on the squares of a drawing: . without a number, # a hole, other signs with one
    ///
    /// A line per row, the top row first. Tours are drawn until these steps determine one.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["clues", "symmetric", "ends"])]
    pub pattern: Option<PathBuf>,
    /// Give the first and the last step (shown), neither (hidden), or either (any)
    #[arg(long, value_name = "HOW", default_value = "any", hide_possible_values = true, value_parser = named(GivenEnds::NAMED.map(|(ends, name)| (name, ends))))]
    pub ends: GivenEnds,
    /// Make K puzzles
    #[arg(long, value_name = "K", default_value = "1", value_parser = parse_number::<u64>)]
    pub count: u64,
    #[command(flatten)]
    pub draw: SeedArgs,
    #[command(flatten)]
    pub time: TimeArgs,
    /// Print one JSON object per puzzle
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, ClapArgs)]
pub struct CheckArgs {
    /// The files of tours; standard input if none is named, or for -
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath, default_value = "-", hide_default_value = true)]
    pub files: Vec<PathBuf>,
    /// Require this board of every tour [default: each tour tells its own]
    #[command(flatten)]
    pub board: BoardArgs,
    #[command(flatten)]
    pub signs: SignArgs,
}

#[derive(Debug, ClapArgs)]
#[command(mut_arg(
    "tours",
    says(
        "Draw tours as paths (open), or as cycles (closed), which must close [default: closed if a move joins the ends]"
    )
))]
#[command(mut_arg("overwrite", of_page))]
// The vertices of a graph have no places to draw.
#[command(mut_arg("graph", |graph| graph.hide(true)))]
#[command(mut_arg("graph_format", |format| format.hide(true)))]
pub struct ShowArgs {
    /// The file of tours, as lines of squares, grids of numbers or JSON objects; standard input if
    /// it is missing or -. For --format sheet, play, puzzle and answer, files of puzzles: the
    /// chapters of a sheet
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath, default_value = "-", hide_default_value = true)]
    pub files: Vec<PathBuf>,
    /// Require this board of every tour [default: each tour tells its own]
    #[command(flatten)]
    pub board: BoardArgs,
    /// Choose how to draw [default: by the ending of --output, else text]
    #[arg(long)]
    pub format: Option<ShowFormat>,
    #[command(flatten)]
    pub kind: KindArgs,
    #[command(flatten)]
    pub signs: SignArgs,
    /// Draw only the N-th tour or puzzle [default: all; the first for pictures]
    #[arg(long, value_name = "N", value_parser = parse_positive)]
    pub tour: Option<u32>,
    /// Number the squares in the order of the visit; text always does
    #[arg(long)]
    pub numbers: bool,
    /// Write this title above the picture or page; for a sheet of several files, once for each
    #[arg(long, value_name = "TEXT")]
    pub title: Vec<String>,
    /// Shade the boards of puzzles as a chess board [default: only a knight's]
    #[arg(long)]
    pub shading: bool,
    /// Name rows and columns of puzzles [default: only in pictures of a knight's, and to play]
    #[arg(long)]
    pub coordinates: bool,
    /// Print a sheet with squares and letters half as large again
    #[arg(long)]
    pub large_print: bool,
    #[command(flatten)]
    pub write: OutputArgs,
}

/// The meaning of the signs in boards that are read.
#[derive(Debug, Default, ClapArgs)]
pub struct SignArgs {
    /// Read these signs as squares to fill, such as X
    #[arg(long, value_name = "SIGNS", allow_hyphen_values = true)]
    pub blank: Option<String>,
    /// Read these signs as holes, such as X0
    #[arg(long, value_name = "SIGNS", allow_hyphen_values = true)]
    pub hole: Option<String>,
}

/// The form that was typed, or the one that the ending of the output's name stands for.
pub fn form<F: ValueEnum>(typed: Option<F>, output: &Option<PathBuf>) -> Option<F> {
    typed.or_else(|| F::from_str(&ending(output.as_deref()?), true).ok())
}

impl OutputArgs {
    /// The output in one of some forms, which was chosen or is that of the name.
    pub fn wanted<'a>(
        &'a self,
        forms: &'a [&'a str],
        is_chosen: bool,
        inputs: impl IntoIterator<Item = &'a Path>,
    ) -> Wanted<'a> {
        let (path, overwrite) = (self.output.as_deref(), self.place.overwrite);
        Wanted { path, overwrite, forms, is_chosen, inputs: inputs.into_iter().collect() }
    }
}

impl TourFileArgs {
    /// The form that was typed, or the one that the name of the output stands for.
    pub fn format(&self) -> TourFormat {
        let is_json = self.write.output.as_deref().is_some_and(|path| ending(path) == "json");
        self.format.unwrap_or(if is_json { TourFormat::Json } else { TourFormat::Squares })
    }
}

impl BoardArgs {
    /// The files that the board is read from.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        [&self.board, &self.graph].into_iter().flatten().map(PathBuf::as_path)
    }
}

/// The forms of a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ShowFormat {
    /// A board of numbers for each tour, in colours on a terminal
    Text,
    /// A picture of one tour
    Svg,
    /// One page to browse and play all tours, without a network
    Html,
    /// A page to print: puzzles with exactly one solution, and their answers at the end
    Sheet,
    /// One page to solve puzzles in, with hints, without a network
    Play,
    /// A picture of one puzzle
    Puzzle,
    /// A picture of a puzzle with its answer
    Answer,
}

/// The parser of values that are typed by their names.
fn named<T: Clone + Send + Sync + 'static>(
    values: impl IntoIterator<Item = (impl Into<PossibleValue>, T)>,
) -> impl TypedValueParser<Value = T> {
    let values = values.into_iter().map(|(name, value)| (name.into(), value));
    let values: Vec<(PossibleValue, T)> = values.collect();
    let names: Vec<PossibleValue> = values.iter().map(|(name, _)| name.clone()).collect();
    PossibleValuesParser::new(names).try_map(move |typed| {
        let named = values.iter().find(|(name, _)| name.matches(&typed, true));
        named.map(|(_, value)| value.clone()).ok_or("no such value")
    })
}

fn symmetries() -> impl TypedValueParser<Value = Symmetry> {
    named(Symmetry::NAMED.map(|(symmetry, name)| (name, symmetry)))
}

fn strategies() -> impl TypedValueParser<Value = Strategy> {
    named(Strategy::NAMED.map(|(strategy, name)| {
        let alias = (strategy == Strategy::Warnsdorff).then_some("h1b");
        (PossibleValue::new(name).aliases(alias), strategy)
    }))
}

/// The characters of a square and of a hole.
fn parse_legend(text: &str) -> Result<[u8; 2], String> {
    match *text.as_bytes() {
        [square, hole] if square != hole && text.bytes().all(|c| c.is_ascii_graphic()) => {
            Ok([square, hole])
        }
        _ => Err("two characters are wanted, that of a square and that of a hole: .#".to_owned()),
    }
}

/// The forms in which tours are listed, by their names.
const TOUR_FORMATS: [(&str, TourFormat); 3] =
    [("squares", TourFormat::Squares), ("grid", TourFormat::Grid), ("json", TourFormat::Json)];

/// The forms of a count, by their names.
const COUNT_FORMATS: [(&str, Format); 3] =
    [("text", Format::Text), ("json", Format::Json), ("csv", Format::Csv)];

/// The form of a result.
#[derive(Debug, ClapArgs)]
pub struct FormatArgs {
    /// Choose the form; --json is short for --format json
    #[arg(long, default_value = "text", default_value_if("json", "true", "json"), value_parser = named([("text", Format::Text), ("json", Format::Json)]))]
    format: Format,
    /// Short for --format json
    #[arg(long, hide_short_help = true, conflicts_with = "format")]
    json: bool,
    /// Print the bare number: directed for open tours, undirected for closed
    #[arg(long, short)]
    quiet: bool,
}

/// The options of `prepare`: those of a count, and the folder.
#[derive(Debug, ClapArgs)]
#[command(mut_args(|arg| {
    let is_fixed = ["checkpoint", "no_checkpoint"].contains(&arg.get_id().as_str());
    if is_fixed { arg.hide(true) } else { arg }
}))]
#[command(mut_arg("quiet", says("Print nothing, or JSON alone")))]
pub struct PrepareArgs {
    /// The folder of the shards
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub out: PathBuf,
    #[command(flatten)]
    pub job: JobArgs,
}

/// The options of `shard`: those of a count, the shard, and the folder.
#[derive(Debug, ClapArgs)]
#[command(mut_arg(
    "checkpoint",
    says("Keep the state in this file [default: one in the folder of --out]")
))]
pub struct ShardArgs {
    /// Count shard I of N
    #[arg(value_name = "I/N")]
    pub shard: Shard,
    /// Write the part into this folder, with the checkpoint of the shard
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub out: PathBuf,
    /// Take units that share states (group), or every N-th unit (remainder)
    #[arg(long, value_name = "RULE", hide_possible_values = true, value_parser = named([("group", Assignment::Group), ("remainder", Assignment::Remainder)]))]
    pub by: Option<Assignment>,
    #[command(flatten)]
    pub job: JobArgs,
}

#[derive(Debug, ClapArgs)]
pub struct MergeArgs {
    /// The folders with the parts
    #[arg(value_name = "DIR", required = true, value_hint = ValueHint::DirPath)]
    pub folders: Vec<PathBuf>,
    #[command(flatten)]
    pub whole: WholeArgs,
    #[command(flatten)]
    pub format: FormatArgs,
}

#[derive(Debug, ClapArgs)]
#[command(mut_arg(
    "quiet",
    says("The number of units recounted; exit code 3 says that some are wrong")
))]
#[command(mut_arg("seed", says("Draw the sample by this seed [default: 1]")))]
pub struct AuditArgs {
    /// A units file, a part, or a folder with all parts of a run
    pub run: PathBuf,
    /// Recount K units
    #[arg(long, value_name = "K", default_value = "10", value_parser = parse_positive)]
    pub sample: u32,
    /// Draw all units alike (unit), or in proportion to their estimated work (work)
    #[arg(long, value_name = "HOW", default_value = "unit", hide_possible_values = true, value_parser = named([("unit", DrawBy::Unit), ("work", DrawBy::Work)]))]
    pub by: DrawBy,
    #[command(flatten)]
    pub draw: SeedArgs,
    #[command(flatten)]
    pub progress: ProgressArgs,
    #[command(flatten)]
    pub machine: MemoryArgs,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// The options of `estimate`.
#[derive(Debug, ClapArgs)]
#[command(mut_arg("memory", says("Limit the memory of the count, and of the estimate (2G)")))]
#[command(mut_arg("seed", says("Draw the probes by this seed [default: 1]")))]
pub struct EstimateArgs {
    #[command(flatten)]
    pub question: QuestionArgs,
    #[command(flatten)]
    pub search: SearchArgs,
    /// Make up to K random probes, at least some of each unit, or as many as fit half of --within
    #[arg(long, value_name = "K", default_value = "400000", value_parser = parse_number::<u64>)]
    pub probes: u64,
    /// Limit the time of the estimate to this, or to 500ms if that is more [default: by --probes,
    /// and 20s for the frontier]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub within: Option<Duration>,
    #[command(flatten)]
    pub draw: SeedArgs,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, ClapArgs)]
pub struct TableArgs {
    /// Set the rows of every board, up to 10 (from 8, no more than the columns); with --cols, those
    /// of the first and the last board, such as 3..20
    #[arg(long, value_name = "R|A..B", value_parser = parse_sides)]
    pub rows: RangeInclusive<u32>,
    /// Set the columns of the last board
    #[arg(long, value_name = "N", value_parser = parse_number::<u32>)]
    pub up_to: Option<u32>,
    /// Count the boards of this many columns, one after the other, each printed as soon as it is
    /// counted
    #[arg(long, value_name = "C", value_parser = parse_number::<u32>, conflicts_with_all = ["up_to", "partial"])]
    pub cols: Option<u32>,
    #[command(flatten)]
    pub kind: KindArgs,
    /// Count on the first k squares, column by column, for every k
    #[arg(long)]
    pub partial: bool,
    /// Print lines of `n count`, one JSON object, or CSV
    #[arg(long, default_value = "text", default_value_if("json", "true", "json"), value_parser = named(COUNT_FORMATS))]
    pub format: Format,
    /// Short for --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    #[command(flatten)]
    pub machine: MachineArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

/// The engine that is wished; none for the fastest. To clap, an option of its own would be one that
/// may be missing.
pub type WishedEngine = Option<Name>;

fn engines() -> impl TypedValueParser<Value = WishedEngine> {
    named([
        ("auto", None),
        ("walk", Some(Name::Walk)),
        ("frontier", Some(Name::Frontier)),
        ("subsets", Some(Name::Subsets)),
    ])
}

/// The styles of progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProgressStyle {
    /// A progress bar on a terminal, plain lines elsewhere
    Auto,
    /// A progress bar
    Bar,
    /// One full line per minute
    Plain,
    /// One JSON object per second, each on a line
    Json,
    /// Nothing
    None,
}

/// The forms of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Sentences
    Text,
    /// One JSON object on one line
    Json,
    /// The bare number
    Quiet,
    /// A line of comma-separated values below a heading
    Csv,
}

impl FormatArgs {
    /// The form that was typed, in either way.
    pub fn format(&self) -> Format {
        if self.quiet && self.format == Format::Text { Format::Quiet } else { self.format }
    }
}

/// The options of `stats`.
#[derive(Debug, ClapArgs)]
#[command(mut_arg(
    "tours",
    says("Take the tours as open or closed [default: closed, if all of them can be]")
))]
#[command(mut_arg("overwrite", of_page))]
pub struct StatsArgs {
    /// The file of tours, all of one board; standard input if it is missing or -
    #[arg(value_hint = ValueHint::FilePath, default_value = "-", hide_default_value = true)]
    pub file: PathBuf,
    #[command(flatten)]
    pub board: BoardArgs,
    #[command(flatten)]
    pub kind: KindArgs,
    #[command(flatten)]
    pub signs: SignArgs,
    /// Declare that these are all tours and not a sample: the means are exact and have no errors
    #[arg(long)]
    pub all: bool,
    /// Choose the form [default: by the ending of --output, else text]
    #[arg(long, default_value_if("json", "true", "json"))]
    pub format: Option<StatsFormat>,
    /// Short for --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    #[command(flatten)]
    pub write: OutputArgs,
}

/// The forms of averages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StatsFormat {
    /// Names and means, then all edges
    Text,
    /// One JSON object on one line
    Json,
    /// A page with a map of the edges and plots
    Html,
}

/// The options of `status`.
#[derive(Debug, ClapArgs)]
pub struct StatusArgs {
    /// A checkpoint, or a folder of parts; without it and without a board, all checkpoints in the
    /// state folder
    #[arg(value_hint = ValueHint::FilePath, conflicts_with_all = ["size", "rows", "cols", "board", "graph"])]
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub question: QuestionArgs,
    /// Remove the checkpoint and everything that belongs to it
    #[arg(long)]
    pub discard: bool,
    /// Print one JSON object per checkpoint
    #[arg(long, conflicts_with = "discard")]
    pub json: bool,
}

#[derive(Debug, ClapArgs)]
#[command(mut_arg("overwrite", of_page))]
pub struct ReportArgs {
    /// A checkpoint, a units file (--keep-units), a part, or a folder with all parts of a run
    #[arg(value_hint = ValueHint::AnyPath)]
    pub run: PathBuf,
    #[command(flatten)]
    pub write: OutputArgs,
    /// Also count the open tours from each square, for the map, on boards of more than 36 squares
    /// (7x7 takes seconds to a minute); their sum checks the run
    #[arg(long)]
    pub starts: bool,
    #[command(flatten)]
    pub machine: MemoryArgs,
}

/// The words with `--color` behind the command that it is typed before. Clap refuses options
/// there, because those of a count would have no effect.
pub fn colour_after_command(mut words: Vec<OsString>) -> Vec<OsString> {
    let first = words.get(1).map_or("".into(), |word| word.to_string_lossy());
    let command = if first == "--color" { 3 } else { 2 };
    let is_command = |word: &OsString| !word.to_string_lossy().starts_with('-');
    if first.starts_with("--color") && words.get(command).is_some_and(is_command) {
        words[1..=command].rotate_right(1);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_of_the_flags_is_sound() {
        Args::command().debug_assert();
    }
}
