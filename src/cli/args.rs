//! What was typed: one definition for parsing, help, man page and completions.

use super::quantity::{
    Boards, parse_board, parse_boards, parse_cut, parse_duration, parse_memo, parse_number,
    parse_number_within, parse_numbers, parse_positive, parse_size,
};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args as ClapArgs, ColorChoice, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;
use kt_enum::board::{Board, MoveOrder};
use kt_enum::find::Strategy;
use kt_enum::tally::Tally;
use kt_enum::tour::TourFormat;
use kt_enum::units::Shard;
use kt_enum::units::audit::DrawBy;
use kt_enum::walk::MemoSize;
use kt_enum::work::Split;
use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

/// Count every knight's tour of a board: exactly, on all cores, and resumable.
///
/// Without a command, counts: `kt-enum --size 6 --split-depth 4`. The same command resumes a run
/// that was stopped, killed or lost power.
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
    /// Colours in help, errors and the bar; NO_COLOR is obeyed too
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true)]
    pub color: ColorChoice,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Count tours (the default)
    Count(Box<CountArgs>),
    /// List every tour, or the first K, in the order of a plain search
    List(Box<ListArgs>),
    /// Draw random tours, each as likely as any other
    Random(Box<RandomArgs>),
    /// Write the tours with these numbers, from 1 to the count
    Nth(Box<NthArgs>),
    /// Read tours and say the number of each
    Rank(Box<RankArgs>),
    /// Make what all shards of a count need, once, in their folder
    Prepare(Box<PrepareArgs>),
    /// Count one machine's part: shard I of N, from 0/N to N-1/N
    Shard(Box<ShardArgs>),
    /// Put the parts of a count together
    Merge(MergeArgs),
    /// Print the counts of all boards of R rows and up to N columns
    Table(TableArgs),
    /// Recount a sample of a finished run's units with a simpler engine
    Audit(AuditArgs),
    /// Guess how big a search is and how long it will take
    Estimate(EstimateArgs),
    /// Say what is stopped or running, and how far it is
    Status(StatusArgs),
    /// Make a page about a run, finished or not
    Report(ReportArgs),
    /// Find one tour on a board of any size
    Find(Box<FindArgs>),
    /// Find tours in many ways and compare what each costs
    Compare(Box<CompareArgs>),
    /// Read tours and say for each whether it is one
    Check(CheckArgs),
    /// Draw tours: as text, as SVG, as a web page
    Show(ShowArgs),
    /// Say what tours look like on average
    Stats(StatsArgs),
    /// Print what --help of a command prints
    #[command(hide = true)]
    Help {
        /// Which command
        command: Option<String>,
    },
    /// Print shell completions
    Completions {
        /// For which shell
        shell: Shell,
    },
    /// Print the man page, or that of one command
    Man {
        /// Which command
        command: Option<String>,
    },
}

/// The board.
#[derive(Debug, ClapArgs)]
pub struct BoardArgs {
    /// A board of N x N, or of R x C
    #[arg(long, value_name = "N|RxC", value_parser = parse_board, conflicts_with_all = ["rows", "cols"])]
    pub size: Option<Board>,
    /// Rows of the board
    #[arg(long, value_name = "R", requires = "cols", value_parser = parse_number::<u32>)]
    pub rows: Option<u32>,
    /// Columns of the board
    #[arg(long, value_name = "C", requires = "rows", value_parser = parse_number::<u32>)]
    pub cols: Option<u32>,
}

/// The board and the tours that are meant.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Board and tours")]
pub struct QuestionArgs {
    #[command(flatten)]
    pub board: BoardArgs,
    #[command(flatten)]
    pub kind: KindArgs,
    /// Start of open tours, in lists of closed: c2, row,col from 0, or all
    #[arg(long, value_name = "SQUARE")]
    #[arg(default_value = "all", hide_default_value = true)]
    pub from: String,
    /// End of open tours: a square, or all
    #[arg(long, value_name = "SQUARE")]
    #[arg(default_value = "all", hide_default_value = true)]
    pub to: String,
}

