//! Boards and questions from keyword arguments, squares and whole numbers of any size.

use crate::error::wrong;
use crate::keywords::Keywords;
use crate::text::content;
use kt_enum::board::{
    Board, Drawing, GraphFile, GraphFormat, Layout, Network, Piece, Square, Wrap,
};
use kt_enum::question::Question;
use kt_enum::tally::Tally;
use kt_enum::tour::KnownBoard;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

const WHICH_BOARD: &str =
    "which board? give a size such as 8 or \"6x8\", rows and cols, a board or a graph";

/// A positional argument, which may be missing.
pub type Size<'py> = Option<Bound<'py, PyAny>>;

/// The board of a call, which has to be there.
pub fn board(size: Size, keywords: &Keywords) -> PyResult<Board> {
    known(size, keywords)?.board.ok_or_else(|| wrong(WHICH_BOARD))
}

/// What a call says about the board of its tours or puzzles: the board, or the piece and the joined
/// edges of boards whose sides a text tells.
pub fn known(size: Size, keywords: &Keywords) -> PyResult<KnownBoard> {
    let [rows, cols] = [keywords.take::<u32>("rows")?, keywords.take::<u32>("cols")?];
    let piece: Option<Piece> = keywords.read("piece")?;
    let wrap = keywords.one_of("wrap", &Wrap::NAMED)?;
    let without = keywords.any("without")?;
    let [drawn, graph] = [keywords.any("board")?, keywords.any("graph")?];
    let formats = GraphFormat::NAMED.map(|(format, name, _)| (format, name));
    let format = keywords.one_of("graph_format", &formats)?;
    let sides = sides(size, rows, cols)?;
    let given = [sides.is_some(), drawn.is_some(), graph.is_some()];
    if given.into_iter().filter(|is_given| *is_given).count() > 1 {
        return Err(wrong("size, board and graph are three ways to give a board: give one"));
    }
    if let Some(graph) = graph {
        if piece.is_some() || wrap.is_some() || without.is_some() {
            return Err(wrong("a graph has its own edges: leave out piece, wrap and without"));
        }
        let board = Some(Board::of_network(&network(&graph, format)?));
        return Ok(KnownBoard { board, ..KnownBoard::default() });
    }
    let layout = match (sides, drawn) {
        (Some((rows, cols)), _) => {
            Board::new(rows, cols).map_err(wrong)?;
            Layout::new(rows, cols)
        }
        (_, Some(drawn)) => match drawing(&drawn)? {
            Ok(board) => return Ok(KnownBoard { board: Some(board), piece, wrap }),
            Err(layout) => layout,
        },
        (None, None) if without.is_some() => return Err(wrong(WHICH_BOARD)),
        (None, None) => return Ok(KnownBoard { board: None, piece, wrap }),
    };
    let board = finished(layout, piece, wrap, without)?;
    Ok(KnownBoard { board: Some(board), ..KnownBoard::default() })
}

/// The sides of a rectangle: `8`, `"6x8"`, `(6, 8)`, or rows and columns.
fn sides(size: Size, rows: Option<u32>, cols: Option<u32>) -> PyResult<Option<(u32, u32)>> {
    match (size.filter(|size| !size.is_none()), rows, cols) {
        (None, None, None) => Ok(None),
        (None, Some(rows), Some(cols)) => Ok(Some((rows, cols))),
        (Some(size), None, None) => {
            if let Ok(side) = size.extract::<u32>() {
                return Ok(Some((side, side)));
            }
            if let Ok(sides) = size.extract::<(u32, u32)>() {
                return Ok(Some(sides));
            }
            let text: String = size.extract().map_err(|_| {
                PyTypeError::new_err("size: give a number such as 8, \"6x8\" or (6, 8)")
            })?;
            let (one, other) = text.split_once('x').unwrap_or((&text, &text));
            let side = |text: &str| text.trim().parse::<u32>().ok();
            let sides = side(one).zip(side(other));
            sides.map(Some).ok_or_else(|| wrong("size: write 8 or 6x8"))
        }
        _ => Err(wrong("give a size, or rows and cols together")),
    }
}

fn finished(
    mut layout: Layout,
    piece: Option<Piece>,
    wrap: Option<Wrap>,
    without: Option<Bound<'_, PyAny>>,
) -> PyResult<Board> {
    layout.piece = piece.unwrap_or(layout.piece);
    layout.wrap = wrap.unwrap_or(layout.wrap);
    for square in without.map_or_else(|| Ok(Vec::new()), |squares| names(&squares))? {
        layout.leave_out(&square).map_err(|error| wrong(format!("without: {error}")))?;
    }
    layout.board().map_err(wrong)
}

/// The names of squares: a text with commas between them, or any iterable.
fn names(squares: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if let Ok(text) = squares.extract::<String>() {
        return Ok(text.split(',').map(str::to_owned).collect());
    }
    squares.try_iter()?.map(|square| name(&square?)).collect()
}

/// The name of a square or of a vertex: a text, a row and a column from 0, or what `str` makes of
/// it.
pub fn name(square: &Bound<'_, PyAny>) -> PyResult<String> {
    if square.is_instance_of::<PyString>() {
        return square.extract();
    }
    match square.extract::<(u32, u32)>() {
        Ok((row, col)) => Ok(format!("{row},{col}")),
        Err(_) => Ok(square.str()?.to_string()),
    }
}

