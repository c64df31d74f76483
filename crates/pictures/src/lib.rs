//! Tours and puzzles as text, as SVG and as pages, plots, and averages over tours.
//!
//! Nothing here knows a file, a thread or a clock, which `clippy.toml` forbids: pictures are texts.

use kt_enum_board::quantity;
#[doc(no_inline)]
pub use kt_enum_board::{board, tally, tour};

pub mod draw;
pub mod stats;
