//! Tests of the engines and of what is built from them, through parts of the library that are not
//! part of its interface: each engine is compared with the next simpler one and with published
//! values.
#![allow(clippy::unwrap_used, missing_docs)]

mod any_board;
mod any_drawing;
mod any_form;
mod any_tour;
mod atomic;
mod classes;
#[path = "../common/mod.rs"]
mod common;
mod frontier;
mod plausible;
mod portions;
mod selected;
mod solve;
mod starts;
mod techniques;
