//! Puzzles: boards with some steps given, solved, proved unique and made.
//!
//! Nothing here knows a file, a clock or a thread of its own, which `clippy.toml` forbids.

use kt_enum_board::quantity;
#[doc(no_inline)]
pub use kt_enum_board::{board, question, tour};

pub mod solve;
