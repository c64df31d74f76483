//! Boards, squares, moves, sets of squares and symmetries: the layer under all others.
//!
//! A [`Board`] says which squares there are and which moves join them. Most boards are full
//! rectangles with a knight, and arithmetic with rows and columns answers everything about them, at
//! any size. A board with holes, another piece or joined edges, and an explicit graph, answers from
//! tables (`ground`). Nothing above this layer knows which of them it works on.
//!
//! Squares are numbered without gaps, row by row from a1. On a full board the index of a square is
//! `row * cols + col`; a hole has no index. Every engine works on these indices, and rows and
//! columns in function arguments count from 0 as well.

mod automorphism;
mod document;
mod ground;
mod layout;
mod network;
mod order;
mod padded;
mod piece;
pub mod set;
mod square;
pub mod symmetry;

pub use document::BoardDocument;
pub use ground::colours;
pub use layout::{Layout, Wrap};
pub use network::{LONGEST_NAME, Network, is_name, not_a_name};
pub use order::{MoveOrder, MoveOrderError};
pub use padded::PaddedBoard;
pub use piece::{Piece, PieceError};
pub use set::Planes;
pub use set::{Indices, SquareSet};
pub use square::{Square, SquareError, column_name, square_name};
pub use symmetry::Symmetry;
pub use symmetry::{orbit, orbits, stabilizer};

use ground::{Description, Ground};
use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// The eight knight moves as (rows up, columns right), counter-clockwise.
///
/// Move `i + 4` is the reverse of move `i`, for `i` below 4.
pub const KNIGHT_MOVES: [(i32, i32); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// The squares of a board and the moves between them.
///
/// A full knight's board has `rows` x `cols` squares, at least 1 x 1 and at most 10,000 on a side.
/// [`Layout`] describes boards with holes, other pieces and joined edges, and [`Network`] graphs.
/// Cloning a board is cheap.
///
/// ```
/// # use kt_enum_board as kt_enum;
/// use kt_enum::board::Board;
/// let board = Board::new(3, 4)?;
/// assert_eq!(board.squares(), 12);
/// assert_eq!(board.to_string(), "3x4");
/// # Ok::<(), kt_enum::board::BoardError>(())
/// ```
///
/// A board is serialized as the pair of its sides if it is a full knight's board, and otherwise as
/// 0, [`Board::ORDERS`] and the text that [`Board::description`] returns.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    rows: u32,
    cols: u32,
    /// The tables of a board that is not a full knight's board.
    ground: Option<Arc<Ground>>,
}

