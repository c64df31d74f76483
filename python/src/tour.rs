//! Tours, and reading tours.

use crate::error::{refuse, wrong};
use crate::keywords::{Any, Given, Keywords, Size, given, no_path, only};
use kt_enum::board::{Board, Square};
use kt_enum::draw::{self, Style, Subject};
use kt_enum::solve::{Clue, grid};
use kt_enum::tour::{self, KnownBoard, Read, TourReader};
use pyo3::prelude::*;
use std::collections::BTreeMap;

/// The complaint about a text without tours.
const NONE: &str = "there is no tour";

/// A tour: every square of its board once, each a move from the last.
///
/// >>> tour = kt_enum.Tour("a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3")
/// >>> tour.squares[:2], tour.names[:2], tour.closed
/// ([(0, 0), (1, 2)], ['a1', 'c2'], False)
/// >>> print(tour.grid(), end="")
///  3  6  9 12
///  8 11  2  5
///  1  4  7 10
///
/// It is made from a text in any usual form, or from squares: names, or rows and columns from 0.
/// An array of numpy is read as `array` writes it. `ValueError` says what is wrong with squares that are
/// no tour. Notebooks draw it.
#[pyclass(frozen, eq, hash, from_py_object, module = "kt_enum")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Tour {
    pub tour: tour::Tour,
    /// True if the tour is meant as a cycle.
    pub is_cycle: bool,
}

impl Tour {
    /// A tour that is known to be one.
    pub fn of(board: &Board, squares: Vec<Square>, is_cycle: bool) -> PyResult<Self> {
        let tour = tour::Tour::new(board, squares).map_err(wrong)?;
        Ok(Self { tour, is_cycle })
    }
}

#[pymethods]
impl Tour {
    #[new]
    #[pyo3(signature = (squares, size=None, **options),
           text_signature = "(squares, size=None, *, cycle=None, **options)")]
    fn new(squares: &Any, size: Size, options: Option<Given>) -> PyResult<Self> {
        let cycle = options.take("cycle")?;
        let tour = only(all("Tour", squares, size, options)?, NONE, "tours: read() takes several")?;
        let tour = tour.map_err(wrong)?;
        let is_cycle = cycle.unwrap_or(tour.is_cycle);
        refuse(is_cycle && !tour.closed(), "cycle: no move joins the ends of this tour")?;
        Ok(Self { is_cycle, ..tour })
    }

    /// The squares in order, as rows and columns from 0.
    #[getter]
    fn squares(&self) -> PyResult<Vec<(u32, u32)>> {
        let board = self.tour.board();
        refuse(board.is_graph(), "the vertices of a graph have no places: take names")?;
        let place = |&square| (board.row(square), board.col(square));
        Ok(self.tour.squares().iter().map(place).collect())
    }

    /// The names of the squares in order.
    #[getter]
    fn names(&self) -> Vec<String> {
        let board = self.tour.board();
        self.tour.squares().iter().map(|&square| board.name(square)).collect()
    }

    /// True if a move leads from the last square to the first.
    #[getter]
    fn closed(&self) -> bool {
        self.tour.is_reentrant()
    }

    /// The description of the board.
    #[getter]
    fn board(&self) -> String {
        self.tour.board().description()
    }

    /// The board with the number of each square, the top row first.
    fn grid(&self) -> String {
        let clues = (1..).zip(self.tour.squares()).map(|(step, &square)| Clue { step, square });
        grid(&self.tour.board(), &clues.collect::<Vec<_>>(), &[])
    }

    /// The numbers of the squares as an array of numpy, by row and column from a1; 0 for a hole.
    fn array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let board = self.tour.board();
        let mut steps = vec![vec![0_u32; board.cols() as usize]; board.rows() as usize];
        for ((row, col), step) in self.squares()?.into_iter().zip(1..) {
            steps[row as usize][col as usize] = step;
        }
        py.import("numpy")?.call_method1("array", (steps,))
    }

    /// The tour as an SVG picture: with `numbers` on the squares, and a `title`.
    #[pyo3(signature = (*, numbers=false, title=None))]
    fn svg(&self, numbers: bool, title: Option<String>) -> PyResult<String> {
        let subject = Subject::new(self.tour.clone(), self.is_cycle).map_err(wrong)?;
        Ok(draw::svg(&subject, &Style { numbers, title }))
    }

    fn _repr_svg_(&self) -> Option<String> {
        self.svg(false, None).ok()
    }

    fn __len__(&self) -> usize {
        self.tour.squares().len()
    }

    fn __str__(&self) -> String {
        self.names().join(" ")
    }

    fn __repr__(&self) -> String {
        let kind = if self.is_cycle { "closed tour" } else { "tour" };
        format!("<{kind} of {}: {}>", self.tour.board(), self.__str__())
    }

    fn __getnewargs_ex__(&self) -> ((Vec<String>, String), BTreeMap<&str, bool>) {
        ((self.names(), self.board()), BTreeMap::from([("cycle", self.is_cycle)]))
    }
}