/// The kind of tours.
#[derive(Debug, ClapArgs)]
pub struct KindArgs {
    /// Paths or cycles; --open, --closed for short
    #[arg(long, value_name = "open|closed", default_value = "open", hide_possible_values = true)]
    tours: ToursArgument,
    /// Short for --tours open
    #[arg(long, hide = true, conflicts_with = "tours")]
    open: bool,
    /// Short for --tours closed
    #[arg(long, hide = true, conflicts_with_all = ["tours", "open"])]
    closed: bool,
}

impl KindArgs {
    /// The kind that was typed, in one way or the other.
    pub fn tours(&self) -> ToursArgument {
        match (self.open, self.closed) {
            (true, _) => ToursArgument::Open,
            (_, true) => ToursArgument::Closed,
            _ => self.tours,
        }
    }
}

/// Which tours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ToursArgument {
    /// Hamiltonian paths
    Open,
    /// Hamiltonian cycles
    Closed,
}

/// How many threads.
#[derive(Debug, ClapArgs)]
pub struct ThreadsArgs {
    /// Worker threads [default: all cores]
    #[arg(long, short = 'j', alias = "jobs", value_name = "T", value_parser = |text: &str| parse_number_within(text, 1..=4096))]
    threads: Option<u32>,
}

impl ThreadsArgs {
    /// The threads that were asked for, or as many as there are cores.
    pub fn number(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(cores, |threads| threads as usize)
    }
}

/// How a search is cut and carried out.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "How to count")]
pub struct SearchArgs {
    /// walk extends paths, edges chooses edges of closed tours, frontier counts
    /// without listing (short side up to 10) [default: auto, the fastest]
    #[arg(long, default_value = "auto")]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub engine: EngineArgument,
    /// Units of work are all prefixes of D moves (walk) or D decisions (edges), one a symmetry class
    /// [default: by the board]
    #[arg(long, value_name = "D", value_parser = parse_number::<u32>)]
    pub split_depth: Option<u32>,
    /// The frontier's cut, such as 30:4:6 [default: by the board]
    #[arg(long, value_name = "C:S:Q", value_parser = parse_cut, conflicts_with_all = ["split_depth", "memo"])]
    pub cut: Option<Split>,
    #[command(flatten)]
    pub threads: ThreadsArgs,
    /// Each thread's table of positions met before (1M, 256K), or off to visit every class of tours
    /// [default: 1M, which fits the cache of a core]
    #[arg(long, value_name = "SIZE", value_parser = parse_memo)]
    pub memo: Option<MemoSize>,
    /// Upper bound for all tables (2G) [default of frontier: 3/4 of the free]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory: Option<u64>,
}

/// The options of a long run.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "A long run")]
pub struct RunArgs {
    /// The run's state [default: a file a question in the state folder]
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath, conflicts_with = "no_checkpoint")]
    pub checkpoint: Option<PathBuf>,
    /// Keep no state
    #[arg(long)]
    pub no_checkpoint: bool,
    /// Give up the state of an earlier run and start over
    #[arg(long)]
    pub fresh: bool,
    /// Most seconds of finished work that a crash may cost
    #[arg(long, value_name = "S", default_value = "30", value_parser = parse_duration)]
    pub checkpoint_interval: Duration,
    /// Save and stop after this long (8h, 90m, 30s)
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub max_time: Option<Duration>,
    /// bar, plain, json or none [default: bar on a terminal, else plain]
    #[arg(long, value_name = "HOW", default_value = "auto")]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub progress: ProgressStyle,
    /// Disk for what does not fit --memory (60G) [default: half the free]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub disk: Option<u64>,
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
pub struct CountArgs {
    #[command(flatten)]
    pub job: JobArgs,
    #[command(flatten)]
    pub whole: WholeArgs,
}