/// A description is not that of a board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BoardError {
    /// A side is 0 or longer than [`Board::LONGEST_SIDE`].
    #[error(
        "a board of {rows} x {cols} is out of range: rows and columns go from 1 to {longest}",
        longest = Board::LONGEST_SIDE
    )]
    Side {
        /// The number of rows requested.
        rows: u32,
        /// The number of columns requested.
        cols: u32,
    },
    /// The rectangle of a board with holes, another piece or joined edges is too large.
    #[error(
        "a rectangle of {rows} x {cols} is too large: unless it is a full knight's board, it may \
         have up to {} squares",
        layout::MOST_PLACES
    )]
    TooLarge {
        /// The number of rows requested.
        rows: u32,
        /// The number of columns requested.
        cols: u32,
    },
    /// A hexagonal board has joined edges.
    #[error("a hexagonal board has no joined edges")]
    Joined,
    /// All squares are left out.
    #[error("no square of the board is left")]
    Empty,
    /// A square to leave out is not on the board.
    #[error(transparent)]
    Hole(#[from] SquareError),
    /// The piece is unknown.
    #[error(transparent)]
    Piece(#[from] PieceError),
    /// Vertices and edges are not a simple graph of a size that can be counted on.
    #[error("this is not a graph to count on: {0}")]
    Graph(String),
    /// A text does not describe a board.
    #[error("`{0}` does not describe a board")]
    Text(String),
}

impl Board {
    /// The largest number of rows and of columns.
    pub const LONGEST_SIDE: u32 = 10_000;

    /// The version of what programs derive from a board that is not a full knight's board: the
    /// order in which the frontier processes its squares, the division of its edges into classes,
    /// and the symmetries of graphs. A program with another version divides the same question into
    /// other units, so it refuses a saved board.
    pub const ORDERS: u32 = 2;

    /// Creates a board of `rows` x `cols` squares.
    ///
    /// # Errors
    /// [`BoardError::Side`] if a side is 0 or longer than [`Board::LONGEST_SIDE`].
    pub fn new(rows: u32, cols: u32) -> Result<Self, BoardError> {
        let side = 1..=Self::LONGEST_SIDE;
        if side.contains(&rows) && side.contains(&cols) {
            Ok(Self { rows, cols, ground: None })
        } else {
            Err(BoardError::Side { rows, cols })
        }
    }

    fn of_layout(layout: &Layout) -> Result<Self, BoardError> {
        let mut board = Self::new(layout.rows, layout.cols)?;
        if !layout.is_plain() {
            board.ground = Some(Arc::new(Ground::of_layout(layout)?));
        }
        Ok(board)
    }

    /// Creates the board of an explicit graph: its squares are the vertices, in one row.
    pub fn of_network(network: &Network) -> Self {
        let ground = Ground::of_network(network);
        Self { rows: 1, cols: ground.places.len() as u32, ground: Some(Arc::new(ground)) }
    }

    /// The canonical text of the board, such as `8x8` or `8x8 piece=king wrap=torus`.
    ///
    /// It reads back as the same board, and equal boards have equal texts.
    pub fn description(&self) -> String {
        match &self.ground {
            Some(ground) => ground.text.clone(),
            None => format!("{}x{}", self.rows, self.cols),
        }
    }

    /// The description as a rectangle; `None` if the board is an explicit graph.
    pub fn layout(&self) -> Option<Layout> {
        match self.ground.as_deref().map(|ground| &ground.description) {
            None => Some(Layout::new(self.rows, self.cols)),
            Some(Description::Layout(layout)) => Some(layout.clone()),
            Some(Description::Network(_)) => None,
        }
    }

    /// True if the board is a rectangle without holes, with a knight and without joined edges.
    pub fn is_plain(&self) -> bool {
        self.ground.is_none()
    }

    /// True if the board is hexagonal: see [`Piece::hex`].
    pub fn is_hexagonal(&self) -> bool {
        let description = self.ground.as_deref().map(|ground| &ground.description);
        matches!(description, Some(Description::Layout(layout)) if layout.is_hexagonal())
    }

    /// True if the board is an explicit graph, so that its squares have no places.
    pub fn is_graph(&self) -> bool {
        self.network().is_some()
    }

    fn network(&self) -> Option<&Network> {
        match &self.ground.as_deref()?.description {
            Description::Network(network) => Some(network),
            Description::Layout(_) => None,
        }
    }

    /// The number of rows.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// The number of columns.
    pub fn cols(&self) -> u32 {
        self.cols
    }

    /// The number of squares.
    pub fn squares(&self) -> usize {
        match &self.ground {
            Some(ground) => ground.places.len(),
            None => self.rows as usize * self.cols as usize,
        }
    }

    /// True if the board has as many rows as columns.
    pub fn is_square(&self) -> bool {
        self.rows == self.cols
    }

    /// The square at this row and column (both from 0, from a1), or `None` if there is none.
    ///
    /// Negative numbers are allowed, so that a move can be added to a square without a check.
    pub fn at(&self, row: i64, col: i64) -> Option<Square> {
        let on_board =
            (0..i64::from(self.rows)).contains(&row) && (0..i64::from(self.cols)).contains(&col);
        match &self.ground {
            _ if !on_board => None,
            Some(ground) => ground.at((row as u32, col as u32)),
            None => Some(Square::from_index(row as usize * self.cols as usize + col as usize)),
        }
    }

    /// The row of a square, from 0 at the bottom.
    pub fn row(&self, square: Square) -> u32 {
        match &self.ground {
            Some(ground) => ground.places[square.index()].0,
            None => (square.index() / self.cols as usize) as u32,
        }
    }

    /// The column of a square, from 0 at the left.
    pub fn col(&self, square: Square) -> u32 {
        match &self.ground {
            Some(ground) => ground.places[square.index()].1,
            None => (square.index() % self.cols as usize) as u32,
        }
    }

    /// All squares in ascending order of their indices.
    pub fn all_squares(&self) -> impl Iterator<Item = Square> + use<> {
        (0..self.squares()).map(Square::from_index)
    }

    /// The squares that a move leads to from `from`, each once, in the order of the piece's steps:
    /// for the knight, that of [`KNIGHT_MOVES`].
    ///
    /// ```
    /// # use kt_enum_board as kt_enum;
    /// use kt_enum::board::Board;
    /// let board = Board::new(3, 4)?;
    /// let targets = board.moves(board.parse_square("a1")?);
    /// let names: Vec<String> = targets.map(|square| board.name(square)).collect();
    /// assert_eq!(names, ["c2", "b3"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn moves(&self, from: Square) -> impl Iterator<Item = Square> {
        let ground = self.ground.as_deref();
        let listed = ground.map_or(&[][..], |ground| &ground.moves().neighbours[from.index()]);
        let computed = ground.is_none().then(|| self.led_to(from, KNIGHT_MOVES));
        listed.iter().copied().chain(computed.into_iter().flatten())
    }

    /// The squares that steps of (rows up, columns right) lead to from a square of a full knight's
    /// board.
    fn led_to(&self, from: Square, steps: [(i32, i32); 8]) -> impl Iterator<Item = Square> {
        let (row, col) = (i64::from(self.row(from)), i64::from(self.col(from)));
        let lead = move |(up, right)| self.at(row + i64::from(up), col + i64::from(right));
        steps.into_iter().filter_map(lead)
    }

    /// The largest number of moves from a square.
    pub fn most_moves(&self) -> usize {
        match &self.ground {
            Some(ground) => ground.moves().neighbours.iter().map(Vec::len).max().unwrap_or(0),
            None => KNIGHT_MOVES.len(),
        }
    }

    /// The index in [`KNIGHT_MOVES`] of the move between two squares, 0 if there is no such move.
    #[doc(hidden)]
    pub fn move_index(&self, from: Square, to: Square) -> usize {
        let [row, to_row] = [from, to].map(|square| self.row(square) as i32);
        let [col, to_col] = [from, to].map(|square| self.col(square) as i32);
        let step = (to_row - row, to_col - col);
        KNIGHT_MOVES.iter().position(|&known| known == step).unwrap_or(0)
    }

    /// True if a move joins the two squares.
    pub fn are_neighbours(&self, one: Square, other: Square) -> bool {
        if let Some(ground) = &self.ground {
            return ground.moves().neighbours[one.index()].contains(&other);
        }
        let rows = self.row(one).abs_diff(self.row(other));
        let cols = self.col(one).abs_diff(self.col(other));
        (rows, cols) == (1, 2) || (rows, cols) == (2, 1)
    }

    /// The colour of a square: 1 for the colour of the first square, -1 for the other. Every move
    /// changes the colour. It is 0 for all squares of a board that has no such colours.
    pub fn colour(&self, square: Square) -> i32 {
        match &self.ground {
            Some(ground) => ground.moves().colours[square.index()],
            None if (self.row(square) + self.col(square)).is_multiple_of(2) => 1,
            None => -1,
        }
    }

    /// The sum of the colours of all squares.
    ///
    /// A tour alternates between the colours, so there is none unless the sum is -1, 0 or 1. On a
    /// full knight's board it is 1 if the number of squares is odd, and 0 otherwise.
    pub fn surplus(&self) -> i32 {
        match &self.ground {
            Some(ground) => ground.moves().colours.iter().sum(),
            None => (self.squares() % 2) as i32,
        }
    }

    /// True if the squares have two colours such that every move changes the colour.
    pub fn has_colours(&self) -> bool {
        self.ground.as_ref().is_none_or(|ground| ground.moves().colours[0] != 0)
    }

    /// True unless the tables of the board show that its moves do not connect all squares.
    ///
    /// Full knight's boards are not examined.
    #[doc(hidden)]
    pub fn seems_connected(&self) -> bool {
        self.ground.as_ref().is_none_or(|ground| ground.moves().is_connected)
    }

    /// True unless the board is an explicit graph whose symmetries are too many or take too long to
    /// find. Only the identity is then among [`Symmetry::of`].
    pub fn knows_symmetries(&self) -> bool {
        self.ground.as_ref().is_none_or(|ground| ground.symmetries().are_known)
    }

    /// The name of a square as in chess: a1 is the bottom-left corner.
    ///
    /// Column z is followed by aa, ab and so on. A vertex of an explicit graph has its own name.
    pub fn name(&self, square: Square) -> String {
        if let Some(network) = self.network() {
            return network.names()[square.index()].clone();
        }
        square_name(self.row(square), self.col(square))
    }

    /// Reads a square written as in chess (`c2`) or as `row,col` counted from 0 (`1,2`).
    ///
    /// Upper-case letters and surrounding blanks are accepted. [`Board::name`] is the inverse.
    ///
    /// # Errors
    /// [`SquareError`] if the text has neither form or names a square off the board.
    pub fn parse_square(&self, text: &str) -> Result<Square, SquareError> {
        if let Some(network) = self.network() {
            // Blanks in the names of a file became `_`.
            let wanted = text.trim().trim_matches('"').replace(' ', "_");
            let vertex = network.names().iter().position(|name| *name == wanted);
            let unknown = || SquareError::Vertex(text.to_owned());
            return vertex.map(Square::from_index).ok_or_else(unknown);
        }
        square::parse(self, text)
    }
}

