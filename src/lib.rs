//! Counts the knight's tours of R x C boards exactly, in parallel, in runs that can be stopped,
//! resumed and audited.
//!
//! The program `kt-enum` is a thin layer over this library. The guide, in the folder `docs` of the
//! package, explains the engines, the file formats, and how to check counts.
//!
//! # Counting
//!
//! A [`question`] is a board with open or closed tours and, perhaps, fixed ends. An engine divides
//! it into units, which [`run`] counts on all cores. With a checkpoint, the run can be stopped and
//! resumed.
//!
//! ```
//! use kt_enum::{board::Board, question::Question, run, walk};
//!
//! let question = Question::open(Board::new(5, 5)?);
//! let work = walk::Walk::new(question, &walk::Options::default())?;
//! let outcome = run::count(&work, run::Settings::default(), &mut run::Silent)?;
//! assert_eq!(outcome.units.directed(), 1_728_u32.into());
//! assert_eq!(outcome.units.undirected(), 864_u32.into());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Closed tours are counted faster by [`edges`], and boards with a short side of up to 10 without
//! listing by [`frontier`]. Each engine is a [`work::Work`] that [`run::count`] accepts:
//!
//! ```
//! use kt_enum::{board::Board, edges, frontier, question::Question, run};
//!
//! let question = Question::closed(Board::new(6, 6)?);
//! let by_edges = edges::Edges::new(question.clone(), None)?;
//! let without_listing = frontier::Frontier::new(question, None)?;
//! let outcome = run::count(&by_edges, run::Settings::default(), &mut run::Silent)?;
//! assert_eq!(outcome.units.undirected(), 9_862_u32.into());
//! let outcome = run::count(&without_listing, run::Settings::default(), &mut run::Silent)?;
//! assert_eq!(outcome.units.undirected(), 9_862_u32.into());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`engine`] chooses the fastest of them, and [`engine::Engine`] can be any of them:
//!
//! ```
//! use kt_enum::engine::{Engine, Name, Wishes, choose};
//! use kt_enum::{board::Board, question::Question, run, walk::MemoSize};
//!
//! let question = Question::closed(Board::new(5, 10)?);
//! let choice = choose(&question, &Wishes::default(), None);
//! assert_eq!(choice.engine, Name::Frontier);
//! let work = Engine::new(&choice.engine, question, choice.split, MemoSize::Cache)?;
//! let outcome = run::count(&*work, run::Settings::default(), &mut run::Silent)?;
//! assert_eq!(outcome.units.undirected(), 13_311_268_u32.into());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Walking
//!
//! [`walk::visit`] passes every tour to a function, in the order of plain backtracking, until the
//! function breaks off. [`walk::TourCursor`] does the same as a cursor, which can continue after any
//! tour.
//!
//! ```
//! use kt_enum::board::{Board, MoveOrder};
//! use kt_enum::{question::Question, walk};
//! use std::ops::ControlFlow;
//!
//! let board = Board::new(5, 5)?;
//! let from_a1 = Question::open_between(board.clone(), Some(board.parse_square("a1")?), None);
//! let listing = walk::Listing::new(from_a1, MoveOrder::default())?;
//! let mut ends = std::collections::BTreeMap::new();
//! let end = walk::visit(&listing, |squares| {
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
//! [`numbers`] unranks and ranks tours: it finds the tour with a given number, and the number of a
//! given tour. It needs a count by the frontier that has kept all of its layers.
//! [`numbers::random`] draws uniform numbers.
//!
//! ```
//! use kt_enum::run::{self, Settings, Silent};
//! use kt_enum::numbers::Numbers;
//! use kt_enum::{board::Board, frontier::Frontier, question::Question};
//!
//! let frontier = Frontier::new(Question::closed(Board::new(6, 6)?), None)?;
//! let settings = Settings { keep_layers: true, ..Settings::default() };
//! let outcome = run::count(&frontier, settings, &mut Silent)?;
//! let numbers = Numbers::new(&frontier, &outcome.units, 1, None, Default::default())?;
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
//! From the bottom up; a module imports only from modules above it in this list:
//!
//! - [`board`]: boards, squares, sets of squares, symmetries
//! - [`question`] and [`tally`]: the question and the count that answers it; [`tour`]: a verified
//!   tour
//! - [`rounds`]: the interface for what an engine computes before its units; `graph` and `states`:
//!   the graph that the frontier works on, and its patterns, matchings and counts
//! - [`work`]: the interface between engines and runs; [`plain`]: plain backtracking and other
//!   simple counters that check the engines
//! - `search`: the depth-first search of a tree, which can be paused anywhere and resumed
//! - [`stats`]: averages over tours; [`starts`]: counts by start square
//! - [`walk`]: the exhaustive walk; like every engine it knows neither clocks nor files
//! - [`frontier`]: counting without listing
//! - [`classes`]: counting up to symmetry
//! - [`edges`]: closed tours by choosing edges anywhere on the board
//! - [`engine`]: the choice of an engine for a question
//! - [`draw`]: tours as text, as pictures, and as a page to browse and play; plots and reports
//! - [`find`]: one tour on a board of any size
//! - [`durable`]: atomic replacement of files
//! - [`units`]: the result of a count: units files, fingerprints, shards, merging
//! - [`estimate`]: the size of a count, its time, and its progress
//! - [`run`]: long runs of any engine: threads, progress, checkpoints
//! - [`audit`]: units of a finished run, counted again in another way
//! - [`list`]: tours in order, computed by many threads; [`numbers`]: tours by number, and random
//!   ones

// Without the program, some of what it uses of the library is used by nobody.
#![cfg_attr(not(feature = "program"), allow(dead_code))]

pub mod audit;
pub mod board;
pub mod classes;
#[cfg(feature = "program")]
mod cli;
mod cursor;
pub mod draw;
pub mod durable;
pub mod edges;
pub mod engine;
pub mod estimate;
pub mod find;
pub mod frontier;
mod graph;
pub mod job;
pub mod legible;
pub mod list;
pub(crate) mod machine;
pub mod numbers;
pub mod plain;
pub mod question;
mod report;
pub mod rounds;
pub mod run;
mod search;
pub mod starts;
mod states;
pub mod stats;
pub mod subsets;
pub mod tally;
pub mod tour;
pub mod units;
pub mod walk;
mod words;
pub mod work;

/// Runs the program with the arguments of the process.
#[cfg(feature = "program")]
#[doc(hidden)]
pub use cli::run as program;
