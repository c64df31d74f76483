//! Counts the knight's tours of R x C boards exactly, in parallel, in runs that can be stopped,
//! resumed and audited.
//!
//! The program `kt-enum` is a thin layer over this library. The guide, in the folder `docs` of the
//! package, explains the engines, the file formats, and how to check counts.
//!
//! # Counting
//!
//! Start with [`job`]. A [`question`] is a board with open or closed tours and, perhaps, fixed
//! ends. A [`job::Job`] is a question with limits, which plans how to count: it chooses the engine
//! and shares the memory. The plan counts on all cores.
//!
//! ```
//! use kt_enum::job::{Job, Silent};
//! use kt_enum::{board::Board, question::Question};
//!
//! let plan = Job::new(Question::open(Board::new(5, 5)?)).plan(&mut Silent)?;
//! let outcome = plan.count(&Default::default(), &mut Silent)?;
//! assert_eq!(outcome.units.directed(), 1_728_u32.into());
//! assert_eq!(outcome.units.undirected(), 864_u32.into());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A job may wish for an engine, and its state may be kept in a file, from which the same job
//! resumes after it was stopped by its [`job::Control`] or by its limit on time. An observer learns
//! of the progress.
//!
//! ```
//! use kt_enum::job::{CheckpointPlace, Control, Event, Job, Name, Observer};
//! use kt_enum::{board::Board, question::Question};
//! use std::sync::Arc;
//!
//! struct Percent;
//! impl Observer for Percent {
//!     fn notice(&mut self, event: &Event) {
//!         if let Event::Progress(at) = event {
//!             println!("{} of {} units", at.done, at.units);
//!         }
//!     }
//! }
//!
//! let folder = std::env::temp_dir().join(format!("kt-enum-{}", std::process::id()));
//! std::fs::create_dir_all(&folder)?;
//! let mut job = Job::new(Question::closed(Board::new(6, 6)?));
//! job.wishes.engine = Some(Name::Walk);
//! job.limits.threads = Some(2);
//! job.keeping.place = Some(CheckpointPlace::named(folder.join("closed.kt")));
//! let control = Arc::new(Control::default());
//! let outcome = job.plan(&mut Percent)?.count(&control, &mut Percent)?;
//! assert_eq!(outcome.units.undirected(), 9_862_u32.into());
//! outcome.clear_checkpoint()?;
//! # std::fs::remove_dir_all(folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Visiting
//!
//! [`list::visit`] passes every tour to a function, in the order of plain backtracking, until the
//! function breaks off. [`list::TourCursor`] does the same as a cursor, which can continue after
//! any tour.
//!
//! ```
//! use kt_enum::board::{Board, MoveOrder};
//! use kt_enum::{list, question::Question};
//! use std::ops::ControlFlow;
//!
//! let board = Board::new(5, 5)?;
//! let from_a1 = Question::open_between(board.clone(), Some(board.parse_square("a1")?), None);
//! let listing = list::Listing::new(from_a1, MoveOrder::default())?;
//! let mut ends = std::collections::BTreeMap::new();
//! let end = list::visit(&listing, |squares| {
//!     *ends.entry(board.name(squares[24])).or_insert(0) += 1;
//!     ControlFlow::<()>::Continue(())
//! });
//! assert!(end.is_continue());
//! assert_eq!(ends.values().sum::<u32>(), 304);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Tours by number
//!
//! [`job::Plan::number`] counts so that every tour has a number. [`numbers`] then unranks and ranks
//! tours: it finds the tour with a given number, and the number of a given tour.
//! [`numbers::Random`] draws uniform numbers.
//!
//! ```
//! use kt_enum::job::{Job, Name, Silent};
//! use kt_enum::{board::Board, question::Question};
//!
//! let mut job = Job::new(Question::closed(Board::new(6, 6)?));
//! job.wishes.engine = Some(Name::Frontier);
//! let plan = job.plan(&mut Silent)?;
//! let numbers = plan.number(&Default::default(), &mut Silent)?.numbers;
//! let tours = numbers.tours(&[4_711_u32.into()], &mut Silent)?;
//! assert_eq!(numbers.numbers(&tours, &mut Silent)?, [Some(4_711_u32.into())]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Finding
//!
//! [`find`] makes one tour of a board of any size, by construction or by a heuristic. [`tour`]
//! verifies and writes it.
//!
//! ```
//! use kt_enum::board::{Board, MoveOrder};
//! use kt_enum::find::{Find, FindLimits, FindOutcome, Strategy};
//!
//! let board = Board::new(8, 8)?;
//! let find = Find {
//!     board: board.clone(),
//!     from: board.parse_square("d4")?,
//!     closed: true,
//!     strategy: Strategy::Auto,
//!     order: MoveOrder::default(),
//!     limits: FindLimits::default(),
//! };
//! let (outcome, _effort) = find.run(&|| false);
//! let FindOutcome::Found(route) = outcome else { panic!("8x8 has a closed tour") };
//! assert!(route.is_reentrant());
//! assert_eq!(route.squares().count(), 64);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Puzzles
//!
//! [`solve`] decides whether a board with some steps given has no solution, exactly one, or
//! several, and makes such boards from tours.
//!
//! ```
//! use kt_enum::board::Board;
//! use kt_enum::solve::{Clue, Extent, Puzzle, Verdict, verdict};
//!
//! let board = Board::new(3, 4)?;
//! let clues = [(1, "a1"), (3, "a3"), (12, "d3")];
//! let square = |name| board.parse_square(name);
//! let clues = clues.map(|(step, name)| square(name).map(|square| Clue { step, square }));
//! let clues = clues.into_iter().collect::<Result<Vec<_>, _>>()?;
//! let puzzle = Puzzle::new(board, false, clues)?;
//! let answer = verdict(&puzzle, Extent::default(), &|| false);
//! assert!(matches!(answer, Verdict::Unique(_)), "{answer:?}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Drawing
//!
//! [`draw`] makes text, SVG pictures and pages of tours.
//!
//! ```
//! use kt_enum::board::Board;
//! use kt_enum::draw::{Style, Subject, TextStyle, svg, text};
//! use kt_enum::tour::Tour;
//!
//! let board = Board::new(3, 4)?;
//! let squares = "a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3".split(' ');
//! let squares = squares.map(|name| board.parse_square(name)).collect::<Result<Vec<_>, _>>()?;
//! let subject = Subject::new(Tour::new(&board, squares)?, false)?;
//! let mut board_of_numbers = String::new();
//! text(&subject, TextStyle::Boxes, &mut board_of_numbers);
//! assert!(board_of_numbers.contains("12"));
//! assert!(svg(&subject, &Style::default()).starts_with("<svg"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules
//!
//! - [`job`]: counts, from a question to its answer; [`question`]: what is counted; [`board`]:
//!   where
//! - [`units`] and [`tally`]: the answer, its parts and files, and exact counts
//! - [`list`]: tours in order; [`numbers`]: tours by number; [`classes`]: tours up to symmetry
//! - [`find`]: one tour on a board of any size; [`tour`]: a verified tour, read and written
//! - [`solve`]: puzzles, solved, proved unique and made
//! - [`draw`]: tours as text, as pictures, and as a page to browse and play
//!
//! The library alone needs none of the crates that the program depends on: `default-features =
//! false`.

