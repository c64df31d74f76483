//! Counts knight's tours on R x C boards: exhaustively, in parallel, and so that a run can be
//! stopped, resumed and audited.
//!
//! The program `kt-enum` is a thin layer over this library. How the engines work, what is in the files
//! and how to check the numbers is in the guide, the folder `docs` of the package.
//!
//! # Counting
//!
//! A [`question`] says which tours of which board. An engine cuts it into units of work, and [`run`] counts
//! these on all cores; with a checkpoint the run can be stopped and gone on with.
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
//! Closed tours are counted faster by [`edges`], and boards with a short side of up to 10 without listing
//! by [`frontier`]. Each is a [`work::Work`] that [`run::count`] takes:
//!
//! ```
//! use kt_enum::{board::Board, edges, frontier, question::Question, run};
//!
//! let question = Question::closed(Board::new(6, 6)?);
//! let by_edges = edges::Edges::new(question, None)?;
//! let without_listing = frontier::Frontier::new(question, None)?;
//! let outcome = run::count(&by_edges, run::Settings::default(), &mut run::Silent)?;
//! assert_eq!(outcome.units.undirected(), 9_862_u32.into());
//! let outcome = run::count(&without_listing, run::Settings::default(), &mut run::Silent)?;
//! assert_eq!(outcome.units.undirected(), 9_862_u32.into());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`engine`] chooses the fastest of them, and its [`engine::Engine`] is any:
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
//! [`walk::visit`] shows every tour to a function, in the order of a plain search, until that breaks off.
//! [`walk::Tours`] is the same as a cursor, which can go on after any tour.
//!
//! ```
//! use kt_enum::board::{Board, MoveOrder};
//! use kt_enum::{question::Question, walk};
//! use std::ops::ControlFlow;
//!
//! let board = Board::new(5, 5)?;
//! let from_a1 = Question::open_between(board, Some(board.parse_square("a1")?), None);
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
//! [`numbers`] has the tours of a question by number, and the number of any, from a count by the frontier that keeps all that it
//! builds; [`numbers::random`] draws numbers.
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
//! [`find`] makes one tour of a board of any size, by construction or by a heuristic, and [`tour`] checks
//! and writes it.
//!
//! ```
//! use kt_enum::board::{Board, MoveOrder};
//! use kt_enum::find::{Find, Limits, Outcome, Strategy};
//!
//! let board = Board::new(8, 8)?;
//! let find = Find {
//!     board,
//!     from: board.parse_square("d4")?,
//!     closed: true,
//!     strategy: Strategy::Auto,
//!     order: MoveOrder::default(),
//!     limits: Limits::default(),
//! };
//! let (outcome, _effort) = find.run(&|| false);
//! let Outcome::Found(route) = outcome else { panic!("8x8 has a closed tour") };
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
//! let subject = Subject::new(Tour::new(board, squares)?, false)?;
//! let mut board_of_numbers = String::new();
//! text(&subject, TextStyle::Boxes, &mut board_of_numbers);
//! assert!(board_of_numbers.contains("12"));
//! assert!(svg(&subject, &Style::default()).starts_with("<svg"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The rooms
//!
//! From the ground up; a room imports only from those above it in this list:
//!
//! - [`board`]: boards, squares, sets of squares, symmetries
//! - [`question`] and [`tally`]: what is asked and what is answered; [`tour`]: a checked tour
//! - [`rounds`]: the seam between runs and what an engine builds before its units; `graph` and `states`: what the
//!   frontier counts on, and with: degrees, matchings of ends, numbers of ways
//! - [`work`]: the seam between runs and engines; [`plain`]: plain backtracking and other simple means, by which the
//!   engines are checked
//! - [`stats`]: what tours look like on average; [`starts`]: where they start
//! - [`walk`]: the exhaustive walk; like every engine it knows neither clock nor file
//! - [`frontier`]: counting without listing
//! - [`classes`]: tours up to symmetry
//! - [`edges`]: closed tours by choosing edges anywhere on the board
//! - [`engine`]: which engine answers a question, and one type that is any of them
//! - [`draw`]: tours as text, as pictures, as a page to browse and play them; plots and pages of runs
//! - [`find`]: one tour on a board of any size
//! - [`durable`]: files that are whole at every moment
//! - [`units`]: what a count leaves: its units in a file, their fingerprint, shards, merge, audit
//! - [`estimate`]: how big a count is, how long it will take, and how far it is
//! - [`run`]: a long run of any engine: threads, progress, checkpoints
//! - [`list`]: tours in order, from many threads; [`numbers`]: tours by number, and at random

pub mod board;
pub mod classes;
mod cursor;
pub mod draw;
pub mod durable;
pub mod edges;
pub mod engine;
pub mod estimate;
pub mod find;
pub mod frontier;
mod graph;
pub mod list;
pub mod numbers;
pub mod plain;
pub mod question;
pub mod rounds;
pub mod run;
pub mod starts;
mod states;
pub mod stats;
pub mod tally;
pub mod tour;
pub mod units;
pub mod walk;
pub mod work;
