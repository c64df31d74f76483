//! Tours, puzzles, boards and graphs as people write them: a text in, checked values and places in
//! the text out.
//!
//! Nothing here knows a file, a thread or a clock, which `clippy.toml` forbids. Texts that the
//! program writes are made where their values are, in `kt-enum-board`.

mod drawing;
mod graph_file;
mod reader;

use kt_enum_board::legible;

/// Boards, and reading them from drawings and from files of graphs.
pub mod board {
    pub use crate::drawing::{DrawingError, drawings};
    pub use crate::graph_file::{GraphFile, GraphFileError, GraphFormat};
    #[doc(no_inline)]
    pub use kt_enum_board::board::*;
}

/// Tours, and reading them.
pub mod tour {
    pub use crate::reader::{
        KnownBoard, Misread, PartFilledReader, Read, Reader, TourReader, Wrong, link,
    };
    #[doc(no_inline)]
    pub use kt_enum_board::tour::*;
}