/// What can be asked of a whole count.
#[derive(Debug, Clone, Default, ClapArgs)]
#[command(next_help_heading = "The answer")]
pub struct WholeArgs {
    /// Also count tours up to the symmetries of the board; --quiet prints this on a second line
    #[arg(long)]
    pub classes: bool,
    /// Also count open tours by start square: a count for each kind of square
    #[arg(long)]
    pub starts: bool,
    /// Keep the units and their counts in this file, for audit
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub keep_units: Option<PathBuf>,
    /// Replace that file if it is there already
    #[arg(long, requires = "keep_units")]
    pub overwrite: bool,
}

#[derive(Debug, ClapArgs)]
pub struct ListArgs {
    #[command(flatten)]
    pub question: QuestionArgs,
    /// One tour of each class: the first of those that are equal up to the symmetries of the board
    #[arg(long)]
    pub classes: bool,
    /// The most tours to list; with --resume, in the whole file
    #[arg(long, short = 'n', value_name = "K", value_parser = parse_number::<u64>)]
    pub limit: Option<u64>,
    /// The order in which moves are tried: row-major (target squares by row from the top, then by
    /// column), linear, report, or eight steps as right:up with commas
    #[arg(long, value_name = "O", default_value_t, allow_hyphen_values = true)]
    pub order: MoveOrder,
    /// How to write a tour: its squares on a line, a grid of numbers, a JSON object on a line
    #[arg(long, default_value = "squares", value_parser = tour_formats())]
    pub format: TourFormat,
    /// Write to this file
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Go on strictly after this tour ("a1 b3 ...") of the same list
    #[arg(long, value_name = "TOUR", conflicts_with = "resume")]
    pub after: Option<String>,
    /// Go on after the last whole line of the file of an earlier run with the same options
    #[arg(long, requires = "output")]
    pub resume: bool,
    /// Replace the file if it is there already
    #[arg(long, alias = "fresh", requires = "output", conflicts_with = "resume")]
    pub overwrite: bool,
    /// Write on until the disk is full; without it 1 GiB or 5 % of the disk stay free, or half of what
    /// was free if that is less
    #[arg(long, requires = "output")]
    pub fill_disk: bool,
    /// bar, plain, json or none [default: bar on a terminal, else none]
    #[arg(long, value_name = "HOW", default_value = "auto")]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub progress: ProgressStyle,
    #[command(flatten)]
    pub threads: ThreadsArgs,
}

/// How tours are numbered: by a count that keeps all that it builds.
#[derive(Debug, ClapArgs)]
pub struct NumberArgs {
    /// Keep what has to be built in this folder: later calls of the same question take it from there
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub index: Option<PathBuf>,
    /// Build everything anew, the index too
    #[arg(long)]
    pub fresh: bool,
    #[command(flatten)]
    pub threads: ThreadsArgs,
    /// Upper bound for all states in memory (2G, 512M) [default: three quarters of what is free]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory: Option<u64>,
    /// The most disk for states that do not fit --memory (60G) [default: half of what is free]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub disk: Option<u64>,
    /// bar, plain, json or none [default: bar on a terminal, else plain]
    #[arg(long, value_name = "HOW", default_value = "auto")]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub progress: ProgressStyle,
}

impl NumberArgs {
    /// The options of the count.
    pub fn run(&self) -> RunArgs {
        RunArgs {
            checkpoint: None,
            no_checkpoint: false,
            fresh: self.fresh,
            checkpoint_interval: Duration::from_secs(30),
            max_time: None,
            progress: self.progress,
            disk: self.disk,
        }
    }
}

/// How tours with numbers are written.
#[derive(Debug, ClapArgs)]
pub struct NumberedArgs {
    /// How to write a tour: its squares on a line, a grid of numbers, a JSON object on a line
    #[arg(long, default_value = "squares", value_parser = tour_formats())]
    pub format: TourFormat,
    /// A JSON object a line, with the tour's number and the version of the order
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Write to this file, which appears once it is complete
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Replace the file if it is there already
    #[arg(long, requires = "output")]
    pub overwrite: bool,
}