/// The square of a board with this name.
pub fn square(board: &Board, square: &Bound<'_, PyAny>) -> PyResult<Square> {
    board.parse_square(&name(square)?).map_err(wrong)
}

/// The board of a drawing that has nothing to add, or its layout, which may get a piece. A text that
/// describes a board, such as `8x8 piece=king`, is one too.
fn drawing(drawn: &Bound<'_, PyAny>) -> PyResult<Result<Board, Layout>> {
    let text = content(drawn)?;
    if let Ok(board) = text.parse::<Board>() {
        return Ok(board.layout().map_or(Ok(board), Err));
    }
    let drawings = Drawing::read_all(text.as_bytes()).map_err(wrong)?;
    match &drawings[..] {
        [drawing] => Ok(Err(drawing.layout())),
        several => Err(wrong(format!("these are {} boards: give one of them", several.len()))),
    }
}

/// The graph of edges, of a graph of networkx, of a file, or of the text of one.
fn network(graph: &Bound<'_, PyAny>, format: Option<GraphFormat>) -> PyResult<Network> {
    if graph.is_instance_of::<PyString>() || graph.hasattr("__fspath__")? {
        let mut file = GraphFile::read(content(graph)?.as_bytes(), format).map_err(wrong)?;
        return match file.graphs.len() {
            1 => Ok(file.graphs.remove(0)),
            count => Err(wrong(format!("these are {count} graphs: give one of them"))),
        };
    }
    let (edges, alone) = if graph.hasattr("edges")? && graph.hasattr("nodes")? {
        if graph.call_method0("is_directed")?.is_truthy()? {
            return Err(wrong("the graph is directed: its edges have to lead both ways"));
        }
        (graph.call_method0("edges")?, Some(graph.call_method0("nodes")?))
    } else {
        (graph.clone(), None)
    };
    let edge = |edge: PyResult<Bound<'_, PyAny>>| {
        let (one, other): (Bound<'_, PyAny>, Bound<'_, PyAny>) = edge?.extract()?;
        Ok((vertex(&one)?, vertex(&other)?))
    };
    let edges = edges.try_iter()?.map(edge).collect::<PyResult<Vec<_>>>()?;
    let alone = alone.map(|nodes| nodes.try_iter()?.map(|node| vertex(&node?)).collect());
    Network::new(edges, alone.unwrap_or_else(|| PyResult::Ok(Vec::new()))?).map_err(wrong)
}

fn vertex(vertex: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(vertex.str()?.to_string())
}

/// The two kinds of tours; true for closed ones.
pub fn is_closed(keywords: &Keywords) -> PyResult<bool> {
    Ok(keywords.one_of("tours", &[(false, "open"), (true, "closed")])?.unwrap_or_default())
}

/// The question of a call.
pub fn question(size: Size, keywords: &Keywords) -> PyResult<Question> {
    let is_closed = is_closed(keywords)?;
    let board = board(size, keywords)?;
    let [from, to] = ends(&board, keywords)?;
    if is_closed && (from, to) != (None, None) {
        return Err(wrong("closed tours have no ends: leave out from_ and to, or take open tours"));
    }
    Ok(of_kind(board, is_closed, [from, to]))
}

/// The question of open or closed tours of a board. Only open tours have ends.
pub fn of_kind(board: Board, is_closed: bool, [from, to]: [Option<Square>; 2]) -> Question {
    match is_closed {
        true => Question::closed(board),
        false => Question::open_between(board, from, to),
    }
}

/// The ends of the tours of a call, each `None` if it is free.
pub fn ends(board: &Board, keywords: &Keywords) -> PyResult<[Option<Square>; 2]> {
    let end = |name| {
        let given = keywords.any(name)?.map(|given| self::name(&given)).transpose()?;
        let given = given.filter(|given| given != "all");
        given.map(|given| board.parse_square(&given)).transpose().map_err(wrong)
    };
    Ok([end("from_")?, end("to")?])
}

/// The sentence that there are no tours, with the reason if it is known.
pub fn no_tours(question: &Question) -> String {
    let reason = question.impossible().map(|reason| format!(": {reason}"));
    format!("there are no {question}{}", reason.unwrap_or_default())
}

/// A count as a whole number of Python. Its decimal digits may be more than Python converts.
pub fn to_int<'py>(py: Python<'py>, tally: &Tally) -> PyResult<Bound<'py, PyAny>> {
    let bytes = PyBytes::new(py, &tally.to_bytes_le());
    py.get_type::<pyo3::types::PyInt>().call_method1(intern!(py, "from_bytes"), (bytes, "little"))
}

/// A whole number of Python, or what has one, as a count.
pub fn to_tally(number: &Bound<'_, PyAny>) -> PyResult<Tally> {
    let py = number.py();
    let number = py.import(intern!(py, "operator"))?.call_method1("index", (number,))?;
    if number.lt(0)? {
        return Err(wrong(format!("{number} is negative: tours are numbered from 1")));
    }
    let bits: usize = number.call_method0("bit_length")?.extract()?;
    let bytes = number.call_method1("to_bytes", (bits.div_ceil(8), "little"))?;
    Ok(Tally::from_bytes_le(bytes.extract()?))
}
