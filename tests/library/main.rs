//! Tests of the library through its public modules alone, and of what these are.
#![allow(clippy::unwrap_used, missing_docs)]

mod draw;
mod interface;
mod list;