#![cfg_attr(
    not(feature = "program"),
    allow(unused_imports, reason = "they are for the program alone")
)]

#[cfg(feature = "program")]
mod cli;
#[cfg(feature = "program")]
mod report;

// The program names the modules of all crates as its own.
use kt_enum_board::{legible, quantity};
use kt_enum_engines::{engine, rounds, starts, work};
use kt_enum_pictures::stats;
use kt_enum_runs::{audit, durable, estimate, idle, machine, run, words};

/// Boards, squares, moves and symmetries: where tours are.
pub mod board {
    pub(crate) use kt_enum_formats::board::*;
    #[doc(inline)]
    pub use kt_enum_formats::board::{
        Board, BoardError, DrawingError, GraphFile, GraphFileError, GraphFormat, KNIGHT_MOVES,
        Layout, MoveOrder, MoveOrderError, Network, Piece, PieceError, Square, SquareError,
        Symmetry, Wrap, drawings,
    };
}

/// A question: the board, open or closed tours, and fixed ends.
pub mod question {
    #[doc(inline)]
    pub use kt_enum_board::question::{EndOffBoard, Impossible, Question, Tours};
}

/// Exact counts of any size.
pub mod tally {
    #[doc(inline)]
    pub use kt_enum_board::tally::{OutOfRange, ParseTallyError, Tally};
}

