//! Boards and questions from keyword arguments.

use crate::error::wrong;
use crate::keywords::{Keywords, Size, only};
use kt_enum::board::{Board, BoardError, Drawing, GraphFile, GraphFormat, Network, Square, Wrap};
use kt_enum::question::{Question, Tours};
use kt_enum::tour::KnownBoard;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

const WHICH_BOARD: &str =
    "which board? give a size such as 8 or \"6x8\", rows and cols, a board or a graph";

/// The sides of a rectangle.
#[derive(FromPyObject)]
enum Sides {
    Equal(u32),
    Both(u32, u32),
    Text(String),
}

/// A graph as `_given` tells it: its text, or its edges and vertices by their names.
type Graph = (Option<String>, Vec<(String, String)>, Vec<String>);

impl Keywords<'_> {
    /// The board of a call, which has to be there.
    pub fn board(&self, size: Size) -> PyResult<Board> {
        self.known(size)?.board.ok_or_else(|| wrong(WHICH_BOARD))
    }

    /// What a call says about the board of its tours or puzzles: the board, or the piece and the
    /// joined edges of boards whose sides a text tells.
    pub fn known(&self, size: Size) -> PyResult<KnownBoard> {
        let (piece, wrap) = (self.read("piece")?, self.one_of("wrap", &Wrap::NAMED)?);
        let without: Option<Vec<String>> = self.given("without", "names")?;
        let is_whole = piece.is_none() && wrap.is_none() && without.is_none();
        let known = KnownBoard { board: None, piece, wrap };
        let boards = [self.rectangle(size)?, self.drawing()?, self.graph()?];
        let mut boards = boards.into_iter().flatten();
        let board = match (boards.next(), boards.next()) {
            (None, _) if without.is_none() => return Ok(known),
            (None, _) => return Err(wrong(WHICH_BOARD)),
            (Some(board), None) if is_whole => board,
            (Some(board), None) => {
                let has_own =
                    || wrong("a graph has its own edges: leave out piece, wrap and without");
                let mut layout = board.layout().ok_or_else(has_own)?;
                for square in without.into_iter().flatten() {
                    layout.leave_out(&square).map_err(|why| wrong(format!("without: {why}")))?;
                }
                known.board_of(layout).map_err(wrong)?
            }
            _ => {
                return Err(wrong(
                    "size, board and graph are three ways to give a board: give one",
                ));
            }
        };
        Ok(KnownBoard { board: Some(board), ..KnownBoard::default() })
    }

    /// The rectangle of `8`, `"6x8"`, `(6, 8)`, or rows and columns.
    fn rectangle(&self, size: Size) -> PyResult<Option<Board>> {
        const FORM: &str = "size: give a number such as 8, \"6x8\" or (6, 8)";
        let board = match (size, self.take("rows")?, self.take("cols")?) {
            (None, None, None) => return Ok(None),
            (None, Some(rows), Some(cols)) => Board::new(rows, cols),
            (Some(size), None, None) => {
                match size.extract().map_err(|_| PyTypeError::new_err(FORM))? {
                    Sides::Equal(side) => Board::new(side, side),
                    Sides::Both(rows, cols) => Board::new(rows, cols),
                    Sides::Text(text) => match text.parse() {
                        Err(BoardError::Text(_)) => return Err(wrong("size: write 8 or 6x8")),
                        board => board,
                    },
                }
            }
            _ => return Err(wrong("give a size, or rows and cols together")),
        };
        board.map(Some).map_err(wrong)
    }

    /// The board of a drawing, or of a text that describes a board, such as `8x8 piece=king`.
    fn drawing(&self) -> PyResult<Option<Board>> {
        let Some(text) = self.given::<String>("board", "text")? else { return Ok(None) };
        if let Ok(board) = text.parse() {
            return Ok(Some(board));
        }
        let drawings = Drawing::read_all(text.as_bytes()).map_err(wrong)?;
        let drawing = only(drawings, "", "boards: give one of them")?;
        drawing.layout().board().map(Some).map_err(wrong)
    }

    /// The board of edges, of a graph of networkx, of a file, or of the text of one.
    fn graph(&self) -> PyResult<Option<Board>> {
        let formats = GraphFormat::NAMED.map(|(format, name, _)| (format, name));
        let format = self.one_of("graph_format", &formats)?;
        let network = match self.given::<Graph>("graph", "graph")? {
            None => return Ok(None),
            Some((None, edges, vertices)) => Network::new(edges, vertices).map_err(wrong)?,
            Some((Some(text), ..)) => {
                let file = GraphFile::read(text.as_bytes(), format).map_err(wrong)?;
                only(file.graphs, "", "graphs: give one of them")?
            }
        };
        Ok(Some(Board::of_network(&network)))
    }

    /// The kind of tours of a call, if it is said; true for closed ones.
    pub fn kind(&self) -> PyResult<Option<bool>> {
        self.one_of("tours", &[(false, "open"), (true, "closed")])
    }

    /// True if a call is about closed tours.
    pub fn is_closed(&self) -> PyResult<bool> {
        Ok(self.kind()?.unwrap_or_default())
    }

    /// The question of a call.
    pub fn question(&self, size: Size) -> PyResult<Question> {
        let (is_closed, board) = (self.is_closed()?, self.board(size)?);
        let ends = [self.end_of(&board, "from_")?, self.end_of(&board, "to")?];
        if is_closed && ends != [None, None] {
            let why = "closed tours have no ends: leave out from_ and to, or take open tours";
            return Err(wrong(why));
        }
        Ok(of_kind(board, is_closed, ends))
    }

    /// An end of the tours of a call; `None` if it is free.
    pub fn end_of(&self, board: &Board, name: &str) -> PyResult<Option<Square>> {
        let given: Option<String> = self.given(name, "name")?;
        let given = given.filter(|given| given != "all");
        given.map(|given| board.parse_square(&given)).transpose().map_err(wrong)
    }
}

/// The question of open or closed tours of a board. Only open tours have ends.
pub fn of_kind(board: Board, is_closed: bool, [from, to]: [Option<Square>; 2]) -> Question {
    let tours = if is_closed { Tours::Closed } else { Tours::Open { from, to } };
    Question { board, tours }
}