/// The options of `random`.
#[derive(Debug, ClapArgs)]
pub struct RandomArgs {
    #[command(flatten)]
    pub question: QuestionArgs,
    /// How many, each drawn from all
    #[arg(long, value_name = "K", default_value = "1", value_parser = parse_number::<u64>)]
    pub count: u64,
    /// Draw the tours of this seed again, the same on every machine [default: a fresh seed, which is printed]
    #[arg(long, value_name = "S", value_parser = parse_number::<u64>)]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub write: NumberedArgs,
    #[command(flatten)]
    pub number: NumberArgs,
}

/// The options of `nth`.
#[derive(Debug, ClapArgs)]
pub struct NthArgs {
    /// The numbers: 4711, or 1..=100
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
    /// The tours; standard input without it, and for -
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub question: QuestionArgs,
    /// A JSON object a line, with the line of the tour and the version of the order
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub number: NumberArgs,
}

/// How to look for a tour.
#[derive(Debug, ClapArgs)]
pub struct LimitArgs {
    /// Give up after so many moves tried
    #[arg(long, value_name = "M", value_parser = parse_number::<u64>)]
    pub max_moves: Option<u64>,
    /// Give up after more moves taken back than this [default: a million for heuristics, no limit for blind and pruned]
    #[arg(long, value_name = "B", value_parser = parse_number::<u64>)]
    pub max_backtracks: Option<u64>,
    /// Give up after this long (10s, 5m)
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub max_time: Option<Duration>,
}

#[derive(Debug, ClapArgs)]
pub struct FindArgs {
    #[command(flatten)]
    pub board: BoardArgs,
    /// Where the tour starts: a square (c2, or row,col from 0)
    #[arg(long, value_name = "SQUARE", default_value = "a1")]
    pub from: String,
    /// A tour whose ends are a knight's move apart
    #[arg(long)]
    pub closed: bool,
    /// auto never fails; blind tries moves in order; pruned finds the same tour sooner; h1a, warnsdorff
    /// (h1b), roth, h2 and pohl are rules of thumb
    #[arg(long, value_name = "S", default_value = "auto", value_parser = strategies())]
    pub strategy: Strategy,
    /// The order in which moves are tried, or by which a strategy breaks ties: row-major (target
    /// squares by row from the top, then by column), linear, report, or eight steps as right:up with commas
    #[arg(long, value_name = "O", default_value_t, allow_hyphen_values = true)]
    pub order: MoveOrder,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// How to write the tour
    #[arg(long, default_value = "grid")]
    pub format: FindFormatArgument,
    /// Short for --format json
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// The board alone, without what the search cost
    #[arg(long, short, conflicts_with = "json")]
    pub quiet: bool,
    /// Write to this file, which appears once it is complete
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Replace the file if it is there already
    #[arg(long, requires = "output")]
    pub overwrite: bool,
    /// bar, plain, json or none [default: bar on a terminal, else none]
    #[arg(long, value_name = "HOW", default_value = "auto")]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub progress: ProgressStyle,
}

/// How to write the tour that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FindFormatArgument {
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
pub struct CompareArgs {
    /// Boards: 8, 3..=8, 101..=600:20 (in steps of 20), 3x10, with commas
    #[arg(long, value_name = "LIST", required = true, value_delimiter = ',', value_parser = parse_boards)]
    pub sizes: Vec<Boards>,
    /// Strategies, with commas
    #[arg(long, value_name = "LIST", default_value = "auto,warnsdorff,roth,h2,pohl", value_delimiter = ',', value_parser = strategies())]
    pub strategies: Vec<Strategy>,
    /// Move orders, each time the option is given
    #[arg(long, value_name = "O", default_value = "row-major", allow_hyphen_values = true)]
    pub order: Vec<MoveOrder>,
    /// Starts: squares with commas, top-left, or all
    #[arg(long, value_name = "LIST", default_value = "a1", value_delimiter = ',')]
    pub from: Vec<String>,
    /// Tours whose ends are a knight's move apart
    #[arg(long)]
    pub closed: bool,
    /// How often each is run, for the times
    #[arg(long, value_name = "K", default_value = "3", value_parser = parse_positive)]
    pub trials: u32,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// How to write the table
    #[arg(long, default_value = "table")]
    pub format: CompareFormatArgument,
    /// Draw the median times by board into this file too, as SVG
    #[arg(long, value_name = "FILE.svg", value_hint = ValueHint::FilePath)]
    pub plot: Option<PathBuf>,
}