impl fmt::Display for Board {
    /// Writes the description of the board. A graph is written by its size alone.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.network() {
            Some(network) => write!(out, "graph of {}", network.sizes()),
            None => out.write_str(&self.description()),
        }
    }
}

/// Reads the text that [`Board::description`] writes.
impl FromStr for Board {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Self, BoardError> {
        if text.starts_with("graph ") {
            Ok(Self::of_network(&text.parse()?))
        } else {
            text.parse::<Layout>()?.board()
        }
    }
}

impl Serialize for Board {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.is_plain() {
            return (self.rows, self.cols).serialize(serializer);
        }
        (0_u32, Self::ORDERS, self.description()).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Board {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_tuple(3, BoardVisitor)
    }
}

/// Reads the sides of a board, or 0, the version of its orders and its text.
struct BoardVisitor;

impl<'de> Visitor<'de> for BoardVisitor {
    type Value = Board;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the sides of a board, or 0, a version and a description")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Board, A::Error> {
        let mut side = || parts.next_element::<u32>()?.ok_or_else(|| A::Error::custom("no side"));
        match (side()?, side()?) {
            (0, Board::ORDERS) => {
                let text: Option<String> = parts.next_element()?;
                text.unwrap_or_default().parse().map_err(A::Error::custom)
            }
            (0, version) => Err(A::Error::custom(format!(
                "it is of another version of kt-enum, which orders the squares of boards other than \
                 full knight's boards differently (version {version}, here {})",
                Board::ORDERS
            ))),
            (rows, cols) => Board::new(rows, cols).map_err(A::Error::custom),
        }
    }
}
