//! Tests of the library through its public modules: each engine is compared with the next simpler
//! one and with published values.
#![allow(clippy::unwrap_used, missing_docs)]

mod any_board;
mod any_drawing;
mod any_tour;
mod architecture;
mod atomic;
mod classes;
#[path = "../common/mod.rs"]
mod common;
mod draw;
mod frontier;
mod list;
mod plausible;
mod portions;
mod starts;