/// How to write a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CompareFormatArgument {
    /// Aligned columns
    Table,
    /// Comma-separated values, times in nanoseconds
    Csv,
}

#[derive(Debug, ClapArgs)]
pub struct CheckArgs {
    /// The file; standard input without it, or for -
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: Option<PathBuf>,
    /// The board that every tour has to be of [default: each tells its own]
    #[command(flatten)]
    pub board: BoardArgs,
}

#[derive(Debug, ClapArgs)]
pub struct ShowArgs {
    /// A file of tours in any format that is written here; standard input without it, or for -
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: Option<PathBuf>,
    /// The board that every tour has to be of [default: each tells its own]
    #[command(flatten)]
    pub board: BoardArgs,
    /// How to draw
    #[arg(long, default_value = "text")]
    pub format: ShowFormatArgument,
    /// What tours are taken as: paths, or cycles, which have to close [default: cycles, where the ends
    /// are a knight's move apart]
    #[arg(long, value_enum)]
    pub tours: Option<ToursArgument>,
    /// Draw only the tour number N, from 1 [default: all; the first for svg]
    #[arg(long, value_name = "N", value_parser = parse_positive)]
    pub tour: Option<u32>,
    /// Number the squares in the order of the visit; text always does
    #[arg(long)]
    pub numbers: bool,
    /// The title of the picture or page
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Write to this file
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
}

/// How to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ShowFormatArgument {
    /// A board of numbers for each tour, in colours on a terminal
    Text,
    /// A picture of one tour
    Svg,
    /// One page to browse and play all tours, without a network
    Html,
}

fn strategies() -> impl TypedValueParser<Value = Strategy> {
    let names = Strategy::ALL.map(|strategy| {
        let value = PossibleValue::new(strategy.name());
        match strategy {
            Strategy::Warnsdorff => value.alias("h1b"),
            _ => value,
        }
    });
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Strategy>())
}

fn tour_formats() -> impl TypedValueParser<Value = TourFormat> {
    PossibleValuesParser::new(["squares", "grid", "json"]).map(|name| match &*name {
        "grid" => TourFormat::Grid,
        "json" => TourFormat::Json,
        _ => TourFormat::Squares,
    })
}

/// How to print a result.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "The answer")]
pub struct FormatArgs {
    /// How to print it
    #[arg(long, default_value = "text")]
    format: Format,
    /// Short for --format json
    #[arg(long, conflicts_with_all = ["format", "quiet"])]
    json: bool,
    /// The bare number: directed for open tours, undirected for closed
    #[arg(long, short)]
    quiet: bool,
}

/// The options of `prepare`: those of a count, and where.
#[derive(Debug, ClapArgs)]
pub struct PrepareArgs {
    /// The folder of the shards
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub out: PathBuf,
    #[command(flatten)]
    pub job: JobArgs,
}

/// The options of `shard`: those of a count, and which part.
#[derive(Debug, ClapArgs)]
pub struct ShardArgs {
    /// Which shard of how many
    #[arg(value_name = "I/N")]
    pub shard: Shard,
    /// The folder for the part, and for the shard's checkpoint
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub out: PathBuf,
    #[command(flatten)]
    pub job: JobArgs,
}

