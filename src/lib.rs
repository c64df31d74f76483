//! Counts knight's tours on R x C boards: exhaustively, in parallel, and so that a run can be
//! stopped, resumed and audited.
//!
//! ```
//! use kt_enum::{board::Board, plain, question::Question, run, walk};
//!
//! let question = Question::open(Board::new(5, 5)?);
//! let work = walk::Walk::new(question, &walk::Options::default())?;
//! let outcome = run::count(&work, run::Settings::default(), &mut run::Silent)?;
//! assert_eq!(outcome.units.directed()?.0, 1_728);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The rooms, from the ground up; a room imports only from those above it in this list:
//!
//! - [`board`]: boards, squares, sets of squares, symmetries
//! - [`question`] and [`tally`]: what is asked and what is answered; [`tour`]: a checked tour
//! - [`plain`]: plain backtracking, the engine the others are checked by; [`work`]: the seam between
//!   engines and runs
//! - [`walk`]: the exhaustive walk; like every engine it knows neither clock nor file
//! - [`frontier`]: counting without listing
//! - [`classes`]: tours up to symmetry
//! - [`edges`]: closed tours by choosing edges anywhere on the board
//! - [`draw`]: tours as text, as pictures, as a page to browse and play them; plots and pages of runs
//! - [`find`]: one tour on a board of any size
//! - [`run`]: a long run of any engine: threads, progress, checkpoints, shards, audit

pub mod board;
pub mod classes;
mod cursor;
pub mod draw;
pub mod edges;
pub mod find;
pub mod frontier;
pub mod plain;
pub mod question;
pub mod run;
pub mod tally;
pub mod tour;
pub mod walk;
pub mod work;
