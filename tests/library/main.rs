//! Tests of the library through its public modules alone, and of its shape.
#![allow(clippy::unwrap_used, missing_docs)]

mod architecture;
mod draw;
mod interface;
mod list;