#[derive(Debug, ClapArgs)]
pub struct MergeArgs {
    /// The folders with the parts
    #[arg(value_name = "DIR", required = true, value_hint = ValueHint::DirPath)]
    pub folders: Vec<PathBuf>,
    /// Also count tours up to the symmetries of the board; --quiet prints this on a second line
    #[arg(long)]
    pub classes: bool,
    /// Keep all units and their counts in this file, for audit
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub keep_units: Option<PathBuf>,
    /// Replace that file if it is there already
    #[arg(long, requires = "keep_units")]
    pub overwrite: bool,
    #[command(flatten)]
    pub format: FormatArgs,
}

#[derive(Debug, ClapArgs)]
#[command(mut_arg("quiet", |quiet| {
    quiet.help("The number of units recounted; exit code 3 says that some are wrong")
}))]
pub struct AuditArgs {
    /// A file of units, a part, or a folder with all parts of a run
    pub run: PathBuf,
    /// How many units to recount
    #[arg(long, value_name = "K", default_value = "10", value_parser = parse_positive)]
    pub sample: u32,
    /// How units are drawn: each alike (unit), or in proportion to its estimated work (work)
    #[arg(long, value_name = "HOW", default_value = "unit", hide_possible_values = true)]
    pub by: DrawArgument,
    /// Which sample: the same seed picks the same units
    #[arg(long, value_name = "S", default_value = "1", value_parser = parse_number::<u64>)]
    pub seed: u64,
    /// bar, plain, json or none [default: bar on a terminal, else plain]
    #[arg(long, value_name = "HOW", default_value = "auto")]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub progress: ProgressStyle,
    #[command(flatten)]
    pub threads: ThreadsArgs,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// How the units of an audit are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DrawArgument {
    Unit,
    Work,
}

impl DrawArgument {
    pub fn name(self) -> &'static str {
        match self {
            Self::Unit => "unit",
            Self::Work => "work",
        }
    }
}

impl From<DrawArgument> for DrawBy {
    fn from(by: DrawArgument) -> Self {
        match by {
            DrawArgument::Unit => Self::Unit,
            DrawArgument::Work => Self::Work,
        }
    }
}

#[derive(Debug, ClapArgs)]
pub struct EstimateArgs {
    #[command(flatten)]
    pub question: QuestionArgs,
    #[command(flatten)]
    pub search: SearchArgs,
    /// Random probes, or as many as fit half of --within if that is given: four times as many halve the error bars
    #[arg(long, value_name = "K", default_value = "400000", value_parser = parse_number::<u64>)]
    pub probes: u64,
    /// How long the estimate may take, at least 500ms: the longer, the narrower the bounds [default: as
    /// long as the probes take, and 20s for the frontier]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub within: Option<Duration>,
    /// Which probes: the same seed gives the same size of the search, unless --within is too short for all probes
    #[arg(long, value_name = "S", default_value = "1", value_parser = parse_number::<u64>)]
    pub seed: u64,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, ClapArgs)]
pub struct TableArgs {
    /// Rows of every board, up to 10
    #[arg(long, value_name = "R", value_parser = parse_number::<u32>)]
    pub rows: u32,
    /// Columns of the last board
    #[arg(long, value_name = "N", value_parser = parse_number::<u32>)]
    pub up_to: u32,
    #[command(flatten)]
    pub kind: KindArgs,
    /// Count on the first k squares, column by column, for every k
    #[arg(long)]
    pub partial: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub threads: ThreadsArgs,
    /// Upper bound for all tables together (2G, 512M) [default: three quarters of what is free]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory: Option<u64>,
    #[command(flatten)]
    pub run: RunArgs,
}

/// Which engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EngineArgument {
    /// The fastest that fits
    Auto,
    /// The exhaustive walk
    Walk,
    /// Closed tours by choosing edges anywhere on the board
    Edges,
    /// Counting without listing, on boards with a short side of up to 10
    Frontier,
}

