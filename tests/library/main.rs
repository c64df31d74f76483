//! The library, through its public modules: each engine against the next simpler one and against what is published.
#![allow(clippy::unwrap_used, missing_docs)]

mod architecture;
mod atomic;
mod classes;
#[path = "../common/mod.rs"]
mod common;
mod draw;
mod frontier;
mod list;
mod portions;
mod starts;
