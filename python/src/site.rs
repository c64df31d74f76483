//! The board of a call. The vertices of a graph can be any objects: they are kept, and given back
//! as they are.

use crate::prelude::*;
use kt_enum::draw::GraphDrawing;
use std::ops::Deref;

/// A board, with the vertices of a graph as they were given.
#[pyclass(frozen, from_py_object, module = "kt_enum")]
#[derive(Clone)]
pub struct Site {
    board: Board,
    /// The vertices in the order of the squares; `None` where squares have no other names.
    vertices: Option<Arc<Py<PyTuple>>>,
}

impl Deref for Site {
    type Target = Board;

    fn deref(&self) -> &Board {
        &self.board
    }
}

impl From<Board> for Site {
    fn from(board: Board) -> Self {
        Self { board, vertices: None }
    }
}

impl Site {
    /// The graph of some vertices, and of edges by their places.
    pub fn of_graph(py: Python, edges: &[(usize, usize)], all: &[Object]) -> PyResult<Self> {
        let words = all.iter().map(|vertex| Ok(vertex.bind(py).str()?.to_string()));
        let words = words.collect::<PyResult<Vec<_>>>()?;
        let (network, order) = Network::of_words(&words, edges).map_err(wrong)?;
        let vertices = PyTuple::new(py, order.into_iter().map(|place| &all[place]))?;
        Ok(Self { board: Board::of_network(&network), vertices: Some(Arc::new(vertices.unbind())) })
    }

    /// The name of a square: a text, or the vertex of a graph.
    pub fn name<'py>(&self, py: Python<'py>, square: Square) -> PyResult<Any<'py>> {
        match &self.vertices {
            Some(vertices) => vertices.bind(py).get_item(square.index()),
            None => Ok(PyString::new(py, &self.board.name(square)).into_any()),
        }
    }

    /// The texts by which the library knows vertices; `None` where squares have no other names.
    pub fn texts<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(vertices) = &self.vertices else { return Ok(None) };
        let texts = PyDict::new(py);
        for (vertex, square) in vertices.bind(py).iter().zip(self.board.all_squares()) {
            texts.set_item(vertex, self.board.name(square))?;
        }
        Ok(Some(texts))
    }

    /// The picture of a graph, with numbers on its vertices and a path; `None` for a board that has
    /// places for its squares. A circle has the vertices in the order of `around`.
    pub fn drawn(
        &self,
        (title, pos): (Option<&str>, Option<Any>),
        (py, around): (Python, &[Square]),
        numbers: Vec<(usize, Square)>,
        path: Option<(&[Square], bool)>,
    ) -> PyResult<Option<String>> {
        let own = "pos: squares have their own places, and only vertices take others";
        if !self.is_graph() {
            return refuse(pos.is_some(), own).map(|()| None);
        }
        let names = around.iter().map(|&square| self.name(py, square));
        let names = names.collect::<PyResult<Vec<_>>>()?;
        let places = pos.map(|pos| called(py, "places", (pos, &names))?.extract()).transpose()?;
        let words = names.iter().map(|name| Ok(name.str()?.to_string()));
        let names = &words.collect::<PyResult<Vec<String>>>()?;
        let board = &self.board;
        Ok(Some(GraphDrawing { board, around, names, numbers, path, places }.svg(title)))
    }

    /// The square that is given by its name, or by its row and column.
    pub fn square(&self, square: &Any) -> PyResult<Square> {
        let Some(vertices) = &self.vertices else {
            return self.board.parse_square(&given::<String>(square, "name")?).map_err(wrong);
        };
        let vertices = vertices.bind(square.py());
        let index = vertices.call_method1("index", (square,)).and_then(|index| index.extract());
        let index = index.map_err(|_| wrong(format!("{square} is no vertex of the graph")));
        index.map(Square::from_index)
    }
}

#[pymethods]
impl Site {
    #[new]
    #[pyo3(signature = (board, vertices=None))]
    fn new(board: &str, vertices: Option<Py<PyTuple>>) -> PyResult<Self> {
        Ok(Self { board: board.parse().map_err(wrong)?, vertices: vertices.map(Arc::new) })
    }

    fn __getnewargs__(&self, py: Python<'_>) -> (String, Option<Py<PyTuple>>) {
        (self.board.description(), self.vertices.as_ref().map(|all| all.clone_ref(py)))
    }

    /// True if this is the same board, with the same vertices.
    pub fn __eq__(&self, other: &Self, py: Python<'_>) -> PyResult<bool> {
        let all = |site: &Self| site.__getnewargs__(py).into_pyobject(py);
        Ok(self.board == other.board && all(self)?.eq(all(other)?)?)
    }

    fn __repr__(&self) -> String {
        self.board.to_string()
    }
}