/// How to show progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProgressStyle {
    /// A bar on a terminal, plain lines elsewhere
    Auto,
    /// A bar
    Bar,
    /// A full line a minute
    Plain,
    /// A JSON object a second, one a line
    Json,
    /// Nothing
    None,
}

/// How to print the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Sentences
    Text,
    /// One JSON object on one line
    Json,
    /// The bare number
    #[value(skip)]
    Quiet,
}

impl FormatArgs {
    /// How to print it, asked for in one way or the other.
    pub fn format(&self) -> Format {
        match (self.quiet, self.json) {
            (true, _) => Format::Quiet,
            (_, true) => Format::Json,
            _ => self.format,
        }
    }
}

/// The options of `stats`.
#[derive(Debug, ClapArgs)]
pub struct StatsArgs {
    /// The tours, all of one board; standard input without it, and for -
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub board: BoardArgs,
    /// What the tours are taken as [default: closed, if all of them can be]
    #[arg(long, value_enum)]
    pub tours: Option<ToursArgument>,
    /// These are all tours, not a sample: the means are exact and have no errors
    #[arg(long)]
    pub all: bool,
    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    pub format: StatsFormatArgument,
    /// Short for --format json
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Write to this file
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
}

impl StatsArgs {
    /// How to print it.
    pub fn format(&self) -> StatsFormatArgument {
        match self.json {
            true => StatsFormatArgument::Json,
            false => self.format,
        }
    }
}

/// How to print what tours look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StatsFormatArgument {
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
    /// The checkpoint; without it and without a board, every one in the state folder
    #[arg(value_hint = ValueHint::FilePath, conflicts_with_all = ["size", "rows", "cols"])]
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub question: QuestionArgs,
    /// Give the run up: remove its checkpoint with all that belongs to it
    #[arg(long)]
    pub discard: bool,
    /// Print one JSON object a checkpoint
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, ClapArgs)]
pub struct ReportArgs {
    /// A checkpoint, a file of units (--keep-units), a part, or a folder with all parts of a run
    #[arg(value_hint = ValueHint::AnyPath)]
    pub run: PathBuf,
    /// Write to this file; without it, to standard output
    #[arg(long, short, value_name = "OUT.html", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Count the open tours from each square too, for the map, on boards of more than 36 squares (7x7 takes
    /// half a minute); the sum checks the run
    #[arg(long)]
    pub starts: bool,
    #[command(flatten)]
    pub threads: ThreadsArgs,
    /// Upper bound for the tables of --starts (2G, 512M)
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory: Option<u64>,
}

/// What `--color` says, wherever it stands: clap colours its own messages before it has parsed it.
pub fn colour_asked_for(words: impl Iterator<Item = OsString>) -> ColorChoice {
    let words: Vec<String> = words
        .map(|word| word.to_string_lossy().into_owned())
        .take_while(|word| word != "--")
        .collect();
    let joined = words.iter().filter_map(|word| word.strip_prefix("--color="));
    let apart = words.windows(2).filter(|pair| pair[0] == "--color").map(|pair| pair[1].as_str());
    let asked = joined.chain(apart).find_map(|when| ColorChoice::from_str(when, true).ok());
    asked.unwrap_or(ColorChoice::Auto)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_of_the_flags_is_sound() {
        Args::command().debug_assert();
    }

    #[test]
    fn colour_is_found_in_both_spellings() {
        let asked = |words: &[&str]| colour_asked_for(words.iter().map(OsString::from));
        assert_eq!(asked(&["kt-enum", "--color", "never", "--size", "0"]), ColorChoice::Never);
        assert_eq!(asked(&["kt-enum", "--color=always"]), ColorChoice::Always);
        assert_eq!(asked(&["kt-enum"]), ColorChoice::Auto);
        let after_the_options = ["kt-enum", "show", "--", "--color=always"];
        assert_eq!(asked(&after_the_options), ColorChoice::Auto);
    }
}
