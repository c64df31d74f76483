//! The reasons why a text is not a tour.

use crate::board::{Board, BoardError, Square, SquareError};
use crate::legible::is_harmful;
use crate::tour::{TourError, plural};

/// A text is not a tour, or not a board with some steps given.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Wrong {
    /// A word does not name a square.
    #[error(
        "`{0}` is not a square: write it as in chess (c2) or as row,col counted from 0 (1,2), and \
         blanks between squares"
    )]
    Square(String),
    /// A word does not name a vertex of the graph.
    #[error(transparent)]
    Vertex(#[from] SquareError),
    /// A line or an object says what board its tours are of, but not one that exists.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// Rows and columns are counted from 1.
    #[error("none of these squares is in row 0 or column 0: count rows and columns from 0")]
    FromOne,
    /// The last square is the first one again.
    #[error("the last square repeats the first: end a closed tour on the square before it")]
    Repeated,
    /// A square is not on the board.
    #[error("{square} is not on the {board} board")]
    OffBoard {
        /// The name of the square.
        square: String,
        /// The board.
        board: Board,
    },
    /// There are too few or too many squares.
    #[error("{given} square{} where {board} has {}{}", plural(*given), board.squares(), missing.as_ref().map_or(String::new(), |square| format!(": {square} is not visited")))]
    Length {
        /// The number of squares given.
        given: usize,
        /// The board.
        board: Board,
        /// The name of the first square that is missing, if one is.
        missing: Option<String>,
    },
    /// A word in a grid is not a number.
    #[error("`{word}` is not a number of a grid: it stands in column {column}; holes are #")]
    Number {
        /// The word.
        word: String,
        /// Its column, from 1.
        column: usize,
    },
    /// A line of a grid has more or fewer cells than its first line.
    #[error("{given} cell{} where the grid's first line has {wanted}", plural(*given))]
    Ragged {
        /// The number of cells in it.
        given: usize,
        /// The number of cells in the first line.
        wanted: usize,
    },
    /// A number of a grid is not the step of a tour.
    #[error(
        "{number} on {square} is out of range: the numbers of a {board} grid go from {first} to {}",
        board.squares() as u64 - 1 + first
    )]
    OutOfRange {
        /// The number.
        number: u64,
        /// The name of its square.
        square: String,
        /// The board.
        board: Board,
        /// The lowest number.
        first: u64,
    },
    /// A number stands in a grid twice.
    #[error("{number} stands on {square} and on {other}")]
    Twice {
        /// The number.
        number: u64,
        /// The name of its second square.
        square: String,
        /// The name of its first square.
        other: String,
    },
    /// A grid does not have the size of a board, or of the board that was given.
    #[error("a grid of {rows} x {cols} is not {wanted}")]
    Grid {
        /// The number of lines.
        rows: usize,
        /// The number of numbers in each line.
        cols: usize,
        /// The size that was expected.
        wanted: String,
    },
    /// A square of the board has no number.
    #[error("there is no number on {0}")]
    NoNumber(String),
    /// Some squares of a grid have no number. The others may be steps of a tour.
    #[error("unfinished, no wrong move: {given} of {} squares have a number", board.squares())]
    Unfinished {
        /// The number of squares with a number.
        given: usize,
        /// The board.
        board: Board,
    },
    /// A grid has a hole where the board has a square.
    #[error("there is a hole on {0}, which is a square of the board")]
    Hole(String),
    /// An object has neither a tour, nor clues, nor one array of rows.
    #[error("not a JSON object with a tour, the clues of a puzzle, or rows of numbers")]
    Json,
    /// The text can be read in several ways, or in none.
    #[error("cannot be read: {0}")]
    Unclear(String),
    /// A board stands below another one, and has no line of its own that says what it is.
    #[error(
        "this may be another board than the one that line {line} names, `{text}`: write such a \
         line above each, or name the board and leave these lines out"
    )]
    OtherBoard {
        /// The number of the line.
        line: usize,
        /// The line.
        text: String,
    },
    /// An earlier puzzle has used the line that says the kind of tours, or links, of a known board.
    #[error(
        "this may be meant otherwise than line {line} says, `{text}`: write such a line above each"
    )]
    OtherKind {
        /// The number of the line.
        line: usize,
        /// The line.
        text: String,
    },
    /// The text names another board than the known one.
    #[error(
        "this is of {named}, by its line `# board` or its `board`, and not of {known}: name that \
         board, or none"
    )]
    NotKnown {
        /// The board that the text names.
        named: Board,
        /// The known board.
        known: Board,
    },
    /// Rows stand half a cell beside each other, and the piece is none of a hexagonal board.
    #[error(
        "rows half a cell to the right of others are those of a hexagonal board, which has no {0}: \
         write cells under each other, or leave out the piece"
    )]
    Hexagonal(String),
    /// A sign was said to be a square to fill and a hole.
    #[error("`{0}` cannot be both a square to fill and a hole: leave it out of blank or of hole")]
    TwoMeanings(char),
    /// A digit, a blank or a mark between cells, which stand for themselves, was said to be a sign.
    #[error("`{0}` is no sign: blank and hole take signs such as X0")]
    NoSign(char),
    /// The line or the object says that the tour is closed.
    #[error(
        "the tour is not closed, as its line `# board` or its `closed` says: no move joins its ends"
    )]
    NotClosed,
    /// The line or the object names a link that the tour does not have.
    #[error("the tour has no move {0}, a link by its line `# board` or its `links`")]
    NoLink(String),
    /// The squares are not a path of moves.
    #[error(transparent)]
    Path(#[from] TourError),
}

/// A text is not a board with some steps given.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}{}: {why}", place.map_or(String::new(), |(row, col)| format!(" (row {row}, column {col})")))]
pub struct Misread {
    /// The number of the line, from 1.
    pub line: usize,
    /// The row and the column of the grid, from 1 at the top left, if the error has a place there.
    pub place: Option<(usize, usize)>,
    /// The reason.
    pub why: Wrong,
}

impl Misread {
    /// The error of a line as a whole.
    pub(super) fn at<T>(line: usize, why: Wrong) -> Result<T, Self> {
        Err(Self { line, place: None, why })
    }
}

/// The error for a line whose brackets, bars or signs can be read in several ways, or in none.
pub(super) fn unclear<T>(line: usize, why: &str) -> Result<T, Misread> {
    Misread::at(line, Wrong::Unclear(why.to_owned()))
}

/// The square at a row and a column of a board.
pub(super) fn square_at(board: &Board, (row, col): (u32, u32)) -> Result<Square, Wrong> {
    if board.is_graph() {
        return Ok(Square::from_index(col as usize));
    }
    board.at(row.into(), col.into()).ok_or_else(|| {
        // A board whose last square is the one to name.
        let large = Board::new(row + 1, col + 1).unwrap_or_else(|_| board.clone());
        let square = large.name(Square::from_index(large.squares() - 1));
        Wrong::OffBoard { square, board: board.clone() }
    })
}

/// The beginning of a word, without characters that a terminal would obey.
pub(super) fn quoted(word: &str) -> String {
    let harmless = |c: char| if is_harmful(c) { '\u{fffd}' } else { c };
    word.chars().take(40).map(harmless).collect()
}
