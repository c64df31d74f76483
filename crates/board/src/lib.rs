//! Where tours are counted and what is counted: boards, pieces, graphs, symmetries, questions,
//! checked tours and exact counts.
//!
//! Nothing here knows a file, a thread or a clock, which `clippy.toml` forbids. The library
//! `kt-enum` hands on what users need; any version may change the rest.

pub mod board;
pub mod graph;
pub mod legible;
pub mod quantity;
pub mod question;
pub mod tally;
pub mod tour;