/// Tours as checked values, and reading and writing them.
pub mod tour {
    pub(crate) use kt_enum_formats::tour::*;
    #[doc(inline)]
    pub use kt_enum_formats::tour::{
        KnownBoard, Misread, PartFilled, PartFilledReader, Read, Reader, Tour, TourError,
        TourFormat, TourReader, TourWriter, Wrong,
    };
}

/// Tours up to symmetry.
pub mod classes {
    pub(crate) use kt_enum_engines::classes::*;
    #[doc(inline)]
    pub use kt_enum_engines::classes::{ClassesError, check, count};
}

/// One tour of a board of any size, by construction or by a heuristic.
pub mod find {
    #[doc(inline)]
    pub use kt_enum_engines::find::{
        Distance, Find, FindEffort, FindLimits, FindOutcome, GaveUp, NoTour, Route, Strategy,
        UnknownStrategy,
    };
}

/// Puzzles: boards with some steps given, solved, proved unique and made.
pub mod solve {
    pub(crate) use kt_enum_puzzles::solve::*;
    #[doc(inline)]
    pub use kt_enum_puzzles::solve::{
        Clue, Difficulty, Extent, GivenEnds, Grade, Hint, MakeError, Puzzle, PuzzleError, Reason,
        Recipe, Solutions, Verdict, Why, any_tour, difficulty, grid, hint, make, solve, verdict,
    };
}

/// Tours and puzzles as text, pictures and pages.
pub mod draw {
    #[doc(hidden)]
    pub use kt_enum_pictures::draw::GraphDrawing;
    pub(crate) use kt_enum_pictures::draw::*;
    #[doc(inline)]
    pub use kt_enum_pictures::draw::{
        Gallery, NotDrawn, PuzzleDrawing, Style, Subject, TextStyle, TourKind, svg, text,
    };
}

/// Counts, from a question to its answer.
pub mod job {
    pub(crate) use kt_enum_runs::job::*;
    #[doc(inline)]
    pub use kt_enum_runs::job::{
        Back, Building, CheckpointPlace, Control, CountPrice, EdgeClass, Effort, Estimate,
        EstimateEffort, EstimateError, Estimated, Event, Expected, Identity, Job, JobError,
        Keeping, Limits, MadePuzzle, MemoSize, Name, NotMade, Numbered, Observer, Outcome, Plan,
        Price, PuzzleMaker, RunError, SearchEstimate, SearchSize, ShardWish, Silent, Snapshot,
        Split, StatesRoom, Unforeseen, Upcoming, Wishes, check, look_on,
    };
    #[doc(hidden)]
    pub use kt_enum_runs::job::{NotFound, look_between};
}

/// All tours in order.
pub mod list {
    pub(crate) use kt_enum_runs::list::*;
    #[doc(inline)]
    pub use kt_enum_runs::list::{
        FirstTour, ListError, ListSettings, Listed, Listing, Next, NotListed, TourCursor,
        WalkEffort, WalkError, first_tour, list, visit,
    };
}

/// Tours by number, numbers of tours, and random tours.
pub mod numbers {
    pub(crate) use kt_enum_runs::numbers::*;
    #[doc(inline)]
    pub use kt_enum_runs::numbers::{Numbers, NumbersError, Random};
}

/// The answer of a count, its parts and their files.
pub mod units {
    pub(crate) use kt_enum_runs::units::*;
    #[doc(inline)]
    pub use kt_enum_runs::units::{Assignment, MergeError, Shard, ShardError, Units, UnitsError};
}

/// Runs the program with the arguments of a process, the first of which is its name, and returns
/// the exit code.
#[cfg(feature = "program")]
#[doc(hidden)]
pub use cli::run as program;
