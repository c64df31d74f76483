//! The engines: each counts, lists or finds tours in its own way, and is checked by a simpler one.
//!
//! Nothing here knows a file or a clock, which `clippy.toml` forbids: a closure says when to pause,
//! and what is computed is values that [`work`] and [`rounds`] hand to whoever keeps them.

#[doc(no_inline)]
pub use kt_enum_board::{board, question, tally, tour};
use kt_enum_board::{graph, legible, quantity};

#[cfg(test)]
mod alone;
pub mod classes;
pub mod cursor;
pub mod engine;
pub mod find;
pub mod frontier;
pub mod plain;
pub mod rates;
pub mod rounds;
mod search;
pub mod starts;
mod states;
pub mod subsets;
pub mod walk;
pub mod work;