/// The bytes of the index of a square in a list of tours.
pub fn width(board: &Board) -> usize {
    board.squares().ilog2() as usize / 8 + 1
}

/// Return the tour of a list that these bytes are.
#[pyfunction]
pub fn unpacked(board: &str, is_cycle: bool, bytes: &[u8]) -> PyResult<Tour> {
    let board: Board = board.parse().map_err(wrong)?;
    let index = |bytes: &[u8]| bytes.iter().rev().fold(0, |n, &byte| n << 8 | usize::from(byte));
    let squares = bytes.chunks(width(&board)).map(|bytes| Square::from_index(index(bytes)));
    Tour::of(&board, squares.collect(), is_cycle)
}

/// Tours, or what is wrong with them.
type Checked = Vec<Result<Tour, String>>;

/// The lines of a text between two looks for signals.
const LINES: usize = 1 << 12;

/// The tours of a text, of a file or of some squares, of the board of a call, each meant as a cycle
/// if it can be one, or what is wrong with it. Tours are themselves, unless a board is given.
fn all(function: &str, text: &Any, size: Size, options: Option<Given>) -> PyResult<Checked> {
    let known = options.known(size)?;
    options.end(function)?;
    let (mut checked, is_own) = (Checked::new(), known == KnownBoard::default());
    let (py, several): (_, Vec<(Option<Tour>, String)>) = (text.py(), given(text, "tours")?);
    for (tour, of) in several {
        match tour.filter(|_| is_own) {
            Some(tour) => checked.push(Ok(tour)),
            None => checked.extend(read_all(py, known.clone(), &of)?),
        }
    }
    if checked.is_empty() && !given::<String>(text, "advice")?.is_empty() {
        return Err(no_path(text, NONE));
    }
    Ok(checked)
}

/// The tours of a text.
fn read_all(py: Python, known: KnownBoard, text: &str) -> PyResult<Checked> {
    let (mut reader, mut all) = (TourReader::expecting(known), Vec::new());
    for lines in text.lines().collect::<Vec<_>>().chunks(LINES) {
        py.check_signals()?;
        let read = || lines.iter().flat_map(|line| reader.read(line)).flatten().collect();
        all.extend(py.detach::<Vec<Read>, _>(read));
    }
    all.extend(reader.finish());
    let tour = |Read { line, tour, .. }| match tour {
        Ok(tour) => Ok(Tour { is_cycle: tour.is_reentrant(), tour }),
        Err(why) => Err(format!("line {line}: {why}")),
    };
    Ok(all.into_iter().map(tour).collect())
}

/// Read the tours of a text or of the file that a path names, in all the forms that people write.
///
/// >>> [tour] = kt_enum.read("1. Na1 2. Nc2 3. Na3 4. Nb1 5. Nd2 6. Nb3 7. Nc1 8. Na2 9. Nc3 10. Nd1 11. Nb2 12. Nd3")
/// >>> tour.board
/// '3x4'
///
/// The board is that of the text, unless it is given. `ValueError` names the first line that is wrong.
#[pyfunction(signature = (text, size=None, **options))]
pub fn read(text: &Any, size: Size, options: Option<Given>) -> PyResult<Vec<Tour>> {
    let tours = all("read", text, size, options)?;
    refuse(tours.is_empty(), NONE)?;
    tours.into_iter().map(|tour| tour.map_err(wrong)).collect()
}

/// Say of each tour of a text, of a file or of some squares whether it is one.
///
/// >>> kt_enum.check("a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3")
/// ['open']
/// >>> kt_enum.check(["a1", "b1"], "3x4")
/// ["wrong: line 1: step 1 from a1 to b1 is not a knight's move"]
///
/// A verdict is "open", "closed" (a move joins the ends) or begins with "wrong: ". Tours may be given too:
/// they are of their own boards, unless one is given.
#[pyfunction(signature = (text, size=None, **options))]
pub fn check(text: &Any, size: Size, options: Option<Given>) -> PyResult<Vec<String>> {
    let verdict = |tour: Result<Tour, String>| match tour {
        Ok(tour) if tour.closed() => "closed".to_owned(),
        Ok(_) => "open".to_owned(),
        Err(why) => format!("wrong: {why}"),
    };
    let tours = all("check", text, size, options)?;
    Ok(tours.into_iter().map(verdict).collect())
}
