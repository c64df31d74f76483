//! The fields of a board in JSON.

use super::Board;
use serde::Serialize;

/// The sides of a board, which are null for an explicit graph, and the board itself unless it is a
/// full knight's board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BoardDocument {
    rows: Option<u32>,
    cols: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<String>,
}

impl Board {
    /// The fields of the board in JSON.
    #[doc(hidden)]
    pub fn document(&self) -> BoardDocument {
        let side = |side: u32| (!self.is_graph()).then_some(side);
        let (rows, cols) = (side(self.rows()), side(self.cols()));
        BoardDocument { rows, cols, board: self.unusual() }
    }

    /// The description of the board unless it is a full knight's board.
    #[doc(hidden)]
    pub fn unusual(&self) -> Option<String> {
        (!self.is_plain()).then(|| self.description())
    }
}
