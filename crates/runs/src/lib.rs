//! Long runs of any engine: what a job is and how it is planned, counted, kept in files, resumed,
//! divided, estimated and audited.
//!
//! All state of a run is written here, and replaced atomically ([`durable`]).

#[doc(no_inline)]
pub use kt_enum_board::{board, question, tally, tour};
use kt_enum_board::{legible, quantity};
#[doc(no_inline)]
pub use kt_enum_engines::{classes, find};
use kt_enum_engines::{cursor, engine, frontier, rates, rounds, starts, subsets, walk, work};
#[doc(no_inline)]
pub use kt_enum_puzzles::solve;

pub mod audit;
pub mod durable;
pub mod estimate;
pub mod idle;
pub mod job;
pub mod list;
pub mod machine;
pub mod numbers;
pub mod run;
pub mod units;
pub mod words;
